// Package complete_test writes the example campaign that can be signed, and checks that
// the files beside it are what it writes. Nothing of it is in the program: the files are.
//
// The campaign is made up. Its story: Qwen3.8-27B serves in BF16 on one card; the FP8
// checkpoint of the same model is to take its place. Both arms run on the same image, six
// repeats each in the order A B B A, and everything that a decision needs is retained:
// what was asked before (preflight), quality with three repetitions, a routed path and
// clients, endurance, telemetry of every arm, restoration, licence review, and the way
// back. One limitation stays.
//
// Rows of requests come from a small model of a server: one prefill at a time in order of
// arrival, a pace of its own for every answer. Every summary is formed from the rows, as
// the writers of this family do it.
//
//	go test ./assets/example/complete -run TestFiles -update
package complete_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the files")

// member and object keep the order of members, which a map would lose.
type member struct {
	name  string
	value any
}

type object []member

func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		var value bytes.Buffer
		enc := json.NewEncoder(&value)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(m.value); err != nil {
			return nil, err
		}
		b.Write(append(name, ':'))
		b.Write(bytes.TrimSpace(value.Bytes()))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

type list = []any

// file is one file of the example.
type file struct {
	folder, name string
	data         []byte
}

func document(t *testing.T, folder, name string, v object) file {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return file{folder, name, b.Bytes()}
}

func (f file) sha256() string {
	sum := sha256.Sum256(f.data)
	return hex.EncodeToString(sum[:])
}

// arm is one side of the comparison.
type arm struct {
	name, repo, revision string
	recipe               string
	short                string // in file names
	prefill, decode      float64
	usedMiB              int
	pool                 int
	watts                float64
	seed                 uint64
}

const (
	campaign = "example-2026-09-02-qwen38-27b-fp8-promotion"
	card     = "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition"
	cardMiB  = 97887
	engine   = "vllm-0.27.1"
	image    = "vllm/vllm-openai"
	digest   = "sha256:5d1c7be20f3a94861de07c4ab92f68035e1d9b7c46a2f08e53d7910cb64fa28e"
	baseURL  = "http://127.0.0.1:39101/v1"
	served   = 131072
)

var (
	bf16 = arm{name: "qwen38-27b-bf16", repo: "Qwen/Qwen3.8-27B", revision: "1d4bf0f2ff6012fd82039f2fa52739d0dd7c60c0", recipe: "recipe-bf16.toml",
		short: "bf16", prefill: 5150, decode: 25.6, usedMiB: 88204, pool: 512032, watts: 292.4, seed: 16}
	fp8 = arm{name: "qwen38-27b-fp8", repo: "Qwen/Qwen3.8-27B-FP8", revision: "017b9c7af6b5689d5dd426a76e0bc077eb5ca20a", recipe: "recipe-fp8.toml",
		short: "fp8", prefill: 8820, decode: 39.9, usedMiB: 88196, pool: 977456, watts: 288.7, seed: 8}
)

// files are the whole example. The summary comes last: it names the others by digest.
func files(t *testing.T) (all []file) {
	start := time.Date(2026, 9, 2, 8, 0, 0, 0, time.UTC)
	suites := []file{document(t, ".", "suite-science-10.json", scienceSuite()), document(t, ".", "suite-planning-4.json", planningSuite())}
	all = append(all, suites...)
	runs := map[string][]*capacityRun{}
	for i, a := range []arm{bf16, bf16, bf16, fp8, fp8, fp8, fp8, fp8, fp8, bf16, bf16, bf16} {
		r := simulate(a, len(runs[a.short])+1, start.Add(time.Duration(i)*9*time.Minute))
		runs[a.short] = append(runs[a.short], r)
		all = append(all, document(t, ".", r.file(), r.document()))
	}
	for _, a := range []arm{bf16, fp8} {
		all = append(all, a.recipeFile())
		control := document(t, ".", "thinking-control-"+a.short+".json", thinkingControl(a))
		all = append(all, control,
			document(t, ".", "preflight-"+a.short+".json", preflight(a)),
			document(t, ".", "quality-"+a.short+".json", quality(a, control, suites)),
			document(t, ".", "endurance-"+a.short+".json", endurance(a)),
			document(t, ".", "identity-"+a.short+".json", identity(a)),
			document(t, ".", "telemetry-"+a.short+".json", telemetry(a, a.usedMiB)))
	}
	all = append(all,
		document(t, ".", "routed-client-fp8.json", routed(fp8)),
		document(t, ".", "rollback-bf16.json", rollback(bf16)),
		document(t, ".", "restoration.json", restoration()),
		document(t, ".", "licence-review.json", licence()))
	all = append(all, document(t, ".", "decision-summary.json", summary(runs, all)))
	later := telemetry(fp8, 95441)
	return append(all, document(t, "../later", "telemetry-fp8-under-load.json", underLoad(later)))
}

// TestFiles: what is shipped is what the generator writes.
func TestFiles(t *testing.T) {
	want := map[string]bool{}
	for _, f := range files(t) {
		path := filepath.Join(f.folder, f.name)
		want[path] = true
		if *update {
			if err := os.WriteFile(path, f.data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatalf("%v (run this test with -update)", err)
		}
		if !bytes.Equal(got, f.data) {
			t.Errorf("%s is not what the generator writes (run this test with -update)", path)
		}
	}
	for _, folder := range []string{".", "../later"} {
		for _, pattern := range []string{"*.json", "*.toml"} {
			found, err := filepath.Glob(filepath.Join(folder, pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range found {
				if !want[path] {
					t.Errorf("%s: the generator does not write it", path)
				}
			}
		}
	}
}

// draw is a source of jitter that depends on nothing but its seeds.
type draw struct{ *rand.Rand }

func newDraw(a, b uint64) draw { return draw{rand.New(rand.NewPCG(a, b))} }

// around is a value with a relative spread, never beyond two and a half of them.
func (d draw) around(v, spread float64) float64 {
	x := max(-2.5, min(2.5, d.NormFloat64()))
	return float64(v * float64(1+float64(x*spread)))
}

// ms is a time in milliseconds to four decimals, as clients keep it.
func ms(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// rate is a rate to eight decimals.
func rate(v float64) float64 { return math.Round(v*1e8) / 1e8 }

// nearestRank is the percentile rule of this family.
func nearestRank(values []float64, q int) float64 {
	s := slices.Sorted(slices.Values(values))
	return s[max((q*len(s)+99)/100, 1)-1]
}

func sum(values []float64) (s float64) {
	for _, v := range values {
		s += v
	}
	return s
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }
