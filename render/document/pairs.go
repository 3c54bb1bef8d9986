package document

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pview/render/style"
)

// Definitions lays out names and their meanings in two columns. A name too long for the first
// has its own line.
func Definitions(rows [][2]string, total int) string {
	const longest = 28
	width := 0
	for _, r := range rows {
		if n := ansi.StringWidth(r[0]); n <= longest {
			width = max(width, n)
		}
	}
	var b strings.Builder
	for _, r := range rows {
		meaning := style.WrapWords(r[1], total-width-4)
		if r[1] == "" {
			fmt.Fprintf(&b, "  %s\n", r[0])
			continue
		}
		if ansi.StringWidth(r[0]) > width {
			fmt.Fprintf(&b, "  %s\n", r[0])
		} else {
			fmt.Fprintf(&b, "  %-*s  %s\n", width, r[0], meaning[0])
			meaning = meaning[1:]
		}
		for _, m := range meaning {
			fmt.Fprintf(&b, "  %*s  %s\n", width, "", m)
		}
	}
	return b.String()
}
