CREATE TABLE account (
    id          INTEGER PRIMARY KEY,
    name        TEXT    NOT NULL UNIQUE CHECK (name <> ''),
    full_name   TEXT    NOT NULL,
    role        TEXT    NOT NULL CHECK (role IN ('viewer', 'reviewer', 'promoter', 'admin')),
    password    TEXT    NOT NULL DEFAULT '', -- argon2id, encoded with its parameters; '' until one is set
    created_us  INTEGER NOT NULL,
    disabled_us INTEGER NOT NULL DEFAULT 0, -- 0 while the person may sign in
    last_in_us  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TRIGGER account_fixed BEFORE UPDATE OF id, name, created_us ON account
BEGIN SELECT raise(ABORT, 'an account keeps its name'); END;

CREATE TRIGGER account_kept BEFORE DELETE ON account
BEGIN SELECT raise(ABORT, 'accounts are never deleted'); END;

CREATE TABLE account_key (
    id          INTEGER PRIMARY KEY,
    account_id  INTEGER NOT NULL REFERENCES account (id),
    kind        TEXT    NOT NULL CHECK (kind IN ('note', 'ssh', 'passkey')),
    public      TEXT    NOT NULL CHECK (public <> ''),
    fingerprint TEXT    NOT NULL CHECK (fingerprint <> ''),
    label       TEXT    NOT NULL,
    added_us    INTEGER NOT NULL,
    revoked_us  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX account_key_account ON account_key (account_id, id);

CREATE TRIGGER account_key_fixed BEFORE UPDATE OF id, account_id, kind, public, fingerprint, added_us ON account_key
BEGIN SELECT raise(ABORT, 'public keys are never changed'); END;

CREATE UNIQUE INDEX account_key_holds ON account_key (public) WHERE revoked_us = 0;

CREATE TRIGGER account_key_kept BEFORE DELETE ON account_key
BEGIN SELECT raise(ABORT, 'public keys are never deleted'); END;

CREATE TABLE api_token (
    id         INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL CHECK (name <> ''),
    sha256     BLOB    NOT NULL UNIQUE CHECK (length(sha256) = 32),
    created_us INTEGER NOT NULL,
    used_us    INTEGER NOT NULL DEFAULT 0, -- 0 when nobody used it yet
    revoked_us INTEGER NOT NULL DEFAULT 0  -- 0 while it holds
, account_id INTEGER REFERENCES account (id), rights TEXT NOT NULL DEFAULT 'hand-in', expires_us INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE UNIQUE INDEX api_token_holds ON api_token (name) WHERE revoked_us = 0;

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

CREATE INDEX arrival_campaign ON arrival (artifact_id, id) WHERE campaign <> '';

CREATE TRIGGER arrival_fixed BEFORE UPDATE OF id, artifact_id, name, origin, campaign, at_us ON arrival
BEGIN SELECT raise(ABORT, 'arrivals are never changed'); END;

CREATE TRIGGER arrival_kept BEFORE DELETE ON arrival
BEGIN SELECT raise(ABORT, 'arrivals are never deleted'); END;

CREATE INDEX arrival_open ON arrival (artifact_id, id) WHERE outcome = 'open';

CREATE TABLE artifact (
    id        INTEGER PRIMARY KEY,
    sha256    BLOB    NOT NULL UNIQUE CHECK (length(sha256) = 32),
    size      INTEGER NOT NULL CHECK (size >= 0),
    stored_us INTEGER NOT NULL
) STRICT;

CREATE TABLE artifact_chunk (
    id          INTEGER PRIMARY KEY,
    artifact_id INTEGER NOT NULL REFERENCES artifact (id),
    start       INTEGER NOT NULL CHECK (start >= 0),
    size        INTEGER NOT NULL CHECK (size BETWEEN 1 AND 1048576), -- uncompressed
    body        BLOB    NOT NULL,
    UNIQUE (artifact_id, start)
) STRICT;

CREATE TRIGGER artifact_chunk_fixed BEFORE UPDATE ON artifact_chunk
BEGIN SELECT raise(ABORT, 'the bytes of an artifact are never changed'); END;

CREATE TRIGGER artifact_chunk_kept BEFORE DELETE ON artifact_chunk
BEGIN SELECT raise(ABORT, 'the bytes of an artifact are never deleted'); END;

CREATE TRIGGER artifact_fixed BEFORE UPDATE ON artifact
BEGIN SELECT raise(ABORT, 'artifacts are never changed'); END;

CREATE TRIGGER artifact_kept BEFORE DELETE ON artifact
BEGIN SELECT raise(ABORT, 'artifacts are never deleted'); END;

CREATE VIEW artifact_line AS
SELECT lower(hex(a.sha256)) AS artifact, a.size, r.state, r.schema, r.family, r.reader,
    r.campaign, r.runs, r.measurements, r.findings,
    datetime(a.stored_us / 1000000, 'unixepoch') AS stored,
    (SELECT n.name FROM artifact_name n WHERE n.artifact_id = a.id ORDER BY n.id LIMIT 1) AS name
FROM artifact a
JOIN reading r ON r.artifact_id = a.id;

CREATE TABLE artifact_mark (
    id          INTEGER PRIMARY KEY,
    kind        TEXT    NOT NULL CHECK (kind IN ('superseded', 'invalidated')),
    artifact_id INTEGER NOT NULL REFERENCES artifact (id),
    by_id       INTEGER REFERENCES artifact (id), -- what took its place
    author      TEXT    NOT NULL CHECK (author <> ''),
    reason      TEXT    NOT NULL CHECK (reason <> ''),
    at_us       INTEGER NOT NULL
) STRICT;

CREATE INDEX artifact_mark_artifact ON artifact_mark (artifact_id, id);

CREATE TRIGGER artifact_mark_fixed BEFORE UPDATE ON artifact_mark
BEGIN SELECT raise(ABORT, 'marks on artifacts are never changed'); END;

CREATE TRIGGER artifact_mark_kept BEFORE DELETE ON artifact_mark
BEGIN SELECT raise(ABORT, 'marks on artifacts are never deleted'); END;

CREATE TABLE artifact_mark_withdrawal (
    id      INTEGER PRIMARY KEY,
    mark_id INTEGER NOT NULL UNIQUE REFERENCES artifact_mark (id),
    author  TEXT    NOT NULL CHECK (author <> ''),
    reason  TEXT    NOT NULL CHECK (reason <> ''),
    at_us   INTEGER NOT NULL
) STRICT;

CREATE TRIGGER artifact_mark_withdrawal_fixed BEFORE UPDATE ON artifact_mark_withdrawal
BEGIN SELECT raise(ABORT, 'withdrawals are never changed'); END;

CREATE TRIGGER artifact_mark_withdrawal_kept BEFORE DELETE ON artifact_mark_withdrawal
BEGIN SELECT raise(ABORT, 'withdrawals are never deleted'); END;

CREATE TABLE artifact_name (
    id          INTEGER PRIMARY KEY,
    artifact_id INTEGER NOT NULL REFERENCES artifact (id),
    name        TEXT    NOT NULL,
    base        TEXT    NOT NULL,
    UNIQUE (artifact_id, name)
) STRICT;

CREATE INDEX artifact_name_base ON artifact_name (base, artifact_id);

CREATE TRIGGER artifact_name_fixed BEFORE UPDATE ON artifact_name
BEGIN SELECT raise(ABORT, 'the names of an artifact are never changed'); END;

CREATE TRIGGER artifact_name_kept BEFORE DELETE ON artifact_name
BEGIN SELECT raise(ABORT, 'the names of an artifact are never deleted'); END;

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

CREATE TABLE checkpoint (
    id    INTEGER PRIMARY KEY,
    size  INTEGER NOT NULL CHECK (size >= 0),
    note  BLOB    NOT NULL
) STRICT;

CREATE TRIGGER checkpoint_fixed BEFORE UPDATE ON checkpoint
BEGIN SELECT raise(ABORT, 'checkpoints are never changed'); END;

CREATE TRIGGER checkpoint_kept BEFORE DELETE ON checkpoint
BEGIN SELECT raise(ABORT, 'checkpoints are never deleted'); END;

CREATE INDEX checkpoint_size ON checkpoint (size, id);

CREATE TABLE coverage (
    document_id INTEGER NOT NULL REFERENCES document (id),
    outcome     TEXT    NOT NULL CHECK (outcome <> ''),
    artifact_id INTEGER GENERATED ALWAYS AS (document_id >> 24) VIRTUAL,
    numbers     INTEGER NOT NULL CHECK (numbers >= 0),
    PRIMARY KEY (document_id, outcome)
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

CREATE INDEX decision_label ON decision (value, document_id) WHERE kind = 'decision-label';

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
, own_campaign TEXT NOT NULL DEFAULT '', own_pointer TEXT NOT NULL DEFAULT '', own_span_start INTEGER NOT NULL DEFAULT 0, own_span_end INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX document_artifact ON document (artifact_id, ordinal);

CREATE INDEX document_family ON document (family, campaign, sha256, ordinal);

CREATE TABLE document_holds (
    document_id INTEGER NOT NULL REFERENCES document (id),
    kind        TEXT    NOT NULL CHECK (kind IN ('metric', 'key')),
    term        TEXT    NOT NULL,
    artifact_id INTEGER GENERATED ALWAYS AS (document_id >> 24) VIRTUAL,
    PRIMARY KEY (document_id, kind, term)
) STRICT, WITHOUT ROWID;

CREATE INDEX document_holds_term ON document_holds (kind, term, document_id);

CREATE INDEX document_newest ON document (observed = '', observed DESC, campaign, sha256, ordinal);

CREATE INDEX document_observed ON document (campaign, sha256, ordinal) WHERE observed <> '';

CREATE INDEX document_oldest ON document (observed = '', observed, campaign, sha256, ordinal);

CREATE UNIQUE INDEX document_order ON document (campaign, sha256, ordinal);

CREATE UNIQUE INDEX document_recipe ON document (sha256, ordinal) WHERE family = 'recipe';

CREATE INDEX document_title ON document (campaign, sha256, ordinal) WHERE title <> '';

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

CREATE INDEX fact_arm ON fact (arm_id, ordinal) WHERE run_id IS NULL AND arm_id IS NOT NULL;

CREATE INDEX fact_document ON fact (document_id, ordinal) WHERE arm_id IS NULL AND run_id IS NULL;

CREATE INDEX fact_factor ON fact (key, document_id) WHERE key = 'tp' OR key = 'mtp_depth';

CREATE VIEW fact_line AS
SELECT d.campaign, a.name AS arm,
    substr(lower(hex(d.sha256)), 1, 12) || '-r' || (f.run_id & 0xffffff) AS run,
    f.key, f.value, f.state, f.source_text, f.rule,
    lower(hex(d.sha256)) AS artifact, f.pointer,
    d.reader || '@' || d.reader_version AS reader
FROM fact f
JOIN document d ON d.id = f.document_id
LEFT JOIN arm a ON a.id = f.arm_id;

CREATE INDEX fact_model ON fact (key, document_id, run_id, arm_id, value)
    WHERE key = 'model' OR key = 'served_model' OR key = 'checkpoint' OR key = 'model_artifact';

CREATE INDEX fact_named ON fact (key, document_id, run_id, arm_id, value)
    WHERE key = 'engine' OR key = 'engine_version' OR key = 'image' OR key = 'gpu_product';

CREATE INDEX fact_protocol ON fact (key, document_id, run_id, arm_id, value) WHERE key = 'measurement_protocol';

CREATE INDEX fact_run ON fact (run_id, ordinal) WHERE run_id IS NOT NULL;

CREATE INDEX fact_served ON fact (value, document_id, arm_id, run_id) WHERE key = 'served_model';

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

CREATE TABLE gate_waiver (
    id               INTEGER PRIMARY KEY,
    campaign         TEXT    NOT NULL CHECK (campaign <> ''),
    gate             TEXT    NOT NULL CHECK (gate <> ''),
    author           TEXT    NOT NULL CHECK (author <> ''),
    reason           TEXT    NOT NULL CHECK (reason <> ''),
    at_us            INTEGER NOT NULL,
    withdrawn_by     TEXT    NOT NULL DEFAULT '',
    withdrawn_reason TEXT    NOT NULL DEFAULT '',
    withdrawn_us     INTEGER NOT NULL DEFAULT 0,
    CHECK ((withdrawn_us = 0) = (withdrawn_by = '') AND (withdrawn_us = 0) = (withdrawn_reason = ''))
) STRICT;

CREATE INDEX gate_waiver_campaign ON gate_waiver (campaign, gate, id);

CREATE TRIGGER gate_waiver_fixed BEFORE UPDATE OF id, campaign, gate, author, reason, at_us ON gate_waiver
BEGIN SELECT raise(ABORT, 'waivers are never changed'); END;

CREATE TRIGGER gate_waiver_kept BEFORE DELETE ON gate_waiver
BEGIN SELECT raise(ABORT, 'waivers are never deleted'); END;

CREATE TRIGGER gate_waiver_withdrawn_once BEFORE UPDATE ON gate_waiver WHEN old.withdrawn_us <> 0
BEGIN SELECT raise(ABORT, 'a waiver is withdrawn once'); END;

CREATE TABLE invitation (
    id         INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES account (id),
    sha256     BLOB    NOT NULL UNIQUE CHECK (length(sha256) = 32),
    made_us    INTEGER NOT NULL,
    expires_us INTEGER NOT NULL,
    used_us    INTEGER NOT NULL DEFAULT 0 -- or was replaced by a later one
) STRICT;

CREATE INDEX invitation_account ON invitation (account_id, id);

CREATE TABLE log_begun (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    at_us INTEGER NOT NULL
) STRICT;

CREATE TABLE log_hash (
    idx  INTEGER PRIMARY KEY CHECK (idx >= 0),
    hash BLOB    NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE TRIGGER log_hash_fixed BEFORE UPDATE ON log_hash
BEGIN SELECT raise(ABORT, 'hashes of the log are never changed'); END;

CREATE TRIGGER log_hash_kept BEFORE DELETE ON log_hash
BEGIN SELECT raise(ABORT, 'hashes of the log are never deleted'); END;

CREATE TABLE log_identity (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    origin  TEXT    NOT NULL CHECK (origin <> ''),
    made_us INTEGER NOT NULL
) STRICT;

CREATE TRIGGER log_identity_fixed BEFORE UPDATE ON log_identity
BEGIN SELECT raise(ABORT, 'the log keeps its name'); END;

CREATE TRIGGER log_identity_kept BEFORE DELETE ON log_identity
BEGIN SELECT raise(ABORT, 'the log keeps its name'); END;

CREATE TABLE log_record (
    n       INTEGER PRIMARY KEY CHECK (n >= 0),
    kind    TEXT    NOT NULL CHECK (kind <> ''),
    subject INTEGER NOT NULL,
    body    BLOB    NOT NULL
) STRICT;

CREATE TRIGGER log_record_fixed BEFORE UPDATE ON log_record
BEGIN SELECT raise(ABORT, 'records of the log are never changed'); END;

CREATE TRIGGER log_record_kept BEFORE DELETE ON log_record
BEGIN SELECT raise(ABORT, 'records of the log are never deleted'); END;

CREATE INDEX log_record_kind ON log_record (kind, n);

CREATE INDEX log_record_subject ON log_record (kind, subject, n);

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

CREATE VIEW measurement_line AS
SELECT d.campaign, a.name AS arm,
    substr(lower(hex(d.sha256)), 1, 12) || '-r' || (r.id & 0xffffff) AS run,
    m.metric, m.stat, m.method, m.form, m.value, m.lower, m.upper, m.unit, m.n,
    m.state, m.role, m.source_text, m.source_unit,
    lower(hex(d.sha256)) AS artifact, m.pointer,
    d.reader || '@' || d.reader_version AS reader
FROM measurement m
JOIN run r ON r.id = m.run_id
JOIN document d ON d.id = r.document_id
JOIN arm a ON a.id = r.arm_id;

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

CREATE TABLE overlay (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    generation INTEGER NOT NULL
) STRICT;

CREATE TRIGGER overlay_mark_added AFTER INSERT ON artifact_mark
BEGIN UPDATE overlay SET generation = generation + 1; END;

CREATE TRIGGER overlay_mark_withdrawn AFTER INSERT ON artifact_mark_withdrawal
BEGIN UPDATE overlay SET generation = generation + 1; END;

CREATE TRIGGER overlay_recipe_added AFTER INSERT ON document WHEN new.family = 'recipe'
BEGIN UPDATE overlay SET generation = generation + 1; END;

CREATE TRIGGER overlay_recipe_dropped AFTER DELETE ON document WHEN old.family = 'recipe'
BEGIN UPDATE overlay SET generation = generation + 1; END;

CREATE TRIGGER overlay_recipe_moved AFTER UPDATE OF campaign ON document WHEN new.family = 'recipe'
BEGIN UPDATE overlay SET generation = generation + 1; END;

CREATE TRIGGER overlay_repair_added AFTER INSERT ON repair
BEGIN UPDATE overlay SET generation = generation + 1; END;

CREATE TRIGGER overlay_repair_withdrawn AFTER UPDATE ON repair
BEGIN UPDATE overlay SET generation = generation + 1; END;

CREATE TABLE passkey (
    id         INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES account (id),
    key_id     INTEGER NOT NULL UNIQUE REFERENCES account_key (id),
    credential BLOB    NOT NULL UNIQUE,
    label      TEXT    NOT NULL,
    record     TEXT    NOT NULL CHECK (json_valid(record)),
    added_us   INTEGER NOT NULL,
    used_us    INTEGER NOT NULL DEFAULT 0,
    removed_us INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX passkey_account ON passkey (account_id, id);

CREATE TABLE policy (
    id      INTEGER PRIMARY KEY,
    name    TEXT    NOT NULL CHECK (name <> ''),
    version INTEGER NOT NULL CHECK (version >= 1),
    sha256  BLOB    NOT NULL CHECK (length(sha256) = 32),
    body    BLOB    NOT NULL,
    author  TEXT    NOT NULL CHECK (author <> ''),
    reason  TEXT    NOT NULL CHECK (reason <> ''),
    at_us   INTEGER NOT NULL
) STRICT;

CREATE TRIGGER policy_fixed BEFORE UPDATE ON policy
BEGIN SELECT raise(ABORT, 'policies are never changed'); END;

CREATE TRIGGER policy_kept BEFORE DELETE ON policy
BEGIN SELECT raise(ABORT, 'policies are never deleted'); END;

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

CREATE INDEX reading_family ON reading (family, artifact_id);

CREATE TABLE reading_generation (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    generation INTEGER NOT NULL
) STRICT;

CREATE TRIGGER reading_generation_rises AFTER UPDATE ON reading
BEGIN UPDATE reading_generation SET generation = generation + 1; END;

CREATE INDEX reading_schema ON reading (schema, artifact_id);

CREATE INDEX reading_state ON reading (state, artifact_id);

CREATE INDEX reading_unread ON reading (artifact_id) WHERE unread = 1;

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

CREATE INDEX reference_digest ON reference (sha256) WHERE sha256 IS NOT NULL;

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

CREATE UNIQUE INDEX repair_alias ON repair (key, target) WHERE kind = 'alias' AND withdrawn_us = 0;

CREATE TRIGGER repair_fixed BEFORE UPDATE OF id, kind, target, key, value, author, reason, at_us ON repair
BEGIN SELECT raise(ABORT, 'repairs are never changed'); END;

CREATE INDEX repair_holds ON repair (kind, id) WHERE withdrawn_us = 0;

CREATE TRIGGER repair_kept BEFORE DELETE ON repair
BEGIN SELECT raise(ABORT, 'repairs are never deleted'); END;

CREATE INDEX repair_kind ON repair (kind, id);

CREATE INDEX repair_target ON repair (kind, target, id);

CREATE TRIGGER repair_withdrawn_once BEFORE UPDATE ON repair WHEN old.withdrawn_us <> 0
BEGIN SELECT raise(ABORT, 'a repair is withdrawn once'); END;

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

CREATE INDEX run_arm ON run (arm_id, id);

CREATE INDEX run_class ON run (class, document_id);

CREATE INDEX run_document ON run (document_id, id);

CREATE VIEW run_line AS
SELECT d.campaign, a.name AS arm,
    substr(lower(hex(d.sha256)), 1, 12) || '-r' || (r.id & 0xffffff) AS run,
    r.name, r.class, r.status, d.family,
    lower(hex(d.sha256)) AS artifact, r.pointer,
    d.reader || '@' || d.reader_version AS reader
FROM run r
JOIN document d ON d.id = r.document_id
JOIN arm a ON a.id = r.arm_id;

CREATE INDEX run_pointer ON run (pointer);

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

CREATE TABLE schema_migration (
    version    INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL,
    sha256     BLOB    NOT NULL CHECK (length(sha256) = 32),
    applied_us INTEGER NOT NULL
) STRICT;

CREATE VIRTUAL TABLE search USING fts5 (
    title, body,
    content = 'search_row', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2'
);

CREATE TABLE 'search_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE 'search_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'search_docsize'(id INTEGER PRIMARY KEY, sz BLOB);

CREATE TABLE 'search_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE VIRTUAL TABLE search_name USING fts5 (
    name,
    content = 'artifact_name', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2'
);

CREATE TABLE 'search_name_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE 'search_name_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'search_name_docsize'(id INTEGER PRIMARY KEY, sz BLOB);

CREATE TABLE 'search_name_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

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

CREATE TABLE server_key (
    id       INTEGER PRIMARY KEY,
    verifier TEXT    NOT NULL UNIQUE CHECK (verifier <> ''),
    added_us INTEGER NOT NULL
) STRICT;

CREATE TRIGGER server_key_fixed BEFORE UPDATE ON server_key
BEGIN SELECT raise(ABORT, 'public keys are never changed'); END;

CREATE TRIGGER server_key_kept BEFORE DELETE ON server_key
BEGIN SELECT raise(ABORT, 'public keys are never deleted'); END;

CREATE TABLE session (
    id         INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES account (id),
    sha256     BLOB    NOT NULL UNIQUE CHECK (length(sha256) = 32),
    csrf       TEXT    NOT NULL CHECK (csrf <> ''),
    remote     TEXT    NOT NULL,
    agent      TEXT    NOT NULL,
    made_us    INTEGER NOT NULL,
    seen_us    INTEGER NOT NULL,
    proved_us  INTEGER NOT NULL DEFAULT 0 -- when the person last proved who they are
) STRICT;

CREATE INDEX session_account ON session (account_id, id);

CREATE TABLE signoff (
    id          INTEGER PRIMARY KEY,
    campaign    TEXT    NOT NULL,
    title       TEXT    NOT NULL,
    candidate   TEXT    NOT NULL,
    arm         TEXT    NOT NULL,
    target      TEXT    NOT NULL,
    decision    TEXT    NOT NULL CHECK (decision IN ('promote', 'reject', 'hold', 'rollback')),
    statement   TEXT    NOT NULL CHECK (statement <> ''),
    sha256      BLOB    NOT NULL UNIQUE CHECK (length(sha256) = 32),
    preparer    TEXT    NOT NULL,
    signer      TEXT    NOT NULL,
    signed_us   INTEGER NOT NULL,
    claim_kind  TEXT    NOT NULL CHECK (claim_kind IN ('note', 'ssh', 'passkey')),
    fingerprint TEXT    NOT NULL,
    public      TEXT    NOT NULL,
    signature   BLOB    NOT NULL,
    draft_id    INTEGER NOT NULL REFERENCES signoff_draft (id)
) STRICT;

CREATE TABLE signoff_artifact (
    signoff_id INTEGER NOT NULL REFERENCES signoff (id),
    sha256     BLOB    NOT NULL CHECK (length(sha256) = 32),
    PRIMARY KEY (signoff_id, sha256)
) STRICT, WITHOUT ROWID;

CREATE INDEX signoff_artifact_digest ON signoff_artifact (sha256, signoff_id);

CREATE TRIGGER signoff_artifact_fixed BEFORE UPDATE ON signoff_artifact
BEGIN SELECT raise(ABORT, 'what a statement names is never changed'); END;

CREATE TRIGGER signoff_artifact_kept BEFORE DELETE ON signoff_artifact
BEGIN SELECT raise(ABORT, 'what a statement names is never deleted'); END;

CREATE INDEX signoff_campaign ON signoff (campaign, id);

CREATE TABLE signoff_draft (
    id         INTEGER PRIMARY KEY,
    campaign   TEXT    NOT NULL CHECK (campaign <> ''),
    candidate  TEXT    NOT NULL CHECK (candidate <> ''),
    control    TEXT    NOT NULL,
    back       TEXT    NOT NULL,
    figures    TEXT    NOT NULL CHECK (json_valid(figures)),
    target     TEXT    NOT NULL CHECK (target IN ('challenger', 'rollback', 'promotion')),
    decision   TEXT    NOT NULL CHECK (decision IN ('', 'promote', 'reject', 'hold', 'rollback')),
    scope      TEXT    NOT NULL,
    reason     TEXT    NOT NULL,
    acks       TEXT    NOT NULL CHECK (json_valid(acks)),
    preparer   TEXT    NOT NULL CHECK (preparer <> ''),
    made_us    INTEGER NOT NULL,
    changed_us INTEGER NOT NULL,
    closed_us  INTEGER NOT NULL DEFAULT 0, -- signed or given up
    ready      INTEGER NOT NULL DEFAULT 0 CHECK (ready IN (0, 1)),
    ground     TEXT    NOT NULL -- digest of the ground that the preparer saw last
) STRICT;

CREATE INDEX signoff_draft_campaign ON signoff_draft (campaign, id);

CREATE TRIGGER signoff_draft_closed BEFORE UPDATE ON signoff_draft WHEN old.closed_us <> 0
BEGIN SELECT raise(ABORT, 'a closed draft is not changed'); END;

CREATE TRIGGER signoff_fixed BEFORE UPDATE ON signoff
BEGIN SELECT raise(ABORT, 'statements are never changed'); END;

CREATE TRIGGER signoff_kept BEFORE DELETE ON signoff
BEGIN SELECT raise(ABORT, 'statements are never deleted'); END;

CREATE TABLE signoff_standing (
    id         INTEGER PRIMARY KEY,
    signoff_id INTEGER NOT NULL REFERENCES signoff (id),
    log_size   INTEGER NOT NULL,
    overlay    INTEGER NOT NULL,
    derived    INTEGER NOT NULL,
    ruleset    INTEGER NOT NULL,
    at_us      INTEGER NOT NULL,
    result     TEXT    NOT NULL CHECK (json_valid(result)),
    UNIQUE (signoff_id, log_size)
) STRICT;

CREATE TABLE signoff_withdrawal (
    id         INTEGER PRIMARY KEY,
    signoff_id INTEGER NOT NULL UNIQUE REFERENCES signoff (id),
    author     TEXT    NOT NULL CHECK (author <> ''),
    reason     TEXT    NOT NULL CHECK (reason <> ''),
    at_us      INTEGER NOT NULL
) STRICT;

CREATE TRIGGER signoff_withdrawal_fixed BEFORE UPDATE ON signoff_withdrawal
BEGIN SELECT raise(ABORT, 'withdrawals are never changed'); END;

CREATE TRIGGER signoff_withdrawal_kept BEFORE DELETE ON signoff_withdrawal
BEGIN SELECT raise(ABORT, 'withdrawals are never deleted'); END;

CREATE TABLE text_ending (
    artifact_id INTEGER NOT NULL REFERENCES artifact (id),
    sha256      BLOB    NOT NULL CHECK (length(sha256) = 32),
    PRIMARY KEY (artifact_id, sha256)
) STRICT, WITHOUT ROWID;

CREATE INDEX text_ending_digest ON text_ending (sha256);

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

CREATE TRIGGER waiver_fixed BEFORE UPDATE OF id, control_run, arm_run, metric, stat, stops, person, reason, at_us ON waiver
BEGIN SELECT raise(ABORT, 'waivers are never changed'); END;

CREATE TRIGGER waiver_kept BEFORE DELETE ON waiver
BEGIN SELECT raise(ABORT, 'waivers are never deleted'); END;

CREATE INDEX waiver_pair ON waiver (control_run, arm_run, id);

CREATE TRIGGER waiver_withdrawn_once BEFORE UPDATE ON waiver WHEN old.withdrawn_us <> 0
BEGIN SELECT raise(ABORT, 'a waiver is withdrawn once'); END;
