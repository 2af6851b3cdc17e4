package store

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/store/account"
	"assay/store/evidence"
)

func secretOf(t *testing.T, seed byte) (string, evidence.Digest) {
	t.Helper()
	secret, err := evidence.NewToken(bytes.NewReader(bytes.Repeat([]byte{seed}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	digest, ok := evidence.TokenDigest(secret)
	if !ok {
		t.Fatalf("%q is no secret", secret)
	}
	return secret, digest
}

func TestTokens(t *testing.T) {
	now := clock()
	a, err := Open(t.Context(), filepath.Join(t.TempDir(), "a.db"), Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	ctx := t.Context()
	one, oneSum := secretOf(t, 1)
	two, twoSum := secretOf(t, 2)
	if err := a.AddToken(ctx, "nightly", oneSum); err != nil {
		t.Fatal(err)
	}
	if err := a.AddToken(ctx, "nightly", twoSum); !errors.Is(err, evidence.ErrTaken) {
		t.Errorf("a name twice: %v", err)
	}
	for _, name := range []string{"", "-x", "a b", "x\n", strings.Repeat("n", 65), "ä"} {
		if err := a.AddToken(ctx, name, twoSum); err == nil {
			t.Errorf("the name %q is accepted", name)
		}
	}
	check := func(secret, want string) {
		t.Helper()
		name, ok, err := a.CheckToken(ctx, secret)
		if err != nil || name != want || ok != (want != "") {
			t.Errorf("%.12q: %q %v %v, want %q", secret, name, ok, err, want)
		}
	}
	check(one, "nightly")
	check(two, "")
	check(one[:len(one)-1]+"A", "")
	check("", "")
	check(strings.Repeat("x", 1000), "")

	used := func() int64 {
		list, err := a.Tokens(ctx)
		if err != nil || len(list) == 0 {
			t.Fatal(list, err)
		}
		return list[0].UsedUS
	}
	first := used()
	now = now.Add(time.Second)
	check(one, "nightly")
	if used() != first {
		t.Error("a use within the minute is written down")
	}
	now = now.Add(time.Hour)
	check(one, "nightly")
	if used() != now.UnixMicro() {
		t.Errorf("last used %d, want %d", used(), now.UnixMicro())
	}

	if err := a.RevokeToken(ctx, "nightly"); err != nil {
		t.Fatal(err)
	}
	check(one, "")
	if err := a.RevokeToken(ctx, "nightly"); !errors.Is(err, evidence.ErrNotFound) {
		t.Errorf("revoked twice: %v", err)
	}
	if err := a.AddToken(ctx, "nightly", twoSum); err != nil {
		t.Errorf("the name of a revoked token: %v", err)
	}
	check(two, "nightly")
	list, err := a.Tokens(ctx)
	if err != nil || len(list) != 2 || !list[0].Holds() || list[1].Holds() {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestScopedTokens: a token ends with its time and with its owner, and never may more
// than whoever owns it.
func TestScopedTokens(t *testing.T) {
	a, now := peopled(t, "ada reviewer", "vera viewer")
	ctx := t.Context()
	secret, sum := secretOf(t, 7)
	add := func(row evidence.TokenRow) error { return a.AddScopedToken(ctx, row, sum) }
	for what, row := range map[string]evidence.TokenRow{
		"no right":                  {Name: "x"},
		"a right that none has":     {Name: "x", Rights: "sign"},
		"one of two is none":        {Name: "x", Rights: "read accounts"},
		"over already":              {Name: "x", Rights: "read", ExpiresUS: now.UnixMicro()},
		"more than the owner may":   {Name: "x", Rights: "read hand-in", Owner: "vera"},
		"an owner who is not there": {Name: "x", Rights: "read", Owner: "nobody"},
	} {
		if err := add(row); err == nil {
			t.Errorf("%s: made", what)
		}
	}
	if err := add(evidence.TokenRow{Name: "ci", Rights: "read hand-in", Owner: "ada", ExpiresUS: now.Add(time.Hour).UnixMicro()}); err != nil {
		t.Fatal(err)
	}
	may := func(want string) {
		t.Helper()
		row, ok, err := a.TokenOf(ctx, secret)
		if err != nil || ok != (want != "ended") || ok && (row.Rights != want || row.Owner != "ada") {
			t.Errorf("%+v %v %v, want %q", row, ok, err, want)
		}
		_, handsIn, err := a.CheckToken(ctx, secret)
		if err != nil || handsIn != strings.Contains(want, "hand-in") {
			t.Errorf("hands in: %v (%v), want %q", handsIn, err, want)
		}
	}
	may("read hand-in")
	if err := a.SetRole(ctx, "ada", account.Viewer); err != nil {
		t.Fatal(err)
	}
	may("read")
	if err := a.SetRole(ctx, "ada", account.Reviewer); err != nil {
		t.Fatal(err)
	}
	may("read hand-in")
	*now = now.Add(time.Hour)
	may("ended")
	*now = now.Add(-time.Minute)
	may("read hand-in")
	if err := a.DisableAccount(ctx, "ada"); err != nil {
		t.Fatal(err)
	}
	may("ended")
	if err := a.EnableAccount(ctx, "ada"); err != nil {
		t.Fatal(err)
	}
	may("ended") // for good: nobody remembers which tokens somebody had
	if err := a.DisableAccount(ctx, "vera"); err != nil {
		t.Fatal(err)
	}
	if err := add(evidence.TokenRow{Name: "x", Rights: "read", Owner: "vera"}); err == nil {
		t.Error("a token of a disabled account is made")
	}
}
