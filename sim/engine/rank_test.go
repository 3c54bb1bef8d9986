package engine

import (
	"slices"
	"testing"

	"pview/sim"
)

// bare returns an engine of threads on one node of some CPUs, each thread a task of its own application.
func bare(threads, cpus int) *engine {
	e := &engine{threads: make([]thread, threads), p: &sim.Program{}, m: &sim.Machine{}}
	for i := range threads {
		e.p.AddPtask()
		e.threads[i].task = e.p.AddTask(1)
	}
	e.cpus.nodes = []node{{free: cpus, idle: allCPUs(cpus), on: make([]int32, cpus)}}
	e.cpus.dirty = make([]uint64, 1)
	e.cpus.engine = e
	return e
}

// The first application has the first priority, the third the last there is. Each swap moves them on by one.
func TestFixedPriorities(t *testing.T) {
	e := bare(3, 1)
	f := newFixed(e, &sim.Scheduler{Priorities: []float64{4, 9}, Swap: 5}, 0)
	for i, want := range [][]float64{{4, 9, 9}, {9, 9, 4}, {9, 4, 9}, {4, 9, 9}} {
		if !slices.Equal(f.rank, want) {
			t.Errorf("after %d swaps: %v, not %v", i, f.rank, want)
		}
		f.tick()
	}
	if f.period() != 5 {
		t.Errorf("swaps every %g ns", f.period())
	}
	if f := newFixed(e, &sim.Scheduler{}, 0); !slices.Equal(f.rank, []float64{0, 0, 0}) {
		t.Errorf("without priorities: %v", f.rank)
	}
	for name, p := range map[string]cpuPolicy{"FIFO": newFixedFIFO(e, &sim.Scheduler{}),
		"RR": newRoundRobin(e, &sim.Scheduler{})} {
		if _, ok := p.(fifo); !ok {
			t.Errorf("%s without priorities or quantum: %T", name, p)
		}
	}
	if _, ok := newFixedFIFO(e, &sim.Scheduler{Priorities: []float64{1}}).(*fixed); !ok {
		t.Error("one priority is none")
	}
}

// The thesis' variants with a boost of 3 from 50: a receiver that waits, twice, one that finds its message, a late
// sender. The first variant acts one receive later; only the third boosts senders.
func TestBoostVariants(t *testing.T) {
	for name, want := range map[string][]float64{"BOOST1": {50, 53, 56, 56}, "BOOST2": {53, 56, 53, 53},
		"BOOST3": {53, 56, 53, 50}} {
		b := newPolicies[name](bare(1, 1), &sim.Scheduler{Base: 50, Best: 0, Worst: 100, Boost: 3}).(*boost)
		var got []float64
		for _, what := range []occasion{receiverFirst, receiverFirst, receiverLast, senderLast} {
			b.happened(0, what, 0)
			got = append(got, b.rank[0])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, not %v", name, got, want)
		}
	}
}

// The scheduler of 4BSD, with ticks of 10, a load average of 4 ticks and a readjustment of 8. Thread 1 runs and thread
// 2 is ready: a load of 2. Each tick makes thread 1 worse by one; at the 8th, 4/5 of its 8 ticks remain. It is at worst
// 55.
func TestDecay(t *testing.T) {
	e := bare(2, 2)
	n := &e.cpus.nodes[0]
	n.take(0, &e.threads[0])
	n.queue.PushBack(1)
	s := sim.Scheduler{Base: 50, Best: 45, Worst: 55, UseTick: 10, LoadInterval: 40, Readjust: 80}
	d := newDecay(e, &s).(*decay)
	if d.period() != 10 || d.sample != 4 || d.adapt != 8 {
		t.Errorf("ticks of %g, samples of %d, readjusted after %d", d.period(), d.sample, d.adapt)
	}
	for k, want := range []float64{51, 52, 53, 54, 55, 55, 55, 55, 55} {
		if d.tick(); d.rank[0] != want || d.rank[1] != 50 {
			t.Errorf("tick %d: priorities %v, not %g and 50", k+1, d.rank, want)
		}
		if k == 3 && d.load[0] != 2 || k == 7 && (d.load[0] != 2 || d.use[0] != 8*4.0/5) {
			t.Errorf("tick %d: load %g, use %g", k+1, d.load[0], d.use[0])
		}
	}
	s.LoadInterval, s.Readjust = 44, 46
	if d := newDecay(e, &s).(*decay); d.sample != 4 || d.adapt != 5 {
		t.Errorf("not rounded: %d and %d", d.sample, d.adapt)
	}
}

// Levels of time sharing: quanta that are used up, waits that end, and seconds without either.
func TestLevels(t *testing.T) {
	levels := []sim.Level{{Priority: 10, Quantum: 200, Expired: 0, Slept: 2, MaxWait: 1, Waited: 1},
		{Priority: 20, Quantum: 100, Expired: 0, Slept: 2, MaxWait: 0, Waited: 2},
		{Priority: 30, Quantum: 40, Expired: 1, Slept: 2, MaxWait: 5, Waited: 2}}
	e := bare(3, 1)
	v := newSVR4(e, &sim.Scheduler{Levels: levels, StartLevel: 1, QuantumFactor: 50}).(*svr4)
	if !slices.Equal(v.rank, []float64{-20, -20, -20}) || v.slice(0, &thread{}, 1e3) != 50 || v.period() != 1e9 {
		t.Errorf("%v, a slice of %g", v.rank, v.slice(0, &thread{}, 1e3))
	}
	v.happened(0, quantumOver, 0)
	v.happened(1, woken, 0)
	if !slices.Equal(v.level, []int{0, 2, 1}) {
		t.Errorf("levels %v", v.level)
	}
	// Thread 1 is on the CPU and rises after more than a second, thread 3 is ready and rises in the first; thread 2
	// waits for something and does not age.
	n := &e.cpus.nodes[0]
	n.take(0, &e.threads[0])
	n.queue.PushBack(2)
	for _, want := range [][]int{{0, 2, 2}, {1, 2, 2}, {2, 2, 2}} {
		if v.tick(); !slices.Equal(v.level, want) {
			t.Errorf("levels %v, not %v", v.level, want)
		}
	}
	if v.waits[1] != 0 {
		t.Errorf("thread 2 has aged by %g", v.waits[1])
	}
	for start, want := range map[float64]int{-1: 0, 9: 2} {
		v := newSVR4(e, &sim.Scheduler{Levels: levels, StartLevel: start}).(*svr4)
		if v.level[0] != want || v.factor != 1 {
			t.Errorf("start level %g is %d, factor %g", start, v.level[0], v.factor)
		}
	}
}

// A thread gets the CPU that it had, if that is free, else the first free one.
func TestTake(t *testing.T) {
	for _, c := range []struct {
		had, want int32
		taken     []int32
	}{{-1, 0, nil}, {2, 2, nil}, {2, 0, []int32{2}}, {0, 1, []int32{0, 2}}, {-1, 3, []int32{0, 1, 2}}} {
		e := bare(4, 4)
		n := &e.cpus.nodes[0]
		for i, cpu := range c.taken {
			n.take(int32(i), &thread{cpu: cpu})
		}
		x := &thread{cpu: c.had}
		n.take(3, x)
		if x.cpu != c.want || !x.onCPU || n.on[c.want] != 4 || n.free != 4-len(c.taken)-1 {
			t.Errorf("had %d, taken %v: CPU %d, %+v", c.had, c.taken, x.cpu, n)
		}
	}
}

// A block of the program: no time, a time of its own, or so much faster; shared by threads.
func TestModuleTimes(t *testing.T) {
	for _, c := range []struct{ ratio, threads, want float64 }{{0, 1, 0}, {-30, 1, 30}, {-30, 2, 15}, {2, 1, 50},
		{2, 4, 12.5}, {1, 1, 100}} {
		m := module{ratio: c.ratio, threads: c.threads}
		if got := m.apply(100); got != c.want {
			t.Errorf("ratio %g, %g threads: %g, not %g", c.ratio, c.threads, got, c.want)
		}
	}
	// Blocks of types 1, 2 and 1 are open. The end of one closes the innermost of its type; in Dimemas the oldest,
	// which becomes the innermost if it is of another type.
	for _, c := range []struct {
		rule  uint8
		typ   uint32
		ratio []float64
	}{
		{sim.ModulesNest, 1, []float64{10, 20}}, {sim.ModulesNest, 2, []float64{10, 30}},
		{sim.ModulesNest, 3, []float64{10, 20, 30}},
		{0, 1, []float64{20, 30}}, {0, 2, []float64{20, 30, 10}},
	} {
		rs := records{engine: &engine{}}
		rs.rules[sim.ModuleNesting] = c.rule
		x := &thread{modules: []module{{typ: 1, ratio: 10}, {typ: 2, ratio: 20}, {typ: 1, ratio: 30}}}
		rs.closeModule(x, c.typ)
		var got []float64
		for _, m := range x.modules {
			got = append(got, m.ratio)
		}
		if !slices.Equal(got, c.ratio) {
			t.Errorf("rule %d, end of type %d: %v, not %v", c.rule, c.typ, got, c.ratio)
		}
	}
}
