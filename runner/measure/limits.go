package measure

import (
	"fmt"
	"slices"
	"strings"

	"assay/ingest/artifact"
	"assay/store/evidence"
)

// failures says how requests failed, one line for each way, with the cause of the first.
func failures(v *seen) []string {
	count, first := map[string]int{}, map[string]string{}
	var order []string
	for _, r := range v.rows {
		if r.Error == "" {
			continue
		}
		if count[r.Error] == 0 {
			order = append(order, r.Error)
			first[r.Error] = r.Detail
		}
		count[r.Error]++
	}
	slices.SortStableFunc(order, func(a, b string) int { return count[b] - count[a] })
	out := []string{}
	for _, class := range order {
		line := fmt.Sprintf("%d of %d measured requests failed: %s", count[class], len(v.rows), class)
		if first[class] != "" {
			line += ": " + clip(first[class], 300)
		}
		out = append(out, line)
	}
	return out
}

// limits are what the figures do not say, written from the facts themselves.
func (s *session) limits(doc *artifact.Run, v *seen) []string {
	out := []string{}
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	var unknown []string
	for _, k := range artifact.Required {
		if x := doc.Facts[k]; x.State == string(evidence.Absent) && !meant[k] {
			unknown = append(unknown, string(k))
		}
	}
	if len(unknown) > 0 {
		add("Not known of this run: %s. Each says why among the facts.", strings.Join(unknown, ", "))
	}
	for _, line := range s.engine.Limits {
		add("%s", line)
	}
	add("Prompts are generated text (%s), %s.", s.w.Prompt.Kind, prefix(s.w.Prompt.SharedPrefix))
	if doc.Cards == nil || !doc.Cards.Available {
		why := "nobody was asked"
		if doc.Cards != nil {
			why = doc.Cards.Why
		}
		add("No power, energy, clock or temperature of a card was recorded: %s.", why)
	}
	if doc.Client.Calibration == nil {
		add("The client was not calibrated on this machine.")
	} else if doc.Client.Health.Saturated {
		add("The client was part of what it measured: %s.", strings.Join(doc.Client.Health.Reasons, "; "))
	}
	if n := len(v.completed); n > 0 && n < 20 {
		add("%d requests completed: a p95 or p99 of them is their slowest.", n)
	}
	if doc.Engine.Before == nil {
		add("The engine's own counters were not read.")
	}
	var open []string
	for _, g := range doc.Gates {
		if g.Status != passed {
			open = append(open, g.Name+" ("+g.Status+")")
		}
	}
	if len(open) > 0 {
		add("Gates that did not pass: %s.", strings.Join(open, ", "))
	}
	if doc.Repeats < 6 {
		add("%d repeats were planned: fewer than the six that a comparison of arms should rest on.", doc.Repeats)
	}
	return out
}

func prefix(tokens int64) string {
	if tokens == 0 {
		return "each unlike the others from its first token on"
	}
	return fmt.Sprintf("all beginning with the same %d tokens", tokens)
}

// meant are facts whose absence says something by itself: a closed loop has no rate, an open
// one no concurrency.
var meant = map[evidence.FactKey]bool{
	evidence.KeyRequestRate: true, evidence.KeyConcurrency: true, evidence.KeyThinkingEffort: true,
}
