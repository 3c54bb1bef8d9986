// The functions of a window, their parameters, and its filter.
//
//	window_selected_functions { 14, { {thread, Useful}, ..., {evt_type, =}, {evt_value, All} } }
//	window_compose_functions { 9, { {compose_thread, Mod}, ..., {topcompose1, As Is}, {topcompose2, As Is} } }
//	window_semantic_module compose_thread Mod { 1, { 1 3 } }
//	window_filter_module evt_type 1 60000019
//	window_filter_module evt_type_label 1 "User function"

package cfg

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pview/filter"
	"pview/prv"
	"pview/semantic"
)

// draft is a window whose keys are still being read.
type draft struct {
	derived     bool
	parents     [2]int // window_identifiers
	parentsLine int64
	calls       []module
	users       []userLine
	own         []ownLine
	rows        []objectLine
}

// module is a line of parameters. They belong to the function named if that is the selected one, wherever in the window
// it is selected.
type module struct {
	line   int64
	kept   Line
	place  string
	name   string
	params [][]float64
}

// calledAt are the innermost braces of a list: {place, name}. A name may contain a
// comma, a place not.
var calledAt = regexp.MustCompile(`\{\s*([^{},]+?)\s*,\s*([^{}]*?)\s*\}`)

func placesAndNames(r *reader, key, text string) (list [][2]string, err error) {
	for _, m := range calledAt.FindAllStringSubmatch(text, -1) {
		list = append(list, [2]string{m[1], m[2]})
	}
	if list == nil {
		return nil, fmt.Errorf("%q is not a list of positions and functions", text)
	}
	if strings.Count(text, "{") > strings.Count(text, "}") {
		r.note("%s: the list does not end: what it would say after %s is missing", key, list[len(list)-1][0])
	}
	return list, nil
}

// filterPlaces are the criteria of a filter as files spell them.
var filterPlaces = []struct {
	name string
	at   func(*filter.Filter) *filter.Criterion
}{
	{"from_obj", func(f *filter.Filter) *filter.Criterion { return &f.Comms.From }},
	{"to_obj", func(f *filter.Filter) *filter.Criterion { return &f.Comms.To }},
	{"tag_msg", func(f *filter.Filter) *filter.Criterion { return &f.Comms.Tag }},
	{"size_msg", func(f *filter.Filter) *filter.Criterion { return &f.Comms.Size }},
	{"bw_msg", func(f *filter.Filter) *filter.Criterion { return &f.Comms.Bandwidth }},
	{"evt_type", func(f *filter.Filter) *filter.Criterion { return &f.Events.Type }},
	{"evt_value", func(f *filter.Filter) *filter.Criterion { return &f.Events.Value }},
}

func criterion(f *filter.Filter, name string) (*filter.Criterion, bool) {
	for _, p := range filterPlaces {
		if p.name == name {
			return p.at(f), true
		}
	}
	return nil, false
}

// functionLevels is the order in which functions are written.
var functionLevels = []prv.Level{prv.LevelCPU, prv.LevelPtask, prv.LevelTask, prv.LevelThread, prv.LevelNode,
	prv.LevelSystem, prv.LevelWorkload}

func readFunctions(r *reader, w *Window, text string) error {
	list, err := placesAndNames(r, "window_selected_functions", text)
	if err != nil {
		return err
	}
	for _, p := range list {
		if c, ok := criterion(&w.Filter, p[0]); ok {
			if c.Func, ok = filter.Lookup(p[1]); !ok {
				return &UnknownFunctionError{"filter function", p[1]}
			}
			continue
		}
		l, ok := level(p[0])
		if !ok {
			r.note("unknown level %q; its function %q is ignored", p[0], p[1])
			continue
		}
		if w.Functions[l], err = r.lookup(semantic.FamilyOf(l), p[1]); err != nil {
			return err
		}
	}
	return nil
}

// lookup returns a call of a function, without parameters.
func (r *reader) lookup(f semantic.Family, name string) (semantic.Call, error) {
	e, ok := semantic.Lookup(f, name)
	if !ok {
		return semantic.Call{}, &UnknownFunctionError{f.String(), name}
	}
	r.spelled(f.String(), name, e.Name)
	if f == semantic.ComposeFunctions && e.Name == "As Is" {
		return semantic.Call{}, nil // one spelling, so that windows can be compared
	}
	return semantic.Call{Name: e.Name}, nil
}

func readComposes(r *reader, w *Window, text string) error {
	list, err := placesAndNames(r, "window_compose_functions", text)
	if err != nil {
		return err
	}
	w.Extra = nil
	for _, p := range list {
		call, err := r.lookup(semantic.ComposeFunctions, p[1])
		if err != nil {
			return err
		}
		if at := composePlace(w, p[0]); at != nil {
			*at = call
		} else if p[0] == extraPlace {
			w.Extra = append(w.Extra, call)
		} else {
			r.note("unknown position %q; its function %q is ignored", p[0], p[1])
		}
	}
	return nil
}

// composePlace returns the call at a place, in the spelling of any version of files.
func composePlace(w *Window, place string) *semantic.Call {
	switch place {
	case "topcompose1", "compose1", "topcompose":
		return &w.Top1
	case "topcompose2", "compose2":
		return &w.Top2
	}
	if l, ok := level(strings.TrimPrefix(place, "compose_")); ok {
		return &w.Compose[l]
	}
	return nil
}

// readModule takes "place name { n, { n v1 .. vn, n v1 .. } }".
func readModule(r *reader, _ *Window, text string) error {
	m := module{line: r.number, kept: Line{"window_semantic_module", text}}
	head, body, _ := strings.Cut(text, "{")
	m.place, m.name, _ = strings.Cut(strings.TrimSpace(head), " ")
	m.name = strings.TrimSpace(m.name)
	count, lists, ok := strings.Cut(body, "{")
	n, err := integer(strings.Trim(count, " \t,"))
	if !ok || err != nil {
		return fmt.Errorf("%q is not a function and its parameters", text)
	}
	lists = strings.TrimRight(lists, "} \t")
	for _, list := range strings.Split(lists, ",") {
		if strings.TrimSpace(list) == "" {
			continue
		}
		values, err := numbers(list)
		if err != nil {
			return err
		}
		m.params = append(m.params, values)
	}
	if n != len(m.params) {
		return fmt.Errorf("%d parameters announced but %d follow", n, len(m.params))
	}
	r.pending.calls = append(r.pending.calls, m)
	return nil
}

// modules sets the parameters of a window's functions.
func (d *draft) modules(r *reader, w *Window) error {
	given := map[*semantic.Call]bool{}
	for _, m := range d.calls {
		c, f := m.call(w, given)
		if c == nil {
			w.Other = append(w.Other, m.kept)
			continue
		}
		given[c] = true
		e, _ := semantic.Lookup(f, c.Name)
		if len(m.params) > len(e.Params) {
			return r.fail(m.line, fmt.Errorf("window_semantic_module: %s has %d parameters, not %d", c.Name,
				len(e.Params), len(m.params)))
		}
		for i, p := range m.params {
			if !e.Params[i].List && len(p) == 0 { // of several, the first counts
				return r.fail(m.line, fmt.Errorf("window_semantic_module: the parameter %q of %s has no value",
					e.Params[i].Name, c.Name))
			}
			if p == nil {
				m.params[i] = []float64{} // an empty list, not the default one
			}
		}
		c.Params = m.params
	}
	return nil
}

// call finds the call that a line of parameters belongs to; nil if the function is not selected. Calls in given already
// have their parameters.
func (m *module) call(w *Window, given map[*semantic.Call]bool) (*semantic.Call, semantic.Family) {
	if l, ok := level(m.place); ok {
		if c, f := &w.Functions[l], semantic.FamilyOf(l); m.names(c, f) {
			return c, f
		}
	}
	if m.place == extraPlace {
		for i := range w.Extra {
			if c := &w.Extra[i]; !given[c] && m.names(c, semantic.ComposeFunctions) {
				return c, semantic.ComposeFunctions
			}
		}
	} else if c := composePlace(w, m.place); c != nil && m.names(c, semantic.ComposeFunctions) {
		return c, semantic.ComposeFunctions
	}
	return nil, 0
}

// names reports whether the line is for the function of a call.
func (m *module) names(c *semantic.Call, f semantic.Family) bool {
	e, ok := semantic.Lookup(f, m.name)
	return ok && e.Name == c.Name
}

func readFilter(r *reader, w *Window, text string) error {
	place, list, _ := strings.Cut(text, " ")
	if name, ok := strings.CutSuffix(place, "_label"); ok && (name == "evt_type" || name == "evt_value") {
		labels, err := quoted(strings.TrimSpace(list))
		c, _ := criterion(&w.Filter, name)
		c.Labels = labels
		return err
	}
	c, ok := criterion(&w.Filter, place)
	if !ok {
		return fmt.Errorf("unknown filter %q", place)
	}
	if place == "evt_type" {
		w.typesLine = r.number
	}
	values, err := numbers(list)
	c.Values = values
	return err
}

// Writing.

// place is a place in a window, and its call.
type place struct {
	name   string
	call   *semantic.Call
	family semantic.Family
}

// functionPlaces returns the places of the functions. A derived window has none where its operation is.
func functionPlaces(w *Window) (list []place) {
	for _, l := range functionLevels {
		if w.Derived != nil && (l == prv.LevelCPU || l == prv.LevelThread) {
			continue
		}
		list = append(list, place{levelName(l), &w.Functions[l], semantic.FamilyOf(l)})
	}
	return list
}

func composePlaces(w *Window) (list []place) {
	for _, l := range functionLevels {
		list = append(list, place{"compose_" + levelName(l), &w.Compose[l], semantic.ComposeFunctions})
	}
	list = append(list, place{"topcompose1", &w.Top1, semantic.ComposeFunctions},
		place{"topcompose2", &w.Top2, semantic.ComposeFunctions})
	for i := range w.Extra {
		list = append(list, place{extraPlace, &w.Extra[i], semantic.ComposeFunctions})
	}
	return list
}

// braces writes a list of places and names.
func braces(list []string) []string {
	return []string{fmt.Sprintf("{ %d, { %s } }", len(list), strings.Join(list, ", "))}
}

func writeFunctions(_ *writer, w *Window) []string {
	var list []string
	for _, p := range functionPlaces(w) {
		list = append(list, fmt.Sprintf("{%s, %s}", p.name, p.spelling()))
	}
	if w.Derived == nil {
		for _, p := range filterPlaces {
			list = append(list, fmt.Sprintf("{%s, %s}", p.name, p.at(&w.Filter).Func))
		}
	}
	return braces(list)
}

func writeComposes(_ *writer, w *Window) []string {
	var list []string
	for _, p := range composePlaces(w) {
		list = append(list, fmt.Sprintf("{%s, %s}", p.name, p.spelling()))
	}
	return braces(list)
}

// spelling returns the name of the function as Paraver spells it. A function that Paraver does not have is replaced by
// that of a new window.
func (p *place) spelling() string {
	if p.call.IsUser() || p.isOwn() {
		return p.standIn()
	}
	if e, ok := semantic.Lookup(p.family, p.call.Name); ok {
		return e.Name
	}
	return prv.Clean(p.call.Name)
}

// writeModules writes the parameters of all functions that have some, including defaults, since Paraver's may differ.
func writeModules(_ *writer, w *Window) (list []string) {
	for _, p := range slices.Concat(functionPlaces(w), composePlaces(w)) {
		if len(p.call.Params) == 0 {
			continue
		}
		var params []string
		for i, values := range p.call.Params {
			if e, ok := semantic.Lookup(p.family, p.call.Name); values == nil && ok && i < len(e.Params) {
				values = e.Params[i].Default
			}
			params = append(params, listOf(values))
		}
		list = append(list, fmt.Sprintf("%s %s { %d, { %s } }", p.name, p.spelling(), len(params),
			strings.Join(params, ", ")))
	}
	return list
}

func writeFilters(_ *writer, w *Window) (list []string) {
	if w.Derived != nil {
		return nil
	}
	for _, p := range filterPlaces {
		c := p.at(&w.Filter)
		if len(c.Values) > 0 {
			list = append(list, p.name+" "+listOf(c.Values))
		}
		if len(c.Labels) > 0 {
			s := fmt.Sprintf("%s_label %d", p.name, len(c.Labels))
			for _, label := range c.Labels {
				s += ` "` + strings.ReplaceAll(prv.Clean(label), `"`, "'") + `"`
			}
			list = append(list, s)
		}
	}
	return list
}
