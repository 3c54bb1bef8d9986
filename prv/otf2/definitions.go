package otf2

// The global definitions: all objects of the archive. They may refer to later ones, so all are read before any is used.

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"pview/prv"
	"pview/prv/mapped"
)

// Kinds of locations and of their groups.
const (
	cpuThread   = 1
	accelerator = 2
	metricOnly  = 3

	acceleratorContext = 2
)

// Kinds of groups.
const (
	locationList = 4 // process lists, one per paradigm, by number
	ranks        = 5 // positions in that list
	selfGroup    = 6
)

// Paradigms.
const (
	paradigmOpenMP      = 3
	paradigmMPI         = 4
	paradigmCUDA        = 5
	paradigmMeasurement = 6
	paradigmHMPP        = 8
	paradigmOpenACC     = 18
	paradigmOpenCL      = 19
	paradigmHIP         = 23
	paradigmUser        = 1
)

type (
	regionDef struct {
		id                      uint64
		name, file              uint32
		begin                   uint32
		oldType, role, paradigm uint8
		undefined               bool
	}
	locationDef struct {
		id          uint64
		name, group uint32
		kind        uint8
	}
	locationGroupDef struct {
		id                  uint32
		name, node, creator uint32
		kind                uint8
	}
	groupDef struct {
		kind, paradigm uint8
		flags          uint32
		members        []uint64
	}
	commDef struct {
		id          uint64
		name, group uint32
		a, b        uint32 // groups of an inter-communicator
		inter       bool
	}
	memberDef struct {
		name, unit      uint32
		mode, valueType uint8
		base            uint8
		exponent        int64
	}
	classDef struct {
		id      uint64
		members []uint32
		// of an instance
		class     uint32
		instance  bool
		scopeType uint8
		scope     uint64
	}
	nodeDef struct{ name, class, parent uint32 }
)

// definitions are the objects of an archive.
type definitions struct {
	resolution, offset, length uint64
	clock                      bool

	strings   map[uint32]string
	nodes     map[uint32]nodeDef
	shared    map[uint32]bool // nodes that are machines with shared memory
	sets      []locationGroupDef
	locations []locationDef
	regions   []regionDef
	groups    map[uint32]*groupDef // without lists of locations
	lists     map[uint8][]uint64   // by paradigm: lists of locations
	comms     []commDef
	members   map[uint32]memberDef
	classes   []classDef // and instances
	params    []paramDef
	contexts  map[uint32]contextDef
	windows   map[uint32]uint32 // by RMA window: its communicator

	regionIDs, commIDs, classIDs, paramIDs, setIDs *ids
}

type (
	paramDef struct {
		id   uint64
		name uint32
	}
	contextDef struct{ region, parent uint32 }
)

// fault is an error in a file.
type fault struct {
	file   string
	offset int
	text   string
	cut    bool
}

func (f *fault) err() error { return &prv.FileError{File: f.file, Why: f.text} }

// readDefinitions reads the global definitions.
func readDefinitions(a *anchor) (*definitions, []fault, error) {
	path := a.base + ".def"
	data, err := mapped.Open(path)
	if os.IsNotExist(err) {
		return nil, nil, &prv.FileError{File: a.path,
			Why: fmt.Sprintf("%s is missing: no names, no locations", filepath.Base(path))}
	} else if err != nil {
		return nil, nil, err
	}
	defer mapped.Unmap(data)
	d := &definitions{strings: map[uint32]string{}, nodes: map[uint32]nodeDef{}, shared: map[uint32]bool{},
		groups: map[uint32]*groupDef{}, lists: map[uint8][]uint64{}, members: map[uint32]memberDef{},
		contexts: map[uint32]contextDef{}, windows: map[uint32]uint32{}}
	var faults []fault
	err = mapped.Guard(func() error {
		faults = walkDefinitions(path, data, a.defChunk, func(id uint8, c *cursor) {
			if read := readers[id]; read != nil {
				read(d, c)
			}
		})
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	if len(d.locations) == 0 {
		why := "defines no location"
		if len(faults) > 0 {
			why = faults[0].text + "; it " + why
		}
		return nil, nil, &prv.FileError{File: path, Why: why}
	}
	d.resolve()
	return d, faults, nil
}

// walkDefinitions calls f for each record of a file of definitions. f reads the record, and keeps it unless the cursor
// has a fault.
func walkDefinitions(path string, data []byte, chunk uint64, f func(id uint8, c *cursor)) (faults []fault) {
	c := newChunks(data, chunk, func(offset int, text string, cut bool) {
		faults = append(faults, fault{path, offset, text, cut})
	})
	for ok := c.open(); ok; {
		at := c.pos
		if at >= c.end {
			ok = c.unended()
			continue
		}
		id := c.byte()
		switch id {
		case idFileEnd:
			return faults
		case idChunkEnd:
			ok = c.next()
			continue
		}
		why := c.enter()
		fits := why == ""
		if fits {
			f(id, &c.cursor)
			why = c.fault
		}
		if why != "" {
			ok = c.bad(id, at, why, fits)
			continue
		}
		c.leave()
	}
	return faults
}

// readers read the definitions, by identifier; unknown ones are ignored. Records with a fault are dropped.
var readers = [256]func(d *definitions, c *cursor){
	5: func(d *definitions, c *cursor) {
		resolution, offset, length := c.u64(), c.u64(), c.u64()
		if c.fault == "" {
			d.resolution, d.offset, d.length, d.clock = resolution, offset, length, true
		}
	},
	10: func(d *definitions, c *cursor) {
		self := c.u32()
		if text := c.text(); c.fault == "" {
			d.strings[self] = text
		}
	},
	12: func(d *definitions, c *cursor) {
		self := c.u32()
		if n := (nodeDef{c.u32(), c.u32(), c.u32()}); c.fault == "" {
			d.nodes[self] = n
		}
	},
	13: func(d *definitions, c *cursor) {
		g := locationGroupDef{id: c.u32(), name: c.u32(), kind: c.byte(), node: c.u32(), creator: undefined}
		if c.more() {
			g.creator = c.u32()
		}
		take(c, &d.sets, g)
	},
	14: func(d *definitions, c *cursor) {
		l := locationDef{id: c.u64(), name: c.u32(), kind: c.byte()}
		c.u64()
		l.group = c.u32()
		take(c, &d.locations, l)
	},
	15: (*definitions).region,
	18: (*definitions).group,
	19: func(d *definitions, c *cursor) {
		self := c.u32()
		m := memberDef{name: c.u32()}
		c.u32()
		c.byte()
		m.mode, m.valueType, m.base, m.exponent, m.unit = c.byte(), c.byte(), c.byte(), int64(c.u64()), c.u32()
		if c.fault == "" {
			d.members[self] = m
		}
	},
	20: func(d *definitions, c *cursor) {
		m := classDef{id: uint64(c.u32())}
		m.members = make([]uint32, c.count(uint64(c.byte()), 1))
		for i := range m.members {
			m.members[i] = c.u32()
		}
		c.byte()
		take(c, &d.classes, m)
	},
	21: func(d *definitions, c *cursor) {
		m := classDef{id: uint64(c.u32()), class: c.u32(), instance: true}
		c.u64()
		m.scopeType, m.scope = c.byte(), c.u64()
		take(c, &d.classes, m)
	},
	22: func(d *definitions, c *cursor) {
		m := commDef{id: uint64(c.u32()), name: c.u32(), group: c.u32()}
		c.u32()
		take(c, &d.comms, m)
	},
	23: func(d *definitions, c *cursor) {
		take(c, &d.params, paramDef{uint64(c.u32()), c.u32()})
	},
	24: func(d *definitions, c *cursor) {
		self := c.u32()
		c.u32()
		if comm := c.u32(); c.fault == "" {
			d.windows[self] = comm
		}
	},
	27: func(d *definitions, c *cursor) {
		node := c.u32()
		if domain := c.byte(); c.fault == "" && domain == 1 {
			d.shared[node] = true
		}
	},
	34: func(d *definitions, c *cursor) {
		self, region := c.u32(), c.u32()
		c.u32()
		if m := (contextDef{region, c.u32()}); c.fault == "" {
			d.contexts[self] = m
		}
	},
	43: func(d *definitions, c *cursor) {
		m := commDef{id: uint64(c.u32()), name: c.u32(), a: c.u32(), b: c.u32(), inter: true}
		c.u32()
		c.u32()
		take(c, &d.comms, m)
	},
}

// take appends a definition that was read without a fault.
func take[T any](c *cursor, list *[]T, v T) {
	if c.fault == "" {
		*list = append(*list, v)
	}
}

func (d *definitions) region(c *cursor) {
	r := regionDef{id: uint64(c.u32()), name: c.u32()}
	c.u32()
	r.oldType, r.file, r.begin = c.byte(), c.u32(), c.u32()
	c.u32()
	if c.more() {
		c.u32()
		r.role, r.paradigm = c.byte(), c.byte()
		c.u32()
	} else {
		r.role, r.paradigm = oldRegion(r.oldType)
	}
	take(c, &d.regions, r)
}

// oldRoles are the roles of OpenMP regions by their type, from 5 on, as numbered before version 1.1.
var oldRoles = [...]uint8{roleParallel, roleLoop, roleSections, roleSection, roleWorkshare, roleSingle, roleMaster,
	roleCritical, roleAtomic, roleBarrier, roleImplicitBarrier, roleFlush, roleCriticalBlock, roleSingleBlock, roleWrapper,
	roleTask, roleTaskWait}

// oldRegion returns the role and paradigm of a region by its type, as numbered before version 1.1.
func oldRegion(t uint8) (role, paradigm uint8) {
	switch {
	case t == 19:
		return roleWrapper, paradigmUser
	case t >= 5 && t <= 21:
		return oldRoles[t-5], paradigmOpenMP
	case t >= 33 && t <= 35:
		return [...]uint8{roleTaskCreate, roleOrdered, roleOrderedBlock}[t-33], paradigmOpenMP
	case t == 22:
		return roleBarrier, paradigmMPI
	case t >= 23 && t <= 26:
		return roleOneToAll + t - 23, paradigmMPI
	case t == 1 || t == 3:
		return roleFunction, 0
	}
	return 0, paradigmUser
}

func (d *definitions) group(c *cursor) {
	self := c.u32()
	c.u32()
	old := c.byte()
	g := &groupDef{members: make([]uint64, 0, c.count(uint64(c.u32()), 1))}
	for range cap(g.members) {
		g.members = append(g.members, c.u64())
	}
	switch {
	case c.more():
		g.kind, g.paradigm, g.flags = c.byte(), c.byte(), c.u32()
	case old >= 4 && old <= 6:
		g.kind, g.paradigm = [...]uint8{ranks, selfGroup, locationList}[old-4], paradigmMPI
	default:
		g.kind = old
	}
	if c.fault != "" {
		return
	}
	if g.kind == locationList {
		d.lists[g.paradigm] = g.members
		return
	}
	d.groups[self] = g
}

// resolve builds the tables of ids. Of several objects with the same id the last counts.
func (d *definitions) resolve() {
	d.locations = lastOnly(d.locations, func(l *locationDef) uint64 { return l.id })
	d.sets = lastOnly(d.sets, func(g *locationGroupDef) uint64 { return uint64(g.id) })
	d.regions = lastOnly(d.regions, func(r *regionDef) uint64 { return r.id })
	d.comms = lastOnly(d.comms, func(m *commDef) uint64 { return m.id })
	d.classes = lastOnly(d.classes, func(m *classDef) uint64 { return m.id })
	d.params = lastOnly(d.params, func(p *paramDef) uint64 { return p.id })
	d.regionIDs = idsOf(d.regions, func(r *regionDef) uint64 { return r.id })
	d.commIDs = idsOf(d.comms, func(m *commDef) uint64 { return m.id })
	d.classIDs = idsOf(d.classes, func(m *classDef) uint64 { return m.id })
	d.paramIDs = idsOf(d.params, func(p *paramDef) uint64 { return p.id })
	d.setIDs = idsOf(d.sets, func(g *locationGroupDef) uint64 { return uint64(g.id) })
	for i := range d.classes {
		if m := &d.classes[i]; m.instance {
			if k := d.classIDs.find(uint64(m.class)); k >= 0 && !d.classes[k].instance {
				m.members = d.classes[k].members
			}
		}
	}
}

// set returns a location group, nil if it is not defined.
func (d *definitions) set(id uint32) *locationGroupDef {
	if k := d.setIDs.find(uint64(id)); k >= 0 {
		return &d.sets[k]
	}
	return nil
}

// lastOnly drops all but the last definition of each id; it takes the place of the first.
func lastOnly[T any](list []T, id func(*T) uint64) []T {
	at := make(map[uint64]int, len(list))
	out := list[:0]
	for i := range list {
		k := id(&list[i])
		if j, ok := at[k]; ok {
			out[j] = list[i]
			continue
		}
		at[k] = len(out)
		out = append(out, list[i])
	}
	return slices.Clip(out)
}

func idsOf[T any](list []T, id func(*T) uint64) *ids {
	keys, numbers := make([]uint64, len(list)), make([]int32, len(list))
	for i := range list {
		keys[i], numbers[i] = id(&list[i]), int32(i)
	}
	return newIDs(keys, numbers)
}

// text returns a string for display.
func (d *definitions) text(id uint32) string { return prv.Clean(d.strings[id]) }
