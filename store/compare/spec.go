package compare

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"assay/store/evidence"
)

// Figure is a metric in one statistic.
type Figure struct {
	Metric evidence.MetricID
	Stat   evidence.Stat
}

// String is the figure as specs and addresses write it: "ttft:p50".
func (f Figure) String() string { return string(f.Metric) + ":" + string(f.Stat) }

// ParseFigure reads "ttft:p50". A metric that is not in the registry is an error, so that
// a mistyped one does not come back as an empty column.
func ParseFigure(s string) (Figure, error) {
	id, st, ok := strings.Cut(s, ":")
	m, known := evidence.LookupMetric(evidence.MetricID(id))
	if !ok || !known || !slices.Contains(evidence.Stats, evidence.Stat(st)) {
		return Figure{}, fmt.Errorf("figure %.60q: want METRIC:STATISTIC, for example ttft:p50", s)
	}
	return Figure{Metric: m.ID, Stat: evidence.Stat(st)}, nil
}

// Spec is a comparison as a question: whose runs, which figures, which factors are asked
// about. Two specs with the same text are the same question.
type Spec struct {
	Control []string   // run ids: the repeats of one arm
	Arms    [][]string // the same for every other arm, in the order they are shown
	Figures []Figure
	Axes    []evidence.FactKey
}

// MaxArms bounds one comparison.
const MaxArms = 100

// Text is the spec in fixed order, one statement a line. It is what Digest is taken of.
func (s *Spec) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "assay comparison v1\nruleset %d\ncontrol %s\n", RulesetVersion, strings.Join(s.Control, "+"))
	for _, a := range s.Arms {
		fmt.Fprintf(&b, "arm %s\n", strings.Join(a, "+"))
	}
	for _, f := range s.Figures {
		fmt.Fprintf(&b, "figure %s\n", f)
	}
	for _, k := range s.Axes {
		fmt.Fprintf(&b, "axis %s\n", k)
	}
	return b.String()
}

// Digest is the address of the question.
func (s *Spec) Digest() string {
	sum := sha256.Sum256([]byte(s.Text()))
	return hex.EncodeToString(sum[:])
}
