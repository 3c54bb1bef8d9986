package timeline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/filter"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/render/raster"
	"pview/semantic"
	"pview/semantic/series"
	"pview/semantic/sketch"
)

// States have their colours, other values those of values; with Paraver's colours all are those of the .pcf.
func TestColorsOfViews(t *testing.T) {
	w := NewView(1, NewTrace(1, fourThreads(t)))
	check := func(name string, want *raster.Palette) {
		t.Helper()
		if w.Sem = semantic.ThreadWindow(name); w.Colors() != want {
			t.Errorf("%s has other colours", name)
		}
	}
	check("State As Is", w.Trace.states)
	check("Useful", w.Trace.states) // 1 stands for Running
	check("In State", w.Trace.values)
	check("State Record Dur.", w.Trace.values)
	w.Trace.Paraver = true
	check("State As Is", w.Trace.Palette)
	check("State Record Dur.", w.Trace.Palette)
	p := PaletteOf([]semantic.NamedValue{{Value: 3, Color: [3]uint8{1, 2, 3}}})
	if p.Color(3) != raster.RGB(1, 2, 3) {
		t.Errorf("3 is %v", p.Color(3))
	}
}

// Amounts, and averages that were asked for, are drawn as gradients, unless a colour mode was asked for.
func TestColorModes(t *testing.T) {
	time := func(m series.DrawMode) func(d *Drawing) {
		return func(d *Drawing) { d.Given.Time, d.Modes.Time = true, m }
	}
	for _, c := range []struct {
		name   string
		change func(d *Drawing)
		want   raster.ColorMode
	}{
		{"State As Is", func(*Drawing) {}, raster.CodeColor},
		{"State As Is", time(series.Average), raster.NotNullGradient},
		{"State As Is", time(series.AverageNotZero), raster.NotNullGradient},
		{"State As Is", time(series.Maximum), raster.CodeColor},
		{"State As Is", func(d *Drawing) { d.Modes.Time = series.Average }, raster.CodeColor}, // not asked for
		{"State Record Dur.", func(*Drawing) {}, raster.NotNullGradient},
		{"State Record Dur.", func(d *Drawing) { d.Codes = true }, raster.CodeColor},
		{"State Record Dur.", func(d *Drawing) { d.Color = raster.Gradient }, raster.Gradient},
		{"Useful", func(*Drawing) {}, raster.CodeColor},
	} {
		w := NewView(1, NewTrace(1, fourThreads(t)))
		w.Sem = semantic.ThreadWindow(c.name)
		c.change(&w.Drawing)
		if got := w.ColorMode(); got != c.want {
			t.Errorf("%s, %+v: %v, want %v", c.name, w.Drawing, got, c.want)
		}
	}
}

// A window of zeros explains them: by the bursts, by the events that pass, or by nothing else.
func TestWhyEmpty(t *testing.T) {
	empty := func(change func(w *View)) string {
		w := complete(t, func(w *View) {
			w.Sem = semantic.ThreadWindow("In State", []float64{7})
			change(w)
		})
		w.Repaint(raster.DefaultLook, 20, 4)
		return whyEmpty(w)
	}
	if got := empty(func(*View) {}); got != "every value in view is 0" {
		t.Error(got)
	}
	if got := empty(func(w *View) { w.Sem.Filter = filter.Only(7) }); got !=
		"every value in view is 0, of events of type = 7; logical messages" {
		t.Error(got)
	}
	if got := empty(func(w *View) { w.Sem = semantic.ThreadWindow("Useful") }); got != "" {
		t.Error(got)
	}
	w := complete(t, func(w *View) { w.Sem = semantic.ThreadWindow("In State", []float64{7}) })
	w.Repaint(raster.DefaultLook, 20, 4)
	w.Values.Known--
	if got := whyEmpty(w); got != "" {
		t.Errorf("a row is missing: %s", got)
	}
}

// A row that stands out is named, with its value and the median; of several, the first.
func TestNoteOnStandouts(t *testing.T) {
	w := complete(t, func(w *View) {
		w.Sem = semantic.ThreadWindow("State Record Dur.")
		w.Sem.Unit = semantic.Nanoseconds
	})
	w.Repaint(raster.DefaultLook, 20, 1)
	w.LabelWidth(w.Paint.Layout)
	note := func(list ...sketch.Standout) string {
		w.Values.standouts = standouts{key: w.RowsKey(), list: list}
		n, ok := w.standoutNote()
		return fmt.Sprint(n.Long, " (", n.Short, ") ", ok)
	}
	one := sketch.Standout{Row: 2, Value: 300, Median: 100}
	for _, c := range []struct{ got, want string }{
		{note(), " () false"},
		{note(one), "1.2.1 stands out: mean 300 ns, median 100 ns (1.2.1 stands out) true"},
		{note(one, one, one), "1.2.1 and 2 more stand out: mean 300 ns, median 100 ns (1.2.1 +2 stand out) true"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
	w.Begin++
	if _, ok := w.standoutNote(); ok {
		t.Error("a note on another view")
	}
	w = complete(t, nil)
	w.Repaint(raster.DefaultLook, 20, 1)
	w.LabelWidth(w.Paint.Layout)
	if got := note(sketch.Standout{Row: 0, Code: 3, Value: 0.5, Median: 0.25}); got !=
		"1.1.1 stands out: Waiting a message 50.0 %, median 25.0 % (1.1.1 stands out) true" {
		t.Error(got)
	}
	w.Repaint(raster.DefaultLook, 20, 4)
	if _, ok := w.standoutNote(); ok {
		t.Error("each row has a line, but one stands out")
	}
}

// A picture of very many values shows some rows of each line first.
func TestRoughPictures(t *testing.T) {
	w := complete(t, nil)
	l := raster.Layout{First: 0, Rows: 4, Lines: 2, Height: 1, Split: 1}
	shown := func(each int) (rows []bool) {
		for _, s := range w.Sources(l, each) {
			rows = append(rows, s != nil)
		}
		return rows
	}
	if got := shown(0); !slices.Equal(got, []bool{true, true, true, true}) {
		t.Errorf("all rows: %v", got)
	}
	if got := shown(1); !slices.Equal(got, []bool{true, false, true, false}) {
		t.Errorf("one row of each line: %v", got)
	}
	w.Top, w.Span = 1, 2
	l.First, l.Rows = 1, 2
	if got := shown(0); !slices.Equal(got, []bool{false, true, true, false}) {
		t.Errorf("rows 1 and 2: %v", got)
	}
	for _, c := range []struct {
		rows, width int
		merged      bool
		want        bool
	}{{4, 37_500, true, false}, {4, 37_501, true, true}, {4, 37_501, false, false}} {
		w := complete(t, nil)
		k := sampleKey{Width: c.width, Layout: raster.Layout{Rows: c.rows, Lines: 2, Height: 1, Split: 1}}
		if !c.merged {
			k.Layout.Lines = 4
		}
		if got := w.heavy(k); got != c.want { // 4 x 37,500 are the budget of 150,000
			t.Errorf("%+v: heavy %v", c, got)
		}
	}
}

// The message whose line passes the cursor: from 1.1.1 at 200 to 1.2.1 at 400.
func TestMessageUnderTheCursor(t *testing.T) {
	for _, c := range []struct {
		time int64
		row  int
		want bool
	}{{210, 0, true}, {300, 1, true}, {390, 2, true}, {800, 1, false}, {300, 3, false}} {
		for _, lines := range []int{4, 8} { // of one row each, and of half a row
			w := complete(t, func(w *View) { w.Drawing.Comms = CommsPhysical })
			w.Cursor, w.CursorRow = c.time, c.row
			w.Repaint(raster.DefaultLook, 20, lines)
			i, ok := w.Message()
			if ok != c.want || ok && i != 0 {
				t.Errorf("at %d in row %d of %d lines: message %d, %v", c.time, c.row, lines, i, ok)
			}
		}
	}
	w := complete(t, nil)
	w.Cursor = 300
	if w.Repaint(raster.DefaultLook, 20, 4); w.Paint.picked != 0 {
		t.Error("a message where no lines are drawn")
	}
}

// The jobs of a trace count its events, and its useful threads: 4 up to 100, 3 up to 200, 2, 1.
func TestJobsOfTraces(t *testing.T) {
	tr := NewTrace(1, fourThreads(t))
	tr.CountJob(context.Background())()()
	if len(tr.Types) != 1 || tr.Types[0].Type != 50000001 || tr.Types[0].Count != 4 || tr.Facts().Trace != tr.Data {
		t.Errorf("types %+v", tr.Types)
	}
	tr.ProfileJob(context.Background())()()
	for i, want := range []float64{4, 3, 2, 1, 0, 0, 0, 0, 0, 0} {
		if got := tr.Profile[(2*i+1)*profileParts/20]; got != want {
			t.Errorf("%g useful threads at %d, want %g", got, 100*i+50, want)
		}
	}
	late := tr.CountJob(context.Background())()
	tr.Types = nil
	tr.Revision++
	if late(); tr.Types != nil {
		t.Error("the counts of a former revision are taken")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if tr.ProfileJob(ctx)() != nil {
		t.Error("a cancelled job has an answer")
	}
}

// Messages are described with their times, and with the late side. In the first trace no task waits: 1.2.1 computes
// until 300. In the second, 1.1.1 waits from 30 for what is sent at 45, and sends from 60 to 62; the receive is posted
// at 70.
func TestTextsOfMessages(t *testing.T) {
	w := complete(t, func(w *View) { w.Drawing.Comms = CommsLogical })
	want := "1.1.1 to 1.2.1|64 B|sent 200 ns, received 400 ns|tag 7"
	if got := strings.Join(w.MessageText(0, true), "|"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	w.Drawing.Comms = CommsPhysical
	want = "THREAD 1.1.1 to 1.2.1|64 B|receive posted 100 ns, sent 210 ns, received 400 ns|tag 7"
	if got := strings.Join(w.MessageText(0, false), "|"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	w.Sem.Level = prv.LevelTask
	if got := w.MessageText(0, false)[0]; got != "TASK 1.1 to 1.2" {
		t.Error(got)
	}
	tr, err := prv.Read(context.Background(), strings.NewReader(prvtest.TraceA), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w = NewView(1, NewTrace(1, tr))
	for i, want := range []string{
		"1.2.1 to 1.1.1|1 kB|sent 50 us, received 50 us|sender late by 15 us|tag 5",
		"1.1.1 to 1.2.1|3 kB|sent 62 us, received 80 us|receiver late by 2 us|tag 6",
	} {
		if got := strings.Join(w.MessageText(i, true), "|"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// User functions are named by their expression.
func TestNamesOfCalls(t *testing.T) {
	own := semantic.Call{Name: semantic.UserFunction, Expression: "state + 1"}
	for _, c := range []struct {
		call       semantic.Call
		name, text string
	}{{semantic.Call{Name: "Useful"}, "Useful", ""}, {own, "= state + 1", "= state + 1"},
		{semantic.Call{Name: semantic.UserFunction}, semantic.UserFunction, "= "}} {
		if CallName(c.call) != c.name || CallText(c.call) != c.text {
			t.Errorf("%+v: %q, %q", c.call, CallName(c.call), CallText(c.call))
		}
	}
}
