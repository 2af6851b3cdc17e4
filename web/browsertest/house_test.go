package browsertest

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"assay/assets"
	"assay/assets/example"
	"assay/ingest"
	"assay/store"
	"assay/store/evidence"
	"assay/web"
)

// house is a server over an archive with the example evidence and hostile files.
type house struct {
	t    *testing.T
	base string
}

// noCharts are assets of a binary that was built without the chart library.
type noCharts struct{ *assets.Set }

func (n noCharts) URL(name string) string {
	if name == assets.Charts {
		return ""
	}
	return n.Set.URL(name)
}

func newHouse(t *testing.T, sources ...ingest.Source) *house {
	t.Helper()
	ctx := context.Background()
	archive, err := store.Open(ctx, filepath.Join(t.TempDir(), "assay.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := archive.Close(); err != nil {
			t.Error(err)
		}
	})
	report, err := ingest.Take(ctx, archive, sources, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := report.Accepted + report.Archived + report.Quarantined; n != len(sources) {
		t.Fatalf("%d of %d files reached an end state: %+v", n, len(sources), report)
	}
	files, err := assets.New()
	if err != nil {
		t.Fatal(err)
	}
	return &house{t: t, base: serve(t, archive, files)}
}

// serve answers on a loopback port until the test ends.
func serve(t *testing.T, archive *store.Archive, files web.Assets) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, err := web.New(web.Config{
		Archive: archive, Assets: files, Listen: l.Addr().String(), Version: "test", Readers: []string{"test@1"},
		Intake: taker{archive}, Repairs: archive, MaxUpload: 1 << 20, LocalWrites: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	srv := &httptest.Server{Listener: l, Config: &http.Server{Handler: s}}
	srv.Start()
	t.Cleanup(srv.Close)
	return srv.URL
}

// taker takes in what the pages hand in.
type taker struct{ archive *store.Archive }

func (k taker) Take(ctx context.Context, u web.Upload) (evidence.Taken, error) {
	report, err := ingest.Take(ctx, k.archive, []ingest.Source{ingest.Stream(u.Name, "http", u.Body)}, ingest.Options{Campaign: u.Campaign, MaxInput: 1 << 20, NoResume: true})
	if err != nil {
		return evidence.Taken{}, err
	}
	return evidence.Taken(report.Files[0]), nil
}

// examples are the embedded documents.
func examples(t *testing.T) []ingest.Source {
	t.Helper()
	docs, err := example.Documents()
	if err != nil {
		t.Fatal(err)
	}
	var out []ingest.Source
	for _, d := range docs {
		out = append(out, ingest.Blob(d.Name, "example", d.Data))
	}
	return out
}

// get fetches a page and parses it.
func (h *house) get(path string) (*html.Node, string) {
	h.t.Helper()
	res, err := http.Get(h.base + path)
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK {
		h.t.Errorf("GET %s: status %d", path, res.StatusCode)
	}
	root, err := html.Parse(strings.NewReader(string(b)))
	if err != nil {
		h.t.Fatal(err)
	}
	return root, string(b)
}

func each(n *html.Node, visit func(*html.Node)) {
	visit(n)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		each(c, visit)
	}
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// perKind is how many addresses of one kind of page are kept.
const perKind = 2

// kindOf tells addresses apart by route and by which parameters they have.
func kindOf(u *url.URL) string {
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	if len(parts) > 1 {
		parts[1] = "*"
	}
	var names []string
	for name := range u.Query() {
		names = append(names, name)
	}
	sort.Strings(names)
	return strings.Join(parts, "/") + "?" + strings.Join(names, "&")
}

// isFile reports whether an address is a download and no page.
func isFile(u *url.URL) bool {
	if strings.HasPrefix(u.Path, "/export/") || strings.HasPrefix(u.Path, "/assets/") || strings.HasSuffix(u.Path, "/raw") {
		return true
	}
	for _, ext := range []string{".csv", ".json", ".md", ".bench", ".toml"} {
		if strings.HasSuffix(u.Path, ext) && !strings.HasPrefix(u.Path, "/artifact/") {
			return true
		}
	}
	return false
}

// crawl follows links from the first page and returns a few addresses of each kind,
// in the order they were found.
func (h *house) crawl() []string {
	h.t.Helper()
	queue, seen, kinds := []string{"/"}, map[string]bool{"/": true}, map[string]int{}
	var pages []string
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		root, body := h.get(at)
		pages = append(pages, at)
		h.check(at, root, body)
		each(root, func(n *html.Node) {
			if n.Data != "a" {
				return
			}
			u, err := url.Parse(attr(n, "href"))
			if err != nil || u.IsAbs() || !strings.HasPrefix(u.Path, "/") || isFile(u) {
				return
			}
			u.Fragment = ""
			if to, kind := u.String(), kindOf(u); !seen[to] && kinds[kind] < perKind {
				seen[to] = true
				kinds[kind]++
				queue = append(queue, to)
			}
		})
	}
	if len(pages) < 12 {
		h.t.Errorf("the crawl found %d pages only: %v", len(pages), pages)
	}
	return pages
}

// check looks for what must stand in no page.
func (h *house) check(path string, root *html.Node, body string) {
	ids := map[string]bool{}
	each(root, func(n *html.Node) {
		if n.Type != html.ElementNode {
			return
		}
		if id := attr(n, "id"); id != "" {
			if ids[id] {
				h.t.Errorf("%s: two elements have the id %s", path, id)
			}
			ids[id] = true
		}
		switch {
		case n.Data == "style", n.Data == "script" && attr(n, "src") == "" && attr(n, "type") != "application/json":
			h.t.Errorf("%s: <%s> in the markup", path, n.Data)
		case n.Data == "td" && n.FirstChild == nil:
			h.t.Errorf("%s: an empty cell", path)
		}
		for _, a := range n.Attr {
			leads := attr(n, "rel") != "icon" && (a.Key == "href" || a.Key == "src" || a.Key == "action" || a.Key == "formaction")
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") || leads && !strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "#") {
				h.t.Errorf("%s: %s=%q in <%s>", path, a.Key, a.Val, n.Data)
			}
		}
	})
	if len(body) > 1<<20 {
		h.t.Errorf("%s: %d bytes", path, len(body))
	}
}

// sources checks that every link into an artifact leads to a page with a marked place.
func (h *house) sources(pages []string) {
	h.t.Helper()
	done := map[string]bool{}
	for _, p := range pages {
		root, _ := h.get(p)
		each(root, func(n *html.Node) {
			to := attr(n, "href")
			if n.Data != "a" || !strings.HasPrefix(to, "/artifact/") || !strings.Contains(to, "?p=") || strings.Contains(to, "page=") || done[to] || len(done) >= 1500 {
				return
			}
			done[to] = true
			path, fragment, _ := strings.Cut(to, "#")
			if fragment != "place" {
				h.t.Errorf("%s: %s does not lead to the mark", p, to)
			}
			if _, body := h.get(path); !strings.Contains(body, `<mark id="place">`) {
				h.t.Errorf("%s: nothing is marked at %s", p, to)
			}
		})
	}
	if len(done) < 100 {
		h.t.Errorf("only %d links into artifacts", len(done))
	}
	h.t.Logf("%d links into artifacts lead to a mark", len(done))
}
