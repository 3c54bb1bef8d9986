package engine

// Modules: blocks of the program whose computation runs at another speed, or is divided among threads.

import (
	"slices"

	"pview/sim"
)

// module is an open block of the program.
type module struct {
	typ     uint32
	ratio   float64
	threads float64 // that share its computation, limited by the CPUs
	join    float64 // ns
}

// followModules opens and closes blocks of the program with a changed speed.
func (rs *records) followModules(t *thread, typ uint32, value int64) {
	if value == 0 {
		rs.closeModule(t, typ)
		return
	}
	of := false // the type has modules
	for i := range rs.m.Modules {
		m := &rs.m.Modules[i]
		if m.Type == typ && m.Value == value {
			opened := module{typ: typ, ratio: m.Ratio, threads: 1}
			if m.Threads > 1 {
				opened.threads, opened.join = min(float64(m.Threads), rs.shares[t.node]), m.Join
				t.fork = m.Fork
			}
			t.modules = append(t.modules, opened)
			return
		}
		of = of || m.Type == typ
	}
	if of && rs.rules[sim.ModuleNesting] == sim.ModulesNest { // restore the speed of an outer block of the same kind
		t.modules = append(t.modules, module{typ: typ, ratio: 1, threads: 1})
	}
}

// closing returns the position of the open block that an event of a type ends: the innermost of its type; or, as in
// Dimemas, the oldest one if it has that type; -1: none. With one open block, both rules agree.
func (rs *records) closing(t *thread, typ uint32) int {
	if rs.rules[sim.ModuleNesting] == sim.ModulesNest {
		for i := len(t.modules) - 1; i >= 0; i-- {
			if t.modules[i].typ == typ {
				return i
			}
		}
		return -1
	}
	if len(t.modules) > 0 && t.modules[0].typ == typ {
		return 0
	}
	return -1
}

// closeModule ends a block. In Dimemas, where the oldest has another type, it becomes the innermost.
func (rs *records) closeModule(t *thread, typ uint32) {
	if at := rs.closing(t, typ); at >= 0 {
		t.modules = slices.Delete(t.modules, at, at+1)
	} else if n := len(t.modules); n > 1 && rs.rules[sim.ModuleNesting] != sim.ModulesNest {
		oldest := t.modules[0]
		copy(t.modules, t.modules[1:])
		t.modules[n-1] = oldest
	}
}

// apply returns the duration of a computation in the block.
func (m *module) apply(ns float64) float64 {
	switch {
	case m.ratio == 0:
		return 0
	case m.ratio < 0:
		return -m.ratio / m.threads
	}
	return ns / m.ratio / m.threads
}

// spend makes a thread work between two events of its program.
func (rs *records) spend(i int32, t *thread, ns float64) {
	rs.breakLine(i, t)
	t.phase, t.synthetic, t.left = computing, true, ns
	rs.cpus.ready(i, t)
}

// joins charges the join of the block that the thread's event ends, once; it returns false if there is none, or it is
// already charged.
func (rs *records) joins(i int32, t *thread) bool {
	if t.joined {
		t.joined = false
		return false
	}
	typ, value := t.src.Event(int(t.pc))
	if value != 0 {
		return false
	}
	at := rs.closing(t, typ)
	if at < 0 || t.modules[at].join == 0 {
		return false
	}
	t.joined = true
	rs.spend(i, t, t.modules[at].join)
	return true
}
