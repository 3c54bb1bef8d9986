package ring

import (
	"context"
	"math"

	"pview/sim"
)

// Outcome is what became of the rings of a load. Times are nanoseconds; infinite where a ring gets nowhere.
type Outcome struct {
	Turn     []float64 // by ring: mean time of a turn of the token (the thesis' mct)
	Slowdown []float64 // by ring: Turn over the time that it takes alone
}

// Throughput is the turns per second of all rings together.
func (o *Outcome) Throughput() float64 {
	sum := 0.0
	for _, t := range o.Turn {
		sum += 1e9 / t
	}
	return sum
}

// Ratio is the greatest slowdown over the least (the thesis' SR): 1 is fair.
func (o *Outcome) Ratio() float64 {
	least, most := math.Inf(1), 0.0
	for _, s := range o.Slowdown {
		least, most = min(least, s), max(most, s)
	}
	return most / least
}

// patience is how many times slower than the slowest would be alone a ring may be before it counts as getting nowhere.
const patience = 12

// Measure lets the rings turn for ever by the rules of the thesis until each has done so many turns, and measures the last two
// thirds of that, when the begin is forgotten.
func Measure(ctx context.Context, s sim.Scheduler, turns int, rings ...Ring) (*Outcome, error) {
	p, err := Program(rings...)
	if err != nil {
		return nil, err
	}
	rules, err := sim.ModelRules("thesis")
	if err != nil {
		return nil, err
	}
	slowest := 0.0
	for k := range rings {
		slowest = max(slowest, rings[k].Alone())
	}
	r, err := sim.Run(ctx, p, Machine(s, rings...), sim.Options{Rules: rules,
		Repeat: sim.Repeat{What: sim.RepeatThreads, Runs: turns, Until: float64(turns) * slowest * patience}})
	if err != nil {
		return nil, err
	}
	o := &Outcome{}
	for k := range rings {
		t := r.RunTime(k, 2.0/3)
		if t == 0 {
			t = math.Inf(1)
		}
		o.Turn = append(o.Turn, t)
		o.Slowdown = append(o.Slowdown, t/rings[k].Alone())
	}
	return o, nil
}
