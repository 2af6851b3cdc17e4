package recipe

import (
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
)

// Member names of an entry. Tables may be nested in any way: an entry is searched from
// the outside in, and never across a list of tables.
var (
	servedNames  = []string{"served_model_name", "served-model-name", "served_model", "served_name"}
	modelNames   = []string{"model", "model_id", "model_name_or_path", "repo", "repository", "hf_repo", "model_path", "checkpoint"}
	loadedNames  = []string{"model_path", "repo", "hf_repo", "repository", "checkpoint"}
	imageNames   = []string{"image", "container_image", "docker_image", "runtime_image", "image_ref"}
	commandNames = []string{"flags", "args", "extra_args", "engine_args", "server_args", "serve_args", "vllm_args", "sglang_args", "command", "cmd", "serve_command", "launch_command", "entrypoint"}
	engineNames  = []string{"engine", "backend", "runtime", "server"}
	envNames     = []string{"env", "environment", "envs", "env_vars"}
)

// maxLevels bounds how deep an entry's tables are searched.
const maxLevels = 5

// entries finds the serve entries of a text.
func entries(top lift.Obj) []lift.Obj {
	var out []lift.Obj
	var visit func(o lift.Obj, level int)
	visit = func(o lift.Obj, level int) {
		if level > maxLevels || len(out) >= maxEntries {
			return
		}
		if !o.IsObject() {
			o.Items(func(_ int, m lift.Obj) {
				if m.IsObject() {
					visit(m, level+1)
				}
			})
			return
		}
		// Several parts with a served name of their own are several entries; so is every
		// item of a list below.
		if holders(o, 0) == 1 && isEntry(o) {
			out = append(out, o)
			return
		}
		o.Members(func(_ string, m lift.Obj) {
			if m.IsObject() || m.IsArray() {
				visit(m, level+1)
			}
		})
	}
	visit(top, 0)
	return out
}

const maxEntries = 2000

// holders counts the tables under o, but not in lists, that give a served name.
func holders(o lift.Obj, level int) int {
	if level > maxLevels || !o.IsObject() {
		return 0
	}
	n := 0
	if servedIn(o) {
		n = 1
	}
	o.Members(func(_ string, m lift.Obj) { n += holders(m, level+1) })
	return n
}

// servedIn reports whether a table itself gives a served name, as a member or flag.
func servedIn(o lift.Obj) bool {
	for _, n := range servedNames {
		if m := o.Get(n); m.Str() != "" || m.IsArray() {
			return true
		}
	}
	for _, n := range commandNames {
		for _, w := range words(o.Get(n)) {
			if name, _, _ := strings.Cut(w.text, "="); dashed(name) == "--served-model-name" || name == "--alias" {
				return true
			}
		}
	}
	return false
}

// isEntry asks for a model and for a way to start the server.
func isEntry(o lift.Obj) bool {
	model := search(o, isText, modelNames...).There()
	variables(o, func(name, value string, _ int, _ lift.Obj) {
		model = model || isModelVariable(name) && modelName(value) != named{}
	})
	starts := search(o, isText, imageNames...).There() && search(o, isCommand, commandNames...).There()
	for _, c := range commands(o) {
		if _, _, ok := launched(words(c)); ok {
			starts = true
			model = model || strings.Contains(joined(words(c)), "/")
		}
	}
	return model && starts
}

// isModelVariable knows the variables that start scripts take the model from.
func isModelVariable(name string) bool {
	switch name {
	case "MODEL", "MODEL_PATH", "MODEL_ID", "MODEL_NAME", "HF_MODEL":
		return true
	}
	return false
}

func joined(ws []word) string {
	var b strings.Builder
	for _, w := range ws {
		b.WriteString(w.text)
		b.WriteByte(' ')
	}
	return b.String()
}

func isText(o lift.Obj) bool    { return o.Str() != "" }
func isCommand(o lift.Obj) bool { return o.Str() != "" || o.IsArray() }
func isEnv(o lift.Obj) bool     { return o.IsArray() || o.IsObject() }

// search finds the first of the named members, the outermost table first.
func search(o lift.Obj, fits func(lift.Obj) bool, names ...string) (found lift.Obj) {
	level := []lift.Obj{o}
	for range maxLevels {
		var next []lift.Obj
		for _, t := range level {
			for _, n := range names {
				if m := t.Get(n); m.Node != nil && fits(m) {
					return m
				}
			}
			t.Members(func(_ string, m lift.Obj) {
				if m.IsObject() && len(next) < maxEntries {
					next = append(next, m)
				}
			})
		}
		level = next
	}
	return found
}

// commands are all command lines of an entry in the order of their names above.
func commands(o lift.Obj) []lift.Obj {
	var out []lift.Obj
	for _, n := range commandNames {
		if m := search(o, isCommand, n); m.There() {
			out = append(out, m)
		}
	}
	return out
}

// variables are the entry's environment: name, value and where the value stands.
func variables(o lift.Obj, each func(name, value string, start int, at lift.Obj)) {
	env := search(o, isEnv, envNames...)
	env.Items(func(_ int, m lift.Obj) {
		if name, value, ok := strings.Cut(m.Str(), "="); ok {
			each(name, value, len(name)+1, m)
		}
	})
	env.Members(func(name string, m lift.Obj) {
		if m.Node.Kind != jsondoc.Object && m.Node.Kind != jsondoc.Array {
			each(name, m.Node.Text, 0, m)
		}
	})
}
