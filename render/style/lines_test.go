package style

import (
	"strings"
	"testing"

	"pview/render/raster"
)

// Names are cut at their start until they fit.
func TestShorten(t *testing.T) {
	th := &Theme{Glyphs: raster.DefaultLook.Glyphs}
	for _, c := range []struct {
		name  string
		width int
		want  string
	}{{"THREAD 1.2.3", 12, "THREAD 1.2.3"}, {"THREAD 1.2.3", 11, "…EAD 1.2.3"}, {"THREAD 1.2.3", 6, "…1.2.3"},
		{"THREAD 1.2.3", 2, "…3"}, {"ab", 1, "…"}, {"", 0, ""}} {
		got := Shorten(c.name, c.width, th)
		if raster.TextWidth(got) > c.width || !strings.HasSuffix(c.name, strings.TrimPrefix(got, "…")) ||
			raster.TextWidth(c.want)-raster.TextWidth(got) > 1 {
			t.Errorf("%q in %d columns is %q, want %q", c.name, c.width, got, c.want)
		}
	}
}

// bar returns the right edge of a canvas: # for the thumb, | for the track.
func bar(h, top, shown, total int) string {
	th := NewTheme(raster.Mono, raster.ASCII, true, raster.NoColor)
	c := raster.NewCanvas(2, h)
	DrawScrollbar(c, top, shown, total, th)
	var b strings.Builder
	for y := range h {
		switch c.At(1, y).Rune {
		case th.Glyphs.Thumb:
			b.WriteByte('#')
		case th.Glyphs.Track:
			b.WriteByte('|')
		default:
			b.WriteByte('.')
		}
	}
	return b.String()
}

// 10 of 20 lines are shown, on a track of 4: the thumb takes half of it, at 2 x top / 10. It never vanishes, and is not
// drawn where all lines are shown.
func TestScrollbar(t *testing.T) {
	for _, c := range []struct {
		top, shown, total int
		want              string
	}{{0, 10, 20, "##||"}, {5, 10, 20, "|##|"}, {10, 10, 20, "||##"}, {0, 1, 1000, "#|||"}, {999, 1, 1000, "|||#"},
		{0, 20, 20, "...."}, {0, 30, 20, "...."}, {0, 19, 20, "###|"}} {
		if got := bar(4, c.top, c.shown, c.total); got != c.want {
			t.Errorf("%d of %d from %d on: %s, want %s", c.shown, c.total, c.top, got, c.want)
		}
	}
	if got := bar(0, 0, 10, 20); got != "" {
		t.Errorf("no lines: %q", got)
	}
}

// The profile decides what a theme may use: no colours, the 16 named ones, or mixtures with the background, which is
// assumed if unknown.
func TestThemes(t *testing.T) {
	glyphs := raster.DefaultLook.Glyphs
	mono := NewTheme(raster.Mono, glyphs, true, raster.NoColor)
	for _, st := range []raster.Style{mono.Good, mono.Alarm, mono.Title, mono.PopupSel} {
		if st.FG.IsSet() || st.BG.IsSet() {
			t.Errorf("%+v without colours", st)
		}
	}
	few := NewTheme(raster.ANSI16, glyphs, true, raster.NoColor)
	for i, st := range []raster.Style{few.Alarm, few.Good, few.Warn} {
		if st.FG != raster.Palette256(i+1) {
			t.Errorf("colour %d of the 16 is %v", i+1, st.FG)
		}
	}
	if few.Accent.FG != raster.Palette256(6) {
		t.Errorf("accent %v", few.Accent.FG)
	}
	black, paper := raster.RGB(0, 0, 0), raster.RGB(255, 255, 255)
	onBlack, onPaper := NewTheme(raster.TrueColor, glyphs, true, black), NewTheme(raster.TrueColor, glyphs, false,
		paper)
	for _, pair := range [][2]raster.Style{{onBlack.Good, onPaper.Good}, {onBlack.Warn, onPaper.Warn},
		{onBlack.Alarm, onPaper.Alarm}, {onBlack.Accent, onPaper.Accent}} {
		if pair[0].FG.Luma() <= pair[1].FG.Luma() { // light on black, dark on paper
			t.Errorf("%v on black, %v on paper", pair[0].FG, pair[1].FG)
		}
	}
	if got := NewTheme(raster.TrueColor, glyphs, false, raster.NoColor); got.Dim.FG != onPaper.Dim.FG {
		t.Errorf("without a background %v, on paper %v", got.Dim.FG, onPaper.Dim.FG)
	}
}
