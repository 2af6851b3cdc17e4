package ingest

import (
	"fmt"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// room is how many rows may still be lifted from the artifact, beside the tree of v.
func (in *interpretation) room(v jsondoc.Value) int {
	return (maxInHand-v.Nodes*treeNode-v.Text)/liftedRow - in.rows
}

// estimate is how many rows a reader will lift from a large value, 0 when nobody can
// tell: the reader is given two samples of it, and their rows grow with their nodes.
// Nothing is built then that is too large to be kept.
func estimate(r Reader, shape string, v jsondoc.Value) (rows int) {
	if v.Nodes < sampleFrom {
		return 0
	}
	defer func() {
		if recover() != nil {
			rows = 0 // the fault shows when the value itself is read
		}
	}()
	read := func(stride int) (rows, nodes int) {
		sample, nodes := v.Root.Sample(stride)
		doc := r.Read(sample, v.Pointer, shape)
		return rowsOf(&doc), nodes
	}
	few, fewNodes := read(32)
	more, moreNodes := read(16)
	if moreNodes <= fewNodes || more <= few {
		return more
	}
	perNode := float64(more-few) / float64(moreNodes-fewNodes)
	return more + int(perNode*float64(v.Nodes-moreNodes))
}

// overflow gives up on the figures of an artifact: half of the evidence would be worse
// than none.
func (in *interpretation) overflow(v jsondoc.Value, r Reader, gives string, rows int) {
	in.docs, in.series, in.tooMuch = nil, nil, true
	what := fmt.Sprintf("it %s %d figures and facts", gives, rows)
	if in.rows > 0 {
		what += fmt.Sprintf(", %d with what stands before it", in.rows+rows)
	}
	in.notRead(v, fmt.Sprintf("%s knows the value of %d bytes, and it is not read: %s, and of an artifact like this one at most %d are read",
		evidence.ReaderRef(r.ID(), r.Version()), v.End-v.Offset, what, max(in.room(v)+in.rows, 0)))
}

// oversized says of a value without a tree which reader knows it.
func (in *interpretation) oversized(v jsondoc.Value) {
	if r := in.knows(v.Sketch); r != nil && in.sketched(r, v) {
		return
	}
	bound := fmt.Sprintf("it holds more than %d MiB of text, the most that is read of one value", in.lim.Text>>20)
	if v.Nodes > in.lim.Nodes {
		bound = fmt.Sprintf("it holds %d members and items, and of one value at most %d are read", v.Nodes, in.lim.Nodes)
	}
	who := "no reader is asked about"
	if r := in.knows(v.Sketch); r != nil {
		who = evidence.ReaderRef(r.ID(), r.Version()) + " knows"
	}
	in.notRead(v, fmt.Sprintf("%s the value of %d bytes, and it is not read: %s", who, v.End-v.Offset, bound))
}

// sketched reads what stands beside the long lists of a value, where its reader can.
func (in *interpretation) sketched(r Reader, v jsondoc.Value) bool {
	reader, ok := r.(lift.SketchReader)
	if !ok || in.tooMuch {
		return false
	}
	label := labelOf(v.Sketch)
	var doc evidence.Document
	err := guarded(r, func() {
		var shape string
		if shape, ok = r.Match(label, v.Sketch); ok {
			doc = reader.ReadSketch(v.Sketch, v.Pointer, shape, v.Nodes)
		}
	})
	if err != nil {
		in.failed(v.Pointer, v.Offset, err)
		return true
	}
	if !ok || len(doc.Arms) == 0 {
		return false
	}
	doc.Reader, doc.ReaderVersion, doc.Root = r.ID(), r.Version(), v.Pointer
	if doc.Schema == "" {
		doc.Schema = label
	}
	settleCampaign(&doc, in.kept)
	in.docs = append(in.docs, doc)
	in.rows += rowsOf(&doc)
	return true
}

// knows is the reader that takes a value for its own by its sketch, nil when none does.
func (in *interpretation) knows(sketch *jsondoc.Node) Reader {
	if sketch == nil {
		return nil
	}
	for _, r := range in.readers {
		if matches(r, sketch) {
			return r
		}
	}
	return nil
}

func matches(r Reader, v *jsondoc.Node) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false // a reader need not expect sketches
		}
	}()
	_, ok = r.Match(labelOf(v), v)
	return ok
}

// notRead says once for the artifact that a value is too large.
func (in *interpretation) notRead(v jsondoc.Value, message string) {
	for _, f := range in.findings {
		if f.Code == CodeNotRead {
			return
		}
	}
	in.findings = append(in.findings, evidence.Finding{
		Severity: evidence.Warning, Code: CodeNotRead, Pointer: v.Pointer, Offset: v.Offset,
		Message: message + "; no figure is taken from it, its bytes are kept and can be searched. Split its lists over several files and take those in",
	})
}

// rowsOf counts what the archive will have to hold of a document.
func rowsOf(d *evidence.Document) int {
	n := 1 + len(d.Facts) + len(d.Gates) + len(d.Notes) + len(d.Decisions) + len(d.References) + len(d.NotLifted) + len(d.Findings)
	for i := range d.Arms {
		arm := &d.Arms[i]
		n += 1 + len(arm.Facts)
		for j := range arm.Runs {
			run := &arm.Runs[j]
			n += 1 + len(run.Facts) + len(run.Measurements) + len(run.Samples)
		}
	}
	return n
}
