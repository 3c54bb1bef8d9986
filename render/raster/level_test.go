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
	(&Level{look, s}).Draw(c, g.Line(0))
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

// Several bursts to a column: the draw mode says how high it is.
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

func TestFunctionLineOfOddValues(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, s := range []Scale{{0, 1}, {1, 0}, {-inf, inf}, {nan, nan}, {0, 0}} {
		for h := range 4 {
			(&Level{DefaultLook, s}).Draw(NewCanvas(4, h), []float64{nan, -inf, inf, Absent, 1})
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
