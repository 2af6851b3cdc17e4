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
		return discreet(p.unread(data[:min(len(data), headBytes)]))
	}
	in := p.interpretation(k)
	in.endings.Write(data)
	sum := jsondoc.ScanBytes(data, p.lim, in.handle)
	if len(data) >= streamFrom { // as it will be read again
		in.long = &longText{}
		in.long.Write(data)
		return discreet(in.finish(sum, data[:headBytes], false))
	}
	return discreet(in.finish(sum, data, true))
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
		return discreet(p.unread(head)), nil
	}
	in := p.interpretation(k)
	in.long = &longText{}
	r = io.TeeReader(r, io.MultiWriter(in.endings, in.long))
	head := &headReader{r: r}
	sum, err := jsondoc.Scan(head, p.lim, in.handle)
	if err == nil {
		_, err = io.Copy(io.Discard, r) // what a scan leaves that ends early
	}
	if err != nil {
		return nil, err
	}
	return discreet(in.finish(sum, head.head, false)), nil
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
	endings *endings
	private confidential
	long    *longText // the text of an artifact that is not in memory

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
	in := &interpretation{interpreter: p, kept: k, endings: newEndings()}
	in.builder = jsondoc.NewBuilder(p.lim, in.value)
	return in
}

func (in *interpretation) handle(e *jsondoc.Event) {
	in.labels.handle(e)
	in.private.handle(e)
	in.words.handle(e, in.private.secret)
	if !in.tooMuch {
		in.builder.Handle(e)
	}
}

// value offers a value to the readers.
func (in *interpretation) value(v jsondoc.Value) {
	switch {
	case !v.Whole:
		return
	case v.Root == nil:
		in.oversized(v)
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
	if rows := estimate(r, shape, v); rows > in.room(v) {
		in.overflow(v, r, "would give about", rows)
		return nil
	}
	var doc evidence.Document
	if err := guarded(r, func() { doc = r.Read(v.Root, v.Pointer, shape) }); err != nil {
		return err
	}
	doc.Reader, doc.ReaderVersion, doc.ShapeID, doc.Root = r.ID(), r.Version(), shape, v.Pointer
	if doc.Schema == "" {
		doc.Schema = label
	}
	settleCampaign(&doc, in.kept)
	doc.References = named(v.Root, v.Pointer, doc.References)
	doc.Covered = cover(&doc, v.Root)
	in.docs = append(in.docs, doc)
	rows := rowsOf(&doc)
	if rows > in.room(v) {
		in.overflow(v, r, "gives", rows)
	}
	in.rows += rows
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
