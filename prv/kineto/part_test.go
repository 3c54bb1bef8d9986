package kineto

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/prv"
)

// longRun writes the files of a run of 4 MB: calls, kernels and collectives. Rank 1 begins first, which shifts the
// times of parts without it; the clock of rank 2 is 7 ms ahead. Each rank has its own function, which shifts the
// numbers of names.
func longRun(t *testing.T, ranks int) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	for r := range ranks {
		var b strings.Builder
		fmt.Fprintf(&b, `{"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": %d, "world_size": %d},`+
			`"traceEvents": [`, r, ranks)
		event := func(category, name string, pid, tid int, at, length float64, args string) {
			fmt.Fprintf(&b, `{"ph": "X", "cat": %q, "name": %q, "pid": %d, "tid": %d, "ts": %.3f, "dur": %.3f, `+
				`"args": {%s}},`+"\n", category, name, pid, tid, at, length, args)
		}
		begin := map[int]float64{1: 100}[r]
		event("cpu_op", fmt.Sprint("load ", (5*r+2)%7), 10+r, 10+r, 900-begin, 5, "")
		for i, at := 0, 1000.0; int64(b.Len()) < leastInParts/int64(ranks)+4096; i++ {
			skew := map[int]float64{2: 7000}[r]
			event("cpu_op", "aten::linear", 10+r, 10+r, skew+at, 40, `"Input Dims": [[64, 1024], [1024, 1024]]`)
			event("cuda_runtime", "cudaLaunchKernel", 10+r, 10+r, skew+at+5, 4, fmt.Sprintf(`"correlation": %d`, 2*i+1))
			event("kernel", "gemm", r, 7, skew+at+20, 30, fmt.Sprintf(`"device": %d, "stream": 7, "correlation": %d`, r,
				2*i+1))
			event("cuda_runtime", "cudaLaunchKernel", 10+r, 10+r, skew+at+45, 4,
				fmt.Sprintf(`"correlation": %d`, 2*i+2))
			event("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", r, 20, skew+at+60-float64(r), 30+float64(r),
				fmt.Sprintf(`"device": %d, "stream": 20, "correlation": %d, "Collective name": "allreduce", `+
					`"Process Group Name": "0", "Process Group Ranks": "[0, 1, 2, 3]"`, r, 2*i+2))
			at += 100 + float64(i%7)
		}
		b.WriteString("{}]}")
		path := filepath.Join(dir, fmt.Sprintf("trace-%c.json", 'd'-r)) // names do not show ranks
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	slices.Reverse(paths)
	return paths
}

// A part of a run has each rank that is read as the run has it, but for the origin of time and the numbers of names,
// and an empty row for each other rank. The run is the same with and without parts.
func TestParts(t *testing.T) {
	paths := longRun(t, 4)
	var parts []*prv.Part
	whole, err := OpenRun(context.Background(), paths, false, prv.Watcher{
		Part: func(p *prv.Part) { parts = append(parts, p) }})
	if err != nil {
		t.Fatal(err)
	}
	without, err := OpenRun(context.Background(), paths, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	if err := prv.Equal(without, whole); err != nil {
		t.Errorf("with parts: %v", err)
	}
	if len(parts) == 0 {
		t.Fatal("no part")
	}
	for _, p := range parts {
		checkPart(t, p, whole)
	}
}

func checkPart(t *testing.T, p *prv.Part, whole *prv.Trace) {
	t.Helper()
	read := 0
	for i := range whole.Tasks {
		part, all := p.Trace.Tasks[i], whole.Tasks[i]
		if a, b := p.Trace.Name(prv.LevelTask, i), whole.Name(prv.LevelTask, i); a != b {
			t.Errorf("task %d is %s, in the run %s", i, a, b)
		}
		if p.Unread[part.FirstThread] {
			th := &p.Trace.Threads[part.FirstThread]
			name := p.Trace.Name(prv.LevelThread, int(part.FirstThread))
			if part.Threads != 1 || name != whole.Name(prv.LevelTask, i) || th.States.Len()+th.Events.Len() > 0 {
				t.Errorf("task %d that is not read has %d threads, the first %s with %d states", i, part.Threads, name,
					th.States.Len())
			}
			continue
		}
		read++
		if part.Threads != all.Threads {
			t.Fatalf("task %d has %d threads, in the run %d", i, part.Threads, all.Threads)
		}
		for k := range part.Threads {
			a, b := recordsOf(p.Trace, part.FirstThread+k), recordsOf(whole, all.FirstThread+k)
			if len(a) < 1000 || !slices.Equal(a, b) {
				t.Errorf("thread %d of task %d: %d records are not the %d of the run", k, i, len(a), len(b))
			}
		}
	}
	if read == 0 || 2*read > len(whole.Tasks) || p.Until != p.Trace.Duration || p.Provisional == "" ||
		len(p.Trace.Notes) > 0 {
		t.Errorf("a part with %d ranks until %d of %d, %q, notes %v", read, p.Until, p.Trace.Duration, p.Provisional,
			p.Trace.Notes)
	}
}

// recordsOf lists a thread's records while its rank is traced, from the first event: with names, not their numbers.
func recordsOf(tr *prv.Trace, thread int32) (list []string) {
	th := &tr.Threads[thread]
	zero := th.Events.Time[0]
	for i := range th.States.Len() {
		if v := th.States.Value[i]; v != stateUntraced {
			list = append(list, fmt.Sprint(th.States.Begin[i]-zero, th.States.End[i]-zero, v))
		}
	}
	for i, typ := range th.Events.Type {
		list = append(list, fmt.Sprint(th.Events.Time[i]-zero, tr.Labels.TypeName(typ), " ",
			tr.Labels.ValueName(typ, th.Events.Value.At(i))))
	}
	return list
}

// A single file, and a run that is read quickly, are not shown in parts.
func TestNoParts(t *testing.T) {
	never := prv.Watcher{Part: func(*prv.Part) { t.Error("a part") }}
	if _, err := Open(context.Background(), longRun(t, 1)[0], false, never); err != nil {
		t.Error(err)
	}
	folder := filepath.Join("..", "..", "testdata", "traces", "ranks_2")
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(paths) < 2 {
		t.Fatal(paths, err)
	}
	if _, err := OpenRun(context.Background(), paths, false, never); err != nil {
		t.Error(err)
	}
}

func TestRankInHead(t *testing.T) {
	for text, want := range map[string]int64{
		`{"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": 12, "world_size": 16}`: 12,
		`{"distributedInfo": "{'backend': 'nccl', 'rank': 3}"`:                                      3,
		`{"rank": 5, "traceEvents": [`:                                                              -1,
	} {
		if got := rankInHead(write(t, "a.json", text)); got != want {
			t.Errorf("%s: rank %d", text, got)
		}
	}
	packed := filepath.Join("..", "..", "testdata", "traces", "ranks_2", "rank-1.json.gz")
	if got := rankInHead(packed); got != 1 {
		t.Errorf("%s: rank %d", packed, got)
	}
}
