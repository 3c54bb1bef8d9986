package model_test

import (
	"strings"
	"testing"

	"pview/prv/model"
	"pview/prv/store"
)

// Columns make the same trace as a Builder with the same records: two threads on two nodes, states out of order, an
// event on another CPU, a message.
func TestAssemble(t *testing.T) {
	head := model.Header{Unit: model.Nanoseconds}
	head.AddNode(2)
	head.AddPtask()
	head.AddTask(1, 0)
	head.AddTask(1, 0)
	b := store.NewBuilder(head)
	b.State(0, 1, 50, 90, 3)
	b.State(0, 1, 0, 50, 1)
	b.Event(0, 1, 10, model.Pair{Type: 7, Value: 1}, model.Pair{Type: 8, Value: -1})
	b.Event(0, 2, 40, model.Pair{Type: 7, Value: 0})
	b.State(1, 2, 0, 70, 1)
	b.Comm(model.Comm{Send: 0, Recv: 1, SendCPU: 1, RecvCPU: 2, Times: [4]int64{20, 21, 5, 60}, Size: 100, Tag: 4})
	want, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	columns := func() ([]model.Thread, model.Comms) {
		return []model.Thread{
				{CPU: 1, States: model.States{Begin: []int64{50, 0}, End: []int64{90, 50}, Value: []uint32{3, 1},
					CPU: []int32{1, 1}},
					Events: model.Events{Time: []int64{10, 10, 40}, Type: []uint32{7, 8, 7},
						Value: model.ValuesOf(1, -1, 0),
						CPU:   []int32{1, 1, 2}, Lines: model.Bits{0b101}}},
				{CPU: 2, States: model.States{Begin: []int64{0}, End: []int64{70}, Value: []uint32{1}}},
			}, model.Comms{Send: []int32{0}, Recv: []int32{1}, Times: [4][]int64{{20}, {21}, {5}, {60}},
				Size:    []int64{100},
				Tag:     []int64{4},
				SendCPU: []int32{1}, RecvCPU: []int32{2}}
	}
	threads, comms := columns()
	got, err := model.Assemble(t.Context(), head, threads, comms)
	if err != nil {
		t.Fatal(err)
	}
	if err := model.Equal(got, want); err != nil {
		t.Error(err)
	}
	if got.Duration != 90 || got.Threads[0].States.CPU != nil || got.Threads[0].Events.CPU == nil ||
		got.Comms.SendCPU != nil {
		t.Errorf("duration %d; %+v", got.Duration, got.Threads)
	}
	threads, comms = columns()
	threads[0].States.End = threads[0].States.End[:1]
	if _, err := model.Assemble(t.Context(), head, threads, comms); err == nil ||
		!strings.Contains(err.Error(), "unequal lengths") {
		t.Errorf("a column that is too short: %v", err)
	}
	if _, err := model.Assemble(t.Context(), head, threads[:1], comms); err == nil {
		t.Error("columns of one thread make a trace of two")
	}
}
