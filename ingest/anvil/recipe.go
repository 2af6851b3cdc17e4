package anvil

import (
	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// recipeKeys are the members of a runtime block.
var recipeKeys = map[string]evidence.FactKey{
	"engine": evidence.KeyEngine, "engine_version": evidence.KeyEngineVersion, "engine_revision": evidence.KeyEngineRevision,
	"driver": evidence.KeyDriver, "max_num_seqs": evidence.KeyMaxSequences, "max_num_batched_tokens": evidence.KeyBatchedTokens,
	"gpu_memory_utilization": evidence.KeyMemoryFraction, "chunked_prefill_tokens": evidence.KeyChunkTokens,
	"max_model_len": evidence.KeyServedContext, "served_model": evidence.KeyServedModel, "draft_model": evidence.KeyDraftModel,
}

// recipe reads the runtime block, which holds for every row.
func (b *builder) recipe() {
	block, p := b.get("runtime")
	if !block.Is(jsondoc.Object) {
		b.find(evidence.Warning, CodeMissing, p, block, "no runtime block: engine and settings are not recorded")
		return
	}
	for i, name := range block.Names {
		n, q := block.Children[i], p.Key(name)
		switch name {
		case "image":
			b.runtime(&b.doc.Facts, q, n)
		case "kv_cache_dtype", "kv_cache":
			b.recordLower(&b.doc.Facts, evidence.KeyKVDtype, q, n)
		case "quantization":
			b.recordLower(&b.doc.Facts, evidence.KeyQuantisation, q, n)
		case "thinking":
			b.thinking(q, n)
			if n.Kind == jsondoc.String {
				b.note(evidence.Statement, "thinking", q, n.Text)
			}
		case "prefix_cache":
			b.prefixCache(q, n)
		default:
			if key, ok := recipeKeys[name]; ok {
				b.record(&b.doc.Facts, key, q, n)
			} else if n.Kind == jsondoc.String {
				b.note(evidence.Statement, joinPath("runtime", name), q, n.Text)
			}
		}
	}
}

// prefixCache reads the switch. With the cache off no prompt token can have been cached.
func (b *builder) prefixCache(p evidence.Pointer, n *jsondoc.Node) {
	b.record(&b.doc.Facts, evidence.KeyPrefixCache, p, n)
	if n.Kind == jsondoc.Bool && n.Text == "false" {
		b.put(&b.doc.Facts, evidence.Fact{Key: evidence.KeyCachedFraction, Value: "0", State: evidence.Derived, Rule: ruleCacheOff,
			Place: evidence.At(p), SourceText: n.Text})
	}
}

// topologies reads how many cards an arm uses, by its TP, from the sentences about
// topologies: "TP=1, one copy per card", "TP=4 takes all cards".
func (m *matrixReader) topologies() {
	hardware, p := m.get("hardware")
	list, q := hardware.Get("topologies"), p.Key("topologies")
	if !list.Is(jsondoc.Array) {
		return
	}
	m.cards = map[string]evidence.Fact{}
	for i, n := range list.Children {
		if !sentence(n) {
			continue
		}
		cards, at, ok := prose.CardsOf(n.Text, valueIn(m.doc.Facts, evidence.KeyHostGPUs))
		for _, s := range prose.Config(n.Text) {
			if s.Key == evidence.KeyTP && ok {
				m.cards[s.Value] = evidence.Fact{Key: evidence.KeyGPUCount, Value: cards, State: evidence.Derived, Rule: prose.RuleConfig,
					Place: evidence.InText(q.Index(i), at.Start, at.End), SourceText: at.Text(n.Text)}
			}
		}
	}
}
