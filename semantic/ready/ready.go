// Package ready is the table of ready views: questions for every run, each with a window that answers it. The contents
// of the trace decide which ones are offered. It feeds the menus of the viewer, pview stat --view and pview list views.
package ready

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pview/prv"
	"pview/prv/extrae/device"
	"pview/semantic"
)

// Entry is an entry of the table.
type Entry struct {
	Name    string
	Aliases []string // other words that people search for
	Doc     string   // one line: the value
	When    string   // on which traces it is offered
	views   func(f *Facts) []View
}

// View is a ready view of a trace.
type View struct {
	Name    string
	Aliases []string
	Doc     string
	Window  semantic.Window
	Unit    string // of the values, if their function has none; "" for none
	Graph   bool   // best drawn as a function line
	// AnyLevel: the view makes sense at every level; others have the level of their window.
	AnyLevel bool
}

// Table lists the entries, the most common ones first.
func Table() []Entry { return slices.Clone(table) }

// Views lists the ready views of a trace.
func (f *Facts) Views() []View {
	var list []View
	for i := range table {
		e := &table[i]
		for _, v := range e.views(f) {
			if v.Name == "" {
				v.Name = e.Name
			}
			if v.Doc == "" {
				v.Doc = e.Doc
			}
			v.Aliases = append(slices.Clone(e.Aliases), v.Aliases...)
			v.Window.Name = v.Name
			list = append(list, v)
		}
	}
	return list
}

// Find returns a view by its whole name or alias, else the first whose name, else whose alias contains the text. Case
// is ignored.
func (f *Facts) Find(text string) (View, error) {
	views := f.Views()
	text = strings.ToLower(strings.TrimSpace(text))
	for _, fits := range []func(name string) bool{
		func(name string) bool { return name == text },
		func(name string) bool { return strings.HasPrefix(name, text) },
		func(name string) bool { return strings.Contains(name, text) },
	} {
		for _, names := range []func(v *View) []string{
			func(v *View) []string { return []string{v.Name} },
			func(v *View) []string { return v.Aliases },
		} {
			for i := range views {
				if slices.ContainsFunc(names(&views[i]), func(n string) bool {
					return fits(strings.ToLower(n))
				}) && text != "" {
					return views[i], nil
				}
			}
		}
	}
	if why := f.Missing(text); why != "" {
		return View{}, errors.New(why)
	}
	var names []string
	for _, v := range views {
		names = append(names, v.Name)
	}
	return View{}, fmt.Errorf("unknown view %q; views of this trace: %s", text, strings.Join(names, ", "))
}

// Missing explains why a trace lacks a view, given the start of its name or of an alias. It returns "" if no view has
// that name.
func (f *Facts) Missing(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	begins := func(name string) bool { return strings.HasPrefix(strings.ToLower(name), text) }
	for _, e := range table {
		if text != "" && (begins(e.Name) || slices.ContainsFunc(e.Aliases, begins)) && len(e.views(f)) == 0 {
			return fmt.Sprintf("%s is not offered for this trace: only for %s", e.Name, e.When)
		}
	}
	return ""
}

// UnitOf returns the unit of the values of a window that is a ready view of a trace with the given labels; "" if their
// function has the unit, or there is none.
func UnitOf(w *semantic.Window, l *prv.Labels) string {
	switch {
	case w.Meaning() != semantic.PlainNumbers:
		return ""
	case units[w.Name] != "":
		return units[w.Name]
	case strings.HasPrefix(w.Name, counterPrefix) && !strings.HasSuffix(w.Name, perMicrosecond):
		return counterUnit(strings.TrimPrefix(w.Name, counterPrefix))
	}
	return ""
}

// The names of the device views.
const (
	DeviceKernel     = "Device kernel"
	DeviceCollective = "Device collective"
	DeviceCopy       = "Device copy"
)

// EntryMethod is the name of the view of a message-driven run's executions.
const EntryMethod = "Entry method"

var table = []Entry{
	{Name: "State As Is", Aliases: []string{"states"}, Doc: "state of every thread", When: "every trace",
		views: single(threadView("State As Is"))},
	{Name: "Useful", Aliases: []string{"running", "computation"}, Doc: "computation only", When: "every trace",
		views: single(threadView("Useful"))},
	{Name: "MPI call", Aliases: []string{"mpi"}, Doc: "MPI call under way", When: "traces with MPI calls",
		views: mpiCall},
	{Name: "User function", Aliases: []string{"functions", "routines"},
		Doc: "innermost instrumented function of the program", When: "traces with user functions", views: userFunction},
	{Name: EntryMethod, Aliases: []string{"charm++", "message-driven", "chares"},
		Doc: "entry method that executes", When: "message-driven traces, such as logs of Charm++", views: entryMethod},
	{Name: "OpenMP construct", Aliases: []string{"parallel regions", "omp"}, Doc: "parallel regions and worksharing",
		When: "traces with OpenMP", views: openMP},
	{Name: DeviceKernel, Aliases: []string{"gpu", "cuda", "hip"}, Doc: "kernel that each stream of a device runs",
		When: "traces with kernels of devices", views: ofDevices(device.Kernel)},
	{Name: DeviceCollective, Aliases: []string{"nccl", "collective kernel"},
		Doc: "collective operation that each stream runs", When: "traces with collectives of devices",
		views: ofDevices(device.Operation)},
	{Name: DeviceCopy, Aliases: []string{"memory copy", "memcpy", "memset"},
		Doc: "copy or set of memory that each stream of a device runs", When: "traces with copies of devices",
		views: ofDevices(device.Memory)},
	{Name: "Device call", Aliases: []string{"cuda call", "launch"},
		Doc: "call of the devices' library under way on the host", When: "traces with such calls",
		views: ofDevices(device.Call)},
	{Name: "Busy streams", Aliases: []string{"streams", "gpu"}, Doc: "number of streams at work at the same time",
		When: "traces with kernels, collectives or copies of devices", views: busyStreams},
	{Name: "Overlap", Aliases: []string{"hidden communication"},
		Doc:  "1 while devices of a task compute and communicate at once",
		When: "traces with kernels and communication of devices", views: overlap},
	{Name: "Exposed communication", Aliases: []string{"overlap"},
		Doc:  "1 while a task's devices only communicate",
		When: "traces with kernels and communication of devices", views: exposed},
	{Name: "Annotation", Aliases: []string{"nvtx", "ranges", "record_function"},
		Doc: "innermost range that the program marks", When: "traces with NVTX ranges or annotations",
		views: annotations},
	{Name: "Useful duration", Aliases: []string{"computation", "burst"}, Doc: "duration of each computation",
		When: "every trace", views: single(usefulDuration)},
	{Name: "IPC", Aliases: []string{"instructions per cycle"}, Doc: "instructions per cycle of each computation",
		When: "traces with counters of instructions and cycles", views: ipc},
	{Name: "MIPS", Aliases: []string{"instruction rate"},
		Doc: "millions of instructions per second of each computation", When: "traces with a counter of instructions",
		views: mips},
	{Name: "Clock frequency", Aliases: []string{"ghz", "cycles per time"},
		Doc: "cycles per nanosecond of each computation", When: "traces with a counter of cycles", views: frequency},
	{Name: "Parallelism", Aliases: []string{"concurrency", "useful threads"},
		Doc: "number of threads that compute at the same time", When: "every trace", views: single(parallelism)},
	{Name: "Iteration duration", Aliases: []string{"step", "loop"},
		Doc:  "duration of each iteration, event to event",
		When: "traces with events of iterations or steps", views: iterations},
	{Name: "Iteration duration by collective", Aliases: []string{"time between collectives", "step", "loop"},
		Doc:  "time between the most frequent calls",
		When: "traces with a collective that is called again and again", views: betweenCollectives},
	{Name: "Bytes in transit", Aliases: []string{"bytes in flight"}, Doc: "bytes of messages on their way, per sender",
		When: "traces with messages", views: messages(bytesInTransit)},
	{Name: "Bus queue", Aliases: []string{"waiting for buses", "waiting for links", "send queue"},
		Doc:  "messages sent that wait for buses, links or receivers",
		When: "traces with messages", views: messages(busQueue)},
	{Name: "Receive queue", Aliases: []string{"waiting messages", "unexpected messages"},
		Doc: "messages that arrive before their receive is posted", When: "traces with messages",
		views: messages(queue("Messages Queued To Receive"))},
	{Name: "Late sender", Aliases: []string{"late messages", "wait at receiver"},
		Doc: "time that a receiver waits before the message is sent", When: "traces with messages",
		views: messages(threadView("Late Sender"))},
	{Name: "Late receiver", Aliases: []string{"late messages", "wait at sender"},
		Doc: "time that a sender waits before the receive is posted", When: "traces with messages",
		views: messages(threadView("Late Receiver"))},
	{Name: "Clusters", Aliases: []string{"cluster id"}, Doc: "cluster of the burst under way",
		When: "traces with clusters of bursts (type 90000001)", views: clusters},
	{Name: "MPI caller", Aliases: []string{"caller of mpi"}, Doc: "function that called MPI",
		When: "traces with callers", views: callers},
	{Name: "Counter", Aliases: []string{"papi", "perf"}, Doc: "count of each burst, as it was read at its end",
		When: "traces with counters", views: counters},
	{Name: "Counter per us", Aliases: []string{"rate of a counter"}, Doc: "count of each burst per microsecond",
		When: "traces with counters", views: counterRates},
}

// AddThreadView adds a ready view, for traces with several threads, of a thread function that was added to semantic's
// table. It must only be called while the program starts.
func AddThreadView(function, doc string, aliases ...string) {
	table = append(table, Entry{Name: function, Aliases: aliases, Doc: doc, When: "traces with several threads",
		views: func(f *Facts) []View {
			if f.Trace.NumThreads() < 2 {
				return nil
			}
			return []View{threadView(function)}
		}})
}

// units are the units of views, by name.
var units = map[string]string{"IPC": "instructions per cycle", "MIPS": "MIPS", "Clock frequency": "GHz",
	"Parallelism": "threads", "Busy streams": "streams", "Bus queue": "messages", "Receive queue": "messages"}
