package replay

// The start and end of threads.

import (
	"pview/insight/eventgraph"
	"pview/prv/extrae"
)

// lastActive returns the end of the last stretch of a thread that is neither idle nor absent, or of its last call.
func lastActive(g *eventgraph.Graph, thread int32) int64 {
	s := &g.T.Threads[thread].States
	end := int64(0)
	for k := s.Len() - 1; k >= 0; k-- {
		if p := g.States.Part(s.Value[k]); p != extrae.PartAbsent && g.States.Meaning(s.Value[k]) != extrae.Idle {
			end = s.End[k]
			break
		}
	}
	if n := g.Waits.Calls(thread); n > 0 {
		end = max(end, g.Waits.Call(thread, n-1).Exit)
	}
	if own := g.OfThread(thread); len(own) > 0 {
		end = max(end, own[len(own)-1].End)
	}
	return min(end, g.T.Duration)
}

// forkBefore returns the last time up to a limit at which a thread opens a parallel region; 0 for none.
func forkBefore(g *eventgraph.Graph, thread int32, limit int64) (at int64) {
	e := &g.T.Threads[thread].Events
	for k, typ := range e.Type {
		g.Look()
		if e.Time[k] > limit {
			break
		}
		if typ == extrae.OpenMPParallel && e.Value.At(k) != 0 {
			at = e.Time[k]
		}
	}
	return at
}
