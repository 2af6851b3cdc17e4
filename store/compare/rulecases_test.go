package compare

import (
	"maps"
	"testing"

	"assay/store/evidence"
)

// Shapes that real artifacts have, one for each kind of work.

func capacityRun(name string, change map[evidence.FactKey]string) evidence.RunRow {
	all := map[evidence.FactKey]string{evidence.KeyMemoryFraction: "0.9", evidence.KeyPromptKind: "chat"}
	maps.Copy(all, change)
	r := testRun(name, all)
	r.Family, r.Artifact = "F1", evidence.DigestOf([]byte(name))
	r.Class = evidence.ClassAggregate
	return r
}

func suiteRun(name string, change map[evidence.FactKey]string) evidence.RunRow {
	return kindRun(name, "F3", evidence.ClassQuality, map[evidence.FactKey]string{
		evidence.KeySuite: "mmlu", evidence.KeySuiteDigest: "d8", evidence.KeySuiteChecks: "a b c", evidence.KeyRepetitions: "3", evidence.KeyUse: "ranking",
		evidence.KeyValidator: "strong", evidence.KeyThinkProof: "verified", evidence.KeyMinPassRate: "1", evidence.KeyVisibleTokens: "256",
		evidence.KeyHeadroomTokens: "0", evidence.KeyThinking: "disabled", evidence.KeyProtocol: "evaluation-3", evidence.KeySampling: "greedy",
		evidence.KeyServedContext: "32768",
	}, change, figureOf(evidence.PassRate, evidence.Total, 0.9, 30))
}

func longRun(name string, change map[evidence.FactKey]string) evidence.RunRow {
	return kindRun(name, "F3", evidence.ClassGeneration, map[evidence.FactKey]string{
		evidence.KeySuite: "long", evidence.KeySuiteDigest: "d8", evidence.KeySuiteChecks: "repeat", evidence.KeyRepetitions: "3", evidence.KeyOutputCap: "1024",
		evidence.KeyMeanOutput: "1024", evidence.KeyShareAtCap: "1", evidence.KeyRequests: "3", evidence.KeyCompleted: "3", evidence.KeyItems: "1",
		evidence.KeyItemsPassed: "0", evidence.KeyThinking: "disabled", evidence.KeyProtocol: "evaluation-3", evidence.KeyThinkProof: "supported",
	}, change, figureOf(evidence.E2E, evidence.P50, 9.8, 3))
}

func mediaRun(name string, change map[evidence.FactKey]string) evidence.RunRow {
	return kindRun(name, "F6", evidence.ClassMedia, map[evidence.FactKey]string{
		evidence.KeyCorpus: "c0", evidence.KeySlice: "modality:image", evidence.KeyOutputCap: "1024", evidence.KeyThinking: "disabled",
		evidence.KeyConcurrency: "1", evidence.KeyRequests: "14", evidence.KeyCompleted: "14", evidence.KeyFailed: "0", evidence.KeyMaxVideos: "1",
	}, change, figureOf(evidence.Latency, evidence.P50, 0.5, 14))
}

func speechRun(name string, change map[evidence.FactKey]string) evidence.RunRow {
	return kindRun(name, "F7", evidence.ClassSpeech, map[evidence.FactKey]string{
		evidence.KeyCorpus: "c0", evidence.KeySlice: "human", evidence.KeyConcurrency: "1", evidence.KeyRepetitions: "3", evidence.KeyRequests: "72",
		evidence.KeyCompleted: "72", evidence.KeyFailed: "0", evidence.KeyComplete: "true", evidence.KeyHint: "unset", evidence.KeyProtocol: "schedule-1",
	}, change, figureOf(evidence.WER, evidence.Total, 0.03, 72))
}

func figureOf(m evidence.MetricID, s evidence.Stat, v float64, n int64) evidence.Measurement {
	x := evidence.Measurement{Metric: m, Stat: s, Value: evidence.Some(v), N: evidence.Some(n), Role: evidence.Primary, State: evidence.Recorded}
	if ofMany(s) {
		x.Method = evidence.NearestRank
	}
	return x
}

func kindRun(name, family, class string, base, change map[evidence.FactKey]string, m evidence.Measurement) evidence.RunRow {
	all := map[evidence.FactKey]string{
		evidence.KeyGPUProduct: "rtx-5090", evidence.KeyPath: "direct", evidence.KeyModel: "org/model", evidence.KeyModelRevision: "abc", evidence.KeyEngine: "vllm",
	}
	for _, set := range []map[evidence.FactKey]string{base, change} {
		for k, v := range set {
			all[k] = v
			if v == "" {
				delete(all, k)
			}
		}
	}
	r := evidence.RunRow{ID: name, Arm: name, Class: class, Family: family, Status: evidence.Measured, Source: evidence.Source{Artifact: evidence.DigestOf([]byte(name))}}
	for k, v := range all {
		r.Facts = append(r.Facts, evidence.FactRow{Fact: evidence.Fact{Key: k, Value: v, State: evidence.Recorded}, Source: r.Source, Run: name})
	}
	r.Measurements = []evidence.MeasurementRow{{Measurement: m, Source: r.Source, Run: name}}
	return r
}

type makeRun func(string, map[evidence.FactKey]string) evidence.RunRow

// ruleCase is a pair of one shape: as it is the rule is silent, with the change it speaks.
type ruleCase struct {
	rule   string
	make   makeRun
	q      Question
	change map[evidence.FactKey]string
	alter  func(a, b *evidence.RunRow)
	want   Verdict
	both   bool // the change is on both sides, and the rule is silent without it
}

type facts = map[evidence.FactKey]string

var (
	askE2E     = Question{Metric: evidence.E2E, Stat: evidence.P50}
	askTTFT    = Question{Metric: evidence.TTFT, Stat: evidence.P50}
	askDecode  = Question{Metric: evidence.DecodeRate, Stat: evidence.P50}
	askRate    = Question{Metric: evidence.OutputThroughput, Stat: evidence.Total}
	askPass    = Question{Metric: evidence.PassRate, Stat: evidence.Total}
	askWER     = Question{Metric: evidence.WER, Stat: evidence.Total}
	askLatency = Question{Metric: evidence.Latency, Stat: evidence.P50}
	askMTP     = Question{Metric: evidence.E2E, Stat: evidence.P50, Axes: []evidence.FactKey{evidence.KeyMTPDepth}, CostShown: true}
	askTP      = Question{Metric: evidence.OutputThroughput, Stat: evidence.Total, Axes: []evidence.FactKey{evidence.KeyTP}}
)

func ranking(q Question) Question {
	q.Rank = true
	return q
}

func figures1(f func(*evidence.MeasurementRow)) func(a, b *evidence.RunRow) {
	return func(_, b *evidence.RunRow) {
		for i := range b.Measurements {
			f(&b.Measurements[i])
		}
	}
}

func chunkCounted(a, b *evidence.RunRow) {
	for _, r := range []*evidence.RunRow{a, b} {
		for i := range r.Measurements {
			if m := &r.Measurements[i]; m.Metric == evidence.OutputThroughput {
				m.Metric = evidence.OutputChunkThroughput
			}
		}
	}
}

func add(m ...evidence.Measurement) func(a, b *evidence.RunRow) {
	return func(_, b *evidence.RunRow) {
		for _, x := range m {
			b.Measurements = append(b.Measurements, evidence.MeasurementRow{Measurement: x})
		}
	}
}

func instead(of evidence.MetricID, is evidence.MetricID) func(a, b *evidence.RunRow) {
	return figures1(func(m *evidence.MeasurementRow) {
		if m.Metric == of {
			m.Metric = is
		}
	})
}

var askChunks = Question{Metric: evidence.OutputChunkThroughput, Stat: evidence.Total}

var ruleCases = []ruleCase{
	{rule: "M-DEFINED", make: capacityRun, q: askE2E, alter: func(_, b *evidence.RunRow) { b.Measurements = nil }, want: Blocked},
	{rule: "M-DEFINED", make: capacityRun, q: askE2E, alter: figures1(func(m *evidence.MeasurementRow) { m.State = evidence.Conflict }), want: Unknown},
	{rule: "M-STAT", make: capacityRun, q: askE2E, alter: figures1(func(m *evidence.MeasurementRow) { m.N = evidence.Some(int64(1)) }), want: Blocked},
	{rule: "M-CLASS", make: capacityRun, q: askE2E, alter: func(_, b *evidence.RunRow) { b.Class = evidence.ClassLong }, want: Blocked},
	{rule: "M-BOUNDARY", make: capacityRun, q: askDecode, change: facts{evidence.KeyTimingBoundary: "ttfo"}, want: Blocked},
	{rule: "M-BOUNDARY", make: capacityRun, q: askDecode, change: facts{evidence.KeyTimingBoundary: ""}, want: Unknown},
	{rule: "M-TTFT-PREFILL", make: capacityRun, q: askTTFT, want: Caution, both: true},
	{rule: "M-TTFO-TTFT", make: capacityRun, q: askTTFT, alter: instead(evidence.TTFT, evidence.TTFO), want: Blocked},
	{rule: "M-TTFT-FALLBACK", make: capacityRun, q: askTTFT, alter: figures1(func(m *evidence.MeasurementRow) {
		if m.Metric == evidence.TTFT {
			m.Value = evidence.Some(2.000001)
		}
	}), want: Blocked},
	{rule: "M-TTFT-FALLBACK", make: capacityRun, q: askTTFT, alter: figures1(func(m *evidence.MeasurementRow) {
		m.Value, m.State, m.Rule = evidence.None[float64](), evidence.Absent, "no-visible-output"
	}), want: Blocked},
	{rule: "M-CHUNKS", make: capacityRun, q: askChunks, alter: chunkCounted, change: facts{evidence.KeyMTPDepth: ""}, want: Unknown, both: true},
	{rule: "M-CHUNKS", make: capacityRun, q: askChunks, alter: chunkCounted, want: Caution, both: true},
	{rule: "M-CHUNKS", make: capacityRun, q: askRate, alter: instead(evidence.OutputThroughput, evidence.OutputChunkThroughput), want: Blocked},
	{rule: "M-COUNT-MATCH", make: capacityRun, q: askRate, change: facts{evidence.KeyCounting: "mixed"}, want: Noted},
	{rule: "M-PCTL", make: capacityRun, q: askE2E, alter: figures1(func(m *evidence.MeasurementRow) { m.Method = evidence.RoundedIndex }), want: Blocked},
	{rule: "M-PCTL", make: capacityRun, q: askE2E, alter: figures1(func(m *evidence.MeasurementRow) { m.Method = "" }), want: Caution},
	{rule: "M-PCTL", make: capacityRun, q: Question{Metric: evidence.TTFT, Stat: evidence.P95}, alter: func(a, b *evidence.RunRow) {
		b.Family = "F5"
		figures1(func(m *evidence.MeasurementRow) { m.Method = "" })(a, b)
	}, want: Blocked},
	{rule: "M-N", make: capacityRun, q: askE2E, alter: figures1(func(m *evidence.MeasurementRow) { m.N = evidence.Some(int64(5)) }), want: Caution},
	{rule: "M-N", make: capacityRun, q: ranking(askE2E), alter: figures1(func(m *evidence.MeasurementRow) { m.N = evidence.Some(int64(5)) }), want: Blocked},
	{rule: "M-SINGLE", make: capacityRun, q: askE2E, alter: figures1(func(m *evidence.MeasurementRow) { m.N = evidence.None[int64]() }), want: Caution},
	{rule: "M-SINGLE", make: capacityRun, q: ranking(askE2E), alter: figures1(func(m *evidence.MeasurementRow) { m.N = evidence.None[int64]() }), want: Blocked},
	{rule: "M-AGGREGATION", make: capacityRun, q: askE2E, change: facts{evidence.KeyAggregation: "mean of run medians"}, want: Blocked},
	{rule: "M-AGGREGATION", make: capacityRun, q: askE2E, change: facts{evidence.KeyAggregation: "mean of run medians"}, want: Caution, both: true},
	{rule: "M-TPOT", make: capacityRun, q: Question{Metric: evidence.TPOT, Stat: evidence.P50}, want: Noted, both: true},
	{rule: "M-SHORT", make: capacityRun, q: askDecode, change: facts{evidence.KeyMeanOutput: "12"}, want: Blocked},
	{rule: "M-SHORT", make: capacityRun, q: askRate, change: facts{evidence.KeyMeanOutput: "43"}, want: Caution},
	{rule: "M-EQUAL-LENGTH", make: longRun, q: askE2E, want: Caution, both: true},
	{rule: "M-COMPLETION", make: capacityRun, q: askE2E, change: facts{evidence.KeyCompleted: "8", evidence.KeyRequests: "10"}, alter: func(a, _ *evidence.RunRow) { put(a, evidence.KeyCompleted, "10") }, want: Blocked},
	{rule: "M-COMPLETION", make: mediaRun, q: askLatency, change: facts{evidence.KeyCompleted: "13"}, want: Caution, both: true},
	{rule: "M-ZERO", make: capacityRun, q: askRate, change: facts{evidence.KeyCompleted: "0"}, alter: figures1(func(m *evidence.MeasurementRow) { m.Value = evidence.Some(0.0) }), want: Blocked},
	{rule: "M-ZERO", make: speechRun, q: askWER, alter: figures1(func(m *evidence.MeasurementRow) {
		m.Value, m.State, m.Rule = evidence.None[float64](), evidence.Absent, "false-zero"
	}), want: Blocked},
	{rule: "M-FAILED-LATENCY", make: capacityRun, q: askE2E, alter: func(_, b *evidence.RunRow) { b.Status = evidence.RunFailed }, want: Blocked},
	{rule: "M-FAILED-LATENCY", make: mediaRun, q: askLatency, change: facts{evidence.KeyCompleted: "12"}, want: Blocked},
	{rule: "M-FAILED-LATENCY", make: mediaRun, q: askLatency, change: facts{evidence.KeyFailed: "2"}, want: Caution},
	{rule: "M-BOUND", make: capacityRun, q: askRate, alter: figures1(func(m *evidence.MeasurementRow) {
		m.Value, m.Lower, m.Upper = evidence.None[float64](), evidence.Some(700.0), evidence.Some(900.0)
	}), want: Caution},
	{rule: "M-BOUND", make: capacityRun, q: ranking(askRate), alter: figures1(func(m *evidence.MeasurementRow) {
		m.Value, m.Lower, m.Upper = evidence.None[float64](), evidence.Some(300.0), evidence.Some(900.0)
	}), want: Blocked},
	{rule: "M-PRECISION", make: capacityRun, q: askRate, alter: func(a, b *evidence.RunRow) {
		for _, r := range []*evidence.RunRow{a, b} {
			for i := range r.Measurements {
				r.Measurements[i].SourceUnit, r.Measurements[i].SourceText = "tok/s", "587.94"
			}
		}
		a.Measurements[4].SourceText = "764.2998"
	}, want: Caution},
	{rule: "M-STITCH", make: capacityRun, q: askE2E, change: facts{extraStitched: "true"}, want: Blocked},
	{rule: "M-COUNTERS", make: capacityRun, q: Question{Metric: evidence.AcceptLength, Stat: evidence.Mean}, change: facts{evidence.KeyAcceptScope: "lifetime"}, want: Blocked},
	{rule: "M-SELF", make: capacityRun, q: askE2E, alter: func(a, b *evidence.RunRow) { b.Arm = a.Arm }, want: Noted},
	{rule: "M-REASON-LEN", make: capacityRun, q: askE2E, change: facts{evidence.KeyThinking: "enabled"}, want: Caution, both: true},
	{rule: "M-REASON-LEN", make: capacityRun, q: askE2E, change: facts{evidence.KeyThinking: "enabled", evidence.KeyMeanOutput: "100"}, want: Unknown},
	{rule: "M-COLDROW", make: capacityRun, q: askE2E, change: facts{extraFirstRatio: "1.8"}, want: Caution},
	{rule: "H-DEFINITION", make: capacityRun, q: Question{Metric: evidence.TPOT, Stat: evidence.Mean},
		alter: func(a, b *evidence.RunRow) {
			a.Family, b.Family = "vllm", "guidellm"
			add(figureOf(evidence.TPOT, evidence.Mean, 0.01, 10))(nil, a)
			add(figureOf(evidence.TPOTAllTokens, evidence.Mean, 0.012, 10))(nil, b)
		}, want: Blocked},
	{rule: "H-WINDOW", make: capacityRun, q: askRate, change: facts{evidence.KeyWindow: "ramp included"}, alter: func(a, _ *evidence.RunRow) { put(a, evidence.KeyWindow, "steady") }, want: Blocked},
	{rule: "H-WINDOW", make: capacityRun, q: askRate, change: facts{evidence.KeyWindow: "ramp included"}, want: Unknown},
	{rule: "H-OMISSION", make: capacityRun, q: askE2E, alter: instead(evidence.E2E, evidence.E2EFromDue), want: Blocked},

	{rule: "W-PROTO", make: capacityRun, q: askE2E, change: facts{evidence.KeyProtocol: "capacity-v2"}, want: Blocked},
	{rule: "W-PROTO", make: capacityRun, q: askE2E, change: facts{evidence.KeyProtocol: ""}, want: Unknown},
	{rule: "W-CONC", make: capacityRun, q: askE2E, change: facts{evidence.KeyConcurrency: "8"}, want: Blocked},
	{rule: "W-CONC", make: capacityRun, q: askE2E, change: facts{evidence.KeyConcurrency: ""}, want: Unknown},
	{rule: "W-REQ", make: capacityRun, q: askE2E, change: facts{evidence.KeyRequests: "16"}, want: Blocked},
	{rule: "W-REQ", make: capacityRun, q: askE2E, change: facts{evidence.KeyRepetitions: "5"}, want: Caution},
	{rule: "W-CTX", make: capacityRun, q: askE2E, change: facts{evidence.KeyContextTarget: "32768"}, want: Blocked},
	{rule: "W-CLAMP", make: capacityRun, q: askE2E, change: facts{evidence.KeyPlannedContext: "3968"}, want: Blocked},
	{rule: "W-CLAMP", make: capacityRun, q: askE2E, change: facts{evidence.KeyPlannedContext: ""}, want: Caution, both: true},
	{rule: "W-PROMPT", make: capacityRun, q: askE2E, change: facts{evidence.KeyPromptTokens: "3700"}, want: Blocked},
	{rule: "W-PROMPT", make: capacityRun, q: askE2E, change: facts{evidence.KeyPromptTokens: ""}, want: Unknown},
	{rule: "W-PROMPT", make: capacityRun, q: askE2E, change: facts{evidence.KeyPromptTokens: "", evidence.KeyPromptSeed: "0"}, want: Caution, both: true},
	{rule: "W-CALIB", make: capacityRun, q: askE2E, change: facts{evidence.KeyPromptTokens: "", evidence.KeyCalibrated: "3.1"}, alter: func(a, _ *evidence.RunRow) {
		dropFact(a, evidence.KeyPromptTokens)
		put(a, evidence.KeyCalibrated, "3")
	}, want: Blocked},
	{rule: "W-CAP", make: capacityRun, q: askE2E, change: facts{evidence.KeyOutputCap: "64"}, want: Blocked},
	{rule: "W-COMPLETION-DIST", make: capacityRun, q: askRate, change: facts{evidence.KeyCompletionMode: "forced"}, want: Blocked},
	{rule: "W-COMPLETION-DIST", make: capacityRun, q: askRate, change: facts{evidence.KeyCompletionMode: "", evidence.KeyShareAtCap: "1"}, want: Blocked},
	{rule: "W-COMPLETION-DIST", make: capacityRun, q: askDecode, change: facts{evidence.KeyMeanOutput: "178"}, want: Caution},
	{rule: "W-THINK", make: capacityRun, q: askE2E, change: facts{evidence.KeyThinking: "enabled"}, want: Blocked},
	{rule: "W-THINK", make: capacityRun, q: askE2E, change: facts{evidence.KeyThinkingEffort: "low"}, want: Unknown},
	{rule: "W-BURST", make: capacityRun, q: askE2E, change: facts{evidence.KeyPromptBurst: "true"}, want: Blocked},
	{rule: "W-CACHE", make: capacityRun, q: askTTFT, change: facts{evidence.KeyPrefixCache: "true", evidence.KeyCachedFraction: "0.995"}, want: Blocked},
	{rule: "W-CACHE", make: capacityRun, q: askTTFT, change: facts{evidence.KeyPrefixCache: "", evidence.KeyCacheState: ""}, want: Unknown},
	{rule: "W-CACHE", make: capacityRun, q: askDecode, change: facts{evidence.KeyPrefixCache: "", evidence.KeyCacheState: ""}, want: Caution},
	{rule: "W-WARM", make: capacityRun, q: askE2E, change: facts{evidence.KeyWarmState: "repeat"}, want: Blocked},
	{rule: "W-PROMPTSET", make: capacityRun, q: askE2E, change: facts{evidence.KeyPromptSet: "random"}, want: Blocked},
	{rule: "W-PROMPTSET", make: capacityRun, q: askE2E, change: facts{evidence.KeyPromptSet: ""}, want: Caution, both: true},
	{rule: "W-SAMPLING", make: capacityRun, q: askE2E, change: facts{evidence.KeySampling: "temperature 1"}, want: Blocked},
	{rule: "W-SERVED", make: capacityRun, q: askE2E, change: facts{evidence.KeyServedContext: "600000"}, want: Caution},
	{rule: "W-REPLICA", make: capacityRun, q: askRate, change: facts{evidence.KeyReplicas: "2"}, alter: func(a, _ *evidence.RunRow) { put(a, evidence.KeyReplicas, "1") }, want: Caution},
	{rule: "W-REPLICA", make: capacityRun, q: ranking(askRate), change: facts{evidence.KeyReplicas: "2"}, alter: func(a, _ *evidence.RunRow) { put(a, evidence.KeyReplicas, "1") }, want: Blocked},
	{rule: "W-SCALING", make: capacityRun, q: askRate, change: facts{evidence.KeyConcurrency: "8"}, alter: func(a, b *evidence.RunRow) { b.Arm = a.Arm }, want: Noted},

	{rule: "P-GPU", make: capacityRun, q: askE2E, change: facts{evidence.KeyGPUProduct: "rtx-pro-6000"}, want: Blocked},
	{rule: "P-GPU", make: capacityRun, q: askE2E, change: facts{evidence.KeyGPUProduct: ""}, want: Unknown},
	{rule: "P-GPU", make: capacityRun, q: askE2E, change: facts{evidence.KeyGPUProduct: "RTX 5090 watercooled"}, want: Unknown},
	{rule: "P-GPU-ALIAS", make: capacityRun, q: askE2E, change: facts{evidence.KeyGPUProduct: "RTX 5090 32GB / WSL2 Docker / sm_120"}, want: Noted},
	{rule: "P-POWER", make: capacityRun, q: askE2E, change: facts{evidence.KeyGPUProduct: "RTX PRO 6000 Blackwell Max-Q"}, alter: func(a, _ *evidence.RunRow) { put(a, evidence.KeyGPUProduct, "rtx-pro-6000") }, want: Caution},
	{rule: "P-POWER", make: capacityRun, q: ranking(askE2E), change: facts{evidence.KeyGPUProduct: "RTX PRO 6000 Blackwell Max-Q"}, alter: func(a, _ *evidence.RunRow) {
		put(a, evidence.KeyGPUProduct, "RTX PRO 6000 Blackwell Workstation Edition")
	}, want: Blocked},
	{rule: "P-MEASURED", make: capacityRun, q: askE2E, change: facts{extraCardRole: "co-resident"}, want: Blocked},
	{rule: "P-LANE", make: capacityRun, q: askE2E, change: facts{evidence.KeyLane: "gpu1"}, want: Blocked},
	{rule: "P-LANE", make: capacityRun, q: askE2E, change: facts{evidence.KeyLane: ""}, want: Unknown},
	{rule: "P-MODEL", make: capacityRun, q: askE2E, change: facts{evidence.KeyModelRevision: ""}, want: Caution},
	{rule: "P-REV", make: capacityRun, q: askE2E, change: facts{evidence.KeyModelRevision: "def"}, want: Caution},
	{rule: "P-ENGINE", make: capacityRun, q: askE2E, change: facts{evidence.KeyImageDigest: "sha256:2"}, want: Caution},
	{rule: "P-ONEVAR", make: capacityRun, q: askE2E, change: facts{evidence.KeyCheckpoint: "fp8", evidence.KeyMTPDepth: "3"}, want: Caution},
	{rule: "P-PATH", make: capacityRun, q: askE2E, change: facts{evidence.KeyPath: "routed"}, want: Blocked},
	{rule: "P-PATH", make: capacityRun, q: askE2E, change: facts{evidence.KeyPath: ""}, want: Unknown, both: true},
	{rule: "P-EXTERNAL", make: capacityRun, q: askE2E, alter: func(_, b *evidence.RunRow) { b.Status = evidence.External }, want: Blocked},
	{rule: "P-TRANSFER", make: capacityRun, q: askE2E, change: facts{evidence.KeyInterconnect: "NVLink"}, alter: func(a, _ *evidence.RunRow) { put(a, evidence.KeyInterconnect, "PCIe") }, want: Noted},
	{rule: "P-DIGEST", make: capacityRun, q: askE2E, change: facts{extraReference: "mismatch"}, want: Blocked},

	{rule: "S-CONTROL", make: capacityRun, q: askMTP, change: facts{evidence.KeyMTPDepth: "3", evidence.KeyModelRevision: "def"}, want: Blocked},
	{rule: "S-KVPOOL", make: capacityRun, q: Question{Metric: evidence.E2E, Stat: evidence.P50, Axes: askMTP.Axes}, want: Caution, both: true},
	{rule: "S-ACCEPT", make: capacityRun, q: askMTP, want: Caution, both: true},
	{rule: "S-TEXT", make: capacityRun, q: askMTP, change: facts{evidence.KeyPromptKind: ""}, want: Unknown},
	{rule: "S-TEXT", make: capacityRun, q: askMTP, change: facts{evidence.KeyPromptKind: "random filler"}, alter: func(a, _ *evidence.RunRow) { put(a, evidence.KeyPromptKind, "chat") }, want: Blocked},
	{rule: "S-CHUNK", make: capacityRun, q: Question{Metric: evidence.ITLChunk, Stat: evidence.Mean}, alter: func(a, b *evidence.RunRow) {
		for _, r := range []*evidence.RunRow{a, b} {
			add(figureOf(evidence.ITLChunk, evidence.Mean, 0.00872, 10), figureOf(evidence.TPOT, evidence.Mean, 0.0032, 10))(nil, r)
		}
	}, want: Blocked},
	{rule: "S-EQUAL", make: capacityRun, q: askMTP, want: Noted, both: true},
	{rule: "S-TP", make: capacityRun, q: askTP, change: facts{evidence.KeyTP: "2", evidence.KeyMTPDepth: "3"}, want: Blocked},

	{rule: "H-CLIENT", make: capacityRun, q: ranking(askE2E), change: facts{extraDrops: "3"}, want: Blocked},
	{rule: "H-CONTEND", make: capacityRun, q: ranking(askE2E), change: facts{extraContention: "true"}, want: Blocked},
	{rule: "H-ANOMALY", make: capacityRun, q: askE2E, alter: figures1(func(m *evidence.MeasurementRow) { m.Value.V *= 6 }), want: Noted},
	{rule: "H-ANOMALY", make: capacityRun, q: ranking(askE2E), alter: figures1(func(m *evidence.MeasurementRow) { m.Value.V *= 6 }), want: Blocked},
	{rule: "H-THERMAL", make: capacityRun, q: ranking(askE2E), change: facts{extraThrottled: "true"}, want: Blocked},
	{rule: "H-ORDER", make: capacityRun, q: askE2E, change: facts{extraOrder: "block"}, want: Caution, both: true},
	{rule: "H-ENERGY", make: capacityRun, q: Question{Metric: evidence.EnergyPerOutputToken, Stat: evidence.Total}, want: Blocked, both: true},
	{rule: "H-MODEL-ECHO", make: capacityRun, q: askE2E, change: facts{extraEcho: "mismatch"}, want: Blocked},

	{rule: "Q-PROTO", make: suiteRun, q: askPass, change: facts{evidence.KeyProtocol: "evaluation-2"}, want: Blocked},
	{rule: "Q-REPS", make: suiteRun, q: askPass, change: facts{evidence.KeyRepetitions: "1"}, want: Blocked},
	{rule: "Q-REPS", make: suiteRun, q: ranking(askPass), change: facts{evidence.KeyRepetitions: "2"}, want: Blocked, both: true},
	{rule: "Q-BUDGET", make: suiteRun, q: askPass, change: facts{evidence.KeyVisibleTokens: "512"}, want: Blocked},
	{rule: "Q-SUITE", make: suiteRun, q: askPass, change: facts{evidence.KeySuiteDigest: "d9"}, want: Blocked},
	{rule: "Q-SUITE", make: suiteRun, q: askPass, change: facts{evidence.KeySuiteDigest: "", evidence.KeySuiteChecks: ""}, want: Unknown, both: true},
	{rule: "Q-RANKING", make: suiteRun, q: ranking(askPass), change: facts{evidence.KeyUse: "diagnostic"}, want: Blocked},
	{rule: "Q-CONTROL", make: suiteRun, q: askPass, change: facts{evidence.KeyThinkProof: "requested_unverified"}, want: Caution},
	{rule: "Q-HISTORICAL", make: suiteRun, q: askPass, change: facts{evidence.KeyUse: "historical-invalid"}, want: Blocked},
	{rule: "Q-INVALIDATED", make: mediaRun, q: askLatency, change: facts{extraInvalid: "wrong expectations"}, want: Blocked},
	{rule: "X-CORPUS", make: mediaRun, q: askLatency, change: facts{evidence.KeyCorpus: "c1"}, want: Blocked},
	{rule: "X-CORPUS", make: mediaRun, q: askLatency, change: facts{evidence.KeyCorpus: ""}, want: Unknown, both: true},
	{rule: "X-CORPUS", make: mediaRun, q: askLatency, alter: func(_, b *evidence.RunRow) {
		dropFact(b, evidence.KeyMaxVideos)
		b.Facts = append(b.Facts, evidence.FactRow{Fact: evidence.Fact{Key: evidence.KeyMaxVideos, Value: "1", State: evidence.Derived, Rule: "writer-default"}})
	}, want: Caution},
	{rule: "A-COMPLETE", make: speechRun, q: askWER, change: facts{evidence.KeyComplete: "false"}, want: Blocked},
	{rule: "A-HUMAN-SYNTH", make: speechRun, q: askWER, change: facts{evidence.KeySlice: "synthetic"}, want: Blocked},
	{rule: "A-HUMAN-SYNTH", make: speechRun, q: askWER, change: facts{evidence.KeySlice: ""}, want: Unknown},
	{rule: "A-HUMAN-SYNTH", make: speechRun, q: askWER, change: facts{evidence.KeySlice: "all"}, want: Blocked, both: true},
	{rule: "A-HUMAN-SYNTH", make: speechRun, q: askLatency, change: facts{evidence.KeySlice: "all"}, want: Blocked, both: true},
	{rule: "A-EMPTY", make: speechRun, q: ranking(askWER), change: facts{extraEmpty: "true"}, want: Blocked},
	{rule: "A-HINT", make: speechRun, q: askWER, change: facts{evidence.KeyHint: "en"}, want: Caution},
	{rule: "C-CORRECTNESS", make: capacityRun, q: askE2E, alter: func(_, b *evidence.RunRow) { b.Rejected = "duplicate output" }, want: Caution},
	{rule: "C-CORRECTNESS", make: capacityRun, q: ranking(askE2E), alter: func(_, b *evidence.RunRow) { b.Rejected = "duplicate output" }, want: Blocked},

	{rule: "SHAPE", make: capacityRun, q: askE2E, change: facts{evidence.KeyRamp: "30 s"}, want: Unknown},
	{rule: "RESIDUE", make: capacityRun, q: askE2E, change: facts{evidence.KeyKVDtype: "bf16"}, want: Caution},
	{rule: "RESIDUE", make: capacityRun, q: askE2E, change: facts{"engine_flag_nobody_knows": "on"}, want: Caution},
}

func put(r *evidence.RunRow, k evidence.FactKey, v string) {
	dropFact(r, k)
	r.Facts = append(r.Facts, evidence.FactRow{Fact: evidence.Fact{Key: k, Value: v, State: evidence.Recorded}, Source: r.Source})
}

func dropFact(r *evidence.RunRow, k evidence.FactKey) {
	var kept []evidence.FactRow
	for _, f := range r.Facts {
		if f.Key != k {
			kept = append(kept, f)
		}
	}
	r.Facts = kept
}

func changed(make makeRun, name string, change facts) evidence.RunRow {
	r := make(name, change)
	for k, v := range change {
		if _, ok := r.Fact(k); !ok && v != "" { // a key that the registry does not have
			put(&r, k, v)
		}
	}
	return r
}

// TestRuleCases: with the change the rule gives its verdict; without it, on the same
// shape, the rule is silent.
func TestRuleCases(t *testing.T) {
	for _, c := range ruleCases {
		a, b := c.make("left", nil), changed(c.make, "right", c.change)
		if c.both {
			a = changed(c.make, "left", c.change)
		}
		if c.alter != nil {
			c.alter(&a, &b)
		}
		j := Judge(&a, &b, c.q)
		if got := said(&j, c.rule); got != c.want {
			t.Errorf("%s is %s, want %s: %v", c.rule, got, c.want, rules(j))
		}
		if c.both {
			continue
		}
		same, other := c.make("left", nil), c.make("right", nil)
		if j := Judge(&same, &other, c.q); said(&j, c.rule) != OK {
			t.Errorf("%s speaks of an equal pair: %v", c.rule, rules(j))
		}
	}
}

// said is the gravest verdict that a rule gives to a pair.
func said(j *Judgement, rule string) Verdict {
	out := OK
	for _, r := range j.All() {
		if r.Rule == rule && (out == OK || r.Verdict.rank() > out.rank()) {
			out = r.Verdict
		}
	}
	return out
}

// TestCatalogueIsWhole: every rule says what it is and where it comes from, has an id of
// its own, and either has a case above or says why it is silent.
func TestCatalogueIsWhole(t *testing.T) {
	cases := map[string]bool{"HARDWARE": true, "PROTOCOL": true} // today every such key has a rule of its own
	for _, c := range ruleCases {
		cases[c.rule] = true
	}
	seen := map[string]bool{}
	for _, r := range Rules {
		if seen[r.ID] {
			t.Errorf("%s stands twice", r.ID)
		}
		seen[r.ID] = true
		if r.Text == "" || r.Source == "" || r.Gives == "" && r.Inert == "" || len(r.Scopes) == 0 {
			t.Errorf("%s does not say what it is", r.ID)
		}
		if !cases[r.ID] && r.Inert == "" {
			t.Errorf("%s has no case and no reason to be silent", r.ID)
		}
		if len(r.lines) == 0 && r.decide == nil && r.Inert == "" && r.Source != "table by class" {
			t.Errorf("%s never speaks and does not say why", r.ID)
		}
	}
	for id := range cases {
		if !seen[id] {
			t.Errorf("a case speaks of %s, which is no rule", id)
		}
	}
}
