package document_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/ingest/artifact"
	"assay/runner/load"
	"assay/runner/load/document"
)

// TestTokenGaps: gaps between chunks are those between tokens only where every chunk has
// one.
func TestTokenGaps(t *testing.T) {
	for _, tc := range []struct {
		tokens []int64
		want   int64 // values of itl_token; those of itl_chunk are 2 in any case
	}{{[]int64{1, 1, 1}, 2}, {[]int64{2, 1, 1}, 0}, {[]int64{1, 0, 1}, 0}, {nil, 0}} {
		zero, end, n := int64(0), int64(9e6), int64(3)
		rows := []artifact.Request{{Window: "measure", Sent: &zero, Visible: &zero, End: &end, Chunks: []int64{1e6, 2e6, 5e6}, Tokens: tc.tokens, OutputTokens: &n, TokensFrom: "usage"}}
		got := map[string]int64{}
		for _, f := range document.Figures(rows, []artifact.Window{{Name: "measure", End: 9e6}}) {
			got[f.Metric] = max(got[f.Metric], f.N)
		}
		if got["itl_token"] != tc.want || got["itl_chunk"] != 2 {
			t.Errorf("counts %v give %d gaps of tokens and %d of chunks, want %d and 2", tc.tokens, got["itl_token"], got["itl_chunk"], tc.want)
		}
	}
}

// TestChunkCounts: counts that some chunk lacks, or that do not add up to the answer's over
// the chunks with output, are no counts. Kind 33 is counted content, 32 counts alone.
func TestChunkCounts(t *testing.T) {
	for _, tc := range []struct {
		name, chunks string
		want         []int64
	}{
		{"add up", `[[1,9,33,2],[2,9,33,1]]`, []int64{2, 1}},
		{"first without tokens", `[[1,9,33,0],[2,9,33,3]]`, []int64{0, 3}},
		{"one is not counted", `[[1,9,33,3],[2,9,1]]`, nil},
		{"too few", `[[1,9,33,1],[2,9,33,1]]`, nil},
		{"one counts tokens of no output", `[[1,9,33,1],[2,9,33,1],[3,9,32,1]]`, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var r load.Record
			if err := r.Unmarshal([]byte(`{"index":0,"phase":"measure","usage":{"completion_tokens":3},"chunks":` + tc.chunks + `}`)); err != nil {
				t.Fatal(err)
			}
			rows, err := document.Requests(slices.Values([]*load.Record{&r}), nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, rows[0].Tokens); diff != "" || len(rows[0].Chunks) != 2 {
				t.Errorf("%d chunks with output (-want +got):\n%s", len(rows[0].Chunks), diff)
			}
		})
	}
}

// TestOpenLoopOrder: what an open loop sends before its measured window is one warm-up.
func TestOpenLoopOrder(t *testing.T) {
	ms := time.Millisecond
	rows := []artifact.Request{{Index: 0, Window: "ramp"}, {Index: 1, Window: "warm-up"}, {Index: 2, Window: "measure"}}
	got := document.Windows([]load.Window{{Phase: load.Ramp, From: ms, To: 5 * ms}, {Phase: load.Warmup, From: 5 * ms, To: 7 * ms},
		{Phase: load.Measure, From: 7 * ms, To: 9 * ms}, {Phase: load.Drain, From: 9 * ms, To: 9 * ms}}, rows)
	want := []artifact.Window{{Name: "warm-up", Start: 1e6, End: 7e6}, {Name: "measure", Start: 7e6, End: 9e6}, {Name: "drain", Start: 9e6, End: 9e6}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if names := []string{rows[0].Window, rows[1].Window, rows[2].Window}; !slices.Equal(names, []string{"warm-up", "warm-up", "measure"}) {
		t.Errorf("rows are in %q", names)
	}
}
