package main

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/assets/example"
	"assay/ingest"
	"assay/ingest/jsondoc"
	"assay/store"
	"assay/store/evidence"
	"assay/store/export"
)

// planted is a credential that stands in no file: put together when the test runs.
var planted = "sk-" + "proj-" + strings.Repeat("q7Xw2Zr9Lk4", 4)

// leak is a part of it that must be seen nowhere.
var leak = planted[12:36]

// plantsPerFile bounds the copies made of one fixture.
const plantsPerFile = 8

// TestPlantedSecrets puts a credential into the texts of an artifact of every family,
// one text at a time, and looks for it in every export and on every page.
func TestPlantedSecrets(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of artifacts")
	}
	sources := plantings(t)
	db := filepath.Join(t.TempDir(), "archive.db")
	a, err := store.Open(t.Context(), db, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	report, err := ingest.Take(t.Context(), a, sources, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	families := map[string]bool{}
	for _, f := range report.Files {
		families[f.Family] = true
		if !slices.ContainsFunc(f.Findings, func(x evidence.Finding) bool { return x.Code == evidence.CodeSecret }) {
			t.Errorf("%s (%s): the secret is not found", f.Path, f.State)
		}
		for _, x := range f.Findings {
			if strings.Contains(x.Message+string(x.Pointer), leak) {
				t.Errorf("%s: the finding %s holds the secret", f.Path, x.Code)
			}
		}
	}
	t.Logf("%d artifacts of %d families", len(report.Files), len(families))
	exportsOf(t, a)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	address, stop := serving(t, "--db", db, "serve", "--public-read", "--listen", "127.0.0.1:0")
	defer stop()
	crawl(t, address)
}

// plantings are copies of the fixtures of all readers with the credential in them.
func plantings(t *testing.T) []ingest.Source {
	t.Helper()
	var out []ingest.Source
	add := func(name string, data []byte) {
		for _, copy := range plant(data) {
			out = append(out, ingest.Blob(name, "file", copy))
		}
	}
	docs, err := example.Documents()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		add(d.Name, d.Data)
	}
	root := filepath.Join("..", "..", "ingest")
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "fuzz":
			return fs.SkipDir
		case d.IsDir() || !strings.Contains(path, "testdata") || strings.HasSuffix(path, ".golden"):
			return nil
		}
		data, err := os.ReadFile(path)
		if err == nil && len(data) < 1<<20 {
			add(path, data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// plant puts the credential behind strings of JSON, or behind lines of other text.
func plant(data []byte) [][]byte {
	var ends []int64
	sum := jsondoc.ScanBytes(data, jsondoc.Defaults, func(e *jsondoc.Event) {
		if e.Op == jsondoc.Leaf && e.Kind == jsondoc.String {
			ends = append(ends, e.End-1)
		}
	})
	if sum.Form != jsondoc.JSON || sum.Encoding != "utf-8" {
		ends = nil
		for i, c := range data {
			if c == '\n' && i > 0 && data[i-1] != '\r' {
				ends = append(ends, int64(i))
			}
		}
	}
	if sum.Encoding != "utf-8" {
		return nil
	}
	var out [][]byte
	for k := 0; k < min(plantsPerFile, len(ends)); k++ {
		at := ends[k*len(ends)/min(plantsPerFile, len(ends))]
		out = append(out, slices.Concat(data[:at], []byte(" "+planted), data[at:]))
	}
	return out
}

func exportsOf(t *testing.T, a *store.Archive) {
	t.Helper()
	r := &root{env: &env{Now: func() time.Time { return clock }}}
	lists := export.WithSignOffs{Lists: a, SignOffs: r.desk(a)}
	for _, k := range export.Kinds {
		for _, f := range []export.Format{export.CSV, export.JSON, export.Markdown, export.Bench} {
			if f == export.Bench && k != export.Measurements {
				continue
			}
			for _, wide := range []bool{false, true} {
				var b bytes.Buffer
				begin := export.New
				if wide {
					begin = export.NewWide
				}
				w, err := begin(k, f, &b)
				if err != nil {
					t.Fatal(err)
				}
				w.ShowPrivate()
				if err := w.Pour(t.Context(), lists, evidence.Filter{}); err != nil {
					t.Fatal(err)
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				seek(t, "export "+string(k)+" "+string(f), b.String())
			}
		}
	}
	var b bytes.Buffer
	reports := export.NewReports(&b, true)
	if err := reports.Pour(context.Background(), a, evidence.Filter{}); err != nil {
		t.Fatal(err)
	}
	seek(t, "export runs llmd", b.String())
}

// seek looks for the credential.
func seek(t *testing.T, where, text string) {
	t.Helper()
	if i := strings.Index(text, leak); i >= 0 {
		t.Errorf("%s shows the secret: …%q…", where, text[max(0, i-160):min(len(text), i+40)])
	}
}

var link = regexp.MustCompile(`href="(/[^"#]*)`)

// crawl reads the pages that lead on from the first one.
func crawl(t *testing.T, address string) {
	t.Helper()
	queue, seen := []string{"/", "/search?q=sk", "/search?q=" + leak, "/runs", "/artifacts", "/intake", "/metrics"}, map[string]int{}
	for pages := 0; len(queue) > 0 && pages < 600; pages++ {
		path := strings.ReplaceAll(queue[0], "&amp;", "&")
		queue = queue[1:]
		res, err := http.Get(strings.TrimSuffix(address, "/") + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(io.LimitReader(res.Body, 8<<20))
		res.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		text := string(body)
		if strings.HasPrefix(path, "/search?q="+leak) {
			text = strings.ReplaceAll(text, leak, "") // what was asked for stands in the page's own form
		}
		seek(t, path, text)
		for _, m := range link.FindAllStringSubmatch(string(body), -1) {
			// A few pages of every kind: thousands of artifacts have one each.
			kind := strings.SplitN(strings.TrimPrefix(m[1], "/"), "/", 2)[0]
			kind, _, _ = strings.Cut(kind, "?")
			if strings.HasSuffix(m[1], "/raw") || strings.Contains(m[1], leak) || seen[m[1]] > 0 || seen[" "+kind] > 150 {
				continue
			}
			seen[m[1]]++
			seen[" "+kind]++
			queue = append(queue, m[1])
		}
	}
	t.Logf("%d links", len(seen))
}
