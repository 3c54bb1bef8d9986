package prvtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Check is a numbered check of a page of the specification: the tests that make it, as FOLDER.TestName below the root
// of the repository, or why it cannot be tested.
type Check struct {
	Number int
	Tests  string // separated by blanks
	Why    string // why it is not tested
}

// Checks reports an error if a number from 1 to last has no entry, or an entry names a test that does not exist.
func Checks(t *testing.T, last int, list []Check) {
	t.Helper()
	known := map[string]string{}
	seen := map[int]bool{}
	for _, c := range list {
		if seen[c.Number] = true; c.Tests == "" && c.Why == "" {
			t.Errorf("check %d has neither a test nor a reason", c.Number)
		}
		for _, test := range strings.Fields(c.Tests) {
			folder, name, _ := strings.Cut(test, ".")
			text, ok := known[folder]
			if !ok {
				text = testsOf(t, filepath.Join(Root(), filepath.FromSlash(folder)))
				known[folder] = text
			}
			if !regexp.MustCompile(`(?m)^func ` + regexp.QuoteMeta(name) + `\(`).MatchString(text) {
				t.Errorf("check %d: there is no test %s", c.Number, test)
			}
		}
	}
	for n := 1; n <= last; n++ {
		if !seen[n] {
			t.Errorf("check %d is missing", n)
		}
	}
	if len(list) != last {
		t.Errorf("%d entries for %d checks", len(list), last)
	}
}

// testsOf returns the text of a package's tests.
func testsOf(t *testing.T, dir string) string {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	all := ""
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all += string(text)
	}
	return all
}
