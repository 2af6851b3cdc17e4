package summary

import (
	"strings"

	"assay/ingest/jsondoc"
)

// shape is one form of a label: a value has it when at least one of the needed members is
// there. What is expected and missing is reported.
type shape struct {
	id     string
	need   []string
	expect []string
}

func (s shape) fits(v *jsondoc.Node) bool {
	for _, name := range s.need {
		if v.Get(name) != nil {
			return true
		}
	}
	return len(s.need) == 0
}

// one is a label with one shape.
func one(id, need, expect string) []shape {
	return []shape{{id: id, need: strings.Fields(need), expect: strings.Fields(expect)}}
}

// Labels are the labels that the readers of this package know, byte for byte.
func Labels() []string {
	var out []string
	for _, r := range Readers() {
		out = append(out, r.label)
	}
	return out
}

// Readers are the readers of this package, one for each label. Labels that differ in one
// separator are different labels.
func Readers() []Reader {
	return []Reader{
		{"anvil/public-summary", "anvil-serving.public-benchmark-summary/v1", []shape{
			{"performance", []string{"performance"}, strings.Fields("date decision hardware runtime models common_configuration performance_protocol")},
			{"runs", []string{"runs"}, strings.Fields("date decision model engine topology")},
			{"slots", []string{"decision", "hardware", "model", "models"}, []string{"date"}},
		}},
		{"anvil/public-promotion-summary", "anvil-serving-public-benchmark-summary/v1",
			one("configuration", "configuration source model decision", "date decision model configuration")},
		{"anvil/promotion-evidence", "anvil-serving-benchmark-evidence/v1",
			one("promotion", "runtime model decision", "captured_at decision model runtime")},
		{"anvil/publication", "anvil-serving-benchmark-publication/v1",
			one("publication", "result model topology run_id", "observed_at run_id model topology result")},
		{"anvil/bakeoff-recommendations", "anvil-serving.bakeoff-recommendations/v1",
			one("recommendations", "recommendations", "recorded_at recommendations")},
		{"anvil/r15-qualification", "anvil-serving.deepseek-infernal-r15-qualification/v1",
			one("qualification", "local_configuration model", "observed_date model local_configuration")},
		{"anvil/qualification-status", "anvil-serving.deepseek-r33-qualification-status/v1",
			one("status", "local_gates checkpoint control_observation", "updated_at_utc checkpoint hardware local_gates")},
		{"anvil/qualification-summary", "anvil-serving.qualification-summary/v1",
			one("qualification", "configuration runtime model decision", "captured_at decision model runtime configuration")},
		{"anvil/checkpoint-qualification", "anvil-serving.qwen38-27b-qualification-summary/v1",
			one("baseline", "checkpoints baseline setting_experiments", "observed_date decision hardware runtime checkpoints")},
		{"anvil/mtp-depth-qualification", "anvil-serving.qwen38-mtp-depth-qualification-summary/v1",
			one("depths", "common_recipe identity", "observed_date decision hardware identity common_recipe")},
		{"anvil/recipe-candidates", "anvil-serving.recipe-candidate-matrix/v1",
			one("candidates", "candidates", "observed_date candidates verdict")},
		{"anvil/sanitized-benchmark", "anvil-serving.sanitized-benchmark-summary/v1",
			one("subject", "configuration runtime decision", "date decision hardware runtime configuration")},
		{"anvil/sanitized-qualification", "anvil-serving.sanitized-qualification-summary/v1",
			one("candidates", "candidates common_recipe runtime", "observed_date hardware runtime common_recipe candidates")},
		{"anvil/candidate-summary", "anvil-serving/benchmark-summary/v1",
			one("candidate", "candidate runtime decision", "date decision hardware runtime candidate")},
		{"anvil/edge-summary", "anvil-serving/publishable-edge-summary/v1",
			one("edge", "results admission model", "date model results")},
		{"anvil/profile-summary", "benchmark-summary/v1",
			one("profiles", "profiles", "observed_date hardware runtime profiles")},
		{"anvil/fast-tier-candidates", "fast-tier-llm-bakeoff-evidence/v1",
			one("candidates", "required_candidates", "task_id generated_at recommendation required_candidates")},
		{"anvil/fast-tier-report", "fast-tier-llm-bakeoff-final-report-evidence/v1",
			one("report", "acceptance_coverage verification_commands recommendation", "task_id generated_at recommendation acceptance_coverage")},
		{"anvil/dflash-qualification", "qwen38-dflash2-rtx5090-qualification/v1",
			one("attempts", "attempts identity recipe", "observed_at decision_labels topology identity recipe attempts")},
	}
}
