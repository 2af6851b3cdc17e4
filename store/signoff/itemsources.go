package signoff

// SourcedItem is an item with what it was made of.
type SourcedItem struct {
	Item
	Gate    *GateResult // of an item of that kind
	Sources []Source
}

// SourcedItems are the items of the ground with the places that they speak of.
func (g *Ground) SourcedItems() []SourcedItem {
	out := []SourcedItem{}
	at := map[string]int{}
	for _, i := range g.Items() {
		at[string(i.Kind)+"\x00"+i.Text] = len(out)
		out = append(out, SourcedItem{Item: i})
	}
	add := func(kind ItemKind, text string, sources ...Source) *SourcedItem {
		n, ok := at[string(kind)+"\x00"+clean(text)]
		if !ok {
			return &SourcedItem{}
		}
		out[n].Sources = append(out[n].Sources, sources...)
		return &out[n]
	}
	for i := range g.Gates {
		add(ItemGate, g.Gates[i].line(), g.Gates[i].Sources...).Gate = &g.Gates[i]
	}
	for i := range g.Limitations {
		add(ItemLimitation, g.Limitations[i].Text, g.Limitations[i].Source)
	}
	for i := range g.Failures {
		add(ItemFailure, g.Failures[i].Text, g.Failures[i].Source)
	}
	for i := range g.Contradictions {
		x := &g.Contradictions[i]
		add(ItemContradiction, x.Says, x.Here, x.There)
	}
	return out
}
