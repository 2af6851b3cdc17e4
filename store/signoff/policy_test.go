package signoff

import (
	"fmt"
	"strings"
	"testing"

	"assay/store/evidence"
)

func TestDefaultPolicy(t *testing.T) {
	p := Default()
	for _, id := range []string{"functional", "tools", "canaries", "memory-reserve", "quality", "routed", "client", "endurance", "telemetry", "digest-pinned", "licence", "restoration"} {
		if g := p.Gate(id); g == nil || g.Rule == "" || g.Clear == "" {
			t.Errorf("gate %s is %+v", id, g)
		}
	}
	if two, age := p.Terms(); !two || age == 0 {
		t.Error("a promotion takes one person, or never ages")
	}
}

const onePolicy = `name = "small"
version = 2
[targets]
promotion = ["%[1]s"]
[[gate]]
id = "%[1]s"
title = "Gate"
want = "something"
%[2]s
`

// campaign is one decision document with gates, beside runs of a candidate and another arm.
func campaign(gates []evidence.Gate, change func(*Evidence)) Evidence {
	cand := &evidence.RunRow{ID: "c0ffee-r0", Arm: "fp8", Class: evidence.ClassShort, Status: evidence.Measured}
	other := evidence.RunRow{ID: "c0ffee-r1", Arm: "bf16"}
	d := evidence.DocumentDetail{RunRows: []evidence.RunRow{*cand, other}}
	d.Decisions = []evidence.DecisionRow{{}}
	for i, g := range gates {
		if g.Status == "" {
			g.Status = evidence.ReadGateStatus(g.SourceStatus)
		}
		g.Place = evidence.At(evidence.Pointer(fmt.Sprintf("/gates/%d", i)))
		d.Gates = append(d.Gates, evidence.GateRow{Gate: g})
	}
	e := Evidence{Documents: []evidence.DocumentDetail{d}, Candidate: []*evidence.RunRow{cand}}
	if change != nil {
		change(&e)
	}
	return e
}

func fact(key evidence.FactKey, value string) evidence.FactRow {
	return evidence.FactRow{Fact: evidence.Fact{Key: key, Value: value, State: evidence.Recorded}}
}

func figure(m evidence.MetricID, low, high float64) evidence.MeasurementRow {
	x := evidence.Measurement{Metric: m, Stat: evidence.Min, Role: evidence.Primary}
	if low == high {
		x.Value = evidence.Some(low)
	} else {
		x.Lower, x.Upper = evidence.Some(low), evidence.Some(high)
	}
	return evidence.MeasurementRow{Measurement: x}
}

// suite makes a run of a quality suite.
func suite(repeats string, rate float64) func(*evidence.RunRow) {
	return func(r *evidence.RunRow) {
		m := figure(evidence.PassRate, rate, rate)
		m.Stat = evidence.Total
		r.Class, r.Status, r.Measurements = evidence.ClassQuality, evidence.Measured, []evidence.MeasurementRow{m}
		r.Facts = []evidence.FactRow{fact(evidence.KeyRepetitions, repeats)}
	}
}

func onPath(path, class string, rate float64) func(*evidence.RunRow) {
	return func(r *evidence.RunRow) {
		suite("1", rate)(r)
		r.Class, r.Facts = class, []evidence.FactRow{fact(evidence.KeyPath, path)}
	}
}

func references(states ...evidence.RefState) func(*Evidence) {
	return func(e *Evidence) {
		for i, s := range states {
			e.Documents[0].References = append(e.Documents[0].References, evidence.ReferenceRow{Reference: evidence.Reference{Name: fmt.Sprintf("%d.json", i),
				Place: evidence.At(evidence.Pointer(fmt.Sprintf("/evidence/%d", i)))}, State: s})
		}
	}
}

func TestJudge(t *testing.T) {
	reserve := "names = [\"reserve\", \"vram floor\"]\nscoped = [\"floor\"]\nmetric = \"gpu_memory_free\"\nat_least = \"3 GiB\"\ntext = \"free\""
	tools := "names = [\"tool burst\", \"tool batch\", \"tools\"]\nscore = 20"
	parts := "names = [\"preflight\"]\nparts = [[\"smoke\"], [\"json\", \"structured\"]]"
	quality := "names = [\"quality\"]\nclass = \"quality\"\nrepeats = 3"
	routed := "path = \"routed\""
	endurance := "names = [\"endurance\"]\nprompt_tokens = 100_000"
	gate := func(name, word, detail string) []evidence.Gate {
		return []evidence.Gate{{Name: name, SourceStatus: word, Detail: detail}}
	}
	run := func(f func(*evidence.RunRow)) func(*Evidence) { return func(e *Evidence) { f(e.Candidate[0]) } }
	tests := []struct {
		name, gate string
		gates      []evidence.Gate
		change     func(*Evidence)
		want       GateState
		says       string
	}{
		{"nothing", tools, nil, nil, GateMissing, "nothing in the archive"},
		{"20 of 20", tools, gate("20-way tool burst", "passed", "20/20 clean"), nil, GatePassed, "20 of 20"},
		{"the score is the word", tools, gate("tools", "20/20", ""), nil, GatePassed, "20 of 20"},
		{"17 of 20", tools, gate("tool burst", "failed", "17/20, three with 429"), nil, GateFailed, "17 of 20"},
		{"called passed with 19 of 20", tools, gate("tool burst", "passed", "19/20"), nil, GateFailed, "19 of 20"},
		{"too few", tools, gate("tool burst", "passed", "5/5"), nil, GateUnresolved, "20 attempts"},
		{"of how many", tools, gate("tools", "passed", "all fine"), nil, GateUnresolved, "of how many"},
		{"a scope in the word", tools, gate("tools", "passed for headline load", "20/20"), nil, GateUnresolved, "no plain pass"},
		{"a score and more", tools, gate("tools", "20/20 under light load", ""), nil, GateUnresolved, "no plain pass"},
		{"not run", tools, gate("tools", "not_run", ""), nil, GateMissing, "not run"},
		{"another gate", tools, gate("toolset", "passed", "20/20"), nil, GateMissing, ""},
		{"about another arm", tools, gate("tools bf16", "failed", "1/20"), nil, GateMissing, ""},
		{"the worst counts", tools, append(gate("tools", "passed", "20/20"), gate("tool burst", "failed", "18/20")...), nil, GateFailed, "18 of 20"},

		{"above the reserve", reserve, gate("reserve", "passed", "4096 MiB free"), nil, GatePassed, ""},
		{"below the reserve", reserve, gate("ordinary reserve", "failed", "2354 MiB free"), nil, GateFailed, "at least 3 GiB"},
		{"a narrower floor passes its own", reserve, gate("campaign VRAM floor", "passed", "left 2354 MiB free, above a floor of 1 GiB"), nil, GateFailed, "2354 MiB free"},
		{"a floor without a figure", reserve, gate("campaign VRAM floor", "passed", "above the floor"), nil, GateUnresolved, "narrower"},
		{"in another unit", reserve, gate("reserve", "passed", "3.1 GB free"), nil, GateFailed, ""},
		{"a figure of something else", reserve, gate("reserve", "passed", "2 GiB used, 5 GiB free"), nil, GatePassed, ""},
		{"measured", reserve, nil, run(func(r *evidence.RunRow) {
			r.Measurements = []evidence.MeasurementRow{figure(evidence.GPUMemoryFree, 4<<30, 4<<30)}
		}), GatePassed, ""},
		{"measured below", reserve, gate("reserve", "passed", ""), run(func(r *evidence.RunRow) {
			r.Measurements = []evidence.MeasurementRow{figure(evidence.GPUMemoryFree, 1<<30, 1<<30)}
		}), GateFailed, "at least 3 GiB"},
		{"an interval across", reserve, nil, run(func(r *evidence.RunRow) {
			r.Measurements = []evidence.MeasurementRow{figure(evidence.GPUMemoryFree, 2<<30, 4<<30)}
		}), GateFailed, ""},
		{"a figure in conflict", reserve, nil, run(func(r *evidence.RunRow) {
			m := figure(evidence.GPUMemoryFree, 4<<30, 4<<30)
			m.State = evidence.Conflict
			r.Measurements = []evidence.MeasurementRow{m}
		}), GateUnresolved, "disagrees"},

		{"canaries", "canaries = true", nil, run(func(r *evidence.RunRow) {
			r.Facts = []evidence.FactRow{fact(evidence.KeyPassed, "100"), fact(evidence.KeyRequests, "100")}
		}), GatePassed, "100 of 100"},
		{"a canary lost", "canaries = true", nil, run(func(r *evidence.RunRow) {
			r.Facts = []evidence.FactRow{fact(evidence.KeyPassed, "99"), fact(evidence.KeyRequests, "100")}
		}), GateFailed, "99 of 100"},
		{"canaries of nothing", "canaries = true", nil, run(func(r *evidence.RunRow) {
			r.Facts = []evidence.FactRow{fact(evidence.KeyPassed, "0"), fact(evidence.KeyRequests, "0")}
		}), GateMissing, ""},

		{"a fact", "fact = \"image_digest\"", nil, run(func(r *evidence.RunRow) { r.Facts = []evidence.FactRow{fact(evidence.KeyImageDigest, "sha256:1")} }), GatePassed, ""},
		{"said and not shown", "names = [\"digest pinned\"]\nfact = \"image_digest\"", gate("digest-pinned runtime", "passed", ""), nil, GateUnresolved, "no image digest is recorded"},
		{"a fact in conflict", "fact = \"image_digest\"", nil, run(func(r *evidence.RunRow) {
			f := fact(evidence.KeyImageDigest, "sha256:1")
			f.State = evidence.Conflict
			r.Facts = []evidence.FactRow{f}
		}), GateUnresolved, "disagree"},

		{"a limitation", "names = [\"licence\"]\nlimitation = [\"license\"]", nil, func(e *Evidence) {
			e.Documents[0].Notes = []evidence.NoteRow{{Note: evidence.Note{Kind: evidence.Limitation, Text: "The license is still to be read."}}}
		}, GateMissing, "a limitation"},
		{"an answer beats a limitation", "names = [\"licence\"]\nlimitation = [\"license\"]", gate("licence review", "passed", ""), func(e *Evidence) {
			e.Documents[0].Notes = []evidence.NoteRow{{Note: evidence.Note{Kind: evidence.Limitation, Text: "The license names no warranty."}}}
		}, GatePassed, ""},
		{"a smaller batch beside the whole one", tools, append(gate("tool batch x5", "passed", "5/5 clean"), gate("tool batch x20", "passed", "20/20 clean")...), nil, GatePassed, "beside it: tool batch x5: 5 of 5"},
		{"called passed, with refusals", tools + "\nagainst = [\"429\"]", gate("tools", "passed", "20/20, after HTTP 429"), nil, GateUnresolved, "against it"},
		{"its words speak of another arm", tools, gate("tools", "passed", "20/20 on bf16"), nil, GateUnresolved, "another arm"},
		{"its words speak of both arms", tools, gate("tools", "passed", "20/20 on bf16 and fp8"), nil, GatePassed, ""},
		{"not run elsewhere", tools, append(gate("tools", "not_run", ""), gate("tool burst", "passed", "20/20")...), func(e *Evidence) {
			d := e.Documents[0]
			e.Documents = append(e.Documents, d)
			e.Documents[0].Gates, e.Documents[0].Decisions = d.Gates[:1], nil
			e.Documents[1].Gates = d.Gates[1:]
		}, GatePassed, "20 of 20"},
		{"a date is no score", tools, gate("tools", "passed", "on 3/9/2026, 20/20"), nil, GatePassed, "20 of 20"},

		{"all parts", parts, append(append(gate("smoke answer", "passed", ""), gate("JSON", "passed", "")...), gate("preflight of bf16", "failed", "")...), nil, GatePassed, "smoke, json passed"},
		{"a part is open", parts, gate("smoke answer", "passed", ""), nil, GateMissing, "no gate of a source passed for json"},
		{"a part failed", parts, append(gate("smoke answer", "passed", ""), gate("JSON", "failed", "")...), nil, GateFailed, "JSON did not pass"},
		{"the whole", parts, gate("preflight", "passed", ""), nil, GatePassed, "preflight"},
		{"the whole passed and a part failed", parts, append(gate("preflight", "passed", ""), gate("JSON", "failed", "")...), nil, GateFailed, "JSON did not pass"},

		{"a digest", "fact = \"image_digest\"\nform = \"digest\"", nil, run(func(r *evidence.RunRow) {
			r.Facts = []evidence.FactRow{fact(evidence.KeyImageDigest, "sha256:"+strings.Repeat("a", 64))}
		}), GatePassed, ""},
		{"a tag", "fact = \"image_digest\"\nform = \"digest\"", nil, run(func(r *evidence.RunRow) {
			r.Facts = []evidence.FactRow{fact(evidence.KeyImageDigest, "v0.27.1")}
		}), GateUnresolved, "no digest"},
		{"two digests", "fact = \"image_digest\"", nil, run(func(r *evidence.RunRow) {
			r.Facts = []evidence.FactRow{fact(evidence.KeyImageDigest, "a"), fact(evidence.KeyImageDigest, "b")}
		}), GateUnresolved, "2 of image digest"},
		{"restored", "status_fact = \"restoration\"", nil, func(e *Evidence) { e.Documents[0].Facts = []evidence.FactRow{fact(evidence.KeyRestoration, "passed")} }, GatePassed, ""},
		{"restored in a scope", "status_fact = \"restoration\"", nil, func(e *Evidence) {
			e.Documents[0].Facts = []evidence.FactRow{fact(evidence.KeyRestoration, "passed for one card")}
		}, GateUnresolved, "no plain pass"},
		{"not restored", "status_fact = \"restoration\"", nil, func(e *Evidence) { e.Documents[0].Facts = []evidence.FactRow{fact(evidence.KeyRestoration, "failed")} }, GateFailed, ""},

		{"repeated", quality, nil, run(suite("3", 1)), GatePassed, "3 repetitions"},
		{"repeated twice", quality, nil, run(suite("2", 1)), GateUnresolved, "2 times"},
		{"one check wrong", quality, nil, run(suite("3", 0.99)), GateFailed, "0.99"},
		{"a floor of its own", quality, nil, run(func(r *evidence.RunRow) {
			suite("3", 0.7)(r)
			r.Facts = append(r.Facts, fact(evidence.KeyMinPassRate, "0.6"))
		}), GateFailed, "0.7"},
		{"a rate of the policy", quality + "\npass_rate = \"60 %\"", nil, run(suite("3", 0.7)), GatePassed, ""},
		{"a word without repetitions", quality, gate("quality", "passed", "6/6"), nil, GateUnresolved, "3 repetitions"},
		{"a word with repetitions", quality, gate("quality", "passed", "all checks in three repetitions"), nil, GatePassed, ""},

		{"routed checks", routed, nil, run(onPath("routed", evidence.ClassFunctional, 1)), GatePassed, "path routed"},
		{"routed checks that failed", routed, nil, run(onPath("routed", evidence.ClassFunctional, 0.5)), GateFailed, ""},
		{"routed load", routed, nil, run(onPath("routed", evidence.ClassShort, 1)), GateUnresolved, "neither identity"},
		{"direct checks", routed, nil, run(onPath("direct", evidence.ClassFunctional, 1)), GateMissing, ""},

		{"many turns, no long tools", endurance, gate("endurance", "passed", "40 turns"), nil, GateUnresolved, "100,000 actual prompt tokens"},
		{"a target is no actual prompt", endurance, gate("endurance", "passed", "tools at a 131,072 token target"), nil, GateUnresolved, ""},
		{"said", endurance, gate("endurance", "passed", "tools at 104,220 actual prompt tokens"), nil, GatePassed, ""},
		{"said, and too few", endurance, gate("endurance", "passed", "tools at 64,000 actual prompt tokens"), nil, GateUnresolved, ""},
		{"measured tools", endurance, gate("endurance", "passed", ""), run(func(r *evidence.RunRow) {
			r.Class, r.Name = evidence.ClassFunctional, "long tools"
			r.Measurements = []evidence.MeasurementRow{figure(evidence.PromptTokens, 120_000, 120_000)}
		}), GatePassed, ""},

		{"kept", "references = true", nil, references(evidence.RefRetained, evidence.RefConverted), GatePassed, "is kept"},
		{"not kept", "references = true", nil, references(evidence.RefRetained, evidence.RefNotStored), GateMissing, "not kept"},
		{"kept by name", "references = true", nil, references(evidence.RefByName), GateUnresolved, "no digest"},
		{"another content", "references = true", nil, references(evidence.RefNotStored, evidence.RefMismatch), GateFailed, "another content"},

		{"one request at a time", "canaries = true", nil, run(func(r *evidence.RunRow) {
			r.Facts = []evidence.FactRow{fact(evidence.KeyPassed, "12"), fact(evidence.KeyRequests, "12"), fact(evidence.KeyConcurrency, "1")}
		}), GateUnresolved, "one request at a time"},
		{"a batch of tools has no canaries", "canaries = true", nil, run(func(r *evidence.RunRow) {
			r.Class, r.Facts = evidence.ClassFunctional, []evidence.FactRow{fact(evidence.KeyPassed, "17"), fact(evidence.KeyRequests, "20")}
		}), GateMissing, ""},
		{"two cards, one figure", reserve, nil, run(func(r *evidence.RunRow) {
			m := figure(evidence.GPUMemoryFree, 4<<30, 4<<30)
			m.Stat = evidence.Single
			r.Measurements, r.Facts = []evidence.MeasurementRow{m}, []evidence.FactRow{fact(evidence.KeyGPUCount, "2")}
		}), GateUnresolved, "2 cards"},
		{"an invalidated artifact answers nothing", tools, gate("tools", "passed", "20/20"), func(e *Evidence) {
			e.Marks = []Mark{{Artifact: e.Documents[0].Artifact}}
		}, GateMissing, ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p, err := ParsePolicy(fmt.Appendf(nil, onePolicy, "gate", tc.gate))
			if err != nil {
				t.Fatal(err)
			}
			r := p.Judge(campaign(tc.gates, tc.change), Promotion)
			if len(r) != 1 {
				t.Fatalf("%d answers: %+v", len(r), r)
			}
			if r[0].State != tc.want || !strings.Contains(r[0].Says, tc.says) {
				t.Errorf("%s: %q, want %s with %q", r[0].State, r[0].Says, tc.want, tc.says)
			}
			if stops := tc.want != GatePassed; r[0].Stops() != stops {
				t.Errorf("stops is %v", r[0].Stops())
			}
		})
	}
}

func TestOtherGates(t *testing.T) {
	p, err := ParsePolicy([]byte(strings.Replace(fmt.Sprintf(onePolicy, "tools", "names = [\"tools\"]"), "version = 2", "version = 2\nother_gates_stop = true", 1)))
	if err != nil {
		t.Fatal(err)
	}
	e := campaign([]evidence.Gate{{Name: "tools", SourceStatus: "failed"}, {Name: "long context", SourceStatus: "rejected for interactive use"},
		{Name: "bf16", SourceStatus: "rejected"}, {Name: "smoke", SourceStatus: "passed"}, {Name: "clients", SourceStatus: "missing"}}, nil)
	var got []string
	for _, r := range p.Judge(e, Promotion) {
		got = append(got, fmt.Sprintf("%s %s %v", r.ID, r.State, r.Stops()))
	}
	want := []string{"tools failed true", "source-long-context unresolved true", "source-bf16 failed false", "source-clients missing true"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("gates %q, want %q", got, want)
	}
}

func TestWaivedGate(t *testing.T) {
	for _, waivable := range []bool{true, false} {
		p, err := ParsePolicy(fmt.Appendf(nil, onePolicy, "gate", fmt.Sprintf("names = [\"x\"]\nwaivable = %v", waivable)))
		if err != nil {
			t.Fatal(err)
		}
		e := campaign(nil, func(e *Evidence) { e.Waived = []GateWaiver{{Gate: "gate", Author: "ada", Reason: "known"}} })
		r := p.Judge(e, Promotion)[0]
		if (r.State == GateWaived) != waivable || r.Stops() == waivable || waivable && (r.By != "ada" || r.Reason != "known") {
			t.Errorf("waivable %v: %+v", waivable, r)
		}
		e.Waived[0].WithdrawnUS = 1
		if r := p.Judge(e, Promotion)[0]; r.State == GateWaived {
			t.Error("a withdrawn waiver holds")
		}
	}
}

func TestParsePolicyFaults(t *testing.T) {
	all := `name = "A b"
version = 0
max_age_days = -1
two_people = ["promote", "jump"]
[targets]
promotion = ["x", "y"]
sometimes = []
[[gate]]
id = "x"
title = ""
want = "w"
metric = "gpu_memory_free"
at_least = "3 s"
[[gate]]
id = "x"
title = "t"
want = "w"
fact = "colour"
`
	_, err := ParsePolicy([]byte(all))
	if err == nil {
		t.Fatal("it is taken")
	}
	for _, want := range []string{"name:", "version:", "max_age_days", "jump", "sometimes", "no gate \"y\"", "title and want", "\"3 s\" is in s", "stands twice", "\"colour\" is no fact key"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not told: %v", want, err)
		}
	}
	for text, want := range map[string]string{
		"name = \"a\"\nversion = 1\nmood = 1\n": "line 3, column 1",
		"name = \"a\nversion = 1\n":             "line 1",
		"":                                      "name",
		strings.Repeat("#", 300<<10):            "bytes",
	} {
		if _, err := ParsePolicy([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParsePolicy(f *testing.F) {
	f.Add(DefaultPolicy())
	f.Add(fmt.Appendf(nil, onePolicy, "gate", "names = [\"x\"]"))
	e := campaign([]evidence.Gate{{Name: "tools", SourceStatus: "20/20", Detail: "5 GiB free"}}, nil)
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ParsePolicy(data)
		if err != nil {
			return
		}
		for _, target := range Targets {
			for _, r := range p.Judge(e, target) {
				if r.ID == "" || r.State == "" {
					t.Fatalf("an answer without a name or state: %+v", r)
				}
			}
		}
	})
}
