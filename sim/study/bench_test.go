package study_test

import (
	"context"
	"runtime"
	"testing"

	"pview/sim"
	"pview/sim/study"
)

// exchange returns a program of some tasks whose threads have about n records each: computation, and a message around a
// ring.
func exchange(t testing.TB, tasks, n int) *sim.Program {
	p := &sim.Program{Name: "exchange"}
	p.AddPtask()
	for range tasks {
		p.AddTask(1)
	}
	for i := range tasks {
		th := &p.Threads[i]
		for k := range n / 3 {
			th.AddCompute(1e5)
			th.AddMessage(sim.Send, sim.Message{Peer: int32((i + 1) % tasks), Size: 1 << 12, Tag: int64(k % 8)})
			th.AddMessage(sim.Recv, sim.Message{Peer: int32((i + tasks - 1) % tasks), Size: 1 << 12, Tag: int64(k % 8)})
		}
	}
	return link(t, p)
}

// TestFlatMemory: 10,000 runs of 64 tasks within 200 MB. What a study keeps of a run is its row: here 2 inputs and 2
// outputs, some 200 bytes.
func TestFlatMemory(t *testing.T) {
	base := study.Case{Program: exchange(t, 64, 6)}
	base.Machine = sim.IdealFor(base.Program)
	runs := 10_000
	if testing.Short() || watched {
		runs = 1000
	}
	m := definition(t, base, runs, "latency=uniform(1us,30us)", "bandwidth=uniform(10,1000)")
	m.Outputs = study.Outputs[:2]
	few := *m
	few.Runs = 4 * runtime.GOMAXPROCS(0)
	carry(t, &few, study.RunOptions{}) // what the workers keep, however many there are, is there before
	var before, after runtime.MemStats
	collect := func(s *runtime.MemStats) {
		runtime.GC()
		runtime.GC() // what is in pools goes with the second one
		runtime.ReadMemStats(s)
	}
	collect(&before)
	table := carry(t, m, study.RunOptions{})
	collect(&after)
	if len(table.Done()) != runs {
		t.Fatal(len(table.Rows))
	}
	if each := float64(int64(after.HeapAlloc)-int64(before.HeapAlloc)) / float64(runs); each > 500 {
		t.Errorf("%.0f bytes per run are kept", each)
	}
	if after.Sys > 200<<20 {
		t.Errorf("%d MB in all", after.Sys>>20)
	}
	runtime.KeepAlive(table)
}

// TestP20: the run with the greatest total, simulated again as a trace, has exactly that total.
func TestP20(t *testing.T) {
	m := definition(t, modelR(t), 50, "latency=uniform(10us,30us)")
	p, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	table, err := study.NewRunner(p, study.RunOptions{}).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	worst := &table.Rows[table.Summarise("total").Worst]
	r, err := p.Case(worst).Run(context.Background(), sim.Options{Trace: true})
	if err != nil || float64(r.Total) != worst.Outputs[0] || float64(r.Trace.Duration) != worst.Outputs[0] {
		t.Errorf("%d, a trace of %d ns, not %g (%v)", r.Total, r.Trace.Duration, worst.Outputs[0], err)
	}
}
