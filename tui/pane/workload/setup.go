package workload

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/workload"
	"pview/prv/extrae"
	"pview/prv/quantity"
	"pview/render/timeline"
	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/list"
	"pview/tui/pane"
)

// definition defines an analysis.
type definition struct {
	kind *workload.Kind
	set  workload.Settings // as requested: 0 stands for the default
	// event types whose values are bursts, or user events; nil: states, and what the trace has
	regions  []uint32
	from, to int64 // part of the run; 0, 0: all of it
}

func (d *definition) options() workload.Options {
	return workload.Options{From: d.from, To: d.to, Types: d.regions}
}

// method returns the method in use.
func (s *session) method() string {
	switch {
	case s.set.Method != "":
		return s.set.Method
	case s.result != nil && s.result.Set.Kind == s.kind:
		return s.result.Settings.Method
	}
	return s.kind.Method
}

// setting is a line of the definition.
type setting struct {
	name, hint string
	get        func(s *session) string
	set        func(s *session, text string) error
	values     func(s *session) []string // to choose from, or completions
	cycle      bool                      // left and right go through the values
	method     string                    // only for this method; "": for all
	cuts       bool                      // a change needs other components
}

// setup is the form of the settings, in the order of the effective lines.
type setup struct {
	sc   *pane.Scene
	rows list.List
}

// line returns the line at the cursor.
func (f *setup) line(s *session) *setting { return s.lines()[f.rows.At()] }

// edit asks for the line of the setup at the cursor.
func (f *setup) edit(s *session) tea.Cmd {
	st := f.line(s)
	line := &dialog.Prompt{Label: st.name + " ", Hint: st.hint, Accept: func(text string) tea.Cmd {
		if err := s.assign(st, text); err != nil {
			return f.sc.Refuse(err)
		}
		return nil
	}}
	if st.values != nil {
		line.Suggest = func(text string) (list []dialog.Completion) {
			before, last := "", strings.TrimSpace(text)
			if at := strings.LastIndex(text, ","); at >= 0 {
				before, last = text[:at+1]+" ", strings.TrimSpace(text[at+1:])
			}
			for _, v := range st.values(s) {
				if strings.HasPrefix(strings.ToLower(v), strings.ToLower(last)) && v != last {
					list = append(list, dialog.Completion{Text: before + v, Weak: last == ""})
				}
			}
			return list
		}
	}
	line.Input.Set(st.get(s))
	line.Input.Select()
	return f.sc.Dialogs.Open(line)
}

// set changes a line by its name.
func (f *setup) set(s *session, args string) tea.Cmd {
	for i := range settings {
		if text, ok := strings.CutPrefix(args, settings[i].name); ok &&
			(text == "" || text[0] == ' ' || text[0] == '=') {
			if err := s.assign(&settings[i], strings.TrimPrefix(strings.TrimSpace(text), "=")); err != nil {
				return f.sc.Refuse(err)
			}
			return nil
		}
	}
	return f.sc.Refuse(fmt.Errorf("%q: the lines are %s", args,
		strings.Join(names(settings, func(st setting) string { return st.name }), ", ")))
}

// complete offers the lines and their values. s may be nil.
func (f *setup) complete(s *session, args string) (list []string) {
	for i := range settings {
		st := &settings[i]
		if text, ok := strings.CutPrefix(args, st.name+" "); ok && st.values != nil && s != nil {
			for _, v := range st.values(s) {
				if strings.HasPrefix(v, text) {
					list = append(list, st.name+" "+v)
				}
			}
		} else if strings.HasPrefix(st.name, args) {
			list = append(list, st.name+" ")
		}
	}
	return list
}

// cycle goes to the next value of a line with few values; numbers increase.
func (f *setup) cycle(s *session, by int) tea.Cmd {
	st := f.line(s)
	if !st.cycle {
		if st.name == "eps" || st.name == "k" {
			s.grow(by)
		}
		return nil
	}
	list := st.values(s)
	next, err := action.Choose(list, max(0, slices.Index(list, st.get(s))), by, "")
	if err == nil {
		err = s.assign(st, list[next])
	}
	if err != nil {
		return f.sc.Refuse(err)
	}
	return nil
}

// finer is the factor of a step of eps.
const finer = 1.1

// grow increases or decreases eps or k, and clusters again; false at the limits of k.
func (s *session) grow(by int) bool {
	if s.method() == "dbscan" {
		s.set.Eps = math.Pow(finer, math.Round(math.Log(s.used().Eps)/math.Log(finer))+float64(by))
	} else {
		k := s.set.K
		if k == 0 && s.result != nil {
			k = len(s.result.Clusters)
		}
		if k+by < 1 || k+by > s.used().MostK {
			return false
		}
		s.set.K = k + by
	}
	s.changed()
	return true
}

// adopt takes the suggested value; false if there is none yet.
func (s *session) adopt() bool {
	if s.method() == "kmeans" {
		s.set.K = 0
	} else if v := s.shown[pageChoice]; v == nil || v.suggested == 0 {
		return false
	} else {
		s.set.Eps = v.suggested
	}
	s.changed()
	return true
}

// flipPart limits the analysis to a part of the run, or lifts the limit.
func (f *setup) flipPart(s *session) tea.Cmd {
	if s.to != 0 {
		s.from, s.to = 0, 0
		f.sc.Say("the whole run")
	} else {
		s.from, s.to = f.sc.Stretch()
	}
	s.recut()
	return nil
}

// settings are the lines of the definition.
var settings = append([]setting{
	{name: "component", hint: "kind of components", cycle: true, cuts: true, values: func(*session) []string {
		return names(workload.Kinds, func(k workload.Kind) string { return k.Name })
	},
		get: func(s *session) string { return s.kind.Name }, set: (*session).setKind},
	{name: "part", hint: "part of the run: 2 .. 3 s; all: the whole run", cuts: true, get: (*session).partText,
		set: (*session).setPart},
	{name: "regions",
		hint: "event types whose values are bursts or user events, separated by commas; empty: states, user functions",
		cuts: true, get: (*session).regionsText, set: (*session).setRegions},
	{name: "parameters",
		hint:   "such as log:duration, PAPI_TOT_INS/PAPI_TOT_CYC, mean(Useful)@2, duration=1e3..; empty: the default",
		values: (*session).parameterNames, get: (*session).parametersText, set: (*session).setParameters},
}, fieldLines()...)

// fieldLines returns the settings that are also flags of the command.
func fieldLines() (list []setting) {
	for i := range workload.Fields {
		f := &workload.Fields[i]
		st := setting{name: f.Name, hint: f.Hint, method: f.Method, cycle: f.Values != nil,
			get: func(s *session) string { return f.Text(s.used()) },
			set: func(s *session, text string) error { return f.Set(&s.set, text) }}
		if f.Values != nil {
			st.values = func(*session) []string { return f.Values }
		}
		list = append(list, st)
	}
	return list
}

// names returns the names of a table.
func names[T any](list []T, name func(T) string) (out []string) {
	for _, e := range list {
		out = append(out, name(e))
	}
	return out
}

// used returns the settings in use.
func (s *session) used() *workload.Settings {
	set := s.set.Filled()
	set.Method = s.method()
	return &set
}

// lines returns the effective settings.
func (s *session) lines() (list []*setting) {
	for i := range settings {
		if m := settings[i].method; m == "" || m == s.method() {
			list = append(list, &settings[i])
		}
	}
	return list
}

// assign sets a line, and asks for the resulting analysis.
func (s *session) assign(st *setting, text string) error {
	before := s.definition
	if err := st.set(s, strings.TrimSpace(text)); err != nil {
		s.definition = before
		return fmt.Errorf("%s: %w", st.name, err)
	}
	if st.cuts {
		s.recut()
	} else {
		s.changed()
	}
	return nil
}

func (s *session) setKind(text string) error {
	kind, err := workload.KindByName(text)
	if err != nil {
		return err
	}
	if kind != s.kind { // other parameters and another method
		s.kind, s.set.Parameters, s.set.Method, s.x, s.y, s.row = kind, nil, "", 0, 1, 0
	}
	return nil
}

// partText returns the part of the run in the form that users type.
func (s *session) partText() string {
	if s.to == 0 {
		return "all"
	}
	u := s.trace.Data.Unit
	return quantity.FormatRange(s.from, s.to, u)
}

func (s *session) setPart(text string) error {
	if text == "" || text == "all" {
		s.from, s.to = 0, 0
		return nil
	}
	low, high, ok := strings.Cut(text, "..")
	low, high = strings.TrimSpace(low), strings.TrimSpace(high)
	const digits = "0123456789.,"
	if strings.Trim(low, digits) == "" { // write the unit once
		low += strings.TrimLeft(high, digits)
	}
	from, err1 := quantity.ParseTime(low, 1)
	to, err2 := quantity.ParseTime(high, 1)
	if !ok || err1 != nil || err2 != nil || !(0 <= from && from < to && to < math.MaxInt64) {
		return fmt.Errorf("%q: must be two times, such as 2 .. 3 s, or all", text)
	}
	s.from, s.to = s.trace.FromNS(int64(from)), s.trace.FromNS(int64(to))
	return nil
}

func (s *session) regionsText() string {
	if len(s.regions) == 0 {
		return "states"
	}
	return strings.Trim(fmt.Sprint(s.regions), "[]")
}

func (s *session) setRegions(text string) error {
	s.regions = nil
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		if word == "states" {
			continue
		}
		n, err := strconv.ParseUint(word, 10, 32)
		if err != nil {
			return fmt.Errorf("%q: must be the number of an event type", word)
		}
		s.regions = append(s.regions, uint32(n))
	}
	return nil
}

// parametersText returns the requested parameters, else those of the result.
func (s *session) parametersText() string {
	list := s.set.Parameters
	if list == nil && s.result != nil && s.result.Set.Kind == s.kind {
		list = s.result.Settings.Parameters
	}
	return workload.ParametersText(list, s.trace.Data.Labels)
}

func (s *session) setParameters(text string) (err error) {
	s.set.Parameters, err = workload.ParseParameters(text)
	return err
}

// parameterNames are completions: the columns, the counters of the trace, and operations on them.
func (s *session) parameterNames() (list []string) {
	if s.base == nil {
		return nil
	}
	for i := range s.base.Columns {
		c := &s.base.Columns[i]
		list = append(list, c.Name)
		if c.Unit != "" {
			list = append(list, "log:"+c.Name)
		}
	}
	if s.base.Thread == nil {
		return list
	}
	labels := s.trace.Data.Labels
	for i := range labels.Types {
		e := &labels.Types[i]
		if word, _, _ := strings.Cut(e.Label, " "); extrae.IsCounter(labels, e.Type) {
			list = append(list, word, "log:"+word, "total("+word+")")
		}
	}
	return append(list, "mean(Useful)")
}

// saved is the analysis of a trace in a session: its request, and whether the timeline shows it.
type saved struct {
	Trace    int              `json:"trace"`
	Scheme   *workload.Scheme `json:"scheme"`
	From     int64            `json:"from,omitempty"`
	To       int64            `json:"to,omitempty"`
	Regions  []uint32         `json:"regions,omitempty"`
	Timeline bool             `json:"timeline,omitempty"`
}

// Save writes the request.
func (p *Pane) Save(traces []*timeline.Trace) (json.RawMessage, error) {
	var list []saved
	for i, t := range traces {
		if s := p.sessions[t]; s != nil && (s.version > 1 || s.wanted) {
			list = append(list, saved{i, workload.SchemeOf(s.kind, s.set), s.from, s.to, s.regions, s.wanted})
		}
	}
	if list == nil {
		return nil, nil
	}
	return json.Marshal(list)
}

// Restore reads it back. Clusters that the timeline showed are computed again.
func (p *Pane) Restore(part json.RawMessage, index int, t *timeline.Trace) tea.Cmd {
	var list []saved
	if err := json.Unmarshal(part, &list); err != nil {
		return p.sc.Refuse(fmt.Errorf("the workloads of the session cannot be read: %w", err))
	}
	for _, one := range list {
		if one.Trace != index || one.Scheme == nil {
			continue
		}
		kind, set, err := one.Scheme.Settings()
		if err != nil {
			return p.sc.Refuse(fmt.Errorf("the workload of the session: %w", err))
		}
		s := p.sessionOf(t)
		s.definition = definition{kind, set, one.Regions, one.From, one.To}
		s.recut()
		if one.Timeline && kind.Streams() {
			s.wanted, s.restoring = true, true
		}
	}
	return nil
}
