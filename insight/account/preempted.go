package account

// Computation without a core, where counters tell. A counter of the time on a core says it directly. Otherwise cycles
// do: a stretch that has far fewer of them per time than the thread usually has in that region was not all on a core.
// The time without a core is put at the begin of the stretch between two readings.

import (
	"cmp"
	"math"
	"slices"

	"pview/insight/eventgraph"
	"pview/prv/extrae"
)

// Limits of what cycles tell.
const (
	fewestReadings = 5   // of a region on a thread, to know what is usual
	farFewer       = 0.9 // of the usual cycles per time, at most
	unusual        = 8   // median deviations from what is usual
	leastFewer     = 0.5 // of what is usual: always far fewer
)

// reading is a stretch of computation from one reading of a counter to the next.
type reading struct {
	from, to int64
	count    int64
	region   int32
}

// findPreempted finds the stretches without a core.
func (s *sweep) findPreempted() {
	if s.Driven != nil || s.states.Len() == 0 {
		return
	}
	if typ := extrae.TaskClock(s.T.Labels); typ != 0 {
		unit := s.T.Unit.Nanoseconds()
		for _, r := range s.readings(typ) {
			s.isOff(r.from, r.to, (r.to-r.from)-(r.count+unit-1)/unit)
		}
		return
	}
	if typ, ok := extrae.Of(s.T.Labels).Type(extrae.Cycles); ok {
		s.fewCycles(s.readings(typ))
	}
}

func (s *sweep) isOff(from, to, time int64) {
	if time = min(time, to-from); time > 0 {
		s.off = append(s.off, eventgraph.Span{From: from, To: from + time})
	}
}

// readings are the readings of a counter that lie within one state of computation.
func (s *sweep) readings(typ uint32) (list []reading) {
	e, st := &s.T.Threads[s.thread].Events, s.states
	regions := s.Waits.Cursor(s.thread)
	before, i := int64(0), 0
	for k, t := range e.Type {
		if t != typ {
			continue
		}
		from, to := before, e.Time[k]
		before = to
		if from >= to {
			continue
		}
		s.watch.Step()
		for i < st.Len() && st.Until(i, s.T.Duration) < to {
			i++
		}
		if i == st.Len() || st.Begin[i] > from || s.States.Part(st.Value[i]) != extrae.PartUser {
			continue
		}
		region, _ := regions.At(from)
		list = append(list, reading{from, to, max(0, e.Value.At(k)), region})
	}
	return list
}

// fewCycles takes the stretches with far fewer cycles per time than is usual in their region.
func (s *sweep) fewCycles(list []reading) {
	rates := map[int32][]float64{}
	rate := func(r *reading) float64 { return float64(r.count) / float64(r.to-r.from) }
	for i := range list {
		rates[list[i].region] = append(rates[list[i].region], rate(&list[i]))
	}
	usual, limit := map[int32]float64{}, map[int32]float64{}
	for region, own := range rates {
		if len(own) >= fewestReadings {
			slices.Sort(own)
			u := own[len(own)/2]
			for i, x := range own {
				own[i] = math.Abs(x - u)
			}
			slices.Sort(own)
			usual[region], limit[region] = u, max(leastFewer*u, min(farFewer*u, u-unusual*own[len(own)/2]))
		}
	}
	for i := range list {
		r := &list[i]
		if u := usual[r.region]; u > 0 && rate(r) < limit[r.region] {
			s.isOff(r.from, r.to, (r.to-r.from)-int64(float64(r.count)/u))
		}
	}
	slices.SortFunc(s.off, func(x, y eventgraph.Span) int { return cmp.Compare(x.From, y.From) })
}
