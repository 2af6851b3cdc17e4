package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/mod/sumdb/note"

	"assay/store/signoff"
)

// bundleResult is what verify found of a bundle, as --json prints it.
type bundleResult struct {
	Holds     bool          `json:"holds"`
	Bundle    string        `json:"bundle"`
	Number    string        `json:"number"`
	Campaign  string        `json:"campaign"`
	Candidate string        `json:"candidate"`
	Target    string        `json:"target"`
	Decision  string        `json:"decision"`
	Preparer  string        `json:"preparer"`
	Signer    string        `json:"signer"`
	Signed    string        `json:"signed"`
	Statement string        `json:"statement_sha256"`
	SignedBy  string        `json:"key"`        // fingerprint of the person's key
	ServerKey string        `json:"server_key"` // that the checkpoint was checked with
	Pinned    bool          `json:"server_key_known"`
	LogSize   int64         `json:"log_size"`
	Checks    []bundleCheck `json:"checks"`
}

type bundleCheck struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Holds bool   `json:"holds"`
	Says  string `json:"says"`
}

// verifyBundle checks an evidence bundle. It needs neither an archive nor keys.
func (r *root) verifyBundle(path string, fl verifyFlags) error {
	if fl.checkpoint != "" {
		return usagef("verify: --checkpoint is for an archive; a bundle has its own checkpoint")
	}
	for _, k := range fl.keys {
		if _, err := note.NewVerifier(k); err != nil {
			return usagef("--key %.80s: %v", k, err)
		}
	}
	f, size, err := openBundle(path)
	if err != nil {
		return err
	}
	defer f.Close()
	report := signoff.VerifyBundle(f, size, fl.keys...)
	result := newBundleResult(path, report)
	if fl.json {
		err = json.NewEncoder(r.env.Stdout).Encode(result)
	} else {
		err = result.text(r.env.Stdout, report)
	}
	if err == nil && !result.Holds {
		n := 0
		for _, c := range result.Checks {
			if !c.Holds {
				n++
			}
		}
		err = fmt.Errorf("bundle %s: does not hold, %d faults: do not rely on it, and ask for it again where it came from", path, n)
	}
	return err
}

// openBundle opens a file that is a zip by what is in it, whatever its name.
func openBundle(path string) (*os.File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, fmt.Errorf("bundle: %w", err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("bundle %s: is no regular file", path)
	}
	var head [4]byte
	if err == nil {
		if _, rerr := io.ReadFull(f, head[:]); rerr != nil || !bytes.HasPrefix(head[:], []byte("PK")) {
			err = fmt.Errorf("bundle %s: is no zip; 'assay verify FILE' takes evidence bundles, and 'assay --db FILE verify' archives", path)
		}
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

func newBundleResult(path string, r *signoff.BundleReport) bundleResult {
	out := bundleResult{Holds: r.OK(), Bundle: path, Number: r.Number, SignedBy: r.Claim.Fingerprint, ServerKey: r.ServerKey, Pinned: r.Pinned,
		LogSize: r.Point.Size, Checks: []bundleCheck{}}
	if s := r.Statement; s != nil {
		out.Campaign, out.Candidate, out.Target, out.Decision = s.Campaign, s.Candidate.Name, string(s.Target), string(s.Decision)
		out.Preparer, out.Signer, out.Signed, out.Statement = s.Preparer, s.Signer, time.UnixMicro(s.TimeUS).UTC().Format(time.RFC3339Nano), signoff.Digest(r.Text)
	}
	for _, c := range r.Checks {
		out.Checks = append(out.Checks, bundleCheck{c.ID, c.Title, c.OK, c.Says})
	}
	return out
}

func (b *bundleResult) text(w io.Writer, r *signoff.BundleReport) error {
	var errs []error
	say := func(format string, args ...any) {
		_, err := fmt.Fprintf(w, format, args...)
		errs = append(errs, err)
	}
	for _, c := range b.Checks {
		word := "holds"
		if !c.Holds {
			word = "FAULT"
		}
		say("%s  %-10s  %s: %s\n", word, c.ID, c.Title, oneLine(c.Says))
	}
	if !b.Holds {
		return errors.Join(errs...)
	}
	say("\n%s  %s %s for %s\n", oneLine(b.Number), oneLine(b.Decision), oneLine(b.Candidate), oneLine(b.Target))
	say("campaign   %s\n", oneLine(b.Campaign))
	say("prepared   by %s\n", oneLine(b.Preparer))
	say("signed     by %s at %s with %s\n", oneLine(b.Signer), b.Signed, oneLine(b.SignedBy))
	say("log        a checkpoint of %d records, by %s\n", r.Point.Size, oneLine(b.ServerKey))
	if !b.Pinned {
		say("\nThe server's key came with the bundle. Compare it with one that you have from elsewhere (--key KEY),\n" +
			"and the fingerprint of the person's key with what that person tells you.\n")
	}
	say("\nWhether the decision still stands, only the archive knows: what was withdrawn or superseded since is not in a bundle.\n")
	return errors.Join(errs...)
}
