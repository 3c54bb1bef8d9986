package sim

import (
	"fmt"
	"math"
)

// Level is a row of the table: the quantum and priority of a thread at that level, and the transitions from it. Levels
// are numbered from 0, the worst.
type Level struct {
	Priority float64 // ts_globpri; greater is better
	Quantum  float64 // ts_quantum, ns
	Expired  int     // ts_tqexp: level after the quantum is used up
	Slept    int     // ts_slpret: level after a wait
	MaxWait  float64 // ts_maxwait: seconds without using up a quantum before it moves to Waited; infinite: never
	Waited   int     // ts_lwait: level after MaxWait
}

// SolarisLevels returns the table of Solaris and Dimemas: 60 levels, with quanta from 200 ms at the worst to 20 ms at
// the best.
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
