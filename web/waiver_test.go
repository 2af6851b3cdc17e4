package web_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/web"
)

// waived is a list of waivers.
type waived []evidence.Waiver

func (w waived) Waivers(_ context.Context, f evidence.WaiverFilter) ([]evidence.Waiver, int, error) {
	var out []evidence.Waiver
	for _, x := range w {
		if f.Holds && !x.Holds() {
			continue
		}
		out = append(out, x)
	}
	return out, len(out), nil
}

// stoppedPair is a pair that concurrency keeps apart, with a waiver for it.
func stoppedPair(t *testing.T) (http.Handler, string, *waived) {
	t.Helper()
	f := laboratory()
	matrixed(t, f)
	var short []*evidence.RunRow
	for i := range f.runs {
		if r := &f.runs[i]; r.Campaign == matrixedID && r.Class == evidence.ClassShort {
			short = append(short, r)
		}
	}
	for i := range short[1].Facts {
		if short[1].Facts[i].Key == evidence.KeyConcurrency {
			short[1].Facts[i].Value = "8"
		}
	}
	figure := compare.Figure{Metric: evidence.DecodeRate, Stat: evidence.P50}
	j := compare.Judge(short[0], short[1], compare.Question{Metric: figure.Metric, Stat: figure.Stat})
	if j.Verdict.Shows() {
		t.Fatalf("the pair is %s", j.Verdict)
	}
	list := waived{{
		ID: 3, Control: short[0].ID, Arm: short[1].ID, Metric: figure.Metric, Stat: figure.Stat, Stops: j.Stops(),
		Person: "ada", Reason: "to see the order of magnitude", AtUS: 1,
	}}
	s, err := web.New(web.Config{Archive: f, Assets: plainAssets{}, Listen: "127.0.0.1:0", Waivers: &list, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	return s, "?c=" + short[0].ID + "&a=" + short[1].ID + "&f=" + url.QueryEscape(figure.String()), &list
}

func (w *waived) withdraw() { (*w)[0].WithdrawnUS = 2 }

// TestWaiverOpensOnlyTheExploratoryView: the page itself shows nothing until it is asked,
// and what it then shows is marked.
func TestWaiverOpensOnlyTheExploratoryView(t *testing.T) {
	s, address, list := stoppedPair(t)
	exploratory := func(n *html.Node) bool { return attr(n, "data-testid") == "exploratory" }
	page := get(t, s, "/compare"+address)
	if some(page, exploratory) || strings.Contains(text(page.one("arm")), "%") {
		t.Error("the waiver is applied without being asked for")
	}
	if !some(page, func(n *html.Node) bool { return n.Data == "a" && strings.Contains(attr(n, "href"), "explore=1") }) {
		t.Error("the exploratory view is not offered")
	}
	open := get(t, s, "/compare"+address+"&explore=1")
	said := text(open.one("exploratory"))
	for _, want := range []string{"Exploratory, not for sign-off", "ada", "order of magnitude", "%"} {
		if !strings.Contains(said, want) {
			t.Errorf("the exploratory cell does not say %q: %s", want, said)
		}
	}
	if !strings.Contains(text(open.one("arm")), "blocked") {
		t.Error("the waived pair lost its verdict")
	}
	var rows []map[string]any
	body := ask(s, http.MethodGet, "/compare.json"+address+"&explore=1").Body.Bytes()
	if err := json.Unmarshal(body, &rows); err != nil {
		t.Fatal(err)
	}
	row := rows[0]
	if row["change"] != nil || row["value"] != nil || row["verdict"] != "blocked" {
		t.Errorf("a waiver filled the plain columns: %v", row)
	}
	if mark, _ := row["exploratory"].(string); !strings.HasPrefix(mark, "EXPLORATORY, NOT FOR SIGN-OFF") || row["exploratory_change"] == nil {
		t.Errorf("the row is not marked: %v", row)
	}
	list.withdraw()
	if some(get(t, s, "/compare"+address+"&explore=1"), exploratory) {
		t.Error("a withdrawn waiver still opens the pair")
	}
}

// TestWaiverLapses: a waiver names what both sides said, and opens nothing else.
func TestWaiverLapses(t *testing.T) {
	s, address, list := stoppedPair(t)
	(*list)[0].Stops[0].Right = "16"
	if some(get(t, s, "/compare"+address+"&explore=1"), func(n *html.Node) bool { return attr(n, "data-testid") == "exploratory" }) {
		t.Error("a waiver opens a pair whose facts are others than it names")
	}
	said := text(get(t, s, "/waivers").one("waivers"))
	if !strings.Contains(said, "ada") || !strings.Contains(said, "order of magnitude") {
		t.Errorf("the list says %s", said)
	}
}
