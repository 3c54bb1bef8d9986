package engine_test

import (
	"context"
	"fmt"
	"log"

	"pview/sim"
	"pview/sim/engine"
	"pview/sim/parameter"
)

// Two tasks: the first computes 10 us and sends a megabyte, the second waits for it and computes 15 us. Without a
// network that takes time the second ends at 25 us; with 25 us of latency and 100 MB/s, at 10 + 25 us + 10 ms + 15 us.
func Example() {
	p := &sim.Program{}
	p.AddPtask()
	sender, receiver := p.AddTask(1), p.AddTask(1)
	a, b := &p.Threads[sender], &p.Threads[receiver]
	a.AddCompute(10_000)
	a.AddMessage(sim.Send, sim.Message{Peer: receiver, Size: 1 << 20})
	b.AddCompute(0)
	b.AddMessage(sim.Recv, sim.Message{Peer: sender})
	b.AddCompute(15_000)
	if err := p.Link(); err != nil {
		log.Fatal(err)
	}
	m := sim.IdealFor(p)
	ideal, err := engine.Run(context.Background(), p, m, sim.Options{})
	if err != nil {
		log.Fatal(err)
	}
	parameter.ByName("latency").Set(m, 25_000) // ns
	parameter.ByName("bandwidth").Set(m, 100)  // MB/s
	r, err := engine.Run(context.Background(), p, m, sim.Options{Trace: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ideal.Total, "ns, then", r.Total, "ns;", r.Messages, "message")
	fmt.Printf("%.2f %% of the threads' time is computation\n", 100*r.Utilisation(len(p.Threads)))
	fmt.Println("the prediction is a trace of", r.Trace.NumThreads(), "threads")
	// Output:
	// 25000 ns, then 10050000 ns; 1 message
	// 0.12 % of the threads' time is computation
	// the prediction is a trace of 2 threads
}
