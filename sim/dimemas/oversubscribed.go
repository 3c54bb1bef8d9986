package dimemas

// Traces of nodes with more ranks than CPUs.

import (
	"fmt"

	"pview/prv"
)

// oversubscribed describes nodes on which more ranks ran than there were CPUs: elapsed time between calls is then not
// the ranks' own. It is "" where every rank had a CPU, where the trace does not say what CPUs there were, and where a
// counter has the length of computation. A predicted trace shows waits for a CPU as states.
func oversubscribed(t *prv.Trace, opt *TranslateOptions) string {
	if opt.CounterType != 0 || isPredicted(t) {
		return ""
	}
	ranks := make([]int32, len(t.Nodes))
	for _, task := range t.Tasks {
		if task.Node >= 0 && int(task.Node) < len(ranks) {
			ranks[task.Node]++
		}
	}
	nodes, first := 0, -1
	for n, r := range ranks {
		if r > t.Nodes[n].CPUs {
			if nodes++; first < 0 {
				first = n
			}
		}
	}
	if nodes == 0 {
		return ""
	}
	more := ""
	if nodes > 1 {
		more = fmt.Sprintf(", as on %d others", nodes-1)
	}
	return fmt.Sprintf(
		"node %d ran %d ranks on %d CPUs%s: measured computation may contain waiting for a CPU; a counter of CPU "+
			"time does not (pview sim --burst-counter)",
		first+1, ranks[first], t.Nodes[first].CPUs, more)
}
