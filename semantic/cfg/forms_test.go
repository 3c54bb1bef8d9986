package cfg

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pview/filter"
	"pview/prv"
	"pview/semantic"
	"pview/semantic/series"
	"pview/semantic/stat"
)

// oldFiles are spelled as Paraver wrote them long ago, or as people do.
var oldFiles = []string{`version 2.1
number_of_windows 2
begin_description
  Useful, of the
second ptask
end_description
window_name Useful
window_type single
window_level ptask
window_units Seconds
window_begin_time 100
window_end_time 20000
window_object ptask { 2, { 0, 1 } }
window_drawmode 4
window_selected_functions { 4, { {thread, In State}, {ptask, Maximum}, {evt_type, [x,y]}, {tag_msg, !=} } }
window_compose_functions { 3, { {compose1, Sign}, {compose2, Mod}, {thread, 1-Sign} } }
window_semantic_module thread In State { 1, { 2 1 13 } }
window_semantic_module compose2 Mod { 1, { 1 3 } }
window_semantic_module thread Given State { 1, { 1 1 } }
window_filter_module evt_type 2 10 20
window_filter_module tag_msg 1 7
window_color_mode window_in_gradient_mode
window_favourite_food kiwi
window_favourite_food lime
window_name Line
window_type composed
window_factors 2 -0.5
window_shifts 0 -1
window_operation controlled: maximum
window_identifiers 1 1
window_noncolor_mode false
window_object task { 1, 2, { All, None } }
`}

// TestOldFile reads the old spellings.
func TestOldFile(t *testing.T) {
	f, notes, err := Read("old.cfg", strings.NewReader(oldFiles[0]))
	if err != nil {
		t.Fatal(err)
	}
	if f.Version != "2.1" || f.Description != "  Useful, of the\nsecond ptask" || len(f.Windows) != 2 {
		t.Fatalf("%+v", f)
	}
	w := f.Windows[0]
	want := semantic.DefaultWindow()
	want.Name, want.Level, want.Unit = "Useful", prv.LevelPtask, semantic.Seconds
	want.Functions[prv.LevelThread] = semantic.Call{Name: "In State", Params: [][]float64{{1, 13}}}
	want.Functions[prv.LevelPtask] = semantic.Call{Name: "Maximum"}
	want.Compose[prv.LevelThread] = semantic.Call{Name: "1-Sign"}
	want.Top1 = semantic.Call{Name: "Sign"}
	want.Top2 = semantic.Call{Name: "Mod", Params: [][]float64{{3}}}
	want.Filter.Events.Type = filter.Criterion{Func: filter.Range, Values: []float64{10, 20}}
	want.Filter.Comms.Tag = filter.Criterion{Func: filter.NotEqual, Values: []float64{7}}
	if !w.Window.Equal(&want) {
		t.Errorf("got %+v\nwant %+v", w.Window, want)
	}
	v := w.View
	if v.Range != (stat.Range{Begin: 100, End: 20000}) || v.DrawMode != series.RandomNotZero ||
		v.Color != GradientColor {
		t.Errorf("view: %+v", v)
	}
	if len(v.Objects) != 1 || v.Objects[0].On[0] || !v.Objects[0].On[1] {
		t.Errorf("objects: %+v", v.Objects)
	}
	// Parameters of a function that is not selected and unknown keys are kept; the latter are noted once.
	if len(w.Other) != 3 || len(notes) != 2 ||
		notes[0].String() != "old.cfg:23: unknown key window_favourite_food; line preserved" {
		t.Errorf("kept %q, notes %q", w.Other, notes)
	}
	d := f.Windows[1]
	if d.View.Color != FunctionLine || d.Derived == nil || d.Derived.A.Window != &w.Window ||
		d.Derived.B.Window != &w.Window ||
		d.Derived.A.Factor != 2 || d.Derived.B.Factor != -0.5 || d.Derived.B.Shift != -1 ||
		d.Derived.Op.Name != "controlled: maximum" {
		t.Errorf("derived: %+v %+v", d.Window, d.Derived)
	}
	saveAndReopen(t, f)
}

// window returns a file of one window with the lines given.
func window(lines ...string) string {
	return "#ParaverCFG\nwindow_name W\nwindow_type single\n" + strings.Join(lines, "\n") + "\n"
}

// TestErrors: each error names file, line and reason.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "x.cfg: not a Paraver configuration: no #ParaverCFG, and no version and number of windows"},
		{"#ParaverCFG\n", "x.cfg: no windows in it"},
		{"#DIMEMAS_CONFIGURATION\n", "x.cfg:1: a Dimemas configuration, not one of Paraver"},
		{"#ParaverCFG\nConfigFile.BeginDescription\n", "x.cfg:2: the description does not end"},
		{window("window_selected_functions { 1, { {thread, Frobnicate} } }"),
			`x.cfg:4: window_selected_functions: pview does not have the thread function "Frobnicate"`},
		{window("window_selected_functions { 1, { {evt_type, <>} } }"),
			`x.cfg:4: window_selected_functions: pview does not have the filter function "<>"`},
		{window("window_compose_functions { 1, { {topcompose1, Twice} } }"),
			`x.cfg:4: window_compose_functions: pview does not have the compose function "Twice"`},
		{window("window_operation modulo"),
			`x.cfg:4: window_operation: pview does not have the derived operation "modulo"`},
		{window("window_level core"), `x.cfg:4: window_level: unknown level "core"`},
		{window("window_units Fortnights"), `x.cfg:4: window_units: unknown unit "Fortnights"`},
		{window("window_level appl", "window_object appl { 1, { All } }"),
			`x.cfg:5: window_object: "All" is neither 1 nor 0, as objects of the window's own level are`},
		{window("window_object appl { 2, { All } }"), "x.cfg:4: window_object: 2 objects announced but 1 follow"},
		{window("window_object thread { 2, { 1, 1 } }"),
			`x.cfg:4: window_object: "thread { 2, { 1, 1 } }": the level thread has 3 numbers before its list`},
		{window("window_filter_module evt_type 2 1"),
			"x.cfg:4: window_filter_module: 2 numbers announced but 1 follow"},
		{window("window_filter_module colour 1 1"), `x.cfg:4: window_filter_module: unknown filter "colour"`},
		{window(`window_filter_module evt_type_label 1 "a`),
			`x.cfg:4: window_filter_module: label not in quotes: "\"a"`},
		{window("window_compose_functions { 1, { {compose_thread, Mod} } }",
			"window_semantic_module compose_thread Mod { 1, { 0 } }"),
			`x.cfg:5: window_semantic_module: the parameter "Divider" of Mod has no value`},
		{window("window_compose_functions { 1, { {compose_thread, Mod} } }",
			"window_semantic_module compose_thread Mod { 2, { 1 3, 1 4 } }"),
			"x.cfg:5: window_semantic_module: Mod has 1 parameters, not 2"},
		{window("window_type folded"), `x.cfg:4: window_type: "folded" is neither single nor composed`},
		{window("window_type composed"), "x.cfg:2: a composed window without window_identifiers"},
		{window("window_type composed", "window_operation add", "window_identifiers 1 1"),
			"x.cfg:6: window_identifiers: no window 1 before this one"},
		{window("< NEW ANALYZER2D >"), "x.cfg:4: a histogram without Analyzer2D.ControlWindow"},
		{window("<  NEW ANALYZER2D >"), "x.cfg:4: a histogram without Analyzer2D.ControlWindow"},
		{window("< NEW ANALYZER2D >", "Analyzer2D.ControlWindow: 2"), "x.cfg:5: Analyzer2D.ControlWindow: no window 2"},
	} {
		_, _, err := Read("x.cfg", strings.NewReader(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s\n got %v\nwant %s", c.text, err, c.want)
		}
	}
	_, _, err := Read("x.cfg", strings.NewReader(window("window_operation modulo")))
	var unknown *UnknownFunctionError
	if !errors.As(err, &unknown) || unknown.Name != "modulo" {
		t.Errorf("%v does not say which function is missing", err)
	}
}

// TestParentsOfParents: a short file must not ask for 2^100 evaluations.
func TestParentsOfParents(t *testing.T) {
	text := window()
	for i := 1; i <= 100; i++ {
		text += "window_name D\nwindow_type composed\nwindow_operation add\nwindow_identifiers " +
			strings.Repeat(decimal(float64(i))+" ", 2) + "\n"
	}
	_, _, err := Read("x.cfg", strings.NewReader(text))
	if err == nil || !strings.Contains(err.Error(), "a window of more than 1000 windows") {
		t.Errorf("got %v", err)
	}
}

// TestBounds: the demands of a file are bounded.
func TestBounds(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"#ParaverCFG\n" + strings.Repeat("window_name\n", 10_001), "x.cfg:10002: more than 10000 windows"},
		{window() + strings.Repeat("< NEW ANALYZER2D >\n", 10_001), "x.cfg:10005: more than 10000 histograms"},
		{window() + strings.Repeat("a\n", 100_001), "x.cfg:100005: more than 100000 unknown lines"},
	} {
		_, _, err := Read("x.cfg", strings.NewReader(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	_, notes, err := Read("x.cfg", strings.NewReader(window()+strings.Repeat("window_width x\n", 250)))
	if err != nil || len(notes) != 101 || notes[100].String() != "x.cfg: and 150 more warnings" {
		t.Errorf("%v, %d notes, the last %v", err, len(notes), notes[len(notes)-1])
	}
}

// TestUnreadableValue: unreadable values that do not decide numbers are noted and kept, until the value is set.
func TestUnreadableValue(t *testing.T) {
	f, notes, err := Read("x.cfg", strings.NewReader(window("window_width @WIDTH@", "window_drawmode 1",
		"< NEW ANALYZER2D >", "Analyzer2D.ControlWindow: 1", "Analyzer2D.Minimum: @LOW@", "Analyzer2D.Maximum: 3",
		"Analyzer2D.UseFixedDelta: True", "Analyzer2D.NumColumns: 7")))
	if err != nil {
		t.Fatal(err)
	}
	if len(notes) != 1 ||
		notes[0].String() != "x.cfg: a template whose values were not filled in, defaults are used: @WIDTH@, @LOW@" {
		t.Errorf("notes: %q", notes)
	}
	if !f.Histograms[0].Columns.Auto {
		t.Error("a histogram whose limits cannot be read has to find its own")
	}
	if n := f.Histograms[0].Columns.Count; n != 0 {
		t.Errorf("%d columns are counted although their width is fixed", n)
	}
	saveAndReopen(t, f)
	var out strings.Builder
	Write(&out, f)
	if strings.Count(out.String(), "window_width") != 1 {
		t.Errorf("window_width is written besides the line that was kept:\n%s", out.String())
	}
	f.Windows[0].View.Width = 77
	out.Reset()
	Write(&out, f)
	if !strings.Contains(out.String(), "window_width 77\n") {
		t.Errorf("the new width is not written:\n%s", out.String())
	}
}

// TestCutList: a list of functions that ends in the middle, as in a truncated file, is noted: the rest are defaults.
// Old keys without a meaning are not noted.
func TestCutList(t *testing.T) {
	text := window("window_click_options 1 0 1 0 1 0", "window_expanded false",
		"window_selected_functions { 14, { {cpu, Active Thd}, {appl, Adding}, {th")
	f, notes, err := Read("x.cfg", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	line := 1 + strings.Count(text[:strings.Index(text, "window_selected_functions")], "\n")
	want :=
		fmt.Sprintf(
			"x.cfg:%d: window_selected_functions: the list does not end: what it would say after appl is missing", line)
	if len(notes) != 1 || notes[0].String() != want {
		t.Errorf("notes: %q, want %q", notes, want)
	}
	if len(f.Windows[0].Other) != 2 {
		t.Errorf("kept: %q", f.Windows[0].Other)
	}
}

// TestWriteFindsParents: windows that are not in the file's list are written when
// others need them, parents first.
func TestWriteFindsParents(t *testing.T) {
	a, b := semantic.ThreadWindow("Useful"), semantic.ThreadWindow("State Sign")
	d := semantic.DefaultWindow()
	d.Name = "both"
	d.Derived = &semantic.Derived{Op: semantic.Call{Name: "product"}, A: semantic.Parent{Window: &a, Factor: 1},
		B: semantic.Parent{Window: &b, Factor: 1}}
	win := NewWindow(d)
	f := &File{Windows: []*Window{win, {Window: a}},
		Histograms: []*Histogram{NewHistogram(stat.Histogram{Control: &win.Window, Statistic: "Time"})}}
	var out strings.Builder
	if err := Write(&out, f); err != nil {
		t.Fatal(err)
	}
	g, notes, err := Read("x.cfg", strings.NewReader(out.String()))
	if err != nil || len(notes) > 0 {
		t.Fatalf("%v %v\n%s", err, notes, out.String())
	}
	if len(g.Windows) != 4 || !g.Windows[2].Window.Equal(&d) || g.Histograms[0].Control != &g.Windows[2].Window {
		t.Errorf("read back:\n%s", out.String())
	}
	d.Derived.A.Window = &win.Window
	win.Derived = d.Derived
	if err := Write(&out, f); err == nil || err.Error() != `window "both" is derived from itself` {
		t.Errorf("a window that is its own parent: %v", err)
	}
}

// TestBind: what a file selects on a trace.
func TestBind(t *testing.T) {
	b := prv.NewBuilder(prv.Header{End: 1000, Resources: twoPtasks()})
	b.Event(0, 0, 10, prv.Pair{Type: 5, Value: 1})
	trace, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	read := func(lines ...string) *File {
		t.Helper()
		f, _, err := Read("x.cfg", strings.NewReader(window(lines...)))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, c := range []struct {
		name  string
		lines []string
		rows  string
		begin int64
		end   int64
	}{
		{"all", nil, "0 1 2 3 4", 0, 1000},
		{"a thread", []string{"window_object thread { 1, 0, 2, { 0, 1 } }"}, "0 1 2 4", 0, 1000},
		{"the first ones", []string{"window_object thread { 1, 0, 1, { 0 } }"}, "0 1 2 4", 0, 1000},
		{"a task of a window of threads", []string{"window_object task { 0, 2, { None, All } }"}, "0 1 2 3 4", 0, 1000},
		{"any other word", []string{"window_object appl { 2, { Some, None } }"}, "0 1 2 3 4", 0, 1000},
		{"more than there are", []string{"window_object appl { 3, { None, All, All } }"}, "0 1 2 3 4", 0, 1000},
		{"another's", []string{"window_object task { 7, 1, { None } }"}, "0 1 2 3 4", 0, 1000},
		{"tasks", []string{"window_level task", "window_object task { 0, 2, { 0, 1 } }"}, "1 2", 0, 1000},
		{"zoom", []string{"window_zoom_objects 1 3"}, "1 2 3", 0, 1000},
		{"part", []string{"window_begin_time_relative 0.25", "window_end_time_relative 0.5"}, "0 1 2 3 4", 250, 500},
		{"from the end", []string{"window_begin_time 2000", "window_stop_time 3000"}, "0 1 2 3 4", 0, 1000},
		{"times", []string{"window_begin_time 20", "window_stop_time 30"}, "0 1 2 3 4", 20, 30},
	} {
		bound, notes, err := read(c.lines...).Bind(trace, false)
		if err != nil || len(notes) > 0 {
			t.Fatal(c.name, err, notes)
		}
		if got := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(bound.Windows[0].Rows)), " "),
			"[]"); got != c.rows || bound.Windows[0].Begin != c.begin || bound.Windows[0].End != c.end {
			t.Errorf("%s: rows %s from %d to %d", c.name, got, bound.Windows[0].Begin, bound.Windows[0].End)
		}
	}

	types := "window_selected_functions { 1, { {evt_type, =} } }"
	_, notes, err := read(types, "window_filter_module evt_type 2 5 6").Bind(trace, false)
	if err != nil || len(notes) != 1 || notes[0].String() != `x.cfg:5: window "W": the trace has no event of type 6` {
		t.Errorf("one type that is not there: %v, notes %v", err, notes)
	}
	none := read(types, "window_filter_module evt_type 2 7 6")
	_, _, err = none.Bind(trace, false)
	var missing *MissingTypesError
	if !errors.As(err, &missing) || err.Error() != `x.cfg:5: the trace has no event of the types 6, 7` {
		t.Errorf("no type that is there: %v", err)
	}
	if _, notes, err = none.Bind(trace, true); err != nil || len(notes) != 1 {
		t.Errorf("and yet: %v, notes %v", err, notes)
	}
	if _, _, err = read(types).Bind(trace, false); err == nil ||
		err.Error() != "x.cfg: the filters name no event type" {
		t.Errorf("no types at all: %v", err)
	}
	if _, _, err = read("window_level appl", "window_object appl { 2, { 0, 0 } }").Bind(trace, false); err == nil ||
		err.Error() != `x.cfg:4: window "W": none of its objects is selected` {
		t.Errorf("nothing selected: %v", err)
	}
	old := read("window_selected_functions { 1, { {task, Adding Sign} } }")
	if _, _, err = old.Bind(trace, false); err == nil ||
		err.Error() != `x.cfg:4: task, ptask, workload, node or system function "Adding Sign" `+
			`is unknown to Paraver; read as "AddingSign"` {
		t.Errorf("a name that Paraver does not know: %v", err)
	}
	if _, notes, err = old.Bind(trace, true); err != nil || len(notes) != 1 {
		t.Errorf("and yet: %v, notes %v", err, notes)
	}
	_, _, err = read("window_level cpu").Bind(trace, false)
	if !errors.Is(err, semantic.ErrNoResources) ||
		!strings.HasPrefix(err.Error(), `x.cfg:4: window "W": the trace has no resource information`) {
		t.Errorf("CPUs of a trace without: %v", err)
	}
}

// twoPtasks has a ptask of two tasks, with 2 and 1 threads, and a ptask of one task with 2.
func twoPtasks() (r prv.Resources) {
	r.AddPtask()
	r.AddTask(2, -1)
	r.AddTask(1, -1)
	r.AddPtask()
	r.AddTask(2, -1)
	return r
}
