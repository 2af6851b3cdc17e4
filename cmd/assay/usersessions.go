package main

import (
	"context"
	"encoding/json"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
)

func (r *root) userSessions() *cobra.Command {
	var asJSON, end bool
	cmd := &cobra.Command{
		Use: "sessions NAME", Short: "List where a person is signed in, or sign them out everywhere with --close", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON && end {
				return usagef("user sessions: --json and --close exclude each other")
			}
			return r.withPeople(cmd.Context(), func(ctx context.Context, p people) error {
				if end {
					return r.closeSessions(ctx, p, args[0])
				}
				return r.listSessions(ctx, p, args[0], asJSON)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	cmd.Flags().BoolVar(&end, "close", false, "end all of them")
	return cmd
}

// sessionLine is a session as sessions --json prints it.
type sessionLine struct {
	Made   *time.Time `json:"made"`
	Seen   *time.Time `json:"seen"`   // to the minute
	Proved *time.Time `json:"proved"` // when the person last proved who they are
	Remote string     `json:"remote"`
	Agent  string     `json:"agent"`
}

func (r *root) listSessions(ctx context.Context, p people, name string, asJSON bool) error {
	x, err := p.Account(ctx, name)
	if err != nil {
		return err
	}
	list, err := p.Sessions(ctx, x.ID)
	if err != nil {
		return err
	}
	lines := make([]sessionLine, len(list))
	for i, s := range list {
		lines[i] = sessionLine{moment(s.MadeUS), moment(s.SeenUS), moment(s.ProvedUS), s.Remote, s.Agent}
	}
	if asJSON {
		return json.NewEncoder(r.env.Stdout).Encode(lines)
	}
	if len(lines) == 0 {
		_, err := fmt.Fprintf(r.env.Stdout, "%s is signed in nowhere\n", name)
		return err
	}
	w := tabwriter.NewWriter(r.env.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "since\tlast seen\tfrom\tbrowser")
	for _, l := range lines {
		fmt.Fprintf(w, "%s\t%s\t%q\t%q\n", inWords(l.Made), inWords(l.Seen), l.Remote, l.Agent) // what a browser says of itself may hold anything
	}
	return w.Flush()
}

func (r *root) closeSessions(ctx context.Context, p people, name string) error {
	x, err := p.Account(ctx, name)
	if err != nil {
		return err
	}
	if err := p.CloseSessions(ctx, x.ID); err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.env.Stdout, "%s is signed out everywhere\n", name)
	return err
}
