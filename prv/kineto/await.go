package kineto

// Streams that wait for events. The host records an event on one stream and makes another stream wait for it: the next
// operation of that stream begins when the operations launched before the event have ended.

import (
	"cmp"
	"slices"
	"sort"

	"pview/prv"
	"pview/prv/extrae/device"
)

// await is a stream's wait for an event.
type await struct {
	stream, on       device.Stream // the waiting stream, and the one on which the event was recorded
	recorded, called int64         // correlations of the calls that recorded the event and that made the stream wait
}

// awaitOf returns the wait in a synchronisation record; ok is false for waits of the host, and for unknown events.
func (e *event) awaitOf() (w await, ok bool) {
	e.readArgs()
	var n [5]int64
	for i, arg := range []int{argDevice, argStream, argEventStream, argEventCall, argCorrelation} {
		if n[i], ok = e.number(arg); !ok || n[i] < 0 {
			return w, false
		}
	}
	on := int(min(n[0], mostDevices))
	return await{device.Stream{Device: on, Number: n[1]}, device.Stream{Device: on, Number: n[2]}, n[3], n[4]}, true
}

// byCorrelation returns the operations of a stream whose launch is known, in the order of their launches; operations of
// the same launch are in time order.
func (t *task) byCorrelation(stream int32) (list []*operation) {
	from := sort.Search(len(t.work), func(i int) bool { return t.work[i].stream >= stream })
	for i := from; i < len(t.work) && t.work[i].stream == stream; i++ {
		if t.work[i].correlation > 0 {
			list = append(list, &t.work[i])
		}
	}
	slices.SortStableFunc(list, func(x, y *operation) int { return cmp.Compare(x.correlation, y.correlation) })
	return list
}

// awaitEvents adds a message for each wait: from the end of the last operation before the event to the start of the
// waiting stream's next operation.
func (b *builder) awaitEvents(t *task) {
	streams := map[int32][]*operation{}
	workOf := func(s device.Stream) (list []*operation, thread, cpu int32) {
		i, ok := t.streamOf[s]
		k := slices.Index(t.streams, i)
		if !ok || k < 0 {
			return nil, 0, 0
		}
		if list, ok = streams[i]; !ok {
			list = t.byCorrelation(i)
			streams[i] = list
		}
		return list, t.first + int32(len(t.rows)+k), t.cpus[k]
	}
	known := map[[2]*operation]bool{}
	for _, w := range t.awaits {
		before, sender, senderCPU := workOf(w.on)
		after, receiver, receiverCPU := workOf(w.stream)
		i := sort.Search(len(before), func(i int) bool { return before[i].correlation >= w.recorded }) - 1
		k := sort.Search(len(after), func(i int) bool { return after[i].correlation > w.called })
		if i < 0 || k == len(after) || sender == receiver || known[[2]*operation{before[i], after[k]}] {
			continue
		}
		known[[2]*operation{before[i], after[k]}] = true
		end, begin := before[i].end, after[k].begin
		if end-begin > lostByRounding || before[i].begin >= begin {
			b.early++
			continue
		}
		end, begin = min(end, begin)+t.offset, begin+t.offset
		b.out.Comm(prv.Comm{Send: sender, SendCPU: senderCPU, Recv: receiver, RecvCPU: receiverCPU,
			Tag: device.EventTag, Times: [4]int64{end, end, begin, begin}})
	}
}
