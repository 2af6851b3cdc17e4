package lifttest

import (
	"fmt"
	"strings"

	"assay/store/evidence"
)

// Dump writes a document line by line.
func Dump(d evidence.Document) string {
	var w strings.Builder
	fmt.Fprintf(&w, "%s %s %s root=%q title=%q observed=%q\n", d.Family, d.ReaderRef(), d.ShapeID, d.Root, d.Campaign.Title, d.Campaign.Observed)
	facts(&w, "fact", d.Facts)
	for _, a := range d.Arms {
		fmt.Fprintf(&w, "arm %q %s\n", a.Name, place(a.Place))
		facts(&w, "  fact", a.Facts)
		for i := range a.Runs {
			run(&w, &a.Runs[i])
		}
	}
	for _, n := range d.Notes {
		fmt.Fprintf(&w, "note %s %s %q %s\n", n.Kind, n.Key, n.Text, place(n.Place))
	}
	for _, n := range d.NotLifted {
		fmt.Fprintf(&w, "left %s %q %s\n", n.Reason, n.Text, place(n.Place))
	}
	for _, f := range d.Findings {
		fmt.Fprintf(&w, "finding %s %s %s %s\n", f.Severity, f.Code, f.Pointer, f.Message)
	}
	return w.String()
}

func run(w *strings.Builder, r *evidence.Run) {
	fmt.Fprintf(w, "  run %q %s %s %s\n", r.Name, r.Class, r.Status, place(r.Place))
	facts(w, "    fact", r.Facts)
	for i := range r.Measurements {
		m := &r.Measurements[i]
		value := "absent"
		if m.Value.OK {
			value = evidence.FormatDecimal(m.Value.V)
		}
		fmt.Fprintf(w, "    %s %s %s %s", m.Metric, m.Stat, value, m.Unit)
		if m.Method != "" {
			fmt.Fprintf(w, " %s", m.Method)
		}
		if m.N.OK {
			fmt.Fprintf(w, " n=%d", m.N.V)
		}
		fmt.Fprintf(w, " %s %s %q %s %s %s\n", m.State, m.Role, m.SourceText, m.SourceUnit, m.Rule, place(m.Place))
	}
	for _, s := range r.Samples {
		fmt.Fprintf(w, "    sample %d ok=%v %s start=%s ttft=%s ttfo=%s gen=%s e2e=%s in=%s out=%s cached=%s %s\n", s.Index, s.OK, s.Failure, opt(s.Start), opt(s.TTFT),
			opt(s.TTFO), opt(s.Generation), opt(s.E2E), opt(s.PromptTokens), opt(s.OutputTokens), opt(s.CachedTk), place(s.Place))
	}
}

func facts(w *strings.Builder, head string, fs []evidence.Fact) {
	for _, f := range fs {
		fmt.Fprintf(w, "%s %s=%q %s %s %s\n", head, f.Key, f.Value, f.State, f.Rule, place(f.Place))
	}
}

func place(p evidence.Place) string {
	if p.Whole() {
		return "@" + string(p.Pointer)
	}
	return fmt.Sprintf("@%s[%d:%d]", p.Pointer, p.Start, p.End)
}

func opt[T int64 | float64](o evidence.Opt[T]) string {
	if !o.OK {
		return "-"
	}
	return fmt.Sprint(o.V)
}
