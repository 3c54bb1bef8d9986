package model_test

import (
	"fmt"
	"slices"
	"testing"

	"pview/prv"
	"pview/prv/model"
)

// cluster has the nodes 1 (2 CPUs), 2 (none) and 3 (1), and two applications: tasks 1.1 with two threads on node 1 and
// 1.2 with one on node 3; and task 2.1 with one on an unknown node.
func cluster() model.Header {
	h := model.Header{Date: "01/01/26 at 00:00", End: 50, Unit: model.Nanoseconds}
	h.AddNode(2)
	h.AddNode(0)
	h.AddNode(1)
	h.AddPtask()
	h.AddTask(2, 0)
	h.AddTask(1, 2)
	h.AddPtask()
	h.AddTask(1, -1)
	return h
}

func TestObjects(t *testing.T) {
	h := cluster()
	tr := &prv.Trace{Resources: h.Resources, Names: &model.Names{}}
	for _, c := range []struct {
		level   model.Level
		names   string    // of all objects of a level
		threads [][]int32 // threads of each object
		of      []int     // the object of each thread on no known CPU
		on3     int       // the object of a record of thread 0 on CPU 3
	}{
		{model.LevelWorkload, "[WORKLOAD]", [][]int32{{0, 1, 2, 3}}, []int{0, 0, 0, 0}, 0},
		{model.LevelPtask, "[APPL 1 APPL 2]", [][]int32{{0, 1, 2}, {3}}, []int{0, 0, 0, 1}, 0},
		{model.LevelTask, "[TASK 1.1 TASK 1.2 TASK 2.1]", [][]int32{{0, 1}, {2}, {3}}, []int{0, 0, 1, 2}, 0},
		{model.LevelThread, "[THREAD 1.1.1 THREAD 1.1.2 THREAD 1.2.1 THREAD 2.1.1]", [][]int32{{0}, {1}, {2}, {3}},
			[]int{0, 1, 2, 3}, 0},
		{model.LevelSystem, "[SYSTEM]", [][]int32{{0, 1, 2, 3}}, []int{0, 0, 0, 0}, 0},
		{model.LevelNode, "[NODE 1 NODE 2 NODE 3]", [][]int32{{0, 1}, nil, {2}}, []int{0, 0, 2, -1}, 2},
		{model.LevelCPU, "[CPU 1.1 CPU 1.2 CPU 3.1]", [][]int32{{0, 1}, {0, 1}, {2}}, []int{-1, -1, -1, -1}, 2},
	} {
		var names []string
		for i := range tr.Count(c.level) {
			name := tr.DefaultName(c.level, i)
			names = append(names, name)
			if got := tr.ThreadsOf(c.level, i); i >= len(c.threads) || !slices.Equal(got, c.threads[i]) {
				t.Errorf("threads of %s: %v", name, got)
			}
			if got, err := tr.FindObject(c.level, name); got != i || err != nil {
				t.Errorf("%s is object %d, %v", name, got, err)
			}
		}
		if got := fmt.Sprint(names); got != c.names {
			t.Errorf("level %s: %s, want %s", c.level, got, c.names)
		}
		for i, want := range c.of {
			if got := tr.ObjectOf(c.level, int32(i), 0); got != want {
				t.Errorf("%s of thread %d: %d, want %d", c.level, i, got, want)
			}
		}
		if got := tr.ObjectOf(c.level, 0, 3); got != c.on3 {
			t.Errorf("%s of a record on CPU 3: %d, want %d", c.level, got, c.on3)
		}
		if got := c.level.IsResource(); got != (c.level > model.LevelThread) {
			t.Errorf("%s is of the resource side: %v", c.level, got)
		}
	}
	none := model.Resources{}
	if none.Count(model.LevelSystem) != 0 || none.NumCPUs() != 0 || none.CPUNode(1) != -1 {
		t.Error("a trace without resource information has some")
	}
	for cpu, node := range []int32{-1, 0, 0, 2, -1} {
		if got := tr.CPUNode(int32(cpu)); got != node {
			t.Errorf("CPU %d is of node %d, want %d", cpu, got, node)
		}
	}
}

// Threads are found by the numbers of a .prv, each within its bounds.
func TestThreadIndex(t *testing.T) {
	h := cluster()
	for i := range int32(h.NumThreads()) {
		p, task, th := h.ThreadID(i)
		if got, ok := h.ThreadIndex(int64(p), int64(task), int64(th)); got != i || !ok {
			t.Errorf("%d.%d.%d is thread %d, want %d", p, task, th, got, i)
		}
	}
	for _, id := range [][3]int64{{0, 1, 1}, {3, 1, 1}, {1, 0, 1}, {1, 3, 1}, {2, 2, 1}, {1, 1, 0}, {1, 1, 3}} {
		if got, ok := h.ThreadIndex(id[0], id[1], id[2]); ok {
			t.Errorf("%v is thread %d", id, got)
		}
	}
}

func TestFindObject(t *testing.T) {
	h := cluster()
	tr := &prv.Trace{Resources: h.Resources, Names: &model.Names{}}
	tr.Names.Levels[model.LevelNode] = []string{"login", "n2", "n3"}
	for _, c := range []struct {
		level model.Level
		text  string
		want  int // -1: an error
	}{
		{model.LevelThread, "1.2.1", 2}, {model.LevelThread, "thread 1.2.1", 2}, {model.LevelThread, "1.2", -1},
		{model.LevelNode, "N2", 1}, {model.LevelNode, "3", 2}, {model.LevelNode, "NODE 3", 2},
		{model.LevelNode, "", -1},
		{model.LevelWorkload, "", 0}, {model.LevelSystem, "", 0},
		{model.LevelPtask, "2", 1}, {model.LevelPtask, "3", -1},
	} {
		if got, err := tr.FindObject(c.level, c.text); c.want < 0 && err == nil || c.want >= 0 && got != c.want {
			t.Errorf("%s %q is %d, %v; want %d", c.level, c.text, got, err, c.want)
		}
	}
	for text, want := range map[string]model.Level{"1": model.LevelPtask, "1.3": model.LevelTask,
		"1.3.1": model.LevelThread, "1.3.1.2": 0, "1.x": 0, "": 0, "-1": 0} {
		if got, ok := model.LevelOfID(text); got != want || ok != (want != 0) {
			t.Errorf("%q is of level %s, %v", text, got, ok)
		}
	}
}

func TestHeaderLine(t *testing.T) {
	h := cluster()
	want := "#Paraver (01/01/26 at 00:00):50_ns:3(2,0,1):2:2(2:1,1:3),1(1:0)"
	if got := h.Line(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	h.Unit, h.Nodes, h.Communicators = model.Milliseconds, nil, make([]model.Communicator, 2)
	want = "#Paraver (01/01/26 at 00:00):50_ms:0:2:2(2:1,1:3),1(1:0),2"
	if got := h.Line(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	h.Notes = []string{"odd"}
	if got := h.Remarks("a.prv"); len(got) != 1 || got[0] != (model.Note{File: "a.prv", Line: 1, Text: "odd"}) {
		t.Errorf("remarks %v", got)
	}
}

// Tasks of a communicator are numbered from 0 over the trace, in order; unknown ones are left out.
func TestMembers(t *testing.T) {
	h := cluster()
	for _, c := range []struct {
		text  string
		ptask int32
		id    int64
		tasks []int32 // nil: inconsistent
	}{
		{"c:1:7:2:2:1", 0, 7, []int32{0, 1}}, {" c:2:8:1:1 ", 1, 8, []int32{2}}, {"c:1:7:2:0:2:3", 0, 7, []int32{1}},
		{"c:1:7:1", 0, 0, nil}, {"c:0:7:1:1", 0, 0, nil}, {"c:3:7:1:1", 0, 0, nil}, {"c:1:7:1:x", 0, 0, nil},
		{"c:1:7:1:3", 0, 7, nil},
	} {
		ptask, id, tasks, ok := model.Communicator{Text: c.text}.Members(&h.Resources)
		if ptask != c.ptask || id != c.id || !slices.Equal(tasks, c.tasks) || ok != (c.tasks != nil) {
			t.Errorf("%q: ptask %d, ID %d, tasks %v, %v", c.text, ptask, id, tasks, ok)
		}
	}
}
