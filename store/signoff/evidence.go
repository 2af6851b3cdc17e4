package signoff

import (
	"regexp"
	"slices"
	"strings"

	"assay/store/evidence"
)

// Evidence is what a policy's gates are answered from: one campaign and its candidate,
// from one snapshot.
type Evidence struct {
	Campaign  evidence.CampaignDetail
	Documents []evidence.DocumentDetail
	Candidate []*evidence.RunRow // its runs
	Control   []*evidence.RunRow
	Back      []*evidence.RunRow // of the rollback target
	Repairs   []evidence.Repair  // that hold
	Marks     []Mark             // superseded and invalidated artifacts
	Waived    []GateWaiver       // gates that a person set aside
}

// GateWaiver sets one gate of one campaign aside: who, and why.
type GateWaiver struct {
	ID               int64
	Campaign         string
	Gate             string
	Author, Reason   string
	AtUS             int64
	WithdrawnBy, Why string
	WithdrawnUS      int64
}

// Holds says whether the waiver is in force.
func (w *GateWaiver) Holds() bool { return w.WithdrawnUS == 0 }

// judging is the evidence with whose arms are whose. Its runs of the candidate are those
// of artifacts that still stand.
type judging struct {
	*Evidence
	runs       []*evidence.RunRow // of the candidate
	ids        map[string]bool    // arm ids of the candidate
	own, other []string           // names of its arm, and of all others in the campaign
	ownWords   map[string]bool    // words that name a configuration: "tp2", "mtp3"
	otherWords map[string]bool
}

func newJudging(e *Evidence) *judging {
	j := &judging{Evidence: e, ids: map[string]bool{}, ownWords: map[string]bool{}, otherWords: map[string]bool{}}
	for _, r := range e.Candidate {
		if r.ArmID != "" {
			j.ids[r.ArmID] = true
		}
		addName(&j.own, r.Arm)
		addWords(j.ownWords, r)
		if !e.void(r.Artifact) {
			j.runs = append(j.runs, r)
		}
	}
	for i := range e.Documents {
		for k := range e.Documents[i].RunRows {
			if r := &e.Documents[i].RunRows[k]; !j.mine(r) {
				addWords(j.otherWords, r)
				if !slices.Contains(j.own, r.Arm) {
					addName(&j.other, r.Arm)
				}
			}
		}
	}
	return j
}

func addName(list *[]string, name string) {
	if name != "" && !slices.Contains(*list, name) {
		*list = append(*list, name)
	}
}

// configuration is a word that stands for one setting of an arm: letters with a number.
var configuration = regexp.MustCompile(`^[a-z]{1,12}[0-9]{1,6}[a-z]{0,4}$`)

var settings = []struct {
	key  evidence.FactKey
	word string
}{{evidence.KeyTP, "tp"}, {evidence.KeyDP, "dp"}, {evidence.KeyMTPDepth, "mtp"}}

func addWords(into map[string]bool, r *evidence.RunRow) {
	for _, w := range phrase(r.Arm) {
		if configuration.MatchString(w) {
			into[w] = true
		}
	}
	for _, s := range settings {
		if f, ok := r.Fact(s.key); ok && f.Value != "" {
			into[s.word+f.Value] = true
		}
	}
}

// mine reports whether a run is of the candidate.
func (j *judging) mine(r *evidence.RunRow) bool {
	if r.ArmID != "" && len(j.ids) > 0 {
		return j.ids[r.ArmID]
	}
	return slices.Contains(j.own, r.Arm)
}

// void reports whether an artifact was superseded or invalidated.
func (e *Evidence) void(d evidence.Digest) bool {
	for i := range e.Marks {
		if e.Marks[i].Artifact == d && e.Marks[i].Holds() {
			return true
		}
	}
	return false
}

// about reports whether what a document says can be meant of the candidate: it has runs
// of it, or no runs at all and names no other arm as what was served. A document about
// other arms, or one that was taken back or replaced, answers nothing.
func (j *judging) about(d *evidence.DocumentDetail) bool {
	if j.void(d.Artifact) {
		return false
	}
	for k := range d.RunRows {
		if j.mine(&d.RunRows[k]) {
			return true
		}
	}
	if len(d.RunRows) > 0 {
		return false
	}
	for k := range d.Facts {
		if f := &d.Facts[k]; f.Key == evidence.KeyServedModel && slices.Contains(j.other, f.Value) {
			return false
		}
	}
	return true
}

// otherArm reports whether a gate of a source speaks of another arm of the campaign and
// not of the candidate: by its name, by the arm that its detail is, or by a setting.
func (j *judging) otherArm(row *evidence.GateRow) bool {
	name, detail := phrase(row.Name), strings.TrimSpace(row.Detail)
	switch {
	case has(name, j.own) || slices.Contains(j.own, detail):
		return false
	case has(name, j.other) || slices.Contains(j.other, detail):
		return true
	}
	return j.settingOfOthers(name)
}

// settingOfOthers reports whether words name settings that only other arms have.
func (j *judging) settingOfOthers(words []string) bool {
	theirs := false
	for _, w := range words {
		if j.ownWords[w] {
			return false
		}
		theirs = theirs || j.otherWords[w]
	}
	return theirs
}
