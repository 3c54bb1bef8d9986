package raster

// DrawScrollbar draws a scroll bar over the first column of c: first and visible of
// total rows are seen. Nothing is drawn when all are.
func DrawScrollbar(c Canvas, l Look, first, visible, total int) {}
