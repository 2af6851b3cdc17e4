package web_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNothingInline looks through the templates and the code for what would put
// style, script or unescaped text into a page.
func TestNothingInline(t *testing.T) {
	banned := map[string]*regexp.Regexp{
		"a style attribute":   regexp.MustCompile(`\sstyle=`),
		"an event attribute":  regexp.MustCompile(`\son[a-z]+=`),
		"a style element":     regexp.MustCompile(`<style`),
		"an inline script":    regexp.MustCompile(`<script>|<script\s[^>]*>[^<]`),
		"unescaped text":      regexp.MustCompile(`templ\.Raw\b`),
		"a templ script":      regexp.MustCompile(`(?m)^script |templ\.JSFuncCall|templ\.JSUnsafeFuncCall`),
		"a templ style block": regexp.MustCompile(`(?m)^css `),
	}
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(p) != ".templ" {
			return err
		}
		b, err := os.ReadFile(p)
		for what, re := range banned {
			if at := re.FindIndex(b); at != nil {
				t.Errorf("%s: %s: %.60q", p, what, b[at[0]:])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestChartsAreDataOnly: no method that writes a page or a script is ever called, and
// no option holds code.
func TestChartsAreDataOnly(t *testing.T) {
	banned := map[string]bool{
		"RenderSnippet": true, "RenderContent": true, "FuncOpts": true, "FuncStripCommentsOpts": true, "JSONNotEscaped": true, "AddJSFuncs": true, "AddJSFuncStrs": true,
	}
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(p) != ".go" || strings.HasSuffix(p, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), p, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			of, _ := sel.X.(*ast.Ident)
			raw := sel.Sel.Name == "Raw" && of != nil && of.Name == "templ"
			if raw || banned[sel.Sel.Name] || sel.Sel.Name == "Render" && filepath.Dir(p) == "chart" {
				t.Errorf("%s: %s is called", p, sel.Sel.Name)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
