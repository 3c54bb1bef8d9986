package plot

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/insight/report/figure"
	"pview/prv/quantity"
	"pview/render/raster"
)

// total is five times in ns: 10, 20, 20, 30 and 40 us.
var total = figure.Column{Name: "total", Kind: quantity.Time, Values: []float64{10e3, 20e3, 20e3, 30e3, 40e3}}

// drawn returns a figure in cells, as text.
func drawn(f *figure.Figure, w, h int, look raster.Look) (string, Placed) {
	c := raster.NewCanvas(w, h)
	p := Draw(f, c, look)
	return c.Plain(), p
}

var ascii = raster.Look{Profile: raster.Mono, Glyphs: raster.ASCII, Theme: raster.DarkTheme}

// Constant columns, empty ones, and columns of non-numbers still make figures.
func TestDegenerate(t *testing.T) {
	nan := math.NaN()
	for _, values := range [][]float64{nil, {5}, {5, 5, 5}, {nan, nan}, {0, 0}, {nan, 1, math.Inf(1)}, {-1e300, 1e300},
		{1e-300, 2e-300}} {
		c := figure.Column{Name: "x", Values: values}
		h := figure.Histogram(c)
		h.Limit(c, 5)
		for _, f := range []*figure.Figure{h, figure.Distribution(c), figure.RunningMean(c), figure.Scatter(c, c),
			figure.Tornado(c, 5, []figure.Swing{{Name: "a", Low: nan, High: 5}}),
			{X: figure.Axis{Log: true}, Y: figure.Axis{Log: true},
				Layers: []figure.Layer{{Shape: figure.Line, X: values, Y: values}}}} {
			for _, size := range [][2]int{{0, 0}, {1, 1}, {8, 3}, {60, 12}} {
				_, p := drawn(f, size[0], size[1], raster.DefaultLook)
				p.Hit(size[0]/2, size[1]/2)
			}
		}
		n := 0.0
		for _, l := range h.Layers {
			for i := range l.Y {
				n += l.Y[i]
			}
		}
		finiteOnes := 0.0
		for _, v := range values {
			if finite(v) {
				finiteOnes++
			}
		}
		if n != finiteOnes {
			t.Errorf("%v: %v values in the histogram", values, n)
		}
	}
}

// The widest bar is at the top: latency moves the output by 30, buses by 5, bandwidth by 1.
func TestTornado(t *testing.T) {
	f := figure.Tornado(total, 20e3, []figure.Swing{{Name: "bandwidth", Low: 20e3, High: 21e3},
		{Name: "latency", Low: 10e3, High: 40e3}, {Name: "buses", Low: 25e3, High: 20e3}})
	if got := fmt.Sprint(f.Y.Names); got != "[latency buses bandwidth]" {
		t.Error(got)
	}
	text, _ := drawn(f, 44, 8, ascii)
	// 33 columns from 9.4 to 40.6 us, 1.058 each to a us: 20 us is in column 11.2, 21 in 12.3, 25 in 16.5, 40 in 32.4.
	want := strings.TrimPrefix(`
 influence on total          % low  o high
  latency +%%%%%%%%%%%|ooooooooooooooooooooo
    buses +           |%%%%%
bandwidth +           |o
          ++----------+---------+----------+
          10         20        30 total (us)`, "\n")
	if text = strings.TrimRight(trimmed(text), "\n"); text != trimmed(want) {
		t.Errorf("\n%s\nwant\n%s", text, want)
	}
}

func trimmed(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// Ticks are round, and count in one unit: 0.95 .. 4.2 ms in steps of 0.5 or 1 ms. Both ends of the axis have one if
// they are round, also where 6 * 0.2 > 1.2 or 1.1 / 0.1 > 11. A large number is abbreviated.
func TestTicks(t *testing.T) {
	ms := quantity.Time
	for _, c := range []struct {
		axis figure.Axis
		n    int
		want string
	}{
		{figure.Axis{Kind: ms, Min: 0.95e6, Max: 4.2e6}, 4, "1 2 3 4 ms"},
		{figure.Axis{Kind: ms, Min: 0.95e6, Max: 4.2e6}, 7, "1.0 1.5 2.0 2.5 3.0 3.5 4.0 ms"},
		{figure.Axis{Kind: ms, Min: 0, Max: 1.2e6}, 6, "0.0 0.2 0.4 0.6 0.8 1.0 1.2 ms"},
		{figure.Axis{Min: 1.1, Max: 1.5}, 4, "1.1 1.2 1.3 1.4 1.5 "},
		{figure.Axis{Min: -0.4, Max: 0.4}, 4, "-0.4 -0.2 0.0 0.2 0.4 "},
		{figure.Axis{Min: 0, Max: 3}, 6, "0.0 0.5 1.0 1.5 2.0 2.5 3.0 "},
		{figure.Axis{Min: 0, Max: 3, Whole: true}, 6, "0 1 2 3 "},
		{figure.Axis{Min: 0, Max: 2e6}, 2, "0 1M 2M "}, {figure.Axis{Min: 0, Max: 2e5}, 2, "0 100000 200000 "},
		{figure.Axis{Min: 0, Max: 3, Names: []string{"a", "b"}}, 1, "a b "},
		{figure.Axis{Log: true, Min: 1, Max: 10}, 4, "1 2 5 10 "},
		{figure.Axis{Log: true, Min: 1, Max: 10}, 3, "1 3 10 "},
		{figure.Axis{Log: true, Min: 1, Max: 10}, 2, "1 10 "},
		{figure.Axis{Log: true, Min: 1, Max: 1000}, 2, "1 100 "},
	} {
		list, unit := Scale{Axis: c.axis}.Ticks(c.n)
		if got := labels(list) + " " + unit; got != c.want {
			t.Errorf("%+v, %d: %q, want %q", c.axis, c.n, got, c.want)
		}
	}
	log := Scale{Axis: figure.Axis{Kind: quantity.Time, Log: true, Min: 1e3, Max: 1e6}}
	list, _ := log.Ticks(4)
	if got := labels(list); got != "1 us 10 us 100 us 1 ms" {
		t.Error(got)
	}
	if got := log.At(log.Value(0.3)); math.Abs(got-0.3) > 1e-12 {
		t.Error(got)
	}
}

func labels(list []Tick) string {
	var names []string
	for _, t := range list {
		names = append(names, t.Label)
	}
	return strings.Join(names, " ")
}

// The name of x stands at the right end, over at most one label; otherwise only the unit is there, if the title
// contains the name.
func TestNameOfX(t *testing.T) {
	latency := figure.Axis{Name: "latency", Kind: quantity.Time, Min: 0, Max: 2e4}
	for _, c := range []struct {
		title string
		x     figure.Axis
		want  string
	}{
		{"", figure.Axis{Name: "n", Min: 0, Max: 25}, "0            10            20     n"},
		{"", figure.Axis{Name: "n", Min: 0, Max: 20}, "0       5       10       15       n"},
		{"", latency, "0       5       10     latency (us)"},
		{"by latency", latency, "0       5       10       15    (us)"},
	} {
		f := &figure.Figure{Title: c.title, X: c.x, Y: figure.Axis{Min: 0, Max: 1},
			Layers: []figure.Layer{{Shape: figure.Line, X: []float64{0, 20}, Y: []float64{0, 1}}}}
		text, _ := drawn(f, 40, 8, ascii)
		lines := strings.Split(trimmed(text), "\n")
		if got := strings.TrimLeft(lines[len(lines)-1], " "); got != c.want {
			t.Errorf("%s %s:\n%s, want\n%s", c.title, c.x.Name, got, c.want)
		}
	}
}

// Two categories on a large canvas are five lines high each.
func TestCategoriesAreNoTowers(t *testing.T) {
	_, p := drawn(figure.Tornado(total, 20e3, []figure.Swing{{Name: "latency", Low: 10e3, High: 40e3},
		{Name: "buses", Low: 25e3, High: 20e3}}), 60, 40, ascii)
	if p.Plot.H != 10 {
		t.Error(p.Plot)
	}
}

// A click finds the point under it, and the point's meaning; a value without a number keeps its place in the column.
func TestHit(t *testing.T) {
	x := figure.Column{Name: "x", Values: []float64{0, math.NaN(), 10, 20}}
	y := figure.Column{Name: "y", Values: []float64{0, 5, 10, 20}}
	f := figure.Scatter(x, y)
	f.MarkRef(2, figure.Mark{Name: "worst"})
	if m := f.Marks[0]; m.X != 10 || m.Y != 10 {
		t.Error(m)
	}
	text, p := drawn(f, 50, 14, raster.DefaultLook)
	line := strings.Split(text, "\n")
	for cy, s := range line {
		for cx, r := range []rune(s) {
			if r != raster.UTF8.Point || cy == 0 {
				continue
			}
			layer, i, ok := p.Hit(cx, cy)
			if !ok || f.Layers[layer].Ref(i) != 2 {
				t.Errorf("at %d,%d: %d %v", cx, cy, i, ok)
			}
			if _, _, ok := p.Hit(cx+9, cy); ok {
				t.Error("a point far from all points")
			}
			if vx, vy, ok := p.Value(cx, cy); !ok || math.Abs(vx-10) > 0.5 || math.Abs(vy-10) > 1.5 {
				t.Error(vx, vy, ok)
			}
			return
		}
	}
	t.Errorf("no mark in\n%s", text)
}

// In colours a marked bar still looks like a bar, and the same figure gives the same picture.
func TestCells(t *testing.T) {
	f := figure.Histogram(total)
	f.Limit(total, 25e3)
	a, _ := drawn(f, 40, 10, raster.DefaultLook)
	b, _ := drawn(f, 40, 10, raster.DefaultLook)
	if a != b || !strings.Contains(a, "█") || !strings.Contains(a, "P(> 25 us) = 40.0 % ± 21.9 %") {
		t.Errorf("%s\n%s", a, b)
	}
	m := figure.Matrix("pairs", []string{"r0", "r1"}, []string{"c0", "c1"}, func(r, c int) float64 {
		return float64(10*r + c)
	})
	text, p := drawn(m, 40, 9, raster.DefaultLook)
	for _, want := range []string{"r0", "r1", "c0", "c1", "10", "11"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if _, i, ok := p.Hit(p.Plot.X+p.Plot.W-2, p.Plot.Y+1); !ok || i != 1 { // right column, upper row
		t.Error(i, ok)
	}
}

// A curve that crosses a flat rule stays whole: from corner to corner it has dots in all columns, also where the rule
// is.
func TestCurveCrossesRule(t *testing.T) {
	f := &figure.Figure{X: figure.Axis{Min: 0, Max: 1}, Y: figure.Axis{Min: 0, Max: 1},
		Layers: []figure.Layer{{Shape: figure.Line, X: []float64{0, 1},
			Y: []float64{0, 1}}}, Rules: []figure.Rule{{At: 0.5, Flat: true, Name: "limit"}}}
	c := raster.NewCanvas(30, 9)
	at := Draw(f, c, raster.DefaultLook).Plot
	ruled := 0
	for x := range at.W {
		dots := 0
		for y := range at.H {
			switch r := c.At(at.X+x, at.Y+y).Rune; {
			case r > 0x2800 && r <= 0x28ff:
				dots++
			case r == raster.DefaultLook.Glyphs.Horizontal:
				ruled++
			}
		}
		if dots == 0 {
			t.Errorf("column %d has no part of the curve", x)
		}
	}
	if ruled == 0 || ruled >= at.W {
		t.Errorf("the rule has %d of %d columns", ruled, at.W)
	}
}

// Values of both signs have a line at 0, those of one sign an axis that begins there.
func TestZeroLine(t *testing.T) {
	f := &figure.Figure{Layers: []figure.Layer{{Shape: figure.Columns, X: []float64{0, 1}, X2: []float64{1, 2},
		Y: []float64{4, -4}}}}
	// 6 lines for -4.48 to 4.48: the line at 0 stands below the third.
	got, p := drawn(f, 20, 9, ascii)
	if at := p.Y.At(0); at != 0.5 {
		t.Errorf("0 is at %v", at)
	}
	lines := strings.Split(got, "\n")
	if !strings.Contains(lines[4], "-") || strings.Contains(lines[3], "-") {
		t.Errorf("no line at 0:\n%s", got)
	}
	if up, down := lines[2][p.Plot.X+2], lines[5][p.Plot.X+p.Plot.W-2]; up == ' ' || down == ' ' {
		t.Errorf("no bars on both sides of 0:\n%s", got)
	}
	f.Layers[0].Y = []float64{4, 2}
	if got, p := drawn(f, 20, 9, ascii); p.Y.Min != 0 ||
		strings.Contains(strings.Join(strings.Split(got, "\n")[:6], ""),
			"-") {
		t.Errorf("a line inside:\n%s", got)
	}
}

// The title is followed by the name of y and the note, each after two blanks and as long as it leaves a column to the
// right. The canvas has 1 column before the title, and the legend takes its name and 4 more.
func TestHeading(t *testing.T) {
	line := figure.Layer{Shape: figure.Line, X: []float64{0, 1}, Y: []float64{0, 1}}
	for _, c := range []struct {
		w                            int
		title, y, note, legend, want string
	}{
		{16, "Title", "speed", "", "", " Title  speed"}, {15, "Title", "speed", "", "", " Title  speed"},
		{14, "Title", "speed", "", "", " Title"}, // 1 + 5 + 7 and 2 after the title: 15
		{20, "Title", "speed", "note", "", " Title  speed"}, {21, "Title", "speed", "note", "", " Title  speed  note"},
		{15, "Title", "long speed", "note", "", " Title  note"}, {40, "speed", "speed", "", "", " speed"},
		{40, "", "speed", "note", "", " speed  note"},
		{24, "Title", "speed", "", "legs", " Title  speed   * legs"}, // 15 + 8 is 23
		{23, "Title", "speed", "", "legs", " Title  speed  * legs"},
		{22, "Title", "speed", "", "legs", " Title        * legs"},
		{16, "Title", "", "", "legs", " Title  * legs"}, {15, "Title", "", "", "legs", "       * legs"},
	} {
		l := line
		l.Name = c.legend
		f := &figure.Figure{Title: c.title, Note: c.note, Y: figure.Axis{Name: c.y}, Layers: []figure.Layer{l}}
		text, _ := drawn(f, c.w, 8, ascii)
		if got := strings.Split(trimmed(text), "\n")[0]; got != c.want {
			t.Errorf("%d columns: %q, want %q", c.w, got, c.want)
		}
	}
}

// A click hits the tile, the bar or the column that covers the cell, and nothing between the columns. Outside of the
// plot it hits nothing.
func TestHitWithin(t *testing.T) {
	tiles := figure.Figure{X: figure.Axis{Min: -0.5, Max: 1.5}, Y: figure.Axis{Min: -0.5, Max: 1.5},
		Layers: []figure.Layer{{Shape: figure.Tiles, X: []float64{0, 1, 0, 1}, Y: []float64{0, 0, 1, 1}}}}
	bars := tiles
	bars.Layers = []figure.Layer{{Shape: figure.Bars, X: []float64{0, 0}, X2: []float64{1, 1}, Y: []float64{0, 1}}}
	columns := figure.Figure{X: figure.Axis{Min: 0, Max: 4}, Y: figure.Axis{Min: 0, Max: 2}, Layers: []figure.Layer{
		{Shape: figure.Columns, X: []float64{0, 3}, X2: []float64{1, 4}, Y: []float64{2, 1}}}}
	for _, c := range []struct {
		name string
		f    figure.Figure
		want string // the point of each cell of 4 by 4, from the upper left; a blank: none
	}{
		{"tiles", tiles, "2233|2233|0011|0011"}, {"bars", bars, "1111|1111|0000|0000"},
		{"columns", columns, "0  1|0  1|0  1|0  1"},
	} {
		p := Placed{Plot: raster.Rect{X: 2, Y: 1, W: 4, H: 4}, Figure: &c.f}
		p.X.Axis, p.Y.Axis = c.f.X, c.f.Y
		var got []string
		for y := range 6 {
			row := ""
			for x := range 8 {
				if _, i, ok := p.Hit(x, y); ok {
					row += fmt.Sprint(i)
				} else {
					row += " "
				}
			}
			got = append(got, row)
		}
		blank := strings.Repeat(" ", 8)
		want := []string{blank}
		for _, row := range strings.Split(c.want, "|") {
			want = append(want, "  "+row+"  ")
		}
		if want = append(want, blank); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
}

// notes is a pen that writes down what it draws, in tenths of the plot.
type notes struct{ list []string }

func (n *notes) add(what string, list ...Place) {
	for _, p := range list {
		what += fmt.Sprintf(" %.3g,%.3g", 10*p.X, 10*p.Y)
	}
	n.list = append(n.list, what)
}

func (n *notes) Line(_ figure.Ink, path []Place) { n.add("line", path...) }
func (n *notes) Dot(_ figure.Ink, at Place)      { n.add("dot", at) }
func (n *notes) Bar(_ figure.Ink, from, to Place, flat bool) {
	n.add(fmt.Sprint("bar ", flat), from, to)
}
func (n *notes) Band(_ figure.Ink, lower, upper []Place) {
	n.add("band", slices.Concat(lower, upper)...)
}
func (n *notes) Label(_ figure.Ink, from, to Place, s string) { n.add(s, from, to) }
func (n *notes) Tile(share float64, from, to Place, s string) {
	n.add(fmt.Sprintf("tile %g %s", share, s), from, to)
}
func (n *notes) Rule(r figure.Rule, share float64) {
	n.add(fmt.Sprintf("rule %v %g", r.Flat, 10*share))
}
func (n *notes) Mark(_ figure.Mark, at Place) { n.add("mark", at) }

// Of axes from 0 to 10 each value is a tenth. Values without a place interrupt a line, and are omitted elsewhere; a
// line of one point is a dot. Steps go to the right first. Rules and marks out of view are left out.
func TestPaint(t *testing.T) {
	nan := math.NaN()
	type values = []float64
	axis := Scale{Axis: figure.Axis{Max: 10}}
	for _, c := range []struct {
		layer figure.Layer
		want  string
	}{
		{figure.Layer{Shape: figure.Points, X: values{1, nan, 3, 4}, Y: values{1, 2, nan, 20}}, "dot 1,1; dot 4,20"},
		{figure.Layer{Shape: figure.Line, X: values{1, 2, 3, 4, 5, 6, 7}, Y: values{1, 2, nan, 4, nan, 6, 7}},
			"line 1,1 2,2; dot 4,4; line 6,6 7,7"},
		{figure.Layer{Shape: figure.Steps, X: values{1, 2, 3}, Y: values{1, 5, 4}}, "line 1,1 2,1 2,5 3,5 3,4"},
		{figure.Layer{Shape: figure.Columns, X: values{1, 2, 3}, X2: values{2, 3, 4}, Y: values{5, 0, nan}},
			"bar false 1,0 2,5"},
		{figure.Layer{Shape: figure.Bars, X: values{5, 1, nan}, X2: values{2, 3, 4}, Y: values{1, 2, 3},
			Text: []string{"a", "b", "c"}},
			"bar true 2,1.35 5,0.65; a 2,1.35 5,0.65; bar true 1,2.35 3,1.65; b 1,2.35 3,1.65"},
		{figure.Layer{Shape: figure.Band, X: values{1, 2, 3}, Y: values{1, nan, 3}, Y2: values{4, 5, 6}},
			"band 1,1 3,3 1,4 3,6"},
		{figure.Layer{Shape: figure.Band, X: values{1}, Y: values{1}, Y2: values{4}}, ""},
		{figure.Layer{Shape: figure.Tiles, X: values{1, 2, 3, 4}, Y: values{1, 1, 1, 1}, V: values{4, nan, 6, 12},
			Text: []string{"a", "b", "c", "d"}},
			"tile 0 a 0.5,1.5 1.5,0.5; tile 0.25 c 2.5,1.5 3.5,0.5; tile 1 d 3.5,1.5 4.5,0.5"},
		{figure.Layer{Shape: figure.Tiles, X: values{1}, Y: values{1}, V: values{4}}, "tile 0.5  0.5,1.5 1.5,0.5"},
	} {
		n := &notes{}
		Paint(&figure.Figure{Layers: []figure.Layer{c.layer}}, axis, axis, n)
		if got := strings.Join(n.list, "; "); got != c.want {
			t.Errorf("%+v: %s, want %s", c.layer, got, c.want)
		}
	}
	n, f := &notes{}, figure.Figure{}
	f.Rules = []figure.Rule{{At: 0}, {At: 10}, {At: -1}, {At: 11}, {At: 3, Flat: true}, {At: nan}}
	f.Marks = []figure.Mark{{X: 0, Y: 0}, {X: 10, Y: 10}, {X: -1, Y: 5}, {X: 11, Y: 5}, {X: 5, Y: -1}, {X: 5, Y: 11},
		{X: nan, Y: 5}}
	Paint(&f, axis, axis, n)
	PaintMarks(&f, axis, axis, n)
	if got := strings.Join(n.list, "; "); got != "rule false 0; rule false 10; rule true 3; mark 0,0; mark 10,10" {
		t.Error(got)
	}
	// Columns of a logarithmic axis rise from its end: 100 is half of the way from 1 to 10,000. 0 is omitted.
	n, f = &notes{}, figure.Figure{Layers: []figure.Layer{{Shape: figure.Columns, X: values{1, 2}, X2: values{2, 3},
		Y: values{100, 0}}}}
	Paint(&f, axis, Scale{Axis: figure.Axis{Log: true, Min: 1, Max: 1e4}}, n)
	if got := strings.Join(n.list, "; "); got != "bar false 1,0 2,5" {
		t.Errorf("logarithmic: %s", got)
	}
}

// Axes with values of both signs have lines at 0, in the middle of -10 to 10.
func TestZeroLines(t *testing.T) {
	both := Scale{Axis: figure.Axis{Min: -10, Max: 10}}
	categories := both
	categories.Names = []string{"a"}
	for _, c := range []struct {
		x, y Scale
		want string
	}{
		{both, both, "rule false 5; rule true 5"}, {Scale{Axis: figure.Axis{Max: 10}}, both, "rule true 5"},
		{both, Scale{Axis: figure.Axis{Min: -10}}, "rule false 5"}, {both, categories, "rule false 5"},
	} {
		n := &notes{}
		if Paint(&figure.Figure{}, c.x, c.y, n); strings.Join(n.list, "; ") != c.want {
			t.Errorf("%+v by %+v: %v, want %s", c.x, c.y, n.list, c.want)
		}
	}
}

// The smallest plot that is drawn has 6 columns and 2 lines.
func TestSmallestPlot(t *testing.T) {
	f := &figure.Figure{Y: figure.Axis{Max: 1}, Layers: []figure.Layer{{Shape: figure.Line, X: []float64{0, 1},
		Y: []float64{0, 1}}}}
	first := func(draw func(n int) raster.Rect) raster.Rect {
		for n := range 20 {
			if r := draw(n); r != (raster.Rect{}) {
				return r
			}
		}
		return raster.Rect{}
	}
	if r := first(func(n int) raster.Rect { _, p := drawn(f, n, 9, ascii); return p.Plot }); r.W != 6 {
		t.Errorf("the narrowest has %d columns", r.W)
	}
	if r := first(func(n int) raster.Rect { _, p := drawn(f, 40, n, ascii); return p.Plot }); r.H != 2 {
		t.Errorf("the lowest has %d lines", r.H)
	}
}

// Labels are centred at their ticks, but stay within the canvas, with a blank between them: in 20 columns, 6 each from
// 0, 7 and 14 on. In 19, the last would start at 13, and is omitted. Ticks out of view have none.
func TestLabelsOfX(t *testing.T) {
	x := Scale{Axis: figure.Axis{Max: 10}}
	for _, c := range []struct {
		w    int
		want string
	}{{20, "0 100000|7 100000|14 100000"}, {19, "0 100000|7 100000|13 "}, {30, "0 100000|12 100000|24 100000"}} {
		d := drawing{c: raster.NewCanvas(c.w, 1), plot: raster.Rect{X: 1, W: c.w - 1}, x: x}
		for _, at := range []float64{-1, 0, 5, 10, 11} {
			d.xs = append(d.xs, Tick{at, "100000"})
		}
		var got []string
		for _, l := range d.labels() {
			got = append(got, fmt.Sprint(l.x, " ", l.text))
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%d columns: %s, want %s", c.w, s, c.want)
		}
	}
}
