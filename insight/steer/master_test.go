package steer

// Runs of a master and its workers, as pview record writes them.

import (
	"testing"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/record"
)

const (
	us   = 1000
	ms   = 1000 * us
	send = 1 // value of the call
	recv = 2
)

// writing is a run that is being written. Calls of MPI take 1 us.
type writing struct {
	b  *prv.Builder
	at []int64 // by task: end of the last state
}

func newWriting(tasks int, end int64) *writing {
	h := prv.Header{Unit: prv.Nanoseconds, End: end}
	h.AddNode(tasks)
	h.AddPtask()
	for range tasks {
		h.AddTask(1, 0)
	}
	return &writing{b: prv.NewBuilder(h), at: make([]int64, tasks)}
}

// sync lets the master begin an iteration.
func (w *writing) sync(time int64) {
	w.b.Event(0, 0, time, prv.Pair{Type: record.TypeSync, Value: 1})
}

func (w *writing) call(task int32, from, to, value int64) {
	w.b.State(task, task, w.at[task], from, 1)
	w.b.State(task, task, from, to, 4)
	w.b.Event(task, task, from, prv.Pair{Type: extrae.MPIPointToPoint, Value: value})
	w.b.Event(task, task, to, prv.Pair{Type: extrae.MPIPointToPoint, Value: 0})
	w.at[task] = to
}

// message sends at a time; the receiver has waited since its last call.
func (w *writing) message(from, to int32, sent int64) {
	w.b.Comm(prv.Comm{Send: from, SendCPU: from, Recv: to, RecvCPU: to, Size: 1000, Tag: 1,
		Times: [4]int64{sent, sent + us, w.at[to] + us, sent + 2*us}})
	w.call(from, sent, sent+us, send)
	w.call(to, w.at[to]+us, sent+2*us, recv)
}

// iteration lets the master deal chunks of tasks to some workers, each as soon as it has answered. A task is a region.
func (w *writing) iteration(tasks []int64, chunks []int, workers int) {
	type answer struct {
		at   int64
		from int32
	}
	var due []answer
	deal := func(worker int32) {
		w.message(0, worker, w.at[0]+us)
		at := w.at[worker]
		for _, task := range tasks[:chunks[0]] {
			w.b.Event(worker, worker, at, prv.Pair{Type: extrae.UserFunction, Value: 7})
			at += task
			w.b.Event(worker, worker, at, prv.Pair{Type: extrae.UserFunction})
		}
		tasks, chunks = tasks[chunks[0]:], chunks[1:]
		due = append(due, answer{at, worker})
	}
	w.sync(w.at[0])
	for worker := int32(1); worker <= int32(workers) && len(chunks) > 0; worker++ {
		deal(worker)
	}
	for len(due) > 0 {
		first := 0
		for i := range due {
			if due[i].at < due[first].at {
				first = i
			}
		}
		from := due[first].from
		w.message(from, 0, max(due[first].at, w.at[0]))
		due = append(due[:first], due[first+1:]...)
		if len(chunks) > 0 {
			deal(from)
		}
	}
}

func (w *writing) trace(tb testing.TB) *prv.Trace {
	tb.Helper()
	t, err := w.b.Build()
	if err != nil {
		tb.Fatal(err)
	}
	t.Labels = &prv.Labels{}
	for _, s := range prv.DefaultStates {
		t.Labels.AddState(s.Value, s.Label)
	}
	t.Labels.AddType(extrae.MPIPointToPoint, "MPI Point-to-point", prv.ValueLabel{Label: "Outside MPI"},
		prv.ValueLabel{Value: send, Label: "MPI_Send"}, prv.ValueLabel{Value: recv, Label: "MPI_Recv"})
	t.Labels.AddType(extrae.UserFunction, "User function", prv.ValueLabel{Label: "End"},
		prv.ValueLabel{Value: 7, Label: "task"})
	return t
}

// master is a running program: a master of up to six workers that deals tasks to them. It adopts values at the next
// iteration.
type master struct {
	variables []record.Tunable
	tasks     []int64
	perChunk  int // if no variable tells it
	workers   int // likewise
	refuses   int // changes, before it takes one
	pending   int // looks, before a change is carried out
	slow      int // chunks of this size take a pause of 20 ms
	dealt     []dealt
}

// dealt is an iteration: its tasks, in chunks, the number of workers, and the pause after it.
type dealt struct {
	tasks   []int64
	chunks  []int
	workers int
	pause   int64
}

func (m *master) Tunables() []record.Tunable { return m.variables }

func (m *master) Pending(int) bool {
	m.pending--
	return m.pending >= 0
}

func (m *master) Set(i int, value float64, _ int) uint32 {
	if m.refuses--; m.refuses >= 0 {
		return 0
	}
	m.variables[i].Value = value
	return uint32(len(m.dealt)) + 1
}

// run returns the run after some more iterations.
func (m *master) run(tb testing.TB, more int) *prv.Trace {
	tb.Helper()
	each, workers := m.perChunk, m.workers
	for i := range m.variables {
		switch v := &m.variables[i]; {
		case v.Name == "partition" && v.Whole:
			each = int(v.Value)
		case v.Name == "workers":
			workers = int(v.Value)
		}
	}
	d := dealt{tasks: m.tasks, workers: workers}
	for left := len(m.tasks); left > 0; left -= each {
		d.chunks = append(d.chunks, min(each, left))
	}
	if each == m.slow {
		d.pause = 20 * ms
	}
	for range more {
		m.dealt = append(m.dealt, d)
	}
	w := newWriting(7, 0)
	for _, d := range m.dealt {
		w.iteration(d.tasks, d.chunks, d.workers)
		w.at[0] += d.pause
	}
	w.sync(w.at[0])
	return w.trace(tb)
}
