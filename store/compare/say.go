package compare

import (
	"fmt"
	"math/bits"

	"assay/store/evidence"
)

func trailing(w uint64) int { return bits.TrailingZeros64(w) }

func title(ix int) string { return evidence.Keys[ix].Title }

// side is what a run says of a registered key, with where it stands.
func (p *Prepared) side(ix int) Side {
	c := p.get(ix)
	if c == nil {
		for i := range p.run.Facts {
			if f := &p.run.Facts[i]; f.Key == evidence.Keys[ix].Key {
				return factSideOf(f, false)
			}
		}
		return Side{}
	}
	if c.fact < 0 {
		return Side{Known: true, Value: c.text, State: evidence.Derived}
	}
	return factSideOf(&p.run.Facts[c.fact], true)
}

func factSideOf(f *evidence.FactRow, known bool) Side {
	if f.State == evidence.Absent {
		return Side{}
	}
	return Side{Known: known, Value: f.Value, State: f.State, Sources: []SourceRef{{Artifact: f.Artifact, Place: f.Place}}}
}

func (p *pair) sides(ix int) (left, right Side) { return p.a.side(ix), p.b.side(ix) }

func sayKey(p *pair, f *finding, format string) words {
	w := words{message: fmt.Sprintf(format, title(int(f.key))), key: evidence.Keys[f.key].Key}
	w.left, w.right = p.sides(int(f.key))
	return w
}

func sayDiffers(p *pair, f *finding) words { return sayKey(p, f, "%s differs") }

func sayOneSided(p *pair, f *finding) words {
	if p.a.doubt.has(int(f.key)) || p.b.doubt.has(int(f.key)) {
		return sayKey(p, f, "%s is in conflict: two sources disagree")
	}
	return sayKey(p, f, "%s recorded on one side only")
}

func sayNeither(p *pair, f *finding) words { return sayKey(p, f, "%s recorded on neither side") }

// sayExtra speaks of a key that the registry does not have.
func sayExtra(p *pair, f *finding) words {
	n := extraKey - int(f.key)
	var x *extraCell
	if n < len(p.a.extra) {
		x = &p.a.extra[n]
	} else {
		x = &p.b.extra[n-len(p.a.extra)]
	}
	w := words{key: x.key, left: side(p.a.run, x.key), right: side(p.b.run, x.key), message: string(x.key) + " differs"}
	if w.left.Known != w.right.Known {
		w.message = string(x.key) + " is recorded on one side only"
	}
	return w
}

// sayText speaks the finding's own sentence, with both sides of the key it is about.
func sayText(p *pair, f *finding) words {
	w := words{message: f.text}
	if f.key >= 0 {
		w.key = evidence.Keys[f.key].Key
		w.left, w.right = p.sides(int(f.key))
	}
	return w
}

// reason turns a finding into words.
func (p *pair) reason(f *finding) Reason {
	w := f.say(p, f)
	if w.key == "" && f.key >= 0 {
		w.key = evidence.Keys[f.key].Key
	}
	l := f.level
	if p.q.Rank {
		l = f.rank
	}
	if w.remedy == "" {
		w.remedy = f.rule.Remedy
	}
	scope := ScopeDelta
	if len(f.rule.Scopes) > 0 {
		scope = f.rule.Scopes[0]
	}
	return Reason{Rule: f.rule.ID, Verdict: l.verdict(), Ranking: f.rank.verdict(), Scope: scope, Key: w.key, Left: w.left, Right: w.right, Message: w.message, Remedy: w.remedy}
}

// figureSide is a figure's count as a side of a reason: never its value, for a pair that
// is stopped shows none.
func (p *Prepared) figureSide() Side {
	if p.figure == nil || !p.figure.N.OK {
		return Side{}
	}
	return Side{Known: true, Value: fmt.Sprint(p.figure.N.V), State: p.figure.State, Sources: sourcesOf(*p.figure)}
}

func sourcesOf(m evidence.MeasurementRow) []SourceRef {
	out := []SourceRef{{Artifact: m.Artifact, Place: m.Place}}
	if m.Upper.OK {
		for _, a := range m.Also {
			out = append(out, SourceRef{Artifact: m.Artifact, Place: a})
		}
	}
	return out
}

func textSide(s string) Side { return Side{Known: s != "", Value: s} }

func (l length) side() Side {
	if !l.known {
		return Side{}
	}
	state := evidence.Recorded
	if l.derived {
		state = evidence.Derived
	}
	return Side{Known: true, Value: fmt.Sprintf("%.1f", l.tokens), State: state}
}
