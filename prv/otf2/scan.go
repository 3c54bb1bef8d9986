package otf2

// The first reading of the events: the objects in use, the begin and end of the run, and the faults of the files.

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"pview/prv/mapped"
)

// scan collects the results of a location's first reading.
type scan struct {
	missing       bool // its file of events is missing
	localMissing  bool
	size          int64
	faults        []fault
	dropped       int // clock offsets
	kinds         [256]int64
	first, last   int64 // corrected times, if it has events
	stopped       bool  // it stops at last, before the end of its events
	back          int64 // times that go back
	attributes    int64
	regionUse     []int32  // by first use: regions, or -1 - index in unknown
	unknown       []uint64 // ids of regions
	unknownMetric int64
	commUse       []int32
	metricUse     []int32  // classes
	fell          []uint32 // metric members with a decreasing reading
	parameters    []int32
	paramTexts    []paramText
	callers       []int32
	parallels     []parallelStart
	rows, states  int // estimated numbers
}

// parallelStart is when a thread opens a parallel region.
type parallelStart struct {
	time   int64 // ticks
	region int32
}

// events returns the number of events.
func (s *scan) events() (n int64) {
	for _, k := range s.kinds {
		n += k
	}
	return n
}

// scanner does the first reading of locations. Each worker has one.
type scanner struct {
	*archive
	regionUsers, commUsers, callers users
	e                               event
}

// users has, by the number of an object, the last location that used it, + 1.
type users []int32

// isFirst reports whether a location uses an object for the first time, and notes the use.
func (u users) isFirst(k int32, l *location) bool {
	user := int32(l.number) + 1
	first := u[k] != user
	u[k] = user
	return first
}

func newScanner(a *archive) *scanner {
	n := len(a.regions.list)
	return &scanner{archive: a, regionUsers: make(users, n), commUsers: make(users, len(a.ranks)), callers: make(users, n)}
}

// openEvents maps the events of a location; data is nil if there is no file.
func (a *archive) openEvents(l *location) ([]byte, bool, error) {
	data, err := mapped.Open(a.fileOf(l.id, ".evt"))
	if os.IsNotExist(err) {
		return nil, false, nil
	}
	return data, err == nil, err
}

// scan reads a location.
func (s *scanner) scan(l *location, m *meter) error {
	data, ok, err := s.openEvents(l)
	if err != nil {
		return err
	}
	if !ok {
		l.missing = true
		return nil
	}
	defer mapped.Unmap(data)
	own, err := readLocal(s.anchor, s.definitions, l.id)
	if err != nil {
		return err
	}
	l.localMissing, l.dropped, l.faults = own.missing, own.dropped, own.faults
	l.size = int64(len(data))
	path := s.fileOf(l.id, ".evt")
	r := newReader(data, s.eventChunk, func(offset int, text string, cut bool) {
		l.faults = append(l.faults, fault{path, offset, text, cut})
	})
	r.step, r.stop = m.step, s.stopOf(data)
	l.first, l.last = math.MaxInt64, math.MinInt64
	if r.open() {
		s.walk(l, r, own)
	}
	l.attributes, l.stopped = r.attributes, r.stopped
	m.step(len(data) - r.base)
	return nil
}

// walk goes through the events.
func (s *scanner) walk(l *location, r *reader, own *local) {
	e, k := &s.e, clock{spans: own.spans}
	raw, now := ^uint64(0), int64(math.MinInt64)
	var previous map[metricSlot]float64
	texts := map[paramText]bool{}
	for r.next(e) {
		l.kinds[e.id]++
		if e.time != raw {
			raw = e.time
			t := k.global(int64(raw))
			l.first = min(l.first, t)
			if t < now {
				l.back++
			} else {
				now = t
			}
		}
		switch e.id {
		case evEnter:
			if k := s.region(l, &own.regions, e.fields[0], true); k >= 0 && s.regions.list[k].class == parallelRegion {
				l.parallels = append(l.parallels, parallelStart{now, k})
			}
		case evLeave:
			s.region(l, &own.regions, e.fields[0], false)
		case evContextEnter, evContextLeave, evContextSample:
			s.context(l, uint32(own.maps[mapCallingContext].global(e.fields[0])), e.id)
		case evSend, evIsend, evRecv, evIrecv:
			s.comm(l, own, e.fields[1])
		case evCollectiveEnd, evNonBlockingCollective:
			l.rows += 4
			s.comm(l, own, e.fields[1])
		case evBufferFlush:
			l.states += 2
			l.rows += 2
			now = max(now, k.global(int64(e.fields[0])))
		case evMetric:
			previous = s.metric(l, own, e, previous)
		case evParameterString, evParameterInt, evParameterUnsigned:
			l.rows++
			if p := s.paramIDs.find(own.maps[mapParameter].global(e.fields[0])); p >= 0 {
				if !slices.Contains(l.parameters, p) {
					l.parameters = append(l.parameters, p)
				}
				v := paramText{p, uint32(own.maps[mapString].global(e.fields[1]))}
				if e.id == evParameterString && !texts[v] {
					texts[v] = true
					l.paramTexts = append(l.paramTexts, v)
				}
			}
		case evOmpFork, evThreadFork, evTeamBegin, evTeamEnd, evMeasurement, evRmaPut, evRmaGet, evIOComplete,
			evTaskCreate, evAcquireLock, evReleaseLock, evOmpAcquireLock, evOmpReleaseLock:
			l.rows += 2
			l.states += 2
		}
	}
	l.last = now
}

// region notes the use of a region, and returns it; -1 if it is not defined.
func (s *scanner) region(l *location, of *lookup, id uint64, enter bool) int32 {
	l.rows++
	r := s.regionOf(of.find(id))
	if r < 0 {
		id = of.global(id)
		k := slices.Index(l.unknown, id)
		if k < 0 && len(l.unknown) < mostUnknown {
			k = len(l.unknown)
			l.unknown = append(l.unknown, id)
			l.regionUse = append(l.regionUse, -int32(k)-1)
		}
		return -1
	}
	if s.regionUsers.isFirst(r, l) {
		l.regionUse = append(l.regionUse, r)
	}
	if enter && s.regions.list[r].state != noState {
		l.states += 2
	}
	return r
}

// mostUnknown limits the undefined regions of a location: a damaged file may have any number.
const mostUnknown = 1000

// context notes the use of the regions of a calling context.
func (s *scanner) context(l *location, id uint32, kind uint8) {
	if kind != evContextSample {
		if c, ok := s.contexts[id]; ok {
			s.region(l, &lookup{&mapping{}, nil, s.regionIDs}, uint64(c.region), kind == evContextEnter)
		}
		return
	}
	for depth := 0; depth < deepestCaller; depth++ {
		c, ok := s.contexts[id]
		if !ok {
			return
		}
		l.rows++
		if k := s.regionOf(s.regionIDs.find(uint64(c.region))); k >= 0 && s.callers.isFirst(k, l) {
			l.callers = append(l.callers, k)
		}
		id = c.parent
	}
}

// deepestCaller limits the callers of a sample.
const deepestCaller = 100

// comm notes the use of a communicator.
func (s *scanner) comm(l *location, own *local, id uint64) {
	if k := own.comms.find(id); k >= 0 && s.commUsers.isFirst(k, l) {
		l.commUse = append(l.commUse, k)
	}
}

// metric notes the use of a metric, and, for a metrics-only location, which members have decreasing readings.
func (s *scanner) metric(l *location, own *local, e *event, previous map[metricSlot]float64) map[metricSlot]float64 {
	l.rows += len(e.values)
	k := s.classIDs.find(own.maps[mapMetric].global(e.fields[0]))
	if k < 0 {
		l.unknownMetric++
		return previous
	}
	if !slices.Contains(l.metricUse, k) {
		l.metricUse = append(l.metricUse, k)
	}
	if l.kind != metricOnly {
		return previous
	}
	if previous == nil {
		previous = map[metricSlot]float64{}
	}
	members := s.classes[k].members
	for i := range min(len(members), len(e.values)) {
		v, slot := e.values[i].float(), metricSlot{k, int32(i)}
		if before, ok := previous[slot]; ok && v < before && !slices.Contains(l.fell, members[i]) {
			l.fell = append(l.fell, members[i])
		}
		previous[slot] = v
	}
	return previous
}

// metricSlot is one of the values of a metric.
type metricSlot struct{ class, value int32 }

// float returns a value as float64, for comparisons.
func (v metricValue) float() float64 {
	switch v.typ {
	case typeSigned:
		return float64(int64(v.value))
	case typeDouble:
		return math.Float64frombits(v.value)
	}
	return float64(v.value)
}

// name returns a file's name relative to the archive, for notes.
func (a *anchor) name(path string) string {
	if rel, err := filepath.Rel(filepath.Dir(a.path), path); err == nil {
		return rel
	}
	return path
}

// describe names a location in notes.
func (a *archive) describe(l *location) string {
	if name := a.text(l.name); name != "" {
		return fmt.Sprintf("location %d (%s)", l.id, name)
	}
	return fmt.Sprintf("location %d", l.id)
}
