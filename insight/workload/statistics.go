package workload

// Tasks from files of statistics only: PICL's sums per processor and event.

import (
	"fmt"

	"pview/prv/picl"
)

// TasksOfStatistics makes a set of tasks of a file that has no events. The layout of its records is not described
// anywhere: the value is considered to be the first datum, seconds of a time.
func TasksOfStatistics(e *picl.StatisticsError) *Set {
	s := &Set{Kind: &Kinds[1]}
	type process struct{ processor, process int32 }
	var order []process
	of := map[process][]picl.Sum{}
	for _, sum := range e.Sums {
		p := process{sum.Processor, sum.Process}
		if of[p] == nil {
			order = append(order, p)
		}
		of[p] = append(of[p], sum)
	}
	var list []*usage
	for _, p := range order {
		s.Names = append(s.Names, fmt.Sprintf("P%d", p.processor))
		list = append(list, usageOf(of[p]))
	}
	s.tabulate(list)
	s.Notes = append(s.Notes, "the file has statistics only; their layout is assumed")
	return s
}

// usageOf sums the statistics of a process. Those of a set of events count where there are none of the events
// themselves.
func usageOf(sums []picl.Sum) *usage {
	u := &usage{uses: uses{}}
	single := map[picl.Class]bool{}
	for _, sum := range sums {
		if sum.Event < 0 && sum.Event > picl.AllEvents {
			about, _ := picl.EventOf(int(sum.Event))
			single[about.Class] = true
		}
	}
	all := 0.0
	for _, sum := range sums {
		class, alias := picl.Aliases[sum.Event]
		if !alias && (sum.Event >= 0 || sum.Event < picl.AllEvents) || alias && single[class] {
			continue
		}
		if sum.Event == picl.AllEvents {
			if sum.Record == picl.TimeIn {
				all = sum.Value * 1e9
			}
			continue
		}
		requests := true
		if !alias {
			about, _ := picl.EventOf(int(sum.Event))
			class, requests = about.Class, about.IsRequest()
		}
		u.take(class, requests, sum)
	}
	u.uses[inSystem] = max(u.uses[inSystem], all)
	return u
}

// take adds a statistic.
func (u *usage) take(class picl.Class, requests bool, sum picl.Sum) {
	switch {
	case class == picl.EnvelopeClass:
		if sum.Record == picl.TimeIn {
			u.extime = sum.Value * 1e9
		}
	case sum.Record == picl.TimeIn:
		way := classed[class] | inSystem
		for bit := computing; bit <= inSystem; bit <<= 1 {
			if way&bit != 0 {
				u.uses[bit] += sum.Value * 1e9
			}
		}
	case sum.Record == picl.CountOf && requests:
		if n := map[picl.Class]*float64{picl.Transmit: &u.sends, picl.Receive: &u.receives,
			picl.InputOutput: &u.calls}[class]; n != nil {
			*n += sum.Value
		}
	case sum.Record == picl.BytesSent || sum.Record == picl.BytesReceived || sum.Record == picl.BytesOf:
		if n := map[picl.Class]*float64{picl.Transmit: &u.sent, picl.Receive: &u.received,
			picl.InputOutput: &u.io}[class]; n != nil {
			*n += sum.Value
		}
	}
}
