package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"assay/store/evidence"
	"assay/store/evidence/mask"
)

// LLMD is the benchmark report of llm-d-benchmark, version 0.2.1, as JSON: one report a
// line for every run. It is a format of runs only and none of a table's, so it is not in
// Formats; see [Reports].
const LLMD Format = "llmd"

// Reports writes runs as llm-d benchmark reports.
//
// What the schema has a slot for stands there, in the unit of the source where the
// schema knows it and in base units elsewhere. A slot that nothing is known for is null,
// required or not: nothing is guessed. scenario.load.native.config, which the schema
// leaves to the load generator, has a member "assay" with the artifact and the pointer
// of every figure, the definition behind every slot, all facts, and the figures that
// have no slot. Figures in conflict are withheld and listed there.
type Reports struct {
	out    io.Writer
	filter *Filter
	text   func(string) string
	buf    []byte
	row    []Cell
	n      int64
	err    error
}

// NewReports begins an export of reports. Secrets in names and facts are
// masked always, private data unless private.
func NewReports(out io.Writer, private bool) *Reports {
	w := &Reports{out: out, text: mask.Private}
	if private {
		w.text = mask.Secrets
	}
	return w
}

// Where keeps only the runs that the filter accepts. A nil filter accepts all.
func (w *Reports) Where(f *Filter) { w.filter = f }

// Rows is how many reports were written so far.
func (w *Reports) Rows() int64 { return w.n }

// Run writes the report of a run with its measurements.
func (w *Reports) Run(r *evidence.RunRow) error {
	if w.err != nil {
		return w.err
	}
	if w.filter != nil {
		w.row = cells(cells(w.row[:0], r, runColumns), r, runMore)
		if !w.filter.accepts(w.row) {
			return nil
		}
	}
	report, err := w.report(r)
	if err != nil {
		w.err = fmt.Errorf("report of run %s: %w", r.ID, err)
		return w.err
	}
	w.buf = append(report.append(w.buf[:0]), '\n')
	w.n++
	_, w.err = w.out.Write(w.buf)
	return w.err
}

// Pour writes a report for every run that f lets through.
func (w *Reports) Pour(ctx context.Context, a Lists, f evidence.Filter) error {
	var figuresErr error
	next, stop := iter.Pull(func(yield func(evidence.MeasurementRow) bool) {
		of := evidence.Filter{Campaign: f.Campaign, Arm: f.Arm, Run: f.Run, Artifact: f.Artifact}
		figuresErr = a.EachMeasurement(ctx, of, func(m evidence.MeasurementRow) error {
			if !yield(m) {
				return errEnough
			}
			return nil
		})
	})
	defer stop()
	m, more := next()
	err := a.EachRun(ctx, f, func(r evidence.RunRow) error {
		r.Measurements = nil
		for more && m.Run == r.ID {
			r.Measurements = append(r.Measurements, m)
			m, more = next()
		}
		return w.Run(&r)
	})
	stop()
	switch {
	case err != nil:
		return err
	case figuresErr != nil && !errors.Is(figuresErr, errEnough):
		return figuresErr
	case more:
		return errors.New("reports: the archive changed while it was read; export once more")
	}
	return nil
}

// value is a JSON value under construction: nil, bool, string, digits, object or list.
type value any

// digits is a number as its source writes it, or a shortest decimal.
type digits string

type member struct {
	name  string
	value value
}

type object []member

type items []value

func (o object) append(dst []byte) []byte { return appendJSON(dst, o) }

func appendJSON(dst []byte, v value) []byte {
	switch v := v.(type) {
	case string:
		return appendString(dst, v)
	case digits:
		return append(dst, v...)
	case bool:
		return fmt.Appendf(dst, "%t", v)
	case object:
		dst = append(dst, '{')
		for i, m := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(append(appendString(dst, m.name), ':'), m.value)
		}
		return append(dst, '}')
	case items:
		dst = append(dst, '[')
		for i, x := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, x)
		}
		return append(dst, ']')
	}
	return append(dst, "null"...)
}
