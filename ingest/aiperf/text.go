package aiperf

import (
	"bytes"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// TextReader reads the tables that the tool prints.
type TextReader struct {
	lift.Meta
	shape string
	match func([]byte) bool
	parse func([]byte) *jsondoc.Node
}

// TextReaders are the readers of text of this package.
func TextReaders() []TextReader {
	meta := func(id string) lift.Meta { return lift.Named(id, 2, "aiperf") }
	return []TextReader{
		{meta("aiperf/csv"), "csv", matchCSV, parseCSV},
		{meta("aiperf/console"), "console", matchConsole, parseConsole},
	}
}

// MatchText decides by what the text says.
func (r TextReader) MatchText(head []byte) (string, bool) { return r.shape, r.match(head) }

// ReadText lifts a text that matched. Figures have two decimals, as the tool prints them.
func (r TextReader) ReadText(data []byte, shapeID string) evidence.Document {
	b := lift.New(r.Reader, r.parse(data), "", shapeID)
	b.Lines(data)
	b.Protocol("aiperf", evidence.Linear, "")
	b.Title("aiperf")
	top := b.Top()
	run := b.NewRun("run", top, evidence.Linear)
	run.N = top.Path("request_count", "avg").Count()
	switch {
	case !run.N.OK:
		b.Find(evidence.Warning, lift.CodeNoCount, top, "the table does not say how many requests completed")
	case run.N.V == 0:
		run.Void = true
	}
	run.Class = lift.Class(evidence.None[float64](), top.Path("input_sequence_length", "avg").Number())
	top.Derive(&run.Facts, evidence.KeyWorkloadClass, run.Class, "load")
	top.Members(func(tag string, m lift.Obj) { block(b, run, tag, m) })
	if !run.Void {
		run.Ordered()
	}
	b.Arm(evidence.Arm{Name: "aiperf, model not recorded", Place: top.Place()}, run)
	return b.Finish()
}

func matchCSV(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), []byte("\n"))
	text := strings.TrimRight(string(line), "\r")
	return strings.HasPrefix(text, "Metric,avg,") || text == "Metric,Value"
}

func matchConsole(head []byte) bool {
	return bytes.Contains(head, []byte("AIPerf")) && bytes.Contains(head, []byte("Metric ┃"))
}

// text makes nodes that stand in a text.
func text(kind jsondoc.Kind, s string, at int) *jsondoc.Node {
	return &jsondoc.Node{Kind: kind, Text: s, Offset: int64(at), End: int64(at + len(s))}
}

func add(o *jsondoc.Node, name string, c *jsondoc.Node) {
	o.Names, o.Children = append(o.Names, name), append(o.Children, c)
}

// tagOf makes "request_latency" and "ms" of "Request Latency (ms)".
func tagOf(label string) (tag, unit string) {
	if i := strings.LastIndexByte(label, '('); i > 0 && strings.HasSuffix(label, ")") {
		label, unit = strings.TrimSpace(label[:i]), label[i+1:len(label)-1]
	}
	tag = strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(label), " ", "_"), "-", "_")
	return tag, unit
}

// row makes a metric block of a line of a table. A table of one column is a list of
// scalars.
func row(label string, at int, columns []string, cells []lift.Cell) (string, *jsondoc.Node) {
	tag, unit := tagOf(label)
	o := &jsondoc.Node{Kind: jsondoc.Object, Offset: int64(at), End: int64(at + len(label))}
	switch {
	case unit == "" && strings.HasSuffix(tag, "_count"):
		unit = "requests"
	case unit == "" && strings.HasSuffix(tag, "_concurrency"):
		unit = "requests"
	}
	add(o, "unit", text(jsondoc.String, unit, at))
	for i, c := range cells {
		if i >= len(columns) || c.Text == "" || c.Text == "N/A" {
			continue
		}
		kind := jsondoc.Number
		if _, err := evidence.ParseDecimal(c.Text); err != nil {
			kind = jsondoc.String
		}
		name := columns[i]
		if name == "Value" {
			name = "avg"
		}
		add(o, name, text(kind, c.Text, c.At))
	}
	return tag, o
}

// parseCSV reads tables of different widths, one below the other.
func parseCSV(data []byte) *jsondoc.Node {
	top := &jsondoc.Node{Kind: jsondoc.Object, End: int64(len(data))}
	var columns []string
	seen := map[string]bool{}
	eachLine(data, func(at int, line string) {
		cells := lift.CSV(line, at)
		if len(cells) < 2 {
			return
		}
		if cells[0].Text == "Metric" {
			columns = nil
			for _, c := range cells[1:] {
				columns = append(columns, c.Text)
			}
			return
		}
		tag, o := row(cells[0].Text, cells[0].At, columns, cells[1:])
		if !seen[tag] && len(columns) > 0 {
			seen[tag] = true
			add(top, tag, o)
		}
	})
	return top
}

func eachLine(data []byte, visit func(at int, line string)) {
	at := 0
	for line := range bytes.Lines(data) {
		visit(at, strings.TrimRight(string(line), "\r\n"))
		at += len(line)
	}
}

// parseConsole reads the boxes of the rich console. A label may go on in the next line.
func parseConsole(data []byte) *jsondoc.Node {
	top := &jsondoc.Node{Kind: jsondoc.Object, End: int64(len(data))}
	var columns []string
	seen := map[string]bool{}
	var label string
	var cells []lift.Cell
	start := 0
	flush := func() {
		if label == "" {
			return
		}
		tag, o := row(label, start, columns, cells)
		if !seen[tag] {
			seen[tag] = true
			add(top, tag, o)
		}
		label, cells = "", nil
	}
	eachLine(data, func(at int, line string) {
		switch {
		case strings.Contains(line, "┃"):
			flush()
			columns = nil
			for i, c := range splitBox(line, at, "┃") {
				if i > 0 {
					columns = append(columns, c.Text)
				}
			}
		case strings.HasPrefix(strings.TrimSpace(line), "│"):
			parts := splitBox(line, at, "│")
			if len(parts) < 2 {
				return
			}
			if parts[1].Text == "" && label != "" { // the rest of the label
				label += " " + parts[0].Text
				return
			}
			flush()
			label, start, cells = parts[0].Text, parts[0].At, parts[1:]
		default:
			flush()
		}
	})
	flush()
	return top
}

// splitBox gives the trimmed cells between bars.
func splitBox(line string, at int, bar string) []lift.Cell {
	var out []lift.Cell
	parts := strings.Split(line, bar)
	at += len(parts[0]) + len(bar)
	for _, p := range parts[1:max(len(parts)-1, 1)] {
		trimmed := strings.TrimSpace(p)
		out = append(out, lift.Cell{Text: trimmed, At: at + strings.Index(p, trimmed)})
		at += len(p) + len(bar)
	}
	return out
}
