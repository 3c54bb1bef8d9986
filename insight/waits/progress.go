package waits

// Late Progress: a send in rendezvous whose receiver has posted the receive, and computes. Most libraries move such a
// message only when the receiver calls MPI again, so that the sender waits until then. The class is our own, Scalasca
// has none; it counts only where nothing else explains the call.
//
// Hardware and progress threads move messages meanwhile. A trace tells: there, sends are complete while the receiver is
// still away. On the recorded traces of Open MPI and MPICH 2 of 240 are.

import (
	"math"
	"slices"
)

// progress holds a worker's data on sends whose receivers are outside of MPI.
type progress struct {
	best Wait // of the call; To -1: none
	// by way: number of sends that ended after the receiver was back in MPI, and before
	after, before [len(Result{}.Eager)]int
	near          []int32 // by thread: the last call found
}

func (p *progress) begin(threads int) {
	if len(p.near) < threads {
		p.near = make([]int32, threads)
	}
}

// lateProgress finds the wait of call k until the receiver of a message is back in MPI.
func (f *finder) lateProgress(k int32, m *sending, flags Flags) {
	if f.simulated || m.posted == ownMessage {
		return
	}
	enter, exit := f.calls.enter[k], f.calls.exit[k]
	announced := enter
	if m.call != k {
		announced = f.calls.exit[m.call]
	}
	to := f.t.Comms.Recv[m.message]
	first := f.t.Tasks[f.t.ThreadTask[to]].FirstThread
	back := f.inMPI(f.progress.near[first:], to, max(announced, m.posted))
	if back <= enter {
		return
	}
	way := f.way(f.thread, to)
	if back >= min(exit, f.doneAt(m.message)) {
		f.progress.before[way]++
		return
	}
	f.progress.after[way]++
	better(&f.progress.best, Wait{To: back, Class: LateProgress, Cause: to, Kind: ToMessage, Ref: m.message,
		Flags: flags})
}

// inMPI returns the first time since at when a thread of th's task is in a call; near has, by thread of the task, the
// last call found.
func (a *analysis) inMPI(near []int32, th int32, at int64) int64 {
	task := &a.t.Tasks[a.t.ThreadTask[th]]
	first := int64(math.MaxInt64)
	for i := range near[:task.Threads] {
		l := &a.lanes[int(task.FirstThread)+i]
		k := l.lastEntered(int(near[i]), at)
		near[i] = int32(k)
		if k >= 0 && l.calls.exit[k] >= at {
			return at
		}
		if k+1 < l.calls.len() {
			first = min(first, l.calls.enter[k+1])
		}
	}
	return first
}

// dropProgress drops Late Progress for kinds of route where more than one in ten messages moved without the receiver.
func (a *analysis) dropProgress(crew []finder, lists [][]Wait) {
	alone := &a.out.alone
	for way := range alone {
		before, after := 0, 0
		for i := range crew {
			before, after = before+crew[i].progress.before[way], after+crew[i].progress.after[way]
		}
		alone[way] = before > 0 && 10*before > before+after
	}
	if !slices.Contains(alone[:], true) {
		return
	}
	for i := range lists {
		lists[i] = slices.DeleteFunc(lists[i], func(w Wait) bool {
			return w.Class == LateProgress && alone[a.way(w.Thread, w.Cause)]
		})
	}
}
