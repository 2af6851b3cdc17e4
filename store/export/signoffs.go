package export

import (
	"context"

	"assay/store/evidence"
)

// SignOffs gives the sign-offs, each with what it is worth today. That takes more than
// rows: gates and figures are looked at again. So it is no part of [Lists]; an archive
// that is asked for sign-offs has it beside them.
type SignOffs interface {
	EachSignOff(ctx context.Context, f evidence.Filter, row func(evidence.SignOffRow) error) error
}

var signoffColumns = []column[evidence.SignOffRow]{
	{Column{"campaign", Code, "campaign id"}, func(r *evidence.SignOffRow) Cell { return Text(r.Campaign) }},
	{Column{"decision", Code, "promote, reject, hold or rollback"}, func(r *evidence.SignOffRow) Cell { return Text(r.Decision) }},
	{Column{"signer", Prose, "account that signed"}, func(r *evidence.SignOffRow) Cell { return Text(r.Signer) }},
	{Column{"signed", Code, "when, UTC"}, func(r *evidence.SignOffRow) Cell { return instant(r.SignedUS) }},
	{Column{"state", Code, "what it is worth at the time of the export: current, stale, invalid or withdrawn"}, func(r *evidence.SignOffRow) Cell { return Text(r.State) }},
	{Column{"statement", Code, "SHA-256 of the signed text"}, func(r *evidence.SignOffRow) Cell { return Text(r.Statement.String()) }},
	{Column{"artifact", Code, "SHA-256 of each artifact that it names"}, func(r *evidence.SignOffRow) Cell { return digests(r.Artifacts) }},
	{Column{"number", Code, "number for people, as in S-0007"}, func(r *evidence.SignOffRow) Cell { return Text(r.Number) }},
	{Column{"candidate", Prose, "arm that the decision is on"}, func(r *evidence.SignOffRow) Cell { return Text(r.Candidate) }},
	{Column{"target", Code, "challenger, rollback or promotion"}, func(r *evidence.SignOffRow) Cell { return Text(r.Target) }},
	{Column{"preparer", Prose, "account that prepared the statement"}, func(r *evidence.SignOffRow) Cell { return Optional(r.Preparer) }},
	{Column{"reasons", Prose, "why it is not current; absent while it is"}, func(r *evidence.SignOffRow) Cell { return Words(r.Reasons) }},
	{Column{"log_index", Figure, "place of its record in the transparency log, from 0"}, func(r *evidence.SignOffRow) Cell { return Integer(r.LogIndex) }},
	{Column{"ruleset", Figure, "version of the guardrail rules"}, func(r *evidence.SignOffRow) Cell { return Integer(int64(r.Ruleset)) }},
	{Column{"policy", Code, "gates policy and its version"}, func(r *evidence.SignOffRow) Cell { return Optional(r.Policy) }},
	{Column{"policy_sha256", Code, "SHA-256 of the policy's file"}, func(r *evidence.SignOffRow) Cell { return Optional(r.PolicyDigest) }},
}

func digests(list []evidence.Digest) Cell {
	s := make([]string, len(list))
	for i, d := range list {
		s[i] = d.String()
	}
	return Words(s)
}

// SignOff writes a row of kind Signoffs.
func (w *Writer) SignOff(r evidence.SignOffRow) error {
	return put(w, Signoffs, &r, signoffColumns, nil)
}

// WithSignOffs is an archive's lists with its sign-offs.
type WithSignOffs struct {
	Lists
	SignOffs
}

// NoSignOffs are those of an archive in which nobody can sign.
type NoSignOffs struct{}

// EachSignOff gives none.
func (NoSignOffs) EachSignOff(context.Context, evidence.Filter, func(evidence.SignOffRow) error) error {
	return nil
}
