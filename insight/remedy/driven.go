package remedy

// Message-driven runs: possible changes to entry methods and the runtime system, each replayed as a program of tasks
// and messages. A candidate changes the times of units, the processors that execute them, or the start of the run.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pview/insight/eventgraph"
	"pview/insight/replay"
	"pview/insight/report"
	"pview/prv/extrae/execution"
	"pview/prv/parallel"
	"pview/prv/quantile"
	"pview/prv/quantity"
	"pview/sim/driven"
)

// DrivenRun is a message-driven run and its replay.
type DrivenRun struct {
	*eventgraph.Graph
	Length    int64 // of the window, by the clocks of the trace
	Base, End int64 // end of the last unit, in the unchanged replay and measured
	Queued    bool  // processors take messages as they come; otherwise in the recorded order

	ctx   context.Context
	begin int64   // of the window
	whole []int64 // by unit: user time of the execution that begins with it; -1: it continues one
}

// drivenEntries are the kinds of changes to try.
var drivenEntries = []struct {
	Entry
	find func(r *DrivenRun) []*Candidate
}{
	{Entry{Doc: "processors execute entry methods as soon as the log begins", Rank: 1, Alone: true},
		(*DrivenRun).startUp},
	{Entry{Doc: "one execution of an entry method takes the usual time", Rank: 1}, (*DrivenRun).oneOff},
	{Entry{Doc: "the runtime system takes the usual time between executions", Rank: 1}, (*DrivenRun).slowRuntime},
	{Entry{Doc: "an entry method takes as long on a processor as on the others", Rank: 2}, (*DrivenRun).slower},
	{Entry{Doc: "an entry method is executed on other processors too", Rank: 3}, (*DrivenRun).oftener},
	{Entry{Doc: "objects, or executions, move to processors with less work", Rank: 4}, (*DrivenRun).loaded},
}

// tried is the maximum number of candidates to replay.
const tried = 64

// NewDrivenRun replays a message-driven run of a given length without a change. The error is ctx's, or says that it
// cannot be replayed.
func NewDrivenRun(ctx context.Context, g *eventgraph.Graph, length int64) (*DrivenRun, error) {
	r := &DrivenRun{Graph: g, Length: length, ctx: ctx, whole: g.Executions()}
	r.begin, _ = execution.Window(g.T)
	for i := range g.Units {
		r.End = max(r.End, g.Units[i].End)
	}
	d := replay.NewDriven(g, nil)
	result, err := driven.Run(ctx, d.Program, driven.Options{})
	if err == nil && float64(max(result.Length-r.End, r.End-result.Length)) <= Reproduces*float64(r.Length) {
		r.Base, r.Queued = result.Length, true
		return r, nil
	}
	if result, err = driven.Run(ctx, d.Program, r.options(d)); err == nil {
		r.Base = result.Length
	}
	return r, err
}

// Reproduces is the maximum error of the unchanged replay's end, as a share of the run.
const Reproduces = 0.01

// options returns the options of the replay. A processor of a message-driven run executes whatever has arrived, so a
// change may reorder its units. If such queues do not reproduce the run, because of unrecorded priorities or times, the
// replay keeps the recorded order.
func (r *DrivenRun) options(d *replay.Driven) driven.Options {
	if r.Queued {
		return driven.Options{}
	}
	return driven.Options{Order: d.Order}
}

// Replay returns the time by which the run is shorter with a change (nil: none), with other options for the replay
// unless they are nil. The error says why such a run is impossible.
func (r *DrivenRun) Replay(e *replay.DrivenEdit, options func(d *replay.Driven) driven.Options) (gain int64,
	err error) {
	if options == nil {
		options = r.options
	}
	d := replay.NewDriven(r.Graph, e)
	result, err := driven.Run(r.ctx, d.Program, options(d))
	if err != nil {
		return 0, err
	}
	return r.Base - result.Length, nil
}

// Gain returns the time by which the run is shorter with a change; 0 if such a run is impossible.
func (r *DrivenRun) Gain(e *replay.DrivenEdit) int64 {
	gain, _ := r.Replay(e, nil)
	return gain
}

// Find implements Replayed.
func (r *DrivenRun) Find(proposed []*Candidate) (list []*Candidate, err error) {
	defer parallel.OnEnd(r.ctx, &err)
	for i := range drivenEntries {
		for _, x := range drivenEntries[i].find(r) {
			x.Entry = &drivenEntries[i].Entry
			list = append(list, x)
		}
	}
	// A gain is hardly ever above its estimate.
	slices.SortStableFunc(list, func(x, y *Candidate) int { return cmp.Compare(y.Estimate, x.Estimate) })
	list = list[:min(len(list), tried)]
	for _, x := range proposed {
		x.Entry = &proposals
		list = append(list, x)
	}
	for _, x := range list {
		if x.Driven != nil && r.ctx.Err() == nil {
			x.Gain = r.Gain(x.Driven)
		}
	}
	list = slices.DeleteFunc(list, func(x *Candidate) bool { return !r.significant(float64(x.Gain)) })
	slices.SortStableFunc(list, func(x, y *Candidate) int { return cmp.Compare(y.Gain, x.Gain) })
	return distinct(r.ctx, list, r.both), r.ctx.Err()
}

// both returns the gain of two candidates together. Candidates with their own simulation are alternatives for the same
// loss.
func (r *DrivenRun) both(x, y *Candidate) int64 {
	if x.Driven == nil || y.Driven == nil {
		return max(x.Gain, y.Gain)
	}
	return r.Gain(x.Driven.Join(y.Driven))
}

// Together implements Replayed.
func (r *DrivenRun) Together(list []*Candidate) (two, all int64) {
	var edits []*replay.DrivenEdit
	for _, x := range list {
		if x.Driven != nil {
			edits = append(edits, x.Driven)
		}
	}
	return gains(edits, r.Gain)
}

func (r *DrivenRun) significant(t float64) bool { return t > 0 && t >= Smallest*float64(r.Length) }

func (r *DrivenRun) span(t int64) string { return r.Span(float64(t)) }

// startUp finds the time that the runtime system takes on every processor before anything executes.
func (r *DrivenRun) startUp() []*Candidate {
	first, least := r.Length, r.Length
	for th := range r.T.Threads {
		if own := r.OfThread(int32(th)); len(own) > 0 {
			use := r.UsageOf(int32(th), r.begin, own[0].Begin)
			first, least = min(first, own[0].Begin-r.begin), min(least, use.Overhead())
		}
	}
	if !r.significant(float64(least)) || len(r.Units) == 0 {
		return nil
	}
	return []*Candidate{{Rule: StartUpID, Kind: report.RuntimeSystem, When: report.InPart, Region: -1,
		Spec: "no-start-up", Driven: &replay.DrivenEdit{Earlier: least}, Estimate: least,
		Title: fmt.Sprintf("no entry method executes in the first %s of what was recorded; the runtime system takes "+
			"at least %s on every processor before its first execution", r.span(first), r.span(least)),
		Advice: "it is the start of the runtime system: trace from after it on, or look for what it does there",
		Evidence: []report.Evidence{{From: r.begin, To: r.begin + first, Why: "no entry method executes",
			Cost: float64(least)}}}}
}

// unusual is the ratio to the usual time from which an execution, or the runtime system between two, is an outlier.
const unusual = 5

// executions returns the whole executions by class and thread.
func (r *DrivenRun) executions() (classes []int32, by map[int32][][]int32) {
	by = map[int32][][]int32{}
	for i, length := range r.whole {
		u := &r.Units[i]
		if length < 0 {
			continue
		}
		if by[u.Class] == nil {
			by[u.Class] = make([][]int32, r.T.NumThreads())
			classes = append(classes, u.Class)
		}
		by[u.Class][u.Thread] = append(by[u.Class][u.Thread], int32(i))
	}
	slices.Sort(classes)
	return classes, by
}

// lengths returns the user times of executions.
func (r *DrivenRun) lengths(units []int32) []float64 {
	list := make([]float64, len(units))
	for k, i := range units {
		list[k] = float64(r.whole[i])
	}
	return list
}

// shorter changes the time of the units of an execution.
func (r *DrivenRun) shorter(e *replay.DrivenEdit, i int32, factor float64) {
	class, thread := r.Units[i].Class, r.Units[i].Thread
	for k := i; k < r.FirstUnit[thread+1]; k++ {
		u := &r.Units[k]
		if u.Class == class {
			if k > i && r.whole[k] >= 0 {
				return
			}
			e.Changes = append(e.Changes, replay.Change{Kind: replay.OfTime, Thread: thread, From: u.Begin, To: u.End,
				Factor: factor})
		}
	}
}

// oneOff finds executions that take far longer than usual.
func (r *DrivenRun) oneOff() (list []*Candidate) {
	classes, by := r.executions()
	for _, class := range classes {
		all := slices.Concat(by[class]...)
		usual := int64(quantile.Median(r.lengths(all)))
		c := &Candidate{Rule: LargeTasksID, Kind: report.Grain, When: report.Periodic, Region: class,
			Spec: "usual:region=" + r.ClassName(class), Driven: &replay.DrivenEdit{}}
		longest, where := int64(0), int32(0)
		for _, i := range all {
			length, u := r.whole[i], &r.Units[i]
			if len(all) < 4 || length < unusual*max(1, usual) || !r.significant(float64(length-usual)) {
				continue
			}
			r.shorter(c.Driven, i, float64(usual)/float64(length))
			c.add(u.Thread, u.Begin, u.End, length-usual, "a long execution")
			if length > longest {
				longest, where = length, u.Thread
			}
		}
		switch n := len(c.Evidence); n {
		case 0:
			continue
		case 1:
			c.When = report.Once
			c.Title = fmt.Sprintf("an execution of %s on %s takes %s, the median of all %s is %s", r.ClassName(class),
				r.ThreadName(where), r.span(longest), quantity.FormatCount(int64(len(all))), r.span(usual))
		default:
			c.Title = fmt.Sprintf("%s of %s executions of %s take %d times their median of %s or more, one on %s %s",
				quantity.FormatCount(int64(n)), quantity.FormatCount(int64(len(all))), r.ClassName(class), unusual,
				r.span(usual), r.ThreadName(where), r.span(longest))
		}
		c.Advice = "split them, or look for what else ran on the processor then"
		list = append(list, c)
	}
	return list
}

// add adds a place where a candidate saves time.
func (c *Candidate) add(thread int32, from, to, saves int64, why string) {
	c.Evidence = append(c.Evidence, report.Evidence{From: from, To: to, Threads: []int32{thread}, Why: why,
		Cost: float64(saves)})
	c.Estimate += saves
	if !slices.Contains(c.Threads, thread) {
		c.Threads = append(c.Threads, thread)
	}
}

// slowRuntime finds where the runtime system takes far longer between two executions than usual.
func (r *DrivenRun) slowRuntime() (list []*Candidate) {
	type gap struct{ from, to, busy int64 }
	gaps := make([][]gap, r.T.NumThreads())
	var times []float64
	for th := range gaps {
		own := r.OfThread(int32(th))
		for k := 1; k < len(own); k++ {
			use := r.UsageOf(int32(th), own[k-1].End, own[k].Begin)
			g := gap{own[k-1].End, own[k].Begin, use.Overhead()}
			gaps[th] = append(gaps[th], g)
			times = append(times, float64(g.busy))
		}
	}
	usual := int64(quantile.Median(times))
	for th, own := range gaps {
		c := &Candidate{Rule: OverheadImbalanceID, Kind: report.RuntimeSystem, When: report.Periodic, Region: -1,
			Spec: "usual-runtime:threads=" + r.ThreadName(int32(th)), Driven: &replay.DrivenEdit{}}
		longest := int64(0)
		for _, g := range own {
			if len(times) < 4 || g.busy < unusual*max(1, usual) || !r.significant(float64(g.busy-usual)) {
				continue
			}
			c.Driven.Changes = append(c.Driven.Changes, replay.Change{Kind: replay.OfOverhead, Thread: int32(th),
				From: g.from, To: g.to, Factor: float64(usual) / float64(g.busy)})
			c.add(int32(th), g.from, g.to, g.busy-usual, "in the runtime system")
			longest = max(longest, g.busy)
		}
		switch n := len(c.Evidence); n {
		case 0:
			continue
		case 1:
			c.When = report.Once
			c.Title = fmt.Sprintf("the runtime system takes %s between two executions on %s, the median is %s",
				r.span(longest), r.ThreadName(int32(th)), r.span(usual))
		default:
			c.Title = fmt.Sprintf("the runtime system takes %d times its median of %s or more between two executions, "+
				"%s times on %s, up to %s", unusual, r.span(usual), quantity.FormatCount(int64(n)),
				r.ThreadName(int32(th)), r.span(longest))
		}
		c.Advice = "look at what the runtime system does there: balancing, collection of objects, output of the trace"
		list = append(list, c)
	}
	return list
}

// moreThan is the ratio to the others from which a processor counts as having more.
const moreThan = 1.2

// slower finds entry methods that take longer on a processor than on the others.
func (r *DrivenRun) slower() (list []*Candidate) {
	classes, by := r.executions()
	all := make([][]*Candidate, r.T.NumThreads())
	for _, class := range classes {
		medians := map[int]float64{}
		for th, own := range by[class] {
			if len(own) > 1 {
				medians[th] = quantile.Median(r.lengths(own))
			}
		}
		for th, own := range by[class] {
			is, ok := medians[th]
			if !ok || len(medians) < 2 {
				continue
			}
			var others []float64
			for k, m := range medians {
				if k != th {
					others = append(others, m)
				}
			}
			usual := quantile.Median(others)
			excess := (is - usual) * float64(len(own))
			if is <= moreThan*usual || !r.significant(excess) {
				continue
			}
			c := &Candidate{Rule: GrainImbalanceID, Kind: report.Imbalance, When: report.Steady, Region: class,
				Spec: fmt.Sprintf("faster:region=%s/threads=%s:", r.ClassName(class), r.ThreadName(int32(th))) +
					strconv.FormatFloat(100*(1-usual/is), 'g', 4, 64) + "%", Driven: &replay.DrivenEdit{}}
			for _, i := range own {
				r.shorter(c.Driven, i, usual/is)
				c.add(int32(th), r.Units[i].Begin, r.Units[i].End, int64((1-usual/is)*float64(r.whole[i])),
					r.ClassName(class))
			}
			c.Title = fmt.Sprintf("%s takes %[3]s per execution on %[2]s, and %[4]s on the others (medians)",
				r.ClassName(class), r.ThreadName(int32(th)), r.Span(is), r.Span(usual))
			c.Advice = "give its objects there less work, or look for what slows that processor down"
			list = append(list, c)
			all[th] = append(all[th], c)
		}
	}
	for th, own := range all {
		if len(own) < 2 {
			continue
		}
		c := &Candidate{Rule: GrainImbalanceID, Kind: report.Imbalance, When: report.Steady, Region: -1, Rank: -1,
			Threads: []int32{int32(th)}, Spec: "clock-as-others:threads=" + r.ThreadName(int32(th)),
			Driven: &replay.DrivenEdit{}}
		var names []string
		for _, x := range own {
			c.Driven, c.Estimate = c.Driven.Join(x.Driven), c.Estimate+x.Estimate
			c.Evidence = append(c.Evidence, x.Evidence...)
			names = append(names, x.Evidence[0].Why)
		}
		c.Title = fmt.Sprintf("%s take longer on %s than on the others", shortList(names), r.ThreadName(int32(th)))
		c.Advice = "look for what slows that processor down, its clock or other programs; else give it less work"
		list = append(list, c)
	}
	return list
}

// shortList joins the first few names.
func shortList(names []string) string {
	const shown = 3
	if n := len(names) - shown; n > 0 {
		return strings.Join(names[:shown], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(names, ", ")
}

// movable reports whether another processor can execute a unit: it is a whole execution, and not part of the runtime
// system.
func (r *DrivenRun) movable(i int32) bool {
	u := &r.Units[i]
	return !r.Driven.Starts[i].InLibrary && r.whole[i] == u.User && i > r.FirstUnit[u.Thread]
}

// least and heaviest return the processors with the smallest and the largest load.
func least(load []int64) int    { return slices.Index(load, slices.Min(load)) }
func heaviest(load []int64) int { return slices.Index(load, slices.Max(load)) }

// spread gives units to processors with less work, in order of their times.
func (r *DrivenRun) spread(units []int32) map[int32]int32 {
	moves, load := map[int32]int32{}, make([]int64, r.T.NumThreads())
	slices.SortStableFunc(units, func(x, y int32) int { return cmp.Compare(r.Units[x].Begin, r.Units[y].Begin) })
	for _, i := range units {
		r.Look()
		u := &r.Units[i]
		to := u.Thread
		if r.movable(i) {
			if p := least(load); load[to]-load[p] >= max(1, u.User) {
				to = int32(p)
			}
		}
		if load[to] += u.User; to != u.Thread {
			moves[i] = to
		}
	}
	return moves
}

// oftener finds entry methods that are executed more often on a processor than on the others.
func (r *DrivenRun) oftener() (list []*Candidate) {
	classes, by := r.executions()
	for _, class := range classes {
		most, mean, sum := 0, 0.0, int64(0)
		for th, own := range by[class] {
			if mean += float64(len(own)) / float64(len(by[class])); len(own) > len(by[class][most]) {
				most = th
			}
			for _, i := range own {
				sum += r.whole[i]
			}
		}
		n := float64(len(by[class][most]))
		excess := (n - mean) * float64(sum) / (mean * float64(len(by[class])))
		if n <= moreThan*mean || n < 2 || !r.significant(excess) {
			continue
		}
		moves := r.spread(slices.Concat(by[class]...))
		if len(moves) == 0 {
			continue
		}
		c := &Candidate{Rule: CountImbalanceID, Kind: report.Imbalance, Cause: report.ByWork, When: report.Steady,
			Region: class, Threads: []int32{int32(most)}, Spec: "balance:region=" + r.ClassName(class),
			Driven: &replay.DrivenEdit{Moves: moves}, Estimate: int64(excess)}
		r.showMoves(c)
		c.Title = fmt.Sprintf("%s executes %s %s times, the mean of the processors is %.4g: the replay moves %s",
			r.ThreadName(int32(most)), r.ClassName(class), quantity.FormatCount(int64(n)), mean,
			quantity.CountOf(int64(len(moves)), "execution"))
		c.Advice = "place the objects of this entry method on all processors"
		list = append(list, c)
	}
	return list
}

// showMoves adds the places of moved units to a candidate.
func (r *DrivenRun) showMoves(c *Candidate) {
	for i := range r.Units {
		if _, ok := c.Driven.Moves[int32(i)]; ok {
			u := &r.Units[i]
			c.Evidence = append(c.Evidence, report.Evidence{From: u.Begin, To: u.End, Threads: []int32{u.Thread},
				Why: r.ClassName(u.Class), Cost: float64(u.User)})
		}
	}
}

// loaded finds processors that compute more than the others, and objects that could move away.
func (r *DrivenRun) loaded() []*Candidate {
	load, sum := r.loads()
	most := heaviest(load)
	mean := sum / int64(len(load))
	if float64(load[most]) <= moreThan*float64(mean) || !r.significant(float64(load[most]-mean)) {
		return nil
	}
	moves, what := r.even(load)
	if len(moves) == 0 {
		return nil
	}
	c := &Candidate{Rule: RolesID, Kind: report.Imbalance, Cause: report.ByWork, When: report.Steady, Region: -1,
		Threads: []int32{int32(most)}, Spec: "balance", Driven: &replay.DrivenEdit{Moves: moves},
		Estimate: load[most] - mean}
	r.showMoves(c)
	c.Title = fmt.Sprintf("%s computes %s, the processors %s on average: the replay moves %s",
		r.ThreadName(int32(most)), r.span(load[most]), r.span(mean), what)
	c.Advice = "balance the load: place these objects elsewhere, or let a balancer move them"
	return []*Candidate{c}
}

// loads returns the computing times of processors, and their sum.
func (r *DrivenRun) loads() (load []int64, sum int64) {
	load = make([]int64, r.T.NumThreads())
	for i := range r.Units {
		load[r.Units[i].Thread] += r.Units[i].User
		sum += r.Units[i].User
	}
	return load, sum
}

// even moves objects or, if the trace has none, executions away from processors with more work than others.
func (r *DrivenRun) even(load []int64) (moves map[int32]int32, what string) {
	if moves, what = r.migrate(load); moves != nil {
		return moves, what
	}
	all := make([]int32, len(r.Units))
	for i := range all {
		all[i] = int32(i)
	}
	moves = r.spread(all)
	return moves, quantity.CountOf(int64(len(moves)), "execution")
}

// migrate moves objects from the processor with most work to the one with least, as long as that lowers the highest
// load; nil if the trace has no objects.
func (r *DrivenRun) migrate(load []int64) (moves map[int32]int32, what string) {
	type place struct {
		object int64
		thread int32
	}
	objects, work, units := r.Objects(), map[place]int64{}, map[place][]int32{}
	stays := map[place]bool{}
	var places []place
	for i, object := range objects {
		if object == 0 {
			continue
		}
		at := place{object, r.Units[i].Thread}
		if units[at] == nil {
			places = append(places, at)
		}
		units[at], work[at] = append(units[at], int32(i)), work[at]+r.Units[i].User
		stays[at] = stays[at] || !r.movable(int32(i)) && r.whole[i] > 0
	}
	if len(places) == 0 {
		return nil, ""
	}
	slices.SortStableFunc(places, func(x, y place) int { return cmp.Compare(work[y], work[x]) })
	moves, load = map[int32]int32{}, slices.Clone(load)
	var names []string
	for range min(len(places), 4*len(load)) {
		most, to := heaviest(load), least(load)
		k := slices.IndexFunc(places, func(p place) bool {
			return int(p.thread) == most && !stays[p] && work[p] > 0 && work[p] < load[most]-load[to]
		})
		if k < 0 {
			break
		}
		p := places[k]
		stays[p] = true
		load[most], load[to] = load[most]-work[p], load[to]+work[p]
		for _, i := range units[p] {
			moves[i] = int32(to)
		}
		names = append(names, r.ObjectName(p.object)+" to "+r.ThreadName(int32(to)))
	}
	return moves, shortList(names)
}
