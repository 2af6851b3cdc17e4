package review_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"assay/assets"
	"assay/store/compare"
	"assay/web"
)

// pageExport is the SHA-256 of the CSV that the compare page gives over HTTP for a spec.
func (b *bench) pageExport(spec *compare.Spec) string {
	b.t.Helper()
	files, err := assets.New()
	b.ok(err)
	server, err := web.New(web.Config{Archive: b.archive, Assets: files, Listen: "127.0.0.1:0", Hosts: []string{"example.com"}})
	b.ok(err)
	q := url.Values{"c": {strings.Join(spec.Control, ".")}}
	for _, a := range spec.Arms {
		q.Add("a", strings.Join(a, "."))
	}
	for _, f := range spec.Figures {
		q.Add("f", f.String())
	}
	for _, k := range spec.Axes {
		q.Add("x", string(k))
	}
	r := httptest.NewRequestWithContext(b.ctx, http.MethodGet, "http://localhost/compare.csv?"+q.Encode(), nil)
	w := httptest.NewRecorder()
	server.Handler().ServeHTTP(w, r)
	body, err := io.ReadAll(w.Result().Body)
	b.ok(err)
	if w.Code != http.StatusOK {
		b.t.Fatalf("%d %s", w.Code, body[max(0, len(body)-900):])
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}
