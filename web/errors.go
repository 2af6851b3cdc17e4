package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/store/account"
	"assay/store/evidence"
	"assay/web/page"
	"assay/web/view"
)

// statusError is an error whose text is meant for whoever asked.
type statusError struct {
	status int
	text   string
}

func (e *statusError) Error() string { return e.text }

// badRequest says what is wrong with a parameter.
func badRequest(format string, args ...any) error {
	return &statusError{status: http.StatusBadRequest, text: fmt.Sprintf(format, args...)}
}

// notFound says what is not there.
func notFound(format string, args ...any) error {
	return &statusError{status: http.StatusNotFound, text: fmt.Sprintf(format, args...)}
}

// statusClientGone is what the log shows when the client left first.
const statusClientGone = 499

// problem turns an error into a status and a sentence. An error without a code is
// internal; what is behind it goes to the log and not to the page.
func problem(err error) (int, string) {
	var own *statusError
	var he *echo.HTTPError
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &own):
		return own.status, own.text
	case errors.Is(err, account.ErrNoEntry): // disabled since the password was checked
		return http.StatusUnauthorized, wrongEntry
	case errors.Is(err, evidence.ErrNotFound):
		return http.StatusNotFound, "Nothing in this archive answers to that address."
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable, "The archive did not answer in time. Narrow the view, or try again."
	case errors.Is(err, context.Canceled):
		return statusClientGone, "The request was cancelled."
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge, "The request body is too large."
	case errors.As(err, &he):
		return he.Code, httpText(he.Code)
	}
	return http.StatusInternalServerError, "The request could not be answered. The log has the reason under the request's id."
}

func httpText(code int) string {
	switch code {
	case http.StatusNotFound:
		return "No page has this address."
	case http.StatusMethodNotAllowed:
		return "This address does not accept that method."
	case http.StatusRequestEntityTooLarge:
		return "The request body is too large."
	}
	return http.StatusText(code) + "."
}

// fail is the one place where errors become answers.
func (s *Server) fail(err error, c echo.Context) {
	status, text := problem(err)
	if status >= http.StatusInternalServerError {
		s.cfg.Log.Error("request failed", "id", requestID(c), "error", err.Error())
	}
	if c.Response().Committed {
		return
	}
	c.Response().Header().Del("Content-Disposition")
	c.Response().Header().Del(checkpointHeader)
	c.Response().Header().Set("Cache-Control", "no-store")
	if status == statusClientGone {
		_ = c.NoContent(status)
		return
	}
	title := http.StatusText(status)
	if wantsJSON(c.Request()) {
		_ = c.JSON(status, map[string]any{
			"status": status, "error": strings.ToLower(title), "message": text, "request": requestID(c),
		})
		return
	}
	v := view.Problem{Status: status, Title: title, Text: text, Request: requestID(c)}
	ch := s.frame(c, title, "")
	if err := s.write(c, status, page.Problem(ch, v)); err != nil {
		s.cfg.Log.Error("error page", "id", requestID(c), "error", err.Error())
	}
}

// wantsJSON reports whether the caller reads JSON and no page.
func wantsJSON(r *http.Request) bool {
	if strings.HasSuffix(r.URL.Path, ".json") || strings.HasPrefix(r.URL.Path, "/api/") {
		return true
	}
	accept := r.Header.Get("Accept")
	return strings.Contains(accept, "application/json") && !strings.Contains(accept, "text/html")
}
