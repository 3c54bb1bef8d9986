package account

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pview/insight/eventgraph"
	"pview/insight/gpu"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/wide"
)

// Programs find a region by its name, including the first one; time outside of all of them has none.
func TestNamesOfRegions(t *testing.T) {
	regions := []waits.Region{{Name: "main"}, {Name: "solve"}}
	m := &maker{Graph: &eventgraph.Graph{Waits: &waits.Result{Regions: regions}}}
	for region, want := range map[int32]string{-1: "region=none", 0: "region=main", 1: "region=solve"} {
		if got := m.name(key{by: byRegion, a: region}); got != want {
			t.Errorf("region %d is %q, want %q", region, got, want)
		}
	}
}

// A call names the region that it is in, and a wait for a construct its cause, including the first ones.
func TestNamesOfEntries(t *testing.T) {
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddNode(1)
	h.AddPtask()
	h.AddTask(1, 0)
	tr, err := prv.NewBuilder(h).Build()
	if err != nil {
		t.Fatal(err)
	}
	m := &maker{Graph: &eventgraph.Graph{T: tr, Waits: &waits.Result{Regions: []waits.Region{{Name: "main"},
		{Name: "MPI_Recv"}}}}}
	for want, k := range map[string]key{
		"call=MPI_Recv": {by: byCall, a: 1, b: -1}, "call=MPI_Recv/region=main": {by: byCall, a: 1},
		"construct=Idle worker":                  {by: byWaitClass, a: int32(waits.IdleWorker), c: -1},
		"construct=Idle worker/cause=main@1.1.1": {by: byWaitClass, a: int32(waits.IdleWorker)},
		"thread=1.1.1":                           {by: byThread},
		"cause=MPI_Recv@1.1.1":                   {by: byCause, a: 1},
		"cause=runtime system@1.1.1":             {by: byDrivenCause, a: runtimeSystem},
	} {
		if got := m.name(k); got != want {
			t.Errorf("%+v: %q, want %q", k, got, want)
		}
	}
}

// Lists have sums of 63 bits: amounts that do not fit into one are in the next, at the same index.
func TestSummable(t *testing.T) {
	const most = math.MaxInt64
	for _, c := range []struct {
		amounts []int64
		want    [][]int64
	}{
		{nil, [][]int64{nil}}, {[]int64{1, 2}, [][]int64{{1, 2}}}, {[]int64{most - 1, 1}, [][]int64{{most - 1, 1}}},
		{[]int64{most - 1, 2}, [][]int64{{most - 1, 0}, {0, 2}}},
		{[]int64{1, most, most, 0, 2},
			[][]int64{{1, 0, 0, 0, 0}, {0, most, 0, 0, 0}, {0, 0, most, 0, 0}, {0, 0, 0, 0, 2}}},
	} {
		got := summable(slices.Clone(c.amounts))
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v: %v, want %v", c.amounts, got, c.want)
		}
	}
}

// A run without time has no efficiency.
func TestEfficiencyOfNothing(t *testing.T) {
	if got := new(Account).Efficiency(); got != 0 {
		t.Error(got)
	}
}

func TestShortened(t *testing.T) {
	long := strings.Repeat("ä", mostRunes)
	if got := shortened(long); got != long {
		t.Errorf("%d runes became %q", mostRunes, got)
	}
	got := shortened("first" + long + "last")
	if n := utf8.RuneCountInString(got); n > mostRunes || !strings.HasPrefix(got, "firstä") ||
		!strings.HasSuffix(got, "älast") || !strings.Contains(got, "ä...ä") {
		t.Errorf("%q of %d runes", got, n)
	}
	// The functions of code between two calls go only if there is no room, and a number at the end is not cut in two.
	calls := "MPI_Send in " + strings.Repeat("f", mostRunes-24) + " to MPI_Recv"
	number := strings.Repeat("f", 60) + strings.Repeat("7", 30)
	for _, c := range [][2]string{
		{calls, calls}, {calls + "!", "MPI_Send to MPI_Recv!"}, {number, strings.Repeat("f", 29) + "...7"},
		{"wait for code outside of traced functions on 1.1.1-1.16.1",
			"wait for other code on 1.1.1-1.16.1"},
		{"wait for exchange_1.f:41 to exchange_1.f:59 on 15 threads",
			"wait for exchange_1.f:41 to 59 on 15 threads"},
		{"wait for exchange.f:41 to exchange_1.f:59 on 115 threads",
			"wait for exchange.f:41 to exc... on 115 threads"},
		{"wait for MPI_Irecv in from_east to MPI_Isend in to_east on 1.6.1",
			"wait for MPI_Irecv to MPI_Isend on 1.6.1"},
		{"wait for MPI_Irecv in post_halo_east to MPI_Finalize on 1.6",
			"wait for MPI_Irecv to MPI_Finalize on 1.6"},
		{"slow transfer in MPI_Irecv in halo_of_the_eastern_side",
			"slow transfer in MPI_Irecv in...the_eastern_side"},
	} {
		if got := shortened(c[0]); got != c[1] {
			t.Errorf("%q, want %q", got, c[1])
		}
	}
}

// lossesOf returns an account of 1000 ns with some losses, a, b and so on.
func lossesOf(losses ...int64) *Account {
	a := &Account{To: 1000, Threads: 1, ByThread: make([]Sums, 1)}
	a.ByThread[0][Computing] = 1000
	for i, ns := range losses {
		a.ByThread[0][Computing] -= ns
		a.losses = append(a.losses, a.step(string(rune('a'+i)), wide.Of(ns)))
	}
	return a
}

// The parts of a sentence sum to the loss. Those beyond the given number, beyond 9, or of less than 0.5 % are the rest.
func TestSentence(t *testing.T) {
	tenths := slices.Repeat([]int64{60}, 10)
	for _, c := range []struct {
		most   int
		losses []int64
		want   string
	}{
		{3, nil, ""}, {3, []int64{300, 200, 100}, "a 30.0 %, b 20.0 %, c 10.0 %"},
		{2, []int64{300, 200, 100}, "a 30.0 %, b 20.0 %, " + theRest + " 10.0 %"},
		{0, []int64{300}, theRest + " 30.0 %"},
		{3, []int64{595, 5}, "a 59.5 %, b 0.5 %"}, {3, []int64{596, 4}, "a 59.6 %, " + theRest + " 0.4 %"},
		{10, tenths[:9], "a 6.0 %, b 6.0 %, c 6.0 %, d 6.0 %, e 6.0 %, f 6.0 %, g 6.0 %, h 6.0 %, i 6.0 %"},
		{10, tenths, "a 6.0 %, b 6.0 %, c 6.0 %, d 6.0 %, e 6.0 %, f 6.0 %, g 6.0 %, h 6.0 %, i 6.0 %, " + theRest +
			" 6.0 %"},
	} {
		if got := lossesOf(c.losses...).Sentence(c.most); got != c.want {
			t.Errorf("%d of %v: %q, want %q", c.most, c.losses, got, c.want)
		}
	}
}

// Bars get the rest of 80 columns after the longest name and 24 columns, between 10 and 40.
func TestWidthOfBars(t *testing.T) {
	for name, want := range map[int]int{5: 40, 16: 40, 17: 39, 40: 16} {
		a := lossesOf(300)
		a.losses[0].Name = strings.Repeat("n", name)
		rows := a.Table().Rows
		if got := utf8.RuneCountInString(fmt.Sprint(rows[0][3])); got != want {
			t.Errorf("beside a name of %d the whole has %d columns, want %d: %v", name, got, want, rows)
		}
	}
	for _, c := range []struct {
		from, to float64
		want     string
	}{{0, 1, "██████████"}, {0.25, 0.5, "   ██"}, {0.3, 0.34, "   ▏"}, {1, 1, "         ▏"},
		{0, 0, "▏"}} {
		if got := bar(c.from, c.to, 10); got != c.want {
			t.Errorf("from %g to %g: %q, want %q", c.from, c.to, got, c.want)
		}
	}
}

// The window of devices is in ns; for later times there is no account.
func TestWindowOfDevices(t *testing.T) {
	tr := &prv.Trace{}
	tr.Unit = prv.Microseconds
	a, err := OfDevices(tr, &gpu.Analysis{Begin: 5, Elapsed: 10})
	if err != nil || a.From != 5000 || a.To != 15_000 || a.Window() != 10_000 {
		t.Errorf("%+v, %v", a, err)
	}
	for begin, fits := range map[int64]bool{1<<63/1000 - 10: true, 1<<63/1000 - 9: false} {
		if _, err := OfDevices(tr, &gpu.Analysis{Begin: begin, Elapsed: 10}); (err == nil) != fits {
			t.Errorf("up to %d: %v", begin+10, err)
		}
	}
}
