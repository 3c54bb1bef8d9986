package prv_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/synth"
)

// benchTrace returns a .prv to read: that which PVIEW_BENCH_TRACE names, or one of
// the given size, 64 tasks, counters and callers, made for the purpose.
func benchTrace(b *testing.B, bytes int64) string {
	b.Helper()
	if path := os.Getenv("PVIEW_BENCH_TRACE"); path != "" {
		return path
	}
	g, err := synth.New(synth.Options{Tasks: 64, Nodes: 4, Callers: 2, Bytes: bytes})
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "bench.prv")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	if err := g.Write(context.Background(), w); err != nil {
		b.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkOpen reads a trace of 160 MB whole, and reports the peak memory of a
// process that does nothing else as a multiple of the file's size.
func BenchmarkOpen(b *testing.B) {
	path := benchTrace(b, 160<<20)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	records := 0
	for b.Loop() {
		tr, err := prv.Open(context.Background(), path, prv.Options{})
		if err != nil {
			b.Fatal(err)
		}
		records = tr.Comms.Len()
		for i := range tr.Threads {
			records += tr.Threads[i].States.Len() + tr.Threads[i].Events.Len()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(records), "ns/record")
	child := exec.Command(os.Args[0], "-test.run=^TestOpenAlone$")
	child.Env = append(os.Environ(), "PVIEW_BENCH_OPEN="+path)
	out, err := child.CombinedOutput()
	if err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	if _, kb, ok := strings.Cut(string(out), "VmHWM:"); ok {
		peak, err := strconv.ParseInt(strings.TrimSpace(strings.SplitN(kb, "kB", 2)[0]), 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(peak)*1024/float64(info.Size()), "peak/file")
	}
}

// TestOpenAlone is the process whose memory BenchmarkOpen measures. It tells its
// status: what the system accounts to a finished process counts its parent's, too.
func TestOpenAlone(t *testing.T) {
	path := os.Getenv("PVIEW_BENCH_OPEN")
	if path == "" {
		t.Skip("only as a process of BenchmarkOpen")
	}
	if _, err := prv.Open(context.Background(), path, prv.Options{}); err != nil {
		t.Fatal(err)
	}
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		os.Stdout.Write(status)
	}
}
