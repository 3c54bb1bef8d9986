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

// slack is the factor by which a prediction on a network without cost may exceed the measured time: rounding and the
// tracer add time.
const slack = 1.02

// fittedSlack is the same for the network fitted to the fastest messages.
const fittedSlack = 1.1

// doubt explains why the shown prediction may be wrong; "" for no reason.
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

// implausible explains why a prediction on a network that costs nothing, or no more than measured, is longer than the
// measured run, which is impossible on a real machine; "" if it is not longer. Time in which a thread did not exist
// yet, or was not traced, counts as its computation, and the rest of its team waits for it.
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

// absentTime returns the time in which threads of a trace did not exist or were not traced, ns.
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
