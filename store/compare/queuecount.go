package compare

import "assay/store/evidence"

// count adds the pairs between two groups that wait for one key.
func (q *Backlog) count(j Judgement, a, b *likeRuns, found map[wait]*waiting) {
	var only *Reason
	for i := range j.Reasons {
		r := &j.Reasons[i]
		if r.Verdict != Unknown {
			continue
		}
		if r.Key == "" || only != nil && only.Key != r.Key {
			return
		}
		only = r
	}
	if only == nil {
		return
	}
	left, right := missingOn(only.Left), missingOn(only.Right)
	if left == "" && right == "" {
		return
	}
	if a == b {
		q.within(only.Key, left, a, found)
		return
	}
	q.between(only.Key, a, b, left, right, found)
}

// missingOn is how a side does not know: absent, in conflict, or "" when it knows.
func missingOn(s Side) evidence.State {
	switch {
	case s.State == evidence.Conflict:
		return evidence.Conflict
	case !s.Known:
		return evidence.Absent
	}
	return ""
}

func (q *Backlog) perCampaign(g *likeRuns) map[string]int64 {
	n := map[string]int64{}
	for d, c := range g.members {
		n[q.campaign[d]] += int64(c.runs)
	}
	return n
}

func (q *Backlog) within(k evidence.FactKey, s evidence.State, g *likeRuns, found map[wait]*waiting) {
	if s == "" {
		return
	}
	for campaign, n := range q.perCampaign(g) {
		w := waitingFor(found, wait{k, campaign, s}, g)
		w.alone += n * (n - 1) / 2
		w.pairs += n*(n-1)/2 + n*(g.size-n)
	}
}

func (q *Backlog) between(k evidence.FactKey, a, b *likeRuns, left, right evidence.State, found map[wait]*waiting) {
	inA, inB := q.perCampaign(a), q.perCampaign(b)
	if left != "" {
		for campaign, n := range inA {
			w := waitingFor(found, wait{k, campaign, left}, a)
			w.pairs += n * b.size
			if right == "" {
				w.alone += n * b.size
			} else if right == left {
				w.alone += n * inB[campaign]
			}
		}
	}
	if right != "" {
		for campaign, n := range inB {
			w := waitingFor(found, wait{k, campaign, right}, b)
			counted := int64(0)
			if left == right {
				counted = inA[campaign] // those pairs are counted from the other side
			}
			w.pairs += n * (a.size - counted)
			if left == "" {
				w.alone += n * a.size
			}
		}
	}
}

func waitingFor(found map[wait]*waiting, w wait, g *likeRuns) *waiting {
	n := found[w]
	if n == nil {
		n = &waiting{groups: map[*likeRuns]bool{}}
		found[w] = n
	}
	n.groups[g] = true
	return n
}
