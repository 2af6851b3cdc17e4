package claims

import (
	"fmt"
	"slices"
	"strings"

	"assay/store/evidence"
)

// scaled are the rates that replicas add up to.
var scaled = []evidence.MetricID{evidence.OutputThroughput, evidence.TotalThroughput, evidence.RequestThroughput, evidence.OutputChunkThroughput}

// widens are the facts in which several replicas differ from one by nature.
var widens = map[evidence.FactKey]bool{
	evidence.KeyDP: true, evidence.KeyReplicas: true, evidence.KeyGPUCount: true, evidence.KeyConcurrencyAll: true, evidence.KeyTopology: true,
}

// replicas are how many copies of an arm served together; 1 where nothing says so.
func replicas(r *evidence.RunRow) float64 {
	for _, k := range []evidence.FactKey{evidence.KeyReplicas, evidence.KeyDP} {
		if _, n, ok := fact(r, k); ok && n.value > 1 {
			return n.value
		}
	}
	return 1
}

// scaling states what replicas reach of as many times the single arm.
func (s *sheet) scaling() {
	for i := range s.doc.RunRows {
		r := &s.doc.RunRows[i]
		n := replicas(r)
		if n <= 1 {
			continue
		}
		for j := range r.Measurements {
			m := &r.Measurements[j]
			if m.Role == evidence.Primary && slices.Contains(scaled, m.Metric) && (m.Value.OK || m.Lower.OK && m.Upper.OK) {
				s.scale(r, m, n)
			}
		}
	}
}

func (s *sheet) scale(r *evidence.RunRow, m *evidence.MeasurementRow, n float64) {
	single, ok := s.single(r, m)
	if !ok {
		return
	}
	c := s.claim(Scaling, r, evidence.At(slotOf(m)))
	c.Metric, c.Stat, c.Text, c.Unit, c.Verdict = m.Metric, m.Stat, m.SourceText, "ratio", NotPublished
	c.What = fmt.Sprintf("%s of %s replicas over %s times that of one", title(m.Metric), short(n), short(n))
	c.Formula, c.Note = fmt.Sprintf("figure / (%s * single)", short(n)), "derived, nothing published"
	c.Inputs = []Figure{single.as("base")}
	share := func(v evidence.Opt[float64]) evidence.Opt[float64] {
		if v.OK {
			v.V /= n * single.value
		}
		return v
	}
	c.Recomputed = Value{share(m.Value), share(m.Lower), share(m.Upper)}
	for _, p := range append([]evidence.Place{m.Place}, m.Also...) {
		c.Inputs = append(c.Inputs, Figure{Role: "subject", Run: r.ID, Arm: r.Arm, Metric: m.Metric, Stat: m.Stat, Place: p, Unit: m.SourceUnit})
	}
	if !m.Value.OK {
		c.Note = join(c.Note, "the document gives bounds and no figure: none is made of them")
	}
	s.add(c)
}

// single is the same figure of the arm with one replica that is like r in everything else.
func (s *sheet) single(r *evidence.RunRow, m *evidence.MeasurementRow) (figure, bool) {
	subject := figure{run: r, m: m}
	var best pair
	for _, f := range s.primary {
		if f.run == r || f.m.Metric != m.Metric || f.m.Stat != m.Stat || f.run.Class != r.Class || f.value <= 0 || replicas(f.run) != 1 {
			continue
		}
		p := pairOf(f, subject)
		p.rest = slices.DeleteFunc(p.rest, func(k evidence.FactKey) bool { return widens[k] })
		p.shape = slices.DeleteFunc(p.shape, func(k evidence.FactKey) bool { return widens[k] })
		if len(p.shape) == 0 && len(p.rest) == 0 && (best.base.m == nil || p.apart(best) < 0) {
			best = p
		}
	}
	return best.base, best.base.m != nil
}

// slotOf is where the point value of an interval would stand: the place whose name the
// names of the bounds begin with.
func slotOf(m *evidence.MeasurementRow) evidence.Pointer {
	slot := m.Place.Pointer
	for _, p := range m.Also {
		if p.Pointer.Parent() == slot.Parent() && strings.HasPrefix(string(slot), string(p.Pointer)) {
			slot = p.Pointer
		}
	}
	return slot
}

// memory states what neither the used nor the free memory of a card accounts for.
func (s *sheet) memory() {
	for i := range s.doc.RunRows {
		r := &s.doc.RunRows[i]
		used, ok1 := s.one(r, evidence.GPUMemoryUsed)
		free, ok2 := s.one(r, evidence.GPUMemoryFree)
		row, total, ok3 := fact(r, evidence.KeyGPUMemory)
		if !ok1 || !ok2 || !ok3 {
			continue
		}
		c := s.claim(Memory, r, evidence.At(common(used.m.Place.Pointer, free.m.Place.Pointer)))
		c.What, c.Unit, c.Formula = "memory of the card that neither the used nor the free figure accounts for", used.m.SourceUnit, "card - used - free"
		c.Inputs = []Figure{used.as("input"), free.as("input"), factFigure(row, total.value, "input")}
		rest := total.value - used.value - free.value
		c.Recomputed, c.Verdict, c.Note = point(rest/factor(c.Unit)), NotPublished, "derived, nothing published"
		if rest < -(used.half + free.half) {
			c.Verdict, c.Note = Fails, "used and free are more than the card has"
		}
		s.add(c)
	}
}
