package sweep

import (
	"slices"
	"strings"

	"assay/ingest/anvil/lift"
	"assay/store/evidence"
)

// Codes of findings about members that only these documents have.
const (
	CodeNumberText = "number-as-text"  // a figure that is written as a text
	CodeNegative   = "figure-negative" // legal where it stands, and worth a look
)

// modelText are members that hold what a model or a program wrote: none of it becomes a
// note or a fact.
var modelText = set("content output response_text llm_reply stt_hypothesis hypothesis final_transcript prompt prompts stdout stderr text " +
	"tool_arguments arguments error_body body htmls convos reply transcript answer completion messages ps tail raw html " +
	"reasoning reasoning_excerpt content_excerpt payload")

// Names of decisions, outcomes and kinds of notes.
var (
	decisionNames = set("decision decisions decision_label decision_labels evidence_label evidence_labels recommendation verdict conclusion next_action promotion " +
		"promotion_authorized promotion_quality_evidence performance_claim_allowed final_blocker promotion_state decision_action evidence_use " +
		"promotion_applied default_stt_promoted")
	outcomeNames  = set("status result outcome state")
	limitNames    = set("limitation limitations known_limitations evidence_limit research_limits known_gaps gaps scope_limit")
	caveatNames   = set("caveat caveats warning warnings timestamp_caveat usage_caveat operational_caveats environment_caveats log_retention_caveat comparison_warning")
	failureNames  = set("failure failures error errors exact_error exact_api_error error_excerpt failure_class failure_modes retained_failures failures_and_fixes shared_failures")
	restoredNames = set("restoration rollback restore_contract restore_plan lifecycle restored")
	gateEnds      = set("passed pass ok ready verified success successful valid healthy met exact present enforced complete loaded restored enabled")
)

func noteKind(name string) evidence.NoteKind {
	switch {
	case limitNames[name]:
		return evidence.Limitation
	case caveatNames[name]:
		return evidence.Caveat
	case failureNames[name]:
		return evidence.Failure
	case restoredNames[name]:
		return evidence.Restored
	}
	return evidence.Statement
}

// fileEnds are the ends of names of files that documents refer to.
var fileEnds = []string{".json", ".jsonl", ".toml", ".md", ".txt", ".log", ".csv", ".yml", ".yaml", ".sh", ".py", ".wav", ".flac", ".png", ".jpg",
	".mp4", ".webm", ".jinja", ".patch", ".sha256", ".html", ".gguf", ".safetensors"}

// maxFile is the longest text that is taken for the name of a file.
const maxFile = 1000

// IsFile reports whether a text is the name of a file.
func IsFile(text string) bool {
	if len(text) > maxFile || strings.ContainsAny(text, " \t\n\r\"'") || strings.Contains(text, "://") {
		return false
	}
	return slices.ContainsFunc(fileEnds, func(end string) bool { return len(text) > len(end) && strings.HasSuffix(text, end) })
}

// Digest reads a SHA-256 with or without its prefix.
func Digest(text string) evidence.Opt[evidence.Digest] {
	d, err := evidence.ParseDigest(strings.TrimPrefix(text, "sha256:"))
	if err != nil {
		return evidence.None[evidence.Digest]()
	}
	return evidence.Some(d)
}

// namesFile are the words that a file is named with at the start of a sentence.
var namesFile = set("source provenance evidence source_artifact validator_state observation reference")

// fileIn finds the name of a file among the first words of a sentence.
func fileIn(text string) (start, end int, ok bool) {
	for i := 0; i < len(text) && i < maxFile; {
		for i < len(text) && strings.IndexByte(" \t\n,;()", text[i]) >= 0 {
			i++
		}
		j := i
		for j < len(text) && strings.IndexByte(" \t\n,;()", text[j]) < 0 {
			j++
		}
		if word := strings.TrimRight(text[i:j], ":."); IsFile(word) {
			return i, i + len(word), true
		}
		i = j
	}
	return 0, 0, false
}

// units that a text may give a figure in.
var textUnits = set("mib gib kib mb gb kb tb b ms s w % mhz hz tok/s tokens")

// numberText reports whether a whole text is a figure: "20/20", "32607 MiB", "2026-07",
// "81729-82089". Versions, hashes and codes are none.
func numberText(text string) bool {
	if len(text) > 60 || text == "" || text[0] < '0' || text[0] > '9' {
		return false
	}
	digits := func(s string) string { return strings.TrimLeft(s, "0123456789") }
	rest := digits(text)
	switch {
	case rest == "":
		return false
	case rest[0] == '/' || rest[0] == '-':
		return len(rest) > 1 && digits(rest[1:]) == ""
	case rest[0] == '.' || rest[0] == ',':
		rest = digits(rest[1:])
	}
	unit := strings.ToLower(strings.TrimLeft(rest, " "))
	return textUnits[unit]
}

// figureText reports whether a text is a number under the name of a figure or setting.
func figureText(name, text string) bool {
	if len(text) > 40 {
		return false
	}
	switch numberReason(name) {
	case evidence.ReasonDiagnostic, evidence.ReasonEcho:
		_, err := evidence.ParseDecimal(text)
		return err == nil
	}
	return false
}

// text makes of a text what its name says it is.
func (s *Sweep) text(at place, v lift.Val) {
	name, text := at.name, v.Str()
	if text == "" || s.Taken(v) {
		return
	}
	if numberText(text) || figureText(name, text) {
		s.Find(evidence.Info, CodeNumberText, v, "a figure is written as the text %q: it is kept as words", lift.Clip(text))
	}
	switch {
	case at.depth == 1 && IsObserved(name):
		s.ObservedAt(v)
	case at.speaks && s.identify(name, at.block, v):
		if strings.ContainsRune(text, ' ') { // a sentence about cards says more than its facts
			s.note(name, v)
		}
	case modelText[name]:
		s.Take(v)
	case name == "timing_note": // nothing else may say that a linked run was warmed
		s.Words(&s.Doc.Facts, evidence.KeyTimingCaveat, v)
		s.note(name, v)
	case decisionNames[name]:
		s.decide(name, v)
	case outcomeNames[name] && !s.Quiet:
		s.Gates = append(s.Gates, evidence.Gate{Name: at.label(), SourceStatus: lift.Clip(text), Status: evidence.ReadGateStatus(text), Place: evidence.At(v.P)})
	case IsFile(text):
		s.refer(text, evidence.None[evidence.Digest](), kindOf(text), evidence.At(v.P))
	case strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://"):
		s.address(name, v)
	default:
		if start, end, ok := fileIn(text); ok && namesFile[name] {
			s.refer(text[start:end], evidence.None[evidence.Digest](), kindOf(text[start:end]), evidence.InText(v.P, start, end))
		}
		s.note(name, v)
	}
}

// address is a page that the document goes back to, or where something answered.
func (s *Sweep) address(name string, v lift.Val) {
	if strings.HasSuffix(name, "url") && name != "url" || strings.Contains(name, "endpoint") {
		s.note(name, v)
		return
	}
	s.refer(lift.Clip(v.Str()), evidence.None[evidence.Digest](), "external", evidence.At(v.P))
}

func kindOf(file string) string {
	if strings.HasSuffix(file, ".toml") {
		return "recipe"
	}
	return "evidence"
}

func (s *Sweep) refer(name string, sum evidence.Opt[evidence.Digest], kind string, at evidence.Place) {
	s.References = append(s.References, evidence.Reference{Name: name, SHA256: sum, Kind: kind, Place: at})
}

func (s *Sweep) decide(name string, v lift.Val) {
	d := evidence.Decision{Kind: evidence.DecisionField, Key: name, Value: lift.Bound(v.N.Text), Place: evidence.At(v.P)}
	switch {
	case strings.HasPrefix(name, "decision_label"):
		d.Kind = evidence.DecisionLabel
	case strings.HasPrefix(name, "evidence_label"):
		d.Kind = evidence.EvidenceLabel
	case name == "promotion_authorized":
		d.Kind = evidence.PromotionFlag
	}
	s.Take(v)
	s.Decisions = append(s.Decisions, d)
}

// note keeps a text. Of a document that is only archived, sentences are kept: single
// words are found by the search all the same.
func (s *Sweep) note(name string, v lift.Val) {
	s.Take(v)
	if s.notes++; s.notes > maxNotes || s.Quiet && (s.notes > maxQuiet || strings.Count(v.Str(), " ") < 3) {
		return
	}
	s.Doc.Note(noteKind(name), name, v)
}

// IsObserved reports whether a name is that of the time of an observation.
func IsObserved(name string) bool { return observedNames[name] }

var observedNames = set("observed_at observed_date date captured captured_at captured_at_utc recorded_at tested_at_utc generated_at generated_utc " +
	"measured_at completed_at observed_date_utc updated_at_utc")

// ObservedAt puts when the document was observed, once.
func (s *Sweep) ObservedAt(v lift.Val) {
	if s.Campaign.Observed != "" {
		s.note("observed", v)
		return
	}
	if s.Words(&s.Doc.Facts, evidence.KeyObserved, v) {
		s.Campaign.Observed, s.Campaign.Place = v.Str(), evidence.At(v.P)
	}
}
