package anvil

import (
	"fmt"
	"strings"

	"assay/store/evidence"
)

// dump writes a document as lines that a person can review.
func dump(d evidence.Document) string {
	var w strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&w, format+"\n", args...) }
	line("document %s %s %s %s root=%q", d.ReaderRef(), d.ShapeID, d.Family, d.Schema, d.Root)
	line("campaign id=%q title=%q observed=%q at %s", d.Campaign.ID, d.Campaign.Title, d.Campaign.Observed, where(d.Campaign.Place))
	facts := func(indent string, list []evidence.Fact) {
		for _, f := range list {
			line("%s%s = %s [%s %s] %q at %s", indent, f.Key, f.Value, f.State, f.Rule, f.SourceText, where(f.Place))
		}
	}
	facts("  ", d.Facts)
	for _, a := range d.Arms {
		line("arm %q at %s", a.Name, where(a.Place))
		if a.Rejected != "" {
			line("  rejected %q at %s", a.Rejected, where(a.RejectedPlace))
		}
		facts("  ", a.Facts)
		for _, r := range a.Runs {
			line("  run %q %s %s at %s", r.Name, r.Class, r.Status, where(r.Place))
			facts("    ", r.Facts)
			for _, m := range r.Measurements {
				line("    %s", figureLine(m))
			}
		}
	}
	for _, g := range d.Gates {
		line("gate %q %s (%q) detail=%q evidence=%q at %s", g.Name, g.Status, g.SourceStatus, g.Detail, g.Evidence, where(g.Place))
	}
	for _, n := range d.Notes {
		line("note %s %s %q at %s", n.Kind, n.Key, n.Text, where(n.Place))
	}
	for _, x := range d.Decisions {
		line("decision %s %s = %q at %s", x.Kind, x.Key, x.Value, where(x.Place))
	}
	for _, r := range d.References {
		digest := ""
		if r.SHA256.OK {
			digest = r.SHA256.V.Short()
		}
		line("reference %s %q %s at %s", r.Kind, r.Name, digest, where(r.Place))
	}
	for _, x := range d.NotLifted {
		line("not lifted %s %q at %s", x.Reason, x.Text, where(x.Place))
	}
	for _, f := range d.Findings {
		line("finding %s %s %s@%d %s", f.Severity, f.Code, f.Pointer, f.Offset, f.Message)
	}
	return w.String()
}

func figureLine(m evidence.Measurement) string {
	value := "none"
	switch {
	case m.Value.OK:
		value = evidence.FormatDecimal(m.Value.V)
	case m.Lower.OK && m.Upper.OK:
		value = evidence.FormatDecimal(m.Lower.V) + ".." + evidence.FormatDecimal(m.Upper.V)
	}
	n := "-"
	if m.N.OK {
		n = fmt.Sprint(m.N.V)
	}
	s := fmt.Sprintf("%s %s %s %s %s n=%s %s %s %q %s at %s", m.Role, m.Metric, m.Stat, value, m.Unit, n, m.State, m.Method,
		m.SourceText, m.SourceUnit, where(m.Place))
	for _, p := range m.Also {
		s += " also " + where(p)
	}
	if m.Rule != "" {
		s += " rule " + m.Rule
	}
	return s
}

func where(p evidence.Place) string {
	if p.Whole() {
		return string(p.Pointer)
	}
	return fmt.Sprintf("%s[%d:%d]", p.Pointer, p.Start, p.End)
}
