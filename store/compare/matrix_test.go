package compare

import (
	"fmt"
	"math"
	"testing"

	"assay/store/evidence"
)

// campaign is two checkpoints x two TP x two MTP at one context, and TP 2 alone at a
// larger one. Rates are 10 * tp + 5 when speculating.
func campaign() []evidence.RunRow {
	var out []evidence.RunRow
	for _, ck := range []string{"bf16", "fp8"} {
		for _, context := range []string{"393216", "600000"} {
			for _, tp := range []string{"1", "2"} {
				if context == "600000" && tp == "1" {
					continue
				}
				for _, mtp := range []string{"0", "3"} {
					r := testRun(fmt.Sprintf("%s-%s-%s-%s", ck, context, tp, mtp), map[evidence.FactKey]string{
						evidence.KeyCheckpoint: ck, evidence.KeyModelRevision: ck, evidence.KeyServedContext: context, evidence.KeyTP: tp,
						evidence.KeyMTPDepth: mtp, evidence.KeyGPUCount: tp,
					})
					v := 10.0
					if tp == "2" {
						v = 20
					}
					if mtp == "3" {
						v += 5
					}
					r.Measurements[0].Value = evidence.Some(v)
					out = append(out, r)
				}
			}
		}
	}
	return out
}

func TestMatrixLayout(t *testing.T) {
	m := BuildMatrix(campaign(), TPxMTP(evidence.ClassShort, evidence.DecodeRate, evidence.P50))
	if len(m.Rows) != 4 || fmt.Sprint(m.Groups) != "[1 2]" || fmt.Sprint(m.Cols) != "[0 3]" {
		t.Fatalf("rows %d, groups %v, cols %v", len(m.Rows), m.Groups, m.Cols)
	}
	if m.Counts[CellMeasured] != 12 || m.Counts[CellNotRun] != 4 {
		t.Errorf("counts %v", m.Counts)
	}
	row := m.Rows[0]
	if fmt.Sprint(row.Keys) != "[bf16 393216]" {
		t.Errorf("first row %v", row.Keys)
	}
	mtp := row.Col[0][0].Effect
	if mtp == nil || !mtp.Change.OK || math.Abs(mtp.Change.V-0.5) > 1e-12 || mtp.Better != "better" {
		t.Errorf("MTP effect at TP 1: %+v", mtp)
	}
	tp := row.Group[0][1].Effect
	if tp == nil || math.Abs(tp.Change.V-(25.0/15-1)) > 1e-12 {
		t.Errorf("TP effect at MTP 3: %+v", tp)
	}
	hole := m.Rows[1]
	if hole.Cells[0][0].State != CellNotRun || hole.Col[0][0].Missing != "both" || hole.Group[0][0].Missing != "control" {
		t.Errorf("row without TP 1: %+v", hole)
	}
	if s := row.Cells[0][0].Shade; s != 1 {
		t.Errorf("lowest rate has shade %d", s)
	}
	if s := row.Cells[1][1].Shade; s != 5 {
		t.Errorf("highest rate has shade %d", s)
	}
}

func TestMatrixSeveralAndSingle(t *testing.T) {
	runs := campaign()
	again := runs[0]
	again.ID = "again"
	m := BuildMatrix(append(runs, again), TPxMTP(evidence.ClassShort, evidence.DecodeRate, evidence.P50))
	c := m.Rows[0].Cells[0][0]
	if c.State != CellSeveral || len(c.Runs) != 2 || c.Run != nil {
		t.Errorf("two runs of one cell: %+v", c.State)
	}
	if m.Rows[0].Col[0][0].Effect != nil {
		t.Error("an effect was formed against an ambiguous control")
	}
	one := campaign()
	for i := range one {
		one[i].Measurements[0].N = evidence.Some(int64(1))
	}
	m = BuildMatrix(one, TPxMTP(evidence.ClassShort, evidence.DecodeRate, evidence.P50))
	c = m.Rows[0].Cells[0][0]
	if c.State != CellSingle || c.Shade != 0 {
		t.Errorf("one observation: %s, shade %d", c.State, c.Shade)
	}
	if e := m.Rows[0].Col[0][0].Effect; e == nil || e.Better != "" || !e.Single {
		t.Errorf("one observation was judged: %+v", e)
	}
}

func TestMatrixBlockedEffect(t *testing.T) {
	runs := campaign()
	for i := range runs {
		if f, _ := runs[i].Fact(evidence.KeyMTPDepth); f.Value == "3" {
			for j := range runs[i].Facts {
				if runs[i].Facts[j].Key == evidence.KeyConcurrency {
					runs[i].Facts[j].Value = "8"
				}
			}
		}
	}
	m := BuildMatrix(runs, TPxMTP(evidence.ClassShort, evidence.DecodeRate, evidence.P50))
	e := m.Rows[0].Col[0][0].Effect
	if e == nil || e.Verdict != Blocked || e.Change.OK || e.Left.Value.OK || e.Right.Value.OK {
		t.Errorf("a blocked effect carries numbers: %+v", e)
	}
	for _, row := range m.Rows {
		for _, g := range row.Cells {
			for _, c := range g {
				if c.Shade != 0 {
					t.Fatal("cells that may not be compared are shaded on one scale")
				}
			}
		}
	}
}

func TestMatrixNoSpeculationControl(t *testing.T) {
	var runs []evidence.RunRow
	for _, r := range campaign() {
		if f, _ := r.Fact(evidence.KeyMTPDepth); f.Value == "0" {
			for j := range r.Facts {
				if r.Facts[j].Key == evidence.KeyMTPDepth {
					r.Facts[j].Value = "5"
				}
			}
		}
		runs = append(runs, r)
	}
	m := BuildMatrix(runs, TPxMTP(evidence.ClassShort, evidence.DecodeRate, evidence.P50))
	if c := m.Rows[0].Col[0][0]; c.Effect != nil || !c.NotApplicableBase {
		t.Errorf("MTP 5 against MTP 3 was called an MTP effect: %+v", c)
	}
}

func TestIntervalEffect(t *testing.T) {
	control, arm := testRun("control", nil), testRun("arm", map[evidence.FactKey]string{evidence.KeyGPUCount: "2"})
	m := &arm.Measurements[4]
	m.Value, m.Lower, m.Upper = evidence.None[float64](), evidence.Some(700.0), evidence.Some(720.0)
	e := EffectOf(&control, &arm, Question{Metric: evidence.OutputThroughput, Stat: evidence.Total})
	if e.Change.OK || !e.Low.OK || math.Abs(e.Low.V-0.75) > 1e-12 || math.Abs(e.High.V-0.8) > 1e-12 || e.Better != "better" {
		t.Errorf("interval against a point: %+v", e)
	}
}

func TestGains(t *testing.T) {
	layout := TPxMTP("", "", "")
	have := Choices(campaign(), layout)
	cols := GainColumns(have)
	g := BuildGains(campaign(), cols, layout)
	if len(g.Lines) != 6 {
		t.Fatalf("%d lines", len(g.Lines))
	}
	for _, l := range g.Lines {
		if l.ControlOf != "0" || l.Of != "3" || len(l.Effects) != len(cols) {
			t.Errorf("line %+v", l)
		}
	}
	if !HasMatrix(campaign(), layout) || HasMatrix(campaign()[:1], layout) {
		t.Error("HasMatrix")
	}
}

func TestShadeStep(t *testing.T) {
	for _, c := range []struct {
		v     float64
		lower bool
		want  int
	}{{0, false, 1}, {100, false, 5}, {0, true, 5}, {100, true, 1}, {50, false, 3}, {19.9, false, 1}, {20, false, 2}} {
		if got := shadeStep(c.v, 0, 100, c.lower); got != c.want {
			t.Errorf("shadeStep(%v, lower %v) = %d, want %d", c.v, c.lower, got, c.want)
		}
	}
	if shadeStep(3, 3, 3, false) != 3 {
		t.Error("one value must take the middle step")
	}
}

func TestMatrixUnfinishedRuns(t *testing.T) {
	for status, want := range map[evidence.RunStatus]CellState{
		evidence.RunFailed: CellFailed, evidence.NotRun: CellNotRun, evidence.RunUnresolved: CellOpen,
	} {
		runs := campaign()
		runs[0].Status = status // its figures stay
		m := BuildMatrix(runs, TPxMTP(evidence.ClassShort, evidence.DecodeRate, evidence.P50))
		row := m.Rows[0]
		if c := row.Cells[0][0]; c.State != want || c.Measurement.Value.OK || c.Shade != 0 {
			t.Errorf("%s: cell %+v", status, c)
		}
		if e := row.Col[0][0]; e.Effect != nil || e.Missing != "control" {
			t.Errorf("%s: an effect against it: %+v", status, e)
		}
		e := EffectOf(&runs[0], &runs[1], Question{Metric: evidence.DecodeRate, Stat: evidence.P50})
		if e.Verdict != Blocked || verdictOf(e.Judgement, "M-FAILED-LATENCY") != Blocked || e.Change.OK {
			t.Errorf("%s: judged %s: %v", status, e.Verdict, rules(e.Judgement))
		}
	}
}

func TestConflictAndExternal(t *testing.T) {
	a, b := testRun("a", nil), testRun("b", nil)
	b.Measurements[1].State = evidence.Conflict
	if j := Judge(&a, &b, Question{Metric: evidence.E2E, Stat: evidence.P50}); j.Verdict != Unknown {
		t.Errorf("a figure in conflict is %s", j.Verdict)
	}
	c := testRun("c", nil)
	c.Status = evidence.External
	if j := Judge(&a, &c, Question{Metric: evidence.E2E, Stat: evidence.P50}); verdictOf(j, "P-EXTERNAL") != Blocked {
		t.Errorf("an external figure: %v", rules(j))
	}
}
