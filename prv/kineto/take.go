package kineto

// What an event of each phase adds to the columns.

import (
	"bytes"
	"fmt"
	"strings"

	"pview/prv/extrae/device"
)

// take adds an event that begins at an offset of the text.
func (f *file) take(e *event, at int64) {
	if e.phase == 0 {
		f.blame(noEvent, where(at, e))
		return
	}
	switch e.phase {
	case 'X':
		f.complete(e, at)
	case 'B':
		if t, ok := f.time(e, at); ok {
			f.categoryOf(e.category)
			r := &f.rows[f.at(e.process, e.thread)]
			r.bounds = append(r.bounds, bound{time: t, at: at, name: f.name(e.name), class: f.hostClass(e)})
		}
	case 'E':
		f.end(e, at)
	case 'i', 'I', 'R':
		f.instant(e, at)
	case 'C':
		f.sample(e, at)
	case 'M':
		f.describe(e)
	case 's', 't', 'f':
		f.flow(e, at)
	case 'b', 'e', 'S', 'F':
		f.async(e, at)
	case 'n', 'T', 'p', 'N', 'O', 'D', 'v', 'V', '(', ')', 'c', 'P':
		// The steps of asynchronous events, objects and samples are not part of a timeline.
	default:
		f.blame(unknownPhase, fmt.Sprintf("%q", e.phase))
	}
}

// where describes an event for messages.
func where(at int64, e *event) string {
	name := str(e.name)
	if len(name) > 40 {
		name = name[:40]
	}
	return strings.TrimSpace(fmt.Sprintf("event at byte %d %s", at, name))
}

// time returns the begin of an event; ok is false, and the event counted, if it has none.
func (f *file) time(e *event, at int64) (int64, bool) {
	t, ok := nanoseconds(e.start)
	if !ok {
		f.blame(noNumber, where(at, e))
	}
	return t, ok
}

// hostClass returns the class of an event on a row of the host.
func (f *file) hostClass(e *event) class {
	c := f.categoryOf(e.category)
	switch c {
	case annotation:
		if _, ok := stepOf(f.names[f.name(e.name)]); ok {
			return step
		}
	case kernel, copying, deviceAnnotation, waiting, instant, record:
		return function
	}
	return c
}

// complete adds an event with its length.
func (f *file) complete(e *event, at int64) {
	t, ok := f.time(e, at)
	if !ok {
		return
	}
	length := int64(0)
	if e.duration != nil {
		if length, ok = nanoseconds(e.duration); !ok {
			f.blame(noNumber, where(at, e))
			return
		}
	}
	if length < 0 {
		f.blame(negative, where(at, e))
		return
	}
	s := span{begin: t, end: t + length, name: f.name(e.name)}
	switch s.class = f.categoryOf(e.category); s.class {
	case kernel, copying:
		f.operate(e, s)
	case deviceAnnotation:
		e.readArgs()
		stream := f.stream(e)
		f.annotated[stream] = append(f.annotated[stream], s)
	case waiting, record:
		// Host calls show waiting, too; both count as time that the file covers.
		f.records = append(f.records, s)
		if w, ok := e.awaitOf(); ok {
			f.awaits = append(f.awaits, w)
		}
	case overhead:
		if n, ok := integer(e.process); ok && n < 0 {
			f.overheads++
			f.records = append(f.records, s) // counts as time that the file covers
			return
		}
		f.onHost(e, s)
	default:
		f.onHost(e, s)
	}
}

// onHost adds a span to a row of the host.
func (f *file) onHost(e *event, s span) {
	i := f.at(e.process, e.thread)
	r := &f.rows[i]
	switch s.class {
	case annotation:
		name := f.names[s.name]
		if _, ok := stepOf(name); ok {
			s.class = step
			break
		}
		if op, ok := announcedBy(name); ok {
			e.readArgs()
			r.operations = append(r.operations, announced{s.begin, s.end, dimensions(e), op})
		}
	case call:
		e.readArgs()
		if n, ok := e.number(argCorrelation); ok {
			f.calls = append(f.calls, launch{s.begin, s.end, i, int32(len(r.spans)), n})
		}
		name := f.names[s.name]
		s.blocks = blocking(name)
		if strings.HasPrefix(name, "hip") && f.kind == "CUDA" {
			f.kind = "HIP"
		}
	case instant:
		s.class = function
	}
	r.spans = append(r.spans, s)
}

// blocking reports whether a call returns only when the device has finished something.
func blocking(name string) bool {
	base := strings.TrimPrefix(strings.TrimPrefix(name, "cuda"), "hip")
	return len(base) < len(name) && (strings.HasSuffix(base, "Synchronize") || base == "Memcpy" || base == "Malloc" ||
		base == "Free") || strings.HasPrefix(name, "cu") && strings.HasSuffix(name, "Synchronize")
}

// operate adds work of a device.
func (f *file) operate(e *event, s span) {
	e.readArgs()
	o := operation{begin: s.begin, end: s.end, correlation: -1, name: s.name, shape: -1, part: -1}
	o.stream = f.stream(e)
	if n, ok := e.number(argCorrelation); ok {
		o.correlation = n
	}
	if n, ok := e.number(argBytes); ok && n > 0 {
		o.bytes = n
	}
	if o.state = device.Copying; s.class == kernel {
		o.state = f.stateOf(s.name)
	}
	if o.state == device.Communicating {
		o.part = int32(len(f.parts))
		f.parts = append(f.parts, f.partOf(e, f.names[s.name]))
	}
	if e.arg[argGrid] != nil {
		o.shape = f.shapeAt(shapeOf(e))
	}
	f.work = append(f.work, o)
}

// stateOf returns the state of a stream during a kernel, by its name.
func (f *file) stateOf(name int32) uint8 {
	for len(f.kernelStates) <= int(name) {
		f.kernelStates = append(f.kernelStates, 0)
	}
	state := &f.kernelStates[name]
	if *state == 0 {
		*state = device.StateOf(f.names[name])
	}
	return *state
}

// stream returns the stream that an event is on.
func (f *file) stream(e *event) int32 {
	number := func(arg int, field []byte) int64 {
		if n, ok := e.number(arg); ok && n >= 0 {
			return n
		}
		n, _ := integer(field)
		return max(n, 0)
	}
	arg := argStream
	if f.kind == "MTIA" { // several rows of a device are one stream
		arg = argDevice
	}
	return f.streamAt(number(argDevice, e.process), number(arg, e.thread))
}

// mostDevices bounds the numbers of devices.
const mostDevices = 1 << 20

// streamAt returns the number of a device's stream; both numbers are >= 0.
func (f *file) streamAt(on, number int64) int32 {
	s := device.Stream{Device: int(min(on, mostDevices)), Number: number}
	i, ok := f.streamOf[s]
	if !ok {
		i = int32(len(f.streams))
		f.streams = append(f.streams, s)
		f.annotated = append(f.annotated, nil)
		f.streamOf[s] = i
	}
	return i
}

// shapeAt returns the number of a shape. A program has few, which its kernels share.
func (f *file) shapeAt(s shape) int32 {
	i, ok := f.shapeNumber[s]
	if !ok {
		i = int32(len(f.shapes))
		f.shapes = append(f.shapes, s)
		f.shapeNumber[s] = i
	}
	return i
}

// shapeOf returns the size of a kernel.
func shapeOf(e *event) (s shape) {
	for i, arg := range []int{argGrid, argBlock} {
		for k, n := range ranksOf(e.arg[arg]) {
			if k < 3 {
				s.size[3*i+k] = n
			}
		}
	}
	s.shared, _ = e.number(argShared)
	s.registers, _ = e.number(argRegisters)
	return s
}

// end adds the end of the span that the thread began last.
func (f *file) end(e *event, at int64) {
	t, ok := nanoseconds(e.start)
	r := &f.rows[f.at(e.process, e.thread)]
	if !ok {
		f.blame(endOnly, where(at, e))
		return
	}
	f.categoryOf(e.category)
	r.bounds = append(r.bounds, bound{time: t, at: at, name: f.name(e.name), ends: true})
}

// windowEnds is the instant at which the record of the profiler ends.
const windowEnds = "Record Window End"

// instant adds an instant.
func (f *file) instant(e *event, at int64) {
	t, ok := f.time(e, at)
	if !ok {
		return
	}
	name := str(e.name)
	switch {
	case name == "[memory]" && f.categoryOf(e.category) == instant:
		e.readArgs()
		r := &f.rows[f.at(e.process, e.thread)]
		onDevice, _ := e.number(argDeviceType)
		for arg, kind := range map[int]uint8{argAllocated: deviceMemory, argReserved: reservedMemory} {
			n, ok := e.number(arg)
			switch {
			case !ok || n < 0:
			case onDevice == 1:
				r.points = append(r.points, point{t, n, 0, kind})
			case kind == deviceMemory:
				r.points = append(r.points, point{t, n, 0, hostMemory})
			}
		}
	case name == windowEnds:
		f.windowEnd = t
	case strings.HasPrefix(name, "Iteration Start: "):
	default:
		r := &f.rows[f.at(e.process, e.thread)]
		r.points = append(r.points, point{t, 0, f.name(e.name), instantPoint})
	}
}

// sample adds the samples of a counter event.
func (f *file) sample(e *event, at int64) {
	t, ok := f.time(e, at)
	if !ok || len(e.args) == 0 || e.args[0] != '{' {
		return
	}
	r := f.at(e.process, nil)
	name := str(e.name)
	members(e.args, 0, func(key, value []byte) {
		series, _ := text(key)
		places := min(decimals(value), 9)
		n, ok := decimal(value, places)
		if !ok {
			return
		}
		full := name
		if series != "" && series != name {
			full = strings.TrimSpace(name + " " + series)
		}
		c, ok := f.counterOf[full]
		if !ok {
			c = int32(len(f.counters))
			f.counters = append(f.counters, counter{name: full})
			f.counterOf[full] = c
		}
		f.counters[c].precision = max(f.counters[c].precision, places)
		f.rows[r].points = append(f.rows[r].points, point{t, n, c, counterPoint + uint8(places)})
	})
}

// describe keeps the names of processes and threads.
func (f *file) describe(e *event) {
	switch string(unquote(e.name)) {
	case "process_name":
		e.readArgs()
		f.processes[str(e.process)] = str(e.arg[argName])
	case "process_labels":
		e.readArgs()
		f.labels[str(e.process)] = str(e.arg[argLabels])
	case "thread_name":
		e.readArgs()
		if name := str(e.arg[argName]); !strings.HasPrefix(name, "stream ") {
			f.threads[str(e.process)+"\x00"+str(e.thread)] = name
		}
	}
}

// flow adds an end of a flow. Flows of launches are left out: some have no begin, and correlations tell the same.
func (f *file) flow(e *event, at int64) {
	category := unquote(e.category)
	if string(category) == "ac2g" || bytes.HasPrefix(category, []byte("async_")) {
		return
	}
	t, ok := f.time(e, at)
	if !ok {
		return
	}
	f.links = append(f.links, link{t, f.linkKey(e), f.at(e.process, e.thread), e.phase})
}

// linkKey returns the number of a category and id.
func (f *file) linkKey(e *event) int32 {
	f.key = append(append(append(f.key[:0], unquote(e.category)...), 0), unquote(e.id)...)
	n, ok := f.linkOf[string(f.key)]
	if !ok {
		n = int32(len(f.linkOf))
		f.linkOf[string(f.key)] = n
	}
	return n
}

// asyncThread is the row of a process for its asynchronous events.
const asyncThread = "async"

// async begins or ends an asynchronous event; those of the same process, category and id nest by name.
func (f *file) async(e *event, at int64) {
	t, ok := f.time(e, at)
	if !ok {
		return
	}
	name := f.name(e.name)
	r := &f.rows[f.at(e.process, []byte(asyncThread))]
	if e.phase == 'b' || e.phase == 'S' {
		r.open = append(r.open, span{begin: t, end: int64(f.linkKey(e)), name: name, class: annotation})
		return
	}
	key := int64(f.linkKey(e))
	for i := len(r.open) - 1; i >= 0; i-- {
		if s := r.open[i]; s.name == name && s.end == key {
			r.open = append(r.open[:i], r.open[i+1:]...)
			s.end = max(t, s.begin)
			r.spans = append(r.spans, s)
			return
		}
	}
	f.blame(endOnly, where(at, e))
}
