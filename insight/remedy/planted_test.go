package remedy_test

// Planted losses: each gain is worked out by hand from the times of the program, and the words of the candidate give it
// again.

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"pview/insight/remedy"
	"pview/insight/report"
	"pview/insight/runtest"
	"pview/prv"
)

const us = 1000

// farmRun returns a run in which a master, the first task, hands out tasks of some times to those workers that ask, in
// rounds that end with an operation of all. A message takes 2 us, a call 1. Before the master answers it computes.
func farmRun(t *testing.T, threads, active int, prepare int64, rounds ...[]int64) *remedy.Run {
	t.Helper()
	return farmIn(t, runtest.Tasks(threads), threads, active, prepare, rounds...)
}

// farmIn is such a run of the first threads of a trace.
func farmIn(t *testing.T, b *prv.Builder, threads, active int, prepare int64, rounds ...[]int64) *remedy.Run {
	t.Helper()
	call := func(th int32, from, to, value int64, state uint32) {
		b.State(th, 0, from, to, state)
		b.Event(th, 0, from, prv.Pair{Type: 50000001, Value: value})
		b.Event(th, 0, to, prv.Pair{Type: 50000001})
	}
	compute := func(th int32, from, to, function int64) {
		b.State(th, 0, from, to, 1)
		b.Event(th, 0, from, prv.Pair{Type: 60000019, Value: function})
		b.Event(th, 0, to, prv.Pair{Type: 60000019})
	}
	message := func(from, to int32, times ...int64) {
		b.Comm(prv.Comm{Send: from, Recv: to, Size: 8, Times: [4]int64(times)})
	}
	begin := int64(0)
	for _, tasks := range rounds {
		at := make([]int64, threads) // a worker asks; the others come to the operation
		for th := range at {
			at[th] = begin
		}
		free := begin
		for left := active; left > 0; {
			w := int32(1)
			for th := int32(2); int(th) <= active; th++ {
				if at[w] < 0 || at[th] >= 0 && at[th] < at[w] {
					w = th
				}
			}
			asked := at[w]
			taken := max(free+us, asked+2*us)
			sent := taken
			call(w, asked, asked+us, 1, 4)
			call(0, free, taken, 2, 3)
			message(w, 0, asked, asked, free, taken)
			if len(tasks) > 0 && prepare > 0 {
				sent += prepare
				compute(0, taken, sent, 3)
			}
			free = sent + us
			call(0, sent, free, 1, 4)
			call(w, asked+us, sent+2*us, 2, 3)
			message(0, w, sent, sent, asked+us, sent+2*us)
			at[w] = sent + 2*us
			if len(tasks) == 0 {
				at[w] = -at[w]
				left--
				continue
			}
			compute(w, at[w], at[w]+tasks[0], 2)
			at[w] += tasks[0]
			tasks = tasks[1:]
		}
		last := free
		for th := range at {
			at[th] = max(at[th], -at[th])
			last = max(last, at[th])
		}
		at[0] = free
		for th := range int32(threads) {
			b.State(th, 0, at[th], last+us, 13)
			b.Event(th, 0, at[th], prv.Pair{Type: 50000002, Value: 10})
			b.Event(th, 0, last+us, prv.Pair{Type: 50000002})
		}
		begin = last + us
	}
	return remedy.NewRun(context.Background(), runtest.Computation(t, runtest.Build(t, b)))
}

func tasks(n int, time int64, more ...int64) (list []int64) {
	for range n {
		list = append(list, time)
	}
	return append(list, more...)
}

// all returns the candidates of a list, also those for the same loss.
func all(list []*remedy.Candidate) (out []*remedy.Candidate) {
	for _, x := range list {
		out = append(append(out, x), x.Same...)
	}
	return out
}

// ran returns a run of a program, made by body in each of some iterations that end with an Allreduce.
func ran(t *testing.T, p *runtest.Program, iterations int, body func(p *runtest.Program)) *remedy.Run {
	t.Helper()
	for range iterations {
		body(p)
		p.All(runtest.Step{Do: runtest.Meets})
	}
	return remedy.NewRun(context.Background(), runtest.Computation(t, p.Run(t)))
}

// program has some tasks on one node; a call takes some time, and so does a message.
func program(tasks int, overhead, latency int64) *runtest.Program {
	p := runtest.NewProgram(tasks)
	p.Overhead, p.Latency = overhead, latency
	return p
}

// swaps returns a program of 4 tasks on 2 nodes. Each exchanges messages with one at a distance, which take 200 us
// between nodes.
func swaps(t *testing.T, distance int, roundRobin bool) *remedy.Run {
	p := program(4, 500, 200*us)
	p.Nodes, p.RoundRobin, p.Near = 2, roundRobin, 2*us
	for range 200 {
		for i := range p.Steps {
			p.Work(i, 1, 20*us)
			p.Send(i, i^distance)
			p.Recv(i, i^distance)
		}
	}
	return ran(t, p, 0, nil)
}

// ring lets each of 4 tasks, of which consecutive ones are on different nodes, exchange 10 or 20 kB with its neighbour,
// and a fifth of it with the other one, on its own node. A byte takes 1 ns, after 10 us between nodes, 2 within one.
func ring(t *testing.T) *remedy.Run {
	p := program(4, 500, 10*us)
	p.Nodes, p.RoundRobin, p.Near, p.PerByte = 2, true, 2*us, 1
	for n := range int64(200) {
		for i := range p.Steps {
			p.Work(i, 1, 20*us)
			p.Add(i, runtest.Step{Do: runtest.Sends, Peer: i ^ 1, Size: 10_000 << (n % 2)})
			p.Recv(i, i^1)
			p.Add(i, runtest.Step{Do: runtest.Sends, Peer: i ^ 2, Size: 2000 << (n % 2)})
			p.Recv(i, i^2)
		}
	}
	return ran(t, p, 0, nil)
}

// largeMessages lets even tasks compute for 200 us and send 2 MB, which take 2 ms, to odd ones, which compute for 2 ms.
func largeMessages(t *testing.T) *remedy.Run {
	p := program(4, 500, 1*us)
	p.PerByte = 1
	return ran(t, p, 20, func(p *runtest.Program) {
		for i := 0; i < 4; i += 2 {
			p.Send(i, i+1)
			p.Work(i+1, 3, 100*us)
			p.Recv(i+1, i)
			p.Work(i, 1, 200*us)
			p.Add(i, runtest.Step{Do: runtest.Sends, Peer: i + 1, Size: 2_000_000})
			p.Recv(i+1, i)
			p.Work(i+1, 2, 2*ms)
		}
	})
}

// rendezvous lets even tasks offer a message to odd ones before they compute for 1 ms; these receive it after theirs.
func rendezvous(t *testing.T) *remedy.Run {
	return ran(t, program(4, 500, 1*us), 20, func(p *runtest.Program) {
		for i := 0; i < 4; i += 2 {
			p.Add(i, runtest.Step{Do: runtest.SendsSync, Peer: i + 1, Size: 8})
			p.Work(i, 1, ms)
			p.Work(i+1, 2, ms)
			p.Recv(i+1, i)
		}
	})
}

// loss is a run with a loss, and its repair.
type loss struct {
	run   *remedy.Run
	rule  report.RuleID
	kind  report.Kind
	gain  int64
	off   float64
	title string
	spec  string
}

// losses are runs with losses.
func losses(t *testing.T) map[string]loss {
	t.Helper()
	return map[string]loss{
		// 3 workers have 3 tasks of 1 ms each, and one then the last, of 4. Handed out first, that worker has one more,
		// and the others 4: 5 ms instead of 7, and 2 tasks less that take 6 us to hand out. Twice.
		"long": {farmRun(t, 4, 3, 2*us, tasks(9, ms, 4*ms), tasks(9, ms, 4*ms)), remedy.LargeTasksID, report.Grain,
			2 * (2*ms + 2*6*us), 1e-4, "a long task comes last: 4 ms of function 2 on 1.2.1, while the other " +
				"workers are " +
				"done (a task takes 1.3 ms on average)", "longest-first"},
		// Two workers have 12 tasks each, where four would have 6. The last of them begins 6 us later.
		"idle": {farmRun(t, 5, 2, 2*us, tasks(24, ms)), remedy.MastersID, report.Workers, 6*1006*us - 6*us, 1e-3,
			"idle workers: only 2 of 4 workers execute function 2, no task for 1.4.1, 1.5.1",
			"workers:threads=1.4.1-1.5.1"},
		// 96 tasks for each worker, of 10 us and 6 to hand it out; or 6 times 16 tasks.
		"small": {farmRun(t, 4, 3, 2*us, tasks(288, 10*us)), remedy.GrainID, report.Grain, 96*16*us - 6*166*us, 0.01,
			"tasks are too small: function 2 takes 10 us, handing one out 6.02 us; 16 tasks at a time would be good",
			"pack:threads=1.1.1:16"},
		// The master takes 102 us for each task. Without 100 of them the 7 workers have 10 tasks of 204 us.
		"master": {farmRun(t, 8, 7, 100*us, tasks(70, 200*us)), remedy.MastersID, report.Master,
			70*102*us + 204*us - 10*204*us - 6*2*us, 0.005,
			"the master 1.1.1 is a bottleneck: function 3 takes 100 us per task, and the workers wait",
			"faster:region=function 3/threads=1.1.1:100%"},
		// An exchange takes 200 us from the receive on; within a node 1 us, 1/5 ns per byte, and the call, 500 ns.
		"traffic": {swaps(t, 2, false), remedy.LocalityID, report.Mapping, 200 * (200*us - 1501), 0,
			"100 % of the bytes go between nodes; with another mapping, ranks placed by their traffic, 0 % would",
			"map"},
		"blocks": {swaps(t, 1, true), remedy.LocalityID, report.Mapping, 200 * (200*us - 1501), 0,
			"100 % of the bytes " +
				"go between nodes; with another mapping, consecutive ranks on each node, 0 % would", "map"},
		// Messages of 10 kB need 8 us less within a node. Those of 2 kB go between nodes, whose links carry a fifth of
		// the bytes: 10 us and 2000 x 0.2 ns instead of 2 us and 2000 ns. 8 - 6.4 us, and 8 - 4.8 us of twice as much.
		"links": {ring(t), remedy.LocalityID, report.Mapping, 100 * (1600 + 3200), 1e-3,
			"83.3 % of the bytes go between nodes; with another mapping, consecutive ranks on each node, 16.7 % would",
			"map"},
		// Of 10 calls that send and 10 that receive, 100 us each, one remains; 2 x 9 x 100 us in each of 20 iterations.
		"rows": {ran(t, program(4, 100*us, 10*us), 20, func(p *runtest.Program) {
			for i := range p.Steps {
				p.Work(i, 1, ms)
				for range 10 {
					p.Send(i, i^1)
				}
				p.Work(i, 2, ms)
				for range 10 {
					p.Recv(i, i^1)
				}
			}
		}), remedy.CombiningID, report.SmallMessages, 20 * 18 * 100 * us, 0,
			"800 small messages go in rows of up to 10 between the same two threads (4 pairs)", "pack"},
		// 4 receives are posted, after 10 us of the runtime system each, and of 4 messages the first is awaited. As one
		// message it is there as early, and the calls that complete remain: three posts go, with what is before them.
		"posted": {ran(t, program(2, 100*us, ms), 20, func(p *runtest.Program) {
			for i := range p.Steps {
				for range 4 {
					p.Add(i, runtest.Step{Do: runtest.InRuntime, Time: 10 * us})
					p.Add(i, runtest.Step{Do: runtest.Posts, Peer: i ^ 1})
				}
				for range 4 {
					p.Send(i, i^1)
				}
				for range 4 {
					p.Add(i, runtest.Step{Do: runtest.Completes})
				}
			}
		}), remedy.CombiningID, report.SmallMessages, 20 * 3 * 110 * us, 0.04,
			"160 small messages go in rows of up to 4 between the same two threads (2 pairs)", "pack"},
		// Data are made in 200 us, take 2 ms, and are used in 2 ms. In 16 parts all but the first part overlaps: 12.5
		// us to make it, 125 on its way.
		"parts": {largeMessages(t), remedy.PipeliningID, report.Pipelining,
			20 * (4200*us - 2000*us - 12_500 - 125*us),
			0.01, "pipelining: 16 parts would overlap both sides of data that are made, sent in one piece, " +
				"and only then " +
				"used (40 times between 2 pairs of threads)", "split:threads=1.1.1,1.3.1:16"},
		// Each thread computes for 500 us once the one before it has; in 16 parts the last begins after 7 of 31.25 us,
		// with 2.5 us to send and receive.
		"chain": {ran(t, program(8, 500, 1*us), 20, func(p *runtest.Program) {
			for i := range p.Steps {
				if i > 0 {
					p.Recv(i, i-1)
				}
				p.Work(i, 1, 500*us)
				if i < 7 {
					p.Send(i, i+1)
				}
			}
		}), remedy.ChainID, report.Pipelining, 20 * (7*501_500 - 7*33_750 - 16*us), 0.005,
			"a chain: each thread works " +
				"when the one before it is done, 139 times between 7 pairs of threads; pipelining in 16 parts " +
				"would let " +
				"them work at once", "split:threads=1.1.1-1.7.1:16"},
		// A message takes 400 us, and 700 of the 1000 us behind it may be computed meanwhile.
		"overlap": {ran(t, program(4, 1*us, 400*us), 20, func(p *runtest.Program) {
			for i := range p.Steps {
				p.Add(i, runtest.Step{Do: runtest.Posts, Peer: i ^ 1})
				p.Send(i, i^1)
				p.Add(i, runtest.Step{Do: runtest.Completes})
				p.Work(i, 1, ms)
			}
		}), remedy.OverlapID, report.NoOverlap, 20 * 400 * us, 0.01,
			"80 exchanges are awaited before the computation that follows: nothing overlaps", "overlap"},
		// 200 us are computed meanwhile, so that 200 are waited, and less is to be gained.
		"overlap partly": {ran(t, program(4, 1*us, 400*us), 20, func(p *runtest.Program) {
			for i := range p.Steps {
				p.Add(i, runtest.Step{Do: runtest.Posts, Peer: i ^ 1})
				p.Send(i, i^1)
				p.Work(i, 2, 200*us)
				p.Add(i, runtest.Step{Do: runtest.Completes})
				p.Work(i, 1, ms)
			}
		}), remedy.OverlapID, report.NoOverlap, 20 * 200 * us, 0.01,
			"80 exchanges are awaited before the computation that follows", "overlap"},
		// Task 1 does 900 us of the function before the exchange, which the others do after it.
		"sends late": {ran(t, program(4, 500, 1*us), 20, func(p *runtest.Program) {
			for i := range p.Steps {
				before := int64(100 * us)
				if i == 0 {
					before = ms
				}
				p.Work(i, 2, before)
				p.Send(i, i^1)
				p.Recv(i, i^1)
				p.Work(i, 2, 1100*us-before)
			}
		}), remedy.LateSendersID, report.LateSend, 20 * 900 * us, 1e-3,
			"late sender: 1.1.1 does 18 ms of function 2 " +
				"before it sends, the others do that after the exchange", "send-early:region=function 2/threads=1.1.1"},
		// Task 4 does 900 us before it receives what task 3 offers, the others after that; then tasks 3 and 4 meet.
		"receives late": {ran(t, program(6, 500, 1*us), 20, func(p *runtest.Program) {
			for i := range p.Steps {
				before := int64(100 * us)
				if i == 3 {
					before = ms
				}
				p.Work(i, 2, before)
				if i%2 == 0 {
					p.Add(i, runtest.Step{Do: runtest.SendsSync, Peer: i + 1, Size: 8})
				} else {
					p.Recv(i, i-1)
				}
				p.Work(i, 2, 1100*us-before)
			}
		}), remedy.LateReceiversID, report.LateReceive, 20 * 900 * us, 1e-3, "late receiver: 1.4.1 does 18 ms of " +
			"function 2 before it receives, and senders are blocked until the receive is posted",
			"post-early:region=function 2/threads=1.4.1"},
		// Task 1 takes 200 us for each of 7 messages; each of 8 tasks could take 175.
		"gathers": {ran(t, program(8, 500, 1*us), 20, func(p *runtest.Program) {
			p.All(runtest.Step{Do: runtest.Computes, Function: 1, Time: 200 * us})
			for i := 1; i < len(p.Steps); i++ {
				p.Send(i, 0)
				p.Recv(0, i)
				p.Work(0, 2, 200*us)
			}
		}), remedy.BottleneckID, report.HotSpot, 20 * 7 * 175 * us, 0,
			"1.1.1 gathers from 7 threads and works on each " +
				"message in turn (function 2, 28 ms in all): a bottleneck", "share:region=function 2/threads=1.1.1"},
		// It answers each of 3 after 200 us, of which three of 4 tasks could take 150.
		"serves": {ran(t, program(4, 500, 1*us), 20, func(p *runtest.Program) {
			for i := 1; i < len(p.Steps); i++ {
				p.Send(i, 0)
				p.Recv(0, i)
				p.Work(0, 2, 200*us)
				p.Send(0, i)
				p.Recv(i, 0)
			}
			p.All(runtest.Step{Do: runtest.Computes, Function: 1, Time: 200 * us})
		}), remedy.MastersID, report.Master, 20 * 3 * 150 * us, 0, "the master 1.1.1 is a bottleneck: function 2 " +
			"between request and answer takes 200 us each, and the workers wait",
			"share:region=function 2/threads=1.1.1"},
		// Task 1 initialises for 20 ms; each of 8 could do 2.5.
		"initialises": {ran(t, func() *runtest.Program {
			p := program(8, 500, 1*us)
			p.Work(0, 1, 20*ms)
			p.All(runtest.Step{Do: runtest.Meets})
			return p
		}(), 20, func(p *runtest.Program) {
			p.All(runtest.Step{Do: runtest.Computes, Function: 2, Time: ms})
		}), remedy.InitialisationID, report.SerialWork, 17_500 * us, 0,
			"function 1 is serial: only 1.1.1 executes it, 20 ms in all, while the others wait",
			"share:region=function 1/threads=1.1.1"},
		// 2 of 8 tasks compute for 1 ms, the others for 50 us. Shared out, all compute for 250 us, the others besides
		// their 50: 700 us less.
		"two": {ran(t, program(8, 500, 1*us), 20, func(p *runtest.Program) {
			for i := range p.Steps {
				time := int64(50 * us)
				if i%4 == 1 {
					time = ms
				}
				p.Work(i, 1, time)
			}
		}), remedy.SerialID, report.SerialWork, 20 * 700 * us, 0,
			"function 1 does not scale: 2 of 8 threads (1.2.1, " +
				"1.6.1) have 86.9 % of it, the others wait", "share:region=function 1/threads=1.2.1,1.6.1"},
	}
}

// Losses and their repairs. The gain is exact, or within a share of it where calls take time that the words leave out.
func TestPlanted(t *testing.T) {
	for name, c := range losses(t) {
		list, err := c.run.Find(nil)
		if err != nil || c.run.Base() != c.run.End {
			t.Errorf("%s: the replay ends at %d, the run at %d: %v", name, c.run.Base(), c.run.End, err)
		}
		near := func(gain int64) bool { return math.Abs(float64(gain-c.gain)) <= c.off*float64(c.gain) }
		var found []string
		ok := false
		for _, x := range all(list) {
			found = append(found, fmt.Sprint(x.Rule, x.Kind, x.Gain, x.Title, x.Spec))
			if x.Spec == c.spec && near(x.Gain) {
				ok = x.Rule == c.rule && x.Kind == c.kind && x.Title == c.title
			}
		}
		if !ok {
			t.Errorf("%s: %s, want %d", name, strings.Join(found, "\n"), c.gain)
		}
		if trial, err := c.run.Try([]string{c.spec}); err != nil || !near(trial.Gain()) {
			t.Errorf("%s: %s: %v %v", name, c.spec, trial, err)
		}
	}
}
