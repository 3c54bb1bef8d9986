package screen

import (
	"github.com/charmbracelet/x/ansi"

	"pview/prv"
)

// longestTitle limits the title of a window, in columns: no window is wider, and names of files may be long.
const longestTitle = 200

// Title makes a title for the terminal's window from names of any source: Bubble Tea sends it to the terminal
// unchanged, which would obey an escape sequence in the name of a file.
func Title(s string) string { return ansi.Truncate(prv.Clean(s), longestTitle, "…") }
