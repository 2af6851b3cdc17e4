package ingest

import (
	"bytes"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// logger is a reader of a tool that prints its results between the lines of a log.
type logger interface{ Logs() bool }

// printedInLog reports whether the only fault of an artifact is text behind its values,
// and that text is lines of the log that the values were printed into: every value is
// complete and of a tool that does so, and each text starts a line with a letter, as no
// part of a value does. The findings become warnings then.
func (in *interpretation) printedInLog(sum jsondoc.Summary, fs []evidence.Finding, data []byte, whole bool) bool {
	if sum.Form != jsondoc.Malformed || !whole || sum.Whole != sum.Values || in.misses > 0 || len(in.docs) == 0 {
		return false
	}
	for i := range in.docs {
		if r, ok := in.readerOf(in.docs[i].Reader).(logger); !ok || !r.Logs() {
			return false
		}
	}
	found := false
	for i := range fs {
		if fs[i].Severity != evidence.Error {
			continue
		}
		if fs[i].Code != jsondoc.CodeTrailing || !startsLine(data, fs[i].Offset) {
			return false
		}
		found = true
	}
	for i := range fs {
		if found && fs[i].Code == jsondoc.CodeTrailing {
			fs[i].Severity = evidence.Warning
			fs[i].Message += "; the tool prints its results into a log, so the values are read and these lines are not"
		}
	}
	return found
}

// startsLine reports whether a line of words starts at an offset.
func startsLine(data []byte, at int64) bool {
	if at <= 0 || at >= int64(len(data)) {
		return false
	}
	before := bytes.TrimRight(data[:at], " \t\r")
	c := data[at] | 0x20
	return bytes.HasSuffix(before, []byte("\n")) && c >= 'a' && c <= 'z'
}

func (in *interpretation) readerOf(id string) Reader {
	for _, r := range in.readers {
		if r.ID() == id {
			return r
		}
	}
	return nil
}
