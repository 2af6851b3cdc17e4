package web_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"assay/store/evidence"
)

// keep puts bytes into the fake archive.
func keep(f *fake, b []byte, detail evidence.ArtifactDetail) evidence.Digest {
	d := evidence.DigestOf(b)
	detail.ID, detail.Digest, detail.Size, detail.StoredUS = int64(1000+len(f.artifacts)), d, int64(len(b)), clock().UnixMicro()
	if detail.State == "" {
		detail.State = evidence.Accepted
	}
	for i := range detail.Measurements {
		detail.Measurements[i].Artifact = d
	}
	for i := range detail.Facts {
		detail.Facts[i].Artifact = d
	}
	f.artifacts = append(f.artifacts, detail)
	f.bytes[detail.ID] = b
	return d
}

const boundsJSON = `{
  "rows": [
    {"name": "one card", "rate": 764.2998},
    {"name": "two replicas", "rate": null, "low": 1401.7693, "high": 1423.4125}
  ],
  "said": "first: TTFT p50 421.114 ms; decode p50 75.259 tok/s"
}
`

// bounded is an artifact with an interval and figures in a sentence.
func bounded(f *fake) evidence.Digest {
	src := evidence.Source{Reader: "lab/decision@1"}
	interval := evidence.MeasurementRow{Source: src, Run: "r1", Arm: "two replicas", Measurement: evidence.Measurement{
		Metric: evidence.OutputThroughput, Stat: evidence.Total, Lower: evidence.Some(1401.7693), Upper: evidence.Some(1423.4125), Unit: evidence.TokensPerSecond,
		State: evidence.Recorded, Role: evidence.Primary, SourceText: "1401.7693 to 1423.4125", SourceUnit: "tok/s",
		Place: evidence.At("/rows/1/low"), Also: []evidence.Place{evidence.At("/rows/1/high"), evidence.At("/rows/1/rate")},
	}}
	said := func(m evidence.MetricID, v float64, u evidence.Unit, start int, digits string) evidence.MeasurementRow {
		return evidence.MeasurementRow{Source: src, Run: "r2", Arm: "first", Measurement: evidence.Measurement{
			Metric: m, Stat: evidence.P50, Value: evidence.Some(v), Unit: u, N: evidence.Some[int64](5), State: evidence.Derived, Role: evidence.Primary,
			Rule: "prose/stat-line", SourceText: digits, Place: evidence.InText("/said", start, start+len(digits)),
		}}
	}
	return keep(f, []byte(boundsJSON), evidence.ArtifactDetail{
		ArtifactRow:  evidence.ArtifactRow{Values: 1, Schema: "lab.decision/v1", Campaign: tabledID},
		Measurements: []evidence.MeasurementRow{interval, said(evidence.TTFT, 0.421114, evidence.Seconds, 16, "421.114"), said(evidence.DecodeRate, 75.259, evidence.TokensPerSecond, 39, "75.259")},
		Facts:        []evidence.FactRow{{Source: src, Fact: evidence.Fact{Key: evidence.KeyModel, Value: "one card", State: evidence.Recorded, SourceText: "one card", Place: evidence.At("/rows/0/name")}}},
		NotLifted:    []evidence.NotLiftedRow{{Source: src, NotLifted: evidence.NotLifted{Place: evidence.At("/rows/0/rate"), Text: "764.2998", Reason: evidence.ReasonUnread}}},
		Arrivals:     []evidence.ArrivalRow{{Name: "a.json", Origin: "file", AtUS: clock().UnixMicro(), State: evidence.Accepted}},
	})
}

func placeURL(d evidence.Digest, p evidence.Pointer) string {
	return "/artifact/" + d.String() + "?p=" + url.QueryEscape(string(p))
}

func marked(d doc) string {
	m := d.all(func(n *html.Node) bool { return attr(n, "id") == "place" })
	if len(m) != 1 {
		return fmt.Sprintf("%d places", len(m))
	}
	return text(m[0])
}

// TestArtifactMarksALineOfText asks for the figure of a printed table on its line.
func TestArtifactMarksALineOfText(t *testing.T) {
	f := laboratory()
	src := evidence.Source{Reader: "lab/console@1"}
	d := keep(f, []byte("Serving result\nMean TTFT (ms):   180.50\nend\n"), evidence.ArtifactDetail{
		ArtifactRow: evidence.ArtifactRow{Campaign: tabledID},
		Measurements: []evidence.MeasurementRow{{Source: src, Run: "r1", Arm: "first", Measurement: evidence.Measurement{
			Metric: evidence.TTFT, Stat: evidence.Mean, Value: evidence.Some(0.1805), Unit: evidence.Seconds, State: evidence.Recorded, Role: evidence.Primary,
			SourceText: "180.50", SourceUnit: "ms", Place: evidence.InText("/lines/1", 18, 24),
		}}},
	})
	s := site(t, f)
	at := get(t, s, placeURL(d, "/lines/1")+"&s=18&e=24")
	if got := marked(at); got != "180.50" {
		t.Errorf("%s is marked", got)
	}
	side := text(at.one("place"))
	for _, want := range []string{"/lines/1", "180.50", "TTFT, mean: 0.1805 s", "first"} {
		contains(t, "side", side, want)
	}
	if got := marked(get(t, s, placeURL(d, "/lines/1"))); got != "Mean TTFT (ms): 180.50" {
		t.Errorf("%s is marked", got)
	}
	contains(t, "side", text(get(t, s, placeURL(d, "")).one("place")), "the whole text")
	if page := text(get(t, s, placeURL(d, "/lines/7")).root); !strings.Contains(page, "/lines/7") {
		t.Error("a line that is not there has no page")
	}
}

func TestArtifactMarksThePlace(t *testing.T) {
	f := laboratory()
	digest := bounded(f)
	s := site(t, f)
	d := get(t, s, placeURL(digest, "/rows/1/low"))
	if got := marked(d); got != `"low": 1401.7693` {
		t.Errorf("%s is marked", got)
	}
	line := d.all(func(n *html.Node) bool { return attr(n, "id") == "L4" })
	if len(line) != 1 || attr(line[0], "class") != "here in" {
		t.Errorf("the line of the place is not tinted: %v", attr(line[0], "class"))
	}
	side := text(d.one("place"))
	for _, want := range []string{"1401.7693", "/rows/1/low", "lower bound", "upper bound", "no point value", "1,401.7693 to 1,423.4125 tokens/s", "lab/decision@1", "recorded", "two replicas"} {
		contains(t, "side", side, want)
	}
	if up := marked(get(t, s, placeURL(digest, "/rows/1/high"))); up != `"high": 1423.4125` {
		t.Errorf("%s is marked", up)
	}
	if null := text(get(t, s, placeURL(digest, "/rows/1/rate")).one("place")); !strings.Contains(null, "no point value") || !strings.Contains(null, "null") {
		t.Errorf("%s", null)
	}
	contains(t, "digest", text(d.one("digest")), digest.String())
	contains(t, "page", d.body, "bytes match")
	contains(t, "fact", text(get(t, s, placeURL(digest, "/rows/0/name")).one("place")), "model: one card")
	contains(t, "not lifted", text(get(t, s, placeURL(digest, "/rows/0/rate")).one("place")), "a member this reader does not know")
}

func TestArtifactMarksDigitsInASentence(t *testing.T) {
	f := laboratory()
	digest := bounded(f)
	s := site(t, f)
	d := get(t, s, placeURL(digest, "/said")+"&s=39&e=45")
	if got := marked(d); got != "75.259" {
		t.Errorf("%s is marked", got)
	}
	side := text(d.one("place"))
	contains(t, "side", side, "Decode rate, p50, n 5: 75.259 tokens/s")
	if strings.Contains(side, "TTFT") {
		t.Errorf("another part of the sentence is read here: %s", side)
	}
	whole := text(get(t, s, placeURL(digest, "/said")).one("place"))
	contains(t, "whole", whole, "TTFT, p50, n 5: 0.421114 s")
	contains(t, "whole", whole, "75.259")
	if got := marked(get(t, s, placeURL(digest, "/said")+"&s=4000&e=5000")); !strings.HasPrefix(got, `"said": "first`) {
		t.Errorf("a range outside the string marks %s", got)
	}
}

func TestArtifactPointerThatLeadsNowhere(t *testing.T) {
	f := laboratory()
	digest := bounded(f)
	s := site(t, f)
	d := get(t, s, placeURL(digest, "/rows/1/speed/x"))
	said := text(d.one("missing-place"))
	for _, want := range []string{"/rows/1/speed/x", "/rows/1", "name", "rate", "low", "high"} {
		contains(t, "explanation", said, want)
	}
	for path, status := range map[string]int{
		"/artifact/" + digest.String() + "?p=rows":                        http.StatusBadRequest,
		"/artifact/" + digest.String() + "?p=%2F~2":                       http.StatusBadRequest,
		"/artifact/" + digest.String() + "?page=x":                        http.StatusBadRequest,
		"/artifact/" + digest.String() + "?p=%ff":                         http.StatusBadRequest,
		"/artifact/" + strings.Repeat("0", 64):                            http.StatusNotFound,
		"/artifact/zz":                                                    http.StatusNotFound,
		"/artifact/" + strings.Repeat("0", 64) + "/raw":                   http.StatusNotFound,
		"/artifact/" + digest.String() + "?page=999999999999999999999999": http.StatusBadRequest,
	} {
		if w := ask(s, http.MethodGet, path); w.Code != status {
			t.Errorf("%s: status %d, want %d", path, w.Code, status)
		}
	}
}

// TestLongPointersMakeShortPages: the steps that exist are links, the others are words,
// and the middle of a long pointer is left out.
func TestLongPointersMakeShortPages(t *testing.T) {
	f := laboratory()
	digest := bounded(f)
	deep := strings.Repeat(`{"a":[`, 400) + "1" + strings.Repeat("]}", 400)
	deepest := evidence.Pointer(strings.Repeat("/a/0", 400))
	nested := keep(f, []byte(deep), evidence.ArtifactDetail{ArtifactRow: evidence.ArtifactRow{Values: 1}})
	s := site(t, f)
	steps := func(d doc) (all, links int) {
		for _, n := range d.all(func(n *html.Node) bool { return n.Data == "nav" && attr(n, "aria-label") == "Pointer" }) {
			return len(under(n, tag("li"))), len(under(n, tag("a")))
		}
		return 0, 0
	}
	for _, tt := range []struct {
		digest     evidence.Digest
		pointer    evidence.Pointer
		all, links int
	}{
		{digest, "/rows/1/speed/x", 5, 3},
		{digest, evidence.Pointer("/rows" + strings.Repeat("/a", 4000)), 14, 2},
		{nested, deepest, 14, 12},
		{nested, deepest + "/none", 14, 12},
	} {
		d := get(t, s, placeURL(tt.digest, tt.pointer))
		if len(d.body) > 200_000 {
			t.Errorf("a pointer of %d bytes gives a page of %d", len(tt.pointer), len(d.body))
		}
		if all, links := steps(d); all != tt.all || links != tt.links {
			t.Errorf("%.40s: %d steps, %d of them links; want %d and %d", tt.pointer, all, links, tt.all, tt.links)
		}
	}
	if w := ask(s, http.MethodGet, placeURL(digest, evidence.Pointer(strings.Repeat("/a", 9000)))); w.Code != http.StatusBadRequest {
		t.Errorf("a pointer of 18,000 bytes: %d", w.Code)
	}
}

func TestArtifactByPrefix(t *testing.T) {
	f := laboratory()
	digest := bounded(f)
	s := site(t, f)
	w := ask(s, http.MethodGet, "/artifact/"+digest.Short()+"?p=%2Fsaid")
	if to := w.Header().Get("Location"); w.Code != http.StatusFound || to != "/artifact/"+digest.String()+"?p=%2Fsaid" {
		t.Errorf("%d to %s", w.Code, to)
	}
	w = ask(s, http.MethodGet, "/artifact/"+digest.Short()+"/raw")
	if to := w.Header().Get("Location"); w.Code != http.StatusFound || to != "/artifact/"+digest.String()+"/raw" {
		t.Errorf("%d to %s", w.Code, to)
	}
}

func TestArtifactBytesAreSavedAndNeverShown(t *testing.T) {
	f := laboratory()
	hostile := []byte("<script>alert(1)</script>")
	digest := keep(f, hostile, evidence.ArtifactDetail{ArtifactRow: evidence.ArtifactRow{Names: []string{"x\r\nSet-Cookie: a=b.html"}}})
	s := site(t, f)
	w := ask(s, http.MethodGet, "/artifact/"+digest.String()+"/raw", "Accept-Encoding", "gzip")
	h := w.Header()
	if !bytes.Equal(w.Body.Bytes(), hostile) || h.Get("Content-Type") != "application/octet-stream" || h.Get("X-Content-Type-Options") != "nosniff" ||
		h.Get("Content-Disposition") != `attachment; filename="`+digest.Short()+`.bin"` || h.Get("Content-Encoding") != "" {
		t.Errorf("%q %v", w.Body, h)
	}
	if again := ask(s, http.MethodGet, "/artifact/"+digest.String()+"/raw", "If-None-Match", h.Get("ETag")); again.Code != http.StatusNotModified {
		t.Errorf("status %d for bytes that the reader has", again.Code)
	}
}

func TestArtifactThatDoesNotMatchItsDigest(t *testing.T) {
	f := laboratory()
	digest := bounded(f)
	for id, b := range f.bytes {
		if bytes.Equal(b, []byte(boundsJSON)) {
			f.bytes[id] = bytes.Replace(b, []byte("764"), []byte("964"), 1)
		}
	}
	d := get(t, site(t, f), placeURL(digest, "/rows/0/rate"))
	contains(t, "page", d.body, "bytes do not match")
	contains(t, "page", d.body, "Nothing read from it can be trusted")
}

func TestBrokenArtifactShowsItsFaults(t *testing.T) {
	f := laboratory()
	b := []byte("{\n \"a\": 1,\n \"b\": tru,\n \"c\": 2\n")
	at := int64(bytes.Index(b, []byte("tru")))
	digest := keep(f, b, evidence.ArtifactDetail{
		ArtifactRow: evidence.ArtifactRow{State: evidence.Quarantined},
		Findings:    []evidence.Finding{{Severity: evidence.Error, Code: "syntax", Offset: at, Message: "no JSON"}, {Severity: evidence.Error, Code: "truncated", Offset: int64(len(b)), Message: "the end is missing"}},
	})
	s := site(t, f)
	d := get(t, s, "/artifact/"+digest.String())
	if faults := d.all(func(n *html.Node) bool { return n.Data == "mark" && attr(n, "class") == "fault" }); len(faults) != 2 || text(faults[0]) != "t" {
		t.Errorf("%d faults are marked", len(faults))
	}
	contains(t, "page", d.body, "stops being JSON at byte")
	findings := d.one("findings")
	link := under(findings, func(n *html.Node) bool { return n.Data == "a" })[0]
	path, fragment, _ := strings.Cut(attr(link, "href"), "#")
	if fragment != "place" || marked(get(t, s, path)) != "t" {
		t.Errorf("the finding leads to %s", attr(link, "href"))
	}
	if got := marked(get(t, s, placeURL(digest, "/a"))); got != `"a": 1` {
		t.Errorf("before the fault, %s is marked", got)
	}
}

func TestArtifactOfSeveralValues(t *testing.T) {
	f := laboratory()
	var b bytes.Buffer
	for i := range 2000 {
		fmt.Fprintf(&b, "{\"i\": %d}\n", i)
	}
	digest := keep(f, b.Bytes(), evidence.ArtifactDetail{ArtifactRow: evidence.ArtifactRow{Values: 2000}})
	s := site(t, f)
	d := get(t, s, placeURL(digest, "/1500/i"))
	if marked(d) != `"i": 1500` {
		t.Errorf("%s is marked", marked(d))
	}
	values := text(d.one("values"))
	contains(t, "values", values, "/0")
	contains(t, "values", values, "/1500")
	contains(t, "values", values, "/1999")
	contains(t, "page", d.body, "Lines 1,")
	first := get(t, s, "/artifact/"+digest.String()+"?page=2")
	contains(t, "second page", first.body, `id="L401"`)
}

// large is a document of about n bytes, one value a line or all on one line.
func large(n int, sep string) []byte {
	var b bytes.Buffer
	b.WriteString(`{"rows": [`)
	for i := 0; b.Len() < n; i++ {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `%s{"index": %d, "ttft_ms": %d.5, "text": "request %d of the run", "ok": true}`, sep, i, i%977, i)
	}
	b.WriteString("]}\n")
	return b.Bytes()
}

func TestLargeArtifactsGiveSmallPages(t *testing.T) {
	f := laboratory()
	s := site(t, f)
	for name, b := range map[string][]byte{
		"lines":       large(4<<20, "\n  "),
		"one line":    large(5<<20, ""),
		"one string":  []byte(`{"rows": [{"ttft_ms": "` + strings.Repeat("<&'\"\\\"", 200_000) + `"}]}`),
		"white space": []byte(`{"rows": [` + strings.Repeat(" ", 3<<20) + `{"ttft_ms": 1}]}`),
		"tokens":      []byte(`{"rows": [{"ttft_ms": [` + strings.Repeat("1,", 1<<20) + `1]}]}`),
		"empty lines": append([]byte(`{"rows": [{"ttft_ms": 1}]}`), bytes.Repeat([]byte("\n"), 1<<20)...),
		"no JSON":     bytes.Repeat([]byte("<script>"), 1<<19),
	} {
		digest := keep(f, b, evidence.ArtifactDetail{ArtifactRow: evidence.ArtifactRow{Values: 1}})
		began := time.Now()
		w := ask(s, http.MethodGet, placeURL(digest, "/rows/0/ttft_ms"))
		if w.Code != http.StatusOK || w.Body.Len() > 600<<10 {
			t.Errorf("%s: status %d, %d bytes", name, w.Code, w.Body.Len())
		}
		// No measurement (the benchmarks measure): only what hangs takes this long, also
		// under the race detector on a busy machine.
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%s: %s", name, took)
		}
		if name != "no JSON" {
			if got := marked(parse(t, name, w.Body.String())); !strings.Contains(got, "ttft_ms") {
				t.Errorf("%s: %.60s is marked", name, got)
			}
		}
	}
}

func BenchmarkArtifactPage4MB(b *testing.B) {
	f := laboratory()
	doc := large(4<<20, "\n  ")
	digest := keep(f, doc, evidence.ArtifactDetail{ArtifactRow: evidence.ArtifactRow{Values: 1}})
	path := placeURL(digest, "/rows/30000/ttft_ms")
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			s := site(b, f)
			b.StartTimer()
			if w := ask(s, http.MethodGet, path); w.Code != http.StatusOK {
				b.Fatal(w.Code)
			}
		}
	})
	b.Run("again", func(b *testing.B) {
		s := site(b, f)
		ask(s, http.MethodGet, path)
		b.ResetTimer()
		for b.Loop() {
			if w := ask(s, http.MethodGet, path); w.Code != http.StatusOK {
				b.Fatal(w.Code)
			}
		}
	})
}

func BenchmarkMatrixPage(b *testing.B) {
	f := laboratory()
	matrixed(b, f)
	s := site(b, f)
	for b.Loop() {
		if w := ask(s, http.MethodGet, "/campaigns/"+matrixedID+"/matrix"); w.Code != http.StatusOK {
			b.Fatal(w.Code)
		}
	}
}
