package eventgraph

// Units of work, and what triggered each of them: the event graph.
//
// A unit is the longest stretch of a thread without an idle stretch above eps, and in one code region. Its creator is
// whichever came last: the previous unit on the thread, or the unit that ended the preceding wait.

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

// Unit is a unit of work; 48 bytes, and 16 more in message-driven runs.
type Unit struct {
	Begin, End int64
	User       int64
	Idle       int64 // before it, since the unit before
	Creator    int32 // row of analysis.units; -1: none
	Via        int32 // row of the waits, or of the messages in message-driven runs; -1: the previous unit on the thread
	Thread     int32
	Class      int32 // region; -1: none
}

// BuildUnits makes the units of all threads and links them.
func (g *Graph) BuildUnits(ctx context.Context) error {
	if g.Driven != nil {
		return drivenBuilder{g}.build(ctx)
	}
	lists := make([][]Unit, g.T.NumThreads())
	err := parallel.For(ctx, len(lists), func(i int) error {
		lists[i] = g.unitsOf(int32(i))
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	g.FirstUnit = make([]int32, len(lists)+1)
	for i, l := range lists {
		g.FirstUnit[i+1] = g.FirstUnit[i] + int32(len(l))
	}
	g.Units = make([]Unit, g.FirstUnit[len(lists)])
	err = parallel.For(ctx, len(lists), func(i int) error {
		copy(g.Units[g.FirstUnit[i]:], lists[i])
		lists[i] = nil
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	return parallel.For(ctx, len(lists), func(i int) error {
		g.link(parallel.NewWatch(ctx), int32(i))
		return ctx.Err()
	})
}

// OfThread returns the units of a thread.
func (g *Graph) OfThread(thread int32) []Unit {
	return g.Units[g.FirstUnit[thread]:g.FirstUnit[thread+1]]
}

// unitsOf cuts a thread into units.
func (g *Graph) unitsOf(thread int32) (list []Unit) {
	cursor := g.Waits.Cursor(thread)
	var now Unit
	open, idle := false, int64(0)
	finish := func() {
		if open && now.End > now.Begin {
			list = append(list, now)
		}
		open = false
	}
	extend := func(from, to int64, user bool, class int32) {
		if idle > g.eps || open && user && now.User > 0 && class != now.Class {
			finish()
		}
		if !open {
			now, open = Unit{Begin: from, Thread: thread, Class: -1, Creator: -1, Via: -1, Idle: idle}, true
		}
		idle, now.End = 0, to
		if !user {
			return
		}
		if now.User == 0 {
			now.Class = class
		}
		now.User += to - from
	}
	g.EachPart(thread, 0, g.T.Duration, func(from, to int64, part extrae.Part) {
		switch part {
		case extrae.PartIdle:
			idle += to - from
		case extrae.PartAbsent:
			finish()
			idle = 0
		case extrae.PartUser:
			for from < to {
				class, until := cursor.At(from)
				if class >= 0 && g.Waits.Regions[class].Call {
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
func (g *Graph) link(watch *parallel.Watch, thread int32) {
	own := g.OfThread(thread)
	list := g.Waits.Of(thread)
	base := g.Waits.First[thread]
	k := 0
	for i := range own {
		watch.Step()
		u := &own[i]
		for k < len(list) && list[k].To <= u.Begin {
			k++
		}
		if i > 0 {
			u.Creator = g.FirstUnit[thread] + int32(i) - 1
		}
		if k == 0 || list[k-1].Cause < 0 || i > 0 && list[k-1].To <= own[i-1].End {
			continue
		}
		w := &list[k-1]
		if c := g.UnitAt(w.Cause, w.To); c >= 0 {
			u.Creator, u.Via = c, base+int32(k)-1
		}
	}
}

// UnitAt returns the unit of a thread at a time or the last before it; -1: none.
func (g *Graph) UnitAt(thread int32, at int64) int32 {
	own := g.OfThread(thread)
	i := sort.Search(len(own), func(i int) bool { return own[i].Begin > at }) - 1
	if i < 0 {
		return -1
	}
	return g.FirstUnit[thread] + int32(i)
}

// Created returns the time at which a unit's creator triggered it: when its message was created, its wait ended, or the
// previous unit on the thread ended.
func (g *Graph) Created(i int32) int64 {
	u := &g.Units[i]
	switch {
	case g.Driven != nil && g.Driven.Starts[i].Creation >= 0:
		return g.Driven.Created[g.Driven.Starts[i].Creation].Time
	case g.Driven != nil && u.Via >= 0:
		return g.T.Comms.Times[prv.LogicalSend][u.Via]
	case g.Driven == nil && u.Via >= 0:
		return g.Waits.Waits[u.Via].To
	case u.Creator >= 0:
		return g.Units[u.Creator].End
	}
	return 0
}

// wait returns the wait that a unit's creator ended; nil if there is none.
func (g *Graph) wait(u *Unit) *waits.Wait {
	if u.Via < 0 || g.Driven != nil {
		return nil
	}
	return &g.Waits.Waits[u.Via]
}

// ClassName names the class of units.
func (g *Graph) ClassName(class int32) string {
	switch {
	case class < 0:
		return "unclassified"
	case g.Driven != nil:
		return g.T.Labels.ValueName(g.Driven.types[execution.Entry], int64(class))
	}
	return g.Waits.Regions[class].Name
}
