package view

import (
	"strconv"
	"strings"
	"time"

	"assay/store/evidence"
	"assay/store/export"
	"assay/store/signoff"
)

// LogPerPage is the length of one page of records.
const LogPerPage = 100

// Log is a page of the transparency log.
type Log struct {
	Count      string
	Size       string
	Checkpoint string // the signed note, "" when there is none
	Behind     string // records that no checkpoint covers yet, "" for none
	Kinds      []LogKind
	Rows       []LogLine
	Pager      Pager
	Exports    Exports
	entries    []signoff.Entry
}

// LogKind is one choice of the filter.
type LogKind struct {
	Label, Href string
	Current     bool
}

// LogLine is one record in the list.
type LogLine struct {
	Index, Href string
	Kind        string
	At          string
	Words       string
}

// LogURL is the list of records of a kind.
func LogURL(kind signoff.RecordKind, page string) string {
	return Query("/log", "kind", string(kind), "page", page)
}

// RecordURL is the page of one record.
func RecordURL(n int64) string { return "/log/" + strconv.FormatInt(n, 10) }

// BuildLog is one page of records.
func BuildLog(list []signoff.Entry, total, page int, kind signoff.RecordKind, size int64, signed signoff.Signed) Log {
	v := Log{Count: Plural(int64(total), "record", "records"), Size: Int(size), Checkpoint: string(signed.Note), entries: list,
		Pager: BuildPager(page, LogPerPage, total, func(p string) string { return LogURL(kind, p) })}
	if behind := size - signed.Size; behind > 0 {
		v.Behind = Plural(behind, "record is", "records are") + " behind the last checkpoint"
	}
	q := func(ext string) string {
		return Query("/log"+ext, "kind", string(kind), "page", pageWord(page))
	}
	v.Exports = Exports{CSV: q(".csv"), JSON: q(".json"), Markdown: q(".md")}
	v.Kinds = append(v.Kinds, LogKind{"all", LogURL("", ""), kind == ""})
	for _, k := range signoff.RecordKinds {
		v.Kinds = append(v.Kinds, LogKind{recordKind(k), LogURL(k, ""), k == kind})
	}
	for i := range list {
		r := list[i].Record()
		words := plain(strings.TrimSpace(r.Summary()), maxValue)
		if words == "" {
			words = "nothing that can be read"
		}
		v.Rows = append(v.Rows, LogLine{Index: Int(list[i].Index), Href: RecordURL(list[i].Index), Kind: recordKind(list[i].Kind),
			At: recordMoment(&r), Words: words})
	}
	return v
}

func recordKind(k signoff.RecordKind) string {
	if s := strings.TrimSpace(strings.ReplaceAll(string(k), "-", " ")); s != "" {
		return plain(s, 40)
	}
	return "unnamed"
}

func recordMoment(r *signoff.Record) string {
	us, err := r.TimeUS()
	if err != nil {
		return "at no time that can be read"
	}
	return Moment(us)
}

// Table is the page of records as a file.
func (v Log) Table() export.Table {
	t := export.Table{Title: "Transparency log", Columns: []export.Column{
		{Name: "record", Form: export.Figure, Help: "place in the log, from 0"},
		{Name: "kind", Form: export.Code, Help: "what it attests"},
		{Name: "at", Form: export.Code, Help: "when, UTC"},
		{Name: "hash", Form: export.Code, Help: "hash of the leaf, base64"},
		{Name: "body", Form: export.Prose, Help: "the record as it is hashed"},
	}}
	for i := range v.entries {
		e := &v.entries[i]
		r := e.Record()
		at := ""
		if us, err := r.TimeUS(); err == nil {
			at = time.UnixMicro(us).UTC().Format(time.RFC3339Nano)
		}
		t.Rows = append(t.Rows, []export.Cell{export.Integer(e.Index), export.Text(e.Kind), export.Optional(at),
			export.Text(signoff.RecordHash(e.Body)), export.Text(string(e.Body))})
	}
	return t
}

// Record is the page of one record.
type Record struct {
	Index      string
	Kind       string
	At         string
	Body       string    // its lines, hidden characters written out
	More       string    // how much of it is left out, "" for nothing
	File       string    // the very bytes
	Subject    NamedLink // the page of what it speaks of, where there is one
	Hash       string
	Proof      []string // hashes, from the leaf up
	Proved     bool
	Why        string // it is not
	Checkpoint string
	Before     string // addresses of the neighbours, "" at the ends
	After      string
}

// BuildRecord shows a record with its proof. fault is why the proof does not hold.
func BuildRecord(p signoff.Proved, size int64, fault error) Record {
	r := p.Record()
	v := Record{Index: Int(p.Index), Kind: recordKind(p.Kind), At: recordMoment(&r), File: RecordURL(p.Index) + "/body", Subject: subjectOf(&r),
		Hash: signoff.RecordHash(p.Body), Checkpoint: string(p.Signed.Note), Proved: fault == nil}
	v.Body, v.More = recordText(p.Body)
	for _, h := range p.Proof {
		v.Proof = append(v.Proof, h.String())
	}
	if fault != nil {
		v.Why = fault.Error()
	}
	if p.Index > 0 {
		v.Before = RecordURL(p.Index - 1)
	}
	if p.Index+1 < size {
		v.After = RecordURL(p.Index + 1)
	}
	return v
}

// recordShown bounds what a page shows of one record, in bytes.
const recordShown = 64 << 10

// recordText is a record for a page. One that the archive made has nothing in it that a
// reader does not see; one that somebody else put there may.
func recordText(body []byte) (shown, more string) {
	if len(body) > recordShown {
		more = Plural(int64(len(body)-recordShown), "further byte", "further bytes")
		body = body[:recordShown]
	}
	lines := strings.Split(strings.TrimSuffix(string(body), "\n"), "\n")
	for i, l := range lines {
		lines[i] = plain(l, recordShown)
	}
	return strings.Join(lines, "\n") + "\n", more
}

func subjectOf(r *signoff.Record) NamedLink {
	switch r.Kind {
	case signoff.RecordArtifact, signoff.RecordArrival:
		if d, err := evidence.ParseDigest(r.Get("sha256")); err == nil {
			return NamedLink{"the artifact", "/artifact/" + d.String()}
		}
	case signoff.RecordRepair, signoff.RecordRepairWithdrawn:
		return NamedLink{"the repairs", "/repair"}
	case signoff.RecordWaiver, signoff.RecordWaiverWithdrawn:
		if n, err := strconv.ParseInt(r.Get("waiver"), 10, 64); err == nil {
			return NamedLink{"the waiver", "/waivers#w" + strconv.FormatInt(n, 10)}
		}
	case signoff.RecordStatement, signoff.RecordWithdrawal:
		if n, err := signoff.ParseNumber(r.Get("number")); err == nil {
			return NamedLink{"the sign-off", "/signoffs/" + signoff.Number(n)}
		}
	case signoff.RecordPolicy:
		return NamedLink{"the policy", "/policy"}
	}
	return NamedLink{}
}
