// The meaning of a file for a trace.

package cfg

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pview/filter"
	"pview/prv"
	"pview/semantic"
	"pview/semantic/stat"
)

// Bound is a file bound to a trace: all that depends on the trace is resolved.
type Bound struct {
	Windows    []BoundWindow
	Histograms []stat.Histogram // with the rows of their control windows
}

// BoundWindow is a window of a file, bound to a trace.
type BoundWindow struct {
	*Window
	Begin, End int64 // the time shown, in units of the trace
	Rows       []int // the selected objects, in order
}

// MissingTypesError: the trace has no event of any type that the windows of a file listen to. Paraver rejects such a
// file; a program may ask its user and continue. It is the cause of a prv.FileError.
type MissingTypesError struct {
	Types []uint32
}

func (e *MissingTypesError) Error() string {
	if len(e.Types) == 0 {
		return "the filters name no event type"
	}
	return "the trace has no event of " + typeList(e.Types)
}

// typesShown is the number of event types that a message lists.
const typesShown = 10

func typeList(types []uint32) string {
	var list []string
	for _, t := range types[:min(len(types), typesShown)] {
		list = append(list, fmt.Sprint(t))
	}
	switch more := len(types) - typesShown; {
	case len(list) == 1:
		return "type " + list[0]
	case more > 0:
		return fmt.Sprintf("the types %s and %d more", strings.Join(list, ", "), more)
	}
	return "the types " + strings.Join(list, ", ")
}

// Bind binds a file to a trace. A label of an event type or value, if the trace has it, wins over the number beside it
// (the filter does that). An error means that a window cannot be shown at all, because its level does not exist in the
// trace or none of its objects is selected; that Paraver does not know a function by its name, an older spelling; or,
// as a MissingTypesError, that no window listens to an event type that occurs. With lenient the latter two are notes.
// Event types that do not occur are a note if others do.
func (f *File) Bind(t *prv.Trace, lenient bool) (*Bound, []prv.Note, error) {
	b := &Bound{}
	if len(f.misspelled) > 0 && !lenient {
		n := f.misspelled[0]
		return nil, nil, &prv.FileError{File: n.File, Line: n.Line, Why: n.Text, Err: errors.New(n.Text)}
	}
	for _, w := range f.Windows {
		bound := w.bind(t)
		if err := bound.check(t); err != nil {
			return nil, nil, f.Fault(w, err)
		}
		b.Windows = append(b.Windows, bound)
	}
	notes, err := f.types(t)
	notes = append(notes, f.misspelled...)
	var missing *prv.FileError
	if lenient && errors.As(err, &missing) {
		notes, err = append(notes, prv.Note{File: f.Name, Line: missing.Line, Text: missing.Why}), nil
	}
	if err != nil {
		return nil, notes, err
	}
	for _, h := range f.Histograms {
		bound := h.Histogram
		if i := f.position(h.Control); i >= 0 {
			bound.Rows = b.Windows[i].Rows
		}
		b.Histograms = append(b.Histograms, bound)
	}
	return b, notes, nil
}

// Fault adds the place in the file to an error of a window.
func (f *File) Fault(w *Window, err error) error {
	return &prv.FileError{File: f.Name, Line: w.levelLine, Why: prv.Clean(err.Error()), Err: err}
}

// check reports whether a window can be shown on a trace.
func (b *BoundWindow) check(t *prv.Trace) error {
	if b.Level.IsResource() && len(t.Nodes) == 0 {
		return fmt.Errorf("window %q: %w", b.Name, semantic.ErrNoResources)
	}
	if !slices.Contains(b.View.selected(t, b.Level), true) {
		return fmt.Errorf("window %q: none of its objects is selected", b.Name)
	}
	return nil
}

// types reports whether the trace has events of the types that windows listen to. One
// type of one window is enough for all.
func (f *File) types(t *prv.Trace) (notes []prv.Note, err error) {
	var filters []*filter.EventFilter
	for _, w := range f.Windows {
		if w.Derived == nil {
			filters = append(filters, &w.Filter.Events)
		}
	}
	present := filter.PresenceOf(t, filters...)
	any, line := false, int64(0)
	var all []uint32
	for _, w := range f.Windows {
		if w.Derived != nil {
			continue
		}
		some, missing := present.Of(&w.Filter.Events)
		any = any || some
		if len(missing) == 0 {
			continue
		}
		all = append(all, missing...)
		if line == 0 {
			line = w.typesLine
		}
		notes = append(notes, prv.Note{File: f.Name, Line: w.typesLine,
			Text: fmt.Sprintf("window %q: the trace has no event of %s", w.Name, typeList(missing))})
	}
	if any {
		return notes, nil
	}
	slices.Sort(all)
	cause := &MissingTypesError{slices.Compact(all)}
	return nil, &prv.FileError{File: f.Name, Line: line, Why: cause.Error(), Err: cause}
}

// bind returns the time and the rows of a trace that the window shows.
func (w *Window) bind(t *prv.Trace) BoundWindow {
	b := BoundWindow{Window: w, Rows: w.View.rows(t, w.Level)}
	b.Begin, b.End = w.View.Range.Times(t.Duration)
	return b
}

// rows returns the objects of a level that are shown.
func (v *View) rows(t *prv.Trace, l prv.Level) []int {
	var rows []int
	for i, on := range v.selected(t, l) {
		if on && (v.Zoom == nil || i >= v.Zoom[0] && i <= v.Zoom[1]) {
			rows = append(rows, i)
		}
	}
	return rows
}

// selected reports for each object of a level whether it is selected: unless a line on this level turns it off. Lines
// on the objects that contain it do not count, nor do lines on more objects than exist.
func (v *View) selected(t *prv.Trace, l prv.Level) []bool {
	list := make([]bool, t.Count(l))
	for i := range list {
		list[i] = true
	}
	for _, s := range v.Objects {
		if s.Level != l {
			continue
		}
		if first, n, ok := s.objects(t); ok && len(s.On) <= n {
			copy(list[first:], s.On)
		}
	}
	return list
}

// objects returns the objects that a selection covers.
func (s *Selection) objects(t *prv.Trace) (first, n int, ok bool) {
	within := func(i, count int) bool { return i >= 0 && i < count }
	if len(s.Parent) != parents(s.Level) {
		return 0, 0, false
	}
	switch s.Level {
	case prv.LevelTask, prv.LevelThread:
		if !within(s.Parent[0], len(t.Ptasks)) {
			return 0, 0, false
		}
		p := t.Ptasks[s.Parent[0]]
		if s.Level == prv.LevelTask {
			return int(p.FirstTask), int(p.Tasks), true
		}
		if !within(s.Parent[1], int(p.Tasks)) {
			return 0, 0, false
		}
		task := t.Tasks[int(p.FirstTask)+s.Parent[1]]
		return int(task.FirstThread), int(task.Threads), true
	case prv.LevelCPU:
		if !within(s.Parent[0], len(t.Nodes)) {
			return 0, 0, false
		}
		node := t.Nodes[s.Parent[0]]
		return int(node.FirstCPU) - 1, int(node.CPUs), true
	}
	return 0, t.Count(s.Level), true
}
