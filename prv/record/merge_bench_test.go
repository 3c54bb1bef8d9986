package record

import (
	"context"
	"runtime"
	"syscall"
	"testing"
	"time"

	"pview/prv"
)

// BenchmarkMerge reads the records of 8 ranks with 50,000 calls each, alternately with one worker and with two. It
// reports events and states per second of processor time, and the speedup of two workers: the ratio of the shortest
// times.
func BenchmarkMerge(b *testing.B) {
	const ranks, calls = 8, 50000
	dir, g := b.TempDir(), growingRun{}
	g.start(b, dir, ranks, ranks)
	g.grow(calls)
	for _, w := range g.ranks {
		w.ends()
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	processorTime := func() time.Duration {
		var r syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &r)
		return time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	var least [3]time.Duration // by workers
	var records int
	begun := processorTime()
	for b.Loop() {
		for workers := 1; workers <= 2; workers++ {
			runtime.GOMAXPROCS(workers)
			begin := time.Now()
			t, err := Open(context.Background(), dir, false, 0, prv.Watcher{})
			if err != nil {
				b.Fatal(err)
			}
			if took := time.Since(begin); least[workers] == 0 || took < least[workers] {
				least[workers] = took
			}
			for i := range t.Threads {
				records += t.Threads[i].States.Len() + t.Threads[i].Events.Len()
			}
		}
	}
	b.ReportMetric(float64(records)/1e6/(processorTime()-begun).Seconds(), "M-records/cpu-s")
	b.ReportMetric(float64(least[1].Microseconds())/1000, "ms/1-worker")
	b.ReportMetric(float64(least[1])/float64(least[2]), "faster")
}
