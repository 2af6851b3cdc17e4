package anvil

import (
	"fmt"
	"strings"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// statusWords are the words for how a run ended. A word that is not here leaves the
// run measured, keeps the word as a fact and is reported.
var statusWords = map[string]evidence.RunStatus{
	"passed": evidence.Measured, "pass": evidence.Measured, "ok": evidence.Measured, "completed": evidence.Measured, "measured": evidence.Measured,
	"failed": evidence.RunFailed, "fail": evidence.RunFailed, "error": evidence.RunFailed, "timeout": evidence.RunFailed,
	"timed out": evidence.RunFailed, "oom": evidence.RunFailed, "out of memory": evidence.RunFailed, "crashed": evidence.RunFailed,
	"rejected": evidence.RunFailed,
}

// notRun are the words for a run that never was.
var notRun = map[string]bool{"not run": true, "not_run": true, "not-run": true, "skipped": true, "missing": true}

// status reads how a run ended.
func (b *builder) status(r *run, p evidence.Pointer, n *jsondoc.Node) {
	b.record(&r.Facts, evidence.KeyRunStatus, p, n)
	s, ok := statusWords[strings.ToLower(n.Str())]
	if !ok {
		b.find(evidence.Warning, CodeStatus, p, n, fmt.Sprintf("run status %s is none we know", kindName(n)))
		return
	}
	r.Status = s
}
