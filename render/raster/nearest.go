// Nearest colours of the small palettes.
//
// Pictures have few colours but many cells: each colour's nearest palette entry is computed once per 15-bit cube (5
// bits per channel are about what the palettes resolve) and kept in two tables that are built on first use, in about a
// millisecond each.

package raster

import "sync"

var nearestTables struct {
	once256, once16 sync.Once
	c256, c16       [1 << 15]uint8
}

// cube returns the number of the cube that contains a colour.
func cube(c Color) int {
	return int(c>>9&0x7c00 | c>>6&0x3e0 | c>>3&0x1f)
}

// uncube returns a colour of a cube; black and white represent their cubes.
func uncube(i int) Color {
	widen := func(v int) uint8 { return uint8(v<<3 | v>>2) }
	return RGB(widen(i>>10&31), widen(i>>5&31), widen(i&31))
}

// Nearest256 returns the nearest entry of the 256-colour palette, except the first 16, which users redefine.
func (c Color) Nearest256() uint8 {
	t := &nearestTables
	t.once256.Do(func() {
		for i := range t.c256 {
			t.c256[i] = nearest256(uncube(i))
		}
	})
	return t.c256[cube(c)]
}

// Nearest16 returns the nearest of the 16 named colours.
func (c Color) Nearest16() uint8 {
	t := &nearestTables
	t.once16.Do(func() {
		for i := range t.c16 {
			t.c16[i] = nearest16(uncube(i))
		}
	})
	return t.c16[cube(c)]
}

// nearest256 compares the nearest grey with the nearest corner of the 6x6x6 cube.
func nearest256(c Color) uint8 {
	r, g, b := c.RGB()
	level := func(v uint8) int {
		if v < 48 {
			return 0
		}
		return max(1, (int(v)-35)/40)
	}
	corner := 16 + 36*level(r) + 6*level(g) + level(b)
	grey := 232 + min(23, max(0, (c.Luma()-3)/10))
	if distance(c, Palette256(grey)) < distance(c, Palette256(corner)) {
		return uint8(grey)
	}
	return uint8(corner)
}

// nearest16 returns the nearest of the 16 named colours, but keeps saturated colours from turning grey: a mixture such
// as orange is nearer to grey than to yellow, but looks yellow.
func nearest16(c Color) uint8 {
	r, g, b := c.RGB()
	colourful := int(max(r, g, b))-int(min(r, g, b)) > 64
	best, least := 0, int(^uint(0)>>1)
	for i := range 16 {
		p := Palette256(i)
		pr, pg, pb := p.RGB()
		if colourful && pr == pg && pg == pb {
			continue
		}
		if d := distance(c, p); d < least {
			best, least = i, d
		}
	}
	return uint8(best)
}

// Palette256 returns entry i of the 256-colour palette: 16 named colours (with
// the values that xterm gives them), a 6x6x6 cube, 24 greys.
func Palette256(i int) Color {
	switch {
	case i < 16:
		return named[i&15]
	case i < 232:
		i -= 16
		level := func(v int) uint8 {
			if v == 0 {
				return 0
			}
			return uint8(55 + 40*v)
		}
		return RGB(level(i/36), level(i/6%6), level(i%6))
	}
	v := uint8(8 + 10*(i-232))
	return RGB(v, v, v)
}

var named = [16]Color{
	RGB(0, 0, 0), RGB(205, 0, 0), RGB(0, 205, 0), RGB(205, 205, 0),
	RGB(0, 0, 238), RGB(205, 0, 205), RGB(0, 205, 205), RGB(229, 229, 229),
	RGB(127, 127, 127), RGB(255, 0, 0), RGB(0, 255, 0), RGB(255, 255, 0),
	RGB(92, 92, 255), RGB(255, 0, 255), RGB(0, 255, 255), RGB(255, 255, 255),
}
