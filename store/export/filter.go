package export

import (
	"slices"
	"strings"
	"unicode"

	"assay/store/evidence"
)

// Filter is a parsed filter expression: terms that must all hold.
//
// A term is COLUMN OP VALUE. Terms are joined by " and " or by a comma. Columns are
// those of WideColumns. The operators:
//
//	=  !=      equal, not equal; numbers by value. "artifact=" takes a digest prefix of
//	           six digits or more. An empty value means absent: "run=" and "run!=".
//	~  !~      contains, does not contain (letter case ignored)
//	<  <=  >  >=   numbers by value, also those that stand in a column of words;
//	           codes (times, identifiers) by their order as text
//
// An absent cell equals nothing but the empty value, contains nothing, and is neither
// less nor greater than anything. A value with spaces, commas or quotes, and the value
// and, stand in double quotes, with \" and \\ inside: arm="bf16, tp 2" and stat=p50.
type Filter struct {
	kind  Kind
	terms []term
}

type operator uint8

const (
	equal operator = iota
	unequal
	contains
	lacks
	less
	atMost
	greater
	atLeast
)

type term struct {
	column  int
	name    string
	op      operator
	value   string
	folded  string  // value in lower case, for contains and lacks
	number  float64 // value as a number, where the column holds numbers
	numeric bool
}

// Narrow adds to f what the archive can do itself: equality on its own fields. The
// rest stays with the writer, which checks every row anyway.
func (f *Filter) Narrow(to evidence.Filter) evidence.Filter {
	if f == nil {
		return to
	}
	for i := range f.terms {
		t := &f.terms[i]
		if f.kind == Runs {
			t.narrowRuns(&to)
		}
		if t.op != equal || t.value == "" {
			continue
		}
		switch t.name {
		case "campaign":
			to.Campaign = t.value
		case "arm":
			to.Arm = t.value
		case "run":
			to.Run = t.value
		case "metric":
			to.Metric = evidence.MetricID(t.value)
		case "stat":
			to.Stat = evidence.Stat(t.value)
		case "artifact":
			to.Artifact = strings.ToLower(t.value)
		}
	}
	return to
}

// names reports whether a term is about one of the columns.
func (f *Filter) names(columns ...string) bool {
	if f == nil {
		return false
	}
	for i := range f.terms {
		if slices.Contains(columns, f.terms[i].name) {
			return true
		}
	}
	return false
}

// narrowRuns adds what the archive knows of runs: parts of names, how they ended, days.
func (t *term) narrowRuns(to *evidence.Filter) {
	switch {
	case t.value == "" || strings.ContainsFunc(t.value, func(r rune) bool { return r > unicode.MaxASCII }):
		// The archive knows upper and lower case of ASCII letters only.
	case t.op == contains && t.name == "model":
		to.Model = t.value
	case t.op == contains && t.name == "engine":
		to.Engine = t.value
	case t.op == contains && t.name == "gpu":
		to.GPU = t.value
	case t.op == contains && t.name == "protocol":
		to.Protocol = t.value
	case t.op == equal && t.name == "status":
		to.Status = t.value
	case t.op == equal && t.name == "class":
		to.Class = t.value
	case t.op == equal && t.name == "family":
		to.Family = t.value
	}
}

// accepts reports whether all terms hold for the wide cells of a row.
func (f *Filter) accepts(row []Cell) bool {
	if f == nil {
		return true
	}
	for i := range f.terms {
		if t := &f.terms[i]; !t.holds(&row[t.column]) {
			return false
		}
	}
	return true
}

func (t *term) holds(c *Cell) bool {
	switch t.op {
	case equal:
		return t.equals(c)
	case unequal:
		return !t.equals(c)
	case contains:
		return t.within(c)
	case lacks:
		return !t.within(c)
	}
	if c.Absent() {
		return false
	}
	d, ok := t.compare(c)
	if !ok {
		return false
	}
	switch t.op {
	case less:
		return d < 0
	case atMost:
		return d <= 0
	case greater:
		return d > 0
	}
	return d >= 0
}

func (t *term) equals(c *Cell) bool {
	if c.Absent() || t.value == "" {
		return t.value == "" && c.String() == ""
	}
	if t.numeric {
		if f, ok := c.figure(); ok {
			return f == t.number
		}
	}
	if t.name == "artifact" {
		return strings.HasPrefix(c.text, t.folded)
	}
	for _, s := range c.list {
		if s == t.value {
			return true
		}
	}
	return c.String() == t.value
}

func (t *term) within(c *Cell) bool {
	return !c.Absent() && strings.Contains(strings.ToLower(c.String()), t.folded)
}

// compare orders the cell against the value: as numbers where the column holds
// numbers, as text elsewhere.
func (t *term) compare(c *Cell) (int, bool) {
	if t.numeric {
		f, ok := c.figure()
		if c.kind == text && plainNumber(c.text) {
			var err error
			f, err = evidence.ParseDecimal(c.text)
			ok = err == nil
		}
		switch {
		case !ok:
			return 0, false
		case f < t.number:
			return -1, true
		case f > t.number:
			return 1, true
		}
		return 0, true
	}
	return strings.Compare(c.String(), t.value), true
}
