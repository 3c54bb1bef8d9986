package simulator

import (
	"cmp"
	"fmt"
	"slices"

	"pview/prv"
	"pview/prv/extrae"
	"pview/sim"
	"pview/sim/parameter"
)

// slack is the time by which a prediction on a network without cost may be longer than measured: rounding and the
// tracer add.
const slack = 1.02

// fittedSlack is the same on the network that the messages show, which is fitted to the fastest of them.
const fittedSlack = 1.1

// doubt says why the prediction that is shown may not be believed; "" for no reason.
func (s *Simulation) doubt() string {
	if s.program == nil {
		return ""
	}
	r, _, final := s.figures()
	if r == nil || !final {
		return ""
	}
	return cmp.Or(s.implausible(r), s.Setup().Machine.Narrow(s.program.Program))
}

// implausible says why a prediction on a network that costs nothing, or no more than measured, is longer than what was
// measured, which no real machine does; "" where it is not. Time in which a thread did not exist yet, or was not
// traced, counts as its computation, and the others of its team wait for that.
func (s *Simulation) implausible(r *sim.Result) string {
	now := s.Setup().Scenario
	latency, _ := parameter.ByName("latency").Get(now.Machine)
	bandwidth, _ := parameter.ByName("bandwidth").Get(now.Machine)
	free := latency == 0 && bandwidth == 0
	asMeasured := s.network != nil && latency <= s.network.Latency+1 &&
		(bandwidth == 0 || bandwidth >= s.network.Bandwidth)
	base, most, network := s.baseline(), slack, "costs nothing"
	if !free {
		most, network = fittedSlack, "is no slower than its messages showed"
	}
	if base <= 0 || float64(r.Total) <= most*base || !free && !asMeasured {
		return ""
	}
	var waits int64
	for i := range r.Tasks {
		waits += r.Tasks[i].States[sim.StateReady] + r.Tasks[i].States[sim.StateSemaphore]
	}
	text := fmt.Sprintf("longer than measured, though the network %s: threads wait %s for each other and for CPUs",
		network, duration(waits))
	if s.absent > 0 {
		text += fmt.Sprintf("; %s in which threads did not exist or were not traced count as computation",
			duration(s.absent))
	}
	return text
}

// absentTime returns the time of the threads of a trace in which they did not exist or were not traced, ns.
func absentTime(t *prv.Trace) int64 {
	absent := extrae.StatesOf(t.Labels, extrae.Auto).With(extrae.Absent)
	sum := int64(0)
	for th := range t.Threads {
		st := &t.Threads[th].States
		for i, v := range st.Value {
			if slices.Contains(absent, v) {
				sum += st.Until(i, t.Duration) - st.Begin[i]
			}
		}
	}
	return sum * t.Unit.Nanoseconds()
}
