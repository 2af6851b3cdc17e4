-- +goose Up

-- The facts that the run list is searched by, a part of their value at a time. The
-- terms are spelled as queries spell them (store/filter_said.go): SQLite takes a
-- partial index only for a condition that it finds in it.
CREATE INDEX fact_named ON fact (key, document_id, run_id, arm_id, value)
    WHERE key = 'engine' OR key = 'engine_version' OR key = 'image' OR key = 'gpu_product';

-- The decision labels that the campaign list is narrowed to.
CREATE INDEX decision_label ON decision (value, document_id) WHERE kind = 'decision-label';

-- The facts that say whether a campaign spreads over TP and MTP depth.
CREATE INDEX fact_factor ON fact (key, document_id) WHERE key = 'tp' OR key = 'mtp_depth';
