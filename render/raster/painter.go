package raster

import "math"

// ColorMode is the way in which values become colours.
type ColorMode uint8

// The colour modes.
const (
	CodeColor ColorMode = iota
	Gradient
	NotNullGradient
	AlternativeGradient
)

// ColorModeEntry describes a colour mode to users.
type ColorModeEntry struct {
	Mode ColorMode
	Name string // as Paraver's menu spells it
	Doc  string
}

// ColorModes is the table of colour modes.
var ColorModes = []ColorModeEntry{
	{CodeColor, "Code Color", "one colour per value: from the .pcf, else Paraver's, else generated"},
	{Gradient, "Gradient Color",
		"from the minimum of the semantic scale to its maximum in equal steps to the eye; theme paraver: light " +
			"green to dark blue"},
	{NotNullGradient, "Not Null Gradient Color",
		"as Gradient Color, with 0 as background"},
	{AlternativeGradient, "Alternative Gradient Color",
		"as Gradient Color over many hues, to separate close values"},
}

// GradientFunction maps positions on the scale to positions on the gradient.
type GradientFunction struct {
	Name string // as Paraver's menu spells it
	Doc  string
	F    func(x float64) float64 // of 0..1 into 0..1
}

// GradientFunctions is the table of gradient functions. The first is the default.
var GradientFunctions = []GradientFunction{
	{"Linear", "x", func(x float64) float64 { return x }},
	{"Steps", "ten equal steps", func(x float64) float64 { return min(math.Floor(x*10), 9) / 9 }},
	{"Logarithmic", "log(100x+1) / log 101: separates small values", func(x float64) float64 {
		return math.Log(100*x+1) / math.Log(101)
	}},
	{"Exponential", "e^10x / e^10: separates large values", func(x float64) float64 {
		return math.Exp(10*x) / math.Exp(10)
	}},
}

// Scale is the semantic scale: the range of values of a gradient or a function line.
type Scale struct{ Min, Max float64 }

// At returns the position of v between Min (0) and Max (1); values below 0 and above 1 are out of scale. Fitting gives
// a constant row an empty scale (Max <= Min): there Max itself is at 1, or at 0 if it is not above 0.
func (s Scale) At(v float64) float64 {
	if !(s.Max > s.Min) {
		switch {
		case v > s.Max:
			return math.Inf(1)
		case v < s.Min:
			return math.Inf(-1)
		case v > 0:
			return 1
		}
		return 0
	}
	// The values are halved, so that the difference of two huge ones does not overflow.
	return (v/2 - s.Min/2) / (s.Max/2 - s.Min/2)
}

// Painter turns values into cells. The zero value is not usable: Look and Palette must be set. A Painter has a cache;
// it is for one goroutine (copy it for another).
type Painter struct {
	Look
	Palette  *Palette
	Mode     ColorMode
	Gradient int // index into GradientFunctions
	Scale    Scale
	// ZeroIsBackground leaves 0 unpainted in code colours: for views of events, in which 0 means "outside".
	ZeroIsBackground bool

	cache    [256]painted
	cacheKey painterKey
	looks    *[lowValues]Cell // of the palette's low values, if colours are few
}

type painted struct {
	bits uint64
	cell Cell
	ok   bool
}

// painterKey identifies the contents of the cache.
type painterKey struct {
	look    Look
	palette *Palette
	mode    ColorMode
	grad    int
	scale   Scale
	zero    bool
}

// Cell returns the cell that shows v: with colours a blank on the value's colour, without colours a glyph. Absent gives
// a blank.
func (p *Painter) Cell(v float64) Cell {
	p.prepare()
	return p.cached(v)
}

// prepare empties the cache if its inputs have changed.
func (p *Painter) prepare() {
	if key := (painterKey{p.Look, p.Palette, p.Mode, p.Gradient, p.Scale, p.ZeroIsBackground}); key != p.cacheKey {
		p.cacheKey = key
		p.cache, p.looks = [256]painted{}, nil
		if p.Mode == CodeColor && (p.Profile == ANSI16 || p.Profile == ANSI256) {
			p.looks = p.Palette.looks(p.Look)
		}
	}
}

// cached is Cell with the cache prepared.
func (p *Painter) cached(v float64) Cell {
	bits := math.Float64bits(v)
	e := &p.cache[bits*0x9e3779b97f4a7c15>>56]
	if !e.ok || e.bits != bits {
		*e = painted{bits, p.cell(v), true}
	}
	return e.cell
}

// Color returns the colour that shows v; NoColor if v looks like the background.
func (p *Painter) Color(v float64) Color { return p.Cell(v).BG }

func (p *Painter) cell(v float64) Cell {
	if IsAbsent(v) {
		return Cell{Rune: ' '}
	}
	if math.IsNaN(v) {
		return Cell{'?', Style{FG: p.Theme.Dim}}
	}
	if p.Mode == CodeColor {
		return p.codeCell(v)
	}
	return p.gradientCell(v)
}

func (p *Painter) codeCell(v float64) Cell {
	if v == 0 && p.ZeroIsBackground {
		return Cell{Rune: ' '}
	}
	var c Cell
	switch i := int(max(v, 0)); {
	case p.Profile == Mono:
		c = Cell{Rune: p.fill(v)}
	case p.looks != nil && i < lowValues && float64(i) == max(v, 0):
		c = p.looks[i]
	case p.Profile == ANSI16:
		c = p.textured(v)
	default:
		c = Cell{' ', Style{BG: p.Theme.visible(p.Palette.Color(v))}}
	}
	if v < 0 { // drawn as 0, and marked
		c.Rune, c.FG = '-', c.BG.Contrast()
	}
	return c
}

// visible returns c, or a shade of it if it is too near the terminal's background: a value must not look like no value.
func (t *Theme) visible(c Color) Color {
	bg := t.background()
	if c&nearBackground != 0 {
		return bg.Blend(bg.Contrast(), 0.12*float64(1+c&^nearBackground))
	}
	if distance(c, bg) < 40*40 {
		return c.Blend(bg.Contrast(), 0.2)
	}
	return c
}

// textured returns the look in 16 colours of a value that is not a low one: the nearest colour, plain or with a
// texture.
func (p *Painter) textured(v float64) Cell {
	bg := named[p.Palette.Color(v).Nearest16()]
	textures := p.Glyphs.Textures
	if n := mix(math.Float64bits(v)) % uint64(len(textures)+1); n > 0 {
		return Cell{textures[n-1], Style{FG: bg.Contrast(), BG: bg}}
	}
	return Cell{' ', Style{BG: bg}}
}

// fill returns the glyph that represents a value without colours.
func (p *Painter) fill(v float64) rune {
	fills := p.Glyphs.Fills
	n := uint64(max(v, 0))
	if float64(n) != v && v > 0 {
		n = mix(math.Float64bits(v))
	}
	if n < uint64(len(fills)) {
		return fills[n]
	}
	return fills[1+(n-1)%uint64(len(fills)-1)] // the blank is only for 0
}

func (p *Painter) gradientCell(v float64) Cell {
	if v == 0 && p.Mode == NotNullGradient {
		return Cell{Rune: ' '}
	}
	x := p.Scale.At(v)
	switch {
	case x > 1:
		return p.mark('^', p.Theme.Above)
	case x < 0:
		return p.mark('_', p.Theme.Below)
	}
	return p.gradientAt(x)
}

// gradientAt returns the look at point x of the scale, 0..1.
func (p *Painter) gradientAt(x float64) Cell {
	x = GradientFunctions[p.Gradient].F(x)
	if p.Profile == Mono {
		s := p.Glyphs.Shades[1:] // the blank is for cells without a value
		return Cell{Rune: s[min(int(x*float64(len(s))), len(s)-1)]}
	}
	if p.Profile == ANSI16 && p.Mode != AlternativeGradient {
		return p.ramp16(x)
	}
	if p.Mode == AlternativeGradient {
		return Cell{' ', Style{BG: hsl(0.83*(1-x), 0.9, 0.35+0.3*x)}}
	}
	return Cell{' ', Style{BG: onRamp(p.Theme.ramp(), x)}}
}

// Gradients in 16 colours: Paraver's, from light green to blue, and pview's, which like its other gradients leads away
// from the background.
var (
	paraverStops = []int{10, 2, 6, 12, 4} // light green, green, cyan, light blue, blue
	darkStops    = []int{12, 6, 2, 10, 11}
	lightStops   = []int{11, 10, 2, 6, 4}
)

// ramp16 returns point x of the gradient in 16 colours: it uses five of them, and shades of one over another in
// between.
func (p *Painter) ramp16(x float64) Cell {
	stops := lightStops
	if p.Theme.Paraver {
		stops = paraverStops
	} else if p.Theme.Dark {
		stops = darkStops
	}
	shades := p.Glyphs.Shades[:4]
	step := int(math.Round(x * float64((len(stops)-1)*len(shades))))
	k, shade := step/len(shades), step%len(shades)
	c := Cell{' ', Style{BG: named[stops[k]]}}
	if shade > 0 {
		c.Rune, c.FG = shades[shade], named[stops[k+1]]
	}
	return c
}

func (p *Painter) mark(r rune, c Color) Cell {
	if p.Profile == Mono {
		return Cell{Rune: r}
	}
	return Cell{' ', Style{BG: c}}
}
