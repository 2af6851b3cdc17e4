-- +goose Up

-- Primary data: pairs that a person opened for looking although a rule stops them.
-- control_run and arm_run are run ids; stops is the list of rules set aside, as JSON,
-- with what both sides said when the waiver was given.
CREATE TABLE waiver (
    id               INTEGER PRIMARY KEY,
    control_run      TEXT    NOT NULL CHECK (control_run <> ''),
    arm_run          TEXT    NOT NULL CHECK (arm_run <> ''),
    metric           TEXT    NOT NULL CHECK (metric <> ''),
    stat             TEXT    NOT NULL CHECK (stat <> ''),
    stops            TEXT    NOT NULL CHECK (json_valid(stops)),
    person           TEXT    NOT NULL CHECK (person <> ''),
    reason           TEXT    NOT NULL CHECK (reason <> ''),
    at_us            INTEGER NOT NULL,
    withdrawn_by     TEXT    NOT NULL DEFAULT '',
    withdrawn_reason TEXT    NOT NULL DEFAULT '',
    withdrawn_us     INTEGER NOT NULL DEFAULT 0, -- 0 while the waiver holds
    CHECK ((withdrawn_us = 0) = (withdrawn_by = '') AND (withdrawn_us = 0) = (withdrawn_reason = ''))
) STRICT;
CREATE INDEX waiver_pair ON waiver (control_run, arm_run, id);

-- +goose StatementBegin
CREATE TRIGGER waiver_kept BEFORE DELETE ON waiver
BEGIN SELECT raise(ABORT, 'waivers are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER waiver_fixed BEFORE UPDATE OF id, control_run, arm_run, metric, stat, stops, person, reason, at_us ON waiver
BEGIN SELECT raise(ABORT, 'waivers are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER waiver_withdrawn_once BEFORE UPDATE ON waiver WHEN old.withdrawn_us <> 0
BEGIN SELECT raise(ABORT, 'a waiver is withdrawn once'); END;
-- +goose StatementEnd
