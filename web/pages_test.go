package web_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"assay/store/evidence"
)

// pagePaths are one address of every page.
func pagePaths(f *fake) []string {
	sha := f.artifacts[0].Digest.String()
	quarantine := f.artifacts[len(f.artifacts)-1].Digest.String()
	paths := []string{
		"/", "/?text=nothing-like-it", "/?label=challenger",
		"/campaigns/" + tabledID, "/campaigns/" + narratedID, "/campaigns/" + measuredID,
		"/campaigns/" + tabledID + "/arms", "/campaigns/" + measuredID + "/arms?page=2", "/campaigns/" + tabledID + "/evidence", "/campaigns/" + measuredID + "/evidence",
		"/runs", "/runs?page=2", "/runs?engine=engine-x&gpu=Card", "/runs?class=nothing",
		"/search", "/search?q=marker", "/search?q=" + sha[:12], "/search?q=" + tabledID,
		"/intake", "/intake?state=quarantined", "/intake?state=pending", "/intake/" + sha, "/intake/" + quarantine,
		"/metrics", "/words",
	}
	for _, r := range f.runs[:6] {
		paths = append(paths, "/runs/"+r.ID)
	}
	return append(paths, "/runs/"+f.runs[5].ID+"?samples=3")
}

func TestEveryPageIsSound(t *testing.T) {
	f := laboratory()
	s := site(t, f)
	for _, path := range pagePaths(f) {
		t.Run(path, func(t *testing.T) { sound(t, get(t, s, path)) })
	}
	t.Run("error", func(t *testing.T) {
		sound(t, parse(t, "404", ask(s, http.MethodGet, "/nowhere").Body.String()))
	})
}

// sound is what holds for every page, whatever stands on it.
func sound(t *testing.T, d doc) {
	t.Helper()
	ids := make(map[string]bool)
	for _, n := range d.all(func(n *html.Node) bool { return has(n, "id") }) {
		if id := attr(n, "id"); ids[id] {
			t.Errorf("id %q stands twice", id)
		} else {
			ids[id] = true
		}
	}
	for _, n := range d.all(func(*html.Node) bool { return true }) {
		for _, ref := range strings.Fields(attr(n, "aria-labelledby") + " " + attr(n, "for") + " " + attr(n, "list")) {
			if !ids[ref] {
				t.Errorf("<%s> refers to id %q, which is not there", n.Data, ref)
			}
		}
		for _, a := range n.Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				t.Errorf("<%s> has %s=%q", n.Data, a.Key, a.Val)
			}
			if (a.Key == "href" || a.Key == "src" || a.Key == "action") && !strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "#") &&
				attr(n, "rel") != "icon" {
				t.Errorf("<%s> leads to %q", n.Data, a.Val)
			}
		}
		cell(t, n)
	}
	for _, n := range d.all(func(n *html.Node) bool {
		return n.Data == "style" || n.Data == "script" && attr(n, "src") == "" && attr(n, "type") != "application/json"
	}) {
		t.Errorf("<%s> inline: %q", n.Data, text(n))
	}
	labels(t, d)
	headings(t, d)
	if len(d.all(tag("main"))) != 1 || len(d.all(tag("h1"))) != 1 {
		t.Error("want one main and one h1")
	}
	words := text(d.root)
	for _, banned := range []string{"N/A", "NaN ", "undefined", "%!", "<nil>", "{}"} {
		if strings.Contains(words, banned) && !strings.Contains(banned+"is not JSON", "NaN is") {
			t.Errorf("page says %q", banned)
		}
	}
}

// cell checks table cells: never empty, figures always a door, heads with a scope.
func cell(t *testing.T, n *html.Node) {
	t.Helper()
	switch n.Data {
	case "th":
		if attr(n, "scope") == "" {
			t.Errorf("<th> without scope: %q", text(n))
		}
		fallthrough
	case "td":
		words := text(n)
		if words == "" && len(under(n, tag("svg"))) == 0 {
			t.Error("empty cell")
		}
		if words == "-" || words == "N/A" {
			t.Errorf("cell says %q", words)
		}
		// A row with an id is the working that computed figures open.
		if n.Data == "td" && class("n")(n) && strings.ContainsAny(words, "0123456789") && len(under(n, tag("a"))) == 0 && attr(n.Parent, "id") == "" {
			t.Errorf("figure without a door: %q", words)
		}
	}
	if n.Data == "a" && class("src")(n) && attr(n, "href") == "" {
		t.Errorf("source link without address: %q", text(n))
	}
}

func labels(t *testing.T, d doc) {
	t.Helper()
	labelled := make(map[string]bool)
	for _, n := range d.all(tag("label")) {
		labelled[attr(n, "for")] = true
	}
	for _, n := range d.all(func(n *html.Node) bool {
		return (n.Data == "input" || n.Data == "select") && attr(n, "type") != "hidden"
	}) {
		if !labelled[attr(n, "id")] && attr(n, "aria-label") == "" {
			t.Errorf("<%s name=%q> without label", n.Data, attr(n, "name"))
		}
	}
}

func headings(t *testing.T, d doc) {
	t.Helper()
	last := 0
	for _, n := range d.all(func(n *html.Node) bool {
		return len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6'
	}) {
		level := int(n.Data[1] - '0')
		if level > last+1 {
			t.Errorf("heading %q jumps from level %d to %d", text(n), last, level)
		}
		last = level
	}
}

func TestOverview(t *testing.T) {
	f := laboratory()
	s := site(t, f)
	d := get(t, s, "/")
	lines := d.ids("campaign")
	if len(lines) != 3 {
		t.Fatalf("%d campaigns, want 3", len(lines))
	}
	first := lines[0]
	contains(t, "campaign", text(first), "Depth 12 on two cards")
	contains(t, "campaign", text(first), "1 of 5 passed, 1 rejected, 1 failed, 1 unresolved, 1 missing")
	contains(t, "campaign", text(first), "0 of 2 files")
	contains(t, "campaign", text(first), "not authorised")
	if got := link(t, first, "Depth 12 on two cards"); got != "/campaigns/"+tabledID {
		t.Errorf("campaign leads to %q", got)
	}
	contains(t, "empty campaign", text(lines[2]), "no gates in the source")
	contains(t, "promotions", text(d.one("promotions")), "Nothing is promoted.")
	waits := text(d.one("waits"))
	contains(t, "waits", waits, "quarantined capacity-c8.json: 1 finding")
	contains(t, "waits", waits, "unresolved Depth 12 on two cards: 1 gate neither passed nor failed")
	contains(t, "intake", text(d.one("intake")), "NaN is not JSON")

	d = get(t, s, "/?label=challenger")
	if got := d.ids("campaign"); len(got) != 1 || !strings.Contains(text(got[0]), "Figures in sentences") {
		t.Errorf("filter by label found %d campaigns", len(got))
	}
	contains(t, "no match", text(get(t, s, "/?text=zzz").one("campaigns")), "No campaign answers to this filter.")
	contains(t, "empty archive", text(get(t, site(t, &fake{}), "/").one("campaigns")), "Nothing came in yet.")
}

func TestCampaign(t *testing.T) {
	f := laboratory()
	s := site(t, f)
	d := get(t, s, "/campaigns/"+tabledID)
	sha := f.artifacts[0].Digest.String()
	contains(t, "title", text(d.one("title")), "Depth 12 on two cards")
	if got := link(t, d.root, tabledID); got != "/artifact/"+sha+"?p=%2Fcampaign_id#place" {
		t.Errorf("the id leads to %q", got)
	}

	contains(t, "promotion", text(d.one("promotion")), "not authorised by the source promotion_authorized: false")
	if got := link(t, d.one("promotion"), "promotion_authorized: false"); got != "/artifact/"+sha+"?p=%2Fdecision%2Fpromotion_authorized#place" {
		t.Errorf("promotion leads to %q", got)
	}

	tables := d.ids("results")
	if len(tables) != 2 {
		t.Fatalf("%d result tables, want 2: headline and screen do not share one", len(tables))
	}
	contains(t, "heading", text(tables[0]), "Headline results")
	contains(t, "shape", text(tables[0]), "requests 100")
	contains(t, "method", text(tables[0]), "Percentiles: nearest rank.")
	contains(t, "left", text(tables[0]), "E2E (1 of 3 runs)")
	rows := under(tables[0], func(n *html.Node) bool { return attr(n, "data-testid") == "result" })
	contains(t, "row", text(rows[0]), "764.3")
	contains(t, "row", text(rows[0]), "2,331.3")
	contains(t, "row", text(rows[0]), "98 of 100")
	contains(t, "bounds", text(rows[1]), "1,401.8 to 1,423.4 bounds, no point value")
	if got := link(t, rows[1], "1,401.8"); got != "/artifact/"+sha+"?p=%2Fheadline_results%2F1%2Flower#place" {
		t.Errorf("lower bound leads to %q", got)
	}
	if got := link(t, rows[1], "1,423.4"); got != "/artifact/"+sha+"?p=%2Fheadline_results%2F1%2Fupper#place" {
		t.Errorf("upper bound leads to %q", got)
	}
	contains(t, "absent", text(rows[1]), "not recorded")
	contains(t, "rejected", text(rows[2]), "rejected, cannot win structured output was corrupt twice")
	if len(under(rows[2], tag("s"))) != 1 {
		t.Error("rejected arm is not struck")
	}
	contains(t, "rejected figures stay", text(rows[2]), "587.9")
	claims := text(d.one("claims"))
	contains(t, "claims", claims, "−23.1% −23.1 percent")
	contains(t, "claims", claims, "metric not named")
	contains(t, "claims", claims, "base not named")
	contains(t, "claims", claims, "holds −23.075 percent the document does not name the base")

	var order []string
	for _, g := range d.ids("gate") {
		order = append(order, attr(g, "data-status"))
	}
	if want := []string{"rejected", "failed", "unresolved", "missing", "passed"}; !slices.Equal(order, want) {
		t.Errorf("gates in order %v, want %v", order, want)
	}
	contains(t, "gate", text(d.ids("gate")[2]), "source: “passed for headline load”")
	if strings.Contains(text(d.ids("gate")[2]), "unresolved") == false {
		t.Error("a scoped pass is not shown as unresolved")
	}
	contains(t, "limitations", text(d.one("limitations")), "The replica figure is a timing bound and no single request rate.")
	contains(t, "failures", text(d.one("failures")), "An absent list is not a clean record.")
	refs := text(d.one("references"))
	contains(t, "references", refs, "not retained finalist.json no digest given")
	contains(t, "references", refs, "mismatch other.json")
}

func TestCampaignInSentences(t *testing.T) {
	f := laboratory()
	d := get(t, site(t, f), "/campaigns/"+narratedID)
	n := d.one("headlines")
	contains(t, "sentence", text(n), "Depth 3 raised the median decode rate from 75.3 to 165.9 tok/s, ﬁve runs each.")
	if got, want := link(t, n, "165.9"), fmt.Sprintf("/artifact/%s?p=%%2Fheadline%%2F0&s=51&e=56#place", f.artifacts[1].Digest); got != want {
		t.Errorf("figure in a sentence leads to %q, want %q", got, want)
	}
	contains(t, "failures", text(d.one("failures")), "Three requests were refused.")
	contains(t, "results", text(d.ids("results")[0]), "2 figures are read out of sentences")
	if strings.Contains(d.body, "medianTTFT") || strings.Contains(text(d.ids("results")[0]), "p50 70") {
		t.Error("one observation is called p50")
	}
}

func TestCampaignWithoutDecision(t *testing.T) {
	f := laboratory()
	s := site(t, f)
	d := get(t, s, "/campaigns/"+measuredID)
	contains(t, "decision", text(d.one("decision")), "No document of this campaign decides anything.")
	contains(t, "name", text(d.root), "named at intake, dated 2031-04-01")
	table := d.ids("results")[0]
	contains(t, "table", text(table), "first 20 of 60 runs")
	if got := link(t, table, "All 60 runs"); got != "/campaigns/"+measuredID+"/arms" {
		t.Errorf("the rest is at %q", got)
	}
	arms := get(t, s, "/campaigns/"+measuredID+"/arms")
	contains(t, "arms", text(arms.root), "1 to 50 of 60")
}

func TestCampaignAddresses(t *testing.T) {
	f := laboratory()
	s := site(t, f)
	tests := []struct {
		path     string
		status   int
		location string
	}{
		{"/campaigns/" + tabledID[:14], http.StatusFound, "/campaigns/" + tabledID},
		{"/campaigns/2031", http.StatusBadRequest, ""},
		{"/campaigns/nothing-like-it", http.StatusNotFound, ""},
		{"/campaigns/" + f.artifacts[1].Digest.String()[:8] + "/arms?page=1", http.StatusFound, "/campaigns/" + narratedID + "/arms?page=1"},
		{"/campaigns", http.StatusFound, "/#campaigns"},
		{"/campaigns/" + tabledID + "?page=x", http.StatusBadRequest, ""},
		{"/runs/nothing", http.StatusNotFound, ""},
		{"/runs?page=0", http.StatusBadRequest, ""},
		{"/intake/zz", http.StatusNotFound, ""},
		{"/intake?state=lost", http.StatusBadRequest, ""},
		{"/search?q=" + strings.Repeat("x", 1001), http.StatusBadRequest, ""},
		{"/search?q=%ff", http.StatusBadRequest, ""},
		{"/campaigns/%ff", http.StatusBadRequest, ""},
	}
	for _, tt := range tests {
		w := ask(s, http.MethodGet, tt.path)
		if w.Code != tt.status || w.Header().Get("Location") != tt.location {
			t.Errorf("GET %s: %d %q, want %d %q", tt.path, w.Code, w.Header().Get("Location"), tt.status, tt.location)
		}
	}
}

func TestRun(t *testing.T) {
	f := laboratory()
	s := site(t, f)
	d := get(t, s, "/runs/"+f.runs[5].ID)
	figures := text(d.one("figures"))
	contains(t, "single", figures, "one observation")
	contains(t, "memory", figures, "2,354 MiB")
	contains(t, "digits", figures, "2354 MiB")
	contains(t, "rule", figures, "prose/stat-line")
	contains(t, "samples", text(d.one("samples")), "not recorded")
	contains(t, "samples", text(d.one("samples")), "HTTP 429 server_overloaded")
	contains(t, "last page", text(get(t, s, "/runs/"+f.runs[5].ID+"?samples=3").one("samples")), "101 to 120 of 120")

	d = get(t, s, "/runs/"+f.runs[2].ID)
	contains(t, "rejected", text(d.one("rejected")), "it cannot win")
	contains(t, "claims", text(d.one("claims")), "−23.1 percent")
	var keys []string
	for _, n := range d.ids("fact") {
		keys = append(keys, attr(n, "data-key"))
	}
	if !slices.Contains(keys, string(evidence.KeyConcurrency)) {
		t.Errorf("facts %v", keys)
	}
}

// TestRunsThatDidNotEndSayHow: on its page, in lists and in tables.
func TestRunsThatDidNotEndSayHow(t *testing.T) {
	f := laboratory()
	words := map[evidence.RunStatus]string{evidence.RunFailed: "failed", evidence.NotRun: "not run", evidence.RunUnresolved: "unresolved"}
	for i, status := range []evidence.RunStatus{evidence.RunFailed, evidence.NotRun, evidence.RunUnresolved} {
		f.runs[i].Status = status
	}
	s := site(t, f)
	for i, r := range f.runs[:3] {
		word := words[r.Status]
		contains(t, "the run's page", text(get(t, s, "/runs/"+r.ID).one("ended")), "calls this run "+word)
		contains(t, "the list", text(get(t, s, "/runs").ids("run")[i]), word)
		contains(t, "arms", text(get(t, s, "/campaigns/"+tabledID+"/arms").ids("result")[i]), word)
		contains(t, "headline", text(get(t, s, "/campaigns/"+tabledID).ids("result")[i]), word)
	}
	if d := get(t, s, "/runs/"+f.runs[3].ID); len(d.ids("ended")) != 0 {
		t.Error("a measured run says how it ended")
	}
}

// TestLongRunsAreNotCountedToTheirEnd: what is not counted is not said.
func TestLongRunsAreNotCountedToTheirEnd(t *testing.T) {
	f := laboratory()
	id := f.runs[5].ID
	for i := range 5000 {
		f.samples[id] = append(f.samples[id], evidence.Sample{Index: int64(120 + i), TTFT: evidence.Some(0.5), OK: true})
	}
	s := site(t, f)
	for page, words := range map[int]string{1: "1 to 50, and more", 60: "2,951 to 3,000, and more", 103: "5,101 to 5,120 of 5,120", 900: "none here"} {
		d := get(t, s, fmt.Sprintf("/runs/%s?samples=%d", id, page))
		contains(t, "pager", text(d.one("samples")), words)
		sound(t, d)
	}
}

func TestRuns(t *testing.T) {
	f := laboratory()
	s := site(t, f)
	if n := len(get(t, s, "/runs?engine=engine-x").ids("run")); n != 4 {
		t.Errorf("%d runs of engine-x, want 4", n)
	}
	for query, want := range map[string]int{"artifact=" + f.artifacts[1].Digest.String(): 2, "arm=two+replicas": 1, "campaign=" + tabledID + "&arm=arm+1": 0} {
		if n := len(get(t, s, "/runs?"+query).ids("run")); n != want {
			t.Errorf("%d runs of %s, want %d", n, query, want)
		}
	}
	d := get(t, s, "/runs?campaign="+measuredID)
	contains(t, "pager", text(d.root), "1 to 50 of 60")
	if got := link(t, d.root, "Next"); got != "/runs?campaign="+measuredID+"&page=2" {
		t.Errorf("next page is %q", got)
	}
	if got := link(t, d.root, "CSV"); got != "/export/runs.csv?campaign="+measuredID {
		t.Errorf("CSV is %q", got)
	}
}

func TestSearch(t *testing.T) {
	f := laboratory()
	s := site(t, f)
	d := get(t, s, "/search?q=marker")
	hits := d.ids("hit")
	if len(hits) != 2 {
		t.Fatalf("%d hits, want 2", len(hits))
	}
	if got := under(hits[0], tag("mark")); len(got) != 1 || text(got[0]) != "marker" {
		t.Errorf("the found word is not marked in %q", text(hits[0]))
	}
	title := text(hits[1])
	if strings.Count(title, "Depth 12 on two cards") != 1 {
		t.Errorf("the title is said twice: %q", title)
	}
	d = get(t, s, "/search?q=sha256:"+f.artifacts[1].Digest.String())
	contains(t, "digest", text(d.ids("hit")[0]), "narrated.json")
}

func TestIntake(t *testing.T) {
	f := laboratory()
	s := site(t, f)
	sha := f.artifacts[3].Digest.String()
	find := get(t, s, "/intake").ids("finding")[0]
	contains(t, "finding", text(find), "error not-finite NaN is not JSON /rows/3/ttft_ms byte 1,204")
	if got := link(t, find, "/rows/3/ttft_ms"); got != "/artifact/"+sha+"?p=%2Frows%2F3%2Fttft_ms#place" {
		t.Errorf("the place leads to %q", got)
	}
	contains(t, "state list", text(get(t, s, "/intake?state=quarantined").ids("file")[0]), "capacity-c8.json")
	contains(t, "one file", text(get(t, s, "/intake/"+sha).ids("finding")[0]), "NaN is not JSON")
}
