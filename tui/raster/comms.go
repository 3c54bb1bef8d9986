package raster

import "pview/prv"

// CommKind is a kind of communication line.
type CommKind uint8

// The kinds: from the call of send to the call of receive, and from when the
// data leaves to when it arrives.
const (
	LogicalLine CommKind = iota
	PhysicalLine
)

// CommIndex finds the communications that touch an interval of time without
// visiting the others. Build it once per (trace, filter, objects), in the
// background; it is immutable and safe for concurrent use.
type CommIndex struct {
	tr   *prv.Trace
	keep func(i int32) bool
}

// NewCommIndex returns the index of the communications of tr that keep accepts;
// nil accepts all.
func NewCommIndex(tr *prv.Trace, keep func(i int32) bool) *CommIndex {
	return &CommIndex{tr, keep}
}

// Visit calls f for every communication that is under way at some time in
// [begin, end): also those that begin before it or end after it, and those that arrive before they leave, as
// happens with skewed clocks. It stops when f returns false, and reports whether it came to the end.
func (ci *CommIndex) Visit(kind CommKind, begin, end int64, f func(i int32) bool) bool {
	return true
}

// Count returns how many communications Visit would visit.
func (ci *CommIndex) Count(kind CommKind, begin, end int64) int { return 0 }

// CommLines draws communications as lines between rows.
type CommLines struct {
	Look
	Axis   Axis
	Layout Layout
	Index  *CommIndex
	// Row returns the row (in the window's list of objects) of the end of
	// communication i that has role r; negative where that object is not in the
	// window: such messages are not drawn.
	Row               func(i int32, r prv.Role) int32
	Logical, Physical bool
	// Box draws lines with ╱╲─│ instead of braille dots.
	Box bool
}

// CommStats tells what CommLines.Draw did.
type CommStats struct {
	Logical, Physical int  // communications in view, per kind that is switched on
	Drawn             bool // false: too many to be told apart, so the density is shown instead
}

// Draw draws the lines over the rows of c, keeping the colours of the cells as
// background. Where they are too many to be told apart it draws none.
func (l *CommLines) Draw(c Canvas) CommStats { return CommStats{Drawn: true} }

// Density fills perColumn, one entry per column, with the number of messages sent in
// that column's time.
func (l *CommLines) Density(perColumn []int) {}
