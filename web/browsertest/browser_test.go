package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is one tab and what went wrong in it. All tests share it.
type browser struct {
	t   *testing.T // of the running test
	ctx context.Context

	mu     sync.Mutex
	faults []string
}

var (
	only *browser // started by the first test that needs it
	shut []context.CancelFunc
)

func TestMain(m *testing.M) {
	code := m.Run()
	for i := len(shut) - 1; i >= 0; i-- {
		shut[i]()
	}
	os.Exit(code)
}

// chromium is the path of a browser; the test is skipped, or fails, without one.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless-shell"} {
		if p, err := exec.LookPath(name); err == nil {
			return p
		}
	}
	const why = "no Chromium found; install the package chromium to run the browser tests"
	if os.Getenv("ASSAY_REQUIRE_BROWSER") == "1" {
		t.Fatal(why)
	}
	t.Skip(why)
	return ""
}

// watch runs before every document: it keeps what the policy refuses.
const watch = `window.refused = [];
addEventListener("securitypolicyviolation", (e) => window.refused.push(e.violatedDirective + " " + e.blockedURI + " " + e.sourceFile + ":" + e.lineNumber));`

func newBrowser(t *testing.T) *browser {
	t.Helper()
	if only != nil {
		only.t = t
		return only
	}
	path := chromium(t)
	profile, err := os.MkdirTemp("", "assay-browser-")
	if err != nil {
		t.Fatal(err)
	}
	shut = append(shut, func() { os.RemoveAll(profile) })
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.UserDataDir(profile),
	)
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, done := chromedp.NewContext(ctx)
	shut = append(shut, stop, done)
	b := &browser{t: t, ctx: ctx}
	b.do("start the browser")
	if err := chromedp.Listen(ctx, b.event); err != nil {
		t.Fatal(err)
	}
	b.do("watch the policy", action(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watch}))
	only = b
	return b
}

// action sends one command to the tab.
func action[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

func (b *browser) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatalf("%s: %v", what, err)
	}
}

// event notes console errors, uncaught exceptions, browser log errors and dialogs.
func (b *browser) event(ev any) {
	fault := ""
	switch e := ev.(type) {
	case *runtime.EventExceptionThrown:
		fault = "exception: " + e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			fault += " " + x.Description
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			fault = "console " + string(e.Type)
			for _, a := range e.Args {
				fault += " " + string(a.Value) + a.Description
			}
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Source == log.EntrySourceSecurity {
			fault = "log: " + e.Entry.Text + " " + e.Entry.URL
		}
	case *page.EventJavascriptDialogOpening:
		fault = "dialog: " + e.Message
		// Nobody answers a dialog in the loop that reads events.
		go func() {
			_, _ = chromedp.Call(b.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
		}()
	}
	if fault != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.faults = append(b.faults, fault)
	}
}

// settle reports what went wrong since the last page.
func (b *browser) settle(where string) {
	b.t.Helper()
	for _, r := range eval[[]string](b, `window.refused || []`) {
		b.t.Errorf("%s: the policy refused %s", where, r)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.faults {
		b.t.Errorf("%s: %s", where, f)
	}
	b.faults = nil
}

// eval is the value of an expression in the page. While one page gives way to the next
// there is no place to evaluate it in; it is asked again then.
func eval[T any](b *browser, js string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](js))
	for end := time.Now().Add(10 * time.Second); err != nil && between(err) && time.Now().Before(end); {
		time.Sleep(50 * time.Millisecond)
		v, err = chromedp.Run(b.ctx, chromedp.Evaluate[T](js))
	}
	if err != nil {
		b.t.Fatalf("%.80s: %v", js, err)
	}
	return v
}

// between reports whether the page was being replaced.
func between(err error) bool {
	for _, words := range []string{"navigated", "context was destroyed", "Cannot find context"} {
		if strings.Contains(err.Error(), words) {
			return true
		}
	}
	return false
}

// look sets the colour scheme and the size of the window.
func (b *browser) look(scheme string, width int64) {
	b.t.Helper()
	b.do("emulate "+scheme,
		action(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}),
		chromedp.EmulateViewport(width, 900))
}

// visit opens a page and waits for its drawings.
func (b *browser) visit(u string) {
	b.t.Helper()
	b.do("open "+u, chromedp.Navigate(u))
	if eval[int](b, `document.querySelectorAll("[data-chart]").length`) > 0 {
		b.until("drawings on "+u, `[...document.querySelectorAll("[data-chart]")].every((c) => c.dataset.drawn || c.closest(".undrawn"))`)
	}
}

// until waits for a condition.
func (b *browser) until(what, js string) {
	b.t.Helper()
	end := time.Now().Add(10 * time.Second)
	for !eval[bool](b, js) {
		if time.Now().After(end) {
			b.t.Fatalf("%s: never happened", what)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// shot writes a picture when ASSAY_SHOTS names a folder.
func (b *browser) shot(name string) {
	dir := os.Getenv("ASSAY_SHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	name = strings.Map(func(r rune) rune {
		if r == '/' || r == '?' || r == '&' || r == '%' {
			return '_'
		}
		return r
	}, name)
	if err := os.WriteFile(fmt.Sprintf("%s/%.120s.png", dir, name), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}
