package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"assay/ingest"
	"assay/ingest/artifact"
	"assay/runner/formats"
	"assay/runner/measure"
	"assay/store/evidence"
)

// runReport is what run prints at its end.
type runReport struct {
	Campaign    string          `json:"campaign"`
	Arm         string          `json:"arm"`
	Folder      string          `json:"folder"`
	DB          string          `json:"db"`
	Interrupted bool            `json:"interrupted"`
	Files       []runFile       `json:"files"`
	Gates       []artifact.Gate `json:"gates"` // of the functional checks
	Warnings    []string        `json:"warnings"`
}

// runFile is one artifact.
type runFile struct {
	Path      string             `json:"path"`
	SHA256    string             `json:"sha256"`
	Also      []string           `json:"also"`
	Workload  string             `json:"workload"`
	Repeat    int                `json:"repeat"`
	Status    string             `json:"status"`
	Why       string             `json:"status_reason"`
	Requests  int                `json:"requests"` // due in the measured window
	Completed string             `json:"completed"`
	Failed    string             `json:"failed"`
	Figures   map[string]float64 `json:"figures"` // base units, by metric and statistic
	NotPassed []string           `json:"gates_not_passed"`
	State     evidence.EndState  `json:"state,omitempty"` // in the archive
	Run       string             `json:"run,omitempty"`   // id in the archive
	Page      string             `json:"page,omitempty"`  // of the run, below the address that serve prints
}

// shownFigures are the columns of the table.
var shownFigures = []struct {
	name, head string
	factor     float64 // from base units to what a person reads
}{
	{"ttft p50", "TTFT p50 ms", 1e3}, {"tpot p50", "TPOT p50 ms", 1e3}, {"output_throughput total", "output tok/s", 1}, {"e2e p50", "E2E p50 s", 1},
}

func fileEntry(f *measure.File) runFile {
	x := runFile{Path: f.Path, SHA256: f.SHA256, Also: []string{}, Workload: f.Run.Workload.Name, Repeat: f.Run.Repeat, Status: string(f.Run.Status), Why: f.Run.Why,
		Completed: f.Run.Facts.Get(evidence.KeyCompleted), Failed: f.Run.Facts.Get(evidence.KeyFailed), Figures: map[string]float64{}, NotPassed: []string{}}
	for _, q := range f.Run.Requests {
		if q.Window == "measure" {
			x.Requests++
		}
	}
	for _, s := range f.Run.Summary {
		if s.Value != nil {
			x.Figures[s.Metric+" "+s.Stat] = *s.Value
		}
	}
	for _, g := range f.Run.Gates {
		if g.Status != "passed" {
			x.NotPassed = append(x.NotPassed, g.Name+": "+g.Status)
		}
	}
	return x
}

// runIntake takes artifacts in as they are written.
type runIntake struct {
	root *root
	ctx  context.Context
}

// runIntake opens the archive once before anything is measured: what cannot be kept need
// not be measured.
func (r *root) runIntake(ctx context.Context, campaign string) (*runIntake, error) {
	archive, err := r.open(ctx)
	if err != nil {
		return nil, err
	}
	return &runIntake{root: r, ctx: context.WithoutCancel(ctx)}, archive.Close()
}

func (t *runIntake) file(f *measure.File, entry *runFile) (err error) {
	archive, err := t.root.open(t.ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	report, err := ingest.Take(t.ctx, archive, []ingest.Source{ingest.Path(f.Path)}, ingest.Options{Own: []string{t.root.ring().Dir()}, Now: t.root.env.Now})
	if err != nil || len(report.Files) == 0 {
		return errors.Join(err, lost(&report, err))
	}
	got := &report.Files[0]
	entry.State = got.State
	if got.State != evidence.Accepted && got.State != evidence.Duplicate {
		return fmt.Errorf("%s is kept as %s: %s", f.Path, got.State, firstFinding(got))
	}
	digest, err := evidence.ParseDigest(f.SHA256)
	if err != nil {
		return err
	}
	entry.Run = evidence.RunID(digest, 0)
	entry.Page = "/runs/" + entry.Run
	return lost(&report, nil)
}

// writers write a run in the formats of other tools.
var writers = map[string]func(*artifact.Run) ([]byte, error){"anvil": formats.Anvil, "vllm": formats.VLLM}

func otherFormats() []string { return slices.Sorted(maps.Keys(writers)) }

// others writes a run in other formats too. One that has no place for the run is told and
// stops nothing.
func others(names []string, f *measure.File, entry *runFile) error {
	var errs []error
	for _, name := range names {
		data, err := writers[name](f.Run)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s as %s: %w", f.Path, name, err))
			continue
		}
		path := strings.TrimSuffix(f.Path, ".json") + "." + name + ".json"
		if err := os.WriteFile(path, data, 0o644); err != nil {
			errs = append(errs, err)
			continue
		}
		entry.Also = append(entry.Also, path)
	}
	return errors.Join(errs...)
}

func (x *runReport) finish(done *measure.Report) {
	if len(done.Files) > 0 {
		x.Arm = done.Files[0].Run.Arm
	}
	x.Interrupted, x.Gates, x.Warnings = done.Interrupted, done.Gates, done.Warnings
	if x.Gates == nil {
		x.Gates = []artifact.Gate{}
	}
	if x.Warnings == nil {
		x.Warnings = []string{}
	}
}

func (x *runReport) print(w io.Writer, asJSON, kept bool) error {
	if asJSON {
		b, err := json.Marshal(x)
		if err != nil {
			return err
		}
		_, err = w.Write(append(b, '\n'))
		return err
	}
	var b strings.Builder
	if len(x.Files) > 0 {
		x.table(&b)
	}
	for _, g := range x.Gates {
		if g.Status != "passed" {
			fmt.Fprintf(&b, "%s: %s: %s\n", g.Name, g.Status, oneLine(g.Detail))
		}
	}
	for _, line := range x.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", oneLine(line))
	}
	if len(x.Files) > 0 {
		word := "artifacts"
		if len(x.Files) == 1 {
			word = "artifact"
		}
		fmt.Fprintf(&b, "%d %s in %s\n", len(x.Files), word, oneLine(x.Folder))
	}
	if kept && len(x.Files) > 0 {
		fmt.Fprintf(&b, "look at it: assay --db %s serve, then %s\n", oneLine(x.DB), x.Files[0].Page)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (x *runReport) table(b *strings.Builder) {
	width := len("workload")
	for _, f := range x.Files {
		width = max(width, len(f.Workload))
	}
	fmt.Fprintf(b, "%-*s  repeat  status    requests  failed", width, "workload")
	for _, c := range shownFigures {
		fmt.Fprintf(b, "  %s", c.head)
	}
	fmt.Fprintln(b)
	for _, f := range x.Files {
		fmt.Fprintf(b, "%-*s  %6d  %-8s  %8d  %6s", width, f.Workload, f.Repeat, f.Status, f.Requests, f.Failed)
		for _, c := range shownFigures {
			text := "-"
			if v, ok := f.Figures[c.name]; ok {
				text = strconv.FormatFloat(v*c.factor, 'f', 2, 64)
			}
			fmt.Fprintf(b, "  %*s", len(c.head), text)
		}
		fmt.Fprintln(b)
		if f.Why != "" {
			fmt.Fprintf(b, "  %s\n", oneLine(f.Why))
		}
		if len(f.NotPassed) > 0 {
			fmt.Fprintf(b, "  not passed: %s\n", oneLine(strings.Join(f.NotPassed, ", ")))
		}
	}
}
