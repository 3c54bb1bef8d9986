package sim

// Collective operations as messages: a program is rewritten so that each operation becomes the sends and receives of an
// algorithm.
//
// An algorithm is, for each participant, a list of exchanges. In an exchange a participant posts its receives, issues
// its sends in order, and waits for the receives (PUPPET: puppet.md A8). The messages have their own context, so that
// no receive of the program gets them, and travel on their operation's network, if it has one. Arithmetic costs
// nothing.

import (
	"fmt"
	"slices"
	"strings"

	"pview/prv/quantity"
)

// Expansion says how collective operations become messages. The zero value is PUPPET's.
type Expansion struct {
	// Send is the mode of the messages; ModeStandard means ModeBuffered.
	Send SendMode
	// Barrier is the size of a message of a barrier, bytes.
	Barrier int64
	// Algorithms are the algorithms by operation.
	Algorithms [16]Choosing
}

// Choosing chooses the algorithm of an operation: an index of Algorithms, and another one from a given size, as in MPI
// libraries. The size is the largest that a task sends.
type Choosing struct {
	Small, Large uint8
	From         int64 // bytes; 0: always Small
}

// of returns the algorithm for an operation.
func (c Choosing) of(o *operation) *Algorithm {
	if c.From > 0 {
		for _, m := range o.calls {
			if m.call.Sent >= c.From {
				return &Algorithms[c.Large]
			}
		}
	}
	return &Algorithms[c.Small]
}

// String returns NAME, or NAME/BYTES/NAME.
func (c Choosing) String() string {
	if c.From == 0 {
		return Algorithms[c.Small].Name
	}
	return fmt.Sprintf("%s/%d/%s", Algorithms[c.Small].Name, c.From, Algorithms[c.Large].Name)
}

// ParseChoosing reads the choice for an operation.
func ParseChoosing(text string, op CollectiveOp) (c Choosing, err error) {
	small, rest, bySize := strings.Cut(text, "/")
	var ok bool
	if c.Small, ok = AlgorithmByName(small, op); !ok {
		return c, fmt.Errorf("there is no algorithm %q of %s", small, Collectives[op])
	}
	if !bySize {
		return c, nil
	}
	size, large, _ := strings.Cut(rest, "/")
	if c.Large, ok = AlgorithmByName(large, op); !ok {
		return c, fmt.Errorf("there is no algorithm %q of %s", large, Collectives[op])
	}
	v, err := quantity.Limits.Parse(size, 1)
	if c.From = int64(v); err == nil && c.From < 1 {
		err = fmt.Errorf("it must be >= 1")
	}
	if err != nil {
		return c, fmt.Errorf("size %q: %w", size, err)
	}
	return c, nil
}

func (x *Expansion) check() error {
	if x.Send > ModeReady || x.Barrier < 0 {
		return fmt.Errorf("collective operations: there is no send mode %d, or a barrier message of %d bytes", x.Send,
			x.Barrier)
	}
	for op, a := range x.Algorithms {
		for _, k := range [2]uint8{a.Small, a.Large} {
			if int(k) >= len(Algorithms) || !Algorithms[k].takes(CollectiveOp(op)) {
				return fmt.Errorf("%s: there is no algorithm %d of it", Collectives[op], k)
			}
		}
	}
	return nil
}

// expands reports whether collective operations are messages.
func (r *Rules) expands(m *Machine) bool {
	switch r[CollectiveForm] {
	case CollectivesAsMessages:
		return true
	case CollectivesByNetwork:
		return m.IsDirect()
	}
	return false
}

// AsMessages returns the program as simulated on a machine: with its collective operations as messages, if they
// are.
func (r *Rules) AsMessages(p *Program, m *Machine) (*Program, error) {
	if !r.expands(m) {
		return p, nil
	}
	return p.expanded(&m.Expansion)
}

// exchange is a step of a participant; peers are positions in the communicator.
type exchange struct {
	from []int
	to   []parcel
}

// parcel is a message to be sent.
type parcel struct {
	peer int
	size int64
}

// expandedProgram is a program with the expansion that made it.
type expandedProgram struct {
	by      Expansion
	program *Program
}

// expanded returns the program with its operations as messages. It caches the last one, since a machine is often
// simulated many times.
func (p *Program) expanded(x *Expansion) (*Program, error) {
	if last := p.expansion.Load(); last != nil && last.by == *x {
		return last.program, nil
	}
	q, err := p.expand(x)
	if err == nil {
		p.expansion.Store(&expandedProgram{*x, q})
	}
	return q, err
}

// expand rewrites the collective operations of a linked program into messages, and links the result.
func (p *Program) expand(x *Expansion) (*Program, error) {
	if err := x.check(); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(p.Threads, func(t Thread) bool { return len(t.Collectives) > 0 }) {
		return p, nil
	}
	w := &expander{p: p, x: x, instances: map[instanceKey]*operation{}}
	w.collect()
	q := &Program{Name: p.Name, Ptasks: p.Ptasks, Tasks: p.Tasks, Communicators: p.Communicators,
		Threads: make([]Thread, len(p.Threads))}
	for i := range p.Threads {
		t := &p.Threads[i]
		if len(t.Collectives) == 0 {
			q.Threads[i] = *t
			q.Threads[i].Messages = slices.Clone(t.Messages) // linking numbers them
			continue
		}
		if err := w.thread(&q.Threads[i], t, int32(i)); err != nil {
			return nil, fmt.Errorf("thread %s: %w", p.ThreadName(int32(i)), err)
		}
	}
	return q, q.Link()
}

// expander rewrites a program.
type expander struct {
	p         *Program
	x         *Expansion
	instances map[instanceKey]*operation
	members   []members // by communicator
}

// members are the tasks of a communicator, sorted.
type members []int32

// instanceKey is the n-th operation of a communicator; non-blocking ones are counted separately.
type instanceKey struct {
	communicator int32
	started      bool
	n            int32
}

// operation is a collective operation as described by its participants.
type operation struct {
	root  int // position; the first participant if there is none
	calls []*memberCall
}

// memberCall is the part of one participant.
type memberCall struct {
	call  *CollectiveCall
	sizes []int64
}

// counter counts the operations of a task.
type counter map[instanceKey]int32

func (c counter) next(communicator int32, started bool) instanceKey {
	key := instanceKey{communicator, started, 0}
	key.n = c[key]
	c[instanceKey{communicator, started, 0}]++
	return key
}

// collect finds the operations, their roots and sizes.
func (w *expander) collect() {
	for i := range w.p.Communicators {
		m := slices.Clone(w.p.Communicators[i].Tasks)
		slices.Sort(m)
		w.members = append(w.members, slices.Compact(m))
	}
	for ti := range w.p.Tasks {
		count := counter{}
		task := &w.p.Tasks[ti]
		for i := task.FirstThread; i < task.FirstThread+task.Threads; i++ {
			t := &w.p.Threads[i]
			for row, k := range t.kind {
				if !k.begins() {
					continue
				}
				c := t.Call(row)
				w.join(count.next(c.Communicator, k == CollectiveStart), int32(ti), k, c, t.CallSizes(row))
			}
		}
	}
}

// begins reports whether a record is a task's part in a collective operation.
func (k Kind) begins() bool { return k == Collective || k == CollectiveStart || k == Reduce }

func (w *expander) join(key instanceKey, task int32, k Kind, c *CollectiveCall, sizes []int64) {
	m := w.members[key.communicator]
	o := w.instances[key]
	if o == nil {
		o = &operation{calls: make([]*memberCall, len(m))}
		w.instances[key] = o
	}
	at, _ := slices.BinarySearch(m, task)
	o.calls[at] = &memberCall{c, sizes}
	switch {
	case k == Reduce || c.Op == OpReduce:
		if root, ok := slices.BinarySearch(m, c.RootTask); ok {
			o.root = root
		}
	case c.Root:
		o.root = at
	}
}

// rewriter writes one thread.
type rewriter struct {
	w       *expander
	out     *Thread
	count   counter
	task    int32
	request int32     // the last number used
	spare   []int32   // free requests
	pending []started // oldest first
}

// started is an operation in the background.
type started struct {
	request  int32 // of its call
	requests []int32
}

// awaitStarted writes the waits for an operation in the background: the one with the request, or the oldest.
func (r *rewriter) awaitStarted(c *CollectiveCall) {
	at := slices.IndexFunc(r.pending, func(s started) bool { return c.Request == 0 || s.request == c.Request })
	if at >= 0 {
		r.await(r.pending[at].requests, 1+uint8(c.Op))
		r.pending = slices.Delete(r.pending, at, at+1)
	}
}

func (w *expander) thread(out, t *Thread, i int32) error {
	r := &rewriter{w: w, out: out, count: counter{}, task: w.p.taskOf(i)}
	for _, h := range t.Handling {
		r.request = max(r.request, h.Request)
	}
	for row, k := range t.kind {
		switch {
		case k.begins():
			c := t.Call(row)
			if err := r.operation(k, c); err != nil {
				return fmt.Errorf("record %d: %w", row+1, err)
			}
		case k == CollectiveWait:
			r.awaitStarted(t.Call(row))
		case k.HasMessage():
			out.AddHandled(k, *t.Message(row), t.Handled(row))
		default:
			out.copyPlain(t, row)
		}
	}
	return nil
}

// operation writes the messages of a task's part in an operation.
func (r *rewriter) operation(k Kind, c *CollectiveCall) error {
	key := r.count.next(c.Communicator, k == CollectiveStart)
	o, m := r.w.instances[key], r.w.members[c.Communicator]
	if slices.Contains(o.calls, nil) {
		return fmt.Errorf("%s %d of communicator %d: not all of its %d tasks take part", Collectives[c.Op], key.n+1,
			r.w.p.Communicators[c.Communicator].ID, len(m))
	}
	own, _ := slices.BinarySearch(m, r.task)
	algorithm := r.w.x.Algorithms[c.Op].of(o)
	if k == CollectiveStart { // nothing can execute a second step in the background
		algorithm = &Algorithms[0]
	}
	steps := algorithm.steps(&situation{o, len(m), own, c.Op, r.w.x.Barrier})
	// Contexts of communicators are negative; for non-blocking operations they also differ by instance.
	e := envelope{match: -2 - 2*int64(c.Communicator), tag: int64(c.Op), routine: 1 + uint8(c.Op)}
	if k == CollectiveStart {
		e.match, e.tag = e.match-1, int64(key.n)
		r.pending = append(r.pending, started{c.Request, r.start(m, steps, e)})
		return nil
	}
	for _, s := range steps {
		r.exchange(m, s, e)
	}
	return nil
}

// envelope is the common part of an operation's messages.
type envelope struct {
	match, tag int64
	routine    uint8
}

func (r *rewriter) newRequest() int32 {
	if n := len(r.spare); n > 0 {
		q := r.spare[n-1]
		r.spare = r.spare[:n-1]
		return q
	}
	r.request++
	return r.request
}

// post writes the receives of a step.
func (r *rewriter) post(m members, from []int, e envelope) (requests []int32) {
	for _, peer := range from {
		q := r.newRequest()
		requests = append(requests, q)
		r.out.AddHandled(Irecv, Message{Peer: m[peer], Tag: e.tag, Match: e.match},
			Handling{Routine: e.routine, Request: q})
	}
	return requests
}

func (r *rewriter) mode() SendMode {
	if r.w.x.Send == ModeStandard {
		return ModeBuffered
	}
	return r.w.x.Send
}

func (r *rewriter) exchange(m members, s exchange, e envelope) {
	if len(s.to) == 0 && len(s.from) == 1 {
		r.out.AddHandled(Recv, Message{Peer: m[s.from[0]], Tag: e.tag, Match: e.match}, Handling{Routine: e.routine})
		return
	}
	requests := r.post(m, s.from, e)
	for _, part := range s.to {
		r.out.AddHandled(Send, Message{Peer: m[part.peer], Size: part.size, Tag: e.tag, Match: e.match},
			Handling{Routine: e.routine, Mode: r.mode()})
	}
	r.await(requests, e.routine)
}

// start writes an operation that runs in the background, and returns its requests.
func (r *rewriter) start(m members, steps []exchange, e envelope) (requests []int32) {
	for _, s := range steps {
		requests = append(requests, r.post(m, s.from, e)...)
		for _, part := range s.to {
			q := r.newRequest()
			requests = append(requests, q)
			r.out.AddHandled(Isend, Message{Peer: m[part.peer], Size: part.size, Tag: e.tag, Match: e.match},
				Handling{Routine: e.routine, Mode: r.mode(), Request: q})
		}
	}
	return requests
}

func (r *rewriter) await(requests []int32, routine uint8) {
	for _, q := range requests {
		r.out.AddHandled(WaitRequest, Message{Peer: -1}, Handling{Routine: routine, Request: q})
	}
	r.spare = append(r.spare, requests...)
}

// Roots returns, by thread, the roots of its collective calls in order, as tasks; the first task of the communicator if
// an operation has none. Most calls do not name it themselves.
func (p *Program) Roots() [][]int32 {
	w := &expander{p: p, instances: map[instanceKey]*operation{}}
	w.collect()
	roots := make([][]int32, len(p.Threads))
	for ti := range p.Tasks {
		count := counter{}
		task := &p.Tasks[ti]
		for i := task.FirstThread; i < task.FirstThread+task.Threads; i++ {
			t := &p.Threads[i]
			for row, k := range t.kind {
				if k.begins() {
					c := t.Call(row)
					o := w.instances[count.next(c.Communicator, k == CollectiveStart)]
					roots[i] = append(roots[i], w.members[c.Communicator][o.root])
				}
			}
		}
	}
	return roots
}
