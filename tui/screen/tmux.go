// Kitty's graphics through tmux. tmux knows nothing of them: it passes on what is wrapped for the terminal outside
// (where its option allow-passthrough is on), and it moves, hides and redraws cells. So a picture is sent without a
// place, and its cells hold characters that stand for pieces of it: tmux takes them for text, the terminal draws the
// pieces.
//
// A placeholder is U+10EEEE. The number of the picture is its foreground, two combining marks are its line and column;
// without marks it is the piece to the right of the one in the cell before.

package screen

import (
	"github.com/charmbracelet/x/ansi/kitty"

	"pview/render/raster"
)

// CanPlace reports whether placeholders of a picture can be written: their foreground must arrive as it is, and there
// have marks for this number of lines only.
func CanPlace(profile raster.Profile, lines int) bool {
	return profile == raster.TrueColor && lines <= mostPlacedLines
}

// mostPlacedLines is the number of lines for which kitty has marks.
const mostPlacedLines = 297

// Place fills c with the placeholders of picture id.
func Place(c raster.Canvas, id int) {
	st := raster.Style{FG: raster.RGB(uint8(id>>16), uint8(id>>8), uint8(id))}
	c.Fill(raster.Cell{Rune: kitty.Placeholder, Style: st})
	for y := range c.H {
		c.Text(0, y, string([]rune{kitty.Placeholder, kitty.Diacritic(y), kitty.Diacritic(0)}), st)
	}
}
