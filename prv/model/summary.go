package model

// The contents of a trace in numbers: counts by state and by event type.
//
// All columns are scanned once, with threads in parallel. Everything is cheap except counting the distinct values of
// each event type: a counter has a new value in nearly every event, and a set of them all would be as large as the
// trace. So a type's set stops growing at MaxDistinct values, and the summary then says "at least" (TypeSum.More).
// Recently seen values are filtered out before they reach the set, so types with few values cost almost nothing.

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"pview/prv/parallel"
	"pview/prv/wide"
)

// Summary has the counts of a trace.
type Summary struct {
	States       []StateSum // by state
	Types        []TypeSum  // by type
	StateRecords int64
	EventLines   int64 // lines of the .prv
	EventPairs   int64 // type:value pairs on them
	Messages     int64
	Bytes        wide.Int // of all messages
}

// StateSum counts the records of one state.
type StateSum struct {
	State uint32
	Label string
	Count int64
	// Time is the sum of the records' durations over all threads, in the trace's unit. A record without an end lasts
	// until the thread's next record begins, the last one until the end of the trace.
	Time wide.Int
}

// TypeSum counts the events of one type.
type TypeSum struct {
	Type     uint32
	Label    string
	Count    int64 // type:value pairs
	Distinct int64 // different values
	More     bool  // there are at least Distinct values, probably more
}

// TrimStep is the number of bytes of columns that are filled or read between two trims.
const TrimStep = 64 << 20

// MaxDistinct bounds the distinct values counted per type: 8 to 16 MB per type at most.
const MaxDistinct = 1 << 20

// Summarize returns the counts of a trace, which are kept: by an earlier call, or in its index. The error is ctx.Err().
func Summarize(ctx context.Context, t *Trace) (*Summary, error) {
	sum, err := t.Counts.get(ctx, t)
	if err != nil {
		return nil, err
	}
	return sum.labelled(t.Labels), nil
}

// Count counts the contents of a trace, without labels. trim, if not nil, is called now and then.
func Count(ctx context.Context, t *Trace, trim func()) (*Summary, error) {
	return CountIn(ctx, t, trim, max(loosePages/runtime.GOMAXPROCS(0), 2*TypeShards))
}

// CountIn is Count with the given number of pages of loose events in each goroutine.
func CountIn(ctx context.Context, t *Trace, trim func(), pages int) (*Summary, error) {
	workers := runtime.GOMAXPROCS(0)
	s := &summarizer{t: t, states: map[uint32]*StateSum{}, tallies: make([]*tally, workers)}
	for i := range s.tallies {
		s.tallies[i] = &tally{s: s, types: map[uint32]*typeTally{}, room: pages}
	}
	var counted atomic.Int64 // bytes of columns
	err := parallel.Each(ctx, len(t.Threads), workers, func(worker, i int) error {
		th := &t.Threads[i]
		s.tallies[worker].thread(th)
		n := int64(th.States.Len()+th.Events.Len()) * 20
		if after := counted.Add(n); trim != nil && after/TrimStep > (after-n)/TrimStep {
			trim()
		}
		return nil
	})
	if err == nil {
		err = parallel.Each(ctx, workers, workers, func(_, i int) error {
			s.tallies[i].finish()
			return nil
		})
	}
	if err == nil {
		err = parallel.Each(ctx, TypeShards, workers, func(worker, i int) error {
			s.finish(uint8(i), &s.tallies[worker].scratch)
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
	t       *Trace
	mu      sync.Mutex
	states  map[uint32]*StateSum
	shards  [TypeShards]typeShard
	tallies []*tally // one per goroutine
	lines   int64
}

// finish adds the last loose events of a shard to its totals. It uses tables that are not needed afterwards: they are
// passed from shard to shard and stay in the core's cache. But each shard keeps its own set of rare values.
func (s *summarizer) finish(shard uint8, c *scratch) {
	sh := &s.shards[shard]
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.slots = c.slots
	sh.fillSlots()
	borrowed := sh.rare.slots == nil
	if borrowed {
		sh.rare = c.set
	}
	for _, tally := range s.tallies {
		sh.addLoose(&tally.loose[shard], c)
		tally.loose[shard] = looseList{}
	}
	if c.slots = sh.slots; len(c.slots) > largestScratch {
		c.slots = nil
	}
	if borrowed {
		c.set = sh.rare
		c.set.clear()
	}
	sh.slots, sh.rare = nil, rareValues{}
}

// typeShard has the totals of some of the types: even with very many types it fits a core's cache.
type typeShard struct {
	mu sync.Mutex
	// slots map a type to its total: a hash table with open addressing, at most half full.
	slots  []typePlace
	totals []*typeTotal
	block  []typeTotal // for the next totals
	rare   rareValues
}

// typePlace is the place of a type in its shard's totals, plus 1; 0 if none.
type typePlace struct{ typ, place uint32 }

const TypeShards = 256

// shardOf returns the number of the shard of a type.
func shardOf(typ uint32) uint8 { return uint8(typ * 0x9e3779b1 >> 24) }

// total returns the total of a type. The caller has locked the shard.
func (s *typeShard) total(typ uint32) *typeTotal {
	if 2*len(s.totals) >= len(s.slots) {
		s.fillSlots()
	}
	slot := s.slot(typ)
	if slot.place == 0 {
		if len(s.block) == 0 {
			s.block = make([]typeTotal, min(1+len(s.totals), 64))
		}
		s.block[0].typ, s.block[0].place = typ, uint32(len(s.totals)+1)
		s.totals, s.block = append(s.totals, &s.block[0]), s.block[1:]
		*slot = typePlace{typ, uint32(len(s.totals))}
	}
	return s.totals[slot.place-1]
}

// slot returns the slot of a type, which may be empty.
func (s *typeShard) slot(typ uint32) *typePlace {
	mask := uint32(len(s.slots) - 1)
	for h := typ * 0x9e3779b1 >> 8 & mask; ; h = (h + 1) & mask { // the high bits select the shard
		if slot := &s.slots[h]; slot.typ == typ || slot.place == 0 {
			return slot
		}
	}
}

// fillSlots empties the slots and enters the totals' types.
func (s *typeShard) fillSlots() {
	for 2*len(s.totals) >= len(s.slots) {
		s.slots = make([]typePlace, max(8, 2*len(s.slots)))
	}
	clear(s.slots)
	for i, total := range s.totals {
		*s.slot(total.typ) = typePlace{total.typ, uint32(i + 1)}
	}
}

// typeTotal is the total of an event type over all threads, protected by its shard's lock. A trace can have as many
// types as events.
type typeTotal struct {
	typ    uint32
	place  uint32 // among the totals of the shard, plus 1
	count  int64
	values valueSet
	rare   uint8 // number of values in the shard's set
	own    bool  // all values are in the type's own set, because a goroutine has a tally of it
}

// distinct returns the number of a type's values, at most MaxDistinct.
func (t *typeTotal) distinct() int64 {
	return min(int64(bits.OnesCount64(t.values.small))+int64(t.values.others)+int64(t.rare), MaxDistinct)
}

// rareValues is a set of the values of types that have only a few each: a hash table with open addressing. A slot has
// the place of the type in the high half and the value in the low half; 0: empty. A table per type would cost another
// allocation and cache line for each type.
type rareValues struct {
	slots []uint64
	used  int
}

// rareLimit limits the values of a type in its shard's set: further ones go to the type's own set.
const rareLimit = 64

// isRare reports whether a value of the type belongs to the set of the shard.
func (t *typeTotal) isRare(v int64) bool {
	return !t.own && uint64(v) >= 64 && uint64(v) <= math.MaxUint32
}

// addRare adds values of rare types to the set; each comes with the place of its type.
func (s *typeShard) addRare(list []uint64) {
	s.rare.makeRoom(len(list))
	for _, key := range list {
		slot := s.rare.slot(key)
		if *slot == key {
			continue
		}
		if total := s.totals[key>>32-1]; total.own || total.rare >= rareLimit {
			total.values.add(int64(uint32(key)))
		} else {
			*slot = key
			total.rare++
			s.rare.used++
		}
	}
}

// slot returns the slot of a value; if the value is missing, an empty slot.
func (r *rareValues) slot(key uint64) *uint64 {
	mask := uint64(len(r.slots) - 1)
	for h := hashValue(int64(key)) & mask; ; h = (h + 1) & mask {
		if slot := &r.slots[h]; *slot == key || *slot == 0 {
			return slot
		}
	}
}

// makeRoom makes room for n more values: at most three out of four slots are used.
func (r *rareValues) makeRoom(n int) {
	if 4*(r.used+n) <= 3*len(r.slots) {
		return
	}
	old, slots := r.slots, max(128, len(r.slots))
	for 4*(r.used+n) > 3*slots {
		slots *= 2
	}
	r.slots = make([]uint64, slots)
	for _, key := range old {
		if key != 0 {
			*r.slot(key) = key
		}
	}
}

// clear empties the set; it keeps the slots unless there are very many.
func (r *rareValues) clear() {
	switch {
	case len(r.slots) > largestScratch:
		*r = rareValues{}
	case r.used > 0:
		clear(r.slots)
		r.used = 0
	}
}

// tally has the counts of one goroutine, which are added to the totals after its last thread: with many types, a thread
// has few events of each.
type tally struct {
	s       *summarizer
	types   map[uint32]*typeTally
	recent  [64]*typeTally // the last types seen, by a few bits of their number
	own     [1024]uint64   // a bit for the hash of each type with a tally: for most loose events it is 0
	loose   [TypeShards]looseList
	room    int      // pages of loose events that may still be taken before loose events are added to the totals
	slab    []uint64 // where the next pages go
	free    [][]uint64
	scratch scratch
}

// largestScratch is the size up to which a table is kept for the next shard, which has to clear it.
const largestScratch = 1 << 18

// scratch is temporary memory for adding to the totals.
type scratch struct {
	rare  [loosePage]uint64
	slots []typePlace
	set   rareValues // empty
}

// A looseList has events whose types have no tally, in a trace with very many types. They wait until there are many,
// and are added to the totals shard by shard, so that look-ups hit the cache. An event has its type in the high half
// and its value in the low half; values that need more bits are added immediately.
type looseList struct {
	full [][]uint64
	page []uint64 // the last one
}

// ownTallies is the number of types with their own tally, loosePage the number of loose events per page, and loosePages
// the number of waiting pages of all goroutines together: 64 MB.
const ownTallies, loosePage, loosePages = 1024, 512, 16384

func (c *tally) addLoose(typ uint32, value int64) {
	shard := shardOf(typ)
	if uint64(value) > math.MaxUint32 {
		c.addWide(shard, typ, value)
		return
	}
	list := &c.loose[shard]
	if len(list.page) == cap(list.page) {
		c.addPage(list)
	}
	n := len(list.page)
	list.page = list.page[:n+1]
	list.page[n] = uint64(typ)<<32 | uint64(value)
}

// addWide adds a loose event to the totals.
func (c *tally) addWide(shard uint8, typ uint32, value int64) {
	s := &c.s.shards[shard]
	s.mu.Lock()
	defer s.mu.Unlock()
	total := s.total(typ)
	total.count++
	total.values.add(value)
}

// addPage adds a page to the loose events of a shard. If there is no room for it, the loose events of all shards are
// first added to the totals.
func (c *tally) addPage(list *looseList) {
	if c.room == 0 && len(c.free) == 0 {
		for i := range c.loose {
			c.flushLoose(uint8(i))
		}
	}
	if list.page != nil {
		list.full = append(list.full, list.page)
	}
	list.page = c.newPage()
}

func (c *tally) newPage() []uint64 {
	if n := len(c.free); n > 0 {
		page := c.free[n-1]
		c.free = c.free[:n-1]
		return page[:0]
	}
	if len(c.slab) == 0 {
		c.slab = make([]uint64, min(64, c.room)*loosePage)
	}
	page := c.slab[:0:loosePage]
	c.slab = c.slab[loosePage:]
	c.room--
	return page
}

// flushLoose adds the loose events of a shard to the totals.
func (c *tally) flushLoose(shard uint8) {
	s, list := &c.s.shards[shard], &c.loose[shard]
	s.mu.Lock()
	s.addLoose(list, &c.scratch)
	s.mu.Unlock()
	c.free = append(c.free, list.full...)
	if list.page != nil {
		c.free = append(c.free, list.page)
	}
	list.full, list.page = list.full[:0], nil
}

// addLoose adds loose events to the totals.
func (s *typeShard) addLoose(list *looseList, c *scratch) {
	for _, page := range list.full {
		s.addPage(page, c)
	}
	s.addPage(list.page, c)
}

// addPage adds loose events to the totals. Whether a value is below 64 is unpredictable, so there is no branch on it.
func (s *typeShard) addPage(events []uint64, c *scratch) {
	rare := 0
	for _, e := range events {
		total, v := s.total(uint32(e>>32)), e&math.MaxUint32
		total.count++
		total.values.small |= 1 << v // 0 beyond 63
		c.rare[rare] = uint64(total.place)<<32 | v
		rare += int((63 - v) >> 63)
	}
	s.addRare(c.rare[:rare])
}

// typeTally is one goroutine's count of an event type. It starts small: a trace can have
// as many types as events.
type typeTally struct {
	typ    uint32
	full   bool // values are no longer passed on
	shard  *typeShard
	total  *typeTotal
	count  int64
	recent *recentValues // nil until values are many
	batch  []int64       // values to pass on
}

// recentValues are the values that were recently passed on, by hash.
type recentValues struct {
	value [256]int64
	valid [4]uint64 // bits
}

// isNew reports whether the value is not among the recent ones, and adds it.
func (r *recentValues) isNew(v int64) bool {
	h := hashValue(v) >> 56
	if r.value[h] == v && r.valid[h>>6]>>(h&63)&1 != 0 {
		return false
	}
	r.value[h] = v
	r.valid[h>>6] |= 1 << (h & 63)
	return true
}

// batchSize is the number of values that are added to a type's set at once; smallBatch is the same while the type has
// few values, since there may be very many types.
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
		c.flush(ty)
		ty.shard.mu.Lock()
		ty.total.count += ty.count
		ty.shard.mu.Unlock()
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
		last.Time = last.Time.Add(c.s.stateEnd(s, i) - s.Begin[i])
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
		total.Time = total.Time.Plus(sum.Time)
	}
}

// stateEnd returns the end of a state, even if the record has none.
func (s *summarizer) stateEnd(c *States, i int) int64 {
	return c.Until(i, max(s.t.Duration, c.Begin[i]))
}

// events counts the events of a thread by type.
func (c *tally) events(e *Events) {
	for i, typ := range e.Type {
		slot := &c.recent[typ%uint32(len(c.recent))]
		ty := *slot
		if ty == nil || ty.typ != typ {
			if ty = c.typeTally(typ); ty == nil {
				c.addLoose(typ, e.Value.At(i))
				continue
			}
			*slot = ty
		}
		c.count(ty, e.Value.At(i))
	}
}

// typeTally returns the tally of a type; nil if there are too many.
func (c *tally) typeTally(typ uint32) *typeTally {
	h := typ * 0x9e3779b1 >> 16
	word, bit := &c.own[h>>6], uint64(1)<<(h&63)
	if full := len(c.types) >= ownTallies; full && *word&bit == 0 {
		return nil
	} else if ty := c.types[typ]; ty != nil || full {
		return ty
	}
	*word |= bit
	shard := &c.s.shards[shardOf(typ)]
	shard.mu.Lock()
	total := shard.total(typ)
	total.own = total.rare == 0
	shard.mu.Unlock()
	ty := &typeTally{typ: typ, shard: shard, total: total}
	c.types[typ] = ty
	return ty
}

// count counts a value of a type, and passes it on to the set unless it is among the recent ones.
func (c *tally) count(ty *typeTally, v int64) {
	ty.count++
	if ty.full || ty.recent != nil && !ty.recent.isNew(v) {
		return
	}
	ty.batch = append(ty.batch, v)
	switch {
	case len(ty.batch) == batchSize:
		c.flush(ty)
	case ty.recent == nil && len(ty.batch) == smallBatch:
		c.flush(ty)
		if ty.count >= batchSize {
			ty.recent = new(recentValues)
		}
	}
}

// flush adds the values of a type's batch to its set.
func (c *tally) flush(ty *typeTally) {
	ty.shard.mu.Lock()
	defer ty.shard.mu.Unlock()
	rare := c.scratch.rare[:0]
	for _, v := range ty.batch {
		if ty.total.isRare(v) {
			rare = append(rare, uint64(ty.total.place)<<32|uint64(v))
		} else {
			ty.total.values.add(v)
		}
	}
	ty.shard.addRare(rare)
	ty.batch = ty.batch[:0]
	ty.full = ty.total.distinct() >= MaxDistinct
}

// types returns the totals of all types, sorted by type. With very many types, a radix sort takes a tenth of the time
// of a comparison sort.
func (s *summarizer) types() []*typeTotal {
	var types []*typeTotal
	for i := range s.shards {
		types = append(types, s.shards[i].totals...)
	}
	sorted := make([]*typeTotal, len(types))
	for shift := 0; shift < 32; shift += 8 {
		var next [256]int
		for _, t := range types {
			next[uint8(t.typ>>shift)]++
		}
		at := 0
		for i, n := range next {
			next[i], at = at, at+n
		}
		for _, t := range types {
			place := &next[uint8(t.typ>>shift)]
			sorted[*place] = t
			*place++
		}
		types, sorted = sorted, types
	}
	return types
}

// summary makes the summary of the sorted totals.
func (s *summarizer) summary() *Summary {
	sum := &Summary{EventLines: s.lines, Messages: int64(s.t.Comms.Len())}
	types := s.types()
	sum.Types = make([]TypeSum, 0, len(types))
	for _, st := range s.states {
		sum.States = append(sum.States, *st)
		sum.StateRecords += st.Count
	}
	for _, total := range types {
		sum.Types = append(sum.Types, TypeSum{Type: total.typ, Count: total.count, Distinct: total.distinct(),
			More: total.distinct() >= MaxDistinct})
		sum.EventPairs += total.count
	}
	for _, n := range s.t.Comms.Size {
		sum.Bytes = sum.Bytes.Add(max(n, 0))
	}
	slices.SortFunc(sum.States, func(a, b StateSum) int { return cmp.Compare(a.State, b.State) })
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
