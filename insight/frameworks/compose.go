package frameworks

// Structures inside structures, and what to enlarge first. The thesis announces composition (V.2) and leaves it open:
// the definitions are ours.

import "math"

// chunk returns the time that a worker, itself a pipeline, takes for a chunk of items.
func (p *Pipeline) chunk(items int) float64 { return p.total(items, Overlap) }

// Plan is a division of processors: workers, each a pipeline on a number of processors.
type Plan struct {
	Workers int     `json:"workers"`
	Inner   int     `json:"processors_each"`
	Time    float64 `json:"time_ns"` // of an iteration
	Index   float64 `json:"index_ns"`
}

// Nested is a master whose workers are pipelines.
type Nested struct {
	Outer Farm
	Inner Pipeline
	Items int // of an iteration, over all workers
}

// Plan returns the iteration with n workers, each on inner processors, with the mean chunk: its stages are joined if
// processors are fewer, replicated if they are more.
func (n *Nested) Plan(workers, inner int) Plan {
	p := n.pipeline(inner)
	chunk := float64(n.Items) / float64(workers)
	each := p.Stages[0].Compute * chunk
	if len(p.Stages) > 1 {
		_, slow := p.Slowest(Overlap)
		each = p.chunk(1) + max(0, chunk-1)*slow
	}
	outer := n.Outer
	outer.Compute, outer.ComputePerWorker = each*float64(workers), 0
	serial := 0.0
	for i := range n.Inner.Stages {
		serial += n.Inner.Stages[i].one()
	}
	t := outer.Time(workers)
	return Plan{Workers: workers, Inner: inner, Time: t,
		Index: float64(workers*inner) * t * t / (serial * float64(n.Items))}
}

// pipeline returns the inner pipeline on n processors.
func (n *Nested) pipeline(processors int) *Pipeline {
	stages := len(n.Inner.Stages)
	if processors >= stages {
		return n.Inner.with(n.Inner.replicate(processors - stages))
	}
	g := n.Inner.fit(processors)
	p := Pipeline{Link: n.Inner.Link, Acknowledgement: n.Inner.Acknowledgement}
	for k, from := range g.First {
		to := stages
		if k+1 < len(g.First) {
			to = g.First[k+1]
		}
		s := Stage{Bytes: n.Inner.Stages[to-1].Bytes}
		for i := from; i < to; i++ {
			s.Compute += n.Inner.Stages[i].one()
		}
		p.Stages = append(p.Stages, s)
	}
	return &p
}

// best returns the plans with the least time and the least index on at most n processors, not counting the master's.
func (n *Nested) best(processors int) (fastest, worth Plan) {
	fastest.Time, worth.Index = math.Inf(1), math.Inf(1)
	for inner := 1; inner <= processors; inner++ {
		for workers := 1; workers*inner <= processors; workers++ {
			p := n.Plan(workers, inner)
			if p.Time < fastest.Time {
				fastest = p
			}
			if p.Index < worth.Index {
				worth = p
			}
		}
	}
	return fastest, worth
}

// first says what to enlarge first: it returns the step, one more worker or one more processor in each pipeline, that
// gains more per added processor.
func (n *Nested) first(workers, inner int) (next Plan, gain float64) {
	now := n.Plan(workers, inner)
	more, deeper := n.Plan(workers+1, inner), n.Plan(workers, inner+1)
	a, b := (now.Time-more.Time)/float64(inner), (now.Time-deeper.Time)/float64(workers)
	if b > a {
		return deeper, b
	}
	return more, a
}
