package stat

import "fmt"

// How many observations a statement needs.
const (
	MinP95     = 20  // completions: below, a p95 is about the maximum
	MinP99     = 100 // completions
	MinHandful = 6   // completions: a p50 of five or fewer is a handful
	MinTest    = 4   // repeats a side: below, no rank test can reach p < 0.05
	MinRange   = 6   // repeats: below, no 95 % interval of a median exists
)

// Sufficiency says whether there is enough to say something, and what is missing.
type Sufficiency struct {
	OK    bool
	Have  int
	Need  int
	Unit  string // "repeats" or "completions"
	About string // what could be said with enough: "a 95 % interval"
}

// More is how many are missing.
func (s Sufficiency) More() int { return max(s.Need-s.Have, 0) }

// String is a sentence for people: "needs 3 more repeats for a 95 % interval".
func (s Sufficiency) String() string {
	if s.OK {
		return fmt.Sprintf("%d %s are enough for %s", s.Have, s.Unit, s.About)
	}
	unit := s.Unit
	if s.More() == 1 {
		unit = unit[:len(unit)-1]
	}
	return fmt.Sprintf("needs %d more %s for %s", s.More(), unit, s.About)
}

// ForQuantile says whether n completions carry a percentile.
func ForQuantile(n int, q float64) Sufficiency {
	need, about := MinHandful, "a p50"
	switch {
	case q >= 0.99:
		need, about = MinP99, "a p99"
	case q >= 0.9:
		need, about = MinP95, "a p95"
	}
	return Sufficiency{OK: n >= need, Have: n, Need: need, Unit: "completions", About: about}
}

// ForTest says whether two sides have repeats enough for a test.
func ForTest(control, arm int) Sufficiency {
	n := min(control, arm)
	return Sufficiency{OK: n >= MinTest, Have: n, Need: MinTest, Unit: "repeats", About: "a test"}
}

// ForRange says whether one side has repeats enough for an interval of its median.
func ForRange(n int) Sufficiency {
	return Sufficiency{OK: n >= MinRange, Have: n, Need: MinRange, Unit: "repeats", About: "a 95 % interval"}
}
