package lifttest

import (
	"sort"
	"testing"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Survey reads every real file of the labels, fails on numbers that are unaccounted for
// and on less than 99 % classified, and returns the documents by file name. Files that
// the reader does not take are errors.
func Survey(t *testing.T, r Reader, labels ...string) map[string]evidence.Document {
	t.Helper()
	docs, listed := map[string]evidence.Document{}, map[string]int{}
	numbers, lifted, codes := 0, 0, map[string]int{}
	for _, f := range Files(t, labels...) {
		shape, ok := r.Match(f.Label, f.Root)
		if !ok {
			t.Errorf("%s: no shape of %s", f.Name, r.ID())
			continue
		}
		d := r.Read(f.Root, "", shape)
		c := Account(t, f.Name, &d, f.Root)
		if c.Classified() < 0.99 {
			t.Errorf("%s: %.1f %% classified", f.Name, 100*c.Classified())
		}
		numbers, lifted = numbers+c.Numbers, lifted+c.Lifted
		for reason, n := range c.Listed {
			listed[reason] += n
		}
		for _, x := range d.Findings {
			codes[x.Code]++
		}
		docs[f.Name] = d
	}
	if numbers > 0 {
		t.Logf("%s: %d files, %d numbers, %d lifted (%.1f %%), listed %v, classified %.2f %%", r.ID(), len(docs), numbers, lifted,
			100*float64(lifted)/float64(numbers), listed, 100*float64(numbers-listed[evidence.ReasonUnread])/float64(numbers))
	}
	names := make([]string, 0, len(codes))
	for c := range codes {
		names = append(names, c)
	}
	sort.Strings(names)
	for _, c := range names {
		t.Logf("  finding %s: %d", c, codes[c])
	}
	return docs
}

// Fuzz feeds a reader with whatever parses, seeded with the fixtures. It must not panic
// and must account for every number.
func Fuzz(f *testing.F, r Reader, fixtures map[string][]byte) {
	for _, data := range fixtures {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		parsed := jsondoc.Parse(data, jsondoc.Limits{Nodes: 20_000, Text: 1 << 20})
		v := parsed.Root()
		if v == nil {
			return
		}
		shape, ok := r.Match(Label(v), v)
		if !ok {
			return
		}
		d := r.Read(v, "", shape)
		for _, f := range parsed.Findings {
			if f.Severity == evidence.Error {
				return // quarantined; a name that occurs twice, for one, has no pointer of its own
			}
		}
		Account(t, "fuzz", &d, v)
	})
}
