package artifacttext

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
)

func open(t testing.TB, b []byte) (*Text, *Index) {
	t.Helper()
	text, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	x, err := Build(text, sha256.New())
	if err != nil {
		t.Fatal(err)
	}
	if x.Digest != evidence.DigestOf(b) {
		t.Fatal("the digest is not that of the bytes")
	}
	return text, x
}

func show(t testing.TB, text *Text, x *Index, v View) []Line {
	t.Helper()
	lines, err := x.Show(text, v)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// marks writes lines with the marked parts in brackets.
func marks(lines []Line) string {
	var b strings.Builder
	for _, l := range lines {
		tint := " "
		if l.Tint {
			tint = "|"
		}
		fmt.Fprintf(&b, "%d%s", l.Number, tint)
		for _, s := range l.Segments {
			if s.Mark {
				b.WriteString("<<")
			}
			for _, p := range s.Pieces {
				b.WriteString(p.Text)
			}
			if s.Mark {
				b.WriteString(">>")
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

const sample = `{
  "name": "two cards",
  "rows": [
    {"tp": 1, "rate": 25.80},
    {"tp": 2, "rate": null, "note": "from 1,401.7 to 1,423.4 tok\/s"}
  ],
  "a/b": {"m~n": true}
}
`

func TestMarksThePlaceAndTintsItsParent(t *testing.T) {
	text, x := open(t, []byte(sample))
	f, err := x.Find(text, "/rows/1/rate")
	if err != nil || f == nil {
		t.Fatal(f, err)
	}
	got := marks(show(t, text, x, View{First: 1, Last: 99, Marks: []Range{{Start: f.Name, End: f.End}}, Tint: f.Parent}))
	want := `1 {
2   "name": "two cards",
3   "rows": [
4     {"tp": 1, "rate": 25.80},
5|    {"tp": 2, <<"rate": null>>, "note": "from 1,401.7 to 1,423.4 tok\/s"}
6   ],
7   "a/b": {"m~n": true}
8 }
`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if line, pg, err := x.LineOf(text, f.Start); line != 5 || pg != 0 || err != nil {
		t.Errorf("line %d of page %d, %v; want line 5 of page 0", line, pg, err)
	}
}

func TestMarksPartOfAString(t *testing.T) {
	text, x := open(t, []byte(sample))
	f, err := x.Find(text, "/rows/1/note")
	if err != nil || f == nil {
		t.Fatal(f, err)
	}
	s, _, err := StringText(text, f, 1000)
	if err != nil || s != "from 1,401.7 to 1,423.4 tok/s" {
		t.Fatalf("%q, %v", s, err)
	}
	from := strings.Index(s, "tok/s")
	r, err := InString(text, f, from, from+5)
	if err != nil {
		t.Fatal(err)
	}
	got := marks(show(t, text, x, View{First: 5, Last: 5, Marks: []Range{r}, Tint: -1}))
	want := "5     {\"tp\": 2, \"rate\": null, \"note\": \"from 1,401.7 to 1,423.4 <<tok\\/s>>\"}\n"
	if got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}

func TestFind(t *testing.T) {
	tests := []struct {
		name, text string
		pointer    evidence.Pointer
		want       string // the text of the value; "" when it leads nowhere
	}{
		{"root", `{"a":1}`, "", `{"a":1}`},
		{"escaped name", sample, "/a~1b/m~0n", "true"},
		{"array item", sample, "/rows/0", `{"tp": 1, "rate": 25.80}`},
		{"no such member", sample, "/rows/0/x", ""},
		{"leading zero is no index", `[1,2]`, "/01", ""},
		{"past the end", `[1,2]`, "/2", ""},
		{"into a number", `[1]`, "/0/0", ""},
		{"lines of JSON", "{\"a\":1}\n{\"a\":2}\n", "/1/a", "2"},
		{"several values, the second", "1 2 3", "/1", "2"},
		{"one value is not counted", "7", "/0", ""},
		{"name in escapes", `{"\u00e9\n":[0]}`, "/é\n/0", "0"},
		{"empty name", `{"":{"":5}}`, "//", "5"},
		{"byte order mark", "\ufeff{\"a\": 3}", "/a", "3"},
		{"not finite", `{"a":NaN,"b":-Infinity}`, "/b", "-Infinity"},
		{"before a fault", `{"a":[1,2],"b":tru}`, "/a/1", "2"},
		{"invalid pointer", `{"a":1}`, "a", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, x := open(t, []byte(tt.text))
			f, err := x.Find(text, tt.pointer)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if f != nil {
				got = tt.text[f.Start:f.End]
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestExplainsWhereAPointerLeavesTheText(t *testing.T) {
	text, x := open(t, []byte(sample))
	for p, want := range map[evidence.Pointer]Missing{
		"/rows/7/tp":    {Deepest: "/rows", Kind: "array", Has: []string{"0 to 1"}},
		"/rows/0/speed": {Deepest: "/rows/0", Kind: "object", Has: []string{"tp", "rate"}},
		"/name/x":       {Deepest: "/name", Kind: "string"},
		"/zzz":          {Deepest: "", Kind: "object", Has: []string{"name", "rows", "a/b"}},
	} {
		m, err := x.Explain(text, p)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(&want, m); d != "" {
			t.Errorf("%s: %s", p, d)
		}
	}
}

func TestLayouts(t *testing.T) {
	long := `{"a":[` + strings.Repeat(`{"x": 1.50, "y":[]},`, 300) + `{}]}`
	for _, tt := range []struct {
		name, text string
		want       Layout
	}{
		{"readable lines", sample, AsIs},
		{"one long line", long, Indented},
		{"one long string is no long line", `{"a": "` + strings.Repeat("x", 1<<20) + `"}`, AsIs},
		{"prose", "# Title\n\nWords.\n", Plain},
		{"broken", `{"a": 1`, Plain},
		{"empty", "", Plain},
		{"bytes", "\x7fELF\x00\x00\x01\x02\x00", Hex},
	} {
		if _, x := open(t, []byte(tt.text)); x.Layout != tt.want {
			t.Errorf("%s: layout %d, want %d", tt.name, x.Layout, tt.want)
		}
	}
}

func TestIndentedKeepsTheDigits(t *testing.T) {
	text, x := open(t, []byte(`{"a":[`+strings.Repeat(`{"x": 1.50,"y":[] },`, 300)+`{}],"z":1e-05}`))
	if x.Layout != Indented {
		t.Fatal("layout", x.Layout)
	}
	got := marks(show(t, text, x, View{First: 1, Last: 7, Tint: -1}))
	want := "1 {\n2   \"a\": [\n3     {\n4       \"x\": 1.50,\n5       \"y\": []\n6     },\n7     {\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	f, err := x.Find(text, "/z")
	if err != nil || f == nil {
		t.Fatal(f, err)
	}
	line, _, err := x.LineOf(text, f.Start)
	if err != nil || line != x.Lines-1 {
		t.Fatalf("line %d of %d, %v", line, x.Lines, err)
	}
	got = marks(show(t, text, x, View{First: line - 2, Last: line + 1, Marks: []Range{{Start: f.Name, End: f.End}}, Tint: -1}))
	want = fmt.Sprintf("%d     {}\n%d   ],\n%d   <<\"z\": 1e-05>>\n%d }\n", line-2, line-1, line, line+1)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestUTF16(t *testing.T) {
	const s = `{"é": "😀 \u00fc", "n": 12.50}`
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, mark := range []bool{true, false} {
			var b []byte
			if mark {
				b = order.AppendUint16(b, 0xfeff)
			}
			for _, u := range utf16.Encode([]rune(s)) {
				b = order.AppendUint16(b, u)
			}
			text, x := open(t, b)
			f, err := x.Find(text, "/n")
			if err != nil || f == nil || string(f.Raw) != "12.50" {
				t.Fatalf("%v mark %v: %+v, %v", order, mark, f, err)
			}
			if got := show(t, text, x, View{First: 1, Last: 1, Tint: -1})[0].Text(); got != s {
				t.Errorf("%v mark %v: %q", order, mark, got)
			}
			if got := text.Decoded(int64(bytes.LastIndexByte(b, '1'))); got != f.Start && got != f.Start+1 {
				t.Errorf("%v mark %v: offset %d, want %d", order, mark, got, f.Start)
			}
		}
	}
}

func TestLongStringShowsItsMark(t *testing.T) {
	body := strings.Repeat("word ", 200_000)
	s := body[:500_000] + "needle" + body[500_000:]
	text, x := open(t, []byte(`{"long": "`+s+`", "next": 1}`))
	f, err := x.Find(text, "/long")
	if err != nil || f == nil {
		t.Fatal(f, err)
	}
	r, err := InString(text, f, 500_000, 500_006)
	if err != nil {
		t.Fatal(err)
	}
	lines := show(t, text, x, View{First: 1, Last: 1, Marks: []Range{r}, Tint: -1})
	got := marks(lines)
	if !strings.Contains(got, "<<needle>>") || !strings.Contains(got, "bytes not shown") || !strings.Contains(got, `"next": 1}`) {
		t.Errorf("%.300q", got)
	}
	if len(got) > 4*shownMax {
		t.Errorf("%d bytes are shown of one line", len(got))
	}
}

func TestHiddenCharactersAreWrittenOut(t *testing.T) {
	text, x := open(t, []byte("{\"a\": \"x\u202ey\u200fz\"}"))
	if got, want := show(t, text, x, View{First: 1, Last: 1, Tint: -1})[0].Text(), `{"a": "xU+202EyU+200Fz"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	text, x = open(t, []byte("{\"a\": \"caf\xe9\"}"))
	if got, want := show(t, text, x, View{First: 1, Last: 1, Tint: -1})[0].Text(), `{"a": "caf\xE9"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestMarksAFaultInBrokenText(t *testing.T) {
	const s = "{\"a\": 1,\n \"b\": tru,\n"
	text, x := open(t, []byte(s))
	if x.Fault == nil || s[x.Fault.Offset:][:3] != "tru" {
		t.Fatalf("%+v", x.Fault)
	}
	got := marks(show(t, text, x, View{First: 1, Last: 9, Marks: []Range{{Start: x.Fault.Offset, End: x.Fault.Offset + 1}, {Start: int64(len(s)), End: int64(len(s)) + 1}}, Tint: -1}))
	want := "1 {\"a\": 1,\n2  \"b\": <<t>>ru,<<end of text>>\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNestingBombIsShownAsText(t *testing.T) {
	_, x := open(t, []byte(strings.Repeat("[", 200_000)))
	if x.Layout != Plain || x.Fault == nil {
		t.Errorf("layout %d, fault %+v", x.Layout, x.Fault)
	}
}
