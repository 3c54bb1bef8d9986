package screen

import (
	"testing"

	"pview/render/raster"
)

// A dense picture in halves: each cell is written in the pen's current style, or nearly.
func TestPenIsChangedAsLittleAsPossible(t *testing.T) {
	red, blue, green := raster.RGB(255, 0, 0), raster.RGB(0, 0, 255), raster.RGB(0, 255, 0)
	cell := func(r rune, fg, bg raster.Color) raster.Cell {
		return raster.Cell{Rune: r, Style: raster.Style{FG: fg, BG: bg}}
	}
	const setRed, setBlue, setGreen = "2;255;0;0", "2;0;0;255", "2;0;255;0"
	for _, test := range []struct {
		name  string
		cells []raster.Cell
		want  string
	}{
		{"left red, right blue; then left blue, right red: the other half in the same pen",
			[]raster.Cell{cell('▌', red, blue), cell('▌', blue, red)}, "\x1b[38;" + setRed + ";48;" + setBlue + "m▌▐"},
		{"the blue half stays the background",
			[]raster.Cell{cell('▀', red, blue), cell('▀', blue, green)},
			"\x1b[38;" + setRed + ";48;" + setBlue + "m▀\x1b[38;" + setGreen + "m▄"},
		{"quarters as well",
			[]raster.Cell{cell('▘', red, blue), cell('▘', blue, red)}, "\x1b[38;" + setRed + ";48;" + setBlue + "m▘▟"},
		{"a blank needs no foreground",
			[]raster.Cell{cell('▌', red, blue), cell(' ', raster.NoColor, blue), cell('▌', red, blue)},
			"\x1b[38;" + setRed + ";48;" + setBlue + "m▌ ▌"},
		{"a half on the terminal's own background is what it is",
			[]raster.Cell{cell('▌', red, blue), cell('▌', red, raster.NoColor)},
			"\x1b[38;" + setRed + ";48;" + setBlue + "m▌\x1b[49m▌"},
	} {
		c := raster.NewCanvas(len(test.cells), 1)
		copy(c.Line(0), test.cells)
		d := Delta{Profile: raster.TrueColor, Erase: true}
		if got, want := string(d.Append(nil, c, nil)), "\x1b[m\x1b[2J\x1b[1H"+test.want+"\x1b[m"; got != want {
			t.Errorf("%s: sends %q, want %q", test.name, got, want)
		}
	}
}
