package export

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/store/evidence"
	"assay/store/evidence/mask"
)

// benchEncoder writes the Go benchmark format. Configuration lines hold until another
// line changes them, so each run writes only what differs from the run before it.
type benchEncoder struct {
	current []setting // in force, in the order written
	pending []setting // of the run entered last
	run     string
	private bool // private data stay as they are
	skipped struct{ intervals, restated, claims int64 }
}

type setting struct{ key, value string }

// benchUnits are the units as benchunit knows them ("sec" scales, "B" is binary).
var benchUnits = map[evidence.Unit]string{
	evidence.Seconds: "sec", evidence.Bytes: "B",
	evidence.TokensPerSecond: "tokens/sec", evidence.ChunksPerSecond: "chunks/sec", evidence.RequestsPerSec: "requests/sec",
}

// begin states the direction of the units that have only one.
func (*benchEncoder) begin(dst []byte) []byte {
	return append(dst, `Unit sec better=lower
Unit tokens/sec better=higher
Unit chunks/sec better=higher
Unit requests/sec better=higher
Unit J/token better=lower
`...)
}

// enter takes the facts of a run for the lines that follow.
func (e *benchEncoder) enter(run *evidence.RunRow) {
	covered := coverRun(run, e.private)
	r := &covered
	e.run = r.ID
	e.pending = append(e.pending[:0],
		setting{"campaign", r.Campaign}, setting{"arm", r.Arm}, setting{"class", r.Class}, setting{"rejected", r.Rejected})
	facts := slices.Clone(r.Facts)
	slices.SortStableFunc(facts, func(a, b evidence.FactRow) int { return cmp.Compare(a.Key, b.Key) })
	for i := range facts {
		if f := &facts[i]; f.State != evidence.Absent && configures(f.Key) {
			e.pending = append(e.pending, setting{configKey(string(f.Key)), f.Value})
		}
	}
	e.source(r.ID, r.Source)
}

func (e *benchEncoder) source(run string, s evidence.Source) {
	e.pending = append(e.pending,
		setting{"run", run}, setting{"artifact", s.Artifact.String()}, setting{"reader", s.Reader})
	for i := range e.pending {
		e.pending[i].value = configValue(e.pending[i].value)
	}
}

// configures reports whether a fact says what was measured, and how, rather than
// where the file came from or what came out.
func configures(k evidence.FactKey) bool {
	switch evidence.LookupKey(k).Class {
	case evidence.Outcome:
		return false
	case evidence.Provenance:
		return k == evidence.KeyPath || k == evidence.KeyLane || k == evidence.KeyScope
	}
	return true
}

func (e *benchEncoder) line(dst []byte, r *evidence.MeasurementRow) ([]byte, error) {
	switch {
	case r.Role == evidence.Restated:
		e.skipped.restated++
		return dst, nil
	case r.Role == evidence.Claim:
		e.skipped.claims++
		return dst, nil
	case !r.Value.OK:
		e.skipped.intervals++
		return dst, nil
	}
	if err := checkFinite([]Column{{Name: "value"}}, []Cell{Value(r.Value)}); err != nil {
		return dst, err
	}
	if r.Run != e.run {
		e.run = r.Run
		of := coverRun(&evidence.RunRow{Campaign: r.Campaign, Arm: r.Arm}, e.private)
		e.pending = append(e.pending[:0], setting{"campaign", of.Campaign}, setting{"arm", of.Arm})
		e.source(r.Run, r.Source)
	}
	dst = e.configure(dst)
	dst = fmt.Appendf(dst, "# %s %s at %s %s\n", configValue(mask.Secrets(r.SourceText)), configValue(r.SourceUnit), r.Artifact.Short(), configValue(mask.Secrets(string(r.Place.Pointer))))
	dst = append(dst, "Benchmark"...)
	dst = append(dst, benchName(string(r.Metric))...)
	dst = append(append(dst, "/stat="...), nameValue(string(r.Stat))...)
	if r.Method != "" {
		dst = append(append(dst, "/method="...), nameValue(string(r.Method))...)
	}
	n := int64(1)
	if r.N.OK && r.N.V > 0 {
		n = r.N.V
	}
	dst = append(dst, ' ')
	dst = strconv.AppendInt(dst, n, 10)
	dst = append(dst, ' ')
	dst = append(dst, evidence.FormatDecimal(r.Value.V)...)
	dst = append(dst, ' ')
	unit, ok := benchUnits[r.Unit]
	if !ok {
		unit = nameValue(string(r.Unit))
	}
	return append(append(dst, unit...), '\n'), nil
}

// configure writes the difference between the settings in force and the pending ones.
func (e *benchEncoder) configure(dst []byte) []byte {
	find := func(in []setting, key string) (string, bool) {
		for _, s := range in {
			if s.key == key && s.value != "" {
				return s.value, true
			}
		}
		return "", false
	}
	for _, old := range e.current {
		if _, ok := find(e.pending, old.key); !ok && old.value != "" {
			dst = append(append(dst, old.key...), ":\n"...)
		}
	}
	for _, s := range e.pending {
		if old, ok := find(e.current, s.key); s.value != "" && (!ok || old != s.value) {
			dst = append(append(append(append(dst, s.key...), ": "...), s.value...), '\n')
		}
	}
	e.current = append(e.current[:0], e.pending...)
	return dst
}

func (e *benchEncoder) end(dst []byte) []byte {
	s := e.skipped
	if s.intervals+s.restated+s.claims == 0 {
		return dst
	}
	return fmt.Appendf(dst, "# not in this format: %d intervals, %d restated figures, %d claims\n", s.intervals, s.restated, s.claims)
}

// benchName is a metric id in the form of a benchmark name: TpotIncl, DecodeRate.
func benchName(id string) string {
	var b strings.Builder
	up := true
	for _, r := range id {
		if r == '_' {
			up = true
			continue
		}
		if up {
			r = unicode.ToUpper(r)
		}
		up = false
		b.WriteRune(r)
	}
	return nameValue(b.String())
}

// nameValue keeps what may stand inside a benchmark name or unit.
func nameValue(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || r == utf8.RuneError {
			return '-'
		}
		return r
	}, s)
}

// configKey keeps what may stand in a configuration key.
func configKey(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || r == ':' || r == utf8.RuneError {
			return '_'
		}
		return unicode.ToLower(r)
	}, s)
	if r, _ := utf8.DecodeRuneInString(s); !unicode.IsLower(r) {
		return "x" + s
	}
	return s
}

// maxConfig bounds a configuration value: readers of the format read lines of 64 KiB.
const maxConfig = 256

// configValue is a text on one line. A longer one is cut and gets the start of its
// digest, so that two long values never look equal by their beginnings.
func configValue(s string) string {
	long := len(s) > maxConfig
	var sum [sha256.Size]byte
	if long {
		sum = sha256.Sum256([]byte(s))
		s = s[:maxConfig]
	}
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, ""), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || hidden(r)
	}), " ")
	if long {
		s += "... sha256:" + hex.EncodeToString(sum[:6])
	}
	return s
}

// BenchRuns writes the figures of runs that keep lets through in the Go benchmark format.
func BenchRuns(w io.Writer, runs []*evidence.RunRow, keep func(*evidence.MeasurementRow) bool) error {
	var e benchEncoder
	buf := e.begin(nil)
	var err error
	for _, r := range runs {
		e.enter(r)
		for i := range r.Measurements {
			m := &r.Measurements[i]
			if !keep(m) {
				continue
			}
			if buf, err = e.line(buf, m); err != nil {
				return err
			}
		}
	}
	_, err = w.Write(e.end(buf))
	return err
}
