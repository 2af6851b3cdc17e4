package manifest

import (
	"bytes"
	"fmt"
	"strings"

	"assay/ingest/lift"
	"assay/store/evidence"
)

// Codes of the findings of this reader.
const (
	CodeTwice    = "manifest-name-twice" // one name with two digests
	CodeTooMany  = "manifest-too-long"
	CodeBadEntry = "manifest-line" // a line that is no entry, in a text that is a manifest otherwise
)

// Bounds of what is read.
const (
	maxEntries = 100_000
	maxLine    = 8 << 10
)

// TextReader reads checksum manifests.
type TextReader struct{ meta lift.Reader }

// TextReaders are the readers of text of this package.
func TextReaders() []TextReader {
	return []TextReader{{lift.Reader{ID: "manifest/sha256", Version: 1, Family: "manifest"}}}
}

// ID names the reader in rows and exports.
func (r TextReader) ID() string { return r.meta.ID }

// Version is raised whenever the reader's output changes.
func (r TextReader) Version() int { return r.meta.Version }

// entry is one line.
type entry struct {
	name       string
	digest     evidence.Digest
	start, end int // of the digest in the line
}

// MatchText asks the first lines: nearly all of them must be entries.
func (r TextReader) MatchText(head []byte) (string, bool) {
	good, bad, lines := 0, 0, 0
	for raw := range bytes.Lines(head) {
		if lines++; lines > 200 || len(raw) > maxLine {
			break
		}
		line := strings.TrimRight(string(raw), "\r\n")
		if says, _, ok := parse(line); ok {
			good++
		} else if says {
			bad++
		}
	}
	return "sha256", good > 0 && bad*10 <= good
}

// ReadText lists the entries.
func (r TextReader) ReadText(data []byte, shapeID string) evidence.Document {
	d := evidence.Document{Family: r.meta.Family, Reader: r.ID(), ReaderVersion: r.Version(), ShapeID: shapeID}
	d.Campaign.Title = "Checksum manifest"
	seen := map[string]evidence.Digest{}
	n, at := -1, 0
	for raw := range bytes.Lines(data) {
		n++
		start := at
		at += len(raw)
		line := strings.TrimRight(string(raw), "\r\n")
		p := evidence.Pointer("").Key("lines").Index(n)
		find := func(s evidence.Severity, code, format string, args ...any) {
			d.Findings = append(d.Findings, evidence.Finding{Severity: s, Code: code, Pointer: p, Offset: int64(start), Message: fmt.Sprintf(format, args...)})
		}
		says, e, ok := parse(line)
		switch {
		case !says:
			continue
		case !ok:
			if len(d.Findings) < 20 {
				find(evidence.Warning, CodeBadEntry, "this line of a checksum manifest names no file with a SHA-256 digest")
			}
			continue
		case len(d.References) >= maxEntries:
			find(evidence.Warning, CodeTooMany, "the manifest goes on; its first %d entries are read", maxEntries)
			return d
		}
		if have, twice := seen[e.name]; twice && have != e.digest {
			find(evidence.Warning, CodeTwice, "%q stands here with the digest %s and before with %s", lift.Clip(e.name), e.digest, have)
		}
		seen[e.name] = e.digest
		d.References = append(d.References, evidence.Reference{Name: e.name, SHA256: evidence.Some(e.digest), Kind: "manifest", Place: evidence.InText(p, e.start, e.end)})
	}
	return d
}

// parse reads one line; says is false for a line that says nothing.
func parse(line string) (says bool, e entry, ok bool) {
	text := strings.TrimRight(line, " \t")
	switch {
	case text == "" || text[0] == '#' || text[0] == ';' || len(line) > maxLine:
		return false, e, false
	case strings.HasPrefix(text, "-----") || strings.HasPrefix(text, "Hash: SHA"):
		return false, e, false
	}
	if e, ok = gnu(text); !ok {
		e, ok = bsd(text)
	}
	return true, e, ok
}

// gnu reads "DIGEST  NAME" and "DIGEST *NAME"; a backslash before the digest says that
// the name is escaped.
func gnu(line string) (e entry, ok bool) {
	escaped := strings.HasPrefix(line, `\`)
	if escaped {
		e.start = 1
	}
	e.end = e.start + 64
	if len(line) < e.end+2 || line[e.end] != ' ' && line[e.end] != '\t' {
		return e, false
	}
	digest, err := evidence.ParseDigest(strings.ToLower(line[e.start:e.end]))
	if err != nil {
		return e, false
	}
	name := strings.TrimLeft(line[e.end:], " \t")
	name = strings.TrimPrefix(name, "*")
	if escaped {
		name = unescape(name)
	}
	e.name, e.digest = name, digest
	return e, name != ""
}

// bsd reads "SHA256 (NAME) = DIGEST".
func bsd(line string) (e entry, ok bool) {
	rest, found := strings.CutPrefix(line, "SHA256 (")
	if !found {
		if rest, found = strings.CutPrefix(line, "SHA2-256("); !found {
			return e, false
		}
	}
	i := strings.LastIndexByte(rest, ')')
	if i <= 0 {
		return e, false
	}
	digest, err := evidence.ParseDigest(strings.ToLower(strings.Trim(rest[i+1:], " =")))
	if err != nil {
		return e, false
	}
	e = entry{name: rest[:i], digest: digest, end: len(line)}
	e.start = e.end - 64
	return e, true
}

var escapes = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "\r")

func unescape(s string) string { return escapes.Replace(s) }
