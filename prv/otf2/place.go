package otf2

// The objects of the trace: tasks of threads on nodes, and communicators.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pview/prv"
	"pview/prv/model"
)

// location is a location of the archive: a thread, or a source of metrics.
type location struct {
	*locationDef
	number int
	thread int32 // the thread with its events
	task   int32
	own    bool // it is a thread; otherwise its metrics go to one
	scan
}

// archive collects the properties of an archive that the second reading needs.
type archive struct {
	*anchor
	*definitions
	*regions
	locs   []location
	byID   *ids // locations
	header prv.Header
	names  *prv.Names
	cpus   []int32 // by thread
	ranks  []commRanks
	comms  commNumbers
	metrics
	zero   int64   // ticks
	finish int64   // ns
	forks  []forks // by task
	faults []fault // of the definitions
	notes  []prv.Note
	texts  texts
	isPart bool // only the first events are read: see showPart
	// samplers has the numbers of regions that are callers of samples.
	samplers map[int32]int64
}

// place makes the tasks and threads. A process of the archive is a task; MPI's processes come first, by their ranks.
func (a *archive) place() error {
	a.byID = idsOf(a.locations, func(l *locationDef) uint64 { return l.id })
	a.locs = make([]location, len(a.locations))
	for i := range a.locs {
		a.locs[i] = location{locationDef: &a.locations[i], number: i}
	}
	p := placer{archive: a, taskOf: map[uint32]int{}}
	p.addTasks()
	p.addStreams()
	if len(p.tasks) == 0 {
		return &prv.FileError{File: a.base + ".def", Why: "has no location with events of a program"}
	}
	p.number()
	p.attachMetrics()
	return nil
}

// placer places the locations of an archive.
type placer struct {
	*archive
	tasks  []placedTask
	taskOf map[uint32]int // by location group
}

type placedTask struct {
	group   uint32
	threads []int32 // locations
	node    uint32
}

// task returns the task of a location group, which it adds if necessary.
func (p *placer) task(group uint32) *placedTask {
	k, ok := p.taskOf[group]
	if !ok {
		k = len(p.tasks)
		p.taskOf[group] = k
		p.tasks = append(p.tasks, placedTask{group: group, node: p.nodeOf(group)})
	}
	return &p.tasks[k]
}

// addTasks adds the tasks and their CPU threads.
func (p *placer) addTasks() {
	isCPU := func(l *location) bool { return l.kind <= cpuThread && !p.isStream(l) }
	first := map[int32]bool{}
	for _, id := range p.lists[paradigmMPI] {
		k := p.byID.find(id)
		if k < 0 || first[k] || !isCPU(&p.locs[k]) {
			continue
		}
		first[k] = true
		t := p.task(p.locs[k].group)
		t.threads = append(t.threads, k)
	}
	var rest []int32
	for i := range p.locs {
		if l := &p.locs[i]; isCPU(l) && !first[int32(i)] {
			p.task(l.group)
			rest = append(rest, int32(i))
		}
	}
	slices.SortStableFunc(rest, func(x, y int32) int { return cmp.Compare(p.locs[x].id, p.locs[y].id) })
	for _, k := range rest {
		t := p.task(p.locs[k].group)
		t.threads = append(t.threads, k)
	}
}

// addStreams adds the accelerator streams to the task that created their context, else to the only one of the node,
// else to the first one. If there are no tasks, a stream's location group becomes one.
func (p *placer) addStreams() {
	for i := range p.locs {
		l := &p.locs[i]
		if !p.isStream(l) {
			continue
		}
		if len(p.tasks) == 0 {
			p.task(l.group)
		}
		t := &p.tasks[p.ownerOf(l.group)]
		t.threads = append(t.threads, int32(i))
	}
}

// ownerOf returns the task that a location group without CPU threads belongs to.
func (p *placer) ownerOf(group uint32) int {
	if k, ok := p.taskOf[group]; ok {
		return k
	}
	if set := p.set(group); set != nil {
		if k, ok := p.taskOf[set.creator]; ok {
			return k
		}
	}
	node, found := p.nodeOf(group), -1
	for k := range p.tasks {
		if p.tasks[k].node != node {
			continue
		}
		if found >= 0 {
			return 0
		}
		found = k
	}
	return max(found, 0)
}

// nodeOf returns the node of the system tree that a location group runs on: the nearest one upwards that has shared
// memory or is called a node; else the group's own.
func (p *placer) nodeOf(group uint32) uint32 {
	set := p.set(group)
	if set == nil {
		return undefined
	}
	at := set.node
	for range len(p.nodes) + 1 { // at most the greatest depth of the tree
		n, ok := p.nodes[at]
		if !ok {
			break
		}
		if kind := strings.ToLower(p.strings[n.class]); p.shared[at] || kind == "node" || kind == "host" {
			return at
		}
		at = n.parent
	}
	return set.node
}

// number makes the header and the names.
func (p *placer) number() {
	h := &p.header
	h.Unit = prv.Nanoseconds
	h.AddPtask()
	nodes := map[uint32]int{}
	var order []uint32
	var cpus []int
	for _, t := range p.tasks {
		k, ok := nodes[t.node]
		if !ok {
			k = len(order)
			nodes[t.node] = k
			order, cpus = append(order, t.node), append(cpus, 0)
		}
		cpus[k] += len(t.threads)
	}
	p.names = &prv.Names{}
	for k, node := range order {
		h.AddNode(cpus[k])
		name := p.text(p.nodes[node].name)
		if name == "" {
			name = fmt.Sprintf("NODE %d", k+1)
		}
		p.names.Levels[prv.LevelNode] = append(p.names.Levels[prv.LevelNode], name)
	}
	used := make([]int32, len(order))
	for task, t := range p.tasks {
		node := nodes[t.node]
		h.AddTask(len(t.threads), node)
		p.names.Levels[prv.LevelTask] = append(p.names.Levels[prv.LevelTask], p.taskName(task))
		for _, k := range t.threads {
			l := &p.locs[k]
			l.task, l.thread, l.own = int32(task), int32(len(p.cpus)), true
			p.cpus = append(p.cpus, h.Nodes[node].FirstCPU+used[node])
			used[node]++
		}
	}
	p.names.Levels[prv.LevelThread] = p.threadNames()
}

func (p *placer) taskName(task int) string {
	if set := p.set(p.tasks[task].group); set != nil {
		if name := p.text(set.name); name != "" {
			return name
		}
	}
	return fmt.Sprintf("Process %d", task)
}

// threadNames returns the names of the locations; if others have the same name, with their place in the run.
func (p *placer) threadNames() []string {
	count := map[string]int{}
	for i := range p.locs {
		if p.locs[i].own {
			count[p.text(p.locs[i].name)]++
		}
	}
	list := make([]string, len(p.cpus))
	for task, t := range p.tasks {
		for i, k := range t.threads {
			name := p.text(p.locs[k].name)
			if name == "" || count[name] > 1 {
				name = strings.TrimSpace(fmt.Sprintf("%s %d.%d", name, task, i))
			}
			list[p.locs[k].thread] = name
		}
	}
	return list
}

// isStream reports whether a location is a stream of an accelerator.
func (a *archive) isStream(l *location) bool {
	if l.kind == accelerator || l.kind == metricOnly {
		return l.kind == accelerator
	}
	set := a.set(l.group)
	return set != nil && set.kind == acceleratorContext
}

// attachMetrics finds a thread for each metrics-only location: the first of its process, else of the first process on
// the node.
func (p *placer) attachMetrics() {
	for i := range p.locs {
		l := &p.locs[i]
		if l.own {
			continue
		}
		k, ok := p.taskOf[l.group]
		if !ok {
			node := p.nodeOf(l.group)
			if k = slices.IndexFunc(p.tasks, func(t placedTask) bool { return t.node == node }); k < 0 {
				k = 0
			}
		}
		l.task, l.thread = int32(k), p.locs[p.tasks[k].threads[0]].thread
	}
}

// commRanks are the tasks of the ranks of a communicator.
type commRanks struct {
	self  bool    // a communicator per process
	tasks []int32 // by rank; -1: no process
	other []int32 // of the second group of an inter-communicator
	known bool
}

// findRanks finds the tasks of the ranks of all communicators.
func (a *archive) findRanks() {
	a.ranks = make([]commRanks, len(a.definitions.comms))
	for i := range a.ranks {
		c, r := &a.definitions.comms[i], &a.ranks[i]
		if c.inter {
			x, y := a.groups[c.a], a.groups[c.b]
			if r.known = x != nil && y != nil; r.known {
				r.tasks, r.other = a.tasksOf(x), a.tasksOf(y)
			}
			continue
		}
		g := a.groups[c.group]
		if g == nil {
			continue
		}
		r.known, r.self = true, g.kind == selfGroup
		if !r.self {
			r.tasks = a.tasksOf(g)
		}
	}
}

// tasksOf returns the tasks of the members of a group.
func (a *archive) tasksOf(g *groupDef) (list []int32) {
	world := a.lists[g.paradigm]
	locate := func(id uint64) int32 {
		if k := a.byID.find(id); k >= 0 {
			return a.locs[k].task
		}
		return -1
	}
	switch {
	case g.kind == ranks && g.flags&1 != 0:
		for _, id := range world {
			list = append(list, locate(id))
		}
	case g.kind == ranks:
		for _, m := range g.members {
			task := int32(-1)
			if m < uint64(len(world)) {
				task = locate(world[m])
			}
			list = append(list, task)
		}
	default:
		for _, id := range g.members {
			list = append(list, locate(id))
		}
	}
	return list
}

// peer returns the task of a rank as seen by a task, -1 if there is no such process.
func (r *commRanks) peer(rank uint32, task int32) int32 {
	if r.self {
		return task
	}
	list := r.tasks
	if r.other != nil && slices.Contains(r.tasks, task) {
		list = r.other
	}
	if uint64(rank) >= uint64(len(list)) {
		return -1
	}
	return list[rank]
}

// commNumbers has the numbers of communicators in the trace.
type commNumbers struct {
	number []int64 // by communicator; 0: unused. A self communicator has number + t for task t
	labels []prv.ValueLabel
}

// numberComms numbers the communicators that events use: MPI_COMM_WORLD is 1, the others follow in the order of
// definition.
func (a *archive) numberComms(used []bool) {
	n := &a.comms
	n.number = make([]int64, len(a.ranks))
	world := -1
	for i := range a.ranks {
		c := &a.definitions.comms[i]
		if c.inter || !a.isMPI(c) || a.ranks[i].self || len(a.ranks[i].tasks) == 0 {
			continue
		}
		if strings.HasPrefix(a.text(c.name), "MPI_COMM_WORLD") {
			world = i
			break
		}
		if world < 0 || len(a.ranks[i].tasks) > len(a.ranks[world].tasks) {
			world = i
		}
	}
	if world >= 0 {
		a.addComm(world)
	}
	for i, is := range used {
		if is && i != world && a.isMPI(&a.definitions.comms[i]) {
			a.addComm(i)
		}
	}
}

// isMPI reports whether a communicator is one of MPI.
func (a *archive) isMPI(c *commDef) bool {
	g := a.groups[c.group]
	if c.inter {
		g = a.groups[c.a]
	}
	return g != nil && g.paradigm == paradigmMPI
}

// addComm gives a communicator the next number; a self communicator one for each task.
func (a *archive) addComm(i int) {
	r, name := &a.ranks[i], a.text(a.definitions.comms[i].name)
	if name == "" {
		name = fmt.Sprintf("communicator %d", a.definitions.comms[i].id)
	}
	next := func() int64 { return int64(len(a.comms.labels)) + 1 }
	a.comms.number[i] = next()
	add := func(tasks []int32) {
		var b strings.Builder
		size := 0
		for _, t := range tasks {
			if t >= 0 {
				fmt.Fprintf(&b, ":%d", t+1)
				size++
			}
		}
		a.header.Communicators = append(a.header.Communicators,
			model.Communicator{Text: fmt.Sprintf("c:1:%d:%d%s", next(), size, b.String())})
		a.comms.labels = append(a.comms.labels, prv.ValueLabel{Value: next(), Label: name})
	}
	switch {
	case r.self:
		for t := range a.header.Tasks {
			add([]int32{int32(t)})
		}
	case r.other != nil:
		add(append(slices.Clone(r.tasks), r.other...))
	default:
		add(r.tasks)
	}
}

// commNumber returns the number in the trace of a communicator as seen by a task; 0 if it has none.
func (a *archive) commNumber(comm, task int32) int64 {
	if comm < 0 {
		return 0
	}
	n := a.comms.number[comm]
	if n > 0 && a.ranks[comm].self {
		n += int64(task)
	}
	return n
}
