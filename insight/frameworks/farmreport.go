package frameworks

// The report of a master with workers: its parameters, the curves of the model, the policies, and what to do.

import (
	"context"
	"fmt"
	"math"
	"slices"

	"pview/prv/quantile"
	"pview/prv/quantity"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

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

// PolicyRow is the dispatch of the traced tasks by a policy.
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
	Low, High float64 // relative changes of the time, at -10 % and +10 %
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
	Limit      *float64    `json:"limit"`             // workers that the master can feed; nil: any number
	Fastest    int         `json:"fastest,omitempty"` // like Worth, only for a model that holds
	Worth      int         `json:"worth,omitempty"`
	Curve      []Point     `json:"curve"`
	Played     float64     `json:"played_ns"` // the traced chunks in their order, dispatched by the model
	Policies   []PolicyRow `json:"policies"`
	Bands      []Band      `json:"bands"`
	Unanswered int         `json:"unanswered"`
	LeastChunk int         `json:"least_chunk"`
	Steering   *Steering   `json:"steering,omitempty"`
	run        *farmRun
	tasks      []float64 // traced tasks of a typical iteration, ns
	traced     []int     // tasks of each of its chunks
	mean       float64   // of a task
	sigma      float64
	rules      Rules
}

// Steering is the run played again, with each decision based on earlier iterations only.
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
	f := &FarmReport{run: run, Iterations: len(run.Iterations), Unanswered: run.Unanswered, rules: a.opt.Rules}
	a.r.Farm = f
	for i := range run.Iterations {
		f.Series = append(f.Series, a.ns(run.Iterations[i].Time()))
	}
	typical := run.typical()
	s := a.sumUp(run, typical)
	if floats.Sum(s.compute) <= 0 {
		return fmt.Errorf(
			"the workers compute nothing between the arrival of their data and their answer: the model has no " +
				"value (a roles file with compute event TYPE=VALUE can tell the work)")
	}
	f.Workers, f.Chunks = s.workers, s.chunks
	f.Measured = a.ns(quantile.Median(s.time))
	f.Balance, f.Idle = quantile.Median(s.balance), quantile.Median(s.idle)
	f.Unbalanced = f.Balance < leastBalance
	perChunk := a.farmParameters(f, &s)
	if err := a.growth(ctx, f); err != nil {
		return err
	}
	f.tasks, f.traced = a.typicalTasks(typical, perChunk)
	a.r.told = len(a.r.Warnings)
	if err := a.evaluateFarm(f); err != nil {
		return err
	}
	if a.opt.Simulate {
		a.r.Verdict, err = a.checkFarm(ctx, f)
	}
	return err
}

// farmSums are the model's inputs from the typical iterations, one value for each; times in the trace's unit.
type farmSums struct {
	volume, given          []float64 // bytes
	compute, prepare, time []float64
	balance, idle          []float64
	single                 []float64 // computation of each task seen, of all iterations
	workers                int       // that got any
	chunks                 int       // of an iteration
}

// sumUp gathers the sums of the typical iterations. The preparation of the first iteration is excluded: it cannot be
// separated from the start of the program.
func (a *study) sumUp(run *farmRun, typical []Iteration) (s farmSums) {
	working := map[int]bool{}
	chunks := 0
	for i := range typical {
		it := &typical[i]
		sums := it.sums(len(a.r.Roles.Workers))
		given := floats.Sum(sums.Given)
		s.volume, s.given = append(s.volume, given+floats.Sum(sums.Returned)), append(s.given, given)
		s.compute = append(s.compute, floats.Sum(sums.Compute))
		if i > 0 || len(run.Iterations) >= 3 {
			s.prepare = append(s.prepare, it.Prepare)
		}
		s.time = append(s.time, it.Time())
		s.balance, s.idle = append(s.balance, sums.balance()), append(s.idle, sums.idle(it.Time()))
		chunks += len(it.Chunks)
		for _, k := range it.Chunks {
			working[k.Worker] = true
			if k.Tasks == nil {
				s.single = append(s.single, k.Compute)
			} else {
				s.single = append(s.single, k.Tasks...)
			}
		}
	}
	s.workers = len(working)
	s.chunks = int(math.Round(float64(chunks) / float64(len(typical))))
	return s
}

// farmParameters sets the model's parameters, and returns how many tasks a chunk has.
func (a *study) farmParameters(f *FarmReport, s *farmSums) (perChunk float64) {
	events := a.r.Roles.TaskEvent != nil
	tasks := a.opt.Tasks
	if tasks == 0 || events {
		tasks = f.Chunks
	}
	perChunk = float64(tasks) / float64(max(1, f.Chunks))
	if events {
		tasks = int(math.Round(float64(len(s.single)) / float64(len(s.time))))
	}
	v, tc, mum := measured(s.volume, true), a.nsValue(s.compute, true), a.nsValue(s.prepare, true)
	alpha := 0.0
	if v.Value > 0 {
		alpha = quantile.Median(s.given) / v.Value
	}
	mu := a.nsValue(s.single, false)
	sigma := Value{Value: mu.Spread, Origin: Estimated, Samples: mu.Samples}
	if events {
		sigma.Origin = FromTrace
	}
	if perChunk != 1 {
		mu.Value /= perChunk
		mu.Origin = Estimated
		sigma.Value /= perChunk
		sigma.Note = fmt.Sprintf("from chunks of %.3g tasks: independent tasks spread about %.3g times as much",
			perChunk, math.Sqrt(perChunk))
	}
	a.r.Parameters = append(a.r.Parameters,
		Parameter{"workers", "n", "", Value{Value: float64(f.Workers), Origin: FromTrace, Samples: f.Iterations}},
		Parameter{"bytes of an iteration", "V", "bytes", v},
		Parameter{"part to the workers", "alpha", "", Value{Value: alpha, Origin: FromTrace, Samples: len(s.given)}},
		Parameter{"computation of an iteration", "Tc", "ns", tc},
		Parameter{"preparation by the master", "mu_m", "ns", mum},
		Parameter{"time of a task", "mu", "ns", mu},
		Parameter{"its deviation", "sigma", "ns", sigma},
		Parameter{"most workers considered", WorkersSymbol, "",
			Value{Value: float64(a.opt.MaxWorkers), Origin: given(a.opt.MaxWorkers > 0), Note: "0: any number"}})
	f.Model = Farm{Link: a.use, Volume: v.Value, Given: alpha, Compute: tc.Value, Master: mum.Value,
		ComputePerWorker: a.opt.ComputePerWorker}
	// one chunk per worker does not show the number of tasks
	if a.opt.Tasks > 0 || events || f.Chunks > f.Workers {
		f.Model.Tasks = tasks
	}
	f.mean, f.sigma = mu.Value, sigma.Value
	return perChunk
}

// evaluateFarm applies the model to its parameters.
func (a *study) evaluateFarm(f *FarmReport) error {
	m := &f.Model
	f.Predicted = m.Time(f.Workers)
	holds := a.compare(f.Predicted, f.Measured)
	f.model(a.opt.MaxWorkers, f.mean, f.sigma, holds)
	v, _ := m.At(f.Workers)
	tasks := float64(max(1, len(f.tasks)))
	f.LeastChunk, _ = leastChunk(m.Link, f.Workers, m.Given*v/tasks, (1-m.Given)*v/tasks, f.mean)
	if err := f.asHandedOut(); err != nil {
		return err
	}
	f.policies(f.mean, f.sigma)
	f.steer(a)
	a.farmAdvice(f, holds)
	return nil
}

// leastBalance is the balance below which distributing the work comes before adding workers.
const leastBalance = 0.85

// growth sets how inputs grow with the number of workers.
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
			ns, vs, cs = append(ns, float64(r.Farm.Workers)), append(vs, r.Farm.Model.Volume),
				append(cs, r.Farm.Model.Compute)
		}
		m.Volume, m.VolumePerWorker = straight(ns, vs)
		m.Compute, m.ComputePerWorker = straight(ns, cs)
	default:
		a.r.warn(
			"one trace cannot show how volume and computation change with the number of workers: both are taken as " +
				"constant (--volume)")
	}
	return nil
}

// straight fits a line by least squares.
func straight(x, y []float64) (at0, slope float64) {
	if floats.Min(x) == floats.Max(x) {
		return mean(y), 0
	}
	return stat.LinearRegression(x, y, nil, false)
}

// typicalTasks returns the tasks of the iteration with the median time, ns; a chunk of several tasks gives equal ones.
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

// rows is the minimum number of workers in the table of the curves.
const rows = 16

// model evaluates the curves, and their recommendation if they hold.
func (f *FarmReport) model(most int, mu, sigma float64, holds bool) {
	m := &f.Model
	f.Regime, f.Limit = m.regime(f.Workers).String(), nil
	if l := m.limit(f.Workers); !math.IsInf(l, 1) {
		f.Limit = &l
	}
	f.Fastest, f.Worth = 0, 0
	if holds {
		f.Fastest, f.Worth = m.fastest(most), m.worth(most)
	}
	last := min(m.bound(most), max(rows, 2*f.Workers, f.Fastest+f.Fastest/2))
	one := m.Time(1)
	f.Curve = nil
	for n := 1; n <= last; n++ {
		t := m.Time(n)
		f.Curve = append(f.Curve, Point{n, t, one / t, m.efficiency(n), m.Index(n), m.feeds(n), hardness(mu, sigma, n)})
	}
	if f.Bands = nil; holds {
		f.bands(most)
	}
}

// bands changes each input by 10 %.
func (f *FarmReport) bands(most int) {
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
			m.Volume, m.VolumePerWorker, m.Compute, m.ComputePerWorker = m.Volume*by, m.VolumePerWorker*by,
				m.Compute*by, m.ComputePerWorker*by
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
			b.Workers[i] = m.worth(most)
		}
		f.Bands = append(f.Bands, b)
	}
}

// service describes how the master serves in a dispatch of the traced tasks.
func (f *FarmReport) service() Service {
	v, _ := f.Model.At(f.Workers)
	each := v / float64(max(1, len(f.tasks)))
	return Service{Link: f.Model.Link, Given: f.Model.Given * each, Returned: (1 - f.Model.Given) * each,
		Master: f.Model.Master}
}

// distribution returns the tasks for the policies to distribute.
func (f *FarmReport) distribution(mu, sigma float64) Distribution {
	return Distribution{Tasks: len(f.tasks), Workers: f.Workers, Mean: mu, Sigma: sigma, Least: max(1, f.LeastChunk),
		Rules: f.rules}
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
			r, err := dispatch(f.tasks, chunks, f.Workers, f.service())
			if err != nil {
				continue
			}
			if best == nil || r.Time < best.Time {
				best = &PolicyRow{Policy: p.Name, Factor: factor, Time: r.Time, Messages: r.Messages,
					Over: r.Time/ideal - 1, Chunks: chunks}
			}
		}
		if best != nil {
			f.Policies = append(f.Policies, *best)
		}
	}
}

// asHandedOut dispatches the traced chunks of the typical iteration, in their order.
func (f *FarmReport) asHandedOut() error {
	d, err := dispatch(f.tasks, f.traced, f.Workers, f.service())
	if err == nil {
		f.Played = d.Time
	}
	return err
}

// steer plays the iterations again (8.6 step 6): in the traced order, by DAF with the mean and deviation of earlier
// iterations, and with the work spread evenly.
func (f *FarmReport) steer(a *study) {
	if len(f.run.Iterations) < 2 {
		return
	}
	s := Steering{}
	f.Steering = nil
	var seen []float64
	daf, _ := policyByName("DAF")
	dpf, _ := policyByName("DPF")
	for i := range f.run.Iterations {
		it := &f.run.Iterations[i]
		var tasks []float64
		for _, k := range it.Chunks {
			tasks = append(tasks, a.ns(k.Compute))
		}
		service := f.service()
		service.Master = a.ns(it.Prepare)
		each, err := dispatch(tasks, slices.Repeat([]int{1}, len(tasks)), f.Workers, service)
		if err != nil {
			return
		}
		d := Distribution{Tasks: len(tasks), Workers: f.Workers, Factor: 0.5, Mean: mean(seen), Sigma: deviation(seen),
			Least: max(1, f.LeastChunk), Rules: f.rules}
		policy := daf
		if len(seen) == 0 || d.Mean <= 0 {
			policy = dpf
		}
		chunks, err := policy.Chunks(d)
		if err != nil {
			return
		}
		tuned, err := dispatch(tasks, chunks, f.Workers, service)
		if err != nil {
			return
		}
		s.Without += each.Time
		s.Tuned += tuned.Time
		s.Perfect += floats.Sum(tasks)/float64(f.Workers) + service.Master + 2*f.Model.M0
		seen = append(seen, tasks...)
	}
	f.Steering = &s
}

// farmAdvice recommends changes, as far as the models reproduce the measured time: the dispatch of the traced tasks,
// and the curve if it holds.
func (a *study) farmAdvice(f *FarmReport, holds bool) {
	best := slices.MinFunc(f.Policies, func(x, y PolicyRow) int {
		return int(min(1, max(-1, math.Round(x.Time-y.Time))))
	})
	switch {
	case !f.Unbalanced:
	case !Meets(f.Played, f.Measured):
		a.r.warn("the traced tasks, dispatched as they were, take %s for the measured %s (%s): no policy is "+
			"recommended", short(f.Played), short(f.Measured), quantity.FormatChange(f.Played/f.Measured-1))
	case best.Time < f.Played:
		a.r.Advice = append(a.r.Advice, Advice{
			What: fmt.Sprintf("balance first: dispatch tasks by policy %s (balance now %.2f)", best.Policy, f.Balance),
			Gain: f.Played - best.Time, Share: 1 - best.Time/f.Played,
			When: "at the start of an iteration", Rests: "tasks take as long as in the traced iteration",
			Confidence: "a dispatch of the traced tasks",
		})
	default:
		a.r.warn(
			"the balance is %.2f, but no policy dispatches the traced tasks better than the run did (%s against %s of "+
				"%s): the imbalance is not one of "+
				"distribution", f.Balance, short(f.Played), short(best.Time), best.Policy)
	}
	if !holds {
		return
	}
	now, then := f.Model.Time(f.Workers), f.Model.Time(f.Worth)
	adv := Advice{What: "keep the " + quantity.CountOf(int64(f.Workers), "worker"), Workers: f.Worth,
		When:  "at the start of an iteration, when added workers are ready",
		Rests: "volume and computation stay the same with more workers", Confidence: "the model"}
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
	if h := hardness(f.mean, f.sigma, f.Worth); h > 0.5 {
		adv.Confidence = fmt.Sprintf("hard to balance (%.2f)", h)
	}
	if !f.Model.feeds(f.Worth+1) && f.Model.best(f.Model.Index, a.opt.MaxWorkers, false) > f.Worth {
		adv.Confidence = "limited by the master, which cannot feed more"
	}
	a.r.Advice = append(a.r.Advice, adv)
	for _, b := range f.Bands {
		for i, n := range b.Workers {
			if math.Abs(float64(n-f.Worth)) > 0.2*float64(f.Worth) {
				a.r.warn("an error of %+d %% in %s moves the best number of workers from %d to %d", 20*i-10, b.Input,
					f.Worth, n)
			}
		}
	}
}
