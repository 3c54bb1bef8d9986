package picl

// From the steps of all processes to a trace.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"pview/prv"
	"pview/prv/extrae/system"
)

// builder builds the trace.
type builder struct {
	*reader
	out      *prv.Builder
	list     []*lane // by thread
	cpu      []int32 // by thread
	zero     int64   // the smallest time
	types    map[int32]uint32
	sends    map[channel][]send
	receives map[channel][]receive
}

// build makes the trace.
func build(ctx context.Context, r *reader) (*prv.Trace, error) {
	b := &builder{reader: r, sends: map[channel][]send{}, receives: map[channel][]receive{}}
	b.place()
	b.numberUsers()
	for i, l := range b.list {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		(&walker{builder: b, lane: l, thread: int32(i), cpu: b.cpu[i]}).walk()
		l.steps = nil
	}
	b.match()
	t, err := b.out.Build()
	if err != nil {
		return nil, r.problem(0, err)
	}
	if !slices.ContainsFunc(t.Threads, func(th prv.Thread) bool { return th.States.Len()+th.Events.Len() > 0 }) {
		return nil, r.problem(0, errors.New("no event in the trace"))
	}
	t.Path, t.Labels, t.Names, t.Notes = r.path, b.pcf(), b.row(), r.notes()
	return t, nil
}

// place makes the resources: a task, node and CPU for each processor, the host first; a thread for each process.
func (b *builder) place() {
	for _, l := range b.lanes {
		b.list = append(b.list, l)
	}
	slices.SortFunc(b.list, func(x, y *lane) int {
		return cmp.Or(cmp.Compare(x.processor, y.processor), cmp.Compare(x.process, y.process))
	})
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddPtask()
	b.zero = math.MaxInt64
	last := int64(math.MinInt64)
	b.cpu = make([]int32, len(b.list))
	for i := 0; i < len(b.list); {
		n := i
		for ; n < len(b.list) && b.list[n].processor == b.list[i].processor; n++ {
			b.zero, last = min(b.zero, b.list[n].first), max(last, b.list[n].last)
			b.cpu[n] = int32(len(h.Nodes)) + 1
		}
		h.AddNode(1)
		h.AddTask(n-i, len(h.Nodes)-1)
		i = n
	}
	h.End = last - b.zero
	b.out = prv.NewBuilder(h)
}

// numberUsers numbers the types of user events by the events' numbers; events with large numbers get types from the
// last one downwards, in order of appearance.
func (b *builder) numberUsers() {
	b.types = map[int32]uint32{}
	used := map[uint32]bool{}
	var large []int32
	seen := map[int32]bool{}
	for _, l := range b.list {
		for i := range l.steps {
			s := &l.steps[i]
			if s.event < 0 || s.kind > leave || seen[s.event] {
				continue
			}
			if seen[s.event] = true; s.event >= usersInOrder {
				large = append(large, s.event)
				continue
			}
			b.types[s.event] = system.UserType + uint32(s.event)
			used[system.UserType+uint32(s.event)] = true
		}
	}
	next := uint32(system.LastUserType)
	for _, u := range large {
		for next >= system.UserType && used[next] {
			next--
		}
		if next < system.UserType {
			b.blame(tooManyUsers, 0, "")
			continue
		}
		b.types[u] = next
		next--
	}
}

// userType returns the type of a user event, 0 if none.
func (b *builder) userType(u int32) uint32 { return b.types[u] }

// pcf returns the names of states and types.
func (b *builder) pcf() *prv.Labels {
	l := &prv.Labels{}
	for _, s := range usedStates {
		l.AddState(s, prv.DefaultStates[s].Label)
	}
	calls := []prv.ValueLabel{{Value: 0, Label: "End"}}
	named := map[int64]bool{}
	for id, name := range b.labels {
		if id <= firstSystemID {
			calls = append(calls, prv.ValueLabel{Value: -int64(id), Label: name})
			named[-int64(id)] = true
		}
	}
	for i := range systemEvents {
		if v := -int64(systemEvents[i].id); !named[v] {
			calls = append(calls, prv.ValueLabel{Value: v, Label: systemEvents[i].name})
		}
	}
	slices.SortFunc(calls, func(x, y prv.ValueLabel) int { return cmp.Compare(x.Value, y.Value) })
	l.AddType(system.Type, system.Label, calls...)
	l.AddType(system.SentType, "PICL bytes sent")
	l.AddType(system.ReceivedType, "PICL bytes received")
	l.AddType(system.IOBytesType, "PICL bytes of I/O")
	l.AddType(markType, "PICL mark")
	if len(b.texts) > 0 {
		var list []prv.ValueLabel
		for i, s := range b.texts {
			list = append(list, prv.ValueLabel{Value: int64(i) + 1, Label: s})
		}
		l.AddType(messageType, "PICL message", list...)
	}
	users := make([]int32, 0, len(b.types))
	for u := range b.types {
		users = append(users, u)
	}
	slices.Sort(users)
	for _, u := range users {
		name := b.labels[u]
		if name == "" {
			name = fmt.Sprintf("PICL user event %d", u)
		}
		l.AddType(b.types[u], name, prv.ValueLabel{Value: 0, Label: "End"}, prv.ValueLabel{Value: 1, Label: "Begin"})
	}
	return l
}

// row returns the names of tasks and threads, by processor and process.
func (b *builder) row() *prv.Names {
	n := &prv.Names{}
	for i, l := range b.list {
		name := fmt.Sprintf("P%d", l.processor)
		if l.processor == host {
			name = "host"
		}
		first := i == 0 || b.list[i-1].processor != l.processor
		alone := first && (i+1 == len(b.list) || b.list[i+1].processor != l.processor)
		if first {
			n.Levels[prv.LevelTask] = append(n.Levels[prv.LevelTask], name)
		}
		if !alone {
			name = fmt.Sprintf("%s.%d", name, l.process)
		}
		n.Levels[prv.LevelThread] = append(n.Levels[prv.LevelThread], name)
	}
	return n
}

// notes reports what was damaged.
func (r *reader) notes() (list []prv.Note) {
	for p, d := range r.damaged {
		if d.count == 0 {
			continue
		}
		text := fmt.Sprintf("%d %s", d.count, problems[p])
		if d.why != "" {
			text += "; the first: " + d.why
		}
		list = append(list, prv.Note{File: r.path, Line: d.line, Text: text})
	}
	return list
}
