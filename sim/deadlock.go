package sim

// Programs that do not end.

import (
	"fmt"
	"strings"

	"pview/prv/extrae"
)

// Deadlock lists the threads that wait for ever, and for what.
type Deadlock struct {
	At float64 // time of the last activity, ns
	// Result has what happened until then; threads that wait have no end.
	Result *Result
	Waits  []Blocked
}

// Blocked is a waiting thread.
type Blocked struct {
	Thread string // ptask, task and thread as Paraver numbers them
	Task   int32
	Since  float64 // ns
	Record int     // from 1, within the thread
	What   string
}

// Error names the first few threads.
func (d *Deadlock) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "deadlock at %.9f s: ", d.At/1e9)
	const most = 4
	for i, w := range d.Waits {
		if i == most {
			fmt.Fprintf(&b, "; and %d more", len(d.Waits)-most)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "thread %s waits at its record %d: %s", w.Thread, w.Record, w.What)
	}
	return b.String()
}

func (e *engine) deadlock() error {
	d := &Deadlock{At: e.now}
	for i := range e.threads {
		t := &e.threads[i]
		if t.done {
			continue
		}
		d.Waits = append(d.Waits, Blocked{Thread: e.p.ThreadName(int32(i)), Task: t.task, Since: t.blocked,
			Record: int(t.pc) + 1, What: e.waitsFor(t)})
	}
	d.Result = e.sumUp()
	return d
}

func (e *engine) waitsFor(t *thread) string {
	k, h := t.kind[t.pc].shown(), Handling{}
	if k.HasMessage() {
		h = t.handling()
	}
	switch {
	case k == WaitRequest:
		return "completion of an immediate operation"
	case h.open():
		return fmt.Sprintf("%s of a message from any sender or with any tag, which nobody has sent", k)
	case k.IsSend():
		m := t.message()
		return fmt.Sprintf("%s of %d bytes with tag %d to task %s, which has not asked for it", k, m.Size, m.Tag,
			e.p.TaskName(m.Peer))
	case k == Recv || k == Wait:
		m := t.message()
		return fmt.Sprintf("%s of a message with tag %d from task %s, which has not sent it", k, m.Tag,
			e.p.TaskName(m.Peer))
	case k == Probe:
		m := t.message()
		return fmt.Sprintf("%s for a message with tag %d from task %s, which has not sent it", k, m.Tag,
			e.p.TaskName(m.Peer))
	case k == RecvPort:
		return fmt.Sprintf("receive at port %d, to which nobody has sent", t.message().Tag)
	case k == SemaphoreWait:
		return fmt.Sprintf("semaphore %d, which no other thread of its task has signalled", t.message().Tag)
	case k.IsCollective():
		c := e.call(t)
		return fmt.Sprintf("%s %s of communicator %d, which not all of its %d tasks have reached", k, Collectives[c.Op],
			e.p.Communicators[c.Communicator].ID, len(e.groups[c.Communicator].tasks))
	}
	if k == Event && t.team != nil {
		switch typ, _ := t.src.Event(int(t.pc)); typ {
		case extrae.OpenMPOutlined:
			return "the begin of an outlined function, which not all threads of its OpenMP team reach"
		case extrae.OpenMPBarrier:
			return "the end of a barrier, which not all threads of its OpenMP team reach"
		case extrae.OpenMPExecute:
			return "the execution of an OpenMP task, which no thread of its team creates"
		case extrae.OpenMPTaskwait:
			return "the end of a taskwait, for OpenMP tasks that no thread of its team ends"
		case extrae.OpenMPParallel:
			return "the end of a parallel region, whose outlined function not all threads of its OpenMP team have ended"
		}
	}
	return k.String()
}
