package store

import (
	"context"
	"database/sql"
	"strings"
	"unicode"

	"assay/store/evidence"
	"assay/store/evidence/mask"
)

// Search finds places. What a person types is never syntax: every word is quoted, and
// all words must occur, the last one also as the beginning of a word. The sources are
// asked in this order: a digest prefix, an exact JSON Pointer, names, campaigns, what
// people declared, then everything else by how well it fits.
func (a *Archive) Search(ctx context.Context, q string, offset, limit int) ([]evidence.SearchHit, int, error) {
	return a.SearchIn(ctx, q, evidence.Filter{Offset: offset, Limit: limit})
}

// SearchIn finds places in what answers a filter: a place counts when its document does,
// or a document of its artifact or campaign where it stands in none.
func (a *Archive) SearchIn(ctx context.Context, q string, f evidence.Filter) ([]evidence.SearchHit, int, error) {
	q = strings.TrimSpace(strings.ToValidUTF8(q, ""))
	if q == "" || f.Limit < 0 {
		return nil, 0, nil
	}
	s := &searching{ctx: ctx, page: pageOf(f)}
	err := a.read(ctx, "search", func(tx *sql.Tx) error {
		s.tx = tx
		if narrowsDocuments(f) {
			o, err := a.overlay(ctx, tx)
			if err != nil {
				return err
			}
			s.over, s.within = o, &f
		}
		for _, source := range s.sources(q) {
			if err := s.take(source); err != nil {
				return err
			}
		}
		return nil
	})
	return s.hits, s.total, err
}

// searching collects one page out of several sources that follow each other.
type searching struct {
	ctx   context.Context
	tx    *sql.Tx
	page  page
	hits  []evidence.SearchHit
	total int

	over   *overlay
	within *evidence.Filter // nil where nothing narrows the places
}

// source is one way to find places: how many, and which.
type searchSource struct {
	count, list string
	args        []any
	order       string
	orderMany   string // when there are too many to weigh them all; order when empty

	column string // what narrows a place: a column of documents
	narrow string // and the condition on it, with %s for the documents that answer
}

// narrowed adds to a source that its places lie in what answers the filter.
func (s *searching) narrowed(src searchSource) searchSource {
	if s.within == nil {
		return src
	}
	query, args := answering(s.over, *s.within, src.column)
	where := " AND " + strings.Replace(src.narrow, "%s", query, 1)
	src.count, src.list = src.count+where, src.list+where
	src.args = append(src.args[:len(src.args):len(src.args)], args...)
	return src
}

// maxRanked is how many places are weighed against each other.
const maxRanked = 10_000

func (s *searching) take(src searchSource) error {
	src = s.narrowed(src)
	n := 0
	if err := s.tx.QueryRowContext(s.ctx, src.count, src.args...).Scan(&n); err != nil {
		return err
	}
	s.total += n
	skip := min(s.page.offset, n)
	s.page.offset -= skip
	if n == skip || s.page.done() {
		return nil
	}
	order := src.order
	if n > maxRanked && src.orderMany != "" {
		order = src.orderMany
	}
	rows, err := s.tx.QueryContext(s.ctx, src.list+" ORDER BY "+order+" LIMIT ? OFFSET ?", append(src.args[:len(src.args):len(src.args)], s.page.limit, skip)...)
	if err != nil {
		return err
	}
	hits, err := collect(rows, scanHit)
	s.hits = append(s.hits, hits...)
	s.page.limit -= len(hits)
	return err
}

// foundMarks stand around found words in a snippet.
var foundMarks = strings.NewReplacer("\x02", "", "\x03", "")

func scanHit(rows *sql.Rows) (evidence.SearchHit, error) {
	var h evidence.SearchHit
	var digest evidence.Opt[evidence.Digest]
	var run sql.NullInt64
	err := rows.Scan(&h.Kind, &h.Title, &h.Snippet, &h.Campaign, optDigest{&digest}, &h.Pointer, &run)
	h.Artifact = digest.V
	h.Title = mask.Secrets(h.Title)
	if bare := foundMarks.Replace(h.Snippet); mask.HasSecret(bare) {
		h.Snippet = mask.Secrets(bare) // rather without marks than with a credential
	}
	if run.Valid {
		h.RunID = evidence.RunID(h.Artifact, int(run.Int64&maxOrdinal))
	}
	return h, err
}

const (
	maxQueryTerms = 16
	maxTermRunes  = 64
)

// sources are the ways that make sense for a query.
func (s *searching) sources(q string) []searchSource {
	var list []searchSource
	digest := strings.TrimPrefix(strings.ToLower(q), "sha256:")
	if lo, hi, ok := digestRange(digest); ok && len(digest) >= minDigestPrefix {
		list = append(list, digestSource(lo, hi))
	}
	if prefix, ordinal, ok := parseRunID(q); ok {
		lo, hi, _ := digestRange(prefix)
		list = append(list, runSource(lo, hi, ordinal))
	}
	if strings.HasPrefix(q, "/") && len(q) <= maxPointerQuery && evidence.Pointer(q).Valid() {
		list = append(list, pointerSource(evidence.Pointer(q)))
	}
	if match := matchAll(q); match != "" {
		list = append(list, nameSource(match), campaignSource(match), repairSource(q), textSource(match))
	}
	return list
}

// matchAll writes the words of q as a full-text query in which nothing is syntax.
func matchAll(q string) string {
	var terms []string
	for _, word := range strings.Fields(q) {
		if !strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			continue // nothing the index would have kept
		}
		if runes := []rune(word); len(runes) > maxTermRunes {
			word = string(runes[:maxTermRunes])
		}
		terms = append(terms, `"`+strings.ReplaceAll(strings.ReplaceAll(word, "\x00", " "), `"`, `""`)+`"`)
		if len(terms) == maxQueryTerms {
			break
		}
	}
	if len(terms) == 0 {
		return ""
	}
	return strings.Join(terms, " ") + "*"
}

// firstName titles an artifact: the name it came under first, else its digest.
const firstName = "coalesce((SELECT n.name FROM artifact_name n WHERE n.artifact_id = a.id ORDER BY n.id LIMIT 1), lower(hex(a.sha256)))"

func digestSource(lo, hi []byte) searchSource {
	const from = " FROM artifact a CROSS JOIN reading g ON g.artifact_id = a.id WHERE a.sha256 BETWEEN ? AND ?"
	return searchSource{
		count: "SELECT count(*)" + from,
		list:  "SELECT 'artifact', " + firstName + ", lower(hex(a.sha256)), g.campaign, a.sha256, '', NULL" + from,
		args:  []any{lo, hi},
		order: "a.sha256",

		column: "d.artifact_id", narrow: "a.id IN (%s)",
	}
}

func runSource(lo, hi []byte, ordinal int64) searchSource {
	const from = ` FROM artifact a CROSS JOIN run r ON r.id = (a.id << 24 | ?) CROSS JOIN arm x ON x.id = r.arm_id
		CROSS JOIN document d ON d.id = r.document_id WHERE a.sha256 BETWEEN ? AND ?`
	return searchSource{
		count: "SELECT count(*)" + from,
		list:  "SELECT 'arm', x.name, r.name, d.campaign, a.sha256, r.pointer, r.id" + from,
		args:  []any{ordinal, lo, hi},
		order: "a.sha256",

		column: "d.id", narrow: "r.document_id IN (%s)",
	}
}

func nameSource(match string) searchSource {
	return searchSource{
		count: "SELECT count(*) FROM search_name WHERE search_name MATCH ?",
		list: `SELECT 'artifact', replace(replace(n.name, char(2), ''), char(3), ''),
			CASE WHEN instr(n.name, char(2)) + instr(n.name, char(3)) = 0 THEN highlight(search_name, 0, char(2), char(3)) ELSE '' END,
			g.campaign, a.sha256, '', NULL
			FROM search_name CROSS JOIN artifact_name n ON n.id = search_name.rowid CROSS JOIN artifact a ON a.id = n.artifact_id
			CROSS JOIN reading g ON g.artifact_id = a.id WHERE search_name MATCH ?`,
		args:  []any{match},
		order: "search_name.rowid",

		column: "d.artifact_id", narrow: "+search_name.rowid IN (SELECT y.id FROM artifact_name y WHERE y.artifact_id IN (%s))",
	}
}

// Rows below 1 << 24 belong to campaigns, see the table search_row.
func campaignSource(match string) searchSource {
	return searchSource{
		count: "SELECT count(*) FROM search WHERE search MATCH ? AND rowid < 16777216",
		list: `SELECT 'campaign', CASE c.title WHEN '' THEN c.id ELSE c.title END, snippet(search, -1, char(2), char(3), '…', 24), c.id, NULL, '', NULL
			FROM search CROSS JOIN campaign c ON c.n = search.rowid WHERE search MATCH ? AND search.rowid < 16777216`,
		args:  []any{match},
		order: "search.rowid",

		column: "d.campaign", narrow: "+search.rowid IN (SELECT y.n FROM campaign y WHERE y.id IN (%s))",
	}
}

func textSource(match string) searchSource {
	return searchSource{
		count: "SELECT count(*) FROM search WHERE search MATCH ? AND rowid >= 16777216",
		list: `SELECT w.kind, CASE w.kind WHEN 'artifact' THEN ` + firstName + ` ELSE w.title END,
			snippet(search, 1, char(2), char(3), '…', 24), coalesce(d.campaign, g.campaign), a.sha256, w.pointer, w.run_id
			FROM search CROSS JOIN search_row w ON w.id = search.rowid CROSS JOIN artifact a ON a.id = w.artifact_id
			CROSS JOIN reading g ON g.artifact_id = a.id LEFT JOIN document d ON d.id = w.document_id
			WHERE search MATCH ? AND search.rowid >= 16777216`,
		args:      []any{match},
		order:     "search.rank",
		orderMany: "search.rowid",

		column: "d.artifact_id", narrow: "+search.rowid >> 24 IN (%s)",
	}
}
