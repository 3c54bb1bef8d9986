package criticalpath

// Devices: a stream's operation begins when it is launched and what it depends on is done; a host that synchronises
// with its device waits for the operation that ended last, and the path continues on that operation's stream.

import (
	"errors"

	"pview/insight/gpu"
	"pview/prv"
	"pview/prv/extrae/device"
)

// stateSync and stateOthers are states of a host: it waits for its device, or is in another call of its library.
const (
	stateSync   = 5
	stateOthers = 15
)

// deviceBlocks are the event types whose values name what a stream does, and the calls of the host.
var deviceBlocks = []uint32{device.Kernel, device.Collective, device.Memory, device.Call}

// findDevices finds the work of devices; order is nil if there is none.
func (f *finder) findDevices(a *gpu.Analysis, err error) error {
	if errors.Is(err, gpu.ErrNoDevice) {
		return nil
	}
	if err == nil {
		f.order = a.Order()
	}
	return err
}

// stepDevices is step in a trace with devices; false: as in any other.
func (f *finder) stepDevices() bool {
	if f.order.IsStream(f.thread) {
		f.stepStream()
		return true
	}
	k := f.record(f.thread, f.at)
	if k < 0 || f.end(f.thread, k) < f.at {
		from := int64(0)
		if k >= 0 {
			from = f.end(f.thread, k)
		}
		f.stay(from, Other)
		return true
	}
	begin := max(f.t.Threads[f.thread].States.Begin[k], 0)
	switch f.value(f.thread, k) {
	case stateIdle:
		f.stay(begin, Other)
	case stateOthers:
		f.stay(begin, Driver)
	case stateSync:
		if f.followCollective(k, begin) {
			return true
		}
		o, ok := f.order.Ended(f.t.ThreadTask[f.thread], f.at)
		if !ok || o.End <= begin {
			f.stay(begin, Driver)
			return true
		}
		f.stay(o.End, Driver)
		f.jump(o.Thread)
	default:
		return false
	}
	return true
}

// stepStream goes back over an operation, or to what let one begin.
func (f *finder) stepStream() {
	o, ok := f.order.Before(f.thread, f.at)
	if !ok || o.End < f.at {
		f.precede(o, ok)
		return
	}
	kind := Computation
	switch o.State {
	case device.Communicating, device.Exchanging:
		kind = Collective
		if c := o.Collective; c != nil && c.Last > o.Begin && c.Last < f.at {
			f.stay(c.Last, kind)
			f.jump(c.LateThread())
			return
		}
	case device.Copying:
		kind = Copy
	}
	f.stay(o.Begin, kind)
}

// precede goes from the begin of an operation, now, to what ended last: its launch, the operation before on its stream,
// or one of another stream of the task, which it must have waited for, since it was launched before. Where the launch
// is not recorded, the first thread of the task is taken for that of the host.
func (f *finder) precede(before gpu.Operation, ok bool) {
	at, thread, kind := int64(-1), f.thread, Gap
	if ok {
		at = before.End
	}
	if o, found := f.order.Ended(f.t.ThreadTask[f.thread], f.at); found && o.End > at {
		at, thread = o.End, o.Thread
	}
	c, launch := &f.t.Comms, int32(-1)
	if o, found := f.order.From(f.thread, f.at); found {
		launch = o.Launch
	}
	host := f.t.Tasks[f.t.ThreadTask[f.thread]].FirstThread
	switch {
	case launch >= 0:
		if called := min(c.Times[prv.PhysicalSend][launch], f.at); called >= at {
			at, thread, kind = called, c.Send[launch], Launch
		}
	case (at < 0 || f.at-at >= gpu.ShortGap/f.t.Unit.Nanoseconds()) && !f.order.IsStream(host):
		f.jump(host) // it has launched the operation, which is not recorded
		return
	case at < 0:
		kind = Other
	}
	f.stay(max(at, 0), kind)
	f.jump(thread)
}
