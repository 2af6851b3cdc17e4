package signoff

import (
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// memberKind is what a member of a policy's text holds.
type memberKind int

const (
	aText memberKind = iota
	aNumber
	aFlag
	texts
	textLists
	aTable  // [targets], in whichever form it is written
	aTables // gates
)

var kindWords = map[memberKind]string{
	aText: "a text", aNumber: "a whole number", aFlag: "true or false", texts: "a list of texts", textLists: "a list of lists of texts",
	aTable: "a table of targets", aTables: "tables [[gate]]",
}

var policyMembers = map[string]memberKind{
	"name": aText, "version": aNumber, "note": aText, "max_age_days": aNumber, "two_people": texts, "other_gates_stop": aFlag, "narrowing": texts,
	"targets": aTable, "gate": aTables,
}

var targetMembers = map[string]memberKind{string(Challenger): texts, string(Rollback): texts, string(Promotion): texts}

var gateMembers = map[string]memberKind{
	"id": aText, "title": aText, "rule": aText, "want": aText, "clear": aText, "waivable": aFlag, "names": texts, "not": texts, "parts": textLists,
	"scoped": texts, "against": texts, "back": aFlag, "score": aNumber, "canaries": aFlag, "metric": aText, "at_least": aText, "at_most": aText, "text": aText,
	"fact": aText, "form": aText, "status_fact": aText, "class": aText, "repeats": aNumber, "pass_rate": aText, "path": aText, "prompt_tokens": aNumber,
	"references": aFlag, "limitation": texts,
}

// value holds a value against the kind that its member has, and notes where its parts
// stand.
func (l *layout) value(path string, kind memberKind, v *unstable.Node) {
	switch kind {
	case aText:
		l.kind(path, kind, v.Kind == unstable.String)
	case aNumber:
		l.kind(path, kind, v.Kind == unstable.Integer)
	case aFlag:
		l.kind(path, kind, v.Kind == unstable.Bool)
	case texts:
		l.list(path, kind, aText, v)
	case textLists:
		l.list(path, kind, texts, v)
	case aTable:
		l.table(path, kind, targetMembers, v)
	case aTables:
		if !l.kind(path, kind, v.Kind == unstable.Array) {
			return
		}
		for it := v.Children(); it.Next(); {
			if it.Node().Kind != unstable.Comment {
				l.table(fmt.Sprintf("gate[%d]", l.gates), kind, gateMembers, it.Node())
				l.gates++
			}
		}
	}
}

func (l *layout) kind(path string, kind memberKind, ok bool) bool {
	if !ok {
		l.unusable = true
		l.fault(path, "want %s", kindWords[kind])
	}
	return ok
}

func (l *layout) list(path string, kind, of memberKind, v *unstable.Node) {
	if !l.kind(path, kind, v.Kind == unstable.Array) {
		return
	}
	i := 0
	for it := v.Children(); it.Next(); {
		n := it.Node()
		if n.Kind == unstable.Comment {
			continue
		}
		item := fmt.Sprintf("%s[%d]", path, i)
		if n.Raw.Length > 0 {
			l.at[item] = int(n.Raw.Offset)
		}
		l.value(item, of, n)
		i++
	}
}

func (l *layout) table(path string, kind memberKind, members map[string]memberKind, v *unstable.Node) {
	if v.Raw.Length > 0 {
		l.at[path] = int(v.Raw.Offset)
	}
	if !l.kind(path, kind, v.Kind == unstable.InlineTable) {
		return
	}
	for it := v.Children(); it.Next(); {
		if n := it.Node(); n.Kind == unstable.KeyValue {
			l.member(path, members, n)
		}
	}
}

// gatePath is the path of a gate, or of a member of it.
func gatePath(i int, member string) string {
	return strings.TrimSuffix(fmt.Sprintf("gate[%d].%s", i, member), ".")
}
