package remedy

import (
	"context"
	"math"
	"strings"
	"testing"

	"pview/insight/runtest"
	"pview/prv"
)

// Calls of MPI in the runs below, which name some of them.
const (
	bcast     = 7
	barrier   = 8
	reduce    = 9
	allreduce = 10
	alltoall  = 11
	scan      = 30
	allgather = 17
)

// meeting is a collective operation: its time after the last arrival, and the bytes that each task sends and receives;
// the last ones hold for all further tasks.
type meeting struct {
	call, takes int64
	bytes       [][2]int64
}

// slowMeetings are operations and what is found of them: the estimate and the gain, 0: nothing, in a number of places.
type slowMeetings struct {
	list           []meeting
	estimate, gain int64
	places         int
	title          string
}

// check compares the only candidate.
func (c slowMeetings) check(t *testing.T, name string, o *operations, list []*Candidate) {
	t.Helper()
	if c.estimate == 0 && len(list) == 0 {
		return
	}
	if len(list) != 1 {
		t.Errorf("%s: %d candidates", name, len(list))
		return
	}
	x := list[0]
	gain := o.Base() - o.Run.Run.Run(x.Edit)
	if x.Estimate != c.estimate || gain != c.gain || len(x.Evidence) != c.places ||
		!strings.Contains(x.Title, c.title) {
		t.Errorf("%s: estimate %d and gain %d, want %+v, in %d places: %s", name, x.Estimate, gain, c, len(x.Evidence),
			x.Title)
	}
}

// meetings returns the operations of a run of tasks. Before each the first task computes for 3000 ns and the others for
// 2000.
func meetings(t *testing.T, tasks int, list ...meeting) *operations {
	t.Helper()
	b := runtest.Tasks(tasks)
	at := int64(0)
	for _, m := range list {
		end := at + 3000 + m.takes
		for i := range tasks {
			from := at + 2000
			if i == 0 {
				from += 1000
			}
			b.State(int32(i), 0, at, from, 1)
			b.State(int32(i), 0, from, end, 13)
			pairs := []prv.Pair{{Type: 50000002, Value: m.call}}
			if n := len(m.bytes); n > 0 {
				of := m.bytes[min(i, n-1)]
				pairs = append(pairs, prv.Pair{Type: 50100001, Value: of[0]}, prv.Pair{Type: 50100002, Value: of[1]})
			}
			b.Event(int32(i), 0, from, pairs...)
			b.Event(int32(i), 0, end, prv.Pair{Type: 50000002})
		}
		at = end
	}
	tr := runtest.Build(t, b)
	tr.Labels = &prv.Labels{}
	tr.Labels.AddType(50000002, "MPI call", prv.ValueLabel{Value: bcast, Label: "MPI_Bcast"},
		prv.ValueLabel{Value: barrier, Label: "MPI_Barrier"}, prv.ValueLabel{Value: reduce, Label: "MPI_Reduce"},
		prv.ValueLabel{Value: allreduce, Label: "MPI_Allreduce"},
		prv.ValueLabel{Value: alltoall, Label: "MPI_Alltoall"},
		prv.ValueLabel{Value: scan, Label: "MPI_Scan"}, prv.ValueLabel{Value: allgather, Label: "MPI_Allgather"})
	return NewRun(context.Background(), runtest.Computation(t, tr)).operations()
}

// The bytes that go over a link, and the latency where a message takes 7: a tree over 5 tasks has 3 rounds.
func TestBytesOfOperations(t *testing.T) {
	each := [][2]int64{{100, 80}}
	for _, c := range []struct {
		tasks         int
		call          int64
		bytes         [][2]int64
		want, latency float64
	}{
		{5, allreduce, each, 300, 21},
		{5, allreduce, [][2]int64{{80, 100}}, 300, 21},
		{5, alltoall, each, 400, 21}, // to each of 4
		{5, allgather, each, 400, 21},
		{5, bcast, each, 300, 21}, {5, reduce, each, 300, 21},
		{5, scan, each, 100, 21}, {5, barrier, each, 100, 21},
		{5, allreduce, nil, 0, 21},
		// The first two members tell it: 100 in 2 rounds.
		{4, allreduce, [][2]int64{{10, 10}, {100, 10}, {1000, 1000}}, 200, 14},
		{4, allreduce, [][2]int64{{100, 10}, {10, 10}}, 200, 14},
		{2, allreduce, each, 100, 7}, {2, alltoall, each, 100, 7},
	} {
		o := meetings(t, c.tasks, meeting{c.call, 500, c.bytes})
		o.alpha = 7
		x := o.instance(0)
		if got, latency := o.bytes(x), o.latency(x); got != c.want || latency != c.latency {
			t.Errorf("call %d of %d tasks, %v: %g bytes, latency %g", c.call, c.tasks, c.bytes, got, latency)
		}
	}
}

// Without messages the fastest round of an operation with at most 4096 bytes in each tells the latency; alone, at most
// 2000 ns. A byte takes 2 ns.
func TestNetworkOfOperations(t *testing.T) {
	bytes := func(n int64) [][2]int64 { return [][2]int64{{n, n}} }
	for name, c := range map[string]struct {
		list           []meeting
		time           float64
		kinds          int
		alpha, perByte float64
	}{
		"none":      {nil, math.Inf(1), 0, 0, 0},
		"one":       {[]meeting{{allreduce, 3000, nil}}, 1500, 1, 1500, 2},
		"slow":      {[]meeting{{allreduce, 9000, nil}, {allreduce, 8000, nil}}, 4000, 1, 2000, 2},
		"two kinds": {[]meeting{{allreduce, 9000, nil}, {barrier, 8000, nil}}, 4000, 2, 4000, 2},
		// In two rounds 4096 bytes are sent in each.
		"few bytes":  {[]meeting{{allreduce, 900, bytes(4096)}, {barrier, 8000, nil}}, 450, 2, 450, 2},
		"many bytes": {[]meeting{{allreduce, 900, bytes(4097)}, {barrier, 8000, nil}}, 4000, 1, 2000, 2},
		"all large":  {[]meeting{{allreduce, 900, bytes(4097)}}, math.Inf(1), 0, 0, 0},
		// One that ends as the last arrives tells nothing.
		"no time": {[]meeting{{barrier, 0, nil}, {allreduce, 600, nil}}, 300, 1, 300, 2},
	} {
		o := meetings(t, 4, c.list...)
		time, kinds := o.fastest()
		if time != c.time || kinds != c.kinds || o.alpha != c.alpha || o.beta != c.perByte {
			t.Errorf("%s: %g of %d kinds, latency %g, a byte %g", name, time, kinds, o.alpha, o.beta)
		}
	}
}

// On a network with a latency of 100 and 2 ns per byte an operation of 4 tasks needs 200, and 400 more with 100 bytes
// in each round: it is slow from 2.5 times of that on, over all.
func TestSlowOperations(t *testing.T) {
	small, large := [][2]int64(nil), [][2]int64{{100, 0}}
	for name, c := range map[string]slowMeetings{
		"slow":            {[]meeting{{allreduce, 500, small}}, 300, 300, 1, "500 ns per op"},
		"usual":           {[]meeting{{allreduce, 499, small}}, 0, 0, 0, ""},
		"bytes":           {[]meeting{{allreduce, 1499, large}}, 0, 0, 0, ""},
		"slow with bytes": {[]meeting{{allreduce, 1500, large}}, 900, 900, 1, "network needs 600 ns"},
		// 1000 of 400; the second takes less than it needs.
		"one of two": {[]meeting{{allreduce, 900, small}, {allreduce, 100, small}}, 700, 700, 1, "500 ns per op"},
		"both":       {[]meeting{{allreduce, 900, small}, {allreduce, 300, small}}, 800, 800, 2, "600 ns per op"},
	} {
		o := meetings(t, 4, c.list...)
		o.alpha, o.beta = 100, 2
		c.check(t, name, o, slowOperations(o.Run))
	}
}

// Bytes take long where an operation takes more than twice its latency of 200, and no more than 2.5 times of what it
// needs with 100 bytes in each of 2 rounds: 600.
func TestLargeOperations(t *testing.T) {
	bytes := [][2]int64{{100, 0}}
	for name, c := range map[string]slowMeetings{
		"large":       {[]meeting{{allreduce, 401, bytes}}, 201, 201, 1, "401 ns per operation"},
		"small":       {[]meeting{{allreduce, 400, bytes}}, 0, 0, 0, ""},
		"as needed":   {[]meeting{{allreduce, 1500, bytes}}, 1300, 1300, 1, "1.5 us per operation"},
		"slow":        {[]meeting{{allreduce, 1501, bytes}}, 0, 0, 0, ""},
		"a broadcast": {[]meeting{{bcast, 600, bytes}}, 0, 0, 0, ""},
		// 1000 over both operations.
		"one of two": {[]meeting{{allreduce, 1000, bytes}, {allreduce, 300, bytes}}, 800, 800, 1, "500 ns per op"},
	} {
		o := meetings(t, 4, c.list...)
		o.alpha, o.beta = 100, 2
		c.check(t, name, o, o.large())
	}
}

// The estimate of a barrier is the mean of its members' calls: one waits for 500 ns, three for 1500. Without the
// two barriers the first task computes on 500 ns earlier each time.
func TestNeedlessBarriers(t *testing.T) {
	o := meetings(t, 4, meeting{barrier, 500, nil}, meeting{allreduce, 500, nil}, meeting{barrier, 500, nil})
	c := slowMeetings{estimate: 2 * (500 + 3*1500) / 4, gain: 2 * 500, places: 2, title: "2 operations, MPI_Barrier"}
	c.check(t, "two barriers", o, needless(o.Run))
}
