package frameworks

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/insight/frameworks/role"
	"pview/insight/report"
	"pview/prv/quantity"
	"pview/sim"
)

// Where a message costs nothing there is no limit, or that of (12) for a start-up of 0: a byte costs 1, so 100 bytes
// and 300 of computation are 400; half of the bytes are given.
func TestLimitsOfFreeMessages(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		regime  Regime
		m0      float64
		perByte float64
		want    float64
	}{
		{Startup, 0, 1, inf}, {Transfer, 50, 1, inf}, {Transfer, 51, 1, inf}, {Transfer, 40, 1, 40}, // 400 / (50-40)
		{Waiting, 0, 0, inf}, {Waiting, 0, 1, 8}, // 400 / 50
		{Startup, 10, 0, math.Sqrt(100+10*300)/10 + 1},
		{Waiting, 10, 0, (20 + math.Sqrt(400+40*300)) / 20},
	} {
		f := &Farm{Link: ms(c.m0, c.perByte, role.Async), Volume: 100, Given: 0.5, Compute: 300}
		if got := f.limitIn(c.regime, 4); got != c.want {
			t.Errorf("%+v: %g", c, got)
		}
	}
	for _, c := range []struct{ most, tasks, want int }{{0, 0, 10_000}, {-1, 0, 10_000}, {8, 0, 8}, {8, 5, 5},
		{5, 8, 5}, {0, 7, 7}} {
		same(t, fmt.Sprint(c), (&Farm{Tasks: c.tasks}).bound(c.most), c.want)
	}
	if f := (&Farm{Link: ms(1, 0, role.Async)}); !math.IsNaN(f.Index(3)) {
		t.Errorf("the index without computation is %g", f.Index(3))
	}
	f := &Farm{Link: ms(1, 0, role.Async), Compute: 30} // (3+1)*1 + 30/3 = 14
	near(t, "index", f.Index(3), 3*14*14/30.0)
	near(t, "efficiency", f.efficiency(3), 30/(3*14.0))
}

func TestShortPipelines(t *testing.T) {
	p := line(ms(1, 0.001, role.Async), 2000, 10, 30)
	near(t, "no item", p.total(0, Overlap), 0)
	near(t, "one item", p.total(1, Overlap), 11+2+30) // the last stage sends nothing
	near(t, "two items", p.total(2, Overlap), 11+2+30+30)
	near(t, "no stage", (&Pipeline{}).total(3, Overlap), 0)
	near(t, "no difference", distance([]float64{0, 5, 7}, []float64{3, 0, 7}), 0)
	near(t, "half and twice", distance([]float64{1, 4}, []float64{2, 2}), 2*math.Ln2)
	for _, c := range []struct {
		n, of int
		want  string
	}{{0, 2, "[]"}, {4, 2, "[0 1 2 3]"}, {5, 2, "[2 3]"}, {3, 1, "[1 2]"}} {
		var list []int
		for i := range c.n {
			list = append(list, i)
		}
		same(t, fmt.Sprint(c), fmt.Sprint(steady(list, c.of)), c.want)
	}
}

// The run of a master with pipelines: 2 workers with 5 items take 2 and 3, and half of 1000 bytes, of which 600 are
// given.
func TestMessagesOfNested(t *testing.T) {
	n := Nested{Outer: Farm{Link: ms(1, 0, role.Async), Volume: 1000, Given: 0.6},
		Inner: *line(ms(1, 0, role.Async), 70, 4, 6), Items: 5}
	p, err := n.program(2, 2)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i := range p.Threads {
		fmt.Fprintf(&b, "task %d:", i)
		for row := range p.Threads[i].Len() {
			if p.Threads[i].Kind(row) != sim.Compute {
				m := p.Threads[i].Message(row)
				fmt.Fprintf(&b, " %d/%d/%d", m.Peer, m.Size, m.Tag)
			}
		}
		fmt.Fprintln(&b)
	}
	// The master gives 300 bytes to the first tasks, 1 and 3, and gets 200 from the last ones, 2 and 4.
	same(t, "messages", b.String(), `task 0: 1/300/1 3/300/1 2/200/2 4/200/2
task 1: 0/300/1 2/70/3 2/70/3
task 2: 1/70/3 1/70/3 0/200/2
task 3: 0/300/1 4/70/3 4/70/3 4/70/3
task 4: 3/70/3 3/70/3 3/70/3 0/200/2
`)
}

// A machine has the start-up of a link in the network and within a node, and its bandwidth in both: a byte in 10 ns is
// 1e8 bytes per second.
func TestMachineOfLink(t *testing.T) {
	p := newProgram("two", 2)
	m, rules := Link{M0: 7, PerByte: 10}.machine(p)
	for i := range m.Nodes {
		n := &m.Nodes[i]
		near(t, "start-up", n.Latency, 7)
		near(t, "start-up in a node", n.Local.Latency, 7)
		near(t, "bandwidth in a node", n.Local.Bandwidth, 1e8/(1<<20))
		same(t, "links", n.Links, sim.Links{In: 1, Out: 1})
		same(t, "links in a node", n.Local.Links, sim.Links{In: 1, Out: 1})
	}
	near(t, "bandwidth", m.Clusters[0].Bandwidth, 1e8/(1<<20))
	same(t, "sends", rules[sim.BlockingSend] == sim.SendSynchronous, false)
	_, rules = Link{Protocol: role.Sync}.machine(p)
	same(t, "sends", rules[sim.BlockingSend], sim.SendSynchronous)
	same(t, "bandwidth of free bytes", Link{}.bandwidth(), 0)
	for v, want := range map[float64]int64{-1: 0, 0: 0, 0.4: 0, 0.5: 1, 7.6: 8} {
		same(t, fmt.Sprint(v, " bytes"), bytes(v), want)
	}
}

// What a user types, a roles file tells, or a machine has replaces the cost of a message, in this order; the machine
// only what the trace does not tell.
func TestCostOfMessages(t *testing.T) {
	tr := play(t, masterAndFour(0), network)
	found, err := Analyse(context.Background(), tr, Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := sim.Ideal(5)
	m.Nodes[0].Latency, m.Clusters[0].Bandwidth = 3000, 1e9/5/(1<<20) // 5 ns per byte
	one, two, fast, synchronous := 1000.0, 2000.0, 0.25, role.Sync
	typed := Options{M0: &one, PerByte: &fast, Protocol: &synchronous, Machine: m}
	roles := *found.Roles
	roles.M0, roles.PerByte = &two, &fast
	for name, c := range map[string]struct {
		opt         Options
		roles       *role.Roles
		origin      Origin
		m0, perByte float64
		protocol    role.Protocol
	}{
		"trace":                {Options{Machine: m}, found.Roles, FromTrace, 20_000, 1, role.Async},
		"machine":              {Options{Machine: m}, found.Roles, Assumed, 3000, 5, role.Async},
		"nothing":              {Options{}, found.Roles, Assumed, 20_000, 1, role.Async},
		"roles":                {Options{Machine: m}, &roles, FromTrace, 2000, 0.25, role.Async},
		"roles without others": {Options{}, &roles, Assumed, 2000, 0.25, role.Async},
		"typed":                {typed, &roles, FromTrace, 1000, 0.25, role.Sync},
	} {
		a := &study{t: tr, opt: c.opt, r: &Report{Roles: c.roles}, net: found.study.net}
		a.net.M0 = Value{Value: 20_000, Origin: c.origin}
		a.net.PerByte = Value{Value: 1, Origin: c.origin}
		a.link()
		near(t, name, a.use.M0, c.m0)
		near(t, name, a.use.PerByte, c.perByte)
		same(t, name, a.use.Protocol, c.protocol)
		same(t, name, len(a.r.Warnings) > 0, name == "nothing")
	}
	// A machine without a limit of its bandwidth sends bytes for nothing.
	m.Clusters[0].Bandwidth = 0
	a := &study{t: tr, opt: Options{Machine: m}, r: &Report{Roles: found.Roles}, net: linkRun{}}
	a.net.PerByte = Value{Value: 1, Origin: Assumed}
	a.link()
	near(t, "free bytes", a.use.PerByte, 0)
}

// Warnings on messages: more than one arrives too early; late receivers take more than twice as long, of 10 each.
func TestWarningsOnMessages(t *testing.T) {
	for _, c := range []struct {
		early, late   float64
		samples, back int
		want          int
	}{{10, 20, 10, 0, 0}, {10, 21, 10, 0, 1}, {10, 21, 9, 0, 0}, {10, 10, 10, 1, 1}} {
		a := &study{r: &Report{Roles: &role.Roles{}}, net: linkRun{Backward: c.back, Messages: 30}}
		a.net.M0.Origin, a.net.PerByte.Origin = FromTrace, FromTrace
		a.net.Early, a.net.Late = Value{Value: c.early, Samples: c.samples}, Value{Value: c.late, Samples: c.samples}
		a.link()
		same(t, fmt.Sprint(c, a.r.Warnings), len(a.r.Warnings), c.want)
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		model, measured float64
		meets           bool
	}{{109, 100, true}, {91, 100, true}, {111, 100, false}, {89, 100, false}, {1, 0, false}, {0, 0, false}} {
		same(t, fmt.Sprint(c), Meets(c.model, c.measured), c.meets)
		a := &study{r: &Report{}}
		same(t, fmt.Sprint(c), a.compare(c.model, c.measured), c.meets)
		same(t, "warned", len(a.r.Warnings) == 0, c.meets)
	}
	good := &Fit{Model: 105e3, Measured: 100e3, Off: 0.05, Holds: true}
	bad := &Fit{Model: 50e3, Measured: 100e3, Off: -0.5}
	same(t, "good", good.String(), "the model meets the measured point (+5.0 %)")
	same(t, "bad", bad.String(), "the model does not hold: it gives 50 us for the measured 100 us (-50.0 %)")
	// A model that held once does when the inputs are others; one that did not is compared again.
	a := &study{r: &Report{Fit: good}}
	same(t, "still", a.compare(1, 100), true)
	a.r.Fit = bad
	same(t, "now", a.compare(100, 100), true)
}

// Of a pipeline and of a run of a master the second point is the proposal: it must be faster than the first if it
// changes anything, and within 10 % of the prediction.
func TestCompare(t *testing.T) {
	for _, c := range []struct {
		then, off           float64
		changed, calibrated bool
		want                string
	}{{60, 0.1, true, true, "confirmed"}, {60, -0.1, true, true, "confirmed"}, {60, 0.11, true, true, "weak"},
		{60, -0.11, true, true, "weak"}, {100, 0, true, true, "refuted"}, {101, 0, true, true, "refuted"},
		{100, 0, false, true, "confirmed"}, {99, 0, true, false, "unconfirmed"}, {99, 0.2, true, false, "weak"}} {
		v := &Verdict{Calibrated: c.calibrated, Note: quantity.Textf("it is not reproduced"),
			Points: []Try{{Simulated: 100}, {Simulated: c.then, Off: c.off}}}
		v.compare("an item", c.changed)
		same(t, fmt.Sprint(c), v.Verdict, c.want)
		same(t, "note", strings.HasSuffix(v.Why.String(), "but it is not reproduced"), c.want == "unconfirmed")
	}
}

func TestThin(t *testing.T) {
	list := []point{{size: 0}, {size: 1}, {size: 2}, {size: 3}, {size: 4}}
	for n, want := range map[int][]float64{2: {0, 4}, 3: {0, 2, 4}, 4: {0, 1, 2, 4}, 5: {0, 1, 2, 3, 4},
		6: {0, 1, 2, 3, 4}} {
		var got []float64
		for _, p := range thin(list, n) {
			got = append(got, p.size)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d of them: %v", n, got)
		}
	}
	at0, slope := straight([]float64{2, 2}, []float64{3, 5})
	near(t, "level", at0, 4)
	near(t, "no slope", slope, 0)
	at0, slope = straight([]float64{1, 3}, []float64{3, 7})
	near(t, "at 0", at0, 1)
	near(t, "slope", slope, 2)
}

func TestWrongDistributions(t *testing.T) {
	ok := Distribution{Tasks: 8, Workers: 2, Factor: 1, Mean: 1}
	for name, wrong := range map[string]func(d *Distribution){
		"workers":  func(d *Distribution) { d.Workers = 0 },
		"tasks":    func(d *Distribution) { d.Tasks = -1 },
		"no part":  func(d *Distribution) { d.Factor = 0 },
		"too much": func(d *Distribution) { d.Factor = 1.01 },
		"mean":     func(d *Distribution) { d.Mean = 0 },
		"sigma":    func(d *Distribution) { d.Sigma = -1 },
	} {
		policy, at := "FSC", ok
		if name == "mean" || name == "sigma" {
			policy = "DAF"
		}
		p, found := policyByName(policy)
		if _, err := p.Chunks(at); !found || err != nil {
			t.Fatalf("%s: %v", policy, err)
		}
		wrong(&at)
		if list, err := p.Chunks(at); err == nil {
			t.Errorf("%s: %v", name, list)
		}
	}
	if _, found := policyByName("none"); found {
		t.Error("there is a policy without a name")
	}
}

// In each of two iterations the master prepares for 12 us, sends a task to each of 3 workers, with 5 us before the
// second and the third, and takes the answers: serving one takes 5 us, and of the second preparation 7 are left. The
// first is before what is measured.
func TestServiceOfRounds(t *testing.T) {
	p := newProgram("farm", 4)
	boss := &p.Threads[0]
	for range 2 {
		for w := range 3 {
			boss.AddCompute([]float64{12_000, 5000, 5000}[w])
			boss.AddMessage(sim.Send, sim.Message{Size: 600, Tag: 1, Peer: int32(1 + w)})
			work := &p.Threads[1+w]
			work.AddMessage(sim.Recv, sim.Message{Size: 600, Tag: 1})
			work.AddCompute(1e6)
			work.AddMessage(sim.Send, sim.Message{Size: 60, Tag: 2})
		}
		for w := range 3 {
			boss.AddMessage(sim.Recv, sim.Message{Size: 60, Tag: 2, Peer: int32(1 + w)})
		}
	}
	r, err := Analyse(context.Background(), play(t, p, network), Options{})
	if err != nil {
		t.Fatal(err)
	}
	rounds := r.Rounds(2)
	same(t, "iterations", len(rounds), 2)
	for i, master := range []float64{0, 7000} {
		x := &rounds[i]
		same(t, "chunks", fmt.Sprint(x.Chunks), "[2 2 2]")
		same(t, "tasks", fmt.Sprint(x.Tasks), "[500000 500000 500000 500000 500000 500000]")
		near(t, "serving", x.service.Serving, 5000)
		near(t, "preparation", x.service.Master, master)
		near(t, "given", x.service.Given, 600)
		near(t, "returned", x.service.Returned, 60)
		near(t, "work", x.Work(), 3e6)
	}
}

// The words of a recommendation, and its gain: of workers that of a farm, of replicas that of the last point.
func TestWordsOfAdvice(t *testing.T) {
	for n, want := range map[int]string{-1: "", 0: "", 1: ", on one more processor", 2: ", on 2 more processors"} {
		same(t, fmt.Sprint(n), (&Advice{Processors: n}).more(), want)
	}
	pipeline := &Report{Pipeline: &PipelineReport{Items: 9, Stages: []StageRow{{Stage: 1, Own: 3000},
		{Stage: 2, Tasks: "1.2", Own: 7000, Slowest: true}, {Stage: 3, Own: 5000}}}}
	farm := &Report{Farm: &FarmReport{Workers: 2, Worth: 4, Iterations: 7, Measured: 5000, Balance: 0.5,
		Model: Farm{Link: ms(10, 0, role.Async), Compute: 1200}}}
	v := &Verdict{Verdict: "confirmed", Points: []Try{{Workers: 2, Simulated: 600}, {Workers: 3, Simulated: 500},
		{Workers: 4, Simulated: 350}, {Workers: 5, Simulated: 300}}}
	for _, c := range []struct {
		r      *Report
		a      Advice
		want   string
		main   bool
		times  int
		gained float64
	}{
		{pipeline, Advice{Replicas: []int{0, 2, 0}}, "stage 2 of 3 (task 1.2) sets the pace of a pipeline: " +
			"7 us per item, no other stage more than 5 us (medians)", true, 9, 300},
		// (2+1)*10 + 1200/2 and (4+1)*10 + 1200/4
		{farm, Advice{Workers: 4}, "a master has 2 workers: with 4 an iteration would take 350 ns instead of 630 ns",
			true, 7, 250},
		{farm, Advice{}, "a master hands tasks out unevenly: an iteration takes 5 us, balance 0.50", false, 7, 250},
		{&Report{}, Advice{What: "this"}, "this", false, 1, 300},
	} {
		same(t, "fault", c.r.fault(&c.a), c.want)
		same(t, c.want, c.a.main(), c.main)
		same(t, c.want, c.r.times(), c.times)
		same(t, c.want, v.gain(c.r), c.gained)
		f := &report.Finding{}
		c.r.Verdict = v
		c.r.verified(f, 10)
		same(t, c.want, f.Verified, 10*c.gained)
		same(t, c.want, f.Checked, report.Confirmed)
		c.r.Verdict = &Verdict{Verdict: "weak", Why: quantity.Textf("why"), Points: v.Points}
		c.r.verified(f, 10)
		same(t, c.want, fmt.Sprint(f.Checked, f.Unchecked), fmt.Sprint(report.CannotTell, "weak: why"))
	}
}

// Two workers that get 1 and 2 bytes, or 1 and 3, return 3 and 4 and compute for 10 and 20. A message costs 2, a byte
// 1; the last worker counts, with 20 + 6, and 5 of the master.
func TestMeasuredTime(t *testing.T) {
	for _, c := range []struct {
		given    float64
		protocol role.Protocol
		want     float64
	}{{2, role.Async, 2*2 + 2 + 31}, {3, role.Async, 2 + 4 + 31}, {3, role.Sync, 2*2 + 4 + 31}} {
		m := Measured{Given: []float64{1, c.given}, Returned: []float64{3, 4}, Compute: []float64{10, 20}, Master: 5}
		near(t, fmt.Sprint(c), m.Time(ms(2, 1, c.protocol)), c.want)
		near(t, "balance", m.balance(), 0.75)
		near(t, "idle", m.idle(30), 0.5)
	}
	near(t, "without workers", (&Measured{Master: 5}).Time(ms(2, 1, role.Async)), 5)
	near(t, "without computation", (&Measured{Compute: []float64{0, 0}}).balance(), 1)
}
