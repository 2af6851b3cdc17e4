package web_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"assay/web"
)

// site is a server over an archive.
func site(t testing.TB, a web.Archive) *web.Server {
	t.Helper()
	s, err := web.New(web.Config{Archive: a, Assets: plainAssets{}, Listen: "127.0.0.1:8321", Version: "v0.0.0-test", Readers: []string{"lab/decision@1"}, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ask(s http.Handler, method, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://127.0.0.1:8321"+path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// doc is a parsed page.
type doc struct {
	t    *testing.T
	path string
	root *html.Node
	body string
}

func get(t *testing.T, s http.Handler, path string) doc {
	t.Helper()
	w := ask(s, http.MethodGet, path)
	if w.Code != http.StatusOK {
		t.Fatalf("GET %s: status %d\n%s", path, w.Code, w.Body)
	}
	return parse(t, path, w.Body.String())
}

func parse(t *testing.T, path, body string) doc {
	t.Helper()
	root, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return doc{t, path, root, body}
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

func (d doc) all(want func(*html.Node) bool) []*html.Node { return under(d.root, want) }

func under(n *html.Node, want func(*html.Node) bool) []*html.Node {
	var found []*html.Node
	for x := range n.Descendants() {
		if x.Type == html.ElementNode && want(x) {
			found = append(found, x)
		}
	}
	return found
}

func tag(name string) func(*html.Node) bool {
	return func(n *html.Node) bool { return n.Data == name }
}

func class(name string) func(*html.Node) bool {
	return func(n *html.Node) bool {
		return strings.Contains(" "+attr(n, "class")+" ", " "+name+" ")
	}
}

// ids finds elements by data-testid.
func (d doc) ids(id string) []*html.Node {
	return d.all(func(n *html.Node) bool { return attr(n, "data-testid") == id })
}

func (d doc) one(id string) *html.Node {
	d.t.Helper()
	found := d.ids(id)
	if len(found) != 1 {
		d.t.Fatalf("%s: %d elements with data-testid %q, want 1", d.path, len(found), id)
	}
	return found[0]
}

// text is what a person reads: white space folded, blocks and cells apart.
func text(n *html.Node) string {
	var b strings.Builder
	write(&b, n)
	return strings.Join(strings.Fields(b.String()), " ")
}

func write(b *strings.Builder, n *html.Node) {
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
		return
	}
	if n.Data == "script" {
		return // data of a drawing
	}
	apart := n.Type == html.ElementNode && (!inline[n.Data] || class("sub")(n) || class("u")(n))
	if apart {
		b.WriteByte(' ')
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		write(b, c)
	}
	if apart {
		b.WriteByte(' ')
	}
}

// inline elements run on in a line.
var inline = map[string]bool{"a": true, "span": true, "bdi": true, "code": true, "strong": true, "s": true, "mark": true, "wbr": true, "svg": true, "use": true}

func contains(t *testing.T, where, got, want string) {
	t.Helper()
	if !strings.Contains(got, want) {
		t.Errorf("%s: no %q in %q", where, want, got)
	}
}

// link finds the address behind a text inside n.
func link(t *testing.T, n *html.Node, words string) string {
	t.Helper()
	for _, a := range under(n, tag("a")) {
		if text(a) == words {
			return attr(a, "href")
		}
	}
	t.Errorf("no link %q in %q", words, text(n))
	return ""
}

func read(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
