package preflight

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assay/ingest/artifact"
	"assay/runner/load"
)

// usual is how often a check is tried.
const usual = 3

// modelEcho: answers name the model that was asked, and a name that nobody serves is
// refused.
func (s *suite) modelEcho() artifact.Gate {
	note := "the answer names the model that was asked"
	g := tries(1, note, func(int) verdict {
		b := s.body(user("Reply with the word ready."))
		b["max_tokens"] = 16
		r := s.ask(load.Chat, b, 0)
		if v, ok := s.fault(r); !ok {
			return v
		}
		if r.Model != s.Model && !slices.Contains(s.Models, r.Model) {
			return wrong("asked for %s, answered by %s", s.quote(s.Model), s.quote(r.Model))
		}
		return verdict{}
	})
	if g.Status != passed {
		return g
	}
	b := s.body(user("Reply with the word ready."))
	b["model"], b["max_tokens"] = "assay-no-such-model", 4
	if r := s.ask(load.Chat, b, 0); r.Class.Delivered() {
		g.Detail += "; a model that nobody serves is answered too: the name is no proof of what serves"
	} else {
		g.Detail += "; a model that nobody serves is refused"
	}
	return g
}

// codingSmoke: a Go function with a given name, signature and constant. It is parsed and
// type-checked, never run.
func (s *suite) codingSmoke() artifact.Gate {
	return tries(usual, "the function parses, type-checks and uses the number", func(i int) verdict {
		name, factor := fmt.Sprintf("Weigh%s", ticket("code", i)), 17+6*i
		r := s.ask(load.Chat, s.body(user(fmt.Sprintf(
			"Write one Go function, func %s(values []int) int, that adds up all values that are positive and returns the sum times %d. Reply with Go code only: no package clause, no imports, no explanation.", name, factor))), 0)
		if v, ok := s.fault(r); !ok {
			return v
		}
		if fault := goFunction(r.text, name, fmt.Sprint(factor)); fault != "" {
			return wrong("%s: %s", fault, s.quote(r.text))
		}
		return verdict{}
	})
}

// goFunction says what is wrong with source that should be one function of this name.
func goFunction(text, name, number string) string {
	if strings.Contains(text, "</think>") || strings.Contains(text, "<think>") {
		return "a stray think tag"
	}
	text = unfenced(text)
	if !strings.HasPrefix(strings.TrimSpace(text), "package ") {
		text = "package p\n" + text
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "answer.go", text, parser.SkipObjectResolution)
	if err != nil {
		return "it does not parse as Go"
	}
	var found *ast.FuncDecl
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name {
			found = f
		}
	}
	if found == nil {
		return "there is no function " + name
	}
	config := types.Config{Error: func(error) {}, Importer: nil}
	pkg, err := config.Check("p", set, []*ast.File{file}, nil)
	if err != nil {
		return "it does not type-check"
	}
	if sig := pkg.Scope().Lookup(name).Type().String(); sig != "func(values []int) int" {
		if f := pkg.Scope().Lookup(name).Type().(*types.Signature); f.Params().Len() != 1 || f.Results().Len() != 1 ||
			f.Params().At(0).Type().String() != "[]int" || f.Results().At(0).Type().String() != "int" {
			return "it has another signature"
		}
	}
	uses := false
	ast.Inspect(found.Body, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Value == number {
			uses = true
		}
		return true
	})
	if !uses {
		return "the number " + number + " is not in it"
	}
	return ""
}

// unfenced takes one code fence off.
func unfenced(text string) string {
	_, rest, ok := strings.Cut(text, "```")
	if !ok {
		return text
	}
	if line, after, ok := strings.Cut(rest, "\n"); ok && len(line) < 20 {
		rest = after
	}
	code, _, _ := strings.Cut(rest, "```")
	return code
}

// structuredJSON: the engine is given a schema and must answer with exactly one object of
// it, with the values of the prompt.
func (s *suite) structuredJSON() artifact.Gate {
	return tries(usual, "exactly one JSON object of the schema, with the values asked for", func(i int) verdict {
		no, count := ticket("json", i), 3+2*i
		b := s.body(user(fmt.Sprintf("Ticket %s orders %d lamps. Answer with a JSON object with the members ticket (text) and count (number) and nothing else.", no, count)))
		b["response_format"] = map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "order", "strict": true, "schema": map[string]any{
			"type": "object", "additionalProperties": false, "required": []string{"ticket", "count"},
			"properties": map[string]any{"ticket": map[string]any{"type": "string", "maxLength": 40}, "count": map[string]any{"type": "integer", "minimum": 0, "maximum": 1000}}}}}
		r := s.ask(load.Chat, b, 0)
		if v, ok := s.fault(r); !ok {
			return v
		}
		if cut(r) {
			return wrong("the answer was cut by its %d tokens: %s", s.room(), s.quote(r.text))
		}
		got, fault := oneObject(r.text)
		switch {
		case fault != "":
			return wrong("%s: %s", fault, s.quote(r.text))
		case len(got) != 2 || got["ticket"] != `"`+no+`"` || got["count"] != fmt.Sprint(count):
			return wrong("it has other values than asked for (%s, %d): %s", no, count, s.quote(r.text))
		}
		return verdict{}
	})
}

// oneObject reads exactly one flat JSON object and names what else there is.
func oneObject(text string) (members map[string]string, fault string) {
	trimmed := strings.TrimSpace(text)
	switch {
	case strings.Contains(trimmed, "<think>") || strings.Contains(trimmed, "</think>"):
		return nil, "a stray think tag"
	case strings.Contains(trimmed, "```"):
		return nil, "a code fence"
	case trimmed == "":
		return nil, "an empty answer"
	case trimmed[0] != '{':
		return nil, "text in front of the object, or none"
	}
	d := jsontext.NewDecoder(bytes.NewReader([]byte(trimmed)))
	members = map[string]string{}
	d.ReadToken() // the brace
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, objectFault(err)
		}
		key := name.String()
		v, err := d.ReadValue()
		if err != nil {
			return nil, objectFault(err)
		}
		members[key] = string(bytes.TrimSpace(v))
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, objectFault(err)
	}
	switch rest := strings.TrimSpace(trimmed[d.InputOffset():]); {
	case rest == "":
		return members, ""
	case rest[0] == '{':
		return nil, "a second object"
	}
	return nil, "text behind the object"
}

func objectFault(err error) string {
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return "a member stands twice"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "the object does not end"
	}
	return "it is not JSON"
}

// responses: the third API answers the same question.
func (s *suite) responses() artifact.Gate {
	return tries(usual, "the Responses API answers and counts its tokens", func(i int) verdict {
		no := ticket("responses", i)
		b := map[string]any{"model": s.Model, "input": "Reply with this code and nothing else: " + no, "temperature": 0, "max_output_tokens": s.room(), "stream": false}
		if s.Effort != "" {
			b["reasoning"] = map[string]any{"effort": s.Effort}
		}
		r := s.ask(load.Responses, b, 0)
		if v, ok := s.fault(r); !ok {
			return v
		}
		switch {
		case !strings.Contains(r.text, no):
			return wrong("the code %s did not come back: %s", no, s.quote(r.text))
		case !r.Usage.Output.OK:
			return wrong("the answer does not count its tokens")
		}
		return verdict{}
	})
}
