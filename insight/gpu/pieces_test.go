package gpu

import (
	"fmt"
	"slices"
	"testing"

	"pview/prv"
	"pview/prv/extrae/device"
)

// Three tasks meet from 10, 30 and 30 on until 100, 100 and 110: of those that begin last the first is late. Task 2
// waits for 20 of all 70 + 80 + 90. In another group a member ends before the other one begins: it waits for all of its
// 10. A part without another is alone.
func TestCollect(t *testing.T) {
	a := &Analysis{Charged: make([]int64, 3)}
	a.collect(map[[2]int64][]member{
		{5, 3}: {{task: 2, device: 22, thread: 12, begin: 10, end: 100, operation: 4, bytes: 64, size: 8},
			{task: 1, device: 21, thread: 11, begin: 30, end: 110, operation: 4, bytes: -1, size: 8},
			{task: 0, device: 20, thread: 10, begin: 30, end: 100, operation: 4, bytes: 32, size: 8}},
		{6, 1}: {{task: 1, device: 21, thread: 11, begin: 40, end: 60, bytes: -1},
			{task: 0, device: 20, thread: 10, begin: 10, end: 20, bytes: -1}},
		{6, 2}: {{task: 1, device: 21, thread: 11, begin: 70, end: 80}},
	})
	want := []Collective{
		{Group: 5, Turn: 2, Operation: 4, Members: 3, Size: 8, Bytes: 64, Begin: 10, Last: 30, Late: 0, lateDevice: 20,
			lateThread: 10, Time: 240, Wait: 20, Transfer: 80},
		{Group: 6, Turn: 0, Members: 2, Bytes: -1, Begin: 10, Last: 40, Late: 1, lateDevice: 21, lateThread: 11,
			Time: 30, Wait: 10, Transfer: 20},
	}
	if !slices.Equal(a.Collectives, want) || a.Alone != 1 || !slices.Equal(a.Charged, []int64{20, 10, 0}) {
		t.Errorf("%+v, %d alone, charged %v", a.Collectives, a.Alone, a.Charged)
	}
	if a.lastOf[part{12, 10}] != &a.Collectives[0] || a.lastOf[part{10, 10}] != &a.Collectives[1] {
		t.Error("parts belong to other collectives")
	}
}

// A part needs an operation, a group and a state of communication that takes time.
func TestMembers(t *testing.T) {
	h := prv.Header{Unit: prv.Nanoseconds, End: 200}
	h.AddPtask()
	h.AddTask(1, -1)
	b := prv.NewBuilder(h)
	for _, x := range []struct {
		at, end, operation, group, bytes int64 // -1: not recorded
		state                            uint32
	}{
		{10, 20, 3, 1, 100, device.Communicating},
		{30, 40, 3, -1, 0, device.Communicating}, // no group
		{50, 60, -1, 1, 0, device.Communicating}, // no operation
		{70, 80, 3, 1, 0, device.Copying},
		{90, 91, 3, 2, -1, device.Exchanging},
		{110, 110, 3, 1, 0, device.Communicating},
	} {
		b.State(0, 0, x.at, x.end, x.state)
		b.Event(0, 0, x.at, slices.DeleteFunc([]prv.Pair{{Type: device.Operation, Value: x.operation},
			{Type: device.Group, Value: x.group}, {Type: device.BytesIn, Value: x.bytes},
			{Type: device.OperationTurn, Value: 5}, {Type: device.GroupSize, Value: 8}},
			func(p prv.Pair) bool { return p.Value < 0 })...)
	}
	trace, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	parts := map[[2]int64][]member{}
	membersOf(trace, 0, 7, parts)
	want := map[[2]int64]member{
		{1, 5}: {device: 7, begin: 10, end: 20, operation: 3, bytes: 100, size: 8},
		{2, 5}: {device: 7, begin: 90, end: 91, operation: 3, bytes: -1, size: 8},
	}
	for key, m := range want {
		if !slices.Equal(parts[key], []member{m}) {
			t.Errorf("group %d: %+v, want %+v", key[0], parts[key], m)
		}
	}
	if len(parts) != len(want) {
		t.Errorf("%d groups", len(parts))
	}
}

// Gaps up to the next operation: from 10 to 30, launched at 10, it depends on something; from 40 to 44 it is launched
// late, at 41; 3 are short, and 5 are not. From 60 on communication waits until 65 for its last member.
func TestDivide(t *testing.T) {
	d := &Device{work: []operation{
		{begin: 60, end: 70, call: -1, thread: 4, state: device.Communicating},
		{begin: 0, end: 10, call: -1, state: device.Computing},
		{begin: 30, end: 40, call: 10, state: device.Computing},
		{begin: 44, end: 45, call: 41, state: device.Copying},
		{begin: 48, end: 55, call: -1, state: device.Computing},
		{begin: 50, end: 58, call: -1, state: device.Copying}, // hidden until 55
	}}
	d.divide(5, map[part]*Collective{{4, 60}: {Last: 65}})
	want := []Piece{{0, 10, Computing, 0}, {10, 30, Dependent, 1}, {30, 40, Computing, 1}, {40, 41, NotLaunched, 2},
		{41, 44, Launching, 2}, {44, 45, Copying, 2}, {45, 48, Between, 3}, {48, 55, Computing, 3},
		{55, 58, Copying, 4}, {58, 60, Between, 5}, {60, 65, Waiting, 5}, {65, 70, Transferring, 5}}
	if !slices.Equal(d.Pieces, want) {
		t.Errorf("%v, want %v", d.Pieces, want)
	}
	if d.Begin != 0 || d.End != 70 || d.Operations != 6 || d.Compute != 27 || d.Comm != 10 || d.Memory != 9 ||
		d.ExposedComm != 10 || d.ExposedMemory != 4 || d.Busy != 41 || d.Overlap != 0 {
		t.Errorf("%+v", d)
	}
	whole := &Device{work: []operation{{end: 10, call: -1, state: device.Computing},
		{begin: 15, end: 20, call: -1, state: device.Computing}}}
	if whole.divide(5, nil); whole.Uses[Dependent] != 5 || whole.Uses[Between] != 0 {
		t.Errorf("a gap of 5 is not short: %v", whole.Uses)
	}
}

// A wait is divided by the pieces of the late device, from 10 to 11, to 15, from 18 to 20 and on to 30: those that only
// touch it have no part in it.
func TestWhyInPieces(t *testing.T) {
	late := Device{Pieces: []Piece{{0, 10, Computing, 0}, {10, 11, Copying, 0}, {11, 15, Launching, 0},
		{18, 20, Between, 0}, {20, 30, Computing, 0}}}
	a := &Analysis{Devices: []Device{{work: []operation{{begin: 10, thread: 1}}}, late},
		lastOf: map[part]*Collective{{1, 10}: {lateDevice: 1}}}
	for _, c := range []struct {
		begin, end int64
		want       string
	}{
		{10, 20, " 10-11 of 10 11-15 of 11 15-18 18-20 of 18"},
		{12, 14, " 12-14 of 11"},
		{25, 40, " 25-30 of 20 30-40"},
		{30, 31, " 30-31"},
	} {
		got := ""
		a.Why(&a.Devices[0], &Piece{c.begin, c.end, Waiting, 0}, func(d *Device, p *Piece, begin, end int64) {
			if got += fmt.Sprintf(" %d-%d", begin, end); p != nil {
				got += fmt.Sprint(" of ", p.Begin)
			}
		})
		if got != c.want {
			t.Errorf("%d to %d:%s, want%s", c.begin, c.end, got, c.want)
		}
	}
}

// Operations have names, idle time has causes.
func TestDoes(t *testing.T) {
	d, a := &Device{work: []operation{{}}}, &Analysis{}
	for use, want := range []string{Computing: "work without a name", Copying: "work without a name",
		NotLaunched: "late launch", Launching: "launch", Between: "gap between kernels",
		Dependent: "dependency or unknown launch"} {
		if got := a.Does(nil, d, &Piece{Use: Use(use)}); want != "" && got != want {
			t.Errorf("use %d: %q, want %q", use, got, want)
		}
	}
	if got := a.Does(nil, d, nil); got != "time without work" {
		t.Error(got)
	}
}

// The least size and time that have a rate: 65,536 bytes in 1 ns.
func TestLeastBandwidth(t *testing.T) {
	c := Collective{Bytes: 64 << 10, Transfer: 1, Members: 2, Operation: device.Broadcast}
	if got, ok := c.busBandwidth(1); !ok || got != 65536 {
		t.Error(got, ok)
	}
}

// Two kernels begin at 20, and each has its launch: from 5 and from 7. A link that arrives at 40 is for no operation.
// Of the events that the copy at 60 waits for, the first of those that are sent last, at 50, counts. The kernel at 80
// has no name and no launch, and a state of another kind is no operation.
func TestOperationsOf(t *testing.T) {
	h := prv.Header{Unit: prv.Nanoseconds, End: 100}
	h.AddPtask()
	h.AddTask(2, -1)
	b := prv.NewBuilder(h)
	for _, s := range [][3]int64{{20, 20, device.Computing}, {20, 30, device.Computing}, {40, 45, 3},
		{60, 70, device.Copying}, {80, 90, device.Computing}} {
		b.State(1, 0, s[0], s[1], uint32(s[2]))
	}
	b.Event(1, 0, 20, prv.Pair{Type: device.Kernel, Value: 8})
	b.Event(1, 0, 30, prv.Pair{Type: device.Kernel, Value: 0})
	b.Event(1, 0, 60, prv.Pair{Type: device.Kernel, Value: 9}, prv.Pair{Type: device.Memory, Value: 6})
	for i, m := range [][4]int64{{5, 5, 20, device.LaunchTag}, {7, 7, 20, device.LaunchTag},
		{31, 31, 40, device.LinkTag}, {32, 32, 60, device.EventTag}, {33, 50, 60, device.EventTag},
		{34, 50, 60, device.EventTag}, {35, 35, 60, device.LaunchCopyTag}} {
		b.Comm(prv.Comm{Send: 0, Recv: 1, Times: [4]int64{m[0], m[1], m[2], m[2]}, Size: int64(i), Tag: m[3]})
	}
	trace, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	want := []operation{
		{begin: 20, end: 20, call: 5, launch: 0, event: -1, name: 8, typ: device.Kernel, state: device.Computing},
		{begin: 20, end: 30, call: 7, launch: 1, event: -1, name: 8, typ: device.Kernel, state: device.Computing},
		{begin: 60, end: 70, call: 35, launch: 6, event: 4, name: 6, typ: device.Memory, state: device.Copying},
		{begin: 80, end: 90, call: -1, launch: -1, event: -1, state: device.Computing},
	}
	for i := range want {
		want[i].thread = 1
	}
	if got := operationsOf(trace, 1); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
