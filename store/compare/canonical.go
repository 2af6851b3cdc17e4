package compare

import (
	"strings"

	"assay/store/evidence"
)

// places of keys in the registry that rules look up themselves.
var (
	ixConcurrency, ixConcurrencyAll   = at(evidence.KeyConcurrency), at(evidence.KeyConcurrencyAll)
	ixReplicas                        = at(evidence.KeyReplicas)
	ixScope, ixAggregation            = at(evidence.KeyScope), at(evidence.KeyAggregation)
	ixGPUProduct, ixGPUMemory         = at(evidence.KeyGPUProduct), at(evidence.KeyGPUMemory)
	ixGPUArch, ixGPUCount, ixHostGPUs = at(evidence.KeyGPUArch), at(evidence.KeyGPUCount), at(evidence.KeyHostGPUs)
	ixShareAtCap, ixRequests          = at(evidence.KeyShareAtCap), at(evidence.KeyRequests)
	ixCompletionMode, ixCounting      = at(evidence.KeyCompletionMode), at(evidence.KeyCounting)
	ixCompleted, ixFailed             = at(evidence.KeyCompleted), at(evidence.KeyFailed)
	ixItems, ixItemsPassed            = at(evidence.KeyItems), at(evidence.KeyItemsPassed)
	ixCacheState, ixCachedFraction    = at(evidence.KeyCacheState), at(evidence.KeyCachedFraction)
	ixPrefixCache, ixOutputCap        = at(evidence.KeyPrefixCache), at(evidence.KeyOutputCap)
	ixPromptTokens, ixPlanned         = at(evidence.KeyPromptTokens), at(evidence.KeyPlannedContext)
	ixPromptSeed, ixProtocol          = at(evidence.KeyPromptSeed), at(evidence.KeyProtocol)
	ixContext, ixCalibrated           = at(evidence.KeyContextTarget), at(evidence.KeyCalibrated)
	ixThinking, ixEffort              = at(evidence.KeyThinking), at(evidence.KeyThinkingEffort)
	ixMTPDepth, ixSpecMethod          = at(evidence.KeyMTPDepth), at(evidence.KeySpecMethod)
	ixDraftDepth                      = at(evidence.KeyDraftDepth)
	ixModel, ixCheckpoint             = at(evidence.KeyModel), at(evidence.KeyCheckpoint)
	ixModelRevision, ixModelDigest    = at(evidence.KeyModelRevision), at(evidence.KeyModelDigest)
	ixEngine                          = at(evidence.KeyEngine)
	ixEngineRevision, ixImage         = at(evidence.KeyEngineRevision), at(evidence.KeyImage)
	ixImageDigest, ixLane             = at(evidence.KeyImageDigest), at(evidence.KeyLane)
	ixPath, ixSlice, ixCorpus         = at(evidence.KeyPath), at(evidence.KeySlice), at(evidence.KeyCorpus)
	ixMaxImages, ixMaxVideos          = at(evidence.KeyMaxImages), at(evidence.KeyMaxVideos)
	ixSuite, ixSuiteDigest            = at(evidence.KeySuite), at(evidence.KeySuiteDigest)
	ixItemVersion                     = at(evidence.KeyItemVersion)
	ixSuiteChecks, ixRepetitions      = at(evidence.KeySuiteChecks), at(evidence.KeyRepetitions)
	ixUse, ixValidator, ixThinkProof  = at(evidence.KeyUse), at(evidence.KeyValidator), at(evidence.KeyThinkProof)
	ixComplete, ixPromptKind          = at(evidence.KeyComplete), at(evidence.KeyPromptKind)
	ixWindow, ixAcceptScope           = at(evidence.KeyWindow), at(evidence.KeyAcceptScope)
	ixRequestRate, ixAchieved         = at(evidence.KeyRequestRate), at(evidence.KeyAchievedRate)
	ixInterconnect                    = at(evidence.KeyInterconnect)
	ixServedContext, ixRunStatus      = at(evidence.KeyServedContext), at(evidence.KeyRunStatus)
	ixCorrectness, ixTP               = at(evidence.KeyCorrectness), at(evidence.KeyTP)
)

func at(k evidence.FactKey) int { return keyIndex[k] }

// sameMeaning maps spellings of one key to the word that stands for them, where a
// definition and not a person says that they are the same.
var sameMeaning = map[evidence.FactKey]map[string]string{
	evidence.KeyThinking: {
		"no_thinking": "disabled", "nothinking": "disabled", "off": "disabled", "false": "disabled", "none": "disabled",
		"thinking disabled": "disabled", "on": "enabled", "true": "enabled", "thinking": "enabled", "thinking enabled": "enabled",
	},
	evidence.KeyThinkingEffort: {"null": "unset", "default": "unset", "not set": "unset"},
	evidence.KeySpecMethod:     {"off": "none", "false": "none", "no": "none", "disabled": "none", "no-spec": "none", "no speculation": "none"},
	evidence.KeyPrefixCache:    {"off": "false", "disabled": "false", "on": "true", "enabled": "true"},
	evidence.KeyPromptBurst:    {"no": "false", "yes": "true"},
	evidence.KeyPath:           {"direct endpoint": "direct", "router": "routed"},
}

// wordKeys are compared without regard to case and separators: they are words of a
// vocabulary, not names.
var wordKeys = map[evidence.FactKey]bool{
	evidence.KeyThinking: true, evidence.KeyThinkingEffort: true, evidence.KeySpecMethod: true, evidence.KeyPrefixCache: true,
	evidence.KeyPromptBurst: true, evidence.KeyPath: true, evidence.KeyScope: true, evidence.KeyCompletionMode: true,
	evidence.KeyWarmState: true, evidence.KeyCacheState: true, evidence.KeyKVDtype: true, evidence.KeyCounting: true,
	evidence.KeyUse: true, evidence.KeyValidator: true, evidence.KeyThinkProof: true,
}

// canonical is the form that values of a key are compared in: digests without their
// prefix, architectures as versions, words of a vocabulary in one spelling.
func canonical(k evidence.FactKey, value string) string {
	s := strings.TrimSpace(value)
	switch k {
	case evidence.KeyImageDigest, evidence.KeyCorpus, evidence.KeySuiteDigest, evidence.KeyModelDigest:
		return strings.ToLower(strings.TrimPrefix(s, "sha256:"))
	case evidence.KeyGPUArch:
		return architecture(s)
	}
	if !wordKeys[k] {
		return s
	}
	s = strings.ToLower(s)
	if m, ok := sameMeaning[k][s]; ok {
		return m
	}
	return s
}

// architecture writes "sm_120", "sm120" and "12.0" alike; other words stay.
func architecture(s string) string {
	w := strings.ToLower(s)
	n, ok := strings.CutPrefix(w, "sm_")
	if !ok {
		n, ok = strings.CutPrefix(w, "sm")
	}
	if n = strings.TrimRight(n, "af"); ok && digits(n) && len(n) > 1 {
		return n[:len(n)-1] + "." + n[len(n)-1:]
	}
	return w
}
