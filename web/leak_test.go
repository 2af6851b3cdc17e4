package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"assay/store/evidence"
)

var (
	stopVerdict = map[any]bool{"blocked": true, "unknown": true}
	leaks       = regexp.MustCompile(`[0-9]\s?%|\b(better|worse|wins|winner|fastest)\b`)
)

// TestNothingLeaksOfAStoppedPair asks a real archive for every run against several
// controls, on every page and in every download that compares: a pair that is blocked or
// unknown has no value, change, ratio, rank or drawing anywhere.
func TestNothingLeaksOfAStoppedPair(t *testing.T) {
	a, _ := exampleArchive(t)
	s := site(t, a)
	runs, err := a.Runs(t.Context(), evidence.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	stopped, shown := 0, 0
	for _, figure := range []string{"output_throughput:total", "decode_rate:p50", "ttft:p50", "ttft:single", "e2e:p50"} {
		for c := 0; c < len(runs); c += 9 {
			address := "?c=" + runs[c].ID + "&f=" + url.QueryEscape(figure)
			arms := 0
			for i := range runs {
				if i != c && arms < 60 {
					address, arms = address+"&a="+runs[i].ID, arms+1
				}
			}
			n, m := stoppedRows(t, s, "/compare.json"+address)
			stopped, shown = stopped+n, shown+m
			stoppedCells(t, get(t, s, "/compare"+address))
			bench := ask(s, http.MethodGet, "/compare.bench"+address)
			if m == 0 && strings.Contains(bench.Body.String(), "\nBenchmark") {
				t.Errorf("%s: every pair is stopped, and the benchmark format has figures", address)
			}
		}
	}
	if stopped < 1000 || shown < 20 {
		t.Errorf("%d stopped and %d shown pairs were looked at; the example has more of both", stopped, shown)
	}
	campaigns, _, err := a.Campaigns(t.Context(), evidence.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range campaigns {
		id := url.PathEscape(campaigns[i].ID)
		for _, path := range []string{"/campaigns/" + id, "/campaigns/" + id + "/matrix", "/matrix/factors?campaign=" + id, "/frontier?campaign=" + id} {
			if w := ask(s, http.MethodGet, path); w.Code == http.StatusOK {
				stoppedCells(t, parse(t, path, w.Body.String()))
			}
		}
		if w := ask(s, http.MethodGet, "/campaigns/"+id+"/matrix.json"); w.Code == http.StatusOK {
			stoppedChanges(t, w.Body.Bytes())
		}
		stoppedChanges(t, ask(s, http.MethodGet, "/matrix/factors.json?campaign="+id).Body.Bytes())
	}
}

// stoppedRows checks the rows of a downloaded comparison, and counts those that are
// stopped and those that are shown.
func stoppedRows(t *testing.T, s http.Handler, path string) (stopped, shown int) {
	t.Helper()
	var rows []map[string]any
	if err := json.Unmarshal(ask(s, http.MethodGet, path).Body.Bytes(), &rows); err != nil {
		t.Fatalf("%.120s: %v: %.300s", path, err, ask(s, http.MethodGet, path).Body)
	}
	for _, row := range rows {
		if !stopVerdict[row["verdict"]] {
			shown++
			continue
		}
		stopped++
		for name, v := range row {
			switch v.(type) {
			case float64:
				if name != "ruleset" {
					t.Errorf("%s against %s: %s is %v though the verdict is %v", row["runs"], row["control_runs"], name, v, row["verdict"])
				}
			}
		}
		for _, name := range []string{"direction", "source", "control_source", "exploratory"} {
			if row[name] != nil {
				t.Errorf("%s is %v in a stopped row", name, row[name])
			}
		}
		if row["rules"] == nil || row["reasons"] == nil {
			t.Errorf("a stopped row gives no reason: %v", row)
		}
	}
	return stopped, shown
}

// stoppedCells checks that the cells of stopped pairs hold words only, and that no drawing
// has them.
func stoppedCells(t *testing.T, d doc) {
	t.Helper()
	for _, cell := range d.all(class("stopc")) {
		said := text(cell)
		if leaks.MatchString(said) {
			t.Errorf("%s: a stopped cell says %q", d.path, said)
		}
		if len(under(cell, func(n *html.Node) bool { return n.Data == "svg" && attr(n, "class") != "g" })) > 0 {
			t.Errorf("%s: a stopped cell is drawn", d.path)
		}
		for _, n := range under(cell, tag("a")) {
			if strings.HasPrefix(attr(n, "href"), "/artifact/") {
				t.Errorf("%s: a stopped cell has a figure: %q", d.path, text(n))
			}
		}
	}
	for _, row := range d.all(tag("tr")) {
		if strings.Contains(text(row), "not drawn:") && len(under(row, class("lie"))) > 0 {
			t.Errorf("%s: a stopped arm is drawn", d.path)
		}
	}
}

// stoppedChanges checks the effects of a matrix or grid.
func stoppedChanges(t *testing.T, body []byte) {
	t.Helper()
	var rows []map[string]any
	if err := json.Unmarshal(body, &rows); err != nil {
		t.Fatalf("%v: %.200s", err, body)
	}
	for _, row := range rows {
		for name, v := range row {
			axis, ok := strings.CutSuffix(name, "_verdict")
			if !ok || !stopVerdict[v] {
				continue
			}
			for _, other := range []string{"_change", "_change_low", "_change_high", "_direction", "_efficiency"} {
				if x := row[axis+other]; x != nil {
					t.Errorf("%s%s is %v though the verdict is %v", axis, other, x, v)
				}
			}
		}
	}
}
