package tui

import (
	"slices"

	"pview/prv"
	"pview/semantic"
	"pview/tui/raster"
)

// setup is what a window shows and how: everything that undo brings back, clones
// copy and sessions save. It is a plain value; its lists are never changed in
// place.
type setup struct {
	sem     semantic.Window // which values
	objects []int32         // the objects in view, in order; nil for all of the level

	begin, end int64 // of the view, trace units; begin < end
	top        int   // first row in view, counted over the objects
	span       int   // rows in view; 0 for all

	draw look
}

// look is how the values are drawn.
type look struct {
	modes    raster.Modes
	color    raster.ColorMode
	codes    bool // code colours were asked for; else amounts are gradients
	gradient int  // index into raster.GradientFunctions
	fixed    bool
	scale    raster.Scale // the semantic scale, when fixed
	graph    bool         // function lines instead of colours
	flags    bool
	comms    commLines
	fine     bool // two columns of time per cell
}

// commLines says which communication lines are drawn.
type commLines uint8

const (
	commsOff commLines = iota
	commsLogical
	commsPhysical
	commsBoth
)

var commLineNames = [...]string{"off", "logical", "physical", "both"}

func (c commLines) String() string { return commLineNames[c] }
func (c commLines) logical() bool  { return c&commsLogical != 0 }
func (c commLines) physical() bool { return c&commsPhysical != 0 }

func (s *setup) equal(t *setup) bool {
	return s.begin == t.begin && s.end == t.end && s.top == t.top && s.span == t.span &&
		s.draw == t.draw && slices.Equal(s.objects, t.objects) &&
		(s.objects == nil) == (t.objects == nil) && s.sem.Equal(&t.sem)
}

// duration is the length of the view.
func (s *setup) duration() int64 { return s.end - s.begin }

// minSpan is the shortest interval that can be looked at, in units of the trace.
const minSpan = 2

// clamp holds the setup within what there is: the rows of the trace, and a time
// axis from 0 to whole.
func (s *setup) clamp(t *prv.Trace, whole int64) {
	length := min(max(s.end-s.begin, min(minSpan, whole)), whole)
	s.begin = min(max(s.begin, 0), whole-length)
	s.end = s.begin + length
	n := s.rows(t)
	s.span = min(max(s.span, 0), n)
	if s.span == n {
		s.span = 0
	}
	if s.span == 0 {
		s.top = 0
	}
	s.top = min(max(s.top, 0), max(n-s.rowsInView(t), 0))
}

// rows is the number of objects that can be scrolled through.
func (s *setup) rows(t *prv.Trace) int {
	if s.objects != nil {
		return len(s.objects)
	}
	return t.Count(s.sem.Level)
}

// rowsInView is the number of rows that are to be seen at once.
func (s *setup) rowsInView(t *prv.Trace) int {
	if s.span > 0 {
		return s.span
	}
	return s.rows(t)
}

// object returns the object that a row shows.
func (s *setup) object(row int) int {
	if s.objects != nil {
		return int(s.objects[row])
	}
	return row
}

// rowOf returns the row that shows an object; -1 when none does.
func (s *setup) rowOf(t *prv.Trace, object int) int {
	if s.objects == nil {
		if object < 0 || object >= t.Count(s.sem.Level) {
			return -1
		}
		return object
	}
	return slices.Index(s.objects, int32(object))
}

// pan moves the view by so many units, as far as the axis goes.
func (s *setup) pan(by, whole int64) {
	by = min(max(by, -s.begin), whole-s.end)
	s.begin += by
	s.end += by
}

// zoom makes the view factor times as long; at stays where it is on the screen.
func (s *setup) zoom(factor float64, at, whole int64) {
	before := float64(s.duration())
	length := before * factor
	if factor > 1 {
		length = max(length, before+1)
	}
	length = min(max(length, minSpan), float64(whole))
	share := float64(at-s.begin) / before
	n := roundInt(length)
	s.begin = max(at-roundInt(share*length), 0)
	s.begin = min(s.begin, max(whole-n, 0))
	s.end = s.begin + min(n, whole)
}

// center moves the view so that t is in its middle.
func (s *setup) center(t, whole int64) {
	s.pan(t-(s.begin+s.duration()/2), whole)
}
