package frameworks

// The report: what a run is, what its parameters are, what the models predict, and what to do.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"pview/prv"
	"pview/sim"
)

// Options are what the user tells.
type Options struct {
	Window
	Kind  Kind // only this one is looked for; Unknown: any
	Roles *Roles
	// M0 and PerByte are the cost of a message, ns and ns per byte; nil: from the trace.
	M0, PerByte *float64
	Protocol    *Protocol
	// Machine gives start-up and bandwidth where the trace does not.
	Machine *sim.Machine
	// Growth is the part by which the volume grows with each worker added, in relation to the measured one; 0: the data are divided.
	// Proportional lets every worker get the volume that one has now.
	Growth       float64
	Proportional bool
	// Further are traces of the same program with other numbers of workers: volume and computation follow from them.
	Further          []*prv.Trace
	ComputePerWorker float64     // ns that a worker adds to the computation
	Tasks            int         // of an iteration; 0: as many as chunks
	TaskEvent        *EventMatch // begins a task, instead of Tasks
	MaxWorkers       int         // that are considered; 0: MaxWorkers
	Free             int         // processors for replicas; < 0: one for each stage
	Simulate         bool
	Quantum          float64 // ns, of shared processors; 0: 10 ms
}

// Parameter is an input of a model.
type Parameter struct {
	Name   string `json:"name"`
	Symbol string `json:"symbol"`
	Unit   string `json:"unit"`
	Value
}

// Advice is a recommendation.
type Advice struct {
	What       string  `json:"what"`
	Gain       float64 `json:"gain_ns"`    // of an iteration or item
	Share      float64 `json:"gain_share"` // of its time
	Processors int     `json:"processors"` // more than now
	When       string  `json:"when"`       // it is safe
	Rests      string  `json:"rests_on"`   // the assumption most likely to break it
	Confidence string  `json:"confidence"` // in a word or two
	Workers    int     `json:"workers,omitempty"`
	Replicas   []int   `json:"replicas,omitempty"`
}

// Report is the result of an analysis.
type Report struct {
	Ptask       int             `json:"ptask"`
	Kind        string          `json:"kind"`
	Told        bool            `json:"told,omitempty"`
	Roles       *Roles          `json:"-"`
	Structure   []string        `json:"structure"`
	Scores      []ScoreRow      `json:"scores,omitempty"`
	Refusal     string          `json:"refusal,omitempty"`
	Parameters  []Parameter     `json:"parameters,omitempty"`
	Farm        *FarmReport     `json:"master_worker,omitempty"`
	Pipeline    *PipelineReport `json:"pipeline,omitempty"`
	Nested      *NestedReport   `json:"nested,omitempty"`
	Advice      []Advice        `json:"advice,omitempty"`
	Warnings    []string        `json:"warnings,omitempty"`
	Verdict     *Verdict        `json:"verification,omitempty"`
	Recognition *Recognition    `json:"-"`
	study       *study
	told        int // warnings that the trace gave, before those of the model
}

// ScoreRow is a score for a reader.
type ScoreRow struct {
	Kind     string  `json:"kind"`
	Score    float64 `json:"score"`
	Accepted bool    `json:"accepted"`
	Why      string  `json:"why"`
}

// ErrNoComputation is returned where nothing tells computation from communication.
var ErrNoComputation = errors.New("the trace has neither states nor MPI calls: computation cannot be told from communication (a roles file with compute event TYPE=VALUE tells it)")

// Analyse recognises a structure, or takes the told one, reads its parameters and applies its model. A report with a Refusal has no numbers.
func Analyse(ctx context.Context, t *prv.Trace, opt Options) (*Report, error) {
	r := &Report{Ptask: opt.Ptask + 1, Roles: opt.Roles}
	if opt.Roles == nil {
		found, err := Recognise(ctx, t, opt.Window)
		if err != nil {
			return nil, err
		}
		if opt.Kind != Unknown {
			found.only(opt.Kind)
		}
		r.Recognition, r.Roles, r.Refusal = found, found.Roles, found.Refusal
		for _, s := range found.Scores {
			r.Scores = append(r.Scores, ScoreRow{s.Kind.String(), s.Value, s.Accepted, s.Why})
		}
	} else {
		opt.Ptask = opt.Roles.Ptask
		r.Ptask, r.Told = opt.Ptask+1, true
	}
	if r.Roles == nil {
		r.Kind = Unknown.String()
		return r, nil
	}
	if !measurable(t) && r.Roles.Compute == nil {
		return nil, ErrNoComputation
	}
	if opt.TaskEvent != nil {
		roles := *r.Roles
		roles.TaskEvent = opt.TaskEvent
		r.Roles = &roles
	}
	r.Kind = r.Roles.Kind.String()
	r.Structure = r.Roles.describe(t)
	a := &study{t: t, opt: opt, r: r, net: readLink(t, opt.Window, r.Roles)}
	r.study = a
	a.link()
	var err error
	switch r.Roles.Kind {
	case MasterWorker:
		err = a.farm(ctx)
	case PipelineOf:
		err = a.pipeline(ctx)
	case NestedOf:
		err = a.nested(ctx)
	}
	if err != nil {
		return nil, err
	}
	return r, ctx.Err()
}

// only keeps the structure that the user asked for.
func (r *Recognition) only(k Kind) {
	r.Roles = nil
	for i := range r.Scores {
		if s := &r.Scores[i]; s.Kind == k {
			if s.Accepted {
				r.Roles, r.Refusal = &s.roles, ""
			} else {
				r.Refusal = fmt.Sprintf("no %s was recognised (score %.2f): %s", k, s.Value, s.Why)
			}
		}
	}
}

// describe names the roles, tasks as in Paraver.
func (r *Roles) describe(t *prv.Trace) (lines []string) {
	first := t.Ptasks[r.Ptask].FirstTask
	switch r.Kind {
	case MasterWorker:
		lines = append(lines, fmt.Sprintf("master %d", r.Master-first+1), "workers "+ranges(r.Workers, first))
	case PipelineOf:
		for i, s := range r.Stages {
			if len(s.Replicas) == 0 {
				lines = append(lines, fmt.Sprintf("stage %d: task %d", i+1, s.Task-first+1))
			} else {
				lines = append(lines, fmt.Sprintf("stage %d: manager %d, replicas %s", i+1, s.Task-first+1, ranges(s.Replicas, first)))
			}
		}
	case NestedOf:
		lines = append(lines, fmt.Sprintf("master %d", r.Master-first+1))
		for i, chain := range r.Inner {
			lines = append(lines, fmt.Sprintf("pipeline %d: tasks %s", i+1, ranges(chain, first)))
		}
	}
	return lines
}

// study is an analysis under way.
type study struct {
	t   *prv.Trace
	opt Options
	r   *Report
	net LinkRun
	use Link
}

// link decides on the cost of a message: what is typed, else the trace, else the machine.
func (a *study) link() {
	n := &a.net
	roles := a.r.Roles
	pick := func(v *Value, typed, told *float64, machine func(m *sim.Machine) float64) {
		switch {
		case typed != nil:
			*v = Value{Value: *typed, Origin: FromUser}
		case told != nil:
			*v = Value{Value: *told, Origin: FromUser, Note: "roles file"}
		case v.Origin != FromTrace && a.opt.Machine != nil && len(a.opt.Machine.Nodes) > 0:
			*v = Value{Value: machine(a.opt.Machine), Origin: FromUser, Note: "machine"}
		}
	}
	pick(&n.PerByte, a.opt.PerByte, roles.PerByte, func(m *sim.Machine) float64 {
		if bw := m.Clusters[m.Nodes[0].Cluster].Bandwidth; bw > 0 {
			return 1e9 / (bw * (1 << 20))
		}
		return 0
	})
	pick(&n.M0, a.opt.M0, roles.M0, func(m *sim.Machine) float64 { return m.Nodes[0].Latency })
	protocol := Parameter{Name: "sends", Symbol: "P", Unit: n.Protocol.String(), Value: Value{Origin: FromTrace, Note: n.Seen}}
	for _, p := range []*Protocol{roles.Protocol, a.opt.Protocol} {
		if p != nil {
			n.Protocol = *p
			protocol.Unit, protocol.Value = p.String(), Value{Origin: FromUser}
		}
	}
	a.use = Link{M0: n.M0.Value, PerByte: n.PerByte.Value, Protocol: n.Protocol}
	a.r.Parameters = append(a.r.Parameters,
		Parameter{"start-up of a message", "m0", "ns", n.M0},
		Parameter{"cost of a byte", "lambda", "ns/byte", n.PerByte}, protocol)
	if n.Backward > 0 {
		a.r.warn("%d of %d messages arrive before they are sent", n.Backward, n.Messages)
	}
	for _, v := range []Value{n.M0, n.PerByte} {
		if v.Origin == Assumed {
			a.r.warn("the cost of messages is assumed to be 0 in part: %s", v.Note)
			break
		}
	}
	if e, l := n.Early, n.Late; e.Samples >= 10 && l.Samples >= 10 && l.Value > 2*e.Value {
		a.r.warn("a send takes %s where the receiver waits and %s where it comes later (medians of %d and %d)", short(e.Value), short(l.Value), e.Samples, l.Samples)
	}
}

func (r *Report) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// ns turns times of a trace into ns.
func (a *study) ns(v float64) float64 { return v * float64(a.t.Unit.Nanoseconds()) }

// nsValue is measured, in ns.
func (a *study) nsValue(list []float64, middle bool) Value {
	v := measured(list, middle)
	v.Value, v.Spread = a.ns(v.Value), a.ns(v.Spread)
	return v
}

// Point is a number of workers on the curves.
type Point struct {
	Workers    int     `json:"workers"`
	Time       float64 `json:"time_ns"`
	Speedup    float64 `json:"speedup"` // against one worker
	Efficiency float64 `json:"efficiency"`
	Index      float64 `json:"index"`
	Fed        bool    `json:"fed"` // the master can feed them
	Hardness   float64 `json:"hard_to_balance"`
}

// PolicyRow is a policy as a dispatch of the traced tasks.
type PolicyRow struct {
	Policy   string  `json:"policy"`
	Factor   float64 `json:"factor,omitempty"`
	Time     float64 `json:"time_ns"`
	Messages int     `json:"messages"`
	Over     float64 `json:"over_ideal"` // time over Tc/N, minus 1
	Chunks   []int   `json:"chunks,omitempty"`
}

// Band is the change of the predicted time, and of the best number of workers, when an input is wrong by 10 %.
type Band struct {
	Input     string  `json:"input"`
	Low, High float64 // parts of the time, at -10 % and +10 %
	Workers   [2]int  `json:"workers"`
}

// FarmReport is the model of a master with workers.
type FarmReport struct {
	Model      Farm        `json:"-"`
	Workers    int         `json:"workers"`
	Iterations int         `json:"iterations"`
	Chunks     int         `json:"chunks"` // of an iteration
	Measured   float64     `json:"measured_ns"`
	Predicted  float64     `json:"predicted_ns"`
	Series     []float64   `json:"series_ns"` // time of each iteration
	Idle       float64     `json:"idle"`
	Balance    float64     `json:"balance"`
	Unbalanced bool        `json:"unbalanced"`
	Regime     string      `json:"regime"`
	Limit      *float64    `json:"limit"` // workers that the master can feed; nil: any number
	Fastest    int         `json:"fastest"`
	Worth      int         `json:"worth"`
	Curve      []Point     `json:"curve"`
	Played     float64     `json:"played_ns"` // the traced chunks as they were handed out, dispatched by the model
	Policies   []PolicyRow `json:"policies"`
	Bands      []Band      `json:"bands"`
	Unanswered int         `json:"unanswered"`
	LeastChunk int         `json:"least_chunk"`
	Steering   *Steering   `json:"steering,omitempty"`
	run        *FarmRun
	tasks      []float64 // traced tasks of a typical iteration, ns
	traced     []int     // tasks of each of its chunks
	mean       float64   // of a task
	sigma      float64
}

// Steering is the run played again with decisions that are taken from earlier iterations only.
type Steering struct {
	Without float64 `json:"without_ns"`
	Tuned   float64 `json:"tuned_ns"`
	Perfect float64 `json:"perfect_ns"`
}

// farm analyses a master/worker program.
func (a *study) farm(ctx context.Context) error {
	run, err := readFarm(ctx, a.t, a.opt.Window, a.r.Roles)
	if err != nil {
		return err
	}
	f := &FarmReport{run: run, Iterations: len(run.Iterations), Unanswered: run.Unanswered}
	a.r.Farm = f
	typical := run.typical()
	var volume, given, compute, prepare, times, single []float64
	var balance, idle []float64
	working := map[int]bool{}
	chunks := 0
	for i := range run.Iterations {
		f.Series = append(f.Series, a.ns(run.Iterations[i].Time()))
	}
	for i := range typical {
		it := &typical[i]
		s := it.sums(len(a.r.Roles.Workers))
		g, v, c := total(s.Given), total(s.Given)+total(s.Returned), total(s.Compute)
		volume, given, compute = append(volume, v), append(given, g), append(compute, c)
		if i > 0 || len(run.Iterations) >= 3 {
			prepare = append(prepare, it.Prepare)
		}
		times = append(times, it.Time())
		balance, idle = append(balance, s.Balance()), append(idle, s.Idle(it.Time()))
		chunks += len(it.Chunks)
		for _, k := range it.Chunks {
			working[k.Worker] = true
			if k.Tasks == nil {
				single = append(single, k.Compute)
			} else {
				single = append(single, k.Tasks...)
			}
		}
	}
	f.Workers = len(working)
	f.Chunks = int(math.Round(float64(chunks) / float64(len(typical))))
	events := a.r.Roles.TaskEvent != nil
	tasks := a.opt.Tasks
	if tasks == 0 || events {
		tasks = f.Chunks
	}
	perChunk := float64(tasks) / float64(max(1, f.Chunks))
	if events {
		tasks = int(math.Round(float64(len(single)) / float64(len(typical))))
	}
	if total(compute) <= 0 {
		return fmt.Errorf("the workers compute nothing between the arrival of their data and their answer: the model has no value (a roles file with compute event TYPE=VALUE can tell the work)")
	}
	v, tc, mum := measured(volume, true), a.nsValue(compute, true), a.nsValue(prepare, true)
	alpha := 0.0
	if v.Value > 0 {
		alpha = median(given) / v.Value
	}
	mu := a.nsValue(single, false)
	sigma := Value{Value: mu.Spread, Origin: Estimated, Samples: mu.Samples}
	if events {
		sigma.Origin = FromTrace
	}
	if perChunk != 1 {
		mu.Value /= perChunk
		mu.Origin = Estimated
		sigma.Value /= perChunk
		sigma.Note = fmt.Sprintf("from chunks of %.3g tasks: independent tasks spread about %.3g times as much", perChunk, math.Sqrt(perChunk))
	}
	a.r.Parameters = append(a.r.Parameters,
		Parameter{"workers", "n", "", Value{Value: float64(f.Workers), Origin: FromTrace, Samples: f.Iterations}},
		Parameter{"bytes of an iteration", "V", "bytes", v},
		Parameter{"part to the workers", "alpha", "", Value{Value: alpha, Origin: FromTrace, Samples: len(given)}},
		Parameter{"computation of an iteration", "Tc", "ns", tc},
		Parameter{"preparation by the master", "mu_m", "ns", mum},
		Parameter{"time of a task", "mu", "ns", mu},
		Parameter{"its deviation", "sigma", "ns", sigma})
	a.r.Parameters = append(a.r.Parameters, Parameter{"most workers considered", WorkersSymbol, "", Value{Value: float64(a.opt.MaxWorkers), Origin: FromUser, Note: "0: any number"}})
	f.Model = Farm{Link: a.use, Volume: v.Value, Given: alpha, Compute: tc.Value, Master: mum.Value, ComputePerWorker: a.opt.ComputePerWorker}
	if a.opt.Tasks > 0 || events || f.Chunks > f.Workers { // one chunk for each worker does not show how many tasks there are
		f.Model.Tasks = tasks
	}
	if err := a.growth(ctx, f); err != nil {
		return err
	}
	f.Measured = a.ns(median(times))
	f.Balance, f.Idle = median(balance), median(idle)
	f.Unbalanced = f.Balance < leastBalance
	f.tasks, f.traced = a.typicalTasks(typical, perChunk)
	f.mean, f.sigma = mu.Value, sigma.Value
	a.r.told = len(a.r.Warnings)
	if err := a.evaluateFarm(f); err != nil {
		return err
	}
	if a.opt.Simulate {
		a.r.Verdict, err = a.checkFarm(ctx, f)
	}
	return err
}

// evaluateFarm applies the model to its parameters.
func (a *study) evaluateFarm(f *FarmReport) error {
	m := &f.Model
	f.Predicted = m.Time(f.Workers)
	f.model(a.opt.MaxWorkers, f.mean, f.sigma)
	v, _ := m.At(f.Workers)
	tasks := float64(max(1, len(f.tasks)))
	f.LeastChunk, _ = LeastChunk(m.Link, f.Workers, m.Given*v/tasks, (1-m.Given)*v/tasks, f.mean)
	if err := f.asHandedOut(); err != nil {
		return err
	}
	f.policies(f.mean, f.sigma)
	f.steer(a)
	a.farmAdvice(f, f.mean, f.sigma)
	return nil
}

// leastBalance is the balance below which the work is to be distributed before workers are added.
const leastBalance = 0.85

func total(list []float64) (sum float64) {
	for _, v := range list {
		sum += v
	}
	return sum
}

// growth sets what changes with the number of workers.
func (a *study) growth(ctx context.Context, f *FarmReport) error {
	m, n := &f.Model, float64(f.Workers)
	m.Compute -= m.ComputePerWorker * n
	switch v := m.Volume; {
	case a.opt.Proportional:
		m.Volume, m.VolumePerWorker = 0, v/n
	case a.opt.Growth != 0:
		m.Volume, m.VolumePerWorker = v*(1-a.opt.Growth*n), v*a.opt.Growth
	case len(a.opt.Further) > 0:
		ns, vs, cs := []float64{n}, []float64{v}, []float64{m.Compute}
		for _, t := range a.opt.Further {
			o := a.opt
			o.Further, o.Simulate, o.Roles = nil, false, nil
			r, err := Analyse(ctx, t, o)
			if err != nil {
				return fmt.Errorf("%s: %w", t.Path, err)
			}
			if r.Farm == nil {
				return fmt.Errorf("%s: no master/worker program: %s", t.Path, r.Refusal)
			}
			ns, vs, cs = append(ns, float64(r.Farm.Workers)), append(vs, r.Farm.Model.Volume), append(cs, r.Farm.Model.Compute)
		}
		m.Volume, m.VolumePerWorker = straight(ns, vs)
		m.Compute, m.ComputePerWorker = straight(ns, cs)
	default:
		a.r.warn("one trace cannot show how volume and computation change with the number of workers: both are taken as constant (--volume)")
	}
	return nil
}

// straight is the line of least squares.
func straight(x, y []float64) (at0, slope float64) {
	mx, my := mean(x), mean(y)
	var xy, xx float64
	for i := range x {
		xy += (x[i] - mx) * (y[i] - my)
		xx += (x[i] - mx) * (x[i] - mx)
	}
	if xx == 0 {
		return my, 0
	}
	return my - xy/xx*mx, xy / xx
}

// typicalTasks are the tasks of the iteration with the median time, ns; a chunk of several tasks gives as many equal ones.
func (a *study) typicalTasks(typical []Iteration, perChunk float64) (list []float64, chunks []int) {
	order := slices.Clone(typical)
	slices.SortStableFunc(order, func(x, y Iteration) int { return int(min(1, max(-1, x.Time()-y.Time()))) })
	n := max(1, int(math.Round(perChunk)))
	for _, k := range order[(len(order)-1)/2].Chunks {
		if k.Tasks == nil {
			k.Tasks = slices.Repeat([]float64{k.Compute / float64(n)}, n)
		}
		for _, x := range k.Tasks {
			list = append(list, a.ns(x))
		}
		chunks = append(chunks, len(k.Tasks))
	}
	return list, chunks
}

// rows is the number of workers that the table of the curves shows at least.
const rows = 16

// model evaluates the curves.
func (f *FarmReport) model(most int, mu, sigma float64) {
	m := &f.Model
	f.Regime, f.Limit = m.Regime(f.Workers).String(), nil
	if l := m.Limit(f.Workers); !math.IsInf(l, 1) {
		f.Limit = &l
	}
	f.Fastest, f.Worth = m.Fastest(most), m.Worth(most)
	last := min(m.bound(most), max(rows, 2*f.Workers, f.Fastest+f.Fastest/2))
	one := m.Time(1)
	f.Curve = f.Curve[:0]
	for n := 1; n <= last; n++ {
		t := m.Time(n)
		f.Curve = append(f.Curve, Point{n, t, one / t, m.Efficiency(n), m.Index(n), m.Feeds(n), Hardness(mu, sigma, n)})
	}
	f.bands(most)
}

// bands changes each input by 10 %.
func (f *FarmReport) bands(most int) {
	f.Bands = nil
	base := f.Model.Time(f.Workers)
	for _, in := range []struct {
		name   string
		change func(m *Farm, by float64)
	}{
		{"V", func(m *Farm, by float64) { m.Volume *= by; m.VolumePerWorker *= by }},
		{"Tc", func(m *Farm, by float64) { m.Compute *= by; m.ComputePerWorker *= by }},
		{"m0", func(m *Farm, by float64) { m.M0 *= by }},
		{"lambda", func(m *Farm, by float64) { m.PerByte *= by }},
		{"all", func(m *Farm, by float64) {
			m.Volume, m.VolumePerWorker, m.Compute, m.ComputePerWorker = m.Volume*by, m.VolumePerWorker*by, m.Compute*by, m.ComputePerWorker*by
			m.M0, m.PerByte = m.M0*by, m.PerByte*by
		}},
	} {
		b := Band{Input: in.name}
		for i, by := range []float64{0.9, 1.1} {
			m := f.Model
			in.change(&m, by)
			part := m.Time(f.Workers)/base - 1
			if i == 0 {
				b.Low = part
			} else {
				b.High = part
			}
			b.Workers[i] = m.Worth(most)
		}
		f.Bands = append(f.Bands, b)
	}
}

// service is how the master serves in a dispatch of the traced tasks.
func (f *FarmReport) service() Service {
	v, _ := f.Model.At(f.Workers)
	each := v / float64(max(1, len(f.tasks)))
	return Service{Link: f.Model.Link, Given: f.Model.Given * each, Returned: (1 - f.Model.Given) * each, Master: f.Model.Master}
}

// distribution is what the policies distribute.
func (f *FarmReport) distribution(mu, sigma float64) Distribution {
	return Distribution{Tasks: len(f.tasks), Workers: f.Workers, Mean: mu, Sigma: sigma, Least: max(1, f.LeastChunk)}
}

// policies dispatches the traced tasks by each policy; the factors of FSC and DPF are the best ones of 0.1, 0.2 ... 1.
func (f *FarmReport) policies(mu, sigma float64) {
	ideal := f.Model.Compute / float64(f.Workers)
	f.Policies = nil
	for _, p := range Policies() {
		factors := []float64{0}
		if p.Factored {
			factors = factors[:0]
			for k := 1; k <= 10; k++ {
				factors = append(factors, float64(k)/10)
			}
		}
		var best *PolicyRow
		for _, factor := range factors {
			d := f.distribution(mu, sigma)
			d.Factor = factor
			chunks, err := p.Chunks(d)
			if err != nil {
				continue
			}
			r, err := Dispatch(f.tasks, chunks, f.Workers, f.service())
			if err != nil {
				continue
			}
			if best == nil || r.Time < best.Time {
				best = &PolicyRow{Policy: p.Name, Factor: factor, Time: r.Time, Messages: r.Messages, Over: r.Time/ideal - 1, Chunks: chunks}
			}
		}
		if best != nil {
			f.Policies = append(f.Policies, *best)
		}
	}
}

// asHandedOut dispatches the traced chunks of the typical iteration, in their order.
func (f *FarmReport) asHandedOut() error {
	d, err := Dispatch(f.tasks, f.traced, f.Workers, f.service())
	if err == nil {
		f.Played = d.Time
	}
	return err
}

// steer plays the iterations again (8.6 step 6): as they were handed out, with DAF whose mean and deviation come from earlier iterations, and
// with the work spread evenly.
func (f *FarmReport) steer(a *study) {
	if len(f.run.Iterations) < 2 {
		return
	}
	s := Steering{}
	f.Steering = nil
	var seen []float64
	daf, _ := PolicyByName("DAF")
	dpf, _ := PolicyByName("DPF")
	for i := range f.run.Iterations {
		it := &f.run.Iterations[i]
		var tasks []float64
		for _, k := range it.Chunks {
			tasks = append(tasks, a.ns(k.Compute))
		}
		service := f.service()
		service.Master = a.ns(it.Prepare)
		each, err := Dispatch(tasks, slices.Repeat([]int{1}, len(tasks)), f.Workers, service)
		if err != nil {
			return
		}
		d := Distribution{Tasks: len(tasks), Workers: f.Workers, Factor: 0.5, Mean: mean(seen), Sigma: deviation(seen), Least: max(1, f.LeastChunk)}
		policy := daf
		if len(seen) == 0 || d.Mean <= 0 {
			policy = dpf
		}
		chunks, err := policy.Chunks(d)
		if err != nil {
			return
		}
		tuned, err := Dispatch(tasks, chunks, f.Workers, service)
		if err != nil {
			return
		}
		s.Without += each.Time
		s.Tuned += tuned.Time
		s.Perfect += total(tasks)/float64(f.Workers) + service.Master + 2*f.Model.M0
		seen = append(seen, tasks...)
	}
	f.Steering = &s
}

// farmAdvice says what to do.
func (a *study) farmAdvice(f *FarmReport, mu, sigma float64) {
	best := slices.MinFunc(f.Policies, func(x, y PolicyRow) int { return int(min(1, max(-1, math.Round(x.Time-y.Time)))) })
	switch {
	case f.Unbalanced && best.Time < f.Played:
		a.r.Advice = append(a.r.Advice, Advice{
			What: fmt.Sprintf("balance first: hand the tasks out by %s (balance now %.2f)", best.Policy, f.Balance),
			Gain: f.Played - best.Time, Share: 1 - best.Time/f.Played,
			When: "at the start of an iteration", Rests: "tasks cost what they cost in the traced iteration", Confidence: "a dispatch of the traced tasks",
		})
	case f.Unbalanced:
		a.r.warn("the balance is %.2f, but no policy hands the traced tasks out better than they were (%s against %s of %s): the imbalance is not one of distribution", f.Balance, short(f.Played), short(best.Time), best.Policy)
	}
	now, then := f.Model.Time(f.Workers), f.Model.Time(f.Worth)
	adv := Advice{What: fmt.Sprintf("keep the %d workers", f.Workers), Workers: f.Worth, When: "at the start of an iteration, when added workers are ready",
		Rests: "volume and computation stay what they are with more workers", Confidence: "the model"}
	if f.Worth != f.Workers {
		verb := "add workers"
		if f.Worth < f.Workers {
			verb = "give workers up"
		}
		adv.What = fmt.Sprintf("%s: %d -> %d (least index; the fastest is %d)", verb, f.Workers, f.Worth, f.Fastest)
		adv.Gain, adv.Share, adv.Processors = now-then, 1-then/now, f.Worth-f.Workers
	}
	if f.Unbalanced {
		adv.Rests = "the work is balanced first"
	}
	if h := Hardness(mu, sigma, f.Worth); h > 0.5 {
		adv.Confidence = fmt.Sprintf("hard to balance (%.2f)", h)
	}
	if !f.Model.Feeds(f.Worth+1) && f.Model.Best(f.Model.Index, a.opt.MaxWorkers, false) > f.Worth {
		adv.Confidence = "limited by the master, which cannot feed more"
	}
	a.r.Advice = append(a.r.Advice, adv)
	if off := math.Abs(f.Predicted/f.Measured - 1); off > 0.2 {
		a.r.warn("the model predicts %s for the measured %s: %.0f %% off", short(f.Predicted), short(f.Measured), 100*off)
	}
	for _, b := range f.Bands {
		for i, n := range b.Workers {
			if math.Abs(float64(n-f.Worth)) > 0.2*float64(f.Worth) {
				a.r.warn("an error of %+d %% in %s moves the best number of workers from %d to %d", 20*i-10, b.Input, f.Worth, n)
			}
		}
	}
}
