package puppet_test

// The acceptance checks of PUPPET's model beyond the golden cases, by their numbers. Unless said otherwise a link takes
// 10 us and 1 us a byte.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/picl"
	"pview/sim"
	"pview/sim/engine"
	"pview/sim/puppet"
)

const us = 1000

// Check 1: i = 100, t1 = 1, packets of 1500; an empty message is a packet.
func TestLinkTime(t *testing.T) {
	c := sim.Interconnect{Startup: 100, PerByte: 1, Packet: 1500}
	for size, want := range map[int64]float64{0: 100, 1: 101, 1500: 1600, 1501: 1701, 3000: 3200, 4500: 4800,
		4501: 4901} {
		if got := c.Time(1, size); got != want {
			t.Errorf("%d bytes: %g, not %g", size, got, want)
		}
	}
	if c.Packet = 0; c.Time(1, 0) != 100 {
		t.Errorf("no packets, no bytes: %g", c.Time(1, 0))
	}
}

// Check 2: the published links.
func TestPublishedLinks(t *testing.T) {
	for _, l := range []struct {
		c    sim.Interconnect
		want map[int64]float64
	}{
		{sim.Interconnect{Startup: 1449.848, PerByte: 1.008644},
			map[int64]float64{0: 1449.848, 1500: 2962.814, 10000: 11536.288, 80000: 82141.368}},
		{sim.Interconnect{Startup: 39, PerByte: 0.026864}, map[int64]float64{0: 39, 1000: 65.864, 1000000: 26903}},
	} {
		for size, want := range l.want {
			if got := l.c.Time(1, size); math.Abs(got-want) > 1e-6*want {
				t.Errorf("%d bytes: %g, not %g", size, got, want)
			}
		}
	}
}

// Check 3: the switching techniques over 1, 2 and 3 links; nothing within a processor.
func TestSwitching(t *testing.T) {
	type row struct {
		size int64
		want [3]float64
	}
	for _, c := range []struct {
		name string
		c    sim.Interconnect
		rows []row
	}{
		{"packet", sim.Interconnect{}, []row{{0, [3]float64{10, 20, 30}}, {1, [3]float64{11, 22, 33}},
			{100, [3]float64{110, 220, 330}}}},
		{"packet of 64", sim.Interconnect{Packet: 64}, []row{{0, [3]float64{10, 20, 30}},
			{64, [3]float64{74, 148, 222}}, {65, [3]float64{85, 170, 255}}, {100, [3]float64{120, 240, 360}}}},
		{"cut-through", sim.Interconnect{Switching: sim.SwitchCutThrough, Control: 8, ControlOwn: true,
			ControlStartup: 2, ControlPerByte: 1},
			[]row{{0, [3]float64{20, 30, 40}}, {1, [3]float64{21, 31, 41}}, {100, [3]float64{120, 130, 140}}}},
		{"circuit", sim.Interconnect{Switching: sim.SwitchCircuit, Control: 8, ControlOwn: true, ControlStartup: 2,
			ControlPerByte: 1},
			[]row{{0, [3]float64{20, 30, 40}}, {1, [3]float64{21, 31, 41}}, {100, [3]float64{120, 130, 140}}}},
		{"wormhole", sim.Interconnect{Switching: sim.SwitchWormhole, Flit: 4, FlitOwn: true, FlitStartup: 1,
			FlitPerByte: 1},
			[]row{{0, [3]float64{5, 10, 15}}, {1, [3]float64{5, 10, 15}}, {100, [3]float64{125, 130, 135}}}},
		{"wormhole at the link's speed", sim.Interconnect{Switching: sim.SwitchWormhole, Flit: 4},
			[]row{{0, [3]float64{14, 28, 42}}, {1, [3]float64{14, 28, 42}}, {100, [3]float64{350, 364, 378}}}},
	} {
		c.c.Startup, c.c.PerByte = 10, 1
		for _, r := range c.rows {
			for d, want := range r.want {
				if got := c.c.Time(d+1, r.size); got != want {
					t.Errorf("%s: %d bytes over %d links: %g, not %g", c.name, r.size, d+1, got, want)
				}
			}
			if c.c.Time(0, r.size) != 0 {
				t.Errorf("%s: a message within a processor takes %g", c.name, c.c.Time(0, r.size))
			}
		}
		m := sim.Machine{Network: "direct", Direct: c.c}
		if warns := m.Warning() != ""; warns != (c.name == "wormhole at the link's speed") {
			t.Errorf("%s: warning %q", c.name, m.Warning())
		}
		if m.Network = "links"; m.Warning() != "" {
			t.Errorf("%s: a warning about links that the network has not", c.name)
		}
	}
}

// simulate runs a log on a model, both given as text.
func simulate(t testing.TB, log, model string) (*puppet.Log, *sim.Result, error) {
	t.Helper()
	l, err := puppet.ReadLog("a.log", strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	m, err := puppet.ReadModel("a.model", strings.NewReader(model))
	if err != nil {
		t.Fatal(err)
	}
	machine, err := m.Machine(len(l.Program.Tasks))
	if err != nil {
		return l, nil, err
	}
	r, err := engine.Run(context.Background(), l.Program, machine, sim.Options{})
	return l, r, err
}

// model returns a network of links of 10 us and 1 us a byte with a map.
func model(network, places string) string {
	return fmt.Sprintf("network %s\nmap %s\nswitching packet\nlink-speed 1e-5 1e-6\npacket-size none\n", network,
		places)
}

// ends returns the exit times of ranks, us.
func ends(r *sim.Result) (list []float64) {
	for i := range r.Tasks {
		list = append(list, float64(r.Tasks[i].End)/us)
	}
	return list
}

// Check 5: a way that is not there, a processor that is not there.
func TestBadNetworks(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "graph"), []byte("1\n0\n-\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ model, why string }{
		{model("custom graph", "0 2"), "no way from processor 0 to processor 2"},
		{model("hypercube 3", "0 1 9"), "no processor 9"},
	} {
		m, err := puppet.ReadModel(filepath.Join(dir, "m.model"), strings.NewReader(c.model))
		if err == nil {
			_, err = m.Machine(3)
		}
		var at *prv.FileError
		if !errors.As(err, &at) || at.Line == 0 || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%v, not %s", err, c.why)
		}
	}
}

// Check 12, with the recorded partners 0 and 1: the message of 0 arrives on line(3) at 125, the first receive ends
// then; the second, posted at 225, finds that of 1: 226.
func TestRecordedPartners(t *testing.T) {
	log :=
		"0 5e-6 MPI_Send 2 50 0\n1 10e-6 MPI_Send 2 20 0\n2 1e-6 MPI_Recv ANY 0 from=0\n2 100e-6 MPI_Recv ANY 0 " +
			"from=1\n2 1e-6 MPI_Finalize\n"
	_, r, err := simulate(t, log, model("line 3", "0 1 2"))
	if err != nil || ends(r)[2] != 226 {
		t.Errorf("%v, %v", err, r)
	}
	l, _ := puppet.ReadLog("a.log", strings.NewReader(log))
	m, _ := puppet.ReadModel("a.model", strings.NewReader(model("line 3", "0 1 2")))
	machine, _ := m.Machine(3)
	var rules sim.Rules
	if err := rules.Set("wildcards", "rematch"); err != nil {
		t.Fatal(err)
	}
	// as P7-any-line
	if r, err = engine.Run(context.Background(), l.Program, machine, sim.Options{Rules: rules}); err != nil ||
		ends(r)[2] != 141 {
		t.Errorf("rematched: %v, %v", err, r)
	}
}

// In an MPI_Reduce only the root waits for all, as in Dimemas: rank 1 enters after 10 us and computes another 95, while
// rank 0 computes 100: 105 us. As an operation like the others both leave at 100: 195 us.
func TestReduce(t *testing.T) {
	const log = "#PUPPET log\n0 100e-6 MPI_Reduce 0 8\n0 0 MPI_Finalize\n1 10e-6 MPI_Reduce 0 8\n1 95e-6 MPI_Finalize\n"
	l, err := puppet.ReadLog("a.log", strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	var others sim.Rules
	if err := others.Set("reduce", "collective"); err != nil {
		t.Fatal(err)
	}
	for want, rules := range map[int64]sim.Rules{105: {}, 195: others} {
		r, err := engine.Run(context.Background(), l.Program, sim.IdealFor(l.Program), sim.Options{Rules: rules})
		if err != nil || r.Total != want*us {
			t.Errorf("%v, %v: not %d us", r, err, want)
		}
	}
}

// Check 8, with persistent receives: the same as with immediate ones, and again after a second start.
func TestPersistent(t *testing.T) {
	log :=
		"0 0 MPI_Recv_init 1 0 a\n0 0 MPI_Recv_init 2 0 b\n0 0 MPI_Startall a b\n0 30e-6 MPI_Waitall a b\n0 5e-6 " +
			"MPI_Start a\n0 0 MPI_Wait a\n" +
			"1 10e-6 MPI_Send 0 50 0\n1 0 MPI_Send 0 190 0\n2 40e-6 MPI_Send 0 50 0\n"
	_, r, err := simulate(t, log, model("complete 3", "0 1 2"))
	// 100 + 5; the second message of 1 arrives at 10+200
	if err != nil || !slices.Equal(ends(r), []float64{210, 10, 40}) {
		t.Errorf("%v, %v", err, ends(r))
	}
}

// Check 14: failed tests and probes change nothing but the count.
func TestReplay(t *testing.T) {
	send := "0 50e-6 MPI_Send 1 50 0\n"
	polled :=
		"1 5e-6 MPI_Irecv 0 0 a\n1 10e-6 MPI_Test a 0\n1 10e-6 MPI_Test a 0\n1 10e-6 MPI_Test a 0\n1 10e-6 " +
			"MPI_Test a 1\n1 3e-6 MPI_Finalize\n"
	waited := "1 5e-6 MPI_Irecv 0 0 a\n1 40e-6 MPI_Wait a\n1 3e-6 MPI_Finalize\n"
	two := model("complete 2", "0 1")
	l, r, err := simulate(t, send+polled, two)
	_, want, err2 := simulate(t, send+waited, two)
	if err != nil || err2 != nil || !slices.Equal(ends(r), ends(want)) || l.Timed != 4 || len(l.Remarks()) != 1 {
		t.Errorf("%v, %v, %d timed calls, %v", ends(r), ends(want), l.Timed, errors.Join(err, err2))
	}
	l, r, err = simulate(t, send+"1 2e-6 MPI_Iprobe ANY 0 0\n"+strings.Replace(waited, "1 5e-6", "1 3e-6", 1), two)
	if err != nil || !slices.Equal(ends(r), ends(want)) || l.Timed != 1 {
		t.Errorf("after a failed probe: %v, %d timed calls, %v", ends(r), l.Timed, err)
	}
}

// Check 20: a map goes on from its start.
func TestWrapMaps(t *testing.T) {
	for text, want := range map[string][]int{"2 0 1": {2, 0, 1, 2, 0, 1, 2}, "0 1 2": {0, 1, 2, 0, 1}} {
		m, err := puppet.ReadModel("a", strings.NewReader(model("complete 3", text)))
		if err != nil {
			t.Fatal(err)
		}
		machine, err := m.Machine(len(want))
		if err != nil || !slices.Equal(machine.Mapping[0].Nodes, want) {
			t.Errorf("map %s: %v, %v", text, machine.Mapping[0].Nodes, err)
		}
	}
}

// Check 21: of the 24 mappings of two pairs to a line of 4, eight have each of 440, 840 and 1240. Check 22: the 16
// mappings of CPU times 40, 30, 20, 10 to two processors.
func TestAllMappings(t *testing.T) {
	p, m := open(t, filepath.Join(cases, "R1-0123.log"), filepath.Join(cases, "R1-0123.model"))
	count := map[int64]int{}
	for a := range 4 * 4 * 4 * 4 {
		at := []int{a % 4, a / 4 % 4, a / 16 % 4, a / 64}
		if s := slices.Sorted(slices.Values(at)); !slices.Equal(s, []int{0, 1, 2, 3}) {
			continue
		}
		m.Mapping[0].Nodes = at
		r, err := engine.Run(context.Background(), p, m, sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		count[r.Total/us]++
	}
	if want := map[int64]int{440: 8, 840: 8, 1240: 8}; !reflect.DeepEqual(count, want) {
		t.Errorf("%v, not %v", count, want)
	}
	p, m = open(t, filepath.Join(cases, "R3-0000.log"), filepath.Join(cases, "R3-0000.model"))
	var totals []int64
	for a := range 16 {
		m.Mapping[0].Nodes = []int{a & 1, a >> 1 & 1, a >> 2 & 1, a >> 3}
		r, err := engine.Run(context.Background(), p, m, sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		totals = append(totals, r.Total/us)
	}
	slices.Sort(totals)
	if want := []int64{50, 50, 60, 60, 60, 60, 70, 70, 70, 70, 80, 80, 90, 90, 100, 100}; !slices.Equal(totals, want) {
		t.Errorf("%v, not %v", totals, want)
	}
}

// randomLog has no deadlock: sends and receives are generated in one global order.
func randomLog(rng *rand.Rand, ranks int, mode string) string {
	lines := make([][]string, ranks)
	for range 30 {
		from, to := rng.IntN(ranks), rng.IntN(ranks)
		if from == to {
			continue
		}
		size, tag := rng.IntN(300), rng.IntN(2)
		lines[from] = append(lines[from], fmt.Sprintf("%d %de-6 MPI_%s %d %d %d%s", from, rng.IntN(100), sendName(mode),
			to, size, tag, option(mode)))
		lines[to] = append(lines[to], fmt.Sprintf("%d %de-6 MPI_Recv %d %d", to, rng.IntN(100), from, tag))
	}
	text := ""
	for i := range lines {
		text += strings.Join(append(lines[i], fmt.Sprintf("%d %de-6 MPI_Finalize", i, rng.IntN(100))), "\n") + "\n"
	}
	return text
}

func sendName(mode string) string {
	if mode == "synchronous" {
		return "Ssend"
	}
	return "Send"
}

func option(mode string) string {
	if mode == "nospace" {
		return " mode=nospace"
	}
	return ""
}

// Check 25: properties of 200 random logs.
func TestProperties(t *testing.T) {
	for seed := range uint64(200) {
		log := func(mode string) string { return randomLog(rand.New(rand.NewPCG(seed, 1)), 5, mode) }
		run := func(mode, model string) *sim.Result {
			_, r, err := simulate(t, log(mode), model)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			return r
		}
		var before []float64
		for _, mode := range []string{"buffered", "nospace", "synchronous"} {
			alone := run(mode, model("ring 5", "0"))
			if float64(alone.Total) != alone.Computation { // (a)
				t.Errorf("seed %d, %s: all on one processor take %d ns, compute for %g", seed, mode, alone.Total,
					alone.Computation)
			}
			exits := ends(run(mode, model("ring 5", "0 1 2 3 4")))
			for i := range before { // (c)
				if exits[i] < before[i] {
					t.Errorf("seed %d: %s: rank %d ends at %g, with a weaker mode at %g", seed, mode, i, exits[i],
						before[i])
				}
			}
			before = exits
		}
		fast := ends(run("buffered", model("ring 5", "0 1 2 3 4")))
		for _, slower := range []string{"link-speed 2e-5 1e-6\n", "link-speed 1e-5 3e-6\n"} { // (b)
			for i, e := range ends(run("buffered", model("ring 5", "0 1 2 3 4")+slower)) {
				if e < fast[i] {
					t.Errorf("seed %d: a slower link: rank %d ends at %g, not at %g", seed, i, e, fast[i])
				}
			}
		}
		shared := run("buffered", model("ring 5", "0 1 0 1 2"))
		sum, processors := 0.0, [3]float64{}
		for i := range shared.Tasks {
			c := shared.Tasks[i].Computation
			sum += c
			processors[[]int{0, 1, 0, 1, 2}[i]] += c
			if float64(shared.Tasks[i].End) < c-1 { // (e)
				t.Errorf("seed %d: rank %d ends before it has computed", seed, i)
			}
		}
		// (d), (e), (g)
		if sum != shared.Computation || float64(shared.Total) < slices.Max(processors[:])-1 || shared.Speedup > 3+1e-9 {
			t.Errorf("seed %d: busy %g of %g, total %d, speedup %g", seed, sum, shared.Computation, shared.Total,
				shared.Speedup)
		}
		// (f)
		if a, b := ends(run("buffered", model("complete 5", "0 1 2 3 4"))),
			ends(run("buffered", model("complete 5", "3 1 4 0 2"))); !slices.Equal(a, b) {
			t.Errorf("seed %d: on a complete network %v, permuted %v", seed, a, b)
		}
	}
}

// Check 26: the order in which the logs of ranks are joined does not matter.
func TestAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	log := randomLog(rng, 5, "buffered")
	byRank := map[byte]string{}
	for line := range strings.Lines(log) {
		byRank[line[0]] += line
	}
	turned := byRank['4'] + byRank['2'] + byRank['0'] + byRank['3'] + byRank['1']
	_, a, err := simulate(t, log, model("ring 5", "0 1 0 3 4"))
	_, b, err2 := simulate(t, turned, model("ring 5", "0 1 0 3 4"))
	if err != nil || err2 != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("%v, %v, %v, %v", a, b, err, err2)
	}
}

// Check 27: a network for one operation inherits the rest; the last line wins; what is wrong is named with its line;
// what is written is read back.
func TestModelFile(t *testing.T) {
	text :=
		"network complete 4\nlink-speed 1e-5 1e-6\nswitching packet\npacket-size 64\nmap 0 1 2 3\nlink-speed 2e-6 " +
			"0 for MPI_Barrier\n# note\nlink-speed 3e-6 0 for MPI_Barrier\n"
	m, err := puppet.ReadModel("a.model", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	b := m.Networks[1]
	if b == nil || b.Startup != 3000 || b.PerByte != 0 || b.Packet != 64 || b.Topology != "complete 4" ||
		m.Networks[0].Startup != 10000 || m.Networks[0].PerByte != 1000 || m.Networks[2] != nil {
		t.Errorf("%+v, %+v", m.Networks[0], b)
	}
	later, err := puppet.ReadModel("a.model", strings.NewReader(text+"link-speed 4e-6 1e-6\n"))
	if err != nil || later.Networks[1].Startup != 4000 {
		t.Errorf("a later line for all: %v, %v", later.Networks[1], err)
	}
	text += "control-size 8 for MPI_Barrier\ncoll-sendtype nospace\nbarrier-size 1\nstandard-send 1000\ncpu-speed " +
		"1 0.5\nalgorithm binomial for MPI_Bcast\nalgorithm recursive-doubling/2048/ring for " +
		"MPI_Allreduce\ncontention on\n"
	if m, err = puppet.ReadModel("a.model", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := m.Write(&out); err != nil {
		t.Fatal(err)
	}
	again, err := puppet.ReadModel("a.model", &out)
	if err != nil {
		t.Fatal(err)
	}
	x, err1 := m.Machine(4)
	y, err2 := again.Machine(4)
	if err1 != nil || err2 != nil || !x.Equal(y) {
		t.Errorf("%+v is not %+v (%v, %v)", x, y, err1, err2)
	}
	for _, c := range []struct{ line, why string }{
		{"frob 1\n", "a.model:6: unknown option \"frob\""},
		{"map 0 0 2 3 for MPI_Barrier\n", "a.model:6: map: processes 0 and 1 share a processor"},
		{"switching telepathy\n", "a.model:6: switching: there is no switching technique"},
		{"link-speed 1\n", "a.model:6: link-speed: it is two times"},
		{"link-speed -1 0\n", "a.model:6: link-speed: \"-1\""},
		{"network moebius 3\n", "a.model:6: network: there is no topology"},
		{"packet-size 9 for MPI_Send\n", "a.model:6: packet-size: there is no collective operation"},
		{"algorithm ring for MPI_Barrier\n", "a.model:6: algorithm: there is no algorithm \"ring\" of Barrier"},
	} {
		m, err := puppet.ReadModel("a.model",
			strings.NewReader(
				"network complete 4\nlink-speed 1e-5 1e-6\nswitching packet\npacket-size 64\nmap 0 1 2 3\n"+c.line))
		if err == nil {
			_, err = m.Machine(4)
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.why) {
			t.Errorf("%v, not %s", err, c.why)
		}
	}
	if _, err := puppet.ReadModel("a.model",
		strings.NewReader("network complete 4\nmap 0\nswitching packet\npacket-size 64\n")); err == nil ||
		!strings.Contains(err.Error(), "the network of messages has no link-speed") {
		t.Errorf("a missing option: %v", err)
	}
}

// mergeSort returns the log of check 29: m = n/P items of 4 bytes a rank, 0.55 us m^2 to sort them, 1 us an item to
// merge.
func mergeSort(ranks int) string {
	const n = 10240
	m := n / ranks
	var b strings.Builder
	for r := range ranks {
		block, items, sent := 0.55*float64(m)*float64(m), m, false
		for step := 1; step < ranks; step *= 2 {
			if r&step != 0 {
				fmt.Fprintf(&b, "%d %fe-6 MPI_Send %d %d 0\n", r, block, r-step, 4*items)
				block, sent = 0, true
				break
			}
			fmt.Fprintf(&b, "%d %fe-6 MPI_Recv %d 0\n", r, block, r+step)
			items *= 2
			block = float64(items)
		}
		if !sent {
			fmt.Fprintf(&b, "%d %fe-6 MPI_Finalize\n", r, block)
		} else {
			fmt.Fprintf(&b, "%d 0 MPI_Finalize\n", r)
		}
	}
	return b.String()
}

// Check 29: merge-sort on Ethernet links: CPU time, time on a complete network (the hypercube's is the same) and on a
// ring, us.
func TestMergeSort(t *testing.T) {
	for _, c := range []struct {
		ranks               int
		cpu, complete, ring float64
	}{
		{1, 57671680, 57671680, 57671680},
		{2, 28846080, 14450266.877, 14450266.877},
		{4, 14438400, 3653725.240, 3675832.117},
		{8, 7239680, 959539.345, 1037638.339},
		{16, 3645440, 289011.322, 485708.654},
		{32, 1853440, 123432.234, 561358.221},
	} {
		places := ""
		for i := range c.ranks {
			places += fmt.Sprintf(" %d", i)
		}
		run := func(network, switching string) *sim.Result {
			text :=
				fmt.Sprintf(
					"network %s\nmap%s\nswitching %s\ncontrol-speed 0 0\nlink-speed 1449.848e-6 "+
						"1.008644e-6\npacket-size none\n", network, places, switching)
			_, r, err := simulate(t, mergeSort(c.ranks), text)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		dimensions := 0
		for 1<<dimensions < c.ranks {
			dimensions++
		}
		complete, ring := run(fmt.Sprintf("complete %d", c.ranks), "packet"),
			run(fmt.Sprintf("ring %d", c.ranks), "packet")
		near := func(what string, ns int64, us float64) {
			if math.Abs(float64(ns)-us*1000) > 1.5 {
				t.Errorf("%d ranks, %s: %d ns, not %.3f us", c.ranks, what, ns, us)
			}
		}
		near("complete", complete.Total, c.complete)
		near("ring", ring.Total, c.ring)
		near("circuit on a ring", run(fmt.Sprintf("ring %d", c.ranks), "circuit").Total, c.complete)
		if dimensions > 0 {
			if cube := run(fmt.Sprintf("hypercube %d", dimensions), "packet"); cube.Total != complete.Total {
				t.Errorf("%d ranks: hypercube %d, complete %d", c.ranks, cube.Total, complete.Total)
			}
		}
		if math.Abs(complete.Computation-c.cpu*1000) > 1 {
			t.Errorf("%d ranks: CPU time %g", c.ranks, complete.Computation)
		}
	}
}

// pairs returns a log of point-to-point traffic with a number of entries: ranks send to the next one, and receive from
// the one before; one in four computes.
func pairs(t testing.TB, ranks, entries int) *sim.Program {
	var b strings.Builder
	for k := range entries / 2 / ranks {
		for r := range ranks {
			fmt.Fprintf(&b, "%d %de-6 MPI_Send %d %d 0\n%d 0 MPI_Recv %d 0\n", r, 7*((r+k)%4), (r+1)%ranks, 100*(k%7),
				r, (r+ranks-1)%ranks)
		}
	}
	l, err := puppet.ReadLog("a.log", strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return l.Program
}

// Check 32: the work of a simulation, in events and in memory. Twice the entries are twice the events, within 20 %, and
// at most 3 events each: the computation, the arrival and what is matched. The memory is that of ranks and messages in
// flight: the same for ten times the entries. BenchmarkLog has the times.
func TestSpeed(t *testing.T) {
	_, m := open(t, filepath.Join(cases, "P5-token-ring.log"), filepath.Join(cases, "P5-token-ring.model"))
	work := func(entries int) (events int64, memory uint64) {
		p := pairs(t, 4, entries)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r, err := engine.Run(context.Background(), p, m, sim.Options{})
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		return r.Events, after.TotalAlloc - before.TotalAlloc
	}
	last, small := work(10_000)
	if last > 3*10_000 {
		t.Errorf("%d events for 10,000 entries", last)
	}
	for entries := 20_000; entries <= 80_000; entries *= 2 {
		events, _ := work(entries)
		if ratio := float64(events) / float64(last); math.Abs(ratio-2) > 0.4 {
			t.Errorf("%d entries: %d events, %.2f times those of half the entries", entries, events, ratio)
		}
		last = events
	}
	if _, large := work(100_000); large > small+16<<10 {
		t.Errorf("100,000 entries take %d bytes of memory, 10,000 take %d", large, small)
	}
}

// BenchmarkLog is check 32 in time: a re-run of a log of up to a million entries, and of one of 10,000, which took 5 s
// in 1996.
func BenchmarkLog(b *testing.B) {
	_, m := open(b, filepath.Join(cases, "P5-token-ring.log"), filepath.Join(cases, "P5-token-ring.model"))
	for _, entries := range []int{10_000, 125_000, 250_000, 500_000, 1_000_000} {
		p := pairs(b, 4, entries)
		b.Run(fmt.Sprint(entries), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := engine.Run(context.Background(), p, m, sim.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(entries), "ns/entry")
		})
	}
}

// Check 33: the predicted trace of M2-shared, written and read: it ends at 290 us and has one message, sent at 100 and
// received at 160; rank 0 waits meanwhile.
func TestExport(t *testing.T) {
	p, m := open(t, filepath.Join(cases, "M2-shared.log"), filepath.Join(cases, "M2-shared.model"))
	r, err := engine.Run(context.Background(), p, m, sim.Options{Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := prv.Write(context.Background(), &b, r.Trace); err != nil {
		t.Fatal(err)
	}
	tr, err := prv.Read(context.Background(), &b, prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &tr.Threads[0].States
	waits := slices.Index(s.Value, uint32(sim.StateWaiting))
	c := &tr.Comms
	if tr.Duration != 290*us || c.Len() != 1 || c.Send[0] != 2 || c.Recv[0] != 0 || c.Size[0] != 50 ||
		c.Times[prv.PhysicalSend][0] != 100*us || c.Times[prv.PhysicalRecv][0] != 160*us ||
		waits < 0 || s.Begin[waits] != 100*us || s.End[waits] != 160*us {
		t.Errorf("%d ns, %+v, %+v", tr.Duration, c, s)
	}
}

// Check 33: the predicted trace of M2-shared as one of PICL: the message of 50 bytes is sent by 2 at 100 and received
// by 0 at 160, which waits for it from 100. Its format has both ends.
func TestExportPICL(t *testing.T) {
	p, m := open(t, filepath.Join(cases, "M2-shared.log"), filepath.Join(cases, "M2-shared.model"))
	r, err := engine.Run(context.Background(), p, m, sim.Options{Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "shared.trf")
	if err := prv.SaveFile(path, func(w io.Writer) error {
		return picl.Write(context.Background(), w, r.Trace)
	}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"-3 -21 0.000100000 2 0 4 2 50 0 0 0", "-3 -52 0.000100000 0 0 1 2 0",
		"-4 -52 0.000160000 0 0 4 2 50 0 2 0"} {
		if !strings.Contains(string(text), line+"\n") {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
	tr, err := picl.Open(context.Background(), path, true, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	s := &tr.Threads[0].States
	waits := slices.Index(s.Value, uint32(sim.StateWaiting))
	c := &tr.Comms
	if tr.Duration != 290*us || c.Len() != 1 || c.Send[0] != 2 || c.Recv[0] != 0 || c.Size[0] != 50 ||
		c.Times[prv.PhysicalSend][0] != 100*us || c.Times[prv.PhysicalRecv][0] != 160*us ||
		waits < 0 || s.Begin[waits] != 100*us || s.End[waits] != 160*us {
		t.Errorf("%d ns, %+v, %+v", tr.Duration, c, s)
	}
}

// Check 35: a complete network of links without startup is the network of buses without limits, of the same bandwidth.
func TestBridge(t *testing.T) {
	for seed := range uint64(50) {
		l, err := puppet.ReadLog("a.log", strings.NewReader(randomLog(rand.New(rand.NewPCG(seed, 2)), 5, "buffered")))
		if err != nil {
			t.Fatal(err)
		}
		buses, links := sim.Ideal(5), sim.Ideal(5)
		buses.Clusters[0].Bandwidth = 2.5
		links.Network, links.Direct.PerByte = "direct", 1e9/(1<<20)/2.5
		a, err1 := engine.Run(context.Background(), l.Program, buses, sim.Options{})
		b, err2 := engine.Run(context.Background(), l.Program, links, sim.Options{})
		if err1 != nil || err2 != nil || !reflect.DeepEqual(ends(a), ends(b)) {
			t.Errorf("seed %d: buses %v, links %v (%v, %v)", seed, ends(a), ends(b), err1, err2)
		}
	}
}

// Check 35, with a latency of 10 us: on buses it is on the CPU of the sender, so that who sends 3 messages goes on 30
// us later; on links it is not.
func TestBridgeWithLatency(t *testing.T) {
	log :=
		"0 100e-6 MPI_Send 1 0 0\n0 0 MPI_Send 1 0 0\n0 0 MPI_Send 1 0 0\n0 5e-6 MPI_Finalize\n1 0 MPI_Recv 0 0\n1 " +
			"0 MPI_Recv 0 0\n1 0 MPI_Recv 0 0\n"
	l, err := puppet.ReadLog("a.log", strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	buses, links := sim.Ideal(2), sim.Ideal(2)
	for i := range buses.Nodes {
		buses.Nodes[i].Latency = 10 * us
	}
	links.Network, links.Direct.Startup = "direct", 10*us
	a, err1 := engine.Run(context.Background(), l.Program, buses, sim.Options{})
	b, err2 := engine.Run(context.Background(), l.Program, links, sim.Options{})
	if err1 != nil || err2 != nil || !slices.Equal(ends(a), []float64{135, 130}) ||
		!slices.Equal(ends(b), []float64{105, 110}) {
		t.Errorf("buses %v, links %v (%v, %v)", ends(a), ends(b), err1, err2)
	}
}
