package dimemas

// Traces of nodes with more ranks than CPUs.

import (
	"fmt"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/quantity"
)

// oversubscribed describes nodes on which more ranks ran than there were CPUs: elapsed time between calls then includes
// other ranks' time, and calls wait for ranks without a CPU. The nodes of a trace may be nominal; if threads record
// their CPUs, and these are at most half as many, they count. It returns "" if every rank had a CPU, if the trace does
// not show the CPUs, and if a counter gives the length of computation. A predicted trace shows waits for a CPU as
// states.
func oversubscribed(t *prv.Trace, opt *TranslateOptions) string {
	if opt.CounterType != 0 || isPredicted(t) {
		return ""
	}
	nodes, alike, first := 0, 0, -1
	loads := nodeLoads(t)
	for n := range loads {
		if loads[n].runs > loads[n].cpus {
			if nodes++; first < 0 {
				first = n
			}
			if loads[n] == loads[first] {
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
		first+1, loads[first].runs, loads[first].what, quantity.CountOf(int64(loads[first].cpus), "CPU"), more, counter)
}

// nodeLoad is the number of ranks, or of threads, on the CPUs of a node.
type nodeLoad struct {
	runs, cpus int32
	what       string
}

// nodeLoads returns the load of each node: its threads' load if at least two for each CPU recorded where they ran.
func nodeLoads(t *prv.Trace) []nodeLoad {
	loads := make([]nodeLoad, len(t.Nodes))
	for n := range loads {
		loads[n] = nodeLoad{cpus: t.Nodes[n].CPUs, what: "ranks"}
	}
	tellers, seen := make([]int32, len(t.Nodes)), make([]map[int64]bool, len(t.Nodes))
	for _, task := range t.Tasks {
		n := task.Node
		if n < 0 || int(n) >= len(loads) {
			continue
		}
		loads[n].runs++
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
	for n := range loads {
		if s := int32(len(seen[n])); s > 0 && 2*s <= tellers[n] {
			loads[n] = nodeLoad{tellers[n], s, "threads"}
		}
	}
	return loads
}

// cpuOf returns the first CPU that a thread records.
func cpuOf(ev *prv.Events) (cpu int64, ok bool) {
	for i, typ := range ev.Type {
		if typ == extrae.ExecutingCPU {
			return ev.Value.At(i), true
		}
	}
	return 0, false
}
