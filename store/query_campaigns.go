package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/store/evidence"
)

// maxListed bounds how many digests a line of the campaign list carries; the campaign
// itself has all of them.
const maxListed = 100

// factorKeys are what a matrix of TP and MTP depth is laid out over. Each one stands
// in the index fact_factor (migrations/0005).
var factorKeys = []evidence.FactKey{evidence.KeyTP, evidence.KeyMTPDepth}

const campaignOrder = " ORDER BY c.observed DESC, c.id"

func campaignClauses(f evidence.Filter) *clauses {
	c := &clauses{}
	if f.Campaign != "" {
		c.add("c.id = ?", f.Campaign)
	}
	if f.Text != "" {
		like := "%" + likeEscape.Replace(f.Text) + "%"
		c.add(`(c.id LIKE ? ESCAPE '\' OR c.title LIKE ? ESCAPE '\')`, like, like)
	}
	if f.Label != "" {
		c.add("+c.id IN (SELECT d.campaign FROM decision n JOIN document d ON d.id = n.document_id WHERE n.kind = '"+
			evidence.DecisionLabel+"' AND n.value = ?)", f.Label)
	}
	if f.Factored {
		for _, k := range factorKeys {
			c.add("+c.id IN (SELECT d.campaign FROM fact n JOIN document d ON d.id = n.document_id WHERE n.key = '" + string(k) + "')")
		}
	}
	if f.Family != "" {
		c.add("EXISTS (SELECT 1 FROM document d WHERE d.campaign = c.id AND d.family = ?)", f.Family)
	}
	if f.Schema != "" {
		c.add("EXISTS (SELECT 1 FROM document d WHERE d.campaign = c.id AND d.schema = ?)", f.Schema)
	}
	if f.Artifact != "" {
		if lo, hi, ok := digestRange(f.Artifact); ok {
			c.add("EXISTS (SELECT 1 FROM document d WHERE d.campaign = c.id AND d.sha256 BETWEEN ? AND ?)", lo, hi)
		} else {
			c.none()
		}
	}
	return c
}

var likeEscape = strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`)

// Campaigns lists campaigns, the latest first, and counts all that fit.
func (a *Archive) Campaigns(ctx context.Context, f evidence.Filter) ([]evidence.CampaignRow, int, error) {
	var list []evidence.CampaignRow
	total := 0
	err := a.read(ctx, "list campaigns", func(tx *sql.Tx) error {
		c := campaignClauses(f)
		if err := a.campaignsAnswering(ctx, tx, c, f); err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM campaign c"+c.sql(), c.args...).Scan(&total); err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, campaignQuery+c.sql()+campaignOrder+" LIMIT ? OFFSET ?",
			append(c.args, limitOrAll(f.Limit), max(f.Offset, 0))...)
		if err != nil {
			return err
		}
		if list, err = collect(rows, scanCampaign); err != nil {
			return err
		}
		lines, err := newCampaignLines(ctx, tx)
		if err != nil {
			return err
		}
		for i := range list {
			if err := lines.fill(&list[i], maxListed); err != nil {
				return err
			}
		}
		return nil
	})
	return list, total, err
}

const campaignQuery = `SELECT c.id, CASE c.title WHEN '' THEN c.id ELSE c.title END, c.observed, c.documents, c.arms, c.runs,
	c.first_seen_us, c.last_seen_us FROM campaign c`

func scanCampaign(rows *sql.Rows) (evidence.CampaignRow, error) {
	var r evidence.CampaignRow
	err := rows.Scan(&r.ID, &r.Title, &r.Observed, &r.Documents, &r.Arms, &r.Runs, &r.FirstSeenUS, &r.LastSeenUS)
	return r, err
}

// Campaign finds a campaign by its id, with all of its documents.
func (a *Archive) Campaign(ctx context.Context, id string) (evidence.CampaignDetail, error) {
	var c evidence.CampaignDetail
	err := a.read(ctx, "find campaign", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, campaignQuery+" WHERE c.id = ?", id)
		if err != nil {
			return err
		}
		found, err := collect(rows, scanCampaign)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return fmt.Errorf("campaign %q: %w", id, evidence.ErrNotFound)
		}
		c.CampaignRow = found[0]
		lines, err := newCampaignLines(ctx, tx)
		if err != nil {
			return err
		}
		if err := lines.fill(&c.CampaignRow, -1); err != nil {
			return err
		}
		o, err := a.overlay(ctx, tx)
		if err != nil {
			return err
		}
		c.Docs, err = loadDocuments(ctx, tx, o, evidence.Filter{Campaign: id})
		return err
	})
	return c, err
}

// campaignLines completes campaign rows with what stands in their documents.
type campaignLines struct {
	ctx                                               context.Context
	tx                                                *sql.Tx
	labels, flags, artifacts, schemas, refs, retained *sql.Stmt
}

const ofCampaign = " FROM document d INDEXED BY document_order CROSS JOIN %s x ON x.document_id = d.id WHERE d.campaign = ?"

func newCampaignLines(ctx context.Context, tx *sql.Tx) (*campaignLines, error) {
	l := &campaignLines{ctx: ctx, tx: tx}
	decisions := fmt.Sprintf(ofCampaign, "decision") + " AND x.kind = ? ORDER BY d.campaign, d.sha256, d.ordinal, x.ordinal"
	for _, s := range []struct {
		into  **sql.Stmt
		query string
	}{
		{&l.labels, "SELECT x.value" + decisions},
		{&l.flags, "SELECT x.value" + decisions},
		{&l.artifacts, "SELECT DISTINCT sha256 FROM document WHERE campaign = ? ORDER BY sha256 LIMIT ?"},
		{&l.schemas, "SELECT DISTINCT schema FROM document WHERE campaign = ? ORDER BY sha256, ordinal"},
		{&l.refs, "SELECT count(*)" + fmt.Sprintf(ofCampaign, "reference")},
		{&l.retained, "SELECT count(*)" + fmt.Sprintf(ofCampaign, "reference") + " AND (EXISTS (SELECT 1 FROM artifact a WHERE a.sha256 = x.sha256) OR EXISTS (SELECT 1 FROM text_ending e WHERE e.sha256 = x.sha256))"},
	} {
		var err error
		if *s.into, err = tx.PrepareContext(ctx, s.query); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (l *campaignLines) fill(r *evidence.CampaignRow, artifacts int) error {
	labels, err := l.texts(l.labels, r.ID, evidence.DecisionLabel)
	if err != nil {
		return err
	}
	r.Labels = distinct(labels)
	flags, err := l.texts(l.flags, r.ID, evidence.PromotionFlag)
	if err != nil {
		return err
	}
	r.Promotion = promotion(flags)
	if r.Schemas, err = l.texts(l.schemas, r.ID); err != nil {
		return err
	}
	rows, err := l.artifacts.QueryContext(l.ctx, r.ID, artifacts)
	if err != nil {
		return err
	}
	if r.Artifacts, err = collect(rows, scanDigest); err != nil {
		return err
	}
	if err := l.refs.QueryRowContext(l.ctx, r.ID).Scan(&r.References); err != nil {
		return err
	}
	if err := l.retained.QueryRowContext(l.ctx, r.ID).Scan(&r.Retained); err != nil {
		return err
	}
	gates, err := gateRows.list(l.ctx, l.tx, evidence.Filter{Campaign: r.ID})
	for _, g := range gates {
		r.Gates = append(r.Gates, g.row)
	}
	return err
}

func (l *campaignLines) texts(s *sql.Stmt, args ...any) ([]string, error) {
	rows, err := s.QueryContext(l.ctx, args...)
	if err != nil {
		return nil, err
	}
	return texts(rows)
}

func scanDigest(rows *sql.Rows) (evidence.Digest, error) {
	var d evidence.Digest
	err := rows.Scan(digestInto(&d))
	return d, err
}

// distinct keeps the first of equal words.
func distinct(list []string) []string {
	var kept []string
	for _, s := range list {
		if !slices.Contains(kept, s) {
			kept = append(kept, s)
		}
	}
	return kept
}

// promotion is "true" only when every source that speaks of it says so.
func promotion(flags []string) string {
	if len(flags) == 0 {
		return ""
	}
	for _, f := range flags {
		if f != "true" {
			return "false"
		}
	}
	return "true"
}

// ResolveCampaign finds the campaign a person means: the id itself, else the only id
// that begins so, else the only campaign of the artifacts whose digest begins so.
func (a *Archive) ResolveCampaign(ctx context.Context, ref string) (string, error) {
	var id string
	err := a.read(ctx, "find campaign", func(tx *sql.Tx) error {
		var exact string
		err := tx.QueryRowContext(ctx, "SELECT id FROM campaign WHERE id = ?", ref).Scan(&exact)
		if err == nil {
			id = exact
			return nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		var candidates []string
		if ref != "" {
			rows, err := tx.QueryContext(ctx, "SELECT id FROM campaign WHERE id >= ?1 AND substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT 10", ref)
			if err != nil {
				return err
			}
			if candidates, err = texts(rows); err != nil {
				return err
			}
		}
		if lo, hi, ok := digestRange(ref); ok && len(ref) >= minDigestPrefix && len(candidates) == 0 {
			rows, err := tx.QueryContext(ctx, `SELECT DISTINCT d.campaign FROM artifact a JOIN document d ON d.artifact_id = a.id
				WHERE a.sha256 BETWEEN ? AND ? AND d.campaign <> '' ORDER BY d.campaign LIMIT 10`, lo, hi)
			if err != nil {
				return err
			}
			if candidates, err = texts(rows); err != nil {
				return err
			}
		}
		switch len(candidates) {
		case 0:
			return fmt.Errorf("campaign %q: %w", ref, evidence.ErrNotFound)
		case 1:
			id = candidates[0]
			return nil
		}
		return fmt.Errorf("campaign %q: %w: it may be %s", ref, evidence.ErrAmbiguous, strings.Join(candidates, ", "))
	})
	return id, err
}
