package lmeval

import (
	"fmt"
	"strconv"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

const shapeSamples = "samples"

// SamplesReader reads the items of a task, one JSON value each, that the harness logs
// beside its results. The name of the task stands in no line.
type SamplesReader struct{ lift.Meta }

// SamplesReaders are the readers of logged items.
func SamplesReaders() []SamplesReader {
	return []SamplesReader{{lift.Named("lm-eval/samples", 1, "lm-eval")}}
}

// Match asks for the number of the item, what the model answered and what was made of it.
func (r SamplesReader) Match(_ string, v *jsondoc.Node) (string, bool) {
	return shapeSamples, lift.Has(v, "doc_id", "filtered_resps") && (v.Get("resps") != nil || v.Get("doc") != nil) && v.Get("results") == nil
}

// Read takes one item by itself, which is a series of one.
func (r SamplesReader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	s := r.Series(shapeID).(*items)
	s.place = root
	s.Add(v, root)
	return s.Document()
}

// Series reads the items of one file as runs, one for each metric and filter.
func (r SamplesReader) Series(string) lift.Series {
	return &items{meta: r.Reader, index: map[[2]string]int{}, left: map[string]int{}}
}

// score is a metric under a filter.
type score struct {
	metric, filter string
	values         []float64
	samples        []evidence.Sample
	odd            int // values that are no share of one item
	oddAt          evidence.Pointer
}

type items struct {
	meta   lift.Reader
	index  map[[2]string]int // metric and filter to index in scores
	scores []score
	left   map[string]int
	doc    evidence.Document
	seen   []int // items that have it, parallel to doc.NotLifted
	n      int
	place  evidence.Pointer // of the whole: all values, or the one
}

// mostScores bounds the metrics of a file; real ones have a handful.
const mostScores = 200

// Add takes one item.
func (s *items) Add(v *jsondoc.Node, at evidence.Pointer) {
	s.n++
	filter := v.Get("filter").Str()
	for i, name := range v.Names {
		c := v.Children[i]
		switch value, ok := share(c); {
		case !passMetrics[name]:
			s.leave(name, c, at.Key(name))
		case ok:
			s.add(name, filter, value, at.Key(name))
		case lift.Numeric(c):
			if k := s.of(name, filter); k >= 0 {
				if s.scores[k].odd++; s.scores[k].odd == 1 {
					s.scores[k].oddAt = at.Key(name)
				}
			}
			s.leave(name, c, at.Key(name))
		default: // a list of verdicts, one for each instruction
			s.leave(name, c, at.Key(name))
		}
	}
}

// share is what one item scores: a number from 0 to 1, or a flag.
func share(n *jsondoc.Node) (float64, bool) {
	switch {
	case n.Is(jsondoc.Bool):
		return map[string]float64{"true": 1}[n.Text], true
	case n.Is(jsondoc.Number):
		f, err := evidence.ParseDecimal(n.Text)
		return f, err == nil && f >= 0 && f <= 1
	}
	return 0, false
}

func (s *items) of(metric, filter string) int {
	key := [2]string{metric, lift.Clip(filter)}
	k, ok := s.index[key]
	if !ok {
		if len(s.scores) == mostScores {
			return -1
		}
		k = len(s.scores)
		s.index[key], s.scores = k, append(s.scores, score{metric: key[0], filter: key[1]})
	}
	return k
}

func (s *items) add(metric, filter string, value float64, at evidence.Pointer) {
	k := s.of(metric, filter)
	if k < 0 {
		return
	}
	x := &s.scores[k]
	sample := evidence.Sample{Index: int64(len(x.samples)), OK: value > 0, Place: evidence.At(at)}
	if !sample.OK {
		sample.Failure = "not passed"
	}
	x.values, x.samples = append(x.values, value), append(x.samples, sample)
}

// leave lists a member that holds numbers once, with the number of items that have it.
func (s *items) leave(name string, n *jsondoc.Node, at evidence.Pointer) {
	if !holdsNumber(n) || len(s.left) > mostScores {
		return
	}
	i, ok := s.left[name]
	if !ok {
		i = len(s.doc.NotLifted)
		s.left[name] = i
		reason := evidence.ReasonDetail
		if name == "doc_id" {
			reason = evidence.ReasonIdentifier
		}
		s.doc.NotLifted, s.seen = append(s.doc.NotLifted, evidence.NotLifted{Place: evidence.At(at), Reason: reason}), append(s.seen, 0)
	}
	s.seen[i]++
}

func holdsNumber(n *jsondoc.Node) bool {
	if lift.Numeric(n) {
		return true
	}
	for _, c := range n.Children {
		if holdsNumber(c) {
			return true
		}
	}
	return false
}

const sampleRule = "lm-eval/samples"

// Document gives the runs.
func (s *items) Document() evidence.Document {
	b := lift.New(s.meta, &jsondoc.Node{Kind: jsondoc.Object}, s.place, shapeSamples)
	b.Doc.NotLifted = s.doc.NotLifted
	for i, n := range s.seen {
		b.Doc.NotLifted[i].Text = fmt.Sprintf("in %d of %d items", n, s.n)
	}
	b.Protocol("lm-evaluation-harness", "", "")
	b.Title("lm-evaluation-harness, logged items")
	top := b.Top()
	var runs []*lift.Run
	for _, x := range s.scores {
		name := x.metric
		if x.filter != "" {
			name += "," + x.filter
		}
		run := b.NewRun(name, top, "")
		run.Class, run.Samples = evidence.ClassQuality, x.samples
		f := &run.Facts
		top.Derive(f, evidence.KeyWorkloadClass, run.Class, "tool")
		top.Derive(f, evidence.KeyCriterion, x.metric, "metric")
		top.Derive(f, "answer_filter", x.filter, "filter")
		top.Derive(f, evidence.KeyRequests, strconv.Itoa(len(x.values)), sampleRule)
		if len(x.values) > 0 {
			run.Computed(top, evidence.PassRate, evidence.Total, lift.Summarise(x.values).Mean, evidence.Some(int64(len(x.values))), sampleRule)
		}
		if x.odd > 0 {
			b.Doc.Findings = append(b.Doc.Findings, evidence.Finding{Severity: evidence.Warning, Code: lift.CodeOutOfRange, Pointer: x.oddAt, Offset: -1,
				Message: fmt.Sprintf("%s of %d items is no share from 0 to 1: they are in no figure", x.metric, x.odd)})
			run.Dispute(evidence.PassRate)
		}
		runs = append(runs, run)
	}
	b.Arm(evidence.Arm{Name: "lm-eval, model not recorded", Place: top.Place()}, runs...)
	return b.Doc
}
