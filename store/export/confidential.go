package export

import (
	"strings"

	"assay/store/evidence"
	"assay/store/evidence/mask"
)

// veil says how a column's text is masked.
type veil uint8

const (
	open    veil = iota // words of ours and digests: nothing can stand there
	secrets             // pointers and ids: a path in them is no path of a machine
	full                // everything else
)

// ours are columns whose words this program chooses.
var ours = map[string]bool{"artifact": true, "sha256": true, "found": true, "metric": true, "stat": true, "method": true, "unit": true,
	"state": true, "role": true, "class": true, "reader": true, "severity": true, "code": true, "stored": true, "encoding": true,
	"status": true, "source_unit": true}

// veils are the columns' masks, and where the name of a row's value stands.
type veils struct {
	of           []veil
	pointer, key int // columns, -1 without
	private      bool
}

func newVeils(cols []Column) veils {
	v := veils{of: make([]veil, len(cols)), pointer: -1, key: -1}
	for i, c := range cols {
		switch {
		case ours[c.Name] || c.Form == Figure:
			v.of[i] = open
		case c.Name == "pointer":
			v.of[i], v.pointer = secrets, i
		case c.Name == "also" || c.Name == "run" || c.Name == "campaign":
			v.of[i] = secrets
		default:
			v.of[i] = full
		}
		if c.Name == "key" {
			v.key = i
		}
	}
	return v
}

// cover masks a row in place. A value is also judged by the name of the member that it
// comes from.
func (v *veils) cover(row []Cell) {
	name := ""
	for i := range row {
		c := &row[i]
		if i >= len(v.of) || v.of[i] == open || c.kind != text && c.kind != words {
			continue
		}
		if name == "" {
			name = v.name(row)
		}
		if c.kind == text {
			c.text = v.text(i, name, c.text)
			continue
		}
		list := make([]string, len(c.list))
		for k, s := range c.list {
			list[k] = v.text(i, name, s)
		}
		c.list = list
	}
}

func (v *veils) text(i int, name, s string) string {
	if v.of[i] == full && i != v.key && mask.Named(name, s) {
		return mask.Field(name, s)
	}
	if v.of[i] == full && !v.private {
		return mask.Private(s)
	}
	return mask.Secrets(s)
}

// name is what the row's value is called in the artifact.
func (v *veils) name(row []Cell) string {
	if v.key >= 0 && v.key < len(row) && mask.SecretName(row[v.key].text) {
		return row[v.key].text
	}
	if v.pointer < 0 || v.pointer >= len(row) {
		return "-"
	}
	return memberName(row[v.pointer].text)
}

// memberName is the last name in a pointer; items of a list belong to the list's name.
func memberName(pointer string) string {
	for pointer != "" {
		i := strings.LastIndexByte(pointer, '/')
		last := pointer[i+1:]
		if strings.Trim(last, "0123456789") != "" {
			return last
		}
		pointer = pointer[:max(i, 0)]
	}
	return "-"
}

// coverRun masks what a run says of itself, for formats that are no tables. The run is
// not changed.
func coverRun(r *evidence.RunRow, private bool) evidence.RunRow {
	out := *r
	text := mask.Private
	if private {
		text = mask.Secrets
	}
	out.Arm, out.Name, out.Rejected = text(r.Arm), text(r.Name), text(r.Rejected)
	out.Campaign = mask.Secrets(r.Campaign)
	out.Facts = make([]evidence.FactRow, len(r.Facts))
	for i, f := range r.Facts {
		if name := memberName(string(f.Place.Pointer)); mask.Named(name, f.Value) || mask.Named(string(f.Key), f.Value) {
			f.Value = mask.Field("password", f.Value)
		}
		f.Value, f.SourceText, f.Meaning = text(f.Value), text(f.SourceText), text(f.Meaning)
		out.Facts[i] = f
	}
	return out
}
