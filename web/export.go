package web

import (
	"bytes"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"assay/store/evidence"
	"assay/store/export"
)

// export streams one of the archive's lists: /export/measurements.csv?campaign=ID.
func (s *Server) export(c echo.Context) error {
	name, err := param(c, "list")
	if err != nil {
		return err
	}
	ext := path.Ext(name)
	kind, err := export.ParseKind(strings.TrimSuffix(name, ext))
	if err != nil {
		return notFound("No list has this name. There are %s.", kindNames())
	}
	format, err := export.ParseFormat(strings.TrimPrefix(ext, "."))
	if err != nil || format == export.Bench && kind != export.Measurements {
		return notFound("A list is served as .csv, .json or .md; measurements as .bench too.")
	}
	f, err := exportFilter(c)
	if err != nil {
		return err
	}
	if err := checkKind(c, kind); err != nil {
		return err
	}
	if err := s.attach(c, string(kind), format); err != nil {
		return err
	}
	if c.Request().Method == http.MethodHead {
		return c.NoContent(http.StatusOK)
	}
	out := &stream{c: c, now: s.cfg.Now}
	w, err := export.New(kind, format, out)
	if err != nil {
		return err
	}
	if err := w.Pour(c.Request().Context(), s.lists(), f); err != nil {
		return s.broken(c, out, err)
	}
	if err := w.Close(); err != nil {
		return s.broken(c, out, err)
	}
	return nil
}

// lists is the archive with its sign-offs.
func (s *Server) lists() export.Lists {
	if s.cfg.SignOffs == nil {
		return export.WithSignOffs{Lists: s.cfg.Archive, SignOffs: export.NoSignOffs{}}
	}
	return export.WithSignOffs{Lists: s.cfg.Archive, SignOffs: s.cfg.SignOffs}
}

// broken ends an export that failed. Before the first byte it is an error page; after
// it the connection is cut, so that a part is never taken for the whole.
func (s *Server) broken(c echo.Context, out *stream, err error) error {
	if !out.begun {
		return err
	}
	if ctx := c.Request().Context(); !gone(ctx, ctx.Err()) {
		s.cfg.Log.Error("export broke off", "id", requestID(c), "uri", loggedURI(c), "error", err.Error())
	}
	panic(http.ErrAbortHandler)
}

// table sends a page's own table.
func (s *Server) table(c echo.Context, name string, t export.Table) error {
	format, err := export.ParseFormat(strings.TrimPrefix(path.Ext(c.Request().URL.Path), "."))
	if err != nil {
		return notFound("A table is served as .csv, .json or .md.")
	}
	var buf bytes.Buffer
	if err := t.Write(format, &buf); err != nil {
		return err
	}
	if err := s.attach(c, name, format); err != nil {
		return err
	}
	return s.body(c, http.StatusOK, format.MediaType(), buf.Bytes())
}

// attach makes the answer a download, with the checkpoint beside it.
func (s *Server) attach(c echo.Context, name string, f export.Format) error {
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, f.MediaType())
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Content-Disposition", `attachment; filename="`+name+f.Extension()+`"`)
	return s.stamp(c)
}

// stream renews the time to write with every piece and keeps whether anything went out.
type stream struct {
	c     echo.Context
	now   func() time.Time
	begun bool
}

func (w *stream) Write(p []byte) (int, error) {
	if err := w.c.Request().Context().Err(); err != nil {
		return 0, err
	}
	w.begun = true
	// A writer without deadlines has nothing to renew.
	_ = http.NewResponseController(w.c.Response()).SetWriteDeadline(time.Now().Add(writeTimeout))
	return w.c.Response().Write(p)
}

// exportParams are the query parameters of an export, as the pages write them.
var exportParams = []string{
	"campaign", "arm", "run", "metric", "stat", "key", "class", "state", "family", "schema", "artifact",
	"text", "label", "engine", "gpu", "model", "protocol", "status", "from", "to", "q", "sort", "offset", "limit",
}

// runParams narrow by what is known of runs; other lists have none, and would be wider
// than what was asked for.
var runParams = []string{"engine", "gpu", "model", "protocol", "status", "from", "to", "q"}

// checkKind refuses parameters that the rows of a list cannot be narrowed by.
func checkKind(c echo.Context, kind export.Kind) error {
	for name, values := range c.QueryParams() {
		given := strings.TrimSpace(strings.Join(values, "")) != ""
		switch {
		case given && slices.Contains(runParams, name) && kind != export.Runs && kind != export.Measurements:
			return badRequest("%s: narrows runs and measurements only.", name)
		case given && name == "sort" && kind != export.Runs:
			return badRequest("sort: orders runs only.")
		}
	}
	return nil
}

func exportFilter(c echo.Context) (f evidence.Filter, err error) {
	if err := onlyParams(c, exportParams...); err != nil {
		return f, err
	}
	var metric, stat, key, offset, limit string
	err = queries(c, map[string]*string{
		"campaign": &f.Campaign, "arm": &f.Arm, "run": &f.Run, "metric": &metric, "stat": &stat, "key": &key, "class": &f.Class,
		"state": &f.State, "family": &f.Family, "schema": &f.Schema, "artifact": &f.Artifact, "text": &f.Text, "label": &f.Label,
		"engine": &f.Engine, "gpu": &f.GPU, "model": &f.Model, "protocol": &f.Protocol, "status": &f.Status,
		"from": &f.From, "to": &f.To, "q": &f.Words, "sort": (*string)(&f.Sort), "offset": &offset, "limit": &limit,
	})
	if err != nil {
		return f, err
	}
	f.Metric, f.Stat, f.Key = evidence.MetricID(metric), evidence.Stat(stat), evidence.FactKey(key)
	if f.Metric != "" {
		if _, ok := evidence.LookupMetric(f.Metric); !ok {
			return f, badRequest("metric: %.40q is not in the registry; /metrics lists it.", metric)
		}
	}
	for name, into := range map[string]*int{"offset": &f.Offset, "limit": &f.Limit} {
		text := map[string]string{"offset": offset, "limit": limit}[name]
		if text == "" {
			continue
		}
		if *into, err = strconv.Atoi(text); err != nil || *into < 0 {
			return f, badRequest("%s: want a number from 0.", name)
		}
	}
	return f, checkNarrow(f)
}

func kindNames() string {
	names := make([]string, len(export.Kinds))
	for i, k := range export.Kinds {
		names[i] = string(k)
	}
	return strings.Join(names, ", ")
}
