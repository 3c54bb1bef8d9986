package raster

import (
	"strings"
	"testing"

	"pview/prv"
)

func axisText(begin, end int64, w int, unit prv.Unit, h int) string {
	c := NewCanvas(w+12, h)
	a := TimeAxis{Look: mono, Axis: Axis{Begin: begin, End: end, W: w}, Unit: unit}
	a.Draw(c.Sub(12, 0, w, h), c.Sub(0, 0, 12, h))
	return c.Plain()
}

func TestTimeAxis(t *testing.T) {
	for _, test := range []struct {
		name       string
		begin, end int64
		w          int
		unit       prv.Unit
		want       string
	}{
		{"the whole of a small trace", 0, 100, 40, us,
			"            ╵0 us               ╵50 us"},
		{"seconds", 12_000_000_000, 13_900_000_000, 60, ns,
			"            ╵12.0 s        ╵12.5 s         ╵13.0 s         ╵13.5 s"},
		{"not from a round time", 12_034_000_000, 14_210_000_000, 50, ns,
			"                      ╵12.5 s     ╵13.0 s    ╵13.5 s     ╵"},
		{"offsets where labels would be long", 12_034_567_890, 12_034_568_890, 60, ns,
			"12.034567 s       ╵+1.0 us    ╵+1.2 us    ╵+1.4 us    ╵+1.6 us    ╵"},
		{"minutes", 0, 1_800_000, 50, ms,
			"            ╵0 min          ╵10 min          ╵20 min"},
		{"one unit to many columns", 5, 8, 40, ns,
			"            ╵5 ns         ╵6 ns        ╵7 ns"},
		{"nothing", 7, 7, 20, ns,
			"            ╵7 ns"},
		{"narrow", 0, 1000, 5, ns,
			"            ╵0 us"},
	} {
		got := strings.TrimRight(axisText(test.begin, test.end, test.w, test.unit, 1), " ")
		if got != test.want {
			t.Errorf("%s:\ngot  %q\nwant %q", test.name, got, test.want)
		}
	}
}

func TestTimeAxisWithRuler(t *testing.T) {
	want := "            ┬───────────────────┬───────────────────\n                              50 us"
	if got := axisText(0, 100, 40, us, 2); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Whatever the axis: ticks are in order, at their columns, on multiples of one
// step, with labels that differ and do not overlap.
func TestTicksOfAllAxes(t *testing.T) {
	for _, a := range axes() {
		for _, unit := range []prv.Unit{ns, us, ms} {
			axis := TimeAxis{Look: mono, Axis: a, Unit: unit}
			ticks, _ := axis.Ticks()
			if len(ticks) > a.W/4+2 {
				t.Fatalf("%+v: %d ticks", a, len(ticks))
			}
			for i, tick := range ticks {
				if x, _, ok := a.Columns(tick.Time); !ok || x != tick.X {
					t.Fatalf("%+v: tick %+v is in column %d", a, tick, x)
				}
				if i == 0 {
					continue
				}
				before := ticks[i-1]
				if tick.Label == before.Label || tick.Time <= before.Time {
					t.Fatalf("%+v %v: ticks %+v and %+v", a, unit, before, tick)
				}
				if before.X+1+len(before.Label) >= tick.X {
					t.Fatalf("%+v %v: tick %+v runs into %+v", a, unit, before, tick)
				}
				if i > 1 && tick.Time-before.Time != before.Time-ticks[i-2].Time {
					t.Fatalf("%+v: uneven ticks %+v", a, ticks[i-2:i+1])
				}
			}
		}
	}
}

// A label that a mark would cut is omitted; its tick, and a mark on it, stay.
func TestTicksLeaveMarksFree(t *testing.T) {
	draw := func(marks ...int) string {
		c := NewCanvas(40, 1)
		a := TimeAxis{Look: mono, Axis: Axis{Begin: 0, End: 100_000, W: 40}, Unit: prv.Nanoseconds, Marks: marks}
		a.Draw(c, Canvas{})
		return strings.TrimRight(c.Plain(), " \n")
	}
	want := "╵0 us               ╵50 us"
	if got := draw(); got != want {
		t.Fatalf("%q", got)
	}
	if got := draw(20, 30); got != want { // on a tick, and beside labels
		t.Errorf("%q", got)
	}
	if got := draw(3, 25); got != "╵                   ╵" {
		t.Errorf("%q", got)
	}
}
