package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"assay/web/view"
)

// TestRunListKeepsItsAddress: every filter is in the address, shows as a chip that leads
// to the list without it, and goes with the pages, the orders and the downloads.
func TestRunListKeepsItsAddress(t *testing.T) {
	s := site(t, laboratory())
	given := url.Values{"q": {"arm"}, "model": {"Q"}, "engine": {"vllm"}, "gpu": {"card"}, "protocol": {"p"}, "campaign": {tabledID}, "class": {"short-capacity"},
		"family": {"F5"}, "status": {"measured"}, "from": {"2026-01-02"}, "to": {"2026-12-31"}, "arm": {"a"}, "artifact": {"0123456789ab"}, "sort": {"-date"}}
	d := get(t, s, "/runs?"+given.Encode())
	chips := d.all(class("chip"))
	if len(chips) != len(given)-1 {
		t.Fatalf("%d chips for %d filters", len(chips), len(given)-1)
	}
	var without []string
	for _, c := range chips {
		u, err := url.Parse(attr(c, "href"))
		if err != nil {
			t.Fatal(err)
		}
		q := u.Query()
		if len(q) != len(given)-1 || q.Get("sort") != "-date" {
			t.Errorf("chip %q leads to %s", text(c), u)
		}
		for name := range given {
			if !q.Has(name) {
				without = append(without, name)
			}
		}
	}
	if len(without) != len(chips) {
		t.Errorf("chips leave out %v", without)
	}
	for _, a := range d.all(tag("a")) {
		to := attr(a, "href")
		if !strings.HasPrefix(to, "/export/runs.") {
			continue
		}
		u, _ := url.Parse(to)
		for name, v := range given {
			if u.Query().Get(name) != v[0] {
				t.Errorf("the download %s lacks %s", to, name)
			}
		}
		if w := ask(s, http.MethodGet, to); w.Code != http.StatusOK {
			t.Errorf("GET %s: %d", to, w.Code)
		}
	}
}

func TestRunListOrders(t *testing.T) {
	s := site(t, laboratory())
	heads := func(path string) map[string]*html.Node {
		found := map[string]*html.Node{}
		for _, h := range get(t, s, path).all(class("order")) {
			found[text(h)] = h
		}
		return found
	}
	h := heads("/runs")
	for label, want := range map[string]string{"Run": "/runs?sort=arm", "Campaign": "/runs?sort=-campaign", "Date": "/runs?sort=-date", "Class": "/runs?sort=class", "family": "/runs?sort=family"} {
		if h[label] == nil || attr(h[label], "href") != want {
			t.Errorf("%s leads to %q, want %s", label, attr(h[label], "href"), want)
		}
	}
	if attr(h["Campaign"].Parent, "aria-sort") != "ascending" {
		t.Error("the order that lists have is not said")
	}
	h = heads("/runs?sort=-date&status=measured")
	if attr(h["Date"].Parent, "aria-sort") != "descending" || attr(h["Date"], "href") != "/runs?status=measured&sort=date" {
		t.Errorf("the newest first: %q", attr(h["Date"], "href"))
	}
}

func TestListsRefuseWhatNothingAnswersTo(t *testing.T) {
	s := site(t, laboratory())
	for path, says := range map[string]string{
		"/runs?from=2026-13-01":               "from",
		"/runs?to=yesterday":                  "to",
		"/runs?from=2026-02-02&to=2026-01-01": "comes after",
		"/runs?status=fine":                   "status",
		"/runs?sort=colour":                   "sort",
		"/?from=x":                            "from",
		"/search?q=x&to=x":                    "to",
		"/export/runs.csv?sort=colour":        "sort",
		"/export/runs.csv?from=x":             "from",
		"/export/measurements.csv?sort=date":  "orders runs only",
		"/export/gates.csv?model=x":           "runs and measurements only",
		"/export/artifacts.csv?gpu=x":         "runs and measurements only",
		"/export/facts.csv?q=x":               "runs and measurements only",
		"/campaigns.csv?status=failed":        "not a parameter",
	} {
		w := ask(s, http.MethodGet, path)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), says) {
			t.Errorf("GET %s: %d, want 400 that says %q: %.200s", path, w.Code, says, w.Body)
		}
	}
	for _, path := range []string{"/runs?status=failed&from=2026-01-01&sort=-arm", "/?model=x&from=2026-01-01", "/search?q=x&campaign=c&from=2026-01-01",
		"/campaigns.csv?model=x&from=2026-01-01", "/export/measurements.csv?model=x&q=y", "/export/gates.csv?model="} {
		if w := ask(s, http.MethodGet, path); w.Code != http.StatusOK {
			t.Errorf("GET %s: %d %.200s", path, w.Code, w.Body)
		}
	}
}

func TestFamiliesAreExplained(t *testing.T) {
	s := site(t, laboratory())
	words := get(t, s, "/words")
	for _, f := range []string{"F1", "F5", "F11", "recipe"} {
		_, id, _ := strings.Cut(view.FamilyURL(f), "#")
		found := words.all(func(n *html.Node) bool { return attr(n, "id") == id })
		if len(found) != 1 {
			t.Errorf("%s: no word has the id %s", f, id)
		}
	}
	if got := view.FamilyURL("vllm"); got != "/words#families" {
		t.Errorf("a tool's family leads to %s", got)
	}
	for _, want := range []string{"verdicts", "comparing", "repairs", "families"} {
		if len(words.all(func(n *html.Node) bool { return attr(n, "id") == want })) != 1 {
			t.Errorf("the words lack the part %s", want)
		}
	}
	if !strings.Contains(get(t, s, "/runs").body, view.FamilyURL("F5")) {
		t.Error("the list of runs does not explain its families")
	}
}
