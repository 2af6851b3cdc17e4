package jsondoc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"assay/store/evidence"

	"github.com/google/go-cmp/cmp"
)

// object writes an object of n members named k0, k1, ...
func object(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"k%d":%d`, i, i)
	}
	return "{" + strings.TrimPrefix(b.String(), ",") + "}"
}

func TestDuplicatesInObjectsOfEverySize(t *testing.T) {
	for _, n := range []int{1, 2, 7, 8, 9, 16, 17, 100, 5000} {
		text := object(n)
		if got := ScanBytes([]byte(text), Limits{}, nil); len(got.Findings) > 0 {
			t.Errorf("%d members: %v", n, briefs(got.Findings[:1]))
		}
		for _, k := range []int{0, n / 2, n - 1} {
			twice := fmt.Sprintf(`%s,"k%d":0}`, text[:len(text)-1], k)
			want := []string{fmt.Sprintf("duplicate-key /k%d %d", k, len(text))}
			if diff := cmp.Diff(want, briefs(ScanBytes([]byte(twice), Limits{}, nil).Findings)); diff != "" {
				t.Errorf("%d members, %d twice (-want +got):\n%s", n, k, diff)
			}
		}
	}
	nested := "[" + object(20) + "," + object(20) + `,{"k1":` + object(300) + `,"k2":` + object(9) + "}]"
	if got := ScanBytes([]byte(nested), Limits{}, nil); len(got.Findings) > 0 {
		t.Errorf("equal names of different objects: %v", briefs(got.Findings))
	}
}

func TestDuplicateCheckHasBounds(t *testing.T) {
	text := []byte(object(maxNames + 10))
	got := ScanBytes(text, Limits{}, nil)
	if got.Form != JSON || len(got.Findings) != 1 || got.Findings[0].Code != CodeUnchecked {
		t.Errorf("form %d, %v", got.Form, briefs(got.Findings))
	}
	long := strings.Repeat("n", 2*longName)
	names := fmt.Sprintf(`{"%sa":1,"%sb":2,"%sa":3}`, long, long, long)
	if got := ScanBytes([]byte(names), Limits{}, nil); len(got.Findings) != 1 || got.Findings[0].Code != CodeDuplicate {
		t.Errorf("long names: %v", briefs(got.Findings))
	}
}

func TestFindingsAreBounded(t *testing.T) {
	many := "[" + strings.Repeat(`{"a":1,"a":2,"b":9007199254740993,"c":NaN},`, 1000) + "0]"
	got := ScanBytes([]byte(many), Limits{}, nil)
	counts := map[string]int{}
	for _, f := range got.Findings {
		counts[f.Code]++
	}
	if len(got.Findings) != 201 || counts[CodeBigInteger] != infoShare || counts[CodeMore] != 1 || counts[CodeDuplicate] < 100 {
		t.Errorf("%d findings: %v", len(got.Findings), counts)
	}
	last := got.Findings[200]
	if last.Code != CodeMore || !strings.Contains(last.Message, fmt.Sprintf("%s %d", CodeDuplicate, 1000-counts[CodeDuplicate])) {
		t.Errorf("last finding: %+v", last)
	}
	late := "[" + strings.Repeat("NaN,", 10_000) + `{"a":1,"a":2}]`
	if got := ScanBytes([]byte(late), Limits{}, nil); !got.Failed() {
		t.Error("ten thousand warnings hide an error")
	}
}

func TestSizeLimit(t *testing.T) {
	for _, text := range []string{`{"a":[1,2,3],"b":"four five"}`, `{"a":1} `} {
		lim := Limits{Size: int64(len(text)) - 1}
		got := ScanBytes([]byte(text), lim, nil)
		streamed, err := Scan(strings.NewReader(text), lim, nil)
		if err != nil || got.Form != Unread || streamed.Form != Unread {
			t.Errorf("%s: form %d, stream %d, %v", text, got.Form, streamed.Form, err)
		}
		if diff := cmp.Diff([]string{fmt.Sprintf("too-large  %d", lim.Size)}, briefs(got.Findings)); diff != "" {
			t.Errorf("findings (-want +got):\n%s", diff)
		}
		lim.Size++
		if got := ScanBytes([]byte(text), lim, nil); got.Form != JSON {
			t.Errorf("%s at the limit: form %d", text, got.Form)
		}
	}
}

func TestStringAndTreeLimits(t *testing.T) {
	lim := Limits{String: 10, Nodes: 5, Text: 100}
	for text, code := range map[string]string{
		`["0123456789"]`:       "",
		`["0123456789a"]`:      CodeLongString,
		`["01234\n56789a"]`:    CodeLongString,
		`{"0123456789a":1}`:    CodeLongString,
		`["éééééé"]`:           CodeLongString,
		`{"0123456789a\x":1}`:  CodeSyntax,
		`["` + "\xff" + `12"]`: CodeBadUTF8,
	} {
		got := ScanBytes([]byte(text), lim, nil)
		if len(got.Findings) == 0 && code != "" || len(got.Findings) > 0 && got.Findings[0].Code != code {
			t.Errorf("%s: %v, want %s", text, briefs(got.Findings), code)
		}
	}
	if d := Parse([]byte(`[1,2,3,4]`), lim); d.Root() == nil {
		t.Error("no tree for five nodes")
	}
	if d := Parse([]byte(`[1,2,3,4,5]`), lim); d.Root() != nil || d.Form != JSON {
		t.Errorf("six nodes: form %d, tree %v", d.Form, d.Root())
	}
	several := Parse([]byte("[1,2,3,4,5]\n[1]\n"), lim)
	if len(several.Values) != 2 || several.Values[0] != nil || several.Values[1] == nil {
		t.Errorf("the tree after one that is too large: %v", several.Values)
	}
}

func TestLongTokensAcrossWindows(t *testing.T) {
	long := strings.Repeat("0123456789é", 100_000)
	text := fmt.Sprintf(`{"%s":"%s","e":"\u0041%s","n":[%s]}`, long[:5000], long, long, strings.Repeat("1234.5,", 50_000)+"1")
	want := Parse([]byte(text), Limits{})
	if want.Form != JSON || len(want.Findings) > 0 {
		t.Fatalf("form %d, %v", want.Form, want.Findings)
	}
	for name, r := range map[string]io.Reader{
		"whole": strings.NewReader(text), "halves": iotest.HalfReader(strings.NewReader(text)), "bytes": iotest.OneByteReader(strings.NewReader(text)),
	} {
		var got *Node
		b := NewBuilder(Limits{}, func(v Value) { got = v.Root })
		sum, err := Scan(r, Limits{}, b.Handle)
		if err != nil {
			t.Fatal(err)
		}
		if b.Finish(sum); differ(want.Root(), got) != "" {
			t.Errorf("%s: another tree", name)
		}
	}
}

func TestReaderErrors(t *testing.T) {
	broken := errors.New("the line is dead")
	_, err := Scan(io.MultiReader(strings.NewReader(`{"a":[1`), iotest.ErrReader(broken)), Limits{}, nil)
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	_, err = Scan(stuck{}, Limits{}, nil)
	if !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a reader that gives nothing: %v", err)
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// endless repeats a text up to a size.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		m := copy(p[n:], e.text[e.at:])
		n, e.at = n+m, (e.at+m)%len(e.text)
	}
	return n, nil
}

// TestMemoryDoesNotGrow scans hostile shapes and watches what is allocated.
func TestMemoryDoesNotGrow(t *testing.T) {
	if testing.Short() {
		t.Skip("scans half a gigabyte")
	}
	for _, text := range []string{
		`{"name":"a","ttft_ms":12.5,"note":"x\n\u00e9é"}` + "\n",
		`[`, `{"a":`, `1`, `1 `, `"`, "\"\n", `\u`, "\xff", " ", "[\"\xff\"]\n", `[{"a":1},NaN,]` + "\n", "}\n", "a,b,c\n",
	} {
		for _, head := range []string{"", "[", `{"a":"`, `{"a":[1,`, "{\"a\":1}\n"} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			src := io.MultiReader(strings.NewReader(head), io.LimitReader(&endless{text: text}, 4<<20))
			_, err := Scan(src, Limits{String: 1 << 20}, nil)
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 32<<20 {
				t.Errorf("%q then %q: allocated %d MiB", head, text, used>>20)
			}
		}
	}
}

func TestText(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain", "plain"},
		{"\xef\xbb\xbfmarked", "marked"},
		{"caf\xe9 cr\xe8me", "café crème"},
		{"\xff\xfe" + string(wideLE("wide é😀")), "wide é😀"},
		{"\x00\x01\x02", ""},
		{"", ""},
	}
	for _, tt := range tests {
		if got := Text([]byte(tt.in)); got != tt.want {
			t.Errorf("%q reads %q, want %q", tt.in, got, tt.want)
		}
	}
}

func wideLE(s string) []byte { return wideText(s, binary.LittleEndian) }

func TestPointersAreBounded(t *testing.T) {
	deep := strings.Repeat(`{"`+strings.Repeat("n", 1000)+`":`, 900)
	got := ScanBytes([]byte(deep+strings.Repeat(`{"a":NaN,"b":`, 90)), Limits{}, nil)
	if len(got.Findings) != 91 {
		t.Fatalf("%d findings", len(got.Findings))
	}
	for _, f := range got.Findings {
		if len(f.Pointer) > maxPath || !f.Pointer.Valid() || len(f.Pointer) < maxPath/2 {
			t.Errorf("%s has a pointer of %d bytes", f.Code, len(f.Pointer))
		}
	}
}

// TestPathOfFindings holds the pointer of a finding against the tree: both lead to the
// same place.
func TestPathOfFindings(t *testing.T) {
	text := `{"a/b":{"~":[0,{"":[NaN,{"x y":NaN}]}]},"c":[[],[[NaN]],{},{"d":NaN}]}`
	d := Parse([]byte(text), Limits{})
	if len(d.Findings) != 4 {
		t.Fatalf("%v", briefs(d.Findings))
	}
	for _, f := range d.Findings {
		n := d.At(f.Pointer)
		if !n.Is(NotFinite) || n.Offset != f.Offset || f.Pointer == evidence.Pointer("") {
			t.Errorf("%s leads to %+v", brief(f), n)
		}
	}
}
