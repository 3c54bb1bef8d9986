//go:build unix

package study_test

import (
	"context"
	"syscall"
	"testing"
	"time"

	"pview/prv/parallel"
	"pview/sim"
	"pview/sim/study"
)

// cpuTime returns the CPU time that the process has used.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkStudy compares the runs of a study with single calls of engine.Run on as many goroutines, of programs of
// 4096 and of a million records.
func BenchmarkStudy(b *testing.B) {
	for _, size := range []struct {
		name       string
		records, n int
	}{{"4k", 4096, 200}, {"1M", 1 << 20, 8}} {
		base := study.Case{Program: exchange(b, 16, size.records/16)}
		base.Machine = sim.IdealFor(base.Program)
		m := definition(b, base, size.n, "latency=uniform(1us,30us)", "bandwidth=uniform(10,1000)")
		p, err := m.Plan()
		if err != nil {
			b.Fatal(err)
		}
		// rate reports records per CPU time, which other load of the machine does not change, and the cores that were
		// busy.
		rate := func(b *testing.B, before time.Duration) {
			used := cpuTime(b) - before
			records := float64(size.n) * float64(base.Program.Records()) * float64(b.N)
			b.ReportMetric(records/used.Seconds()/1e6, "Mrecords/cpu-s")
			b.ReportMetric(used.Seconds()/b.Elapsed().Seconds(), "cores")
		}
		b.Run(size.name+"/single", func(b *testing.B) {
			before := cpuTime(b)
			for b.Loop() {
				err := parallel.For(context.Background(), size.n, func(i int) error {
					d, err := p.Design.At(i)
					if err != nil {
						return err
					}
					_, err = p.Case(&study.Row{Index: i, Inputs: d.Inputs}).Run(context.Background(), sim.Options{})
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			rate(b, before)
		})
		b.Run(size.name+"/study", func(b *testing.B) {
			before := cpuTime(b)
			for b.Loop() {
				if t, err := study.NewRunner(p, study.RunOptions{}).Run(context.Background()); err != nil ||
					len(t.Done()) != size.n {
					b.Fatal(err)
				}
			}
			rate(b, before)
		})
	}
}
