package raster

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"pview/prv"
	"pview/prv/prvtest"
	"pview/semantic/series"
)

// scene is everything drawn for a timeline, put together as on the screen.
type scene struct {
	look     Look
	tr       *prv.Trace
	rows     []*series.Series
	index    *CommIndex
	axis     Axis // W is set by draw
	layout   Layout
	modes    Modes
	mode     ColorMode
	overlays bool

	grid     Grid
	painter  Painter
	overview Overview
	lines    CommLines
	flags    Flags
	legend   Legend
	times    [][][]int64
	names    []string
	level    Level
}

func newScene(tr *prv.Trace, look Look) *scene {
	s := &scene{look: look, tr: tr, rows: states(tr), index: NewCommIndex(tr, nil),
		axis: Axis{End: tr.Duration, Closed: true}, overlays: true}
	s.painter = Painter{Look: look, Palette: NewPalette(tr.Labels)}
	for i := range tr.Threads {
		s.times = append(s.times, [][]int64{tr.Threads[i].Events.Time})
		s.names = append(s.names, tr.Name(prv.LevelThread, i))
	}
	s.layout = Layout{Rows: len(s.rows)}
	return s
}

const sceneGutter = 14

// draw draws overview, rows, time axis and legend on c.
func (s *scene) draw(c Canvas) {
	s.axis.W = max(c.W-sceneGutter-1, 1)
	s.layout.Lines = max(c.H-3, 1)
	s.overview.Look, s.overview.Begin, s.overview.End = s.look, s.axis.Begin, s.axis.End
	if whole := (Axis{End: s.tr.Duration, W: max(c.W-2, 1), Closed: true}); whole != s.overview.Axis {
		s.overview.Axis = whole
		s.overview.Profile, s.overview.Scale = profileOf(s.rows, s.overview.Axis)
	}
	s.overview.Draw(c.Sub(0, 0, c.W, 1))
	picture := c.Sub(sceneGutter, 1, s.axis.W, s.layout.Lines)
	s.grid.Sample(s.rows, s.axis, s.layout, s.modes, 1)
	s.painter.Mode = s.mode
	s.painter.Scale, _ = s.grid.Fit()
	s.grid.Draw(picture, &s.painter)
	for y := range s.layout.Lines {
		if lo, hi := s.layout.RowsAt(y * s.layout.split()); lo < hi && lo < len(s.names) {
			c.TextIn(0, 1+y, sceneGutter-1, s.names[lo], Style{}, false)
		}
	}
	if s.overlays {
		s.lines.Look, s.lines.Axis, s.lines.Layout = s.look, s.axis, s.layout
		s.lines.Index, s.lines.Row, s.lines.Logical, s.lines.Physical = s.index, threadRow(s.tr), true, true
		s.lines.Draw(picture)
		s.flags.Look, s.flags.Axis, s.flags.Layout = s.look, s.axis, s.layout
		s.flags.Draw(picture, func(row int) [][]int64 {
			if row >= len(s.times) {
				return nil
			}
			return s.times[row]
		})
		cursors := Cursors{s.look, s.axis, s.layout}
		cursors.Select(picture, s.axis.Time(s.axis.W/2), s.axis.Time(s.axis.W*3/4), 0, 1)
		cursors.Column(picture, s.axis.Time(s.axis.W/3), false)
		cursors.Cross(picture, s.axis.Time(s.axis.W/3), 1)
	}
	DrawScrollbar(c.Sub(c.W-1, 1, 1, s.layout.Lines), s.look, s.layout.First, s.layout.Visible(), len(s.rows))
	axis := TimeAxis{Look: s.look, Axis: s.axis, Unit: s.tr.Unit}
	axis.Draw(c.Sub(sceneGutter, c.H-2, s.axis.W, 1), c.Sub(0, c.H-2, sceneGutter, 1))
	s.legend.Look = s.look
	if s.mode == CodeColor {
		s.legend.Collect(&s.grid, &s.painter, stateName)
		s.legend.Draw(c.Sub(0, c.H-1, c.W, 1))
	} else {
		s.legend.DrawGradient(c.Sub(0, c.H-1, c.W, 1), &s.painter, "")
	}
}

func TestScreens(t *testing.T) {
	for name, set := range map[string]func(s *scene){
		"states":      func(s *scene) { s.overlays = false },
		"overlays":    func(s *scene) {},
		"zoomed":      func(s *scene) { s.axis = Axis{Begin: 40, End: 72} },
		"gradient":    func(s *scene) { s.mode, s.overlays = Gradient, false },
		"two_to_line": func(s *scene) { s.layout.Split, s.overlays = 2, false },
		"tall_rows":   func(s *scene) { s.layout.Height = 2 },
		"stack": func(s *scene) {
			s.layout.Height, s.layout.Split, s.layout.Gap, s.modes.Time = 4, 2, true, series.Proportional
		},
	} {
		for suffix, look := range map[string]Look{"": DefaultLook, "_ascii": {Mono, ASCII, DarkTheme}} {
			s := newScene(traceA(t), look)
			set(s)
			c := NewCanvas(72, 8)
			s.draw(c)
			if suffix == "" {
				golden(t, "screen_"+name, layers(c))
			} else {
				golden(t, "screen_"+name+suffix, c.Plain()+"\n")
			}
		}
	}
}

// Nothing fails at any size, zoom or layout, or on any terminal.
func TestEverySizeOfEverything(t *testing.T) {
	rnd := rand.New(rand.NewPCG(21, 22))
	traces := []*prv.Trace{traceA(t), randomComms(t, rnd, 300, true), emptyTrace(t)}
	looks := []Look{DefaultLook, mono, {ANSI16, UTF8, LightTheme}, {ANSI256, ASCII, LightTheme},
		{Mono, ASCII, DarkTheme}}
	for round := range 3000 {
		s := newScene(traces[round%len(traces)], looks[rnd.IntN(len(looks))])
		if rnd.IntN(3) > 0 {
			all := axes()
			s.axis = all[rnd.IntN(min(len(all), 60))]
		}
		if rnd.IntN(4) == 0 {
			for i := range s.rows {
				s.rows[i] = series.New([]int64{0, 10, 10, 20, 30},
					[]float64{math.NaN(), math.Inf(1), -1e300, Absent, math.Inf(-1)}, 100)
			}
		}
		if rnd.IntN(5) == 0 {
			s.rows[0] = nil
		}
		s.layout = Layout{First: rnd.IntN(3), Rows: rnd.IntN(6), Height: rnd.IntN(4), Split: rnd.IntN(3),
			Gap: rnd.IntN(2) == 0}
		s.mode = ColorModes[rnd.IntN(len(ColorModes))].Mode
		s.painter.Gradient = rnd.IntN(len(GradientFunctions))
		s.modes = Modes{Time: series.DrawModes[rnd.IntN(len(series.DrawModes))].Mode,
			Rows: series.DrawModes[rnd.IntN(len(series.DrawModes))].Mode}
		s.lines.Box = rnd.IntN(2) == 0
		c := NewCanvas(rnd.IntN(40), rnd.IntN(12))
		if round < 200 {
			c = NewCanvas(1+round%4, 1+round/4%4)
		}
		s.draw(c)
		for y := range s.grid.H {
			s.level = Level{s.look, s.painter.Scale}
			s.level.Draw(c, s.grid.Line(y), s.grid.SpreadOf(y))
			s.level.DrawLabels(c, "us")
		}
		for y := range c.H {
			line := 0
			for cells := c.Line(y); len(cells) > 0; line++ {
				_, n := c.AppendCell(nil, cells)
				cells = cells[n:]
			}
			if line > c.W || c.W > 2*line {
				t.Fatalf("%d characters in %d columns", line, c.W)
			}
		}
	}
}

func emptyTrace(t *testing.T) *prv.Trace {
	tr, err := prv.NewBuilder(prv.Header{Resources: tasks(1)}).Build()
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// A frame after the first costs next to no memory.
func TestFramesReuseMemory(t *testing.T) {
	s := newScene(traceA(t), DefaultLook)
	c := NewCanvas(120, 30)
	draw := func() {
		c.Clear()
		s.draw(c)
	}
	draw()
	if n := testing.AllocsPerRun(5, draw); n > 100 {
		t.Errorf("%v allocations per frame", n)
	}
}

// benchScene is 60 rows of 20,000 bursts each, on a screen of 200 by 60.
func benchScene(b *testing.B) (*scene, Canvas) {
	tr, err := prv.NewBuilder(prv.Header{End: 20_000_000, Resources: tasks(60)}).Build()
	if err != nil {
		b.Fatal(err)
	}
	s := newScene(tr, DefaultLook)
	s.rows = randomRows(60, 20_000)
	s.layout.Rows = 60
	return s, NewCanvas(200, 60)
}

// BenchmarkFrame draws a whole screen: timeline, overlays, axis, legend.
func BenchmarkFrame(b *testing.B) {
	s, c := benchScene(b)
	for _, view := range []struct {
		name string
		axis Axis
	}{
		{"whole", Axis{End: 20_000_000, Closed: true}},
		{"1:100", Axis{Begin: 10_000_000, End: 10_200_000}},
		{"1:100000", Axis{Begin: 10_000_000, End: 10_000_200}},
	} {
		b.Run(view.name, func(b *testing.B) {
			s.axis = view.axis
			b.ReportAllocs()
			for b.Loop() {
				c.Clear()
				s.draw(c)
			}
		})
	}
}

// BenchmarkParts draws the parts of a screen.
func BenchmarkParts(b *testing.B) {
	s, c := benchScene(b)
	s.draw(c)
	axis := s.axis
	for _, part := range []struct {
		name string
		draw func()
	}{
		{"sample average", func() { s.grid.Sample(s.rows, axis, s.layout, Modes{Time: series.Average}, 1) }},
		{"sample", func() { s.grid.Sample(s.rows, axis, s.layout, s.modes, 1) }},
		{"paint", func() { s.grid.Draw(c, &s.painter) }},
		{"legend", func() { s.legend.Collect(&s.grid, &s.painter, stateName) }},
		{"levels", func() {
			for y := range s.grid.H {
				s.level = Level{s.look, Scale{0, 16}}
				s.level.Draw(c.Sub(0, y, c.W, 1), s.grid.Line(y), nil)
			}
		}},
	} {
		b.Run(part.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				part.draw()
			}
		})
	}
}

// BenchmarkLines finds and draws the lines of a short view of a million messages.
func BenchmarkLines(b *testing.B) {
	const n = 1_000_000
	builder := prv.NewBuilder(prv.Header{End: n * 100, Resources: tasks(32)})
	rnd := rand.New(rand.NewPCG(31, 32))
	for i := range int64(n) {
		at := i * 100
		builder.Comm(prv.Comm{Send: rnd.Int32N(32), Recv: rnd.Int32N(32),
			Times: [4]int64{at, at + 10, at + 1000 + rnd.Int64N(3000), at + 2000 + rnd.Int64N(2000)}})
	}
	tr, err := builder.Build()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("index", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			NewCommIndex(tr, nil)
		}
	})
	index := NewCommIndex(tr, nil)
	for _, span := range []int64{5000, 200_000, 25_000_000, n * 100} {
		b.Run(fmt.Sprintf("1:%d", n*100/span), func(b *testing.B) {
			l := CommLines{Look: DefaultLook, Axis: Axis{Begin: n*100 - span, End: n * 100, W: 180},
				Layout: Layout{Rows: 32, Lines: 50}, Index: index, Row: threadRow(tr), Logical: true, Physical: true}
			c := NewCanvas(180, 50)
			l.Draw(c)
			b.ReportAllocs()
			for b.Loop() {
				l.Draw(c)
			}
		})
	}
}

// Real traces, if available: each is drawn at two sizes, and the legend lists the states that the trace has.
func TestRealTraces(t *testing.T) {
	shared := prvtest.Shared(t)
	paths, _ := filepath.Glob(filepath.Join(shared, "traces", "*", "*.prv"))
	if len(paths) < 5 {
		t.Skip("no traces")
	}
	for _, path := range paths {
		tr, err := prv.Open(context.Background(), path, prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := newScene(tr, DefaultLook)
		for _, size := range [][2]int{{80, 24}, {200, 60}} {
			c := NewCanvas(size[0], size[1])
			s.draw(c)
			has := map[float64]bool{0: true}
			for i := range tr.Threads {
				for _, v := range tr.Threads[i].States.Value {
					has[float64(v)] = true
				}
			}
			if len(s.legend.Entries) == 0 {
				t.Errorf("%s: nothing is seen", path)
			}
			for _, e := range s.legend.Entries {
				if !has[e.Value] {
					t.Errorf("%s: the legend has %v, the trace has not", path, e.Value)
				}
			}
		}
	}
}

// profileOf returns the mean of rows over each column, taken together.
func profileOf(rows []*series.Series, axis Axis) (profile []float64, scale Scale) {
	for x := range axis.W {
		sum := 0.0
		for _, row := range rows {
			if row != nil {
				agg := row.Aggregate(axis.Bounds(x))
				sum += agg.Average()
			}
		}
		profile, scale.Max = append(profile, sum), max(scale.Max, sum)
	}
	return profile, scale
}
