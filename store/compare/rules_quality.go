package compare

import (
	"strings"

	"assay/store/evidence"
)

// qualityRules are about checks with right answers, context, media and speech.
var qualityRules = []Rule{
	{ID: "Q-PROTO", Scopes: []Scope{ScopeDelta}, Remedy: "evaluate both under one protocol", Text: "A pass rate of the third evaluation protocol meets one of the third only.", Source: "evaluation harness", When: "pass rates", Gives: "different: blocked",
		lines: []keyLine{{key: evidence.KeyProtocol, differ: blocked, oneSided: unknown, when: isPassRate}}},
	{ID: "Q-REPS", Scopes: []Scope{ScopeDelta}, Remedy: "evaluate with equal repetitions, three or more", Text: "Both sides repeat every check equally often, three times or more to rank.", Source: "evaluation harness", When: "pass rates", Gives: "different: blocked; fewer than three: no ranking",
		lines: []keyLine{{key: evidence.KeyRepetitions, differ: blocked, oneSided: unknown, when: isChecked}},
		decide: func(p *pair, r *Rule) {
			if !isPassRate(p) || p.kind&quality == 0 {
				return
			}
			a, okA := p.a.number(ixRepetitions)
			b, okB := p.b.number(ixRepetitions)
			if !okA || !okB || a < 3 || b < 3 {
				p.tellBoth(r, silent, blocked, ixRepetitions, "fewer than three repetitions do not rank")
			}
		}},
	{ID: "Q-BUDGET", Scopes: []Scope{ScopeDelta}, Remedy: "evaluate under one budget", Text: "Visible and headroom tokens and the least pass rate are equal.", Source: "evaluation harness", When: "checks", Gives: "different: blocked; on one side: unknown",
		lines: []keyLine{
			{key: evidence.KeyVisibleTokens, differ: blocked, oneSided: unknown},
			{key: evidence.KeyHeadroomTokens, differ: blocked, oneSided: unknown},
			{key: evidence.KeyMinPassRate, differ: blocked, oneSided: unknown},
		}},
	{ID: "Q-SUITE", Scopes: []Scope{ScopeDelta}, Remedy: "name one suite that both sides ran", Text: "The same suites ran, from one source by its digest; built-in suites under one harness version and with the same checks. A pass rate over a whole file is no measurement.", Source: "evaluation harness", When: "checks", Gives: "different: blocked; built-in with unknown checks: unknown",
		lines:  []keyLine{{key: evidence.KeySuite, differ: blocked, oneSided: unknown, when: isSuite}, {key: evidence.KeySuiteDigest, differ: blocked, oneSided: unknown, when: isSuite}},
		decide: decideSuite},
	{ID: "Q-RANKING", Scopes: []Scope{ScopeRank}, Remedy: "evaluate for ranking, with a strong validator", Text: "Ranking needs evidence that says it is for ranking, and a strong validator.", Source: "evaluation harness", When: "pass rates", Gives: "else no ranking",
		decide: func(p *pair, r *Rule) {
			if !isPassRate(p) || p.kind&(quality|suites) == 0 {
				return
			}
			for _, s := range []*Prepared{p.a, p.b} {
				if s.text(ixUse) != "ranking" || !strings.HasPrefix(s.text(ixValidator), "strong") {
					p.tellBoth(r, silent, blocked, ixUse, "the evidence is not for ranking, or its validator is not strong")
				}
			}
		}},
	{ID: "Q-CONTROL", Scopes: []Scope{ScopeRank}, Remedy: "verify the thinking control", Text: "The thinking control is verified or supported, with its evidence.", Source: "evaluation harness", When: "checks", Gives: "else caveat and no ranking",
		decide: func(p *pair, r *Rule) {
			if p.kind&(quality|suites) == 0 {
				return
			}
			for _, s := range []*Prepared{p.a, p.b} {
				if t := s.text(ixThinkProof); t != "" && t != "verified" && t != "supported" || p.q.Rank && t == "" && isPassRate(p) {
					p.tellRanked(r, caution, ixThinkProof, "the thinking control is not verified")
				}
			}
		}},
	{ID: "Q-STABLE", Scopes: []Scope{ScopeNote}, Text: "Stable items and attempts are both counted.", Source: "evaluation harness", Gives: "note", Inert: "a matter of display: both counts are facts of the run"},
	{ID: "Q-TRUNC", Scopes: []Scope{ScopeNote}, Text: "Wrong, truncated and silent answers are told apart.", Source: "evaluation harness", Gives: "note", Inert: "a matter of display: attempts are samples of the run"},
	{ID: "Q-SLICE", Scopes: []Scope{ScopeNote}, Text: "A slice is not the benchmark.", Source: "evaluation harness", Gives: "note", Inert: "a matter of wording; slices that differ are stopped by X-CORPUS"},
	{ID: "Q-HISTORICAL", Scopes: []Scope{ScopeDelta}, Remedy: measureFact, Text: "Evidence that is labelled historical and invalid is not compared.", Source: "evaluation harness", Gives: "blocked",
		decide: func(p *pair, r *Rule) {
			for _, s := range []*Prepared{p.a, p.b} {
				if t := s.text(ixUse); strings.HasPrefix(t, "historical") || strings.HasPrefix(s.text(ixRunStatus), "historical") || strings.HasPrefix(t, "invalid") {
					p.tell(r, blocked, ixUse, "a side is labelled historical or invalid")
				}
			}
		}},
	{ID: "Q-INVALIDATED", Scopes: []Scope{ScopeDelta}, Remedy: measureFact, Text: "Evidence that a person declared invalid is not compared.", Source: "declared facts", Gives: "blocked", decide: extraRule(extraInvalid, "", blocked, "a person declared a side invalid", "false")},
	{ID: "L-CONTEXT", Scopes: []Scope{ScopeDelta}, Text: "Served, validated, advertised and effective context are four numbers.", Source: "context reports", Gives: "blocked", Inert: "holds by construction: they are four facts and none is a metric"},
	{ID: "L-NEEDLE", Scopes: []Scope{ScopeLabel}, Text: "One needle found says nothing of concurrency.", Source: "decision summary #/gates/3", Gives: "note", Inert: "a matter of wording"},
	{ID: "X-CORPUS", Scopes: []Scope{ScopeDelta}, Remedy: "run both arms over one corpus", Text: "Corpus, slice, output cap and admission limits are equal: an admitted part is another corpus. A time-out that nothing reached is irrelevant.", Source: "media runs", When: "media and speech", Gives: "different: blocked; on one side: unknown; a limit that the writer had built in: caveat",
		lines: []keyLine{
			{key: evidence.KeyCorpus, differ: blocked, oneSided: unknown, neither: unknown, need: media | speech, ofWriter: false, when: hasCorpus},
			{key: evidence.KeyMaxImages, differ: blocked, oneSided: unknown, when: sendsMedia},
			{key: evidence.KeyMaxVideos, differ: blocked, oneSided: unknown, when: sendsMedia},
			{key: evidence.KeySlice, differ: blocked, oneSided: unknown, when: sameSpeech},
		}, decide: decideAdmission},
	{ID: "A-COMPLETE", Scopes: []Scope{ScopeDelta}, Remedy: "run the whole schedule", Text: "The schedule is complete on both sides, nothing failed, and manifest and schedule are the same.", Source: "speech runs", When: "speech", Gives: "blocked", decide: decideComplete},
	{ID: "A-HUMAN-SYNTH", Scopes: []Scope{ScopeDelta}, Remedy: "compare human with human", Text: "WER, CER and latency of human and synthetic recordings never meet and are never merged. The request rate of a whole schedule may be compared under one manifest.", Source: "speech runs", When: "speech", Gives: "blocked; the recordings of one side not known: unknown", decide: decideVoices},
	{ID: "A-EMPTY", Scopes: []Scope{ScopeRank}, Remedy: measureFact, Text: "Empty hypotheses leave stage latency and nothing else.", Source: "voice runs", Gives: "no ranking", Inert: "no reader counts empty hypotheses among the facts of a run",
		decide: extraRanked(extraEmpty, "true", "hypotheses are empty: only stage latency stands")},
	{ID: "A-HINT", Scopes: []Scope{ScopeDelta}, Remedy: "give both arms the same language hint", Text: "Another language hint is another task for WER.", Source: "speech runs", When: "WER, CER", Gives: "caveat",
		lines: []keyLine{{key: evidence.KeyHint, differ: caution, oneSided: caution}}},
}

func isPassRate(p *pair) bool { return p.is(ofQuality) }

// isChecked: repetitions of a check; for a load they are the number of runs.
func isChecked(p *pair) bool { return !loadRepeats(p) }

func isSuite(p *pair) bool { return p.kind&(quality|suites) != 0 }

// sendsMedia: where no request carries an image or a video, how many one may carry is
// a setting of the engine.
func sendsMedia(p *pair) bool { return p.kind&media != 0 }

// hasCorpus: single voice turns have no corpus.
func hasCorpus(p *pair) bool {
	return p.kind&media != 0 || p.kind&speech != 0 && !(isOne(count(p.a)) && isOne(count(p.b)))
}

func count(p *Prepared) evidence.Opt[int64] {
	if n, ok := p.number(ixRequests); ok {
		return evidence.Some(int64(n))
	}
	return evidence.None[int64]()
}

// sameSpeech: slices of speech are A-HUMAN-SYNTH's where one of them is human or
// synthetic.
func sameSpeech(p *pair) bool {
	return p.kind&speech == 0 || !humanOrNot(p.a.text(ixSlice)) && !humanOrNot(p.b.text(ixSlice))
}

func humanOrNot(slice string) bool { return slice == "human" || slice == "synthetic" }

// allVoices is the part of a schedule that puts human and synthetic recordings together.
const allVoices = "all"

func decideVoices(p *pair, r *Rule) {
	if p.kind&speech == 0 || p.asked(ixSlice) {
		return
	}
	switch a, b := p.a.text(ixSlice), p.b.text(ixSlice); {
	case a != b && a != "" && b != "":
		if humanOrNot(a) || humanOrNot(b) {
			p.tell(r, blocked, ixSlice, "human and synthetic recordings never meet")
		}
	case a != b && (humanOrNot(a) || humanOrNot(b)):
		p.add(r, unknown, ixSlice, sayOneSided)
	case a == allVoices && p.is(ofSpeech|ofLatency):
		p.tell(r, blocked, ixSlice, "human and synthetic recordings are merged into one figure")
	}
}

func decideSuite(p *pair, r *Rule) {
	if !isSuite(p) || p.asked(ixSuiteChecks) {
		return
	}
	a, b := p.a.get(ixSuiteChecks), p.b.get(ixSuiteChecks)
	switch {
	case a != nil && b != nil:
		if a.text != b.text {
			p.add(r, blocked, ixSuiteChecks, sayDiffers)
		}
	case a != nil || b != nil:
		p.add(r, unknown, ixSuiteChecks, sayOneSided)
	case p.is(ofQuality) && p.equalKnown(ixSuite) && !p.equalKnown(ixSuiteDigest) && !p.equalKnown(ixItemVersion):
		p.add(r, unknown, ixSuiteChecks, sayNeither)
	}
}

// decideAdmission says where one side's limit is the one its writer had built in.
func decideAdmission(p *pair, r *Rule) {
	for _, ix := range []int{ixMaxImages, ixMaxVideos} {
		if !sendsMedia(p) {
			if p.knownApart(ix) {
				p.add(r, caution, ix, sayDiffers)
			}
			continue
		}
		if p.equalKnown(ix) && p.a.side(ix).State != p.b.side(ix).State {
			p.tell(r, caution, ix, "the limit of one side is the one that its writer had built in")
		}
	}
	if p.kind&media != 0 && p.knownApart(ixOutputCap) {
		p.add(r, blocked, ixOutputCap, sayDiffers)
	}
}

func decideComplete(p *pair, r *Rule) {
	if p.kind&speech == 0 {
		return
	}
	for _, s := range []*Prepared{p.a, p.b} {
		if s.text(ixComplete) == "false" {
			p.tell(r, blocked, ixComplete, "a schedule is not complete")
		}
		if n, ok := s.number(ixFailed); ok && n > 0 {
			p.tell(r, blocked, ixFailed, "requests of a schedule failed")
		}
		if done, ok := s.completion(); ok && done < 1 {
			p.add(r, blocked, ixCompleted, sayCompletion)
		}
	}
	if p.is(ofSpeech|ofLatency|ofThroughput) && (p.knownApart(ixConcurrency) || p.knownApart(ixRepetitions) || p.knownApart(ixCorpus)) {
		p.tell(r, blocked, noKey, "manifest or schedule differ")
	}
}
