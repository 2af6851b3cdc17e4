package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"assay/store/evidence"
	"assay/store/export"
)

type exportFlags struct {
	format, filter, output, checkpoint string
	wide, private                      bool
}

func (r *root) exportCommand() *cobra.Command {
	var fl exportFlags
	cmd := &cobra.Command{
		Use:       "export KIND",
		Short:     "Write rows as CSV, JSON, Markdown or Go benchmark lines, each with its source",
		Long:      exportHelp(),
		Args:      cobra.ExactArgs(1),
		ValidArgs: exportKinds(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.export(cmd.Context(), args[0], fl)
		},
	}
	f := cmd.Flags()
	f.StringVar(&fl.format, "format", string(export.CSV), "csv, json, md, bench (measurements only), or llmd (runs only: llm-d benchmark reports)")
	f.StringVar(&fl.filter, "filter", "", "keep only rows for which every term holds, for example 'metric=ttft and stat=p50'")
	f.StringVarP(&fl.output, "output", "o", "", "write to FILE, whole or not at all (default: standard output)")
	f.StringVar(&fl.checkpoint, "checkpoint-out", "", "write the latest signed checkpoint of the log to FILE, for 'assay verify --checkpoint FILE' later")
	f.BoolVar(&fl.wide, "wide", false, "add the further columns after the documented ones")
	f.BoolVar(&fl.private, "private", false, "leave paths of people, card ids and addresses as they are (credentials are masked all the same)")
	return cmd
}

func exportKinds() []string {
	kinds := make([]string, len(export.Kinds))
	for i, k := range export.Kinds {
		kinds[i] = string(k)
	}
	return kinds
}

func exportHelp() string {
	var b strings.Builder
	b.WriteString("KIND is one of " + strings.Join(exportKinds(), ", ") + ".\n\n" +
		"A filter is COLUMN OP VALUE, terms joined by \" and \" or a comma. OP is = != ~ (contains)\n" +
		"!~ < <= > >=. A value with spaces or commas stands in double quotes; an empty one means\n" +
		"absent. Columns, those after the bar with --wide and in filters only:\n\n")
	for _, k := range export.Kinds {
		fmt.Fprintf(&b, "  %s:", k)
		documented := len(export.Columns(k))
		for i, c := range export.WideColumns(k) {
			if i == documented {
				b.WriteString(" |")
			}
			b.WriteString(" " + c.Name)
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (r *root) export(ctx context.Context, kindName string, fl exportFlags) (err error) {
	if err := checkPointFile(fl); err != nil {
		return err
	}
	if fl.format == string(export.LLMD) {
		return r.exportReports(ctx, kindName, fl)
	}
	kind, err := export.ParseKind(kindName)
	if err != nil {
		return usageError{err}
	}
	format, err := export.ParseFormat(fl.format)
	if err != nil {
		return usageError{err}
	}
	filter, err := export.ParseFilter(kind, fl.filter)
	if err != nil {
		return usageError{err}
	}
	begin := export.New
	if fl.wide {
		begin = export.NewWide
	}
	if _, err := begin(kind, format, io.Discard); err != nil {
		return usageError{err}
	}
	archive, err := r.openExisting(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	point := exportPoint{file: fl.checkpoint}
	err = r.output(fl.output, func(out io.Writer) error {
		w, err := begin(kind, format, out)
		if err != nil {
			return err
		}
		w.Where(filter)
		if fl.private {
			w.ShowPrivate()
		}
		lists := export.WithSignOffs{Lists: archive, SignOffs: r.desk(archive)}
		if err := w.Pour(ctx, lists, filter.Narrow(evidence.Filter{})); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		if err := point.read(ctx, archive); err != nil {
			return err
		}
		return point.markdown(format, out)
	})
	if err != nil {
		return err
	}
	return point.leave(r)
}

// output calls write with standard output, or with a file that appears whole or not
// at all.
func (r *root) output(path string, write func(io.Writer) error) (err error) {
	if path == "" || path == "-" {
		return write(r.env.Stdout)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return writeDevice(path, write)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".assay-*")
	if err != nil {
		return fmt.Errorf("output %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	buffered := bufio.NewWriter(f)
	if err := write(buffered); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return fmt.Errorf("output %s: %w", path, err)
	}
	if err := f.Chmod(0o644); err != nil {
		return fmt.Errorf("output %s: %w", path, err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("output %s: %w", path, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("output %s: %w", path, err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("output %s: %w", path, err)
	}
	return nil
}

// writeDevice writes to what is not a regular file (a device, a pipe), which a rename
// would replace.
func writeDevice(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("output %s: %w", path, err)
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
