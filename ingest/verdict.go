package ingest

import (
	"bytes"
	"fmt"
	"slices"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
	"assay/store/evidence/mask"
)

// finish decides the end state once the scan is over.
//
//	bytes                        a reader matched   none did
//	empty, binary                -                  archived-only
//	text                         accepted           archived-only
//	JSON, sound                  accepted           archived-only
//	  of documents that are no evidence: archived-only, with what was read of them
//	JSON with NaN or Infinity    accepted           quarantined
//	JSON lines between log lines accepted           quarantined
//	JSON in doubt or broken      quarantined        quarantined
//	too large to be read         -                  quarantined
//
// data is the artifact, or its start where it was not in memory.
func (in *interpretation) finish(sum jsondoc.Summary, data []byte, whole bool) *evidence.Reading {
	r := &evidence.Reading{Encoding: sum.Encoding, Values: int64(sum.Values), Findings: sum.Findings, Endings: in.endings.digests()}
	switch sum.Form {
	case jsondoc.Empty, jsondoc.NotJSON:
		in.docs, in.series = nil, nil // what looked like a value on the way was none
		r.Findings = append(r.Findings, in.privateText(data)...)
		return in.textFrom(r, data, whole)
	}
	in.findings = append(in.findings, in.private.findings(sum.Several())...)
	in.builder.Finish(sum)
	in.endSeries()
	r.Schema, r.Text = in.labels.first, in.words.text.String()
	r.Findings = append(r.Findings, in.findings...)
	if len(in.docs) > 0 {
		r.Family, r.Reader = in.docs[0].Family, in.docs[0].ReaderRef()
		if r.Schema == "" {
			r.Schema = in.docs[0].Schema
		}
	}
	if len(in.docs) == 0 && sum.Form == jsondoc.JSON {
		refuseNotFinite(r.Findings)
	}
	form := sum.Form
	if in.printedInLog(sum, r.Findings, data, whole) {
		form = jsondoc.JSON
	}
	switch {
	case form != jsondoc.JSON || hasError(r.Findings) || in.docsFailed():
		in.heldBack(r.Findings, sum)
		return in.quarantine(r)
	case slices.ContainsFunc(in.docs, func(d evidence.Document) bool { return d.Archived == "" }):
		r.State, r.Documents = evidence.Accepted, in.docs
	case len(in.docs) > 0:
		r.State, r.Documents = evidence.Archived, in.docs
	default:
		r.State = evidence.Archived
	}
	in.remarkUnmatched(r)
	return r
}

// privateText is what is confidential in an artifact that is not JSON.
func (in *interpretation) privateText(data []byte) []evidence.Finding {
	if in.long != nil && !in.long.json {
		in.long.close()
		return in.long.findings(false)
	}
	var c confidential
	if plain, ok := jsondoc.PlainText(data); ok {
		c.lines(plain.Bytes)
	}
	return c.findings(false)
}

func (in *interpretation) docsFailed() bool {
	for i := range in.docs {
		if hasError(in.docs[i].Findings) {
			return true
		}
	}
	return false
}

// quarantine keeps what the readers had to say and nothing they lifted: no figure of
// doubtful bytes meets another one.
func (in *interpretation) quarantine(r *evidence.Reading) *evidence.Reading {
	r.State = evidence.Quarantined
	for i := range in.docs {
		r.Findings = append(r.Findings, in.docs[i].Findings...)
	}
	return r
}

// heldBack adds to the first error of an artifact of several values how many of them
// are sound and share its fate.
func (in *interpretation) heldBack(fs []evidence.Finding, sum jsondoc.Summary) {
	if sum.Whole == 0 || sum.Values < 2 && sum.Form == jsondoc.JSON {
		return
	}
	i := slices.IndexFunc(fs, func(f evidence.Finding) bool { return f.Severity == evidence.Error })
	if i < 0 {
		return
	}
	complete := fmt.Sprintf("%d of %d values are complete", sum.Whole, sum.Values)
	if at := fs[i].Pointer.Tokens(); sum.Several() && len(at) > 0 { // it is the first fault: all before it are
		complete += fmt.Sprintf(", %s of them before this place", at[0])
	}
	fs[i].Message += fmt.Sprintf("; %s and readers know %d, but nothing is taken from an artifact in doubt: mend the file and take it in again to have them read",
		complete, len(in.docs))
}

// refuseNotFinite turns the warnings about words such as NaN into errors: where no
// reader knows the value, nobody can say what they stand for.
func refuseNotFinite(fs []evidence.Finding) {
	for i := range fs {
		if fs[i].Code == jsondoc.CodeNotFinite {
			fs[i].Severity = evidence.Error
		}
	}
}

// remarkUnmatched says that no reader knows a value, and under which label it came.
func (in *interpretation) remarkUnmatched(r *evidence.Reading) {
	if in.misses == 0 {
		return
	}
	u := in.unmatched
	f := evidence.Finding{Severity: evidence.Info, Code: CodeUnknownLabel, Pointer: u.pointer, Offset: u.offset}
	if u.label == "" {
		f.Code = CodeNoLabel
		f.Message = "no reader knows the shape of this value, and it names no schema"
	} else {
		f.Message = fmt.Sprintf("no reader knows the shape of this value under the label %q", clip(u.label, 120))
	}
	if u.reason != "" {
		f.Message += " (" + u.reason + ")"
	}
	f.Message += "; it is kept and can be searched"
	if in.misses > 1 {
		f.Message += fmt.Sprintf(", as are %d further values that no reader knows", in.misses-1)
	}
	r.Findings = append(r.Findings, f)
}

// unread is the reading of an artifact beyond the limit: of its start only the words
// are taken.
func (p *interpreter) unread(head []byte) *evidence.Reading {
	in := p.interpretation(evidence.Kept{})
	sum := jsondoc.ScanBytes(head, p.lim, func(e *jsondoc.Event) {
		in.labels.handle(e)
		in.private.handle(e)
		in.words.handle(e, in.private.secret)
	})
	r := &evidence.Reading{State: evidence.Quarantined, Encoding: sum.Encoding, Schema: in.labels.first}
	if r.Text = in.words.text.String(); sum.Form == jsondoc.NotJSON {
		r.Text = headText(head)
	}
	r.Findings = []evidence.Finding{{
		Severity: evidence.Error, Code: jsondoc.CodeTooLarge, Offset: p.lim.Size,
		Message: fmt.Sprintf("the artifact is larger than %d bytes: its bytes are kept, and nothing is read from them; split it to have it read", p.lim.Size),
	}}
	r.Findings = append(r.Findings, in.private.findings(sum.Several())...)
	return r
}

// headText is the start of a text for search. Where the text is cut its last word goes,
// since it may be half a credential.
func headText(head []byte) string {
	if len(head) >= headBytes {
		if i := bytes.LastIndexAny(head, " \t\r\n"); i > 0 {
			head = head[:i]
		}
	}
	return mask.Secrets(clip(jsondoc.Text(head), wordsBytes))
}

func hasError(fs []evidence.Finding) bool {
	for i := range fs {
		if fs[i].Severity == evidence.Error {
			return true
		}
	}
	return false
}
