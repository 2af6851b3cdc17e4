package lift

import (
	"math"
	"testing"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

func TestPercentile(t *testing.T) {
	ten := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for _, x := range []struct {
		values []float64
		q      int
		m      evidence.Method
		want   float64
	}{
		{ten, 50, evidence.NearestRank, 5}, {ten, 95, evidence.NearestRank, 10}, {ten, 99, evidence.NearestRank, 10},
		{ten, 50, evidence.RoundedIndex, 5}, // index 4.5 rounds to the even 4
		{ten, 95, evidence.RoundedIndex, 10},
		{ten, 50, evidence.Linear, 5.5}, {ten, 95, evidence.Linear, 9.55}, {ten, 100, evidence.Linear, 10},
		{ten[:4], 50, evidence.RoundedIndex, 3}, // index 1.5 rounds to the even 2
		{ten[:1], 95, evidence.Linear, 1}, {ten[:1], 95, evidence.NearestRank, 1}, {ten[:1], 95, evidence.RoundedIndex, 1},
		{nil, 50, evidence.NearestRank, math.NaN()},
	} {
		got := Percentile(x.values, x.q, x.m)
		if !Near(got, x.want, 1e-12, 0) && !(math.IsNaN(got) && math.IsNaN(x.want)) {
			t.Errorf("p%d by %s of %v is %v, want %v", x.q, x.m, x.values, got, x.want)
		}
	}
}

func TestStamp(t *testing.T) {
	for id, want := range map[string]string{
		"benchmark-20300105T101500Z": "2030-01-05T10:15:00Z", "20300105T101500Z": "2030-01-05T10:15:00Z", "benchmark-2030": "", "": "",
	} {
		if got, start, end := Stamp(id); got != want || want != "" && id[start:end] != "20300105T101500Z" {
			t.Errorf("stamp of %q is %q", id, got)
		}
	}
}

func TestPaths(t *testing.T) {
	p := NewPaths("/a/*/b identifier\n/a/x/b prose\n/c\n/d/** detail\n")
	for path, want := range map[string]struct {
		found  bool
		reason string
	}{
		"/a/0/b": {true, "identifier"}, "/a/x/b": {true, "prose"}, "/a/x/q": {false, ""}, "/c": {true, ""}, "/d": {true, "detail"},
		"/d/1/2": {true, "detail"}, "/e": {false, ""},
	} {
		s := p.root
		for _, tok := range evidence.Pointer(path).Tokens() {
			s = s.under(tok)
		}
		if (s != nil) != want.found || s != nil && s.reason != want.reason {
			t.Errorf("%s: %+v, want %+v", path, s, want)
		}
	}
}

// TestPath: only loopback with one model and several served models say how requests go.
func TestPath(t *testing.T) {
	for _, x := range []struct{ doc, want string }{
		{`{"u":"http://127.0.0.1:30010/v1"}`, "direct"}, {`{"u":"http://localhost:8000"}`, "direct"}, {`{"u":"http://[::1]:1/v1"}`, "direct"},
		{`{"u":"http://192.0.2.7:30010/v1"}`, ""}, {`{"u":"http://127.0.0.1.example.org/v1"}`, ""}, {`{"u":"::bad"}`, ""}, {`{"u":7}`, ""},
		{`{"u":"http://127.0.0.1:1/v1","m":["a"]}`, "direct"}, {`{"u":"http://127.0.0.1:1/v1","m":["a","b"]}`, "routed"},
	} {
		v := jsondoc.Parse([]byte(x.doc), jsondoc.Limits{}).Root()
		d := New(v, "", evidence.Document{}, NewPaths("/u\n/m\n"))
		var facts []evidence.Fact
		d.Path(&facts, d.Top.Get("u"), d.Top.Get("m"))
		got := ""
		if len(facts) > 0 {
			got = facts[0].Value
		}
		if got != x.want {
			t.Errorf("%s: path %q, want %q", x.doc, got, x.want)
		}
	}
}

// TestSingle: of one observation there is no percentile, and a run has one primary figure.
func TestSingle(t *testing.T) {
	v := jsondoc.Parse([]byte(`{"p50":1.5,"p95":1.5,"bad":-1,"null":null,"text":"7"}`), jsondoc.Limits{}).Root()
	d := New(v, "", evidence.Document{}, NewPaths(""))
	r := d.NewArm("a", d.Top).NewRun("r", evidence.ClassShort, d.Top)
	r.N = evidence.Some[int64](1)
	w := Want{Metric: evidence.TTFT, Stat: evidence.P50, Method: evidence.NearestRank, Unit: "ms"}
	first := d.Lift(r, d.Top.Get("p50"), w)
	if first.Stat != evidence.Single || first.Method != "" || first.Value.V != 0.0015 || first.SourceText != "1.5" {
		t.Errorf("%+v", first)
	}
	w.Stat = evidence.P95
	if m := d.Lift(r, d.Top.Get("p95"), w); m.Stat != evidence.Single || m.Role != evidence.Restated {
		t.Errorf("%+v", m)
	}
	w.Metric = evidence.E2E
	for name, state := range map[string]evidence.State{"bad": evidence.Absent, "null": evidence.Absent, "text": ""} {
		m := d.Lift(r, d.Top.Get(name), w)
		if state == "" && m != nil || state != "" && (m == nil || m.State != state || m.Value.OK) {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

// TestBounds: long names and deep nesting cost a finding, not a pointer per leaf.
func TestBounds(t *testing.T) {
	long := make([]byte, 4000)
	for i := range long {
		long[i] = 'a'
	}
	v := jsondoc.Parse([]byte(`{"`+string(long)+`":{"b":1},"c":2}`), jsondoc.Limits{}).Root()
	d := New(v, "", evidence.Document{}, NewPaths("/c detail\n"))
	doc := d.Finish()
	if c := Cover(&doc, v); len(c.Missing) > 0 || c.Numbers != 2 {
		t.Errorf("%+v", c)
	}
}
