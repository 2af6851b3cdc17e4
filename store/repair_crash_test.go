package store

import (
	"bufio"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/store/evidence"
)

// repairJob moves, declares and withdraws without end, and says what is done when it is.
func repairJob(path string) error {
	ctx := context.Background()
	a, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	runs, err := a.Runs(ctx, evidence.Filter{Limit: 1})
	if err != nil {
		return err
	}
	digest := runs[0].Artifact
	for i := 0; ; i++ {
		for _, r := range []evidence.Repair{
			said(evidence.RepairMove, digest.String(), "", fmt.Sprintf("campaign-%d-%d", time.Now().UnixNano(), i)),
			said(evidence.RepairFact, evidence.Scope{Artifact: digest}.String(), evidence.KeyDriver, fmt.Sprint(time.Now().UnixNano(), i)),
		} {
			r, err := a.AddRepair(ctx, r)
			if err != nil {
				return err
			}
			fmt.Println("added", r.ID)
			if r.Kind == evidence.RepairFact {
				if err := a.WithdrawRepair(ctx, r.ID, "Bob", "done"); err != nil {
					return err
				}
				fmt.Println("withdrawn", r.ID)
			}
		}
	}
}

// TestKilledWhileRepairing: a repair is there with all of its effects, or not at all.
func TestKilledWhileRepairing(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "archive.db")
	w := &world{t: t, a: openAt(t, path), readings: map[evidence.Digest]*evidence.Reading{}}
	w.file("x", syntheticReading("2026-09-01-own", 1, 2, 2))
	reported := map[string]bool{}
	for round := range 6 {
		cmd := child(t, "repair", path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for i := 0; i < 5+round && lines.Scan(); i++ {
			reported[lines.Text()] = true
		}
		time.Sleep(time.Duration(round) * 2 * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			reported[lines.Text()] = true
		}
		cmd.Wait()
		w.fresh()
		w.sums()
		list, _, err := w.a.Repairs(ctx, evidence.RepairFilter{})
		if err != nil {
			t.Fatal(err)
		}
		holds := map[string]bool{}
		for _, r := range list {
			holds[fmt.Sprint("added ", r.ID)], holds[fmt.Sprint("withdrawn ", r.ID)] = true, !r.Holds()
		}
		for line := range reported {
			if strings.Contains(line, " ") && !holds[line] {
				t.Errorf("round %d: %q was reported and is not so", round, line)
			}
		}
	}
	if len(reported) < 10 {
		t.Errorf("only %d reports: the job hardly ran", len(reported))
	}
}
