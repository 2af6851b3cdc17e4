package export

import (
	"context"
	"errors"
	"iter"

	"assay/store/evidence"
)

// Lists is an archive that gives its rows one after the other, each list in one read
// snapshot and in one order. *store.Archive is one.
type Lists interface {
	EachMeasurement(ctx context.Context, f evidence.Filter, row func(evidence.MeasurementRow) error) error
	EachFact(ctx context.Context, f evidence.Filter, row func(evidence.FactRow) error) error
	EachRun(ctx context.Context, f evidence.Filter, row func(evidence.RunRow) error) error
	EachDecision(ctx context.Context, f evidence.Filter, row func(evidence.DecisionRow) error) error
	EachArtifact(ctx context.Context, f evidence.Filter, row func(evidence.ArtifactRow) error) error
	EachGate(ctx context.Context, f evidence.Filter, row func(evidence.GateRow) error) error
	EachNote(ctx context.Context, f evidence.Filter, row func(evidence.NoteRow) error) error
	EachReference(ctx context.Context, f evidence.Filter, row func(evidence.ReferenceRow) error) error
	EachFinding(ctx context.Context, f evidence.Filter, row func(evidence.FindingRow) error) error
	EachNotLifted(ctx context.Context, f evidence.Filter, row func(evidence.NotLiftedRow) error) error
	EachRepair(ctx context.Context, f evidence.Filter, row func(evidence.Repair) error) error
	EachCoverage(ctx context.Context, f evidence.Filter, row func(evidence.CoverageRow) error) error
	EachReaderCoverage(ctx context.Context, f evidence.Filter, row func(evidence.CoverageRow) error) error
}

// Pour writes every row of the writer's kind that f lets through. It does not close
// the writer.
func (w *Writer) Pour(ctx context.Context, a Lists, f evidence.Filter) error {
	if w.bench != nil {
		return w.pourRuns(ctx, a, f)
	}
	switch w.kind {
	case Measurements:
		return a.EachMeasurement(ctx, f, w.Measurement)
	case Facts:
		return a.EachFact(ctx, f, w.Fact)
	case Runs:
		return a.EachRun(ctx, f, w.Run)
	case Decisions:
		return a.EachDecision(ctx, f, w.Decision)
	case Artifacts:
		return a.EachArtifact(ctx, f, w.Artifact)
	case Gates:
		return a.EachGate(ctx, f, w.Gate)
	case Notes:
		return a.EachNote(ctx, f, w.Note)
	case References:
		return a.EachReference(ctx, f, w.Reference)
	case Findings:
		return a.EachFinding(ctx, f, w.Finding)
	case NotLifted:
		return a.EachNotLifted(ctx, f, w.NotLifted)
	case Repairs:
		return a.EachRepair(ctx, f, w.Repair)
	case Coverage:
		if w.wide || w.filter.names("campaign", "artifact", "pointer") {
			return a.EachCoverage(ctx, f, w.Coverage)
		}
		return a.EachReaderCoverage(ctx, f, w.Coverage)
	case Signoffs:
		if x, ok := a.(SignOffs); ok {
			return x.EachSignOff(ctx, f, w.SignOff)
		}
		return errors.New("export of signoffs: what gives the rows knows of no sign-offs")
	}
	return nil
}

// errEnough ends a stream that nobody reads any more.
var errEnough = errors.New("enough")

// pourRuns walks runs beside the measurements, both in the archive's order: the facts
// of a run become the configuration of its lines.
func (w *Writer) pourRuns(ctx context.Context, a Lists, f evidence.Filter) error {
	var runsErr error
	next, stop := iter.Pull(func(yield func(evidence.RunRow) bool) {
		of := evidence.Filter{Campaign: f.Campaign, Arm: f.Arm, Run: f.Run, Artifact: f.Artifact}
		runsErr = a.EachRun(ctx, of, func(r evidence.RunRow) error {
			if !yield(r) {
				return errEnough
			}
			return nil
		})
	})
	defer stop()
	current := ""
	err := a.EachMeasurement(ctx, f, func(m evidence.MeasurementRow) error {
		for current != m.Run {
			run, ok := next()
			if !ok {
				break // written since the runs were listed: the line goes without facts
			}
			if current = run.ID; current == m.Run {
				run.Measurements = nil
				if err := w.Run(run); err != nil {
					return err
				}
			}
		}
		return w.Measurement(m)
	})
	stop()
	if runsErr != nil && !errors.Is(runsErr, errEnough) {
		return runsErr
	}
	return err
}
