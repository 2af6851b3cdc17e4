package export_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"assay/store/evidence"
	"assay/store/export"
)

// lists is an archive of some runs; errors stand in for a failing file.
type lists struct {
	export.Lists
	runs           []evidence.RunRow
	unlisted       string // a run that EachRun does not give
	runsErr, after error
}

func (l lists) EachRun(_ context.Context, _ evidence.Filter, row func(evidence.RunRow) error) error {
	for _, r := range l.runs {
		if r.ID == l.unlisted {
			continue
		}
		if err := row(r); err != nil {
			return err
		}
	}
	return l.runsErr
}

func (l lists) EachMeasurement(_ context.Context, _ evidence.Filter, row func(evidence.MeasurementRow) error) error {
	for _, r := range l.runs {
		for _, m := range r.Measurements {
			if err := row(m); err != nil {
				return err
			}
		}
	}
	return l.after
}

func TestPourBench(t *testing.T) {
	archive := lists{runs: []evidence.RunRow{
		benchRun("r0", map[evidence.FactKey]string{evidence.KeyTP: "1"}, nil),
		benchRun("r1", map[evidence.FactKey]string{evidence.KeyTP: "2"}, nil),
		benchRun("r2", map[evidence.FactKey]string{evidence.KeyTP: "4"}, nil),
	}}
	pour := func(a lists) (string, error) {
		var b bytes.Buffer
		w, err := export.New(export.Measurements, export.Bench, &b)
		if err != nil {
			t.Fatal(err)
		}
		err = errors.Join(w.Pour(t.Context(), a, evidence.Filter{}), w.Close())
		return b.String(), err
	}
	write := func() string {
		s, err := pour(archive)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := write(); strings.Count(s, "\ntp: ") != 3 || strings.Count(s, "\nBenchmark") != 3 {
		t.Errorf("want three values of tp:\n%s", s)
	}
	archive.unlisted = "r1"
	if s := write(); strings.Count(s, "\nBenchmark") != 3 || strings.Contains(s, "tp: 2") {
		t.Errorf("the line of a run that was not listed goes without facts:\n%s", s)
	}
	broken := errors.New("disk")
	archive.runsErr = broken
	if _, err := pour(archive); !errors.Is(err, broken) {
		t.Errorf("error of the runs lost: %v", err)
	}
	archive.runsErr, archive.after = nil, broken
	if _, err := pour(archive); !errors.Is(err, broken) {
		t.Errorf("error of the measurements lost: %v", err)
	}
}
