//go:build unix

package e2e

import (
	"fmt"
	"image"
	"os"
	"strings"
	"testing"

	"pview/internal/vt"
)

// inPixels makes a terminal that draws pictures in a way, with cells of 10 x 20 pixels.
func inPixels(way string) option {
	return func(tm *terminal) { tm.screen.Pixels, tm.screen.CellWidth, tm.screen.CellHeight = way, 10, 20 }
}

// twoHalves is a run of 1000 us: thread 1 runs for the first half and waits for the second, thread 2 the other way
// round.
const twoHalves = `#Paraver (01/01/2026 at 10:00):1000000_ns:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:500000:1
1:1:1:1:1:500000:1000000:3
1:2:1:2:1:0:500000:3
1:2:1:2:1:500000:1000000:1
`

const twoColors = "STATES\n1 Running\n3 Waiting\n\nSTATES_COLOR\n1 {10,20,200}\n3 {200,20,10}\n"

// onlyPicture waits for a picture of the whole run and returns it.
func (tm *terminal) onlyPicture(wait func(p vt.Picture) bool) (p vt.Picture, bytes int) {
	tm.t.Helper()
	tm.await("a picture", func(s *vt.Screen) bool {
		for _, p = range s.Pictures {
			if wait(p) {
				bytes = s.PictureBytes
				return true
			}
		}
		return false
	})
	return p, bytes
}

// shareOf returns the share of a line of pixels that has the colour of its start, without the pixels of the cursor.
func shareOf(img image.Image, y int) float64 {
	n, w := 0, img.Bounds().Dx()
	for x := range w {
		if img.At(x, y) == img.At(20, y) {
			n++
		}
	}
	return float64(n) / float64(w)
}

// halves reports whether the upper row of a picture has two colours, one for each half of the time.
func halves(p vt.Picture) bool {
	y := p.Image.Bounds().Dy() / 4
	share := shareOf(p.Image, y)
	return share > 0.4 && share < 0.6 && p.Image.At(20, y) != p.Image.At(p.Image.Bounds().Dx()-20, y)
}

// A terminal that can draw pictures is sent the timeline in pixels, which decodes to the run.
func TestTimelineInPixels(t *testing.T) {
	for _, way := range []string{"kitty", "sixel"} {
		t.Run(way, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "a.prv", []byte(twoHalves))
			write(t, dir, "a.pcf", []byte(twoColors))
			tm := start(t, 160, 40, []string{"a.prv"}, inDir(dir), inPixels(way))
			p, bytes := tm.onlyPicture(halves)
			w, h := p.Image.Bounds().Dx(), p.Image.Bounds().Dy()
			if w%10 != 0 || w < 1200 || h < 60 {
				t.Errorf("%d x %d pixels", w, h)
			}
			if way == "kitty" && (p.Columns*10 != w || p.Rows*20 > (h/20+1)*20) {
				t.Errorf("%d x %d cells for %d x %d pixels", p.Columns, p.Rows, w, h)
			}
			// Thread 1 is blue for half of the time; the row of thread 2 begins where that of thread 1 ends.
			first := shareOf(p.Image, h/4)
			if first < 0.48 || first > 0.52 {
				t.Errorf("thread 1 runs for %.3f of the time", first)
			}
			turn := -1
			for x := range w {
				if p.Image.At(x, h/4) != p.Image.At(20, h/4) && turn < 0 && x > 20 {
					turn = x
				}
			}
			if turn < w/2-1 || turn > w/2+1 {
				t.Errorf("thread 1 turns at pixel %d of %d", turn, w)
			}
			if bytes > 60_000 {
				t.Errorf("%d bytes", bytes)
			}
			t.Logf("%d x %d in %d bytes", w, h, bytes)
			tm.settle()
			tm.see(func(s *vt.Screen) { // the cells below are blank
				if text := s.At(p.X+10, p.Y).Text; strings.TrimSpace(text) != "" {
					t.Errorf("text %q below the picture", text)
				}
			})
			tm.checkUnderstood()
			// A dialog lies over the plot: the picture gives way to cells, and comes back.
			tm.press("?")
			if way == "kitty" {
				tm.await("no picture", func(s *vt.Screen) bool { return len(s.Pictures) == 0 })
			}
			tm.press("\x1b")
			tm.onlyPicture(halves)
		})
	}
}

// A terminal that does not answer, or for which cells are requested, gets cells, and no query delays the first picture.
func TestCellsWithoutPixels(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.prv", []byte(twoHalves))
	for name, options := range map[string][]option{"mute": {mute()}, "asked for": {inPixels("kitty")}} {
		t.Run(name, func(t *testing.T) {
			args := []string{"a.prv"}
			if name == "asked for" {
				args = append(args, "--graphics", "cells")
			}
			tm := start(t, 100, 30, args, append(options, inDir(dir))...)
			tm.awaitText("1.2.1")
			tm.settle()
			tm.see(func(s *vt.Screen) {
				if len(s.Pictures) > 0 {
					t.Errorf("%d pictures", len(s.Pictures))
				}
			})
		})
	}
}

// A picture of 1600 x 800 pixels takes at most 60 KB; so does kitty's with 960 messages over it.
func TestPicturesAreSmall(t *testing.T) {
	for _, way := range []string{"kitty", "sixel"} {
		t.Run(way, func(t *testing.T) {
			dir := t.TempDir()
			for _, ext := range []string{".prv.gz", ".pcf", ".row"} {
				text, err := os.ReadFile("../../testdata/traces/heat2d_8/heat2d_8" + ext)
				if err != nil {
					t.Fatal(err)
				}
				write(t, dir, "run"+ext, text)
			}
			tm := start(t, 177, 70, []string{"run.prv.gz"}, inDir(dir), inPixels(way))
			tm.onlyPicture(func(p vt.Picture) bool { return true })
			if way == "kitty" { // in sixels this number of messages is drawn in cells
				tm.press("x")
			}
			tm.settle()
			p, bytes := tm.onlyPicture(func(p vt.Picture) bool { return p.Image.Bounds().Dx() >= 1600 })
			t.Logf("%v in %d bytes", p.Image.Bounds().Max, bytes)
			if bytes > 60_000 {
				t.Errorf("%v takes %d bytes", p.Image.Bounds().Max, bytes)
			}
		})
	}
}

// uneven is a run of 1000 us: thread 1 runs for a quarter of it, thread 2 for three.
const uneven = `#Paraver (01/01/2026 at 10:00):1000000_ns:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:250000:1
1:1:1:1:1:250000:1000000:3
1:2:1:2:1:0:750000:1
1:2:1:2:1:750000:1000000:3
`

// A table as a heat map and the plot of a sweep are pictures below that of the timeline, in the place of blank cells.
// The heat map has four fields: 25 % and 75 % of thread 1, 75 % and 25 % of thread 2. The curve of a run without
// messages is flat: each column of pixels between its ends has some of its colour, in the lines around one height.
func TestPanesInPixels(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.prv", []byte(uneven))
	write(t, dir, "a.pcf", []byte(twoColors))
	tm := start(t, 160, 50, []string{"a.prv"}, inDir(dir), inPixels("kitty"))
	lowest := func(s *vt.Screen) (p vt.Picture) {
		for _, q := range s.Pictures {
			if q.Y > p.Y {
				p = q
			}
		}
		return p
	}
	inPane := func(what string, pictures int) (p vt.Picture) {
		tm.await("a picture of "+what, func(s *vt.Screen) bool {
			return len(s.Pictures) >= pictures && strings.TrimSpace(s.At(lowest(s).X+3, lowest(s).Y+1).Text) == ""
		})
		tm.settle()
		tm.see(func(s *vt.Screen) { p = lowest(s) })
		return p
	}
	tm.settle()
	tm.press("a")
	tm.awaitText("% Time")
	tm.settle()
	tm.press(":", "cell-look picture", keyEnter)
	p := inPane("the heat map", 2)
	b := p.Image.Bounds()
	field := func(x, y int) string { return colorAt(p.Image, b.Dx()*(2*x+1)/4, b.Dy()*(2*y+1)/4) }
	if field(0, 0) != field(1, 1) || field(1, 0) != field(0, 1) || field(0, 0) == field(1, 0) {
		t.Errorf("heat map of %v: %s %s, %s %s", b.Max, field(0, 0), field(1, 0), field(0, 1), field(1, 1))
	}
	tm.press(keyEsc)
	tm.settle()
	tm.press(":", "simulate", keyEnter)
	tm.awaitText("Latency")
	tm.settle()
	tm.press(keyEnter)
	tm.settle()
	tm.press("1us..1ms*5", keyEnter)
	p = inPane("the curve", 3)
	b = p.Image.Bounds()
	lines := map[int]bool{}
	for x := b.Dx() / 4; x < b.Dx()*3/4; x++ {
		found := false
		for y := range b.Dy() {
			if r, _, b, _ := p.Image.At(x, y).RGBA(); b > r+0x2000 { // blue, or a shade of it: lines are smooth
				found, lines[y] = true, true
			}
		}
		if !found {
			t.Fatalf("no curve at pixel %d of %v", x, b.Max)
		}
	}
	if len(lines) > 6 {
		t.Errorf("the curve takes %d lines of pixels", len(lines))
	}
	tm.checkUnderstood()
}

func colorAt(img image.Image, x, y int) string {
	r, g, b, _ := img.At(x, y).RGBA()
	return fmt.Sprintf("%02x%02x%02x", r>>8, g>>8, b>>8)
}

// Rows that share lines of cells have separate pixels, which fill the picture: of 60 threads in fewer than 20 lines,
// thread k runs for k/60 of the time and then waits.
func TestManyRowsInPixels(t *testing.T) {
	const threads = 60
	var b strings.Builder
	fmt.Fprintf(&b, "#Paraver (01/01/2026 at 10:00):600000_ns:1(%d):1:1(%d:1)\n", threads, threads)
	for k := 1; k <= threads; k++ {
		fmt.Fprintf(&b, "1:%d:1:1:%d:0:%d:1\n", k, k, k*10000)
		if k < threads {
			fmt.Fprintf(&b, "1:%d:1:1:%d:%d:600000:3\n", k, k, k*10000)
		}
	}
	dir := t.TempDir()
	write(t, dir, "a.prv", []byte(b.String()))
	write(t, dir, "a.pcf", []byte(twoColors))
	tm := start(t, 120, 24, []string{"a.prv"}, inDir(dir), inPixels("kitty"))
	tm.settle()
	p, _ := tm.onlyPicture(func(p vt.Picture) bool { return true })
	w, h := p.Image.Bounds().Dx(), p.Image.Bounds().Dy()
	for k := 3; k < threads; k += 7 { // some pixels on both sides of where the thread turns
		turn, y := w*k/threads, (2*k-1)*h/(2*threads)
		if before, after := colorAt(p.Image, turn-3, y),
			colorAt(p.Image, turn+3, y); before != colorAt(p.Image, 30, h-1) || after == before {
			t.Errorf("thread %d is %s, then %s", k, before, after)
		}
	}
}
