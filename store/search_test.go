package store

import (
	"fmt"
	"strings"
	"testing"

	"assay/store/evidence"
)

func TestSearch(t *testing.T) {
	a := openTemp(t)
	k := fileReading(t, a, "lab/kestrel-summary.json", "{}", fullReading())
	fileReading(t, a, "notes.json", "[1]", &evidence.Reading{State: evidence.Archived, Schema: "other/v1", Text: "docker inspect output with an odd word: heffalump"})
	digest := k.Digest.String()
	tests := []struct {
		name, q string
		want    string // kind of the first hit, "" for none
		pointer evidence.Pointer
		snippet string
	}{
		{"gate", "isolation", "gate", "/gates/1", ""},
		{"gate detail", "runs again", "gate", "/gates/0", "passed · what ran before \x02runs\x03 \x02again\x03 · restore.json"},
		{"sentence", "one machine", "note", "/limitations/0", "\x02one\x03 \x02machine\x03 only"},
		{"beginning of a word", "one mach", "note", "/limitations/0", ""},
		{"words in any order", "only machine", "note", "/limitations/0", ""},
		{"accents", "uber alles", "artifact", "", ""},
		{"capitals", "EXAMPLE CARD", "fact", "/hardware", ""},
		{"decision", "challenger", "decision", "/decision/labels/0", ""},
		{"arm", "mtp3", "arm", "/rows/0", ""},
		{"reason of rejection", "broken object", "arm", "/rows/1", ""},
		{"referenced file", "first.json", "reference", "/evidence/0", ""},
		{"campaign id", "2026-09-01-kestrel", "campaign", "", ""},
		{"campaign title", "two cards", "campaign", "", ""},
		{"file name", "kestrel-summary", "artifact", "", "lab/\x02kestrel-summary\x03.json"},
		{"text of what is only archived", "heffalump", "artifact", "", "docker inspect output with an odd word: \x02heffalump\x03"},
		{"digest", digest, "artifact", "", digest},
		{"digest prefix", digest[:6], "artifact", "", digest},
		{"digest as written elsewhere", "SHA256:" + strings.ToUpper(digest), "artifact", "", digest},
		{"run id", evidence.RunID(k.Digest, 0), "arm", "/rows/0/short", ""},
		{"pointer of a gate", "/gates/0", "gate", "/gates/0", ""},
		{"pointer of a run", "/rows/0/short", "arm", "/rows/0/short", ""},
		{"pointer of a figure", "/rows/0/short/ttft_p50_ms", "arm", "/rows/0/short/ttft_p50_ms", "ttft p50 847.7 ms"},
		{"pointer of a figure beside its run", "/rows/0/low", "arm", "/rows/0/low", ""},
		{"pointer of a fact", "/rows/0/tp", "fact", "/rows/0/tp", ""},
		{"pointer of a fact of a run", "/rows/0/short/requests", "fact", "/rows/0/short/requests", ""},
		{"pointer to nothing", "/rows/7", "", "", ""},
		{"no such word", "jabberwock", "", "", ""},
		{"one word of two", "machine jabberwock", "", "", ""},
		{"too short for a digest", digest[:5], "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hits, total, err := a.Search(t.Context(), tt.q, 0, 20)
			if err != nil {
				t.Fatal(err)
			}
			if len(hits) != total {
				t.Errorf("%d hits of %d", len(hits), total)
			}
			if tt.want == "" {
				if total != 0 {
					t.Errorf("found %+v", hits)
				}
				return
			}
			if total == 0 {
				t.Fatal("nothing found")
			}
			h := hits[0]
			if h.Kind != tt.want || h.Pointer != tt.pointer || tt.snippet != "" && h.Snippet != tt.snippet {
				t.Errorf("found %+v", h)
			}
			if h.Title == "" || (h.Kind != "campaign") != (h.Artifact != evidence.Digest{}) {
				t.Errorf("incomplete hit %+v", h)
			}
		})
	}
}

// TestSearchPages puts pages over several sources together to one list.
func TestSearchPages(t *testing.T) {
	a := openTemp(t)
	for i := range 12 {
		fileReading(t, a, fmt.Sprintf("sweep-%d.json", i), fmt.Sprint(i), syntheticReading("2026-09-01-sweep", i, 1, 1))
	}
	whole, total, err := a.Search(t.Context(), "sweep", 0, 0)
	if err != nil || len(whole) != total || total < 25 {
		t.Fatalf("%d of %d, %v", len(whole), total, err)
	}
	var pages []evidence.SearchHit
	for offset := 0; offset < total; offset += 5 {
		page, n, err := a.Search(t.Context(), "sweep", offset, 5)
		if err != nil || n != total {
			t.Fatalf("%d, %v", n, err)
		}
		pages = append(pages, page...)
	}
	for i := range whole {
		if whole[i] != pages[i] {
			t.Errorf("hit %d is %+v in a page and %+v in the list", i, pages[i], whole[i])
		}
	}
	if hits, n, err := a.Search(t.Context(), "sweep", total+10, 5); err != nil || n != total || len(hits) != 0 {
		t.Errorf("beyond the end: %d of %d, %v", len(hits), n, err)
	}
}

var hostileQueries = []string{
	"", " ", "\t\n", `"`, `""`, `"unclosed`, "*", "a*", "^a", "NEAR(a b)", "a AND", "OR", "NOT a", "title : a", "{title body} : a", "a + b", "(", ")", "-",
	"a\x00b", "\xff\xfe", "'; DROP TABLE run; --", "%", "_", "/", "//", "/~", "/~2", "###", "…", "日本語", "\u202e",
	strings.Repeat("a", 10_000), strings.Repeat("a ", 5_000), strings.Repeat(`"`, 10_000), strings.Repeat("/a", 5_000), "/" + strings.Repeat("a/", 900),
}

func TestSearchHostileQueries(t *testing.T) {
	a := openTemp(t)
	fileReading(t, a, "x.json", "{}", fullReading())
	for _, q := range hostileQueries {
		if _, _, err := a.Search(t.Context(), q, 0, 10); err != nil {
			t.Errorf("%.40q: %v", q, err)
		}
	}
}

func FuzzSearch(f *testing.F) {
	for _, q := range hostileQueries {
		f.Add(q)
	}
	a := openTemp(f)
	fileReading(f, a, "x.json", "{}", fullReading())
	f.Fuzz(func(t *testing.T, q string) {
		if _, _, err := a.Search(t.Context(), q, 0, 10); err != nil {
			t.Errorf("%q: %v", q, err)
		}
	})
}

// TestSearchMarksAreOurs: an artifact cannot forge the marks of found words.
func TestSearchMarksAreOurs(t *testing.T) {
	a := openTemp(t)
	r := fullReading()
	r.Documents[0].Notes[0].Text = "a \x02forged\x03 mark"
	fileReading(t, a, "\x02forged\x03.json", "{}", r)
	hits, _, err := a.Search(t.Context(), "mark", 0, 10)
	if err != nil || len(hits) != 1 || hits[0].Snippet != "a  forged  \x02mark\x03" {
		t.Errorf("%+v, %v", hits, err)
	}
	hits, _, err = a.Search(t.Context(), "forged", 0, 10)
	if err != nil || len(hits) != 2 || strings.ContainsAny(hits[0].Title+hits[0].Snippet, "\x02\x03") {
		t.Errorf("%+v, %v", hits, err)
	}
}
