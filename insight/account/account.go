// Package account shows where the time of every thread went, and who caused it. Each thread and instant is in exactly
// one entry, so that the entries sum to threads times run time, to the nanosecond.
//
//	records, waits -> one pass over each thread -> entries; waits -> root causes
//
// Useful time is counted as package efficiency does, and comes first: time in state Running is computing, whatever else
// the records say. So the account has the same parallel efficiency as the factors.
package account

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"pview/insight/eventgraph"
	"pview/prv/extrae/device"
	"pview/prv/extrae/execution"
	"pview/prv/parallel"
	"pview/prv/wide"
)

// Kind is an entry of the account.
type Kind uint8

// The entries.
const (
	Computing Kind = iota
	Preempted
	Wait
	Transfer
	TransferMore
	Call
	Runtime
	NoWork
	IO
	Outside
	Unknown
	// Of devices.
	Memory
	HostWait
	Launch
	Idle

	NumKinds
)

// Kinds are the entries, with their names in JSON and in text.
var Kinds = [NumKinds]struct{ Key, Name, Doc string }{
	{"computing", "computing", "the program's own code on a core"},
	{"preempted", "preempted", "the program's own code without a core: time without cycles"},
	{"wait", "wait for", "in a call, until the other side was ready: by the code that caused it"},
	{"transfer", "transfer", "from then on, what the fitted machine needs for the message or operation"},
	{"transfer-more", "slow transfer", "the rest of a transfer: contention, slow progress, shared cores"},
	{"call", "call", "the call's own time, without waits"},
	{"runtime", "runtime", "OpenMP and tasks: fork, join, scheduling, locks, barriers"},
	{"no-work", "no work", "threads of a team outside of parallel regions, workers without tasks"},
	{"io", "I/O", "input and output"},
	{"outside", "outside", "before the first and after the last record, in MPI_Init and MPI_Finalize, not traced"},
	{"unknown", "unknown", "what the records do not tell"},
	{"memory", "memory", "copies and sets of a device that neither kernels nor communication hide"},
	{"host-wait", "not launched", "a device without work, until the host calls the launch of the next operation"},
	{"launch", "launch", "a device without work, from this call to the start of the operation"},
	{"idle", "idle",
		"a device without work whose next operation is launched, or has no recorded launch: dependencies, gaps"},
}

// String returns the name for programs.
func (k Kind) String() string { return Kinds[k].Key }

// Entry is a part of the account.
type Entry struct {
	Kind Kind
	// Of divides the time: "region=spmv", "cause=advance@1.3.1", "call=MPI_Send/region=halo".
	Of string
	NS wide.Int
}

// Account divides the time of some threads.
type Account struct {
	From, To int64 // ns, from the start of the trace
	Threads  int
	Title    string
	Devices  bool // threads are devices: Threads and ByThread refer to them
	// Entries sum to Whole. They are ordered by kind, then by time, the longest first.
	Entries []Entry
	// ByThread has the sums of each requested thread, in that order. A wait counts for the thread that waits.
	ByThread []Sums

	useful string // what is left of the whole
	losses []Step // see Losses; nil: not found yet
}

// Sums are the times of a thread by entry, ns.
type Sums [NumKinds]int64

// Options select a part of a run. The zero value is all of it.
type Options struct {
	From, To int64   // time range, in the trace's unit; both 0: the window of the run
	Threads  []int32 // nil: all
	// Visit returns the function that gets the stretches of the i-th thread, in order of time and without gaps, in the
	// trace's unit; threads are visited concurrently. nil: no visits.
	Visit func(i int) func(from, to int64, kind Kind)
}

// Window returns the time that is accounted for, ns.
func (a *Account) Window() int64 { return a.To - a.From }

// Whole is threads times window, ns.
func (a *Account) Whole() wide.Int { return wide.Product(a.Window(), int64(a.Threads)) }

// Of returns the time of an entry, ns.
func (a *Account) Of(kind Kind) (sum wide.Int) {
	for i := range a.ByThread {
		sum = sum.Add(a.ByThread[i][kind])
	}
	return sum
}

// Useful returns the useful time, ns: computing, including the time it was preempted.
func (a *Account) Useful() wide.Int { return a.Of(Computing).Plus(a.Of(Preempted)) }

// Loss returns the time that is not useful, ns.
func (a *Account) Loss() wide.Int { return a.Whole().Minus(a.Useful()) }

// Efficiency returns the parallel efficiency: useful time / (threads x run time).
func (a *Account) Efficiency() float64 { return a.Share(a.Useful()) }

// Share returns a time as a share of threads times run time.
func (a *Account) Share(ns wide.Int) float64 {
	if a.Whole() == (wide.Int{}) {
		return 0
	}
	return ns.Float() / a.Whole().Float()
}

// efficiency is the name of the useful time as a share of the whole.
const efficiency = "parallel efficiency"

// New makes the account of a run. The graph of a message-driven run must have its units. The only error is ctx's.
func New(ctx context.Context, g *eventgraph.Graph, opt Options) (a *Account, err error) {
	defer parallel.OnEnd(ctx, &err)
	if opt.From == 0 && opt.To == 0 {
		opt.From, opt.To = execution.Window(g.T)
	}
	if opt.Threads == nil {
		for i := range g.T.NumThreads() {
			opt.Threads = append(opt.Threads, int32(i))
		}
	}
	unit := g.T.Unit.Nanoseconds()
	if !wide.Product(opt.To, unit).Fits() {
		return nil, fmt.Errorf("%s: its times are later than 292 years, more than 63 bits of ns hold", g.T.Path)
	}
	if err = g.FindOffCore(ctx); err != nil {
		return nil, err
	}
	a = &Account{From: opt.From * unit, To: opt.To * unit, Threads: len(opt.Threads),
		Title: "Where the time goes", useful: efficiency, ByThread: make([]Sums, len(opt.Threads))}
	m := &maker{Graph: g, from: opt.From, to: opt.To,
		devices: device.Streams(g.T) > 0, waited: make([]int64, len(g.Waits.Waits))}
	lists := make([]tally, len(opt.Threads))
	err = parallel.For(ctx, len(lists), func(i int) error {
		s := newSweep(ctx, m, opt.Threads[i])
		if opt.Visit != nil {
			s.visit = opt.Visit(i)
		}
		s.run()
		lists[i] = s.tally
		for kind, v := range s.sums {
			a.ByThread[i][kind] = v * unit
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	all := newTally()
	for i := range lists {
		all.join(&lists[i])
	}
	if err := m.divideWaits(ctx, all); err != nil {
		return nil, err
	}
	a.Entries = m.entries(all)
	a.sort()
	a.moveUnknown()
	a.losses = a.findLosses()
	return a, nil
}

// moveUnknown moves the waits that no cause explains to the unknown time of the threads, in the order of threads.
func (a *Account) moveUnknown() {
	var waits wide.Int
	for i := range a.Entries {
		if a.Entries[i].Kind == Wait {
			waits = waits.Plus(a.Entries[i].NS)
		}
	}
	left := a.Of(Wait).Minus(waits)
	for i := range a.ByThread {
		part := min(left.Int64(), a.ByThread[i][Wait])
		a.ByThread[i][Wait] -= part
		a.ByThread[i][Unknown] += part
		left = left.Add(-part)
	}
}

// entries names the parts, and merges those with one name.
func (m *maker) entries(all *tally) []Entry {
	unit := m.T.Unit.Nanoseconds()
	at := map[Entry]int{}
	var list []Entry
	for k, v := range all.all() {
		e := Entry{Kind: k.kind, Of: m.name(k)}
		i, ok := at[e]
		if !ok {
			i = len(list)
			at[e], list = i, append(list, e)
		}
		list[i].NS = list[i].NS.Plus(v.Times(unit))
	}
	return list
}

// sort puts the entries into their order.
func (a *Account) sort() {
	slices.SortFunc(a.Entries, func(x, y Entry) int {
		return cmp.Or(cmp.Compare(x.Kind, y.Kind), y.NS.Compare(x.NS), cmp.Compare(x.Of, y.Of))
	})
}
