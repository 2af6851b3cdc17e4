package claims

import (
	"strings"

	"assay/store/evidence"
)

// figure is a run's figure on a sheet.
type figure struct {
	run *evidence.RunRow
	m   *evidence.MeasurementRow
	rounded
}

// sheet is a document laid out for recomputation.
type sheet struct {
	doc     *evidence.DocumentDetail
	primary []figure
	at      map[evidence.Place][]figure
	under   map[evidence.Pointer][]figure // by pointer, wherever in the text
	claims  []Claim
	claimed map[evidence.Place]bool
}

func newSheet(doc *evidence.DocumentDetail) *sheet {
	s := &sheet{doc: doc, at: map[evidence.Place][]figure{}, under: map[evidence.Pointer][]figure{}, claimed: map[evidence.Place]bool{}}
	for i := range doc.RunRows {
		r := &doc.RunRows[i]
		for j := range r.Measurements {
			m := &r.Measurements[j]
			f, ok := figureOf(r, m)
			if !ok || m.Role == evidence.Claim {
				continue
			}
			s.at[m.Place] = append(s.at[m.Place], f)
			s.under[m.Place.Pointer] = append(s.under[m.Place.Pointer], f)
			if m.Role == evidence.Primary {
				s.primary = append(s.primary, f)
			}
		}
	}
	return s
}

// figureOf is a measurement with a value.
func figureOf(r *evidence.RunRow, m *evidence.MeasurementRow) (figure, bool) {
	if !m.Value.OK {
		return figure{}, false
	}
	half := halfOf(digits(m.SourceText)) * factor(m.SourceUnit)
	if strings.Contains(m.SourceText, "/") || m.SourceText == "" {
		half = 0 // a fraction is exact
	}
	return figure{r, m, rounded{m.Value.V, half}}, true
}

// own is a run's primary figure.
func (s *sheet) own(r *evidence.RunRow, metric evidence.MetricID, stat evidence.Stat) (figure, bool) {
	for i := range r.Measurements {
		m := &r.Measurements[i]
		if m.Role == evidence.Primary && m.Metric == metric && m.Stat == stat {
			return figureOf(r, m)
		}
	}
	return figure{}, false
}

// one is a run's figure of one observation.
func (s *sheet) one(r *evidence.RunRow, metric evidence.MetricID) (figure, bool) {
	if f, ok := s.own(r, metric, evidence.Single); ok {
		return f, true
	}
	for _, stat := range []evidence.Stat{evidence.P50, evidence.Mean} {
		if f, ok := s.own(r, metric, stat); ok && f.m.N.OK && f.m.N.V == 1 {
			return f, true
		}
	}
	return figure{}, false
}

// standing finds the figure that a reader says stands at a place.
func (s *sheet) standing(p evidence.Place, metric evidence.MetricID, stat evidence.Stat) (figure, bool) {
	for _, list := range [][]figure{s.at[p], s.under[p.Pointer]} {
		for _, wanted := range []bool{true, false} {
			for _, f := range list {
				fits := metric == "" || f.m.Metric == metric && (stat == "" || f.m.Stat == stat)
				if fits && (f.m.Role == evidence.Primary) == wanted {
					return f, true
				}
			}
		}
	}
	if list := s.at[p]; len(list) > 0 {
		return list[0], true
	}
	return figure{}, false
}

func (f figure) as(role string) Figure {
	return Figure{Role: role, Run: f.run.ID, Arm: f.run.Arm, Metric: f.m.Metric, Stat: f.m.Stat, Place: f.m.Place,
		Text: f.m.SourceText, Unit: f.m.SourceUnit, Value: evidence.Some(f.value)}
}

// claim starts a claim of a run.
func (s *sheet) claim(k Kind, r *evidence.RunRow, p evidence.Place) Claim {
	c := Claim{Source: s.doc.Source, Campaign: s.doc.Campaign.ID, Kind: k, Place: p}
	if r != nil {
		c.Run, c.Arm = r.ID, r.Arm
	}
	return c
}

// add keeps a claim; a place is answered once for each kind and run.
func (s *sheet) add(c Claim) {
	s.claims = append(s.claims, c)
	if c.Verdict != NotPublished {
		s.claimed[c.Place] = true
	}
}

// fact is a merged fact of a run as a number.
func fact(r *evidence.RunRow, k evidence.FactKey) (evidence.FactRow, rounded, bool) {
	f, ok := r.Fact(k)
	if !ok || f.State == evidence.Absent || f.State == evidence.Conflict {
		return f, rounded{}, false
	}
	v, err := evidence.ParseDecimal(f.Value)
	return f, rounded{v, 0}, err == nil
}

func factFigure(f evidence.FactRow, v float64, role string) Figure {
	info := evidence.LookupKey(f.Key)
	return Figure{Role: role, Run: f.Run, Arm: f.Arm, Place: f.Place, Text: f.SourceText, Unit: string(info.Unit), Value: evidence.Some(v)}
}

// common is the value that holds all of these places.
func common(places ...evidence.Pointer) evidence.Pointer {
	if len(places) == 0 {
		return ""
	}
	p := places[0]
	for _, q := range places[1:] {
		for !q.Under(p) {
			p = p.Parent()
		}
	}
	return p
}
