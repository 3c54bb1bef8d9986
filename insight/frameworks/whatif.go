package frameworks

// Programs for the simulator that follow a model, to check its numbers.

import (
	"context"
	"math"

	"pview/insight/frameworks/role"
	"pview/prv"
	"pview/sim"
	"pview/sim/engine"
)

// Message tags in a model's program.
const (
	tagTask = iota + 1
	tagResult
	tagItem
	tagDone
)

// newProgram has a task for each process, on its own node.
func newProgram(name string, tasks int) *sim.Program {
	p := &sim.Program{Name: name}
	p.AddPtask()
	for range tasks {
		p.AddTask(1)
	}
	return p
}

// machine returns a network as the models assume it: start-up and bandwidth, a link out and one in for each node, no
// contention elsewhere.
func (l Link) machine(p *sim.Program) (*sim.Machine, sim.Rules) {
	m := sim.IdealFor(p)
	for i := range m.Nodes {
		n := &m.Nodes[i]
		n.Latency, n.Links = l.M0, sim.Links{In: 1, Out: 1}
		n.Local.Latency, n.Local.Links = l.M0, sim.Links{In: 1, Out: 1}
		n.Local.Bandwidth = l.bandwidth()
	}
	for i := range m.Clusters {
		m.Clusters[i].Bandwidth = l.bandwidth()
	}
	m.EagerSends = true
	var rules sim.Rules
	rules[sim.ReceiverLatency] = sim.ReceiverFree // a message costs its start-up once
	if l.Protocol == role.Sync {
		rules[sim.BlockingSend] = sim.SendSynchronous
	}
	return m, rules
}

// bandwidth in MB/s of 2^20 bytes; 0 is infinite.
func (l Link) bandwidth() float64 {
	if l.PerByte <= 0 {
		return 0
	}
	return 1e9 / l.PerByte / (1 << 20)
}

// bytes rounds the size of a message.
func bytes(v float64) int64 { return int64(math.Round(max(0, v))) }

// Work is the work of a chunk in a program.
type Work struct {
	Compute, Given, Returned float64
}

// farmProgram returns a master, task 0, that hands out the chunks of each iteration in the order of a dispatch.
func farmProgram(workers, iterations int, master float64, d *Dispatched, work []Work) (*sim.Program, error) {
	p := newProgram("master/worker", workers+1)
	for range iterations {
		boss := &p.Threads[0]
		if master > 0 {
			boss.AddCompute(master)
		}
		for _, t := range d.Order {
			w, k := &p.Threads[1+t.Worker], &work[t.Chunk]
			peer := int32(1 + t.Worker)
			if t.Answer {
				boss.AddMessage(sim.Recv, sim.Message{Size: bytes(k.Returned), Tag: tagResult, Peer: peer})
				continue
			}
			boss.AddMessage(sim.Send, sim.Message{Size: bytes(k.Given), Tag: tagTask, Peer: peer})
			w.AddMessage(sim.Recv, sim.Message{Size: bytes(k.Given), Tag: tagTask})
			w.AddCompute(k.Compute)
			w.AddMessage(sim.Send, sim.Message{Size: bytes(k.Returned), Tag: tagResult})
		}
	}
	return p, p.Link()
}

// Simulated is a simulated run of a model.
type Simulated struct {
	Time  float64    // of an iteration, or of an item
	Trace *prv.Trace // if asked for
}

// Simulate runs an iteration with n workers and equal shares, one chunk each.
func (f *Farm) Simulate(ctx context.Context, n int, trace bool) (*Simulated, error) {
	v, c := f.At(n)
	x := float64(n)
	work := make([]Work, n)
	tasks, chunks := make([]float64, n), make([]int, n)
	for i := range work {
		work[i] = Work{Compute: c / x, Given: f.Given * v / x, Returned: (1 - f.Given) * v / x}
		tasks[i], chunks[i] = c/x, 1
	}
	d, err := dispatch(tasks, chunks, n, Service{Link: f.Link, Given: work[0].Given, Returned: work[0].Returned,
		SendsFirst: true, Master: f.Master})
	if err != nil {
		return nil, err
	}
	return f.play(ctx, n, 1, d, work, trace)
}

func (f *Farm) play(ctx context.Context, n, iterations int, d *Dispatched, work []Work, trace bool) (*Simulated,
	error) {
	p, err := farmProgram(n, iterations, f.Master, d, work)
	if err != nil {
		return nil, err
	}
	m, rules := f.machine(p)
	r, err := engine.Run(ctx, p, m, sim.Options{Rules: rules, Trace: trace})
	if err != nil {
		return nil, err
	}
	return &Simulated{Time: float64(r.Total) / float64(iterations), Trace: r.Trace}, nil
}

// processes are a pipeline's tasks in a program.
type processes struct {
	head []int32   // of each stage: the task that takes items in
	crew [][]int32 // and those that compute and send them on
}

// place numbers the tasks of the pipeline from base and returns the number after the last.
func (p *Pipeline) place(base int32) (at processes, next int32) {
	n := base
	for i := range p.Stages {
		crew := []int32{n}
		at.head = append(at.head, n)
		n++
		if r := len(p.Stages[i].Replicas); r > 0 {
			crew = crew[:0]
			for range r {
				crew = append(crew, n)
				n++
			}
		}
		at.crew = append(at.crew, crew)
	}
	return at, n
}

// program returns the pipeline with items passing through.
func (p *Pipeline) program(items int) (*sim.Program, error) {
	at, n := p.place(0)
	prog := newProgram("pipeline", int(n))
	p.pass(prog, at, items)
	return prog, prog.Link()
}

// pass lets items pass through the pipeline; the replicas of a stage take turns.
func (p *Pipeline) pass(prog *sim.Program, at processes, items int) {
	for k := range items {
		for i := range p.Stages {
			p.item(prog, i, k, at)
		}
	}
	for i := range p.Stages { // the last answers of the replicas
		if r := len(at.crew[i]); len(p.Stages[i].Replicas) > 0 {
			for k := max(0, items-r); k < items; k++ {
				prog.Threads[at.head[i]].AddMessage(sim.Recv,
					sim.Message{Size: bytes(p.Acknowledgement), Tag: tagDone, Peer: at.crew[i][k%r]})
			}
		}
	}
}

// item lets item k pass through stage i.
func (p *Pipeline) item(prog *sim.Program, i, k int, at processes) {
	s, head, crew := &p.Stages[i], at.head, at.crew
	who := crew[i][k%len(crew[i])]
	in := bytes(p.in(i))
	if i > 0 {
		prog.Threads[head[i]].AddMessage(sim.Recv,
			sim.Message{Size: in, Tag: tagItem, Peer: crew[i-1][k%len(crew[i-1])]})
	}
	t := &prog.Threads[who]
	compute := s.Compute
	if r := len(s.Replicas); r > 0 {
		boss := &prog.Threads[head[i]]
		if k >= r { // a replica gets its next item when it has finished the previous one
			boss.AddMessage(sim.Recv, sim.Message{Size: bytes(p.Acknowledgement), Tag: tagDone, Peer: who})
		}
		boss.AddMessage(sim.Send, sim.Message{Size: in, Tag: tagItem, Peer: who})
		t.AddMessage(sim.Recv, sim.Message{Size: in, Tag: tagItem, Peer: head[i]})
		compute = s.Replicas[k%r]
	}
	t.AddCompute(compute)
	if i < len(p.Stages)-1 {
		t.AddMessage(sim.Send, sim.Message{Size: bytes(s.Bytes), Tag: tagItem, Peer: head[i+1]})
	}
	if len(s.Replicas) > 0 {
		t.AddMessage(sim.Send, sim.Message{Size: bytes(p.Acknowledgement), Tag: tagDone, Peer: head[i]})
	}
}

// Simulate runs n items through the pipeline. Time is the time per item in the steady part; whole is the total time.
func (p *Pipeline) Simulate(ctx context.Context, items int, trace bool) (s *Simulated, whole float64, err error) {
	run := func(items int, trace bool) (*sim.Result, error) {
		prog, err := p.program(items)
		if err != nil {
			return nil, err
		}
		m, rules := p.machine(prog)
		return engine.Run(ctx, prog, m, sim.Options{Rules: rules, Trace: trace})
	}
	r, err := run(items, trace)
	if err != nil {
		return nil, 0, err
	}
	long, err := run(2*items, false)
	if err != nil {
		return nil, 0, err
	}
	return &Simulated{Time: float64(long.Total-r.Total) / float64(items), Trace: r.Trace}, float64(r.Total), nil
}

// program returns an iteration of a master whose workers are pipelines on several processors each: a message with all
// its items to every worker, and one back from the last stage when they are done.
func (n *Nested) program(workers, inner int) (*sim.Program, error) {
	p := n.pipeline(inner)
	at := make([]processes, workers)
	next := int32(1)
	for w := range at {
		at[w], next = p.place(next)
	}
	prog := newProgram("master/worker of pipelines", int(next))
	boss, parts := &prog.Threads[0], float64(workers)
	given, returned := bytes(n.Outer.Given*n.Outer.Volume/parts), bytes((1-n.Outer.Given)*n.Outer.Volume/parts)
	share := func(w int) int { return (n.Items*(w+1))/workers - n.Items*w/workers }
	last := func(w int) int32 {
		crew := at[w].crew[len(at[w].crew)-1]
		return crew[max(0, share(w)-1)%len(crew)]
	}
	for w := range at {
		boss.AddMessage(sim.Send, sim.Message{Size: given, Tag: tagTask, Peer: at[w].head[0]})
		prog.Threads[at[w].head[0]].AddMessage(sim.Recv, sim.Message{Size: given, Tag: tagTask})
		p.pass(prog, at[w], share(w))
		prog.Threads[last(w)].AddMessage(sim.Send, sim.Message{Size: returned, Tag: tagResult})
	}
	for w := range at {
		boss.AddMessage(sim.Recv, sim.Message{Size: returned, Tag: tagResult, Peer: last(w)})
	}
	return prog, prog.Link()
}

// Simulate runs an iteration.
func (n *Nested) Simulate(ctx context.Context, workers, inner int, trace bool) (*Simulated, error) {
	p, err := n.program(workers, inner)
	if err != nil {
		return nil, err
	}
	m, rules := n.Outer.machine(p)
	r, err := engine.Run(ctx, p, m, sim.Options{Rules: rules, Trace: trace})
	if err != nil {
		return nil, err
	}
	return &Simulated{Time: float64(r.Total), Trace: r.Trace}, nil
}
