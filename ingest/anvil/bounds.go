package anvil

import (
	"strings"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// bounds lifts NAME_lower_bound and NAME_upper_bound as one interval. The point value
// beside them is null, and its slot belongs to the interval.
func (b *builder) bounds(r *run, p evidence.Pointer, row *jsondoc.Node) {
	for i, name := range row.Names {
		m := readMember(name)
		if m.bound == "" || !m.measures() {
			continue
		}
		base := strings.TrimSuffix(name, "_"+m.bound+"_bound")
		lower, upper := base+"_lower_bound", base+"_upper_bound"
		other := row.Get(upper)
		if m.bound == "upper" {
			if other = row.Get(lower); other != nil {
				continue // read with its lower bound
			}
		}
		if other == nil {
			b.find(evidence.Warning, CodeBounds, p.Key(name), row.Children[i], "the other bound is missing: no interval")
			continue
		}
		b.interval(r, m, p, row, base)
	}
}

func (b *builder) interval(r *run, m member, p evidence.Pointer, row *jsondoc.Node, base string) {
	lowerName, upperName := base+"_lower_bound", base+"_upper_bound"
	lowerNode, upperNode, point := row.Get(lowerName), row.Get(upperName), row.Get(base)
	if !m.unitFits() {
		b.find(evidence.Warning, CodeUnit, p.Key(lowerName), lowerNode, "the unit is none of the metric")
		return
	}
	if point.Is(jsondoc.Number) {
		b.find(evidence.Info, CodeBounds, p.Key(lowerName), lowerNode, "bounds beside a point value: the point value is taken")
		return
	}
	lo, ok1 := b.figure(p.Key(lowerName), lowerNode, m.unit)
	hi, ok2 := b.figure(p.Key(upperName), upperNode, m.unit)
	if !ok1 || !ok2 || !lo.value.OK || !hi.value.OK || lo.value.V > hi.value.V {
		b.find(evidence.Warning, CodeBounds, p.Key(lowerName), lowerNode, "the bounds make no interval")
		return
	}
	stat, known := m.statistic()
	if !known {
		b.find(evidence.Warning, CodeStat, p.Key(lowerName), lowerNode, "bounds of which statistic?")
		return
	}
	x := evidence.Measurement{Metric: m.metric, Stat: stat, Method: b.methodOf(stat), Lower: lo.value, Upper: hi.value, Unit: lo.unit,
		N: r.observations(), State: lo.state, Role: evidence.Primary, Rule: lo.rule,
		SourceText: lo.text + " to " + hi.text, SourceUnit: m.unit,
		Place: lo.place, Also: []evidence.Place{hi.place}}
	if point != nil {
		x.Also = append(x.Also, evidence.At(p.Key(base)))
	}
	r.Measurements = append(r.Measurements, x)
}
