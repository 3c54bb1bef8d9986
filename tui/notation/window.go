package notation

import (
	"fmt"
	"slices"

	"pview/prv"
	"pview/semantic"
)

// Window describes a view, as sessions write it: functions, levels and units by their names, filters as users type
// them.
type Window struct {
	Name      string          `json:"name,omitempty"`
	Level     string          `json:"level"`
	Unit      string          `json:"unit"`
	Hold      bool            `json:"hold_state,omitempty"`
	AnyOrder  bool            `json:"ignore_file_order,omitempty"`
	Filter    string          `json:"filter,omitempty"`
	Labels    filterLabels    `json:"filter_labels,omitzero"`
	Functions map[string]call `json:"functions"`
	Compose   map[string]call `json:"compose,omitempty"`
	Top1      *call           `json:"top_compose1,omitempty"`
	Top2      *call           `json:"top_compose2,omitempty"`
	Extra     []call          `json:"extra_compose,omitempty"`
	Derived   *derived        `json:"derived,omitempty"`
}

// filterLabels has the labels of the filter's types and values: see filter.Criterion.
type filterLabels struct {
	Types  []string `json:"types,omitempty"`
	Values []string `json:"values,omitempty"`
}

// derived describes a derived window, with its parents in full.
type derived struct {
	Op   call `json:"operation"`
	A, B parent
}

type parent struct {
	Window Window  `json:"window"`
	Factor float64 `json:"factor"`
	Shift  int     `json:"shift,omitempty"`
}

type call struct {
	Name   string      `json:"name"`
	Params [][]float64 `json:"parameters,omitempty"`
	// Expression is that of a user function.
	Expression string `json:"expression,omitempty"`
}

// WindowOf writes what a view shows.
func WindowOf(w *semantic.Window) Window {
	s := Window{
		Name: w.Name, Level: w.Level.String(), Unit: w.Unit.String(), Hold: w.HoldState,
		AnyOrder: w.IgnoreFileOrder, Filter: FilterText(&w.Filter),
		Labels:    filterLabels{w.Filter.Events.Type.Labels, w.Filter.Events.Value.Labels},
		Functions: map[string]call{}, Compose: map[string]call{},
	}
	for _, l := range prv.Levels {
		s.Functions[l.String()] = callOf(w.Functions[l])
		if !w.Compose[l].IsAsIs() {
			s.Compose[l.String()] = callOf(w.Compose[l])
		}
	}
	if !w.Top1.IsAsIs() {
		c := callOf(w.Top1)
		s.Top1 = &c
	}
	if !w.Top2.IsAsIs() {
		c := callOf(w.Top2)
		s.Top2 = &c
	}
	for _, c := range w.Extra {
		s.Extra = append(s.Extra, callOf(c))
	}
	if d := w.Derived; d != nil {
		s.Derived = &derived{callOf(d.Op), parentOf(&d.A), parentOf(&d.B)}
	}
	return s
}

func parentOf(p *semantic.Parent) parent {
	return parent{WindowOf(p.Window), p.Factor, p.Shift}
}

func (s *parent) read(labels *prv.Labels) (semantic.Parent, error) {
	w, err := s.Window.Read(labels)
	return semantic.Parent{Window: &w, Factor: s.Factor, Shift: s.Shift}, err
}

func callOf(c semantic.Call) call { return call{c.Name, c.Params, c.Expression} }
func (c call) read() semantic.Call {
	return semantic.Call{Name: c.Name, Params: c.Params, Expression: c.Expression}
}

// Read returns the inverse of WindowOf; labels are the trace's.
func (s *Window) Read(labels *prv.Labels) (semantic.Window, error) {
	w := semantic.DefaultWindow()
	w.Name, w.HoldState, w.IgnoreFileOrder = s.Name, s.Hold, s.AnyOrder
	var err error
	level := slices.IndexFunc(prv.Levels, func(l prv.Level) bool { return l.String() == s.Level })
	if level < 0 {
		return w, fmt.Errorf("unknown level %q", s.Level)
	}
	w.Level = prv.Levels[level]
	unit := slices.IndexFunc(semantic.Units, func(u semantic.UnitEntry) bool { return u.Symbol == s.Unit })
	if unit < 0 {
		return w, fmt.Errorf("unknown unit of time %q", s.Unit)
	}
	w.Unit = semantic.Units[unit].Unit
	if w.Filter, err = ParseFilter(s.Filter, labels, w.Unit); err != nil {
		return w, err
	}
	w.Filter.Events.Type.Labels, w.Filter.Events.Value.Labels = s.Labels.Types, s.Labels.Values
	for _, l := range prv.Levels {
		if c, ok := s.Functions[l.String()]; ok {
			w.Functions[l] = c.read()
		}
		if c, ok := s.Compose[l.String()]; ok {
			w.Compose[l] = c.read()
		}
	}
	if s.Top1 != nil {
		w.Top1 = s.Top1.read()
	}
	if s.Top2 != nil {
		w.Top2 = s.Top2.read()
	}
	for _, c := range s.Extra {
		w.Extra = append(w.Extra, c.read())
	}
	if d := s.Derived; d != nil {
		w.Derived = &semantic.Derived{Op: d.Op.read()}
		if w.Derived.A, err = d.A.read(labels); err != nil {
			return w, err
		}
		if w.Derived.B, err = d.B.read(labels); err != nil {
			return w, err
		}
	}
	return w, nil
}
