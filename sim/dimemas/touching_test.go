package dimemas_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv/extrae"
	"pview/sim"
)

// A call of MPI, or a message by the times of its four ends at this task; -1: not at this task.
type (
	timedCall    struct{ value, begin, end int }
	timedMessage struct{ logicalSend, physicalSend, logicalRecv, physicalRecv int }
)

// traceOf writes a trace of two tasks. Task 1 has the calls and its ends of the messages; the other ends lie in task 2.
func traceOf(t *testing.T, calls []timedCall, messages []timedMessage) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("#Paraver (01/01/2026 at 00:00):1000_ns:1(2):1:2(1:1,1:1)\n")
	for _, c := range calls {
		fmt.Fprintf(&b, "2:1:1:1:1:%d:%d:%d\n", c.begin, extrae.MPIPointToPoint, c.value)
		fmt.Fprintf(&b, "2:1:1:1:1:%d:%d:0\n", c.end, extrae.MPIPointToPoint)
	}
	for i, m := range messages {
		from, to := 1, 2
		if m.logicalSend < 0 {
			from, to, m.logicalSend, m.physicalSend = 2, 1, 0, 0
		} else {
			m.logicalRecv, m.physicalRecv = 1000, 1000
		}
		fmt.Fprintf(&b, "3:%d:1:%d:1:%d:%d:%d:1:%d:1:%d:%d:8:%d\n", from, from, m.logicalSend, m.physicalSend, to, to,
			m.logicalRecv, m.physicalRecv, i)
	}
	path := filepath.Join(t.TempDir(), "touching.prv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The ends of messages of an instant at which a call ends and others begin lie each in its own call: as if a
// nanosecond had passed between the calls. Each message's tag is its number.
func TestTouchingCalls(t *testing.T) {
	const send, recv, isend, irecv, wait, waitall, sendrecv, rank = 1, 2, 3, 4, 5, 6, 41, 19
	sent := func(begin, end int) timedMessage { return timedMessage{begin, end, -1, -1} }
	received := func(posted, there int) timedMessage { return timedMessage{-1, -1, posted, there} }
	for _, c := range []struct {
		name     string
		calls    []timedCall
		messages []timedMessage
		want     string
	}{
		{"receive, send", []timedCall{{recv, 10, 20}, {send, 20, 30}},
			[]timedMessage{received(10, 20), sent(20, 30)}, "2: receive 0, 1: rendezvous send 1"},
		{"send, receive", []timedCall{{send, 10, 20}, {recv, 20, 30}},
			[]timedMessage{sent(10, 20), received(20, 30)}, "1: rendezvous send 0, 2: receive 1"},
		{"wait, send", []timedCall{{irecv, 1, 2}, {irecv, 3, 4}, {waitall, 10, 20}, {send, 20, 30}},
			[]timedMessage{received(2, 20), received(4, 20), sent(20, 30)},
			"4: immediate receive 0, 4: immediate receive 1, 6: wait 0 wait 1, 1: rendezvous send 2"},
		{"send, send at once, receive", []timedCall{{send, 10, 20}, {isend, 20, 20}, {recv, 20, 30}},
			[]timedMessage{sent(10, 20), sent(20, 20), received(20, 30)},
			"1: rendezvous send 0, 3: immediate send 1, 2: receive 2"},
		{"exchange, exchange", []timedCall{{sendrecv, 10, 20}, {sendrecv, 20, 30}},
			[]timedMessage{sent(10, 20), received(10, 20), sent(20, 30), received(20, 30)},
			"41: immediate receive 1 send 0 wait 1, 41: immediate receive 3 send 2 wait 3"},
		{"receive, wait at once", []timedCall{{irecv, 1, 2}, {recv, 10, 20}, {wait, 20, 20}},
			[]timedMessage{received(2, 20), received(10, 20)}, "4: immediate receive 0, 2: receive 1, 5: wait 0"},
		{"another call, receive at once", []timedCall{{rank, 10, 20}, {recv, 20, 20}, {send, 20, 30}},
			[]timedMessage{received(20, 20), sent(20, 30)}, "19:, 2: receive 0, 1: rendezvous send 1"},
		{"nothing else expects it", []timedCall{{send, 10, 20}, {rank, 20, 30}},
			[]timedMessage{sent(10, 20), sent(20, 20)}, "1: rendezvous send 0 rendezvous send 1, 19:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := programOf(t, openTrace(t, traceOf(t, c.calls, c.messages)))
			if p.Unexpected > 0 {
				t.Errorf("%q", p.Remarks())
			}
			if got := spelledCalls(&p.Program.Threads[0]); got != c.want {
				t.Errorf("%s, not %s", got, c.want)
			}
		})
	}
}

// spelledCalls returns the operations on messages of each call of a thread.
func spelledCalls(th *sim.Thread) string {
	var calls []string
	for row := range th.Len() {
		switch k := th.Kind(row); {
		case k == sim.Event:
			if _, value := th.Event(row); value != 0 {
				calls = append(calls, fmt.Sprintf("%d:", value))
			}
		case k.HasMessage():
			calls[len(calls)-1] += fmt.Sprintf(" %v %d", k, th.Message(row).Tag)
		}
	}
	return strings.Join(calls, ", ")
}
