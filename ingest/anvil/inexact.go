package anvil

import (
	"fmt"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// bounded puts a value on a measurement: as it is, or as the one end that a sentence
// gives ("under 70.4 seconds").
func bounded(bound prose.Bound, v float64, m evidence.Measurement) evidence.Measurement {
	switch bound {
	case prose.AtLeast:
		m.Lower = evidence.Some(v)
	case prose.AtMost:
		m.Upper = evidence.Some(v)
	default:
		m.Value = evidence.Some(v)
	}
	return m
}

// inexact says that a figure is a bound or an approximation.
func (b *builder) inexact(p evidence.Pointer, n *jsondoc.Node, digits string) {
	b.find(evidence.Info, CodeBound, p, n, fmt.Sprintf("%q is a bound or an approximation, no exact figure", clip(digits)))
}

// unclear says that a figure is nobody's beyond doubt.
func (b *builder) unclear(p evidence.Pointer, digits string) {
	b.find(evidence.Info, CodeAttribution, p, nil, fmt.Sprintf("whose figure %q is, or what it counts, the text does not say beyond doubt: it is not taken", clip(digits)))
}

// negative says that a figure cannot be.
func (b *builder) negative(p evidence.Pointer, n *jsondoc.Node, m evidence.MetricID, digits string) {
	b.find(evidence.Warning, CodeNegative, p, n, fmt.Sprintf("%s of %s lies below zero: it is not taken", m, clip(digits)))
}

// maxExact are the digits that the decimal of a float64 can always give back.
const maxExact = 17

// precision says once how many figures have more digits than their value holds.
func (b *builder) precision() {
	count := 0
	var first evidence.Measurement
	for _, a := range b.arms {
		for _, r := range a.runs {
			for _, m := range r.Measurements {
				if overlong(m.SourceText) {
					if count++; count == 1 {
						first = m
					}
				}
			}
		}
	}
	if count > 0 {
		b.find(evidence.Info, CodePrecision, first.Place.Pointer, nil, fmt.Sprintf(
			"%d figures have more than %d digits, the first is %s: their values are the nearest float64", count, maxExact, clip(first.SourceText)))
	}
}

// overlong reports whether a figure, or an end of an interval, has digits that a
// float64 loses.
func overlong(text string) bool {
	for _, word := range strings.Fields(text) {
		word, _, _ = strings.Cut(strings.ToLower(word), "e")
		digits := strings.Map(func(c rune) rune {
			if c >= '0' && c <= '9' {
				return c
			}
			return -1
		}, word)
		if len(strings.Trim(digits, "0")) > maxExact {
			return true
		}
	}
	return false
}
