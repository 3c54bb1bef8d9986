package waits

// Code regions: the places to which delays are charged.
//
// Inside a call, the region is the call. Outside, it depends on the first of these levels that the trace has: user
// functions (and outlined functions and tasks of OpenMP), computation clusters, the source lines of the calls that
// begin and end the computation, the two calls.

import (
	"cmp"
	"context"
	"maps"
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

// levels are the levels by name.
var levels = [...]struct{ Key, Doc string }{
	{"functions", "user functions"},
	{"clusters", "clusters of computation"},
	{"lines", "source lines of the calls around a computation"},
	{"calls", "calls around a computation"},
	{"none", "no code regions in the trace"},
}

// String returns the key of a level.
func (l Level) String() string { return levels[l].Key }

// Region is a piece of the program. Its name identifies it: tracers number one source line or function once per
// address, which differs between processes.
type Region struct {
	Name string
	// Call is true for calls of MPI or OpenMP, false for computation.
	Call bool
	// StartUp is true for the time of a process before its first call, MPI_Init.
	StartUp bool
	// State is true for a state treated as a call, in a trace without events of calls.
	State bool
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
	functions []uint32         // types that open and close regions
	line      uint32           // ByLine: the type of source lines
	sites     map[int64]string // ByLine: substitutes for lines that the tracer did not find
}

// byCalls reports whether the calls around a computation name it.
func (src *regionSource) byCalls() bool { return src.level == ByLine || src.level == ByCall }

// survey counts the events of a thread that matter.
type survey struct {
	calls, constructs, functions int // events of MPI calls, OpenMP, user functions
	cluster                      bool
	line                         uint32 // the innermost call site; 0: none
}

// Parts of event types in a survey.
const (
	surveyCall = 1 << iota
	surveyConstruct
	surveyFunction
	surveyCluster
	surveyLine
)

// survey looks at the types of all events: they determine the kind of regions, and how much memory to reserve.
func (a *analysis) survey(ctx context.Context) ([]survey, error) {
	words := extrae.Of(a.t.Labels)
	parts := map[uint32]uint8{extrae.ClusterID: surveyCluster}
	for _, typ := range constructs {
		parts[typ] |= surveyConstruct
	}
	for _, typ := range words.Family(extrae.Functions) {
		parts[typ] |= surveyFunction
	}
	for _, typ := range a.mpi {
		parts[typ] |= surveyCall
	}
	for i := range uint32(maxLines) {
		parts[extrae.FirstCallerLine+1+i] |= surveyLine
	}
	table := extrae.NewTypeTable(parts)
	all := make([]survey, len(a.lanes))
	err := parallel.For(ctx, len(a.lanes), func(i int) error {
		s := &all[i]
		for k, typ := range a.t.Threads[i].Events.Type {
			if k&0xfff == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if part := table.Part(typ); part != 0 {
				s.add(typ, part)
			}
		}
		return nil
	})
	return all, err
}

// maxLines is the number of levels of call sites.
const maxLines = 99

func (s *survey) add(typ uint32, part uint8) {
	if part&surveyCall != 0 {
		s.calls++
	}
	if part&surveyConstruct != 0 {
		s.constructs++
	}
	if part&surveyFunction != 0 {
		s.functions++
	}
	s.cluster = s.cluster || part&surveyCluster != 0
	if part&surveyLine != 0 && (s.line == 0 || typ < s.line) {
		s.line = typ
	}
}

// chooseRegions chooses the level. user are event types chosen by the user, nil for none.
func chooseRegions(t *prv.Trace, user []uint32, all []survey) regionSource {
	if len(user) > 0 {
		return regionSource{level: ByFunction, functions: user}
	}
	src := regionSource{level: ByNothing, functions: extrae.Of(t.Labels).Family(extrae.Functions)}
	for _, s := range all {
		if s.line > 0 && (src.line == 0 || s.line < src.line) {
			src.line = s.line
		}
	}
	switch {
	case slices.ContainsFunc(all, func(s survey) bool { return s.functions > 0 }):
		src.level = ByFunction
	case slices.ContainsFunc(all, func(s survey) bool { return s.cluster }):
		src.level, src.functions = ByCluster, []uint32{extrae.ClusterID}
	case src.line > 0:
		src.level = ByLine
	case slices.ContainsFunc(all, func(s survey) bool { return s.calls > 0 }):
		src.level = ByCall
	}
	return src
}

// Untraced is the region of code outside of all traced functions.
const Untraced = "code outside of traced functions"

// nameOf names a region.
func (src *regionSource) nameOf(l *prv.Labels, k regionKey) string {
	switch {
	case k.typ == stateRegion:
		return strings.ToLower(l.StateName(k.a))
	case k.call && k.typ >= extrae.OpenMPParallel && k.typ <= extrae.OpenMPTaskID:
		return l.TypeName(k.typ)
	case k.call:
		return l.ValueName(k.typ, k.a)
	case k.typ == 0 && src.byCalls():
		return pairName(src, l, k)
	case k.typ == 0 && src.level == ByFunction:
		return Untraced
	case k.typ == 0:
		return "computation"
	case slices.Contains(deviceRegions, k.typ):
		return extrae.ShortName(extrae.RegionName(l, k.typ, k.a))
	}
	return extrae.RegionName(l, k.typ, k.a)
}

// labelOf returns the name of a value, and whether it is from the .pcf.
func labelOf(l *prv.Labels, typ uint32, value int64) (string, bool) {
	if t, ok := l.Type(typ); ok {
		if label, ok := t.ValueLabel(value); ok {
			return label, true
		}
	}
	return l.ValueName(typ, value), false
}

// callSite returns the file and line of a call, "solver.f90:12", from a label such as "12 (solver.f90, prog)" or
// "solver.f90:12 [solver.f90:12, prog]"; "" if the tracer did not find it.
func callSite(label string) string {
	first, rest, _ := strings.Cut(label, " ")
	if file, ok := strings.CutPrefix(rest, "("); ok && strings.Contains(file, ",") {
		file, _, _ = strings.Cut(file, ",")
		return file + ":" + first
	}
	if strings.HasPrefix(first, "??") || rest == "(Unresolved)" || rest == "(_NOT_Found)" {
		return ""
	}
	return first
}

// siteOf returns the call site for a value of the line type; "" if the .pcf does not name it either.
func siteOf(l *prv.Labels, typ uint32, value int64) string {
	label, ok := labelOf(l, typ, value)
	if !ok {
		return ""
	}
	return callSite(label)
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
			if name := siteOf(l, src.line, v); name != "" {
				return name
			}
			return src.sites[v]
		}
		return l.ValueName(uint32(v>>32), v&0xffffffff)
	}
	from, to := side(k.a, "start"), side(k.b, "end")
	return from + " to " + to
}

// findSites names call sites whose lines the tracer did not find: by the call and its function.
func (src *regionSource) findSites(t *prv.Trace, lanes []lane) {
	if src.level != ByLine {
		return
	}
	src.sites = map[int64]string{}
	for i := range lanes {
		for _, k := range lanes[i].keys {
			for _, side := range [...]int64{k.a, k.b} {
				if !k.call && k.typ == 0 && side > 0 && siteOf(t.Labels, src.line, side) == "" {
					src.sites[side] = ""
				}
			}
		}
	}
	left := len(src.sites)
	mpi := extrae.Of(t.Labels).Family(extrae.MPI)
	for i := 0; i < len(t.Threads) && left > 0; i++ {
		e := &t.Threads[i].Events
		for k := range e.Len() {
			if e.Type[k] != src.line {
				continue
			}
			if name, ok := src.sites[e.Value.At(k)]; ok && name == "" {
				src.sites[e.Value.At(k)] = src.callOn(t.Labels, e, k, mpi)
				left--
			}
		}
	}
}

// callOn names the call on the line of a row, and its function.
func (src *regionSource) callOn(l *prv.Labels, e *prv.Events, k int, mpi []uint32) string {
	call, in := "an unknown line", ""
	first, end := lineOf(e, k)
	for i := first; i < end; i++ {
		switch typ := e.Type[i]; {
		case typ == src.line-extrae.FirstCallerLine+extrae.FirstCaller:
			label, ok := labelOf(l, typ, e.Value.At(i))
			if f := extrae.FunctionName(label); ok && !strings.HasPrefix(f, "??") {
				_, name, fortran := strings.Cut(f, "_MOD_")
				if !fortran {
					name = f
				}
				in = " in " + strings.TrimSpace(name)
			}
		case slices.Contains(mpi, typ):
			call = l.ValueName(typ, e.Value.At(i))
		}
	}
	return call + in
}

// stateRegion is the event type of regions from states.
const stateRegion = 1<<32 - 1

// gatherRegions collects the regions of all lanes in one table, sorted by name, and renumbers the lanes' regions.
func gatherRegions(t *prv.Trace, src *regionSource, lanes []lane) []Region {
	src.findSites(t, lanes)
	named := map[regionKey]Region{}
	for i := range lanes {
		for _, k := range lanes[i].keys {
			if _, ok := named[k]; !ok {
				named[k] = Region{Name: src.nameOf(t.Labels, k), Call: k.call, State: k.call && k.typ == stateRegion,
					StartUp: !k.call && k.typ == 0 && k.a == 0 && k.b != 0}
			}
		}
	}
	list := slices.SortedFunc(maps.Values(named), compareRegions)
	list = slices.CompactFunc(list, func(a, b Region) bool { return compareRegions(a, b) == 0 })
	ids := make(map[regionKey]int32, len(named))
	for k, r := range named {
		id, _ := slices.BinarySearchFunc(list, r, compareRegions)
		ids[k] = int32(id)
	}
	for i := range lanes {
		lanes[i].renumber(ids)
	}
	return list
}

// compareRegions orders regions by name, computation before calls.
func compareRegions(a, b Region) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.kind(), b.kind()))
}

// kind numbers the kinds of regions with one name.
func (r *Region) kind() int {
	switch {
	case r.State:
		return 3
	case r.Call:
		return 2
	case r.StartUp:
		return 1
	}
	return 0
}
