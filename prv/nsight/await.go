package nsight

// Waits of streams for events, and the recordings of events that they wait for.

import (
	"cmp"
	"math"
	"slices"

	"pview/prv/extrae/device"
)

// streamWait is a call that makes a stream wait for an event.
type streamWait struct {
	stream          device.Stream
	correlation     int64
	event, recorded int64 // eventId and eventSyncId
}

// eventRecord is a call that records an event on a stream.
type eventRecord struct {
	stream      device.Stream
	correlation int64
}

// streamOf returns the stream that a row refers to.
func (r *report) streamOf(p *process, deviceID, streamID value) device.Stream {
	return device.Stream{Device: int(r.deviceOf(p, deviceID)), Number: whole(streamID)}
}

// isID reports whether a number identifies an event or its recording.
func isID(n int64) bool { return n > 0 && n < math.MaxUint32 }

// eventRow notes where an event is recorded.
func (r *report) eventRow(v []value) {
	correlation, ok := number(v[1])
	if !ok || correlation <= 0 {
		return
	}
	p := r.process(whole(v[0]))
	e := eventRecord{r.streamOf(p, v[2], v[3]), correlation}
	if n := whole(v[5]); isID(n) {
		p.byRecording[n] = e
	}
	if n := whole(v[4]); isID(n) {
		p.byEvent[n] = append(p.byEvent[n], e)
	}
}

// joinWaits finds the recording that each wait of a stream refers to: by its number, else the event's last one before
// the wait.
func (r *report) joinWaits(p *process) {
	for _, list := range p.byEvent {
		slices.SortFunc(list, func(x, y eventRecord) int { return cmp.Compare(x.correlation, y.correlation) })
	}
	for _, w := range p.streamWaits {
		e, ok := p.byRecording[w.recorded]
		if list := p.byEvent[w.event]; !ok {
			i, _ := slices.BinarySearchFunc(list, w.correlation, func(e eventRecord, c int64) int {
				return cmp.Compare(e.correlation, c)
			})
			if ok = i > 0; ok {
				e = list[i-1]
			}
		}
		if !ok {
			r.unknownWaits++
			continue
		}
		p.Await(w.stream, w.correlation, e.stream, e.correlation)
	}
	p.streamWaits, p.byRecording, p.byEvent = nil, nil, nil
}
