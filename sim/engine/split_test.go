package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pview/sim"
	"pview/sim/engine"
	"pview/sim/parameter"
)

const splitMS = 1_000_000

// loops returns a program of tasks that compute 1 ms, 8 ms in a block (40:7) and 1 ms, some times.
func loops(t *testing.T, tasks, times int) *sim.Program {
	t.Helper()
	p := &sim.Program{}
	p.AddPtask()
	for i := range tasks {
		p.AddTask(1)
		th := &p.Threads[i]
		for range times {
			th.AddCompute(1 * splitMS)
			th.AddEvent(40, 7)
			th.AddCompute(8 * splitMS)
			th.AddEvent(40, 0)
			th.AddCompute(1 * splitMS)
		}
	}
	link(t, p)
	return p
}

// onNode returns a machine of one node that runs all tasks, with the block 40:7 split: a fork takes 0.1 ms, a join 0.2
// ms.
func onNode(t *testing.T, p *sim.Program, cpus int, split string) *sim.Machine {
	t.Helper()
	m := sim.Ideal(1)
	m.Nodes[0].CPUs, m.Mapping[0].Tasks = cpus, len(p.Tasks)
	if err := parameter.TextByName("split").Set(m, split); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSplit: a block of 8 ms on 4 threads takes 0.1 + 8/4 + 0.2 = 2.3 ms.
func TestSplit(t *testing.T) {
	const four = "40:7=4,0.1ms,0.2ms"
	for _, c := range []struct {
		name               string
		tasks, times, cpus int
		split, policy      string
		speed              float64 // of the block
		want               float64 // ms
		narrow             bool
	}{
		{"as measured", 1, 1, 4, "40:7=1", "", 1, 10, false},
		{"4 threads, 4 CPUs: 1 + 2.3 + 1", 1, 1, 4, four, "", 1, 4.3, false},
		{"three times", 1, 3, 4, four, "", 1, 12.9, false},
		{"2 CPUs: 1 + 0.1 + 8/2 + 0.2 + 1", 1, 1, 2, four, "", 1, 6.3, true},
		{"1 CPU: 1 + 0.1 + 8 + 0.2 + 1", 1, 1, 1, four, "", 1, 10.3, true},
		{"two tasks have two of four CPUs each", 2, 1, 4, four, "", 1, 6.3, true},
		{"two tasks have one and a half of three: 1 + 0.1 + 8/1.5 + 0.2 + 1", 2, 1, 3, four, "", 1, 2.3 + 8/1.5, true},
		{"8 CPUs do not help 4 threads", 1, 1, 8, four, "", 1, 4.3, false},
		{"no cost: 1 + 2 + 1", 1, 1, 4, "40:7=4", "", 1, 4, false},
		{"twice as fast, too: 1 + 0.1 + 8/2/4 + 0.2 + 1", 1, 1, 4, four, "", 2, 3.3, false},
		{"infinitely fast: 1 + 0.1 + 0.2 + 1", 1, 1, 4, four, "", 0, 2.3, false},
		{"shared CPUs", 2, 1, 8, four, "SHARED", 1, 4.3, false},
		{"time slices", 1, 1, 4, four, "RR", 1, 4.3, false},
	} {
		p := loops(t, c.tasks, c.times)
		m := onNode(t, p, c.cpus, c.split)
		m.SetBlockSpeed(40, 7, c.speed)
		if c.policy != "" {
			m.Scheduler.Policy, m.Scheduler.Quantum = c.policy, 1*splitMS
		}
		for _, rules := range []sim.Rules{{}, thesis(t)} {
			for _, trace := range []bool{false, true} {
				r, err := engine.Run(context.Background(), p, m, sim.Options{Rules: rules, Trace: trace})
				if err != nil {
					t.Fatal(err)
				}
				if got := float64(r.Total) / splitMS; got-c.want > 1e-6 || c.want-got > 1e-6 {
					t.Errorf("%s: %g ms, not %g", c.name, got, c.want)
				}
			}
		}
		if got := m.Narrow(p) != ""; got != c.narrow {
			t.Errorf("%s: told of too few CPUs: %v", c.name, got)
		}
	}
}

// TestSplitTrace: fork and join are within the block, which lasts from 1 to 3.3 ms; all of it is computation.
func TestSplitTrace(t *testing.T) {
	p := loops(t, 1, 1)
	r, err := engine.Run(context.Background(), p, onNode(t, p, 4, "40:7=4,100us,200us"), sim.Options{Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	ev, st := &r.Trace.Threads[0].Events, &r.Trace.Threads[0].States
	if !slices.Equal(ev.Time, []int64{1_000_000, 3_300_000}) || !slices.Equal(ev.Value.All(), []int64{7, 0}) {
		t.Errorf("events at %v: %v", ev.Time, ev.Value)
	}
	for i, v := range st.Value {
		if v != uint32(sim.StateRunning) {
			t.Errorf("state %d from %d to %d", v, st.Begin[i], st.End[i])
		}
	}
	if r.Computation != 4.3*splitMS {
		t.Errorf("%g ns of computation", r.Computation)
	}
}

// TestSplitLines: events of one instant have times of their own where fork and join pass between them: 50:1 after the
// fork of 40:7, and 40:0 after the join. A block that begins at the end of the program has a fork only.
func TestSplitLines(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	p.AddTask(1)
	th := &p.Threads[0]
	th.AddCompute(1 * splitMS)
	for _, e := range [][2]int64{{40, 7}, {50, 1}} {
		th.AddEvent(uint32(e[0]), e[1])
	}
	th.AddCompute(8 * splitMS)
	for _, e := range [][2]int64{{50, 0}, {40, 0}, {51, 3}, {40, 7}} {
		th.AddEvent(uint32(e[0]), e[1])
	}
	link(t, p)
	for _, memory := range []int64{0, 1} {
		r, err := engine.Run(context.Background(), p, onNode(t, p, 4, "40:7=4,100us,200us"),
			sim.Options{Trace: true, Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		ev := &r.Trace.Threads[0].Events
		if !slices.Equal(ev.Time, []int64{1_000_000, 1_100_000, 3_100_000, 3_300_000, 3_300_000, 3_300_000}) ||
			r.Total != 3_400_000 {
			t.Errorf("events at %v, %d ns", ev.Time, r.Total)
		}
		var lines []int
		for i := range ev.Len() {
			if ev.Lines.Has(i) {
				lines = append(lines, i)
			}
		}
		if !slices.Equal(lines, []int{0, 1, 2, 3}) {
			t.Errorf("lines begin at events %v", lines)
		}
	}
}

// TestSplitCalls: a block of 4 and 4 ms with a message between them is split once, 0.1 + 4/4 + 4/4 + 0.2; a block in it
// that is not split by itself is split with it, one that is, by its own number: 0.1 + (0.1 + 4/2 + 0.2) + 4/4 + 0.2
// where blocks nest.
func TestSplitCalls(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	p.AddTask(1)
	p.AddTask(1)
	th := &p.Threads[0]
	th.AddEvent(40, 7)
	th.AddEvent(41, 9)
	th.AddCompute(4 * splitMS)
	th.AddEvent(41, 0)
	th.AddMessage(sim.Isend, sim.Message{Peer: 1})
	th.AddCompute(4 * splitMS)
	th.AddEvent(40, 0)
	p.Threads[1].AddCompute(0)
	p.Threads[1].AddMessage(sim.Recv, sim.Message{Peer: 0})
	link(t, p)
	m := sim.Ideal(2)
	m.Nodes[0].CPUs = 4
	for _, c := range []struct {
		split      string
		ends, sent float64
	}{{"40:7=4,0.1ms,0.2ms", 2.3, 1.1}, {"40:7=4,0.1ms,0.2ms; 41:9=2,0.1ms,0.2ms", 3.6, 2.4}} {
		if err := parameter.TextByName("split").Set(m, c.split); err != nil {
			t.Fatal(err)
		}
		r := runBy(t, thesis(t), p, m)
		if got, sent := float64(r.Tasks[0].End)/splitMS, float64(r.Tasks[1].End)/splitMS; got != c.ends ||
			sent != c.sent {
			t.Errorf("%s: ends at %g, not %g; the message at %g, not %g", c.split, got, c.ends, sent, c.sent)
		}
	}
}

// Splits are written in the notation in which they are read; errors are reported.
func TestSplitText(t *testing.T) {
	x, m := parameter.TextByName("split"), sim.Ideal(1)
	for _, c := range []struct{ text, want string }{{"60000019:3=4", "60000019:3=4"},
		{"60000019:3=4,10us; 60000019:5=2,0,1ms", "60000019:3=4,10us;60000019:5=2,0s,1ms"},
		{"60000019:3=1", "60000019:5=2,0s,1ms"}, {"60000019:5=1", ""}} {
		if err := x.Set(m, c.text); err != nil || strings.ReplaceAll(x.Get(m), " ", "") != strings.ReplaceAll(c.want,
			" ", "") {
			t.Errorf("%s: %q, not %q (%v)", c.text, x.Get(m), c.want, err)
		}
		again := sim.Ideal(1)
		if err := x.Set(again, x.Get(m)); err != nil || x.Get(again) != x.Get(m) {
			t.Errorf("%q is read as %q (%v)", x.Get(m), x.Get(again), err)
		}
	}
	if m.Modules != nil {
		t.Errorf("%+v is left", m.Modules)
	}
	for _, bad := range []string{"7=4", "0:3=4", "40:0=4", "40:7", "40:7=x", "40:7=0", "40:7=-2", "40:7=70000",
		"40:7=4,soon", "40:7=4,1us,1us,1us", "40:7=4,-1us"} {
		if x.Set(m, bad) == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}
