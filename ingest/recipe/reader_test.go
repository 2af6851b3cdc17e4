package recipe

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/ingest/lift/lifttest"
	"assay/store/evidence"
)

func TestGolden(t *testing.T) { lifttest.GoldenText(t, TextReaders(), "*.toml") }

func FuzzReader(f *testing.F) { lifttest.FuzzText(f, TextReaders(), "*.toml") }

func read(t *testing.T, text string) *evidence.Document {
	t.Helper()
	return lifttest.ReadText(t, TextReaders(), []byte(text))
}

func fact(a evidence.Arm, k evidence.FactKey) evidence.Fact {
	for _, f := range a.Facts {
		if f.Key == k {
			return f
		}
	}
	return evidence.Fact{}
}

func codes(d *evidence.Document) string {
	var out []string
	for _, f := range d.Findings {
		out = append(out, f.Code)
	}
	return strings.Join(out, " ")
}

// TestShared reads the recipes that are handed out: every entry gives an identity.
func TestShared(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join(lifttest.Corpus(t, "corpus", "recipes"), "*.toml"))
	if len(paths) == 0 {
		t.Skip("no recipes")
	}
	arms := 0
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d := lifttest.ReadText(t, TextReaders(), data)
		if d == nil {
			t.Errorf("%s: not read", filepath.Base(path))
			continue
		}
		arms += len(d.Arms)
		if len(d.Arms) != strings.Count(string(data), "[[recipe]]") {
			t.Errorf("%s: %d arms", filepath.Base(path), len(d.Arms))
		}
		for _, a := range d.Arms {
			for _, k := range []evidence.FactKey{evidence.KeyServedModel, evidence.KeyModel, evidence.KeyModelRevision, evidence.KeyImage, evidence.KeyEngine,
				evidence.KeyTP, evidence.KeySpecMethod, evidence.KeyServedContext, evidence.KeyQuantisation, evidence.KeyMemoryFraction} {
				if f := fact(a, k); f.Value == "" || f.State == evidence.Conflict {
					t.Errorf("%s %s: %s is %q %s", filepath.Base(path), a.Name, k, f.Value, f.State)
				}
			}
		}
		for _, f := range d.Findings {
			if f.Severity != evidence.Info {
				t.Errorf("%s: %+v", filepath.Base(path), f)
			}
		}
	}
	t.Log(len(paths), "files", arms, "arms")
}

func TestDialects(t *testing.T) {
	tests := []struct {
		name, text string
		want       map[evidence.FactKey]string
	}{
		{"vllm command line", `
[[server]]
served_model_name = "a"
command = "vllm serve acme/Tiny --revision 0123456789abcdef0123456789abcdef01234567 -tp 4 --max-model-len 128k --no-enable-prefix-caching"`,
			map[evidence.FactKey]string{evidence.KeyModel: "acme/Tiny", evidence.KeyTP: "4", evidence.KeyServedContext: "128000", evidence.KeyPrefixCache: "false",
				evidence.KeyModelRevision: "0123456789abcdef0123456789abcdef01234567", evidence.KeyEngine: "vllm", evidence.KeySpecMethod: "none"}},
		{"llama.cpp", `
[box]
image = "ghcr.io/ggml-org/llama.cpp:server-cuda"
args = ["-m", "/models/tiny-Q4_K_M.gguf", "-c", "32768", "-np", "2", "-ctk", "q8_0", "--alias", "tiny", "-md", "/models/draft.gguf", "--draft-max", "8"]
model = "acme/Tiny-GGUF"`,
			map[evidence.FactKey]string{evidence.KeyModelArtifact: "/models/tiny-Q4_K_M.gguf", evidence.KeyServedContext: "32768", evidence.KeyMaxSequences: "2",
				evidence.KeyKVDtype: "q8_0", evidence.KeyServedModel: "tiny", evidence.KeyDraftModel: "/models/draft.gguf", evidence.KeyDraftDepth: "8"}},
		{"table of options", `
[serves.one]
engine = "vllm"
model = "acme/Tiny"
served-model-name = "one"
image = "x"
[serves.one.args]
tensor-parallel-size = 2
[[serves.one.flags]]
`, nil},
		{"shell line", `
[[recipe]]
model = "acme/Tiny"
image = "x"
served_model_name = "n"
engine = "sglang"
entrypoint = ["bash", "-lc", "if [ \"$(grep -c x y)\" = \"1\" ]; then echo -c 7; fi && exec python -m sglang.launch_server --tp-size 2 --context-length \"$CTX\" && echo --tp-size 9"]
env = ["CTX=4096"]`,
			map[evidence.FactKey]string{evidence.KeyTP: "2", evidence.KeyServedContext: "4096", evidence.KeySpecMethod: "none"}},
		{"table of variables", `
[recipe]
model = "acme/Tiny"
image = "x"
served_model_name = "n"
flags = ["--tensor-parallel-size 2"]
[recipe.env]
MAX_NUM_SEQS = 8
API_KEY = "` + "abcdef0123456789" + `abcdef0123456789"`,
			map[evidence.FactKey]string{evidence.KeyTP: "2", evidence.KeyMaxSequences: "8", evidence.KeyEngineEnv: "API_KEY=…[masked 32]"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := read(t, tt.text)
			if tt.want == nil {
				return
			}
			if d == nil || len(d.Arms) != 1 {
				t.Fatalf("%+v", d)
			}
			for k, want := range tt.want {
				if got := fact(d.Arms[0], k); got.Value != want || got.State == evidence.Conflict {
					t.Errorf("%s: %q %s, want %q", k, got.Value, got.State, want)
				}
			}
		})
	}
}

func TestAmbiguous(t *testing.T) {
	const one = "[[r]]\nmodel = \"acme/A\"\nimage = \"x\"\nserved_model_name = \"n\"\nflags = [\"--max-model-len 4096\"]\n"
	if d := read(t, one+one); d == nil || !strings.Contains(codes(d), CodeReused) {
		t.Errorf("a name used twice: %+v", d)
	}
	d := read(t, one+"context_tokens = 8192\n")
	if f := fact(d.Arms[0], evidence.KeyServedContext); f.State != evidence.Conflict || f.Value != "4096" || !strings.Contains(codes(d), CodeConflict) {
		t.Errorf("two contexts: %+v %s", f, codes(d))
	}
}

func TestOtherTOML(t *testing.T) {
	r := TextReaders()[0]
	for _, text := range []string{"[router]\nport = 1\nupstream = \"http://x\"\n", "served_model_name = \"a\"\n", "a = 1\na = 2\nserved_model_name = 1\n", "served_model_name"} {
		if _, ok := r.MatchText([]byte(text)); ok {
			t.Errorf("%q is no recipe", text)
		}
	}
	if r.ReasonText([]byte("[router]\nport = 1\n")) == "" || r.ReasonText([]byte("not = toml = x")) != "" || r.ReasonText([]byte("a = b")) != "" {
		t.Error("reasons")
	}
}
