package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/store/evidence"
)

// QueueBounds limit the work of a queue. Zero fields take the defaults.
type QueueBounds struct {
	Groups    int // groups of runs that are judged against each other, the largest first
	Questions int // figures that are asked about, those of most runs first
	Targets   int // places named for one item
}

func (b QueueBounds) orDefaults() QueueBounds {
	b.Groups = cmp.Or(b.Groups, 400)
	b.Questions = cmp.Or(b.Questions, 6)
	b.Targets = cmp.Or(b.Targets, 20)
	return b
}

// maxHeld is how many groups are kept while runs come in.
const maxHeld = 4096

// Backlog finds what is unknown or in conflict and lists first what most comparisons wait
// for. It never judges all pairs: runs that say the same of everything that a verdict
// can hang on make a group, and one run of each group stands for all of it.
//
// For example 300 runs without a card and 20 with one, of equal shape, are two groups,
// three verdicts and one item: "declare gpu_product for campaign A", 50,850 pairs.
type Backlog struct {
	bounds   QueueBounds
	groups   map[string]*likeRuns
	order    []*likeRuns
	runs     int
	leftOut  int
	campaign map[evidence.Digest]string
	known    map[knows]int // runs that know a key
}

// knows is a key in an artifact or in a campaign.
type knows struct {
	artifact evidence.Digest
	campaign string
	key      evidence.FactKey
}

// member is what an artifact has in a group.
type member struct {
	runs  int
	first string // id of its first run there
	scope evidence.Scope
}

// likeRuns are runs that no verdict about knowledge tells apart.
type likeRuns struct {
	runs    []evidence.RunRow // one or two of them
	members map[evidence.Digest]*member
	size    int64
	figures map[Figure]bool
}

// NewBacklog begins a backlog; runs are added one at a time, so that an archive of any size
// can be streamed through it.
func NewBacklog(b QueueBounds) *Backlog {
	return &Backlog{
		bounds: b.orDefaults(), groups: map[string]*likeRuns{},
		campaign: map[evidence.Digest]string{}, known: map[knows]int{},
	}
}

// Queue is the backlog of runs in memory: what to repair, what opens most first.
func Queue(runs []evidence.RunRow, b QueueBounds) []evidence.QueueItem {
	q := NewBacklog(b)
	for i := range runs {
		q.Add(&runs[i])
	}
	return q.Items()
}

// Add takes one run in.
func (q *Backlog) Add(r *evidence.RunRow) {
	figures := figuresOf(r)
	if len(figures) == 0 {
		return
	}
	q.runs++
	q.campaign[r.Artifact] = r.Campaign
	for i := range r.Facts {
		if f := &r.Facts[i]; telling(f.Key) && f.State != evidence.Absent && f.State != evidence.Conflict {
			q.known[knows{artifact: r.Artifact, key: f.Key}]++
			q.known[knows{campaign: r.Campaign, key: f.Key}]++
		}
	}
	sign := signature(r, figures)
	g := q.groups[sign]
	if g == nil {
		if len(q.order) == maxHeld {
			q.leftOut++
			return
		}
		g = &likeRuns{members: map[evidence.Digest]*member{}, figures: figures}
		q.groups[sign] = g
		q.order = append(q.order, g)
	}
	g.size++
	m := g.members[r.Artifact]
	if m == nil {
		m = &member{first: r.ID, scope: r.Scope()}
		g.members[r.Artifact] = m
	}
	m.runs++
	if len(g.runs) < 2 {
		g.runs = append(g.runs, *r)
	}
}

// Bounded says in a sentence what the bounds left out; "" when nothing was.
func (q *Backlog) Bounded() string {
	left := q.leftOut
	for _, g := range q.judged()[min(q.bounds.Groups, len(q.order)):] {
		left += int(g.size)
	}
	if left == 0 {
		return ""
	}
	return fmt.Sprintf("counted over the %d largest of %d groups of like runs; %d of %d runs are not in them",
		min(q.bounds.Groups, len(q.order)), len(q.order), left, q.runs)
}

// judged are the groups, the largest first.
func (q *Backlog) judged() []*likeRuns {
	list := slices.Clone(q.order)
	slices.SortStableFunc(list, func(x, y *likeRuns) int { return cmp.Compare(y.size, x.size) })
	return list
}

// wait is what pairs wait for: one key of the runs of one campaign.
type wait struct {
	key      evidence.FactKey
	campaign string
	state    evidence.State
}

// waiting counts what waits.
type waiting struct {
	pairs, alone int64 // alone: this one declaration is enough
	groups       map[*likeRuns]bool
}

// Items judges the groups and lists what a person could repair.
func (q *Backlog) Items() []evidence.QueueItem {
	groups := q.judged()
	groups = groups[:min(q.bounds.Groups, len(groups))]
	found := map[wait]*waiting{}
	for _, f := range q.questions(groups) {
		q.ask(f, groups, found)
	}
	items := make([]evidence.QueueItem, 0, len(found))
	for w, n := range found {
		items = append(items, q.item(w, n))
	}
	slices.SortFunc(items, func(x, y evidence.QueueItem) int {
		return cmp.Or(cmp.Compare(y.Pairs, x.Pairs), cmp.Compare(y.Runs, x.Runs), strings.Compare(string(x.Key), string(y.Key)),
			slices.Compare(x.Targets, y.Targets), strings.Compare(string(x.State), string(y.State)))
	})
	return items
}

// questions are the figures that most runs have, one statistic for each metric.
func (q *Backlog) questions(groups []*likeRuns) []Figure {
	runs := map[Figure]int64{}
	for _, g := range groups {
		for f := range g.figures {
			runs[f] += g.size
		}
	}
	all := slices.SortedFunc(maps.Keys(runs), func(x, y Figure) int {
		return cmp.Or(cmp.Compare(runs[y], runs[x]), cmp.Compare(statRank(x.Stat), statRank(y.Stat)), compareFigures(x, y))
	})
	var list []Figure
	for _, f := range all {
		if len(list) == q.bounds.Questions {
			break
		}
		if !slices.ContainsFunc(list, func(x Figure) bool { return x.Metric == f.Metric }) {
			list = append(list, f)
		}
	}
	return list
}

func statRank(s evidence.Stat) int {
	if i := slices.Index(evidence.Stats, s); i >= 0 {
		return i
	}
	return len(evidence.Stats)
}

// ask judges one figure over the groups that have it.
func (q *Backlog) ask(f Figure, groups []*likeRuns, found map[wait]*waiting) {
	var have []*likeRuns
	var runs []evidence.RunRow
	var second []int // where a group's second run stands, -1 without one
	for _, g := range groups {
		if g.figures[f] {
			have = append(have, g)
			runs = append(runs, g.runs[0])
		}
	}
	for _, g := range have {
		if len(g.runs) > 1 {
			second = append(second, len(runs))
			runs = append(runs, g.runs[1])
		} else {
			second = append(second, -1)
		}
	}
	panel := NewPanel(runs, Question{Metric: f.Metric, Stat: f.Stat})
	for i := range have {
		if second[i] >= 0 && panel.Verdict(i, second[i]) == Unknown {
			q.count(panel.Judge(i, second[i]), have[i], have[i], found)
		}
		for j := i + 1; j < len(have); j++ {
			if have[i].runs[0].Class == have[j].runs[0].Class && panel.Verdict(i, j) == Unknown {
				q.count(panel.Judge(i, j), have[i], have[j], found)
			}
		}
	}
}
