package frameworks

// The pace of a pipeline, and which stages to replicate or to join (thesis IV).

import (
	"math"
	"slices"

	"pview/insight/frameworks/role"
)

// Stage is a stage of a pipeline.
type Stage struct {
	Compute float64 // per item (tc)
	Bytes   float64 // sent per item (v)
	// Replicas are the computing times per item of the stage's replicas, fed by a communication manager; empty: a
	// single process.
	Replicas []float64
}

// Pipeline is a chain of stages.
type Pipeline struct {
	Link
	Stages []Stage
	// Acknowledgement is the bytes of a replica's message to its manager.
	Acknowledgement float64
}

// Pace is a rule for the pace of a replicated stage.
type Pace uint8

// The paces.
const (
	// manager and replicas work at the same time: the slower one counts. The published experiments show it.
	Overlap  Pace = iota
	Additive      // (2p) as printed: conservative
)

// sending returns the stage's cost of sending an item on: C of (1p).
func (p *Pipeline) sending(i int) float64 {
	if i == len(p.Stages)-1 {
		return 0
	}
	return p.held(p.Stages[i].Bytes)
}

// replica returns the production time of a replica with a computing time: (1p) and the acknowledgement.
func (p *Pipeline) replica(i int, compute float64) float64 {
	return compute + p.sending(i) + p.held(p.Acknowledgement)
}

// in returns the bytes of an item that enters a stage.
func (p *Pipeline) in(i int) float64 {
	if i == 0 {
		return p.Stages[i].Bytes
	}
	return p.Stages[i-1].Bytes
}

// managing returns the time tg of a communication manager for an item.
func (p *Pipeline) managing(i int) float64 {
	if p.Protocol == role.Sync {
		return 2 * p.cost(p.in(i)) // receives, then forwards
	}
	return p.M0
}

// own returns the independent production time Tr of a stage: (1p), or that of a replicated stage.
func (p *Pipeline) own(i int, pace Pace) float64 {
	s := &p.Stages[i]
	if len(s.Replicas) == 0 {
		return s.Compute + p.sending(i)
	}
	times := make([]float64, len(s.Replicas))
	for k, c := range s.Replicas {
		times[k] = p.replica(i, c)
	}
	return p.replicated(i, times, pace)
}

// setTime returns U, the time of a set of replicas for an item: 1/sum(1/Tr).
func setTime(times []float64) float64 {
	rate := 0.0
	for _, t := range times {
		rate += 1 / t
	}
	return 1 / rate
}

// replicated returns the production time of a stage whose replicas have the given production times: (2p).
func (p *Pipeline) replicated(i int, times []float64, pace Pace) float64 {
	u, tg := setTime(times), p.managing(i)
	if pace == Overlap {
		return max(tg, u)
	}
	switch {
	case u <= tg:
		return tg
	case p.Protocol == role.Async:
		return tg + u + p.PerByte*p.in(i)
	}
	return tg + u
}

// timeSlice is the time slice on shared processors, in ns.
const timeSlice = 10e6

// shared returns the production time (3p) of a stage whose manager shares its processor with the first of m equal
// replicas, under time slices of quantum. The thesis models this but does not validate it.
func (p *Pipeline) shared(i, m int, quantum float64) float64 {
	c := p.Stages[i].Compute
	times := slices.Repeat([]float64{p.replica(i, c)}, m)
	times[0] += max(0, c-quantum)
	return quantum + p.replicated(i, times, Overlap)
}

// paces returns the dependent production times rTr: those that each stage shows because of its neighbours. With
// asynchronous sends and room in the buffers a stage is as slow as the slowest stage up to it; with synchronous sends,
// or full buffers, as the slowest of all.
func (p *Pipeline) paces(full bool) []float64 {
	list := make([]float64, len(p.Stages))
	most := 0.0
	for i := range list {
		most = max(most, p.own(i, Overlap))
		list[i] = most
	}
	if full || p.Protocol == role.Sync {
		for i := range list {
			list[i] = most
		}
	}
	return list
}

// Slowest returns the stage with the greatest production time, and that time: the inverse of the throughput.
func (p *Pipeline) Slowest(pace Pace) (stage int, time float64) {
	for i := range p.Stages {
		if t := p.own(i, pace); t > time {
			stage, time = i, t
		}
	}
	return stage, time
}

// total returns the time of n items, including filling.
func (p *Pipeline) total(items int, pace Pace) float64 {
	if items < 1 || len(p.Stages) == 0 {
		return 0
	}
	sum := 0.0
	for i := range p.Stages {
		sum += p.own(i, pace)
		if p.Protocol == role.Async && i < len(p.Stages)-1 {
			sum += p.PerByte * p.Stages[i].Bytes
		}
	}
	_, slow := p.Slowest(pace)
	return sum + float64(items-1)*slow
}

// Pattern is a proposal of replicas.
type Pattern struct {
	Replicas []int // by stage; 0: it stays a single process
	// Raw is the number of replicas by (4p) or (5p) before rounding; 0 if there are none, +Inf if the pace is out of
	// reach.
	Raw     []float64
	Used    int     // processors beyond one per stage
	Slowest float64 // the greatest production time with it
}

// tolerance is the relative difference up to which production times match.
const tolerance = 0.05

// replicate proposes replicas for at most free processors beyond one per stage (thesis IV.3): the fastest stage whose
// pace the slower ones can match. The process of a replicated stage becomes the manager, so r replicas take r
// processors. Stages keep at least the replicas that they have.
func (p *Pipeline) replicate(free int) Pattern {
	order := make([]int, len(p.Stages))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := p.own(a, Overlap), p.own(b, Overlap); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	for _, k := range order {
		if found, ok := p.match(k, free); ok {
			return found
		}
	}
	_, slow := p.Slowest(Overlap)
	return Pattern{Replicas: make([]int, len(p.Stages)), Raw: make([]float64, len(p.Stages)), Slowest: slow}
}

// match finds the replicas with which all slower stages reach the pace of stage k.
func (p *Pipeline) match(k, free int) (Pattern, bool) {
	limit := p.own(k, Overlap) * (1 + tolerance)
	found := Pattern{Replicas: make([]int, len(p.Stages)), Raw: make([]float64, len(p.Stages))}
	target := 0.0 // the pace of the stages as they are
	for i := range p.Stages {
		if t := p.own(i, Overlap); t <= limit {
			target = max(target, t)
		}
	}
	for i := range p.Stages {
		t := p.own(i, Overlap)
		have := len(p.Stages[i].Replicas)
		found.Replicas[i] = have
		if t <= limit {
			found.Slowest = max(found.Slowest, t)
			continue
		}
		if p.managing(i) > limit {
			return found, false
		}
		tr := p.replica(i, p.Stages[i].one())
		cost := p.M0 + p.PerByte*p.in(i)
		if p.Protocol == role.Sync {
			cost *= 2
		}
		found.Raw[i] = math.Inf(1)
		if target > cost {
			found.Raw[i] = tr / (target - cost)
		}
		r := max(2, have, -floorTo(-tr/limit))
		reached := max(p.managing(i), tr/float64(r))
		if reached > limit*(1+1e-12) {
			return found, false
		}
		found.Replicas[i] = r
		found.Used += r - have
		found.Slowest = max(found.Slowest, reached)
		if found.Used > free {
			return found, false
		}
	}
	return found, true
}

// one returns the computing time of a stage in a single process.
func (s *Stage) one() float64 {
	if len(s.Replicas) > 0 {
		return mean(s.Replicas)
	}
	return s.Compute
}

// with returns the pipeline with the replicas of a pattern.
func (p *Pipeline) with(pattern Pattern) *Pipeline {
	q := *p
	q.Stages = slices.Clone(p.Stages)
	for i, r := range pattern.Replicas {
		if s := &q.Stages[i]; r > len(s.Replicas) {
			s.Replicas = slices.Repeat([]float64{s.one()}, r)
		}
	}
	return &q
}

// surplus returns how many of a stage's replicas are too many for its manager: serving an item to each replica takes it
// longer than a replica computes.
func (p *Pipeline) surplus(i int) int {
	m := len(p.Stages[i].Replicas)
	if m == 0 || p.managing(i) <= 0 {
		return 0
	}
	fed := floorTo(p.replica(i, p.Stages[i].one()) / p.managing(i))
	return max(0, m-max(fed, 1))
}

// Group is a proposal of neighbouring stages that share a processor: from each first up to the next first.
type Group struct {
	First   []int // stage at which each group begins
	Slowest float64
}

// group returns the production time of stages from..to-1 on one processor: their computation, and what the last of them
// sends.
func (p *Pipeline) group(from, to int) float64 {
	sum := p.sending(to - 1)
	for i := from; i < to; i++ {
		sum += p.Stages[i].one()
	}
	return sum
}

// join merges neighbouring stages without loss of throughput.
func (p *Pipeline) join(tolerance float64) Group {
	_, slow := p.Slowest(Overlap)
	limit := slow * (1 + tolerance)
	g := Group{}
	for i := range p.Stages {
		last := len(g.First) - 1
		if last >= 0 && len(p.Stages[i].Replicas) == 0 && len(p.Stages[i-1].Replicas) == 0 &&
			p.group(g.First[last], i+1) <= limit {
			continue
		}
		g.First = append(g.First, i)
	}
	g.Slowest = p.slowestOf(g.First)
	return g
}

func (p *Pipeline) slowestOf(first []int) (slow float64) {
	for k, from := range first {
		to := len(p.Stages)
		if k+1 < len(first) {
			to = first[k+1]
		}
		t := p.group(from, to)
		if to == from+1 {
			t = p.own(from, Overlap)
		}
		slow = max(slow, t)
	}
	return slow
}

// fit joins the stages into at most n groups with the smallest possible slowest group: a dynamic program over the
// stages.
func (p *Pipeline) fit(processors int) Group {
	n := len(p.Stages)
	processors = min(max(processors, 1), n)
	best := make([][]float64, processors+1) // [groups][stages]
	cut := make([][]int, processors+1)
	for g := range best {
		best[g], cut[g] = make([]float64, n+1), make([]int, n+1)
		for i := range best[g] {
			best[g][i] = math.Inf(1)
		}
	}
	best[0][0] = 0
	for g := 1; g <= processors; g++ {
		for to := 1; to <= n; to++ {
			for from := range to {
				if t := max(best[g-1][from], p.group(from, to)); t < best[g][to] {
					best[g][to], cut[g][to] = t, from
				}
			}
		}
	}
	groups := 1
	for g := 2; g <= processors; g++ {
		if best[g][n] < best[groups][n] {
			groups = g
		}
	}
	found := Group{Slowest: best[groups][n]}
	for g, to := groups, n; g > 0; g-- {
		to = cut[g][to]
		found.First = append(found.First, to)
	}
	slices.Reverse(found.First)
	return found
}
