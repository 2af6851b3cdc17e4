package evidence

import (
	"fmt"
	"slices"
	"strings"
)

// CanonicalFact is a value that a person gives for a key as readers would have written
// it: a number with its unit in the base unit ("96 GiB" of memory is 103079215104), a
// flag as true or false, other words as they are.
func CanonicalFact(k FactKey, text string) (string, error) {
	info := LookupKey(k)
	if info.Unit != "" {
		return canonicalNumber(info, text)
	}
	word := strings.ToLower(text)
	switch {
	case k == KeyThinking && slices.Contains(yes, word):
		return "enabled", nil
	case k == KeyThinking && slices.Contains(no, word):
		return "disabled", nil
	case flagKeys[k] && slices.Contains(yes, word):
		return "true", nil
	case flagKeys[k] && slices.Contains(no, word):
		return "false", nil
	case flagKeys[k]:
		return "", fmt.Errorf("%.80q: want true or false", text)
	}
	if words, ok := closedWords[k]; ok {
		if !slices.Contains(words, word) {
			return "", fmt.Errorf("%.80q: want %s", text, strings.Join(words, " or "))
		}
		return word, nil
	}
	return text, nil
}

var (
	yes = []string{"true", "yes", "on", "enabled"}
	no  = []string{"false", "no", "off", "disabled"}
)

// flagKeys are true or false.
var flagKeys = map[FactKey]bool{
	KeyPromptBurst: true, KeyPrefixCache: true, KeyTorchCompile: true, KeyDPAttention: true,
	KeyDisaggregated: true, KeyComplete: true, KeySelected: true,
}

// closedWords are keys with a vocabulary that rules rely on.
var closedWords = map[FactKey][]string{
	KeyCompletionMode: {"forced", "natural"},
	KeyPath:           {"direct", "routed", "client"},
	KeyScope:          {"local", "external"},
}

// canonicalNumber reads "4096", "96 GiB", "12.5 %" or "1,048,576 tokens".
func canonicalNumber(info KeyInfo, text string) (string, error) {
	if info.Unit == RequestsPerSec && (text == "inf" || text == "infinity") {
		return "inf", nil
	}
	digits := strings.TrimRight(text, " ")
	end := strings.IndexFunc(digits, func(r rune) bool { return !strings.ContainsRune("0123456789.,+-eE", r) })
	if end < 0 {
		end = len(digits)
	}
	digits, from := digits[:end], strings.TrimSpace(digits[end:])
	switch from {
	case "":
		from = string(info.Unit)
	case "%":
		from = "percent"
	}
	f, unit, err := ToBase(digits, from)
	if err != nil {
		return "", fmt.Errorf("%.80q: %s is a number in %s, with or without its unit", text, info.Key, info.Unit)
	}
	if unit != info.Unit {
		return "", fmt.Errorf("%.80q: %s is in %s", text, info.Key, info.Unit)
	}
	if f < 0 {
		return "", fmt.Errorf("%.80q: %s is never negative", text, info.Key)
	}
	return FormatDecimal(f), nil
}
