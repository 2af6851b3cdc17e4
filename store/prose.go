package store

import (
	"maps"
	"slices"

	"assay/store/evidence"
)

// prose emits what a document says in words: gates, notes, decisions, references and
// the numbers that were not lifted.
func (f *flattening) prose(d *evidence.Document) error {
	for i := range d.Gates {
		g := &d.Gates[i]
		err := word(f, g.Place.Pointer, "gate status", g.Status, evidence.GatePassed, evidence.GateFailed, evidence.GateRejected, evidence.GateMissing, evidence.GateUnresolved)
		if err != nil {
			return err
		}
		err = f.emit(gateTable, f.docID, int64(i), g.Name, string(g.Status), g.SourceStatus, g.Detail, g.Evidence,
			string(g.Place.Pointer), int64(g.Place.Start), int64(g.Place.End))
		if err != nil {
			return err
		}
		if err := f.words.add("gate", g.Name, join(g.SourceStatus, g.Detail, g.Evidence), g.Place.Pointer, nil); err != nil {
			return err
		}
	}
	for i := range d.Notes {
		n := &d.Notes[i]
		err := f.emit(noteTable, f.docID, int64(i), string(n.Kind), n.Key, n.Text,
			string(n.Place.Pointer), int64(n.Place.Start), int64(n.Place.End))
		if err != nil {
			return err
		}
		if err := f.words.add("note", join(string(n.Kind), n.Key), n.Text, n.Place.Pointer, nil); err != nil {
			return err
		}
	}
	for i := range d.Decisions {
		x := &d.Decisions[i]
		err := f.emit(decisionTable, f.docID, int64(i), x.Kind, x.Key, x.Value,
			string(x.Place.Pointer), int64(x.Place.Start), int64(x.Place.End))
		if err != nil {
			return err
		}
		if err := f.words.add("decision", join(x.Kind, x.Key), x.Value, x.Place.Pointer, nil); err != nil {
			return err
		}
	}
	if err := f.references(d); err != nil {
		return err
	}
	for i := range d.NotLifted {
		n := &d.NotLifted[i]
		err := f.emit(notLiftedTable, f.docID, int64(i), n.Text, n.Reason,
			string(n.Place.Pointer), int64(n.Place.Start), int64(n.Place.End))
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *flattening) references(d *evidence.Document) error {
	for i := range d.References {
		r := &d.References[i]
		var sum any
		if r.SHA256.OK {
			sum = r.SHA256.V[:]
		}
		err := f.emit(referenceTable, f.docID, int64(i), r.Name, baseName(r.Name), sum, r.Kind,
			string(r.Place.Pointer), int64(r.Place.Start), int64(r.Place.End))
		if err != nil {
			return err
		}
		if err := f.words.add("reference", r.Kind, r.Name, r.Place.Pointer, nil); err != nil {
			return err
		}
	}
	return nil
}

// addFindings numbers findings through the artifact; docID is nil for intake's own.
func (f *flattening) addFindings(docID any, list []evidence.Finding) error {
	for i := range list {
		x := &list[i]
		err := word(f, x.Pointer, "severity", x.Severity, evidence.Info, evidence.Warning, evidence.Error)
		if err != nil {
			return err
		}
		err = f.emit(findingTable, f.kept.ArtifactID, int64(f.findings), docID,
			string(x.Severity), x.Code, string(x.Pointer), x.Offset, x.Message)
		if err != nil {
			return err
		}
		f.findings++
	}
	return nil
}

// terms is a set of the words a document holds.
type terms map[string]struct{}

func (t terms) add(s string) { t[s] = struct{}{} }

func (f *flattening) holds() error {
	for _, group := range []struct {
		kind string
		set  terms
	}{{"key", f.keys}, {"metric", f.metrics}} {
		for _, term := range slices.Sorted(maps.Keys(group.set)) {
			if err := f.emit(holdsTable, f.docID, group.kind, term); err != nil {
				return err
			}
		}
	}
	return nil
}
