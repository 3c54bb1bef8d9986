package analyzer

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/timeline"
	"pview/semantic/stat"
	"pview/tui/notation"
)

// Tables in sessions. Views are written as positions among those on their trace, from 1; statistics, times and looks by
// name.

// savedView is the tables of a view.
type savedView struct {
	Trace  int          `json:"trace"`
	View   int          `json:"window"`
	Of     int          `json:"of"` // windows on the trace
	Shown  int          `json:"shown,omitempty"`
	Tables []savedTable `json:"tables"`
}

type savedTable struct {
	Name       string        `json:"name,omitempty"`
	Functions  bool          `json:"functions,omitempty"`
	Statistic  string        `json:"statistic"`
	Data       *savedOperand `json:"data,omitempty"`
	Third      *savedOperand `json:"third,omitempty"`
	Own        bool          `json:"own,omitempty"`
	Usual      bool          `json:"usual,omitempty"`
	Inclusive  bool          `json:"inclusive,omitempty"`
	Fullest    bool          `json:"fullest_plane,omitempty"`
	Columns    savedScale    `json:"columns"`
	Bins       int           `json:"bins,omitempty"`
	Planes     savedScale    `json:"planes"`
	Plane      float64       `json:"plane,omitempty"`
	Codes      string        `json:"codes"`
	PlaneCodes string        `json:"plane_codes"`
	Size       *[2]float64   `json:"size,omitempty"`
	Tag        *[2]float64   `json:"tag,omitempty"`
	Time       string        `json:"time"`
	Begin      int64         `json:"begin,omitempty"` // of a fixed time
	End        int64         `json:"end,omitempty"`
	Look       string        `json:"look"`
	Empty      bool          `json:"empty_columns,omitempty"`
	Transposed bool          `json:"transposed,omitempty"`
	NoTotals   bool          `json:"no_totals,omitempty"`
	EachRow    bool          `json:"each_row,omitempty"`
	Digits     int           `json:"digits,omitempty"`
	Sort       *savedSort    `json:"sort,omitempty"`
	Rows       *savedOrder   `json:"sort_rows,omitempty"`
	Place      *place        `json:"cell,omitempty"` // nil: where the table begins
}

type savedOperand struct {
	View   int             `json:"window,omitempty"` // 0: not on the screen
	Window notation.Window `json:"shows"`
}

type savedScale struct {
	Auto  bool    `json:"auto,omitempty"`
	Zero  bool    `json:"zero,omitempty"`
	Codes bool    `json:"codes,omitempty"`
	Min   float64 `json:"min,omitempty"`
	Max   float64 `json:"max,omitempty"`
	Delta float64 `json:"delta,omitempty"`
	Count int     `json:"count,omitempty"`
}

// savedSort is the order of the columns.
type savedSort struct {
	By      string `json:"by,omitempty"`
	Reverse bool   `json:"reverse,omitempty"`
	Custom  []int  `json:"custom,omitempty"`
}

// savedOrder is the order of the rows.
type savedOrder struct {
	Column  int  `json:"column"` // see header.ID
	Upwards bool `json:"upwards,omitempty"`
}

var codesNames = [...]string{"by meaning", "on", "off"}

// on lists the views on a trace, in the order of the screen.
func (p files) on(t *timeline.Trace) []*timeline.View {
	var list []*timeline.View
	for _, v := range p.sc.Views {
		if v.Trace == t {
			list = append(list, v)
		}
	}
	return list
}

// Save writes the tables of all views, except default tables in which no cell was chosen.
func (p files) Save(traces []*timeline.Trace) (json.RawMessage, error) {
	var list []savedView
	for i, t := range traces {
		views := p.on(t)
		for k, v := range views {
			s := savedView{Trace: i, View: k + 1, Of: len(views)}
			for _, a := range p.Tables(v) {
				t := tableToSession(&a.Setup, v, views)
				t.Place = a.place()
				s.Tables = append(s.Tables, t)
			}
			if s.asUsual() && (s.Tables == nil || s.Tables[0].Place == nil) {
				continue
			}
			s.Shown = slices.Index(p.Tables(v), p.shownOf(v))
			list = append(list, s)
		}
	}
	if list == nil {
		return nil, nil
	}
	return json.Marshal(list)
}

// asUsual reports whether the view has only the default table.
func (s *savedView) asUsual() bool {
	return len(s.Tables) == 0 || len(s.Tables) == 1 && s.Tables[0].Usual
}

// Usual reports whether this is the default table: nothing was chosen.
func (a *Table) Usual() bool { return a.Setup.usual }

func tableToSession(s *Setup, v *timeline.View, views []*timeline.View) savedTable {
	t := savedTable{
		Name: s.nameOn(v), Functions: s.functions, Statistic: s.Statistic, Own: s.own, Usual: s.usual,
		Inclusive: s.inclusive, Fullest: s.fullest, Bins: s.bins, Plane: s.plane,
		Data: operandToSession(&s.Data, views), Third: operandToSession(&s.third, views),
		Columns: scaleToSession(s.Columns), Planes: scaleToSession(s.planes), Codes: codesNames[s.codes],
		PlaneCodes: codesNames[s.planeCodes],
		Size:       limitsToSession(s.size), Tag: limitsToSession(s.tag),
		Time: spanNames[s.span], Look: shadeNames[s.shade],
		Empty: s.showEmpty, Transposed: s.vertical, NoTotals: s.hideSums, EachRow: s.eachRow, Digits: s.digits,
	}
	if s.span == spanFixed {
		t.Begin, t.End = s.begin, s.end
	}
	if o := s.order; o.On {
		t.Sort = &savedSort{o.By, o.Reverse, o.Custom}
	}
	if o := s.rowOrder; o.on {
		t.Rows = &savedOrder{o.column, o.upwards}
	}
	return t
}

func operandToSession(o *Operand, views []*timeline.View) *savedOperand {
	if o.sem == nil {
		return nil
	}
	at := slices.IndexFunc(views, func(v *timeline.View) bool { return v.ID == o.Window })
	return &savedOperand{View: at + 1, Window: notation.WindowOf(o.sem)}
}

func scaleToSession(s stat.Scale) savedScale {
	return savedScale{Auto: s.Auto, Zero: s.Zero, Codes: s.Codes, Min: s.Min, Max: s.Max, Delta: s.Delta,
		Count: s.Count}
}

func (s savedScale) read() stat.Scale {
	return stat.Scale{Auto: s.Auto, Zero: s.Zero, Codes: s.Codes, Min: s.Min, Max: s.Max, Delta: s.Delta,
		Count: s.Count}
}

func limitsToSession(l stat.Limits) *[2]float64 {
	if !l.Limited {
		return nil
	}
	return &[2]float64{l.Min, l.Max}
}

func limitsFromSession(l *[2]float64) stat.Limits {
	if l == nil {
		return stat.Limits{}
	}
	return stat.Limits{Limited: true, Min: l[0], Max: l[1]}
}

// Restore gives the views of a trace their saved tables. It reports and skips what it cannot read.
func (p files) Restore(part json.RawMessage, index int, t *timeline.Trace) tea.Cmd {
	var list []savedView
	if err := json.Unmarshal(part, &list); err != nil {
		return p.sc.Refuse(fmt.Errorf("the tables of the session: %w", err))
	}
	views := p.on(t)
	var wrong []error
	for i := range list {
		s := &list[i]
		if s.Trace != index {
			continue
		}
		if s.Of != len(views) || s.View < 1 || s.View > s.Of {
			if !s.asUsual() {
				wrong = append(wrong, fmt.Errorf("%s: not all windows on %s are open", namesOf(s.Tables), t.Name))
			}
			continue
		}
		v := views[s.View-1]
		for k := range s.Tables {
			setup, err := s.Tables[k].read(t.Data.Labels, views)
			if err != nil {
				wrong = append(wrong, err)
				continue
			}
			if !setup.functions && setup.Name != "" && setup.Name != setup.Statistic {
				of := v.Sem.Clone()
				setup.of = &of
			}
			p.addTable(v, setup).back = s.Tables[k].Place
		}
		p.Choose(v, s.Shown)
	}
	if wrong != nil {
		p.sc.Alarm("tables left out: " + strings.ReplaceAll(errors.Join(wrong...).Error(), "\n", "; "))
	}
	return nil
}

func namesOf(list []savedTable) string {
	var names []string
	for i := range list {
		names = append(names, list[i].Name)
	}
	return strings.Join(names, ", ")
}

func (t *savedTable) read(labels *prv.Labels, views []*timeline.View) (Setup, error) {
	s := newTableSetup()
	statistic, ok := stat.Lookup(t.Statistic)
	if !ok {
		return s, fmt.Errorf("unknown statistic %q", t.Statistic)
	}
	s.Name, s.functions, s.Statistic, s.own, s.bins, s.plane = t.Name, t.Functions, statistic.Name, t.Own, t.Bins,
		t.Plane
	s.usual, s.inclusive, s.fullest = t.Usual, t.Inclusive, t.Fullest
	s.Columns, s.planes, s.size, s.tag = t.Columns.read(), t.Planes.read(), limitsFromSession(t.Size),
		limitsFromSession(t.Tag)
	s.begin, s.end, s.showEmpty, s.vertical, s.hideSums, s.eachRow, s.digits = t.Begin, t.End, t.Empty, t.Transposed,
		t.NoTotals, t.EachRow, t.Digits
	for _, n := range []struct {
		names []string
		name  string
		set   func(i int)
	}{
		{spanNames[:], t.Time, func(i int) { s.span = tableSpan(i) }},
		{shadeNames[:], t.Look, func(i int) { s.shade = shade(i) }},
		{codesNames[:], t.Codes, func(i int) { s.codes = codes(i) }},
		{codesNames[:], t.PlaneCodes, func(i int) { s.planeCodes = codes(i) }},
	} {
		i := slices.Index(n.names, n.name)
		if i < 0 {
			return s, fmt.Errorf("%s: %q is none of: %s", t.Name, n.name, strings.Join(n.names, ", "))
		}
		n.set(i)
	}
	if o := t.Sort; o != nil {
		s.order = stat.Sort{On: true, By: o.By, Reverse: o.Reverse, Custom: o.Custom}
	}
	if t.Rows != nil {
		s.rowOrder = rowOrder{true, t.Rows.Column, t.Rows.Upwards}
	}
	var err error
	if s.Data, err = t.Data.read(labels, views); err == nil {
		s.third, err = t.Third.read(labels, views)
	}
	return s, err
}

func (o *savedOperand) read(labels *prv.Labels, views []*timeline.View) (Operand, error) {
	if o == nil {
		return Operand{}, nil
	}
	w, err := o.Window.Read(labels)
	if err != nil {
		return Operand{}, err
	}
	if o.View >= 1 && o.View <= len(views) {
		return Operand{Window: views[o.View-1].ID, sem: &w}, nil
	}
	return Operand{sem: &w}, nil
}
