package tools

import "pview/prv"

// callTimes decides for each event of a call whether the call lasts long enough. That is known only at the call's end,
// long after its opening event: so a first pass over the text stores a bit per event in file order, and a second pass
// reads the bits in the same order.
type callTimes struct {
	rules []TypeRule
	keep  prv.Bits
	n     int                     // events noted or queried
	open  []map[uint32][]openCall // by thread and type, the innermost last
	last  int64                   // maximum time of an event
}

// openCall is a call that has not ended.
type openCall struct {
	event int // number of the event that opened it
	at    int64
	least int64 // minimum duration
}

// least returns the minimum duration of calls of a type; 0: any. The values of a rule do not matter here: calls with
// other values nest with those that the rule picks.
func (c *callTimes) least(typ uint32) int64 {
	for i := range c.rules {
		if r := &c.rules[i]; r.First <= typ && typ <= r.Last && r.MinCallTime > 0 {
			return r.MinCallTime
		}
	}
	return 0
}

// chunk returns the stage of the first pass.
func (c *callTimes) chunk(lines *prv.Lines, out []byte) (_ []byte, records int64, err error) {
	for lines.Next() {
		if lines.Kind != prv.EventLine {
			continue
		}
		for _, p := range lines.Pairs {
			if least := c.least(p.Type); least > 0 {
				c.note(lines.Thread, lines.Times[0], p.Pair, least)
			}
		}
		c.last = max(c.last, lines.Times[0])
	}
	return out, 0, nil
}

// note adds an event of a call.
func (c *callTimes) note(thread int32, at int64, p prv.Pair, least int64) {
	event := c.n
	c.n++
	if event>>6 >= len(c.keep) {
		c.keep = append(c.keep, 0)
	}
	if c.open[thread] == nil {
		c.open[thread] = make(map[uint32][]openCall)
	}
	calls := c.open[thread][p.Type]
	switch {
	case p.Value != 0:
		c.open[thread][p.Type] = append(calls, openCall{event, at, least})
	case len(calls) == 0:
		c.keep.Set(event) // from a call that began before the trace
	default:
		call := calls[len(calls)-1]
		c.open[thread][p.Type] = calls[:len(calls)-1]
		if at-call.at >= call.least {
			c.keep.Set(call.event)
			c.keep.Set(event)
		}
	}
}

// finish decides on the calls that are open at the end, and starts the second pass.
func (c *callTimes) finish() {
	for _, types := range c.open {
		for _, calls := range types {
			for _, call := range calls {
				if c.last-call.at >= call.least {
					c.keep.Set(call.event)
				}
			}
		}
	}
	c.open, c.n = nil, 0
}

// keeps reports whether the next event, of the given type, is kept.
func (c *callTimes) keeps(typ uint32) bool {
	if c.least(typ) == 0 {
		return true
	}
	c.n++
	return c.n <= 64*len(c.keep) && c.keep.Has(c.n-1)
}
