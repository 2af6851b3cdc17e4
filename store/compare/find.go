package compare

import (
	"fmt"
	"strings"

	"assay/store/evidence"
)

// Candidates are the runs that a place could mean, where it does not mean one.
type Candidates struct {
	Metric  evidence.MetricID
	Stat    evidence.Stat
	Pointer evidence.Pointer
	// Runs carry the metric and fit the place as well as each other; none when no run
	// there carries it.
	Runs []*evidence.RunRow
	// Here are the runs at the place when none of them carries the metric.
	Here []*evidence.RunRow
	// Carriers are the other runs of the artifact that carry the metric.
	Carriers []*evidence.RunRow
}

// maxListed bounds the runs that an error names.
const maxListed = 20

func (c *Candidates) Error() string {
	what := strings.TrimSpace(string(c.Metric) + " " + string(c.Stat))
	list, lead := c.Runs, fmt.Sprintf("%q leads to %d runs that carry %s", string(c.Pointer), len(c.Runs), what)
	if len(c.Runs) == 0 {
		list, lead = c.Carriers, fmt.Sprintf("no run at %q carries %s", string(c.Pointer), what)
	}
	if len(list) == 0 {
		return lead
	}
	var words []string
	for _, r := range list[:min(len(list), maxListed)] {
		words = append(words, fmt.Sprintf("%s at %q (%s)", r.ID, string(r.Place.Pointer), r.Name))
	}
	if len(list) > maxListed {
		words = append(words, fmt.Sprintf("and %d more", len(list)-maxListed))
	}
	return lead + "; name one of: " + strings.Join(words, ", ")
}

// FindRun finds the run of an artifact that a pointer names: the run read from that
// place, else the run that lies under it or contains it, else the run whose figure
// stands there, as long as exactly one such run carries the metric.
func FindRun(runs []evidence.RunRow, at evidence.Pointer, m evidence.MetricID, s evidence.Stat) (*evidence.RunRow, error) {
	carriers := carrying(runs, m, s)
	for _, fits := range []func(*evidence.RunRow) bool{
		func(r *evidence.RunRow) bool { return r.Place.Pointer == at },
		func(r *evidence.RunRow) bool { return r.Place.Pointer.Under(at) },
		func(r *evidence.RunRow) bool { return at.Under(r.Place.Pointer) },
		func(r *evidence.RunRow) bool { return figureAt(r, at, m) },
	} {
		var found []*evidence.RunRow
		for _, r := range carriers {
			if fits(r) {
				found = append(found, r)
			}
		}
		found = innermost(found, at)
		if len(found) == 1 {
			return found[0], nil
		}
		if len(found) > 1 {
			return nil, &Candidates{Metric: m, Stat: s, Pointer: at, Runs: found}
		}
	}
	return nil, &Candidates{Metric: m, Stat: s, Pointer: at, Carriers: carriers, Here: runsAt(runs, at)}
}

// runsAt are the runs that a pointer names whatever they carry.
func runsAt(runs []evidence.RunRow, at evidence.Pointer) []*evidence.RunRow {
	for _, fits := range []func(*evidence.RunRow) bool{
		func(r *evidence.RunRow) bool { return r.Place.Pointer == at },
		func(r *evidence.RunRow) bool { return r.Place.Pointer.Under(at) },
		func(r *evidence.RunRow) bool { return at.Under(r.Place.Pointer) },
	} {
		var found []*evidence.RunRow
		for i := range runs {
			if fits(&runs[i]) {
				found = append(found, &runs[i])
			}
		}
		if found = innermost(found, at); len(found) > 0 {
			return found
		}
	}
	return nil
}

// innermost narrows runs that contain a place to the ones closest to it.
func innermost(runs []*evidence.RunRow, at evidence.Pointer) []*evidence.RunRow {
	longest := -1
	for _, r := range runs {
		if at.Under(r.Place.Pointer) {
			longest = max(longest, len(r.Place.Pointer))
		}
	}
	if longest < 0 {
		return runs
	}
	var out []*evidence.RunRow
	for _, r := range runs {
		if len(r.Place.Pointer) == longest || r.Place.Pointer.Under(at) {
			out = append(out, r)
		}
	}
	return out
}

// carrying lists the runs with a primary figure of the metric: those with the statistic
// asked for where there are any. A slot without a value counts, for the reason why it
// has none is what must then be said.
func carrying(runs []evidence.RunRow, m evidence.MetricID, s evidence.Stat) []*evidence.RunRow {
	var exact, near, all []*evidence.RunRow
	for i := range runs {
		r := &runs[i]
		best := 0
		for j := range r.Measurements {
			x := &r.Measurements[j]
			switch {
			case x.Role != evidence.Primary || x.Metric != m:
			case x.Stat == s:
				best = 3
			case x.Stat == evidence.Single && ofMany(s):
				best = max(best, 2)
			default:
				best = max(best, 1)
			}
		}
		switch best {
		case 3:
			exact = append(exact, r)
		case 2:
			near = append(near, r)
		}
		if best > 0 {
			all = append(all, r)
		}
	}
	switch {
	case s == "":
		return all
	case len(exact) > 0:
		return exact
	case len(near) > 0:
		return near
	}
	return all
}

// figureAt reports whether a primary figure of the metric stands at or under a place.
func figureAt(r *evidence.RunRow, at evidence.Pointer, m evidence.MetricID) bool {
	for i := range r.Measurements {
		x := &r.Measurements[i]
		if x.Metric == m && x.Role == evidence.Primary && (x.Place.Pointer.Under(at) || at.Under(x.Place.Pointer)) {
			return true
		}
	}
	return false
}

// ofMany reports whether a statistic is taken over several observations, so that one
// observation gives "single" in its place.
func ofMany(s evidence.Stat) bool {
	switch s {
	case evidence.Total, evidence.Single, "":
		return false
	}
	return true
}
