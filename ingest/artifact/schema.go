package artifact

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"assay/store/evidence"
)

// Schema is the JSON Schema (2020-12) of the format, made of the very types that are
// written, so that the two cannot differ.
func Schema() ([]byte, error) {
	g := generator{defs: map[string]any{}}
	top := g.object(reflect.TypeFor[Run]())
	top["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	top["$id"] = "urn:assay:schema:run:v1"
	top["title"] = "One run of one arm under one workload (" + Label + ")"
	top["description"] = "Raw times are whole nanoseconds after the start of the run; figures are in base units; null is absent and never zero."
	top["$defs"] = g.defs
	if g.err != nil {
		return nil, g.err
	}
	return json.Marshal(top, json.Deterministic(true), jsontext.WithIndent("  "))
}

type generator struct {
	defs map[string]any
	err  error
}

// choices are the members that take a few words only.
var choices = map[string][]string{
	"Run.schema": {Label}, "Run.status": {string(Measured), string(Failed), string(Aborted)},
	"Window.name": windowNames, "Request.window": windowNames,
	"Request.tokens_from": {"usage", "token-ids", "none"}, "Request.canary": {"found", "missing", "foreign", "not-asked"},
	"Workload.api": {"chat", "completions", "responses"}, "Workload.loop": {"closed", "open"},
	"Gate.status": {"passed", "failed", "not run"}, "Fact.state": states,
}

// words say what a member means where its name does not.
var words = map[string]string{
	"Request.due_ns":             "when the plan wanted the request sent",
	"Request.chunk_ns":           "times of the chunks that carried output; chunks are not tokens",
	"Request.chunk_tokens":       "tokens of each chunk as the engine counts them, null where it does not",
	"Request.first_visible_ns":   "first non-empty visible content",
	"Request.first_reasoning_ns": "first non-empty reasoning",
	"Figure.method":              "how the statistic is formed: nearest-rank, mean, total, single",
	"Health.saturated":           "the client itself was part of what it measured",
	"Telemetry.available":        "false without a driver; then nothing else is said",
	"Run.facts":                  "properties by fact key, each with its state and where it comes from",
}

func (g *generator) object(t reflect.Type) map[string]any {
	props, required := map[string]any{}, []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			g.err = fmt.Errorf("%s.%s has no name on the wire", t.Name(), f.Name)
			continue
		}
		at := t.Name() + "." + name
		s := g.of(f.Type)
		if list, ok := choices[at]; ok {
			s = map[string]any{"type": "string", "enum": list}
		}
		if text, ok := words[at]; ok {
			s["description"] = text
		}
		props[name] = s
		required = append(required, name)
	}
	return map[string]any{"type": "object", "properties": props, "required": required, "additionalProperties": false}
}

func (g *generator) of(t reflect.Type) map[string]any {
	if t == reflect.TypeFor[jsontext.Value]() {
		return map[string]any{"type": []string{"string", "number", "boolean", "null"}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return orNull(g.of(t.Elem()))
	case reflect.Slice:
		return orNull(map[string]any{"type": "array", "items": g.of(t.Elem())})
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Struct:
		if _, done := g.defs[t.Name()]; !done {
			g.defs[t.Name()] = true // stops a recursion
			g.defs[t.Name()] = g.object(t)
		}
		return map[string]any{"$ref": "#/$defs/" + t.Name()}
	case reflect.Map:
		if t == reflect.TypeFor[Facts]() {
			return g.facts(t)
		}
		return orNull(map[string]any{"type": "object", "additionalProperties": g.of(t.Elem())})
	}
	g.err = fmt.Errorf("%s has no schema", t)
	return map[string]any{}
}

// facts may hold the registry's keys and must hold those that comparisons ask for.
func (g *generator) facts(t reflect.Type) map[string]any {
	names := make([]string, len(evidence.Keys))
	for i, k := range evidence.Keys {
		names[i] = string(k.Key)
	}
	return map[string]any{"type": "object", "additionalProperties": g.of(t.Elem()),
		"propertyNames": map[string]any{"enum": names}, "required": Required}
}

func orNull(s map[string]any) map[string]any {
	return map[string]any{"anyOf": []any{s, map[string]any{"type": "null"}}}
}
