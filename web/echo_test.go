package web

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Two reports on echo have no mended release of its version 4. .ci/vuln-exceptions says
// that nothing here uses what they are about; this holds it.
func TestUnusedPartsOfEcho(t *testing.T) {
	refused := []string{"RealIP", "RateLimiter", "Proxy", "IPExtractor", "ExtractIPFrom"}
	files := 0
	for _, root := range []string{".", "../cmd"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, path, nil, 0)
			if err != nil {
				return err
			}
			files++
			ast.Inspect(f, func(n ast.Node) bool {
				s, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				of, _ := s.X.(*ast.Ident)
				for _, word := range refused {
					if strings.HasPrefix(s.Sel.Name, word) && (word == "RealIP" || of != nil && (of.Name == "middleware" || of.Name == "echo")) {
						t.Errorf("%s: %s is what .ci/vuln-exceptions says is not used", set.Position(s.Pos()), s.Sel.Name)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 50 {
		t.Fatalf("%d files were looked at", files)
	}
}
