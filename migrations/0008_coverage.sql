-- +goose Up

-- What became of the numbers of a document: how many ended as a measurement, a fact, a
-- sample and so on, and how many were not lifted, for which reason. Every number of the
-- document is counted once, so the rows of a document add up to all its numbers.
CREATE TABLE coverage (
    document_id INTEGER NOT NULL REFERENCES document (id),
    outcome     TEXT    NOT NULL CHECK (outcome <> ''),
    artifact_id INTEGER GENERATED ALWAYS AS (document_id >> 24) VIRTUAL,
    numbers     INTEGER NOT NULL CHECK (numbers >= 0),
    PRIMARY KEY (document_id, outcome)
) STRICT, WITHOUT ROWID;

-- What is in the archive already was not counted: it is read again.
UPDATE reading SET unread = 1 WHERE state = 'accepted';
