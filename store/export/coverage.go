package export

import (
	"slices"

	"assay/store/evidence"
)

// The columns of the coverage of readers: what became of every number of every document.
// The wide rows are one for each document.

var coverageColumns = slices.Concat([]column[evidence.CoverageRow]{
	{Column{"reader", Code, "reader and its version"}, func(r *evidence.CoverageRow) Cell { return Text(r.Reader) }},
	{Column{"family", Code, "family of the format"}, func(r *evidence.CoverageRow) Cell { return Optional(r.Family) }},
	{Column{"artifacts", Figure, "artifacts that the reader read"}, func(r *evidence.CoverageRow) Cell { return Integer(r.Artifacts) }},
	{Column{"documents", Figure, "documents in them"}, func(r *evidence.CoverageRow) Cell { return Integer(r.Documents) }},
	{Column{"form", Code, "values (every number counts as one leaf) or text (numbers are not listed one by one)"}, coverageForm},
	{Column{"numbers", Figure, "numbers in the documents: the sum of lifted, not_lifted, unread and text"}, func(r *evidence.CoverageRow) Cell { return Integer(r.Numbers()) }},
	{Column{"lifted", Figure, "numbers that a row carries: the sum of the columns behind it up to reference"}, func(r *evidence.CoverageRow) Cell { return Integer(r.LiftedNumbers()) }},
}, endingColumns(evidence.Lifted, "numbers carried by a "), []column[evidence.CoverageRow]{
	{Column{"not_lifted", Figure, "numbers listed with a reason: the sum of the columns behind it up to other"}, func(r *evidence.CoverageRow) Cell {
		return Integer(r.Numbers() - r.LiftedNumbers() - r.Unread() - r.Of(evidence.InProse))
	}},
}, endingColumns(evidence.Reasons, "numbers not lifted: "), []column[evidence.CoverageRow]{
	{Column{"other", Figure, "numbers not lifted for a reason that has no column"}, otherReasons},
	{Column{"text", Figure, "numbers of a text that no row carries and no list names"}, func(r *evidence.CoverageRow) Cell { return Integer(r.Of(evidence.InProse)) }},
	{Column{"unread", Figure, "numbers of which the reader does not know what they are"}, func(r *evidence.CoverageRow) Cell { return Integer(r.Unread()) }},
	{Column{"classified", Figure, "share of the numbers that are lifted or listed with a reason; absent for text"}, func(r *evidence.CoverageRow) Cell { return Value(r.Classified()) }},
})

var coverageMore = []column[evidence.CoverageRow]{
	{Column{"campaign", Code, "campaign id"}, func(r *evidence.CoverageRow) Cell { return Optional(r.Campaign) }},
	{Column{"artifact", Code, "SHA-256 of the artifact"}, func(r *evidence.CoverageRow) Cell { return coverageArtifact(r) }},
	{Column{"pointer", Code, "JSON Pointer to the document in it"}, func(r *evidence.CoverageRow) Cell { return Text(r.Root) }},
}

// endingColumns are one column for each way in which numbers end.
func endingColumns(all []evidence.Ending, help string) []column[evidence.CoverageRow] {
	var out []column[evidence.CoverageRow]
	for _, e := range all {
		out = append(out, column[evidence.CoverageRow]{Column{string(e), Figure, help + string(e)},
			func(r *evidence.CoverageRow) Cell { return Integer(r.Of(e)) }})
	}
	return out
}

func coverageForm(r *evidence.CoverageRow) Cell {
	if r.Text() {
		return Text("text")
	}
	return Text("values")
}

func otherReasons(r *evidence.CoverageRow) Cell {
	n := r.Numbers() - r.LiftedNumbers() - r.Unread() - r.Of(evidence.InProse)
	for _, e := range evidence.Reasons {
		n -= r.Of(e)
	}
	return Integer(n)
}

func coverageArtifact(r *evidence.CoverageRow) Cell {
	if r.Artifact == (evidence.Digest{}) {
		return Cell{}
	}
	return Text(r.Artifact.String())
}

// Coverage writes a row of kind Coverage.
func (w *Writer) Coverage(r evidence.CoverageRow) error {
	return put(w, Coverage, &r, coverageColumns, coverageMore)
}
