package view

import (
	"assay/store/evidence"
)

// reading collects what a place was read as.
type reading struct {
	detail *evidence.ArtifactDetail
	at     evidence.Place
	out    []placedRead
	with   []NamedLink
	inside int // figures and facts further inside a container
}

type placedRead struct {
	ReadAs
	start int
}

// holds reports whether something that stands at p belongs to the marked place, and
// counts what stands deeper inside it.
func (r *reading) holds(p evidence.Place) bool {
	if p.Pointer != r.at.Pointer {
		if p.Pointer.Under(r.at.Pointer) {
			r.inside++
		}
		return false
	}
	return r.at.Whole() || p.Whole() || p.Start < r.at.End && r.at.Start < p.End
}

func (r *reading) add(x ReadAs, p evidence.Place, s evidence.Source) {
	if p.Pointer == r.at.Pointer && !p.Whole() && p != r.at {
		x.Href = PlaceURL(s.Artifact, p)
	}
	x.Reader = s.Reader
	r.out = append(r.out, placedRead{x, p.Start})
}

func (r *reading) measurements() {
	for i := range r.detail.Measurements {
		m := &r.detail.Measurements[i]
		part := measurementPart(m, r.at.Pointer)
		if part < 0 && !r.holds(m.Place) {
			continue
		}
		place := m.Place
		if part > 0 {
			place = m.Also[part-1]
		}
		if part >= 0 && !r.holds(place) {
			continue
		}
		state := factBadge(m.State)
		x := ReadAs{
			What: "measurement", Text: Words(measurementWords(m, part), maxValue, ""), State: &state, Rule: plain(m.Rule, maxName),
			Run: &NamedLink{"run " + m.Run, RunURL(m.Run)}, Arm: plain(m.Arm, maxName),
		}
		if !place.Whole() {
			x.Stands = plain(m.SourceText, maxName)
		}
		if m.Role != evidence.Primary {
			x.What = string(m.Role) + " figure"
		}
		r.add(x, place, m.Source)
		r.belongs(m, place)
	}
}

// measurementPart is 0 when the measurement's own place is at p, i when its i-th
// further place is, -1 when none is.
func measurementPart(m *evidence.MeasurementRow, p evidence.Pointer) int {
	if m.Place.Pointer == p {
		return 0
	}
	for i, a := range m.Also {
		if a.Pointer == p {
			return i + 1
		}
	}
	return -1
}

// partNames are what the places of an interval are: its own is the lower bound, then
// the upper one and the point value that the source leaves empty.
var partNames = []string{"lower bound", "upper bound", "no point value"}

func isInterval(m *evidence.MeasurementRow) bool { return !m.Value.OK && m.Lower.OK && m.Upper.OK }

// measurementWords says what a figure is: "TTFT, p50, nearest-rank, of n 100: 0.8477 s".
func measurementWords(m *evidence.MeasurementRow, part int) string {
	metric, ok := evidence.LookupMetric(m.Metric)
	title := metric.Title
	if !ok {
		title = string(m.Metric)
	}
	s := title + ", " + string(m.Stat)
	if m.Method != "" {
		s += " (" + string(m.Method) + ")"
	}
	if m.N.OK {
		s += ", n " + Int(m.N.V)
	}
	if !isInterval(m) {
		if m.Value.OK {
			s += ": " + group(evidence.FormatDecimal(m.Value.V)) + " " + string(m.Unit)
		}
		return s
	}
	if part >= 0 && part < len(partNames) {
		s += ", " + partNames[part]
	}
	return s + ": " + group(evidence.FormatDecimal(m.Lower.V)) + " to " + group(evidence.FormatDecimal(m.Upper.V)) + " " + string(m.Unit)
}

// belongs links the other places of the same figure.
func (r *reading) belongs(m *evidence.MeasurementRow, here evidence.Place) {
	if m.Place != here {
		r.link(m, m.Place, 0)
	}
	for i, a := range m.Also {
		if a != here {
			r.link(m, a, i+1)
		}
	}
}

func (r *reading) link(m *evidence.MeasurementRow, p evidence.Place, part int) {
	name := plain(string(p.Pointer), maxName)
	if isInterval(m) && part < len(partNames) {
		name = partNames[part]
	}
	l := NamedLink{name, PlaceURL(m.Artifact, p)}
	for _, have := range r.with {
		if have == l {
			return
		}
	}
	r.with = append(r.with, l)
}

func (r *reading) facts() {
	type once struct {
		key          evidence.FactKey
		value, state string
		place        evidence.Place
	}
	seen := map[once]bool{}
	for i := range r.detail.Facts {
		f := &r.detail.Facts[i]
		if !r.holds(f.Place) {
			continue
		}
		info := evidence.LookupKey(f.Key)
		// A fact of many runs is one reading of the place.
		id := once{f.Key, f.Value, string(f.State), f.Place}
		if seen[id] {
			continue
		}
		seen[id] = true
		state := factBadge(f.State)
		x := ReadAs{What: "fact", Text: Words(info.Title+": "+factText(info, f.Value), maxValue, ""), State: &state, Rule: plain(f.Rule, maxName)}
		if f.State == evidence.Absent {
			x.Text = Words(info.Title+": not recorded", maxValue, "")
		}
		if f.SourceText != f.Value {
			x.Stands = plain(f.SourceText, maxValue)
		}
		r.add(x, f.Place, f.Source)
	}
}

// documents lists gates, notes, decisions, references and names at the place.
func (r *reading) documents() {
	for i := range r.detail.Documents {
		d := &r.detail.Documents[i]
		for _, g := range d.Gates {
			if r.holds(g.Place) || r.at.Pointer.Parent() == g.Place.Pointer && r.at.Pointer != "" {
				badge := gateBadge(g.Status)
				r.add(ReadAs{What: "gate", Text: Words(g.Name, maxValue, ""), State: &badge, Stands: plain(g.SourceStatus, maxName)}, g.Place, g.Source)
			}
		}
		for _, n := range d.Notes {
			if r.holds(n.Place) {
				r.add(ReadAs{What: string(n.Kind), Text: Words("kept as a sentence, verbatim", maxValue, "")}, n.Place, n.Source)
			}
		}
		for _, x := range d.Decisions {
			if r.holds(x.Place) {
				r.add(ReadAs{What: human(x.Kind), Text: Words(x.Value, maxValue, "")}, x.Place, x.Source)
			}
		}
		for _, x := range d.References {
			if r.holds(x.Place) {
				r.add(ReadAs{What: "names a file", Text: Words(x.Name+", "+artifactRefWord(x.State), maxValue, "")}, x.Place, x.Source)
			}
		}
		if c := d.Campaign; c.ID != "" && r.holds(c.Place) && c.Place.Pointer != "" {
			r.add(ReadAs{What: "campaign", Text: Words(c.ID, maxValue, "")}, c.Place, d.Source)
		}
	}
}

func artifactRefWord(s evidence.RefState) string {
	switch s {
	case evidence.RefRetained:
		return "retained in this archive"
	case evidence.RefConverted:
		return "retained in this archive with other line endings"
	case evidence.RefRenamed:
		return "retained in this archive under another name"
	case evidence.RefByName:
		return "a file of that name came in; no digest proves that it is the one"
	case evidence.RefMismatch:
		return "a file of that name is here with another digest"
	}
	return "not retained"
}

func (r *reading) skipped() {
	for i := range r.detail.NotLifted {
		n := &r.detail.NotLifted[i]
		if r.holds(n.Place) {
			x := ReadAs{What: "not lifted", Text: Words(skipReason(n.Reason), maxValue, "")}
			if !n.Place.Whole() {
				x.Stands = plain(n.Text, maxName)
			}
			r.add(x, n.Place, n.Source)
		}
	}
}

// skipReasons say why a figure was left where it is.
var skipReasons = map[string]string{
	evidence.ReasonIdentifier: "part of an identifier",
	evidence.ReasonTimestamp:  "a time",
	evidence.ReasonEcho:       "configuration, repeated",
	evidence.ReasonProse:      "a figure in prose that states no measurement",
	evidence.ReasonLabel:      "part of a label",
	evidence.ReasonUnread:     "a member this reader does not know",
	evidence.ReasonRecomputed: "follows from figures that are lifted, and was held against them",
	evidence.ReasonDetail:     "a part or a by-product of a figure that is lifted",
	evidence.ReasonDiagnostic: "a figure about the client or the engine that no metric here defines",
	evidence.ReasonRestated:   "repeats a figure that is lifted",
	evidence.ReasonVoid:       "written where nothing was measured",
	evidence.ReasonRow:        "one of many raw values behind a figure that is lifted",
}

func skipReason(r string) string {
	if s, ok := skipReasons[r]; ok {
		return s
	}
	return plain(r, maxName)
}

// liftedPlaces tells the values that something was read from, so that lines link them.
func liftedPlaces(d *evidence.ArtifactDetail) func(evidence.Pointer) bool {
	m := make(map[evidence.Pointer]bool, len(d.Measurements)+len(d.Facts))
	for i := range d.Measurements {
		m[d.Measurements[i].Place.Pointer] = true
		for _, a := range d.Measurements[i].Also {
			m[a.Pointer] = true
		}
	}
	for i := range d.Facts {
		m[d.Facts[i].Place.Pointer] = true
	}
	return func(p evidence.Pointer) bool { return m[p] }
}
