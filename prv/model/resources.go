package model

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// MostObjects limits the threads, and the CPUs, of any trace: more in a file is an error.
const MostObjects = 1 << 24

// Resources are the objects of a run. The process side has ptasks (applications), their tasks and their threads, the
// resource side nodes and their CPUs; tasks are mapped to nodes.
type Resources struct {
	// Nodes is empty when the trace has no resource information (the header says 0):
	// there are no node and CPU levels then.
	Nodes  []Node
	Ptasks []Ptask
	Tasks  []Task
	// ThreadTask is the task of each thread.
	ThreadTask []int32
}

// Node is a machine with CPUs numbered FirstCPU .. FirstCPU+CPUs-1 (1-based, over
// all nodes).
type Node struct {
	FirstCPU int32
	CPUs     int32
}

// Ptask is an application: tasks FirstTask .. FirstTask+Tasks-1.
type Ptask struct {
	FirstTask int32
	Tasks     int32
}

// Task is an address space on one node: threads FirstThread ..
// FirstThread+Threads-1.
type Task struct {
	Ptask       int32
	Node        int32 // 0-based; -1 if unknown
	FirstThread int32
	Threads     int32
}

// NumThreads returns the number of threads over all tasks.
func (r *Resources) NumThreads() int { return len(r.ThreadTask) }

// NumCPUs returns the number of CPUs over all nodes; 0 without resource
// information.
func (r *Resources) NumCPUs() int {
	if len(r.Nodes) == 0 {
		return 0
	}
	last := r.Nodes[len(r.Nodes)-1]
	return int(last.FirstCPU) + int(last.CPUs) - 1
}

// CPUNode returns the node (0-based) of a CPU (1-based), or -1 when there is no
// such CPU.
func (r *Resources) CPUNode(cpu int32) int32 {
	if cpu < 1 || int(cpu) > r.NumCPUs() {
		return -1
	}
	i := sort.Search(len(r.Nodes), func(i int) bool { return r.Nodes[i].FirstCPU > cpu })
	// Nodes without CPUs share their FirstCPU with the node that follows them.
	return int32(i - 1)
}

// ThreadNode returns the node (0-based) that a thread is mapped on, -1 when
// unknown.
func (r *Resources) ThreadNode(thread int32) int32 { return r.Tasks[r.ThreadTask[thread]].Node }

// ThreadPtask returns the ptask of a thread.
func (r *Resources) ThreadPtask(thread int32) int32 { return r.Tasks[r.ThreadTask[thread]].Ptask }

// Applications returns the threads of each application that has threads.
func (r *Resources) Applications() (list [][]int32) {
	for p := range r.Ptasks {
		if who := r.ThreadsOf(LevelPtask, p); len(who) > 0 {
			list = append(list, who)
		}
	}
	return list
}

// ThreadID returns the number of a thread as the .prv writes it: ptask, task and
// thread, each 1-based within its parent.
func (r *Resources) ThreadID(thread int32) (ptask, task, th int32) {
	ti := r.ThreadTask[thread]
	t := r.Tasks[ti]
	return t.Ptask + 1, ti - r.Ptasks[t.Ptask].FirstTask + 1, thread - t.FirstThread + 1
}

// ThreadIndex returns the inverse of ThreadID; ok is false when there is no such
// thread.
func (r *Resources) ThreadIndex(ptask, task, thread int64) (index int32, ok bool) {
	if ptask < 1 || ptask > int64(len(r.Ptasks)) {
		return 0, false
	}
	p := r.Ptasks[ptask-1]
	if task < 1 || task > int64(p.Tasks) {
		return 0, false
	}
	t := r.Tasks[int64(p.FirstTask)+task-1]
	if thread < 1 || thread > int64(t.Threads) {
		return 0, false
	}
	return t.FirstThread + int32(thread-1), true
}

// AddNode appends a node with the given number of CPUs.
func (r *Resources) AddNode(cpus int) {
	r.Nodes = append(r.Nodes, Node{FirstCPU: int32(r.NumCPUs()) + 1, CPUs: int32(cpus)})
}

// AddPtask appends an application without tasks.
func (r *Resources) AddPtask() {
	r.Ptasks = append(r.Ptasks, Ptask{FirstTask: int32(len(r.Tasks))})
}

// AddTask appends a task of the given number of threads to the last ptask. node
// is 0-based, -1 for unknown.
func (r *Resources) AddTask(threads, node int) {
	p := len(r.Ptasks) - 1
	ti := int32(len(r.Tasks))
	r.Tasks = append(r.Tasks, Task{Ptask: int32(p), Node: int32(node), FirstThread: int32(len(r.ThreadTask)),
		Threads: int32(threads)})
	r.Ptasks[p].Tasks++
	for range threads {
		r.ThreadTask = append(r.ThreadTask, ti)
	}
}

// Communicator is a communicator line of the header. Paraver keeps and rewrites it without interpreting it, and some
// traces contain inconsistent lines, so Text is authoritative.
type Communicator struct {
	Text string // the line as found: "c:1:2:2:1:4"
}

// Members reads the line c:PTASK:ID:SIZE:task:task:... and returns the ptask and the tasks, 0-based over the trace and
// in order; ok is false if the line is inconsistent. Unknown tasks are skipped.
func (c Communicator) Members(r *Resources) (ptask int32, id int64, tasks []int32, ok bool) {
	var n []int64
	for _, f := range strings.Split(strings.TrimPrefix(strings.TrimSpace(c.Text), "c:"), ":") {
		v, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, 0, nil, false
		}
		n = append(n, v)
	}
	if len(n) < 4 || n[0] < 1 || n[0] > int64(len(r.Ptasks)) {
		return 0, 0, nil, false
	}
	pt := r.Ptasks[n[0]-1]
	for _, task := range n[3:] {
		if task >= 1 && task <= int64(pt.Tasks) {
			tasks = append(tasks, pt.FirstTask+int32(task-1))
		}
	}
	slices.Sort(tasks)
	return int32(n[0] - 1), n[1], tasks, len(tasks) > 0
}

// Level is a level of the object model, on the process side or the resource side.
type Level uint8

// The levels. On each side they go from the whole to the parts.
const (
	LevelWorkload Level = iota
	LevelPtask
	LevelTask
	LevelThread
	LevelSystem
	LevelNode
	LevelCPU
)

// Levels lists all levels in order.
var Levels = []Level{LevelWorkload, LevelPtask, LevelTask, LevelThread, LevelSystem, LevelNode, LevelCPU}

// String returns the level in lower case, as in .cfg files, which however write "appl" for ptask.
func (l Level) String() string {
	return [...]string{"workload", "ptask", "task", "thread", "system", "node", "cpu"}[l]
}

// IsResource reports whether the level is on the resource side.
func (l Level) IsResource() bool { return l >= LevelSystem }

// Count returns the number of objects of a level; 0 for the resource side of a
// trace without resource information.
func (r *Resources) Count(l Level) int {
	switch l {
	case LevelWorkload:
		return 1
	case LevelPtask:
		return len(r.Ptasks)
	case LevelTask:
		return len(r.Tasks)
	case LevelThread:
		return len(r.ThreadTask)
	case LevelNode:
		return len(r.Nodes)
	case LevelCPU:
		return r.NumCPUs()
	case LevelSystem:
		return min(1, len(r.Nodes))
	}
	return 0
}

// DefaultName returns Paraver's default name for object i (0-based) of a level: "THREAD
// 1.2.1", "CPU 2.4".
func (r *Resources) DefaultName(l Level, i int) string {
	switch l {
	case LevelPtask:
		return fmt.Sprintf("APPL %d", i+1)
	case LevelTask:
		p := r.Tasks[i].Ptask
		return fmt.Sprintf("TASK %d.%d", p+1, int32(i)-r.Ptasks[p].FirstTask+1)
	case LevelThread:
		p, t, th := r.ThreadID(int32(i))
		return fmt.Sprintf("THREAD %d.%d.%d", p, t, th)
	case LevelNode:
		return fmt.Sprintf("NODE %d", i+1)
	case LevelCPU:
		n := r.CPUNode(int32(i + 1))
		return fmt.Sprintf("CPU %d.%d", n+1, int32(i+1)-r.Nodes[n].FirstCPU+1)
	case LevelSystem:
		return "SYSTEM"
	}
	return "WORKLOAD"
}

// Name returns the name of object i (0-based) of a level: that of the .row, or Paraver's
// default.
func (t *Trace) Name(l Level, i int) string {
	if s, ok := t.Names.Lookup(l, i); ok {
		return s
	}
	return t.DefaultName(l, i)
}

// ShortName returns the name of an object for sentences and rows on the screen: "1.2.1" for "THREAD 1.2.1".
func (t *Trace) ShortName(l Level, i int) string { return strings.TrimPrefix(t.Name(l, i), "THREAD ") }
