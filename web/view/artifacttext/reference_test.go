package artifacttext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"assay/store/evidence"
)

// place is where another reader of JSON sees a value.
type place struct {
	pointer    evidence.Pointer
	start, end int64
}

// reference lists every value of one JSON text with its byte range.
func reference(b []byte) ([]place, error) {
	d := jsontext.NewDecoder(bytes.NewReader(b))
	var out []place
	var open []int
	for {
		isName := d.StackDepth() > 0 && func() bool { k, n := d.StackIndex(d.StackDepth()); return k == '{' && n%2 == 0 }()
		tok, err := d.ReadToken()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		end := d.InputOffset()
		switch k := tok.Kind(); {
		case k == '}' || k == ']':
			out[open[len(open)-1]].end = end
			open = open[:len(open)-1]
		case isName:
		case k == '{' || k == '[':
			open = append(open, len(out))
			out = append(out, place{evidence.Pointer(parentOf(d)), end - 1, 0})
		default:
			out = append(out, place{evidence.Pointer(d.StackPointer()), end - rawLen(b, end, k), end})
		}
	}
}

// parentOf is the pointer of the container that was just opened.
func parentOf(d *jsontext.Decoder) string { return string(d.StackPointer()) }

// rawLen is the length of the scalar that ends at end.
func rawLen(b []byte, end int64, k jsontext.Kind) int64 {
	i := end
	if k == '"' {
		for i -= 2; ; i-- {
			if b[i] == '"' {
				n := 0
				for j := i - 1; j >= 0 && b[j] == '\\'; j-- {
					n++
				}
				if n%2 == 0 {
					return end - i
				}
			}
		}
	}
	for i > 0 && bare[b[i-1]] {
		i--
	}
	return end - i
}

func checkAgainstReference(t *testing.T, b []byte, some int) {
	t.Helper()
	want, err := reference(b)
	if err != nil || len(want) == 0 {
		return
	}
	for _, w := range want[1:] {
		if w.pointer == "" {
			return // the reference does not count top-level values
		}
	}
	text, x := open(t, b)
	if x.Fault != nil {
		t.Fatalf("a fault in JSON at %d: %s", x.Fault.Offset, x.Fault.Message)
	}
	for i := 0; i < len(want); i += max(1, len(want)/some) {
		w := want[i]
		f, err := x.Find(text, w.pointer)
		if err != nil || f == nil {
			t.Fatalf("%q is not found: %v", w.pointer, err)
		}
		if f.Start != w.start || f.End != w.end && f.End != 0 {
			t.Fatalf("%q: [%d, %d), want [%d, %d)", w.pointer, f.Start, f.End, w.start, w.end)
		}
		line, pg, err := x.LineOf(text, f.Start)
		if err != nil {
			t.Fatal(err)
		}
		first, last := x.Window(pg, line)
		mark := Range{Start: f.Start, End: f.Start + 1}
		here := 0
		for _, l := range show(t, text, x, View{First: first, Last: last, Marks: []Range{mark}, Tint: -1}) {
			if l.Here {
				here++
				if l.Number != line {
					t.Fatalf("%q is marked on line %d, want %d", w.pointer, l.Number, line)
				}
			}
		}
		if here != 1 {
			t.Fatalf("%q is marked on %d lines", w.pointer, here)
		}
	}
}

// checkVerbatim reads all pages and compares their text with the lines as they stand.
func checkVerbatim(t *testing.T, b []byte) {
	t.Helper()
	text, x := open(t, b)
	if x.Layout == Indented || x.Layout == Hex {
		return
	}
	var got []string
	for pg := range x.Pages() {
		first, last := x.Window(pg, 0)
		for _, l := range show(t, text, x, View{First: first, Last: last, Tint: -1}) {
			if l.Number != int64(len(got)+1) {
				t.Fatalf("line %d follows line %d", l.Number, len(got))
			}
			got = append(got, l.Text())
		}
	}
	if int64(len(got)) != x.Lines {
		t.Fatalf("%d lines shown of %d", len(got), x.Lines)
	}
	want := strings.Split(strings.TrimSuffix(string(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))), "\n"), "\n")
	if len(b) == 0 || len(got) == 0 {
		return
	}
	if len(got) != len(want) {
		t.Fatalf("%d lines shown, want %d", len(got), len(want))
	}
	for i := range got {
		w := want[i]
		if i+1 < len(got) || b[len(b)-1] == '\n' {
			w = strings.TrimSuffix(w, "\r")
		}
		if plainASCII(w) && len(w) < 1000 && got[i] != w {
			t.Fatalf("line %d is %q, want %q", i+1, got[i], w)
		}
	}
}

func plainASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] < ' ' || s[i] == 0x7f {
			return false
		}
	}
	return true
}

// document writes a random JSON text.
func document(r *rand.Rand, size int, pretty bool) []byte {
	var b bytes.Buffer
	var value func(depth int)
	brk := func(depth int) {
		if pretty {
			b.WriteByte('\n')
			b.WriteString(strings.Repeat("  ", depth))
		}
	}
	value = func(depth int) {
		switch k := r.Intn(8); {
		case depth < 6 && k < 2:
			b.WriteByte('{')
			for i := range r.Intn(8) {
				if i > 0 {
					b.WriteByte(',')
				}
				brk(depth + 1)
				fmt.Fprintf(&b, `"k%d/~é\"": `, i)
				value(depth + 1)
			}
			b.WriteByte('}')
		case depth < 6 && k < 4:
			b.WriteByte('[')
			for i := range r.Intn(12) {
				if i > 0 {
					b.WriteByte(',')
				}
				brk(depth + 1)
				value(depth + 1)
			}
			b.WriteByte(']')
		case k == 4:
			fmt.Fprintf(&b, `"%s\\\u00e9\n"`, strings.Repeat("x", r.Intn(60)))
		case k == 5:
			b.WriteString("null")
		default:
			fmt.Fprintf(&b, "%d.%03d", r.Intn(1e6), r.Intn(1000))
		}
	}
	b.WriteByte('[')
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		brk(1)
		value(1)
	}
	b.WriteString("]\n")
	return b.Bytes()
}

func TestFindsEveryValueWhereAnotherReaderSeesIt(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, size := range []int{300, 5_000, 700_000} {
		for _, pretty := range []bool{false, true} {
			b := document(r, size, pretty)
			checkAgainstReference(t, b, 150)
			checkVerbatim(t, b)
		}
	}
}

// slowReader gives few bytes a read, as chunks of a compressed file end anywhere.
type slowReader struct {
	*bytes.Reader
	n int
}

func (s slowReader) Read(p []byte) (int, error) { return s.Reader.Read(p[:min(len(p), s.n)]) }

func TestShortReads(t *testing.T) {
	b := document(rand.New(rand.NewSource(2)), 200_000, true)
	text, err := Open(slowReader{bytes.NewReader(b), 7}, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	_, want := open(t, b)
	got, _, err := NewCache(1<<20).Get(want.Digest, text)
	if err != nil || got.Digest != want.Digest || got.Lines != want.Lines || got.Pages() != want.Pages() {
		t.Errorf("%+v, %v", got, err)
	}
}

func FuzzIndex(f *testing.F) {
	for _, s := range []string{
		sample, "", "[", "{\"a\":1}{\"b\":2}", "1 2\n3", "[1,]", "{\"a\":\"\\ud83d\\ude00\"}", "\ufeff[]", "\xff\xfe[\x00]\x00",
		"{\"a\":[{},[],\"\",0]}", "\"\\u00", "-", "tru", "[1e5,-0.5E-3]", "a\r\nb\r\n", "\x00\x01", "{\"\":{\"\":[[]]}}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		checkVerbatim(t, b)
		if utf8.Valid(b) && !bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) && !bytes.Contains(b, []byte{0}) {
			checkAgainstReference(t, b, 50)
		}
		text, x := open(t, b)
		for _, p := range []evidence.Pointer{"", "/0", "/a/0", "/1/b", "//"} {
			if fd, err := x.Find(text, p); err != nil {
				t.Fatal(err)
			} else if fd != nil {
				if _, err := InString(text, fd, 0, 1); err != nil {
					t.Fatal(err)
				}
			} else if _, err := x.Explain(text, p); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := text.HexHead(); err != nil {
			t.Fatal(err)
		}
		size := 0
		first, last := x.Window(0, 0)
		for _, l := range show(t, text, x, View{First: first, Last: last, Marks: []Range{{Start: 1, End: 3}}, Tint: -1}) {
			size += len(l.Text())
		}
		if size > 8*(pageCost+lineMax) {
			t.Fatalf("%d bytes on one page", size)
		}
	})
}

func big(b *testing.B, pretty bool, size int) []byte {
	b.Helper()
	return document(rand.New(rand.NewSource(3)), size, pretty)
}

func BenchmarkIndex4MB(b *testing.B) {
	doc := big(b, true, 4<<20)
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		open(b, doc)
	}
}

func BenchmarkPage4MB(b *testing.B) {
	for name, pretty := range map[string]bool{"as it stands": true, "indented": false} {
		b.Run(name, func(b *testing.B) {
			doc := big(b, pretty, 4<<20)
			text, x := open(b, doc)
			all, err := reference(doc)
			if err != nil {
				b.Fatal(err)
			}
			p := all[len(all)-len(all)/7].pointer
			for b.Loop() {
				f, err := x.Find(text, p)
				if err != nil || f == nil {
					b.Fatal(p, err)
				}
				line, pg, err := x.LineOf(text, f.Start)
				if err != nil {
					b.Fatal(err)
				}
				first, last := x.Window(pg, line)
				if len(show(b, text, x, View{First: first, Last: last, Marks: []Range{{Start: f.Start, End: f.Start + 1}}, Tint: f.Parent})) == 0 {
					b.Fatal("no lines")
				}
			}
		})
	}
}
