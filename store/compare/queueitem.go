package compare

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"assay/store/evidence"
)

// item puts what pairs wait for into the words of the list.
func (q *Backlog) item(w wait, n *waiting) evidence.QueueItem {
	item := evidence.QueueItem{Key: w.key, State: w.state, Pairs: n.pairs}
	lacking := map[evidence.Digest]int{}
	for g := range n.groups {
		for d, m := range g.members {
			if q.campaign[d] != w.campaign {
				continue
			}
			lacking[d] += m.runs
			item.Runs += m.runs
			if item.Example == "" || m.first < item.Example {
				item.Example = m.first
			}
		}
	}
	item.Targets = q.targets(w, n, lacking)
	item.Remedy = remedyFor(w, n, item.Targets)
	return item
}

// targets are the widest scopes in which no run knows the fact.
func (q *Backlog) targets(w wait, n *waiting, lacking map[evidence.Digest]int) []string {
	if w.campaign != "" && q.known[knows{campaign: w.campaign, key: w.key}] == 0 {
		return []string{evidence.Scope{Campaign: w.campaign}.String()}
	}
	var list []string
	for _, d := range slices.SortedFunc(maps.Keys(lacking), func(x, y evidence.Digest) int { return bytes.Compare(x[:], y[:]) }) {
		if len(list) == q.bounds.Targets {
			break
		}
		if q.known[knows{artifact: d, key: w.key}] == 0 {
			list = append(list, evidence.Scope{Artifact: d}.String())
			continue
		}
		found := places(n, d)
		list = append(list, found[:min(len(found), q.bounds.Targets-len(list))]...)
	}
	return list
}

// places are where runs of an artifact lack the fact, one for each group.
func places(n *waiting, d evidence.Digest) []string {
	var list []string
	for g := range n.groups {
		if m := g.members[d]; m != nil {
			list = append(list, m.scope.String())
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func remedyFor(w wait, n *waiting, targets []string) string {
	title := evidence.LookupKey(w.key).Title
	what := fmt.Sprintf("declare the %s (%s)", title, w.key)
	if w.state == evidence.Conflict {
		what = fmt.Sprintf("settle the %s (%s): declare which value holds, withdraw what is wrong, or add an alias if both mean the same", title, w.key)
	}
	switch {
	case len(targets) == 1:
		what += " for " + targets[0]
	case len(targets) > 1:
		what += fmt.Sprintf(" for %d places", len(targets))
	}
	if more := n.pairs - n.alone; more > 0 && n.alone > 0 {
		what += fmt.Sprintf("; %d of the pairs need it on their other side, too", more)
	} else if more > 0 {
		what += "; the pairs need it on their other side, too"
	}
	return what
}
