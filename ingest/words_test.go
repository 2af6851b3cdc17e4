package ingest

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"assay/ingest/jsondoc"
	"assay/store/evidence"

	"github.com/google/go-cmp/cmp"
)

func wordsOf(text string) string {
	p := newInterpreter(Options{}.orDefaults())
	return p.bytes(evidence.Kept{}, []byte(text)).Text
}

func TestWords(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"names and strings, once each", `{"a":"x","b":["x","y",1,true],"c":{"a":"z"}}`, "a\nx\nb\ny\nc\nz"},
		{"control characters", `{"a":"x\u0000\u001by\nz"}`, "a\nx  y\nz"},
		{"half a surrogate", `["\ud800"]`, "\uFFFD"},
		{"text", "ready\r\nin 3 s\x00", ""},
		{"plain text", "ready\r\nin 3 s", "ready \nin 3 s"},
		{"8-bit text", "caf\xe9", "café"},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, wordsOf(tt.in)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestWordsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&b, `,"é%d"`, i)
	}
	for _, in := range []string{
		"[" + b.String()[1:] + "]",
		`["` + strings.Repeat("é", 1<<20) + `"]`,
		`["` + strings.Repeat("€", 1<<20) + `","tail"]`,
		strings.Repeat("é\n", 1<<20),
	} {
		got := wordsOf(in)
		if len(got) == 0 || len(got) > wordsBytes+8 || !utf8.ValidString(got) {
			t.Errorf("%.20s: %d bytes, valid %v", in, len(got), utf8.ValidString(got))
		}
	}
	if got := wordsOf(`["` + strings.Repeat("x", 1<<20) + `","tail"]`); !strings.HasSuffix(got, "\ntail") {
		t.Error("a long string hides what follows it")
	}
}

func TestLabels(t *testing.T) {
	tests := []struct{ in, want string }{
		{`{"schema":"a/v1"}`, "a/v1"},
		{`{"schema_version":"b/v1"}`, "b/v1"},
		{`{"schema_version":"b/v1","schema":"a/v1"}`, "a/v1"},
		{`{"schema_version":2,"schema":"a/v1"}`, "a/v1"},
		{`{"schema_version":2}`, ""},
		{`{"schema":{"schema":"deep"}}`, ""},
		{`{"x":{"schema":"deep"},"schema":"a/v1"}`, "a/v1"},
		{`[{"schema":"item"}]`, ""},
		{`"schema"`, ""},
		{"{\"x\":1}\n{\"schema\":\"second/v1\"}", "second/v1"},
		{`{"schema":""}`, ""},
	}
	for _, tt := range tests {
		var l labels
		jsondoc.ScanBytes([]byte(tt.in), jsondoc.Limits{}, l.handle)
		if l.first != tt.want {
			t.Errorf("%s: label %q, want %q", tt.in, l.first, tt.want)
		}
		d := jsondoc.Parse([]byte(tt.in), jsondoc.Limits{})
		if root := d.Root(); root != nil && labelOf(root) != tt.want {
			t.Errorf("%s: label of the tree %q, want %q", tt.in, labelOf(root), tt.want)
		}
	}
}
