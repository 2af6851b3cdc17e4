package assets

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

const chartsSHA256 = "bf4a223524e40b77c304bec67e1222cf551f14880cf42c69dc046558e11c07b1"

func get(t *testing.T, s *Set, url string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, url, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func TestServesFilesUnderTheirHash(t *testing.T) {
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for name, media := range map[string]string{"app.js": "text/javascript; charset=utf-8", "artifact.css": "text/css; charset=utf-8"} {
		url := s.URL(name)
		if !regexp.MustCompile(`^/assets/[0-9a-f]{12}/` + regexp.QuoteMeta(name) + `$`).MatchString(url) {
			t.Fatalf("%s: %s", name, url)
		}
		plain := get(t, s, url)
		if plain.Code != http.StatusOK || plain.Header().Get("Content-Type") != media || !strings.Contains(plain.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %v", name, plain.Code, plain.Header())
		}
		packed := get(t, s, url, "Accept-Encoding", "br, gzip")
		if packed.Header().Get("Content-Encoding") != "gzip" {
			t.Fatalf("%s is not compressed", name)
		}
		z, err := gzip.NewReader(packed.Body)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(z)
		if err != nil || string(b) != plain.Body.String() {
			t.Errorf("%s: the compressed file is another, %v", name, err)
		}
		if again := get(t, s, url, "If-None-Match", plain.Header().Get("ETag")); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s: status %d for a file that the browser has", name, again.Code)
		}
	}
}

func TestNotFound(t *testing.T) {
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{"/assets/", "/assets/app.js", "/assets/000000000000/app.js", s.URL("app.js") + "/x", "/assets/../assets.go", "/assets/x/.gitkeep"} {
		if w := get(t, s, url); w.Code != http.StatusNotFound || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: status %d", url, w.Code)
		}
	}
	r := httptest.NewRequest(http.MethodPost, s.URL("app.js"), nil)
	w := httptest.NewRecorder()
	if s.ServeHTTP(w, r); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: status %d", w.Code)
	}
	if w := get(t, s, s.URL("app.js"), "Accept-Encoding", "gzip;q=0"); w.Header().Get("Content-Encoding") != "" {
		t.Error("compressed for a reader that refuses it")
	}
}

func TestWithoutTheChartLibrary(t *testing.T) {
	s, err := newSet(fstest.MapFS{"app.js": {Data: []byte("1")}, "dist/.gitkeep": {}})
	if err != nil || s.HasCharts() || s.URL(Charts) != "" || s.URL("app.js") == "" {
		t.Errorf("%v, %v", s, err)
	}
}

func TestTheChartLibraryIsTheOneThatWasChecked(t *testing.T) {
	b, err := files.ReadFile("dist/" + Charts)
	if err != nil {
		t.Skip("built without the chart library; build.sh fetches it")
	}
	sum := sha256.Sum256(b)
	if got := hex.EncodeToString(sum[:]); got != chartsSHA256 {
		t.Errorf("%s has sha256 %s, want %s", Charts, got, chartsSHA256)
	}
	for _, name := range []string{"echarts-LICENSE.txt", "echarts-NOTICE.txt"} {
		if _, err := files.ReadFile("dist/" + name); err != nil {
			t.Errorf("the library is shipped without %s", name)
		}
	}
}

func TestStyleSheetsNameNoHost(t *testing.T) {
	for _, name := range []string{"assay.css", "artifact.css", "matrix.css", "chart.css", "app.js", "charts.js"} {
		b, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if regexp.MustCompile(`https?:|@import|url\(`).Match(b) {
			t.Errorf("%s loads something from elsewhere", name)
		}
	}
}
