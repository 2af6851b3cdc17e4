package recipe

import (
	"encoding/json"
	"strings"

	"assay/ingest/lift"
)

// word is one argument of a command line with its range in the string it stands in.
type word struct {
	text       string
	start, end int
	from       lift.Obj // the string
	whole      bool     // the string is one argument
}

// maxWords bounds a command line.
const maxWords = 4000

// words splits what an entry starts its server with. A list may hold one argument an
// item, or a flag and its value in one string, or a whole shell line.
func words(o lift.Obj) []word {
	var out []word
	take := func(s lift.Obj) {
		text := s.Str()
		if !strings.ContainsAny(text, " \t\n") || !strings.HasPrefix(text, "-") && !strings.Contains(text, " -") {
			out = append(out, word{text: text, end: len(text), from: s, whole: true})
			return
		}
		out = append(out, split(s, text)...)
	}
	switch {
	case o.IsArray():
		o.Items(func(_ int, s lift.Obj) {
			if len(out) < maxWords && s.Str() != "" {
				take(s)
			}
		})
	case o.Str() != "":
		out = split(o, o.Str())
	}
	return out[:min(len(out), maxWords)]
}

// split cuts a line as a shell does: quotes hold together, a backslash takes the next
// byte as it is. Nothing is expanded.
func split(o lift.Obj, line string) []word {
	var out []word
	for i := 0; i < len(line) && len(out) < maxWords; {
		if isBlank(line[i]) {
			i++
			continue
		}
		w := word{start: i, from: o}
		var text strings.Builder
		quote := byte(0)
		for ; i < len(line) && (quote != 0 || !isBlank(line[i])); i++ {
			switch c := line[i]; {
			case quote == 0 && (c == '\'' || c == '"'), quote != 0 && c == quote:
				if quote == 0 {
					quote = c
				} else {
					quote = 0
				}
			case c == '\\' && quote != '\'' && i+1 < len(line) && (quote == 0 || line[i+1] == '"' || line[i+1] == '\\'):
				i++
				if line[i] != '\n' { // a line goes on
					text.WriteByte(line[i])
				}
			default:
				text.WriteByte(c)
			}
		}
		if w.text, w.end = text.String(), i; w.text != "" {
			out = append(out, w)
		}
	}
	return out
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// launchers are the words that start a server, the last of which begins its arguments.
var launchers = []struct {
	word, engine string
}{
	{"sglang.launch_server", "sglang"}, {"vllm.entrypoints.openai.api_server", "vllm"}, {"vllm.entrypoints.api_server", "vllm"},
	{"llama-server", "llama.cpp"}, {"llama-cpp-python", "llama.cpp"}, {"llama_cpp.server", "llama.cpp"}, {"trtllm-serve", "tensorrt-llm"},
	{"text-generation-launcher", "tgi"}, {"vllm", "vllm"}, {"sglang", "sglang"},
}

// launched finds where the arguments of a server begin and end in a command line, and
// which engine it starts.
func launched(ws []word) (engine string, args []word, found bool) {
	for i := range ws {
		name := strings.ToLower(ws[i].text[strings.LastIndexByte(ws[i].text, '/')+1:])
		for _, l := range launchers {
			if name != l.word {
				continue
			}
			rest := ws[i+1:]
			if l.word == "vllm" || l.word == "sglang" {
				if len(rest) == 0 || rest[0].text != "serve" {
					continue
				}
				rest = rest[1:]
			}
			engine, args, found = l.engine, rest, true
		}
	}
	for i := range args {
		switch args[i].text {
		case "&&", "||", ";", "|", ">", "2>&1", "&":
			return engine, args[:i], found
		}
	}
	return engine, args, found
}

// flag is one option of a command line.
type flag struct {
	name   string // without dashes, words joined by "-"
	long   bool
	values []word
	at     word
}

// flags groups arguments. What stands before the first flag is positional.
func flags(args []word) (out []flag, positional []word) {
	for i := 0; i < len(args); i++ {
		text := args[i].text
		if !isFlag(text) {
			positional = append(positional, args[i])
			continue
		}
		f := flag{name: strings.TrimLeft(text, "-"), long: strings.HasPrefix(text, "--"), at: args[i]}
		if name, value, ok := strings.Cut(f.name, "="); ok {
			v := args[i]
			v.text, v.start, v.whole = value, max(v.start, v.end-len(value)), false
			f.name, f.values = name, []word{v}
		} else if !takesNothing(f.name) {
			for i+1 < len(args) && !isFlag(args[i+1].text) {
				i++
				f.values = append(f.values, args[i])
			}
		}
		f.name = dashed(f.name)
		out = append(out, f)
	}
	return out, positional
}

func isFlag(s string) bool {
	return len(s) > 1 && s[0] == '-' && (s[1] == '-' && len(s) > 2 || s[1] >= 'a' && s[1] <= 'z' || s[1] >= 'A' && s[1] <= 'Z')
}

// takesNothing knows the switches of the dialects by their form.
func takesNothing(name string) bool {
	for _, p := range []string{"enable-", "disable-", "no-", "trust-", "enforce-", "use-"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

func dashed(name string) string { return strings.ReplaceAll(name, "_", "-") }

// speculation is the value of --speculative-config and of tables of that shape.
type speculation struct {
	Method string `json:"method"`
	Model  string `json:"model"`
	Tokens *int   `json:"num_speculative_tokens"`
}

func readSpeculation(text string) (s speculation, ok bool) {
	return s, len(text) < 64<<10 && json.Unmarshal([]byte(text), &s) == nil
}
