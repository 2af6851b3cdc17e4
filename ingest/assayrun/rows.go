package assayrun

import (
	"math"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

const nano = 1e9

// rows are the raw values of the requests of the window "measure" that completed.
type rows struct {
	n, completed, failed int
	values               map[evidence.MetricID][]float64
	in, out              float64
	outKnown             bool // every completed request has its count of output tokens
	inKnown              bool
}

// request is one row, times in whole nanoseconds.
type request struct{ lift.Obj }

func (q request) ns(name string) evidence.Opt[int64] { return q.Get(name).Count() }

// since is the time from one event to another, in seconds.
func since(from, to evidence.Opt[int64]) evidence.Opt[float64] {
	if !from.OK || !to.OK || to.V < from.V {
		return evidence.None[float64]()
	}
	return evidence.Some(float64(to.V-from.V) / nano)
}

func earlier(a, b evidence.Opt[int64]) evidence.Opt[int64] {
	if !a.OK || b.OK && b.V < a.V {
		return b
	}
	return a
}

func (d *document) requests() {
	list := d.top.Get("requests")
	d.rows = rows{values: map[evidence.MetricID][]float64{}, outKnown: true, inKnown: true}
	list.Items(func(i int, o lift.Obj) {
		q := request{o}
		s := q.sample(int64(i))
		measured := o.Get("window").Str() == "measure"
		if measured {
			d.run.Samples = append(d.run.Samples, s)
			d.rows.add(q, s)
		}
		o.SkipWhole(evidence.ReasonRow)
	})
}

// sample is the request as the archive keeps it: times after it was sent.
func (q request) sample(index int64) evidence.Sample {
	sent := q.ns("sent_ns")
	first := earlier(q.ns("first_reasoning_ns"), q.ns("first_visible_ns"))
	s := evidence.Sample{Index: index, Place: q.Place(), Failure: lift.Clip(q.Get("error").Str())}
	s.OK = s.Failure == "" && q.ns("end_ns").OK
	if sent.OK {
		s.Start = evidence.Some(float64(sent.V) / nano)
	}
	s.PromptTokens, s.OutputTokens, s.CachedTk = q.Get("prompt_tokens").Count(), q.Get("output_tokens").Count(), q.Get("cached_tokens").Count()
	if !s.OK {
		return s
	}
	s.TTFT = since(sent, q.ns("first_visible_ns"))
	s.TTFO = since(sent, first)
	s.E2E = since(sent, q.ns("end_ns"))
	s.Generation = since(first, q.ns("end_ns"))
	return s
}

func (r *rows) add(q request, s evidence.Sample) {
	r.n++
	if !s.OK {
		r.failed++
		return
	}
	r.completed++
	put := func(m evidence.MetricID, v evidence.Opt[float64]) {
		if v.OK {
			r.values[m] = append(r.values[m], v.V)
		}
	}
	sent, due, first := q.ns("sent_ns"), q.ns("due_ns"), earlier(q.ns("first_reasoning_ns"), q.ns("first_visible_ns"))
	put(evidence.TTFT, s.TTFT)
	put(evidence.TTFO, s.TTFO)
	put(evidence.TTFC, since(sent, q.ns("first_chunk_ns")))
	put(evidence.E2E, s.E2E)
	put(evidence.Generation, s.Generation)
	put(evidence.E2EFromDue, since(due, q.ns("end_ns")))
	put(evidence.TTFOFromDue, since(due, first))
	r.tokens(q, s, put)
	r.gaps(q)
}

// tokens makes the rates that need counts. An answer of one token has no rate.
func (r *rows) tokens(q request, s evidence.Sample, put func(evidence.MetricID, evidence.Opt[float64])) {
	in, out := s.PromptTokens, s.OutputTokens
	if q.Get("tokens_from").Str() == "none" {
		out = evidence.None[int64]()
	}
	r.inKnown, r.outKnown = r.inKnown && in.OK, r.outKnown && out.OK
	r.in, r.out = r.in+float64(in.V), r.out+float64(out.V)
	if s.TTFO.OK && s.TTFO.V > 0 && in.OK {
		put(evidence.EffectivePrefillRate, evidence.Some(float64(in.V)/s.TTFO.V))
	}
	if out.OK && out.V > 1 && s.Generation.OK && s.Generation.V > 0 {
		put(evidence.TPOT, evidence.Some(s.Generation.V/float64(out.V-1)))
		put(evidence.DecodeRate, evidence.Some(float64(out.V-1)/s.Generation.V))
	}
}

// gaps are those between chunks. They are gaps between tokens only where every chunk of
// the request has one token by the engine's own count.
func (r *rows) gaps(q request) {
	chunks, counts := q.Get("chunk_ns"), q.Get("chunk_tokens")
	if !chunks.IsArray() {
		return
	}
	single := counts.IsArray() && counts.Len() == chunks.Len()
	for i := 0; single && i < counts.Len(); i++ {
		single = counts.Item(i).Node.Text == "1"
	}
	var before evidence.Opt[int64]
	for _, c := range chunks.Node.Children {
		if !c.Is(jsondoc.Number) {
			continue
		}
		v, err := evidence.ParseDecimal(c.Text)
		if err != nil || v != math.Trunc(v) {
			continue
		}
		at := evidence.Some(int64(v))
		if gap := since(before, at); gap.OK {
			r.values[evidence.ITLChunk] = append(r.values[evidence.ITLChunk], gap.V)
			if single {
				r.values[evidence.ITLToken] = append(r.values[evidence.ITLToken], gap.V)
			}
		}
		before = at
	}
}

// recompute makes the summary again from the rows.
func (d *document) recompute() {
	list := d.top.Get("requests")
	if d.rows.n == 0 {
		return
	}
	for _, m := range evidence.Metrics {
		d.run.Recompute(m.ID, list, d.rows.values[m.ID])
	}
	wall := d.window()
	if !wall.OK || wall.V <= 0 {
		return
	}
	d.rate(list, evidence.RequestThroughput, float64(d.rows.completed)/wall.V)
	if d.rows.outKnown {
		d.rate(list, evidence.OutputThroughput, d.rows.out/wall.V)
	}
	if d.rows.outKnown && d.rows.inKnown {
		d.rate(list, evidence.TotalThroughput, (d.rows.in+d.rows.out)/wall.V)
		d.rate(list, evidence.InputThroughput, d.rows.in/wall.V)
	}
}

// window is the length of the stretch that figures are made of.
func (d *document) window() (wall evidence.Opt[float64]) {
	d.top.Get("windows").Items(func(_ int, w lift.Obj) {
		if w.Get("name").Str() == "measure" {
			wall = since(w.Get("start_ns").Count(), w.Get("end_ns").Count())
		}
		w.Skip(evidence.ReasonRecomputed)
	})
	return wall
}

func (d *document) rate(at lift.Obj, m evidence.MetricID, want float64) {
	for i := range d.run.Measurements {
		x := &d.run.Measurements[i]
		if x.Metric != m || x.Stat != evidence.Total || !x.Value.OK || lift.Close(x.Value.V, want, 1e-6) {
			continue
		}
		d.Find(evidence.Warning, lift.CodeDisagree, at, "%s is %s at %s, and the rows over the window measure give %s", m, x.SourceText, x.Place.Pointer, evidence.FormatDecimal(want))
		d.run.Dispute(m)
	}
}
