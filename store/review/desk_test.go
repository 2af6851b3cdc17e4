package review_test

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"assay/assets/example"
	"assay/ingest"
	"assay/ingest/anvil/lift/lifttest"
	"assay/store"
	"assay/store/account"
	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/review"
	"assay/store/signoff"
	"assay/web/view"
)

// bench is an archive with people and a desk over it. Its clock moves only when a test
// moves it, but never shows one time twice.
type bench struct {
	t       *testing.T
	ctx     context.Context
	archive *store.Archive
	desk    *review.Desk
	path    string
	signers map[string]note.Signer
	keys    map[string]account.AccountKey
	at      time.Time
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, ctx: t.Context(), signers: map[string]note.Signer{}, keys: map[string]account.AccountKey{}, at: time.Date(2026, 10, 1, 9, 0, 0, 0, time.UTC)}
	secret, public, err := note.GenerateKey(rand.Reader, "assay-archive")
	b.ok(err)
	server, err := note.NewSigner(secret)
	b.ok(err)
	b.path = filepath.Join(t.TempDir(), "a.db")
	b.archive, err = store.Open(b.ctx, b.path, store.Options{Now: b.now, Same: compare.SameMeaning, Signers: []note.Signer{server}, Verifier: public})
	b.ok(err)
	t.Cleanup(func() { b.ok(b.archive.Close()) })
	b.desk = review.Over(b.archive, view.CompareTable, b.now)
	for name, role := range map[string]account.Role{"ada": account.Reviewer, "grace": account.Promoter, "linus": account.Promoter, "vera": account.Viewer, "root": account.Admin} {
		_, err := b.archive.AddAccount(b.ctx, name, name, role)
		b.ok(err)
		b.addKey(name)
	}
	return b
}

func (b *bench) now() time.Time {
	b.at = b.at.Add(time.Millisecond)
	return b.at
}

func (b *bench) ok(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) addKey(name string) {
	b.t.Helper()
	secret, public, err := note.GenerateKey(rand.Reader, name)
	b.ok(err)
	b.signers[name], err = note.NewSigner(secret)
	b.ok(err)
	print, err := signoff.Fingerprint(account.KeyNote, public)
	b.ok(err)
	b.keys[name] = account.AccountKey{Kind: account.KeyNote, Public: public, Fingerprint: print}
	b.ok(b.archive.AddKey(b.ctx, name, b.keys[name]))
}

// take takes files in.
func (b *bench) take(campaign string, docs ...example.Document) {
	b.t.Helper()
	sources := make([]ingest.Source, len(docs))
	for i, d := range docs {
		sources[i] = ingest.Blob(d.Name, "test", d.Data)
	}
	_, err := ingest.Take(b.ctx, b.archive, sources, ingest.Options{Now: b.now, Campaign: campaign})
	b.ok(err)
}

// complete takes the campaign in that can be signed.
func (b *bench) complete() {
	b.t.Helper()
	docs, err := example.Complete()
	b.ok(err)
	b.take(example.Campaign, docs...)
}

func (b *bench) later() example.Document {
	b.t.Helper()
	docs, err := example.Later()
	b.ok(err)
	return docs[0]
}

// seeds takes the three seed documents in and gives their campaigns.
func (b *bench) seeds() []string {
	b.t.Helper()
	names, err := filepath.Glob(filepath.Join(lifttest.Shared(b.t), "corpus", "seeds", "*.json"))
	b.ok(err)
	if len(names) != 3 {
		b.t.Fatalf("%d seeds", len(names))
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		b.ok(err)
		b.take("", example.Document{Name: filepath.Base(name), Data: data})
	}
	rows, _, err := b.archive.Campaigns(b.ctx, evidence.Filter{})
	b.ok(err)
	var ids []string
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	return ids
}

// prepare opens a draft, acknowledges everything and hands it over.
func (b *bench) prepare(q review.Query, decision signoff.Decision) (signoff.Draft, *signoff.Ground) {
	b.t.Helper()
	x, g, err := b.desk.Open(b.ctx, q, "ada")
	b.ok(err)
	for _, i := range g.Items() {
		x.Acks = append(x.Acks, signoff.Ack{Item: i.ID, Reason: "seen and accepted"})
	}
	x.Decision, x.Scope, x.Reason, x.Ready = decision, "chat at eight requests a replica", "measured", true
	x, err = b.desk.Save(b.ctx, x, "ada")
	b.ok(err)
	return x, g
}

// request is a draft's statement signed by a person.
func (b *bench) request(draft int64, who string) review.SignRequest {
	b.t.Helper()
	p, err := b.desk.Preview(b.ctx, draft, who, b.keys[who])
	b.ok(err)
	claim, err := signoff.SignNote(who, b.signers[who], b.keys[who].Public, p.Statement)
	b.ok(err)
	return review.SignRequest{Draft: draft, Signer: who, Statement: p.Statement, Claim: claim}
}

// refused is what stands against a request; the test ends when nothing does.
func (b *bench) refused(r review.SignRequest) *review.Refused {
	b.t.Helper()
	s, err := b.desk.Sign(b.ctx, r)
	var refused *review.Refused
	if !errors.As(err, &refused) {
		b.t.Fatalf("signed %v, error %v", s, err)
	}
	return refused
}

func promotion() review.Query {
	return review.Query{Campaign: example.Campaign, Target: signoff.Promotion}
}
