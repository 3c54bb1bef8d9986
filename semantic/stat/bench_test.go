package stat

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"pview/prv"
	"pview/prv/synth"
	"pview/semantic/series"
)

// benchTrace is a trace of 64 tasks whose .prv would be 150 MB.
var benchTrace = sync.OnceValue(func() *prv.Trace {
	g, err := synth.New(synth.Options{Tasks: 64, Nodes: 4, Bytes: 150 << 20})
	if err != nil {
		panic(err)
	}
	return must(g.Trace(context.Background()))
})

func records(t *prv.Trace) (n int) {
	for i := range t.Threads {
		n += t.Threads[i].States.Len() + t.Threads[i].Events.Len()
	}
	return n + t.Comms.Len()
}

// BenchmarkHistogram reports the records of the trace per second, for a histogram of
// all 64 rows over the whole trace: of the states; of a counter over the calls; in
// three dimensions; of communications.
func BenchmarkHistogram(b *testing.B) {
	t := benchTrace()
	calls := func(statistic string) Histogram {
		return Histogram{Control: thread("Last Evt Val", 50000001, 50000002, 50000003), Statistic: statistic,
			Columns: Scale{Max: 200, Delta: 1}}
	}
	for _, c := range []struct {
		name string
		h    Histogram
	}{
		{"states", states("Time")},
		{"counter", vary(calls("Average value"), func(h *Histogram) { h.Data = thread("Next Evt Val", 42000050) })},
		{"planes", vary(states("Time"), func(h *Histogram) {
			h.Third, h.Planes = calls("").Control,
				Scale{Max: 200, Delta: 1}
		})},
		{"communications", states("Bytes sent")},
	} {
		for _, workers := range []int{1, 2} {
			for _, cached := range []bool{false, true} {
				b.Run(fmt.Sprintf("%s/workers=%d/cached=%t", c.name, workers, cached), func(b *testing.B) {
					opt := Options{Workers: workers}
					if cached {
						opt.Cache = series.NewCache(1 << 30)
					}
					run := func() {
						if _, err := Compute(context.Background(), t, c.h, opt); err != nil {
							b.Fatal(err)
						}
					}
					run()
					for b.Loop() {
						run()
					}
					b.ReportMetric(float64(records(t))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrecords/s")
				})
			}
		}
	}
}
