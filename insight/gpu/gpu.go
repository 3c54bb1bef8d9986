// Package gpu explains the work of accelerators: how the time of each device divides into computation, communication,
// copies and idle time, why its streams are idle, how long launches take, how much of a collective is waiting for the
// last rank, and which rank that is. It reads the streams named in a trace (package device), whichever tool recorded
// them.
//
// Intervals are [begin, end). K is the union of a device's kernels, C of its communication kernels, M of its copies and
// sets, A of all, span is the time from the first start to the last end.
package gpu

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"pview/prv"
	"pview/prv/extrae/device"
)

// ShortGap is the length below which an idle gap is the time between two kernels rather than a dependency, in ns.
const ShortGap = 30_000

// ErrNoDevice: the trace has no stream with work.
var ErrNoDevice = errors.New("no work of devices in this trace: no thread is a stream, such as CUDA-D0.S7")

// Analysis is the answer. Times are in the trace's unit.
type Analysis struct {
	Devices     []Device
	Streams     []Stream
	Steps       []Step
	Collectives []Collective
	Alone       int     // collectives with only one recorded member
	Charged     []int64 // waits for each task, as the last to begin
	Begin       int64   // first start of all devices
	Elapsed     int64   // of all devices, from the first begin to the last end

	// Answer has the answer to the questions of Ask; nil: no questions.
	Answer *Answer

	lastOf map[part]*Collective
}

// Device is a device of a task. Compute + ExposedComm + ExposedMemory + Idle = Span.
type Device struct {
	Task   int32
	Number int
	Kind   string

	Begin, End                 int64
	Busy                       int64 // |A|
	Compute, Comm, Memory      int64 // |K|, |C|, |M|
	ExposedComm, ExposedMemory int64 // |C \ K|, |M \ (K u C)|
	Overlap                    int64 // |C n K|
	Operations                 int64

	// Pieces divide its time from Begin to End, Uses are their sums.
	Pieces []Piece
	Uses   [NumUses]int64

	work []operation // by begin
}

// Span returns the time from the first begin to the last end.
func (d *Device) Span() int64 { return d.End - d.Begin }

// Idle returns the time without any operation.
func (d *Device) Idle() int64 { return d.Span() - d.Busy }

// Stream is a queue of a device.
type Stream struct {
	Thread int32
	Task   int32
	device.Stream
	Operations, Busy int64
	// Gaps between operations by cause: a late launch of the next one, the usual time between two kernels, or a
	// dependency (an event of another stream, memory).
	HostWait, KernelWait, Other int64
	Launched                    int64 // operations with a launch call
	Delay, LongestDelay         int64 // from the end of the call to the start of the operation
	Early                       int64 // operations that begin before their call
	LongestQueue                int   // launched operations that have not begun
}

// Step is an iteration of a task.
type Step struct {
	Task int32
	device.Step
}

// Collective is an operation of a group: all of the recorded members.
type Collective struct {
	Group, Turn, Operation int64
	Members                int   // recorded
	Size                   int64 // of the group; 0: unknown
	Bytes                  int64 // in, of a member; -1: unknown
	Begin, Last            int64 // first and last start
	Late                   int32 // the task that begins last
	lateDevice, lateThread int32
	Time                   int64 // of all members
	Wait                   int64 // of it, before the last begins
	Transfer               int64 // from the last begin to the last end
}

// NotSimulated lists what simulations of a trace with devices lack.
const NotSimulated = "launches, streams and collectives of devices are not simulated"

// Analyze analyses the devices of a trace.
func Analyze(ctx context.Context, t *prv.Trace) (*Analysis, error) {
	a := &Analysis{Charged: make([]int64, len(t.Tasks))}
	gap := int64(ShortGap) / t.Unit.Nanoseconds()
	type key struct {
		task   int32
		number int
	}
	of := map[key]int{}
	parts := map[[2]int64][]member{}
	var hosts []int32
	for i := range t.Threads {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s, ok := device.StreamOf(t, i)
		if !ok {
			hosts = append(hosts, int32(i))
			continue
		}
		work := operationsOf(t, int32(i))
		if len(work) == 0 {
			continue
		}
		stream := Stream{Thread: int32(i), Task: t.ThreadTask[i], Stream: s}
		stream.measure(t, work, gap)
		a.Streams = append(a.Streams, stream)
		k := key{stream.Task, s.Device}
		n, ok := of[k]
		if !ok {
			n = len(a.Devices)
			of[k], a.Devices = n, append(a.Devices, Device{Task: stream.Task, Number: s.Device, Kind: s.Kind})
		}
		a.Devices[n].work = append(a.Devices[n].work, work...)
		membersOf(t, int32(i), int32(n), parts)
	}
	if len(a.Devices) == 0 {
		return nil, ErrNoDevice
	}
	if steps := device.StepsOf(t); steps != nil {
		for _, host := range hosts {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for _, s := range steps.Of(&t.Threads[host].Events) {
				a.Steps = append(a.Steps, Step{t.ThreadTask[host], s})
			}
		}
	}
	a.collect(parts)
	end := int64(0)
	a.Begin = math.MaxInt64
	for i := range a.Devices {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		d := &a.Devices[i]
		d.divide(gap, a.lastOf)
		a.Begin, end = min(a.Begin, d.Begin), max(end, d.End)
	}
	a.Elapsed = end - a.Begin
	return a, nil
}

// measure finds gaps, launches and the queue of a stream.
func (s *Stream) measure(t *prv.Trace, work []operation, gap int64) {
	s.Operations, s.Busy = int64(len(work)), covered(work, nil)
	c := &t.Comms
	var queue []change
	end := work[0].begin
	for i := range work {
		o := &work[i]
		if o.launch >= 0 {
			delay := max(0, o.begin-c.Times[prv.PhysicalSend][o.launch])
			s.Launched, s.Delay, s.LongestDelay = s.Launched+1, s.Delay+delay, max(s.LongestDelay, delay)
			if o.begin < o.call {
				s.Early++
			}
			queue = append(queue, change{o.call, 1}, change{max(o.call, o.begin), -1})
		}
		if o.begin > end {
			switch {
			case o.call > end:
				s.HostWait += o.begin - end
			case o.begin-end < gap:
				s.KernelWait += o.begin - end
			default:
				s.Other += o.begin - end
			}
		}
		end = max(end, o.end)
	}
	slices.SortFunc(queue, func(x, y change) int { return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(y.by, x.by)) })
	depth := 0
	for _, q := range queue {
		depth += q.by
		s.LongestQueue = max(s.LongestQueue, depth)
	}
}

// change is a change in the length of a queue.
type change struct {
	at int64
	by int
}

// covered returns the length of the union of the operations in the given states, nil: of all. Operations are in the
// order of their begins.
func covered(work []operation, in func(uint32) bool) (sum int64) {
	until := int64(math.MinInt64)
	for i := range work {
		o := &work[i]
		if in != nil && !in(o.state) || o.end <= until {
			continue
		}
		sum += o.end - max(o.begin, until)
		until = o.end
	}
	return sum
}

// Efficiency are the factors of the devices as BSC and TALP define them: Parallel = LoadBalance x Communication x
// Orchestration.
type Efficiency struct{ Parallel, LoadBalance, Communication, Orchestration float64 }

// Efficiency returns the factors; ok is false if no device computes.
func (a *Analysis) Efficiency() (e Efficiency, ok bool) {
	sum, most, busiest := int64(0), int64(0), int64(0)
	for i := range a.Devices {
		d := &a.Devices[i]
		sum, most, busiest = sum+d.Compute, max(most, d.Compute), max(busiest, d.Busy)
	}
	if most == 0 || a.Elapsed == 0 {
		return e, false
	}
	mean := float64(sum) / float64(len(a.Devices))
	return Efficiency{mean / float64(a.Elapsed), mean / float64(most), float64(most) / float64(busiest),
		float64(busiest) / float64(a.Elapsed)}, true
}
