package remedy

// Masters and workers: a thread hands out tasks on request. The rounds of the run are played again, request by request,
// with another order, more workers, more tasks at a time, or a faster master.

import (
	"cmp"
	"container/heap"
	"fmt"
	"math"
	"slices"

	"pview/insight/cause"
	"pview/insight/report"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/quantile"
)

// task is a task of a farm.
type task struct {
	given    int64   // when the master sent it
	worker   int32   // that executed it
	time     float64 // of computation
	master   float64 // the master's computation for it
	from, to int64   // of the computation
}

// round are the tasks between two operations of all threads, in the order in which they were handed out.
type round struct {
	from, to int64
	tasks    []task
}

// farm is a master with its workers.
type farm struct {
	master  int32
	workers []int32 // all workers
	active  []int32 // those that work
	rounds  []round
	region  int32 // of the tasks
	prepare int32 // of the master's computation
	// serve is the master's time per request excluding computation, travel the time a request and its answer are in
	// flight.
	serve, travel float64
}

// farms finds the master of each application, and the possible gains in its rounds.
func farms(r *Run) (list []*Candidate) {
	for _, team := range r.teams {
		list = append(list, r.farmOf(team)...)
	}
	return list
}

func (r *Run) farmOf(team []int32) []*Candidate {
	f := (&farmReader{Run: r, team: team}).findFarm()
	if f == nil {
		return nil
	}
	if !f.calibrate() {
		return nil // this model does not reproduce the rounds
	}
	var list []*Candidate
	try := func(p plan, rule report.RuleID, kind report.Kind) *Candidate {
		sum := 0.0
		for i := range f.rounds {
			sum += max(0, f.play(&f.rounds[i], plan{})-f.play(&f.rounds[i], p))
		}
		c := &Candidate{Rule: rule, Kind: kind, When: report.Steady, Region: f.region, Gain: int64(sum),
			Estimate: int64(sum)}
		list = append(list, c)
		return c
	}
	name := r.RegionName(f.region)
	longest := try(plan{lastFirst: true}, LargeTasksID, report.Grain)
	r.wordLong(longest, f, name)
	if idle := f.idle(); len(idle) > 0 {
		c := try(plan{all: true}, MastersID, report.Workers)
		c.Threads = idle
		c.Title = fmt.Sprintf("idle workers: only %d of %d workers execute %s, no task for %s", len(f.active),
			len(f.workers), name, r.names(idle))
		c.Advice = "hand out tasks to all workers: more workers for the same tasks"
		c.Spec = "workers:threads=" + r.specThreads(idle)
	}
	var grain *Candidate
	for _, n := range [...]int{2, 4, 8, 16} {
		list0 := list
		c := try(plan{together: n}, GrainID, report.Grain)
		list = list0
		c.Title = fmt.Sprintf("tasks are too small: %s takes %s, handing one out %s; %d tasks at a time would be good",
			name, r.span(f.meanTask()), r.span(f.serve+f.travel+f.meanMaster()), n)
		c.Advice = "larger tasks: hand out several at a time"
		c.Spec = fmt.Sprintf("pack:threads=%s:%d", r.Graph.ThreadName(f.master), n)
		if grain == nil || c.Gain > grain.Gain {
			grain = c
		}
	}
	list = append(list, grain)
	if f.prepare >= 0 {
		c := try(plan{fast: true}, MastersID, report.Master)
		c.Threads, c.Region = []int32{f.master}, f.prepare
		c.Title = fmt.Sprintf("the master %s is a bottleneck: %s takes %s per task, and the workers wait",
			r.Graph.ThreadName(f.master), r.RegionName(f.prepare), r.span(f.meanMaster()))
		c.Advice = "shorten what the master does per task, let the workers do it, or use several masters"
		c.Spec = fmt.Sprintf("faster:region=%s/threads=%s:100%%", r.RegionName(f.prepare), r.Graph.ThreadName(f.master))
	}
	for _, c := range list {
		if c.Evidence == nil {
			c.Evidence = []report.Evidence{{From: f.rounds[0].from, To: f.rounds[0].to, Threads: []int32{f.master},
				Why: "a round of tasks", Cost: float64(c.Gain)}}
		}
	}
	return list
}

// calibrate raises the master's time per request until the rounds take as long as they did: it includes the time
// between a send and the next receive. It reports whether that succeeds.
func (f *farm) calibrate() bool {
	measured := 0.0
	for i := range f.rounds {
		measured += float64(f.rounds[i].to - f.rounds[i].from)
	}
	now := func() (sum float64) {
		for i := range f.rounds {
			sum += f.play(&f.rounds[i], plan{})
		}
		return sum
	}
	least := f.serve
	for low, high := least, 4*least; high-low > 0.001*least; {
		if f.serve = (low + high) / 2; now() < measured {
			low = f.serve
		} else {
			high = f.serve
		}
	}
	return math.Abs(now()-measured) <= 0.1*measured
}

// wordLong describes a long task that comes late.
func (r *Run) wordLong(c *Candidate, f *farm, name string) {
	var worst *task
	best := 0.0
	for i := range f.rounds {
		x := &f.rounds[i]
		gain := f.play(x, plan{}) - f.play(x, plan{lastFirst: true})
		for k := range x.tasks {
			if t := &x.tasks[k]; gain > best && (worst == nil || t.to > worst.to) {
				worst = t
			}
		}
		best = max(best, gain)
	}
	if worst == nil {
		return
	}
	c.Threads = []int32{worst.worker}
	c.Title = fmt.Sprintf("a long task comes last: %s of %s on %s, while the other workers are done (a task takes "+
		"%s on average)",
		r.span(worst.time), name, r.Graph.ThreadName(worst.worker), r.span(f.meanTask()))
	c.Advice = "hand out the longest tasks first, or divide them"
	c.Spec = "longest-first"
	c.Evidence = []report.Evidence{{From: worst.from, To: worst.to, Threads: []int32{worst.worker},
		Why:  "the last task",
		Cost: worst.time}}
}

// idle returns the workers without a task.
func (f *farm) idle() (list []int32) {
	for _, w := range f.workers {
		if !slices.Contains(f.active, w) {
			list = append(list, w)
		}
	}
	return list
}

func (f *farm) mean(of func(t *task) float64) float64 {
	sum, n := 0.0, 0
	for i := range f.rounds {
		for k := range f.rounds[i].tasks {
			sum += of(&f.rounds[i].tasks[k])
			n++
		}
	}
	return sum / float64(max(1, n))
}

func (f *farm) meanTask() float64   { return f.mean(func(t *task) float64 { return t.time }) }
func (f *farm) meanMaster() float64 { return f.mean(func(t *task) float64 { return t.master }) }

// plan is the plan of a round.
type plan struct {
	lastFirst bool // the task that ended last goes first
	all       bool // all workers
	together  int  // tasks at a time; 0: 1
	fast      bool // the master needs no time for a task
}

// perTask is the master's time, as a share of the task's, from which it is work for that task: below, it is the cost of
// handing out, which several tasks can share.
const perTask = 0.25

// asking has the time of each worker's next request, as a heap.
type asking []float64

func (h asking) Len() int           { return len(h) }
func (h asking) Less(i, j int) bool { return h[i] < h[j] }
func (h asking) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *asking) Push(x any)        { *h = append(*h, x.(float64)) }
func (h *asking) Pop() any {
	x := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return x
}

// play returns the time of a round: each request in turn gets the next tasks, and later requests are told that no task
// remains.
func (f *farm) play(x *round, p plan) float64 {
	tasks := x.tasks
	if p.lastFirst {
		tasks = slices.Clone(tasks)
		last := 0
		for i := range tasks {
			if tasks[i].to > tasks[last].to {
				last = i
			}
		}
		t := tasks[last]
		copy(tasks[1:last+1], tasks[:last])
		tasks[0] = t
	}
	workers := len(f.active)
	if p.all {
		workers = len(f.workers)
	}
	together := max(1, p.together)
	ask := make(asking, workers)
	free, end := 0.0, 0.0
	for len(ask) > 0 {
		at := heap.Pop(&ask).(float64) + f.travel/2
		free = max(free, at) + f.serve
		work := 0.0
		n := min(together, len(tasks))
		for i, t := range tasks[:n] {
			work += t.time
			if !p.fast && (i == 0 || t.master > perTask*t.time) {
				free += t.master
			}
		}
		tasks = tasks[n:]
		there := free + f.travel/2
		end = max(end, there+work)
		if n > 0 {
			heap.Push(&ask, there+work)
		}
	}
	return end
}

// farmReader finds a farm in the messages of a run.
type farmReader struct {
	*Run
	team              []int32    // the threads of the application
	bounds            [][2]int64 // of the remaining rounds
	replied           int        // answers to the last to ask
	serve, travel     []float64
	flight            float64
	active            map[int32]bool
	regions, prepares map[int32]float64 // time by region
}

// findFarm finds the master of an application; nil if there is none.
func (r *farmReader) findFarm() *farm {
	g := r.Graph
	c := &g.T.Comms
	if len(r.team) < 4 {
		return nil
	}
	// The thread at one end of all messages.
	count := make([]int, r.threads)
	messages := 0
	for m := range c.Len() {
		if g.T.ThreadPtask(c.Send[m]) == g.T.ThreadPtask(r.team[0]) {
			messages++
			count[c.Send[m]]++
			count[c.Recv[m]]++
		}
	}
	f := &farm{master: r.team[0], region: -1, prepare: -1}
	for _, th := range r.team {
		if count[th] > count[f.master] {
			f.master = th
		}
	}
	if count[f.master] < messages*9/10 || messages < 4*len(r.team) {
		return nil
	}
	f.workers = others(r.team, []int32{f.master})
	if !r.readRounds(f) {
		return nil
	}
	return f
}

// readRounds reads the tasks of all rounds; false if they are not a farm's.
func (r *farmReader) readRounds(f *farm) bool {
	g := r.Graph
	c := &g.T.Comms
	sent := g.T.Threads[f.master].Comm[prv.LogicalSend]
	received := g.T.Threads[f.master].Comm[prv.PhysicalRecv]
	if len(sent) == 0 || len(received) < len(sent) {
		return false
	}
	r.bounds = r.roundBounds()
	r.active, r.regions, r.prepares = map[int32]bool{}, map[int32]float64{}, map[int32]float64{}
	next := 0
	for _, m := range sent {
		g.Look()
		msg, ok := g.Waits.Message(m)
		if !ok || msg.Complete < 0 || msg.Send < 0 {
			return false
		}
		// The answered request: the last one received before.
		for next < len(received) && c.Times[prv.PhysicalRecv][received[next]] <= msg.Sent {
			next++
		}
		if next == 0 {
			continue
		}
		if !r.enter(f, msg.Sent) {
			return false
		}
		r.answer(f, m, received[next-1], &msg)
	}
	if n := len(f.rounds); n > 0 && len(f.rounds[n-1].tasks) == 0 {
		f.rounds = f.rounds[:n-1]
	}
	if r.replied < len(sent)*8/10 || len(r.active) < 2 || len(f.rounds) == 0 {
		return false
	}
	for _, w := range f.workers {
		if r.active[w] {
			f.active = append(f.active, w)
		}
	}
	f.serve, f.travel = quantile.Median(r.serve), min(quantile.Below(slices.Clone(r.travel), 0.1), r.flight)
	f.region, f.prepare = most(r.regions), most(r.prepares)
	return f.region >= 0
}

// enter advances to the round at a time; false if there is none.
func (r *farmReader) enter(f *farm, at int64) bool {
	for len(f.rounds) == 0 || at > f.rounds[len(f.rounds)-1].to {
		if len(r.bounds) == 0 {
			return false
		}
		if n := len(f.rounds); n == 0 || len(f.rounds[n-1].tasks) > 0 {
			f.rounds = append(f.rounds, round{})
		}
		now := &f.rounds[len(f.rounds)-1]
		now.from, now.to = r.bounds[0][0], r.bounds[0][1]
		r.bounds = r.bounds[1:]
	}
	return true
}

// answer reads the master's work for a request, and the worker's work after it.
func (r *farmReader) answer(f *farm, m, request int32, msg *waits.Message) {
	g := r.Graph
	c := &g.T.Comms
	w := c.Recv[m]
	if c.Send[request] == w {
		r.replied++
	}
	taken := c.Times[prv.PhysicalRecv][request]
	work := r.computing(f.master, taken, msg.Sent)
	call := g.Waits.Call(f.master, int(msg.Send))
	r.serve = append(r.serve, float64(call.Exit-taken)-work)
	r.flight = float64(r.Graph.Net.Transfer(request) + r.Graph.Net.Transfer(m) + r.Graph.Net.Handling[extrae.Recv])
	t := task{given: msg.Sent, worker: w, master: work, from: msg.Done}
	stop := r.nextCall(w, msg.Done)
	r.eachIn(w, msg.Done, stop, func(s *cause.Stretch) {
		t.time += float64(s.Length())
		t.to = s.To
		r.regions[s.Region] += float64(s.Length())
	})
	if asked, ok := g.Waits.Message(request); ok && asked.Sent < msg.Done {
		r.travel = append(r.travel, max(0, float64(msg.Done-asked.Sent)-float64(call.Exit-taken)))
	}
	r.eachIn(f.master, taken, msg.Sent, func(s *cause.Stretch) { r.prepares[s.Region] += float64(s.Length()) })
	if stop == g.T.Duration || !r.asks(w, stop, f.master) {
		return // told that no task remains
	}
	r.active[w] = true
	now := &f.rounds[len(f.rounds)-1]
	now.tasks = append(now.tasks, t)
}

// most returns the region with most time; -1 for none.
func most(times map[int32]float64) int32 {
	best := int32(-1)
	for region, t := range times {
		if best < 0 || t > times[best] || t == times[best] && region < best {
			best = region
		}
	}
	return best
}

// eachIn calls do for the stretches of a thread that begin in an interval.
func (r *Run) eachIn(thread int32, from, to int64, do func(s *cause.Stretch)) {
	own := r.ByThread[thread]
	k, _ := slices.BinarySearchFunc(own, from, func(s cause.Stretch, at int64) int { return cmp.Compare(s.From, at) })
	for ; k < len(own) && own[k].From < to; k++ {
		do(&own[k])
	}
}

// nextCall returns the start of the next call of a thread after a time.
func (r *farmReader) nextCall(thread int32, at int64) int64 {
	k := r.Graph.Waits.CallAfter(thread, at)
	if k == r.Graph.Waits.Calls(thread) {
		return r.Graph.T.Duration
	}
	return r.Graph.Waits.Call(thread, k).Enter
}

// asks reports whether the call of a thread at a time sends to another one.
func (r *farmReader) asks(thread int32, at int64, to int32) bool {
	c := &r.Graph.T.Comms
	list := r.Graph.T.Threads[thread].Comm[prv.LogicalSend]
	times := c.Times[prv.LogicalSend]
	k, _ := slices.BinarySearchFunc(list, at, func(m int32, t int64) int { return cmp.Compare(times[m], t) })
	return k < len(list) && times[list[k]] == at && c.Recv[list[k]] == to
}

// roundBounds returns the times between operations of all threads of the application.
func (r *farmReader) roundBounds() (bounds [][2]int64) {
	from := int64(0)
	list := r.Graph.CollectivesIn(0, r.End+1)
	for _, i := range list {
		x := &r.Graph.Waits.Instances[i]
		if int(x.Parts) < len(r.team) || r.Graph.T.ThreadPtask(r.Graph.Waits.Members(x)[0].Thread) !=
			r.Graph.T.ThreadPtask(r.team[0]) {
			continue
		}
		if x.Last > from {
			bounds = append(bounds, [2]int64{from, x.Last})
		}
		from = x.Left
	}
	return append(bounds, [2]int64{from, r.End})
}
