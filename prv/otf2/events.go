package otf2

// The events of a location, one after the other.

import "strings"

// The ids of events.
const (
	evBufferFlush           = 10
	evMeasurement           = 11
	evEnter                 = 12
	evLeave                 = 13
	evSend                  = 14
	evIsend                 = 15
	evIsendComplete         = 16
	evIrecvRequest          = 17
	evRecv                  = 18
	evIrecv                 = 19
	evRequestTest           = 20
	evRequestCancelled      = 21
	evCollectiveBegin       = 22
	evCollectiveEnd         = 23
	evOmpFork               = 24
	evOmpJoin               = 25
	evOmpAcquireLock        = 26
	evOmpReleaseLock        = 27
	evOmpTaskCreate         = 28
	evOmpTaskSwitch         = 29
	evOmpTaskComplete       = 30
	evMetric                = 31
	evParameterString       = 32
	evParameterInt          = 33
	evParameterUnsigned     = 34
	evRmaPut                = 46
	evRmaGet                = 47
	evThreadFork            = 53
	evThreadJoin            = 54
	evTeamBegin             = 55
	evTeamEnd               = 56
	evAcquireLock           = 57
	evReleaseLock           = 58
	evTaskCreate            = 59
	evTaskSwitch            = 60
	evTaskComplete          = 61
	evContextEnter          = 66
	evContextLeave          = 67
	evContextSample         = 68
	evIOBegin               = 75
	evIOComplete            = 78
	evProgramBegin          = 83
	evCollectiveRequest     = 85
	evNonBlockingCollective = 86
	lastEvent               = 88
)

// layouts are the fields of events by id: 1 a byte, 4 and 8 compressed numbers, t a fixed number of 8 bytes, m the
// values of a metric, a the arguments of a program. Events that are not used are listed, too, to be checked.
var layouts = [lastEvent + 1]string{
	evBufferFlush: "t", evMeasurement: "1",
	evSend: "4448", evIsend: "44488", evRecv: "4448", evIrecv: "44488",
	evCollectiveEnd: "14488", evOmpAcquireLock: "44", evOmpReleaseLock: "44",
	evMetric: "4m", evParameterString: "44", evParameterInt: "48", evParameterUnsigned: "48",
	35: "4", 36: "4", 38: "144488", 39: "444", 40: "4481", 41: "4481", 42: "4481", 43: "448", 44: "441", 45: "4",
	evRmaPut: "4488", evRmaGet: "4488", 48: "441888", 49: "48", 50: "48", 51: "48", 52: "48",
	evThreadFork: "14", evThreadJoin: "1", evTeamBegin: "4", evTeamEnd: "4",
	evAcquireLock: "144", evReleaseLock: "144",
	evTaskCreate: "444", evTaskSwitch: "444", evTaskComplete: "444",
	62: "48", 63: "48", 64: "48", 65: "48",
	evContextEnter: "44", evContextLeave: "4", evContextSample: "444",
	69: "4144", 70: "4", 71: "444", 72: "4818", 73: "44", 74: "14",
	evIOBegin: "41488", 76: "48", 77: "48", evIOComplete: "488", 79: "48", 80: "41", 81: "41", 82: "41",
	evProgramBegin: "4a", 84: "8", evCollectiveRequest: "8", evNonBlockingCollective: "144888", 87: "4", 88: "4",
}

// bare are the sizes of the numbers of events that have no length field; 0: the event has one.
var bare = [256]uint8{evEnter: 4, evLeave: 4, evIsendComplete: 8, evIrecvRequest: 8, evRequestTest: 8,
	evRequestCancelled: 8, evOmpFork: 4, evOmpTaskCreate: 8, evOmpTaskSwitch: 8, evOmpTaskComplete: 8}

// metricValue is the value of a metric as stored: its type tells how to interpret the bits.
type metricValue struct {
	typ   uint8
	value uint64
}

// Types of values.
const (
	typeSigned = 8
	typeDouble = 10
)

// event is one event. Its fields are in the order of the file.
type event struct {
	id     uint8
	time   uint64 // in the location's clock
	fields [6]uint64
	values []metricValue // of a metric
}

// reader reads the events of a location.
type reader struct {
	chunks
	time       uint64
	attributes int64 // attributes so far
	stop       int   // the reading ends at the first time from this offset on; 0: none
	stopped    bool
}

func newReader(data []byte, size uint64, report func(int, string, bool)) *reader {
	return &reader{chunks: *newChunks(data, size, report)}
}

// next reads the next event, and reports whether there is one. open must have been called before, with success.
func (r *reader) next(e *event) bool {
	for {
		at := r.pos
		if at >= r.end {
			if !r.unended() {
				return false
			}
			continue
		}
		id := r.data[at]
		r.pos++
		switch id {
		case idTime:
			if r.stop > 0 && at >= r.stop {
				r.stopped = true
				return false
			}
			if r.time = r.fixed(8); r.fault != "" && !r.bad(id, at, r.fault, false) {
				return false
			}
			continue
		case idChunkEnd:
			if !r.chunks.next() {
				return false
			}
			continue
		case idFileEnd:
			return false
		}
		if why, fits := r.record(id, e); why != "" {
			if !r.bad(id, at, why, fits) {
				return false
			}
		} else if id != idAttribute {
			e.id, e.time = id, r.time
			return true
		}
	}
}

// record reads a record after its identifier. why is its fault; fits reports whether its length is known all the same.
func (r *reader) record(id uint8, e *event) (why string, fits bool) {
	if n := bare[id]; n != 0 {
		e.fields[0] = r.number(int(n))
		if r.pos > r.end || r.fault != "" {
			return r.why(), strings.HasPrefix(r.fault, "length byte")
		}
		return "", true
	}
	if why := r.enter(); why != "" {
		return why, false
	}
	if r.fields(id, e); r.pos > r.end || r.fault != "" {
		return r.why(), true
	}
	r.leave()
	return "", true
}

// why returns the fault of a record.
func (r *reader) why() string {
	if r.fault != "" {
		return r.fault
	}
	return "field beyond its record"
}

// fields reads the fields of a framed record.
func (r *reader) fields(id uint8, e *event) {
	if id == idAttribute {
		n := r.count(uint64(r.u32()), 3)
		for range n {
			r.u32()
			r.value(r.byte())
		}
		r.attributes += int64(n)
		return
	}
	if id > lastEvent {
		return
	}
	layout := layouts[id]
	for i := range len(layout) {
		switch layout[i] {
		case '4':
			e.fields[i] = r.number(4)
		case '8':
			e.fields[i] = r.number(8)
		case '1':
			if r.pos >= r.end {
				r.pos = r.end + 1
				return
			}
			e.fields[i] = uint64(r.data[r.pos])
			r.pos++
		case 't':
			e.fields[i] = r.fixed(8)
		case 'm':
			r.metric(e)
		case 'a':
			for range r.count(r.number(4), 1) {
				r.u32()
			}
		}
	}
}

// metric reads the values of a metric.
func (r *reader) metric(e *event) {
	if r.pos >= r.end {
		r.pos = r.end + 1
		return
	}
	n := int(r.data[r.pos])
	r.pos++
	e.values = e.values[:0]
	for range n {
		if r.pos >= r.end {
			r.pos = r.end + 1
			return
		}
		typ := r.data[r.pos]
		r.pos++
		e.values = append(e.values, metricValue{typ, r.number(8)})
	}
}
