-- +goose Up

-- A statement in preparation. Drafts are no evidence: they change, and are given up.
CREATE TABLE signoff_draft (
    id         INTEGER PRIMARY KEY,
    campaign   TEXT    NOT NULL CHECK (campaign <> ''),
    candidate  TEXT    NOT NULL CHECK (candidate <> ''),
    control    TEXT    NOT NULL,
    back       TEXT    NOT NULL,
    figures    TEXT    NOT NULL CHECK (json_valid(figures)),
    target     TEXT    NOT NULL CHECK (target IN ('challenger', 'rollback', 'promotion')),
    decision   TEXT    NOT NULL CHECK (decision IN ('', 'promote', 'reject', 'hold', 'rollback')),
    scope      TEXT    NOT NULL,
    reason     TEXT    NOT NULL,
    acks       TEXT    NOT NULL CHECK (json_valid(acks)),
    preparer   TEXT    NOT NULL CHECK (preparer <> ''),
    made_us    INTEGER NOT NULL,
    changed_us INTEGER NOT NULL,
    closed_us  INTEGER NOT NULL DEFAULT 0, -- signed or given up
    ready      INTEGER NOT NULL DEFAULT 0 CHECK (ready IN (0, 1)),
    ground     TEXT    NOT NULL -- digest of the ground that the preparer saw last
) STRICT;
CREATE INDEX signoff_draft_campaign ON signoff_draft (campaign, id);
-- +goose StatementBegin
CREATE TRIGGER signoff_draft_closed BEFORE UPDATE ON signoff_draft WHEN old.closed_us <> 0
BEGIN SELECT raise(ABORT, 'a closed draft is not changed'); END;
-- +goose StatementEnd

-- Primary data: signed statements with the signature and the public half of its key, so
-- that each can be checked without any other row. Its record in the log names all of it.
CREATE TABLE signoff (
    id          INTEGER PRIMARY KEY,
    campaign    TEXT    NOT NULL,
    title       TEXT    NOT NULL,
    candidate   TEXT    NOT NULL,
    arm         TEXT    NOT NULL,
    target      TEXT    NOT NULL,
    decision    TEXT    NOT NULL CHECK (decision IN ('promote', 'reject', 'hold', 'rollback')),
    statement   TEXT    NOT NULL CHECK (statement <> ''),
    sha256      BLOB    NOT NULL UNIQUE CHECK (length(sha256) = 32),
    preparer    TEXT    NOT NULL,
    signer      TEXT    NOT NULL,
    signed_us   INTEGER NOT NULL,
    claim_kind  TEXT    NOT NULL CHECK (claim_kind IN ('note', 'ssh', 'passkey')),
    fingerprint TEXT    NOT NULL,
    public      TEXT    NOT NULL,
    signature   BLOB    NOT NULL,
    draft_id    INTEGER NOT NULL REFERENCES signoff_draft (id)
) STRICT;
CREATE INDEX signoff_campaign ON signoff (campaign, id);

-- The artifacts that a statement names.
CREATE TABLE signoff_artifact (
    signoff_id INTEGER NOT NULL REFERENCES signoff (id),
    sha256     BLOB    NOT NULL CHECK (length(sha256) = 32),
    PRIMARY KEY (signoff_id, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX signoff_artifact_digest ON signoff_artifact (sha256, signoff_id);

CREATE TABLE signoff_withdrawal (
    id         INTEGER PRIMARY KEY,
    signoff_id INTEGER NOT NULL UNIQUE REFERENCES signoff (id),
    author     TEXT    NOT NULL CHECK (author <> ''),
    reason     TEXT    NOT NULL CHECK (reason <> ''),
    at_us      INTEGER NOT NULL
) STRICT;

-- Primary data: what people say of an artifact as a whole. Taking it back is a row of its
-- own.
CREATE TABLE artifact_mark (
    id          INTEGER PRIMARY KEY,
    kind        TEXT    NOT NULL CHECK (kind IN ('superseded', 'invalidated')),
    artifact_id INTEGER NOT NULL REFERENCES artifact (id),
    by_id       INTEGER REFERENCES artifact (id), -- what took its place
    author      TEXT    NOT NULL CHECK (author <> ''),
    reason      TEXT    NOT NULL CHECK (reason <> ''),
    at_us       INTEGER NOT NULL
) STRICT;
CREATE INDEX artifact_mark_artifact ON artifact_mark (artifact_id, id);
CREATE TABLE artifact_mark_withdrawal (
    id      INTEGER PRIMARY KEY,
    mark_id INTEGER NOT NULL UNIQUE REFERENCES artifact_mark (id),
    author  TEXT    NOT NULL CHECK (author <> ''),
    reason  TEXT    NOT NULL CHECK (reason <> ''),
    at_us   INTEGER NOT NULL
) STRICT;

-- A mark lies over the evidence as declared facts do (overlay).
-- +goose StatementBegin
CREATE TRIGGER overlay_mark_added AFTER INSERT ON artifact_mark
BEGIN UPDATE overlay SET generation = generation + 1; END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER overlay_mark_withdrawn AFTER INSERT ON artifact_mark_withdrawal
BEGIN UPDATE overlay SET generation = generation + 1; END;
-- +goose StatementEnd

-- What was found when a sign-off was held against the archive, for each length of the log.
-- It can be found again at any time.
CREATE TABLE signoff_standing (
    id         INTEGER PRIMARY KEY,
    signoff_id INTEGER NOT NULL REFERENCES signoff (id),
    log_size   INTEGER NOT NULL,
    overlay    INTEGER NOT NULL,
    derived    INTEGER NOT NULL,
    ruleset    INTEGER NOT NULL,
    at_us      INTEGER NOT NULL,
    result     TEXT    NOT NULL CHECK (json_valid(result)),
    UNIQUE (signoff_id, log_size)
) STRICT;

-- Rises whenever an artifact is read anew, so that a standing is looked at again.
CREATE TABLE reading_generation (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    generation INTEGER NOT NULL
) STRICT;
INSERT INTO reading_generation (id, generation) VALUES (1, 0);
-- +goose StatementBegin
CREATE TRIGGER reading_generation_rises AFTER UPDATE ON reading
BEGIN UPDATE reading_generation SET generation = generation + 1; END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER signoff_kept BEFORE DELETE ON signoff
BEGIN SELECT raise(ABORT, 'statements are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER signoff_fixed BEFORE UPDATE ON signoff
BEGIN SELECT raise(ABORT, 'statements are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER signoff_artifact_kept BEFORE DELETE ON signoff_artifact
BEGIN SELECT raise(ABORT, 'what a statement names is never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER signoff_artifact_fixed BEFORE UPDATE ON signoff_artifact
BEGIN SELECT raise(ABORT, 'what a statement names is never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER signoff_withdrawal_kept BEFORE DELETE ON signoff_withdrawal
BEGIN SELECT raise(ABORT, 'withdrawals are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER signoff_withdrawal_fixed BEFORE UPDATE ON signoff_withdrawal
BEGIN SELECT raise(ABORT, 'withdrawals are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER artifact_mark_kept BEFORE DELETE ON artifact_mark
BEGIN SELECT raise(ABORT, 'marks on artifacts are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER artifact_mark_fixed BEFORE UPDATE ON artifact_mark
BEGIN SELECT raise(ABORT, 'marks on artifacts are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER artifact_mark_withdrawal_kept BEFORE DELETE ON artifact_mark_withdrawal
BEGIN SELECT raise(ABORT, 'withdrawals are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER artifact_mark_withdrawal_fixed BEFORE UPDATE ON artifact_mark_withdrawal
BEGIN SELECT raise(ABORT, 'withdrawals are never changed'); END;
-- +goose StatementEnd
