package traffic_test

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"pview/insight/traffic"
	"pview/prv"
	"pview/sim/topology"
)

// run is a trace of 4 tasks with messages {from, to, sent, received, bytes}.
func run(t *testing.T, messages ...[5]int64) *prv.Trace {
	t.Helper()
	var head prv.Header
	head.AddNode(4)
	head.AddPtask()
	for range 4 {
		head.AddTask(1, 0)
	}
	b := prv.NewBuilder(head)
	for _, m := range messages {
		b.Comm(prv.Comm{Send: int32(m[0]), Recv: int32(m[1]), Times: [4]int64{m[2], m[2], m[3], m[3]}, Size: m[4]})
	}
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// TestCollect: on a ring of 4 with a task on each processor. 0 sends 1000 bytes to 2 from 0 to 100 ns, over 0-1 and 1-2
// (ties go up), and 1 sends 300 to 2 from 50 to 80. In the stretch from 50 to 100 there is half of the first and all of
// the second: 0-1 carries 500 bytes, 1-2 800.
func TestCollect(t *testing.T) {
	tr := run(t, [5]int64{0, 2, 0, 100, 1000}, [5]int64{1, 2, 50, 80, 300}, [5]int64{3, 3, 0, 100, 7},
		[5]int64{3, 0, 120, 130, 9})
	got, err := traffic.Collect(context.Background(), tr, 50, 100)
	if err != nil {
		t.Fatal(err)
	}
	want := []traffic.Pair{{From: 0, To: 2, Messages: 1, Bytes: 500}, {From: 1, To: 2, Messages: 1, Bytes: 300}}
	if !slices.Equal(got.Pairs, want) {
		t.Errorf("%v, not %v", got.Pairs, want)
	}
	if p := got.Between(1, 2); p == nil || p.Bytes != 300 || got.Between(2, 1) != nil {
		t.Errorf("between 1 and 2: %v", p)
	}
	ring, err := topology.Parse("ring 4", 4)
	if err != nil {
		t.Fatal(err)
	}
	n := &traffic.Network{Topology: ring, At: []int32{0, 1, 2, 3}}
	if links := got.Links(n); !slices.Equal(links,
		[]traffic.Load{{From: 1, To: 2, Messages: 2, Bytes: 800}, {From: 0, To: 1, Messages: 1, Bytes: 500}}) {
		t.Errorf("links %v", links)
	}
	far := got.ByDistance(n)
	if !reflect.DeepEqual(far, []traffic.Distance{{}, {Links: 1, Messages: 1, Bytes: 300},
		{Links: 2, Messages: 1, Bytes: 500}}) {
		t.Errorf("by distance %v", far)
	}
	if m, b := traffic.Mean(far); m != 1.5 || b != 1.625 { // (1*300 + 2*500) / 800
		t.Errorf("on average %g links a message, %g a byte", m, b)
	}
	cancelled, stop := context.WithCancel(context.Background())
	stop()
	if _, err := traffic.Collect(cancelled, tr, 0, 100); err == nil {
		t.Error("a cancelled collection")
	}
}
