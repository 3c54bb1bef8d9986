package style

import (
	"pview/render/raster"
)

// Theme is the look of the parts of the screen. The pictures of the traces have
// their own colours; everything around them stays quiet: the terminal's own
// foreground and background, two steps of grey derived from them, one accent.
type Theme struct {
	profile raster.Profile
	Glyphs  *raster.Glyphs
	dark    bool
	bg      raster.Color // the terminal's background, or a guess

	Text, Dim, Bold   raster.Style // on the plain background
	Title, TitleDim   raster.Style // the top line
	Head, HeadDim     raster.Style // header of a window
	Focus, FocusDim   raster.Style // header of the window in focus
	Popup, PopupDim   raster.Style // palette, pickers, help
	PopupSel          raster.Style // the line that is chosen in them
	PopupSelDim       raster.Style
	PopupTitle        raster.Style
	Border            raster.Style
	Key               raster.Style // names of keys
	PopupKey          raster.Style
	Accent            raster.Style // the one thing to look at
	Good, Warn, Alarm raster.Style
	Mark              raster.Style // the marks and the area between them
	Match             raster.Style // letters that match a search
}

// NewTheme derives a theme from the terminal's abilities. bg may be unset.
func NewTheme(p raster.Profile, glyphs *raster.Glyphs, dark bool, bg raster.Color) *Theme {
	t := &Theme{profile: p, Glyphs: glyphs, dark: dark, bg: bg}
	if !bg.IsSet() {
		t.bg = raster.RGB(255, 255, 255)
		if dark {
			t.bg = raster.RGB(24, 24, 28)
		}
	}
	switch {
	case p == raster.Mono:
		t.mono()
	case p == raster.ANSI16:
		t.sixteen()
	default:
		t.full()
	}
	return t
}

func (t *Theme) full() {
	ink := raster.RGB(225, 228, 235)
	accent, good, warn, alarm := raster.RGB(122, 162, 247), raster.RGB(140, 200, 130), raster.RGB(224, 175, 104),
		raster.RGB(240, 110, 120)
	if !t.dark {
		ink = raster.RGB(30, 33, 40)
		accent, good, warn, alarm = raster.RGB(38, 92, 200), raster.RGB(40, 120, 50), raster.RGB(150, 90, 0),
			raster.RGB(190, 30, 50)
	}
	grey := t.bg.Blend(ink, 0.56)
	bar, pop := t.bg.Blend(ink, 0.09), t.bg.Blend(ink, 0.06)
	lit := t.bg.Blend(accent, 0.26)
	fg := func(c, on raster.Color) raster.Style { return raster.Style{FG: c, BG: on} }
	t.Text, t.Dim = raster.Style{}, raster.Style{FG: grey}
	t.Bold = raster.Style{Attr: raster.Bold}
	t.Title, t.TitleDim = fg(ink, bar), fg(grey, bar)
	t.Head, t.HeadDim = fg(grey, bar), fg(t.bg.Blend(ink, 0.42), bar)
	t.Focus, t.FocusDim = raster.Style{FG: ink, BG: lit, Attr: raster.Bold}, fg(t.bg.Blend(ink, 0.75), lit)
	t.Popup, t.PopupDim = fg(ink, pop), fg(grey, pop)
	t.PopupSel, t.PopupSelDim = raster.Style{FG: ink, BG: lit, Attr: raster.Bold}, fg(t.bg.Blend(ink, 0.75), lit)
	t.PopupTitle = raster.Style{FG: accent, BG: pop, Attr: raster.Bold}
	t.Border = fg(t.bg.Blend(ink, 0.35), pop)
	t.Key, t.PopupKey = raster.Style{FG: accent}, fg(accent, pop)
	t.Accent = raster.Style{FG: accent, Attr: raster.Bold}
	t.Good, t.Warn, t.Alarm = raster.Style{FG: good}, raster.Style{FG: warn}, raster.Style{FG: alarm, Attr: raster.Bold}
	t.Mark = raster.Style{FG: t.bg, BG: warn}
	t.Match = raster.Style{FG: warn, Attr: raster.Bold | raster.Underline}
}

// sixteen uses only the named colours, which users have set to what they can read.
func (t *Theme) sixteen() {
	named := raster.Palette256
	cyan, green, yellow, red := named(6), named(2), named(3), named(1)
	rev := raster.Style{Attr: raster.Reverse}
	t.Dim = raster.Style{Attr: raster.Faint}
	t.Bold = raster.Style{Attr: raster.Bold}
	t.Title, t.TitleDim = rev, rev
	t.Head, t.HeadDim = raster.Style{Attr: raster.Underline}, raster.Style{Attr: raster.Underline}
	t.Focus, t.FocusDim = raster.Style{FG: cyan, Attr: raster.Reverse | raster.Bold},
		raster.Style{FG: cyan, Attr: raster.Reverse}
	t.PopupDim = raster.Style{Attr: raster.Faint}
	t.PopupSel, t.PopupSelDim = t.Focus, t.FocusDim
	t.PopupTitle = raster.Style{FG: cyan, Attr: raster.Bold}
	t.Border = raster.Style{FG: cyan}
	t.Key, t.PopupKey = raster.Style{FG: cyan}, raster.Style{FG: cyan}
	t.Accent = raster.Style{FG: cyan, Attr: raster.Bold}
	t.Good, t.Warn, t.Alarm = raster.Style{FG: green}, raster.Style{FG: yellow},
		raster.Style{FG: red, Attr: raster.Bold}
	t.Mark = raster.Style{FG: yellow, Attr: raster.Reverse}
	t.Match = raster.Style{FG: yellow, Attr: raster.Bold}
}

func (t *Theme) mono() {
	rev := raster.Style{Attr: raster.Reverse}
	bold := raster.Style{Attr: raster.Bold}
	t.Bold = bold
	t.Title, t.TitleDim = rev, rev
	t.Head, t.HeadDim = raster.Style{Attr: raster.Underline}, raster.Style{Attr: raster.Underline}
	t.Focus, t.FocusDim = raster.Style{Attr: raster.Reverse | raster.Bold}, rev
	t.PopupSel, t.PopupSelDim = rev, rev
	t.PopupTitle, t.Key, t.PopupKey, t.Accent = bold, bold, bold, bold
	t.Warn, t.Alarm = bold, bold
	t.Mark = rev
	t.Match = raster.Style{Attr: raster.Bold | raster.Underline}
}

// ForPictures returns the theme of package raster that matches t.
func (t *Theme) ForPictures() *raster.Theme {
	r := *raster.LightTheme
	if t.dark {
		r = *raster.DarkTheme
	}
	r.Background = t.bg
	return &r
}
