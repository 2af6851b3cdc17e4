package anvil

import (
	"fmt"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// identity is one member of an identity block that belongs to the arms whose profile
// names it: "aurora_target" is the checkpoint of the arms that say Aurora.
type identity struct {
	words []string // "aurora"
	role  string   // "target", "draft", "runtime", "revision", "version"
	name  string   // the words joined, as the checkpoint's name
	p     evidence.Pointer
	node  *jsondoc.Node
}

// roles are the endings of identity members, longest first.
var roles = []struct{ ending, role string }{
	{"_source_revision", "revision"}, {"_engine_revision", "revision"}, {"_revision", "revision"}, {"_commit", "revision"},
	{"_version", "version"}, {"_target_model", "target"}, {"_target", "target"}, {"_checkpoint", "target"}, {"_model", "target"},
	{"_draft_model", "draft"}, {"_draft", "draft"}, {"_drafter", "draft"}, {"_runtime", "runtime"}, {"_image", "runtime"}, {"_container", "runtime"},
}

// plainIdentity are members that hold for every arm of the document.
var plainIdentity = map[string]evidence.FactKey{
	"artifact": evidence.KeyModelArtifact, "artifact_sha256": evidence.KeyModelDigest, "served_model": evidence.KeyServedModel,
	"served_name": evidence.KeyServedModel, "interconnect": evidence.KeyInterconnect, "driver": evidence.KeyDriver,
	"engine": evidence.KeyEngine, "engine_version": evidence.KeyEngineVersion, "engine_revision": evidence.KeyEngineRevision,
	"model_revision": evidence.KeyModelRevision, "quantization": evidence.KeyQuantisation, "draft_model": evidence.KeyDraftModel,
}

// maxIdentities bounds the identities that profiles are searched for.
const maxIdentities = 64

// readIdentity reads an identity block: facts of the document, and members that wait
// for the arms that name them.
func (b *builder) readIdentity() []identity {
	block, p := b.get("identity")
	if !block.Is(jsondoc.Object) {
		b.find(evidence.Warning, CodeMissing, p, block, "no identity block: what was under test is not recorded")
		return nil
	}
	var waiting []identity
	for i, name := range block.Names {
		n, q := block.Children[i], p.Key(name)
		if key, ok := plainIdentity[name]; ok {
			b.record(&b.doc.Facts, key, q, n)
			continue
		}
		switch name {
		case "model", "target", "checkpoint":
			b.model(&b.doc.Facts, q, n)
			continue
		case "runtime", "image":
			b.runtime(&b.doc.Facts, q, n)
			continue
		case "hardware":
			b.hardware(q, n)
			continue
		}
		if id, ok := roleOf(name); ok && n.Is(jsondoc.String) && len(waiting) < maxIdentities {
			id.p, id.node = q, n
			waiting = append(waiting, id)
		}
	}
	return waiting
}

func roleOf(name string) (identity, bool) {
	for _, r := range roles {
		if head, ok := strings.CutSuffix(strings.ToLower(name), r.ending); ok && head != "" {
			return identity{words: strings.Split(head, "_"), role: r.role, name: head}, true
		}
	}
	return identity{}, false
}

// split parts "repo@revision" at its last at sign.
func split(s string) (repo, revision string, at int) {
	if i := strings.LastIndexByte(s, '@'); i > 0 && i+1 < len(s) {
		return s[:i], s[i+1:], i
	}
	return s, "", -1
}

func (b *builder) part(k evidence.FactKey, p evidence.Pointer, text string, start, end int) evidence.Fact {
	return evidence.Fact{Key: k, Value: text[start:end], State: evidence.Derived, Rule: ruleRevision,
		Place: evidence.InText(p, start, end), SourceText: text[start:end]}
}

// model reads "repo@revision".
func (b *builder) model(facts *[]evidence.Fact, p evidence.Pointer, n *jsondoc.Node) {
	b.repo(facts, p, n, evidence.KeyModel, evidence.KeyModelRevision)
}

// repo puts the two parts of "repo@revision"; a text without a revision is the name.
func (b *builder) repo(facts *[]evidence.Fact, p evidence.Pointer, n *jsondoc.Node, name, revision evidence.FactKey) {
	if !n.Is(jsondoc.String) || n.Text == "" {
		b.record(facts, name, p, n)
		return
	}
	_, rev, at := split(n.Text)
	if at < 0 {
		b.record(facts, name, p, n)
		return
	}
	b.put(facts, b.part(name, p, n.Text, 0, at))
	if revision != "" {
		b.put(facts, b.part(revision, p, n.Text, at+1, at+1+len(rev)))
	}
}

// runtime reads an image with its digest, or an engine repository with its revision.
func (b *builder) runtime(facts *[]evidence.Fact, p evidence.Pointer, n *jsondoc.Node) {
	if !n.Is(jsondoc.String) {
		b.record(facts, evidence.KeyImage, p, n)
		return
	}
	_, rev, at := split(n.Text)
	if at > 0 && !strings.HasPrefix(rev, "sha256:") {
		b.repo(facts, p, n, evidence.KeyEngine, evidence.KeyEngineRevision)
		return
	}
	b.repo(facts, p, n, evidence.KeyImage, evidence.KeyImageDigest)
}

// hardware reads a sentence or a block about the cards.
func (b *builder) hardware(p evidence.Pointer, n *jsondoc.Node) {
	switch {
	case n == nil:
	case sentence(n):
		settings, left := prose.Hardware(n.Text)
		for _, s := range settings {
			b.put(&b.doc.Facts, s.Fact(p, n.Text, prose.RuleHardware))
		}
		for _, c := range left {
			b.unparsed(p, n, c.Text(n.Text))
		}
	case n.Kind == jsondoc.Object:
		b.hardwareBlock(p, n)
	default:
		b.find(evidence.Warning, CodeNotNumber, p, n, fmt.Sprintf("hardware: %s tells no card", kindName(n)))
	}
	// A machine with one card has no other to run on.
	if f := factIn(b.doc.Facts, evidence.KeyHostGPUs); f != nil && f.Value == "1" {
		one := *f
		one.Key, one.State, one.Rule = evidence.KeyGPUCount, evidence.Derived, "only-card"
		b.put(&b.doc.Facts, one)
	}
}

var hardwareKeys = map[string]evidence.FactKey{
	"product": evidence.KeyGPUProduct, "gpu": evidence.KeyGPUProduct, "cards": evidence.KeyHostGPUs, "count": evidence.KeyHostGPUs,
	"gpu_count": evidence.KeyHostGPUs, "interconnect": evidence.KeyInterconnect, "driver": evidence.KeyDriver, "arch": evidence.KeyGPUArch,
	"architecture": evidence.KeyGPUArch,
}

func (b *builder) hardwareBlock(p evidence.Pointer, n *jsondoc.Node) {
	for i, name := range n.Names {
		c, q := n.Children[i], p.Key(name)
		if key, ok := hardwareKeys[name]; ok {
			b.record(&b.doc.Facts, key, q, c)
			continue
		}
		if strings.HasPrefix(name, "vram") || strings.HasPrefix(name, "memory") {
			b.cardMemory(q, name, c)
			continue
		}
		if c.Kind == jsondoc.String {
			b.note(evidence.Statement, joinPath("hardware", name), q, c.Text)
		}
		for k, item := range c.Children {
			if c.Kind == jsondoc.Array && item.Kind == jsondoc.String {
				b.note(evidence.Statement, joinPath("hardware", name), q.Index(k), item.Text)
			}
		}
	}
}

// cardMemory reads vram_gb_each, memory_mib and the like.
func (b *builder) cardMemory(p evidence.Pointer, name string, n *jsondoc.Node) {
	unit := readMember(name).unit
	if _, base, err := evidence.ToBase("1", unit); err != nil || base != evidence.Bytes {
		return // the closing pass lists it
	}
	f, ok := b.figure(p, n, unit)
	if !ok || !f.value.OK {
		return
	}
	b.put(&b.doc.Facts, evidence.Fact{Key: evidence.KeyGPUMemory, Value: evidence.FormatDecimal(f.value.V), State: f.state,
		Rule: f.rule, Place: f.place, SourceText: f.text})
}
