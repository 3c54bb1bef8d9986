// mutate puts small faults into the code, one at a time, and reports those that the package's own tests do not notice.
// A surviving fault calls for a test, unless the changed code is equivalent.
//
//	go run ./docs/mutate -n 20 ./filter ./sim/...
//
// Faults are drawn with -seed, -n for each package; go test -overlay sees the changed file, and the tree is unchanged.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

// swaps are the replacements of operators: bounds off by one, inverted conditions and signs.
var swaps = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
}

// A fault is one change of a file.
type fault struct {
	file string
	line int
	what string
	text []byte
}

// Package is the output of go list for a package.
type Package struct {
	Dir, ImportPath      string
	GoFiles, TestGoFiles []string
	XTestGoFiles         []string
}

func main() {
	n := flag.Int("n", 10, "faults of each package")
	seed := flag.Uint64("seed", 1, "seed of the choice of faults")
	limit := flag.Duration("limit", 2*time.Minute, "time of a package's tests; a fault that takes longer is noticed")
	flag.Parse()
	ctx := context.Background()
	packages, err := list(ctx, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
	var caught, all int
	for _, p := range packages {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			fmt.Printf("%s: no tests\n", p.ImportPath)
			continue
		}
		c, a, err := try(ctx, p, *n, *seed, *limit)
		if err != nil {
			fmt.Fprintln(os.Stderr, "mutate:", err)
			os.Exit(1)
		}
		fmt.Printf("%s: %d of %d noticed\n", p.ImportPath, c, a)
		caught, all = caught+c, all+a
	}
	if all > 0 {
		fmt.Printf("total: %d of %d noticed, %.0f %%\n", caught, all, 100*float64(caught)/float64(all))
	}
}

// list returns the packages of patterns.
func list(ctx context.Context, patterns []string) ([]Package, error) {
	out, err := exec.CommandContext(ctx, "go", append([]string{"list", "-json"}, patterns...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []Package
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p Package
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		all = append(all, p)
	}
}

// try runs the tests of a package with n faults, and returns the number noticed and the total. A fault that does not
// compile is replaced by another one.
func try(ctx context.Context, p Package, n int, seed uint64, limit time.Duration) (caught, all int, err error) {
	var faults []fault
	for _, name := range p.GoFiles {
		f, err := faultsOf(filepath.Join(p.Dir, name))
		if err != nil {
			return 0, 0, err
		}
		faults = append(faults, f...)
	}
	sort.Slice(faults, func(i, j int) bool {
		a, b := faults[i], faults[j]
		return a.file < b.file || a.file == b.file && (a.line < b.line || a.line == b.line && a.what < b.what)
	})
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(faults), func(i, j int) { faults[i], faults[j] = faults[j], faults[i] })
	for _, f := range faults {
		if all == n {
			break
		}
		survives, compiles, err := run(ctx, p, f, limit)
		switch {
		case err != nil:
			return 0, 0, err
		case !compiles:
			continue
		case survives:
			name, err := filepath.Rel(p.Dir, f.file)
			if err != nil {
				name = f.file
			}
			fmt.Printf("%s/%s:%d: %s\n", p.ImportPath, name, f.line, f.what)
		default:
			caught++
		}
		all++
	}
	return caught, all, nil
}

// run runs the tests of a package with a fault in it.
func run(ctx context.Context, p Package, f fault, limit time.Duration) (survives, compiles bool, err error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return false, false, err
	}
	defer os.RemoveAll(dir)
	changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	table, err := json.Marshal(map[string]map[string]string{"Replace": {f.file: changed}})
	if err != nil {
		return false, false, err
	}
	if err := errors.Join(os.WriteFile(changed, f.text, 0o644), os.WriteFile(overlay, table, 0o644)); err != nil {
		return false, false, err
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-short", "-vet=off", "-count=1", "-failfast",
		"-timeout="+limit.String(), "-overlay="+overlay, p.ImportPath)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return true, true, nil
	case !errors.As(err, &exit):
		return false, false, err
	}
	return false, !bytes.Contains(out, []byte("[build failed]")) && !bytes.Contains(out, []byte("[setup failed]")), nil
}

// faultsOf returns the faults of a file: operators swapped, and numbers off by one.
func faultsOf(file string) ([]fault, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, file, source, parser.ParseComments)
	if err != nil || ast.IsGenerated(tree) {
		return nil, err
	}
	var faults []fault
	add := func(pos token.Pos, old, now string) {
		at := files.Position(pos)
		text := bytes.Join([][]byte{source[:at.Offset], []byte(now), source[at.Offset+len(old):]}, nil)
		if _, err := format.Source(text); err == nil {
			line, _, _ := strings.Cut(string(source[at.Offset-at.Column+1:]), "\n")
			what := fmt.Sprintf("column %d: %s as %s in %s", at.Column, old, now, strings.TrimSpace(line))
			faults = append(faults, fault{file, at.Line, what, text})
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok != token.IMPORT
		case *ast.BinaryExpr:
			if now, ok := swaps[n.Op]; ok {
				add(n.OpPos, n.Op.String(), now.String())
			}
		case *ast.BasicLit:
			if n.Kind == token.INT && (n.Value == "0" || n.Value == "1" || n.Value == "2") {
				add(n.Pos(), n.Value, string(n.Value[0]+1))
			}
		case *ast.IncDecStmt:
			add(n.TokPos, n.Tok.String(), map[token.Token]string{token.INC: "--", token.DEC: "++"}[n.Tok])
		}
		return true
	})
	return faults, nil
}
