package waits

// Receives in the wrong order: a message was waited for while another one, received later, had been sent earlier.

import (
	"sort"

	"pview/prv/parallel"
)

// wrongOrder finds, for each message of a receiver, the first of the next receives whose message was sent earlier.
type wrongOrder struct {
	a  *analysis
	at map[int32]int32 // by message: the other message
}

// build goes back over the receives of a thread with a stack of those that a later look can find: from its top on sent earlier and earlier.
// The messages that one call completes are looked up together, then added.
func (w *wrongOrder) build(a *analysis, watch *parallel.Watch, received []int32) {
	w.a = a
	type seen struct {
		sent int64
		row  int
	}
	var stack []seen
	w.at = map[int32]int32{}
	list := received[:0:0]
	for _, m := range received {
		watch.Step()
		if !a.messages.own.Has(int(m)) {
			list = append(list, m)
		}
	}
	for end := len(list); end > 0; {
		first := end - 1
		for first > 0 && a.messages.done[list[first]] >= 0 && a.messages.done[list[first-1]] == a.messages.done[list[first]] {
			first--
		}
		for i := first; i < end; i++ {
			watch.Step()
			sent := a.sentAt(list[i])
			// The stack's sends fall from top to bottom: the topmost that is earlier.
			k := sort.Search(len(stack), func(k int) bool { return stack[k].sent >= sent }) - 1
			if k >= 0 && stack[k].row-i <= a.opt.Horizon {
				w.at[list[i]] = list[stack[k].row]
			}
		}
		for i := end - 1; i >= first; i-- {
			sent := a.sentAt(list[i])
			for len(stack) > 0 && stack[len(stack)-1].sent >= sent {
				stack = stack[:len(stack)-1]
			}
			stack = append(stack, seen{sent, i})
		}
		end = first
	}
}

// class is the class of a wait for a late sender.
func (w *wrongOrder) class(m int32) Class {
	other, ok := w.at[m]
	c := &w.a.t.Comms
	switch {
	case !ok:
		return LateSender
	case c.Send[other] == c.Send[m]:
		return WrongOrderSame
	}
	return WrongOrderDifferent
}
