package signoff

import (
	"bytes"
	"crypto/rand"
	mrand "math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	"golang.org/x/text/unicode/norm"
)

// forgeries are values of people and of files that would be something else than a value
// if a record took them as they are.
var forgeries = []string{
	"", "plain words", "a\nkind: policy", "a\r\nsigner: eve", "x\n\nassay-record/v1\nkind: statement", "\u2028kind: policy", "\u0085kind: policy",
	"tab\tand \\n that is no line feed", `\`, `\\`, `ends in a \`, `\u{2028}`, `\x41`, ": ", "kind: artifact", "\x00", "\x1b[2Kgone", "\x7f",
	"\u202ereversed", "zero\u200bwidth", "\ufeffmarked", "\U000e0041tag", "e\u0301 and \u00e9", "\u1100\u1161", "\xff\xfe", "half \xe2\x80", "\xed\xa0\x80", "\ufffd", "\U0010ffff",
	"\v\f", "n\u0301", "\n\u0301", strings.Repeat("long ", 2000),
}

// FuzzEscapeLine: whatever a value is, its line is one line of visible characters, and
// the value comes back as it was, in normal form.
func FuzzEscapeLine(f *testing.F) {
	for _, s := range forgeries {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { holdsLine(t, s) })
}

func holdsLine(t *testing.T, s string) {
	t.Helper()
	line := EscapeLine(s)
	if !utf8.ValidString(line) {
		t.Fatalf("%q is escaped to %q, which is no UTF-8", s, line)
	}
	for _, r := range line {
		if unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control) {
			t.Fatalf("%q is escaped to %q: %U is still in it", s, line, r)
		}
	}
	back, err := UnescapeLine(line)
	if err != nil {
		t.Fatalf("%q is escaped to %q, which does not read: %v", s, line, err)
	}
	want := s
	if utf8.ValidString(s) {
		want = norm.NFC.String(s)
	}
	if back != want {
		t.Fatalf("%q comes back as %q", s, back)
	}
}

// FuzzUnescapeLine: a text that is read is the only one that gives its value.
func FuzzUnescapeLine(f *testing.F) {
	for _, s := range append([]string{`\u{110000}`, `\u{d800}`, `\u{}`, `\u{+1}`, `\x4`, `\xFF`, `\x 1`, `\u{ 41}`, `\u{00000041}`, `\q`}, forgeries...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out, err := UnescapeLine(s)
		if err == nil && EscapeLine(out) != s {
			t.Fatalf("%q reads as %q, which is written %q", s, out, EscapeLine(out))
		}
	})
}

// FuzzParseRecord: bytes that are a record are the only bytes of that record.
func FuzzParseRecord(f *testing.F) {
	for _, s := range forgeries {
		f.Add(NewRecord(RecordRepair, "repair", "1", "value", s, "author", "ada", "time", "5").Bytes())
	}
	for _, s := range []string{"", "assay-record/v1", "assay-record/v1\n", "assay-record/v1\nkind: a", "assay-record/v1\nKind: a\n", "assay-record/v1\nkind: a\r\n",
		"assay-record/v1\nkind: a\n\n", "assay-record/v1\nkind:a\n", "assay-record/v2\nkind: a\n", "assay-record/v1\nkind: a\nb: \\u{41}\n", "assay-record/v1\nkind: a\nb: e\u0301\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ParseRecord(data)
		if err == nil && !bytes.Equal(r.Bytes(), data) {
			t.Fatalf("%q is read and written as %q", data, r.Bytes())
		}
	})
}

// FuzzRecord: the fields of a record come back one by one, whatever stands in them.
func FuzzRecord(f *testing.F) {
	for i, s := range forgeries {
		f.Add(s, forgeries[len(forgeries)-1-i])
	}
	f.Fuzz(func(t *testing.T, a, b string) { holdsRecord(t, a, b) })
}

func holdsRecord(t *testing.T, values ...string) {
	t.Helper()
	r := Record{Kind: RecordStatement}
	for _, v := range values {
		r.Fields = append(r.Fields, Field{"value", v})
	}
	data := r.Bytes()
	if len(data) > maxRecord {
		return
	}
	if lines := bytes.Count(data, []byte("\n")); lines != 2+len(values) {
		t.Fatalf("%q has %d lines, want %d", data, lines, 2+len(values))
	}
	back, err := ParseRecord(data)
	if err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	for i := range r.Fields {
		if utf8.ValidString(values[i]) {
			r.Fields[i].Value = norm.NFC.String(values[i])
		}
	}
	if d := cmp.Diff(r, back); d != "" {
		t.Fatalf("%q comes back otherwise:\n%s", data, d)
	}
}

// TestNoValueForgesALine puts together hostile values at random from what separates
// lines, keys and escapes, and holds every record against them.
func TestNoValueForgesALine(t *testing.T) {
	pieces := append([]string{"\n", "\r", ": ", "kind", "signer", "assay-record/v1", `\n`, `\`, `\u{a}`, "\u2029", "\x80", "\u0301", "e", "\u200f", "A"}, forgeries[:20]...)
	r := mrand.New(mrand.NewPCG(3, 5))
	value := func() string {
		var b strings.Builder
		for range r.IntN(8) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	seen := map[string][]string{}
	for range 20_000 {
		a, b := value(), value()
		holdsLine(t, a)
		holdsRecord(t, a, b)
		// Two records are the same bytes only if they say the same.
		key := string(NewRecord(RecordKey, "a", a, "b", b).Bytes())
		now := []string{normal(a), normal(b)}
		if before, ok := seen[key]; ok && !cmp.Equal(before, now) {
			t.Fatalf("%q and %q are one record", before, now)
		}
		seen[key] = now
	}
	for _, s := range forgeries {
		holdsLine(t, s)
		holdsRecord(t, s, s)
	}
}

func normal(s string) string {
	if utf8.ValidString(s) {
		return norm.NFC.String(s)
	}
	return s
}

// FuzzParseCheckpoint: a text that is a checkpoint is the only one of it, and a signed
// note of it opens to the same.
func FuzzParseCheckpoint(f *testing.F) {
	secret, public, err := note.GenerateKey(rand.Reader, "fuzz")
	if err != nil {
		f.Fatal(err)
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		f.Fatal(err)
	}
	v, err := note.NewVerifier(public)
	if err != nil {
		f.Fatal(err)
	}
	good := Checkpoint{Origin: Origin("0011223344556677"), Size: 42, Root: tlog.Hash{1, 2, 3}}.Text()
	for _, s := range []string{good, "", "\n\n\n", strings.Replace(good, "42", "042", 1), strings.Replace(good, "42", "-1", 1), strings.Replace(good, "42", "9223372036854775808", 1),
		good + "more\n", "\x02" + good, "\u202e" + good, "\xff" + good, "\u2014 " + good, strings.TrimSuffix(good, "\n"), strings.Replace(good, "=", "", 1), strings.Replace(good, "\n", "\r\n", -1)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCheckpoint(text)
		if err != nil {
			return
		}
		if c.Text() != text || c.Size < 0 {
			t.Fatalf("%q is read and written as %q", text, c.Text())
		}
		signed, err := SignCheckpoint(c, signer)
		if err != nil {
			t.Fatalf("%q is not signed: %v", text, err)
		}
		if back, _, err := OpenCheckpoint(signed, note.VerifierList(v)); err != nil || back != c {
			t.Fatalf("%q opens as %+v: %v", signed, back, err)
		}
	})
}

// FuzzParseProof: a text that is a proof is the only one of it.
func FuzzParseProof(f *testing.F) {
	two := FormatProof([]tlog.Hash{{1}, {2}})
	for _, s := range []string{"", "\n", two, two + "\n", strings.TrimSuffix(two, "\n"), strings.Repeat(two, 100), "AAAA\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		proof, err := ParseProof(text)
		if err == nil && FormatProof(proof) != text {
			t.Fatalf("%q is read and written as %q", text, FormatProof(proof))
		}
	})
}
