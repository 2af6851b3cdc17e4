package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
)

// setTheme keeps the chosen theme in a cookie and leads back.
func (s *Server) setTheme(c echo.Context) error {
	r := c.Request()
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return &statusError{status: http.StatusForbidden, text: "The theme is set from these pages only."}
	}
	cookie := &http.Cookie{Name: themeCookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.secure(r)}
	switch theme := c.FormValue("theme"); theme {
	case "light", "dark":
		cookie.Value, cookie.MaxAge = theme, themeAge
	case "system":
		cookie.MaxAge = -1
	default:
		return badRequest("theme: want light, dark or system.")
	}
	c.SetCookie(cookie)
	return c.Redirect(http.StatusSeeOther, localPath(c.FormValue("back")))
}

const (
	themeCookie = "theme"
	themeAge    = 365 * 24 * 60 * 60 // seconds
)

func themeOf(r *http.Request) string {
	cookie, err := r.Cookie(themeCookie)
	if err != nil || cookie.Value != "light" && cookie.Value != "dark" {
		return ""
	}
	return cookie.Value
}

// localPath is back when it leads to a page of this server, else the first page.
func localPath(back string) string {
	u, err := url.Parse(back)
	if err != nil || u.IsAbs() || u.Host != "" || u.User != nil || !strings.HasPrefix(back, "/") ||
		strings.HasPrefix(back, "//") || strings.ContainsAny(back, "\\\r\n\t") {
		return "/"
	}
	return back
}
