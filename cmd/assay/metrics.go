package main

import (
	"github.com/spf13/cobra"

	"assay/store/evidence"
	"assay/store/export"
)

func (r *root) metricsCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "metrics",
		Short: "List the metric registry: definitions, units, which direction is better",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			t := metricTable()
			return writeTable(r.env.Stdout, &t, format)
		},
	}
	cmd.Flags().StringVar(&format, "format", formatTable, "table, csv, json or md")
	return cmd
}

func metricTable() export.Table {
	t := export.Table{Columns: []export.Column{
		{Name: "metric", Form: export.Code}, {Name: "title"}, {Name: "definition"},
		{Name: "unit", Form: export.Code}, {Name: "better", Form: export.Code}, {Name: "comparable"},
	}}
	for _, m := range evidence.Metrics {
		t.Rows = append(t.Rows, []export.Cell{
			export.Text(m.ID), export.Text(m.Title), export.Text(m.Definition),
			export.Text(m.Unit), export.Text(m.Better), export.Flag(m.Comparable),
		})
	}
	return t
}
