package prompt

// language is what a made-up source file is put together from. A function is a head, some
// statements and an end; all share the piece's words.
type language struct {
	name                    string // ending of its files
	head, body, foot, short []pattern
}

// Two languages, by turns.
var languages = [2]language{
	{
		name: "go",
		head: patterns([]string{
			"// {{deed}}{{A}} takes the {{adj}} {{a}} of every {{b}} and its {{noun}}.\nfunc {{deed}}{{A}}({{b}} []{{C}}, {{d}} int) (int, error) {\n\t{{e}} := {{2}}\n",
			"// {{deed}}{{B}} is {{adj}} when the {{noun}} has a {{b}}.\nfunc ({{a}} *{{A}}) {{deed}}{{B}}({{d}} int, {{b}} []{{C}}) (int, error) {\n\t{{e}} := {{a}}.{{noun}}\n",
			"func {{deed}}{{C}}{{D}}({{d}} int, {{b}} ...{{C}}) (int, error) { // for the {{adj}} {{noun}}\n\t{{e}} := {{d}} + {{1}}\n",
		}),
		body: patterns([]string{
			"\tfor {{f}}, {{a}} := range {{b}} {\n\t\tif {{a}}.{{noun}} > {{3}} {\n\t\t\t{{e}} += {{f}} * {{1}}\n\t\t}\n\t}\n",
			"\tif {{d}} < {{2}} {\n\t\treturn {{e}}, errors.New(\"{{adj}} {{noun}} in {{c}}\")\n\t}\n",
			"\t{{c}}{{F}} := len({{b}}) - {{d}} // {{adj}}\n\t{{e}} = max({{e}}, {{c}}{{F}})\n",
			"\tswitch {{d}} % {{1}} {\n\tcase 0:\n\t\t{{e}} -= {{2}} // the {{adj}} {{noun}}\n\tdefault:\n\t\t{{d}}++\n\t}\n",
			"\tif err := {{deed}}{{E}}({{b}}, {{e}}); err != nil {\n\t\treturn 0, fmt.Errorf(\"{{deed}} {{noun}}: %w\", err)\n\t}\n",
			"\t{{b}} = append({{b}}, new{{C}}({{3}}, {{d}})) // {{adj}} {{noun}}\n",
			"\tdefer {{deed}}{{F}}({{d}}, \"{{noun}} {{noun}}\")\n",
		}),
		foot:  patterns([]string{"\treturn {{e}}, nil\n}\n\n", "\treturn {{e}} + {{d}}, nil\n}\n\n", "\treturn min({{e}}, {{3}}), nil\n}\n\n"}),
		short: patterns([]string{"const {{noun}}{{A}} = {{3}}\n", "var {{adj}}{{B}} {{C}}\n", "type {{A}}{{B}} struct{ {{noun}}, {{c}} int }\n"}),
	},
	{
		name: "py",
		head: patterns([]string{
			"def {{deed}}_{{a}}({{b}}, {{d}}={{2}}):\n    \"\"\"Return the {{adj}} {{a}} of each {{noun}}.\"\"\"\n    {{e}} = {{1}}\n",
			"def {{deed}}_{{noun}}_{{c}}({{b}}, {{d}}):\n    # {{adj}} {{noun}} first\n    {{e}} = len({{b}})\n",
		}),
		body: patterns([]string{
			"    for {{f}}, {{a}} in enumerate({{b}}):\n        if {{a}}.{{noun}} > {{3}}:\n            {{e}} += {{f}} * {{d}}\n",
			"    if {{d}} < {{2}}:\n        raise ValueError(\"{{adj}} {{noun}} in {{c}}\")\n",
			"    {{c}}_{{f}} = [{{a}} for {{a}} in {{b}} if {{a}}.{{thing}} != {{2}}]\n    {{e}} = max({{e}}, len({{c}}_{{f}}))\n",
			"    {{e}} -= {{deed}}_{{noun}}({{b}}, {{d}} % {{1}})\n",
			"    {{b}}.append({\"{{noun}}\": {{3}}, \"{{thing}}\": {{d}}})\n",
			"    while {{e}} > {{3}}:  # until {{adj}}\n        {{e}} = {{e}} // {{1}} - {{d}}\n",
		}),
		foot:  patterns([]string{"    return {{e}}\n\n\n", "    return {{e}} + {{d}}\n\n\n", "    return min({{e}}, {{3}})\n\n\n"}),
		short: patterns([]string{"{{noun}}_{{a}} = {{3}}\n", "{{adj}}_{{b}} = [{{2}}, {{3}}]\n", "{{a}}_{{b}} = dict({{noun}}={{2}})\n"}),
	},
}

// function appends one function in a language.
func (a *author) function(language int) {
	l, bound := &languages[language], bind(&a.hand)
	render := func(p pattern) { a.text = p.render(a.text, &a.hand, &bound) }
	render(l.head[a.below(len(l.head))])
	for range 2 + a.below(3) {
		render(a.hand.body[language].deal(&a.draws))
	}
	render(l.foot[a.below(len(l.foot))])
}

// declaration appends one short line in a language.
func (a *author) declaration(language int) {
	l, bound := &languages[language], bind(&a.hand)
	a.text = l.short[a.below(len(l.short))].render(a.text, &a.hand, &bound)
}
