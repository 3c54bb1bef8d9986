package ring

import (
	"context"
	"math"
	"sync/atomic"

	"pview/prv/parallel"
	"pview/sim"
	"pview/sim/engine"
)

// Outcome is the result for the rings of a load. Times are nanoseconds; infinite for a ring that starves.
type Outcome struct {
	Turn     []float64 // by ring: mean time of a turn of the token (the thesis' mct)
	Slowdown []float64 // by ring: Turn / the time alone
}

// Throughput returns the turns per second of all rings together.
func (o *Outcome) Throughput() float64 {
	sum := 0.0
	for _, t := range o.Turn {
		sum += 1e9 / t
	}
	return sum
}

// Ratio returns the largest slowdown / the smallest (the thesis' SR): 1 is fair.
func (o *Outcome) Ratio() float64 {
	least, most := math.Inf(1), 0.0
	for _, s := range o.Slowdown {
		least, most = min(least, s), max(most, s)
	}
	return most / least
}

// patience is the slowdown, relative to the slowest ring alone, beyond which a ring counts as starving.
const patience = 12

// Simulate runs the rings by the rules of the thesis until each has done N turns, or patience runs out; it returns the
// predicted trace if requested.
func Simulate(ctx context.Context, s sim.Scheduler, turns int, trace bool, rings ...Ring) (*sim.Result, error) {
	p, err := Program(rings...)
	if err != nil {
		return nil, err
	}
	rules, err := sim.ModelRules("thesis")
	if err != nil {
		return nil, err
	}
	rules[sim.StateNumbers] = sim.StatesParaver
	slowest := 0.0
	for k := range rings {
		slowest = max(slowest, rings[k].alone())
	}
	r, err := engine.Run(ctx, p, Machine(s, rings...), sim.Options{Trace: trace, Rules: rules,
		Repeat: sim.Repeat{What: sim.RepeatThreads, Runs: turns, Until: float64(turns) * slowest * patience}})
	if err == nil && r.Trace != nil {
		r.Trace.Labels.AddType(TurnType, "The token is back")
	}
	return r, err
}

// Measure runs the rings, and measures the last two thirds, after the warm-up.
func Measure(ctx context.Context, s sim.Scheduler, turns int, rings ...Ring) (*Outcome, error) {
	r, err := Simulate(ctx, s, turns, false, rings...)
	if err != nil {
		return nil, err
	}
	o := &Outcome{}
	for k := range rings {
		t := r.RunTime(k, 2.0/3)
		if t == 0 {
			t = math.Inf(1)
		}
		o.Turn = append(o.Turn, t)
		o.Slowdown = append(o.Slowdown, t/rings[k].alone())
	}
	return o, nil
}

// Row is the result of one load under one policy.
type Row struct {
	Experiment *Experiment
	Load       *Load
	Policy     *Policy
	Outcome    *Outcome
}

// Study measures all loads of experiments under all applicable policies, on all CPUs of this computer. Rows are in the
// order of the experiments, their loads, and the policies. Progress is called with the rows done and the total.
func Study(ctx context.Context, experiments []Experiment, policies []*Policy, quantum float64, turns int,
	progress func(done, total int64)) ([]Row, error) {
	var rows []Row
	for e := range experiments {
		for l := range experiments[e].Loads {
			load := &experiments[e].Loads[l]
			for _, p := range policies {
				if p.Applies(len(load.Rings)) {
					rows = append(rows, Row{Experiment: &experiments[e], Load: load, Policy: p})
				}
			}
		}
	}
	var done atomic.Int64
	err := parallel.For(ctx, len(rows), func(i int) (err error) {
		r := &rows[i]
		if r.Outcome, err = Measure(ctx, r.Policy.Scheduler(quantum), turns, r.Load.Rings...); err == nil &&
			progress != nil {
			progress(done.Add(1), int64(len(rows)))
		}
		return err
	})
	return rows, err
}
