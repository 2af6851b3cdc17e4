package web

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"sync"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/labstack/echo/v4"

	"assay/store/account"
)

// pendings are ceremonies between their two requests.
type pendings struct {
	mu   sync.Mutex
	open map[string]*pending
}

type pending struct {
	id      string
	account account.Account
	session *webauthn.SessionData
	next    string
	text    string // of the statement to be signed, "" for a ceremony of another kind
	until   time.Time
	tries   int
}

const (
	pendingLasts = 5 * time.Minute
	mostPending  = 10_000
	mostTries    = 5
)

func (p *pendings) put(now time.Time, x *pending) (id string, err error) {
	var raw [16]byte
	_, _ = rand.Read(raw[:]) // never fails
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open == nil {
		p.open = map[string]*pending{}
	}
	for k, old := range p.open {
		if now.After(old.until) {
			delete(p.open, k)
		}
	}
	if len(p.open) >= mostPending {
		return "", &statusError{status: http.StatusTooManyRequests, text: "Too many people are signing in. Try again in a minute."}
	}
	id = hex.EncodeToString(raw[:])
	x.id, x.until = id, now.Add(pendingLasts)
	p.open[id] = x
	return id, nil
}

// get gives a ceremony that goes on. Taking it ends it: an answer counts once.
func (p *pendings) get(now time.Time, id string, take bool) *pending {
	p.mu.Lock()
	defer p.mu.Unlock()
	x := p.open[id]
	if x == nil || now.After(x.until) {
		delete(p.open, id)
		return nil
	}
	if x.tries++; take || x.tries > mostTries {
		delete(p.open, id)
	}
	if x.tries > mostTries {
		return nil
	}
	out := *x // the one in the map changes under the lock only
	return &out
}

// ask notes what the authenticator is asked.
func (p *pendings) ask(id string, session *webauthn.SessionData) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if x := p.open[id]; x != nil {
		x.session = session
	}
}

const pendingCookie = "assay_pending"

func (s *Server) setPending(c echo.Context, id string) {
	age := int(pendingLasts.Seconds())
	if id == "" {
		age = -1
	}
	c.SetCookie(&http.Cookie{Name: pendingCookie, Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: s.secure(c.Request()), MaxAge: age})
}

func (s *Server) pendingOf(c echo.Context, take bool) *pending {
	cookie, err := c.Cookie(pendingCookie)
	if err != nil || len(cookie.Value) != 32 {
		return nil
	}
	return s.pending.get(s.cfg.Now(), cookie.Value, take)
}
