package dialog

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/render/style"
)

func host(w, h int) *Host {
	return &Host{W: w, H: h, Theme: style.NewTheme(raster.TrueColor, raster.ASCII, true, raster.NoColor)}
}

// numbered returns a pager of n numbered lines, every tenth with a word to find, in another style.
func numbered(n int) *Pager {
	return &Pager{Title: "Numbers", Layout: func(th *style.Theme, _ int) (lines []style.Line) {
		for i := range n {
			line := style.Line{{Text: fmt.Sprintf("line %d ", i), Style: th.Popup}}
			if i%10 == 0 {
				line = append(line, style.Span{Text: "Tens", Style: th.PopupDim})
			}
			lines = append(lines, line)
		}
		return lines
	}}
}

func drawn(h *Host, d Dialog) raster.Canvas {
	c := raster.NewCanvas(h.W, h.H)
	d.Draw(h, c)
	return c
}

// A screen of 40 by 12 has 9 lines of text: a box on all of it, with a frame and a line of keys.
func TestPagerScrolls(t *testing.T) {
	h := host(40, 12)
	p := numbered(100)
	h.Open(p)
	for _, step := range []struct {
		key tea.KeyPressMsg
		top int
	}{
		{press("j"), 1}, {press("k"), 0}, {press("k"), 0}, {press("f"), 8}, {press("ctrl+d"), 16}, {press("b"), 8},
		{press("G"), 91}, {press("j"), 91},
		{press("g"), 0}, {press("end"), 91}, {press("home"), 0},
	} {
		p.Key(h, step.key)
		if p.Top() != step.top {
			t.Fatalf("after %s the first line is %d, want %d", step.key, p.Top(), step.top)
		}
		c := drawn(h, p)
		for y := range 9 {
			if text := c.Sub(2, 1+y, 36, 1).Plain(); !strings.HasPrefix(text, fmt.Sprintf("line %d ", step.top+y)) &&
				text != fmt.Sprintf("line %d", step.top+y) {
				t.Fatalf("after %s line %d is %q", step.key, y, text)
			}
		}
	}
	p.Key(h, press("G"))
	h.H = 40 // there are now fewer lines above the end
	if drawn(h, p); p.Top() != 100-35 {
		t.Errorf("on a larger screen the first line is %d, want %d", p.Top(), 100-35)
	}
}

// The text searched for is found ahead and back, and marked wherever it is visible, in its own background.
func TestPagerSearches(t *testing.T) {
	h := host(40, 12)
	p := numbered(100)
	h.Open(p)
	for _, k := range []string{"j", "/", "t", "E", "n"} {
		p.Key(h, press(k))
	}
	p.Key(h, tea.KeyPressMsg{Code: tea.KeyEnter})
	for _, step := range []struct {
		key string
		top int
	}{{"n", 20}, {"n", 30}, {"N", 20}} {
		p.Key(h, press(step.key))
		if p.Top() != step.top {
			t.Errorf("%s finds line %d, want %d", step.key, p.Top(), step.top)
		}
	}
	c, th := drawn(h, p), h.Theme
	for x, want := range map[int]raster.Style{1: th.Popup, 8: {FG: th.Match.FG, BG: th.PopupDim.BG,
		Attr: th.Match.Attr}, 10: {FG: th.Match.FG, BG: th.PopupDim.BG, Attr: th.Match.Attr}, 11: th.PopupDim} {
		if got := c.At(2+x, 1); got.Style != want { // "line 20 Tens": Ten is found
			t.Errorf("column %d (%c) is %+v, want %+v", x, got.Rune, got.Style, want)
		}
	}
}

// A line wider than the box is wrapped; a label's contents are drawn, not obeyed.
func TestPagerBreaksAndCleans(t *testing.T) {
	h := host(20, 12)
	th := h.Theme
	h.Open(&Pager{Layout: func(*style.Theme, int) []style.Line {
		return []style.Line{{{Text: "0123456789", Style: th.Popup}, {Text: "abcdefghij", Style: th.PopupDim}}, nil,
			{{Text: "a\x1b[31mb\nc", Style: th.Popup}}}
	}})
	c := drawn(h, h.Top())
	for y, want := range []string{"0123456789abcdef", "ghij", "", "a [31mb c"} {
		if got := c.Sub(2, 1+y, 16, 1).Plain(); got != want {
			t.Errorf("line %d is %q, want %q", y, got, want)
		}
	}
}

// BenchmarkPager scrolls through a long text.
func BenchmarkPager(b *testing.B) {
	for _, n := range []int{300, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			h := host(200, 60)
			p := numbered(n)
			h.Open(p)
			c := raster.NewCanvas(h.W, h.H)
			for b.Loop() {
				p.Key(h, press("j"))
				p.Draw(h, c)
			}
		})
	}
}
