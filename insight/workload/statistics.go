package workload

// Tasks from files with statistics only: PICL's sums per processor and event.

import (
	"fmt"

	"pview/prv/extrae/system"
)

// TasksOfStatistics makes a set of tasks from a file without events. The layout of its records is not documented: the
// first datum is assumed to be the value, in seconds for a time.
func TasksOfStatistics(e *system.StatisticsError) *Set {
	s := &Set{Kind: &Kinds[1]}
	type process struct{ processor, process int32 }
	var order []process
	of := map[process][]system.Sum{}
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

// usageOf sums the statistics of a process. Statistics of a set of events count if there are none for the single
// events.
func usageOf(sums []system.Sum) *usage {
	u := &usage{uses: uses{}}
	single := map[system.Class]bool{}
	for _, sum := range sums {
		if sum.Event < 0 && sum.Event > system.All {
			single[system.ClassOf(int(sum.Event))] = true
		}
	}
	all := 0.0
	for _, sum := range sums {
		class, alias := system.Sets[sum.Event]
		if !alias && (sum.Event >= 0 || sum.Event < system.All) || alias && single[class] {
			continue
		}
		if sum.Event == system.All {
			if sum.Record == system.TimeIn {
				all = sum.Value * 1e9
			}
			continue
		}
		requests := true
		if !alias {
			class, requests = system.ClassOf(int(sum.Event)), system.IsRequest(int(sum.Event))
		}
		u.take(class, requests, sum)
	}
	u.uses[inSystem] = max(u.uses[inSystem], all)
	return u
}

// take adds a statistic.
func (u *usage) take(class system.Class, requests bool, sum system.Sum) {
	switch {
	case class == system.Envelope:
		if sum.Record == system.TimeIn {
			u.extime = sum.Value * 1e9
		}
	case sum.Record == system.TimeIn:
		way := classed[class] | inSystem
		for bit := computing; bit <= inSystem; bit <<= 1 {
			if way&bit != 0 {
				u.uses[bit] += sum.Value * 1e9
			}
		}
	case sum.Record == system.CountOf && requests:
		if n := map[system.Class]*float64{system.Transmit: &u.sends, system.Receive: &u.receives,
			system.InputOutput: &u.calls}[class]; n != nil {
			*n += sum.Value
		}
	case sum.Record == system.BytesSent || sum.Record == system.BytesReceived || sum.Record == system.BytesOf:
		if n := map[system.Class]*float64{system.Transmit: &u.sent, system.Receive: &u.received,
			system.InputOutput: &u.io}[class]; n != nil {
			*n += sum.Value
		}
	}
}
