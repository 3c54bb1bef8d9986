package workload

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/workload"
	"pview/insight/workload/cluster"
	"pview/prv/extrae"
	"pview/prv/quantity"
	"pview/render/timeline"
	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/list"
	"pview/tui/pane"
)

// definition is what an analysis is asked for.
type definition struct {
	kind *workload.Kind
	set  workload.Settings // as they are asked for: 0 stands for the default
	// event types whose values are bursts, or user events; nil: states, and what the trace has
	regions  []uint32
	from, to int64 // part of the run; 0, 0: all of it
}

func newDefinition() definition { return definition{kind: &workload.Kinds[0]} }

func (d *definition) options() workload.Options {
	return workload.Options{From: d.from, To: d.to, Types: d.regions}
}

// method is the one in use.
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
	method     string                    // it is of this method alone; "": of all
	cuts       bool                      // a change needs other components
}

// setup is the form of the settings, in the order of the lines that count.
type setup struct {
	sc   *pane.Scene
	rows list.List
}

// line is the line at the cursor.
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

// cycle goes to the next value of a line that has few of them; numbers grow.
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

// grow makes eps or k greater or smaller, and clusters again.
func (s *session) grow(by int) {
	if s.method() == "dbscan" {
		s.set.Eps = math.Pow(finer, math.Round(math.Log(s.eps())/math.Log(finer))+float64(by))
	} else {
		k := s.set.K
		if k == 0 && s.result != nil {
			k = len(s.result.Clusters)
		}
		s.set.K = min(max(k+by, 1), s.mostK())
	}
	s.changed()
}

// adopt takes what is suggested; false if nothing is yet.
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
		what := "what the window shows"
		s.from, s.to = f.sc.View.Begin, f.sc.View.End
		if f.sc.Selected {
			s.from, s.to, what = f.sc.SelBegin, f.sc.SelEnd, "the selection"
		}
		f.sc.Say(what)
	}
	s.recut()
	return nil
}

// settings are the lines of the definition.
var settings = []setting{
	{name: "component", hint: "kind of components", cycle: true, cuts: true, values: func(*session) []string {
		return names(workload.Kinds, func(k workload.Kind) string { return k.Name })
	},
		get: func(s *session) string { return s.kind.Name }, set: (*session).setKind},
	{name: "part", hint: "part of the run: 2s .. 3s; all: the whole run", cuts: true, get: (*session).partText,
		set: (*session).setPart},
	{name: "regions",
		hint: "event types whose values are bursts or user events, with a comma between; empty: states, user functions",
		cuts: true, get: (*session).regionsText, set: (*session).setRegions},
	{name: "parameters",
		hint:   "such as log:duration, PAPI_TOT_INS/PAPI_TOT_CYC, mean(Useful)@2, duration=1e3..; empty: the default",
		values: (*session).parameterNames, get: (*session).parametersText, set: (*session).setParameters},
	{name: "scaling", hint: "of parameters: range, zscore, none", cycle: true, values: func(*session) []string {
		return names(workload.Scalings, func(s workload.Scaling) string { return s.Name })
	},
		get: func(s *session) string {
			if s.set.Scaling == nil {
				return workload.Scalings[0].Name
			}
			return s.set.Scaling.Name
		}, set: func(s *session, text string) (err error) {
			s.set.Scaling, err = workload.ScalingByName(text)
			return err
		}},
	{name: "least", hint: "shortest component that counts: 50us; 0: all", get: func(s *session) string {
		return quantity.Time.Format(s.set.Least)
	}, set: func(s *session, text string) (err error) {
		return amount(&s.set.Least, quantity.Time, text, 0, math.MaxInt64)
	}},
	{name: "trim", hint: "set aside components outside of these percentiles: 2,98; no: none", get: (*session).trimText,
		set: (*session).setTrim},
	{name: "method", hint: "dbscan or kmeans", cycle: true, values: func(*session) []string {
		return names(workload.Methods, func(m struct{ Name, Doc string }) string { return m.Name })
	}, get: func(s *session) string { return s.method() }, set: func(s *session, text string) error {
		if !slices.ContainsFunc(workload.Methods, func(m struct{ Name, Doc string }) bool { return m.Name == text }) {
			return fmt.Errorf("must be dbscan or kmeans, not %q", text)
		}
		s.set.Method = text
		return nil
	}},
	{name: "eps", hint: "radius of a neighbourhood, in scaled units", method: "dbscan", get: func(s *session) string {
		return fmt.Sprintf("%.4g", s.eps())
	}, set: func(s *session, text string) error {
		return amount(&s.set.Eps, quantity.Number, text, math.SmallestNonzeroFloat64, math.MaxFloat64)
	}},
	{name: "min points", hint: "components in the neighbourhood of a core, itself included", method: "dbscan",
		get: func(s *session) string { return strconv.Itoa(s.minPoints()) }, set: func(s *session, text string) error {
			return whole(&s.set.MinPoints, text, 1, math.MaxInt32)
		}},
	{name: "k", hint: "number of clusters; auto: as recommended", method: "kmeans", get: func(s *session) string {
		return orAuto(s.set.K)
	}, set: func(s *session, text string) error {
		return whole(&s.set.K, strings.Replace(text, "auto", "0", 1), 0, cluster.MaxK)
	}},
	{name: "most k", hint: "largest number of clusters that is tried", method: "kmeans", get: func(s *session) string {
		return strconv.Itoa(s.mostK())
	}, set: func(s *session, text string) error {
		return whole(&s.set.MostK, text, 1, cluster.MaxK)
	}},
	{name: "rule", hint: "which k is recommended: largest, every", method: "kmeans", cycle: true,
		values: func(*session) []string {
			return names(cluster.Rules, func(r cluster.Rule) string { return r.Name })
		}, get: func(s *session) string {
			if s.set.Rule == nil {
				return cluster.Rules[0].Name
			}
			return s.set.Rule.Name
		}, set: func(s *session, text string) error {
			i := slices.IndexFunc(cluster.Rules, func(r cluster.Rule) bool { return r.Name == text })
			if i < 0 {
				return fmt.Errorf("there is no rule %q", text)
			}
			s.set.Rule = &cluster.Rules[i]
			return nil
		}},
	{name: "threshold", hint: "clusters with less than this percentage of the time are none",
		get: func(s *session) string {
			return fmt.Sprintf("%g %%", s.set.Threshold)
		}, set: func(s *session, text string) error {
			return amount(&s.set.Threshold, quantity.Number, strings.TrimSpace(strings.TrimSuffix(text, "%")), 0, 100)
		}},
	{name: "sample", hint: "cluster so many components, the others join the nearest; 0: all",
		get: func(s *session) string {
			if s.set.Sample == 0 {
				return "all"
			}
			return strconv.Itoa(s.set.Sample)
		}, set: func(s *session, text string) error {
			return whole(&s.set.Sample, strings.Replace(text, "all", "0", 1), 0, math.MaxInt32)
		}},
}

// names are the names of a table.
func names[T any](list []T, name func(T) string) (out []string) {
	for _, e := range list {
		out = append(out, name(e))
	}
	return out
}

func orAuto(n int) string {
	if n == 0 {
		return "auto"
	}
	return strconv.Itoa(n)
}

// amount reads a value within limits.
func amount(at *float64, kind *quantity.Kind, text string, low, high float64) error {
	v, err := kind.Parse(strings.TrimSpace(text), 1)
	switch {
	case err != nil:
		return err
	case !(v >= low && v <= high):
		return fmt.Errorf("%s: must be between %.3g and %.3g", text, low, high)
	}
	*at = v
	return nil
}

func whole(at *int, text string, low, high int) error {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < low || n > high {
		return fmt.Errorf("%q: must be a whole number from %d to %d", text, low, high)
	}
	*at = n
	return nil
}

func (s *session) eps() float64 {
	if s.set.Eps == 0 {
		return workload.DefaultEps
	}
	return s.set.Eps
}

func (s *session) minPoints() int {
	if s.set.MinPoints == 0 {
		return workload.DefaultMinPoints
	}
	return s.set.MinPoints
}

func (s *session) mostK() int {
	if s.set.MostK == 0 {
		return cluster.DefaultMost
	}
	return s.set.MostK
}

// lines are the settings that count now.
func (s *session) lines() (list []*setting) {
	for i := range settings {
		if m := settings[i].method; m == "" || m == s.method() {
			list = append(list, &settings[i])
		}
	}
	return list
}

// assign sets a line, and asks for what follows from it.
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
	if kind != s.kind { // its parameters and its method are others
		s.kind, s.set.Parameters, s.set.Method, s.x, s.y, s.row = kind, nil, "", 0, 1, 0
	}
	return nil
}

// partText is the part of the run, as it is read and typed.
func (s *session) partText() string {
	if s.to == 0 {
		return "all"
	}
	u := s.trace.Data.Unit
	return quantity.FormatDuration(s.from, u) + " .. " + quantity.FormatDuration(s.to, u)
}

func (s *session) setPart(text string) error {
	if text == "" || text == "all" {
		s.from, s.to = 0, 0
		return nil
	}
	low, high, ok := strings.Cut(text, "..")
	var from, to float64
	if err := errors.Join(amount(&from, quantity.Time, low, 0, math.MaxInt64),
		amount(&to, quantity.Time, high, 0, math.MaxInt64)); !ok || err != nil || from >= to {
		return fmt.Errorf("%q: must be two times, such as 2s .. 3s, or all", text)
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

// parametersText are the parameters: those that were asked for, else those that the result has.
func (s *session) parametersText() string {
	list := s.set.Parameters
	if list == nil && s.result != nil && s.result.Set.Kind == s.kind {
		list = s.result.Settings.Parameters
	}
	return workload.ParametersText(list, s.trace.Data.Labels)
}

func (s *session) setParameters(text string) error {
	s.set.Parameters = nil
	for _, word := range strings.Split(text, ",") {
		if strings.TrimSpace(word) == "" {
			continue
		}
		p, err := workload.ParseParameter(word)
		if err != nil {
			return err
		}
		s.set.Parameters = append(s.set.Parameters, p)
	}
	return nil
}

// parameterNames are completions: the columns, the counters of the trace, and what can be done with them.
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

func (s *session) trimText() string {
	if s.set.TrimLow == 0 && s.set.TrimHigh == 0 {
		return "no"
	}
	return fmt.Sprintf("%g, %g", s.set.TrimLow, s.set.TrimHigh)
}

func (s *session) setTrim(text string) error {
	if text == "no" || text == "" {
		s.set.TrimLow, s.set.TrimHigh = 0, 0
		return nil
	}
	low, high, ok := strings.Cut(text, ",")
	if err := errors.Join(amount(&s.set.TrimLow, quantity.Number, low, 0, 100),
		amount(&s.set.TrimHigh, quantity.Number, high, 0, 100)); !ok || err != nil || s.set.TrimLow >= s.set.TrimHigh {
		return fmt.Errorf("%q: must be two percentiles, such as 2,98", text)
	}
	return nil
}

// saved is the analysis of a trace in a session: what it is asked for, and whether the timeline shows it.
type saved struct {
	Trace    int              `json:"trace"`
	Scheme   *workload.Scheme `json:"scheme"`
	From     int64            `json:"from,omitempty"`
	To       int64            `json:"to,omitempty"`
	Regions  []uint32         `json:"regions,omitempty"`
	Timeline bool             `json:"timeline,omitempty"`
}

// Save writes what is asked for.
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

// Restore takes that back. Clusters that the timeline has shown are computed again.
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
