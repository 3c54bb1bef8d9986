//go:build unix

package prv_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pview/prv"
	"pview/prv/index"
	"pview/prv/synth"
)

// benchTrace returns a .prv to read: the one that PVIEW_BENCH_TRACE names, or a generated one of the given size, with
// 64 tasks and a mix of records as in the trace that Paraver was timed with (docs/performance.md).
func benchTrace(b *testing.B, bytes int64) (path string, size int64) {
	b.Helper()
	path = os.Getenv("PVIEW_BENCH_TRACE")
	if path == "" {
		g, err := synth.New(synth.Options{Tasks: 64, Nodes: 4, NoCounters: true, Bytes: bytes})
		if err != nil {
			b.Fatal(err)
		}
		path = filepath.Join(b.TempDir(), "bench.prv")
		f, err := os.Create(path)
		if err != nil {
			b.Fatal(err)
		}
		if err := g.Write(context.Background(), f); err != nil {
			b.Fatal(err)
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	return path, info.Size()
}

// processorTime returns the CPU time that the process has used.
func processorTime() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// speed times a loop that reads a text of the given bytes; it also reports CPU time, which depends less on the load.
func speed(b *testing.B, bytes int64, loop func() *prv.Trace) {
	b.SetBytes(bytes)
	before := processorTime()
	records := 0
	for b.Loop() {
		records = countRecords(loop())
	}
	used := processorTime() - before
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(records), "ns/record")
	b.ReportMetric(float64(bytes)/1e6*float64(b.N)/used.Seconds(), "MB/cpu-s")
}

func countRecords(t *prv.Trace) int {
	n := t.Comms.Len()
	for i := range t.Threads {
		n += t.Threads[i].States.Len() + t.Threads[i].Events.Len()
	}
	return n
}

// BenchmarkOpen reads a whole trace of 160 MB, and reports the peak memory of a process that does nothing else, as a
// multiple of the file's size.
func BenchmarkOpen(b *testing.B) {
	path, size := benchTrace(b, 160<<20)
	speed(b, size, func() *prv.Trace {
		t, err := prv.Open(context.Background(), path, prv.Options{})
		if err != nil {
			b.Fatal(err)
		}
		return t
	})
	b.ReportMetric(peakOf(b, path, "parse")/float64(size), "peak/file")
}

// BenchmarkOpenGzip reads the same trace compressed; its speed refers to the text.
func BenchmarkOpenGzip(b *testing.B) {
	path, size := benchTrace(b, 160<<20)
	t, err := prv.Open(context.Background(), path, prv.Options{})
	if err != nil {
		b.Fatal(err)
	}
	zipped := filepath.Join(b.TempDir(), "bench.prv.gz")
	if err := prv.Save(context.Background(), zipped, t); err != nil {
		b.Fatal(err)
	}
	speed(b, size, func() *prv.Trace {
		t, err := prv.Open(context.Background(), zipped, prv.Options{})
		if err != nil {
			b.Fatal(err)
		}
		return t
	})
}

// BenchmarkMakeIndex reads the trace into the files of its index and finishes the index.
func BenchmarkMakeIndex(b *testing.B) {
	path, size := benchTrace(b, 160<<20)
	b.Setenv("XDG_CACHE_HOME", b.TempDir())
	speed(b, size, func() *prv.Trace {
		b.StopTimer()
		if _, err := index.Clear(path); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		o := prv.Opener{Least: 1}
		t, err := o.Open(context.Background(), path, prv.Watcher{})
		if err != nil {
			b.Fatal(err)
		}
		o.Wait(context.Background())
		return t
	})
	last, err := index.Of(path)
	if err != nil || last == nil {
		b.Fatal("no index", err)
	}
	b.ReportMetric(float64(last.Bytes)/float64(size), "index/file")
	b.ReportMetric(float64(last.Bytes)/float64(last.States+last.Events+last.Communications), "bytes/record")
	if _, err := index.Clear(path); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(peakOf(b, path, "index")/float64(size), "peak/file")
}

// BenchmarkOpenIndex opens the trace from its index.
func BenchmarkOpenIndex(b *testing.B) {
	path, size := benchTrace(b, 160<<20)
	b.Setenv("XDG_CACHE_HOME", b.TempDir())
	o := prv.Opener{Least: 1}
	open := func() *prv.Trace {
		t, err := o.Open(context.Background(), path, prv.Watcher{})
		if err != nil {
			b.Fatal(err)
		}
		return t
	}
	open()
	o.Wait(context.Background())
	speed(b, size, open)
	b.ReportMetric(peakOf(b, path, "index")/float64(size), "peak/file")
}

// peakOf returns the peak memory of a process that opens a trace and does nothing else.
func peakOf(b *testing.B, path, how string) float64 {
	child := exec.Command(os.Args[0], "-test.run=^TestOpenAlone$")
	child.Env = append(os.Environ(), "PVIEW_BENCH_OPEN="+path, "PVIEW_BENCH_HOW="+how)
	out, err := child.CombinedOutput()
	if err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	_, kb, ok := strings.Cut(string(out), "VmHWM:")
	if !ok {
		return 0
	}
	peak, err := strconv.ParseInt(strings.TrimSpace(strings.SplitN(kb, "kB", 2)[0]), 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return float64(peak) * 1024
}

// TestOpenAlone is the process whose memory peakOf measures. It prints its own status: the system's figures for a
// finished process include its parent's.
func TestOpenAlone(t *testing.T) {
	path := os.Getenv("PVIEW_BENCH_OPEN")
	if path == "" {
		t.Skip("only as a process of the benchmarks")
	}
	o := prv.Opener{Least: 1, NoIndex: os.Getenv("PVIEW_BENCH_HOW") == "parse"}
	tr, err := o.Open(context.Background(), path, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	o.Wait(context.Background())
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		os.Stdout.Write(status)
	}
	if countRecords(tr) == 0 {
		t.Fatal("no records")
	}
}
