package sim

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/prvtest"
)

// Two threads run 60 and 20 of 100: 40 %. Nodes 1 and 3 of three have tasks: 60 on 2 CPUs and 20 on one.
func TestUses(t *testing.T) {
	r := &Result{Total: 100, Tasks: make([]TaskStats, 2)}
	for i, ns := range []int64{60, 20} {
		r.Tasks[i].States[StateRunning], r.Tasks[i].Computation = ns, float64(ns)
	}
	m := &Machine{Nodes: []Node{{CPUs: 2}, {CPUs: 1}, {CPUs: 1}}}
	if u := r.Utilisation(2); u != 0.4 {
		t.Errorf("utilisation %g", u)
	}
	if list := r.NodeUses(m, []int32{0, 2}); !slices.Equal(list, []NodeUse{{0, 60, 0.3}, {2, 20, 0.2}}) {
		t.Errorf("%v", list)
	}
	if list := r.NodeUses(m, []int32{2, 2}); !slices.Equal(list, []NodeUse{{2, 80, 0.8}}) {
		t.Errorf("%v", list)
	}
	if Share(1, 0) != 0 || Share(1, 4) != 0.25 || new(Result).Utilisation(1) != 0 {
		t.Error("shares")
	}
	s := TaskStats{BlockedRecv: 1, BlockedSend: 20, BlockedColl: 300, InColl: 4000, Startups: 50000}
	if s.Blocked() != 4321 {
		t.Errorf("blocked for %g", s.Blocked())
	}
}

// Runs of an application end at 30, 50, 80 and 100: 25 each. In the last half, from 50 on, two take 25 each.
func TestRunTimes(t *testing.T) {
	r := &Result{Total: 100, Runs: [][]int64{{30, 50, 80, 100}, {}, {100}}}
	if r.MeanRun(0) != 25 || r.MeanRun(1) != 0 || r.MeanRun(2) != 100 {
		t.Errorf("means %g, %g, %g", r.MeanRun(0), r.MeanRun(1), r.MeanRun(2))
	}
	for _, c := range []struct {
		ptask      int
		part, want float64
	}{{0, 1, 70. / 3}, {0, 0.5, 25}, {0, 0.25, 20}, {0, 0.2, 20}, {0, 0.1, 0}, {1, 1, 0}, {2, 1, 0}} {
		if got := r.RunTime(c.ptask, c.part); got != c.want {
			t.Errorf("application %d, last %g: %g, want %g", c.ptask+1, c.part, got, c.want)
		}
	}
}

// A prediction has the names of the measured trace; its own where that has none, or in the numbers of the thesis.
func TestNamePrediction(t *testing.T) {
	named := func(nodes int, states ...string) *prv.Trace {
		h := prv.Header{}
		h.AddNode(1)
		h.AddPtask()
		for range nodes {
			h.AddTask(1, 0)
		}
		tr, err := prv.NewBuilder(h).Build()
		if err != nil {
			t.Fatal(err)
		}
		tr.Labels, tr.Names = tr.Labels.Clone(), &prv.Names{}
		tr.Labels.States = nil
		for i, s := range states {
			tr.Labels.AddState(int64(i), s)
		}
		return tr
	}
	measured := named(2, "Idle", "Computing")
	measured.Names.Levels[prv.LevelTask] = []string{"a", "b"}
	for _, c := range []struct {
		paraver bool
		tasks   int
		want    string
	}{{true, 2, "Idle Computing Blocked [a b]"}, {false, 3, "idle running Blocked []"}} {
		var rules Rules
		if rules[StateNumbers] = StatesParaver; !c.paraver {
			rules[StateNumbers] = StatesThesis
		}
		tr := named(c.tasks, "idle", "running", "Blocked")
		NamePrediction(tr, measured, rules)
		var names []string
		for v := range int64(3) {
			names = append(names, tr.Labels.StateName(v))
		}
		got := fmt.Sprint(strings.Join(names, " "), " ", tr.Names.Levels[prv.LevelTask])
		if got != c.want || tr.Labels.TypeName(extrae.Predicted) != extrae.PredictedLabel {
			t.Errorf("%+v: %s", c, got)
		}
	}
	if len(measured.Labels.States) != 2 {
		t.Error("the measured trace has other states")
	}
}

func TestDeadlockInWords(t *testing.T) {
	d := &Deadlock{At: 1.5e9}
	for i := range 5 {
		d.Waits = append(d.Waits, Blocked{Thread: fmt.Sprint("1.1.", i+1), Record: i + 2, What: "a receive"})
	}
	all := "deadlock at 1.500000000 s: thread 1.1.1 waits at its record 2: a receive; thread 1.1.2 waits at its " +
		"record 3: a receive; thread 1.1.3 waits at its record 4: a receive; thread 1.1.4 waits at its record 5: a " +
		"receive"
	if got := d.Error(); got != all+"; and 1 more" {
		t.Error(got)
	}
	d.Waits = d.Waits[:4]
	d.Teams = true
	if got := d.Error(); !strings.HasPrefix(got, all+" (as in Dimemas") {
		t.Error(got)
	}
}

// Of two blocks the second one has 4 threads on a node of 4 CPUs for 2 threads: twice as fast. A node without threads
// does not matter.
func TestNarrow(t *testing.T) {
	p := &Program{}
	p.AddPtask()
	p.AddTask(2)
	p.AddTask(1)
	m := IdealFor(p)
	m.Nodes = []Node{{CPUs: 4}, {CPUs: 4}, {CPUs: 1}}
	m.Mapping = []Mapping{{Kind: TasksPerNode, Tasks: 1}}
	m.Modules = []Module{{Type: 7, Value: 1, Split: Split{Threads: 2}}, {Type: 7, Value: 2, Split: Split{Threads: 4}}}
	if got := m.Narrow(p); got != "block 7:2 is split over 4 threads, but node 1 has 4 CPUs for 2 threads of the "+
		"program: it is 2 times as fast" {
		t.Error(got)
	}
	if m.MostSplit() != 4 || (&Machine{}).MostSplit() != 1 {
		t.Errorf("at most %d threads", m.MostSplit())
	}
	m.Modules = m.Modules[:1]
	if got := m.Narrow(p); got != "" {
		t.Error(got)
	}
	for _, c := range [][3]float64{{4, 2, 2}, {4, 0, 4}, {1, 3, 1}} {
		if got := CPUShare(int(c[0]), int(c[1])); got != c[2] {
			t.Errorf("%g CPUs for %g threads: %g", c[0], c[1], got)
		}
	}
	if load, err := m.Load(p); err != nil || !slices.Equal(load, []int{2, 1, 0}) {
		t.Errorf("%v, %v", load, err)
	}
}

// 5 tasks on 2 nodes, where one on each is too few: 3 on each.
func TestSpread(t *testing.T) {
	p := &Program{}
	p.AddPtask()
	for range 5 {
		p.AddTask(1)
	}
	m := Ideal(2)
	m.Mapping = []Mapping{{Kind: TasksPerNode, Tasks: 1}}
	if !m.Spread(p) || m.Mapping[0].Tasks != 3 || m.Spread(p) {
		t.Errorf("%+v", m.Mapping)
	}
	if at, err := m.Placement(p); err != nil || !slices.Equal(at, []int32{0, 0, 0, 1, 1}) {
		t.Errorf("%v, %v", at, err)
	}
}

// Networks of their own are in the order of the operations, and copies of that of messages.
func TestOwnNetworks(t *testing.T) {
	m := Ideal(4)
	m.Direct = Interconnect{Topology: "ring 4", Startup: 5, Map: []int32{3, 2, 1, 0}}
	for _, op := range []CollectiveOp{5, 1, 9} {
		m.SetOwnNetwork(op, true)
		m.SetOwnNetwork(op, true)
	}
	var ops []CollectiveOp
	for i := range m.Routines {
		ops = append(ops, m.Routines[i].Op)
	}
	if !slices.Equal(ops, []CollectiveOp{1, 5, 9}) {
		t.Errorf("%v", ops)
	}
	c := m.OwnNetwork(5)
	c.Startup, c.Map[0] = 7, 0
	if m.Direct.Startup != 5 || m.Direct.Map[0] != 3 || m.NetworkOf(5) != c || m.NetworkOf(2) != &m.Direct ||
		m.OwnNetwork(2) != nil {
		t.Errorf("%+v", m.Direct)
	}
	for _, op := range ops {
		m.SetOwnNetwork(op, false)
	}
	if m.Routines != nil {
		t.Errorf("%v", m.Routines)
	}
}

// A shape with numbers is kept with them; a name alone stands for any number of processors.
func TestShapes(t *testing.T) {
	c := &Interconnect{}
	for _, s := range []struct{ text, want string }{{" ring ", "ring"}, {"torus 2 3", "torus 2 3"}, {"", ""}} {
		if err := c.SetShape(s.text, 6); err != nil || c.ShapeText() != s.want {
			t.Errorf("%q: %q, %v", s.text, c.ShapeText(), err)
		}
	}
	if err := c.SetShape("torus 2 x", 6); err == nil || c.ShapeText() != "" {
		t.Errorf("%q, %v", c.ShapeText(), err)
	}
	shape, err := c.Shape(3)
	if err != nil || shape.Vertices() != 3 {
		t.Errorf("%v, %v", shape, err)
	}
}

// Tasks are on the processors of their nodes, or on those that a map names, one after the other.
func TestPlaced(t *testing.T) {
	c := &Interconnect{Topology: "ring"}
	for _, x := range []struct {
		node []int32
		give []int32 // Map
		want string
	}{
		{[]int32{0, 2, 1}, nil, "[0 2 1] <nil>"}, {[]int32{0, 1, 2}, []int32{2, 0}, "[2 0 2] <nil>"},
		{[]int32{0, 3}, nil, "[] task 2 runs on processor 3, but ring 3 has processors 0 to 2"},
		{[]int32{0, 0}, []int32{-1}, "[] task 1 runs on processor -1, but ring 3 has processors 0 to 2"},
	} {
		c.Map = x.give
		_, list, err := c.Placed(x.node, 3)
		if got := fmt.Sprint(list, " ", err); got != x.want {
			t.Errorf("%v: %s, want %s", x.node, got, x.want)
		}
	}
}

// The records of a program are counted, and its computation is summed up; a packed thread has the same.
func TestRecords(t *testing.T) {
	p := &Program{}
	p.AddPtask()
	p.AddTask(2)
	th := &p.Threads[0]
	for _, ns := range []float64{5, 7.5, 5, 1e20} {
		th.AddCompute(ns)
	}
	th.AddEvent(7, -1)
	th.AddMessage(Send, Message{Peer: 1, Size: 8, Tag: 3})
	th.AddMessage(Send, Message{Peer: 1, Size: 8, Tag: 3})
	th.AddMessage(Send, Message{Peer: 1, Size: 9, Tag: 3})
	p.Threads[1].AddCompute(2)
	if p.Records() != 9 || p.Computation() != 5+7.5+5+1e20+2 {
		t.Errorf("%d records, %g ns", p.Records(), p.Computation())
	}
	packed, err := new(Packer).Pack(context.Background(), th)
	if err != nil || packed.Len() != th.Len() || packed.Computation() != th.Computation() ||
		len(packed.Messages) != 2 {
		t.Errorf("%+v, %v", packed, err)
	}
	for row := range th.Len() {
		if packed.Kind(row) != th.Kind(row) {
			t.Errorf("record %d is a %v, not a %v", row+1, packed.Kind(row), th.Kind(row))
		}
	}
	if row := p.AddCommunicator(0, 5, []int32{0}); row != 0 || p.AddCommunicator(0, 6, []int32{0}) != 1 ||
		p.Communicators[1].ID != 6 {
		t.Errorf("%+v", p.Communicators)
	}
}

// The costs that the thesis proposes (table 9): model and size of the fan-in, and of the fan-out if there is one.
func TestCostsByCall(t *testing.T) {
	var b strings.Builder
	stage := func(s Stage) string {
		if s.Model == ModelNone {
			return "-"
		}
		return CollectiveModels[s.Model].Name + " " + CollectiveSizes[s.Size].Name
	}
	for op, c := range CostsByCall() {
		fmt.Fprintf(&b, "%s: %s, %s\n", Collectives[op], stage(c.FanIn), stage(c.FanOut))
	}
	prvtest.SameText(t, b.String(), `
		Barrier: LIN MAX, -
		Bcast: LOG MAX, -
		Gather: LOG MEAN, -
		Gatherv: CTE MAX, CTE MAX
		Scatter: LOG MEAN, -
		Scatterv: CTE MAX, CTE MAX
		Allgather: LIN MIN, LIN MIN
		Allgatherv: LIN MIN, LIN MIN
		Alltoall: LIN MIN, LIN MIN
		Alltoallv: CTE MAX, CTE MAX
		Reduce: LOG MAX, -
		Allreduce: LOG MAX, LOG MAX
		Reduce_scatter: LOG MAX, LIN MIN
		Reduce_scatter_block: LOG MAX, LIN MIN
		Scan: LOG MAX, LOG MAX
		Alltoallw: CTE MAX, CTE MAX
	`)
}

// A wormhole whose flits have no startup of their own pays that of the link for each: 1024 messages of a byte.
func TestWarning(t *testing.T) {
	m := Ideal(4)
	for _, n := range Networks() {
		if n.Direct {
			m.Network = n.Name
		}
	}
	m.Direct = Interconnect{Startup: 100, PerByte: 1, Flit: 1, Switching: SwitchWormhole}
	if m.Warning() == "" {
		t.Error("no warning")
	}
	m.Direct.FlitOwn, m.Direct.FlitPerByte = true, 1
	if w := m.Warning(); w != "" {
		t.Error(w)
	}
	m.Direct.FlitOwn, m.Network = false, ""
	if w := m.Warning(); w != "" {
		t.Error(w)
	}
}

// Steps and sizes of stages: a tree over 5 has 3 phases, of 2, 1 and 1 messages; with one bus 4 steps.
func TestStages(t *testing.T) {
	for _, c := range [][4]float64{{0, 5, 0, 0}, {1, 5, 0, 1}, {2, 5, 0, 4}, {2, 1, 0, 0}, {3, 1, 0, 0}, {3, 2, 0, 1},
		{3, 5, 0, 3}, {3, 5, 1, 4}, {3, 5, 2, 3}, {3, 8, 0, 3}, {3, 9, 0, 4}, {3, 8, 1, 7}, {3, 8, 2, 4}} {
		if got := CollectiveModels[int(c[0])].Steps(int(c[1]), int(c[2])); got != c[3] {
			t.Errorf("%s of %g on %g buses: %g, want %g", CollectiveModels[int(c[0])].Name, c[1], c[2], got, c[3])
		}
	}
	for i, want := range [][2]int32{{3, 8}, {3, 3}, {8, 8}, {5, 5}, {16, 16}, {11, 11}} {
		s := &CollectiveSizes[i]
		if in, out := s.Size(3, 8, false), s.Size(3, 8, true); in != want[0] || out != want[1] {
			t.Errorf("%s of 3 and 8: %d and %d", s.Name, in, out)
		}
	}
}
