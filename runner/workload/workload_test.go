package workload

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/runner/load/pace"
)

func TestPresetsReadBack(t *testing.T) {
	for _, w := range Presets() {
		if err := w.Check(); err != nil {
			t.Errorf("%s: %v", w.Name, err)
		}
		data, err := w.TOML()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Read(w.Name, strings.NewReader(string(data)))
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if diff := cmp.Diff(w, again); diff != "" {
			t.Errorf("%s is read back as another (-written +read):\n%s\n%s", w.Name, diff, data)
		}
	}
	if _, known := Preset("4k-c1"); !known {
		t.Error("4k-c1 is unknown")
	}
	if _, known := Preset("nonsense"); known {
		t.Error("nonsense is known")
	}
}

const whole = `
name = "mine"
[[steps]]
name = "a"
target = 1000
requests = 5
concurrency = 2
[output]
cap = 64
`

func TestDefaults(t *testing.T) {
	w, err := Read("mine.toml", strings.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	if w.Repeats != 6 || !w.Prompt.Canary || w.Prompt.Tolerance != 0.02 || w.Sampling.TopP != 1 || w.Policy.Retries != 1 || !w.Policy.Idempotency || w.Output.Mode != Natural {
		t.Errorf("%+v", w)
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"unknown keys", whole + "[sampling]\ntop_k = 4\n[nothing]\nx = 1\n", []string{"mine.toml:11:1: there is no key sampling.top_k", "mine.toml:12:2", "nothing"}},
		{"wrong type", "name = 4\n", []string{"mine.toml:1:8: name:"}},
		{"no TOML", "name = \n", []string{"mine.toml:1:"}},
		{"duration", strings.Replace(whole, "requests = 5", `duration = "soon"`, 1), []string{"mine.toml:6:", "duration"}},
		{"all at once", `name = "a b"
class = "fast"
api = "grpc"
repeats = 101
[[steps]]
name = "x"
target = 3
concurrency = 1
rate = 2.0
[[steps]]
name = "x"
target = 100
requests = 1
process = "poisson"
concurrency = 1
[prompt]
tolerance = 0.9
needles = [0.5, 0.2]
[output]
cap = 0
mode = "long"
[sampling]
top_p = 0.0
[connection]
idempotency = false
retries = 2
`, []string{"name:", "class:", "api:", "repeats:", "steps[0].target:", "steps[0]: want one of concurrency", "steps[1].process:", "steps[1].name: \"x\" stands twice",
			"prompt.tolerance:", "prompt.needles:", "output.cap:", "output.mode:", "sampling.top_p:", "connection.retries:"}},
		{"short canary", strings.Replace(whole, "cap = 64", "cap = 8", 1), []string{"prompt.canary"}},
		{"prefix", whole + "[prompt]\nshared_prefix = 1000\n", []string{"prompt.shared_prefix"}},
		{"two ends of a trace", strings.Replace(whole, "concurrency = 2", "trace = [0.0, 1.5]", 1), []string{"steps[0].trace"}},
		{"trace runs backwards", strings.Replace(strings.Replace(whole, "concurrency = 2", "trace = [1.5, 1.0]", 1), "requests = 5", "", 1), []string{"steps[0]", "arrival 2"}},
		{"too large", "#" + strings.Repeat("x", MaxFile), []string{"bytes"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read("mine.toml", strings.NewReader(c.text))
			if err == nil {
				t.Fatal("it was read")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("no word of %q in:\n%v", want, err)
				}
			}
		})
	}
}

// TestArrivals: repeats draw their own, arms do not.
func TestArrivals(t *testing.T) {
	w, _ := Preset("4k-poisson")
	first := func(repeat int) (due []time.Duration) {
		for d := range w.Plan(w.Steps[0], repeat).Pacer.Dues() {
			if due = append(due, d); len(due) == 5 {
				return due
			}
		}
		return due
	}
	if cmp.Diff(first(1), first(1)) != "" || cmp.Diff(first(1), first(2)) == "" {
		t.Errorf("%v, %v", first(1), first(2))
	}
	if w.Steps[0].Arrivals.Seed != 1 || w.Plan(w.Steps[0], 1).Pacer.(pace.Arrivals).PerSecond != 2 {
		t.Error("the workload itself was changed")
	}
}

func FuzzRead(f *testing.F) {
	f.Add(whole)
	for _, w := range Presets() {
		data, _ := w.TOML()
		f.Add(string(data))
	}
	f.Fuzz(func(t *testing.T, text string) {
		w, err := Read("x", strings.NewReader(text))
		if err != nil {
			return
		}
		data, err := w.TOML()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Read("y", strings.NewReader(string(data))); err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
	})
}
