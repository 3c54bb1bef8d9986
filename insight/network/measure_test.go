package network_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/insight/network"
	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/extrae"
	"pview/sim"
)

var calls = map[extrae.Call]string{extrae.Recv: "Recv", extrae.Wait: "Wait", extrae.Waitall: "Waitall",
	extrae.Waitany: "Waitany"}

// measured writes the network of a run: what is known of each way, and of calls.
func measured(t *testing.T, tr *prv.Trace) string {
	t.Helper()
	n := of(t, tr)
	var b strings.Builder
	for way, name := range []string{"near", "far"} {
		if w := n.Ways[way]; w.Messages > 0 {
			fmt.Fprintf(&b, "%s: latency %.6g, of it the call %.6g, per byte %.6g, %d messages", name, w.Latency,
				w.Call, w.PerByte, w.Messages)
			if w.One > 0 {
				fmt.Fprintf(&b, " of %d bytes", w.One)
			}
			if w.AtMost {
				b.WriteString(", at most")
			}
			b.WriteString("; ")
		}
	}
	fmt.Fprintf(&b, "starting %d", n.Starting)
	for _, call := range slices.Sorted(maps.Keys(n.Handling)) {
		fmt.Fprintf(&b, ", %s %d", calls[call], n.Handling[call])
	}
	return b.String()
}

// Programs of four tasks on two nodes. A call takes 500 ns, a message 1,000 between nodes and 400 within one, and 2 ns
// per byte, from the end of the call that sends it.
func TestMeasured(t *testing.T) {
	sizes := []int64{0, 100, 400}
	send := func(p *runtest.Program, from, to int, size int64) {
		p.Add(from, runtest.Step{Do: runtest.Sends, Peer: to, Size: size})
	}
	for _, c := range []struct {
		what string
		plan func(p *runtest.Program)
		want string
	}{
		{"receivers wait, near and far", func(p *runtest.Program) {
			for _, size := range sizes {
				p.Work(0, 1, 9000)
				send(p, 0, 1, size)
				send(p, 0, 2, size)
				p.Recv(1, 0)
				p.Recv(2, 0)
			}
		}, "near: latency 900, of it the call 500, per byte 2, 3 messages; " +
			"far: latency 1500, of it the call 500, per byte 2, 3 messages; starting 500, Recv 500"},
		{"one receive finds its message", func(p *runtest.Program) {
			for _, size := range sizes {
				p.Work(0, 1, 9000)
				send(p, 0, 2, size)
				p.Recv(2, 0)
			}
			send(p, 0, 2, 100)
			p.Work(2, 1, 90_000)
			p.Recv(2, 0)
		}, "far: latency 1500, of it the call 500, per byte 2, 3 messages; starting 500, Recv 500"},
		{"all receives find their messages", func(p *runtest.Program) {
			for _, size := range sizes {
				send(p, 0, 2, size)
				p.Work(2, 1, 9000)
				p.Recv(2, 0)
			}
		}, "starting 500, Recv 500"},
		{"posted receives", func(p *runtest.Program) {
			for _, size := range sizes {
				p.Add(2, runtest.Step{Do: runtest.Posts, Peer: 0})
				p.Work(0, 1, 9000)
				send(p, 0, 2, size)
				p.Add(2, runtest.Step{Do: runtest.Completes})
			}
		}, "far: latency 1500, of it the call 500, per byte 2, 3 messages; starting 500, Wait 500"},
		{"synchronous sends, receiver later", func(p *runtest.Program) {
			for _, size := range sizes {
				p.Add(0, runtest.Step{Do: runtest.SendsSync, Peer: 2, Size: size})
				p.Work(2, 1, 9000)
				p.Recv(2, 0)
			}
		}, "far: latency 1000, of it the call 0, per byte 2, 3 messages; starting 1500"},
		{"synchronous sends, sender later", func(p *runtest.Program) {
			for _, size := range sizes {
				p.Add(0, runtest.Step{Do: runtest.SendsSync, Peer: 2, Size: size})
				p.Work(0, 1, 9000)
				p.Recv(2, 0)
			}
		}, "far: latency 1000, of it the call 0, per byte 2, 3 messages; starting 1500"},
		{"one large size, and operations of 3,000 in two rounds", func(p *runtest.Program) {
			for range 2 {
				p.Work(0, 1, 90_000)
				send(p, 0, 2, 8000)
				p.Recv(2, 0)
				p.All(runtest.Step{Do: runtest.Meets})
			}
		}, "far: latency 1500, of it the call 500, per byte 2, 2 messages; starting 500, Recv 500"},
		{"one large size", func(p *runtest.Program) {
			p.Work(0, 1, 90_000)
			send(p, 0, 2, 8000)
			p.Recv(2, 0)
		}, "far: latency 17500, of it the call 500, per byte 0, 1 messages of 8000 bytes; starting 500, Recv 500"},
	} {
		p := runtest.NewProgram(4)
		p.Nodes, p.Near, p.PerByte = 2, 400, 2
		c.plan(p)
		if got := measured(t, p.Run(t)); got != c.want {
			t.Errorf("%s: %s", c.what, got)
		}
	}
}

// A call of a task, from 1, of MPI: 1 is MPI_Send, 2 MPI_Recv, 4 MPI_Irecv, 6 MPI_Waitall, 59 MPI_Waitany.
func call(task int, from, to int64, value int) string {
	return fmt.Sprintf("2:%[1]d:1:%[1]d:1:%[2]d:50000001:%[4]d\n2:%[1]d:1:%[1]d:1:%[3]d:50000001:0", task, from, to,
		value)
}

// A message between tasks: sent, its receive posted, received.
func message(from, to int, sent, posted, received int64, size int) string {
	return fmt.Sprintf("3:%[1]d:1:%[1]d:1:%[3]d:%[3]d:%[2]d:1:%[2]d:1:%[4]d:%[5]d:%[6]d:1", from, to, sent, posted,
		received, size)
}

// Tasks 1 and 2 are on the first node, 3 on the second.
func TestCompleted(t *testing.T) {
	for _, c := range []struct {
		what  string
		lines []string
		want  string
	}{
		// Task 2 waits for both messages until 9,000; the far one, sent last, counts.
		{"two of one call", []string{call(2, 0, 100, 4), call(2, 100, 200, 4), call(2, 300, 9000, 6),
			call(1, 1000, 1100, 1), message(1, 2, 1000, 0, 9000, 10),
			call(3, 4000, 4100, 1), message(3, 2, 4000, 100, 9000, 10)},
			"far: latency 5000, of it the call 100, per byte 0, 1 messages of 10 bytes; starting 100, Waitall 100"},
		// The near one is sent last, but the call may have waited for the far one: 5,000 is an upper bound.
		{"two of one call, the near one later", []string{call(2, 0, 100, 4), call(2, 100, 200, 4),
			call(2, 300, 9000, 6),
			call(1, 4000, 4100, 1), message(1, 2, 4000, 0, 9000, 10),
			call(3, 1000, 1100, 1), message(3, 2, 1000, 100, 9000, 10)},
			"near: latency 5000, of it the call 100, per byte 0, 1 messages of 10 bytes, at most; " +
				"starting 100, Waitall 100"},
		{"any of some", []string{call(2, 0, 100, 4), call(2, 300, 9000, 59), call(1, 1000, 1100, 1),
			message(1, 2, 1000, 0, 9000, 10)},
			"near: latency 8000, of it the call 0, per byte 0, 1 messages of 10 bytes; starting 100, Waitany 100"},
		// A message that is received before it is sent spoils those between the two nodes, both ways.
		{"clocks disagree", []string{call(3, 0, 100, 2), call(1, 500, 600, 1), message(1, 3, 500, 0, 100, 10),
			call(1, 1000, 3000, 2), call(3, 2000, 2100, 1), message(3, 1, 2000, 1000, 3000, 10),
			call(2, 1000, 6000, 2), call(1, 4000, 4100, 1), message(1, 2, 4000, 1000, 6000, 10)},
			"near: latency 2000, of it the call 100, per byte 0, 1 messages of 10 bytes; starting 100, Recv 100"},
	} {
		text := "#Paraver (01/01/03 at 00:00):100000_ns:2(2,1):1:3(1:1,1:1,1:2)\n1:1:1:1:1:0:100000:1\n" +
			"1:2:1:2:1:0:100000:1\n1:3:1:3:1:0:100000:1\n" + strings.Join(c.lines, "\n") + "\n"
		tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := measured(t, tr); got != c.want {
			t.Errorf("%s: %s", c.what, got)
		}
	}
}

// A fitted network in words, and as a machine.
func TestFitText(t *testing.T) {
	for _, c := range []struct {
		fit  network.Fit
		want string
	}{
		{network.Fit{Latency: 1500.4, Bandwidth: 950, Messages: 1200},
			"latency 1.5 us, bandwidth 950 MB/s, from 1,200 messages"},
		{network.Fit{Latency: 2000, Bandwidth: math.Inf(1), Messages: 1, AtMost: true},
			"latency at most 2 us, no limit of bandwidth, from 1 message"},
	} {
		if got := c.fit.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		p := &sim.Program{Ptasks: []sim.Ptask{{Tasks: 1}}, Tasks: []sim.Task{{Threads: 1}}}
		if m := c.fit.Machine(p); m.Name != "fitted" || m.Nodes[0].Latency != math.Round(c.fit.Latency) {
			t.Errorf("%+v", m)
		}
	}
}
