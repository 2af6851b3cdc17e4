package complete_test

import (
	"fmt"
	"math"
)

func round(v float64, decimals int) float64 {
	p := math.Pow10(decimals)
	return math.Round(v*p) / p
}

// pooled joins the rows of all repeats of an arm.
func pooled(runs []*capacityRun, of func(request) float64) (out []float64) {
	for _, r := range runs {
		out = append(out, r.column(of)...)
	}
	return out
}

func group(values []float64) object {
	return object{{"mean", round(sum(values)/float64(len(values)), 4)}, {"p50", round(nearestRank(values, 50), 4)},
		{"p95", round(nearestRank(values, 95), 4)}, {"p99", round(nearestRank(values, 99), 4)}}
}

func aggregate(runs []*capacityRun) float64 {
	var tokens, wall float64
	for _, r := range runs {
		tokens, wall = tokens+float64(r.output()), wall+r.wall
	}
	return round(tokens/wall*1000, 4)
}

// headline is the row of one arm over all its repeats.
func headline(profile string, runs []*capacityRun) object {
	all := requests * len(runs)
	return object{{"profile", profile}, {"topology", "one GPU, TP1, C8"}, {"requests", all}, {"canaries_passed", all},
		{"aggregate_tok_s", aggregate(runs)}, {"ttft_ms", group(pooled(runs, ttft))}, {"decode_tok_s", group(pooled(runs, decodeRate))},
		{"tpot_mean_itl_ms", group(pooled(runs, interToken))}, {"e2e_ms", group(pooled(runs, e2e))}}
}

// summary is the decision summary of the campaign, which names every other file.
func summary(runs map[string][]*capacityRun, all []file) object {
	named := make(list, len(all))
	for i, f := range all {
		named[i] = object{{"path", f.name}, {"sha256", f.sha256()}}
	}
	before, after := runs[bf16.short], runs[fp8.short]
	change := (aggregate(after)/aggregate(before) - 1) * 100
	return object{
		{"schema", "anvil-serving.benchmark-decision-summary/v1"}, {"campaign_id", campaign},
		{"title", "Example: may Qwen3.8-27B serve in FP8 instead of BF16?"}, {"complete", true}, {"evidence_cutoff", "2026-09-03T16:00:00Z"},
		{"identity", object{{"fp8_target", fp8.repo + "@" + fp8.revision}, {"bf16_target", bf16.repo + "@" + bf16.revision},
			{"runtime", image + "@" + digest}, {"hardware", "1x " + card + ", 97887 MiB each, sm_120"}}},
		{"measurement", object{
			{"path", "direct online streaming"}, {"warm_cold_state", "warm service; unique prompt texts"},
			{"headline_workload", "thinking disabled, 256-token ceiling, forced output, unique canaries, C8 per replica, 4K target, 144 requests"},
			{"statistics", list{"mean", "p50", "p95", "p99", "aggregate output throughput"}},
			{"metrics", list{"ttft", "decode", "tpot", "mean_itl", "e2e", "aggregate_throughput"}},
			{"percentile_method", "nearest rank"}, {"measurement_protocol", "capacity-v3"}}},
		{"headline_results", list{
			append(headline(fp8.name, after), member{"performance_delta_vs_bf16_percent", round(change, 1)}),
			headline(bf16.name, before)}},
		{"gates", gates()},
		{"limitations", list{
			"Answers beyond 512 tokens and thinking were not asked for: of long reasoning this campaign says nothing."}},
		{"evidence", named},
		{"decision", object{
			{"evidence_labels", list{"functional", "capacity", "matched-performance", "quality", "exact-restoration"}},
			{"decision_labels", list{"promotion-candidate"}}, {"promotion_authorized", true},
			{"selected_arm", fp8.name},
			{"winner", "the FP8 checkpoint on the same image, inside the bounds measured"},
			{"reason", "Everything asked of a promotion is retained and passed; whether it is promoted, a person signs."},
			{"promotion_boundary", "One card, TP1, prompts and answers of the lengths measured."}}},
	}
}

// gates are what the campaign says it passed, each with the file that shows it.
func gates() list {
	gate := func(name, detail, evidence string) object {
		return object{{"name", name}, {"status", "passed"}, {"detail", detail}, {"evidence", evidence}}
	}
	return list{
		gate("functional preflight", "smoke, JSON, needle, tools, streaming and Responses were fine on both arms", "preflight-fp8.json"),
		gate("tools", "20/20 clean in one batch", "preflight-fp8.json"),
		gate("request isolation canaries", "all canaries came back to their own request", "preflight-fp8.json"),
		gate("memory reserve", fmt.Sprintf("%d MiB free on the card at least, through all repeats; the ordinary floor of 3 GiB holds", cardMiB-fp8.usedMiB), "telemetry-fp8.json"),
		gate("quality", "every check of every suite passed in each of three repetitions, on both arms", "quality-fp8.json"),
		gate("routed checks", "identity and tool results held through the router", "routed-client-fp8.json"),
		gate("client checks", "two clients took the route, without fallback", "routed-client-fp8.json"),
		gate("endurance", "one live session of 40 turns, and tools at more than 100,000 actual prompt tokens", "endurance-fp8.json"),
		gate("telemetry", "power, clocks, temperature and memory are kept for both arms", "telemetry-fp8.json"),
		gate("digest-pinned runtime", "both arms ran on one image, named by its digest", "identity-fp8.json"),
		gate("licence review", "terms of both checkpoints were read by a person", "licence-review.json"),
		gate("rollback", "the way back to BF16 was taken once, and its preflight passed", "rollback-bf16.json"),
		gate("restoration", "what ran before runs again", "restoration.json"),
	}
}
