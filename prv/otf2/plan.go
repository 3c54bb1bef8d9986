package otf2

// Between the two readings: numbering the objects in use, and finding the start of time and of teams.

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"pview/prv"
)

// plan prepares the second reading.
func (a *archive) plan() {
	a.defineUnknown()
	for _, i := range a.inOrder() {
		stream := a.isStream(&a.locs[i])
		for at, k := range a.locs[i].regionUse {
			if stream {
				k = a.onStream(k)
				a.locs[i].regionUse[at] = k
			}
			a.use(k)
		}
	}
	used := make([]bool, len(a.ranks))
	for i := range a.locs {
		for _, k := range a.locs[i].commUse {
			used[k] = true
		}
	}
	a.numberComms(used)
	a.numberTexts()
	a.setTime()
	a.findForks()
}

// inOrder returns the locations in the order of their threads.
func (a *archive) inOrder() []int {
	order := make([]int, len(a.locs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(a.locs[x].thread, a.locs[y].thread) })
	return order
}

// texts numbers the parameters in use and their values.
type texts struct {
	types   map[int32]uint32    // of parameters
	numbers map[paramText]int64 // of values by parameter and string
	values  map[int32][]string  // from 1
	params  []int32
}

// paramText is a value of a string parameter.
type paramText struct {
	param int32
	text  uint32
}

// numberTexts numbers parameters and values in the order of first use.
func (a *archive) numberTexts() {
	t := &a.texts
	t.types, t.numbers, t.values = map[int32]uint32{}, map[paramText]int64{}, map[int32][]string{}
	a.samplers = map[int32]int64{}
	for _, i := range a.inOrder() {
		l := &a.locs[i]
		for _, p := range l.parameters {
			if _, ok := t.types[p]; !ok {
				t.types[p] = typeParameter + uint32(len(t.params))
				t.params = append(t.params, p)
			}
		}
		for _, v := range l.paramTexts {
			text := a.text(v.text)
			k := slices.Index(t.values[v.param], text)
			if k < 0 {
				k = len(t.values[v.param])
				t.values[v.param] = append(t.values[v.param], text)
			}
			t.numbers[v] = int64(k) + 1
		}
		for _, k := range l.callers {
			if _, ok := a.samplers[k]; !ok {
				a.samplers[k] = int64(len(a.samplers)) + 1
			}
		}
	}
}

// defineUnknown defines the regions that events use without a definition, and replaces them in the locations' lists.
func (a *archive) defineUnknown() {
	known := map[uint64]int32{}
	for i := range a.locs {
		l := &a.locs[i]
		for at, k := range l.regionUse {
			if k >= 0 {
				continue
			}
			id := l.unknown[-k-1]
			region, ok := known[id]
			if !ok {
				def := regionDef{id: id, file: undefined, undefined: true}
				number := int32(len(a.definitions.regions))
				a.definitions.regions = append(a.definitions.regions, def)
				region = a.regions.add(a.definitions, &def, map[regionKey]int32{})
				a.of = append(a.of, region)
				a.regionIDs.add(id, number)
				known[id] = region
			}
			l.regionUse[at] = region
		}
	}
}

// garbageLength limits the archive's length to a multiple of its last event's time; a longer one is ignored.
const garbageLength = 10

// setTime finds the begin and the end of the trace.
func (a *archive) setTime() {
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for i := range a.locs {
		if l := &a.locs[i]; l.events() > 0 {
			first, last = min(first, l.first), max(last, l.last)
		}
	}
	if !a.clock || a.resolution == 0 {
		a.resolution = 1e9
		a.note(a.base+".def", "no clock resolution: ticks are taken as nanoseconds")
	}
	a.zero = first
	if a.clock && int64(a.offset) < first {
		a.zero = int64(a.offset)
	}
	if first > last {
		a.zero, last = int64(a.offset), int64(a.offset)
	}
	a.finish = a.ns(last)
	reached := a.finish
	if a.isPart {
		begin := a.ns(first)
		a.finish = max(a.finish, begin+partOf*(a.until()-begin))
	}
	if length := a.ns(a.zero + int64(a.length)); a.length < math.MaxInt64/2 && length > reached &&
		length/garbageLength <= a.finish {
		a.finish = length
	}
	a.header.End = a.finish
}

// ns converts a time to nanoseconds since the begin of the trace, without doubles, whose precision is too low.
func (a *archive) ns(ticks int64) int64 {
	if ticks <= a.zero {
		return 0
	}
	t := uint64(ticks) - uint64(a.zero)
	if a.resolution == 1e9 {
		return int64(min(t, math.MaxInt64))
	}
	hi, lo := bits.Mul64(t, 1e9)
	lo, carry := bits.Add64(lo, a.resolution/2, 0)
	hi += carry
	if hi >= a.resolution {
		return math.MaxInt64
	}
	q, _ := bits.Div64(hi, lo, a.resolution)
	return int64(min(q, math.MaxInt64))
}

func (a *archive) note(file, format string, args ...any) {
	a.notes = append(a.notes, prv.Note{File: file, Text: fmt.Sprintf(format, args...)})
}

// forks has the parallel regions of a task by start time.
type forks []parallelStart

// findForks lists the parallel regions that each task's threads open.
func (a *archive) findForks() {
	a.forks = make([]forks, len(a.header.Tasks))
	for i := range a.locs {
		l := &a.locs[i]
		a.forks[l.task] = append(a.forks[l.task], l.parallels...)
	}
	for _, f := range a.forks {
		slices.SortStableFunc(f, func(x, y parallelStart) int { return cmp.Compare(x.time, y.time) })
	}
}

// at returns the region of the team that begins at a time; -1 if the task has none. EZTrace records the begin of the
// team before that of its region.
func (f forks) at(time int64) int32 {
	if len(f) == 0 {
		return -1
	}
	i, found := slices.BinarySearchFunc(f, time, func(p parallelStart, t int64) int { return cmp.Compare(p.time, t) })
	for found && i+1 < len(f) && f[i+1].time == time {
		i++
	}
	if !found && i > 0 {
		i--
	}
	return f[min(i, len(f)-1)].region
}
