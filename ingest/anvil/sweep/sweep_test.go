package sweep

import (
	"testing"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"

	"github.com/google/go-cmp/cmp"
)

// TestNumberReason: the end of a name tells what a number is, and a name that says nothing
// tells nothing.
func TestNumberReason(t *testing.T) {
	for name, want := range map[string]string{
		"free_bytes_before": evidence.ReasonDiagnostic, "memory_used_mib": evidence.ReasonDiagnostic, "elapsed_seconds": evidence.ReasonDiagnostic,
		"cpu_to_gpu_seconds_delta": evidence.ReasonDiagnostic, "num_accepted_tokens": evidence.ReasonDiagnostic, "requests_running": evidence.ReasonDiagnostic,
		"max_num_seqs": evidence.ReasonEcho, "sampleRateHz": evidence.ReasonEcho, "gpu_memory_utilization": evidence.ReasonEcho, "BLOCK_SIZE_M": evidence.ReasonEcho,
		"num_speculative_tokens": evidence.ReasonEcho, "temperature": evidence.ReasonEcho, "data_parallel_size": evidence.ReasonEcho,
		"http_status": evidence.ReasonIdentifier, "pid": evidence.ReasonIdentifier, "request_index": evidence.ReasonIdentifier, "ExitCode": evidence.ReasonIdentifier,
		"created_at": evidence.ReasonTimestamp, "foo": "", "": "", "free_bytes_x": evidence.ReasonDiagnostic, "kv_x": "",
	} {
		if got := numberReason(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestNumberText(t *testing.T) {
	for text, want := range map[string]bool{
		"20/20": true, "32607 MiB": true, "2026-07": true, "81729-82089": true, "1.5 GiB": true, "12.5%": true,
		"": false, "9.1.2": false, "v3": false, "0/4; the rest failed": false, "abc": false, "12": false, "2026-07-01": false, "600.10": false, "8x": false,
	} {
		if got := numberText(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if !figureText("memory_used_mib", "12") || figureText("driver", "600.10") || figureText("prompt", "12") {
		t.Error("a number under the name of a figure is one, under another it is not")
	}
}

func TestFigureNames(t *testing.T) {
	want := func(m evidence.MetricID, s evidence.Stat, unit string) lift.Want {
		return lift.Want{Metric: m, Stat: s, Unit: unit}
	}
	for name, x := range map[string]Figure{
		"ttft_p50_ms":                           {Want: want(evidence.TTFT, evidence.P50, "ms")},
		"decode_tok_s_p50":                      {Want: want(evidence.DecodeRate, evidence.P50, "tok/s")},
		"mean_inter_token_latency_ms_p95":       {Want: want(evidence.TPOT, evidence.P95, "ms")},
		"time_to_first_output_p50_ms":           {Want: want(evidence.TTFO, evidence.P50, "ms")},
		"throughput_tok_s":                      {Want: want(evidence.OutputThroughput, "", "tok/s")},
		"c4_aggregate_decode_tokens_per_second": {Want: want(evidence.OutputThroughput, "", "tok/s"), Concurrency: "4"},
		"4k_c1_decode_p50_tps":                  {Want: want(evidence.DecodeRate, evidence.P50, "tok/s"), Concurrency: "1", Context: "4k"},
		"largest_ttft_ms":                       {Want: want(evidence.TTFT, evidence.Single, "ms")},
		"gpu_kv_cache_tokens":                   {Want: want(evidence.KVPoolTokens, "", "tokens")},
		"reply_chars":                           {Rest: []string{"reply", "chars"}},
		"ttft_p50_ms_x":                         {Want: want(evidence.TTFT, evidence.P50, "ms"), Rest: []string{"x"}},
	} {
		if diff := cmp.Diff(x, Read(name)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestFilesAndRepositories(t *testing.T) {
	for text, want := range map[string]bool{
		"runs/one.json": true, `C:\runs\one.json`: true, "one.sha256": true, "https://example.org/one.json": false, ".json": false, "one json": false, "a b.json": false,
	} {
		if got := IsFile(text); got != want {
			t.Errorf("file %q: %v", text, got)
		}
	}
	for text, want := range map[string]bool{"acme/Granite-30B": true, "granite": false, "a/b/c": false, "/x": false, "acme/engine:one": false, "a b/c": false} {
		if got := IsRepository(text); got != want {
			t.Errorf("repository %q: %v", text, got)
		}
	}
	if start, end, ok := fileIn("seen in run-1.json: all passed"); !ok || start != 8 || end != 18 {
		t.Errorf("%d %d %v", start, end, ok)
	}
}

// TestDigests pairs digests with the files beside them, and nothing with what is none.
func TestDigests(t *testing.T) {
	const sum = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
	v := jsondoc.Parse([]byte(`{"a":{"path":"one.json","sha256":"`+sum+`"},"b":{"source":"two.json","source_sha256":"sha256:`+sum+`"},
		"three.md":"`+sum+`","d":{"sha256":"`+sum+`"},"e":{"path":"four.json","sha256":"short"}}`), jsondoc.Limits{}).Root()
	s := &Sweep{Doc: lift.New(v, "", evidence.Document{}, Paths)}
	s.Rest(s.Top)
	got := map[string]bool{}
	for _, r := range s.Finish().References {
		got[r.Name] = r.SHA256.OK
	}
	if diff := cmp.Diff(map[string]bool{"one.json": true, "two.json": true, "three.md": true, "four.json": false}, got); diff != "" {
		t.Error(diff)
	}
}

// TestIdentityIsOfWhatWasServed: the same names in lists and in blocks about other services
// say nothing of what was under test.
func TestIdentityIsOfWhatWasServed(t *testing.T) {
	v := jsondoc.Parse([]byte(`{"runtime":{"model":"acme/Granite","max_model_len":4096},"router":{"image":"acme/router:1","model":"other/Basalt"},
		"profiles":[{"model":"other/Basalt"}]}`), jsondoc.Limits{}).Root()
	s := &Sweep{Doc: lift.New(v, "", evidence.Document{}, Paths)}
	s.Facts = &s.Doc.Facts
	s.Rest(s.Top)
	d := s.Finish()
	got := map[evidence.FactKey]string{}
	for _, f := range d.Facts {
		got[f.Key] = f.Value
	}
	if diff := cmp.Diff(map[evidence.FactKey]string{evidence.KeyModel: "acme/Granite", evidence.KeyServedContext: "4096"}, got); diff != "" {
		t.Error(diff)
	}
}
