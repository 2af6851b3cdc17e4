package compare

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
)

func TestFactors(t *testing.T) {
	row := func(pairs ...string) *evidence.RunRow {
		r := &evidence.RunRow{ID: "r"}
		for i := 0; i < len(pairs); i += 2 {
			f := evidence.FactRow{}
			f.Key, f.Value, f.State = evidence.FactKey(pairs[i]), pairs[i+1], evidence.Recorded
			r.Facts = append(r.Facts, f)
		}
		return r
	}
	for _, x := range []struct {
		name string
		a, b *evidence.RunRow
		want []evidence.FactKey
	}{
		{"nothing", row("tp", "1", "engine", "vllm"), row("tp", "1", "engine", "vllm"), nil},
		{"one side alone says nothing", row("tp", "1"), row("engine", "vllm"), nil},
		{"cards move along", row("tp", "1", "gpu_count", "1"), row("tp", "2", "gpu_count", "2"), []evidence.FactKey{evidence.KeyTP}},
		{"depth and its draft model", row("mtp_depth", "0", "spec_method", "none"), row("mtp_depth", "3", "spec_method", "mtp"), []evidence.FactKey{evidence.KeyMTPDepth}},
		{"faces of a checkpoint", row("model", "m", "model_revision", "1", "served_model", "s"), row("model", "n", "model_revision", "2", "served_model", "t"), []evidence.FactKey{evidence.KeyCheckpoint}},
		{"one face is itself", row("model", "m"), row("model", "n"), []evidence.FactKey{evidence.KeyModel}},
		{"two factors", row("tp", "1", "engine", "vllm"), row("tp", "2", "engine", "sglang"), []evidence.FactKey{evidence.KeyTP, evidence.KeyEngine}},
		{"the shape is none", row("concurrency", "1"), row("concurrency", "8"), nil},
	} {
		if diff := cmp.Diff(x.want, Factors(x.a, x.b)); diff != "" {
			t.Errorf("%s: %s", x.name, diff)
		}
	}
}
