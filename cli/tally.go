package cli

import (
	"slices"

	"pview/prv"
)

// summary counts the records of a trace.
type summary struct {
	States, EventLines, Events, Communications, Bytes int64
	ByState                                           []stateCount
	ByType                                            []typeCount
}

type stateCount struct {
	Value        uint32
	Count, Total int64
}

type typeCount struct {
	Type  uint32
	Count int64
}

func summarize(t *prv.Trace) summary {
	var s summary
	states := map[uint32]*stateCount{}
	types := map[uint32]*typeCount{}
	for i := range t.Threads {
		th := &t.Threads[i]
		s.States += int64(th.States.Len())
		s.Events += int64(th.Events.Len())
		s.EventLines += int64(th.Events.Lines.Count())
		for j, v := range th.States.Value {
			c := states[v]
			if c == nil {
				c = &stateCount{Value: v}
				states[v] = c
			}
			c.Count++
			if end := th.States.End[j]; end != prv.NoEnd {
				c.Total += end - th.States.Begin[j]
			}
		}
		for _, v := range th.Events.Type {
			c := types[v]
			if c == nil {
				c = &typeCount{Type: v}
				types[v] = c
			}
			c.Count++
		}
	}
	s.Communications = int64(t.Comms.Len())
	for _, b := range t.Comms.Size {
		s.Bytes += b
	}
	for _, c := range states {
		s.ByState = append(s.ByState, *c)
	}
	for _, c := range types {
		s.ByType = append(s.ByType, *c)
	}
	slices.SortFunc(s.ByState, func(a, b stateCount) int { return int(int64(a.Value) - int64(b.Value)) })
	slices.SortFunc(s.ByType, func(a, b typeCount) int { return int(int64(a.Type) - int64(b.Type)) })
	return s
}
