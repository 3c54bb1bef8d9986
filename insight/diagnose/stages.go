package diagnose

// How many tasks execute and could execute over time, in message-driven runs: what a load balancer has to work with
// (Sinha's thesis, 6.4.11).

import (
	"cmp"
	"slices"
	"sort"
)

// stage is a stretch in which these numbers do not change.
type stage struct {
	from, to  int64
	running   int // dynamically mapped tasks that execute
	fixed     int // other tasks that execute
	available int // dynamically mapped tasks that execute or could
	all       int // tasks that execute or could
}

// balance judges a stretch of time.
type balance struct {
	contribution, distribution, effectiveness float64
	lost                                      float64 // time of processors that were free while there was work for them
	parallelism                               float64 // mean number of tasks
	missing                                   float64 // time of processors for which there was no task
}

// judge sums stages on some processors. Where there is nothing to be divided by, a ratio is 1.
func judge(list []stage, processors int) (b balance) {
	whole := 0.0
	ratio := func(x, y int) float64 {
		if y <= 0 {
			return 1
		}
		return float64(x) / float64(y)
	}
	for _, s := range list {
		t := float64(s.to - s.from)
		whole += t
		free := processors - s.fixed
		b.contribution += t * ratio(s.running, free)
		b.distribution += t * ratio(s.running, s.available)
		b.effectiveness += t * ratio(s.running, min(free, s.available))
		b.lost += t * float64(max(0, min(free, s.available)-s.running))
		b.parallelism += t * float64(s.all)
		b.missing += t * float64(max(0, processors-s.all))
	}
	if whole > 0 {
		b.contribution, b.distribution, b.effectiveness, b.parallelism = b.contribution/whole, b.distribution/whole,
			b.effectiveness/whole, b.parallelism/whole
	}
	return b
}

// isDynamic reports whether a balancer has placed a unit.
func (g *graph) isDynamic(i int32) bool {
	c := g.driven.starts[i].creation
	return c >= 0 && g.driven.created[c].dynamic()
}

// hasDynamic reports whether a balancer places tasks of the message-driven run.
func (g *graph) hasDynamic() bool {
	return slices.ContainsFunc(g.driven.created, func(c creation) bool { return c.dynamic() })
}

// findStages finds those of the run. Threads are explained by them at once.
func (g *graph) findStages() {
	type change struct {
		time int64
		by   stage
	}
	var list []change
	for i := range g.units {
		u := &g.units[i]
		queued, dynamic := g.driven.starts[i].queued, g.isDynamic(int32(i))
		there, runs := stage{all: 1}, stage{fixed: 1}
		if dynamic {
			there.available = 1
			runs = stage{running: 1}
		}
		list = append(list, change{queued, there}, change{u.end, there.times(-1)}, change{u.begin, runs},
			change{u.end, runs.times(-1)})
	}
	slices.SortFunc(list, func(x, y change) int { return cmp.Compare(x.time, y.time) })
	now := stage{}
	for _, c := range list {
		if c.time > now.from {
			now.to = c.time
			g.driven.stages = append(g.driven.stages, now)
			now.from = c.time
		}
		now.running, now.fixed, now.available, now.all = now.running+c.by.running, now.fixed+c.by.fixed,
			now.available+c.by.available, now.all+c.by.all
	}
	if now.from < g.t.Duration {
		now.to = g.t.Duration
		g.driven.stages = append(g.driven.stages, now)
	}
}

func (s stage) times(n int) stage {
	return stage{running: n * s.running, fixed: n * s.fixed, available: n * s.available, all: n * s.all}
}

// stagesIn are the stages of a stretch, clipped.
func (g *graph) stagesIn(from, to int64) (list []stage) {
	all := g.driven.stages
	for _, s := range all[sort.Search(len(all), func(i int) bool { return all[i].to > from }):] {
		if s.from >= to {
			break
		}
		s.from, s.to = max(s.from, from), min(s.to, to)
		list = append(list, s)
	}
	return list
}
