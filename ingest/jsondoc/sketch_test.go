package jsondoc

import (
	"fmt"
	"strings"
	"testing"

	"assay/store/evidence"
)

// table is a document with a list of rows before and members behind it.
func table(rows int) string {
	var b strings.Builder
	b.WriteString(`{"engine":{"name":"e"},"rows":[`)
	for i := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"name":"r%d","figures":[%d,2,3],"at":{"x":null}}`, i, i)
	}
	return b.String() + `],"schema":"lab.rows/v1","tail":[[],{},"t"]}`
}

func TestSketchOfWhatIsTooLarge(t *testing.T) {
	const rows, perRow = 5000, 8
	for _, limit := range []int{1, 2, 3, 4, 5, 17, 100, rows * perRow / 2, rows * perRow} {
		var got []Value
		b := NewBuilder(Limits{Nodes: limit}, func(v Value) { got = append(got, v) })
		sum := ScanBytes([]byte(table(rows)), Limits{}, b.Handle)
		b.Finish(sum)
		if len(got) != 1 || got[0].Root != nil || got[0].Sketch == nil {
			t.Fatalf("limit %d: %+v", limit, got)
		}
		v := got[0]
		if want := 9 + rows*perRow; v.Nodes != want {
			t.Errorf("limit %d: %d nodes are counted, want %d", limit, v.Nodes, want)
		}
		s := v.Sketch
		if s.Get("schema").Str() != "lab.rows/v1" || s.At("/engine/name").Str() != "e" || s.At("/tail/2").Str() != "t" {
			t.Errorf("limit %d: the members of the value are %q", limit, s.Names)
		}
		if n := len(s.Get("rows").Children); n != sketchItems && n != sketchItems+1 { // one more may have been open
			t.Errorf("limit %d: the sketch has %d rows", limit, n)
		}
		if r := s.At("/rows/7"); r.Get("name").Str() != "r7" || len(r.Get("figures").Children) != 3 || !r.At("/at/x").Is(Null) {
			t.Errorf("limit %d: row 7 is %+v", limit, r)
		}
		kept := 0
		s.Walk("", wellFormedTree(t, &kept))
		if kept > sketchNodes {
			t.Errorf("limit %d: a sketch of %d nodes", limit, kept)
		}
	}
}

// TestSketchIsBounded draws shapes that have no end anywhere.
func TestSketchIsBounded(t *testing.T) {
	wide := func(depth int) string {
		s := "1"
		for range depth {
			s = `{"a":` + s + strings.Repeat(`,"b":[1,[2],{"c":3}],"d":{}`, 6) + `}`
		}
		return s
	}
	for name, text := range map[string]string{
		"nested": "[" + strings.Repeat(wide(300)+",", 40) + "1]", "flat": "[" + strings.Repeat("1,", 50_000) + "1]",
		"object": object(50_000), "text": `["` + strings.Repeat("x", 1<<20) + `"]`, "only a text": `"` + strings.Repeat("x", 1<<20) + `"`,
	} {
		var got Value
		b := NewBuilder(Limits{Nodes: 20_000, Text: 1 << 19}, func(v Value) { got = v })
		b.Finish(ScanBytes([]byte(text), Limits{}, b.Handle))
		if got.Root != nil || got.Sketch == nil {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		kept := 0
		got.Sketch.Walk("", wellFormedTree(t, &kept))
		if kept > 2*sketchNodes {
			t.Errorf("%s: a sketch of %d nodes", name, kept)
		}
	}
	var values []Value // the value after one that was too large has a tree again
	b := NewBuilder(Limits{Nodes: 10}, func(v Value) { values = append(values, v) })
	b.Finish(ScanBytes([]byte(table(9)+"\n"+`{"n":[1]}`+"\n"+table(3)[:80]), Limits{}, b.Handle))
	if len(values) != 3 || values[0].Sketch == nil || values[1].Root.At("/n/0") == nil || values[2].Root != nil || values[2].Sketch != nil {
		t.Errorf("%+v", values)
	}
}

// wellFormedTree counts the nodes of a tree and compares names with children.
func wellFormedTree(t *testing.T, kept *int) func(p evidence.Pointer, n *Node) bool {
	return func(p evidence.Pointer, n *Node) bool {
		*kept++
		if n.Kind == Object && len(n.Names) != len(n.Children) || len(n.Text) > sketchText {
			t.Errorf("%s: %d names, %d children, %d bytes of text", p, len(n.Names), len(n.Children), len(n.Text))
		}
		return true
	}
}

func TestSample(t *testing.T) {
	root := Parse([]byte(table(1000)), Limits{}).Root()
	s, nodes := root.Sample(10)
	rows := s.Get("rows").Children
	if len(rows) != 100 || rows[3].Get("name").Str() != "r30" || nodes != 9+100*8 {
		t.Errorf("%d rows, %d nodes", len(rows), nodes)
	}
	if rows[3] != root.At("/rows/30") || len(root.Get("rows").Children) != 1000 {
		t.Error("the sample does not share the nodes of the tree")
	}
	small := Parse([]byte(table(20)), Limits{}).Root()
	if s, nodes := small.Sample(10); s != small || nodes != 9+20*8 {
		t.Errorf("a tree without long lists is not its own sample: %d nodes", nodes)
	}
}

func TestRowsShareTheirNames(t *testing.T) {
	rows := Parse([]byte(table(10)), Limits{}).Root().Get("rows").Children
	if &rows[0].Names[0] != &rows[9].Names[0] {
		t.Error("each row has names of its own")
	}
	mixed := Parse([]byte(`[{"a":1,"b":2},{"a":1,"c":2},{"a":1,"b":2}]`), Limits{}).Root()
	for i, want := range []string{"b", "c", "b"} {
		if got := mixed.Item(i).Names[1]; got != want {
			t.Errorf("item %d has the member %q, want %q", i, got, want)
		}
	}
}
