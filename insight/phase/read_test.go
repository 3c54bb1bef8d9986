package phase

import (
	"context"
	"fmt"
	"testing"

	"pview/prv"
	"pview/prv/extrae"
)

// row is an event; first says that it begins a line.
type row struct {
	first bool
	time  int64
	typ   uint32
	value int64
}

func eventsOf(list ...row) prv.Events {
	e := prv.Events{Lines: prv.NewBits(len(list))}
	for i, r := range list {
		e.Time, e.Type = append(e.Time, r.time), append(e.Type, r.typ)
		e.Value.Append(r.value)
		if r.first {
			e.Lines.Set(i)
		}
	}
	return e
}

// applications makes a trace without records from the numbers of threads of each application's tasks.
func applications(t *testing.T, list ...[]int) *prv.Trace {
	t.Helper()
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddNode(1)
	for _, tasks := range list {
		h.AddPtask()
		for _, threads := range tasks {
			h.AddTask(threads, 0)
		}
	}
	tr, err := prv.NewBuilder(h).Build()
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// Three applications of 2, 1 and 2 tasks; the third task has two threads.
func TestChoose(t *testing.T) {
	all := applications(t, []int{1, 1}, []int{2}, []int{1, 1})
	one := *all
	one.Ptasks = one.Ptasks[:1]
	for _, c := range []struct {
		t     *prv.Trace
		ptask int
		want  string
	}{
		{all, 0, "true [0 1 2 3 4] [0 1 2 3 4 5]"},
		{all, 1, "false [0 1] [0 1]"},
		{all, 2, "false [2] [2 3]"},
		{all, 3, "false [3 4] [4 5]"},
		{&one, 0, "false [0 1] [0 1]"},
	} {
		f := &finder{t: c.t}
		f.choose(c.ptask)
		if got := fmt.Sprint(f.several, f.tasks, f.threads); got != c.want {
			t.Errorf("application %d: %s, want %s", c.ptask, got, c.want)
		}
	}
}

// The communicator is on the line of the call, before or after it.
func TestCommunicator(t *testing.T) {
	const call, comm = 50000002, extrae.CollectiveComm
	lines := eventsOf(row{true, 5, call, 8}, row{false, 5, comm, 3}, row{true, 6, call, 8}, row{true, 7, comm, 4},
		row{false, 7, call, 8}, row{false, 7, 9, 1}, row{true, 8, call, 8})
	for k, want := range map[int]int64{0: 3, 1: 3, 2: 0, 3: 4, 4: 4, 5: 4, 6: 0} {
		if got := (&finder{}).communicator(&lines, k); got != want {
			t.Errorf("event %d: %d, want %d", k, got, want)
		}
	}
	whole := eventsOf(row{false, 5, comm, 6}, row{false, 5, call, 8}) // no line is known
	if got := (&finder{}).communicator(&whole, 1); got != 6 {
		t.Errorf("without lines: %d", got)
	}
}

// An end without begin is none, nor is a second end; a call that does not end lasts to the end of the trace, at 100.
func TestReadThread(t *testing.T) {
	const call, mark, counter = 50000002, 1001, 42000050
	f := &finder{ctx: context.Background(), threads: []int32{0}, found: make([]found, 1), rows: make([][]uint32, 1),
		t: &prv.Trace{Labels: &prv.Labels{}, Threads: make([]prv.Thread, 1)}}
	f.t.Duration = 100
	f.kinds = extrae.NewTypeTable(map[uint32]uint8{call: uint8(collective), mark: uint8(marker)})
	f.t.Threads[0].Events = eventsOf(row{true, 5, call, 0}, row{true, 10, call, 8}, row{true, 12, mark, 1},
		row{true, 15, mark, 0}, row{true, 20, call, 0}, row{true, 22, counter, 9}, row{true, 25, call, 0},
		row{true, 30, call, 8})
	if err := f.readThread(0); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(f.found[0].collectives, f.found[0].markers, f.rows[0]); got !=
		"map[0:[{10 20} {30 100}]] [12] [0 1 2 3 4 6 7]" {
		t.Errorf("%s", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f.ctx = ctx
	if err := f.readThread(0); err != context.Canceled {
		t.Errorf("canceled: %v", err)
	}
}

// secondOf is the second of two applications: task 1 has threads 2 and 3, and task 2 thread 4.
func secondOf(t *testing.T) *finder {
	t.Helper()
	f := &finder{t: applications(t, []int{2}, []int{2, 1}), found: make([]found, 3)}
	f.choose(2)
	return f
}

// Task 1 marks with its second thread. An iteration has begun when the last task has; 40 has no partner.
func TestIterations(t *testing.T) {
	for _, c := range []struct {
		first, second []int64
		want          string
	}{
		{[]int64{5, 20, 40}, []int64{8, 18}, "8 20 "},
		{[]int64{5, 20}, []int64{8, 18, 40}, "8 20 "},
		{[]int64{5, 20}, nil, ""},
		{nil, []int64{5, 20}, ""},
		{[]int64{5}, []int64{4}, "5 "},
	} {
		f, got := secondOf(t), ""
		f.found[1].markers, f.found[2].markers = c.first, c.second
		for i, cut := range f.iterations() {
			got += fmt.Sprint(cut.exit, " ")
			if int(cut.number) != i {
				t.Errorf("iteration %d has number %d", i, cut.number)
			}
		}
		if got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// The calls of the threads of a task are in order of time, by communicator.
func TestJoin(t *testing.T) {
	f := secondOf(t)
	f.found[0].collectives = map[int64][]arrival{7: {{10, 20}, {50, 60}}}
	f.found[1].collectives = map[int64][]arrival{7: {{30, 40}}, 8: {{1, 2}}}
	f.found[2].collectives = map[int64][]arrival{7: {{11, 21}}}
	for task, want := range []string{"map[7:[{10 20} {30 40} {50 60}] 8:[{1 2}]]", "map[7:[{11 21}]]"} {
		if got := fmt.Sprint(f.join(task)); got != want {
			t.Errorf("task %d: %s, want %s", task, got, want)
		}
	}
}

// A state that begins at a time ends there at the earliest; without a state or an end it is the time itself.
func TestEndOf(t *testing.T) {
	s := statesOf([3]int64{10, 20, 1}, [3]int64{30, 30, 1}, [3]int64{40, prv.NoEnd, 1})
	for at, want := range map[int64]int64{9: 9, 10: 20, 11: 11, 30: 30, 40: 40, 50: 50} {
		if got := endOf(&s, at); got != want {
			t.Errorf("at %d: %d, want %d", at, got, want)
		}
	}
}
