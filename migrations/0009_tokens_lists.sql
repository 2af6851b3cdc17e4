-- +goose Up

-- Tokens that let scripts hand files in over HTTP. Of a secret only its SHA-256 is
-- kept. A revoked token stays listed. Times are Unix microseconds.
CREATE TABLE api_token (
    id         INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL CHECK (name <> ''),
    sha256     BLOB    NOT NULL UNIQUE CHECK (length(sha256) = 32),
    created_us INTEGER NOT NULL,
    used_us    INTEGER NOT NULL DEFAULT 0, -- 0 when nobody used it yet
    revoked_us INTEGER NOT NULL DEFAULT 0  -- 0 while it holds
) STRICT;
CREATE UNIQUE INDEX api_token_holds ON api_token (name) WHERE revoked_us = 0;

-- Orders of the run list (store/filter_lists.go) that no index gave so far.
CREATE INDEX document_oldest ON document (observed = '', observed, campaign, sha256, ordinal);
CREATE INDEX document_newest ON document (observed = '', observed DESC, campaign, sha256, ordinal);
CREATE INDEX document_family ON document (family, campaign, sha256, ordinal);

-- The measurement protocol, by which the run list is narrowed. The term is spelled as
-- queries spell it.
CREATE INDEX fact_protocol ON fact (key, document_id, run_id, arm_id, value) WHERE key = 'measurement_protocol';
