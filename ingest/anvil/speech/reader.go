package speech

import (
	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/sweep"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// The labels, byte for byte.
const (
	ScheduleLabel = "stt-benchmark-evidence/v1"
	SingleLabel   = "voice-stt-benchmark/v1"
	TurnsLabel    = "voice-benchmark-evidence/v1"
	MatrixLabel   = "anvil-serving.voice-latency-model-ab.matrix/v1"
)

// Shapes of the labels.
const (
	ShapeSchedule = "schedule"
	ShapeSingle   = "single"
	ShapeAudio    = "audio"
	ShapePipeline = "pipeline"
	ShapeMatrix   = "matrix"
)

// Codes of findings that only these files have.
const (
	CodeSuccesses = "over-successes"     // percentiles and error rates leave failures out
	CodeEmpty     = "empty-hypothesis"   // nothing was recognised: an error rate of the pipeline, not of the recogniser
	CodeStatus    = "run-status-unknown" // a word for how a row of a matrix ended that we do not know
	CodeRateAll   = "rate-counts-failed" // a request rate that counts failed requests
)

// Reader reads the files of one label.
type Reader struct {
	id, label string
	shape     func(*jsondoc.Node) string
	paths     *lift.Paths
	read      func(*speech)
}

// speech is one file being read.
type speech struct {
	*lift.Doc
	shape string
	arm   *lift.Arm

	recorded evidence.Pointer // the recordings of a schedule
}

// Readers are the readers of this package.
func Readers() []Reader {
	return []Reader{
		{"anvil/speech-schedule", ScheduleLabel, scheduleShape, schedulePaths, (*speech).schedule},
		{"anvil/speech-single", SingleLabel, singleShape, singlePaths, (*speech).single},
		{"anvil/voice-turns", TurnsLabel, turnsShape, turnsPaths, (*speech).turns},
		{"anvil/voice-matrix", MatrixLabel, matrixShape, sweep.Paths, (*speech).matrix},
	}
}

// ID names the reader in rows and exports.
func (r Reader) ID() string { return r.id }

// Version is raised whenever the reader's output changes.
func (r Reader) Version() int { return 2 }

// Match takes the label and one of its shapes.
func (r Reader) Match(label string, v *jsondoc.Node) (shapeID string, ok bool) {
	if label != r.label || !v.Is(jsondoc.Object) {
		return "", false
	}
	shapeID = r.shape(v)
	return shapeID, shapeID != ""
}

// Read lifts everything from a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	d := lift.New(v, root, evidence.Document{Family: "F7", Reader: r.id, ReaderVersion: r.Version(), ShapeID: shapeID}, r.paths)
	if !v.Is(jsondoc.Object) {
		d.Find(evidence.Error, lift.CodeShape, d.Top, "the document is not an object")
		return d.Finish()
	}
	r.read(&speech{Doc: d, shape: shapeID})
	return d.Finish()
}

func scheduleShape(v *jsondoc.Node) string {
	if v.Get("summary").Is(jsondoc.Object) {
		return ShapeSchedule
	}
	return ""
}

func singleShape(v *jsondoc.Node) string {
	if v.Get("latency_ms") != nil {
		return ShapeSingle
	}
	return ""
}

// turnsShape tells the two shapes apart by their runs.
func turnsShape(v *jsondoc.Node) string {
	first := v.Get("runs").Item(0)
	switch {
	case first.Get("latency").Is(jsondoc.Object):
		return ShapePipeline
	case first.Get("audio_roundtrip_ms") != nil || first.Get("stt_ms") != nil || first.Get("tts_ms") != nil:
		return ShapeAudio
	}
	return ""
}
