package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
)

// TestVerifyFindsDamage changes the bytes of artifacts behind the back of the triggers.
func TestVerifyFindsDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive.db")
	a, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var digests []evidence.Digest
	for _, s := range []string{"sound", "other bytes", "no bytes", "no frame", "wrong size", "gap"} {
		data := []byte(s)
		if s == "gap" {
			data = noise(2*chunkSize + 10)
		}
		digests = append(digests, keepAs(t, a, evidence.Incoming{Name: s, Data: data}).Digest)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{
		"DROP TRIGGER artifact_chunk_fixed", "DROP TRIGGER artifact_chunk_kept", "DROP TRIGGER artifact_fixed",
		"DELETE FROM artifact_chunk WHERE artifact_id = 3",
		"UPDATE artifact_chunk SET body = x'00112233' WHERE artifact_id = 4",
		"UPDATE artifact SET size = size + 1 WHERE id = 5",
		"DELETE FROM artifact_chunk WHERE artifact_id = 6 AND start = 1048576",
	} {
		execFile(t, path, q)
	}
	execFile(t, path, "UPDATE artifact_chunk SET body = ? WHERE artifact_id = 2", pack(nil, []byte("forged data")))
	a = openAt(t, path)
	calls, last := 0, 0
	checked, bad, err := a.VerifyDigests(t.Context(), func(done, total int) {
		calls++
		last = total
		if done != calls {
			t.Errorf("progress %d of %d at call %d", done, total, calls)
		}
	})
	if err != nil || checked != 6 || calls != 6 || last != 6 {
		t.Errorf("checked %d, %d calls of %d, %v", checked, calls, last, err)
	}
	if diff := cmp.Diff(digests[1:], bad); diff != "" {
		t.Errorf("bad (-want +got):\n%s", diff)
	}
	for id := int64(3); id <= 4; id++ {
		r, err := a.OpenArtifact(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Read(make([]byte, 10)); err == nil || !strings.Contains(err.Error(), "assay verify") {
			t.Errorf("reading artifact %d: %v", id, err)
		}
	}
}

func TestCheckFile(t *testing.T) {
	a := openTemp(t)
	fileReading(t, a, "x", "x", fullReading())
	if faults, err := a.CheckFile(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("a sound file: %v, %v", faults, err)
	}
	if _, err := a.writer.Exec("DROP INDEX run_arm"); err != nil {
		t.Fatal(err)
	}
	execFile(t, a.abs, "PRAGMA foreign_keys = OFF; DELETE FROM arm WHERE id IN (SELECT min(id) FROM arm)")
	if faults, err := a.CheckFile(t.Context()); err != nil || len(faults) != 1 || !strings.Contains(faults[0], "a row of run refers to a row of arm") {
		t.Errorf("a dangling row: %v, %v", faults, err)
	}
}

// TestDamagedFile writes over pages in the middle of the file.
func TestDamagedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive.db")
	a, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		fileReading(t, a, "x", strings.Repeat("x", i), syntheticReading("2026-09-01-x", i, 2, 10))
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(noise(100*4096), info.Size()/2/4096*4096); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	a, err = Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.release() // there is nothing to optimise
	faults, err := a.CheckFile(t.Context())
	if err != nil || len(faults) == 0 {
		t.Errorf("faults %v, %v", faults, err)
	}
	err = a.EachMeasurement(t.Context(), evidence.Filter{}, func(evidence.MeasurementRow) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "damaged; keep a copy of it and restore a backup") {
		t.Errorf("error %v, want advice", err)
	}
}

func TestBackup(t *testing.T) {
	a := openTemp(t)
	fileReading(t, a, "x.json", "{}", fullReading())
	out := filepath.Join(t.TempDir(), "with space", "copy?#.db")
	if err := a.Backup(t.Context(), out); err == nil {
		t.Error("written into a folder that is not there")
	}
	if err := os.Mkdir(filepath.Dir(out), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := a.Backup(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(out), "*")); err != nil || len(left) != 1 {
		t.Errorf("beside the copy lie %v, %v", left, err)
	}
	copied := openAt(t, out)
	if diff := cmp.Diff(dump(t, a), dump(t, copied)); diff != "" {
		t.Errorf("the copy differs (-want +got):\n%s", diff)
	}
	checkIndex(t, copied)
	if n, bad, err := copied.VerifyDigests(t.Context(), nil); n != 1 || len(bad) > 0 || err != nil {
		t.Errorf("verified %d, bad %v, %v", n, bad, err)
	}
	if err := a.Backup(t.Context(), out); err == nil || !strings.Contains(err.Error(), "the file exists; name a new one") {
		t.Errorf("error %v, want a refusal to write over the copy", err)
	}
	if err := os.WriteFile(out+"2.partial", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := a.Backup(t.Context(), out+"2"); err == nil || !strings.Contains(err.Error(), "earlier backup") {
		t.Errorf("error %v, want a word about the partial file", err)
	}
	if err := publish(out, out); !errors.Is(err, os.ErrExist) {
		t.Errorf("publish over a file: %v", err)
	}
}
