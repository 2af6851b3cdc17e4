package measure

import (
	"errors"
	"fmt"
	"time"

	"assay/ingest/artifact"
	"assay/runner/gpu"
	"assay/runner/load"
	"assay/runner/workload"
	"assay/store/evidence"
)

// Declared is a property that a person or a campaign file states: nobody measured it.
type Declared struct {
	Value string
	How   string // who says so and where: "--fact", "campaign.toml"
}

// Options of a session: one arm under one workload, all its steps and repeats.
type Options struct {
	Target   load.Target
	Model    string // as the endpoint serves it; "" takes the only one that it serves
	Campaign string
	Title    string
	Arm      string // "" takes the model's name
	Workload *workload.Workload
	Declared map[evidence.FactKey]Declared

	Folder string // where artifacts and sidecars are written
	NVML   string // the driver's library; "" looks where the system has it
	Cards  []string
	// MetricsPeriod is how often the engine's counters are read while requests run.
	MetricsPeriod time.Duration

	NoCalibration bool
	NoPreflight   bool

	Version string   // of this program
	Command []string // the effective command line, without secrets

	Observe func(State) // called often, from several goroutines, one at a time
	OnFile  func(File)  // called for each artifact as soon as it lies in Folder
	Now     func() time.Time

	driver func(library string) (gpu.Driver, error) // nil: the real one
}

// File is an artifact that was written.
type File struct {
	Path   string
	SHA256 string
	Bytes  []byte
	Run    *artifact.Run
}

// Report is what became of a session.
type Report struct {
	Files       []File
	Gates       []artifact.Gate // of the preflight
	Interrupted bool            // stopped from outside; the last file is the honest rest
	Warnings    []string
}

func (o *Options) check() error {
	var errs []error
	if o.Workload == nil {
		errs = append(errs, errors.New("measure: no workload"))
	} else if err := o.Workload.Check(); err != nil {
		errs = append(errs, err)
	}
	if o.Campaign == "" {
		errs = append(errs, errors.New("measure: the campaign has no name"))
	}
	if o.Folder == "" {
		errs = append(errs, errors.New("measure: no folder for the artifacts"))
	}
	for k, d := range o.Declared {
		if _, known := evidence.KnownKey(k); !known {
			errs = append(errs, fmt.Errorf("measure: %q is no fact key (assay keys lists them)", k))
		}
		if d.Value == "" || d.How == "" {
			errs = append(errs, fmt.Errorf("measure: the declared fact %s has no value or does not say who states it", k))
		}
	}
	return errors.Join(errs...)
}

func (o *Options) fill() {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Observe == nil {
		o.Observe = func(State) {}
	}
	if o.OnFile == nil {
		o.OnFile = func(File) {}
	}
	if o.driver == nil {
		o.driver = gpu.Open
	}
	if o.MetricsPeriod <= 0 {
		o.MetricsPeriod = time.Second
	}
}
