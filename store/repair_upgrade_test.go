package store

import (
	"database/sql"
	"path/filepath"
	"testing"

	"assay/store/evidence"
)

// TestUpgradeKnowsOwnCampaigns: an archive from before there were moves. Documents keep
// the campaign they are in as their own; where a declared one hides it they are read again.
func TestUpgradeKnowsOwnCampaigns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive.db")
	writer, err := sql.Open("sqlite", writerDSN(path))
	if err != nil {
		t.Fatal(err)
	}
	files := embedded(t)
	for name := range files {
		if name >= "0006" {
			delete(files, name)
		}
	}
	old := &Archive{path: path, abs: path, now: clock, writer: writer}
	if err := old.migrate(t.Context(), files); err != nil {
		t.Fatal(err)
	}
	d := [2]evidence.Digest{evidence.DigestOf([]byte("a")), evidence.DigestOf([]byte("b"))}
	for i, campaign := range []string{"", "declared"} {
		for _, s := range []struct {
			query string
			args  []any
		}{
			{"INSERT INTO artifact (id, sha256, size, stored_us) VALUES (?, ?, 1, 1)", []any{i + 1, d[i][:]}},
			{"INSERT INTO arrival (artifact_id, name, origin, campaign, at_us, outcome) VALUES (?, 'x', 'file', ?, 1, 'read')", []any{i + 1, campaign}},
			{"INSERT INTO reading (artifact_id, state, unread) VALUES (?, 'accepted', 0)", []any{i + 1}},
			{`INSERT INTO document (id, artifact_id, ordinal, sha256, campaign, title, observed, campaign_pointer, campaign_span_start, campaign_span_end,
				schema, family, reader, reader_version, shape, root, arms, runs, measurements)
				VALUES (?, ?, 0, ?, 'stored', '', '', '/id', 1, 2, '', 'F1', 'r', 1, '', '', 0, 0, 0)`, []any{(i + 1) << 24, i + 1, d[i][:]}},
		} {
			if _, err := writer.Exec(s.query, s.args...); err != nil {
				t.Fatal(err)
			}
		}
	}
	files["0006_repair.sql"] = embedded(t)["0006_repair.sql"]
	if err := old.migrate(t.Context(), files); err != nil {
		t.Fatal(err)
	}
	var unread int
	if err := writer.QueryRow("SELECT group_concat(artifact_id) FROM reading WHERE unread = 1").Scan(&unread); err != nil || unread != 2 {
		t.Errorf("unread: %d, %v", unread, err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	a := openAt(t, path)
	r := repairWith(t, a, said(evidence.RepairMove, d[0].String(), "", "elsewhere"))
	withdraw(t, a, r.ID)
	var campaign, pointer string
	var start, end int
	err = a.reader.QueryRow("SELECT campaign, campaign_pointer, campaign_span_start, campaign_span_end FROM document WHERE artifact_id = 1").Scan(&campaign, &pointer, &start, &end)
	if err != nil || campaign != "stored" || pointer != "/id" || start != 1 || end != 2 {
		t.Errorf("after a move and back: %s at %s [%d:%d], %v", campaign, pointer, start, end, err)
	}
}
