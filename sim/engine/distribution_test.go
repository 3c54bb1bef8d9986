package engine_test

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"pview/prv"
	"pview/sim"
	"pview/sim/engine"
	"pview/sim/parameter"
)

// stream returns a program that sends n messages of a megabyte, one after the other.
func stream(t *testing.T, n int) *sim.Program {
	p := &sim.Program{}
	p.AddPtask()
	p.AddTask(1)
	p.AddTask(1)
	for i := range int32(2) {
		p.Threads[i].AddCompute(0)
		for k := range int64(n) {
			m := sim.Message{Peer: 1 - i, Size: megabyte, Tag: k}
			if i == 0 {
				p.Threads[i].AddMessage(sim.Send, m)
			} else {
				p.Threads[i].AddMessage(sim.Recv, m)
			}
		}
	}
	link(t, p)
	return p
}

// setting sets a parameter as a flag does.
func setting(t *testing.T, m *sim.Machine, name, text string) {
	t.Helper()
	p := parameter.ByName(name)
	s, err := p.ParseSetting(text)
	if err != nil {
		t.Fatal(err)
	}
	p.Apply(m, s)
}

// transfers returns the times of the transfers, us, by the order of messages.
func transfers(r *sim.Result) (us []float64) {
	c := &r.Trace.Comms
	for i := range c.Send {
		us = append(us, float64(c.Times[prv.PhysicalRecv][i]-c.Times[prv.PhysicalSend][i])/1000)
	}
	return us
}

// D42: a bandwidth between 50 and 150 MB/s: the transfers of 1000 messages of a megabyte take between 6666.7 and 20000
// us, and differ. The mean of 1/W is ln(150/50)/100 = 10.986 ms per MB, the standard error of 1000 of them 0.12 ms.
func TestRandomBandwidth(t *testing.T) {
	p, m := stream(t, 1000), network(2)
	fixed := transfers(runBy(t, thesis(t), p, m))
	setting(t, m, "bandwidth", "uniform(50, 150 MB/s)")
	first := transfers(runBy(t, thesis(t), p, m))
	values, sum := map[float64]bool{}, 0.0
	for _, us := range first {
		if us < 1e6/150-0.001 || us > 20000 {
			t.Fatalf("a transfer of %g us", us)
		}
		values[us] = true
		sum += us
	}
	if mean := sum / 1000; len(values) < 990 || math.Abs(mean-10986) > 500 {
		t.Errorf("%d different times, %g us in the mean", len(values), mean)
	}
	if again := transfers(runBy(t, thesis(t), p, m)); !reflect.DeepEqual(first, again) {
		t.Error("the same seed, other times")
	}
	setting(t, m, "seed", "7")
	if other := transfers(runBy(t, thesis(t), p, m)); reflect.DeepEqual(first, other) {
		t.Error("another seed, the same times")
	}
	setting(t, m, "bandwidth", "constant(100MB/s)")
	if got := transfers(runBy(t, thesis(t), p, m)); !reflect.DeepEqual(got, fixed) {
		t.Error("a constant distribution, other times than without")
	}
	setting(t, m, "bandwidth", "100MB/s")
	if len(m.Random) != 0 {
		t.Error("a value does not take the place of the distribution")
	}
	for _, name := range sim.Variables {
		setting(t, m, name, "uniform(1, 2)")
		if setting(t, m, name, "1"); len(m.Random) != 0 {
			t.Errorf("%s: a value does not take the place of the distribution", name)
		}
	}
}

// What happens to one parameter does not change the values that another draws.
func TestRandomStreams(t *testing.T) {
	p, m := stream(t, 100), network(2)
	setting(t, m, "bandwidth", "exponential(100)")
	first := transfers(runBy(t, thesis(t), p, m))
	setting(t, m, "latency", "lognormal(25us, 50us)")
	for i, us := range transfers(runBy(t, thesis(t), p, m)) {
		if math.Abs(us-first[i]) > 0.002 { // times of the trace are whole nanoseconds
			t.Fatalf("message %d takes %g us, not %g, when the latency varies as well", i, us, first[i])
		}
	}
}

// Every distribution has its stated mean, and no value below 0: latencies of 20000 empty sends, which the sender pays
// one by one.
func TestDistributions(t *testing.T) {
	const n = 20000
	p := stream(t, n)
	for i := range p.Threads[0].Messages {
		p.Threads[0].Messages[i].Size = 0
	}
	text := map[string]string{
		"constant": "constant(20us)", "uniform": "uniform(10us, 30us)", "normal": "normal(20us, 2us)",
		"lognormal":   "lognormal(20us, 10us)",
		"exponential": "exponential(20us)", "triangle": "triangle(10us, 20us, 30us)", "gamma": "gamma(4, 5us)",
		"weibull": "weibull(1, 20us)",
		"pareto":  "pareto(10us, 2)", // 10 x 2 / (2 - 1)
	}
	for i := range sim.Distributions {
		name := sim.Distributions[i].Name
		m := network(2)
		setting(t, m, "latency", text[name])
		got, _ := parameter.ByName("latency").Setting(m)
		if half := got.Distribution.Scale(0.5).Mean(); math.Abs(half-10_000) > 1 {
			t.Errorf("%s: half of it has a mean of %g", name, half)
		}
		if math.Abs(got.Distribution.Mean()-20_000) > 1 {
			t.Errorf("%s: the mean is %g", name, got.Distribution.Mean())
		}
		mean := runTotals(t, thesis(t), p, m).Tasks[0].Startups / n
		tolerance := 0.02
		if name == "pareto" { // its deviation is infinite
			tolerance = 0.2
		}
		if math.Abs(mean/20_000-1) > tolerance {
			t.Errorf("%s: %g us in the mean, not 20", text[name], mean/1000)
		}
		s, err := parameter.ByName("latency").ParseSetting(parameter.ByName("latency").FormatSetting(got))
		if err != nil || s != got {
			t.Errorf("%s: written and read: %v, %v", name, s, err)
		}
	}
	// Values below 0 are redrawn: the mean of a normal(0, 20) above 0 is 20 sqrt(2/pi) = 15.958.
	m := network(2)
	setting(t, m, "latency", "normal(0, 20us)")
	if mean := runTotals(t, thesis(t), p, m).Tasks[0].Startups / n; math.Abs(mean-15_958) > 300 {
		t.Errorf("above 0: %g ns in the mean", mean)
	}
}

func runTotals(t *testing.T, rules sim.Rules, p *sim.Program, m *sim.Machine) *sim.Result {
	t.Helper()
	r, err := engine.Run(context.Background(), p, m, sim.Options{Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestBadDistributions(t *testing.T) {
	for text, want := range map[string]string{
		"poisson(3us)":         `there is no distribution "poisson"`,
		"normal(3us)":          "it is normal(mean, deviation)",
		"normal(3us, 2 MB/s)":  "deviation of normal(mean, deviation): unknown unit",
		"uniform(3us, 2us)":    "the least is more than the most",
		"triangle(1,3,2)":      "it is (least, mode, most)",
		"exponential(0)":       "the mean must be more than 0",
		"gamma(-1, 2us)":       "must be a number >= 0",
		"pareto(1us, 0)":       "the shape must be more than 0",
		"uniform(0, 0)":        "hardly any value is above 0",
		"normal(1us, 2us, 3s)": "it is normal(mean, deviation)",
	} {
		if _, err := parameter.ByName("latency").ParseSetting(text); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %s", text, err, want)
		}
	}
	if _, err := parameter.ByName("buses").ParseSetting("uniform(1, 2)"); err == nil ||
		!strings.Contains(err.Error(), "cannot have a distribution") {
		t.Errorf("%v", err)
	}
	m := network(2)
	m.Random = []sim.Variation{{Parameter: "buses", Distribution: sim.Distribution{Kind: "constant"}}}
	if err := m.Check(); err == nil {
		t.Error("a machine with a random number of buses")
	}
}

// TestNoLuckNoCost: drawing takes no memory per message.
func TestRandomAllocations(t *testing.T) {
	m := network(2)
	setting(t, m, "bandwidth", "normal(100, 10)")
	setting(t, m, "latency", "gamma(2, 5us)")
	setting(t, m, "cpu-ratio", "uniform(0.9, 1.1)")
	count := func(n int) float64 {
		p := stream(t, n)
		return testing.AllocsPerRun(3, func() { runTotals(t, sim.Rules{}, p, m) })
	}
	if few, many := count(2000), count(4000); many > few+30 {
		t.Errorf("%g allocations for 2000 messages, %g for 4000", few, many)
	}
}
