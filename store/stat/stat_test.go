package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPercentile(t *testing.T) {
	twenty := make([]float64, 20)
	for i := range twenty {
		twenty[i] = float64(i + 1)
	}
	for _, tc := range []struct {
		name   string
		values []float64
		q      float64
		method Method
		want   float64
	}{
		{"nearest rank of 20 at p95 is the 19th, not the 20th", twenty, 0.95, NearestRank, 19},
		{"nearest rank of 10 at p95 is the maximum", twenty[:10], 0.95, NearestRank, 10},
		{"nearest rank never goes below the first", twenty, 0, NearestRank, 1},
		{"linear lies between neighbours", []float64{1, 2}, 0.5, Linear, 1.5},
		{"linear of 20 at p95", twenty, 0.95, Linear, 19.05},
		{"linear at 1 is the maximum", twenty, 1, Linear, 20},
		{"rounded index rounds half to even, down", []float64{10, 20}, 0.5, RoundedIndex, 10},
		{"rounded index rounds half to even, up", []float64{10, 20, 30, 40}, 0.5, RoundedIndex, 30},
		{"one value is every percentile", []float64{7}, 0.99, Linear, 7},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, ok := Percentile(tc.values, tc.q, tc.method)
			if !ok || math.Abs(got-tc.want) > 1e-12 {
				t.Errorf("got %v, %v; want %v", got, ok, tc.want)
			}
		})
	}
	for _, bad := range []struct {
		values []float64
		q      float64
		method Method
	}{
		{nil, 0.5, Linear},
		{[]float64{1}, 1.1, Linear},
		{[]float64{1}, math.NaN(), Linear},
		{[]float64{1, math.Inf(1)}, 0.5, NearestRank},
		{[]float64{math.NaN()}, 0.5, NearestRank},
		{[]float64{1}, 0.5, "hazen"},
	} {
		if v, ok := Percentile(bad.values, bad.q, bad.method); ok {
			t.Errorf("Percentile(%v, %v, %s) = %v, want none", bad.values, bad.q, bad.method, v)
		}
	}
}

func TestSummarise(t *testing.T) {
	s, ok := Summarise([]float64{12, 10, 11, 13, 9, 14})
	if !ok || s.N != 6 || s.Median != 11.5 || !s.Range.OK || s.Lo != 9 || s.Hi != 14 {
		t.Errorf("six repeats: %+v", s)
	}
	s, _ = Summarise([]float64{10, 12, 11})
	if s.Range.OK || s.Range.String() != "needs 3 more repeats for a 95 % interval" {
		t.Errorf("three repeats: %+v, %s", s, s.Range)
	}
	if s.Lo != 0 || s.Hi != 0 {
		t.Errorf("an interval without repeats enough: %v to %v", s.Lo, s.Hi)
	}
	for _, bad := range [][]float64{nil, {math.NaN()}, {1, math.Inf(-1)}} {
		if _, ok := Summarise(bad); ok {
			t.Errorf("Summarise(%v) gave a summary", bad)
		}
	}
}

func TestSummariseLeavesTheValuesAlone(t *testing.T) {
	values := []float64{3, 1, 2, 6, 5, 4}
	was := slices.Clone(values)
	Summarise(values)
	Compare(values, values)
	if diff := cmp.Diff(was, values); diff != "" {
		t.Error(diff)
	}
}

func TestCompare(t *testing.T) {
	control := []float64{100, 101, 99, 100.5, 99.5, 100.2}
	arm := []float64{120, 121, 119, 120.5, 119.5, 120.2}
	e, ok := Compare(control, arm)
	if !ok {
		t.Fatal("no effect")
	}
	if e.Cliff != 1 || e.P >= 0.01 || !e.HasInterval || e.RatioLo < 1.15 || e.RatioHi > 1.25 {
		t.Errorf("a clear difference: %+v", e)
	}
	if got := e.Reading(0.02); got != Different {
		t.Errorf("reading %q", got)
	}
	if got := e.Reading(0.5); got != Negligible {
		t.Errorf("below the declared minimum the reading is %q", got)
	}
	same, _ := Compare(control, control)
	if got := same.Reading(0.02); got != Unresolved {
		t.Errorf("an arm against itself reads %q", got)
	}
	few, _ := Compare(control[:3], arm[:3])
	if few.Test.OK || few.HasInterval || few.Reading(0.02) != TooFew || few.Test.String() != "needs 1 more repeat for a test" {
		t.Errorf("three repeats a side: %+v, %s", few, few.Test)
	}
	zero, _ := Compare([]float64{0, 0, 0, 0}, arm)
	if zero.HasRatio || zero.HasInterval {
		t.Errorf("a ratio over a median of 0: %+v", zero)
	}
}

// TestCompareIsTheSameInEveryOrder: digits may not depend on the order of arrival.
func TestCompareIsTheSameInEveryOrder(t *testing.T) {
	control := []float64{1.1, 1.3, 0.9, 1.2, 1.05, 1.15, 1}
	arm := []float64{0.8, 0.95, 1.01, 0.7, 0.9, 0.85}
	want, _ := Compare(control, arm)
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		a, b := slices.Clone(control), slices.Clone(arm)
		r.Shuffle(len(a), func(i, j int) { a[i], a[j] = a[j], a[i] })
		r.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
		got, _ := Compare(a, b)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	}
	// Digits from a first run, kept so that another machine or release shows a change.
	if got := [2]float64{want.RatioLo, want.RatioHi}; got != [2]float64{0.6666666666666667, 0.9333333333333332} {
		t.Errorf("interval %v", got)
	}
}

// TestCliffAgainstCounting holds the linear count against the plain one.
func TestCliffAgainstCounting(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		x, y := draw(r, 1+r.IntN(9)), draw(r, 1+r.IntN(9))
		want := 0
		for _, a := range x {
			for _, b := range y {
				switch {
				case b > a:
					want++
				case b < a:
					want--
				}
			}
		}
		if got := cliff(x, y); got != float64(want)/float64(len(x)*len(y)) {
			t.Fatalf("cliff(%v, %v) = %v, want %d/%d", x, y, got, want, len(x)*len(y))
		}
	}
}

// draw gives values with many ties.
func draw(r *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(r.IntN(5))
	}
	return out
}

func TestHolm(t *testing.T) {
	got := Holm([]float64{0.01, 0.04, 0.03, 0.005})
	want := []float64{0.03, 0.06, 0.06, 0.02}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
	if got := Holm([]float64{0.9, 0.8}); got[0] != 1 || got[1] != 1 {
		t.Errorf("a probability above 1: %v", got)
	}
	if got := Holm([]float64{math.NaN(), 0.01}); got[0] != 1 || got[1] != 0.02 {
		t.Errorf("what is no probability: %v", got)
	}
}

// TestCorrectLeavesUntestedAlone: a row with too few repeats is no test of the page.
func TestCorrectLeavesUntestedAlone(t *testing.T) {
	a, _ := Compare([]float64{1, 2, 3, 4}, []float64{11, 12, 13, 14})
	b, _ := Compare([]float64{1, 2}, []float64{3, 4})
	p := a.P
	Correct([]*Effect{&a, nil, &b})
	if a.Adjusted != p || b.Adjusted != 1 {
		t.Errorf("adjusted %v and %v, want %v and 1", a.Adjusted, b.Adjusted, p)
	}
}

func TestForQuantile(t *testing.T) {
	for _, tc := range []struct {
		n    int
		q    float64
		want string
	}{
		{19, 0.95, "needs 1 more completion for a p95"},
		{10, 0.99, "needs 90 more completions for a p99"},
		{20, 0.95, "20 completions are enough for a p95"},
		{5, 0.5, "needs 1 more completion for a p50"},
	} {
		if got := ForQuantile(tc.n, tc.q).String(); got != tc.want {
			t.Errorf("n=%d q=%v: %q, want %q", tc.n, tc.q, got, tc.want)
		}
	}
}

func TestECDF(t *testing.T) {
	got := ECDF([]float64{3, 1, 1, 2}, 100)
	if diff := cmp.Diff([]Step{{1, 0.5}, {2, 0.75}, {3, 1}}, got); diff != "" {
		t.Error(diff)
	}
	many := make([]float64, 10_000)
	for i := range many {
		many[i] = float64(i)
	}
	got = ECDF(many, 200)
	if len(got) != 200 || got[0].X != 0 || got[199] != (Step{9999, 1}) {
		t.Errorf("%d steps, ends %v and %v", len(got), got[0], got[len(got)-1])
	}
	if ECDF([]float64{math.NaN()}, 10) != nil || ECDF(nil, 10) != nil {
		t.Error("a distribution of nothing")
	}
}

func BenchmarkCompare(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	control, arm := make([]float64, 6), make([]float64, 6)
	for i := range control {
		control[i], arm[i] = r.Float64(), r.Float64()+0.5
	}
	for b.Loop() {
		Compare(control, arm)
	}
}
