package signoff

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPolicyPositions: every fault of a text is told at once, at its line and column, in
// the order of the text.
func TestPolicyPositions(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"members and what they say", `name = "A b"
mood = 1
version = 0
two_people = ["promote", "jump"]
[targets]
promotion = ["x", "y",
  "x"]
sometimes = []
[[gate]]
id = "x"
title = ""
want = "w"
names = ["fine", "--"]
metric = "gpu_memory_free"
at_least = "3 s"
score = -1
[[gate]]
id = "x"
title = "t"
want = "w"
fact = "colour"
`, `1:1 name
2:1 mood
3:1 version
4:26 two_people[1]
6:19 targets.promotion[1]
7:3 targets.promotion[2]
8:1 targets.sometimes
11:1 gate[0].title
13:18 gate[0].names[1]
15:1 gate[0].at_least
16:1 gate[0].score
18:1 gate[1].id
21:1 gate[1].fact
`},
		{"kinds", "name = 3\nversion = \"1\"\nother_gates_stop = \"no\"\ntwo_people = \"promote\"\ngate = [{id = 1, parts = [\"a\"]}, 4]\ntargets = {promotion = [1]}\n", `1:1 name
2:1 version
3:1 other_gates_stop
4:1 two_people
5:10 gate[0].id
5:27 gate[0].parts[0]
5:34 gate[1]
6:25 targets.promotion[0]
`},
		{"unknown tables", "name = \"a\"\nversion = 1\n[gates]\nid = 1\n[[targets]]\n", "3:2 gates\n5:3 targets\n"},
		{"syntax", "name = \"a\"\nversion = = 1\n", "2:11 \n"},
		{"the same member twice", "name = \"a\"\nname = \"b\"\n", "2:1 \n"},
		{"no text", "name = \"\xff\"\n", "1:9 \n"},
	} {
		_, err := ParsePolicy([]byte(tc.text))
		if err == nil {
			t.Errorf("%s: it is taken", tc.name)
			continue
		}
		var got strings.Builder
		for _, line := range strings.Split(err.Error(), "\n") {
			var row, col int
			var path string
			n, _ := fmt.Sscanf(line, "policy: line %d, column %d: %s", &row, &col, &path)
			if n < 2 {
				t.Errorf("%s: %q has no place", tc.name, line)
				continue
			}
			if !strings.HasSuffix(path, ":") || tc.name == "syntax" || strings.HasPrefix(tc.name, "the same") || tc.name == "no text" {
				path = ""
			}
			fmt.Fprintf(&got, "%d:%d %s\n", row, col, strings.TrimSuffix(path, ":"))
		}
		if d := cmp.Diff(tc.want, got.String()); d != "" {
			t.Errorf("%s (-want +got)\n%s\n%v", tc.name, d, err)
		}
	}
}

// TestPolicyForms: the same policy in other forms of the language is the same policy.
func TestPolicyForms(t *testing.T) {
	forms := []string{
		"name = \"a\"\nversion = 1\n[targets]\npromotion = [\"x\"]\n[[gate]]\nid = \"x\"\ntitle = \"X\"\nwant = \"w\"\nnames = [\"x\"]\n",
		"name = 'a'\nversion = 0x1\ntargets.promotion = ['x', # the only one\n]\ngate = [{id = 'x', title = 'X', want = 'w', names = ['x']}]\n",
		"targets = {promotion = ['x']}\nname = \"\"\"a\"\"\"\r\nversion = +1\r\n[[gate]]\r\nid = \"\\u0078\"\r\ntitle = 'X'\r\nwant = 'w'\r\nnames = ['x']\r\n",
	}
	want, err := ParsePolicy([]byte(forms[0]))
	if err != nil {
		t.Fatal(err)
	}
	digests := map[string]bool{}
	for _, f := range forms {
		p, err := ParsePolicy([]byte(f))
		if err != nil {
			t.Errorf("%q: %v", f, err)
			continue
		}
		digests[p.Ref().Digest] = true
		if d := cmp.Diff([]any{want.Name, want.Version, want.Targets, want.Gates[0].ID, want.Gates[0].Names}, []any{p.Name, p.Version, p.Targets, p.Gates[0].ID, p.Gates[0].Names}); d != "" {
			t.Errorf("%q (-want +got)\n%s", f, d)
		}
	}
	if len(digests) != len(forms) {
		t.Error("texts that differ have one digest")
	}
}

func TestPolicyBounds(t *testing.T) {
	gate := "[[gate]]\nid = \"x%d\"\ntitle = \"t\"\nwant = \"w\"\nnames = [\"x\"]\n"
	var many strings.Builder
	many.WriteString("name = \"a\"\nversion = 1\n[targets]\npromotion = [\"x0\"]\n")
	for i := range mostGates + 1 {
		fmt.Fprintf(&many, gate, i)
	}
	var tables strings.Builder
	for i := range 300 {
		fmt.Fprintf(&tables, "[a%d]\n", i)
	}
	for name, tc := range map[string]struct{ text, want string }{
		"gates":   {many.String(), "201 of them"},
		"phrases": {fmt.Sprintf(onePolicy, "x", "names = ["+strings.Repeat("\"a\", ", mostPhrases+1)+"]"), "101 phrases"},
		"phrase":  {fmt.Sprintf(onePolicy, "x", "names = [\""+strings.Repeat("a ", 101)+"\"]"), "is no phrase"},
		"text":    {fmt.Sprintf(onePolicy, "x", "names = [\"x\"]\nclear = \""+strings.Repeat("a", longText+1)+"\""), "2000 bytes at most"},
		"faults":  {tables.String(), "and 20"},
		"rate":    {fmt.Sprintf(onePolicy, "x", "class = \"quality\"\npass_rate = \"120 %\""), "100 % at most"},
		"class":   {fmt.Sprintf(onePolicy, "x", "class = \"speed\""), "is none of"},
		"bounds":  {fmt.Sprintf(onePolicy, "x", "metric = \"gpu_memory_free\"\nat_least = \"3 GiB\"\nat_most = \"1 GiB\""), "is less than at_least"},
		"foreign": {fmt.Sprintf(onePolicy, "source-x", "names = [\"x\"]"), "only a source has"},
		"alone":   {fmt.Sprintf(onePolicy, "x", "canaries = true\nscore = 20"), "says nothing without names"},
	} {
		if _, err := ParsePolicy([]byte(tc.text)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
}

func TestQuantities(t *testing.T) {
	for text, want := range map[string]float64{"3 GiB": 3 << 30, "3 GB": 3e9, "3072 MiB": 3 << 30, "95 %": 0.95, "95  percent": 0.95, "250 ms": 0.25, "100,000 tokens": 100_000} {
		if v, _, err := quantity(text); err != nil || v != want {
			t.Errorf("%q is %v, %v; want %v", text, v, err, want)
		}
	}
	for _, text := range []string{"", "3", "3GiB", "three GiB", "3 Gib", "NaN GiB", "1e999 GiB", "3 GiB 4"} {
		if v, unit, err := quantity(text); err == nil {
			t.Errorf("%q is %v %s", text, v, unit)
		}
	}
}

var fence = regexp.MustCompile("(?ms)^```toml\n(.*?)^```$")

// TestPolicyDoc: the policy of docs/policy.md is one, and the document names every member.
func TestPolicyDoc(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "policy.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := fence.FindAllSubmatch(data, -1)
	if len(blocks) == 0 {
		t.Fatal("no policy in it")
	}
	for _, b := range blocks {
		if _, err := ParsePolicy(b[1]); err != nil {
			t.Errorf("%v", err)
		}
	}
	for _, members := range []map[string]memberKind{policyMembers, targetMembers, gateMembers} {
		for m := range members {
			if !regexp.MustCompile(`(?m)(?:^|[^a-z_])` + m + `(?:$|[^a-z_])`).Match(data) {
				t.Errorf("the member %s is not in docs/policy.md", m)
			}
		}
	}
}
