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
	"assay/store/review"
	"assay/store/signoff"
	"assay/web/page"
	"assay/web/view"
)

const (
	longestReason = 8 << 10
	// mostItems bounds the rows of a form.
	mostItems = 2000
)

// draftForm is a posted form of a draft.
type draftForm struct {
	view.DraftInput
	shown    view.ShownAt
	key      string
	password string
	answer   string // of an authenticator
	do       string
}

// draftID is the draft that the address names.
func draftID(c echo.Context) (int64, error) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id < 1 || strconv.FormatInt(id, 10) != c.Param("id") {
		return 0, notFound("A draft is named by its number.")
	}
	return id, nil
}

// draft is the page on which a statement is prepared and signed.
func (s *Server) draft(c echo.Context) error {
	id, err := draftID(c)
	if err != nil {
		return err
	}
	v, err := needsPerson(c)
	if err != nil {
		return err
	}
	key, err := query(c, "key")
	if err != nil {
		return err
	}
	d, err := s.showDraft(c, v, id, key, nil)
	if err != nil {
		return err
	}
	p := view.BuildDraft(d)
	p.Said = map[string]string{"saved": "Saved.", "ready": "Handed over: a promoter can sign it now.", "back": "Taken back: nobody but you can sign it now."}[c.QueryParam("done")]
	return s.writeDraft(c, http.StatusOK, p)
}

// showDraft reads what the page of a draft shows. Without a form it shows what was saved.
func (s *Server) showDraft(c echo.Context, v *visitor, id int64, key string, form *draftForm) (*view.DraftShown, error) {
	ctx := c.Request().Context()
	keys, err := s.keysOf(c, v)
	if err != nil {
		return nil, err
	}
	d := &view.DraftShown{Who: v.session.Account.Name, Role: v.session.Account.Role, Keys: keys, PasskeyN: s.passkeyWhyNot(c.Request())}
	signer, chosen := "", account.AccountKey{}
	if d.Role.May(account.MaySign) && len(keys) > 0 {
		signer, chosen = d.Who, chooseKey(keys, key)
		d.Key = chosen.Fingerprint
	}
	if d.Preview, err = s.cfg.Decisions.Preview(ctx, id, signer, chosen); err != nil {
		if errors.Is(err, evidence.ErrNotFound) {
			return nil, notFound("There is no draft %d, or the campaign that it is on is gone.", id)
		}
		return nil, err
	}
	if d.Stops, err = s.cfg.Decisions.Stops(ctx, d.Preview.Ground); err != nil {
		return nil, err
	}
	d.Input = view.InputOf(&d.Preview.Draft)
	if form != nil && d.Preview.Draft.Preparer == d.Who {
		d.Input = form.DraftInput
	}
	d.At = view.ShownAt{Digest: d.Preview.Digest, Ground: d.Preview.Ground.Digest()}
	if st, err := signoff.ParseStatement(d.Preview.Statement); err == nil {
		d.At.TimeUS, d.At.Log = st.TimeUS, st.LogSize
	}
	return d, nil
}

// keysOf are the keys that a person may sign with at this address. Passkeys belong to a
// site; those of another one are of no use here.
func (s *Server) keysOf(c echo.Context, v *visitor) ([]account.AccountKey, error) {
	x, err := s.cfg.Accounts.Account(c.Request().Context(), v.session.Account.Name)
	if err != nil {
		return nil, err
	}
	var out []account.AccountKey
	for _, k := range x.Keys {
		if k.RevokedUS != 0 || k.Kind == account.KeyNote && s.cfg.PersonKeys == nil {
			continue
		}
		if k.Kind == account.KeyPasskey {
			p, err := signoff.ParsePasskey(k.Public)
			if err != nil || p.Site != hostName(c.Request().Host) {
				continue
			}
		}
		out = append(out, k)
	}
	return out, nil
}

// chooseKey is the key asked for; else the one under the password; else the first.
func chooseKey(keys []account.AccountKey, fingerprint string) account.AccountKey {
	best := keys[0]
	for _, k := range keys {
		if k.Fingerprint == fingerprint {
			return k
		}
		if k.Kind == account.KeyNote {
			best = k
		}
	}
	return best
}

func (s *Server) writeDraft(c echo.Context, status int, p view.DraftPage) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	ch := s.chrome(c, "Sign-off: "+p.Title, view.SectionSignOff)
	ch.Here = p.Action
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Sign-offs", Href: "/signoffs"}, {Label: p.Title, Href: p.Decide}, {Label: "Draft " + p.ID}}
	s.addFiles(&ch, []string{"signoff.css"}, []string{"signoff.js", "passkey.js"})
	return s.write(c, status, page.Draft(ch, p))
}

// readDraftForm reads the fields of the form; none of them is believed.
func readDraftForm(c echo.Context) (f draftForm, err error) {
	if err := c.Request().ParseForm(); err != nil {
		return f, badRequest("The form cannot be read.")
	}
	post := c.Request().PostForm
	if len(post["ack"]) > mostItems {
		return f, badRequest("ack: more than %d.", mostItems)
	}
	f.Acks, f.Reasons = map[string]bool{}, map[string]string{}
	for _, id := range post["ack"] {
		f.Acks[clip(id, 64)] = true
	}
	n := 0
	for name := range post {
		id, ok := strings.CutPrefix(name, "r.")
		if !ok {
			continue
		}
		if n++; n > mostItems {
			return f, badRequest("r.: more than %d.", mostItems)
		}
		if f.Reasons[clip(id, 64)], err = formValue(c, name, longestReason); err != nil {
			return f, err
		}
	}
	decision, ready, at, log := "", "", "", ""
	for name, p := range map[string]*string{"decision": &decision, "scope": &f.Scope, "reason": &f.Reason, "ready": &ready, "digest": &f.shown.Digest,
		"ground": &f.shown.Ground, "time": &at, "log": &log, "key": &f.key, "do": &f.do} {
		if *p, err = formValue(c, name, longestReason); err != nil {
			return f, err
		}
	}
	f.Scope = strings.ReplaceAll(f.Scope, "\n", " ") // it is one line of the statement and of lists
	f.Decision, f.Ready = signoff.Decision(decision), ready == "1"
	f.password, f.answer = c.FormValue("password"), c.FormValue("assertion")
	f.shown.TimeUS, _ = strconv.ParseInt(at, 10, 64) // a time that is none gives another text
	f.shown.Log, _ = strconv.ParseInt(log, 10, 64)
	return f, nil
}

// into puts what the form says into a draft, and reports whether that changes it.
func (f *draftForm) into(d signoff.Draft) (signoff.Draft, bool) {
	x := d
	x.Decision, x.Scope, x.Reason, x.Ready, x.Ground = f.Decision, strings.TrimSpace(f.Scope), strings.TrimSpace(f.Reason), f.Ready, f.shown.Ground
	old := map[string]signoff.Ack{}
	for _, a := range d.Acks {
		old[a.Item] = a
	}
	x.Acks = nil
	same := 0
	for id := range f.Acks {
		a := signoff.Ack{Item: id, Reason: strings.TrimSpace(f.Reasons[id])}
		if o, ok := old[id]; ok && o.Reason == a.Reason {
			a.AtUS = o.AtUS // it was read then
			same++
		}
		x.Acks = append(x.Acks, a)
	}
	changed := x.Decision != d.Decision || x.Scope != d.Scope || x.Reason != d.Reason || x.Ready != d.Ready || x.Ground != d.Ground ||
		same != len(old) || len(x.Acks) != len(old)
	return x, changed
}

// draftPost saves a draft, hands it over, gives it up, or signs it.
func (s *Server) draftPost(c echo.Context) error {
	id, v, f, err := s.posted(c)
	if err != nil {
		return err
	}
	switch f.do {
	case "ready", "back":
		f.Ready = f.do == "ready"
	case "save", "", "discard", "sign":
	default:
		return badRequest("do: want save, ready, back, discard or sign.")
	}
	ctx := c.Request().Context()
	if f.do == "discard" {
		if err := s.cfg.Decisions.Discard(ctx, id, v.session.Account.Name); err != nil {
			return s.deskProblem(err)
		}
		return c.Redirect(http.StatusSeeOther, "/signoffs#drafts")
	}
	changed, err := s.saveDraft(ctx, id, v, &f)
	if err != nil {
		return s.draftRefused(c, v, id, &f, "Not saved", err)
	}
	if f.do == "sign" {
		return s.signDraft(c, v, id, &f, changed)
	}
	if kept := f.unticked(); kept > 0 {
		d, err := s.showDraft(c, v, id, f.key, &f)
		if err != nil {
			return err
		}
		p := view.BuildDraft(d)
		p.Said = "Saved, but not " + view.Plural(int64(kept), "reason that stands at an item", "reasons that stand at items") + " without a tick. Tick what you have read, then save again."
		return s.writeDraft(c, http.StatusOK, p)
	}
	done := f.do
	if done == "" || done == "save" {
		done = "saved"
	}
	return c.Redirect(http.StatusSeeOther, view.Query(view.DraftURL(id), "key", f.key, "done", done)+"#main")
}

// unticked counts reasons that stand at items which are not acknowledged.
func (f *draftForm) unticked() int {
	n := 0
	for id, reason := range f.Reasons {
		if !f.Acks[id] && strings.TrimSpace(reason) != "" {
			n++
		}
	}
	return n
}

func (s *Server) posted(c echo.Context) (int64, *visitor, draftForm, error) {
	id, err := draftID(c)
	if err != nil {
		return 0, nil, draftForm{}, err
	}
	v, err := needsPerson(c)
	if err != nil {
		return 0, nil, draftForm{}, err
	}
	f, err := readDraftForm(c)
	return id, v, f, err
}

// saveDraft keeps what the preparer changed; anybody else changes nothing by sending the
// form.
func (s *Server) saveDraft(ctx context.Context, id int64, v *visitor, f *draftForm) (changed bool, err error) {
	held, err := s.cfg.Decisions.Draft(ctx, id)
	if errors.Is(err, evidence.ErrNotFound) {
		return false, notFound("There is no draft %d.", id)
	}
	if err != nil {
		return false, err
	}
	who := v.session.Account.Name
	if held.Preparer != who {
		if f.do == "sign" {
			return false, nil
		}
		return false, &statusError{status: http.StatusForbidden, text: "This draft is prepared by " + held.Preparer + "; nobody else changes it. Open one of your own."}
	}
	x, changed := f.into(held)
	if !changed || held.ClosedUS != 0 && f.do == "sign" {
		return false, nil
	}
	_, err = s.cfg.Decisions.Save(ctx, x, who)
	return true, err
}

// draftRefused shows the form again with what stands against it: each thing named and
// linked, everything that was typed kept, and the message in focus.
func (s *Server) draftRefused(c echo.Context, v *visitor, id int64, f *draftForm, title string, err error, more ...view.StopLine) error {
	var refused *review.Refused
	var wrong *evidence.RepairError
	var list []review.Refusal
	switch {
	case err == nil:
	case errors.As(err, &refused):
		list = refused.Refusals
	case errors.As(err, &wrong):
		at := "#main"
		if wrong.Field == "scope" || wrong.Field == "reason" {
			at = "#" + wrong.Field
		}
		more = append(more, view.StopLine{Text: view.Sentence(wrong.Error()), Href: at})
	default:
		if text, ok := callersFault(err); ok {
			more = append(more, view.StopLine{Text: text, Href: "#main"})
			break
		}
		return err
	}
	d, err := s.showDraft(c, v, id, f.key, f)
	if err != nil {
		return err
	}
	p := view.BuildDraft(d)
	p.Refuse(title, list, more...)
	return s.writeDraft(c, http.StatusUnprocessableEntity, p)
}

// previewAnswer is what the script of the page shows after every change.
type previewAnswer struct {
	Statement string            `json:"statement"`
	Hidden    map[string]string `json:"hidden"`
	Begin     string            `json:"begin"`
	Rows      map[string]string `json:"rows"`
	Counts    map[string]string `json:"counts"`
	Left      string            `json:"left"`
	Lines     []view.StopLine   `json:"lines"`
	Sign      string            `json:"sign"`
	Saved     string            `json:"saved"`
	Text      string            `json:"text"` // address of the statement alone
}

// draftPreview saves what was changed and gives the statement as it is signed now.
func (s *Server) draftPreview(c echo.Context) error {
	id, v, f, err := s.posted(c)
	if err != nil {
		return err
	}
	f.do = "sign" // whoever only signs saves nothing
	changed, err := s.saveDraft(c.Request().Context(), id, v, &f)
	if err != nil {
		return s.deskProblem(err)
	}
	d, err := s.showDraft(c, v, id, f.key, &f)
	if err != nil {
		return err
	}
	p := view.BuildDraft(d)
	out := previewAnswer{Statement: p.Statement, Hidden: map[string]string{}, Begin: p.PasskeyBegin, Rows: map[string]string{}, Counts: map[string]string{},
		Left: p.LeftWords, Lines: p.Left, Sign: p.SignWord, Text: p.StatementURL}
	for _, h := range p.Hidden {
		out.Hidden[h.Name] = h.Value
	}
	for _, g := range p.Groups {
		out.Counts[g.ID] = g.Done
		for i := range g.Rows {
			out.Rows[g.Rows[i].ID] = g.Rows[i].At
		}
	}
	if changed {
		out.Saved = "Saved " + p.Changed
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSON(http.StatusOK, out)
}
