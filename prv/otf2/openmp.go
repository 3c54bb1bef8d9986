package otf2

// OpenMP: teams, locks and tasks.

import "pview/prv/extrae"

// beginTeam begins a thread's work for a team: the parallel region is the last one that a thread of the process has
// opened.
func (l *lane) beginTeam() {
	value := int64(1)
	if k := l.forks[l.task].at(l.ticks); k >= 0 {
		value = l.regions.list[k].value
	}
	l.line(l.now, extrae.OpenMPOutlined, value)
	l.push(aTeam, stateRunning)
}

func (l *lane) endTeam() { l.drop(aTeam) }

// critical returns the innermost critical region whose lock is in the given state.
func (l *lane) critical(owned bool) *entry {
	for i := len(l.stack) - 1; i >= 0; i-- {
		en := &l.stack[i]
		if en.region >= 0 && l.regions.list[en.region].class == criticalRegion && en.owned == owned && !en.freed {
			return en
		}
	}
	return nil
}

// acquire gives the thread a lock.
func (l *lane) acquire() {
	typ := uint32(extrae.OpenMPLock)
	if en := l.critical(false); en != nil {
		typ = l.regions.list[en.region].typ
		en.owned, en.state = true, stateRunning
	}
	l.line(l.now, typ, extrae.LockTaken)
	l.turn(false)
}

// release takes the lock away. It is free when the region that requested it ends; if that has already ended,
// immediately.
func (l *lane) release() {
	if en := l.critical(true); en != nil {
		en.freed = true
		l.line(l.now, l.regions.list[en.region].typ, extrae.LockReleases)
		return
	}
	typ := l.lockType
	if l.lockType = 0; typ == 0 {
		typ = extrae.OpenMPLock
	}
	l.line(l.now, typ, extrae.LockReleases)
	l.line(l.now, typ, extrae.LockFree)
}

// anyTask is the value of a task without a region.
const anyTask = 1

// createTask shows the creation of a task.
func (l *lane) createTask(generation uint64) {
	if n := len(l.stack); n > 0 && l.stack[n-1].region >= 0 &&
		l.regions.list[l.stack[n-1].region].class == taskCreateRegion {
		l.behind(l.stack[n-1].row, extrae.OpenMPTaskID, int64(generation))
		return
	}
	l.line(l.now, extrae.OpenMPCreate, anyTask)
	l.beside(extrae.OpenMPTaskID, int64(generation))
	l.line(l.now, extrae.OpenMPCreate, 0)
}

// switchTask resumes a task, or the thread's work outside of tasks.
func (l *lane) switchTask(generation uint64, explicit bool) {
	l.generation = 0
	if explicit {
		l.generation = generation
	}
	if !l.bySwitch {
		return
	}
	l.drop(aTask)
	if explicit {
		l.line(l.now, extrae.OpenMPExecute, anyTask)
		l.beside(extrae.OpenMPTaskID, int64(generation))
		l.push(aTask, stateRunning)
	}
}

// completeTask ends a task.
func (l *lane) completeTask() {
	l.generation = 0
	if l.bySwitch {
		l.drop(aTask)
	}
}
