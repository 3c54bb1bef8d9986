package profile

// Entry methods of a message-driven run: how often they are executed, and how many messages they send.

import (
	"pview/filter"
	"pview/prv"
	"pview/prv/extrae/execution"
	"pview/prv/wide"
	"pview/semantic"
	"pview/semantic/label"
	"pview/semantic/ready"
)

// counter counts the executions of entry methods on a thread that reach into [begin, end).
type counter struct {
	begin, end int64
	types      execution.Types
	open       int64 // the executing entry; 0: none
	since      int64
	last       int64 // the entry that executed until ended
	ended      int64
	seen       int // units of the thread
	goesOn     bool
	counted    map[int64]bool // by entry: its last execution has been counted
	executions map[int64]int64
	messages   map[int64]int64
}

// count adds the executions, and entry methods that take no time by the clock of the trace.
func (s *Section) count(p *Profile, facts *ready.Facts) {
	c := counter{begin: p.Begin, end: p.End, types: execution.TypesOf(facts.Trace.Labels),
		executions: map[int64]int64{}, messages: map[int64]int64{}}
	for _, th := range p.Threads {
		c.thread(&facts.Trace.Threads[th].Events)
	}
	for i := range s.List {
		e := &s.List[i]
		e.Executions, e.Messages = c.executions[int64(e.Value)], c.messages[int64(e.Value)]
		delete(c.executions, int64(e.Value))
	}
	labels := label.Of(s.Window, facts.Trace)
	for entry, n := range c.executions {
		s.List = append(s.List, Entry{Name: labels.Name(float64(entry)), Value: float64(entry), Thread: -1,
			Executions: n, Messages: c.messages[entry]})
	}
}

// thread counts on one thread, line by line.
func (c *counter) thread(e *prv.Events) {
	c.open, c.last, c.ended, c.seen, c.counted = 0, 0, -1, 0, map[int64]bool{}
	for i := 0; i < e.Len(); {
		end := i + 1
		for end < e.Len() && !e.Lines.Has(end) {
			end++
		}
		if c.line(e, i, end); e.Time[i] >= c.end {
			break
		}
		i = end
	}
	if c.open != 0 {
		c.close(c.end)
	}
}

func (c *counter) line(e *prv.Events, from, to int) {
	next, message := int64(-1), false
	for k := from; k < to; k++ {
		switch e.Type[k] {
		case c.types[execution.Created]:
			if by := c.creator(e.Time[k]); by != 0 && e.Time[k] >= c.begin && e.Time[k] < c.end {
				c.messages[by]++
			}
		case c.types[execution.Entry]:
			next = e.Value.At(k)
		case c.types[execution.Message]:
			message = true
		}
	}
	if next < 0 {
		return
	}
	if c.open != 0 {
		c.close(e.Time[from])
	}
	if c.open = next; next != 0 {
		c.since, c.goesOn = e.Time[from], c.seen > 0 && !message
		c.seen++
	}
}

// creator returns the entry that sends a message: the one that executes or ends at that time.
func (c *counter) creator(at int64) int64 {
	if c.open == 0 && c.ended == at {
		return c.last
	}
	return c.open
}

// close ends the executing entry. One that resumes after another is the same execution.
func (c *counter) close(at int64) {
	inside := c.since < c.end && (at > c.begin || at == c.since && at == c.begin)
	if !c.goesOn {
		c.counted[c.open] = false
	}
	if inside && !c.counted[c.open] {
		c.executions[c.open]++
		c.counted[c.open] = true
	}
	c.open, c.last, c.ended = 0, c.open, at
}

// summed adds the section of entry methods for a summary, which has sums over the whole run.
func (p *Profile) summed(t *prv.Trace) {
	if !execution.IsSummary(t) || p.Begin > 0 || p.End < t.Duration {
		return
	}
	w := semantic.ThreadWindow("Last Evt Val")
	w.Filter = filter.Only(execution.SummedEntry)
	labels := label.Of(&w, t)
	all := map[int64]*Entry{}
	for _, th := range p.Threads {
		e := &t.Threads[th].Events
		var now *Entry
		for i, typ := range e.Type {
			switch v := e.Value.At(i); {
			case typ == execution.SummedEntry:
				if now = all[v]; now == nil {
					now = &Entry{Name: labels.Name(float64(v)), Value: float64(v), Thread: -1, Messages: -1}
					all[v] = now
				}
			case now == nil:
			case typ == execution.SummedTime:
				now.Time = now.Time.Add(wide.Product(v, 1000).Over(t.Unit.Nanoseconds()))
			case typ == execution.SummedCalls:
				now.Executions += v
			}
		}
	}
	s := Section{Title: EntryMethods, Window: &w}
	for _, e := range all {
		e.Share = e.Time.Float() / float64(p.End-p.Begin) / float64(len(p.Threads))
		s.List = append(s.List, *e)
	}
	s.sort()
	p.Sections = append(p.Sections, s)
}
