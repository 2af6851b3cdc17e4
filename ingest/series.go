package ingest

import (
	"fmt"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// maxSeries is how many values of an artifact are taken as rows of one run: each waits
// in memory as a sample until it is committed.
const maxSeries = 500_000

// series are the values of an artifact that one reader takes as rows of one run.
type series struct {
	reader Reader
	shape  string
	label  string
	run    lift.Series
	values int
	counts patterns
}

// intoSeries adds a value to the series of its reader. It reports false when the
// reader takes values one by one, or the artifact has no other value.
func (in *interpretation) intoSeries(r Reader, label, shape string, v jsondoc.Value) (bool, error) {
	sr, ok := r.(lift.SeriesReader)
	if !ok || v.Pointer == "" {
		return false, nil
	}
	return true, guarded(r, func() {
		if in.series == nil || in.series.reader.ID() != r.ID() || in.series.shape != shape {
			in.endSeries()
			if s := sr.Series(shape); s != nil {
				in.series = &series{reader: r, shape: shape, label: label, run: s}
			}
		}
		if in.series == nil {
			return
		}
		if in.series.values++; in.series.values > maxSeries {
			in.tooMuch, in.series, in.docs = true, nil, nil
			in.notRead(v, fmt.Sprintf("%s takes the values of this artifact as records of one run, and they are not read: of one artifact at most %d are", evidence.ReaderRef(r.ID(), r.Version()), maxSeries))
			return
		}
		in.series.run.Add(v.Root, v.Pointer)
		in.series.counts.add(v.Root, v.Pointer)
	})
}

// endSeries makes the document of the values that came one after the other.
func (in *interpretation) endSeries() {
	s := in.series
	if in.series = nil; s == nil || in.tooMuch {
		return
	}
	var doc evidence.Document
	err := guarded(s.reader, func() { doc = s.run.Document() })
	if err != nil {
		in.failed("", 0, err)
		return
	}
	doc.Reader, doc.ReaderVersion, doc.ShapeID, doc.Root = s.reader.ID(), s.reader.Version(), s.shape, ""
	if doc.Schema == "" {
		doc.Schema = s.label
	}
	settleCampaign(&doc, in.kept)
	doc.Covered = s.counts.cover(&doc)
	in.docs = append(in.docs, doc)
}
