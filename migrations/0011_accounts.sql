-- +goose Up

-- People who may sign in. Which role a person had when stands in the log (records of the
-- kind account); here is what holds now. A person is never deleted: records name them.
CREATE TABLE account (
    id          INTEGER PRIMARY KEY,
    name        TEXT    NOT NULL UNIQUE CHECK (name <> ''),
    full_name   TEXT    NOT NULL,
    role        TEXT    NOT NULL CHECK (role IN ('viewer', 'reviewer', 'promoter', 'admin')),
    password    TEXT    NOT NULL DEFAULT '', -- argon2id, encoded with its parameters; '' until one is set
    created_us  INTEGER NOT NULL,
    disabled_us INTEGER NOT NULL DEFAULT 0, -- 0 while the person may sign in
    last_in_us  INTEGER NOT NULL DEFAULT 0
) STRICT;
-- +goose StatementBegin
CREATE TRIGGER account_kept BEFORE DELETE ON account
BEGIN SELECT raise(ABORT, 'accounts are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER account_fixed BEFORE UPDATE OF id, name, created_us ON account
BEGIN SELECT raise(ABORT, 'an account keeps its name'); END;
-- +goose StatementEnd

-- One-time secrets with which a person sets a password. Of every secret here only its
-- SHA-256 is kept.
CREATE TABLE invitation (
    id         INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES account (id),
    sha256     BLOB    NOT NULL UNIQUE CHECK (length(sha256) = 32),
    made_us    INTEGER NOT NULL,
    expires_us INTEGER NOT NULL,
    used_us    INTEGER NOT NULL DEFAULT 0 -- or was replaced by a later one
) STRICT;
CREATE INDEX invitation_account ON invitation (account_id, id);

-- People at browsers. Rows that ended are deleted: they are no evidence.
CREATE TABLE session (
    id         INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES account (id),
    sha256     BLOB    NOT NULL UNIQUE CHECK (length(sha256) = 32),
    csrf       TEXT    NOT NULL CHECK (csrf <> ''),
    remote     TEXT    NOT NULL,
    agent      TEXT    NOT NULL,
    made_us    INTEGER NOT NULL,
    seen_us    INTEGER NOT NULL,
    proved_us  INTEGER NOT NULL DEFAULT 0 -- when the person last proved who they are
) STRICT;
CREATE INDEX session_account ON session (account_id, id);

-- Public halves of keys that people sign with. A revoked key stays: what it signed before
-- stays verifiable.
CREATE TABLE account_key (
    id          INTEGER PRIMARY KEY,
    account_id  INTEGER NOT NULL REFERENCES account (id),
    kind        TEXT    NOT NULL CHECK (kind IN ('note', 'ssh', 'passkey')),
    public      TEXT    NOT NULL CHECK (public <> ''),
    fingerprint TEXT    NOT NULL CHECK (fingerprint <> ''),
    label       TEXT    NOT NULL,
    added_us    INTEGER NOT NULL,
    revoked_us  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX account_key_account ON account_key (account_id, id);
CREATE UNIQUE INDEX account_key_holds ON account_key (public) WHERE revoked_us = 0;
-- +goose StatementBegin
CREATE TRIGGER account_key_kept BEFORE DELETE ON account_key
BEGIN SELECT raise(ABORT, 'public keys are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER account_key_fixed BEFORE UPDATE OF id, account_id, kind, public, fingerprint, added_us ON account_key
BEGIN SELECT raise(ABORT, 'public keys are never changed'); END;
-- +goose StatementEnd

-- Authenticators. credential is what the authenticator calls itself, record the public
-- half with its counter as JSON, key_id the same public half as a key that signs: they end
-- together.
CREATE TABLE passkey (
    id         INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES account (id),
    key_id     INTEGER NOT NULL UNIQUE REFERENCES account_key (id),
    credential BLOB    NOT NULL UNIQUE,
    label      TEXT    NOT NULL,
    record     TEXT    NOT NULL CHECK (json_valid(record)),
    added_us   INTEGER NOT NULL,
    used_us    INTEGER NOT NULL DEFAULT 0,
    removed_us INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX passkey_account ON passkey (account_id, id);

-- Tokens made before have the right to hand in, no owner and no end.
ALTER TABLE api_token ADD COLUMN account_id INTEGER REFERENCES account (id);
ALTER TABLE api_token ADD COLUMN rights TEXT NOT NULL DEFAULT 'hand-in'; -- separated by spaces
ALTER TABLE api_token ADD COLUMN expires_us INTEGER NOT NULL DEFAULT 0; -- 0 for never
