package document

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pview/render/style"
)

// Definitions lays out names and their meanings in two columns. A name too long for the first has its own line.
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
		name, n := r[0], ansi.StringWidth(r[0])
		if n > width || r[1] == "" {
			b.WriteString("  " + name + "\n")
			name, n = "", 0
		}
		if r[1] == "" {
			continue
		}
		for _, line := range style.WrapWords(r[1], total-width-4) {
			fmt.Fprintf(&b, "  %s%*s  %s\n", name, width-n, "", line)
			name, n = "", 0
		}
	}
	return b.String()
}
