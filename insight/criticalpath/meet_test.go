package criticalpath

import (
	"fmt"
	"testing"

	"pview/sim"
)

const (
	meets   = uint32(sim.StateCollective)
	working = uint32(sim.StateCollectiveWork)
)

func stateOf(thread int32, begin, end int64, value uint32) onThread {
	return onThread{thread: thread, begin: begin, end: end, value: value}
}

// An operation is from 30 to 50 on threads that have its transfer then, or its latency and then its transfer.
func TestTogether(t *testing.T) {
	f := finderIn(t, 0, stateOf(0, 30, 50, working), stateOf(1, 30, 40, startup), stateOf(1, 40, 50, working),
		stateOf(2, 30, 40, running), stateOf(2, 40, 50, working), stateOf(3, 30, 51, working),
		stateOf(4, 30, 50, running), stateOf(5, 30, 50, startup))
	if got := fmt.Sprint(f.together(30)); got != "[0 1 5]" {
		t.Errorf("together %s", got)
	}
	if got := fmt.Sprint(f.together(29)); got != "[]" {
		t.Errorf("before: %s", got)
	}
}

// The last to arrive at 50 is one that has not waited; if all have, the one that waits the shortest, and then the rest
// of its wait is for a bus. Of equal ones the path stays on its own.
func TestToLastOf(t *testing.T) {
	for _, c := range []struct {
		records []onThread
		want    string
	}{
		{[]onThread{stateOf(0, 20, 50, meets), stateOf(1, 0, 50, running), stateOf(2, 30, 50, meets)}, "true to 1"},
		{[]onThread{stateOf(0, 20, 50, meets), stateOf(1, 40, 50, meets), stateOf(2, 30, 50, meets)},
			"true to 1, 40..50 resources of 0"},
		{[]onThread{stateOf(0, 40, 50, meets), stateOf(1, 40, 50, meets), stateOf(2, 30, 50, meets)},
			"true to 0, 40..50 resources of 0"},
		{[]onThread{stateOf(0, 30, 50, meets), stateOf(1, 40, 50, meets), stateOf(2, 40, 50, meets)},
			"true to 1, 40..50 resources of 0"},
	} {
		f := finderIn(t, 0, c.records...)
		f.toLastOf([]int32{0, 1, 2})
		if got := f.went(true); got != c.want {
			t.Errorf("%v: %s, want %s", c.records, got, c.want)
		}
	}
}

// Of tasks 0 (threads 0 to 2), 1 (3 and 4) and 2 (5) one in which a state ends at 50 was the last, if others of its
// communicator have waited until then.
func TestLastWithoutWait(t *testing.T) {
	wait := func(thread int32) onThread { return stateOf(thread, 20, 50, meets) }
	for _, c := range []struct {
		name    string
		records []onThread
		more    [][]int32 // communicators besides all tasks
		want    string
	}{
		{"last", []onThread{wait(0), wait(5), stateOf(4, 0, 50, running)}, nil, "4 true"},
		{"first thread", []onThread{wait(0), wait(5), stateOf(3, 0, 50, running)}, nil, "3 true"},
		{"goes on", []onThread{wait(0), wait(5), stateOf(4, 0, 51, running)}, nil, "-1 false"},
		{"all wait", []onThread{wait(0), wait(5), wait(3)}, nil, "-1 false"},
		{"thread 0", []onThread{wait(3), wait(5), stateOf(0, 0, 50, running)}, nil, "0 true"},
		{"smallest", []onThread{wait(0), stateOf(4, 0, 50, running), stateOf(5, 0, 50, running)},
			[][]int32{{0, 2}}, "5 true"},
		{"first of the smallest", []onThread{wait(0), stateOf(4, 0, 50, running), stateOf(5, 0, 50, running)},
			[][]int32{{0, 2}, {0, 1}}, "5 true"},
		{"without one that waits", []onThread{wait(0), stateOf(4, 0, 50, running), stateOf(5, 0, 50, running)},
			[][]int32{{1, 2}}, "4 true"},
		{"waits of one task", []onThread{wait(0), wait(1), stateOf(2, 0, 50, running)}, nil, "-1 false"},
	} {
		f := finderIn(t, 0, c.records...)
		f.comms = [][][]int32{append([][]int32{{0, 1, 2}}, c.more...)}
		last, ok := f.lastWithoutWait()
		if got := fmt.Sprint(last, ok); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Thread 0 is in an operation that ends at 50, known from its states only.
func TestFollowStates(t *testing.T) {
	for _, c := range []struct {
		name    string
		records []onThread
		want    string // of two tries
	}{
		{"not in one", []onThread{stateOf(0, 20, 50, running), stateOf(3, 20, 50, running)},
			"false to 0; false to 0"},
		{"transfer", []onThread{stateOf(0, 20, 50, working), stateOf(3, 20, 50, working), stateOf(3, 0, 20, running),
			stateOf(0, 10, 20, meets)}, "true to 3, 20..50 collective of 0; true to 3, 20..50 collective of 0"},
		{"latency first", []onThread{stateOf(0, 20, 30, startup), stateOf(0, 30, 50, working),
			stateOf(3, 20, 30, startup), stateOf(3, 30, 50, working), stateOf(0, 10, 20, meets)},
			"true to 3, 20..50 collective of 0; true to 3, 20..50 collective of 0"},
		{"alone", []onThread{stateOf(0, 20, 50, working), stateOf(3, 20, 51, working)}, "false to 0; false to 0"},
		{"no time", []onThread{stateOf(0, 20, 50, meets), stateOf(3, 0, 50, running)}, "true to 3; false to 0"},
		{"nobody is last", []onThread{stateOf(0, 20, 50, meets), stateOf(3, 0, 51, running)},
			"false to 0; false to 0"},
	} {
		f := finderIn(t, 0, c.records...)
		record := f.lookup(0, 50)
		begin := f.t.Threads[0].States.Begin[record]
		got := f.went(f.followStates(record, begin))
		f.thread, f.at, f.segments = 0, 50, nil
		if got += "; " + f.went(f.followStates(record, begin)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
