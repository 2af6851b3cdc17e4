package anvil

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// floods are texts that grammars could lose themselves in.
var floods = []string{
	"1 ", "4K/C8, ", "5/5, ", "MTP5 5/5 and ", "no-spec first (MTP5), ", "TTFT p50 1 ms; ", "p50/", "1-", "1,024,", "a-", "K12 ", "20 percent lower TTFT and ", "from 1 to 2 s ", "two replicas ",
	"no-spec first: ", "64K produced 7, ", "forced-output workload ", "not ", "increased ", "used 5 MiB ", "x@", "\u2013", "\xff", "1e", "0.", "one-", "total ", "per replica ",
}

// TestLongTexts puts long texts at every string of every document: as long as a
// sentence may be, and far longer.
func TestLongTexts(t *testing.T) {
	for _, name := range fixtures {
		origin := parse(t, fixture(t, name))
		for k, flood := range floods {
			for _, size := range []int{1 << 14, 1 << 20} {
				if size > 1<<16 && k%6 != 0 {
					continue // no sentence any more: the text hardly matters
				}
				text := strings.Repeat(flood, size/len(flood))
				n := clone(origin)
				i := 0
				n.Walk("", func(_ evidence.Pointer, v *jsondoc.Node) bool {
					if i++; v.Kind == jsondoc.String && (i+k)%7 == 0 && v != n.Get("schema") {
						v.Text = text
					}
					return true
				})
				start := time.Now()
				d, ok := read(t, n, "")
				if took := time.Since(start); took > 5*time.Second {
					t.Errorf("%s with %d bytes of %q takes %v", name, size, flood, took)
				}
				if ok && len(Unaccounted(d, n)) > 0 {
					t.Errorf("%s with %d bytes of %q loses a number", name, size, flood)
				}
			}
		}
	}
}

// TestManyParts makes every list of a document long. The time grows with the size and
// not with its square.
func TestManyParts(t *testing.T) {
	if testing.Short() {
		t.Skip("long documents")
	}
	for _, name := range fixtures {
		var took [2]time.Duration
		for k, times := range []int{100, 800} {
			n := clone(parse(t, fixture(t, name)))
			grow(n, times)
			start := time.Now()
			d, ok := read(t, n, "")
			took[k] = time.Since(start)
			if !ok {
				t.Fatalf("%s: not read", name)
			}
			if missing := Unaccounted(d, n); len(missing) > 0 {
				t.Errorf("%s %d times: nothing carries %d numbers, the first at %v", name, times, len(missing), missing[0])
			}
		}
		t.Logf("%s: %v and %v", name, took[0], took[1])
		if took[1] > 40*took[0]+time.Second {
			t.Errorf("%s: eight times the size takes %v instead of %v", name, took[1], took[0])
		}
	}
}

// grow repeats the items of the lists at the top and one level below.
func grow(n *jsondoc.Node, times int) {
	for _, c := range n.Children {
		if c.Kind == jsondoc.Object {
			grow(c, times)
			continue
		}
		if c.Kind != jsondoc.Array {
			continue
		}
		items := c.Children
		c.Children = nil
		for i := range times {
			for _, x := range items {
				x = clone(x)
				if i > 0 && x.Kind == jsondoc.String {
					x.Text = fmt.Sprintf("%s %d", x.Text, i)
				}
				c.Children = append(c.Children, x)
			}
		}
	}
}
