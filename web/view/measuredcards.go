package view

import (
	"fmt"
	"strings"

	"assay/store/evidence"
)

// cards are what executed the arm and what else was in the machine. A card that is only
// present is named and not drawn.
func (m *measuring) cards() {
	t := m.doc.Cards
	if t == nil {
		return
	}
	if !t.Available {
		m.begin("Cards")
		m.gap("not asked", "/telemetry/why_not", t.Why)
		m.end()
		return
	}
	m.begin("Sampling of the cards")
	m.row("driver", "/telemetry/driver", t.Driver)
	m.row("asked every", "/telemetry/period_ns", Reading(evidence.Seconds, float64(t.Period)/1e9))
	m.spread("samples lay apart by", "/telemetry/gap_seconds", &t.Gaps)
	if busy := cores(t.CPU); busy != "" {
		m.row("cores that it took", "/telemetry/sampler_cpu_cores", busy)
	}
	m.end()
	for i := range t.Cards[:min(len(t.Cards), mostMeasuredCards)] {
		m.card(&t.Cards[i], fmt.Sprintf("/telemetry/cards/%d", i))
	}
	m.strips(t.Cards[:min(len(t.Cards), mostMeasuredCards)])
}

func (m *measuring) card(c *measuredCard, at string) {
	m.begin(plain(c.Name, maxName))
	m.group.Note = &Badge{Kind: "plain", Word: "executed the arm"}
	if !c.Measured {
		m.group.Note = &Badge{Kind: "plain", Word: "only present"}
	}
	m.row("UUID", at+"/uuid", c.UUID)
	m.row("architecture", at+"/architecture", c.Architecture)
	m.number("power limit", at+"/power_limit_watts", evidence.Watts, c.Limit)
	m.row("lost", at+"/lost", c.Lost)
	switch {
	case c.Energy != nil:
		m.number("energy, integral of power", at+"/energy_joules", evidence.Joules, c.Energy)
	case c.Measured:
		m.gap("energy, integral of power", at+"/energy_joules", "the samples do not cover the measured window")
	}
	m.number("energy, the card's counter", at+"/energy_counter_joules", evidence.Joules, c.Counter)
	m.row("held down by", at+"/throttle_reasons", strings.Join(c.Throttled, ", "))
	m.row("other processes", at+"/other_processes", strings.Join(c.Processes, ", "))
	m.bytes("memory, most used", at+"/memory_used_max_bytes", c.Used)
	m.bytes("memory, least free", at+"/memory_free_min_bytes", c.Free)
	m.end()
}

// strips are the quantities that are drawn: each over the run, one line a card.
func (m *measuring) strips(cards []measuredCard) {
	var from, to float64
	for _, w := range m.doc.Windows {
		if w.Name == "measure" {
			from, to = float64(w.Start)/1e9, float64(w.End)/1e9
		}
	}
	for _, q := range []struct {
		title, unit string
		factor      float64
		of          func(*measuredCard) []*float64
	}{
		{"Power", "W", 1, func(c *measuredCard) []*float64 { return c.Series.Power }},
		{"SM clock", "MHz", 1e-6, func(c *measuredCard) []*float64 { return c.Series.Clock }},
		{"Temperature", "°C", 1, func(c *measuredCard) []*float64 { return c.Series.Temperature }},
		{"Utilisation", "%", 100, func(c *measuredCard) []*float64 { return c.Series.Utilisation }},
	} {
		plot := StripPlot{Title: q.title, Unit: q.unit, From: from, To: to}
		for i := range cards {
			c := &cards[i]
			if line, ok := strip(c, q.of(c), q.factor); ok && c.Measured {
				line.Name = fmt.Sprintf("card %d", i)
				plot.Lines = append(plot.Lines, line)
			}
		}
		if len(plot.Lines) > 0 {
			m.Strips = append(m.Strips, plot)
		}
	}
}

// mostStrip bounds the points of a line; the runner writes fewer.
const mostStrip = 5000

func strip(c *measuredCard, values []*float64, factor float64) (StripLine, bool) {
	var l StripLine
	if len(values) != len(c.Series.At) || len(values) > mostStrip {
		return l, false
	}
	known := false
	for i, at := range c.Series.At {
		l.X = append(l.X, float64(at)/1e9)
		var y *float64
		if v := values[i]; v != nil {
			scaled := *v * factor
			y, known = &scaled, true
		}
		l.Y = append(l.Y, y)
	}
	return l, known
}
