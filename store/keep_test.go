package store

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
)

func TestKeepBatch(t *testing.T) {
	a := openTemp(t)
	in := []evidence.Incoming{
		{Name: "a.json", Origin: "file", Data: []byte("one")},
		{Name: "b.json", Origin: "file", Campaign: "spring", Data: []byte("two")},
		{Name: "c.json", Origin: "file", Data: []byte("one")},
		{Name: "empty", Origin: "file", Data: nil},
	}
	kept, err := a.Keep(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	one, two, none := evidence.DigestOf([]byte("one")), evidence.DigestOf([]byte("two")), evidence.DigestOf(nil)
	want := []evidence.Kept{
		{ArtifactID: 1, ArrivalID: 1, Digest: one, Size: 3, State: evidence.Pending},
		{ArtifactID: 2, ArrivalID: 2, Digest: two, Size: 3, State: evidence.Pending, Campaign: "spring"},
		{ArtifactID: 1, ArrivalID: 3, Digest: one, Size: 3, State: evidence.Pending, Known: true},
		{ArtifactID: 3, ArrivalID: 4, Digest: none, Size: 0, State: evidence.Pending},
	}
	if diff := cmp.Diff(want, kept); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
	row, err := a.FindArtifact(t.Context(), one.String())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.json", "c.json"}, row.Names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if row.StoredUS != clock().UnixMicro() {
		t.Errorf("stored at %d, want the clock's %d", row.StoredUS, clock().UnixMicro())
	}
}

// sizes lie around the borders of chunks.
var sizes = []int{0, 1, 100, chunkSize - 1, chunkSize, chunkSize + 1, 3*chunkSize + 17}

func TestBytesInAreBytesKept(t *testing.T) {
	a := openTemp(t)
	for _, n := range sizes {
		data := noise(n)
		other := append([]byte("one more"), data...)
		memory := keepAs(t, a, evidence.Incoming{Name: "memory", Origin: "file", Data: data})
		stream, err := a.KeepStream(t.Context(), evidence.Incoming{Name: "stream", Origin: "stdin"}, iotest.HalfReader(bytes.NewReader(other)))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			kept evidence.Kept
			want []byte
		}{{memory, data}, {stream, other}} {
			if c.kept.Digest != evidence.DigestOf(c.want) || c.kept.Size != int64(len(c.want)) || c.kept.Known {
				t.Errorf("%d bytes: kept %+v", len(c.want), c.kept)
			}
			r, err := a.OpenArtifact(t.Context(), c.kept.ArtifactID)
			if err != nil {
				t.Fatal(err)
			}
			if err := iotest.TestReader(r, c.want); err != nil {
				t.Errorf("%d bytes: %v", len(c.want), err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			if _, err := r.Read(make([]byte, 1)); !errors.Is(err, errClosed) {
				t.Errorf("read after close: %v", err)
			}
		}
	}
	if _, bad, err := a.VerifyDigests(t.Context(), nil); err != nil || len(bad) > 0 {
		t.Errorf("bad %v, %v", bad, err)
	}
}

func TestSeekOverChunkBorders(t *testing.T) {
	a := openTemp(t)
	data := noise(2*chunkSize + 500)
	k := keepAs(t, a, evidence.Incoming{Name: "x", Data: data})
	r, err := a.OpenArtifact(t.Context(), k.ArtifactID)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, at := range []int64{2*chunkSize + 499, 0, chunkSize - 2, chunkSize, 2*chunkSize - 1, 5} {
		if _, err := r.Seek(at, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		n := min(int64(4), int64(len(data))-at)
		got := make([]byte, n)
		if _, err := io.ReadFull(r, got); err != nil || !bytes.Equal(got, data[at:at+n]) {
			t.Errorf("at %d: %x, %v; want %x", at, got, err, data[at:at+n])
		}
	}
	if at, err := r.Seek(-3, io.SeekEnd); err != nil || at != int64(len(data))-3 {
		t.Errorf("seek from the end: %d, %v", at, err)
	}
	if at, err := r.Seek(10, io.SeekEnd); err != nil || at != int64(len(data))+10 {
		t.Errorf("seek beyond the end: %d, %v", at, err)
	}
	if _, err := r.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("read beyond the end: %v", err)
	}
	for _, bad := range []struct {
		offset int64
		whence int
	}{{-1, io.SeekStart}, {0, 17}} {
		if _, err := r.Seek(bad.offset, bad.whence); err == nil {
			t.Errorf("seek %+v is taken", bad)
		}
	}
	if _, err := a.OpenArtifact(t.Context(), 4711); !errors.Is(err, evidence.ErrNotFound) {
		t.Errorf("open an unknown artifact: %v", err)
	}
}

func TestKeepStreamKnownBytes(t *testing.T) {
	a := openTemp(t)
	data := noise(chunkSize + 1)
	first := keepAs(t, a, evidence.Incoming{Name: "x", Data: data})
	again, err := a.KeepStream(t.Context(), evidence.Incoming{Name: "y", Origin: "stdin"}, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if !again.Known || again.ArtifactID != first.ArtifactID || again.ArrivalID == first.ArrivalID {
		t.Errorf("kept %+v after %+v", again, first)
	}
	var chunks int
	if err := a.reader.QueryRow("SELECT count(*) FROM artifact_chunk").Scan(&chunks); err != nil || chunks != 2 {
		t.Errorf("%d chunks, %v; want 2", chunks, err)
	}
}

// TestKeepStreamSpoolsToDisk reads more noise than the spool holds in memory.
func TestKeepStreamSpoolsToDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive.db")
	a := openAt(t, path)
	data := noise(3*spoolMemory + 5)
	k, err := a.KeepStream(t.Context(), evidence.Incoming{Name: "big", Origin: "stdin"}, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if k.Digest != evidence.DigestOf(data) {
		t.Error("the digest differs")
	}
	if n, bad, err := a.VerifyDigests(t.Context(), nil); n != 1 || len(bad) > 0 || err != nil {
		t.Errorf("verified %d, bad %v, %v", n, bad, err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".assay-spool-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestKeepStreamBrokenInput: what broke off is not an artifact. io.ErrUnexpectedEOF is
// what a cut transfer returns, and no end.
func TestKeepStreamBrokenInput(t *testing.T) {
	a := openTemp(t)
	for _, cause := range []error{errors.New("line is down"), io.ErrUnexpectedEOF} {
		broken := io.MultiReader(bytes.NewReader(noise(chunkSize+7)), iotest.ErrReader(cause))
		_, err := a.KeepStream(t.Context(), evidence.Incoming{Name: "upload.json"}, broken)
		if !errors.Is(err, cause) || !strings.Contains(err.Error(), "upload.json") || !strings.Contains(err.Error(), "1048583") {
			t.Errorf("error %v, want %v with name and byte", err, cause)
		}
	}
	if c, err := a.Counts(t.Context()); err != nil || c.Artifacts != 0 || c.Arrivals != 0 {
		t.Errorf("counts %+v, %v", c, err)
	}
}

func TestDeclaredCampaignMoves(t *testing.T) {
	a := openTemp(t)
	declare := func(campaign string) evidence.Kept {
		return keepAs(t, a, evidence.Incoming{Name: "x.json", Origin: "file", Campaign: campaign, Data: []byte("x")})
	}
	unread := func() int {
		list, err := a.Pending(t.Context(), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	first := declare("spring")
	commitOne(t, a, first, &evidence.Reading{State: evidence.Archived})
	if k := declare(""); k.Campaign != "spring" || !k.Known || k.State != evidence.Archived || unread() != 0 {
		t.Errorf("without a campaign: %+v, %d unread", k, unread())
	}
	if k := declare("spring"); k.Campaign != "spring" || unread() != 0 {
		t.Errorf("the same campaign: %+v, %d unread", k, unread())
	}
	moved := declare("autumn")
	if moved.Campaign != "autumn" || unread() != 1 {
		t.Errorf("another campaign: %+v, %d unread", moved, unread())
	}
	commitOne(t, a, moved, &evidence.Reading{State: evidence.Archived})
	if unread() != 0 {
		t.Error("still unread after it was read again")
	}
	all, err := a.All(t.Context(), 0, 10)
	if err != nil || len(all) != 1 || all[0].Campaign != "autumn" {
		t.Errorf("all %+v, %v", all, err)
	}
}

func TestPagesOfKept(t *testing.T) {
	a := openTemp(t)
	for _, s := range []string{"a", "b", "c", "d", "e"} {
		keepOne(t, a, s, s)
	}
	var seen []int64
	for after := int64(0); ; {
		page, err := a.Pending(t.Context(), after, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, k := range page {
			seen = append(seen, k.ArtifactID)
			after = k.ArtifactID
		}
	}
	if diff := cmp.Diff([]int64{1, 2, 3, 4, 5}, seen); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
}

func TestBaseName(t *testing.T) {
	for name, want := range map[string]string{
		"a.json": "a.json", "lab/a.json": "a.json", `C:\lab\a.json`: "a.json", "/x/y/": "y", "": ".", "-": "-", "/": "/",
	} {
		if got := baseName(name); got != want {
			t.Errorf("base of %q is %q, want %q", name, got, want)
		}
	}
}

// TestRelativePathSurvivesChdir: the spool lies beside the archive, wherever the
// process stands by then.
func TestRelativePathSurvivesChdir(t *testing.T) {
	t.Chdir(t.TempDir())
	a := openAt(t, "archive.db")
	home, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if _, err := a.KeepStream(t.Context(), evidence.Incoming{Name: "x"}, bytes.NewReader(noise(2*spoolMemory))); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(home, "archive.db")); err != nil {
		t.Error(err)
	}
}
