package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	long := strings.Repeat("word ", 30) // 150 columns: 24 words of 5 are 120 with the last blank, which is not needed
	filled := strings.TrimSpace(strings.Repeat("word ", 24))
	rest := strings.TrimSpace(strings.Repeat("word ", 6))
	for _, c := range []struct{ page, want string }{
		{"short\nlines stay\n", "short\nlines stay\n"},
		{long + "\n", filled + "\n" + rest + "\n"},
		{"- " + long, "- " + strings.TrimSpace(strings.Repeat("word ", 23)) + "\n  " +
			strings.TrimSpace(strings.Repeat("word ", 7))},
		{"```\n" + long + "\n```\n", "```\n" + long + "\n```\n"},
		{"| " + long + "|\n", "| " + long + "|\n"},
	} {
		if got := wrap(c.page); got != c.want {
			t.Errorf("%q\nbecomes\n%q\nnot\n%q", c.page, got, c.want)
		}
	}
}

// Prose has at most 120 columns in all pages, also in those that are written by hand.
func TestPages(t *testing.T) {
	pages, err := filepath.Glob("../*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(pages, "../../README.md", "../../CONTRIBUTING.md", "../../CHANGELOG.md") {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if wrap(string(page)) != string(page) {
			t.Errorf("%s has prose of more than %d columns", name, columns)
		}
	}
}
