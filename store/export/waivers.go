package export

import (
	"time"

	"assay/store/evidence"
)

// WaiverTable is waivers as a table, the pages' and the command line's.
func WaiverTable(list []evidence.Waiver) Table {
	t := Table{Title: "Waivers", Columns: []Column{
		{Name: "waiver", Form: Figure, Help: "number"},
		{Name: "state", Form: Code, Help: "holds or withdrawn"},
		{Name: "control", Form: Code, Help: "run id"},
		{Name: "arm", Form: Code, Help: "run id"},
		{Name: "metric", Form: Code, Help: "metric id"},
		{Name: "stat", Form: Code, Help: "statistic"},
		{Name: "rules", Form: Code, Help: "rules set aside"},
		{Name: "person", Form: Prose, Help: "who gave it"},
		{Name: "reason", Form: Prose, Help: "why"},
		{Name: "at", Form: Code, Help: "when, UTC"},
		{Name: "withdrawn_by", Form: Prose, Help: "who withdrew it; absent while it holds"},
		{Name: "withdrawn_reason", Form: Prose, Help: "why; absent while it holds"},
		{Name: "withdrawn_at", Form: Code, Help: "when, UTC; absent while it holds"},
	}}
	for i := range list {
		w := &list[i]
		state, ended := "holds", Cell{}
		if !w.Holds() {
			state, ended = "withdrawn", Text(stamp(w.WithdrawnUS))
		}
		var rules []string
		for _, s := range w.Stops {
			rules = append(rules, s.Rule)
		}
		t.Rows = append(t.Rows, []Cell{
			Integer(w.ID), Text(state), Text(w.Control), Text(w.Arm), Text(w.Metric), Text(w.Stat), Words(rules),
			Text(w.Person), Text(w.Reason), Text(stamp(w.AtUS)), Optional(w.WithdrawnBy), Optional(w.WithdrawnReason), ended,
		})
	}
	return t
}

func stamp(us int64) string { return time.UnixMicro(us).UTC().Format(time.RFC3339Nano) }
