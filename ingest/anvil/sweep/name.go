package sweep

import (
	"slices"
	"strings"
	"unicode"

	"assay/store/evidence"
)

// maxWords bounds how many words of a name are looked at.
const maxWords = 12

// words cuts a member name into words in small letters: "sampleRateHz" and
// "sample_rate_hz" are the same.
func words(name string) []string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		switch {
		case r == '-' || r == ' ' || r == '.':
			r = '_'
		case unicode.IsUpper(r) && lower:
			b.WriteByte('_')
		}
		lower = unicode.IsLower(r)
		b.WriteRune(unicode.ToLower(r))
	}
	out := strings.FieldsFunc(b.String(), func(r rune) bool { return r == '_' })
	if len(out) > maxWords {
		out = out[len(out)-maxWords:]
	}
	return out
}

func set(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// Last words of names by what a number under them is.
var (
	identifierWords = set("id ids pid ppid port ports index indices sequence status statuses code exitcode returncode health version uid gid judge " +
		"priority rank order ordinal revision seq line round step stage generation schema")
	timeWords    = set("at time timestamp epoch date utc created started finished updated")
	settingWords = set("limit cap budget threshold floor ceiling target depth len length context window temperature topp topk seed repetitions " +
		"concurrency timeout interval hz channels warps stages attention layers slots workers replicas parallel utilization headroom reserve " +
		"penalty warmup margin estimate estimates allowlist requested targets seqs tps stride beams shards alpha weight weights")
	settingStarts = set("max min minimum maximum num target requested declared planned required default configured expected block group sample eos " +
		"bos pad stop top tensor pipeline expert applied allowed limit shm")
	settingNames = set("top_p top_k temperature seed seeds n sm_count sample_rate samplerate channels data_parallel_size images_per_request videos_per_request " +
		"block_size_m block_size_n block_size_k group_size_m num_ctas kpack matrix_instr_nonkdim waves_per_eu silence_duration_ms")
	figureWords = set("ms s sec secs seconds minutes min hours us ns bytes kb mb gb tb kib mib gib tib w watts kw wh mhz ghz c celsius percent pct " +
		"fraction ratio rate tokens token chars characters count counts hits misses queries requests runs attempts successes failures errors calls " +
		"samples files pids containers items checks passes passed failed used free size score scores rms peak usd cost gain multiple " +
		"speedup temp power drafts accepted proposed events frames pages blocks references paths nodes cards gpus cycles retries restarts " +
		"reward accuracy cases services models sources tools functions evals turns messages candidates images videos tests improvement " +
		"regression reduction capacity available reclaimed preemptions running waiting chunks done confidence elapsed duration latency throughput wer cer rtf")
)

// counterWords are words of counters that start with "num" as settings do.
var counterWords = set("draft drafts drafted accepted emitted generated completed failed running waiting hits misses")

// qualifiers stand behind what a number counts and change nothing about what it is.
var qualifiers = set("before after delta total totals reported observed each avg average mean median max min p50 p90 p95 p99 all per gpu request " +
	"rank run second sec host overall at ready load cleanup downloads serves actual baseline final initial current sum first last required " +
	"estimated expected available of in and to for with only 25")

// numberReason tells from its name why a number is not lifted; "" when the name says
// nothing. The end of a name counts most: "sample_rate" is a setting, "rate" a figure.
func numberReason(name string) string {
	w := words(name)
	for len(w) > 1 && (qualifiers[w[len(w)-1]] || dynamic(w[len(w)-1])) {
		w = w[:len(w)-1]
	}
	if len(w) == 0 {
		return ""
	}
	last := w[len(w)-1]
	switch {
	case w[0] == "num" && slices.ContainsFunc(w, func(x string) bool { return counterWords[x] }):
		return evidence.ReasonDiagnostic
	case settingNames[strings.Join(w, "_")]:
		return evidence.ReasonEcho
	case identifierWords[last]:
		return evidence.ReasonIdentifier
	case timeWords[last]:
		return evidence.ReasonTimestamp
	case settingWords[last], len(w) > 1 && settingStarts[w[0]] && figureWords[last]:
		return evidence.ReasonEcho
	case figureWords[last], qualifiers[last]:
		return evidence.ReasonDiagnostic
	}
	for _, x := range w {
		if settingWords[x] || settingStarts[x] {
			return evidence.ReasonEcho
		}
		if figureWords[x] {
			return evidence.ReasonDiagnostic
		}
	}
	return ""
}

// dynamic reports whether a name is a value itself, such as "200" or "4096": what stands
// there is told by the name above.
func dynamic(name string) bool {
	return name != "" && strings.Trim(name, "0123456789") == ""
}
