package review

import (
	"context"
	"fmt"
	"slices"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/signoff"
)

// Survey reads one snapshot of the archive and makes the ground of a decision.
func (d *Desk) Survey(ctx context.Context, q Query) (*signoff.Ground, error) {
	s, err := d.survey(ctx, q, nil)
	if err != nil {
		return nil, err
	}
	return s.ground, nil
}

// survey is a ground in the making.
type survey struct {
	*world
	ground    *signoff.Ground
	candidate *arm
	control   *arm
	back      *arm
	pair      pair
	compared  compare.Comparison
	has       bool // there is a comparison
	uses      map[evidence.Digest][]string
	at        signoff.Generation
}

// survey makes the ground. With pins the comparison is that of an earlier statement: its
// runs, figures and factors, whatever the campaign has today.
func (d *Desk) survey(ctx context.Context, q Query, pins *compare.Spec) (*survey, error) {
	if !slices.Contains(signoff.Targets, q.Target) {
		return nil, fmt.Errorf("target %.40q is none of %q", string(q.Target), signoff.Targets)
	}
	figures, err := parseFigures(q.Figures)
	if err != nil {
		return nil, err
	}
	var s *survey
	err = d.Archive.Snapshot(ctx, func(ctx context.Context) error {
		w, err := d.load(ctx, q.Campaign)
		if err != nil {
			return err
		}
		w.figures = figures
		s = &survey{world: w, ground: &signoff.Ground{}, uses: map[evidence.Digest][]string{}}
		if s.at, err = d.generation(ctx); err != nil {
			return err
		}
		return s.make(ctx, q, pins)
	})
	return s, err
}

// generation is the state of the archive with the rules of this program.
func (d *Desk) generation(ctx context.Context) (signoff.Generation, error) {
	g, err := d.Records.Generation(ctx)
	g.Ruleset = compare.RulesetVersion
	return g, err
}

func (s *survey) make(ctx context.Context, q Query, pins *compare.Spec) error {
	if err := s.sides(ctx, q); err != nil {
		return err
	}
	g := s.ground
	g.Campaign, g.Title, g.Target = s.campaign.ID, s.campaign.Title, q.Target
	g.Ruleset, g.LogSize = compare.RulesetVersion, s.at.LogSize
	g.Retained, g.References = s.campaign.Retained, s.campaign.References
	steps := []func(context.Context) error{
		func(ctx context.Context) error { return s.compare(ctx, pins) },
		s.describeArms, s.remarks, s.gates, s.claims, s.contradictions, s.waivers, s.notTested, s.artifacts, s.repairs, s.changes,
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	g.Sort()
	return nil
}

// sides finds the arms that the question is about.
func (s *survey) sides(ctx context.Context, q Query) (err error) {
	if s.candidate, err = s.world.candidate(q.Candidate); err != nil {
		return err
	}
	if s.control, err = s.world.control(s.candidate, q.Control); err != nil {
		return err
	}
	s.back, s.ground.BackNote, err = s.world.back(ctx, q.Back, s.control)
	return err
}

// compare freezes the comparison of candidate and control.
func (s *survey) compare(ctx context.Context, pins *compare.Spec) error {
	if pins != nil {
		p, err := s.pinned(ctx, pins)
		if err != nil {
			return err
		}
		s.pair, s.has = p, len(p.control) > 0 && len(p.arm) > 0
	} else if s.control != nil {
		s.pair, s.has = choosePair(s.control, s.candidate, s.figures)
	}
	if !s.has {
		return nil
	}
	frozen, c, err := s.d.freeze(&s.pair)
	if err != nil {
		return err
	}
	s.compared = c
	s.ground.Comparison = evidence.Some(frozen)
	return nil
}

// pinned are the runs of an earlier comparison as they are read today. A run that is no
// longer there leaves its side without it.
func (s *survey) pinned(ctx context.Context, spec *compare.Spec) (p pair, err error) {
	p.figures, p.axes = spec.Figures, spec.Axes
	read := func(ids []string) (out compare.Repeats, err error) {
		for _, id := range ids {
			r, err := s.d.Archive.Run(ctx, id)
			if isNotFound(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			out = append(out, &r)
		}
		return out, nil
	}
	if p.control, err = read(spec.Control); err != nil {
		return p, err
	}
	if len(spec.Arms) > 0 {
		p.arm, err = read(spec.Arms[0])
	}
	return p, err
}

// describeArms puts the arms into the ground and notes what they rest on.
func (s *survey) describeArms(context.Context) error {
	var control, candidate compare.Repeats
	if s.has {
		control, candidate = s.pair.control, s.pair.arm
	}
	s.ground.Candidate = s.side(s.candidate, candidate, "candidate")
	if s.control != nil {
		s.ground.Control = evidence.Some(s.side(s.control, control, "control"))
	}
	if s.back != nil {
		runs := compare.GroupRepeats(s.back.runs)[0]
		if s.back == s.control && s.has {
			runs = control
		}
		s.ground.Back = evidence.Some(s.side(s.back, runs, "rollback"))
	}
	return nil
}

// mostStatedRuns bounds the runs that a side names; the others are counted.
const mostStatedRuns = 200

func (s *survey) side(a *arm, runs compare.Repeats, use string) signoff.Arm {
	out := signoff.Arm{Name: a.label(), ArmID: a.ids[0], Runs: runIDs(runs[:min(len(runs), mostStatedRuns)]), Identity: identity(a.head())}
	out.Source = signoff.Source{Artifact: a.head().Artifact, Pointer: a.head().ArmPlace.Pointer}
	if r := a.rejected(); r != nil {
		out.Rejected = r.Rejected
	}
	for _, r := range a.runs {
		s.use(r.Artifact, use)
	}
	for _, r := range runs {
		s.use(r.Artifact, use)
	}
	return out
}

// identity are the facts that say what the arm is.
func identity(r *evidence.RunRow) []evidence.FactRow {
	var out []evidence.FactRow
	for i := range r.Facts {
		f := &r.Facts[i]
		if c := evidence.LookupKey(f.Key).Class; (c == evidence.Identity || c == evidence.Hardware) && f.State != evidence.Absent {
			out = append(out, *f)
		}
	}
	return out
}

// useOrder is the order in which the uses of an artifact are named.
var useOrder = []string{"candidate", "control", "gates", "rollback", "limitations"}

func (s *survey) use(d evidence.Digest, use string) {
	if !slices.Contains(s.uses[d], use) {
		s.uses[d] = append(s.uses[d], use)
	}
}

// artifacts lists what the ground rests on, with a name each.
func (s *survey) artifacts(ctx context.Context) error {
	for d, uses := range s.uses {
		row, err := s.artifact(ctx, d)
		if err != nil {
			return err
		}
		slices.SortFunc(uses, func(a, b string) int { return slices.Index(useOrder, a) - slices.Index(useOrder, b) })
		x := signoff.ArtifactUse{Digest: d, Schema: row.Schema, Uses: uses}
		if len(row.Names) > 0 {
			x.Name = row.Names[0]
		}
		s.ground.Artifacts = append(s.ground.Artifacts, x)
		if row.Reader != "" {
			s.ground.Readers = append(s.ground.Readers, row.Reader)
		}
	}
	return nil
}
