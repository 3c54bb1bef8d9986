package timeline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/filter"
	"pview/prv"
	"pview/render/raster"
	"pview/semantic"
	"pview/semantic/cfg"
	"pview/semantic/ready"
	"pview/semantic/series"
)

// Setups are equal if they differ in nothing; two show the same if they differ only in their time.
func TestEqualSetups(t *testing.T) {
	of := func(change func(s *Setup)) *Setup {
		s := &Setup{Sem: semantic.ThreadWindow("Useful"), Begin: 10, End: 90, Top: 1, Span: 2,
			Objects: []int32{2, 0, 1}, Drawing: Drawing{Comms: CommsLogical}}
		change(s)
		return s
	}
	base := of(func(*Setup) {})
	for _, c := range []struct {
		what        string
		change      func(s *Setup)
		equal, same bool
	}{
		{"nothing", func(*Setup) {}, true, true},
		{"begin", func(s *Setup) { s.Begin = 11 }, false, true},
		{"end", func(s *Setup) { s.End = 91 }, false, true},
		{"top", func(s *Setup) { s.Top = 0 }, false, false},
		{"span", func(s *Setup) { s.Span = 1 }, false, false},
		{"objects", func(s *Setup) { s.Objects = []int32{0, 2, 1} }, false, false},
		{"all objects", func(s *Setup) { s.Objects = nil }, false, false},
		{"drawing", func(s *Setup) { s.Drawing.Flags = true }, false, false},
		{"function", func(s *Setup) { s.Sem = semantic.ThreadWindow("State As Is") }, false, false},
	} {
		s := of(c.change)
		if s.Equal(base) != c.equal || base.Equal(s) != c.equal {
			t.Errorf("%s: equal %v, want %v", c.what, s.Equal(base), c.equal)
		}
		if ShowsSame(s, base) != c.same || ShowsSame(base, s) != c.same {
			t.Errorf("%s: shows the same %v, want %v", c.what, ShowsSame(s, base), c.same)
		}
	}
	none, all := of(func(s *Setup) { s.Objects = []int32{} }), of(func(s *Setup) { s.Objects = nil })
	if none.Equal(all) || all.Equal(none) {
		t.Error("no objects are all objects")
	}
}

func TestPairs(t *testing.T) {
	for _, c := range []struct {
		pair     Pair
		from, to int
		want     bool
	}{{Pair{}, 3, 7, true}, {Pair{4, 8}, 3, 7, true}, {Pair{4, 8}, 7, 3, false}, {Pair{4, 8}, 3, 6, false},
		{Pair{4, 8}, 4, 7, false}} {
		if got := c.pair.has(c.from, c.to); got != c.want {
			t.Errorf("a message from %d to %d is of %v: %v", c.from, c.to, c.pair, got)
		}
	}
	for c, want := range map[CommLines]string{CommsOff: "off", CommsLogical: "logical", CommsPhysical: "physical",
		commsBoth: "both"} {
		if c.String() != want || c.logical() != (want == "logical" || want == "both") ||
			c.physical() != (want == "physical" || want == "both") {
			t.Errorf("%s: logical %v, physical %v", c, c.logical(), c.physical())
		}
	}
}

// A zoom keeps its point where it is on the screen, shows at least two units, grows by at least one, and never shows
// more than the run.
func TestZoom(t *testing.T) {
	for _, c := range []struct {
		begin, end int64
		factor     float64
		at         int64
		want       string
	}{
		{100, 300, 2, 100, "100..500"}, {100, 300, 2, 200, "0..400"}, {100, 300, 2, 300, "0..400"},
		{800, 1000, 2, 1000, "600..1000"}, {0, 1000, 2, 500, "0..1000"},
		{100, 104, 0.1, 102, "101..103"}, // at least 2
		{100, 102, 1.1, 100, "100..103"}, // at least one more
		{500, 510, 1.5, 505, "497..512"}, // 15 long; half of it, 7.5, is rounded to 8
	} {
		s := Setup{Begin: c.begin, End: c.end}
		s.Zoom(c.factor, c.at, 1000)
		if got := fmt.Sprintf("%d..%d", s.Begin, s.End); got != c.want {
			t.Errorf("%d..%d zoomed by %g at %d: %s, want %s", c.begin, c.end, c.factor, c.at, got, c.want)
		}
	}
}

// Time and rows are clamped to those that exist; of a run of one unit all is shown.
func TestClamp(t *testing.T) {
	tr := fourThreads(t)
	for _, c := range []struct {
		s     Setup
		whole int64
		want  string
	}{
		{Setup{Begin: 10, End: 10}, 1000, "10..12, rows 0+4"},
		{Setup{Begin: 999, End: 1001}, 1000, "998..1000, rows 0+4"},
		{Setup{Begin: -5, End: 5}, 1, "0..1, rows 0+4"},
		{Setup{Begin: 0, End: 9, Top: 1}, 1000, "0..9, rows 0+4"},
		{Setup{Begin: 0, End: 9, Top: -1, Span: 3}, 1000, "0..9, rows 0+3"},
		{Setup{Begin: 0, End: 9, Top: 1, Span: 3}, 1000, "0..9, rows 1+3"},
		{Setup{Begin: 0, End: 9, Top: 2, Span: 3}, 1000, "0..9, rows 1+3"},
		{Setup{Begin: 0, End: 9, Top: 2, Span: -3}, 1000, "0..9, rows 0+4"},
		{Setup{Begin: 0, End: 9, Top: 2, Span: 5}, 1000, "0..9, rows 0+4"},
		{Setup{Begin: 0, End: 9, Top: 1, Span: 1, Objects: []int32{3, 2}}, 1000, "0..9, rows 1+1"},
		{Setup{Begin: 0, End: 9, Top: 1, Span: 2, Objects: []int32{3, 2}}, 1000, "0..9, rows 0+2"},
	} {
		s := c.s
		s.Sem = semantic.DefaultWindow()
		s.Clamp(tr, c.whole)
		if got := fmt.Sprintf("%d..%d, rows %d+%d", s.Begin, s.End, s.Top, s.RowsInView(tr)); got != c.want {
			t.Errorf("%+v: %s, want %s", c.s, got, c.want)
		}
	}
	s := Setup{Sem: semantic.DefaultWindow(), Objects: []int32{3, 1}}
	for object, want := range map[int]int{3: 0, 1: 1, 0: -1, -1: -1, 4: -1} {
		if got := s.RowOf(tr, object); got != want {
			t.Errorf("object %d of two is in row %d, want %d", object, got, want)
		}
	}
	s.Objects = nil
	for object, want := range map[int]int{0: 0, 3: 3, 4: -1, -1: -1} {
		if got := s.RowOf(tr, object); got != want {
			t.Errorf("object %d is in row %d, want %d", object, got, want)
		}
	}
}

// The cursor stays within the run and on a row in view; its time may be out of view, where zooming then keeps the
// middle.
func TestCursor(t *testing.T) {
	w := complete(t, nil)
	w.Begin, w.End, w.Top, w.Span = 100, 300, 1, 2
	for _, c := range []struct {
		time    int64
		row     int
		want    string
		anchor  int64
		visible bool
	}{
		{100, 1, "100 in row 1", 100, true}, {299, 2, "299 in row 2", 299, true}, {99, 0, "99 in row 1", 200, false},
		{300, 3, "300 in row 2", 200, false}, {-1, -1, "0 in row 1", 200, false}, {1000, 9, "999 in row 2", 200, false},
	} {
		w.Cursor, w.CursorRow = c.time, c.row
		w.ClampCursor(1000)
		if got := fmt.Sprintf("%d in row %d", w.Cursor, w.CursorRow); got != c.want {
			t.Errorf("%d in row %d becomes %s, want %s", c.time, c.row, got, c.want)
		}
		if w.Anchor() != c.anchor || w.CursorInView() != c.visible {
			t.Errorf("at %d: anchor %d, in view %v", w.Cursor, w.Anchor(), w.CursorInView())
		}
	}
	w.Objects = []int32{}
	if w.ClampCursor(0); w.Cursor != 0 || w.CursorRow != 0 {
		t.Errorf("without rows the cursor is at %d in row %d", w.Cursor, w.CursorRow)
	}
}

// The values of thread 1.2.1, which computes up to 300; a row without values has no bursts.
func TestBurst(t *testing.T) {
	w := complete(t, nil)
	for at, want := range map[int64]string{0: "0..300: 1", 299: "0..300: 1", 300: "300..1000: 3", 999: "300..1000: 3"} {
		begin, end, v, ok := w.Burst(2, at)
		if got := fmt.Sprintf("%d..%d: %g", begin, end, v); got != want || !ok {
			t.Errorf("at %d: %s, %v, want %s", at, got, ok, want)
		}
	}
	if _, _, _, ok := w.Burst(4, 0); ok {
		t.Error("a row that does not exist has a burst")
	}
}

// A view is named by its user, else by its function and the parameters.
func TestTitles(t *testing.T) {
	for _, c := range []struct {
		change func(w *View)
		want   string
	}{
		{func(w *View) {}, "State As Is"},
		{func(w *View) { w.Sem = semantic.ThreadWindow("Useful") }, "Useful"},
		{func(w *View) { w.Name = "mine" }, "mine"},
		{func(w *View) { w.Sem.Name = "of a file" }, "of a file"},
		{func(w *View) { w.Sem = semantic.ThreadWindow("In State", []float64{1, 3}) }, "In State {1,3}"},
		{func(w *View) { LastValue("", []uint32{7})(&w.Sem) }, "Last Evt Val: Step"},
		{func(w *View) { LastValue("", []uint32{7, 8, 9})(&w.Sem) }, "Last Evt Val: Step and 2 more"},
		{func(w *View) { LastValue("Steps", []uint32{7, 8, 9})(&w.Sem) }, "Steps"},
		{func(w *View) {
			w.Sem = semantic.ThreadWindow("Given Evt Val", []float64{2})
			w.Sem.Filter = filter.Only(9, 7)
		}, "type 9: Solve"}, // named in the second
		{func(w *View) {
			w.Sem = semantic.ThreadWindow("Given Evt Val", []float64{5})
			w.Sem.Filter = filter.Only(7)
		}, "Step: 5"},
		{func(w *View) {
			w.Sem = semantic.ThreadWindow("Given Evt Val", []float64{2, 3})
			w.Sem.Filter = filter.Only(7)
		}, "Given Evt Val {2,3}: Step"},
	} {
		w := NewView(1, NewTrace(1, fourThreads(t)))
		w.Trace.Data.Labels.AddType(7, "Step", prv.ValueLabel{Value: 2, Label: "Solve"})
		c.change(w)
		if w.Sem.Name == w.Sem.Functions[prv.LevelThread].Name {
			w.Sem.Name = "" // as the views menu does
		}
		if got := w.Title(); got != c.want || w.Named().Name != c.want {
			t.Errorf("%q and %q, want %q", got, w.Named().Name, c.want)
		}
	}
}

// A view that is saved as a .cfg and opened again is drawn as it was.
func TestDrawingsInCfgs(t *testing.T) {
	given := Given{Time: true, Rows: true}
	modes := raster.Modes{Time: series.Average, Rows: series.Maximum}
	for _, d := range []Drawing{
		{},
		{Color: raster.Gradient, Gradient: 2},
		{Color: raster.NotNullGradient, Fixed: true, Scale: raster.Scale{Min: -1, Max: 3}},
		{Color: raster.AlternativeGradient},
		{Graph: true},
		{Graph: true, Fixed: true, Scale: raster.Scale{Min: 0, Max: 8}},
		{Flags: true},
		{Comms: commsBoth},
	} {
		d.Modes, d.Given = modes, given
		w := NewView(1, NewTrace(1, fourThreads(t)))
		w.Drawing = d
		w.Sem.Filter.Comms.Physical = d.Comms.physical() // a .cfg has lines of the messages that pass
		got, notes := drawingOf(&cfg.BoundWindow{Window: CfgOf(w)})
		if got != d || len(notes) > 0 {
			t.Errorf("%+v becomes %+v, %v", d, got, notes)
		}
	}
}

// The drawing of a file's windows, and the differences.
func TestDrawingOfCfg(t *testing.T) {
	for _, c := range []struct {
		view cfg.View
		want Drawing
		note string
	}{
		{cfg.View{Color: cfg.CodeColor}, Drawing{}, ""},
		{cfg.View{Color: cfg.GradientColor, AutoScale: true, Maximum: 5}, Drawing{Color: raster.Gradient}, ""},
		{cfg.View{Color: cfg.NullGradientColor, Minimum: 1, Maximum: 5},
			Drawing{Color: raster.NotNullGradient, Fixed: true, Scale: raster.Scale{Min: 1, Max: 5}}, ""},
		{cfg.View{Color: cfg.AlternativeGradient, Minimum: 1, Maximum: 5, MinAtZero: true},
			Drawing{Color: raster.AlternativeGradient, Fixed: true, Scale: raster.Scale{Min: 0, Max: 5}}, ""},
		{cfg.View{Color: cfg.GradientColor, Minimum: 5, Maximum: 5}, Drawing{Color: raster.Gradient}, ""},
		{cfg.View{Color: cfg.CodeColor, Minimum: 1, Maximum: 5}, Drawing{}, ""}, // codes have no scale
		{cfg.View{Color: cfg.FunctionLine, Minimum: 1, Maximum: 5},
			Drawing{Graph: true, Fixed: true, Scale: raster.Scale{Min: 1, Max: 5}}, ""},
		{cfg.View{Color: cfg.FusedLines, AutoScale: true}, Drawing{Graph: true},
			"w: fused lines are drawn as one function line per row"},
		{cfg.View{Color: cfg.Punctual}, Drawing{}, "w: points are drawn as colours"},
		{cfg.View{Color: cfg.GradientColor, AutoScale: true, Gradient: cfg.LinearGradient},
			Drawing{Color: raster.Gradient}, ""},
		{cfg.View{Color: cfg.GradientColor, AutoScale: true, Gradient: cfg.LinearGradient + 2},
			Drawing{Color: raster.Gradient, Gradient: 2}, ""},
		{cfg.View{Color: cfg.CodeColor, Flags: true}, Drawing{Flags: true}, ""},
		{cfg.View{Color: cfg.CodeColor, CommLines: true}, Drawing{Comms: commsBoth}, ""},
	} {
		win := cfg.NewWindow(semantic.DefaultWindow())
		win.Name, win.View = "w", c.view
		win.View.DrawMode, win.View.DrawModeRows = series.Average, series.Maximum
		win.Filter.Comms.Logical, win.Filter.Comms.Physical = true, true
		c.want.Modes, c.want.Given = raster.Modes{Time: series.Average, Rows: series.Maximum}, Given{true, true}
		got, notes := drawingOf(&cfg.BoundWindow{Window: win})
		if got != c.want || strings.Trim(fmt.Sprint(notes), "[]") != c.note {
			t.Errorf("%+v: %+v, %v, want %+v, %s", c.view, got, notes, c.want, c.note)
		}
	}
	win := cfg.NewWindow(semantic.DefaultWindow())
	win.View.CommLines = true
	win.Filter.Comms.Logical, win.Filter.Comms.Physical = false, true
	if d, _ := drawingOf(&cfg.BoundWindow{Window: win}); d.Comms != CommsPhysical {
		t.Errorf("lines of physical messages are %s", d.Comms)
	}
}

// Windows of the same content become the parents of a derived window, but not those of other traces, nor itself.
func TestRelinkParents(t *testing.T) {
	a, b := cfg.NewWindow(semantic.ThreadWindow("Useful")), cfg.NewWindow(semantic.ThreadWindow("State As Is"))
	parent := func(name string) semantic.Parent {
		w := semantic.ThreadWindow(name)
		return semantic.Parent{Window: &w}
	}
	inner := semantic.ThreadWindow("Useful")
	inner.Derived = &semantic.Derived{A: parent("Useful"), B: parent("In State")}
	d := &semantic.Derived{A: parent("State As Is"), B: semantic.Parent{Window: &inner}}
	RelinkParents(d, []*cfg.Window{a, b}, nil)
	if d.A.Window != &b.Window || inner.Derived.A.Window != &a.Window || inner.Derived.B.Window == &a.Window {
		t.Errorf("parents %+v and %+v", d, inner.Derived)
	}
	d = &semantic.Derived{A: parent("Useful"), B: parent("State As Is")}
	RelinkParents(d, []*cfg.Window{a, b}, b)
	if d.A.Window != &a.Window || d.B.Window == &b.Window {
		t.Error("a window is its own parent")
	}
	RelinkParents(nil, nil, nil) // a window that is not derived
}

// Parts of a trace: until a time, or some of its tasks.
func TestPartsOfTraces(t *testing.T) {
	tr := NewTrace(1, fourThreads(t))
	for _, c := range []struct {
		part             prv.Part
		text, shown      string
		tasks, provision string // of the two tasks, the unread ones
	}{
		{prv.Part{Until: 500}, "only the first 500 ns are read", "shown until 500 ns", "", ""},
		{prv.Part{Unread: []bool{false, true, true, true}, Provisional: "times"}, "only 1 of 2 tasks are read",
			"1 of 2 tasks", "1", "times"},
		{prv.Part{Unread: []bool{true, true, true, true}}, "only 0 of 2 tasks are read", "0 of 2 tasks", "0 1", ""},
		{prv.Part{Unread: []bool{false, false}}, "only 2 of 2 tasks are read", "2 of 2 tasks", "", ""},
	} {
		tr.SetPart(&c.part)
		var unread []string
		for i := range 2 {
			if tr.Unread(prv.LevelTask, i) {
				unread = append(unread, fmt.Sprint(i))
			}
		}
		if tr.PartText() != c.text || tr.ShownText() != c.shown || strings.Join(unread, " ") != c.tasks ||
			tr.Provisional() != c.provision || tr.HasUnread() != (c.part.Unread != nil) {
			t.Errorf("%+v: %s, %s, tasks %s are not read, %s may change", c.part, tr.PartText(), tr.ShownText(), unread,
				tr.Provisional())
		}
	}
	tr.SetPart(&prv.Part{Unread: []bool{false, true, false, true}})
	w := NewView(1, tr)
	w.Objects = []int32{3, 0, 1}
	var unread []bool
	for row := -1; row <= 3; row++ {
		unread = append(unread, w.UnreadRow(row))
	}
	if !slices.Equal(unread, []bool{false, true, false, true, false}) {
		t.Errorf("rows from -1 to 3: %v", unread)
	}
}

// The views menu: the ready views, the functions without those that have the name of a view, and the types that occur.
func TestChoices(t *testing.T) {
	tr := NewTrace(1, fourThreads(t))
	tr.Data.Labels.AddType(50000001, "MPI Point-to-point")
	tr.Types = []ready.TypeCount{{Type: 50000001, Count: 4}}
	list := tr.AllChoices()
	seen := map[string]int{}
	for _, c := range list {
		seen[strings.ToLower(c.Name)]++
	}
	for _, want := range []string{"useful", "state as is", "last evt val: mpi point-to-point"} {
		if seen[want] != 1 {
			t.Errorf("%q is listed %d times", want, seen[want])
		}
	}
	if last := list[len(list)-1]; last.Also != "50000001" || last.Detail != "50000001  4 events" {
		t.Errorf("%+v", last)
	}
	if _, ok := seen[strings.ToLower(semantic.UserFunction)]; ok {
		t.Error("a function without a meaning is listed")
	}
	// Choices of any level leave a window at the level that its user chose.
	choose := func(w *semantic.Window, name string) {
		t.Helper()
		at := slices.IndexFunc(list, func(c Choice) bool { return c.Name == name })
		if at < 0 {
			t.Fatalf("%s is not listed", name)
		}
		list[at].Set(w)
	}
	w := semantic.DefaultWindow()
	w.Level, w.Unit = prv.LevelNode, semantic.Nanoseconds
	for _, name := range []string{"Useful", "State Record Dur.", "Last Evt Val: MPI Point-to-point"} {
		if choose(&w, name); w.Level != prv.LevelNode || w.Unit != semantic.Nanoseconds {
			t.Errorf("%s is at the level of %s, in %s", name, w.Level, w.Unit)
		}
	}
	if types := ListedTypes(&w.Filter); !slices.Equal(types, []uint32{50000001}) {
		t.Errorf("the last value of types %d", types)
	}
	def := filter.Default()
	if types := ListedTypes(&def); types != nil {
		t.Errorf("all events are of types %d", types)
	}
}

// A ready view is found by its name, else by the beginning of one. The view of parallelism covers the whole run; this
// does not count as the user's choice afterwards.
func TestReadyViews(t *testing.T) {
	tr := NewTrace(1, fourThreads(t))
	views := tr.Facts().Views()
	at := slices.IndexFunc(views, func(v ready.View) bool { return !v.AnyLevel && v.Window.Level == prv.LevelWorkload })
	if at < 0 {
		t.Fatal("no view of the workload")
	}
	name := views[at].Name
	c := tr.ReadyView(name)
	if c == nil || c.Name != name || tr.ReadyView(name[:len(name)-1]) == nil || tr.ReadyView("no such view") != nil {
		t.Fatalf("%s is %+v", name, c)
	}
	w := semantic.DefaultWindow()
	if c.Set(&w); w.Level != prv.LevelWorkload {
		t.Errorf("%s is at the level of %s", name, w.Level)
	}
	if tr.ReadyView("Useful").Set(&w); w.Level != prv.LevelThread {
		t.Errorf("after %s, Useful is at the level of %s", name, w.Level)
	}
	if why := tr.MissingView("MPI call"); why == "" || tr.MissingView("Useful") != "" {
		t.Errorf("a trace without MPI has its view: %q; or not %q", why, tr.MissingView("Useful"))
	}
}
