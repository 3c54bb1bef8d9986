package tui

import (
	"testing"

	"pview/render/timeline"

	tea "charm.land/bubbletea/v2"
)

// A picture of very many rows shows some of them immediately, says so, and shows all once the background has sampled
// them.
func TestManyRowsAreRefined(t *testing.T) {
	d := onTrace(t, 200, 40, manyThreads(5000))
	w := d.m.Focused()
	if w.Paint.Rough {
		t.Fatal("all jobs are done, and the picture is rough")
	}
	var jobs []tea.Cmd
	step := func(key string) {
		_, cmd := d.m.Update(keyPress(t, key))
		jobs = append(jobs, cmd)
		d.m.View()
	}
	step("+")
	if !w.Paint.Rough {
		t.Fatal("5000 rows were sampled while the user waits")
	}
	d.sees("refining")
	step("right") // makes the first job's result stale
	for _, cmd := range jobs {
		d.run(cmd)
	}
	d.m.View()
	if w.Paint.Rough {
		t.Error("the picture stays rough")
	}
	d.misses("refining")
	want := &timeline.Sampled{}
	k := w.Paint.SampleKey
	want.Fill(w.Sources(k.Layout, 0), w.Axis(k.Width), k)
	for i, v := range want.Grid.V {
		if got := w.Paint.Sampled.Grid.V[i]; got != v && (got == got || v == v) {
			t.Fatalf("cell %d is %v, want %v", i, got, v)
		}
	}
}

// The rows of a window are computed batch by batch; finished rows are drawn.
func TestRowsAppearAsTheyAreComputed(t *testing.T) {
	tr := traceOf(t, manyThreads(40))
	d := drive(t, 100, 60, Options{})
	_, cmd := d.m.Update(loadedMsg{})
	d.run(cmd)
	ot := timeline.NewTrace(1, tr)
	d.m.Traces = append(d.m.Traces, ot)
	d.m.AddWindow(d.m.NewWindow(ot))
	_, cmd = d.m.Update(nil)
	d.sees("refining… 0/40", " 1.1.1 ")
	d.run(cmd)
	d.misses("refining")
}
