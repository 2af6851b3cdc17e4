package ingest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"assay/ingest"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// manyRows is a document of short rows with five figures each.
func manyRows(rows int) string {
	var b strings.Builder
	b.WriteString(`{"rows":[`)
	for i := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"name":"a","ttft_ms":%d,"ttft_p95_ms":2,"e2e_s":3,"decode_tok_s":4,"output_tok_s":5}`, i)
	}
	return b.String() + `],"schema":"lab.rows/v1"}`
}

// countingReader remembers the most rows that it was ever given.
type countingReader struct {
	labReader
	most *atomic.Int64
}

func (c countingReader) Read(v *jsondoc.Node, root evidence.Pointer, shape string) evidence.Document {
	c.most.Store(max(c.most.Load(), int64(len(v.Get("rows").Children))))
	return c.labReader.Read(v, root, shape)
}

// TestTooLargeToRead gives documents that a reader knows and that bring too much: they
// are kept, nothing of them is built, and a finding names reader and bound.
func TestTooLargeToRead(t *testing.T) {
	if testing.Short() {
		t.Skip("reads documents of many rows")
	}
	tests := []struct {
		name, text string
		runs       int
		most       int64
		says       []string
	}{
		{"below the bounds", manyRows(20_000), 20_000, 20_000, nil},
		{"too many figures", manyRows(110_000), 0, 110_000 / 16, []string{"lab/rows@1 knows", "would give about 770001 figures and facts", "at most ", "Split"}},
		{"too many values", manyRows(150_000), 0, 0, []string{"lab/rows@1 knows", "it holds 1050003 members and items", "at most 1000000 are read", "Split"}},
		{"nobody's", strings.Replace(manyRows(150_000), "lab.rows", "else.rows", 1), 0, 0, []string{"no reader is asked about", "it holds 1050003 members and items"}},
		{"too many in all", strings.Repeat(manyRows(25_000)+"\n", 7), 0, 25_000, []string{"lab/rows@1 knows", "would give about 175001 figures and facts, 875005 with what stands before it"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			most := &atomic.Int64{}
			r := take(t, newArchive(t), ingest.Options{Readers: []ingest.Reader{countingReader{most: most}}}, blob("a", tt.text))
			f := r.Files[0]
			if f.Runs != tt.runs || most.Load() != tt.most {
				t.Errorf("%s with %d runs, the reader was given %d rows; want %d and %d: %v", f.State, f.Runs, most.Load(), tt.runs, tt.most, f.Findings)
			}
			if len(tt.says) == 0 {
				return
			}
			var said string
			for _, x := range f.Findings {
				if x.Code == ingest.CodeNotRead && x.Severity == evidence.Warning {
					said = x.Message
				}
			}
			for _, want := range tt.says {
				if !strings.Contains(said, want) {
					t.Errorf("%q does not say %q", said, want)
				}
			}
			if f.State != evidence.Archived {
				t.Errorf("ends %s", f.State)
			}
		})
	}
}

// TestTenThousandRows reads the example summary with its rows repeated.
func TestTenThousandRows(t *testing.T) {
	if testing.Short() {
		t.Skip("commits 350,000 rows")
	}
	a := newArchive(t)
	f := take(t, a, ingest.Options{}, ingest.Blob("summary.json", "file", repeatedSummary(t, 10_000))).Files[0]
	if f.State != evidence.Accepted || f.Runs < 20_000 {
		t.Errorf("%s, %d runs, %v", f.State, f.Runs, f.Findings)
	}
	if n, err := a.Counts(context.Background()); err != nil || n.Arms != 10_000 || n.Runs != int64(f.Runs) || n.Measurements < 80_000 {
		t.Errorf("%+v, %v", n, err)
	}
}

// repeatedSummary is the TP x MTP summary of the examples with its rows repeated.
func repeatedSummary(tb testing.TB, rows int) []byte {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("..", "assets", "example", "tp-mtp-matrix.json"))
	if err != nil {
		tb.Fatal(err)
	}
	var doc map[string]json.RawMessage
	var own, all []json.RawMessage
	if err := errors.Join(json.Unmarshal(text, &doc), json.Unmarshal(doc["results"], &own)); err != nil {
		tb.Fatal(err)
	}
	for len(all) < rows {
		all = append(all, own[len(all)%len(own)])
	}
	if doc["results"], err = json.Marshal(all); err != nil {
		tb.Fatal(err)
	}
	if text, err = json.Marshal(doc); err != nil {
		tb.Fatal(err)
	}
	return text
}
