package lifttest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/ingest/jsondoc"
	"assay/ingest/lift/lifttest"
	"assay/store/evidence"
)

// alone are metrics that nothing else in a file speaks of, so that a file in another
// unit looks like a better or worse server.
var alone = []string{"kv_pool_tokens", "energy_per_output_token", "goodput / 1000", "pass_rate / 1000", "accept_rate / 1000"}

// eachFixture visits the first values of our fixtures, and of real files where they are.
func eachFixture(t *testing.T, visit func(t *testing.T, name string, v *jsondoc.Node)) {
	roots := []string{filepath.Join("..", "..")}
	if shared := filepath.Join(os.Getenv("ASSAY_CORPUS"), "corpus", "foreign"); os.Getenv("ASSAY_CORPUS") != "" {
		roots = append(roots, shared)
	}
	for i, root := range roots {
		filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || filepath.Ext(path) != ".json" && filepath.Ext(path) != ".jsonl" || i == 0 && !ours(path) {
				return nil
			}
			if info, err := e.Info(); err != nil || info.Size() > 400_000 {
				return nil
			}
			for n, v := range lifttest.Values(t, path) {
				if n == 4 {
					break
				}
				visit(t, filepath.Base(path), v.Root)
			}
			return nil
		})
	}
}

func readerOf(v *jsondoc.Node) (lifttest.Reader, string) {
	for _, r := range readers() {
		if shape, ok := r.Match("", v); ok {
			return r, shape
		}
	}
	return nil, ""
}

// TestRescaledFamilies writes every metric of every run a thousand times as large and as
// small: the figures are doubted, unless nothing in the file can contradict them.
func TestRescaledFamilies(t *testing.T) {
	tried, held := 0, 0
	eachFixture(t, func(t *testing.T, name string, v *jsondoc.Node) {
		r, _ := readerOf(v)
		if r == nil {
			return
		}
		n, unseen := lifttest.Rescale(t, r, v)
		tried += n
		for _, u := range unseen {
			held++
			known := false
			for _, a := range alone {
				known = known || strings.Contains(u, a)
			}
			if !known && !strings.Contains(u, "output_tokens / 1000") && !strings.Contains(u, "ttft / 1000") { // one token, and a queue of minutes, are possible
				t.Errorf("%s:%s is not doubted", name, u)
			}
		}
	})
	if tried < 100 || held*10 > tried {
		t.Errorf("%d of %d rescaled metrics are not doubted", held, tried)
	}
}

// TestUnitWords changes the words that name units: what is lifted differently then comes
// with a warning.
func TestUnitWords(t *testing.T) {
	changed := 0
	eachFixture(t, func(t *testing.T, name string, v *jsondoc.Node) {
		r, shape := readerOf(v)
		if r == nil {
			return
		}
		before := lifttest.Dump(r.Read(v, "", shape))
		v.Walk("", func(p evidence.Pointer, n *jsondoc.Node) bool {
			names := p.Tokens()
			if len(names) == 0 || n.Kind != jsondoc.String || !strings.HasPrefix(names[len(names)-1], "unit") {
				return true
			}
			old := n.Text
			for _, word := range []string{"ms", "s", "us", "tokens/s", "furlong", ""} {
				if n.Text = word; word == old {
					continue
				}
				d := r.Read(v, "", shape)
				if lifttest.Dump(d) == before {
					continue
				}
				changed++
				if !warned(&d) {
					t.Errorf("%s: %s %q for %q: other figures and no warning", name, p, word, old)
				}
			}
			n.Text = old
			return true
		})
	})
	if changed < 50 {
		t.Errorf("%d changes were seen", changed)
	}
}

func warned(d *evidence.Document) bool {
	for _, f := range d.Findings {
		if f.Severity != evidence.Info {
			return true
		}
	}
	return false
}
