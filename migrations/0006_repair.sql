-- +goose Up

-- Primary data: what people say about evidence. A repair never enters an artifact's
-- bytes; it is listed for good, and a withdrawn one has no effect.
-- target is the spelling of an alias, the scope of a declared fact
-- ("artifact:SHA256", "artifact:SHA256#POINTER", "campaign:ID") or the SHA-256 of a
-- moved artifact; value what the spelling means, the fact's value, the campaign's id.
CREATE TABLE repair (
    id               INTEGER PRIMARY KEY,
    kind             TEXT    NOT NULL CHECK (kind IN ('alias', 'fact', 'move')),
    target           TEXT    NOT NULL CHECK (target <> ''),
    key              TEXT    NOT NULL CHECK ((key = '') = (kind = 'move')),
    value            TEXT    NOT NULL CHECK (value <> ''),
    author           TEXT    NOT NULL CHECK (author <> ''),
    reason           TEXT    NOT NULL CHECK (reason <> ''),
    at_us            INTEGER NOT NULL,
    withdrawn_by     TEXT    NOT NULL DEFAULT '',
    withdrawn_reason TEXT    NOT NULL DEFAULT '',
    withdrawn_us     INTEGER NOT NULL DEFAULT 0, -- 0 while the repair holds
    CHECK ((withdrawn_us = 0) = (withdrawn_by = '') AND (withdrawn_us = 0) = (withdrawn_reason = ''))
) STRICT;
CREATE INDEX repair_target ON repair (kind, target, id);
CREATE INDEX repair_kind ON repair (kind, id);
CREATE INDEX repair_holds ON repair (kind, id) WHERE withdrawn_us = 0;
-- One spelling has one meaning at a time.
CREATE UNIQUE INDEX repair_alias ON repair (key, target) WHERE kind = 'alias' AND withdrawn_us = 0;

-- +goose StatementBegin
CREATE TRIGGER repair_kept BEFORE DELETE ON repair
BEGIN SELECT raise(ABORT, 'repairs are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER repair_fixed BEFORE UPDATE OF id, kind, target, key, value, author, reason, at_us ON repair
BEGIN SELECT raise(ABORT, 'repairs are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER repair_withdrawn_once BEFORE UPDATE ON repair WHEN old.withdrawn_us <> 0
BEGIN SELECT raise(ABORT, 'a repair is withdrawn once'); END;
-- +goose StatementEnd

-- What repairs and recipes say is laid over the facts when they are read. The number
-- rises with every change to either, so that what was prepared from them is prepared
-- again.
CREATE TABLE overlay (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    generation INTEGER NOT NULL
) STRICT;
INSERT INTO overlay (id, generation) VALUES (1, 0);

-- +goose StatementBegin
CREATE TRIGGER overlay_repair_added AFTER INSERT ON repair
BEGIN UPDATE overlay SET generation = generation + 1; END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER overlay_repair_withdrawn AFTER UPDATE ON repair
BEGIN UPDATE overlay SET generation = generation + 1; END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER overlay_recipe_added AFTER INSERT ON document WHEN new.family = 'recipe'
BEGIN UPDATE overlay SET generation = generation + 1; END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER overlay_recipe_moved AFTER UPDATE OF campaign ON document WHEN new.family = 'recipe'
BEGIN UPDATE overlay SET generation = generation + 1; END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER overlay_recipe_dropped AFTER DELETE ON document WHEN old.family = 'recipe'
BEGIN UPDATE overlay SET generation = generation + 1; END;
-- +goose StatementEnd

CREATE UNIQUE INDEX document_recipe ON document (sha256, ordinal) WHERE family = 'recipe';

-- A document's campaign without any declaration or move, so that taking one back
-- needs no reading.
ALTER TABLE document ADD COLUMN own_campaign TEXT NOT NULL DEFAULT '';
ALTER TABLE document ADD COLUMN own_pointer TEXT NOT NULL DEFAULT '';
ALTER TABLE document ADD COLUMN own_span_start INTEGER NOT NULL DEFAULT 0;
ALTER TABLE document ADD COLUMN own_span_end INTEGER NOT NULL DEFAULT 0;
UPDATE document SET own_campaign = campaign, own_pointer = campaign_pointer,
    own_span_start = campaign_span_start, own_span_end = campaign_span_end;
-- A declared campaign hides what the source says itself: those are read again.
UPDATE reading SET unread = 1 WHERE state <> 'pending'
    AND artifact_id IN (SELECT artifact_id FROM arrival WHERE campaign <> '');

-- Facts that the run list is searched by, and that recipes are found by. The terms are
-- spelled as queries spell them.
CREATE INDEX fact_model ON fact (key, document_id, run_id, arm_id, value)
    WHERE key = 'model' OR key = 'served_model' OR key = 'checkpoint' OR key = 'model_artifact';
CREATE INDEX fact_served ON fact (value, document_id, arm_id, run_id) WHERE key = 'served_model';
