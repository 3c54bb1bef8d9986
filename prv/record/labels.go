package record

// Labels and notes: the parts of the trace that do not come from records.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/quantity"
)

// labels returns the labels of the states and events in the trace.
func (m *merger) labels(all *facts) *prv.Labels {
	l := &prv.Labels{}
	for _, s := range prv.DefaultStates { // 0: before the first state, as in Paraver
		if s.Value == 0 || s.Value < int64(len(all.states)) && all.states[s.Value] {
			l.AddState(s.Value, s.Label)
		}
	}
	for _, f := range extrae.MPITypes {
		values := []prv.ValueLabel{{Value: 0, Label: extrae.OutsideMPI}}
		seen := map[int64]bool{}
		for i, w := range m.worlds {
			for kind, k := range all.kinds[i] {
				if k.used && k.family == f.Type && !seen[k.value] {
					seen[k.value] = true
					values = append(values, prv.ValueLabel{Value: k.value, Label: "MPI_" + w.names[kind]})
				}
			}
		}
		if len(values) == 1 {
			continue
		}
		slices.SortFunc(values[1:], func(a, b prv.ValueLabel) int { return cmp.Compare(a.Value, b.Value) })
		l.AddType(f.Type, f.Label, values...)
	}
	for _, d := range []struct {
		typ  uint32
		name string
	}{{extrae.CollectiveSent, extrae.SentLabel}, {extrae.CollectiveRecv, extrae.ReceivedLabel},
		{extrae.CollectiveRoot, extrae.RootLabel}, {extrae.CollectiveComm, extrae.CommunicatorLabel},
		{oneSidedSize, "MPI One-sided size"}, {extrae.OneSidedTarget, extrae.TargetLabel},
		{fileSize, "MPI-IO size in bytes"}} {
		if all.detailed[d.typ] {
			l.AddType(d.typ, d.name)
		}
	}
	m.labelCounters(l)
	m.functions.label(l, all.levels)
	m.labelOpenMP(l, all)
	for _, t := range slices.Sorted(maps.Keys(all.user)) {
		if !m.labelSteering(l, t) {
			l.AddType(t, fmt.Sprintf("Event %d of the program", t))
		}
	}
	return l
}

func (m *merger) names() *prv.Names {
	n := &prv.Names{}
	n.Levels[prv.LevelNode] = m.hosts
	return n
}

// clockNotes reports how accurate the nodes' clocks are: half of the round trip of the comparison.
func (m *merger) clockNotes(add func(n int64, format string, args ...any)) {
	within, unknown := int64(0), map[string]bool{}
	for _, p := range recorded(m.worlds) {
		for _, s := range p.clock.samples {
			within = max(within, (s.trip+1)/2)
		}
		first, host := p.world.processes[0], p.streams[0].host
		if first != nil && host != first.streams[0].host && len(p.clock.samples) == 0 {
			unknown[host] = true
		}
	}
	add(within, "the clocks of the nodes agree within %s where they were compared",
		quantity.FormatDuration(within, prv.Nanoseconds))
	add(int64(len(unknown)), "the clock of rank 0 was not compared with those of %s",
		quantity.CountOf(int64(len(unknown)), "other node"))
}

// notes reports what is missing or doubtful.
func (m *merger) notes(dir string, all *counts) (list []prv.Note) {
	add := func(n int64, format string, args ...any) {
		if n > 0 {
			list = append(list, prv.Note{File: dir, Text: fmt.Sprintf(format, args...)})
		}
	}
	ranks := func(n int64) string { return quantity.CountOf(n, "rank") }
	add(all.killed, "%s ended without MPI_Finalize", ranks(all.killed))
	add(all.empty, "%s left no records", ranks(all.empty))
	add(all.limited, "%s stopped at the size limit (--limit)", quantity.CountOf(all.limited, "thread"))
	add(all.full, "%s stopped: the disk was full", quantity.CountOf(all.full, "thread"))
	add(all.sends, "%s have no receive in the records", quantity.CountOf(all.sends, "send"))
	add(all.receives, "%s have no send in the records", quantity.CountOf(all.receives, "receive"))
	add(all.foreign, "%s of messages between MPI programs left out (MPI_Comm_spawn and the like)",
		quantity.CountOf(all.foreign, "end"))
	list = append(list, m.functions.notes()...)
	m.counterNotes(add)
	m.openMPNotes(add)
	m.clockNotes(add)
	add(all.lost+all.strange, "%s left out", quantity.CountOf(all.lost+all.strange, "damaged record"))
	return list
}
