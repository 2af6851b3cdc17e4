package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/ingest"
	"assay/store/evidence"
)

type ingestFlags struct {
	campaign string
	json     bool
	watch    string
}

func (r *root) ingestCommand() *cobra.Command {
	var fl ingestFlags
	cmd := &cobra.Command{
		Use:   "ingest PATH... | --watch FOLDER",
		Short: "Take evidence in: files, folders with all files below them, - for standard input",
		Long: "Keeps the bytes of every input first and reads them then. Every input ends in a state:\n" +
			"accepted, duplicate, archived-only or quarantined. An input of which no bytes could be read\n" +
			"or kept is lost, one that is kept and could not be read is pending until the next intake:\n" +
			"both are named, and the exit code is 1.\n\n" +
			"--watch takes in what is in a folder and what comes into it, every file once it stands still,\n" +
			"until the process is told to stop (exit code 0). Names that start with a dot or end in .tmp,\n" +
			".part and the like wait for their rename; links are not followed.",
		Args: func(cmd *cobra.Command, args []string) error {
			watching := cmd.Flags().Changed("watch")
			switch {
			case watching && len(args) > 0:
				return usagef("ingest: --watch stands without PATH; it takes in what is in its folder and what comes")
			case watching && fl.watch == "":
				return usagef("--watch: name a folder")
			case !watching && len(args) == 0:
				return usagef("ingest: name at least one file or folder, or - for standard input")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.TrimSpace(fl.campaign) != fl.campaign {
				return usagef("--campaign %q: has spaces around it", fl.campaign)
			}
			if fl.watch != "" {
				return r.watch(cmd.Context(), fl.watch, fl)
			}
			return r.ingest(cmd.Context(), args, fl)
		},
	}
	cmd.Flags().StringVar(&fl.campaign, "campaign", "", "declare the campaign of everything that comes in; wins over what a file says")
	cmd.Flags().BoolVar(&fl.json, "json", false, "print one JSON object with counts and the end state of each input; with --watch one object a line for each file")
	cmd.Flags().StringVar(&fl.watch, "watch", "", "follow this drop folder instead of taking PATHs in")
	return cmd
}

func (r *root) ingest(ctx context.Context, paths []string, fl ingestFlags) (err error) {
	sources, err := r.sources(paths)
	if err != nil {
		return err
	}
	archive, err := r.open(ctx)
	if err != nil {
		if report := ingest.NotTaken(sources, err); fl.json {
			err = errors.Join(err, printReport(r.env.Stdout, &report))
		}
		return err
	}
	defer closing(archive, &err)
	bar := r.newBar("reading")
	lines := &fileLines{out: r.env.Stdout, quiet: fl.json, faultsOnly: bar != nil && r.env.terminal(r.env.Stdout), bar: bar}
	report, err := ingest.Take(ctx, archive, sources, ingest.Options{
		Own:      []string{r.ring().Dir()},
		Campaign: fl.campaign, Progress: bar.progress(), Done: lines.file, Now: r.env.Now,
	})
	bar.finish()
	if fl.json {
		return errors.Join(printReport(r.env.Stdout, &report), lost(&report, err))
	}
	lines.summary(&report)
	return errors.Join(lines.err, lost(&report, err))
}

func (r *root) sources(paths []string) ([]ingest.Source, error) {
	var sources []ingest.Source
	stdin := false
	for _, p := range paths {
		switch {
		case p == "-" && stdin:
			return nil, usagef("ingest: - stands twice; standard input can be read once")
		case p == "-":
			stdin = true
			sources = append(sources, ingest.Stdin(r.env.Stdin))
		case p == "":
			return nil, usagef("ingest: an empty path; name a file or folder, or - for standard input")
		default:
			sources = append(sources, ingest.Path(p))
		}
	}
	return sources, nil
}

// lost adds to the error of an intake how many inputs have no end state, and without
// one says where the first of them is.
func lost(r *ingest.Report, err error) error {
	if r.Lost+r.Pending == 0 {
		return err
	}
	counts := fmt.Sprintf("%d of %d inputs lost", r.Lost, len(r.Files))
	if r.Pending > 0 {
		counts += fmt.Sprintf(", %d kept and not read", r.Pending)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", counts, err)
	}
	i := slices.IndexFunc(r.Files, func(f ingest.FileReport) bool { return f.State == ingest.Lost || f.State == evidence.Pending })
	return fmt.Errorf("%s, the first is %s: %s", counts, r.Files[i].Path, firstFinding(&r.Files[i]))
}

func printReport(w io.Writer, r *ingest.Report) error {
	b, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// fileLines prints one line for each input as its end state is committed.
type fileLines struct {
	out        io.Writer
	quiet      bool
	faultsOnly bool // a bar shows the others
	bar        *bar
	err        error // of the first write that failed; the intake goes on
}

func (l *fileLines) file(f ingest.FileReport) {
	trouble := f.State == evidence.Quarantined || f.State == ingest.Lost || f.State == evidence.Pending
	if l.quiet || l.err != nil || l.faultsOnly && !trouble {
		return
	}
	if l.faultsOnly {
		l.bar.finish() // lines and bar share the screen
	}
	digest := "-"
	if len(f.SHA256) >= 12 {
		digest = f.SHA256[:12]
	}
	_, l.err = fmt.Fprintf(l.out, "%-13s %-12s %s%s\n", f.State, digest, oneLine(f.Path), oneLine(said(&f)))
}

// said is what a line tells behind the path: what was read, or the first finding.
func said(f *ingest.FileReport) string {
	if f.State == evidence.Accepted && f.Reader != "" {
		word := "runs"
		if f.Runs == 1 {
			word = "run"
		}
		return fmt.Sprintf("  %s, %d %s", f.Reader, f.Runs, word)
	}
	if s := firstFinding(f); s != "" {
		return "  " + s
	}
	return ""
}

// firstFinding is the first of the worst findings, with its place.
func firstFinding(f *ingest.FileReport) string {
	var worst *evidence.Finding
	rank := map[evidence.Severity]int{evidence.Info: 1, evidence.Warning: 2, evidence.Error: 3}
	for i := range f.Findings {
		if x := &f.Findings[i]; worst == nil || rank[x.Severity] > rank[worst.Severity] {
			worst = x
		}
	}
	if worst == nil {
		return ""
	}
	place := ""
	if worst.Pointer != "" {
		place += " at " + string(worst.Pointer)
	}
	if worst.Offset >= 0 {
		place += fmt.Sprintf(" byte %d", worst.Offset)
	}
	return fmt.Sprintf("%s%s: %s", worst.Code, place, worst.Message)
}

func (l *fileLines) summary(r *ingest.Report) {
	if l.err != nil {
		return
	}
	s := fmt.Sprintf("%d inputs: %d accepted, %d duplicate, %d archived-only, %d quarantined",
		r.Inputs(), r.Accepted, r.Duplicate, r.Archived, r.Quarantined)
	if r.Skipped > 0 {
		s += fmt.Sprintf(", %d skipped", r.Skipped)
	}
	if r.Pending > 0 {
		s += fmt.Sprintf(", %d pending", r.Pending)
	}
	if r.Lost > 0 {
		s += fmt.Sprintf(", %d lost", r.Lost)
	}
	if n := len(r.Resumed); n > 0 {
		s += fmt.Sprintf("; %d of an earlier intake finished", n)
	}
	_, l.err = fmt.Fprintln(l.out, s)
}
