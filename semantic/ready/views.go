package ready

import (
	"strings"

	"pview/filter"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/execution"
	"pview/semantic"
)

// The windows of the ready views.

// single makes an entry's views from one that every trace has.
func single(v View) func(*Facts) []View { return func(*Facts) []View { return []View{v} } }

// messages offers a view if there are messages.
func messages(v View) func(*Facts) []View {
	return func(f *Facts) []View {
		if !f.hasMessages() {
			return nil
		}
		return []View{v}
	}
}

// threadView returns a view of a thread function.
func threadView(function string, params ...[]float64) View {
	return View{Window: semantic.ThreadWindow(function, params...), AnyLevel: true}
}

// lastValue returns the window of the last value of event types.
func lastValue(types ...uint32) semantic.Window {
	w := semantic.ThreadWindow("Last Evt Val")
	w.Filter = filter.Only(types...)
	return w
}

// ofFamily returns the last value of those types of a family that occur.
func (f *Facts) ofFamily(family extrae.Family) []View {
	types := f.Has(extrae.Of(f.Trace.Labels).Family(family)...)
	if len(types) == 0 {
		return nil
	}
	return []View{{Window: lastValue(types...), AnyLevel: true}}
}

func mpiCall(f *Facts) []View { return f.ofFamily(extrae.MPI) }

func openMP(f *Facts) []View { return f.ofFamily(extrae.OpenMP) }

// userFunction returns a view of the function on top of the stack: an event of value 0 ends the innermost one.
func userFunction(f *Facts) []View {
	list := f.ofFamily(extrae.Functions)
	for i := range list {
		list[i].Window.Compose[prv.LevelThread] = semantic.Call{Name: "Stacked Val"}
	}
	return list
}

// entryMethod returns the entry method that executes.
func entryMethod(f *Facts) []View {
	types := f.Has(execution.TypesOf(f.Trace.Labels)[execution.Entry])
	if len(types) == 0 || !execution.IsDriven(f.Trace) {
		return nil
	}
	return []View{{Window: lastValue(types...), AnyLevel: true}}
}

// clusters returns the clusters of pview workload, of its pane, or of the clustering suite.
func clusters(f *Facts) []View {
	if len(f.Has(extrae.ClusterID)) == 0 {
		return nil
	}
	return []View{{Window: lastValue(extrae.ClusterID)}}
}

// callers returns the innermost caller of MPI, the next, and so on.
func callers(f *Facts) []View {
	var list []View
	for level := uint32(1); level <= 9; level++ {
		if t := extrae.FirstCaller + level; len(f.Has(t)) > 0 {
			v := View{Window: lastValue(t), AnyLevel: true}
			if level > 1 {
				v.Name = "MPI caller, level " + string('0'+rune(level))
			}
			list = append(list, v)
		}
	}
	return list
}

var usefulDuration = threadView("State Record Dur.", []float64{1})

var bytesInTransit = threadView("Send Bytes in Transit")

// parallelism sums useful computation over all threads.
var parallelism = func() View {
	v := View{Window: semantic.ThreadWindow("Useful"), Graph: true}
	v.Window.Level = prv.LevelWorkload
	return v
}()

// busQueue adds up the queues of all threads (thesis, figure 70).
var busQueue = func() View {
	v := queue("Messages Queued To Send")
	v.Window.Level, v.Graph = prv.LevelWorkload, true
	return v
}()

// queue returns a view of messages between a logical and a physical end.
func queue(function string) View {
	v := threadView(function)
	v.Window.Filter.Comms.Physical = true
	return v
}

// reading returns the window of a counter's value at the end of each burst. The factor 1 turns values into plain
// numbers, which would otherwise be codes.
func reading(t uint32) semantic.Window {
	w := semantic.ThreadWindow("Next Evt Val")
	w.Filter = filter.Only(t)
	w.Compose[prv.LevelThread] = semantic.Call{Name: "Prod", Params: [][]float64{{1}}}
	return w
}

// rate returns the reading of a counter over the length of the burst, times a factor: per microsecond with factor 1.
func rate(t uint32, factor float64) semantic.Window {
	w := semantic.ThreadWindow("Avg Next Evt Val", []float64{factor})
	w.Filter = filter.Only(t)
	return w
}

// derive combines two windows at the level of threads.
func derive(a semantic.Window, operation string, b semantic.Window) semantic.Window {
	w := semantic.DefaultWindow()
	w.Derived = &semantic.Derived{Op: semantic.Call{Name: operation}, A: semantic.Parent{Window: &a, Factor: 1},
		B: semantic.Parent{Window: &b, Factor: 1}}
	return w
}

// Useful returns a window that is 0 except where threads compute: counters are read at both ends of a computation, so
// the next reading is its count.
func Useful(w semantic.Window) semantic.Window {
	w.Name = "of every burst"
	return derive(w, "product", semantic.ThreadWindow("Useful"))
}

// averaged makes the levels above average a window of a ratio: ratios do not add up.
func averaged(w semantic.Window) semantic.Window {
	for _, l := range []prv.Level{prv.LevelTask, prv.LevelPtask, prv.LevelWorkload} {
		w.Functions[l] = semantic.Call{Name: "Average"}
	}
	return w
}

// counter returns the type of a counter that occurs.
func (f *Facts) counter(number uint32) (t uint32, ok bool) {
	if t, ok = extrae.Of(f.Trace.Labels).Type(number); ok {
		ok = len(f.Has(t)) > 0
	}
	return t, ok
}

// ipc divides the readings of each burst, not their rates: exact to the last digit.
func ipc(f *Facts) []View {
	instructions, ok := f.counter(extrae.Instructions)
	cycles, ok2 := f.counter(extrae.Cycles)
	if !ok || !ok2 {
		return nil
	}
	a, b := reading(instructions), reading(cycles)
	a.Name, b.Name = "Instructions", "Cycles"
	return []View{{Window: averaged(Useful(derive(a, "divide", b))), Unit: units["IPC"]}}
}

func mips(f *Facts) []View {
	t, ok := f.counter(extrae.Instructions)
	if !ok {
		return nil
	}
	return []View{{Window: Useful(rate(t, 1)), Unit: units["MIPS"]}}
}

func frequency(f *Facts) []View {
	t, ok := f.counter(extrae.Cycles)
	if !ok {
		return nil
	}
	return []View{{Window: averaged(Useful(rate(t, 1e-3))), Unit: units["Clock frequency"]}}
}

const (
	counterPrefix  = "Counter: "
	perMicrosecond = " per us"
)

// counters returns views of the readings of every counter on all bursts, useful or not.
func counters(f *Facts) []View {
	var list []View
	for _, c := range f.Types {
		if extrae.IsCounter(f.Trace.Labels, c.Type) {
			label := f.Trace.Labels.TypeName(c.Type)
			list = append(list, View{Name: counterPrefix + label, Window: reading(c.Type), Unit: counterUnit(label)})
		}
	}
	return list
}

func counterRates(f *Facts) []View {
	list := counters(f)
	for i := range list {
		t := uint32(list[i].Window.Filter.Events.Type.Values[0])
		list[i] = View{Name: list[i].Name + perMicrosecond, Window: averaged(rate(t, 1))}
	}
	return list
}

// counted are the nouns for the units of counters, by a part of their labels in lower case.
var counted = []struct{ part, unit string }{
	{"tot_ins", "instructions"}, {"instructions", "instructions"}, {"tot_cyc", "cycles"}, {"stalls", "cycles"},
	{"cycles", "cycles"},
	{"misses", "misses"}, {"_dcm", "misses"}, {"_tcm", "misses"}, {"br_msp", "branches"}, {"br_ins", "branches"},
	{"task-clock", "ns"}, {"cpu-clock", "ns"}, {"page-faults", "faults"}, {"context-switches", "switches"},
	{"_ops", "operations"},
}

func counterUnit(label string) string {
	label = strings.ToLower(label)
	for _, c := range counted {
		if strings.Contains(label, c.part) {
			return c.unit
		}
	}
	return "events"
}

// between returns the time between consecutive events that pass; 0 after an event of value 0, which ends something.
func between(f filter.Filter) semantic.Window {
	interval, on := semantic.ThreadWindow("Int. Between Evt"), semantic.ThreadWindow("Last Evt Val")
	interval.Filter, on.Filter = f, f.Clone()
	on.Compose[prv.LevelThread] = semantic.Call{Name: "Sign"}
	return derive(interval, "product", on)
}

// iterations uses the program's event types whose labels mention iterations.
func iterations(f *Facts) []View {
	var list []View
	for _, c := range f.Types {
		label := f.Trace.Labels.TypeName(c.Type)
		if extrae.IsTracers(c.Type) || !speaksOfIterations(label) {
			continue
		}
		v := View{Window: averaged(between(filter.Only(c.Type)))}
		if len(list) > 0 {
			v.Name = "Iteration duration: " + label
		}
		list = append(list, v)
	}
	return list
}

func speaksOfIterations(label string) bool {
	for _, word := range strings.FieldsFunc(strings.ToLower(label), func(r rune) bool { return r < 'a' || r > 'z' }) {
		switch word {
		case "iteration", "iterations", "iter", "step", "timestep", "steps":
			return true
		}
	}
	return false
}

// betweenCollectives uses the starts of the collective that a thread calls most often.
func betweenCollectives(f *Facts) []View {
	if f.Collective == 0 {
		return nil
	}
	t, _ := extrae.Of(f.Trace.Labels).Type(extrae.MPICollective)
	pass := filter.Only(t)
	pass.Events.Value = filter.Criterion{Func: filter.Equal, Values: []float64{float64(f.Collective)}}
	name := f.Trace.Labels.ValueName(t, f.Collective)
	return []View{{Name: "Iteration duration by " + name, Window: averaged(between(pass))}}
}
