package view

import "strings"

// families are the kinds of documents that readers know, in plain words.
var families = []Word{
	{"F1", "capacity: one engine under load, short or long context; four generations of one writer, which count differently"},
	{"F2", "preflight: gates that a configuration has to pass before anything is measured"},
	{"F3", "quality and context: answers graded against a suite, and whether they hold in a growing context"},
	{"F4", "paired: one arm against another under the same load"},
	{"F5", "decision: a campaign's summary with its figures, gates, limitations and what was decided"},
	{"F6", "multimodal: requests with images or video"},
	{"F7", "speech: recognition, synthesis and voice"},
	{"F8", "observation: what an engine or a machine showed while it ran"},
	{"F9", "prior: figures that somebody else published; external for good, never a control"},
	{"F10", "configuration: inputs of tools, kept and searched"},
	{"F11", "without a label: kept and searched, with nothing in it to compare"},
	{"recipe", "a serve recipe: what a served name stands for"},
	{"manifest", "a list of files with their checksums"},
	{"console", "a table that a tool printed, found in a log"},
}

// tools are the other families: results as a tool of that name writes them.
var tools = map[string]string{
	"vllm": "vLLM", "sglang": "SGLang", "aiperf": "AIPerf or genai-perf", "guidellm": "GuideLLM", "llama-bench": "llama.cpp",
	"llama-benchy": "llama-benchy", "inference-perf": "inference-perf", "inferencex": "InferenceX", "llm-d": "llm-d", "lm-eval": "lm-evaluation-harness",
	"mlperf": "MLPerf", "trtllm": "TensorRT-LLM",
}

// FamilyTitle says what a family is, for whoever points at its short name.
func FamilyTitle(family string) string {
	for _, f := range families {
		if f.Word == family {
			return f.Means
		}
	}
	if tool, ok := tools[family]; ok {
		return "results as " + tool + " writes them"
	}
	return "the family of the artifact's format"
}

// FamilyURL is where the words explain a family.
func FamilyURL(family string) string {
	for _, f := range families {
		if f.Word == family {
			return "/words#" + wordID("family", family)
		}
	}
	return "/words#families"
}

func wordID(group, word string) string {
	return group + "-" + strings.ReplaceAll(strings.ToLower(word), " ", "-")
}
