package store

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/store/evidence"
)

// Bounds of what people write, in bytes.
const (
	maxAuthor   = 200
	maxReason   = 4000
	maxValue    = 2000
	maxTarget   = 4000
	maxCampaign = 200
)

// checkRepair looks at a repair without the archive.
func checkRepair(r evidence.Repair) (evidence.Repair, error) {
	if !slices.Contains(evidence.RepairKinds, r.Kind) {
		return r, refuse("kind", "%q is not one of %q", r.Kind, evidence.RepairKinds)
	}
	out := evidence.Repair{Kind: r.Kind, Key: r.Key}
	var err error
	for _, part := range []struct {
		into  *string
		field string
		text  string
		limit int
	}{
		{&out.Author, "author", r.Author, maxAuthor}, {&out.Reason, "reason", r.Reason, maxReason},
		{&out.Value, "value", r.Value, maxValue}, {&out.Target, "target", r.Target, maxTarget},
	} {
		if *part.into, err = checkWords(part.field, part.text, part.limit); err != nil {
			return r, err
		}
	}
	if r.Kind == evidence.RepairMove {
		if r.Key != "" {
			return r, refuse("key", "a move has none")
		}
		return out, checkCampaign(out.Value)
	}
	info := evidence.LookupKey(r.Key)
	if !slices.ContainsFunc(evidence.Keys, func(k evidence.KeyInfo) bool { return k.Key == r.Key }) {
		return r, refuse("key", "%.80q is no fact key; \"assay keys\" lists them", r.Key)
	}
	if r.Kind == evidence.RepairAlias {
		// A spelling is what stands in evidence, spaces and all.
		out.Target = r.Target
		return out, checkSpelling(info, out.Target, out.Value)
	}
	out.Value, err = evidence.CanonicalFact(r.Key, out.Value)
	if err != nil {
		return r, refuse("value", "%v", err)
	}
	return out, nil
}

func refuse(field, format string, args ...any) error {
	return &evidence.RepairError{Field: field, Problem: fmt.Sprintf(format, args...)}
}

// checkWords refuses what is empty, too long, or would draw on a page or terminal, and
// trims the spaces around the rest.
func checkWords(field, text string, limit int) (string, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return "", refuse(field, "is missing")
	case len(text) > limit:
		return "", refuse(field, "has %d bytes; at most %d are kept", len(text), limit)
	case !utf8.ValidString(text):
		return "", refuse(field, "is not UTF-8")
	case strings.ContainsFunc(text, func(c rune) bool { return unicode.IsControl(c) && (field != "reason" || c != '\n' && c != '\t') }):
		return "", refuse(field, "has a control character in it")
	}
	return text, nil
}

func checkCampaign(id string) error {
	if len(id) > maxCampaign {
		return refuse("campaign", "the id has %d bytes; at most %d are kept", len(id), maxCampaign)
	}
	return nil
}

func checkSpelling(info evidence.KeyInfo, spelling, meaning string) error {
	switch {
	case info.Unit != "":
		return refuse("key", "%s is a number (%s): it has no spellings; declare the fact instead", info.Key, info.Unit)
	case len(spelling) > maxTarget || !utf8.ValidString(spelling):
		return refuse("spelling", "is too long or not UTF-8")
	case spelling == meaning:
		return refuse("meaning", "is the spelling itself")
	}
	return nil
}

// checkAlias refuses a second meaning of one spelling, and a circle of spellings.
func (w *writing) checkAlias(r *evidence.Repair) error {
	for at, steps := r.Value, 0; ; steps++ {
		var next string
		var id int64
		err := w.scan("SELECT id, value FROM repair WHERE kind = 'alias' AND withdrawn_us = 0 AND key = ? AND target = ?",
			[]any{string(r.Key), at}, &id, &next)
		if errors.Is(err, sql.ErrNoRows) {
			break
		}
		if err != nil {
			return err
		}
		if next == r.Target || steps == maxAliasSteps {
			return refuse("meaning", "%q means %q already (repair %d): the spellings would go in a circle", at, next, id)
		}
		at = next
	}
	var id int64
	var meaning string
	err := w.scan("SELECT id, value FROM repair WHERE kind = 'alias' AND withdrawn_us = 0 AND key = ? AND target = ?",
		[]any{string(r.Key), r.Target}, &id, &meaning)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return refuse("spelling", "%q means %q already (repair %d); withdraw that first", r.Target, meaning, id)
}

// maxAliasSteps is how many spellings may lead to a meaning.
const maxAliasSteps = 16

// checkDeclaration finds what a declared fact speaks of.
func (w *writing) checkDeclaration(r *evidence.Repair) error {
	scope, err := evidence.ParseScope(r.Target)
	if err != nil {
		return refuse("target", "%v", err)
	}
	r.Target = scope.String()
	if scope.Campaign != "" {
		var n int64
		err := w.scan("SELECT n FROM campaign WHERE id = ?", []any{scope.Campaign}, &n)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("campaign %q: %w", scope.Campaign, evidence.ErrNotFound)
		}
		if err != nil {
			return err
		}
	} else {
		id, err := w.artifactOf(scope.Artifact.String())
		if err != nil {
			return err
		}
		if scope.Place.OK {
			if err := w.checkPlace(id, scope); err != nil {
				return err
			}
		}
	}
	var id int64
	err = w.scan("SELECT id FROM repair WHERE kind = 'fact' AND withdrawn_us = 0 AND key = ? AND target = ? AND value = ?",
		[]any{string(r.Key), r.Target, r.Value}, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return refuse("value", "repair %d says so already", id)
}

// checkPlace refuses a place that no run or arm was read from, and names some that are
// near.
func (w *writing) checkPlace(artifactID int64, scope evidence.Scope) error {
	lo, hi := runTable.span(artifactID)
	at := string(scope.Place.V)
	var n int64
	err := w.scan(`SELECT (SELECT count(*) FROM run WHERE id BETWEEN ?1 AND ?2 AND pointer = ?3)
		+ (SELECT count(*) FROM arm WHERE id BETWEEN ?1 AND ?2 AND pointer = ?3)`, []any{lo, hi, at}, &n)
	if err != nil || n > 0 {
		return err
	}
	rows, err := w.query(`SELECT DISTINCT pointer FROM run WHERE id BETWEEN ?1 AND ?2
		AND (substr(pointer, 1, length(?3) + 1) = ?3 || '/' OR substr(?3, 1, length(pointer) + 1) = pointer || '/') ORDER BY id LIMIT 8`, lo, hi, at)
	if err != nil {
		return err
	}
	near, err := texts(rows)
	if err != nil {
		return err
	}
	problem := "no run or arm was read from %s of artifact %s"
	if len(near) > 0 {
		return refuse("target", problem+"; runs near it stand at %s", quotedPointer(at), scope.Artifact.Short(), strings.Join(near, ", "))
	}
	return refuse("target", problem+"; \"assay export runs --filter artifact=%s\" lists the places", quotedPointer(at), scope.Artifact.Short(), scope.Artifact.Short())
}

func quotedPointer(p string) string {
	if p == "" {
		return "the root"
	}
	return p
}

// checkMove finds the artifact of a move and refuses one that changes nothing.
func (w *writing) checkMove(r *evidence.Repair) (artifactID int64, err error) {
	r.Target = strings.TrimPrefix(strings.ToLower(r.Target), "artifact:")
	if artifactID, err = w.artifactOf(r.Target); err != nil {
		return 0, err
	}
	var value string
	err = w.scan("SELECT value FROM repair WHERE kind = 'move' AND withdrawn_us = 0 AND target = ? ORDER BY id DESC LIMIT 1", []any{r.Target}, &value)
	if err == nil && value == r.Value {
		return 0, refuse("campaign", "artifact %.12s is in %q by an earlier move already", r.Target, value)
	}
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return artifactID, err
}
