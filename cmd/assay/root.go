package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// root is the command tree of one call.
type root struct {
	env     *env
	cmd     *cobra.Command
	db      string
	keys    string // folder of keys, "" for the one beside the archive
	started bool   // cobra accepted the command line
	running *cobra.Command
}

func newRoot(e *env) *root {
	r := &root{env: e}
	r.cmd = &cobra.Command{
		Use:   "assay",
		Short: "Evidence of LLM-serving benchmark campaigns: keep, read, compare, export",
		Long: "assay keeps the verbatim evidence of LLM-serving benchmark campaigns in one file,\n" +
			"shows where every number stands, and compares only what can be compared.\n\n" +
			"Start with: assay demo",
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRun: func(cmd *cobra.Command, _ []string) {
			r.started, r.running = true, cmd
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	r.cmd.SetArgs(e.Args)
	r.cmd.SetIn(e.Stdin)
	r.cmd.SetOut(e.Stdout)
	r.cmd.SetErr(e.Stderr)
	r.cmd.CompletionOptions.HiddenDefaultCmd = true
	r.cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		r.running = cmd
		return usageError{err}
	})
	db := e.lookup("ASSAY_DB")
	if db == "" {
		db = "assay.db"
	}
	r.cmd.PersistentFlags().StringVar(&r.db, "db", db, "archive file; ASSAY_DB sets the default")
	r.cmd.PersistentFlags().StringVar(&r.keys, "keys", e.lookup("ASSAY_KEYS"), "folder of secret keys, outside the archive (default: the archive's name with .keys); ASSAY_KEYS sets the default")
	r.cmd.AddCommand(
		r.ingestCommand(), r.reindexCommand(), r.verifyCommand(), r.backupCommand(),
		r.exportCommand(), r.compareCommand(), r.claimsCommand(), r.matrixCommand(), r.metricsCommand(),
		r.aliasCommand(), r.declareCommand(), r.moveCommand(), r.withdrawCommand(), r.repairsCommand(), r.queueCommand(), r.keysCommand(),
		r.waiveCommand(), r.waiversCommand(), r.signoffCommand(), r.supersedeCommand(), r.invalidateCommand(), r.marksCommand(), r.planCommand(), r.runCommand(), r.schemaCommand(), r.logCommand(), r.userCommand(), r.policyCommand(),
		r.tokenCommand(), r.serveCommand(), r.demoCommand(), r.versionCommand(), r.exitCodesTopic(),
	)
	return r
}

// called is the command as far as cobra found one, for the hint after a usage error.
func (r *root) called() string {
	if r.running != nil {
		return r.running.CommandPath()
	}
	return r.cmd.CommandPath()
}

// exitCodesTopic is a help topic: a command that only has a text.
func (r *root) exitCodesTopic() *cobra.Command {
	var b strings.Builder
	b.WriteString("Exit codes:\n")
	for _, c := range exitCodes {
		fmt.Fprintf(&b, "  %3d  %s\n", c.code, c.meaning)
	}
	return &cobra.Command{Use: "exit-codes", Short: "What the exit codes mean", Long: strings.TrimSuffix(b.String(), "\n")}
}
