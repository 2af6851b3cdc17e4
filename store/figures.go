package store

import (
	"encoding/json"
	"fmt"
	"math"

	"assay/store/evidence"
)

// form says what stands in value, lower and upper.
func form(m *evidence.Measurement) string {
	switch {
	case m.Value.OK:
		return "value"
	case m.Lower.OK && m.Upper.OK:
		return "interval"
	case m.Lower.OK:
		return "at-least"
	case m.Upper.OK:
		return "at-most"
	case notFinite[m.SourceText]:
		return "not-finite"
	default:
		return "absent"
	}
}

// notFinite are the words that real files write where a number is not finite.
var notFinite = map[string]bool{
	"NaN": true, "nan": true, "Infinity": true, "-Infinity": true, "+Infinity": true,
	"inf": true, "-inf": true, "+inf": true, "Inf": true, "-Inf": true, "+Inf": true,
}

func (f *flattening) measurement(runID int64, ordinal int, m *evidence.Measurement) error {
	f.metrics.add(string(m.Metric))
	if err := f.state(m.Place.Pointer, m.State); err != nil {
		return err
	}
	if err := word(f, m.Place.Pointer, "role", m.Role, evidence.Primary, evidence.Restated, evidence.Claim); err != nil {
		return err
	}
	for _, v := range []evidence.Opt[float64]{m.Value, m.Lower, m.Upper} {
		if err := f.finite(m.Place.Pointer, v); err != nil {
			return err
		}
	}
	also, err := alsoText(m.Also)
	if err != nil {
		return f.fault(m.Place.Pointer, "further places: %v", err)
	}
	return f.emit(measurementTable, runID, int64(ordinal), string(m.Metric), string(m.Stat), string(m.Method), form(m),
		null(m.Value), null(m.Lower), null(m.Upper), string(m.Unit), null(m.N), string(m.State), string(m.Role),
		m.SourceText, m.SourceUnit, m.Rule, string(m.Place.Pointer), int64(m.Place.Start), int64(m.Place.End), also)
}

func (f *flattening) sample(runID int64, ordinal int, s *evidence.Sample) error {
	for _, v := range []evidence.Opt[float64]{s.Start, s.TTFT, s.TTFO, s.Generation, s.E2E} {
		if err := f.finite(s.Place.Pointer, v); err != nil {
			return err
		}
	}
	ok := int64(0)
	if s.OK {
		ok = 1
	}
	return f.emit(sampleTable, runID, int64(ordinal), s.Index, null(s.Start), null(s.TTFT), null(s.TTFO), null(s.Generation),
		null(s.E2E), null(s.PromptTokens), null(s.OutputTokens), null(s.CachedTk), ok, s.Failure,
		string(s.Place.Pointer), int64(s.Place.Start), int64(s.Place.End))
}

// finite refuses what SQLite would quietly store as NULL or as an infinity.
func (f *flattening) finite(p evidence.Pointer, v evidence.Opt[float64]) error {
	if v.OK && (math.IsNaN(v.V) || math.IsInf(v.V, 0)) {
		return f.fault(p, "%v is %v", v.V, evidence.ErrNotFinite)
	}
	return nil
}

// null is an optional value as a column holds it.
func null[T any](v evidence.Opt[T]) any {
	if !v.OK {
		return nil
	}
	return v.V
}

// place is a further place as the column "also" holds it.
type place struct {
	Pointer evidence.Pointer `json:"pointer"`
	Start   int              `json:"start,omitempty"`
	End     int              `json:"end,omitempty"`
}

func alsoText(places []evidence.Place) (string, error) {
	if len(places) == 0 {
		return "", nil
	}
	list := make([]place, len(places))
	for i, p := range places {
		list[i] = place(p)
	}
	b, err := json.Marshal(list)
	return string(b), err
}

func readAlso(text string) ([]evidence.Place, error) {
	if text == "" {
		return nil, nil
	}
	var list []place
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("further places: %w", err)
	}
	places := make([]evidence.Place, len(list))
	for i, p := range list {
		places[i] = evidence.Place(p)
	}
	return places, nil
}
