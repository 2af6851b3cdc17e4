package view

import (
	"strings"

	"assay/store/export"
	"assay/store/signoff"
)

// SignOffFilter narrows the list of sign-offs.
type SignOffFilter struct {
	Campaign, Decision, Person, State string
}

// SignOffParams are the parameters of the list, in the order of the address.
var SignOffParams = []string{"campaign", "decision", "person", "state"}

func (f SignOffFilter) pairs(more ...string) []string {
	return append([]string{"campaign", f.Campaign, "decision", f.Decision, "person", f.Person, "state", f.State}, more...)
}

// Narrowed reports whether anything narrows the list.
func (f SignOffFilter) Narrowed() bool { return f != SignOffFilter{} }

// SignOffStates are what a sign-off can be worth.
var SignOffStates = []signoff.State{signoff.Current, signoff.Stale, signoff.Invalid, signoff.Withdrawn}

// SignOffs is the list of sign-offs, with the drafts that wait.
type SignOffs struct {
	Filter            SignOffFilter
	Decisions, States []Choice
	Rows              []SignedLine
	Drafts            []DraftLine
	Pager             Pager
	Exports           Exports
	Tally             string
	Total             int
}

// SignOffsPerPage is the length of one page.
const SignOffsPerPage = 50

// SignedOff is a sign-off with its standing.
type SignedOff struct {
	signoff.SignOff
	Standing signoff.Standing
}

// BuildSignOffs is one page of the list; total counts what answers to the filter.
func BuildSignOffs(f SignOffFilter, rows []SignedOff, drafts []signoff.Draft, total, page int) SignOffs {
	at := func(p string) string { return Query("/signoffs", f.pairs("page", p)...) }
	v := SignOffs{Filter: f, Total: total, Pager: BuildPager(page, SignOffsPerPage, total, at), Exports: PageExports("/signoffs", at(""), f.pairs()...),
		Tally: Plural(int64(total), "sign-off", "sign-offs")}
	for _, d := range signoff.Decisions {
		v.Decisions = append(v.Decisions, Choice{string(d), decisionBadge(d).Word, string(d) == f.Decision})
	}
	for _, s := range SignOffStates {
		v.States = append(v.States, Choice{string(s), standingBadge(s).Word, string(s) == f.State})
	}
	for i := range rows {
		v.Rows = append(v.Rows, BuildSignedLine(&rows[i].SignOff, &rows[i].Standing))
	}
	for i := range drafts {
		v.Drafts = append(v.Drafts, BuildDraftLine(&drafts[i]))
	}
	return v
}

// SignOffTable is the list as a file.
func SignOffTable(rows []SignedOff) export.Table {
	t := export.Table{Title: "Sign-offs", Columns: []export.Column{
		{Name: "number", Form: export.Code, Help: "of the sign-off"},
		{Name: "campaign", Form: export.Code, Help: "campaign id"},
		{Name: "candidate", Form: export.Code, Help: "arm that was decided on"},
		{Name: "target", Form: export.Code, Help: "challenger, rollback or promotion"},
		{Name: "decision", Form: export.Code, Help: "promote, reject, hold or rollback"},
		{Name: "state", Form: export.Code, Help: "current, stale, invalid or withdrawn"},
		{Name: "reasons", Form: export.Prose, Help: "why it is not current"},
		{Name: "preparer", Form: export.Code, Help: "who prepared the statement"},
		{Name: "signer", Form: export.Code, Help: "who signed it"},
		{Name: "signed", Form: export.Code, Help: "when, UTC"},
		{Name: "statement", Form: export.Code, Help: "SHA-256 of the signed text"},
		{Name: "record", Form: export.Figure, Help: "place in the log"},
		{Name: "artifacts", Form: export.Code, Help: "SHA-256 of the artifacts it rests on"},
	}}
	for i := range rows {
		s := &rows[i]
		digests := make([]string, len(s.Artifacts))
		for j, d := range s.Artifacts {
			digests[j] = d.String()
		}
		t.Rows = append(t.Rows, []export.Cell{export.Text(s.Number), export.Text(s.Campaign), export.Text(s.Candidate), export.Text(string(s.Target)),
			export.Text(string(s.Decision)), export.Text(string(s.Standing.State)), export.Optional(strings.Join(s.Standing.Reasons, "; ")),
			export.Text(s.Preparer), export.Text(s.Signer), export.Text(Moment(s.SignedUS)), export.Text(s.Digest), export.Integer(s.LogIndex), export.Words(digests)})
	}
	return t
}
