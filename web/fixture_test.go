package web_test

import (
	"fmt"
	"strconv"

	"assay/store/evidence"
)

// build puts a campaign together the way readers do: an artifact, a document, arms
// and runs with places.
type build struct {
	f        *fake
	digest   evidence.Digest
	campaign string
	runs     int
}

func newBuild(f *fake, campaign, seed string) *build {
	b := &build{f: f, digest: evidence.DigestOf([]byte(seed)), campaign: campaign}
	f.artifacts = append(f.artifacts, evidence.ArtifactDetail{ArtifactRow: evidence.ArtifactRow{
		ID: int64(len(f.artifacts) + 1), Digest: b.digest, Size: 10034, StoredUS: clock().UnixMicro(), State: evidence.Accepted,
		Schema: "lab.decision/v1", Family: "F5", Reader: "lab/decision@1", Encoding: "utf-8", Values: 1, Campaign: campaign, Names: []string{seed + ".json"},
	}})
	f.arrivals = append(f.arrivals, evidence.ArrivalRow{
		ID: int64(len(f.arrivals) + 1), Digest: b.digest, Size: 10034, Name: seed + ".json", Origin: "file", AtUS: clock().UnixMicro(),
		State: evidence.Accepted, Schema: "lab.decision/v1", Runs: 3,
	})
	return b
}

func (b *build) source() evidence.Source {
	return evidence.Source{Artifact: b.digest, Reader: "lab/decision@1"}
}

func (b *build) fact(k evidence.FactKey, value, pointer string) evidence.FactRow {
	return evidence.FactRow{
		Fact:   evidence.Fact{Key: k, Value: value, State: evidence.Recorded, SourceText: value, Place: evidence.At(evidence.Pointer(pointer))},
		Source: b.source(), Campaign: b.campaign,
	}
}

func (b *build) run(arm, part, class string, facts []evidence.FactRow, figures ...evidence.Measurement) *evidence.RunRow {
	root := evidence.Pointer("").Key(part).Index(b.runs)
	r := evidence.RunRow{
		Source: b.source(), ID: evidence.RunID(b.digest, b.runs), ArmID: evidence.ArmID(b.digest, b.runs), Campaign: b.campaign, Arm: arm,
		Class: class, Status: evidence.Measured, Family: "F5", Place: evidence.At(root), ArmPlace: evidence.At(root.Key("profile")), Facts: facts,
	}
	b.runs++
	for i, m := range figures {
		if m.Place.Pointer == "" {
			m.Place = evidence.At(root.Key("m" + strconv.Itoa(i)))
		}
		if m.Role == "" {
			m.Role = evidence.Primary
		}
		if m.State == "" {
			m.State = evidence.Recorded
		}
		r.Measurements = append(r.Measurements, evidence.MeasurementRow{Measurement: m, Source: b.source(), Campaign: b.campaign, Arm: arm, Run: r.ID})
	}
	b.f.runs = append(b.f.runs, r)
	return &b.f.runs[len(b.f.runs)-1]
}

func value(m evidence.MetricID, s evidence.Stat, v float64, u evidence.Unit, n int64, text, unit string) evidence.Measurement {
	x := evidence.Measurement{Metric: m, Stat: s, Value: evidence.Some(v), Unit: u, SourceText: text, SourceUnit: unit}
	if n > 0 {
		x.N = evidence.Some(n)
	}
	if s == evidence.P50 || s == evidence.P95 || s == evidence.P99 {
		x.Method = evidence.NearestRank
	}
	return x
}

func (b *build) doc(title string) *evidence.DocumentRow {
	c := evidence.CampaignDetail{CampaignRow: evidence.CampaignRow{
		ID: b.campaign, Title: title, Observed: "2031-04-01", Documents: 1, Arms: b.runs, Runs: b.runs, Artifacts: []evidence.Digest{b.digest},
		Schemas: []string{"lab.decision/v1"},
	}}
	c.Docs = []evidence.DocumentRow{{
		Source: b.source(), Schema: "lab.decision/v1", Family: "F5", ShapeID: "table", Arms: b.runs, Runs: b.runs,
		Campaign: evidence.Campaign{ID: b.campaign, Title: title, Place: evidence.At("/campaign_id")},
	}}
	b.f.campaigns = append(b.f.campaigns, c)
	return &b.f.campaigns[len(b.f.campaigns)-1].Docs[0]
}

func (b *build) decide(d *evidence.DocumentRow, kind, key, value, pointer string) {
	d.Decisions = append(d.Decisions, evidence.DecisionRow{
		Decision: evidence.Decision{Kind: kind, Key: key, Value: value, Place: evidence.At(evidence.Pointer(pointer))}, Source: b.source(), Campaign: b.campaign,
	})
}

func (b *build) gate(d *evidence.DocumentRow, name, word, detail string) {
	d.Gates = append(d.Gates, evidence.GateRow{Gate: evidence.Gate{
		Name: name, SourceStatus: word, Detail: detail, Status: evidence.ReadGateStatus(word),
		Place: evidence.At(evidence.Pointer("/gates").Index(len(d.Gates))),
	}, Source: b.source(), Campaign: b.campaign})
}

func (b *build) note(d *evidence.DocumentRow, kind evidence.NoteKind, text string) {
	d.Notes = append(d.Notes, evidence.NoteRow{Note: evidence.Note{
		Kind: kind, Text: text, Place: evidence.At(evidence.Pointer("").Key(string(kind)).Index(len(d.Notes))),
	}, Source: b.source(), Campaign: b.campaign})
}

// close carries the document's lists up to the campaign, as the store does.
func (b *build) close(d *evidence.DocumentRow) {
	c := &b.f.campaigns[len(b.f.campaigns)-1]
	c.Gates, c.References = d.Gates, len(d.References)
	for _, x := range d.Decisions {
		switch x.Kind {
		case evidence.DecisionLabel:
			c.Labels = append(c.Labels, x.Value)
		case evidence.PromotionFlag:
			c.Promotion = x.Value
		}
	}
}

// laboratory is an archive with one campaign of every kind: rows of a table, figures
// in sentences, files without a decision, and a quarantined file.
func laboratory() *fake {
	f := &fake{samples: make(map[string][]evidence.Sample), bytes: make(map[int64][]byte)}
	tabled(f)
	narrated(f)
	measured(f)
	quarantined(f)
	return f
}

const tabledID = "2031-04-01-two-cards"

func tabled(f *fake) {
	b := newBuild(f, tabledID, "tabled")
	shape := func(conc string) []evidence.FactRow {
		return []evidence.FactRow{
			b.fact(evidence.KeyRequests, "100", "/measurement/load"), b.fact(evidence.KeyContextTarget, "4096", "/measurement/load"),
			b.fact(evidence.KeyConcurrency, conc, "/measurement/load"), b.fact(evidence.KeyPassed, "98", "/rows/0/passed"),
			b.fact(evidence.KeyEngine, "engine-x", "/identity/engine"), b.fact(evidence.KeyGPUProduct, "Card Pro", "/identity/card"),
			b.fact(evidence.KeyTP, "1", "/rows/0/topology"),
		}
	}
	b.run("engine-x depth 12 one card", "headline_results", evidence.ClassAggregate, shape("8"),
		value(evidence.OutputThroughput, evidence.Total, 764.2998, evidence.TokensPerSecond, 0, "764.2998", "tok/s"),
		value(evidence.TTFT, evidence.P50, 2.3312613, evidence.Seconds, 100, "2331.2613", "ms"),
		value(evidence.TTFT, evidence.P95, 5.3390604, evidence.Seconds, 100, "5339.0604", "ms"),
		value(evidence.E2E, evidence.P50, 4.856431, evidence.Seconds, 100, "4856.4310", "ms"),
		value(evidence.E2E, evidence.P99, 9.75, evidence.Seconds, 100, "9750.0", "ms"))
	bounds := evidence.Measurement{
		Metric: evidence.OutputThroughput, Stat: evidence.Total, Lower: evidence.Some(1401.7693), Upper: evidence.Some(1423.4125),
		Unit: evidence.TokensPerSecond, SourceText: "1401.7693 to 1423.4125", SourceUnit: "tok/s",
		Place: evidence.At("/headline_results/1/lower"), Also: []evidence.Place{evidence.At("/headline_results/1/upper"), evidence.At("/headline_results/1/point")},
	}
	b.run("two replicas", "headline_results", evidence.ClassAggregate, shape("8"), bounds,
		value(evidence.TTFT, evidence.P50, 2.4070813, evidence.Seconds, 100, "2407.0813", "ms"))
	r := b.run("engine-x depth 12 two cards", "headline_results", evidence.ClassAggregate, shape("8"),
		value(evidence.OutputThroughput, evidence.Total, 587.938, evidence.TokensPerSecond, 0, "587.938", "tok/s"),
		evidence.Measurement{Metric: evidence.ClaimedChange, Stat: evidence.Single, Value: evidence.Some(-0.231), Unit: evidence.Ratio, Role: evidence.Claim, SourceText: "-23.1", SourceUnit: "percent"})
	r.Rejected, r.RejectedPlace = "structured output was corrupt twice", evidence.At("/headline_results/2/correctness_status")
	b.run("screen depth 4", "screen", evidence.ClassAggregate, shape("8"),
		value(evidence.OutputThroughput, evidence.Total, 330.9, evidence.TokensPerSecond, 0, "330.90", "tok/s"))
	d := b.doc("Depth 12 on two cards")
	b.decide(d, evidence.DecisionLabel, "labels", "replicas-win", "/decision/labels/0")
	b.decide(d, evidence.DecisionLabel, "labels", "no-promotion", "/decision/labels/1")
	b.decide(d, evidence.EvidenceLabel, "evidence_labels", "capacity", "/decision/evidence_labels/0")
	b.decide(d, evidence.PromotionFlag, "promotion_authorized", "false", "/decision/promotion_authorized")
	b.decide(d, evidence.DecisionField, "winner", "two independent replicas for the bounded load", "/decision/winner")
	b.gate(d, "functional check", "passed", "smoke and structured output answered")
	b.gate(d, "isolation", "passed for headline load", "every marker came back")
	b.gate(d, "two cards", "rejected", "slower than one card, and corrupt")
	b.gate(d, "client acceptance", "missing", "")
	b.gate(d, "burst", "failed", "17 of 20")
	b.note(d, evidence.Limitation, "The replica figure is a timing bound and no single request rate.")
	b.note(d, evidence.Limitation, "Power and clocks were not kept.")
	d.Facts = []evidence.FactRow{b.fact(evidence.KeyCampaign, tabledID, "/campaign_id"), b.fact(evidence.KeyGPUProduct, "Card Pro", "/identity/card"), b.fact(evidence.KeyImage, "repo/image@sha256:0123456789abcdef", "/identity/image")}
	d.References = []evidence.ReferenceRow{
		{Reference: evidence.Reference{Name: "finalist.json", Kind: "evidence", Place: evidence.At("/rows/0/evidence")}, Source: b.source(), State: evidence.RefNotStored},
		{Reference: evidence.Reference{Name: "other.json", Kind: "evidence", Place: evidence.At("/rows/1/evidence")}, Source: b.source(), State: evidence.RefMismatch, Found: evidence.Some(b.digest)},
	}
	b.close(d)
}

const narratedID = "2031-04-02-in-sentences"

func narrated(f *fake) {
	b := newBuild(f, narratedID, "narrated")
	sentence := "Depth 3 raised the median decode rate from 75.3 to 165.9 tok/s, ﬁve runs each."
	derived := func(start, end int, v float64, text string) evidence.Measurement {
		m := value(evidence.DecodeRate, evidence.P50, v, evidence.TokensPerSecond, 5, text, "tok/s")
		m.State, m.Rule, m.Place = evidence.Derived, "prose/stat-line", evidence.InText("/headline/0", start, end)
		return m
	}
	at := func(s string) (int, int) {
		for i := range sentence {
			if len(sentence[i:]) >= len(s) && sentence[i:i+len(s)] == s {
				return i, i + len(s)
			}
		}
		panic("no " + s)
	}
	s1, e1 := at("75.3")
	s2, e2 := at("165.9")
	facts := []evidence.FactRow{b.fact(evidence.KeyRequests, "5", "/measurement/statistics/0")}
	b.run("no speculation", "measurement", evidence.ClassShort, facts, derived(s1, e1, 75.3, "75.3"))
	r := b.run("depth 3", "measurement", evidence.ClassShort, facts, derived(s2, e2, 165.9, "165.9"),
		value(evidence.TTFT, evidence.Single, 70.4, evidence.Seconds, 1, "70.4", "s"),
		value(evidence.GPUMemoryFree, evidence.Single, 2354<<20, evidence.Bytes, 1, "2354", "MiB"))
	for i := range 120 {
		s := evidence.Sample{Index: int64(i), TTFT: evidence.Some(0.4 + float64(i)/1000), OK: i%7 != 0, Place: evidence.At(evidence.Pointer("/rows").Index(i))}
		if i%2 == 0 {
			s.OutputTokens = evidence.Some(int64(40 + i))
		}
		if !s.OK {
			s.Failure = "HTTP 429 server_overloaded"
		}
		f.samples[r.ID] = append(f.samples[r.ID], s)
	}
	d := b.doc("Figures in sentences")
	d.Notes = append(d.Notes, evidence.NoteRow{Note: evidence.Note{Kind: evidence.Headline, Text: sentence, Place: evidence.At("/headline/0")}, Source: b.source()})
	b.note(d, evidence.Failure, "Three requests were refused.")
	b.decide(d, evidence.DecisionLabel, "labels", "challenger", "/decision/labels/0")
	b.close(d)
}

const measuredID = "capacity-files"

// measured is a campaign of capacity files: figures and facts, no decision at all.
func measured(f *fake) {
	b := newBuild(f, measuredID, "measured")
	for i := range 60 {
		b.run(fmt.Sprintf("arm %d", i), "metrics", evidence.ClassShort, []evidence.FactRow{b.fact(evidence.KeyRequests, "16", "/requests"), b.fact(evidence.KeyConcurrency, strconv.Itoa(1+i%3), "/concurrency")},
			value(evidence.TTFT, evidence.P50, 0.1+float64(i)/100, evidence.Seconds, 16, "x", "ms"))
	}
	b.doc("")
}

func quarantined(f *fake) {
	d := evidence.DigestOf([]byte("quarantined"))
	find := evidence.Finding{Severity: evidence.Error, Code: "not-finite", Pointer: "/rows/3/ttft_ms", Offset: 1204, Message: "NaN is not JSON"}
	a := evidence.ArtifactDetail{ArtifactRow: evidence.ArtifactRow{ID: 99, Digest: d, Size: 18402, StoredUS: clock().UnixMicro(), State: evidence.Quarantined, Encoding: "utf-8", Findings: 1, Names: []string{"capacity-c8.json"}}}
	a.Findings = []evidence.Finding{find}
	arrival := evidence.ArrivalRow{ID: 99, Digest: d, Size: 18402, Name: "capacity-c8.json", Origin: "file", AtUS: clock().UnixMicro(), State: evidence.Quarantined, Findings: a.Findings}
	a.Arrivals = []evidence.ArrivalRow{arrival}
	f.artifacts, f.arrivals = append(f.artifacts, a), append(f.arrivals, arrival)
	f.hits = []evidence.SearchHit{
		{Kind: "gate", Title: "isolation", Snippet: "every \x02marker\x03 came back", Campaign: tabledID, Artifact: f.artifacts[0].Digest, Pointer: "/gates/1"},
		{Kind: "campaign", Title: "Depth 12 on two cards", Snippet: "Depth 12 on \x02two\x03 cards", Campaign: tabledID},
	}
}
