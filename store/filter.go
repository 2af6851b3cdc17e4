package store

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	"assay/store/evidence"
)

// clauses are the conditions of a query with their arguments.
type clauses struct {
	where []string
	args  []any
	over  *overlay // what people and recipes say, where a filter asks for facts
}

func (c *clauses) add(where string, args ...any) {
	c.where = append(c.where, where)
	c.args = append(c.args, args...)
}

// none makes the query find nothing: a filter that cannot fit any row.
func (c *clauses) none() { c.add("0") }

func (c *clauses) sql() string {
	if len(c.where) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(c.where, " AND ")
}

// documents narrows the table document d. The plus signs keep SQLite on the index
// that gives the order of lists: it would otherwise find the rows first and sort
// them, all of them, afterwards.
func (c *clauses) documents(f evidence.Filter) {
	if f.Campaign != "" {
		c.add("d.campaign = ?", f.Campaign)
	}
	if f.Family != "" {
		c.add("d.family = ?", f.Family)
	}
	if f.Schema != "" {
		c.add("d.schema = ?", f.Schema)
	}
	c.days(f.From, f.To)
	if f.Artifact != "" {
		c.ofArtifact(f.Artifact)
	}
	if f.Run != "" {
		prefix, _, ok := parseRunID(f.Run)
		if !ok {
			c.none()
			return
		}
		c.ofArtifact(prefix)
	}
}

// ofArtifact narrows to the documents of artifacts whose digest begins so. Their
// campaigns come first in the index, so they are looked up before.
func (c *clauses) ofArtifact(prefix string) {
	lo, hi, ok := digestRange(prefix)
	if !ok {
		c.none()
		return
	}
	c.add(`d.campaign IN (SELECT o.campaign FROM artifact s CROSS JOIN document o ON o.artifact_id = s.id WHERE s.sha256 BETWEEN ? AND ?)
		AND d.sha256 BETWEEN ? AND ?`, lo, hi, lo, hi)
}

// digest narrows a digest column to a prefix.
func (c *clauses) digest(column, prefix string) {
	lo, hi, ok := digestRange(prefix)
	if !ok {
		c.none()
		return
	}
	c.add(column+" BETWEEN ? AND ?", lo, hi)
}

// runs narrows run r and arm a of document d.
func (c *clauses) runs(f evidence.Filter) {
	if f.Run != "" {
		if _, ordinal, ok := parseRunID(f.Run); ok {
			c.add("r.id = (d.artifact_id << 24 | ?)", ordinal)
		}
	}
	if f.Arm != "" {
		c.add("+d.id IN (SELECT document_id FROM arm WHERE name = ?)", f.Arm)
		c.add("r.arm_id IN (SELECT id FROM arm WHERE name = ?)", f.Arm)
	}
	if f.Class != "" {
		c.add("+d.id IN (SELECT document_id FROM run WHERE class = ?)", f.Class)
		c.add("r.class = ?", f.Class)
	}
	if f.Metric != "" {
		c.holds("metric", string(f.Metric))
	}
	if f.Engine != "" {
		c.said(engineKeys, f.Engine)
	}
	if f.GPU != "" {
		c.said(cardKeys, f.GPU)
	}
	if f.Model != "" {
		c.said(modelKeys, f.Model)
	}
	if f.Protocol != "" {
		c.said(protocolKeys, f.Protocol)
	}
	if f.Status != "" {
		c.add("r.status = ?", f.Status)
	}
	if f.Words != "" {
		c.words(f.Words)
	}
}

// holds skips documents that do not hold a metric or fact key at all.
func (c *clauses) holds(kind, term string) {
	c.add("+d.id IN (SELECT document_id FROM document_holds WHERE kind = ? AND term = ?)", kind, term)
}

// factClass narrows to the keys of a class. The registry decides, not a column: the
// class of a key is a word of the program, not of the evidence.
func (c *clauses) factClass(class evidence.Class) {
	var in, all []string
	for _, k := range evidence.Keys {
		all = append(all, string(k.Key))
		if k.Class == class {
			in = append(in, string(k.Key))
		}
	}
	where := "f.key IN (" + marks(len(in)) + ")"
	for _, k := range in {
		c.args = append(c.args, k)
	}
	if class == evidence.LookupKey("a key that nobody registered").Class {
		where = "(" + where + " OR f.key NOT IN (" + marks(len(all)) + "))"
		for _, k := range all {
			c.args = append(c.args, k)
		}
	}
	c.where = append(c.where, where)
}

func marks(n int) string {
	if n == 0 {
		return ""
	}
	return "?" + strings.Repeat(", ?", n-1)
}

// digestRange is the range of digests that begin with a hexadecimal prefix.
func digestRange(prefix string) (lo, hi []byte, ok bool) {
	p := strings.ToLower(prefix)
	if p == "" || len(p) > 2*len(evidence.Digest{}) {
		return nil, nil, false
	}
	pad := 2*len(evidence.Digest{}) - len(p)
	lo, err := hex.DecodeString(p + strings.Repeat("0", pad))
	if err != nil {
		return nil, nil, false
	}
	hi, err = hex.DecodeString(p + strings.Repeat("f", pad))
	return lo, hi, err == nil
}

// parseRunID takes apart what evidence.RunID made.
func parseRunID(id string) (prefix string, ordinal int64, ok bool) {
	prefix, number, found := strings.Cut(id, "-r")
	if !found || len(prefix) != len(evidence.Digest{}.Short()) {
		return "", 0, false
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > maxOrdinal || strconv.FormatInt(n, 10) != number {
		return "", 0, false
	}
	_, _, ok = digestRange(prefix)
	return prefix, n, ok
}

// page is the part of a list a filter asks for, counted by the caller.
type page struct{ offset, limit int }

func pageOf(f evidence.Filter) page {
	p := page{max(f.Offset, 0), f.Limit}
	if p.limit <= 0 {
		p.limit = math.MaxInt
	}
	return p
}

// skip reports whether the next row lies before the page, done whether the page is full.
func (p *page) skip() bool {
	if p.offset > 0 {
		p.offset--
		return true
	}
	p.limit--
	return false
}

func (p *page) done() bool { return p.limit <= 0 }
