package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
)

// naming is a reading that names one file.
func naming(campaign, name string, sum evidence.Opt[evidence.Digest]) *evidence.Reading {
	return &evidence.Reading{State: evidence.Accepted, Documents: []evidence.Document{{Reader: "lab/x", ReaderVersion: 1,
		Campaign:   evidence.Campaign{ID: campaign},
		References: []evidence.Reference{{Name: name, SHA256: sum, Kind: "evidence", Place: evidence.At("/evidence/0")}}}}}
}

// endings is a text that has the digest of other with its line endings.
func endings(other string) *evidence.Reading {
	return &evidence.Reading{State: evidence.Archived, Endings: []evidence.Digest{evidence.DigestOf([]byte(other))}}
}

func TestReferencesResolve(t *testing.T) {
	digest := evidence.DigestOf
	some := func(s string) evidence.Opt[evidence.Digest] { return evidence.Some(digest([]byte(s))) }
	plain := &evidence.Reading{State: evidence.Archived}
	type file struct {
		name, data string
		reading    *evidence.Reading
	}
	tests := []struct {
		name    string
		refers  string
		sum     evidence.Opt[evidence.Digest]
		files   []file
		want    evidence.RefState
		answers string
		as      string // FoundAs
	}{
		{name: "nothing here", refers: "run.json", want: evidence.RefNotStored},
		{name: "digest here under another name", refers: "run.json", sum: some("bytes"), files: []file{{"other.json", "bytes", plain}}, want: evidence.RefRenamed, answers: "bytes", as: "other.json"},
		{name: "digest and name", refers: `C:\x\run.json`, sum: some("bytes"), files: []file{{"far/run.json", "bytes", plain}}, want: evidence.RefRetained, answers: "bytes"},
		{name: "other line endings", refers: "run.json", sum: some("a\r\n"), files: []file{{"far/run.json", "a\n", endings("a\r\n")}}, want: evidence.RefConverted, answers: "a\n"},
		{name: "other line endings and name", refers: "run.json", sum: some("a\r\n"), files: []file{{"far/walk.json", "a\n", endings("a\r\n")}}, want: evidence.RefConverted, answers: "a\n", as: "far/walk.json"},
		{name: "edited, and kept elsewhere", refers: "lab/run.json", sum: some("bytes"), files: []file{{"lab/run.json", "edited", plain}, {"old/copy.json", "bytes", plain}}, want: evidence.RefMismatch, answers: "edited", as: "old/copy.json"},
		{name: "a stranger of that name", refers: "lab/deep/run.json", sum: some("bytes"), files: []file{{"far/run.json", "edited", plain}}, want: evidence.RefNotStored},
		{name: "a stranger by its last name only", refers: "lab/deep/run.json", sum: some("bytes"), files: []file{{"run.json", "edited", plain}}, want: evidence.RefMismatch, answers: "edited"},
		{name: "the folder fits", refers: `C:\work\deep\run.json`, sum: some("bytes"), files: []file{{"archive/deep/run.json", "edited", plain}}, want: evidence.RefMismatch, answers: "edited"},
		{name: "digest alone", sum: some("bytes"), files: []file{{"far/run.json", "bytes", plain}}, want: evidence.RefRetained, answers: "bytes"},
		{name: "digest elsewhere, name here", refers: "run.json", sum: some("bytes"), files: []file{{"lab/run.json", "edited", plain}}, want: evidence.RefMismatch, answers: "edited"},
		{name: "digest nowhere", refers: "run.json", sum: some("bytes"), files: []file{{"lab/walk.json", "edited", plain}}, want: evidence.RefNotStored},
		{name: "name only", refers: "run.json", files: []file{{"far/run.json", "bytes", plain}}, want: evidence.RefByName, answers: "bytes"},
		{name: "with a folder", refers: `runs\run.json`, files: []file{{"far/run.json", "bytes", plain}}, want: evidence.RefByName, answers: "bytes"},
		{name: "same folder first", refers: "run.json", files: []file{{"far/run.json", "far", plain}, {"lab/run.json", "near", plain}, {"away/run.json", "away", plain}}, want: evidence.RefByName, answers: "near"},
		{name: "very path before same folder", refers: "deep/run.json", files: []file{{"lab/run.json", "near", plain}, {"lab/deep/run.json", "right", plain}}, want: evidence.RefByName, answers: "right"},
		{name: "same campaign before another", refers: "run.json", files: []file{{"a/run.json", "other", naming("autumn", "-", evidence.None[evidence.Digest]())}, {"b/run.json", "ours", naming("spring", "-", evidence.None[evidence.Digest]())}}, want: evidence.RefByName, answers: "ours"},
		{name: "itself", refers: "summary.json", want: evidence.RefNotStored},
		{name: "no name", refers: "", files: []file{{".", "dot", plain}}, want: evidence.RefNotStored},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := openTemp(t)
			for _, f := range tt.files {
				fileReading(t, a, f.name, f.data, f.reading)
			}
			k := fileReading(t, a, "lab/summary.json", "summary", naming("spring", tt.refers, tt.sum))
			var got evidence.ReferenceRow
			for _, r := range all(t, a.EachReference, evidence.Filter{Artifact: k.Digest.String()}) {
				got = r
			}
			want := evidence.None[evidence.Digest]()
			if tt.answers != "" {
				want = some(tt.answers)
			}
			if got.State != tt.want || got.Found != want || got.FoundAs != tt.as {
				t.Errorf("%s by %+v as %q, want %s by %+v as %q", got.State, got.Found, got.FoundAs, tt.want, want, tt.as)
			}
		})
	}
}

// TestReferenceResolvesLater: the file may come in after the document that names it.
func TestReferenceResolvesLater(t *testing.T) {
	a := openTemp(t)
	fileReading(t, a, "summary.json", "summary", naming("spring", "run.json", evidence.Some(evidence.DigestOf([]byte("run")))))
	state := func() (words []string) {
		for _, r := range all(t, a.EachReference, evidence.Filter{}) {
			words = append(words, string(r.State))
		}
		rows, _, err := a.Campaigns(t.Context(), evidence.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		if rows[0].References != 1 || (rows[0].Retained == 1) != (words[0] == "retained") {
			t.Errorf("the list says %d of %d retained, the reference %s", rows[0].Retained, rows[0].References, words[0])
		}
		return words
	}
	if diff := cmp.Diff([]string{"not-retained"}, state()); diff != "" {
		t.Error(diff)
	}
	keepOne(t, a, "run.json", "run")
	if diff := cmp.Diff([]string{"retained"}, state()); diff != "" {
		t.Error(diff)
	}
}
