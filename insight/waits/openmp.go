package waits

// The events of OpenMP: regions, barriers, locks, tasks.

import "pview/prv/extrae"

// constructs are the types of events of OpenMP that matter.
var constructs = []uint32{extrae.OpenMPParallel, extrae.OpenMPOutlined, extrae.OpenMPBarrier, extrae.OpenMPJoin,
	extrae.OpenMPLock, extrae.OpenMPNamedLock,
	extrae.OpenMPTaskwait, extrae.OpenMPExecute}

// openMP handles an event of OpenMP.
func (r *laneReader) openMP(k int, typ uint32) {
	at, v := r.e.Time[k], r.e.Value.At(k)
	switch typ {
	case extrae.OpenMPParallel:
		toggle(&r.opens, at, v)
	case extrae.OpenMPOutlined:
		toggle(&r.work, at, v)
		r.function(k, typ)
	case extrae.OpenMPBarrier:
		r.teamCall(k, typ, extrae.TeamBarrier, v)
	case extrae.OpenMPJoin:
		if v != 2 { // a join without wait
			r.teamCall(k, typ, extrae.TeamJoin, v)
		}
	case extrae.OpenMPLock, extrae.OpenMPNamedLock:
		r.lock(k, typ)
	case extrae.OpenMPTaskwait:
		toggle(&r.waits, at, v)
		r.bracket(k, typ, v)
	case extrae.OpenMPExecute:
		r.task(k)
		r.function(k, typ)
	}
}

// toggle opens or closes a stretch.
func toggle(list *[]span, at, value int64) {
	n := len(*list)
	open := n > 0 && (*list)[n-1].to < 0
	switch {
	case value != 0 && !open:
		*list = append(*list, span{at, -1})
	case value == 0 && open:
		(*list)[n-1].to = at
	}
}

// bracket enters or leaves the region of a construct, which is a call.
func (r *laneReader) bracket(k int, typ uint32, v int64) {
	if v != 0 {
		r.push(k, regionKey{typ: typ, a: v, call: true})
	} else {
		r.pop(k, typ)
	}
}

func (r *laneReader) teamCall(k int, typ uint32, kind extrae.Call, v int64) {
	at := r.e.Time[k]
	n := len(r.team)
	open := n > 0 && r.team[n-1].to < 0
	switch {
	case v != 0:
		if open {
			r.team[n-1].to = at
		}
		r.team = append(r.team, teamCall{span{at, -1}, kind})
	case open:
		r.team[n-1].to = at
	}
	r.bracket(k, typ, v)
}

// lock handles the four steps of a lock. Asking for it and releasing it are calls.
func (r *laneReader) lock(k int, typ uint32) {
	at := r.e.Time[k]
	n := len(r.locks)
	switch r.e.Value.At(k) {
	case extrae.LockAsked:
		r.locks = append(r.locks, lockUse{asked: at, got: -1, released: -1, typ: typ})
		r.bracket(k, typ, extrae.LockAsked)
	case extrae.LockTaken:
		if n > 0 && r.locks[n-1].got < 0 {
			r.locks[n-1].got = at
		}
		r.bracket(k, typ, 0)
	case extrae.LockReleases:
		r.bracket(k, typ, extrae.LockAsked)
	case extrae.LockFree:
		for i := n - 1; i >= 0; i-- { // nested locks are released in reverse order
			if r.locks[i].got >= 0 && r.locks[i].released < 0 {
				r.locks[i].released = at
				break
			}
		}
		r.bracket(k, typ, 0)
	}
}

// task handles the start or end of a task's execution.
func (r *laneReader) task(k int) {
	if r.e.Value.At(k) == 0 {
		for i := len(r.tasks) - 1; i >= 0; i-- {
			if r.tasks[i].to < 0 {
				r.tasks[i].to = r.e.Time[k]
				break
			}
		}
		return
	}
	run := taskRun{span: span{r.e.Time[k], -1}}
	for i, end := r.line(k); i < end; i++ {
		if r.e.Type[i] == extrae.OpenMPTaskID {
			run.id = r.e.Value.At(i)
		}
	}
	r.tasks = append(r.tasks, run)
}
