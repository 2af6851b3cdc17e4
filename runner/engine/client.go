package engine

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"assay/runner/load"
	"assay/runner/load/wire"
)

const (
	mostBody = 4 << 20
	patience = 10 * time.Second
	mostText = 300
)

// client asks an endpoint questions by GET. Redirects are answers, not ways.
type client struct {
	base    string // without /v1
	key     string
	headers map[string]string
	http    *http.Client
}

func newClient(t load.Target) (*client, error) {
	e, err := wire.ParseEndpoint(t.Endpoint)
	if err != nil {
		return nil, err
	}
	scheme := "http"
	transport := &http.Transport{Proxy: nil, DisableKeepAlives: true, ResponseHeaderTimeout: patience, MaxResponseHeaderBytes: 64 << 10}
	if e.TLS != nil {
		scheme = "https"
		transport.TLSClientConfig = &tls.Config{RootCAs: t.Roots, MinVersion: tls.VersionTLS12}
	}
	return &client{
		base: (&url.URL{Scheme: scheme, Host: e.Address}).String() + e.Prefix, key: t.Key, headers: t.Headers,
		http: &http.Client{Transport: transport, Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}, nil
}

// answer is what came for a question.
type answer struct {
	status int
	server string // the Server header
	body   []byte
}

func (a *answer) ok() bool { return a.status == http.StatusOK }

func (c *client) get(ctx context.Context, path string) (*answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "assay")
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	for k, v := range c.headers {
		req.Header.Set(k, v)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, mostBody+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(body) > mostBody {
		return nil, fmt.Errorf("%s: more than %d bytes", path, mostBody)
	}
	return &answer{status: resp.StatusCode, server: plain(resp.Header.Get("Server")), body: body}, nil
}

// object is a JSON object of which some members are looked at.
type object map[string]any

// ask gets a JSON object; nil where the endpoint has none there.
func (c *client) ask(ctx context.Context, path string) object {
	a, err := c.get(ctx, path)
	if err != nil || !a.ok() {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(string(a.body)))
	d.UseNumber()
	var o object
	if d.Decode(&o) != nil {
		return nil
	}
	return o
}

// text is a member as text: a string, a number or a flag; "" for anything else.
func (o object) text(path ...string) string {
	var v any = map[string]any(o)
	for _, name := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return ""
		}
		v = m[name]
	}
	switch x := v.(type) {
	case string:
		return plain(x)
	case json.Number:
		return plain(x.String())
	case bool:
		return fmt.Sprint(x)
	}
	return ""
}

// plain is a text on one line and of bounded length.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	if s = strings.TrimSpace(s); len(s) > mostText {
		cut := mostText
		for s[cut]&0xc0 == 0x80 {
			cut--
		}
		s = s[:cut]
	}
	return s
}

// unreachable says why an endpoint cannot be asked, without the address twice.
func unreachable(endpoint string, err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return fmt.Errorf("endpoint %s cannot be reached: %w", endpoint, err)
}
