package engine

import (
	"path/filepath"
	"slices"
	"strings"
)

const (
	mostArgs  = 512
	leftOut   = "[left out]"
	mostArgue = 2000 // bytes of one argument
)

// secret are parts of names whose values nobody else is to see.
var secret = []string{"key", "token", "secret", "password", "passwd", "auth", "credential"}

// notSecret are settings that sound like one.
var notSecret = []string{"tokens", "tokenizer", "token-ids", "keyframe", "key-cache", "cache-type-k"}

func secretName(name string) bool {
	name = strings.ToLower(strings.TrimLeft(name, "-"))
	name = strings.ReplaceAll(name, "_", "-")
	for _, s := range notSecret {
		if strings.Contains(name, s) {
			return false
		}
	}
	return slices.ContainsFunc(secret, func(s string) bool { return strings.Contains(name, s) })
}

// redact leaves secrets out of a command line.
func redact(args []string) []string {
	out := slices.Clone(args)
	for i := range out {
		name, _, joined := strings.Cut(out[i], "=")
		switch {
		case !secretName(name) || !strings.HasPrefix(name, "-") && !joined:
		case joined:
			out[i] = name + "=" + leftOut
		case i+1 < len(out):
			for j := i + 1; j < len(out) && !isFlag(out[j]); j++ {
				out[j] = leftOut
			}
		}
	}
	return out
}

func bounded(args []string) []string {
	args = args[:min(len(args), mostArgs)]
	for i := range args {
		args[i] = plain(args[i][:min(len(args[i]), mostArgue)])
	}
	return args
}

func isFlag(s string) bool {
	return len(s) > 1 && s[0] == '-' && (s[1] < '0' || s[1] > '9') && s[1] != '.'
}

// flags are a command line's settings by name, without leading dashes, with dashes for
// underscores. A flag without a value has "true".
type flags struct {
	value map[string]string
	short map[string]string // long name by short one
	words []string          // what belongs to no flag
}

// parse reads args behind the engine's own name.
func parse(args []string, aliases map[string]string) flags {
	f := flags{value: map[string]string{}, short: aliases}
	for i := 0; i < len(args); i++ {
		if !isFlag(args[i]) {
			f.words = append(f.words, args[i])
			continue
		}
		name, value, joined := strings.Cut(args[i], "=")
		var parts []string
		if joined {
			parts = []string{value}
		} else {
			for i+1 < len(args) && !isFlag(args[i+1]) && (len(parts) == 0 || several[f.name(name)]) {
				i++
				parts = append(parts, args[i])
			}
		}
		if len(parts) == 0 {
			parts = []string{"true"}
		}
		f.value[f.name(name)] = plain(strings.Join(parts, " "))
	}
	return f
}

// several are flags that take a list.
var several = map[string]bool{"served-model-name": true, "lora-modules": true, "cuda-graph-bs": true}

func (f *flags) name(s string) string {
	s = strings.ReplaceAll(strings.TrimLeft(s, "-"), "_", "-")
	if long, ok := f.short[s]; ok {
		return long
	}
	return s
}

// get is a flag's value, taken off the rest.
func (f *flags) get(name string) (string, bool) {
	v, ok := f.value[name]
	delete(f.value, name)
	return v, ok
}

// drop takes off what says nothing of the arm: where it listens, what it logs, what files
// lie where.
func (f *flags) drop(names ...string) {
	for _, n := range names {
		delete(f.value, n)
	}
}

// options is what is left, in an order of its own.
func (f *flags) options() string {
	var out []string
	for name, v := range f.value {
		switch {
		case secretName(name):
			continue
		case v == "true":
			out = append(out, "--"+name)
		case strings.HasPrefix(v, "/"):
			out = append(out, "--"+name+"="+filepath.Base(v)) // where it lies is no setting
		default:
			out = append(out, "--"+name+"="+v)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// behind are the arguments behind the one that names the engine.
func behind(args []string, names ...string) []string {
	for i, a := range args {
		base := filepath.Base(a)
		if slices.ContainsFunc(names, func(n string) bool { return base == n || strings.HasPrefix(a, n+".") }) {
			return args[i+1:]
		}
	}
	return nil
}
