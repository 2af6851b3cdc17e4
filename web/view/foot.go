package view

import (
	"strings"

	"assay/store/evidence"
)

// readersNamed is how many readers the foot names before it counts them.
const readersNamed = 4

// FootLog says how long the log is, which leads to it.
func FootLog(size evidence.Opt[int64]) string {
	if !size.OK {
		return ""
	}
	return "log size " + Int(size.V)
}

// BuildFoot is the line at the end of every page.
func BuildFoot(counts evidence.Opt[evidence.Counts], readers []string, version string) Foot {
	f := Foot{Readers: strings.Join(readers, ", "), Version: version, Holds: "The archive did not say what it holds."}
	if len(readers) > readersNamed {
		f.Readers = Plural(int64(len(readers)), "reader", "readers") + " that \u201cassay version\u201d lists"
	}
	if counts.OK {
		c := counts.V
		f.Holds = "Holds " + strings.Join([]string{
			Plural(c.Artifacts, "artifact", "artifacts"), Plural(c.Documents, "document", "documents"),
			Plural(c.Runs, "run", "runs"), Plural(c.Measurements, "measurement", "measurements"),
		}, ", ") + "."
	}
	return f
}

// Problem is the page of an error.
type Problem struct {
	Status  int
	Title   string
	Text    string
	Request string
}
