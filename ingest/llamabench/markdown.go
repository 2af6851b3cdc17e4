package llamabench

import (
	"bytes"
	"regexp"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// The table that llama-bench prints names settings by their short options and shows
// those only that are not the default. Figures have two decimals.

func matchMarkdown(head []byte) bool {
	_, ok := lift.LineWith(head, "| model ", "| ", " test |", " t/s |")
	return ok
}

func matchBatchedMarkdown(head []byte) bool {
	_, ok := lift.LineWith(head, "|", " PP |", " TG |", " B |", "S_PP t/s |", "S_TG t/s |")
	return ok
}

var (
	buildLine = regexp.MustCompile(`^build: (\S+) \((\d+)\)\s*$`)
	rateCell  = regexp.MustCompile(`^([\d.]+)(?: ± ([\d.]+))?$`)
	ruleCell  = regexp.MustCompile(`^:?-+:?$`)
	setting   = regexp.MustCompile(`\b(n_kv_max|n_batch|n_ubatch|flash_attn|is_pp_shared|n_gpu_layers|n_threads|n_threads_batch) = (-?\d+)`)
)

// cells splits "| a | b |" into trimmed cells.
func cells(line string, at int) []lift.Cell {
	var out []lift.Cell
	parts := strings.Split(line, "|")
	if len(parts) < 3 {
		return nil
	}
	pos := at + len(parts[0]) + 1
	for _, p := range parts[1 : len(parts)-1] {
		out = append(out, lift.Cell{Text: strings.TrimSpace(p), At: pos + len(p) - len(strings.TrimLeft(p, " \t"))})
		pos += len(p) + 1
	}
	return out
}

func word(s string, at int, kind jsondoc.Kind) *jsondoc.Node {
	return &jsondoc.Node{Kind: kind, Text: s, Offset: int64(at), End: int64(at + len(s))}
}

func member(o *jsondoc.Node, name string, c *jsondoc.Node) {
	if o.Get(name) == nil {
		o.Names, o.Children = append(o.Names, name), append(o.Children, c)
	}
}

// eachRow calls visit for every row of every table whose head matches, and other for
// every further line.
func eachRow(data []byte, head func([]byte) bool, visit func(columns []string, row []lift.Cell, at, length int) bool, other func(line string, at int)) {
	var columns []string
	at := 0
	for raw := range bytes.Lines(data) {
		line := strings.TrimRight(string(raw), "\r\n")
		row := cells(line, at)
		switch {
		case head(raw):
			columns = nil
			for _, c := range row {
				columns = append(columns, c.Text)
			}
		case columns != nil && len(row) == len(columns) && !ruleCell.MatchString(row[0].Text):
			if !visit(columns, row, at, len(line)) {
				return
			}
		case len(row) == 0:
			columns = nil
			other(line, at)
		}
		at += len(raw)
	}
}

// shortNames are the columns of the table in the words of the other forms.
var shortNames = map[string]string{"model": "model_type", "backend": "backends", "threads": "n_threads", "ngl": "n_gpu_layers", "fa": "flash_attn",
	"sm": "split_mode", "mg": "main_gpu", "nkvo": "no_kv_offload", "ts": "tensor_split", "embd": "embeddings", "dev": "devices",
	"ot": "tensor_buft_overrides", "nopo": "no_op_offload", "mmap": "use_mmap", "ncmoe": "n_cpu_moe", "n_cpu_moe": "n_cpu_moe"}

func parseMarkdown(data []byte) *jsondoc.Node {
	top := &jsondoc.Node{Kind: jsondoc.Array, End: int64(len(data))}
	named := 0 // rows whose build is known
	eachRow(data, matchMarkdown, func(columns []string, row []lift.Cell, at, length int) bool {
		o := &jsondoc.Node{Kind: jsondoc.Object, Offset: int64(at), End: int64(at + length)}
		for i, c := range row {
			name := columns[i]
			if long, ok := shortNames[name]; ok {
				name = long
			}
			if name == "t/s" {
				if m := rateCell.FindStringSubmatchIndex(c.Text); m != nil {
					member(o, "avg_ts", word(c.Text[m[2]:m[3]], c.At+m[2], jsondoc.Number))
					if m[4] >= 0 {
						member(o, "stddev_ts", word(c.Text[m[4]:m[5]], c.At+m[4], jsondoc.Number))
					}
				}
				continue
			}
			member(o, name, word(c.Text, c.At, jsondoc.String))
		}
		top.Children = append(top.Children, o)
		return len(top.Children) <= mostRows
	}, func(line string, at int) {
		m := buildLine.FindStringSubmatchIndex(line)
		if m == nil {
			return
		}
		for ; named < len(top.Children); named++ {
			member(top.Children[named], "build_commit", word(line[m[2]:m[3]], at+m[2], jsondoc.String))
			member(top.Children[named], "build_number", word(line[m[4]:m[5]], at+m[4], jsondoc.Number))
		}
	})
	return top
}

// testName is "pp512", "tg128" or "pp512+tg128", with the filled context behind it.
var testName = regexp.MustCompile(`^(?:pp(\d{1,9}))?\+?(?:tg(\d{1,9}))?(?: @ d(\d{1,9}))?$`)

func readMarkdown(b *lift.Builder, _ string) {
	b.Protocol("llama-bench", "", "the engine's own loop, no server")
	t := &table{b: b, arms: map[string]int{}}
	b.Top().Items(func(_ int, o lift.Obj) {
		test := o.Get("test")
		part := testName.FindStringSubmatch(test.Str())
		if part == nil || part[1] == "" && part[2] == "" {
			b.Find(evidence.Warning, lift.CodeMissing, test, "%s is no test of this tool: its figures are listed and not lifted", test.Show())
			o.Skip(evidence.ReasonUnread)
			return
		}
		name := []string{o.Get("model_type").Str(), o.Get("backends").Str(), o.Get("build_commit").Str()}
		t.add(o, strings.Trim(strings.Join(name, " · "), " ·"), t.identity(o), printed(b, o, test, part))
	})
	t.close()
}

// printed reads what one line of the table timed.
func printed(b *lift.Builder, o, test lift.Obj, part []string) *lift.Run {
	metric, prompt, gen, depth := evidence.BatchThroughput, part[1], part[2], part[3]
	switch {
	case gen == "" || gen == "0":
		metric, gen = evidence.PrefillThroughput, "0"
	case prompt == "" || prompt == "0":
		metric, prompt = evidence.DecodeThroughput, "0"
	}
	run := b.NewRun(test.Str(), o, "")
	f := &run.Facts
	if depth == "" {
		depth = "0"
	}
	test.Derive(f, evidence.KeyPromptTokens, plain(prompt), "test")
	test.Derive(f, evidence.KeyOutputCap, plain(gen), "test")
	test.Derive(f, evidence.KeyFilledContext, plain(depth), "test")
	o.Derive(f, evidence.KeyConcurrency, "1", "tool")
	o.Derive(f, evidence.KeyCompletionMode, "forced", "tool")
	d, _ := evidence.ParseDecimal(depth)
	run.Class = lift.Class(evidence.Some(1.0), evidence.Some(d))
	o.Derive(f, evidence.KeyWorkloadClass, run.Class, "load")
	run.Figure(o.Get("avg_ts"), metric, evidence.Mean, "tok/s")
	if s, ok := o.Get("stddev_ts").Float(); ok && s == 0 {
		o.Get("stddev_ts").Skip(evidence.ReasonVoid) // of one repetition, most likely
	} else {
		run.Figure(o.Get("stddev_ts"), metric, evidence.Std, "tok/s")
	}
	run.Ordered()
	return run
}

// plain writes a count without leading zeros.
func plain(digits string) string {
	if s := strings.TrimLeft(digits, "0"); s != "" {
		return s
	}
	return "0"
}

// batchedNames are the columns of llama-batched-bench's table in the words of its JSON.
var batchedNames = map[string]string{"PP": "pp", "TG": "tg", "B": "pl", "N_KV": "n_kv", "T_PP s": "t_pp", "S_PP t/s": "speed_pp",
	"T_TG s": "t_tg", "S_TG t/s": "speed_tg", "T s": "t", "S t/s": "speed"}

func parseBatchedMarkdown(data []byte) *jsondoc.Node {
	top := &jsondoc.Node{Kind: jsondoc.Array, End: int64(len(data))}
	before := &jsondoc.Node{Kind: jsondoc.Object}
	eachRow(data, matchBatchedMarkdown, func(columns []string, row []lift.Cell, at, length int) bool {
		o := &jsondoc.Node{Kind: jsondoc.Object, Offset: int64(at), End: int64(at + length)}
		for i, c := range row {
			name, ok := batchedNames[columns[i]]
			if _, err := evidence.ParseDecimal(c.Text); ok && err == nil && !strings.Contains(c.Text, ",") {
				member(o, name, word(c.Text, c.At, jsondoc.Number))
			}
		}
		if !lift.Has(o, "pp", "tg", "pl", "speed_pp", "speed_tg") {
			return true
		}
		for i, name := range before.Names {
			member(o, name, before.Children[i])
		}
		top.Children = append(top.Children, o)
		return len(top.Children) <= mostRows
	}, func(line string, at int) {
		if !strings.Contains(line, "n_kv_max = ") || len(line) > 1000 {
			return
		}
		before = &jsondoc.Node{Kind: jsondoc.Object}
		for _, m := range setting.FindAllStringSubmatchIndex(line, -1) {
			member(before, line[m[2]:m[3]], word(line[m[4]:m[5]], at+m[4], jsondoc.Number))
		}
	})
	return top
}
