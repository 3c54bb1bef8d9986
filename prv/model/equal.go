package model

import (
	"fmt"
	"slices"
)

// Equal returns nil when two traces have the same content, or an error that
// describes the first difference. Header, resources, records, labels and names are
// compared; the origin of the traces and omissions from their files are not (Path,
// Skipped, Cut, Notes). CPUs are compared per record, in whatever form they are
// stored.
func Equal(a, b *Trace) error {
	for _, c := range []struct {
		what string
		a, b any
	}{
		{"date", a.Date, b.Date},
		{"unit", a.Unit, b.Unit},
		{"end in the header", a.HeaderEnd, b.HeaderEnd},
		{"duration", a.Duration, b.Duration},
		{"number of threads", len(a.Threads), len(b.Threads)},
	} {
		if c.a != c.b {
			return fmt.Errorf("%s: %v and %v", c.what, c.a, c.b)
		}
	}
	err := firstError(
		func() error { return equalLists("node", a.Nodes, b.Nodes) },
		func() error { return equalLists("ptask", a.Ptasks, b.Ptasks) },
		func() error { return equalLists("task", a.Tasks, b.Tasks) },
		func() error { return equalLists("task of thread", a.ThreadTask, b.ThreadTask) },
		func() error { return equalLists("communicator", a.Communicators, b.Communicators) },
		func() error { return equalLists("comment", a.Comments, b.Comments) },
	)
	if err != nil {
		return err
	}
	for i := range a.Threads {
		if err := equalThreads(&a.Threads[i], &b.Threads[i]); err != nil {
			return fmt.Errorf("%s: %w", a.DefaultName(LevelThread, i), err)
		}
	}
	return firstError(
		func() error { return equalComms(a, b) },
		func() error { return equalLabels(a.Labels, b.Labels) },
		func() error { return equalNames(a.Names, b.Names) },
	)
}

// firstError calls functions until one fails.
func firstError(fs ...func() error) error {
	for _, f := range fs {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// equalLists compares two lists item by item.
func equalLists[T comparable](what string, a, b []T) error {
	if slices.Equal(a, b) {
		return nil
	}
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Errorf("%s %d: %v and %v", what, i, a[i], b[i])
		}
	}
	return fmt.Errorf("%s: there are %d and %d", what, len(a), len(b))
}

// equalValues is equalLists for values.
func equalValues(what string, a, b *Values) error {
	if a.Equal(b) {
		return nil
	}
	return equalLists(what, a.All(), b.All())
}

func equalThreads(a, b *Thread) error {
	err := firstError(
		func() error { return equalLists("begin of state", a.States.Begin, b.States.Begin) },
		func() error { return equalLists("end of state", a.States.End, b.States.End) },
		func() error { return equalLists("state", a.States.Value, b.States.Value) },
		func() error { return equalLists("file order of state", a.States.FileOrder, b.States.FileOrder) },
		func() error { return equalCPUs("CPU of state", a.States.Len(), a.StateCPU, b.StateCPU) },
		func() error { return equalLists("time of event", a.Events.Time, b.Events.Time) },
		func() error { return equalLists("type of event", a.Events.Type, b.Events.Type) },
		func() error { return equalValues("value of event", &a.Events.Value, &b.Events.Value) },
		func() error { return equalLines(&a.Events, &b.Events) },
		func() error { return equalCPUs("CPU of event", a.Events.Len(), a.EventCPU, b.EventCPU) },
	)
	for r := LogicalSend; r <= PhysicalRecv && err == nil; r++ {
		err = equalLists("order of "+r.String(), a.Comm[r], b.Comm[r])
	}
	return err
}

// equalCPUs compares the CPUs of n records.
func equalCPUs(what string, n int, a, b func(int) int32) error {
	for i := range n {
		if a(i) != b(i) {
			return fmt.Errorf("%s %d: %d and %d", what, i, a(i), b(i))
		}
	}
	return nil
}

func equalLines(a, b *Events) error {
	if slices.Equal(a.Lines, b.Lines) {
		return nil
	}
	for i := range a.Len() {
		if a.Lines.Has(i) != b.Lines.Has(i) {
			return fmt.Errorf("event %d: first of its line: %v and %v", i, a.Lines.Has(i), b.Lines.Has(i))
		}
	}
	return nil
}

func equalComms(a, b *Trace) error {
	x, y := &a.Comms, &b.Comms
	err := firstError(
		func() error { return equalLists("sender of message", x.Send, y.Send) },
		func() error { return equalLists("receiver of message", x.Recv, y.Recv) },
		func() error { return equalLists("size of message", x.Size, y.Size) },
		func() error { return equalLists("tag of message", x.Tag, y.Tag) },
		func() error {
			if x.EventLines == nil || y.EventLines == nil { // one was made in memory
				return nil
			}
			return equalLists("event lines before message", x.EventLines, y.EventLines)
		},
	)
	for r := LogicalSend; r <= PhysicalRecv && err == nil; r++ {
		err = equalLists(r.String()+" of message", x.Times[r], y.Times[r])
	}
	for _, r := range []Role{LogicalSend, LogicalRecv} {
		if err == nil {
			err = equalCPUs("CPU at "+r.String()+" of message", x.Len(),
				func(i int) int32 { return a.CommCPU(i, r) }, func(i int) int32 { return b.CommCPU(i, r) })
		}
	}
	return err
}

func equalLabels(a, b *Labels) error {
	err := firstError(
		func() error { return equalLists("option", a.Options, b.Options) },
		func() error { return equalLists("semantic default", a.Semantic, b.Semantic) },
		func() error { return equalLists("label of state", a.States, b.States) },
		func() error { return equalLists("colour", a.Colors, b.Colors) },
		func() error { return equalLists("gradient colour", a.Gradient, b.Gradient) },
		func() error { return equalLists("gradient name", a.Gradients, b.Gradients) },
	)
	if err != nil {
		return err
	}
	if len(a.Types) != len(b.Types) || len(a.Other) != len(b.Other) {
		return fmt.Errorf("%d and %d event types, %d and %d other sections are labelled", len(a.Types), len(b.Types),
			len(a.Other), len(b.Other))
	}
	for i := range a.Types {
		x, y := &a.Types[i], &b.Types[i]
		if x.Type != y.Type || x.Gradient != y.Gradient || x.Label != y.Label || x.Precision != y.Precision {
			return fmt.Errorf("label of event type %d: %d %d %q precision %d and %d %d %q precision %d", i,
				x.Gradient, x.Type, x.Label, x.Precision, y.Gradient, y.Type, y.Label, y.Precision)
		}
		if err := equalLists("label of value", x.Values, y.Values); err != nil {
			return fmt.Errorf("event type %d: %w", x.Type, err)
		}
	}
	for i := range a.Other {
		x, y := &a.Other[i], &b.Other[i]
		if x.Name != y.Name {
			return fmt.Errorf("section %d: %s and %s", i, x.Name, y.Name)
		}
		if err := equalLists("line", x.Lines, y.Lines); err != nil {
			return fmt.Errorf("section %s: %w", x.Name, err)
		}
	}
	return nil
}

// equalNames compares names; a blank name equals a missing one.
func equalNames(a, b *Names) error {
	for _, l := range Levels {
		for i := range max(len(a.Levels[l]), len(b.Levels[l])) {
			x, _ := a.Lookup(l, i)
			y, _ := b.Lookup(l, i)
			if x != y {
				return fmt.Errorf("name of %s %d: %q and %q", l, i, x, y)
			}
		}
	}
	return nil
}
