package signoff

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
)

// Digest is of everything in the ground but how long the log was and what changed since
// the last decision: those follow from other decisions, not from the evidence.
func (g *Ground) Digest() string {
	x := *g
	x.LogSize, x.Changes = 0, nil
	b, err := json.Marshal(&x)
	if err != nil {
		panic("signoff: a ground that is no JSON: " + err.Error()) // it holds plain values
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Sort brings what has no order of its own into one, so that the same archive gives the
// same bytes.
func (g *Ground) Sort() {
	slices.SortFunc(g.Artifacts, func(a, b ArtifactUse) int { return strings.Compare(a.Digest.String(), b.Digest.String()) })
	slices.SortFunc(g.Repairs, func(a, b RepairUse) int { return int(a.ID - b.ID) })
	slices.Sort(g.Readers)
	g.Readers = slices.Compact(g.Readers)
	slices.Sort(g.Waivers)
	g.Waivers = slices.Compact(g.Waivers)
}
