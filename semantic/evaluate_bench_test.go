package semantic

import (
	"context"
	"sync"
	"testing"

	"pview/filter"
	"pview/prv"
	"pview/prv/synth"
	"pview/semantic/series"
)

// benchTrace is a trace of about 40 MB of text: 64 threads, 4 nodes.
var benchTrace = sync.OnceValue(func() *prv.Trace {
	g, err := synth.New(synth.Options{Tasks: 32, Threads: 2, Nodes: 4, Bytes: 40 << 20})
	if err != nil {
		panic(err)
	}
	t, err := g.Trace(context.Background())
	if err != nil {
		panic(err)
	}
	return t
})

// BenchmarkEvaluate evaluates all rows of windows and reports the cost per record that the thread function reads.
func BenchmarkEvaluate(b *testing.B) {
	t := benchTrace()
	states, events := 0, 0
	for i := range t.Threads {
		states += t.Threads[i].States.Len()
		events += t.Threads[i].Events.Len()
	}
	counter := filter.Only(42000050)
	useful, values := at(prv.LevelThread, "Useful"), at(prv.LevelThread, "Next Evt Val")
	values.Filter = counter
	derived := at(prv.LevelThread, "")
	derived.Derived = &Derived{Op: Call{Name: "product"}, A: Parent{Window: &useful, Factor: 1},
		B: Parent{Window: &values, Factor: 1}}
	for _, c := range []struct {
		name    string
		w       Window
		records int
	}{
		{"thread, State As Is", at(prv.LevelThread, "State As Is"), states},
		{"thread, Last Evt Val of all types", at(prv.LevelThread, "Last Evt Val"), events},
		{"thread, Last Evt Val of one type",
			with(at(prv.LevelThread, "Last Evt Val"), func(w *Window) { w.Filter = counter }), events},
		{"thread, useful times counter", derived, states + events},
		{"thread, Send Bytes in Transit", at(prv.LevelThread, "Send Bytes in Transit"), t.Comms.Len()},
		{"task, Useful, Adding", at(prv.LevelTask, "Useful"), states},
		{"workload, Useful, Adding", at(prv.LevelWorkload, "Useful"), states},
		{"workload, State As Is, Mode", with(at(prv.LevelWorkload, "State As Is"), folding("Mode")), states},
		{"cpu, State As Is", at(prv.LevelCPU, "State As Is"), states},
		{"system, Useful", at(prv.LevelSystem, "Useful"), states},
	} {
		b.Run(c.name, func(b *testing.B) {
			e, err := Compile(t, &c.w)
			if err != nil {
				b.Fatal(err)
			}
			rows := make([]int, e.Rows())
			for i := range rows {
				rows[i] = i
			}
			bursts := 0
			var mu sync.Mutex
			for b.Loop() {
				bursts = 0
				e.All(context.Background(), rows, 0, func(_ int, s *series.Series) {
					mu.Lock()
					bursts += s.Len()
					mu.Unlock()
				})
			}
			b.ReportMetric(float64(c.records)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrecords/s")
			b.ReportMetric(float64(bursts), "bursts")
		})
	}
}
