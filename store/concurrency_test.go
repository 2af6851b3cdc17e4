package store

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"testing"

	"assay/store/evidence"
)

// TestReadersDuringWrites: while readings grow and shrink, everything a reader sees in
// one snapshot fits together.
func TestReadersDuringWrites(t *testing.T) {
	a := openTemp(t)
	k := fileReading(t, a, "x", "x", syntheticReading("2026-09-01-x", 1, 1, 1))
	ctx, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for ctx.Err() == nil {
				if err := a.Snapshot(t.Context(), func(ctx context.Context) error { return fits(ctx, a) }); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for i := range 40 {
		commitOne(t, a, k, syntheticReading("2026-09-01-x", 1, 1+i%4, 1+i%5))
		keepOne(t, a, fmt.Sprint(i), fmt.Sprint("other ", i))
	}
	stop()
	readers.Wait()
}

// fits compares what several queries say of the one campaign.
func fits(ctx context.Context, a *Archive) error {
	rows, _, err := a.Campaigns(ctx, evidence.Filter{})
	if err != nil {
		return err
	}
	runs, err := a.Runs(ctx, evidence.Filter{})
	if err != nil {
		return err
	}
	n, err := a.CountRuns(ctx, evidence.Filter{})
	if err != nil {
		return err
	}
	m := 0
	if err := a.EachMeasurement(ctx, evidence.Filter{}, func(evidence.MeasurementRow) error { m++; return nil }); err != nil {
		return err
	}
	if rows[0].Runs != len(runs) || n != len(runs) || m != 10*len(runs) {
		return fmt.Errorf("the list says %d runs, the runs are %d, counted %d, with %d measurements", rows[0].Runs, len(runs), n, m)
	}
	return nil
}

// TestTwoArchivesOnOneFile: what a server and an intake do at the same time.
func TestTwoArchivesOnOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive.db")
	one, two := openAt(t, path), openAt(t, path)
	var both sync.WaitGroup
	for n, a := range []*Archive{one, two} {
		both.Go(func() {
			for i := range 25 {
				name := fmt.Sprintf("%d-%d", n, i)
				kept, err := a.Keep(t.Context(), []evidence.Incoming{{Name: name, Data: []byte(name)}, {Name: name, Data: fmt.Append(nil, "shared ", i)}})
				if err != nil {
					t.Error(err)
					return
				}
				err = a.Commit(t.Context(), []evidence.Result{
					{Kept: kept[0], Reading: syntheticReading("2026-09-01-both", i, 1, 2)}, {Kept: kept[1], Reading: &evidence.Reading{State: evidence.Archived}}})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	both.Wait()
	c, err := one.Counts(t.Context())
	if err != nil || c.Artifacts != 75 || c.Arrivals != 100 || c.Runs != 100 || c.Pending != 0 {
		t.Errorf("counts %+v, %v", c, err)
	}
	if err := fits(t.Context(), two); err != nil {
		t.Error(err)
	}
}

func TestSnapshotStandsStill(t *testing.T) {
	a := openTemp(t)
	err := a.Snapshot(t.Context(), func(ctx context.Context) error {
		before, err := a.Counts(ctx)
		if err != nil {
			return err
		}
		keepOne(t, a, "x", "x")
		inside, err := a.Counts(ctx)
		if err != nil {
			return err
		}
		if inside != before {
			t.Errorf("the snapshot moved from %+v to %+v", before, inside)
		}
		return a.Snapshot(ctx, func(inner context.Context) error {
			again, err := a.Counts(inner)
			if again != before {
				t.Errorf("a snapshot inside is another one: %+v", again)
			}
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if c, err := a.Counts(t.Context()); err != nil || c.Artifacts != 1 {
		t.Errorf("afterwards %+v, %v", c, err)
	}
	want := fmt.Errorf("a page's own error")
	if err := a.Snapshot(t.Context(), func(context.Context) error { return want }); err != want {
		t.Errorf("error %v, want %v", err, want)
	}
}

// TestSlowInputHoldsNobodyUp: an input that trickles in does not keep others from
// writing.
func TestSlowInputHoldsNobodyUp(t *testing.T) {
	a := openTemp(t)
	r, w := io.Pipe()
	done := make(chan error)
	go func() {
		_, err := a.KeepStream(t.Context(), evidence.Incoming{Name: "slow"}, r)
		done <- err
	}()
	if _, err := w.Write(noise(2 * chunkSize)); err != nil {
		t.Fatal(err)
	}
	keepOne(t, a, "quick", "quick") // while the other one waits for more
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if c, err := a.Counts(t.Context()); err != nil || c.Artifacts != 2 {
		t.Errorf("%+v, %v", c, err)
	}
}
