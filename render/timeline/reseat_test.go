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
