package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/ingest/artifact"
	"assay/runner/enginetest"
	"assay/store/evidence"
)

// twoArms is what two arms of a real engine are put to: a 4K step as capacity runs have it, and
// a context ladder; the model talks nonsense, so no code comes back from it.
const twoArms = `name = "two-arms"
class = "short-capacity"
repeats = 6
[[steps]]
name = "4k-c1"
target = 4096
requests = 6
concurrency = 1
[[steps]]
name = "1k-c4"
target = 1024
requests = 8
concurrency = 4
warmup = 2
[[steps]]
name = "512"
target = 512
requests = 6
concurrency = 1
[prompt]
canary = false
tolerance = 0.04
[output]
cap = 24
mode = "forced"
[thinking]
enabled = false
[preflight]
retrieval = [512]
burst = 4
reserve = 256
`

// verdictJSON is what compare prints.
type verdictJSON struct {
	Verdict string
	Reasons []struct{ Rule, Verdict, Key, Message string }
	Left    struct{ Value *float64 }
	Right   struct{ Value *float64 }
}

// TestTwoArmsOfARealEngine measures one model with two types of KV cache, takes the artifacts
// in, and compares the arms: every fact that a rule asks about is known, and the verdict is ok but
// for what lies in a metric itself.
func TestTwoArmsOfARealEngine(t *testing.T) {
	if testing.Short() {
		t.Skip("measures two engines")
	}
	const slots, room = 4, 5120
	model := enginetest.Model(t, enginetest.Dims{Heads: 2, Blocks: 1, FeedForward: 64, Context: room})
	db, out := filepath.Join(t.TempDir(), "assay.db"), t.TempDir()
	file := filepath.Join(out, "two-arms.toml")
	if err := os.WriteFile(file, []byte(twoArms), 0o644); err != nil {
		t.Fatal(err)
	}
	first := map[string]*artifact.Run{} // by arm and step, of the first repeat
	for _, arm := range []struct {
		name string
		args []string
	}{{"kv-f16", []string{"-ctk", "f16", "-ctv", "f16", "-fa", "on"}}, {"kv-q8", []string{"-ctk", "q8_0", "-ctv", "q8_0", "-fa", "on"}}} {
		server := enginetest.Start(t, enginetest.Options{Model: model, Slots: slots, Context: room, Args: arm.args})
		folder := filepath.Join(out, arm.name)
		var stdout bytes.Buffer
		code, stderr := call(t.Context(), &stdout, "--db", db, "run", "--endpoint", server.URL, "--model", enginetest.ModelName, "--workload", file,
			"--campaign", "engine-test", "--arm", arm.name, "--out", folder, "--no-calibration")
		if code != exitOK {
			t.Fatalf("%s: exit %d\n%s\n%s", arm.name, code, stderr, stdout.String())
		}
		files, err := filepath.Glob(filepath.Join(folder, "*.json"))
		if err != nil || len(files) != 3*6 {
			t.Fatalf("%s: %d artifacts (%v)\n%s", arm.name, len(files), err, stderr)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			run, err := artifact.Decode(data)
			if err != nil {
				t.Fatalf("%s: %v", f, err)
			}
			asAsked(t, run)
			if run.Repeat == 1 {
				first[arm.name+"/"+strings.TrimPrefix(run.Workload.Name, "two-arms/")] = run
			}
		}
	}
	for _, step := range []string{"4k-c1", "1k-c4", "512"} {
		for _, metric := range []string{"tpot", "ttft", "decode_rate", "effective_prefill_rate", "e2e"} {
			judgedOK(t, db, first["kv-f16/"+step].Name, first["kv-q8/"+step].Name, metric, out)
		}
	}
}

// asAsked holds a run against what it was asked: nothing failed, prompts and answers are as
// long as they should be, and what identifies the arm is known.
func asAsked(t *testing.T, run *artifact.Run) {
	t.Helper()
	for _, g := range run.Gates {
		if slices.Contains([]string{"requests", "prompt-tokens", "forced-output"}, g.Name) && g.Status != "passed" {
			t.Errorf("%s: gate %s is %s: %s", run.Name, g.Name, g.Status, g.Detail)
		}
	}
	for _, k := range []evidence.FactKey{evidence.KeyEngine, evidence.KeyEngineVersion, evidence.KeyKVDtype, evidence.KeyServedContext, evidence.KeyMaxSequences,
		evidence.KeyModel, evidence.KeyTP, evidence.KeyMTPDepth, evidence.KeySpecMethod, evidence.KeyGPUProduct, evidence.KeyGPUCount, evidence.KeyPath,
		evidence.KeyScope, evidence.KeyPromptTokens, evidence.KeyCachedFraction, evidence.KeyCacheState, evidence.KeyThinking, evidence.KeyPrefixCache} {
		if run.Facts.Get(k) == "" {
			t.Errorf("%s: %s is not known: %s", run.Name, k, run.Facts[k].How)
		}
	}
}

func judgedOK(t *testing.T, db, left, right, metric, folder string) {
	t.Helper()
	ref := func(name string) string {
		files, _ := filepath.Glob(filepath.Join(folder, "*", name+".json"))
		if len(files) != 1 {
			t.Fatalf("%d files named %s", len(files), name)
		}
		return files[0]
	}
	var stdout bytes.Buffer
	code, stderr := call(t.Context(), &stdout, "--db", db, "compare", "--json", "--metric", metric, "--stat", "p50", "--axis", "kv_dtype", ref(left), ref(right))
	var c verdictJSON
	if err := json.Unmarshal(stdout.Bytes(), &c); err != nil {
		t.Fatalf("compare %s: exit %d: %v\n%s\n%s", metric, code, err, stdout.String(), stderr)
	}
	want := "ok"
	for _, r := range c.Reasons {
		switch {
		case r.Verdict == "note":
		case r.Rule == "M-TTFT-PREFILL": // it lies in the metric, whatever is known
			want = "caveat"
		default:
			t.Errorf("%s against %s, %s: %+v", left, right, metric, r)
		}
	}
	if code != exitOK || c.Verdict != want || c.Left.Value == nil || c.Right.Value == nil {
		t.Errorf("%s against %s, %s: exit %d, verdict %s, reasons %+v", left, right, metric, code, c.Verdict, c.Reasons)
	}
}
