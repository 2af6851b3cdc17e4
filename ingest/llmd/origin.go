package llmd

import (
	"slices"

	"assay/ingest/lift"
	"assay/store/evidence"
)

// meanings are the definitions that may stand behind a name of the schema.
var meanings = map[string][]evidence.MetricID{
	"time_to_first_token":              {evidence.TTFO, evidence.TTFT, evidence.TTFC, evidence.TTFOFromDue},
	"time_per_output_token":            {evidence.TPOT, evidence.TPOTInclusive, evidence.TPOTAllTokens},
	"inter_token_latency":              {evidence.ITLToken, evidence.ITLChunk, evidence.TPOTWeighted},
	"normalized_time_per_output_token": {evidence.E2EPerToken},
	"request_latency":                  {evidence.E2E, evidence.E2EFromDue},
}

// methods are the ways of taking percentiles that a report may name.
var methods = []evidence.Method{evidence.NearestRank, evidence.Linear, evidence.RoundedIndex, evidence.FloorIndex}

// origin reads what a report says that this archive's own export wrote: the definition
// behind each slot, which the schema has no word for, and the evidence that it repeats.
// A definition that the slot cannot have is refused, and the figures with it.
func (r *report) origin(native lift.Obj) bool {
	o := native.Path("config", "assay")
	definitions := o.Get("definitions")
	digest, err := evidence.ParseDigest(o.Get("artifact").Str())
	if err != nil || !definitions.There() && !o.Get("facts").There() {
		return false
	}
	r.tool = tool{name: "assay", e2e: evidence.E2E, method: evidence.Method(o.Get("percentile_method").Str()), gapsAreNotCounts: true}
	if !slices.Contains(methods, r.tool.method) {
		r.tool.method = ""
	}
	for name, dst := range map[string]*evidence.MetricID{"time_to_first_token": &r.tool.ttft, "time_per_output_token": &r.tool.tpot,
		"inter_token_latency": &r.tool.itl, "request_latency": &r.tool.e2e} {
		said := definitions.Path(name, "metric")
		switch metric := evidence.MetricID(said.Str()); {
		case slices.Contains(meanings[name], metric):
			*dst = metric
		case said.There():
			r.b.Find(evidence.Warning, "definition-unknown", said, "%s cannot be %s: its figures are listed and not lifted", name, said.Show())
			*dst = ""
		}
	}
	r.b.Doc.References = append(r.b.Doc.References, evidence.Reference{Name: lift.Clip(o.Get("run").Str()), SHA256: evidence.Some(digest), Kind: "evidence", Place: o.Get("artifact").Place()})
	r.b.Find(evidence.Info, lift.CodeRestates, o.Get("artifact"), "the report was exported from the artifact %s: where both are taken in, every figure stands twice", digest.Short())
	return true
}
