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
//	source gives a digest, we have it         retained
//	source gives a digest, another of the name  mismatch
//	no digest, a file came in under the name  name-only
//	nothing                                   not-retained

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
	ctx              context.Context
	tx               *sql.Tx
	byDigest, byName *sql.Stmt
	ownNames         *sql.Stmt
	owner            evidence.Digest // the artifact whose names are at hand
	names            []string
}

// maxCandidates bounds how many files of one name are looked at.
const maxCandidates = 256

func newResolver(ctx context.Context, tx *sql.Tx) (*resolver, error) {
	r := &resolver{ctx: ctx, tx: tx}
	for _, s := range []struct {
		into  **sql.Stmt
		query string
	}{
		{&r.byDigest, "SELECT count(*) FROM artifact WHERE sha256 = ?"},
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

// resolve sets State and Found.
func (r *resolver) resolve(ref *evidence.ReferenceRow) error {
	ref.State = evidence.RefNotStored
	if ref.SHA256.OK {
		n := 0
		if err := r.byDigest.QueryRowContext(r.ctx, ref.SHA256.V[:]).Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			ref.State, ref.Found = evidence.RefRetained, ref.SHA256
			return nil
		}
	}
	candidates, err := r.candidates(ref)
	if err != nil || len(candidates) == 0 {
		return err
	}
	best := candidates[0]
	for _, c := range candidates[1:] {
		if better(c, best) {
			best = c
		}
	}
	ref.State, ref.Found = evidence.RefByName, evidence.Some(best.digest)
	if ref.SHA256.OK {
		ref.State = evidence.RefMismatch
	}
	return nil
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

// nearness says how well a name that came in fits what a document calls wanted: 3 the
// very path beside the document, 2 the same folder, 0 elsewhere.
func nearness(documents []string, wanted, name string) int {
	best := 0
	name = strings.ReplaceAll(name, `\`, "/")
	wanted = strings.TrimPrefix(strings.ReplaceAll(wanted, `\`, "/"), "./")
	for _, d := range documents {
		dir := folder(strings.ReplaceAll(d, `\`, "/"))
		switch {
		case name == dir+wanted:
			return 3
		case folder(name) == dir:
			best = 2
		}
	}
	return best
}

// folder is the path up to and including the last slash.
func folder(name string) string {
	return name[:strings.LastIndexByte(name, '/')+1]
}
