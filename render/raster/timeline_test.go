package raster

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pview/semantic/series"
)

// One row of Trace A over its whole length: ten units to a cell.
func TestTimelineOfStates(t *testing.T) {
	rows := states(traceA(t))
	axis := Axis{Begin: 0, End: 100, W: 10, Closed: true}
	if got, want := paint(mono, axis, Modes{}, rows...).Plain(), "███░░████\n████▤██░██"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	c := paint(DefaultLook, axis, Modes{}, rows...)
	running, waiting, idle := RGB(0, 0, 255), RGB(255, 0, 0), RGB(117, 195, 255)
	want := []Color{running, running, running, waiting, waiting, running, running, running, running, idle}
	for x, cell := range c.Line(0) {
		if cell.BG != want[x] || cell.Rune != ' ' {
			t.Errorf("column %d is %+v, want %x", x, cell, want[x])
		}
	}
}

// A39: zooming and undoing gives the same picture, byte for byte, and so does
// paging away and back. A clone is the same values again.
func TestZoomAndUndo(t *testing.T) {
	rows := states(traceA(t))
	whole := Axis{Begin: 0, End: 100, W: 77, Closed: true}
	for _, m := range []Modes{{}, {Time: series.Random, Seed: 7}, {Time: series.Average}} {
		var g Grid
		c, p := NewCanvas(77, 2), painter(DefaultLook)
		show := func(a Axis) string {
			g.Sample(rows, a, Layout{Rows: 2, Lines: 2}, m, 1)
			g.Draw(c, p)
			return exact(c)
		}
		before := show(whole)
		zoomed := show(Axis{Begin: 20, End: 60, W: 77})
		if zoomed == before {
			t.Errorf("%v: the zoom shows the same", m.Time)
		}
		show(Axis{Begin: 60, End: 100, W: 77, Closed: true})
		if again := show(whole); again != before {
			t.Errorf("%v: after undo\n%q\nbefore\n%q", m.Time, again, before)
		}
	}
}

// A43: under Maximum a burst of a microsecond in a second is visible in 80 columns; under Mode, the value that covers
// most of the time, it is not.
func TestMaximumShowsShortBursts(t *testing.T) {
	row := seriesOf(0, 1, 500_000, 7, 500_001, 1, 1_000_000)
	axis := Axis{Begin: 0, End: 1_000_000, W: 80, Closed: true}
	for mode, want := range map[series.DrawMode]int{series.Maximum: 1, series.MostTime: 0} {
		var g Grid
		g.Sample([]*series.Series{row}, axis, Layout{Rows: 1, Lines: 1}, Modes{Time: mode}, 1)
		if got := count(g.V, 7); got != want {
			t.Errorf("%v: %d cells show the burst, want %d", mode, got, want)
		}
		if got := count(g.V, 1); got != 80-want {
			t.Errorf("%v: %d cells show the rest, want %d", mode, got, 80-want)
		}
	}
}

func count(values []float64, v float64) (n int) {
	for _, x := range values {
		if x == v {
			n++
		}
	}
	return n
}

// Every burst that is as long as two cells fills one of them in every draw mode
// (it covers one whole), and every burst of the greatest value shows under
// Maximum, however short.
func TestEveryBurstShows(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 1 + rnd.IntN(60)
		begin, value := make([]int64, n), make([]float64, n)
		for i := range n {
			if i > 0 {
				begin[i] = begin[i-1] + rnd.Int64N(1<<rnd.IntN(20))
			}
			value[i] = float64(i + 1) // all different
		}
		end := begin[n-1] + rnd.Int64N(1000)
		row := series.New(begin, value, end)
		axis := Axis{End: end, W: 1 + rnd.IntN(200), Closed: true}
		for _, entry := range series.DrawModes {
			var g Grid
			g.Sample([]*series.Series{row}, axis, Layout{Rows: 1, Lines: 1}, Modes{Time: entry.Mode, Seed: 5}, 1)
			for i := range n {
				from, to, v := row.Burst(i)
				if uint64(to-from) >= 2*(axis.Span()/uint64(axis.W)+1) && count(g.V, v) == 0 {
					t.Fatalf("%s: burst %d [%d,%d) is not among the %d cells of [0,%d)", entry.Name, i, from, to,
						axis.W, end)
				}
			}
			if last := value[n-1]; entry.Mode == series.Maximum && count(g.V, last) == 0 {
				t.Fatalf("the greatest value, [%d,%d) of [0,%d), is in none of %d cells: %v", begin[n-1], end, end,
					axis.W, g.V)
			}
		}
	}
}

// Filling the cells inside a long burst gives what asking for each would.
func TestSampleIsWhatTheSeriesSays(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		begin, value := []int64{0}, []float64{1}
		for range rnd.IntN(30) {
			begin = append(begin, begin[len(begin)-1]+rnd.Int64N(50))
			value = append(value, float64(rnd.IntN(4)))
		}
		end := begin[len(begin)-1] + rnd.Int64N(50)
		row := series.New(begin, value, end)
		from := rnd.Int64N(end+20) - 10
		axis := Axis{Begin: from, End: from + rnd.Int64N(end+30), W: 1 + rnd.IntN(150)}
		mode := series.DrawModes[rnd.IntN(len(series.DrawModes))].Mode
		var g Grid
		g.Sample([]*series.Series{row}, axis, Layout{Rows: 1, Lines: 1}, Modes{Time: mode, Seed: 9}, 1)
		for x, got := range g.V {
			a, b := axis.Bounds(x)
			want, ok := row.Value(a, b, mode, mix(9))
			if !ok {
				want = Absent
			}
			if math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%v %+v of %v %v %d: cell %d [%d,%d) is %v, want %v", mode, axis, begin, value, end, x, a, b,
					got, want)
			}
		}
	}
}

func TestOutsideTheTraceIsAbsent(t *testing.T) {
	row := seriesOf(0, 1, 50, 2, 100)
	c := paint(mono, Axis{Begin: -100, End: 200, W: 6}, Modes{}, row, nil)
	if got, want := c.Plain(), "  █╌\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A state that begins where the trace ends is in the last cell, and only in a
// view that reaches to the end of the trace.
func TestEndOfTheTrace(t *testing.T) {
	row := seriesOf(0, 1, 100, 9, 100)
	for closed, want := range map[bool]float64{true: 9, false: 1} {
		var g Grid
		g.Sample([]*series.Series{row}, Axis{End: 100, W: 5, Closed: closed}, Layout{Rows: 1, Lines: 1}, Modes{}, 1)
		if g.At(4, 0) != want || g.At(3, 0) != 1 {
			t.Errorf("closed %v: last cells %v, %v, want 1, %v", closed, g.At(3, 0), g.At(4, 0), want)
		}
	}
}

// Deeper than a unit per cell, several cells show the same unit.
func TestDeepZoom(t *testing.T) {
	row := seriesOf(0, 1, 11, 3, 12, 1, 20)
	c := paint(mono, Axis{Begin: 10, End: 13, W: 9}, Modes{}, row)
	if got, want := c.Plain(), "███░░░███"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// More rows than lines: the rows' draw mode decides.
func TestMergedRows(t *testing.T) {
	rows := []*series.Series{seriesOf(0, 4, 10), seriesOf(0, 0, 10), nil, seriesOf(0, 2, 10), seriesOf(0, 2, 10)}
	for mode, want := range map[series.DrawMode]float64{
		series.Maximum: 4, series.Last: 2, series.MinimumNotZero: 2, series.Average: 2,
		series.AverageNotZero: 8.0 / 3,
		series.MostTime:       2, series.MaximumAbsolute: 4, series.MinimumAbsoluteNotZero: 2,
	} {
		var g Grid
		g.Sample(rows, Axis{End: 10, W: 3}, Layout{Rows: 5, Lines: 1}, Modes{Rows: mode}, 1)
		if !slices.Equal(g.V, []float64{want, want, want}) {
			t.Errorf("%v: %v, want %v", mode, g.V, want)
		}
	}
}

func TestMergedRowsOfZeros(t *testing.T) {
	for _, entry := range series.DrawModes {
		if got := mergeValues([]float64{0, 0}, entry.Mode, 1); got != 0 {
			t.Errorf("%s of 0 and 0 is %v", entry.Name, got)
		}
	}
}

func TestHalfBlocks(t *testing.T) {
	rows := []*series.Series{seriesOf(0, 1, 2, 3, 4), seriesOf(0, 1, 4), seriesOf(0, 3, 4)}
	var g Grid
	c, p := NewCanvas(4, 2), painter(DefaultLook)
	g.Sample(rows, Axis{End: 4, W: 4}, Layout{Rows: 3, Lines: 2, Split: 2}, Modes{}, 1)
	g.Draw(c, p)
	golden(t, "halfblocks_rows", layers(c))
	g.Sample(rows[:2], Axis{End: 4, W: 4}.Fine(2), Layout{Rows: 2, Lines: 2}, Modes{}, 1)
	g.Draw(c, p)
	golden(t, "halfblocks_columns_whole", layers(c))
	g.Sample([]*series.Series{seriesOf(0, 1, 1, 3, 8), seriesOf(0, 0, 3, 3, 8)}, Axis{End: 8, W: 4}.Fine(2),
		Layout{Rows: 2, Lines: 2}, Modes{}, 1)
	p.ZeroIsBackground = true
	g.Draw(c, p)
	golden(t, "halfblocks_columns", layers(c))
}

// A gap above each row is an eighth of its first line.
func TestGaps(t *testing.T) {
	rows := []*series.Series{seriesOf(0, 1, 2, 3, 4), seriesOf(0, 1, 4)}
	for _, test := range []struct {
		look Look
		want string
	}{
		{DefaultLook, "▇▇▇▇\n\n▇▇▇▇\n"}, {mono, "▇▇░░\n██░░\n▇▇▇▇\n████"},
		{Look{Mono, ASCII, DarkTheme}, "##,,\n##,,\n####\n####"},
	} {
		var g Grid
		c := NewCanvas(4, 4)
		g.Sample(rows, Axis{End: 4, W: 4}, Layout{Rows: 2, Lines: 4, Height: 2, Gap: true}, Modes{}, 1)
		g.Draw(c, painter(test.look))
		if got := c.Plain(); got != test.want {
			t.Errorf("%v:\n%s\nwant\n%s", test.look.Profile, got, test.want)
		}
		if test.look.Profile == TrueColor &&
			(c.At(0, 0) != Cell{'▇', Style{FG: RGB(0, 0, 255)}} || c.At(0, 1) != Cell{' ', Style{BG: RGB(0, 0, 255)}}) {
			t.Errorf("a row begins with %+v, goes on with %+v", c.At(0, 0), c.At(0, 1))
		}
	}
}

func TestLayout(t *testing.T) {
	for _, test := range []struct {
		name   string
		layout Layout
		want   [][2]int // rows of each sub-line
	}{
		{"a line each", Layout{Rows: 3, Lines: 4}, [][2]int{{0, 1}, {1, 2}, {2, 3}, {0, 0}}},
		{"scrolled", Layout{First: 5, Rows: 2, Lines: 2}, [][2]int{{5, 6}, {6, 7}}},
		{"two lines each", Layout{Rows: 2, Lines: 5, Height: 2}, [][2]int{{0, 1}, {0, 1}, {1, 2}, {1, 2}, {0, 0}}},
		{"two to a line", Layout{Rows: 3, Lines: 2, Split: 2}, [][2]int{{0, 1}, {1, 2}, {2, 3}, {0, 0}}},
		{"merged", Layout{First: 1, Rows: 5, Lines: 3}, [][2]int{{1, 2}, {2, 4}, {4, 6}}},
		{"no rows", Layout{Lines: 1}, [][2]int{{0, 0}}},
	} {
		for s, want := range test.want {
			lo, hi := test.layout.RowsAt(s)
			if lo != want[0] || hi != want[1] {
				t.Errorf("%s: sub-line %d shows rows [%d,%d), want %v", test.name, s, lo, hi, want)
			}
			for r := lo; r < hi; r++ {
				if top, h := test.layout.Place(r); s < top || s >= top+h {
					t.Errorf("%s: row %d is on sub-line %d, but placed at %d+%d", test.name, r, s, top, h)
				}
			}
		}
	}
	for n := 1; n < 60; n++ {
		for lines := 1; lines < 20; lines++ {
			l := Layout{Rows: n, Lines: lines}
			for r := -3; r < n+3; r++ {
				top, h := l.Place(r)
				if r < 0 && top >= 0 || r >= n && top < min(n, lines) {
					t.Fatalf("%+v: row %d, which is scrolled out, is placed at %d+%d", l, r, top, h)
				}
			}
		}
	}
}

func TestFit(t *testing.T) {
	g := Grid{V: []float64{3, Absent, -2, math.NaN(), math.Inf(1), 8}}
	if s, ok := g.Fit(); !ok || s != (Scale{-2, 8}) {
		t.Errorf("fitted scale is %v %v, want -2..8", s, ok)
	}
	if _, ok := (&Grid{V: []float64{Absent}}).Fit(); ok {
		t.Error("nothing gives a scale")
	}
}

func TestSampleInParallelIsTheSame(t *testing.T) {
	rows := randomRows(40, 500)
	axis, layout := Axis{End: rows[0].End(), W: 90}, Layout{Rows: 40, Lines: 17}
	var one, many Grid
	m := Modes{Time: series.Random, Rows: series.Random, Seed: 3}
	one.Sample(rows, axis, layout, m, 1)
	many.Sample(rows, axis, layout, m, 5)
	for i := range one.V {
		if math.Float64bits(one.V[i]) != math.Float64bits(many.V[i]) {
			t.Fatalf("cell %d is %v with one worker, %v with five", i, one.V[i], many.V[i])
		}
	}
}

// randomRows returns rows of n bursts each.
func randomRows(rows, n int) []*series.Series {
	rnd := rand.New(rand.NewPCG(11, 12))
	list := make([]*series.Series, rows)
	for r := range list {
		begin, value := make([]int64, n), make([]float64, n)
		for i := range n {
			if i > 0 {
				begin[i] = begin[i-1] + rnd.Int64N(2000)
			}
			value[i] = min(math.Floor(rnd.ExpFloat64()*2), 15) // small ones most often
		}
		list[r] = series.New(begin, value, int64(n)*1000)
	}
	return list
}
