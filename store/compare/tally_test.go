package compare

import (
	"testing"

	"assay/store/evidence"
)

func TestTallyRules(t *testing.T) {
	runs := []evidence.RunRow{testRun("a", nil), testRun("b", nil), testRun("c", map[evidence.FactKey]string{evidence.KeyConcurrency: "8"})}
	long := testRun("d", nil)
	long.Class = evidence.ClassLong
	got := TallyRules(append(runs, long))
	if got.Pairs != 3 || got.Bounded || len(got.Questions) != 1 {
		t.Fatalf("%+v", got)
	}
	var sum int64
	for _, n := range got.Verdicts {
		sum += n
	}
	if sum != 3 || got.Verdicts[Blocked] != 2 {
		t.Errorf("verdicts %v", got.Verdicts)
	}
	conc := got.Rules["W-CONC"]
	if conc == nil || conc.Stops != 2 || conc.Example != [2]string{"a", "c"} {
		t.Errorf("W-CONC %+v", conc)
	}
}
