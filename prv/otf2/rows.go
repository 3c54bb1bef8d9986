package otf2

// The rows of a location while it is being read, and their conversion to a thread's columns.

import (
	"cmp"
	"slices"

	"pview/prv"
)

// lineStart marks the first row of a line of events, in its type.
const lineStart = 1 << 31

// rows are the states and events of a location.
type rows struct {
	time  []int64
	typ   []uint32
	value []int64

	begin, end []int64
	state      []uint32

	late []lateRow
}

// lateRow is an event that belongs to an earlier line.
type lateRow struct {
	row   int // the row that it precedes
	typ   uint32
	value int64
}

// reserve makes room.
func (r *rows) reserve(events, states int) {
	r.time, r.typ, r.value = make([]int64, 0, events), make([]uint32, 0, events), make([]int64, 0, events)
	r.begin, r.end, r.state = make([]int64, 0, states), make([]int64, 0, states), make([]uint32, 0, states)
}

// line begins a line of events.
func (r *rows) line(time int64, typ uint32, value int64) {
	r.time, r.typ, r.value = append(r.time, time), append(r.typ, typ|lineStart), append(r.value, value)
}

// beside adds an event to the last line.
func (r *rows) beside(typ uint32, value int64) {
	r.time, r.typ, r.value = append(r.time, r.time[len(r.time)-1]), append(r.typ, typ), append(r.value, value)
}

// behind adds an event to the line that ends before a row.
func (r *rows) behind(row int, typ uint32, value int64) {
	r.late = append(r.late, lateRow{row, typ, value})
}

// addState adds a state, unless it is empty.
func (r *rows) addState(begin, end int64, state uint8) {
	if end > begin {
		r.begin, r.end, r.state = append(r.begin, begin), append(r.end, end), append(r.state, uint32(state))
	}
}

// settle moves the late rows to their places.
func (r *rows) settle() {
	if len(r.late) == 0 {
		return
	}
	slices.SortStableFunc(r.late, func(x, y lateRow) int { return cmp.Compare(x.row, y.row) })
	from, to := len(r.time), len(r.time)+len(r.late)
	r.time, r.typ, r.value = slices.Grow(r.time, len(r.late))[:to], slices.Grow(r.typ, len(r.late))[:to],
		slices.Grow(r.value, len(r.late))[:to]
	for i := len(r.late) - 1; i >= 0; i-- {
		l := &r.late[i]
		n := from - l.row
		copy(r.time[to-n:to], r.time[l.row:from])
		copy(r.typ[to-n:to], r.typ[l.row:from])
		copy(r.value[to-n:to], r.value[l.row:from])
		from, to = l.row, to-n-1
		r.time[to], r.typ[to], r.value[to] = r.time[l.row-1], l.typ, l.value
	}
	r.late = nil
}

// columns returns the rows as columns of a thread, which owns them from then on.
func (r *rows) columns(cpu int32) prv.Thread {
	th := prv.Thread{CPU: cpu}
	th.States = prv.States{Begin: r.begin, End: r.end, Value: r.state}
	lines := prv.NewBits(len(r.typ))
	for i, t := range r.typ {
		if t >= lineStart {
			lines.Set(i)
			r.typ[i] = t &^ lineStart
		}
	}
	th.Events = prv.Events{Time: r.time, Type: r.typ, Value: prv.ValuesOf(r.value...), Lines: lines}
	return th
}
