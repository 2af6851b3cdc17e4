package paired

import (
	"fmt"
	"math"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Rules of claims.
const (
	ruleChange    = "change"
	ruleRatio     = "ratio"
	ruleReduction = "reduction"
)

// direction is the rule that the words of a claim's name give: an improvement of a latency
// is a reduction, a regression of a rate is one too.
func direction(rest []string, m evidence.MetricID) (rule string, left []string) {
	info, _ := evidence.LookupMetric(m)
	rule = ruleChange
	for _, w := range rest {
		switch {
		case w == "improvement" && info.Better == evidence.Lower, w == "regression" && info.Better == evidence.Higher, w == "reduction", w == "saving":
			rule = ruleReduction
		case w == "multiple" || w == "speedup":
			rule = ruleRatio
		case w == "improvement", w == "regression", w == "delta", w == "change", w == "increase", w == "gain", w == "latency", w == "throughput", w == "rate":
		default:
			left = append(left, w)
		}
	}
	return rule, left
}

// claim puts a published change on the subject's run. Without both figures its base stays
// open, and a finding says so.
func (p *pair) claim(subject, control *lift.Run, m evidence.MetricID, stat evidence.Stat, rule string, v lift.Val) {
	unit := "percent"
	if rule == ruleRatio {
		unit = "ratio"
	}
	if v.Is(jsondoc.Null) || subject == nil {
		return
	}
	f, ok := p.Number(v, unit)
	if !ok {
		return
	}
	if stat == "" {
		stat = evidence.Total
	}
	x := evidence.Measurement{Metric: evidence.ClaimedChange, Role: evidence.Claim, Stat: stat, State: evidence.Recorded, Unit: evidence.Ratio,
		Value: evidence.Some(f.V), SourceText: f.Text, SourceUnit: unit, Place: evidence.At(v.P), Rule: fmt.Sprintf("%s(%s %s)", rule, m, stat)}
	own, base := subject.Primary(m, stat), (*evidence.Measurement)(nil)
	if control != nil {
		base = control.Primary(m, stat)
	}
	if own != nil && base != nil {
		x.Also = []evidence.Place{base.Place, own.Place}
		p.follows(&x, rule, own, base)
	} else {
		p.Find(evidence.Info, CodeOpenClaim, v, "which figures the change of %s was formed from is not told", m)
	}
	subject.Measurements = append(subject.Measurements, x)
}

// follows holds a claim against the two figures it names, as far as their digits tell.
func (p *pair) follows(x *evidence.Measurement, rule string, own, base *evidence.Measurement) {
	if !own.Value.OK || !base.Value.OK || base.Value.V == 0 {
		return
	}
	want := own.Value.V / base.Value.V
	slack := want * (scaled(own)/math.Abs(own.Value.V) + scaled(base)/math.Abs(base.Value.V))
	switch rule {
	case ruleChange:
		want--
	case ruleReduction:
		want = 1 - want
	}
	if !(math.Abs(want-x.Value.V) <= slack+scaled(x)) {
		p.Find(evidence.Warning, CodeClaim, lift.Val{P: x.Place.Pointer}, "%s %s is published, the figures at %s and %s give %s", lift.Clip(x.SourceText), x.SourceUnit,
			base.Place.Pointer, own.Place.Pointer, evidence.FormatDecimal(want))
	}
}

// farApart is the factor between the arms of one experiment from which a unit is doubted.
const farApart = 100

// apart reports figures of the arms under one load that lie further apart than a setting
// can bring them.
func (p *pair) apart() {
	if len(p.sides) != 2 {
		return
	}
	for name, run := range p.sides[0].runs {
		other := p.sides[1].runs[name]
		if other == nil {
			continue
		}
		for i := range run.Measurements {
			m := &run.Measurements[i]
			x := other.Primary(m.Metric, m.Stat)
			if x == nil { // a single turn beside statistics
				x = other.Primary(m.Metric, evidence.Single)
			}
			if m.Role == evidence.Primary && x != nil && far(m, x, farApart) {
				p.Find(evidence.Warning, lift.CodeImplausible, lift.Val{P: m.Place.Pointer}, "%s %s here and %s %s at %s: the same figure of the other arm, over %d times apart",
					lift.Clip(m.SourceText), m.SourceUnit, lift.Clip(x.SourceText), x.SourceUnit, x.Place.Pointer, farApart)
			}
		}
	}
}

func far(a, b *evidence.Measurement, factor float64) bool {
	if !a.Value.OK || !b.Value.OK || a.Value.V <= 0 || b.Value.V <= 0 {
		return false
	}
	return math.Max(a.Value.V/b.Value.V, b.Value.V/a.Value.V) > factor
}

// strayRepeat is the factor between repeats of one run that nothing explains.
const strayRepeat = 5

// stray reports repeats that lie far from the first one.
func (p *pair) stray(values []*evidence.Measurement) {
	for i, m := range values {
		if i > 0 && far(m, values[0], strayRepeat) {
			p.Find(evidence.Warning, lift.CodeImplausible, lift.Val{P: m.Place.Pointer}, "%s in this repeat, %s in the first one: over %d times apart on one load",
				lift.Clip(m.SourceText), lift.Clip(values[0].SourceText), strayRepeat)
		}
	}
}
