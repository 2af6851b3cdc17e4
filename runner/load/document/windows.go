package document

import (
	"slices"

	"assay/ingest/artifact"
	"assay/runner/load"
)

const measured = "measure"

var phaseNames = map[load.Phase]string{load.Warmup: "warm-up", load.Ramp: "ramp", load.Measure: measured, load.Drain: "drain"}

// Windows are the windows of a run with the rows that were due in them. The measured one
// lasts until the last request due in it has ended: rates divide what came by the time in
// which it came, and the end of a request that was open when the last was due is part of
// both.
//
// An open loop rises first and warms up then; the format knows the opposite order only, so
// that both become one warm-up, in the windows and in the rows.
func Windows(list []load.Window, rows []artifact.Request) []artifact.Window {
	out := []artifact.Window{}
	for _, w := range list {
		out = append(out, artifact.Window{Name: phaseNames[w.Phase], Start: int64(w.From), End: int64(w.To)})
	}
	if len(out) > 1 && out[0].Name == "ramp" && out[1].Name == "warm-up" {
		out[1].Start = out[0].Start
		out = out[1:]
		for i := range rows {
			if rows[i].Window == "ramp" {
				rows[i].Window = "warm-up"
			}
		}
	}
	i := slices.IndexFunc(out, func(w artifact.Window) bool { return w.Name == measured })
	if i < 0 {
		return out
	}
	for _, r := range rows {
		if r.Window == measured && r.End != nil {
			out[i].End = max(out[i].End, *r.End)
		}
	}
	for j := i + 1; j < len(out); j++ {
		out[j].Start = max(out[j].Start, out[i].End)
		out[j].End = max(out[j].End, out[j].Start)
	}
	return out
}
