package engine

// The time-sharing class of Unix System V Release 4: a table of levels.

import "pview/sim"

// svr4: threads that use up their quantum sink, those that waited or starve rise.
type svr4 struct {
	ranked
	levels []sim.Level
	factor float64
	level  []int     // by thread
	waits  []float64 // by thread: seconds since it used up a quantum or waited
}

func newSVR4(e *engine, s *sim.Scheduler) cpuPolicy {
	v := &svr4{ranked: newRanked(e, s, 0), levels: s.Levels, factor: s.QuantumFactor / 100,
		level: make([]int, len(e.threads)), waits: make([]float64, len(e.threads))}
	if v.levels == nil {
		v.levels = sim.SolarisLevels()
	}
	if v.factor == 0 {
		v.factor = 1
	}
	start := min(max(int(s.StartLevel), 0), len(v.levels)-1)
	for i := range v.level {
		v.move(int32(i), start)
	}
	return v
}

// move puts a thread on a level.
func (v *svr4) move(thread int32, level int) {
	v.level[thread], v.waits[thread] = level, 0
	v.set(thread, -v.levels[level].Priority)
}

func (v *svr4) slice(i int32, t *thread, work float64) float64 {
	return v.e.cpus.slice(t, work, max(1, v.levels[v.level[i]].Quantum*v.factor))
}

func (v *svr4) happened(thread int32, what occasion, _ uint64) {
	switch what {
	case quantumOver:
		v.move(thread, v.levels[v.level[thread]].Expired)
	case woken:
		v.move(thread, v.levels[v.level[thread]].Slept)
	}
}

func (v *svr4) period() float64 { return 1e9 }

func (v *svr4) tick() {
	for i := range v.e.cpus.nodes {
		n := &v.e.cpus.nodes[i]
		for k := range n.queue.N {
			v.wait(n.queue.At(k))
		}
		for _, on := range n.on {
			if on != 0 {
				v.wait(on - 1)
			}
		}
	}
}

func (v *svr4) wait(thread int32) {
	l := &v.levels[v.level[thread]]
	if v.waits[thread]++; v.waits[thread] > l.MaxWait {
		v.move(thread, l.Waited)
	}
}
