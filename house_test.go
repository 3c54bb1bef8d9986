package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// floors maps each room to the rooms that it may import besides itself, as in the map of CONTRIBUTING.md.
var floors = map[string][]string{
	"prv":      {},
	"filter":   {"prv"},
	"semantic": {"filter", "prv"},
	"sim":      {"filter", "prv"},
	"insight":  {"semantic", "sim", "filter", "prv"},
	"render":   {"insight", "semantic", "sim", "filter", "prv"},
	"tui":      {"render", "insight", "semantic", "sim", "filter", "prv"},
	"cli":      {"tui", "render", "insight", "semantic", "sim", "filter", "prv", "testdata"},
}

const (
	mostLines   = 5000 // of a package, without its tests
	mostMethods = 60   // of a type
	mostWays    = 20   // through a function: its cyclomatic complexity
)

// Imports point down, Bubble Tea stays on the upper two floors, the map names each room, and no package, type or
// function is too large for one person to know.
func TestHouse(t *testing.T) {
	lines, methods := map[string]int{}, map[string]int{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		lines[dir] += bytes.Count(text, []byte("\n"))
		file, err := parser.ParseFile(token.NewFileSet(), path, text, 0)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			checkImport(t, path, spec)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := waysThrough(f); n > mostWays {
				t.Errorf("%s: %s has complexity %d, more than %d", path, f.Name.Name, n, mostWays)
			}
			if f.Recv != nil {
				methods[dir+"."+receiverOf(f)]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	rooms, err := os.ReadFile("CONTRIBUTING.md") // its map names them all
	if err != nil {
		t.Fatal(err)
	}
	for dir, n := range lines {
		room, name, _ := strings.Cut(dir, "/")
		if floors[room] != nil && !strings.Contains(name, "/") && !bytes.Contains(rooms, []byte(name+"`")) {
			t.Errorf("CONTRIBUTING.md does not say what %s is for", dir)
		}
		if n > mostLines {
			t.Errorf("package %s has %d lines, more than %d", dir, n, mostLines)
		}
	}
	for name, n := range methods {
		if n > mostMethods {
			t.Errorf("type %s has %d methods, more than %d", name, n, mostMethods)
		}
	}
}

func checkImport(t *testing.T, path string, spec *ast.ImportSpec) {
	t.Helper()
	name, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		t.Fatal(err)
	}
	room, _, _ := strings.Cut(filepath.ToSlash(path), "/")
	below, known := floors[room]
	if !known {
		return
	}
	if strings.HasPrefix(name, "charm.land/bubble") && room != "tui" && room != "cli" {
		t.Errorf("%s imports %s", path, name)
	}
	if own, ok := strings.CutPrefix(name, "pview/"); ok {
		to, _, _ := strings.Cut(own, "/")
		if to != room && !slices.Contains(below, to) {
			t.Errorf("%s imports %s, which is not below %s", path, name, room)
		}
	}
}

// receiverOf returns the name of a method's type.
func receiverOf(f *ast.FuncDecl) string {
	expr := f.Recv.List[0].Type
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}

// waysThrough returns the cyclomatic complexity of a function and the closures in it, as gocyclo counts it.
func waysThrough(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(node ast.Node) bool {
		switch x := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if x.List != nil {
				n++
			}
		case *ast.CommClause:
			if x.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}
