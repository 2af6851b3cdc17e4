package review

import (
	"context"

	"assay/store/signoff"
)

// Stops is what the evidence has against promoting the candidate of a ground, whoever
// would sign and whatever is acknowledged.
func (d *Desk) Stops(ctx context.Context, g *signoff.Ground) ([]Refusal, error) {
	marks, err := d.refuseMarks(ctx, g)
	return append(refusePromotion(g), marks...), err
}
