package efficiency

// The run on an ideal network.
//
// As in modelfactors, which runs Dimemas for it, with a network of no latency and no limits on which every
// process has its own node, and collective operations have a fan-in only: all that remains is the waiting of
// processes for one another. A blocking send waits for its receiver from 32 KiB on (Dimemas -S 32K), as MPI
// libraries do with long messages.

import (
	"context"
	"fmt"
	"strings"

	"pview/prv"
	"pview/prv/extrae/execution"
	"pview/prv/quantity"
	"pview/semantic"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/engine"
)

// MachineFor returns the machine for the simulation of a program.
type MachineFor func(p *sim.Program) *sim.Machine

// IdealMachine has a node for each process, a CPU for each of its threads, and an infinitely fast network; a
// collective operation ends when the last one arrives.
func IdealMachine(p *sim.Program) *sim.Machine {
	m := sim.IdealFor(p)
	for c := range m.Clusters {
		for op := range m.Clusters[c].Collectives {
			cost := &m.Clusters[c].Collectives[op]
			cost.FanIn.Model, cost.FanOut.Model = sim.ModelLogarithmic, sim.ModelNone
		}
	}
	return m
}

// eagerLimit is the eager limit of modelfactors: messages of at least this many bytes wait for their receiver.
const eagerLimit = 32 << 10

// limited applies the eager limit of the options to a machine; without one, modelfactors' limit, unless the machine has
// its own.
func (o *Options) limited(m *sim.Machine) *sim.Machine {
	limit := int64(eagerLimit)
	switch {
	case o.EagerLimit != nil:
		limit = *o.EagerLimit
	case m.EagerLimit >= 0:
		return m
	}
	m = m.Clone()
	m.EagerLimit = limit
	return m
}

// simulate runs the trace on the ideal machine. A failure is a note, not an error.
func (r *Run) simulate(ctx context.Context, t *prv.Trace, seen seenTypes, opt Options) error {
	ideal, err := r.idealRun(ctx, t, seen, opt)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.NotSimulated = err.Error()
		r.note("not simulated: %s; serialization and transfer efficiency have no value", r.NotSimulated)
		return nil
	}
	r.Ideal = ideal
	if opt.Machine == nil {
		r.checkIdeal()
	}
	return nil
}

// leastDeviation is the factor from which the ideal run contradicts the run.
const leastDeviation = 1.01

// checkIdeal notes if the ideal run cannot be the run without waiting for the network: computation must take as long,
// and the run must not get longer. Like Dimemas's, the translation treats everything between calls as computation: also
// the time before a thread exists, and time without tracing.
func (r *Run) checkIdeal() {
	what, there, here := "the longest useful time of a thread", ns(r.Ideal.UsefulMax), r.UsefulMax()
	if r.Hybrid {
		what, there, here = "the longest time of a process outside of MPI", ns(r.Ideal.OutsideMax), most(r.Outside)
	}
	switch {
	case here > leastDeviation*there:
		r.note("simulation: %s is %s in the ideal run, %s in the run: what a thread computes after its last call or "+
			"event is skipped, as in Dimemas", what, quantity.FormatDuration(int64(there), prv.Nanoseconds),
			quantity.FormatDuration(int64(here), prv.Nanoseconds))
	case there > leastDeviation*here && here > 0:
		r.note("simulation: %s is %s in the ideal run, %s in the run, where it should be the same: serialization "+
			"efficiency is %.2f times what it should be, and transfer efficiency as much too low", what,
			quantity.FormatDuration(int64(there), prv.Nanoseconds), quantity.FormatDuration(int64(here),
				prv.Nanoseconds), there/here)
	}
	if ns(r.Ideal.Runtime) > leastDeviation*ns(r.Runtime) {
		r.note("simulation: the ideal run is longer than the run: it does not tell serialization from transfer")
	}
}

func (r *Run) idealRun(ctx context.Context, t *prv.Trace, seen seenTypes, opt Options) (*Ideal, error) {
	if seen.bursts {
		return nil, fmt.Errorf("traced in burst mode, without MPI calls between bursts")
	}
	if execution.IsDriven(t) {
		return nil, fmt.Errorf("what a message-driven run does between entry methods is no program of calls")
	}
	opt.Progress("translating", 0, 1)
	translation, err := dimemas.FromTrace(ctx, t, dimemas.TranslateOptions{Memory: opt.Memory})
	if err != nil {
		return nil, err
	}
	p := translation.Program
	if !communicates(p) && r.Processes > 1 {
		if translation.Incomplete > 0 {
			return nil, fmt.Errorf("%s, and nothing else communicates", strings.Join(translation.Remarks(), ", "))
		}
		return nil, fmt.Errorf("the trace has no messages and no collective operations")
	}
	machine := opt.Machine
	if machine == nil {
		machine = IdealMachine
	}
	// With several threads per task, only the predicted trace has the activity of each.
	several := len(p.Threads) > len(p.Tasks)
	on := machine(p)
	limited := opt.limited(on)
	result, err := engine.Run(ctx, p, limited, sim.Options{Trace: several, Memory: opt.Memory,
		Progress: func(done, total int64) { opt.Progress("simulating", done, total) }})
	if err != nil {
		return nil, err
	}
	for _, line := range translation.Remarks() {
		r.note("simulation: %s", line)
	}
	if limited != on && opt.EagerLimit == nil && waitsOtherwise(p, eagerLimit) {
		byCalls, err := engine.Run(ctx, p, on, sim.Options{Memory: opt.Memory})
		if err != nil {
			return nil, err
		}
		here, there := result.Total, byCalls.Total
		if float64(max(here, there)) > leastDeviation*float64(min(here, there)) {
			r.note("simulation: the ideal run takes %s, as messages of 32 KiB or more wait for their receiver, as in "+
				"modelfactors; by the calls, as in sim, it is %s", quantity.FormatDuration(here, prv.Nanoseconds),
				quantity.FormatDuration(there, prv.Nanoseconds))
		}
	}
	if result.Unreceived > 0 {
		r.note("simulation: %s never received; the first %s",
			quantity.CountOf(result.Unreceived, "message"), result.Unmatched)
	}
	return r.idealTimes(ctx, t, result, opt)
}

// waitsOtherwise reports whether the record of some send and the eager limit disagree on whether it waits for its
// receiver.
func waitsOtherwise(p *sim.Program, limit int64) bool {
	for i := range p.Threads {
		th := &p.Threads[i]
		for row, k := range th.Kinds() {
			if k.IsSend() && (k == sim.SendRendezvous || k == sim.IsendRendezvous) != (th.Message(row).Size >= limit) {
				return true
			}
		}
	}
	return false
}

// communicates reports whether a program has any operation of a network.
func communicates(p *sim.Program) bool {
	for i := range p.Threads {
		if len(p.Threads[i].Messages) > 0 || len(p.Threads[i].Collectives) > 0 {
			return true
		}
	}
	return false
}

// predictedUseful are the states of useful computation in a predicted trace. Dimemas writes the tracer's own work (the
// last two) in addition to state Running for the same time, so that Paraver counts it as useful.
var predictedUseful = []uint8{sim.StateRunning, sim.StateIO, sim.StateOthers}

// usefulPredicted returns the useful time by thread of a predicted trace, ns.
func (m *meter) usefulPredicted() ([]int64, error) {
	states := make([]float64, len(predictedUseful))
	for i, s := range predictedUseful {
		states[i] = float64(s)
	}
	w := semantic.ThreadWindow("In State", states)
	return m.timeNotZero("useful time, ideal run", &w, m.threads)
}

// idealTimes extracts the times from a prediction.
func (r *Run) idealTimes(ctx context.Context, t *prv.Trace, result *sim.Result, opt Options) (*Ideal, error) {
	ideal := &Ideal{}
	for i := range result.Tasks {
		if opt.Ptask != 0 && int(t.Tasks[i].Ptask) != opt.Ptask-1 {
			continue
		}
		ideal.Runtime = max(ideal.Runtime, result.Tasks[i].End)
		states := &result.Tasks[i].States
		useful := int64(0)
		for _, s := range predictedUseful {
			useful += states[s]
		}
		ideal.UsefulMax = max(ideal.UsefulMax, useful)
	}
	if result.Trace == nil {
		return ideal, nil
	}
	m := newMeter(ctx, result.Trace, opt.Ptask, opt.Progress)
	useful, err := m.usefulPredicted()
	if err != nil {
		return nil, err
	}
	ideal.UsefulMax = int64(most(useful))
	if r.Hybrid {
		outside, err := m.outsideMPI()
		if err != nil {
			return nil, err
		}
		ideal.OutsideMax = int64(most(outside))
	}
	return ideal, nil
}
