// Communication lines: from (sender, send time) to (receiver, receive time).
//
// Lines are drawn in dots of braille, two by four to a cell, in the foreground: the colour of the cell below stays as
// background. If the terminal has no braille they are drawn with ╱╲─│ or /\-|, one step per cell.
//
// Lines can be distinguished as long as there is space between them. Each line is drawn into a mask first, which counts
// the marks that lines make in cells. If there are too many marks for the rows, or they pile up in few cells, their
// density is drawn instead: the more lines cross a cell, the more dots it has, one more per doubling. Messages whose
// lines coincide dot by dot count as one line.
//
// One message can be picked: it stands out, and other lines recede.

package raster

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"pview/prv"
)

// CommLines draws communications as lines between rows. It reuses its memory; it
// is for one goroutine.
type CommLines struct {
	Look
	Axis   Axis
	Layout Layout
	Index  *CommIndex
	// Row returns the row (in the window's list of objects) of the end of communication i that has role r; it is
	// negative if that object is not in the window: then the message is not drawn.
	Row               func(i int32, r prv.Role) int32
	Logical, Physical bool
	// Keep selects messages; nil for all.
	Keep func(i int32) bool
	Pick int32 // the message that stands out, from 1; 0: none
	// Box draws lines with ╱╲─│ instead of braille dots.
	Box bool

	marks  []lineMark // per cell
	counts []uint32   // lines that cross a cell, among those sampled for the density
	seen   map[segment]bool
	inked  int // cells with a mark
	ink    int // number of marks
}

// lineMark is the mark that lines leave in a cell: braille dots, or a glyph.
type lineMark struct {
	dots  uint8
	kind  CommKind
	glyph rune
	pick  bool // of the message that stands out
}

// segment is a line in dots. Its ends may be outside of the canvas, and are whole numbers: the dots between them do not
// depend on how much of the line is in view, so a view that is panned by a column shows the same dots, moved.
type segment struct {
	x0, y0, x1, y1 float64
	kind           CommKind
}

// walk calls f for every dot of the line on a canvas of w by h dots: one per column if the line is flat rather than
// steep, else one per line of dots. alongX and alongY tell in which directions it moved from the previous dot, the one
// nearer to the line's start.
func (s *segment) walk(w, h int, f func(x, y int, alongX, alongY bool)) {
	dx, dy := s.x1-s.x0, s.y1-s.y0
	if math.Abs(dx) < math.Abs(dy) {
		(&segment{s.y0, s.x0, s.y1, s.x1, s.kind}).walk(h, w,
			func(y, x int, alongY, alongX bool) { f(x, y, alongX, alongY) })
		return
	}
	if dx == 0 {
		if s.x0 >= 0 && s.x0 < float64(w) && s.y0 >= 0 && s.y0 < float64(h) {
			f(int(s.x0), int(s.y0), true, true)
		}
		return
	}
	slope, step := dy/dx, math.Copysign(1, dx)
	at := func(x float64) float64 { return s.y0 + math.Floor((x-s.x0)*slope+0.5) }
	x, n := s.x0, math.Abs(dx)+1 // first column, and how many
	if enter := min(max(x, 0), float64(w-1)); enter != x {
		if n -= (enter - x) * step; n > math.Abs(dx)+1 {
			return // it leads away from the canvas
		}
		x = enter
	}
	before := math.NaN() // the line's first dot counts as moved both ways
	if x != s.x0 {
		before = at(x - step)
	}
	for ; n > 0 && x >= 0 && x < float64(w); x, n = x+step, n-1 {
		y := at(x)
		if y >= 0 && y < float64(h) {
			f(int(x), int(y), true, y != before)
		}
		before = y
	}
}

// CommStats describes what CommLines.Draw has drawn.
type CommStats struct {
	Logical, Physical int  // communications in view by time, per enabled kind
	Lines             int  // different lines that were drawn
	Drawn             bool // false: the lines were too dense, so their density was drawn
}

// Total returns the communications in view of both kinds.
func (s CommStats) Total() int { return s.Logical + s.Physical }

// Limits of what the eye can separate, found on real traces.
const (
	mostVisits = 50_000 // messages visited, so that a frame stays within its time
	mostNear   = 10_000 // messages visited to find the one at a position
	mostInk    = 2      // marks per cell of the rows
	mostPiled  = 4      // marks per cell that has any
	always     = 24     // this many lines are always drawn
	sampled    = 4096   // lines sampled for the density, at most about twice as many
)

// Draw draws the lines over the rows of c, keeping the colours of the cells as background. If lines are too dense to be
// distinguished, it draws their density. Lines to rows that are scrolled out leave over the edge. Without colours,
// physical lines are faint.
func (l *CommLines) Draw(c Canvas) CommStats {
	var stats CommStats
	begin, end := l.Axis.Begin, l.Axis.End
	if (l.Axis.Closed || begin == end) && end < math.MaxInt64 {
		end++
	}
	stats.Drawn = true
	l.marks = slices.Grow(l.marks[:0], c.W*c.H)[:c.W*c.H]
	clear(l.marks)
	if l.seen == nil {
		l.seen = map[segment]bool{}
	}
	clear(l.seen)
	l.inked, l.ink = 0, 0
	for _, k := range [...]struct {
		kind  CommKind
		on    bool
		count *int
	}{{PhysicalLine, l.Physical, &stats.Physical}, {LogicalLine, l.Logical, &stats.Logical}} {
		if !k.on || l.Index == nil {
			continue
		}
		*k.count = l.Index.Count(k.kind, begin, end)
		if stats.Drawn {
			stats.Drawn = *k.count <= mostVisits && l.drawKind(c, k.kind, begin, end) && !l.tooMany(c)
		}
	}
	if stats.Drawn {
		stats.Lines = len(l.seen)
	} else {
		l.density(c, begin, end)
	}
	l.pick(c)
	l.compose(c, l.Pick > 0 && stats.Drawn)
	return stats
}

// density puts dots into the mask for a sample of the messages, depending on how many lines cross a cell.
func (l *CommLines) density(c Canvas, begin, end int64) {
	clear(l.marks)
	l.counts = slices.Grow(l.counts[:0], c.W*c.H)[:c.W*c.H]
	clear(l.counts)
	for kind, on := range [...]bool{LogicalLine: l.Logical, PhysicalLine: l.Physical} {
		if on && l.Index != nil {
			l.crossings(c, CommKind(kind), begin, end)
		}
	}
	for i, n := range l.counts {
		if n == 0 {
			continue
		}
		m := &l.marks[i]
		dots := min(bits.Len32(n), 8)
		m.dots, m.glyph = densityDots[dots-1], l.Glyphs.Shades[min((dots+1)/2, len(l.Glyphs.Shades)-1)]
		if !l.Logical {
			m.kind = PhysicalLine
		}
	}
}

// densityDots are the dots of a braille cell by number, spread over the cell.
var densityDots = [8]uint8{0x10, 0x12, 0x52, 0x5a, 0x5b, 0xdb, 0xdf, 0xff}

// crossings counts the lines that cross each cell, from a sample of the messages; each sampled message counts for those
// that it represents. Panning does not change the sample.
func (l *CommLines) crossings(c Canvas, kind CommKind, begin, end int64) {
	sendRole, recvRole := kind.Roles()
	times := &l.Index.tr.Comms.Times
	step := 1
	for n := l.Index.Count(kind, begin, end); n/step > 2*sampled; step *= 2 {
	}
	box := *l // a cell is a dot
	box.Box = true
	l.Index.sample(kind, begin, end, step, func(i int32) {
		from, to := l.Row(i, sendRole), l.Row(i, recvRole)
		if from < 0 || to < 0 || l.Keep != nil && !l.Keep(i) {
			return
		}
		if s, ok := box.segment(c, times[sendRole][i], times[recvRole][i], int(from), int(to)); ok {
			s.walk(c.W, c.H, func(x, y int, _, _ bool) { l.counts[y*c.W+x] += uint32(step) })
		}
	})
}

// pick draws the line of the picked message over the others.
func (l *CommLines) pick(c Canvas) {
	i := l.Pick - 1
	if i < 0 || l.Index == nil || int(i) >= l.Index.tr.Comms.Len() {
		return
	}
	kind := LogicalLine
	if !l.Logical {
		kind = PhysicalLine
	}
	sendRole, recvRole := kind.Roles()
	times := &l.Index.tr.Comms.Times
	from, to := l.Row(i, sendRole), l.Row(i, recvRole)
	if from < 0 || to < 0 {
		return
	}
	s, ok := l.segment(c, times[sendRole][i], times[recvRole][i], int(from), int(to))
	if !ok {
		return
	}
	over := CommLines{Look: l.Look, Axis: l.Axis, Layout: l.Layout, Box: l.Box, marks: make([]lineMark, len(l.marks))}
	s.kind = kind
	over.trace(c, s)
	for k, m := range over.marks {
		if m.glyph != 0 {
			m.pick = true
			l.marks[k] = m
		}
	}
}

// PickAt returns the message whose line passes column x in lines [top, bottom) of c, or within a cell of them, from 1;
// if there are several, the one nearest to their middle; 0 if none. It visits messages that are in transit at the
// column's time, up to a limit.
func (l *CommLines) PickAt(c Canvas, x, top, bottom int) int32 {
	if l.Index == nil || x < 0 || x >= l.Axis.W {
		return 0
	}
	kind := LogicalLine
	if !l.Logical {
		kind = PhysicalLine
	}
	sendRole, recvRole := kind.Roles()
	times := &l.Index.tr.Comms.Times
	begin, end := l.Axis.Bounds(x)
	gx, gy := l.grain()
	at := float64(x*gx) + float64(gx-1)/2
	upper, lower := float64(top*gy)+float64(gy-1)/2, float64((bottom-1)*gy)+float64(gy-1)/2
	best, least, left := int32(0), math.Inf(1), mostNear
	l.Index.Visit(kind, begin, max(end, begin+1), func(i int32) bool {
		left--
		from, to := l.Row(i, sendRole), l.Row(i, recvRole)
		if from < 0 || to < 0 || l.Keep != nil && !l.Keep(i) {
			return left > 0
		}
		if s, ok := l.segment(c, times[sendRole][i], times[recvRole][i], int(from), int(to)); ok {
			y := min(max(s.height(at, (upper+lower)/2), upper), lower)
			d := s.distance(at, y, float64(gx), float64(gy))
			if from := d + math.Abs(y-(upper+lower)/2)/float64(gy); d <= 1 && from < least {
				best, least = i+1, from
			}
		}
		return left > 0
	})
	return best
}

// height returns the height of the segment at x, or at its end on that side; for a vertical segment, its height nearest
// to y.
func (s *segment) height(x, y float64) float64 {
	if s.x0 == s.x1 {
		return min(max(y, min(s.y0, s.y1)), max(s.y0, s.y1))
	}
	return s.y0 + (s.y1-s.y0)*min(max((x-s.x0)/(s.x1-s.x0), 0), 1)
}

// distance returns how far a place is from the segment, in cells of gx by gy dots.
func (s *segment) distance(x, y, gx, gy float64) float64 {
	ax, ay := s.x0/gx, s.y0/gy
	dx, dy := s.x1/gx-ax, s.y1/gy-ay
	px, py := x/gx-ax, y/gy-ay
	share := 0.0
	if n := dx*dx + dy*dy; n > 0 {
		share = min(max((px*dx+py*dy)/n, 0), 1)
	}
	return math.Hypot(px-share*dx, py-share*dy)
}

// drawKind draws the lines of a kind into the mask; it returns false if they are too many.
func (l *CommLines) drawKind(c Canvas, kind CommKind, begin, end int64) bool {
	sendRole, recvRole := kind.Roles()
	times := &l.Index.tr.Comms.Times
	return l.Index.Visit(kind, begin, end, func(i int32) bool {
		from, to := l.Row(i, sendRole), l.Row(i, recvRole)
		if from < 0 || to < 0 || l.Keep != nil && !l.Keep(i) {
			return true
		}
		s, ok := l.segment(c, times[sendRole][i], times[recvRole][i], int(from), int(to))
		if s.kind = kind; !ok || l.seen[s] {
			return true
		}
		l.seen[s] = true
		l.trace(c, s)
		return l.ink <= 2*mostInk*c.W*c.H || len(l.seen) <= always
	})
}

// tooMany reports whether the lines in the mask cannot be distinguished.
func (l *CommLines) tooMany(c Canvas) bool {
	if len(l.seen) <= always {
		return false
	}
	sublines := min(l.Layout.Sublines(), l.Layout.Rows*l.Layout.height())
	rows := c.W * min(c.H, (sublines+l.Layout.split()-1)/l.Layout.split())
	return l.ink > mostInk*rows || l.ink > mostPiled*l.inked
}

// grain returns the dots per cell.
func (l *CommLines) grain() (x, y int) {
	if l.Box || !l.Glyphs.Braille {
		return 1, 1
	}
	return 2, 4
}

// segment returns the line of a message in dots; ok is false if no part of it is on the canvas.
func (l *CommLines) segment(c Canvas, sent, received int64, from, to int) (s segment, ok bool) {
	gx, gy := l.grain()
	fine := l.Axis.Fine(gx)
	x0, y0 := l.column(fine, sent), l.height(from, gy)
	x1, y1 := l.column(fine, received), l.height(to, gy)
	_, _, _, _, ok = Clip(x0, y0, x1, y1, float64(min(c.W, l.Axis.W)*gx-1), float64(c.H*gy-1))
	return segment{x0, y0, x1, y1, 0}, ok
}

// column returns the dot column of a time: exact in view, by proportion outside.
func (l *CommLines) column(fine Axis, t int64) float64 {
	if x, _, ok := fine.Columns(t); ok {
		return float64(x)
	}
	scale := float64(fine.W) / float64(max(fine.Span(), 1))
	if t < fine.Begin {
		return math.Floor(-float64(uint64(fine.Begin)-uint64(t)) * scale)
	}
	return math.Floor(float64(uint64(t)-uint64(fine.Begin)) * scale)
}

// height returns the dot line in the middle of a row.
func (l *CommLines) height(row, gy int) float64 {
	top, h := l.Layout.Place(row)
	return math.Floor((float64(2*top+h)*float64(gy)/float64(l.Layout.split()) - 1) / 2)
}

// Clip cuts a line to [0,w] x [0,h] (Liang-Barsky).
func Clip(x0, y0, x1, y1, w, h float64) (a, b, c, d float64, ok bool) {
	dx, dy := x1-x0, y1-y0
	from, to := 0.0, 1.0
	for _, edge := range [...]struct{ p, q float64 }{{-dx, x0}, {dx, w - x0}, {-dy, y0}, {dy, h - y0}} {
		switch r := edge.q / edge.p; {
		case edge.p == 0:
			if edge.q < 0 {
				return 0, 0, 0, 0, false
			}
		case edge.p < 0:
			from = max(from, r)
		default:
			to = min(to, r)
		}
	}
	if from > to {
		return 0, 0, 0, 0, false
	}
	return x0 + from*dx, y0 + from*dy, x0 + to*dx, y0 + to*dy, true
}

// trace draws a line into the mask.
func (l *CommLines) trace(c Canvas, s segment) {
	gx, gy := l.grain()
	slanting := l.direction(cmp.Compare(s.x1, s.x0), cmp.Compare(s.y1, s.y0))
	last := -1
	s.walk(c.W*gx, c.H*gy, func(x, y int, alongX, alongY bool) {
		glyph := slanting
		switch {
		case !alongY:
			glyph = l.Glyphs.Flat
		case !alongX:
			glyph = l.Glyphs.Upright
		}
		last = l.dot(c, x, y, s.kind, glyph, last)
	})
}

// direction returns the glyph of a line that moves by sx, sy.
func (l *CommLines) direction(sx, sy int) rune {
	switch {
	case sy == 0:
		return l.Glyphs.Flat
	case sx == 0:
		return l.Glyphs.Upright
	case sx == sy:
		return l.Glyphs.Down
	}
	return l.Glyphs.Up
}

// dot marks a dot and returns its cell; last is the line's previous cell.
func (l *CommLines) dot(c Canvas, x, y int, kind CommKind, glyph rune, last int) int {
	gx, gy := l.grain()
	at := y/gy*c.W + x/gx
	m := &l.marks[at]
	if at != last {
		l.ink++
	}
	if m.glyph == 0 {
		l.inked++
	}
	m.dots |= brailleDots[y%gy%4][x%gx%2]
	m.kind, m.glyph = kind, glyph
	return at
}

// brailleDots has the bit of each dot of a braille character, by line and column.
var brailleDots = [4][2]uint8{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// compose puts the mask over the canvas. Other lines recede behind the picked one. Density does not recede: the line
// stands out from it anyway, and a cursor that passes over messages would change the whole picture.
func (l *CommLines) compose(c Canvas, recede bool) {
	gx, _ := l.grain()
	for y := range c.H {
		line := c.Line(y)
		for x, m := range l.marks[y*c.W : (y+1)*c.W] {
			if m.glyph == 0 {
				continue
			}
			cell := &line[x]
			color := l.Theme.Logical
			if m.kind == PhysicalLine {
				color = l.Theme.Physical
			}
			cell.BG = l.ground(*cell)
			switch {
			case m.pick:
				cell.FG = l.Theme.Cursor.against(cell.BG)
				cell.Attr |= Bold
			case recede:
				cell.FG = l.receding(color, cell.BG)
			default:
				cell.FG = color.against(cell.BG)
			}
			if cell.Rune = m.glyph; gx > 1 {
				cell.Rune = 0x2800 + rune(m.dots)
			}
			if l.Profile == Mono && (m.kind == PhysicalLine || recede && !m.pick) {
				cell.Attr |= Faint
			}
		}
	}
}

// receding returns the colour of other lines when one is picked.
func (l *CommLines) receding(color, bg Color) Color {
	if !bg.IsSet() {
		bg = l.Theme.background()
	}
	if !color.IsSet() {
		return color
	}
	return color.Blend(bg, 0.6)
}
