package diagnose

// The idle ledger: each nanosecond of idle time has one cause.
//
// Inside a wait it is what the cause was doing; the rest of a call is transfer or the cost of a collective operation;
// after the last unit of a thread it is the end of the run.

import (
	"context"
	"sort"

	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/parallel"
)

// Cause is a cause of idle time.
type Cause uint8

// The causes.
const (
	SenderLate Cause = iota
	SenderOverhead
	Inherited
	ReceiverLate
	SyncImbalance
	CollectiveCost
	Transfer
	Contention
	ThreadImbalance
	Serial
	LockHeld
	Scheduling
	ReceiveDelay
	LoadDistribution
	TooFewTasks
	EndOfRun
	OtherCause

	numCauses
)

// Causes are the causes of idle time, with a key for programs.
var Causes = [numCauses]struct{ Key, Name, Doc string }{
	{"late_sender", "Late sender", "the sender computed"},
	{"sender_overhead", "Sender overhead", "the sender was in the runtime, or in other calls"},
	{"inherited", "Inherited", "the sender waited itself"},
	{"late_receiver", "Late receiver", "a send waited for its receive"},
	{"imbalance", "Imbalance at synchronisation", "others had not yet entered a collective operation"},
	{"collective_cost", "Cost of collectives", "from the last entry on"},
	{"transfer", "Transfer", "a message on its way, and its handling"},
	{"contention", "Contention", "transfer beyond latency and bandwidth"},
	{"thread_imbalance", "Imbalance of threads", "others of the OpenMP team had not yet arrived"},
	{"serial", "No parallelism", "OpenMP threads with nothing to do, most of it outside of parallel regions"},
	{"lock", "Lock", "a lock or task of another thread"},
	{"scheduling", "Scheduling", "other entries ran first while the message of the sender was queued"},
	{"receive_delay", "Receive delay", "the message was there"},
	{"load_distribution", "Load distribution", "tasks were queued elsewhere"},
	{"too_few_tasks", "Too few tasks", "a task for the balancer, of which none was queued anywhere"},
	{"end", "End of run", "nothing left to do"},
	{"other", "Other", "the records do not tell"},
}

// Ledger is idle time by cause, in the trace's unit. It sums to the idle time.
type Ledger [numCauses]int64

// Sum is the idle time.
func (l *Ledger) Sum() (sum int64) {
	for _, v := range l {
		sum += v
	}
	return sum
}

// directCause are the causes of waits that do not depend on what the other thread did meanwhile.
var directCause = map[waits.Class]Cause{
	waits.LateReceiver: ReceiverLate, waits.WaitNxN: SyncImbalance, waits.WaitBarrier: SyncImbalance,
	waits.WaitFinalize: SyncImbalance,
	waits.WaitFence:    SyncImbalance, waits.LateBroadcast: SyncImbalance, waits.EarlyReduce: SyncImbalance,
	waits.EarlyScan:    SyncImbalance,
	waits.TeamImplicit: ThreadImbalance, waits.TeamExplicit: ThreadImbalance, waits.IdleWorker: Serial,
	waits.LockWait: LockHeld, waits.TaskWait: LockHeld, waits.LockContention: LockHeld,
}

// partCause are the causes of a wait for a sender by what that one does.
var partCause = [extrae.NumParts]Cause{extrae.PartUser: SenderLate, extrae.PartOverhead: SenderOverhead,
	extrae.PartIO:   SenderOverhead,
	extrae.PartIdle: Inherited, extrae.PartAbsent: OtherCause}

// buildLedger sums the idle time of all threads by cause.
func (a *analysis) buildLedger(ctx context.Context) error {
	a.findGroups()
	lists := make([]Ledger, a.T.NumThreads())
	err := parallel.Each(ctx, len(lists), 0, func(_, i int) error {
		lists[i] = a.ledgerOf(int32(i), 0, a.T.Duration)
		return ctx.Err()
	})
	for i := range lists {
		for c, v := range lists[i] {
			a.out.Ledger[c] += v
		}
	}
	return err
}

// ledgerOf explains the idle time of a thread in a stretch.
func (a *analysis) ledgerOf(thread int32, from, to int64) (l Ledger) {
	last := int64(0) // end of the last unit
	if own := a.OfThread(thread); len(own) > 0 {
		last = own[len(own)-1].End
	}
	a.EachPart(thread, from, to, func(from, to int64, part extrae.Part) {
		if part != extrae.PartIdle {
			return
		}
		if a.Driven != nil {
			a.explainGap(&l, thread, from, to)
			return
		}
		a.explainIdle(&l, thread, from, to, last)
	})
	return l
}

// explainIdle explains one idle stretch. Waits lie in stretches of their own.
func (a *analysis) explainIdle(l *Ledger, thread int32, from, to, last int64) {
	if w := a.WaitAt(thread, from); w != nil {
		to := min(to, w.To)
		if cause, ok := directCause[w.Class]; ok {
			l[cause] += to - from
			return
		}
		if w.Cause < 0 {
			l[OtherCause] += to - from
			return
		}
		a.EachPart(w.Cause, from, to, func(from, to int64, part extrae.Part) { l[partCause[part]] += to - from })
		return
	}
	if from >= last && !a.inGroup(thread, from) {
		l[EndOfRun] += to - from
		return
	}
	for from < to {
		stop, cause := a.callCause(thread, from, to)
		if cause == Transfer {
			if usual := int64(a.Params.Transfer(a.SizeInCall(thread, from))); stop-from > usual && usual > 0 {
				l[Contention] += stop - from - usual
				l[Transfer] += usual
				from = stop
				continue
			}
		}
		if cause == OtherCause && a.T.Tasks[a.T.ThreadTask[thread]].Threads > 1 {
			cause = Serial
		}
		l[cause] += stop - from
		from = stop
	}
}

// explainGap explains one idle stretch of a message-driven run by the unit that ends it.
func (a *analysis) explainGap(l *Ledger, thread int32, from, to int64) {
	own := a.OfThread(thread)
	k := sort.Search(len(own), func(k int) bool { return own[k].Begin >= to })
	if k == len(own) {
		l[EndOfRun] += to - from
		return
	}
	i := a.FirstUnit[thread] + int32(k)
	x, s := &own[k], &a.Driven.Starts[i]
	if x.Creator < 0 || s.Resumed {
		l[OtherCause] += to - from
		return
	}
	created, queued := min(max(a.Created(i), from), to), min(max(s.Queued, from), to)
	if a.IsDynamic(i) {
		for _, g := range a.StagesIn(from, created) {
			if g.Available > g.Running {
				l[LoadDistribution] += g.To - g.From
			} else {
				l[TooFewTasks] += g.To - g.From
			}
		}
	} else {
		a.explainCreator(l, x.Creator, from, created)
	}
	queued = max(queued, created)
	way, usual := queued-created, queued-created
	if x.Via >= 0 {
		if t := int64(a.Params.Transfer(a.Size(x.Via))); t > 0 {
			usual = min(way, t)
		}
	}
	l[Transfer] += usual
	l[Contention] += way - usual
	l[ReceiveDelay] += to - queued
}

// explainCreator explains the time until a unit creates what another thread waits for.
func (a *analysis) explainCreator(l *Ledger, creator int32, from, to int64) {
	y := &a.Units[creator]
	queued := a.Driven.Starts[creator].Queued
	a.EachPart(y.Thread, from, to, func(from, to int64, part extrae.Part) {
		if part != extrae.PartUser {
			l[partCause[part]] += to - from
			return
		}
		// Before it begins others run: first while its message was not there yet.
		there := min(max(queued, from), to)
		begin := min(max(y.Begin, there), to)
		l[Inherited] += there - from
		l[Scheduling] += begin - there
		l[SenderLate] += to - begin
	})
}

// findGroups marks the calls of each thread that are a collective operation with others.
func (a *analysis) findGroups() {
	a.grouped = make([]prv.Bits, a.T.NumThreads())
	for i := range a.grouped {
		a.grouped[i] = prv.NewBits(a.Waits.Calls(int32(i)))
	}
	for i := range a.Waits.Instances {
		if x := &a.Waits.Instances[i]; x.Parts > 1 {
			for _, m := range a.Waits.Members(x) {
				if m.Call >= 0 {
					a.grouped[m.Thread].Set(int(m.Call))
				}
			}
		}
	}
}

// inGroup reports whether a thread is in a collective operation with others at a time.
func (a *analysis) inGroup(thread int32, at int64) bool {
	k := a.Waits.CallAfter(thread, at)
	return k < a.Waits.Calls(thread) && a.Waits.Call(thread, k).Enter <= at && a.grouped[thread].Has(k)
}

// callCause is the cause of idle time in a call, after its wait, and the end of that.
func (a *analysis) callCause(thread int32, from, to int64) (int64, Cause) {
	k := a.Waits.CallAfter(thread, from)
	if k >= a.Waits.Calls(thread) {
		return to, OtherCause
	}
	c := a.Waits.Call(thread, k)
	if c.Enter > from {
		return min(to, c.Enter), OtherCause
	}
	stop := min(to, c.Exit)
	switch {
	case c.Kind.Is(extrae.Group):
		return stop, CollectiveCost
	case c.Kind.Is(extrae.Completes | extrae.Sends):
		return stop, Transfer
	}
	return stop, OtherCause
}
