package llamabench

import (
	"bytes"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
)

// Both tools print their JSON lines where the engine prints its log, so that lines of it
// may stand before, between and behind them. A file that only starts with such lines is
// JSON to intake; this reader is for the others.

func matchLog(head []byte) bool {
	_, bench := lift.LineWith(head, "{", `"build_commit"`, `"n_prompt"`, `"avg_ts"`)
	_, batched := lift.LineWith(head, "{", `"n_kv_max"`, `"speed_pp"`, `"speed_tg"`)
	return bench || batched
}

// parseLog takes the lines that are a result as a whole. The first decides of which tool.
func parseLog(data []byte) *jsondoc.Node {
	top := &jsondoc.Node{Kind: jsondoc.Array, End: int64(len(data))}
	at, batched := 0, false
	for raw := range bytes.Lines(data) {
		if len(top.Children) > mostRows {
			return top
		}
		line := bytes.TrimRight(raw, "\r\n")
		if bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
			if doc := jsondoc.Parse(line, jsondoc.Limits{}); doc.Form == jsondoc.JSON && len(doc.Values) == 1 {
				v := doc.Values[0]
				if len(top.Children) == 0 {
					batched = v.Is(jsondoc.Object) && matchBatched(v) != ""
				}
				if batched && matchBatched(v) != "" || !batched && isBench(v) {
					shift(v, int64(at))
					top.Children = append(top.Children, v)
				}
			}
		}
		at += len(raw)
	}
	return top
}

func shift(n *jsondoc.Node, by int64) {
	n.Offset, n.End = n.Offset+by, n.End+by
	for _, c := range n.Children {
		shift(c, by)
	}
}

func readLog(b *lift.Builder, _ string) {
	if matchBatched(b.Top().Node) != "" {
		readBatched(b, shapeBatched)
		return
	}
	readBench(b, shapeList)
}
