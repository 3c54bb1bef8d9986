package otf2

// A location's own definitions map its ids to global objects and give its clock offsets.

import (
	"math"
	"os"
	"path/filepath"
	"strconv"

	"pview/prv/mapped"
)

// Kinds of mappings.
const (
	mapString         = 0
	mapRegion         = 3
	mapMetric         = 5
	mapComm           = 6
	mapParameter      = 7
	mapWindow         = 8
	mapCallingContext = 10
)

// mapping translates the ids of a location to global ones.
type mapping struct {
	dense  []uint64
	sparse map[uint64]uint64
}

// global returns the global id; an id without an entry is global already.
func (m *mapping) global(id uint64) uint64 {
	if id < uint64(len(m.dense)) {
		return m.dense[id]
	}
	if v, ok := m.sparse[id]; ok {
		return v
	}
	return id
}

// local has the definitions of a location.
type local struct {
	maps    [16]mapping
	spans   []clockSpan
	missing bool // there is no file
	dropped int  // clock offsets whose time does not increase
	faults  []fault
	// regions and comms find definitions by the location's ids.
	regions, comms lookup
}

// lookup finds the number of a definition by a location's id.
type lookup struct {
	*mapping
	own *ids // by the location's ids; nil: they are global
	all *ids // by global ids
}

// find returns the number of a definition; -1 if there is none.
func (l *lookup) find(id uint64) int32 {
	if l.own != nil {
		if k := l.own.find(id); k >= 0 {
			return k
		}
		id = l.global(id)
	}
	return l.all.find(id)
}

// clockSpan interpolates between two clock offsets.
type clockSpan struct {
	begin, end int64
	offset     int64
	slope      float64
}

// fileOf returns a file of a location.
func (a *anchor) fileOf(id uint64, extension string) string {
	return filepath.Join(a.base, strconv.FormatUint(id, 10)+extension)
}

// readLocal reads the definitions of a location.
func readLocal(a *anchor, d *definitions, id uint64) (*local, error) {
	l := &local{}
	path := a.fileOf(id, ".def")
	data, err := mapped.Open(path)
	if os.IsNotExist(err) {
		l.missing = true
		l.index(d)
		return l, nil
	} else if err != nil {
		return nil, err
	}
	defer mapped.Unmap(data)
	var offsets []clockSpan
	err = mapped.Guard(func() error {
		l.faults = walkDefinitions(path, data, a.defChunk, func(id uint8, c *cursor) {
			switch id {
			case 5:
				l.table(c)
			case 6:
				o := clockSpan{begin: int64(c.fixed(8)), offset: int64(c.u64())}
				c.fixed(8)
				take(c, &offsets, o)
			}
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	l.correct(offsets)
	l.index(d)
	return l, nil
}

// table reads a mapping; the last one of a kind counts.
func (l *local) table(c *cursor) {
	kind := c.byte()
	count := c.u64()
	var m mapping
	if mode := c.byte(); mode == 0 {
		m.dense = make([]uint64, c.count(count, 1))
		for i := range m.dense {
			m.dense[i] = c.u64()
		}
	} else {
		n := c.count(count, 2)
		m.sparse = make(map[uint64]uint64, n)
		for range n {
			from := c.u64()
			m.sparse[from] = c.u64()
		}
	}
	if c.fault == "" && int(kind) < len(l.maps) {
		l.maps[kind] = m
	}
}

// correct makes the spans between clock offsets.
func (l *local) correct(offsets []clockSpan) {
	var points []clockSpan
	for _, o := range offsets {
		if n := len(points); n > 0 && o.begin <= points[n-1].begin {
			l.dropped++
			continue
		}
		points = append(points, o)
	}
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		l.spans = append(l.spans, clockSpan{a.begin, b.begin, a.offset,
			float64(b.offset-a.offset) / float64(b.begin-a.begin)})
	}
}

// index combines the mappings of regions and communicators with the archive's tables.
func (l *local) index(d *definitions) {
	l.regions = l.maps[mapRegion].over(d.regionIDs)
	l.comms = l.maps[mapComm].over(d.commIDs)
}

// over returns the lookup of definitions whose table is by global ids.
func (m *mapping) over(all *ids) lookup {
	if len(m.dense)+len(m.sparse) == 0 {
		return lookup{m, nil, all}
	}
	var keys []uint64
	var numbers []int32
	for id, to := range m.dense {
		keys, numbers = append(keys, uint64(id)), append(numbers, all.find(to))
	}
	for id, to := range m.sparse {
		keys, numbers = append(keys, id), append(numbers, all.find(to))
	}
	// An entry for an object that is not defined has the number -1, as in find.
	return lookup{m, newIDs(keys, numbers), all}
}

// clock corrects the times of a location.
type clock struct {
	spans []clockSpan
	at    int
}

// global returns the corrected time.
func (c *clock) global(t int64) int64 {
	if len(c.spans) == 0 {
		return t
	}
	for c.at+1 < len(c.spans) && t > c.spans[c.at].end {
		c.at++
	}
	for c.at > 0 && t <= c.spans[c.at-1].end {
		c.at--
	}
	s := &c.spans[c.at]
	return t + s.offset + int64(math.RoundToEven(s.slope*float64(t-s.begin)))
}
