package signoff

import (
	"fmt"
	"strconv"
	"strings"

	"assay/store/evidence"
)

// statementReader goes through the lines of a statement in order. After the first fault
// it reads nothing more.
type statementReader struct {
	fields []Field
	at     int
	err    error
}

// next reports whether the next line has the key.
func (r *statementReader) next(key string) bool {
	return r.err == nil && r.at < len(r.fields) && r.fields[r.at].Key == key
}

// must reads the line that has to stand next.
func (r *statementReader) must(key string) string {
	if !r.next(key) {
		if r.err == nil {
			r.err = fmt.Errorf("want %q", key)
		}
		return ""
	}
	r.at++
	return r.fields[r.at-1].Value
}

// maybe reads a line that may be missing.
func (r *statementReader) maybe(key string) string {
	if !r.next(key) {
		return ""
	}
	return r.must(key)
}

// fault notes what is wrong with the line that was read last.
func (r *statementReader) fault(err error) {
	if err != nil && r.err == nil {
		r.at--
		r.err = err
	}
}

func (r *statementReader) number(key string) int64 {
	n, err := strconv.ParseInt(r.must(key), 10, 64)
	r.fault(err)
	return n
}

func (r *statementReader) time(key string) int64 {
	us, err := parseInstant(r.must(key))
	r.fault(err)
	return us
}

// digest reads "sha256:HEX"; it may be "" where nothing was digested.
func (r *statementReader) digest(key string) string {
	text, ok := strings.CutPrefix(r.must(key), "sha256:")
	if !ok {
		r.fault(fmt.Errorf("%s: want \"sha256:\" and a digest", key))
	}
	return text
}

func (r *statementReader) words(key string) []string {
	text := r.must(key)
	if text == none || text == "" {
		return nil
	}
	return strings.Split(text, " ")
}

func (r *statementReader) counts(key string, names []string) (n [4]int) {
	text := r.must(key)
	parts := strings.Split(text, ", ")
	if len(parts) != len(names) {
		r.fault(fmt.Errorf("want %d counts", len(names)))
		return n
	}
	for i, name := range names {
		digits, ok := strings.CutPrefix(parts[i], name+" ")
		v, err := strconv.Atoi(digits)
		if !ok || err != nil {
			r.fault(fmt.Errorf("want a count of %s", name))
			return n
		}
		n[i] = v
	}
	return n
}

func (s *Statement) readHead(r *statementReader) {
	s.Decision = Decision(r.must("decision"))
	s.Target = Target(r.must("target"))
	s.Campaign, s.Title = r.must("campaign"), r.must("title")
	s.Scope, s.Reason = r.must("scope"), r.must("reason")
	s.Candidate = r.arm("candidate")
	if r.next("control") {
		s.Control = evidence.Some(r.arm("control"))
	}
	if r.next("rollback") {
		s.Back = evidence.Some(r.arm("rollback"))
	}
	s.BackNote = r.must("rollback-evidence")
}

func (r *statementReader) arm(key string) StatedArm {
	return StatedArm{Name: r.must(key), ArmID: r.must(key + "-arm"), Runs: r.words(key + "-runs")}
}

func (s *Statement) readGround(r *statementReader) {
	for r.next("artifact") {
		d, err := evidence.ParseDigest(r.digest("artifact"))
		r.fault(err)
		s.Artifacts = append(s.Artifacts, StatedArtifact{Digest: d, Uses: r.words("artifact-uses"), Name: r.must("artifact-name")})
	}
	text := r.must("files-named-by-source")
	if r.err == nil {
		if _, err := fmt.Sscanf(text, "%d retained of %d", &s.Retained, &s.References); err != nil {
			r.fault(fmt.Errorf("want \"N retained of N\""))
		}
	}
	for r.next("reader") {
		s.Readers = append(s.Readers, r.must("reader"))
	}
	s.Ruleset = int(r.number("ruleset"))
	version, digest, _ := strings.Cut(r.must("policy"), " sha256:")
	n, err := strconv.Atoi(version)
	r.fault(err)
	s.Policy = PolicyRef{Name: r.must("policy-name"), Version: n, Digest: digest}
	s.TwoPeople = r.must("two-people") == "true"
	s.MaxAgeDays = int(r.number("max-age-days"))
	spec := r.must("comparison")
	if spec == none || r.err != nil {
		return
	}
	c := StatedComparison{SpecDigest: strings.TrimPrefix(spec, "sha256:")}
	for r.next("comparison-spec") {
		c.Spec = append(c.Spec, r.must("comparison-spec"))
	}
	c.ExportDigest = r.digest("comparison-export")
	c.Verdicts = r.counts("verdicts", verdicts[:])
	for r.next("figure") {
		figure, verdict, _ := strings.Cut(r.must("figure"), " ")
		c.Figures = append(c.Figures, StatedFigure{Figure: figure, Verdict: verdict, Text: r.maybe("figure-says")})
	}
	s.Comparison = evidence.Some(c)
}

func (s *Statement) readJudged(r *statementReader) {
	for r.next("gate") {
		p := strings.SplitN(r.must("gate"), " ", 3)
		if len(p) != 3 || p[1] != "required" && p[1] != "optional" {
			r.fault(fmt.Errorf("want STATE required|optional ID"))
			return
		}
		s.Gates = append(s.Gates, StatedGate{ID: p[2], State: GateState(p[0]), Required: p[1] == "required",
			Says: r.maybe("gate-says"), By: r.maybe("gate-waived-by"), Reason: r.maybe("gate-waived-reason")})
	}
	s.Claims = r.counts("published-figures", claimWords)
	for r.next("source-says") {
		s.SourceSays = append(s.SourceSays, r.must("source-says"))
	}
	for r.next("acknowledged") {
		p := strings.SplitN(r.must("acknowledged"), " ", 3)
		if len(p) != 3 {
			r.fault(fmt.Errorf("want KIND ID TIME"))
			return
		}
		us, err := parseInstant(p[2])
		r.fault(err)
		s.Acknowledged = append(s.Acknowledged, StatedAck{Kind: ItemKind(p[0]), ID: p[1], AtUS: us,
			Text: r.must("acknowledged-text"), Reason: r.maybe("acknowledged-reason")})
	}
	for r.next("declared") {
		id, text, _ := strings.Cut(r.must("declared"), " ")
		n, err := strconv.ParseInt(id, 10, 64)
		r.fault(err)
		s.Declared = append(s.Declared, StatedRepair{ID: n, Text: text, Author: r.must("declared-by")})
	}
	if r.maybeNone("exploratory-waiver") {
		return
	}
	for r.next("exploratory-waiver") {
		s.Waivers = append(s.Waivers, r.number("exploratory-waiver"))
	}
}

// maybeNone reads a line that says that there is none.
func (r *statementReader) maybeNone(key string) bool {
	if r.next(key) && r.fields[r.at].Value == none {
		r.at++
		return true
	}
	return false
}

func (s *Statement) readSigned(r *statementReader) {
	s.GroundDigest = r.digest("ground")
	s.LogSize = r.number("log-size")
	s.Preparer, s.PreparedUS = r.must("preparer"), r.time("prepared")
	s.Signer = r.must("signer")
	kind, print, _ := strings.Cut(r.must("key"), " ")
	s.KeyKind, s.KeyFingerprint = ClaimKind(kind), print
	s.TimeUS = r.time("time")
}
