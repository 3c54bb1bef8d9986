package engine

// A predicted trace whose columns cannot be written directly (predicted.go) is made of records. Packing them takes a
// quarter of the time, and does not depend on the simulation: so the simulation writes its records to a tape, and
// another goroutine packs them. The records of a tape are packed in order, so the trace is the same on any number of
// cores.

import "pview/prv"

// stretchSize is the number of records handed over at a time.
const stretchSize = 4096

// stretch is a piece of the tape, in columns by kind of record. It is reused.
type stretch struct {
	kinds  []recordKind
	states []stateRecord
	lines  []lineRecord
	pairs  []prv.Pair // of the lines
	comms  []prv.Comm
}

type recordKind uint8

const (
	recordState recordKind = iota
	recordLine
	recordComm
)

type stateRecord struct {
	thread, cpu int32
	begin, end  int64
	value       uint32
}

type lineRecord struct {
	thread, cpu int32
	time        int64
	pairs       int32
}

// tape is written by the simulation and read by the goroutine that packs.
type tape struct {
	now         *stretch
	line        int // pairs at the end of now.pairs that belong to an unfinished line
	full, empty chan *stretch
	packed      chan any // at the end of packing, nil or the value of a panic
	closed      bool
}

// newTape starts packing the tape into b, which must not be used before the tape is closed.
func newTape(b *prv.Builder) *tape {
	const stretches = 4
	t := &tape{full: make(chan *stretch, stretches), empty: make(chan *stretch, stretches), packed: make(chan any, 1)}
	for range stretches {
		t.empty <- &stretch{}
	}
	t.now = <-t.empty
	go func() {
		var panicked any
		defer func() { t.packed <- panicked }()
		defer func() {
			if panicked = recover(); panicked != nil {
				for range t.full { // the simulation must not wait forever
					t.empty <- &stretch{}
				}
			}
		}()
		for s := range t.full {
			s.pack(b)
			t.empty <- s
		}
	}()
	return t
}

// noted counts a record, and hands over a full stretch.
func (t *tape) noted(k recordKind) {
	t.now.kinds = append(t.now.kinds, k)
	if len(t.now.kinds) < stretchSize {
		return
	}
	next := <-t.empty
	next.pairs = append(next.pairs, t.now.pairs[len(t.now.pairs)-t.line:]...)
	t.full <- t.now
	t.now = next
}

// close waits until everything is packed. It re-raises a panic of the packing: here the program can catch it.
func (t *tape) close() {
	if t.closed {
		return
	}
	t.closed = true
	t.full <- t.now
	close(t.full)
	if panicked := <-t.packed; panicked != nil {
		panic(panicked)
	}
}

// pack passes the records to the builder, and empties the stretch.
func (s *stretch) pack(b *prv.Builder) {
	var states, lines, pairs, comms int
	for _, k := range s.kinds {
		switch k {
		case recordState:
			r := &s.states[states]
			b.State(r.thread, r.cpu, r.begin, r.end, r.value)
			states++
		case recordLine:
			r := &s.lines[lines]
			next := pairs + int(r.pairs)
			b.Event(r.thread, r.cpu, r.time, s.pairs[pairs:next]...)
			pairs = next
			lines++
		case recordComm:
			b.Comm(s.comms[comms])
			comms++
		}
	}
	s.kinds, s.states, s.lines, s.pairs, s.comms = s.kinds[:0], s.states[:0], s.lines[:0], s.pairs[:0], s.comms[:0]
}
