package compare

import (
	"testing"

	"assay/store/evidence"
)

// loaded is a run of an arm at a concurrency with throughput and TTFT.
func loaded(arm, conc string, throughput, ttft float64, change map[evidence.FactKey]string) *evidence.RunRow {
	all := map[evidence.FactKey]string{evidence.KeyConcurrency: conc, evidence.KeyRequests: conc + "0", evidence.KeyMTPDepth: arm}
	for k, v := range change {
		all[k] = v
	}
	r := testRun("mtp"+arm+"-c"+conc, all)
	r.Campaign = "ladder"
	for i := range r.Measurements {
		switch m := &r.Measurements[i]; m.Metric {
		case evidence.OutputThroughput:
			m.Value = evidence.Some(throughput)
		case evidence.TTFT:
			m.Value = evidence.Some(ttft)
		}
	}
	return &r
}

var trade = FrontierSpec{
	Y: Figure{evidence.OutputThroughput, evidence.Total}, X: Figure{evidence.TTFT, evidence.P50}, PerCard: true,
}

func TestFrontier(t *testing.T) {
	runs := []*evidence.RunRow{
		loaded("0", "1", 100, 0.5, nil), loaded("0", "4", 300, 1.0, nil), loaded("0", "8", 280, 1.9, nil),
		loaded("3", "1", 150, 0.4, nil), loaded("3", "4", 290, 0.9, nil),
		loaded("3", "8", 999, 0.1, map[evidence.FactKey]string{evidence.KeyThinking: "enabled"}),
	}
	f := BuildFrontier(runs, trade)
	if len(f.Groups) != 2 || len(f.Groups[0].Points) != 5 || len(f.Groups[1].Points) != 1 {
		t.Fatalf("groups of %d and more; thinking on and off may not mix", len(f.Groups[0].Points))
	}
	want := map[string]bool{"mtp3-c1": true, "mtp3-c4": true, "mtp0-c4": true, "mtp0-c1": false, "mtp0-c8": false}
	for _, p := range f.Groups[0].Points {
		if p.Pareto != want[p.Run.ID] {
			t.Errorf("%s on the frontier: %v", p.Run.ID, p.Pareto)
		}
	}
	if len(f.Groups[0].Curves) != 2 || len(f.Groups[0].Curves[0])+len(f.Groups[0].Curves[1]) != 5 {
		t.Errorf("curves %v", f.Groups[0].Curves)
	}
	for _, fact := range f.Groups[0].Shape {
		if fact.Key == evidence.KeyConcurrency || fact.Key == evidence.KeyRequests {
			t.Errorf("the group is named by %s, which its ladder changes", fact.Key)
		}
	}
}

// TestFrontierNeverRanks: what may not win has no place on the frontier.
func TestFrontierNeverRanks(t *testing.T) {
	rejected := loaded("3", "4", 900, 0.1, nil)
	rejected.Rejected = "wrong answers"
	one := loaded("4", "4", 800, 0.2, nil)
	for i := range one.Measurements {
		one.Measurements[i].N = evidence.Some(int64(1))
	}
	failed := loaded("5", "4", 999, 0.05, nil)
	failed.Status = evidence.RunFailed
	f := BuildFrontier([]*evidence.RunRow{loaded("0", "4", 300, 1, nil), rejected, one, failed}, trade)
	for _, g := range f.Groups {
		for _, p := range g.Points {
			if p.Pareto != (p.Run.ID == "mtp0-c4") {
				t.Errorf("%s on the frontier: %v", p.Run.ID, p.Pareto)
			}
		}
	}
	if len(f.Left) != 1 || f.Left[0].Run != failed {
		t.Errorf("left out: %+v", f.Left)
	}
}

func TestFrontierPerCard(t *testing.T) {
	two := loaded("0", "4", 300, 1, map[evidence.FactKey]string{evidence.KeyGPUCount: "2"})
	none := loaded("0", "8", 300, 1, map[evidence.FactKey]string{evidence.KeyGPUCount: ""})
	f := BuildFrontier([]*evidence.RunRow{two, none}, trade)
	if len(f.Groups) != 1 || f.Groups[0].Points[0].Y != 150 || f.Groups[0].Points[0].Cards != 2 {
		t.Errorf("groups %+v", f.Groups)
	}
	if len(f.Left) != 1 {
		t.Errorf("a run without a number of cards has a place per card")
	}
}

func TestCurveOverContext(t *testing.T) {
	var runs []*evidence.RunRow
	for _, c := range []string{"8192", "4096", "16384"} {
		r := loaded("0", "1", 100, 1, map[evidence.FactKey]string{evidence.KeyContextTarget: c, evidence.KeyPromptTokens: c})
		r.ID += c
		runs = append(runs, r)
	}
	f := BuildFrontier(runs, FrontierSpec{Y: Figure{evidence.TTFT, evidence.P50}, Along: evidence.KeyContextTarget})
	if len(f.Groups) != 1 || len(f.Groups[0].Points) != 3 || f.Groups[0].Points[0].X != 4096 {
		t.Fatalf("%+v", f.Groups)
	}
	for _, p := range f.Groups[0].Points {
		if p.Pareto {
			t.Error("a curve has no Pareto set")
		}
	}
}
