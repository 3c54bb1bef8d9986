package model_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pview/prv/model"
)

// The four points in time of a communication.
func TestRoles(t *testing.T) {
	c := model.Comms{Send: []int32{3}, Recv: []int32{4}}
	for _, w := range []struct {
		role           model.Role
		text           string
		logical, sends bool
		thread         int32
	}{
		{model.LogicalSend, "logical send", true, true, 3},
		{model.PhysicalSend, "physical send", false, true, 3},
		{model.LogicalRecv, "logical receive", true, false, 4},
		{model.PhysicalRecv, "physical receive", false, false, 4},
	} {
		if w.role.String() != w.text || w.role.IsLogical() != w.logical || w.role.IsSend() != w.sends ||
			c.Thread(0, w.role) != w.thread {
			t.Errorf("%d: %s, logical %v, of the sender %v, of thread %d", w.role, w.role, w.role.IsLogical(),
				w.role.IsSend(), c.Thread(0, w.role))
		}
	}
}

// Appending to the first communications does not change the others; missing columns stay missing.
func TestFirstComms(t *testing.T) {
	c := model.Comms{Send: []int32{1, 2, 3}, Recv: []int32{4, 5, 6}, Size: []int64{7, 8, 9}, Tag: []int64{10, 11, 12},
		Times: [4][]int64{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}}, SendCPU: []int32{1, 2, 1}}
	got := c.First(2)
	want := model.Comms{Send: []int32{1, 2}, Recv: []int32{4, 5}, Size: []int64{7, 8}, Tag: []int64{10, 11},
		Times: [4][]int64{{1, 2}, {4, 5}, {7, 8}, {10, 11}}, SendCPU: []int32{1, 2}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	_ = append(got.Send, 99)
	if c.Send[2] != 3 || c.Len() != 3 || got.Len() != 2 {
		t.Errorf("the senders are %d", c.Send)
	}
}

// A communication's number counts the lines of events and communications before it. The numbers of event lines are
// modulo 2^32: from 2^32-1 they go to 1 in two steps.
func TestOrdinals(t *testing.T) {
	c := model.Comms{Send: make([]int32, 5), EventLines: []uint32{0, 3, 3, 1<<32 - 1, 1}}
	if got, want := c.Ordinals(), []int64{1, 5, 6, 1<<32 - 1 + 4, 1<<32 + 1 + 5}; !slices.Equal(got, want) {
		t.Errorf("%d, want %d", got, want)
	}
	c.EventLines = nil
	if c.Ordinals() != nil {
		t.Error("a trace that comes from no file has ordinals")
	}
}

// The CPU of a record is that of its thread, unless there is a column.
func TestCPUs(t *testing.T) {
	tr := &model.Trace{Threads: []model.Thread{{CPU: 7}, {CPU: 8, States: model.States{CPU: []int32{1, 2}},
		Events: model.Events{CPU: []int32{3, 4}}}}, Comms: model.Comms{Send: []int32{0}, Recv: []int32{1}}}
	for i := range 2 {
		a, b := &tr.Threads[0], &tr.Threads[1]
		if a.StateCPU(i) != 7 || a.EventCPU(i) != 7 || b.StateCPU(i) != int32(1+i) || b.EventCPU(i) != int32(3+i) {
			t.Errorf("CPUs of record %d: %d %d %d %d", i, a.StateCPU(i), a.EventCPU(i), b.StateCPU(i), b.EventCPU(i))
		}
	}
	cpus := func() (list []int32) {
		for r := model.LogicalSend; r <= model.PhysicalRecv; r++ {
			list = append(list, tr.CommCPU(0, r))
		}
		return list
	}
	if got := cpus(); !slices.Equal(got, []int32{7, 7, 8, 8}) {
		t.Errorf("CPUs of the message %d", got)
	}
	tr.Comms.SendCPU, tr.Comms.RecvCPU = []int32{5}, []int32{6}
	if got := cpus(); !slices.Equal(got, []int32{5, 5, 6, 6}) {
		t.Errorf("CPUs of the message %d", got)
	}
}

func TestBits(t *testing.T) {
	for n, words := range map[int]int{0: 0, 1: 1, 64: 1, 65: 2} {
		if got := len(model.NewBits(n)); got != words {
			t.Errorf("%d rows take %d words, want %d", n, got, words)
		}
	}
	b := model.NewBits(130)
	for _, i := range []int{0, 63, 64, 129} {
		b.Set(i)
	}
	for i := range 130 {
		if want := i == 0 || i == 63 || i == 64 || i == 129; b.Has(i) != want {
			t.Errorf("row %d is in the set: %v", i, !want)
		}
	}
	if b.Count() != 4 {
		t.Errorf("%d rows", b.Count())
	}
}

func TestUnits(t *testing.T) {
	for u, want := range map[model.Unit]string{model.Nanoseconds: "1 ns is 1 ns", model.Microseconds: "1 us is 1000 ns",
		model.Milliseconds: "1 ms is 1000000 ns"} {
		if got := fmt.Sprintf("1 %s is %d ns", u, u.Nanoseconds()); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Each reason and each doubt has words for people and a key for programs that scripts rely on.
func TestReasonsAndDoubts(t *testing.T) {
	var got []string
	for _, r := range model.Reasons {
		got = append(got, r.Key()+": "+r.String())
	}
	for _, d := range model.AllDoubts {
		got = append(got, fmt.Sprintf("%s: %s: %s", d.Key(), d, d.Effect()))
	}
	want := []string{
		"unknown_kind: unknown kind of record",
		"missing_field: missing field",
		"not_a_number: field is not a number",
		"overflow: number too large",
		"unknown_object: no such ptask, task or thread",
		"unknown_cpu: no such CPU",
		"wrong_node: CPU of another node",
		"negative_time: negative time",
		"states_out_of_order: state begins before the one that its thread has before it in the file: where one ends " +
			"as another begins, the order of the file decides, as in Paraver: time of states can be lost",
		"overlapping_states: state begins before an earlier one of its thread has ended: the sums of info count such " +
			"times twice, a window shows one state at a time",
		"received_before_sent: message is received before it is sent: clocks differ, or the tracer paired messages " +
			"wrongly",
		"after_end: record is later than the end in the header: states and events extend the trace, messages do not",
		"end_before_begin: state ends before it begins: it counts as one without an end; its end ends what lasts " +
			"then, as in Paraver",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	s := model.Skipped{First: model.Problem{Line: 4, Reason: model.Overflow, Text: "1:2"}}
	s.Count[model.UnknownKind], s.Count[model.NegativeTime] = 2, 3
	if got := fmt.Sprint(s.Total(), " ", s.First); got != "5 number too large: 1:2" {
		t.Error(got)
	}
}

// In a trace of CPU times, messages that arrive before they are sent are not doubtful; states sorted by time lose
// nothing.
func TestDoubtful(t *testing.T) {
	tr := &model.Trace{Path: "a.prv"}
	tr.Doubts.Count = [model.NumDoubts]int64{model.StateOutOfOrder: 2, model.ReceivedBeforeSent: 1, model.AfterEnd: 3}
	tr.Doubts.Line = [model.NumDoubts]int64{model.StateOutOfOrder: 7, model.ReceivedBeforeSent: 8}
	check := func(want ...string) {
		t.Helper()
		var got []string
		for _, n := range tr.Doubtful() {
			got = append(got, n.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	order := "a.prv:7: " + model.StateOutOfOrder.String() + " (2 in all): "
	after := "a.prv: " + model.AfterEnd.String() + " (3 in all): " + model.AfterEnd.Effect()
	check(order+model.StateOutOfOrder.Effect(), "a.prv:8: "+model.ReceivedBeforeSent.String()+" (1 in all): "+
		model.ReceivedBeforeSent.Effect(), after)
	tr.Comments, tr.StatesSorted = []string{"#x", model.CPUTimeComment}, true
	check(order+"they are read in the order of time", after)
}

// Sorting returns a trace unchanged if no states are out of order, otherwise a changed copy.
func TestSortedStates(t *testing.T) {
	tr := &model.Trace{Threads: []model.Thread{{}, {States: model.States{FileOrder: []int32{1, 0}}}}}
	if got := tr.SortedStates(); got == tr || !got.StatesSorted || got.Threads[1].States.FileOrder != nil ||
		tr.Threads[1].States.FileOrder == nil || tr.StatesSorted {
		t.Errorf("%+v of %+v", got, tr)
	}
	tr.Threads = tr.Threads[:1]
	if got := tr.SortedStates(); got != tr {
		t.Error("a trace in order is copied")
	}
}

func TestFileErrors(t *testing.T) {
	path := &fs.PathError{Op: "open", Path: "/x/a.prv", Err: fs.ErrNotExist}
	for _, c := range []struct {
		err  error
		want string
	}{
		{&model.FileError{File: "a.prv", Line: 3, Why: "odd"}, "a.prv:3: odd"},
		{&model.FileError{File: "a.prv", Why: "odd"}, "a.prv: odd"},
		{model.AsFileError("a.prv", fmt.Errorf("wrapped: %w", path)), "a.prv: file does not exist"},
		{model.AsFileError("a.prv", errors.New("odd")), "a.prv: odd"},
	} {
		if c.err.Error() != c.want {
			t.Errorf("%s, want %s", c.err, c.want)
		}
	}
	if err := model.AsFileError("a.prv", path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v has lost its cause", err)
	}
}

// A trace with other labels shares the counts, which are computed once.
func TestWithLabels(t *testing.T) {
	tr := readTrace(t, "#Paraver ():100:0:1:1(1:0)\n1:0:1:1:1:0:60:1\n2:0:1:1:1:5:7:1:7:2\n")
	labels := &model.Labels{}
	labels.AddState(1, "Busy")
	labels.AddType(7, "Step")
	other := tr.WithLabels(labels)
	sum, err := model.Summarize(context.Background(), other)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(sum.States, sum.Types, sum.EventLines, sum.EventPairs, sum.Bytes); got !=
		"[{1 Busy 1 60}] [{7 Step 2 2 false}] 1 2 0" {
		t.Error(got)
	}
	if sum, _ := model.Summarize(context.Background(), tr); sum.States[0].Label != "Running" {
		t.Errorf("the trace itself has a state %s", sum.States[0].Label)
	}
	tr.Threads[0].States = model.States{} // the counts are kept, also in the copy
	if sum, _ := model.Summarize(context.Background(), other); sum.StateRecords != 1 {
		t.Error("the copy was counted again")
	}
	copied := *tr // a copy, which may be of another trace
	if sum, _ := model.Summarize(context.Background(), &copied); sum.StateRecords != 0 {
		t.Error("a copy with other records has the counts of the trace")
	}
}

// Objects have the names of the .row, else Paraver's, at each level.
func TestObjectNames(t *testing.T) {
	h := cluster()
	tr := &model.Trace{Resources: h.Resources, Names: &model.Names{}}
	tr.Names.Levels[model.LevelThread] = []string{"THREAD main", "", "worker"}
	var got []string
	for _, l := range model.Levels {
		for i := range tr.Count(l) {
			got = append(got, tr.Name(l, i))
		}
	}
	want := "WORKLOAD, APPL 1, APPL 2, TASK 1.1, TASK 1.2, TASK 2.1, THREAD main, THREAD 1.1.2, worker, " +
		"THREAD 2.1.1, SYSTEM, NODE 1, NODE 2, NODE 3, CPU 1.1, CPU 1.2, CPU 3.1"
	if strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
	got = nil
	for i := range tr.Count(model.LevelThread) {
		got = append(got, fmt.Sprintf("%s of %d", tr.ShortName(model.LevelThread, i), tr.ThreadPtask(int32(i))))
	}
	if want := "main of 0, 1.1.2 of 0, worker of 0, 2.1.1 of 1"; strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
	if got := tr.Applications(); !reflect.DeepEqual(got, [][]int32{{0, 1, 2}, {3}}) {
		t.Errorf("applications %d", got)
	}
	tr.AddPtask() // without threads
	if got := tr.Applications(); len(got) != 2 {
		t.Errorf("applications %d", got)
	}
	var none model.Resources
	for _, l := range model.Levels {
		if want := map[model.Level]int{model.LevelWorkload: 1}[l]; none.Count(l) != want {
			t.Errorf("%d of %s without resources", none.Count(l), l)
		}
	}
	for l, want := range map[model.Level]string{model.LevelPtask: "APPL", model.LevelTask: "TASK",
		model.LevelCPU: "CPU"} {
		if got := model.RowName(l); got != want {
			t.Errorf("%s is %s in a .row, want %s", l, got, want)
		}
	}
}
