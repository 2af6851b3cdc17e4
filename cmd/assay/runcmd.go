package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/runner/load"
	"assay/runner/measure"
	"assay/runner/workload"
	"assay/store/evidence"
)

type runFlags struct {
	endpoint, model, workload string
	arm, campaign, title, out string
	keyEnv                    string
	headers, facts, cards     []string
	also                      []string
	nvml                      string
	repeats                   int
	seed                      int64
	noPreflight, noCalibrate  bool
	noIngest, json            bool
}

func (r *root) runCommand() *cobra.Command {
	var fl runFlags
	cmd := &cobra.Command{
		Use:   "run --endpoint URL --workload FILE|PRESET",
		Short: "Measure a served model: requests, functional checks, telemetry, one artifact a step and repeat",
		Long: "Puts a workload to an OpenAI-compatible endpoint that already serves, writes one artifact\n" +
			"(assay.run/v1) with its raw samples for every step and repeat, and takes each in at once.\n\n" +
			"Ctrl-C stops cleanly: what was measured so far is written as aborted. A second one ends the\n" +
			"program at once. Failed requests and failed checks are findings in the artifact, not errors.\n\n" +
			"\"assay run presets\" lists the workloads that have a name; \"assay run presets NAME\" prints one\n" +
			"as a file to change.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("run: %q: it takes no arguments; name the endpoint with --endpoint and the workload with --workload", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return r.run(cmd.Context(), &fl, cmd.Flags().Changed("seed"))
		},
	}
	f := cmd.Flags()
	f.StringVar(&fl.endpoint, "endpoint", "", "base URL of the endpoint, with or without /v1")
	f.StringVar(&fl.model, "model", "", "model as the endpoint serves it; may be left out where it serves one")
	f.StringVar(&fl.workload, "workload", "", "a preset's name or a file (see docs/running.md)")
	f.StringVar(&fl.arm, "arm", "", "name of the configuration under test (default: the model's)")
	f.StringVar(&fl.campaign, "campaign", "", "campaign that the artifacts belong to (default: the workload's name and today's date)")
	f.StringVar(&fl.title, "title", "", "title of the campaign")
	f.StringVar(&fl.out, "out", "", "folder for artifacts and raw samples (default: assay-runs/CAMPAIGN)")
	f.StringVar(&fl.keyEnv, "key-env", "", "environment variable that holds the endpoint's API key")
	f.StringArrayVar(&fl.headers, "header", nil, "NAME=VALUE sent with every request; may be given several times")
	f.StringArrayVar(&fl.facts, "fact", nil, "KEY=VALUE that you state of the arm (assay keys lists them); may be given several times")
	f.StringArrayVar(&fl.cards, "card", nil, "UUID of a card that executes the arm; may be given several times")
	f.StringArrayVar(&fl.also, "also", nil, "write this format beside each artifact: "+strings.Join(otherFormats(), ", "))
	f.StringVar(&fl.nvml, "nvml", "", "the NVIDIA driver's library, where the system does not find it")
	f.IntVar(&fl.repeats, "repeats", 0, "repeats in place of the workload's")
	f.Int64Var(&fl.seed, "seed", 0, "seed in place of the workload's")
	f.BoolVar(&fl.noPreflight, "no-preflight", false, "leave the functional checks out")
	f.BoolVar(&fl.noCalibrate, "no-calibration", false, "do not measure what this client can do; the artifacts say so")
	f.BoolVar(&fl.noIngest, "no-ingest", false, "only write the files")
	f.BoolVar(&fl.json, "json", false, "print one JSON object about what was measured")
	cmd.AddCommand(r.presetsCommand())
	return cmd
}

func (r *root) presetsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "presets [NAME]",
		Short: "List the workloads that have a name, or print one as a file",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				w, ok := workload.Preset(args[0])
				if !ok {
					return usagef("run presets: there is no %q; there are %s", args[0], presetNames())
				}
				text, err := w.TOML()
				if err != nil {
					return err
				}
				_, err = r.env.Stdout.Write(text)
				return err
			}
			var b strings.Builder
			for _, w := range workload.Presets() {
				fmt.Fprintf(&b, "%-18s %d steps, %d repeats  %s\n", w.Name, len(w.Steps), w.Repeats, w.About)
			}
			_, err := fmt.Fprint(r.env.Stdout, b.String())
			return err
		},
	}
}

func presetNames() string {
	var names []string
	for _, w := range workload.Presets() {
		names = append(names, w.Name)
	}
	return strings.Join(names, ", ")
}

var notPlain = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// options reads the command line; all its faults are told at once.
func (r *root) options(fl *runFlags, seeded bool) (measure.Options, error) {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	o := measure.Options{Model: fl.model, Title: fl.title, NVML: fl.nvml, Cards: fl.cards, NoCalibration: fl.noCalibrate, NoPreflight: fl.noPreflight,
		Now: r.env.Now, Version: programVersion(), Command: r.commandLine()}
	o.Target = load.Target{Endpoint: fl.endpoint}
	if fl.endpoint == "" {
		bad("--endpoint: name the base URL, such as http://127.0.0.1:8000")
	}
	w, err := readWorkload(fl.workload)
	if err != nil {
		errs = append(errs, err)
		w = &workload.Workload{Name: "unknown"}
	}
	if fl.repeats != 0 {
		w.Repeats = fl.repeats
	}
	if seeded {
		w.Seed = fl.seed
	}
	if err == nil {
		errs = append(errs, w.Check())
	}
	o.Workload = w
	o.Target.Policy, o.Target.Limits = w.Policy, w.Limits
	if fl.keyEnv != "" {
		if o.Target.Key = r.env.lookup(fl.keyEnv); o.Target.Key == "" {
			bad("--key-env: the environment has no %s", fl.keyEnv)
		}
	}
	for _, h := range fl.headers {
		name, value, ok := strings.Cut(h, "=")
		if !ok || name == "" {
			bad("--header %q: want NAME=VALUE", h)
			continue
		}
		if o.Target.Headers == nil {
			o.Target.Headers = map[string]string{}
		}
		o.Target.Headers[name] = value
	}
	for _, x := range fl.facts {
		k, v, ok := strings.Cut(x, "=")
		if _, known := evidence.KnownKey(evidence.FactKey(k)); !ok || v == "" || !known {
			bad("--fact %q: want KEY=VALUE with a key that \"assay keys\" lists", x)
			continue
		}
		if o.Declared == nil {
			o.Declared = map[evidence.FactKey]measure.Declared{}
		}
		o.Declared[evidence.FactKey(k)] = measure.Declared{Value: v, How: "--fact of the one who ran it"}
	}
	for _, name := range fl.also {
		if !slices.Contains(otherFormats(), name) {
			bad("--also %q: there is %s", name, strings.Join(otherFormats(), ", "))
		}
	}
	o.Campaign, o.Arm = fl.campaign, fl.arm
	if o.Campaign == "" {
		o.Campaign = w.Name + "-" + r.env.Now().UTC().Format("2006-01-02")
	}
	if o.Folder = fl.out; o.Folder == "" {
		o.Folder = filepath.Join("assay-runs", strings.Trim(notPlain.ReplaceAllString(o.Campaign, "-"), "-"))
	}
	if err := errors.Join(errs...); err != nil {
		return o, usagef("run: %w", err)
	}
	return o, nil
}

// readWorkload takes a preset's name or a file.
func readWorkload(name string) (*workload.Workload, error) {
	if name == "" {
		return nil, fmt.Errorf("--workload: name a preset (%s) or a file", presetNames())
	}
	if w, ok := workload.Preset(name); ok {
		return w, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("--workload %q: neither a preset (%s) nor a file that can be read: %w", name, presetNames(), err)
	}
	defer f.Close()
	return workload.Read(name, f)
}

func programVersion() string {
	v := version()
	if v.Revision == "" {
		return v.Version
	}
	text := v.Version + " " + v.Revision[:min(12, len(v.Revision))]
	if v.Modified {
		text += " with changes"
	}
	return text
}

// commandLine is what was asked, for the artifact: what headers hold stays here.
func (r *root) commandLine() []string {
	out := []string{"assay"}
	for i := 0; i < len(r.env.Args); i++ {
		a := r.env.Args[i]
		name, value, joined := strings.Cut(a, "=")
		switch {
		case name == "--header" && joined:
			header, _, _ := strings.Cut(value, "=")
			a = "--header=" + header + "=[left out]"
		case a == "--header" && i+1 < len(r.env.Args):
			header, _, _ := strings.Cut(r.env.Args[i+1], "=")
			out = append(out, a)
			a = header + "=[left out]"
			i++
		}
		out = append(out, oneLine(a))
	}
	return out
}

// run carries a session out and shows it.
func (r *root) run(ctx context.Context, fl *runFlags, seeded bool) error {
	o, err := r.options(fl, seeded)
	if err != nil {
		return err
	}
	var take *runIntake
	if !fl.noIngest {
		if take, err = r.runIntake(ctx, o.Campaign); err != nil {
			return err
		}
	}
	view := newRunView(r.env, &o)
	report := &runReport{Campaign: o.Campaign, Arm: o.Arm, Folder: o.Folder, DB: r.db, Files: []runFile{}}
	var faults []error
	o.Observe = view.show
	o.OnFile = func(f measure.File) {
		entry := fileEntry(&f)
		faults = append(faults, others(fl.also, &f, &entry))
		if take != nil {
			faults = append(faults, take.file(&f, &entry))
		}
		report.Files = append(report.Files, entry)
		view.file(&entry)
	}
	done, err := measure.Run(ctx, o)
	view.close()
	if done != nil {
		report.finish(done)
	}
	if perr := report.print(r.env.Stdout, fl.json, take != nil); perr != nil {
		err = errors.Join(err, perr)
	}
	if err = errors.Join(append(faults, err)...); err != nil {
		return err
	}
	if report.Interrupted {
		return interruptedError{errors.New("run: stopped; what was measured is written as aborted")}
	}
	return nil
}
