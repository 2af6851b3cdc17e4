package view

import (
	"assay/store/evidence"
)

// FactGap is a fact that nobody says of a run, with the form that declares it.
type FactGap struct{ Title, Declare string }

// asked are the facts that comparisons ask for first. A run whose source leaves them out
// is compared with few others.
var asked = []evidence.FactKey{
	evidence.KeyModel, evidence.KeyModelRevision, evidence.KeyEngine, evidence.KeyEngineVersion, evidence.KeyGPUProduct, evidence.KeyGPUCount,
	evidence.KeyTP, evidence.KeyQuantisation, evidence.KeyKVDtype, evidence.KeyPrefixCache, evidence.KeyConcurrency, evidence.KeyRequests,
	evidence.KeyPromptTokens, evidence.KeyOutputCap, evidence.KeyCompletionMode, evidence.KeyThinking, evidence.KeyProtocol,
	evidence.KeyPercentileMethod, evidence.KeyWarmState, evidence.KeyCacheState,
}

// OfferRepairs puts the forms beside what a run does not say, and beside conflicts.
func (v *Run) OfferRepairs(r *evidence.RunRow) {
	target := r.Scope().String()
	for i := range v.Facts {
		for j := range v.Facts[i].Facts {
			f := &v.Facts[i].Facts[j]
			if f.row.State == evidence.Absent || f.row.State == evidence.Conflict {
				f.Declare = DeclareURL(target, f.row.Key)
			}
		}
	}
	for _, k := range asked {
		if _, said := r.Fact(k); !said {
			v.Missing = append(v.Missing, FactGap{Title: evidence.LookupKey(k).Title, Declare: DeclareURL(target, k)})
		}
	}
}

// DeclaredKeys are the keys of a run that somebody declares, for whoever looks up why.
func DeclaredKeys(r *evidence.RunRow) []evidence.FactKey {
	var keys []evidence.FactKey
	for i := range r.Facts {
		declared := r.Facts[i].Repair != 0
		for _, o := range r.Facts[i].Others {
			declared = declared || o.Repair != 0
		}
		if declared {
			keys = append(keys, r.Facts[i].Key)
		}
	}
	return keys
}

// Explain puts the reasons of declarations beside the facts that they make.
func (v *Run) Explain(repairs map[int64]evidence.Repair) {
	for i := range v.Facts {
		for j := range v.Facts[i].Facts {
			f := &v.Facts[i].Facts[j]
			if r, ok := repairs[f.row.Repair]; ok {
				t := Words(r.Reason, maxValue, "")
				f.Author, f.Reason = plain(r.Author, maxName)+", "+Moment(r.AtUS), &t
			}
		}
	}
}
