// Kitty's graphics through tmux. tmux does not know them: it passes on sequences wrapped for the outer terminal (if its
// option allow-passthrough is on), and it moves, hides and redraws cells. So a picture is sent without a place, and its
// cells hold placeholder characters: tmux treats them as text, the terminal draws pieces of the picture.
//
// A placeholder is U+10EEEE. Its foreground is the number of the picture, two combining marks are the line and column
// of the piece; without marks it is the piece to the right of the previous cell's.

package screen

import (
	"github.com/charmbracelet/x/ansi/kitty"

	"pview/render/raster"
)

// CanPlace reports whether placeholders of a picture can be written: the terminal must show their exact foreground, and
// there must be marks for all lines.
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
