package raster

// Rect is a part of the screen.
type Rect struct{ X, Y, W, H int }

func (r Rect) Has(x, y int) bool { return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H }

func (r Rect) Of(c Canvas) Canvas { return c.Sub(r.X, r.Y, r.W, r.H) }
