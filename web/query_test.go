package web_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestQueriesAreReadAsAWholeOrRefused: what net/url leaves out of a query must not
// make an answer wider.
func TestQueriesAreReadAsAWholeOrRefused(t *testing.T) {
	f := laboratory()
	s := site(t, f)
	for path, says := range map[string]string{
		"/export/measurements.csv?metric=ttft;stat=p50":          "semicolon",
		"/export/measurements.csv?arm=%zz":                       "%zz",
		"/export/runs.json?campaign=%":                           "no escape",
		"/?text=a;label=b":                                       "semicolon",
		"/runs?class=%u0041":                                     "no escape",
		"/search?q=%f":                                           "no escape",
		"/intake?state=%":                                        "no escape",
		"/matrix?campaign=%":                                     "no escape",
		"/campaigns/" + tabledID + "?page=%":                     "no escape",
		"/campaigns/" + tabledID + "/matrix.csv?stat=%":          "no escape",
		"/nowhere?a;b":                                           "semicolon",
		"/artifact/" + f.artifacts[0].Digest.String() + "?p=%zz": "%zz",

		"/export/runs.csv?campaign=" + tabledID + "&campaign=" + narratedID: "more than once",
		"/runs?class=a&class=b": "more than once",
		"/runs?page=1&page=2":   "more than once",
		"/artifact/" + f.artifacts[0].Digest.String() + "?p=&p=": "more than once",
		"/campaigns.csv?lable=challenger":                        "There are text, label, ",
		"/campaigns/" + tabledID + "/matrix.md?metrc=ttft":       "not a parameter",
		"/intake.csv?q=x":  "not a parameter",
		"/metrics.csv?q=x": "takes no parameters",
		"/runs/" + f.runs[5].ID + "/samples.csv?limit=3": "takes no parameters",
	} {
		w := ask(s, http.MethodGet, path)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), says) {
			t.Errorf("GET %s: %d, want 400 that says %q: %.300s", path, w.Code, says, w.Body)
		}
	}
	for _, path := range []string{"/?utm=x", "/runs?unknown=x", "/runs?class=a%3Bb", "/search?q=100%25", "/metrics?x=y", "/campaigns.csv?label=a%3Bb"} {
		if w := ask(s, http.MethodGet, path); w.Code != http.StatusOK {
			t.Errorf("GET %s: %d", path, w.Code)
		}
	}
}
