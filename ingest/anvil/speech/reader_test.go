package speech

import (
	"strings"
	"testing"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/lift/lifttest"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// all takes every label of the package, so that one set of tests serves its readers.
type all struct{}

func (all) ID() string   { return "anvil/speech" }
func (all) Version() int { return 2 }

func (all) Match(label string, v *jsondoc.Node) (string, bool) {
	for _, r := range Readers() {
		if shape, ok := r.Match(label, v); ok {
			return shape, true
		}
	}
	return "", false
}

func (all) Read(v *jsondoc.Node, root evidence.Pointer, shape string) evidence.Document {
	for _, r := range Readers() {
		if s, ok := r.Match(lifttest.Label(v), v); ok {
			return r.Read(v, root, s)
		}
	}
	return evidence.Document{Root: root}
}

func TestGolden(t *testing.T) { lifttest.Goldens(t, all{}) }

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, all{}, lifttest.Bytes(f)) }

func BenchmarkRead(b *testing.B) { lifttest.Bench(b, all{}) }

// TestMutations: texts, languages and audio are the corpus's, whose digest is what is
// compared; latencies of single requests show as the figures that they are.
func TestMutations(t *testing.T) {
	optional := map[string]bool{"revision": true, "runtime_version": true, "candidate": true, "profile": true, "llm_ms": true, "total_turn_latency_ms": true,
		"ttfa_ms": true, "max": true, "sha256": true, "path": true, "source_sample_rate": true, "output_bytes": true, "audio_seconds": true, "request_count": true,
		"tts_first_audio_observed": true, "llm_reply": true, "evidence_scope": true, "tool": true, "tts": true, "duration_seconds": true, "scope": true,
		"source_revision": true, "all": true, "promotion_quality_evidence": true, "stt_base_url": true, "tts_base_url": true}
	corpus := map[string]bool{"reference_text": true, "transcript": true, "language": true, "audio_sha256": true, "reported_language": true, "case_id": true,
		"expected_language": true, "llm_reply": true, "hypothesis": true, "stt_hypothesis": true, "tts_first_audio_observed": true}
	figures := map[string]bool{"latency_ms": true, "stt_ms": true, "tts_ms": true, "llm_ms": true, "ttfa_ms": true, "turn_latency_ms": true, "wer_normalized": true,
		"llm_stage_latency_ms": true, "wer": true, "stt_wer": true, "tts_rtf": true}
	lifttest.Mutate(t, all{}, func(m string, p evidence.Pointer, v *jsondoc.Node) bool {
		tokens := p.Tokens()
		last := tokens[len(tokens)-1]
		inside := func(part string) bool { return strings.Contains(string(p), part) }
		single := !inside("/runs/") || inside("/latency/") || inside("/comparison/")
		switch {
		case inside("/topology/"), inside("/tool/"), inside("/runs/0/tts/"):
			return true
		case m == "drop":
			return optional[last]
		case m == "rename":
			return last == "source_revision" || last == "all"
		case m == "retype":
			return corpus[last] && v.Kind != jsondoc.Null || last == "tool" || last == "topology"
		case m == "times-1000" || m == "by-1000":
			return single && figures[last] || last == "repetition" || last == "bytes" || last == "sample_rate" || last == "duration_seconds" ||
				last == "tts_output_bytes" || last == "cold_requests"
		}
		return false
	})
}

func TestLabels(t *testing.T) {
	v := lifttest.Fixtures(t)["schedule"]
	for _, label := range []string{"stt-benchmark-evidence/v2", "voice-stt-benchmark-evidence/v1", "stt.benchmark-evidence/v1", ""} {
		if _, ok := (all{}).Match(label, v); ok {
			t.Errorf("label %q was taken", label)
		}
	}
}

func TestCorpus(t *testing.T) {
	docs := lifttest.Survey(t, all{}, ScheduleLabel, SingleLabel, TurnsLabel)
	for name, d := range docs {
		for _, f := range d.Findings {
			switch f.Code {
			case lift.CodeMismatch, lift.CodeRow, lift.CodeCount, lift.CodeUnread, lift.CodeMissing, lift.CodeDiffers, lift.CodeNotNumber, lift.CodeNotText, lift.CodeImplausible:
				t.Errorf("%s: false alarm %s at %s: %s", name, f.Code, f.Pointer, f.Message)
			}
		}
	}
	for _, a := range lifttest.Golden[[]lifttest.Awkward](t, "awkward.json") {
		d, ok := docs[a.File]
		if ok && a.Kind == "false-zero" && !lifttest.Has(&d, lift.CodeFalseZero, a.Pointer) {
			t.Errorf("%s: no finding at %s (%s)", a.File, a.Pointer, a.What)
		}
	}
}

// TestAbsent: of no success there is no error rate, of no hypothesis none of recognition.
func TestAbsent(t *testing.T) {
	for _, x := range []struct {
		fixture string
		at      evidence.Pointer
		rule    string
	}{
		{"schedule-failed", "/summary/primary_human/micro_wer", lift.RuleFalseZero},
		{"schedule-failed", "/summary/requests_per_second", lift.RuleMixed},
		{"pipeline", "/runs/0/comparison/stt_wer", ruleEmpty},
	} {
		d := lifttest.Read(t, all{}, lifttest.Fixtures(t)[x.fixture])
		found := false
		for _, r := range d.Arms[0].Runs {
			for _, m := range r.Measurements {
				if m.Place.Pointer == x.at {
					found = m.State == evidence.Absent && m.Rule == x.rule && !m.Value.OK
				}
			}
		}
		if !found {
			t.Errorf("%s: %s must be absent by %s", x.fixture, x.at, x.rule)
		}
	}
}

func TestHostileSizes(t *testing.T) {
	lifttest.Hostile(t, all{}, "schedule", "/runs", "/summary/categories", "/language_detection_probes")
}
