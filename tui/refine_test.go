package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// A picture of very many rows shows some of them at once, says so, and shows all
// when the background has sampled them.
func TestManyRowsAreRefined(t *testing.T) {
	d := onTrace(t, 200, 40, manyThreads(5000))
	w := d.m.window()
	if w.paint.rough {
		t.Fatal("all jobs are done, and the picture is rough")
	}
	var jobs []tea.Cmd
	step := func(key string) {
		_, cmd := d.m.Update(keyPress(t, key))
		jobs = append(jobs, cmd)
		d.m.View()
	}
	step("+")
	if !w.paint.rough {
		t.Fatal("5000 rows were sampled while the user waits")
	}
	d.sees("refining")
	step("right") // makes the first job's result stale
	for _, cmd := range jobs {
		d.run(cmd)
	}
	d.m.View()
	if w.paint.rough {
		t.Error("the picture stays rough")
	}
	d.misses("refining")
	want := &sampled{}
	k := w.paint.sampleKey
	want.fill(w.sources(k.layout, 0), w.axis(k.w), k)
	for i, v := range want.grid.V {
		if got := w.paint.sampled.grid.V[i]; got != v && (got == got || v == v) {
			t.Fatalf("cell %d is %v, want %v", i, got, v)
		}
	}
}

// The rows of a window are computed batch by batch; what is there is drawn.
func TestRowsAppearAsTheyAreComputed(t *testing.T) {
	tr := traceOf(t, manyThreads(40))
	d := drive(t, 100, 60, Options{})
	_, cmd := d.m.Update(loadedMsg{})
	d.run(cmd)
	ot := newOpenTrace(1, tr)
	d.m.traces = append(d.m.traces, ot)
	d.m.addWindow(d.m.newWindow(ot))
	_, cmd = d.m.Update(nil)
	d.sees("refining… 0/40", "THREAD 1.1.1")
	d.run(cmd)
	d.misses("refining")
}
