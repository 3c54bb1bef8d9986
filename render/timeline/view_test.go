package timeline

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/insight/report"
	"pview/prv"
	"pview/render/raster"
	"pview/render/style"
	"pview/semantic"
	"pview/semantic/cfg"
	"pview/semantic/ready"
	"pview/semantic/series"
)

// fourThreads returns a run of 1000 ns on two nodes: tasks 1 and 2 with two threads each. Thread k computes up to
// 100*(k+1) and then waits (3). Thread 1.1.1 sends 64 bytes to 1.2.1 (sent 200, receive posted 100, received 400).
func fourThreads(t *testing.T) *prv.Trace {
	t.Helper()
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddNode(2)
	h.AddNode(2)
	h.AddPtask()
	h.AddTask(2, 0)
	h.AddTask(2, 1)
	b := prv.NewBuilder(h)
	for th := range int32(4) {
		until := 100 * int64(th+1)
		b.State(th, 0, 0, until, 1)
		b.State(th, 0, until, 1000, 3)
		b.Event(th, 0, until, prv.Pair{Type: 50000001, Value: 4})
	}
	b.Comm(prv.Comm{Send: 0, Recv: 2, Times: [4]int64{200, 210, 100, 400}, Size: 64, Tag: 7})
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func resources() Resources {
	return Resources{Context: context.Background(), Cache: series.NewCache(1 << 20), Gen: new(int)}
}

// complete returns a view of the trace whose values are known.
func complete(t *testing.T, change func(w *View)) *View {
	t.Helper()
	w := NewView(1, NewTrace(1, fourThreads(t)))
	if change != nil {
		change(w)
	}
	if err := w.Complete(resources()); err != nil {
		t.Fatal(err)
	}
	return w
}

func theme() *style.Theme {
	l := raster.DefaultLook
	return style.NewTheme(l.Profile, l.Glyphs, l.Theme.Dark, l.Theme.Background)
}

// text returns the characters of a canvas, line by line.
func text(c raster.Canvas) string {
	var b strings.Builder
	for y := range c.H {
		for x := range c.W {
			b.WriteRune(c.At(x, y).Rune)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestJobsComputeOnlyWhatIsMissing(t *testing.T) {
	w := NewView(1, NewTrace(1, fourThreads(t)))
	w.Top, w.Span = 1, 2
	r := resources()
	jobs := w.Jobs(r, raster.DefaultLook, 40, 2)
	if len(jobs) != 1 || !w.Busy() || len(w.Jobs(r, raster.DefaultLook, 40, 2)) != 0 {
		t.Fatalf("%d jobs, want one, once", len(jobs))
	}
	jobs[0]()()
	if w.Busy() || w.SeriesOf(0) != nil || w.SeriesOf(1) == nil || w.SeriesOf(2) == nil || w.SeriesOf(3) != nil {
		t.Error("want the values of the two rows in view")
	}
	// Another question drops the values; an answer to the first question arrives too late.
	late := w.computeLate(r)
	w.Sem = semantic.ThreadWindow("Useful")
	w.Ask(r)
	late()
	if w.SeriesOf(1) != nil {
		t.Error("an answer to the former question was applied")
	}
}

// computeLate computes row 0 now, for an answer that is applied later.
func (w *View) computeLate(r Resources) Answer { return jobs{w}.compute(r.Cache, []int{0})() }

// While a revised trace is computed, the previous values stay visible.
func TestRevisionKeepsFormerValues(t *testing.T) {
	w := complete(t, nil)
	before := w.SeriesOf(2)
	w.Trace.Revision++
	w.Ask(resources())
	if w.SeriesOf(2) != before {
		t.Error("the row is blank until it is computed again")
	}
	if w.SeriesOf(-1) != nil || w.SeriesOf(4) != nil {
		t.Error("rows that do not exist have values")
	}
}

// Until all rows are computed again, the time that the previous values do not cover counts as unread.
func TestRevisionKeepsFormerEnd(t *testing.T) {
	w := NewView(1, NewTrace(1, fourThreads(t)))
	w.Trace.Until = 10
	if err := w.Complete(resources()); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ until, want int64 }{{20, 10}, {0, 10}} {
		w.Trace.Until = step.until
		w.Trace.Revision++
		w.Ask(resources())
		if got := w.Unread(); got != step.want {
			t.Errorf("read until %d: unread from %d, want %d", step.until, got, step.want)
		}
	}
	if err := w.Complete(resources()); err != nil {
		t.Fatal(err)
	}
	if got := w.Unread(); got != 0 {
		t.Errorf("complete, but unread from %d", got)
	}
}

// The index of messages is made once, for views that draw lines and can be computed, on traces with messages.
func TestJobOfMessages(t *testing.T) {
	silent := prv.NewBuilder(prv.Header{End: 10, Resources: fourThreads(t).Resources})
	empty, err := silent.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		tr     *prv.Trace
		comms  CommLines
		window string
		want   bool
	}{
		{"lines", fourThreads(t), CommsLogical, "Useful", true},
		{"no lines", fourThreads(t), CommsOff, "Useful", false},
		{"no messages", empty, CommsLogical, "Useful", false},
		{"no such window", fourThreads(t), CommsLogical, "no such function", false},
	} {
		w := NewView(1, NewTrace(1, c.tr))
		w.Drawing.Comms, w.Sem = c.comms, semantic.ThreadWindow(c.window)
		w.Ask(resources())
		j := jobs{w}
		job := j.comms()
		if got := job != nil; got != c.want || w.Busy() != c.want {
			t.Errorf("%s: a job: %v, busy: %v, want %v", c.name, got, w.Busy(), c.want)
		}
		if job == nil {
			continue
		}
		if j.comms() != nil {
			t.Errorf("%s: a second job while the first runs", c.name)
		}
		job()()
		if w.Busy() || w.Values.comms == nil || j.comms() != nil {
			t.Errorf("%s: no index, or another one is made", c.name)
		}
	}
}

// A summary is being made from its job's start to its answer, or until it is stopped.
func TestSummaryIsStopped(t *testing.T) {
	tr := NewTrace(1, fourThreads(t))
	summarise := func(ctx context.Context, _ *prv.Trace, _ bool) (*report.Headline, error) {
		return &report.Headline{}, ctx.Err()
	}
	if tr.Summarises() || tr.StopSummary() {
		t.Error("a summary is made before it is asked for")
	}
	job := tr.SummaryJob(context.Background(), summarise)
	if !tr.Summarises() {
		t.Error("the summary is not being made")
	}
	if job()(); tr.Summarises() || tr.StopSummary() || tr.Summary == nil || tr.SummarisedTo != 1000 {
		t.Errorf("made: %v up to %d", tr.Summary, tr.SummarisedTo)
	}
	job = tr.SummaryJob(context.Background(), summarise)
	if !tr.StopSummary() || tr.Summarises() || tr.StopSummary() {
		t.Error("not stopped, or twice")
	}
	if job()(); tr.Summary != nil {
		t.Error("a stopped summary has an answer")
	}
}

func TestErrorOfAWindow(t *testing.T) {
	w := NewView(1, NewTrace(1, fourThreads(t)))
	w.Sem = semantic.ThreadWindow("no such function")
	if err := w.Complete(resources()); err == nil {
		t.Fatal("no error")
	}
	c := raster.NewCanvas(60, 5)
	w.DrawUnavailable(c, theme())
	if !strings.Contains(text(c), "no such function") {
		t.Errorf("does not say why:\n%s", text(c))
	}
}

func TestRowLayout(t *testing.T) {
	look := raster.DefaultLook
	for _, test := range []struct {
		rows, lines, height, split, used int
	}{
		{4, 4, 1, 1, 4}, {4, 9, 4, 2, 8}, {4, 6, 1, 1, 4}, {4, 3, 1, 1, 2}, {4, 2, 1, 1, 2}, {4, 1, 1, 1, 1},
	} {
		w := complete(t, nil)
		l := w.RowLayout(test.lines, look)
		if l.Height != test.height || l.Split != test.split || w.UsefulLines(test.lines, look) != test.used {
			t.Errorf("%d rows on %d lines: height %d, split %d, %d lines; want %+v", test.rows, test.lines, l.Height,
				l.Split, w.UsefulLines(test.lines, look), test)
		}
	}
}

func TestNamesOfRows(t *testing.T) {
	w := complete(t, nil)
	l := w.RowLayout(4, raster.DefaultLook)
	if got := w.LabelWidth(l); got != len("1.1.1") {
		t.Errorf("names are %d wide, want 5 without the common THREAD", got)
	}
	names := rowNames{w, l}
	if got := names.ofLine(0, 1); got != "1.1.1" {
		t.Errorf("one row: %q", got)
	}
	if got := names.ofLine(0, 2); got != "1.1.1-1.1.2" {
		t.Errorf("two rows: %q", got)
	}
	if got := names.ofLine(1, 3); got != "1.1.2-1.2.1" {
		t.Errorf("rows of two tasks: %q", got)
	}
	for level, want := range map[prv.Level]int{prv.LevelThread: 2, prv.LevelTask: 1, prv.LevelPtask: 0,
		prv.LevelCPU: -1} {
		w.Sem.Level = level
		if got := w.RowOfThread(2); got != want {
			t.Errorf("thread 1.2.1 at level %s is row %d, want %d", level, got, want)
		}
	}
}

func TestDrawnNamesMarkTheCursor(t *testing.T) {
	w := complete(t, func(w *View) { w.Objects = []int32{2, 0} })
	w.CursorRow = 1
	c := raster.NewCanvas(30, 2)
	f := Frame{Labels: raster.Rect{W: 9, H: 2}, Gap: raster.Rect{X: 9, W: 1, H: 2},
		Plot: raster.Rect{X: 10, W: 20, H: 2}}
	w.LabelWidth(w.RowLayout(2, raster.DefaultLook))
	th := theme()
	w.Draw(c, f, raster.DefaultLook, th, true)
	lines := strings.Split(text(c), "\n")
	if !strings.HasPrefix(lines[0], "1.2.1") || !strings.HasPrefix(lines[1], "1.1.1") {
		t.Errorf("rows in the order of the objects:\n%s", text(c))
	}
	if c.At(0, 1).Style != th.Accent || c.At(0, 0).Style == th.Accent {
		t.Error("the row of the cursor is not marked, or another is")
	}
}

func TestValueTexts(t *testing.T) {
	w := complete(t, nil)
	if got := w.ValueText(1); got != "Running (1)" {
		t.Errorf("state: %q", got)
	}
	w = complete(t, func(w *View) {
		w.Sem = semantic.ThreadWindow("State Record " +
			"Dur.")
		w.Sem.Unit = semantic.Nanoseconds
	})
	if got := w.ValueText(100); got != "100 ns" {
		t.Errorf("duration: %q", got)
	}
	w = complete(t, func(w *View) { w.Sem = semantic.ThreadWindow("In State", []float64{1, 3}) })
	labels := w.Trace.Data.Labels
	if got, want := w.LegendText(1), labels.StateName(1)+" or "+labels.StateName(3); got != want {
		t.Errorf("yes: %q, want %q", got, want)
	}
	if got := w.LegendText(0); !strings.HasPrefix(got, "not Running") {
		t.Errorf("no: %q", got)
	}
	for _, c := range []struct {
		states []float64
		want   string
	}{{[]float64{1, 3, 4}, "Running or " + labels.StateName(3) + " or " + labels.StateName(4)},
		{[]float64{1, 3, 4, 5}, "1"}} { // too many for a name
		w = complete(t, func(w *View) { w.Sem = semantic.ThreadWindow("In State", c.states) })
		if got := w.LegendText(1); got != c.want {
			t.Errorf("in one of %v: %q, want %q", c.states, got, c.want)
		}
	}
	w = complete(t, func(w *View) { w.Sem = semantic.ThreadWindow("Last Evt Val") })
	if got := w.LegendText(0); got != "outside" {
		t.Errorf("value of no event: %q", got)
	}
}

func TestTextOfAMessage(t *testing.T) {
	w := complete(t, func(w *View) { w.Drawing.Comms = CommsLogical })
	got := w.MessageText(0, true)
	want := []string{"1.1.1 to 1.2.1", "64 B"}
	if !slices.Equal(got[:2], want) {
		t.Errorf("%q, want %q first", got, want)
	}
	if long := strings.Join(w.MessageText(0, false), "; "); !strings.HasPrefix(long, "THREAD 1.1.1 to 1.2.1") ||
		!strings.Contains(long, "receive posted 100") || !strings.Contains(long, "tag 7") {
		t.Errorf("%q", long)
	}
}

func TestLinesOfMessages(t *testing.T) {
	w := complete(t, func(w *View) { w.Drawing.Comms = commsBoth; w.Objects = []int32{2, 0} })
	lines, n := w.Messages(10)
	want := []MessageLine{{1, 0, 200, 100, false}, {1, 0, 210, 400, true}}
	if n != 2 || !slices.Equal(lines, want) {
		t.Errorf("%v, %d; want %v", lines, n, want)
	}
	if lines, n = w.Messages(1); lines != nil || n != 2 {
		t.Errorf("too many: %v, %d", lines, n)
	}
	w.Objects = []int32{0}
	if lines, _ = w.Messages(10); len(lines) != 0 {
		t.Errorf("the receiver is out of view: %v", lines)
	}
	w.Drawing.Comms = CommsOff
	if _, n = w.Messages(10); n != 0 {
		t.Error("lines although they are off")
	}
}

// Codes share the picture by their time, amounts show their peaks; the user's choices stay.
func TestModesSuitTheValues(t *testing.T) {
	w := complete(t, nil)
	if m := w.Modes(); m.Time != series.Proportional || m.Rows != series.MostTime || w.ColorMode() != raster.CodeColor {
		t.Errorf("states: %v", m)
	}
	w.Sem = semantic.ThreadWindow("State Record Dur.")
	if m := w.Modes(); m.Time != series.Maximum || m.Rows != series.Maximum || w.ColorMode() != raster.NotNullGradient {
		t.Errorf("durations: %v", m)
	}
	w.Drawing.Modes.Time, w.Drawing.Given.Time = series.Average, true
	if m := w.Modes(); m.Time != series.Average {
		t.Errorf("asked for: %v", m)
	}
}

func TestSetupMoves(t *testing.T) {
	tr := fourThreads(t)
	s := Setup{Sem: semantic.DefaultWindow(), Begin: 100, End: 300}
	s.Zoom(0.5, 150, 1000) // 150 stays at a quarter of the view
	if s.Begin != 125 || s.End != 225 {
		t.Errorf("zoomed to %d..%d", s.Begin, s.End)
	}
	s.Pan(-500, 1000)
	if s.Begin != 0 || s.End != 100 {
		t.Errorf("panned to %d..%d", s.Begin, s.End)
	}
	if s.Pan(30, 1000); s.Begin != 30 || s.End != 130 {
		t.Errorf("panned to %d..%d", s.Begin, s.End)
	}
	if s.Pan(5000, 1000); s.Begin != 900 || s.End != 1000 {
		t.Errorf("panned to %d..%d", s.Begin, s.End)
	}
	s.Center(500, 1000)
	if s.Begin != 450 || s.End != 550 {
		t.Errorf("centered to %d..%d", s.Begin, s.End)
	}
	s.Center(950, 1000)
	if s.Begin != 900 || s.End != 1000 {
		t.Errorf("centered to %d..%d", s.Begin, s.End)
	}
	s.Top, s.Span, s.Begin, s.End = 3, 2, -50, 5000
	s.Clamp(tr, 1000)
	if s.Top != 2 || s.Span != 2 || s.Begin != 0 || s.End != 1000 {
		t.Errorf("clamped to rows %d+%d, %d..%d", s.Top, s.Span, s.Begin, s.End)
	}
	s.Span = 4
	if s.Clamp(tr, 1000); s.Span != 0 || s.Top != 0 {
		t.Errorf("all rows: %d+%d", s.Top, s.Span)
	}
}

func TestHistory(t *testing.T) {
	var h History
	at := func(begin int64) Setup { return Setup{Begin: begin} }
	h.Record(at(1), "pan", 1)
	h.Record(at(2), "pan", 2) // belongs to the first
	h.Record(at(3), "", 3)
	if len(h.Past) != 2 || Step(h.Past) != 3 {
		t.Fatalf("%v", h.Past)
	}
	m, ok := h.Undo(at(4))
	if !ok || m.Begin != 3 {
		t.Errorf("undo gives %d", m.Begin)
	}
	if m, ok = h.Redo(at(3)); !ok || m.Begin != 4 {
		t.Errorf("redo gives %d", m.Begin)
	}
	h.Undo(at(4))
	h.Undo(at(3))
	if _, ok = h.Undo(at(1)); ok || Step(h.Past) != 0 {
		t.Error("undo of nothing")
	}
	if h.Record(at(1), "", 9); len(h.Future) != 0 {
		t.Error("a change keeps what could be done again")
	}
}

// A view of a part of the rows and time is saved and reopened unchanged.
func TestCfgOfAView(t *testing.T) {
	w := complete(t, func(w *View) {
		w.Begin, w.End, w.Objects = 100, 600, []int32{1, 3}
		w.Drawing.Comms, w.Drawing.Flags = CommsLogical, true
		w.Drawing.Color, w.Drawing.Fixed, w.Drawing.Scale = raster.Gradient, true, raster.Scale{Min: 1, Max: 3}
	})
	c := CfgOf(w)
	if c.View.Range.Begin != 100 || c.View.Range.End != 600 || !c.View.CommLines || !c.View.Flags ||
		c.View.Color != cfg.GradientColor || c.View.AutoScale || c.View.Minimum != 1 || c.View.Maximum != 3 {
		t.Errorf("%+v", c.View)
	}
	var on []bool
	for _, s := range c.View.Objects {
		on = append(on, s.On...)
	}
	if !slices.Equal(on, []bool{false, true, false, true}) {
		t.Errorf("objects: %v", c.View.Objects)
	}
}

// In pixels every row has its own colours, from its line down, with a gap above.
func TestPixelsOfRows(t *testing.T) {
	w := complete(t, nil)
	on := Pixelate{W: 10, H: 4, CellW: 10, CellH: 8, Ground: raster.RGB(0, 0, 0)}
	w.Repaint(raster.DefaultLook, on.W, on.H)
	if !on.Suits(w) {
		t.Fatal("cannot be drawn in pixels")
	}
	m := on.Picture(w)
	if on.Picture(w) != m {
		t.Error("the same picture is drawn twice")
	}
	running, waiting := w.Colors().Color(1), w.Colors().Color(3)
	at := func(x, y int) raster.Color {
		r, g, b, _ := m.At(x, y).RGBA()
		return raster.RGB(uint8(r>>8), uint8(g>>8), uint8(b>>8))
	}
	for row := range 4 {
		edge := 10 * (row + 1) // 100 ns a row, 10 ns a pixel
		if y := row*8 + 4; at(edge-1, y) != running || at(edge, y) != waiting {
			t.Errorf("row %d does not change its colour at pixel %d", row, edge)
		}
		if at(5, row*8) != on.Ground {
			t.Errorf("row %d has no gap above", row)
		}
	}
	// The line of the message goes from the middle of its sender's row when it is sent to that of its receiver's.
	w.Drawing.Comms = CommsPhysical
	if err := w.Complete(resources()); err != nil {
		t.Fatal(err)
	}
	w.Repaint(raster.DefaultLook, on.W, on.H)
	m = on.Picture(w)
	if line := w.Paint.Painter.Theme.Physical; at(31, 13) == waiting || at(31, 13) == running || at(60, 13) == line {
		t.Errorf("no line at half of its way: %v there, lines are %v", at(31, 13), line)
	}
	w.Drawing.Flags = true
	if on.Suits(w) {
		t.Error("events cannot be drawn in pixels")
	}
}

// 1 in [0,3) and [7,8) of 8 ticks, in 4 parts of 2 ticks: 1, 0.5, 0 and 0.5. In two columns the ranges are 0.5..1 and
// 0..0.5.
func TestProfileKeepsExtremes(t *testing.T) {
	profile := make([]float64, 4)
	addShares(profile, series.New([]int64{0, 3, 7}, []float64{1, 0, 1}, 8), 8)
	most, spread, scale := Resampled(profile, 2)
	if want := []float64{1, 0.5}; !slices.Equal(most, want) {
		t.Errorf("at most %v, want %v", most, want)
	}
	if want := []raster.Spread{{Least: 0.5, Mean: 0.75}, {Least: 0, Mean: 0.25}}; !slices.Equal(spread, want) {
		t.Errorf("spread %v, want %v", spread, want)
	}
	if scale.Max != 1 {
		t.Errorf("scale to %g, want 1", scale.Max)
	}
}

// Setups show the same rows if they share the list of objects: lists are not changed, and comparing them takes time.
func TestEqualRows(t *testing.T) {
	list := []int32{2, 0}
	base := Setup{Sem: semantic.DefaultWindow(), Top: 1, Span: 1, Objects: list}
	for name, c := range map[string]struct {
		change func(s *Setup)
		want   bool
	}{
		"same": {func(*Setup) {}, true}, "time": {func(s *Setup) { s.Begin = 7 }, true},
		"level": {func(s *Setup) { s.Sem.Level = prv.LevelCPU }, false}, "top": {func(s *Setup) { s.Top = 2 }, false},
		"span": {func(s *Setup) { s.Span = 2 }, false}, "all": {func(s *Setup) { s.Objects = nil }, false},
		"fewer":   {func(s *Setup) { s.Objects = list[:1] }, false},
		"another": {func(s *Setup) { s.Objects = slices.Clone(list) }, false},
	} {
		s := base
		c.change(&s)
		if s.equalRows(&base) != c.want || base.equalRows(&s) != c.want {
			t.Errorf("%s: want %v", name, c.want)
		}
	}
	if a, b := (Setup{}), (Setup{}); !a.equalRows(&b) {
		t.Error("all rows are not all rows")
	}
}

// The row of an object, from the rows of all objects; without these it is the object itself.
func TestPlace(t *testing.T) {
	for _, c := range []struct {
		rows   []int32
		object int
		want   int32
	}{{nil, 3, 3}, {nil, -1, -1}, {[]int32{1, -1}, 0, 1}, {[]int32{1, -1}, 1, -1}, {[]int32{1, -1}, 2, -1}} {
		if got := Place(c.rows, c.object); got != c.want {
			t.Errorf("object %d of %v is in row %d, want %d", c.object, c.rows, got, c.want)
		}
	}
}

// Rows that share a line are measured once the view is still, and once per view.
func TestWhenRowsAreMeasured(t *testing.T) {
	w, look := complete(t, nil), raster.DefaultLook
	nothing := func(why string) {
		t.Helper()
		if later, now := w.Standouts(look, 1); later != nil || now != nil {
			t.Errorf("%s: rows are measured", why)
		}
	}
	if later, now := w.Standouts(look, 4); later != nil || now != nil {
		t.Error("every row has a line, but rows are measured")
	}
	later, now := w.Standouts(look, 1)
	if later == nil || now != nil {
		t.Fatal("not asked to wait")
	}
	nothing("waiting")
	w.Begin += 10 // while it waits
	later()
	if later, _ = w.Standouts(look, 1); later == nil {
		t.Fatal("a view that has moved is taken for still")
	}
	later()
	if later, now = w.Standouts(look, 1); later != nil || now == nil {
		t.Fatal("a still view is not measured")
	}
	nothing("measuring")
	now()()
	nothing("measured")
	w.Values.Known--
	nothing("a row is missing")
	w.Values.Wanted, w.Values.Known = 0, 0
	nothing("no rows")
}

// Whole numbers up to 1e15 have no exponent, as in event types.
func TestNumbers(t *testing.T) {
	for want, list := range map[string][]float64{"": nil, "1": {1}, "1,3": {1, 3}, "50000001": {50_000_001},
		"999999999999999,1e+15": {1e15 - 1, 1e15}, "-7,0.5,1e-07": {-7, 0.5, 1e-7}} {
		if got := Numbers(list); got != want {
			t.Errorf("%v: %q, want %q", list, got, want)
		}
	}
}

// Times in units of a trace: a microsecond is 1000 ns, rounded down; times beyond 292 years are the greatest.
func TestTimesOfTraces(t *testing.T) {
	inUnit := func(id int, unit prv.Unit) *Trace {
		tr := fourThreads(t)
		tr.Unit = unit
		return NewTrace(id, tr)
	}
	ns, us := inUnit(1, prv.Nanoseconds), inUnit(2, prv.Microseconds)
	const most = math.MaxInt64
	for _, c := range []struct {
		from, to   *Trace
		time, want int64
	}{{ns, ns, 1999, 1999}, {us, us, most, most}, {ns, us, 1999, 1}, {us, ns, 2, 2000},
		{us, ns, most / 1000, most / 1000 * 1000}, {us, ns, most/1000 + 1, most}} {
		if got := c.from.Convert(c.time, c.to); got != c.want {
			t.Errorf("%d of trace %d is %d in %d, want %d", c.time, c.from.ID, got, c.to.ID, c.want)
		}
	}
	us.Types = []ready.TypeCount{{Type: 7}, {Type: 5}, {Type: 6}}
	if found, ok := us.Has(5, 7, 9); !ok || !slices.Equal(found, []uint32{5, 7}) {
		t.Errorf("it has %v", found)
	}
	if found, ok := ns.Has(5); ok || found != nil {
		t.Errorf("types that are not counted: %v", found)
	}
}
