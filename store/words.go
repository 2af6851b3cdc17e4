package store

import (
	"strings"
	"unicode/utf8"

	"assay/store/evidence"
	"assay/store/evidence/mask"
)

// words emits the rows that search looks in.
type words struct {
	f    *flattening
	next int
	seen map[[2]string]struct{} // facts of the document, each value once
}

const (
	maxWords     = 64 << 10 // of one row
	maxTextWords = 1 << 20  // of an artifact's own text
)

// add emits a row of the current document.
func (w *words) add(kind, title, body string, p evidence.Pointer, runID any) error {
	return w.row(w.f.docID, runID, kind, title, cut(body, maxWords), p)
}

// row masks credentials: what cannot be shown is not found either.
func (w *words) row(docID, runID any, kind, title, body string, p evidence.Pointer) error {
	if w.next > maxOrdinal {
		return nil // more rows than an artifact may have: what is beyond is archived all the same
	}
	id := derivedID(w.f.kept.ArtifactID, w.next)
	w.next++
	return w.f.emit(searchTable, id, docID, runID, kind, plain.Replace(mask.Secrets(cut(title, maxWords))), plain.Replace(mask.Secrets(body)), string(p))
}

// plain takes out the characters that mark found words in a snippet.
var plain = strings.NewReplacer("\x02", " ", "\x03", " ")

// artifact is the row of the artifact as such: its label and its text.
func (w *words) artifact(r *evidence.Reading) error {
	return w.row(nil, nil, "artifact", r.Schema, cut(r.Text, maxTextWords), "")
}

func (w *words) begin() { w.seen = map[[2]string]struct{}{} }

// arm is found by its name, the names of its runs and the reason it was rejected.
func (w *words) arm(a *evidence.Arm, firstRun int64) error {
	var names []string
	for i := range a.Runs {
		if n := a.Runs[i].Name; n != "" && len(names) < 64 && (len(names) == 0 || names[len(names)-1] != n) {
			names = append(names, n)
		}
	}
	var runID any
	if len(a.Runs) > 0 {
		runID = firstRun
	}
	return w.add("arm", a.Name, join(append(names, a.Rejected)...), a.Place.Pointer, runID)
}

// fact is found once per document, at its first place: a sweep repeats its values in
// every run.
func (w *words) fact(x *evidence.Fact, runID any) error {
	k := [2]string{string(x.Key), x.Value}
	if _, ok := w.seen[k]; ok || x.Value == "" {
		return nil
	}
	w.seen[k] = struct{}{}
	body := x.Value
	if x.SourceText != "" && x.SourceText != x.Value {
		body = join(x.Value, x.SourceText)
	}
	return w.add("fact", evidence.LookupKey(x.Key).Title, body, x.Place.Pointer, runID)
}

// join puts a separator between the parts that are not empty.
func join(parts ...string) string {
	kept := parts[:0:0]
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " · ")
}

// cut shortens s to at most n bytes without splitting a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
