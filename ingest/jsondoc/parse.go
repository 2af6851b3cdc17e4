package jsondoc

import (
	"strconv"

	"assay/store/evidence"
)

// Doc is an artifact with a tree for each of its values.
type Doc struct {
	Summary
	// Values holds nil for a value that broke off or is too large for a tree.
	Values []*Node
}

// Parse reads bytes in memory. It keeps nothing of data.
func Parse(data []byte, lim Limits) *Doc {
	d := &Doc{}
	b := NewBuilder(lim, func(v Value) { d.Values = append(d.Values, v.Root) })
	d.Summary = ScanBytes(data, lim, b.Handle)
	b.Finish(d.Summary)
	if d.Form == NotJSON {
		d.Values = nil
	}
	return d
}

// Root is the only value of the artifact; nil when it has none or several.
func (d *Doc) Root() *Node {
	if len(d.Values) != 1 {
		return nil
	}
	return d.Values[0]
}

// At follows a pointer into the artifact; nil when it leads nowhere.
func (d *Doc) At(p evidence.Pointer) *Node {
	if !p.Valid() {
		return nil
	}
	if !d.Several() {
		return d.Root().At(p)
	}
	tokens := p.Tokens()
	if len(tokens) == 0 {
		return nil
	}
	i, err := strconv.Atoi(tokens[0])
	if err != nil || i < 0 || i >= len(d.Values) || tokens[0] != strconv.Itoa(i) {
		return nil
	}
	var rest evidence.Pointer
	for _, t := range tokens[1:] {
		rest = rest.Key(t)
	}
	return d.Values[i].At(rest)
}
