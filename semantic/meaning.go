package semantic

import "pview/prv"

// Meaning says what the values of a function or a window stand for.
type Meaning uint8

// The meanings.
const (
	PlainNumbers Meaning = iota
	StateCodes
	EventTypes
	EventValues
	Times // durations and times, in the window's unit
	Bytes
	Ptasks // numbers (1-based) of objects
	Tasks
	Threads
	Nodes
	CPUs
	Partners   // numbers (1-based) of objects of the window's level
	Bandwidths // bytes per unit of time of the window
	Named      // of the function's own: see Entry.Values
	// PassedOn marks functions whose values mean the same as their arguments. No window has it.
	PassedOn
)

// IsAmount reports whether values say how much, not which.
func (m Meaning) IsAmount() bool {
	return m == PlainNumbers || m == Times || m == Bytes || m == Bandwidths
}

// YesNo returns the thread function, and its call, of a window whose values are 1 and 0; ok is false for other windows,
// also for those that transform such values.
func (w *Window) YesNo() (e *Entry, c Call, ok bool) {
	c = w.Functions[prv.LevelThread]
	e, ok = Lookup(ThreadFunctions, c.Name)
	return e, c, ok && e.YesNo && w.Derived == nil && w.Level == prv.LevelThread && w.Top1.IsAsIs() &&
		w.Top2.IsAsIs() && len(w.Extra) == 0
}

// Meaning returns what the values of a window stand for, as Paraver decides it:
// from the outside in, by the first function that does not pass values on. Sums are
// plain numbers.
func (w *Window) Meaning() Meaning { return w.meaning(func(prv.Level) bool { return false }) }

// MeaningOn is Meaning for a trace, where a sum over a single child, such as the only thread of every task, means the
// same as the child.
func (w *Window) MeaningOn(t *prv.Trace) Meaning {
	return w.meaning(func(l prv.Level) bool {
		levels := way(l)
		return len(levels) > 1 && w.Functions[l].Name == "Adding" && t.Count(l) == t.Count(levels[len(levels)-2])
	})
}

// meaning is Meaning; the functions of the levels for which passes is true pass their
// values on.
func (w *Window) meaning(passes func(l prv.Level) bool) Meaning {
	m := PlainNumbers
	for i, l := range w.levels() {
		switch {
		case w.Derived != nil && i == 0:
			m = w.Derived.meaning(passes)
		case !passes(l):
			m = m.after(FamilyOf(l), &w.Functions[l])
		}
		m = m.after(ComposeFunctions, &w.Compose[l])
	}
	for _, c := range append([]Call{w.Top2, w.Top1}, w.Extra...) {
		m = m.after(ComposeFunctions, &c)
	}
	return m
}

// after returns the meaning of a function's values, given the meaning m of its arguments.
func (m Meaning) after(f Family, c *Call) Meaning {
	e, ok := Lookup(f, c.Name)
	switch {
	case !ok:
		return PlainNumbers
	case e.Meaning == PassedOn || c.condition() != "":
		return m
	}
	return e.Meaning
}

// meaning returns the meaning of an operation's values: as in Paraver, that of the first parent, whatever the second
// parent and the factors are.
func (d *Derived) meaning(passes func(l prv.Level) bool) Meaning {
	e, ok := Lookup(DerivedFunctions, d.Op.Name)
	if !ok || e.Meaning != PassedOn {
		return PlainNumbers
	}
	return d.A.Window.meaning(passes)
}
