package study

import (
	"math/rand/v2"
	"testing"

	"pview/render/raster"
	"pview/render/style"
	"pview/sim/study"
	"pview/tui/pane"
)

// BenchmarkPages: a run has ended, and the page is drawn again, on the goroutine of the viewer.
func BenchmarkPages(b *testing.B) {
	p, s := onScene(b)
	s.def.Runs = 2
	p.Update(p.Update(p.start(s)())())
	p.sc.Theme, p.sc.Look = style.NewTheme(raster.TrueColor, raster.UTF8, true, raster.NoColor), raster.DefaultLook
	p.sc.DrawTabs = func(raster.Canvas) int { return 0 }
	p.sc.Open = pane.Pane(p)
	rng := rand.New(rand.NewPCG(1, 2))
	t := &study.Table{Rows: make([]study.Row, 10000)}
	for i := range t.Rows {
		t.Rows[i] = study.Row{Index: i, Status: study.Done, Inputs: []float64{1e3 + 1e5*rng.Float64()},
			Outputs: []float64{1e9 * (1 + rng.Float64()), rng.Float64(), 1e9 * rng.Float64()}}
	}
	s.runsTable.Sorted = 3 // total
	c := raster.NewCanvas(200, 36)
	for i, page := range pages {
		b.Run(page.name, func(b *testing.B) {
			p.pages.At = i
			for b.Loop() {
				s.take(t)
				p.Draw(c)
			}
		})
	}
}
