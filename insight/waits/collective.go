package waits

// Collective operations: which calls match, who arrived last, and what each member waited for.
//
// The n-th calls of the members of a communicator are one operation. If members made different numbers of calls (parts
// of the run were not traced), calls that overlap are.

import (
	"cmp"
	"context"
	"slices"

	"pview/prv/extrae"
	"pview/prv/parallel"
)

// Instance is a collective operation, or a barrier of a team.
type Instance struct {
	Class Class // of its waits
	Value int64 // of the event of the call
	Comm  int64 // communicator, of its ptask
	Ptask int32
	// Last is the arrival of the last member, and Left the exit of the first.
	Last, Left int64
	Parts      int32 // members: Result.Parts
	first      int32
	nonblock   bool
	partial    bool
}

// part is a member's part in an instance.
type part struct {
	enter, exit int64
	thread      int32
	call        int32 // row of the lane's calls; -1: a construct of OpenMP
	root, moot  bool
}

// groupClass are the classes of waits at collective operations.
var groupClass = map[extrae.Call]Class{
	extrae.OneToAll: LateBroadcast, extrae.AllToOne: EarlyReduce, extrae.PrefixScan: EarlyScan,
	extrae.AllToAll: WaitNxN, extrae.Barrier: WaitBarrier,
	extrae.Init: InitCompletion, extrae.Finalize: WaitFinalize, extrae.Fence: WaitFence,
	extrae.UnknownCollective: WaitNxN,
}

// groupKey identifies the operations that are matched with each other.
type groupKey struct {
	ptask int32
	comm  int64
	call  extrae.Call // for operations without communicator: Init, Finalize and fences; else 0
}

// member has the calls of a task in a group.
type member struct {
	task  int32
	parts []part
	info  []groupCall
	kinds []extrae.CallKind
}

// group has the calls to match.
type group struct {
	key     groupKey
	members []member
}

// findInstances matches the calls of collective operations, and finds those of OpenMP.
func (a *analysis) findInstances(ctx context.Context) error {
	groups := a.gatherGroups(parallel.NewWatch(ctx))
	found := make([]instances, len(groups))
	err := parallel.For(ctx, len(groups), func(i int) error {
		found[i].match(parallel.NewWatch(ctx), &groups[i])
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	teams := make([]instances, len(a.t.Tasks))
	err = parallel.For(ctx, len(teams), func(i int) error { return a.findTeams(ctx, int32(i), &teams[i]) })
	if err != nil {
		return err
	}
	a.joinInstances(parallel.NewWatch(ctx), slices.Concat(found, teams))
	return nil
}

// taking is a thread's part in an operation: rows of Result.Instances and Result.parts.
type taking struct{ instance, part int32 }

// joinInstances makes one list of several, and lists the parts of each thread.
func (a *analysis) joinInstances(watch *parallel.Watch, lists []instances) {
	r := a.out
	count, parts := 0, 0
	for i := range lists {
		count, parts = count+len(lists[i].list), parts+len(lists[i].parts)
	}
	r.Instances, r.parts = make([]Instance, 0, count), make([]part, 0, parts)
	for i := range lists {
		base := int32(len(r.parts))
		for _, x := range lists[i].list {
			watch.Step()
			x.first += base
			r.Instances = append(r.Instances, x)
		}
		r.parts = append(r.parts, lists[i].parts...)
	}
	took := make([]int32, len(a.lanes))
	for i := range r.parts {
		watch.Step()
		took[r.parts[i].thread]++
	}
	for i, n := range took {
		a.lanes[i].took = make([]taking, 0, n)
	}
	for n := range r.Instances {
		x := &r.Instances[n]
		for i := x.first; i < x.first+x.Parts; i++ {
			watch.Step()
			l := &a.lanes[r.parts[i].thread]
			l.took = append(l.took, taking{int32(n), i})
		}
	}
}

// gatherGroups sorts the calls by communicator and task. A task's threads share its part.
func (a *analysis) gatherGroups(watch *parallel.Watch) (groups []group) {
	at := map[groupKey]int{}
	for i := range a.lanes {
		l := &a.lanes[i]
		task := a.t.ThreadTask[i]
		for _, g := range l.groups {
			watch.Step()
			kind := l.calls.kind[g.call]
			key := groupKey{ptask: a.t.Tasks[task].Ptask, comm: g.comm}
			if kind.Call == extrae.Init || kind.Call == extrae.Finalize || kind.Call == extrae.Fence {
				key.comm, key.call = 0, kind.Call
			}
			n, ok := at[key]
			if !ok {
				n = len(groups)
				at[key] = n
				groups = append(groups, group{key: key})
			}
			list := groups[n].members
			if len(list) == 0 || list[len(list)-1].task != task {
				list = append(list, member{task: task})
			}
			m := &list[len(list)-1]
			m.parts = append(m.parts, part{l.calls.enter[g.call], l.calls.exit[g.call], int32(i), g.call, g.root,
				g.moot})
			m.info, m.kinds = append(m.info, g), append(m.kinds, kind)
			groups[n].members = list
		}
	}
	return groups
}

// instances are some operations with their parts.
type instances struct {
	list  []Instance
	parts []part
}

// match makes the instances of a group.
func (in *instances) match(watch *parallel.Watch, g *group) {
	equal, most := true, 0
	for i := range g.members {
		m := &g.members[i]
		m.sort(watch)
		equal = equal && len(m.parts) == len(g.members[0].parts)
		most = max(most, len(m.parts))
	}
	if !equal {
		in.matchOverlaps(watch, g)
		return
	}
	for n := range most {
		first := int32(len(in.parts))
		for i := range g.members {
			watch.Step()
			in.parts = append(in.parts, g.members[i].parts[n])
		}
		in.add(g, &g.members[0], n, first, false)
	}
}

// sort orders the calls of several threads of a task.
func (m *member) sort(watch *parallel.Watch) {
	if slices.IsSortedFunc(m.parts, func(a, b part) int { return cmp.Compare(a.enter, b.enter) }) {
		return
	}
	order := make([]int, len(m.parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		watch.Step()
		return cmp.Compare(m.parts[a].enter, m.parts[b].enter)
	})
	old := *m
	m.parts, m.info, m.kinds = nil, nil, nil
	for _, i := range order {
		m.parts, m.info, m.kinds = append(m.parts, old.parts[i]), append(m.info, old.info[i]),
			append(m.kinds, old.kinds[i])
	}
}

// matchOverlaps makes instances of calls of different members that overlap.
func (in *instances) matchOverlaps(watch *parallel.Watch, g *group) {
	type ref struct{ member, n int }
	var all []ref
	for i := range g.members {
		for n := range g.members[i].parts {
			all = append(all, ref{i, n})
		}
	}
	at := func(r ref) *part { return &g.members[r.member].parts[r.n] }
	slices.SortStableFunc(all, func(x, y ref) int {
		watch.Step()
		return cmp.Compare(at(x).enter, at(y).enter)
	})
	for i := 0; i < len(all); {
		first, left := int32(len(in.parts)), int64(1<<63-1)
		seen := map[int]bool{}
		k := i
		for ; k < len(all) && !seen[all[k].member] && at(all[k]).enter < left; k++ {
			watch.Step()
			seen[all[k].member] = true
			left = min(left, at(all[k]).exit)
			in.parts = append(in.parts, *at(all[k]))
		}
		slices.SortFunc(in.parts[first:], func(x, y part) int { return cmp.Compare(x.thread, y.thread) })
		in.add(g, &g.members[all[i].member], all[i].n, first, len(seen) < len(g.members))
		i = max(k, i+1)
	}
}

// add makes an instance from the parts since first; its operation is the n-th of a member.
func (in *instances) add(g *group, m *member, n int, first int32, partial bool) {
	kind := m.kinds[n]
	x := Instance{Class: groupClass[kind.Call], Value: m.info[n].value, Comm: g.key.comm, Ptask: g.key.ptask,
		first: first, nonblock: kind.Nonblocking, partial: partial}
	if x.Class != WaitBarrier && x.Class != WaitFinalize && x.Class != WaitFence && x.Class != InitCompletion {
		all := in.parts[first:]
		in.parts = in.parts[:first]
		for _, p := range all {
			if !p.moot {
				in.parts = append(in.parts, p)
			}
		}
	}
	in.close(x)
}

// close appends an instance with the last parts.
func (in *instances) close(x Instance) {
	x.Parts = int32(len(in.parts)) - x.first
	x.Last, x.Left = -1, 1<<63-1
	for _, p := range in.parts[x.first:] {
		x.Last, x.Left = max(x.Last, p.enter), min(x.Left, p.exit)
	}
	in.list = append(in.list, x)
}

// partsOf returns the members of an instance.
func (r *Result) partsOf(x *Instance) []part { return r.parts[x.first : x.first+x.Parts] }

// arrival is the arrival for which a member of an instance waited.
type arrival struct {
	to    int64 // -1: no wait
	cause int32
	flags Flags
	late  int64 // error of the clocks
}

// synchronises reports whether no member can leave before all have entered, unless clocks are wrong. Tracers write the
// end of Finalize too early, and constructs of OpenMP need not wait.
func (x *Instance) synchronises() bool {
	return x.Class != WaitFinalize && x.Class != TeamExplicit && x.Class != TeamImplicit
}

// arrivals finds what each member waits for. until limits the others that count: the exit of the member's call, or for
// a nonblocking operation the end of time.
func (x *Instance) arrivals(parts []part, do func(i int, a arrival)) {
	root := slices.IndexFunc(parts, func(p part) bool { return p.root })
	// indices in order of arrival; of equal times the lowest thread counts as last
	byArrival := make([]int32, len(parts))
	for i := range byArrival {
		byArrival[i] = int32(i)
	}
	slices.SortFunc(byArrival, func(a, b int32) int {
		return cmp.Or(cmp.Compare(parts[a].enter, parts[b].enter), cmp.Compare(parts[b].thread, parts[a].thread))
	})
	for i := range parts {
		until := parts[i].exit
		if x.nonblock {
			until = 1<<63 - 1
		}
		a := arrival{to: -1, cause: -1}
		last := func(counts func(j int32) bool) {
			for k := len(byArrival) - 1; k >= 0; k-- {
				j := byArrival[k]
				if !counts(j) {
					continue
				}
				p := &parts[j]
				if p.enter > until {
					if x.synchronises() {
						a.flags, a.late = BadClock, max(a.late, p.enter-until)
					}
					continue
				}
				if p.enter > parts[i].enter {
					a.to, a.cause = p.enter, p.thread
				}
				return
			}
		}
		switch x.Class {
		case LateBroadcast:
			if root >= 0 && root != i {
				p := &parts[root]
				a.to, a.cause = min(p.enter, until), p.thread
				if p.enter > until {
					a.flags, a.late = BadClock, p.enter-until
				}
			}
		case EarlyReduce:
			if root == i {
				last(func(j int32) bool { return int(j) != i })
			}
		case EarlyScan:
			last(func(j int32) bool { return int(j) < i })
		case InitCompletion:
		default:
			last(func(j int32) bool { return true })
		}
		if x.partial {
			a.flags |= Partial
		}
		do(i, a)
	}
}
