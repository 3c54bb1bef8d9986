package replay_test

import (
	"slices"
	"testing"

	"pview/insight/replay"
	"pview/insight/runtest"
	"pview/prv"
)

// run is a run in the making: each task has one thread.
type run struct{ b *prv.Builder }

func newRun(tasks int) *run { return &run{runtest.Tasks(tasks)} }

// work is computation, call a call of MPI with a state.
func (r *run) work(thread int32, from, to int64) { r.b.State(thread, 0, from, to, 1) }

func (r *run) call(thread int32, from, to, value int64, state uint32) {
	r.b.State(thread, 0, from, to, state)
	r.b.Event(thread, 0, from, prv.Pair{Type: 50000001, Value: value})
	r.b.Event(thread, 0, to, prv.Pair{Type: 50000001})
}

func (r *run) message(from, to int32, size int64, times ...int64) {
	r.b.Comm(prv.Comm{Send: from, Recv: to, Times: [4]int64(times), Size: size})
}

func (r *run) model(t *testing.T) *replay.Model {
	t.Helper()
	return runtest.Model(t, runtest.Build(t, r.b))
}

// Thread 1 computes for 100 and sends; thread 2 waits from 20 on, has the message at 110 and computes until 130. With
// half of the work it is sent at 50: 50 less. Sent at 40 it is there at 50, but thread 1 goes on to 101: 29 less. A way
// of half the time gains 5 of 10. Thread 2's own first 20 are hidden, its last 20 are not.
func TestChanged(t *testing.T) {
	m := waiting(t)
	if m.Base() != 130 {
		t.Fatalf("ends at %d", m.Base())
	}
	for _, c := range []struct {
		change replay.Change
		gain   int64
	}{
		{replay.Change{Thread: 0, From: 0, To: 100, Factor: 0.5}, 50},
		{replay.Change{Kind: replay.OfSend, From: 40}, 29},
		{replay.Change{Thread: 1, From: 100, To: 110, Factor: 0.5}, 5},
		{replay.Change{Thread: 1, From: 0, To: 20, Factor: 0}, 0},
		{replay.Change{Thread: 1, From: 120, To: 130, Factor: 0}, 10},
		{replay.Change{Thread: 1, From: 110, To: 130, Factor: 2}, -20},
	} {
		if gain := m.Gain(m.Changed([]replay.Change{c.change})); gain != c.gain {
			t.Errorf("%+v gains %d, want %d", c.change, gain, c.gain)
		}
	}
	if m.Changed(nil) != nil {
		t.Error("no change is one")
	}
}

// A ring of three that exchange large messages, each in one call. Thread 3 comes at 100, the others at 10; a message
// takes 10, so all are done at 110. If it comes at 10 as well, all are done at 20: that thread 1 left its call 100
// after thread 2 had posted its receive was due to thread 3, not to its own message, and not to the task that it gives
// to thread 4, of its process.
func TestExchange(t *testing.T) {
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddNode(4)
	h.AddPtask()
	for _, threads := range []int{2, 1, 1} {
		h.AddTask(threads, 0)
	}
	const one, four, two, three = 0, 1, 2, 3
	r := &run{prv.NewBuilder(h)}
	for th, from := range map[int32]int64{one: 10, two: 10, three: 100} {
		r.work(th, 0, from)
		r.call(th, from, 110, 41, 4)
	}
	const size = 1 << 20
	r.message(one, two, size, 10, 10, 10, 110)
	r.message(two, three, size, 10, 100, 100, 110)
	r.message(three, one, size, 100, 100, 10, 110)
	r.message(one, four, size, 105, 105, 105, 105)
	m := r.model(t)
	if gain := m.Gain(m.Changed([]replay.Change{{Thread: three, To: 100, Factor: 0.1}})); gain != 90 {
		t.Errorf("gains %d, want 90", gain)
	}
}

// Thread 1 offers a message at 10, which thread 2 receives from 50 on: 10 on its way, then 20 of computation. It is on
// its way from the receive on. With half of the time before that the run ends 25 earlier.
func TestReceiveStartsMessage(t *testing.T) {
	r := newRun(2)
	r.work(0, 0, 10)
	r.call(0, 10, 60, 34, 4)
	r.work(1, 0, 50)
	r.call(1, 50, 60, 2, 3)
	r.work(1, 60, 80)
	r.message(0, 1, 8, 10, 60, 50, 60)
	m := r.model(t)
	gain := m.Gain(m.Changed([]replay.Change{{Thread: 1, From: 0, To: 50, Factor: 0.5}}))
	if m.Base() != 80 || gain != 25 {
		t.Errorf("ends at %d, gains %d", m.Base(), gain)
	}
}

// Thread 2 waits for messages of threads 1 and 3, which compute for 100 and 150 and take 20: it ends at 170. The first
// is made to take 90, the second to be gone: together it ends at 190, whichever comes first.
func TestJoinedLags(t *testing.T) {
	r := newRun(3)
	for i, at := range map[int32]int64{0: 100, 2: 150} {
		r.work(i, 0, at)
		r.call(i, at, at+1, 3, 10)
	}
	r.call(1, 0, 120, 2, 3)
	r.call(1, 120, 170, 2, 3)
	r.message(0, 1, 8, 100, 101, 0, 120)
	r.message(2, 1, 8, 150, 151, 120, 170)
	m := r.model(t)
	edges := m.MessageEdges()
	slower, gone := m.NewEdit(), m.NewEdit()
	slower.SetLag(edges[0], 90)
	gone.SetLag(edges[1], replay.Gone)
	for _, e := range []*replay.Edit{slower.Join(gone), gone.Join(slower)} {
		if end := m.Run(e); m.Base() != 170 || end < 190 || end > 191 {
			t.Errorf("ends at %d instead of %d", end, m.Base())
		}
	}
}

// Two threads meet in a barrier, at 10 and at 30, and leave it at 30: that costs no time. Thread 2 goes on until 60,
// thread 1 until 31. If thread 2 comes at 0 it waits until 10 for thread 1: 20 are gained of its 30.
func TestBarrierTakesNoTime(t *testing.T) {
	r := newRun(2)
	for th, x := range map[int32][2]int64{0: {10, 31}, 1: {30, 60}} {
		r.work(th, 0, x[0])
		r.b.State(th, 0, x[0], 30, 5)
		r.b.Event(th, 0, x[0], prv.Pair{Type: 50000002, Value: 8})
		r.b.Event(th, 0, 30, prv.Pair{Type: 50000002})
		r.work(th, 30, x[1])
	}
	m := r.model(t)
	for factor, want := range map[float64]int64{0: 20, 0.5: 15, 2: -30} {
		gain := m.Gain(m.Changed([]replay.Change{{Thread: 1, From: 0, To: 30, Factor: factor}}))
		if m.Base() != 60 || gain != want {
			t.Errorf("%g of the time: ends at %d, gains %d, want %d", factor, m.Base(), gain, want)
		}
	}
}

// Operations between a root and others, of which one has left before the last one came. Threads compute until they
// enter, and from their exit on.
func TestRootedOperations(t *testing.T) {
	type member struct{ enter, exit, until int64 }
	for _, c := range []struct {
		name      string
		operation int64
		members   [3]member // the first is the root
		base      int64
		faster    int32 // this thread takes half the time until it enters
		gain      int64
	}{
		// What the root sends at 80 takes 15: thread 2 has it at 55 instead of 95, and ends 40 earlier. Thread 3 ends
		// at 100 then. That it comes earlier does not help thread 2.
		{"broadcast", 7, [3]member{{80, 90, 91}, {30, 95, 135}, {95, 100, 100}}, 135, 0, 35},
		{"to a late member", 7, [3]member{{80, 90, 91}, {30, 95, 135}, {95, 100, 100}}, 135, 2, 0},
		// Thread 2 came at 50, after the root, and took 10: it comes at 25 now, and has it 10 after the root's 40.
		{"to an early member", 7, [3]member{{40, 45, 46}, {50, 60, 135}, {95, 100, 100}}, 135, 1, 10},
		// The root has the part of thread 3 10 after that came at 80: at 50 instead of 90.
		{"reduction", 9, [3]member{{10, 90, 130}, {30, 35, 36}, {80, 85, 86}}, 130, 2, 40},
		// The root came at 90, last, and took 5: it comes at 45 now, and ends 5 after thread 3's 80.
		{"of an early root", 9, [3]member{{90, 95, 130}, {30, 35, 36}, {80, 85, 86}}, 130, 0, 10},
		{"of an early member", 9, [3]member{{10, 90, 130}, {30, 35, 36}, {80, 85, 86}}, 130, 1, 0},
	} {
		r := newRun(3)
		for th, m := range c.members {
			pairs := []prv.Pair{{Type: 50000002, Value: c.operation}, {Type: 50100004, Value: 1}}
			if th == 0 {
				pairs = append(pairs, prv.Pair{Type: 50100003, Value: 1})
			}
			r.work(int32(th), 0, m.enter)
			r.b.State(int32(th), 0, m.enter, m.exit, 13)
			r.b.Event(int32(th), 0, m.enter, pairs...)
			r.b.Event(int32(th), 0, m.exit, prv.Pair{Type: 50000002})
			r.work(int32(th), m.exit, m.until)
		}
		m := r.model(t)
		gain := m.Gain(m.Changed([]replay.Change{{Thread: c.faster, To: c.members[c.faster].enter, Factor: 0.5}}))
		if m.Base() != c.base || gain != c.gain {
			t.Errorf("%s: ends at %d, gains %d, want %d", c.name, m.Base(), gain, c.gain)
		}
	}
}

// Code that takes twice the time counts twice the instructions.
func TestCountersOfChange(t *testing.T) {
	r := newRun(1)
	r.work(0, 0, 100)
	r.b.Event(0, 0, 40, prv.Pair{Type: 42000050, Value: 1000})
	r.b.Event(0, 0, 100, prv.Pair{Type: 42000050, Value: 300})
	m := r.model(t)
	changed, err := m.Trace(t.Context(), m.Changed([]replay.Change{{Thread: 0, From: 0, To: 100, Factor: 2}}))
	if err != nil {
		t.Fatal(err)
	}
	e := &changed.Threads[0].Events
	if e.Len() != 2 || e.Time[0] != 80 || e.Value.At(0) != 2000 || e.Time[1] != 200 || e.Value.At(1) != 600 {
		t.Errorf("at %v: %d and %d", e.Time, e.Value.At(0), e.Value.At(1))
	}
}

// With half of the work of thread 1 the message is there at 60 instead of 110. Thread 2 begins its call at 20 as before
// and only waits less; what follows comes 50 earlier.
func TestRecordsMove(t *testing.T) {
	m := waiting(t)
	changed, err := m.Trace(t.Context(), m.Changed([]replay.Change{{To: 100, Factor: 0.5}}))
	if err != nil {
		t.Fatal(err)
	}
	for th, want := range [][]int64{{50, 51}, {20, 60}} {
		if got := changed.Threads[th].Events.Time; !slices.Equal(got, want) {
			t.Errorf("thread %d: calls at %v, want %v", th+1, got, want)
		}
	}
	if s := &changed.Threads[1].States; !slices.Equal(s.Begin, []int64{0, 20, 60}) ||
		!slices.Equal(s.End, []int64{20, 60, 80}) || changed.Duration != 80 {
		t.Errorf("states from %v to %v of %d", s.Begin, s.End, changed.Duration)
	}
}

// A thread ends with its last state that is not idle, or with its last call, also where it has but one.
func TestEndsOfThreads(t *testing.T) {
	r := newRun(4)
	r.work(0, 0, 70)
	r.work(1, 0, 20)
	r.b.State(1, 0, 20, 70, 0)
	r.work(2, 0, 20)
	r.b.Event(2, 0, 20, prv.Pair{Type: 50000001, Value: 3})
	r.b.Event(2, 0, 50, prv.Pair{Type: 50000001})
	r.work(3, 0, 60)
	r.b.Event(3, 0, 20, prv.Pair{Type: 50000001, Value: 3})
	r.b.Event(3, 0, 50, prv.Pair{Type: 50000001})
	m := r.model(t)
	for th, want := range []int64{70, 20, 50, 60} {
		if got := m.Time[m.Last[th]]; got != want {
			t.Errorf("thread %d ends at %d, want %d", th+1, got, want)
		}
	}
}
