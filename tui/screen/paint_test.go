package screen

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pview/render/raster"
)

// A canvas written as text and drawn on another canvas gives the same canvas: every style, wide and combined
// characters.
func TestPaintIsTheReverseOfAppend(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 3))
		want := randomCanvas(r, 1+r.IntN(50), 1+r.IntN(6))
		want.Whole()
		got := raster.NewCanvas(want.W, want.H)
		Paint(got, 0, 0, text(want, raster.TrueColor), raster.Style{})
		if a, b := text(got, raster.TrueColor), text(want, raster.TrueColor); a != b {
			t.Fatalf("seed %d:\n%q\nwant\n%q", seed, a, b)
		}
	}
}

// A style goes to Lip Gloss and back.
func TestStyledAndBack(t *testing.T) {
	for _, st := range []raster.Style{
		{}, {FG: raster.RGB(1, 2, 3)}, {BG: raster.RGB(0, 0, 0)},
		{FG: raster.RGB(9, 8, 7), BG: raster.RGB(6, 5, 4), Attr: raster.Bold},
		{Attr: raster.Bold | raster.Underline}, {Attr: raster.Faint | raster.Italic}, {Attr: raster.Reverse},
	} {
		c := raster.NewCanvas(3, 1)
		Paint(c, 0, 0, Styled(st).Render("abc"), raster.Style{})
		for x := range 3 {
			if got, want := c.At(x, 0), (raster.Cell{Rune: rune("abc"[x]), Style: st}); got != want {
				t.Errorf("%+v comes back as %+v", want, got)
			}
		}
	}
}

// The base supplies what a style leaves open; overlong text is cut, at the left too; nothing but styles is obeyed.
func TestPaintInPlace(t *testing.T) {
	pop := raster.Style{FG: raster.RGB(1, 1, 1), BG: raster.RGB(2, 2, 2)}
	for _, test := range []struct {
		x, y       int
		text, want string
	}{
		{0, 0, "ab\ncd", "ab/cd/"},
		{1, 1, "ab\ncd", "/ ab/ cd"},
		{-1, 0, "abcdef", "bcdef/"},
		{3, 0, "abcdef", "   ab//"},
		{0, 2, "ab\ncd", "//ab"},
		{0, 0, "a\x1b[2Jb\x1b]52;c;x\x07\x1b[5Cd\te", "abd e//"},
		{0, 0, "\x1b[1mab\x1b[0mc", "abc//"},
		{-1, 0, "幅ab", " ab//"},
	} {
		c := raster.NewCanvas(5, 3)
		Paint(c, test.x, test.y, test.text, pop)
		if got := strings.ReplaceAll(c.Plain(), "\n", "/"); strings.TrimRight(got, "/") != strings.TrimRight(test.want,
			"/") {
			t.Errorf("%q at %d, %d shows %q, want %q", test.text, test.x, test.y, got, test.want)
		}
	}
	c := raster.NewCanvas(3, 1)
	Paint(c, 0, 0, "\x1b[1;31ma\x1b[mb", pop)
	if got := c.At(0, 0).Style; got.BG != pop.BG || got.Attr != raster.Bold || got.FG == pop.FG {
		t.Errorf("a styled character is %+v over %+v", got, pop)
	}
	if got := c.At(1, 0).Style; got != pop {
		t.Errorf("a plain character is %+v, want %+v", got, pop)
	}
}

// BenchmarkPaint draws a page of styled text.
func BenchmarkPaint(b *testing.B) {
	c := randomCanvas(rand.New(rand.NewPCG(5, 6)), 130, 56)
	page := text(c, raster.TrueColor)
	b.ReportAllocs()
	for b.Loop() {
		Paint(c, 0, 0, page, raster.Style{})
	}
}
