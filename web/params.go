package web

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"
)

const (
	longestParam = 1000
	lastPage     = 1_000_000
)

// param is a path parameter as it was meant: echo matches the escaped path and leaves
// the parameter escaped when there is one.
func param(c echo.Context, name string) (string, error) {
	v := c.Param(name)
	if c.Request().URL.RawPath != "" {
		plain, err := url.PathUnescape(v)
		if err != nil {
			return "", badRequest("The address is not escaped properly.")
		}
		v = plain
	}
	if !utf8.ValidString(v) {
		return "", badRequest("The address holds bytes that are not UTF-8.")
	}
	return v, nil
}

// query is one query parameter, trimmed and bounded. A parameter that is given twice
// is refused: only one of its values could be answered to.
func query(c echo.Context, name string) (string, error) {
	v := strings.TrimSpace(c.QueryParam(name))
	switch {
	case len(c.QueryParams()[name]) > 1:
		return "", badRequest("%s: given more than once.", name)
	case len(v) > longestParam:
		return "", badRequest("%s: longer than %d bytes.", name, longestParam)
	case !utf8.ValidString(v) || strings.ContainsRune(v, 0):
		return "", badRequest("%s: not text.", name)
	}
	return v, nil
}

// queries reads several parameters; the first fault wins.
func queries(c echo.Context, into map[string]*string) error {
	for name, p := range into {
		v, err := query(c, name)
		if err != nil {
			return err
		}
		*p = v
	}
	return nil
}

// pageParam is a page number, counted from 1.
func pageParam(c echo.Context, name string) (int, error) {
	v, err := query(c, name)
	if v == "" || err != nil {
		return 1, err
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > lastPage {
		return 0, badRequest("%s: want a page number from 1.", name)
	}
	return n, nil
}

// onlyParams refuses a parameter that what is downloaded does not know: a file that
// ignored it would be wider than what was asked for and would not say so. Pages show
// what they are narrowed to, and may ignore what they do not know.
func onlyParams(c echo.Context, known ...string) error {
	for name := range c.QueryParams() {
		switch {
		case slices.Contains(known, name):
		case len(known) == 0:
			return badRequest("%.40q: this download takes no parameters.", name)
		default:
			return badRequest("%.40q: not a parameter of this download. There are %s.", name, strings.Join(known, ", "))
		}
	}
	return nil
}
