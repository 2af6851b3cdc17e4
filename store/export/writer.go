package export

import (
	"fmt"
	"io"

	"assay/store/evidence"
)

// flushAt is how many bytes a writer gathers before it writes them out. One row may
// be longer; nothing else is kept.
const flushAt = 32 << 10

// encoder appends one table in a format to a buffer.
type encoder interface {
	begin(dst []byte, title string, cols []Column) []byte
	row(dst []byte, cells []Cell) []byte
	end(dst []byte) []byte
}

func encoderOf(f Format) (encoder, error) {
	switch f {
	case CSV:
		return &csvEncoder{}, nil
	case JSON:
		return &jsonEncoder{}, nil
	case Markdown:
		return &mdEncoder{}, nil
	}
	return nil, fmt.Errorf("format %.40q: a table has csv, json or md", f)
}

// Writer writes the rows of one kind. It is not safe for concurrent use. After the
// first error every method returns that error.
type Writer struct {
	kind   Kind
	format Format
	cols   []Column
	wide   bool
	enc    encoder
	bench  *benchEncoder
	filter *Filter
	veils  veils
	out    io.Writer
	buf    []byte
	row    []Cell
	n      int64
	err    error
}

// New begins an export with the documented columns of the kind.
func New(k Kind, f Format, w io.Writer) (*Writer, error) { return newWriter(k, f, w, false) }

// NewWide begins an export that has the further columns after the documented ones.
func NewWide(k Kind, f Format, w io.Writer) (*Writer, error) { return newWriter(k, f, w, true) }

func newWriter(k Kind, f Format, out io.Writer, wide bool) (*Writer, error) {
	t, ok := kindTables[k]
	if !ok {
		return nil, fmt.Errorf("kind %.40q: not known; one of %s", k, list(Kinds))
	}
	w := &Writer{kind: k, format: f, cols: t.columns, wide: wide, out: out}
	if wide {
		w.cols = t.wide
	}
	w.veils = newVeils(w.cols)
	if f == Bench {
		if k != Measurements {
			return nil, fmt.Errorf("format bench: holds measurements only, not %s; use csv, json or md", k)
		}
		w.bench = &benchEncoder{}
		w.buf = w.bench.begin(w.buf)
		return w, nil
	}
	var err error
	if w.enc, err = encoderOf(f); err != nil {
		return nil, err
	}
	w.buf = w.enc.begin(w.buf, "", w.cols)
	return w, nil
}

// Where keeps only the rows that the filter accepts. A nil filter accepts all.
func (w *Writer) Where(f *Filter) { w.filter = f }

// ShowPrivate leaves paths of people, ids of cards and addresses as they are. Secrets
// are masked all the same.
func (w *Writer) ShowPrivate() {
	w.veils.private = true
	if w.bench != nil {
		w.bench.private = true
	}
}

// Rows is how many rows were written so far.
func (w *Writer) Rows() int64 { return w.n }

// Measurement writes a row of kind Measurements.
func (w *Writer) Measurement(r evidence.MeasurementRow) error {
	if w.bench != nil {
		return w.benchLine(&r)
	}
	return put(w, Measurements, &r, measurementColumns, measurementMore)
}

// Fact writes a row of kind Facts.
func (w *Writer) Fact(r evidence.FactRow) error { return put(w, Facts, &r, factColumns, factMore) }

// Run writes a row of kind Runs. In the bench format, where kind is Measurements, it
// writes the run's facts as configuration and a line for each of its measurements.
func (w *Writer) Run(r evidence.RunRow) error {
	if w.bench == nil {
		return put(w, Runs, &r, runColumns, runMore)
	}
	w.bench.enter(&r)
	for i := range r.Measurements {
		if err := w.benchLine(&r.Measurements[i]); err != nil {
			return err
		}
	}
	return w.err
}

// Decision writes a row of kind Decisions.
func (w *Writer) Decision(r evidence.DecisionRow) error {
	return put(w, Decisions, &r, decisionColumns, nil)
}

// Artifact writes a row of kind Artifacts.
func (w *Writer) Artifact(r evidence.ArtifactRow) error {
	return put(w, Artifacts, &r, artifactColumns, nil)
}

// Gate writes a row of kind Gates.
func (w *Writer) Gate(r evidence.GateRow) error { return put(w, Gates, &r, gateColumns, nil) }

// Note writes a row of kind Notes.
func (w *Writer) Note(r evidence.NoteRow) error { return put(w, Notes, &r, noteColumns, nil) }

// Reference writes a row of kind References.
func (w *Writer) Reference(r evidence.ReferenceRow) error {
	return put(w, References, &r, referenceColumns, referenceMore)
}

// Finding writes a row of kind Findings.
func (w *Writer) Finding(r evidence.FindingRow) error {
	return put(w, Findings, &r, findingColumns, nil)
}

// NotLifted writes a row of kind NotLifted.
func (w *Writer) NotLifted(r evidence.NotLiftedRow) error {
	return put(w, NotLifted, &r, notLiftedColumns, nil)
}

// Repair writes a row of kind Repairs.
func (w *Writer) Repair(r evidence.Repair) error { return put(w, Repairs, &r, repairColumns, nil) }

// Close ends the table and writes out what is left. It does not close the
// underlying writer.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	if w.bench != nil {
		w.buf = w.bench.end(w.buf)
	} else {
		w.buf = w.enc.end(w.buf)
	}
	return w.flush()
}

func put[R any](w *Writer, k Kind, r *R, base, more []column[R]) error {
	if w.err != nil {
		return w.err
	}
	if k != w.kind {
		w.err = fmt.Errorf("export of %s: got a row of %s", w.kind, k)
		return w.err
	}
	w.row = cells(w.row[:0], r, base)
	if w.wide || w.filter != nil {
		w.row = cells(w.row, r, more)
	}
	if !w.filter.accepts(w.row) {
		return nil
	}
	return w.write(w.row[:len(w.cols)])
}

func (w *Writer) write(row []Cell) error {
	if err := checkFinite(w.cols, row); err != nil {
		w.err = fmt.Errorf("export of %s, row %d: %w", w.kind, w.n+1, err)
		return w.err
	}
	w.n++
	w.veils.cover(row)
	w.buf = w.enc.row(w.buf, row)
	return w.flushFull()
}

func (w *Writer) benchLine(r *evidence.MeasurementRow) error {
	if w.err != nil {
		return w.err
	}
	if w.filter != nil {
		w.row = cells(cells(w.row[:0], r, measurementColumns), r, measurementMore)
		if !w.filter.accepts(w.row) {
			return nil
		}
	}
	before := len(w.buf)
	var err error
	if w.buf, err = w.bench.line(w.buf, r); err != nil {
		w.err = fmt.Errorf("export of %s, row %d: %w", w.kind, w.n+1, err)
		return w.err
	}
	if len(w.buf) > before {
		w.n++
	}
	return w.flushFull()
}

func (w *Writer) flushFull() error {
	if len(w.buf) < flushAt {
		return nil
	}
	return w.flush()
}

func (w *Writer) flush() error {
	_, err := w.out.Write(w.buf)
	if w.err = err; err != nil {
		return err
	}
	if cap(w.buf) > 8*flushAt {
		w.buf = nil // one huge row must not stay
	}
	w.buf = w.buf[:0]
	return nil
}
