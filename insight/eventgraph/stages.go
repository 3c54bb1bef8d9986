package eventgraph

// How many tasks execute and could execute over time, in message-driven runs: the material of a load balancer (Sinha's
// thesis, 6.4.11).

import (
	"cmp"
	"slices"
	"sort"
)

// Stage is a stretch in which these numbers do not change.
type Stage struct {
	From, To  int64
	Running   int // dynamically mapped tasks that execute
	Fixed     int // other tasks that execute
	Available int // dynamically mapped tasks that execute or could
	All       int // tasks that execute or could
}

// balance judges a stretch of time.
type balance struct {
	Contribution, Distribution, Effectiveness float64
	Lost                                      float64 // processor time, free while there was work
	Parallelism                               float64 // mean number of tasks
	Missing                                   float64 // processor time without a task
}

// Judge sums stages on some processors. A ratio with a zero denominator is 1.
func Judge(list []Stage, processors int) (b balance) {
	whole := 0.0
	ratio := func(x, y int) float64 {
		if y <= 0 {
			return 1
		}
		return float64(x) / float64(y)
	}
	for _, s := range list {
		t := float64(s.To - s.From)
		whole += t
		free := processors - s.Fixed
		b.Contribution += t * ratio(s.Running, free)
		b.Distribution += t * ratio(s.Running, s.Available)
		b.Effectiveness += t * ratio(s.Running, min(free, s.Available))
		b.Lost += t * float64(max(0, min(free, s.Available)-s.Running))
		b.Parallelism += t * float64(s.All)
		b.Missing += t * float64(max(0, processors-s.All))
	}
	if whole > 0 {
		b.Contribution, b.Distribution, b.Effectiveness, b.Parallelism = b.Contribution/whole, b.Distribution/whole,
			b.Effectiveness/whole, b.Parallelism/whole
	}
	return b
}

// IsDynamic reports whether a balancer has placed a unit.
func (g *Graph) IsDynamic(i int32) bool {
	c := g.Driven.Starts[i].Creation
	return c >= 0 && g.Driven.Created[c].Dynamic()
}

// HasDynamic reports whether a balancer places tasks of the message-driven run.
func (g *Graph) HasDynamic() bool {
	return slices.ContainsFunc(g.Driven.Created, func(c Creation) bool { return c.Dynamic() })
}

// findStages finds the stages of the run, which then explain the threads.
func (g drivenBuilder) findStages() {
	type change struct {
		time int64
		by   Stage
	}
	var list []change
	for i := range g.Units {
		u := &g.Units[i]
		queued, dynamic := g.Driven.Starts[i].Queued, g.IsDynamic(int32(i))
		there, runs := Stage{All: 1}, Stage{Fixed: 1}
		if dynamic {
			there.Available = 1
			runs = Stage{Running: 1}
		}
		list = append(list, change{queued, there}, change{u.End, there.negated()}, change{u.Begin, runs},
			change{u.End, runs.negated()})
	}
	slices.SortFunc(list, func(x, y change) int { return cmp.Compare(x.time, y.time) })
	now := Stage{}
	for _, c := range list {
		if c.time > now.From {
			now.To = c.time
			g.Driven.stages = append(g.Driven.stages, now)
			now.From = c.time
		}
		now.Running, now.Fixed, now.Available, now.All = now.Running+c.by.Running, now.Fixed+c.by.Fixed,
			now.Available+c.by.Available, now.All+c.by.All
	}
	if now.From < g.T.Duration {
		now.To = g.T.Duration
		g.Driven.stages = append(g.Driven.stages, now)
	}
}

func (s Stage) negated() Stage {
	return Stage{Running: -s.Running, Fixed: -s.Fixed, Available: -s.Available, All: -s.All}
}

// StagesIn returns the stages of a stretch, clipped.
func (g *Graph) StagesIn(from, to int64) (list []Stage) {
	all := g.Driven.stages
	for _, s := range all[sort.Search(len(all), func(i int) bool { return all[i].To > from }):] {
		if s.From >= to {
			break
		}
		s.From, s.To = max(s.From, from), min(s.To, to)
		list = append(list, s)
	}
	return list
}
