package breakdown

// A run in stages of one length, as a table: all attributes of a stage side by side.

import (
	"context"
	"math"
	"pview/insight/eventgraph"
)

// Timestep holds the events of one stage, [From, To).
type Timestep struct {
	From, To int64
	// By thread: the share of the time in user code; messages created and arrived, executions begun.
	Busy                       []float64
	Created, Arrived, Executed []int
	Grain                      float64 // mean length of the executions that begin in it; 0: none
	Queued                     float64 // messages waiting, on average
}

// MeanBusy returns the mean over the threads.
func (s *Timestep) MeanBusy() (mean float64) {
	for _, b := range s.Busy {
		mean += b / float64(len(s.Busy))
	}
	return mean
}

// Stages divides the run. The error is ctx's, or says why there are no stages.
func Stages(ctx context.Context, g *eventgraph.Graph, length int64) ([]Timestep, error) {
	grids := map[string]*Grid{}
	for _, attr := range attributes {
		grid, err := NewGrid(ctx, g, attr, length)
		if err != nil {
			return nil, err
		}
		grids[attr.Key] = grid
	}
	busy := grids["busy"]
	list := make([]Timestep, busy.Stages)
	counts := func(key string, stage int) (list []int) {
		for th := range busy.Threads {
			list = append(list, int(grids[key].Of(th, th+1, stage, stage+1)))
		}
		return list
	}
	for k := range list {
		s := &list[k]
		*s = Timestep{From: busy.At(k), To: busy.At(k + 1), Created: counts("created", k),
			Arrived: counts("arrived", k), Executed: counts("executed", k),
			Queued: grids["queued"].Of(0, busy.Threads, k, k+1)}
		for th := range busy.Threads {
			s.Busy = append(s.Busy, busy.Of(th, th+1, k, k+1))
		}
		if grain := grids["grain"].Of(0, busy.Threads, k, k+1); !math.IsNaN(grain) {
			s.Grain = grain
		}
	}
	return list, nil
}
