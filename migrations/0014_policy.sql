-- +goose Up

-- Primary data: every gates policy that was put in force, verbatim. The last one that
-- was set holds; none stands for the one that the program brings.
CREATE TABLE policy (
    id      INTEGER PRIMARY KEY,
    name    TEXT    NOT NULL CHECK (name <> ''),
    version INTEGER NOT NULL CHECK (version >= 1),
    sha256  BLOB    NOT NULL CHECK (length(sha256) = 32),
    body    BLOB    NOT NULL,
    author  TEXT    NOT NULL CHECK (author <> ''),
    reason  TEXT    NOT NULL CHECK (reason <> ''),
    at_us   INTEGER NOT NULL
) STRICT;
-- +goose StatementBegin
CREATE TRIGGER policy_kept BEFORE DELETE ON policy
BEGIN SELECT raise(ABORT, 'policies are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER policy_fixed BEFORE UPDATE ON policy
BEGIN SELECT raise(ABORT, 'policies are never changed'); END;
-- +goose StatementEnd

-- Gates of a campaign that a person set aside, where the policy lets them.
CREATE TABLE gate_waiver (
    id               INTEGER PRIMARY KEY,
    campaign         TEXT    NOT NULL CHECK (campaign <> ''),
    gate             TEXT    NOT NULL CHECK (gate <> ''),
    author           TEXT    NOT NULL CHECK (author <> ''),
    reason           TEXT    NOT NULL CHECK (reason <> ''),
    at_us            INTEGER NOT NULL,
    withdrawn_by     TEXT    NOT NULL DEFAULT '',
    withdrawn_reason TEXT    NOT NULL DEFAULT '',
    withdrawn_us     INTEGER NOT NULL DEFAULT 0,
    CHECK ((withdrawn_us = 0) = (withdrawn_by = '') AND (withdrawn_us = 0) = (withdrawn_reason = ''))
) STRICT;
CREATE INDEX gate_waiver_campaign ON gate_waiver (campaign, gate, id);
-- +goose StatementBegin
CREATE TRIGGER gate_waiver_kept BEFORE DELETE ON gate_waiver
BEGIN SELECT raise(ABORT, 'waivers are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER gate_waiver_fixed BEFORE UPDATE OF id, campaign, gate, author, reason, at_us ON gate_waiver
BEGIN SELECT raise(ABORT, 'waivers are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER gate_waiver_withdrawn_once BEFORE UPDATE ON gate_waiver WHEN old.withdrawn_us <> 0
BEGIN SELECT raise(ABORT, 'a waiver is withdrawn once'); END;
-- +goose StatementEnd
