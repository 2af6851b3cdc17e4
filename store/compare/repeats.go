package compare

import (
	"sort"
	"strings"

	"assay/store/evidence"
)

// Repeats are runs of one arm under one shape. The first stands for the others.
type Repeats []*evidence.RunRow

// Head is the run that stands for the arm.
func (r Repeats) Head() *evidence.RunRow { return r[0] }

// GroupRepeats joins runs that are repeats of each other: the same class and family in
// the same campaign, and no fact that describes the arm, the card or the workload
// differs. What a run brought about (completed, mean output) and where it came from (run
// id, time) may differ: that is what repeats are for. The order of first appearance
// stays.
func GroupRepeats(runs []*evidence.RunRow) []Repeats {
	at := map[string]int{}
	var out []Repeats
	for _, r := range runs {
		k := repeatKey(r)
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], r)
	}
	return out
}

// perRun are shape facts that a run measures of itself, so repeats differ in them by a
// token or two.
var perRun = map[evidence.FactKey]bool{
	evidence.KeyPromptTokens: true, evidence.KeyCachedFraction: true,
}

func repeatKey(r *evidence.RunRow) string {
	parts := make([]string, 0, len(r.Facts)+4)
	for i := range r.Facts {
		f := &r.Facts[i]
		switch evidence.LookupKey(f.Key).Class {
		case evidence.Outcome, evidence.Provenance:
			continue
		}
		if perRun[f.Key] || f.State == evidence.Absent {
			continue
		}
		parts = append(parts, string(f.Key)+"\x1f"+f.Value)
	}
	sort.Strings(parts)
	// Two rows of one document that nothing tells apart are two arms of which the document
	// does not say what differs; only runs of one arm, or of different documents, repeat.
	own := r.ArmID
	if len(r.Facts) > 0 {
		own = ""
		if sameDocumentArms(r) {
			own = r.Arm
		}
	}
	return strings.Join(append(parts, r.Campaign, r.Class, r.Family, string(r.Status), own), "\x1e")
}

// sameDocumentArms: documents that hold several arms name them, and the name is what tells
// them apart; single-run documents are named after what they served.
func sameDocumentArms(r *evidence.RunRow) bool { return r.ArmPlace.Pointer != "" }
