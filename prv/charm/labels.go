package charm

// The meaning of the trace's numbers.

import (
	"fmt"
	"slices"

	"pview/prv"
	"pview/prv/extrae/execution"
	"pview/prv/quantity"
)

// states are the states that are used; they are Extrae's.
var states = []int64{stateIdle, stateRunning, stateAbsent, stateRuntime, stateUntraced, stateOverhead}

func (b *builder) labels() *prv.Labels {
	l := &prv.Labels{}
	for _, s := range states {
		l.AddState(s, prv.DefaultStates[s].Label)
	}
	entries := b.entryLabels()
	end := prv.ValueLabel{Value: 0, Label: "End"}
	l.AddType(execution.Entry.Type(), "Entry method", append([]prv.ValueLabel{end}, entries...)...)
	l.AddType(execution.Message.Type(), "Message that started the entry", prv.ValueLabel{Value: 0, Label: "none"})
	l.AddType(execution.Creator.Type(), "PE that created it")
	l.AddType(execution.Created.Type(), "Message created")
	l.AddType(execution.Target.Type(), "Entry method of the message", entries...)
	l.AddType(execution.Kind.Type(), "Kind of message",
		prv.ValueLabel{Value: execution.ToNewObject, Label: "new object"},
		prv.ValueLabel{Value: execution.ToObject, Label: "to an object"},
		prv.ValueLabel{Value: execution.ToGroup, Label: "to a group"},
		prv.ValueLabel{Value: execution.ToAll, Label: "broadcast"})
	l.AddType(execution.Receiver.Type(), "PE that the message goes to",
		prv.ValueLabel{Value: 0, Label: "several, or unknown"})
	l.AddType(execution.Enqueue.Type(), "Message enqueued")
	l.AddType(execution.Dequeue.Type(), "Message dequeued")
	l.AddType(execution.Object.Type(), "Object", numbered(b.names)...)
	l.AddType(execution.Library.Type(), "Entry of the runtime system", prv.ValueLabel{Value: 1, Label: "yes"})
	l.AddType(typeUser, "User event", named(b.run.events)...)
	l.AddType(typeBracket, "User event with a length", append([]prv.ValueLabel{end}, named(b.run.events)...)...)
	l.AddType(typeSupplied, "Value given by the program")
	l.AddType(execution.MemoryInUse, "Memory in use (bytes)")
	l.AddType(typeNote, "Note", append([]prv.ValueLabel{end}, numbered(b.texts)...)...)
	l.AddType(typePhase, "End of a phase")
	l.AddType(typeFunction, "Function", append([]prv.ValueLabel{end}, b.functions()...)...)
	for _, s := range named(b.run.stats) {
		l.AddSection([]prv.EventType{{Type: typeStatistic + uint32(s.Value) - 1, Label: s.Label}}, nil, 2)
	}
	for i, name := range b.run.papi {
		l.AddType(typeCounter+uint32(i), name)
	}
	return l
}

func (b *builder) entryLabels() (list []prv.ValueLabel) {
	for id := range b.run.entries {
		list = append(list, prv.ValueLabel{Value: id + 1, Label: b.run.entryName(id)})
	}
	sortLabels(list)
	return list
}

func sortLabels(list []prv.ValueLabel) {
	slices.SortFunc(list, func(a, b prv.ValueLabel) int { return int(a.Value - b.Value) })
}

// named returns the names by number, from 1.
func named(m map[int64]string) (list []prv.ValueLabel) {
	for id, name := range m {
		list = append(list, prv.ValueLabel{Value: id + 1, Label: name})
	}
	sortLabels(list)
	return list
}

func numbered(names []string) (list []prv.ValueLabel) {
	for i, name := range names {
		list = append(list, prv.ValueLabel{Value: int64(i) + 1, Label: name})
	}
	return list
}

// functions returns the names in the records of functions.
func (b *builder) functions() []prv.ValueLabel {
	names := map[int64]string{}
	for _, l := range b.logs {
		if l == nil {
			continue
		}
		for _, r := range l.records {
			if r.kind == beginFunction && r.text > 0 {
				names[r.value] = l.texts[r.text-1]
			}
		}
	}
	return named(names)
}

// rows returns the names of the threads: those of PEs, and of communication threads.
func (b *builder) rows() *prv.Names {
	list := make([]string, len(b.thread))
	for pe, th := range b.thread {
		if list[th] = fmt.Sprintf("PE %d", pe); b.run.nodeSize > 0 && pe >= b.run.nodeSize*b.run.nodes {
			list[th] = fmt.Sprintf("comm %d", pe-b.run.nodeSize*b.run.nodes)
		}
	}
	n := &prv.Names{}
	n.Levels[prv.LevelThread] = list
	return n
}

// notes reports what was left out.
func (b *builder) notes(t *prv.Trace) {
	add := func(file string, line int64, format string, args ...any) {
		t.Notes = append(t.Notes, prv.Note{File: file, Line: line, Text: fmt.Sprintf(format, args...)})
	}
	for _, n := range b.run.notes {
		add(b.run.path, 0, "%s", n)
	}
	for _, l := range b.logs {
		if l == nil {
			continue
		}
		if l.skipped > 0 {
			add(l.path, l.firstBad, "%d damaged lines left out; this is the first", l.skipped)
		}
		if l.unknown > 0 {
			add(l.path, 0, "%d records of unknown types left out", l.unknown)
		}
		if !l.ended {
			add(l.path, 0, "cut off: no record of the end of the run")
		}
	}
	for _, n := range []struct {
		count int64
		text  string
	}{{b.stale, "with the number of a message to other code: read as without a message"},
		{b.orphans, "whose message was created while nothing was traced"},
		{b.dropped, "that ended without a begin"}, {b.open, "without an end"}} {
		if n.count > 0 {
			add(b.run.path, 0, "%s %s", quantity.CountOf(n.count, "unit"), n.text)
		}
	}
}
