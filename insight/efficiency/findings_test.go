package efficiency_test

import (
	"context"
	"math"
	"regexp"
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
	micro := regexp.MustCompile(`\b(\d+)000\b`).ReplaceAllString(strings.Replace(idle, "000_ns", "", 1), "$1")
	all = titles(run(t, micro, efficiency.Options{NoIdeal: true}))
	if !strings.Contains(all, strings.TrimSpace(before)) {
		t.Errorf("in microseconds: %s", all)
	}
	text := strings.Replace(idle, "1:2:1:2:1:800000:2000000:0\n", "", 1)
	text = strings.Replace(text, "2:2:1:2:1:800000:60000019:0\n", "", 1)
	cut := run(t, text, efficiency.Options{})
	if notes := strings.Join(cut.Notes, "\n"); !strings.Contains(notes, "computes after its last call or event") {
		t.Errorf("cut: %s", notes)
	}
}

// Two processes of two threads compute one after the other: the second waits for a message of the first. Outside of MPI
// are 40 + 5 and 40 ns, and the ideal run takes 40 + 40: serialization efficiency is 45/80, by its formula of hybrid
// runs. Load balance has one formula.
func TestFormulaOfHybrid(t *testing.T) {
	r := efficiency.Compare([]*efficiency.Run{run(t, `#Paraver (01/01/26 at 00:00):85_ns:1(4):1:2(2:1,2:1)
1:1:1:1:1:0:40:1
1:2:1:1:2:0:20:1
2:3:1:2:1:0:50000001:2
1:3:1:2:1:0:45:3
2:1:1:1:1:40:50000001:1
1:1:1:1:1:40:45:4
3:1:1:1:1:40:40:3:1:2:1:0:45:8:1
2:1:1:1:1:45:50000001:0
2:3:1:2:1:45:50000001:0
1:1:1:1:1:45:50:1
1:3:1:2:1:45:85:1
1:4:1:2:2:45:50:1
2:1:1:1:1:50:60000001:0
2:3:1:2:1:85:60000001:0
`, efficiency.Options{})}, efficiency.Auto)
	serialization, _ := efficiency.Lookup("Serialization efficiency %")
	if v := r.Value(serialization, 0); v != 56.25 {
		t.Fatalf("serialization efficiency is %g %%", v)
	}
	formulas := map[string]string{}
	for _, f := range r.Findings(0) {
		formulas[f.Name] = f.Formula
	}
	want := "maximum time outside MPI in the ideal run / runtime of the ideal run"
	if got := formulas[serialization.Title]; got != want {
		t.Errorf("its formula is %q", got)
	}
	balance, _ := efficiency.Lookup("Load balance %")
	want = "Load balance = average useful duration / maximum useful duration"
	if got := r.About(balance, 0, nil)[0].Text; got != want {
		t.Error(got)
	}
}
