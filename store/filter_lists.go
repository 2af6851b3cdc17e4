package store

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"assay/store/evidence"
)

// dayForm is a date as sources write it first and filters give it.
const dayForm = "2006-01-02"

// days narrows to documents whose source gives a date in a range of days. A source that
// gives none is in no range.
func (c *clauses) days(from, to string) {
	if from == "" && to == "" {
		return
	}
	c.add("d.observed GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'")
	if from != "" {
		if _, err := time.Parse(dayForm, from); err != nil {
			c.none()
			return
		}
		c.add("d.observed >= ?", from)
	}
	if to != "" {
		last, err := time.Parse(dayForm, to)
		if err != nil {
			c.none()
			return
		}
		c.add("d.observed < ?", last.AddDate(0, 0, 1).Format(dayForm))
	}
}

// mostWords is how many words narrow a list; further ones are left out.
const mostWords = 8

// words narrows to runs of which every word says something: the arm's name or its
// runs', a sentence, gate, decision or fact of the document, a name the file came under,
// or the campaign. The text of whole artifacts is left out: it holds the names of all arms.
func (c *clauses) words(text string) {
	terms := strings.Fields(text)
	narrowed := false
	for _, term := range terms[:min(len(terms), mostWords)] {
		match := matchAll(term)
		if match == "" {
			continue
		}
		narrowed = true
		c.add(wordNear, match, match, match)
		c.add(wordIn, match, match, match, match)
	}
	if !narrowed {
		c.none()
	}
}

// Note: one word at a time. All words of a query rarely stand in one row of the index,
// and a person who types a model and a card means runs with both.
const wordIn = `(+d.campaign IN (SELECT c.id FROM search CROSS JOIN campaign c ON c.n = search.rowid WHERE search MATCH ? AND search.rowid < 16777216)
	OR +d.artifact_id IN (SELECT n.artifact_id FROM search_name CROSS JOIN artifact_name n ON n.id = search_name.rowid WHERE search_name MATCH ?)
	OR +d.id IN (SELECT w.document_id FROM search CROSS JOIN search_row w ON w.id = search.rowid
		WHERE search MATCH ? AND search.rowid >= 16777216 AND w.kind NOT IN ('arm', 'artifact') AND w.document_id IS NOT NULL)
	OR +r.arm_id IN (SELECT x.arm_id FROM search CROSS JOIN search_row w ON w.id = search.rowid CROSS JOIN run x ON x.id = w.run_id
		WHERE search MATCH ? AND search.rowid >= 16777216 AND w.kind = 'arm'))`

// wordNear holds for the documents that a word is anywhere in: the others are skipped
// before their runs are looked at one by one.
const wordNear = `(+d.id IN (SELECT w.document_id FROM search CROSS JOIN search_row w ON w.id = search.rowid
		WHERE search MATCH ? AND search.rowid >= 16777216 AND w.kind <> 'artifact' AND w.document_id IS NOT NULL)
	OR +d.artifact_id IN (SELECT n.artifact_id FROM search_name CROSS JOIN artifact_name n ON n.id = search_name.rowid WHERE search_name MATCH ?)
	OR +d.campaign IN (SELECT c.id FROM search CROSS JOIN campaign c ON c.n = search.rowid WHERE search MATCH ? AND search.rowid < 16777216))`

// asksRuns reports whether a filter asks for something that is known of runs only.
func asksRuns(f evidence.Filter) bool {
	return searchesFacts(f) || f.Class != "" || f.Status != "" || f.Arm != ""
}

// answering is a query of one column of the documents that answer a filter: by
// themselves, or with at least one of their runs.
func answering(o *overlay, f evidence.Filter, column string) (query string, args []any) {
	f = evidence.Filter{Campaign: f.Campaign, Family: f.Family, Schema: f.Schema, Artifact: f.Artifact, From: f.From, To: f.To,
		Model: f.Model, Engine: f.Engine, GPU: f.GPU, Protocol: f.Protocol, Class: f.Class, Status: f.Status, Arm: f.Arm}
	c := &clauses{over: o}
	c.documents(f)
	from := " FROM document d"
	if asksRuns(f) {
		c.runs(f)
		from += documentRuns
	}
	return "SELECT " + column + from + c.sql(), c.args
}

// narrowsDocuments reports whether a filter narrows lists of other things than runs.
func narrowsDocuments(f evidence.Filter) bool {
	return asksRuns(f) || f.Campaign != "" || f.Family != "" || f.Schema != "" || f.Artifact != "" || f.From != "" || f.To != ""
}

// campaignsAnswering narrows the campaign list by what is known of documents and runs.
func (a *Archive) campaignsAnswering(ctx context.Context, tx *sql.Tx, c *clauses, f evidence.Filter) error {
	if !asksRuns(f) && f.From == "" && f.To == "" {
		return nil
	}
	o, err := a.overlay(ctx, tx)
	if err != nil {
		return err
	}
	query, args := answering(o, f, "d.campaign")
	c.add("+c.id IN ("+query+")", args...)
	return nil
}

// sortOrder is one way to walk the runs: tables in the order that an index gives, and
// that order in full. Nothing is sorted: a page near the start reads as many rows as it
// shows.
type sortOrder struct{ from, by string }

const (
	documentRuns = " CROSS JOIN run r ON r.document_id = d.id"
	armRuns      = `SELECT r.id FROM arm a INDEXED BY arm_name CROSS JOIN run r ON r.arm_id = a.id CROSS JOIN document d ON d.id = r.document_id`
	classRuns    = `SELECT r.id FROM run r INDEXED BY run_class CROSS JOIN document d ON d.id = r.document_id`
	familyRuns   = "SELECT r.id FROM document d INDEXED BY document_family" + documentRuns
)

var sortOrders = map[evidence.Sort]sortOrder{
	evidence.ByCampaign:       {runOrder, "d.campaign, d.sha256, d.ordinal, r.id"},
	"-" + evidence.ByCampaign: {runOrder, "d.campaign DESC, d.sha256 DESC, d.ordinal DESC, r.id DESC"},
	evidence.ByArm:            {armRuns, "a.name, a.document_id, a.id, r.id"},
	"-" + evidence.ByArm:      {armRuns, "a.name DESC, a.document_id DESC, a.id DESC, r.id DESC"},
	evidence.ByClass:          {classRuns, "r.class, r.document_id, r.id"},
	"-" + evidence.ByClass:    {classRuns, "r.class DESC, r.document_id DESC, r.id DESC"},
	evidence.ByFamily:         {familyRuns, "d.family, d.campaign, d.sha256, d.ordinal, d.id, r.id"},
	"-" + evidence.ByFamily:   {familyRuns, "d.family DESC, d.campaign DESC, d.sha256 DESC, d.ordinal DESC, d.id DESC, r.id DESC"},
	evidence.ByDate: {"SELECT r.id FROM document d INDEXED BY document_oldest" + documentRuns,
		"d.observed = '', d.observed, d.campaign, d.sha256, d.ordinal, d.id, r.id"},
	"-" + evidence.ByDate: {"SELECT r.id FROM document d INDEXED BY document_newest" + documentRuns,
		"d.observed = '', d.observed DESC, d.campaign, d.sha256, d.ordinal, d.id, r.id"},
}

// runsSorted is the query of run ids in the order that a filter asks for.
func runsSorted(s evidence.Sort, c *clauses) string {
	o, ok := sortOrders[s]
	if !ok {
		o = sortOrders[evidence.ByCampaign]
	}
	return o.from + c.sql() + " ORDER BY " + o.by
}
