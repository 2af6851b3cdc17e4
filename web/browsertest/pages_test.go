package browsertest

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"golang.org/x/net/html"

	"assay/assets"
)

// TestPages looks at every kind of page in both themes at every width. Half of the
// looks load the page, the others change it in place, as a phone that is turned does.
func TestPages(t *testing.T) {
	b := newBrowser(t)
	h := newHouse(t, append(examples(t), odd(t)...)...)
	pages := h.crawl()
	began := time.Now()
	for _, p := range pages {
		for _, look := range []struct {
			scheme string
			width  int64
			load   bool
		}{{"light", 1440, true}, {"dark", 1440, false}, {"dark", 390, true}, {"light", 390, false}} {
			b.look(look.scheme, look.width)
			if look.load {
				b.visit(h.base + p)
			}
			where := p + " " + look.scheme
			if id := eval[[]string](b, blank); len(id) > 0 {
				t.Errorf("%s: nothing is drawn in %v", where, id)
			}
			if id := eval[[]string](b, crowded); len(id) > 0 {
				t.Errorf("%s: labels run into each other in %v", where, id)
			}
			if low := eval[[]string](b, contrast); len(low) > 0 {
				t.Errorf("%s: hard to read: %s", where, strings.Join(low, "; "))
			}
			b.settle(where)
			b.shot(look.scheme + "-" + widthWord(look.width) + p)
		}
		b.sound(p)
	}
	t.Logf("%d pages in %s", len(pages), time.Since(began).Round(time.Second))
}

func widthWord(w int64) string {
	if w > 1000 {
		return "wide"
	}
	return "narrow"
}

// sound looks at the page that is open: nothing scrolls sideways at any width, every
// control has a name, headings skip no level.
func (b *browser) sound(p string) {
	b.t.Helper()
	for _, w := range []int64{320, 390, 768, 1024, 1180, 1320, 1440} {
		b.do("resize", chromedp.EmulateViewport(w, 900))
		if wide := eval[string](b, overflow); wide != "" {
			b.t.Errorf("%s at %d: %s", p, w, wide)
		}
		if bad := eval[[]string](b, squeezed); len(bad) > 0 {
			b.t.Errorf("%s at %d: squeezed: %s", p, w, strings.Join(bad, "; "))
		}
	}
	if bad := eval[[]string](b, unlabelled); len(bad) > 0 {
		b.t.Errorf("%s: %s", p, strings.Join(bad, "; "))
	}
	if bad := eval[string](b, headings); bad != "" {
		b.t.Errorf("%s: a heading skips a level: %s", p, bad)
	}
}

// TestEveryFigureOpensItsSource follows links over HTTP, without a browser.
func TestEveryFigureOpensItsSource(t *testing.T) {
	h := newHouse(t, examples(t)...)
	h.sources(h.crawl())
}

type placedMark struct {
	Text   string
	InView bool
	Ground string
}

// TestANumberLeadsToItsMark clicks figures as a reader would.
func TestANumberLeadsToItsMark(t *testing.T) {
	b := newBrowser(t)
	h := newHouse(t, examples(t)...)
	follow := func(from, selector, digits string) {
		t.Helper()
		b.visit(h.base + from)
		b.do("click "+selector, chromedp.Click(chromedp.CSS(selector)))
		b.until("the artifact page", `location.pathname.startsWith("/artifact/") && document.readyState === "complete"`)
		m := eval[*placedMark](b, placed)
		for end := time.Now().Add(3 * time.Second); m != nil && !m.InView && time.Now().Before(end); m = eval[*placedMark](b, placed) {
			time.Sleep(30 * time.Millisecond) // it may scroll smoothly
		}
		switch {
		case m == nil:
			t.Errorf("%s: nothing is marked", from)
		case !m.InView:
			t.Errorf("%s: the mark %q is not in view", from, m.Text)
		case !strings.Contains(m.Text, digits):
			t.Errorf("%s: %q is marked, want %s", from, m.Text, digits)
		}
		b.settle(from)
	}
	matrix, table, prose := h.campaigns()
	for _, width := range []int64{1440, 390} {
		b.look("light", width)
		follow(matrix+"/matrix", `#m1 a[href*="%2Fresults%2F1%2Fshort%2Fdecode_tok_s_p50"]`, "62.0")
		follow(matrix+"/matrix", `#m2 a[href*="%2Fresults%2F14%2Flong%2Fdecode_tok_s"]`, "32.7")
		follow(table, `a[href*="aggregate_tok_s_upper_bound"]`, "1423.4125")
		follow(prose+"/arms", `a.src[href*="statistics"][href*="&s="]`, "")
	}
}

// campaigns finds the example campaigns by the places that their pages lead to.
func (h *house) campaigns() (matrix, table, prose string) {
	h.t.Helper()
	root, _ := h.get("/")
	each(root, func(n *html.Node) {
		path := attr(n, "href")
		if n.Data != "a" || !strings.HasPrefix(path, "/campaigns/") || strings.ContainsAny(path, "?#") || strings.Count(path, "/") != 2 {
			return
		}
		switch _, body := h.get(path); {
		case strings.Contains(body, "aggregate_tok_s_upper_bound"):
			table = path
		case strings.Contains(body, "%2Fresults%2F0%2Fkv_tokens"):
			matrix = path
		case strings.Contains(body, "%2Fmeasurement%2Fstatistics%2F"):
			prose = path
		}
	})
	if matrix == "" || table == "" || prose == "" {
		h.t.Fatalf("campaigns: matrix %q, table %q, prose %q", matrix, table, prose)
	}
	return matrix, table, prose
}

// TestComforts: the slash key, the menu, copy buttons, tooltips of drawings.
func TestComforts(t *testing.T) {
	b := newBrowser(t)
	h := newHouse(t, examples(t)...)
	matrix, _, _ := h.campaigns()
	b.look("light", 1440)
	b.visit(h.base + matrix + "/matrix")
	b.do("press slash", chromedp.KeyEvent("/"))
	if id := eval[string](b, `document.activeElement.id`); id != "find" {
		t.Errorf("the slash key goes to %q", id)
	}
	if n := eval[int](b, `document.querySelectorAll("button.copy").length`); n == 0 {
		t.Error("no digest has a copy button")
	}
	b.do("leave the box", chromedp.KeyEvent(kb.Escape))
	b.do("to the drawing", chromedp.ScrollIntoView(chromedp.CSS("[data-chart]")))
	box := eval[[]float64](b, `(() => { const r = document.querySelector("[data-chart]").getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; })()`)
	for _, at := range []float64{0.3, 0.5, 0.7, 0.9} {
		b.do("hover", chromedp.MouseEvent(chromedp.MouseMoved, box[0]+box[2]*at, box[1]+box[3]*0.5))
		time.Sleep(60 * time.Millisecond)
	}
	b.settle("hovering the drawing")
	b.do("open details", chromedp.Click(chromedp.CSS("details.anatomy > summary")))
	b.look("dark", 390)
	if small := eval[[]string](b, `[...document.querySelectorAll("button.copy")].map((b) => b.getBoundingClientRect()).filter((r) => r.width > 0 && (r.width < 44 || r.height < 44)).map((r) => r.width + " x " + r.height)`); len(small) > 0 {
		t.Errorf("copy buttons too small for a thumb: %v", small)
	}
	b.until("drawn again in dark", `document.querySelector("[data-chart]").dataset.drawn === "true"`)
	b.do("menu", chromedp.Click(chromedp.CSS("button.menu")))
	if !eval[bool](b, `document.getElementById("nav").matches(":popover-open")`) {
		t.Error("the menu does not open")
	}
	b.settle("comforts")
}

// TestWithoutTheChartLibrary: a page says that it cannot draw and keeps its table.
func TestWithoutTheChartLibrary(t *testing.T) {
	b := newBrowser(t)
	files, err := assets.New()
	if err != nil {
		t.Fatal(err)
	}
	archive := openExamples(t)
	h := &house{t: t, base: serve(t, archive, noCharts{files})}
	matrix, _, _ := h.campaigns()
	b.look("light", 1440)
	b.visit(h.base + matrix + "/matrix")
	if note := eval[string](b, `document.querySelector("[data-chart-note]").textContent`); !strings.Contains(note, "not loaded") {
		t.Errorf("the note says %q", note)
	}
	if eval[int](b, `document.querySelectorAll("#m1 td.q5").length`) == 0 {
		t.Error("the table lost its shade")
	}
	b.settle("without the chart library")
}

// TestPagesWorkWithoutScripts: the place is marked by the server.
func TestPagesWorkWithoutScripts(t *testing.T) {
	h := newHouse(t, examples(t)...)
	matrix, _, _ := h.campaigns()
	_, body := h.get(matrix + "/matrix")
	if strings.Count(body, `class="src"`) < 50 {
		t.Error("figures are not links without scripts")
	}
	res, err := http.Head(h.base + matrix + "/matrix.csv")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("the download: status %d", res.StatusCode)
	}
}
