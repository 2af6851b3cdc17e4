package lift

import (
	"math"
	"net"
	"net/url"
	"strings"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Path derives how requests reached the engine. Only two things say so: a list of served
// models with several aliases is a router's, and a loopback address with one served
// model is the engine itself. Ports and host names say nothing, so another host leaves
// the path unknown.
func (d *Doc) Path(facts *[]evidence.Fact, base, servedModels Val) {
	d.expectText(base)
	names := 0
	for _, m := range servedModels.Items() {
		if m.Str() != "" {
			names++
		}
	}
	switch {
	case names > 1:
		d.Derive(facts, evidence.KeyPath, "routed", "several-served-models", servedModels)
	case base.Str() != "" && loopback(base.Str()):
		d.Derive(facts, evidence.KeyPath, "direct", "loopback-one-model", base)
	}
}

func loopback(base string) bool {
	u, err := url.Parse(base)
	if err != nil || len(base) > maxText {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

func (d *Doc) expectText(v Val) {
	if v.OK() && !v.Is(jsondoc.String) && !v.Is(jsondoc.Null) {
		d.Find(evidence.Warning, CodeNotText, v, "a text was expected, not %s", kindName(v))
	}
}

// EffortUnset is the thinking effort of a request that asks for none.
const EffortUnset = "unset"

// Thinking puts mode and effort by meaning. noThinking is the older flag, which only
// ever switches thinking off; the zero Val where the family has none.
func (d *Doc) Thinking(facts *[]evidence.Fact, mode, effort, noThinking Val) {
	off, _ := noThinking.True()
	if noThinking.OK() && !noThinking.Is(jsondoc.Bool) {
		d.Find(evidence.Warning, CodeNotText, noThinking, "a flag was expected, not %s", kindName(noThinking))
	}
	d.Words(facts, evidence.KeyThinking, mode)
	if off {
		d.Named(facts, evidence.KeyThinking, "disabled", noThinking)
	}
	switch {
	case effort.Is(jsondoc.String):
		d.Fact(facts, evidence.KeyThinkingEffort, effort)
	case effort.Is(jsondoc.Null):
		d.Named(facts, evidence.KeyThinkingEffort, EffortUnset, effort)
	case !effort.OK() && (mode.OK() || noThinking.OK()):
		d.Derive(facts, evidence.KeyThinkingEffort, EffortUnset, "absent-is-unset", effort)
	case effort.OK():
		d.expectText(effort)
	}
}

// Usage is what an API says of the tokens of one request, in either dialect.
type Usage struct {
	Prompt, Completion, Cached evidence.Opt[int64]
	PromptVal, CompletionVal   Val
	CachedVal                  Val
}

// ReadUsage reads a usage block: prompt_tokens and completion_tokens, or input_tokens
// and output_tokens. The total is held against its parts.
func (d *Doc) ReadUsage(v Val) Usage {
	if !v.OK() || v.Is(jsondoc.Null) {
		return Usage{}
	}
	if !v.Is(jsondoc.Object) {
		d.Find(evidence.Warning, CodeNotText, v, "usage: a block was expected, not %s", kindName(v))
		return Usage{}
	}
	for _, part := range []string{"prompt_tokens_details", "completion_tokens_details", "input_tokens_details", "output_tokens_details"} {
		d.Block(v.Get(part))
	}
	u := Usage{PromptVal: v.Get("prompt_tokens"), CompletionVal: v.Get("completion_tokens"),
		CachedVal: v.Path("prompt_tokens_details", "cached_tokens")}
	if !u.PromptVal.OK() && !u.CompletionVal.OK() {
		u.PromptVal, u.CompletionVal = v.Get("input_tokens"), v.Get("output_tokens")
		u.CachedVal = v.Path("input_tokens_details", "cached_tokens")
		d.Expect(v, "input_tokens", "output_tokens")
	} else {
		d.Expect(v, "prompt_tokens", "completion_tokens")
	}
	u.Prompt, u.Completion = d.count(u.PromptVal), d.count(u.CompletionVal)
	u.Cached = d.count(u.CachedVal)
	if total := v.Get("total_tokens"); total.OK() {
		n, ok := d.PeekInt(total)
		if ok && u.Prompt.OK && u.Completion.OK && n != u.Prompt.V+u.Completion.V {
			d.Find(evidence.Warning, CodeRow, total, "%d tokens in all, but %d of the prompt and %d of the completion", n, u.Prompt.V, u.Completion.V)
		}
	}
	if u.Cached.OK && u.Prompt.OK && u.Cached.V > u.Prompt.V {
		d.Find(evidence.Warning, CodeRow, u.CachedVal, "%d cached of %d prompt tokens", u.Cached.V, u.Prompt.V)
		u.Cached = evidence.None[int64]()
	}
	return u
}

// count is OptInt that is silent about null.
func (d *Doc) count(v Val) evidence.Opt[int64] {
	if !v.OK() || v.Is(jsondoc.Null) {
		return evidence.None[int64]()
	}
	return d.OptInt(v)
}

// PeekInt reads a count without taking it: the closing pass lists it with its reason. A
// number that is no count is reported.
func (d *Doc) PeekInt(v Val) (int64, bool) {
	if !v.Is(jsondoc.Number) {
		return 0, false
	}
	f, err := evidence.ParseDecimal(v.N.Text)
	if err != nil || f < 0 || f != math.Trunc(f) || f > 1<<53 {
		if !d.odd[v.N] {
			d.odd[v.N] = true
			d.Find(evidence.Warning, CodeNotInteger, v, "%s is no count", clip(v.N.Text))
		}
		return 0, false
	}
	return int64(f), true
}

// List, Block and Count report a member of another kind.
func (d *Doc) List(v Val) Val { return d.kind(v, jsondoc.Array, "a list") }

// Block is a member that must be an object.
func (d *Doc) Block(v Val) Val { return d.kind(v, jsondoc.Object, "a block") }

func (d *Doc) kind(v Val, k jsondoc.Kind, what string) Val {
	if v.OK() && !v.Is(k) && !v.Is(jsondoc.Null) {
		d.Find(evidence.Warning, CodeNotText, v, "%s was expected, not %s", what, kindName(v))
	}
	return v
}

// Count puts a member that must be a whole number as a fact.
func (d *Doc) Count(facts *[]evidence.Fact, k evidence.FactKey, v Val) (int64, bool) {
	if !v.OK() || v.Is(jsondoc.Null) {
		return 0, d.Fact(facts, k, v)
	}
	n, ok := d.Int(v)
	return n, ok && d.Fact(facts, k, v)
}

// PeekNumber reads a number in a unit without taking it and without a finding.
func PeekNumber(v Val, unit string) (float64, bool) {
	if !v.Is(jsondoc.Number) {
		return 0, false
	}
	f, _, err := evidence.ToBase(v.N.Text, unit)
	return f, err == nil
}

// Fraction is cached over prompt tokens as a fact value.
func Fraction(num, den int64) string {
	if den <= 0 {
		return ""
	}
	return evidence.FormatDecimal(float64(num) / float64(den))
}

// Stamp reads the time in an id such as "benchmark-20260711T074909Z" as RFC 3339 and the
// byte range it stands at; "" when there is none.
func Stamp(id string) (at string, start, end int) {
	const layout = "00000000T000000Z"
	for i := 0; i+len(layout) <= len(id); i++ {
		if matches(id[i:i+len(layout)], layout) {
			s := id[i:]
			return s[:4] + "-" + s[4:6] + "-" + s[6:8] + "T" + s[9:11] + ":" + s[11:13] + ":" + s[13:15] + "Z", i, i + len(layout)
		}
	}
	return "", 0, 0
}

func matches(s, layout string) bool {
	for i := range len(layout) {
		digit := s[i] >= '0' && s[i] <= '9'
		if layout[i] == '0' && !digit || layout[i] != '0' && s[i] != layout[i] {
			return false
		}
	}
	return true
}

// Observe sets when the document was observed: a time of its own, else the time in its
// run id.
func (d *Doc) Observe(started, runID Val) {
	d.Words(&d.Facts, evidence.KeyRunLabel, runID)
	at, start, end := Stamp(cut(runID.Str(), 200))
	if d.Words(&d.Facts, evidence.KeyObserved, started) {
		d.Campaign.Observed, d.Campaign.Place = started.Str(), started.place()
		return
	}
	if at != "" {
		place := evidence.InText(runID.P, start, end)
		d.Campaign.Observed, d.Campaign.Place = at, place
		d.Put(&d.Facts, evidence.Fact{Key: evidence.KeyObserved, Value: at, State: evidence.Derived, Place: place,
			SourceText: runID.Str()[start:end], Rule: "time-in-id"})
	}
}

// longContext is the context from which a workload is a long-context one.
const longContext = 1 << 16

// LoadClass tells the workload class by requested context and load: from 65,536 tokens
// on it is long-context; of the rest, one request at a time is short capacity and several
// at once are aggregate throughput. "" when the load is not known.
func LoadClass(context, concurrency evidence.Opt[int64]) string {
	switch {
	case context.OK && context.V >= longContext:
		return evidence.ClassLong
	case !concurrency.OK:
		return ""
	case concurrency.V > 1:
		return evidence.ClassAggregate
	}
	return evidence.ClassShort
}

// Clip bounds a text to what lists and gates show.
func Clip(s string) string { return cut(s, 300) }

// Switch holds the flag that is sent to the chat template against the thinking mode.
func (d *Doc) Switch(thinking Val) { d.SwitchOf(thinking, thinking.Get("mode").Str()) }

// SwitchOf is Switch for a block whose mode stands elsewhere.
func (d *Doc) SwitchOf(thinking Val, mode string) {
	kwargs := d.Block(thinking.Get("chat_template_kwargs"))
	d.Expect(kwargs, "enable_thinking")
	flag := kwargs.Get("enable_thinking")
	on, known := flag.True()
	if !known {
		if flag.OK() && !flag.Is(jsondoc.Null) {
			d.Find(evidence.Warning, CodeNotText, flag, "a flag was expected, not %s", kindName(flag))
		}
		return
	}
	if mode == "enabled" && !on || mode == "disabled" && on {
		d.Find(evidence.Warning, CodeDiffers, flag, "thinking is %s, the template is told %v", mode, on)
	}
}

// Media keeps a media file as a reference by digest.
func (d *Doc) Media(name string, v Val) {
	if !v.Is(jsondoc.Object) {
		return
	}
	d.Expect(v, "bytes", "mime", "sha256")
	digest := v.Get("sha256")
	sum, err := evidence.ParseDigest(strings.TrimPrefix(digest.Str(), "sha256:"))
	if err != nil {
		if digest.OK() {
			d.Find(evidence.Warning, CodeNotText, digest, "no SHA-256")
		}
		return
	}
	if s := v.Get("path").Str(); s != "" {
		name = s
	} else if s := v.Get("mime").Str(); s != "" {
		name += " (" + s + ")"
	}
	d.PeekInt(v.Get("bytes"))
	d.References = append(d.References, evidence.Reference{Name: clip(name), SHA256: evidence.Some(sum), Kind: "media", Place: digest.place()})
}

// Image puts a container image; a digest behind its name is a fact of its own.
func (d *Doc) Image(facts *[]evidence.Fact, v Val) {
	s := v.Str()
	i := strings.LastIndex(s, "@sha256:")
	if i <= 0 || len(s) > maxText {
		d.Words(facts, evidence.KeyImage, v)
		return
	}
	for _, part := range []struct {
		k          evidence.FactKey
		start, end int
	}{{evidence.KeyImage, 0, i}, {evidence.KeyImageDigest, i + 1, len(s)}} {
		text := s[part.start:part.end]
		d.Put(facts, evidence.Fact{Key: part.k, Value: text, State: evidence.Derived, Rule: "name@digest",
			Place: evidence.InText(v.P, part.start, part.end), SourceText: text})
	}
}
