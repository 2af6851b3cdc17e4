package web

import (
	"context"
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"assay/store/account"
	"assay/store/evidence"
	"assay/web/view"
)

// Tokens of scripts on the page of an account. Everyone keeps their own; who keeps
// accounts sees and ends those of others too. Made here they always end: by themselves,
// and with the account.

// tokensOf are the tokens that a person may end, without those that were revoked.
func (s *Server) tokensOf(ctx context.Context, x *account.Account) ([]evidence.TokenRow, error) {
	list, err := s.cfg.Accounts.Tokens(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(t evidence.TokenRow) bool {
		return !t.Holds() || t.Owner != x.Name && !x.Role.May(account.MayAccounts)
	}), nil
}

func (s *Server) tokenAdd(c echo.Context) error {
	v, err := needsPerson(c)
	if err != nil {
		return err
	}
	if err := s.fresh(c, v); err != nil {
		return err
	}
	form, err := c.FormParams()
	if err != nil {
		return badRequest("The form cannot be read.")
	}
	days, ok := view.TokenDays(form.Get("days"))
	if !ok {
		return badRequest("days: want one of those that the form offers.")
	}
	secret, err := evidence.NewToken(rand.Reader)
	if err != nil {
		return err
	}
	digest, _ := evidence.TokenDigest(secret)
	t := evidence.TokenRow{Name: strings.TrimSpace(form.Get("name")), Rights: strings.Join(form["right"], " "), Owner: v.session.Account.Name,
		ExpiresUS: s.cfg.Now().Add(time.Duration(days) * 24 * time.Hour).UnixMicro()}
	err = s.cfg.Accounts.AddScopedToken(c.Request().Context(), t, digest)
	if text, ok := callersFault(err); ok {
		return s.showAccount(c, v, http.StatusUnprocessableEntity, saying{fault: text})
	}
	if err != nil {
		return err
	}
	return s.showAccount(c, v, http.StatusOK, saying{secret: secret})
}

func (s *Server) tokenRevoke(c echo.Context) error {
	v, err := needsPerson(c)
	if err != nil {
		return err
	}
	ctx, name := c.Request().Context(), c.FormValue("name")
	mine, err := s.tokensOf(ctx, &v.session.Account)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(mine, func(t evidence.TokenRow) bool { return t.Name == name }) {
		return notFound("You have no token of that name.")
	}
	if err := s.cfg.Accounts.RevokeToken(ctx, name); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/account?done=revoked#h-tokens")
}

// accountsPasskeys removes all passkeys of somebody who lost theirs: without one they
// could never sign in again. Their sessions end.
func (s *Server) accountsPasskeys(c echo.Context) error {
	ctx, name := c.Request().Context(), c.FormValue("name")
	x, err := s.cfg.Accounts.Account(ctx, name)
	if err != nil {
		return err
	}
	list, err := s.cfg.Accounts.Passkeys(ctx, x.ID)
	if err != nil {
		return err
	}
	for _, p := range list {
		if err := s.cfg.Accounts.RemovePasskey(ctx, x.ID, p.ID); err != nil {
			return err
		}
	}
	return s.changed(c, name, s.cfg.Accounts.CloseSessions(ctx, x.ID))
}
