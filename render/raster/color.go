package raster

import (
	"math"

	"pview/prv"
)

// Color is a colour of a cell: none (the terminal's default) or a 24-bit RGB
// value. The zero value is none.
type Color uint32

// NoColor is the terminal's default foreground or background.
const NoColor Color = 0

const colorSet = 1 << 24 // distinguishes black from "none"

// RGB returns the colour with the given components.
func RGB(r, g, b uint8) Color {
	return colorSet | Color(r)<<16 | Color(g)<<8 | Color(b)
}

// FromPRV returns the Color for a colour of a .pcf.
func FromPRV(c prv.RGB) Color { return RGB(c.R, c.G, c.B) }

// IsSet reports whether c is a colour, not the terminal's default.
func (c Color) IsSet() bool { return c != NoColor }

// RGB returns the components; all 0 for NoColor.
func (c Color) RGB() (r, g, b uint8) { return uint8(c >> 16), uint8(c >> 8), uint8(c) }

// Luma returns the perceived brightness in 0..255 (weights of ITU-R BT.601).
func (c Color) Luma() int {
	r, g, b := c.RGB()
	return (299*int(r) + 587*int(g) + 114*int(b)) / 1000
}

// Blend returns the mixture of c and d: c at share 0, d at share 1, channel by
// channel in between. A colour that is not set yields the other one.
func (c Color) Blend(d Color, share float64) Color {
	switch {
	case !c.IsSet():
		return d
	case !d.IsSet():
		return c
	}
	mix := func(a, b uint8) uint8 {
		return uint8(math.Round(float64(a) + (float64(b)-float64(a))*share))
	}
	r, g, b := c.RGB()
	x, y, z := d.RGB()
	return RGB(mix(r, x), mix(g, y), mix(b, z))
}

// Contrast returns black or white, whichever is easier to read on c.
func (c Color) Contrast() Color {
	if c.Luma() > 128 {
		return RGB(0, 0, 0)
	}
	return RGB(255, 255, 255)
}

// against returns c, or, if c could not be seen on background bg, a lighter or darker form of it. An unset bg leaves c
// alone.
func (c Color) against(bg Color) Color {
	if !bg.IsSet() || !c.IsSet() || distance(c, bg) >= minDistance {
		return c
	}
	for share := 0.35; share < 1; share += 0.2 {
		if d := c.Blend(bg.Contrast(), share); distance(d, bg) >= minDistance {
			return d
		}
	}
	return bg.Contrast()
}

// minDistance is the distance from which two colours look different in a single cell; found by eye.
const minDistance = 180 * 180

// distance returns the squared "redmean" distance, a cheap approximation of how different two colours look: the weights
// of red and blue depend on the mean red. The maximum, black to white, is about 765 squared.
func distance(c, d Color) int {
	r1, g1, b1 := c.RGB()
	r2, g2, b2 := d.RGB()
	rm := (int(r1) + int(r2)) / 2
	dr, dg, db := int(r1)-int(r2), int(g1)-int(g2), int(b1)-int(b2)
	return ((512+rm)*dr*dr)>>8 + 4*dg*dg + ((767-rm)*db*db)>>8
}

// Profile is the range of colours that the terminal can show.
type Profile uint8

// The profiles, from the poorest to the richest.
const (
	Mono      Profile = iota // no colour; attributes only
	ANSI16                   // the 16 named colours
	ANSI256                  // the 256-colour palette
	TrueColor                // 24 bits
)

// String returns the name of the profile.
func (p Profile) String() string {
	return [...]string{"no colour", "16 colours", "256 colours", "true colour"}[p]
}
