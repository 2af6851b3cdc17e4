package export

// Form says how the cells of a column read.
type Form uint8

const (
	Prose  Form = iota // words
	Figure             // numbers: right-aligned, compared by value in a filter
	Code               // digests, pointers, identifiers
)

// Column is one column of a table.
type Column struct {
	Name string
	Form Form
	Help string // one line: what it holds, in which unit, when it is absent
}

// column ties a column of a kind to the row it comes from.
type column[R any] struct {
	Column
	cell func(*R) Cell
}

// kindTable is what the package knows of a kind, whatever its row type.
type kindTable struct {
	columns []Column // the documented ones
	wide    []Column // the documented ones and the further ones
}

func describe[R any](base, more []column[R]) kindTable {
	var t kindTable
	for _, c := range base {
		t.columns = append(t.columns, c.Column)
	}
	t.wide = append(t.wide, t.columns...)
	for _, c := range more {
		t.wide = append(t.wide, c.Column)
	}
	return t
}

var kindTables = map[Kind]kindTable{
	Measurements: describe(measurementColumns, measurementMore),
	Facts:        describe(factColumns, factMore),
	Runs:         describe(runColumns, runMore),
	Decisions:    describe(decisionColumns, nil),
	Signoffs:     describe(signoffColumns, nil),
	Artifacts:    describe(artifactColumns, nil),
	Gates:        describe(gateColumns, nil),
	Notes:        describe(noteColumns, nil),
	References:   describe(referenceColumns, referenceMore),
	Findings:     describe(findingColumns, nil),
	NotLifted:    describe(notLiftedColumns, nil),
	Repairs:      describe(repairColumns, nil),
	Coverage:     describe(coverageColumns, coverageMore),
}

// Columns lists the columns of a kind as New writes them.
func Columns(k Kind) []Column { return kindTables[k].columns }

// WideColumns lists the columns of a kind as NewWide writes them; a filter may name
// any of these.
func WideColumns(k Kind) []Column { return kindTables[k].wide }

func cells[R any](dst []Cell, row *R, cols []column[R]) []Cell {
	for i := range cols {
		dst = append(dst, cols[i].cell(row))
	}
	return dst
}
