package semantic

import (
	"pview/prv"
	"pview/semantic/expr"
)

// The user function of threads. Its bursts begin at the records that the expression uses: at states if it uses a
// variable of states, likewise at events and communications. With several kinds, a variable keeps its value from the
// last record of its kind: "state == 1 && value > 0" holds while a thread runs and its last event was not 0. An
// expression that uses no record has a burst at every record of a state or an event, like the functions of objects.

// threadVariables holds the variables of an expression over the records of a thread.
type threadVariables struct {
	State         float64 `expr:"state" doc:"number of the state; 0 in gaps and before the first"`
	StateBegin    float64 `expr:"state_begin" doc:"begin of the state or gap"`
	StateEnd      float64 `expr:"state_end" doc:"end of the state or gap"`
	StateDuration float64 `expr:"state_duration" doc:"length of the whole state or gap"`

	Type      float64 `expr:"type" doc:"type of the last event; 0 before the first"`
	Value     float64 `expr:"value" doc:"value of the last event; 0 before the first"`
	Time      float64 `expr:"time" doc:"time of the last event; 0 before the first"`
	NextType  float64 `expr:"next_type" doc:"type of the next event; 0 after the last"`
	NextValue float64 `expr:"next_value" doc:"value of the next event; 0 after the last"`
	NextTime  float64 `expr:"next_time" doc:"time of the next event; after the last the end of the trace"`
	PrevType  float64 `expr:"prev_type" doc:"type of the second to last event; 0 if there is none"`
	PrevValue float64 `expr:"prev_value" doc:"value of the second to last event; 0 if there is none"`
	PrevTime  float64 `expr:"prev_time" doc:"time of the second to last event; 0 if there is none"`
	Interval  float64 `expr:"interval" doc:"time from the last event, or the begin of the trace, to the next; 0 after the last"`

	Size         float64 `expr:"size" doc:"bytes of the last message sent or received; 0 before the first"`
	Tag          float64 `expr:"tag" doc:"its tag"`
	Partner      float64 `expr:"partner" doc:"number of the object at its other end"`
	Send         bool    `expr:"send" doc:"it was sent"`
	Recv         bool    `expr:"recv" doc:"it was received"`
	Logical      bool    `expr:"logical" doc:"the record is the program's send or receive, not the network's"`
	LogicalSend  float64 `expr:"lsend" doc:"time of its logical send"`
	PhysicalSend float64 `expr:"psend" doc:"time of its physical send"`
	LogicalRecv  float64 `expr:"lrecv" doc:"time of its logical receive"`
	PhysicalRecv float64 `expr:"precv" doc:"time of its physical receive"`

	Begin    float64 `expr:"begin" doc:"begin of the burst"`
	End      float64 `expr:"end" doc:"end of the burst"`
	Duration float64 `expr:"duration" doc:"length of the burst"`
	Record   float64 `expr:"record" doc:"number of records so far that start a burst; 0 before the first"`
	Result   float64 `expr:"result" doc:"result of the function for the previous record; 0 at first"`

	Thread float64 `expr:"thread" doc:"number of the thread, over all applications"`
	Task   float64 `expr:"task" doc:"number of the task, over all applications"`
	Ptask  float64 `expr:"ptask" doc:"number of the application"`
	CPU    float64 `expr:"cpu" doc:"number of the record's CPU; 0 where it is unknown and before the first record"`
	Node   float64 `expr:"node" doc:"number of the node of that CPU; 0 where it is unknown"`
}

var (
	namesOfStates     = []string{"state", "state_begin", "state_end", "state_duration"}
	namesOfEvents     = []string{"type", "value", "next_type", "next_value", "prev_type", "prev_value"}
	namesOfEventTimes = []string{"time", "next_time", "prev_time", "interval"}
	namesOfComms      = []string{"size", "tag", "partner", "send", "recv", "logical", "lsend", "psend", "lrecv",
		"precv"}
	namesOfBurstTimes  = []string{"begin", "end", "duration"}
	namesOfRecordPlace = []string{"cpu", "node"}
)

var userThread = Entry{Name: UserFunction, Group: "User", Doc: "value of an expression over the records",
	userEntry: userEntry{Expression: "value", example: threadVariables{}, Variables: expr.Variables(threadVariables{}),
		bind: func(e *Entry, p *expr.Program) {
			u := newThreadProgram(p)
			e.History = p.Uses("result") || p.Uses("record")
			e.thread = threadFunc{u.listen(), u.values}
		}}}

// threadProgram is an expression and the groups of variables that it uses.
type threadProgram struct {
	*expr.Program
	states, events, eventTimes, comms, burstTimes, place bool
}

func newThreadProgram(p *expr.Program) *threadProgram {
	uses := func(names []string) bool {
		for _, n := range names {
			if p.Uses(n) {
				return true
			}
		}
		return false
	}
	u := &threadProgram{Program: p, states: uses(namesOfStates), eventTimes: uses(namesOfEventTimes),
		comms:      uses(namesOfComms),
		burstTimes: uses(namesOfBurstTimes), place: uses(namesOfRecordPlace)}
	u.events = u.eventTimes || uses(namesOfEvents)
	return u
}

func (u *threadProgram) listen() (l listening) {
	if u.states {
		l |= toStates
	}
	if u.events {
		l |= toEvents
	}
	if u.comms {
		l |= toOwn
	}
	if l == 0 {
		l = toObjects
	}
	return l
}

// values has the form of threadFunc.value.
func (u *threadProgram) values(x *threadRow, m *marks, _ params, v []float64) {
	w := u.walk(x, m)
	f := u.Bind(&w.v)
	for k := range v {
		w.to(k)
		v[k] = computed(f)
		w.v.Result = v[k]
	}
}

// userWalk goes through the marks of a thread and keeps the variables.
type userWalk struct {
	*threadProgram
	x  *threadRow
	m  *marks
	th *prv.Thread
	v  threadVariables

	end   int64     // of the trace
	rows  []int32   // rows of the events among the marks
	value []float64 // of these events
	next  int       // index of the next of these events
}

func (u *threadProgram) walk(x *threadRow, m *marks) *userWalk {
	w := &userWalk{threadProgram: u, x: x, m: m, th: x.records(), end: x.trace.Duration}
	w.v.Thread, w.v.Task, w.v.Ptask = threadID(x), taskID(x), applicationID(x)
	if u.events {
		w.rows = eventsAmong(m)
		w.value = make([]float64, len(w.rows))
		x.pass.Events.Values(w.value, &w.th.Events, w.rows)
	}
	return w
}

// eventsAmong returns the rows of the events among marks.
func eventsAmong(m *marks) []int32 {
	if m.kind == nil {
		return m.rec[1:]
	}
	var rows []int32
	for k, kind := range m.kind {
		if k > 0 && kind == event {
			rows = append(rows, m.rec[k])
		}
	}
	return rows
}

// to sets the variables to their values from mark k on.
func (w *userWalk) to(k int) {
	w.v.Record = float64(k)
	kind := event
	if w.m.kind != nil {
		kind = w.m.kind[k]
	}
	switch {
	case k == 0:
		if w.states {
			w.gap(0)
		}
		if w.events {
			w.lookAhead()
		}
	case kind == event:
		if w.events {
			w.event()
		}
	case kind > event:
		w.message(int(w.m.rec[k]), kind.role())
	case w.states && kind == stateBegin:
		w.state(int(w.m.rec[k]))
	case w.states:
		w.gap(k)
	}
	if w.burstTimes {
		begin, end := w.within(w.m.time[k]), w.end
		if k+1 < len(w.m.time) {
			end = w.within(w.m.time[k+1])
		}
		w.v.Begin, w.v.End, w.v.Duration = w.at(begin), w.at(end), w.at(end-begin)
	}
	if w.place && k > 0 {
		cpu := w.x.cpu(w.th, w.m, k)
		w.v.CPU, w.v.Node = float64(cpu), nodeID(w.x, cpu)
	}
}

func (w *userWalk) at(t int64) float64 { return w.x.clock.at(t) }

// within limits a time to the trace.
func (w *userWalk) within(t int64) int64 { return max(0, min(t, w.end)) }

func (w *userWalk) state(i int) {
	s := &w.th.States
	end := s.End[i]
	if !s.HasEnd(i) {
		end = w.end
	}
	w.v.State = float64(s.Value[i])
	w.v.StateBegin, w.v.StateEnd, w.v.StateDuration = w.at(s.Begin[i]), w.at(end), w.at(end-s.Begin[i])
}

// gap returns the time from mark k to the start of the next state.
func (w *userWalk) gap(k int) {
	begin, end := w.m.time[k], w.end
	for j := k + 1; j < len(w.m.kind); j++ {
		if w.m.kind[j] == stateBegin {
			end = w.m.time[j]
			break
		}
	}
	w.v.State = 0
	w.v.StateBegin, w.v.StateEnd, w.v.StateDuration = w.at(begin), w.at(end), w.at(end-begin)
}

func (w *userWalk) event() {
	i := w.next
	w.next++
	w.v.PrevType, w.v.PrevValue, w.v.PrevTime = w.v.Type, w.v.Value, w.v.Time
	w.v.Type, w.v.Value = float64(w.th.Events.Type[w.rows[i]]), w.value[i]
	if w.eventTimes {
		w.v.Time = w.at(w.th.Events.Time[w.rows[i]])
	}
	w.lookAhead()
}

// lookAhead sets the fields of the next event.
func (w *userWalk) lookAhead() {
	e, i := &w.th.Events, w.next
	if i == len(w.rows) {
		w.v.NextType, w.v.NextValue, w.v.NextTime, w.v.Interval = 0, 0, w.at(w.end), 0
		return
	}
	w.v.NextType, w.v.NextValue = float64(e.Type[w.rows[i]]), w.value[i]
	if w.eventTimes {
		t, last := e.Time[w.rows[i]], int64(0)
		if i > 0 {
			last = e.Time[w.rows[i-1]]
		}
		w.v.NextTime, w.v.Interval = w.at(t), w.at(t-last)
	}
}

func (w *userWalk) message(i int, r prv.Role) {
	c := &w.x.trace.Comms
	w.v.Size, w.v.Tag = float64(c.Size[i]), float64(c.Tag[i])
	w.v.Send, w.v.Recv, w.v.Logical = r.IsSend(), !r.IsSend(), r.IsLogical()
	w.v.Partner = w.x.object(i, r^2) // the same kind of time at the other end
	w.v.LogicalSend, w.v.PhysicalSend = w.at(c.Times[prv.LogicalSend][i]), w.at(c.Times[prv.PhysicalSend][i])
	w.v.LogicalRecv, w.v.PhysicalRecv = w.at(c.Times[prv.LogicalRecv][i]), w.at(c.Times[prv.PhysicalRecv][i])
}

// mixedMarks returns the records of several kinds in Paraver's order.
func (x *threadRow) mixedMarks(l listening) *marks {
	m := newMarks(0)
	if l&toStates != 0 {
		m = x.stateMarks()
	}
	if l&toEvents != 0 {
		m = mergeMarks(m, x.eventMarks())
	}
	if l.comms() {
		m = mergeMarks(m, x.commMarks(l))
	}
	return m
}

// mergeMarks merges two lists of marks, each in its own order.
func mergeMarks(a, b *marks) *marks {
	m := newMarks(len(a.time) + len(b.time))
	kindOf := func(m *marks, k int) markKind {
		if m.kind == nil {
			return event
		}
		return m.kind[k]
	}
	i, j := 1, 1
	for i < len(a.time) || j < len(b.time) {
		if i < len(a.time) && (j == len(b.time) || !before(b.time[j], kindOf(b, j), a.time[i], kindOf(a, i))) {
			m.add(a.time[i], a.rec[i], kindOf(a, i))
			i++
		} else {
			m.add(b.time[j], b.rec[j], kindOf(b, j))
			j++
		}
	}
	return m
}

// before reports whether a record comes before another in Paraver's order.
func before(t int64, k markKind, u int64, l markKind) bool {
	return t < u || t == u && kindOrder[k] < kindOrder[l]
}
