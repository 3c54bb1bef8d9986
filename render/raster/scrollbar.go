package raster

// DrawScrollbar draws a scroll bar over the first column of c: rows first to first+visible-1 of total are visible. If
// all are, it draws nothing.
func DrawScrollbar(c Canvas, l Look, first, visible, total int) {
	if visible >= total || total <= 0 || c.H == 0 {
		return
	}
	h := max(1, c.H*visible/total)
	// The thumb touches an end only if the rows do.
	top := 0
	if room := c.H - h; room > 0 && first > 0 {
		top = min(max(first*room/max(total-visible, 1), 1), room)
		if first+visible < total && room > 1 {
			top = min(top, room-1)
		}
	}
	for y := range c.H {
		if y >= top && y < top+h {
			c.Set(0, y, Cell{l.Glyphs.Thumb, l.style(l.Theme.Dim, 0)})
		} else {
			c.Set(0, y, Cell{l.Glyphs.Track, l.style(l.Theme.Dim, Faint)})
		}
	}
}
