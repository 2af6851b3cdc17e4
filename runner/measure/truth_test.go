package measure

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"assay/ingest/artifact"
)

// raw is what an outsider sees in a line of the sidecar.
type raw struct {
	Phase   string `json:"phase"`
	Class   string `json:"class"`
	Sent    *int64 `json:"sent_ns"`
	Content *int64 `json:"first_content_ns"`
	Chunk   *int64 `json:"first_chunk_ns"`
	End     *int64 `json:"end_ns"`
	Usage   struct {
		Prompt int64 `json:"prompt_tokens"`
		Output int64 `json:"completion_tokens"`
	} `json:"usage"`
	Chunks [][]int64 `json:"chunks"`
}

// TestFiguresFromRawSamples computes figures from the sidecar alone, with nothing of ours
// but the text of the definitions, and holds them against the summary: they are equal, not
// close.
func TestFiguresFromRawSamples(t *testing.T) {
	endpoint := &fake{slow: 300_000}
	o := options(t, endpoint.start(t))
	for _, f := range measured(t, o).Files {
		rows := readRaw(t, filepath.Join(o.Folder, f.Run.Sidecars[0].Name))
		values := map[string][]float64{}
		put := func(metric string, v float64) { values[metric] = append(values[metric], v) }
		tokens, prompts := 0.0, 0.0
		for _, r := range rows {
			if r.Phase != "measure" || r.Class != "" {
				continue
			}
			ttft, e2e := float64(*r.Content-*r.Sent)/1e9, float64(*r.End-*r.Sent)/1e9
			decode := float64(*r.End-*r.Content) / 1e9
			put("ttft", ttft)
			put("ttfo", ttft)
			put("ttfc", float64(*r.Chunk-*r.Sent)/1e9)
			put("e2e", e2e)
			put("generation", decode)
			put("tpot", decode/float64(r.Usage.Output-1))
			put("decode_rate", float64(r.Usage.Output-1)/decode)
			put("effective_prefill_rate", float64(r.Usage.Prompt)/ttft)
			tokens += float64(r.Usage.Output)
			prompts += float64(r.Usage.Prompt)
			last := int64(-1)
			for _, c := range r.Chunks {
				const carriesOutput = 1 | 2 | 4 // content, reasoning, tool call
				if c[2]&carriesOutput == 0 {
					continue
				}
				if last >= 0 {
					put("itl_chunk", float64(c[0]-last)/1e9)
				}
				last = c[0]
			}
		}
		var wall float64
		for _, w := range f.Run.Windows {
			if w.Name == "measure" {
				wall = float64(w.End-w.Start) / 1e9
			}
		}
		compared := 0
		for _, figure := range f.Run.Summary {
			if figure.Value == nil {
				continue
			}
			want, ok := expect(figure, values[figure.Metric])
			switch figure.Metric {
			case "output_throughput":
				want, ok = tokens/wall, true
			case "total_throughput":
				want, ok = (tokens+prompts)/wall, true
			case "input_throughput":
				want, ok = prompts/wall, true
			case "request_throughput":
				want, ok = float64(len(values["e2e"]))/wall, true
			case "ttfo_from_due", "e2e_from_due":
				continue // of the schedule, which the raw line has as due_ns; see load's own tests
			}
			if !ok {
				t.Errorf("%s %s: an outsider cannot compute it", figure.Metric, figure.Stat)
				continue
			}
			compared++
			if want != *figure.Value {
				t.Errorf("%s %s is %v, the raw samples say %v", figure.Metric, figure.Stat, *figure.Value, want)
			}
		}
		if compared < 40 {
			t.Errorf("only %d figures were compared", compared)
		}
	}
}

// expect is a statistic by its textbook definition; means add up in the order of requests.
func expect(f artifact.Figure, v []float64) (float64, bool) {
	if len(v) == 0 {
		return 0, false
	}
	sorted := slices.Sorted(slices.Values(v))
	rank := func(q float64) float64 { return sorted[int(math.Ceil(q*float64(len(v))))-1] }
	switch f.Stat {
	case "p50":
		return rank(0.5), true
	case "p95":
		return rank(0.95), true
	case "p99":
		return rank(0.99), true
	case "min":
		return sorted[0], true
	case "max":
		return sorted[len(v)-1], true
	case "mean":
		sum := 0.0
		for _, x := range v {
			sum += x
		}
		return sum / float64(len(v)), true
	}
	return 0, false
}

func readRaw(t *testing.T, path string) []raw {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	type numbered struct {
		Index int `json:"index"`
		raw
	}
	var list []numbered
	lines := bufio.NewScanner(zip)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var n numbered
		if err := json.Unmarshal(lines.Bytes(), &n); err != nil {
			t.Fatal(err)
		}
		list = append(list, n)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(list, func(a, b numbered) int { return a.Index - b.Index })
	out := make([]raw, len(list))
	for i, n := range list {
		out[i] = n.raw
	}
	return out
}
