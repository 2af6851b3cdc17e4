package browsertest

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"assay/assets/example"
)

// files writes files to hand in and gives their paths.
func files(t *testing.T) (dir string, paths map[string]string) {
	t.Helper()
	docs, err := example.Documents()
	if err != nil {
		t.Fatal(err)
	}
	dir, paths = t.TempDir(), map[string]string{}
	for name, data := range map[string][]byte{
		"matrix.json": docs[0].Data, "deep/er/table.json": docs[1].Data, "again.json": docs[0].Data, "broken.json": []byte(`{"a": 1, "b": tru}`),
		`<img src=x onerror=alert(1)>.json`: []byte(`{"hostile": 1}`), "large.bin": make([]byte, 1<<20+1), "words.txt": []byte("no figures"),
	} {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, data, 0o644); err != nil {
			t.Fatal(err)
		}
		paths[name] = at
	}
	return dir, paths
}

// drop lets go of files over an element, as a file manager does.
func (b *browser) drop(selector string, paths ...string) {
	b.t.Helper()
	at := eval[[]float64](b, `(() => { const r = document.querySelector("`+selector+`").getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`)
	for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
		b.do("drag", action(input.DispatchDragEvent, input.DispatchDragEventParams{
			Type: kind, X: at[0], Y: at[1], Data: &input.DragData{Items: []*input.DragDataItem{}, Files: paths, DragOperationsMask: 1},
		}))
	}
}

// taken waits until n files have ended and gives what their rows say, by name.
func (b *browser) taken(n int) map[string]string {
	b.t.Helper()
	b.until("all files ended", `document.querySelectorAll("[data-results] tbody > tr:not([data-testid=going])").length >= `+strconv.Itoa(n)+` && !document.querySelector("[data-testid=going]")`)
	rows := eval[[][]string](b, `[...document.querySelectorAll("[data-results] tbody > tr")].map((r) => [r.children[0].textContent.trim().replace(/\s+/g, " "), r.innerText.replace(/\s+/g, " ")])`)
	said := map[string]string{}
	for _, r := range rows {
		said[r[0]] = r[1]
	}
	return said
}

func TestUpload(t *testing.T) {
	b := newBrowser(t)
	h := newHouse(t)
	dir, paths := files(t)
	b.look("light", 1440)
	b.visit(h.base + "/intake")
	b.shot("upload-before")

	// Files and a folder are dropped.
	b.drop("[data-upload]", paths["matrix.json"], paths["broken.json"], paths["large.bin"], filepath.Join(dir, "deep"), paths[`<img src=x onerror=alert(1)>.json`])
	said := b.taken(5)
	for name, want := range map[string]string{
		"matrix.json": "accepted", "broken.json": "quarantined", "large.bin": "Larger than", "table.json deep/er": "accepted", `<img src=x onerror=alert(1)>.json`: "archived only",
	} {
		if !strings.Contains(said[name], want) {
			t.Errorf("%s: %q, want %s in it", name, said[name], want)
		}
	}
	if got := eval[string](b, `document.querySelector("[data-tally]").textContent`); !strings.HasPrefix(got, "5 files: ") {
		t.Errorf("the tally says %q", got)
	}
	b.shot("upload-after")
	b.sound("/intake after files were dropped")
	for _, scheme := range []string{"dark", "light"} {
		b.look(scheme, 390)
		b.shot("upload-after-" + scheme + "-narrow")
		if low := eval[[]string](b, contrast); len(low) > 0 {
			t.Errorf("hard to read: %v", low)
		}
	}
	b.look("light", 1440)

	// The chooser, by keyboard, with a declared campaign.
	b.do("choose", chromedp.SetUploadFiles(chromedp.CSS("#u-files"), []string{paths["again.json"], paths["words.txt"]}),
		chromedp.Focus(chromedp.CSS("#u-campaign")), chromedp.KeyEvent("night-1"), chromedp.KeyEvent(kb.Enter))
	said = b.taken(2)
	if !strings.Contains(said["again.json"], "duplicate") || !strings.Contains(said["words.txt"], "archived only") {
		t.Errorf("%v", said)
	}
	b.settle("handing files in")

	// A row leads to what was found in the file.
	b.do("open", chromedp.Click(chromedp.CSS("[data-results] tbody a.quietlink")))
	b.until("the file's page", `location.pathname.startsWith("/intake/") && document.readyState === "complete"`)
	b.settle("the file's page")
	if root, _ := h.get("/campaigns/night-1"); root == nil {
		t.Error("the declared campaign is not there")
	}
}

// TestUploadWithoutScripts sends the form as a whole.
func TestUploadWithoutScripts(t *testing.T) {
	b := newBrowser(t)
	h := newHouse(t)
	_, paths := files(t)
	b.look("light", 1440)
	scripts := func(off bool) {
		b.do("scripts", action(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: off}))
	}
	b.do("away", chromedp.Navigate("about:blank"))
	scripts(true)
	defer scripts(false)
	b.do("open", chromedp.Navigate(h.base+"/intake"), chromedp.SetUploadFiles(chromedp.CSS("#u-files"), []string{paths["matrix.json"], paths["broken.json"]}),
		chromedp.Click(chromedp.CSS(".upload button[type=submit]")))
	b.until("the answer", `document.querySelectorAll("[data-testid=taken]").length === 2`)
	if got := eval[string](b, `document.querySelector("h1 + p").textContent`); got != "2 files: 1 accepted, 1 quarantined." {
		t.Errorf("the page says %q", got)
	}
	b.shot("upload-without-scripts")
	b.settle("without scripts")
}

// TestAnotherSiteCannotHandIn posts the form from another origin.
func TestAnotherSiteCannotHandIn(t *testing.T) {
	b := newBrowser(t)
	h := newHouse(t)
	other := http.NewServeMux()
	other.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<form method="post" enctype="multipart/form-data" action="` + h.base + `/intake"><input name="campaign" value="x"><button>go</button></form>`))
	})
	srv := httptest.NewServer(other)
	defer srv.Close()
	b.visit(srv.URL + "/")
	b.do("send", chromedp.Click(chromedp.CSS("button")))
	b.until("the refusal", `location.pathname === "/intake" && document.readyState === "complete"`)
	if got := eval[string](b, `document.querySelector("h1").textContent`); got != "Forbidden" {
		t.Errorf("the page says %q", got)
	}
	b.mu.Lock()
	b.faults = nil // the browser logs the status
	b.mu.Unlock()
}
