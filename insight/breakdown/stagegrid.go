package breakdown

// A run in stages of one length: the attributes of Projections (Sinha's thesis, appendix B) by thread and stage.
// Creation, arrival and execution of messages are separate attributes, which send and receive calls alone cannot show.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"pview/insight/eventgraph"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/execution"
	"pview/prv/parallel"
	"pview/prv/quantity"
)

// Attribute is a figure of each thread in each stage.
type Attribute struct {
	Key, Name, Doc string
	Kind           ColumnKind // Shares and Times are averaged over threads and stages, Amounts added
	class          int32      // of an attribute of a class; else -1
	fill           func(f *stageFiller)
}

// attributes are those of every run; a message's arrival and execution are defined by the kind of run.
var attributes = []Attribute{
	{Key: "busy", Name: "Busy", Doc: "share of the time in the program's own code", Kind: Shares, class: -1,
		fill: func(f *stageFiller) { f.parts(extrae.PartUser) }},
	{Key: "overhead", Name: "Overhead",
		Doc: "share of the time in the runtime, in calls that do not wait, in input and output", Kind: Shares,
		class: -1,
		fill:  func(f *stageFiller) { f.parts(extrae.PartOverhead, extrae.PartIO) }},
	{Key: "idle", Name: "Idle", Doc: "share of the time that the thread waits", Kind: Shares, class: -1,
		fill: func(f *stageFiller) { f.parts(extrae.PartIdle) }},
	{Key: "created", Name: "Messages created", Doc: "messages sent, or created for an entry", Kind: Amounts, class: -1,
		fill: (*stageFiller).created},
	{Key: "arrived", Name: "Messages arrived", Doc: "messages received, or put into the queue", Kind: Amounts,
		class: -1, fill: (*stageFiller).arrived},
	{Key: "executed", Name: "Executions",
		Doc: "units of work that begin: executions of entries, computation between two waits", Kind: Amounts, class: -1,
		fill: func(f *stageFiller) { f.begun(func(*eventgraph.Unit) float64 { return 1 }) }},
	{Key: "grain", Name: "Mean length", Doc: "mean length of the units of work that begin", Kind: Times, class: -1,
		fill: (*stageFiller).grain},
	{Key: "queued", Name: "Messages waiting",
		Doc: "messages in the queue, or sent to the thread and not yet received, on average", Kind: Ratios, class: -1,
		fill: (*stageFiller).queued},
}

// mostClasses is the number of classes with attributes of their own.
const mostClasses = 12

// Attributes returns the attributes of the run, and for the classes with most time their share of the time and their
// executions.
func Attributes(g *eventgraph.Graph) []Attribute {
	list := slices.Clone(attributes)
	if g == nil {
		return list
	}
	times := map[int32]int64{}
	for i := range g.Units {
		if u := &g.Units[i]; u.User > 0 {
			times[u.Class] += u.User
		}
	}
	var classes []int32
	for class := range times {
		classes = append(classes, class)
	}
	slices.SortFunc(classes, func(x, y int32) int { return cmp.Or(cmp.Compare(times[y], times[x]), cmp.Compare(x, y)) })
	if len(classes) == 1 && classes[0] < 0 {
		return list
	}
	for _, class := range classes[:min(len(classes), mostClasses)] {
		name := shortName(g.ClassName(class))
		list = append(list,
			Attribute{Key: fmt.Sprintf("time:%d", class), Name: name + ": time", Doc: "share of the time in it",
				Kind: Shares, class: class, fill: (*stageFiller).classTime},
			Attribute{Key: fmt.Sprintf("count:%d", class), Name: name + ": executions",
				Doc: "executions of it that begin", Kind: Amounts, class: class,
				fill: func(f *stageFiller) { f.begun(f.ofClass) }})
	}
	return list
}

// Grid is an attribute by thread and stage. Stage k is [At(k), At(k+1)).
type Grid struct {
	Attribute       Attribute
	Begin, Length   int64 // Begin is a multiple of Length: the clocks of a message-driven run may begin long before it
	Stages, Threads int
	values          []float64 // by thread and stage
	weights         []float64 // of means; nil: all stages and threads weigh the same
}

// mostCells bounds the memory of a grid: 8 bytes each.
const mostCells = 4 << 20

// ErrStages says that a run has too many stages: longer ones would be fewer.
var ErrStages = errors.New("too many stages")

// NewGrid divides a run into stages. The error is ctx's, or says why there are none, such as ErrStages.
func NewGrid(ctx context.Context, g *eventgraph.Graph, attr Attribute, length int64) (grid *Grid, err error) {
	defer parallel.OnEnd(ctx, &err)
	n := max(1, g.T.NumThreads())
	from, to := execution.Window(g.T)
	switch {
	case length <= 0:
		return nil, errors.New("the length of a stage must be > 0")
	case (to-from)/length >= int64(mostCells/n):
		return nil, fmt.Errorf("%w: more than %d of %s", ErrStages, mostCells/n, quantity.CountOf(int64(n), "thread"))
	}
	begin := from - from%length
	grid = &Grid{Attribute: attr, Begin: begin, Length: length, Stages: int(max(1, (to-begin+length-1)/length)),
		Threads: g.T.NumThreads()}
	grid.values = make([]float64, grid.Threads*grid.Stages)
	if attr.Kind == Times {
		grid.weights = make([]float64, len(grid.values))
	}
	err = parallel.For(ctx, grid.Threads, func(i int) error {
		f := &stageFiller{Graph: g.With(ctx), grid: grid, thread: int32(i),
			row: grid.values[i*grid.Stages : (i+1)*grid.Stages]}
		if grid.weights != nil {
			f.weight = grid.weights[i*grid.Stages : (i+1)*grid.Stages]
		}
		attr.fill(f)
		return ctx.Err()
	})
	return grid, err
}

// At returns the time at which a stage begins.
func (g *Grid) At(stage int) int64 { return g.Begin + int64(stage)*g.Length }

// Of returns the attribute over some threads and stages, [first, last) each: counts are added, everything else is
// averaged, mean lengths weighted by the number of units. NaN if there is no value.
func (g *Grid) Of(firstThread, lastThread, firstStage, lastStage int) float64 {
	sum, weight := 0.0, 0.0
	for th := firstThread; th < lastThread; th++ {
		for k := th*g.Stages + firstStage; k < th*g.Stages+lastStage; k++ {
			w := 1.0
			if g.weights != nil {
				w = g.weights[k]
			}
			sum, weight = sum+w*g.values[k], weight+w
		}
	}
	switch {
	case g.Attribute.Kind == Amounts:
		return sum
	case g.Attribute.Kind == Ratios && lastStage > firstStage: // of several threads together
		return sum / float64(lastStage-firstStage)
	case weight == 0:
		return math.NaN()
	}
	return sum / weight
}

// stageFiller fills the row of a thread.
type stageFiller struct {
	*eventgraph.Graph
	grid   *Grid
	thread int32
	row    []float64
	weight []float64
}

// at returns the stage of a time.
func (f *stageFiller) at(t int64) int {
	return int(max(0, min((t-f.grid.Begin)/f.grid.Length, int64(len(f.row)-1))))
}

// spread adds a stretch of time to the stages that it lies in, as a share of each.
func (f *stageFiller) spread(from, to int64) {
	from, to = max(from, f.grid.Begin), min(to, f.grid.At(len(f.row)))
	for from < to {
		f.Look()
		k := f.at(from)
		stop := min(to, f.grid.At(k+1))
		f.row[k] += float64(stop-from) / float64(f.grid.Length)
		from = stop
	}
}

// parts adds the thread's time in some parts.
func (f *stageFiller) parts(of ...extrae.Part) {
	f.EachPart(f.thread, 0, f.T.Duration, func(from, to int64, part extrae.Part) {
		if slices.Contains(of, part) {
			f.spread(from, to)
		}
	})
}

// classTime adds the time in a class.
func (f *stageFiller) classTime() {
	if f.Driven != nil { // a unit is one execution of one entry
		for _, u := range f.OfThread(f.thread) {
			if u.Class == f.grid.Attribute.class {
				f.spread(u.Begin, u.Begin+u.User)
			}
		}
		return
	}
	cursor := f.Waits.Cursor(f.thread)
	f.EachPart(f.thread, 0, f.T.Duration, func(from, to int64, part extrae.Part) {
		for part == extrae.PartUser && from < to {
			class, until := cursor.At(from)
			if class >= 0 && f.Waits.Regions[class].Call {
				class = -1
			}
			stop := min(to, max(until, from+1))
			if class == f.grid.Attribute.class {
				f.spread(from, stop)
			}
			from = stop
		}
	})
}

// begun adds a figure of each unit to the stage in which it begins.
func (f *stageFiller) begun(figure func(u *eventgraph.Unit) float64) {
	own := f.OfThread(f.thread)
	for i := range own {
		f.Look()
		f.row[f.at(own[i].Begin)] += figure(&own[i])
	}
}

func (f *stageFiller) ofClass(u *eventgraph.Unit) float64 {
	if u.Class == f.grid.Attribute.class && u.User > 0 {
		return 1
	}
	return 0
}

// grain is the mean length of the units.
func (f *stageFiller) grain() {
	f.begun(func(u *eventgraph.Unit) float64 {
		f.weight[f.at(u.Begin)]++
		return float64(u.End - u.Begin)
	})
	for k, n := range f.weight {
		if n > 0 {
			f.row[k] /= n
		}
	}
}

func (f *stageFiller) created() {
	if f.Driven == nil {
		f.messages(prv.LogicalSend)
		return
	}
	for _, c := range f.Driven.Created[f.Driven.First[f.thread]:f.Driven.First[f.thread+1]] {
		f.Look()
		f.row[f.at(c.Time)]++
	}
}

func (f *stageFiller) arrived() {
	if f.Driven == nil {
		f.messages(prv.PhysicalRecv)
		return
	}
	first := f.FirstUnit[f.thread]
	for i := range f.OfThread(f.thread) {
		f.Look()
		if u := first + int32(i); f.Units[u].Creator >= 0 { // the others had no message
			f.row[f.at(f.Driven.Starts[u].Queued)]++
		}
	}
}

// messages counts the messages of the thread in a role.
func (f *stageFiller) messages(role prv.Role) {
	for _, m := range f.T.Threads[f.thread].Comm[role] {
		f.Look()
		f.row[f.at(f.T.Comms.Times[role][m])]++
	}
}

// queued adds the time for which messages wait.
func (f *stageFiller) queued() {
	if f.Driven == nil {
		c := &f.T.Comms
		for _, m := range f.T.Threads[f.thread].Comm[prv.PhysicalRecv] {
			f.spread(max(c.Times[prv.LogicalSend][m], 0), c.Times[prv.PhysicalRecv][m])
		}
		return
	}
	first := f.FirstUnit[f.thread]
	for i, u := range f.OfThread(f.thread) {
		f.spread(f.Driven.Starts[first+int32(i)].Queued, u.Begin)
	}
}
