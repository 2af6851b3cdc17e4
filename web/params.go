package web

import (
	"net/url"
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

// query is one query parameter, trimmed and bounded.
func query(c echo.Context, name string) (string, error) {
	v := strings.TrimSpace(c.QueryParam(name))
	switch {
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
	v := c.QueryParam(name)
	if v == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > lastPage {
		return 0, badRequest("%s: want a page number from 1.", name)
	}
	return n, nil
}
