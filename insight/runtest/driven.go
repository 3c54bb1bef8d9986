package runtest

// Message-driven runs, written event by event.

import (
	"testing"

	"pview/prv"
	"pview/prv/extrae/execution"
)

// Slots are the events of a line.
type Slots map[execution.Slot]int64

// Line writes a line of a thread.
func Line(b *prv.Builder, thread int32, time int64, line Slots) {
	var pairs []prv.Pair
	for s := range execution.NumSlots {
		if v, ok := line[execution.Slot(s)]; ok {
			pairs = append(pairs, prv.Pair{Type: execution.Slot(s).Type(), Value: v})
		}
	}
	b.Event(thread, 0, time, pairs...)
}

// Executed writes an execution of an entry by a thread, whose message has its creator's id, from 1; 0: none.
func Executed(b *prv.Builder, thread int32, begin, end, entry, message, creator int64, more Slots) {
	line := Slots{execution.Entry: entry, execution.Message: message, execution.Creator: creator}
	for s, v := range more {
		line[s] = v
	}
	Line(b, thread, begin, line)
	Line(b, thread, end, Slots{execution.Entry: 0})
}

// Driven returns a message-driven run on 3 processors, until 60. Processor 1 executes an entry from 0 to 10, and
// creates a message at 4 and, for a balancer to place, one at 6. The former is put into the queue of processor 3 at 12,
// and of 2 at 15, where it is executed from 20 to 30 and from 35 to 38. The latter arrives at processor 3 at 22, where
// it is executed from 25 to 40. It creates a message at 30, which its processor executes from 45 to 50.
func Driven(t testing.TB) *prv.Trace {
	t.Helper()
	b := Tasks(3)
	Line(b, 0, 0, Slots{execution.Entry: 1})
	Line(b, 0, 4, Slots{execution.Created: 1, execution.Target: 2, execution.Kind: execution.ToObject,
		execution.Receiver: 2})
	Line(b, 0, 6, Slots{execution.Created: 2, execution.Target: 2, execution.Kind: execution.ToNewObject})
	Line(b, 0, 10, Slots{execution.Entry: 0})
	Line(b, 1, 15, Slots{execution.Enqueue: 1, execution.Creator: 1})
	Executed(b, 1, 20, 30, 2, 1, 1, Slots{execution.Object: 7})
	Line(b, 1, 35, Slots{execution.Entry: 2})
	Line(b, 1, 36, Slots{execution.Outcome: execution.Useful})
	Line(b, 1, 38, Slots{execution.Entry: 0})
	Line(b, 2, 12, Slots{execution.Enqueue: 1, execution.Creator: 1})
	Line(b, 2, 25, Slots{execution.Entry: 2, execution.Message: 2, execution.Creator: 1, execution.Library: 1})
	Line(b, 2, 30, Slots{execution.Created: 1, execution.Target: 3, execution.Priority: 9, execution.Receiver: 3})
	Line(b, 2, 40, Slots{execution.Entry: 0})
	Executed(b, 2, 45, 50, 3, 1, 3, Slots{execution.Object: 8})
	b.Comm(prv.Comm{Send: 0, Recv: 2, Size: 64, Times: [4]int64{prv.LogicalSend: 6, prv.PhysicalSend: 6,
		prv.LogicalRecv: 25, prv.PhysicalRecv: 22}})
	b.Event(0, 0, 60, prv.Pair{Type: 1, Value: 1})
	return Build(t, b)
}

// DrivenChain returns a message-driven run with states. Processor 1 has program 0-12 and runtime 12-18; processor 2 not
// created until 1, idle 1-14, runtime 14-16, program 16-32; processor 3 program 40-52; the rest is idle. Entries
// execute on 1 from 2 to 10, on 2 from 20 to 30, created at 5 on 1, and on 3 from 42 to 50, created at 25 on 2.
func DrivenChain(t testing.TB) *prv.Trace {
	t.Helper()
	b := Tasks(3)
	for th, list := range [][][3]int64{{{0, 12, 1}, {12, 18, 7}, {18, 60, 0}},
		{{0, 1, 2}, {1, 14, 0}, {14, 16, 7}, {16, 32, 1}, {32, 60, 0}}, {{0, 40, 0}, {40, 52, 1}, {52, 60, 0}}} {
		for _, s := range list {
			b.State(int32(th), 0, s[0], s[1], uint32(s[2]))
		}
	}
	Line(b, 0, 2, Slots{execution.Entry: 1})
	Line(b, 0, 5, Slots{execution.Created: 1, execution.Target: 2, execution.Receiver: 2})
	Line(b, 0, 10, Slots{execution.Entry: 0})
	Line(b, 1, 20, Slots{execution.Entry: 2, execution.Message: 1, execution.Creator: 1})
	Line(b, 1, 25, Slots{execution.Created: 1, execution.Target: 3, execution.Receiver: 3})
	Line(b, 1, 30, Slots{execution.Entry: 0})
	Executed(b, 2, 42, 50, 3, 1, 2, nil)
	return Build(t, b)
}
