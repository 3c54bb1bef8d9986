package semantic

// Thread functions on what a thread belongs to and where it runs. Every record of a state or an event starts a burst.
// The numbers are 1-based.

var objectFunctions = []Entry{
	{Name: "Application ID", Meaning: Ptasks, Group: "Object", Doc: "number of the thread's application (ptask)",
		thread: ofThread(applicationID)},
	{Name: "TaskID", Meaning: Tasks, Aliases: []string{"Task ID"}, Group: "Object",
		Doc: "number of the thread's task, over all applications", thread: ofThread(taskID)},
	{Name: "Thread ID", Meaning: Threads, Group: "Object", Doc: "number of the thread, over all applications",
		thread: ofThread(threadID)},
	{Name: "Node ID", Meaning: Nodes, Group: "Object",
		Doc: "number of the node of the record's CPU; 0 where that is unknown", thread: ofCPU(nodeID)},
	{Name: "Cpu ID", Meaning: CPUs, Group: "Object", Doc: "number of the record's CPU; 0 where it is unknown",
		thread: ofCPU(cpuID)},
	{Name: "In Appl ID", Group: "Object", Doc: "number of the application if it is listed, else 0",
		Params: listedObjects, thread: listed(ofThread(applicationID))},
	{Name: "In Task ID", Group: "Object", Doc: "number of the task if it is listed, else 0", Params: listedObjects,
		thread: listed(ofThread(taskID))},
	{Name: "In Thread ID", Group: "Object", Doc: "number of the thread if it is listed, else 0", Params: listedObjects,
		thread: listed(ofThread(threadID))},
	{Name: "In Node ID", Group: "Object",
		Doc: "number of the node, counted from 0 (as in Paraver), if it is listed, else 0", Params: listedObjects,
		thread: listed(ofCPU(nodeFromZero))},
	{Name: "In Cpu ID", Group: "Object", Doc: "number of the CPU if it is listed, else 0", Params: listedObjects,
		thread: listed(ofCPU(cpuID))},
}

var listedObjects = []Param{{Name: "Objects", Default: []float64{0}, List: true}}

func applicationID(x *threadRow) float64 {
	return float64(x.trace.Tasks[x.trace.ThreadTask[x.thread]].Ptask + 1)
}

func taskID(x *threadRow) float64 { return float64(x.trace.ThreadTask[x.thread] + 1) }

func threadID(x *threadRow) float64 { return float64(x.thread + 1) }

func nodeID(x *threadRow, cpu int32) float64 {
	if cpu == 0 {
		return 0
	}
	return float64(x.trace.CPUNode(cpu) + 1)
}

func nodeFromZero(x *threadRow, cpu int32) float64 { return nodeID(x, cpu) - 1 }

func cpuID(_ *threadRow, cpu int32) float64 { return float64(cpu) }

// ofThread makes a thread function from a function of the thread; its value also holds before the first record.
func ofThread(value func(x *threadRow) float64) threadFunc {
	return threadFunc{toObjects, func(x *threadRow, _ *marks, _ params, v []float64) {
		id := value(x)
		for k := range v {
			v[k] = id
		}
	}}
}

// ofCPU makes a thread function from a function of the CPU.
func ofCPU(value func(x *threadRow, cpu int32) float64) threadFunc {
	return threadFunc{toObjects, func(x *threadRow, m *marks, _ params, v []float64) {
		th := x.records()
		for k := 1; k < len(v); k++ {
			v[k] = value(x, x.cpu(th, m, k))
		}
	}}
}

// listed sets a function to 0 where its value is not listed, and before the first record.
func listed(f threadFunc) threadFunc {
	return threadFunc{f.listen, func(x *threadRow, m *marks, p params, v []float64) {
		f.value(x, m, p, v)
		v[0] = 0
		for k, id := range v {
			if !p.lists(0, id) {
				v[k] = 0
			}
		}
	}}
}

// objectMarks returns all begins and ends of states, and the events that pass the
// filter.
func (x *threadRow) objectMarks() *marks {
	th := x.records()
	e := &th.Events
	rows := x.pass.Events.Select(nil, e)
	m := newMarks(2*th.States.Len() + len(rows))
	edges := newEdgeWalk(&th.States, x.states)
	s, ok := edges.next()
	for _, i := range rows {
		for ; ok && before(s.time, s.kind, e.Time[i], event); s, ok = edges.next() {
			m.add(s.time, s.state, s.kind)
		}
		m.add(e.Time[i], i, event)
	}
	for ; ok; s, ok = edges.next() {
		m.add(s.time, s.state, s.kind)
	}
	return m
}
