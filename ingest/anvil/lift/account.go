package lift

import (
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// maxPointer is the longest pointer that is listed leaf by leaf.
const maxPointer = 1024

// Finish accounts for every leaf and lays the document out.
func (d *Doc) Finish() evidence.Document {
	for _, a := range d.arms {
		for _, r := range a.runs {
			a.Runs = append(a.Runs, r.Run)
		}
		d.Arms = append(d.Arms, a.Arm)
	}
	d.in = carriedBy(&d.Document)
	d.account(d.Top, d.paths.root, nil)
	for _, f := range d.Findings {
		if n := d.codes[f.Code]; n > maxPerCode {
			d.codes[f.Code] = 0
			d.Findings = append(d.Findings, evidence.Finding{Severity: f.Severity, Code: CodeMore, Pointer: d.Root, Offset: -1,
				Message: decimal(float64(n-maxPerCode)) + " more findings of the code " + f.Code})
		}
	}
	return d.Document
}

// account visits a value and everything under it once.
func (d *Doc) account(v Val, s *step, at *evidence.Sample) {
	at = d.in.sample(v.P, at)
	if len(v.P) > maxPointer && len(v.N.Children) > 0 {
		d.Find(evidence.Warning, CodeLongName, v, "nested too deep or under too long a name: nothing below is read")
		d.NotLifted = append(d.NotLifted, evidence.NotLifted{Place: v.place(), Text: kindName(v), Reason: evidence.ReasonUnread})
		return
	}
	switch v.N.Kind {
	case jsondoc.Number, jsondoc.NotFinite:
		d.accountNumber(v, s, at)
	case jsondoc.Object:
		for i, c := range v.N.Children {
			name := v.N.Names[i]
			if len(name) > maxName {
				d.Find(evidence.Warning, CodeLongName, v, "a member name of %d bytes: nothing below it is read", len(name))
				if len(v.P)+len(name) <= 1<<16 {
					d.Skip(Val{P: v.P.Key(name), N: c}, evidence.ReasonUnread)
				} else {
					d.NotLifted = append(d.NotLifted, evidence.NotLifted{Place: v.place(), Text: clip(name), Reason: evidence.ReasonUnread})
				}
				continue
			}
			d.account(Val{P: v.P.Key(name), N: c}, s.under(name), at)
		}
		d.unknown(v, s)
	case jsondoc.Array:
		next := s.under("*")
		for i, c := range v.N.Children {
			d.account(Val{P: v.P.Index(i), N: c}, next, at)
		}
		d.unknown(v, s)
	default:
		d.unknown(v, s)
	}
}

// accountNumber lists a number that nothing carries, whatever the reader meant to do
// with it. A sample carries what the reader took, not what happens to equal a part of it.
func (d *Doc) accountNumber(v Val, s *step, at *evidence.Sample) {
	if d.skipped[v.N] || d.in.places[v.P] || d.taken[v.N] && d.in.number(v.P, v.N, at) {
		return
	}
	reason := evidence.ReasonUnread
	if s != nil && s.reason != "" && v.N.Kind == jsondoc.Number {
		reason = s.reason
	} else {
		d.Find(evidence.Warning, CodeUnread, v, "a number that this reader does not know: %s", clip(v.N.Text))
	}
	d.Skip(v, reason)
}

// unknown remarks a member that the reader does not know, and one whose kind is not the
// one that the paths expect. Of a container only the empty one is remarked: what is in
// it speaks for itself.
func (d *Doc) unknown(v Val, s *step) {
	scalar := v.N.Kind != jsondoc.Object && v.N.Kind != jsondoc.Array
	switch {
	case d.taken[v.N] || len(v.N.Children) > 0:
	case s == nil:
		d.Find(evidence.Info, CodeUnread, v, "a member that this reader does not know: %s", kindName(v))
	case !scalar || s.deep || v.N.Kind == jsondoc.Null:
	case !s.known:
		d.Find(evidence.Warning, CodeNotText, v, "a block was expected, not %s", kindName(v))
	case s.reason != "":
		d.Find(evidence.Warning, CodeNotNumber, v, "a number was expected, not %s", kindName(v))
	}
}
