package diagnose_test

// What findings say, beyond their cost.

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/insight/diagnose"
	"pview/prv"
	"pview/prv/prvtest"
)

// barriersTaking returns a run of two tasks that compute for 10 before each barrier; takes are the times of the
// barriers.
func barriersTaking(t *testing.T, takes ...int64) *maker {
	m := newMaker(t, 2, 1)
	at := int64(0)
	for _, takes := range takes {
		for th := 1; th <= 2; th++ {
			m.work(th, at, at+10, 1)
			m.barrier(th, at+10, at+10+takes)
		}
		at += 10 + takes
	}
	return m
}

// R32 covers all phases, not the worst: three barriers end 30, 40 and 30 after their last entry, a tree needs 1
// each: 29 + 39 + 29 = 97.
func TestSumOfPhases(t *testing.T) {
	m := barriersTaking(t, 30, 40, 30)
	want :=
		"3 collective operations take 97 ns longer than latency needs in all, from the last entry to the last exit; " +
			"the longest is value 8 with 39 ns"
	if f := find(m.diagnose().Findings, "R32"); f == nil || f.Title != want {
		t.Errorf("%+v", f)
	}
	all := func(s *diagnose.Settings) { s.Trifle = 2 }
	if f := find(m.diagnose(all).Minor, "R32"); f == nil || f.Title != want {
		t.Errorf("a minor finding: %+v", f)
	}
}

// Of three barriers two take no time, one takes 100: a tree needs 1, so that one takes 99 longer.
func TestOneOfOperations(t *testing.T) {
	m := barriersTaking(t, 0, 100, 0)
	f := find(m.diagnose().Findings, "R32")
	if f == nil || !strings.HasPrefix(f.Title, "1 of 3 collective operations takes 99 ns longer") {
		t.Errorf("%+v", f)
	}
}

// R14 covers the worst of all phases: two alike, in which task 1 has overhead of 40 and task 2 of 20, cost 10 each,
// and one of other code with 50 and 20 costs 15.
func TestWorstOfPhases(t *testing.T) {
	m := newMaker(t, 2, 1)
	at := int64(0)
	for _, phase := range []struct{ overhead, function int64 }{{40, 1}, {40, 1}, {50, 2}} {
		for th, overhead := range []int64{phase.overhead, 20} {
			m.work(th+1, at, at+10, phase.function)
			m.b.State(int32(th), 0, at+10, at+10+overhead, 7)
			m.barrier(th+1, at+10+overhead, at+65)
		}
		at += 65
	}
	const want = "1.1.1 has overhead of 50 ns, the mean of the threads is 35 ns, 1.2.1 has overhead of 20 ns (in the " +
		"worst of 3 phases)"
	if f := find(m.diagnose().Findings, "R14"); f == nil || f.Title != want || !near(f.Severity, 35) {
		t.Errorf("%+v", f)
	}
}

// R31: a Waitall for two messages, both slow: the time from 10 to 50 is on the critical path once. It needs 1, by the
// message received first: 40 x 39/40 and nothing for the other.
func TestMessagesOfOneWait(t *testing.T) {
	m := newMaker(t, 3, 1)
	for th := 1; th <= 2; th++ {
		m.work(th, 0, 10, 1)
		m.call(th, 10, 12, 50000001, 1, 4)
		m.work(th, 12, 20, 1)
	}
	m.work(3, 0, 10, 1)
	m.call(3, 10, 50, 50000001, 6, 3)
	m.work(3, 50, 90, 1)
	m.message(1, 3, 10, 10, 10, 50)
	m.message(2, 3, 10, 10, 10, 50)
	f := find(m.diagnose().Findings, "R31")
	if f == nil || !near(f.Severity, 39) {
		t.Errorf("%+v", f)
	}
}

// R31: a synchronous send from 20 to 60 whose message was received at 24 by a thread that waited since 10. It needs 1
// of its 40 on the critical path, which is on the sender all the time.
func TestSlowSend(t *testing.T) {
	m := newMaker(t, 2, 1)
	m.work(1, 0, 20, 1)
	m.ssend(1, 20, 60)
	m.work(1, 60, 100, 1)
	m.work(2, 0, 10, 1)
	m.recv(2, 10, 24)
	m.work(2, 24, 30, 1)
	m.message(1, 2, 20, 20, 10, 24)
	want := "on the critical path 1 message takes 39 ns longer than latency and bandwidth need, 100 % of it in calls of " +
		"1.1.1"
	f := find(m.diagnose().Findings, "R31")
	if f == nil || !near(f.Severity, 39) || !strings.HasPrefix(f.Title, want) || !slices.Equal(f.Threads, []int32{0}) {
		t.Errorf("%+v", f)
	}
}

// R33: threads of one node have one clock. A message between them that is received before it is sent was paired wrongly
// by the tracer.
func TestOneClock(t *testing.T) {
	f := find(run(t, read(t, late(95)), diagnose.Default).Findings, "R33")
	if f == nil || !strings.Contains(f.Title, "1 of them within a node") || strings.Contains(f.Advice, "synchronise") {
		t.Errorf("%+v", f)
	}
	f = find(diagnosed(t, "callmix_4_skew").Findings, "R33")
	if strings.Contains(f.Title, "within a node") || !strings.Contains(f.Advice, "synchronise") {
		t.Errorf("%+v", f)
	}
}

// R33: of messages by 5, 0, 10, and 2 too early, and one of a thread to itself.
func TestEarlyMessages(t *testing.T) {
	for i, want := range []string{
		"1 message is received before sent, between 1 pair of threads: by up to 5 ns; 1 of them, 1 of 2 messages " +
			"[0 1] 1",
		"2 messages are received before sent, between 1 pair of threads: by up to 10 ns; 2 of them, 2 of 3 messages " +
			"[0 1] 2",
		"3 messages are received before sent, between 2 pairs of threads: by up to 10 ns; 3 of them, 3 of 4 messages " +
			"[0 1] 3",
	} {
		m := newMaker(t, 3, 1)
		for th := 1; th <= 3; th++ {
			m.work(th, 0, 100, 1)
		}
		m.message(1, 1, 60, 60, 10, 20)
		m.message(2, 3, 30, 30, 10, 30)
		m.message(1, 2, 35, 35, 10, 30)
		if i > 0 {
			m.message(1, 2, 52, 52, 10, 42)
		}
		if i > 1 {
			m.message(3, 2, 52, 52, 10, 50)
		}
		f := find(m.diagnose().Findings, "R33")
		if f == nil {
			t.Fatalf("%d: not found", i)
		}
		title, _, _ := strings.Cut(f.Title, " within a node")
		if got := fmt.Sprintf("%s, %s %v %d", title, f.Formula, f.Threads, f.Total); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}

// A process that starts up before MPI_Init is not the program's computation: 900 of start-up, then 50 of work and 50 in
// a barrier.
func TestStartUp(t *testing.T) {
	for from, want := range map[int64]bool{900: false, 100: true} {
		m := newMaker(t, 2, 1)
		for th := 1; th <= 2; th++ {
			m.b.State(int32(th-1), 0, 0, from, 1)
			m.call(th, from, from+1, 50000003, 31, 7)
			m.b.State(int32(th-1), 0, from+1, 951, 1)
			m.barrier(th, 951, 1011)
		}
		if f := find(m.diagnose().Findings, "R29"); (f != nil) != want {
			t.Errorf("start-up of %d: %+v", from, f)
		}
	}
}

// Time in the OpenMP runtime is no computation, though it is outside of calls: 20 of work, then 79 of fork and join.
func TestRuntimeOnPath(t *testing.T) {
	for state, want := range map[uint32]bool{7: false, 1: true} {
		m := newMaker(t, 2, 1)
		for th := 1; th <= 2; th++ {
			m.work(th, 0, 20, 1)
			m.b.State(int32(th-1), 0, 20, 99, state)
			m.barrier(th, 99, 100)
		}
		if f := find(m.diagnose().Findings, "R29"); (f != nil) != want {
			t.Errorf("state %d: %+v", state, f)
		}
	}
}

// A run that cannot be faster without faster code says so first. Executions at the ends of phases are no imbalance.
func TestFirstOfRecorded(t *testing.T) {
	for _, name := range []string{"epoch_2proc", "epoch_4proc"} {
		tr, err := prv.Open(context.Background(), prvtest.Shared(t, "traces", "epoch", name+".prv.gz"), prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f := run(t, tr, diagnose.Default).Findings[0]
		if f.Rule != "R29" || !strings.HasPrefix(f.Title, "the run is bound by computation, 99.") ||
			!strings.Contains(f.Title, "partlist.F90:829") {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if f := find(diagnosed(t, "imbalance_8").Findings, "R12"); f != nil {
		t.Errorf("imbalance_8: %+v", f)
	}
}
