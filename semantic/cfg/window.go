package cfg

import (
	"fmt"
	"slices"
	"strings"

	"pview/filter"
	"pview/prv"
	"pview/semantic"
	"pview/semantic/stat"
)

// newWindow opens a window with Paraver's defaults.
func (r *reader) newWindow(name string) {
	r.endHistogram()
	w := &Window{Window: semantic.DefaultWindow(), Range: stat.Range{Relative: true, End: 1}}
	w.Name = name
	w.View = View{Width: 600, Height: 120, FunctionLine: false, PixelSize: 1, Max: 15}
	r.window, r.extraAt = w, 0
	r.file.Windows = append(r.file.Windows, w)
}

// windowKey reads a key of the current window.
func (r *reader) windowKey(key, value string) error {
	if read, ok := windowKeys[key]; ok {
		if err := read(r, r.window, value); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		return nil
	}
	r.window.Other = append(r.window.Other, prv.Setting{Name: key, Value: value})
	return nil
}

type windowKey func(r *reader, w *Window, value string) error

// windowKeys says how the value of each key is read. It is filled below, since
// the functions refer to one another.
var windowKeys map[string]windowKey

func init() {
	windowKeys = map[string]windowKey{
		"window_type":                (*reader).windowType,
		"window_id":                  nothing,
		"window_factors":             (*reader).factors,
		"window_shifts":              (*reader).shifts,
		"window_operation":           (*reader).operation,
		"window_identifiers":         (*reader).identifiers,
		"window_level":               func(_ *reader, w *Window, v string) (err error) { w.Level, err = readLevel(v); return },
		"window_units":               func(_ *reader, w *Window, v string) (err error) { w.Unit, err = readUnit(v); return },
		"window_begin_time":          begin(false),
		"window_stop_time":           end(false),
		"window_begin_time_relative": begin(true),
		"window_end_time_relative":   end(true),
		"window_scale_relative":      scaleRelative,
		"window_object":              (*reader).objects,
		"window_zoom_objects":        zoomObjects,
		"window_selected_functions":  (*reader).selectedFunctions,
		"window_compose_functions":   (*reader).composeFunctions,
		"window_semantic_module":     (*reader).semanticModule,
		"window_filter_module":       filterModule,

		"window_logical_filtered":   flag(func(w *Window) *bool { return &w.Filter.Comms.Logical }),
		"window_physical_filtered":  flag(func(w *Window) *bool { return &w.Filter.Comms.Physical }),
		"window_intracomms_enabled": flag(func(w *Window) *bool { return &w.Filter.Comms.Intra }),
		"window_intercomms_enabled": flag(func(w *Window) *bool { return &w.Filter.Comms.Inter }),
		"window_comm_fromto":        notFlag(func(w *Window) *bool { return &w.Filter.Comms.FromToOr }),
		"window_comm_tagsize":       notFlag(func(w *Window) *bool { return &w.Filter.Comms.TagSizeOr }),
		"window_comm_typeval":       notFlag(func(w *Window) *bool { return &w.Filter.Events.Or }),

		"window_position_x":                 whole(func(w *Window) *int { return &w.View.X }),
		"window_position_y":                 whole(func(w *Window) *int { return &w.View.Y }),
		"window_width":                      whole(func(w *Window) *int { return &w.View.Width }),
		"window_height":                     whole(func(w *Window) *int { return &w.View.Height }),
		"window_comm_lines_enabled":         flag(func(w *Window) *bool { return &w.View.CommLines }),
		"window_flags_enabled":              flag(func(w *Window) *bool { return &w.View.Flags }),
		"window_open":                       flag(func(w *Window) *bool { return &w.View.Open }),
		"window_noncolor_mode":              notFlag(func(w *Window) *bool { return &w.View.FunctionLine }),
		"window_color_mode":                 text(func(w *Window) *string { return &w.View.ColorMode }),
		"window_gradient_function":          text(func(w *Window) *string { return &w.View.Gradient }),
		"window_custom_color_enabled":       flag(func(w *Window) *bool { return &w.View.CustomColors }),
		"window_custom_color_palette":       func(_ *reader, w *Window, v string) (err error) { w.View.Palette, err = readPalette(v); return },
		"window_semantic_scale_min_at_zero": flag(func(w *Window) *bool { return &w.View.ScaleFromZero }),
		"window_maximum_y":                  real(func(w *Window) *float64 { return &w.View.Max }),
		"window_minimum_y":                  real(func(w *Window) *float64 { return &w.View.Min }),
		"window_compute_y_max":              flag(func(w *Window) *bool { return &w.View.FitScale }),
		"window_drawmode":                   drawMode(func(w *Window) *semantic.DrawMode { return &w.View.DrawTime }),
		"window_drawmode_rows":              drawMode(func(w *Window) *semantic.DrawMode { return &w.View.DrawRows }),
		"window_pixel_size":                 whole(func(w *Window) *int { return &w.View.PixelSize }),
		"window_labels_to_draw":             whole(func(w *Window) *int { return &w.View.Labels }),
		"window_object_axis_position":       whole(func(w *Window) *int { return &w.View.AxisPosition }),
		"window_punctual_color_window":      whole(func(w *Window) *int { return &w.View.PunctualWindow }),
		"window_synchronize":                whole(func(w *Window) *int { return &w.View.Group }),
	}
}

func nothing(*reader, *Window, string) error { return nil }

func flag(at func(w *Window) *bool) windowKey {
	return func(_ *reader, w *Window, v string) (err error) { *at(w), err = readBool(v); return }
}

func notFlag(at func(w *Window) *bool) windowKey {
	return func(_ *reader, w *Window, v string) error {
		b, err := readBool(v)
		*at(w) = !b
		return err
	}
}

func whole(at func(w *Window) *int) windowKey {
	return func(_ *reader, w *Window, v string) (err error) { *at(w), err = readInt(v); return }
}

func real(at func(w *Window) *float64) windowKey {
	return func(_ *reader, w *Window, v string) (err error) { *at(w), err = readFloat(v); return }
}

func text(at func(w *Window) *string) windowKey {
	return func(_ *reader, w *Window, v string) error { *at(w) = v; return nil }
}

func drawMode(at func(w *Window) *semantic.DrawMode) windowKey {
	return func(_ *reader, w *Window, v string) (err error) { *at(w), err = readDrawMode(v); return }
}

func begin(relative bool) windowKey {
	return func(_ *reader, w *Window, v string) (err error) {
		w.Range.Relative = relative
		w.Range.Begin, err = readFloat(v)
		return err
	}
}

func end(relative bool) windowKey {
	return func(_ *reader, w *Window, v string) (err error) {
		w.Range.Relative = relative
		w.Range.End, err = readFloat(v)
		return err
	}
}

// scaleRelative is an older spelling of the end, which stands before it.
func scaleRelative(_ *reader, w *Window, v string) error {
	_, err := readFloat(v)
	return err
}

func zoomObjects(_ *reader, w *Window, v string) error {
	fields := strings.Fields(v)
	if len(fields) != 2 {
		return fmt.Errorf("two rows are expected")
	}
	for i, f := range fields {
		n, err := readInt(f)
		if err != nil {
			return err
		}
		w.Zoom[i] = n
	}
	w.HasZoom = true
	return nil
}

func (r *reader) windowType(w *Window, v string) error {
	switch v {
	case "single":
	case "composed":
		w.Derived = &semantic.Derived{A: semantic.Parent{Factor: 1}, B: semantic.Parent{Factor: 1}}
		r.later(func() error {
			if w.Derived.A.Window == nil || w.Derived.Op.Name == "" {
				return fmt.Errorf("derived window %q names no parents or no operation", w.Name)
			}
			return nil
		})
	default:
		return fmt.Errorf("unknown type %q", short(v))
	}
	return nil
}

// derived returns the derivation of a window that must be a derived one.
func derived(w *Window) (*semantic.Derived, error) {
	if w.Derived == nil {
		return nil, fmt.Errorf("%q is no derived window", w.Name)
	}
	return w.Derived, nil
}

func (r *reader) factors(w *Window, v string) error {
	d, err := derived(w)
	if err != nil {
		return err
	}
	list, err := readFloats(strings.Fields(v))
	if err == nil && len(list) != 2 {
		err = fmt.Errorf("two factors are expected")
	}
	if err == nil {
		d.A.Factor, d.B.Factor = list[0], list[1]
	}
	return err
}

func (r *reader) shifts(w *Window, v string) error {
	d, err := derived(w)
	if err != nil {
		return err
	}
	list, err := readFloats(strings.Fields(v))
	if err == nil && len(list) != 2 {
		err = fmt.Errorf("two shifts are expected")
	}
	if err == nil {
		d.A.Shift, d.B.Shift = int(list[0]), int(list[1])
	}
	return err
}

func (r *reader) operation(w *Window, v string) error {
	d, err := derived(w)
	if err != nil {
		return err
	}
	if _, ok := semantic.Lookup(semantic.DerivedFunctions, v); !ok {
		return fmt.Errorf("unknown operation %q", short(v))
	}
	d.Op.Name = v
	return nil
}

// identifiers name the parents, which stand before the window.
func (r *reader) identifiers(w *Window, v string) error {
	d, err := derived(w)
	if err != nil {
		return err
	}
	fields := strings.Fields(v)
	if len(fields) != 2 {
		return fmt.Errorf("two windows are expected")
	}
	for i, p := range []*semantic.Parent{&d.A, &d.B} {
		parent, err := r.windowAt(fields[i])
		if err != nil {
			return err
		}
		if parent == w {
			return fmt.Errorf("a window cannot be its own parent")
		}
		p.Window = &parent.Window
	}
	return nil
}

// filterFunctions are the filter's criteria by the names that they have among the
// functions and in window_filter_module.
var filterFunctions = map[string]func(f *filter.Filter) *filter.Criterion{
	"from_obj":  func(f *filter.Filter) *filter.Criterion { return &f.Comms.From },
	"to_obj":    func(f *filter.Filter) *filter.Criterion { return &f.Comms.To },
	"tag_msg":   func(f *filter.Filter) *filter.Criterion { return &f.Comms.Tag },
	"size_msg":  func(f *filter.Filter) *filter.Criterion { return &f.Comms.Size },
	"bw_msg":    func(f *filter.Filter) *filter.Criterion { return &f.Comms.Bandwidth },
	"evt_type":  func(f *filter.Filter) *filter.Criterion { return &f.Events.Type },
	"evt_value": func(f *filter.Filter) *filter.Criterion { return &f.Events.Value },
}

// filterOrder is the order in which the criteria are written.
var filterOrder = []string{"from_obj", "to_obj", "tag_msg", "size_msg", "bw_msg", "evt_type", "evt_value"}

func (r *reader) selectedFunctions(w *Window, v string) error {
	pairs, err := readPairs(v)
	if err != nil {
		return err
	}
	for _, p := range pairs {
		if at, ok := filterFunctions[p[0]]; ok {
			f, ok := filter.Lookup(p[1])
			if !ok {
				return fmt.Errorf("unknown filter function %q of %s", short(p[1]), p[0])
			}
			at(&w.Filter).Func = f
			continue
		}
		l, ok := levels[p[0]]
		if !ok {
			r.note("%q in window_selected_functions is no level and no filter: left out", short(p[0]))
			continue
		}
		if w.Derived != nil && (l == prv.LevelThread || l == prv.LevelCPU) {
			continue // the operation stands in its place
		}
		e, ok := semantic.Lookup(semantic.FamilyOf(l), p[1])
		if !ok {
			return fmt.Errorf("unknown function %q of level %s", short(p[1]), l)
		}
		w.Functions[l].Name = e.Name
	}
	return nil
}

// composePlace returns where a compose function stands, by its name in the file;
// ok is false when there is no such place. An extra one is appended to its list.
func composePlace(w *Window, name string) (c *semantic.Call, extra, ok bool) {
	switch name {
	case "topcompose1", "topcompose", "compose1":
		return &w.Top1, false, true
	case "topcompose2", "compose2":
		return &w.Top2, false, true
	case "extratopcompose1":
		return nil, true, true
	}
	if l, ok := levels[strings.TrimPrefix(name, "compose_")]; ok {
		return &w.Compose[l], false, true
	}
	return nil, false, false
}

func (r *reader) composeFunctions(w *Window, v string) error {
	pairs, err := readPairs(v)
	if err != nil {
		return err
	}
	for _, p := range pairs {
		e, known := semantic.Lookup(semantic.ComposeFunctions, p[1])
		c, extra, ok := composePlace(w, p[0])
		switch {
		case !ok:
			r.note("%q in window_compose_functions is no place for a compose function: left out", short(p[0]))
			continue
		case !known:
			return fmt.Errorf("unknown compose function %q of %s", short(p[1]), p[0])
		case extra:
			w.Extra = append(w.Extra, semantic.Call{Name: e.Name})
			continue
		}
		c.Name = e.Name
		if e.Name == "As Is" {
			c.Name = ""
		}
	}
	return nil
}

// semanticModule reads the parameters of a function: "level Function { np, { n v1
// .. vn, n v1 .. } }". They count only if the function is the one selected.
func (r *reader) semanticModule(w *Window, v string) error {
	place, rest, _ := strings.Cut(v, " ")
	open := strings.IndexByte(rest, '{')
	if open < 0 {
		return fmt.Errorf("parameters in braces are expected")
	}
	name := strings.TrimSpace(rest[:open])
	params, err := readParams(rest[open:])
	if err != nil {
		return err
	}
	if c, family, ok := r.called(w, place, name); ok {
		e, known := semantic.Lookup(family, name)
		if !known || c.Name != e.Name {
			return nil
		}
		if len(params) > len(e.Params) {
			params = params[:len(e.Params)]
		}
		c.Params = params
	}
	return nil
}

// called returns the call at a place of the file, and the family it is of.
func (r *reader) called(w *Window, place, name string) (c *semantic.Call, f semantic.Family, ok bool) {
	if l, ok := levels[place]; ok {
		return &w.Functions[l], semantic.FamilyOf(l), true
	}
	c, extra, ok := composePlace(w, place)
	if !extra {
		return c, semantic.ComposeFunctions, ok
	}
	// Each line goes to the next extra function of its name.
	for i := r.extraAt; i < len(w.Extra); i++ {
		if w.Extra[i].Name == name {
			r.extraAt = i + 1
			return &w.Extra[i], semantic.ComposeFunctions, true
		}
	}
	return nil, 0, false
}

// readParams reads "{ np, { n v1 .. vn, n v1 .. } }".
func readParams(s string) ([][]float64, error) {
	_, s, ok := strings.Cut(s, ",")
	if !ok {
		return nil, fmt.Errorf("parameters in braces are expected: %q", short(s))
	}
	var params [][]float64
	for _, part := range strings.Split(strings.Trim(s, " {}"), ",") {
		fields := strings.Fields(part)
		if len(fields) == 0 {
			continue
		}
		values, err := readCount(fields)
		if err != nil {
			return nil, err
		}
		list, err := readFloats(values)
		if err != nil {
			return nil, err
		}
		params = append(params, list)
	}
	return params, nil
}

// filterModule reads "kind n v1 .. vn": the values of a criterion, or their
// labels.
func filterModule(_ *reader, w *Window, v string) error {
	kind, rest, _ := strings.Cut(v, " ")
	if at, ok := filterFunctions[kind]; ok {
		values, err := readCount(strings.Fields(rest))
		if err != nil {
			return err
		}
		at(&w.Filter).Values, err = readFloats(values)
		return err
	}
	at, ok := filterFunctions[strings.TrimSuffix(kind, "_label")]
	if !ok {
		return fmt.Errorf("unknown filter %q", short(kind))
	}
	n, rest, _ := strings.Cut(strings.TrimSpace(rest), " ")
	labels, err := readQuoted(rest)
	if err != nil {
		return err
	}
	if count, err := readInt(n); err != nil || count != len(labels) {
		return fmt.Errorf("%s labels are announced, but %d follow", short(n), len(labels))
	}
	at(&w.Filter).Labels = labels
	return nil
}

// objects reads the selection of a level: "level [ptask, [task,]] n, { .. }".
func (r *reader) objects(w *Window, v string) error {
	name, rest, _ := strings.Cut(v, " ")
	l, err := readLevel(name)
	if err != nil {
		return err
	}
	open := strings.IndexByte(rest, '{')
	if open < 0 {
		return fmt.Errorf("objects in braces are expected")
	}
	o := Objects{Level: l}
	list := rest[open+1:]
	if l == prv.LevelWorkload || !strings.Contains(rest[:open], ",") && strings.HasPrefix(strings.TrimSpace(rest), "{") {
		// "{ n, { .. } }": the form of the topmost level
		head, inner, ok := strings.Cut(list, "{")
		if !ok {
			return fmt.Errorf("objects in braces are expected")
		}
		rest, list = head, inner
	} else {
		rest = rest[:open]
	}
	fields := strings.FieldsFunc(rest, func(c rune) bool { return c == ',' || c == ' ' })
	for i, f := range fields {
		n, err := readInt(f)
		if err != nil {
			return err
		}
		if i < len(fields)-1 {
			o.Within = append(o.Within, n)
		}
	}
	for _, f := range strings.FieldsFunc(list, func(c rune) bool { return strings.ContainsRune(" ,{}", c) }) {
		switch f {
		case "All", "1":
			o.Chosen = append(o.Chosen, true)
		case "None", "0":
			o.Chosen = append(o.Chosen, false)
		default:
			return fmt.Errorf("an object is All, None, 1 or 0, not %q", short(f))
		}
	}
	w.Objects = append(w.Objects, o)
	return nil
}

// Rows returns which rows of a window on a trace are selected; nil is all. A line of
// the file that names more objects than the trace has is left out, as in Paraver.
func (w *Window) Rows(t *prv.Trace) []bool {
	var rows []bool
	for _, o := range w.Objects {
		first, n := o.place(t)
		if n < len(o.Chosen) || !slices.Contains(o.Chosen, false) {
			continue
		}
		if rows == nil {
			rows = make([]bool, t.Count(w.Level))
			for i := range rows {
				rows[i] = true
			}
		}
		for i, chosen := range o.Chosen {
			if !chosen {
				deselect(t, rows, w.Level, o.Level, first+i)
			}
		}
	}
	return rows
}

// place returns the first object that the selection is of, and how many there
// are.
func (o *Objects) place(t *prv.Trace) (first, n int) {
	in := func(i, n int) bool { return i >= 0 && i < n }
	switch {
	case len(o.Within) == 0:
		return 0, t.Count(o.Level)
	case o.Level == prv.LevelTask && in(o.Within[0], len(t.Ptasks)):
		p := t.Ptasks[o.Within[0]]
		return int(p.FirstTask), int(p.Tasks)
	case o.Level == prv.LevelThread && len(o.Within) == 2 && in(o.Within[0], len(t.Ptasks)):
		p := t.Ptasks[o.Within[0]]
		if in(o.Within[1], int(p.Tasks)) {
			task := t.Tasks[int(p.FirstTask)+o.Within[1]]
			return int(task.FirstThread), int(task.Threads)
		}
	case o.Level == prv.LevelCPU && in(o.Within[0], len(t.Nodes)):
		node := t.Nodes[o.Within[0]]
		return int(node.FirstCPU) - 1, int(node.CPUs)
	}
	return 0, 0
}

// deselect takes object i of a level out of the rows of the window's level, when
// that is the same or a finer one.
func deselect(t *prv.Trace, rows []bool, level, of prv.Level, i int) {
	if of > level {
		return
	}
	for row := range rows {
		if a, ok := semantic.Ancestor(t, level, row, of); ok && a == i {
			rows[row] = false
		}
	}
}
