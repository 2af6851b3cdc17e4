package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"assay/store"
	"assay/store/evidence"
)

var runIDForm = regexp.MustCompile(`^[0-9a-f]{12}-r[0-9]+$`)

// factScope is what a fact is declared for: "campaign:ID", a run id, or a file or the
// first digits of an artifact's SHA-256, with "#POINTER" for a place in it.
func factScope(ctx context.Context, a *store.Archive, target string) (evidence.Scope, error) {
	if id, ok := strings.CutPrefix(target, "campaign:"); ok {
		id, err := a.ResolveCampaign(ctx, id)
		return evidence.Scope{Campaign: id}, err
	}
	if runIDForm.MatchString(target) {
		return runScope(ctx, a, target)
	}
	target = strings.TrimPrefix(target, "artifact:")
	head, pointer := splitRef(target)
	digest, err := findDigest(ctx, a, head)
	scope := evidence.Scope{Artifact: digest}
	if head != target {
		scope.Place = evidence.Some(pointer)
	}
	return scope, err
}

// runScope is the place of one run. Where others were read from the same place, a
// declaration would speak of them, too: the person decides that, not the program.
func runScope(ctx context.Context, a *store.Archive, id string) (evidence.Scope, error) {
	run, err := a.Run(ctx, id)
	if err != nil {
		return evidence.Scope{}, err
	}
	scope := run.Scope()
	shared := 0
	err = a.EachRun(ctx, evidence.Filter{Artifact: run.Artifact.String()}, func(x evidence.RunRow) error {
		if x.Place.Pointer == scope.Place.V || x.ArmPlace.Pointer == scope.Place.V {
			shared++
		}
		return nil
	})
	if err != nil {
		return scope, err
	}
	if shared > 1 {
		return scope, fmt.Errorf("run %s: %d runs of its artifact were read from %q; declare it for all of them with %s",
			id, shared, scope.Place.V, strings.TrimPrefix(scope.String(), "artifact:"))
	}
	return scope, nil
}
