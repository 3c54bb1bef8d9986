// What a file means for a trace.

package cfg

import (
	"errors"
	"fmt"
	"strings"

	"pview/prv"
	"pview/semantic"
	"pview/semantic/stat"
)

// Bound is a file on a trace: what depends on the trace is found out.
type Bound struct {
	Windows    []BoundWindow
	Histograms []stat.Histogram // with the rows that their control windows show
}

// BoundWindow is a window of a file on a trace.
type BoundWindow struct {
	*Window
	Begin, End int64 // the stretch of time that it shows, in units of the trace
	Rows       []int // the objects that are selected, in order
}

// MissingTypesError says that a window listens to events of types of which the
// trace has none. Paraver refuses such a file; a program may ask its user and
// go on. It is the cause of a prv.FileError.
type MissingTypesError struct {
	Window string
	Types  []uint32
}

func (e *MissingTypesError) Error() string {
	return fmt.Sprintf("window %q: the trace has no event of %s", e.Window, typeList(e.Types))
}

func typeList(types []uint32) string {
	var list []string
	for _, t := range types {
		list = append(list, fmt.Sprint(t))
	}
	if len(list) == 1 {
		return "type " + list[0]
	}
	return "the types " + strings.Join(list, ", ")
}

// Bind finds out what a file means for a trace. A label of an event type or value
// that the trace knows wins over the number that stands beside it (the filter does
// that). The error is that of the first window that cannot be shown at all: its
// level does not exist in the trace, or none of its event types occurs
// (MissingTypesError). With anyTypes the latter is a note. Event types of which
// others of the same window occur are a note.
func (f *File) Bind(t *prv.Trace, anyTypes bool) (*Bound, []prv.Note, error) {
	var notes []prv.Note
	b := &Bound{}
	for _, w := range f.Windows {
		note, err := w.check(t)
		switch {
		case err == nil && note == "":
		case err == nil:
			notes = append(notes, prv.Note{File: f.Name, Line: w.typesLine, Text: note})
		case anyTypes && isMissing(err):
			notes = append(notes, prv.Note{File: f.Name, Line: w.typesLine, Text: err.Error()})
		default:
			line := w.levelLine
			if isMissing(err) {
				line = w.typesLine
			}
			return nil, notes, &prv.FileError{File: f.Name, Line: line, Why: prv.Clean(err.Error()), Err: err}
		}
		b.Windows = append(b.Windows, w.Bind(t))
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

func isMissing(err error) bool {
	var missing *MissingTypesError
	return errors.As(err, &missing)
}

// check reports whether a window can be shown on a trace, and what is worth
// telling of it.
func (w *Window) check(t *prv.Trace) (note string, err error) {
	if w.Level.IsResource() && len(t.Nodes) == 0 {
		return "", fmt.Errorf("window %q: %w", w.Name, semantic.ErrNoResources)
	}
	if w.Derived != nil {
		return "", nil
	}
	missing, listed := w.Filter.Events.MissingTypes(t)
	switch {
	case len(missing) == 0:
		return "", nil
	case len(missing) == listed:
		return "", &MissingTypesError{w.Name, missing}
	}
	return fmt.Sprintf("window %q: the trace has no event of %s", w.Name, typeList(missing)), nil
}

// Bind finds out which stretch of time and which rows the window shows of a
// trace.
func (w *Window) Bind(t *prv.Trace) BoundWindow {
	b := BoundWindow{Window: w, Rows: w.View.rows(t, w.Level)}
	b.Begin, b.End = w.View.Range.Times(t.Duration)
	return b
}

// rows returns the objects of a level that are selected: those that no line
// turns off, neither themselves nor what contains them.
func (v *View) rows(t *prv.Trace, l prv.Level) []int {
	var off [7][]bool // by level; nil where no object is turned off
	for _, s := range v.Objects {
		first, n, ok := s.objects(t)
		if !ok || len(s.On) > n {
			continue
		}
		if off[s.Level] == nil {
			off[s.Level] = make([]bool, t.Count(s.Level))
		}
		for i, on := range s.On {
			off[s.Level][first+i] = !on
		}
	}
	var rows []int
	for i := range t.Count(l) {
		if !isOff(&off, t, l, i) && (v.Zoom == nil || i >= v.Zoom[0] && i <= v.Zoom[1]) {
			rows = append(rows, i)
		}
	}
	return rows
}

// isOff reports whether object i of a level, or an object that contains it, is
// turned off.
func isOff(off *[7][]bool, t *prv.Trace, l prv.Level, i int) bool {
	if off[l] != nil && off[l][i] {
		return true
	}
	switch l {
	case prv.LevelThread:
		return isOff(off, t, prv.LevelTask, int(t.ThreadTask[i]))
	case prv.LevelTask:
		return isOff(off, t, prv.LevelPtask, int(t.Tasks[i].Ptask))
	case prv.LevelPtask:
		return isOff(off, t, prv.LevelWorkload, 0)
	case prv.LevelCPU:
		return isOff(off, t, prv.LevelNode, int(t.CPUNode(int32(i+1))))
	case prv.LevelNode:
		return isOff(off, t, prv.LevelSystem, 0)
	}
	return false
}

// objects returns the objects that a selection speaks of.
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
