package anvil

import (
	"fmt"
	"strings"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// statusWords are the words for how a run ended, written with blanks.
var statusWords = map[string]evidence.RunStatus{
	"passed": evidence.Measured, "pass": evidence.Measured, "ok": evidence.Measured, "completed": evidence.Measured, "complete": evidence.Measured,
	"measured": evidence.Measured, "success": evidence.Measured, "succeeded": evidence.Measured,
	"failed": evidence.RunFailed, "fail": evidence.RunFailed, "failure": evidence.RunFailed, "error": evidence.RunFailed, "errored": evidence.RunFailed,
	"timeout": evidence.RunFailed, "timed out": evidence.RunFailed, "time out": evidence.RunFailed, "oom": evidence.RunFailed, "out of memory": evidence.RunFailed,
	"crashed": evidence.RunFailed, "crash": evidence.RunFailed, "aborted": evidence.RunFailed, "abort": evidence.RunFailed, "cancelled": evidence.RunFailed,
	"canceled": evidence.RunFailed, "killed": evidence.RunFailed, "interrupted": evidence.RunFailed, "terminated": evidence.RunFailed,
	"rejected": evidence.RunFailed,
	"not run":  evidence.NotRun, "skipped": evidence.NotRun, "skip": evidence.NotRun, "missing": evidence.NotRun, "not measured": evidence.NotRun,
	"not executed": evidence.NotRun, "not attempted": evidence.NotRun, "pending": evidence.NotRun,
}

// readStatus reads a status word. One that we do not know settles nothing: the figures
// beside it are kept and never compared.
func readStatus(n *jsondoc.Node) (s evidence.RunStatus, known bool) {
	word := strings.Map(func(c rune) rune {
		if c == '_' || c == '-' {
			return ' '
		}
		return c
	}, strings.ToLower(strings.TrimSpace(n.Str())))
	if s, known = statusWords[word]; known {
		return s, true
	}
	return evidence.RunUnresolved, false
}

// status reads how a run ended. An empty slot says nothing.
func (b *builder) status(r *run, p evidence.Pointer, n *jsondoc.Node) {
	b.record(&r.Facts, evidence.KeyRunStatus, p, n)
	if !n.Is(jsondoc.Null) {
		r.Status = b.statusOf(p, n)
	}
}

func (b *builder) statusOf(p evidence.Pointer, n *jsondoc.Node) evidence.RunStatus {
	s, known := readStatus(n)
	if !known {
		b.find(evidence.Warning, CodeStatus, p, n, fmt.Sprintf("run status %s is none we know: the run is kept and never compared", kindName(n)))
	}
	return s
}
