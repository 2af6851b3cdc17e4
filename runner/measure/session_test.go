package measure

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/ingest/artifact"
	"assay/runner/load"
	"assay/runner/workload"
	"assay/store/evidence"
)

func small() *workload.Workload {
	return &workload.Workload{
		Name: "small", Class: evidence.ClassShort, API: load.Chat, Seed: 7, Repeats: 2,
		Steps: []workload.Step{
			{Name: "c1", Target: 300, Requests: 4, Concurrency: 1, Warmup: load.Span{Requests: 1}},
			{Name: "c4", Target: 600, Requests: 8, Concurrency: 4},
		},
		Prompt:   workload.Prompt{Kind: workload.Prose, Tolerance: 0.03, Canary: true},
		Output:   workload.Output{Cap: 24, Mode: workload.Forced},
		Sampling: workload.Sampling{TopP: 1},
	}
}

func options(t *testing.T, url string) Options {
	t.Helper()
	return Options{
		Target: load.Target{Endpoint: url}, Campaign: "tests", Arm: "A", Workload: small(), Folder: t.TempDir(),
		NoCalibration: true, NoPreflight: true, Version: "test", driver: noDriver,
	}
}

func measured(t *testing.T, o Options) *Report {
	t.Helper()
	report, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Files {
		data, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := artifact.Decode(data); err != nil {
			t.Errorf("%s: %v", f.Path, err)
		}
	}
	return report
}

func statusOf(run *artifact.Run, name string) string {
	for _, g := range run.Gates {
		if g.Name == name {
			return g.Status
		}
	}
	return ""
}

func TestSession(t *testing.T) {
	endpoint := new(fake)
	o := options(t, endpoint.start(t))
	var stages []Stage
	o.Observe = func(s State) {
		if n := len(stages); n == 0 || stages[n-1] != s.Stage {
			stages = append(stages, s.Stage)
		}
	}
	report := measured(t, o)
	if len(report.Files) != 4 || report.Interrupted {
		t.Fatalf("%d files, interrupted %v", len(report.Files), report.Interrupted)
	}
	if stages[len(stages)-1] != StageDone || !slices.Contains(stages, StagePrompts) || !slices.Contains(stages, StageMeasure) {
		t.Errorf("stages %v", stages)
	}
	names := map[string]bool{}
	for i, f := range report.Files {
		run := f.Run
		names[run.Name] = true
		if run.Repeat != i/2+1 || run.Repeats != 2 || run.Status != artifact.Measured {
			t.Errorf("file %d is repeat %d of %d, %s", i, run.Repeat, run.Repeats, run.Status)
		}
		for _, g := range []string{gateRequests, gatePrompts, gateForced, gateCanaries} {
			if statusOf(run, g) != passed {
				t.Errorf("%s: gate %s: %+v", run.Name, g, run.Gates)
			}
		}
		for k, want := range map[evidence.FactKey]string{
			evidence.KeyCompletionMode: "forced", evidence.KeyCacheState: "cold", evidence.KeyThinking: "disabled", evidence.KeyMeanOutput: "24",
			evidence.KeyShareAtCap: "1", evidence.KeyTokenCount: "usage", evidence.KeyFailed: "0", evidence.KeySampling: "temperature=0 top_p=1",
			evidence.KeyPromptBurst: "false", evidence.KeyServedModel: "fake",
		} {
			if got := run.Facts.Get(k); got != want {
				t.Errorf("%s: fact %s is %q, want %q", run.Name, k, got, want)
			}
		}
		for _, side := range run.Sidecars {
			info, err := os.Stat(filepath.Join(o.Folder, side.Name))
			if err != nil || info.Size() != side.Size {
				t.Errorf("sidecar %s: %v", side.Name, err)
			}
		}
	}
	if len(names) != 4 {
		t.Errorf("names are not unique: %v", names)
	}
	left, _ := filepath.Glob(filepath.Join(o.Folder, ".*"))
	if len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

// TestRepeatsAreAlike: facts that tell arms and shapes apart are equal for all repeats of a
// step, so that the archive joins them; the prompts themselves are not.
func TestRepeatsAreAlike(t *testing.T) {
	endpoint := new(fake)
	report := measured(t, options(t, endpoint.start(t)))
	first, second := report.Files[0].Run, report.Files[2].Run
	for k, x := range first.Facts {
		class := evidence.LookupKey(k).Class
		y := second.Facts[k]
		if class == evidence.Outcome || k == evidence.KeyPromptTokens || k == evidence.KeyCachedFraction {
			continue
		}
		if string(x.Value) != string(y.Value) {
			t.Errorf("%s: %s against %s", k, x.Value, y.Value)
		}
	}
	if first.Workload.Prompts == second.Workload.Prompts {
		t.Error("two repeats sent the same prompts")
	}
}

func TestInterrupted(t *testing.T) {
	endpoint := &fake{slow: 5 * time.Millisecond}
	o := options(t, endpoint.start(t))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.Observe = func(s State) {
		if s.Stage == StageMeasure && s.StepIndex == 2 && s.Started > 1 {
			cancel()
		}
	}
	report, err := Run(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	if !report.Interrupted || len(report.Files) != 2 {
		t.Fatalf("interrupted %v, %d files", report.Interrupted, len(report.Files))
	}
	run := report.Files[1].Run
	if run.Status != artifact.Aborted || run.Why == "" {
		t.Errorf("status %s: %q", run.Status, run.Why)
	}
	cancelled := 0
	for _, r := range run.Requests {
		if r.Error == "cancelled" {
			cancelled++
		}
	}
	if cancelled == 0 {
		t.Error("no request ended as cancelled")
	}
}

func TestStoppedBeforeTheFirstRequest(t *testing.T) {
	endpoint := new(fake)
	o := options(t, endpoint.start(t))
	ctx, cancel := context.WithCancel(t.Context())
	o.Observe = func(s State) {
		if s.Stage == StagePrompts {
			cancel()
		}
	}
	report, err := Run(ctx, o)
	if err != nil || !report.Interrupted || len(report.Files) != 1 {
		t.Fatalf("%v, %+v", err, report)
	}
	if run := report.Files[0].Run; run.Status != artifact.Aborted || len(run.Requests) != 0 {
		t.Errorf("%s with %d requests", run.Status, len(run.Requests))
	}
}

func TestFindings(t *testing.T) {
	for _, c := range []struct {
		name   string
		fake   *fake
		gate   string
		check  func(*artifact.Run) string
		status artifact.Status
	}{
		{"refused requests are measured and told", &fake{refuse: func(n int64) bool { return n > 12 && n%3 == 0 }}, gateRequests, func(r *artifact.Run) string {
			if len(r.Failures) != 1 || !strings.Contains(r.Failures[0], "http-429") {
				return fmt.Sprint("failures ", r.Failures)
			}
			return ""
		}, artifact.Measured},
		{"answers that end early are not forced", &fake{cut: 3}, gateForced, func(r *artifact.Run) string {
			if r.Facts.Get(evidence.KeyCompletionMode) != "natural" {
				return "completion " + r.Facts.Get(evidence.KeyCompletionMode)
			}
			return ""
		}, artifact.Measured},
		{"codes of others are found", &fake{mixUp: true}, gateCanaries, func(*artifact.Run) string { return "" }, artifact.Measured},
		{"no usage, no prompts", &fake{noUsage: true}, gatePrompts, func(r *artifact.Run) string {
			if len(r.Requests) != 0 || r.Facts.Get(evidence.KeyPromptTokens) != "" {
				return "requests were sent"
			}
			return ""
		}, artifact.Failed},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options(t, c.fake.start(t))
			o.Workload.Steps = o.Workload.Steps[1:]
			o.Workload.Repeats = 1
			run := measured(t, o).Files[0].Run
			if run.Status != c.status || statusOf(run, c.gate) != failed {
				t.Errorf("status %s, gates %+v", run.Status, run.Gates)
			}
			if text := c.check(run); text != "" {
				t.Error(text)
			}
		})
	}
}

func TestCards(t *testing.T) {
	for _, c := range []struct {
		name   string
		driver twoCards
		named  []string
		joules string // what the energy figure lacks, "" when there is one
		count  string
	}{
		{"named", twoCards{}, []string{"GPU-0"}, "", "1"},
		{"both", twoCards{}, []string{"GPU-1", "GPU-0"}, "", "2"},
		{"by process", twoCards{pid: os.Getpid()}, nil, "", "1"},
		{"not known", twoCards{}, nil, "not known which cards", ""},
		{"counter disagrees", twoCards{counter: 1.3}, []string{"GPU-0"}, "own counter", "1"},
		{"no power", twoCards{noPower: true}, []string{"GPU-0"}, "power", "1"},
		{"lost", twoCards{lostFrom: 30 * time.Millisecond}, []string{"GPU-0"}, "GPU is lost", "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			endpoint := &fake{slow: 4 * time.Millisecond}
			o := options(t, endpoint.start(t))
			o.driver, o.Cards = with(&c.driver), c.named
			o.Workload.Steps, o.Workload.Repeats = o.Workload.Steps[:1], 1
			run := measured(t, o).Files[0].Run
			if got := run.Facts.Get(evidence.KeyGPUCount); got != c.count {
				t.Errorf("gpu_count %q, want %q: %s", got, c.count, run.Facts[evidence.KeyGPUCount].How)
			}
			if !run.Cards.Available || len(run.Cards.Cards) != 2 || len(run.Sidecars) != 2 {
				t.Fatalf("telemetry %+v, %d sidecars", run.Cards, len(run.Sidecars))
			}
			var figure *artifact.Figure
			for i := range run.Summary {
				if run.Summary[i].Metric == string(evidence.EnergyPerOutputToken) {
					figure = &run.Summary[i]
				}
			}
			switch {
			case c.joules != "":
				if figure.Value != nil || !strings.Contains(figure.Why, c.joules) {
					t.Errorf("energy %v: %q", figure.Value, figure.Why)
				}
			case figure.Value == nil:
				t.Errorf("no energy: %s", figure.Why)
			default:
				watts := map[string]float64{"GPU-0": 300, "GPU-0+GPU-1": 360}[run.Facts.Get(evidence.KeyLane)]
				seconds := float64(run.Windows[len(run.Windows)-2].End-run.Windows[len(run.Windows)-2].Start) / 1e9
				if want := watts * seconds / (4 * 24); math.Abs(*figure.Value/want-1) > 0.05 {
					t.Errorf("energy %v J a token, want about %v", *figure.Value, want)
				}
			}
		})
	}
}

// TestDeclared: what the endpoint says wins, and the difference is told.
func TestDeclared(t *testing.T) {
	endpoint := new(fake)
	o := options(t, endpoint.start(t))
	o.Workload.Steps, o.Workload.Repeats = o.Workload.Steps[:1], 1
	o.Declared = map[evidence.FactKey]Declared{
		evidence.KeyModelRevision: {"abc123", "--fact"},
		evidence.KeyServedModel:   {"another", "--fact"},
	}
	run := measured(t, o).Files[0].Run
	if x := run.Facts[evidence.KeyModelRevision]; x.State != string(evidence.Declared) || run.Facts.Get(evidence.KeyModelRevision) != "abc123" {
		t.Errorf("model_revision %+v", x)
	}
	if run.Facts.Get(evidence.KeyServedModel) != "fake" || len(run.Failures) != 1 || !strings.Contains(run.Failures[0], "another") {
		t.Errorf("served_model %q, failures %v", run.Facts.Get(evidence.KeyServedModel), run.Failures)
	}
}

func TestOptions(t *testing.T) {
	o := Options{Declared: map[evidence.FactKey]Declared{"nonsense": {"x", "y"}}}
	_, err := Run(t.Context(), o)
	for _, want := range []string{"no workload", "campaign", "folder", "nonsense"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not tell of %q", err, want)
		}
	}
}

// TestEngineGone: an engine that dies leaves a failed repeat, and the session ends.
func TestEngineGone(t *testing.T) {
	endpoint := new(fake)
	o := options(t, endpoint.start(t))
	o.Workload.Steps, o.Workload.Repeats = o.Workload.Steps[:1], 4
	o.OnFile = func(f File) {
		if f.Run.Repeat == 2 {
			endpoint.server.Close()
		}
	}
	report, err := Run(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "stopped answering") {
		t.Fatalf("%v", err)
	}
	if len(report.Files) != 3 {
		t.Fatalf("%d files", len(report.Files))
	}
	last := report.Files[2].Run
	if last.Status != artifact.Failed || last.Why == "" || len(last.Failures) == 0 {
		t.Errorf("%s: %q, %v", last.Status, last.Why, last.Failures)
	}
}
