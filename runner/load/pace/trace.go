package pace

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// MaxTrace bounds the arrivals of one trace.
const MaxTrace = 10_000_000

// Trace is a finite list of due times in order.
type Trace []time.Duration

// Check refuses times that are negative or out of order.
func (t Trace) Check() error {
	if len(t) == 0 {
		return fmt.Errorf("trace: no arrival in it")
	}
	if t[0] < 0 {
		return fmt.Errorf("trace: arrival 1 is due at %v, before the start", t[0])
	}
	for i := 1; i < len(t); i++ {
		if t[i] < t[i-1] {
			return fmt.Errorf("trace: arrival %d is due at %v, before the one in front of it at %v", i+1, t[i], t[i-1])
		}
	}
	return nil
}

// Dues yields the times as they are.
func (t Trace) Dues() iter.Seq[time.Duration] { return slices.Values(t) }

// Expected counts what is due before elapsed.
func (t Trace) Expected(elapsed time.Duration) float64 {
	n, _ := slices.BinarySearch(t, elapsed)
	return float64(n)
}

func (t Trace) String() string { return fmt.Sprintf("trace of %d arrivals", len(t)) }

// ReadTrace reads one arrival a line, in seconds from the start; empty lines and lines
// that begin with # are left out.
func ReadTrace(r io.Reader) (Trace, error) {
	var t Trace
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		s, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(s) || s < 0 || s > 1e9 {
			return nil, fmt.Errorf("trace: line %d: %.40q is not a number of seconds", n, text)
		}
		if len(t) == MaxTrace {
			return nil, fmt.Errorf("trace: line %d: more than %d arrivals", n, MaxTrace)
		}
		t = append(t, time.Duration(math.Round(s*1e9)))
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	return t, t.Check()
}
