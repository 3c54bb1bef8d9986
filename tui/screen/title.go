package screen

import (
	"github.com/charmbracelet/x/ansi"

	"pview/prv"
)

// longestTitle bounds the title of a window, in columns: no window is wider, and names of files may be long.
const longestTitle = 200

// Title makes a title for the terminal's window out of names of any origin: Bubble Tea sends it to the terminal as it
// is, so that an escape sequence in the name of a file would be obeyed there.
func Title(s string) string { return ansi.Truncate(prv.Clean(s), longestTitle, "…") }
