package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"
	"golang.org/x/mod/sumdb/note"

	"assay/ingest"
	"assay/store"
	"assay/store/signoff"
)

// verifyResult is what verify found, as --json prints it.
type verifyResult struct {
	Holds bool `json:"holds"`
	ingest.VerifyReport
	File []string  `json:"file"` // what is wrong with the file and with what is summed up in it
	Log  logResult `json:"log"`
}

// logResult is what verify found about the log.
type logResult struct {
	Origin      string     `json:"origin"`
	Records     int64      `json:"records"`
	Checkpoints int64      `json:"checkpoints"`
	Rows        int64      `json:"rows"` // held against their records
	Unsigned    int64      `json:"unsigned"`
	Faults      []logFault `json:"faults"`
	// Prefix says how an old checkpoint stands to the log of today; null without one.
	Prefix *prefixResult `json:"prefix"`
	// Checkpoint is the latest signed checkpoint: keep it somewhere else.
	Checkpoint string `json:"checkpoint"`
}

type logFault struct {
	What   string `json:"what"`
	Record *int64 `json:"record"`
	Detail string `json:"detail"`
}

type prefixResult struct {
	Size   int64  `json:"size"`
	Holds  bool   `json:"holds"`
	Detail string `json:"detail"`
}

type verifyFlags struct {
	json       bool
	checkpoint string
	keys       []string
}

func (r *root) verifyCommand() *cobra.Command {
	var fl verifyFlags
	cmd := &cobra.Command{
		Use:   "verify [BUNDLE]",
		Short: "Check the archive (every digest, row, record of the log, signature), or an evidence bundle",
		Long: "Holds every artifact against its digest, every derived row against a fresh reading, every hash and\n" +
			"checkpoint of the log against its records, and every record against the row it speaks of. The exit\n" +
			"code is 0 only if all holds.\n\n" +
			"--checkpoint FILE proves that the log of an old checkpoint is the beginning of the log of today: only\n" +
			"a checkpoint that was kept elsewhere can show that nothing was rewritten.\n\n" +
			"With a BUNDLE, as 'assay signoff bundle' writes it, that is checked instead: the signature, the proofs\n" +
			"and every artifact in it. Neither the archive nor a key is needed; --key names the server's key to expect.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return r.verifyBundle(args[0], fl)
			}
			return r.verify(cmd.Context(), fl)
		},
	}
	cmd.Flags().BoolVar(&fl.json, "json", false, "print one JSON object")
	cmd.Flags().StringVar(&fl.checkpoint, "checkpoint", "", "an old checkpoint, as exports and sign-off pages carry it; - reads standard input")
	cmd.Flags().StringArrayVar(&fl.keys, "key", nil, "trust this public key of the server, no other: for --checkpoint or a bundle, else for the latest checkpoint (repeatable)")
	return cmd
}

func (r *root) verify(ctx context.Context, fl verifyFlags) (err error) {
	old, err := r.oldCheckpoint(fl)
	if err != nil {
		return err
	}
	pinned, err := pinnedKeys(fl.keys)
	if err != nil {
		return err
	}
	archive, err := r.inspect(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	bar := r.newBar("verifying")
	report, err := ingest.Verify(ctx, archive, ingest.VerifyOptions{
		Options: ingest.Options{Progress: bar.progress(), Now: r.env.Now}, Derive: store.Derived,
	})
	bar.finish()
	if err != nil {
		return err
	}
	file, err := checkFile(ctx, archive)
	if err != nil {
		return err
	}
	log, err := verifyLog(ctx, archive, old, pinned)
	if err != nil {
		return err
	}
	r.holdKey(&log, old, pinned)
	result := verifyResult{VerifyReport: report, File: file, Log: log}
	result.Holds = report.Holds() && len(file) == 0 && log.holds()
	if fl.json {
		err = result.json(r.env.Stdout)
	} else {
		err = result.text(r.env.Stdout)
	}
	if err == nil && !result.Holds {
		err = result.failure(r.db)
	}
	return err
}

// checkFile is what is wrong with the file, and with what is summed up in it.
func checkFile(ctx context.Context, archive *store.Archive) ([]string, error) {
	faults, err := archive.CheckFile(ctx)
	if err != nil || len(faults) > 0 {
		return faults, err
	}
	return archive.CheckCampaigns(ctx)
}

// oldCheckpoint reads the checkpoint to be proved, nil when there is none.
func (r *root) oldCheckpoint(fl verifyFlags) ([]byte, error) {
	if fl.checkpoint == "" {
		return nil, nil
	}
	data, err := r.readInput(fl.checkpoint, 64<<10)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	return data, nil
}

// pinnedKeys are the keys to trust instead of those that the archive names, nil for none.
func pinnedKeys(keys []string) (note.Verifiers, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	var list []note.Verifier
	for _, k := range keys {
		v, err := note.NewVerifier(k)
		if err != nil {
			return nil, usagef("--key %.80s: %v", k, err)
		}
		list = append(list, v)
	}
	return note.VerifierList(list...), nil
}

// holdKey holds the latest checkpoint against a key that the archive itself cannot give:
// one that --key names, unless that is for an old checkpoint, or the one in the folder of
// keys. Without either, or before anything was signed, there is nothing to hold.
func (r *root) holdKey(log *logResult, old []byte, pinned note.Verifiers) {
	fault := func(format string, args ...any) {
		log.Faults = append(log.Faults, logFault{What: "key", Detail: fmt.Sprintf(format, args...)})
	}
	whose := "a key that you gave with --key"
	if pinned == nil || old != nil {
		public, err := r.ring().ServerPublic()
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) { // somebody else looks
			return
		}
		if err == nil {
			pinned, err = pinnedKeys([]string{public})
		}
		if err != nil {
			fault("%v", err)
			return
		}
		whose = "the key in " + r.ring().Dir() + " (restart a server that runs since before it was replaced)"
	}
	if log.Checkpoint == "" {
		return
	}
	if _, _, err := signoff.OpenCheckpoint([]byte(log.Checkpoint), pinned); err != nil {
		fault("the last checkpoint is not signed by %s: %v", whose, err)
	}
}

func verifyLog(ctx context.Context, archive *store.Archive, old []byte, pinned note.Verifiers) (logResult, error) {
	rep, err := archive.VerifyLog(ctx)
	if err != nil {
		return logResult{}, err
	}
	out := logResult{Origin: rep.Origin, Records: rep.Records, Checkpoints: rep.Checkpoints, Rows: rep.Rows, Unsigned: rep.Unsigned,
		Faults: []logFault{}, Checkpoint: string(rep.Latest.Note)}
	for _, f := range rep.Faults {
		x := logFault{What: f.What, Detail: f.Detail}
		if f.Index >= 0 {
			x.Record = &f.Index
		}
		out.Faults = append(out.Faults, x)
	}
	if rep.More > 0 {
		out.Faults = append(out.Faults, logFault{What: "more", Detail: fmt.Sprintf("%d further faults", rep.More)})
	}
	if old == nil {
		return out, nil
	}
	c, now, err := archive.CheckOld(ctx, old, pinned)
	p := &prefixResult{Size: c.Size, Holds: err == nil, Detail: fmt.Sprintf("the %d records of the checkpoint are the beginning of today's %d", c.Size, now.Size)}
	if err != nil {
		if p.Detail = err.Error(); ctx.Err() != nil {
			return out, err
		}
	}
	out.Prefix = p
	return out, nil
}

func (l *logResult) holds() bool {
	return len(l.Faults) == 0 && (l.Prefix == nil || l.Prefix.Holds)
}

func (v *verifyResult) failure(db string) error {
	n := len(v.Faults) + len(v.File) + len(v.Log.Faults)
	if v.Log.Prefix != nil && !v.Log.Prefix.Holds {
		return fmt.Errorf("archive %s: the checkpoint is no beginning of its log: %s", db, v.Log.Prefix.Detail)
	}
	if len(v.Log.Faults) > 0 {
		return fmt.Errorf("archive %s: %d faults, %d of them in the log: it is not what was signed; keep a copy of the file and go back to a backup", db, n, len(v.Log.Faults))
	}
	return fmt.Errorf("archive %s: %d faults; keep a copy of the file, then 'assay reindex' mends rows, a backup mends bytes", db, n)
}

func (v *verifyResult) json(w io.Writer) error {
	if v.File == nil {
		v.File = []string{}
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("verification: %w", err)
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

func (v *verifyResult) text(w io.Writer) error {
	var errs []error
	say := func(format string, args ...any) {
		_, err := fmt.Fprintf(w, format, args...)
		errs = append(errs, err)
	}
	for _, f := range v.Faults {
		say("fault  %s %s: %s\n", f.What, f.SHA256, oneLine(f.Detail))
	}
	for _, f := range v.File {
		say("fault  file: %s\n", oneLine(f))
	}
	for _, f := range v.Log.Faults {
		if f.Record != nil {
			say("fault  %s %d: %s\n", f.What, *f.Record, oneLine(f.Detail))
		} else {
			say("fault  %s: %s\n", f.What, oneLine(f.Detail))
		}
	}
	bytes, rows := 0, 0
	for _, f := range v.Faults {
		if f.What == "bytes" {
			bytes++
		} else {
			rows++
		}
	}
	say("artifacts  %d, %d bytes\n", v.Artifacts, v.Bytes)
	say("digests    %d hold, %d do not\n", v.Artifacts-bytes, bytes)
	say("rows       %d artifacts as read again, %d not, %d not read yet\n", v.Artifacts-bytes-rows-v.Pending, rows, v.Pending)
	say("file       %d faults\n", len(v.File))
	say("log        %d records, %d checkpoints, %d rows held against their records, %d records behind the last checkpoint, %d faults\n",
		v.Log.Records, v.Log.Checkpoints, v.Log.Rows, v.Log.Unsigned, len(v.Log.Faults))
	if p := v.Log.Prefix; p != nil {
		say("checkpoint %s\n", oneLine(p.Detail))
	}
	if v.Log.Checkpoint != "" {
		say("\nThe latest checkpoint; keep it somewhere else:\n\n%s", v.Log.Checkpoint)
	}
	return errors.Join(errs...)
}

// logFilterOf reads the kind that a list of records is narrowed to.
func logFilterOf(kind string) (signoff.LogFilter, error) {
	if kind == "" {
		return signoff.LogFilter{}, nil
	}
	for _, k := range signoff.RecordKinds {
		if string(k) == kind {
			return signoff.LogFilter{Kind: k}, nil
		}
	}
	return signoff.LogFilter{}, usagef("--kind %.40q: want one of %v", kind, signoff.RecordKinds)
}
