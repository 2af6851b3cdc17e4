package web_test

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"assay/assets/example"
	"assay/store/evidence"
)

const matrixedID = "2031-04-03-tp-mtp"

// matrixRows are the arms of the example matrix as they stand in it.
type matrixRows struct {
	Results []struct {
		Checkpoint       string
		TP, Context, MTP int64
		KV               json.Number `json:"kv_tokens"`
		Short, Long      map[string]any
	}
}

func matrixSource(t testing.TB) matrixRows {
	t.Helper()
	docs, err := example.Documents()
	if err != nil {
		t.Fatal(err)
	}
	var source matrixRows
	for _, d := range docs {
		if strings.Contains(d.Name, "matrix") {
			dec := json.NewDecoder(strings.NewReader(string(d.Data)))
			dec.UseNumber()
			if err := dec.Decode(&source); err != nil {
				t.Fatal(err)
			}
		}
	}
	return source
}

// matrixed lays the sixteen arms of the example matrix out as a reader would.
func matrixed(t testing.TB, f *fake) *build {
	t.Helper()
	source := matrixSource(t)
	b := newBuild(f, matrixedID, "matrixed")
	for i, r := range source.Results {
		root := evidence.Pointer("/results").Index(i)
		shared := []evidence.FactRow{
			b.fact(evidence.KeyCheckpoint, r.Checkpoint, string(root.Key("checkpoint"))), b.fact(evidence.KeyTP, strconv.FormatInt(r.TP, 10), string(root.Key("tp"))),
			b.fact(evidence.KeyServedContext, strconv.FormatInt(r.Context, 10), string(root.Key("context"))), b.fact(evidence.KeyMTPDepth, strconv.FormatInt(r.MTP, 10), string(root.Key("mtp"))),
			b.fact(evidence.KeyGPUProduct, "Card Pro", "/hardware/product"), b.fact(evidence.KeyGPUCount, strconv.FormatInt(r.TP, 10), string(root.Key("tp"))),
			b.fact(evidence.KeyKVDtype, "fp8", "/runtime/kv_cache_dtype"), b.fact(evidence.KeyProtocol, "p1", "/protocol"), b.fact(evidence.KeyThinking, "disabled", "/runtime/thinking"),
			b.fact(evidence.KeyPromptBurst, "false", "/runtime/burst"), b.fact(evidence.KeyTimingBoundary, "ttft", "/runtime/timing"),
		}
		arm := r.Checkpoint + " tp" + strconv.FormatInt(r.TP, 10) + " mtp" + strconv.FormatInt(r.MTP, 10) + " " + strconv.FormatInt(r.Context, 10)
		figure := func(part string, m evidence.MetricID, s evidence.Stat, member, unit string, n int64) evidence.Measurement {
			from := map[string]any{"kv_tokens": r.KV}
			place := root
			if part != "" {
				from, place = map[string]map[string]any{"short": r.Short, "long": r.Long}[part], root.Key(part)
			}
			text := from[member].(json.Number).String()
			v, u, err := evidence.ToBase(text, unit)
			if err != nil {
				t.Fatal(err)
			}
			x := value(m, s, v, u, n, text, unit)
			x.Place = evidence.At(place.Key(member))
			return x
		}
		load := func(requests, context string) []evidence.FactRow {
			return append(append([]evidence.FactRow{}, shared...), b.fact(evidence.KeyRequests, requests, "/protocol/short"), b.fact(evidence.KeyConcurrency, "1", "/protocol/short"),
				b.fact(evidence.KeyContextTarget, context, "/protocol/short"), b.fact(evidence.KeyOutputCap, "256", "/protocol/short"))
		}
		b.run(arm, "results", evidence.ClassShort, append(load("10", "4096"), b.fact(evidence.KeyPromptTokens, "3600", "/protocol/short")),
			figure("short", evidence.TTFT, evidence.P50, "ttft_p50_ms", "ms", 10), figure("short", evidence.TTFT, evidence.P95, "ttft_p95_ms", "ms", 10),
			figure("short", evidence.EffectivePrefillRate, evidence.P50, "prefill_tok_s_p50", "tok/s", 10), figure("short", evidence.DecodeRate, evidence.P50, "decode_tok_s_p50", "tok/s", 10),
			figure("short", evidence.E2E, evidence.P50, "e2e_p50_ms", "ms", 10))
		b.run(arm, "results", evidence.ClassLong, append(load("1", strconv.FormatInt(r.Context, 10)), b.fact(evidence.KeyPromptTokens, r.Long["prompt_tokens"].(json.Number).String(), string(root.Key("long").Key("prompt_tokens")))),
			figure("long", evidence.TTFT, evidence.Single, "ttft_s", "s", 1), figure("long", evidence.EffectivePrefillRate, evidence.Single, "prefill_tok_s", "tok/s", 1),
			figure("long", evidence.DecodeRate, evidence.Single, "decode_tok_s", "tok/s", 1))
		b.run(arm, "results", evidence.ClassStartup, shared, figure("", evidence.KVPoolTokens, evidence.Total, "kv_tokens", "tokens", 0))
	}
	d := b.doc("TP × MTP × context")
	b.close(d)
	return b
}

func matrixSite(t *testing.T) (http.Handler, string) {
	f := laboratory()
	matrixed(t, f)
	return site(t, f), "/campaigns/" + matrixedID + "/matrix"
}

func some(d doc, want func(*html.Node) bool) bool { return len(d.all(want)) > 0 }

func TestMatrixShowsEveryFigureWithItsSource(t *testing.T) {
	s, path := matrixSite(t)
	for query, pointers := range map[string]string{
		"":                                    "/short/decode_tok_s_p50",
		"?metric=ttft&stat=p95&class=short":   "/short/ttft_p95_ms",
		"?metric=ttft&stat=single&class=long": "/long/ttft_s",
		"?metric=kv_pool_tokens":              "/kv_tokens",
		"?metric=effective_prefill_rate&class=long": "/long/prefill_tok_s",
	} {
		d := get(t, s, path+query)
		main := d.one("matrix-m1")
		seen := map[string]bool{}
		for _, a := range under(main, func(n *html.Node) bool { return n.Data == "a" && strings.HasPrefix(attr(n, "href"), "/artifact/") }) {
			seen[attr(a, "href")] = true
		}
		for i := range 16 {
			want := "p=" + strings.ReplaceAll("/results/"+strconv.Itoa(i)+pointers, "/", "%2F") + "#place"
			found := false
			for h := range seen {
				found = found || strings.HasSuffix(h, want)
			}
			if !found {
				t.Errorf("%s: no figure opens %s", query, want)
			}
		}
	}
}

func TestMatrixEffects(t *testing.T) {
	s, path := matrixSite(t)
	page := get(t, s, path)
	main := page.one("matrix-m1")
	said := text(main)
	// MTP 3 against MTP 0, then TP 2 against TP 1 at MTP 0 and at MTP 3.
	for _, want := range []string{"+140.3%", "+110.6%", "+98.9%", "+86.7%", "+96.6%", "+76.0%", "+86.6%", "+86.0%", "+39.1%", "+21.9%", "+2.5%", "−8.2%"} {
		if !strings.Contains(said, want) {
			t.Errorf("effect %s is not there", want)
		}
	}
	if n := strings.Count(said, "not run"); n < 4 {
		t.Errorf("%d holes say that nothing was run", n)
	}
	if n := strings.Count(said, "no TP 1 control, so no effect"); n != 4 {
		t.Errorf("%d holes name the missing control, want 4", n)
	}
	if strings.Count(said, "worse") != 1 || strings.Count(said, "better") < 11 {
		t.Errorf("better and worse: %s", said)
	}
	for _, a := range under(main, func(n *html.Node) bool { return n.Data == "a" && strings.HasPrefix(attr(n, "href"), "#w") }) {
		id := strings.TrimPrefix(attr(a, "href"), "#")
		if len(page.all(func(n *html.Node) bool { return attr(n, "id") == id })) != 1 {
			t.Errorf("no working %s", id)
		}
	}
}

func TestOneObservationIsNeverJudged(t *testing.T) {
	s, path := matrixSite(t)
	d := get(t, s, path+"?class=long")
	main := d.one("matrix-m1")
	for _, td := range under(main, func(n *html.Node) bool { return n.Data == "td" }) {
		if regexp.MustCompile(`\bq[1-5]\b`).MatchString(attr(td, "class")) {
			t.Error("one observation is shaded")
		}
	}
	said := strings.ReplaceAll(text(main), "higher is better", "")
	if strings.Contains(said, "better") || strings.Contains(said, "worse") || strings.Contains(said, "p50") {
		t.Errorf("one observation is judged: %s", said)
	}
	if n := strings.Count(said, "n 1"); n < 16 {
		t.Errorf("%d cells say n 1, want 16", n)
	}
	if some(d, func(n *html.Node) bool { return has(n, "data-chart") }) {
		t.Error("one observation is drawn in colours")
	}
}

func TestMatrixShade(t *testing.T) {
	s, path := matrixSite(t)
	steps := func(d doc) int {
		return len(d.all(func(n *html.Node) bool {
			return n.Data == "td" && regexp.MustCompile(`\bq[1-5]\b`).MatchString(attr(n, "class"))
		}))
	}
	on := get(t, s, path)
	if steps(on) != 16 || !some(on, func(n *html.Node) bool { return has(n, "data-chart") }) {
		t.Errorf("%d shaded cells, want 16 and a drawing", steps(on))
	}
	off := get(t, s, path+"?shade=off")
	if steps(off) != 0 || some(off, func(n *html.Node) bool { return has(n, "data-chart") }) {
		t.Errorf("%d shaded cells with the shade off", steps(off))
	}
}

func TestMatrixDownloadsAreThePagesTable(t *testing.T) {
	s, path := matrixSite(t)
	w := ask(s, http.MethodGet, path+".json")
	var rows []map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &rows); err != nil || len(rows) != 24 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	measured := 0
	for _, r := range rows {
		if r["state"] == "measured" {
			measured++
			if r["artifact"] == nil || r["pointer"] == nil || r["reader"] == nil || r["source_text"] == nil {
				t.Errorf("a figure without its source: %v", r)
			}
		} else if r["value"] != nil {
			t.Errorf("a place that was not run has a value: %v", r)
		}
	}
	if measured != 16 {
		t.Errorf("%d measured places, want 16", measured)
	}
	if first := rows[0]; first["value"] != 25.8 || first["tp_change"] != nil || rows[1]["mtp_depth_verdict"] != "caveat" {
		t.Errorf("%v\n%v", first, rows[1])
	}
	table, err := csv.NewReader(ask(s, http.MethodGet, path+".csv").Body).ReadAll()
	if err != nil || len(table) != 25 {
		t.Errorf("%d lines, %v", len(table), err)
	}
	if md := ask(s, http.MethodGet, path+".md"); md.Code != http.StatusOK || !strings.Contains(md.Body.String(), "1.403") {
		t.Errorf("markdown: %d", md.Code)
	}
	again := ask(s, http.MethodGet, path+".json")
	if again.Body.String() != w.Body.String() {
		t.Error("the same view gives other bytes")
	}
}

func TestCampaignWithoutAMatrixSaysWhy(t *testing.T) {
	s, path := matrixSite(t)
	d := get(t, s, "/campaigns/"+tabledID+"/matrix")
	if said := text(d.one("no-matrix")); !strings.Contains(said, "no matrix") || !strings.Contains(said, "MTP") {
		t.Errorf("%q", said)
	}
	if w := ask(s, http.MethodGet, "/campaigns/"+tabledID+"/matrix.csv"); w.Code != http.StatusNotFound {
		t.Errorf("status %d", w.Code)
	}
	if w := ask(s, http.MethodGet, path+"?metric=wer"); w.Code != http.StatusNotFound {
		t.Errorf("status %d for a figure that is not there", w.Code)
	}
	list := text(get(t, s, "/matrix").one("matrix-list"))
	if !strings.Contains(list, "TP × MTP × context") || !strings.Contains(list, "1 campaign has a matrix") {
		t.Errorf("%q", list)
	}
}

// TestAStoppedPairShowsNoNumber: one arm of the matrix thinks, so none of its pairs
// may be compared.
func TestAStoppedPairShowsNoNumber(t *testing.T) {
	f := laboratory()
	matrixed(t, f)
	for i := range f.runs {
		r := &f.runs[i]
		if r.Campaign == matrixedID && strings.HasPrefix(r.Arm, "official_fp8 tp2 mtp3 600000") {
			for j := range r.Facts {
				if r.Facts[j].Key == evidence.KeyThinking {
					r.Facts[j].Value = "enabled"
				}
			}
		}
	}
	s := site(t, f)
	path := "/campaigns/" + matrixedID + "/matrix"
	page := get(t, s, path)
	main := page.one("matrix-m1")
	stopped := under(main, class("stopc"))
	if len(stopped) != 1 {
		t.Fatalf("%d cells are stopped, want 1", len(stopped))
	}
	said := text(stopped[0])
	if regexp.MustCompile(`\d`).MatchString(said) || !strings.Contains(said, "blocked") || !strings.Contains(said, "thinking") {
		t.Errorf("a stopped cell says %q", said)
	}
	if strings.Contains(text(main), "+86.6%") {
		t.Error("the change of a stopped pair is shown")
	}
	for _, td := range under(main, func(n *html.Node) bool {
		return n.Data == "td" && regexp.MustCompile(`\bq[1-5]\b`).MatchString(attr(n, "class"))
	}) {
		if v := text(td); strings.HasPrefix(v, "91.6") || strings.HasPrefix(v, "49.1") {
			t.Errorf("a group with a stopped pair is shaded: %s", v)
		}
	}
	working := text(page.one("workings"))
	if strings.Contains(working, "91.6 / 49.1") || !strings.Contains(working, "no number") || !strings.Contains(working, "W-THINK") {
		t.Errorf("the working of a stopped pair: %.400s", working)
	}
	for _, td := range under(page.one("gains"), class("stopc")) {
		if len(under(td, tag("rect"))) > 0 || regexp.MustCompile(`\d`).MatchString(text(td)) {
			t.Errorf("a stopped pair is drawn: %s", text(td))
		}
	}
	var rows []map[string]any
	if err := json.Unmarshal(ask(s, http.MethodGet, path+".json").Body.Bytes(), &rows); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r["mtp_depth_verdict"] == "blocked" && (r["mtp_depth_change"] != nil || r["mtp_depth_direction"] != nil) {
			t.Errorf("the download has the change of a stopped pair: %v", r)
		}
	}
}

func TestHeadlineBarsAreDrawnInTheOrderOfTheSource(t *testing.T) {
	f := laboratory()
	s := site(t, f)
	d := get(t, s, "/campaigns/"+tabledID)
	option := d.all(func(n *html.Node) bool { return attr(n, "id") == "bars-option" })
	if len(option) == 0 {
		t.Skip("the arms of this fixture may not be compared")
	}
	var o struct {
		Series []struct{ Data []struct{ Name string } }
	}
	if err := json.Unmarshal([]byte(option[0].FirstChild.Data), &o); err != nil {
		t.Fatal(err)
	}
	data := o.Series[0].Data
	if data[len(data)-1].Name != "engine-x depth 12 one card" {
		t.Errorf("the first arm is not on top: %+v", data)
	}
}

// TestTheTabLeadsToAMatrix: the tab, the list and the page agree, also where the runs
// that vary come after those a campaign page shows.
func TestTheTabLeadsToAMatrix(t *testing.T) {
	f := laboratory()
	b := newBuild(f, "late-matrix", "late")
	load := func(tp, mtp string) []evidence.FactRow {
		return []evidence.FactRow{b.fact(evidence.KeyTP, tp, "/tp"), b.fact(evidence.KeyMTPDepth, mtp, "/mtp")}
	}
	rate := value(evidence.DecodeRate, evidence.P50, 20, evidence.TokensPerSecond, 5, "20", "tok/s")
	for range 300 {
		b.run("same", "runs", evidence.ClassShort, load("1", "0"), rate)
	}
	b.run("other", "runs", evidence.ClassShort, load("1", "3"), rate)
	b.close(b.doc("Late matrix"))

	c := newBuild(f, "no-figures", "nofigures")
	c.run("a", "runs", evidence.ClassShort, load("1", "0"))
	c.run("b", "runs", evidence.ClassShort, load("2", "0"))
	c.close(c.doc("Two arms without a figure"))
	s := site(t, f)
	list := get(t, s, "/matrix").body
	for id, want := range map[string]bool{"late-matrix": true, "no-figures": false, tabledID: false} {
		for _, tab := range []string{"", "/arms", "/evidence"} {
			if got := strings.Contains(get(t, s, "/campaigns/"+id+tab).body, "/campaigns/"+id+"/matrix"); got != want {
				t.Errorf("%s%s: a tab is %v, want %v", id, tab, got, want)
			}
		}
		if got := len(get(t, s, "/campaigns/"+id+"/matrix").ids("no-matrix")) == 0; got != want {
			t.Errorf("%s: a matrix is %v, want %v", id, got, want)
		}
		if got := strings.Contains(list, "/campaigns/"+id+"/matrix"); got != want {
			t.Errorf("%s: in the list is %v, want %v", id, got, want)
		}
	}
}
