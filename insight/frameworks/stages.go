package frameworks

// The report on a pipeline, and on a master whose workers are pipelines.

import (
	"context"
	"fmt"
	"math"
	"slices"

	"pview/insight/frameworks/role"
	"pview/prv"
	"pview/prv/quantile"
	"pview/prv/quantity"
)

// StageRow is a stage in the report.
type StageRow struct {
	Stage      int     `json:"stage"` // from 1
	Tasks      string  `json:"tasks"`
	Replicas   int     `json:"replicas,omitempty"`
	Compute    float64 `json:"compute_ns"`
	Spread     float64 `json:"spread_ns"`
	Items      int     `json:"items"`
	Bytes      float64 `json:"bytes"`
	Sending    float64 `json:"sending_ns"`
	Own        float64 `json:"production_ns"`           // Tr
	Async      float64 `json:"dependent_ns"`            // rTr with room in the buffers
	Full       float64 `json:"dependent_full_ns"`       // rTr with full buffers or synchronous sends
	Observed   float64 `json:"observed_ns"`             // median interval between items
	Error      float64 `json:"error"`                   // of Full with full buffers, else of Async
	Slowest    bool    `json:"bottleneck"`              //
	Proposed   int     `json:"proposed_replicas"`       //
	Raw        float64 `json:"raw_replicas,omitempty"`  // (4p), (5p)
	Overlapped float64 `json:"proposed_overlap_ns"`     // Tr with the proposal
	Additive   float64 `json:"proposed_additive_ns"`    //
	Occupancy  float64 `json:"occupancy,omitempty"`     // of the manager
	Surplus    int     `json:"idle_replicas,omitempty"` //
	Shared     float64 `json:"shared_ns,omitempty"`     // the manager on a replica's processor, not validated
}

// Step is the best pattern for a number of free processors.
type Step struct {
	Free     int     `json:"free"`
	Used     int     `json:"used"`
	Replicas []int   `json:"replicas"`
	Pace     float64 `json:"pace_ns"`
}

// PipelineReport is the model of a pipeline.
type PipelineReport struct {
	Model     Pipeline   `json:"-"`
	Items     int        `json:"items"`
	Stages    []StageRow `json:"stages"`
	Observed  float64    `json:"observed_ns"` // pace: median interval between items at the last stage
	Predicted float64    `json:"predicted_ns"`
	Free      int        `json:"free"`
	Pattern   Pattern    `json:"-"`
	Steps     []Step     `json:"staircase"`
	Groups    []string   `json:"groups"` // of stages that can share a processor without a loss
	Grouped   float64    `json:"grouped_ns"`
	Filling   float64    `json:"filling"` // share of filling and draining
	// FullBuffers reports whether the stages before the slowest are held up by it: sends are synchronous, or the
	// intervals observed are nearer to those of full buffers.
	FullBuffers bool `json:"full_buffers"`
	run         *pipelineRun
}

// pipeline analyses a pipeline.
func (a *study) pipeline(ctx context.Context) error {
	run, err := readPipeline(ctx, a.t, a.opt.Window, a.r.Roles)
	if err != nil {
		return err
	}
	p := &PipelineReport{run: run, Items: run.Items, Free: a.opt.Free}
	a.r.Pipeline = p
	if p.Free < 0 {
		p.Free = len(run.Stages)
	}
	p.Model = Pipeline{Link: a.use, Acknowledgement: 4}
	for i := range run.Stages {
		s := &run.Stages[i]
		st := Stage{Compute: a.ns(quantile.Median(s.Compute)), Bytes: quantile.Median(s.Bytes)}
		for _, r := range s.Replicas {
			st.Replicas = append(st.Replicas, a.ns(quantile.Median(r)))
		}
		p.Model.Stages = append(p.Model.Stages, st)
		v := a.nsValue(s.Compute, true)
		a.r.Parameters = append(a.r.Parameters,
			Parameter{fmt.Sprintf("item in stage %d", i+1), fmt.Sprintf("tc_%d", i+1), "ns", v})
		if i < len(run.Stages)-1 {
			a.r.Parameters = append(a.r.Parameters, Parameter{fmt.Sprintf("sent by stage %d", i+1),
				fmt.Sprintf("v_%d", i+1), "bytes", measured(s.Bytes, true)})
		}
	}
	a.r.Parameters = append(a.r.Parameters,
		Parameter{"processors for replicas", ProcessorsSymbol, "",
			Value{Value: float64(p.Free), Origin: given(a.opt.Free >= 0)}})
	p.Observed = a.ns(quantile.Median(run.Stages[len(run.Stages)-1].Interval))
	p.Filling = float64(len(run.Stages)-1) / float64(max(1, p.Items))
	a.r.told = len(a.r.Warnings)
	p.model(a)
	a.pipelineAdvice(p)
	if a.opt.Simulate {
		a.r.Verdict, err = a.checkPipeline(ctx, p)
	}
	return err
}

// model evaluates the stages and the proposals.
func (p *PipelineReport) model(a *study) {
	m := &p.Model
	_, p.Predicted = m.Slowest(Overlap)
	p.Pattern = m.replicate(p.Free)
	with := m.with(p.Pattern)
	slow, _ := m.Slowest(Overlap)
	free, full := m.paces(false), m.paces(true)
	observed := make([]float64, len(m.Stages))
	for i := range m.Stages {
		observed[i] = a.ns(quantile.Median(p.run.Stages[i].Interval))
	}
	p.FullBuffers = m.Protocol == role.Sync || distance(full, observed) < distance(free, observed)
	p.Stages = nil
	first := a.t.Ptasks[a.r.Roles.Ptask].FirstTask
	for i := range m.Stages {
		s, of := &m.Stages[i], a.r.Roles.Stages[i]
		row := StageRow{Stage: i + 1, Tasks: role.Ranges(append([]int32{of.Task}, of.Replicas...), first),
			Replicas: len(s.Replicas), Compute: s.one(),
			Spread: a.ns(deviation(p.run.Stages[i].Compute)), Items: p.run.Stages[i].Items, Bytes: s.Bytes,
			Sending: m.sending(i), Own: m.own(i, Overlap),
			Async: free[i], Full: full[i], Observed: observed[i],
			Slowest: i == slow, Proposed: p.Pattern.Replicas[i], Raw: p.Pattern.Raw[i],
			Overlapped: with.own(i, Overlap), Additive: with.own(i, Additive), Surplus: m.surplus(i)}
		if math.IsInf(row.Raw, 0) {
			row.Raw = 0
		}
		expected := row.Async
		if p.FullBuffers {
			expected = row.Full
		}
		if row.Observed > 0 {
			row.Error = expected/row.Observed - 1
		}
		if r := len(with.Stages[i].Replicas); r > 0 {
			row.Occupancy = float64(r) * m.managing(i) / m.replica(i, s.one())
			row.Shared = m.shared(i, r, timeSlice)
		}
		p.Stages = append(p.Stages, row)
	}
	p.Steps = nil
	for free := range max(p.Free, 1) + 1 {
		got := m.replicate(free)
		if free > 0 && len(p.Steps) > 0 && slices.Equal(p.Steps[len(p.Steps)-1].Replicas, got.Replicas) {
			continue
		}
		p.Steps = append(p.Steps, Step{free, got.Used, got.Replicas, got.Slowest})
	}
	g := m.join(tolerance)
	p.Groups, p.Grouped = nil, g.Slowest
	for k, from := range g.First {
		to := len(m.Stages)
		if k+1 < len(g.First) {
			to = g.First[k+1]
		}
		if to == from+1 {
			p.Groups = append(p.Groups, fmt.Sprint(from+1))
		} else {
			p.Groups = append(p.Groups, fmt.Sprintf("%d-%d", from+1, to))
		}
	}
}

// distance returns the sum of the relative differences of predicted times from observed ones, where both are known.
func distance(predicted, observed []float64) (sum float64) {
	for i, o := range observed {
		if o > 0 && predicted[i] > 0 {
			sum += math.Abs(math.Log(predicted[i] / o))
		}
	}
	return sum
}

// pipelineAdvice says what to do, if the model holds.
func (a *study) pipelineAdvice(p *PipelineReport) {
	if !a.compare(p.Predicted, p.Observed) {
		return
	}
	slow, pace := p.Model.Slowest(Overlap)
	adv := Advice{What: fmt.Sprintf("no replication pays: stage %d sets the pace", slow+1),
		Replicas:   p.Pattern.Replicas,
		When:       "before the stage takes its next item, when the replicas are ready",
		Rests:      "items of a stage are independent of each other",
		Confidence: "the model, with manager and replicas overlapped"}
	if p.Pattern.Used > 0 {
		what := "use"
		for i, r := range p.Pattern.Replicas {
			if r > len(p.Model.Stages[i].Replicas) {
				what += fmt.Sprintf(" %s of stage %d,", quantity.CountOf(int64(r), "replica"), i+1)
			}
		}
		adv.What = what[:len(what)-1]
		adv.Gain, adv.Share, adv.Processors = pace-p.Pattern.Slowest, 1-p.Pattern.Slowest/pace, p.Pattern.Used
	}
	a.r.Advice = append(a.r.Advice, adv)
	if len(p.Groups) < len(p.Model.Stages) {
		a.r.Advice = append(a.r.Advice, Advice{What: fmt.Sprintf("join stages on one processor: %s", list(p.Groups)),
			Gain: pace - p.Grouped, Share: 1 - p.Grouped/pace,
			Processors: len(p.Groups) - len(p.Model.Stages), When: "at the start",
			Rests: "a processor takes the computation of its stages", Confidence: "the model"})
	}
	for i := range p.Stages {
		if s := &p.Stages[i]; s.Surplus > 0 {
			a.r.warn("%s of stage %d would idle: its manager cannot feed more",
				quantity.CountOf(int64(s.Surplus), "replica"), i+1)
		}
	}
}

// NestedReport is the model of a master whose workers are pipelines.
type NestedReport struct {
	Model    Nested  `json:"-"`
	Workers  int     `json:"workers"`
	Inner    int     `json:"processors_each"`
	Items    int     `json:"items"`
	Measured float64 `json:"measured_ns"` // from the first message of the master to the last answer
	Now      Plan    `json:"now"`
	Fastest  Plan    `json:"fastest"`
	Worth    Plan    `json:"worth"`
	Next     Plan    `json:"next"`
	Gain     float64 `json:"gain_per_processor_ns"` // of the next step
}

// nested analyses a master with pipelines: each worker is the first and last task of its chain.
func (a *study) nested(ctx context.Context) error {
	roles := a.r.Roles
	chain := &role.Roles{Kind: role.PipelineOf, Ptask: roles.Ptask}
	for _, task := range roles.Inner[0] {
		chain.Stages = append(chain.Stages, role.StageRoles{Task: task})
	}
	run, err := readPipeline(ctx, a.t, a.opt.Window, chain)
	if err != nil {
		return err
	}
	inner := Pipeline{Link: a.use}
	for i := range run.Stages {
		inner.Stages = append(inner.Stages,
			Stage{Compute: a.ns(quantile.Median(run.Stages[i].Compute)), Bytes: quantile.Median(run.Stages[i].Bytes)})
	}
	items, volume, given := 0, 0.0, 0.0
	for _, e := range a.r.Recognition.Edges {
		if e.From == roles.Master {
			items += int(e.Messages)
			given += float64(e.Bytes)
		}
		if e.From == roles.Master || e.To == roles.Master {
			volume += float64(e.Bytes)
		}
	}
	n := &NestedReport{Workers: len(roles.Inner), Inner: len(roles.Inner[0]), Items: items,
		Measured: a.ns(served(a.t, a.opt.Window, roles.Master))}
	n.Model = Nested{Outer: Farm{Link: a.use, Volume: volume, Given: given / max(1, volume)}, Inner: inner,
		Items: items}
	n.Now = n.Model.Plan(n.Workers, n.Inner)
	n.Fastest, n.Worth = n.Model.best(max(n.Workers*n.Inner+max(0, a.opt.Free), 1))
	n.Next, n.Gain = n.Model.first(n.Workers, n.Inner)
	a.r.Nested = n
	what := fmt.Sprintf("first add a worker (%s of %d)", quantity.CountOf(int64(n.Next.Workers), "pipeline"),
		n.Next.Inner)
	if n.Next.Inner > n.Inner {
		what = fmt.Sprintf("first improve the pipelines (%s each)", quantity.CountOf(int64(n.Next.Inner), "processor"))
	}
	if a.compare(n.Now.Time, n.Measured) {
		a.r.Advice = append(a.r.Advice, Advice{What: what, Gain: n.Now.Time - n.Next.Time,
			Share: 1 - n.Next.Time/n.Now.Time, Processors: n.Next.Workers*n.Next.Inner - n.Workers*n.Inner,
			When: "at the start of an iteration", Rests: "all messages of the master are one iteration",
			Confidence: "the model; composition is not in the thesis"})
	}
	if a.opt.Simulate {
		a.r.Verdict, err = a.checkNested(ctx, n)
	}
	return err
}

// served returns the time from the first message of a master to the last that it gets.
func served(t *prv.Trace, w role.Window, master int32) float64 {
	c := &t.Comms
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for m := range w.Messages(t) {
		at := c.Times[prv.LogicalSend][m]
		if t.ThreadTask[c.Send[m]] == master {
			first = min(first, at)
		}
		if t.ThreadTask[c.Recv[m]] == master {
			last = max(last, c.Times[prv.PhysicalRecv][m])
		}
	}
	return float64(max(0, last-first))
}
