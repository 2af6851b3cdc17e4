package sound

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/store/evidence"
)

// kind is what the figures of runs under one shape have in common.
type kind struct {
	metric evidence.MetricID
	stat   evidence.Stat
	shape  string
}

// shaping are the facts that a figure scales with.
var shaping = []evidence.FactKey{evidence.KeyWorkloadClass, evidence.KeyContextTarget, evidence.KeyPlannedContext, evidence.KeyPromptTokens,
	evidence.KeyConcurrency, evidence.KeyConcurrencyAll, evidence.KeyOutputCap, evidence.KeyBatchSize, evidence.KeyFilledContext, evidence.KeySlice,
	evidence.KeyCacheState, evidence.KeyWarmState}

// siblings holds every figure against the median of its kind.
func (c *checker) siblings() {
	groups := map[kind][]figure{}
	var order []kind
	for i := range c.d.Arms {
		a := &c.d.Arms[i]
		for j := range a.Runs {
			r := &a.Runs[j]
			shape := shapeOf(r, a.Facts, c.d.Facts)
			for k := range r.Measurements {
				m := &r.Measurements[k]
				if m.Role != evidence.Primary || !m.Value.OK || m.Value.V <= 0 || m.State == evidence.Absent || m.Unit == evidence.Ratio {
					continue
				}
				g := kind{m.Metric, m.Stat, shape}
				if groups[g] == nil {
					order = append(order, g)
				}
				groups[g] = append(groups[g], figure{m, r})
			}
		}
	}
	for _, g := range order {
		c.outliers(groups[g])
	}
}

// shapeOf puts what a figure scales with in one text.
func shapeOf(r *evidence.Run, scopes ...[]evidence.Fact) string {
	var b strings.Builder
	b.WriteString(r.Class + "\x00" + r.Name)
	for _, k := range shaping {
		v, ok := number(k, append([][]evidence.Fact{r.Facts}, scopes...)...)
		fmt.Fprintf(&b, "\x00%v %v", v, ok)
	}
	return b.String()
}

// outliers of at least three figures of a kind are a hundred times their median, or less
// than a hundredth of it.
func (c *checker) outliers(list []figure) {
	if len(list) < 3 {
		return
	}
	values := make([]float64, len(list))
	for i, f := range list {
		values[i] = f.Value.V
	}
	slices.Sort(values)
	median := (values[(len(values)-1)/2] + values[len(values)/2]) / 2
	if len(values)%2 == 0 {
		median = math.Sqrt(values[len(values)/2-1] * values[len(values)/2])
	}
	for _, f := range list {
		if f.Value.V > far*median || f.Value.V < median/far {
			c.hits[f.Measurement] += 2
			c.say(evidence.Warning, CodeImplausible, f.Place.Pointer,
				fmt.Sprintf("%s is out of all proportion to %d others of its kind, whose median is %s (base units)", said(f), len(list)-1, text(median)))
		}
	}
}

// claims holds published changes against the figures that they name.
func (c *checker) claims() {
	at := map[evidence.Place][]figure{}
	for i := range c.d.Arms {
		for j := range c.d.Arms[i].Runs {
			r := &c.d.Arms[i].Runs[j]
			for k := range r.Measurements {
				if m := &r.Measurements[k]; m.Role == evidence.Primary && m.Value.OK {
					at[m.Place] = append(at[m.Place], figure{m, r})
				}
			}
		}
	}
	for i := range c.d.Arms {
		for j := range c.d.Arms[i].Runs {
			r := &c.d.Arms[i].Runs[j]
			for k := range r.Measurements {
				if m := &r.Measurements[k]; m.Role == evidence.Claim && len(m.Also) == 2 {
					c.claim(figure{m, r}, at)
				}
			}
		}
	}
}

// claim recomputes one change; a rounding, of it or of its inputs, breaks nothing.
func (c *checker) claim(f figure, at map[evidence.Place][]figure) {
	metric, stat, ok := changeOf(f.Rule)
	base, ok1 := standing(at, f.Also[0], metric, stat)
	own, ok2 := standing(at, f.Also[1], metric, stat)
	if !ok || !ok1 || !ok2 || !f.Value.OK || base.Value.V == 0 {
		return
	}
	got := own.Value.V/base.Value.V - 1
	half := 0.5 * unit(f)
	if base.Value.V > 0 {
		half += math.Abs(own.Value.V/base.Value.V) * (0.5*unit(base)/base.Value.V + 0.5*unit(own)/math.Max(math.Abs(own.Value.V), 1e-12))
	}
	if math.Abs(got-f.Value.V) <= half*(1+1e-9)+1e-12 {
		return
	}
	c.say(evidence.Warning, CodeClaim, f.Place.Pointer, fmt.Sprintf("%.40s %s is published, %s at %s against %s at %s gives %s percent",
		f.SourceText, f.SourceUnit, said(own), own.Place.Pointer, said(base), base.Place.Pointer, text(got*100)))
}

// changeOf reads "change(ttft p50)" and "prose/change(ttft p50)".
func changeOf(rule string) (m evidence.MetricID, s evidence.Stat, ok bool) {
	head, rest, found := strings.Cut(rule, "(")
	words := strings.Fields(strings.TrimSuffix(rest, ")"))
	if !found || len(words) != 2 || head[strings.LastIndexByte(head, '/')+1:] != "change" {
		return "", "", false
	}
	return evidence.MetricID(words[0]), evidence.Stat(words[1]), true
}

func standing(at map[evidence.Place][]figure, p evidence.Place, m evidence.MetricID, s evidence.Stat) (figure, bool) {
	for _, f := range at[p] {
		if f.Metric == m && f.Stat == s {
			return f, true
		}
	}
	return figure{}, false
}

// unit is one unit of the last digit of a figure, in its base unit.
func unit(f figure) float64 {
	digits := strings.Trim(f.SourceText, "-+\u2212 ")
	one, _, err := evidence.ToBase("1", f.SourceUnit)
	if err != nil {
		one = 1
	}
	_, decimals, _ := strings.Cut(digits, ".")
	if strings.ContainsAny(digits, "eE") {
		return 0
	}
	return one / math.Pow10(len(decimals))
}
