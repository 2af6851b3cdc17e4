package lmeval

import (
	"math"
	"strings"
	"time"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// Shapes.
const (
	shapeFull = "full"
	shapeBare = "bare"
)

// Reader reads results files.
type Reader struct{ lift.Meta }

// Readers are the readers of this package.
func Readers() []Reader {
	return []Reader{{lift.Named("lm-eval/results", 2, "lm-eval")}}
}

// Match asks for a version of each task beside its results.
func (r Reader) Match(_ string, v *jsondoc.Node) (string, bool) {
	results, versions := v.Get("results"), v.Get("versions")
	if !results.Is(jsondoc.Object) || !versions.Is(jsondoc.Object) || len(results.Children) == 0 {
		return "", false
	}
	known := 0
	for i, c := range results.Children {
		if !c.Is(jsondoc.Object) {
			return "", false
		}
		if versions.Get(results.Names[i]) != nil {
			known++
		}
	}
	if known == 0 {
		return "", false
	}
	if v.Get("configs") != nil || v.Get("config") != nil {
		return shapeFull, true
	}
	return shapeBare, true
}

// passMetrics are metrics that are passed / attempted.
var passMetrics = map[string]bool{"acc": true, "acc_norm": true, "acc_mutual_info": true, "exact_match": true, "em": true,
	"pass@1": true, "pass_at_1": true, "prompt_level_strict_acc": true, "prompt_level_loose_acc": true, "inst_level_strict_acc": true,
	"inst_level_loose_acc": true, "acc_bytes": true, "quasi_exact_match": true}

// Read lifts a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	b := lift.New(r.Reader, v, root, shapeID)
	b.Protocol("lm-evaluation-harness", "", "")
	top := b.Top()
	var arm lift.Facts
	identity(b, top, &arm)
	var runs []*lift.Run
	top.Get("results").Members(func(task string, m lift.Obj) { runs = append(runs, scores(b, top, task, m)...) })
	top.Get("groups").Skip(evidence.ReasonRestated)
	top.SkipMembers(evidence.ReasonEcho, "configs", "config", "versions", "n-shot", "higher_is_better", "n-samples", "eot_token_id",
		"max_length", "tokenizer_pad_token", "tokenizer_eos_token", "tokenizer_bos_token", "task_hashes", "group_subtasks")
	top.SkipMembers(evidence.ReasonTimestamp, "date", "start_time", "end_time", "total_evaluation_time_seconds")
	name := "lm-eval, model not recorded"
	for _, f := range arm {
		if f.Key == evidence.KeyModel {
			name = f.Value
		}
	}
	b.Arm(evidence.Arm{Name: lift.Clip(name), Place: top.Place(), Facts: arm}, runs...)
	b.Title("lm-evaluation-harness · " + name)
	return b.Finish()
}

// identity records the model and what changes a score.
func identity(b *lift.Builder, top lift.Obj, arm *lift.Facts) {
	config := top.Get("config")
	top.Get("lm_eval_version").Fact(&b.Doc.Facts, evidence.KeyClientVersion)
	top.Get("git_hash").Fact(&b.Doc.Facts, "client_revision")
	top.Get("model_name").Fact(arm, evidence.KeyModel)
	args := config.Get("model_args")
	switch {
	case args.Str() != "":
		for part := range strings.SplitSeq(lift.Clip(args.Str()), ",") {
			if name, value, _ := strings.Cut(part, "="); name == "pretrained" || name == "model" {
				args.Derive(arm, evidence.KeyModel, value, "model_args")
			}
		}
		args.Fact(arm, "model_args")
	case args.IsObject():
		args.First("pretrained", "model").Fact(arm, evidence.KeyModel)
	}
	top.First("model_source").Fact(arm, evidence.KeyEngine)
	config.Get("model").Fact(arm, evidence.KeyEngine)
	top.Get("max_length").Fact(arm, evidence.KeyServedContext)
	for _, name := range []string{"chat_template_sha", "system_instruction_sha", "fewshot_as_multiturn"} {
		top.Get(name).Fact(arm, evidence.FactKey(name))
	}
	if d, ok := top.Get("date").Float(); ok && d > 0 && d < 1e11 {
		b.Observed(top.Get("date"), time.Unix(int64(math.Floor(d)), 0).UTC().Format("2006-01-02T15:04:05Z"))
	}
	if l := config.Get("limit"); l.There() {
		b.Find(evidence.Warning, lift.CodePartial, l, "a limit of %s was set: the scores are of a part of each task", l.Show())
	}
}

// scores makes a run of each metric of a task.
func scores(b *lift.Builder, top lift.Obj, task string, o lift.Obj) []*lift.Run {
	var runs []*lift.Run
	samples := top.Path("n-samples", task)
	effective, original := samples.Get("effective").Count(), samples.Get("original").Count()
	if effective.OK && original.OK && effective.V < original.V {
		b.Find(evidence.Warning, lift.CodePartial, samples, "%s: %d of %d items were evaluated", task, effective.V, original.V)
	}
	o.Members(func(name string, m lift.Obj) {
		metric, filter, _ := strings.Cut(name, ",")
		if !lift.Numeric(m.Node) {
			if passMetrics[metric] {
				b.Find(evidence.Warning, lift.CodeNotNumber, m, "%s %s: a number was expected, not %s", task, name, m.Show())
			}
			return
		}
		if !passMetrics[metric] {
			if strings.Contains(metric, "_stderr") || metric == "sample_len" || metric == "samples" || known[metric] {
				m.Skip(evidence.ReasonDiagnostic)
			}
			return
		}
		run := b.NewRun(task+" · "+name, m, "")
		run.Class = evidence.ClassQuality
		run.N = effective
		f := &run.Facts
		m.Derive(f, evidence.KeyWorkloadClass, run.Class, "tool")
		m.Derive(f, evidence.KeyPromptSet, task, "task")
		m.Derive(f, evidence.KeyCriterion, metric, "metric")
		m.Derive(f, "answer_filter", filter, "metric")
		top.Path("versions", task).Fact(f, evidence.KeyItemVersion)
		top.Path("n-shot", task).Fact(f, evidence.KeyShots)
		samples.Get("effective").Fact(f, evidence.KeyRequests)
		run.Figure(m, evidence.PassRate, evidence.Total, "ratio")
		spread(b, o, m, metric, filter, effective)
		runs = append(runs, run)
	})
	return runs
}

// known are metrics that are read and are no share of items passed.
var known = map[string]bool{"perplexity": true, "word_perplexity": true, "byte_perplexity": true, "bits_per_byte": true, "f1": true,
	"bleu": true, "chrf": true, "ter": true, "rouge1": true, "rouge2": true, "rougeL": true, "mcc": true, "brier_score": true, "bleu_acc": true,
	"bleu_max": true, "bleu_diff": true, "rouge1_max": true, "math_verify": true, "likelihood_diff": true}

// spread checks the standard error of a share: sqrt(p (1-p) / n).
func spread(b *lift.Builder, o, m lift.Obj, metric, filter string, n evidence.Opt[int64]) {
	name := metric + "_stderr"
	if filter != "" {
		name += "," + filter
	}
	p, ok := m.Float()
	if !ok || !n.OK || n.V < 2 || p < 0 || p > 1 {
		return
	}
	if e, has := o.Get(name).Float(); has && e > 0 {
		want := math.Sqrt(p * (1 - p) / float64(n.V))
		if ratio := e / math.Max(want, 1e-9); ratio > 3 || ratio < 1.0/3 {
			b.Find(evidence.Warning, lift.CodeDisagree, m, "%s of %d items with the share %s should have a standard error of about %.4g, %s says %s", metric, n.V, m.Show(), want, name, o.Get(name).Show())
			b.Doubt(m)
		}
	}
}
