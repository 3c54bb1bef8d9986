package criticalpath_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/insight/criticalpath"
	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/prv/synth"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/engine"
)

const megabyte = 1 << 20

func find(t testing.TB, tr *prv.Trace, opt criticalpath.Options) *criticalpath.Path {
	t.Helper()
	p, err := criticalpath.Find(context.Background(), tr, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// predict simulates a program and returns the predicted trace.
func predict(t testing.TB, p *sim.Program, m *sim.Machine, opt sim.Options) *prv.Trace {
	t.Helper()
	opt.Trace = true
	r, err := engine.Run(context.Background(), p, m, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r.Trace
}

// network is n nodes of one CPU: latency 25 us, 100 MB/s, so that a megabyte takes 10 ms.
func network(n int) *sim.Machine {
	m := sim.Ideal(n)
	m.Clusters[0].Bandwidth = 100
	for i := range m.Nodes {
		m.Nodes[i].Latency, m.Nodes[i].Links = 25_000, sim.Links{In: 1, Out: 1}
	}
	return m
}

// program makes a program of n tasks of one thread.
func program(t testing.TB, n int, fill func(p *sim.Program)) *sim.Program {
	t.Helper()
	p := &sim.Program{}
	p.AddPtask()
	for range n {
		p.AddTask(1)
	}
	fill(p)
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	return p
}

// text returns a path in lines: thread, begin and end in microseconds, kind.
func text(p *criticalpath.Path) (lines []string) {
	for _, s := range p.Segments {
		who := fmt.Sprint(s.Thread + 1)
		if s.Kind.OnNetwork() {
			who = "-"
		}
		lines = append(lines, fmt.Sprintf("%s %d..%d %s", who, s.Begin/1000, s.End/1000,
			criticalpath.Kinds[s.Kind].Key))
	}
	return lines
}

func checkText(t *testing.T, p *criticalpath.Path, want ...string) {
	t.Helper()
	if got := text(p); !slices.Equal(got, want) {
		t.Errorf("the path is\n%s\nand not\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// checkWhole: the segments follow one another from 0 to the end, so their sum is the time of the run; and so it is when
// the time is divided by kind, by thread and by block.
func checkWhole(t testing.TB, tr *prv.Trace, p *criticalpath.Path) {
	t.Helper()
	at := int64(0)
	for i, s := range p.Segments {
		if s.Begin != at || s.End <= s.Begin {
			t.Fatalf("segment %d, of thread %d, goes from %d to %d; the one before ended at %d", i, s.Thread, s.Begin,
				s.End, at)
		}
		at = s.End
	}
	if at != tr.Duration {
		t.Fatalf("the path ends at %d, the run at %d", at, tr.Duration)
	}
	sum := p.Summary(nil)
	var kinds int64
	for _, v := range sum.Kinds {
		kinds += v
	}
	if threads, blocks := total(sum.Threads), total(sum.Blocks); sum.Total != tr.Duration || kinds != sum.Total ||
		threads != sum.Total || blocks != sum.Total {
		t.Fatalf("of %d: kinds %d, threads %d, blocks %d", tr.Duration, kinds, threads, blocks)
	}
}

func total(list []criticalpath.Share) (n int64) {
	for _, s := range list {
		n += s.Time
	}
	return n
}

// checkPredicted: besides, of a predicted run the path never waits for a message: it is with whom, or what, that waits.
func checkPredicted(t testing.TB, tr *prv.Trace) *criticalpath.Path {
	t.Helper()
	p := find(t, tr, criticalpath.Options{Timing: criticalpath.Simulated})
	checkWhole(t, tr, p)
	if n := p.Summary(nil).Kinds[criticalpath.Waiting]; n > 0 {
		t.Fatalf("%d ns of %d are waiting: %v", n, tr.Duration, p.Segments)
	}
	return p
}

// pair: task 1 computes for 100 us, sends a megabyte, computes for 200; task 2 computes for 50, receives, computes for
// 300.
func pair(t *testing.T, send sim.Kind, te float64) *sim.Program {
	return program(t, 2, func(p *sim.Program) {
		a, b := &p.Threads[0], &p.Threads[1]
		a.AddCompute(100_000)
		a.AddMessage(send, sim.Message{Peer: 1, Size: megabyte})
		a.AddCompute(200_000)
		b.AddCompute(te)
		b.AddMessage(sim.Recv, sim.Message{Peer: 0})
		b.AddCompute(300_000)
	})
}

// TestMessage is check D39: the receiver computes for 300 us after the message, which was on its way for 10000; before
// that the sender had the latency of 25 and had computed for 100: 300 + 10000 + 25 + 100 = 10425.
func TestMessage(t *testing.T) {
	tr := predict(t, pair(t, sim.Send, 50_000), network(2), sim.Options{})
	p := checkPredicted(t, tr)
	checkText(t, p, "1 0..100 computation", "1 100..125 latency", "- 125..10125 transfer", "2 10125..10425 computation")
	if tr.Duration != 10_425_000 {
		t.Errorf("the run takes %d ns", tr.Duration)
	}
}

// TestRendezvous: a message that waits for its receiver is held up by the receiver, who comes at 20000 us and has a
// latency of its own: 20000 + 25 + 10000 + 300. With a receiver that is early it is as without.
func TestRendezvous(t *testing.T) {
	for _, send := range []sim.Kind{sim.SendRendezvous, sim.IsendRendezvous} {
		late := checkPredicted(t, predict(t, pair(t, send, 20_000_000), network(2), sim.Options{}))
		checkText(t, late, "2 0..20000 computation", "2 20000..20025 latency", "- 20025..30025 transfer",
			"2 30025..30325 computation")
		early := checkPredicted(t, predict(t, pair(t, send, 50_000), network(2), sim.Options{}))
		checkText(t, early, "1 0..100 computation", "1 100..125 latency", "- 125..10125 transfer",
			"2 10125..10425 computation")
	}
}

// TestBlockedSender: the sender, blocked until its receiver comes at 20025 us, ends last; the path comes from the
// receiver.
func TestBlockedSender(t *testing.T) {
	p := pair(t, sim.SendRendezvous, 20_000_000)
	p.Threads[0].AddCompute(90_000_000)
	checkText(t, checkPredicted(t, predict(t, p, network(2), sim.Options{})),
		"2 0..20000 computation", "2 20000..20025 latency", "1 20025..110225 computation")
}

// TestResources: two pairs on one bus. The second message is ready at 35 us (10 + 25) and waits until the first, from
// 25 on, has left the bus at 10025.
func TestResources(t *testing.T) {
	prog := program(t, 4, func(p *sim.Program) {
		for i := range 2 {
			from, to := &p.Threads[2*i], &p.Threads[2*i+1]
			from.AddCompute(float64(i) * 10_000)
			from.AddMessage(sim.Send, sim.Message{Peer: int32(2*i + 1), Size: megabyte})
			to.AddCompute(0)
			to.AddMessage(sim.Recv, sim.Message{Peer: int32(2 * i)})
		}
	})
	m := network(4)
	m.Clusters[0].Buses = 1
	checkText(t, checkPredicted(t, predict(t, prog, m, sim.Options{})),
		"3 0..10 computation", "3 10..35 latency", "- 35..10025 resources", "- 10025..20025 transfer")
}

// TestReadyAndSwitch: two threads of 30 us on one CPU with slices of 10 us and a context switch of 1 us. The second
// ends at 65 us (6 slices and 5 switches), or, as Dimemas switches before the first, too, at 66: its own 30 and 3
// switches, and the rest ready.
func TestReadyAndSwitch(t *testing.T) {
	prog := program(t, 2, func(p *sim.Program) {
		p.Threads[0].AddCompute(30_000)
		p.Threads[1].AddCompute(30_000)
	})
	m := sim.Ideal(1)
	m.Mapping = []sim.Mapping{{Kind: sim.FillNodes}}
	m.Scheduler.Policy, m.Scheduler.Quantum, m.Scheduler.ContextSwitch = "RR", 10_000, 1000
	s := checkPredicted(t, predict(t, prog, m, sim.Options{})).Summary(nil)
	switches := s.Kinds[criticalpath.Switch]
	if s.Kinds[criticalpath.Computation] != 30_000 || switches != 3000 ||
		s.Kinds[criticalpath.Ready] != s.Total-33_000 {
		t.Errorf("of %d ns computing %d, switching %d, ready %d", s.Total, s.Kinds[criticalpath.Computation], switches,
			s.Kinds[criticalpath.Ready])
	}
}

// meetings returns a program in which four tasks meet; the third comes last, at 50 us. events says whether a tracer was
// there.
func meetings(t *testing.T, events bool) *sim.Program {
	return program(t, 4, func(p *sim.Program) {
		world := p.AddCommunicator(0, 1, []int32{0, 1, 2, 3})
		for i, work := range []float64{10_000, 20_000, 50_000, 30_000} {
			th := &p.Threads[i]
			th.AddCompute(work)
			if events {
				th.AddEvent(50000002, 10)
				th.AddEvent(50100004, 1)
			}
			th.AddCollective(sim.Collective, sim.CollectiveCall{Communicator: world, Op: 11, Sent: megabyte,
				Received: megabyte})
			if events {
				th.AddEvent(50000002, 0)
			}
			th.AddCompute(float64(i) * 1000)
		}
	})
}

// TestCollective: the path goes to the last to arrive. On an ideal network the operation takes no time; on the other
// both stages take 25 + 10000 us. Both with events that tell of the calls and with states alone.
func TestCollective(t *testing.T) {
	for _, events := range []bool{true, false} {
		prog := meetings(t, events)
		checkText(t, checkPredicted(t, predict(t, prog, sim.Ideal(4), sim.Options{})), "3 0..50 computation",
			"4 50..53 computation")
		checkText(t, checkPredicted(t, predict(t, prog, network(4), sim.Options{})), "3 0..50 computation",
			"4 50..20100 collective", "4 20100..20103 computation")
	}
}

// TestCollectiveAtOnce: an operation may be a thread's first state. The first task comes at 0, the other one at 50 us;
// the operation takes no time, or two stages of 25 + 10000 us.
func TestCollectiveAtOnce(t *testing.T) {
	prog := program(t, 2, func(p *sim.Program) {
		world := p.AddCommunicator(0, 1, []int32{0, 1})
		for i, work := range []float64{0, 50_000} {
			th := &p.Threads[i]
			th.AddCompute(work)
			th.AddCollective(sim.Collective, sim.CollectiveCall{Communicator: world, Op: 11, Sent: megabyte,
				Received: megabyte})
			th.AddCompute(float64(2-i) * 1000)
		}
	})
	checkText(t, checkPredicted(t, predict(t, prog, sim.Ideal(2), sim.Options{})), "2 0..50 computation",
		"1 50..52 computation")
	checkText(t, checkPredicted(t, predict(t, prog, network(2), sim.Options{})), "2 0..50 computation",
		"1 50..20100 collective", "1 20100..20102 computation")
}

// TestPipeline is the second half of D39, on the pipelines of D15: the parts sum to the time of the run, and of it
// the tasks compute at least the n + P - 1 blocks that follow one another.
func TestPipeline(t *testing.T) {
	const tasks, blocks = 8, 100
	prog := program(t, tasks, func(p *sim.Program) {
		for i := range tasks {
			th := &p.Threads[i]
			for range blocks {
				if i > 0 {
					th.AddMessage(sim.Recv, sim.Message{Peer: int32(i - 1), Size: 1000})
				}
				th.AddCompute(1_000_000)
				if i < tasks-1 {
					th.AddMessage(sim.Send, sim.Message{Peer: int32(i + 1), Size: 1000})
				}
			}
		}
	})
	for _, latency := range []float64{0, 100_000, 10_000_000} {
		m := sim.Ideal(tasks)
		for i := range m.Nodes {
			m.Nodes[i].Latency = latency
		}
		s := checkPredicted(t, predict(t, prog, m, sim.Options{})).Summary(nil)
		if s.Kinds[criticalpath.Computation] < (blocks+tasks-1)*1_000_000 {
			t.Errorf("latency %g: computing %d ns", latency, s.Kinds[criticalpath.Computation])
		}
		if s.Kinds[criticalpath.Computation]+s.Kinds[criticalpath.Latency] != s.Total {
			t.Errorf("latency %g: there is more than computation and latency: %v", latency, s.Kinds)
		}
	}
}

// TestPredictions: all cases of the kit, as they are and with every message waiting for its receiver.
func TestPredictions(t *testing.T) {
	cases, err := filepath.Glob("../../testdata/oracle/dimemas/*/trace.dim")
	if err != nil || len(cases) != 95 {
		t.Fatal(len(cases), err)
	}
	for _, path := range cases {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			p, err := dimemas.OpenProgram(context.Background(), path, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			m, err := dimemas.OpenMachine(filepath.Join(filepath.Dir(path), "sim.cfg"))
			if err != nil {
				t.Fatal(err)
			}
			rendezvous := *m
			rendezvous.EagerLimit, rendezvous.EagerSends = 0, false
			for _, machine := range []*sim.Machine{m, sim.IdealFor(p), &rendezvous} {
				for _, atWait := range []bool{false, true} {
					r, err := engine.Run(context.Background(), p, machine,
						sim.Options{Trace: true, LogicalRecvAtWait: atWait})
					if err != nil {
						continue // one that waits for ever, on purpose or because nothing is buffered
					}
					checkPredicted(t, r.Trace)
				}
			}
		})
	}
}

// exchange returns a program of random computation, messages and collective operations that ends.
func exchange(t *testing.T, rng *rand.Rand, tasks int) *sim.Program {
	kinds := []sim.Kind{sim.Send, sim.Isend, sim.SendRendezvous, sim.IsendRendezvous}
	return program(t, tasks, func(p *sim.Program) {
		var all []int32
		for i := range tasks {
			all = append(all, int32(i))
		}
		world := p.AddCommunicator(0, 1, all)
		for step := range 30 {
			for i := range p.Threads {
				p.Threads[i].AddCompute(float64(rng.IntN(5)) * 10_000)
			}
			if rng.IntN(4) == 0 {
				for i := range p.Threads {
					p.Threads[i].AddCollective(sim.Collective, sim.CollectiveCall{Communicator: world,
						Op: sim.CollectiveOp(rng.IntN(2) * 11), Sent: 1000, Received: 1000})
				}
				continue
			}
			from, to := rng.IntN(tasks), rng.IntN(tasks)
			if from == to {
				continue
			}
			m := sim.Message{Size: int64(rng.IntN(20_000)), Tag: int64(step)}
			out, in := m, m
			out.Peer, in.Peer = int32(to), int32(from)
			if rng.IntN(2) == 0 {
				p.Threads[to].AddMessage(sim.Irecv, in)
				p.Threads[to].AddCompute(float64(rng.IntN(3)) * 10_000)
				p.Threads[from].AddMessage(kinds[rng.IntN(4)], out)
				p.Threads[to].AddMessage(sim.Wait, in)
			} else {
				p.Threads[from].AddMessage(kinds[rng.IntN(4)], out)
				p.Threads[to].AddMessage(sim.Recv, in)
			}
		}
	})
}

// TestRandomPrograms: on machines of all kinds, with many things at one instant (times are multiples of 10 us).
func TestRandomPrograms(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		tasks := 2 + rng.IntN(6)
		prog := exchange(t, rng, tasks)
		m := network(tasks)
		m.Clusters[0].Buses = rng.IntN(3)
		m.Clusters[0].Bandwidth = float64(rng.IntN(2) * 100)
		for i := range m.Nodes {
			m.Nodes[i].Latency = float64(rng.IntN(2)) * 10_000
			if rng.IntN(3) == 0 {
				m.Nodes[i].Links = sim.Links{In: 1}
			}
		}
		if rng.IntN(3) == 0 {
			m.Mapping = []sim.Mapping{{Kind: sim.TasksPerNode, Tasks: 2}}
		}
		synchronous := thesis(t)
		synchronous[sim.BlockingSend] = sim.SendSynchronous
		for _, rules := range []sim.Rules{{}, thesis(t), synchronous} {
			if r, err := engine.Run(context.Background(), prog, m, sim.Options{Trace: true, Rules: rules}); err == nil {
				checkPredicted(t, r.Trace)
			} else if rules == (sim.Rules{}) {
				t.Fatal(err)
			}
		}
	}
}

// TestMeasured: what tracers write. Task 2 receives from 10 us on; task 1 comes to its send at 40 and is done at 45;
// the receive is over at 60. So the path computes on task 1 until 40, then the message is on its way. A second receive,
// from 70 to 75, finds its message: nobody held it up. So does a third, from 80 to 85, of a message that is sent at 78.
// A receive takes 4, twice as long as the shortest send: that message took at most 3, so the first is slow after
// 40 + 3 + 4.
func TestMeasured(t *testing.T) {
	tr := runtest.Read(t, `#Paraver (01/01/26 at 00:00):90000_ns:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:40000:1
1:2:1:2:1:0:10000:1
1:2:1:2:1:10000:60000:3
2:2:1:2:1:10000:50000001:2
1:1:1:1:1:40000:45000:4
2:1:1:1:1:40000:50000001:1
3:1:1:1:1:40000:45000:2:1:2:1:10000:60000:8:1
1:1:1:1:1:45000:50000:1
2:1:1:1:1:45000:50000001:0
1:1:1:1:1:50000:52000:4
3:1:1:1:1:50000:52000:2:1:2:1:70000:75000:8:2
1:1:1:1:1:52000:78000:1
1:1:1:1:1:78000:80000:4
3:1:1:1:1:78000:80000:2:1:2:1:80000:85000:8:3
1:2:1:2:1:60000:70000:1
2:2:1:2:1:60000:50000001:0
1:2:1:2:1:70000:75000:3
2:2:1:2:1:70000:50000001:2
1:2:1:2:1:75000:80000:1
2:2:1:2:1:75000:50000001:0
1:2:1:2:1:80000:85000:3
2:2:1:2:1:80000:50000001:2
1:2:1:2:1:85000:90000:1
2:2:1:2:1:85000:50000001:0
`)
	p := find(t, tr, criticalpath.Options{})
	checkText(t, p, "1 0..40 computation", "- 40..47 transfer", "- 47..60 transfer-more", "2 60..70 computation",
		"2 70..75 mpi", "2 75..80 computation", "- 80..85 transfer", "2 85..90 computation")
	checkWhole(t, tr, p)
	// The way of the message belongs to the receive that waited for it. Computation is named by the calls around it.
	s := p.Summary(nil)
	var got []string
	for _, b := range s.Blocks {
		got = append(got, fmt.Sprint(b.Name, " ", b.Time))
	}
	if want := []string{"start to value 1 40000", "value 2 30000", "value 2 to value 2 15000",
		"value 2 to end 5000"}; !slices.Equal(got, want) {
		t.Errorf("blocks: %q", got)
	}
	if len(s.Threads) != 3 || s.Threads[0].Time != 40_000 || s.Threads[1].Time != 25_000 ||
		s.Threads[2].Name != criticalpath.NetworkName || s.Threads[2].Time != 25_000 {
		t.Errorf("threads: %+v", s.Threads)
	}
}

// TestBroadcast: of a broadcast the root goes on at once, and the others wait for the root alone: not for task 3, which
// comes after it.
func TestBroadcast(t *testing.T) {
	tr := runtest.Read(t, `#Paraver (01/01/26 at 00:00):60000_ns:1(3):1:3(1:1,1:1,1:1)
c:1:1:3:1:2:3
1:1:1:1:1:0:20000:1
1:2:1:2:1:0:10000:1
1:3:1:3:1:0:30000:1
1:2:1:2:1:10000:25000:13
2:2:1:2:1:10000:50000002:7:50100004:1
1:1:1:1:1:20000:22000:13
2:1:1:1:1:20000:50000002:7:50100003:1:50100004:1
1:1:1:1:1:22000:40000:1
2:1:1:1:1:22000:50000002:0
1:2:1:2:1:25000:60000:1
2:2:1:2:1:25000:50000002:0
1:3:1:3:1:30000:31000:13
2:3:1:3:1:30000:50000002:7:50100004:1
1:3:1:3:1:31000:35000:1
2:3:1:3:1:31000:50000002:0
`)
	checkText(t, find(t, tr, criticalpath.Options{}), "1 0..20 computation", "2 20..25 collective",
		"2 25..60 computation")
}

// TestSynthetic: all patterns of generated traces, of MPI and of threads.
func TestSynthetic(t *testing.T) {
	for _, pattern := range synth.Patterns {
		for _, threads := range []int{1, 3} {
			g, err := synth.New(synth.Options{Pattern: pattern.Name, Threads: threads, Iterations: 20, Imbalance: 30,
				Seed: 7})
			if err != nil {
				t.Fatal(err)
			}
			tr, err := g.Trace(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			p := find(t, tr, criticalpath.Options{})
			checkWhole(t, tr, p)
			if p.Simulated {
				t.Errorf("%s is taken for a prediction", pattern.Name)
			}
			// What is not a state that follows the one before to the nanosecond hurts nobody.
			for _, timing := range []criticalpath.Timing{criticalpath.Measured, criticalpath.Simulated} {
				checkWhole(t, tr, find(t, tr, criticalpath.Options{Timing: timing}))
			}
		}
	}
}

// TestRealTraces: measured, and predicted on the three platforms of the kit.
func TestRealTraces(t *testing.T) {
	for _, path := range []string{"heat2d_8/heat2d_8.prv", "npb_lu_S_4/npb_lu_S_4.prv", "transpose_16/transpose_16.prv",
		"hybridloops_4x4/hybridloops_4x4.prv",
		"callmix_4_skew/callmix_4_skew.prv", "twoapps_4_4/twoapps_4_4.prv", "npb_cg_S_8_burst/npb_cg_S_8_burst.prv",
		"hybrid_4x4/hybrid_4x4.prv"} {
		full := prvtest.Shared(t, "traces", path)
		tr, err := prv.Open(context.Background(), full, prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := find(t, tr, criticalpath.Options{})
		checkWhole(t, tr, p)
		if p.Simulated {
			t.Errorf("%s is taken for a prediction", path)
		}
		prog, err := dimemas.FromTrace(context.Background(), tr, dimemas.TranslateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, machine := range []string{"ideal", "net", "net1bus"} {
			m, err := dimemas.OpenMachine(filepath.Join(filepath.Dir(full), machine+".cfg"))
			if err != nil {
				continue // the README tells which have none
			}
			r, err := engine.Run(context.Background(), prog.Program, m, sim.Options{Trace: true})
			if err != nil {
				continue
			}
			p := checkPredicted(t, r.Trace)
			if r.Messages > 0 && !find(t, r.Trace, criticalpath.Options{}).Simulated {
				t.Errorf("%s on %s is taken for a measurement", path, machine)
			}
			// Nothing but computation takes time on an ideal network; tracers have cost a little.
			if s := p.Summary(nil); machine == "ideal" &&
				s.Kinds[criticalpath.Transfer]+s.Kinds[criticalpath.Resources]+s.Kinds[criticalpath.Latency] > 0 {
				t.Errorf("%s: %v on an ideal network", path, s.Kinds)
			}
		}
	}
}

// TestMark: events of type 90 say where the path is: they alternate on each thread, and their time is that of the
// threads on the path.
func TestMark(t *testing.T) {
	tr := predict(t, pair(t, sim.Send, 50_000), network(2), sim.Options{})
	p := find(t, tr, criticalpath.Options{})
	for range 2 { // marked twice is marked once
		tr = p.Mark(tr)
	}
	var got []string
	for i := range tr.Threads {
		e := &tr.Threads[i].Events
		for k := range e.Time {
			if !e.Lines.Has(k) {
				t.Errorf("row %d of thread %d does not begin a line", k, i)
			}
			got = append(got, fmt.Sprintf("%d:%d:%d=%d", i+1, e.Time[k]/1000, e.Type[k], e.Value.At(k)))
		}
	}
	if want := []string{"1:0:90=1", "1:125:90=0", "2:10125:90=1", "2:10425:90=0"}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	if name := tr.Labels.ValueName(criticalpath.EventType, 1); name != "On the critical path" {
		t.Error(name)
	}
	again := find(t, tr, criticalpath.Options{})
	if !slices.Equal(again.Segments, p.Segments) {
		t.Error("marks change the path")
	}
}

// TestMarkKeepsLines: a mark stands between lines, not within one.
func TestMarkKeepsLines(t *testing.T) {
	tr := runtest.Read(t, `#Paraver (01/01/26 at 00:00):100:1(1):1:1(1:1)
1:1:1:1:1:0:100:1
2:1:1:1:1:0:1:1:2:2
2:1:1:1:1:100:3:3:4:4
`)
	e := find(t, tr, criticalpath.Options{}).Mark(tr).Threads[0].Events
	if want := []uint32{90, 1, 2, 90, 3, 4}; !slices.Equal(e.Type, want) {
		t.Fatalf("types %v, not %v", e.Type, want)
	}
	for i, begins := range []bool{true, true, false, true, true, false} {
		if e.Lines.Has(i) != begins {
			t.Errorf("row %d begins a line: %v", i, !begins)
		}
	}
}

// TestBlocks: the time of the path by the innermost block: nested functions, and calls within.
func TestBlocks(t *testing.T) {
	prog := program(t, 1, func(p *sim.Program) {
		th := &p.Threads[0]
		th.AddCompute(5000)
		th.AddEvent(60000019, 1)
		th.AddCompute(10_000)
		th.AddEvent(60000019, 2)
		th.AddCompute(20_000)
		th.AddEvent(60000019, 0)
		th.AddCompute(40_000)
		th.AddEvent(60000019, 0)
		th.AddCompute(1000)
	})
	tr := predict(t, prog, sim.Ideal(1), sim.Options{})
	tr.Labels.AddType(60000019, "User function", prv.ValueLabel{Value: 1, Label: "solve"},
		prv.ValueLabel{Value: 2, Label: "sweep"})
	var got []string
	for _, s := range find(t, tr, criticalpath.Options{}).Summary(nil).Blocks {
		got = append(got, fmt.Sprint(s.Name, " ", s.Time, " ", s.Visits))
	}
	// solve is 10 us before the sweep and 40 after it.
	if want := []string{"solve 50000 2", "sweep 20000 1", criticalpath.OutsideName + " 6000 2"}; !slices.Equal(got,
		want) {
		t.Errorf("%v, not %v", got, want)
	}
}

func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	tr := predict(t, pair(t, sim.Send, 0), network(2), sim.Options{})
	if _, err := criticalpath.Find(ctx, tr, criticalpath.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

// FuzzFind: whatever a trace says, there is a path, and it is whole.
func FuzzFind(f *testing.F) {
	f.Add(prvtest.TraceA)
	f.Add(prvtest.TraceB)
	f.Fuzz(func(t *testing.T, text string) {
		tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
		if err != nil || len(tr.Threads) == 0 {
			return
		}
		for _, timing := range []criticalpath.Timing{criticalpath.Measured, criticalpath.Simulated} {
			p := find(t, tr, criticalpath.Options{Timing: timing})
			checkWhole(t, tr, p)
			p.Mark(tr)
		}
	})
}

// thesis returns the model of the thesis.
func thesis(t testing.TB) sim.Rules {
	t.Helper()
	rules, err := sim.ModelRules("thesis")
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// TestThesisModel: states have other numbers, only the sender pays the latency, a synchronous sender waits for the
// arrival.
func TestThesisModel(t *testing.T) {
	rules := thesis(t)
	checkText(t, checkPredicted(t, predict(t, pair(t, sim.Send, 50_000), network(2), sim.Options{Rules: rules})),
		"1 0..100 computation", "1 100..125 latency", "- 125..10125 transfer", "2 10125..10425 computation")
	checkText(t, checkPredicted(t, predict(t, meetings(t, true), network(4), sim.Options{Rules: rules})),
		"3 0..50 computation", "4 50..40150 collective", "4 40150..40153 computation") // both stages in 2 steps
	// The sender ends last: it computes for 200 us after its message has arrived (D2: 10125), and for another 800.
	rules[sim.BlockingSend] = sim.SendSynchronous
	p := pair(t, sim.Send, 50_000)
	p.Threads[0].AddCompute(800_000)
	checkText(t, checkPredicted(t, predict(t, p, network(2), sim.Options{Rules: rules})),
		"1 0..100 computation", "1 100..125 latency", "- 125..10125 transfer", "1 10125..11125 computation")
}

// TestSemaphore: a thread waits from 100 us on until another of its task signals at 250 (D10); it ends last.
func TestSemaphore(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	p.AddTask(2)
	a, b := &p.Threads[0], &p.Threads[1]
	a.AddCompute(100_000)
	a.AddMessage(sim.SemaphoreWait, sim.Message{Tag: 1})
	a.AddCompute(70_000)
	b.AddCompute(250_000)
	b.AddMessage(sim.SemaphoreSignal, sim.Message{Tag: 1})
	b.AddCompute(50_000)
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	for _, rules := range []sim.Rules{{}, thesis(t)} {
		tr := predict(t, p, sim.IdealFor(p), sim.Options{Rules: rules})
		checkText(t, checkPredicted(t, tr), "2 0..250 computation", "1 250..320 computation")
	}
}
