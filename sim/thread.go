package sim

// The records of a thread.
//
// A program has millions of records, few of them different: loops repeat the same messages and events. So a record is
// one byte for its kind, which includes the type of an event, and the number of a row: of values, messages or
// collective calls. A value that fits replaces the number. Packer merges equal rows. Most records then take five bytes,
// and a simulation reads them in the order of the program.

import (
	"iter"
	"math"
	"slices"
	"unsafe"

	"pview/prv/extrae"
)

// PriorityType is the type of the event by which a thread, in Dimemas' traces, tells the critical-path policies how
// critical it is: value 0 is the best priority; otherwise, larger is better. Threads begin with the best. It is not
// written to predicted traces.
const PriorityType = 6999

// Thread holds the records of one thread.
type Thread struct {
	kind   []Kind   // stored kinds, see ReactiveEvent
	arg    []uint32 // row of values, Messages or Collectives; or the value itself
	values []uint64 // of bursts (bits of a float64, ns) and events
	types  []uint32 // of plain events
	packed bool

	// Messages and Collectives may be shared by several records once the program is linked.
	Messages    []Message
	Collectives []CollectiveCall
	// Handling is nil, or has an entry for each of Messages.
	Handling []Handling
	// Sizes has, by row of Collectives, the bytes sent to each task of the communicator, if these differ.
	Sizes map[uint32][]int64
}

// inPlace marks the argument of a burst or an event that is the value itself: whole ns, or the value of the event.
const inPlace = 1 << 31

// placed returns the argument for a value of a record, if it needs no row.
func placed(k Kind, value uint64) (arg uint32, ok bool) {
	if k == otherEvent {
		return 0, false
	}
	if k == Compute {
		ns := uint64(max(0, min(math.Float64frombits(value), inPlace)))
		if math.Float64bits(float64(ns)) != value {
			return 0, false
		}
		value = ns
	}
	return inPlace | uint32(value), value < inPlace
}

// StoredBurst returns the time of a computation with an argument, ns.
func StoredBurst(values []uint64, arg uint32) float64 {
	if arg&inPlace != 0 {
		return float64(arg &^ inPlace)
	}
	return math.Float64frombits(values[arg])
}

// event returns the value of an event whose type is in its kind.
func (t *Thread) event(arg uint32) int64 {
	if arg&inPlace != 0 {
		return int64(arg &^ inPlace)
	}
	return int64(t.values[arg])
}

// Stored kinds of events. All others are stored as they are; Event is not stored.
const (
	ReactiveEvent Kind = 32  // first of the types that the simulation reacts to, in the order of reactiveTypes
	firstRecorded Kind = 35  // from here, events are in a predicted trace
	PlainEvent    Kind = 64  // first of the other types, in the order of Thread.types
	otherEvent    Kind = 255 // a type without a free number: two rows of values, type and value
)

// reactiveTypes are the event types that a predicted trace omits, the first three, and those that affect the
// simulation.
var reactiveTypes = [...]uint32{0, PriorityType, tracerType, extrae.TraceInit, extrae.TraceFlush, extrae.OpenMPParallel,
	extrae.OpenMPBarrier,
	extrae.OpenMPOutlined, extrae.OpenMPTaskwait, extrae.OpenMPExecute, extrae.OpenMPCreate, extrae.OpenMPTaskID,
	extrae.OpenMPWorksharing}

// tracerType is an event of the tracer itself, which a predicted trace omits.
const tracerType = 6998

// Stored returns the records as stored, which a simulation reads faster than Kind and Burst.
func (t *Thread) Stored() (kinds []Kind, args []uint32, values []uint64) {
	return t.kind, t.arg, t.values
}

// Len returns the number of records.
func (t *Thread) Len() int { return len(t.kind) }

// Kind returns the kind of a record.
func (t *Thread) Kind(row int) Kind { return t.kind[row].Shown() }

// Shown returns the public kind for a stored kind.
func (k Kind) Shown() Kind {
	if k >= ReactiveEvent {
		return Event
	}
	return k
}

// Kinds returns the kinds of all records, by their rows.
func (t *Thread) Kinds() iter.Seq2[int, Kind] {
	return func(yield func(int, Kind) bool) {
		for row, k := range t.kind {
			if !yield(row, k.Shown()) {
				return
			}
		}
	}
}

// Burst returns the time of the computation at a record, ns.
func (t *Thread) Burst(row int) float64 { return StoredBurst(t.values, t.arg[row]) }

// Event returns the event at a record.
func (t *Thread) Event(row int) (typ uint32, value int64) {
	k, at := t.kind[row], t.arg[row]
	switch {
	case k == otherEvent:
		return uint32(t.values[at]), int64(t.values[at+1])
	case k >= PlainEvent:
		return t.types[k-PlainEvent], t.event(at)
	}
	return reactiveTypes[k-ReactiveEvent], t.event(at)
}

// Message returns the message of a record of a kind from Send to WaitRequest.
func (t *Thread) Message(row int) *Message { return &t.Messages[t.arg[row]] }

// Handled returns the handling of such a record.
func (t *Thread) Handled(row int) Handling {
	if t.Handling == nil {
		return Handling{}
	}
	return t.Handling[t.arg[row]]
}

// Call returns the collective call of a record of a kind from Collective to Reduce.
func (t *Thread) Call(row int) *CollectiveCall { return &t.Collectives[t.arg[row]] }

// CallSizes returns the bytes that such a call sends to each task if these differ; else nil.
func (t *Thread) CallSizes(row int) []int64 { return t.Sizes[t.arg[row]] }

// Bytes returns the memory of the thread's records.
func (t *Thread) Bytes() int64 {
	return int64(cap(t.kind))*int64(unsafe.Sizeof(Kind(0))) + int64(cap(t.arg))*4 + int64(cap(t.values))*8 +
		int64(cap(t.types))*4 +
		int64(cap(t.Messages))*int64(unsafe.Sizeof(Message{})) +
		int64(cap(t.Collectives))*int64(unsafe.Sizeof(CollectiveCall{})) +
		int64(cap(t.Handling))*int64(unsafe.Sizeof(Handling{}))
}

// Computation returns the sum of the computation in the thread, ns.
func (t *Thread) Computation() float64 {
	sum := 0.0
	for row, k := range t.kind {
		if k == Compute {
			sum += t.Burst(row)
		}
	}
	return sum
}

// Grow makes room for n more records.
func (t *Thread) Grow(n int) {
	t.kind, t.arg = slices.Grow(t.kind, n), slices.Grow(t.arg, n)
}

func (t *Thread) add(k Kind, arg int) {
	t.kind = append(t.kind, k)
	t.arg = append(t.arg, uint32(arg))
	t.packed = false
}

func (t *Thread) addValue(k Kind, value uint64) {
	if arg, ok := placed(k, value); ok {
		t.add(k, int(arg))
		return
	}
	t.add(k, len(t.values))
	t.values = append(t.values, value)
}

// AddNop appends a no-operation.
func (t *Thread) AddNop() { t.add(Nop, 0) }

// AddIdle appends the start or the end of an idle block.
func (t *Thread) AddIdle(on bool) {
	if on {
		t.add(IdleOn, 0)
	} else {
		t.add(IdleOff, 0)
	}
}

// AddCompute appends a computation of ns nanoseconds.
func (t *Thread) AddCompute(ns float64) { t.addValue(Compute, math.Float64bits(ns)) }

// AddEvent appends an event.
func (t *Thread) AddEvent(typ uint32, value int64) {
	k := t.kindOf(typ)
	if k == otherEvent {
		t.addValue(k, uint64(typ))
		t.values = append(t.values, uint64(value))
		return
	}
	t.addValue(k, uint64(value))
}

// kindOf returns the stored kind of an event type, a new one on first use.
func (t *Thread) kindOf(typ uint32) Kind {
	if i := slices.Index(t.types, typ); i >= 0 {
		return PlainEvent + Kind(i)
	}
	if i := slices.Index(reactiveTypes[:], typ); i >= 0 {
		return ReactiveEvent + Kind(i)
	}
	if len(t.types) == int(otherEvent-PlainEvent) {
		return otherEvent
	}
	t.types = append(t.types, typ)
	return PlainEvent + Kind(len(t.types)-1)
}

// AddMessage appends a record of a kind from Send to SemaphoreSignal.
func (t *Thread) AddMessage(k Kind, m Message) {
	t.add(k, len(t.Messages))
	t.Messages = append(t.Messages, m)
	if t.Handling != nil {
		t.Handling = append(t.Handling, Handling{})
	}
}

// AddHandled appends a record of a kind from Send to Probe, or WaitRequest.
func (t *Thread) AddHandled(k Kind, m Message, h Handling) {
	if t.Handling == nil {
		t.Handling = make([]Handling, len(t.Messages), len(t.Messages)+1)
	}
	t.AddMessage(k, m)
	t.Handling[len(t.Handling)-1] = h
}

// AddCollective appends a record of a kind from Collective to Reduce.
func (t *Thread) AddCollective(k Kind, c CollectiveCall) {
	t.add(k, len(t.Collectives))
	t.Collectives = append(t.Collectives, c)
}

// Cancel turns a record into a no-operation.
func (t *Thread) Cancel(row int) { t.kind[row], t.packed = Nop, false }

// copyPlain appends a record of another thread, which must have no message or collective call.
func (t *Thread) copyPlain(from *Thread, row int) {
	switch k := from.Kind(row); k {
	case Compute:
		t.AddCompute(from.Burst(row))
	case Event:
		t.AddEvent(from.Event(row))
	default:
		t.add(k, 0)
	}
}

// Reset removes all records, and keeps the memory for reuse.
func (t *Thread) Reset() {
	*t = Thread{kind: t.kind[:0], arg: t.arg[:0], values: t.values[:0], types: t.types[:0], Messages: t.Messages[:0],
		Collectives: t.Collectives[:0]}
}
