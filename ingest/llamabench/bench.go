package llamabench

import (
	"math"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// identity are members with a key of their own; every other setting is an engine option.
var identity = map[string]evidence.FactKey{
	"build_commit": evidence.KeyEngineRevision, "gpu_info": evidence.KeyGPUProduct, "model_filename": evidence.KeyModelArtifact,
	"model_type": evidence.KeyModel, "type_k": evidence.KeyKVDtype, "backends": "backends", "model_n_params": "model_parameters",
	"model_size": "model_bytes",
}

// rowOnly are members of the test itself or its result.
var rowOnly = map[string]bool{"n_prompt": true, "n_gen": true, "n_depth": true, "test_time": true, "avg_ns": true, "stddev_ns": true,
	"avg_ts": true, "stddev_ts": true, "samples_ns": true, "samples_ts": true, "test": true}

// readBench reads tests; those of one configuration share an arm.
func readBench(b *lift.Builder, shape string) {
	b.Protocol("llama-bench", "", "the engine's own loop, no server")
	top := b.Top()
	t := &table{b: b, arms: map[string]int{}}
	switch shape {
	case shapeList:
		top.Items(func(_ int, m lift.Obj) { t.result(m) })
	default:
		t.result(top)
	}
	t.close()
}

// close adds the arms to the document.
func (t *table) close() {
	for i := range t.made {
		t.b.Arm(t.made[i].arm, t.made[i].runs...)
	}
	if len(t.made) > 0 {
		t.b.Title("llama-bench · " + t.made[0].arm.Name)
	}
}

type table struct {
	b    *lift.Builder
	arms map[string]int
	made []madeArm
}

type madeArm struct {
	arm  evidence.Arm
	runs []*lift.Run
}

// result reads a test, or the wrapper that another harness puts around it.
func (t *table) result(o lift.Obj) {
	if raw := o.Get("bench_raw"); raw.Node != nil {
		if raw.IsObject() {
			t.test(raw)
		} else {
			t.b.Find(evidence.Warning, lift.CodeVoid, raw, "the harness recorded no result for this configuration")
			run := t.b.NewRun("no result", o, "")
			run.Void = true
			t.add(o, "llama-bench", nil, run)
		}
		o.Skip(evidence.ReasonRestated)
		return
	}
	t.test(o)
}

func (t *table) test(o lift.Obj) {
	name := []string{o.Get("model_type").Str(), o.Get("backends").Str(), o.Get("build_commit").Str()}
	t.add(o, strings.TrimSpace(strings.Join(name, " · ")), t.identity(o), t.run(o))
}

// identity records everything that may change what was tested.
func (t *table) identity(o lift.Obj) lift.Facts {
	var arm lift.Facts
	o.Derive(&arm, evidence.KeyEngine, "llama.cpp", "tool")
	o.Members(func(name string, m lift.Obj) {
		key, known := identity[name]
		switch {
		case rowOnly[name] || m.Node.Kind == jsondoc.Null || m.IsObject() || m.IsArray():
		case name == "type_v":
			if m.Str() != o.Get("type_k").Str() {
				option(m, &arm, name)
			}
		case name == "build_number":
			m.Derive(&arm, evidence.KeyEngineVersion, "b"+m.Node.Text, "build_number")
			m.Take()
		case known:
			m.Fact(&arm, key)
		default:
			option(m, &arm, name)
		}
	})
	return arm
}

// option records a setting that has no key of its own: known or not, it may change what
// was tested.
func option(m lift.Obj, arm *lift.Facts, name string) {
	key := evidence.FactKey("option." + lift.Clip(name))
	if word, ok := flags[m.Str()]; ok && switches[name] {
		m.Derive(arm, key, word, "0 or 1")
		return
	}
	m.Fact(arm, key)
}

// switches are settings that JSON writes as true and false and tables as 1 and 0.
var switches = map[string]bool{"cpu_strict": true, "no_kv_offload": true, "embeddings": true, "no_host": true, "repack": true, "use_mmap": true, "f16_kv": true}

var flags = map[string]string{"0": "false", "1": "true"}

func (t *table) add(o lift.Obj, name string, facts lift.Facts, run *lift.Run) {
	key := name
	for _, f := range facts {
		key += "\n" + string(f.Key) + "=" + f.Value
	}
	i, ok := t.arms[key]
	if !ok {
		i = len(t.made)
		t.arms[key] = i
		t.made = append(t.made, madeArm{arm: evidence.Arm{Name: lift.Clip(name), Place: o.Place(), Facts: facts}})
	}
	t.made[i].runs = append(t.made[i].runs, run)
}

// run reads what was timed.
func (t *table) run(o lift.Obj) *lift.Run {
	b := t.b
	prompt, gen, depth := o.Get("n_prompt"), o.Get("n_gen"), o.Get("n_depth")
	p, _ := prompt.Float()
	g, _ := gen.Float()
	metric, name := evidence.BatchThroughput, "pp"+prompt.Show()+"+tg"+gen.Show()
	switch {
	case g == 0:
		metric, name = evidence.PrefillThroughput, "pp"+prompt.Show()
	case p == 0:
		metric, name = evidence.DecodeThroughput, "tg"+gen.Show()
	}
	if d, ok := depth.Float(); ok && d > 0 {
		name += " at depth " + depth.Show()
	}
	run := b.NewRun(name, o, "")
	f := &run.Facts
	prompt.Fact(f, evidence.KeyPromptTokens)
	gen.Fact(f, evidence.KeyOutputCap)
	depth.Fact(f, evidence.KeyFilledContext)
	o.Derive(f, evidence.KeyConcurrency, "1", "tool")
	o.Derive(f, evidence.KeyCompletionMode, "forced", "tool")
	run.Class = lift.Class(evidence.Some(1.0), depth.Number())
	o.Derive(f, evidence.KeyWorkloadClass, run.Class, "load")
	b.Observed(o.Get("test_time"), o.Get("test_time").Str())
	samples := o.Get("samples_ts")
	if samples.IsArray() {
		run.N = evidence.Some(int64(samples.Len()))
		samples.Derive(f, evidence.KeySampleCount, evidence.FormatDecimal(float64(samples.Len())), "samples_ts")
	}
	avg, spread := o.Get("avg_ts"), o.Get("stddev_ts")
	run.Figure(avg, metric, evidence.Mean, "tok/s")
	if s, ok := spread.Float(); ok && s == 0 && (!run.N.OK || run.N.V == 1) {
		spread.Skip(evidence.ReasonVoid) // of one repetition
	} else {
		run.Figure(spread, metric, evidence.Std, "tok/s")
	}
	t.fits(o, run, p+g)
	o.SkipMembers(evidence.ReasonRow, "samples_ns", "samples_ts")
	o.SkipMembers(evidence.ReasonRestated, "avg_ns", "stddev_ns")
	return run
}

// fits computes means, spread and rates again from the repetitions.
func (t *table) fits(o lift.Obj, run *lift.Run, tokens float64) {
	var rates, times []float64
	o.Get("samples_ts").Items(func(_ int, m lift.Obj) {
		if v, ok := m.Float(); ok {
			rates = append(rates, v)
		}
	})
	o.Get("samples_ns").Items(func(i int, m lift.Obj) {
		v, ok := m.Float()
		if !ok {
			return
		}
		times = append(times, v)
		run.Samples = append(run.Samples, evidence.Sample{Index: int64(i), E2E: evidence.Some(v / 1e9), OK: true, Place: m.Place()})
	})
	avg, ns := o.Get("avg_ts"), o.Get("avg_ns")
	if s := lift.Summarise(rates); s.N > 0 {
		t.b.Agree("avg_ts", avg, s.Mean, 1e-4, "the mean of samples_ts", o.Get("samples_ts"))
		if s.N > 1 {
			t.b.Agree("stddev_ts", o.Get("stddev_ts"), s.Std*math.Sqrt(float64(s.N)/float64(s.N-1)), 2e-2, "the spread of samples_ts", o.Get("samples_ts"))
		}
	}
	if s := lift.Summarise(times); s.N > 0 {
		t.b.Agree("avg_ns", ns, s.Mean, 1e-4, "the mean of samples_ns", o.Get("samples_ns"))
		if s.N > 1 {
			t.b.Agree("stddev_ns", o.Get("stddev_ns"), s.Std*math.Sqrt(float64(s.N)/float64(s.N-1)), 0.5, "the spread of samples_ns", o.Get("samples_ns"))
		}
	}
	if v, ok := ns.Float(); ok && v > 0 && tokens > 0 {
		// the mean of rates is a little more than tokens / mean time
		t.b.Agree("avg_ts", avg, tokens/(v/1e9), 0.25, "tokens / avg_ns", o.Get("n_prompt"), o.Get("n_gen"), ns)
	}
	a, ok1 := avg.Float()
	d, ok2 := o.Get("stddev_ns").Float()
	v, ok3 := ns.Float()
	if ok1 && ok2 && ok3 && a > 0 && v > 0 && d > 0 {
		t.b.Agree("stddev_ts", o.Get("stddev_ts"), a*d/v, 0.9, "avg_ts * stddev_ns / avg_ns", o.Get("stddev_ns"), ns)
	}
}
