package account

import (
	"net/netip"
	"sync"
	"time"
)

// Throttle holds back guessing: after a few failures under one key (a name, an address)
// the next try has to wait, twice as long each time. What failed fades: an office behind
// one address mistypes every day and must not be shut out for good. It is safe for
// several goroutines.
type Throttle struct {
	Free  int           // failures without a wait
	First time.Duration // the first wait
	Most  time.Duration // the longest
	Keep  time.Duration // how long a key is remembered after its last failure

	mu   sync.Mutex
	keys map[string]*attempts
}

type attempts struct {
	failed int
	last   time.Time
	until  time.Time
}

const (
	// mostKeys bounds the memory. When it is full, keys that are not in it share one
	// entry: a flood of names must neither wash one name's failures out nor go on freely.
	mostKeys = 50_000
	crowd    = ""
	// fades is how many failures are forgotten in the time that a key is kept.
	fades = 24
)

// Wait is how long a try under the keys has to wait; 0 when it may go on.
func (t *Throttle) Wait(now time.Time, keys ...string) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	var wait time.Duration
	for _, k := range keys {
		a := t.keys[k]
		if a == nil && len(t.keys) >= mostKeys {
			a = t.keys[crowd]
		}
		if a != nil {
			wait = max(wait, a.until.Sub(now))
		}
	}
	return max(wait, 0)
}

// Failed notes a failure under each key.
func (t *Throttle) Failed(now time.Time, keys ...string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.keys == nil {
		t.keys = map[string]*attempts{}
	}
	for _, k := range keys {
		t.entry(now, k).fail(t, now)
	}
}

// entry finds the failures under a key, or makes room for them.
func (t *Throttle) entry(now time.Time, key string) *attempts {
	a := t.keys[key]
	if a == nil && len(t.keys) >= mostKeys {
		t.sweep(now)
		if len(t.keys) >= mostKeys {
			key = crowd
			a = t.keys[key]
		}
	}
	if a == nil {
		a = &attempts{}
		t.keys[key] = a
	}
	return a
}

func (a *attempts) fail(t *Throttle, now time.Time) {
	if gone := now.Sub(a.last); gone > t.Keep {
		a.failed = 0
	} else if each := t.Keep / fades; each > 0 && gone > 0 {
		a.failed = max(0, a.failed-int(gone/each))
	}
	a.last = now
	wait := time.Duration(0)
	if over := a.failed + 1 - t.Free; over > 0 {
		wait = t.Most
		if over < 32 {
			wait = min(t.First<<(over-1), t.Most)
		}
	}
	if wait < t.Most || t.Most == 0 { // beyond the longest wait nothing is counted: it has to fade
		a.failed++
	}
	a.until = now.Add(wait)
}

func (t *Throttle) sweep(now time.Time) {
	for k, a := range t.keys {
		if now.Sub(a.last) > t.Keep {
			delete(t.keys, k)
		}
	}
}

// Passed forgets the failures under the keys.
func (t *Throttle) Passed(keys ...string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, k := range keys {
		delete(t.keys, k)
	}
}

// AddressKey is what an address counts as: who has one of IPv6 has all of its /64.
func AddressKey(host string) string {
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	addr = addr.Unmap().WithZone("")
	if addr.Is4() {
		return addr.String()
	}
	prefix, err := addr.Prefix(64)
	if err != nil {
		return host
	}
	return prefix.String()
}
