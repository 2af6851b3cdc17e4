package store

import (
	"fmt"
	"slices"

	"assay/store/evidence"
)

// emit takes one row of a derived table.
type emit func(t *table, row ...any) error

// ReadingError is a reading that cannot be stored as it is: a fault of the reader,
// at a place.
type ReadingError struct {
	Digest  evidence.Digest
	Pointer evidence.Pointer
	Problem string
}

func (e *ReadingError) Error() string {
	return fmt.Sprintf("reading of artifact %s at %q: %s", e.Digest.Short(), e.Pointer, e.Problem)
}

// flattening turns one reading into rows. Ordinals count through the artifact.
type flattening struct {
	kept          evidence.Kept
	emit          emit
	doc           *evidence.Document
	docID         int64
	arms, runs    int
	findings      int
	words         words
	ordinals      map[*table]int // per document
	metrics, keys terms
}

// flatten emits every row of a reading, parents before children and each table in
// key order.
func flatten(kept evidence.Kept, r *evidence.Reading, out emit) error {
	f := &flattening{kept: kept, emit: out}
	if err := word(f, "", "end state", r.State, evidence.Accepted, evidence.Archived, evidence.Quarantined); err != nil {
		return err
	}
	f.words = words{f: f}
	if err := f.words.artifact(r); err != nil {
		return err
	}
	if err := f.addFindings(nil, r.Findings); err != nil {
		return err
	}
	for _, d := range r.Endings {
		if err := f.emit(endingTable, f.kept.ArtifactID, d[:]); err != nil {
			return err
		}
	}
	for i := range r.Documents {
		if err := f.document(i, &r.Documents[i]); err != nil {
			return err
		}
	}
	return nil
}

func (f *flattening) fault(p evidence.Pointer, format string, args ...any) error {
	return &ReadingError{Digest: f.kept.Digest, Pointer: p, Problem: fmt.Sprintf(format, args...)}
}

// word refuses a word that the schema does not know. The tables check the same; here
// the fault still has its place.
func word[W ~string](f *flattening, p evidence.Pointer, what string, got W, known ...W) error {
	if slices.Contains(known, got) {
		return nil
	}
	return f.fault(p, "%s %q is not one of %q", what, got, known)
}

func (f *flattening) state(p evidence.Pointer, s evidence.State) error {
	return word(f, p, "state", s, evidence.Recorded, evidence.Derived, evidence.Declared, evidence.Conflict, evidence.Absent)
}

// next counts the rows of a table inside the document.
func (f *flattening) next(t *table) int {
	n := f.ordinals[t]
	f.ordinals[t] = n + 1
	return n
}

func (f *flattening) document(ordinal int, d *evidence.Document) error {
	if ordinal > maxOrdinal {
		return f.fault(d.Root, "more than %d documents", maxOrdinal)
	}
	f.doc, f.docID = d, derivedID(f.kept.ArtifactID, ordinal)
	f.ordinals, f.metrics, f.keys = map[*table]int{}, terms{}, terms{}
	var sum tally
	sum.add(d)
	c, own, at := d.Campaign, d.Campaign.Own, d.Campaign.OwnPlace
	if own == "" {
		own, at = c.ID, c.Place
	}
	err := f.emit(documentTable, f.docID, f.kept.ArtifactID, int64(ordinal), f.kept.Digest[:],
		c.ID, c.Title, c.Observed, string(c.Place.Pointer), int64(c.Place.Start), int64(c.Place.End),
		own, string(at.Pointer), int64(at.Start), int64(at.End),
		d.Schema, d.Family, d.Reader, int64(d.ReaderVersion), d.ShapeID, string(d.Root),
		int64(sum.arms), int64(sum.runs), int64(sum.measurements))
	if err != nil {
		return err
	}
	f.words.begin()
	if err := f.facts(nil, nil, d.Facts); err != nil {
		return err
	}
	for i := range d.Arms {
		if err := f.arm(&d.Arms[i]); err != nil {
			return err
		}
	}
	if err := f.prose(d); err != nil {
		return err
	}
	if err := f.addFindings(f.docID, d.Findings); err != nil {
		return err
	}
	for _, c := range d.Covered {
		if err := f.emit(coverageTable, f.docID, string(c.Ending), c.Numbers); err != nil {
			return err
		}
	}
	return f.holds()
}

// tally counts what documents hold.
type tally struct{ arms, runs, samples, measurements, facts, findings int }

func (t *tally) add(d *evidence.Document) {
	t.arms += len(d.Arms)
	t.facts += len(d.Facts)
	t.findings += len(d.Findings)
	for i := range d.Arms {
		arm := &d.Arms[i]
		t.facts += len(arm.Facts)
		t.runs += len(arm.Runs)
		for j := range arm.Runs {
			t.facts += len(arm.Runs[j].Facts)
			t.samples += len(arm.Runs[j].Samples)
			t.measurements += len(arm.Runs[j].Measurements)
		}
	}
}

func (f *flattening) arm(a *evidence.Arm) error {
	if f.arms > maxOrdinal || f.runs+len(a.Runs) > maxOrdinal {
		return f.fault(a.Place.Pointer, "more than %d arms or runs", maxOrdinal)
	}
	id := derivedID(f.kept.ArtifactID, f.arms)
	f.arms++
	err := f.emit(armTable, id, f.docID, a.Name, string(a.Place.Pointer), int64(a.Place.Start), int64(a.Place.End),
		a.Rejected, string(a.RejectedPlace.Pointer), int64(a.RejectedPlace.Start), int64(a.RejectedPlace.End))
	if err != nil {
		return err
	}
	if err := f.words.arm(a, derivedID(f.kept.ArtifactID, f.runs)); err != nil {
		return err
	}
	if err := f.facts(id, nil, a.Facts); err != nil {
		return err
	}
	for i := range a.Runs {
		if err := f.run(id, &a.Runs[i]); err != nil {
			return err
		}
	}
	return nil
}

func (f *flattening) run(armID int64, r *evidence.Run) error {
	id := derivedID(f.kept.ArtifactID, f.runs)
	f.runs++
	err := f.emit(runTable, id, f.docID, armID, r.Name, r.Class, string(r.Status),
		string(r.Place.Pointer), int64(r.Place.Start), int64(r.Place.End))
	if err != nil {
		return err
	}
	if err := f.facts(armID, id, r.Facts); err != nil {
		return err
	}
	for i := range r.Measurements {
		if err := f.measurement(id, i, &r.Measurements[i]); err != nil {
			return err
		}
	}
	for i := range r.Samples {
		if err := f.sample(id, i, &r.Samples[i]); err != nil {
			return err
		}
	}
	return nil
}

// facts of a document (armID and runID nil), an arm (runID nil) or a run.
func (f *flattening) facts(armID, runID any, facts []evidence.Fact) error {
	for i := range facts {
		x := &facts[i]
		if err := f.state(x.Place.Pointer, x.State); err != nil {
			return err
		}
		f.keys.add(string(x.Key))
		err := f.emit(factTable, f.docID, int64(f.next(factTable)), armID, runID, string(x.Key), x.Value, string(x.State),
			x.SourceText, x.Rule, string(x.Place.Pointer), int64(x.Place.Start), int64(x.Place.End))
		if err != nil {
			return err
		}
		if err := f.words.fact(x, runID); err != nil {
			return err
		}
	}
	return nil
}
