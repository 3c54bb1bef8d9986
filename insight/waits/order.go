package waits

// Receives in the wrong order: a thread waited for a message although another one, received later, had been sent
// earlier.

import (
	"sort"

	"pview/prv/parallel"
)

// wrongOrder finds, for each message of a receiver, the first of the next receives whose message was sent earlier. The
// lists are reused for the next receiver.
type wrongOrder struct {
	other []int32 // by index in the thread's receives: index of the other message; -1: none
	list  []int32 // indices of the messages other than creations of OpenMP tasks
	stack []sentRow
}

// sentRow is a message with its index in the list.
type sentRow struct {
	sent int64
	row  int
}

// build goes back over the receives of a thread, with a stack of those that may still be found: from its top down, sent
// earlier and earlier. The messages completed by one call are looked up together, then added.
func (w *wrongOrder) build(watch *parallel.Watch, received []received, horizon int) {
	w.other, w.list, w.stack = w.other[:0], w.list[:0], w.stack[:0]
	for k := range received {
		watch.Step()
		w.other = append(w.other, -1)
		if received[k].sent != ownMessage {
			w.list = append(w.list, int32(k))
		}
	}
	list := w.list
	for end := len(list); end > 0; {
		first, call := end-1, received[list[end-1]].call
		for first > 0 && call >= 0 && received[list[first-1]].call == call {
			first--
		}
		for i := first; i < end; i++ {
			watch.Step()
			sent := received[list[i]].sent
			// Send times fall from the stack's top to its bottom: take the topmost earlier one.
			k := sort.Search(len(w.stack), func(k int) bool { return w.stack[k].sent >= sent }) - 1
			if k >= 0 && w.stack[k].row-i <= horizon {
				w.other[list[i]] = list[w.stack[k].row]
			}
		}
		for i := end - 1; i >= first; i-- {
			sent := received[list[i]].sent
			n := len(w.stack)
			for n > 0 && w.stack[n-1].sent >= sent {
				n--
			}
			w.stack = append(w.stack[:n], sentRow{sent, i})
		}
		end = first
	}
}

// classOf returns the class of a wait for a late sender, of the message at an index in the thread's receives.
func (f *finder) classOf(place int) Class {
	other := f.order.other[place]
	switch {
	case other < 0:
		return LateSender
	case f.received[other].from == f.received[place].from:
		return WrongOrderSame
	}
	return WrongOrderDifferent
}
