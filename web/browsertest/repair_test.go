package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"golang.org/x/net/html"
)

// open follows a link of the page and waits for where it leads.
func (b *browser) open(selector, path string) {
	b.t.Helper()
	b.do("click "+selector, chromedp.Click(chromedp.CSS(selector)))
	b.until(path, `location.pathname === "`+path+`" && document.readyState === "complete"`)
}

// fill writes into a field as a person would.
func (b *browser) fill(id, text string) {
	b.t.Helper()
	b.set(id, "")
	b.do("fill "+id, chromedp.SendKeys(chromedp.CSS("#"+id), text))
}

// set gives a field or chooser a value.
func (b *browser) set(id, value string) {
	b.t.Helper()
	if got := eval[string](b, `document.getElementById("`+id+`").value = "`+value+`"`); got != value {
		b.t.Fatalf("%s has no value %q", id, value)
	}
}

// aRun is the page of a run of the example evidence.
func (h *house) aRun() string {
	h.t.Helper()
	run := ""
	root, _ := h.get("/runs")
	each(root, func(n *html.Node) {
		if to := attr(n, "href"); n.Data == "a" && strings.HasPrefix(to, "/runs/") && run == "" {
			run = to
		}
	})
	if run == "" {
		h.t.Fatal("no run")
	}
	return run
}

// TestRepairFlow declares what a run does not say, sees it on the run's page with who
// and why, withdraws it, and sees it gone.
func TestRepairFlow(t *testing.T) {
	b := newBrowser(t)
	h := newHouse(t, examples(t)...)
	run := h.aRun()
	b.look("light", 1440)
	b.visit(h.base + run)
	b.shot("repair-run-before")
	missing := `[data-testid=missing] a[href*="key=warm_state"]`
	b.open(missing, "/repair/declare")
	if got := eval[string](b, `document.getElementById("r-key").value`); got != "warm_state" {
		t.Errorf("the form asks for %q", got)
	}
	// What is missing is said, and nothing typed is lost.
	b.fill("r-value", "repeat <b>")
	b.fill("r-author", "Ada")
	b.set("r-reason", "  ")
	b.do("a blank reason", chromedp.Click(chromedp.CSS("button.first")))
	b.until("the refusal", `!!document.querySelector("[data-testid=fault]")`)
	if got := eval[string](b, `document.activeElement.dataset.testid || ""`); got != "fault" {
		t.Errorf("the focus is on %q, want what is wrong", got)
	}
	if got := eval[string](b, `document.getElementById("r-value").value`); got != "repeat <b>" {
		t.Errorf("the form lost what was typed: %q", got)
	}
	b.shot("repair-form-refused")
	b.sound("a refused form")
	b.mu.Lock()
	b.faults = nil // the browser logs the status of the refusal
	b.mu.Unlock()
	b.fill("r-reason", "the log shows a second pass")
	b.open("button.first", "/repair/list")
	if got := eval[string](b, `document.querySelector("[data-testid=made]").textContent`); !strings.Contains(got, "holds") {
		t.Errorf("the list says %q", got)
	}
	b.settle("the list of repairs")
	b.shot("repair-list")
	b.sound("the list of repairs")

	b.visit(h.base + run)
	fact := `document.querySelector("[data-key=warm_state]").innerText.replace(/\s+/g, " ")`
	said := eval[string](b, fact)
	for _, want := range []string{"repeat <b>", "declared", "Ada", "the log shows a second pass"} {
		if !strings.Contains(said, want) {
			t.Errorf("the run's page says %q, want %q in it", said, want)
		}
	}
	b.shot("repair-run-after")
	b.settle("a run with a declared fact")

	// Against a recorded fact it is a conflict, with both values.
	b.visit(h.base + run)
	id := strings.TrimPrefix(run, "/runs/")
	b.visit(h.base + "/repair/declare?key=tp&target=" + id)
	b.fill("r-value", "7")
	b.fill("r-reason", "counted the cards")
	if got := eval[string](b, `document.getElementById("r-author").value`); got != "Ada" {
		t.Errorf("the name is not remembered: %q", got)
	}
	b.open("button.first", "/repair/list")
	b.visit(h.base + run)
	said = eval[string](b, `document.querySelector("[data-key=tp]").innerText.replace(/\s+/g, " ")`)
	if !strings.Contains(said, "conflict") || !strings.Contains(said, "7") {
		t.Errorf("the conflict reads %q", said)
	}
	b.shot("repair-conflict")

	// An alias, made from the list of spellings, then withdrawn.
	b.visit(h.base + "/repair/spellings")
	b.shot("repair-spellings")
	b.settle("spellings")
	b.open(`[data-testid=spelled] a.btn`, "/repair/alias")
	b.fill("r-meaning", "One Card")
	b.fill("r-reason", "our name for it")
	b.open("button.first", "/repair/list")
	b.open("#r-3 a.btn", "/repair/withdraw")
	b.shot("repair-withdraw")
	b.fill("r-reason", "a slip")
	b.open("button.first", "/repair/list")
	if got := eval[string](b, `document.getElementById("r-3").innerText`); !strings.Contains(got, "withdrawn") || !strings.Contains(got, "a slip") {
		t.Errorf("the withdrawn alias reads %q", got)
	}
	b.settle("withdrawing")

	b.visit(h.base + "/repair")
	b.shot("repair-queue")
	b.settle("the queue")
	b.look("dark", 390)
	for _, p := range []string{"/repair", "/repair/spellings", "/repair/list", "/repair/declare", run} {
		b.visit(h.base + p)
		b.shot("narrow" + p)
		if low := eval[[]string](b, contrast); len(low) > 0 {
			t.Errorf("%s: hard to read: %v", p, low)
		}
	}
}

// TestRunFilters narrows the list by the form, takes a chip away, orders it, and follows
// the download.
func TestRunFilters(t *testing.T) {
	b := newBrowser(t)
	h := newHouse(t, examples(t)...)
	b.look("light", 1440)
	b.visit(h.base + "/runs")
	b.shot("runs-all")
	all := eval[string](b, `document.querySelector("[data-testid=runs] header .num").textContent`)
	b.fill("f-q", "mtp")
	b.set("f-class", "short-capacity")
	b.do("filter", chromedp.Click(chromedp.CSS(".narrow button")))
	b.until("the narrowed list", `document.querySelectorAll("[data-testid=chips] .chip").length === 2`)
	b.shot("runs-narrowed")
	if got := eval[string](b, `location.search`); got != "?q=mtp&model=&engine=&gpu=&protocol=&campaign=&class=short-capacity&family=&status=&from=&to=&sort=" && !strings.Contains(got, "q=mtp") {
		t.Errorf("the address is %q", got)
	}
	few := eval[string](b, `document.querySelector("[data-testid=runs] header .num").textContent`)
	if few == all {
		t.Errorf("nothing is narrowed: %s", few)
	}
	csv := eval[string](b, `document.querySelector(".export a").getAttribute("href")`)
	if !strings.Contains(csv, "q=mtp") || !strings.Contains(csv, "class=short-capacity") {
		t.Errorf("the download is %s", csv)
	}
	_, body := h.get(csv)
	rows := strings.Count(strings.TrimSpace(body), "\n")
	if shown := eval[int](b, `document.querySelectorAll("[data-testid=run]").length`); rows < shown || rows == 0 {
		t.Errorf("the download has %d rows, the page shows %d of %s", rows, shown, few)
	}
	b.do("order", chromedp.Click(chromedp.CSS("th a.order")))
	b.until("the order", `!!document.querySelector("th[aria-sort=ascending] a.order.up") && location.search.includes("sort=arm")`)
	b.do("take a chip away", chromedp.Click(chromedp.CSS("[data-testid=chips] .chip")))
	b.until("one chip", `document.querySelectorAll("[data-testid=chips] .chip").length === 1 && location.search.includes("sort=arm")`)
	b.settle("the list of runs")
	b.sound("the narrowed list")
	for _, scheme := range []string{"light", "dark"} {
		b.look(scheme, 390)
		b.shot("runs-narrowed-" + scheme + "-phone")
	}
	b.look("dark", 1440)
	b.shot("runs-narrowed-dark")
}
