package mapping_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pview/sim"
	"pview/sim/engine"
	"pview/sim/mapping"
	"pview/sim/puppet"
)

// openCase returns a golden case of the direct network as a problem.
func openCase(t *testing.T, id string) (*mapping.Problem, func(mapping.Mapping) (int64, error)) {
	t.Helper()
	l, err := puppet.OpenLog("../../testdata/puppet/" + id + ".log")
	if err != nil {
		t.Fatal(err)
	}
	model, err := puppet.OpenModel("../../testdata/puppet/" + id + ".model")
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.Machine(len(l.Program.Tasks))
	if err != nil {
		t.Fatal(err)
	}
	return problem(t, l.Program, m)
}

func problem(t testing.TB, p *sim.Program, m *sim.Machine) (*mapping.Problem, func(mapping.Mapping) (int64, error)) {
	t.Helper()
	b, err := mapping.NewProblem(p, m, sim.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	return b, func(at mapping.Mapping) (int64, error) {
		r, err := engine.Run(context.Background(), p, at.On(m, p), sim.Options{})
		if err != nil {
			return 0, err
		}
		return r.Total, nil
	}
}

// TestAll: four processes of 40, 30, 20 and 10 us on two processors have 8 mappings up to a renaming (puppet.md, check
// 22); on a line of four, where processors are not alike, all 4^4.
func TestAll(t *testing.T) {
	b, simulate := openCase(t, "R3-0000")
	list, _, err := b.All(false)
	if err != nil {
		t.Fatal(err)
	}
	var totals []int64
	best := ""
	for _, m := range list {
		total, err := simulate(m)
		if err != nil {
			t.Fatal(err)
		}
		if totals = append(totals, total/1000); total == 50000 {
			best = m.String()
		}
	}
	slices.Sort(totals)
	if want := []int64{50, 60, 60, 70, 70, 80, 90, 100}; !slices.Equal(totals, want) || best != "0 1 1 0" {
		t.Errorf("%v, the best %s", totals, best)
	}
	b, _ = openCase(t, "R1-0123")
	if list, _, err = b.All(false); err != nil || len(list) != 256 {
		t.Errorf("%d mappings to a line: %v", len(list), err)
	}
	if list, _, err = b.All(true); err != nil || len(list) != 24 {
		t.Errorf("%d permutations: %v", len(list), err)
	}
}

// TestBalance: puppet.md, check 23, worked by hand: from 0000 (100 us on processor 0) "lowest" moves 0: 60 and 40; then
// 1: 30 and 70; then 0 back: 70 and 30; then 0 again, which is where it has been. "fit" moves 0 (40 is nearest to 50),
// then 3 (10 is half of 60-40): 50 and 50.
func TestBalance(t *testing.T) {
	b, simulate := openCase(t, "R3-0000")
	for i, want := range [][]string{{"0 0 0 0", "1 0 0 0", "1 1 0 0", "0 1 0 0"}, {"0 0 0 0", "1 0 0 0", "1 0 0 1"}} {
		totals := [][]int64{{100, 60, 70, 70}, {100, 60, 50}}[i]
		steps, err := b.Balance(context.Background(), mapping.Mapping{0, 0, 0, 0}, &mapping.Rules[i], 1, 100, simulate)
		if err != nil || len(steps) != len(want) {
			t.Fatalf("%s: %v, %v", mapping.Rules[i].Name, steps, err)
		}
		for k, s := range steps {
			if s.Mapping.String() != want[k] || s.Total != totals[k]*1000 {
				t.Errorf("%s, step %d: %v, not %s and %d", mapping.Rules[i].Name, k, s, want[k], totals[k])
			}
		}
	}
	random := &mapping.Rules[2]
	one, _ := b.Balance(context.Background(), mapping.Mapping{0, 0, 0, 0}, random, 7, 100, simulate)
	two, _ := b.Balance(context.Background(), mapping.Mapping{0, 0, 0, 0}, random, 7, 100, simulate)
	if len(one) != len(two) || one[len(one)-1].Mapping.String() != two[len(two)-1].Mapping.String() {
		t.Error("the same seed, another sequence")
	}
}

// stencil returns a periodic grid of n x n tasks that exchange with their four neighbours.
func stencil(t testing.TB, n int) *sim.Program {
	p := &sim.Program{}
	p.AddPtask()
	for range n * n {
		p.AddTask(1)
	}
	for i := range p.Threads {
		x, y := i%n, i/n
		near := []int{y*n + (x+1)%n, y*n + (x+n-1)%n, (y+1)%n*n + x, (y+n-1)%n*n + x}
		for range 3 {
			p.Threads[i].AddCompute(1000)
			for _, peer := range near {
				p.Threads[i].AddMessage(sim.Isend, sim.Message{Peer: int32(peer), Size: 1000})
			}
			for _, peer := range near {
				p.Threads[i].AddMessage(sim.Recv, sim.Message{Peer: int32(peer)})
			}
		}
	}
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestAnneal: 64 tasks of a periodic stencil on an 8x8 torus. Row-major, each of 3*4*64 messages takes one link, which
// is the least possible. The search finds as good a mapping from a random one, predicted to be as fast.
func TestAnneal(t *testing.T) {
	m := sim.Ideal(64)
	m.Network = "direct-contention"
	m.Direct = sim.Interconnect{Topology: "torus 8 8", Startup: 100, PerByte: 1}
	b, simulate := problem(t, stencil(t, 8), m)
	rowMajor, _ := mapping.Named("block", 64, 64, 0)
	random, _ := mapping.Named("random", 64, 64, 3)
	least := b.Weigh(rowMajor)
	if least.Hops != 3*4*64 || least.ByteHops != 1000*least.Hops || least.MaxLink != 3000 {
		t.Errorf("row-major: %+v", least)
	}
	fast, err := simulate(rowMajor)
	if err != nil {
		t.Fatal(err)
	}
	slow, err := simulate(random)
	if err != nil || slow <= fast {
		t.Errorf("random: %d, row-major: %d, %v", slow, fast, err)
	}
	found := false
	for seed := uint64(1); seed <= 8 && !found; seed++ {
		at := b.Anneal(context.Background(), random, seed)
		got, err := simulate(at)
		w := b.Weigh(at)
		t.Logf("seed %d: %d hops, %d ns; random: %d hops, %d ns; row-major: %d hops, %d ns", seed, w.Hops, got,
			b.Weigh(random).Hops, slow, least.Hops, fast)
		found = err == nil && w.ByteHops <= least.ByteHops && got <= fast
	}
	if !found {
		t.Error("no search has found a mapping as good as row-major")
	}
}

// wavefronts is LU: a grid of rows x columns tasks, in which a plane is computed from the first corner to the last and
// then back. A task needs what the ones before it in its row and its column have computed.
func wavefronts(t testing.TB, rows, columns int) *sim.Program {
	p := &sim.Program{}
	p.AddPtask()
	for range rows * columns {
		p.AddTask(1)
	}
	for i := range p.Threads {
		x, y := i%columns, i/columns
		th := &p.Threads[i]
		for plane := range 6 {
			step := 1 - plane%2*2 // forth, then back
			for _, d := range [2][2]int{{step, 0}, {0, step}} {
				if a, b := x-d[0], y-d[1]; a >= 0 && a < columns && b >= 0 && b < rows {
					th.AddMessage(sim.Recv, sim.Message{Peer: int32(b*columns + a)})
				}
			}
			th.AddCompute(500)
			for _, d := range [2][2]int{{step, 0}, {0, step}} {
				if a, b := x+d[0], y+d[1]; a >= 0 && a < columns && b >= 0 && b < rows {
					th.AddMessage(sim.Isend, sim.Message{Peer: int32(b*columns + a), Size: 400})
				}
			}
		}
	}
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestAnnealLU: the wavefronts of 32 tasks on a mesh of 4 x 8. In order of rows each of the 6*(4*7+3*8) = 312 messages
// takes one link. From a random mapping the search finds one as good, and the file of a launcher gives it back.
func TestAnnealLU(t *testing.T) {
	m := sim.Ideal(32)
	m.Network = "direct-contention"
	m.Direct = sim.Interconnect{Topology: "mesh 4 8", Startup: 100, PerByte: 1}
	b, simulate := problem(t, wavefronts(t, 4, 8), m)
	rowMajor, _ := mapping.Named("block", 32, 32, 0)
	random, _ := mapping.Named("random", 32, 32, 1)
	if w := b.Weigh(rowMajor); w.Hops != 312 || w.MaxLink != 3*400 {
		t.Errorf("row-major: %+v", w)
	}
	inOrder, err1 := simulate(rowMajor)
	atRandom, err2 := simulate(random)
	if err1 != nil || err2 != nil || atRandom <= inOrder {
		t.Errorf("random %d, row-major %d, %v, %v", atRandom, inOrder, err1, err2)
	}
	found := false
	for seed := uint64(1); seed <= 8 && !found; seed++ {
		best := b.Anneal(context.Background(), random, seed)
		total, err := simulate(best)
		w := b.Weigh(best)
		t.Logf("seed %d: %d hops, %d ns; random: %d hops, %d ns; row-major: 312 hops, %d ns", seed, w.Hops, total,
			b.Weigh(random).Hops, atRandom, inOrder)
		if found = err == nil && w.Hops <= 312 && total <= inOrder; found {
			var file bytes.Buffer
			l, _ := mapping.LauncherOf("best.rankfile")
			if err := l.Write(&file, best, nil); err != nil {
				t.Fatal(err)
			}
			if again, err := l.Read("best.rankfile", &file, 32, nil); err != nil || !slices.Equal(again, best) {
				t.Errorf("%v is not %v: %v", again, best, err)
			}
		}
	}
	if !found {
		t.Error("no search has found a mapping as good as row-major")
	}
}

// TestLaunchers: what is written for a launcher is read back as the same mapping, with names of hosts and without.
func TestLaunchers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	hosts := mapping.Hosts{"alpha", "beta", "gamma", "delta"}
	for i := range mapping.Launchers {
		l := &mapping.Launchers[i]
		for _, names := range []mapping.Hosts{nil, hosts} {
			m := mapping.Mapping{0, 1, 2, 3, 0, 1, 2, 3}
			rng.Shuffle(len(m), func(a, b int) { m[a], m[b] = m[b], m[a] })
			var out bytes.Buffer
			if err := l.Write(&out, m, names); err != nil {
				t.Fatal(err)
			}
			again, err := l.Read("file", &out, len(m), names)
			if err != nil || !slices.Equal(again, m) {
				t.Errorf("%s: %v is not %v (%v)", l.Ext, again, m, err)
			}
		}
	}
	rankfile, _ := mapping.LauncherOf("a.rankfile")
	var text bytes.Buffer
	if err := rankfile.Write(&text, mapping.Mapping{1, 0, 1}, nil); err != nil ||
		text.String() != "rank 0=node2 slot=0\nrank 1=node1 slot=0\nrank 2=node2 slot=1\n" {
		t.Errorf("%v: nodes without names have the numbers of --placement [2,1,2]: %s", err, text.String())
	}
	order, _ := mapping.LauncherOf("MPICH_RANK_ORDER")
	if err := order.Write(&bytes.Buffer{}, mapping.Mapping{0, 0, 0, 1, 1}, nil); err != nil { // 3 + 2
		t.Error(err)
	}
	if err := order.Write(&bytes.Buffer{}, mapping.Mapping{0, 1, 1, 1}, nil); err == nil {
		t.Error("an uneven mapping for MPICH")
	}
	for _, c := range []struct{ file, text, why string }{
		{"a.map", "0\nx\n", "a.map:2: \"x\""},
		{"a.map", "0\n", "a.map:1: rank 1 has no node"},
		{"a.map", "0 1\n0 1\n", "a.map:2: rank 0 has a node already"},
		{"a.map", "0\n1\n0\n", "a.map:3: 3 tasks, but the program has 2"},
		{"a.rankfile", "rank 0=mars slot=0\n", "a.rankfile:1: there is no node \"mars\""},
		{"a.rankfile", "rank 0=node0 slot=0\n", "a.rankfile:1: there is no node \"node0\""},
		{"a.rankfile", "rank 0\n", "a.rankfile:1: a line is rank"},
		{"a.order", "0,1\n", "a.order:1: the nodes are missing"},
	} {
		l, _ := mapping.LauncherOf(c.file)
		if _, err := l.Read(c.file, strings.NewReader(c.text), 2, nil); err == nil ||
			!strings.HasPrefix(err.Error(), c.why) {
			t.Errorf("%q: %v, not %s", c.text, err, c.why)
		}
	}
}

// FuzzLaunchers: any text is an error or a mapping.
func FuzzLaunchers(f *testing.F) {
	f.Add(0, "0\n1\n")
	f.Add(1, "rank 0=node1 slot=0\nrank 1=node3 slot=0\n")
	f.Add(3, "# nodes node1 node2\n1,0\n")
	f.Fuzz(func(t *testing.T, which int, text string) {
		l := &mapping.Launchers[uint(which)%uint(len(mapping.Launchers))]
		m, err := l.Read("a", strings.NewReader(text), 2, nil)
		if err == nil && len(m) != 2 {
			t.Errorf("%v", m)
		}
	})
}
