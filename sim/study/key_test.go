package study_test

import (
	"math/rand/v2"
	"testing"

	"pview/sim"
	"pview/sim/study"
)

// TestKey: what a word stands for belongs to the key of a study, not the word alone: a configuration or a file may have
// changed since.
func TestKey(t *testing.T) {
	keys := map[string]string{}
	differs := func(what string, p *study.Plan, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if same := keys[p.Key]; same != "" {
			t.Errorf("%s has the key of %s", what, same)
		}
		keys[p.Key] = what
	}
	base := modelP(t, 1024)
	for _, latency := range []float64{1e3, 2e3} {
		changes := func(c *study.Case) { c.Machine.Nodes[0].Latency = latency }
		f := fit(t, 10, []study.Case{base}, []float64{10}, "bandwidth=uniform(1,2)")
		f.Variants = []study.Variant{{Name: "a.cfg", Apply: changes}}
		p, err := f.Plan()
		differs("a fit", p, err)
		g, err := study.NewGrid([]study.Case{base},
			[]study.Axis{{Name: "machine", Names: true, Values: []study.Value{{Text: "a.cfg", Apply: changes}}}})
		if err != nil {
			t.Fatal(err)
		}
		p, err = g.Plan("sweep", study.Outputs[:1])
		differs("a sweep", p, err)
	}
	for _, text := range []string{"a", "b"} {
		m := definition(t, base, 20, "latency=uniform(1us,2us)")
		o := study.Outputs[0]
		o.Definition = text
		m.Outputs = []study.Output{o}
		p, err := m.Plan()
		differs("an output", p, err)
	}
	m := definition(t, base, 20, "latency=uniform(1us,2us)")
	p, err := m.Plan()
	differs("20 runs", p, err)
	m.Runs = 40
	if q, err := m.Plan(); err != nil || q.Key != p.Key {
		t.Errorf("more runs are another study (%v)", err)
	}
	m.Sampling = study.LatinSampling
	p, err = m.Plan()
	differs("a Latin sample", p, err)
	m.Runs = 41
	p, err = m.Plan()
	differs("a Latin sample of another size", p, err)
}

// Keys do not depend on how a program is kept in memory: stores that users have stay valid.
func TestKeyStays(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	p := &sim.Program{}
	p.AddPtask()
	first := p.AddTask(1)
	p.AddTask(1)
	world := p.AddCommunicator(0, 1, []int32{0, 1})
	th := &p.Threads[first]
	for range 1000 {
		switch rnd.IntN(6) {
		case 0:
			th.AddNop()
		case 1:
			th.AddIdle(true)
		case 2:
			th.AddCompute(float64(rnd.IntN(5)))
		case 3:
			th.AddEvent(rnd.Uint32N(300), rnd.Int64N(5)-2)
		case 4:
			th.AddMessage(sim.Send, sim.Message{Peer: 1, Size: rnd.Int64N(5)})
		case 5:
			th.AddCollective(sim.Collective, sim.CollectiveCall{Communicator: world, Sent: rnd.Int64N(3)})
		}
	}
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	// written when each record had its own row
	if got, want := study.Key("x", []*study.Case{{Program: p, Machine: sim.Ideal(2)}}),
		"486030b6acd7cbd43a9720a0bac180fa"; got != want {
		t.Errorf("the key is %s, not %s", got, want)
	}
}
