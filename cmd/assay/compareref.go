package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"assay/store"
	"assay/store/evidence"
)

// runIDPattern is the form of a run id.
var runIDPattern = regexp.MustCompile(`^[0-9a-f]{12}-r[0-9]{1,9}$`)

// place is a REF of the command line that was found: an artifact and a pointer into it.
type place struct {
	ref      string
	artifact evidence.Digest
	pointer  evidence.Pointer
	runs     []evidence.RunRow // of the artifact; the one run where the REF is a run id
}

// findPlace finds what a REF names: a run id, or PATH-or-SHA256-prefix[#JSON-POINTER].
func findPlace(ctx context.Context, a *store.Archive, ref string) (place, error) {
	p := place{ref: ref}
	if runIDPattern.MatchString(ref) {
		r, err := a.Run(ctx, ref)
		if err != nil {
			return p, err
		}
		p.artifact, p.pointer, p.runs = r.Artifact, r.Place.Pointer, []evidence.RunRow{r}
		return p, nil
	}
	head, pointer := splitRef(ref)
	digest, err := findDigest(ctx, a, head)
	if err != nil {
		return p, err
	}
	p.artifact, p.pointer = digest, pointer
	if p.runs, err = a.Runs(ctx, evidence.Filter{Artifact: digest.String()}); err != nil {
		return p, err
	}
	if len(p.runs) == 0 {
		return p, &noRuns{ref: ref, artifact: digest}
	}
	return p, nil
}

// noRuns is a place in an artifact that no run was read from.
type noRuns struct {
	ref      string
	artifact evidence.Digest
}

func (e *noRuns) Error() string {
	return fmt.Sprintf("%s: no run was read from artifact %s; its page, and \"assay export artifacts\", say how it ended", e.ref, e.artifact.Short())
}

// splitRef takes the pointer off a REF. A "#" may stand in a file's name as well, so the
// first one that a pointer follows counts, unless a file has the whole name.
func splitRef(ref string) (head string, pointer evidence.Pointer) {
	if regular(ref) {
		return ref, ""
	}
	for i := 0; i < len(ref); i++ {
		if p := evidence.Pointer(ref[i+1:]); ref[i] == '#' && p.Valid() {
			return ref[:i], p
		}
	}
	return ref, ""
}

func regular(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// findDigest finds the artifact of a file by its bytes, of a digest by its first digits,
// or of a name that an artifact came in under.
func findDigest(ctx context.Context, a *store.Archive, head string) (evidence.Digest, error) {
	if regular(head) {
		digest, err := digestOfFile(head)
		if err != nil {
			return digest, err
		}
		if _, err := a.FindArtifact(ctx, digest.String()); errors.Is(err, evidence.ErrNotFound) {
			return digest, fmt.Errorf("%s: not in the archive with these bytes (SHA-256 %s); take it in with \"assay ingest\"", head, digest.Short())
		} else if err != nil {
			return digest, err
		}
		return digest, nil
	}
	found, err := a.FindArtifact(ctx, head)
	if err == nil {
		return found.Digest, nil
	}
	if errors.Is(err, evidence.ErrAmbiguous) {
		return evidence.Digest{}, err
	}
	return findNamed(ctx, a, head)
}

func digestOfFile(name string) (d evidence.Digest, err error) {
	f, err := os.Open(name)
	if err != nil {
		return d, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return d, fmt.Errorf("read %s: %w", name, err)
	}
	return evidence.Digest(h.Sum(nil)), nil
}

// findNamed finds the one artifact that came in under a name, or under a longer path
// that ends with it.
func findNamed(ctx context.Context, a *store.Archive, name string) (evidence.Digest, error) {
	want := path.Clean(filepath.ToSlash(name))
	var found []evidence.ArtifactRow
	err := a.EachArtifact(ctx, evidence.Filter{}, func(r evidence.ArtifactRow) error {
		for _, n := range r.Names {
			n = path.Clean(filepath.ToSlash(n))
			if n == want || strings.HasSuffix(n, "/"+want) {
				found = append(found, r)
				break
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return evidence.Digest{}, err
	case len(found) == 1:
		return found[0].Digest, nil
	case len(found) == 0:
		return evidence.Digest{}, fmt.Errorf("%s: %w: no file, no digest and no name of an artifact in the archive", name, evidence.ErrNotFound)
	}
	var words []string
	for _, r := range found[:min(len(found), 10)] {
		words = append(words, r.Digest.Short())
	}
	return evidence.Digest{}, fmt.Errorf("%s: %w: artifacts %s came under that name", name, evidence.ErrAmbiguous, strings.Join(words, ", "))
}
