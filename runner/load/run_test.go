package load_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/runner/load"
	"assay/runner/load/nullserver"
	"assay/runner/load/pace"
)

// null starts a null server and a client for it.
func null(t *testing.T) *load.Client {
	t.Helper()
	s, err := nullserver.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	client, err := load.NewClient(load.Target{Endpoint: s.URL()}, "run")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		s.Close()
	})
	return client
}

func phases(records []*load.Record) map[load.Phase]int {
	n := map[load.Phase]int{}
	for _, r := range records {
		n[r.Phase]++
	}
	return n
}

// mostOpen is how many requests were open at once, from their records.
func mostOpen(records []*load.Record) (most int) {
	for _, a := range records {
		open := 0
		for _, b := range records {
			if b.Sent.OK && b.Sent.V <= a.Sent.V && a.Sent.V < b.Closed.V {
				open++
			}
		}
		most = max(most, open)
	}
	return most
}

func TestClosedLoopByRequests(t *testing.T) {
	keep := &load.Keep{}
	out, err := load.Run(context.Background(), load.Options{Client: null(t), Source: repeat(nullserver.Body(3, 2*ms)), Sink: keep,
		Plan: load.Plan{Concurrency: 4, Warmup: load.Span{Requests: 6}, Measure: load.Span{Requests: 25}}})
	if err != nil {
		t.Fatal(err)
	}
	if n := phases(keep.Records); n[load.Warmup] != 6 || n[load.Measure] != 25 || len(n) != 2 {
		t.Errorf("requests %v", n)
	}
	if most := mostOpen(keep.Records); most != 4 {
		t.Errorf("%d requests were open at once, want 4", most)
	}
	seen := map[int]bool{}
	var warmEnd, measured time.Duration = 0, time.Hour
	for _, r := range keep.Records {
		if r.Class != load.OK || seen[r.Index] || r.Began.V < r.Due || r.ID != fmt.Sprintf("run-%d", r.Index) || r.OutputTokens() != n64(3) {
			t.Errorf("record %+v", r)
		}
		seen[r.Index] = true
		if r.Phase == load.Warmup {
			warmEnd = max(warmEnd, r.Closed.V)
		} else {
			measured = min(measured, r.Due)
		}
	}
	if measured < warmEnd {
		t.Errorf("a measured request was due at %v, the warm-up ended at %v", measured, warmEnd)
	}
	if out.Measured != 25 || out.Interrupted || !strings.Contains(out.Loop, "concurrency 4") {
		t.Errorf("outcome %+v", out)
	}
	windows(t, out, load.Warmup, load.Measure, load.Drain)
}

// windows holds the outcome's windows against their order, without gaps.
func windows(t *testing.T, out *load.Outcome, want ...load.Phase) {
	t.Helper()
	var got []load.Phase
	for i, w := range out.Windows {
		got = append(got, w.Phase)
		if w.To < w.From || i > 0 && w.From != out.Windows[i-1].To {
			t.Errorf("window %d: %+v", i, out.Windows)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("windows %v, want %v", got, want)
	}
}

func TestClosedLoopByTimeWithRamp(t *testing.T) {
	keep := &load.Keep{}
	out, err := load.Run(context.Background(), load.Options{Client: null(t), Source: repeat(nullserver.Body(2, 3*ms)), Sink: keep,
		Plan: load.Plan{Concurrency: 8, Ramp: 200 * ms, Measure: load.Span{For: 300 * ms}}})
	if err != nil {
		t.Fatal(err)
	}
	windows(t, out, load.Ramp, load.Measure, load.Drain)
	start := out.Windows[0].From
	for _, r := range keep.Records {
		if want := r.Due-start >= 200*ms; want != (r.Phase == load.Measure) {
			t.Errorf("request due at %v is of %s", r.Due-start, r.Phase)
		}
		if r.Due-start >= 500*ms {
			t.Errorf("request due at %v, behind the window", r.Due-start)
		}
	}
	if w := out.Windows[1]; w.To-w.From > 450*ms {
		t.Errorf("the window took %v", w.To-w.From)
	}
	first := map[int]bool{}
	for _, r := range keep.Records { // half the ramp opens half the slots
		if r.Due-start < 100*ms && !r.Reused {
			first[r.Index] = true
		}
	}
	if len(first) == 0 || len(first) > 5 {
		t.Errorf("%d connections in the first half of the ramp", len(first))
	}
}

func TestOpenLoopKeepsItsSchedule(t *testing.T) {
	keep := &load.Keep{}
	pacer := pace.Arrivals{Process: pace.Poisson, PerSecond: 200, Seed: 5, Ramp: 100 * ms}
	out, err := load.Run(context.Background(), load.Options{Client: null(t), Source: repeat(nullserver.Body(2, 5*ms)), Sink: keep,
		Plan: load.Plan{Pacer: pacer, Ramp: 100 * ms, Warmup: load.Span{For: 150 * ms}, Measure: load.Span{For: 400 * ms}}})
	if err != nil {
		t.Fatal(err)
	}
	windows(t, out, load.Ramp, load.Warmup, load.Measure, load.Drain)
	byIndex := map[int]*load.Record{}
	for _, r := range keep.Records {
		byIndex[r.Index] = r
	}
	start := byIndex[0].Due
	i := 0
	for due := range pacer.Dues() {
		if i == 0 {
			start -= due
		}
		r := byIndex[i]
		if due >= 650*ms {
			if r != nil {
				t.Errorf("request %d is due at %v, behind the window", i, due)
			}
			break
		}
		if r == nil || r.Due-start != due {
			t.Fatalf("request %d: %+v, due %v", i, r, due)
		}
		want := load.Measure
		if due < 100*ms {
			want = load.Ramp
		} else if due < 250*ms {
			want = load.Warmup
		}
		if r.Phase != want || r.Began.V < r.Due {
			t.Errorf("request %d due at %v is of %s, begun at %v", i, due, r.Phase, r.Began.V-start)
		}
		i++
	}
	if lag := out.Certificate.BeginLag; int64(lag.N) != out.Measured || !lag.P99.OK {
		t.Errorf("lag %+v of %d requests", lag, out.Measured)
	}
}

func TestOpenLoopDropsAndSaysSo(t *testing.T) {
	keep := &load.Keep{}
	out, err := load.Run(context.Background(), load.Options{Client: null(t), Source: repeat(nullserver.Body(10, 20*ms)), Sink: keep,
		Plan: load.Plan{Pacer: pace.Arrivals{Process: pace.Constant, PerSecond: 500}, MaxOpen: 3, Measure: load.Span{Requests: 50}}})
	if err != nil {
		t.Fatal(err)
	}
	dropped := out.Classes[load.Dropped]
	if len(keep.Records) != 50 || dropped < 30 || out.Certificate.Dropped != dropped || mostOpen(keep.Records) > 3 {
		t.Errorf("%d records, %d dropped, certificate %d", len(keep.Records), dropped, out.Certificate.Dropped)
	}
	if !warned(out.Certificate.Warnings, load.WarnDropped) || !warned(out.Certificate.Warnings, load.WarnUncalibrated) {
		t.Errorf("warnings %v", out.Certificate.Warnings)
	}
	for _, r := range keep.Records {
		if r.Class == load.Dropped && (r.Sent.OK || r.Began.OK || r.Due == 0 && r.Index > 0) {
			t.Errorf("dropped record %+v", r)
		}
	}
}

func warned(all []load.Warning, code string) bool {
	for _, w := range all {
		if w.Code == code {
			return true
		}
	}
	return false
}

func TestDrainHasAnEnd(t *testing.T) {
	for name, plan := range map[string]load.Plan{
		"open":   {Pacer: pace.Trace{0, 1 * ms, 2 * ms}, Measure: load.Span{Requests: 3}, Drain: 50 * ms},
		"closed": {Concurrency: 3, Measure: load.Span{For: 50 * ms}, Drain: 50 * ms},
	} {
		keep := &load.Keep{}
		start := time.Now()
		out, err := load.Run(context.Background(), load.Options{Client: null(t), Source: repeat(nullserver.Body(1000, 20*ms)), Sink: keep, Plan: plan})
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took > 3*time.Second || out.Classes[load.Cancelled] != 3 || out.Interrupted {
			t.Errorf("%s: %v, classes %v, interrupted %v", name, took, out.Classes, out.Interrupted)
		}
	}
}

func TestInterruptedRunKeepsItsRecords(t *testing.T) {
	for name, plan := range map[string]load.Plan{
		"open":   {Pacer: pace.Arrivals{Process: pace.Constant, PerSecond: 100}, Measure: load.Span{For: time.Hour}},
		"closed": {Concurrency: 3, Measure: load.Span{For: time.Hour}},
	} {
		keep := &load.Keep{}
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(150*ms, cancel)
		out, err := load.Run(ctx, load.Options{Client: null(t), Source: repeat(nullserver.Body(10, 3*ms)), Sink: keep, Plan: plan})
		if err != nil {
			t.Fatal(err)
		}
		if !out.Interrupted || out.Classes[load.OK] == 0 || int(out.Measured) != len(keep.Records) {
			t.Errorf("%s: interrupted %v, classes %v, %d records", name, out.Interrupted, out.Classes, len(keep.Records))
		}
	}
}

type broken struct{ after int64 }

func (b *broken) Take(*load.Record) error {
	if atomic.AddInt64(&b.after, -1) < 0 {
		return errors.New("disk full")
	}
	return nil
}

type noRequest struct{ from int }

func (n noRequest) Request(i int) (load.Request, error) {
	if i >= n.from {
		return load.Request{}, errors.New("no more prompts")
	}
	return load.Request{API: load.Chat, Body: nullserver.Body(1, 0)}, nil
}

func TestSinkAndSourceEndTheRun(t *testing.T) {
	for name, plan := range map[string]load.Plan{
		"open":   {Pacer: pace.Arrivals{Process: pace.Constant, PerSecond: 1000}, Measure: load.Span{For: time.Minute}},
		"closed": {Concurrency: 3, Measure: load.Span{For: time.Minute}},
	} {
		_, err := load.Run(context.Background(), load.Options{Client: null(t), Source: repeat(nullserver.Body(1, 0)), Sink: &broken{after: 5}, Plan: plan})
		if err == nil || !strings.Contains(err.Error(), "disk full") {
			t.Errorf("%s: error %v", name, err)
		}
		_, err = load.Run(context.Background(), load.Options{Client: null(t), Source: noRequest{5}, Sink: discard{}, Plan: plan})
		if err == nil || !strings.Contains(err.Error(), "request 5: no more prompts") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestPlanNamesEveryFault(t *testing.T) {
	err := load.Plan{Concurrency: -1, MaxOpen: -1, Warmup: load.Span{For: -1}, Drain: -1}.Check()
	for _, want := range []string{"concurrency", "open requests", "neither requests nor a duration", "warm-up", "duration is negative"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not name %q", err, want)
		}
	}
	if err := (load.Plan{Pacer: pace.Arrivals{Process: pace.Constant, PerSecond: 1, Ramp: 2}, Ramp: 1, Measure: load.Span{Requests: 1}}).Check(); err == nil {
		t.Error("two ramps are taken")
	}
	if err := (load.Plan{Concurrency: 2, Pacer: pace.Trace{0}, Measure: load.Span{Requests: 1}}).Check(); err == nil {
		t.Error("two loops at once are taken")
	}
}

func TestTargetNamesEveryFault(t *testing.T) {
	_, err := load.NewClient(load.Target{Endpoint: "nowhere", Key: "a\nb", Headers: map[string]string{"X:": "y"}, Policy: load.Policy{Retries: 9}}, "x")
	for _, want := range []string{"endpoint", "API key", "header", "retries"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not name the %s", err, want)
		}
	}
	if strings.Contains(err.Error(), "a\nb") {
		t.Error("the key stands in the error")
	}
}

func TestCertificateKnowsThisMachine(t *testing.T) {
	out, err := load.Run(context.Background(), load.Options{Client: null(t), Source: repeat(nullserver.Body(5, 2*ms)), Sink: discard{},
		Plan: load.Plan{Concurrency: 8, Measure: load.Span{For: 300 * ms}}, Calibration: &load.Calibration{Streams: 4}})
	if err != nil {
		t.Fatal(err)
	}
	c := out.Certificate
	if c.To-c.From < 250*ms || c.Cores < 1 || c.Threads < 1 || c.Sockets != 8 || c.Dials != 8 {
		t.Errorf("certificate %+v", c)
	}
	if c.Scheduler.N == 0 || !c.Scheduler.Max.OK {
		t.Errorf("scheduler %+v", c.Scheduler)
	}
	if !warned(c.Warnings, load.WarnBeyond) {
		t.Errorf("8 streams on a calibration of 4: %v", c.Warnings)
	}
	for _, b := range c.CoreBusy {
		if b.OK && (b.V < 0 || b.V > 1) {
			t.Errorf("core busy %v", c.CoreBusy)
		}
	}
}

// TestRefusedIsNotAskedForEver: a server that is not there costs a slot 10 ms each time.
func TestRefusedIsNotAskedForEver(t *testing.T) {
	client, err := load.NewClient(load.Target{Endpoint: "http://127.0.0.1:1"}, "refused")
	if err != nil {
		t.Fatal(err)
	}
	keep := &load.Keep{}
	out, err := load.Run(context.Background(), load.Options{Client: client, Source: repeat(nil), Sink: keep, Plan: load.Plan{Concurrency: 2, Measure: load.Span{For: 100 * ms}}})
	if err != nil {
		t.Fatal(err)
	}
	if n := out.Classes[load.Connect]; n < 2 || n > 25 || int(n) != len(keep.Records) {
		t.Errorf("classes %v", out.Classes)
	}
}
