package frameworks

// The cost of a message, from the messages of a trace.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pview/insight/frameworks/role"
	"pview/prv"
	"pview/prv/calls"
	"pview/prv/extrae"
	"pview/prv/quantile"
	"pview/prv/quantity"
)

// linkRun is the network as seen by a structure's messages.
type linkRun struct {
	M0, PerByte Value
	Protocol    role.Protocol
	Seen        string // the evidence for the protocol
	// Early and Late are the start-up of messages whose receiver was waiting, and of messages whose receiver came
	// later.
	Early, Late Value
	SendCall    Value      // median time in the send call, without waiting for the receiver
	Means       []SendMean // mean durations of send calls, some of which may be held up for long
	Backward    int        // messages that arrive before they are sent
	Messages    int
}

// early says how many messages arrive before they are sent.
func (l *linkRun) early() string {
	return fmt.Sprintf("messages arrive before they are sent, %s of %s", quantity.FormatCount(int64(l.Backward)),
		quantity.FormatCount(int64(l.Messages)))
}

// SendMean is the mean duration of the send calls of some tasks.
type SendMean struct {
	Of   string
	Mean float64
}

// readLink measures messages, in ns.
func readLink(t *prv.Trace, w role.Window, roles *role.Roles) linkRun {
	l := linkRun{}
	member := roles.Members()
	c := &t.Comms
	ls, ps, lr, pr := c.Times[prv.LogicalSend], c.Times[prv.PhysicalSend], c.Times[prv.LogicalRecv],
		c.Times[prv.PhysicalRecv]
	bins := map[int64][]float64{}
	var early, late, held, own, serving []float64
	waited, lateSends := 0, 0
	ns := float64(t.Unit.Nanoseconds())
	goesOn := newAfter(t, w)
	for m := range w.Messages(t) {
		from, dest := t.ThreadTask[c.Send[m]], t.ThreadTask[c.Recv[m]]
		if from == dest || !member[from] || !member[dest] {
			continue
		}
		l.Messages++
		if pr[m] < ls[m] {
			l.Backward++
			continue
		}
		if lr[m] <= ls[m] {
			bins[c.Size[m]] = append(bins[c.Size[m]], float64(pr[m]-ls[m])*ns)
		}
		end, known := goesOn.send(c.Send[m], ls[m], ps[m])
		if !known && end == ls[m] {
			continue
		}
		call := float64(end-ls[m]) * ns
		held = append(held, call)
		if roles.Kind != role.PipelineOf && from == roles.Master {
			serving = append(serving, call)
		}
		if lr[m] <= ls[m] {
			early, own = append(early, call), append(own, call)
			continue
		}
		late, own = append(late, call), append(own, float64(end-min(max(lr[m], ls[m]), end))*ns)
		if known {
			lateSends++
			if end >= lr[m] {
				waited++
			}
		}
	}
	l.Early, l.Late, l.Means = measured(early, true), measured(late, true), nil
	if roles.Kind != role.PipelineOf {
		l.Means = append(l.Means, SendMean{"the master's sends", mean(serving)})
	}
	l.Means = append(l.Means, SendMean{"all sends", mean(held)})
	l.Protocol, l.Seen = role.Async, "no receive was posted after its send began"
	if lateSends > 0 {
		if 2*waited >= lateSends {
			l.Protocol = role.Sync
		}
		l.Seen = fmt.Sprintf("%s of %s sends whose receive was posted later ended after it",
			quantity.FormatCount(int64(waited)), quantity.FormatCount(int64(lateSends)))
	}
	if l.SendCall = measured(held, true); l.Protocol == role.Sync {
		l.SendCall = measured(own, true)
	}
	l.fit(bins)
	return l
}

// after finds when the sender of a message continued. In Extrae's traces that is the physical send, the end of the
// call. A simulated message may leave long after its sender continued, and other tracers write the time of the logical
// send for both: then the call shows it.
type after struct {
	clock *clock
	calls map[int32]*usefulRow // time in MPI calls that only send
}

func newAfter(t *prv.Trace, w role.Window) *after {
	return &after{newClock(t, w, nil), map[int32]*usefulRow{}}
}

// call returns the end of the sending call of a thread at a time.
func (a *after) call(thread int32, at int64) (end int64, ok bool) {
	r := a.calls[thread]
	if r == nil {
		r = &usefulRow{}
		a.calls[thread] = r
		c := a.clock
		table, first := extrae.CallsOf(c.t.Labels), c.types.Last(c.t, int(thread), c.from, extrae.MPI)
		_ = c.types.EachFrom(c.t, int(thread), first, nil, func(k calls.Call) error {
			mpi := calls.Families[k.Family].Family == extrae.MPI
			if kind := table.Kind(k.Value); mpi && kind.Is(extrae.Sends) && !kind.Is(extrae.Completes) {
				r.add(k.Begin, k.End)
			}
			return nil
		})
	}
	if i := r.at(at); i >= 0 && at <= r.to[i] {
		return r.to[i], true
	}
	return 0, false
}

// send returns the end of a send that begins at begun and leaves at left: at the latest when the thread computes or
// sends again. known is false if the thread does neither, and no call shows it.
func (a *after) send(thread int32, begun, left int64) (end int64, known bool) {
	if end = left; end == begun {
		if end, known = a.call(thread, begun); !known {
			end = math.MaxInt64
		}
		if a.clock.row(thread).covers(begun) {
			return begun, true
		}
	}
	useful := a.clock.row(thread).from
	if i, _ := slices.BinarySearch(useful, begun+1); i < len(useful) {
		end, known = min(end, useful[i]), true
	}
	if later := role.SendsFrom(a.clock.t, thread, begun+1); len(later) > 0 {
		end, known = min(end, a.clock.t.Comms.Times[prv.LogicalSend][later[0]]), true
	}
	if !known {
		end = left
	}
	return end, known
}

// point is the lower envelope of the messages of a size.
type point struct{ size, time float64 }

// fit fits a line to the fastest messages of each size whose receive was posted before the send: its slope is the
// median over all pairs.
func (l *linkRun) fit(bins map[int64][]float64) {
	var points []point
	samples := 0
	for size, times := range bins {
		points = append(points, point{float64(size), quantile.Of(times, 0.05)})
		samples += len(times)
	}
	slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.size, b.size) })
	points = thin(points, 200)
	switch {
	case float64(l.Backward) > 0.01*float64(l.Messages):
		note := l.early() + ": clocks are not synchronised"
		l.M0, l.PerByte = Value{Origin: Assumed, Note: note}, Value{Origin: Assumed, Note: note}
	case len(points) == 0:
		note := "no receive was posted before its message was sent"
		l.M0, l.PerByte = Value{Origin: Assumed, Note: note}, Value{Origin: Assumed, Note: note}
	case points[len(points)-1].size < 4*max(1, points[0].size):
		l.M0 = Value{Value: points[0].time, Origin: Estimated, Samples: samples,
			Note: "with the transfer: all messages are of about one size"}
		l.PerByte = Value{Origin: Assumed, Note: "all messages are of about one size: tell it (--lambda or --machine)"}
	default:
		l.line(points, samples)
	}
	switch call := l.SendCall; {
	case call.Samples == 0 || call.Samples < 10 && l.M0.Value > 0:
	case l.Protocol == role.Async && (l.M0.Origin == FromTrace || l.M0.Value < call.Value):
		// A sender is held up by its call, not by the transfer of the message.
		l.M0 = call
		l.M0.Note = "median duration of the send call"
	case l.M0.Origin == Assumed:
		l.M0 = call
		l.M0.Origin, l.M0.Note = Estimated, "median time in the send call after the receive was posted"
	}
}

// line sets start-up and slope.
func (l *linkRun) line(points []point, samples int) {
	var sizes, times []float64
	for _, p := range points {
		sizes, times = append(sizes, p.size), append(times, p.time)
	}
	x := quantile.TheilSen(sizes, times, nil, 0)
	l.PerByte = Value{Value: x.Slope, Origin: FromTrace, Samples: samples, Spread: deviation(x.Slopes)}
	l.M0 = Value{Value: max(0, x.At0), Origin: FromTrace, Samples: samples, Spread: deviation(x.Rests)}
}

// thin keeps at most n of the points, evenly spaced.
func thin(points []point, n int) []point {
	if len(points) <= n {
		return points
	}
	list := make([]point, n)
	for i := range list {
		list[i] = points[i*(len(points)-1)/(n-1)]
	}
	return list
}
