package account

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestRights(t *testing.T) {
	want := map[Role]string{
		Viewer: "read", Reviewer: "read hand-in repair prepare", Promoter: "read hand-in repair prepare sign run",
		Admin: "read hand-in repair prepare run accounts", "root": "",
	}
	for role, rights := range want {
		var got []string
		for _, x := range Rights {
			if role.May(x) {
				got = append(got, string(x))
			}
		}
		if strings.Join(got, " ") != rights {
			t.Errorf("%s may %v, want %s", role, got, rights)
		}
	}
}

func TestPassword(t *testing.T) {
	hash, err := HashPassword("correct horse battery", rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	again, err := HashPassword("correct horse battery", rand.Reader)
	if err != nil || hash == again {
		t.Error("two hashes of one password are alike")
	}
	for _, tc := range []struct {
		encoded, password string
		ok                bool
	}{
		{hash, "correct horse battery", true},
		{hash, "correct horse batterY", false},
		{hash, "", false},
		{"", "", false},
		{hash[:len(hash)-1], "correct horse battery", false},
		{strings.Replace(hash, "t=3", "t=03", 1), "correct horse battery", false},
		{strings.Replace(hash, "m=65536", "m=4294967295", 1), "correct horse battery", false},
	} {
		if ok, _ := PasswordFits(tc.encoded, tc.password); ok != tc.ok {
			t.Errorf("%q with %q: %v, want %v", tc.encoded, tc.password, ok, tc.ok)
		}
	}
	if hash, err = HashPassword("Jose\u0301 liest Zeitung", rand.Reader); err != nil {
		t.Fatal(err)
	}
	if ok, _ := PasswordFits(hash, "Jos\u00e9 liest Zeitung"); !ok {
		t.Error("the same word typed on another keyboard does not fit")
	}
}

func TestCheckPassword(t *testing.T) {
	for password, want := range map[string]string{
		"short": "shorter", "ada-lovelace-1815": "contains", "aaaaaaaaaaaaaaaa": "different", "correct horse battery": "",
		strings.Repeat("ab cd e", 200): "more than", "\xff\xfe correct horse": "UTF-8",
	} {
		err := CheckPassword("ada", password)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", password, err, want)
		}
	}
}

func TestSecrets(t *testing.T) {
	s, err := NewSecret(SessionPrefix, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	d, ok := SecretDigest(SessionPrefix, s)
	if !ok || d == [32]byte{} {
		t.Error("a fresh secret has no digest")
	}
	for _, bad := range []string{"", s[:len(s)-1], s + "A", strings.Replace(s, "_s_", "_i_", 1), s[:len(s)-1] + "=", strings.ToUpper(s)} {
		if _, ok := SecretDigest(SessionPrefix, bad); ok {
			t.Errorf("%q has a digest", bad)
		}
	}
}

// TestThrottle: a guesser of one name who has all the addresses there are gets a few
// tries an hour, and so does one address with all names.
func TestThrottle(t *testing.T) {
	th := Throttle{Free: 5, First: time.Second, Most: time.Hour, Keep: 24 * time.Hour}
	now := time.Unix(1_800_000_000, 0)
	tries := 0
	for end := now.Add(24 * time.Hour); now.Before(end); {
		if wait := th.Wait(now, "name:ada", "addr:1"); wait > 0 {
			now = now.Add(wait)
			continue
		}
		tries++
		th.Failed(now, "name:ada", "addr:1")
		now = now.Add(time.Millisecond)
	}
	if tries > 50 {
		t.Errorf("%d tries in a day", tries)
	}
	th.Failed(now, "name:ada", "addr:1")
	if th.Wait(now, "name:ada") == 0 || th.Wait(now, "addr:1") == 0 || th.Wait(now, "name:eva") != 0 {
		t.Error("the wait is not that of the name and of the address")
	}
	th.Passed("name:ada")
	if th.Wait(now, "name:ada") != 0 {
		t.Error("the right password does not end the wait of the name")
	}
	if late := now.Add(3 * time.Hour); th.Wait(late, "addr:1") != 0 {
		t.Error("an address waits for hours")
	}
}

// TestThrottleFull: a flood of names takes no more memory, washes nobody's failures out,
// and is held back itself.
func TestThrottleFull(t *testing.T) {
	th := Throttle{Free: 5, First: time.Second, Most: time.Hour, Keep: 24 * time.Hour}
	now := time.Unix(1_800_000_000, 0)
	for range 10 {
		th.Failed(now, "name:ada")
	}
	for i := range mostKeys + 100 {
		th.Failed(now, fmt.Sprint("name:", i))
	}
	if len(th.keys) > mostKeys+1 {
		t.Errorf("%d keys are remembered", len(th.keys))
	}
	if th.Wait(now, "name:ada") == 0 {
		t.Error("the flood washed a name's failures out")
	}
	if th.Wait(now, "name:never seen") == 0 {
		t.Error("the flood goes on freely")
	}
	if th.Wait(now, "name:7") != 0 {
		t.Error("a name with one failure waits")
	}
	now = now.Add(25 * time.Hour)
	th.Failed(now, "name:eva")
	if len(th.keys) > 2 {
		t.Errorf("%d keys are remembered for good", len(th.keys))
	}
}

// TestThrottleFades: one mistyped password an hour, by whomever behind an address, holds
// nobody back.
func TestThrottleFades(t *testing.T) {
	th := Throttle{Free: 5, First: time.Second, Most: 15 * time.Minute, Keep: 24 * time.Hour}
	now := time.Unix(1_800_000_000, 0)
	for range 1000 {
		if d := th.Wait(now, "addr:1"); d > 0 {
			t.Fatalf("waits %s", d)
		}
		th.Failed(now, "addr:1")
		now = now.Add(time.Hour)
	}
	for range 100 {
		th.Failed(now, "addr:1")
	}
	if d := th.Wait(now, "addr:1"); d != th.Most {
		t.Errorf("waits %s, want %s", d, th.Most)
	}
	now = now.Add(20 * time.Hour)
	th.Failed(now, "addr:1")
	if d := th.Wait(now, "addr:1"); d > 0 {
		t.Errorf("20 hours later one failure waits %s", d)
	}
}

func TestThrottleConcurrently(t *testing.T) {
	th := Throttle{Free: 5, First: time.Second, Most: time.Hour, Keep: 24 * time.Hour}
	now := time.Unix(1_800_000_000, 0)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				th.Wait(now, "a", "b")
				th.Failed(now, "a", "b")
				th.Passed("b")
			}
		})
	}
	wg.Wait()
	if th.Wait(now, "a") != time.Hour || th.Wait(now, "b") != 0 {
		t.Errorf("waits %s and %s", th.Wait(now, "a"), th.Wait(now, "b"))
	}
}

func TestAddressKey(t *testing.T) {
	for host, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
		"fe80::1%eth0": "fe80::/64", "no address": "no address", "": "",
	} {
		if got := AddressKey(host); got != want {
			t.Errorf("%q: %q, want %q", host, got, want)
		}
	}
}

// TestWeakHash: a hash of weaker parameters fits and says that it is weak, one of today's
// does not; and a hash that asks for more than a machine has fits nothing.
func TestWeakHash(t *testing.T) {
	weak := params{memory: 8 << 10, time: 1, threads: 1}
	salt := []byte("0123456789abcdef")
	encode := func(p params, key []byte) string {
		return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s", p.memory, p.time, p.threads,
			base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
	}
	const password = "correct horse battery"
	for _, tc := range []struct {
		p        params
		ok, weak bool
	}{{weak, true, true}, {current, true, false}} {
		ok, weak := PasswordFits(encode(tc.p, tc.p.key(password, salt)), password)
		if ok != tc.ok || weak != tc.weak {
			t.Errorf("%+v: %v %v", tc.p, ok, weak)
		}
	}
	for _, p := range []params{{1 << 21, 1, 1}, {64 << 10, 17, 1}, {64 << 10, 1, 17}, {64 << 10, 0, 1}, {64 << 10, 1, 0}, {7, 1, 1}} {
		if _, _, _, err := parseHash(encode(p, make([]byte, keySize))); err == nil {
			t.Errorf("%+v is accepted", p)
		}
	}
}

func TestCheckName(t *testing.T) {
	for name, ok := range map[string]bool{"ada": true, "a.b-c_9": true, "": false, "Ada": false, "../x": false, ".x": false, "a b": false, strings.Repeat("a", 41): false, "ä": false, "a\n": false} {
		if (CheckName(name) == nil) != ok {
			t.Errorf("%q: %v", name, CheckName(name))
		}
	}
}

func FuzzHash(f *testing.F) {
	f.Add("$argon2id$v=19$m=65536,t=3,p=2$c29tZXNhbHRzb21lc2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	f.Add("$$$$$")
	f.Fuzz(func(t *testing.T, s string) {
		p, salt, key, err := parseHash(s)
		if err == nil && (p.memory > strongest.memory || len(salt) < 8 || len(key) != keySize) {
			t.Errorf("%q is taken for a hash", s)
		}
	})
}
