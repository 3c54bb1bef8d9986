package workload

// Parameters of tasks and runs: MEDEA's tables of times, volumes and counts.

import (
	"context"
	"math"
	"path/filepath"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/system"
	"pview/prv/parallel"
)

// TaskParameter is a parameter of a task, and of a run.
type TaskParameter struct {
	Name, Doc string
	Unit      string
	of        func(u *usage) float64
}

// usage counts the activity of a thread.
type usage struct {
	extime                 float64
	uses                   uses
	received, sent, io     float64 // bytes
	receives, sends, calls float64
}

func timeIn(u use) func(*usage) float64 {
	return func(s *usage) float64 { return s.uses[u] }
}

// TaskParameters are the parameters, in MEDEA's order and names.
var TaskParameters = []TaskParameter{
	{"extime", "execution time, from the first to the last record", "ns", func(s *usage) float64 { return s.extime }},
	{"cptime", "computation: extime - sytime", "ns", func(s *usage) float64 { return s.extime - s.uses[inSystem] }},
	{"cmtime", "communication: receives, sends and collectives", "ns", timeIn(communicating)},
	{"rctime", "receiving", "ns", timeIn(receiving)},
	{"trtime", "sending", "ns", timeIn(sending)},
	{"iotime", "I/O", "ns", timeIn(doingIO)},
	{"iptime", "enabling and disabling communication, other calls", "ns", timeIn(settingUp)},
	{"cktime", "synchronisation", "ns", timeIn(synchronising)},
	{"rstime", "allocation of resources", "ns", timeIn(allocating)},
	{"sytime", "all time that is not computation", "ns", timeIn(inSystem)},
	{"rcdata", "bytes received", "B", func(s *usage) float64 { return s.received }},
	{"trdata", "bytes sent", "B", func(s *usage) float64 { return s.sent }},
	{"ttdata", "bytes exchanged: rcdata + trdata", "B", func(s *usage) float64 { return s.received + s.sent }},
	{"iodata", "bytes of I/O", "B", func(s *usage) float64 { return s.io }},
	{"rcnum", "requests to receive", "", func(s *usage) float64 { return s.receives }},
	{"trnum", "requests to send", "", func(s *usage) float64 { return s.sends }},
	{"ionum", "requests of I/O", "", func(s *usage) float64 { return s.calls }},
}

// isTime reports whether a parameter is a time: for a run, the mean over its processors.
func (p *TaskParameter) isTime() bool { return p.Unit == "ns" }

// measureThreads measures the threads, nil for those without records.
func measureThreads(ctx context.Context, t *prv.Trace, opt Options) ([]*usage, error) {
	a := newAccount(t, opt)
	list := make([]*usage, len(t.Threads))
	err := parallel.Each(ctx, len(t.Threads), opt.Workers, func(_, i int) error {
		if opt.has(int32(i)) {
			list[i] = a.measure(int32(i))
		}
		return ctx.Err()
	})
	return list, err
}

// measure measures a thread.
func (a *account) measure(thread int32) *usage {
	from, to, ok := a.span(thread)
	if !ok {
		return nil
	}
	u := &usage{extime: float64(to-from) * float64(a.t.Unit.Nanoseconds()), uses: a.uses(thread)}
	if a.system {
		a.countSystemEvents(thread, u)
		return u
	}
	th := &a.t.Threads[thread]
	volume := func(role prv.Role) (bytes, n float64) {
		for _, c := range th.Comm[role] {
			if at := a.t.Comms.Times[role][c]; at >= a.from && at <= a.to {
				bytes += float64(a.t.Comms.Size[c])
				n++
			}
		}
		return bytes, n
	}
	u.sent, u.sends = volume(prv.LogicalSend)
	u.received, u.receives = volume(prv.LogicalRecv)
	if file, ok := extrae.Of(a.t.Labels).Type(extrae.MPIFile); ok {
		for i, typ := range th.Events.Type {
			if at := th.Events.Time[i]; typ == file && th.Events.Value.At(i) != 0 && at >= a.from && at <= a.to {
				u.calls++
			}
		}
	}
	return u
}

// countSystemEvents sums volumes and requests of a trace with system events, including messages without a partner.
func (a *account) countSystemEvents(thread int32, u *usage) {
	e := &a.t.Threads[thread].Events
	bytes := map[uint32]*float64{system.SentType: &u.sent, system.ReceivedType: &u.received, system.IOBytesType: &u.io}
	counts := map[system.Class]*float64{system.Transmit: &u.sends, system.Receive: &u.receives,
		system.InputOutput: &u.calls}
	for i, typ := range e.Type {
		if e.Time[i] < a.from || e.Time[i] > a.to {
			continue
		}
		if sum := bytes[typ]; sum != nil {
			*sum += float64(e.Value.At(i))
		}
		if typ != system.Type || e.Value.At(i) == 0 {
			continue
		}
		if id := -int(e.Value.At(i)); system.IsRequest(id) {
			if n := counts[system.ClassOf(id)]; n != nil {
				*n++
			}
		}
	}
}

// extractTasks has a component for each thread with records.
func extractTasks(ctx context.Context, t *prv.Trace, opt Options) (*Set, error) {
	list, err := measureThreads(ctx, t, opt)
	if err != nil {
		return nil, err
	}
	s := &Set{}
	var of []*usage
	for i, u := range list {
		if u == nil {
			continue
		}
		from, to, _ := newAccount(t, opt).span(int32(i))
		s.Thread, s.Begin, s.End = append(s.Thread, int32(i)), append(s.Begin, from), append(s.End, to)
		s.Names = append(s.Names, t.Name(prv.LevelThread, i))
		of = append(of, u)
	}
	s.tabulate(of)
	return s, nil
}

// tabulate makes the columns of tasks.
func (s *Set) tabulate(of []*usage) {
	s.n = len(of)
	for k := range TaskParameters {
		p := &TaskParameters[k]
		values := s.add(p.Name, p.Unit, p.Doc).Values
		for i, u := range of {
			values[i] = p.of(u)
		}
	}
}

// extractRun has one component: times are means over the processors, except that the run lasts from its first to its
// last record; volumes and counts are sums.
func extractRun(ctx context.Context, t *prv.Trace, opt Options) (*Set, error) {
	tasks, err := extractTasks(ctx, t, opt)
	if err != nil {
		return nil, err
	}
	return runOf(tasks, filepath.Base(t.Path), float64(t.Unit.Nanoseconds())), nil
}

// runOf sums the tasks of a run.
func runOf(tasks *Set, name string, unit float64) *Set {
	s := &Set{n: 1, Names: []string{name}, Thread: []int32{-1}, Begin: []int64{0}, End: []int64{0}}
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for i := range tasks.Begin {
		first, last = min(first, tasks.Begin[i]), max(last, tasks.End[i])
	}
	if first <= last {
		s.Begin[0], s.End[0] = first, last
	}
	for k := range TaskParameters {
		p := &TaskParameters[k]
		sum := 0.0
		for _, v := range tasks.Columns[k].Values {
			sum += v
		}
		if p.isTime() {
			sum /= float64(tasks.n)
		}
		if p.Name == "extime" {
			sum = float64(s.End[0]-s.Begin[0]) * unit
		}
		s.add(p.Name, p.Unit, p.Doc).Values[0] = sum
	}
	s.add("prnum", "", "number of processors").Values[0] = float64(tasks.n)
	return s
}

// Join joins the runs of several traces into one set.
func Join(list []*Set) *Set {
	s := &Set{Kind: list[0].Kind, Trace: list[0].Trace}
	for _, one := range list {
		s.n += one.n
		s.Names = append(s.Names, one.Names...)
		s.Notes = append(s.Notes, one.Notes...)
		if s.Columns == nil {
			for _, c := range one.Columns {
				c.Values = nil
				s.Columns = append(s.Columns, c)
			}
		}
		for k := range s.Columns {
			s.Columns[k].Values = append(s.Columns[k].Values, one.Columns[k].Values...)
		}
	}
	return s
}
