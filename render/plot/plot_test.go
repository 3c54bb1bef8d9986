package plot

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"pview/prv/quantity"
	"pview/render/raster"
)

// total is five times in ns: 10, 20, 20, 30 and 40 us.
var total = Column{Name: "total", Kind: quantity.Time, Values: []float64{10e3, 20e3, 20e3, 30e3, 40e3}}

// drawn returns a figure in cells, as text.
func drawn(f *Figure, w, h int, look raster.Look) (string, Placed) {
	c := raster.NewCanvas(w, h)
	p := f.Draw(c, look)
	return c.Plain(), p
}

var ascii = raster.Look{Profile: raster.Mono, Glyphs: raster.ASCII, Theme: raster.DarkTheme}

// A histogram of width 10 us has the bars [10,20) with 1 value, [20,30) with 2, [30,40) and [40,50) with 1 each.
func TestHistogram(t *testing.T) {
	f := Histogram(total, 3) // (40-10)/3 = 10 us
	l := f.Layers[0]
	if got := fmt.Sprint(l.X, l.X2, l.Y); got != "[10000 20000 30000 40000] [20000 30000 40000 50000] [1 2 1 1]" {
		t.Error(got)
	}
	// 2 of 5 values exceed 25 us: p = 0.4, its error sqrt(0.4*0.6/5) = 0.2191; 20 us itself does not exceed 20 us.
	if p, err := Exceeding(total, 25e3); p != 0.4 || math.Abs(err-0.21909) > 1e-5 {
		t.Error(p, err)
	}
	if p, _ := Exceeding(total, 20e3); p != 0.4 {
		t.Error(p)
	}
	f.Limit(total, 30e3)
	if got := fmt.Sprint(len(f.Layers[0].X), len(f.Layers[1].X),
		f.Rules[0].Name); got != "2 2P(> 30 us) = 20 % ± 18 %" {
		t.Error(got)
	}
}

// Constant columns, empty ones, and those without a number make figures all the same.
func TestDegenerate(t *testing.T) {
	nan := math.NaN()
	for _, values := range [][]float64{nil, {5}, {5, 5, 5}, {nan, nan}, {0, 0}, {nan, 1, math.Inf(1)}, {-1e300, 1e300},
		{1e-300, 2e-300}} {
		c := Column{Name: "x", Values: values}
		h := Histogram(c, 0)
		h.Limit(c, 5)
		for _, f := range []*Figure{h, Distribution(c), RunningMean(c), Scatter(c, c),
			Tornado(c, 5, []Swing{{"a", nan, 5}}),
			{X: Axis{Log: true}, Y: Axis{Log: true}, Layers: []Layer{{Shape: Line, X: values, Y: values}}}} {
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

// The mean of 10, 20, 20 is 16.667; sd 5.7735, standard error 3.3333, t(2, 0.975) = 4.302653: +-14.342.
func TestRunningMean(t *testing.T) {
	f := RunningMean(total)
	band, line := f.Layers[0], f.Layers[1]
	if math.Abs(line.Y[2]-16666.667) > 0.001 || math.Abs(band.Y2[0]-line.Y[2]-14342.17) > 0.02 {
		t.Error(line.Y, band.Y2)
	}
	if band.X[0] != 3 || len(line.X) != 5 || line.Y[4] != 24000 {
		t.Error(band.X, line)
	}
}

// The series of Student's quantiles has nine digits where it begins, and goes to the normal distribution's 1.959964.
func TestQuantile(t *testing.T) {
	for _, n := range []int{exactFreedoms, exactFreedoms + 1, 99, 499, 9999} {
		if want := (distuv.StudentsT{Mu: 0, Sigma: 1,
			Nu: float64(n)}).Quantile(0.975); math.Abs(quantile(n)/want-1) > 1e-9 {
			t.Errorf("%d: %.12f, want %.12f", n, quantile(n), want)
		}
	}
	if got := quantile(1e9); math.Abs(got-1.959963985) > 1e-8 {
		t.Error(got)
	}
}

// The distribution climbs by 1/5 at each value.
func TestDistribution(t *testing.T) {
	l := Distribution(total).Layers[0]
	if got := fmt.Sprint(l.X, l.Y); got != "[10000 20000 20000 30000 40000] [0.2 0.4 0.6 0.8 1]" {
		t.Error(got)
	}
}

// The widest bar is at the top: latency moves the output by 30, buses by 5, bandwidth by 1.
func TestTornado(t *testing.T) {
	f := Tornado(total, 20e3, []Swing{{"bandwidth", 20e3, 21e3}, {"latency", 10e3, 40e3}, {"buses", 25e3, 20e3}})
	if got := fmt.Sprint(f.Y.Names); got != "[latency buses bandwidth]" {
		t.Error(got)
	}
	text, _ := drawn(f, 44, 8, ascii)
	// 33 columns from 9.4 to 40.6 us, 1.058 each to a us: 20 us is in column 11.2, 21 in 12.3, 25 in 16.5, 40 in 32.4.
	want := strings.TrimPrefix(`
 influence on total          % low  o high
  latency +%%%%%%%%%%%|ooooooooooooooooooooo
          |           |
    buses +           |%%%%%
          |           |
bandwidth +           |o
          ++----------+---------+----------+
          10         20        30 total (us)`, "\n")
	if text = trimmed(text); text != trimmed(want) {
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

// Ticks are round, and count in one unit: 0.95 .. 4.2 ms in steps of 0.5 or 1 ms.
func TestTicks(t *testing.T) {
	s := Scale{Axis: Axis{Kind: quantity.Time, Min: 0.95e6, Max: 4.2e6}}
	for n, want := range map[int]string{4: "1 2 3 4 ms", 7: "1.0 1.5 2.0 2.5 3.0 3.5 4.0 ms"} {
		list, unit := s.Ticks(n)
		if got := labels(list) + " " + unit; got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
	log := Scale{Axis: Axis{Kind: quantity.Time, Log: true, Min: 1e3, Max: 1e6}}
	list, _ := log.Ticks(4)
	if got := labels(list); got != "1 us 10 us 100 us 1 ms" {
		t.Error(got)
	}
	if got := log.At(log.Value(0.3)); math.Abs(got-0.3) > 1e-12 {
		t.Error(got)
	}
	for step, want := range map[float64]float64{1: 1, 1.4: 1, 1.5: 2, 3.1: 2, 3.2: 5, 7: 5, 7.2: 10, 0.026: 0.02} {
		if got := nearStep(step); math.Abs(got-want) > 1e-12 {
			t.Errorf("near %v: %v, want %v", step, got, want)
		}
	}
}

func labels(list []Tick) string {
	var names []string
	for _, t := range list {
		names = append(names, t.Label)
	}
	return strings.Join(names, " ")
}

// The name of x stands at the right end, over one label at most; else the unit alone, where the title says the name.
func TestNameOfX(t *testing.T) {
	latency := Axis{Name: "latency", Kind: quantity.Time, Min: 0, Max: 2e4}
	for _, c := range []struct {
		title string
		x     Axis
		want  string
	}{
		{"", Axis{Name: "n", Min: 0, Max: 25}, "0            10            20     n"},
		{"", Axis{Name: "n", Min: 0, Max: 20}, "0       5       10       15       n"},
		{"", latency, "0       5       10     latency (us)"},
		{"by latency", latency, "0       5       10       15    (us)"},
	} {
		f := &Figure{Title: c.title, X: c.x, Y: Axis{Min: 0, Max: 1},
			Layers: []Layer{{Shape: Line, X: []float64{0, 20}, Y: []float64{0, 1}}}}
		text, _ := drawn(f, 40, 8, ascii)
		lines := strings.Split(trimmed(text), "\n")
		if got := strings.TrimLeft(lines[len(lines)-1], " "); got != c.want {
			t.Errorf("%s %s:\n%s, want\n%s", c.title, c.x.Name, got, c.want)
		}
	}
}

// Two categories on a large canvas are five lines high each.
func TestCategoriesAreNoTowers(t *testing.T) {
	_, p := drawn(Tornado(total, 20e3, []Swing{{"latency", 10e3, 40e3}, {"buses", 25e3, 20e3}}), 60, 40, ascii)
	if p.Plot.H != 10 {
		t.Error(p.Plot)
	}
}

// A click finds the point under it, and what it stands for; a value without a number keeps its place in the column.
func TestHit(t *testing.T) {
	x := Column{Name: "x", Values: []float64{0, math.NaN(), 10, 20}}
	y := Column{Name: "y", Values: []float64{0, 5, 10, 20}}
	f := Scatter(x, y)
	f.MarkRef(2, Mark{Name: "worst"})
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

// In colours a bar that is marked stays a bar, and the same figure is the same picture.
func TestCells(t *testing.T) {
	f := Histogram(total, 3)
	f.Limit(total, 25e3)
	a, _ := drawn(f, 40, 10, raster.DefaultLook)
	b, _ := drawn(f, 40, 10, raster.DefaultLook)
	if a != b || !strings.Contains(a, "█") || !strings.Contains(a, "P(> 25 us) = 40 % ± 22 %") {
		t.Errorf("%s\n%s", a, b)
	}
	m := Matrix("pairs", []string{"r0", "r1"}, []string{"c0", "c1"}, func(r, c int) float64 {
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

// The output is the latency + 100 where the model is 1: over the lower tenth of the latencies (1 of 4 runs) it is 10,
// over the upper one 140; of the model, whose values come twice each, (10+20)/2 = 15 and (130+140)/2 = 135. The mean is
// 75.
func TestInfluence(t *testing.T) {
	latency := Column{Name: "latency", Values: []float64{10, 20, 30, 40}}
	model := Column{Name: "model", Values: []float64{0, 0, 1, 1}}
	f := Influence(Column{Name: "total", Values: []float64{10, 20, 130, 140}}, []Column{model, latency})
	if got := fmt.Sprint(f.Y.Names, f.Layers[0].X, f.Layers[0].X2,
		f.Layers[1].X2); got != "[latency model] [75 75] [10 15] [140 135]" {
		t.Error(got)
	}
}

// 1, 10, 100 grow by factors, 1, 2 .. 20 by steps.
func TestLogarithmic(t *testing.T) {
	steps := Column{}
	for i := range 20 {
		steps.Values = append(steps.Values, float64(i+1))
	}
	for _, c := range []struct {
		c    Column
		want bool
	}{{Column{Values: []float64{1, 10, 100}}, true}, {steps, false}, {Column{Values: []float64{0, 10, 100}}, false},
		{Column{}, false}, {Column{Values: []float64{5, 5}}, false}} {
		if got := c.c.Logarithmic(); got != c.want {
			t.Errorf("%v: %v", c.c.Values, got)
		}
	}
}

// A curve that crosses a flat rule stays whole: from corner to corner it has dots in all columns, also where the rule
// is.
func TestCurveCrossesRule(t *testing.T) {
	f := Figure{X: Axis{Min: 0, Max: 1}, Y: Axis{Min: 0, Max: 1}, Layers: []Layer{{Shape: Line, X: []float64{0, 1},
		Y: []float64{0, 1}}}, Rules: []Rule{{At: 0.5, Flat: true, Name: "limit"}}}
	c := raster.NewCanvas(30, 9)
	at := f.Draw(c, raster.DefaultLook).Plot
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
