package jsondoc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"assay/store/evidence"

	"github.com/google/go-cmp/cmp"
)

// plain is what encoding/json makes of the same value.
func plain(n *Node) any {
	switch n.Kind {
	case Null:
		return nil
	case Bool:
		return n.Text == "true"
	case Number:
		return json.Number(n.Text)
	case String:
		return n.Text
	case Array:
		out := make([]any, 0, len(n.Children))
		for _, c := range n.Children {
			out = append(out, plain(c))
		}
		return out
	case Object:
		out := make(map[string]any, len(n.Children))
		for i, c := range n.Children {
			out[n.Names[i]] = plain(c)
		}
		return out
	}
	return fmt.Sprintf("kind %d", n.Kind)
}

// decodeAll reads values one after the other, as encoding/json sees them.
func decodeAll(data []byte) ([]any, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var out []any
	for {
		var v any
		if err := dec.Decode(&v); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return out, err
		}
		out = append(out, v)
	}
}

// checkAgainstStdlib holds a reading against encoding/json. It returns what is wrong.
func checkAgainstStdlib(data []byte, d *Doc) error {
	tolerated := map[string]bool{}
	for _, f := range d.Findings {
		tolerated[f.Code] = true
	}
	strict := !d.Failed() && !tolerated[CodeNotFinite] && !tolerated[CodeLeading]
	text := bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if valid := json.Valid(text); valid && (d.Form != JSON || d.Values == nil) && !tolerated[CodeDeep] && !tolerated[CodeUTF16] {
		return fmt.Errorf("encoding/json accepts it, we see form %d", d.Form)
	}
	if d.Form != JSON || !strict || tolerated[CodeUTF16] {
		return nil
	}
	if len(d.Values) == 1 && !json.Valid(text) {
		return errors.New("encoding/json refuses what we accept without a finding")
	}
	want, err := decodeAll(text)
	if err != nil {
		return fmt.Errorf("encoding/json: %w", err)
	}
	var got []any
	for _, n := range d.Values {
		got = append(got, plain(n))
	}
	if tolerated[CodeSurrogate] {
		return nil
	}
	if diff := differ(want, got); diff != "" {
		return fmt.Errorf("values differ (-stdlib +ours):\n%s", diff)
	}
	return nil
}

// differ is cmp.Diff for large values: it looks for words only where there is a difference.
func differ(want, got any) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got)
}

// checkPlaces proves that every node stands where it says it stands.
func checkPlaces(data []byte, d *Doc) error {
	for _, f := range d.Findings {
		if f.Offset < -1 || f.Offset > int64(len(data)) {
			return fmt.Errorf("%s at offset %d of %d", f.Code, f.Offset, len(data))
		}
		if !f.Pointer.Valid() {
			return fmt.Errorf("%s has pointer %q", f.Code, f.Pointer)
		}
	}
	if d.utf16() {
		return nil
	}
	var err error
	for i, root := range d.Values {
		base := evidence.Pointer("")
		if d.Several() {
			base = base.Index(i)
		}
		root.Walk(base, func(p evidence.Pointer, n *Node) bool {
			if n.Offset < 0 || n.End <= n.Offset || n.End > int64(len(data)) {
				err = fmt.Errorf("%q spans [%d,%d) of %d", p, n.Offset, n.End, len(data))
				return false
			}
			raw := string(data[n.Offset:n.End])
			switch n.Kind {
			case Number, NotFinite, Bool:
				if raw != n.Text && !strings.HasPrefix(raw, n.Text) {
					err = fmt.Errorf("%q stands as %q, read as %q", p, raw, n.Text)
				}
			case String:
				if raw[0] != '"' || raw[len(raw)-1] != '"' {
					err = fmt.Errorf("%q: string spans %q", p, raw)
				}
			case Object, Array:
				if k := strings.IndexByte("{[", raw[0]); k < 0 || raw[len(raw)-1] != "}]"[k] {
					err = fmt.Errorf("%q: container spans %q", p, raw)
				}
			}
			return err == nil
		})
	}
	return err
}

func (d *Doc) utf16() bool { return strings.HasPrefix(d.Encoding, "utf-16") }

// checkStream proves that a stream in small pieces and bytes in memory agree.
func checkStream(data []byte, d *Doc) error {
	var got Doc
	b := NewBuilder(Limits{}, func(v Value) { got.Values = append(got.Values, v.Root) })
	sum, err := Scan(iotest.HalfReader(bytes.NewReader(data)), Limits{}, b.Handle)
	if err != nil {
		return err
	}
	b.Finish(sum)
	if got.Summary = sum; sum.Form == NotJSON {
		got.Values = nil
	}
	if diff := differ(d, &got); diff != "" {
		return fmt.Errorf("stream differs (-bytes +stream):\n%s", diff)
	}
	return nil
}

func check(data []byte) error {
	d := Parse(data, Limits{})
	return errors.Join(checkAgainstStdlib(data, d), checkPlaces(data, d), checkStream(data, d))
}

// seeds are the shapes that fuzzing starts from.
var seeds = []string{
	``, ` `, `{}`, `[]`, `null`, `"x"`, `-0.5e+10`, `{"a":[1,2,{"b":null}],"c":"d"}`, "[1,\r\n2]",
	`{"a":1}{"b":2}`, "{\"a\":1}\n{\"a\":2}\n", `{"a":1} x`, `[1,]`, `{"a"`, `{"a":NaN}`, `[-Infinity]`,
	`["\u00e9\ud83d\ude00\ud800\n\"\\\/"]`, "[\"\xff\"]", "[\"\xed\xa0\x80\"]", "\xef\xbb\xbf[1]", "\xff\xfe[\x00]\x00", "\x00[\x00]",
	`{"a":1,"a":2}`, `{"":{"/":{"~":{"~1":0}}}}`, `[1e999]`, `[9007199254740993]`, "[[t]]\nx=1", "# c\n{\"a\":1}", "[\"a\nb\"]", `[tru`,
	"{\"a\":\"b\n{\"c\":1}\n", `[[[[[[]]]]]]`, "\"a\" \"b\"", "1 2 3", "[1,0]<x>", "{\"k\":1}\x00",
}

func TestAgreesWithStdlib(t *testing.T) {
	for _, s := range seeds {
		if err := check([]byte(s)); err != nil {
			t.Errorf("%q: %v", s, err)
		}
		for i := range len(s) {
			if err := check([]byte(s[:i])); err != nil {
				t.Errorf("%q: %v", s[:i], err)
			}
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := check(data); err != nil {
			t.Error(err)
		}
	})
}

func FuzzPointer(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), "/0/a~1~0")
	}
	f.Fuzz(func(t *testing.T, data []byte, pointer string) {
		d := Parse(data, Limits{})
		d.At(evidence.Pointer(pointer))
		for _, finding := range d.Findings {
			if finding.Code == CodeDuplicate {
				return
			}
		}
		for i, root := range d.Values {
			base := evidence.Pointer("")
			if d.Several() {
				base = base.Index(i)
			}
			root.Walk(base, func(p evidence.Pointer, n *Node) bool {
				if !p.Valid() {
					t.Fatalf("pointer %q is not valid", p)
				}
				if got := d.At(p); got != n {
					t.Fatalf("pointer %q leads to %+v, not to its node %+v", p, got, n)
				}
				return true
			})
		}
	})
}

// TestCorpusAgrees runs the same checks over real files.
func TestCorpusAgrees(t *testing.T) {
	root := corpus(t)
	files := 0
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		if err := check(data); err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
		return nil
	})
	if err != nil || files == 0 {
		t.Fatalf("%d files, %v", files, err)
	}
}

// corpus is the folder of real evidence; tests that need it skip without it.
func corpus(tb testing.TB) string {
	dir := os.Getenv("ASSAY_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	dir = filepath.Join(dir, "corpus")
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("no corpus at %s: set ASSAY_CORPUS to run over real evidence", dir)
	}
	return dir
}
