-- +goose Up

-- Primary data: what came in. Nothing here is ever derived, edited or deleted.
-- Times are Unix microseconds.

PRAGMA application_id = 0x61736179; -- "asay"

-- An artifact is its verbatim bytes, named by their SHA-256.
CREATE TABLE artifact (
    id        INTEGER PRIMARY KEY,
    sha256    BLOB    NOT NULL UNIQUE CHECK (length(sha256) = 32),
    size      INTEGER NOT NULL CHECK (size >= 0),
    stored_us INTEGER NOT NULL
) STRICT;

-- The bytes in order, each chunk a zstd frame of its own.
CREATE TABLE artifact_chunk (
    id          INTEGER PRIMARY KEY,
    artifact_id INTEGER NOT NULL REFERENCES artifact (id),
    start       INTEGER NOT NULL CHECK (start >= 0),
    size        INTEGER NOT NULL CHECK (size BETWEEN 1 AND 1048576), -- uncompressed
    body        BLOB    NOT NULL,
    UNIQUE (artifact_id, start)
) STRICT;

-- Every name an artifact came under, once. base is the last part of the path.
CREATE TABLE artifact_name (
    id          INTEGER PRIMARY KEY,
    artifact_id INTEGER NOT NULL REFERENCES artifact (id),
    name        TEXT    NOT NULL,
    base        TEXT    NOT NULL,
    UNIQUE (artifact_id, name)
) STRICT;
CREATE INDEX artifact_name_base ON artifact_name (base, artifact_id);

-- One coming-in of an artifact. outcome is "open" until intake has finished with
-- this arrival, then "read" (its state is the artifact's) or "duplicate".
CREATE TABLE arrival (
    id          INTEGER PRIMARY KEY,
    artifact_id INTEGER NOT NULL REFERENCES artifact (id),
    name        TEXT    NOT NULL,
    origin      TEXT    NOT NULL,
    campaign    TEXT    NOT NULL, -- declared with this arrival, '' when nobody declared one
    at_us       INTEGER NOT NULL,
    outcome     TEXT    NOT NULL CHECK (outcome IN ('open', 'read', 'duplicate'))
) STRICT;
CREATE INDEX arrival_artifact ON arrival (artifact_id, id);
CREATE INDEX arrival_open ON arrival (artifact_id, id) WHERE outcome = 'open';
CREATE INDEX arrival_campaign ON arrival (artifact_id, id) WHERE campaign <> '';

-- The triggers guard against honest mistakes: a slip in a shell, a wrong query.
-- +goose StatementBegin
CREATE TRIGGER artifact_kept BEFORE DELETE ON artifact
BEGIN SELECT raise(ABORT, 'artifacts are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER artifact_fixed BEFORE UPDATE ON artifact
BEGIN SELECT raise(ABORT, 'artifacts are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER artifact_chunk_kept BEFORE DELETE ON artifact_chunk
BEGIN SELECT raise(ABORT, 'the bytes of an artifact are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER artifact_chunk_fixed BEFORE UPDATE ON artifact_chunk
BEGIN SELECT raise(ABORT, 'the bytes of an artifact are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER artifact_name_kept BEFORE DELETE ON artifact_name
BEGIN SELECT raise(ABORT, 'the names of an artifact are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER artifact_name_fixed BEFORE UPDATE ON artifact_name
BEGIN SELECT raise(ABORT, 'the names of an artifact are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER arrival_kept BEFORE DELETE ON arrival
BEGIN SELECT raise(ABORT, 'arrivals are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER arrival_fixed BEFORE UPDATE OF id, artifact_id, name, origin, campaign, at_us ON arrival
BEGIN SELECT raise(ABORT, 'arrivals are never changed'); END;
-- +goose StatementEnd
