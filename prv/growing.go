package prv

import (
	"slices"

	"pview/prv/model"
)

// Growing builds a trace that is shown while records are added: Trace returns the records so far and may be called
// repeatedly. Records of a thread should come in time order; others are sorted each time. It is for one goroutine. See
// Follower for what the Traces share.
type Growing struct {
	threads []growing
	comms   Comms
	events  uint32 // lines of events
	orders  []commOrders
	last    int64 // maximum end of a state or time of an event
	doubts  followedDoubts

	line int64 // in the file: line of the next record
	end  int64 // of the header
}

// NewGrowing returns a Growing without records.
func NewGrowing(threads int) *Growing {
	return &Growing{threads: make([]growing, threads), orders: make([]commOrders, threads)}
}

// growing has the columns of one thread, in file order.
type growing struct {
	seen                               bool
	cpu                                int32
	states                             States
	events                             Events
	statesDisordered, eventsDisordered bool

	latest   int64 // maximum end of a state so far
	overlaps int64 // states that begin before the previous one ends; valid while the states are in order
}

// commOrders holds the orders of Thread.Comm.
type commOrders [4]struct {
	list   []int32
	shared int // number of entries that a Trace shares
}

// thread returns the columns of a thread; the CPU of its first record applies to all records until another CPU appears.
func (g *Growing) thread(thread, cpu int32) *growing {
	t := &g.threads[thread]
	if !t.seen {
		t.seen, t.cpu = true, cpu
	}
	return t
}

// growCPU appends a CPU to a column that exists only if CPUs differ.
func (g *growing) growCPU(column []int32, n int, cpu int32) []int32 {
	if column == nil {
		if cpu == g.cpu {
			return nil
		}
		column = make([]int32, n, 2*n+16)
		for i := range column {
			column[i] = g.cpu
		}
	}
	return append(column, cpu)
}

// State adds a state record: from begin to end (NoEnd: until the next begins).
func (g *Growing) State(thread, cpu int32, begin, end int64, value uint32) {
	t := g.thread(thread, cpu)
	s := &t.states
	n := s.Len()
	if n > 0 && begin < s.Begin[n-1] {
		t.statesDisordered = true
		g.doubts.at(StateOutOfOrder, g.line)
	}
	if begin < t.latest {
		t.overlaps++
		g.doubts.overlaps(begin, g.line)
	}
	t.latest = max(t.latest, end)
	if end < begin && end != NoEnd {
		g.doubts.at(EndBeforeBegin, g.line)
	}
	g.doubts.after(g.end, max(begin, end), g.line)
	s.CPU = t.growCPU(s.CPU, n, cpu)
	s.Begin, s.End, s.Value = append(s.Begin, begin), append(s.End, end), append(s.Value, value)
	g.last = max(g.last, begin, end)
}

// Event adds one line of events: pairs that share thread, CPU and time.
func (g *Growing) Event(thread, cpu int32, time int64, pairs ...Pair) {
	g.events++
	t := g.thread(thread, cpu)
	e := &t.events
	n := e.Len()
	if n > 0 && time < e.Time[n-1] {
		t.eventsDisordered = true
	}
	for i, p := range pairs {
		e.CPU = t.growCPU(e.CPU, n+i, cpu)
		e.Time, e.Type = append(e.Time, time), append(e.Type, p.Type)
		e.Value.Append(p.Value)
	}
	for len(e.Lines) <= (e.Len()-1)>>6 {
		e.Lines = append(e.Lines, 0)
	}
	e.Lines.Set(n)
	g.doubts.after(g.end, time, g.line)
	g.last = max(g.last, time)
}

// Comm adds a communication.
func (g *Growing) Comm(m model.Comm) {
	g.thread(m.Send, m.SendCPU)
	g.thread(m.Recv, m.RecvCPU)
	c := &g.comms
	i := int32(c.Len())
	c.Send, c.Recv = append(c.Send, m.Send), append(c.Recv, m.Recv)
	c.SendCPU, c.RecvCPU = append(c.SendCPU, m.SendCPU), append(c.RecvCPU, m.RecvCPU)
	c.Size, c.Tag = append(c.Size, m.Size), append(c.Tag, m.Tag)
	c.EventLines = append(c.EventLines, g.events)
	for r := range c.Times {
		c.Times[r] = append(c.Times[r], m.Times[r])
	}
	if m.Times[PhysicalRecv] < m.Times[LogicalSend] {
		g.doubts.at(ReceivedBeforeSent, g.line)
	}
	g.doubts.after(g.end, slices.Max(m.Times[:]), g.line)
	for r := LogicalSend; r <= PhysicalRecv; r++ {
		g.orders[c.Thread(int(i), r)].insert(r, i, c.Times[r])
	}
}

// empty reports whether there is no record.
func (g *Growing) empty() bool {
	return g.last == 0 && g.comms.Len() == 0 && !slices.ContainsFunc(g.threads, func(t growing) bool { return t.seen })
}

// Trace returns the records added so far, with the resources, communicators and times of a header but no labels.
func (g *Growing) Trace(h *Header) *Trace {
	t := &Trace{
		Date: h.Date, Unit: h.Unit, HeaderEnd: h.End, Duration: max(g.last, 1),
		Resources: h.Resources, Communicators: slices.Clip(h.Communicators),
		Threads: make([]Thread, len(g.threads)), Comms: g.comms.First(g.comms.Len()),
		Labels: &Labels{}, Names: &Names{},
	}
	for i := range g.threads {
		t.Threads[i] = g.threads[i].clipped()
		for r := range g.orders[i] {
			o := &g.orders[i][r]
			o.shared = len(o.list)
			t.Threads[i].Comm[r] = slices.Clip(o.list)
		}
	}
	t.Doubts = g.doubts.of(t, g.threads)
	return t
}

// insert inserts communication i, the last in file order, by time.
func (o *commOrders) insert(r Role, i int32, times []int64) {
	list := &o[r]
	at := len(list.list)
	for at > 0 && times[list.list[at-1]] > times[i] {
		at--
	}
	if at < list.shared {
		list.list, list.shared = slices.Clone(list.list), 0
	}
	list.list = slices.Insert(list.list, at, i)
}

// clipped returns the current columns, which later records do not change.
func (g *growing) clipped() Thread {
	th := Thread{CPU: g.cpu, States: g.states, Events: g.events}
	s, e := &th.States, &th.Events
	s.Begin, s.End, s.Value, s.CPU = slices.Clip(s.Begin), slices.Clip(s.End), slices.Clip(s.Value), slices.Clip(s.CPU)
	e.Time, e.Type, e.CPU = slices.Clip(e.Time), slices.Clip(e.Type), slices.Clip(e.CPU)
	e.Value = e.Value.First(e.Len())
	e.Lines = slices.Clone(e.Lines) // its last word will change later
	if g.statesDisordered {
		s.Begin, s.End, s.Value, s.CPU = slices.Clone(s.Begin), slices.Clone(s.End), slices.Clone(s.Value),
			slices.Clone(s.CPU)
		s.FileOrder = make([]int32, s.Len())
		s.Sort()
	}
	if g.eventsDisordered {
		e.Time, e.Type, e.CPU = slices.Clone(e.Time), slices.Clone(e.Type), slices.Clone(e.CPU)
		e.Value.Small = slices.Clone(e.Value.Small)
		e.Sort()
	}
	return th
}
