package tui

import (
	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"pview/render/raster"
	"pview/render/style"
	"pview/tui/screen"
)

// terminal holds the known properties of the terminal, the looks that depend on them, and the means of drawing on it.
type terminal struct {
	width, height int
	profile       raster.Profile
	ascii, dark   bool
	paraver       bool // data has the colours of the .pcf
	background    raster.Color
	mouseOff      bool // the terminal selects text with the mouse

	asks  asked
	theme *style.Theme
	look  raster.Look
	spin  spinner.Model // turns while something is in progress

	stops  screen.StopSignal
	wire   *screen.Wire // to the terminal; nil if Bubble Tea's renderer draws
	pixels screen.Pixels
	images []screen.Image // of the frame being drawn
	canvas raster.Canvas
	text   []byte
}

// asked says which settings the terminal's answers decide, rather than the user.
type asked struct{ profile, background bool }

// newTerminal returns the terminal that the options describe.
func newTerminal(o *Options) terminal {
	t := terminal{dark: true, profile: raster.TrueColor, ascii: screen.ASCII(environ(*o)),
		asks: asked{profile: o.Profile == nil, background: o.Dark == nil}}
	if o.ASCII != nil {
		t.ascii = *o.ASCII
	}
	if o.Dark != nil {
		t.dark = *o.Dark
	}
	if o.Profile != nil {
		t.profile = screen.Profile(*o.Profile)
	}
	t.begin(o.Defaults.Theme)
	t.restyle()
	return t
}

// begin sets the default theme. If it sets the background, the terminal is not asked.
func (t *terminal) begin(theme string) {
	for _, known := range themes {
		if known.name == theme {
			known.set(t)
			t.asks.background = t.asks.background && !known.background
		}
	}
}

// restyle derives the looks from the known properties of the terminal.
func (t *terminal) restyle() {
	glyphs, turning := raster.UTF8, spinner.MiniDot
	if t.ascii {
		glyphs, turning = raster.ASCII, spinner.Line
	}
	t.theme = style.NewTheme(t.profile, glyphs, t.dark, t.background)
	t.spin = spinner.New(spinner.WithSpinner(turning))
	pictures := t.theme.ForPictures()
	if t.paraver {
		pictures = pictures.AsParaver()
	}
	t.look = raster.Look{Profile: t.profile, Glyphs: glyphs, Theme: pictures}
}

// ask returns the questions to the terminal.
func (t *terminal) ask() tea.Cmd {
	var cmds []tea.Cmd
	if t.asks.background {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	if t.asks.profile { // Bubble Tea takes the answers
		cmds = append(cmds, tea.RequestCapability("RGB"), tea.RequestCapability("Tc"))
	}
	if questions := t.pixels.Ask(); questions != "" && t.wire != nil {
		cmds = append(cmds, tea.Raw(questions))
	}
	return tea.Batch(cmds...)
}

// learn handles the terminal's answers.
func (t *terminal) learn(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		t.width, t.height = msg.Width, msg.Height
		t.pixels.Measure()
		t.useColors(t.profile)
	case tea.ColorProfileMsg:
		t.useColors(screen.Profile(msg.Profile))
	case tea.ModeReportMsg:
		if t.wire != nil {
			t.wire.Report(msg)
		}
	case uv.KittyGraphicsEvent, uv.PrimaryDeviceAttributesEvent, uv.CellSizeEvent:
		t.pixels.Learn(msg)
		t.useColors(t.profile)
	case tea.BackgroundColorMsg:
		if t.asks.background && msg.Color != nil {
			r, g, b, _ := msg.RGBA()
			t.background = raster.RGB(uint8(r>>8), uint8(g>>8), uint8(b>>8))
			t.dark = t.background.Luma() < 128
			t.restyle()
		}
	case tea.ResumeMsg:
		t.stops.Arm()
	}
}

// useColors sets the terminal's colour profile, unless the user has. A terminal that draws pictures has 256 colours,
// whatever its name says: with 16, patterns would have to distinguish colours.
func (t *terminal) useColors(p raster.Profile) {
	if !t.asks.profile {
		return
	}
	if p != raster.Mono && t.wire != nil && t.pixels.Graphics() != screen.Cells {
		p = max(p, raster.ANSI256)
	}
	if p != t.profile {
		t.profile = p
		t.restyle()
	}
}

// ground returns the colour behind pictures.
func (t *terminal) ground() raster.Color {
	switch {
	case t.background.IsSet():
		return t.background
	case t.dark:
		return raster.RGB(0, 0, 0)
	}
	return raster.RGB(255, 255, 255)
}

// drawsPixels reports whether the terminal can draw a picture over a part of the screen.
func (t *terminal) drawsPixels(part raster.Rect) bool {
	if t.wire == nil || t.pixels.Graphics() == screen.Cells || t.pixels.CellW == 0 || part.W <= 0 || part.H <= 0 {
		return false
	}
	return t.pixels.Graphics() != screen.KittyInTmux || screen.CanPlace(t.profile, part.H)
}

// blank clears the cells of a picture.
func (t *terminal) blank(part raster.Canvas, id int) {
	if part.Clear(); t.pixels.Graphics() == screen.KittyInTmux {
		screen.Place(part, id)
	}
}

// addImage shows a picture, in the colours of the cells around it. below: cells may cover it.
func (t *terminal) addImage(id int, at raster.Rect, p *raster.Pixmap, below bool) {
	if t.profile < raster.TrueColor {
		p.Restrict()
	}
	t.images = append(t.images, screen.Image{ID: id, Part: at, Picture: p, Below: below})
}

// show sends the drawn canvas to the terminal, or returns it as text for Bubble Tea.
func (t *terminal) show(plots []screen.Plot, cursor bool) string {
	if t.wire != nil {
		t.wire.Images(t.pixels.Graphics(), t.images)
		t.wire.Show(t.canvas, t.profile, plots, cursor)
		return " "
	}
	t.text = screen.Append(t.text[:0], t.canvas, t.profile)
	return string(t.text)
}
