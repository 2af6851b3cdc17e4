-- +goose Up

-- Primary data: the transparency log. Every artifact taken in, repair, waiver, account
-- change, key, policy, statement and withdrawal is a record in a Merkle tree, appended in
-- the transaction that makes the row it speaks of.

-- Which log this is: made when it begins, never changed.
CREATE TABLE log_identity (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    origin  TEXT    NOT NULL CHECK (origin <> ''),
    made_us INTEGER NOT NULL
) STRICT;

-- subject is the id of the row that a record speaks of, in the table of its kind; the
-- body says the same for everybody else.
CREATE TABLE log_record (
    n       INTEGER PRIMARY KEY CHECK (n >= 0),
    kind    TEXT    NOT NULL CHECK (kind <> ''),
    subject INTEGER NOT NULL,
    body    BLOB    NOT NULL
) STRICT;
CREATE INDEX log_record_kind ON log_record (kind, n);
CREATE INDEX log_record_subject ON log_record (kind, subject, n);

-- The hashes of the tree in the order of golang.org/x/mod/sumdb/tlog.
CREATE TABLE log_hash (
    idx  INTEGER PRIMARY KEY CHECK (idx >= 0),
    hash BLOB    NOT NULL CHECK (length(hash) = 32)
) STRICT;

-- Signed notes that say how long the log was and which hash its tree had.
CREATE TABLE checkpoint (
    id    INTEGER PRIMARY KEY,
    size  INTEGER NOT NULL CHECK (size >= 0),
    note  BLOB    NOT NULL
) STRICT;
CREATE INDEX checkpoint_size ON checkpoint (size, id);

-- Public keys that signed checkpoints, the first that of the archive's beginning.
CREATE TABLE server_key (
    id       INTEGER PRIMARY KEY,
    verifier TEXT    NOT NULL UNIQUE CHECK (verifier <> ''),
    added_us INTEGER NOT NULL
) STRICT;

-- One row once everything that earlier programs kept is in the log.
CREATE TABLE log_begun (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    at_us INTEGER NOT NULL
) STRICT;

-- +goose StatementBegin
CREATE TRIGGER log_identity_kept BEFORE DELETE ON log_identity
BEGIN SELECT raise(ABORT, 'the log keeps its name'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_identity_fixed BEFORE UPDATE ON log_identity
BEGIN SELECT raise(ABORT, 'the log keeps its name'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_record_kept BEFORE DELETE ON log_record
BEGIN SELECT raise(ABORT, 'records of the log are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_record_fixed BEFORE UPDATE ON log_record
BEGIN SELECT raise(ABORT, 'records of the log are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_hash_kept BEFORE DELETE ON log_hash
BEGIN SELECT raise(ABORT, 'hashes of the log are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_hash_fixed BEFORE UPDATE ON log_hash
BEGIN SELECT raise(ABORT, 'hashes of the log are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER checkpoint_kept BEFORE DELETE ON checkpoint
BEGIN SELECT raise(ABORT, 'checkpoints are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER checkpoint_fixed BEFORE UPDATE ON checkpoint
BEGIN SELECT raise(ABORT, 'checkpoints are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER server_key_kept BEFORE DELETE ON server_key
BEGIN SELECT raise(ABORT, 'public keys are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER server_key_fixed BEFORE UPDATE ON server_key
BEGIN SELECT raise(ABORT, 'public keys are never changed'); END;
-- +goose StatementEnd
