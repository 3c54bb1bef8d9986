package scenario

import (
	"fmt"
	"strings"
	"testing"

	"pview/sim"
	"pview/sim/parameter"
)

// A block is TYPE:VALUE=RATIO; neither number is 0, and no ratio is negative.
func TestParseModule(t *testing.T) {
	for text, want := range map[string]sim.Module{
		"60000019:3=2":       {Type: 60000019, Value: 3, Ratio: 2},
		" 60000019 : 1 = 0 ": {Type: 60000019, Value: 1, Ratio: 0},
		"1:9=0.5":            {Type: 1, Value: 9, Ratio: 0.5},
	} {
		if got, err := ParseModule(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "60000019:3", "60000019=2", "0:3=2", "60000019:0=2", "60000019:3=-1",
		"60000019:3=NaN", "x:3=2", "60000019:x=2", "60000019:3=x", "4294967296:3=2"} {
		if got, err := ParseModule(text); err == nil {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}

// fourNodes returns a machine of 4 nodes and a cluster.
func fourNodes() *sim.Machine {
	return &sim.Machine{Nodes: make([]sim.Node, 4), Clusters: make([]sim.Cluster, 2)}
}

// A parameter of nodes is set on them alone, also on the last one; others do not exist.
func TestSetNode(t *testing.T) {
	ratio := parameter.ByName("cpu-ratio").Node
	for text, want := range map[string]string{"3:cpu-ratio=0.5": "0 0 0.5 0", "2-4:cpu-ratio=2": "0 2 2 2",
		" 1 - 1 : cpu-ratio =3": "3 0 0 0", "4:cpu-ratio=2": "0 0 0 2"} {
		m := fourNodes()
		if err := SetNode(m, text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		var got []string
		for i := range m.Nodes {
			got = append(got, fmt.Sprint(ratio.Get(&m.Nodes[i])))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: the ratios are %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"0:cpu-ratio=2": "nodes must be from 1 to 4", "5:cpu-ratio=2": "nodes must be from 1 to 4",
		"3-2:cpu-ratio=2": "nodes must be from 1 to 4", "4-5:cpu-ratio=2": "nodes must be from 1 to 4",
		"1:colour=2": `"colour" is not a parameter of a node`, "1:cpu-ratio": "must be NODE:PARAMETER=VALUE",
		"a:cpu-ratio=2": "must be NODE:PARAMETER=VALUE", "1-b:cpu-ratio=2": "must be NODE:PARAMETER=VALUE",
		"cpu-ratio=2": "must be NODE:PARAMETER=VALUE", "3=2": "must be NODE:PARAMETER=VALUE", "1:cpu-ratio=x": "CPU",
	} {
		if err := SetNode(fourNodes(), text); err == nil || !strings.Contains(strings.ToLower(err.Error()),
			strings.ToLower(want)) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	// A smaller machine has some of the nodes only.
	n, _ := ParseNodeParameter("4-9:cpu-ratio")
	m := fourNodes()
	if n.Set(m, 7); ratio.Get(&m.Nodes[3]) != 7 || ratio.Get(&m.Nodes[2]) != 0 {
		t.Errorf("%v", m.Nodes)
	}
}

// The cost of a collective is set on every cluster and between them: fan-in and fan-out, each a model and a size.
func TestSetCollective(t *testing.T) {
	m := fourNodes()
	if err := SetCollective(m, " bcast = 0,LOG:MAX"); err != nil {
		t.Fatal(err)
	}
	op := CollectiveByName("Bcast")
	for _, c := range []sim.CollectiveCost{m.Clusters[0].Collectives[op], m.Clusters[1].Collectives[op],
		m.WAN.Collectives[op]} {
		if got := costText(c); !strings.HasSuffix(got, "LOG MAX") || strings.Contains(got, "default") {
			t.Errorf("Bcast costs %s", got)
		}
	}
	if err := SetCollective(m, "Barrier=LIN,0"); err != nil || costText(m.WAN.Collectives[0]) != "LIN / 0" {
		t.Errorf("Barrier costs %s, %v", costText(m.WAN.Collectives[0]), err)
	}
	for i, z := range sim.CollectiveSizes[1:] {
		c, err := ParseCost("default,log:" + strings.ToLower(z.Name))
		if err != nil || c.FanOut.Size != sim.CollectiveSize(i+1) || c.FanIn.Model != sim.ModelDefault {
			t.Errorf("%s: %+v, %v", z.Name, c, err)
		}
	}
	for _, text := range []string{"Bcast", "Nocast=0,LOG:MAX", "Bcast=LOG:MAX", "Bcast=0,0,0", "Bcast=CUBE,0",
		"Bcast=0,LOG:HUGE"} {
		if err := SetCollective(fourNodes(), text); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}

// Up to three nodes that differ are listed one by one, more are counted.
func TestNodesThatDiffer(t *testing.T) {
	p := parameter.ByName("cpu-ratio")
	for n, want := range map[int]int{0: 0, 1: 1, 3: 3, 4: 1} {
		from, to := fourNodes(), fourNodes()
		for i := range n {
			p.Node.Set(&to.Nodes[i], 2)
		}
		list := nodes(p, from, to)
		if len(list) != want || n == 4 && !strings.Contains(list[0].What, "of 4 nodes") {
			t.Errorf("%d nodes differ: %+v", n, list)
		}
	}
	for ratio, want := range map[float64]string{0: "no time", 1: "as measured", 2: "2x faster", 0.5: "0.5x faster",
		-1000: "1 us each"} {
		if got := RatioText(ratio); got != want {
			t.Errorf("a ratio of %g is %q, want %q", ratio, got, want)
		}
	}
}
