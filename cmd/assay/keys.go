package main

import (
	"github.com/spf13/cobra"

	"assay/store/evidence"
	"assay/store/export"
)

func (r *root) keysCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "List the fact keys: class, unit and title; what can be declared and given aliases",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			t := keyTable()
			return writeTable(r.env.Stdout, &t, format)
		},
	}
	cmd.Flags().StringVar(&format, "format", formatTable, "table, csv, json or md")
	return cmd
}

func keyTable() export.Table {
	t := export.Table{Columns: []export.Column{
		{Name: "key", Form: export.Code}, {Name: "class", Form: export.Code}, {Name: "unit", Form: export.Code}, {Name: "title"},
	}}
	for _, k := range evidence.Keys {
		t.Rows = append(t.Rows, []export.Cell{export.Text(k.Key), export.Text(k.Class), export.Optional(k.Unit), export.Text(k.Title)})
	}
	return t
}
