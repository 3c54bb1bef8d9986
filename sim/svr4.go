package sim

// The time-sharing class of Unix System V Release 4: a table of levels.

import (
	"fmt"
	"math"
)

// Level is a row of the table: the quantum and priority of a thread at that level, and the transitions from it. Levels
// are numbered from 0, the worst.
type Level struct {
	Priority float64 // ts_globpri; greater is better
	Quantum  float64 // ts_quantum, ns
	Expired  int     // ts_tqexp: level when the quantum is used up
	Slept    int     // ts_slpret: level after a wait
	MaxWait  float64 // ts_maxwait: seconds without using up a quantum before it moves to Waited; infinite: for ever
	Waited   int     // ts_lwait: level after MaxWait
}

// SolarisLevels is the table of Solaris and Dimemas: 60 levels, with quanta from 200 ms at the worst to 20 ms at the
// best.
func SolarisLevels() []Level {
	levels := make([]Level, 60)
	for i := range levels {
		slept := 50 + i/10
		if i >= 45 {
			slept = min(i+11, 58)
		} else if i >= 35 {
			slept++
		}
		waited := slept
		if i >= 49 {
			waited = 59
		}
		quantum := [6]float64{200, 160, 120, 80, 40, 40}[i/10]
		levels[i] = Level{Priority: float64(i), Quantum: quantum * 1e6, Expired: max(0, i-10), Slept: slept,
			Waited: waited}
	}
	levels[59] = Level{Priority: 59, Quantum: 20e6, Expired: 49, Slept: 59, MaxWait: 32000, Waited: 59}
	return levels
}

func checkLevels(levels []Level) error {
	in := func(level int) bool { return level >= 0 && level < len(levels) }
	for i, l := range levels {
		switch {
		case !in(l.Expired) || !in(l.Slept) || !in(l.Waited):
			return fmt.Errorf("scheduler: level %d leads to levels that are not from 0 to %d", i, len(levels)-1)
		case !number(l.Quantum) || l.Quantum < 1:
			return fmt.Errorf("scheduler: level %d has a quantum of %g ns", i, l.Quantum)
		case math.IsNaN(l.MaxWait) || l.MaxWait < 0:
			return fmt.Errorf("scheduler: level %d may wait %g seconds", i, l.MaxWait)
		case l.Priority-l.Priority != 0:
			return fmt.Errorf("scheduler: level %d has no priority", i)
		}
	}
	return nil
}

// svr4: threads that use up their quantum sink, those that waited or starve rise.
type svr4 struct {
	ranked
	levels []Level
	factor float64
	level  []int     // by thread
	waits  []float64 // by thread: seconds since it used up a quantum or waited
}

func newSVR4(e *engine, s *Scheduler) cpuPolicy {
	v := &svr4{ranked: newRanked(e, s, 0), levels: s.Levels, factor: s.QuantumFactor / 100,
		level: make([]int, len(e.threads)), waits: make([]float64, len(e.threads))}
	if v.levels == nil {
		v.levels = SolarisLevels()
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
	return v.e.slice(t, work, max(1, v.levels[v.level[i]].Quantum*v.factor))
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
	for i := range v.e.nodes {
		n := &v.e.nodes[i]
		for k := range n.queue.n {
			v.wait(n.queue.at(k))
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
