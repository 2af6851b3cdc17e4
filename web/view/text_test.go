package view

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
)

func TestWords(t *testing.T) {
	tests := []struct {
		name, in string
		limit    int
		want     Text
	}{
		{"plain", "one two", 10, Text{Parts: []Part{{Text: "one two"}}}},
		{"empty", "", 10, Text{}},
		{"white space", " \n\u00a0", 10, Text{Parts: []Part{{Text: "blank", Control: true}}}},
		{"override", "a\u202eb", 10, Text{Parts: []Part{{Text: "a"}, {Text: "U+202E", Control: true}, {Text: "b"}}}},
		{"nul and tab", "\x00\t", 10, Text{Parts: []Part{{Text: "U+0000", Control: true}, {Text: "\t"}}}},
		{"joiners stay", "👩\u200d💻", 10, Text{Parts: []Part{{Text: "👩\u200d💻"}}}},
		{"broken bytes", "a\xffb", 10, Text{Parts: []Part{{Text: "a"}, {Text: "U+FFFD", Control: true}, {Text: "b"}}}},
		{"cut between characters", "äöü", 2, Text{Parts: []Part{{Text: "äö"}}, Rest: "1 more character", RestHref: "/x"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, Words(tt.in, tt.limit, "/x")); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestSentence(t *testing.T) {
	d := evidence.DigestOf([]byte("x"))
	p := evidence.At("/s/0")
	figure := func(start, end int) evidence.RunRow {
		return evidence.RunRow{Measurements: []evidence.MeasurementRow{{
			Measurement: evidence.Measurement{Metric: evidence.TTFT, Stat: evidence.P50, Place: evidence.InText("/s/0", start, end)},
			Source:      evidence.Source{Artifact: d},
		}}}
	}
	const s = "from 75.3 to 165.9 tok/s"
	tests := []struct {
		name string
		runs []evidence.RunRow
		want []string // "[...]" is a door of its own
	}{
		{"none", nil, []string{s}},
		{"two", []evidence.RunRow{figure(13, 18), figure(5, 9)}, []string{"from ", "[75.3]", " to ", "[165.9]", " tok/s"}},
		{"at the ends", []evidence.RunRow{figure(0, 4), figure(19, 24)}, []string{"[from]", " 75.3 to 165.9 ", "[tok/s]"}},
		{"overlapping", []evidence.RunRow{figure(5, 9), figure(5, 18)}, []string{"from ", "[75.3]", " to 165.9 tok/s"}},
		{"twice the same", []evidence.RunRow{figure(5, 9), figure(5, 9)}, []string{"from ", "[75.3]", " to 165.9 tok/s"}},
		{"beyond the end", []evidence.RunRow{figure(20, 99)}, []string{s}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := BuildMarks(tt.runs, nil).Sentence(s, d, p)
			var got []string
			for _, x := range text.Parts {
				if x.Href == "" {
					t.Errorf("%q has no address", x.Text)
				}
				if x.Mark {
					x.Text = "[" + x.Text + "]"
				}
				got = append(got, x.Text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSentenceSplitsNoCharacter(t *testing.T) {
	d := evidence.DigestOf([]byte("x"))
	m := Marks{markKey{d, "/s"}: []mark{{start: 1, end: 2}}}
	if got := m.Sentence("äö", d, evidence.At("/s")).String(); !strings.HasPrefix(got, "U+FFFD") && got != "äö" {
		t.Errorf("a mark inside a character gives %q", got)
	}
}

func TestAddresses(t *testing.T) {
	d := evidence.DigestOf([]byte("x"))
	long := evidence.Pointer("/a").Key(strings.Repeat("k", maxPointer))
	tests := []struct{ name, got, want string }{
		{"place", PlaceURL(d, evidence.At("/a b/~1&?#")), "/artifact/" + d.String() + "?p=%2Fa+b%2F~1%26%3F%23#place"},
		{"in text", PlaceURL(d, evidence.InText("/a", 3, 7)), "/artifact/" + d.String() + "?p=%2Fa&s=3&e=7#place"},
		{"whole document", PlaceURL(d, evidence.At("")), "/artifact/" + d.String() + "?p=#place"},
		{"pointer too long", PlaceURL(d, evidence.At(long)), "/artifact/" + d.String() + "?p=%2Fa#place"},
		{"campaign", CampaignURL("a/b c?"), "/campaigns/a%2Fb%20c%3F"},
		{"dots", CampaignURL("..", d), "/campaigns/" + d.String()},
		{"control characters", CampaignURL("a\u202e", d), "/campaigns/" + d.String()},
		{"campaign too long", CampaignURL(strings.Repeat("x", 201), d), "/campaigns/" + d.String()},
		{"defaults left out", Query("/runs", "a", "", "b", "x y", "c", ""), "/runs?b=x+y"},
		{"export", ListExports("runs", "", evidence.Filter{Campaign: "c", Class: "k"}).CSV, "/export/runs.csv?campaign=c&class=k"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}

func TestPager(t *testing.T) {
	at := func(p string) string { return "?" + p }
	tests := []struct {
		page, total int
		want        Pager
	}{
		{1, 0, Pager{Words: "0 of 0"}},
		{1, 50, Pager{Words: "1 to 50 of 50"}},
		{1, 51, Pager{Words: "1 to 50 of 51", Next: "?2"}},
		{2, 1051, Pager{Words: "51 to 100 of 1,051", Prev: "?", Next: "?3"}},
		{22, 1051, Pager{Words: "1,051 to 1,051 of 1,051", Prev: "?21"}},
		{99, 51, Pager{Words: "0 of 51", Prev: "?"}},
	}
	for _, tt := range tests {
		if d := cmp.Diff(tt.want, BuildPager(tt.page, 50, tt.total, at)); d != "" {
			t.Errorf("page %d of %d: %s", tt.page, tt.total, d)
		}
	}
}

func TestOpenPager(t *testing.T) {
	at := func(p string) string { return "?" + p }
	for _, tt := range []struct {
		page, shown int
		want        Pager
	}{
		{1, 50, Pager{Words: "1 to 50, and more", Next: "?2"}},
		{3, 50, Pager{Words: "101 to 150, and more", Prev: "?2", Next: "?4"}},
		{9, 0, Pager{Words: "none here", Prev: "?8"}},
	} {
		if d := cmp.Diff(tt.want, OpenPager(tt.page, 50, tt.shown, at)); d != "" {
			t.Errorf("page %d: %s", tt.page, d)
		}
	}
}
