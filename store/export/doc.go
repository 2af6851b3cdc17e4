// Package export writes evidence rows as CSV, JSON, Markdown and in the Go benchmark
// format: the same values as the pages, with the source of each row, in bytes that
// depend on the rows alone.
//
// The journey of a row through the package:
//
//  1. [New] takes a [Kind] (what the rows are) and a [Format] (how they are written)
//     and gives a [Writer]. [Columns] lists the columns of a kind, in order.
//  2. [Writer.Pour] takes the rows of the kind from an archive ([Lists]), or a caller
//     writes them itself ([Writer.Measurement], [Writer.Fact], ...). A row becomes
//     cells, one for each column.
//  3. [Writer.Where] drops the rows that a [Filter] does not accept. [ParseFilter]
//     reads the filter from text; [Filter.Narrow] says which part of it the archive
//     can do itself.
//  4. The cells are written and forgotten: memory does not grow with the rows.
//     [Writer.Close] ends the array, flushes, and reports the first error.
//
// For example
//
//	w, err := export.New(export.Measurements, export.JSON, os.Stdout)
//	...
//	err = w.Pour(ctx, archive, evidence.Filter{})
//	...
//	err = w.Close()
//
// writes an array with one object a line, keys in column order:
//
//	[
//	{"campaign":"2026-08-14-…","arm":"bf16 tp1 mtp0",…,"value":0.8477,…,"source_text":"847.7",…}
//	]
//
// A table that is not a list of evidence rows (a matrix, a page's own list) is a
// [Table]; it is written by the same encoders.
//
// # Formats
//
// Absent is not zero. An absent value is an empty cell in CSV and Markdown and null
// in JSON. Numbers are shortest decimals without exponents, in base units. A value
// that is not finite is an error, never a number. Bytes that are not UTF-8 become U+FFFD.
//
// CSV is RFC 4180 with a header and with LF as the row ending. A text cell that a
// spreadsheet could take for a formula is written with an apostrophe before it: one
// whose first visible character is = + - @ or a full-width or small form of these, one
// that starts with a tab or a line break, and one that starts with an apostrophe
// already. To undo, drop one leading apostrophe from a cell that has one ([Unguard]).
// A cell that is a decimal number as a whole ("-23.1") is never touched. Control
// characters other than tab and line breaks are written as their pictures (NUL as
// U+2400), since CSV has no place for them; JSON keeps them exactly.
//
// JSON escapes what HTML, JavaScript or a terminal could act on (< > & U+2028 U+2029
// and the direction controls) as \u escapes: the value is the same, the bytes are inert.
//
// Markdown writes text so that no cell can hold markup, HTML, a link or a line break,
// and shows direction controls and other invisible characters as \u escapes.
//
// Bench is the Go benchmark format for measurements: one line for each primary
// measurement that has a point value. Facts become configuration lines, so that
// benchstat never puts figures of different shapes in one table unasked:
//
//	benchstat -col mtp_depth -row .fullname -ignore artifact,arm,run FILE
//
// A comment above each line says where the figure stands. Intervals, restated figures
// and claims have no place in the format; their number stands in a comment at the end.
//
// LLMD is the benchmark report of llm-d-benchmark, one JSON document a line for each run
// ([Reports]). It is no table: the schema has slots, what has none and everything that
// leads back to the evidence stands under "assay" in the configuration of the load
// generator, and a slot that nothing is known for is null.
//
// Note: a row is turned into cells even for JSON, and not marshalled from a struct,
// so that the four formats cannot drift apart in order, names or absence.
package export
