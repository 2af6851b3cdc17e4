package signoff

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// itemDigits is how long the id of an item is. Where two texts share so many digits, the
// second gets all of them: an acknowledgement never covers what was not read.
const itemDigits = 16

// Items are what a person must acknowledge one by one before a statement on the ground
// can be signed: each gate that is not passed, each limitation, failure and contradiction,
// and each thing that nobody tested. The same text twice is one item.
func (g *Ground) Items() []Item {
	l := itemList{at: map[string]string{}}
	for i := range g.Gates {
		if x := &g.Gates[i]; x.State != GatePassed {
			l.add(ItemGate, x.line(), x.State != GateWaived)
		}
	}
	for i := range g.Limitations {
		l.add(ItemLimitation, g.Limitations[i].Text, true)
	}
	for i := range g.Failures {
		l.add(ItemFailure, g.Failures[i].Text, true)
	}
	for i := range g.Contradictions {
		l.add(ItemContradiction, g.Contradictions[i].Says, true)
	}
	for _, text := range g.NotTested {
		l.add(ItemNotTested, text, false)
	}
	return l.items
}

// line is a gate as an item says it: what is asked, and what was found.
func (g *GateResult) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s): %s", g.Title, g.ID, g.State)
	if g.Says != "" {
		b.WriteString("; " + g.Says)
	}
	if g.Quoted != "" {
		fmt.Fprintf(&b, "; the source says: %q", g.Quoted)
	}
	if g.By != "" {
		fmt.Fprintf(&b, "; waived by %s: %s", g.By, g.Reason)
	}
	return b.String()
}

type itemList struct {
	items []Item
	at    map[string]string // text of an id, with its kind
}

func (l *itemList) add(kind ItemKind, text string, reason bool) {
	text = clean(text)
	whole := string(kind) + "\x00" + text
	sum := sha256.Sum256([]byte(whole))
	id := hex.EncodeToString(sum[:])
	short := id[:itemDigits]
	switch held, taken := l.at[short]; {
	case taken && held == whole:
		return
	case taken:
		if _, twice := l.at[id]; twice {
			return
		}
		short = id
	}
	l.at[short] = whole
	l.items = append(l.items, Item{ID: short, Kind: kind, Text: text, Reason: reason})
}
