package gpu

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pview/insight/report"
	"pview/prv"
	"pview/prv/extrae/device"
	"pview/prv/kineto"
	"pview/prv/prvtest"
)

// The answers of an independent script for every run of the kit, to the ns; and the same once the run is written as a
// .prv and opened again.
func TestFacts(t *testing.T) {
	kit := prvtest.Shared(t, "oracle", "kineto")
	list, _ := filepath.Glob(filepath.Join(kit, "facts", "*.tsv"))
	runs := 0
	for _, path := range list {
		name := strings.TrimSuffix(filepath.Base(path), ".tsv")
		var files []string
		for _, pattern := range []string{"cases/" + name + "/*.json*", "data/" + name + ".json.gz",
			"data/" + name + "/*.json.gz"} {
			found, _ := filepath.Glob(filepath.Join(kit, pattern))
			files = append(files, found...)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if name == "c07-truncated" || !strings.Contains(string(text), "\ngpu\t") || len(files) == 0 {
			continue
		}
		runs++
		t.Run(name, func(t *testing.T) {
			trace, err := kineto.OpenRun(context.Background(), files, false, prv.Watcher{})
			if err != nil {
				t.Fatal(err)
			}
			check(t, trace, string(text))
			if testing.Short() || trace.Comms.Len() > 5000 {
				return
			}
			out := filepath.Join(t.TempDir(), "run.prv")
			if err := prv.Save(context.Background(), out, trace); err != nil {
				t.Fatal(err)
			}
			if trace, err = prv.Open(context.Background(), out, prv.Options{}); err != nil {
				t.Fatal(err)
			}
			check(t, trace, string(text))
		})
	}
	if runs < 20 {
		t.Errorf("%d runs", runs)
	}
}

func check(t *testing.T, trace *prv.Trace, text string) {
	t.Helper()
	a, err := Analyze(context.Background(), trace)
	if err != nil {
		t.Fatal(err)
	}
	got := answers(trace, a)
	aligned := strings.Contains(text, "ended_before_last_start") // clocks are corrected: other facts are before that
	checked := 0
	for _, line := range strings.Split(text, "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			continue
		}
		key := f[0] + " " + f[1] + " " + f[2]
		if aligned && (f[0] != "aligned" && f[0] != "gpu" || f[2] == "first_ns") || !aligned && f[0] == "aligned" {
			continue
		}
		value, ok := got[key]
		if !ok {
			continue
		}
		if f[3] == "-" {
			f[3] = "0.0000"
		}
		if checked++; value != f[3] {
			t.Errorf("%s: %s, want %s", key, value, f[3])
		}
	}
	if checked < 9 {
		t.Errorf("%d facts", checked)
	}
}

// answers returns the facts that the analysis has, by name, rank and key.
func answers(t *prv.Trace, a *Analysis) map[string]string {
	got := map[string]string{}
	rank := func(task int32) string { return strings.TrimPrefix(t.Name(prv.LevelTask, int(task)), "rank ") }
	put := func(v int64, key string, args ...any) { got[fmt.Sprintf(key, args...)] = strconv.FormatInt(v, 10) }
	for i := range a.Devices {
		d := &a.Devices[i]
		for key, v := range map[string]int64{"span_ns": d.Span(), "busy_ns": d.Busy, "idle_ns": d.Idle(),
			"compute_ns":     d.Compute,
			"non_compute_ns": d.Busy - d.Compute, "comm_ns": d.Comm, "memory_ns": d.Memory,
			"exposed_comm_ns": d.ExposedComm, "exposed_memory_ns": d.ExposedMemory, "overlap_ns": d.Overlap,
			"ops": d.Operations, "first_ns": d.Begin} {
			put(v, "gpu %s %s", rank(d.Task), key)
		}
		if d.Comm > 0 {
			got[fmt.Sprintf("gpu %s overlap_pct", rank(d.Task))] = fmt.Sprintf("%.4f", 100*float64(d.Overlap)/float64(d.Comm))
		}
		if sum := d.Compute + d.ExposedComm + d.ExposedMemory + d.Idle(); sum != d.Span() {
			got["gpu sum"] = fmt.Sprint(sum)
		}
	}
	for i := range a.Streams {
		s := &a.Streams[i]
		at := fmt.Sprintf("%s %d/%d", rank(s.Task), s.Device, s.Number)
		put(s.HostWait, "idle %s:host_wait_ns", at)
		put(s.KernelWait, "idle %s:kernel_wait_ns", at)
		put(s.Other, "idle %s:other_ns", at)
		put(s.Busy, "stream %s:busy_ns", at)
		put(s.Operations, "stream %s:ops", at)
		put(int64(s.LongestQueue), "queue %s:max", at)
	}
	time, wait := int64(0), int64(0)
	for i := range a.Collectives {
		time, wait = time+a.Collectives[i].Time, wait+a.Collectives[i].Wait
	}
	put(time, "collectives - time_ns")
	put(wait, "collectives - wait_ns")
	put(wait, "aligned - wait_ns")
	for i, v := range a.Charged {
		put(v, "straggler %s wait_caused_ns", rank(int32(i)))
		put(v, "aligned %s wait_caused_ns", rank(int32(i)))
	}
	if e, ok := a.Efficiency(); ok {
		put(a.Elapsed, "factor - runtime_ns")
		for key, v := range map[string]float64{"device_parallel_efficiency": e.Parallel, "device_load_balance": e.LoadBalance,
			"device_communication_efficiency": e.Communication, "device_orchestration_efficiency": e.Orchestration} {
			got["factor - "+key] = fmt.Sprintf("%.6f", v)
		}
	}
	return got
}

// A trace without streams has no answer.
func TestNoDevice(t *testing.T) {
	b := prv.NewBuilder(func() prv.Header {
		h := prv.Header{Unit: prv.Nanoseconds, End: 10}
		h.AddPtask()
		h.AddTask(1, -1)
		return h
	}())
	trace, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Analyze(context.Background(), trace); err != ErrNoDevice {
		t.Error(err)
	}
}

// Bus bandwidths of 1,000,000 bytes a member, in 10 us, of 4 members. All-reduce: 1e6 x 2 x 3/4 / 10,000 ns = 150 GB/s;
// all-gather has four times the bytes, of which 3/4: 300; reduce-scatter and all-to-all 3/4: 75; broadcast 100. The
// unit of the trace may be longer: the same in 10 us of microseconds.
func TestBusBandwidth(t *testing.T) {
	for operation, want := range map[int64]float64{device.AllReduce: 150, device.AllGather: 300,
		device.ReduceScatter: 75, device.AllToAll: 75, device.Broadcast: 100} {
		c := Collective{Operation: operation, Members: 4, Bytes: 1_000_000, Transfer: 10_000}
		if got, ok := c.busBandwidth(1); !ok || got != want {
			t.Errorf("operation %d: %v, %v, want %v", operation, got, ok, want)
		}
		c.Transfer = 10
		if got, ok := c.busBandwidth(1000); !ok || got != want {
			t.Errorf("operation %d in microseconds: %v, %v, want %v", operation, got, ok, want)
		}
	}
	for _, c := range []Collective{{Bytes: 64<<10 - 1, Transfer: 1}, {Bytes: 64 << 10, Transfer: 0}} {
		if got, ok := c.busBandwidth(1); ok {
			t.Errorf("%+v has %v", c, got)
		}
	}
}

// Two ranks: in all gemm_backward takes 4,000 us on rank 1 and 3,000 us on rank 0, everything else takes equally long.
// Their steps end together.
func TestSurpluses(t *testing.T) {
	files, _ := filepath.Glob("../../testdata/traces/ranks_2/*.json.gz")
	trace, err := kineto.OpenRun(context.Background(), files, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := Analyze(context.Background(), trace)
	if err != nil {
		t.Fatal(err)
	}
	list := a.Kernels(trace).Surpluses(1)
	want := Surplus{Name: "gemm_backward", Own: Work{4e6, 3}, Other: Work{3e6, 3}}
	if len(list) != 3 || list[0] != want || list[1].More() != 0 || list[2].More() != 0 {
		t.Errorf("%+v", list)
	}
	if list := a.Kernels(trace).Surpluses(0); list[2].More() != -1e6 {
		t.Errorf("rank 0: %+v", list)
	}
	steps := a.stepTable(trace, func(s string) report.Column { return report.Column{Title: s} })
	if got := steps.Rows[0][5]; got != "all" {
		t.Errorf("the longest step of two equal ones is on %v", got)
	}
}
