package frameworks

// The parameters of a structure, from a trace: computation from the states, sizes and times from the messages.

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"pview/insight/frameworks/role"
	"pview/prv"
	"pview/prv/calls"
	"pview/prv/extrae"
	"pview/prv/quantile"

	"gonum.org/v1/gonum/stat"
)

// Origin says where the value of a parameter comes from.
type Origin string

// The origins.
const (
	FromTrace Origin = "measured"
	Estimated Origin = "estimated"
	FromUser  Origin = "typed"
	Assumed   Origin = "assumed"
)

// given returns the origin of a parameter that has a default.
func given(byUser bool) Origin {
	if byUser {
		return FromUser
	}
	return Assumed
}

// Value is a parameter with its origin and spread.
type Value struct {
	Value   float64 `json:"value"`
	Origin  Origin  `json:"origin"`
	Samples int     `json:"samples,omitempty"`
	Spread  float64 `json:"spread,omitempty"` // standard deviation
	Note    string  `json:"note,omitempty"`
}

// measured returns the mean of samples, or their median.
func measured(list []float64, middle bool) Value {
	v := Value{Origin: FromTrace, Samples: len(list), Value: mean(list), Spread: deviation(list)}
	if middle {
		v.Value = quantile.Median(list)
	}
	return v
}

func deviation(list []float64) float64 {
	if len(list) < 2 {
		return 0
	}
	return stat.PopStdDev(list, nil)
}

// clock knows the useful time of threads since a time.
type clock struct {
	t     *prv.Trace
	from  int64
	means *extrae.States
	types *calls.Types
	rows  map[int32]*usefulRow
	work  *role.EventMatch
}

// usefulRow is the useful stretches of a thread, and the useful time before each.
type usefulRow struct {
	from, to, before []int64
}

func newClock(t *prv.Trace, w role.Window, work *role.EventMatch) *clock {
	return &clock{t: t, from: max(w.From, 0), means: extrae.StatesOf(t.Labels, extrae.Auto),
		types: calls.TypesOf(t.Labels), rows: map[int32]*usefulRow{}, work: work}
}

// thread returns the communicating thread of a task: its first.
func (c *clock) thread(task int32) int32 { return c.t.Tasks[task].FirstThread }

// useful returns the useful time of a task between two times.
func (c *clock) useful(task int32, from, to int64) float64 {
	if to <= from {
		return 0
	}
	r := c.row(c.thread(task))
	return float64(r.until(to) - r.until(from))
}

// at returns the last stretch that begins at a time or before; -1 if none.
func (r *usefulRow) at(time int64) int {
	return sort.Search(len(r.from), func(i int) bool { return r.from[i] > time }) - 1
}

// covers reports whether a thread is in a stretch at a time and after it.
func (r *usefulRow) covers(at int64) bool {
	i := r.at(at)
	return i >= 0 && at < r.to[i]
}

// until returns the useful time before a time.
func (r *usefulRow) until(at int64) int64 {
	i := r.at(at - 1)
	if i < 0 {
		return 0
	}
	return r.before[i] + min(at, r.to[i]) - r.from[i]
}

func (r *usefulRow) add(from, to int64) {
	before := int64(0)
	if n := len(r.from); n > 0 {
		before = r.before[n-1] + r.to[n-1] - r.from[n-1]
	}
	r.from, r.to, r.before = append(r.from, from), append(r.to, to), append(r.before, before)
}

func (c *clock) row(thread int32) *usefulRow {
	if r, ok := c.rows[thread]; ok {
		return r
	}
	r := &usefulRow{}
	c.rows[thread] = r
	switch s := &c.t.Threads[thread].States; {
	case c.work != nil:
		c.bracketed(thread, r)
	case s.Len() > 0:
		first, _ := slices.BinarySearch(s.Begin, c.from)
		for first > 0 && s.End[first-1] > c.from {
			first--
		}
		for i := first; i < s.Len(); i++ {
			if c.means.Meaning(s.Value[i]) == extrae.Useful && s.End[i] > s.Begin[i] {
				r.add(s.Begin[i], s.End[i])
			}
		}
	default:
		c.outside(thread, r)
	}
	return r
}

// tasks returns the useful times of the units of work that events begin between two times; the last ends with the
// stretch. Without an event the whole stretch is one task.
func (c *clock) tasks(task int32, from, to int64, begins *role.EventMatch) (list []float64) {
	ev := &c.t.Threads[c.thread(task)].Events
	i, _ := slices.BinarySearch(ev.Time, from)
	begin := int64(-1)
	for ; i < len(ev.Type) && ev.Time[i] < to; i++ {
		if ev.Type[i] != begins.Type {
			continue
		}
		if begin >= 0 {
			list = append(list, c.useful(task, begin, ev.Time[i]))
		}
		if begin = -1; begins.Has(ev.Type[i], ev.Value.At(i)) {
			begin = ev.Time[i]
		}
	}
	switch {
	case begin >= 0:
		list = append(list, c.useful(task, begin, to))
	case len(list) == 0:
		list = []float64{c.useful(task, from, to)}
	}
	return list
}

// bracketed takes the stretches between the events that bracket the work.
func (c *clock) bracketed(thread int32, r *usefulRow) {
	ev := &c.t.Threads[thread].Events
	begin := int64(-1)
	first, _ := slices.BinarySearch(ev.Time, c.from)
	for first--; first > 0 && ev.Type[first] != c.work.Type; first-- {
	}
	for i := max(first, 0); i < ev.Len(); i++ {
		switch typ := ev.Type[i]; {
		case typ != c.work.Type:
		case c.work.Has(typ, ev.Value.At(i)):
			begin = ev.Time[i]
		case begin >= 0:
			if ev.Time[i] > begin {
				r.add(begin, ev.Time[i])
			}
			begin = -1
		}
	}
}

// outside takes the time outside of MPI calls, in a trace without states.
func (c *clock) outside(thread int32, r *usefulRow) {
	at, first := int64(0), c.types.Last(c.t, int(thread), c.from, extrae.MPI)
	_ = c.types.EachFrom(c.t, int(thread), first, nil, func(k calls.Call) error {
		if calls.Families[k.Family].Family == extrae.MPI && k.Depth == 0 {
			if k.Begin > at {
				r.add(at, k.Begin)
			}
			at = max(at, k.End)
		}
		return nil
	})
	if c.t.Duration > at {
		r.add(at, c.t.Duration)
	}
}

// measurable reports whether the trace separates computation from communication.
func measurable(t *prv.Trace) bool {
	for i := range t.Threads {
		if t.Threads[i].States.Len() > 0 {
			return true
		}
	}
	types := calls.TypesOf(t.Labels)
	for i := range t.Threads {
		for _, typ := range t.Threads[i].Events.Type {
			if f, ok := types.Family(typ); ok && calls.Families[f].Family == extrae.MPI {
				return true
			}
		}
	}
	return false
}

// Chunk is tasks that the master gives to a worker, up to the worker's answer.
type Chunk struct {
	Worker          int   // position in Roles.Workers
	Sent, Got       int64 // send begins, data has arrived
	Answered, Taken int64 // the answer's send begins, the answer has arrived
	Given, Returned float64
	Compute         float64
	Tasks           []float64 // useful time of each, if events mark the tasks
	Message, Answer int32
}

// Iteration is a round of the master.
type Iteration struct {
	From, To int64   // first send, last answer
	Prepare  float64 // useful time of the master before From, since the iteration before
	Chunks   []Chunk // in the order of their sends
}

// farmRun is a recorded run of a master/worker program.
type farmRun struct {
	Roles      *role.Roles
	Iterations []Iteration
	Unanswered int // messages to workers that no answer follows: start-up data, stop messages
}

// readFarm finds the chunks and iterations of a master.
func readFarm(ctx context.Context, t *prv.Trace, w role.Window, roles *role.Roles) (*farmRun, error) {
	run := &farmRun{Roles: roles}
	place := map[int32]int{}
	for i, task := range roles.Workers {
		place[task] = i
	}
	sends, answers := make([][]int32, len(roles.Workers)), make([][]int32, len(roles.Workers))
	c := &t.Comms
	for m := range w.Messages(t) {
		if m&0xffff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		from, dest := t.ThreadTask[c.Send[m]], t.ThreadTask[c.Recv[m]]
		if i, ok := place[dest]; ok && from == roles.Master {
			sends[i] = append(sends[i], m)
		} else if i, ok := place[from]; ok && dest == roles.Master {
			answers[i] = append(answers[i], m)
		}
	}
	clock := newClock(t, w, roles.Compute)
	var chunks []Chunk
	for i := range sends {
		chunks = append(chunks, run.pair(t, clock, i, sends[i], answers[i])...)
	}
	slices.SortStableFunc(chunks, func(a, b Chunk) int {
		return cmp.Or(cmp.Compare(a.Sent, b.Sent), cmp.Compare(a.Worker, b.Worker))
	})
	if len(chunks) == 0 {
		return nil, fmt.Errorf("no message of the master is answered by a worker")
	}
	run.divide(t, w, chunks)
	run.prepare(t, w)
	return run, nil
}

// pair matches each answer of a worker with the latest unanswered send before it, or with the first of the latest k+1
// if workers have k chunks in reserve.
func (run *farmRun) pair(t *prv.Trace, clock *clock, worker int, sends, answers []int32) (list []Chunk) {
	c := &t.Comms
	byTime := func(a, b int32) int {
		return cmp.Or(cmp.Compare(c.Times[prv.LogicalSend][a], c.Times[prv.LogicalSend][b]), cmp.Compare(a, b))
	}
	slices.SortFunc(sends, byTime)
	slices.SortFunc(answers, byTime)
	var open []int32
	next := 0
	for _, a := range answers {
		at := c.Times[prv.LogicalSend][a]
		for next < len(sends) && c.Times[prv.LogicalSend][sends[next]] < at {
			open = append(open, sends[next])
			next++
		}
		if len(open) == 0 {
			continue
		}
		open = open[max(0, len(open)-1-run.Roles.Prefetch):]
		m := open[0]
		open = open[1:]
		k := Chunk{Worker: worker, Message: m, Answer: a, Sent: c.Times[prv.LogicalSend][m],
			Got: c.Times[prv.PhysicalRecv][m], Answered: at,
			Taken: c.Times[prv.PhysicalRecv][a], Given: float64(c.Size[m]), Returned: float64(c.Size[a])}
		k.Got = min(k.Got, at)
		if n := len(list); n > 0 { // a chunk in reserve waits for its turn
			k.Got = max(k.Got, list[n-1].Answered)
		}
		k.Compute = clock.useful(run.Roles.Workers[worker], k.Got, at)
		if run.Roles.TaskEvent != nil {
			k.Tasks = clock.tasks(run.Roles.Workers[worker], k.Got, at, run.Roles.TaskEvent)
		}
		list = append(list, k)
	}
	run.Unanswered += len(sends) - len(list)
	return list
}

// divide cuts the chunks into iterations: where no answer is due, or at the specified event.
func (run *farmRun) divide(t *prv.Trace, w role.Window, chunks []Chunk) {
	var cuts []int64
	if run.Roles.Iteration != nil {
		ev := &t.Threads[t.Tasks[run.Roles.Master].FirstThread].Events
		first, _ := slices.BinarySearch(ev.Time, w.From)
		for i := first; i < ev.Len(); i++ {
			if run.Roles.Iteration.Has(ev.Type[i], ev.Value.At(i)) {
				cuts = append(cuts, ev.Time[i])
			}
		}
	}
	due := int64(math.MinInt64)
	for _, k := range chunks {
		fresh := len(run.Iterations) == 0
		if run.Roles.Iteration == nil {
			fresh = fresh || k.Sent >= due
		} else {
			for len(cuts) > 0 && cuts[0] <= k.Sent {
				cuts, fresh = cuts[1:], true
			}
		}
		if fresh {
			run.Iterations = append(run.Iterations, Iteration{From: k.Sent, To: k.Taken})
		}
		it := &run.Iterations[len(run.Iterations)-1]
		it.Chunks = append(it.Chunks, k)
		it.To = max(it.To, k.Taken)
		due = max(due, k.Taken)
	}
}

// prepare finds the master's work before each iteration.
func (run *farmRun) prepare(t *prv.Trace, w role.Window) {
	clock := newClock(t, w, nil)
	before := max(w.From, 0)
	for i := range run.Iterations {
		it := &run.Iterations[i]
		if i > 0 {
			it.Prepare = clock.useful(run.Roles.Master, before, it.From)
		}
		before = it.To
	}
}

// typical returns the iterations that count: all except the first, if there are three or more.
func (run *farmRun) typical() []Iteration {
	if len(run.Iterations) >= 3 {
		return run.Iterations[1:]
	}
	return run.Iterations
}

// Time returns the length of an iteration with its preparation.
func (it *Iteration) Time() float64 { return float64(it.To-it.From) + it.Prepare }

// sums returns the bytes each worker got and returned, and its computation.
func (it *Iteration) sums(workers int) Measured {
	m := Measured{Given: make([]float64, workers), Returned: make([]float64, workers),
		Compute: make([]float64, workers), Master: it.Prepare}
	for _, k := range it.Chunks {
		m.Given[k.Worker] += k.Given
		m.Returned[k.Worker] += k.Returned
		m.Compute[k.Worker] += k.Compute
	}
	return m
}

// StageRun is a recorded stage.
type StageRun struct {
	Compute  []float64 // useful time of each item
	Bytes    []float64 // of the messages to the next stage
	Interval []float64 // between successive sends; of the last stage: between completions
	Items    int
	Replicas [][]float64 // useful times of each replica's items
}

// pipelineRun is a recorded run of a pipeline.
type pipelineRun struct {
	Roles  *role.Roles
	Stages []StageRun
	Items  int
}

// flow holds the messages from one stage to the next, in the order of their sends.
type flow struct {
	sent, left, got []int64 // send begins, send ends, data has arrived and is asked for
	from, to        []int32 // tasks
	bytes           []float64
}

// readPipeline finds the items of each stage.
func readPipeline(ctx context.Context, t *prv.Trace, w role.Window, roles *role.Roles) (*pipelineRun, error) {
	n := len(roles.Stages)
	stage := map[int32]int{}
	for i, s := range roles.Stages {
		stage[s.Task] = i
		for _, r := range s.Replicas {
			stage[r] = i
		}
	}
	flows, inner := make([]flow, n), make([]flow, n) // inner: from a manager to its replicas
	c := &t.Comms
	var order []int32
	for m := range w.Messages(t) {
		if m&0xffff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		order = append(order, m)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Compare(c.Times[prv.LogicalSend][a], c.Times[prv.LogicalSend][b])
	})
	for _, m := range order {
		from, dest := t.ThreadTask[c.Send[m]], t.ThreadTask[c.Recv[m]]
		a, okA := stage[from]
		b, okB := stage[dest]
		switch {
		case !okA || !okB:
		case b == a+1:
			flows[a].add(c, m, from, dest)
		case a == b && from == roles.Stages[a].Task && from != dest:
			inner[a].add(c, m, from, dest)
		}
	}
	run := &pipelineRun{Roles: roles, Stages: make([]StageRun, n), Items: math.MaxInt}
	clock := newClock(t, w, roles.Compute)
	for i := range n - 1 {
		if len(flows[i].sent) == 0 {
			return nil, fmt.Errorf("stage %d sends nothing to stage %d", i+1, i+2)
		}
		run.Items = min(run.Items, len(flows[i].sent))
	}
	for i := range n {
		run.stage(clock, i, flows, &inner[i])
	}
	return run, nil
}

func (f *flow) add(c *prv.Comms, m, from, to int32) {
	f.sent = append(f.sent, c.Times[prv.LogicalSend][m])
	f.left = append(f.left, c.Times[prv.PhysicalSend][m])
	f.got = append(f.got, max(c.Times[prv.PhysicalRecv][m], c.Times[prv.LogicalRecv][m]))
	f.from, f.to = append(f.from, from), append(f.to, to)
	f.bytes = append(f.bytes, float64(c.Size[m]))
}

// steady returns the part of the items that counts: after the first n and before the last n-1, if that leaves any.
func steady[T any](list []T, n int) []T {
	if len(list) > 2*n {
		return list[n : len(list)-(n-1)]
	}
	return list
}

// stage measures one stage.
func (run *pipelineRun) stage(clock *clock, i int, flows []flow, inner *flow) {
	s, n := &run.Stages[i], len(flows)
	tasks := run.Roles.Stages[i]
	if i < n-1 {
		s.Bytes = steady(flows[i].bytes, n)
		s.Interval = steady(gaps(flows[i].sent), n)
	}
	if len(tasks.Replicas) > 0 {
		for _, r := range tasks.Replicas {
			own := run.items(clock, r, *inner, i, flows)
			s.Replicas = append(s.Replicas, own)
			s.Compute = append(s.Compute, own...)
		}
	} else {
		var in flow
		if i > 0 {
			in = flows[i-1]
		}
		s.Compute = steady(run.items(clock, tasks.Task, in, i, flows), n)
	}
	s.Items = len(s.Compute)
	if i == n-1 { // an item is done when the next may begin
		got := slices.Sorted(slices.Values(flows[i-1].got))
		s.Interval = steady(gaps(got), n)
	}
}

// items returns the useful times of a task for each of its items: from the data's arrival or the previous send,
// whichever is later, to the send.
func (run *pipelineRun) items(clock *clock, task int32, in flow, stage int, flows []flow) (list []float64) {
	var got, sent, left []int64
	for k, to := range in.to {
		if to == task {
			got = append(got, in.got[k])
		}
	}
	slices.Sort(got)
	if stage < len(flows)-1 {
		out := &flows[stage]
		for k, from := range out.from {
			if from == task {
				sent, left = append(sent, out.sent[k]), append(left, out.left[k])
			}
		}
	}
	switch {
	case len(sent) == 0: // the last stage: until the next item comes
		for k := range got {
			if k+1 < len(got) {
				list = append(list, clock.useful(task, got[k], got[k+1]))
			}
		}
	case len(got) == 0: // the first stage
		for k := 1; k < len(sent); k++ {
			list = append(list, clock.useful(task, min(left[k-1], sent[k]), sent[k]))
		}
	default:
		for len(sent) > 0 && sent[0] < got[0] { // of an item from before the window
			sent, left = sent[1:], left[1:]
		}
		for k := range min(len(got), len(sent)) {
			from := got[k]
			if k > 0 {
				from = max(from, min(left[k-1], sent[k]))
			}
			list = append(list, clock.useful(task, from, sent[k]))
		}
	}
	return list
}

func gaps(times []int64) (list []float64) {
	for k := 1; k < len(times); k++ {
		list = append(list, float64(times[k]-times[k-1]))
	}
	return list
}
