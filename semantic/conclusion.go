package semantic

import (
	"context"
	"fmt"
	"slices"

	"pview/prv"
)

// Thread functions whose values no record has, such as what a thread waits for and whom it holds up. They follow from
// the trace as a whole; packages above this one compute them and add their functions to the table when the program
// starts (AddThreadFunction). Windows, menus, cfgs and documentation then have them like any other.
//
// Paraver has none of them. See Entry.Own.

// Steps is a value over time: Value[i] holds from Begin[i] to Begin[i+1], the last one to the end of the trace. Begin
// starts with 0, increases, and stays below the end of the trace.
type Steps struct {
	Begin []int64
	Value []float64
}

// Finder finds the values of all threads of a trace, in order. It is called from several goroutines, more than once for
// a trace, and keeps what is expensive; the columns that it returns are not changed. It fails only if ctx ends.
type Finder func(ctx context.Context, t *prv.Trace) ([]Steps, error)

// NamedValue is a value with a name.
type NamedValue struct {
	Value float64
	Name  string
	Color [3]uint8 // red, green, blue
}

// AddThreadFunction adds a thread function whose values a finder finds. It must only be called while the program
// starts.
func AddThreadFunction(e Entry, find Finder) {
	e.Own, e.find = true, find
	threadTable = append(slices.Clip(threadTable[:len(threadTable)-1]), e, userThread)
}

// foundRow returns a thread's row from a finder, before its compose.
func (e *Evaluator) foundRow(ctx context.Context, th int) (b bursts, err error) {
	steps, err := e.calls[prv.LevelThread].find(ctx, e.trace)
	if err != nil {
		return b, err
	}
	s := &steps[th]
	return bursts{begin: slices.Clone(s.Begin), value: slices.Clone(s.Value), end: e.end}, nil
}

// isFound reports whether a finder has the values of the window's thread function.
func (e *Evaluator) isFound() bool {
	f := e.calls[prv.LevelThread].Entry
	return f != nil && f.find != nil
}

// checkLevel rejects the levels that a function without records lacks.
func (e *Evaluator) checkLevel() error {
	if e.isFound() && e.level.IsResource() {
		return fmt.Errorf("%s is of threads: the levels node, cpu and system do not have it",
			e.calls[prv.LevelThread].Name)
	}
	return nil
}

// ValuesOf returns the named values of a window whose meaning is Named.
func (w *Window) ValuesOf() []NamedValue {
	for w.Derived != nil {
		w = w.Derived.A.Window
	}
	if e, ok := Lookup(ThreadFunctions, w.Functions[prv.LevelThread].Name); ok {
		return e.Values
	}
	return nil
}
