package raster

// DrawMode says how the values that fall into one cell become one. It moves to
// package semantic, with its table, when that lands.
type DrawMode = uint8

// Source is a row's value as a function of time. *semantic.Series is one.
type Source interface {
	// Value returns what the draw mode makes of the values in [a, b); ok is false
	// where there are none. seed decides the random modes.
	Value(a, b int64, mode DrawMode, seed uint64) (v float64, ok bool)
}
