package prv

// The contents of a trace in numbers: counts by state and by event type.
//
// All columns are scanned once, with threads in parallel. Everything is cheap except the
// number of distinct values of each event type: a counter has a new value in nearly every
// event, and a set of them all would be as large as the trace. So a type's set stops
// growing at maxDistinct values, and the summary then says "at least" (TypeSum.More).
// Recently seen values are filtered out before they reach the set, so types with few
// values cost almost nothing.

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"pview/prv/parallel"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Summary has the counts of a trace.
type Summary struct {
	States       []StateSum // by state
	Types        []TypeSum  // by type
	StateRecords int64
	EventLines   int64 // lines of the .prv
	EventPairs   int64 // type:value pairs on them
	Messages     int64
	Bytes        int64 // of all messages; math.MaxInt64 when it is more
}

// StateSum counts the records of one state.
type StateSum struct {
	State uint32
	Label string
	Count int64
	// Time is the sum of the records' durations in the trace's unit, over all
	// threads; math.MaxInt64 when it is more. A record without end lasts until the
	// thread's next begins, the last one until the end of the trace.
	Time int64
}

// TypeSum counts the events of one type.
type TypeSum struct {
	Type     uint32
	Label    string
	Count    int64 // type:value pairs
	Distinct int64 // different values
	More     bool  // there are at least Distinct values, probably more
}

// maxDistinct bounds the distinct values counted per type: 8 to 16 MB per type at most.
const maxDistinct = 1 << 20

// Summarize counts the contents of a trace, unless that was done before: its index has the counts. The error is ctx.Err().
func Summarize(ctx context.Context, t *Trace) (*Summary, error) {
	sum, err := t.counts.get(ctx, t)
	if err != nil {
		return nil, err
	}
	return sum.labelled(t.Labels), nil
}

// count counts, without labels. trim, if there is one, is called now and then.
func count(ctx context.Context, t *Trace, trim func()) (*Summary, error) {
	s := &summarizer{t: t, states: map[uint32]*StateSum{}, types: map[uint32]*typeTotal{}}
	workers := runtime.GOMAXPROCS(0)
	tallies := make([]*tally, workers)
	for i := range tallies {
		tallies[i] = &tally{s: s, types: map[uint32]*typeTally{}}
	}
	var counted atomic.Int64 // bytes of columns
	err := parallel.Each(ctx, len(t.Threads), workers, func(worker, i int) error {
		th := &t.Threads[i]
		tallies[worker].thread(th)
		n := int64(th.States.Len()+th.Events.Len()) * 20
		if after := counted.Add(n); trim != nil && after/trimStep > (after-n)/trimStep {
			trim()
		}
		return nil
	})
	if err == nil {
		err = parallel.Each(ctx, workers, workers, func(_, i int) error {
			tallies[i].finish()
			return nil
		})
	}
	if err != nil {
		return nil, err
	}
	return s.summary(tallies), nil
}

// summarizer is the state shared by all goroutines.
type summarizer struct {
	t      *Trace
	mu     sync.Mutex
	states map[uint32]*StateSum
	types  map[uint32]*typeTotal
	lines  int64
}

// typeTotal has the values of an event type over all threads, once there are two in one of them.
type typeTotal struct {
	mu     sync.Mutex
	values valueSet
}

// tally is the count of one goroutine, added to the totals after its last thread: with many types there are few events of
// each in a thread.
type tally struct {
	s      *summarizer
	types  map[uint32]*typeTally
	block  []typeTally    // where they lie
	sorted []*typeTally   // at the end
	recent [64]*typeTally // the types seen last, by a few bits of their number
}

// typeTally is one goroutine's count of an event type. It is small, since a trace can have as many types as events:
// what is needed for a second value comes with that.
type typeTally struct {
	typ   uint32
	full  bool // values are not sent on any more
	count int64
	first int64      // value
	many  *typeBatch // nil as long as there is only the first value
}

// typeBatch are values of a type on their way to the total.
type typeBatch struct {
	total  *typeTotal
	added  int64         // values that were added
	recent *recentValues // nil until there are many
	values []int64       // to send on
}

// recentValues are values that have been sent on, by hash.
type recentValues struct {
	value [256]int64
	valid [4]uint64 // bits
}

// isNew reports whether the value is not among the recent ones, and puts it there.
func (r *recentValues) isNew(v int64) bool {
	h := hashValue(v) >> 56
	if r.value[h] == v && r.valid[h>>6]>>(h&63)&1 != 0 {
		return false
	}
	r.value[h] = v
	r.valid[h>>6] |= 1 << (h & 63)
	return true
}

// batchSize is how many values are put into a type's set at once; smallBatch how many as long as there were few of the type,
// which may be one of very many.
const batchSize, smallBatch = 512, 16

func (c *tally) thread(th *Thread) {
	c.states(&th.States)
	c.events(&th.Events)
	c.s.mu.Lock()
	c.s.lines += int64(th.Events.Lines.Count())
	c.s.mu.Unlock()
}

// finish sends on the values that are left, and orders the types.
func (c *tally) finish() {
	c.sorted = make([]*typeTally, 0, len(c.types))
	for _, ty := range c.types {
		if ty.many != nil {
			ty.flush()
		}
		c.sorted = append(c.sorted, ty)
	}
	c.types = nil
	slices.SortFunc(c.sorted, func(a, b *typeTally) int { return cmp.Compare(a.typ, b.typ) })
}

// states counts the states of a thread.
func (c *tally) states(s *States) {
	sums := map[uint32]*StateSum{}
	var last *StateSum
	for i, v := range s.Value {
		if last == nil || last.State != v {
			if last = sums[v]; last == nil {
				last = &StateSum{State: v}
				sums[v] = last
			}
		}
		last.Count++
		last.Time = addSaturated(last.Time, c.s.stateEnd(s, i)-s.Begin[i])
	}
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	for v, sum := range sums {
		total := c.s.states[v]
		if total == nil {
			total = &StateSum{State: v}
			c.s.states[v] = total
		}
		total.Count += sum.Count
		total.Time = addSaturated(total.Time, sum.Time)
	}
}

// stateEnd returns the end of a state, also where the record has none.
func (s *summarizer) stateEnd(c *States, i int) int64 {
	switch {
	case c.End[i] != NoEnd:
		return c.End[i]
	case i+1 < c.Len():
		return c.Begin[i+1]
	}
	return max(s.t.Duration, c.Begin[i])
}

// events counts the events of a thread by type.
func (c *tally) events(e *Events) {
	for i, typ := range e.Type {
		slot := &c.recent[typ%uint32(len(c.recent))]
		if *slot == nil || (*slot).typ != typ {
			*slot = c.typeTally(typ)
		}
		(*slot).add(e.Value[i], c.s)
	}
}

func (c *tally) typeTally(typ uint32) *typeTally {
	ty := c.types[typ]
	if ty == nil {
		if len(c.block) == cap(c.block) {
			c.block = make([]typeTally, 0, min(max(16, 2*cap(c.block)), 4096))
		}
		c.block = append(c.block, typeTally{typ: typ})
		ty = &c.block[len(c.block)-1]
		c.types[typ] = ty
	}
	return ty
}

// total returns the values of a type, of all goroutines.
func (s *summarizer) total(typ uint32) *typeTotal {
	s.mu.Lock()
	defer s.mu.Unlock()
	total := s.types[typ]
	if total == nil {
		total = &typeTotal{}
		s.types[typ] = total
	}
	return total
}

// add counts a value, and sends it on to the set unless it just was.
func (ty *typeTally) add(v int64, s *summarizer) {
	ty.count++
	if ty.count == 1 {
		ty.first = v
		return
	}
	m := ty.many
	if m == nil {
		if v == ty.first {
			return
		}
		m = &typeBatch{total: s.total(ty.typ), added: 1, values: []int64{ty.first}}
		ty.many = m
	}
	m.added++
	if ty.full || m.recent != nil && !m.recent.isNew(v) {
		return
	}
	m.values = append(m.values, v)
	switch {
	case len(m.values) == batchSize:
		ty.flush()
	case m.recent == nil && len(m.values) == smallBatch:
		ty.flush()
		if m.added >= batchSize {
			m.recent = new(recentValues)
		}
	}
}

// flush adds the values of the batch to the set.
func (ty *typeTally) flush() {
	m := ty.many
	m.total.mu.Lock()
	defer m.total.mu.Unlock()
	for _, v := range m.values {
		m.total.values.add(v)
	}
	m.values = m.values[:0]
	ty.full = m.total.values.len >= maxDistinct
}

// hashValue spreads a value over 64 bits: a multiplication by 2^64 over the golden
// ratio, the high half folded onto the low one.
func hashValue(v int64) uint64 {
	hi, lo := bits.Mul64(uint64(v)^0x9e3779b97f4a7c15, 0x9e3779b97f4a7c15)
	return hi ^ lo
}

// valueSet is a set of at most maxDistinct values: a hash table with open
// addressing, at most half full.
type valueSet struct {
	slots []int64 // 0 where empty
	zero  bool    // 0 itself is in the set
	len   int     // of all values
}

func (s *valueSet) add(v int64) {
	if s.len >= maxDistinct {
		return
	}
	if v == 0 {
		if !s.zero {
			s.zero = true
			s.len++
		}
		return
	}
	if 2*s.len >= len(s.slots) {
		s.grow()
	}
	if s.put(v) {
		s.len++
	}
}

// put reports whether the value is new.
func (s *valueSet) put(v int64) bool {
	mask := uint64(len(s.slots) - 1)
	for h := hashValue(v) & mask; ; h = (h + 1) & mask {
		switch s.slots[h] {
		case v:
			return false
		case 0:
			s.slots[h] = v
			return true
		}
	}
}

func (s *valueSet) grow() {
	old := s.slots
	s.slots = make([]int64, max(4, 2*len(old)))
	for _, v := range old {
		if v != 0 {
			s.put(v)
		}
	}
}

// addSaturated adds two numbers that are not negative.
func addSaturated(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// summary puts the totals in order.
func (s *summarizer) summary(tallies []*tally) *Summary {
	sum := &Summary{EventLines: s.lines, Messages: int64(s.t.Comms.Len())}
	for _, st := range s.states {
		sum.States = append(sum.States, *st)
		sum.StateRecords += st.Count
	}
	s.sumTypes(sum, tallies)
	for _, n := range s.t.Comms.Size {
		sum.Bytes = addSaturated(sum.Bytes, max(n, 0))
	}
	slices.SortFunc(sum.States, func(a, b StateSum) int { return cmp.Compare(a.State, b.State) })
	return sum
}

// sumTypes merges the types of the goroutines, which are in order.
func (s *summarizer) sumTypes(sum *Summary, tallies []*tally) {
	most := 0
	for _, c := range tallies {
		most = max(most, len(c.sorted))
	}
	sum.Types = make([]TypeSum, 0, most)
	for {
		var parts []*typeTally
		typ, some := uint32(math.MaxUint32), false
		for _, c := range tallies {
			if len(c.sorted) > 0 {
				typ, some = min(typ, c.sorted[0].typ), true
			}
		}
		if !some {
			return
		}
		for _, c := range tallies {
			if len(c.sorted) > 0 && c.sorted[0].typ == typ {
				parts, c.sorted = append(parts, c.sorted[0]), c.sorted[1:]
			}
		}
		v := s.sumType(parts)
		sum.Types = append(sum.Types, v)
		sum.EventPairs += v.Count
	}
}

// sumType adds up the parts of a type. Where none has met a second value, there is no set yet.
func (s *summarizer) sumType(parts []*typeTally) TypeSum {
	v := TypeSum{Type: parts[0].typ, Distinct: 1}
	total := s.types[v.Type]
	for _, ty := range parts {
		v.Count += ty.count
		if total == nil && ty.first != parts[0].first {
			total = &typeTotal{}
		}
	}
	if total == nil {
		return v
	}
	for _, ty := range parts {
		total.values.add(ty.first)
	}
	v.Distinct, v.More = int64(total.values.len), total.values.len >= maxDistinct
	return v
}

// labelled returns the summary with labels.
func (s *Summary) labelled(l *Labels) *Summary {
	out := *s
	out.States, out.Types = slices.Clone(s.States), slices.Clone(s.Types)
	for i := range out.States {
		out.States[i].Label = l.StateName(int64(out.States[i].State))
	}
	for i := range out.Types {
		out.Types[i].Label = l.TypeName(out.Types[i].Type)
	}
	return &out
}
