package load_test

import (
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"assay/runner/load"
)

// TestAgainstGoServer speaks to net/http, in the clear and over TLS, connections kept.
func TestAgainstGoServer(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Header.Get("Authorization") != "Bearer secret" || r.Header.Get("X-Lane") != "a" || r.URL.Path != "/base/v1/chat/completions" {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		for i := range len(body) % 7 {
			fmt.Fprint(w, content(fmt.Sprint(i)))
			w.(http.Flusher).Flush()
			time.Sleep(ms)
		}
		fmt.Fprint(w, stop+usage(len(body), len(body)%7, 0)+done)
	})
	for name, server := range map[string]*httptest.Server{"http": httptest.NewServer(handler), "https": httptest.NewTLSServer(handler)} {
		t.Run(name, func(t *testing.T) {
			defer server.Close()
			target := load.Target{Endpoint: server.URL + "/base/v1", Key: "secret", Headers: map[string]string{"X-Lane": "a"}, Limits: limits}
			if cert := server.Certificate(); cert != nil {
				target.Roots = x509.NewCertPool()
				target.Roots.AddCert(cert)
			}
			client, err := load.NewClient(target, "go")
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			clock := load.NewClock(time.Now())
			for i, size := range []int{3, 6, 40_004, 3_000_001} { // short, and longer than one write
				rec := ask(client, clock, truth{body: string(make([]byte, size))}, i, context.Background())
				if rec.Class != load.OK || rec.OutputTokens() != n64(int64(size%7)) || rec.Usage.Prompt != n64(int64(size)) || rec.Reused != (i > 0) {
					t.Errorf("%d bytes: %q (%s), usage %+v, reused %v", size, rec.Class, rec.Cause, rec.Usage, rec.Reused)
				}
				for k := 1; k < len(rec.Chunks); k++ {
					if rec.Chunks[k].At < rec.Chunks[k-1].At {
						t.Errorf("chunk %d came before the one in front of it", k)
					}
				}
			}
		})
	}
	t.Run("a certificate that nobody vouches for", func(t *testing.T) {
		server := httptest.NewUnstartedServer(handler)
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		server.StartTLS()
		defer server.Close()
		client, err := load.NewClient(load.Target{Endpoint: server.URL, Limits: limits}, "go")
		if err != nil {
			t.Fatal(err)
		}
		if rec := ask(client, load.NewClock(time.Now()), truth{}, 0, context.Background()); rec.Class != load.Connect {
			t.Errorf("%q (%s)", rec.Class, rec.Cause)
		}
	})
}
