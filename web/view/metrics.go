package view

import (
	"slices"

	"assay/store/evidence"
	"assay/store/export"
)

// Metrics is the page of definitions: what a metric is, and which facts are kept.
type Metrics struct {
	Metrics        []MetricLine
	Stats          []Word
	Methods        []Word
	Keys           []KeyLine
	MetricsExports Exports
	KeysExports    Exports
}

// MetricLine is one definition.
type MetricLine struct {
	ID, Title, Definition, Unit, Reads, Better, Compared string
}

// KeyLine is one fact key.
type KeyLine struct{ Key, Title, Class, Unit string }

// Word is an entry of a list of words.
type Word struct{ Word, Means string }

// BuildMetrics is the page of definitions.
func BuildMetrics() Metrics {
	v := Metrics{
		Stats: []Word{
			{"total", "one figure for the whole run or engine"}, {"mean", "arithmetic mean of the requests"},
			{"p50, p95, p99", "percentiles; the method says how they were taken"},
			{"min, max", "smallest and largest request"},
			{"single", "one observation: neither a distribution nor a ranking"},
		},
		Methods: []Word{
			{"nearest rank", "the smallest value with at least q of the values at or below it"},
			{"linear interpolation", "between the two neighbouring values"},
			{"rounded index", "the value at round((n−1)q), as older writers did"},
			{"not recorded", "no source says how; never assumed"},
		},
		MetricsExports: PageExports("/metrics", "/metrics"), KeysExports: PageExports("/facts", "/metrics#keys"),
	}
	for i := range evidence.Metrics {
		m := &evidence.Metrics[i]
		v.Metrics = append(v.Metrics, MetricLine{
			ID: string(m.ID), Title: m.Title, Definition: m.Definition, Unit: string(m.Unit), Reads: readsAs(m.Unit),
			Better: string(m.Better), Compared: yesNo(m.Comparable, "compared", "shown, never compared"),
		})
	}
	for _, k := range evidence.Keys {
		v.Keys = append(v.Keys, KeyLine{Key: string(k.Key), Title: k.Title, Class: string(k.Class), Unit: orWord(string(k.Unit), "words")})
	}
	return v
}

func readsAs(u evidence.Unit) string {
	switch u {
	case evidence.Seconds:
		return "ms or s"
	case evidence.Bytes:
		return "KiB, MiB or GiB"
	case evidence.Ratio:
		return "%"
	}
	return fixedScale[u].Unit
}

func yesNo(b bool, yes, no string) string {
	if b {
		return yes
	}
	return no
}

// MetricsTable is the definitions as a file.
func (v Metrics) MetricsTable() export.Table {
	t := export.Table{Title: "Metrics", Columns: []export.Column{
		{Name: "metric", Form: export.Code, Help: "id"}, {Name: "title", Help: "as a column head writes it"},
		{Name: "definition", Help: "one sentence"}, {Name: "unit", Form: export.Code, Help: "base unit"},
		{Name: "better", Form: export.Code, Help: "higher, lower or neither"}, {Name: "compared", Help: "whether deltas are ever formed"},
	}}
	for _, m := range v.Metrics {
		t.Rows = append(t.Rows, []export.Cell{export.Text(m.ID), export.Text(m.Title), export.Text(m.Definition), export.Text(m.Unit), export.Text(m.Better), export.Text(m.Compared)})
	}
	return t
}

// KeysTable is the fact keys as a file.
func (v Metrics) KeysTable() export.Table {
	t := export.Table{Title: "Fact keys", Columns: []export.Column{
		{Name: "key", Form: export.Code, Help: "fact key"}, {Name: "title", Help: "as pages write it"},
		{Name: "class", Form: export.Code, Help: "decides how a difference is judged"}, {Name: "unit", Form: export.Code, Help: "base unit, or words"},
	}}
	for _, k := range v.Keys {
		t.Rows = append(t.Rows, []export.Cell{export.Text(k.Key), export.Text(k.Title), export.Text(k.Class), export.Text(k.Unit)})
	}
	return t
}

// Glossary is the page of words.
type Glossary struct {
	Parts   []GlossaryPart
	Exports Exports
}

// GlossaryPart is one group of words.
type GlossaryPart struct {
	ID, Title string
	Group     string // of the words' ids, "" where nothing leads to one word
	Words     []Word
	Badges    []Badge // beside each word, where the word is a state
}

// WordID is the id of a word of the group, "" where words have none.
func (p GlossaryPart) WordID(word string) string {
	if p.Group == "" {
		return ""
	}
	return wordID(p.Group, word)
}

// BuildGlossary is the page of words.
func BuildGlossary() Glossary {
	g := Glossary{Exports: PageExports("/words", "/words")}
	g.Parts = append(g.Parts, GlossaryPart{ID: "things", Title: "Things", Words: slices.Clone(things)})
	facts := GlossaryPart{ID: "states", Title: "States of a fact or figure"}
	for _, s := range []struct {
		state evidence.State
		means string
	}{
		{evidence.Recorded, "stands in the artifact as its own value"},
		{evidence.Derived, "lifted or computed by a named rule from what is recorded"},
		{evidence.Declared, "attached by a person or campaign file, with who, when and why"},
		{evidence.Conflict, "two sources disagree"},
		{evidence.Absent, "the source has the slot and leaves it empty; not zero"},
	} {
		facts.Badges = append(facts.Badges, factBadge(s.state))
		facts.Words = append(facts.Words, Word{string(s.state), s.means})
	}
	gates := GlossaryPart{ID: "gates", Title: "States of a gate"}
	for _, s := range []struct {
		state evidence.GateStatus
		means string
	}{
		{evidence.GatePassed, "the source's whole word is a pass"},
		{evidence.GateFailed, "the source's whole word is a failure"},
		{evidence.GateRejected, "the source rejects what the gate is about"},
		{evidence.GateMissing, "listed and not run; never taken as passed"},
		{evidence.GateUnresolved, "a scoped or unknown word, such as “passed for headline load”; a scoped pass is not a pass"},
	} {
		gates.Badges = append(gates.Badges, gateBadge(s.state))
		gates.Words = append(gates.Words, Word{string(s.state), s.means})
	}
	ends := GlossaryPart{ID: "ends", Title: "End states of an input"}
	for _, s := range []struct {
		state evidence.EndState
		means string
	}{
		{evidence.Accepted, "read, and something in it can be compared or decides something"},
		{evidence.Duplicate, "the same bytes were here before"},
		{evidence.Archived, "kept; nothing in it can be compared"},
		{evidence.Quarantined, "kept; it could not be read whole, and the findings say where"},
		{evidence.Pending, "kept and not read yet, after an interruption; the next intake reads it"},
	} {
		ends.Badges = append(ends.Badges, endBadge(s.state))
		ends.Words = append(ends.Words, Word{string(s.state), s.means})
	}
	verdicts := GlossaryPart{ID: "verdicts", Title: "Verdicts on a pair"}
	for _, w := range verdictWords {
		verdicts.Badges = append(verdicts.Badges, Badge{Kind: w.Word, Glyph: w.Word, Word: w.Word})
		verdicts.Words = append(verdicts.Words, w)
	}
	g.Parts = append(g.Parts, verdicts, GlossaryPart{ID: "comparing", Title: "Words of a comparison", Words: slices.Clone(comparing)},
		GlossaryPart{ID: "repairs", Title: "Words of repair", Words: slices.Clone(repairing)},
		GlossaryPart{ID: "families", Title: "Families of documents", Group: "family", Words: slices.Clone(families)})
	g.Parts = append(g.Parts, facts, gates, ends, GlossaryPart{ID: "absences", Title: "Words for what is not there", Words: slices.Clone(absences)})
	return g
}

var things = []Word{
	{"artifact", "a file as it came in: its verbatim bytes, named by their SHA-256"},
	{"campaign", "what belongs together: the documents of one question, under one id"},
	{"arm", "one configuration under test"},
	{"shape", "the facts that describe the workload: requests, concurrency, context, output cap"},
	{"run", "one arm under one shape, once"},
	{"sample", "one request of a run"},
	{"measurement", "a metric, a statistic, a value or bounds, how many observations, and the place it comes from"},
	{"fact", "one recorded property of a document, arm or run: key, value, state, place"},
	{"gate", "a check that the source lists, with the source's own word and our reading of it"},
	{"limitation", "a sentence of the source on what its figures do not say; shown in full, verbatim"},
	{"decision", "what the source decides: labels, fields, and a flag on promotion that is shown and never changed"},
	{"claim", "a derived figure that the source publishes; never an input"},
	{"reference", "a file that a document names; retained only when its digest is in the archive"},
	{"finding", "what intake or a reader has to say about an artifact, with pointer and byte offset"},
	{"place", "artifact digest and JSON Pointer, and for a figure inside a sentence its byte range"},
	{"reader", "what understands one family of documents; id and version stand beside everything it reads"},
}

var verdictWords = []Word{
	{"ok", "the workloads match and nothing else differs that matters for this figure: the change is shown"},
	{"caveat", "the change is shown, with what to keep in mind beside it"},
	{"unknown", "what decides is not recorded on one side or both: no change is shown, and what to declare stands in its place"},
	{"blocked", "the two do not measure the same thing: no change is shown, and the reason stands in its place"},
}

var comparing = []Word{
	{"pair", "two runs and one figure of each: what a verdict speaks of"},
	{"control", "the arm that the others are measured against: it differs from them in one factor only"},
	{"axis", "a factor that is meant to differ, such as TP or MTP depth; a difference on it stops nothing"},
	{"residue", "facts that differ and are on no axis: a caveat names them"},
	{"shape", "the facts that describe the workload; a difference stops a pair"},
	{"rule", "what decides on a pair, by name: W for the workload, M for the measurement, I for identity"},
	{"repeat", "the same arm under the same shape again; two or more make a spread, and from four a test"},
	{"better, worse", "words for a change in the direction that the metric calls better; from two observations a side on"},
	{"waiver", "a person's reason to look at a stopped pair all the same; never part of a sign-off"},
}

var repairing = []Word{
	{"repair", "what a person says about evidence: a row with author, reason and time; it never enters the bytes and can be withdrawn"},
	{"declared fact", "a fact that no source records, for a run, an artifact or a campaign; against a recorded one it makes a conflict"},
	{"alias", "says that a spelling means the same as another word, for one fact and all of its values"},
	{"move", "puts an artifact into another campaign"},
	{"queue", "what is unknown or in conflict, what opens most comparisons first"},
}

var absences = []Word{
	{"not recorded", "no source says it"},
	{"not run", "no run of this arm is in the archive"},
	{"not retained", "the source names a file that is not in the archive"},
	{"not finite", "the source has NaN or an infinity where a number should be; kept as it stands, never a number"},
	{"bounds, no point value", "the source gives two bounds and no value between them; none is made up"},
	{"one observation", "a single measurement: no median, no ranking"},
}

// Table is the words as a file.
func (g Glossary) Table() export.Table {
	t := export.Table{Title: "Words", Columns: []export.Column{
		{Name: "group", Help: "what the word is about"}, {Name: "word", Help: "as pages write it"}, {Name: "means", Help: "one sentence"},
	}}
	for _, p := range g.Parts {
		for _, w := range p.Words {
			t.Rows = append(t.Rows, []export.Cell{export.Text(p.Title), export.Text(w.Word), export.Text(w.Means)})
		}
	}
	return t
}
