package sim

// OpenMP: the threads of a task that wait for one another.
//
// A trace tells what the runtime did by events: 60000001 a parallel region (of the thread that opens it, the master),
// 60000018 the outlined function that each thread of the team runs, 60000005 a barrier; value 0 is the end. The rules
// are those of Dimemas 5.5.0, found by comparing totals: all threads of the team meet at the begin of their n-th outlined
// function, and at the end of their n-th barrier; the master ends its n-th region when all have ended their n-th
// outlined function. What the traced run spent waiting there is computation like any other: it is
// played before the threads wait for each other again.

import "errors"

// Event types of an OpenMP runtime.
const (
	openMPRegion   = 60000001
	openMPBarrier  = 60000005
	openMPOutlined = 60000018
	openMPTaskwait = 60000022
	openMPExecute  = 60000023
	openMPCreate   = 60000024
)

// ErrOpenMPTasks is why Run refuses programs with OpenMP tasks.
var ErrOpenMPTasks = errors.New("it uses OpenMP tasks, and how these wait for one another is not simulated yet")

// team is the threads of an OpenMP task.
type team struct {
	size     int
	outlined meeting
	barrier  meeting
	ended    int   // outlined functions of workers
	regions  int   // that the master wants to end, or has
	master   int32 // index + 1 when it waits for workers
}

// meeting is where all threads of a team wait for the last.
type meeting struct {
	waiting []int32
}

// newTeams makes the teams of the tasks whose threads synchronise by OpenMP.
func (e *engine) newTeams() {
	for i := range e.p.Tasks {
		t := &e.p.Tasks[i]
		if !t.OpenMP || t.Threads < 2 || e.opt.DisableOpenMP {
			continue
		}
		if e.teams == nil {
			e.teams = make([]team, len(e.p.Tasks))
		}
		e.teams[i].size = int(t.Threads)
		for th := t.FirstThread; th < t.FirstThread+t.Threads; th++ {
			e.threads[th].team = &e.teams[i]
			e.threads[th].master = th == t.FirstThread
		}
	}
}

// awaits reports whether a thread has to wait at an event of the OpenMP runtime; it is blocked then, and comes back to the
// event when it need not wait any more.
func (e *engine) awaits(i int32, t *thread, typ uint32, value uint64) bool {
	if typ != openMPRegion && typ != openMPBarrier && typ != openMPOutlined {
		return false
	}
	if t.met {
		t.met = false
		return false
	}
	m := t.team
	switch {
	case typ == openMPOutlined && value > 0:
		return e.meet(i, t, &m.outlined)
	case typ == openMPOutlined && !t.master:
		m.ended++
		if m.master != 0 && m.ended >= m.regions*(m.size-1) {
			master := m.master - 1
			m.master = 0
			e.resume(master)
		}
	case typ == openMPBarrier && value == 0:
		return e.meet(i, t, &m.barrier)
	case typ == openMPRegion && value == 0 && t.master:
		m.regions++
		if m.ended < m.regions*(m.size-1) {
			m.master = i + 1
			e.setState(i, t, StateReady)
			return true
		}
	}
	return false
}

// meet lets a thread wait for the rest of its team; the last lets all go.
func (e *engine) meet(i int32, t *thread, m *meeting) bool {
	if len(m.waiting) == t.team.size-1 {
		for _, other := range m.waiting {
			e.resume(other)
		}
		m.waiting = m.waiting[:0]
		return false
	}
	m.waiting = append(m.waiting, i)
	e.setState(i, t, StateReady)
	return true
}

// resume wakes a thread that waited at an event.
func (e *engine) resume(i int32) {
	t := &e.threads[i]
	t.met = true
	t.phase, t.synthetic, t.left, t.lose = computing, true, 0, true
	e.ready(i, t)
}
