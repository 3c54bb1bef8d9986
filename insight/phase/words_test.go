package phase_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/insight/phase"
	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/kineto"
	"pview/prv/prvtest"
)

// threads is a run of two tasks of two threads that meet at 10, 40 and 80: task 1 by its first thread, and at 40 by its
// second one. Its first one computes then, so that 40 is no boundary.
func threads(t *testing.T) *prv.Trace {
	t.Helper()
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddNode(4)
	h.AddPtask()
	h.AddTask(2, 0)
	h.AddTask(2, 0)
	b := prv.NewBuilder(h)
	for _, c := range []struct {
		thread     int32
		begin, end int64
	}{{0, 5, 10}, {2, 8, 10}, {1, 30, 40}, {2, 35, 40}, {0, 75, 80}, {2, 60, 80}} {
		b.Event(c.thread, 0, c.begin, prv.Pair{Type: 50000002, Value: 8})
		b.Event(c.thread, 0, c.end, prv.Pair{Type: 50000002})
	}
	for _, s := range [][3]int64{{0, 0, 5}, {0, 10, 75}, {1, 10, 30}, {2, 0, 8}, {2, 10, 35}, {2, 40, 60},
		{2, 80, 90}} {
		b.State(int32(s[0]), 0, s[1], s[2], 1)
	}
	return runtest.Build(t, b)
}

// The phases of the traces of the repository, of a run with devices, whose steps are later there, and of threads.
func TestPhases(t *testing.T) {
	folder := filepath.Join(prvtest.Root(), "testdata", "traces")
	runs := map[string]*prv.Trace{"threads": threads(t)}
	for _, name := range []string{"callmix_4_skew", "heat2d_8", "hybrid_4x4", "npb_cg_S_8_burst", "twoapps_4_4"} {
		files, _ := filepath.Glob(filepath.Join(folder, name, name+".prv*"))
		tr, err := prv.Open(context.Background(), files[0], prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		runs[name] = tr
	}
	files, _ := filepath.Glob(filepath.Join(folder, "ranks_2", "*.json.gz"))
	devices, err := kineto.OpenRun(context.Background(), files, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	runs["ranks_2"] = devices
	var b strings.Builder
	for _, name := range []string{"threads", "ranks_2", "callmix_4_skew", "heat2d_8", "hybrid_4x4", "npb_cg_S_8_burst",
		"twoapps_4_4"} {
		l, err := phase.Find(context.Background(), runs[name], phase.Options{})
		if err != nil {
			fmt.Fprintf(&b, "%s: %v\n", name, err)
			continue
		}
		fmt.Fprintf(&b, "%s, from %v\n", name, l.From)
		for i, p := range l.Phases {
			if i < 8 || i == len(l.Phases)-1 {
				fmt.Fprintf(&b, "  phase %d from %d to %d, group %d %s\n", i+1, p.Begin, p.End, p.Group+1, p.Name)
			}
		}
		for i := range l.Groups {
			g := &l.Groups[i]
			fmt.Fprintf(&b, "  group %d %s: %d for %d, the longest is %d\n", i+1, g.Name(), g.Occurrences, g.Time,
				g.Worst+1)
		}
	}
	prvtest.SameFile(t, "testdata/phases.txt", b.String())
}

// From 5 to 25 are 5 of the first phase, 10 of the second and 5 of the third.
func TestDivide(t *testing.T) {
	phases := []phase.Phase{{End: 10}, {Begin: 10, End: 20}, {Begin: 20, End: 30}}
	for _, c := range []struct {
		begin, end int64
		want       []int64
	}{{5, 25, []int64{0, 5, 1, 10, 2, 5}}, {10, 20, []int64{1, 10}}, {0, 10, []int64{0, 10}}, {29, 40, []int64{2, 1}},
		{30, 40, nil}, {15, 15, []int64{1, 0}}} {
		var got []int64
		phase.Divide(phases, c.begin, c.end, func(k int, time int64) { got = append(got, int64(k), time) })
		if !slices.Equal(got, c.want) {
			t.Errorf("from %d to %d: %v, want %v", c.begin, c.end, got, c.want)
		}
	}
	if !phase.IsBeside("before the steps") || !phase.IsBeside("after the steps") || phase.IsBeside("step 3") {
		t.Error("beside the steps")
	}
}
