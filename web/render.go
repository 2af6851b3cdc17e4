package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"assay/store/account"
	"assay/web/view"
)

// chrome is what surrounds a page: navigation, theme, and what the archive holds.
// Pages add crumbs and their own style sheets and scripts.
func (s *Server) chrome(c echo.Context, title, section string) view.Chrome {
	ch := s.frame(c, title, section)
	ch.Foot = view.BuildFoot(s.counts.get(c.Request().Context(), s, "counts", s.cfg.Archive.Counts), s.cfg.Readers, s.cfg.Version)
	if s.cfg.TransparencyLog != nil {
		ch.Foot.Log = view.FootLog(s.logSize.get(c.Request().Context(), s, "size of the log", s.cfg.TransparencyLog.LogSize))
	}
	return ch
}

// frame is chrome without asking the archive, for pages that say that it failed.
func (s *Server) frame(c echo.Context, title, section string) view.Chrome {
	r := c.Request()
	ch := view.Chrome{
		Title:   title,
		Section: section,
		Theme:   themeOf(r),
		Here:    r.URL.RequestURI(),
		Nav:     s.navigation(section),
		Foot:    view.Foot{Version: s.cfg.Version},
	}
	s.addFiles(&ch, []string{"assay.css"}, []string{"app.js"})
	if s.cfg.Accounts != nil {
		v := visitorOf(c)
		x := &v.session.Account
		ch.Who, ch.CSRF = &view.Who{Name: x.Name, FullName: x.FullName, Role: string(x.Role), Proxy: v.proxy,
			Accounts: x.Role.May(account.MayAccounts), SignIn: signinURL(r)}, v.session.CSRF
	}
	return ch
}

// render writes a page: whole or not at all.
func (s *Server) render(c echo.Context, p templ.Component) error {
	h := c.Response().Header()
	h.Set("Cache-Control", "private, no-cache") // kept, asked again every time
	h.Add(echo.HeaderVary, echo.HeaderCookie)
	return s.write(c, http.StatusOK, p)
}

// write renders into a buffer first: an error half-way must not be a broken 200.
func (s *Server) write(c echo.Context, status int, p templ.Component) error {
	ctx := c.Request().Context()
	if gone(ctx, ctx.Err()) {
		ctx = context.WithoutCancel(ctx)
	}
	var buf bytes.Buffer
	if err := p.Render(ctx, &buf); err != nil {
		return err
	}
	return s.body(c, status, echo.MIMETextHTMLCharsetUTF8, buf.Bytes())
}

// body sends bytes with a validator that depends on them alone.
func (s *Server) body(c echo.Context, status int, media string, b []byte) error {
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, media)
	if status == http.StatusOK {
		sum := sha256.Sum256(b)
		// Weak: the same page may go out compressed or not.
		tag := `W/"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
		h.Set("ETag", tag)
		if matches(c.Request().Header.Get("If-None-Match"), tag) {
			h.Del(echo.HeaderContentType)
			return c.NoContent(http.StatusNotModified)
		}
	}
	if c.Request().Method == http.MethodHead {
		h.Set(echo.HeaderContentLength, strconv.Itoa(len(b)))
		return c.NoContent(status)
	}
	return c.Blob(status, media, b)
}

// matches reports whether an If-None-Match value names the tag, weakly compared.
func matches(header, tag string) bool {
	if strings.TrimSpace(header) == "*" {
		return true
	}
	for t := range strings.SplitSeq(header, ",") {
		if strings.TrimPrefix(strings.TrimSpace(t), "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}
