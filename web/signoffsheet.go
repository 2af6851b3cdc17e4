package web

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
	"golang.org/x/mod/sumdb/tlog"

	"assay/store/evidence"
	"assay/store/review"
	"assay/store/signoff"
	"assay/web/page"
	"assay/web/view"
)

// signoffSheet is the sign-off on paper.
func (s *Server) signoffSheet(c echo.Context) error {
	paper, err := query(c, "paper")
	if err != nil {
		return err
	}
	if paper != "" && paper != "a4" && paper != "letter" {
		return badRequest("paper: want a4 or letter.")
	}
	x, err := s.findSignOff(c)
	if err != nil {
		return err
	}
	d, err := s.shownSignOff(c.Request().Context(), &x)
	if err != nil {
		return err
	}
	names := [2]string{x.Preparer, x.Signer}
	for i, name := range names {
		if s.cfg.Accounts == nil {
			break
		}
		if a, err := s.cfg.Accounts.Account(c.Request().Context(), name); err == nil && a.FullName != "" && a.FullName != name {
			names[i] = a.FullName + " (" + name + ")"
		}
	}
	ground, err := s.signedGround(c, d.Statement)
	if err != nil {
		return err
	}
	v, err := view.BuildSheet(d, ground, names, s.permalink(c, d), paper)
	if err != nil {
		return err
	}
	ch := s.chrome(c, "Sheet of "+x.Number, view.SectionSignOff)
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Sign-offs", Href: "/signoffs"}, {Label: x.Number, Href: view.SignOffURL(x.Number)}, {Label: "Sheet"}}
	s.addFiles(&ch, []string{"signoff.css"}, nil)
	return s.render(c, page.Sheet(ch, v))
}

// signedGround is the ground of a statement, as long as the archive still gives the very
// one that was signed; nil when it has moved on.
func (s *Server) signedGround(c echo.Context, st *signoff.Statement) (*signoff.Ground, error) {
	if st == nil {
		return nil, nil
	}
	q := review.Query{Campaign: st.Campaign, Candidate: st.Candidate.ArmID, Control: "none", Back: "none", Target: st.Target}
	if st.Control.OK {
		q.Control = st.Control.V.ArmID
	}
	if st.Back.OK {
		q.Back = st.Back.V.ArmID
	}
	if st.Comparison.OK {
		for _, f := range st.Comparison.V.Figures {
			q.Figures = append(q.Figures, f.Figure)
		}
	}
	g, err := s.cfg.Decisions.Survey(c.Request().Context(), q)
	if errors.Is(err, evidence.ErrNotFound) || errors.Is(err, evidence.ErrAmbiguous) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if g.Digest() != st.GroundDigest {
		return nil, nil
	}
	return g, nil
}

// permalink is the address that the code of a sheet holds: the page of the sign-off, with
// the size and hash of the log that its record was proved in.
func (s *Server) permalink(c echo.Context, d *view.SignOffShown) string {
	scheme := "http://"
	if s.secure(c.Request()) {
		scheme = "https://"
	}
	u := scheme + c.Request().Host + view.SignOffURL(d.SignOff.Number)
	body, _, ok := strings.Cut(string(d.Record.Signed.Note), "\n\n")
	if cp, err := signoff.ParseCheckpoint(body + "\n"); ok && err == nil {
		u += fmt.Sprintf("?log=%d.%s", cp.Size, hex.EncodeToString(cp.Root[:]))
	}
	return u
}

// printed says whether the checkpoint that a printed sheet names is the beginning of
// today's log; nil when the address names none.
func (s *Server) printed(c echo.Context) (*view.PrintedView, error) {
	given, err := query(c, "log")
	if given == "" || err != nil {
		return nil, err
	}
	sizeText, root, ok := strings.Cut(given, ".")
	size, serr := strconv.ParseInt(sizeText, 10, 64)
	raw, herr := hex.DecodeString(root)
	if !ok || serr != nil || herr != nil || size < 1 || len(raw) != tlog.HashSize {
		return nil, badRequest("log: want SIZE.HASH, as the code of a printed sheet has it.")
	}
	if s.cfg.TransparencyLog == nil {
		return nil, nil
	}
	ctx := c.Request().Context()
	signed, err := s.cfg.TransparencyLog.LatestCheckpoint(ctx)
	if err != nil {
		return nil, err
	}
	keys, err := s.cfg.TransparencyLog.ServerKeys(ctx)
	if err != nil {
		return nil, err
	}
	now, err := openCheckpoint(signed.Note, keys)
	if err != nil {
		return view.BuildPrinted(size, now.Size, err), nil
	}
	old := signoff.Checkpoint{Origin: now.Origin, Size: size}
	copy(old.Root[:], raw)
	var proof tlog.TreeProof
	if size < now.Size {
		if proof, err = s.cfg.TransparencyLog.LogPrefix(ctx, size, now.Size); err != nil {
			return nil, err
		}
	}
	return view.BuildPrinted(size, now.Size, signoff.CheckPrefix(old, now, proof)), nil
}
