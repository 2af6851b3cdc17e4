package lift

import (
	"strings"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Facts is a list of facts under construction.
type Facts = []evidence.Fact

// mostFacts bounds the facts of an arm or a run; real files have a few dozen.
const mostFacts = 1000

// put adds a fact unless its key is there: the first source holds. It returns false
// when the list is full.
func put(facts *Facts, f evidence.Fact) bool {
	if len(*facts) >= mostFacts {
		return false
	}
	for i := range *facts {
		if (*facts)[i].Key == f.Key {
			return true
		}
	}
	*facts = append(*facts, f)
	return true
}

// Fact records a member as it stands. A missing member and null are silent; a
// container is reported.
func (o Obj) Fact(dst *Facts, key evidence.FactKey) bool { return o.FactIn(dst, key, "") }

// FactIn records a number that the source gives in a unit.
func (o Obj) FactIn(dst *Facts, key evidence.FactKey, unit string) bool {
	if !o.There() {
		return false
	}
	f := evidence.Fact{Key: key, State: evidence.Recorded, Place: o.Place(), SourceText: Clip(o.Node.Text)}
	wantsNumber := evidence.LookupKey(key).Unit != ""
	switch o.Node.Kind {
	case jsondoc.Number:
		v, err := evidence.ParseDecimal(o.Node.Text)
		if unit != "" {
			v, _, err = evidence.ToBase(o.Node.Text, unit)
		}
		if err != nil {
			o.b.Find(evidence.Warning, CodeOutOfRange, o, "%s: %v", key, err)
			o.Skip(evidence.ReasonUnread)
			return false
		}
		if f.Value = evidence.FormatDecimal(v); unit == "" && wholeDigits(o.Node.Text) {
			f.Value = o.Node.Text // a seed of 64 bits fits no float64
		}
	case jsondoc.NotFinite:
		f.Value = NotFiniteWord(o.Node.Text)
		if f.Value == "nan" {
			o.b.Find(evidence.Warning, CodeNotFinite, o, "%s is %s: not recorded", key, o.Node.Text)
			o.Skip(evidence.ReasonUnread)
			return false
		}
	case jsondoc.String, jsondoc.Bool:
		f.Value = o.Node.Text
		if wantsNumber && f.Value != "inf" && f.Value != "trace" {
			o.b.Find(evidence.Warning, CodeNotNumber, o, "%s: a number was expected, not %s", key, o.Show())
			return false
		}
	default:
		o.b.Find(evidence.Warning, CodeNotNumber, o, "%s: %s is no value for it", key, o.Show())
		return false
	}
	if f.Value == "" {
		return false
	}
	if !put(dst, f) {
		return false
	}
	o.b.seen[o.Node] = true
	return true
}

// wholeDigits reports a whole number with more digits than a float64 keeps.
func wholeDigits(s string) bool {
	return len(s) > 15 && s[0] >= '1' && s[0] <= '9' && strings.Trim(s, "0123456789") == "" && len(s) <= 40
}

// FactOrNull records a member; null is written down as what it means.
func (o Obj) FactOrNull(dst *Facts, key evidence.FactKey, null string) {
	if o.Node.Is(jsondoc.Null) {
		o.Derive(dst, key, null, "null")
		return
	}
	o.Fact(dst, key)
}

// Derive adds a fact that a named rule makes from the value.
func (o Obj) Derive(dst *Facts, key evidence.FactKey, value, rule string) {
	if value == "" {
		return
	}
	if o.Node == nil { // made from what is not there: the value as a whole says so
		o = o.b.Top()
	}
	text := Clip(o.Node.Text)
	put(dst, evidence.Fact{Key: key, Value: value, State: evidence.Derived, Place: o.Place(), SourceText: text, Rule: rule})
}

// Quotient adds num/den as a fact.
func Quotient(dst *Facts, key evidence.FactKey, num, den Obj, rule string) {
	a, ok1 := num.Float()
	b, ok2 := den.Float()
	if ok1 && ok2 && b > 0 {
		num.Derive(dst, key, evidence.FormatDecimal(a/b), rule)
	}
}

// NotFiniteWord is the canonical spelling of a word for a number that is not finite.
func NotFiniteWord(s string) string {
	switch {
	case strings.Contains(strings.ToLower(s), "nan"):
		return "nan"
	case strings.HasPrefix(s, "-"):
		return "-inf"
	}
	return "inf"
}

// Protocol says whose measurement this is: tool, percentile method and window.
func (b *Builder) Protocol(tool string, method evidence.Method, window string) {
	o := b.Top()
	o.Derive(&b.Doc.Facts, evidence.KeyProtocol, tool, "shape")
	o.Derive(&b.Doc.Facts, evidence.KeyClient, tool, "shape")
	o.Derive(&b.Doc.Facts, evidence.KeyPercentileMethod, string(method), "tool")
	o.Derive(&b.Doc.Facts, evidence.KeyWindow, window, "tool")
}

// Secrets warns of members that hold credentials; their text goes nowhere.
func (o Obj) Secrets(names ...string) {
	for _, n := range names {
		if m := o.Get(n); m.Str() != "" && strings.Trim(m.Str(), "*") != "" {
			o.b.Find(evidence.Warning, CodeSecretMember, m, "the member %q holds a credential; nothing is taken from it", n)
		}
	}
}
