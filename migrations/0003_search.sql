-- +goose Up

-- Words for search. search_row holds the text, search is the index over it.
-- id is artifact_id << 24 | ordinal; rows of a campaign as such lie below 1 << 24
-- and carry campaign.n.
CREATE TABLE search_row (
    id          INTEGER PRIMARY KEY,
    artifact_id INTEGER GENERATED ALWAYS AS (id >> 24) VIRTUAL,
    document_id INTEGER,
    run_id      INTEGER,
    kind        TEXT    NOT NULL CHECK (kind IN ('campaign', 'arm', 'gate', 'note', 'decision', 'reference', 'fact', 'artifact')),
    title       TEXT    NOT NULL,
    body        TEXT    NOT NULL,
    pointer     TEXT    NOT NULL
) STRICT;
CREATE INDEX search_row_pointer ON search_row (pointer) WHERE pointer <> '';

CREATE VIRTUAL TABLE search USING fts5 (
    title, body,
    content = 'search_row', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2'
);

-- The names artifacts came under. Names are primary, so this index is too.
CREATE VIRTUAL TABLE search_name USING fts5 (
    name,
    content = 'artifact_name', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2'
);
