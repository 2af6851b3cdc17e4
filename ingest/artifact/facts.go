package artifact

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assay/store/evidence"
)

// Fact is one recorded property of the arm or the run.
type Fact struct {
	// Value is a text, a number (in the base unit of the key) or a flag; null when the
	// property has no value.
	Value jsontext.Value `json:"value"`
	// State is "recorded", "derived", "declared" or "absent".
	State string `json:"state"`
	// How says where the value comes from ("asked of the engine", "client setting", "campaign
	// file"), or why there is none.
	How string `json:"how"`
}

// Facts are the properties by fact key.
type Facts map[evidence.FactKey]Fact

// Set records a value.
func (f Facts) Set(k evidence.FactKey, value, how string) { f.put(k, value, evidence.Recorded, how) }

// Derive records a value that follows from others.
func (f Facts) Derive(k evidence.FactKey, value, how string) { f.put(k, value, evidence.Derived, how) }

// Declare records what a person or a campaign file says.
func (f Facts) Declare(k evidence.FactKey, value, how string) {
	f.put(k, value, evidence.Declared, how)
}

func (f Facts) put(k evidence.FactKey, value string, s evidence.State, how string) {
	f[k] = Fact{Value: scalar(k, value), State: string(s), How: how}
}

// scalar writes a number for a key that has a unit, else a flag or a text.
func scalar(k evidence.FactKey, value string) jsontext.Value {
	if evidence.LookupKey(k).Unit != "" {
		if _, err := evidence.ParseDecimal(value); err == nil {
			return jsontext.Value(value)
		}
	}
	if value == "true" || value == "false" {
		return jsontext.Value(value)
	}
	quoted, _ := jsontext.AppendQuote(nil, strings.ToValidUTF8(value, "\uFFFD")) // fails on broken UTF-8 only
	return quoted
}

// Lack says why a property has no value.
func (f Facts) Lack(k evidence.FactKey, why string) {
	f[k] = Fact{Value: jsontext.Value("null"), State: string(evidence.Absent), How: why}
}

// Get is the value of a key, "" without one.
func (f Facts) Get(k evidence.FactKey) string {
	v := f[k].Value
	switch v.Kind() {
	case '"':
		text, _ := jsontext.AppendUnquote(nil, v) // decoded once already
		return string(text)
	case 'n', 0:
		return ""
	}
	return string(v)
}

// Required are the keys that a run must speak of: the rules of comparison ask for them.
var Required = []evidence.FactKey{
	evidence.KeyWorkloadClass, evidence.KeyConcurrency, evidence.KeyReplicas, evidence.KeyRequests,
	evidence.KeyContextTarget, evidence.KeyPlannedContext, evidence.KeyPromptTokens, evidence.KeyOutputCap,
	evidence.KeyCompletionMode, evidence.KeyThinking, evidence.KeyThinkingEffort, evidence.KeyPromptBurst,
	evidence.KeyPromptSet, evidence.KeyPromptSeed, evidence.KeyPromptKind, evidence.KeyCacheState,
	evidence.KeyCachedFraction, evidence.KeyWarmState, evidence.KeySampling, evidence.KeyRequestRate,
	evidence.KeyProtocol, evidence.KeyPercentileMethod, evidence.KeyTimingBoundary, evidence.KeyAggregation,
	evidence.KeyWindow, evidence.KeyTokenCount,
	evidence.KeyGPUProduct, evidence.KeyGPUArch, evidence.KeyGPUCount, evidence.KeyLane,
	evidence.KeyTP, evidence.KeyDP, evidence.KeyMTPDepth, evidence.KeySpecMethod,
	evidence.KeyModel, evidence.KeyModelRevision, evidence.KeyCheckpoint, evidence.KeyServedModel, evidence.KeyQuantisation,
	evidence.KeyKVDtype, evidence.KeyServedContext, evidence.KeyMaxSequences, evidence.KeyPrefixCache,
	evidence.KeyMemoryFraction, evidence.KeyEngine, evidence.KeyEngineVersion, evidence.KeyImageDigest,
	evidence.KeyPath, evidence.KeyScope, evidence.KeyCompleted, evidence.KeyFailed, evidence.KeyMeanOutput, evidence.KeyShareAtCap,
}

var states = []string{string(evidence.Recorded), string(evidence.Derived), string(evidence.Declared), string(evidence.Absent)}

// faults lists what is wrong with the facts.
func (f Facts) faults() []string {
	var out []string
	for _, k := range Required {
		if _, ok := f[k]; !ok {
			out = append(out, fmt.Sprintf("/facts/%s: missing; a key without a value says why", k))
		}
	}
	for k, x := range f {
		_, known := evidence.KnownKey(k)
		switch at := "/facts/" + string(k); {
		case !known:
			out = append(out, at+": is no fact key")
		case !slices.Contains(states, x.State):
			out = append(out, fmt.Sprintf("%s/state: %q is none of recorded, derived, declared, absent", at, x.State))
		case x.Value.Kind() == '{' || x.Value.Kind() == '[':
			out = append(out, at+"/value: neither text nor number nor flag")
		case (x.Value.Kind() == 'n' || len(x.Value) == 0) != (x.State == string(evidence.Absent)):
			out = append(out, at+": a value and the state absent exclude each other")
		case x.How == "":
			out = append(out, at+"/how: says nothing of where the value comes from")
		}
	}
	sort.Strings(out)
	return out
}
