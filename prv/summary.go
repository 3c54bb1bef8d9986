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
	return s.summary(), nil
}

// summarizer is the state shared by all goroutines.
type summarizer struct {
	t      *Trace
	mu     sync.Mutex
	states map[uint32]*StateSum
	types  map[uint32]*typeTotal
	lines  int64
}

// typeTotal is the total of an event type over all threads.
type typeTotal struct {
	mu     sync.Mutex
	count  int64
	values valueSet
}

// tally is the count of one goroutine, added to the totals after its last thread: with many types there are few events of
// each in a thread.
type tally struct {
	s      *summarizer
	types  map[uint32]*typeTally
	recent [64]*typeTally // the types seen last, by a few bits of their number
}

// typeTally is one goroutine's count of an event type. It starts small: a trace can have
// as many types as events.
type typeTally struct {
	typ    uint32
	full   bool // values are not sent on any more
	total  *typeTotal
	count  int64
	recent *recentValues // nil until there are many
	batch  []int64       // values to send on
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

// finish adds what has been counted of each type to the totals.
func (c *tally) finish() {
	for _, ty := range c.types {
		ty.flush()
		ty.total.mu.Lock()
		ty.total.count += ty.count
		ty.total.mu.Unlock()
	}
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
		(*slot).add(e.Value[i])
	}
}

func (c *tally) typeTally(typ uint32) *typeTally {
	ty := c.types[typ]
	if ty != nil {
		return ty
	}
	c.s.mu.Lock()
	total := c.s.types[typ]
	if total == nil {
		total = &typeTotal{}
		c.s.types[typ] = total
	}
	c.s.mu.Unlock()
	ty = &typeTally{typ: typ, total: total}
	c.types[typ] = ty
	return ty
}

// add counts a value, and sends it on to the set unless it just was.
func (ty *typeTally) add(v int64) {
	ty.count++
	if ty.full || ty.recent != nil && !ty.recent.isNew(v) {
		return
	}
	ty.batch = append(ty.batch, v)
	switch {
	case len(ty.batch) == batchSize:
		ty.flush()
	case ty.recent == nil && len(ty.batch) == smallBatch:
		ty.flush()
		if ty.count >= batchSize {
			ty.recent = new(recentValues)
		}
	}
}

// flush adds the values of the batch to the set.
func (ty *typeTally) flush() {
	ty.total.mu.Lock()
	defer ty.total.mu.Unlock()
	for _, v := range ty.batch {
		ty.total.values.add(v)
	}
	ty.batch = ty.batch[:0]
	ty.full = ty.total.values.len >= maxDistinct
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
func (s *summarizer) summary() *Summary {
	sum := &Summary{EventLines: s.lines, Messages: int64(s.t.Comms.Len())}
	for _, st := range s.states {
		sum.States = append(sum.States, *st)
		sum.StateRecords += st.Count
	}
	for typ, total := range s.types {
		sum.Types = append(sum.Types, TypeSum{
			Type: typ, Count: total.count, Distinct: int64(total.values.len), More: total.values.len >= maxDistinct,
		})
		sum.EventPairs += total.count
	}
	for _, n := range s.t.Comms.Size {
		sum.Bytes = addSaturated(sum.Bytes, max(n, 0))
	}
	slices.SortFunc(sum.States, func(a, b StateSum) int { return cmp.Compare(a.State, b.State) })
	slices.SortFunc(sum.Types, func(a, b TypeSum) int { return cmp.Compare(a.Type, b.Type) })
	return sum
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
