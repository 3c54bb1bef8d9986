package tracecmd

import (
	"testing"

	"pview/prv"
)

// Ranks of the first program on another or an unknown node are counted; other programs of the run are not steered.
func TestElsewhere(t *testing.T) {
	trace := &prv.Trace{}
	for range 3 {
		trace.AddNode(2)
	}
	trace.AddPtask()
	for _, node := range []int{0, 0, 1, 2} {
		trace.AddTask(1, node)
	}
	trace.AddPtask()
	trace.AddTask(1, 1)
	trace.Names = &prv.Names{}
	trace.Names.Levels[prv.LevelNode] = []string{"here", "there", "?"}
	for node, want := range map[string]int64{"here": 2, "there": 3} {
		if got := elsewhere(trace, node); got != want {
			t.Errorf("%d ranks are not on %s, want %d", got, node, want)
		}
	}
}
