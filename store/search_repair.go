package store

import "strings"

// repairSource finds declared facts by their words: as hits on the campaign or the
// artifact that they were declared for. There are few of them, so nothing is indexed.
func repairSource(q string) searchSource {
	from := ` FROM repair p LEFT JOIN artifact a ON p.target LIKE 'artifact:%' AND a.sha256 = unhex(substr(p.target, 10, 64))
		LEFT JOIN campaign c ON p.target LIKE 'campaign:%' AND c.id = substr(p.target, 10)
		LEFT JOIN reading g ON g.artifact_id = a.id
		WHERE p.kind = 'fact' AND p.withdrawn_us = 0 AND (c.id IS NOT NULL OR a.id IS NOT NULL)`
	var args []any
	words := strings.Fields(q)
	for _, word := range words[:min(len(words), maxQueryTerms)] {
		from += ` AND p.key || ' ' || p.value || ' ' || p.author || ' ' || p.reason LIKE ? ESCAPE '\'`
		args = append(args, "%"+likeEscape.Replace(cut(word, 4*maxTermRunes))+"%")
	}
	return searchSource{
		count: "SELECT count(*)" + from,
		list: `SELECT CASE WHEN c.id IS NULL THEN 'fact' ELSE 'campaign' END,
			CASE WHEN c.id IS NULL THEN p.key WHEN c.title = '' THEN c.id ELSE c.title END,
			p.key || ' ' || p.value || ', declared by ' || p.author, coalesce(c.id, g.campaign), a.sha256,
			CASE WHEN instr(p.target, '#') > 0 AND c.id IS NULL THEN substr(p.target, instr(p.target, '#') + 1) ELSE '' END, NULL` + from,
		args:  args,
		order: "p.id",

		column: "d.campaign", narrow: "coalesce(c.id, g.campaign) IN (%s)",
	}
}
