// Looks of the low values if colours are few: values with different colours look different with 256 and with 16
// colours, too.
//
// Values choose one after the other: with 256 colours the nearest entry that differs enough from those taken, with 16 a
// named colour that suits the value's meaning, then such a colour with a texture.

package raster

import (
	"math"
	"slices"
	"sync"
)

// looks returns the looks of the low values in a profile with few colours.
func (p *Palette) looks(l Look) *[lowValues]Cell {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if t, ok := p.poor[l]; ok {
		return t
	}
	c := chooser{Look: l, palette: p}
	for i := range lowValues {
		v := i
		if p.order != nil {
			v = p.order[i]
		}
		c.choose(v)
	}
	if p.poor == nil {
		p.poor = map[Look]*[lowValues]Cell{}
	}
	p.poor[l] = &c.cells
	return &c.cells
}

// chooser gives the low values of a palette their looks.
type chooser struct {
	Look
	palette *Palette
	cells   [lowValues]Cell
	chosen  []int // the values that have chosen their looks
}

func (c *chooser) choose(v int) {
	low := c.palette.low
	if i := slices.IndexFunc(c.chosen, func(w int) bool { return low[w] == low[v] }); i >= 0 {
		c.cells[v] = c.cells[c.chosen[i]]
		return
	}
	if c.Profile == ANSI16 {
		c.cells[v] = c.choose16(v)
	} else {
		c.cells[v] = Cell{' ', Style{BG: c.choose256(c.Theme.visible(low[v]))}}
	}
	c.chosen = append(c.chosen, v)
}

// separations are the minimum distances between two values' colours with 256 colours; if the palette has no such colour
// left, the next distance applies.
var separations = [...]int{44 * 44, 20 * 20, 1}

// choose256 returns the entry of the 256-colour palette nearest to want that is far enough from those taken.
func (c *chooser) choose256(want Color) Color {
	for _, apart := range separations {
		best, least := NoColor, math.MaxInt
		for _, e := range entries256() {
			if d := distance(want, e); d < least && c.free(e, apart) {
				best, least = e, d
			}
		}
		if best.IsSet() {
			return best
		}
	}
	return want
}

func (c *chooser) free(e Color, apart int) bool {
	return !slices.ContainsFunc(c.chosen, func(v int) bool { return distance(c.cells[v].BG, e) < apart })
}

// entries256 returns the entries of the 256-colour palette that map to themselves.
var entries256 = sync.OnceValue(func() (list []Color) {
	for i := 16; i < 256; i++ {
		if c := Palette256(i); Palette256(int(c.Nearest256())) == c {
			list = append(list, c)
		}
	}
	return list
})

// choose16 returns the first free look of a value: plain, then with each texture.
func (c *chooser) choose16(v int) (cell Cell) {
	hues := c.palette.hues[v]
	if hues == nil {
		hues = []uint8{c.palette.low[v].Nearest16()}
	}
	near := c.palette.low[v]&nearBackground != 0
	for _, texture := range append([]rune{' '}, c.Glyphs.Textures...) {
		for _, hue := range hues {
			bg := named[hue]
			cell = Cell{texture, Style{BG: bg}}
			switch {
			case near && texture == ' ':
				cell = Cell{c.Glyphs.Empty, Style{FG: c.Theme.Dim}}
			case near:
				cell = Cell{texture, Style{FG: c.Theme.Dim}}
			case texture != ' ':
				cell.FG = bg.Contrast()
			}
			if !slices.ContainsFunc(c.chosen, func(w int) bool { return c.cells[w] == cell }) {
				return cell
			}
		}
	}
	return cell
}
