package phase

// The contents of the events: collective operations and iterations, one pass over each thread.

import (
	"cmp"
	"context"
	"slices"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
	"pview/prv/parallel"
)

// finder finds the phases of one application.
type finder struct {
	ctx     context.Context
	t       *prv.Trace
	several bool    // applications
	threads []int32 // of the application
	tasks   []int32
	words   *extrae.Vocabulary
	kinds   *extrae.TypeTable     // of the types kind
	rows    [][]uint32            // by position in threads: the events that matter
	found   []found               // by position in threads
	calls   []map[int64][]arrival // by process and communicator: the blocking collective calls, in order
}

// kind is the role of an event type.
type kind uint8

const (
	other kind = iota
	call
	collective // also a call
	function
	marker
)

// arrival is a process's part in a collective operation.
type arrival struct{ begin, end int64 }

// found are the boundaries in the events of one thread.
type found struct {
	// collectives are the blocking collective calls by communicator.
	collectives map[int64][]arrival
	markers     []int64
}

// choose chooses the threads of an application.
func (f *finder) choose(ptask int) {
	f.several = ptask == 0 && len(f.t.Ptasks) > 1
	for i, p := range f.t.Ptasks {
		if ptask != 0 && i != ptask-1 {
			continue
		}
		for task := p.FirstTask; task < p.FirstTask+p.Tasks; task++ {
			f.tasks = append(f.tasks, task)
			own := f.t.Tasks[task]
			for th := own.FirstThread; th < own.FirstThread+own.Threads; th++ {
				f.threads = append(f.threads, th)
			}
		}
	}
}

// read reads the events of all threads. With devices, the operations on their streams distinguish phases.
func (f *finder) read(mark uint32, steps bool) error {
	f.words = extrae.Of(f.t.Labels)
	kinds := map[uint32]uint8{}
	for _, typ := range f.words.Family(extrae.MPI) {
		kinds[typ] = uint8(call)
	}
	if typ, ok := f.words.Type(extrae.MPICollective); ok {
		kinds[typ] = uint8(collective)
	}
	for _, typ := range f.words.Family(extrae.Functions) {
		kinds[typ] = uint8(function)
	}
	if steps && device.Streams(f.t) > 0 {
		kinds = map[uint32]uint8{device.Kernel: uint8(function), device.Collective: uint8(function),
			device.Memory: uint8(function)}
	}
	if mark != 0 {
		kinds[mark] = uint8(marker)
	}
	f.kinds = extrae.NewTypeTable(kinds)
	f.found, f.rows = make([]found, len(f.threads)), make([][]uint32, len(f.threads))
	err := parallel.For(f.ctx, len(f.threads), f.readThread)
	f.calls = make([]map[int64][]arrival, len(f.tasks))
	for i := range f.tasks {
		f.calls[i] = f.join(i)
	}
	return err
}

// join returns the collective calls of all threads of a process.
func (f *finder) join(task int) map[int64][]arrival {
	own := f.t.Tasks[f.tasks[task]]
	all := f.found[f.position(own.FirstThread)].collectives
	for th := own.FirstThread + 1; th < own.FirstThread+own.Threads; th++ {
		for comm, list := range f.found[f.position(th)].collectives {
			all[comm] = append(all[comm], list...)
			slices.SortStableFunc(all[comm], func(a, b arrival) int { return cmp.Compare(a.begin, b.begin) })
		}
	}
	return all
}

func (f *finder) readThread(i int) (err error) {
	out := &f.found[i]
	out.collectives = map[int64][]arrival{}
	e := &f.t.Threads[f.threads[i]].Events
	if f.rows[i], err = f.pick(e); err != nil {
		return err
	}
	open, comm := -1, int64(0) // the collective call that is open
	for _, k := range f.rows[i] {
		typ, value, time := e.Type[k], e.Value.At(int(k)), e.Time[k]
		switch what := kind(f.kinds.Part(typ)); {
		case what == marker && value != 0:
			out.markers = append(out.markers, time)
		case what != collective:
		case value == 0 && open >= 0:
			out.collectives[comm][open].end = time
			open = -1
		case value != 0 && f.blocks(typ, value):
			comm = f.communicator(e, int(k))
			open = len(out.collectives[comm])
			out.collectives[comm] = append(out.collectives[comm], arrival{time, f.t.Duration})
		}
	}
	return nil
}

// pick returns the events of a thread that matter. Counters and call sites usually lie between them.
func (f *finder) pick(e *prv.Events) (rows []uint32, err error) {
	for k, typ := range e.Type {
		if k&0xfff == 0 && f.ctx.Err() != nil {
			return nil, f.ctx.Err()
		}
		if f.kinds.Part(typ) != 0 {
			rows = append(rows, uint32(k))
		}
	}
	return rows, nil
}

// blocks reports whether a collective call waits for the others: non-blocking ones do not.
func (f *finder) blocks(typ uint32, value int64) bool {
	return !extrae.StartsOnly(f.t.Labels.ValueName(typ, value))
}

// communicator returns the communicator on the line of an event; 0 if none.
func (f *finder) communicator(e *prv.Events, row int) int64 {
	first := row
	for first > 0 && !e.Lines.Has(first) {
		first--
	}
	for k := first; k < e.Len() && (k <= row || !e.Lines.Has(k)); k++ {
		if e.Type[k] == extrae.CollectiveComm {
			return e.Value.At(k)
		}
	}
	return 0
}

// iterations returns the times at which every process has begun the same iteration: the n-th marks, as many as every
// process has.
func (f *finder) iterations() (list []cut) {
	for i, task := range f.tasks {
		marks := f.marks(task)
		if i == 0 {
			list = make([]cut, len(marks))
		}
		list = list[:min(len(list), len(marks))]
		for i := range list {
			list[i].exit = max(list[i].exit, marks[i])
			list[i].number = int32(i)
		}
	}
	return list
}

// marks returns the marks of the first thread of a process that has any.
func (f *finder) marks(task int32) []int64 {
	own := f.t.Tasks[task]
	for th := own.FirstThread; th < own.FirstThread+own.Threads; th++ {
		if list := f.found[f.position(th)].markers; len(list) > 0 {
			return list
		}
	}
	return nil
}

// position returns the position of a thread in threads, which are in order.
func (f *finder) position(thread int32) int { return int(thread - f.threads[0]) }
