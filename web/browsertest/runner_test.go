package browsertest

import (
	"net/url"
	"strings"
	"testing"

	"assay/ingest"
	"assay/runner/enginetest"
	"assay/runner/load"
	"assay/runner/measure"
	"assay/runner/workload"
	"assay/store/evidence"
)

// arms measures a model with two types of KV cache and gives the artifacts, with the ids of
// the runs of each arm.
func arms(t *testing.T) (sources []ingest.Source, runs [2][]string) {
	t.Helper()
	w := &workload.Workload{
		Name: "pages", Class: evidence.ClassShort, API: load.Chat, Seed: 3, Repeats: 2,
		Steps:    []workload.Step{{Name: "1k", Target: 1024, Requests: 8, Concurrency: 2, Warmup: load.Span{Requests: 2}}},
		Prompt:   workload.Prompt{Kind: workload.Code, Tolerance: 0.04},
		Output:   workload.Output{Cap: 16, Mode: workload.Forced},
		Sampling: workload.Sampling{TopP: 1},
		Policy:   load.Policy{Idempotency: true, Retries: 1},
	}
	model := enginetest.Model(t, enginetest.Dims{Heads: 2, Blocks: 1, Context: 2048})
	for i, kind := range []string{"f16", "q8_0"} {
		server := enginetest.Start(t, enginetest.Options{Model: model, Slots: 2, Context: 2048, Args: []string{"-ctk", kind, "-ctv", kind, "-fa", "on"}})
		report, err := measure.Run(t.Context(), measure.Options{
			Target: load.Target{Endpoint: server.URL, Policy: w.Policy}, Campaign: "pages-of-a-real-engine", Arm: "kv-" + kind, Workload: w, Folder: t.TempDir(), NoPreflight: true, NoCalibration: true, Version: "test",
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report.Files {
			sources = append(sources, ingest.Blob(f.Run.Name+".json", "test", f.Bytes))
			digest, err := evidence.ParseDigest(f.SHA256)
			if err != nil {
				t.Fatal(err)
			}
			runs[i] = append(runs[i], evidence.RunID(digest, 0))
		}
	}
	return sources, runs
}

// TestMeasuredRunsInTheBrowser opens what a session against a real engine wrote: the run with
// its requests, and the comparison of two arms, which is ok.
func TestMeasuredRunsInTheBrowser(t *testing.T) {
	sources, runs := arms(t)
	b := newBrowser(t)
	h := newHouse(t, sources...)
	for _, look := range []struct {
		scheme string
		width  int64
	}{{"light", 1440}, {"dark", 390}} {
		b.look(look.scheme, look.width)
		b.visit(h.base + "/runs/" + runs[0][0])
		if n := eval[int](b, `document.querySelectorAll("[data-testid=samples] tbody tr").length`); n < 8 {
			t.Errorf("%d requests are listed", n)
		}
		for _, key := range []string{"kv_dtype", "engine_version", "prompt_tokens", "cache_state", "completion_mode"} {
			if !eval[bool](b, `!!document.querySelector("[data-testid=fact][data-key=`+key+`]")`) {
				t.Errorf("the page says nothing of %s", key)
			}
		}
		b.sound("a measured run")
		b.settle("a measured run")
		b.shot("measured-run-" + look.scheme)

		b.visit(h.base + "/compare?c=" + strings.Join(runs[0], ".") + "&a=" + strings.Join(runs[1], ".") + "&x=kv_dtype&f=" + url.QueryEscape("decode_rate:p50"))
		text := eval[string](b, `document.querySelector("[data-testid=compare]").innerText`)
		for _, word := range []string{"unknown", "blocked"} {
			if strings.Contains(strings.ToLower(text), word) {
				t.Errorf("the comparison of two measured arms says %s:\n%s", word, text)
			}
		}
		if !strings.Contains(text, "%") {
			t.Errorf("no difference is told:\n%s", text)
		}
		b.settle("a comparison of measured arms")
		b.shot("measured-compare-" + look.scheme)
	}
}
