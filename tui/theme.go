package tui

import (
	"strings"

	"github.com/charmbracelet/colorprofile"

	"pview/tui/raster"
)

// theme is how the parts of the screen look. The pictures of the traces have
// their own colours; everything around them stays quiet: the terminal's own
// foreground and background, two steps of grey derived from them, one accent.
type theme struct {
	profile raster.Profile
	glyphs  *raster.Glyphs
	dark    bool
	bg      raster.Color // the terminal's background, or a guess

	text, dim, bold   raster.Style // on the plain background
	title, titleDim   raster.Style // the top line
	head, headDim     raster.Style // header of a window
	focus, focusDim   raster.Style // header of the window in focus
	popup, popupDim   raster.Style // palette, pickers, help
	popupSel          raster.Style // the line that is chosen in them
	popupSelDim       raster.Style
	popupTitle        raster.Style
	border            raster.Style
	key               raster.Style // names of keys
	popupKey          raster.Style
	accent            raster.Style // the one thing to look at
	good, warn, alarm raster.Style
	mark              raster.Style // the marks and what lies between them
	match             raster.Style // letters that match a search
}

// newTheme derives a theme from what is known of the terminal. bg may be unset.
func newTheme(p raster.Profile, glyphs *raster.Glyphs, dark bool, bg raster.Color) *theme {
	t := &theme{profile: p, glyphs: glyphs, dark: dark, bg: bg}
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

func (t *theme) full() {
	ink := raster.RGB(225, 228, 235)
	accent, good, warn, alarm := raster.RGB(122, 162, 247), raster.RGB(140, 200, 130), raster.RGB(224, 175, 104), raster.RGB(240, 110, 120)
	if !t.dark {
		ink = raster.RGB(30, 33, 40)
		accent, good, warn, alarm = raster.RGB(38, 92, 200), raster.RGB(40, 120, 50), raster.RGB(150, 90, 0), raster.RGB(190, 30, 50)
	}
	grey := t.bg.Blend(ink, 0.56)
	bar, pop := t.bg.Blend(ink, 0.09), t.bg.Blend(ink, 0.06)
	lit := t.bg.Blend(accent, 0.26)
	fg := func(c, on raster.Color) raster.Style { return raster.Style{FG: c, BG: on} }
	t.text, t.dim = raster.Style{}, raster.Style{FG: grey}
	t.bold = raster.Style{Attr: raster.Bold}
	t.title, t.titleDim = fg(ink, bar), fg(grey, bar)
	t.head, t.headDim = fg(grey, bar), fg(t.bg.Blend(ink, 0.42), bar)
	t.focus, t.focusDim = raster.Style{FG: ink, BG: lit, Attr: raster.Bold}, fg(t.bg.Blend(ink, 0.75), lit)
	t.popup, t.popupDim = fg(ink, pop), fg(grey, pop)
	t.popupSel, t.popupSelDim = raster.Style{FG: ink, BG: lit, Attr: raster.Bold}, fg(t.bg.Blend(ink, 0.75), lit)
	t.popupTitle = raster.Style{FG: accent, BG: pop, Attr: raster.Bold}
	t.border = fg(t.bg.Blend(ink, 0.35), pop)
	t.key, t.popupKey = raster.Style{FG: accent}, fg(accent, pop)
	t.accent = raster.Style{FG: accent, Attr: raster.Bold}
	t.good, t.warn, t.alarm = raster.Style{FG: good}, raster.Style{FG: warn}, raster.Style{FG: alarm, Attr: raster.Bold}
	t.mark = raster.Style{FG: t.bg, BG: warn}
	t.match = raster.Style{FG: warn, Attr: raster.Bold | raster.Underline}
}

// sixteen keeps to the named colours, which users have set to what they can read.
func (t *theme) sixteen() {
	named := raster.Palette256
	cyan, green, yellow, red := named(6), named(2), named(3), named(1)
	rev := raster.Style{Attr: raster.Reverse}
	t.dim = raster.Style{Attr: raster.Faint}
	t.bold = raster.Style{Attr: raster.Bold}
	t.title, t.titleDim = rev, rev
	t.head, t.headDim = raster.Style{Attr: raster.Underline}, raster.Style{Attr: raster.Underline}
	t.focus, t.focusDim = raster.Style{FG: cyan, Attr: raster.Reverse | raster.Bold}, raster.Style{FG: cyan, Attr: raster.Reverse}
	t.popupDim = raster.Style{Attr: raster.Faint}
	t.popupSel, t.popupSelDim = t.focus, t.focusDim
	t.popupTitle = raster.Style{FG: cyan, Attr: raster.Bold}
	t.border = raster.Style{FG: cyan}
	t.key, t.popupKey = raster.Style{FG: cyan}, raster.Style{FG: cyan}
	t.accent = raster.Style{FG: cyan, Attr: raster.Bold}
	t.good, t.warn, t.alarm = raster.Style{FG: green}, raster.Style{FG: yellow}, raster.Style{FG: red, Attr: raster.Bold}
	t.mark = raster.Style{FG: yellow, Attr: raster.Reverse}
	t.match = raster.Style{FG: yellow, Attr: raster.Bold}
}

func (t *theme) mono() {
	rev := raster.Style{Attr: raster.Reverse}
	bold := raster.Style{Attr: raster.Bold}
	t.bold = bold
	t.title, t.titleDim = rev, rev
	t.head, t.headDim = raster.Style{Attr: raster.Underline}, raster.Style{Attr: raster.Underline}
	t.focus, t.focusDim = raster.Style{Attr: raster.Reverse | raster.Bold}, rev
	t.popupSel, t.popupSelDim = rev, rev
	t.popupTitle, t.key, t.popupKey, t.accent = bold, bold, bold, bold
	t.warn, t.alarm = bold, bold
	t.mark = rev
	t.match = raster.Style{Attr: raster.Bold | raster.Underline}
}

// forPictures is the theme of package raster that goes with t.
func (t *theme) forPictures() *raster.Theme {
	r := *raster.LightTheme
	if t.dark {
		r = *raster.DarkTheme
	}
	r.Background = t.bg
	return &r
}

// rasterProfile translates what Bubble Tea found out about the terminal.
func rasterProfile(p colorprofile.Profile) raster.Profile {
	switch p {
	case colorprofile.TrueColor:
		return raster.TrueColor
	case colorprofile.ANSI256:
		return raster.ANSI256
	case colorprofile.ANSI:
		return raster.ANSI16
	}
	return raster.Mono
}

// wantsASCII asks the locale, as setlocale does: the first of LC_ALL, LC_CTYPE
// and LANG that is set decides. The console of Linux has few glyphs beyond it.
func wantsASCII(env []string) bool {
	get := func(name string) string { return lookupEnv(env, name) }
	if t := get("TERM"); t == "linux" || t == "dumb" || strings.HasPrefix(t, "vt1") || strings.HasPrefix(t, "vt2") {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(get(name)); v != "" {
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return true
}
