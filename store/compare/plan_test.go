package compare

import (
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"assay/store/evidence"
)

func TestPlanFor(t *testing.T) {
	control := testRun("control", map[evidence.FactKey]string{evidence.KeyOutputCap: ""})
	arm := testRun("arm \"quoted\"\n[[arm]]", map[evidence.FactKey]string{evidence.KeyConcurrency: "8", evidence.KeyMTPDepth: "3", evidence.KeyCompletionMode: ""})
	p := PlanFor(&control, &arm, Figure{evidence.E2E, evidence.P50})
	if len(p.Lifts) == 0 {
		t.Fatal("the pair is stopped; the plan lifts nothing")
	}
	text := p.TOML()
	var file struct {
		Version  int
		Repeats  int
		Question string
		Minutes  float64 `toml:"estimated_gpu_minutes"`
		Workload map[string]map[string]any
		Arm      []struct {
			Name, Role string
			LikeRun    string `toml:"like_run"`
			Expect     map[string]any
		}
	}
	if err := toml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if file.Version != 1 || file.Repeats != 6 || len(file.Arm) != 2 || file.Arm[1].Name != arm.Arm || file.Arm[0].Role != "control" {
		t.Errorf("file %+v", file)
	}
	main := file.Workload["main"]
	if main["concurrency"] != int64(1) || main["output_cap"] != int64(256) {
		t.Errorf("the shape is the control's, and the arm's where the control is silent: %v", main)
	}
	if file.Arm[1].Expect["mtp_depth"] != int64(3) || file.Arm[0].Expect["mtp_depth"] != int64(0) {
		t.Errorf("the arms lost what tells them apart: %+v", file.Arm)
	}
	// 10 requests at 2 s one by one, and 10 at concurrency 8 in two rounds.
	if want := 6.0 * (20 + 4) / 60; !p.Minutes.OK || p.Minutes.V != want {
		t.Errorf("minutes %v, want %v", p.Minutes, want)
	}
}

func TestPlanSaysWhatIsOpen(t *testing.T) {
	lacks := map[evidence.FactKey]string{evidence.KeyThinking: "", evidence.KeyOutputCap: ""}
	control, arm := testRun("control", lacks), testRun("arm", lacks)
	p := PlanFor(&control, &arm, Figure{evidence.E2E, evidence.P50})
	var keys []string
	for _, k := range p.Open {
		keys = append(keys, string(k.Key))
	}
	if strings.Join(keys, " ") != "output_cap thinking" {
		t.Errorf("open: %v", keys)
	}
	if !strings.Contains(p.TOML(), "# thinking = ...") {
		t.Errorf("the file does not say what to state:\n%s", p.TOML())
	}
}

// TestTOMLTextCannotEscape: evidence is hostile.
func TestTOMLTextCannotEscape(t *testing.T) {
	for _, s := range []string{`"`, `\`, "a\nb", "\"\n[x]\ny = \"", "\x00", "\u202e", "\xff", `"""`, "#", "]", "tab\t"} {
		var got struct{ V string }
		if err := toml.Unmarshal([]byte("v = "+tomlText(s)+"\n"), &got); err != nil {
			t.Errorf("%q: %v", s, err)
		} else if got.V != strings.ToValidUTF8(s, "\uFFFD") {
			t.Errorf("%q came back as %q", s, got.V)
		}
	}
}
