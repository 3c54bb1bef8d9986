package parameter

import (
	"fmt"
	"strings"
	"testing"

	"pview/prv/prvtest"
	"pview/sim"
)

// All parameters of an ideal machine of two nodes: their defaults, and what they are when they are set to 2, and when
// each policy of the scheduler is chosen.
func TestTable(t *testing.T) {
	var b strings.Builder
	for i := range All {
		p := &All[i]
		m := sim.Ideal(2)
		v, same := p.Get(m)
		if v != p.Default && p.Name != "nodes" || !same {
			t.Errorf("%s is %g, its default %g", p.Name, v, p.Default)
		}
		fmt.Fprintf(&b, "%s (%s, %s): %s, as a flag %s", p.Name, p.Group, p.Title, p.Show(v), p.Format(v))
		p.Set(m, 2)
		v, same = p.Get(m)
		fmt.Fprintf(&b, "; 2 is %s, as a flag %s, of all %v", p.Show(v), p.Format(v), same)
		if read, err := p.Parse(p.Format(v)); err != nil || read != v {
			t.Errorf("%s: %s is read as %g, %v", p.Name, p.Format(v), read, err)
		}
		if p.Node != nil {
			of := p.OfNode(1)
			of.Set(m, 1)
			one, _ := of.Get(m)
			first, same := p.Get(m)
			fmt.Fprintf(&b, "; of node 2 %s, of all %s %v", p.Show(one), p.Show(first), same)
			none, _ := p.OfNode(2).Get(m)
			p.OfNode(2).Set(m, 7)
			if none != p.Default {
				t.Errorf("%s of node 3 of 2 is %g", p.Name, none)
			}
		}
		if p.Applies != nil {
			fmt.Fprintf(&b, "; applies %v", p.Applies(sim.Ideal(2)))
			var policies []string
			for _, policy := range sim.Policies() {
				m := sim.Ideal(2)
				if m.Scheduler.Policy = policy.Name; p.Applies(m) {
					policies = append(policies, policy.Name)
				}
			}
			if n := len(policies); n > 0 && n < len(sim.Policies()) {
				fmt.Fprintf(&b, " with %v", policies)
			}
		}
		b.WriteString("\n")
	}
	for _, p := range Presets() {
		prog := &sim.Program{}
		prog.AddPtask()
		for range 4 {
			prog.AddTask(1)
		}
		m := p.For(prog)
		fmt.Fprintf(&b, "preset %s: %d nodes", p.Name, len(m.Nodes))
		for i := range All {
			q := &All[i]
			if v, _ := q.Get(m); v != q.Default {
				fmt.Fprintf(&b, ", %s %s", q.Name, q.Show(v))
			}
		}
		b.WriteString("\n")
	}
	prvtest.SameFile(t, "testdata/table.txt", b.String())
}

// What was set of the size of a machine is not changed: of 6 tasks, on nodes of one CPU.
func TestFitClass(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	for range 6 {
		p.AddTask(1)
	}
	for _, c := range []struct {
		set                  []string
		nodes, perNode, cpus int
	}{{nil, 6, 1, 1}, {[]string{"nodes"}, 2, 3, 3}, {[]string{"nodes", "cpus"}, 2, 3, 1},
		{[]string{"nodes", "process-per-node"}, 2, 1, 1}, {[]string{"latency"}, 6, 1, 1}} {
		m := sim.Ideal(2)
		var given Given
		for _, name := range c.set {
			given.Note(name)
		}
		FitClass(m, p, given)
		if len(m.Nodes) != c.nodes || m.Mapping[0].Tasks != c.perNode || m.Nodes[0].CPUs != c.cpus {
			t.Errorf("%v: %d nodes, %d tasks on each, %d CPUs", c.set, len(m.Nodes), m.Mapping[0].Tasks,
				m.Nodes[0].CPUs)
		}
	}
}

// Blocks as threads are written as they are read; 1 thread undoes a split.
func TestSplits(t *testing.T) {
	m := sim.Ideal(1)
	for _, c := range [][2]string{{"7:1=4", "7:1=4"}, {"7:2=2,10us", "7:1=4;7:2=2,10 us"},
		{"7:1=3,0us,5us; 7:2=1", "7:1=3,0 s,5 us"}, {"", "7:1=3,0 s,5 us"}} {
		if err := setSplits(m, c[0]); err != nil || splits(m) != c[1] {
			t.Errorf("%q: %q, %v", c[0], splits(m), err)
		}
	}
	for _, text := range []string{"7:1", "7=1", "0:1=2", "7:0=2", "x:1=2", "7:x=2", "7:1=x", "7:1=0", "7:1=65537",
		"7:1=2,1us,1us,1us", "7:1=2,fast"} {
		if err := setSplits(m, text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}
