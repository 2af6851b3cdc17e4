package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/descope/virtualwebauthn"
)

// keyed is a person at a browser with an authenticator.
type keyed struct {
	*visit
	site          virtualwebauthn.RelyingParty
	authenticator virtualwebauthn.Authenticator
	key           virtualwebauthn.Credential
}

// withKey signs a person in under localhost and adds a passkey.
func (h *house) withKey(name string) *keyed {
	h.t.Helper()
	k := &keyed{visit: h.visit(), authenticator: virtualwebauthn.NewAuthenticator(), key: virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeEC2)}
	k.host = "localhost:" + h.url.Port()
	k.site = virtualwebauthn.RelyingParty{ID: "localhost", Name: "assay", Origin: "http://" + k.host}
	k.headers.Set("Sec-Fetch-Site", "same-origin")
	if r := k.enter(name); r.code != http.StatusSeeOther {
		h.t.Fatalf("sign in: %d %s", r.code, r.body)
	}
	k.csrf = csrfField.FindStringSubmatch(k.do("GET", "/account", "").body)[1]
	if r := k.register(); r.code != http.StatusOK {
		h.t.Fatalf("add a passkey: %d %s", r.code, r.body)
	}
	return k
}

func (k *keyed) enter(name string) answer {
	k.h.t.Helper()
	k.headers.Del("Content-Type")
	return k.do("POST", "/signin", "name="+name+"&password="+url.QueryEscape(housePassword)+"&next=/runs")
}

// tell posts what a script does.
func (k *keyed) tell(path, body string) answer {
	k.h.t.Helper()
	k.headers.Set("Content-Type", "application/json")
	k.headers.Set("Accept", "application/json")
	k.headers.Set("X-CSRF-Token", k.csrf)
	defer func() {
		for _, x := range []string{"Content-Type", "Accept", "X-CSRF-Token"} {
			k.headers.Del(x)
		}
	}()
	return k.do("POST", path, body)
}

func (k *keyed) register() answer {
	k.h.t.Helper()
	r := k.tell("/account/passkeys/begin", "{}")
	if r.code != http.StatusOK {
		return r
	}
	options, err := virtualwebauthn.ParseAttestationOptions(r.body)
	if err != nil {
		k.h.t.Fatal(err)
	}
	r = k.tell("/account/passkeys/finish?label=desk", virtualwebauthn.CreateAttestationResponse(k.site, k.authenticator, k.key, *options))
	k.authenticator.AddCredential(k.key)
	return r
}

// asked is what the server asks the authenticator at sign-in.
func (k *keyed) asked() virtualwebauthn.AssertionOptions {
	k.h.t.Helper()
	r := k.tell("/signin/passkey/begin", "{}")
	if r.code != http.StatusOK {
		k.h.t.Fatalf("begin: %d %s", r.code, r.body)
	}
	options, err := virtualwebauthn.ParseAssertionOptions(r.body)
	if err != nil {
		k.h.t.Fatal(err)
	}
	return *options
}

func (k *keyed) answerOf(site virtualwebauthn.RelyingParty, o virtualwebauthn.AssertionOptions) string {
	k.key.Counter++
	return virtualwebauthn.CreateAssertionResponse(site, k.authenticator, k.key, o)
}

func (k *keyed) isIn() bool {
	return k.do("GET", "/account", "").code == http.StatusOK
}

// TestPasskeySignIn: with a passkey the password alone opens nothing, and the passkey
// finishes what the password began.
func TestPasskeySignIn(t *testing.T) {
	h := newHouse(t, nil)
	k := h.withKey("promoter")
	k.do("POST", "/signout", "csrf="+k.csrf)
	r := k.enter("promoter")
	if r.code != http.StatusOK || !strings.Contains(r.body, "data-passkey=\"signin\"") || k.isIn() {
		t.Fatalf("the password alone: %d, signed in: %v", r.code, k.isIn())
	}
	r = k.tell("/signin/passkey/finish", k.answerOf(k.site, k.asked()))
	var led struct{ Next string }
	if r.code != http.StatusOK || json.Unmarshal([]byte(r.body), &led) != nil || led.Next != "/runs" || !k.isIn() {
		t.Fatalf("with the passkey: %d %s, signed in: %v", r.code, r.body, k.isIn())
	}
}

// TestPasskeyRefused: answers that are not this authenticator's to this question on this
// site, and answers that come twice or late.
func TestPasskeyRefused(t *testing.T) {
	h := newHouse(t, nil)
	k := h.withKey("promoter")
	k.do("POST", "/signout", "csrf="+k.csrf)
	elsewhere := k.site
	elsewhere.Origin = "http://evil.example"
	other := k.site
	other.ID = "evil.example"
	stranger := virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeEC2)
	stranger.ID = k.key.ID
	unverified := virtualwebauthn.NewAuthenticatorWithOptions(virtualwebauthn.AuthenticatorOptions{UserNotVerified: true})
	for _, tc := range []struct {
		name  string
		reply func(virtualwebauthn.AssertionOptions) string
	}{
		{"another question", func(o virtualwebauthn.AssertionOptions) string {
			o.Challenge = []byte("0123456789abcdef0123456789abcdef")
			return k.answerOf(k.site, o)
		}},
		{"asked by another site", func(o virtualwebauthn.AssertionOptions) string { return k.answerOf(elsewhere, o) }},
		{"for another site", func(o virtualwebauthn.AssertionOptions) string { return k.answerOf(other, o) }},
		{"another key under the same id", func(o virtualwebauthn.AssertionOptions) string {
			return virtualwebauthn.CreateAssertionResponse(k.site, k.authenticator, stranger, o)
		}},
		{"nobody verified", func(o virtualwebauthn.AssertionOptions) string {
			return virtualwebauthn.CreateAssertionResponse(k.site, unverified, k.key, o)
		}},
		{"no answer", func(virtualwebauthn.AssertionOptions) string { return "{}" }},
		{"no JSON", func(virtualwebauthn.AssertionOptions) string { return "<>" }},
		{"too long", func(virtualwebauthn.AssertionOptions) string { return `{"x":"` + strings.Repeat("x", 40<<10) + `"}` }},
	} {
		h.now = h.now.Add(time.Hour) // guessing is held back, and that is another test
		k.enter("promoter")
		r := k.tell("/signin/passkey/finish", tc.reply(k.asked()))
		if r.code != http.StatusUnauthorized && r.code != http.StatusBadRequest || k.isIn() {
			t.Errorf("%s: %d %s, signed in: %v", tc.name, r.code, r.body, k.isIn())
		}
	}

	h.now = h.now.Add(time.Hour)
	k.enter("promoter")
	late := k.answerOf(k.site, k.asked())
	h.now = h.now.Add(6 * time.Minute)
	if r := k.tell("/signin/passkey/finish", late); r.code != http.StatusGone || k.isIn() {
		t.Errorf("late: %d", r.code)
	}

	k.enter("promoter")
	once := k.answerOf(k.site, k.asked())
	pending := k.headers.Get("Cookie")
	if r := k.tell("/signin/passkey/finish", once); r.code != http.StatusOK {
		t.Fatalf("the first time: %d %s", r.code, r.body)
	}
	k.headers.Set("Cookie", pending)
	if r := k.tell("/signin/passkey/finish", once); r.code != http.StatusGone || k.isIn() {
		t.Errorf("the second time: %d", r.code)
	}
}

// TestPasskeyCloned: a counter that does not grow is a copy of the authenticator.
func TestPasskeyCloned(t *testing.T) {
	h := newHouse(t, nil)
	k := h.withKey("promoter")
	for i, want := range []int{http.StatusOK, http.StatusUnauthorized} {
		k.do("POST", "/signout", "")
		k.enter("promoter")
		k.key.Counter = 7
		reply := virtualwebauthn.CreateAssertionResponse(k.site, k.authenticator, k.key, k.asked())
		if r := k.tell("/signin/passkey/finish", reply); r.code != want {
			t.Errorf("answer %d with the same counter: %d %s, want %d", i+1, r.code, r.body, want)
		}
	}
}

// TestPasskeysNeedAName: an address of numbers has no passkeys, and the page says so; a
// session that was left open adds none; and an admin helps whoever lost theirs.
func TestPasskeysNeedAName(t *testing.T) {
	h := newHouse(t, nil)
	v := h.as("reviewer") // at 127.0.0.1
	if r := v.do("GET", "/account", ""); !strings.Contains(r.body, "Passkeys belong to a host name") || strings.Contains(r.body, "data-passkey-start") {
		t.Error("the page at an address of numbers offers passkeys")
	}
	if r := v.do("POST", "/account/passkeys/begin", "csrf="+v.csrf); r.code != http.StatusConflict {
		t.Errorf("a passkey at an address of numbers: %d, want 409", r.code)
	}

	k := h.withKey("promoter")
	h.now = h.now.Add(20 * time.Minute)
	if r := k.tell("/account/passkeys/begin", "{}"); r.code != http.StatusForbidden {
		t.Errorf("a passkey in a session of 20 minutes: %d, want 403", r.code)
	}
	if r := k.do("POST", "/account/passkeys/remove", "csrf="+k.csrf+"&passkey=1"); r.code != http.StatusForbidden {
		t.Errorf("removing one in a session of 20 minutes: %d, want 403", r.code)
	}

	admin := h.as("admin")
	if r := admin.do("POST", "/accounts/passkeys", "csrf="+admin.csrf+"&name=promoter"); r.code != http.StatusSeeOther {
		t.Fatalf("remove lost passkeys: %d %s", r.code, r.body)
	}
	if k.isIn() {
		t.Error("the session outlives the passkeys")
	}
	if r := k.enter("promoter"); r.code != http.StatusSeeOther || !k.isIn() {
		t.Errorf("the password alone, without passkeys: %d", r.code)
	}
}
