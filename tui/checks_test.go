package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/semantic"
	"pview/semantic/nearby"
	"pview/tui/screen"
)

// The checks A35 to A45 of the specification, by pressing keys.

// at returns the cursor of the window in focus.
func (d *driver) at() int64 { return d.m.Focused().Cursor }

// goTo types a place into the go-to prompt.
func (d *driver) goTo(where string) {
	d.t.Helper()
	d.leavePrompt()
	d.press("g")
	d.typed(where)
	d.press("enter")
}

func TestA35WhatWhere(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.goTo("40")
	d.press("enter")
	d.sees("Waiting a message (3)", "30 .. 50 us", "20 us",
		"recv", "from 1.2.1", "1,000 bytes", "tag 5", "logical 45 us → 30 us", "physical 50 us → 50 us")
	d.press("esc")
	d.goTo("60")
	d.press("enter")
	d.sees("Block: 3", "to 1.2.1", "3,000 bytes", "tag 6", "logical 60 us → 70 us", "physical 62 us → 80 us")
}

func TestWhatWhereForms(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.goTo("60")
	d.press("enter", "r")
	d.sees("2:1:1:1:1:60:40:3", "3:1:1:1:1:60:62:2:1:2:1:70:80:3000:6", "1:1:1:1:1:50:90:1")
	d.press("r", "n")
	d.sees("40:3", "to 1.2.1")
	d.press("x")
	d.sees("0x28:0x3", "tag 0x6")
	d.press("x", "n", "v")
	d.misses("Block: 3")
	d.sees("no events")
}

func TestWhatWhereRespectsTheFilter(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.command("filter type=500 tag=5")
	d.goTo("60")
	d.press("enter")
	d.misses("Block: 3", "tag 6")
	d.press("f")
	d.sees("Block: 3", "tag 6", "unfiltered")
}

func TestPartnerOfAMessage(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.goTo("40")
	// The pane's list begins with the state at 30; the message received then is next to it.
	d.press("enter")
	for i, r := range d.what().Records() {
		if r.Kind == nearby.Receive {
			d.what().Choose(i)
		}
	}
	d.press("enter")
	if w := d.m.Focused(); w.CursorRow != 1 || w.Cursor != 45 {
		t.Errorf("the partner of the receive at 30 is the send of thread 1.2.1 at 45; the cursor is at row %d, %d",
			w.CursorRow, w.Cursor)
	}
	d.press("enter")
	if w := d.m.Focused(); w.CursorRow != 0 || w.Cursor != 30 {
		t.Errorf("and back: row 0, 30; the cursor is at row %d, %d", w.CursorRow, w.Cursor)
	}
}

func TestA36GoTo(t *testing.T) {
	for _, c := range []struct {
		from  string
		where string
		want  int64
		row   int
	}{
		{"0", "type=40 value=3", 60, 0},
		{"0", "40:3", 60, 0},
		{"0", "value=9", 55, 1},
		{"0", "size=1000", 45, 1},
		{"0", "size=3000", 60, 0},
		{"0", "tag=6", 60, 0},
		{"45", "+15", 60, 0},
		{"45", "+15us", 60, 0},
		{"60", "-15", 45, 0},
		{"0", "50%", 50, 0},
		{"0", "0.02ms", 20, 0},
		{"0", "state=7", 45, 1},
	} {
		d := onTrace(t, 80, 24, traceA)
		d.goTo(c.from)
		d.goTo(c.where)
		if w := d.m.Focused(); w.Cursor != c.want || w.CursorRow != c.row {
			t.Errorf("from %s to %q: row %d, %d; want row %d, %d", c.from, c.where, w.CursorRow, w.Cursor, c.row,
				c.want)
		}
	}
	d := onTrace(t, 80, 24, traceA)
	d.goTo("80")
	d.command("previous type=40")
	if d.at() != 60 {
		t.Errorf("the event of type 40 before 80 is at 60, not %d", d.at())
	}
	d.press("n", "n")
	if d.at() != 90 {
		t.Errorf("the second next from there is at 90, not %d", d.at())
	}
	d.press("n")
	d.sees("no type=40 after the cursor")
	d.press("alt+n", "alt+n")
	if d.at() != 60 {
		t.Errorf("back twice is at 60, not %d", d.at())
	}
}

// A21: records that the filter rejects are not found.
func TestSearchRespectsFilterAndRows(t *testing.T) {
	d := onTrace(t, 80, 24, traceA)
	d.command("filter size>2000")
	d.goTo("tag=5")
	d.sees("no tag=5 after the cursor")
	d.goTo("tag=6")
	if d.at() != 60 {
		t.Errorf("tag 6 is at 60, not %d", d.at())
	}
	d = onTrace(t, 80, 24, traceA)
	d.command("rows 1")
	d.goTo("value=9")
	d.sees("no value=9 after the cursor")
}

func TestA37CommunicationLines(t *testing.T) {
	d := onTrace(t, 103, 24, traceA)
	d.command("filter tag=6")
	lines := func() dots {
		d.t.Helper()
		return d.lines()
	}
	d.command("lines both")
	both := lines()
	d.command("lines logical")
	logical := lines()
	d.command("lines physical")
	physical := lines()
	d.command("lines off")
	if n := len(lines()); n != 0 {
		t.Errorf("without lines there are %d cells with dots", n)
	}
	plot := d.m.screen().layout().windows[0].plot
	fine := d.m.Focused().Axis(plot.W).Fine(2) // dots
	for name, c := range map[string]struct {
		got        dots
		send, recv int64
	}{"logical": {logical, 60, 70}, "physical": {physical, 62, 80}} {
		first, last := c.got.extent()
		if first != fine.Column(c.send)/2 || last != fine.Column(c.recv)/2 {
			t.Errorf("the %s line of tag 6 runs over columns %d to %d, want %d to %d", name, first, last,
				fine.Column(c.send)/2, fine.Column(c.recv)/2)
		}
	}
	if len(logical) == 0 || len(physical) == 0 || len(both) <= len(logical) || len(both) <= len(physical) {
		t.Errorf("cells with dots: both %d, logical %d, physical %d", len(both), len(logical), len(physical))
	}
}

// dots returns the cells of a picture that lines cross.
type dots map[[2]int]bool

func (d *driver) lines() dots {
	d.m.View()
	r := dots{}
	c := d.m.Windows[0].Paint.Picture
	for y := range c.H {
		for x, cell := range c.Line(y) {
			if cell.Rune >= 0x2800 && cell.Rune < 0x2900 {
				r[[2]int{x, y}] = true
			}
		}
	}
	return r
}

func (r dots) extent() (first, last int) {
	first = 1 << 30
	for p := range r {
		first, last = min(first, p[0]), max(last, p[0])
	}
	return first, last
}

func TestA38Timing(t *testing.T) {
	d := onTrace(t, 100, 40, traceA)
	d.goTo("30")
	d.press("m")
	d.press("ctrl+t", "S") // a second window, with its own time
	d.command("view 60 100")
	d.goTo("80")
	d.press("M")
	d.sees("A 30 us", "B 80 us", "Δ 50 us")
}

func TestA39UndoCloneAndPaging(t *testing.T) {
	d := onTrace(t, 100, 40, traceA)
	before := d.picture(0)
	d.command("view 20 60")
	if d.picture(0) == before {
		t.Fatal("zooming changes nothing")
	}
	if w := d.m.Focused(); w.Begin != 20 || w.End != 60 {
		t.Errorf("the view is %d..%d", w.Begin, w.End)
	}
	d.press("u")
	if d.picture(0) != before {
		t.Error("after undo the picture is not what it was")
	}
	d.press("ctrl+r", "u")
	if d.picture(0) != before {
		t.Error("after redo and undo the picture is not what it was")
	}
	d.press("ctrl+t")
	if d.m.View(); d.picture(1) == "" {
		t.Fatal("there is no clone")
	}
	// With two windows, both have the same room.
	a, b := d.m.Windows[0], d.m.Windows[1]
	a.Repaint(d.m.look, 80, 10)
	b.Repaint(d.m.look, 80, 10)
	if x, y := string(screen.Append(nil, a.Paint.Picture, d.m.profile)),
		string(screen.Append(nil, b.Paint.Picture, d.m.profile)); x != y {
		t.Error("the clone looks different")
	}
}

func TestA39AnimationThereAndBack(t *testing.T) {
	d := onTrace(t, 100, 24, traceA)
	d.command("view 0 10")
	before := d.picture(0)
	d.press(">")
	for i := 0; d.m.animation.Running() && i < 10000; i++ {
		d.fire()
	}
	if w := d.m.Focused(); w.End != 100 {
		t.Fatalf("the animation ended at %d", w.End)
	}
	d.sees("end of the run")
	d.press("<", "<", "<")
	for i := 0; d.m.animation.Running() && i < 10000; i++ {
		d.fire()
	}
	if w := d.m.Focused(); w.Begin != 0 {
		t.Fatalf("the animation back ended at %d", w.Begin)
	}
	if d.picture(0) != before {
		t.Error("after the way to the end and back the picture is not what it was")
	}
	d.press("u")
	if w := d.m.Focused(); w.Begin != 0 || w.End != 10 {
		t.Errorf("undo of an animation leads to %d..%d", w.Begin, w.End)
	}
}

func TestAnimationStops(t *testing.T) {
	d := onTrace(t, 100, 24, traceA)
	d.command("view 0 10")
	d.press(">")
	d.fire()
	d.press("esc")
	begin := d.m.Focused().Begin
	d.fire()
	d.fire()
	if d.m.Focused().Begin != begin {
		t.Error("Esc does not stop the animation")
	}
}

func TestA40SynchronisedWindows(t *testing.T) {
	long := strings.Replace(traceA, ":100:", ":200:", 1)
	a, b := traceOf(t, traceA), traceOf(t, long)
	traces := map[string]*prv.Trace{"a.prv": a, "b.prv": b}
	d := drive(t, 100, 40, Options{Paths: []string{"a.prv", "b.prv"},
		Open: func(_ context.Context, path string, _ prv.Watcher) (*prv.Trace, error) { return traces[path], nil }})
	if n := len(d.m.Windows); n != 2 {
		t.Fatalf("%d windows", n)
	}
	same := func(what string) {
		t.Helper()
		v, w := d.m.Windows[0], d.m.Windows[1]
		if v.Begin != w.Begin || v.End != w.End {
			t.Errorf("%s: %d..%d and %d..%d", what, v.Begin, v.End, w.Begin, w.End)
		}
	}
	same("at the start")
	d.command("view 20 60")
	same("after zooming in the second")
	d.press("tab", "+")
	same("after zooming in the first")
	d.press("right", "right")
	same("after panning")
	d.press("0")
	if w := d.m.Focused(); w.End != 200 {
		t.Errorf("all of the longer trace: the view ends at %d", w.End)
	}
	same("all")
	d.command("view 150 180") // past the end of the first trace
	same("past the end of one")
	d.press("u", "u")
	same("after undo")
	d.press("S", "+")
	if v, w := d.m.Windows[0], d.m.Windows[1]; v.Begin == w.Begin && v.End == w.End {
		t.Error("a window with its own time still follows")
	}
}

// Synchronised windows are undone together, from any of them.
func TestUndoInSynchronisedWindows(t *testing.T) {
	d := onTrace(t, 100, 40, traceA)
	d.press("ctrl+t")
	d.command("view 20 60")
	d.press("tab", "u")
	for i, w := range d.m.Windows {
		if w.Begin != 0 || w.End != 100 {
			t.Errorf("window %d shows %d..%d after undo in the other", i+1, w.Begin, w.End)
		}
	}
	d.press("tab", "ctrl+r")
	for i, w := range d.m.Windows {
		if w.Begin != 20 || w.End != 60 {
			t.Errorf("window %d shows %d..%d after redo in the other", i+1, w.Begin, w.End)
		}
	}
}

func TestA41Session(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.prv")
	if err := os.WriteFile(path, []byte(traceA), 0o644); err != nil {
		t.Fatal(err)
	}
	d := drive(t, 120, 50, Options{Paths: []string{path}})
	d.press("ctrl+t")
	d.command("event 40")
	d.command("filter type=40 value>0")
	d.press("W", "d", "down", "enter", "ctrl+t")
	d.command("function In State 1,3")
	d.command("level ptask")
	d.command("scale 0 4")
	d.press("G", "S")
	d.command("view 10 70")
	d.press("tab")
	d.command("rename the first")
	d.command("lines both")
	d.command("rows 2")
	file := filepath.Join(dir, "s.session.json")
	d.command("save-session " + file)
	d.sees("session saved")

	e := drive(t, 120, 50, Options{Session: file})
	if len(e.m.Windows) != 3 {
		t.Fatalf("%d windows come back", len(e.m.Windows))
	}
	for i := range 3 {
		if e.picture(i) != d.picture(i) {
			t.Errorf("window %d comes back as\n%s\nand was\n%s", i+1, e.m.Windows[i].Paint.Picture.Plain(),
				d.m.Windows[i].Paint.Picture.Plain())
		}
		if a, b := d.m.Windows[i], e.m.Windows[i]; !a.Setup.Equal(&b.Setup) || a.Name != b.Name || a.Group != b.Group {
			t.Errorf("window %d comes back as %+v, and was %+v", i+1, b.Setup, a.Setup)
		}
	}
	d.m.PaneFocus = false // the focus among panes is not part of a session
	if d.m.scene.Messages.Text = ""; d.styled() != e.styled() {
		t.Errorf("the screen comes back as\n%s\nand was\n%s", strings.Join(e.screen(), "\n"),
			strings.Join(d.screen(), "\n"))
	}
}

func TestSessionThatIsNone(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.session.json")
	for text, want := range map[string]string{
		"hello": "not a pview session",
		"{}":    "not a pview session",
		`{"format":"pview session","version":99}`: "newer pview",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		d := onTrace(t, 120, 24, traceA)
		d.command("load-session " + path)
		d.sees(want, " 1.1.1")
		e := drive(t, 80, 24, Options{Session: path})
		if e.m.loader.fatal == nil || !strings.Contains(e.m.loader.fatal.Error(), want) {
			t.Errorf("%q at the start: %v", text, e.m.loader.fatal)
		}
	}
}

// A42: the value at a row and a time does not depend on the view.
func TestA42ValueIndependentOfTheView(t *testing.T) {
	for _, f := range []string{"State As Is", "Last Evt Val", "Next Evt Val", "Last Evt Type"} {
		if _, ok := semantic.Lookup(semantic.ThreadFunctions, f); !ok {
			continue
		}
		d := onTrace(t, 100, 24, traceA)
		d.command("function " + f)
		for _, at := range []int64{0, 15, 30, 49, 55, 60, 75, 99} {
			d.press("0")
			d.goTo(fmt.Sprint(at))
			_, _, whole, ok := d.m.Focused().Burst(0, at)
			d.command(fmt.Sprintf("view %d %d", max(at-1, 0), at+2))
			d.resize(70, 20)
			_, _, part, ok2 := d.m.Focused().Burst(0, at)
			if whole != part || !ok || !ok2 {
				t.Errorf("%s at %d: %v in the whole, %v zoomed in", f, at, whole, part)
			}
			d.resize(100, 24)
		}
	}
}

// A43: a short burst of a high value is visible under Maximum, but not under Mode.
func TestA43DrawModes(t *testing.T) {
	d := onTrace(t, 98, 24, "#Paraver (01/01/03 at 00:00):1000000:1:1:1(1:1)\n"+
		"1:1:1:1:1:0:500000:1\n1:1:1:1:1:500000:500001:7\n1:1:1:1:1:500001:1000000:1\n")
	legend := func() string { return d.screen()[d.m.screen().layout().legend.Y] }
	for mode, want := range map[string]bool{"Automatic": false, "Maximum": true, "Mode": false, "Proportional": false} {
		d.command("draw-mode " + mode)
		if strings.Contains(legend(), "Scheduling") != want {
			t.Errorf("%s: that the burst of state 7 is seen should be %v: %q", mode, want, legend())
		}
	}
}

func TestA45CancelledLoading(t *testing.T) {
	started := make(chan struct{})
	open := func(ctx context.Context, path string, w prv.Watcher) (*prv.Trace, error) {
		if path == "good.prv" {
			return traceOf(t, traceA), nil
		}
		w.Progress(40, 100)
		close(started)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	m := New(Options{Paths: []string{"slow.prv"}, Open: open})
	defer m.shut()
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	d := &driver{t: t, m: m}
	results := make(chan tea.Msg, 10)
	var start func(cmd tea.Cmd)
	start = func(cmd tea.Cmd) {
		if cmd == nil {
			return
		}
		go func() {
			switch msg := cmd().(type) {
			case tea.BatchMsg:
				for _, c := range msg {
					start(c)
				}
			case loadedMsg:
				results <- msg
			}
		}()
	}
	start(m.Init())
	<-started
	d.sees("slow.prv", "40 B of 100 B", "40 %", "Esc cancels")
	m.Update(keyPress(t, "esc"))
	d.sees("No trace is open", "was cancelled", "open a trace")
	_, cmd := m.Update(<-results) // the reader's error comes late, and is dropped
	if cmd != nil {
		if msg := cmd(); msg != nil {
			if _, ok := msg.(tea.BatchMsg); !ok {
				t.Errorf("a cancelled load leads to %T", msg)
			}
		}
	}
	d.sees("No trace is open")
	d.m.after = driveNoTimers
	d.command("open good.prv")
	d.sees(" 1.1.1 ", "Running")
}

func TestTraceThatCannotBeRead(t *testing.T) {
	wrong := errors.New("x.prv:1: not a Paraver trace")
	open := func(_ context.Context, path string, _ prv.Watcher) (*prv.Trace, error) {
		if path == "x.prv" {
			return nil, wrong
		}
		return traceOf(t, traceA), nil
	}
	d := drive(t, 80, 24, Options{Paths: []string{"x.prv"}, Open: open})
	if !d.quit || d.m.loader.fatal == nil || d.m.loader.fatal.Error() != wrong.Error() {
		t.Errorf("the only trace cannot be read: quit %v, error %v", d.quit, d.m.loader.fatal)
	}
	d = drive(t, 80, 24, Options{Paths: []string{"x.prv", "a.prv"}, Open: open})
	if d.quit {
		t.Error("one of two traces could be read, and the program ends")
	}
	d.sees("not a Paraver trace", " 1.1.1 ")
}
