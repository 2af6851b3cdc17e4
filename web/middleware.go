package web

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
)

// contentPolicy allows our own files and nothing that stands in the markup. No nonce
// is needed because nothing is inline.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// assetPath is where assets are served; they bring their own encoding.
const assetPath = "/assets/"

func (s *Server) use() {
	s.echo.Use(
		s.identify,
		securityHeaders,
		s.recoverPanic,
		s.checkHost,
		checkQuery,
		middleware.BodyLimitWithConfig(middleware.BodyLimitConfig{Limit: maxBody, Skipper: func(c echo.Context) bool { return uploads(c) || signs(c) }}),
		middleware.BodyLimitWithConfig(middleware.BodyLimitConfig{Limit: maxSigned, Skipper: func(c echo.Context) bool { return !signs(c) }}),
		s.guard,
		middleware.GzipWithConfig(middleware.GzipConfig{MinLength: 1024, Skipper: ownEncoding}),
		middleware.ContextTimeoutWithConfig(middleware.ContextTimeoutConfig{Timeout: pageTimeout, Skipper: streams}),
	)
}

// identify gives every request an id of our own making: one that came in could hold
// anything, and it goes into the log.
func (s *Server) identify(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := s.cfg.Now()
		var raw [8]byte
		_, _ = rand.Read(raw[:]) // never fails
		id := hex.EncodeToString(raw[:])
		c.Response().Header().Set(echo.HeaderXRequestID, id)
		err := next(c)
		if err != nil {
			c.Error(err) // written here, so that the log has the status
		}
		r := c.Request()
		s.cfg.Log.LogAttrs(r.Context(), slog.LevelInfo, "request", slog.String("id", id),
			slog.String("method", r.Method), slog.String("uri", loggedURI(c)), slog.Int("status", c.Response().Status),
			slog.Int64("bytes", c.Response().Size), slog.Duration("took", s.cfg.Now().Sub(start)))
		return nil
	}
}

// secretWord is anything that looks like a secret of ours: a token, a session, an
// invitation.
var secretWord = regexp.MustCompile(`assay_[A-Za-z0-9_-]{24,}`)

// loggedURI is the address as the log may hold it: an invitation is a secret, and people
// paste tokens into search fields.
func loggedURI(c echo.Context) string {
	r := c.Request()
	if strings.Contains(r.URL.Path, "/welcome/") {
		return "/welcome/…"
	}
	// Escaped twice where the address of one page stands in the address of another.
	for text, n := r.RequestURI, 0; n < 3; n++ {
		if secretWord.MatchString(text) {
			return c.Path() + " …"
		}
		next, err := url.QueryUnescape(text)
		if err != nil || next == text {
			break
		}
		text = next
	}
	return r.RequestURI
}

func securityHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY") // says frame-ancestors to old browsers
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
		return next(c)
	}
}

// recoverPanic turns a panic into an internal error with its stack in the log.
//
// Note: http.ErrAbortHandler passes through; it is how a handler cuts a connection
// whose body can no longer be completed.
func (s *Server) recoverPanic(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if e, ok := p.(error); ok && errors.Is(e, http.ErrAbortHandler) {
				panic(p)
			}
			s.cfg.Log.Error("panic", "id", requestID(c), "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", p)
		}()
		return next(c)
	}
}

// checkHost refuses names that are not ours: a page of another site whose name was
// pointed at this machine must not read a private archive.
func (s *Server) checkHost(next echo.HandlerFunc) echo.HandlerFunc {
	allowed := allowedHosts(s.cfg.Listen, s.cfg.Hosts)
	return func(c echo.Context) error {
		if allowed != nil && !allowed[hostName(c.Request().Host)] {
			return &statusError{status: http.StatusMisdirectedRequest,
				text: "This server does not answer to that host name. Use the address it was started with, or start it with this name allowed."}
		}
		return next(c)
	}
}

// checkQuery refuses a query that cannot be read as a whole: net/url leaves out what it
// cannot read, and a filter that was left out widens the answer without a word.
func checkQuery(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if _, err := url.ParseQuery(c.Request().URL.RawQuery); err != nil {
			return badRequest("The query of the address cannot be read: %s. Parameters are joined by &; a per cent sign is written %%25, a semicolon %%3B.", queryFault(c.Request().URL.RawQuery, err))
		}
		return next(c)
	}
}

// queryFault says what is wrong with a query in words that do not depend on how long
// it is.
func queryFault(raw string, err error) string {
	var escape url.EscapeError
	switch {
	case errors.As(err, &escape):
		return fmt.Sprintf("%.10q is no escape of a byte", string(escape))
	case strings.Contains(raw, ";"):
		return "it holds a semicolon"
	}
	return "it has too many parameters"
}

// allowedHosts is nil when every name is accepted.
func allowedHosts(listen string, extra []string) map[string]bool {
	host := hostName(listen)
	loopback := host == "localhost"
	if ip := net.ParseIP(host); ip != nil {
		loopback = ip.IsLoopback()
	}
	if !loopback && len(extra) == 0 {
		return nil
	}
	allowed := map[string]bool{"localhost": true, "127.0.0.1": true, "::1": true}
	if loopback {
		allowed[host] = true
	}
	for _, h := range extra {
		allowed[hostName(h)] = true
	}
	return allowed
}

// hostName is a Host value without port and brackets.
func hostName(hostport string) string {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

func ownEncoding(c echo.Context) bool {
	return c.Request().Method == http.MethodHead || strings.HasPrefix(c.Request().URL.Path, assetPath) || c.Path() == artifactRawPath
}

// signs tells the forms and requests that carry a reason for every limitation, or a whole
// statement.
func signs(c echo.Context) bool {
	return c.Request().Method == http.MethodPost && (c.Path() == signoffsAPI || strings.HasPrefix(c.Path(), draftsPath+"/:id"))
}

// streams tells the routes whose answer may take as long as somebody reads it, or whose
// body as long as somebody sends it.
func streams(c echo.Context) bool {
	return strings.HasPrefix(c.Path(), "/export/") || c.Path() == artifactRawPath || uploads(c) || strings.HasSuffix(c.Path(), "/bundle.zip")
}

func requestID(c echo.Context) string { return c.Response().Header().Get(echo.HeaderXRequestID) }

// gone reports whether nobody waits for the answer any more.
func gone(ctx context.Context, err error) bool {
	return errors.Is(err, context.Canceled) && ctx.Err() != nil
}
