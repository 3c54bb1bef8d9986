package calls

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"pview/prv"
	"pview/prv/extrae"
)

// The call stacks of a run, as a separate trace, which others call a flame or icicle chart: every thread of the run has
// a thread there per level of its stack, the outermost call first, with an event where a call of that level begins and
// one of value 0 where it ends. A stack has the calls of all families. It also has the callers that a tracer records
// with each MPI call, unless a user function covers them: of the callers [main, solve, exchange] within the user
// function solve, only exchange is a separate level; within a function that is not among the callers, none is.

// StackType is the event type of calls in the trace of the stacks. Its values number the calls of all families.
const StackType = 1

// deepestStack is the number of levels kept: more rows than that cannot be viewed.
const deepestStack = 64

// Stacks is the trace of the call stacks.
type Stacks struct {
	Trace *prv.Trace
	First []int32 // for each thread its first thread in the stacks' trace; at the end, the number of threads
	Cut   int     // calls that are too deep for a level
}

// symbol identifies a call in labels: a value of an event type.
type symbol struct {
	typ   uint32
	value int64
}

// name returns the label of a call; without one its type and value, so that calls without labels have different names.
func (s symbol) name(l *prv.Labels) string {
	if t, ok := l.Type(s.typ); ok {
		if name, ok := t.ValueLabel(s.value); ok {
			return name
		}
	}
	return fmt.Sprintf("%s %d", l.TypeName(s.typ), s.value)
}

// slot is a level of a stack.
type slot struct {
	family  int // -1: the call has ended, but not one that began within it
	of      symbol
	callers int // number of levels below it that are its callers
}

// stack is the stack of one thread while its events are read.
type stack struct {
	open []slot
	cut  int
	emit func(level int, at int64, of symbol) // a zero symbol ends a call
}

func (s *stack) push(at int64, c slot) {
	if s.open = append(s.open, c); len(s.open) <= deepestStack {
		s.emit(len(s.open)-1, at, c.of)
	} else {
		s.cut++
	}
}

// pop ends the innermost call of a family, and its callers.
func (s *stack) pop(at int64, family int) {
	level := len(s.open) - 1
	for level >= 0 && s.open[level].family != family {
		level--
	}
	if level < 0 {
		return
	}
	for l := level; l >= level-s.open[level].callers; l-- {
		s.open[l].family = -1
		if l < deepestStack {
			s.emit(l, at, symbol{})
		}
	}
	for len(s.open) > 0 && s.open[len(s.open)-1].family < 0 {
		s.open = s.open[:len(s.open)-1]
	}
}

// calling is the family of a caller's level: no event ends it.
const calling = -2

// walk reads the stack of a thread, and calls emit for each change of a level.
func (t *Types) walk(tr *prv.Trace, thread int, emit func(level int, at int64, of symbol)) (cut int) {
	s := stack{emit: emit}
	ev, at := &tr.Threads[thread].Events, 0
	_ = t.Each(tr, thread, func(c Call) error {
		callers := 0
		if Families[c.Family].Family == extrae.MPI {
			for at < len(ev.Time) && ev.Time[at] < c.Begin {
				at++
			}
			for _, of := range s.further(tr.Labels, callersAt(ev, at)) {
				s.push(c.Begin, slot{family: calling, of: of})
				callers++
			}
		}
		s.push(c.Begin, slot{c.Family, symbol{c.Type, c.Value}, callers})
		return nil
	}, func(c Call) error {
		s.pop(c.End, c.Family)
		return nil
	})
	return s.cut
}

// callersAt returns the callers recorded at the time of event i, the outermost first.
func callersAt(ev *prv.Events, i int) (list []symbol) {
	for from := i; i < len(ev.Time) && ev.Time[i] == ev.Time[from]; i++ {
		if typ := ev.Type[i]; typ > extrae.FirstCaller && typ <= extrae.FirstCaller+deepestStack &&
			ev.Value.At(i) != 0 {
			list = append(list, symbol{typ, ev.Value.At(i)})
		}
	}
	slices.SortFunc(list, func(a, b symbol) int { return cmp.Compare(b.typ, a.typ) })
	return list
}

// further returns the callers within the stack's user function; all callers if it has none.
func (s *stack) further(l *prv.Labels, callers []symbol) []symbol {
	if len(s.open) == 0 {
		return callers
	}
	name := s.open[len(s.open)-1].of.name(l)
	for i := len(callers) - 1; i >= 0; i-- {
		if callers[i].name(l) == name {
			return callers[i+1:]
		}
	}
	return nil
}

// StacksOf makes the trace of the call stacks of a run.
func StacksOf(ctx context.Context, tr *prv.Trace) (*Stacks, error) {
	types, out := TypesOf(tr.Labels), &Stacks{First: make([]int32, 1, tr.NumThreads()+1)}
	levels, seen := make([]int, tr.NumThreads()), map[symbol]bool{}
	for thread := range levels {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out.Cut += types.walk(tr, thread, func(level int, _ int64, of symbol) {
			levels[thread] = max(levels[thread], level+1)
			if of != (symbol{}) {
				seen[of] = true
			}
		})
		out.First = append(out.First, out.First[thread]+int32(max(levels[thread], 1)))
	}
	if len(seen) == 0 {
		return nil, fmt.Errorf("the trace has no calls: no user functions, OpenMP constructs, MPI calls or callers")
	}
	number, labels := numbered(tr.Labels, seen)

	b := prv.NewBuilder(prv.Header{Date: tr.Date, Unit: tr.Unit, End: tr.Duration, Resources: out.resources(tr)})
	for thread := range levels {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		types.walk(tr, thread, func(level int, at int64, of symbol) {
			b.Event(out.First[thread]+int32(level), 0, at, prv.Pair{Type: StackType, Value: number[of]})
		})
	}
	var err error
	if out.Trace, err = b.Build(); err != nil {
		return nil, err
	}
	out.Trace.Labels, out.Trace.Names = labels, out.names(tr)
	return out, nil
}

// numbered gives calls with the same name the same number, in the order of types and values.
func numbered(l *prv.Labels, seen map[symbol]bool) (number map[symbol]int64, labels *prv.Labels) {
	list := make([]symbol, 0, len(seen))
	for of := range seen {
		list = append(list, of)
	}
	slices.SortFunc(list, func(a, b symbol) int {
		return cmp.Or(cmp.Compare(a.typ, b.typ), cmp.Compare(a.value, b.value))
	})
	number = map[symbol]int64{{}: 0}
	values, byName := []prv.ValueLabel{{Value: 0, Label: "outside"}}, map[string]int64{}
	for _, of := range list {
		name := of.name(l)
		if _, named := byName[name]; !named {
			byName[name] = int64(len(values))
			values = append(values, prv.ValueLabel{Value: byName[name], Label: name})
		}
		number[of] = byName[name]
	}
	labels = &prv.Labels{}
	labels.AddType(StackType, "Call", values...)
	return number, labels
}

// resources returns the run's resources, with a thread per level.
func (s *Stacks) resources(tr *prv.Trace) (r prv.Resources) {
	for _, p := range tr.Ptasks {
		r.AddPtask()
		for _, task := range tr.Tasks[p.FirstTask : p.FirstTask+p.Tasks] {
			r.AddTask(int(s.First[task.FirstThread+task.Threads]-s.First[task.FirstThread]), -1)
		}
	}
	return r
}

// names returns the names of the run's threads, with the number of the level.
func (s *Stacks) names(tr *prv.Trace) *prv.Names {
	n := &prv.Names{}
	for thread := range tr.NumThreads() {
		name := tr.Name(prv.LevelThread, thread)
		for level := range s.First[thread+1] - s.First[thread] {
			n.Levels[prv.LevelThread] = append(n.Levels[prv.LevelThread], fmt.Sprintf("%s:%d", name, level+1))
		}
	}
	return n
}
