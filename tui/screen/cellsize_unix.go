//go:build unix

package screen

import (
	"io"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// cellSize returns the size of a terminal's cells in pixels, as the terminal has told the kernel; 0 if unknown. A
// border included in it is less than a pixel per column and row.
func cellSize(out io.Writer) (w, h int) {
	f, ok := out.(term.File)
	if !ok {
		return 0, 0
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil || size.Col == 0 || size.Row == 0 {
		return 0, 0
	}
	return int(size.Xpixel / size.Col), int(size.Ypixel / size.Row)
}
