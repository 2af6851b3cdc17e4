package compare

import (
	"testing"

	"assay/store/evidence"
)

// set gives a run a figure.
func set(r *evidence.RunRow, m evidence.MetricID, s evidence.Stat, v float64) {
	for i := range r.Measurements {
		if x := &r.Measurements[i]; x.Metric == m && x.Stat == s {
			x.Value = evidence.Some(v)
			return
		}
	}
	add(figureOf(m, s, v, 10))(nil, r)
}

// TestKnownDistortions: figures that were published as gains and were artefacts of how
// they were measured. None of them may give a number.
func TestKnownDistortions(t *testing.T) {
	for _, c := range []struct {
		name        string
		q           Question
		left, right facts
		alter       func(a, b *evidence.RunRow)
		rule        string
		want        Verdict
	}{
		{"a warm prefix cache reads as 2.32 times the throughput", askRate, facts{evidence.KeyPrefixCache: "true", evidence.KeyCachedFraction: "0.02"}, facts{evidence.KeyPrefixCache: "true", evidence.KeyCachedFraction: "0.97"},
			func(a, b *evidence.RunRow) {
				set(a, evidence.OutputThroughput, evidence.Total, 100)
				set(b, evidence.OutputThroughput, evidence.Total, 232)
			}, "W-CACHE", Blocked},
		{"and as a TTFT 49 times shorter", askTTFT, facts{evidence.KeyPrefixCache: "true", evidence.KeyCachedFraction: "0.02"}, facts{evidence.KeyPrefixCache: "true", evidence.KeyCachedFraction: "0.97"},
			func(a, b *evidence.RunRow) {
				set(a, evidence.TTFT, evidence.P50, 4.9)
				set(b, evidence.TTFT, evidence.P50, 0.1)
			}, "W-CACHE", Blocked},
		{"acceptance over random filler", Question{Metric: evidence.AcceptLength, Stat: evidence.Mean}, facts{evidence.KeyPromptKind: "random tokens"}, facts{evidence.KeyPromptKind: "chat template"},
			func(a, b *evidence.RunRow) {
				set(a, evidence.AcceptLength, evidence.Mean, 3.55)
				set(b, evidence.AcceptLength, evidence.Mean, 2.5)
			}, "S-TEXT", Blocked},
		{"8.72 ms of a verification step are not 3.20 ms of a token", Question{Metric: evidence.ITLChunk, Stat: evidence.Mean}, nil, facts{evidence.KeyMTPDepth: "3"},
			func(a, b *evidence.RunRow) {
				set(a, evidence.ITLChunk, evidence.Mean, 0.0041)
				set(a, evidence.TPOT, evidence.Mean, 0.0041)
				set(b, evidence.ITLChunk, evidence.Mean, 0.00872)
				set(b, evidence.TPOT, evidence.Mean, 0.0032)
			}, "S-CHUNK", Blocked},
		{"the TPOT of one tool is not that of another", Question{Metric: evidence.TPOT, Stat: evidence.Mean}, nil, nil,
			func(a, b *evidence.RunRow) {
				a.Family, b.Family = "vllm", "guidellm"
				set(a, evidence.TPOT, evidence.Mean, 0.011)
				set(b, evidence.TPOTAllTokens, evidence.Mean, 0.0105)
			}, "H-DEFINITION", Blocked},
		{"18.4 and 5.9 chunks a second are the same tokens", askChunks, facts{evidence.KeyMTPDepth: "0"}, facts{evidence.KeyMTPDepth: "3"},
			func(a, b *evidence.RunRow) {
				chunkCounted(a, b)
				set(a, evidence.OutputChunkThroughput, evidence.Total, 18.4)
				set(b, evidence.OutputChunkThroughput, evidence.Total, 5.9)
			}, "M-CHUNKS", Unknown},
	} {
		a, b := changed(capacityRun, "left", c.left), changed(capacityRun, "right", c.right)
		c.alter(&a, &b)
		e := EffectOf(&a, &b, c.q)
		if said(&e.Judgement, c.rule) != c.want || e.Verdict.Shows() {
			t.Errorf("%s: %s, %v", c.name, e.Verdict, rules(e.Judgement))
		}
		if e.Change.OK || e.Low.OK || e.Better != "" || e.Left.Value.OK || e.Right.Value.OK {
			t.Errorf("%s: a number stands in a refused pair: %+v", c.name, e)
		}
	}
}

// TestEqualByMeaning: spellings that mean the same are equal, a meaning that a person
// gave comes before the spelling, and a declared fact removes what was unknown.
func TestEqualByMeaning(t *testing.T) {
	for _, c := range []struct {
		key  evidence.FactKey
		x, y string
	}{
		{evidence.KeyThinking, "no_thinking", "disabled"}, {evidence.KeyThinking, "Disabled", "disabled"}, {evidence.KeyGPUArch, "sm_120", "12.0"},
		{evidence.KeyImageDigest, "sha256:AB", "ab"}, {evidence.KeyPrefixCache, "off", "false"}, {evidence.KeyConcurrency, "8", "8.0"},
		{evidence.KeyGPUMemory, "96000000000", "102641958912"},
	} {
		a, b := changed(capacityRun, "left", facts{c.key: c.x, evidence.KeyGPUProduct: "rtx-pro-6000"}), changed(capacityRun, "right", facts{c.key: c.y, evidence.KeyGPUProduct: "rtx-pro-6000"})
		for _, r := range Judge(&a, &b, askE2E).Reasons {
			if r.Key == c.key {
				t.Errorf("%s: %q and %q: %s %s", c.key, c.x, c.y, r.Rule, r.Verdict)
			}
		}
	}
	a, b := changed(capacityRun, "left", facts{evidence.KeyGPUProduct: "lab card"}), changed(capacityRun, "right", nil)
	if j := Judge(&a, &b, askE2E); said(&j, "P-GPU") != Blocked {
		t.Errorf("two cards: %v", rules(j))
	}
	for i := range a.Facts {
		if a.Facts[i].Key == evidence.KeyGPUProduct {
			a.Facts[i].Meaning = "RTX 5090"
		}
	}
	if j := Judge(&a, &b, askE2E); said(&j, "P-GPU") != OK || said(&j, "P-GPU-ALIAS") != OK && said(&j, "P-GPU-ALIAS") != Noted {
		t.Errorf("an alias says that they are one: %v", rules(j))
	}
	c := changed(capacityRun, "right", facts{evidence.KeyGPUProduct: ""})
	if j := Judge(&b, &c, askE2E); j.Verdict != Unknown {
		t.Errorf("no card on one side: %v", rules(j))
	}
	put(&c, evidence.KeyGPUProduct, "rtx-5090")
	c.Facts[len(c.Facts)-1].State = evidence.Declared
	if j := Judge(&b, &c, askE2E); j.Verdict.rank() >= Unknown.rank() {
		t.Errorf("a declared card: %v", rules(j))
	}
	put(&c, evidence.KeyOutputCap, "256")
	c.Facts[len(c.Facts)-1].State = evidence.Conflict
	if j := Judge(&b, &c, askE2E); said(&j, "W-CAP") != Unknown {
		t.Errorf("a fact in conflict: %v", rules(j))
	}
}

// TestOneReplica: totals that differ only by the number of replicas are no other load.
func TestOneReplica(t *testing.T) {
	a := changed(capacityRun, "left", facts{evidence.KeyConcurrency: "8", evidence.KeyReplicas: "1"})
	b := changed(capacityRun, "right", facts{evidence.KeyConcurrency: "", evidence.KeyConcurrencyAll: "16", evidence.KeyReplicas: "2", evidence.KeyGPUCount: "2"})
	j := Judge(&a, &b, askRate)
	if said(&j, "W-CONC") != OK || said(&j, "W-REPLICA") != Caution || !j.Verdict.Shows() || j.Ranking.Shows() {
		t.Errorf("two replicas at 16 against one at 8: %s, ranking %s, %v", j.Verdict, j.Ranking, rules(j))
	}
}
