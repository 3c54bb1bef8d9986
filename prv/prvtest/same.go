package prvtest

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// SameText compares two texts line by line. The wanted lines may be indented by tabs, like the source around them.
func SameText(t testing.TB, got, want string) {
	t.Helper()
	lines := func(text string) []string {
		list := strings.Split(strings.Trim(text, "\n\t"), "\n")
		for i := range list {
			list[i] = strings.TrimRight(strings.TrimLeft(list[i], "\t"), " ")
		}
		return list
	}
	is, should := lines(got), lines(want)
	for i := range max(len(is), len(should)) {
		if i == len(is) || i == len(should) || is[i] != should[i] {
			t.Errorf("line %d of\n%s\nwant\n%s", i+1, strings.Join(is, "\n"), strings.Join(should, "\n"))
			return
		}
	}
}

var decimals = regexp.MustCompile(`-?\b\d+\.\d+(e[-+]\d+)?|-0\b`)

// Rounded shortens the decimals in a text to six digits: processors differ in the last ones.
func Rounded(text string) string {
	return decimals.ReplaceAllStringFunc(text, func(s string) string {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || v == 0 {
			return "0"
		}
		return strconv.FormatFloat(v, 'g', 6, 64)
	})
}

// SameFile compares a text with a file line by line.
func SameFile(t testing.TB, path, got string) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
	}
	SameText(t, got, string(want))
}

// SameSection compares a text with a section of a file line by line. A section begins with a line of === and its name.
func SameSection(t testing.TB, path, name, got string) {
	t.Helper()
	all, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
	}
	head := "=== " + name + "\n"
	_, want, _ := strings.Cut("\n"+string(all), "\n"+head)
	want, _, _ = strings.Cut(want, "\n=== ")
	SameText(t, head+got, head+want)
}
