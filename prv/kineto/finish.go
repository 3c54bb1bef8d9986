package kineto

// Work done once a whole file is read: rows of devices, distant times, nesting, repeated operations, launches, and
// annotations of collective operations.

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"pview/prv/extrae/device"
)

// farFromOthers is the distance from a file's median beyond which an event belongs to something else.
const farFromOthers = 24 * 3600 * 1_000_000_000

// finish orders the columns of a file.
func (f *file) finish() {
	f.convertDeviceRows()
	f.completeGroups()
	f.callOf = newCallIndex(f.calls)
	f.markWaits()
	f.leaveOutFar()
	f.measure()
	for i := range f.rows {
		f.nest(f.rows[i].spans)
		slices.SortStableFunc(f.rows[i].points, func(x, y point) int {
			return cmp.Or(cmp.Compare(x.time, y.time), cmp.Compare(x.kind, y.kind), cmp.Compare(x.name, y.name))
		})
	}
	f.orderWork()
	for i := range f.annotated {
		f.nest(f.annotated[i])
	}
	f.tellOperations()
}

// convertDeviceRows turns spans of unknown categories on a device's row into operations.
func (f *file) convertDeviceRows() {
	if !f.profiler {
		return
	}
	for i := range f.rows {
		r := &f.rows[i]
		if !strings.HasPrefix(f.labels[r.process], "GPU") {
			continue
		}
		kept := r.spans[:0]
		for _, s := range r.spans {
			if s.class != unknown {
				kept = append(kept, s)
				continue
			}
			e := &event{process: []byte(r.process), thread: []byte(r.thread)}
			f.work = append(f.work, operation{begin: s.begin, end: s.end, correlation: -1, name: s.name, shape: -1,
				part: -1, stream: f.stream(e), state: device.Computing})
		}
		r.spans = kept
	}
}

// copyWait is the length from which a copy to the host inside its call means that the call waits for it.
const copyWait = 50_000

// markWaits marks the calls that wait for the copy that they start.
func (f *file) markWaits() {
	for i := range f.work {
		o := &f.work[i]
		if o.state != device.Copying || o.end-o.begin <= copyWait || !strings.Contains(f.names[o.name], "DtoH") {
			continue
		}
		if k, ok := f.callOf.find(o.correlation); ok {
			if c := &f.calls[k]; c.begin <= o.begin && o.end <= c.end {
				f.rows[c.row].spans[c.span].blocks = true
			}
		}
	}
}

// leaveOutFar drops records more than a day away from the median begin.
func (f *file) leaveOutFar() {
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	each := func(do func(t int64)) {
		for i := range f.rows {
			for k := range f.rows[i].spans {
				do(f.rows[i].spans[k].begin)
			}
		}
		for i := range f.work {
			do(f.work[i].begin)
		}
		for i := range f.records {
			do(f.records[i].begin)
		}
	}
	n := 0
	each(func(t int64) { least, most, n = min(least, t), max(most, t), n+1 })
	if n == 0 {
		return
	}
	middle := least
	if most-least > farFromOthers {
		all := make([]int64, 0, n)
		each(func(t int64) { all = append(all, t) })
		slices.Sort(all)
		middle = all[len(all)/2]
	}
	far := func(t int64) bool { return t-middle > farFromOthers || middle-t > farFromOthers }
	farSpan := func(s span) bool {
		if !far(s.begin) {
			return false
		}
		f.blame(farAway, f.names[s.name])
		return true
	}
	for i := range f.rows {
		r := &f.rows[i]
		r.spans = slices.DeleteFunc(r.spans, farSpan)
		r.points = slices.DeleteFunc(r.points, func(p point) bool { return far(p.time) })
		r.events = slices.DeleteFunc(r.events, func(e typedEvent) bool { return far(e.time) })
	}
	f.records = slices.DeleteFunc(f.records, farSpan)
	for i := range f.annotated {
		f.annotated[i] = slices.DeleteFunc(f.annotated[i], farSpan)
	}
	f.work = slices.DeleteFunc(f.work, func(o operation) bool {
		return farSpan(span{begin: o.begin, name: o.name})
	})
	f.links = slices.DeleteFunc(f.links, func(l link) bool { return far(l.time) })
	if far(f.windowEnd) {
		f.windowEnd = 0
	}
}

// depths order the classes of spans with the same begin and end: the outer one first.
var depths = [numClasses + 1]int{step: 0, annotation: 1, numClasses: 1, python: 2, function: 3, unknown: 3, call: 4,
	overhead: 5}

// depth orders classes by depths; other readers' classes count as annotations.
func (c class) depth() int { return depths[min(c, numClasses)] }

// lostByRounding is the longest overlap that rounding to microseconds explains.
const lostByRounding = 1000

// nest orders spans so that each lies inside the earlier ones that have not ended, cutting it if necessary.
func (f *file) nest(spans []span) {
	sortParts(spans, func(x, y span) int {
		if x.begin != y.begin {
			return cmp.Compare(x.begin, y.begin)
		}
		return cmp.Or(cmp.Compare(y.end, x.end), cmp.Compare(x.class.depth(), y.class.depth()))
	})
	var open []int64 // ends
	for i := range spans {
		s := &spans[i]
		for len(open) > 0 && open[len(open)-1] <= s.begin {
			open = open[:len(open)-1]
		}
		if n := len(open); n > 0 && s.end > open[n-1] {
			if s.end-open[n-1] > lostByRounding {
				f.blame(overlapping, f.names[s.name])
			}
			s.end = open[n-1]
		}
		open = append(open, s.end)
	}
}

// orderWork orders the operations by stream and time, and drops repeated ones.
func (f *file) orderWork() {
	for _, work := range f.splitWork() {
		sortParts(work, func(x, y operation) int {
			if x.begin != y.begin {
				return cmp.Compare(x.begin, y.begin)
			}
			return cmp.Or(cmp.Compare(x.end, y.end), cmp.Compare(x.correlation, y.correlation),
				strings.Compare(f.names[x.name], f.names[y.name]))
		})
	}
	f.work = slices.CompactFunc(f.work, func(x, y operation) bool {
		same := x.stream == y.stream && x.begin == y.begin && x.end == y.end && x.name == y.name &&
			x.correlation == y.correlation && x.state == y.state
		if same {
			f.blame(duplicate, f.names[x.name])
		}
		return same
	})
}

// splitWork orders the operations by stream, and returns those of each stream.
func (f *file) splitWork() [][]operation {
	next := make([]int, len(f.streams)+1)
	for i := range f.work {
		next[f.work[i].stream+1]++
	}
	split, all := make([][]operation, len(f.streams)), make([]operation, len(f.work))
	for i := range split {
		n := next[i+1]
		next[i+1] += next[i]
		split[i] = all[next[i]:][:n]
	}
	for i := range f.work {
		at := &next[f.work[i].stream]
		all[*at] = f.work[i]
		*at++
	}
	f.work = all
	return split
}

// tellOperations gives collective kernels without arguments the operation of the annotation around their launch.
func (f *file) tellOperations() {
	for i := range f.rows {
		slices.SortStableFunc(f.rows[i].operations, func(x, y announced) int { return cmp.Compare(x.begin, y.begin) })
	}
	for i := range f.work {
		o := &f.work[i]
		if o.part < 0 {
			continue
		}
		p := &f.parts[o.part]
		if k, ok := f.callOf.find(o.correlation); ok && p.group < 0 && p.in < 0 {
			c := &f.calls[k]
			list := f.rows[c.row].operations
			n, _ := slices.BinarySearchFunc(list, c.begin+1, func(a announced, t int64) int {
				return cmp.Compare(a.begin, t)
			})
			if n > 0 && list[n-1].end >= c.end {
				p.operation, p.in = list[n-1].operation, list[n-1].bytes
			}
		}
		if p.operation == device.Send || p.operation == device.Receive {
			o.state = device.Exchanging
		}
	}
}

// measure finds the first and last time of the file.
func (f *file) measure() {
	f.first, f.last = math.MaxInt64, math.MinInt64
	take := func(begin, end int64) { f.first, f.last = min(f.first, begin), max(f.last, end) }
	for i := range f.rows {
		for _, s := range f.rows[i].spans {
			take(s.begin, s.end)
		}
		for _, p := range f.rows[i].points {
			take(p.time, p.time)
		}
		for _, e := range f.rows[i].events {
			take(e.time, e.time)
		}
	}
	for i := range f.work {
		take(f.work[i].begin, f.work[i].end)
	}
	for _, s := range f.records {
		take(s.begin, s.end)
	}
	for _, list := range f.annotated {
		for _, s := range list {
			take(s.begin, s.end)
		}
	}
	for _, l := range f.links {
		take(l.time, l.time)
	}
}
