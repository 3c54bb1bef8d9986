package criticalpath

// Devices: a stream's operation begins when it is launched and what it depends on is done; a host that synchronises
// with its device waits for the operation that ended last, and the path continues on that operation's stream.

import (
	"context"
	"errors"

	"pview/insight/gpu"
	"pview/prv"
	"pview/prv/extrae/device"
)

// stateSync and stateOthers are states of a host: it waits for its device, or is in another call of its library or in
// the profiler.
const (
	stateSync   = 5
	stateOthers = 15
)

// deviceBlocks are the event types whose values name what a stream does, and the calls of the host.
var deviceBlocks = []uint32{device.Kernel, device.Collective, device.Memory, device.Call}

// findDevices finds the work of devices; order is nil if none.
func (m *measured) findDevices(ctx context.Context) error {
	a, err := gpu.Analyze(ctx, m.t)
	if err == nil {
		m.order = a.Order()
	}
	if errors.Is(err, gpu.ErrNoDevice) {
		return nil
	}
	return err
}

// onDevice goes back to a time over a host's state, if that is about its device: a call of the library, or a wait for
// the operation that ended last. The profiler's own work is not a call.
func (m *measured) onDevice(record int, begin int64) bool {
	states := &m.t.Threads[m.thread].States
	switch states.Value[record] {
	case stateOthers:
		if k := m.waits.CallBefore(m.thread, m.at); k >= 0 && m.waits.Call(m.thread, k).Exit >= m.at {
			return false // a call of MPI, such as MPI_Init
		}
		kind := Driver
		if _, own := m.eventAt(m.thread, states.Begin[record], device.Profiler, 0); own {
			kind = IO
		}
		m.stay(begin, kind)
	case stateSync:
		o, ok := m.order.Ended(m.t.ThreadTask[m.thread], m.at)
		if !ok || o.End <= begin {
			m.stay(begin, Driver)
			return true
		}
		m.stay(o.End, Driver)
		m.jump(o.Thread)
	default:
		return false
	}
	return true
}

// stepStream goes back over an operation, or to what triggered one.
func (m *measured) stepStream() {
	o, ok := m.order.Before(m.thread, m.at)
	if !ok || o.End < m.at {
		m.precede(o, ok)
		return
	}
	kind := Computation
	switch o.State {
	case device.Communicating, device.Exchanging:
		kind = Collective
		if c := o.Collective; c != nil && c.Last > o.Begin && c.Last < m.at {
			m.stay(c.Last, kind)
			m.jump(c.LateThread())
			return
		}
	case device.Copying:
		kind = Copy
	}
	m.stay(o.Begin, kind)
}

// precede goes from the start of an operation, now, to what ended last: its launch, the previous operation on its
// stream, or the operation of another stream before the event that it waits for. If no event is recorded, that may be
// any operation of the task: it must have been waited for, since it was launched before. If the launch is not recorded,
// the task's first thread counts as the host.
func (m *measured) precede(before gpu.Operation, ok bool) {
	at, thread, kind := int64(-1), m.thread, Gap
	if ok {
		at = before.End
	}
	c, launch, guessed := &m.t.Comms, int32(-1), 0
	own, found := m.order.From(m.thread, m.at)
	if found {
		launch = own.Launch
	}
	if o, known := m.order.Awaited(m.t, own); found && known {
		if ended := min(o.End, m.at); ended > at {
			at, thread = ended, o.Thread
		}
	} else if o, found := m.order.Ended(m.t.ThreadTask[m.thread], m.at); found && o.End > at {
		at, thread, guessed = o.End, o.Thread, 1
	}
	host := m.t.Tasks[m.t.ThreadTask[m.thread]].FirstThread
	switch {
	case launch >= 0:
		if called := min(c.Times[prv.PhysicalSend][launch], m.at); called >= at {
			at, thread, kind, guessed = called, c.Send[launch], Launch, 0
		}
	case (at < 0 || m.at-at >= gpu.ShortGap/m.t.Unit.Nanoseconds()) && !m.order.IsStream(host):
		m.jump(host) // it has launched the operation, which is not recorded
		return
	case at < 0:
		kind = Other
	}
	m.guessed += guessed
	m.stay(max(at, 0), kind)
	m.jump(thread)
}
