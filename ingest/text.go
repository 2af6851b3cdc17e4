package ingest

import (
	"fmt"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// textFrom is the reading of an artifact that is not JSON. The text readers are asked
// about the whole text: a table is often printed at the end of a long log. Of a text
// that is not in memory only the start is known, and nothing is read.
func (in *interpretation) textFrom(r *evidence.Reading, artifact []byte, whole bool) *evidence.Reading {
	r.State, r.Text = evidence.Archived, headText(artifact[:min(len(artifact), headBytes)])
	plain, ok := jsondoc.PlainText(artifact)
	if !ok {
		return r
	}
	for _, reader := range in.texts {
		doc, ok, err := consultText(reader, &plain, whole)
		switch {
		case err != nil:
			r.State = evidence.Quarantined
			r.Findings = append(r.Findings, evidence.Finding{Severity: evidence.Error, Code: CodeReaderPanic, Message: err.Error()})
			return r
		case !ok:
			continue
		case !whole:
			r.Findings = append(r.Findings, evidence.Finding{Severity: evidence.Warning, Code: CodeNotRead, Message: fmt.Sprintf(
				"the text has %d bytes, and %s reads at most %d; it is kept, and its start can be searched", in.kept.Size, reader.ID(), int64(streamFrom))})
			return r
		case rowsOf(&doc) > maxInHand/liftedRow:
			r.Findings = append(r.Findings, evidence.Finding{Severity: evidence.Warning, Code: CodeNotRead,
				Message: "the text holds more figures than one artifact is read for; it is kept, and its start can be searched"})
			return r
		}
		doc.Covered = coverText(&doc, plain.Bytes)
		return in.acceptText(r, doc)
	}
	if whole {
		in.explainText(r, plain.Bytes)
	}
	return r
}

// textExplainer is a reader of text that can say why a text of its format is not its own.
type textExplainer interface {
	ReasonText(data []byte) string
}

// explainText adds to an archived text what the first reader has to say that knows its
// format.
func (in *interpretation) explainText(r *evidence.Reading, text []byte) {
	defer func() { _ = recover() }() // the reason is a courtesy
	for _, reader := range in.texts {
		x, ok := reader.(textExplainer)
		if !ok {
			continue
		}
		if reason := x.ReasonText(text); reason != "" {
			r.Findings = append(r.Findings, evidence.Finding{Severity: evidence.Info, Code: CodeUnknownText, Offset: -1, Message: clip(reason, 300)})
			return
		}
	}
}

func (in *interpretation) acceptText(r *evidence.Reading, doc evidence.Document) *evidence.Reading {
	if lift.Archived(&doc) {
		r.Findings = append(r.Findings, doc.Findings...)
		return r
	}
	settleCampaign(&doc, in.kept)
	in.docs = []evidence.Document{doc}
	r.Family, r.Reader, r.Schema = doc.Family, doc.ReaderRef(), doc.Schema
	kept := r.Findings[:0]
	for _, f := range r.Findings {
		if f.Code != jsondoc.CodeNotJSON { // "no value is read from it"
			kept = append(kept, f)
		}
	}
	r.Findings = kept
	if in.docsFailed() {
		return in.quarantine(r)
	}
	r.State, r.Documents = evidence.Accepted, in.docs
	return r
}

// consultText asks one reader of text. Offsets of its findings are those of the text,
// and become those of the artifact.
func consultText(r TextReader, p *jsondoc.Plain, whole bool) (doc evidence.Document, ok bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = panicked(r.ID(), r.Version(), v)
		}
	}()
	shape, ok := r.MatchText(p.Bytes)
	if !ok || !whole {
		return doc, ok, nil
	}
	doc = r.ReadText(p.Bytes, shape)
	doc.Reader, doc.ReaderVersion, doc.Root = r.ID(), r.Version(), ""
	if doc.ShapeID == "" {
		doc.ShapeID = shape
	}
	for i := range doc.Findings {
		if f := &doc.Findings[i]; f.Offset >= 0 {
			f.Offset = p.Offset(f.Offset)
		}
	}
	return doc, true, nil
}
