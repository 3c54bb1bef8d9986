// Package acceptance checks that every acceptance check of a document has a test, and that the test exists and names
// the check. Each package keeps the table of its own tests.
package acceptance

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Table maps the numbers of a document's checks to their tests: "TestName", or "sim/driven TestName" for a test in
// another package of the module. Commas separate several tests.
type Table map[int]string

// Verify fails for each of the checks 1 to last that has no test, or one that does not exist or does not name the
// check: in its comment ("Check 12", "checks 3 to 5, 8 and 9"), in its name, or in a comment in it that begins with the
// number. root is the way from the test's package to the root of the module.
func Verify(t *testing.T, root string, last int, table Table) {
	t.Helper()
	folders := map[string]map[string]string{}
	for n := 1; n <= last; n++ {
		if table[n] == "" {
			t.Errorf("check %d has no test", n)
			continue
		}
		for what := range strings.SplitSeq(table[n], ", ") {
			folder, name, elsewhere := strings.Cut(what, " ")
			if !elsewhere {
				folder, name = "", what
			} else {
				folder = filepath.Join(root, folder)
			}
			if folders[folder] == nil {
				folders[folder] = tests(t, folder)
			}
			text, ok := folders[folder][name]
			switch {
			case !ok:
				t.Errorf("check %d: there is no test %s", n, what)
			case !names(text, n):
				t.Errorf("check %d: %s does not name it", n, what)
			}
		}
	}
}

// tests returns the texts of the tests of a folder, with their comments.
func tests(t *testing.T, folder string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, "Test") {
				from := fn.Pos()
				if fn.Doc != nil {
					from = fn.Doc.Pos()
				}
				all[fn.Name.Name] = string(source[from-f.FileStart : fn.End()-f.FileStart])
			}
		}
	}
	return all
}

var (
	// list follows the word check: numbers, ranges, and words between them.
	list = regexp.MustCompile(`(?i)checks? ?(\d+(?:(?:, | to |-| and |And|To|, and )\d+)*)`)
	part = regexp.MustCompile(`(\d+)(?:(?: to |-|To)(\d+))?`)
	line = regexp.MustCompile(`(?m)^\s*// (\d+)\b`)
)

// names reports whether a text names a check.
func names(text string, n int) bool {
	for _, m := range list.FindAllStringSubmatch(text, -1) {
		for _, p := range part.FindAllStringSubmatch(m[1], -1) {
			first, _ := strconv.Atoi(p[1])
			last := first
			if p[2] != "" {
				last, _ = strconv.Atoi(p[2])
			}
			if first <= n && n <= last {
				return true
			}
		}
	}
	for _, m := range line.FindAllStringSubmatch(text, -1) {
		if m[1] == strconv.Itoa(n) {
			return true
		}
	}
	return false
}
