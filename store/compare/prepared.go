package compare

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"assay/store/evidence"
)

// maxKeys bounds the registry of fact keys, so that a set of keys is a few words.
const maxKeys = 256

// keySet is a set of registered keys by their place in the registry.
type keySet [maxKeys / 64]uint64

func (s *keySet) add(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s *keySet) has(i int) bool { return s[i>>6]&(1<<(i&63)) != 0 }

// each calls f with the members in registry order.
func (s *keySet) each(f func(i int)) {
	for w, word := range s {
		for word != 0 {
			f(w<<6 + bits.TrailingZeros64(word))
			word &= word - 1
		}
	}
}

var keyIndex = func() map[evidence.FactKey]int {
	if len(evidence.Keys) > maxKeys {
		panic("compare: more fact keys than a key set holds")
	}
	m := make(map[evidence.FactKey]int, len(evidence.Keys))
	for i, k := range evidence.Keys {
		m[k.Key] = i
	}
	return m
}()

// cell is one known fact in the form it is compared in.
type cell struct {
	text    string // canonical
	num     float64
	numeric bool
	fact    int32 // place in RunRow.Facts
}

// extraCell is a fact whose key is not in the registry.
type extraCell struct {
	key   evidence.FactKey
	known bool
	cell
}

// Prepared is a run made ready to be judged for one metric: its facts by place in the
// registry, in the form they are compared in.
type Prepared struct {
	run    *evidence.RunRow
	at     [maxKeys]uint8 // place in cells plus one; 0 where not known
	cells  []cell
	known  keySet
	doubt  keySet // recorded in conflict
	byName keySet // taken from a recipe that serves the same name, which is no identity
	extra  []extraCell
	shared []string // statements that the run stands under, sorted

	kind     workKind
	writer   writer
	need     int64                    // observations that the statistic of the figure needs
	figure   *evidence.MeasurementRow // nil: not there
	mean     length
	share    float64 // of requests at the cap; NaN when not known
	card     card
	forced   mode
	decimals int     // of the figure's digits, -1 where it has none
	step     float64 // the last digit in base units
	failing  bool    // counted as failed although answered, or the run's checks failed
}

// length is the mean output of a run.
type length struct {
	tokens         float64
	known, derived bool
	chunks         bool
}

// mode is how requests ended.
type mode uint8

const (
	modeUnknown mode = iota
	modeNatural
	modeForced
)

// prepare compiles a run for a question. The run must not change afterwards.
func prepare(r *evidence.RunRow, q *query) *Prepared {
	p := &Prepared{run: r, kind: kindOf(r), writer: writerOf(r.Family), share: math.NaN()}
	p.cells = make([]cell, 0, len(r.Facts))
	for i := range r.Facts {
		p.fact(i, &r.Facts[i])
	}
	slices.SortFunc(p.extra, func(a, b extraCell) int { return strings.Compare(string(a.key), string(b.key)) })
	slices.Sort(p.shared)
	p.shared = slices.Compact(p.shared)
	if p.figure = findFigure(r, q.metric.ID, q.Stat); p.figure != nil {
		p.need = enough(p.figure.Stat)
	}
	p.perReplica()
	p.writerFacts()
	p.hardware()
	p.lengths()
	p.precision()
	return p
}

// fact takes one fact in. The first of a key counts: a run's own comes before its arm's.
func (p *Prepared) fact(i int, f *evidence.FactRow) {
	if statement, ok := statementOf(p.run, f); ok {
		p.shared = append(p.shared, statement)
	}
	index, registered := keyIndex[f.Key]
	known := f.State != evidence.Absent && f.State != evidence.Conflict && f.Value != ""
	c := cell{fact: int32(i)}
	if known {
		c.text = canonical(f.Key, f.Means())
		c.num, c.numeric = numberOf(c.text)
		known = c.text != ""
	}
	switch {
	case !registered:
		p.extra = append(p.extra, extraCell{key: f.Key, known: known, cell: c})
	case p.known.has(index) || p.doubt.has(index):
	case f.State == evidence.Conflict:
		p.doubt.add(index)
	case known:
		p.put(index, c)
		if f.Rule == ruleByName {
			p.byName.add(index)
		}
	}
}

// ruleByName marks facts that a run has because a recipe serves the name that it asked.
const ruleByName = "recipe/served-name"

func (p *Prepared) put(index int, c cell) {
	if len(p.cells) == maxKeys-1 {
		return
	}
	p.cells = append(p.cells, c)
	p.at[index] = uint8(len(p.cells))
	p.known.add(index)
}

// get is the known fact of a key, nil when it is not known.
func (p *Prepared) get(index int) *cell {
	if n := p.at[index]; n > 0 {
		return &p.cells[n-1]
	}
	return nil
}

func (p *Prepared) text(index int) string {
	if c := p.get(index); c != nil {
		return c.text
	}
	return ""
}

func (p *Prepared) number(index int) (float64, bool) {
	if c := p.get(index); c != nil && c.numeric {
		return c.num, true
	}
	return 0, false
}

// extraText is the value of a key that the registry does not have.
func (p *Prepared) extraText(k evidence.FactKey) (string, bool) {
	for i := range p.extra {
		if p.extra[i].key == k && p.extra[i].known {
			return p.extra[i].text, true
		}
	}
	return "", false
}

// derived puts a fact that a rule of this package derives where the artifact has none.
func (p *Prepared) derived(index int, text string) {
	if p.known.has(index) || p.doubt.has(index) {
		return
	}
	c := cell{text: text, fact: -1}
	c.num, c.numeric = numberOf(text)
	p.put(index, c)
}

// numberOf reads a canonical value as a number.
func numberOf(s string) (float64, bool) {
	if s == "" || s[0] > '9' && s[0] != 'i' && s[0] != 'I' || len(s) > 40 {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil && !math.IsNaN(f)
}

// perReplica is the load of one replica where only the load of all is known.
func (p *Prepared) perReplica() {
	if p.known.has(ixConcurrency) || p.doubt.has(ixConcurrency) {
		return
	}
	all, ok1 := p.number(ixConcurrencyAll)
	replicas, ok2 := p.number(ixReplicas)
	if ok1 && ok2 && replicas >= 1 && math.Mod(all, replicas) == 0 {
		p.derived(ixConcurrency, evidence.FormatDecimal(all/replicas))
	}
}

// writerFacts are facts that follow from who wrote the artifact.
func (p *Prepared) writerFacts() {
	if p.writer.local && p.run.Status != evidence.External {
		p.derived(ixScope, "local")
	}
	if p.writer.external {
		p.derived(ixScope, "external")
	}
	if p.writer.harness {
		p.derived(ixAggregation, "run")
	}
}

// hardware reads the card. What a product has by itself, memory and architecture, is
// known with it.
func (p *Prepared) hardware() {
	c := p.get(ixGPUProduct)
	if c == nil {
		return
	}
	f := &p.run.Facts[c.fact]
	if f.Meaning != "" {
		p.card = parseCard(f.Meaning)
		if p.card.product == "" {
			p.card.product = strings.ToLower(f.Meaning)
		}
	} else {
		p.card = parseCard(f.Value)
	}
	if p.card.product == "" { // a word that stands for "not known"
		p.known[ixGPUProduct>>6] &^= 1 << (ixGPUProduct & 63)
		p.at[ixGPUProduct] = 0
		return
	}
	c.text, c.numeric = p.card.key(), false
	if p.card.memory > 0 {
		p.derived(ixGPUMemory, evidence.FormatDecimal(p.card.memory))
	}
	if p.card.arch != "" {
		p.derived(ixGPUArch, p.card.arch)
	}
	if p.card.cards > 0 {
		p.derived(ixGPUCount, strconv.Itoa(p.card.cards))
	}
}

// lengths reads the mean output, the share at the cap and what follows from them.
func (p *Prepared) lengths() {
	p.mean.tokens, p.mean.derived, p.mean.known = MeanOutput(p.run)
	p.mean.chunks = p.text(ixCounting) == "chunks"
	if s, ok := p.number(ixShareAtCap); ok {
		p.share = s
	}
	requests, counted := p.number(ixRequests)
	switch m := p.text(ixCompletionMode); {
	case m == "forced":
		p.forced = modeForced
	case m != "":
		p.forced = modeNatural
	case p.doubt.has(ixCompletionMode), math.IsNaN(p.share):
	case p.share >= 1 && counted && requests >= 10:
		p.forced = modeForced
	default:
		p.forced = modeNatural
	}
	failed, ok := p.number(ixFailed)
	passed, ok2 := p.number(ixItemsPassed)
	items, ok3 := p.number(ixItems)
	p.failing = ok && failed > 0 || ok2 && ok3 && passed < items
}

// findFigure is the run's own figure of a metric: in the statistic asked for, or the
// one observation where a statistic over several was asked for. Without a statistic the
// first that the run has counts, in the order of preference.
func findFigure(r *evidence.RunRow, m evidence.MetricID, s evidence.Stat) *evidence.MeasurementRow {
	var best *evidence.MeasurementRow
	rank := len(preferred) + 2
	for i := range r.Measurements {
		x := &r.Measurements[i]
		if x.Role != evidence.Primary || x.Metric != m {
			continue
		}
		n := len(preferred) + 1
		switch {
		case x.Stat == s:
			n = -1
		case s == "":
			if k := slices.Index(preferred, x.Stat); k >= 0 {
				n = k
			}
		case x.Stat == evidence.Single && ofMany(s):
			n = 0
		default:
			continue
		}
		if n < rank {
			best, rank = x, n
		}
	}
	return best
}

// preferred is the order of statistics where none was asked for.
var preferred = []evidence.Stat{evidence.P50, evidence.Total, evidence.Mean, evidence.Single, evidence.P95, evidence.P99, evidence.Max, evidence.Min}

// statementOf is the statement that a shape or protocol fact was read from, when other
// runs may stand under it as well.
func statementOf(r *evidence.RunRow, f *evidence.FactRow) (string, bool) {
	c := evidence.LookupKey(f.Key).Class
	if c != evidence.Shape && c != evidence.Protocol || f.State == evidence.Conflict {
		return "", false
	}
	if strings.HasPrefix(f.Rule, "prose/") || f.Rule == matchedRule {
		return string(f.Place.Pointer), true
	}
	// A block of the document gives its load to every run under it.
	block := f.Place.Pointer.Parent()
	if loadKeys[f.Key] && (f.Run == "" && f.State != evidence.Declared || f.State == evidence.Recorded && holds(block, f, r)) {
		return string(block), true
	}
	return "", false
}

// holds reports whether a block holds a run, and the fact stands in the block beside the
// run and not in the run's own part.
func holds(block evidence.Pointer, f *evidence.FactRow, r *evidence.RunRow) bool {
	at := r.Place.Pointer
	return f.Artifact == r.Artifact && at != block && at.Under(block) && !f.Place.Pointer.Under(at)
}

// loadKeys are the shape facts that make a block a statement of the workload.
var loadKeys = map[evidence.FactKey]bool{
	evidence.KeyConcurrency: true, evidence.KeyRequests: true, evidence.KeyContextTarget: true,
	evidence.KeyOutputCap: true, evidence.KeyPromptTokens: true, evidence.KeyRequestRate: true,
}

// oneStatement reports whether two runs stand under the same statement.
func oneStatement(a, b *Prepared) bool {
	if len(a.shared) == 0 || len(b.shared) == 0 || a.run.Artifact != b.run.Artifact {
		return false
	}
	for i, j := 0, 0; i < len(a.shared) && j < len(b.shared); {
		switch {
		case a.shared[i] == b.shared[j]:
			return true
		case a.shared[i] < b.shared[j]:
			i++
		default:
			j++
		}
	}
	return false
}
