package lifttest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/ingest/lift"
	"assay/store/evidence"
)

// GoldenText reads testdata files by pattern with the reader of text that matches.
func GoldenText[R lift.TextReader](t *testing.T, readers []R, pattern string) {
	paths := Fixtures(pattern)
	if len(paths) == 0 {
		t.Fatalf("no fixtures %s", pattern)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			d := ReadText(t, readers, data)
			if d == nil {
				t.Fatal("no reader")
			}
			Compare(t, path+".golden", Dump(*d))
		})
	}
}

// ReadText reads a text; it fails the test when several readers match.
func ReadText[R lift.TextReader](tb testing.TB, readers []R, data []byte) *evidence.Document {
	tb.Helper()
	var out *evidence.Document
	for _, r := range readers {
		shape, ok := r.MatchText(data[:min(len(data), 64<<10)])
		if !ok {
			continue
		}
		if out != nil {
			tb.Errorf("%s and %s both match", out.Reader, r.ID())
		}
		d := r.ReadText(data, shape)
		SoundText(tb, data, d)
		out = &d
	}
	return out
}

// SoundText checks that every place is a line and holds the digits that are claimed.
func SoundText(tb testing.TB, data []byte, d evidence.Document) {
	tb.Helper()
	lines := strings.SplitAfter(string(data), "\n")
	at := func(p evidence.Place) (string, bool) {
		tokens := p.Pointer.Tokens()
		if len(tokens) != 2 || tokens[0] != "lines" {
			return "", false
		}
		n := 0
		for _, c := range tokens[1] {
			n = n*10 + int(c-'0')
		}
		if n >= len(lines) {
			return "", false
		}
		if p.Whole() {
			return lines[n], true
		}
		if p.Start < 0 || p.End > len(lines[n]) || p.Start > p.End {
			return "", false
		}
		return lines[n][p.Start:p.End], true
	}
	figures(tb, d, func(m *evidence.Measurement) {
		got, ok := at(m.Place)
		if m.State != evidence.Derived && (!ok || got != m.SourceText) {
			tb.Errorf("%s %s: %q is not %q, which stands at %s", m.Metric, m.Stat, m.SourceText, got, place(m.Place))
		}
	})
	eachFact(d, func(f evidence.Fact) {
		// Bytes that are no text stand at the place and are not shown.
		got, ok := at(f.Place)
		shown := strings.NewReplacer("\uFFFD", "").Replace(strings.ToValidUTF8(got, ""))
		said := strings.NewReplacer("\uFFFD", "").Replace(strings.ToValidUTF8(strings.TrimSuffix(f.SourceText, "…"), ""))
		if !ok || f.State == evidence.Recorded && said != "" && !strings.Contains(shown, said) {
			tb.Errorf("fact %s: %q is not at %s: %q", f.Key, f.SourceText, place(f.Place), got)
		}
	})
	for _, n := range d.NotLifted {
		if got, ok := at(n.Place); !ok || n.Place.End > 0 && got != n.Text {
			tb.Errorf("left %q at %s: %q", n.Text, place(n.Place), got)
		}
	}
}

// FuzzText reads anything that matches with every reader of text.
func FuzzText[R lift.TextReader](f *testing.F, readers []R, pattern string) {
	for _, p := range Fixtures(pattern) {
		if data, err := os.ReadFile(p); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { ReadText(t, readers, data) })
}
