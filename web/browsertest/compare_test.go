package browsertest

import (
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestCompareJourney picks a control and two arms of a campaign, asks about a factor,
// swaps the control, opens reasons with the keyboard, follows a number to its marked
// place, and finds the permalink unchanged.
func TestCompareJourney(t *testing.T) {
	b := newBrowser(t)
	h := newHouse(t, examples(t)...)
	matrix, _, _ := h.campaigns()
	id, err := url.PathUnescape(strings.TrimPrefix(matrix, "/campaigns/"))
	if err != nil {
		t.Fatal(err)
	}
	b.look("light", 1440)
	b.visit(h.base + "/compare?campaign=" + url.QueryEscape(id))
	for _, js := range []string{
		`document.querySelectorAll("[data-testid=pick-runs] input[name=c]")[0].click()`,
		`document.querySelectorAll("[data-testid=pick-runs] input[name=a]")[1].click()`,
		`document.querySelectorAll("[data-testid=pick-runs] input[name=a]")[2].click()`,
	} {
		eval[any](b, js)
	}
	b.do("compare", chromedp.Click(chromedp.CSS("[data-testid=pick-runs] button[type=submit]")))
	b.until("the comparison", `document.querySelectorAll("[data-testid=arm]").length === 2`)
	b.settle("compare")
	b.shot("compare")
	if n := eval[int](b, `document.querySelectorAll(".lie .tick").length`); n < 2 {
		t.Errorf("%d marks are drawn", n)
	}

	eval[any](b, `document.querySelector("details.chooser").open = true, document.querySelector("input[name=x]").click()`)
	b.do("ask about a factor", chromedp.Click(chromedp.CSS("details.chooser button[type=submit]")))
	b.until("the factor in the address", `location.search.includes("x=") && document.readyState === "complete"`)

	before := eval[string](b, `document.querySelector("[data-testid=control] th").innerText`)
	b.do("swap", chromedp.Click(chromedp.CSS("[data-testid=arm] .acts-line a")))
	b.until("another control", `document.readyState === "complete" && document.querySelector("[data-testid=control] th").innerText !== `+quoted(before))

	// Reasons open with the keyboard alone.
	eval[any](b, `document.querySelector(".why details:not([open]) > summary").focus()`)
	b.do("press enter", chromedp.KeyEvent("\r"))
	b.until("the reasons", `!!document.activeElement.closest("details[open]") && document.activeElement.closest("details").querySelector(".reasons").offsetHeight > 0`)

	permalink := eval[string](b, `[...document.querySelectorAll("a.btn")].find((a) => a.innerText === "Permalink").href`)
	b.visit(permalink)
	if eval[bool](b, `!!document.querySelector("[data-testid=moved]")`) {
		t.Error("a permalink made now says that the answer has moved")
	}
	b.settle("permalink")

	b.do("follow a figure", chromedp.Click(chromedp.CSS("[data-testid=control] td a.src")))
	b.until("its place", `location.pathname.startsWith("/artifact/") && !!document.querySelector("#place")`)
	b.settle("the place of a figure")
}

// TestComparingPagesDraw: the drawings of frontier and factor grids have something on them,
// and the catalogue's sections can be reached, on a desk and on a phone.
func TestComparingPagesDraw(t *testing.T) {
	b := newBrowser(t)
	h := newHouse(t, examples(t)...)
	for _, width := range []int64{1440, 390} {
		b.look("dark", width)
		b.visit(h.base + "/frontier?y=" + url.QueryEscape("decode_rate:p50"))
		if n := eval[int](b, `document.querySelectorAll("[data-chart] canvas").length`); n == 0 {
			t.Errorf("%d px: the frontier is not drawn", width)
		}
		b.settle("frontier")
		b.shot("frontier")
		b.visit(h.base + "/matrix/factors?rows=served_context&cols=mtp_depth&split=checkpoint&split=tp")
		if n := eval[int](b, `document.querySelectorAll("[data-testid=grid] td.q5").length`); n == 0 {
			t.Errorf("%d px: no grid is shaded", width)
		}
		b.settle("factors")
		b.visit(h.base + "/guardrails#w-conc")
		if !eval[bool](b, `document.querySelector("#w-conc:target") !== null`) {
			t.Errorf("%d px: the section of a rule is not reached", width)
		}
		b.settle("guardrails")
		if wide := eval[int](b, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			t.Errorf("%d px: the page is %d px too wide", width, wide)
		}
	}
}

// quoted is a text as a string of a script.
func quoted(s string) string {
	return "`" + strings.NewReplacer("\\", "\\\\", "`", "\\`", "${", "\\${").Replace(s) + "`"
}
