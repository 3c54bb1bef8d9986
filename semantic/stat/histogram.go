// Package stat is the analyzer: what the values of windows add up to. Histograms
// put the bursts of a control window into columns and planes by value, and a
// statistic of a data window, or of the communications, into each cell.
package stat

import (
	"slices"

	"pview/semantic"
)

// Histogram is what a user asks of the analyzer. It is a plain value,
// independent of any trace.
type Histogram struct {
	Name string

	// The control window picks the column by its value, burst by burst; its objects
	// are the rows, its unit that of times in the cells. The data window gives the
	// values that are accumulated meanwhile; nil is the control window itself. The
	// third window, if there is one, picks the plane.
	Control *semantic.Window
	Data    *semantic.Window
	Third   *semantic.Window

	Statistic string // of the table Statistics
	Columns   Scale
	Planes    Scale   // of the third window
	Plane     float64 // value of the third window whose plane is looked at

	Range Range
	// Rows selects rows of the control window's objects; nil is all.
	Rows []bool
	// Size and Tag limit the communications that the communication statistics
	// count.
	Size, Tag Interval

	HideEmpty bool // columns (or rows, when vertical) without cells
	Vertical  bool // columns are shown as rows
	Sort      Sort
	Alone     bool // only totals are shown
}

// Scale is how the values of a window are parted into columns or planes.
type Scale struct {
	// Auto takes the limits from the values in the range; those of 0 are left out of
	// the minimum unless Zero is set.
	Auto, Zero bool
	// Codes is whether the values are codes: where Auto is set, each gets a column of its own.
	Codes    bool
	Min, Max float64
	Delta    float64 // width of a column
	// Count parts the limits into so many columns of equal width, whatever Delta is; 0 is not set.
	Count int
}

// Range is a stretch of a trace's time.
type Range struct {
	// Whole is the whole trace.
	Whole bool
	// Relative limits are fractions of the trace's duration, others times in the
	// trace's unit.
	Relative   bool
	Begin, End float64
}

// Interval is a closed interval of numbers; the zero value has no limits.
type Interval struct {
	Limited  bool
	Min, Max float64
}

// Has reports whether a number lies in the interval.
func (i *Interval) Has(v float64) bool { return !i.Limited || v >= i.Min && v <= i.Max }

// Sort is the order of the columns.
type Sort struct {
	On      bool
	By      string // of the table Totals
	Reverse bool
}

// Times returns the range on a trace of the given duration. A begin past the end
// is 0, as in Paraver.
func (r *Range) Times(duration int64) (begin, end int64) {
	b, e := r.Begin, r.End
	switch {
	case r.Whole:
		return 0, duration
	case r.Relative:
		b, e = b*float64(duration), e*float64(duration)
	}
	begin, end = int64(b), min(int64(e), duration)
	if begin > duration || begin < 0 {
		begin = 0
	}
	return begin, max(begin, end)
}

// Equal reports whether two histograms ask for the same under the same name.
func (h *Histogram) Equal(g *Histogram) bool {
	same := func(a, b *semantic.Window) bool { return a == b || a != nil && b != nil && a.Equal(b) }
	return h.Name == g.Name && same(h.Control, g.Control) && same(h.Data, g.Data) && same(h.Third, g.Third) &&
		h.Statistic == g.Statistic && h.Columns == g.Columns && h.Planes == g.Planes && h.Plane == g.Plane &&
		h.Range == g.Range && slices.Equal(h.Rows, g.Rows) && h.Size == g.Size && h.Tag == g.Tag &&
		h.HideEmpty == g.HideEmpty && h.Vertical == g.Vertical && h.Sort == g.Sort && h.Alone == g.Alone
}
