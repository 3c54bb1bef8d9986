// Package stat puts numbers on what windows show: histograms in two and three
// dimensions, with the numbers of Paraver's command-line tool, and the functions
// of the thesis' analyzer over an interval of a window.
//
// A Histogram is a request: a plain value, saved as a .cfg. Compute returns a Table, Bursts the contents of one of its
// cells.
package stat

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"pview/semantic"
)

// Histogram asks how a value of a window (Data) is spread over the values of another (Control): each burst of the
// control window picks a column, and the data window's value is accumulated there while both last. A third window, if
// any, picks one of several planes of such columns. There is a row for each object of the control window, whose unit is
// that of times in the cells.
//
// The statistics of communications have a column per object instead: the partner.
type Histogram struct {
	Name string

	Control *semantic.Window
	// Data is nil if the control window is also the data window. A pointer to that window means the same, a copy does
	// not: see Compute on statistics of communications.
	Data  *semantic.Window
	Third *semantic.Window // nil for two dimensions

	// Own reads a data or third window of a coarser level at the object that contains the row's. By default, as in
	// Paraver's tool, every row reads the first object: see the test of the reference's histo_control_thread_data_task.
	Own bool

	// Inclusive counts a piece for every value on the stack rather than for the one on top: a function's time includes
	// that of the functions that it calls. The last function of the control window must be Stacked Val. A value that is
	// on the stack several times counts once, and whole rows count each piece once.
	Inclusive bool

	Statistic string // name of an entry of Statistics
	Range     Range

	Columns Scale   // of the control window's values
	Planes  Scale   // of the third window's values
	Plane   float64 // value of the third window that selects the plane shown; Sort uses that plane

	// Rows are the objects (0-based) of the control window's level that have a row; nil
	// is all of them.
	Rows []int
	// Size and Tag limit the communications that the statistics of communications
	// count.
	Size, Tag Limits

	HideEmpty bool // leave out columns whose total is 0, plane by plane
	// ShortNames leaves out, in Entries, the brackets in the names of columns: "main.c:7 [main.c:7, main]".
	ShortNames bool
	Vertical   bool // columns are written as rows, and the totals are per object
	Sort       Sort
	Alone      bool // only totals are shown
}

// Scale divides the values of a window into columns (or planes) of equal width.
type Scale struct {
	// Auto takes the limits from the window's values in the range and ignores Min, Max, Delta and Count. Zeros do not
	// count for the minimum unless Zero is set.
	Auto, Zero bool
	// Codes says that the window is drawn in the colours of codes: an automatic scale then has a column per code,
	// unless there are too many.
	Codes    bool
	Min, Max float64
	Delta    float64 // width of a column
	Count    int     // if not 0: number of columns; Delta is ignored
	// Bins, if not 0, divides an automatic scale into Bins columns, of which the last ends at the greatest value.
	// Paraver has 200 and adds 5 % to the greatest value, so its last columns are empty.
	Bins int
}

// Range is an interval of a trace's time: [begin,end). The zero Range is the whole trace.
type Range struct {
	Whole bool
	// Relative limits are fractions of the trace's duration, others times in the
	// trace's unit.
	Relative   bool
	Begin, End float64
}

// Times returns the range on a trace of the given duration, with limits between two times of the trace rounded
// outwards. As in Paraver, a begin past the end makes both 0.
func (r *Range) Times(duration int64) (begin, end int64) {
	b, e := r.limits(duration)
	if e >= float64(duration) {
		return int64(b), duration
	}
	return int64(b), int64(math.Ceil(e))
}

// limits returns unrounded limits, as Paraver has them, in the trace's unit.
func (r *Range) limits(duration int64) (begin, end float64) {
	b, e, whole := r.Begin, r.End, float64(duration)
	switch {
	case r.Whole || *r == Range{}:
		return 0, whole
	case r.Relative:
		b, e = b*whole, e*whole
	}
	if !(b >= 0 && b <= whole) {
		b = 0
	}
	if !(e <= whole) {
		return b, whole
	}
	return b, max(b, e)
}

// Limits is a closed interval of numbers; the zero value has no limits.
type Limits struct {
	Limited  bool
	Min, Max float64
}

// Has reports whether a number lies within the limits.
func (l *Limits) Has(v float64) bool { return !l.Limited || v >= l.Min && v <= l.Max }

// Sort orders the columns by one of their totals.
type Sort struct {
	On      bool
	By      string // name of a total: "Average", "Stdev", ...; "" is Total. "Custom" is the order Custom
	Reverse bool   // from the least to the greatest; otherwise the reverse
	// Custom is the user's order, as column numbers. Columns that it does not name follow in their order.
	Custom []int
}

// Errors of Compute about the combination of windows.
var (
	// errFiner: the data window is finer than the control window.
	errFiner = errors.New("is finer than the control window")
	// errCoarser: the third window is coarser than the control window.
	errCoarser = errors.New("is coarser than the control window")
	// errSides: some windows are on the process side, others on the resource side.
	errSides = errors.New("is not on the same side (process or resource) as the control window")
	// errParent: one window of the histogram is derived from another. Compute accepts that; see Refused.
	errParent = errors.New("is a parent of another window of the histogram")
)

// data returns the data window.
func (h *Histogram) data() *semantic.Window {
	if h.Data == nil {
		return h.Control
	}
	return h.Data
}

// noMessages reports whether Paraver counts no messages: it reads them with the window that it walks first, which is
// the third one if that is finer than the control window or the only other window.
func (h *Histogram) noMessages() bool {
	if h.Third == nil || h.Third == h.Control {
		return false
	}
	return h.Data == nil || h.Data == h.Control || h.Third.Level > h.Control.Level
}

// check rejects windows that do not fit together: the data window may be coarser than the control window, the third one
// finer, and all are of one side.
func (h *Histogram) check() error {
	if h.Control == nil {
		return fmt.Errorf("histogram %q has no control window", h.Name)
	}
	level := h.Control.Level
	refuse := func(w *semantic.Window, err error) error {
		return fmt.Errorf("histogram %q: window %q (%s level) %w (%s level)", h.Name, w.Name, w.Level, err, level)
	}
	for _, w := range []*semantic.Window{h.data(), h.Third} {
		if w != nil && w.Level.IsResource() != level.IsResource() {
			return refuse(w, errSides)
		}
	}
	if d := h.data(); d.Level > level {
		return refuse(d, errFiner)
	}
	if h.Third != nil && h.Third.Level < level {
		return refuse(h.Third, errCoarser)
	}
	return nil
}

// Refused returns why Paraver would reject the histogram: an error of Compute, or a window that another one is derived
// from (the same *Window). The tool then shows the last window of the file instead.
func (h *Histogram) Refused() error {
	if err := h.check(); err != nil {
		return err
	}
	windows := []*semantic.Window{h.Control, h.Data, h.Third}
	for _, w := range windows {
		for _, parent := range windows {
			if w != nil && parent != nil && derivedFrom(w, parent) {
				return fmt.Errorf("histogram %q: window %q %w", h.Name, parent.Name, errParent)
			}
		}
	}
	return nil
}

func derivedFrom(w, parent *semantic.Window) bool {
	if w.Derived == nil {
		return false
	}
	for _, p := range []*semantic.Window{w.Derived.A.Window, w.Derived.B.Window} {
		if p == parent || derivedFrom(p, parent) {
			return true
		}
	}
	return false
}

// Equal reports whether two histograms have the same name and contents.
func (h *Histogram) Equal(g *Histogram) bool {
	same := func(a, b *semantic.Window) bool { return a == b || a != nil && b != nil && a.Equal(b) }
	return h.Name == g.Name && same(h.Control, g.Control) && same(h.Data, g.Data) && same(h.Third, g.Third) &&
		h.Statistic == g.Statistic && h.Range == g.Range && h.Columns == g.Columns && h.Planes == g.Planes &&
		h.Plane == g.Plane && h.Size == g.Size && h.Tag == g.Tag && slices.Equal(h.Rows, g.Rows) &&
		h.switches() == g.switches() && h.Sort.By == g.Sort.By && slices.Equal(h.Sort.Custom, g.Sort.Custom)
}

func (h *Histogram) switches() [8]bool {
	return [8]bool{h.Own, h.Inclusive, h.HideEmpty, h.ShortNames, h.Vertical, h.Alone, h.Sort.On, h.Sort.Reverse}
}

// Clone returns a histogram that shares no memory with h. Windows that are one in h are one in the clone.
func (h *Histogram) Clone() Histogram {
	g := *h
	clones := map[*semantic.Window]*semantic.Window{nil: nil}
	for _, w := range []**semantic.Window{&g.Control, &g.Data, &g.Third} {
		if _, ok := clones[*w]; !ok {
			c := (*w).Clone()
			clones[*w] = &c
		}
		*w = clones[*w]
	}
	g.Rows = slices.Clone(h.Rows)
	g.Sort.Custom = slices.Clone(h.Sort.Custom)
	return g
}
