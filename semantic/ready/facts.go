package ready

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
)

// Facts describes the contents of a trace, as far as views depend on them.
type Facts struct {
	Trace *prv.Trace
	Types []TypeCount // event types that occur, the most frequent first
	// Collective is the value of the collective operation that the first thread calls most often, at least `repeated`
	// times; 0: none.
	Collective int64

	looked   sync.Once // for messages
	messages bool
}

// TypeCount is an event type, and the number of its events.
type TypeCount struct {
	Type  uint32
	Count int64
}

// repeated is the number of calls from which a collective operation marks iterations.
const repeated = 4

// Observe counts the contents of a trace; it looks at every event.
func Observe(ctx context.Context, t *prv.Trace) (*Facts, error) {
	counts := map[uint32]int64{}
	for i := range t.Threads {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		col := t.Threads[i].Events.Type
		// Types come in runs or alternate among a few: one look-up in the map per run.
		for at := 0; at < len(col); {
			end := at + 1
			for end < len(col) && col[end] == col[at] {
				end++
			}
			counts[col[at]] += int64(end - at)
			at = end
		}
	}
	f := &Facts{Trace: t, Types: make([]TypeCount, 0, len(counts))}
	for typ, n := range counts {
		f.Types = append(f.Types, TypeCount{typ, n})
	}
	slices.SortFunc(f.Types, func(a, b TypeCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Type, b.Type))
	})
	f.Collective = mostCalled(t)
	return f, nil
}

// mostCalled returns the collective operation that the first thread calls most often; of several, the one with the
// least value.
func mostCalled(t *prv.Trace) (value int64) {
	typ, ok := extrae.Of(t.Labels).Type(extrae.MPICollective)
	if !ok || len(t.Threads) == 0 {
		return 0
	}
	calls := map[int64]int{}
	e := &t.Threads[0].Events
	for i, u := range e.Type {
		if u == typ && e.Value.At(i) != 0 {
			calls[e.Value.At(i)]++
		}
	}
	most := repeated - 1
	for _, v := range slices.Sorted(maps.Keys(calls)) {
		if calls[v] > most {
			value, most = v, calls[v]
		}
	}
	return value
}

// Has returns those of some event types that occur, in ascending order.
func (f *Facts) Has(types ...uint32) (found []uint32) {
	for _, c := range f.Types {
		if slices.Contains(types, c.Type) {
			found = append(found, c.Type)
		}
	}
	slices.Sort(found)
	return found
}

// hasMessages reports whether there are messages: links between calls and what they launch do not count.
func (f *Facts) hasMessages() bool {
	f.looked.Do(func() {
		n := f.Trace.Comms.Len()
		for i := 0; i < n && !f.messages; i++ {
			f.messages = !device.IsLink(f.Trace, int32(i))
		}
	})
	return f.messages
}
