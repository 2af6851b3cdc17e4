package prompt

// deck deals its cards in a random order, each once before any comes again.
type deck[T any] struct {
	cards []T
	dealt int
}

// fill makes it new: what was dealt before tells nothing of what comes.
func (k *deck[T]) fill(cards []T) { k.cards, k.dealt = append(k.cards[:0], cards...), 0 }

func (k *deck[T]) deal(d *draws) T {
	if k.dealt == len(k.cards) {
		k.dealt = 0
	}
	i := k.dealt + d.below(len(k.cards)-k.dealt)
	k.cards[k.dealt], k.cards[i] = k.cards[i], k.cards[k.dealt]
	k.dealt++
	return k.cards[k.dealt-1]
}

// Decks of words.
const (
	nounDeck = iota
	adjectiveDeck
	firstDeck
	lastDeck
	verbDeck
	placeDeck
	monthDeck
	dayDeck
	tradeDeck
	unitDeck
	deedDeck
	thingDeck
	deckCount
)

var wordLists = [deckCount][]string{nouns, adjectives, first, last, verbs, places, months, days, trades, units, deeds, things}

// hand is all that a text is dealt from.
type hand struct {
	draws
	words     [deckCount]deck[string]
	sentences deck[pattern]
	body      [len(languages)]deck[pattern]
}

func (h *hand) begin(seed [32]byte, domain string, index int) {
	h.seed(seed, domain, index)
	for i := range h.words {
		h.words[i].fill(wordLists[i])
	}
	h.sentences.fill(prose)
	for i := range h.body {
		h.body[i].fill(languages[i].body)
	}
}

func (h *hand) word(list int) string { return h.words[list].deal(&h.draws) }
