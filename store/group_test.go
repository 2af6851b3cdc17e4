package store

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
)

// grouped is one input of a small world.
type grouped struct {
	data, declared, stated string
	names                  []string // the data of what it names by digest
}

func (g grouped) reading() *evidence.Reading {
	digest := evidence.DigestOf([]byte(g.data))
	d := evidence.Document{Reader: "lab/x", ReaderVersion: 1, Campaign: evidence.Campaign{ID: g.stated}}
	if g.stated == "" {
		d.Campaign.ID = "undated-" + g.data + "-" + digest.String()[:8]
	}
	if d.Campaign.Own = d.Campaign.ID; g.declared != "" {
		d.Campaign.ID = g.declared
	}
	for i, n := range g.names {
		d.References = append(d.References, evidence.Reference{Name: n, SHA256: evidence.Some(evidence.DigestOf([]byte(n))), Kind: "evidence",
			Place: evidence.At(evidence.Pointer("").Index(i))})
	}
	return &evidence.Reading{State: evidence.Accepted, Documents: []evidence.Document{d}}
}

// TestGroupedByReference takes small worlds in, in every order: the campaigns are the
// same.
func TestGroupedByReference(t *testing.T) {
	own := func(data string) string {
		return "undated-" + data + "-" + evidence.DigestOf([]byte(data)).String()[:8]
	}
	for _, tt := range []struct {
		name  string
		world []grouped
		want  map[string]string
	}{
		{"stated", []grouped{{data: "summary", stated: "spring", names: []string{"run"}}, {data: "run"}}, map[string]string{"summary": "spring", "run": "spring"}},
		{"declared", []grouped{{data: "summary", declared: "autumn", names: []string{"run"}}, {data: "run"}}, map[string]string{"summary": "autumn", "run": "autumn"}},
		{"nobody is anchored", []grouped{{data: "summary", names: []string{"run"}}, {data: "run"}}, map[string]string{"summary": own("summary"), "run": own("run")}},
		{"no chain", []grouped{{data: "summary", stated: "spring", names: []string{"run"}}, {data: "run", names: []string{"log"}}, {data: "log"}},
			map[string]string{"summary": "spring", "run": "spring", "log": own("log")}},
		{"two", []grouped{{data: "b", stated: "b", names: []string{"run"}}, {data: "a", stated: "a", names: []string{"run"}}, {data: "run"}}, map[string]string{"a": "a", "b": "b", "run": "a"}},
		{"its own statement wins", []grouped{{data: "summary", stated: "spring", names: []string{"run"}}, {data: "run", stated: "winter"}}, map[string]string{"summary": "spring", "run": "winter"}},
		{"a declaration wins", []grouped{{data: "summary", stated: "spring", names: []string{"run"}}, {data: "run", declared: "winter"}}, map[string]string{"summary": "spring", "run": "winter"}},
		{"a circle", []grouped{{data: "a", stated: "spring", names: []string{"b"}}, {data: "b", names: []string{"a", "b"}}}, map[string]string{"a": "spring", "b": "spring"}},
	} {
		for n, order := range orders(len(tt.world)) {
			t.Run(fmt.Sprintf("%s %d", tt.name, n), func(t *testing.T) {
				a := openTemp(t)
				for _, i := range order {
					g := tt.world[i]
					declare(t, a, g)
				}
				if diff := cmp.Diff(tt.want, campaignsOf(t, a, tt.world)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// TestGroupFollowsMoves: what a document names follows it, and returns when the move
// is withdrawn.
func TestGroupFollowsMoves(t *testing.T) {
	a := openTemp(t)
	world := []grouped{{data: "summary", names: []string{"run"}}, {data: "run"}}
	for _, g := range world {
		declare(t, a, g)
	}
	before := campaignsOf(t, a, world)
	r, err := a.AddRepair(t.Context(), evidence.Repair{Kind: evidence.RepairMove, Target: evidence.DigestOf([]byte("summary")).String(), Value: "spring",
		Author: "ann", Reason: "belongs there", AtUS: 1})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"summary": "spring", "run": "spring"}, campaignsOf(t, a, world)); diff != "" {
		t.Error(diff)
	}
	if err := a.WithdrawRepair(t.Context(), r.ID, "ann", "no"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, campaignsOf(t, a, world)); diff != "" {
		t.Error(diff)
	}
}

// declare takes one input in, under its declared campaign.
func declare(t *testing.T, a *Archive, g grouped) {
	t.Helper()
	k, err := a.Keep(t.Context(), []evidence.Incoming{{Name: g.data, Origin: "file", Campaign: g.declared, Data: []byte(g.data)}})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Commit(t.Context(), []evidence.Result{{Kept: k[0], Reading: g.reading()}}); err != nil {
		t.Fatal(err)
	}
}

func campaignsOf(t *testing.T, a *Archive, world []grouped) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, g := range world {
		row, err := a.FindArtifact(t.Context(), evidence.DigestOf([]byte(g.data)).String())
		if err != nil {
			t.Fatal(err)
		}
		out[g.data] = row.Campaign
	}
	return out
}

// orders are the orders of n things.
func orders(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var out [][]int
	for _, rest := range orders(n - 1) {
		for at := range n {
			order := append(append(append([]int{}, rest[:at]...), n-1), rest[at:]...)
			out = append(out, order)
		}
	}
	return out
}
