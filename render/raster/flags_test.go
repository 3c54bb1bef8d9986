package raster

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func drawFlags(axis Axis, layout Layout, rows ...[][]int64) (string, int) {
	f := Flags{Look: mono, Axis: axis, Layout: layout}
	c := NewCanvas(axis.W, layout.Lines)
	n := f.Draw(c, func(row int) [][]int64 { return rows[row] })
	return c.Plain(), n
}

func TestFlagsTellOneFromFewFromMany(t *testing.T) {
	many := make([]int64, 20)
	for i := range many {
		many[i] = 80 + int64(i)/2
	}
	got, n := drawFlags(Axis{End: 100, W: 10, Closed: true}, Layout{Rows: 2, Lines: 2},
		[][]int64{{5, 31, 35, 100}, {39}}, [][]int64{many})
	if want := "╵  ▾     ╵\n        ▼"; got != want || n != 25 {
		t.Errorf("%d events, got\n%s\nwant 25,\n%s", n, got, want)
	}
}

func TestFlagsOutsideTheView(t *testing.T) {
	got, n := drawFlags(Axis{Begin: 20, End: 60, W: 8}, Layout{First: 1, Rows: 1, Lines: 1},
		[][]int64{{30}}, [][]int64{{0, 19, 20, 59, 60, 61}})
	if want := "╵      ╵"; got != want || n != 2 {
		t.Errorf("%d events %q, want 2 %q", n, got, want)
	}
}

func TestFlagsInADeepZoomMarkOneColumn(t *testing.T) {
	got, n := drawFlags(Axis{Begin: 10, End: 13, W: 9}, Layout{Rows: 1, Lines: 1}, [][]int64{{11}})
	if want := "   ╵"; got != want || n != 1 {
		t.Errorf("%d events %q, want 1 %q", n, got, want)
	}
}

// Rows that share a line add up; a row of several lines has its flags on the first.
func TestFlagsFollowTheLayout(t *testing.T) {
	rows := [][][]int64{{{5}}, {{5}}, {{95}}}
	if got, n := drawFlags(Axis{End: 100, W: 10}, Layout{Rows: 3, Lines: 1}, rows...); got != "▾        ╵" || n != 3 {
		t.Errorf("merged: %d events, %q", n, got)
	}
	if got, n := drawFlags(Axis{End: 100, W: 10}, Layout{Rows: 2, Lines: 4, Height: 2}, rows...); got != "╵\n\n╵\n" ||
		n != 2 {
		t.Errorf("two lines each: %d events, %q", n, got)
	}
	if got, n := drawFlags(Axis{End: 100, W: 10}, Layout{Rows: 3, Lines: 2, Split: 2},
		rows...); got != "▾\n         ╵" || n != 3 {
		t.Errorf("two rows to a line: %d events, %q", n, got)
	}
}

// Every event of a view is counted once, in the column that shows its time.
func TestFlagsCountEveryEvent(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for _, axis := range axes() {
		times := make([]int64, rnd.IntN(200))
		for i := range times {
			times[i] = axis.Time(rnd.IntN(axis.W+1)) - int64(rnd.IntN(3)) + 1
		}
		slices.Sort(times)
		want := make([]int, axis.W)
		for _, at := range times {
			if x, _, ok := axis.Columns(at); ok {
				want[x]++
			}
		}
		f := Flags{Look: mono, Axis: axis, counts: make([]int, axis.W)}
		f.count(times)
		if !slices.Equal(f.counts, want) {
			t.Fatalf("%+v, events %v:\ncounted %v\nwant    %v", axis, times, f.counts, want)
		}
	}
}

func TestFlagsKeepTheColorBelow(t *testing.T) {
	c := NewCanvas(4, 1)
	c.Fill(Cell{' ', Style{BG: RGB(0, 0, 255)}})
	f := Flags{Look: DefaultLook, Axis: Axis{End: 4, W: 4}, Layout: Layout{Rows: 1, Lines: 1, Gap: true}}
	f.Draw(c, func(int) [][]int64 { return [][]int64{{2}} })
	if want := (Cell{'╵', Style{FG: RGB(255, 255, 255), BG: RGB(0, 0, 255)}}); c.At(2, 0) != want {
		t.Errorf("cell is %+v, want %+v", c.At(2, 0), want)
	}
	if strings.Count(c.Plain(), "╵") != 1 {
		t.Errorf("got %q", c.Plain())
	}
}
