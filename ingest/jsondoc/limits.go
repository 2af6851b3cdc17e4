package jsondoc

// Limits bound what hostile input may cost. A zero field means the default.
type Limits struct {
	Size     int64 // bytes of the artifact that are read at all
	Depth    int   // open containers at once
	String   int   // bytes of one decoded string
	Number   int   // bytes of one number
	Findings int   // findings listed one by one
	Nodes    int   // values in one tree; a value with more gets no tree
	Text     int   // bytes of strings and numbers in one tree
}

// Defaults are the limits that apply where none is set.
var Defaults = Limits{
	Size:     256 << 20,
	Depth:    1000,
	String:   16 << 20,
	Number:   800,
	Findings: 200,
	Nodes:    1_000_000,
	Text:     64 << 20,
}

func (l Limits) orDefaults() Limits {
	d := Defaults
	set(&d.Size, l.Size)
	set(&d.Depth, l.Depth)
	set(&d.String, l.String)
	set(&d.Number, l.Number)
	set(&d.Findings, l.Findings)
	set(&d.Nodes, l.Nodes)
	set(&d.Text, l.Text)
	return d
}

func set[T int | int64](dst *T, v T) {
	if v > 0 {
		*dst = v
	}
}
