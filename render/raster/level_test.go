package raster

import (
	"math"
	"strings"
	"testing"

	"pview/semantic/series"
)

func level(look Look, h int, s Scale, axis Axis, row *series.Series, m series.DrawMode) Canvas {
	var g Grid
	g.Sample([]*series.Series{row}, axis, Layout{Rows: 1, Lines: 1}, Modes{Time: m}, 1)
	c := NewCanvas(axis.W, h)
	(&Level{look, s}).Draw(c, g.Line(0), g.SpreadOf(0))
	return c
}

func TestFunctionLine(t *testing.T) {
	row := seriesOf(0, 0, 1, 1, 2, 2, 3, 4, 4, 8, 5, 16, 8)
	axis := Axis{End: 8, W: 8, Closed: true}
	for _, test := range []struct {
		name  string
		look  Look
		h     int
		scale Scale
		want  string
	}{
		{"one line", mono, 1, Scale{0, 16}, " ▁▁▂▄▇▇▇"},
		{"two lines", mono, 2, Scale{0, 16}, "     ▇▇▇\n ▁▂▄████"},
		{"ascii", Look{Mono, ASCII, DarkTheme}, 2, Scale{0, 16}, "     %%%\n _.=####"},
		{"out of scale", mono, 2, Scale{2, 8}, "    ▇^^^\n__ ▅████"},
		{"empty scale", mono, 1, Scale{4, 4}, "___▇^^^^"},
	} {
		if got := level(test.look, test.h, test.scale, axis, row, series.Maximum).Plain(); got != test.want {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// Several bursts in a column: the draw mode determines the height.
func TestFunctionLineObeysTheDrawMode(t *testing.T) {
	row := seriesOf(0, 4, 10, 16, 15, 4, 20, 8, 40)
	axis := Axis{End: 40, W: 2, Closed: true}
	for mode, want := range map[series.DrawMode]string{
		series.Maximum:        "▇ \n██", // 16 and 8 of 16
		series.MinimumNotZero: "  \n▄█", // 4 and 8
		series.Average:        "  \n██", // (4+16+4)/3 = 8 and 8
		series.MostTime:       "  \n▄█", // 4 for 15 of 20
	} {
		if got := level(mono, 2, Scale{0, 16}, axis, row, mode).Plain(); strings.ReplaceAll(got, " ",
			"") != strings.ReplaceAll(want, " ", "") {
			t.Errorf("mode %v:\ngot\n%s\nwant\n%s", mode, got, want)
		}
	}
	golden(t, "level", layers(level(DefaultLook, 4, Scale{0, 16}, axis, row, series.Maximum)))
	golden(t, "level_mono", layers(level(mono, 4, Scale{0, 16}, axis, row, series.Maximum)))
}

// A column over several bursts shows their range, not the value of an arbitrary burst: 8 for 3, 2 for 5 and 5 for 2 of
// its 10 ticks are a mean of 4.4 between 2 and 8; the next column has 6 alone.
func TestFunctionLineShowsTheSpread(t *testing.T) {
	row := seriesOf(0, 8, 3, 2, 8, 5, 10, 6, 20)
	var g Grid
	g.Sample([]*series.Series{row}, Axis{End: 20, W: 2, Closed: true}, Layout{Rows: 1, Lines: 1},
		Modes{Time: series.Maximum, Spread: true}, 1)
	if got := g.SpreadOf(0); got[0] != (Spread{2, 4.4}) || got[1] != (Spread{6, 6}) {
		t.Errorf("spread %v", got)
	}
	// 2 lines are 15 steps of 8/15: up to 2 are 4 steps, up to 4.4 are 8, up to 8 all 15.
	c := NewCanvas(2, 2)
	l := &Level{DefaultLook, Scale{0, 8}}
	l.Draw(c, g.Line(0), g.SpreadOf(0))
	least, mean, most := l.tone(l.Theme.Level, 0), l.tone(l.Theme.Level, 1), l.tone(l.Theme.Level, 2)
	if got, want := c.At(0, 1), (Cell{'▄', Style{FG: least, BG: mean}}); got != want {
		t.Errorf("below %v, not %v", got, want)
	}
	if got, want := c.At(0, 0), (Cell{'▇', Style{FG: most}}); got != want {
		t.Errorf("above %v, not %v", got, want)
	}
	c = NewCanvas(2, 2)
	(&Level{mono, Scale{0, 8}}).Draw(c, g.Line(0), g.SpreadOf(0))
	if got := c.Plain(); got != "░▃\n██" {
		t.Errorf("without colours\n%s", got)
	}
	if g.Sample([]*series.Series{row, row}, Axis{End: 20, W: 2}, Layout{Rows: 2, Lines: 1}, Modes{Spread: true},
		1); g.SpreadOf(
		0,
	) != nil {
		t.Error("rows that share a line have a spread")
	}
}

func TestFunctionLineOfOddValues(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, s := range []Scale{{0, 1}, {1, 0}, {-inf, inf}, {nan, nan}, {0, 0}} {
		for h := range 4 {
			(&Level{DefaultLook, s}).Draw(NewCanvas(4, h), []float64{nan, -inf, inf, Absent, 1}, nil)
		}
	}
}

func TestLevelLabels(t *testing.T) {
	c := NewCanvas(8, 5)
	(&Level{mono, Scale{0, 2_000_000}}).DrawLabels(c, "B")
	if got, want := c.Plain(), "    2M B\n\n    1M B\n\n     0 B"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestOverview(t *testing.T) {
	for _, test := range []struct {
		begin, end int64
		want       string
	}{
		{0, 100, "[▄▄██▄▄████]"},
		{40, 60, "▕▄▄█[▄▄]███▏"},
		{45, 46, "▕▄▄█[▄]████▏"},
		{45, 45, "▕▄▄█[▄]████▏"},
		{99, 100, "▕▄▄██▄▄██[█]"},
	} {
		o := Overview{Look: mono, Axis: Axis{End: 100, W: 10, Closed: true}, Begin: test.begin, End: test.end}
		o.Profile, o.Scale.Max = []float64{1, 1, 2, 2, 1, 1, 2, 2, 2, 2}, 2
		c := NewCanvas(12, 1)
		o.Draw(c)
		if got := c.Plain(); got != test.want {
			t.Errorf("view %d..%d: got %s, want %s", test.begin, test.end, got, test.want)
		}
	}
}

// A run that is shorter than the bar is wide has columns narrower than a unit.
func TestOverviewOfAShortRun(t *testing.T) {
	for view, want := range map[[2]int64]string{{0, 2}: "[█████]", {0, 1}: "[███]█▏", {1, 2}: "▕██[██]"} {
		o := Overview{Look: mono, Axis: Axis{End: 2, W: 5, Closed: true}, Begin: view[0], End: view[1]}
		o.Profile, o.Scale.Max = []float64{1, 1, 1, 1, 1}, 1
		c := NewCanvas(7, 1)
		o.Draw(c)
		if got := c.Plain(); got != want {
			t.Errorf("view %v: got %s, want %s", view, got, want)
		}
	}
}

// Columns of 2, 4 and 6 of 8 at least, on average and at most, and of 0, 1 and 8: a border for each if there are enough
// lines, in one line that of the mean.
func TestOverviewShowsTheSpread(t *testing.T) {
	o := Overview{Look: DefaultLook, Axis: Axis{End: 3, W: 3, Closed: true}, Begin: 2, End: 3, Scale: Scale{0, 8},
		Profile: []float64{6, 8, 1}, Spread: []Spread{{2, 4}, {0, 1}, {1, 1}}}
	c := NewCanvas(5, 2)
	o.Draw(c)
	// Two lines are 16 steps: up to 2 are 4 steps, up to 4 are 8, up to 6 are 12.
	color := o.Theme.Calm
	if got, want := c.At(1, 1), (Cell{'▄', Style{FG: o.tone(color, 0), BG: o.tone(color, 1)}}); got != want {
		t.Errorf("below %v, not %v", got, want)
	}
	if got, want := c.At(1, 0), (Cell{'▄', Style{FG: o.tone(color, 2)}}); got != want {
		t.Errorf("above %v, not %v", got, want)
	}
	// A short peak to 8 over a mean of 1: in one line 1 step is the mean's, and the peak is above it.
	c, color = NewCanvas(5, 1), o.Theme.InView
	o.Begin, o.End = 0, 3
	o.Draw(c)
	if got, want := c.At(2, 0), (Cell{'▁', Style{FG: o.tone(color, 1), BG: o.tone(color, 2)}}); got != want {
		t.Errorf("in one line %v, not %v", got, want)
	}
	if got, want := c.At(1, 0), (Cell{'▄', Style{FG: o.tone(color, 0), BG: o.tone(color, 2)}}); got != want {
		t.Errorf("in one line %v, not %v", got, want)
	}
	// A peak to 5 over a mean of 2 does not hide it.
	o.Profile, o.Spread = []float64{5, 5, 5}, []Spread{{0, 2}, {0, 2}, {0, 2}}
	o.Draw(c)
	if got, want := c.At(2, 0), (Cell{'▂', Style{FG: o.tone(color, 1), BG: o.tone(color, 2)}}); got != want {
		t.Errorf("in one line %v, not %v", got, want)
	}
}

func TestOverviewOfNothing(t *testing.T) {
	o := Overview{Look: mono, Axis: Axis{End: 100, W: 10, Closed: true}, Begin: 20, End: 70}
	for range 10 {
		o.Profile = append(o.Profile, Absent)
	}
	c := NewCanvas(12, 1)
	o.Draw(c)
	if got, want := c.Plain(), "▕ [─────]  ▏"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
