package anvil

import (
	"testing"
	"time"

	"assay/ingest/jsondoc"
)

// fuzzRead reads whatever a fuzzer makes of a document. The label is given, so that
// the shape alone decides.
func fuzzRead(f *testing.F, reader int, names ...string) {
	for _, name := range names {
		f.Add(fixture(f, name))
	}
	for _, s := range []string{`{}`, `[]`, `{"headline_results":[{}]}`, `{"headline_results":["a"],"workload":{}}`, `{"results":[{"short":{},"long":{"status":"failed"}}]}`,
		`{"results":[{"":0,"":{"e2e_p00_s":0}}]}`} {
		f.Add([]byte(s))
	}
	r := Readers()[reader]
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<17 {
			return
		}
		start := time.Now()
		for _, n := range jsondoc.Parse(data, jsondoc.Limits{}).Values {
			shape, ok := r.Match(r.label, n)
			if ok != (r.Reason(r.label, n) == "") {
				t.Fatalf("taken %v, reason %q", ok, r.Reason(r.label, n))
			}
			if !ok {
				continue
			}
			d := r.Read(n, "/5", shape)
			if hasDuplicates(n) { // never offered to a reader: a pointer leads to one of them only
				continue
			}
			checkInvariants(t, d, n)
			if len(Unaccounted(d, n)) > 0 {
				t.Fatalf("numbers are lost: %v", Unaccounted(d, n))
			}
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Fatalf("%d bytes take %v", len(data), took)
		}
	})
}

// hasDuplicates reports members of one name, which share a pointer: which of them a
// pointer means nobody can say, and intake reports them.
func hasDuplicates(n *jsondoc.Node) bool {
	if n == nil {
		return false
	}
	seen := map[string]bool{}
	for _, name := range n.Names {
		if seen[name] {
			return true
		}
		seen[name] = true
	}
	for _, c := range n.Children {
		if hasDuplicates(c) {
			return true
		}
	}
	return false
}

func FuzzDecisionSummary(f *testing.F) { fuzzRead(f, 0, "table", "narrative") }

func FuzzMatrix(f *testing.F) { fuzzRead(f, 1, "matrix") }
