package engine

import (
	"fmt"

	"pview/prv/extrae"
	"pview/prv/quantity"
	"pview/sim"
)

func (e *engine) deadlock() error {
	d := &sim.Deadlock{At: e.Now}
	for i := range e.threads {
		t := &e.threads[i]
		if t.done {
			continue
		}
		d.Teams = d.Teams || t.team != nil && t.kind[t.pc].Shown() == sim.Event
		d.Waits = append(d.Waits, sim.Blocked{Thread: e.p.ThreadName(int32(i)), Task: t.task, Since: float64(t.since),
			Record: int(t.pc) + 1, What: e.waitsFor(t)})
	}
	d.Result = e.sumUp()
	return d
}

func (e *engine) waitsFor(t *thread) string {
	k, h := t.kind[t.pc].Shown(), sim.Handling{}
	if k.HasMessage() {
		h = t.handling()
	}
	switch {
	case k == sim.WaitRequest:
		return "completion of an immediate operation"
	case h.Open():
		return fmt.Sprintf("%s of a message from any sender or with any tag, which no task has sent", k)
	case k.IsSend():
		m := t.message()
		return fmt.Sprintf("%s of %s with tag %d to task %s, which has not requested it", k,
			quantity.CountOf(m.Size, "byte"), m.Tag, e.p.TaskName(m.Peer))
	case k == sim.Recv || k == sim.Wait:
		m := t.message()
		return fmt.Sprintf("%s of a message with tag %d from task %s, which has not sent it", k, m.Tag,
			e.p.TaskName(m.Peer))
	case k == sim.Probe:
		m := t.message()
		return fmt.Sprintf("%s for a message with tag %d from task %s, which has not sent it", k, m.Tag,
			e.p.TaskName(m.Peer))
	case k == sim.RecvPort:
		return fmt.Sprintf("receive at port %d, to which no task has sent", t.message().Tag)
	case k == sim.SemaphoreWait:
		return fmt.Sprintf("semaphore %d, which no other thread of its task has signalled", t.message().Tag)
	case k.IsCollective():
		c := e.call(t)
		return fmt.Sprintf("%s %s of communicator %d, which not all of its %d tasks have reached", k,
			sim.Collectives[c.Op],
			e.p.Communicators[c.Communicator].ID, len(e.collectives.groups[c.Communicator].tasks))
	}
	if k == sim.Event && t.team != nil {
		switch typ, _ := t.src.Event(int(t.pc)); typ {
		case extrae.OpenMPOutlined:
			return "the start of an outlined function, which not all threads of its OpenMP team reach"
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
