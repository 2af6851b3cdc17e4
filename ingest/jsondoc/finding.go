package jsondoc

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/store/evidence"
)

// Codes of the findings about an artifact's bytes. They are stable: scripts and
// stored rows rely on them.
const (
	CodeSyntax     = "syntax"
	CodeTruncated  = "truncated"
	CodeTrailing   = "trailing-data"
	CodeLeading    = "leading-text"
	CodeDuplicate  = "duplicate-key"
	CodeUnchecked  = "unchecked-keys"
	CodeBadUTF8    = "bad-utf8"
	CodeSurrogate  = "lone-surrogate"
	CodeControl    = "control-character"
	CodeNotFinite  = "not-finite"
	CodeOutOfRange = "number-out-of-range"
	CodeLongNumber = "number-too-long"
	CodeBigInteger = "big-integer"
	CodeLongString = "string-too-long"
	CodeDeep       = "nesting-too-deep"
	CodeTooLarge   = "too-large"
	CodeEmpty      = "empty"
	CodeNotJSON    = "not-json"
	CodeBOM        = "bom"
	CodeUTF16      = "utf16"
	CodeCRLF       = "crlf"
	CodeSeveral    = "several-values"
	CodeMore       = "more-findings"
)

// Codes lists every code with the severity that it always has.
var Codes = []struct {
	Code     string
	Severity evidence.Severity
}{
	{CodeSyntax, evidence.Error},
	{CodeTruncated, evidence.Error},
	{CodeTrailing, evidence.Error},
	{CodeLeading, evidence.Warning},
	{CodeDuplicate, evidence.Error},
	{CodeUnchecked, evidence.Warning},
	{CodeBadUTF8, evidence.Error},
	{CodeSurrogate, evidence.Warning},
	{CodeControl, evidence.Error},
	{CodeNotFinite, evidence.Warning},
	{CodeOutOfRange, evidence.Error},
	{CodeLongNumber, evidence.Error},
	{CodeBigInteger, evidence.Info},
	{CodeLongString, evidence.Error},
	{CodeDeep, evidence.Error},
	{CodeTooLarge, evidence.Error},
	{CodeEmpty, evidence.Info},
	{CodeNotJSON, evidence.Info},
	{CodeBOM, evidence.Info},
	{CodeUTF16, evidence.Info},
	{CodeCRLF, evidence.Info},
	{CodeSeveral, evidence.Info},
	{CodeMore, evidence.Info},
}

const codeCount = 23

var codeIndex = func() map[string]int {
	m := make(map[string]int, len(Codes))
	for i, c := range Codes {
		m[c.Code] = i
	}
	return m
}()

// infoShare is how many findings of one informational code are listed, so that
// thousands of large integers never push an error off the list.
const infoShare = 10

// report collects findings. A pointer is kept relative to its value until the scan
// knows whether the artifact has one value or several. A copy of a report is a
// point to go back to.
type report struct {
	limit           int
	found           []finding
	listed, omitted [codeCount]int
}

type finding struct {
	evidence.Finding
	value int // index of the value the pointer starts at; -1 when it speaks of the artifact
}

// room counts a finding of the code and says whether it is still listed. Errors may
// use the whole list, warnings three quarters, information half, so that errors
// always find room.
func (r *report) room(code string) bool {
	i, n := codeIndex[code], len(r.found)
	var ok bool
	switch Codes[i].Severity {
	case evidence.Info:
		ok = n < (r.limit+1)/2 && r.listed[i] < infoShare
	case evidence.Warning:
		ok = n < (3*r.limit+3)/4
	default:
		ok = n < r.limit
	}
	if ok {
		r.listed[i]++
	} else {
		r.omitted[i]++
	}
	return ok
}

func (r *report) add(code string, value int, p evidence.Pointer, offset int64, message string) {
	r.found = append(r.found, finding{value: value, Finding: evidence.Finding{
		Severity: Codes[codeIndex[code]].Severity, Code: code, Pointer: p, Offset: offset, Message: message,
	}})
}

// list resolves pointers and orders by place.
func (r *report) list(several bool) []evidence.Finding {
	out := make([]evidence.Finding, 0, len(r.found)+1)
	for _, f := range r.found {
		if several && f.value >= 0 {
			f.Pointer = evidence.Pointer("").Index(f.value) + f.Pointer
		}
		out = append(out, f.Finding)
	}
	slices.SortStableFunc(out, func(a, b evidence.Finding) int { return cmp.Compare(a.Offset, b.Offset) })
	if more := r.more(); more != "" {
		out = append(out, evidence.Finding{Severity: evidence.Info, Code: CodeMore, Offset: -1, Message: more})
	}
	return out
}

func (r *report) more() string {
	total := 0
	var parts []string
	for i, n := range r.omitted {
		if n > 0 {
			total += n
			parts = append(parts, fmt.Sprintf("%s %d", Codes[i].Code, n))
		}
	}
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("%d more findings are not listed one by one: %s", total, strings.Join(parts, ", "))
}
