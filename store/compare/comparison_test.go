package compare

import (
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/store/evidence"
)

// repeat is a run like another one, with its own id and a value of E2E.
func repeat(name string, i int, e2e float64, change map[evidence.FactKey]string) *evidence.RunRow {
	r := testRun(name, change)
	r.ID, r.Campaign = name+"-r"+strconv.Itoa(i), "campaign"
	for j := range r.Measurements {
		if r.Measurements[j].Metric == evidence.E2E {
			r.Measurements[j].Value = evidence.Some(e2e)
		}
	}
	return &r
}

func sixRepeats(name string, from float64, change map[evidence.FactKey]string) Repeats {
	var out Repeats
	for i := range 6 {
		out = append(out, repeat(name, i, from+0.01*float64(i), change))
	}
	return out
}

var e2e = []Figure{{Metric: evidence.E2E, Stat: evidence.P50}}

func TestGroupRepeats(t *testing.T) {
	a := sixRepeats("a", 2, nil)
	b := sixRepeats("b", 1, map[evidence.FactKey]string{evidence.KeyMTPDepth: "3"})
	all := slices.Concat(a, b)
	rand.New(rand.NewSource(1)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	groups := GroupRepeats(all)
	if len(groups) != 2 || len(groups[0]) != 6 || len(groups[1]) != 6 {
		t.Fatalf("%d groups", len(groups))
	}
	// What a run brings about may differ between repeats; what describes it may not.
	a[0].Facts = append(a[0].Facts, evidence.FactRow{Fact: evidence.Fact{Key: evidence.KeyCompleted, Value: "9", State: evidence.Recorded}})
	if got := len(GroupRepeats(a)); got != 1 {
		t.Errorf("an outcome splits repeats into %d groups", got)
	}
	a[0].Facts = append(a[0].Facts, evidence.FactRow{Fact: evidence.Fact{Key: evidence.KeyQuantisation, Value: "nvfp4", State: evidence.Recorded}})
	if got := len(GroupRepeats(a)); got != 2 {
		t.Errorf("another quantisation gives %d groups, want 2", got)
	}
}

func TestCompareOverRepeats(t *testing.T) {
	control := sixRepeats("control", 2, nil)
	arm := sixRepeats("arm", 1, map[evidence.FactKey]string{evidence.KeyMTPDepth: "3"})
	c := Compare(Spec{Figures: e2e, Axes: []evidence.FactKey{evidence.KeyMTPDepth}}, control, []Repeats{arm})
	cell := c.Arms[0].Cells[0]
	if !cell.Verdict.Shows() || cell.Value.Repeats != 6 || cell.Stat == nil || cell.Stat.Cliff != -1 {
		t.Fatalf("cell %+v", cell)
	}
	if cell.Better != "better" || cell.Change.V > -0.4 || !cell.Low.OK || cell.Low.V > cell.Change.V || cell.High.V < cell.Change.V {
		t.Errorf("change %v in %v to %v, %s", cell.Change, cell.Low, cell.High, cell.Better)
	}
	if len(cell.Value.Sources) != 6 {
		t.Errorf("a median over six repeats has %d sources", len(cell.Value.Sources))
	}
}

// TestCompareNeverShowsAStoppedPair: I3.
func TestCompareNeverShowsAStoppedPair(t *testing.T) {
	control := sixRepeats("control", 2, nil)
	for _, change := range []map[evidence.FactKey]string{{evidence.KeyConcurrency: "8"}, {evidence.KeyGPUProduct: ""}} {
		c := Compare(Spec{Figures: e2e}, control, []Repeats{sixRepeats("arm", 1, change)})
		cell := c.Arms[0].Cells[0]
		if cell.Verdict.Shows() || cell.Value.Recorded || cell.Change.OK || cell.Low.OK || cell.Stat != nil || cell.Better != "" {
			t.Errorf("%v: a stopped pair has numbers: %+v", change, cell)
		}
		if len(c.Arms[0].Reasons) == 0 {
			t.Errorf("%v: no reason", change)
		}
	}
}

// TestOneOddRepeatStopsTheArm: repeats given by hand are all judged.
func TestOneOddRepeatStopsTheArm(t *testing.T) {
	control := sixRepeats("control", 2, nil)
	arm := sixRepeats("arm", 1, nil)
	arm[4] = repeat("arm", 4, 1, map[evidence.FactKey]string{evidence.KeyOutputCap: "64"})
	c := Compare(Spec{Figures: e2e}, control, []Repeats{arm})
	if v := c.Arms[0].Cells[0].Verdict; v != Blocked {
		t.Errorf("verdict %s, want blocked", v)
	}
}

func TestSharedCaveatsStandOnce(t *testing.T) {
	control := sixRepeats("control", 2, nil)
	a := sixRepeats("a", 1, map[evidence.FactKey]string{evidence.KeyKVDtype: "bf16", evidence.KeyQuantisation: "nvfp4"})
	b := sixRepeats("b", 1, map[evidence.FactKey]string{evidence.KeyKVDtype: "bf16"})
	c := Compare(Spec{Figures: e2e}, control, []Repeats{a, b})
	for _, own := range [][]Reason{c.Arms[0].Reasons, c.Arms[1].Reasons} {
		for i := range own {
			for j := range c.Shared {
				if idOf(&own[i]) == idOf(&c.Shared[j]) {
					t.Errorf("%s is said twice", own[i].Rule)
				}
			}
		}
	}
	if len(c.Shared) == 0 {
		t.Error("nothing is shared by two arms with one residue")
	}
	if c.Facts[0].Key != evidence.KeyKVDtype && c.Facts[0].Key != evidence.KeyQuantisation {
		t.Errorf("the first fact is %s; what differs comes first", c.Facts[0].Key)
	}
	if c.Equal == 0 || c.Equal >= len(c.Facts) {
		t.Errorf("%d of %d facts are equal", c.Equal, len(c.Facts))
	}
}

func TestSpecDigest(t *testing.T) {
	s := Spec{Control: []string{"a"}, Arms: [][]string{{"b", "c"}}, Figures: e2e, Axes: []evidence.FactKey{evidence.KeyTP}}
	if !strings.Contains(s.Text(), "arm b+c\nfigure e2e:p50\naxis tp\n") {
		t.Errorf("text:\n%s", s.Text())
	}
	other := s
	other.Axes = nil
	if s.Digest() == other.Digest() {
		t.Error("two questions have one digest")
	}
	for _, bad := range []string{"", "ttft", "ttft:", "nothing:p50", "ttft:p51"} {
		if _, err := ParseFigure(bad); err == nil {
			t.Errorf("ParseFigure(%q) is no error", bad)
		}
	}
}

func BenchmarkCompareHundredArms(b *testing.B) {
	control := sixRepeats("control", 2, nil)
	var arms []Repeats
	for i := range MaxArms {
		arms = append(arms, sixRepeats("arm"+strconv.Itoa(i), 1, map[evidence.FactKey]string{evidence.KeyDraftDepth: strconv.Itoa(i)}))
	}
	figures := []Figure{{evidence.E2E, evidence.P50}, {evidence.TTFT, evidence.P50}, {evidence.DecodeRate, evidence.P50}, {evidence.OutputThroughput, evidence.Total}}
	for b.Loop() {
		Compare(Spec{Figures: figures}, control, arms)
	}
}
