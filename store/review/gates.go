package review

import (
	"context"

	"assay/store/evidence"
	"assay/store/signoff"
)

// gates answers the gates of the target by the policy in force.
func (s *survey) gates(ctx context.Context) error {
	policy, err := s.d.Policies.Policy(ctx)
	if err != nil {
		return err
	}
	e, err := s.evidence(ctx)
	if err != nil {
		return err
	}
	g := s.ground
	g.Policy = policy.Ref()
	g.TwoPeople, g.MaxAgeDays = policy.Terms()
	g.Gates = policy.Judge(e, g.Target)
	for i := range g.Gates {
		for _, src := range g.Gates[i].Sources {
			if src.Artifact != (evidence.Digest{}) {
				s.use(src.Artifact, "gates")
			}
		}
	}
	return nil
}

// evidence is what the gates are answered from.
func (s *survey) evidence(ctx context.Context) (e signoff.Evidence, err error) {
	e = signoff.Evidence{Campaign: s.campaign, Documents: s.docs, Candidate: s.candidate.runs}
	if s.control != nil {
		e.Control = s.control.runs
	}
	if s.back != nil {
		e.Back = s.back.runs
	}
	if e.Repairs, _, err = s.d.Archive.Repairs(ctx, evidence.RepairFilter{Holds: true}); err != nil {
		return e, err
	}
	if e.Marks, err = s.d.Records.Marks(ctx, signoff.MarkFilter{Artifacts: s.campaign.Artifacts, Holds: true}); err != nil {
		return e, err
	}
	e.Waived, err = s.d.Policies.GateWaivers(ctx, s.campaign.ID)
	return e, err
}
