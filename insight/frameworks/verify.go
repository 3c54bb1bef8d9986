package frameworks

// Verification (8.6): the parameters must reproduce the run, and the simulator must confirm the model's predictions.

import (
	"context"
	"math"
	"slices"

	"pview/insight/frameworks/role"
	"pview/prv"
	"pview/prv/quantile"
	"pview/prv/quantity"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/engine"
)

// Verdict is the simulator's verdict on a recommendation.
type Verdict struct {
	Verdict string        `json:"verdict"` // confirmed, weak, refuted, unconfirmed, nothing to confirm
	Why     quantity.Text `json:"why"`
	// Calibration: the traced run, replayed with the parameters of the model.
	Calibrated bool          `json:"calibrated"`
	Replayed   float64       `json:"replayed_ns,omitempty"`
	Off        float64       `json:"replayed_off"` // from the measured time, relative
	Note       quantity.Text `json:"note,omitzero"`
	// StartUp is the mean duration of the send call, if it reproduces the run and the model's median does not. The
	// points are then simulated with it; Instead is the number of workers that the model recommends with it.
	StartUp float64    `json:"start_up_ns,omitempty"`
	Instead int        `json:"workers_instead,omitempty"`
	Points  []Try      `json:"points"`
	Prefers int        `json:"simulation_prefers,omitempty"` // workers, more than the master can feed in the model
	Trace   *prv.Trace `json:"-"`                            // of the recommended configuration
}

// Try is a number of workers, or a pattern of replicas, in the simulator.
type Try struct {
	Workers   int     `json:"workers,omitempty"`
	Inner     int     `json:"processors_each,omitempty"` // of workers that are pipelines
	Replicas  []int   `json:"replicas,omitempty"`
	Predicted float64 `json:"predicted_ns"`
	Simulated float64 `json:"simulated_ns"`
	Off       float64 `json:"off"` // simulated over predicted, minus 1
	Index     float64 `json:"index,omitempty"`
	Fed       bool    `json:"fed,omitempty"`
}

// reproduce is the tolerance of a replay relative to the measured time, and of a simulation relative to the model.
const reproduce = 0.10

// replay simulates the program of the traced run with the messages of the model.
func (a *study) replay(ctx context.Context, p *sim.Program, l Link) (*prv.Trace, error) {
	m, rules := l.machine(p)
	for i := range m.Nodes {
		m.Nodes[i].CPUs = max(m.Nodes[i].CPUs, 1)
	}
	r, err := engine.Run(ctx, p, m, sim.Options{Trace: true, Rules: rules})
	if err != nil {
		return nil, err
	}
	sim.NamePrediction(r.Trace, a.t, rules)
	return r.Trace, nil
}

// calibrate sets the calibration of a verdict and returns the messages to simulate with: time reads the time of an
// iteration or item from the replayed trace.
func (a *study) calibrate(ctx context.Context, v *Verdict, target float64,
	time func(t *prv.Trace) (float64, error)) (Link, error) {
	tr, err := dimemas.FromTrace(ctx, a.t, dimemas.TranslateOptions{})
	try := func(l Link) (replayed float64, err error) {
		t, err := a.replay(ctx, tr.Program, l)
		if err == nil {
			replayed, err = time(t)
		}
		return replayed, err
	}
	off := func(replayed float64) float64 { return replayed/target - 1 }
	replayed := 0.0
	if err == nil {
		replayed, err = try(a.use)
	}
	switch {
	case ctx.Err() != nil:
		return a.use, ctx.Err()
	case err != nil:
		v.Note = quantity.Textf("the run could not be replayed: %v", err)
		return a.use, nil
	}
	v.Replayed, v.Off = replayed, off(replayed)
	if v.Calibrated = math.Abs(v.Off) <= reproduce; v.Calibrated {
		return a.use, nil
	}
	v.Note = quantity.Textf("the parameters do not reproduce the run: replayed it takes %s for %s (%s)",
		short(v.Replayed), short(target), quantity.FormatChange(v.Off))
	if a.net.M0.Origin != FromTrace || a.use.M0 != a.net.SendCall.Value {
		return a.use, nil
	}
	for _, s := range a.net.Means {
		if s.Mean < 2*a.use.M0 {
			continue
		}
		held := a.use
		held.M0 = s.Mean
		again, err := try(held)
		if ctx.Err() != nil {
			return a.use, ctx.Err()
		}
		if err != nil || math.Abs(off(again)) > reproduce {
			continue
		}
		v.Note =
			quantity.Textf(
				"with the median of the send calls, %s, the replayed run takes %s for %s; with the mean of %s, %s, "+
					"it takes %s (%s)",
				short(a.use.M0), short(v.Replayed), short(target), s.Of, short(held.M0), short(again),
				quantity.FormatChange(off(again)))
		v.Calibrated, v.StartUp, v.Replayed, v.Off = true, held.M0, again, off(again)
		return held, nil
	}
	return a.use, nil
}

// checkFarm verifies the recommended number of workers.
func (a *study) checkFarm(ctx context.Context, f *FarmReport) (*Verdict, error) {
	v := &Verdict{}
	// The replay may have other iterations: use the time from the first task to the last answer, divided by the
	// measured iterations.
	span := func(run *farmRun, unit float64) float64 {
		return float64(run.Iterations[len(run.Iterations)-1].To-run.Iterations[0].From) * unit / float64(f.Iterations)
	}
	link, err := a.calibrate(ctx, v, span(f.run, a.ns(1)), func(t *prv.Trace) (float64, error) {
		run, err := readFarm(ctx, t, role.Window{Ptask: a.r.Roles.Ptask}, a.r.Roles)
		if err != nil {
			return 0, err
		}
		return span(run, float64(t.Unit.Nanoseconds())), nil
	})
	if err != nil {
		return nil, err
	}
	run := f.Model // in the simulator
	run.Link = link
	most := f.Model.bound(a.opt.MaxWorkers)
	asked := []int{f.Workers}
	if a.r.Fit.Holds {
		free := f.Model.best(f.Model.Index, a.opt.MaxWorkers, false) // even if the master cannot feed them
		asked = append(asked, f.Worth, f.Fastest, f.Worth-1, f.Worth+1)
		for k := range 6 {
			asked = append(asked, f.Worth+(free-f.Worth)*k/5)
		}
	}
	if v.StartUp > 0 && Meets(run.Time(f.Workers), f.Measured) {
		v.Instead = run.worth(a.opt.MaxWorkers)
		asked = append(asked, v.Instead)
	}
	slices.Sort(asked)
	asked = slices.DeleteFunc(slices.Compact(asked), func(n int) bool {
		return n < 1 || n > most && n != f.Workers || n > mostSimulated
	})
	least, at := math.Inf(1), 0
	for _, n := range asked {
		s, err := run.Simulate(ctx, n, n == f.Worth)
		if err != nil {
			return nil, err
		}
		_, c := f.Model.At(n)
		try := Try{Workers: n, Predicted: f.Model.Time(n), Simulated: s.Time,
			Index: float64(n) * s.Time * s.Time / max(c, 1), Fed: f.Model.feeds(n)}
		try.Off = try.Simulated/try.Predicted - 1
		v.Points = append(v.Points, try)
		if n == f.Worth {
			v.Trace = s.Trace
		}
		if try.Index < least && n <= most {
			least, at = try.Index, n
		}
	}
	if !a.r.Fit.Holds {
		v.without(a.r.Fit)
		return v, nil
	}
	f.judge(v, least)
	if worth := v.at(f.Worth); worth != nil && at > f.Worth && !f.Model.feeds(at) && worth.Index > 1.05*least {
		v.Prefers = at
	}
	return v, nil
}

// mostSimulated bounds the processes of a what-if.
const mostSimulated = 4096

func (v *Verdict) at(n int) *Try {
	for i := range v.Points {
		if v.Points[i].Workers == n {
			return &v.Points[i]
		}
	}
	return nil
}

// without sets the verdict if there is no recommendation to judge.
func (v *Verdict) without(f *Fit) { v.Verdict, v.Why = "nothing to confirm", quantity.Textf("%s", f) }

// judge compares the simulated gain with the predicted one.
func (f *FarmReport) judge(v *Verdict, leastIndex float64) {
	now, then := v.at(f.Workers), v.at(f.Worth)
	if now == nil || then == nil {
		v.Verdict, v.Why = "not simulated", quantity.Textf("more than %d processes", mostSimulated)
		return
	}
	sign := f.Workers == f.Worth || (now.Simulated-then.Simulated)*(now.Predicted-then.Predicted) > 0
	near := math.Abs(then.Off) <= reproduce
	index := then.Index <= 1.05*leastIndex
	switch {
	case sign && near && index:
		v.Verdict, v.Why = "confirmed", quantity.Textf("an iteration of %s takes %s in the simulator, predicted %s",
			quantity.CountOf(int64(then.Workers), "worker"), short(then.Simulated), short(then.Predicted))
	case sign:
		v.Verdict, v.Why = "weak", quantity.Textf("an iteration of %s takes %s in the simulator, predicted %s (%s)",
			quantity.CountOf(int64(then.Workers), "worker"), short(then.Simulated), short(then.Predicted),
			quantity.FormatChange(then.Off))
		if near {
			v.Why = quantity.Textf("%s; the index is %s above its minimum there", v.Why,
				quantity.FormatPercent(then.Index/leastIndex-1))
		}
	default:
		v.Verdict, v.Why = "refuted",
			quantity.Textf("%d -> %s: the simulated time goes from %s to %s, the predicted one from %s to %s",
				now.Workers, quantity.CountOf(int64(then.Workers), "worker"),
				short(now.Simulated), short(then.Simulated), short(now.Predicted), short(then.Predicted))
	}
	v.unconfirmed()
}

// unconfirmed restricts a verdict to the model's run, as opposed to the traced one.
func (v *Verdict) unconfirmed() {
	if !v.Calibrated && v.Verdict == "confirmed" {
		v.Verdict, v.Why = "unconfirmed", quantity.Textf("%s; but %s", v.Why, v.Note)
	}
}

// itemsSimulated is the number of items of a what-if of a pipeline.
const itemsSimulated = 120

// checkPipeline verifies the proposed replicas.
func (a *study) checkPipeline(ctx context.Context, p *PipelineReport) (*Verdict, error) {
	v := &Verdict{}
	link, err := a.calibrate(ctx, v, p.Observed, func(t *prv.Trace) (float64, error) {
		run, err := readPipeline(ctx, t, role.Window{Ptask: a.r.Roles.Ptask}, a.r.Roles)
		if err != nil {
			return 0, err
		}
		return quantile.Median(run.Stages[len(run.Stages)-1].Interval) * float64(t.Unit.Nanoseconds()), nil
	})
	if err != nil {
		return nil, err
	}
	if !a.r.Fit.Holds {
		v.without(a.r.Fit)
		return v, nil
	}
	items := max(12, min(p.Items, itemsSimulated))
	for i, m := range []*Pipeline{&p.Model, p.Model.with(p.Pattern)} {
		run := *m
		run.Link = link
		s, _, err := run.Simulate(ctx, items, i == 1)
		if err != nil {
			return nil, err
		}
		try := Try{Replicas: make([]int, len(m.Stages)), Simulated: s.Time}
		for k := range m.Stages {
			try.Replicas[k] = len(m.Stages[k].Replicas)
		}
		_, try.Predicted = m.Slowest(Overlap)
		try.Off = try.Simulated/try.Predicted - 1
		v.Points = append(v.Points, try)
		v.Trace = s.Trace
	}
	v.compare("an item", p.Pattern.Used > 0)
	return v, nil
}

// compare compares the second point, the proposal, with the first, the present run; changed: the two differ.
func (v *Verdict) compare(what string, changed bool) {
	now, then := v.Points[0], v.Points[1]
	switch {
	case changed && now.Simulated <= then.Simulated:
		v.Verdict, v.Why = "refuted", quantity.Textf("%s takes %s as proposed and %s as it is in the simulator", what,
			short(then.Simulated), short(now.Simulated))
	case math.Abs(then.Off) <= reproduce:
		v.Verdict, v.Why = "confirmed", quantity.Textf("%s takes %s in the simulator, predicted %s", what,
			short(then.Simulated), short(then.Predicted))
	default:
		v.Verdict, v.Why = "weak", quantity.Textf("%s takes %s in the simulator, predicted %s (%s)", what,
			short(then.Simulated), short(then.Predicted), quantity.FormatChange(then.Off))
	}
	v.unconfirmed()
}

// checkNested verifies the next step of a master whose workers are pipelines.
func (a *study) checkNested(ctx context.Context, n *NestedReport) (*Verdict, error) {
	v := &Verdict{}
	link, err := a.calibrate(ctx, v, n.Measured, func(t *prv.Trace) (float64, error) {
		return served(t, role.Window{Ptask: a.r.Roles.Ptask}, a.r.Roles.Master) * float64(t.Unit.Nanoseconds()), nil
	})
	if err != nil {
		return nil, err
	}
	if !a.r.Fit.Holds {
		v.without(a.r.Fit)
		return v, nil
	}
	run := n.Model
	run.Outer.Link, run.Inner.Link = link, link
	for i, p := range []Plan{n.Now, n.Next} {
		s, err := run.Simulate(ctx, p.Workers, p.Inner, i == 1)
		if err != nil {
			return nil, err
		}
		v.Points = append(v.Points, Try{Workers: p.Workers, Inner: p.Inner, Predicted: p.Time, Simulated: s.Time,
			Off: s.Time/p.Time - 1})
		v.Trace = s.Trace
	}
	v.compare("an iteration", true)
	return v, nil
}
