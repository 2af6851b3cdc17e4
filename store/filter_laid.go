package store

import (
	"encoding/json"
	"slices"
	"strings"

	"assay/store/evidence"
)

// What people declare and recipes say, as filters ask for it.

// declared adds the runs that somebody declares a fact of the key for with the text in
// it, or in what it means.
func (s *saying) declared(k evidence.FactKey) {
	if s.over == nil {
		return
	}
	here := s.over.scoped(s.over.declared[k], func(r *evidence.Repair) bool { return s.over.holdsText(k, r.Value, s.text) })
	for _, q := range here.documents {
		s.documents.add("SELECT x.id "+q.from, q.args...)
		s.near.add("SELECT x.id "+q.from, q.args...)
	}
	for _, q := range here.runs {
		s.runs.add("SELECT x.id "+q.from, q.args...)
		s.near.add("SELECT x.document_id "+q.from, q.args...)
	}
}

// spoken is what declarations speak of: documents x, or runs x.
type spoken struct{ documents, runs []fromClause }

type fromClause struct {
	from string
	args []any
}

// scoped finds what chosen declarations speak of.
func (o *overlay) scoped(said []*evidence.Repair, chosen func(*evidence.Repair) bool) (s spoken) {
	var campaigns, artifacts []string
	var places [][2]string
	for _, r := range said {
		if !chosen(r) {
			continue
		}
		scope, err := evidence.ParseScope(r.Target)
		switch {
		case err != nil: // AddRepair lets none in
		case scope.Campaign != "":
			campaigns = append(campaigns, scope.Campaign)
		case scope.Place.OK:
			places = append(places, [2]string{scope.Artifact.String(), string(scope.Place.V)})
		default:
			artifacts = append(artifacts, scope.Artifact.String())
		}
	}
	if len(campaigns) > 0 {
		s.documents = append(s.documents, fromClause{"FROM json_each(?) j CROSS JOIN document x ON x.campaign = j.value WHERE 1", []any{jsonList(campaigns)}})
	}
	if len(artifacts) > 0 {
		s.documents = append(s.documents, fromClause{`FROM json_each(?) j CROSS JOIN artifact s ON s.sha256 = unhex(j.value)
			CROSS JOIN document x ON x.artifact_id = s.id WHERE 1`, []any{jsonList(artifacts)}})
	}
	if len(places) > 0 {
		s.runs = append(s.runs, fromClause{`FROM json_each(?) j CROSS JOIN artifact s ON s.sha256 = unhex(j.value ->> 0)
			CROSS JOIN run x ON x.id BETWEEN s.id << 24 AND (s.id << 24 | 16777215) CROSS JOIN arm y ON y.id = x.arm_id
			WHERE j.value ->> 1 IN (x.pointer, y.pointer)`, []any{jsonList(places)}})
	}
	return s
}

// served adds the runs that say nothing of the key themselves and were served under a
// name, recorded or declared, that recipes resolve to a value with the text in it.
func (s *saying) served(k evidence.FactKey) {
	names := s.over.namesWith(k, s.text)
	if len(names) == 0 {
		return
	}
	list := jsonList(names)
	s.documents.add(of(k, "SELECT n.document_id "+servedHere+" WHERE n.run_id IS NULL AND n.arm_id IS NULL AND "+plainly), list)
	for _, query := range []string{servedRun, servedArm, servedRest} {
		s.runs.add(of(k, query), list)
	}
	s.near.add("SELECT n.document_id "+servedHere, list)
	here := s.over.scoped(s.over.declared[evidence.KeyServedModel], func(r *evidence.Repair) bool { return slices.Contains(names, r.Value) })
	for _, q := range here.documents {
		s.documents.add(of(k, "SELECT x.id "+q.from+" AND NOT "+anywhere), q.args...)
		s.runs.add(of(k, "SELECT x.id FROM (SELECT x.id "+q.from+" AND "+anywhere+") q CROSS JOIN run x ON x.document_id = q.id WHERE "+unsaid), q.args...)
		s.near.add("SELECT x.id "+q.from, q.args...)
	}
	for _, q := range here.runs {
		s.runs.add(of(k, "SELECT x.id "+q.from+" AND "+unsaid), q.args...)
		s.near.add("SELECT x.document_id "+q.from, q.args...)
	}
}

const (
	servedHere = `FROM json_each(?) j CROSS JOIN fact n ON n.key = 'served_model' AND n.value = j.value AND n.state IN ('recorded', 'derived')`
	servedRun  = "SELECT x.id " + servedHere + " CROSS JOIN run x ON x.id = n.run_id WHERE n.run_id IS NOT NULL AND " + unsaid
	servedArm  = "SELECT x.id " + servedHere + ` CROSS JOIN run x ON x.arm_id = n.arm_id
		WHERE n.run_id IS NULL AND n.arm_id IS NOT NULL AND ` + ownName + " AND " + unsaid
	servedRest = "SELECT x.id " + servedHere + ` CROSS JOIN run x ON x.document_id = n.document_id
		WHERE n.run_id IS NULL AND n.arm_id IS NULL AND NOT (` + plainly + ") AND " + ownName + " AND " + armName + " AND " + unsaid

	// unsaid holds where no source states the key for run x.
	unsaid = `coalesce((SELECT o.state FROM fact o WHERE o.key = KEY AND o.document_id = x.document_id AND o.run_id = x.id),
		(SELECT o.state FROM fact o WHERE o.key = KEY AND o.document_id = x.document_id AND o.run_id IS NULL AND o.arm_id = x.arm_id),
		(SELECT o.state FROM fact o WHERE o.key = KEY AND o.document_id = x.document_id AND o.run_id IS NULL AND o.arm_id IS NULL), 'absent') = 'absent'`
	// anywhere holds where document x states the key for any of its runs.
	anywhere = "EXISTS (SELECT 1 FROM fact o WHERE o.key = KEY AND o.document_id = x.id)"
	// ownName and armName hold where run x, or its arm, has no served name of its own.
	ownName = `NOT EXISTS (SELECT 1 FROM fact o WHERE o.key = 'served_model' AND o.document_id = n.document_id AND o.run_id = x.id)`
	armName = `NOT EXISTS (SELECT 1 FROM fact o WHERE o.key = 'served_model' AND o.document_id = n.document_id AND o.run_id IS NULL AND o.arm_id = x.arm_id)`
	// plainly holds where a document says one served name for all of its runs, and the key
	// for none.
	plainly = `NOT EXISTS (SELECT 1 FROM fact o WHERE o.key = KEY AND o.document_id = n.document_id)
		AND NOT EXISTS (SELECT 1 FROM fact o WHERE o.key = 'served_model' AND o.document_id = n.document_id
			AND (o.run_id IS NOT NULL OR o.arm_id IS NOT NULL))`
)

// spellings are those whose meaning has the text in it.
func (o *overlay) spellings(k evidence.FactKey, text string) []string {
	if o == nil {
		return nil
	}
	var list []string
	for spelling, meaning := range o.aliases[k] {
		if hasText(meaning, text) {
			list = append(list, spelling)
		}
	}
	return list
}

func (o *overlay) holdsText(k evidence.FactKey, value, text string) bool {
	return hasText(value, text) || hasText(o.means(k, value), text)
}

// namesWith are the served names that recipes resolve to a value with the text in it.
func (o *overlay) namesWith(k evidence.FactKey, text string) []string {
	if o == nil {
		return nil
	}
	var list []string
	for name, n := range o.recipes.names {
		if at := factAt(n.facts, k); at >= 0 && o.holdsText(k, n.facts[at].Value, text) {
			list = append(list, name)
		}
	}
	return list
}

// hasText is LIKE of SQLite: ASCII letters match in either case.
func hasText(value, text string) bool { return strings.Contains(asciiLower(value), asciiLower(text)) }

func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

func jsonList[T string | [2]string](list []T) string {
	b, _ := json.Marshal(list) // texts always marshal
	return string(b)
}
