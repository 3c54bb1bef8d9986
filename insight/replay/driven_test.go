package replay_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pview/insight/eventgraph"
	"pview/insight/replay"
	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/extrae/execution"
	"pview/prv/prvtest"
	"pview/render/document"
	"pview/sim/driven"
)

// checkProgram compares the tasks of a program, a line each: the processor and its work, then each task that it
// creates, after how long, and how long the message takes. The last lines are the roots, the order, and the begins.
func checkProgram(t *testing.T, trace *prv.Trace, edit *replay.DrivenEdit, want string) {
	t.Helper()
	r := replay.NewDriven(runtest.Graph(t, trace), edit)
	var b strings.Builder
	for i, task := range r.Program.Tasks {
		fmt.Fprintln(&b, i, "on", task.Processor, "works", task.Work, task.Creates)
	}
	result, err := driven.Run(context.Background(), r.Program, driven.Options{Order: r.Order})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(&b, "roots", r.Program.Roots)
	fmt.Fprintln(&b, "order", r.Order)
	fmt.Fprintln(&b, "begin", result.Begin, "length", result.Length)
	prvtest.SameText(t, b.String(), want)
}

// Idle time is until 20 on processor 2 and until 25 on 3: messages arrive at the ends of idle time.
func TestDrivenProgram(t *testing.T) {
	trace := runtest.Driven(t)
	checkProgram(t, trace, nil, `
		0 on 0 works 10 [{1 4 16} {3 6 19}]
		1 on 1 works 10 [{2 10 5}]
		2 on 1 works 3 []
		3 on 2 works 15 [{4 5 15}]
		4 on 2 works 5 []
		roots [{0 0}]
		order [[0] [1 2] [3 4]]
		begin [0 20 35 25 45] length 50
	`)
	// Unit 0 takes twice its time, also until its messages: 4 and 6 more.
	checkProgram(t, trace, &replay.DrivenEdit{Changes: []replay.Change{{Thread: 0, To: 10, Factor: 2}}}, `
		0 on 0 works 20 [{1 8 16} {3 12 19}]
		1 on 1 works 10 [{2 10 5}]
		2 on 1 works 3 []
		3 on 2 works 15 [{4 5 15}]
		4 on 2 works 5 []
		roots [{0 0}]
		order [[0] [1 2] [3 4]]
		begin [0 24 39 31 51] length 56
	`)
	// Message 0 is sent at 2 instead of 6; and unit 4 is executed by processor 1, to which its message takes 16, as
	// that from 6 to 22 did.
	sent := &replay.DrivenEdit{Changes: []replay.Change{{Kind: replay.OfSend, Message: 0, From: 2}}}
	checkProgram(t, trace, sent.Join(&replay.DrivenEdit{Moves: map[int32]int32{4: 0}}), `
		0 on 0 works 10 [{1 4 16} {3 2 19}]
		1 on 1 works 10 [{2 10 5}]
		2 on 1 works 3 []
		3 on 2 works 15 [{4 5 16}]
		4 on 0 works 5 []
		roots [{0 0}]
		order [[0 4] [1 2] [3]]
		begin [0 20 35 21 42] length 47
	`)
}

// Tasks 3 to 5 hold the work of the processors before their first units. On 2 that is 7: 1 before it was created, 2 in
// the runtime and 4 of the program.
func TestDrivenProgramWithStates(t *testing.T) {
	trace := runtest.DrivenChain(t)
	checkProgram(t, trace, nil, `
		0 on 0 works 8 [{1 3 15}]
		1 on 1 works 10 [{2 5 17}]
		2 on 2 works 8 []
		3 on 0 works 2 []
		4 on 1 works 7 []
		5 on 2 works 2 []
		roots [{3 0} {4 0} {5 0} {0 0}]
		order [[3 0] [4 1] [5 2]]
		begin [2 20 42 0 0 0] length 50
	`)
	checkProgram(t, trace, &replay.DrivenEdit{Changes: []replay.Change{{Thread: 0, To: 10, Factor: 2}}}, `
		0 on 0 works 16 [{1 6 15}]
		1 on 1 works 10 [{2 5 17}]
		2 on 2 works 8 []
		3 on 0 works 4 []
		4 on 1 works 7 []
		5 on 2 works 2 []
		roots [{3 0} {4 0} {5 0} {0 0}]
		order [[3 0] [4 1] [5 2]]
		begin [4 25 47 0 0 0] length 55
	`)
	// All are ready 3 earlier: 1 and 3 have nothing to do before, and the run ends as much earlier as unit 0 begins.
	earlier := &replay.DrivenEdit{Earlier: 3}
	checkProgram(t, trace, earlier.Join(&replay.DrivenEdit{Earlier: 2}), `
		0 on 0 works 8 [{1 3 15}]
		1 on 1 works 10 [{2 5 17}]
		2 on 2 works 8 []
		3 on 1 works 4 []
		roots [{3 0} {0 0}]
		order [[0] [3 1] [2]]
		begin [0 18 40 0] length 48
	`)
}

// The message of unit 1 is in the queue at 17, when processor 2 has been busy from 14 on: 4 of what it does before, 1
// until it was created and 3 from 14 on, are of task 4, the 3 until the entry begins at 20 are of unit 1, which creates
// unit 2 after 3 + 5. The message took 12, from 5 to 17.
func TestQueuedWhileBusy(t *testing.T) {
	b := runtest.Tasks(3)
	for th, list := range [][][3]int64{{{0, 12, 1}, {12, 60, 0}},
		{{0, 1, 2}, {1, 14, 0}, {14, 16, 7}, {16, 32, 1}, {32, 60, 0}}, {{0, 42, 0}, {42, 52, 1}, {52, 60, 0}}} {
		for _, s := range list {
			b.State(int32(th), 0, s[0], s[1], uint32(s[2]))
		}
	}
	runtest.Line(b, 0, 0, runtest.Slots{execution.Entry: 1})
	runtest.Line(b, 0, 5, runtest.Slots{execution.Created: 1, execution.Target: 2, execution.Receiver: 2})
	runtest.Line(b, 0, 10, runtest.Slots{execution.Entry: 0})
	runtest.Line(b, 1, 17, runtest.Slots{execution.Enqueue: 1, execution.Creator: 1})
	runtest.Line(b, 1, 20, runtest.Slots{execution.Entry: 2, execution.Message: 1, execution.Creator: 1})
	runtest.Line(b, 1, 25, runtest.Slots{execution.Created: 1, execution.Target: 3, execution.Receiver: 3})
	runtest.Line(b, 1, 30, runtest.Slots{execution.Entry: 0})
	runtest.Executed(b, 2, 42, 50, 3, 1, 2, nil)
	trace := runtest.Build(t, b)
	checkProgram(t, trace, nil, `
		0 on 0 works 10 [{1 5 12}]
		1 on 1 works 13 [{2 8 17}]
		2 on 2 works 8 []
		3 on 1 works 4 []
		roots [{3 0} {0 0}]
		order [[0] [3 1] [2]]
		begin [0 17 42 0] length 50
	`)
	// From 14 to 20 all takes twice the time: 3 more before the message is there, and 3 more from then on.
	checkProgram(t, trace, &replay.DrivenEdit{Changes: []replay.Change{{Thread: 1, From: 14, To: 20, Factor: 2}}}, `
		0 on 0 works 10 [{1 5 12}]
		1 on 1 works 16 [{2 11 17}]
		2 on 2 works 8 []
		3 on 1 works 7 []
		roots [{3 0} {0 0}]
		order [[0] [3 1] [2]]
		begin [0 17 45 0] length 53
	`)
}

// Processor 2 goes from its first unit, which no message starts, to the next at 15 without a pause. Nobody knows when
// the message of that was in its queue, which was created at 4: as much later as messages take, but by 15.
func TestUnrecordedArrival(t *testing.T) {
	b := runtest.Tasks(2)
	runtest.Line(b, 0, 0, runtest.Slots{execution.Entry: 1})
	runtest.Line(b, 0, 4, runtest.Slots{execution.Created: 1, execution.Target: 2, execution.Receiver: 2})
	runtest.Line(b, 0, 10, runtest.Slots{execution.Entry: 0})
	runtest.Line(b, 1, 0, runtest.Slots{execution.Entry: 5})
	runtest.Line(b, 1, 15, runtest.Slots{execution.Entry: 0})
	runtest.Executed(b, 1, 15, 25, 2, 1, 1, nil)
	g := runtest.Graph(t, runtest.Build(t, b))
	for transfer, takes := range map[int64]int64{2: 2, 100: 11} {
		g.Params = eventgraph.Parameters{Latency: eventgraph.Parameter{Value: float64(transfer)}}
		r := replay.NewDriven(g, nil)
		if list := r.Program.Tasks[0].Creates; len(list) != 1 || list[0].After != 4 || list[0].Takes != takes {
			t.Errorf("a message takes %d: %+v", transfer, list)
		}
	}
}

// The recorded run, and each order of queues with each strategy. With the neighbours' the task to place stays on
// processor 1, from 10 to 25, and creates the last one at 15, which begins at 30; so processor 2 is the last, at 38.
func TestRuntimes(t *testing.T) {
	list, err := replay.Runtimes(context.Background(), runtest.Graph(t, runtest.Driven(t)))
	if err != nil {
		t.Fatal(err)
	}
	if want := 1 + len(driven.Queues)*len(driven.Strategies); len(list) != want {
		t.Errorf("%d of %d", len(list), want)
	}
	for i := range list {
		if l := &list[i]; l.Balance == "recorded" && (l.Length != 50 || l.Hops != 1 || l.Messages != 0) ||
			l.Balance == "neighbours" && (l.Length != 38 || l.Hops != 0) {
			t.Errorf("%+v", l)
		}
	}
	fixed, err := replay.Runtimes(context.Background(), runtest.Graph(t, runtest.DrivenChain(t)))
	if err != nil || len(fixed) != 1+len(driven.Queues) {
		t.Errorf("without tasks to place %d, %v", len(fixed), err)
	}
	if _, err := replay.Runtimes(context.Background(), runtest.Graph(t, runtest.NewProgram(2).Run(t))); err == nil {
		t.Error("a run that is not message-driven has queues")
	}
}

// Times are in us. The second run takes three quarters of the first; its end is reported before it ends.
func TestRuntimeDocument(t *testing.T) {
	list := []replay.Runtime{
		{Queue: "recorded", Balance: "recorded", Length: 40, Hops: 1,
			Quiet: driven.Detection{At: 47, First: 2, Second: 1, Messages: 9}},
		{Queue: "fifo", Balance: "token", Length: 30, Hops: 2, Messages: 6, Quiet: driven.Detection{At: 29}},
	}
	var b strings.Builder
	if err := document.Write(&b, replay.RuntimeDocument(list, prv.Microseconds), "csv", nil); err != nil {
		t.Fatal(err)
	}
	prvtest.SameText(t, b.String(), `
		queue,balance,time_ns,of_recorded,hops,messages,rounds,control_messages,reported_after_ns
		recorded,recorded,40000,1,1,0,3,9,7000
		fifo,token,30000,0.75,2,6,0,0,0
	`)
}
