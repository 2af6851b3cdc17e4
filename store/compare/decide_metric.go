package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay/store/evidence"
)

var chunkedSibling = sibling(ruleChunked)

func decideChunks(p *pair, r *Rule) {
	chunkedSibling(p, r)
	a, b := p.a.text(ixCounting), p.b.text(ixCounting)
	if p.is(ofChunks|ofTokens) && a != "" && b != "" && a != b && (a == "chunks" || b == "chunks") {
		p.tell(r, blocked, ixCounting, "one side counts stream chunks, the other tokens")
		return
	}
	if !p.is(ofChunks) {
		return
	}
	if x, y := p.a.speculation(), p.b.speculation(); x == "" || y == "" || x != y {
		p.tell(r, unknown, ixSpecMethod, "chunks are counted and the speculation setting is not known to be equal: one chunk may hold several tokens")
		return
	}
	p.tell(r, caution, noKey, "a chunk rate: a chunk need not be one token")
}

// speculation is the setting of speculative decoding as far as it is known.
func (p *Prepared) speculation() string {
	method, depth := p.text(ixSpecMethod), p.text(ixMTPDepth)
	if method == "none" || depth == "0" {
		return "none"
	}
	if depth == "" {
		depth = p.text(ixDraftDepth)
	}
	if depth == "" {
		return ""
	}
	return method + " " + depth
}

// percentile reports whether a statistic is one, and how far out.
func percentile(s evidence.Stat) (q float64, ok bool) {
	n, found := strings.CutPrefix(string(s), "p")
	if !found {
		return 0, false
	}
	q, err := strconv.ParseFloat(n, 64)
	return q, err == nil
}

func decidePercentile(p *pair, r *Rule) {
	a, b := p.a.figure, p.b.figure
	if a == nil || b == nil {
		return
	}
	q, ok := percentile(a.Stat)
	if _, ok2 := percentile(b.Stat); !ok || !ok2 || a.Method != "" && a.Method == b.Method {
		return
	}
	l, message := caution, "the percentile method is not recorded"
	switch {
	case a.Method != "" && b.Method != "":
		l, message = blocked, "percentiles were taken by different methods"
	case q != 50 && p.a.run.Family != p.b.run.Family:
		l, message = blocked, "the percentile method is not recorded, and the writers differ"
	}
	p.add(r, l, noKey, sayMethods(message))
}

// The messages are few, so that a judgement allocates nothing.
var methodSayings = map[string]func(*pair, *finding) words{}

func init() {
	for _, m := range []string{"the percentile method is not recorded", "percentiles were taken by different methods", "the percentile method is not recorded, and the writers differ"} {
		methodSayings[m] = func(p *pair, _ *finding) words {
			return words{message: m, key: evidence.KeyPercentileMethod, left: textSide(string(p.a.figure.Method)), right: textSide(string(p.b.figure.Method))}
		}
	}
}

func sayMethods(m string) func(*pair, *finding) words { return methodSayings[m] }

// enough is how many observations a percentile needs.
func enough(s evidence.Stat) int64 {
	q, ok := percentile(s)
	switch {
	case !ok:
		return 0
	case q == 50:
		return 6
	case q >= 99 || q <= 1:
		return 100
	case q >= 95 || q <= 5:
		return 20
	}
	return 10
}

func decideFew(p *pair, r *Rule) {
	for _, s := range []*Prepared{p.a, p.b} {
		if f := s.figure; f != nil && f.N.OK && f.N.V > 1 && f.N.V < s.need {
			p.ranked(r, caution, noKey, sayFew)
		}
	}
}

func sayFew(p *pair, _ *finding) words {
	few := p.a.figure
	if few == nil {
		few = p.b.figure // the other side has none of the metric
	}
	s := few.Stat
	return words{message: fmt.Sprintf("a %s of fewer than %d observations is about one of them", s, enough(s)), left: p.a.figureSide(), right: p.b.figureSide(),
		remedy: fmt.Sprintf("run at least %d requests", enough(s))}
}

func decideSingle(p *pair, r *Rule) {
	for _, s := range []*Prepared{p.a, p.b} {
		f := s.figure
		if f == nil || f.State == evidence.Absent {
			continue
		}
		if f.Stat == evidence.Single || isOne(f.N) && ofMany(f.Stat) || !f.N.OK && ofMany(f.Stat) {
			p.ranked(r, caution, noKey, func(p *pair, _ *finding) words {
				return words{message: "one observation is neither a distribution nor a ranking", left: p.a.figureSide(), right: p.b.figureSide()}
			})
		}
	}
}

func decideAggregation(p *pair, r *Rule) {
	a, b := p.a.figure, p.b.figure
	if a == nil || b == nil || !ofMany(statOf(a)) || !ofMany(statOf(b)) || p.asked(ixAggregation) {
		return
	}
	x, y := p.a.get(ixAggregation), p.b.get(ixAggregation)
	switch {
	case x != nil && y != nil && x.text != y.text:
		p.add(r, blocked, ixAggregation, sayDiffers)
	case x != nil && y != nil:
		if x.text != "run" {
			p.tell(r, caution, ixAggregation, "the figure is formed over several runs: it is no percentile of requests")
		}
	case x != nil || y != nil:
		p.add(r, unknown, ixAggregation, sayOneSided)
	case !p.one:
		p.add(r, caution, ixAggregation, sayNeither)
	}
}

const (
	shortest  = 16 // output tokens a request below which a rate is noise
	shortMild = 64
)

func decideShort(p *pair, r *Rule) {
	if !p.is(ofShort) || p.equalLength() {
		return
	}
	a, b := p.a.mean, p.b.mean
	switch {
	case a.known && a.tokens < shortest || b.known && b.tokens < shortest:
		p.add(r, blocked, noKey, sayLengths("fewer than 16 output tokens per request: a rate over them is noise"))
	case !a.known || !b.known:
		p.add(r, caution, noKey, sayLengths("output length is not recorded"))
	case a.tokens < shortMild || b.tokens < shortMild:
		p.add(r, caution, noKey, sayLengths("short outputs: fewer than 64 tokens per request"))
	}
}

var lengthSayings = map[string]func(*pair, *finding) words{}

func init() {
	for _, m := range []string{
		"fewer than 16 output tokens per request: a rate over them is noise", "output length is not recorded",
		"short outputs: fewer than 64 tokens per request", "mean output lengths differ by more than 10 %",
		"the shares of requests that end at the cap differ by more than 0.25", "with reasoning on the figure follows its length",
		"with reasoning on, mean outputs differ by more than 25 %",
	} {
		lengthSayings[m] = func(p *pair, _ *finding) words {
			return words{message: m, key: evidence.KeyMeanOutput, left: p.a.mean.side(), right: p.b.mean.side()}
		}
	}
}

func sayLengths(m string) func(*pair, *finding) words { return lengthSayings[m] }

// equalLength reports whether every answer of both sides has the same number of tokens:
// all at one cap, or all forced to one length.
func (p *pair) equalLength() bool {
	a, b := p.a, p.b
	if !a.mean.known || !b.mean.known || a.mean.tokens != b.mean.tokens || a.mean.chunks || b.mean.chunks {
		return false
	}
	whole := func(s *Prepared) bool {
		cap, ok := s.number(ixOutputCap)
		return s.share >= 1 && (!ok || cap == s.mean.tokens) || s.text(ixCompletionMode) == "forced" && !s.mean.derived
	}
	return whole(a) && whole(b)
}

func decideCompletion(p *pair, r *Rule) {
	a, okA := p.a.completion()
	b, okB := p.b.completion()
	switch {
	case !okA || !okB:
	case math.Abs(a-b) > 0.05:
		p.add(r, blocked, ixCompleted, sayCompletion)
	case a < 1 || b < 1:
		p.add(r, caution, ixCompleted, sayCompletion)
	}
}

func (p *Prepared) completion() (float64, bool) {
	done, ok := p.number(ixCompleted)
	of, ok2 := p.number(ixRequests)
	if !ok || !ok2 || of <= 0 {
		return 0, false
	}
	return done / of, true
}

func sayCompletion(p *pair, _ *finding) words {
	of := func(s *Prepared) string { return s.text(ixCompleted) + "/" + s.text(ixRequests) }
	w := words{key: evidence.KeyCompleted, message: fmt.Sprintf("%s against %s requests completed", of(p.a), of(p.b))}
	w.left, w.right = p.sides(ixCompleted)
	return w
}

func decideZero(p *pair, r *Rule) {
	for _, s := range []*Prepared{p.a, p.b} {
		if s.falseZero() {
			p.tell(r, blocked, noKey, "the 0 of a side stands for nothing measured")
		}
	}
}

// falseZero reports whether the figure is a zero that stands for nothing.
func (p *Prepared) falseZero() bool {
	f := p.figure
	if f == nil {
		return false
	}
	if f.State == evidence.Absent {
		return f.Rule == "false-zero"
	}
	if !f.Value.OK || f.Value.V != 0 {
		return false
	}
	done, counted := p.number(ixCompleted)
	return counted && done == 0 || f.N.OK && f.N.V == 0 || p.run.Status == evidence.NotRun
}

// failedInside are the writers whose latencies run over all attempts, failed ones
// included.
var failedInside = map[string]bool{"F6": true}

func decideFailed(p *pair, r *Rule) {
	for _, s := range []*Prepared{p.a, p.b} {
		switch s.run.Status {
		case evidence.RunFailed, evidence.NotRun, evidence.RunUnresolved:
			p.add(r, blocked, ixRunStatus, sayUnfinished)
		}
	}
	if p.is(ofQuality|ofSpeech) || p.is(ofThroughput) && p.kind&speech != 0 {
		return
	}
	equal := p.equalLength()
	for _, s := range []*Prepared{p.a, p.b} {
		if !p.is(ofLatency | ofThroughput | ofBoundary) {
			continue
		}
		answered, all := s.completion()
		switch {
		case s.writer.failedInside && all && answered < 1:
			p.tell(r, blocked, ixFailed, "attempts without an answer stand in the figure")
		case equal:
		case s.failing && p.kind&(suites|quality|media) != 0:
			p.tell(r, caution, ixFailed, "attempts that were answered wrongly stand in the figure")
		}
	}
}

func sayUnfinished(p *pair, _ *finding) words {
	var who []string
	for _, s := range []*Prepared{p.a, p.b} {
		switch s.run.Status {
		case evidence.RunFailed, evidence.NotRun, evidence.RunUnresolved:
			who = append(who, s.run.Arm+" is "+statusWord(s.run.Status))
		}
	}
	return words{message: "in its source " + strings.Join(who, " and "), key: evidence.KeyRunStatus}
}

func decideBound(p *pair, r *Rule) {
	a, b := p.a.figure, p.b.figure
	if a == nil || b == nil || a.Value.OK && b.Value.OK || !hasBounds(a) || !hasBounds(b) {
		return
	}
	lo, hi := changeBounds(*a, *b)
	if lo.OK && lo.V > 0 || hi.OK && hi.V < 0 {
		p.tell(r, caution, noKey, "one side is an interval: the change has bounds and no point")
		return
	}
	p.tellRanked(r, caution, noKey, "one side is an interval that holds the other value: nothing is claimed")
}

func hasBounds(m *evidence.MeasurementRow) bool { return m.Value.OK || m.Lower.OK && m.Upper.OK }

func decidePrecision(p *pair, r *Rule) {
	a, b := p.a.figure, p.b.figure
	if a == nil || b == nil || !a.Value.OK || !b.Value.OK {
		return
	}
	if p.a.step == p.b.step || p.a.decimals < 0 || p.b.decimals < 0 {
		return
	}
	step, value := math.Max(p.a.step, p.b.step), math.Max(math.Abs(a.Value.V), math.Abs(b.Value.V))
	if value == 0 || step/value < 1e-6 {
		return
	}
	p.add(r, caution, noKey, func(p *pair, _ *finding) words {
		return words{message: fmt.Sprintf("one side is given to %s, the other to %s: the difference is no finer than the coarser", p.a.finest(), p.b.finest())}
	})
}

// finest is the last digit of the figure in the unit that it was written in.
func (p *Prepared) finest() string {
	return strings.TrimSpace(lastDigit(p.decimals) + " " + p.figure.SourceUnit)
}

// lastDigit is one in the last of some digits after the point.
func lastDigit(decimals int) string {
	if decimals == 0 {
		return "1"
	}
	return "0." + strings.Repeat("0", decimals-1) + "1"
}

// decimals counts the digits after the point as they stand; -1 for what is no plain
// decimal.
func decimals(s string) int {
	if s == "" || strings.ContainsAny(s, "eE/ ") {
		return -1
	}
	i := strings.IndexByte(s, '.')
	if i < 0 {
		return 0
	}
	return len(s) - i - 1
}

// precision reads how fine the digits of the figure are.
func (p *Prepared) precision() {
	p.decimals = -1
	if p.figure == nil || !p.figure.Value.OK {
		return
	}
	n := decimals(p.figure.SourceText)
	if n < 0 || n > 30 {
		return
	}
	if step, _, err := evidence.ToBase(lastDigit(n), p.figure.SourceUnit); err == nil {
		p.decimals, p.step = n, step
	}
}

// self reports whether both sides are one arm: one run, or runs of one campaign in which
// nothing that describes the arm, its card or its environment is known to differ and one
// thing at least identifies it.
func (p *pair) self() bool {
	if p.a.run == p.b.run || p.a.run.ID == p.b.run.ID && p.a.run.ID != "" {
		return true
	}
	if p.a.run.Campaign != p.b.run.Campaign || p.a.run.Arm != p.b.run.Arm {
		return false
	}
	named := false
	for w := range identitySet {
		for word := (p.a.known[w] | p.b.known[w]) & identitySet[w]; word != 0; word &= word - 1 {
			ix := w<<6 + trailing(word)
			a, b := p.a.get(ix), p.b.get(ix)
			if a == nil || b == nil || !equalCells(a, b, 0) {
				return false
			}
			named = true
		}
	}
	return named
}

func decideReasoning(p *pair, r *Rule) {
	if !p.is(ofReasoning) || !(p.a.reasoning() || p.b.reasoning()) || p.kind&speech != 0 {
		return
	}
	a, b := p.a.mean, p.b.mean
	if a.known && b.known && relativeDifference(a.tokens, b.tokens) > 0.25 {
		p.add(r, unknown, noKey, sayLengths("with reasoning on, mean outputs differ by more than 25 %"))
		return
	}
	p.add(r, caution, noKey, sayLengths("with reasoning on the figure follows its length"))
}

// reasoning reports whether a run thinks before it answers.
func (p *Prepared) reasoning() bool {
	switch p.text(ixThinking) {
	case "enabled":
		return true
	case "disabled":
		return false
	}
	switch p.text(ixEffort) {
	case "", "unset", "none":
		return false
	}
	return true
}

func decideColdRow(p *pair, r *Rule) {
	if !p.is(ofLatency) {
		return
	}
	for _, s := range []*Prepared{p.a, p.b} {
		if t, ok := s.extraText(extraFirstRatio); ok {
			if f, err := strconv.ParseFloat(t, 64); err == nil && f > 1.5 {
				p.tell(r, caution, noKey, "the first request took over one and a half times the median of the others")
			}
		}
	}
}

func statusWord(s evidence.RunStatus) string {
	switch s {
	case evidence.RunFailed:
		return "failed"
	case evidence.NotRun:
		return "not run"
	default:
		return "of a status we do not know"
	}
}
