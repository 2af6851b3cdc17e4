-- +goose Up

-- Views for people who open the archive in a shell: one row is one line of the
-- exports of the same name, with ids spelled out.

CREATE VIEW run_line AS
SELECT d.campaign, a.name AS arm,
    substr(lower(hex(d.sha256)), 1, 12) || '-r' || (r.id & 0xffffff) AS run,
    r.name, r.class, r.status, d.family,
    lower(hex(d.sha256)) AS artifact, r.pointer,
    d.reader || '@' || d.reader_version AS reader
FROM run r
JOIN document d ON d.id = r.document_id
JOIN arm a ON a.id = r.arm_id;

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

CREATE VIEW fact_line AS
SELECT d.campaign, a.name AS arm,
    substr(lower(hex(d.sha256)), 1, 12) || '-r' || (f.run_id & 0xffffff) AS run,
    f.key, f.value, f.state, f.source_text, f.rule,
    lower(hex(d.sha256)) AS artifact, f.pointer,
    d.reader || '@' || d.reader_version AS reader
FROM fact f
JOIN document d ON d.id = f.document_id
LEFT JOIN arm a ON a.id = f.arm_id;

CREATE VIEW artifact_line AS
SELECT lower(hex(a.sha256)) AS artifact, a.size, r.state, r.schema, r.family, r.reader,
    r.campaign, r.runs, r.measurements, r.findings,
    datetime(a.stored_us / 1000000, 'unixepoch') AS stored,
    (SELECT n.name FROM artifact_name n WHERE n.artifact_id = a.id ORDER BY n.id LIMIT 1) AS name
FROM artifact a
JOIN reading r ON r.artifact_id = a.id;
