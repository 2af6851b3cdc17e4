package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/store/account"
	"assay/store/evidence"
	"assay/web/page"
	"assay/web/view"
)

// RepairArchive is what the repair pages read and write.
type RepairArchive interface {
	Repairs(ctx context.Context, f evidence.RepairFilter) ([]evidence.Repair, int, error)
	AddRepair(ctx context.Context, r evidence.Repair) (evidence.Repair, error)
	WithdrawRepair(ctx context.Context, id int64, by, reason string) error
	Spellings(ctx context.Context, limit int) ([]evidence.Spelling, error)
	EachMeasuredRun(ctx context.Context, f evidence.Filter, each func(evidence.RunRow) error) error
}

const repairPath = "/repair"

func (s *Server) repairRoutes() {
	if s.cfg.Repairs == nil {
		return
	}
	s.get(repairPath, s.repairQueue)
	s.tables(repairPath, s.repairQueueTable)
	s.get(repairPath+"/spellings", s.repairSpellings)
	s.tables(repairPath+"/spellings", s.repairSpellingsTable)
	s.get(repairPath+"/list", s.repairList)
	for _, kind := range []string{"declare", "alias", "move", "withdraw"} {
		s.get(repairPath+"/"+kind, func(c echo.Context) error { return s.repairForm(c, kind) })
		s.echo.POST(repairPath+"/"+kind, func(c echo.Context) error { return s.repairPost(c, kind) })
	}
}

// repairChrome is the frame of a repair page.
func (s *Server) repairChrome(c echo.Context, title string) view.Chrome {
	ch := s.chrome(c, title, view.SectionRepair)
	if title != "Repair" {
		ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Repair", Href: repairPath}, {Label: title}}
	}
	return ch
}

// repairList is everything that people have said, withdrawn or not.
func (s *Server) repairList(c echo.Context) error {
	kind, err := query(c, "kind")
	if err != nil {
		return err
	}
	if kind != "" && kind != string(evidence.RepairAlias) && kind != string(evidence.RepairFact) && kind != string(evidence.RepairMove) {
		return badRequest("kind: want alias, fact or move.")
	}
	n, err := pageParam(c, "page")
	if err != nil {
		return err
	}
	made, err := query(c, "made")
	if err != nil {
		return err
	}
	f := evidence.RepairFilter{Kind: evidence.RepairKind(kind), Offset: (n - 1) * view.RepairsPerPage, Limit: view.RepairsPerPage}
	list, total, err := s.cfg.Repairs.Repairs(c.Request().Context(), f)
	if err != nil {
		return err
	}
	v := view.BuildRepairs(kind, list, total, n, made, s.mayWrite(c, account.MayRepair))
	return s.render(c, page.Repairs(s.repairChrome(c, "All repairs"), v))
}

// spellingsShown bounds how many spellings of one key are looked at.
const spellingsShown = 500

func (s *Server) readSpellings(c echo.Context) (view.Spellings, error) {
	list, err := s.cfg.Repairs.Spellings(c.Request().Context(), spellingsShown)
	return view.BuildSpellings(list, s.mayWrite(c, account.MayRepair)), err
}

// repairSpellings is how cards, engines and models are spelled.
func (s *Server) repairSpellings(c echo.Context) error {
	v, err := s.readSpellings(c)
	if err != nil {
		return err
	}
	return s.render(c, page.Spellings(s.repairChrome(c, "Spellings"), v))
}

func (s *Server) repairSpellingsTable(c echo.Context) error {
	v, err := s.readSpellings(c)
	if err != nil {
		return err
	}
	return s.table(c, "spellings", v.Table())
}

// repairFields are the fields of each form.
var repairFields = map[string][]string{
	"declare":  {"target", "key", "value"},
	"alias":    {"key", "spelling", "meaning"},
	"move":     {"artifact", "campaign"},
	"withdraw": {"repair"},
}

// repairForm is an empty form, or one that a link has filled in.
func (s *Server) repairForm(c echo.Context, kind string) error {
	in := view.RepairInput{Kind: kind, Values: map[string]string{}}
	for _, name := range repairFields[kind] {
		v := c.QueryParam(name)
		if len(v) > longestParam*4 {
			return badRequest("%s: longer than %d bytes.", name, longestParam*4)
		}
		in.Values[name] = v
	}
	if in.Values["author"] = s.writerOf(c); in.Values["author"] == "" {
		in.Values["author"] = authorOf(c.Request())
	}
	return s.showForm(c, http.StatusOK, in)
}

func (s *Server) showForm(c echo.Context, status int, in view.RepairInput) error {
	var old *evidence.Repair
	if in.Kind == "withdraw" {
		found, err := s.findRepair(c.Request().Context(), in.Values["repair"])
		if err != nil {
			return err
		}
		old = &found
	}
	v := view.BuildRepairForm(in, old, s.mayWrite(c, account.MayRepair))
	return s.write(c, status, page.RepairForm(s.repairChrome(c, v.Title), v))
}

// findRepair is the repair with a number. Repairs are listed from the last on, and
// numbered from 1 without gaps.
func (s *Server) findRepair(ctx context.Context, number string) (evidence.Repair, error) {
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil || id < 1 {
		return evidence.Repair{}, badRequest("repair: want the number of a repair.")
	}
	last, total, err := s.cfg.Repairs.Repairs(ctx, evidence.RepairFilter{Limit: 1})
	if err != nil || total == 0 {
		return evidence.Repair{}, errors.Join(err, notFound("There are no repairs."))
	}
	if offset := last[0].ID - id; offset >= 0 {
		list, _, err := s.cfg.Repairs.Repairs(ctx, evidence.RepairFilter{Offset: int(offset), Limit: 1})
		if err != nil {
			return evidence.Repair{}, err
		}
		if len(list) == 1 && list[0].ID == id {
			return list[0], nil
		}
	}
	return evidence.Repair{}, notFound("There is no repair %d.", id)
}

// repairPost makes or withdraws a repair, or shows the form again with what is wrong.
func (s *Server) repairPost(c echo.Context, kind string) error {
	if err := s.fromHere(c); err != nil {
		return err
	}
	in := view.RepairInput{Kind: kind, Values: map[string]string{}}
	for _, name := range append([]string{"author", "reason"}, repairFields[kind]...) {
		in.Values[name] = c.FormValue(name)
	}
	who := s.writerOf(c)
	if who != "" {
		in.Values["author"] = who // who is signed in says so, whatever the form holds
	}
	made, err := s.say(c.Request().Context(), kind, in.Values)
	refused := (*evidence.RepairError)(nil)
	switch {
	case errors.As(err, &refused):
		in.Fault, in.Field = refused.Problem, refused.Field
		return s.showForm(c, http.StatusUnprocessableEntity, in)
	case errors.Is(err, evidence.ErrNotFound), errors.Is(err, evidence.ErrAmbiguous):
		in.Fault, in.Field = err.Error(), repairFields[kind][0]
		if kind == "withdraw" {
			return notFound("There is no repair %.20s.", in.Values["repair"])
		}
		return s.showForm(c, http.StatusUnprocessableEntity, in)
	case err != nil:
		return err
	}
	if who == "" {
		rememberAuthor(c, in.Values["author"])
	}
	return c.Redirect(http.StatusSeeOther, view.RepairURL(made, kind))
}

// say files one repair and gives its number.
func (s *Server) say(ctx context.Context, kind string, v map[string]string) (int64, error) {
	r := evidence.Repair{Author: v["author"], Reason: strings.ReplaceAll(v["reason"], "\r\n", "\n")}
	switch kind {
	case "withdraw":
		id, err := strconv.ParseInt(v["repair"], 10, 64)
		if err != nil {
			return 0, badRequest("repair: want the number of a repair.")
		}
		return id, s.cfg.Repairs.WithdrawRepair(ctx, id, r.Author, r.Reason)
	case "declare":
		target, err := s.factTarget(ctx, strings.TrimSpace(v["target"]))
		if err != nil {
			return 0, err
		}
		r.Kind, r.Target, r.Key, r.Value = evidence.RepairFact, target, evidence.FactKey(v["key"]), v["value"]
	case "alias":
		r.Kind, r.Target, r.Key, r.Value = evidence.RepairAlias, v["spelling"], evidence.FactKey(v["key"]), v["meaning"]
	case "move":
		row, err := s.cfg.Archive.FindArtifact(ctx, strings.ToLower(strings.TrimPrefix(strings.TrimSpace(v["artifact"]), "sha256:")))
		if err != nil {
			return 0, err
		}
		r.Kind, r.Target, r.Value = evidence.RepairMove, row.Digest.String(), v["campaign"]
	}
	made, err := s.cfg.Repairs.AddRepair(ctx, r)
	return made.ID, err
}

// factTarget is what a fact is declared for, in full: a scope as it stands, a run by
// its id, an artifact by its first digits.
func (s *Server) factTarget(ctx context.Context, target string) (string, error) {
	if _, err := evidence.ParseScope(target); err == nil {
		return target, nil
	}
	if run, err := s.cfg.Archive.Run(ctx, target); err == nil {
		return run.Scope().String(), nil
	} else if !errors.Is(err, evidence.ErrNotFound) {
		return "", err
	}
	head, pointer, placed := strings.Cut(strings.TrimPrefix(target, "artifact:"), "#")
	row, err := s.cfg.Archive.FindArtifact(ctx, strings.ToLower(head))
	if err != nil {
		return "", &evidence.RepairError{Field: "target", Problem: "no run, artifact or campaign is named so: want a run id, artifact:SHA256, artifact:SHA256#POINTER or campaign:ID"}
	}
	scope := evidence.Scope{Artifact: row.Digest}
	if placed {
		scope.Place = evidence.Some(evidence.Pointer(pointer))
	}
	return scope.String(), nil
}

const (
	authorCookie = "author"
	authorAge    = 90 * 24 * 60 * 60 // seconds
	longAuthor   = 200
)

// rememberAuthor keeps a name for the next form; it is typed again until accounts exist.
func rememberAuthor(c echo.Context, name string) {
	name = strings.TrimSpace(name)
	if name == "" || len(name) > longAuthor {
		return
	}
	c.SetCookie(&http.Cookie{Name: authorCookie, Value: hexOf(name), Path: repairPath, MaxAge: authorAge, HttpOnly: true, SameSite: http.SameSiteStrictMode})
}

func authorOf(r *http.Request) string {
	cookie, err := r.Cookie(authorCookie)
	if err != nil {
		return ""
	}
	return unhex(cookie.Value)
}
