package replay_test

import (
	"slices"
	"testing"

	"pview/insight/replay"
	"pview/prv"
	"pview/prv/extrae"
)

// waiting returns a run of two threads: 1 computes for 100 and sends, 2 waits from 20 until the message is there at
// 110, and computes until 130.
func waiting(t *testing.T) *replay.Model {
	t.Helper()
	r := newRun(2)
	r.work(0, 0, 100)
	r.call(0, 100, 101, 3, 10)
	r.work(1, 0, 20)
	r.call(1, 20, 110, 2, 3)
	r.work(1, 110, 130)
	r.message(0, 1, 8, 100, 101, 20, 110)
	return r.model(t)
}

// An edit that is sealed says the same as before, also when it is changed again, and joined with others.
func TestSealedEdits(t *testing.T) {
	m := waiting(t)
	work, last := m.NodeAfter(0, 100), m.Last[1]
	if !m.NewEdit().IsEmpty() {
		t.Error("a change of nothing is not empty")
	}
	e := m.NewEdit()
	e.Add(work, -30)
	e.SetLag(m.MessageEdges()[0], 4)
	if gain := m.Gain(e); gain != 36 { // 30 and 6 of the message's 10
		t.Errorf("gains %d", gain)
	}
	e.Seal()
	e.Seal()
	if gain := m.Gain(e); gain != 36 || e.IsEmpty() {
		t.Errorf("sealed it gains %d", gain)
	}
	if own := e.OwnAt(work); own != 70 || m.NewEdit().OwnAt(work) != 100 {
		t.Errorf("the thread takes %d of its own", own)
	}
	other := m.NewEdit()
	other.Add(last, -5)
	other.Seal()
	both := e.Join(other)
	if gain := m.Gain(both); gain != 41 {
		t.Errorf("both gain %d", gain)
	}
	both.Seal()
	both.Add(last, -20) // of the 15 that are left
	if gain := m.Gain(both); gain != 56 {
		t.Errorf("and all of the last work %d", gain)
	}
	again := other.Join(other) // both differences count
	if gain := m.Gain(again); gain != 10 || again.OwnAt(last) != 10 {
		t.Errorf("twice gains %d", gain)
	}
}

// An edge from the send of thread 1, at 100, to the end of thread 2 with a lag of 50: the run ends at 150. Edges do not
// go down, and several may end at one node.
func TestLink(t *testing.T) {
	m := waiting(t)
	send, end := m.NodeAfter(0, 100), m.Last[1]
	e := m.NewEdit()
	e.Link(send, end, 40)
	e.Link(send, end, 50)
	e.Link(send, m.ExitOf(1, 0), 15)
	if e.IsEmpty() {
		t.Error("an edge is nothing")
	}
	if at := m.Times(e); at[end] != 150 || at[m.ExitOf(1, 0)] != 115 || m.Gain(e) != -20 {
		t.Errorf("%v, gains %d", at, m.Gain(e))
	}
	down := m.NewEdit()
	down.Link(end, send, 1)
	down.Link(send, send, 1)
	down.Link(-1, send, 1)
	if !down.IsEmpty() {
		t.Error("edges that do not go up")
	}
}

func TestNodes(t *testing.T) {
	m := waiting(t)
	var times []int64
	for _, n := range m.Nodes(1) {
		times = append(times, m.Time[n])
	}
	if !slices.Equal(times, []int64{110, 130}) || m.NodeAfter(1, 131) != -1 || m.Time[m.NodeAfter(1, 0)] != 110 ||
		m.Time[m.NodeAfter(1, 21)] != 110 || m.Time[m.NodeAfter(1, 110)] != 110 || m.Last[1] != m.NodeAfter(1, 130) {
		t.Errorf("times %v", times)
	}
	exit := m.ExitOf(1, 0) // 20 of computation come before the call; no node ends the send, for which nothing waits
	if of := m.OwnOf(1, 0); of != m.Own[exit]-20 || of <= 0 || m.OwnOf(0, 0) != 0 {
		t.Errorf("the calls take %d and %d of their own, with what comes before %d", of, m.OwnOf(0, 0), m.Own[exit])
	}
}

// Thread 1 sends at 50. Thread 2 waits for the message in a call from 20 to 60, in a second call from 80 to 90 for one
// that thread 3 sends at 70, and ends at 150. Received by the second call, the first message costs nothing: that
// call ends at 80, when the message of thread 3 is there, for which it had not waited. So 10 are gained.
func TestReceivedElsewhere(t *testing.T) {
	r := newRun(3)
	r.work(0, 0, 50)
	r.call(0, 50, 51, 3, 10)
	r.work(0, 51, 60)
	r.work(1, 0, 20)
	r.call(1, 20, 60, 2, 3)
	r.work(1, 60, 80)
	r.call(1, 80, 90, 2, 3)
	r.work(1, 90, 150)
	r.work(2, 0, 70)
	r.call(2, 70, 71, 3, 10)
	r.message(0, 1, 8, 50, 51, 20, 60)
	r.message(2, 1, 8, 70, 71, 80, 90)
	m := r.model(t)
	for from, gain := range map[int64]int64{70: 10, 80: 10, 81: 10, 10: 0, 20: 0, 95: 0, 200: 0} {
		c := replay.Change{Kind: replay.OfReceive, Message: 0, From: from}
		if got := m.Gain(m.Changed([]replay.Change{c})); got != gain {
			t.Errorf("received from %d gains %d, want %d", from, got, gain)
		}
	}
}

// Without waits for receivers thread 1, which offers a message from 10 on, leaves its send at once: it ends 50 earlier.
func TestEagerly(t *testing.T) {
	r := newRun(2)
	r.work(0, 0, 10)
	r.call(0, 10, 60, 34, 4)
	r.work(0, 60, 100)
	r.work(1, 0, 50)
	r.call(1, 50, 60, 2, 3)
	r.message(0, 1, 8, 10, 60, 50, 60)
	m := r.model(t)
	if gain := m.Gain(m.Changed([]replay.Change{{Kind: replay.Eagerly}})); gain != 50-10 {
		t.Errorf("gains %d", gain)
	}
}

// A thread computes, is in the runtime for 20 from 10 on and in input and output for 40 from 50. Half of the overhead
// from 20 to 100 is (10 + 40) / 2. Of changes that overlap the earlier one counts: 10 x 1 from 0 and 10 x 0.5.
func TestOverheadOfThread(t *testing.T) {
	r := newRun(1)
	for _, s := range [][3]int64{{0, 10, 1}, {10, 30, 7}, {30, 50, 1}, {50, 90, 12}, {90, 100, 1}} {
		r.b.State(0, 0, s[0], s[1], uint32(s[2]))
	}
	r.b.Event(0, 0, 100, prv.Pair{Type: extrae.UserFunction})
	m := r.model(t)
	for _, c := range []struct {
		changes []replay.Change
		gain    int64
	}{
		{[]replay.Change{{Kind: replay.OfOverhead, From: 20, To: 100, Factor: 0.5}}, 25},
		{[]replay.Change{{From: 10, To: 30, Factor: 0.5}, {From: 0, To: 20, Factor: 0}}, 20 + 5},
		{[]replay.Change{{From: 0, To: 20, Factor: 0}, {From: 0, To: 10, Factor: 0.5}}, 5 + 10},
		{[]replay.Change{{From: 0, To: 20, Factor: 0}, {From: 5, To: 20, Factor: 5}}, 20},
	} {
		if gain := m.Gain(m.Changed(c.changes)); gain != c.gain {
			t.Errorf("%+v gains %d, want %d", c.changes, gain, c.gain)
		}
	}
}

// In half of its time the code has the same cycles: it had 2 per ns in the first 100 ns, and 1 in the next, where half
// of the time it had no core. The latter only lacks the cycles beyond 2 per ns.
func TestCyclesOfChange(t *testing.T) {
	const instructions, cycles = 42000050, 42000059
	r := newRun(1)
	r.work(0, 0, 300)
	for _, x := range []struct{ at, instructions, cycles int64 }{{100, 400, 200}, {200, 400, 100}, {300, 10, 0}} {
		r.b.Event(0, 0, x.at, prv.Pair{Type: instructions, Value: x.instructions},
			prv.Pair{Type: cycles, Value: x.cycles})
	}
	m := r.model(t)
	for factor, want := range map[float64][]int64{0.5: {200, 100, 400, 100, 5, 0}, 0.25: {100, 50, 200, 50, 3, 0},
		1: {400, 200, 400, 100, 10, 0}, 2: {800, 400, 800, 200, 20, 0}} {
		changed, err := m.Trace(t.Context(), m.Changed([]replay.Change{{To: 300, Factor: factor}}))
		if err != nil {
			t.Fatal(err)
		}
		e := &changed.Threads[0].Events
		for k, v := range want {
			if e.Value.At(k) != v || e.Time[k] != int64(float64(100+k/2*100)*factor) {
				t.Errorf("%g of the time: value %d is %d at %d, want %d", factor, k, e.Value.At(k), e.Time[k], v)
			}
		}
	}
}
