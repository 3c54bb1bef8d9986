package diagnose_test

// Each rule on a trace on which it finds something, with the cost worked out, and on one on which it must not.

import (
	"fmt"
	"strings"
	"testing"

	"pview/insight/diagnose"
	"pview/insight/report"
	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/prv/synth"
)

// maker makes a small trace; threads are numbered from 1.
type maker struct {
	t     *testing.T
	b     *prv.Builder
	built *prv.Trace // by the first diagnosis
}

func newMaker(t *testing.T, tasks, threads int) *maker {
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddNode(tasks * threads)
	h.AddPtask()
	for range tasks {
		h.AddTask(threads, 0)
	}
	return &maker{t: t, b: prv.NewBuilder(h)}
}

// work is computation in a user function, 0 for none.
func (m *maker) work(thread int, from, to, function int64) {
	th := int32(thread - 1)
	m.b.State(th, 0, from, to, 1)
	if function > 0 {
		m.b.Event(th, 0, from, prv.Pair{Type: 60000019, Value: function})
		m.b.Event(th, 0, to, prv.Pair{Type: 60000019})
	}
}

// call is an MPI call in a state.
func (m *maker) call(thread int, from, to int64, typ uint32, value int64, state uint32) {
	th := int32(thread - 1)
	m.b.State(th, 0, from, to, state)
	m.b.Event(th, 0, from, prv.Pair{Type: typ, Value: value})
	m.b.Event(th, 0, to, prv.Pair{Type: typ})
}

func (m *maker) barrier(thread int, from, to int64) { m.call(thread, from, to, 50000002, 8, 13) }
func (m *maker) recv(thread int, from, to int64)    { m.call(thread, from, to, 50000001, 2, 3) }
func (m *maker) ssend(thread int, from, to int64)   { m.call(thread, from, to, 50000001, 34, 4) }

func (m *maker) message(from, to int, times ...int64) {
	m.b.Comm(prv.Comm{Send: int32(from - 1), Recv: int32(to - 1), Times: [4]int64(times), Size: 8})
}

func (m *maker) diagnose(change ...func(*diagnose.Settings)) *diagnose.Result {
	m.t.Helper()
	if m.built == nil {
		var err error
		if m.built, err = m.b.Build(); err != nil {
			m.t.Fatal(err)
		}
	}
	set := diagnose.Default
	one, none := 1.0, 0.0
	set.Latency, set.PerByte = &one, &none
	for _, f := range change {
		f(&set)
	}
	return run(m.t, m.built, set)
}

// fires checks the cost of a rule; 0: it must not find anything.
func fires(t *testing.T, what string, r *diagnose.Result, rule report.RuleID, cost float64) {
	t.Helper()
	f := find(r.Findings, rule)
	switch {
	case f == nil && cost != 0:
		t.Errorf("%s: %s found nothing in %+v, minor %+v", what, rule, r.Findings, r.Minor)
	case f != nil && !near(f.Severity, cost):
		t.Errorf("%s: %s costs %f, want %f", what, rule, f.Severity, cost)
	case f != nil:
		prvtest.SameSection(t, "testdata/fires.txt", fmt.Sprint(t.Name(), ", ", what, ", ", rule), diagnose.Said(f))
	}
	diagnose.Noted(t, rule, cost != 0)
}

// R09: thread 1 works alone for 100, then all for 100. (1 - 1/4) x 100; all idle time is 3 x 100 / 4.
func TestInitialisation(t *testing.T) {
	m := newMaker(t, 4, 1)
	m.work(1, 0, 200, 1)
	for th := 2; th <= 4; th++ {
		m.b.State(int32(th-1), 0, 0, 100, 0)
		m.work(th, 100, 200, 1)
	}
	fires(t, "alone", m.diagnose(), "R09", 75)
	m = newMaker(t, 4, 1)
	for th := 1; th <= 4; th++ {
		m.work(th, 0, 200, 1)
	}
	fires(t, "together", m.diagnose(), "R09", 0)
}

// R11: 40 of 2 x 100 in MPI_Test: 40 / 2. In MPI_Recv it is no polling.
func TestPolling(t *testing.T) {
	for value, cost := range map[int64]float64{39: 20, 2: 0} {
		m := newMaker(t, 2, 1)
		m.work(1, 0, 60, 1)
		m.call(1, 60, 100, 50000003, value, 6)
		m.work(2, 0, 100, 1)
		fires(t, "calls", m.diagnose(), "R11", cost)
	}
}

// R12: thread 2 executes f four times, thread 1 twice; each takes 9: (4 - 3) x 9. Four and four is even.
func TestCount(t *testing.T) {
	for first, want := range map[int64]float64{2: 9, 4: 0} {
		m := newMaker(t, 2, 1)
		for i := range int64(4) {
			if i < first {
				m.work(1, 10*i, 10*i+9, 1)
				m.work(1, 10*i+9, 10*i+10, 2)
			}
			m.work(2, 10*i, 10*i+9, 1)
			m.work(2, 10*i+9, 10*i+10, 2)
		}
		m.barrier(1, 10*first, 41)
		m.barrier(2, 40, 41)
		set := m.diagnose()
		if f := find(set.Findings, "R12"); (f != nil) != (want > 0) || f != nil && !near(f.Severity, want) {
			t.Errorf("twice %d: %+v", first, f)
		}
		diagnose.Noted(t, "R12", want > 0)
	}
}

// R32: all leave the barrier 30 after the last entry, a tree needs 1: 29. After 1 it costs nothing.
func TestCollectiveCost(t *testing.T) {
	for after, cost := range map[int64]float64{30: 29, 1: 0} {
		m := newMaker(t, 2, 1)
		for th := 1; th <= 2; th++ {
			m.work(th, 0, 20, 1)
			m.barrier(th, 20, 20+after)
		}
		fires(t, "barrier", m.diagnose(), "R32", cost)
	}
}

// R34 and R36: thread 1 waits 60 in Ssend for the receive of thread 2, which computes for 60 more: 60 / 2. With the
// receive there nobody waits. The threads of another application do not wait either.
func TestLateReceive(t *testing.T) {
	for _, applications := range [][]int{{2}, {2, 4}} {
		m := &maker{t: t, b: runtest.Tasks(applications...)}
		m.work(1, 0, 20, 1)
		m.ssend(1, 20, 82)
		m.work(2, 0, 80, 1)
		m.recv(2, 80, 82)
		m.message(1, 2, 20, 82, 80, 82)
		r := m.diagnose()
		fires(t, "late", r, "R36", 30)
		fires(t, "late", r, "R34", 30)
	}
	m := newMaker(t, 2, 1)
	m.work(1, 0, 80, 1)
	m.ssend(1, 80, 82)
	m.work(2, 0, 80, 1)
	m.recv(2, 80, 82)
	m.message(1, 2, 80, 82, 80, 82)
	r := m.diagnose()
	fires(t, "in time", r, "R36", 0)
	fires(t, "in time", r, "R34", 0)
}

// R34: thread 1 waits 60 in a barrier for thread 2, which computes outside of functions, 60 / 2, or is in the OpenMP
// runtime there: then no code of the program is to be blamed.
func TestDelayOfTheRuntime(t *testing.T) {
	for state, cost := range map[uint32]float64{1: 30, 7: 0} {
		m := newMaker(t, 2, 1)
		for th, late := range []int64{0, 60} {
			m.work(th+1, 0, 20, 1)
			m.b.State(int32(th), 0, 20, 20+late, state)
			m.barrier(th+1, 20+late, 82)
		}
		fires(t, fmt.Sprint("state ", state), m.diagnose(), "R34", cost)
	}
}

// R35: thread 2 waits 50 for a message of thread 1 that is sent second, and receives the first one after it: 50 / 2. In
// order it waits for each.
func TestOrder(t *testing.T) {
	build := func(swapped bool) *diagnose.Result {
		m := newMaker(t, 2, 1)
		m.work(1, 0, 30, 1)
		m.call(1, 30, 31, 50000001, 33, 10)
		m.work(1, 31, 60, 1)
		m.call(1, 60, 61, 50000001, 33, 10)
		m.work(2, 0, 10, 1)
		if swapped {
			m.recv(2, 10, 62)
			m.recv(2, 62, 64)
			m.message(1, 2, 60, 61, 10, 62)
			m.message(1, 2, 30, 31, 62, 64)
		} else {
			m.recv(2, 10, 32)
			m.recv(2, 32, 62)
			m.message(1, 2, 30, 31, 10, 32)
			m.message(1, 2, 60, 61, 32, 62)
		}
		return m.diagnose()
	}
	// All time that is not used: 64 - (59 + 10) / 2 = 29.5, more than 25.
	fires(t, "swapped", build(true), "R35", 25)
	fires(t, "in order", build(false), "R35", 0)
}

// R37: between two regions thread 2 has nothing to do for 50, because thread 1 computes: 50 / 2.
func TestSerial(t *testing.T) {
	build := func(gap int64) *diagnose.Result {
		m := newMaker(t, 1, 2)
		for _, from := range []int64{0, 100 + gap} {
			m.b.Event(0, 0, from, prv.Pair{Type: 60000001, Value: 3})
			for th := range int32(2) {
				m.b.Event(th, 0, from, prv.Pair{Type: 60000018, Value: 1})
				m.b.State(th, 0, from, from+100, 1)
				m.b.Event(th, 0, from+100, prv.Pair{Type: 60000018})
			}
			m.b.Event(0, 0, from+100, prv.Pair{Type: 60000001})
		}
		if gap > 0 {
			m.b.State(0, 0, 100, 100+gap, 1)
		}
		return m.diagnose()
	}
	fires(t, "serial part", build(50), "R37", 25)
	fires(t, "none", build(0), "R37", 0)
}

// R06: a master that serves all; a ring has none.
func TestBottleneck(t *testing.T) {
	for pattern, want := range map[string]bool{"master-worker": true, "ring": false} {
		r := run(t, generated(t, synth.Options{Pattern: pattern, Tasks: 9, Compute: 20_000, Iterations: 100}),
			diagnose.Default)
		if f := find(r.Findings, "R06"); (f != nil) != want || f != nil && f.Threads[0] != 0 {
			t.Errorf("%s, utilisation %f: %+v", pattern, r.Utilisation, f)
		}
		diagnose.Noted(t, "R06", want)
	}
}

// R06 without answers: from the first request on thread 1 works for 20 + 5 x 35 = 195 in all 6, and a message that is
// there takes 5 to receive. A tree of 3 threads has 2 steps: (6 - 2) x (195 / 6 + 5) = 150, while work spread evenly
// would take (195 + 15 + 15) / 3 = 75 of 240.
func TestGathers(t *testing.T) {
	m := newMaker(t, 3, 1)
	m.recv(1, 0, 20)
	m.work(1, 20, 40, 1)
	m.message(2, 1, 10, 10, 0, 20)
	for at := int64(40); at < 240; at += 40 {
		m.recv(1, at, at+5)
		m.work(1, at+5, at+40, 1)
		m.message(2+int(at/40)%2, 1, 15, 15, at, at+5)
	}
	m.work(2, 0, 15, 1)
	m.work(3, 0, 15, 1)
	for least, want := range map[int]float64{3: 150, 4: 0} {
		r := m.diagnose(func(s *diagnose.Settings) { s.Bottleneck = least })
		f := find(append(r.Findings, r.Minor...), "R06")
		if f == nil && want > 0 || f != nil && !near(f.Severity, want) {
			t.Errorf("decided from %d threads on: %+v", least, f)
		}
	}
}

// R29: computation is half of the path or more, or it is not.
func TestPath(t *testing.T) {
	for computes, want := range map[int64]bool{90: true, 20: false} {
		m := newMaker(t, 2, 1)
		for th := 1; th <= 2; th++ {
			m.work(th, 0, computes, 1)
			m.barrier(th, computes, 100)
		}
		if f := find(m.diagnose().Findings, "R29"); (f != nil) != want {
			t.Errorf("computing %d of 100: %+v", computes, f)
		}
		diagnose.Noted(t, "R29", want)
	}
}

// R03: 84 bytes of 1 ns each, between 100 of work before and 60 after, each part 4 to send: 6 parts save (84 + 60)(1 -
// 1/6) - 4 x 5 = 100; 8,400 bytes of 10 ps each are the same. With 8 bytes the transfer is shorter than the latency of
// 10.
func TestPipelining(t *testing.T) {
	for _, c := range []struct {
		size          int64
		perByte, cost float64
	}{{84, 1, 100}, {8400, 0.01, 100}, {8, 1, 0}} {
		m := newMaker(t, 2, 1)
		there := 104 + 10 + int64(float64(c.size)*c.perByte) + 9
		m.work(1, 0, 100, 1)
		m.call(1, 100, 104, 50000001, 3, 10)
		m.recv(2, 0, there)
		m.work(2, there, there+60, 1)
		m.b.Comm(prv.Comm{Send: 0, Recv: 1, Times: [4]int64{100, 104, 0, there}, Size: c.size})
		set := diagnose.Default
		ten := 10.0
		set.Latency, set.PerByte = &ten, &c.perByte
		tr, err := m.b.Build()
		if err != nil {
			t.Fatal(err)
		}
		fires(t, fmt.Sprint(c.size, " bytes"), run(t, tr, set), "R03", c.cost)
	}
}

// R07: two functions take turns, 10 each, with a send of 10 after each: a message costs 10 to send, 1 on its way and 1
// to receive, so 120 of work would be good. Each is executed 20 times, 200 in all: 12 x (20 - 200/120) / 2 = 110. With
// 200 of work they are good. Another application that computes alone makes the phase no better.
func TestGrain(t *testing.T) {
	for _, c := range []struct {
		work         int64
		cost         float64
		applications []int
	}{{10, 110, []int{2}}, {10, 110, []int{2, 20}}, {200, 0, []int{2}}} {
		work, cost := c.work, c.cost
		m := &maker{t: t, b: runtest.Tasks(c.applications...)}
		for th := 3; len(c.applications) > 1 && th < 23; th++ {
			m.work(th, 0, 150, 3)
		}
		at := int64(0)
		for range 10 {
			for th := 1; th <= 2; th++ {
				m.work(th, at, at+work, 1)
				m.call(th, at+work, at+work+10, 50000001, 3, 10)
				m.work(th, at+work+10, at+2*work+10, 2)
				m.call(th, at+2*work+10, at+2*work+20, 50000001, 3, 10)
			}
			at += 2*work + 20
		}
		// The sends of the last round are received, so that it is known what a send takes.
		for th := 1; th <= 2; th++ {
			m.recv(th, at, at+1)
			m.message(3-th, th, at-10, at, at, at+1)
		}
		r := m.diagnose()
		fires(t, fmt.Sprint("work ", work), r, "R07", cost)
	}
}

// R15: each of two threads has a function of its own, of 100 and 40: 100 - 70. With 100 each they are even, even if
// half of one is overhead.
func TestRoles(t *testing.T) {
	for _, c := range []struct {
		work, runtime int64
		cost          float64
	}{{40, 0, 30}, {100, 0, 0}, {50, 50, 0}} {
		m := newMaker(t, 2, 1)
		m.work(1, 0, 100, 1)
		m.barrier(1, 100, 170)
		m.work(2, 0, c.work, 2)
		if c.runtime > 0 {
			m.b.State(1, 0, c.work, c.work+c.runtime, 7)
		}
		m.barrier(2, c.work+c.runtime, 170)
		r := m.diagnose()
		fires(t, fmt.Sprint(c), r, "R15", c.cost)
		if c.cost == 0 {
			for _, rule := range []report.RuleID{"R12", "R13", "R14"} {
				fires(t, fmt.Sprint(c), r, rule, 0)
			}
		}
	}
}

// R38: of 100 of computation thread 1 was on a core for 40, thread 2 for 90: (60 + 10) / 2. What can be recovered is
// the 30 of the barrier, and these 35. With a core of its own it is there all the time. A note on other findings starts
// below 80 % of the computing time on a core: thread 2 is there for 100 if thread 1 is for 50 or more.
func TestCores(t *testing.T) {
	for on, c := range map[int64]struct {
		cost  float64
		noted bool
	}{40: {35, true}, 59: {20.5, true}, 60: {20, false}, 100: {0, false}} {
		m := newMaker(t, 2, 1)
		for th := 1; th <= 2; th++ {
			m.work(th, 0, 100, 1)
			m.barrier(th, 100, 130)
		}
		m.b.Event(0, 0, 100, prv.Pair{Type: 44838979, Value: on})
		m.b.Event(1, 0, 100, prv.Pair{Type: 44838979, Value: min(on+50, 100)})
		tr, err := m.b.Build()
		if err != nil {
			t.Fatal(err)
		}
		tr.Labels = &prv.Labels{}
		tr.Labels.AddType(44838979, "perf::TASK-CLOCK [PERF_COUNT_SW_TASK_CLOCK]")
		r := run(t, tr, diagnose.Default)
		fires(t, fmt.Sprint(on, " on a core"), r, "R38", c.cost)
		noted := strings.Contains(strings.Join(r.Notes, "\n"), "threads share cores")
		if !near(r.Recoverable, 30+c.cost) || noted != c.noted {
			t.Errorf("%d on a core: %f can be recovered, noted: %v", on, r.Recoverable, noted)
		}
	}
}

// R14: the first thread of task 1 has overhead of 60, that of task 2 20: 60 - 40. Their second threads make no calls,
// and do not count: with 60 on both first threads nothing is uneven.
func TestOverheadOfTasks(t *testing.T) {
	for second, cost := range map[int64]float64{20: 20, 60: 0} {
		m := newMaker(t, 2, 2)
		for task := range 2 {
			overhead := []int64{60, second}[task]
			first := 2*task + 1
			m.work(first, 0, 40, 1)
			m.b.State(int32(first-1), 0, 40, 40+overhead, 7)
			m.work(first+1, 0, 40, 1)
			m.barrier(first, 40+overhead, 130)
			m.b.State(int32(first), 0, 40, 130, 0)
		}
		r := m.diagnose()
		fires(t, fmt.Sprint(second, " on the second task"), r, "R14", cost)
		const want = "the mean of the first threads of the tasks is 40 ns"
		if f := find(r.Findings, "R14"); f != nil && !strings.Contains(f.Title, want) {
			t.Error(f.Title)
		}
	}
}

// R14 names the call with more than half of the overhead: of 60 of task 1, 40 are in a call, half of them input
// and output, or nearly all.
func TestOverheadInCalls(t *testing.T) {
	for _, c := range []struct {
		written int64
		kind    report.Kind
	}{{20, ""}, {35, report.InputOutput}} {
		m := newMaker(t, 2, 1)
		m.work(1, 0, 40, 1)
		m.b.Event(0, 0, 40, prv.Pair{Type: 50000005, Value: 6})
		m.b.State(0, 0, 40, 40+c.written, 12)
		m.b.State(0, 0, 40+c.written, 80, 7)
		m.b.Event(0, 0, 80, prv.Pair{Type: 50000005})
		m.b.State(0, 0, 80, 100, 7)
		m.work(2, 0, 40, 1)
		m.b.State(1, 0, 40, 60, 7)
		m.barrier(1, 100, 130)
		m.barrier(2, 60, 130)
		r := m.diagnose()
		f := find(r.Findings, "R14")
		if f == nil || f.Kind != c.kind || !strings.Contains(f.Title, "60 ns, 66.7 % of it in ") {
			t.Errorf("%d: %+v", c.written, f)
		}
	}
}

// R14 counts no time in which the tracer wrote its buffer: of the 60 of task 1 it is 40, and 20 are on both.
func TestFlushIsNoOverhead(t *testing.T) {
	for flush, cost := range map[int64]float64{0: 20, 40: 0} {
		m := newMaker(t, 2, 1)
		for th, overhead := range []int64{60, 20} {
			m.work(th+1, 0, 40, 1)
			m.b.State(int32(th), 0, 40, 40+overhead, 12)
			m.barrier(th+1, 40+overhead, 130)
		}
		if flush > 0 {
			m.b.Event(0, 0, 50, prv.Pair{Type: 40000003, Value: 1})
			m.b.Event(0, 0, 50+flush, prv.Pair{Type: 40000003})
		}
		fires(t, fmt.Sprint(flush, " in flushes"), m.diagnose(), "R14", cost)
	}
}

// A trace of bursts says nothing about the time between them: that is not idle, and the critical path is not known.
func TestBursts(t *testing.T) {
	for mode, utilisation := range map[int64]float64{2: 1, 1: 0.5} {
		m := newMaker(t, 2, 1)
		for th := range int32(2) {
			m.b.Event(th, 0, 0, prv.Pair{Type: 40000018, Value: mode})
			m.b.State(th, 0, 0, 20, 1)
			m.b.State(th, 0, 50, 80, 1)
			m.b.State(th, 0, 99, 100, 0)
		}
		r := m.diagnose()
		if r.Utilisation < utilisation-0.03 || r.Utilisation > utilisation || mode == 2 &&
			find(r.Findings, "R29") != nil {
			t.Errorf("mode %d: utilisation %f, %+v", mode, r.Utilisation, r.Findings)
		}
	}
}
