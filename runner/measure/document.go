package measure

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"assay/ingest/artifact"
	"assay/runner/engine"
	"assay/runner/load"
	"assay/runner/load/document"
	"assay/runner/prompt"
	"assay/runner/workload"
	"assay/store/evidence"
)

// document makes the artifact of a repeat.
func (r *repeatRun) document(out *load.Outcome) (*artifact.Run, error) {
	rows, err := r.sink.rows()
	if err != nil {
		return nil, err
	}
	doc := r.blank(r.step, r.repeat, r.name, out.Origin)
	doc.Windows = document.Windows(out.Windows, rows) // may rename windows in rows
	doc.Requests = rows
	doc.Finished = stamp(r.o.Now())
	v := look(rows, most(r.w))
	f := r.facts(r.step)
	observed(f, r.w, v, r.asked+int64(len(rows)-len(v.rows)))
	f.Set(evidence.KeyClientBackend, backend(r.w, r.prompts[r.step.Name].calibration), bySetting)
	figures, told := engine.Derive(r.session.engine.Name, r.before, r.after, r.peaks)
	for k, x := range told {
		if f.Get(k) == "" {
			f[k] = x
		}
	}
	doc.Facts = f
	doc.Failures = append(declare(f, r.o.Declared), failures(v)...)
	doc.Summary = document.Figures(rows, doc.Windows)
	doc.Summary = append(doc.Summary, figures...)
	doc.Summary = append(doc.Summary, r.cards.energy(&r.session.cards, total(v.output), len(v.completed)))
	doc.Gates = append(doc.Gates, v.gates(r.w, r.step)...)
	doc.Client.Health = document.Health(out, rows)
	doc.Cards = r.cards.telemetry(&r.session.cards)
	doc.Engine.Before, doc.Engine.After, doc.Engine.Peaks = r.before, r.after, r.peaks
	doc.Workload.Prompts = r.set.Digest(len(rows))
	doc.Workload.Loop, doc.Workload.Arrivals = loop(r.step)
	doc.Sidecars = r.files
	if len(v.rows) > 0 && len(v.completed) == 0 {
		doc.Status, doc.Why = artifact.Failed, fmt.Sprintf("none of %d measured requests completed", len(v.rows))
	}
	if out.Interrupted {
		doc.Status = artifact.Aborted
		doc.Why = fmt.Sprintf("stopped from outside after %d requests", len(rows))
	}
	doc.Limits = r.limits(doc, v)
	return doc, nil
}

// unmeasured writes what is known of a repeat that sent no request.
func (s *session) unmeasured(step *workload.Step, repeat int, status artifact.Status, why string, gates []artifact.Gate) error {
	now := s.o.Now()
	doc := s.blank(step, repeat, fileName(s.o.Arm, step.Name, repeat, now), now)
	doc.Status, doc.Why, doc.Finished = status, why, stamp(now)
	f := s.facts(step)
	observed(f, s.w, look(nil, 1), s.asked)
	doc.Facts = f
	doc.Failures = declare(f, s.o.Declared)
	if status == artifact.Failed {
		doc.Failures = append(doc.Failures, why)
	}
	doc.Gates = append(doc.Gates, gates...)
	doc.Workload.Prompts = "" // none was made
	doc.Workload.Loop, doc.Workload.Arrivals = loop(step)
	doc.Cards = (*cardWatch)(nil).telemetry(&s.cards)
	if s.cards.driver != nil {
		doc.Cards.Why = "nothing was measured"
	}
	doc.Limits = s.limits(doc, look(nil, 1))
	return s.keep(doc)
}

// blank is a document with what is known before anything is measured.
func (s *session) blank(step *workload.Step, repeat int, name string, started time.Time) *artifact.Run {
	w := s.w
	doc := &artifact.Run{
		Schema: artifact.Label, Campaign: s.o.Campaign, Title: s.o.Title, Arm: s.o.Arm, Name: name, Repeat: repeat, Repeats: w.Repeats,
		Status: artifact.Measured, Started: stamp(started),
		Workload: artifact.Workload{
			Name: workloadName(w, step), Endpoint: s.o.Target.Endpoint, API: string(w.API), Seed: w.Seed, Targets: []int64{step.Target}, Tolerance: w.Prompt.Tolerance,
			Sampling: artifact.Sampling{Temperature: &w.Sampling.Temperature, TopP: &w.Sampling.TopP, Seed: w.Sampling.Seed, MaxTokens: most(w),
				Thinking: w.Thinking.Enabled, Effort: w.Thinking.Effort},
		},
		Windows: []artifact.Window{}, Requests: []artifact.Request{}, Summary: []artifact.Figure{}, Sidecars: []artifact.Sidecar{},
		Gates: slices.Clone(s.report.Gates), Limits: []string{}, Failures: []string{}, Client: s.client(), Command: s.o.Command,
		Engine: &artifact.Engine{Name: s.engine.Name, Version: s.engine.Version, Args: s.engine.Args, Models: s.engine.Models},
	}
	h := s.host
	doc.Host = &h
	if w.Output.Mode == workload.Forced {
		n, yes := most(w), true
		doc.Workload.Sampling.MinTokens, doc.Workload.Sampling.IgnoreEOS = &n, &yes
	}
	if step.Arrivals != nil {
		doc.Workload.Rate = &step.Arrivals.PerSecond
	}
	if step.Concurrency > 0 {
		n := int64(step.Concurrency)
		doc.Workload.Concurrency = &n
	}
	return doc
}

// backend is what requests ask for beside their content: an engine that counts along sends
// more with every chunk.
func backend(w *workload.Workload, c *prompt.Calibration) string {
	if c != nil && c.PerChunk {
		return string(w.API) + ", streamed, tokens counted in every chunk"
	}
	return string(w.API) + ", streamed"
}

func workloadName(w *workload.Workload, step *workload.Step) string {
	if len(w.Steps) == 1 {
		return w.Name
	}
	return w.Name + "/" + step.Name
}

// loop says how requests were sent.
func loop(step *workload.Step) (loop, arrivals string) {
	switch {
	case step.Arrivals != nil:
		return "open", step.Arrivals.String()
	case step.Trace != nil:
		return "open", step.Trace.String()
	}
	return "closed", ""
}

// facts are what is known before anything is measured.
func (s *session) facts(step *workload.Step) artifact.Facts {
	f := maps.Clone(s.engine.Facts)
	if f == nil {
		f = artifact.Facts{}
	}
	s.cards.facts(f)
	if s.engine.Local && s.cards.driver == nil && f.Get(evidence.KeyGPUProduct) == "" {
		engine.CPUFacts(s.host.CPU, f)
	}
	workloadFacts(f, s.w, step, s.maker.Spec())
	if s.o.Version != "" {
		f.Set(evidence.KeyClientVersion, s.o.Version, "this program")
	}
	for _, k := range artifact.Required {
		if _, ok := f[k]; !ok {
			f.Lack(k, "nobody could be asked")
		}
	}
	return f
}
