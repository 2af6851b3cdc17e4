package measure

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/shirou/gopsutil/v4/process"

	"assay/ingest/artifact"
	"assay/runner/engine"
	"assay/runner/gpu"
	"assay/store/evidence"
)

// cards are the cards of this machine and which of them execute the arm.
type cards struct {
	driver gpu.Driver // nil: nobody can be asked
	why    string     // there is no driver
	fault  error      // what was asked for cannot be
	all    []gpu.Card
	links  []gpu.Link
	// measured are indices of the cards that execute the arm; how says how that is known, or
	// why it is not.
	measured []int
	how      string
	local    bool         // the cards are those of the engine's machine
	own      map[int]bool // PIDs of the engine
}

// openCards asks the driver, and finds the cards of the engine: those that were named; else
// those on which its processes run; else the only one, when the engine runs here.
func openCards(o *Options, id *engine.Identity) cards {
	c, named := cards{own: family(id.PID), local: id.Local}, o.Cards
	d, err := o.driver(o.NVML)
	if err != nil {
		c.why = err.Error()
		var none *gpu.Unavailable
		if len(named) > 0 || o.NVML != "" || !errors.As(err, &none) {
			c.fault = fmt.Errorf("cards: %w", err)
		}
		return c
	}
	c.driver = d
	if c.all, err = d.Cards(); err != nil {
		c.fault = fmt.Errorf("cards: %w", err)
		return c
	}
	c.links, _ = d.Links() // a driver that knows no links has none to tell
	c.choose(named, id)
	return c
}

func (c *cards) choose(named []string, id *engine.Identity) {
	for _, uuid := range named {
		i := slices.IndexFunc(c.all, func(x gpu.Card) bool { return x.UUID == uuid })
		if i < 0 {
			var have []string
			for _, x := range c.all {
				have = append(have, x.UUID)
			}
			c.fault = fmt.Errorf("card %.60q is not in this machine (there are %s)", uuid, join(have))
			return
		}
		if !slices.Contains(c.measured, i) {
			c.measured = append(c.measured, i)
		}
	}
	if len(c.measured) > 0 {
		slices.Sort(c.measured)
		c.how = "named by the one who ran it"
		return
	}
	for i := range c.all {
		list, err := c.driver.Processes(i)
		if err == nil && slices.ContainsFunc(list, func(p gpu.Process) bool { return c.own[p.PID] }) {
			c.measured = append(c.measured, i)
		}
	}
	switch {
	case len(c.measured) > 0:
		c.how = fmt.Sprintf("the engine's processes (%d and below) run there", id.PID)
	case id.Local && len(c.all) == 1:
		c.measured, c.how = []int{0}, "the only card of the machine that the engine runs on"
	case id.Local:
		c.how = "none of the cards shows a process of the engine; name them"
	default:
		c.how = "the engine runs elsewhere: the cards of this machine are not its own"
	}
}

// family is a process and all below it.
func family(pid int) map[int]bool {
	out := map[int]bool{}
	if pid <= 0 {
		return out
	}
	out[pid] = true
	p, err := process.NewProcess(int32(pid))
	if err != nil {
		return out
	}
	const most = 4096
	for todo := []*process.Process{p}; len(todo) > 0 && len(out) < most; {
		children, _ := todo[0].Children() // none, or one that has gone meanwhile
		todo = todo[1:]
		for _, c := range children {
			if !out[int(c.Pid)] {
				out[int(c.Pid)] = true
				todo = append(todo, c)
			}
		}
	}
	return out
}

func (c *cards) close() {
	if c.driver != nil {
		_ = c.driver.Close()
	}
}

// Names of the moments between which energy is added up.
const (
	markMeasure = "measure"
	markEnd     = "end"
)

// cardWatch is the cards being sampled during one repeat; nil where there is no driver.
type cardWatch struct {
	*cards
	sampler *gpu.Sampler
	raw     *sidecar
	others  map[int][]string // names of processes that are not the engine's, by card
	record  *gpu.Recording
	start   time.Duration // of the run, on the sampler's clock
}

func (c *cards) sample(ctx context.Context, folder, name string) (*cardWatch, error) {
	if c.driver == nil || len(c.all) == 0 {
		return nil, nil
	}
	raw, err := newSidecar(folder, name+".cards.csv.gz", "every look at every card")
	if err != nil {
		return nil, err
	}
	s := &cardWatch{cards: c, raw: raw, others: map[int][]string{}}
	s.look()
	if s.sampler, err = gpu.Start(ctx, c.driver, gpu.Options{Raw: raw}); err != nil {
		raw.drop()
		return nil, fmt.Errorf("cards: %w", err)
	}
	return s, nil
}

// look notes who else uses the cards.
func (s *cardWatch) look() {
	for i := range s.all {
		list, err := s.driver.Processes(i)
		if err != nil {
			continue
		}
		for _, p := range foreign(list, s.own) {
			name := fmt.Sprintf("process %d", p.PID)
			if x, err := process.NewProcess(int32(p.PID)); err == nil {
				if n, err := x.Name(); err == nil && n != "" {
					name = clip(n, 100)
				}
			}
			if !slices.Contains(s.others[i], name) {
				s.others[i] = append(s.others[i], name)
			}
		}
	}
}

func (s *cardWatch) since() time.Duration {
	if s == nil {
		return 0
	}
	return s.sampler.Since()
}

// mark names this moment; two marks a repeat are never too many.
func (s *cardWatch) mark(name string) {
	if s != nil {
		_ = s.sampler.Mark(name)
	}
}

func (s *cardWatch) watts() []evidence.Opt[float64] {
	if s == nil {
		return nil
	}
	var out []evidence.Opt[float64]
	for _, r := range s.sampler.Latest() {
		out = append(out, r.V.Power)
	}
	return out
}

// stop ends the sampling; start is where the run began on the sampler's clock.
func (s *cardWatch) stop(start time.Duration) (*artifact.Sidecar, error) {
	if s == nil {
		return nil, nil
	}
	var err error
	s.start = start
	if s.record, err = s.sampler.Stop(); err != nil {
		s.raw.drop()
		return nil, err
	}
	s.look()
	s.raw.holds = fmt.Sprintf("every look at every card; the run began at at_ns = %d", start.Nanoseconds())
	file, err := s.raw.close()
	return &file, err
}

func (s *cardWatch) drop() {
	if s != nil && s.record == nil {
		_, _ = s.sampler.Stop()
		s.raw.drop()
	}
}

// stretch is the measured window of a card, or why there is none.
func (s *cardWatch) stretch(card int) (*gpu.Stretch, string) {
	for i := range s.record.Cards[card].Stretches {
		x := &s.record.Cards[card].Stretches[i]
		if x.From == markMeasure && x.To == markEnd {
			return x, ""
		}
	}
	return nil, "no request was measured"
}
