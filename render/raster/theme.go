package raster

// Theme has the colours of everything except data. Data has the colours of the trace's .pcf.
type Theme struct {
	Name string
	Dark bool
	// Background is the assumed background of the terminal when colours are mixed; it is never painted. NoColor means
	// black, or white if Dark is not set.
	Background Color

	Text   Color // labels; NoColor: the terminal's
	Dim    Color // axes, ticks, frames
	Accent Color // the focus; the view in the overview bar
	Calm   Color // the profile in the overview bar
	InView Color // its part in view
	Level  Color // function lines: the area below the minimum

	Cursor, Cursor2   Color
	Selection         Color // mixed over selected cells
	Logical, Physical Color // communication lines
	Above, Below      Color // values out of the semantic scale
	Paraver           bool  // colours of data as in Paraver
}

// DarkTheme and LightTheme are the themes for terminals with a dark and with a light background.
var (
	DarkTheme = &Theme{
		Name: "dark", Dark: true, Background: RGB(0, 0, 0),
		Text: NoColor, Dim: RGB(128, 132, 142), Accent: RGB(240, 190, 90), Calm: RGB(72, 92, 112),
		InView: RGB(150, 185, 215),
		Level:  RGB(70, 130, 180),
		Cursor: RGB(255, 255, 255), Cursor2: RGB(255, 200, 90), Selection: RGB(255, 255, 255),
		Logical: RGB(255, 230, 80), Physical: RGB(255, 80, 80),
		Above: RGB(235, 90, 60), Below: RGB(120, 122, 130),
	}
	LightTheme = &Theme{
		Name: "light", Background: RGB(255, 255, 255),
		Text: NoColor, Dim: RGB(120, 124, 130), Accent: RGB(176, 96, 0), Calm: RGB(180, 195, 210),
		InView: RGB(70, 110, 150),
		Level:  RGB(70, 130, 180),
		Cursor: RGB(0, 0, 0), Cursor2: RGB(176, 96, 0), Selection: RGB(0, 0, 0),
		Logical: RGB(150, 110, 0), Physical: RGB(200, 0, 0),
		Above: RGB(200, 60, 30), Below: RGB(150, 152, 158),
	}
)

// AsParaver returns the theme with Paraver's colours of data.
func (t *Theme) AsParaver() *Theme {
	p := *t
	p.Paraver, p.Above, p.Below = true, RGB(255, 146, 24), RGB(207, 207, 68)
	return &p
}

// ramp returns the gradient of amounts.
func (t *Theme) ramp() []Color {
	switch {
	case t.Paraver:
		return paraverRamp
	case t.Dark:
		return darkRamp
	}
	return lightRamp
}

func (t *Theme) background() Color {
	switch {
	case t.Background.IsSet():
		return t.Background
	case t.Dark:
		return RGB(0, 0, 0)
	}
	return RGB(255, 255, 255)
}

// Look is the part of a picture that does not depend on its data: the terminal's abilities and the theme. Every drawing
// call takes one.
type Look struct {
	Profile Profile
	Glyphs  *Glyphs
	Theme   *Theme
}

// DefaultLook is true colour, UTF-8, dark.
var DefaultLook = Look{TrueColor, UTF8, DarkTheme}

// CanSplit reports whether two rows, or two columns, can share a cell: that requires half blocks and colours.
func (l Look) CanSplit() bool { return l.Profile > Mono && l.Glyphs.HalfUpper != 0 }

// style returns a style with a foreground colour, which terminals without colours ignore.
func (l Look) style(fg Color, attr Attr) Style { return Style{FG: fg, Attr: attr} }
