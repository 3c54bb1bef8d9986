package diagnose

// A message-driven run in stages of one length: the views of Projections (Sinha's thesis, appendix B). Creation, arrival and execution of messages
// are different curves, which calls of send and receive cannot show.

import (
	"errors"
	"fmt"
)

// Timestep is what happens in one stage, [From, To).
type Timestep struct {
	From, To int64
	// By processor: the share of the time in user code, messages created, executions begun.
	Busy              []float64
	Created, Executed []int
	Grain             float64 // mean length of the executions that begin in it; 0: none
	Queued            float64 // messages in queues, on average
}

// MeanBusy is the mean over the processors.
func (s *Timestep) MeanBusy() (mean float64) {
	for _, b := range s.Busy {
		mean += b / float64(len(s.Busy))
	}
	return mean
}

// maxTimesteps bounds the memory of stages.
const maxTimesteps = 1 << 20

// Stages divides a message-driven run.
func (r *Result) Stages(length int64) ([]Timestep, error) {
	a := r.analysis
	switch {
	case a == nil || a.driven == nil:
		return nil, errors.New("not a message-driven run: it has no queues")
	case length <= 0:
		return nil, errors.New("the length of a stage must be > 0")
	case a.t.Duration/length >= maxTimesteps:
		return nil, fmt.Errorf("more than %d stages", maxTimesteps)
	}
	p := a.t.NumThreads()
	list := make([]Timestep, max(1, (a.t.Duration+length-1)/length))
	for k := range list {
		from := int64(k) * length
		list[k] = Timestep{From: from, To: from + length, Busy: make([]float64, p), Created: make([]int, p), Executed: make([]int, p)}
		for th := range p {
			list[k].Busy[th] = a.userIn(int32(th), from, min(from+length, a.t.Duration)) / float64(length)
		}
	}
	at := func(t int64) *Timestep { return &list[min(t/length, int64(len(list)-1))] }
	for i := range a.driven.created {
		c := &a.driven.created[i]
		at(c.time).Created[c.thread]++
	}
	for i := range a.units {
		u := &a.units[i]
		s := at(u.begin)
		s.Executed[u.thread]++
		s.Grain += float64(u.end - u.begin)
		for from := a.driven.starts[i].queued; from < u.begin; { // it is in the queue until it executes
			s := at(from)
			to := min(u.begin, s.To)
			s.Queued += float64(to-from) / float64(length)
			from = to
		}
	}
	for k := range list {
		n := 0
		for _, e := range list[k].Executed {
			n += e
		}
		if n > 0 {
			list[k].Grain /= float64(n)
		}
	}
	return list, nil
}
