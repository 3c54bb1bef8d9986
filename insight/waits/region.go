package waits

// Code regions: the places that a delay is charged to.
//
// Inside a call it is the call. Outside, the first of these levels that the trace has: user functions (and outlined functions and
// tasks of OpenMP), computation clusters, the source lines of the calls that begin and end the computation, the two calls.

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/parallel"
)

// Level is the kind of code regions of a trace.
type Level uint8

// The levels, best first.
const (
	ByFunction Level = iota
	ByCluster
	ByLine
	ByCall
	ByNothing
)

// Levels are the levels by name.
var Levels = [...]struct{ Key, Doc string }{
	{"functions", "user functions"},
	{"clusters", "clusters of computation"},
	{"lines", "source lines of the calls around a computation"},
	{"calls", "calls around a computation"},
	{"none", "no code regions in the trace"},
}

// String returns the key of a level.
func (l Level) String() string { return Levels[l].Key }

// Region is a piece of the program.
type Region struct {
	Name string
	// Call is true for calls of MPI or OpenMP, false for computation.
	Call bool
	key  regionKey
}

// regionKey identifies a region: by event type and value; or, for level ByLine and ByCall, by two values.
type regionKey struct {
	typ  uint32
	a, b int64
	call bool
}

// regionSource says how regions are read from events.
type regionSource struct {
	level     Level
	functions []uint32 // types that open and close regions
	line      uint32   // ByLine: the type of source lines
}

// findRegions chooses the level. user are event types chosen by the user, nil for none.
func findRegions(ctx context.Context, t *prv.Trace, user []uint32) (regionSource, error) {
	if len(user) > 0 {
		return regionSource{level: ByFunction, functions: user}, nil
	}
	words := extrae.Of(t.Labels)
	functions := words.Family(extrae.Functions)
	type seen struct {
		function, cluster, call bool
		line                    uint32
	}
	all := make([]seen, len(t.Threads))
	mpi := words.Family(extrae.MPI)
	err := parallel.Each(ctx, len(t.Threads), 0, func(_, i int) error {
		s := &all[i]
		last := uint32(0)
		w := parallel.NewWatch(ctx)
		for _, typ := range t.Threads[i].Events.Type {
			w.Step()
			if typ == last {
				continue
			}
			last = typ
			s.function = s.function || slices.Contains(functions, typ)
			s.cluster = s.cluster || typ == extrae.ClusterID
			s.call = s.call || slices.Contains(mpi, typ)
			if typ > extrae.FirstCallerLine && typ < extrae.FirstCallerLine+100 && (s.line == 0 || typ < s.line) {
				s.line = typ
			}
		}
		return ctx.Err()
	})
	src := regionSource{level: ByNothing, functions: functions}
	for _, s := range all {
		if s.line > 0 && (src.line == 0 || s.line < src.line) {
			src.line = s.line
		}
	}
	switch {
	case slices.ContainsFunc(all, func(s seen) bool { return s.function }):
		src.level = ByFunction
	case slices.ContainsFunc(all, func(s seen) bool { return s.cluster }):
		src.level, src.functions = ByCluster, []uint32{extrae.ClusterID}
	case src.line > 0:
		src.level = ByLine
	case slices.ContainsFunc(all, func(s seen) bool { return s.call }):
		src.level = ByCall
	}
	return src, err
}

// nameOf names a region.
func (src *regionSource) nameOf(l *prv.Labels, k regionKey) string {
	switch {
	case k.typ == stateRegion && k.call:
		return strings.ToLower(l.StateName(k.a))
	case k.call && k.typ >= extrae.OpenMPParallel && k.typ <= extrae.OpenMPTaskID:
		return l.TypeName(k.typ)
	case k.call:
		return l.ValueName(k.typ, k.a)
	case k.typ == 0 && (src.level == ByLine || src.level == ByCall):
		return pairName(src, l, k)
	case k.typ == 0:
		return "computation"
	}
	return l.ValueName(k.typ, k.a)
}

// pairName names the computation between two calls.
func pairName(src *regionSource, l *prv.Labels, k regionKey) string {
	side := func(v int64, none string) string {
		switch {
		case v == 0:
			return none
		case v < 0:
			v = -v
		case src.level == ByLine:
			name, _, _ := strings.Cut(l.ValueName(src.line, v), " ")
			return name
		}
		return l.ValueName(uint32(v>>32), v&0xffffffff)
	}
	from, to := side(k.a, "start"), side(k.b, "end")
	return from + " to " + to
}

// stateRegion is the type of regions that are states.
const stateRegion = 1<<32 - 1

// gatherRegions makes one table of the regions of all lanes, in order of name, and renumbers those of the lanes.
func gatherRegions(t *prv.Trace, src *regionSource, lanes []lane) []Region {
	at := map[regionKey]int32{}
	var list []Region
	for i := range lanes {
		for _, k := range lanes[i].keys {
			if _, ok := at[k]; !ok {
				at[k] = 0
				list = append(list, Region{Name: src.nameOf(t.Labels, k), Call: k.call, key: k})
			}
		}
	}
	slices.SortFunc(list, func(a, b Region) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.key.typ, b.key.typ), cmp.Compare(a.key.a, b.key.a), cmp.Compare(a.key.b, b.key.b))
	})
	for i := range list {
		at[list[i].key] = int32(i)
	}
	for i := range lanes {
		lanes[i].renumber(at)
	}
	return list
}
