package charm

// The event types of message-driven execution, as other programs write them: found by the labels of the .pcf, else by the numbers of this package.

import (
	"slices"
	"strings"

	"pview/prv"
)

// Slot is a meaning of an event of message-driven execution.
type Slot uint8

// The slots.
const (
	Entry    Slot = iota // an entry executes: its id; 0: end
	Message              // that started it: id on its creator; 0: none
	Creator              // of the message, from 1
	Created              // a message: id
	Target               // entry that it is for
	Kind                 // of message: ToNewObject ...
	Receiver             // from 1; 0: a balancer decides
	Enqueue              // a message: id, with Creator
	Dequeue
	Priority // of a message; smaller is more urgent
	Object   // of the entry
	Library  // 1: an entry of the runtime system
	Access   // to a shared variable: Read ...
	Variable
	Element // key in a table

	NumSlots = int(Element) + 1
)

// Kinds of messages (Sinha's thesis, 4.1).
const (
	ToNewObject = toNewObject
	ToObject    = toObject
	ToGroup     = toGroup
	ToAll       = toAll
)

// MemoryInUse is the event type of the bytes in use.
const MemoryInUse = typeMemory

// Kinds of access to shared variables.
const (
	CreateVariable = 1 + iota
	ReadVariable
	UpdateVariable
	CollectVariable
	InsertElement
	FindElement
	DeleteElement
)

// slots are the numbers and labels of the slots.
var slots = [NumSlots]struct {
	number uint32
	labels []string
}{
	Entry:    {typeEntry, []string{"entry method", "entry executing"}},
	Message:  {typeMessage, []string{"message that started the entry", "message that started it"}},
	Creator:  {typeCreator, []string{"pe that created it", "creating processor"}},
	Created:  {typeCreated, []string{"message created"}},
	Target:   {typeTarget, []string{"entry method of the message", "destination entry"}},
	Kind:     {typeKind, []string{"kind of message", "system type"}},
	Receiver: {typeReceiver, []string{"pe that the message goes to", "destination processor"}},
	Enqueue:  {typeEnqueue, []string{"message enqueued", "enqueue"}},
	Dequeue:  {typeDequeue, []string{"message dequeued", "dequeue"}},
	Priority: {typePriority, []string{"priority", "priority of the message"}},
	Object:   {typeObject, []string{"object"}},
	Library:  {typeLibrary, []string{"entry of the runtime system", "library entry flag"}},
	Access:   {typeAccess, []string{"shared variable access"}},
	Variable: {typeVariable, []string{"shared variable"}},
	Element:  {typeElement, []string{"key of the shared variable", "key"}},
}

// Types are the event types of the slots in a trace.
type Types [NumSlots]uint32

// TypesOf finds the event types by the labels of a trace.
func TypesOf(l *prv.Labels) (types Types) {
	for s := range slots {
		types[s] = slots[s].number
		for i := range l.Types {
			if slices.Contains(slots[s].labels, strings.ToLower(strings.TrimSpace(l.Types[i].Label))) {
				types[s] = l.Types[i].Type
				break
			}
		}
	}
	return types
}

// Slot returns the slot of an event type.
func (t *Types) Slot(typ uint32) (Slot, bool) {
	for s, own := range t {
		if typ == own {
			return Slot(s), true
		}
	}
	return 0, false
}

// IsDriven reports whether a trace has executions of entries.
func IsDriven(t *prv.Trace) bool {
	types := TypesOf(t.Labels)
	if _, labelled := t.Labels.Type(types[Entry]); !labelled && len(t.Labels.Types) > 0 {
		return false
	}
	for i := range t.Threads {
		if slices.Contains(t.Threads[i].Events.Type, types[Entry]) {
			return true
		}
	}
	return false
}
