package semantic

import "context"

// Derived windows whose two parents are the same window, as Paraver's tool prints them.
//
// Paraver goes through the bursts of a parent's row with a cursor. A window that is both parents has one cursor, which
// both sides move: each side skips bursts that the other has read. A shift keeps the bursts from the current to the
// shifted one, so that one side can lag behind the other, and time runs backwards:
//
//	parent      |--a--|--b--|------c------|--d--|      shifts 1 and 0
//	first side  keeps a b, then b c', ...: after each step of the other it keeps what
//	            the cursor then stands on
//
// This is a bug of the tool, not a useful meaning of a window. So only output printed like the tool's follows it
// (Printed); pictures and histograms use a cursor for each side.

// Printed returns the columns as Paraver's tool prints them: burst i lasts from begin[i] to until[i]. They differ from
// Columns for a window derived from one window twice, and for some whose rows share a coarser parent: see coupling.
func (e *Evaluator) Printed(ctx context.Context, row int) (begin, until []int64, value []float64, err error) {
	if e.derived != nil && (e.derived.twice || e.derived.coupling.printed) {
		c := *e
		c.printed = true
		e = &c
	}
	b, err := e.full(ctx, row)
	if err != nil {
		return nil, nil, nil, err
	}
	if until = b.ends; until == nil {
		until = make([]int64, len(b.begin))
		for i := range until {
			until[i] = b.until(i)
		}
	}
	return b.begin, until, b.value, nil
}

// burst is a burst of a row.
type burst struct {
	begin, until int64
	value        float64
}

// side reads a row through a cursor that it may share: begin and end of the current burst, and the value of the burst
// at the distance of its shift.
type side struct {
	on     *cursor
	factor float64
	shift  int
	copies bool    // keeps the burst that it moved to, even without a shift
	kept   []burst // oldest first
}

func newSide(on *cursor, factor float64, shift int) *side {
	most := 2*len(on.row.begin) + 4 // beyond, out of reach of all bursts
	shift = min(max(shift, -most), most)
	s := &side{on: on, factor: factor, shift: shift}
	on.at = 0
	s.keep()
	for range shift {
		s.move(1)
	}
	return s
}

func (s *side) keep() {
	if s.shift == 0 {
		s.kept = append(s.kept[:0], s.on.burst())
		return
	}
	s.kept = append(s.kept, s.on.burst())
	if n := len(s.kept) - s.size(); n > 0 {
		s.kept = s.kept[n:]
	}
}

// size returns how many bursts are kept.
func (s *side) size() int { return max(s.shift, -s.shift) + 1 }

// move moves the cursor by n bursts.
func (s *side) move(n int) {
	s.on.at = min(max(s.on.at+n, -1), len(s.on.row.begin))
	s.keep()
}

// now returns the burst that gives begin and end.
func (s *side) now() *burst {
	if s.shift == 0 && !s.copies {
		s.kept[0] = s.on.burst()
	}
	if s.shift > 0 {
		return &s.kept[0]
	}
	return &s.kept[len(s.kept)-1]
}

// value returns the value, its factor applied.
func (s *side) value() float64 {
	s.now()
	v := [1]float64{s.kept[len(s.kept)-1].value}
	if s.shift < 0 {
		v[0] = 0
		if len(s.kept) == s.size() {
			v[0] = s.kept[0].value
		}
	}
	if s.factor != 1 {
		scaleBy(v[:], s.factor)
	}
	return v[0]
}

// burst returns the burst at the cursor: one of no length before the first and after the last.
func (c *cursor) burst() burst {
	if c.at < 0 {
		return burst{}
	}
	if c.at == len(c.row.begin) {
		return burst{c.row.end, c.row.end, 0}
	}
	return burst{c.row.begin[c.at], c.row.until(c.at), c.row.value[c.at]}
}

// printedRow computes a row of the operation with one cursor for both sides.
func (d *derivation) printedRow(ctx context.Context, i int) (bursts, error) {
	plain := source{Evaluator: d.fine.Evaluator, factor: 1, scale: d.fine.scale}
	row, err := plain.row(ctx, i)
	if err != nil {
		return row, err
	}
	on := &cursor{row: row}
	if d.op.point == nil {
		return d.printedControlled(on), nil
	}
	a := newSide(on, d.fine.factor, d.fine.shift)
	b := newSide(on, d.coarse.factor, d.coarse.shift)
	out := newBursts(row.end, d.op.point(a.value(), b.value()), len(row.begin))
	for end := min(a.now().until, b.now().until); end < row.end; {
		begin := end
		end = row.end
		for _, s := range [2]*side{a, b} {
			if s.now().until <= begin {
				s.move(1)
			}
			if until := s.now().until; until < end {
				end = until
			}
		}
		out.add(begin, d.op.point(a.value(), b.value()))
	}
	return out, nil
}

// printedControlled is printedRow for the operations on each burst of the control. There the control moves first, and
// time may have gaps.
func (d *derivation) printedControlled(on *cursor) bursts {
	end := on.row.end
	data := newSide(on, d.fine.factor, d.fine.shift)
	control := newSide(on, d.coarse.factor, d.coarse.shift)
	out := bursts{end: end, ends: []int64{}}
	b := *control.now()
	v := d.op.within.first(data, b, end)
	for {
		out.add(b.begin, v)
		out.ends = append(out.ends, b.until)
		if b.until >= end {
			return out
		}
		control.move(1)
		b = *control.now()
		v = d.op.within.next(data, b, end)
	}
}

// first computes the value in the first burst of the control: the data first goes back to before its own first burst.
func (f withinFunc) first(data *side, b burst, end int64) float64 {
	for data.now().until > 0 {
		data.move(-1)
	}
	return f.inBurst(data, b, end)
}

// next computes the value in another burst of the control, to which the data advances.
func (f withinFunc) next(data *side, b burst, end int64) float64 {
	for b.begin < end && data.now().until <= b.begin {
		data.move(1)
	}
	return f.inBurst(data, b, end)
}

// inBurst computes the value in a burst of the control, and advances the data to its end.
func (f withinFunc) inBurst(data *side, b burst, end int64) float64 {
	if b.begin >= end {
		return 0
	}
	seen := bursts{ends: []int64{}}
	add := func() {
		seen.add(data.now().begin, data.value())
		seen.ends = append(seen.ends, data.now().until)
	}
	if data.now().until > b.begin {
		add()
	}
	for data.now().until < b.until {
		data.move(1)
		add()
	}
	return f(seen.value, &seen, 0)
}
