package lift

import (
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Fact puts a member as a recorded fact. A missing member and an empty text are
// silent; null and another type are reported.
func (d *Doc) Fact(facts *[]evidence.Fact, k evidence.FactKey, v Val) bool {
	if !v.OK() {
		return false
	}
	info := evidence.LookupKey(k)
	f := evidence.Fact{Key: k, State: evidence.Recorded, Place: v.place(), SourceText: bound(v.N.Text)}
	switch {
	case v.Is(jsondoc.Null):
		d.Find(evidence.Info, CodeNull, v, "%s is null: not recorded", info.Title)
		return false
	case info.Unit != "":
		n, ok := d.Number(v, factUnit(info.Unit))
		if !ok {
			return false
		}
		if n.V < 0 {
			d.Find(evidence.Warning, CodeImpossible, v, "%s is not negative", info.Title)
			return false
		}
		f.Value = evidence.FormatDecimal(n.V)
	case v.Is(jsondoc.String), v.Is(jsondoc.Bool):
		f.Value = bound(v.N.Text)
	case v.Is(jsondoc.Number):
		n, ok := d.Number(v, "count")
		if !ok {
			return false
		}
		f.Value = evidence.FormatDecimal(n.V)
	default:
		d.Find(evidence.Warning, CodeNotText, v, "%s: %s is no value for it", info.Title, kindName(v))
		return false
	}
	if f.Value == "" {
		return false
	}
	d.Put(facts, f)
	return true
}

// Flag puts a member that must be a flag.
func (d *Doc) Flag(facts *[]evidence.Fact, k evidence.FactKey, v Val) bool {
	if v.OK() && !v.Is(jsondoc.Bool) && !v.Is(jsondoc.Null) {
		d.Find(evidence.Warning, CodeNotText, v, "a flag was expected, not %s", kindName(v))
		return false
	}
	return d.Fact(facts, k, v)
}

// Words puts a member that must be a text.
func (d *Doc) Words(facts *[]evidence.Fact, k evidence.FactKey, v Val) bool {
	if v.OK() && !v.Is(jsondoc.String) && !v.Is(jsondoc.Null) {
		d.Find(evidence.Warning, CodeNotText, v, "a text was expected, not %s", kindName(v))
		return false
	}
	return d.Fact(facts, k, v)
}

// factUnit is the spelling of a base unit that evidence.ToBase knows.
func factUnit(u evidence.Unit) string { return string(u) }

// Derive puts a fact that a named rule makes from a member.
func (d *Doc) Derive(facts *[]evidence.Fact, k evidence.FactKey, value, rule string, v Val) {
	if value == "" {
		return // a name without letters, a list without entries: nothing was said
	}
	text := ""
	if v.N != nil {
		text = bound(v.N.Text)
	}
	d.Put(facts, evidence.Fact{Key: k, Value: bound(value), State: evidence.Derived, Place: v.place(), SourceText: text, Rule: rule})
}

// Named puts a recorded member whose value is written in other words than it stands.
func (d *Doc) Named(facts *[]evidence.Fact, k evidence.FactKey, value string, v Val) {
	d.Take(v)
	d.Put(facts, evidence.Fact{Key: k, Value: value, State: evidence.Recorded, Place: v.place(), SourceText: bound(v.N.Text)})
}

// Put adds a fact. Two places of equal standing that differ are in conflict.
func (d *Doc) Put(facts *[]evidence.Fact, f evidence.Fact) {
	for i := range *facts {
		have := &(*facts)[i]
		if have.Key != f.Key {
			continue
		}
		if have.Value != f.Value {
			have.State = evidence.Conflict
			d.Find(evidence.Warning, CodeDiffers, Val{P: f.Place.Pointer}, "%s is %q here and %q at %s",
				evidence.LookupKey(f.Key).Title, clip(f.Value), clip(have.Value), have.Place.Pointer)
		}
		return
	}
	*facts = append(*facts, f)
}

// Dispute marks a fact as being in conflict.
func Dispute(facts []evidence.Fact, k evidence.FactKey) {
	for i := range facts {
		if facts[i].Key == k && facts[i].State != evidence.Absent {
			facts[i].State = evidence.Conflict
		}
	}
}
