package lift

import (
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// carried is what facts, measurements and samples of a document stand at.
type carried struct {
	places  map[evidence.Pointer]bool
	samples map[evidence.Pointer]*evidence.Sample
}

func carriedBy(d *evidence.Document) *carried {
	in := &carried{places: map[evidence.Pointer]bool{}, samples: map[evidence.Pointer]*evidence.Sample{}}
	in.facts(d.Facts)
	for i := range d.Arms {
		in.facts(d.Arms[i].Facts)
		for j := range d.Arms[i].Runs {
			in.run(&d.Arms[i].Runs[j])
		}
	}
	return in
}

func (in *carried) facts(fs []evidence.Fact) {
	for i := range fs {
		in.places[fs[i].Place.Pointer] = true
	}
}

func (in *carried) run(r *evidence.Run) {
	in.facts(r.Facts)
	for i := range r.Measurements {
		in.places[r.Measurements[i].Place.Pointer] = true
		for _, a := range r.Measurements[i].Also {
			in.places[a.Pointer] = true
		}
	}
	for i := range r.Samples {
		in.samples[r.Samples[i].Place.Pointer] = &r.Samples[i]
	}
}

// sample is the sample that a place lies under.
func (in *carried) sample(p evidence.Pointer, above *evidence.Sample) *evidence.Sample {
	if s := in.samples[p]; s != nil {
		return s
	}
	return above
}

// number reports whether a number is carried: it stands at a place, or the sample that it
// lies under holds it.
func (in *carried) number(p evidence.Pointer, v *jsondoc.Node, s *evidence.Sample) bool {
	return in.places[p] || s != nil && holds(s, v)
}

// holds reports whether a sample carries the number, as it stands or as milliseconds.
func holds(s *evidence.Sample, v *jsondoc.Node) bool {
	plain, err1 := evidence.ParseDecimal(v.Text)
	milli, err2 := evidence.ScaleDecimal(v.Text, 1, 1000)
	if err1 != nil || err2 != nil {
		return false
	}
	for _, t := range []evidence.Opt[float64]{s.Start, s.TTFT, s.TTFO, s.Generation, s.E2E} {
		if t.OK && (t.V == plain || t.V == milli) {
			return true
		}
	}
	for _, n := range []evidence.Opt[int64]{s.PromptTokens, s.OutputTokens, s.CachedTk} {
		if n.OK && float64(n.V) == plain {
			return true
		}
	}
	return float64(s.Index) == plain
}
