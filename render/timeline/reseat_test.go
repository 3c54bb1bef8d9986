package timeline

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/semantic"
)

// A view that shows some rows of a part shows the same objects of the run, in which the middle task has three threads
// instead of one: 1.3.1 was the third thread and is the fifth.
func TestReseat(t *testing.T) {
	traceOf := func(threads string) *prv.Trace {
		text := "#Paraver (01/01/2026 at 10:00):100_ns:1(3):1:3(1:1," + threads + ":1,2:1)\n1:1:1:1:1:0:60:1\n"
		tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return tr
	}
	part, whole := NewTrace(1, traceOf("1")), traceOf("3")
	view := func(change func(w *View)) *View {
		w := NewView(2, part)
		w.Sem = semantic.DefaultWindow()
		change(w)
		w.Reseat(whole)
		return w
	}
	w := view(func(w *View) { w.Objects, w.CursorRow = []int32{2, 0}, 0 })
	if !slices.Equal(w.Objects, []int32{4, 0}) || w.CursorRow != 0 {
		t.Errorf("chosen objects %v, the cursor in row %d", w.Objects, w.CursorRow)
	}
	w = view(func(w *View) { w.Top, w.Span, w.CursorRow = 1, 2, 2 })
	if w.Top != 1 || w.Span != 4 || w.CursorRow != 4 {
		t.Errorf("%d rows from %d, the cursor in row %d", w.Span, w.Top, w.CursorRow)
	}
	w = view(func(w *View) {
		w.Drawing.Between = Pair{1, 3}
		w.History.Record(Setup{Sem: w.Sem, Objects: []int32{3}}, "", 1)
	})
	if past := w.History.Past[0].Objects; w.Drawing.Between != (Pair{1, 5}) || !slices.Equal(past, []int32{5}) {
		t.Errorf("messages between %v, and before %v", w.Drawing.Between, past)
	}
	w = view(func(w *View) { w.Sem.Level, w.CursorRow = prv.LevelTask, 1 })
	if w.CursorRow != 1 {
		t.Errorf("the cursor is on task %d", w.CursorRow)
	}
}

// Objects have the same numbers in both runs: 1.2.2 is the third thread of tasks of 1, 3 and 1 threads, and there is
// none if task 2 has one thread, or is the last.
func TestObjectIn(t *testing.T) {
	traceOf := func(tasks string) *prv.Trace {
		text := "#Paraver (01/01/2026 at 10:00):100_ns:1(3):1:" + tasks + "\n1:1:1:1:1:0:60:1\n"
		tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return tr
	}
	from := traceOf("3(1:1,3:1,1:1)")
	for _, c := range []struct {
		to    string
		level prv.Level
		want  []int // of the objects from -1 on
	}{
		{"3(1:1,3:1,1:1)", prv.LevelThread, []int{-1, 0, 1, 2, 3, 4, -1}},
		{"3(1:1,1:1,1:1)", prv.LevelThread, []int{-1, 0, 1, -1, -1, 2, -1}},
		{"3(2:1,4:1,2:1)", prv.LevelThread, []int{-1, 0, 2, 3, 4, 6, -1}},
		{"2(1:1,2:1)", prv.LevelThread, []int{-1, 0, 1, 2, -1, -1, -1}},
		{"2(1:1,2:1)", prv.LevelTask, []int{-1, 0, 1, -1, -1}},
		{"4(1:1,1:1,1:1,1:1)", prv.LevelTask, []int{-1, 0, 1, 2, -1}},
	} {
		to := traceOf(c.to)
		for i, want := range c.want {
			if got := objectIn(to, from, c.level, i-1); got != want {
				t.Errorf("%s %d is %d in %s, want %d", c.level, i-1, got, c.to, want)
			}
		}
	}
}

// A window that mirrors another one takes over its objects if it has the same number, keeps its time, and is drawn
// again.
func TestMirror(t *testing.T) {
	text := "#Paraver (01/01/2026 at 10:00):100_ns:0:1:3(1:0,1:0,1:0)\n1:0:1:1:1:0:60:1\n"
	three, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	from := NewView(1, NewTrace(1, fourThreads(t)))
	for _, c := range []struct {
		to    *prv.Trace
		level prv.Level
		want  Setup
		drawn bool
	}{
		{fourThreads(t), prv.LevelThread, Setup{Begin: 5, End: 9, Top: 1, Span: 2, Objects: []int32{3, 1, 0}}, true},
		{three, prv.LevelThread, Setup{Begin: 5, End: 9}, true},
		{three, prv.LevelCPU, Setup{Begin: 5, End: 9}, false}, // it has no CPUs
	} {
		from.Sem.Level, from.Top, from.Span, from.Objects, from.CursorRow = c.level, 1, 2, []int32{3, 1, 0}, 2
		w := NewView(2, NewTrace(2, c.to))
		w.Begin, w.End = 5, 9
		before := w.Paint.Version
		w.Mirror(from)
		if w.Begin != 5 || w.End != 9 || w.Top != c.want.Top || w.Span != c.want.Span ||
			!slices.Equal(w.Objects, c.want.Objects) {
			t.Errorf("%d tasks: %+v, want %+v", len(c.to.Tasks), w.Setup, c.want)
		}
		if drawn := w.Paint.Version > before; drawn != c.drawn || (w.CursorRow == 2) != c.drawn {
			t.Errorf("%s of %d tasks: drawn: %v, the cursor in row %d", c.level, len(c.to.Tasks), drawn, w.CursorRow)
		}
	}
}
