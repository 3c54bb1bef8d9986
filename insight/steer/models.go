package steer

// The table of models by the name of the variable that they tune.

import (
	"context"
	"fmt"
	"math"
	"slices"

	"pview/insight/frameworks"
	"pview/insight/frameworks/role"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/record"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Model proposes values of the variables with a name.
type Model struct {
	Name string // of the variable
	Doc  string
	// propose returns the best value of a variable, nil to keep it.
	propose func(v *view, i int) (*Proposal, error)
	// predict returns the time of an iteration with a value.
	predict func(v *view, i int, value float64) float64
}

// Models returns the table of models.
func Models() []Model { return models }

var models = []Model{
	{"partition", "of a master: the tasks of a chunk (int), or the part of all tasks in a batch for all workers " +
		"(double)", proposePartition, predictPartition},
	{"policy", "of a master: 0 gives each worker one chunk, 1 to 3 are FSC, DPF and DAF", proposePolicy, predictPolicy},
	{"workers", "of a master: how many of them get tasks", proposeWorkers, predictWorkers},
	{"replicas", "of a stage of a pipeline, whose manager registers it: how many of them get items", proposeReplicas,
		predictReplicas},
}

// Proposal is a change that a model proposes.
type Proposal struct {
	tunable   int
	From, To  float64
	Predicted float64 // time of an iteration, ns
	Frees     bool    // processors, at no cost
	Why       string
}

// meets reports whether a time of a model is near enough to the measured one for recommendations.
func (v *view) meets(model, measured float64) bool {
	if frameworks.Meets(model, measured) {
		return true
	}
	v.doubt = fmt.Sprintf("the models give %s for the measured %s", short(model), short(measured))
	return false
}

// key identifies a change: the variable and its direction.
func (p *Proposal) key(list []record.Tunable) string {
	return fmt.Sprintf("%s %t", list[p.tunable].Name, p.To > p.From)
}

// Models see view: the last iterations.
type view struct {
	ctx     context.Context
	t       *prv.Trace
	list    []record.Tunable
	typical Typical
	window  role.Window
	loop    *Loop
	report  *frameworks.Report // nil: not yet made
	doubt   string             // why the models recommend nothing; "": they hold
	rounds  []frameworks.Round
}

func (l *Loop) view(ctx context.Context, t *prv.Trace, typical Typical, list []record.Tunable) *view {
	return &view{ctx: ctx, t: t, list: list, typical: typical, loop: l,
		window: role.Window{From: l.begins[l.seen-typical.Count], To: l.begins[l.seen]}}
}

// best returns the proposal that saves most; nil: none saves enough.
func (v *view) best(may func(p *Proposal) bool) (best *Proposal, err error) {
	for i := range v.list {
		k := slices.IndexFunc(models, func(m Model) bool { return m.Name == v.list[i].Name })
		if k < 0 {
			continue
		}
		p, err := models[k].propose(v, i)
		if err != nil {
			return nil, err
		}
		if p == nil || p.To == p.From || p.Predicted > (1-leastGain)*v.typical.Value && !p.Frees || !may(p) {
			continue
		}
		if best == nil || p.Predicted < best.Predicted {
			best = p
		}
	}
	return best, nil
}

// predict returns the time of an iteration if a proposal is carried out only in part.
func (v *view) predict(p *Proposal, value float64) float64 {
	for _, m := range models {
		if m.Name == v.list[p.tunable].Name {
			return m.predict(v, p.tunable, value)
		}
	}
	return 0
}

// analyse applies the models of frameworks to the last iterations; nil if there is no structure.
func (v *view) analyse() (*frameworks.Report, error) {
	if v.report != nil {
		return v.report, nil
	}
	opt := frameworks.Options{Window: v.window, Roles: v.loop.roles, Free: -1}
	r, err := frameworks.Analyse(v.ctx, v.t, opt)
	if err == nil && v.loop.roles == nil && r.Roles != nil && r.Roles.Kind == role.MasterWorker {
		// The structure is recognised once; pview_sync marks the iterations, regions mark the tasks. A pipeline's
		// structure changes with its replicas.
		roles := *r.Roles
		roles.Iteration = &role.EventMatch{Type: record.TypeSync, Any: true}
		roles.TaskEvent = taskEvent(v.t)
		roles.Workers = others(v.t, roles.Master)
		v.loop.roles, opt.Roles = &roles, &roles
		r, err = frameworks.Analyse(v.ctx, v.t, opt)
	}
	v.report = r
	return r, err
}

// others returns the ranks except the master, including those without work so far: they may get some after a change.
func others(t *prv.Trace, master int32) (list []int32) {
	p := t.Ptasks[0]
	for task := p.FirstTask; task < p.FirstTask+p.Tasks; task++ {
		if task != master {
			list = append(list, task)
		}
	}
	return list
}

// taskEvent returns the event with which a region "task" begins; nil: there is none.
func taskEvent(t *prv.Trace) *role.EventMatch {
	typ, ok := t.Labels.Type(extrae.UserFunction)
	if !ok {
		return nil
	}
	for _, l := range typ.Values {
		if l.Label == "task" {
			return &role.EventMatch{Type: extrae.UserFunction, Value: l.Value}
		}
	}
	return nil
}

// value returns the value of a variable by name; or otherwise if there is none.
func (v *view) value(name string, otherwise float64) float64 {
	for i := range v.list {
		if v.list[i].Name == name {
			return v.list[i].Value
		}
	}
	return otherwise
}

// farm returns the last iterations of a master; nil if the program has no master.
func (v *view) farm() ([]frameworks.Round, error) {
	if v.rounds != nil {
		return v.rounds, nil
	}
	r, err := v.analyse()
	if err != nil || r.Farm == nil {
		return nil, err
	}
	v.rounds = r.Rounds(int(v.value("partition", 1)))
	return v.rounds, nil
}

// work returns the computation of an iteration of a master, or of an item of a pipeline, ns; 0 if it is not known.
func (v *view) work() float64 {
	rounds, err := v.farm()
	switch {
	case err != nil:
		return 0
	case len(rounds) == 0:
		return v.report.ItemWork()
	}
	sum := 0.0
	for i := range rounds {
		sum += rounds[i].Work()
	}
	return sum / float64(len(rounds))
}

// workers returns the number of workers.
func (v *view) workers() int {
	return int(v.value("workers", float64(len(v.report.Roles.Workers))))
}

// candidates are values of a variable to try: all if they are few, else some from low to high, and the current one.
func candidates(t *record.Tunable) (list []float64) {
	const steps = 64
	switch {
	case t.High < t.Low:
		return nil
	case t.Whole && t.High-t.Low <= steps:
		for x := t.Low; x <= t.High; x++ {
			list = append(list, x)
		}
	case t.Whole:
		for x := max(t.Low, 1); x < t.High; x = max(x+1, math.Round(x*1.1)) {
			list = append(list, x)
		}
		list = append(list, t.Low, t.High, t.Value)
	default:
		for i := range steps + 1 {
			list = append(list, t.Low+(t.High-t.Low)*float64(i)/steps)
		}
		list = append(list, t.Value)
	}
	return list
}

// chunks returns the chunks for a value of the variable partition.
func (v *view) chunks(i int, value float64, tasks int) []int {
	if v.list[i].Whole {
		n := max(int(value), 1)
		list := slices.Repeat([]int{n}, tasks/n)
		if left := tasks % n; left > 0 {
			list = append(list, left)
		}
		return list
	}
	for _, p := range frameworks.Policies() {
		if p.Name == "FSC" {
			list, err := p.Chunks(frameworks.Distribution{Tasks: tasks, Workers: v.workers(), Factor: value})
			if err == nil {
				return list
			}
		}
	}
	return nil
}

// played returns the mean time of the last iterations, dispatched with a value of the variable partition.
func (v *view) played(i int, value float64) float64 {
	sum := 0.0
	for k := range v.rounds {
		r := &v.rounds[k]
		sum += r.Dispatch(v.chunks(i, value, len(r.Tasks)), v.workers())
	}
	return sum / float64(len(v.rounds))
}

// predictPartition returns the measured time, scaled like the dispatch of the tasks.
func predictPartition(v *view, i int, value float64) float64 {
	return v.typical.Value * v.played(i, value) / v.played(i, v.list[i].Value)
}

func proposePartition(v *view, i int) (*Proposal, error) {
	rounds, err := v.farm()
	if err != nil || len(rounds) == 0 {
		return nil, err
	}
	now := v.played(i, v.list[i].Value)
	if !v.meets(now, v.typical.Value) {
		return nil, nil
	}
	list := candidates(&v.list[i])
	times := make([]float64, len(list))
	for k, x := range list {
		times[k] = v.played(i, x)
	}
	best := floats.MinIdx(times)
	return &Proposal{tunable: i, From: v.list[i].Value, To: list[best], Predicted: v.typical.Value * times[best] / now,
		Why: fmt.Sprintf("of %d tasks on %d workers, balance %.2f", len(rounds[0].Tasks), v.workers(),
			v.report.Farm.Balance)}, nil
}

// byPolicy returns the mean time of the last iterations, with chunks of a policy: its number in frameworks.Policies.
// The factor is the variable partition, if that is a double, else 0.5.
func (v *view) byPolicy(number int) float64 {
	policies := frameworks.Policies()
	if number < 0 || number >= len(policies) {
		return math.NaN()
	}
	factor := 0.5
	for i := range v.list {
		if v.list[i].Name == "partition" && !v.list[i].Whole {
			factor = v.list[i].Value
		}
	}
	sum := 0.0
	for k := range v.rounds {
		tasks := v.rounds[k].Tasks
		mean, deviation := stat.PopMeanStdDev(tasks, nil)
		chunks, err := policies[number].Chunks(frameworks.Distribution{Tasks: len(tasks), Workers: v.workers(),
			Factor: factor, Mean: mean, Sigma: deviation})
		if err != nil {
			return math.NaN()
		}
		sum += v.rounds[k].Dispatch(chunks, v.workers())
	}
	return sum / float64(len(v.rounds))
}

func predictPolicy(v *view, i int, value float64) float64 {
	return v.typical.Value * v.byPolicy(int(value)) / v.byPolicy(int(v.list[i].Value))
}

func proposePolicy(v *view, i int) (*Proposal, error) {
	rounds, err := v.farm()
	if err != nil || len(rounds) == 0 {
		return nil, err
	}
	t := &v.list[i]
	now := v.byPolicy(int(t.Value))
	if !v.meets(now, v.typical.Value) {
		return nil, nil
	}
	best, least := int(t.Value), now
	for n := int(t.Low); n <= int(t.High); n++ {
		if time := v.byPolicy(n); time < least {
			best, least = n, time
		}
	}
	return &Proposal{tunable: i, From: t.Value, To: float64(best), Predicted: v.typical.Value * least / now,
		Why: fmt.Sprintf("%d tasks on %d workers, balance %.2f with %s", len(rounds[0].Tasks), v.workers(),
			v.report.Farm.Balance, frameworks.Policies()[int(t.Value)].Name)}, nil
}

// playedOn returns the mean time of the last iterations with a number of workers, and unchanged chunks.
func (v *view) playedOn(workers int) float64 {
	sum := 0.0
	for k := range v.rounds {
		sum += v.rounds[k].Dispatch(v.rounds[k].Chunks, workers)
	}
	return sum / float64(len(v.rounds))
}

func predictWorkers(v *view, i int, value float64) float64 {
	return v.typical.Value * v.playedOn(int(value)) / v.playedOn(v.workers())
}

// proposeWorkers proposes the fewest workers that are nearly the fastest.
func proposeWorkers(v *view, i int) (*Proposal, error) {
	rounds, err := v.farm()
	if err != nil || len(rounds) == 0 {
		return nil, err
	}
	t := &v.list[i]
	now := v.playedOn(v.workers())
	if !v.meets(now, v.typical.Value) {
		return nil, nil
	}
	low, high := max(int(t.Low), 1), min(int(t.High), len(v.report.Roles.Workers))
	least := math.Inf(1)
	for n := low; n <= high; n++ {
		least = min(least, v.playedOn(n))
	}
	n := low
	for ; n < high && v.playedOn(n) > (1+tie)*least; n++ {
	}
	return &Proposal{tunable: i, From: t.Value, To: float64(n), Predicted: v.typical.Value * v.playedOn(n) / now,
		Why: fmt.Sprintf("%d tasks in %d chunks, balance %.2f", len(rounds[0].Tasks), len(rounds[0].Chunks),
			v.report.Farm.Balance)}, nil
}

// tie is the relative difference up to which two predictions count as the same.
const tie = 0.02

// pace returns the time of an item with a number of replicas, if the model holds.
func (v *view) pace(i, replicas int, slower float64) (float64, bool) {
	r, err := v.analyse()
	if err != nil || r.Fit == nil || len(v.list[i].Ranks) == 0 || !v.meets(r.Fit.Model, r.Fit.Measured) {
		return 0, false
	}
	return r.PaceWith(v.t.Ptasks[0].FirstTask+int32(v.list[i].Ranks[0]), replicas, slower)
}

func predictReplicas(v *view, i int, value float64) float64 {
	now, ok := v.pace(i, int(v.list[i].Value), 1)
	then, also := v.pace(i, int(value), 1)
	if !ok || !also {
		return 0
	}
	return v.typical.Value * then / now
}

// spare is the slowdown of replicas that must be tolerable after one is given up.
const spare = 0.1

// proposeReplicas proposes the fewest replicas that do not set the pace; it gives one up only if that is tolerable even
// when the others become slower.
func proposeReplicas(v *view, i int) (*Proposal, error) {
	if _, err := v.analyse(); err != nil {
		return nil, err
	}
	t := &v.list[i]
	now, ok := v.pace(i, int(t.Value), 1)
	least, _ := v.pace(i, int(t.High), 1)
	if !ok {
		return nil, nil
	}
	n, slower := max(int(t.Low), 1), 1+spare
	for ; n < int(t.High); n++ {
		if n >= int(t.Value) {
			slower = 1
		}
		if then, _ := v.pace(i, n, slower); then <= (1+tie)*least {
			break
		}
	}
	then, _ := v.pace(i, n, 1)
	p := &Proposal{tunable: i, From: t.Value, To: float64(n), Predicted: v.typical.Value * then / now,
		Frees: n < int(t.Value)}
	p.Why = fmt.Sprintf("an item takes %s, with %d replicas %s", short(now), n, short(then))
	return p, nil
}
