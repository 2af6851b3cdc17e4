package ingest

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/ingest/jsondoc"
	"assay/store/evidence/mask"
)

// Bounds of the words that search sees of one artifact.
const (
	wordsBytes  = 96 << 10 // all together
	phraseBytes = 4 << 10  // of one string
)

// words collects the distinct names and strings of an artifact in the order they
// stand, for search.
type words struct {
	seen map[string]struct{}
	text strings.Builder
}

// handle takes the names and strings of JSON. secret says that the string is or holds
// a credential, which search must not find.
func (w *words) handle(e *jsondoc.Event, secret bool) {
	if w.text.Len() >= wordsBytes {
		return
	}
	switch {
	case e.Op == jsondoc.Leaf && e.Kind == jsondoc.String && secret:
		if masked := mask.Secrets(string(e.Text)); masked != string(e.Text) {
			w.add([]byte(masked))
		}
	case e.Op == jsondoc.Name, e.Op == jsondoc.Leaf && e.Kind == jsondoc.String:
		w.add(e.Text)
	}
}

func (w *words) add(phrase []byte) {
	if _, ok := w.seen[string(phrase)]; ok || len(phrase) == 0 {
		return
	}
	if w.seen == nil {
		w.seen = map[string]struct{}{}
	}
	if len(phrase) <= phraseBytes {
		w.seen[string(phrase)] = struct{}{}
	}
	if w.text.Len() > 0 {
		w.text.WriteByte('\n')
	}
	w.text.WriteString(clip(phrase, min(phraseBytes, wordsBytes-w.text.Len())))
}

// clip is at most n bytes of text that is fit to be shown and searched: valid UTF-8
// without control characters.
func clip[T string | []byte](text T, n int) string {
	s := string(text[:min(len(text), max(n, 0))])
	for cut := 1; cut < utf8.UTFMax && len(s) < len(text) && !utf8.ValidString(s); cut++ {
		s = string(text[:len(s)-1])
	}
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
