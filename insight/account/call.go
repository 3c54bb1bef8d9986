package account

// Time in calls that wait for nobody: what the fitted machine needs for the message or the operation, the time beyond
// that, and the call's own time.

import (
	"pview/insight/eventgraph"
	"pview/prv/extrae"
)

// calls puts a stretch inside of a call.
func (s *sweep) calls(from, to int64, what state) {
	s.regionAt(s.now.Enter)
	k := key{kind: Call, by: byCall, a: s.now.Region, b: s.around}
	if what.meaning == extrae.IO && !what.gap {
		k.kind = IO
		s.put(k, from, to)
		return
	}
	if what.meaning == extrae.Waiting && s.Waits.Regions[s.now.Region].State { // unless a message tells more
		k = key{kind: Wait, by: byState, a: int32(what.value)}
	}
	if k.kind == Call && s.Waits.Untold(s.thread, &s.now) {
		k.kind = Unknown
		s.put(k, from, to)
		return
	}
	own, fast := eventgraph.InCall(s.needs, int32(s.call), s.now.Enter)
	put := func(k key, until int64) {
		until = min(until, to)
		s.put(k, from, until)
		from = max(from, until)
	}
	put(k, own)
	k = key{kind: Transfer, by: byCall, a: s.now.Region, b: s.around}
	put(k, fast)
	k.kind = TransferMore
	put(k, to)
}
