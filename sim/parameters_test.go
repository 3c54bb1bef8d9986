package sim

import (
	"math"
	"slices"
	"testing"
)

// A clone has nothing that the machine has, and equals it.
func TestClone(t *testing.T) {
	m := Ideal(2)
	m.Clusters[0].Flight = []float64{1}
	m.Connections = []Connection{{Tags: []int64{1}, Communicators: []int64{1}}}
	m.Modules, m.Mapping = []Module{{Ratio: 2}}, []Mapping{{Kind: Explicit, Nodes: []int{1, 0}}}
	m.Scheduler.Priorities, m.Scheduler.Levels = []float64{1}, SolarisLevels()
	m.Random, m.Direct.Map = []Variation{{Parameter: "latency"}}, []int32{1}
	m.Routines = []Routine{{Interconnect: Interconnect{Map: []int32{1}}}}
	c := m.Clone()
	if !m.Equal(c) || !m.Equal(m) {
		t.Error("a clone is not equal")
	}
	for name, change := range map[string]func(){
		"flight": func() { c.Clusters[0].Flight[0]++ }, "nodes": func() { c.Nodes[1].CPUs++ },
		"tags": func() { c.Connections[0].Tags[0]++ }, "communicators": func() { c.Connections[0].Communicators[0]++ },
		"modules": func() { c.Modules[0].Ratio++ }, "mapping": func() { c.Mapping[0].Nodes[0]++ },
		"priorities": func() { c.Scheduler.Priorities[0]++ }, "levels": func() { c.Scheduler.Levels[3].Expired++ },
		"random": func() { c.Random[0].Params[0]++ }, "map": func() { c.Direct.Map[0]++ },
		"routines": func() { c.Routines[0].Map[0]++ }, "clusters": func() { c.Clusters[0].Buses++ },
		"connections": func() { c.Connections[0].Latency++ }, "network": func() { c.Network = "direct" },
	} {
		c = m.Clone()
		change()
		if m.Equal(c) || !m.Equal(m.Clone()) {
			t.Errorf("%s: the machine has changed as well, or the change makes no difference", name)
		}
	}
}

// Tasks move one at a time; machines grow by copies of their last node.
func TestPlaceAndNodes(t *testing.T) {
	p := &Program{}
	for _, n := range []int{3, 2} {
		p.AddPtask()
		for range n {
			p.AddTask(1)
		}
	}
	m := Ideal(3)
	nodes := func() []int32 {
		at, err := m.Placement(p)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	if got := nodes(); !slices.Equal(got, []int32{0, 1, 2, 0, 1}) {
		t.Errorf("tasks on %v", got)
	}
	m.Place(p, 4, 2)
	m.Place(p, 0, 2)
	m.Place(p, 1, 3) // there is none
	m.Place(p, 1, -1)
	if got := nodes(); !slices.Equal(got, []int32{2, 1, 2, 0, 2}) {
		t.Errorf("moved to %v", got)
	}
	m.Nodes[2].CPUs = 7
	for _, c := range []struct{ n, want, last int }{{5, 5, 7}, {4, 4, 7}, {2, 2, 1}, {0, 0, 0}, {1, 1, 1}, {-1, 0, 0},
		{maxNodes + 1, maxNodes, 1}} {
		m.SetNodes(c.n)
		last := 0
		if len(m.Nodes) > 0 {
			last = m.Nodes[len(m.Nodes)-1].CPUs
		}
		if len(m.Nodes) != c.want || last != c.last {
			t.Errorf("%d nodes: %d, the last with %d CPUs, want %d", c.n, len(m.Nodes), last, c.last)
		}
	}
	for _, c := range []struct{ per, nodes, want int }{{2, 1, 2}, {3, 1, 1}, {1, 2, 3}, {1, 4, 4}, {0, 1, 1}} {
		m := Ideal(c.nodes)
		m.Mapping = []Mapping{{Kind: TasksPerNode, Tasks: c.per}}
		if m.Room(p); len(m.Nodes) != c.want { // for the application of 3 tasks
			t.Errorf("%d tasks per node: room on %d nodes, want %d", c.per, len(m.Nodes), c.want)
		}
	}
}

// A block has one setting; as measured and on one thread it has none.
func TestBlockSettings(t *testing.T) {
	m := &Machine{}
	m.SetModule(Module{Type: 1, Value: 2, Ratio: 3, Split: Split{Threads: 1, Fork: 9}})
	m.SetModule(Module{Type: 1, Value: 5, Ratio: 1, Split: Split{Threads: 4, Fork: 9}})
	if b := m.Block(1, 2); b.Ratio != 3 || b.Split != (Split{}) {
		t.Errorf("%+v", b)
	}
	m.SetBlockSpeed(1, 5, 2)
	if b := m.Block(1, 5); b.Ratio != 2 || b.Threads != 4 || m.MostSplit() != 4 {
		t.Errorf("%+v, most threads %d", b, m.MostSplit())
	}
	if b := m.Block(2, 2); b.Ratio != 1 || b.Threads != 0 || b.Type != 2 || b.Value != 2 {
		t.Errorf("never set: %+v", b)
	}
	m.SetModule(Module{Type: 1, Value: 5, Ratio: 1})
	m.SetBlockSpeed(1, 2, 1)
	if m.Modules != nil || m.MostSplit() != 1 {
		t.Errorf("left: %v", m.Modules)
	}
	for share, of := range map[float64][2]int{2: {6, 3}, 1: {2, 3}, 6: {6, 0}, 1.5: {3, 2}} {
		if got := CPUShare(of[0], of[1]); got != share {
			t.Errorf("%d CPUs for %d threads: %g each, want %g", of[0], of[1], got, share)
		}
	}
	for _, s := range []Split{{Threads: -1}, {Threads: MaxSplit + 1}, {Fork: -1}, {Join: math.Inf(1)}} {
		if s.check() == nil {
			t.Errorf("%+v is possible", s)
		}
	}
	if s := (Split{Threads: MaxSplit}); s.check() != nil {
		t.Errorf("%+v: %v", s, s.check())
	}
}

// The steps of a binary tree over 8: 4, 2 and 1 messages, one at a time for each bus. Over 6 phase
// i has (5 - (2^i - 1)) / 2^(i+1) messages, rounded up: 3, 1, 1.
func TestStepsAndSizes(t *testing.T) {
	for _, c := range []struct {
		model, p, buses int
		want            float64
	}{
		{0, 8, 0, 0}, {1, 8, 0, 1}, {2, 8, 0, 7}, {3, 1, 0, 0}, {3, 2, 0, 1}, {3, 8, 0, 3}, {3, 9, 0, 4}, {3, 8, 1, 7},
		{3, 8, 2, 4}, {3, 8, 3, 4}, {3, 8, 4, 3}, {3, 6, 1, 5}, {3, 6, 2, 4}, {3, 6, 3, 3}, {3, 1, 1, 0}, {3, 2, 1, 1},
	} {
		if got := CollectiveModels[c.model].Steps(c.p, c.buses); got != c.want {
			t.Errorf("%s, %d participants, %d buses: %g steps, want %g", CollectiveModels[c.model].Name, c.p, c.buses,
				got, c.want)
		}
	}
	for i, want := range []int32{10, 10, 15, 12, 30, 25} { // of 10 sent and 15 received
		if got := CollectiveSizes[i].Size(10, 15, false); got != want {
			t.Errorf("%s: %d bytes, want %d", CollectiveSizes[i].Name, got, want)
		}
	}
	if got := CollectiveSizes[SizeCurrent].Size(10, 15, true); got != 15 {
		t.Errorf("a fan-out has %d bytes, want those received", got)
	}
	costs := DefaultCosts()
	for _, s := range []struct {
		stage Stage
		ok    bool
	}{{Stage{ModelDefault, SizeSum}, true}, {Stage{ModelDefault + 1, 0}, false}, {Stage{0, SizeSum + 1}, false}} {
		costs[3].FanOut = s.stage
		if (costs.check() == nil) != s.ok {
			t.Errorf("%+v: %v", s.stage, costs.check())
		}
	}
}

// 250 bytes over 3 links of 10 ns and 2 ns a byte, in packets of 100; the header has 5 bytes and a speed of its own, or
// that of the link; flits have 50 bytes.
func TestInterconnectTimes(t *testing.T) {
	c := Interconnect{Startup: 10, PerByte: 2, Packet: 100, Control: 5, Flit: 50, LocalStartup: 7, LocalPerByte: 1}
	own := c
	own.ControlOwn, own.ControlStartup, own.ControlPerByte = true, 1, 3
	own.FlitOwn, own.FlitStartup, own.FlitPerByte = true, 4, 1
	for i, want := range []struct{ link, own float64 }{
		{3 * (30 + 500), 3 * (30 + 500)},            // packet: three packets over each link
		{3*(10+10) + 530, 3*(1+15) + 530},           // cut-through: header and message
		{3*(10+10) + 530, 3*(1+15) + 530},           // circuit: control packet and message
		{(3 - 1 + 5) * 110, (3 - 1 + 5) * (4 + 50)}, // wormhole: five flits
	} {
		c.Switching, own.Switching = uint8(i), uint8(i)
		if got := c.Time(3, 250); got != want.link {
			t.Errorf("%s: %g ns, want %g", Switchings[i].Name, got, want.link)
		}
		if got := own.Time(3, 250); got != want.own {
			t.Errorf("%s, own speeds: %g ns, want %g", Switchings[i].Name, got, want.own)
		}
		if got := c.Time(0, 250); got != 7+250 {
			t.Errorf("within a processor: %g ns, want 257", got)
		}
		if k, ok := SwitchingByName(Switchings[i].Name); int(k) != i || !ok {
			t.Errorf("%s is technique %d", Switchings[i].Name, k)
		}
	}
	if _, ok := SwitchingByName("none"); ok {
		t.Error("there is a technique without a name")
	}
	if got := c.LinkTime(0); got != 10 {
		t.Errorf("an empty message takes %g ns, want the startup", got)
	}
	c.Packet = 0
	if got := c.LinkTime(250); got != 510 {
		t.Errorf("undivided it takes %g ns, want 510", got)
	}
}

// Rules are set by name; all choices of all rules can be, and no other.
func TestRulesByName(t *testing.T) {
	for i := range RuleTable {
		for k, v := range RuleTable[i].Values {
			var r Rules
			if err := r.Set(RuleTable[i].Name, v.Name); err != nil || int(r[i]) != k || r.Value(Rule(i)) != v.Name {
				t.Errorf("%s=%s: %v, %v", RuleTable[i].Name, v.Name, r, err)
			}
			if r.Check() != nil {
				t.Error(r.Check())
			}
		}
		r := Rules{}
		r[i] = uint8(len(RuleTable[i].Values))
		if r.Check() == nil {
			t.Errorf("rule %s has a choice behind its last", RuleTable[i].Name)
		}
	}
	var r Rules
	if r.Set("acquisition", "never") == nil || r.Set("none", "all") == nil {
		t.Error("unknown rules or choices are set")
	}
	if r, err := ModelRules("thesis"); err != nil || r[Acquisition] != RuleTable[Acquisition].Thesis {
		t.Errorf("%v, %v", r, err)
	}
	if _, err := ModelRules("none"); err == nil {
		t.Error("there is a model none")
	}
}

// Values on the edge of what a policy takes; others do not matter to it.
func TestSchedulerCheck(t *testing.T) {
	for _, c := range []struct {
		policy string
		change func(s *Scheduler)
		ok     bool
	}{
		{"", func(s *Scheduler) { s.UseTick = 0 }, true}, {"DECAY", func(s *Scheduler) {}, true},
		{"DECAY", func(s *Scheduler) { s.UseTick = 1e3 }, true},
		{"DECAY", func(s *Scheduler) { s.UseTick = 1e3 - 1 }, false},
		{"DECAY", func(s *Scheduler) { s.LoadInterval = s.UseTick }, true},
		{"DECAY", func(s *Scheduler) { s.LoadInterval = s.UseTick - 1 }, false},
		{"DECAY", func(s *Scheduler) { s.Readjust = s.UseTick }, true},
		{"DECAY", func(s *Scheduler) { s.Readjust = s.UseTick - 1 }, false},
		{"", func(s *Scheduler) { s.Quantum = 0 }, true}, {"", func(s *Scheduler) { s.Quantum = 1 }, true},
		{"", func(s *Scheduler) { s.Quantum = 0.9 }, false}, {"", func(s *Scheduler) { s.Swap = 1e3 }, true},
		{"", func(s *Scheduler) { s.Swap = 999 }, false}, {"", func(s *Scheduler) { s.Swap = 0 }, true},
		{"CP_RR", func(s *Scheduler) { s.BusyWait = -1 }, false},
		{"SHARED", func(s *Scheduler) { s.BusyWait = -1 }, true},
		{"CP_RR", func(s *Scheduler) { s.MinRun = math.Inf(1) }, false},
		{"", func(s *Scheduler) { s.Levels = []Level{{Quantum: 1}} }, true},
		{"", func(s *Scheduler) { s.Levels = []Level{{Quantum: 0.9}} }, false},
		{"", func(s *Scheduler) { s.Levels = []Level{{Quantum: 1, Expired: 1}} }, false},
		{"", func(s *Scheduler) { s.Levels = []Level{{Quantum: 1, Slept: -1}} }, false},
		{"", func(s *Scheduler) { s.Levels = []Level{{Quantum: 1, Waited: 1}} }, false},
		{"", func(s *Scheduler) { s.Levels = []Level{{Quantum: 1, MaxWait: math.Inf(1)}} }, true},
		{"", func(s *Scheduler) { s.Levels = []Level{{Quantum: 1, MaxWait: -1}} }, false},
		{"", func(s *Scheduler) { s.Levels = []Level{{Quantum: 1, Priority: math.Inf(1)}} }, false},
	} {
		s := DefaultScheduler()
		s.Policy = c.policy
		c.change(&s)
		if err := s.Check(); (err == nil) != c.ok {
			t.Errorf("%s %+v: %v", c.policy, s, err)
		}
	}
	// Rows of the table of Solaris: 0 and 59, and where the formulas change.
	levels := SolarisLevels()
	for at, want := range map[int]Level{
		0: {0, 200e6, 0, 50, 0, 50}, 9: {9, 200e6, 0, 50, 0, 50}, 10: {10, 160e6, 0, 51, 0, 51},
		34: {34, 80e6, 24, 53, 0, 53}, 35: {35, 80e6, 25, 54, 0, 54}, 44: {44, 40e6, 34, 55, 0, 55},
		45: {45, 40e6, 35, 56, 0, 56}, 48: {48, 40e6, 38, 58, 0, 58}, 49: {49, 40e6, 39, 58, 0, 59},
		58: {58, 40e6, 48, 58, 0, 59}, 59: {59, 20e6, 49, 59, 32000, 59},
	} {
		if levels[at] != want {
			t.Errorf("level %d is %+v, want %+v", at, levels[at], want)
		}
	}
}
