package engine

// Collective operations in the simulation.

import (
	"slices"

	"pview/sim"
	"pview/sim/engine/clock"
)

// group is a communicator.
type group struct {
	tasks    []int32        // sorted
	joins    [3][]int32     // by class and position in tasks: how many operations the task has joined
	open     [3]clock.Deque // by class: instances that some task has not joined yet, oldest first
	base     [3]int32       // number of the oldest open one
	parts    []part         // by spanned cluster
	last     int            // the part with the highest cluster number, whose WAN latency applies
	clusters []int32        // of parts
	place    []place        // by position in tasks
	// reducer is 1 + the root of the last Reduce, until the next other operation. Dimemas stores it as the
	// communicator's root: an operation without a root takes its sizes from this task, and wakes it last.
	reducer int32
}

// place is the location of a task of a group: a part of the group, and a node of the part.
type place struct{ part, node int32 }

// part is the part of a communicator in one cluster.
type part struct {
	cluster int
	nodes   []groupNode
}

// groupNode is a node with tasks of a group. Dimemas counts the participants of an operation on each node as they
// arrive, and resets the counts when an operation of the group ends, except for a Reduce. So a task that arrives at a
// Reduce, or at an operation while another is in progress, counts in the next one to begin, or is missing from its own.
type groupNode struct{ node, tasks, arrived int }

// joining is the time at which a thread started its part of a non-blocking operation.
type joining struct {
	thread int32
	at     float64
}

// The classes of operations, each matched in its own order.
const (
	blockingClass = iota
	startedClass
	reduceClass
)

// instance is one operation of a communicator.
type instance struct {
	group    int32
	class    uint8
	arrived  []int32 // threads, in order of arrival; only for blocking operations
	n        int     // tasks that have joined
	root     *sim.CollectiveCall
	rootTask int32
	rootAt   int // position of the root in arrived; -1: none
	last     *sim.CollectiveCall
	lastTask int32
	joined   []joining // for non-blocking operations
	largest  int32     // largest size that a task sends or receives, bytes
	complete float64   // when all have joined
	rep      []int32   // by part of the group: its representative task, the first to arrive, or the root; -1: none yet

	times     stageTimes
	start     float64
	waits     int   // of a Reduce: tasks whose part has not reached the root, including the root
	rootWaits int32 // of a Reduce: the root's thread + 1 when it waits
}

// collectives are the collective operations in progress, by communicator.
type collectives struct {
	*engine
	part      sim.Message // of a Reduce, as seen by the network
	groups    []group
	instances []instance
	free      []int32 // instances

	costs        []sim.CollectiveCosts // by cluster
	wanCosts     sim.CollectiveCosts
	clusterNodes []int // by cluster
}

func (cs *collectives) init(e *engine) {
	cs.engine = e
	cs.clusterNodes = make([]int, len(e.m.Clusters))
	for i := range e.m.Nodes {
		cs.clusterNodes[e.m.Nodes[i].Cluster]++
	}
	cs.wanCosts = chargedCosts(e.m.WAN.Collectives, e.rules[sim.CollectiveCharge])
	for i := range e.m.Clusters {
		cs.costs = append(cs.costs, chargedCosts(e.m.Clusters[i].Collectives, e.rules[sim.CollectiveCharge]))
	}
	cs.groups = make([]group, len(cs.p.Communicators))
	for i := range cs.groups {
		g := &cs.groups[i]
		g.tasks = slices.Clone(cs.p.Communicators[i].Tasks)
		slices.Sort(g.tasks)
		g.tasks = slices.Compact(g.tasks)
		for c := range g.joins {
			g.joins[c] = make([]int32, len(g.tasks))
		}
		for _, t := range g.tasks {
			g.place = append(g.place, g.add(int(cs.tasks[t].node), cs.m.Nodes[cs.tasks[t].node].Cluster))
		}
		for k := range g.parts {
			if g.parts[k].cluster > g.parts[g.last].cluster {
				g.last = k
			}
		}
	}
}

// clusters and withinNode describe an operation to the network.

func (cs *collectives) Clusters(in int32) []int32 { return cs.groups[cs.instances[in].group].clusters }

func (cs *collectives) WithinNode(in int32) bool {
	parts := cs.groups[cs.instances[in].group].parts
	return len(parts) == 1 && len(parts[0].nodes) == 1
}

// add counts a task of the group on a node and returns its place.
func (g *group) add(node, cluster int) place {
	at := slices.IndexFunc(g.parts, func(p part) bool { return p.cluster == cluster })
	if at < 0 {
		at = len(g.parts)
		g.parts = append(g.parts, part{cluster: cluster})
		g.clusters = append(g.clusters, int32(cluster))
	}
	p := &g.parts[at]
	// Tasks come in order and so, mostly, do nodes.
	for k := len(p.nodes) - 1; k >= 0; k-- {
		if p.nodes[k].node == node {
			p.nodes[k].tasks++
			return place{int32(at), int32(k)}
		}
	}
	p.nodes = append(p.nodes, groupNode{node: node, tasks: 1})
	return place{int32(at), int32(len(p.nodes) - 1)}
}

// join adds a task to its next operation of a class.
func (cs *collectives) join(t *thread, c *sim.CollectiveCall, class int) int32 {
	gi := c.Communicator
	g := &cs.groups[gi]
	at, _ := slices.BinarySearch(g.tasks, t.task)
	number := g.joins[class][at]
	g.joins[class][at]++
	q := &g.open[class]
	for int(number-g.base[class]) >= q.N {
		q.PushBack(cs.newInstance(gi, uint8(class)))
	}
	in := q.At(int(number - g.base[class]))
	x := &cs.instances[in]
	x.n++
	x.last, x.lastTask = c, t.task
	here := g.place[at]
	g.parts[here.part].nodes[here.node].arrived++
	if x.rep[here.part] < 0 {
		x.rep[here.part] = t.task
	}
	x.largest = max(x.largest, int32(c.Sent), int32(c.Received))
	if cs.isRoot(t, c) {
		x.root, x.rootTask = c, t.task
	}
	if x.n == len(g.tasks) {
		// Operations complete in order: a task that has joined the n-th has joined all earlier ones.
		q.PopFront()
		g.base[class]++
	}
	return in
}

func (cs *collectives) newInstance(gi int32, class uint8) int32 {
	var in int32
	if n := len(cs.free); n > 0 {
		in = cs.free[n-1]
		cs.free = cs.free[:n-1]
	} else {
		cs.instances = append(cs.instances, instance{})
		in = int32(len(cs.instances) - 1)
	}
	x := &cs.instances[in]
	g := &cs.groups[gi]
	rep := x.rep
	if cap(rep) < len(g.parts) {
		rep = make([]int32, len(g.parts))
	}
	rep = rep[:len(g.parts)]
	for k := range rep {
		rep[k] = -1
	}
	*x = instance{group: gi, class: class, arrived: x.arrived[:0], joined: x.joined[:0], rep: rep,
		rootAt: -1, waits: len(g.tasks)}
	return in
}

// isRoot reports whether a task is the root of the operation at its record.
func (cs *collectives) isRoot(t *thread, c *sim.CollectiveCall) bool {
	if c.Op == sim.OpReduce {
		return t.task == c.RootTask
	}
	return c.Root
}

func (e *engine) call(t *thread) *sim.CollectiveCall { return t.src.Call(int(t.pc)) }

// enter blocks the thread until the operation is over.
func (cs *collectives) enter(i int32, t *thread) {
	c := cs.call(t)
	cs.stats[t.task].Collectives++
	in := cs.join(t, c, blockingClass)
	x := &cs.instances[in]
	if cs.isRoot(t, c) {
		x.rootAt = len(x.arrived)
	}
	x.arrived = append(x.arrived, i)
	cs.setState(i, t, sim.StateCollective)
	t.blocked = cs.Now
	cs.maybeBegin(in)
}

// maybeBegin requests the network when all have arrived.
func (cs *collectives) maybeBegin(in int32) {
	x := &cs.instances[in]
	g := &cs.groups[x.group]
	if x.n < len(g.tasks) {
		return
	}
	x.complete = cs.Now
	if cs.net.Occupy(in) {
		cs.Begin(in)
	}
}

// Begin starts the operation: all tasks have arrived, and it has the network.
func (cs *collectives) Begin(in int32) {
	x := &cs.instances[in]
	x.start = cs.Now
	cs.transfers.Waits[x.lastTask].Buses += cs.Now - x.complete
	x.times = cs.duration(x)
	cs.Schedule(cs.Now+x.times.total, clock.CollectiveDone, in)
}

// duration returns the duration of an operation.
func (cs *collectives) duration(x *instance) stageTimes {
	g := &cs.groups[x.group]
	if x.root == nil && g.reducer > 0 {
		cs.takeReducer(x, g.reducer-1)
	}
	c, root := x.root, x.rootTask
	if c == nil {
		c, root = x.last, x.lastTask
	}
	at, _ := slices.BinarySearch(g.tasks, root)
	x.rep[g.place[at].part] = root
	sent, received := int32(c.Sent), int32(c.Received)
	if cs.rules[sim.CollectiveParticipants] == sim.ParticipantsTasks {
		return cs.flatTime(x, c.Op, sent, received)
	}
	return cs.stagedTime(x, c.Op, sent, received)
}

// takeReducer makes a task the root of an operation without one.
func (cs *collectives) takeReducer(x *instance, task int32) {
	for k, i := range x.arrived {
		if t := &cs.threads[i]; t.task == task {
			x.root, x.rootTask, x.rootAt = cs.call(t), task, k
		}
	}
}

// charge returns the duration of an operation on a network.
func (cs *collectives) charge(x *instance, cost *sim.CollectiveCost, n stageNetwork, sent, received int32) stageTimes {
	n.linearAll = cs.rules[sim.CollectiveLinear] == sim.LinearAll
	if *cost == onePhase {
		sent, received, n.buses = x.largest, x.largest, 0
	}
	return n.time(cost, sent, received)
}

// stagedTime returns the sum of the times of an operation within nodes, between nodes, and between clusters.
func (cs *collectives) stagedTime(x *instance, op sim.CollectiveOp, sent, received int32) stageTimes {
	g := &cs.groups[x.group]
	var longest stageTimes
	for k := range g.parts {
		p := &g.parts[k]
		t := cs.nodesTime(x, p, op, sent, received)
		if n := p.arrived(); n > 0 && cs.clusterNodes[p.cluster] > 1 {
			t = t.plus(cs.charge(x, &cs.costs[p.cluster][op], cs.clusterStage(p.cluster, n, x.rep[k]), sent, received))
		}
		if k == 0 || t.total+t.latency > longest.total+longest.latency {
			longest = t
		}
	}
	if len(g.parts) > 1 {
		longest = longest.plus(cs.charge(x, &cs.wanCosts[op], cs.wanStage(len(g.tasks), x.rep[g.last]), sent,
			received))
		longest.total += cs.flights(g)
	}
	return longest
}

// nodesTime returns the time of the slowest node.
func (cs *collectives) nodesTime(x *instance, p *part, op sim.CollectiveOp, sent, received int32) (longest stageTimes) {
	for _, gn := range p.nodes {
		if gn.arrived == 0 {
			continue
		}
		t := cs.charge(x, &cs.costs[p.cluster][op], cs.nodeStage(gn.node, gn.arrived), sent, received)
		if t.total+t.latency > longest.total+longest.latency {
			longest = t
		}
	}
	return longest
}

// arrived returns the number of nodes with a participant that has arrived.
func (p *part) arrived() (n int) {
	for i := range p.nodes {
		if p.nodes[i].arrived > 0 {
			n++
		}
	}
	return n
}

// forget resets the counts of arrivals.
func (g *group) forget() {
	g.reducer = 0
	for k := range g.parts {
		nodes := g.parts[k].nodes
		for i := range nodes {
			nodes[i].arrived = 0
		}
	}
}

// flatTime returns the time of an operation among tasks by the costs of the widest network between them.
func (cs *collectives) flatTime(x *instance, op sim.CollectiveOp, sent, received int32) stageTimes {
	g := &cs.groups[x.group]
	p := &g.parts[0]
	switch {
	case len(g.parts) > 1:
		t := cs.charge(x, &cs.wanCosts[op], cs.wanStage(len(g.tasks), x.rep[g.last]), sent, received)
		t.total += cs.flights(g)
		return t
	case len(p.nodes) > 1:
		return cs.charge(x, &cs.costs[p.cluster][op], cs.clusterStage(p.cluster, len(g.tasks), x.rep[0]), sent,
			received)
	}
	return cs.charge(x, &cs.costs[p.cluster][op], cs.nodeStage(p.nodes[0].node, len(g.tasks)), sent, received)
}

// nodeStage, clusterStage and wanStage are the networks of a stage among p participants; the latency is the one of the
// representative task's node.

func (cs *collectives) nodeStage(node, p int) stageNetwork {
	n := &cs.m.Nodes[node]
	return stageNetwork{participants: p, latency: cs.rng.Drawn(sim.VaryLocalLatency, n.Local.Latency),
		nsPerByte: cs.rng.PerByteOf(sim.VaryLocalBandwidth, n.Local.Bandwidth, cs.localPerByte[node]),
		model:     cs.m.Clusters[n.Cluster].Model}
}

func (cs *collectives) clusterStage(cluster, p int, task int32) stageNetwork {
	c := &cs.m.Clusters[cluster]
	return stageNetwork{participants: p, buses: c.Buses,
		latency:   cs.rng.Drawn(sim.VaryLatency, cs.m.Nodes[cs.tasks[task].node].Latency),
		nsPerByte: cs.rng.PerByteOf(sim.VaryBandwidth, c.Bandwidth, cs.netPerByte[cluster]), model: c.Model}
}

func (cs *collectives) wanStage(p int, task int32) stageNetwork {
	return stageNetwork{participants: p,
		latency: cs.rng.Drawn(sim.VaryWANLatency, cs.m.Nodes[cs.tasks[task].node].WANLatency),
		nsPerByte: cs.rng.PerByteOf(sim.VaryWANBandwidth, cs.m.WAN.Bandwidth,
			sim.NsPerByte(cs.m.WAN.Bandwidth)), model: cs.m.WAN.Model}
}

// flights is twice the longest flight between the group's clusters: in and out.
func (cs *collectives) flights(g *group) float64 {
	longest := 0.0
	for _, a := range g.parts {
		for _, b := range g.parts {
			if f := cs.m.Clusters[a.cluster].Flight; f != nil {
				longest = max(longest, f[b.cluster])
			}
		}
	}
	return 2 * longest
}

func (cs *collectives) done(in int32) {
	x := &cs.instances[in]
	cs.net.Vacate(in)
	cs.groups[x.group].forget()
	if x.class == startedClass {
		cs.startedDone(in)
		return
	}
	if r := x.rootAt; r >= 0 {
		root := x.arrived[r]
		copy(x.arrived[r:], x.arrived[r+1:])
		x.arrived[len(x.arrived)-1] = root
	}
	work := sim.StateCollective
	if cs.rules[sim.StateNumbers] == sim.StatesThesis {
		work = sim.StateCollectiveWork
	}
	start, started := wholeNS(x.start), wholeNS(x.start+x.times.latency)
	for _, i := range x.arrived {
		t := &cs.threads[i]
		cs.tasks[t.task].blockedColl += x.start - t.blocked
		cs.tasks[t.task].inColl += cs.Now - x.start
		cs.setStateAt(i, t, sim.StateStartup, start)
		cs.setStateAt(i, t, work, started)
		cs.records.proceed(i, t, true)
	}
	cs.free = append(cs.free, in)
}

// startup returns the latency that a task pays for starting or waiting for a non-blocking
// operation: the largest that applies, in whole nanoseconds.
func (cs *collectives) startup(t *thread, c *sim.CollectiveCall) float64 {
	n := &cs.m.Nodes[t.node]
	g := &cs.groups[c.Communicator]
	latency := 0.0
	nodes := 0
	for k := range g.parts {
		nodes += len(g.parts[k].nodes)
		for _, gn := range g.parts[k].nodes {
			if gn.tasks > 1 {
				latency = max(latency, cs.rng.Drawn(sim.VaryLocalLatency, n.Local.Latency))
			}
		}
	}
	if nodes > 1 {
		latency = max(latency, cs.rng.Drawn(sim.VaryLatency, n.Latency))
	}
	if len(g.parts) > 1 {
		latency = max(latency, cs.rng.Drawn(sim.VaryWANLatency, n.WANLatency))
	}
	return float64(int64(latency))
}

func (cs *collectives) start(i int32, t *thread) {
	c := cs.call(t)
	if !t.started && cs.records.startup(i, t, cs.startup(t, c)) {
		return
	}
	cs.stats[t.task].Collectives++
	t.background++
	cs.records.resume(i, t) // before the operation, as in Dimemas
	in := cs.join(t, c, startedClass)
	cs.instances[in].joined = append(cs.instances[in].joined, joining{i, cs.Now})
	cs.maybeBegin(in)
}

// startedDone completes a non-blocking operation. A waiting thread continues, regardless of which of its operations it
// waits for: Dimemas only counts them.
func (cs *collectives) startedDone(in int32) {
	x := &cs.instances[in]
	for _, j := range x.joined {
		t := &cs.threads[j.thread]
		cs.tasks[t.task].blockedColl += x.start - j.at
		cs.tasks[t.task].inColl += cs.Now - x.start
		t.background--
		if t.awaitsOp {
			t.awaitsOp = false
			cs.records.proceed(j.thread, t, true)
		} else {
			t.over++
		}
	}
	cs.free = append(cs.free, in)
}

func (cs *collectives) wait(i int32, t *thread) {
	if !t.started && cs.records.startup(i, t, cs.startup(t, cs.call(t))) {
		return
	}
	cs.stats[t.task].Collectives++
	switch {
	case t.over > 0:
		t.over--
		cs.records.proceed(i, t, false)
	case t.background > 0:
		t.awaitsOp = true
		cs.setState(i, t, sim.StateReady)
	default: // nothing was started
		cs.records.proceed(i, t, false)
	}
}

// reduce: each task except the root sends its part to the root and waits for its arrival; the root waits for all parts.
func (cs *collectives) reduce(i int32, t *thread) {
	c := cs.call(t)
	if !t.started && cs.records.startup(i, t, cs.startup(t, c)) {
		return
	}
	cs.stats[t.task].Collectives += 2 // as in Dimemas
	t.blocked = cs.Now
	in := cs.join(t, c, reduceClass)
	x := &cs.instances[in]
	if t.task == c.RootTask {
		cs.groups[c.Communicator].reducer = t.task + 1
		if x.waits == 1 {
			cs.free = append(cs.free, in)
			cs.records.resume(i, t)
			return
		}
		x.rootWaits = i + 1
		cs.setState(i, t, sim.StateReady)
		return
	}
	cs.setState(i, t, sim.StateReady)
	n := cs.transfers.Add()
	tr := &cs.transfers.List[n]
	tr.Sender, tr.From, tr.To, tr.Size = i, t.task, c.RootTask, c.Sent
	tr.Linked, tr.Instance = -1, in
	cs.part.Size = c.Sent
	cs.net.Plan(tr, &cs.part)
	cs.net.Request(n)
}

// reduceArrived: a part has reached the root, which continues before the sender if it was the last.
func (cs *collectives) reduceArrived(n int32) {
	tr := &cs.transfers.List[n]
	in, i := tr.Instance, tr.Sender
	cs.transfers.Free = append(cs.transfers.Free, n)
	x := &cs.instances[in]
	if x.waits--; x.waits == 1 && x.rootWaits > 0 {
		cs.free = append(cs.free, in)
		cs.endReduce(x.rootWaits - 1)
	}
	cs.endReduce(i)
}

func (cs *collectives) endReduce(i int32) {
	t := &cs.threads[i]
	cs.tasks[t.task].inColl += cs.Now - t.blocked
	cs.records.proceed(i, t, true)
}
