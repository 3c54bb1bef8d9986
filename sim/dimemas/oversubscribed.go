package dimemas

// Traces of nodes with more ranks than CPUs.

import (
	"fmt"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/quantity"
)

// oversubscribed describes nodes on which more ranks ran than there were CPUs: elapsed time between calls is then not
// the ranks' own, and calls wait for those without a CPU. The nodes of a trace may be nominal; where threads tell their
// CPUs, and there were half as many or less, that counts. It is "" where every rank had a CPU, where the trace does not
// say what CPUs there were, and where a counter has the length of computation. A predicted trace shows waits for a CPU
// as states.
func oversubscribed(t *prv.Trace, opt *TranslateOptions) string {
	if opt.CounterType != 0 || isPredicted(t) {
		return ""
	}
	ranks, cpus, what := make([]int32, len(t.Nodes)), make([]int32, len(t.Nodes)), make([]string, len(t.Nodes))
	for n := range cpus {
		cpus[n], what[n] = t.Nodes[n].CPUs, "ranks"
	}
	tellers, seen := make([]int32, len(t.Nodes)), make([]map[int64]bool, len(t.Nodes))
	for _, task := range t.Tasks {
		n := task.Node
		if n < 0 || int(n) >= len(ranks) {
			continue
		}
		ranks[n]++
		for th := range task.Threads {
			if cpu, ok := cpuOf(&t.Threads[task.FirstThread+th].Events); ok {
				if seen[n] == nil {
					seen[n] = map[int64]bool{}
				}
				seen[n][cpu] = true
				tellers[n]++
			}
		}
	}
	nodes, alike, first := 0, 0, -1
	for n := range ranks {
		if s := int32(len(seen[n])); s > 0 && 2*s <= tellers[n] {
			ranks[n], cpus[n], what[n] = tellers[n], s, "threads"
		}
		if ranks[n] > cpus[n] {
			if nodes++; first < 0 {
				first = n
			}
			if ranks[n] == ranks[first] && cpus[n] == cpus[first] && what[n] == what[first] {
				alike++
			}
		}
	}
	if nodes == 0 {
		return ""
	}
	more := ""
	switch {
	case nodes > alike:
		more = fmt.Sprintf("; %s had too few CPUs as well", quantity.CountOf(int64(nodes-1), "other node"))
	case nodes == 2:
		more = ", as on another"
	case nodes > 2:
		more = fmt.Sprintf(", as on %d others", nodes-1)
	}
	counter := "record a counter of CPU time"
	if typ := extrae.TaskClock(t.Labels); typ != 0 {
		counter = fmt.Sprintf("pview sim --burst-counter %d --burst-factor 1e-9", typ)
	}
	return fmt.Sprintf(
		"node %d ran %d %s on %s%s: measured computation and calls may contain waiting for a CPU; a counter of "+
			"CPU time tells the computation (%s)",
		first+1, ranks[first], what[first], quantity.CountOf(int64(cpus[first]), "CPU"), more, counter)
}

// cpuOf is the CPU that a thread tells first.
func cpuOf(ev *prv.Events) (cpu int64, ok bool) {
	for i, typ := range ev.Type {
		if typ == extrae.ExecutingCPU {
			return ev.Value.At(i), true
		}
	}
	return 0, false
}
