package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"assay/store/evidence"
	"assay/store/signoff"
	"assay/web/page"
	"assay/web/view"
)

// LogReader answers for the transparency log.
type LogReader interface {
	LogSize(ctx context.Context) (int64, error)
	LogRecords(ctx context.Context, f signoff.LogFilter) ([]signoff.Entry, int, error)
	LogRecord(ctx context.Context, n int64) (signoff.Proved, error)
	LogPrefix(ctx context.Context, old, now int64) (tlog.TreeProof, error)
	LatestCheckpoint(ctx context.Context) (signoff.Signed, error)
	ServerKeys(ctx context.Context) ([]string, error)
}

func (s *Server) logRoutes() {
	if s.cfg.TransparencyLog == nil {
		return
	}
	s.get("/log", s.log)
	s.tables("/log", s.logTable, "kind", "page")
	s.get("/log/checkpoint", s.logCheckpoint)
	s.get("/log/keys", s.logKeys)
	s.get("/log/consistency", s.logConsistency)
	s.get("/log/:n", s.logRecord)
	s.get("/log/:n/body", s.logBody)
}

// log lists records, the latest first.
func (s *Server) log(c echo.Context) error {
	v, err := s.readLog(c)
	if err != nil {
		return err
	}
	ch := s.chrome(c, "Transparency log", view.SectionLog)
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Log"}}
	s.addFiles(&ch, []string{"log.css"}, nil)
	return s.render(c, page.Log(ch, v))
}

func (s *Server) logTable(c echo.Context) error {
	v, err := s.readLog(c)
	if err != nil {
		return err
	}
	return s.table(c, "log", v.Table())
}

func (s *Server) readLog(c echo.Context) (v view.Log, err error) {
	n, err := pageParam(c, "page")
	if err != nil {
		return v, err
	}
	kind := signoff.RecordKind(c.QueryParam("kind"))
	if kind != "" && !slices.Contains(signoff.RecordKinds, kind) {
		return v, badRequest("There is no kind of record %.40q.", string(kind))
	}
	ctx := c.Request().Context()
	err = s.cfg.Archive.Snapshot(ctx, func(ctx context.Context) error {
		size, err := s.cfg.TransparencyLog.LogSize(ctx)
		if err != nil {
			return err
		}
		signed, err := s.cfg.TransparencyLog.LatestCheckpoint(ctx)
		if err != nil {
			return err
		}
		list, total, err := s.cfg.TransparencyLog.LogRecords(ctx, signoff.LogFilter{Kind: kind, Offset: (n - 1) * view.LogPerPage, Limit: view.LogPerPage})
		v = view.BuildLog(list, total, n, kind, size, signed)
		return err
	})
	return v, err
}

// logCheckpoint is the latest signed checkpoint as the note it is.
func (s *Server) logCheckpoint(c echo.Context) error {
	signed, err := s.cfg.TransparencyLog.LatestCheckpoint(c.Request().Context())
	if err != nil {
		return err
	}
	if len(signed.Note) == 0 {
		return notFound("No checkpoint was signed yet.")
	}
	c.Response().Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="checkpoint-%d.txt"`, signed.Size))
	return s.plainText(c, signed.Note)
}

// logKeys are the public halves of the keys that sign checkpoints.
func (s *Server) logKeys(c echo.Context) error {
	keys, err := s.cfg.TransparencyLog.ServerKeys(c.Request().Context())
	if err != nil {
		return err
	}
	var b []byte
	for _, k := range keys {
		b = append(append(b, k...), '\n')
	}
	return s.plainText(c, b)
}

func (s *Server) plainText(c echo.Context, b []byte) error {
	c.Response().Header().Set("Cache-Control", "private, no-cache")
	return s.body(c, http.StatusOK, echo.MIMETextPlainCharsetUTF8, b)
}

func (s *Server) entry(c echo.Context) (signoff.Proved, error) {
	n, err := strconv.ParseInt(c.Param("n"), 10, 64)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != c.Param("n") {
		return signoff.Proved{}, notFound("A record is named by its number, from 0.")
	}
	p, err := s.cfg.TransparencyLog.LogRecord(c.Request().Context(), n)
	if errors.Is(err, evidence.ErrNotFound) {
		return p, notFound("The log has no record %d.", n)
	}
	return p, err
}

// logRecord shows one record and checks its proof before it says that it holds.
func (s *Server) logRecord(c echo.Context) error {
	p, err := s.entry(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	size, err := s.cfg.TransparencyLog.LogSize(ctx)
	if err != nil {
		return err
	}
	fault, err := s.checkProof(ctx, p)
	if err != nil {
		return err
	}
	ch := s.chrome(c, "Record "+strconv.FormatInt(p.Index, 10), view.SectionLog)
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Log", Href: "/log"}, {Label: "Record " + strconv.FormatInt(p.Index, 10)}}
	s.addFiles(&ch, []string{"log.css"}, nil)
	return s.render(c, page.Record(ch, view.BuildRecord(p, size, fault)))
}

// checkProof holds a record against the signed checkpoint. fault is what does not hold.
func (s *Server) checkProof(ctx context.Context, p signoff.Proved) (fault, err error) {
	keys, err := s.cfg.TransparencyLog.ServerKeys(ctx)
	if err != nil {
		return nil, err
	}
	if len(p.Signed.Note) == 0 || p.Signed.Size <= p.Index {
		return errors.New("no checkpoint covers the record yet"), nil
	}
	cp, err := openCheckpoint(p.Signed.Note, keys)
	if err != nil {
		return err, nil
	}
	return signoff.CheckRecord(cp, p.Index, p.Body, p.Proof), nil
}

// openCheckpoint opens a checkpoint with those of the server's keys that can be read.
func openCheckpoint(signed []byte, keys []string) (signoff.Checkpoint, error) {
	var known []note.Verifier
	for _, k := range keys {
		if v, err := note.NewVerifier(k); err == nil {
			known = append(known, v)
		}
	}
	c, _, err := signoff.OpenCheckpoint(signed, note.VerifierList(known...))
	return c, err
}

func (s *Server) logBody(c echo.Context) error {
	p, err := s.entry(c)
	if err != nil {
		return err
	}
	return s.plainText(c, p.Body)
}

// logConsistency proves that the log of one size is the beginning of that of another.
func (s *Server) logConsistency(c echo.Context) error {
	if err := onlyParams(c, "from", "to"); err != nil {
		return err
	}
	var at [2]int64
	for i, name := range []string{"from", "to"} {
		n, err := strconv.ParseInt(c.QueryParam(name), 10, 64)
		if err != nil || n < 1 {
			return badRequest("%s: want how many records the log had, for example ?from=12&to=40.", name)
		}
		at[i] = n
	}
	if at[0] > at[1] {
		return badRequest("from is the smaller size.")
	}
	proof, err := s.cfg.TransparencyLog.LogPrefix(c.Request().Context(), at[0], at[1])
	if errors.Is(err, evidence.ErrNotFound) {
		return notFound("The log does not have %d records.", at[1])
	}
	if err != nil {
		return err
	}
	return s.plainText(c, []byte(signoff.FormatProof(proof)))
}
