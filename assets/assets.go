package assets

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
)

//go:embed *.css *.js all:dist
var files embed.FS

// Charts is the chart library's name.
const Charts = "echarts.min.js"

// types of the files that are served; a file of another type is not.
var types = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".txt": "text/plain; charset=utf-8",
	".svg": "image/svg+xml",
}

// Set is the files by name. It is safe for concurrent use.
type Set struct{ byName map[string]*file }

type file struct {
	url, media    string
	plain, gzip   []byte
	etag, gzipTag string
}

// New reads the embedded files.
func New() (*Set, error) { return newSet(files) }

func newSet(fsys fs.FS) (*Set, error) {
	s := &Set{byName: map[string]*file{}}
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || types[path.Ext(p)] == "" {
			return err
		}
		b, err := fs.ReadFile(fsys, p)
		if err != nil {
			return err
		}
		name := path.Base(p)
		if s.byName[name] != nil {
			return fmt.Errorf("two files are named %s", name)
		}
		f, err := newFile(name, b)
		s.byName[name] = f
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("embedded assets: %w", err)
	}
	return s, nil
}

func newFile(name string, b []byte) (*file, error) {
	sum := sha256.Sum256(b)
	hash := hex.EncodeToString(sum[:6])
	f := &file{
		url: "/assets/" + hash + "/" + name, media: types[path.Ext(name)], plain: b,
		etag: `"` + hash + `"`, gzipTag: `"` + hash + `-gz"`,
	}
	var buf bytes.Buffer
	z, err := gzip.NewWriterLevel(&buf, gzip.BestSpeed+4)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(b); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	if buf.Len() < len(b) {
		f.gzip = buf.Bytes()
	}
	return f, nil
}

// URL is the address of a file, "" when there is no such file.
func (s *Set) URL(name string) string {
	if f := s.byName[name]; f != nil {
		return f.url
	}
	return ""
}

// HasCharts reports whether the chart library is there.
func (s *Set) HasCharts() bool { return s.byName[Charts] != nil }

// ServeHTTP answers for /assets/HASH/NAME. An address with another hash is not found:
// under it, other content would be kept for good.
func (s *Set) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f := s.byName[path.Base(r.URL.Path)]
	if f == nil || f.url != r.URL.Path {
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, "no such asset", http.StatusNotFound)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "read only", http.StatusMethodNotAllowed)
		return
	}
	f.serve(w, r)
}

func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	body, tag := f.plain, f.etag
	h := w.Header()
	h.Set("Vary", "Accept-Encoding")
	if f.gzip != nil && acceptsGzip(r.Header.Get("Accept-Encoding")) {
		body, tag = f.gzip, f.gzipTag
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("ETag", tag)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("X-Content-Type-Options", "nosniff")
	if r.Header.Get("If-None-Match") == tag {
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", f.media)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the reader left; nobody is there to tell
	}
}

// acceptsGzip reads an Accept-Encoding value: gzip is named and not refused with q=0.
func acceptsGzip(v string) bool {
	for part := range strings.SplitSeq(v, ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q, found := strings.CutPrefix(strings.ReplaceAll(params, " ", ""), "q=")
			weight, err := strconv.ParseFloat(q, 64)
			return !found || err != nil || weight > 0
		}
	}
	return false
}
