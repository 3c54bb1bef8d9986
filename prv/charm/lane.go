package charm

// One PE from begin to end: its states, events and communications.

import (
	"pview/prv"
	"pview/prv/extrae/execution"
)

// lane writes the records of one PE.
type lane struct {
	*builder
	*log
	thread int32

	since    int64 // begin of the state
	state    uint32
	off      bool // tracing
	idle     bool
	overhead int // nested packing and flushing
	unit     *record
	started  bool
	brackets map[int64]int64 // open pairs of type 100 by event
	previous []int64         // readings of the counters
	arrived  map[[2]int64]int64
	at       int64
}

func (l *lane) walk() {
	l.state, l.brackets, l.arrived = stateAbsent, map[int64]int64{}, map[[2]int64]int64{}
	for i := range l.records {
		r := &l.records[i]
		if !l.started && r.kind != bracketNote && r.kind != pair {
			l.started = true
			l.turn(r.time)
		}
		if do, ok := steps[r.kind]; ok {
			do(l, r)
		}
		if r.kind != bracketNote && r.kind != pair {
			l.at = max(l.at, r.time)
		}
	}
	if l.unit != nil {
		l.open++
		l.close(l.at)
	}
	l.started = false
	l.turn(l.at)
	l.turn(l.finish) // absent until the end of the run
}

// turn ends the current state at a time. The next state is that of the innermost open activity.
func (l *lane) turn(time int64) {
	time = max(time, l.since)
	if time > l.since {
		l.out.State(l.thread, 0, l.since, time, l.state)
	}
	l.since = time
	switch {
	case !l.started:
		l.state = stateAbsent
	case l.off:
		l.state = stateUntraced
	case l.overhead > 0:
		l.state = stateOverhead
	case l.idle:
		l.state = stateIdle
	case l.unit != nil:
		l.state = stateRunning
	default:
		l.state = stateRuntime
	}
}

// event writes events at a time.
func (l *lane) event(time int64, pairs ...prv.Pair) { l.out.Event(l.thread, 0, time, pairs...) }

// close ends the unit that is open.
func (l *lane) close(time int64) {
	if l.unit == nil {
		return
	}
	l.unit = nil
	l.turn(time)
	l.event(time, prv.Pair{Type: execution.Entry.Type(), Value: 0})
}

// steps are the actions of the records.
var steps = map[uint8]func(l *lane, r *record){
	creation: (*lane).create, broadcast: (*lane).create, multicast: (*lane).create,
	beginUnit: (*lane).begin,
	endUnit:   (*lane).end,
	enqueue: func(l *lane, r *record) {
		l.arrived[[2]int64{int64(r.pe), r.event}] = r.time
		l.event(r.time, prv.Pair{Type: execution.Enqueue.Type(), Value: r.event + 1},
			prv.Pair{Type: execution.Creator.Type(), Value: int64(r.pe) + 1})
	},
	dequeue: func(l *lane, r *record) {
		l.event(r.time, prv.Pair{Type: execution.Dequeue.Type(), Value: r.event + 1},
			prv.Pair{Type: execution.Creator.Type(), Value: int64(r.pe) + 1})
	},
	received:       func(l *lane, r *record) { l.arrived[[2]int64{int64(r.pe), r.event}] = r.time },
	beginInterrupt: (*lane).interrupt, beginPack: (*lane).interrupt, beginUnpack: (*lane).interrupt,
	endInterrupt: (*lane).resume, endPack: (*lane).resume, endUnpack: (*lane).resume,
	beginIdle: func(l *lane, r *record) { l.idle = true; l.turn(r.time) },
	endIdle:   func(l *lane, r *record) { l.idle = false; l.turn(r.time) },
	endTrace: func(l *lane, r *record) {
		l.close(r.time)
		l.off = true
		l.turn(r.time)
	},
	beginTrace: func(l *lane, r *record) { l.off = false; l.turn(r.time) },
	userEvent:  func(l *lane, r *record) { l.event(r.time, prv.Pair{Type: typeUser, Value: r.value + 1}) },
	beginPair:  func(l *lane, r *record) { l.event(r.time, prv.Pair{Type: typeBracket, Value: r.value + 1}) },
	endPair:    func(l *lane, r *record) { l.event(r.time, prv.Pair{Type: typeBracket, Value: 0}) },
	pair: func(l *lane, r *record) {
		if _, open := l.brackets[r.event]; open {
			delete(l.brackets, r.event)
			l.event(r.time, prv.Pair{Type: typeBracket, Value: 0})
			return
		}
		l.brackets[r.event] = r.value
		l.event(r.time, prv.Pair{Type: typeBracket, Value: r.value + 1})
	},
	beginFunction: func(l *lane, r *record) {
		l.event(r.time, prv.Pair{Type: typeFunction, Value: r.value + 1})
	},
	endFunction: func(l *lane, r *record) { l.event(r.time, prv.Pair{Type: typeFunction, Value: 0}) },
	userValue:   func(l *lane, r *record) { l.event(r.time, prv.Pair{Type: typeSupplied, Value: r.value}) },
	memoryUsage: func(l *lane, r *record) { l.event(r.time, prv.Pair{Type: execution.MemoryInUse, Value: r.value}) },
	note:        func(l *lane, r *record) { l.event(r.time, prv.Pair{Type: typeNote, Value: l.textOf(r)}) },
	bracketNote: func(l *lane, r *record) {
		l.event(r.time, prv.Pair{Type: typeNote, Value: l.textOf(r)})
		l.event(max(r.until, r.time), prv.Pair{Type: typeNote, Value: 0})
	},
	endPhase: func(l *lane, r *record) { l.event(r.time, prv.Pair{Type: typePhase, Value: r.value + 1}) },
	userStat: func(l *lane, r *record) {
		l.event(r.time, prv.Pair{Type: typeStatistic + uint32(r.event), Value: r.value})
	},
	endRun: func(l *lane, r *record) {
		if l.unit != nil {
			l.open++
			l.close(r.time)
		}
	},
}

func (l *lane) interrupt(r *record) {
	l.overhead++
	l.turn(r.time)
}

func (l *lane) resume(r *record) {
	l.overhead = max(l.overhead-1, 0)
	l.turn(r.time)
}

// textOf returns the number of a text in the trace, from 1.
func (l *lane) textOf(r *record) int64 {
	if r.text == 0 {
		return 0
	}
	l.builder.texts = append(l.builder.texts, l.log.texts[r.text-1])
	return int64(len(l.builder.texts))
}

// objectOf returns the number of an object in the trace, from 1.
func (l *lane) objectOf(r *record) int64 {
	if r.object == 0 {
		return 0
	}
	name := l.log.objects[r.object-1]
	id, ok := l.builder.objects[name]
	if !ok {
		l.names = append(l.names, name)
		id = int64(len(l.names))
		l.builder.objects[name] = id
	}
	return id
}

// kindOf returns the kind of a message.
func (l *lane) kindOf(r *record) int64 {
	switch {
	case r.kind != creation:
		return execution.ToAll
	case l.run.dims(int64(r.entry)) >= 1:
		return execution.ToObject
	case r.message == 1 || r.message == 2:
		return execution.ToNewObject
	case r.message == 3 || r.message == 5:
		return execution.ToGroup
	}
	return execution.ToObject
}

func (l *lane) create(r *record) {
	id := [2]int64{int64(l.pe), r.event}
	l.event(r.time, prv.Pair{Type: execution.Created.Type(), Value: r.event + 1},
		prv.Pair{Type: execution.Target.Type(), Value: int64(r.entry) + 1},
		prv.Pair{Type: execution.Kind.Type(), Value: l.kindOf(r)},
		prv.Pair{Type: execution.Receiver.Type(), Value: int64(l.receivers[id])})
}

func (l *lane) begin(r *record) {
	l.close(r.time)
	l.unit, l.idle = r, false
	l.turn(r.time)
	pairs := []prv.Pair{{Type: execution.Entry.Type(), Value: int64(r.entry) + 1}}
	if id := l.objectOf(r); id > 0 {
		pairs = append(pairs, prv.Pair{Type: execution.Object.Type(), Value: id})
	}
	if r.first {
		pairs = append(pairs, l.origin(r)...)
	}
	l.event(r.time, append(pairs, l.read(r)...)...)
}

// origin returns the events of the message that started a unit; a message between PEs is a communication too.
func (l *lane) origin(r *record) []prv.Pair {
	var pairs []prv.Pair
	if l.run.isLibrary(int64(r.entry)) {
		pairs = append(pairs, prv.Pair{Type: execution.Library.Type(), Value: 1})
	}
	if !r.created {
		return append(pairs, prv.Pair{Type: execution.Message.Type(), Value: 0})
	}
	if int(r.pe) != l.pe {
		c := l.creationOf(r.pe, r.event)
		arrival := r.time
		if t, ok := l.arrived[[2]int64{int64(r.pe), r.event}]; ok {
			arrival = t
		} else if r.until > 0 {
			arrival = r.until
		}
		l.out.Comm(prv.Comm{Send: l.builder.thread[r.pe], Recv: l.thread, Size: max(c.size, 0), Tag: int64(r.entry),
			Times: [4]int64{prv.LogicalSend: c.time, prv.PhysicalSend: c.until, prv.LogicalRecv: r.time,
				prv.PhysicalRecv: arrival}})
	}
	return append(pairs, prv.Pair{Type: execution.Message.Type(), Value: r.event + 1},
		prv.Pair{Type: execution.Creator.Type(), Value: int64(r.pe) + 1})
}

func (l *lane) end(r *record) {
	if l.unit == nil {
		l.dropped++
		return
	}
	if pairs := l.read(r); len(pairs) > 0 {
		l.event(r.time, pairs...)
	}
	l.close(r.time)
}

// read returns the events of the counters: their counts since the previous reading.
func (l *lane) read(r *record) (pairs []prv.Pair) {
	if r.counters == 0 {
		return nil
	}
	values := l.counters[r.counters-1]
	for i, v := range values {
		before := v
		if l.previous != nil {
			before = l.previous[i]
		}
		pairs = append(pairs, prv.Pair{Type: typeCounter + uint32(i), Value: v - before})
	}
	l.previous = values
	return pairs
}
