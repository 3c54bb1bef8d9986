package diagnose

// Units of work, and what made each of them begin: the event graph.
//
// A unit is the longest stretch of a thread without an idle stretch above eps, and in one code region. Its creator is
// what became available last: the unit before it on the thread, or the unit that ended the wait before it.

import (
	"context"
	"slices"
	"sort"

	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/execution"
	"pview/prv/parallel"
)

// unit is a unit of work; 48 bytes, and 16 more in message-driven runs.
type unit struct {
	begin, end int64
	user       int64
	idle       int64 // before it, since the unit before
	creator    int32 // row of analysis.units; -1: none
	via        int32 // row of the waits, in message-driven runs of the messages; -1: the unit before it on the thread
	thread     int32
	class      int32 // region; -1: none
}

// buildUnits makes the units of all threads and links them.
func (g *graph) buildUnits(ctx context.Context) error {
	if g.driven != nil {
		return g.buildDriven(ctx)
	}
	lists := make([][]unit, g.t.NumThreads())
	err := parallel.Each(ctx, len(lists), 0, func(_, i int) error {
		lists[i] = g.unitsOf(int32(i))
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	g.firstUnit = make([]int32, len(lists)+1)
	for i, l := range lists {
		g.firstUnit[i+1] = g.firstUnit[i] + int32(len(l))
	}
	g.units = make([]unit, g.firstUnit[len(lists)])
	err = parallel.Each(ctx, len(lists), 0, func(_, i int) error {
		copy(g.units[g.firstUnit[i]:], lists[i])
		lists[i] = nil
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	return parallel.Each(ctx, len(lists), 0, func(_, i int) error {
		g.link(parallel.NewWatch(ctx), int32(i))
		return ctx.Err()
	})
}

// ofThread are the units of a thread.
func (g *graph) ofThread(thread int32) []unit {
	return g.units[g.firstUnit[thread]:g.firstUnit[thread+1]]
}

// unitsOf cuts a thread into units.
func (g *graph) unitsOf(thread int32) (list []unit) {
	cursor := g.waits.Cursor(thread)
	var now unit
	open, idle := false, int64(0)
	finish := func() {
		if open && now.end > now.begin {
			list = append(list, now)
		}
		open = false
	}
	extend := func(from, to int64, user bool, class int32) {
		if idle > g.eps || open && user && now.user > 0 && class != now.class {
			finish()
		}
		if !open {
			now, open = unit{begin: from, thread: thread, class: -1, creator: -1, via: -1, idle: idle}, true
		}
		idle, now.end = 0, to
		if !user {
			return
		}
		if now.user == 0 {
			now.class = class
		}
		now.user += to - from
	}
	g.eachPart(thread, 0, g.t.Duration, func(from, to int64, part extrae.Part) {
		switch part {
		case extrae.PartIdle:
			idle += to - from
		case extrae.PartAbsent:
			finish()
			idle = 0
		case extrae.PartUser:
			for from < to {
				class, until := cursor.At(from)
				if class >= 0 && g.waits.Regions[class].Call {
					class = -1
				}
				stop := min(to, max(until, from+1))
				extend(from, stop, true, class)
				from = stop
			}
		default:
			extend(from, to, false, -1)
		}
	})
	finish()
	return slices.Clip(list)
}

// link finds the creators of a thread's units.
func (g *graph) link(watch *parallel.Watch, thread int32) {
	own := g.ofThread(thread)
	list := g.waits.Of(thread)
	base := g.waits.First[thread]
	k := 0
	for i := range own {
		watch.Step()
		u := &own[i]
		for k < len(list) && list[k].To <= u.begin {
			k++
		}
		if i > 0 {
			u.creator = g.firstUnit[thread] + int32(i) - 1
		}
		if k == 0 || list[k-1].Cause < 0 || i > 0 && list[k-1].To <= own[i-1].end {
			continue
		}
		w := &list[k-1]
		if c := g.unitAt(w.Cause, w.To); c >= 0 {
			u.creator, u.via = c, base+int32(k)-1
		}
	}
}

// unitAt is the unit of a thread at a time or the last before it; -1: none.
func (g *graph) unitAt(thread int32, at int64) int32 {
	own := g.ofThread(thread)
	i := sort.Search(len(own), func(i int) bool { return own[i].begin > at }) - 1
	if i < 0 {
		return -1
	}
	return g.firstUnit[thread] + int32(i)
}

// created is the time at which its creator let a unit begin: when its message was created, its wait ended, or the unit
// before it on the thread did.
func (g *graph) created(i int32) int64 {
	u := &g.units[i]
	switch {
	case g.driven != nil && g.driven.starts[i].creation >= 0:
		return g.driven.created[g.driven.starts[i].creation].time
	case g.driven != nil && u.via >= 0:
		return g.t.Comms.Times[prv.LogicalSend][u.via]
	case g.driven == nil && u.via >= 0:
		return g.waits.Waits[u.via].To
	case u.creator >= 0:
		return g.units[u.creator].end
	}
	return 0
}

// wait is the wait that a unit's creator ended; nil if there is none.
func (g *graph) wait(u *unit) *waits.Wait {
	if u.via < 0 || g.driven != nil {
		return nil
	}
	return &g.waits.Waits[u.via]
}

// className names the class of units.
func (g *graph) className(class int32) string {
	switch {
	case class < 0:
		return "unclassified"
	case g.driven != nil:
		return g.t.Labels.ValueName(g.driven.types[execution.Entry], int64(class))
	}
	return g.waits.Regions[class].Name
}
