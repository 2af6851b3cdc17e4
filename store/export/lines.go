package export

import "assay/store/evidence"

// The columns of what a document says beside its figures, in the style of rows.go.

var decisionColumns = []column[evidence.DecisionRow]{
	{Column{"campaign", Code, "campaign id"}, func(r *evidence.DecisionRow) Cell { return Optional(r.Campaign) }},
	{Column{"kind", Code, "decision-label, evidence-label, promotion-authorized or field"}, func(r *evidence.DecisionRow) Cell { return Text(r.Kind) }},
	{Column{"key", Code, "member name in the source"}, func(r *evidence.DecisionRow) Cell { return Optional(r.Key) }},
	{Column{"value", Prose, "as it stands"}, func(r *evidence.DecisionRow) Cell { return Text(r.Value) }},
	{Column{"artifact", Code, "SHA-256 of the artifact"}, func(r *evidence.DecisionRow) Cell { return Text(r.Artifact.String()) }},
	{Column{"pointer", Code, "JSON Pointer to the place in the artifact"}, func(r *evidence.DecisionRow) Cell { return Text(r.Place.Pointer) }},
	{Column{"reader", Code, "reader and its version"}, func(r *evidence.DecisionRow) Cell { return Text(r.Reader) }},
}

var gateColumns = []column[evidence.GateRow]{
	{Column{"campaign", Code, "campaign id"}, func(r *evidence.GateRow) Cell { return Optional(r.Campaign) }},
	{Column{"name", Prose, "name of the gate"}, func(r *evidence.GateRow) Cell { return Text(r.Name) }},
	{Column{"status", Code, "passed, failed, rejected, missing or unresolved"}, func(r *evidence.GateRow) Cell { return Text(r.Status) }},
	{Column{"source_status", Prose, "the source's own word"}, func(r *evidence.GateRow) Cell { return Optional(r.SourceStatus) }},
	{Column{"detail", Prose, "verbatim"}, func(r *evidence.GateRow) Cell { return Optional(r.Detail) }},
	{Column{"evidence", Code, "file that the gate names"}, func(r *evidence.GateRow) Cell { return Optional(r.Evidence) }},
	{Column{"artifact", Code, "SHA-256 of the artifact"}, func(r *evidence.GateRow) Cell { return Text(r.Artifact.String()) }},
	{Column{"pointer", Code, "JSON Pointer to the place in the artifact"}, func(r *evidence.GateRow) Cell { return Text(r.Place.Pointer) }},
	{Column{"reader", Code, "reader and its version"}, func(r *evidence.GateRow) Cell { return Text(r.Reader) }},
}

var noteColumns = []column[evidence.NoteRow]{
	{Column{"campaign", Code, "campaign id"}, func(r *evidence.NoteRow) Cell { return Optional(r.Campaign) }},
	{Column{"kind", Code, "limitation, failure, caveat, headline, statement or restoration"}, func(r *evidence.NoteRow) Cell { return Text(r.Kind) }},
	{Column{"key", Code, "member name, where the source has one"}, func(r *evidence.NoteRow) Cell { return Optional(r.Key) }},
	{Column{"text", Prose, "verbatim"}, func(r *evidence.NoteRow) Cell { return Text(r.Text) }},
	{Column{"artifact", Code, "SHA-256 of the artifact"}, func(r *evidence.NoteRow) Cell { return Text(r.Artifact.String()) }},
	{Column{"pointer", Code, "JSON Pointer to the place in the artifact"}, func(r *evidence.NoteRow) Cell { return Text(r.Place.Pointer) }},
	{Column{"reader", Code, "reader and its version"}, func(r *evidence.NoteRow) Cell { return Text(r.Reader) }},
}

var referenceColumns = []column[evidence.ReferenceRow]{
	{Column{"campaign", Code, "campaign id"}, func(r *evidence.ReferenceRow) Cell { return Optional(r.Campaign) }},
	{Column{"name", Code, "file that the document names"}, func(r *evidence.ReferenceRow) Cell { return Text(r.Name) }},
	{Column{"sha256", Code, "digest that the document gives for it"}, func(r *evidence.ReferenceRow) Cell { return digest(r.SHA256) }},
	{Column{"kind", Code, "evidence, recipe, suite, media, corpus, manifest, source"}, func(r *evidence.ReferenceRow) Cell { return Optional(r.Kind) }},
	{Column{"state", Code, "retained, retained-crlf (line endings converted), retained-renamed, name-only, mismatch or not-retained"}, func(r *evidence.ReferenceRow) Cell { return Text(r.State) }},
	{Column{"found", Code, "digest of the artifact that answers"}, func(r *evidence.ReferenceRow) Cell { return digest(r.Found) }},
	{Column{"artifact", Code, "SHA-256 of the artifact that names it"}, func(r *evidence.ReferenceRow) Cell { return Text(r.Artifact.String()) }},
	{Column{"pointer", Code, "JSON Pointer to the place in the artifact"}, func(r *evidence.ReferenceRow) Cell { return Text(r.Place.Pointer) }},
	{Column{"reader", Code, "reader and its version"}, func(r *evidence.ReferenceRow) Cell { return Text(r.Reader) }},
}

var referenceMore = []column[evidence.ReferenceRow]{
	{Column{"found_as", Prose, "name of an artifact with the very content, where the file of that name is another or none"}, func(r *evidence.ReferenceRow) Cell { return Optional(r.FoundAs) }},
}

var findingColumns = []column[evidence.FindingRow]{
	{Column{"severity", Code, "info, warning or error"}, func(r *evidence.FindingRow) Cell { return Text(r.Severity) }},
	{Column{"code", Code, "what kind of finding"}, func(r *evidence.FindingRow) Cell { return Text(r.Code) }},
	{Column{"message", Prose, "what is wrong and what follows"}, func(r *evidence.FindingRow) Cell { return Text(r.Message) }},
	{Column{"offset", Figure, "byte offset in the artifact; absent when it has none"}, func(r *evidence.FindingRow) Cell { return offset(r.Offset) }},
	{Column{"artifact", Code, "SHA-256 of the artifact"}, func(r *evidence.FindingRow) Cell { return Text(r.Artifact.String()) }},
	{Column{"pointer", Code, "JSON Pointer to the place in the artifact"}, func(r *evidence.FindingRow) Cell { return Text(r.Pointer) }},
	{Column{"reader", Code, "reader and its version; absent when intake itself found it"}, func(r *evidence.FindingRow) Cell { return Optional(r.Reader) }},
}

var notLiftedColumns = []column[evidence.NotLiftedRow]{
	{Column{"text", Prose, "the digits, or the sentence, that no row carries"}, func(r *evidence.NotLiftedRow) Cell { return Text(r.Text) }},
	{Column{"reason", Code, "identifier, timestamp, configuration, prose, label, recomputed (held against lifted figures), detail, diagnostic, restated, void (nothing was measured), raw-row or unread"}, func(r *evidence.NotLiftedRow) Cell { return Text(r.Reason) }},
	{Column{"start", Figure, "first byte in the string at pointer, where it is part of one"}, func(r *evidence.NotLiftedRow) Cell { return startOf(r.Place) }},
	{Column{"end", Figure, "byte after the last one"}, func(r *evidence.NotLiftedRow) Cell { return endOf(r.Place) }},
	{Column{"artifact", Code, "SHA-256 of the artifact"}, func(r *evidence.NotLiftedRow) Cell { return Text(r.Artifact.String()) }},
	{Column{"pointer", Code, "JSON Pointer to the place in the artifact"}, func(r *evidence.NotLiftedRow) Cell { return Text(r.Place.Pointer) }},
	{Column{"reader", Code, "reader and its version"}, func(r *evidence.NotLiftedRow) Cell { return Text(r.Reader) }},
}

func digest(d evidence.Opt[evidence.Digest]) Cell {
	if !d.OK {
		return Cell{}
	}
	return Text(d.V.String())
}

func offset(o int64) Cell {
	if o < 0 {
		return Cell{}
	}
	return Integer(o)
}
