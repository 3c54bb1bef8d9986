package kineto

// The names of states, event types and values, and the notes.

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"pview/prv"
	"pview/prv/extrae/device"
	"pview/prv/quantity"
)

// plainTypes are the event types whose values are numbers.
var plainTypes = []struct {
	typ   uint32
	label string
}{{device.MemoryBytes, "Memcopy size"}, {device.GridX, "Kernel GrdX"}, {device.GridX + 1, "Kernel GrdY"},
	{device.GridX + 2, "Kernel GrdZ"}, {device.GridX + 3, "Kernel BlkX"}, {device.GridX + 4, "Kernel BlkY"},
	{device.BlockZ, "Kernel BlkZ"}, {device.Shared, "Kernel shared memory"}, {device.Registers, "Kernel registers/thread"},
	{device.Correlation, "Correlation ID"}, {device.Iteration, device.IterationLabel},
	{device.BytesIn, "Collective bytes in"}, {device.BytesOut, "Collective bytes out"},
	{device.OperationTurn, "Collective number in its group"}, {device.GroupSize, "Collective group size"},
	{device.MemoryAllocated, "Device memory allocated"}, {device.MemoryReserved, "Device memory reserved"},
	{device.HostMemory, "Host memory allocated"}}

// endLabel names the value that ends a span.
var endLabel = prv.ValueLabel{Value: 0, Label: "End"}

// valueLabels labels the named values of an event type; with ends, also the value that ends a span.
func (b *builder) valueLabels(typ uint32, ends bool) (list []prv.ValueLabel) {
	if ends {
		list = append(list, endLabel)
	}
	for name, v := range b.values[typ] {
		list = append(list, prv.ValueLabel{Value: v, Label: cmp.Or(strings.TrimSpace(name), "(no name)")})
	}
	slices.SortFunc(list, func(x, y prv.ValueLabel) int { return cmp.Compare(x.Value, y.Value) })
	return list
}

func (b *builder) labels() *prv.Labels {
	l := &prv.Labels{}
	for _, s := range slices.Sorted(maps.Keys(b.states)) {
		l.AddState(int64(s), prv.DefaultStates[s].Label)
	}
	for _, n := range namedTypes {
		if len(b.values[n.typ]) == 0 {
			continue
		}
		l.AddType(n.typ, n.label, b.valueLabels(n.typ, n.typ != device.Instant)...)
	}
	operations := []prv.ValueLabel{endLabel}
	for i, name := range device.Operations {
		operations = append(operations, prv.ValueLabel{Value: int64(i) + 1, Label: name})
	}
	l.AddType(device.Operation, "Collective", operations...)
	var groups []prv.ValueLabel
	for i, g := range b.groups {
		groups = append(groups, prv.ValueLabel{Value: int64(i) + 1, Label: g.label()})
	}
	l.AddType(device.Group, "Collective group", groups...)
	for _, t := range plainTypes {
		l.AddType(t.typ, t.label)
	}
	b.addKinds(l)
	for i, c := range b.counters {
		l.AddSection([]prv.EventType{{Type: uint32(device.FirstCounter + i), Label: c.name}}, nil, c.precision)
	}
	return l
}

// label describes a process group: "0 (default_pg): ranks 0-7".
func (g *runGroup) label() string {
	if g.assumed {
		return device.AssumedGroup
	}
	name := "group " + g.name
	if g.text != "" && g.text != "undefined" {
		name += " (" + g.text + ")"
	}
	if len(g.members) == 0 {
		return name
	}
	return name + ": ranks " + ranges(g.members)
}

// ranges lists numbers in order: "0-3, 8".
func ranges(list []int64) string {
	var parts []string
	for i := 0; i < len(list); {
		n := i
		for n+1 < len(list) && list[n+1] == list[n]+1 {
			n++
		}
		part := fmt.Sprint(list[i])
		if n > i {
			part = fmt.Sprintf("%d-%d", list[i], list[n])
		}
		parts = append(parts, part)
		i = n + 1
	}
	return strings.Join(parts, ", ")
}

// notes reports what was damaged, missing or assumed.
func (b *builder) notes() (list []prv.Note) {
	list = append(list, b.remarks...)
	for _, f := range b.files {
		note := func(format string, args ...any) {
			list = append(list, prv.Note{File: f.path, Text: fmt.Sprintf(format, args...)})
		}
		if f.cut != "" {
			note("%s", f.cut)
		}
		for p, d := range f.damaged {
			if d.count == 0 {
				continue
			}
			text := quantity.CountOf(d.count, problems[p].one) + " " + problems[p].rest
			if d.first != "" {
				text += "; the first: " + d.first
			}
			note("%s", text)
		}
		if f.schema != "" && f.schema != "1" {
			note("schema version %s is not known: read as version 1", f.schema)
		}
		if names := slices.Sorted(maps.Keys(f.unknowns)); f.profiler && len(names) > 0 {
			note("unknown categories, read as functions or device work depending on the row: %s",
				strings.Join(names[:min(len(names), 10)], ", "))
		}
		if f.overheads > 0 {
			note("%s of the profiler's overhead left out: no thread is named",
				quantity.CountOf(f.overheads, "record"))
		}
		for _, w := range f.warnings[:min(len(f.warnings), 5)] {
			note("%s", w)
		}
	}
	run := func(format string, args ...any) {
		list = append(list, prv.Note{File: b.files[0].path, Text: fmt.Sprintf(format, args...)})
	}
	b.noteGroups(run)
	for _, s := range b.said {
		run("%s", s)
	}
	if b.inferred {
		run("nodes inferred from the numbers of the devices")
	}
	if b.unlaunched > 0 {
		run("%d of %d operations of devices have no call that launched them", b.unlaunched, b.launches.all)
	}
	if b.early > 0 {
		run("%s of streams for events left out: the operation waited for ends after the next begins",
			quantity.CountOf(b.early, "wait"))
	}
	return list
}

// noteGroups reports which collectives are not matched, and why.
func (b *builder) noteGroups(note func(format string, args ...any)) {
	if f := b.files[0]; len(b.files) == 1 && f.profiler && f.world > 1 {
		note("rank %d of %d: several files, or their folder, open as one run", f.rank, f.world)
	}
	for i := range b.groups {
		g := &b.groups[i]
		if n := int64(len(g.tasks)); n < g.size {
			note("%s: %d of %d members recorded, waits are lower bounds", g.label(), n, g.size)
		}
	}
	b.noteMissing(note)
	for i, t := range b.tasks {
		if i > 0 && t.profiler && b.tasks[i-1].name == t.name {
			note("%s and %s are both %s: the second is a separate task", filepath.Base(b.tasks[i-1].path),
				filepath.Base(t.path), t.name)
		}
	}
	for i, c := range b.clocks {
		if t := b.tasks[i]; t.profiler && len(t.work) > 0 && c.n == 0 && c.reference != 0 &&
			t.path != b.tasks[0].path {
			note("the clock of %s cannot be compared: it has no collective in common with the others", t.name)
		}
	}
}

// noteMissing reports the collectives that some of their ranks have not recorded.
func (b *builder) noteMissing(note func(format string, args ...any)) {
	missing, first := 0, (*member)(nil)
	for _, l := range b.collectives {
		for _, in := range l.matched {
			if !slices.Contains(in, -1) {
				continue
			}
			missing++
			for k, at := range in {
				if at >= 0 && (first == nil || l.members[k][at].begin < first.begin) {
					first = &l.members[k][at]
				}
			}
		}
	}
	if missing == 0 {
		return
	}
	t := b.tasks[first.task]
	which, group := "collectives are", "their group"
	if missing == 1 {
		which, group = "collective is", "its group"
	}
	note("%d %s not recorded by all of the ranks that have %s; the first is on %s at %.3f ms", missing, which,
		group, t.name, float64(b.workOf(first).begin+t.offset)/1e6)
}
