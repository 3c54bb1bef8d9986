package timeline

import (
	"math"
	"slices"

	"pview/prv"
	"pview/render/raster"
	"pview/semantic"
)

// Setup is the content and the look of a window: everything that undo restores, clones copy and sessions save. It is a
// plain value; its lists are never changed in place.
type Setup struct {
	Sem     semantic.Window // selects the values
	Objects []int32         // objects in view, in order; nil: all objects of the level

	Begin, End int64 // of the view, trace units; begin < end
	Top        int   // first row in view, counted over the objects
	Span       int   // rows in view; 0: all

	Drawing Drawing
}

// Drawing is how the values are drawn.
type Drawing struct {
	Modes    raster.Modes
	Given    Given // modes that were requested; the others suit the values: see View.Modes
	Color    raster.ColorMode
	Codes    bool // code colours were requested; otherwise amounts are gradients
	Gradient int  // index into raster.GradientFunctions
	Fixed    bool
	Scale    raster.Scale // the semantic scale, if fixed
	Graph    bool         // function lines instead of colours
	Flags    bool
	Comms    CommLines
	Between  Pair // objects whose messages are drawn
	Coarse   bool // one column of time per cell, even if the terminal could show two
}

// Given tells which draw modes the user or a .cfg has requested.
type Given struct{ Time, Rows bool }

// Pair is a sender and a receiver: objects of the view's level, from 1; the zero Pair means all.
type Pair struct{ From, To int32 }

// has reports whether a message from one object (0-based) to another belongs to the pair.
func (p Pair) has(from, to int) bool {
	return p == Pair{} || from+1 == int(p.From) && to+1 == int(p.To)
}

// CommLines tells which communication lines are drawn.
type CommLines uint8

const (
	CommsOff CommLines = iota
	CommsLogical
	CommsPhysical
	commsBoth
)

var CommLineNames = [...]string{"off", "logical", "physical", "both"}

func (c CommLines) String() string { return CommLineNames[c] }
func (c CommLines) logical() bool  { return c&CommsLogical != 0 }
func (c CommLines) physical() bool { return c&CommsPhysical != 0 }

func (s *Setup) Equal(t *Setup) bool {
	return s.Begin == t.Begin && s.End == t.End && s.Top == t.Top && s.Span == t.Span &&
		s.Drawing == t.Drawing && slices.Equal(s.Objects, t.Objects) &&
		(s.Objects == nil) == (t.Objects == nil) && s.Sem.Equal(&t.Sem)
}

// Duration returns the length of the view.
func (s *Setup) Duration() int64 { return s.End - s.Begin }

// MinSpan is the shortest interval that a view can show, in units of the trace.
const MinSpan = 2

// Clamp limits the setup to the rows of the trace, and to a time axis from 0 to whole.
func (s *Setup) Clamp(t *prv.Trace, whole int64) {
	length := min(max(s.End-s.Begin, min(MinSpan, whole)), whole)
	s.Begin = min(max(s.Begin, 0), whole-length)
	s.End = s.Begin + length
	n := s.Rows(t)
	s.Span = min(max(s.Span, 0), n)
	if s.Span == n {
		s.Span = 0
	}
	if s.Span == 0 {
		s.Top = 0
	}
	s.Top = min(max(s.Top, 0), max(n-s.RowsInView(t), 0))
}

// Rows returns the number of objects that can be scrolled through.
func (s *Setup) Rows(t *prv.Trace) int {
	if s.Objects != nil {
		return len(s.Objects)
	}
	return t.Count(s.Sem.Level)
}

// RowsInView returns the number of rows visible at the same time.
func (s *Setup) RowsInView(t *prv.Trace) int {
	if s.Span > 0 {
		return s.Span
	}
	return s.Rows(t)
}

// Object returns the object that a row shows.
func (s *Setup) Object(row int) int {
	if s.Objects != nil {
		return int(s.Objects[row])
	}
	return row
}

// RowOf returns the row that shows an object; -1 if none does.
func (s *Setup) RowOf(t *prv.Trace, object int) int {
	if s.Objects == nil {
		if object < 0 || object >= t.Count(s.Sem.Level) {
			return -1
		}
		return object
	}
	return slices.Index(s.Objects, int32(object))
}

// Pan moves the view, within the axis.
func (s *Setup) Pan(by, whole int64) {
	by = min(max(by, -s.Begin), whole-s.End)
	s.Begin += by
	s.End += by
}

// Zoom makes the view factor times as long; at keeps its position on the screen.
func (s *Setup) Zoom(factor float64, at, whole int64) {
	before := float64(s.Duration())
	length := before * factor
	if factor > 1 {
		length = max(length, before+1)
	}
	length = min(max(length, MinSpan), float64(whole))
	share := float64(at-s.Begin) / before
	n := roundInt(length)
	s.Begin = max(at-roundInt(share*length), 0)
	s.Begin = min(s.Begin, max(whole-n, 0))
	s.End = s.Begin + min(n, whole)
}

// Center moves the view so that t is in the middle.
func (s *Setup) Center(t, whole int64) {
	s.Pan(t-(s.Begin+s.Duration()/2), whole)
}

func roundInt(v float64) int64 { return int64(math.Round(v)) }
