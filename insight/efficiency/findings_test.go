package efficiency_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"pview/insight/efficiency"
	"pview/prv"
	"pview/prv/prvtest"
)

// Eight processes compute 1000, 900, ... 300 us of 1000: load balance is 650/1000, so with an even load the run takes
// 650 us. Of three it is 90 %: good.
func TestFindings(t *testing.T) {
	for processes, lost := range map[int]float64{8: 350_000, 3: 0} {
		tr, err := prv.Open(context.Background(), prvtest.Stairs(t, t.TempDir(), processes), prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		run, err := efficiency.Measure(context.Background(), tr, efficiency.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list := efficiency.Compare([]*efficiency.Run{run}, efficiency.Auto).Findings(0)
		if (len(list) > 0) != (lost > 0) || lost > 0 &&
			(list[0].Name != "Load balance" || math.Abs(list[0].Severity-lost) > 1) {
			t.Errorf("%d processes: %+v", processes, list)
		}
	}
}

// idle is a run of two processes in which one sends the other a message at 500, the second computes until 800 us and
// both are idle until 2 ms. Nothing is recorded before 200 us.
//
//	1  |   200####500|send 510|idle              2000|
//	2  |   200####500|recv 510|####800|idle      2000|
const idle = `#Paraver (01/01/26 at 00:00):2000000_ns:1(2):1:2(1:1,1:1)
1:1:1:1:1:200000:500000:1
1:1:1:1:1:500000:510000:4
1:1:1:1:1:510000:2000000:0
2:1:1:1:1:500000:50000001:1
2:1:1:1:1:510000:50000001:0
3:1:1:1:1:500000:500000:2:1:2:1:500000:510000:8:1
1:2:1:2:1:200000:500000:1
1:2:1:2:1:500000:510000:3
1:2:1:2:1:510000:800000:1
1:2:1:2:1:800000:2000000:0
2:2:1:2:1:500000:50000001:2
2:2:1:2:1:510000:50000001:0
2:2:1:2:1:800000:60000019:0
`

// Transfer efficiency divides by a run time that has the idling at the end, as modelfactors does, and serialization
// efficiency by one that has the start: the findings say so, in numbers. After the last event the ideal run has
// nothing, so what is computed there is missing from it.
func TestUnrecorded(t *testing.T) {
	titles := func(r *efficiency.Run) (all string) {
		for _, f := range efficiency.Compare([]*efficiency.Run{r}, efficiency.Auto).Findings(0) {
			all += f.Title + "\n"
		}
		return all
	}
	const after, before = "and 1.2 ms (60.0 % of the run) after the last record of any thread\n",
		"and 200 us (10.0 % of the run) before the first record of any thread\n"
	all := titles(run(t, idle, efficiency.Options{}))
	if !strings.Contains(all, "transfers and calls, "+after) || !strings.Contains(all, "temporary imbalance, "+before) {
		t.Errorf("simulated: %s", all)
	}
	all = titles(run(t, idle, efficiency.Options{NoIdeal: true}))
	if want := "transfers, " + strings.TrimSpace(before) + " " + after; !strings.Contains(all, want) {
		t.Errorf("not simulated: %s", all)
	}
	text := strings.Replace(idle, "1:2:1:2:1:800000:2000000:0\n", "", 1)
	text = strings.Replace(text, "2:2:1:2:1:800000:60000019:0\n", "", 1)
	cut := run(t, text, efficiency.Options{})
	if notes := strings.Join(cut.Notes, "\n"); !strings.Contains(notes, "computes after its last call or event") {
		t.Errorf("cut: %s", notes)
	}
}
