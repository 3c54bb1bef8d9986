package raster

import (
	"cmp"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Attr is a set of text attributes.
type Attr uint8

// The attributes.
const (
	Bold Attr = 1 << iota
	Faint
	Underline
	Reverse
	Italic
)

// Style is the look of a cell, apart from its text.
type Style struct {
	FG, BG Color
	Attr   Attr
}

// Cell is one character position of a canvas.
type Cell struct {
	// Rune is the character. 0 is the second half of the wide character in the cell to the left. Negative values are
	// grapheme clusters of several runes, which the canvas keeps (see Canvas.Grapheme).
	Rune rune
	Style
}

// Canvas is a rectangle of cells: W columns by H lines. Drawing outside is clipped, never an error. A Canvas is a view:
// copies and sub-canvases share its cells.
type Canvas struct {
	W, H int
	// Ellipsis ends text that TextIn has cut; 0 means '~'.
	Ellipsis rune

	stride   int
	cells    []Cell
	clusters *[]string
}

// NewCanvas returns a canvas of blanks. Sizes below 0 count as 0.
func NewCanvas(w, h int) Canvas {
	var c Canvas
	c.Resize(w, h)
	return c
}

// Resize makes c a canvas of blanks of the given size, reusing its memory if that suffices. Sub-canvases of the old one
// become invalid.
func (c *Canvas) Resize(w, h int) {
	w, h = max(w, 0), max(h, 0)
	if cap(c.cells) < w*h {
		c.cells = make([]Cell, w*h)
	}
	c.W, c.H, c.stride, c.cells = w, h, w, c.cells[:w*h]
	if c.clusters == nil {
		c.clusters = new([]string)
	}
	*c.clusters = (*c.clusters)[:0]
	c.Clear()
}

// Clear makes all cells blanks in the default colours.
func (c Canvas) Clear() { c.Fill(Cell{Rune: ' '}) }

// Fill sets all cells to the given one.
func (c Canvas) Fill(cell Cell) {
	for y := range c.H {
		row := c.Line(y)
		for x := range row {
			row[x] = cell
		}
	}
}

// Line returns the cells of line y, to be read or written; nil outside.
func (c Canvas) Line(y int) []Cell {
	if y < 0 || y >= c.H {
		return nil
	}
	return c.cells[y*c.stride : y*c.stride+c.W : y*c.stride+c.W]
}

// At returns the cell at column x of line y; a blank outside.
func (c Canvas) At(x, y int) Cell {
	if x < 0 || x >= c.W || y < 0 || y >= c.H {
		return Cell{Rune: ' '}
	}
	return c.cells[y*c.stride+x]
}

// Set sets the cell at column x of line y.
func (c Canvas) Set(x, y int, cell Cell) {
	if x >= 0 && x < c.W && y >= 0 && y < c.H {
		c.cells[y*c.stride+x] = cell
	}
}

// Sub returns the part of c that begins at column x of line y and is w by h, clipped to c. It shares its cells with c.
func (c Canvas) Sub(x, y, w, h int) Canvas {
	if x < 0 {
		w, x = w+x, 0
	}
	if y < 0 {
		h, y = h+y, 0
	}
	w, h = min(w, c.W-x), min(h, c.H-y)
	if w <= 0 || h <= 0 {
		return Canvas{clusters: c.clusters}
	}
	return Canvas{W: w, H: h, Ellipsis: c.Ellipsis, stride: c.stride, cells: c.cells[y*c.stride+x:],
		clusters: c.clusters}
}

// Within returns the position of c in a canvas that contains it.
func (c Canvas) Within(base Canvas) Rect {
	at := cap(base.cells) - cap(c.cells)
	return Rect{X: at % max(base.stride, 1), Y: at / max(base.stride, 1), W: c.W, H: c.H}
}

// CopyFrom copies to c the cells of src that fit.
func (c Canvas) CopyFrom(src Canvas) {
	for y := range min(c.H, src.H) {
		line := c.Line(y)
		n := copy(line, src.Line(y))
		for x, cell := range line[:n] {
			if cell.Rune < 0 {
				line[x].Rune = c.intern(src.Grapheme(cell))
			}
		}
	}
}

// Grapheme returns the text that the cell shows: "" for the second half of a wide character.
func (c Canvas) Grapheme(cell Cell) string {
	switch {
	case cell.Rune > 0:
		return string(cell.Rune)
	case cell.Rune < 0 && c.clusters != nil && int(^cell.Rune) < len(*c.clusters):
		return (*c.clusters)[^cell.Rune]
	}
	return ""
}

// Text writes s from column x of line y and returns the column after it. It
// keeps wide characters and combining marks together, draws control characters
// as blanks, and stops at the right edge.
func (c Canvas) Text(x, y int, s string, st Style) int {
	for len(s) > 0 {
		var r rune
		n, w := 1, 1
		if b := s[0]; b < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
			r = rune(b)
		} else {
			var g string
			g, w = ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
			n = max(len(g), 1)
			r = c.intern(g)
		}
		if r >= 0 && r < ' ' || r == 0x7f || r == utf8.RuneError {
			r, w = ' ', 1
		}
		s = s[n:]
		if w == 0 {
			continue // a lone combining mark has no cell
		}
		if x+w > c.W {
			if x < c.W {
				c.Set(x, y, Cell{' ', st}) // half of a wide character
			}
			return c.W
		}
		if x >= 0 {
			c.Set(x, y, Cell{r, st})
			for i := 1; i < w; i++ {
				c.Set(x+i, y, Cell{0, st})
			}
		}
		x += w
	}
	return x
}

// intern returns the cell value for a grapheme cluster.
func (c Canvas) intern(g string) rune {
	r, n := utf8.DecodeRuneInString(g)
	if n >= len(g) || c.clusters == nil {
		return r
	}
	for i, have := range *c.clusters {
		if have == g {
			return ^rune(i)
		}
	}
	*c.clusters = append(*c.clusters, g)
	return ^rune(len(*c.clusters) - 1)
}

// TextIn writes s into the w columns from x of line y: cut with an ellipsis if it is longer, padded with blanks if it
// is shorter; right-aligned if right is set.
func (c Canvas) TextIn(x, y, w int, s string, st Style, right bool) {
	if w <= 0 {
		return
	}
	n := TextWidth(s)
	if n > w {
		s = ansi.Truncate(s, w, string(cmp.Or(c.Ellipsis, '~')))
		n = TextWidth(s)
	}
	sub := c.Sub(x, y, w, 1)
	sub.Fill(Cell{' ', st})
	if right {
		sub.Text(sub.W-n, 0, s, st)
	} else {
		sub.Text(0, 0, s, st)
	}
}

// TextWidth returns the number of columns that s takes.
func TextWidth(s string) int {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] < ' ' {
			return ansi.StringWidth(s)
		}
	}
	return len(s)
}

// Box draws a frame along the edges of c.
func (c Canvas) Box(g *Glyphs, st Style) {
	if c.W < 2 || c.H < 2 {
		return
	}
	right, bottom := c.W-1, c.H-1
	for x := 1; x < right; x++ {
		c.Set(x, 0, Cell{g.Horizontal, st})
		c.Set(x, bottom, Cell{g.Horizontal, st})
	}
	for y := 1; y < bottom; y++ {
		c.Set(0, y, Cell{g.Vertical, st})
		c.Set(right, y, Cell{g.Vertical, st})
	}
	c.Set(0, 0, Cell{g.TopLeft, st})
	c.Set(right, 0, Cell{g.TopRight, st})
	c.Set(0, bottom, Cell{g.BottomLeft, st})
	c.Set(right, bottom, Cell{g.BottomRight, st})
}
