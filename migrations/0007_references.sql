-- +goose Up

-- Derived: the digests that a text would have with other line endings. A reference to
-- one of them is a reference to the artifact, converted after its digest was noted.
CREATE TABLE text_ending (
    artifact_id INTEGER NOT NULL REFERENCES artifact (id),
    sha256      BLOB    NOT NULL CHECK (length(sha256) = 32),
    PRIMARY KEY (artifact_id, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX text_ending_digest ON text_ending (sha256);

-- Which documents name an artifact by its digest.
CREATE INDEX reference_digest ON reference (sha256) WHERE sha256 IS NOT NULL;

-- Line endings and the files that documents name are read anew.
UPDATE reading SET unread = 1 WHERE state <> 'pending';
