package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/ingest"
	"assay/store"
	"assay/store/compare"
	"assay/store/evidence"
)

// goldenPair is a labelled pair: what a comparison must say of two places.
type goldenPair struct {
	ID            string            `json:"id"`
	RawA          goldenSide        `json:"a"`
	RawB          goldenSide        `json:"b"`
	Metric        evidence.MetricID `json:"metric"`
	CommandMetric evidence.MetricID `json:"command_metric"`
	Stat          evidence.Stat     `json:"stat"`
	Expect        string            `json:"expect"`
	Claim         string            `json:"claim"`
	Rules         []string          `json:"rules"`
	WarnRules     []string          `json:"warn_rules"`
	NeedsCampaign []string          `json:"needs_campaign"`
	ValueA        float64           `json:"value_a"`
	ValueB        float64           `json:"value_b"`
	Scale         float64           `json:"scale"`
	Automatable   bool              `json:"automatable"`

	root string
}

// goldenSets are the labelled pairs and the folders that their paths start at.
var goldenSets = []struct{ pairs, root string }{
	{"pairs.seed.json", "corpus/seeds"}, {"pairs.shared.json", "corpus/anvil"},
}

// refs are both places as the command line writes them.
func (p *goldenPair) refs(shared string) []string {
	var refs []string
	for _, s := range []goldenSide{p.RawA, p.RawB} {
		refs = append(refs, filepath.Join(shared, filepath.FromSlash(p.root), filepath.FromSlash(s.File))+"#"+string(s.Pointer))
	}
	return refs
}

type goldenSide struct {
	File    string           `json:"file"`
	Pointer evidence.Pointer `json:"pointer"`
}

// metaRule says that the rules of a family hold; no reason has its name.
func metaRule(id string) bool { return strings.HasSuffix(id, "-ALL") || id == "W-DOC" }

// TestGoldenPairs holds the verdicts on labelled pairs against their labels: none that
// must be stopped opens, none that is honest is stopped, and the rules that the labels
// name are among the reasons.
func TestGoldenPairs(t *testing.T) {
	shared := sharedCorpus(t)
	if testing.Short() {
		t.Skip("takes in hundreds of files")
	}
	archive := goldenArchive(t, shared)
	total := &confusion{}
	for _, p := range goldenPairs(t, shared) {
		if !p.Automatable {
			total.skipped = append(total.skipped, p.ID)
			continue
		}
		total.judge(t, archive, shared, &p)
	}
	t.Log(total.String())
}

// sharedCorpus is the folder with corpus and golden in it: ASSAY_CORPUS, or a folder
// "shared" beside the repository.
func sharedCorpus(tb testing.TB) string {
	tb.Helper()
	dir := os.Getenv("ASSAY_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "golden", "pairs.shared.json")); err != nil {
		tb.Skipf("no labelled pairs in %s: set ASSAY_CORPUS to judge real evidence", dir)
	}
	return dir
}

func goldenArchive(t *testing.T, shared string) *store.Archive {
	t.Helper()
	ctx := context.Background()
	a, err := store.Open(ctx, filepath.Join(t.TempDir(), "golden.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	if _, err := ingest.Take(ctx, a, []ingest.Source{ingest.Path(filepath.Join(shared, "corpus"))}, ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	return a
}

// confusion counts verdicts against labels.
type confusion struct {
	allow, block map[compare.Verdict]int
	unread       []string
	skipped      []string
	misses       []string
}

func (c *confusion) judge(t *testing.T, a *store.Archive, shared string, p *goldenPair) {
	q := compare.Question{Metric: p.Metric, Stat: p.Stat, Rank: p.Claim == "rank"}
	pairs, err := comparison(context.Background(), a, p.refs(shared), q)
	var unread *noRuns
	if errors.As(err, &unread) {
		c.unread = append(c.unread, p.ID)
		return
	}
	if err != nil {
		c.misses = append(c.misses, p.ID+" "+p.Expect+": "+err.Error())
		t.Errorf("%s: %v", p.ID, err)
		return
	}
	x := pairs[0]
	c.count(p.Expect, x.Verdict)
	var said []string
	for _, r := range x.All() {
		said = append(said, r.Rule)
	}
	var missing []string
	want := p.Rules
	if p.Expect == "allow" {
		want = append(slices.Clone(p.Rules), p.WarnRules...)
		if !x.Verdict.Shows() {
			t.Errorf("%s: an honest pair is %s: %v", p.ID, x.Verdict, stops(&x.Judgement))
			c.misses = append(c.misses, fmt.Sprintf("%s allow is %s: %v", p.ID, x.Verdict, stops(&x.Judgement)))
		}
		checkValues(t, p, x)
	} else if x.Verdict.Shows() {
		t.Errorf("%s: a pair that must be stopped is %s: %v", p.ID, x.Verdict, said)
		c.misses = append(c.misses, fmt.Sprintf("%s block is %s", p.ID, x.Verdict))
	}
	for _, rule := range want {
		if p.Expect == "allow" && !slices.Contains(p.WarnRules, rule) {
			continue // the rules that an honest pair keeps say nothing
		}
		if !metaRule(rule) && !slices.Contains(said, rule) && !slices.Contains(p.NeedsCampaign, rule) {
			missing = append(missing, rule)
		}
	}
	if len(missing) > 0 {
		t.Errorf("%s (%s, %s): not said: %v; said: %v", p.ID, p.Expect, x.Verdict, missing, said)
		c.misses = append(c.misses, fmt.Sprintf("%s %s does not say %v", p.ID, p.Expect, missing))
	}
}

func checkValues(t *testing.T, p *goldenPair, x compared) {
	near := func(a, b float64) bool { return a == b || (a-b)/(a+b) < 1e-9 && (b-a)/(a+b) < 1e-9 }
	if x.Verdict.Shows() && p.Scale != 0 && (!near(x.Left.Value.V, p.ValueA*p.Scale) || !near(x.Right.Value.V, p.ValueB*p.Scale)) {
		t.Errorf("%s: %v and %v, want %v and %v", p.ID, x.Left.Value, x.Right.Value, p.ValueA*p.Scale, p.ValueB*p.Scale)
	}
}

func stops(j *compare.Judgement) []string {
	var out []string
	for _, r := range j.Reasons {
		if !r.Verdict.Shows() {
			out = append(out, fmt.Sprintf("%s(%s) %s: %s", r.Rule, r.Key, r.Verdict, r.Message))
		}
	}
	return out
}

func (c *confusion) count(expect string, v compare.Verdict) {
	if c.allow == nil {
		c.allow, c.block = map[compare.Verdict]int{}, map[compare.Verdict]int{}
	}
	if expect == "allow" {
		c.allow[v]++
		return
	}
	c.block[v]++
}

func (c *confusion) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-8s %8s %8s %8s %8s\n", "label", compare.OK, compare.Caution, compare.Unknown, compare.Blocked)
	for _, row := range []struct {
		label string
		n     map[compare.Verdict]int
	}{{"allow", c.allow}, {"block", c.block}} {
		fmt.Fprintf(&b, "%-8s %8d %8d %8d %8d\n", row.label, row.n[compare.OK], row.n[compare.Caution], row.n[compare.Unknown], row.n[compare.Blocked])
	}
	fmt.Fprintf(&b, "without a reader: %v\nnot for a program: %v\n", c.unread, c.skipped)
	for _, m := range c.misses {
		b.WriteString("miss: " + m + "\n")
	}
	return b.String()
}
