package load_test

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"assay/runner/load"
	"assay/runner/load/frame"
	"assay/runner/load/nullserver"
	"assay/store/evidence"
)

func at(n int) load.Moment { return evidence.Some(time.Duration(n) * ms) }

// streamed is a record of a request sent at 10 ms, due at 8, with outputs at the given
// times and the given tokens each.
func streamed(t *testing.T, end int, outputs []int, tokens []int64, output int64) *load.Record {
	t.Helper()
	r := &load.Record{Phase: load.Measure, Due: 8 * ms, Began: at(9), Sent: at(10), Headers: at(11), FirstChunk: at(12), End: at(end), Closed: at(end), Streamed: true,
		Usage: frame.Usage{Prompt: n64(100), Output: n64(output), Present: true}, Chunks: []load.Chunk{{At: 12 * ms}}}
	for _, o := range outputs {
		r.Chunks = append(r.Chunks, load.Chunk{At: time.Duration(o) * ms, Kind: load.Content})
	}
	if len(outputs) > 0 {
		r.FirstContent, r.LastOutput = at(outputs[0]), at(outputs[len(outputs)-1])
	}
	if tokens == nil {
		return r
	}
	// The counts of chunks are set by the client alone; the raw form is the other way in.
	r.ChunkTokens = load.TokensByUsage
	data, err := r.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range tokens {
		old := []byte(formatChunk(outputs[i], load.Content, -1))
		data = bytes.Replace(data, old, []byte(formatChunk(outputs[i], load.Content|load.Counted, n)), 1)
	}
	if err := r.Unmarshal(data); err != nil {
		t.Fatal(err)
	}
	return r
}

func formatChunk(at int, kind load.ChunkKind, tokens int64) string {
	values := []int64{int64(at) * 1e6, 0, int64(kind)}
	if tokens >= 0 {
		values = append(values, tokens)
	}
	out := "["
	for i, v := range values {
		if i > 0 {
			out += ","
		}
		out += itoa(v)
	}
	return out + "]"
}

func itoa(v int64) string {
	var b [20]byte
	i := len(b)
	for {
		i--
		b[i] = byte('0' + v%10)
		if v /= 10; v == 0 {
			return string(b[i:])
		}
	}
}

func figures(s load.Summary) map[evidence.MetricID]map[evidence.Stat]float64 {
	out := map[evidence.MetricID]map[evidence.Stat]float64{}
	for _, f := range s.Figures {
		if out[f.Metric] == nil {
			out[f.Metric] = map[evidence.Stat]float64{}
		}
		out[f.Metric][f.Stat] = f.Value
	}
	return out
}

func TestFiguresOfOneRequest(t *testing.T) {
	r := streamed(t, 60, []int{30, 40, 50}, []int64{3, 1, 1}, 5)
	got := figures(load.Summarise(slices.Values([]*load.Record{r}), load.SummaryOptions{}))
	want := map[evidence.MetricID]float64{
		evidence.TTFT: 0.020, evidence.TTFO: 0.020, evidence.TTFC: 0.002, evidence.E2E: 0.050, evidence.Generation: 0.030,
		evidence.TPOT: 0.030 / 4, evidence.TPOTInclusive: 0.040 / 5, evidence.DecodeRate: 4 / 0.030, evidence.EffectivePrefillRate: 100 / 0.020,
		evidence.E2EFromDue: 0.052, evidence.TTFOFromDue: 0.022, evidence.PromptTokens: 100, evidence.OutputTokens: 5,
	}
	for id, v := range want {
		if g, ok := got[id][evidence.Single]; !ok || math.Abs(g-v) > 1e-12*math.Max(1, v) {
			t.Errorf("%s is %v (%v), want %v", id, g, ok, v)
		}
	}
	// Five tokens: three at 30 ms, then one at 40 and at 50.
	if diff := cmp.Diff(map[evidence.Stat]float64{evidence.Mean: 0.005, evidence.P50: 0, evidence.P95: 0.010, evidence.P99: 0.010, evidence.Min: 0, evidence.Max: 0.010},
		got[evidence.ITLToken], cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("itl_token:\n%s", diff)
	}
	if diff := cmp.Diff(map[evidence.Stat]float64{evidence.Mean: 0.010, evidence.P50: 0.010, evidence.P95: 0.010, evidence.P99: 0.010, evidence.Min: 0.010, evidence.Max: 0.010},
		got[evidence.ITLChunk], cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("itl_chunk:\n%s", diff)
	}
	for id, v := range map[evidence.MetricID]float64{evidence.OutputThroughput: 5 / 0.05, evidence.TotalThroughput: 105 / 0.05, evidence.RequestThroughput: 1 / 0.05} {
		if g := got[id][evidence.Total]; math.Abs(g-v) > 1e-9 {
			t.Errorf("%s is %v, want %v", id, g, v)
		}
	}
}

func TestAbsentWhereNotDefined(t *testing.T) {
	failed := streamed(t, 60, []int{30}, nil, 5)
	failed.Class = load.Reset
	noUsage := streamed(t, 60, []int{30, 40}, nil, 5)
	noUsage.Usage, noUsage.Class = frame.Usage{}, load.NoUsage
	whole := streamed(t, 60, nil, nil, 5)
	whole.FirstChunk, whole.Chunks = load.Moment{}, nil
	tests := []struct {
		name   string
		r      *load.Record
		absent []evidence.MetricID
		there  []evidence.MetricID
	}{
		{"failed", failed, []evidence.MetricID{evidence.TTFT, evidence.E2E, evidence.OutputTokens, evidence.RequestThroughput, evidence.OutputThroughput, evidence.ITLChunk}, nil},
		{"no usage", noUsage, []evidence.MetricID{evidence.TPOT, evidence.DecodeRate, evidence.OutputTokens, evidence.PromptTokens, evidence.OutputThroughput, evidence.TotalThroughput, evidence.EffectivePrefillRate, evidence.ITLToken},
			[]evidence.MetricID{evidence.TTFT, evidence.E2E, evidence.ITLChunk, evidence.RequestThroughput}},
		{"not streamed", whole, []evidence.MetricID{evidence.TTFT, evidence.TTFC, evidence.TTFO, evidence.Generation, evidence.TPOT, evidence.DecodeRate, evidence.ITLChunk, evidence.ITLToken},
			[]evidence.MetricID{evidence.E2E, evidence.OutputThroughput}},
		{"one token", streamed(t, 60, []int{60}, nil, 1), []evidence.MetricID{evidence.TPOT, evidence.DecodeRate, evidence.ITLChunk, evidence.ITLToken, evidence.Goodput}, []evidence.MetricID{evidence.TTFT, evidence.TPOTInclusive}},
		{"all in one chunk at the end", streamed(t, 60, []int{60}, nil, 9), []evidence.MetricID{evidence.TPOT, evidence.DecodeRate}, []evidence.MetricID{evidence.Generation}},
		{"chunk counts that do not add up", streamed(t, 60, []int{30, 40}, []int64{1, 1}, 9), []evidence.MetricID{evidence.ITLToken}, []evidence.MetricID{evidence.TPOT}},
	}
	for _, tt := range tests {
		got := figures(load.Summarise(slices.Values([]*load.Record{tt.r}), load.SummaryOptions{}))
		for _, id := range tt.absent {
			if v, ok := got[id]; ok {
				t.Errorf("%s: %s is %v, want it absent", tt.name, id, v)
			}
		}
		for _, id := range tt.there {
			if _, ok := got[id]; !ok {
				t.Errorf("%s: %s is absent", tt.name, id)
			}
		}
	}
}

func TestGoodput(t *testing.T) {
	records := []*load.Record{streamed(t, 60, []int{30, 50}, nil, 5), streamed(t, 110, []int{80, 90}, nil, 5), streamed(t, 60, nil, nil, 5)}
	o := &load.Objective{TTFT: evidence.Some(25 * ms)}
	got := figures(load.Summarise(slices.Values(records), load.SummaryOptions{Objective: o}))
	if g := got[evidence.Goodput][evidence.Total]; math.Abs(g-1/0.1) > 1e-9 {
		t.Errorf("goodput %v: one of three meets 25 ms, one says nothing, wall is 0.1 s", g)
	}
}

// TestFiguresAreOfTheRecordsAlone runs a load, writes its records, reads them again,
// shuffles them, and computes percentiles another way.
func TestFiguresAreOfTheRecordsAlone(t *testing.T) {
	keep, raw := &load.Keep{}, &bytes.Buffer{}
	_, err := load.Run(context.Background(), load.Options{Client: null(t), Source: repeat(nullserver.Body(6, 2*ms)), Sink: both{keep, load.Lines{W: raw}},
		Plan: load.Plan{Concurrency: 16, Warmup: load.Span{Requests: 10}, Measure: load.Span{Requests: 333}}})
	if err != nil {
		t.Fatal(err)
	}
	live := load.Summarise(slices.Values(keep.Records), load.SummaryOptions{})
	var again []*load.Record
	for r, err := range load.ReadLines(raw.Bytes()) {
		if err != nil {
			t.Fatal(err)
		}
		again = append(again, r)
	}
	if diff := cmp.Diff(keep.Records, again, cmp.AllowUnexported(load.Chunk{}), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("records read again differ:\n%.3000s", diff)
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(again), func(i, j int) { again[i], again[j] = again[j], again[i] })
	if diff := cmp.Diff(live, load.Summarise(slices.Values(again), load.SummaryOptions{})); diff != "" {
		t.Errorf("figures from raw records differ:\n%s", diff)
	}
	independent(t, live, again)
}

// independent computes three figures from raw times in its own way.
func independent(t *testing.T, s load.Summary, records []*load.Record) {
	t.Helper()
	var ttft []float64
	var tokens int64
	first, last := time.Duration(1<<62), time.Duration(0)
	for _, r := range records {
		if r.Phase != load.Measure {
			continue
		}
		ttft = append(ttft, float64((r.FirstContent.V-r.Sent.V).Nanoseconds())/1e9)
		tokens += r.Usage.Output.V
		first, last = min(first, r.Sent.V), max(last, r.End.V)
	}
	sort.Float64s(ttft)
	got := figures(s)
	for stat, q := range map[evidence.Stat]float64{evidence.P50: 0.5, evidence.P95: 0.95, evidence.P99: 0.99} {
		want := ttft[sort.Search(len(ttft), func(i int) bool { return float64(i+1) >= q*float64(len(ttft)) })]
		if got[evidence.TTFT][stat] != want {
			t.Errorf("ttft %s is %v, want %v", stat, got[evidence.TTFT][stat], want)
		}
	}
	if want := float64(tokens) / (float64(last-first) / 1e9); got[evidence.OutputThroughput][evidence.Total] != want {
		t.Errorf("output throughput %v, want %v", got[evidence.OutputThroughput], want)
	}
}

type both [2]load.Sink

func (b both) Take(r *load.Record) error {
	if err := b[0].Take(r); err != nil {
		return err
	}
	return b[1].Take(r)
}

func TestRecordsOfEveryKindComeBack(t *testing.T) {
	for _, set := range [][]truth{truths, faults} {
		_, client := play(t, faultLimits, load.Policy{Fresh: true}, set)
		for i, tt := range set {
			if tt.name == "endless" || tt.name == "huge chunk" {
				continue
			}
			rec := ask(client, load.NewClock(time.Now()), tt, i, context.Background())
			data, err := rec.Marshal()
			if err != nil {
				t.Fatal(err)
			}
			var back load.Record
			if err := back.Unmarshal(data); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(rec, &back, cmp.AllowUnexported(load.Chunk{}), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s:\n%s", tt.name, diff)
			}
		}
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	for _, bad := range []string{"", "[]", `{"chunks":[[1,2]]}`, `{"chunks":[[1,2,3,4]]}`, `{"chunks":[[1,-2,1]]}`, `{"chunks":[[1,2,33,-1]]}`, `{"due_ns":1.5}`} {
		if err := new(load.Record).Unmarshal([]byte(bad)); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
