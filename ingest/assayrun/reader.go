package assayrun

import (
	"slices"
	"strconv"

	"assay/ingest/artifact"
	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

const shapeRun = "run"

// Reader reads assay.run/v1.
type Reader struct{ lift.Meta }

// Readers are the readers of this package.
func Readers() []Reader { return []Reader{{lift.Named("assay/run", 1, "assay")}} }

// Match takes the label with the blocks of the format.
func (Reader) Match(label string, v *jsondoc.Node) (string, bool) {
	ok := label == artifact.Label && v.Get("facts").Is(jsondoc.Object) && v.Get("workload").Is(jsondoc.Object) &&
		v.Get("summary").Is(jsondoc.Array)
	return shapeRun, ok
}

// Reason says why a value with the label is not read.
func (Reader) Reason(label string, v *jsondoc.Node) string {
	if label != artifact.Label {
		return ""
	}
	return "it lacks the facts, the workload or the summary of the format"
}

// Read lifts a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	b := lift.New(r.Meta.Reader, v, root, shapeID)
	d := &document{Builder: b, top: b.Top()}
	d.read()
	return b.Finish()
}

// document is one file being read.
type document struct {
	*lift.Builder
	top  lift.Obj
	run  *lift.Run
	arm  evidence.Arm
	rows rows
}

func (d *document) read() {
	d.campaign()
	d.run = d.NewRun(d.top.Get("run").Str(), d.top, evidence.NearestRank)
	d.status()
	d.arm = evidence.Arm{Name: lift.Clip(d.top.Get("arm").Str()), Place: d.top.Get("arm").Place()}
	if d.arm.Name == "" {
		d.arm.Name = "unnamed"
	}
	d.facts()
	d.requests()
	d.summary()
	d.recompute()
	d.counts()
	d.gates()
	d.words()
	d.around()
	d.Arm(d.arm, d.run)
}

// campaign takes the id that the run was made under. What a person declares at intake
// still wins.
func (d *document) campaign() {
	id := d.top.Get("campaign_id")
	if s := id.Str(); s != "" {
		d.Doc.Campaign.ID, d.Doc.Campaign.Place = s, id.Place()
	}
	d.Title(d.top.Get("title").Str())
	if s := d.top.Get("started"); s.Str() != "" {
		d.Observed(s, s.Str())
	}
	d.top.Get("finished").Fact(&d.Doc.Facts, evidence.KeyFinished)
}

func (d *document) status() {
	s := d.top.Get("status")
	switch s.Str() {
	case string(artifact.Measured):
	case string(artifact.Failed), string(artifact.Aborted):
		d.run.Status = evidence.RunFailed
		d.Note(evidence.Failure, s.Str(), d.top.Get("status_reason"))
	default:
		d.run.Status = evidence.RunUnresolved
		d.Find(evidence.Warning, codeUnknownWord, s, "%s is no status of a run", s.Show())
	}
	s.Fact(&d.run.Facts, evidence.KeyRunStatus)
	for _, name := range []string{"repeat", "repeats"} {
		d.top.Get(name).Skip(evidence.ReasonIdentifier)
	}
}

// facts puts what identifies the configuration at the arm, the rest at the run.
func (d *document) facts() {
	d.top.Get("facts").Members(func(name string, f lift.Obj) {
		info, known := evidence.KnownKey(evidence.FactKey(name))
		if !known {
			d.Find(evidence.Warning, codeUnknownWord, f, "%q is no fact key", lift.Clip(name))
			return
		}
		dst := &d.run.Facts
		switch info.Class {
		case evidence.Hardware, evidence.Identity, evidence.Environment:
			dst = &d.arm.Facts
		}
		if info.Key == evidence.KeyWorkloadClass {
			d.run.Class = f.Get("value").Str()
		}
		before := len(*dst)
		value := f.Get("value")
		switch {
		case !value.There():
			*dst = append(*dst, evidence.Fact{Key: info.Key, State: evidence.Absent, Place: f.Place(), Rule: lift.Clip(f.Get("how").Str())})
		case value.Fact(dst, info.Key) && len(*dst) > before:
			x := &(*dst)[len(*dst)-1]
			switch how := lift.Clip(f.Get("how").Str()); f.Get("state").Str() {
			case string(evidence.Derived):
				x.State, x.Rule = evidence.Derived, how
			case string(evidence.Declared):
				x.State, x.Rule = evidence.Declared, how
			}
		}
	})
}

// summary lifts the figures. A figure that says how many observations it has is lifted
// with them.
func (d *document) summary() {
	d.top.Get("summary").Items(func(_ int, f lift.Obj) {
		metric, known := evidence.LookupMetric(evidence.MetricID(f.Get("metric").Str()))
		stat := evidence.Stat(f.Get("stat").Str())
		value, n := f.Get("value"), f.Get("n").Count()
		f.Get("n").Take()
		switch {
		case !known || !slices.Contains(evidence.Stats, stat):
			d.Find(evidence.Warning, codeUnknownWord, f, "%s %s is no figure", f.Get("metric").Show(), f.Get("stat").Show())
			value.Skip(evidence.ReasonUnread)
		case value.There():
			d.run.Method = evidence.Method(f.Get("method").Str())
			d.run.FigureN(value, metric.ID, stat, f.Get("unit").Str(), n)
		}
	})
	d.run.Method = evidence.NearestRank
}

// counts holds what the facts say of the requests against the rows.
func (d *document) counts() {
	if d.rows.n == 0 {
		return
	}
	for key, want := range map[evidence.FactKey]int{evidence.KeyCompleted: d.rows.completed, evidence.KeyFailed: d.rows.failed} {
		v := d.top.Path("facts", string(key), "value")
		if got, ok := v.Float(); ok && got != float64(want) {
			d.Find(evidence.Warning, lift.CodeDisagree, v, "%s is %s and the rows of the window measure have %s", key, v.Node.Text, strconv.Itoa(want))
			d.dispute(key)
		}
	}
}

func (d *document) dispute(key evidence.FactKey) {
	for i := range d.run.Facts {
		if d.run.Facts[i].Key == key {
			d.run.Facts[i].State = evidence.Conflict
		}
	}
}
