package main

import (
	"github.com/spf13/cobra"

	"assay/ingest/artifact"
)

func (r *root) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the runner's own artifact (" + artifact.Label + ")",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			text, err := artifact.Schema()
			if err != nil {
				return err
			}
			_, err = r.env.Stdout.Write(append(text, '\n'))
			return err
		},
	}
}
