package ingest_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/ingest"
	"assay/ingest/jsondoc"
	"assay/store"
	"assay/store/evidence"
	"assay/store/export"
)

// awkward is a place of real evidence that is known to trip readers.
type awkward struct{ File, Kind, Pointer, What string }

// taken is the whole shared tree in an archive.
type taken struct {
	archive *store.Archive
	root    string
	files   map[string]ingest.FileReport // by path below the evidence family
	details map[evidence.Digest]*evidence.ArtifactDetail
}

func takeShared(t *testing.T) *taken {
	t.Helper()
	if testing.Short() {
		t.Skip("reads hundreds of files")
	}
	root := corpus(t)
	w := &taken{archive: newArchive(t), root: filepath.Join(root, "anvil"), files: map[string]ingest.FileReport{}, details: map[evidence.Digest]*evidence.ArtifactDetail{}}
	for _, f := range take(t, w.archive, ingest.Options{}, ingest.Path(root)).Files {
		if rel, err := filepath.Rel(w.root, f.Path); err == nil && !strings.HasPrefix(rel, "..") {
			w.files[filepath.ToSlash(rel)] = f
		}
	}
	return w
}

func (w *taken) detail(t *testing.T, file string) *evidence.ArtifactDetail {
	t.Helper()
	d, err := evidence.ParseDigest(w.files[file].SHA256)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if w.details[d] == nil {
		x, err := w.archive.Artifact(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		w.details[d] = &x
	}
	return w.details[d]
}

// node is what stands at a place of a file.
func (w *taken) node(t *testing.T, file, pointer string) *jsondoc.Node {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(w.root, file))
	if err != nil {
		t.Fatal(err)
	}
	return jsondoc.Parse(data, jsondoc.Limits{}).Root().At(evidence.Pointer(pointer))
}

// found says whether a finding of the code stands at the place, above it or below it.
func (w *taken) found(file, code, pointer string) bool {
	return slices.ContainsFunc(w.files[file].Findings, func(f evidence.Finding) bool {
		p := evidence.Pointer(pointer)
		return f.Code == code && (f.Pointer.Under(p) || p.Under(f.Pointer))
	})
}

// codesOf are the findings that a kind must have, wherever its place is.
var codesOf = map[string]string{
	"ttft-equals-e2e": "no-visible-output", "chunks-not-tokens": "chunks-not-tokens", "null-number": "member-null", "false-zero": "false-zero",
	"false-means-not-run": "false-means-not-run", "crlf": "crlf", "policy-only-failure": "policy-failure", "empty-section": "no-observations",
	"int-as-float": "int-as-float", "jsonl": "several-values", "clamped-context": "clamped-context", "incomplete-run": "incomplete-run",
	"integer-label": "integer-label", "no-label": "no-label", "top-level-array": "no-label",
	"windows-path": ingest.CodeWindowsPath, "unix-user-path": ingest.CodeUserPath, "gpu-uuid": ingest.CodeCardID,
	"placeholder-ip": ingest.CodePlaceholder,
}

// drive is the start of an absolute Windows path.
var drive = regexp.MustCompile(`(^|[^A-Za-z])[A-Za-z]:[\\/]`)

// handlings say what else must be true of a kind; "" when it is.
var handlings = map[string]func(*testing.T, *taken, awkward) string{
	"ttft-equals-e2e":   absentAt(evidence.TTFT),
	"false-zero":        noValueAt,
	"null-number":       noValueAt,
	"label-shape-drift": shapeNamed, "label-near-twin": labelKept,
	"misleading-name": numberNotName, "negative-number": negativeKept, "number-as-text": textIsNoNumber,
	"slash-key": escaped, "duplicate-bytes": oneArtifact, "near-duplicate": ownArtifact, "odd-file-name": nameKept,
	"no-final-newline": bytesKept, "non-ascii": bytesKept, "formula-string": bytesKept, "secret-named-key": neverAsFact,
	"top-level-array": bytesKept,
}

// TestAwkward: every known awkward file ends in the right state, with the finding that
// its kind must have and handled as its kind must be.
func TestAwkward(t *testing.T) {
	w := takeShared(t)
	raw, err := os.ReadFile(filepath.Join(w.root, "..", "..", "golden", "awkward.json"))
	if err != nil {
		t.Skip(err)
	}
	var list []awkward
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, a := range list {
		f, ok := w.files[a.File]
		if !ok {
			t.Errorf("%s did not come in", a.File)
			continue
		}
		kinds[a.Kind]++
		if f.State != evidence.Accepted && f.State != evidence.Archived && f.State != evidence.Duplicate {
			t.Errorf("%s (%s) ends %s", a.File, a.Kind, f.State)
		}
		code, handling := codesOf[a.Kind], handlings[a.Kind]
		if code == "" && handling == nil {
			t.Errorf("nothing is asked of the kind %s", a.Kind)
		}
		if a.Kind == "windows-path" && !drive.MatchString(w.node(t, a.File, a.Pointer).Str()) {
			continue // the list takes "is:\\n" of a sentence for a drive
		}
		if code != "" && !w.found(a.File, code, a.Pointer) {
			t.Errorf("%s: no finding %s at %q (%s)", a.File, code, a.Pointer, a.What)
		}
		if handling != nil {
			if fault := handling(t, w, a); fault != "" {
				t.Errorf("%s: %s at %q: %s (%s)", a.File, a.Kind, a.Pointer, fault, a.What)
			}
		}
	}
	t.Logf("%d places of %d kinds", len(list), len(kinds))
	t.Run("formulas stay words", func(t *testing.T) { noFormulas(t, w.archive) })
}

// absentAt asks that no value of a metric stands under the place.
func absentAt(metric evidence.MetricID) func(*testing.T, *taken, awkward) string {
	return func(t *testing.T, w *taken, a awkward) string {
		for _, m := range w.detail(t, a.File).Measurements {
			if m.Metric == metric && m.Place.Pointer.Under(evidence.Pointer(a.Pointer)) && (m.Value.OK || m.State != evidence.Absent) {
				return "a value stands at " + string(m.Place.Pointer)
			}
		}
		return ""
	}
}

// noValueAt asks that nothing at the place became a number.
func noValueAt(t *testing.T, w *taken, a awkward) string {
	zero := func(p evidence.Place) bool {
		if !p.Pointer.Under(evidence.Pointer(a.Pointer)) {
			return false
		}
		n := w.node(t, a.File, string(p.Pointer))
		return n.Is(jsondoc.Null) || n.Is(jsondoc.Number) && strings.Trim(n.Text, "0.") == ""
	}
	for _, m := range w.detail(t, a.File).Measurements {
		if m.Value.OK && m.State != evidence.Derived && zero(m.Place) {
			return "a value stands at " + string(m.Place.Pointer)
		}
	}
	for _, f := range w.detail(t, a.File).Facts {
		if f.State == evidence.Recorded && f.Value == "0" && zero(f.Place) && w.node(t, a.File, string(f.Place.Pointer)).Is(jsondoc.Null) {
			return "a null became a fact " + string(f.Key)
		}
	}
	return ""
}

func shapeNamed(t *testing.T, w *taken, a awkward) string {
	d := w.detail(t, a.File)
	if w.files[a.File].State == evidence.Accepted && (len(d.Documents) == 0 || d.Documents[0].ShapeID == "") {
		return "the shape that was read has no name"
	}
	return labelKept(t, w, a)
}

func labelKept(t *testing.T, w *taken, a awkward) string {
	for _, name := range []string{"/schema", "/schema_version"} {
		if n := w.node(t, a.File, name); n.Is(jsondoc.String) {
			if got := w.files[a.File].Schema; got != n.Str() {
				return "the label is kept as " + got
			}
			return ""
		}
	}
	return ""
}

// numberNotName asks that the recorded number is the fact, whatever the name says.
func numberNotName(t *testing.T, w *taken, a awkward) string {
	n := w.node(t, a.File, a.Pointer)
	if !n.Is(jsondoc.Number) {
		return ""
	}
	for _, f := range w.detail(t, a.File).Facts {
		if f.Place.Pointer == evidence.Pointer(a.Pointer) {
			if f.Value != n.Text {
				return "the fact is " + f.Value
			}
			return ""
		}
	}
	return "no fact"
}

// carried says what of a file stands at a place.
func carried(d *evidence.ArtifactDetail, p evidence.Pointer) (values []float64, listed bool) {
	for _, m := range d.Measurements {
		if m.Place.Pointer == p && m.Value.OK {
			values = append(values, m.Value.V)
		}
	}
	for _, x := range d.NotLifted {
		listed = listed || x.Place.Pointer == p
	}
	for _, x := range d.Facts {
		listed = listed || x.Place.Pointer == p
	}
	for i := range d.Documents {
		for _, n := range d.Documents[i].Notes {
			listed = listed || n.Place.Pointer == p
		}
	}
	return values, listed
}

func negativeKept(t *testing.T, w *taken, a awkward) string {
	values, listed := carried(w.detail(t, a.File), evidence.Pointer(a.Pointer))
	if slices.ContainsFunc(values, func(v float64) bool { return v > 0 }) {
		return "its sign is lost"
	}
	if w.files[a.File].State == evidence.Accepted && len(values) == 0 && !listed && w.files[a.File].Runs > 0 {
		return "nothing carries it"
	}
	return ""
}

// textIsNoNumber asks that a number in a string is lifted by a rule or not at all.
func textIsNoNumber(t *testing.T, w *taken, a awkward) string {
	for _, m := range w.detail(t, a.File).Measurements {
		if m.Place.Pointer == evidence.Pointer(a.Pointer) && m.Value.OK && m.State == evidence.Recorded && !w.found(a.File, "number-as-text", a.Pointer) {
			return "a text was taken for a recorded number"
		}
	}
	return ""
}

func escaped(t *testing.T, w *taken, a awkward) string {
	if w.node(t, a.File, a.Pointer) == nil {
		return "the pointer finds nothing"
	}
	d := w.detail(t, a.File)
	under := func(p evidence.Pointer) bool { return p.Under(evidence.Pointer(a.Pointer)) }
	hit := slices.ContainsFunc(d.Facts, func(f evidence.FactRow) bool { return under(f.Place.Pointer) }) ||
		slices.ContainsFunc(d.NotLifted, func(n evidence.NotLiftedRow) bool { return under(n.Place.Pointer) })
	for i := range d.Documents {
		hit = hit || slices.ContainsFunc(d.Documents[i].Notes, func(n evidence.NoteRow) bool { return under(n.Place.Pointer) })
	}
	if !hit {
		return "no row stands below it"
	}
	return ""
}

func oneArtifact(t *testing.T, w *taken, a awkward) string {
	_, twin, _ := strings.Cut(a.What, "byte-identical to ")
	if f, ok := w.files[path.Clean(twin)]; ok && f.SHA256 != w.files[a.File].SHA256 {
		return "the same bytes are two artifacts"
	}
	return bytesKept(t, w, a)
}

func ownArtifact(t *testing.T, w *taken, a awkward) string {
	d := w.detail(t, a.File)
	for _, n := range d.Names {
		if strings.Contains(n, "seeds") {
			return "another file's bytes"
		}
	}
	return bytesKept(t, w, a)
}

func nameKept(t *testing.T, w *taken, a awkward) string {
	if !slices.ContainsFunc(w.detail(t, a.File).Names, func(n string) bool { return strings.HasSuffix(n, path.Base(a.File)) }) {
		return "its name is lost"
	}
	return ""
}

func bytesKept(t *testing.T, w *taken, a awkward) string {
	data, err := os.ReadFile(filepath.Join(w.root, a.File))
	if err != nil {
		t.Fatal(err)
	}
	d := w.detail(t, a.File)
	if evidence.DigestOf(data) != d.Digest || int64(len(data)) != d.Size {
		return "other bytes are kept"
	}
	return ""
}

// neverAsFact asks that what stands at a member named like a credential is told nowhere.
func neverAsFact(t *testing.T, w *taken, a awkward) string {
	for _, f := range w.detail(t, a.File).Facts {
		if strings.Contains(strings.ToLower(string(f.Place.Pointer)), "apikey") {
			return "a fact was read from it"
		}
	}
	return ""
}

// noFormulas reads every CSV export back: no cell starts what a spreadsheet would run.
func noFormulas(t *testing.T, a *store.Archive) {
	for _, k := range export.Kinds {
		if k == export.Signoffs {
			continue // signed by people, read from no file
		}
		var b bytes.Buffer
		out, err := export.NewWide(k, export.CSV, &b)
		if err == nil {
			err = out.Pour(context.Background(), a, evidence.Filter{})
		}
		if err == nil {
			err = out.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		for r := csv.NewReader(&b); ; {
			row, err := r.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, cell := range row {
				if cell != "" && strings.ContainsAny(cell[:1], "=+@\t\r") || strings.HasPrefix(cell, "-") && strings.TrimLeft(cell, "-0123456789.e") != "" {
					t.Errorf("%s: a cell starts %.20q", k, cell)
				}
			}
		}
	}
}
