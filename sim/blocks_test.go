package sim

import (
	"slices"
	"testing"
)

// TestBlocks: f of 5 ns calls g of 3 ns, computes 2 ns more; a counter is no block; outside of all 7 ns.
func TestBlocks(t *testing.T) {
	p := &Program{}
	p.AddPtask()
	p.AddTask(1)
	th := &p.Threads[0]
	th.AddCompute(7)
	th.AddEvent(60000019, 1)
	th.AddEvent(42000050, 1000)
	th.AddCompute(5)
	th.AddEvent(60000019, 2)
	th.AddEvent(42000050, 2000)
	th.AddCompute(3)
	th.AddEvent(60000019, 0)
	th.AddCompute(2)
	th.AddEvent(60000019, 0)
	th.AddEvent(42000050, 3000)
	got := Blocks(p)
	want := []Block{{60000019, 1, 7, 1}, {60000019, 2, 3, 1}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, not %+v", got, want)
	}
}
