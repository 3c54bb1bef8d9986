// The keys of windows, in the order in which Paraver writes them.

package cfg

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"pview/prv"
	"pview/semantic"
	"pview/semantic/series"
	"pview/semantic/stat"
)

var windowKeyOf map[string]*key[Window]

// windowKeys are filled in by init, because some of them refer to the table.
var windowKeys []key[Window]

func init() {
	type W = Window
	truth := truthKey[W]
	windowKeys = []key[W]{
		{"window_type", readType, func(_ *writer, w *W) []string {
			if w.Derived != nil {
				return []string{"composed"}
			}
			return []string{"single"}
		}},
		{"window_id", func(*reader, *W, string) error { return nil }, func(out *writer, w *W) []string {
			return []string{strconv.Itoa(out.position(w))}
		}},
		{"window_factors", readFactors, ofDerived(func(_ *writer, d *semantic.Derived) string {
			return decimal(d.A.Factor) + " " + decimal(d.B.Factor)
		})},
		{"window_shifts", readShifts, ofDerived(func(_ *writer, d *semantic.Derived) string {
			return fmt.Sprintf("%d %d", d.A.Shift, d.B.Shift)
		})},
		{"window_operation", readOperation, ofDerived(func(_ *writer, d *semantic.Derived) string {
			return d.Op.Name
		})},
		{"window_identifiers", readParents, ofDerived(func(out *writer, d *semantic.Derived) string {
			return fmt.Sprintf("%d %d", out.positionOf(d.A.Window), out.positionOf(d.B.Window))
		})},
		integerKey("window_position_x", func(w *W) *int { return &w.View.X }),
		integerKey("window_position_y", func(w *W) *int { return &w.View.Y }),
		integerKey("window_width", func(w *W) *int { return &w.View.Width }),
		integerKey("window_height", func(w *W) *int { return &w.View.Height }),
		truth("window_comm_lines_enabled", func(w *W) *bool { return &w.View.CommLines }),
		truth("window_flags_enabled", func(w *W) *bool { return &w.View.Flags }),
		{"window_noncolor_mode", readNonColor, func(_ *writer, w *W) []string {
			return []string{strconv.FormatBool(w.View.Color != FunctionLine)}
		}},
		{"window_color_mode", readColorMode, func(_ *writer, w *W) []string {
			if name := colorModes[w.View.Color].Cfg; name != "" && w.View.Color != CodeColor {
				return []string{name}
			}
			return nil
		}},
		optional(one("window_gradient_function", func(w *W) *GradientFunction {
			return &w.View.Gradient
		}, gradientFunction,
			func(f GradientFunction) string { return gradientNames[f] }), func(w *W) *GradientFunction {
			return &w.View.Gradient
		}),
		optional(truth("window_custom_color_enabled", func(w *W) *bool {
			return &w.View.CustomColors
		}), func(w *W) *bool { return &w.View.CustomColors }),
		{"window_custom_color_palette", readPalette, func(_ *writer, w *W) []string {
			if len(w.View.Palette) == 0 {
				return nil
			}
			return []string{paletteText(w.View.Palette)}
		}},
		optional(truth("window_semantic_scale_min_at_zero", func(w *W) *bool {
			return &w.View.MinAtZero
		}), func(w *W) *bool { return &w.View.MinAtZero }),
		ofRecords(truth("window_logical_filtered", func(w *W) *bool { return &w.Filter.Comms.Logical })),
		ofRecords(truth("window_physical_filtered", func(w *W) *bool { return &w.Filter.Comms.Physical })),
		ofRecords(truth("window_intracomms_enabled", func(w *W) *bool { return &w.Filter.Comms.Intra })),
		ofRecords(truth("window_intercomms_enabled", func(w *W) *bool { return &w.Filter.Comms.Inter })),
		ofRecords(inverted("window_comm_fromto", func(w *W) *bool { return &w.Filter.Comms.FromToOr })),
		ofRecords(inverted("window_comm_tagsize", func(w *W) *bool { return &w.Filter.Comms.TagSizeOr })),
		ofRecords(inverted("window_comm_typeval", func(w *W) *bool { return &w.Filter.Events.Or })),
		one("window_units", func(w *W) *semantic.Unit { return &w.Unit }, unit, semantic.Unit.Name),
		numberKey("window_maximum_y", func(w *W) *float64 { return &w.View.Maximum }),
		numberKey("window_minimum_y", func(w *W) *float64 { return &w.View.Minimum }),
		truth("window_compute_y_max", func(w *W) *bool { return &w.View.AutoScale }),
		{"window_level", readLevel, func(_ *writer, w *W) []string { return []string{levelName(w.Level)} }},
		rangeKey("window_scale_relative", true, end),
		rangeKey("window_end_time_relative", true, end),
		{"window_object", readObjects, writeObjects},
		{"window_zoom_objects", readZoom, func(_ *writer, w *W) []string {
			if w.View.Zoom == nil {
				return nil
			}
			return []string{fmt.Sprintf("%d %d", w.View.Zoom[0], w.View.Zoom[1])}
		}},
		rangeKey("window_begin_time_relative", true, begin),
		rangeKey("window_begin_time", false, begin),
		rangeKey("window_stop_time", false, end),
		truth("window_open", func(w *W) *bool { return &w.View.Open }),
		drawModeKey("window_drawmode", func(w *W) *series.DrawMode { return &w.View.DrawMode }),
		drawModeKey("window_drawmode_rows", func(w *W) *series.DrawMode { return &w.View.DrawModeRows }),
		integerKey("window_pixel_size", func(w *W) *int { return &w.View.PixelSize }),
		integerKey("window_labels_to_draw", func(w *W) *int { return &w.View.Labels }),
		optional(one("window_object_axis_position", func(w *W) *string { return &w.View.ObjectAxis }, text, itself),
			func(w *W) *string { return &w.View.ObjectAxis }),
		{"window_selected_functions", readFunctions, writeFunctions},
		{"window_compose_functions", readComposes, writeComposes},
		{"window_semantic_module", readModule, writeModules},
		{"window_filter_module", readFilter, writeFilters},
		optional(integerKey("window_punctual_color_window", func(w *W) *int {
			return &w.View.Punctual
		}), func(w *W) *int { return &w.View.Punctual }),
		optional(integerKey("window_synchronize", func(w *W) *int { return &w.View.Sync }), func(w *W) *int {
			return &w.View.Sync
		}),
		// Not Paraver's, which ignores unknown keys.
		optional(truth("pview_hold_state", func(w *W) *bool { return &w.HoldState }), func(w *W) *bool {
			return &w.HoldState
		}),
		optional(truth("pview_ignore_file_order", func(w *W) *bool { return &w.IgnoreFileOrder }), func(w *W) *bool {
			return &w.IgnoreFileOrder
		}),
		{userKey, readUser, writeUsers},
		{ownKey, readOwn, writeOwn},
	}
	windowKeyOf = keyOf(windowKeys)
	// Spellings of old files, which are read but not written.
	windowKeyOf["window_end_time"] = windowKeyOf["window_stop_time"]
}

func begin(r *stat.Range) *float64 { return &r.Begin }
func end(r *stat.Range) *float64   { return &r.End }

func text(s string) (string, error) { return prv.Clean(s), nil }
func itself(s string) string        { return s }

// ofDerived writes a key of derived windows.
func ofDerived(write func(*writer, *semantic.Derived) string) func(*writer, *Window) []string {
	return func(out *writer, w *Window) []string {
		if w.Derived == nil {
			return nil
		}
		return []string{write(out, w.Derived)}
	}
}

// ofRecords writes a key that derived windows do not have.
func ofRecords(k key[Window]) key[Window] {
	write := k.write
	k.write = func(out *writer, w *Window) []string {
		if w.Derived != nil {
			return nil
		}
		return write(out, w)
	}
	return k
}

// inverted returns the key of a condition that the file calls "and" and we "or".
func inverted(name string, at func(*Window) *bool) key[Window] {
	return one(name, at,
		func(s string) (bool, error) { v, err := truth(s); return !v, err },
		func(v bool) string { return strconv.FormatBool(!v) })
}

// rangeKey returns the key of a limit of the time shown, as a fraction of the trace's duration or as a time.
func rangeKey(name string, relative bool, at func(*stat.Range) *float64) key[Window] {
	return key[Window]{name,
		func(r *reader, w *Window, text string) error {
			v, err := number(text)
			if err != nil {
				return err
			}
			g := &w.View.Range
			if g.Relative && !relative {
				// Fractions and times do not mix: a time wins over fractions and resets them.
				*g = stat.Range{End: endless}
			}
			if g.Relative == relative {
				*at(g) = v
			}
			return nil
		},
		func(_ *writer, w *Window) []string {
			if g := w.View.Range; g.Relative == relative && !g.Whole {
				return []string{decimal(*at(&g))}
			}
			return nil
		},
	}
}

// endless is an end later than that of any trace.
const endless = 1 << 62

func readType(r *reader, w *Window, text string) error {
	switch text {
	case "single":
	case "composed":
		r.pending.derived = true
		derivedOf(w)
	default:
		return fmt.Errorf("%q is neither single nor composed", text)
	}
	return nil
}

// derivedOf returns the derivation of a window, created on demand.
func derivedOf(w *Window) *semantic.Derived {
	if w.Derived == nil {
		w.Derived = &semantic.Derived{A: semantic.Parent{Factor: 1}, B: semantic.Parent{Factor: 1}}
	}
	return w.Derived
}

// two reads two numbers, separated by blanks.
func two(text string) (v [2]float64, err error) {
	words := strings.Fields(text)
	if len(words) != 2 {
		return v, fmt.Errorf("%q are not two numbers", text)
	}
	for i, word := range words {
		if v[i], err = number(word); err != nil {
			return v, fmt.Errorf("%q is not a number", word)
		}
	}
	return v, nil
}

// twoWhole reads two whole numbers.
func twoWhole(text string) (n [2]int, err error) {
	v, err := two(text)
	if err != nil {
		return n, err
	}
	for i := range v {
		if n[i], err = integer(decimal(v[i])); err != nil {
			return n, fmt.Errorf("%q are not two whole numbers", text)
		}
	}
	return n, nil
}

func readFactors(_ *reader, w *Window, text string) error {
	v, err := two(text)
	d := derivedOf(w)
	d.A.Factor, d.B.Factor = v[0], v[1]
	return err
}

func readShifts(_ *reader, w *Window, text string) error {
	n, err := twoWhole(text)
	d := derivedOf(w)
	d.A.Shift, d.B.Shift = n[0], n[1]
	return err
}

func readOperation(r *reader, w *Window, text string) error {
	e, ok := semantic.Lookup(semantic.DerivedFunctions, text)
	if !ok {
		return &UnknownFunctionError{semantic.DerivedFunctions.String(), text}
	}
	r.spelled(semantic.DerivedFunctions.String(), text, e.Name)
	derivedOf(w).Op.Name = e.Name
	return nil
}

func readParents(r *reader, _ *Window, text string) (err error) {
	r.pending.parentsLine = r.number
	if r.pending.parents, err = twoWhole(text); err != nil {
		return err
	}
	if r.pending.parents == [2]int{} {
		return errors.New("windows are counted from 1")
	}
	return nil
}

func readNonColor(_ *reader, w *Window, text string) error {
	colored, err := truth(text)
	switch {
	case err != nil:
		return err
	case !colored:
		w.View.Color = FunctionLine
	case w.View.Color == FunctionLine:
		w.View.Color = CodeColor
	}
	return nil
}

func readColorMode(_ *reader, w *Window, text string) error {
	m, err := colorMode(text)
	if err == nil && w.View.Color != FunctionLine {
		w.View.Color = m
	}
	return err
}

func readPalette(_ *reader, w *Window, text string) (err error) {
	entries, err := palette(text)
	if err == nil {
		w.View.Palette = entries
	}
	return err
}

func readLevel(r *reader, w *Window, text string) error {
	l, ok := level(text)
	if !ok {
		return fmt.Errorf("unknown level %q", text)
	}
	w.Level, w.levelLine = l, r.number
	return nil
}

func readZoom(_ *reader, w *Window, text string) error {
	n, err := twoWhole(text)
	if err != nil {
		return badValue{err}
	}
	if n[0] < 0 || n[1] < n[0] {
		return badf("%q is not a first and a last row", text)
	}
	w.View.Zoom = &n
	return nil
}
