package traffic_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pview/insight/traffic"
	"pview/prv"
	"pview/prv/extrae/device"
	"pview/sim/dimemas"
	"pview/sim/topology"
)

// run returns a trace of 4 tasks with messages {from, to, sent, received, bytes}.
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

// A message that takes no time counts at its send: at 50 it is within 50 to 100, at 100 no more. One that arrives
// before it is sent counts likewise.
func TestMessagesOfNoTime(t *testing.T) {
	for _, c := range []struct {
		sent, received int64
		within         bool
	}{{50, 50, true}, {99, 99, true}, {49, 49, false}, {100, 100, false}, {60, 40, true}, {40, 30, false}} {
		got, err := traffic.Collect(context.Background(), run(t, [5]int64{0, 1, c.sent, c.received, 8}), 50, 100)
		if err != nil || len(got.Pairs) == 1 != c.within {
			t.Errorf("from %d to %d: %v, %v", c.sent, c.received, got.Pairs, err)
		} else if c.within && got.Pairs[0].Bytes != 8 {
			t.Errorf("from %d to %d: %g of 8 bytes", c.sent, c.received, got.Pairs[0].Bytes)
		}
	}
}

// Pairs are in the order of senders, then receivers, whatever the order of their messages.
func TestOrderOfPairs(t *testing.T) {
	tr := run(t, [5]int64{2, 0, 0, 9, 8}, [5]int64{0, 3, 0, 9, 8}, [5]int64{2, 1, 0, 9, 8}, [5]int64{0, 1, 0, 9, 8})
	got, err := traffic.Collect(context.Background(), tr, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	var order [][2]int32
	for _, p := range got.Pairs {
		order = append(order, [2]int32{p.From, p.To})
	}
	if want := [][2]int32{{0, 1}, {0, 3}, {2, 0}, {2, 1}}; !slices.Equal(order, want) {
		t.Errorf("%v, want %v", order, want)
	}
}

// Tasks of one processor are 0 links apart: their messages count in no link and in the average. 3 messages of 100 bytes
// over 0 links and 1 over 2 are 0.5 links on average. Of nothing the average is 0, and half a byte is not a whole one.
func TestTasksOfOneProcessor(t *testing.T) {
	ring, err := topology.Parse("ring 4", 4)
	if err != nil {
		t.Fatal(err)
	}
	n := &traffic.Network{Topology: ring, At: []int32{0, 0, 2, 3}}
	all := &traffic.Traffic{Tasks: 4, Pairs: []traffic.Pair{{From: 0, To: 1, Messages: 3, Bytes: 300},
		{From: 0, To: 2, Messages: 1, Bytes: 100}}}
	list := all.ByDistance(n)
	if want := []traffic.Distance{{Links: 0, Messages: 3, Bytes: 300}, {Links: 1},
		{Links: 2, Messages: 1, Bytes: 100}}; !slices.Equal(list, want) {
		t.Errorf("%v, want %v", list, want)
	}
	if m, b := traffic.Mean(list); m != 0.5 || b != 0.5 {
		t.Errorf("on average %g links a message, %g a byte", m, b)
	}
	if links := all.Links(n); len(links) != 2 || links[0].Messages != 1 {
		t.Errorf("links %v", links)
	}
	if m, b := traffic.Mean(nil); m != 0 || b != 0 {
		t.Errorf("of nothing %g, %g", m, b)
	}
	if m, b := traffic.Mean([]traffic.Distance{{}, {Links: 1, Messages: 1, Bytes: 0.5}}); m != 1 || b != 0.5 {
		t.Errorf("of one message %g, %g", m, b)
	}
}

// Links are no traffic: a flow of another tool from process to process, with the tag of links and without bytes. A
// message that happens to have this tag has bytes.
func TestLinks(t *testing.T) {
	var head prv.Header
	head.AddPtask()
	head.AddTask(2, -1)
	head.AddTask(1, -1)
	b := prv.NewBuilder(head)
	for _, m := range []prv.Comm{{Recv: 2, Tag: device.LinkTag}, {Recv: 2, Tag: device.LinkTag, Size: 8},
		{Recv: 2, Tag: device.LaunchTag, Size: 16}, {Recv: 1, Tag: device.LaunchTag},
		{Recv: 1, Tag: device.EventTag}} {
		m.Times = [4]int64{0, 0, 10, 10}
		b.Comm(m)
	}
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	got, err := traffic.Collect(context.Background(), tr, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	if want := []traffic.Pair{{From: 0, To: 1, Messages: 2, Bytes: 24}}; !slices.Equal(got.Pairs, want) {
		t.Errorf("%v, not %v", got.Pairs, want)
	}
	p, err := dimemas.FromTrace(context.Background(), tr, dimemas.TranslateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	said := func(s string) bool { return strings.HasPrefix(s, "3 links") }
	if p.Links != 3 || !slices.ContainsFunc(p.Remarks(), said) {
		t.Errorf("%d links, %q", p.Links, p.Remarks())
	}
}
