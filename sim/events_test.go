package sim

import (
	"slices"
	"testing"
)

// Events between two actions are one line; idle marks and events of the tracer, which are not recorded, do not end it.
func TestEventColumns(t *testing.T) {
	p := &Program{}
	p.AddPtask()
	p.AddTask(1)
	p.AddTask(1)
	th := &p.Threads[0]
	th.AddCompute(5)
	th.AddEvent(11, 1)
	th.AddEvent(12, -2)
	th.AddIdle(true)
	th.AddEvent(tracerType, 9)
	th.AddEvent(PriorityType, 3)
	th.AddEvent(13, 1<<40)
	th.AddMessage(Send, Message{Peer: 1})
	th.AddEvent(11, 4)
	th.AddMessage(Isend, Message{Peer: 1})
	th.AddMessage(Recv, Message{Peer: 1})
	p.Threads[1].AddMessage(Send, Message{})
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	c := p.EventColumns()[0]
	var values []int64
	var lines []bool
	for i := range c.Type {
		values, lines = append(values, c.Value.At(i)), append(lines, c.Lines.Has(i))
	}
	if !slices.Equal(c.Type, []uint32{11, 12, 13, 11}) || !slices.Equal(values, []int64{1, -2, 1 << 40, 4}) ||
		!slices.Equal(lines, []bool{true, false, false, true}) {
		t.Errorf("types %v, values %v, lines %v", c.Type, values, lines)
	}
	if c.Actions != 11-4 || c.Sends != 2 || p.EventColumns()[1].Sends != 1 {
		t.Errorf("%d other records, %d sends", c.Actions, c.Sends)
	}
	// 4 events of 16 bytes, 7 states of 24, 2 messages of 72; one more state and message.
	if got, want := p.PredictedBytes(), int64(4*16+7*24+2*72+24+72); got != want {
		t.Errorf("%d bytes, want %d", got, want)
	}
}
