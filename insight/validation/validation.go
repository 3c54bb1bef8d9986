// Package validation shows how far predictions of a run can be trusted: it replays the run on the machine fitted to its
// own messages, and compares the replay with the measured run. It divides the whole difference by kind of call.
package validation

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"pview/insight/network"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/calls"
	"pview/prv/extrae"
	"pview/prv/extrae/execution"
	"pview/prv/parallel"
	"pview/prv/quantity"
	"pview/prv/wide"
	"pview/sim"
	"pview/sim/engine"
)

// Row is the time of all threads in calls of a kind, or outside of calls, in ns.
type Row struct {
	Kind, Of           string
	Measured, Replayed wide.Int
}

// Kinds of rows that are not calls.
const (
	outside = "outside of calls" // including idle and untraced time and time before the first record, as in Dimemas
	waiting = "waiting"          // outside of calls, by the states of a trace without calls
	noWork  = "no work"          // outside of calls, in threads that wait for their team
	ended   = "ended"            // after the last record of a thread
)

// kinds of calls, by the type of the event that begins one.
var kinds = map[uint32]string{extrae.MPIPointToPoint: "point-to-point", extrae.MPICollective: "collective",
	extrae.MPIOneSided: "one-sided", extrae.MPIFile: "I/O"}

// Replay is a measured run and its replay.
type Replay struct {
	Network            *network.Fit // nil if no messages show it: an ideal one
	Measured, Replayed int64        // ns
	Threads            int
	// Absent is the time, ns, in which threads were not created or not traced: the replay counts it as computation.
	Absent wide.Int
	// Rows sum to the run times multiplied by the number of threads. The largest difference comes first.
	Rows []Row
}

// Of replays a program on the machine fitted to the program's trace. memory bounds the replay's memory; 0: no limit.
func Of(ctx context.Context, t *prv.Trace, p *sim.Program, memory int64) (*Replay, error) {
	n, err := network.Of(ctx, t)
	if err != nil {
		return nil, err
	}
	return On(ctx, t, p, n.Fit(), memory)
}

// On is Of with an already fitted network; nil: an ideal one.
func On(ctx context.Context, t *prv.Trace, p *sim.Program, n *network.Fit, memory int64) (*Replay, error) {
	r := &Replay{Network: n, Measured: execution.Time(t), Threads: t.NumThreads()}
	m := sim.IdealFor(p)
	if n != nil {
		m = n.Machine(p)
	}
	result, err := engine.Run(ctx, p, m, sim.Options{Trace: true, Memory: memory})
	if err != nil {
		return nil, fmt.Errorf("the fitted machine does not replay the run: %w", err)
	}
	sim.NamePrediction(result.Trace, t, sim.Rules{})
	r.Replayed = result.Total
	sums := map[key]*Row{}
	for i, of := range []*prv.Trace{t, result.Trace} {
		list, absent, err := divide(ctx, of)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			r.Absent = absent
		}
		for k, v := range list {
			if sums[k] == nil {
				sums[k] = &Row{Kind: k.kind, Of: k.of}
			}
			if i == 0 {
				sums[k].Measured = v
			} else {
				sums[k].Replayed = v
			}
		}
	}
	for _, row := range sums {
		r.Rows = append(r.Rows, *row)
	}
	slices.SortFunc(r.Rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(math.Abs(b.more()), math.Abs(a.more())), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Of, b.Of))
	})
	return r, nil
}

func (r *Row) more() float64 { return r.Replayed.Minus(r.Measured).Float() }

// Name returns the call, or the kind of time outside of calls.
func (r *Row) Name() string { return cmp.Or(r.Of, r.Kind) }

// Off returns the deviation of the replay from the measured run, as a share of it.
func (r *Replay) Off() float64 {
	if r.Measured == 0 {
		return 0
	}
	return float64(r.Replayed)/float64(r.Measured) - 1
}

// doubtful is the deviation from which predictions are doubtful: the same as the tolerance for program models.
const doubtful = 0.10

// Doubtful reports whether the replay is too far off to rely on predictions of this run.
func (r *Replay) Doubtful() bool { return math.Abs(r.Off()) > doubtful }

// Share returns a row's contribution to Off: the shares sum to it.
func (r *Replay) Share(row *Row) float64 {
	whole := float64(r.Measured) * float64(r.Threads)
	if whole == 0 {
		return 0
	}
	return row.more() / whole
}

// key identifies a row by its kind and call.
type key struct{ kind, of string }

// divide divides the time of all threads, in ns. absent is the time outside of calls in which they were not created or
// not traced.
func divide(ctx context.Context, t *prv.Trace) (_ map[key]wide.Int, absent wide.Int, _ error) {
	types, means := calls.TypesOf(t.Labels), extrae.StatesOf(t.Labels, extrae.Auto)
	lists := make([]*thread, t.NumThreads())
	from, to := execution.Window(t)
	err := parallel.For(ctx, len(lists), func(i int) error {
		th := &thread{Thread: &t.Threads[i], means: means, sums: map[key]int64{}, at: from,
			leads: t.Tasks[t.ThreadTask[i]].FirstThread == int32(i),
			alone: t.Tasks[t.ThreadTask[i]].Threads == 1}
		lists[i] = th
		th.divide(t, i, types, to)
		return ctx.Err()
	})
	sums := map[key]wide.Int{}
	for _, th := range lists {
		if th == nil {
			continue
		}
		for k, v := range th.sums {
			sums[k] = sums[k].Plus(wide.Product(v, t.Unit.Nanoseconds()))
		}
		if th.calls { // else the program comes from states
			absent = absent.Plus(wide.Product(th.absent, t.Unit.Nanoseconds()))
		}
	}
	return sums, absent, err
}

// thread divides the time of one thread.
type thread struct {
	*prv.Thread
	means  *extrae.States
	leads  bool // the first of its task, for which the simulator computes idle time
	alone  bool // the only thread of its task
	calls  bool // has any
	sums   map[key]int64
	at     int64 // time is divided up to here
	absent int64 // of it, as in Replay
	state  int   // that is current then
}

func (th *thread) divide(t *prv.Trace, i int, types *calls.Types, end int64) {
	last := int64(0)
	if n := th.States.Len(); n > 0 {
		last = th.States.End[n-1]
	}
	if n := th.Events.Len(); n > 0 {
		last = max(last, th.Events.Time[n-1])
	}
	_ = types.Each(t, i, nil, func(c calls.Call) error {
		if calls.Families[c.Family].Family != extrae.MPI || c.Depth > 0 || c.End <= th.at {
			return nil
		}
		th.calls = true
		th.outside(c.Begin)
		th.sums[key{cmp.Or(kinds[c.Type], "other MPI"), t.Labels.ValueName(c.Type, c.Value)}] += c.End - th.at
		th.at = c.End
		return nil
	})
	th.outside(min(last, end))
	if end > th.at {
		th.sums[key{kind: ended}] += end - th.at
	}
}

// outside divides the time until a call by the states.
func (th *thread) outside(to int64) {
	for st := &th.States; th.at < to; {
		for th.state < st.Len() && st.Until(th.state, th.at) <= th.at {
			th.state++
		}
		meaning, until, recorded := extrae.Absent, to, false
		switch {
		case st.Len() == 0:
			meaning = extrae.Useful
		case th.state == st.Len():
		case st.Begin[th.state] > th.at:
			until = min(to, st.Begin[th.state])
		default:
			meaning, until, recorded = th.means.Meaning(st.Value[th.state]), min(to, st.Until(th.state, to)), true
		}
		kind := noWork
		switch meaning {
		case extrae.Useful, extrae.IO:
			kind = outside
		case extrae.Absent, extrae.Idle, extrae.Unknown:
			if th.leads {
				kind = outside
			}
			if th.leads && recorded && meaning == extrae.Absent {
				th.absent += until - th.at
			}
		case extrae.Waiting, extrae.Communicating:
			if th.alone {
				kind = waiting
			}
		}
		th.sums[key{kind: kind}] += until - th.at
		th.at = until
	}
}

// String says how far off the replay is, and where.
func (r *Replay) String() string {
	text := fmt.Sprintf("the replay on the fitted machine (%s) is %s off: %s for the measured %s", r.network(),
		quantity.FormatPercent(math.Abs(r.Off())), quantity.FormatDuration(r.Replayed, prv.Nanoseconds),
		quantity.FormatDuration(r.Measured, prv.Nanoseconds))
	var most []string
	for i := range r.Rows {
		if share := r.Share(&r.Rows[i]); len(most) < 3 && math.Abs(share) >= telling {
			most = append(most, r.Rows[i].Name()+" "+quantity.FormatChange(share))
		}
	}
	if len(most) > 0 {
		text += "; most in " + strings.Join(most, ", ")
	}
	return text
}

// telling is the minimum share of the run of a named difference.
const telling = 0.01

func (r *Replay) network() string {
	if r.Network == nil {
		return "without messages to fit it to: an ideal network"
	}
	return r.Network.String()
}

// Table has the larger differences, and the rest: the shares sum to the deviation. Times are means of the threads.
func (r *Replay) Table() *report.Table {
	show := func(v any) string { return quantity.FormatDuration(v.(int64), prv.Nanoseconds) }
	t := &report.Table{Indent: 2, Columns: []report.Column{{Title: "Per thread"}, {Title: "Kind"},
		{Title: "Measured", Show: show, Right: true}, {Title: "Replayed", Show: show, Right: true},
		{Title: "Of the run", Show: func(v any) string { return quantity.FormatChange(v.(float64)) }, Right: true}}}
	n := int64(max(1, r.Threads))
	add := func(name, kind string, row *Row) {
		t.Add(name, kind, row.Measured.Over(n), row.Replayed.Over(n), r.Share(row))
	}
	var rest Row
	for i := range r.Rows {
		row := &r.Rows[i]
		switch {
		case math.Abs(r.Share(row)) < telling && row.Kind != outside:
			rest.Measured, rest.Replayed = rest.Measured.Plus(row.Measured), rest.Replayed.Plus(row.Replayed)
		case row.Of == "":
			add(row.Kind, "", row)
		default:
			add(row.Of, row.Kind, row)
		}
	}
	add("the rest", "", &rest)
	add("the run", "", &Row{Measured: wide.Product(r.Measured, n), Replayed: wide.Product(r.Replayed, n)})
	return t
}

// object returns the replay for programs: all rows, in times of all threads.
func (r *Replay) object() report.Object {
	rows := []report.Object{}
	for i := range r.Rows {
		row := &r.Rows[i]
		rows = append(rows, report.NewObject("kind", row.Kind, "of", row.Of, "measured_ns", row.Measured, "replayed_ns",
			row.Replayed, "share", r.Share(row)))
	}
	return report.NewObject("machine", r.network(), "measured_ns", r.Measured, "replayed_ns", r.Replayed, "off",
		r.Off(), "threads", r.Threads, "rows", rows)
}
