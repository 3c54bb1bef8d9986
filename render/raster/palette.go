// Code colours: a colour for every value.
//
// Values with a colour in the .pcf (STATES_COLOR) have that. Other low numbers have Paraver's well-known colours. All
// other values, whether integers or fractions, have generated colours: hues at golden-ratio steps are far from those of
// neighbouring values; brightness and saturation vary more slowly. The function covers every value and does not depend
// on the rest of the trace, so a value keeps its colour from view to view and run to run.

package raster

import (
	"maps"
	"math"
	"slices"
	"sync"

	"pview/prv"
)

// Palette gives values their code colours.
type Palette struct {
	low   []Color // by value
	other map[int64]Color
	calm  bool               // values without a chosen colour have pview's theme's
	hues  [lowValues][]uint8 // named colours that suit a value; nil: the nearest one is used
	order []int              // low values in the order in which they choose their looks; nil: ascending

	mutex sync.Mutex
	poor  map[Look]*[lowValues]Cell // see looks
}

// NewPalette returns the palette of a trace. labels may be nil.
func NewPalette(labels *prv.Labels) *Palette {
	p := &Palette{other: map[int64]Color{}}
	p.low = append(p.low, baseColors[:]...)
	for i := int64(len(p.low)); i < lowValues; i++ {
		p.low = append(p.low, generated(uint64(i)))
	}
	if labels == nil {
		return p
	}
	for _, e := range labels.Colors {
		p.Set(e.Value, FromPRV(e.Color))
	}
	return p
}

// Clone returns a copy of p, for a window with its own colours.
func (p *Palette) Clone() *Palette {
	return &Palette{low: slices.Clone(p.low), other: maps.Clone(p.other), calm: p.calm, hues: p.hues, order: p.order}
}

// lowValues is the number of values, from 0, with colours in a table.
const lowValues = 64

// Set changes a value's colour. It must not be called while a Painter uses the palette.
func (p *Palette) Set(v int64, c Color) {
	p.poor = nil
	if v >= 0 && v < int64(len(p.low)) {
		p.low[v], p.hues[v] = c, nil
		return
	}
	p.other[v] = c
}

// Color returns the colour of v. Negative values have the colour of 0, as in Paraver; Painter marks them.
func (p *Palette) Color(v float64) Color {
	if v < 0 {
		v = 0
	}
	if i := int(v); v < float64(len(p.low)) && float64(i) == v {
		return p.low[i]
	}
	if n := int64(v); v < 1<<63 && float64(n) == v {
		if c, ok := p.other[n]; ok {
			return c
		}
		return p.generated(uint64(n))
	}
	return p.generated(mix(math.Float64bits(v)))
}

// generated returns the colour of a number without a chosen one.
func (p *Palette) generated(n uint64) Color {
	if p.calm {
		return calmColor(n)
	}
	return generated(n)
}

// generated returns the colour of a number without a chosen one.
func generated(n uint64) Color {
	const golden = 0.6180339887498949
	if n > 1<<20 {
		n = mix(n) // large values, such as addresses, differ in few bits or by round steps
	}
	f := float64(n % (1 << 20))
	_, hue := math.Modf(f * golden)
	light := [...]float64{0.62, 0.48, 0.74}[n%3]
	chroma := [...]float64{0.80, 0.55}[n/3%2]
	return hsl(hue, chroma, light)
}

// mix spreads the bits of n (the finaliser of splitmix64).
func mix(n uint64) uint64 {
	n += 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}

// hsl converts hue (turns), saturation and lightness in 0..1.
func hsl(h, s, l float64) Color {
	channel := func(shift float64) uint8 {
		k := math.Mod(12*h+shift, 12)
		a := s * min(l, 1-l)
		return uint8(math.Round(255 * (l - a*max(-1, min(k-3, 9-k, 1)))))
	}
	return RGB(channel(0), channel(8), channel(4))
}

// baseColors are the colours by which Paraver's users know the states; tracers write the same ones into their .pcf
// files.
var baseColors = [...]Color{
	RGB(117, 195, 255), // 0 idle
	RGB(0, 0, 255),     // 1 running
	RGB(255, 255, 255), // 2 not created, stopped
	RGB(255, 0, 0),     // 3 waiting a message
	RGB(255, 0, 174),   // 4 blocking send
	RGB(179, 0, 0),     // 5 synchronization
	RGB(0, 255, 0),     // 6 test, probe
	RGB(255, 255, 0),   // 7 scheduling and fork/join
	RGB(235, 0, 0),     // 8 wait, waitall
	RGB(0, 162, 0),     // 9 blocked
	RGB(255, 0, 255),   // 10 immediate send
	RGB(100, 100, 177), // 11 immediate receive
	RGB(172, 174, 41),  // 12 I/O
	RGB(255, 144, 26),  // 13 group communication
	RGB(2, 255, 177),   // 14 tracing disabled
	RGB(192, 224, 0),   // 15 others
}
