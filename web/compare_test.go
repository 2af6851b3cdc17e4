package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"assay/store/evidence"
)

// twoArms are runs of the example matrix: the short runs of its first two arms, and the
// long run of the first.
func twoArms(t *testing.T) (s http.Handler, control, arm, long string) {
	t.Helper()
	f := laboratory()
	matrixed(t, f)
	var short []string
	for i := range f.runs {
		r := &f.runs[i]
		switch {
		case r.Campaign != matrixedID:
		case r.Class == evidence.ClassShort:
			short = append(short, r.ID)
		case r.Class == evidence.ClassLong && long == "":
			long = r.ID
		}
	}
	return site(t, f), short[0], short[1], long
}

func TestComparePage(t *testing.T) {
	s, control, arm, _ := twoArms(t)
	page := get(t, s, "/compare?c="+control+"&a="+arm+"&x=mtp_depth")
	said := text(page.one("compare"))
	for _, want := range []string{"control", "make it the control", "tok/s", "Change"} {
		if !strings.Contains(said, want) {
			t.Errorf("the table does not say %q: %s", want, said)
		}
	}
	// A shown change stands with its verdict in the same cell.
	if !strings.Contains(said, "%") || !strings.Contains(said, "better") && !strings.Contains(said, "worse") {
		t.Errorf("no change is shown: %s", said)
	}
	doors := under(page.one("compare"), func(n *html.Node) bool { return n.Data == "a" && strings.HasPrefix(attr(n, "href"), "/artifact/") })
	if len(doors) < 4 {
		t.Errorf("%d figures open an artifact", len(doors))
	}
}

// TestCompareStopsWithoutNumbers: I3 on the page, in the drawing and in every download.
func TestCompareStopsWithoutNumbers(t *testing.T) {
	s, control, _, long := twoArms(t)
	address := "?c=" + control + "&a=" + long + "&f=" + url.QueryEscape("decode_rate:p50")
	page := get(t, s, "/compare"+address)
	arm := text(page.one("arm"))
	if !strings.Contains(arm, "blocked") {
		t.Fatalf("short against long is not blocked: %s", arm)
	}
	if strings.Contains(arm, "%") {
		t.Errorf("a stopped pair shows a change: %s", arm)
	}
	var rows []map[string]any
	rec := ask(s, http.MethodGet, "/compare.json"+address)
	if err := json.Unmarshal(rec.Body.Bytes(), &rows); err != nil || len(rows) != 1 {
		t.Fatalf("%d rows, %v: %s", len(rows), err, rec.Body)
	}
	for _, column := range []string{"value", "control_value", "change", "change_low", "lower", "p", "cliffs_delta", "direction", "source", "control_source"} {
		if v, ok := rows[0][column]; !ok || v != nil {
			t.Errorf("%s is %v in a stopped row", column, v)
		}
	}
	if rows[0]["verdict"] != "blocked" || rows[0]["rules"] == nil {
		t.Errorf("verdict %v, rules %v", rows[0]["verdict"], rows[0]["rules"])
	}
	bench := ask(s, http.MethodGet, "/compare.bench"+address).Body.String()
	if strings.Contains(bench, "Benchmark") {
		t.Errorf("a stopped pair is in the benchmark format:\n%s", bench)
	}
}

func TestCompareDownloads(t *testing.T) {
	s, control, arm, _ := twoArms(t)
	address := "?c=" + control + "&a=" + arm + "&f=" + url.QueryEscape("decode_rate:p50") + "&x=mtp_depth"
	for _, ext := range []string{"csv", "json", "md", "bench"} {
		rec := ask(s, http.MethodGet, "/compare."+ext+address)
		if rec.Code != http.StatusOK || rec.Body.Len() == 0 {
			t.Errorf("%s: %d", ext, rec.Code)
		}
	}
	bench := ask(s, http.MethodGet, "/compare.bench"+address).Body.String()
	if strings.Count(bench, "\nBenchmarkDecodeRate/stat=p50") != 2 {
		t.Errorf("want the control and the arm in the benchmark format:\n%s", bench)
	}
}

// TestComparePermalink: the digest of a permalink says whether the answer is still the same.
func TestComparePermalink(t *testing.T) {
	s, control, arm, _ := twoArms(t)
	page := get(t, s, "/compare?c="+control+"&a="+arm)
	links := page.all(func(n *html.Node) bool { return n.Data == "a" && strings.Contains(attr(n, "href"), "view=") })
	if len(links) == 0 {
		t.Fatal("no permalink")
	}
	same := get(t, s, attr(links[0], "href"))
	if some(same, func(n *html.Node) bool { return attr(n, "data-testid") == "moved" }) {
		t.Error("the permalink says that the answer moved")
	}
	other := get(t, s, "/compare?c="+control+"&a="+arm+"&view=00000000000000000000000000000000")
	if !some(other, func(n *html.Node) bool { return attr(n, "data-testid") == "moved" }) {
		t.Error("another digest is taken for the same answer")
	}
}

func TestCompareRefusesBadAddresses(t *testing.T) {
	s, control, arm, _ := twoArms(t)
	for _, c := range []struct {
		query string
		code  int
	}{
		{"?c=" + control + "&a=nothing-r9", http.StatusNotFound},
		{"?c=" + control + "&a=" + arm + "&f=speed:p50", http.StatusBadRequest},
		{"?c=" + control + "&a=" + arm + "&x=colour", http.StatusBadRequest},
		{"?c=" + control + "&a=" + control, http.StatusBadRequest},
		{"?c=" + control + "&c=" + arm + "&a=" + arm, http.StatusBadRequest},
		{"?c=" + control + strings.Repeat("&a="+arm, 101), http.StatusBadRequest},
		{"?c=" + strings.Repeat("x", 900) + "&a=" + arm, http.StatusBadRequest},
	} {
		if rec := ask(s, http.MethodGet, "/compare"+c.query); rec.Code != c.code {
			t.Errorf("%.80s: %d, want %d", c.query, rec.Code, c.code)
		}
	}
}

func TestComparePicker(t *testing.T) {
	s, _, _, _ := twoArms(t)
	list := get(t, s, "/compare")
	if !strings.Contains(text(list.one("pick-campaign")), matrixedID) {
		t.Error("the campaign is not offered")
	}
	pick := get(t, s, "/compare?campaign="+matrixedID).one("pick-runs")
	boxes := under(pick, func(n *html.Node) bool { return n.Data == "input" && attr(n, "name") == "a" })
	if len(boxes) != 48 {
		t.Errorf("%d arms are offered, want 48", len(boxes))
	}
}
