package yamldoc

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/ingest/jsondoc"
	"assay/ingest/lift/lifttest"
	"assay/store/evidence"
)

// plainJSON writes a node back as JSON.
func plainJSON(n *jsondoc.Node) string {
	switch n.Kind {
	case jsondoc.Null:
		return "null"
	case jsondoc.Bool, jsondoc.Number:
		return n.Text
	case jsondoc.Object, jsondoc.Array:
		var parts []string
		for i, c := range n.Children {
			s := plainJSON(c)
			if n.Kind == jsondoc.Object {
				k, _ := json.Marshal(n.Names[i])
				s = string(k) + ":" + s
			}
			parts = append(parts, s)
		}
		if n.Kind == jsondoc.Object {
			return "{" + strings.Join(parts, ",") + "}"
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	s, _ := json.Marshal(n.Text)
	return string(s)
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a: 1\nb: two # note\n", `{"a":1,"b":"two"}`},
		{"a:\n  b: 1.5\n  c:\n  - 1\n  - x: 2\n    y: 3\n", `{"a":{"b":1.5,"c":[1,{"x":2,"y":3}]}}`},
		{"a:\n- 1\n- - 2\n  - 3\nb: ~\n", `{"a":[1,[2,3]],"b":null}`},
		{"'q k': \"v#x\"\nd: 'it''s'\n", `{"q k":"v#x","d":"it's"}`},
		{"f: {\"k\":\"v\", n: 2, l: [a, 3]}\n", `{"f":{"k":"v","n":2,"l":["a",3]}}`},
		{"t: |\n  x: 1\n\n  y\nu: 2\n", `{"t":"x: 1\n\ny","u":2}`},
		{"i: .inf\nd: 2025-11-05T18:00:42Z\nv: 0.3.0\ne: 1.25e+09\n", `{"i":".inf","d":"2025-11-05T18:00:42Z","v":"0.3.0","e":1.25e+09}`},
		{"a:\nb: 1\n", `{"a":null,"b":1}`},
		{"---\na: true\n", `{"a":true}`},
		{"a: one\n  two\nb: 3\n", `{"a":"one two","b":3}`},
		{"\ufeffa: 1\r\nb: 2\r\n", `{"a":1,"b":2}`},
		{"a: 'it''s: one # two\n  three: 3\n\n  four'\nb: 3\n", `{"a":"it's: one # two three: 3\nfour","b":3}`},
		{"a: \"one\\\n  \\ two \\\"x\\\"\n  three\" # note\nb: 3\n", `{"a":"one two \"x\" three","b":3}`},
		{"- \"\\xE9\\u20ac\\tx\"\n- 'a\n  b'\n- 2\n", `["é€\tx","a b",2]`},
	} {
		n, err := Parse([]byte(c.text))
		if err != nil || plainJSON(n) != c.want {
			t.Errorf("%q: %v %v, want %s", c.text, err, n, c.want)
		}
		if err == nil {
			offsets(t, c.text, n)
		}
	}
}

// offsets checks that every number stands where its node says.
func offsets(t *testing.T, text string, n *jsondoc.Node) {
	n.Walk("", func(p evidence.Pointer, c *jsondoc.Node) bool {
		if c.Kind == jsondoc.Number && text[c.Offset:c.End] != c.Text {
			t.Errorf("%s: %q stands at %d, not %q", p, text[c.Offset:c.End], c.Offset, c.Text)
		}
		return true
	})
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"a: &x 1\n", "a: *x\n", "a: !!int 1\n", "a: 1\na: 2\n", "a: 1\n---\nb: 2\n", "a: [1\n", "a: \"x\n", "a:\n\tb: 1\n", "a: 1\n  b: 2\n", "%YAML 1.2\n", "a: \"x\n  y\n", "a: 'x\n  y' z\n"} {
		if n, err := Parse([]byte(text)); err == nil {
			t.Errorf("%q was read as %s", text, plainJSON(n))
		}
	}
}

func TestSamples(t *testing.T) {
	root := lifttest.Corpus(t, "corpus", "foreign")
	for _, pattern := range []string{"llmd_br/*.yaml", "inference_perf/*.yaml"} {
		paths, _ := filepath.Glob(filepath.Join(root, pattern))
		for _, path := range paths {
			data, _ := os.ReadFile(path)
			n, err := Parse(data)
			if err != nil {
				t.Errorf("%s: %v", filepath.Base(path), err)
				continue
			}
			offsets(t, string(data), n)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("a: {x: [1, \"b\"]}\nc:\n- d\n- e: 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		if n, err := Parse([]byte(text)); err == nil {
			offsets(t, text, n)
		}
	})
}
