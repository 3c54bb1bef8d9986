package criticalpath

import (
	"fmt"
	"testing"

	"pview/prv"
	"pview/prv/extrae"
)

// onThread is a state from begin to end, with a type an event at begin, or a message from the thread.
type onThread struct {
	thread     int32
	begin, end int64
	typ, value uint32
	message    *message
}

// message is a message by its receiver and its times, logical and physical.
type message struct {
	to                      int32
	sent, left, posted, got int64
}

// finderIn makes a finder on a thread at 50, in a trace of a task of 3 threads, one of 2 and one of 1.
func finderIn(t *testing.T, thread int32, records ...onThread) *finder {
	t.Helper()
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddNode(6)
	h.AddPtask()
	for _, threads := range []int{3, 2, 1} {
		h.AddTask(threads, 0)
	}
	b := prv.NewBuilder(h)
	for _, r := range records {
		if m := r.message; m != nil {
			b.Comm(prv.Comm{Send: r.thread, Recv: m.to, Size: 8, Times: [4]int64{prv.LogicalSend: m.sent,
				prv.PhysicalSend: m.left, prv.LogicalRecv: m.posted, prv.PhysicalRecv: m.got}})
		} else if r.typ != 0 {
			b.Event(r.thread, 0, r.begin, prv.Pair{Type: r.typ, Value: int64(r.value)})
		} else {
			b.State(r.thread, 0, r.begin, r.end, r.value)
		}
	}
	b.Event(5, 0, 100, prv.Pair{Type: 1, Value: 1})
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return &finder{walk: walk{t: tr, at: 50, thread: thread}, calls: &calls{byThread: make([][]callRef, 6)}}
}

// went says whether the path went on, to which thread, and over what.
func (f *finder) went(ok bool) string {
	text := fmt.Sprintf("%v to %d", ok, f.thread)
	for _, s := range f.segments {
		text += fmt.Sprintf(", %d..%d %s of %d", s.Begin, s.End, Kinds[s.Kind].Key, s.Thread)
	}
	return text
}

// Work is state 1, and 7 in a construct: 10..15 opens a region, 50..60 is in one; 15..20 is not, and 45 takes no time.
func TestLastWork(t *testing.T) {
	f := finderIn(t, 0, onThread{end: 10, value: 1}, onThread{begin: 10, end: 15, value: 7},
		onThread{begin: 10, typ: extrae.OpenMPParallel, value: 1}, onThread{begin: 15, end: 20, value: 7},
		onThread{begin: 20, end: 30, value: 5}, onThread{begin: 30, end: 40, value: 1},
		onThread{begin: 45, end: 45, value: 1}, onThread{begin: 50, end: 60, value: 7},
		onThread{begin: 50, typ: extrae.OpenMPOutlined, value: 2}, onThread{begin: 60, end: 100, value: 3})
	for _, c := range []struct{ after, upTo, want int64 }{ // 0: none
		{0, 100, 60}, {59, 100, 60}, {60, 100, 0}, {0, 60, 60}, {0, 55, 55}, {0, 50, 40}, {39, 50, 40}, {40, 50, 0},
		{0, 30, 15}, {14, 30, 15}, {15, 30, 0}, {0, 10, 10}, {0, 5, 5}, {0, 0, 0},
	} {
		if got, ok := f.lastWork(0, c.after, c.upTo); got != c.want || ok != (c.want > 0) {
			t.Errorf("after %d, up to %d: %d, %v, want %d", c.after, c.upTo, got, ok, c.want)
		}
	}
}

func TestEventAt(t *testing.T) {
	const wait, signal = extrae.SemaphoreWait, extrae.SemaphoreSignal
	f := finderIn(t, 0, onThread{begin: 10, typ: wait, value: 5}, onThread{begin: 10, typ: signal},
		onThread{begin: 10, typ: wait, value: 7}, onThread{begin: 20, typ: wait, value: 3})
	for _, c := range []struct {
		at    int64
		typ   uint32
		value int64
		want  string
	}{
		{10, wait, 0, "5 true"}, {10, wait, 7, "7 true"}, {10, wait, 6, "0 false"}, {10, signal, 0, "0 true"},
		{10, signal, 5, "0 false"}, {9, wait, 0, "0 false"}, {11, wait, 0, "0 false"}, {20, wait, 0, "3 true"},
		{20, wait, 5, "0 false"}, {20, signal, 0, "0 false"}, {21, wait, 0, "0 false"},
	} {
		value, ok := f.eventAt(0, c.at, c.typ, c.value)
		if got := fmt.Sprint(value, ok); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// A thread has waited at semaphore 5 from 20 to 50. Those that signal it then are tried one after another.
func TestFollowSemaphore(t *testing.T) {
	wait := onThread{thread: 1, begin: 20, typ: extrae.SemaphoreWait, value: 5}
	signal := func(thread int32, at int64, value uint32) onThread {
		return onThread{thread: thread, begin: at, typ: extrae.SemaphoreSignal, value: value}
	}
	ends := func(thread int32, end int64) onThread { return onThread{thread: thread, end: end, value: 1} }
	for name, c := range map[string]struct {
		records []onThread
		want    []string // of successive tries
	}{
		"two signals": {[]onThread{wait, signal(0, 50, 5), signal(1, 50, 5), signal(2, 50, 5)},
			[]string{"true to 0", "true to 2", "true to 1, 20..50 waiting of 1"}},
		"another one": {[]onThread{wait, signal(0, 50, 6), signal(2, 50, 5)}, []string{"true to 2"}},
		"too early":   {[]onThread{wait, signal(0, 49, 5)}, []string{"true to 1, 20..50 waiting of 1"}},
		"other task":  {[]onThread{wait, signal(3, 50, 5)}, []string{"true to 1, 20..50 waiting of 1"}},
		"no signal":   {[]onThread{wait, ends(0, 50)}, []string{"true to 1, 20..50 waiting of 1"}},
		"no events":   {[]onThread{ends(0, 51), ends(1, 50), ends(2, 50)}, []string{"true to 2", "false to 1"}},
		"nothing":     {nil, []string{"false to 1"}},
	} {
		f := finderIn(t, 1, c.records...)
		for try, want := range c.want {
			f.thread = 1
			if got := f.went(f.followFork(0, 20)); got != want {
				t.Errorf("%s, try %d: %s, want %s", name, try+1, got, want)
			}
		}
	}
}

// A thread has waited from 20 to 50. In a barrier it waited for the last of its team to stop working; elsewhere only if
// that one stops now, and only once at an instant.
func TestFollowTeam(t *testing.T) {
	for _, c := range []struct {
		thread  int32
		barrier bool
		works   map[int32]int64 // until
		want    []string        // of successive tries
	}{
		{0, false, map[int32]int64{1: 50, 2: 30}, []string{"true to 1", "false to 0"}},
		{1, false, map[int32]int64{0: 50, 2: 30}, []string{"true to 0", "false to 1"}},
		{1, false, map[int32]int64{0: 30, 2: 60}, []string{"true to 2"}},
		{4, false, map[int32]int64{3: 50}, []string{"true to 3"}},
		{3, false, map[int32]int64{4: 50}, []string{"true to 4"}},
		{0, false, map[int32]int64{1: 40}, []string{"false to 0"}},
		{0, false, map[int32]int64{0: 50, 3: 50}, []string{"false to 0"}}, // itself, and one of another task
		{5, false, map[int32]int64{5: 50, 4: 50}, []string{"false to 5"}},
		{0, true, map[int32]int64{1: 40, 2: 45}, []string{"true to 2, 45..50 runtime of 0"}},
		{0, true, map[int32]int64{1: 45, 2: 45}, []string{"true to 1, 45..50 runtime of 0"}},
		{0, true, map[int32]int64{1: 50, 2: 45}, []string{"true to 1", "true to 0, 20..50 runtime of 0"}},
		{0, true, map[int32]int64{1: 20}, []string{"true to 0, 20..50 runtime of 0"}}, // nobody that is known
		{0, true, map[int32]int64{1: 21}, []string{"true to 1, 21..50 runtime of 0"}},
	} {
		var records []onThread
		for thread, end := range c.works {
			records = append(records, onThread{thread: thread, end: end, value: stateRunning})
		}
		if c.barrier {
			records = append(records, onThread{thread: c.thread, begin: 20, typ: extrae.OpenMPBarrier, value: 1})
		}
		records = append(records, onThread{thread: c.thread, begin: 20, end: 50, value: 5})
		f := finderIn(t, c.thread, records...)
		for try, want := range c.want {
			f.thread = c.thread
			record := f.t.Threads[c.thread].States.Len() - 1
			if got := f.went(f.followReady(record, 20)); got != want {
				t.Errorf("%+v, try %d: %s", c, try+1, got)
			}
		}
	}
}
