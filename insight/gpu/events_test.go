package gpu

import (
	"slices"
	"testing"

	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/extrae/device"
)

// withEvents is a run in us of a host and two streams, of which the second waits for events of the first. An operation
// has the start and end of its launch, if that is recorded.
//
//	stream 1: Z 12..18 (launched 0..5), A 20..120 (8..10), Q at 130, D 300..310 (290..295)
//	stream 2: B 120..200 (30..40), C 200..260, E 295..300 (296..299), F 340..350, G 380..390
//
// B waits for events behind Z and A. D waits for one of stream 2 at 270, 10 us after an operation of that ends.
func withEvents(t *testing.T) (*prv.Trace, *Analysis) {
	t.Helper()
	h := prv.Header{Unit: prv.Microseconds}
	h.AddNode(1)
	h.AddPtask()
	h.AddTask(3, 0)
	b := prv.NewBuilder(h)
	b.State(0, 0, 0, 100, 1)
	for _, e := range [][4]int64{{1, 2, 120, 120}, {1, 2, 18, 120}, {2, 1, 270, 300}} {
		b.Comm(prv.Comm{Send: int32(e[0]), Recv: int32(e[1]), Tag: device.EventTag,
			Times: [4]int64{e[2], e[2], e[3], e[3]}})
	}
	type op struct {
		stream       int32
		begin, end   int64
		call, called int64
	}
	var names []prv.ValueLabel
	for i, o := range []op{{1, 12, 18, 0, 5}, {1, 20, 120, 8, 10}, {1, 130, 130, -1, 0}, {1, 300, 310, 290, 295},
		{2, 120, 200, 30, 40}, {2, 200, 260, -1, 0}, {2, 295, 300, 296, 299}, {2, 340, 350, -1, 0},
		{2, 380, 390, -1, 0}} {
		name := prv.ValueLabel{Value: int64(i) + 1, Label: "ZAQDBCEFG"[i : i+1]}
		names = append(names, name)
		b.State(o.stream, 0, o.begin, o.end, device.Computing)
		b.Event(o.stream, 0, o.begin, prv.Pair{Type: device.TypeOf(device.Computing), Value: name.Value})
		if o.call >= 0 {
			b.Comm(prv.Comm{Recv: o.stream, Tag: device.LaunchTag,
				Times: [4]int64{o.call, o.called, o.begin, o.begin}})
		}
	}
	trace := runtest.Build(t, b)
	runtest.NameThreads(t, trace, "host", "CUDA-D0.S1", "CUDA-D0.S2")
	trace.Labels = &prv.Labels{}
	trace.Labels.AddType(device.TypeOf(device.Computing), "CUDA kernel", names...)
	return analysed(t, trace, nil)
}

// Gaps of stream 1: 2 and 10 us are between kernels, 170 us are until the launch of D. Of stream 2: 35 until that of E,
// which begins before it; 40 and 30 us, which are not short. Delays: 7, 10 and 5 us; 80 and none.
func TestGapsAndDelays(t *testing.T) {
	_, a := withEvents(t)
	want := []Stream{{Operations: 4, Busy: 116, HostWait: 170, KernelWait: 12, Launched: 3, Delay: 22, LongestDelay: 10,
		LongestQueue: 2}, {Operations: 5, Busy: 165, HostWait: 35, Other: 70, Launched: 2, Delay: 80, LongestDelay: 80,
		Early: 1, LongestQueue: 1}}
	for i := range want {
		want[i].Thread, want[i].Stream = a.Streams[i].Thread, a.Streams[i].Stream
		if a.Streams[i] != want[i] {
			t.Errorf("%+v, want %+v", a.Streams[i], want[i])
		}
	}
	// All kernels: 6 us of Z, 20 to 260, 295 to 310, 20 us of F and G. 2 us are between Z and A, 35 until E, for whose
	// launch it waits, and 30 each before F and G.
	d := &a.Devices[0]
	if d.Compute != 281 || d.Span() != 378 || a.Elapsed != 378 {
		t.Errorf("%d of %d compute", d.Compute, d.Span())
	}
	if want := [NumUses]int64{Computing: 281, Between: 2, NotLaunched: 35, Dependent: 60}; d.Uses != want {
		t.Errorf("uses %v, want %v", d.Uses, want)
	}
}

// What operations wait for: B for the later of its events; at that of D nothing ends. What takes no time has not begun
// before it ends.
func TestAwaitedEvents(t *testing.T) {
	trace, a := withEvents(t)
	o := a.Order()
	b, _ := o.From(2, 120)
	if before, ok := o.Awaited(trace, b); !ok || before.Begin != 20 || before.End != 120 {
		t.Errorf("B awaits %+v, %v", before, ok)
	}
	d, _ := o.From(1, 300)
	if before, ok := o.Awaited(trace, d); ok {
		t.Errorf("D awaits %+v", before)
	}
	z, _ := o.From(1, 12)
	if before, ok := o.Awaited(trace, z); ok {
		t.Errorf("Z awaits %+v", before)
	}
	for at, begin := range map[int64]int64{17: -1, 18: 12, 130: 20, 131: 130, 200: 120} {
		if x, ok := o.Ended(0, at); ok != (begin >= 0) || ok && x.Begin != begin {
			t.Errorf("ended by %d: %+v, %v", at, x, ok)
		}
	}
}

// A in half of its time ends at 70, B at 150 and C at 210, but E begins at 295, with its launch, as before. In three
// times its time it ends at 320, B at 400, C at 460, and E follows at once: it had waited for its launch. F begins 40
// us behind the end of E, at 505, G 30 us behind that of F, and ends at 555.
func TestReplayOfEvents(t *testing.T) {
	trace, a := withEvents(t)
	for question, want := range map[string]Outcome{
		"kernel=A:1":   {End: 390, Elapsed: 378},
		"kernel=A:0.5": {End: 390, Elapsed: 378},
		"kernel=A:3":   {End: 555, Elapsed: 543},
	} {
		if got := answerTo(t, trace, a, question).Is; got != want {
			t.Errorf("%s: %+v, want %+v", question, got, want)
		}
	}
}

// A factor is from 0 to 1000, behind a colon.
func TestFactors(t *testing.T) {
	trace, a := withEvents(t)
	for question, ok := range map[string]bool{"kernel=A:0": true, "kernel=A:1000": true, "kernel=A:-0.1": false,
		"kernel=A:1000.1": false, "kernel=A:x": false, "kernel=A:NaN": false, "kernel=A": false, "5": false, "": false,
		":5": false, "collectives:1": false, "kernel=H:1": false} {
		if err := a.Ask(trace, []string{question}); (err == nil) != ok {
			t.Errorf("%q: %v", question, err)
		}
	}
}

// Two devices of task 0 compute for 10 and 20 in x, a device of task 1 for 5, and for 7 in y.
func TestSurplusesOfDevices(t *testing.T) {
	k := &Kernels{names: []string{"x", "y"}, devices: []Device{{Task: 0}, {Task: 0}, {Task: 1}},
		work: [][]Work{{{10, 1}}, {{20, 3}}, {{5, 1}, {7, 1}}}}
	for task, want := range [][]Surplus{{{"x", Work{15, 2}, Work{5, 1}}, {"y", Work{}, Work{7, 1}}},
		{{"y", Work{7, 1}, Work{}}, {"x", Work{5, 1}, Work{15, 2}}}, nil} {
		if got := k.Surpluses(int32(task)); !slices.Equal(got, want) {
			t.Errorf("task %d: %v, want %v", task, got, want)
		}
	}
	k.devices, k.work = k.devices[:2], k.work[:2]
	if got := k.Surpluses(0); got != nil {
		t.Errorf("without other tasks: %v", got)
	}
}
