package tui

import "pview/tui/raster"

// rect is a part of the screen.
type rect struct{ x, y, w, h int }

func (r rect) has(x, y int) bool { return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h }

func (r rect) of(c raster.Canvas) raster.Canvas { return c.Sub(r.x, r.y, r.w, r.h) }
