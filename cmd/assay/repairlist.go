package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"assay/store/evidence"
)

func (r *root) repairsCommand() *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{
		Use:   "repairs",
		Short: "List what people have said about evidence: aliases, declared facts, moves",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			archive, err := r.openExisting(cmd.Context())
			if err != nil {
				return err
			}
			defer closing(archive, &err)
			list, _, err := archive.Repairs(cmd.Context(), evidence.RepairFilter{Holds: !all})
			if err != nil {
				return err
			}
			if asJSON {
				return repairsJSON(r.env.Stdout, list)
			}
			return repairsText(r.env.Stdout, list)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	cmd.Flags().BoolVar(&all, "all", false, "list those that were withdrawn, too")
	return cmd
}

// repairLine is a repair as repairs --json prints it; what there is none of is null.
type repairLine struct {
	ID         int64      `json:"repair"`
	Kind       string     `json:"kind"`
	Target     string     `json:"target"`
	Key        *string    `json:"key"`
	Value      string     `json:"value"`
	Author     string     `json:"author"`
	Reason     string     `json:"reason"`
	At         *time.Time `json:"at"`
	Holds      bool       `json:"holds"`
	By         *string    `json:"withdrawn_by"`
	Why        *string    `json:"withdrawn_reason"`
	WithdrawAt *time.Time `json:"withdrawn"`
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func repairsJSON(w io.Writer, list []evidence.Repair) error {
	lines := make([]repairLine, len(list))
	for i := range list {
		r := &list[i]
		lines[i] = repairLine{r.ID, string(r.Kind), r.Target, orNull(string(r.Key)), r.Value, r.Author, r.Reason, moment(r.AtUS),
			r.Holds(), orNull(r.WithdrawnBy), orNull(r.WithdrawnReason), moment(r.WithdrawnUS)}
	}
	b, err := json.Marshal(lines)
	if err != nil {
		return fmt.Errorf("repairs: %w", err)
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

func repairsText(out io.Writer, list []evidence.Repair) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(out, "no repairs; \"assay queue\" lists what is worth repairing")
		return err
	}
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "repair\tsays\tauthor\twhen\treason\tstate")
	for i := range list {
		r := &list[i]
		state := "holds"
		if !r.Holds() {
			state = "withdrawn by " + r.WithdrawnBy + " " + inWords(moment(r.WithdrawnUS)) + ": " + r.WithdrawnReason
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\n", r.ID, oneLine(inWordsOf(r)), oneLine(r.Author), inWords(moment(r.AtUS)), oneLine(r.Reason), oneLine(state))
	}
	return w.Flush()
}
