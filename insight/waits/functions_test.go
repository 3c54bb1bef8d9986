package waits_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"pview/insight/waits"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/semantic"
	"pview/semantic/series"
)

// timelineOf returns the values over time of the threads in a window of a function: "begin value" of each burst.
func timelineOf(t testing.TB, tr *prv.Trace, function string) (rows []string) {
	t.Helper()
	for _, s := range seriesOf(t, tr, function) {
		var list []string
		for i := range s.Len() {
			begin, _, v := s.Burst(i)
			list = append(list, fmt.Sprintf("%d:%.4g", begin, v))
		}
		rows = append(rows, strings.Join(list, " "))
	}
	return rows
}

func seriesOf(t testing.TB, tr *prv.Trace, function string) []*series.Series {
	t.Helper()
	w := semantic.ThreadWindow(function)
	e, err := semantic.Compile(tr, &w)
	if err != nil {
		t.Fatal(err)
	}
	var rows []*series.Series
	for i := range e.Rows() {
		s, err := e.Series(context.Background(), i)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, s)
	}
	return rows
}

// Checks 29 and 30: chains of waits, as timelines. In 30 T2's A has the cost 8 in [0,40), before it waits: 0.2; its B 5
// in [100,110): 0.5; T1's A 60 at once and 27 further down in [0,100): 0.87.
func TestTimelines(t *testing.T) {
	chain := parse(t, `
		1: A[0,100) Send[100,110)
		2: A[0,40) Recv[40,100) B[100,110) Send[110,115)
		3: A[0,20) C[20,70) Recv[70,110)
		1>2 100 100 40 100
		2>3 110 110 70 110`)
	for _, c := range []struct {
		function string
		want     []string
	}{
		{"Wait State", []string{"0:0 100:33 110:0", "0:0 40:1 100:0 110:33", "0:0 70:1 110:0"}},
		{"Wait Caused By", []string{"0:0", "0:0 40:1 100:0", "0:0 70:2 110:0"}},
		{"Wait Indirect Share", []string{"0:0", "0:0 40:0 100:0", "0:0 70:0.675 110:0"}}, // 27 of 40
		{"Delay Caused", []string{"0:0.87 100:0", "0:0.2 40:0 100:0.5 110:0", "0:0"}},
		{"Delay Caused Short-Term", []string{"0:0.6 100:0", "0:0.2 40:0 100:0.5 110:0", "0:0"}},
		{"Delay Caused Long-Term", []string{"0:0.27 100:0", "0:0", "0:0"}},
		{"On Critical Path", []string{"0:1 100:0", "0:0 100:1", "0:0"}},
	} {
		if got := timelineOf(t, chain, c.function); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %q, want %q", c.function, got, c.want)
		}
	}
}

// The integral of the delays over a thread is the delay that it has caused, and the time of each class of the states is
// that of the totals, in recorded traces.
func TestTimelinesAddUp(t *testing.T) {
	prvtest.Long(t)
	for _, name := range []string{"pipeline_8/pipeline_8.prv", "hybridloops_4x4/hybridloops_4x4.prv",
		"heat2d_8/heat2d_8.prv", "lulesh_8x2/lulesh_8x2.prv.gz"} {
		tr, err := prv.Open(context.Background(), prvtest.Shared(t, "traces", name), prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := waits.Analyze(context.Background(), tr, waits.Options{})
		if err != nil {
			t.Fatal(err)
		}
		cost := make([]float64, len(tr.Threads))
		for _, d := range r.Delays {
			cost[d.Thread] += float64(d.Cost())
		}
		for i, s := range seriesOf(t, tr, "Delay Caused") {
			if got := s.Aggregate(0, tr.Duration).Integral; math.Abs(got-cost[i]) > 1e-6*cost[i]+1 {
				t.Errorf("%s: thread %d causes %.1f, its delays cost %.1f", name, i, got, cost[i])
			}
		}
		var byClass [64]int64
		for _, s := range seriesOf(t, tr, "Wait State") {
			for i := range s.Len() {
				begin, end, v := s.Burst(i)
				byClass[int(v)] += end - begin
			}
		}
		for i := range waits.Classes {
			c := &waits.Classes[i]
			if got, want := byClass[c.Class], r.Totals[c.Class].Time.Int64(); got != want {
				t.Errorf("%s: %s lasts %d in the timeline, %d in the table", name, c.Name, got, want)
			}
		}
	}
}
