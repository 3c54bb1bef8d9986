package figure

// Shape is the way that the values of a layer are drawn.
type Shape uint8

// The shapes.
const (
	Points  Shape = iota // at X, Y
	Line                 // through X, Y
	Steps                // from X, Y to the right, then up or down to the next
	Columns              // upright bars from X to X2, as high as Y
	Bars                 // flat bars from X to X2, in category Y
	Band                 // between Y and Y2, by X
	Tiles                // in category X and category Y, coloured by V
)

// Ink is the colour of a layer. The first six are by Okabe and Ito, which colour-blind people can distinguish.
type Ink uint8

// The inks.
const (
	Blue Ink = iota
	Vermilion
	Green
	Orange
	Purple
	Sky
	Yellow
	Brown
	Teal
	Rose
	Olive
	Violet
	Grey
	Strong // stands out against all others
)

// InkOf returns the ink of the i-th of several layers.
func InkOf(i int) Ink { return Ink(i % int(Grey)) }
