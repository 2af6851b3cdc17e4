package export

import (
	"cmp"
	"slices"
	"strings"

	"assay/store/evidence"
	"assay/store/evidence/mask"
)

// slot is a place of the schema for one property, and the definitions that may stand in
// it: the schema knows names only. The first that a run has is taken.
type slot struct {
	name    string
	metrics []evidence.MetricID
	units   map[string]string // source unit to the unit as the schema writes it
	base    string            // the schema's word for the base unit
}

var (
	timeUnits  = map[string]string{"ms": "ms", "s": "s"}
	tokenUnits = map[string]string{"ms": "ms/token", "s": "s/token"}
)

var latencySlots = []slot{
	{"time_to_first_token", []evidence.MetricID{evidence.TTFO, evidence.TTFT, evidence.TTFC, evidence.TTFOFromDue}, timeUnits, "s"},
	{"time_per_output_token", []evidence.MetricID{evidence.TPOT, evidence.TPOTInclusive, evidence.TPOTAllTokens}, tokenUnits, "s/token"},
	{"inter_token_latency", []evidence.MetricID{evidence.ITLToken, evidence.ITLChunk, evidence.TPOTWeighted}, tokenUnits, "s/token"},
	{"normalized_time_per_output_token", []evidence.MetricID{evidence.E2EPerToken}, tokenUnits, "s/token"},
	{"request_latency", []evidence.MetricID{evidence.E2E, evidence.E2EFromDue}, timeUnits, "s"},
}

var rateSlots = []slot{
	{"input_token_rate", []evidence.MetricID{evidence.InputThroughput}, map[string]string{"tok/s": "tokens/s", "tokens/s": "tokens/s"}, "tokens/s"},
	{"output_token_rate", []evidence.MetricID{evidence.OutputThroughput}, map[string]string{"tok/s": "tokens/s", "tokens/s": "tokens/s"}, "tokens/s"},
	{"total_token_rate", []evidence.MetricID{evidence.TotalThroughput}, map[string]string{"tok/s": "tokens/s", "tokens/s": "tokens/s"}, "tokens/s"},
	{"request_rate", []evidence.MetricID{evidence.RequestThroughput}, map[string]string{"requests/s": "queries/s"}, "queries/s"},
}

var lengthSlots = []slot{
	{"input_length", []evidence.MetricID{evidence.PromptTokens}, map[string]string{"tokens": "count"}, "count"},
	{"output_length", []evidence.MetricID{evidence.OutputTokens}, map[string]string{"tokens": "count"}, "count"},
}

// statNames are the statistics of the schema, in its order.
var statNames = []struct {
	stat evidence.Stat
	name string
}{
	{evidence.Mean, "mean"}, {evidence.Std, "stddev"}, {evidence.Min, "min"}, {evidence.P0p1, "p0p1"}, {evidence.P1, "p1"}, {evidence.P5, "p5"},
	{evidence.P10, "p10"}, {evidence.P25, "p25"}, {evidence.P50, "p50"}, {evidence.P75, "p75"}, {evidence.P90, "p90"}, {evidence.P95, "p95"},
	{evidence.P99, "p99"}, {evidence.P99p9, "p99p9"}, {evidence.Max, "max"},
}

// figures sorts the measurements of a run into slots.
type figures struct {
	run         *evidence.RunRow
	single      bool // one request completed: its figures are single ones
	placed      map[*evidence.MeasurementRow]bool
	definitions object
}

func newFigures(r *evidence.RunRow, completed evidence.Opt[float64]) *figures {
	return &figures{run: r, single: completed.OK && completed.V == 1, placed: map[*evidence.MeasurementRow]bool{}}
}

// known reports whether a figure is one that holds.
func known(m *evidence.MeasurementRow) bool {
	return m.Role == evidence.Primary && m.Value.OK && m.State != evidence.Conflict && m.State != evidence.Absent
}

// fill gives the statistics of a slot, nil when the run has none.
func (f *figures) fill(s slot, total bool) value {
	for _, metric := range s.metrics {
		if v := f.statistics(s, metric, total); v != nil {
			return v
		}
	}
	return nil
}

func (f *figures) statistics(s slot, metric evidence.MetricID, total bool) value {
	named := map[string]*evidence.MeasurementRow{}
	for i := range f.run.Measurements {
		m := &f.run.Measurements[i]
		if name := f.slotName(m, total); name != "" && m.Metric == metric && known(m) && named[name] == nil {
			named[name] = m
		}
	}
	if len(named) == 0 {
		return nil
	}
	unit, asWritten := commonUnit(s, named)
	out := object{{"units", unit}}
	places := object{}
	for _, n := range statNames {
		m := named[n.name]
		if m == nil {
			if n.name == "mean" {
				out = append(out, member{"mean", nil})
			}
			continue
		}
		text := digits(evidence.FormatDecimal(m.Value.V))
		if asWritten {
			text = digits(m.SourceText)
		}
		out = append(out, member{n.name, text})
		places = append(places, member{n.name, pointerOf(m)})
		f.placed[m] = true
	}
	f.definitions = append(f.definitions, member{s.name, object{{"metric", string(metric)}, {"pointers", places}}})
	return out
}

// slotName is the statistic as the schema names it, "" when it has no name there.
func (f *figures) slotName(m *evidence.MeasurementRow, total bool) string {
	switch {
	case total && m.Stat == evidence.Total:
		return "mean"
	case total:
		return ""
	case f.single && m.Stat == evidence.Single:
		return "mean"
	case f.single:
		return ""
	}
	for _, n := range statNames {
		if n.stat == m.Stat {
			return n.name
		}
	}
	return ""
}

// commonUnit is the unit of a block: that of the source where all figures share it and
// their digits are JSON numbers.
func commonUnit(s slot, named map[string]*evidence.MeasurementRow) (unit string, asWritten bool) {
	source := ""
	for _, m := range named {
		if source == "" {
			source = m.SourceUnit
		}
		if m.SourceUnit != source || !jsonNumber(m.SourceText) {
			return s.base, false
		}
	}
	if unit, ok := s.units[source]; ok {
		return unit, true
	}
	return s.base, false
}

// jsonNumber reports whether digits may stand in JSON as they are.
func jsonNumber(s string) bool {
	if _, err := evidence.ParseDecimal(s); err != nil || strings.ContainsAny(s, ",+") {
		return false
	}
	s = strings.TrimPrefix(s, "-")
	return len(s) == 1 || s[0] != '0' || s[1] < '0' || s[1] > '9'
}

// further lists the figures that hold and have no slot.
func (f *figures) further() value {
	var out items
	for i := range f.run.Measurements {
		m := &f.run.Measurements[i]
		interval := !m.Value.OK && m.Lower.OK && m.Upper.OK
		if f.placed[m] || m.Role != evidence.Primary || m.State == evidence.Conflict || !m.Value.OK && !interval {
			continue
		}
		o := object{{"metric", string(m.Metric)}, {"stat", string(m.Stat)}, {"value", decimalOf(m.Value)}}
		if interval {
			o = append(o, member{"lower", decimalOf(m.Lower)}, member{"upper", decimalOf(m.Upper)})
		}
		o = append(o, member{"unit", string(m.Unit)}, member{"n", count(m.N)}, member{"state", string(m.State)}, member{"pointer", pointerOf(m)})
		out = append(out, o)
	}
	return orNull(out)
}

// withheld lists the figures that the archive has and does not vouch for.
func (f *figures) withheld() value {
	var out items
	for i := range f.run.Measurements {
		if m := &f.run.Measurements[i]; m.State == evidence.Conflict {
			out = append(out, object{{"metric", string(m.Metric)}, {"stat", string(m.Stat)}, {"why", "two sources disagree"}, {"pointer", pointerOf(m)}})
		}
	}
	return orNull(out)
}

func orNull(l items) value {
	if len(l) == 0 {
		return nil
	}
	return l
}

func decimalOf(n evidence.Opt[float64]) value {
	if !n.OK {
		return nil
	}
	return digits(evidence.FormatDecimal(n.V))
}

func count(n evidence.Opt[int64]) value {
	if !n.OK {
		return nil
	}
	return digits(evidence.FormatDecimal(float64(n.V)))
}

// pointerOf is where a figure stands: the pointer, and the bytes in the text there.
func pointerOf(m *evidence.MeasurementRow) value {
	pointer := mask.Secrets(string(m.Place.Pointer))
	if m.Place.Whole() {
		return pointer
	}
	return object{{"pointer", pointer}, {"start", count(evidence.Some(int64(m.Place.Start)))}, {"end", count(evidence.Some(int64(m.Place.End)))}}
}

// methodOf is how the percentiles were taken, nil where no figure says so or two differ.
func methodOf(r *evidence.RunRow) value {
	var methods []evidence.Method
	for i := range r.Measurements {
		if m := r.Measurements[i].Method; m != "" && !slices.Contains(methods, m) {
			methods = append(methods, m)
		}
	}
	if len(methods) != 1 {
		return nil
	}
	return string(methods[0])
}

// factList is every fact that is known, by key.
func factList(r *evidence.RunRow, text func(string, string) string) value {
	facts := slices.Clone(r.Facts)
	slices.SortStableFunc(facts, func(a, b evidence.FactRow) int { return cmp.Compare(a.Key, b.Key) })
	var out object
	for i := range facts {
		f := &facts[i]
		if f.State == evidence.Absent || f.State == evidence.Conflict || i > 0 && facts[i-1].Key == f.Key {
			continue
		}
		out = append(out, member{mask.Secrets(string(f.Key)), text(string(f.Key), f.Value)})
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
