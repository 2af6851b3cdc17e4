package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"assay/ingest/artifact"
	"assay/runner/engine"
	"assay/runner/host"
	"assay/runner/load"
	"assay/runner/load/document"
	"assay/runner/preflight"
	"assay/runner/prompt"
	"assay/runner/workload"
)

// session is one arm under one workload while it lasts.
type session struct {
	o     Options
	w     *workload.Workload
	began time.Time

	engine      *engine.Identity
	host        artifact.Host
	cards       cards
	maker       *prompt.Maker
	calibration *artifact.Calibration
	clientCan   *load.Calibration
	prompts     map[string]counted // by step
	asked       int64              // requests that the engine answered before the repeat at hand
	work        work

	mu     sync.Mutex // of state
	state  State
	report Report
}

// counted is what became of counting the prompts of a step.
type counted struct {
	calibration *prompt.Calibration
	fault       error
}

// errStopped is how a session ends that somebody stopped.
var errStopped = errors.New("stopped from outside")

// Run carries out a session. An error means that nothing could be measured, or that what
// was measured could not be kept; requests and steps that failed are findings in the
// artifacts. When ctx ends, what there is is written as aborted and the report says so.
func Run(ctx context.Context, o Options) (*Report, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	o.fill()
	if err := os.MkdirAll(o.Folder, 0o755); err != nil {
		return nil, fmt.Errorf("measure: %w", err)
	}
	s := &session{o: o, w: o.Workload, began: o.Now(), prompts: map[string]counted{}}
	s.state = State{Steps: len(s.w.Steps), Repeats: s.w.Repeats}
	s.work.plan(s.w)
	defer s.cards.close()
	err := s.run(ctx)
	if errors.Is(err, errStopped) {
		s.report.Interrupted, err = true, nil
	}
	if err != nil {
		return &s.report, err
	}
	s.tell(func(st *State) { st.Stage, st.Note = StageDone, "" })
	return &s.report, nil
}

func (s *session) run(ctx context.Context) error {
	if err := s.identify(ctx); err != nil {
		return s.stopped(ctx, err)
	}
	if err := s.prepare(ctx); err != nil {
		if ctx.Err() == nil {
			return err
		}
		return errors.Join(s.unmeasured(&s.w.Steps[0], 1, artifact.Aborted, "stopped before the first repeat", nil), errStopped)
	}
	for repeat := 1; repeat <= s.w.Repeats; repeat++ {
		for i := range s.w.Steps {
			if ctx.Err() != nil {
				return errStopped
			}
			if err := s.step(ctx, i, repeat); err != nil {
				return s.stopped(ctx, err)
			}
		}
	}
	return nil
}

// stopped is err, or that somebody stopped the session where that is why.
func (s *session) stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(err, errStopped) && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		return errStopped
	}
	return err
}

// identify asks the engine, the machine and the cards who they are.
func (s *session) identify(ctx context.Context) error {
	s.tell(func(st *State) { st.Stage = StageIdentify })
	id, err := engine.Identify(ctx, s.o.Target, s.o.Model)
	if err != nil {
		return err
	}
	s.engine = id
	if s.o.Model == "" {
		if len(id.Models) != 1 {
			return fmt.Errorf("%s serves %d models: name one of %q", s.o.Target.Endpoint, len(id.Models), id.Models)
		}
		s.o.Model = id.Models[0]
	}
	if s.o.Arm == "" {
		s.o.Arm = s.o.Model
	}
	s.host = host.Describe()
	s.cards = openCards(&s.o, id)
	s.maker, err = prompt.New(s.w, s.o.Model)
	return errors.Join(err, s.cards.fault)
}

// prepare calibrates the client and runs the functional suite.
func (s *session) prepare(ctx context.Context) error {
	if !s.o.NoCalibration {
		s.tell(func(st *State) { st.Stage = StageCalibrate })
		opt := s.calibrateWith()
		cal, err := load.Calibrate(ctx, opt)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			s.warn("the client was not calibrated: %v", err)
		default:
			s.clientCan, s.calibration = cal, document.Calibration(cal, opt.For)
		}
	}
	if s.o.NoPreflight || s.w.Preflight.Skip {
		return ctx.Err()
	}
	s.tell(func(st *State) { st.Stage = StagePreflight })
	p := s.w.Preflight
	gates, err := preflight.Run(ctx, preflight.Options{
		Target: s.o.Target, Model: s.o.Model, Models: s.engine.Models, Context: s.engine.Context.V,
		Only: p.Only, Burst: p.Burst, Retrieval: p.Retrieval, Reserve: p.Reserve,
		Thinking: s.w.Thinking.Enabled, Effort: s.w.Thinking.Effort, Now: s.o.Now,
		Progress: func(done, of int, g artifact.Gate) {
			s.tell(func(st *State) { st.Done, st.Of, st.Note = done, of, g.Name+": "+g.Status })
		},
	})
	s.report.Gates = gates
	s.asked += int64(len(gates)) // at least; what matters is whether it is 0
	return errors.Join(err, ctx.Err())
}

// calibrateWith is what the steps need the client to be able to do, and twice that.
func (s *session) calibrateWith() load.CalibrateOptions {
	o := load.CalibrateOptions{For: time.Second}
	for i := range s.w.Steps {
		step := &s.w.Steps[i]
		o.Streams = max(o.Streams, 2*step.Concurrency, 200)
		if a := step.Arrivals; a != nil {
			o.OpenRate = max(o.OpenRate, 2*a.PerSecond)
			o.Streams = max(o.Streams, 1000)
		}
	}
	o.Streams = min(o.Streams, 20_000)
	return o
}

// tell changes the state and shows it.
func (s *session) tell(change func(*State)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.state.Stage
	change(&s.state)
	if s.state.Stage != before {
		s.state.Done, s.state.Of = 0, 0
		if s.state.Stage != StageMeasure {
			s.state.Phase = ""
		}
	}
	s.state.Elapsed = s.o.Now().Sub(s.began)
	s.o.Observe(s.state)
}

func (s *session) warn(format string, args ...any) {
	s.report.Warnings = append(s.report.Warnings, fmt.Sprintf(format, args...))
}

// client is what measured, without its health.
func (s *session) client() artifact.Client {
	connections := "kept alive"
	switch p := s.w.Policy; {
	case p.Fresh:
		connections = "new for each request"
	case p.Retries > 0:
		connections = fmt.Sprintf("kept alive, sent again up to %d times when found closed", p.Retries)
	}
	return artifact.Client{Name: "assay", Version: s.o.Version, Go: runtime.Version(), Connections: connections, Calibration: s.calibration}
}
