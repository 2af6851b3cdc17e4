package review_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/ingest"
	"assay/ingest/anvil/lift/lifttest"
	"assay/store/evidence"
	"assay/store/review"
	"assay/store/signoff"
)

// seedGates are the answers of the default policy for arms of the seeds, by hand: the
// state of each gate, in the order of the policy, and of the gates that only the source
// has. A star is a gate that stops a promotion.
var seedGates = []struct {
	campaign, arm string
	states        string
}{
	{"2026-09-04-qwen38-27b-pro6000-possibility", "SGLang Inferact DFlash2 K12 chunk1K TP1", `
functional passed
tools missing*
canaries unresolved*
memory-reserve missing*
quality missing*
routed missing*
client missing*
endurance missing*
telemetry missing*
digest-pinned passed
licence missing*
rollback missing*
restoration passed
source-tp2 failed
source-long-context-concurrency unresolved*`},
	{"2026-09-04-qwen38-27b-pro6000-possibility", "SGLang Inferact DFlash2 K12 chunk1K TP2", `
functional missing*
tools missing*
canaries unresolved*
memory-reserve missing*
quality missing*
routed missing*
client missing*
endurance missing*
telemetry missing*
digest-pinned passed
licence missing*
rollback missing*
restoration passed
source-tp2 failed*
source-long-context-concurrency unresolved*`},
	{"", "bf16 TP1 MTP0 393,216", `
functional missing*
tools missing*
canaries missing*
memory-reserve missing*
quality missing*
routed missing*
client missing*
endurance missing*
telemetry missing*
digest-pinned passed
licence missing*
rollback missing*
restoration passed`},
	{"2026-09-03-qwen38-ninfer-nvfp4-rtx5090", "MTP3", `
functional passed
tools failed*
canaries missing*
memory-reserve failed*
quality unresolved*
routed missing*
client missing*
endurance missing*
telemetry missing*
digest-pinned missing*
licence missing*
rollback missing*
restoration passed`},
	{"2026-09-03-qwen38-ninfer-nvfp4-rtx5090", "no-spec", `
functional passed
tools failed*
canaries missing*
memory-reserve unresolved*
quality unresolved*
routed missing*
client missing*
endurance missing*
telemetry missing*
digest-pinned missing*
licence missing*
rollback missing*
restoration passed`},
}

func TestSeedGates(t *testing.T) {
	b := newBench(t)
	campaigns := b.seeds()
	for _, want := range seedGates {
		campaign := want.campaign
		for _, c := range campaigns {
			if campaign == "" && strings.Contains(c, "context-matrix") {
				campaign = c
			}
		}
		g, err := b.desk.Survey(b.ctx, review.Query{Campaign: campaign, Candidate: want.arm, Target: signoff.Promotion})
		b.ok(err)
		var got strings.Builder
		for _, x := range g.Gates {
			fmt.Fprintf(&got, "\n%s %s", x.ID, x.State)
			if x.Stops() {
				got.WriteByte('*')
			}
			if x.State != signoff.GateMissing && len(x.Sources) == 0 || x.Says == "" || x.Want == "" || x.Clear == "" || x.Rule == "" {
				t.Errorf("%s: %+v", want.arm, x)
			}
		}
		if d := cmp.Diff(want.states, got.String()); d != "" {
			t.Errorf("%s (-want +got)\n%s", want.arm, d)
		}
	}
}

// TestSeedReserve: the floor that the campaign set for itself passed, the ordinary reserve
// did not, and both are said; three refused tools are three of twenty.
func TestSeedReserve(t *testing.T) {
	b := newBench(t)
	b.seeds()
	g, err := b.desk.Survey(b.ctx, review.Query{Campaign: "2026-09-03-qwen38-ninfer-nvfp4-rtx5090", Candidate: "MTP3", Target: signoff.Challenger})
	b.ok(err)
	for _, x := range g.Gates {
		switch x.ID {
		case "memory-reserve":
			for _, want := range []string{"ordinary 3 GiB reserve: 2354 MiB free, and at least 3 GiB is asked for", "campaign VRAM floor: 2354 MiB free", "\"passed\", for a narrower bound"} {
				if !strings.Contains(x.Says, want) {
					t.Errorf("%q is not said: %s", want, x.Says)
				}
			}
			if len(x.Sources) < 3 || x.Sources[0].Pointer != "/gates/7" {
				t.Errorf("sources %v", x.Sources)
			}
		case "tools":
			if !strings.Contains(x.Says, "17 of 20") || !x.Stops() {
				t.Errorf("%+v", x)
			}
		case "quality":
			if x.Stops() || x.Required {
				t.Errorf("a challenger needs no %s", x.ID)
			}
		}
	}
}

// TestCorpusGates asks the default policy about every arm of the shared evidence. Nothing
// in it may serve: no campaign there has all that a promotion needs.
func TestCorpusGates(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the whole corpus in")
	}
	dir := lifttest.Shared(t)
	b := newBench(t)
	_, err := ingest.Take(b.ctx, b.archive, []ingest.Source{ingest.Path(filepath.Join(dir, "corpus"))}, ingest.Options{Now: b.now})
	b.ok(err)
	docs := map[string][]evidence.DocumentDetail{}
	b.ok(b.archive.EachDocument(b.ctx, evidence.Filter{}, func(d evidence.DocumentDetail) error {
		docs[d.Campaign.ID] = append(docs[d.Campaign.ID], d)
		return nil
	}))
	policy, asked := signoff.Default(), 0
	states := map[string]map[signoff.GateState]int{}
	for campaign, list := range docs {
		arms := map[string][]*evidence.RunRow{}
		for i := range list {
			for k := range list[i].RunRows {
				r := &list[i].RunRows[k]
				arms[r.ArmID] = append(arms[r.ArmID], r)
			}
		}
		for arm, runs := range arms {
			for _, target := range signoff.Targets {
				asked++
				if stops := tally(states, policy.Judge(signoff.Evidence{Documents: list, Candidate: runs}, target)); stops == 0 {
					t.Errorf("%s: nothing keeps %s (%s) from %s", campaign, arm, runs[0].Arm, target)
				}
			}
		}
	}
	if asked < 500 {
		t.Errorf("%d questions asked", asked)
	}
	for _, g := range policy.Gates {
		t.Logf("%s %v", g.ID, states[g.ID])
	}
}

func tally(states map[string]map[signoff.GateState]int, gates []signoff.GateResult) (stops int) {
	for _, x := range gates {
		if states[x.ID] == nil {
			states[x.ID] = map[signoff.GateState]int{}
		}
		states[x.ID][x.State]++
		if x.Stops() {
			stops++
		}
	}
	return stops
}
