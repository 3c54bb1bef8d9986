package raster

import (
	"math"
	"testing"

	"pview/semantic"
)

func level(look Look, h int, s Scale, axis Axis, row *semantic.Series) Canvas {
	var e Envelope
	e.Sample(row, axis)
	c := NewCanvas(axis.W, h)
	(&Level{look, s}).Draw(c, &e)
	return c
}

func TestFunctionLine(t *testing.T) {
	row := series(0, 0, 1, 1, 2, 2, 3, 4, 4, 8, 5, 16, 8)
	axis := Axis{End: 8, W: 8, Closed: true}
	for _, test := range []struct {
		name  string
		look  Look
		h     int
		scale Scale
		want  string
	}{
		{"one line", mono, 1, Scale{0, 16}, " ▁▁▂▄███"},
		{"two lines", mono, 2, Scale{0, 16}, "     ███\n ▁▂▄████"},
		{"ascii", Look{Mono, ASCII, DarkTheme}, 2, Scale{0, 16}, "     ###\n _.=####"},
		{"out of scale", mono, 2, Scale{2, 8}, "    █^^^\n__ ▅████"},
		{"empty scale", mono, 1, Scale{4, 4}, "___█^^^^"},
	} {
		if got := level(test.look, test.h, test.scale, axis, row).Plain(); got != test.want {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// Several bursts to a column: solid to the least, a band to the greatest, a line
// at the mean over time.
func TestFunctionLineShowsTheEnvelope(t *testing.T) {
	row := series(0, 4, 10, 16, 15, 4, 20, 8, 40)
	axis := Axis{End: 40, W: 2, Closed: true}
	var e Envelope
	e.Sample(row, axis)
	if e.Min[0] != 4 || e.Max[0] != 16 || e.Mean[0] != 7 || e.Min[1] != 8 || e.Max[1] != 8 || e.Mean[1] != 8 {
		t.Errorf("envelope %+v", e)
	}
	if s, ok := e.Fit(); !ok || s != (Scale{4, 16}) {
		t.Errorf("fitted scale %v %v", s, ok)
	}
	golden(t, "level_envelope", layers(level(DefaultLook, 4, Scale{0, 16}, axis, row)))
	golden(t, "level_envelope_mono", layers(level(mono, 4, Scale{0, 16}, axis, row)))
}

func TestFunctionLineOfOddValues(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	e := Envelope{Min: []float64{nan, -inf, 1, Absent}, Max: []float64{nan, inf, inf, Absent}, Mean: []float64{nan, nan, inf, Absent}}
	for _, s := range []Scale{{0, 1}, {1, 0}, {-inf, inf}, {nan, nan}, {0, 0}} {
		for h := range 4 {
			(&Level{DefaultLook, s}).Draw(NewCanvas(4, h), &e)
		}
	}
	if s, ok := e.Fit(); ok {
		t.Errorf("fitted to %v", s)
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
	rows := []*semantic.Series{series(0, 1, 40, 0, 60, 1, 100), nil, series(0, 0, 20, 1, 100)}
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
		o.Sample(rows)
		c := NewCanvas(12, 1)
		o.Draw(c)
		if got := c.Plain(); got != test.want {
			t.Errorf("view %d..%d: got %s, want %s", test.begin, test.end, got, test.want)
		}
	}
}

func TestOverviewOfNothing(t *testing.T) {
	o := Overview{Look: mono, Axis: Axis{End: 100, W: 10, Closed: true}, Begin: 20, End: 70}
	o.Sample([]*semantic.Series{nil})
	c := NewCanvas(12, 1)
	o.Draw(c)
	if got, want := c.Plain(), "▕ [─────]  ▏"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
