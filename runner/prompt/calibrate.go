package prompt

import (
	"context"
	"errors"
	"fmt"
	"time"

	"assay/runner/load"
	"assay/runner/workload"
)

// Bounds of a calibration.
const (
	mostAsked   = 24
	mostRetries = 2 // of a request whose connection broke
	firstProbes = 8
	laterProbes = 2    // where other steps were counted already
	probeTokens = 640  // short ones, at most
	shortTarget = 1024 // up to it prompts are cheap and chance weighs most
	longTarget  = 8192 // above it each prompt costs a long prefill
	mostSeen    = 256  // counts that the model is fitted to
)

// confirmations in a row that a target takes.
func confirmations(target int64) int {
	switch {
	case target <= shortTarget:
		return 6
	case target <= longTarget:
		return 3
	}
	return 2
}

// counter asks one endpoint for the tokens of one step's prompts.
type counter struct {
	*Maker
	ctx      context.Context
	client   *load.Client
	clock    load.Clock
	step     workload.Step
	envelope envelope
	author   *author
	recipe   recipe
	asked    int // requests, those sent again among them
	made     int // prompts: which they are must not hang on connections that broke
	of       int
	tell     func(done, of int)
}

// Calibrate finds how much text makes a prompt of the step's target. Short prompts fit the
// model; prompts of full length correct it and confirm it. It is not for several goroutines
// at once.
func (m *Maker) Calibrate(ctx context.Context, client *load.Client, step workload.Step, progress func(done, of int)) (*Calibration, error) {
	if _, err := m.stepNumber(step); err != nil {
		return nil, err
	}
	if progress == nil {
		progress = func(int, int) {}
	}
	c := &counter{Maker: m, ctx: ctx, client: client, clock: load.NewClock(time.Now()), step: step, author: newAuthor(m.w.Prompt.Kind), tell: progress}
	c.recipe = recipe{seed: m.seedOf(step, -1), slot: countSlot, count: true}
	if err := c.enclose(); err != nil {
		return nil, err
	}
	probes := laterProbes
	if len(m.seen) == 0 {
		probes = firstProbes
	}
	c.of = probes + confirmations(step.Target)
	for i := range probes {
		if err := c.probe(i, probes); err != nil {
			return nil, err
		}
	}
	return c.confirm()
}

func (c *counter) enclose() (err error) {
	c.envelope, err = newEnvelope(c.w, c.model, 1, false, c.perChunk)
	return err
}

// probe counts a short prompt, without needles and without a shared prefix.
func (c *counter) probe(i, of int) error {
	c.recipe.model = fit(c.seen)
	least := c.least(&c.recipe) * 5 / 4
	most := max(least, min(c.step.Target, probeTokens)*milli)
	c.recipe.aim = most
	if of > 1 {
		c.recipe.aim = least + (most-least)*int64(i)/int64(of-1)
	}
	_, _, err := c.count()
	return err
}

// confirm counts prompts of full length until enough of them in a row lie within the
// tolerance. What they miss on the average moves the aim.
func (c *counter) confirm() (*Calibration, error) {
	target, tolerance := c.step.Target, c.tolerance(c.step.Target)
	out := &Calibration{Tolerance: tolerance, maker: c.Maker, step: c.step}
	c.recipe.needle = c.needles
	c.recipe.model = fit(c.seen)
	c.recipe.aim = target * milli
	need, run, missed := confirmations(target), 0, int64(0)
	var low, high int64
	for n := int64(1); run < need; n++ {
		if c.asked+need-run > mostAsked {
			return nil, fmt.Errorf("prompts: step %q: the endpoint counts %d tokens (%d to %d since the last correction) where %d, give or take %d, were aimed at; given up after %d requests: a wider tolerance, or longer prompts, would do",
				c.step.Name, out.Counted, low, high, target, tolerance, c.asked)
		}
		if err := c.prefix(c.author, &c.recipe, c.made); err != nil {
			return nil, c.unmade(err)
		}
		tokens, estimate, err := c.count()
		if err != nil {
			return nil, err
		}
		if run == 0 {
			low, high = tokens, tokens
		}
		out.Counted, low, high = tokens, min(low, tokens), max(high, tokens)
		missed += tokens*milli - estimate
		c.recipe.aim = target*milli - missed/n
		if run++; tokens < target-tolerance || tokens > target+tolerance {
			run = 0
			c.of = max(c.of, c.asked+need)
		}
	}
	out.Requests, out.Low, out.High, out.PerChunk = c.asked, low, high, c.perChunk
	out.model, out.aim = c.recipe.model, c.recipe.aim
	out.Base = float64(out.model.base) / milli
	out.PerToken = c.charsPerToken()
	return out, nil
}

// charsPerToken of the last prompt, without what is around it.
func (c *counter) charsPerToken() float64 {
	return float64(len(c.author.text)) * milli / float64(max(1, c.author.spent))
}

func (c *counter) unmade(err error) error {
	if errors.Is(err, errTooShort) {
		return fmt.Errorf("prompts: step %q: no prompt of %d tokens can be made, %w (about %d tokens)", c.step.Name, c.step.Target, err, c.least(&c.recipe)/milli)
	}
	return fmt.Errorf("prompts: step %q: %w", c.step.Name, err)
}

// count asks for one prompt and gives its tokens beside the estimate.
func (c *counter) count() (tokens, estimate int64, err error) {
	if err := c.compose(c.author, &c.recipe, c.made); err != nil {
		return 0, 0, c.unmade(err)
	}
	c.made++
	estimate = c.recipe.model.base + c.author.spent
	rec, err := c.ask()
	if err != nil {
		return 0, 0, err
	}
	if !rec.Usage.Prompt.OK || rec.Usage.Prompt.V <= 0 {
		return 0, 0, fmt.Errorf("prompts: step %q: the endpoint's answers report no prompt tokens (usage): no prompt can be brought to a length, and no rate of tokens measured", c.step.Name)
	}
	o := observation{c.author.f, rec.Usage.Prompt.V}
	if c.seen = append(c.seen, o); len(c.seen) > mostSeen {
		c.seen = c.seen[1:]
	}
	return o.tokens, estimate, nil
}

// ask sends the author's text. A connection that broke is no answer: the request is sent
// again. An endpoint that refuses the first request may mind the members that ask for
// counts along; then it is asked without them.
func (c *counter) ask() (*load.Record, error) {
	for try := 0; ; try++ {
		if c.asked == mostAsked {
			return nil, fmt.Errorf("prompts: step %q: given up after %d requests", c.step.Name, c.asked)
		}
		rec := &load.Record{Index: c.asked}
		c.client.Do(c.ctx, c.clock, &load.Request{API: c.w.API, Body: c.envelope.body(c.author.text)}, rec)
		if c.ctx.Err() != nil {
			return nil, fmt.Errorf("prompts: counting stopped: %w", c.ctx.Err())
		}
		c.asked++
		c.of = max(c.of, c.asked)
		c.tell(c.asked, c.of)
		switch {
		case rec.Class.Delivered():
			c.answered = true
			return rec, nil
		case !c.answered && c.perChunk && (rec.Status == 400 || rec.Status == 422):
			c.perChunk = false
			if err := c.enclose(); err != nil {
				return nil, err
			}
		case (rec.Class == load.Reset || rec.Class == load.HalfClosed) && try < mostRetries:
		default:
			c.perChunk = c.perChunk || !c.answered // it was not these members that were minded
			return nil, c.refused(rec)
		}
	}
}

// refused is an error in the endpoint's words.
func (c *counter) refused(rec *load.Record) error {
	about := (c.recipe.model.base + c.author.spent) / milli
	hint := ""
	switch rec.Status {
	case 401, 403:
		hint = "the endpoint does not accept the key: "
	case 404:
		hint = fmt.Sprintf("the endpoint does not serve the %s API or the model %.100q: ", c.w.API, c.model)
	case 400, 413, 422:
		hint = fmt.Sprintf("the endpoint refuses a prompt of about %d tokens: ", about)
	}
	return fmt.Errorf("prompts: step %q, counting request %d: %s%s: %s", c.step.Name, c.asked, hint, rec.Class, rec.Cause)
}
