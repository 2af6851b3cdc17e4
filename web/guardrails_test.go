package web_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"assay/store/compare"
)

// TestGuardrailsListEveryRule: each rule has its section, and what it does here is counted.
func TestGuardrailsListEveryRule(t *testing.T) {
	f := laboratory()
	matrixed(t, f)
	s := site(t, f)
	page := get(t, s, "/guardrails")
	for i := range compare.Rules {
		id := strings.ToLower(compare.Rules[i].ID)
		if !some(page, func(n *html.Node) bool { return attr(n, "id") == id && attr(n, "data-testid") == "rule" }) {
			t.Errorf("%s has no section", compare.Rules[i].ID)
		}
	}
	if said := text(page.one("tally")); !strings.Contains(said, "caveat") || strings.Contains(said, " 0 pairs of runs") {
		t.Errorf("nothing is counted: %s", said)
	}
	var rows []map[string]any
	if err := json.Unmarshal(ask(s, http.MethodGet, "/guardrails.json").Body.Bytes(), &rows); err != nil || len(rows) != len(compare.Rules) {
		t.Fatalf("%d rows for %d rules, %v", len(rows), len(compare.Rules), err)
	}
	spoke := 0
	for _, row := range rows {
		if row["stops"].(float64)+row["caveats"].(float64) > 0 {
			spoke++
		}
	}
	if spoke == 0 {
		t.Error("no rule spoke of any pair")
	}
}
