package eventgraph

import (
	"cmp"
	"slices"
)

// Rates are the cycles per time of some stretches, which show a thread's clock: time without cycles makes them lower,
// nothing makes them higher.
type Rates struct {
	list    []rated
	longest float64
}

type rated struct{ rate, time float64 }

// longEnough is the minimum length of a stretch that shows a clock, as a share of the longest.
const longEnough = 0.02

// Add adds a stretch, in any unit of time.
func (r *Rates) Add(cycles, time float64) {
	r.longest = max(r.longest, time)
	if cycles > 0 && time > 0 {
		r.list = append(r.list, rated{cycles / time, time})
	}
}

// Clocks returns for each share the clock that the thread reaches in at least this share of its time; 0 without cycles.
func (r *Rates) Clocks(shares ...float64) []float64 {
	list := slices.DeleteFunc(slices.Clone(r.list), func(x rated) bool { return x.time < longEnough*r.longest })
	slices.SortFunc(list, func(x, y rated) int { return cmp.Compare(y.rate, x.rate) })
	whole := 0.0
	for _, x := range list {
		whole += x.time
	}
	clocks := make([]float64, len(shares))
	for k, share := range shares {
		sum := 0.0
		for _, x := range list {
			if sum += x.time; sum >= share*whole {
				clocks[k] = x.rate
				break
			}
		}
	}
	return clocks
}
