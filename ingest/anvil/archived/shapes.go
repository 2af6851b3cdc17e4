package archived

import (
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/sweep"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// shape is one kind of value.
type shape struct {
	id, what string
	is       func(v lift.Val) bool
	reason   string         // why no number is lifted; "" tells each by its name
	read     func(*archive) // lifts what was measured; nil where nothing was
}

// labelled are the configuration inputs by label, byte for byte.
var labelled = map[string]shape{
	"anvil-serving.router.profile_bootstrap/v1": {id: "router-profile", what: "a configuration input: profiles of a router", is: has("entries"), reason: evidence.ReasonEcho},
	"anvil-serving.router.profile_bootstrap/v2": {id: "router-profile", what: "a configuration input: profiles of a router", is: has("entries"), reason: evidence.ReasonEcho},
	"anvil-serving.benchmark-profile/v1":        {id: "benchmark-profile", what: "a configuration input: the profile of a benchmark", is: either("adapters", "suites"), reason: evidence.ReasonEcho},
	"anvil-serving.recipe-feasibility-input/v1": {id: "feasibility", what: "a configuration input: requirements and candidates of a campaign", is: either("requirements", "candidates"), reason: evidence.ReasonEcho},
}

// unlabelled are the shapes of values without a label, in the order they are tried.
var unlabelled = []shape{
	{id: "speech-candidates", what: "speech candidates, one request each", is: isSpeechAB, read: (*archive).candidates},
	{id: "voice-turn", what: "one turn of a voice pipeline", is: isTurn, read: (*archive).turn},
	{id: "voice-validation", what: "the validation of a voice pipeline", is: isValidation, read: (*archive).validation},
	{id: "suite", what: "the definition of a suite", is: all(has("suite"), list("evals")), reason: evidence.ReasonEcho},
	{id: "decision-log", what: "a log of routing decisions", is: all(list("records"), has("totals"))},
	{id: "tool-output", what: "the output of a command-line tool", is: all(text("command"), has("ok"), either("data", "error", "warnings"))},
	{id: "evaluation-dump", what: "the dump of an evaluation", is: all(either("score", "metrics"), either("htmls", "convos"))},
	{id: "container-inspection", what: "the inspection of containers or images", is: items(has("Id"), either("Config", "State", "RepoTags", "Image"))},
	{id: "kernel-config", what: "a configuration input: tile sizes of a kernel", is: isKernelConfig, reason: evidence.ReasonEcho},
	{id: "generation-manifest", what: "a manifest of generated texts", is: items(has("file"), either("completion_tokens", "tok_per_s", "chars"))},
	{id: "structure-grades", what: "grades of the structure of texts", is: items(has("structural_score"))},
	{id: "judgement", what: "the judgement of one judge", is: all(has("judge"), has("candidates"), has("ranking"))},
	{id: "judgements", what: "judgements brought together", is: either("raw_judge_rows", "inter_judge_agreement", "per_model_overall")},
	{id: "digests", what: "a list of digests", is: isDigestMap},
	{id: "blind-key", what: "the key to blinded names", is: isBlindKey},
	{id: "package", what: "the description of a package", is: all(text("name"), text("version"), either("scripts", "dependencies", "devDependencies", "engines", "private", "main", "type"))},
	{id: "plugin-inspection", what: "the inspection of a plug-in", is: all(has("plugin"), either("capabilities", "install", "policy"))},
	{id: "process-list", what: "a list of processes and ports", is: all(list("processes"), list("ports"))},
	{id: "provider-catalogue", what: "a catalogue of providers", is: all(list("modes"), list("transports"))},
	{id: "dry-run", what: "a configuration input: what a tool would write", is: all(has("dry_run"), has("preview")), reason: evidence.ReasonEcho},
	{id: "client-config", what: "a configuration input: the configuration of a client", is: func(v lift.Val) bool { return v.Len() == 1 && v.Get("config").Is(jsondoc.Object) }, reason: evidence.ReasonEcho},
	{id: "checkpoint-metadata", what: "metadata of checkpoints", is: list("checkpoints")},
	{id: "capability-check", what: "a check of what a machine can do", is: all(text("operation"), has("ok"))},
	{id: "observation", what: "an observation that names no schema", is: isDated},
}

func has(name string) func(lift.Val) bool {
	return func(v lift.Val) bool { return v.Get(name).OK() }
}

func text(name string) func(lift.Val) bool {
	return func(v lift.Val) bool { return v.Get(name).Is(jsondoc.String) }
}

func list(name string) func(lift.Val) bool {
	return func(v lift.Val) bool { return v.Get(name).Is(jsondoc.Array) }
}

func either(names ...string) func(lift.Val) bool {
	return func(v lift.Val) bool {
		for _, name := range names {
			if v.Get(name).OK() {
				return true
			}
		}
		return false
	}
}

func all(parts ...func(lift.Val) bool) func(lift.Val) bool {
	return func(v lift.Val) bool {
		for _, is := range parts {
			if !is(v) {
				return false
			}
		}
		return true
	}
}

// items is a list whose first and last items are so.
func items(parts ...func(lift.Val) bool) func(lift.Val) bool {
	is := all(parts...)
	return func(v lift.Val) bool {
		if !v.Is(jsondoc.Array) || v.Len() == 0 {
			return false
		}
		for _, i := range []int{0, v.Len() - 1} {
			if x := (lift.Val{N: v.N.Children[i]}); !x.Is(jsondoc.Object) || !is(x) {
				return false
			}
		}
		return true
	}
}

// isKernelConfig is a table of tile sizes by batch: its members are named by numbers.
func isKernelConfig(v lift.Val) bool {
	sizes := 0
	for name, m := range v.Members() {
		if strings.Trim(name, "0123456789") == "" && m.Get("BLOCK_SIZE_M").OK() {
			sizes++
		} else if m.Is(jsondoc.Object) {
			return false
		}
	}
	return sizes > 0
}

// isDigestMap is an object from names to digests and nothing else.
func isDigestMap(v lift.Val) bool {
	digests := 0
	for _, m := range v.Members() {
		switch s := m.Str(); {
		case sweep.Digest(s).OK, sweep.Digest(s[strings.LastIndexByte(s, '@')+1:]).OK:
			digests++
		case m.Is(jsondoc.Object) || m.Is(jsondoc.Array) || m.Is(jsondoc.Number):
			return false
		}
	}
	return digests > 0
}

// isBlindKey is an object of objects from names to letters.
func isBlindKey(v lift.Val) bool {
	letters := 0
	for _, m := range v.Members() {
		if !m.Is(jsondoc.Object) {
			return false
		}
		for _, x := range m.Members() {
			if len(x.Str()) != 1 {
				return false
			}
			letters++
		}
	}
	return letters > 0
}

// isDated is an object that says when it was noted, in the way these writers do.
// A list of sources is the registry's.
func isDated(v lift.Val) bool {
	for _, x := range v.Get("sources").Items() {
		if x.Get("url").OK() {
			return false
		}
	}
	for name, m := range v.Members() {
		s := m.Str()
		if sweep.IsObserved(name) && len(s) >= len("2006-01-02") && s[4] == '-' && s[7] == '-' && strings.Trim(s[:4], "0123456789") == "" {
			return true
		}
	}
	return false
}
