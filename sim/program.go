// Package sim is the model of a simulation: a parallel program, a machine, and the predicted run. A Program lists the
// actions of each thread (compute this long, send, receive, take part in a collective, emit an event), without absolute
// times; a Machine describes the hardware and the mapping of tasks; a Result has the times, as totals or as a trace
// like a measured one. Package engine simulates, by the rules of Dimemas; package parameter is the user's view of a
// machine; package dimemas reads and writes files.
package sim

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"pview/prv/parallel"
)

// Program is a parallel program: its applications (ptasks), their tasks, and the records
// of each thread in program order. Ptasks, tasks and threads are numbered from 0 over the
// whole program. A Program is filled through its Add functions and those of Thread, then
// linked once; after that it must not change, and any number of simulations may read it
// concurrently.
type Program struct {
	Name          string
	Ptasks        []Ptask
	Tasks         []Task
	Threads       []Thread
	Communicators []Communicator

	handled    bool // some thread has a Handling
	channels   int  // number of different (sender, receiver, tag, match) after Link
	semaphores int  // number of different (task, tag)
	linked     bool
	expansion  atomic.Pointer[expandedProgram]
	events     atomic.Pointer[[]EventColumns]
	unowned    error // an error: messages go to a port without a receiver
}

// Ptask is an application: tasks FirstTask .. FirstTask+Tasks-1.
type Ptask struct {
	FirstTask int32
	Tasks     int32
}

// Task is an address space: threads FirstThread .. FirstThread+Threads-1.
type Task struct {
	Ptask       int32
	FirstThread int32
	Threads     int32
	// OpenMP marks a task whose threads synchronise by the events of an OpenMP
	// runtime.
	OpenMP bool
}

// Communicator is a group of tasks that perform collective operations together.
type Communicator struct {
	Ptask int32
	ID    int64 // as in the trace
	Tasks []int32
}

// Kind is the kind of a record.
type Kind uint8

// The kinds of records, and the method of Thread that returns the rest of a record.
const (
	Nop            Kind = iota // nothing; separates events of one instant
	Compute                    // Thread.Burst
	Event                      // Thread.Event
	IdleOn                     // computation after this is shown as idle
	IdleOff                    // ends IdleOn
	Send                       // Thread.Message; this and the next three differ in synchronism
	SendRendezvous             // the sender blocks until the receiver is ready
	Isend
	IsendRendezvous // continues immediately; the transfer waits for the receiver
	Recv            // Thread.Message
	Irecv           // the same
	Wait            // the same: of the Irecv with the same sender, tag and match
	Probe           // the same: blocks until the message has arrived, without receiving it
	SendPort        // a message to the next receiver at a port: Message.Tag
	RecvPort        // the first message, from any sender, to the port Message.Tag
	Put             // Message.Size bytes to the memory of task Peer, in the background and without its participation
	Get             // the same from its memory; blocks until they arrive
	Flush           // blocks until the thread's puts have arrived
	SemaphoreWait   // blocks until semaphore Message.Tag of the task has an unused signal
	SemaphoreSignal // releases one thread of the task
	WaitRequest     // for the send or receive with the request of its handling
	Collective      // Thread.Call
	CollectiveStart // the same: non-blocking
	CollectiveWait  // the same: for the oldest started
	Reduce          // the same: every task sends to the root, only the root waits for all

	kinds
)

var kindNames = [kinds]string{"no-operation", "burst", "event", "idle begin", "idle end", "send", "rendezvous send",
	"immediate send",
	"immediate rendezvous send", "receive", "immediate receive", "wait", "probe", "send to a port", "receive at a port",
	"put", "get", "flush", "wait at a semaphore",
	"signal of a semaphore", "wait for a request", "collective", "start of a non-blocking collective",
	"wait for a non-blocking collective", "reduce"}

// String returns the kind in words.
func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// IsSend reports whether the record sends a message.
func (k Kind) IsSend() bool { return k >= Send && k <= IsendRendezvous }

// HasMessage reports whether the record has a message.
func (k Kind) HasMessage() bool { return k >= Send && k <= WaitRequest }

// IsCollective reports whether the record is a part of a collective operation.
func (k Kind) IsCollective() bool { return k >= Collective && k < kinds }

// IsOperation reports whether the record is anything but computation or a marker.
func (k Kind) IsOperation() bool { return k-Send < kinds-Send }

// Message describes the message of a send, receive or wait. A receiver takes the first
// message with the sender, tag and match that it names.
type Message struct {
	Size  int64 // bytes; the sender's counts
	Tag   int64
	Match int64 // distinguishes messages of the same partners and tag; not an MPI communicator
	Peer  int32 // the task at the other end

	channel int32 // for a semaphore, its number; noChannel: any message may match
}

// Channel returns the number of the message's stream, or of its semaphore, once the program is linked; noChannel for an
// open receive.
func (m *Message) Channel() int32 { return m.channel }

// NoChannel is the channel of an open receive.
const NoChannel = -1

// Handling is the way in which an MPI call treats a message, beyond its envelope. The zero value applies to traces,
// which record no more.
type Handling struct {
	Mode SendMode
	// AnySource and AnyTag are wildcards of a receive or probe. Recorded: Peer and Tag are nevertheless known, from the
	// message received when the program was recorded.
	AnySource, AnyTag, Recorded bool
	// Routine is 0, or 1 + the collective operation that the message belongs to: it travels on that operation's
	// network.
	Routine uint8
	// Request names an immediate operation for WaitRequest, from 1 in each thread; 0: never awaited.
	Request int32
}

// SendMode decides when a sender may continue.
type SendMode uint8

// The modes, in the order of SendModes.
const (
	ModeStandard SendMode = iota
	ModeBuffered
	ModeNoSpace
	ModeSynchronous
	ModeReady
)

// SendModes are the modes of sends.
var SendModes = []struct{ Name, Doc string }{
	{"standard", "as the machine and the rules have it"},
	{"buffered", "at once"},
	{"nospace", "when the message has arrived, received or not"},
	{"synchronous", "when its receive has it; the message leaves at once"},
	{"ready", "as synchronous; the receive should be there"},
}

// Wildcard reports whether a receive names no sender or no tag.
func (h *Handling) Wildcard() bool { return h.AnySource || h.AnyTag }

// Open reports whether only the simulation determines the message of a receive.
func (h *Handling) Open() bool { return h.Wildcard() && !h.Recorded }

// check reports settings that do not fit a kind of record.
func (h *Handling) check(k Kind) error {
	receives := k == Recv || k == Irecv || k == Probe
	switch {
	case h.Mode > ModeReady:
		return fmt.Errorf("there is no send mode %d", h.Mode)
	case h.Wildcard() && !receives:
		return fmt.Errorf("only a receive or a probe has wildcards")
	case h.Request < 0 || k == WaitRequest && h.Request == 0:
		return fmt.Errorf("there is no request %d", h.Request)
	case int(h.Routine) > len(Collectives):
		return fmt.Errorf("there is no collective operation %d", h.Routine-1)
	}
	return nil
}

// CollectiveCall is one task's part in a collective operation.
type CollectiveCall struct {
	Communicator int32 // row of Program.Communicators
	Op           CollectiveOp
	// Root says that this task is the operation's root. For a Reduce, the root is RootTask.
	Root           bool
	RootTask       int32
	Request        int32 // of a non-blocking operation and of its wait; 0: the oldest
	Sent, Received int64 // bytes
}

// AddPtask appends an application without tasks.
func (p *Program) AddPtask() {
	p.Ptasks = append(p.Ptasks, Ptask{FirstTask: int32(len(p.Tasks))})
}

// AddTask appends a task with the given number of threads to the last ptask and
// returns its number.
func (p *Program) AddTask(threads int) int32 {
	n := int32(len(p.Tasks))
	p.Tasks = append(p.Tasks, Task{Ptask: int32(len(p.Ptasks) - 1), FirstThread: int32(len(p.Threads)),
		Threads: int32(threads)})
	p.Ptasks[len(p.Ptasks)-1].Tasks++
	p.Threads = append(p.Threads, make([]Thread, threads)...)
	return n
}

// AddCommunicator appends a communicator of the given tasks and returns its row.
func (p *Program) AddCommunicator(ptask int32, id int64, tasks []int32) int32 {
	p.Communicators = append(p.Communicators, Communicator{ptask, id, tasks})
	return int32(len(p.Communicators) - 1)
}

// Records returns the number of records of all threads.
func (p *Program) Records() int64 {
	n := int64(0)
	for i := range p.Threads {
		n += int64(p.Threads[i].Len())
	}
	return n
}

// Computation returns the time of the computation over all threads, in nanoseconds.
func (p *Program) Computation() float64 {
	sum := 0.0
	for i := range p.Threads {
		sum += p.Threads[i].Computation()
	}
	return sum
}

// Merge combines several programs into one, whose applications run concurrently, in the given order, and links it. The
// records are shared with the programs.
func Merge(programs ...*Program) (*Program, error) {
	all := &Program{}
	for _, p := range programs {
		ptask, task, comm := int32(len(all.Ptasks)), int32(len(all.Tasks)), int32(len(all.Communicators))
		thread := int32(len(all.Threads))
		if all.Name != "" {
			all.Name += ", "
		}
		all.Name += p.Name
		for _, a := range p.Ptasks {
			all.Ptasks = append(all.Ptasks, Ptask{a.FirstTask + task, a.Tasks})
		}
		for _, t := range p.Tasks {
			t.Ptask += ptask
			t.FirstThread += thread
			all.Tasks = append(all.Tasks, t)
		}
		for _, c := range p.Communicators {
			tasks := make([]int32, len(c.Tasks))
			for i, t := range c.Tasks {
				tasks[i] = t + task
			}
			all.Communicators = append(all.Communicators, Communicator{c.Ptask + ptask, c.ID, tasks})
		}
		for i := range p.Threads {
			t := p.Threads[i]
			t.Messages = append([]Message(nil), t.Messages...)
			for k := range t.Messages {
				if t.Messages[k].Peer >= 0 {
					t.Messages[k].Peer += task
				}
			}
			t.Collectives = append([]CollectiveCall(nil), t.Collectives...)
			for k := range t.Collectives {
				t.Collectives[k].Communicator += comm
				t.Collectives[k].RootTask += task
			}
			all.Threads = append(all.Threads, t)
		}
	}
	return all, all.Link()
}

// taskOf returns the task of a thread.
func (p *Program) taskOf(thread int32) int32 {
	lo, hi := 0, len(p.Tasks)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; p.Tasks[mid].FirstThread <= thread {
			lo = mid
		} else {
			hi = mid
		}
	}
	return int32(lo)
}

// ThreadName returns a thread's number in Paraver's notation: ptask, task, thread, from
// 1.
func (p *Program) ThreadName(thread int32) string {
	t := p.taskOf(thread)
	task := p.Tasks[t]
	return fmt.Sprintf("%d.%d.%d", task.Ptask+1, t-p.Ptasks[task.Ptask].FirstTask+1, thread-task.FirstThread+1)
}

// TaskName returns a task's number in Paraver's notation: ptask and task, from 1.
func (p *Program) TaskName(task int32) string {
	return fmt.Sprintf("%d.%d", p.Tasks[task].Ptask+1, task-p.Ptasks[p.Tasks[task].Ptask].FirstTask+1)
}

// channelKey is the matching key of a send and a receive.
type channelKey struct {
	tag, match int64
	from, to   int32
}

// anyone represents the sender and the receiver of messages to a port.
const anyone = -1

// linker numbers the streams of messages, ports and semaphores of a program.
type linker struct {
	ctx        context.Context
	p          *Program
	channels   channelTable
	semaphores channelTable
	owners     map[int64]int32 // of ports: task + 1
	toPorts    []*Message
	checks     bool // only checks, without numbering
}

// Link checks the program and numbers each stream of matching messages, so that a
// simulation finds a message's partner without searching. Run needs a linked program.
func (p *Program) Link() error { return p.LinkContext(context.Background()) }

// LinkContext is Link for large programs: the error may be ctx's.
func (p *Program) LinkContext(ctx context.Context) (err error) {
	defer parallel.OnEnd(ctx, &err)
	l := &linker{ctx: ctx, p: p, owners: map[int64]int32{}}
	l.channels.watch, l.semaphores.watch = parallel.NewWatch(ctx), parallel.NewWatch(ctx)
	var packer Packer
	for i := range p.Threads {
		if t := &p.Threads[i]; !t.packed {
			packed, err := packer.Pack(ctx, t)
			if err != nil {
				return err
			}
			*t = packed
		}
		if err := l.records(int32(i), &p.Threads[i], 0); err != nil {
			return err
		}
	}
	p.unowned, p.handled = nil, false
	for i := range p.Threads {
		p.handled = p.handled || p.Threads[i].Handling != nil
	}
	for _, m := range l.toPorts {
		if m.Peer = l.owners[m.Tag] - 1; m.Peer < 0 && p.unowned == nil {
			p.unowned = fmt.Errorf("a message is sent to port %d, at which no task receives", m.Tag)
		}
	}
	for i, c := range p.Communicators {
		for _, t := range c.Tasks {
			if t < 0 || int(t) >= len(p.Tasks) {
				return fmt.Errorf("communicator %d: there is no task %d", p.Communicators[i].ID, t+1)
			}
		}
	}
	p.channels, p.semaphores, p.linked = l.channels.count, l.semaphores.count, true
	return nil
}

// Linked returns the number of streams of messages and of semaphores of a linked program. The error says why it cannot
// run.
func (p *Program) Linked() (channels, semaphores int, err error) {
	if !p.linked {
		return 0, 0, fmt.Errorf("the program is not linked")
	}
	return p.channels, p.semaphores, p.unowned
}

// HasHandling reports whether a message of a linked program has more than its envelope.
func (p *Program) HasHandling() bool { return p.handled }

// Check reports the errors that Link would report in records of thread i that are not kept in the program; the first is
// the thread's record number before, from 0. They must not have ports or semaphores.
func (p *Program) Check(ctx context.Context, i int32, t *Thread, before int) error {
	l := linker{ctx: ctx, p: p, checks: true}
	return l.records(i, t, before)
}

// records links records of thread i.
func (l *linker) records(i int32, t *Thread, before int) error {
	p := l.p
	own, member := p.taskOf(i), int32(-1)
	fail := func(row int, format string, args ...any) error {
		return fmt.Errorf("record %d of thread %s: %s", before+row+1, p.ThreadName(i), fmt.Sprintf(format, args...))
	}
	messages, calls := 0, 0 // rows seen: a packed thread's rows are in order of first use
	for row, k := range t.kind {
		if row&0x1ff == 0 && l.ctx.Err() != nil {
			return l.ctx.Err()
		}
		switch {
		case k == Compute:
			if ns := t.Burst(row); !(ns >= 0) || math.IsInf(ns, 0) {
				return fail(row, "a burst of %g ns", ns)
			}
		case k.HasMessage():
			if int(t.arg[row]) < messages {
				continue
			}
			messages++
			if h := t.Handled(row); t.Handling != nil {
				if err := h.check(k); err != nil {
					return fail(row, "%s: %v", k, err)
				}
				if h.Open() {
					t.Message(row).channel = NoChannel
					continue
				}
			}
			if err := l.message(own, k, t.Message(row)); err != nil {
				return fail(row, "%s: %v", k, err)
			}
		case k.IsCollective():
			if int(t.arg[row]) < calls {
				continue
			}
			calls++
			c := t.Call(row)
			if err := p.checkCollective(own, c, member); err != nil {
				return fail(row, "%s: %v", k, err)
			}
			member = c.Communicator
		case k >= kinds && k < ReactiveEvent:
			return fail(row, "unknown kind %d", k)
		}
	}
	return nil
}

// message gives a record the number of its stream, or of its semaphore.
func (l *linker) message(own int32, k Kind, m *Message) error {
	numbers, key := &l.channels, channelKey{m.Tag, m.Match, own, m.Peer}
	switch k {
	case SemaphoreWait, SemaphoreSignal:
		numbers, key = &l.semaphores, channelKey{tag: m.Tag, from: own}
	case Flush, WaitRequest:
		return nil
	case SendPort, RecvPort:
		key = channelKey{tag: m.Tag, from: anyone, to: anyone}
		if k == SendPort {
			l.toPorts = append(l.toPorts, m)
			break
		}
		m.Peer = anyone
		if o := l.owners[m.Tag]; o != 0 && o != own+1 {
			return fmt.Errorf("task %s and task %s both receive at port %d", l.p.TaskName(o-1), l.p.TaskName(own),
				m.Tag)
		}
		l.owners[m.Tag] = own + 1
	default:
		if m.Peer < 0 || int(m.Peer) >= len(l.p.Tasks) {
			return fmt.Errorf("there is no task %d", m.Peer+1)
		}
		if k == Put || k == Get {
			key = channelKey{from: anyone}
		} else if !k.IsSend() {
			key.from, key.to = m.Peer, own
		}
	}
	if m.Size < 0 {
		return fmt.Errorf("a message of %d bytes", m.Size)
	}
	if !l.checks {
		m.channel = numbers.number(key)
	}
	return nil
}

// checkCollective checks a call of a task, which is known to be in communicator member.
func (p *Program) checkCollective(task int32, c *CollectiveCall, member int32) error {
	if int(c.Communicator) >= len(p.Communicators) || c.Communicator < 0 {
		return fmt.Errorf("there is no communicator %d", c.Communicator)
	}
	if int(c.Op) >= len(Collectives) {
		return fmt.Errorf("there is no collective operation %d", c.Op)
	}
	if c.Communicator == member || slices.Contains(p.Communicators[c.Communicator].Tasks, task) {
		return nil
	}
	return fmt.Errorf("the task is not in communicator %d", p.Communicators[c.Communicator].ID)
}
