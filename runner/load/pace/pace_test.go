package pace_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/runner/load/pace"
)

func take(p pace.Pacer, n int) []time.Duration {
	var out []time.Duration
	for due := range p.Dues() {
		if out = append(out, due); len(out) == n {
			break
		}
	}
	return out
}

var processes = []pace.Arrivals{
	{Process: pace.Constant, PerSecond: 5000},
	{Process: pace.Poisson, PerSecond: 250, Seed: 7},
	{Process: pace.Gamma, PerSecond: 80, Shape: 0.25, Seed: 11},
	{Process: pace.Gamma, PerSecond: 80, Shape: 4, Seed: 11},
	{Process: pace.Poisson, PerSecond: 1000, Ramp: 10 * time.Second, Seed: 3},
	{Process: pace.Constant, PerSecond: 300, Ramp: 7 * time.Second},
}

func TestArrivalsAreAPureFunctionOfTheirFields(t *testing.T) {
	for _, a := range processes {
		first, again := take(a, 5000), take(a, 5000)
		if diff := cmp.Diff(first, again); diff != "" {
			t.Errorf("%s: a second walk differs:\n%s", a, diff)
		}
		if !slices.IsSorted(first) || first[0] < 0 {
			t.Errorf("%s: due times are out of order", a)
		}
		other := a
		other.Seed++
		if same := slices.Equal(first, take(other, 5000)); same != (a.Process == pace.Constant) {
			t.Errorf("%s: another seed gives the same times: %v", a, same)
		}
	}
}

// TestArrivalsKeepTheirRate holds n arrivals against their expected number. The spread of a
// renewal process of n gaps with variance v is sqrt(n v); five of them is the bound.
func TestArrivalsKeepTheirRate(t *testing.T) {
	const n = 40_000
	for _, a := range processes {
		v := map[pace.Process]float64{pace.Constant: 0, pace.Poisson: 1, pace.Gamma: 1 / max(a.Shape, 1e-9)}[a.Process]
		dues := take(a, n)
		if got := a.Expected(dues[n-1]); math.Abs(got-n) > 5*math.Sqrt(n*v)+2 {
			t.Errorf("%s: arrival %d came where %.0f are expected", a, n, got)
		}
	}
}

func TestGapsHaveTheirShape(t *testing.T) {
	for _, a := range processes {
		if a.Ramp > 0 {
			continue
		}
		var sum, square float64
		dues := take(a, 60_001)
		for i := 1; i < len(dues); i++ {
			gap := (dues[i] - dues[i-1]).Seconds() * a.PerSecond
			sum, square = sum+gap, square+gap*gap
		}
		n := float64(len(dues) - 1)
		mean := sum / n
		want := map[pace.Process]float64{pace.Constant: 0, pace.Poisson: 1, pace.Gamma: 1 / max(a.Shape, 1e-9)}[a.Process]
		if got := square/n - mean*mean; math.Abs(got-want) > 0.1*want+1e-6 {
			t.Errorf("%s: squared coefficient of variation %.3f, want %.3f", a, got, want)
		}
	}
}

func TestConstantNeverDrifts(t *testing.T) {
	a := pace.Arrivals{Process: pace.Constant, PerSecond: 3}
	for i, due := range take(a, 100_000) {
		if want := time.Duration(math.Round(float64(i) / 3 * 1e9)); due != want {
			t.Fatalf("arrival %d is due at %v, want %v", i, due, want)
		}
	}
}

func TestRampRisesFromNothing(t *testing.T) {
	a := pace.Arrivals{Process: pace.Constant, PerSecond: 100, Ramp: 10 * time.Second}
	counts := make([]int, 12)
	for due := range a.Dues() {
		if due >= 12*time.Second {
			break
		}
		counts[due/time.Second]++
	}
	// 100 * t^2 / 20 at whole seconds, differences; then 100 a second.
	want := []int{5, 15, 25, 35, 45, 55, 65, 75, 85, 95, 100, 100}
	for i := range want {
		if d := counts[i] - want[i]; d < -1 || d > 1 {
			t.Errorf("second %d has %d arrivals, want %d", i, counts[i], want[i])
		}
	}
}

func TestCheckNamesEveryFault(t *testing.T) {
	err := pace.Arrivals{Process: pace.Gamma, PerSecond: math.NaN(), Shape: -1, Ramp: -1}.Check()
	for _, want := range []string{"shape", "per second", "ramp"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not name the %s", err, want)
		}
	}
	if n := len(take(pace.Arrivals{Process: "bursty", PerSecond: 1}, 1)); n != 0 {
		t.Errorf("a faulty process yields %d arrivals", n)
	}
}

func TestReadTrace(t *testing.T) {
	got, err := pace.ReadTrace(strings.NewReader("# recorded\n0\n0.5\n\n 0.5 \n2e0\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(pace.Trace{0, 5e8, 5e8, 2e9}, got); diff != "" {
		t.Error(diff)
	}
	if got.Expected(time.Second) != 3 {
		t.Errorf("expected %v arrivals in the first second, want 3", got.Expected(time.Second))
	}
	for _, bad := range []string{"", "x", "-1", "1\n0.5", "NaN", "1e300"} {
		if _, err := pace.ReadTrace(strings.NewReader(bad)); err == nil {
			t.Errorf("trace %q is taken", bad)
		}
	}
}
