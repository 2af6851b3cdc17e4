package store

import (
	"context"
	"database/sql"
	"strings"

	"assay/store/evidence"
)

// References are resolved when somebody asks, never when they are read: the file may
// come in tomorrow.
//
//	the source gives a digest, and under the name we have
//	    that digest                                 retained
//	    that digest, with other line endings        retained-crlf
//	    another digest                              mismatch (FoundAs: where the content is)
//	    nothing, but the digest under another name  retained-renamed, or retained-crlf
//	it gives none, a file came in under the name    name-only
//	nothing                                         not-retained
//
// A file of that name is one that lies where the reference points, as far as both say:
// a path's last folder, the folder of the document that refers, or its campaign. Any
// other file that happens to be called "summary.json" is no contradiction.

var referenceRows = prose[evidence.ReferenceRow]{
	table:   "reference",
	columns: "x.name, x.sha256, x.kind, x.pointer, x.span_start, x.span_end",
	into: func(r *evidence.ReferenceRow) []any {
		return []any{&r.Name, optDigest{&r.SHA256}, &r.Kind, &r.Place.Pointer, &r.Place.Start, &r.Place.End}
	},
	source: func(r *evidence.ReferenceRow) (*evidence.Source, *string) { return &r.Source, &r.Campaign },
	filter: byKind,
}

// optDigest reads a nullable digest column.
type optDigest struct {
	o *evidence.Opt[evidence.Digest]
}

func (s optDigest) Scan(v any) error {
	s.o.OK = v != nil
	if v == nil {
		return nil
	}
	return digestInto(&s.o.V).Scan(v)
}

// resolver answers references inside one snapshot.
type resolver struct {
	ctx                        context.Context
	tx                         *sql.Tx
	byDigest, byEnding, byName *sql.Stmt
	ownNames                   *sql.Stmt
	owner                      evidence.Digest // the artifact whose names are at hand
	names                      []string
}

// maxCandidates bounds how many files of one name are looked at.
const maxCandidates = 256

func newResolver(ctx context.Context, tx *sql.Tx) (*resolver, error) {
	r := &resolver{ctx: ctx, tx: tx}
	for _, s := range []struct {
		into  **sql.Stmt
		query string
	}{
		{&r.byDigest, `SELECT a.sha256, coalesce(n.name, '') FROM artifact a LEFT JOIN artifact_name n ON n.artifact_id = a.id
			WHERE a.sha256 = ? LIMIT ?`},
		{&r.byEnding, `SELECT a.sha256, coalesce(n.name, '') FROM text_ending e JOIN artifact a ON a.id = e.artifact_id
			LEFT JOIN artifact_name n ON n.artifact_id = a.id WHERE e.sha256 = ? LIMIT ?`},
		{&r.byName, `SELECT n.name, a.sha256, coalesce(g.campaign, '') FROM artifact_name n JOIN artifact a ON a.id = n.artifact_id
			LEFT JOIN reading g ON g.artifact_id = a.id WHERE n.base = ? LIMIT ?`},
		{&r.ownNames, "SELECT n.name FROM artifact a JOIN artifact_name n ON n.artifact_id = a.id WHERE a.sha256 = ? ORDER BY n.id"},
	} {
		var err error
		if *s.into, err = tx.PrepareContext(ctx, s.query); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// stream resolves the rows of a reference query.
func (r *resolver) stream(query string, args []any, each func(evidence.ReferenceRow) error) error {
	rows, err := r.tx.QueryContext(r.ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		o, err := referenceRows.scan(rows)
		if err != nil {
			return err
		}
		if err := r.resolve(&o.row); err != nil {
			return err
		}
		if err := each(o.row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// resolve sets State, Found and FoundAs.
func (r *resolver) resolve(ref *evidence.ReferenceRow) error {
	ref.State = evidence.RefNotStored
	exact, converted := holder{}, holder{}
	if ref.SHA256.OK {
		var err error
		if exact, err = r.holder(r.byDigest, ref); err != nil {
			return err
		}
		if !exact.here {
			if converted, err = r.holder(r.byEnding, ref); err != nil {
				return err
			}
		}
	}
	switch {
	case exact.here && exact.named:
		ref.State, ref.Found = evidence.RefRetained, evidence.Some(exact.digest)
		return nil
	case converted.here && converted.named:
		ref.State, ref.Found = evidence.RefConverted, evidence.Some(converted.digest)
		return nil
	}
	best, err := r.best(ref)
	if err != nil {
		return err
	}
	ref.FoundAs = exact.name + converted.name // one of them at most
	switch {
	case best != nil && ref.SHA256.OK && best.near > 0:
		ref.State, ref.Found = evidence.RefMismatch, evidence.Some(best.digest)
	case exact.here:
		ref.State, ref.Found = evidence.RefRenamed, evidence.Some(exact.digest)
	case converted.here:
		ref.State, ref.Found = evidence.RefConverted, evidence.Some(converted.digest)
	case best != nil && !ref.SHA256.OK:
		ref.State, ref.Found = evidence.RefByName, evidence.Some(best.digest)
	}
	return nil
}

// holder is the artifact with the content that a reference means.
type holder struct {
	here, named bool // named: it came in under the name of the reference, or that has none
	digest      evidence.Digest
	name        string // one that it came in under
}

func (r *resolver) holder(by *sql.Stmt, ref *evidence.ReferenceRow) (h holder, err error) {
	rows, err := by.QueryContext(r.ctx, ref.SHA256.V[:], maxCandidates)
	if err != nil {
		return h, err
	}
	list, err := collect(rows, func(rows *sql.Rows) (holder, error) {
		c := holder{here: true}
		err := rows.Scan(digestInto(&c.digest), &c.name)
		c.named = ref.Name == "" || c.name == "" || baseName(c.name) == baseName(ref.Name)
		return c, err
	})
	for _, c := range list {
		switch {
		case !h.here, c.named && !h.named, c.named == h.named && c.name < h.name:
			h = c
		}
	}
	return h, err
}

// best is the file of the name that lies closest to where the reference points.
func (r *resolver) best(ref *evidence.ReferenceRow) (*candidate, error) {
	candidates, err := r.candidates(ref)
	if err != nil || len(candidates) == 0 {
		return nil, err
	}
	best := candidates[0]
	for _, c := range candidates[1:] {
		if better(c, best) {
			best = c
		}
	}
	return &best, nil
}

// candidate is a file of the right name.
type candidate struct {
	digest evidence.Digest
	near   int // how well its place fits, larger is better
}

// better prefers the file that lies where the reference points; among equals the
// digest decides, so that the order of arrival does not.
func better(a, b candidate) bool {
	if a.near != b.near {
		return a.near > b.near
	}
	return a.digest.String() < b.digest.String()
}

func (r *resolver) candidates(ref *evidence.ReferenceRow) ([]candidate, error) {
	if ref.Name == "" {
		return nil, nil
	}
	if err := r.own(ref.Artifact); err != nil {
		return nil, err
	}
	rows, err := r.byName.QueryContext(r.ctx, baseName(ref.Name), maxCandidates)
	if err != nil {
		return nil, err
	}
	list, err := collect(rows, func(rows *sql.Rows) (candidate, error) {
		var c candidate
		var name, campaign string
		err := rows.Scan(&name, digestInto(&c.digest), &campaign)
		c.near = nearness(r.names, ref.Name, name)
		if c.near == 0 && campaign != "" && campaign == ref.Campaign {
			c.near = 1
		}
		return c, err
	})
	others := list[:0]
	for _, c := range list {
		if c.digest != ref.Artifact { // a document that names itself proves nothing
			others = append(others, c)
		}
	}
	return others, err
}

// own loads the names of the artifact that refers.
func (r *resolver) own(d evidence.Digest) error {
	if r.owner == d && r.names != nil {
		return nil
	}
	rows, err := r.ownNames.QueryContext(r.ctx, d[:])
	if err != nil {
		return err
	}
	r.names, err = texts(rows)
	r.owner = d
	return err
}

// nearness says how well a name that came in fits what a document calls wanted: 4 the
// very path beside the document, 3 the same folder, 2 more of the path than the last
// name, 1 nothing speaks against it, 0 it lies elsewhere.
func nearness(documents []string, wanted, name string) int {
	wanted, name = slashed(wanted), slashed(name)
	common := commonTail(wanted, name)
	best := 0
	switch {
	case common > 1:
		best = 2
	case !strings.Contains(name, "/"):
		best = 1 // the file came in under its last name only
	}
	for _, d := range documents {
		dir := folder(slashed(d))
		switch {
		case name == dir+wanted:
			return 4
		case folder(name) == dir && (dir != "" || common > 0):
			best = max(best, 3)
		}
	}
	return best
}

// slashed is a path with slashes only, without what leads nowhere in particular.
func slashed(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	for {
		rest, ok := strings.CutPrefix(name, "./")
		if !ok {
			if rest, ok = strings.CutPrefix(name, "../"); !ok {
				return name
			}
		}
		name = rest
	}
}

// commonTail counts the last parts that two paths share.
func commonTail(a, b string) (n int) {
	for a != "" && b != "" {
		i, j := strings.LastIndexByte(a, '/'), strings.LastIndexByte(b, '/')
		if a[i+1:] != b[j+1:] || a[i+1:] == "" {
			return n
		}
		n++
		a, b = a[:max(i, 0)], b[:max(j, 0)]
	}
	return n
}

// folder is the path up to and including the last slash.
func folder(name string) string {
	return name[:strings.LastIndexByte(name, '/')+1]
}
