package ingest

import (
	"fmt"
	"io"
	"sync"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// headBytes is how much of an artifact that is not JSON, or too large to be read, is
// looked at for its words.
const headBytes = 64 << 10

// interpreter turns bytes into readings. Its methods may run at the same time.
type interpreter struct {
	readers []Reader
	texts   []TextReader
	lim     jsondoc.Limits
	heavy   sync.Mutex // held while a large artifact is read: trees take many times its size
}

func newInterpreter(o Options) *interpreter {
	return &interpreter{readers: o.Readers, texts: o.Texts, lim: o.Limits}
}

// bytes reads an artifact in memory.
func (p *interpreter) bytes(k evidence.Kept, data []byte) *evidence.Reading {
	if len(data) >= heavyFrom {
		p.heavy.Lock()
		defer p.heavy.Unlock()
	}
	if int64(len(data)) > p.lim.Size {
		return p.unread(data[:min(len(data), headBytes)])
	}
	in := p.interpretation(k)
	sum := jsondoc.ScanBytes(data, p.lim, in.handle)
	if len(data) >= streamFrom { // as it will be read again
		return in.finish(sum, data[:headBytes], false)
	}
	return in.finish(sum, data, true)
}

// stream reads an artifact of any size. The error is one of r.
func (p *interpreter) stream(k evidence.Kept, r io.Reader) (*evidence.Reading, error) {
	p.heavy.Lock()
	defer p.heavy.Unlock()
	if k.Size > p.lim.Size {
		head, err := io.ReadAll(io.LimitReader(r, headBytes))
		if err != nil {
			return nil, err
		}
		return p.unread(head), nil
	}
	in := p.interpretation(k)
	head := &headReader{r: r}
	sum, err := jsondoc.Scan(head, p.lim, in.handle)
	if err != nil {
		return nil, err
	}
	return in.finish(sum, head.head, false), nil
}

// headReader remembers the start of what it reads.
type headReader struct {
	r    io.Reader
	head []byte
}

func (h *headReader) Read(b []byte) (int, error) {
	n, err := h.r.Read(b)
	if room := headBytes - len(h.head); room > 0 {
		h.head = append(h.head, b[:min(n, room)]...)
	}
	return n, err
}

// interpretation is the reading of one artifact in the making.
type interpretation struct {
	*interpreter
	kept    evidence.Kept
	labels  labels
	words   words
	builder *jsondoc.Builder

	docs      []evidence.Document
	series    *series // values that belong together, still coming in
	rows      int     // what is lifted
	tooMuch   bool    // more than one artifact is read for
	misses    int     // values that no reader knows
	unmatched miss    // the first of them
	findings  []evidence.Finding
}

// miss is a value that no reader knows.
type miss struct {
	pointer evidence.Pointer
	offset  int64
	label   string
	reason  string // what the reader of the label misses in it
}

func (p *interpreter) interpretation(k evidence.Kept) *interpretation {
	in := &interpretation{interpreter: p, kept: k}
	in.builder = jsondoc.NewBuilder(p.lim, in.value)
	return in
}

func (in *interpretation) handle(e *jsondoc.Event) {
	in.labels.handle(e)
	in.words.handle(e)
	in.builder.Handle(e)
}

// value offers a value to the readers.
func (in *interpretation) value(v jsondoc.Value) {
	switch {
	case !v.Whole:
		return
	case v.Root == nil:
		in.notRead(v, "has more members, items or text than a reader is given")
		return
	case in.tooMuch:
		return
	}
	label := labelOf(v.Root)
	for _, r := range in.readers {
		shape, ok, err := match(r, label, v)
		if ok && err == nil {
			var taken bool
			if taken, err = in.intoSeries(r, label, shape, v); !taken {
				err = in.lift(r, label, shape, v)
			}
		}
		if err != nil {
			in.failed(v.Pointer, v.Offset, err)
			return
		}
		if ok {
			return
		}
	}
	if in.misses++; in.misses == 1 {
		in.unmatched = miss{v.Pointer, v.Offset, label, in.reason(label, v.Root)}
	}
}

// lift adds the document of a value that matched.
func (in *interpretation) lift(r Reader, label, shape string, v jsondoc.Value) error {
	var doc evidence.Document
	if err := guarded(r, func() { doc = r.Read(v.Root, v.Pointer, shape) }); err != nil {
		return err
	}
	doc.Reader, doc.ReaderVersion, doc.ShapeID, doc.Root = r.ID(), r.Version(), shape, v.Pointer
	if doc.Schema == "" {
		doc.Schema = label
	}
	settleCampaign(&doc, in.kept)
	in.docs = append(in.docs, doc)
	if in.rows += rowsOf(&doc); in.rows > maxRows {
		in.docs, in.series, in.tooMuch = nil, nil, true // half of the evidence would be worse than none
		in.notRead(v, "brings the figures and facts of the artifact over the limit")
	}
	return nil
}

// failed notes that a reader has a fault.
func (in *interpretation) failed(p evidence.Pointer, offset int64, err error) {
	in.findings = append(in.findings, evidence.Finding{
		Severity: evidence.Error, Code: CodeReaderPanic, Pointer: p, Offset: offset, Message: err.Error(),
	})
}

// reason is what the first reader has to say that knows the label and not the shape.
func (in *interpretation) reason(label string, v *jsondoc.Node) (reason string) {
	defer func() {
		if recover() != nil {
			reason = "" // the reason is a courtesy
		}
	}()
	for _, r := range in.readers {
		if x, ok := r.(explainer); ok {
			if reason = x.Reason(label, v); reason != "" {
				return clip(reason, 300)
			}
		}
	}
	return ""
}

func (in *interpretation) notRead(v jsondoc.Value, reason string) {
	for _, f := range in.findings {
		if f.Code == CodeNotRead {
			return
		}
	}
	in.findings = append(in.findings, evidence.Finding{
		Severity: evidence.Warning, Code: CodeNotRead, Pointer: v.Pointer, Offset: v.Offset,
		Message: fmt.Sprintf("the value of %d bytes %s; it is kept and can be searched, no figure is read from it", v.End-v.Offset, reason),
	})
}

// match asks one reader whether a value is its own.
func match(r Reader, label string, v jsondoc.Value) (shape string, ok bool, err error) {
	err = guarded(r, func() { shape, ok = r.Match(label, v.Root) })
	return shape, ok, err
}

// guarded runs a part of a reader. A reader that panics has a fault, which must not
// become everybody's.
func guarded(r Reader, part func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(r.ID(), r.Version(), p)
		}
	}()
	part()
	return nil
}

func panicked(id string, version int, p any) error {
	return fmt.Errorf("reader %s failed on this value: %s; report it with the artifact's digest",
		evidence.ReaderRef(id, version), clip(fmt.Sprint(p), 200))
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
