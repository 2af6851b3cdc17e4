package compare

import (
	"fmt"
	"math/rand"
	"testing"

	"assay/store/evidence"
)

// testRun is a served run with a complete shape under one statement.
func testRun(name string, change map[evidence.FactKey]string) evidence.RunRow {
	d := evidence.DigestOf([]byte("artifact"))
	r := evidence.RunRow{
		Source: evidence.Source{Artifact: d, Reader: "test@1"},
		ID:     name, Arm: name, Class: evidence.ClassShort, Status: evidence.Measured, Family: "F5",
	}
	base := map[evidence.FactKey]string{
		evidence.KeyConcurrency: "1", evidence.KeyRequests: "10", evidence.KeyContextTarget: "4096", evidence.KeyOutputCap: "256",
		evidence.KeyThinking: "disabled", evidence.KeyPromptBurst: "false", evidence.KeyPromptTokens: "3610", evidence.KeyPromptSet: "unique",
		evidence.KeySampling: "greedy", evidence.KeyServedContext: "393216", evidence.KeyProtocol: "capacity-v3", evidence.KeyTimingBoundary: "ttft",
		evidence.KeyGPUProduct: "NVIDIA GeForce RTX 5090", evidence.KeyPlannedContext: "4096", evidence.KeyAggregation: "run", evidence.KeyGPUCount: "1", evidence.KeyLane: "gpu0", evidence.KeyPath: "direct", evidence.KeyScope: "local",
		evidence.KeyModel: "org/model", evidence.KeyModelRevision: "abc", evidence.KeyEngine: "engine", evidence.KeyCacheState: "cold",
		evidence.KeyCompletionMode: "natural", evidence.KeyCheckpoint: "bf16", evidence.KeyTP: "1", evidence.KeyMTPDepth: "0",
		evidence.KeyEngineRevision: "e1", evidence.KeyImageDigest: "sha256:1", evidence.KeyMaxSequences: "1", evidence.KeyBatchedTokens: "4096",
		evidence.KeyKVDtype: "fp8", evidence.KeyPrefixCache: "false", evidence.KeyMeanOutput: "200", evidence.KeyWarmState: "first",
	}
	for k, v := range change {
		if v == "" {
			delete(base, k)
		} else {
			base[k] = v
		}
	}
	for _, info := range evidence.Keys {
		v, ok := base[info.Key]
		if !ok {
			continue
		}
		r.Facts = append(r.Facts, evidence.FactRow{
			Fact:   evidence.Fact{Key: info.Key, Value: v, State: evidence.Recorded, Place: evidence.At(evidence.Pointer("/" + string(info.Key)))},
			Source: r.Source, Run: r.ID,
		})
	}
	for _, m := range []struct {
		id evidence.MetricID
		s  evidence.Stat
		v  float64
	}{
		{evidence.DecodeRate, evidence.P50, 50}, {evidence.E2E, evidence.P50, 2}, {evidence.TTFT, evidence.P50, 0.8}, {evidence.TTFT, evidence.P95, 0.9},
		{evidence.OutputThroughput, evidence.Total, 400},
	} {
		r.Measurements = append(r.Measurements, evidence.MeasurementRow{
			Measurement: evidence.Measurement{Metric: m.id, Stat: m.s, Method: evidence.NearestRank, Value: evidence.Some(m.v), N: evidence.Some(int64(10)),
				Role: evidence.Primary, State: evidence.Recorded},
			Source: r.Source, Run: r.ID,
		})
	}
	return r
}

func verdictOf(j Judgement, rule string) Verdict {
	for _, r := range j.Reasons {
		if r.Rule == rule {
			return r.Verdict
		}
	}
	return OK
}

func TestJudgeKeys(t *testing.T) {
	control := testRun("control", nil)
	type facts = map[evidence.FactKey]string
	for _, c := range []struct {
		name   string
		change facts
		rule   string
		want   Verdict
	}{
		{"concurrency differs", facts{evidence.KeyConcurrency: "8"}, "W-CONC", Blocked},
		{"concurrency missing", facts{evidence.KeyConcurrency: ""}, "W-CONC", Unknown},
		{"requests differ", facts{evidence.KeyRequests: "100"}, "W-REQ", Blocked},
		{"context differs", facts{evidence.KeyContextTarget: "8192"}, "W-CTX", Blocked},
		{"prompt tokens within two percent", facts{evidence.KeyPromptTokens: "3660"}, "W-PROMPT", OK},
		{"prompt tokens beyond two percent", facts{evidence.KeyPromptTokens: "3800"}, "W-PROMPT", Blocked},
		{"cap missing", facts{evidence.KeyOutputCap: ""}, "W-CAP", Unknown},
		{"thinking differs", facts{evidence.KeyThinking: "enabled"}, "W-THINK", Blocked},
		{"completion differs", facts{evidence.KeyCompletionMode: "forced"}, "W-COMPLETION-DIST", Blocked},
		{"prompt set missing", facts{evidence.KeyPromptSet: ""}, "W-PROMPTSET", Unknown},
		{"card differs", facts{evidence.KeyGPUProduct: "RTX 4090"}, "P-GPU", Blocked},
		{"card missing", facts{evidence.KeyGPUProduct: ""}, "P-GPU", Unknown},
		{"revision differs", facts{evidence.KeyModelRevision: "def"}, "P-REV", Caution},
		{"warm state differs", facts{evidence.KeyWarmState: "repeat"}, "W-WARM", Blocked},
		{"warm state on one side", facts{evidence.KeyWarmState: ""}, "W-WARM", Unknown},
		{"cache differs", facts{evidence.KeyCacheState: "warm"}, "W-CACHE", Blocked},
		{"cache missing", facts{evidence.KeyCacheState: "", evidence.KeyPrefixCache: ""}, "W-CACHE", Unknown},
		{"cold by the engine flag", facts{evidence.KeyCacheState: ""}, "W-CACHE", OK},
		{"KV dtype is residue", facts{evidence.KeyKVDtype: "bf16"}, "RESIDUE", Caution},
		{"unknown shape key", facts{evidence.KeyCachedFraction: "0.9"}, "SHAPE", OK},
		{"served context differs", facts{evidence.KeyServedContext: "600000"}, "W-SERVED", Caution},
		{"outputs too different", facts{evidence.KeyMeanOutput: "150"}, "W-COMPLETION-DIST", Caution},
	} {
		t.Run(c.name, func(t *testing.T) {
			arm := testRun("arm", c.change)
			j := Judge(&control, &arm, Question{Metric: evidence.E2E, Stat: evidence.P50})
			if got := verdictOf(j, c.rule); got != c.want {
				t.Errorf("%s is %s, want %s; reasons %v", c.rule, got, c.want, rules(j))
			}
		})
	}
}

func rules(j Judgement) []string {
	var out []string
	for _, r := range j.Reasons {
		out = append(out, fmt.Sprintf("%s(%s)=%s", r.Rule, r.Key, r.Verdict))
	}
	return out
}

func TestEqualPairIsOK(t *testing.T) {
	a, b := testRun("a", nil), testRun("b", nil)
	j := Judge(&a, &b, Question{Metric: evidence.E2E, Stat: evidence.P50})
	if j.Verdict != OK {
		t.Errorf("verdict %s, reasons %v", j.Verdict, rules(j))
	}
}

func TestMetricRules(t *testing.T) {
	control := testRun("control", nil)
	short := testRun("short", map[evidence.FactKey]string{evidence.KeyMeanOutput: "12"})
	if j := Judge(&control, &short, Question{Metric: evidence.DecodeRate, Stat: evidence.P50}); verdictOf(j, "M-SHORT") != Blocked {
		t.Errorf("12 output tokens: %v", rules(j))
	}
	if j := Judge(&control, &control, Question{Metric: evidence.TTFT, Stat: evidence.P95}); verdictOf(j, "M-N") != Caution {
		t.Errorf("p95 of 10: %v", rules(j))
	}
	if j := Judge(&control, &control, Question{Metric: evidence.WER, Stat: evidence.Mean}); verdictOf(j, "M-DEFINED") != Blocked {
		t.Errorf("missing metric: %v", rules(j))
	}
	if j := Judge(&control, &control, Question{Metric: evidence.PromptTokens, Stat: evidence.P50}); verdictOf(j, "M-DEFINED") != Blocked {
		t.Errorf("a descriptive figure was compared: %v", rules(j))
	}
	long := testRun("long", nil)
	long.Class = evidence.ClassLong
	long.Measurements[0].Stat, long.Measurements[0].N = evidence.Single, evidence.Some(int64(1))
	if j := Judge(&control, &long, Question{Metric: evidence.DecodeRate, Stat: evidence.P50}); verdictOf(j, "M-STAT") != Blocked {
		t.Errorf("single against p50: %v", rules(j))
	}
	if j := Judge(&long, &long, Question{Metric: evidence.DecodeRate, Stat: evidence.Single}); verdictOf(j, "M-SINGLE") != Caution {
		t.Errorf("one observation: %v", rules(j))
	}
	if j := Judge(&control, &long, Question{Metric: evidence.E2E, Stat: evidence.P50}); verdictOf(j, "M-CLASS") != Blocked {
		t.Errorf("classes: %v", rules(j))
	}
	rejected := testRun("rejected", nil)
	rejected.Rejected = "wrong output"
	if j := Judge(&control, &rejected, Question{Metric: evidence.E2E, Stat: evidence.P50}); verdictOf(j, "C-CORRECTNESS") != Caution {
		t.Errorf("rejected arm: %v", rules(j))
	}
}

func TestAxes(t *testing.T) {
	control := testRun("control", nil)
	mtp := testRun("mtp3", map[evidence.FactKey]string{evidence.KeyMTPDepth: "3"})
	q := Question{Metric: evidence.E2E, Stat: evidence.P50}
	if j := Judge(&control, &mtp, q); verdictOf(j, "RESIDUE") != Caution {
		t.Errorf("MTP depth without an axis is residue: %v", rules(j))
	}
	q.Axes = []evidence.FactKey{evidence.KeyMTPDepth}
	if j := Judge(&control, &mtp, q); verdictOf(j, "RESIDUE") != OK || verdictOf(j, "S-ACCEPT") != Caution {
		t.Errorf("MTP depth as the axis: %v", rules(j))
	}
	other := testRun("other", map[evidence.FactKey]string{evidence.KeyMTPDepth: "3", evidence.KeyModelRevision: "def"})
	if j := Judge(&control, &other, q); verdictOf(j, "S-CONTROL") != Blocked {
		t.Errorf("another revision is no control: %v", rules(j))
	}
}

// TestBlockingProperties: blocking is symmetric, facts have no order, and taking a
// shape or hardware fact away from one side of a stopped pair never opens it.
func TestBlockingProperties(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	shapes := []evidence.FactKey{evidence.KeyConcurrency, evidence.KeyRequests, evidence.KeyContextTarget, evidence.KeyOutputCap, evidence.KeyThinking,
		evidence.KeyPromptTokens, evidence.KeyGPUProduct, evidence.KeyWarmState, evidence.KeyCompletionMode, evidence.KeyPromptBurst}
	q := Question{Metric: evidence.E2E, Stat: evidence.P50}
	for i := range 500 {
		change := map[evidence.FactKey]string{}
		for _, k := range shapes {
			switch rng.Intn(6) {
			case 0:
				change[k] = "77777"
			case 1:
				change[k] = ""
			}
		}
		a, b := testRun("a", nil), testRun("b", change)
		ab, ba := Judge(&a, &b, q), Judge(&b, &a, q)
		if ab.Verdict != ba.Verdict {
			t.Fatalf("case %d: %s one way, %s the other", i, ab.Verdict, ba.Verdict)
		}
		rng.Shuffle(len(b.Facts), func(x, y int) { b.Facts[x], b.Facts[y] = b.Facts[y], b.Facts[x] })
		if got := Judge(&a, &b, q); got.Verdict != ab.Verdict || len(got.Reasons) != len(ab.Reasons) {
			t.Fatalf("case %d: the order of facts matters", i)
		}
		if ab.Verdict.Shows() {
			continue
		}
		for _, k := range shapes {
			cut := testRun("b", change)
			for x := range cut.Facts {
				if cut.Facts[x].Key == k {
					cut.Facts = append(cut.Facts[:x], cut.Facts[x+1:]...)
					break
				}
			}
			if got := Judge(&a, &cut, q); got.Verdict.Shows() {
				t.Fatalf("case %d: without %s the pair opened", i, k)
			}
		}
	}
}

func BenchmarkJudge(b *testing.B) {
	x, y := testRun("a", nil), testRun("b", map[evidence.FactKey]string{evidence.KeyMTPDepth: "3"})
	q := Question{Metric: evidence.E2E, Stat: evidence.P50, Axes: []evidence.FactKey{evidence.KeyMTPDepth}}
	b.ReportAllocs()
	for b.Loop() {
		Judge(&x, &y, q)
	}
}

// TestOneStatement: what a sentence leaves out is equal for all runs under it, the
// matched control included; between sentences it is unknown.
func TestOneStatement(t *testing.T) {
	under := func(rule string, sentence evidence.Pointer) evidence.RunRow {
		r := testRun("r", map[evidence.FactKey]string{evidence.KeyPromptBurst: ""})
		for i := range r.Facts {
			if r.Facts[i].Key == evidence.KeyConcurrency {
				r.Facts[i].Rule, r.Facts[i].Place = rule, evidence.At(sentence)
			}
		}
		return r
	}
	q := Question{Metric: evidence.E2E, Stat: evidence.P50}
	a := under("prose/shape", "/workload")
	for _, c := range []struct {
		name string
		arm  evidence.RunRow
		want Verdict
	}{
		{"the same sentence", under("prose/shape", "/workload"), OK},
		{"matched by its source", under(matchedRule, "/workload"), OK},
		{"another sentence", under("prose/shape", "/screen"), Unknown},
	} {
		if j := Judge(&a, &c.arm, q); verdictOf(j, "W-BURST") != c.want {
			t.Errorf("%s: %v", c.name, rules(j))
		}
	}
}
