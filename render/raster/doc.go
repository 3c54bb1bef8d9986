// Package raster turns series into cells: timelines, overlays, axes, legends. It does not depend on Bubble Tea, keys or
// windows.
//
// Everything is drawn on a Canvas, a rectangle of cells, and depends on a Look: the terminal's abilities, the set of
// glyphs, the theme. A frame is made like this:
//
//	Axis     which time each column covers        Layout   which rows each line shows
//	Grid     Sample: the values behind the cells, one per column and sub-line
//	         Draw: the values as cells, by a Painter (value -> colour or glyph)
//	Level    instead of Grid.Draw: rows as graphs of value against time
//	Flags, CommLines, Cursors      over the picture, in this order
//	Overview, TimeAxis, Legend, DrawScrollbar      around it
//
// Package tui/screen turns the cells into bytes for the terminal.
//
// Values and times stay exact until they become cells: columns tile an interval of int64 times without gap or overlap,
// and a cell shows the result of series.Series.Value for exactly its interval. The same arguments give the same
// picture, cell for cell. The types keep their memory from frame to frame; after the first frame they allocate almost
// nothing.
package raster
