package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestFrontierPage(t *testing.T) {
	f := laboratory()
	matrixed(t, f)
	s := site(t, f)
	address := "?campaign=" + matrixedID + "&y=" + url.QueryEscape("decode_rate:p50")
	page := get(t, s, "/frontier"+address)
	groups := page.all(func(n *html.Node) bool { return attr(n, "data-testid") == "frontier-group" })
	if len(groups) == 0 {
		t.Fatal("no group")
	}
	on := 0
	for _, g := range groups {
		on += strings.Count(text(g), "on it")
	}
	if on == 0 {
		t.Error("no run is on a frontier")
	}
	var rows []map[string]any
	if err := json.Unmarshal(ask(s, http.MethodGet, "/frontier.json"+address).Body.Bytes(), &rows); err != nil || len(rows) != 16 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		if row["pareto"] == nil || row["pointer"] == nil {
			t.Errorf("row %v", row)
		}
	}
}

// TestFrontierNeverRanksOneObservation: the long runs of the example are single ones.
func TestFrontierNeverRanksOneObservation(t *testing.T) {
	f := laboratory()
	matrixed(t, f)
	s := site(t, f)
	var rows []map[string]any
	body := ask(s, http.MethodGet, "/frontier.json?campaign="+matrixedID+"&y="+url.QueryEscape("decode_rate:single")+"&x="+url.QueryEscape("ttft:p50")).Body.Bytes()
	if err := json.Unmarshal(body, &rows); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if row["single"] == true && row["pareto"] == true {
			t.Errorf("one observation is on the frontier: %v", row)
		}
	}
	for _, bad := range []string{"?y=speed", "?x=colour", "?y=ttft:p50&x=nothing:p50"} {
		if rec := ask(s, http.MethodGet, "/frontier"+bad); rec.Code != http.StatusBadRequest {
			t.Errorf("%s: %d", bad, rec.Code)
		}
	}
}

func TestGridPage(t *testing.T) {
	f := laboratory()
	matrixed(t, f)
	s := site(t, f)
	address := "?campaign=" + matrixedID + "&rows=served_context&cols=mtp_depth&split=checkpoint&split=tp"
	page := get(t, s, "/matrix/factors"+address)
	grids := page.all(func(n *html.Node) bool { return attr(n, "data-testid") == "grid" })
	if len(grids) != 4 {
		t.Fatalf("%d grids, want one for each checkpoint and TP", len(grids))
	}
	said := text(grids[0])
	for _, want := range []string{"MTP 0", "MTP 3", "against MTP 0", "%"} {
		if !strings.Contains(said, want) {
			t.Errorf("the grid does not say %q: %s", want, said)
		}
	}
	var rows []map[string]any
	if err := json.Unmarshal(ask(s, http.MethodGet, "/matrix/factors.json"+address).Body.Bytes(), &rows); err != nil {
		t.Fatal(err)
	}
	measured := 0
	for _, row := range rows {
		if row["state"] == "measured" {
			measured++
		}
		if v := row["col_verdict"]; (v == "blocked" || v == "unknown") && row["col_change"] != nil {
			t.Errorf("a stopped pair has a change: %v", row)
		}
	}
	if measured != 16 {
		t.Errorf("%d measured places, want 16", measured)
	}
	for _, bad := range []string{"?rows=tp&cols=tp", "?rows=colour", "?f=speed", "?split=colour", "?split=tp&split=tp&split=tp&split=tp&split=tp"} {
		if rec := ask(s, http.MethodGet, "/matrix/factors"+bad); rec.Code != http.StatusBadRequest {
			t.Errorf("%s: %d", bad, rec.Code)
		}
	}
}
