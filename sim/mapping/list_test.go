package mapping_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/sim"
	"pview/sim/mapping"
)

// chain returns an application of so many tasks, each of which sends the next one a message of so many bytes.
func chain(p *sim.Program, bytes ...int64) {
	p.AddPtask()
	first := len(p.Threads)
	for range len(bytes) + 1 {
		p.AddTask(1)
	}
	for i, size := range bytes {
		p.Threads[first+i].AddMessage(sim.Send, sim.Message{Peer: int32(first + i + 1), Size: size})
		p.Threads[first+i+1].AddMessage(sim.Recv, sim.Message{Peer: int32(first + i), Size: size})
	}
}

// What each rule does with seven tasks and three nodes: at most three on a node.
func TestForms(t *testing.T) {
	for name, want := range map[string]string{"wrap": "0 1 2 0 1 2 0", "block": "0 0 0 1 1 1 2"} {
		if m, ok := mapping.Named(name, 7, 3, 1); !ok || m.String() != want {
			t.Errorf("%s: %v", name, m)
		}
	}
	one, _ := mapping.Named("random", 7, 3, 1)
	again, _ := mapping.Named("random", 7, 3, 1)
	other, _ := mapping.Named("random", 7, 3, 2)
	if !slices.Equal(one, again) || slices.Equal(one, other) {
		t.Errorf("%v, %v and %v", one, again, other)
	}
	for n := range 3 {
		count := 0
		for _, at := range one {
			if at == n {
				count++
			}
		}
		if count > 3 {
			t.Errorf("%d tasks on node %d: %v", count, n, one)
		}
	}
	if m, ok := mapping.Named("none", 7, 3, 1); ok || m != nil {
		t.Errorf("%v by no rule", m)
	}
}

// The list has each mapping once, under its first name; a placement has a list of each application, from node 1.
func TestList(t *testing.T) {
	p := &sim.Program{}
	chain(p, 10, 20)
	chain(p, 30)
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	m := sim.Ideal(3)
	m.Network = "direct-contention"
	m.Direct = sim.Interconnect{Topology: "mesh 3", Startup: 100, PerByte: 1}
	b, _ := problem(t, p, m)
	l := b.ByRule([]int32{0, 1, 2, 0, 1}, 1) // as by wrap
	b.AddSearched(t.Context(), l, 3)
	b.AddAnnealed(t.Context(), l, l.Candidates[0].Mapping, 4)
	var lines []string
	for _, c := range l.Candidates {
		w := b.Weigh(c.Mapping)
		lines = append(lines, fmt.Sprintf("%s: %v: %d hops, %d bytes x hops, %d on a link", c.From, c.Mapping, w.Hops,
			w.ByteHops, w.MaxLink))
	}
	if got := strings.Join(lines, "\n"); got != `machine: 0 1 2 0 1: 3 hops, 60 bytes x hops, 40 on a link
block: 0 0 1 1 2: 2 hops, 50 bytes x hops, 30 on a link
random: 1 2 1 2 0: 4 hops, 90 bytes x hops, 50 on a link
bisection, annealed: 1 0 0 2 2: 1 hops, 10 bytes x hops, 10 on a link` {
		t.Errorf("%s", got)
	}
	if got := b.Placement(mapping.Mapping{0, 1, 2, 1, 0}); got != "[1,2,3][2,1]" {
		t.Errorf("placement %s", got)
	}
}

// Six tasks of which each sends to the next on the way to and fro through two rows of three, on a line of six nodes.
func TestSnake(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	for range 6 {
		p.AddTask(1)
	}
	way := []int32{0, 1, 2, 5, 4, 3}
	for i, task := range way[:5] {
		p.Threads[task].AddMessage(sim.Send, sim.Message{Peer: way[i+1], Size: 100})
		p.Threads[way[i+1]].AddMessage(sim.Recv, sim.Message{Peer: task, Size: 100})
	}
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	m := sim.Ideal(6)
	m.Network = "direct-contention"
	m.Direct = sim.Interconnect{Topology: "line 6"}
	b, _ := problem(t, p, m)
	l := b.ByRule(make([]int32, 6), 1)
	rules := len(l.Candidates)
	best := b.AddStructured(l)
	if w := b.Weigh(best.Mapping); w != (mapping.Weight{Hops: 5, ByteHops: 500, MaxLink: 100}) {
		t.Errorf("%v weighs %+v", best, w)
	}
	// That of bisection and of columns is the block, which is there already.
	more := l.Candidates[rules:]
	if len(more) != 1 || more[0].From != "snake 3x2" || more[0].String() != "0 1 2 5 4 3" {
		t.Errorf("%v", more)
	}
}

// The balancer ends after its steps, when it is cancelled, or where a simulation fails; with nodes that are as busy as
// each other there is nothing to balance.
func TestBalanceEnds(t *testing.T) {
	b, simulate := openCase(t, "R3-0000")
	start, rule := mapping.Mapping{0, 0, 0, 0}, &mapping.Rules[0]
	for steps := range 3 {
		if list, err := b.Balance(t.Context(), start, rule, 1, steps, simulate); err != nil || len(list) != steps+1 {
			t.Errorf("%d steps: %v, %v", steps, list, err)
		}
	}
	even := mapping.Mapping{0, 1, 1, 0}
	if list, err := b.Balance(t.Context(), even, rule, 1, 100, simulate); err != nil || len(list) != 1 {
		t.Errorf("an even start: %v, %v", list, err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if list, err := b.Balance(cancelled, start, rule, 1, 100, simulate); err != context.Canceled || len(list) > 0 {
		t.Errorf("cancelled: %v, %v", list, err)
	}
	broken := errors.New("broken")
	list, err := b.Balance(t.Context(), start, rule, 1, 100, func(m mapping.Mapping) (int64, error) {
		if !slices.Equal(m, start) {
			return 0, broken
		}
		return simulate(m)
	})
	if err != broken || len(list) != 1 {
		t.Errorf("broken: %v, %v", list, err)
	}
}

// More mappings than can be enumerated: those that are spread are taken, unless these are too many too.
func TestTooMany(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	for range 10 {
		p.AddTask(1)
	}
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	m := sim.Ideal(10)
	m.Network = "direct-contention"
	m.Direct = sim.Interconnect{Topology: "line 10"}
	b, _ := problem(t, p, m)
	if list, _, err := b.All(false); err == nil || list != nil || err.Error() !=
		"there are more than 50000 mappings of 10 tasks to 10 nodes: they can only be searched" {
		t.Errorf("%d mappings, %v", len(list), err)
	}
}

// A file of a mapping is known by its ending.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	path := func(name, text string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, c := range []struct{ name, text, want string }{
		{"a.map", "0\n2\n1\n", "0 2 1"},
		{"b.map", "2 0\n\n1 2\n# a remark\n0 1\n", "1 2 0"},
		{"c.rankfile", "rank 0=node3 slot=0\nrank 2=b slot=1\nrank 1=a slot=0", "2 0 1"},
		{"d.hostfile", "b\na\nnode3\n", "1 0 2"},
		{"MPICH_RANK_ORDER", "# 1 a node\n# nodes b a node3\n2,0,1\n", "0 2 1"},
		{"e.order", "# nodes b a\n2,0\n1\n", "1 0 1"},
	} {
		m, err := mapping.Open(path(c.name, c.text), 3, 3, mapping.Hosts{"a", "b"})
		if err != nil || m.String() != c.want {
			t.Errorf("%s: %v, %v, not %s", c.name, m, err, c.want)
		}
	}
	for _, c := range []struct{ name, text, want string }{
		{"a.txt", "0\n", "a mapping has the ending .map, .rankfile, .hostfile, .order"},
		{"f.map", "0\n3\n1\n", "f.map: it takes 4 nodes, the machine has 3"},
		{"f.map", "0\n1\n", "f.map:2: rank 2 has no node"},
		{"f.map", "0\n1\n2\n0\n", "f.map:4: 4 tasks, but the program has 3"},
		{"f.map", "0\n1\n0 2\n", ":3: rank 0 has a node already"},
		{"f.map", "0\n1 2 3\n", ":2: a line is NODE, or RANK NODE"},
		{"f.map", "0\n-1\n", `:2: "-1" must be a number >= 0`},
		{"f.map", "x 1\n", `:1: "x" must be a number >= 0`},
		{"f.map", "1048576\n", `:1: "1048576" must be a number >= 0`},
		{"f.rankfile", "rank\n", ":1: a line is rank N=HOST slot=N"},
		{"f.rankfile", "task 0=a slot=0\n", ":1: a line is rank N=HOST slot=N"},
		{"f.rankfile", "rank 0 a\n", ":1: a line is rank N=HOST slot=N"},
		{"f.rankfile", "rank x=a\n", `:1: "x" must be a number >= 0`},
		{"f.rankfile", "rank 0=c\n", `:1: there is no node "c"`},
		{"f.hostfile", "node2\n", `:1: there is no node "node2"`},
		{"f.hostfile", "a\nnodex\n", `:2: there is no node "nodex"`},
		{"f.order", "0,1,2\n", `:1: the nodes are missing: a line "# nodes NAME..."`},
		{"f.order", "# nodes c\n", `:1: there is no node "c"`},
		{"f.order", "# nodes a\n0,y\n", `:2: "y" must be a number >= 0`},
		{"f.order", "# nodes a\n0,1,0\n", ":2: rank 0 has a node already"},
		{"f.map", strings.Repeat(" ", 1<<24) + "\n", "f.map:1: "},
	} {
		if _, err := mapping.Open(path(c.name, c.text), 3, 3, mapping.Hosts{"a", "b"}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, not %s", c.name, err, c.want)
		}
	}
	if _, err := mapping.Open(filepath.Join(dir, "none.map"), 1, 1, nil); !os.IsNotExist(err) {
		t.Errorf("no such file: %v", err)
	}
}

// What each format writes of six tasks on nodes 2 and 1, with names and without.
func TestWrite(t *testing.T) {
	for ext, want := range map[string]string{
		".map":      "1\n0\n1\n",
		".rankfile": "rank 0=node2 slot=0\nrank 1=a slot=0\nrank 2=node2 slot=1\n",
		".hostfile": "node2\na\nnode2\n",
	} {
		l, _ := mapping.LauncherOf("x" + ext)
		var out bytes.Buffer
		if err := l.Write(&out, mapping.Mapping{1, 0, 1}, mapping.Hosts{"a"}); err != nil || out.String() != want {
			t.Errorf("%s: %q, %v", ext, out.String(), err)
		}
	}
	l, _ := mapping.LauncherOf("x.order")
	for _, c := range []struct {
		m    mapping.Mapping
		want string
	}{
		{mapping.Mapping{3, 0, 3, 0, 0},
			"# 3 ranks a node, on these nodes in this order:\n# nodes a node4\n1,3,4,0,2\n"},
		{mapping.Mapping{3, 0, 3, 0, 3}, "MPICH puts the same number of ranks on each node, but node a has 2, not 3"},
	} {
		var out bytes.Buffer
		err := l.Write(&out, c.m, mapping.Hosts{"a"})
		if got := out.String(); err != nil && err.Error() != c.want || err == nil && got != c.want {
			t.Errorf("%v: %q, %v", c.m, got, err)
		}
	}
}
