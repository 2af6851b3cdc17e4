package inferencex

import (
	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// Shapes.
const (
	shapeFixed     = "fixed"
	shapeAgentic   = "agentic"
	shapeNested    = "nested"
	shapeCollected = "collected"
	shapeSynthetic = "synthetic"
)

// Reader reads aggregates.
type Reader struct{ lift.Meta }

// Readers are the readers of this package.
func Readers() []Reader {
	return []Reader{{lift.Named("inferencex/aggregate", 2, "inferencex")}}
}

// Match decides by members; the label says nothing.
func (r Reader) Match(_ string, v *jsondoc.Node) (string, bool) {
	s := shapeOf(v)
	return s, s != ""
}

func shapeOf(v *jsondoc.Node) string {
	switch {
	case v.Is(jsondoc.Array) && len(v.Children) > 0:
		for _, c := range v.Children {
			if s := shapeOf(c); s == "" || s == shapeCollected || s == shapeSynthetic {
				return ""
			}
		}
		return shapeCollected
	case lift.Has(v, "num_drafts", "synthetic_acceptance_rates", "speculative_config"):
		return shapeSynthetic
	case v.Get("hw") == nil || v.Get("infmax_model_prefix") == nil && v.Get("model_prefix") == nil:
		return ""
	case v.Get("request_metrics").Is(jsondoc.Object):
		return shapeNested
	case v.Get("tput_per_gpu") == nil:
		return ""
	case v.Get("users") != nil || v.Get("conc") == nil:
		return shapeAgentic
	}
	return shapeFixed
}

// Read lifts a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	b := lift.New(r.Reader, v, root, shapeID)
	top := b.Top()
	switch shapeID {
	case shapeSynthetic:
		synthetic(b, top)
	case shapeCollected:
		b.Protocol("inferencex", evidence.Linear, "")
		top.Items(func(_ int, m lift.Obj) { point(b, m, shapeOf(m.Node)) })
		b.Title("InferenceX, collected")
	default:
		b.Protocol("inferencex", evidence.Linear, "")
		point(b, top, shapeID)
		b.Title("InferenceX · " + top.Get("model").Str())
	}
	return b.Finish()
}

// synthetic records that acceptance was set, not measured.
func synthetic(b *lift.Builder, o lift.Obj) {
	config := o.Get("speculative_config")
	var arm lift.Facts
	config.Get("method").Fact(&arm, evidence.KeySpecMethod)
	config.Get("model").Fact(&arm, evidence.KeyDraftModel)
	config.Get("num_speculative_tokens").Fact(&arm, evidence.KeyDraftDepth)
	b.Find(evidence.Warning, lift.CodeSimulated, o, "the acceptance of speculative decoding was forced to these rates (%s): throughput of runs with them is simulated",
		config.Get("rejection_sample_method").Show())
	config.Skip(evidence.ReasonEcho)
	o.Skip(evidence.ReasonDiagnostic)
	b.Arm(evidence.Arm{Name: "synthetic acceptance", Place: o.Place(), Facts: arm})
	b.Title("InferenceX, synthetic acceptance rates")
}
