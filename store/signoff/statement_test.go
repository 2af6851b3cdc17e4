package signoff

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
)

// ground is one with something in every part.
func ground() *Ground {
	d := evidence.DigestOf([]byte("one"))
	src := Source{Artifact: d, Pointer: "/gates/3", Text: "failed"}
	g := &Ground{
		Campaign: "2026-09-04-model-a", Title: "Model A on one card", Target: Promotion,
		Candidate: Arm{Name: "FP8", ArmID: "0123456789ab-a0", Runs: []string{"0123456789ab-r0", "0123456789ab-r1"}},
		Control:   evidence.Some(Arm{Name: "BF16", ArmID: "0123456789ab-a1", Runs: []string{"0123456789ab-r2"}}),
		Back:      evidence.Some(Arm{Name: "BF16", ArmID: "0123456789ab-a1"}), BackNote: "3 runs.",
		Ruleset: 3, Policy: PolicyRef{Name: "default", Version: 2, Digest: strings.Repeat("ab", 32)}, TwoPeople: true, MaxAgeDays: 90, LogSize: 12,
		Readers:   []string{"anvil/decision-summary@1"},
		Artifacts: []ArtifactUse{{Digest: d, Name: "summary.json", Uses: []string{"candidate", "gates"}}},
		Repairs:   []RepairUse{{ID: 4, Text: "gpu_product is H200", Author: "ada"}},
		Comparison: evidence.Some(Comparison{Spec: "assay comparison v1\nruleset 3\ncontrol a\narm b\nfigure ttft:p50\n", SpecDigest: strings.Repeat("cd", 32), ExportDigest: strings.Repeat("ef", 32),
			Counts:  map[string]int{"ok": 1, "blocked": 1},
			Figures: []FigureLine{{Figure: "ttft:p50", Verdict: "ok", Left: "2 s", Right: "1 s", Change: "-50.0 %", Better: "better"}, {Figure: "wer:mean", Verdict: "blocked", Reasons: []string{"M-CLASS"}}}}),
		Gates: []GateResult{
			{ID: "tools", Title: "tools 20 of 20", Required: true, State: GateFailed, Says: "17 of 20", Quoted: "failed", Sources: []Source{src}},
			{ID: "licence", Title: "licence review", Required: true, State: GateWaived, By: "grace", Reason: "own model"},
			{ID: "restoration", Title: "restoration", State: GatePassed},
		},
		Limitations:    []Remark{{Text: "Only one card was used.", Source: src}, {Text: "Only one card was used.", Source: src}},
		Failures:       []Remark{{Text: "Three requests were refused.", Source: src}},
		Contradictions: []Contradiction{{Campaign: "other", Says: "TTFT differs"}},
		Claims:         ClaimsCheck{Holds: 5, Wrong: 1},
		NotTested:      []string{"No route was tested."},
		SourceSays:     []Remark{{Text: "promotion_authorized: false"}},
		Waivers:        []int64{7}, Retained: 3, References: 4,
	}
	g.Sort()
	return g
}

func draft(g *Ground) *Draft {
	d := &Draft{ID: 1, Campaign: g.Campaign, Target: g.Target, Decision: Promote, Scope: "chat", Reason: "faster", Preparer: "ada", ChangedUS: 1_790_000_000_000_000}
	for _, i := range g.Items() {
		d.Acks = append(d.Acks, Ack{Item: i.ID, Reason: "seen", AtUS: 1_790_000_000_000_001})
	}
	return d
}

func TestStatementRoundTrip(t *testing.T) {
	g := ground()
	s := NewStatement(g, draft(g), "grace", "note", "grace+0badcafe", 1_790_000_000_000_002)
	text := s.Text()
	for _, want := range []string{
		"assay-statement/v1\ndecision: promote\ntarget: promotion\n", "\ngate: failed required tools\ngate-says: 17 of 20\n",
		"\ngate-waived-by: grace\n", "\nfigure: wer:mean blocked\npublished-", "\nexploratory-waiver: 7\n", "\ntime: 2026-09-21T14:13:20.000002Z\n",
		"\nverdicts: ok 1, caveat 0, unknown 0, blocked 1\n", "\nfigure-says: 1 s against 2 s, change -50.0 %, better\n",
	} {
		if want = strings.ReplaceAll(want, "blocked\npublished-", "blocked\n"); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	got, err := ParseStatement(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s, got); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(NewStatement(g, draft(g), "grace", "note", "k", 1).Text(), "wer:mean blocked\nfigure-says") {
		t.Error("a blocked figure has a value in the statement")
	}
}

// TestStatementOneMeaning: no change of a byte leaves a statement that reads as one and is
// the same, and nothing that a source says can add a line or pose as another key.
func TestStatementOneMeaning(t *testing.T) {
	g := ground()
	s := NewStatement(g, draft(g), "grace", "note", "grace+0badcafe", 1)
	text := s.Text()
	for i := range text {
		for _, c := range []byte{text[i] ^ 1, text[i] ^ 0x20, '\n', ' '} {
			changed := text[:i] + string(c) + text[i+1:]
			if changed == text {
				continue
			}
			if got, err := ParseStatement(changed); err == nil && cmp.Equal(got, s) {
				t.Fatalf("byte %d may be %q as well", i, c)
			}
		}
	}
	for _, cut := range []string{text[:len(text)-1], text + "\n", text + "time: x\n", "\ufeff" + text, strings.Replace(text, "\n", "\r\n", 1), strings.Replace(text, "decision: promote\ntarget: promotion\n", "target: promotion\ndecision: promote\n", 1)} {
		if _, err := ParseStatement(cut); err == nil {
			t.Errorf("taken: %q", cut[max(0, len(cut)-60):])
		}
	}
}

func FuzzStatement(f *testing.F) {
	f.Add("x\ndecision: promote", "limit\u2028ation\x00", "e\u0301", "name\r\ntime: now")
	f.Add("\xff\xfe", "\u202e gnp", "none", "")
	f.Add("a\\nb", " lead", "trail ", "k: v")
	f.Fuzz(func(t *testing.T, scope, limitation, says, name string) {
		g := ground()
		g.Limitations = append(g.Limitations, Remark{Text: limitation})
		g.SourceSays = append(g.SourceSays, Remark{Text: says})
		g.Candidate.Name, g.Artifacts[0].Name, g.Gates[0].Says = name, name, says
		g.Comparison.V.Figures[0].Left = says
		d := draft(g)
		d.Scope, d.Reason = scope, limitation
		before := strings.Count(NewStatement(ground(), draft(ground()), "p", "ssh", "f", 1).Text(), "\n")
		s := NewStatement(g, d, "p", "ssh", "f", 1)
		text := s.Text()
		got, err := ParseStatement(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if got.Text() != text || got.Decision != Promote || got.Signer != "p" {
			t.Fatalf("another statement came back:\n%s", text)
		}
		// One more line for each thing that was added and none more: an acknowledged item has
		// three, a line of the source one; a gate's words may be empty.
		if n := strings.Count(text, "\n"); n > before+4 {
			t.Fatalf("%d lines, %d without the texts:\n%s", n, before, text)
		}
	})
}

func FuzzParseStatement(f *testing.F) {
	g := ground()
	f.Add(NewStatement(g, draft(g), "grace", "note", "k", 1).Text())
	f.Add("assay-statement/v1\ndecision: promote\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseStatement(text)
		if err == nil && s.Text() != text {
			t.Fatalf("taken and written otherwise:\n%q", text)
		}
	})
}

func TestItems(t *testing.T) {
	g := ground()
	items := g.Items()
	count := map[ItemKind]int{}
	ids := map[string]bool{}
	for _, i := range items {
		count[i.Kind]++
		if ids[i.ID] {
			t.Errorf("id %s twice", i.ID)
		}
		ids[i.ID] = true
		if want := i.Kind != ItemNotTested && !strings.Contains(i.Text, "waived by"); i.Reason != want {
			t.Errorf("%s %q: reason %v", i.Kind, i.Text, i.Reason)
		}
	}
	want := map[ItemKind]int{ItemGate: 2, ItemLimitation: 1, ItemFailure: 1, ItemContradiction: 1, ItemNotTested: 1}
	if diff := cmp.Diff(want, count); diff != "" {
		t.Error(diff)
	}
	// Another text is another item; the same text of another kind too.
	g.Limitations[0].Text += "!"
	g.Failures[0].Text = g.NotTested[0]
	for _, i := range g.Items() {
		if i.Kind == ItemLimitation && strings.HasSuffix(i.Text, "!") && ids[i.ID] || i.Kind == ItemFailure && ids[i.ID] {
			t.Errorf("%s has the id of another text", i.Text)
		}
	}
}

func TestItemsSharedDigits(t *testing.T) {
	l := itemList{at: map[string]string{}}
	l.add(ItemLimitation, "a", true)
	short := l.items[0].ID
	l.at[short] = "another text" // as if 64 bits were made to agree
	l.add(ItemLimitation, "a", true)
	l.add(ItemLimitation, "a", true)
	if len(l.items) != 2 || l.items[1].ID == short || len(l.items[1].ID) != 64 {
		t.Errorf("%+v", l.items)
	}
}

func TestGroundDigest(t *testing.T) {
	g := ground()
	d := g.Digest()
	g.LogSize, g.Changes = 99, []Change{{"x"}}
	if g.Digest() != d {
		t.Error("the length of the log and past decisions are no part of the ground")
	}
	g.NotTested[0] += "."
	if g.Digest() == d {
		t.Error("another ground has the same digest")
	}
}
