package account

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"pview/insight/eventgraph"
	"pview/insight/gpu"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/kineto"
	"pview/prv/prvtest"
	"pview/prv/wide"
)

// Two ranks of the kit, us: rank 0 computes 100 and is in the collective for 60, of which it waits 40 for rank 1, which
// computes 140 and transfers for 20. Nothing is idle: 2 x 160 = 240 + 40 + 40. Rank 1's kernel is why rank 0 waits.
func TestDevices(t *testing.T) {
	trace, a, host := ofRun(t, "cases/c01-two-ranks")
	us := func(kind Kind) int64 { return a.Of(kind).Int64() / 1000 }
	if a.Threads != 2 || a.Window() != 160_000 || us(Computing) != 240 || us(Wait) != 40 || us(Transfer) != 40 {
		t.Errorf("%d devices, %d ns: computing %d, wait %d, transfer %d", a.Threads, a.Window(), us(Computing), us(Wait),
			us(Transfer))
	}
	if a.Efficiency() != 0.75 {
		t.Errorf("efficiency %v", a.Efficiency())
	}
	cause := ""
	for _, e := range a.Entries {
		if e.Kind == Wait {
			cause = e.Of
		}
	}
	if !strings.HasPrefix(cause, "cause=") || !strings.HasSuffix(cause, "@rank 1 CUDA-D1") {
		t.Errorf("cause %q", cause)
	}
	if host.Threads != trace.NumThreads()-len(streams(t, trace)) {
		t.Errorf("%d host threads of %d", host.Threads, trace.NumThreads())
	}
}

func streams(t *testing.T, trace *prv.Trace) []gpu.Stream {
	t.Helper()
	analysis, err := gpu.Analyze(context.Background(), trace)
	if err != nil {
		t.Fatal(err)
	}
	return analysis.Streams
}

func ofRun(t *testing.T, name string) (trace *prv.Trace, a, host *Account) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(prvtest.Shared(t, "oracle", "kineto"), name, "*.json*"))
	ctx := context.Background()
	trace, err := kineto.OpenRun(ctx, files, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	analysis, err := gpu.Analyze(ctx, trace)
	if err != nil {
		t.Fatal(err)
	}
	if a, err = OfDevices(trace, analysis); err != nil {
		t.Fatal(err)
	}
	g, err := eventgraph.NewGraph(ctx, trace, waits.Options{}, eventgraph.Given{})
	if err != nil {
		t.Fatal(err)
	}
	if host, err = Hosts(ctx, g); err != nil {
		t.Fatal(err)
	}
	return trace, a, host
}

// The entries sum to the whole, by entry and by device; the device's own figures are those of package gpu.
func TestDevicesSum(t *testing.T) {
	list, _ := filepath.Glob(filepath.Join(prvtest.Shared(t, "oracle", "kineto"), "cases", "c*"))
	list = append(list, "data/dlrm-8")
	checked := 0
	for _, dir := range list {
		name := filepath.Join(filepath.Base(filepath.Dir(dir)), filepath.Base(dir))
		if strings.Contains(name, "c05") || strings.Contains(name, "c07") || strings.Contains(name, "c09") {
			continue // no work of devices, or two files of one rank
		}
		checked++
		trace, a, host := ofRun(t, name)
		for _, of := range []*Account{a, host} {
			sum := wide.Int{}
			for _, e := range of.Entries {
				if sum = sum.Plus(e.NS); e.NS.Int64() <= 0 {
					t.Errorf("%s: entry %v", name, e)
				}
			}
			if sum != of.Whole() {
				t.Errorf("%s: entries of %q sum to %v, not %v", name, of.Title, sum, of.Whole())
			}
		}
		analysis, err := gpu.Analyze(context.Background(), trace)
		if err != nil {
			t.Fatal(err)
		}
		for i := range analysis.Devices {
			d, s := &analysis.Devices[i], &a.ByThread[i]
			if s[Computing] != d.Compute || s[Wait]+s[Transfer] != d.ExposedComm || s[Memory] != d.ExposedMemory ||
				s[HostWait]+s[Launch]+s[Idle] != d.Idle() || s[Outside] != analysis.Elapsed-d.Span() {
				t.Errorf("%s: device %d: %v, not %+v", name, i, s, d)
			}
		}
		if e, ok := analysis.Efficiency(); ok && e.Parallel != a.Efficiency() {
			t.Errorf("%s: efficiency %v and %v", name, e.Parallel, a.Efficiency())
		}
	}
	if checked < 12 {
		t.Errorf("%d runs", checked)
	}
}
