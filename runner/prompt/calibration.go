package prompt

import (
	"fmt"

	"assay/runner/workload"
)

// Calibration is how much text makes a prompt of a step's target, as the endpoint counts.
type Calibration struct {
	Requests  int     // asked for it
	Base      float64 // tokens around the text: chat template, system message
	PerToken  float64 // characters of text to a token
	Counted   int64   // tokens of the last prompt of full length
	Low, High int64   // of all prompts of full length that were aimed alike
	Tolerance int64   // tokens by which a prompt may miss the target
	PerChunk  bool    // the endpoint takes the members that ask for the tokens of each chunk

	maker *Maker
	step  workload.Step
	model model
	aim   int64
}

// Set gives the requests of one repeat. So many are made now; others when they are asked
// for, and all of them where they would take too much room.
func (c *Calibration) Set(step workload.Step, repeat int, planned int) (*Set, error) {
	m := c.maker
	if step.Name != c.step.Name || step.Target != c.step.Target {
		return nil, fmt.Errorf("prompts: the calibration of step %q is not for step %q", c.step.Name, step.Name)
	}
	number, err := m.stepNumber(step)
	if err != nil {
		return nil, err
	}
	slot, err := slotOf(number, repeat)
	if err != nil {
		return nil, err
	}
	e, err := newEnvelope(m.w, m.model, m.w.Output.Cap+m.w.Thinking.Tokens, m.w.Output.Mode == workload.Forced, c.PerChunk)
	if err != nil {
		return nil, err
	}
	s := &Set{maker: m, target: step.Target, name: step.Name, repeat: repeat, envelope: e, slot: slot, issued: m.codesOf(slot)}
	s.recipe = recipe{model: c.model, seed: m.seedOf(step, repeat), aim: c.aim, slot: slot, needle: m.needles}
	s.authors.New = func() any { return newAuthor(m.w.Prompt.Kind) }
	a := newAuthor(m.w.Prompt.Kind)
	if err := m.prefix(a, &s.recipe, 0); err != nil {
		return nil, c.cannot(err)
	}
	if err := s.prepare(a, planned); err != nil {
		return nil, c.cannot(err)
	}
	return s, nil
}

func (c *Calibration) cannot(err error) error {
	return fmt.Errorf("prompts: step %q: no prompt of %d tokens: %w", c.step.Name, c.step.Target, err)
}
