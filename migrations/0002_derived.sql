-- +goose Up

-- Derived data: what readers made of the bytes. "assay reindex" drops and rebuilds
-- all of it. The ids are made from the artifact's id and an ordinal in it
-- (id = artifact_id << 24 | ordinal), so a rebuilt row is the same row.
--
-- A place in an artifact is pointer (JSON Pointer) and, inside a string, the byte
-- range span_start to span_end; both are 0 for a whole value. NULL is absent; it is
-- never written as 0 or ''.

-- What intake made of an artifact: one row each, "pending" until it was read.
CREATE TABLE reading (
    artifact_id  INTEGER PRIMARY KEY REFERENCES artifact (id),
    state        TEXT    NOT NULL CHECK (state IN ('pending', 'accepted', 'archived-only', 'quarantined')),
    unread       INTEGER NOT NULL CHECK (unread IN (0, 1)), -- 1 when it is to be read (again)
    schema       TEXT    NOT NULL DEFAULT '',
    family       TEXT    NOT NULL DEFAULT '',
    reader       TEXT    NOT NULL DEFAULT '',
    encoding     TEXT    NOT NULL DEFAULT '',
    json_values  INTEGER NOT NULL DEFAULT 0,
    campaign     TEXT    NOT NULL DEFAULT '', -- of the first document
    documents    INTEGER NOT NULL DEFAULT 0,
    arms         INTEGER NOT NULL DEFAULT 0,
    runs         INTEGER NOT NULL DEFAULT 0,
    samples      INTEGER NOT NULL DEFAULT 0,
    measurements INTEGER NOT NULL DEFAULT 0,
    facts        INTEGER NOT NULL DEFAULT 0,
    findings     INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX reading_unread ON reading (artifact_id) WHERE unread = 1;
CREATE INDEX reading_state ON reading (state, artifact_id);
CREATE INDEX reading_family ON reading (family, artifact_id);
CREATE INDEX reading_schema ON reading (schema, artifact_id);

-- One JSON value that a reader understood. sha256 is the artifact's.
CREATE TABLE document (
    id             INTEGER PRIMARY KEY,
    artifact_id    INTEGER NOT NULL REFERENCES artifact (id),
    ordinal        INTEGER NOT NULL,
    sha256         BLOB    NOT NULL,
    campaign       TEXT    NOT NULL,
    title          TEXT    NOT NULL,
    observed       TEXT    NOT NULL,
    campaign_pointer    TEXT    NOT NULL,
    campaign_span_start INTEGER NOT NULL,
    campaign_span_end   INTEGER NOT NULL,
    schema         TEXT    NOT NULL,
    family         TEXT    NOT NULL,
    reader         TEXT    NOT NULL,
    reader_version INTEGER NOT NULL,
    shape          TEXT    NOT NULL,
    root           TEXT    NOT NULL,
    arms           INTEGER NOT NULL,
    runs           INTEGER NOT NULL,
    measurements   INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX document_order ON document (campaign, sha256, ordinal);
CREATE INDEX document_title ON document (campaign, sha256, ordinal) WHERE title <> '';
CREATE INDEX document_observed ON document (campaign, sha256, ordinal) WHERE observed <> '';
CREATE INDEX document_artifact ON document (artifact_id, ordinal);

-- One configuration under test.
CREATE TABLE arm (
    id          INTEGER PRIMARY KEY,
    artifact_id INTEGER GENERATED ALWAYS AS (id >> 24) VIRTUAL,
    document_id INTEGER NOT NULL REFERENCES document (id),
    name        TEXT    NOT NULL,
    pointer     TEXT    NOT NULL,
    span_start  INTEGER NOT NULL,
    span_end    INTEGER NOT NULL,
    rejected    TEXT    NOT NULL, -- the source's own reason, '' when it gives none
    rejected_pointer    TEXT    NOT NULL,
    rejected_span_start INTEGER NOT NULL,
    rejected_span_end   INTEGER NOT NULL
) STRICT;
CREATE INDEX arm_document ON arm (document_id, id);
CREATE INDEX arm_name ON arm (name, document_id);
CREATE INDEX arm_pointer ON arm (pointer);

-- One arm under one shape, once.
CREATE TABLE run (
    id          INTEGER PRIMARY KEY,
    artifact_id INTEGER GENERATED ALWAYS AS (id >> 24) VIRTUAL,
    document_id INTEGER NOT NULL REFERENCES document (id),
    arm_id      INTEGER NOT NULL REFERENCES arm (id),
    name        TEXT    NOT NULL,
    class       TEXT    NOT NULL,
    status      TEXT    NOT NULL,
    pointer     TEXT    NOT NULL,
    span_start  INTEGER NOT NULL,
    span_end    INTEGER NOT NULL
) STRICT;
CREATE INDEX run_document ON run (document_id, id);
CREATE INDEX run_arm ON run (arm_id, id);
CREATE INDEX run_class ON run (class, document_id);
CREATE INDEX run_pointer ON run (pointer);

-- One recorded property of a document (arm_id and run_id NULL), of an arm (run_id
-- NULL) or of a run.
CREATE TABLE fact (
    document_id INTEGER NOT NULL REFERENCES document (id),
    ordinal     INTEGER NOT NULL,
    artifact_id INTEGER GENERATED ALWAYS AS (document_id >> 24) VIRTUAL,
    arm_id      INTEGER,
    run_id      INTEGER,
    key         TEXT    NOT NULL,
    value       TEXT    NOT NULL,
    state       TEXT    NOT NULL CHECK (state IN ('recorded', 'derived', 'declared', 'conflict', 'absent')),
    source_text TEXT    NOT NULL,
    rule        TEXT    NOT NULL,
    pointer     TEXT    NOT NULL,
    span_start  INTEGER NOT NULL,
    span_end    INTEGER NOT NULL,
    PRIMARY KEY (document_id, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX fact_document ON fact (document_id, ordinal) WHERE arm_id IS NULL AND run_id IS NULL;
CREATE INDEX fact_arm ON fact (arm_id, ordinal) WHERE run_id IS NULL AND arm_id IS NOT NULL;
CREATE INDEX fact_run ON fact (run_id, ordinal) WHERE run_id IS NOT NULL;

-- One figure of a run, in base units. form says what stands in value, lower and
-- upper, so that absent, zero and not-finite stay three things; source_text is the
-- figure as it stands in the artifact. A NaN is stored as NULL by SQLite: the CHECKs
-- on form refuse it, and the bounds refuse infinities.
CREATE TABLE measurement (
    run_id      INTEGER NOT NULL REFERENCES run (id),
    ordinal     INTEGER NOT NULL,
    artifact_id INTEGER GENERATED ALWAYS AS (run_id >> 24) VIRTUAL,
    metric      TEXT    NOT NULL,
    stat        TEXT    NOT NULL,
    method      TEXT    NOT NULL, -- '' when no source says how a percentile was taken
    form        TEXT    NOT NULL CHECK (form IN ('value', 'interval', 'at-least', 'at-most', 'absent', 'not-finite')),
    value       REAL    CHECK (value BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308),
    lower       REAL    CHECK (lower BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308),
    upper       REAL    CHECK (upper BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308),
    unit        TEXT    NOT NULL,
    n           INTEGER,
    state       TEXT    NOT NULL CHECK (state IN ('recorded', 'derived', 'declared', 'conflict', 'absent')),
    role        TEXT    NOT NULL CHECK (role IN ('primary', 'restated', 'claim')),
    source_text TEXT    NOT NULL,
    source_unit TEXT    NOT NULL,
    rule        TEXT    NOT NULL,
    pointer     TEXT    NOT NULL,
    span_start  INTEGER NOT NULL,
    span_end    INTEGER NOT NULL,
    also        TEXT    NOT NULL CHECK (also = '' OR json_valid(also)), -- further places, a JSON array
    PRIMARY KEY (run_id, ordinal),
    CHECK (CASE form
        WHEN 'value' THEN value IS NOT NULL
        WHEN 'interval' THEN value IS NULL AND lower IS NOT NULL AND upper IS NOT NULL
        WHEN 'at-least' THEN value IS NULL AND lower IS NOT NULL AND upper IS NULL
        WHEN 'at-most' THEN value IS NULL AND lower IS NULL AND upper IS NOT NULL
        ELSE value IS NULL AND lower IS NULL AND upper IS NULL END)
) STRICT, WITHOUT ROWID;

-- One request of a run; times in seconds.
CREATE TABLE sample (
    run_id        INTEGER NOT NULL REFERENCES run (id),
    ordinal       INTEGER NOT NULL,
    artifact_id   INTEGER GENERATED ALWAYS AS (run_id >> 24) VIRTUAL,
    request_index INTEGER NOT NULL,
    start         REAL    CHECK (start BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308),
    ttft          REAL    CHECK (ttft BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308),
    ttfo          REAL    CHECK (ttfo BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308),
    generation    REAL    CHECK (generation BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308),
    e2e           REAL    CHECK (e2e BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308),
    prompt_tokens INTEGER,
    output_tokens INTEGER,
    cached_tokens INTEGER,
    ok            INTEGER NOT NULL CHECK (ok IN (0, 1)),
    failure       TEXT    NOT NULL,
    pointer       TEXT    NOT NULL,
    span_start    INTEGER NOT NULL,
    span_end      INTEGER NOT NULL,
    PRIMARY KEY (run_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE gate (
    document_id   INTEGER NOT NULL REFERENCES document (id),
    ordinal       INTEGER NOT NULL,
    artifact_id   INTEGER GENERATED ALWAYS AS (document_id >> 24) VIRTUAL,
    name          TEXT    NOT NULL,
    status        TEXT    NOT NULL CHECK (status IN ('passed', 'failed', 'rejected', 'missing', 'unresolved')),
    source_status TEXT    NOT NULL, -- the source's own word
    detail        TEXT    NOT NULL,
    evidence      TEXT    NOT NULL,
    pointer       TEXT    NOT NULL,
    span_start    INTEGER NOT NULL,
    span_end      INTEGER NOT NULL,
    PRIMARY KEY (document_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE note (
    document_id INTEGER NOT NULL REFERENCES document (id),
    ordinal     INTEGER NOT NULL,
    artifact_id INTEGER GENERATED ALWAYS AS (document_id >> 24) VIRTUAL,
    kind        TEXT    NOT NULL,
    key         TEXT    NOT NULL,
    body        TEXT    NOT NULL,
    pointer     TEXT    NOT NULL,
    span_start  INTEGER NOT NULL,
    span_end    INTEGER NOT NULL,
    PRIMARY KEY (document_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE decision (
    document_id INTEGER NOT NULL REFERENCES document (id),
    ordinal     INTEGER NOT NULL,
    artifact_id INTEGER GENERATED ALWAYS AS (document_id >> 24) VIRTUAL,
    kind        TEXT    NOT NULL,
    key         TEXT    NOT NULL,
    value       TEXT    NOT NULL,
    pointer     TEXT    NOT NULL,
    span_start  INTEGER NOT NULL,
    span_end    INTEGER NOT NULL,
    PRIMARY KEY (document_id, ordinal)
) STRICT, WITHOUT ROWID;

-- A file that a document names. Whether the archive has it is found at query time.
CREATE TABLE reference (
    document_id INTEGER NOT NULL REFERENCES document (id),
    ordinal     INTEGER NOT NULL,
    artifact_id INTEGER GENERATED ALWAYS AS (document_id >> 24) VIRTUAL,
    name        TEXT    NOT NULL,
    base        TEXT    NOT NULL,
    sha256      BLOB    CHECK (length(sha256) = 32),
    kind        TEXT    NOT NULL,
    pointer     TEXT    NOT NULL,
    span_start  INTEGER NOT NULL,
    span_end    INTEGER NOT NULL,
    PRIMARY KEY (document_id, ordinal)
) STRICT, WITHOUT ROWID;

-- A number that nothing above carries, and why.
CREATE TABLE not_lifted (
    document_id INTEGER NOT NULL REFERENCES document (id),
    ordinal     INTEGER NOT NULL,
    artifact_id INTEGER GENERATED ALWAYS AS (document_id >> 24) VIRTUAL,
    source_text TEXT    NOT NULL,
    reason      TEXT    NOT NULL,
    pointer     TEXT    NOT NULL,
    span_start  INTEGER NOT NULL,
    span_end    INTEGER NOT NULL,
    PRIMARY KEY (document_id, ordinal)
) STRICT, WITHOUT ROWID;

-- What intake (document_id NULL) or a reader has to say about an artifact.
CREATE TABLE finding (
    artifact_id INTEGER NOT NULL REFERENCES artifact (id),
    ordinal     INTEGER NOT NULL,
    document_id INTEGER,
    severity    TEXT    NOT NULL CHECK (severity IN ('info', 'warning', 'error')),
    code        TEXT    NOT NULL,
    pointer     TEXT    NOT NULL,
    byte_offset INTEGER NOT NULL, -- -1 when it has none
    message     TEXT    NOT NULL,
    PRIMARY KEY (artifact_id, ordinal)
) STRICT, WITHOUT ROWID;

-- Which metrics and fact keys a document holds: lets a filter skip the rest.
CREATE TABLE document_holds (
    document_id INTEGER NOT NULL REFERENCES document (id),
    kind        TEXT    NOT NULL CHECK (kind IN ('metric', 'key')),
    term        TEXT    NOT NULL,
    artifact_id INTEGER GENERATED ALWAYS AS (document_id >> 24) VIRTUAL,
    PRIMARY KEY (document_id, kind, term)
) STRICT, WITHOUT ROWID;
CREATE INDEX document_holds_term ON document_holds (kind, term, document_id);

-- Sums over a campaign's documents, kept so that the list stays fast.
CREATE TABLE campaign (
    n             INTEGER PRIMARY KEY,
    id            TEXT    NOT NULL UNIQUE CHECK (id <> ''),
    title         TEXT    NOT NULL,
    observed      TEXT    NOT NULL,
    documents     INTEGER NOT NULL,
    arms          INTEGER NOT NULL,
    runs          INTEGER NOT NULL,
    measurements  INTEGER NOT NULL,
    first_seen_us INTEGER NOT NULL,
    last_seen_us  INTEGER NOT NULL
) STRICT;
CREATE INDEX campaign_order ON campaign (observed DESC, id);
