package document_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/ingest/artifact"
	"assay/ingest/artifact/artifacttest"
	"assay/ingest/assayrun"
	"assay/ingest/jsondoc"
	"assay/runner/load"
	"assay/runner/load/document"
	"assay/runner/load/nullserver"
	"assay/runner/load/pace"
	"assay/store/evidence"
)

type repeat []byte

func (r repeat) Request(int) (load.Request, error) {
	return load.Request{API: load.Chat, Body: r}, nil
}

// carried out a plan against a null server, as the parts of an artifact.
func carriedOut(t *testing.T, p load.Plan) (*artifact.Run, []*load.Record, *load.Outcome) {
	t.Helper()
	s, err := nullserver.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	client, err := load.NewClient(load.Target{Endpoint: s.URL()}, "document")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	keep := &load.Keep{}
	out, err := load.Run(context.Background(), load.Options{Client: client, Source: repeat(nullserver.Body(4, 2*time.Millisecond)), Sink: keep, Plan: p})
	if err != nil {
		t.Fatal(err)
	}
	r := artifacttest.Run()
	put(t, r, keep.Records, out)
	return r, keep.Records, out
}

func put(t *testing.T, r *artifact.Run, records []*load.Record, out *load.Outcome) {
	t.Helper()
	rows, err := document.Requests(slices.Values(records), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Windows = document.Windows(out.Windows, rows)
	r.Requests, r.Summary, r.Client.Health = rows, document.Figures(rows, r.Windows), document.Health(out, rows)
	done, failed := 0, 0
	for _, q := range rows {
		switch {
		case q.Window != "measure":
		case q.Error == "":
			done++
		default:
			failed++
		}
	}
	r.Facts.Set(evidence.KeyCompleted, fmt.Sprint(done), "rows")
	r.Facts.Set(evidence.KeyFailed, fmt.Sprint(failed), "rows")
}

// disagreements are what the archive's reader finds when it computes the figures again.
func disagreements(t *testing.T, r *artifact.Run) (out []string) {
	t.Helper()
	data, err := artifact.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	v := jsondoc.Parse(data, jsondoc.Limits{}).Root()
	reader := assayrun.Readers()[0]
	shape, ok := reader.Match(artifact.Label, v)
	if !ok {
		t.Fatal("the reader does not take the document")
	}
	for _, f := range reader.Read(v, "", shape).Findings {
		if f.Code != "client-saturated" { // of a busy machine that may well be true
			out = append(out, f.Code+": "+f.Message)
		}
	}
	return out
}

func TestReaderAgrees(t *testing.T) {
	for name, p := range map[string]load.Plan{
		"closed":       {Concurrency: 3, Warmup: load.Span{Requests: 3}, Measure: load.Span{Requests: 20}},
		"closed, ramp": {Concurrency: 4, Ramp: 30 * time.Millisecond, Measure: load.Span{For: 100 * time.Millisecond}},
		"one request":  {Concurrency: 1, Measure: load.Span{Requests: 1}},
		"open": {Pacer: pace.Arrivals{Process: pace.Poisson, PerSecond: 200, Seed: 3, Ramp: 50 * time.Millisecond}, Ramp: 50 * time.Millisecond,
			Warmup: load.Span{For: 50 * time.Millisecond}, Measure: load.Span{For: 200 * time.Millisecond}},
	} {
		t.Run(name, func(t *testing.T) {
			r, records, out := carriedOut(t, p)
			if bad := disagreements(t, r); len(bad) > 0 {
				t.Errorf("the reader finds %q", bad)
			}
			value := map[[2]string]artifact.Figure{}
			for _, f := range r.Summary {
				value[[2]string{f.Metric, f.Stat}] = f
			}
			// The same of the records themselves, by another way.
			n, sum, last := 0, 0.0, int64(0)
			for _, rec := range records {
				if rec.Phase == load.Measure {
					n++
					sum += load.Value(rec, evidence.E2E).V
					last = max(last, int64(rec.End.V))
				}
			}
			stat := "mean"
			if n == 1 {
				stat = "single"
			}
			if f := value[[2]string{"e2e", stat}]; f.N != int64(n) || n == 0 || abs(*f.Value-sum/float64(n)) > 1e-12 {
				t.Errorf("e2e is %+v, the %d records have mean %v", f, n, sum/float64(n))
			}
			i := slices.IndexFunc(r.Windows, func(w artifact.Window) bool { return w.Name == "measure" })
			if r.Windows[i].End < last {
				t.Errorf("the measured window ends at %d, its last request at %d", r.Windows[i].End, last)
			}
			if open := out.Loop[:4] == "open"; open != (r.Client.Health.OfferedRate != nil) || r.Client.Health.SendLag.N != int64(n) {
				t.Errorf("health %+v of %s with %d requests", r.Client.Health, out.Loop, n)
			}
		})
	}
}

func abs(v float64) float64 { return max(v, -v) }

func at(ms int) load.Moment { return evidence.Some(time.Duration(ms) * time.Millisecond) }

// record is an answer of two tokens, as an engine that counts no chunks gives it.
func record(index int, change func(*load.Record)) *load.Record {
	r := &load.Record{Index: index, Phase: load.Measure, Sent: at(10), Headers: at(20), FirstChunk: at(30), FirstContent: at(40), LastOutput: at(50), End: at(60),
		Closed: at(60), Status: 200, Chunks: []load.Chunk{{At: 30e6}, {At: 40e6, Kind: load.Content}, {At: 50e6, Kind: load.Content}}}
	r.Usage.Prompt, r.Usage.Output = evidence.Some(int64(8)), evidence.Some(int64(2))
	if change != nil {
		change(r)
	}
	return r
}

func TestRows(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*load.Record)
		want   func(*artifact.Request)
	}{
		{"whole", nil, func(*artifact.Request) {}},
		{"no usage is no failure", func(r *load.Record) { r.Class = load.NoUsage; r.Usage.Prompt.OK, r.Usage.Output.OK = false, false },
			func(q *artifact.Request) { q.TokensFrom, q.PromptTokens, q.OutputTokens = "none", nil, nil }},
		{"token ids", func(r *load.Record) { r.Usage.Output.OK = false; r.TokenIDs = evidence.Some(int64(2)) },
			func(q *artifact.Request) { q.TokensFrom = "token-ids" }},
		{"refused", func(r *load.Record) {
			*r = load.Record{Phase: load.Measure, Sent: at(10), Headers: at(20), Closed: at(21), Status: 429, Class: load.HTTP429, Cause: "busy"}
		}, func(q *artifact.Request) {
			h, s := int64(20e6), int64(10e6)
			*q = artifact.Request{Window: "measure", Sent: &s, Headers: &h, Chunks: []int64{}, TokensFrom: "none", HTTPStatus: 429, Error: "http-429", Detail: "busy", Canary: "not-asked", NewConn: true}
		}},
		{"tried again", func(r *load.Record) {
			r.Attempts = []load.Attempt{{Sent: 5, Failed: 6, Class: load.HalfClosed, Cause: "gone"}}
		}, func(q *artifact.Request) { q.Retries, q.Detail = 1, "tried at 5 ns, half-closed: gone" }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rows, err := document.Requests(slices.Values([]*load.Record{record(0, tc.change)}), nil)
			if err != nil {
				t.Fatal(err)
			}
			ns := func(ms int64) *int64 { ms *= 1e6; return &ms }
			two, eight := int64(2), int64(8)
			want := artifact.Request{Window: "measure", Sent: ns(10), Headers: ns(20), Chunk: ns(30), Visible: ns(40), LastToken: ns(50), End: ns(60),
				Chunks: []int64{40e6, 50e6}, PromptTokens: &eight, OutputTokens: &two, TokensFrom: "usage", HTTPStatus: 200, Canary: "not-asked", NewConn: true}
			tc.want(&want)
			if diff := cmp.Diff(want, rows[0]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRecordsMissing(t *testing.T) {
	for _, list := range [][]*load.Record{{record(1, nil)}, {record(0, nil), record(0, nil)}, {record(2, nil), record(0, nil)}} {
		if rows, err := document.Requests(slices.Values(list), nil); err == nil {
			t.Errorf("%d records with holes become %d rows", len(list), len(rows))
		}
	}
}

// TestAbsent: what nobody counted is absent with a reason, and the reader agrees with what
// is left.
func TestAbsent(t *testing.T) {
	records := []*load.Record{record(0, nil), record(1, func(r *load.Record) { r.Class = load.NoUsage; r.Usage.Output.OK = false }),
		record(2, func(r *load.Record) { r.Class, r.End = load.Reset, load.Moment{} })}
	r := artifacttest.Run()
	put(t, r, records, &load.Outcome{Windows: []load.Window{{Phase: load.Measure, To: 50 * time.Millisecond}, {Phase: load.Drain, From: 50 * time.Millisecond, To: 60 * time.Millisecond}}})
	if bad := disagreements(t, r); len(bad) > 0 {
		t.Errorf("the reader finds %q", bad)
	}
	got := map[string]artifact.Figure{}
	for _, f := range r.Summary {
		got[f.Metric+" "+f.Stat] = f
	}
	for _, name := range []string{"output_throughput total", "total_throughput total", "itl_token mean"} {
		if f, ok := got[name]; !ok || f.Value != nil || f.Why == "" {
			t.Errorf("%s is %+v, want absent with a reason", name, f)
		}
	}
	if f := got["request_throughput total"]; f.Value == nil || abs(*f.Value-2/0.06) > 1e-9 {
		t.Errorf("request_throughput is %+v, want 2 requests in 60 ms", f)
	}
	if f := got["tpot single"]; f.Value == nil || *f.Value != 0.02 || f.N != 1 {
		t.Errorf("tpot is %+v, want 0.02 of one request", f)
	}
}
