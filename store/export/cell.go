package export

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay/store/evidence"
)

type cellKind uint8

const (
	absent cellKind = iota
	text
	number
	integer
	flag
	words
)

// Cell is one value of a row. The zero Cell is absent.
type Cell struct {
	kind cellKind
	text string
	num  float64
	int  int64
	list []string
}

// Text is a present text, also when it is empty.
func Text[T ~string](s T) Cell { return Cell{kind: text, text: string(s)} }

// Optional is a text whose "" means absent.
func Optional[T ~string](s T) Cell {
	if s == "" {
		return Cell{}
	}
	return Text(s)
}

// Number is a finite number; a writer refuses a row with one that is not.
func Number(f float64) Cell { return Cell{kind: number, num: f} }

// Value is a number or absent.
func Value(o evidence.Opt[float64]) Cell {
	if !o.OK {
		return Cell{}
	}
	return Number(o.V)
}

// Integer is a whole number.
func Integer[T ~int | ~int64](i T) Cell { return Cell{kind: integer, int: int64(i)} }

// Count is a whole number or absent.
func Count(o evidence.Opt[int64]) Cell {
	if !o.OK {
		return Cell{}
	}
	return Integer(o.V)
}

// Flag is true or false.
func Flag(b bool) Cell {
	c := Cell{kind: flag}
	if b {
		c.int = 1
	}
	return c
}

// Words is a list of texts: an array in JSON, joined by "; " elsewhere.
func Words(s []string) Cell {
	if len(s) == 0 {
		return Cell{}
	}
	return Cell{kind: words, list: s}
}

// FactValue is a fact's value: a number where the text is a decimal number.
func FactValue(s string) Cell {
	if plainNumber(s) {
		if f, err := evidence.ParseDecimal(s); err == nil {
			return Number(f)
		}
	}
	return Optional(s)
}

// Absent reports whether the cell has no value.
func (c Cell) Absent() bool { return c.kind == absent }

// String is the value as text, unescaped; "" when absent.
func (c Cell) String() string {
	switch c.kind {
	case text:
		return c.text
	case number:
		return evidence.FormatDecimal(c.num)
	case integer:
		return strconv.FormatInt(c.int, 10)
	case flag:
		return strconv.FormatBool(c.int == 1)
	case words:
		return strings.Join(c.list, "; ")
	}
	return ""
}

// figure is the cell as a number, for comparisons.
func (c Cell) figure() (float64, bool) {
	switch c.kind {
	case number:
		return c.num, true
	case integer:
		return float64(c.int), true
	}
	return 0, false
}

// numeric reports whether the cell is written bare, as a number or a flag.
func (c Cell) numeric() bool { return c.kind == number || c.kind == integer || c.kind == flag }

func checkFinite(cols []Column, cells []Cell) error {
	for i := range cells {
		if c := &cells[i]; c.kind == number && (math.IsNaN(c.num) || math.IsInf(c.num, 0)) {
			return fmt.Errorf("column %s: %w", cols[i].Name, evidence.ErrNotFinite)
		}
	}
	return nil
}

// plainNumber reports whether s as a whole is a decimal number as JSON writes them.
func plainNumber(s string) bool {
	if s == "" || len(s) > 64 || s[0] == '+' {
		return false
	}
	digits, dot, exp := 0, false, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c == '-' && i == 0:
		case (c == '-' || c == '+') && exp && (s[i-1] == 'e' || s[i-1] == 'E'):
		case c == '.' && !dot && !exp && digits > 0:
			dot = true
		case (c == 'e' || c == 'E') && !exp && digits > 0:
			exp, digits = true, 0
		default:
			return false
		}
	}
	return digits > 0 && s[len(s)-1] != '.'
}
