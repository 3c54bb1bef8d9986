package account

// Sums by key. Neighbouring stretches of a thread have few keys, so nearly every key is among the most recent ones.

import (
	"iter"
	"strings"

	"pview/insight/waits"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
	"pview/prv/wide"
)

// by says what the numbers in a key refer to.
type by uint8

const (
	byRegion by = iota
	byEntryMethod
	byCall   // a: region of the call, b: region around it
	byInCall // a: region of a call that is itself the reason
	byState  // a: state
	byReason
	byConstruct
	byThread
	byWaitClass // a: class, whose waits are divided among causes; b: region of the cause, c: its thread
	byCause     // a: region, c: thread
	byDrivenCause
	byDevice  // c: the thread that waits for it
	byLibrary // a: value of device.Call
)

// key is an entry and what it is divided by.
type key struct {
	kind    Kind
	by      by
	a, b, c int32
}

// tally is time by key.
type tally struct {
	rows   map[key]int32
	time   []wide.Int
	recent [32]struct {
		key key
		row int32 // from 1; 0: unused
	}
}

func newTally() *tally { return &tally{rows: map[key]int32{}} }

// add adds a time.
func (t *tally) add(k key, time wide.Int) {
	r := &t.recent[(uint32(k.a)^uint32(k.b)<<4^uint32(k.kind)<<3^uint32(k.c))&31]
	if r.row == 0 || r.key != k {
		row, ok := t.rows[k]
		if !ok {
			row = int32(len(t.time))
			t.rows[k], t.time = row, append(t.time, wide.Int{})
		}
		r.key, r.row = k, row+1
	}
	t.time[r.row-1] = t.time[r.row-1].Plus(time)
}

// join adds another tally.
func (t *tally) join(o *tally) {
	for k, row := range o.rows {
		t.add(k, o.time[row])
	}
}

// all returns the keys with time, in no particular order.
func (t *tally) all() iter.Seq2[key, wide.Int] {
	return func(yield func(key, wide.Int) bool) {
		for k, row := range t.rows {
			if t.time[row] != (wide.Int{}) && !yield(k, t.time[row]) {
				return
			}
		}
	}
}

// The reasons for outside and unknown time, and constructs that are not a class of wait.
const (
	beforeFirst int32 = iota
	afterLast
	flushing
	notRecorded
	notTold
	noCounterpart
	noMessage
	tooFewTasks
	endOfRun
	tooDeep
	noCore
	queued
	placedElsewhere
	runtimeOther
	message
)

// runtimeSystem stands for the class of units where a processor was in the runtime system.
const runtimeSystem int32 = -2

var names = [...]string{"before the first record", "after the last record", "buffer flush", "no record", "idle",
	"waits without a counterpart", "start without a recorded message", "no task queued anywhere", "end of the run",
	"long chain of causes", "ready without a core", "scheduling", "load distribution", "synchronisation",
	"message"}

// name returns the name of what divides an entry, for programs.
func (m *maker) name(k key) string {
	region := func(r int32) string {
		if r < 0 {
			return "none"
		}
		return m.Waits.Regions[r].Name
	}
	switch k.by {
	case byRegion:
		return "region=" + region(k.a)
	case byEntryMethod:
		return "region=" + m.ClassName(k.a)
	case byCall:
		if k.b < 0 {
			return "call=" + region(k.a)
		}
		return "call=" + region(k.a) + "/region=" + region(k.b)
	case byInCall:
		return "reason=" + region(k.a)
	case byState:
		name := strings.ToLower(m.T.Labels.StateName(int64(k.a)))
		return words[k.kind] + "=" + name
	case byReason:
		if word := words[k.kind]; word != "" {
			return word + "=" + names[k.a]
		}
		return "reason=" + names[k.a]
	case byConstruct:
		return "construct=" + names[k.a]
	case byThread:
		return "thread=" + m.ThreadName(k.a)
	case byWaitClass:
		class := "construct=" + waits.Class(k.a).String()
		if k.c < 0 {
			return class
		}
		return class + "/cause=" + region(k.b) + "@" + m.ThreadName(k.c)
	case byDevice:
		return "cause=its device@" + m.ThreadName(k.c)
	case byLibrary:
		return "call=" + m.T.Labels.ValueName(device.Call, int64(k.a))
	case byDrivenCause:
		if k.a == runtimeSystem {
			return "cause=runtime system@" + m.ThreadName(k.c)
		}
		return "cause=" + m.ClassName(k.a) + "@" + m.ThreadName(k.c)
	}
	return "cause=" + region(k.a) + "@" + m.ThreadName(k.c)
}

// words are the words in front of a state's name, by entry.
var words = [NumKinds]string{Wait: "state", Transfer: "call", TransferMore: "call", Runtime: "construct", IO: "call",
	Outside: "reason", Unknown: "reason"}

// meaningKind maps states outside of calls to entries, if the state alone decides.
var meaningKind = map[extrae.Meaning]Kind{extrae.Absent: Outside, extrae.IO: IO, extrae.Overhead: Runtime,
	extrae.Communicating: Transfer}
