package compare

import (
	"math"
	"testing"

	"assay/store/evidence"
)

// gridRun is a run at TP and MTP depth with a throughput.
func gridRun(tp, mtp string, throughput float64, change map[evidence.FactKey]string) evidence.RunRow {
	all := map[evidence.FactKey]string{evidence.KeyTP: tp, evidence.KeyGPUCount: tp, evidence.KeyMTPDepth: mtp, evidence.KeyLane: ""}
	for k, v := range change {
		all[k] = v
	}
	r := testRun("tp"+tp+"-mtp"+mtp, all)
	r.Campaign = "grid"
	for i := range r.Measurements {
		if r.Measurements[i].Metric == evidence.OutputThroughput {
			r.Measurements[i].Value = evidence.Some(throughput)
		}
	}
	return r
}

var tpByMTP = GridSpec{Rows: evidence.KeyTP, Cols: evidence.KeyMTPDepth, Figure: Figure{evidence.OutputThroughput, evidence.Total}}

func TestGrid(t *testing.T) {
	runs := []evidence.RunRow{gridRun("1", "0", 100, nil), gridRun("1", "3", 200, nil), gridRun("2", "0", 150, nil), gridRun("2", "3", 240, nil)}
	g := BuildGrid(runs, tpByMTP)
	if len(g.RowValues) != 2 || len(g.ColValues) != 2 || g.Cells[1][1].State != CellMeasured {
		t.Fatalf("%v x %v", g.RowValues, g.ColValues)
	}
	mtp, tp := g.ColEffects[1][1], g.RowEffects[1][1]
	if !mtp.Verdict.Shows() || math.Abs(mtp.Change.V-0.6) > 1e-12 {
		t.Errorf("MTP at TP 2: %s %v", mtp.Verdict, mtp.Change)
	}
	if !tp.Verdict.Shows() || math.Abs(tp.Change.V-0.2) > 1e-12 || math.Abs(tp.Efficiency.V-0.6) > 1e-12 {
		t.Errorf("TP at MTP 3: %s %v, efficiency %v", tp.Verdict, tp.Change, tp.Efficiency)
	}
	// MTP doubles at TP 1 and gives 1.6 at TP 2: together a fifth less.
	if !g.Crossed[1][1].OK || math.Abs(g.Crossed[1][1].V+0.2) > 1e-12 {
		t.Errorf("interaction %v", g.Crossed[1][1])
	}
	if g.Cells[0][1].Shade == 0 {
		t.Error("cells that may all be compared are not shaded")
	}
}

func TestGridHolesAndStops(t *testing.T) {
	failed := gridRun("2", "0", 0, nil)
	failed.Status = evidence.RunFailed
	outside := gridRun("2", "3", 500, nil)
	outside.Status = evidence.External
	runs := []evidence.RunRow{gridRun("1", "0", 100, nil), gridRun("1", "3", 200, nil), failed, outside, gridRun("4", "0", 300, nil), gridRun("", "0", 1, nil)}
	g := BuildGrid(runs, tpByMTP)
	for _, c := range []struct {
		row, col int
		want     CellState
	}{{0, 0, CellMeasured}, {1, 0, CellFailed}, {1, 1, CellExternal}, {2, 0, CellMeasured}, {2, 1, CellNotRun}} {
		if got := g.Cells[c.row][c.col].State; got != c.want {
			t.Errorf("cell %d, %d is %s, want %s", c.row, c.col, got, c.want)
		}
	}
	if e := g.RowEffects[1][1]; e.Verdict.Shows() || e.Change.OK {
		t.Errorf("a published figure is compared with ours: %s %v", e.Verdict, e.Change)
	}
	if g.Crossed[1][1].OK || g.Crossed[2][0].OK {
		t.Error("an interaction without four figures")
	}
	if len(g.Unplaced) != 1 || g.Unplaced[0].Missing != evidence.KeyTP {
		t.Errorf("unplaced %+v", g.Unplaced)
	}
}

// TestGridConfounded: a second factor that moves along is named.
func TestGridConfounded(t *testing.T) {
	runs := []evidence.RunRow{gridRun("1", "0", 100, nil), gridRun("1", "3", 200, map[evidence.FactKey]string{evidence.KeyQuantisation: "nvfp4", evidence.KeyKVDtype: "bf16"})}
	g := BuildGrid(runs, tpByMTP)
	e := g.ColEffects[0][1]
	if len(e.Confounded) != 1 || e.Confounded[0] != evidence.KeyKVDtype {
		t.Errorf("confounded by %v, want the KV dtype (the quantisation is recorded on one side only)", e.Confounded)
	}
	two := append(runs, gridRun("1", "3", 300, map[evidence.FactKey]string{evidence.KeyKVDtype: "fp8"}))
	g = BuildGrid(two, tpByMTP)
	if c := g.Cells[0][1]; c.State != CellSeveral || c.Value.Recorded || len(c.Apart) == 0 {
		t.Errorf("two arms in one place: %s, apart in %v", c.State, c.Apart)
	}
}

func TestGridsSplit(t *testing.T) {
	var runs []evidence.RunRow
	for _, c := range []string{"fp8", "bf16"} {
		for _, mtp := range []string{"0", "3"} {
			runs = append(runs, gridRun("1", mtp, 100, map[evidence.FactKey]string{evidence.KeyCheckpoint: c}))
		}
	}
	if g := BuildGrid(runs, tpByMTP); g.Cells[0][0].State != CellSeveral {
		t.Fatalf("two checkpoints in one place: %s", g.Cells[0][0].State)
	}
	grids := BuildGrids(runs, tpByMTP, []evidence.FactKey{evidence.KeyCheckpoint})
	if len(grids) != 2 || grids[0].Held[0].Value != "bf16" || grids[0].Cells[0][1].State != CellMeasured {
		t.Errorf("%d grids", len(grids))
	}
}
