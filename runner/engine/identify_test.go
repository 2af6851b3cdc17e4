package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/ingest/artifact"
	"assay/runner/load"
	"assay/store/evidence"
)

// endpoint answers paths with texts.
func endpoint(t *testing.T, pages map[string]string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, text)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func identified(t *testing.T, pages map[string]string, model string) *Identity {
	t.Helper()
	id, err := Identify(t.Context(), load.Target{Endpoint: endpoint(t, pages)}, model)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []evidence.FactKey{evidence.KeyTP, evidence.KeyModelRevision, evidence.KeyImageDigest, evidence.KeyKVDtype, evidence.KeyPath, evidence.KeyScope} {
		if x, ok := id.Facts[k]; !ok || x.How == "" {
			t.Errorf("nothing is said of %s", k)
		}
	}
	return id
}

func holds(t *testing.T, id *Identity, want map[evidence.FactKey]string) {
	t.Helper()
	for k, v := range want {
		if got := id.Facts.Get(k); got != v {
			t.Errorf("%s is %q, want %q (%s)", k, got, v, id.Facts[k].How)
		}
	}
}

func TestVLLM(t *testing.T) {
	id := identified(t, map[string]string{
		"/v1/models": `{"data":[{"id":"served","owned_by":"vllm","root":"org/model","max_model_len":32768}]}`,
		"/version":   `{"version":"0.11.2"}`,
		"/metrics":   "vllm:cache_config_info{block_size=\"16\",cache_dtype=\"fp8\",enable_prefix_caching=\"True\",gpu_memory_utilization=\"0.9\",num_gpu_blocks=\"1000\"} 1\n",
	}, "served")
	holds(t, id, map[evidence.FactKey]string{
		evidence.KeyEngine: VLLM, evidence.KeyEngineVersion: "0.11.2", evidence.KeyServedContext: "32768", evidence.KeyModel: "org/model",
		evidence.KeyKVDtype: "fp8", evidence.KeyPrefixCache: "true", evidence.KeyMemoryFraction: "0.9", evidence.KeyPath: "direct", evidence.KeyScope: "local",
	})
	if id.Context != evidence.Some[int64](32768) {
		t.Errorf("context %v", id.Context)
	}
}

func TestSGLang(t *testing.T) {
	id := identified(t, map[string]string{
		"/v1/models": `{"data":[{"id":"served","owned_by":"sglang","max_model_len":131072}]}`,
		"/server_info": `{"model_path":"/models/qwen","version":"0.5.4","tp_size":2,"dp_size":1,"kv_cache_dtype":"fp8_e4m3","context_length":131072,"max_running_requests":16,
			"mem_fraction_static":0.85,"disable_radix_cache":true,"speculative_algorithm":"NEXTN","speculative_num_steps":3,"quantization":null,"revision":null}`,
	}, "")
	holds(t, id, map[evidence.FactKey]string{
		evidence.KeyEngine: SGLang, evidence.KeyTP: "2", evidence.KeyDP: "1", evidence.KeyKVDtype: "fp8_e4m3", evidence.KeyMaxSequences: "16", evidence.KeyModel: "qwen",
		evidence.KeyPrefixCache: "false", evidence.KeySpecMethod: "nextn", evidence.KeyMTPDepth: "3", evidence.KeyMemoryFraction: "0.85", evidence.KeyQuantisation: "",
	})
}

func TestUnknownEngine(t *testing.T) {
	id := identified(t, map[string]string{"/v1/models": `{"data":[{"id":"a"},{"id":"b\u0007\u001b[2J"}]}`}, "a")
	if id.Name != "" || len(id.Limits) == 0 || id.Models[1] != "b  [2J" {
		t.Errorf("%+v", id)
	}
	holds(t, id, map[evidence.FactKey]string{evidence.KeyServedModel: "a", evidence.KeyEngine: ""})
}

func TestRefusals(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	locked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer right" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `{"data":[{"id":"a"}]}`)
	}))
	defer locked.Close()
	for _, c := range []struct {
		name   string
		target load.Target
		model  string
		want   string
	}{
		{"nobody there", load.Target{Endpoint: closed.URL}, "", "cannot be reached"},
		{"locked", load.Target{Endpoint: locked.URL, Key: "wrong"}, "", "API key"},
		{"another model", load.Target{Endpoint: locked.URL, Key: "right"}, "b", `serves ["a"]`},
		{"no address", load.Target{Endpoint: "ftp://x"}, "", "scheme"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Identify(t.Context(), c.target, c.model); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v does not tell of %q", err, c.want)
			}
		})
	}
	if id, err := Identify(t.Context(), load.Target{Endpoint: locked.URL, Key: "right"}, "a"); err != nil || id.Models[0] != "a" {
		t.Errorf("%v", err)
	}
}

// TestHostile: an endpoint that sends everything somewhere else, or without end, is one that
// does not tell.
func TestHostile(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
	defer elsewhere.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/models":
			fmt.Fprint(w, `{"data":[{"id":"a"}]}`)
		case "/props":
			http.Redirect(w, r, elsewhere.URL, http.StatusFound)
		case "/metrics":
			block := []byte(strings.Repeat("# x\n", 1<<14))
			for range 1 << 10 {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		default:
			fmt.Fprint(w, "<html>"+strings.Repeat("[", 1000))
		}
	}))
	defer server.Close()
	id, err := Identify(t.Context(), load.Target{Endpoint: server.URL}, "a")
	if err != nil || id.Name != "" {
		t.Errorf("%v, %+v", err, id)
	}
}

// probed reads a command line as that of the listening process.
func probed(kind string, args ...string) *probe {
	return &probe{client: &client{base: "http://127.0.0.1:1", http: &http.Client{}}, id: &Identity{Facts: artifact.Facts{}},
		exe: process{pid: 1, engine: kind, args: args}}
}

func TestCommandLines(t *testing.T) {
	for _, c := range []struct {
		name string
		kind string
		args string
		want map[evidence.FactKey]string
	}{
		{"vLLM with MTP on two cards", VLLM, `python3 /usr/bin/vllm serve org/m --tensor-parallel-size 2 --max_num_seqs=16 --kv-cache-dtype fp8 --port 8000 --api-key s3cret --served-model-name a b --speculative-config {"method":"qwen3_next_mtp","num_speculative_tokens":3} --no-enable-prefix-caching --max-num-batched-tokens 8192 --enforce-eager`,
			map[evidence.FactKey]string{evidence.KeyTP: "2", evidence.KeyDP: "1", evidence.KeyMaxSequences: "16", evidence.KeyKVDtype: "fp8", evidence.KeyMTPDepth: "3",
				evidence.KeySpecMethod: "qwen3_next_mtp", evidence.KeyPrefixCache: "false", evidence.KeyBatchedTokens: "8192", evidence.KeyModel: "org/m", evidence.KeyEngineOptions: "--enforce-eager"}},
		{"vLLM as it comes", VLLM, `python3 -m vllm.entrypoints.openai.api_server --model /data/m -tp 1`,
			map[evidence.FactKey]string{evidence.KeyTP: "1", evidence.KeySpecMethod: "none", evidence.KeyMTPDepth: "0", evidence.KeyModel: "m", evidence.KeyKVDtype: "auto", evidence.KeyEngineOptions: ""}},
		{"llama.cpp with a draft", LlamaCPP, `/usr/bin/llama-server -m /x/m.gguf -md /x/d.gguf --draft-max 8 -ctk q8_0 -ctv q4_0 -t 4 --host 0.0.0.0 --log-file l`,
			map[evidence.FactKey]string{evidence.KeySpecMethod: "draft", evidence.KeyDraftModel: "d.gguf", evidence.KeyDraftDepth: "8", evidence.KeyMTPDepth: "0",
				evidence.KeyKVDtype: "q8_0/q4_0", evidence.KeyTP: "1", evidence.KeyPrefixCache: "true", evidence.KeyEngineOptions: "--threads=4"}},
		{"llama.cpp splitting rows", LlamaCPP, `llama-server -m m.gguf --split-mode row`, map[evidence.FactKey]string{evidence.KeyTP: "", evidence.KeyKVDtype: "f16"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := probed(c.kind, strings.Fields(c.args)...)
			p.ctx = t.Context()
			if c.kind == VLLM {
				p.vllm()
			} else {
				p.llama()
			}
			holds(t, p.id, c.want)
		})
	}
}

func TestRedact(t *testing.T) {
	got := redact(strings.Fields("vllm serve m --api-key a b --hf-token=c --max-num-batched-tokens 5 --tokenizer x PASSWORD=y -q fp8"))
	want := strings.Fields("vllm serve m --api-key [left-out] [left-out] --hf-token=[left-out] --max-num-batched-tokens 5 --tokenizer x PASSWORD=[left-out] -q fp8")
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], "[left-out]", leftOut)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestListener finds this test's own process behind its port, and a file by its digest.
func TestListener(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	_, port := hostPort(server.URL)
	if p := listener(t.Context(), port); p.pid == 0 || len(p.args) == 0 {
		if _, err := exec.LookPath("true"); err == nil {
			t.Errorf("%+v", p)
		}
	}
	path := filepath.Join(t.TempDir(), "m.gguf")
	if err := os.WriteFile(path, []byte("weights"), 0o600); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte("weights"))
	if got, err := hashFile(t.Context(), path); err != nil || got != hex.EncodeToString(sum[:]) {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := hashFile(t.Context(), filepath.Dir(path)); err == nil {
		t.Error("a folder was hashed")
	}
}
