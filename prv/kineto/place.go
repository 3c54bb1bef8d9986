package kineto

// From files to tasks and threads, nodes and devices.

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pview/prv"
	"pview/prv/extrae/device"
)

// task is a file of the profiler, or a process of another tool.
type task struct {
	*file
	rows    []int32 // threads of the host
	streams []int32
	cpus    []int32 // by stream of streams
	metrics []int32 // rows with only counters
	name    string
	node    int32
	first   int32 // thread
	number  int32
}

// tasksOf returns the tasks of a file.
func tasksOf(f *file) (list []*task) {
	if f.profiler {
		t := &task{file: f, name: cmp.Or(f.title, "rank "+strconv.FormatInt(f.rank, 10))}
		if f.unread {
			t.rows, f.threads["\x00"] = []int32{0}, t.name
			return []*task{t}
		}
		for i := range f.rows {
			t.addRow(int32(i))
		}
		t.order()
		return []*task{t}
	}
	of := map[string]*task{}
	for i := range f.rows {
		process := f.rows[i].process
		t := of[process]
		if t == nil {
			t = &task{file: f, name: cmp.Or(f.processes[process], "process "+process)}
			of[process] = t
			list = append(list, t)
		}
		t.addRow(int32(i))
	}
	list = slices.DeleteFunc(list, func(t *task) bool { return len(t.rows)+len(t.metrics) == 0 })
	for _, t := range list {
		t.order()
	}
	slices.SortFunc(list, func(x, y *task) int { return compareIDs(x.process(), y.process()) })
	return list
}

// process returns the process number of a task of another tool.
func (t *task) process() string { return t.file.rows[slices.Concat(t.rows, t.metrics)[0]].process }

// compareIDs orders process and thread numbers, which may be texts.
func compareIDs(x, y string) int {
	a, errA := strconv.ParseInt(x, 10, 64)
	b, errB := strconv.ParseInt(y, 10, 64)
	if errA == nil && errB == nil {
		return cmp.Compare(a, b)
	}
	return strings.Compare(x, y)
}

// addRow adds a row of the file, if it has records.
func (t *task) addRow(i int32) {
	r := &t.file.rows[i]
	counters := func(p point) bool { return p.kind >= counterPoint }
	switch {
	case r.apart:
		if len(r.spans)+len(r.events) > 0 {
			t.metrics = append(t.metrics, i)
		}
	case len(r.spans) > 0 || len(r.events) > 0 || len(r.points) > 0 && !slices.ContainsFunc(r.points, counters):
		t.rows = append(t.rows, i)
	case len(r.points) > 0:
		t.metrics = append(t.metrics, i)
	}
}

// order puts the main thread first: the one of the iterations, else the one with the most time in functions; then the
// others by their first record. Streams are in the order of their numbers. Counters of a process are on its main
// thread, unless it is a device.
func (t *task) order() {
	type key struct{ steps, time, first int64 }
	keys := map[int32]key{}
	for _, i := range t.rows {
		r := &t.file.rows[i]
		k := key{first: 1<<63 - 1}
		until := int64(-1 << 62)
		for _, s := range r.spans {
			if k.first = min(k.first, s.begin); s.class == step {
				k.steps++
			}
			if s.begin >= until {
				k.time += s.end - s.begin
				until = s.end
			}
		}
		for _, p := range r.points {
			k.first = min(k.first, p.time)
		}
		if r.thread == asyncThread {
			k.time, k.first = -1, 1<<63-1
		}
		keys[i] = k
	}
	ids := func(x, y int32) int {
		a, b := &t.file.rows[x], &t.file.rows[y]
		return cmp.Or(compareIDs(a.process, b.process), compareIDs(a.thread, b.thread))
	}
	slices.SortFunc(t.rows, func(x, y int32) int {
		return cmp.Or(cmp.Compare(keys[x].first, keys[y].first), ids(x, y))
	})
	main := 0
	for n, i := range t.rows {
		a, b := keys[i], keys[t.rows[main]]
		if cmp.Or(cmp.Compare(a.steps, b.steps), cmp.Compare(a.time, b.time)) > 0 {
			main = n
		}
	}
	if main > 0 {
		i := t.rows[main]
		t.rows = slices.Insert(slices.Delete(t.rows, main, main+1), 0, i)
	}
	if t.profiler {
		used := make([]bool, len(t.file.streams))
		for i := range t.work {
			used[t.work[i].stream] = true
		}
		for i := range used {
			if used[i] {
				t.streams = append(t.streams, int32(i))
			}
		}
		slices.SortFunc(t.streams, func(x, y int32) int {
			a, b := t.file.streams[x], t.file.streams[y]
			return cmp.Or(cmp.Compare(a.Device, b.Device), cmp.Compare(a.Number, b.Number))
		})
	}
	slices.SortFunc(t.metrics, ids)
	t.metrics = slices.DeleteFunc(t.metrics, func(i int32) bool {
		r := &t.file.rows[i]
		if r.apart {
			return false
		}
		for _, host := range t.rows {
			if h := &t.file.rows[host]; h.process == r.process {
				h.points = append(h.points, r.points...)
				slices.SortStableFunc(h.points, func(x, y point) int { return cmp.Compare(x.time, y.time) })
				return true
			}
		}
		return false
	})
}

// threads returns the number of threads of a task.
func (t *task) threads() int { return len(t.rows) + len(t.streams) + len(t.metrics) }

// rowName returns the name of a thread of the host.
func (t *task) rowName(i int32) string {
	r := &t.file.rows[i]
	if name := t.file.threads[r.process+"\x00"+r.thread]; name != "" {
		return name
	}
	if r.thread == asyncThread {
		return asyncThread
	}
	return strings.TrimSpace("thread " + r.thread)
}

// metricsName returns the name of a row of counters.
func (t *task) metricsName(i int32) string {
	if r := &t.file.rows[i]; r.apart {
		return r.thread
	}
	process := t.file.rows[i].process
	if strings.HasPrefix(t.labels[process], "GPU") {
		return "Metrics GPU" + process
	}
	return strings.TrimSpace("Metrics " + process)
}

// devices returns the numbers of the devices of a task, in order.
func (t *task) devices() (list []int) {
	for _, i := range t.streams {
		list = append(list, t.file.streams[i].Device)
	}
	return slices.Compact(list)
}

// stream returns a stream of the task.
func (t *task) stream(i int32) device.Stream {
	s := t.file.streams[i]
	s.Kind = t.kind
	return s
}

// place makes the resources: nodes by the names of their hosts; without names, a node begins where the device number
// does not increase. A device is a CPU of its node.
func (b *builder) place() {
	h := prv.Header{Unit: prv.Nanoseconds, End: b.end}
	type node struct {
		host    string
		devices []int
	}
	var nodes []node
	last := -1
	for _, t := range b.tasks {
		if t.unread {
			t.node = int32(max(len(nodes)-1, 0))
			continue
		}
		devices := t.devices()
		at := -1
		if t.host != "" {
			at = slices.IndexFunc(nodes, func(n node) bool { return n.host == t.host })
		} else if len(nodes) > 0 && (len(devices) == 0 || devices[0] > last) {
			at = len(nodes) - 1
		}
		if at < 0 {
			at = len(nodes)
			nodes = append(nodes, node{host: t.host})
			b.inferred = b.inferred || t.host == ""
		}
		n := &nodes[at]
		n.devices = append(n.devices, devices...)
		if len(devices) > 0 {
			last = devices[len(devices)-1]
		}
		t.node = int32(at)
	}
	b.inferred = b.inferred && len(nodes) > 1
	for i := range nodes {
		n := &nodes[i]
		slices.Sort(n.devices)
		n.devices = slices.Compact(n.devices)
		h.AddNode(max(1, len(n.devices)))
		b.names.Levels[prv.LevelNode] = append(b.names.Levels[prv.LevelNode], n.host)
		if len(n.devices) == 0 {
			b.names.Levels[prv.LevelCPU] = append(b.names.Levels[prv.LevelCPU], "")
		}
		for _, d := range n.devices {
			b.names.Levels[prv.LevelCPU] = append(b.names.Levels[prv.LevelCPU], fmt.Sprintf("GPU %d", d))
		}
	}
	h.AddPtask()
	for _, f := range b.files {
		f.hostThread = slices.Repeat([]int32{-1}, len(f.rows))
	}
	for i, t := range b.tasks {
		t.number, t.first = int32(i), int32(len(h.ThreadTask))
		h.AddTask(t.threads(), int(t.node))
		b.names.Levels[prv.LevelTask] = append(b.names.Levels[prv.LevelTask], t.name)
		add := func(name string) {
			b.names.Levels[prv.LevelThread] = append(b.names.Levels[prv.LevelThread], prv.Clean(name))
		}
		for k, i := range t.rows {
			t.hostThread[i] = t.first + int32(k)
			add(t.rowName(i))
		}
		for _, i := range t.streams {
			add(t.stream(i).String())
			n := nodes[t.node]
			k, _ := slices.BinarySearch(n.devices, t.file.streams[i].Device)
			t.cpus = append(t.cpus, h.Nodes[t.node].FirstCPU+int32(k))
		}
		for _, i := range t.metrics {
			add(t.metricsName(i))
		}
	}
	h.Communicators = b.communicators()
	b.out = prv.NewBuilder(h)
}
