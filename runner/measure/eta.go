package measure

import (
	"time"

	"assay/runner/workload"
	"assay/store/evidence"
)

// work estimates how long a session still takes: steps weigh what they ask of the engine,
// and what is done says how long a unit of weight lasts.
type work struct {
	weights     []float64 // of one repeat of each step
	total, done float64
	spent       time.Duration // on what is done
}

func (w *work) plan(x *workload.Workload) {
	for i := range x.Steps {
		weight := weigh(&x.Steps[i], &x.Output)
		w.weights = append(w.weights, weight)
		w.total += weight * float64(x.Repeats)
	}
}

// weigh counts tokens, those of answers eight times: decoding one takes longer than reading
// one, by how much nobody knows beforehand.
func weigh(s *workload.Step, o *workload.Output) float64 {
	requests := float64(s.Requests + s.Warmup.Requests)
	if requests == 0 {
		requests = s.Duration.Seconds()
	}
	return requests * (float64(s.Target) + 8*float64(o.Cap)) / float64(max(1, s.Concurrency))
}

// finished books a repeat of a step.
func (w *work) finished(step int, took time.Duration) {
	w.done += w.weights[step]
	w.spent += took
}

// left is how long the session still takes, when share of the repeat at hand is done, which
// has lasted so long.
func (w *work) left(step int, share float64, lasts time.Duration) evidence.Opt[time.Duration] {
	done := w.done + share*w.weights[step]
	spent := w.spent + lasts
	if done <= 0 || spent < time.Second {
		return evidence.None[time.Duration]()
	}
	return evidence.Some(time.Duration(float64(spent) * (w.total - done) / done).Round(time.Second))
}
