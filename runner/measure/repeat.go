package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/ingest/artifact"
	"assay/runner/engine"
	"assay/runner/gpu"
	"assay/runner/host"
	"assay/runner/load"
	"assay/runner/load/document"
	"assay/runner/prompt"
	"assay/runner/workload"
)

// step measures one repeat of a step and writes its artifact.
func (s *session) step(ctx context.Context, index, repeat int) error {
	step := &s.w.Steps[index]
	s.tell(func(st *State) {
		st.Step, st.StepIndex, st.Repeat = step.Name, index+1, repeat
		st.Started, st.Ended, st.Failed, st.Open, st.OutputTokens, st.Planned = 0, 0, 0, 0, 0, int64(planned(step))
	})
	c, err := s.count(ctx, step)
	if err != nil {
		return errors.Join(s.unmeasured(step, repeat, artifact.Aborted, "stopped while the prompts were counted", nil), errStopped)
	}
	if c.fault != nil {
		if repeat > 1 { // the same again
			return nil // told with the first
		}
		s.warn("step %s: %v", step.Name, c.fault)
		gate := artifact.Gate{Name: gatePrompts, Status: failed, Detail: clip(c.fault.Error(), mostDetail)}
		return s.unmeasured(step, repeat, artifact.Failed, clip("the prompts could not be made: "+c.fault.Error(), mostDetail), []artifact.Gate{gate})
	}
	r := &repeatRun{session: s, step: step, index: index, repeat: repeat, sink: sink{live: newLive(), key: s.o.Target.Key}}
	if r.set, err = c.calibration.Set(*step, repeat, planned(step)); err != nil {
		return fmt.Errorf("step %s: %w", step.Name, err)
	}
	return r.run(ctx)
}

// planned is how many requests a step sends, as far as that is known beforehand.
func planned(s *workload.Step) int { return s.Warmup.Requests + s.Requests }

// count finds out how much text a prompt of the step takes, once.
func (s *session) count(ctx context.Context, step *workload.Step) (counted, error) {
	if c, done := s.prompts[step.Name]; done {
		return c, nil
	}
	s.tell(func(st *State) { st.Stage, st.Note = StagePrompts, step.Name })
	client, err := load.NewClient(s.o.Target, s.requestName("count", step, 0))
	if err != nil {
		return counted{}, err
	}
	defer client.Close()
	var c counted
	c.calibration, c.fault = s.maker.Calibrate(ctx, client, *step, func(done, of int) {
		s.tell(func(st *State) { st.Done, st.Of = done, of })
	})
	if ctx.Err() != nil {
		return counted{}, ctx.Err()
	}
	if k := s.o.Target.Key; c.fault != nil && k != "" {
		c.fault = errors.New(strings.ReplaceAll(c.fault.Error(), k, keyLeftOut))
	}
	s.asked++
	s.prompts[step.Name] = c
	return c, nil
}

// requestName is the beginning of the ids of requests.
func (s *session) requestName(of string, step *workload.Step, repeat int) string {
	return fmt.Sprintf("assay-%s-%s-%d-%d", of, plain(step.Name), repeat, s.began.UnixMilli())
}

// repeatRun is one repeat of one step while it lasts.
type repeatRun struct {
	*session
	step          *workload.Step
	index, repeat int
	set           *prompt.Set
	sink          sink

	at      time.Time  // origin of the run
	name    string     // of its files, without an ending
	cards   *cardWatch // nil: no card is asked
	host    *host.Watch
	before  engine.Snapshot
	after   engine.Snapshot
	peaks   engine.Snapshot
	metrics string // why there are no counters
	files   []artifact.Sidecar
}

func (r *repeatRun) run(ctx context.Context) error {
	r.at = r.o.Now()
	r.name = fileName(r.o.Arm, r.step.Name, r.repeat, r.at)
	records, err := newSidecar(r.o.Folder, r.name+".records.jsonl.gz", "every request with all its times, one line of JSON each")
	if err != nil {
		return err
	}
	r.sink.raw, r.sink.judge = records, r.set.Judge
	out, err := r.measure(ctx)
	if err != nil {
		records.drop()
		r.cards.drop()
		return fmt.Errorf("step %s, repeat %d: %w", r.step.Name, r.repeat, err)
	}
	r.tell(func(st *State) { st.Stage, st.Note = StageWrite, r.name })
	side, err := records.close()
	if err != nil {
		r.cards.drop()
		return err
	}
	r.files = append([]artifact.Sidecar{side}, r.files...)
	doc, err := r.document(out)
	if err != nil {
		return fmt.Errorf("step %s, repeat %d: %w", r.step.Name, r.repeat, err)
	}
	if err := r.keep(doc); err != nil {
		return err
	}
	r.asked += int64(len(doc.Requests))
	r.work.finished(r.index, r.o.Now().Sub(r.at))
	switch {
	case out.Interrupted:
		return errStopped
	case gone(doc.Requests):
		return fmt.Errorf("step %s, repeat %d: the endpoint stopped answering: %s; what comes after it was not measured", r.step.Name, r.repeat, doc.Requests[len(doc.Requests)-1].Detail)
	}
	return nil
}

// gone says that nobody answers any more: every request ended without a connection.
func gone(rows []artifact.Request) bool {
	return len(rows) > 0 && !slices.ContainsFunc(rows, func(q artifact.Request) bool { return q.Error != "connect" })
}

// measure sends the requests while cards, counters and machine are watched.
func (r *repeatRun) measure(ctx context.Context) (*load.Outcome, error) {
	client, err := load.NewClient(r.o.Target, r.requestName("run", r.step, r.repeat))
	if err != nil {
		return nil, err
	}
	defer client.Close()
	r.before, r.metrics = r.scrape(ctx)
	watched := context.WithoutCancel(ctx) // what is sampled goes on until the last request has ended
	if r.cards, err = r.session.cards.sample(watched, r.o.Folder, r.name); err != nil {
		return nil, err
	}
	var watch *engine.Watch
	if r.metrics == "" {
		watch = engine.StartWatch(watched, r.o.Target, r.o.MetricsPeriod)
	}
	r.host = host.Start(watched)
	progress := new(load.Progress)
	stop := r.show(progress)
	at := r.cards.since()
	r.at = time.Now()
	out, err := load.Run(ctx, load.Options{
		Client: client, Source: r.set, Plan: r.w.Plan(*r.step, r.repeat), Sink: &r.sink, Now: r.at, Progress: progress,
		OnPhase: func(p load.Phase, _ time.Duration) {
			if p == load.Measure {
				r.cards.mark(markMeasure)
			}
		},
		Calibration: r.clientCan,
	})
	r.cards.mark(markEnd)
	stop()
	r.host.Stop(&r.session.host)
	if watch != nil {
		var fault string
		if r.peaks, _, fault = watch.Stop(); fault != "" {
			r.warn("step %s, repeat %d: counters: %s", r.step.Name, r.repeat, fault)
		}
		r.after, r.metrics = r.scrape(watched)
	}
	file, stopErr := r.cards.stop(at)
	if file != nil {
		r.files = append(r.files, *file)
	}
	return out, errors.Join(err, stopErr)
}

// scrape reads the counters, or says why there are none.
func (r *repeatRun) scrape(ctx context.Context) (engine.Snapshot, string) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	s, err := engine.Scrape(ctx, r.o.Target)
	if err != nil {
		return nil, clip(err.Error(), mostDetail)
	}
	return s, ""
}

// show tells the state over and over until the function it gives is called.
func (r *repeatRun) show(p *load.Progress) (stop func()) {
	started := r.o.Now()
	tell := func() {
		r.tell(func(st *State) {
			st.Stage, st.Note = StageMeasure, ""
			r.sink.live.fill(st, p, r.o.Now())
			st.Watts = r.cards.watts()
			share := 0.0
			if st.Planned > 0 {
				share = float64(st.Ended) / float64(st.Planned)
			}
			st.ETA = r.work.left(r.index, min(1, share), r.o.Now().Sub(started))
		})
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(pulse)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				tell()
				return
			case <-ticker.C:
				tell()
			}
		}
	}()
	return func() { close(done); <-ended }
}

// keep writes the document and tells of it.
func (s *session) keep(doc *artifact.Run) error {
	f, err := save(s.o.Folder, doc.Name+".json", doc)
	if err != nil {
		return err
	}
	s.report.Files = append(s.report.Files, f)
	s.tell(func(st *State) { st.Stage, st.Note = StageWrite, f.Path })
	s.o.OnFile(f)
	return nil
}

// sink judges a record as it comes, keeps it in the sidecar with its text and in memory
// without.
type sink struct {
	key     string // of the endpoint: a server may send it back in what it says
	raw     *sidecar
	judge   func(*load.Record) string
	live    *live
	records []*load.Record
	canary  []string // in the order of records
}

// Take implements [load.Sink].
func (s *sink) Take(r *load.Record) error {
	verdict := s.judge(r)
	s.redact(r)
	line, err := r.Marshal()
	if err != nil {
		return err
	}
	if _, err := s.raw.Write(append(line, '\n')); err != nil {
		return err
	}
	text, reasoning := r.Text, r.Reasoning
	r.Text, r.Reasoning = nil, nil
	s.records = append(s.records, r.Clone())
	r.Text, r.Reasoning = text, reasoning
	s.canary = append(s.canary, verdict)
	s.live.take(r)
	return nil
}

func (s *sink) redact(r *load.Record) {
	if s.key == "" {
		return
	}
	r.Cause = strings.ReplaceAll(r.Cause, s.key, keyLeftOut)
	r.Text = bytes.ReplaceAll(r.Text, []byte(s.key), []byte(keyLeftOut))
	r.Reasoning = bytes.ReplaceAll(r.Reasoning, []byte(s.key), []byte(keyLeftOut))
	for i := range r.Attempts {
		r.Attempts[i].Cause = strings.ReplaceAll(r.Attempts[i].Cause, s.key, keyLeftOut)
	}
}

const keyLeftOut = "[key left out]"

// rows are the requests as the document holds them.
func (s *sink) rows() ([]artifact.Request, error) {
	i := -1
	return document.Requests(slices.Values(s.records), func(*load.Record) string {
		i++ // asked once for each, in the order given
		return s.canary[i]
	})
}

// other names of processes on the cards, without our engine's.
func foreign(list []gpu.Process, own map[int]bool) []gpu.Process {
	return slices.DeleteFunc(slices.Clone(list), func(p gpu.Process) bool { return own[p.PID] })
}

func join(list []string) string { return strings.Join(list, ", ") }
