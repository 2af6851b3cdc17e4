package export

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/store/evidence"
)

// maxFilter bounds the text of a filter and maxTerms its terms.
const (
	maxFilter = 4096
	maxTerms  = 64
)

// FilterError is a fault in a filter expression, at a place.
type FilterError struct {
	Expr    string
	Column  int // of the fault, in characters, from 1
	Message string
}

func (e *FilterError) Error() string {
	return fmt.Sprintf("filter %.80q, character %d: %s", e.Expr, e.Column, e.Message)
}

// ParseFilter reads a filter expression for the rows of a kind. An empty expression
// gives nil, the filter that accepts every row.
func ParseFilter(k Kind, expr string) (*Filter, error) {
	if strings.TrimSpace(expr) == "" {
		return nil, nil
	}
	p := filterParser{kind: k, expr: expr}
	if len(expr) > maxFilter {
		return nil, p.fault(maxFilter, "longer than %d bytes", maxFilter)
	}
	if !utf8.ValidString(expr) {
		return nil, p.fault(0, "not valid UTF-8")
	}
	f := &Filter{kind: k}
	for {
		t, err := p.term()
		if err != nil {
			return nil, err
		}
		if f.terms = append(f.terms, t); len(f.terms) > maxTerms {
			return nil, p.fault(p.at, "more than %d terms", maxTerms)
		}
		p.space()
		if p.at == len(expr) {
			return f, nil
		}
		if err := p.joint(); err != nil {
			return nil, err
		}
	}
}

type filterParser struct {
	kind Kind
	expr string
	at   int
}

func (p *filterParser) fault(at int, format string, args ...any) error {
	at = min(at, len(p.expr))
	return &FilterError{p.expr, utf8.RuneCountInString(p.expr[:at]) + 1, fmt.Sprintf(format, args...)}
}

func (p *filterParser) space() {
	for p.at < len(p.expr) && (p.expr[p.at] == ' ' || p.expr[p.at] == '\t') {
		p.at++
	}
}

// joint reads what stands between two terms.
func (p *filterParser) joint() error {
	rest := p.expr[p.at:]
	switch {
	case rest[0] == ',':
		p.at++
		return nil
	case startsAnd(rest):
		p.at += 4
		return nil
	case strings.EqualFold(rest, "and"):
		return p.fault(len(p.expr), "a term is missing after \"and\"")
	}
	return p.fault(p.at, "want a comma or \"and\" before %.20q; a value with spaces stands in double quotes", rest)
}

func startsAnd(s string) bool {
	return len(s) > 4 && strings.EqualFold(s[:3], "and") && (s[3] == ' ' || s[3] == '\t')
}

func (p *filterParser) term() (term, error) {
	p.space()
	start := p.at
	for p.at < len(p.expr) && (p.expr[p.at] == '_' || p.expr[p.at] >= 'a' && p.expr[p.at] <= 'z' || p.expr[p.at] >= '0' && p.expr[p.at] <= '9') {
		p.at++
	}
	t := term{name: p.expr[start:p.at]}
	cols := WideColumns(p.kind)
	t.column = slices.IndexFunc(cols, func(c Column) bool { return c.Name == t.name })
	if t.name == "" {
		return t, p.fault(start, "want a column name; %s", columnNames(cols))
	}
	if t.column < 0 {
		return t, p.fault(start, "%s have no column %q; %s", p.kind, t.name, columnNames(cols))
	}
	p.space()
	var ok bool
	if t.op, ok = p.operator(); !ok {
		return t, p.fault(p.at, "want one of = != ~ !~ < <= > >= after %q", t.name)
	}
	p.space()
	at := p.at
	var err error
	if t.value, err = p.value(); err != nil {
		return t, err
	}
	t.folded = strings.ToLower(t.value)
	return t, p.check(&t, cols[t.column], at)
}

// operators, longer ones first where one starts another.
var operators = []struct {
	text string
	op   operator
}{{"!=", unequal}, {"!~", lacks}, {"<=", atMost}, {">=", atLeast}, {"==", equal}, {"=", equal}, {"~", contains}, {"<", less}, {">", greater}}

func (p *filterParser) operator() (operator, bool) {
	for _, o := range operators {
		if strings.HasPrefix(p.expr[p.at:], o.text) {
			p.at += len(o.text)
			return o.op, true
		}
	}
	return 0, false
}

// value reads a bare value, up to a space or comma, or a quoted one. An "and" that
// another term follows is no value: "value= and n>3" asks for an absent value.
func (p *filterParser) value() (string, error) {
	if startsAnd(p.expr[p.at:]) {
		return "", nil
	}
	if p.at < len(p.expr) && p.expr[p.at] == '"' {
		return p.quoted()
	}
	start := p.at
	for p.at < len(p.expr) && !strings.ContainsRune(" \t,", rune(p.expr[p.at])) {
		if p.expr[p.at] == '"' {
			return "", p.fault(p.at, "a quote inside a bare value; put the whole value in double quotes")
		}
		p.at++
	}
	return p.expr[start:p.at], nil
}

func (p *filterParser) quoted() (string, error) {
	start := p.at
	var b strings.Builder
	for p.at++; p.at < len(p.expr); p.at++ {
		switch c := p.expr[p.at]; c {
		case '"':
			p.at++
			return b.String(), nil
		case '\\':
			if p.at+1 >= len(p.expr) || p.expr[p.at+1] != '"' && p.expr[p.at+1] != '\\' {
				return "", p.fault(p.at, `only \" and \\ may follow a backslash`)
			}
			p.at++
			b.WriteByte(p.expr[p.at])
		default:
			b.WriteByte(c)
		}
	}
	return "", p.fault(start, "the quote is not closed")
}

// check finds values that no row can have, so that a slip of the hand is an error and
// not an empty table.
func (p *filterParser) check(t *term, c Column, at int) error {
	ordered := t.op >= less
	if t.value == "" {
		if t.op == equal || t.op == unequal {
			return nil
		}
		return p.fault(at, "want a value")
	}
	if c.Form == Figure && t.op != contains && t.op != lacks {
		f, err := evidence.ParseDecimal(t.value)
		if err != nil {
			return p.fault(at, "column %s holds numbers; %.40q is none", c.Name, t.value)
		}
		t.number, t.numeric = f, true
		return nil
	}
	if ordered && c.Form == Prose {
		f, err := evidence.ParseDecimal(t.value)
		if err != nil {
			return p.fault(at, "column %s holds words; use = != ~ or !~, or compare with a number", c.Name)
		}
		t.number, t.numeric = f, true
		return nil
	}
	if t.name == "metric" && (t.op == equal || t.op == unequal) {
		if _, ok := evidence.LookupMetric(evidence.MetricID(t.value)); !ok {
			return p.fault(at, "metric %.40q: not in the registry; \"assay metrics\" lists it", t.value)
		}
	}
	if t.name == "artifact" && (t.op == equal || t.op == unequal) && (len(t.value) < 6 || len(t.value) > 64 || strings.Trim(t.folded, "0123456789abcdef") != "") {
		return p.fault(at, "artifact wants 6 to 64 hexadecimal digits of a SHA-256, not %.80q", t.value)
	}
	return nil
}

func columnNames(cols []Column) string {
	names := make([]string, len(cols))
	for i, c := range cols {
		names[i] = c.Name
	}
	return "columns: " + strings.Join(names, ", ")
}
