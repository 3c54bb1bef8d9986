package engine_test

import (
	"context"
	"runtime"
	"testing"

	"pview/sim"
	"pview/sim/engine"
)

// stencil returns a halo exchange on a grid of tasks, as a tracer sees it: each call between two events.
func stencil(tb testing.TB, width, height, iterations int) *sim.Program {
	tb.Helper()
	p := &sim.Program{Name: "stencil"}
	p.AddPtask()
	var all []int32
	for range width * height {
		all = append(all, p.AddTask(1))
	}
	world := p.AddCommunicator(0, 1, all)
	for y := range height {
		for x := range width {
			t := &p.Threads[y*width+x]
			var peers []int32
			for _, d := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
				if nx, ny := x+d[0], y+d[1]; nx >= 0 && nx < width && ny >= 0 && ny < height {
					peers = append(peers, int32(ny*width+nx))
				}
			}
			call := func(value int64, op func()) {
				t.AddEvent(50000001, value)
				op()
				t.AddEvent(50000001, 0)
			}
			seed := uint64(y*width + x + 1)
			t.AddCompute(0)
			for i := range iterations {
				for k, kind := range []sim.Kind{sim.Irecv, sim.Isend, sim.Wait} {
					if kind == sim.Wait {
						seed = seed*6364136223846793005 + 1442695040888963407
						t.AddCompute(1e6 + float64(seed>>44))
					}
					for _, peer := range peers {
						call(int64(k+3), func() {
							t.AddMessage(kind, sim.Message{Peer: peer, Size: 20000, Tag: int64(i), Match: 1})
						})
					}
				}
				t.AddCompute(50000)
				if i%10 == 9 {
					t.AddEvent(50000002, 10)
					t.AddCollective(sim.Collective,
						sim.CollectiveCall{Communicator: world, Op: 11, Sent: 8, Received: 8})
					t.AddEvent(50000002, 0)
				}
			}
		}
	}
	if err := p.Link(); err != nil {
		tb.Fatal(err)
	}
	return p
}

// cluster returns a machine of one-CPU nodes with links and buses.
func cluster(nodes, buses int) *sim.Machine {
	m := sim.Ideal(nodes)
	m.Clusters[0].Bandwidth, m.Clusters[0].Buses, m.Clusters[0].Model = 250, buses, sim.ModelLogarithmic
	for i := range m.Nodes {
		m.Nodes[i].Latency = 8000
		m.Nodes[i].Links = sim.Links{In: 1, Out: 1}
	}
	return m
}

func benchmarkRun(b *testing.B, trace bool) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	p := stencil(b, 8, 8, 2000)
	runtime.GC()
	runtime.ReadMemStats(&after)
	m := cluster(64, 32)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		if _, err := engine.Run(context.Background(), p, m, sim.Options{Trace: trace}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(p.Records()), "B/record")
	b.ReportMetric(float64(p.Records())*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrecords/s")
}

// BenchmarkTotals: numbers only, as studies need them.
func BenchmarkTotals(b *testing.B) { benchmarkRun(b, false) }

// BenchmarkTrace: with the predicted trace.
func BenchmarkTrace(b *testing.B) { benchmarkRun(b, true) }
