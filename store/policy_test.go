package store

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"assay/store/evidence"
	"assay/store/signoff"
)

const smallPolicy = `name = "small"
version = %d
note = %q
[targets]
promotion = ["tools"]
[[gate]]
id = "tools"
title = "Tools"
want = "all of them"
names = ["tools"]
waivable = %v
`

func policyText(version int, note string, waivable bool) []byte {
	return fmt.Appendf(nil, smallPolicy, version, note, waivable)
}

// TestPolicyInForce: the program's own holds until one is set, the last one set holds, all
// are kept byte by byte, and each is a record of the log.
func TestPolicyInForce(t *testing.T) {
	a := openTemp(t)
	ctx := t.Context()
	inForce := func(want signoff.PolicyRef) {
		t.Helper()
		p, err := a.Policy(ctx)
		if err != nil || p.Ref() != want {
			t.Fatalf("%+v %v, want %+v", p.Ref(), err, want)
		}
	}
	inForce(signoff.Default().Ref())
	if list, err := a.Policies(ctx); err != nil || len(list) != 0 {
		t.Fatal(list, err)
	}
	var texts [][]byte
	for v := 1; v <= 2; v++ {
		text := policyText(v, "<b>=1+1</b>", false)
		p, err := a.SetPolicy(ctx, text, "ada", "stricter")
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
		inForce(p.Ref())
	}
	// Going back to an earlier one is setting it again.
	first, err := a.SetPolicy(ctx, texts[0], "bob", "too strict")
	if err != nil {
		t.Fatal(err)
	}
	inForce(first.Ref())
	list, err := a.Policies(ctx)
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	for i, want := range []struct{ text, author string }{{string(texts[0]), "bob"}, {string(texts[1]), "ada"}, {string(texts[0]), "ada"}} {
		if x := list[i]; string(x.Body) != want.text || x.Author != want.author || x.AtUS == 0 || x.Digest != signoff.Digest(want.text) {
			t.Errorf("policy %d: %+v", i, x)
		}
	}
	entries, n, err := a.LogRecords(ctx, signoff.LogFilter{Kind: signoff.RecordPolicy, Limit: 10})
	if err != nil || n != 3 {
		t.Fatal(n, err)
	}
	if r := entries[0].Record(); r.Get("sha256") != list[0].Digest || r.Get("author") != "bob" || r.Get("reason") != "too strict" {
		t.Errorf("record %+v", r)
	}
}

func TestPolicyRefused(t *testing.T) {
	a := openTemp(t)
	ctx := t.Context()
	if _, err := a.SetPolicy(ctx, policyText(1, "", false), "ada", "first"); err != nil {
		t.Fatal(err)
	}
	own := signoff.Default().Ref()
	for name, tc := range map[string]struct {
		body                 []byte
		author, reason, want string
	}{
		"no policy":             {[]byte("mood = 1\n"), "ada", "why", "line 1, column 1"},
		"nobody":                {policyText(2, "", false), "", "why", "author"},
		"no reason":             {policyText(2, "", false), "ada", " ", "reason"},
		"another text":          {policyText(1, "changed", false), "ada", "why", "raise the version"},
		"in the program's name": {[]byte(strings.Replace(string(signoff.DefaultPolicy()), "max_age_days = 90", "max_age_days = 9000", 1)), "ada", "why", own.Name + " version"},
	} {
		if _, err := a.SetPolicy(ctx, tc.body, tc.author, tc.reason); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
	if list, err := a.Policies(ctx); err != nil || len(list) != 1 {
		t.Errorf("%d policies, %v", len(list), err)
	}
	for _, statement := range []string{"UPDATE policy SET body = x'00'", "DELETE FROM policy", "UPDATE policy SET author = 'eve'"} {
		if _, err := a.writer.ExecContext(ctx, statement); err == nil {
			t.Errorf("%s: went through", statement)
		}
	}
}

// TestGateWaivers: only a gate that the policy in force calls waivable is set aside, once,
// by somebody, with a reason; taking it back leaves it listed.
func TestGateWaivers(t *testing.T) {
	a := openTemp(t)
	ctx := t.Context()
	fileReading(t, a, "a.json", "one", syntheticReading("spring", 1, 1, 1))
	ask := signoff.GateWaiver{Campaign: "spring", Gate: "tools", Author: "ada", Reason: "the scheduler comes later"}
	refused := func(x signoff.GateWaiver, want string) {
		t.Helper()
		if _, err := a.WaiveGate(ctx, x); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", x, err, want)
		}
	}
	refused(ask, "waive")
	if _, err := a.SetPolicy(ctx, policyText(1, "", true), "ada", "tools can wait"); err != nil {
		t.Fatal(err)
	}
	for _, change := range []func(*signoff.GateWaiver){func(x *signoff.GateWaiver) { x.Author = "" }, func(x *signoff.GateWaiver) { x.Reason = "" }, func(x *signoff.GateWaiver) { x.Gate = "other" }} {
		x := ask
		change(&x)
		refused(x, "")
	}
	elsewhere := ask
	elsewhere.Campaign = "nowhere"
	refused(elsewhere, "not found")
	x, err := a.WaiveGate(ctx, ask)
	if err != nil || x.ID == 0 || x.AtUS == 0 || !x.Holds() {
		t.Fatal(x, err)
	}
	refused(ask, "already")
	if list, err := a.GateWaivers(ctx, "autumn"); err != nil || len(list) != 0 {
		t.Error("another campaign has it too", list, err)
	}
	if err := a.WithdrawGateWaiver(ctx, x.ID, "bob", "it came"); err != nil {
		t.Fatal(err)
	}
	if err := a.WithdrawGateWaiver(ctx, x.ID, "bob", "again"); !errors.Is(err, evidence.ErrNotFound) {
		t.Errorf("withdrawn twice: %v", err)
	}
	list, err := a.GateWaivers(ctx, "spring")
	if err != nil || len(list) != 1 || list[0].Holds() || list[0].WithdrawnBy != "bob" || list[0].Why != "it came" {
		t.Errorf("%+v %v", list, err)
	}
	for _, kind := range []signoff.RecordKind{signoff.RecordGateWaiver, signoff.RecordGateWaiverWithdrawn} {
		if _, n, err := a.LogRecords(ctx, signoff.LogFilter{Kind: kind, Limit: 10}); err != nil || n != 1 {
			t.Errorf("%d records of %s, %v", n, kind, err)
		}
	}
	for _, statement := range []string{"UPDATE gate_waiver SET reason = 'x'", "DELETE FROM gate_waiver", "UPDATE gate_waiver SET withdrawn_us = 0, withdrawn_by = '', withdrawn_reason = ''"} {
		if _, err := a.writer.ExecContext(ctx, statement); err == nil {
			t.Errorf("%s: went through", statement)
		}
	}
}
