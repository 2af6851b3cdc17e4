package signoff

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// RecordKind says what a record of the log attests.
type RecordKind string

// Kinds of records.
const (
	RecordArtifact            RecordKind = "artifact" // bytes that were new
	RecordArrival             RecordKind = "arrival"  // one coming-in: the name, where from, the campaign declared
	RecordRepair              RecordKind = "repair"   // an alias, a declared fact, a move
	RecordRepairWithdrawn     RecordKind = "repair-withdrawn"
	RecordWaiver              RecordKind = "waiver"
	RecordWaiverWithdrawn     RecordKind = "waiver-withdrawn"
	RecordAccount             RecordKind = "account" // a person: role and state from now on
	RecordKey                 RecordKind = "key"     // a public key of a person, added
	RecordKeyRevoked          RecordKind = "key-revoked"
	RecordServerKey           RecordKind = "server-key"
	RecordPolicy              RecordKind = "policy"
	RecordGateWaiver          RecordKind = "gate-waiver"
	RecordGateWaiverWithdrawn RecordKind = "gate-waiver-withdrawn"
	RecordStatement           RecordKind = "statement"
	RecordWithdrawal          RecordKind = "statement-withdrawn"
	RecordStanding            RecordKind = "standing" // an artifact was superseded or invalidated
	RecordStandingWithdrawn   RecordKind = "standing-withdrawn"
)

// RecordKinds there are.
var RecordKinds = []RecordKind{RecordArtifact, RecordArrival, RecordRepair, RecordRepairWithdrawn, RecordWaiver, RecordWaiverWithdrawn,
	RecordAccount, RecordKey, RecordKeyRevoked, RecordServerKey, RecordPolicy, RecordGateWaiver, RecordGateWaiverWithdrawn, RecordStatement, RecordWithdrawal, RecordStanding, RecordStandingWithdrawn}

// Record is one entry of the log, before it is bytes.
type Record struct {
	Kind   RecordKind
	Fields []Field
}

// Field is one line of a record. A key may stand several times.
type Field struct{ Key, Value string }

const (
	recordHead = "assay-record/v1"
	// maxRecord bounds a record. The longest are statements, which name every
	// acknowledgement with its reason.
	maxRecord = 4 << 20
	mostLines = 100_000
)

// NewRecord makes a record of keys and values by turns. An odd list is a fault of the
// program.
func NewRecord(kind RecordKind, pairs ...string) Record {
	if len(pairs)%2 != 0 {
		panic("signoff: a key of a record without a value")
	}
	r := Record{Kind: kind}
	for i := 0; i < len(pairs); i += 2 {
		r.Fields = append(r.Fields, Field{pairs[i], pairs[i+1]})
	}
	return r
}

// Get is the first value of a key, "" without one.
func (r *Record) Get(key string) string {
	for _, f := range r.Fields {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}

// TimeUS is when what the record attests happened, in Unix microseconds.
func (r *Record) TimeUS() (us int64, err error) { return strconv.ParseInt(r.Get("time"), 10, 64) }

// Summary is what the record is about, in one line for lists.
func (r *Record) Summary() string {
	var words []string
	for _, f := range r.Fields {
		if f.Key == "time" || f.Value == "" {
			continue
		}
		v := f.Value
		if len(v) > 80 {
			v = strings.ToValidUTF8(v[:80], "") + "…"
		}
		if words = append(words, f.Key+" "+v); len(words) == 6 {
			break
		}
	}
	return strings.Join(words, ", ")
}

// Bytes are the record as the log keeps it: a line for the format, a line for the kind, a
// line for each field. A value stays on its line, whatever is in it.
//
//	assay-record/v1
//	kind: artifact
//	sha256: f881e5ac...
//	size: 7141
func (r Record) Bytes() []byte {
	var b bytes.Buffer
	b.WriteString(recordHead + "\n")
	line(&b, "kind", string(r.Kind))
	for _, f := range r.Fields {
		line(&b, f.Key, f.Value)
	}
	return b.Bytes()
}

func line(b *bytes.Buffer, key, value string) {
	b.WriteString(key)
	b.WriteString(": ")
	b.WriteString(EscapeLine(value))
	b.WriteByte('\n')
}

// EscapeLine writes a text so that it is one line of visible characters: in normal form
// C, with a backslash before n, r, t and itself, and every other control or format
// character, and every byte that is no UTF-8, as \u{...} or \x...
func EscapeLine(s string) string {
	if plainLine(s) {
		return s
	}
	if utf8.ValidString(s) {
		s = norm.NFC.String(s)
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\\':
			b.WriteString(`\\`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case hidden(r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

// plainLine reports whether nothing in a text needs an escape or a normal form: ASCII that
// is seen, which most values are.
func plainLine(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] >= 0x7f || s[i] == '\\' {
			return false
		}
	}
	return true
}

// hidden are characters that a reader does not see, or that move what stands beside
// them: controls, line separators, direction marks, joiners, the byte order mark.
func hidden(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0, r == 0xad, r == 0x61c, r == 0x180e, r == 0xfeff:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f:
		return true
	case r >= 0xfff9 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return false
}

// UnescapeLine reads what EscapeLine wrote, and nothing else.
func UnescapeLine(s string) (string, error) {
	out, err := unescape(s)
	if err != nil {
		return "", err
	}
	if EscapeLine(out) != s {
		return "", fmt.Errorf("%.80q is not written as records write it", s)
	}
	return out, nil
}

func unescape(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		if i++; i >= len(s) {
			return "", errors.New("ends in a backslash")
		}
		var v uint32
		switch s[i] {
		case '\\':
			b.WriteByte('\\')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'x':
			if n, err := fmt.Sscanf(s[i:], "x%02x", &v); err != nil || n != 1 || len(s) < i+3 {
				return "", fmt.Errorf("%.20q is no escape", s[i-1:])
			}
			b.WriteByte(byte(v))
			i += 2
		case 'u':
			end := strings.IndexByte(s[i:], '}')
			if end < 3 || end > 8 {
				return "", fmt.Errorf("%.20q is no escape", s[i-1:])
			}
			if n, err := fmt.Sscanf(s[i:i+end+1], "u{%x}", &v); err != nil || n != 1 || v > utf8.MaxRune {
				return "", fmt.Errorf("%.20q is no escape", s[i-1:])
			}
			b.WriteRune(rune(v))
			i += end
		default:
			return "", fmt.Errorf("%.20q is no escape", s[i-1:])
		}
	}
	return b.String(), nil
}

// ParseRecord reads a record. Only the very bytes that Bytes gives are one.
func ParseRecord(data []byte) (Record, error) {
	var r Record
	lines, err := parseLines(data, recordHead, maxRecord)
	if err != nil {
		return r, fmt.Errorf("record: %w", err)
	}
	if len(lines) == 0 || lines[0].Key != "kind" {
		return r, errors.New("record: line 2: want the kind")
	}
	r.Kind = RecordKind(lines[0].Value)
	r.Fields = lines[1:]
	if !bytes.Equal(r.Bytes(), data) {
		return r, errors.New("record: is not written as records are")
	}
	return r, nil
}

// parseLines reads "key: value" lines behind a head line.
func parseLines(data []byte, head string, most int) ([]Field, error) {
	if len(data) > most {
		return nil, fmt.Errorf("%d bytes, more than %d", len(data), most)
	}
	text, ok := strings.CutPrefix(string(data), head+"\n")
	if !ok {
		return nil, fmt.Errorf("line 1: want %q", head)
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		return nil, errors.New("does not end in a line feed")
	}
	var out []Field
	for n := 2; text != ""; n++ {
		var l string
		l, text, _ = strings.Cut(text, "\n")
		key, value, ok := strings.Cut(l, ": ")
		if !ok || !plainKey(key) {
			return nil, fmt.Errorf("line %d: %.80q is no \"key: value\"", n, l)
		}
		v, err := UnescapeLine(value)
		if err != nil {
			return nil, fmt.Errorf("line %d: %s: %w", n, key, err)
		}
		if out = append(out, Field{key, v}); len(out) > mostLines {
			return nil, fmt.Errorf("more than %d lines", mostLines)
		}
	}
	return out, nil
}

func plainKey(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for _, c := range s {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}
