package cfg

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/semantic/series"
)

// everything is a file in which no key has its default: two windows, one derived from them, and a histogram.
const everything = `#ParaverCFG
ConfigFile.Version: 3.4
ConfigFile.NumWindows: 3
window_name Useful
window_type single
window_position_x 10
window_position_y 20
window_width 300
window_height 200
window_comm_lines_enabled true
window_flags_enabled true
window_color_mode window_in_null_gradient_mode
window_gradient_function gradient_function_steps
window_custom_color_enabled true
window_custom_color_palette {1:1,2,3},{-2.5: 255, 0 ,7}
window_semantic_scale_min_at_zero true
window_logical_filtered false
window_physical_filtered true
window_intracomms_enabled false
window_intercomms_enabled true
window_comm_fromto false
window_comm_tagsize false
window_comm_typeval false
window_units Milliseconds
window_maximum_y 12.5
window_minimum_y -3
window_compute_y_max false
window_level task
window_object appl { 2, { All, None } }
window_object task { 0, 2, { 1, 0 } }
window_zoom_objects 1 3
window_begin_time_relative 0.25
window_end_time_relative 0.75
window_open false
window_drawmode draw_average
window_drawmode_rows draw_last
window_pixel_size 4
window_labels_to_draw 2
window_object_axis_position current
window_selected_functions { 3, { {thread, In State}, {task, Maximum}, {evt_type, =} } }
window_compose_functions { 2, { {compose_thread, Mod}, {topcompose1, Sign} } }
window_semantic_module thread In State { 1, { 2 1 13 } }
window_semantic_module compose_thread Mod { 1, { 1 3 } }
window_filter_module evt_type 2 10 20
window_filter_module size_msg 1 7
window_punctual_color_window 1
window_synchronize 2
window_name Times
window_type single
window_begin_time 100
window_end_time 20000
window_name Product
window_type composed
window_factors 2 -0.5
window_shifts 1 -1
window_operation product
window_identifiers 1 2
window_noncolor_mode false
< NEW ANALYZER2D >
Analyzer2D.Name: Table
Analyzer2D.X: 1
Analyzer2D.Y: 2
Analyzer2D.Width: 30
Analyzer2D.Height: 40
Analyzer2D.ControlWindow: 3
Analyzer2D.DataWindow: 1
Analyzer2D.Statistic: Average value
Analyzer2D.HideCols: True
Analyzer2D.HorizVert: Vertical
Analyzer2D.Color: False
Analyzer2D.SemanticColor: True
Analyzer2D.Zoom: Enabled
Analyzer2D.SortCols: True
Analyzer2D.SortCriteria: Average
Analyzer2D.SortReverse: True
Analyzer2D.AnalysisLimits: Alltrace
Analyzer2D.ComputeYScale: False
Analyzer2D.ComputeYScaleZero: True
Analyzer2D.Minimum: 1
Analyzer2D.Maximum: 9
Analyzer2D.Delta: 2
Analyzer2D.NumColumns: 7
Analyzer2D.UseFixedDelta: False
Analyzer2D.ComputeGradient: False
Analyzer2D.MinimumGradient: -1
Analyzer2D.MaximumGradient: 5.5
Analyzer2D.DrawModeObjects: draw_last
Analyzer2D.DrawModeColumns: draw_average
Analyzer2D.PixelSize: 2
Analyzer2D.ShowOnlyTotals: True
Analyzer2D.ShortHeaderLabels: False
Analyzer2D.Synchronize: 3
Analyzer2D.3D_ControlWindow: 2
Analyzer3D.ComputeYScale: False
Analyzer2D.3D_Minimum: 1
Analyzer2D.3D_Maximum: 8
Analyzer2D.3D_Delta: 3
Analyzer2D.3D_FixedValue: 4
`

// A file is written in Paraver's own spelling, all keys in the order in which Paraver writes them.
func TestWholeFile(t *testing.T) {
	f, notes, err := Read("x.cfg", strings.NewReader(everything))
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	var out strings.Builder
	if err := Write(&out, f); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/written.cfg")
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	saveAndReopen(t, f)
}

// Lists of numbers and of labels in quotes, and pairs of numbers.
func TestListsOfValues(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"0", "[] <nil>"}, {"2 1.5 -3", "[1.5 -3] <nil>"}, {"", `[] "" is not a list of numbers`},
		{"x 1", `[] "x" is not a count of numbers`}, {"1 x", `[] "x" is not a number`},
		{"2 1", "[] 2 numbers announced but 1 follow"}, {"1 1e999", `[] "1e999" is not a number`},
	} {
		v, err := numbers(c.text)
		if got := fmt.Sprint(v, " ", err); got != c.want {
			t.Errorf("numbers %q: %s, want %s", c.text, got, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{`2 "a b" ""`, `["a b" ""] <nil>`}, {"0", "[] <nil>"}, {`1 "a`, `[] label not in quotes: "\"a"`},
		{"1 a", `[] label not in quotes: "a"`}, {`2 "a"`, "[] 2 labels announced but 1 follow"},
		{`x "a"`, `[] "x" is not a count of labels`},
	} {
		v, err := quoted(c.text)
		if got := fmt.Sprintf("%q %v", v, err); got != c.want {
			t.Errorf("labels %q: %s, want %s", c.text, got, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"1 2", "[1 2] <nil>"}, {" -1.5  0 ", "[-1.5 0] <nil>"}, {"1", `[0 0] "1" are not two numbers`},
		{"1 2 3", `[0 0] "1 2 3" are not two numbers`}, {"1 x", `[1 0] "x" is not a number`},
	} {
		v, err := two(c.text)
		if got := fmt.Sprint(v, " ", err); got != c.want {
			t.Errorf("two numbers %q: %s, want %s", c.text, got, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"1 -2", "[1 -2] <nil>"}, {"1 2.0", "[1 2] <nil>"}, {"1 2147483647", "[1 2147483647] <nil>"},
		{"1 2.5", `[1 0] "1 2.5" are not two whole numbers`},
		{"1 2147483648", `[1 0] "1 2147483648" are not two whole numbers`},
	} {
		v, err := twoWhole(c.text)
		if got := fmt.Sprint(v, " ", err); got != c.want {
			t.Errorf("two whole numbers %q: %s, want %s", c.text, got, c.want)
		}
	}
}

// Colours of values; a bad one spoils the list.
func TestPalettes(t *testing.T) {
	for _, c := range []struct {
		text string
		want []PaletteEntry
		err  string
	}{
		{"", nil, ""}, {"{1:1,2,3}, {2.5: 0 , 255,7}", []PaletteEntry{{1, prv.RGB{R: 1, G: 2, B: 3}},
			{2.5, prv.RGB{G: 255, B: 7}}}, ""},
		{"{1:1,2}", nil, `"1,2" is not a colour r,g,b`}, {"{1:1,2,3,4}", nil, `"1,2,3,4" is not a colour r,g,b`},
		{"{1:1,2,256}", nil, `"1,2,256" is not a colour r,g,b of numbers from 0 to 255`},
		{"{x:1,2,3}", nil, `"x:1,2,3" is not a value and its colour`},
	} {
		got, err := palette(c.text)
		if why := fmt.Sprint(err); !slices.Equal(got, c.want) || why != cmp.Or(c.err, "<nil>") {
			t.Errorf("%s: %v, %v", c.text, got, err)
		}
	}
}

// Words of files: draw modes by name or, in old files, by digit; colours; gradients; truths.
func TestWords(t *testing.T) {
	for text, want := range map[string]series.DrawMode{"draw_maximum": series.Maximum, "draw_last": series.Last,
		"draw_minnotzero": series.MinimumNotZero, "0": series.Last, "7": series.MostTime} {
		if got, err := drawMode(text); got != want || err != nil {
			t.Errorf("%s is %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"8", "-1", "draw_nothing", ""} {
		if got, err := drawMode(text); err == nil || got != 0 {
			t.Errorf("%q is %s", text, got)
		}
	}
	for i, name := range gradientNames {
		got, err := gradientFunction(name)
		if i == 0 && err == nil || i > 0 && (err != nil || got != GradientFunction(i)) {
			t.Errorf("gradient %q is %d, %v", name, got, err)
		}
	}
	for _, m := range colorModes {
		if got, err := colorMode(m.Cfg); m.Cfg == "" && err == nil || m.Cfg != "" && (err != nil || got != m.Mode) {
			t.Errorf("colour mode %q is %d, %v", m.Cfg, got, err)
		}
	}
	read := words("Horizontal", "Vertical")
	for text, want := range map[string]string{"horizontal": "false <nil>", "VERTICAL": "true <nil>",
		"x": `false "x" is neither Horizontal nor Vertical`} {
		v, err := read(text)
		if got := fmt.Sprint(v, " ", err); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{"7": "7 <nil>", "7.0": "7 <nil>", "-2147483647": "-2147483647 <nil>",
		"2147483648": `0 "2147483648" is not a whole number`, "7.5": `0 "7.5" is not a whole number`} {
		v, err := integer(text)
		if got := fmt.Sprint(v, " ", err); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// Rows in view: the first from 0 on, the last not before it.
func TestZoomOfRows(t *testing.T) {
	for text, want := range map[string]string{"0 0": "&[0 0] <nil>", "2 5": "&[2 5] <nil>",
		"-1 5": `<nil> "-1 5" is not a first and a last row`, "5 4": `<nil> "5 4" is not a first and a last row`,
		"1": `<nil> "1" are not two numbers`} {
		w := &Window{}
		err := readZoom(nil, w, text)
		if got := fmt.Sprint(w.View.Zoom, " ", err); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
