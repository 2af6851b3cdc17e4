package workload

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"assay/runner/load"
	"assay/runner/load/pace"
	"assay/store/evidence"
)

// MaxFile bounds a file.
const MaxFile = 1 << 20

// duration is written as "1m30s".
type duration time.Duration

func (d *duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	if err != nil {
		return fmt.Errorf("%.40q is no duration such as \"30s\" or \"2m\"", b)
	}
	*d = duration(v)
	return nil
}

func (d duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// The file as it is written. Pointers are keys whose absence is not their zero.
type file struct {
	Name       string         `toml:"name"`
	About      string         `toml:"about,omitempty"`
	Class      string         `toml:"class,omitempty"`
	API        string         `toml:"api,omitempty"`
	Seed       *int64         `toml:"seed,omitempty"`
	Repeats    *int           `toml:"repeats,omitempty"`
	Steps      []fileStep     `toml:"steps"`
	Prompt     filePrompt     `toml:"prompt"`
	Output     fileOutput     `toml:"output"`
	Sampling   fileSampling   `toml:"sampling"`
	Thinking   fileThinking   `toml:"thinking,omitempty"`
	Connection fileConnection `toml:"connection"`
	Limits     fileLimits     `toml:"limits,omitempty"`
	Preflight  filePreflight  `toml:"preflight,omitempty"`
}

type fileStep struct {
	Name        string    `toml:"name"`
	Target      int64     `toml:"target"`
	Requests    int       `toml:"requests,omitempty"`
	Duration    duration  `toml:"duration,omitempty"`
	Concurrency int       `toml:"concurrency,omitempty"`
	Rate        float64   `toml:"rate,omitempty"`
	Process     string    `toml:"process,omitempty"`
	Shape       float64   `toml:"shape,omitempty"`
	Trace       []float64 `toml:"trace,omitempty"`
	MaxOpen     int       `toml:"max_open,omitempty"`
	Warmup      int       `toml:"warmup,omitempty"`
	Ramp        duration  `toml:"ramp,omitempty"`
	Drain       duration  `toml:"drain,omitempty"`
}

type filePrompt struct {
	Kind         string    `toml:"kind,omitempty"`
	Tolerance    *float64  `toml:"tolerance,omitempty"`
	SharedPrefix int64     `toml:"shared_prefix,omitempty"`
	Needles      []float64 `toml:"needles,omitempty"`
	Canary       *bool     `toml:"canary,omitempty"`
	System       string    `toml:"system,omitempty"`
}

type fileOutput struct {
	Cap  int64  `toml:"cap"`
	Mode string `toml:"mode,omitempty"`
}

type fileSampling struct {
	Temperature float64  `toml:"temperature"`
	TopP        *float64 `toml:"top_p,omitempty"`
	Seed        *int64   `toml:"seed,omitempty"`
}

type fileThinking struct {
	Enabled *bool  `toml:"enabled,omitempty"`
	Effort  string `toml:"effort,omitempty"`
	Tokens  int64  `toml:"tokens,omitempty"`
}

type fileConnection struct {
	Fresh       bool  `toml:"fresh,omitempty"`
	Idempotency *bool `toml:"idempotency,omitempty"`
	Retries     *int  `toml:"retries,omitempty"`
}

type fileLimits struct {
	Connect duration `toml:"connect,omitempty"`
	First   duration `toml:"first_chunk,omitempty"`
	Stall   duration `toml:"stall,omitempty"`
	Total   duration `toml:"total,omitempty"`
}

type filePreflight struct {
	Skip      bool     `toml:"skip,omitempty"`
	Only      []string `toml:"only,omitempty"`
	Burst     int      `toml:"burst,omitempty"`
	Retrieval []int64  `toml:"retrieval,omitempty"`
	Reserve   int64    `toml:"reserve,omitempty"`
}

// Read reads a file; name stands in errors. A key that there is none of, a wrong type or a
// value that means nothing is an error with line and column; all faults of meaning are told
// at once.
func Read(name string, r io.Reader) (*Workload, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case len(data) > MaxFile:
		return nil, fmt.Errorf("%s: more than %d bytes", name, MaxFile)
	}
	var f file
	if err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&f); err != nil {
		return nil, positioned(name, err)
	}
	w, err := f.workload()
	if err = errors.Join(err, w.Check()); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return w, nil
}

// positioned says where in the file a fault is.
func positioned(name string, err error) error {
	var strict *toml.StrictMissingError
	var decode *toml.DecodeError
	switch {
	case errors.As(err, &strict):
		var errs []error
		for i := range strict.Errors {
			row, column := strict.Errors[i].Position()
			errs = append(errs, fmt.Errorf("%s:%d:%d: there is no key %s", name, row, column, strings.Join(strict.Errors[i].Key(), ".")))
		}
		return errors.Join(errs...)
	case errors.As(err, &decode):
		row, column := decode.Position()
		what := strings.TrimPrefix(decode.Error(), "toml: ")
		if key := strings.Join(decode.Key(), "."); key != "" {
			what = key + ": " + what
		}
		return fmt.Errorf("%s:%d:%d: %s", name, row, column, what)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// workload gives absent keys their defaults.
func (f *file) workload() (*Workload, error) {
	w := &Workload{
		Name: f.Name, About: f.About, Class: or(f.Class, evidence.ClassShort), API: load.API(or(f.API, string(load.Chat))),
		Seed: given(f.Seed, 1), Repeats: given(f.Repeats, 6),
		Prompt: Prompt{Kind: Kind(or(f.Prompt.Kind, string(Prose))), Tolerance: given(f.Prompt.Tolerance, 0.02), SharedPrefix: f.Prompt.SharedPrefix,
			Needles: f.Prompt.Needles, Canary: given(f.Prompt.Canary, true), System: f.Prompt.System},
		Output:   Output{Cap: f.Output.Cap, Mode: Mode(or(f.Output.Mode, string(Natural)))},
		Sampling: Sampling{Temperature: f.Sampling.Temperature, TopP: given(f.Sampling.TopP, 1), Seed: f.Sampling.Seed},
		Thinking: Thinking{Enabled: f.Thinking.Enabled, Effort: f.Thinking.Effort, Tokens: f.Thinking.Tokens},
		Policy:   load.Policy{Fresh: f.Connection.Fresh, Idempotency: given(f.Connection.Idempotency, true)},
		Limits: load.Limits{Connect: time.Duration(f.Limits.Connect), First: time.Duration(f.Limits.First),
			Stall: time.Duration(f.Limits.Stall), Total: time.Duration(f.Limits.Total)},
		Preflight: Preflight(f.Preflight),
	}
	again := 1
	if w.Policy.Fresh || !w.Policy.Idempotency {
		again = 0
	}
	w.Policy.Retries = given(f.Connection.Retries, again)
	var errs []error
	for i := range f.Steps {
		s, err := f.Steps[i].step(w.Seed, fmt.Sprintf("steps[%d]", i))
		w.Steps = append(w.Steps, s)
		errs = append(errs, err)
	}
	return w, errors.Join(errs...)
}

func (f *fileStep) step(seed int64, at string) (Step, error) {
	s := Step{Name: f.Name, Target: f.Target, Requests: f.Requests, Duration: time.Duration(f.Duration), Concurrency: f.Concurrency, MaxOpen: f.MaxOpen,
		Warmup: load.Span{Requests: f.Warmup}, Ramp: time.Duration(f.Ramp), Drain: time.Duration(f.Drain)}
	var errs []error
	switch {
	case f.Rate != 0:
		s.Arrivals = &pace.Arrivals{Process: pace.Process(or(f.Process, string(pace.Poisson))), PerSecond: f.Rate, Shape: f.Shape, Ramp: s.Ramp, Seed: uint64(seed)}
	case f.Process != "" || f.Shape != 0:
		errs = append(errs, fmt.Errorf("%s.process: it takes a rate", at))
	}
	for i, t := range f.Trace {
		if !(t >= 0 && t <= 1e9) {
			errs = append(errs, fmt.Errorf("%s.trace[%d]: %v is no number of seconds", at, i, t))
			t = 0
		}
		s.Trace = append(s.Trace, time.Duration(t*1e9))
	}
	return s, errors.Join(errs...)
}

// TOML writes a workload as a file that reads back as the same.
func (w *Workload) TOML() ([]byte, error) {
	f := file{Name: w.Name, About: w.About, Class: w.Class, API: string(w.API), Seed: &w.Seed, Repeats: &w.Repeats,
		Prompt: filePrompt{Kind: string(w.Prompt.Kind), Tolerance: &w.Prompt.Tolerance, SharedPrefix: w.Prompt.SharedPrefix, Needles: w.Prompt.Needles,
			Canary: &w.Prompt.Canary, System: w.Prompt.System},
		Output:     fileOutput{Cap: w.Output.Cap, Mode: string(w.Output.Mode)},
		Sampling:   fileSampling{Temperature: w.Sampling.Temperature, TopP: &w.Sampling.TopP, Seed: w.Sampling.Seed},
		Thinking:   fileThinking(w.Thinking),
		Connection: fileConnection{Fresh: w.Policy.Fresh, Idempotency: &w.Policy.Idempotency, Retries: &w.Policy.Retries},
		Limits:     fileLimits{duration(w.Limits.Connect), duration(w.Limits.First), duration(w.Limits.Stall), duration(w.Limits.Total)},
		Preflight:  filePreflight(w.Preflight),
	}
	for i := range w.Steps {
		s := &w.Steps[i]
		x := fileStep{Name: s.Name, Target: s.Target, Requests: s.Requests, Duration: duration(s.Duration), Concurrency: s.Concurrency, MaxOpen: s.MaxOpen,
			Warmup: s.Warmup.Requests, Ramp: duration(s.Ramp), Drain: duration(s.Drain)}
		if a := s.Arrivals; a != nil {
			x.Rate, x.Process, x.Shape = a.PerSecond, string(a.Process), a.Shape
		}
		for _, t := range s.Trace {
			x.Trace = append(x.Trace, t.Seconds())
		}
		f.Steps = append(f.Steps, x)
	}
	return toml.Marshal(f)
}

func or(s, standard string) string {
	if s == "" {
		return standard
	}
	return s
}

func given[T any](p *T, standard T) T {
	if p == nil {
		return standard
	}
	return *p
}
