package llamabench

import (
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// mostRows is how many lines of a table are read; real ones have some hundred.
const mostRows = 10_000

// matchCSV finds the head line, below what the program logged.
func matchCSV(head []byte) bool {
	_, ok := lift.LineWith(head, "build_commit,", ",n_prompt,", "avg_ts")
	return ok
}

// parseCSV makes the objects that -o json would have, with offsets in the text.
func parseCSV(data []byte) *jsondoc.Node {
	from, _ := lift.LineWith(data, "build_commit,", ",n_prompt,", "avg_ts")
	return lift.Table(data, from, mostRows, kindOf)
}

// kindOf is what a column of the table holds: most settings are words.
func kindOf(column, text string) jsondoc.Kind {
	if numeric[column] || strings.HasPrefix(column, "n_") {
		if _, err := evidence.ParseDecimal(text); err == nil && !strings.Contains(text, ",") {
			return jsondoc.Number
		}
	}
	return jsondoc.String
}

// numeric are columns of numbers that do not start with n_.
var numeric = map[string]bool{"build_number": true, "model_size": true, "model_n_params": true, "avg_ns": true, "stddev_ns": true,
	"avg_ts": true, "stddev_ts": true, "poll": true, "main_gpu": true}
