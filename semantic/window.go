// Package semantic turns the records of a trace into values: the value that a window shows for each object at each
// time.
//
// A Window says which values are wanted. Compile binds it to a trace; the Evaluator that it returns computes, per
// object (row), a Series: the value as a piecewise-constant function of time, with aggregates that make the statistics
// of any interval cheap. The functions that a window chooses from are tables: see Functions.
//
// The numbers are those of Paraver's command-line tool, burst by burst.
package semantic

import (
	"slices"

	"pview/filter"
	"pview/prv"
)

// Window is a window as users know it: which function of the trace is shown,
// for the objects of which level. It is a plain value, independent of any
// trace, and is not changed by evaluation.
//
// The value of an object at a time is
//
//	Extra[n]( ... Top1( Top2( Compose[l]( Functions[l]( ... Compose[Thread]( Functions[Thread] ) ) ) ) ) )
//
// along the levels from thread to the window's own: thread, task, ptask, workload on the process side; thread, cpu,
// node, system on the resource side. Functions of other levels are kept but not used.
type Window struct {
	Name  string
	Level prv.Level
	Unit  Unit // of values that are durations
	// Filter says which events and communications the thread function sees. A
	// derived window does not use its own: its parents have theirs.
	Filter filter.Filter

	Functions  [7]Call // by prv.Level
	Compose    [7]Call // by prv.Level; the zero Call is As Is
	Top2, Top1 Call    // Top2 is applied before Top1
	Extra      []Call  // applied after Top1, in order

	// HoldState lets a state go on through the gap after its end until the next begins. (This is Paraver's preference
	// "fill state gaps", which is off by default: a gap has state 0.)
	HoldState bool
	// IgnoreFileOrder puts a state's end before the begin of another at the same time, whatever their order in the
	// file. Paraver keeps the order of the file, and so loses states of traces that are not sorted.
	IgnoreFileOrder bool

	// Derived is nil for a window on the records of a trace. Otherwise the values at
	// the finer of the parents' levels come from an operation on the parents;
	// the functions of the levels above, and the composes, are this window's.
	Derived *Derived
}

// Call is a function of a table, by name, with its parameters.
type Call struct {
	Name string
	// Params are the values of the function's parameters in order. Missing ones have their defaults; nil: all have.
	Params [][]float64
	// Expression defines the value of a UserFunction; "" is its default.
	Expression string
}

// Derived combines two windows.
type Derived struct {
	Op Call // of the family Derivation
	// A and B are the parents: the result has the bursts of both unless the operation says otherwise; for the
	// "controlled:" operations, those of the control window B.
	A, B Parent
}

// Parent is one of the two windows of a derived window.
type Parent struct {
	Window *Window
	Factor float64 // its values are multiplied by it
	// Shift takes the value of the burst that is Shift bursts later, earlier if negative.
	Shift int
	// Trace is nil where the parent is on the trace of the derived window.
	Trace *prv.Trace
}

// DefaultWindow returns the window that Paraver opens on a trace: the states
// of the threads.
func DefaultWindow() Window {
	w := Window{Name: "State as is", Level: prv.LevelThread, Unit: Microseconds, Filter: filter.Default(),
		Functions: DefaultFunctions()}
	return w
}

// DefaultFunctions returns Paraver's default function of each level.
func DefaultFunctions() [7]Call {
	var f [7]Call
	for l := range f {
		f[l] = Call{Name: "Adding"}
	}
	f[prv.LevelThread] = Call{Name: "State As Is"}
	f[prv.LevelCPU] = Call{Name: "Active Thd"}
	return f
}

// ThreadWindow returns the default window with another thread function.
func ThreadWindow(name string, params ...[]float64) Window {
	w := DefaultWindow()
	w.Name = name
	w.Functions[prv.LevelThread] = Call{Name: name, Params: params}
	return w
}

// Equal reports whether two calls are the same. A parameter left out is not
// equal to its default written out.
func (c *Call) Equal(d *Call) bool {
	return c.Name == d.Name && c.Expression == d.Expression &&
		slices.EqualFunc(c.Params, d.Params, func(a, b []float64) bool { return slices.Equal(a, b) })
}

// Equal reports whether two windows show the same under the same name.
func (w *Window) Equal(v *Window) bool {
	if w.Name != v.Name || w.Level != v.Level || w.Unit != v.Unit || w.HoldState != v.HoldState ||
		w.IgnoreFileOrder != v.IgnoreFileOrder || !w.Filter.Equal(&v.Filter) {
		return false
	}
	eq := func(a, b Call) bool { return a.Equal(&b) }
	if !slices.EqualFunc(w.Functions[:], v.Functions[:], eq) || !slices.EqualFunc(w.Compose[:], v.Compose[:], eq) ||
		!w.Top1.Equal(&v.Top1) || !w.Top2.Equal(&v.Top2) || !slices.EqualFunc(w.Extra, v.Extra, eq) {
		return false
	}
	if w.Derived == nil || v.Derived == nil {
		return w.Derived == v.Derived
	}
	d, e := w.Derived, v.Derived
	return d.Op.Equal(&e.Op) && d.A.equal(&e.A) && d.B.equal(&e.B)
}

func (p *Parent) equal(q *Parent) bool {
	return p.Factor == q.Factor && p.Shift == q.Shift && p.Trace == q.Trace && p.Window.Equal(q.Window)
}

// Clone returns a window that shares no memory with w except traces.
func (w *Window) Clone() Window {
	v := *w
	v.Filter = w.Filter.Clone()
	for i := range v.Functions {
		v.Functions[i] = w.Functions[i].clone()
		v.Compose[i] = w.Compose[i].clone()
	}
	v.Top1, v.Top2 = w.Top1.clone(), w.Top2.clone()
	v.Extra = slices.Clone(w.Extra)
	for i := range v.Extra {
		v.Extra[i] = v.Extra[i].clone()
	}
	if w.Derived != nil {
		d := *w.Derived
		d.Op = d.Op.clone()
		for _, p := range []*Parent{&d.A, &d.B} {
			pw := p.Window.Clone()
			p.Window = &pw
		}
		v.Derived = &d
	}
	return v
}

func (c Call) clone() Call {
	c.Params = slices.Clone(c.Params)
	for i := range c.Params {
		c.Params[i] = slices.Clone(c.Params[i])
	}
	return c
}

// levels returns the levels that values pass up to the window's own: from thread, or from the finer parent of a derived
// window.
func (w *Window) levels() []prv.Level {
	all := way(w.Level)
	if w.Derived == nil {
		return all
	}
	// On either side, the greater level is the finer one.
	finer := max(w.Derived.A.Window.Level, w.Derived.B.Window.Level)
	for i, l := range all {
		if l == finer {
			return all[i:]
		}
	}
	return all[len(all)-1:]
}

// way returns the levels from thread to that of a window, both included.
func way(l prv.Level) []prv.Level {
	switch l {
	case prv.LevelTask:
		return []prv.Level{prv.LevelThread, prv.LevelTask}
	case prv.LevelPtask:
		return []prv.Level{prv.LevelThread, prv.LevelTask, prv.LevelPtask}
	case prv.LevelWorkload:
		return []prv.Level{prv.LevelThread, prv.LevelTask, prv.LevelPtask, prv.LevelWorkload}
	case prv.LevelCPU:
		return []prv.Level{prv.LevelThread, prv.LevelCPU}
	case prv.LevelNode:
		return []prv.Level{prv.LevelThread, prv.LevelCPU, prv.LevelNode}
	case prv.LevelSystem:
		return []prv.Level{prv.LevelThread, prv.LevelCPU, prv.LevelNode, prv.LevelSystem}
	}
	return []prv.Level{prv.LevelThread}
}
