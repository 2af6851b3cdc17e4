package console

import (
	"bytes"
	"regexp"
	"strings"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

const headline = "Serving Benchmark Result"

// pair is a line "Label:   value" with the offset of the value.
var pair = regexp.MustCompile(`^\s*([A-Za-z][^:=]{0,60}?):\s+(\S.*?)\s*$`)

// settings are what a log says before a table.
var settings = []struct {
	name string
	re   *regexp.Regexp
}{
	{"model", regexp.MustCompile(`\bmodel=['"]([^'"]{1,200})['"]`)},
	{"tokenizer", regexp.MustCompile(`\btokenizer=['"]([^'"]{1,200})['"]`)},
	{"dataset_name", regexp.MustCompile(`\bdataset_name=['"]([^'"]{1,80})['"]`)},
	{"num_prompts", regexp.MustCompile(`\bnum_prompts=(\d{1,12})\b`)},
	{"seed", regexp.MustCompile(`\bseed=(\d{1,20})\b`)},
	{"request_rate", regexp.MustCompile(`^\s*(?:#\s*)?Traffic request rate: (\S+)`)},
	{"burstiness", regexp.MustCompile(`^\s*(?:#\s*)?Burstiness factor: ([\d.]+)`)},
	{"max_concurrency", regexp.MustCompile(`^\s*(?:#\s*)?Maximum request concurrency: (\S+)`)},
}

// parse makes a list of blocks, one object per table.
func parse(data []byte) *jsondoc.Node {
	top := &jsondoc.Node{Kind: jsondoc.Array, End: int64(len(data))}
	var block *jsondoc.Node
	before := &jsondoc.Node{Kind: jsondoc.Object}
	column, at := 0, 0
	finish := func(closed bool) {
		if block == nil {
			return
		}
		if !closed {
			add(block, "cut_off", &jsondoc.Node{Kind: jsondoc.Bool, Text: "true", Offset: block.Offset, End: block.Offset})
		}
		top.Children = append(top.Children, block)
		block, before = nil, &jsondoc.Node{Kind: jsondoc.Object}
	}
	for raw := range bytes.Lines(data) {
		line := strings.TrimRight(string(raw), "\r\n")
		if len(top.Children) > mostTables {
			return top
		}
		switch {
		case strings.Contains(line, headline) && strings.Contains(line, "===="):
			finish(false)
			column = strings.Index(line, "=")
			block = &jsondoc.Node{Kind: jsondoc.Object, Offset: int64(at), End: int64(at + len(line))}
			add(block, "before", before)
		case block != nil && strings.HasPrefix(cut(line, column), "======"):
			finish(true)
		case block != nil:
			readPair(block, cut(line, column), at+len(line)-len(cut(line, column)))
		default:
			readSettings(before, line, at)
		}
		at += len(raw)
	}
	finish(false)
	return top
}

// cut takes off what a log writes before every line.
func cut(line string, column int) string {
	if column > len(line) {
		return ""
	}
	return line[column:]
}

func add(o *jsondoc.Node, name string, c *jsondoc.Node) {
	o.Names, o.Children = append(o.Names, name), append(o.Children, c)
}

func readPair(block *jsondoc.Node, line string, at int) {
	m := pair.FindStringSubmatchIndex(line)
	if m == nil {
		return
	}
	add(block, line[m[2]:m[3]], value(line[m[4]:m[5]], at+m[4]))
}

func value(s string, at int) *jsondoc.Node {
	n := &jsondoc.Node{Kind: jsondoc.String, Text: s, Offset: int64(at), End: int64(at + len(s))}
	switch strings.ToLower(s) {
	case "nan", "inf", "infinity", "-inf":
		n.Kind = jsondoc.NotFinite
	default:
		if _, err := evidence.ParseDecimal(s); err == nil {
			n.Kind = jsondoc.Number
		}
	}
	return n
}

func readSettings(o *jsondoc.Node, line string, at int) {
	if len(line) > 64<<10 {
		return
	}
	for _, s := range settings {
		if m := s.re.FindStringSubmatchIndex(line); m != nil && o.Get(s.name) == nil {
			add(o, s.name, value(line[m[2]:m[3]], at+m[2]))
		}
	}
}
