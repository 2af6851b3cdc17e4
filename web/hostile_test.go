package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"assay/store/evidence"
)

// hostileStrings are what artifacts may hold in any string.
var hostileStrings = []string{
	`</script><script>alert(1)</script>`,
	`<img src=x onerror=alert(1)>`,
	`" onmouseover="alert(1)`,
	`javascript:alert(1)`,
	"right\u202eto\u2066left\u200f and \u0000 nul and \u0007 bell",
	"broken \xff\xfe utf-8",
	`=cmd|' /C calc'!A0`,
	strings.Repeat("one-hundred-and-twenty-characters-without-a-space-", 3)[:120],
	strings.Repeat("a megabyte of words ", 52429),
	`../../etc/passwd?x=1#y%2F`,
	`.`, `..`, ` `,
}

// hostile is an archive where every string of every row is one of them.
func hostile(s string) *fake {
	f := &fake{samples: map[string][]evidence.Sample{}, bytes: map[int64][]byte{}}
	b := newBuild(f, s, "hostile")
	f.artifacts[0].Names, f.artifacts[0].Schema, f.artifacts[0].Encoding, f.artifacts[0].Reader = []string{s, s}, s, s, s
	f.artifacts[0].Findings = []evidence.Finding{{Severity: evidence.Severity(s), Code: s, Pointer: evidence.Pointer("").Key(s), Offset: -1, Message: s}}
	f.arrivals[0].Name, f.arrivals[0].Origin, f.arrivals[0].Schema, f.arrivals[0].State = s, s, s, evidence.EndState(s)
	f.arrivals[0].Findings = f.artifacts[0].Findings
	f.artifacts[0].Arrivals = f.arrivals
	facts := []evidence.FactRow{
		b.fact(evidence.FactKey(s), s, ""), b.fact(evidence.KeyEngine, s, ""), b.fact(evidence.KeyGPUProduct, s, ""),
		b.fact(evidence.KeyRequests, s, ""), b.fact(evidence.KeyPassed, s, ""), b.fact(evidence.KeyTP, s, ""),
	}
	facts[0].State, facts[0].Rule, facts[0].SourceText = evidence.State(s), s, s+s
	facts[0].Place = evidence.At(evidence.Pointer("").Key(s))
	for range 2 {
		m := value(evidence.TTFT, evidence.P50, 0.5, evidence.Seconds, 3, s, s)
		odd := value(evidence.MetricID(s), evidence.Stat(s), 0.5, evidence.Unit(s), 0, s, s)
		odd.Method, odd.State, odd.Rule = evidence.Method(s), evidence.State(s), s
		notFinite := evidence.Measurement{Metric: evidence.E2E, Stat: evidence.P50, Unit: evidence.Seconds, SourceText: s}
		claim := value(evidence.ClaimedChange, evidence.Single, 1, evidence.Ratio, 0, s, s)
		claim.Role = evidence.Claim
		r := b.run(s, s, s, facts, m, odd, notFinite, claim)
		r.Name, r.Status, r.Family, r.Rejected = s, evidence.RunStatus(s), s, s
		f.samples[r.ID] = []evidence.Sample{{Failure: s, TTFT: evidence.Some(0.1)}}
	}
	d := b.doc(s)
	d.Schema, d.Family, d.Reader, d.ShapeID, d.Facts = s, s, s, s, facts
	for _, kind := range []string{evidence.DecisionLabel, evidence.EvidenceLabel, evidence.PromotionFlag, evidence.DecisionField, s} {
		b.decide(d, kind, s, s, "/d")
	}
	b.gate(d, s, s, s)
	d.Gates[0].Evidence, d.Gates[0].Status = s, evidence.GateStatus(s)
	for _, kind := range []evidence.NoteKind{evidence.Limitation, evidence.Failure, evidence.Caveat, evidence.Headline, evidence.Statement, evidence.Restored, evidence.NoteKind(s)} {
		b.note(d, kind, s)
		d.Notes[len(d.Notes)-1].Key = s
	}
	d.References = []evidence.ReferenceRow{{Reference: evidence.Reference{Name: s, Kind: s}, Source: b.source(), State: evidence.RefState(s)}}
	b.close(d)
	f.campaigns[0].Observed = s
	f.hits = []evidence.SearchHit{{Kind: s, Title: s, Snippet: "\x02" + s + "\x03" + s, Campaign: s, Artifact: b.digest, Pointer: evidence.Pointer("").Key(s)}}
	return f
}

func TestHostileText(t *testing.T) {
	for i, s := range hostileStrings {
		f := hostile(s)
		srv := site(t, f)
		sha := f.artifacts[0].Digest.String()
		paths := []string{
			"/", "/campaigns/" + sha, "/campaigns/" + sha + "/arms", "/campaigns/" + sha + "/evidence", "/runs", "/runs/" + f.runs[0].ID,
			"/search?q=x", "/intake", "/intake?state=accepted", "/intake/" + sha,
		}
		if len(s) < 500 && strings.ToValidUTF8(s, "") == s && !strings.Contains(s, "\x00") {
			paths = append(paths, "/search?q="+url.QueryEscape(s), "/?text="+url.QueryEscape(s), "/runs?engine="+url.QueryEscape(s))
		}
		for _, path := range paths {
			w := ask(srv, http.MethodGet, path)
			if w.Code == http.StatusFound {
				w = ask(srv, http.MethodGet, w.Header().Get("Location"))
			}
			if w.Code != http.StatusOK {
				t.Errorf("string %d, %s: status %d, %.200s", i, path, w.Code, w.Body)
				continue
			}
			d := parse(t, path, w.Body.String())
			t.Run(path, func(t *testing.T) {
				sound(t, d)
				inert(t, d)
			})
			if limit := 400 << 10; w.Body.Len() > limit {
				t.Errorf("string %d, %s: %d bytes, more than %d", i, path, w.Body.Len(), limit)
			}
		}
	}
}

// inert is that nothing of the strings became markup or stayed unseen.
func inert(t *testing.T, d doc) {
	t.Helper()
	for _, n := range d.all(func(n *html.Node) bool { return n.Data == "img" || n.Data == "iframe" || n.Data == "object" }) {
		t.Errorf("<%s> on the page", n.Data)
	}
	for _, n := range d.all(tag("script")) {
		inside := ""
		if n.FirstChild != nil {
			inside = n.FirstChild.Data
		}
		data := attr(n, "type") == "application/json" && json.Valid([]byte(inside))
		if !data && (!strings.HasPrefix(attr(n, "src"), "/assets/") || inside != "") {
			t.Errorf("a script that is neither ours nor data: %.80q", inside)
		}
	}
	for n := range d.root.Descendants() {
		if n.Type != html.TextNode {
			continue
		}
		if i := strings.IndexAny(n.Data, "\u202e\u2066\u200f\x00\x07\ufffd"); i >= 0 {
			t.Errorf("hidden character stands in %q", n.Data[:min(len(n.Data), 80)])
		}
	}
	if strings.Contains(d.body, "\u202e") {
		t.Error("a direction override stands in the markup")
	}
}

func TestLongTextLeadsOn(t *testing.T) {
	f := hostile(strings.Repeat("a megabyte of words ", 52429))
	w := ask(site(t, f), http.MethodGet, "/campaigns/"+f.artifacts[0].Digest.String())
	d := parse(t, "campaign", w.Body.String())
	rest := under(d.one("limitations"), class("rest"))
	if len(rest) != 1 || !strings.Contains(text(rest[0]), "1,044,580 more characters") || len(under(rest[0], tag("a"))) != 1 {
		t.Errorf("a cut sentence does not lead to the rest: %d", len(rest))
	}
}

func TestHiddenCharactersAreShown(t *testing.T) {
	f := hostile("right\u202eto left")
	d := get(t, site(t, f), "/campaigns/"+url.PathEscape("right\u202eto left"))
	n := d.one("limitations")
	contains(t, "override", text(n), "rightU+202Eto left")
	if len(under(n, tag("bdi"))) == 0 {
		t.Error("a source's sentence is not isolated")
	}
}

func TestHostileExport(t *testing.T) {
	f := hostile(`=cmd|' /C calc'!A0`)
	w := ask(site(t, f), http.MethodGet, "/export/gates.csv")
	contains(t, "CSV", w.Body.String(), `'=cmd|' /C calc'!A0`)
}
