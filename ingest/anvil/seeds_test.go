package anvil

import (
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// seeds are the published documents these readers were made for. They are not part of
// the repository.
func seeds(t testing.TB) map[string][]byte {
	t.Helper()
	out := documentsOfCorpus(t)
	if len(out) == 0 {
		t.Skip("no corpus: set ASSAY_CORPUS to read the published documents")
	}
	return out
}

// documentsOfCorpus is empty where there is no corpus.
func documentsOfCorpus(t testing.TB) map[string][]byte {
	t.Helper()
	dir := os.Getenv("ASSAY_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	names, err := filepath.Glob(filepath.Join(dir, "corpus", "seeds", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, n := range names {
		data, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(n)] = data
	}
	return out
}

// loose is a document as encoding/json gives it: nothing of ours has touched it.
func loose(t *testing.T, data []byte) map[string]any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	var v map[string]any
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSeedsWhole(t *testing.T) {
	for name, data := range seeds(t) {
		t.Run(name, func(t *testing.T) {
			d, n := mustRead(t, data)
			for _, p := range Unaccounted(d, n) {
				t.Errorf("nothing carries the number at %s", where(p))
			}
			for _, x := range d.NotLifted {
				if x.Reason == evidence.ReasonUnread {
					t.Errorf("%s is not read: %s", where(x.Place), x.Text)
				}
			}
			for _, f := range d.Findings {
				if f.Severity != evidence.Info {
					t.Errorf("finding %+v", f)
				}
			}
			checkInvariants(t, d, n)
		})
	}
}

// figureAt finds the primary figure that stands at a place of its own.
func figureAt(d evidence.Document, p evidence.Pointer) (evidence.Run, evidence.Measurement, int) {
	var run evidence.Run
	var found evidence.Measurement
	n := 0
	for _, a := range d.Arms {
		for _, r := range a.Runs {
			for _, m := range r.Measurements {
				if m.Role == evidence.Primary && m.Place == evidence.At(p) {
					run, found, n = r, m, n+1
				}
			}
		}
	}
	return run, found, n
}

// exactly checks a figure against the number as it stands, scaled as a fraction.
func exactly(t *testing.T, p evidence.Pointer, m evidence.Measurement, text, scale string) {
	t.Helper()
	want, ok1 := new(big.Rat).SetString(text)
	factor, ok2 := new(big.Rat).SetString(scale)
	if !ok1 || !ok2 {
		t.Fatalf("%s: bad number %q or scale %q", p, text, scale)
	}
	f, _ := want.Mul(want, factor).Float64()
	if m.SourceText != text || !m.Value.OK || m.Value.V != f {
		t.Errorf("%s: %q gives %v as %q, want %v", p, text, m.Value, m.SourceText, f)
	}
}

func TestSeedMatrix(t *testing.T) {
	want := map[string]struct {
		metric evidence.MetricID
		stat   evidence.Stat
		scale  string
		n      int64
	}{
		"short/ttft_p50_ms": {evidence.TTFT, evidence.P50, "1/1000", 10}, "short/ttft_p95_ms": {evidence.TTFT, evidence.P95, "1/1000", 10},
		"short/prefill_tok_s_p50": {evidence.EffectivePrefillRate, evidence.P50, "1", 10},
		"short/decode_tok_s_p50":  {evidence.DecodeRate, evidence.P50, "1", 10}, "short/e2e_p50_ms": {evidence.E2E, evidence.P50, "1/1000", 10},
		"long/prompt_tokens": {evidence.PromptTokens, evidence.Single, "1", 1}, "long/ttft_s": {evidence.TTFT, evidence.Single, "1", 1},
		"long/prefill_tok_s": {evidence.EffectivePrefillRate, evidence.Single, "1", 1},
		"long/decode_tok_s":  {evidence.DecodeRate, evidence.Single, "1", 1},
		"kv_tokens":          {evidence.KVPoolTokens, evidence.Total, "1", 0},
	}
	seen := 0
	for _, data := range seeds(t) {
		doc := loose(t, data)
		rows, ok := doc["results"].([]any)
		if !ok {
			continue
		}
		d, _ := mustRead(t, data)
		if len(d.Arms) != len(rows) {
			t.Fatalf("%d arms of %d rows", len(d.Arms), len(rows))
		}
		for i, row := range rows {
			for path, w := range want {
				p := evidence.Pointer("").Key("results").Index(i)
				v := row
				for _, k := range strings.Split(path, "/") {
					v, p = v.(map[string]any)[k], p.Key(k)
				}
				run, m, n := figureAt(d, p)
				if n != 1 || m.Metric != w.metric || m.Stat != w.stat || m.N.V != w.n || m.State != evidence.Recorded {
					t.Errorf("%s: %d figures, %s", p, n, figureLine(m))
					continue
				}
				exactly(t, p, m, string(v.(json.Number)), w.scale)
				if !p.Under(run.Place.Pointer) {
					t.Errorf("%s belongs to the run at %s", p, where(run.Place))
				}
				seen++
			}
		}
	}
	if seen != 16*10 {
		t.Errorf("%d figures were checked", seen)
	}
}

func TestSeedTable(t *testing.T) {
	metrics := map[string]struct {
		metric evidence.MetricID
		scale  string
	}{
		"ttft_ms": {evidence.TTFT, "1/1000"}, "effective_prefill_tok_s": {evidence.EffectivePrefillRate, "1"}, "decode_tok_s": {evidence.DecodeRate, "1"},
		"tpot_mean_itl_ms": {evidence.TPOT, "1/1000"}, "e2e_ms": {evidence.E2E, "1/1000"},
	}
	stats := map[string]evidence.Stat{"mean": evidence.Mean, "p50": evidence.P50, "p95": evidence.P95, "p99": evidence.P99}
	singles := map[string]evidence.MetricID{
		"aggregate_tok_s": evidence.OutputThroughput, "matched_no_spec_aggregate_tok_s": evidence.OutputThroughput,
		"active_mtp_accepted_draft_token_fraction": evidence.AcceptRate,
	}
	seen := 0
	for _, data := range seeds(t) {
		doc := loose(t, data)
		if doc["optimization_results"] == nil {
			continue
		}
		d, _ := mustRead(t, data)
		for i, row := range doc["headline_results"].([]any) {
			p := evidence.Pointer("").Key("headline_results").Index(i)
			for name, v := range row.(map[string]any) {
				if metric, ok := metrics[name]; ok {
					for s, x := range v.(map[string]any) {
						_, m, n := figureAt(d, p.Key(name).Key(s))
						if n != 1 || m.Metric != metric.metric || m.Stat != stats[s] || m.N.V != 100 {
							t.Errorf("%s/%s: %d figures, %s", p.Key(name), s, n, figureLine(m))
						}
						exactly(t, p.Key(name).Key(s), m, string(x.(json.Number)), metric.scale)
						seen++
					}
				}
				if metric, ok := singles[name]; ok && v != nil {
					_, m, n := figureAt(d, p.Key(name))
					if n != 1 || m.Metric != metric || m.Stat != evidence.Total {
						t.Errorf("%s: %d figures, %s", p.Key(name), n, figureLine(m))
					}
					exactly(t, p.Key(name), m, string(v.(json.Number)), "1")
					seen++
				}
			}
		}
		seen += checkScreens(t, d, doc["optimization_results"].(map[string]any))
		checkInterval(t, d)
	}
	if seen != 5*4*4+2*4+4+1+1+9 {
		t.Errorf("%d figures were checked", seen)
	}
}

// checkScreens looks for every number of the screens under its member.
func checkScreens(t *testing.T, d evidence.Document, screens map[string]any) int {
	t.Helper()
	seen := 0
	check := func(p evidence.Pointer, v any) {
		if x, ok := v.(json.Number); ok {
			_, m, n := figureAt(d, p)
			if n != 1 || m.Metric != evidence.OutputThroughput || m.Stat != evidence.Total || m.N.V != 16 {
				t.Errorf("%s: %d figures, %s", p, n, figureLine(m))
			}
			exactly(t, p, m, string(x), "1")
			seen++
		}
	}
	for name, v := range screens {
		p := evidence.Pointer("/optimization_results").Key(name)
		check(p, v)
		if group, ok := v.(map[string]any); ok {
			for k, x := range group {
				check(p.Key(k), x)
			}
		}
	}
	return seen
}

func checkInterval(t *testing.T, d evidence.Document) {
	t.Helper()
	_, m, n := figureAt(d, "/headline_results/1/aggregate_tok_s_lower_bound")
	want := []evidence.Place{evidence.At("/headline_results/1/aggregate_tok_s_upper_bound"), evidence.At("/headline_results/1/aggregate_tok_s")}
	if n != 1 || m.Value.OK || m.Lower.V != 1401.7693 || m.Upper.V != 1423.4125 || m.SourceText != "1401.7693 to 1423.4125" ||
		len(m.Also) != 2 || m.Also[0] != want[0] || m.Also[1] != want[1] {
		t.Errorf("the interval is %s", figureLine(m))
	}
}

// A figure of a sentence: digits that no letter, digit, dot or underscore touches from
// the left. Statistic and metric names and products fall out by that.
var sentenceFigure = regexp.MustCompile(`(^|[^\w.])(\d[\d,]*(?:\.\d+)?)`)

// TestSeedSentences looks for every figure of the narrative's sentences, found by a
// plain pattern, among the measurements and facts.
func TestSeedSentences(t *testing.T) {
	seen := 0
	for _, data := range seeds(t) {
		doc := loose(t, data)
		if doc["workload"] == nil {
			continue
		}
		d, _ := mustRead(t, data)
		sentences := map[evidence.Pointer]string{}
		statistics := doc["measurement"].(map[string]any)["statistics"].([]any)
		for i, s := range statistics[1:] {
			sentences[evidence.Pointer("/measurement/statistics").Index(i+1)] = s.(string)
		}
		for i, s := range doc["headline_results"].([]any) {
			sentences[evidence.Pointer("/headline_results").Index(i)] = s.(string)
		}
		for p, s := range sentences {
			for _, at := range sentenceFigure.FindAllStringSubmatchIndex(s, -1) {
				if carrier := carries(d, p, at[4], at[5], s[at[4]:at[5]]); carrier == "" {
					t.Errorf("%s: %q at %d is no measurement and no fact", p, s[at[4]:at[5]], at[4])
				}
				seen++
			}
		}
	}
	if seen != 6+6+3+3+3+5+2+3+2 {
		t.Errorf("%d figures were checked", seen)
	}
}

func carries(d evidence.Document, p evidence.Pointer, start, end int, digits string) string {
	place := evidence.InText(p, start, end)
	for _, a := range d.Arms {
		for _, r := range a.Runs {
			for _, m := range r.Measurements {
				if m.Place == place && m.SourceText == digits {
					return string(m.Metric)
				}
			}
			for _, f := range r.Facts {
				if f.Place.Pointer == p && f.Place.Start <= start && end <= f.Place.End && strings.Contains(f.SourceText, digits) {
					return string(f.Key)
				}
			}
		}
	}
	return ""
}

// TestSeedClaims checks sign and inputs of the published changes.
func TestSeedClaims(t *testing.T) {
	type claim struct {
		value  float64
		inputs int
	}
	want := map[string]claim{
		"/headline_results/2/performance_delta_vs_tp1_percent": {-0.231, 2}, "/headline_results/4/matched_delta_percent": {0.597, 2},
		"/gates/2/detail 23.1": {-0.231, 2}, "/headline_results/3/tradeoff 46.9": {-0.469, 2}, "/headline_results/3/tradeoff 2.3": {-0.023, 2},
		"/headline_results/3/tradeoff 6.8": {0.068, 2}, "/optimization_results/selection_reason 14.2": {-0.142, 0},
		"/headline_results/0 120.4": {1.204, 2}, "/headline_results/1 33.7": {-0.337, 2},
	}
	got := map[string]claim{}
	for _, data := range seeds(t) {
		d, _ := mustRead(t, data)
		for _, a := range d.Arms {
			for _, r := range a.Runs {
				for _, m := range r.Measurements {
					if m.Role == evidence.Claim {
						k := string(m.Place.Pointer)
						if !m.Place.Whole() {
							k += " " + m.SourceText
						}
						got[k] = claim{m.Value.V, len(m.Also)}
					}
				}
			}
		}
	}
	for k, w := range want {
		if got[k] != w {
			t.Errorf("%s: %+v, want %+v", k, got[k], w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d claims: %v", len(got), got)
	}
}

// TestSeedRoot reads the documents as values of a stream: places are absolute.
func TestSeedRoot(t *testing.T) {
	for name, data := range seeds(t) {
		n := jsondoc.Parse(data, jsondoc.Limits{}).Root()
		d, _ := read(t, n, "/7")
		if missing := Unaccounted(d, n); len(missing) > 0 {
			t.Errorf("%s: %d numbers are carried by nothing", name, len(missing))
		}
		for _, a := range d.Arms {
			if !a.Place.Pointer.Under("/7") {
				t.Errorf("%s: arm at %s", name, where(a.Place))
			}
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, name := range fixtures {
		data := fixture(b, name)
		n := parse(b, data)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				read(b, n, "")
			}
		})
	}
}
