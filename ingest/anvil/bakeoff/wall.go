package bakeoff

import (
	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// wallTime holds the whole run's time against its requests, which follow each other.
func (b *bakeoff) wallTime() {
	wall := b.Top.Path("timing", "wall_ms")
	whole, ok := lift.PeekNumber(wall, "ms")
	if !ok || whole <= 0 {
		return
	}
	sum := 0.0
	for _, name := range []string{"intelligence", "tool", "session", "suites"} {
		sum += latencies(b.Top.Get(name).N, 0)
	}
	if sum > whole*1.001 {
		b.Find(evidence.Warning, lift.CodeImplausible, wall, "a run of %s s with requests of %s s in all, one after the other",
			evidence.FormatDecimal(whole), evidence.FormatDecimal(sum))
	}
}

// deepest bounds the walk; the shape has six levels.
const deepest = 12

// latencies adds the latencies below a value up; a check with attempts repeats theirs.
func latencies(v *jsondoc.Node, depth int) float64 {
	if v == nil || depth > deepest {
		return 0
	}
	sum := 0.0
	if v.Is(jsondoc.Object) && !v.Get("attempts").Is(jsondoc.Array) {
		if s, ok := lift.PeekNumber(lift.Val{N: v.Get("latency_ms")}, "ms"); ok {
			sum += s
		}
	}
	for _, c := range v.Children {
		sum += latencies(c, depth+1)
	}
	return sum
}

// contexts holds the contexts that were selected against those that were tried, and the
// cap against what it caps.
func (b *bakeoff) contexts() {
	selected := b.Top.Path("selection", "context_targets")
	rows := b.Top.Path("context", "targets")
	tried := map[int64]bool{}
	for _, r := range rows.Items() {
		if n, ok := b.PeekInt(r.Get("target_tokens")); ok {
			tried[n] = true
		}
		estimated, ok1 := b.PeekInt(r.Get("estimated_prompt_tokens"))
		attempted, ok2 := b.PeekInt(r.Get("attempted_context_tokens"))
		if ok1 && ok2 && attempted > 0 && (estimated > 10*attempted || estimated*10 < attempted) {
			b.Find(evidence.Warning, lift.CodeImplausible, r.Get("estimated_prompt_tokens"), "%d tokens estimated for a context of %d at %s",
				estimated, attempted, r.Get("attempted_context_tokens").P)
		}
	}
	if len(tried) > 0 {
		for _, v := range selected.Items() {
			if n, ok := b.PeekInt(v); ok && !tried[n] {
				b.Find(evidence.Warning, lift.CodeCount, v, "a context of %d tokens was selected, none of the rows at %s tried it", n, rows.P)
			}
		}
	}
	limit, served := b.Top.Path("context", "cap_tokens"), b.Top.Path("context", "max_model_len")
	top, ok1 := b.PeekInt(limit)
	most, ok2 := b.PeekInt(served)
	if ok1 && ok2 && top > most {
		b.Find(evidence.Warning, lift.CodeCount, limit, "a cap of %d tokens above the served context of %d at %s", top, most, served.P)
	}
}
