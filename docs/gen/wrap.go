package main

import (
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// columns is the width of prose in docs/. Tables, code and pictures may be wider.
const columns = 120

// listItem matches the marker of a list item.
var listItem = regexp.MustCompile(`^ *([-*+]|\d+\.) +`)

// wrap re-flows the paragraphs and list items of a Markdown page with a line longer than columns.
func wrap(page string) string {
	var out, paragraph []string
	flush := func() {
		out = append(out, reflow(paragraph)...)
		paragraph = nil
	}
	fenced := false
	for line := range strings.SplitSeq(page, "\n") {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence, fenced, line == "", strings.HasPrefix(line, "|"), strings.HasPrefix(line, "#"),
			strings.HasPrefix(line, "<"), strings.HasPrefix(line, "!["):
			flush()
			out = append(out, line)
		case listItem.MatchString(line):
			flush()
			paragraph = []string{line}
		default:
			paragraph = append(paragraph, line)
		}
		fenced = fenced != fence
	}
	flush()
	return strings.Join(out, "\n")
}

// reflow returns the lines of a paragraph, filled again if one of them is too long.
func reflow(lines []string) []string {
	long := false
	for _, line := range lines {
		long = long || ansi.StringWidth(line) > columns
	}
	if !long {
		return lines
	}
	marker := listItem.FindString(lines[0])
	indent := strings.Repeat(" ", len(marker))
	if marker == "" {
		indent = lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], " "))]
	}
	words := strings.Fields(strings.TrimPrefix(strings.Join(lines, " "), marker))
	if marker == "" {
		marker = indent
	}
	out, line := []string{}, marker
	for _, word := range words {
		if line != marker && line != indent && ansi.StringWidth(line)+1+ansi.StringWidth(word) > columns {
			out, line = append(out, line), indent
		}
		if line != marker && line != indent {
			line += " "
		}
		line += word
	}
	return append(out, line)
}
