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
	}{{"THREAD 1.2.3", 12, "THREAD 1.2.3"}, {"THREAD 1.2.3", 11, "…READ 1.2.3"}, {"THREAD 1.2.3", 6, "…1.2.3"},
		{"THREAD 1.2.3", 2, "…3"}, {"ab", 1, "…"}, {"ab", 0, "…"}, {"", 0, ""},
		// Two columns for a character: after the mark there is room for one, or for two.
		{"幅幅幅", 4, "…幅"}, {"幅幅幅", 5, "…幅幅"}} {
		if got := Shorten(c.name, c.width, th); got != c.want {
			t.Errorf("%q in %d columns is %q, want %q", c.name, c.width, got, c.want)
		}
	}
}

// draw writes on a canvas of a line, and returns its text and styles.
func draw(width int, f func(c raster.Canvas)) (text string, styles []raster.Style) {
	c := raster.NewCanvas(width, 1)
	c.Clear()
	f(c)
	for x := range width {
		text += string(c.At(x, 0).Rune)
		styles = append(styles, c.At(x, 0).Style)
	}
	return text, styles
}

// A line of several styles is broken at a width; its characters keep their styles.
func TestLine(t *testing.T) {
	bold, dim := raster.Style{Attr: raster.Bold}, raster.Style{Attr: raster.Faint}
	line := Line{{"abc", bold}, {"", dim}, {"defgh", dim}}
	if got := line.Plain(); got != "abcdefgh" {
		t.Error(got)
	}
	for width, want := range map[int]string{9: "abcdefgh", 8: "abcdefgh", 7: "abcdefg|h", 3: "abc|def|gh",
		2: "ab|cd|ef|gh", 1: "a|b|c|d|e|f|g|h", 0: "a|b|c|d|e|f|g|h"} {
		var texts []string
		for _, part := range line.Break(width) {
			texts = append(texts, part.Plain())
			for _, s := range part {
				if bolder := strings.Contains("abc", s.Text); s.Text != "" && (s.Style == bold) != bolder {
					t.Errorf("%d: %+v", width, s)
				}
			}
		}
		if got := strings.Join(texts, "|"); got != want {
			t.Errorf("%d: %s, not %s", width, got, want)
		}
	}
	// A character wider than the line has a line, as far as there is room.
	for width, want := range map[int]string{3: "a幅|幅", 2: "a|幅|幅", 1: "a|幅幅"} {
		var texts []string
		for _, part := range (Line{{"a", bold}, {"幅幅", dim}}).Break(width) {
			texts = append(texts, part.Plain())
		}
		if got := strings.Join(texts, "|"); got != want {
			t.Errorf("%d: %s, not %s", width, got, want)
		}
	}
	text, styles := draw(12, func(c raster.Canvas) {
		if x := line.Draw(c, 1, 0); x != 9 {
			t.Errorf("it ends before column %d", x)
		}
	})
	if text != " abcdefgh   " || styles[3] != bold || styles[4] != dim {
		t.Errorf("%q, %+v", text, styles)
	}
}

// The selected line has a bar if its pane has the focus, else bold text in the accent.
func TestDrawChosen(t *testing.T) {
	th := NewTheme(raster.TrueColor, raster.DefaultLook.Glyphs, true, raster.NoColor)
	for _, focused := range []bool{true, false} {
		_, styles := draw(2, func(c raster.Canvas) {
			want := raster.Style{FG: th.Accent.FG, Attr: raster.Bold}
			if focused {
				want = th.PopupSel
			}
			if got := th.DrawChosen(c, focused); got != want {
				t.Errorf("focus %v: %+v", focused, got)
			}
		})
		if bar := styles[0] == th.PopupSel && styles[1] == th.PopupSel; bar != focused {
			t.Errorf("focus %v: %+v", focused, styles)
		}
	}
}

// Terminals without UTF-8 get other characters.
func TestASCII(t *testing.T) {
	const text = "←→ 5 µs … a·b"
	for glyphs, want := range map[*raster.Glyphs]string{raster.ASCII: "Left/Right 5 us ... a-b",
		raster.DefaultLook.Glyphs: text} {
		if got := (&Theme{Glyphs: glyphs}).ASCII(text); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func TestCut(t *testing.T) {
	th := &Theme{Glyphs: raster.DefaultLook.Glyphs}
	for width, want := range map[int]string{4: "wait", 3: "wa…", 2: "w…", 1: "…", 0: "", -1: ""} {
		if got := th.Cut("wait", width); got != want {
			t.Errorf("%d: %q, not %q", width, got, want)
		}
	}
}

// The theme of pictures is light or dark, on the terminal's background.
func TestForPictures(t *testing.T) {
	for dark, want := range map[bool]raster.Theme{true: *raster.DarkTheme, false: *raster.LightTheme} {
		want.Background = raster.RGB(1, 2, 3)
		th := NewTheme(raster.TrueColor, raster.DefaultLook.Glyphs, dark, want.Background)
		if got := *th.ForPictures(); got.Background != want.Background || got.Name != want.Name {
			t.Errorf("dark %v: %+v", dark, got)
		}
	}
}

// bar returns the right edge of a canvas: # for the thumb, | for the track.
func bar(h, top, shown, total int) string {
	th := NewTheme(raster.Mono, raster.ASCII, true, raster.NoColor)
	c := raster.NewCanvas(2, h)
	back := raster.RGB(1, 2, 3)
	c.Sub(1, 0, 1, h).Fill(raster.Cell{Style: raster.Style{BG: back}})
	DrawScrollbar(c, top, shown, total, th)
	var b strings.Builder
	for y := range h {
		if c.At(1, y).BG != back {
			b.WriteByte('!')
		}
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
