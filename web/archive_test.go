package web_test

import (
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"assay/assets/example"
	"assay/ingest"
	"assay/store"
	"assay/store/evidence"
	"assay/web"
)

// The pages read the store through interfaces that it satisfies.
var _ web.Archive = (*store.Archive)(nil)

// exampleArchive is a real archive with the example evidence, and what stands in it.
func exampleArchive(t *testing.T) (*store.Archive, map[evidence.Digest]any) {
	t.Helper()
	a, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"), store.Options{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	docs, err := example.Documents()
	if err != nil {
		t.Fatal(err)
	}
	values := make(map[evidence.Digest]any)
	var sources []ingest.Source
	for _, d := range docs {
		sources = append(sources, ingest.Blob(d.Name, "example", d.Data))
		dec := json.NewDecoder(strings.NewReader(string(d.Data)))
		dec.UseNumber()
		var v any
		if err := dec.Decode(&v); err != nil {
			t.Fatal(err)
		}
		values[evidence.DigestOf(d.Data)] = v
	}
	if _, err := ingest.Take(t.Context(), a, sources, ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	return a, values
}

// TestCrawl opens the first page and everything that it and its pages link to.
func TestCrawl(t *testing.T) {
	a, values := exampleArchive(t)
	s := site(t, a)
	seen := map[string]bool{"/": true}
	figures := 0
	for queue := []string{"/"}; len(queue) > 0; queue = queue[1:] {
		path := queue[0]
		w := ask(s, http.MethodGet, path)
		if w.Code == http.StatusFound {
			if to := w.Header().Get("Location"); !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
			continue
		}
		if w.Code != http.StatusOK {
			t.Errorf("GET %s: %d", path, w.Code)
			continue
		}
		if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			continue
		}
		d := parse(t, path, w.Body.String())
		if !strings.HasPrefix(path, "/artifact/") { // its own test looks at it
			t.Run(path, func(t *testing.T) { sound(t, d); figures += doors(t, d, values) })
		}
		for _, n := range d.all(tag("a")) {
			to, _, _ := strings.Cut(attr(n, "href"), "#")
			// One place of an artifact stands for all of them: their pages are alike.
			key := to
			if u, err := url.Parse(to); err == nil && strings.HasPrefix(u.Path, "/artifact/") {
				key = u.Path
			}
			if to != "" && !seen[key] {
				seen[key] = true
				queue = append(queue, to)
			}
		}
	}
	if figures < 400 {
		t.Errorf("%d figures were followed to their places; the example evidence has more", figures)
	}
	t.Logf("%d addresses, %d figures", len(seen), figures)
}

// doors checks that every source link of a page leads to a place that is there, and
// that a figure's place holds that figure.
func doors(t *testing.T, d doc, values map[evidence.Digest]any) int {
	t.Helper()
	figures := 0
	for _, n := range d.all(func(n *html.Node) bool { return n.Data == "a" && strings.HasPrefix(attr(n, "href"), "/artifact/") }) {
		u, err := url.Parse(attr(n, "href"))
		if err != nil {
			t.Errorf("%q: %v", attr(n, "href"), err)
			continue
		}
		if !u.Query().Has("p") {
			continue
		}
		digest, err := evidence.ParseDigest(strings.TrimPrefix(u.Path, "/artifact/"))
		if err != nil {
			t.Errorf("%q: %v", attr(n, "href"), err)
			continue
		}
		pointer := evidence.Pointer(u.Query().Get("p"))
		v, ok := at(values[digest], pointer)
		if !ok {
			t.Errorf("%q leads to %s, where nothing is", text(n), pointer)
			continue
		}
		stands, ok := within(v, u.Query().Get("s"), u.Query().Get("e"))
		if !ok {
			t.Errorf("%q leads to a part of %s that is not there", text(n), pointer)
			continue
		}
		shown, isFigure := number(text(n))
		source, isNumber := number(stands)
		if !isFigure || !isNumber {
			continue
		}
		figures++
		if named(pointer, shown) || class("calc")(n) {
			continue
		}
		if !slices.ContainsFunc(scales, func(f float64) bool { return rounds(source*f, shown, text(n)) }) {
			t.Errorf("%q leads to %s, which holds %s", text(n), pointer, stands)
		}
	}
	return figures
}

var digits = regexp.MustCompile(`([0-9]+)(k?)`)

// named reports whether a figure stands in the names that lead to its place: the
// depth 12 of a member k12, the 2,048 tokens of one called chunk2k.
func named(p evidence.Pointer, shown float64) bool {
	for _, m := range digits.FindAllStringSubmatch(string(p), -1) {
		f, err := strconv.ParseFloat(m[1], 64)
		if m[2] == "k" {
			f *= 1024
		}
		if err == nil && f == shown {
			return true
		}
	}
	return false
}

// scales are the reading units: as it stands, ms and s, percent, MiB and GiB.
var scales = []float64{1, 1000, 0.001, 100, 0.01, 1.0 / 1024, 1.0 / (1 << 20), 1.0 / (1 << 30), 1e9 / (1 << 30)}

// rounds reports whether shown is v to the decimals it is shown with.
func rounds(v, shown float64, words string) bool {
	_, frac, _ := strings.Cut(strings.TrimRight(words, "% abcdefghijklmnopqrstuvwxyzGKMB/"), ".")
	return math.Abs(v-shown) <= 0.5000001*math.Pow(10, -float64(len(frac)))
}

// number reads a figure as a page or a source writes it.
func number(s string) (float64, bool) {
	s = strings.ReplaceAll(strings.ReplaceAll(s, ",", ""), "\u2212", "-")
	s, _, _ = strings.Cut(strings.TrimSuffix(s, "%"), " ")
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil && strings.ContainsAny(s, "0123456789")
}

// at follows a pointer through a decoded value.
func at(v any, p evidence.Pointer) (any, bool) {
	for _, tok := range p.Tokens() {
		switch x := v.(type) {
		case map[string]any:
			next, ok := x[tok]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(tok)
			if err != nil || i < 0 || i >= len(x) {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	return v, v != nil || p != ""
}

// within is the value as text, or the part of it from start to end.
func within(v any, start, end string) (string, bool) {
	var s string
	switch x := v.(type) {
	case string:
		s = x
	case json.Number:
		s = x.String()
	}
	if start == "" && end == "" {
		return s, true
	}
	from, err1 := strconv.Atoi(start)
	to, err2 := strconv.Atoi(end)
	if err1 != nil || err2 != nil || from < 0 || to <= from || to > len(s) {
		return "", false
	}
	return s[from:to], true
}
