package picl

// One process from begin to end: states, events, and the ends of its messages.

import (
	"pview/prv"
	"pview/prv/extrae/system"
)

// span is an open event.
type span struct {
	event int32
	data  []int64 // of its begin
	since int64
}

// walker writes the records of a process.
type walker struct {
	*builder
	*lane
	thread, cpu int32

	begin, end int64 // of the states
	since      int64
	state      uint32
	open       []span
	count      map[int32]int // of open, by event
	system     int           // of open
	tracing    int           // open envelopes
	enveloped  bool
	requests   map[int64]*receive // nonblocking, by request
	posted     []*receive         // nonblocking, of unknown requests
}

// steps are the actions of the kinds of steps.
var steps = [...]func(*walker, *step){enter: (*walker).enter, leave: (*walker).leave, mark: (*walker).mark,
	say: (*walker).say}

func (w *walker) walk() {
	w.count, w.requests = map[int32]int{}, map[int64]*receive{}
	w.frame()
	w.since, w.state = w.begin, stateRunning
	if w.enveloped {
		w.state = stateUntraced
	}
	for i := range w.steps {
		s := &w.steps[i]
		steps[s.kind](w, s)
	}
	for len(w.open) > 0 {
		w.blame(unclosed, 0, "")
		w.pop(w.last, nil)
	}
	w.turn(w.end)
	w.lose(lostReceive, len(w.requests)+len(w.posted))
}

// frame finds the begin and end of the process: the times of the tracing records, if any.
func (w *walker) frame() {
	w.begin, w.end = w.first, w.last
	for i := range w.steps {
		if s := &w.steps[i]; s.event == envelope && s.kind == enter {
			w.begin, w.enveloped = s.time, true
			break
		}
	}
	for i := len(w.steps) - 1; i >= 0; i-- {
		if s := &w.steps[i]; s.event == envelope && s.kind <= leave {
			if s.kind == leave {
				w.end = s.time
			}
			break
		}
	}
}

// turn ends the current state at a time. The next state is that of the outermost system event.
func (w *walker) turn(time int64) {
	time = min(max(time, w.since), w.end)
	if time > w.since {
		w.out.State(w.thread, w.cpu, w.since-w.zero, time-w.zero, w.state)
		w.since = time
	}
	w.state = stateRunning
	if w.enveloped && w.tracing == 0 {
		w.state = stateUntraced
	}
	for i := range w.open {
		if w.open[i].event < 0 {
			e, _ := eventOf(int(w.open[i].event))
			w.state = e.state
			return
		}
	}
}

// note writes an event.
func (w *walker) note(time int64, typ uint32, value int64) {
	w.out.Event(w.thread, w.cpu, time-w.zero, prv.Pair{Type: typ, Value: value})
}

func (w *walker) mark(s *step) {
	v := int64(s.event)
	w.note(s.time, markType, max(v, -v))
}

func (w *walker) say(s *step) { w.note(s.time, messageType, int64(s.event)+1) }

func (w *walker) enter(s *step) {
	if s.event == envelope {
		w.tracing++
		w.turn(s.time)
		return
	}
	data := w.of(s)
	w.open = append(w.open, span{s.event, data, s.time})
	w.count[s.event]++
	if s.event >= 0 {
		if typ := w.userType(s.event); typ > 0 {
			w.note(s.time, typ, 1)
		}
		return
	}
	w.note(s.time, system.Type, -int64(s.event))
	if e, _ := eventOf(int(s.event)); e.role == sendCall || e.role == sendBegin {
		if len(data) > 0 {
			w.note(s.time, system.SentType, data[0])
		}
	}
	if w.system++; w.system == 1 {
		w.turn(s.time)
	}
}

func (w *walker) leave(s *step) {
	switch {
	case s.event == envelope:
		if w.tracing == 0 {
			w.blame(exitOnly, 0, "")
			return
		}
		w.tracing--
		w.turn(s.time)
		return
	case w.count[s.event] == 0:
		w.blame(exitOnly, 0, "")
		return
	case w.open[len(w.open)-1].event != s.event:
		w.blame(mismatched, 0, "")
		for w.open[len(w.open)-1].event != s.event {
			w.pop(s.time, nil)
		}
	}
	w.pop(s.time, w.of(s))
}

// pop ends the innermost event, with the data of its end.
func (w *walker) pop(time int64, data []int64) {
	s := w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	w.count[s.event]--
	if s.event >= 0 {
		if typ := w.userType(s.event); typ > 0 {
			w.note(time, typ, 0)
		}
		return
	}
	e, _ := eventOf(int(s.event))
	switch e.role {
	case sendCall, sendBegin:
		w.sent(s, time)
	case recvCall:
		w.received(&receive{logical: s.since}, s.data, time, data)
	case recvBegin:
		w.post(s, data)
	case recvDone:
		w.complete(s, time, data)
	case transfer:
		if bytes := append(s.data[:len(s.data):len(s.data)], data...); len(bytes) > 0 {
			w.note(time, system.IOBytesType, bytes[0])
		}
	}
	w.note(time, system.Type, 0)
	if w.system--; w.system == 0 {
		w.turn(time)
	}
}
