package lifttest

import (
	"testing"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Rescale writes all figures of a metric of a run a thousand times as large and as small,
// as a file in another unit would, and asks that the reader doubts them: a figure of the
// metric is in conflict or gone. It returns what stays unseen, which is the metrics that
// nothing else in the file speaks of.
func Rescale[R Reader](t *testing.T, reader R, v *jsondoc.Node) (tried int, unseen []string) {
	t.Helper()
	shape, ok := reader.Match("", v)
	if !ok {
		t.Fatalf("%s does not match", reader.ID())
	}
	base := reader.Read(v, "", shape)
	for _, a := range base.Arms {
		for _, r := range a.Runs {
			for metric, at := range familiesOf(&r) {
				for _, by := range []int64{1000, -1000} {
					tried++
					undo := scaleAll(v, at, by)
					again := reader.Read(v, "", shape)
					undo()
					if !doubts(&again, &r, metric, at) {
						how := " x 1000"
						if by < 0 {
							how = " / 1000"
						}
						unseen = append(unseen, string(r.Place.Pointer)+" "+string(metric)+how)
					}
				}
			}
		}
	}
	return tried, unseen
}

// familiesOf are the places of the recorded figures of each metric.
func familiesOf(r *evidence.Run) map[evidence.MetricID][]evidence.Pointer {
	out := map[evidence.MetricID][]evidence.Pointer{}
	for _, m := range r.Measurements {
		if m.State == evidence.Recorded && m.Value.OK && m.Value.V != 0 {
			out[m.Metric] = append(out[m.Metric], m.Place.Pointer)
		}
	}
	return out
}

func scaleAll(v *jsondoc.Node, at []evidence.Pointer, by int64) (undo func()) {
	num, den := by, int64(1)
	if by < 0 {
		num, den = 1, -by
	}
	old := map[*jsondoc.Node]string{}
	for _, p := range at {
		n := v.At(p)
		if f, err := evidence.ScaleDecimal(n.Text, num, den); err == nil {
			old[n] = n.Text
			n.Text = evidence.FormatDecimal(f)
		}
	}
	return func() {
		for n, text := range old {
			n.Text = text
		}
	}
}

// doubts reports whether a figure of the metric is in conflict, or no longer lifted.
func doubts(d *evidence.Document, run *evidence.Run, metric evidence.MetricID, at []evidence.Pointer) bool {
	for _, a := range d.Arms {
		for _, r := range a.Runs {
			if r.Place != run.Place {
				continue
			}
			held := 0
			for _, m := range r.Measurements {
				if m.Metric == metric && m.State == evidence.Conflict {
					return true
				}
				if m.Metric == metric && m.State == evidence.Recorded && m.Value.OK {
					held++
				}
			}
			return held < len(at)
		}
	}
	return true
}
