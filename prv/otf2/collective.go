package otf2

// Collective operations: the bytes that an operation moves are on the line of its call.

import "pview/prv/extrae"

// Roots that are not ranks.
const (
	rootSelf    = undefined - 1
	leastNoRank = undefined - 2
)

// firstOperation plus its code is the value of an operation without a call around it, which has no number of Extrae's.
const firstOperation = 2000

// operationValue returns the value of an operation, given its code.
func operationValue(op uint64) int64 {
	if op < uint64(len(collectiveNames)) {
		if c, ok := extrae.MPICalls[collectiveNames[op]]; ok {
			return c.Value
		}
	}
	return int64(firstOperation + op)
}

// beginCollective begins an operation without a call around it.
func (l *lane) beginCollective() {
	if l.call >= 0 {
		return
	}
	l.line(l.now, extrae.MPICollective, firstOperation)
	l.push(aCollective, stateGroup)
}

// endCollective ends an operation.
func (l *lane) endCollective(e *event) {
	if l.call >= 0 {
		if !l.collected {
			l.collected = true
			l.moved(l.stack[l.call].row, e)
		}
		return
	}
	i := l.innermost(aCollective)
	if i < 0 { // its begin is missing
		l.beginCollective()
		i = len(l.stack) - 1
	}
	row, op := l.stack[i].row, e.fields[0]
	if op < uint64(len(collectiveNames)) {
		l.ops |= 1 << op
	}
	l.value[row-1] = operationValue(op)
	l.moved(row, e)
	l.drop(aCollective)
}

// moved adds the bytes of an operation to the line that ends before a row.
func (l *lane) moved(row int, e *event) {
	k := l.own.comms.find(e.fields[1])
	l.behind(row, extrae.CollectiveSent, int64(e.fields[3]))
	l.behind(row, extrae.CollectiveRecv, int64(e.fields[4]))
	if l.isRoot(k, uint32(e.fields[2])) {
		l.behind(row, extrae.CollectiveRoot, 1)
	}
	if n := l.commNumber(k, l.task); n > 0 {
		l.behind(row, extrae.CollectiveComm, n)
	}
}

func (l *lane) isRoot(comm int32, root uint32) bool {
	if root >= leastNoRank {
		return root == rootSelf
	}
	return comm >= 0 && l.ranks[comm].peer(root, l.task) == l.task
}

// requestCollective notes the call that begins a non-blocking operation.
func (l *lane) requestCollective(request uint64) {
	if l.call < 0 {
		return
	}
	if l.pendingOps == nil {
		l.pendingOps = map[uint64]int{}
	}
	l.pendingOps[request] = l.stack[l.call].row
}

// completeCollective ends a non-blocking operation.
func (l *lane) completeCollective(e *event) {
	row, ok := l.pendingOps[e.fields[5]]
	delete(l.pendingOps, e.fields[5])
	if !ok {
		if l.call < 0 || l.collected {
			return
		}
		l.collected = true
		row = l.stack[l.call].row
	}
	l.moved(row, e)
}
