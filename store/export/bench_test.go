package export_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"assay/store/evidence"
	"assay/store/export"
)

// benchLine is what readers of the Go benchmark format take: unit metadata,
// configuration (a lower-case key without spaces), a result, or a line they skip.
var benchLine = regexp.MustCompile(`^(Unit \S+ better=(higher|lower)|[a-z][^\sA-Z:]*:( \S.*)?|Benchmark[A-Z]\S* [1-9]\d* -?[0-9.]+ [A-Za-z][\w/-]*|#.*)$`)

func benchRun(id string, facts map[evidence.FactKey]string, edit func(*evidence.MeasurementRow)) evidence.RunRow {
	m := measurement(edit)
	m.Run = id
	r := evidence.RunRow{Source: source, ID: id, Campaign: m.Campaign, Arm: m.Arm, Class: evidence.ClassShort, Status: evidence.Measured, Measurements: []evidence.MeasurementRow{m}}
	for k, v := range facts {
		r.Facts = append(r.Facts, evidence.FactRow{Source: source, Fact: evidence.Fact{Key: k, Value: v, State: evidence.Recorded}})
	}
	return r
}

func TestBenchRuns(t *testing.T) {
	long := strings.Repeat("long ", 300_000)
	got := write(t, export.Measurements, export.Bench, false, func(w *export.Writer) error {
		for _, r := range []evidence.RunRow{
			benchRun("r0", map[evidence.FactKey]string{evidence.KeyTP: "1", evidence.KeyMTPDepth: "0", evidence.KeyCheckpoint: "bf16", evidence.KeyCompleted: "10"}, nil),
			benchRun("r1", map[evidence.FactKey]string{evidence.KeyTP: "2", evidence.KeyCheckpoint: "bf16"}, nil),
			benchRun("r2", map[evidence.FactKey]string{"Odd Key:\n": "x\ny", evidence.KeyEngine: long}, func(m *evidence.MeasurementRow) {
				m.Arm, m.Metric, m.Stat, m.Unit = hostile, "kv_pool tokens", "p9 9", evidence.Bytes
			}),
			benchRun("r3", nil, func(m *evidence.MeasurementRow) { m.Role = evidence.Restated }),
		} {
			if err := w.Run(r); err != nil {
				return err
			}
		}
		return nil
	})
	for _, line := range bytes.Split(bytes.TrimSuffix(got, []byte("\n")), []byte("\n")) {
		if !benchLine.Match(line) || len(line) > 2000 {
			t.Errorf("%.200q is no line of the format", line)
		}
	}
	golden(t, "runs.bench", got)
}
