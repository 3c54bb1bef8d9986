package frameworks

// The iterations of a master, to be dispatched in other ways when steering a running program.

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Round is an iteration of a master. Times are in ns.
type Round struct {
	Tasks   []float64 // in the order in which they were handed out
	Chunks  []int     // of tasks, as they were
	Time    float64   // measured, with the preparation
	service Service
}

// Rounds returns the iterations of a master. Chunks without events for their tasks have perChunk equal ones.
func (r *Report) Rounds(perChunk int) (list []Round) {
	if r.Farm == nil {
		return nil
	}
	a, f := r.study, r.Farm
	master := newClock(a.t, a.opt.Window, nil)
	for i := range f.run.Iterations {
		it := &f.run.Iterations[i]
		round := Round{Time: a.ns(it.Time()), service: Service{Link: f.Model.Link}}
		s := &round.service
		for _, k := range it.Chunks {
			n := len(k.Tasks)
			if n == 0 {
				n = max(perChunk, 1)
				k.Tasks = slices.Repeat([]float64{k.Compute / float64(n)}, n)
			}
			for _, x := range k.Tasks {
				round.Tasks = append(round.Tasks, a.ns(x))
			}
			round.Chunks = append(round.Chunks, n)
			s.Given += k.Given / float64(len(it.Chunks))
			s.Returned += k.Returned / float64(len(it.Chunks))
		}
		s.Fixed = true
		s.Master = a.ns(it.Prepare)
		if n := len(it.Chunks); n > 1 { // what precedes the first send is preparation
			s.Serving = a.ns(master.useful(r.Roles.Master, it.From, it.To)) / float64(n-1)
			s.Master = max(0, s.Master-s.Serving)
		}
		list = append(list, round)
	}
	return list
}

// Work returns the computation of the tasks.
func (r *Round) Work() float64 { return floats.Sum(r.Tasks) }

// Dispatch returns the time of the iteration with other chunks and workers; NaN if they do not fit the tasks.
func (r *Round) Dispatch(chunks []int, workers int) float64 {
	d, err := dispatch(r.Tasks, chunks, workers, r.service)
	if err != nil {
		return math.NaN()
	}
	return d.Time
}
