package compare_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pview/insight/compare"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/prv/wide"
	"pview/render/document"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/engine"
)

// States of Extrae.
const (
	running  = 1
	created  = 2
	waiting  = 3
	inOutput = 12
)

// Event types and values of Extrae.
const (
	mpiCollective = 50000002
	userFunction  = 60000019
	communicator  = 50100004
)

// script writes a trace: the actions of each thread, in order.
type script struct {
	b   *prv.Builder
	now []int64
	end int64
}

func newScript(threads int, unit prv.Unit) *script {
	h := prv.Header{Date: "01/01/26 at 00:00", Unit: unit}
	h.AddNode(threads)
	h.AddPtask()
	for range threads {
		h.AddTask(1, 0)
	}
	return &script{b: prv.NewBuilder(h), now: make([]int64, threads)}
}

// state adds a state to a thread.
func (s *script) state(thread int, value uint32, time int64) {
	s.b.State(int32(thread), 0, s.now[thread], s.now[thread]+time, value)
	s.now[thread] += time
	s.end = max(s.end, s.now[thread])
}

func (s *script) event(thread int, typ uint32, value int64) {
	pairs := []prv.Pair{{Type: typ, Value: value}}
	if typ == mpiCollective && value != 0 {
		pairs = append(pairs, prv.Pair{Type: communicator, Value: 1})
	}
	s.b.Event(int32(thread), 0, s.now[thread], pairs...)
}

// work computes in a user function.
func (s *script) work(thread int, function int64, time int64) {
	s.event(thread, userFunction, function)
	s.state(thread, running, time)
	s.event(thread, userFunction, 0)
}

// meet makes all threads take part in a collective operation, which ends 1 after the last arrival.
func (s *script) meet(operation int64) { s.meetFor(operation, 1) }

// meetFor is meet; the operation ends cost after the last arrival.
func (s *script) meetFor(operation, cost int64) {
	last := slices.Max(s.now)
	for th := range s.now {
		s.event(th, mpiCollective, operation)
		s.state(th, waiting, last+cost-s.now[th])
		s.event(th, mpiCollective, 0)
	}
}

func (s *script) trace(t testing.TB) *prv.Trace {
	t.Helper()
	tr, err := s.b.Build()
	if err != nil {
		t.Fatal(err)
	}
	tr.Labels = tr.Labels.Clone()
	tr.Labels.AddType(50000001, "MPI Point-to-point", prv.ValueLabel{Value: 1, Label: "MPI_Send"},
		prv.ValueLabel{Value: 2, Label: "MPI_Recv"})
	tr.Labels.AddType(mpiCollective, "MPI Collective Comm", prv.ValueLabel{Value: 8, Label: "MPI_Barrier"},
		prv.ValueLabel{Value: 9, Label: "MPI_Reduce"}, prv.ValueLabel{Value: 10, Label: "MPI_Allreduce"},
		prv.ValueLabel{Value: 7, Label: "MPI_Bcast"})
	tr.Labels.AddType(userFunction, "User function", prv.ValueLabel{Value: 1, Label: "init"}, prv.ValueLabel{Value: 2,
		Label: "solve"}, prv.ValueLabel{Value: 3, Label: "finish"}, prv.ValueLabel{Value: 4, Label: "other"})
	return tr
}

func analyse(t testing.TB, tr *prv.Trace) *compare.Run {
	t.Helper()
	r, err := compare.Analyse(context.Background(), tr, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func compared(t testing.TB, a, b *compare.Run, m compare.Matching) *compare.Result {
	t.Helper()
	c, err := compare.Compare(context.Background(), a, b, m)
	if err != nil {
		t.Fatal(err)
	}
	checkSums(t, c)
	return c
}

// checkSums checks that the parts of every kind add up to the difference, and to the times.
func checkSums(t testing.TB, c *compare.Result) {
	t.Helper()
	wantA, wantB := c.Times()
	for k := range compare.NumKinds {
		var a, b wide.Int
		for _, p := range c.Of(k) {
			a, b = a.Plus(p.A), b.Plus(p.B)
			if p.A.Sign() < 0 || p.B.Sign() < 0 {
				t.Errorf("part %s of %s: times of %s and %s", p.Name, k, p.A, p.B)
			}
		}
		if c.Scaled && (k == compare.ByRanks || k == compare.ByCause) {
			continue
		}
		if a != wantA || b != wantB {
			t.Errorf("parts by %s add up to %s and %s, times are %s and %s", k, a, b, wantA, wantB)
		}
	}
}

// differences returns the parts of a kind that differ.
func differences(c *compare.Result, k compare.Kind) string {
	var list []string
	for _, p := range c.Of(k) {
		if d := p.Difference(); d.Sign() != 0 {
			list = append(list, fmt.Sprintf("%s %+d", p.Name, d.Int64()))
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// Check 1: one thread, 100 computing and 20 waiting against 130 and 10: +30 - 10 = 140 - 120.
func TestOneThread(t *testing.T) {
	run := func(compute, wait int64) *compare.Run {
		s := newScript(1, prv.Nanoseconds)
		s.state(0, running, compute)
		s.state(0, waiting, wait)
		return analyse(t, s.trace(t))
	}
	c := compared(t, run(100, 20), run(130, 10), compare.Matching{})
	if got := differences(c, compare.ByCategory); got != "computing +30, waiting -10" || c.Difference() != wide.Of(20) {
		t.Errorf("%s; difference %s", got, c.Difference())
	}
}

// Check 48 of projections.md: the steps by which Sinha's programs became faster. 2425/660 = 3.67, 660/220 = 3; 1 -
// 3100/5060 = 38.7 %, 1 - 600/660 = 9.1 %.
func TestFactors(t *testing.T) {
	run := func(ms int64) *compare.Run {
		s := newScript(1, prv.Microseconds)
		s.state(0, running, 1000*ms)
		return analyse(t, s.trace(t))
	}
	for _, step := range []struct {
		a, b int64
		want string
	}{
		{2425, 660, "B takes 72.8 % less time (3.67 times as fast)"},
		{660, 220, "B takes 66.7 % less time (3.00 times as fast)"},
		{5060, 3100, "B takes 38.7 % less time:"}, {660, 600, "B takes 9.1 % less time:"},
		{220, 660, "B takes 200 % longer (3.00 times as long)"},
		{1, 86_400_001, "B takes 86.4 million times longer: +86.4 million times computing"},
		{86_400_000, 1, "B takes 100 % less time (86.4 million times as fast)"},
	} {
		if got := compared(t, run(step.a), run(step.b), compare.Matching{}).Headline(); !strings.HasPrefix(got,
			step.want) {
			t.Errorf("%d ms and %d ms: %s", step.a, step.b, got)
		}
	}
}

// Check 3: two threads. A computes (60, 40) and waits (0, 20); B computes (90, 40) and waits (0, 50). The means are 50
// and 10, 65 and 25: both +15.
func TestTwoThreads(t *testing.T) {
	run := func(first int64) *compare.Run {
		s := newScript(2, prv.Nanoseconds)
		s.state(0, running, first)
		s.state(1, running, 40)
		s.state(1, waiting, first-40)
		return analyse(t, s.trace(t))
	}
	c := compared(t, run(60), run(90), compare.Matching{})
	if got := differences(c, compare.ByCategory); got != "computing +15, waiting +15" {
		t.Error(got)
	}
	if got := differences(c, compare.ByRanks); got != "1.1 computing +15, 1.2 waiting +15" {
		t.Error(got)
	}
}

// Check 3, with a message for the wait: thread 2 waits for what thread 1 sends, and thread 1 is the cause: 60 + 20
// against 90 + 50, of two threads +30.
func TestRootCause(t *testing.T) {
	run := func(first int64) *compare.Run {
		const mpi, send, receive = 50000001, 1, 2
		s := newScript(2, prv.Nanoseconds)
		s.state(0, running, first)
		s.event(0, mpi, send)
		s.event(0, mpi, 0)
		s.state(1, running, 40)
		s.event(1, mpi, receive)
		s.state(1, waiting, first-40)
		s.event(1, mpi, 0)
		s.b.Comm(prv.Comm{Send: 0, Recv: 1, Times: [4]int64{prv.LogicalSend: first, prv.PhysicalSend: first,
			prv.LogicalRecv: 40, prv.PhysicalRecv: first}, Size: 8})
		return analyse(t, s.trace(t))
	}
	c := compared(t, run(60), run(90), compare.Matching{})
	if got := differences(c, compare.ByCause); got != "1.1 +30" {
		t.Error(got)
	}
	if got := differences(c, compare.ByWait); got != "Late Sender +15, not waiting +15" {
		t.Error(got)
	}
}

// Means whose division leaves a remainder still add up: 3 threads that compute 10, 10, 11 of 11: sums 31 and 2, means
// 10.33 and 0.67 ns. The differences are -2/3 and +2/3: rounded down -1 and 0, with remainders 1/3 and 2/3, of which
// the larger gets the ns that is left: -1 and +1.
func TestRemainders(t *testing.T) {
	run := func(times ...int64) *compare.Run {
		s := newScript(3, prv.Nanoseconds)
		for th, v := range times {
			s.state(th, running, v)
			s.state(th, waiting, 11-v)
		}
		return analyse(t, s.trace(t))
	}
	c := compared(t, run(11, 11, 11), run(10, 10, 11), compare.Matching{})
	if got := differences(c, compare.ByCategory); got != "computing -1, waiting +1" {
		t.Error(got)
	}
}

// An absent activity takes no time, however the rest is rounded. Of 3 threads, A computes 20, does I/O 12, waits 1; B
// 19, 14, 0. Means of A: 6.67, 4, 0.33: rounded 7, 4, 0. Of the differences -0.33, 0.67, -0.33, rounded down -1, 0, -1,
// the first two by name (I/O, computing) get the 2 ns that are left: 0, 1, -1. B would wait 0 - 1 = -1: that ns comes
// from computing, 6, 5, 0.
func TestNoTimeStaysNone(t *testing.T) {
	run := func(computing, io, waits [3]int64) *compare.Run {
		s := newScript(3, prv.Nanoseconds)
		for th := range 3 {
			s.state(th, running, computing[th])
			s.state(th, inOutput, io[th])
			s.state(th, waiting, waits[th])
		}
		return analyse(t, s.trace(t))
	}
	c := compared(t, run([3]int64{6, 7, 7}, [3]int64{4, 4, 4}, [3]int64{1, 0, 0}),
		run([3]int64{6, 6, 7}, [3]int64{5, 5, 4}, [3]int64{}), compare.Matching{})
	if got := differences(c, compare.ByCategory); got != "I/O +1, computing -1" {
		t.Error(got)
	}
}

// Runs that only wait have no efficiency: 0 of 0 is no balance of 0 %.
func TestNothingUseful(t *testing.T) {
	run := func(waits int64) *compare.Run {
		s := newScript(2, prv.Nanoseconds)
		s.state(0, waiting, waits)
		s.state(1, waiting, waits)
		return analyse(t, s.trace(t))
	}
	c := compared(t, run(10), run(20), compare.Matching{})
	d := compare.Document([]*compare.Result{c}, compare.Selection{})
	text := document.Text(d, func(s string) string { return s })
	if strings.Count(text, "no useful time") != 2 || strings.Contains(text, "load balance 0 %") {
		t.Error(text)
	}
}

// iterations writes a run: init, loops of the given lengths, and the end, on two threads.
func iterations(loops ...int64) *script { return iterationsAfter(50, loops...) }

// iterationsAfter is iterations; init takes another time.
func iterationsAfter(first int64, loops ...int64) *script {
	s := newScript(2, prv.Nanoseconds)
	phase := func(function, time, operation int64) {
		for th := range s.now {
			s.work(th, function, time)
		}
		s.meet(operation)
	}
	phase(1, first, 7)
	for _, l := range loops {
		phase(2, l, 10)
	}
	phase(3, 20, 8)
	return s
}

// Check 4: I L L L F against I L L L L F: of the loops of B the long one has no partner, and counts whole (30 + 1 for
// the operation).
func TestAnIterationMore(t *testing.T) {
	a, b := analyse(t, iterations(10, 10, 10).trace(t)), analyse(t, iterations(10, 30, 10, 10).trace(t))
	c := compared(t, a, b, compare.Matching{})
	var alone []string
	for _, p := range c.Pairs {
		if p.A < 0 {
			from, to, _ := b.Phase(p.B)
			alone = append(alone, fmt.Sprint(p.B, to-from))
		}
	}
	if len(alone) != 1 || alone[0] != "2 31" || c.Difference() != wide.Of(31) {
		t.Errorf("only in B: %v; difference %s", alone, c.Difference())
	}
	if got := differences(c, compare.ByPhase); got != "only in B: solve {2} +31" {
		t.Error(got)
	}
	// A pinned pair prevails: the second loop of A with the long one.
	c = compared(t, a, b, compare.Matching{Pins: []compare.Pair{{A: 2, B: 2}}})
	if !slices.Contains(c.Pairs, compare.Pair{A: 2, B: 2}) {
		t.Errorf("pairs: %v", c.Pairs)
	}
	_, err := compare.Compare(context.Background(), a, b,
		compare.Matching{Pins: []compare.Pair{{A: 2, B: 3}, {A: 3, B: 1}}})
	if err == nil {
		t.Error("crossing pins were accepted")
	}
}

// Check 5: 4 threads for 10 s and 8 for 6 s are 40 and 48 core seconds.
func TestScaling(t *testing.T) {
	run := func(threads int, compute, wait int64) *compare.Run {
		s := newScript(threads, prv.Nanoseconds)
		for th := range threads {
			s.state(th, running, compute)
			s.state(th, waiting, wait)
		}
		return analyse(t, s.trace(t))
	}
	c := compared(t, run(4, 9e9, 1e9), run(8, 4e9, 2e9), compare.Matching{})
	if got := differences(c, compare.ByCategory); !c.Scaled || got != "computing -4000000000, waiting +12000000000" ||
		c.Difference() != wide.Of(8e9) {
		t.Errorf("%s; difference %s", got, c.Difference())
	}
	if want :=
		"B takes 6 s on 8 threads (ideal: 5 s), A 10 s on 4: 20.0 % more core time: +30.0 % waiting " +
			"(unclassified), -10.0 % computing"; c.Headline() != want {
		t.Errorf("headline %q, want %q", c.Headline(), want)
	}
}

// Ranks that change places: times are equal, but not by whom they are caused. Of a run that takes no time nothing has a
// share.
func TestEqualSums(t *testing.T) {
	run := func(order ...int64) *compare.Run {
		s := newScript(3, prv.Nanoseconds)
		for th, length := range order {
			s.work(th, 2, length)
		}
		s.meet(10)
		return analyse(t, s.trace(t))
	}
	c := compared(t, run(10, 20, 30), run(30, 20, 10), compare.Matching{})
	if got, want := c.Headline(), "no difference in sum, only by cause and by ranks"; got != want {
		t.Errorf("headline %q, want %q", got, want)
	}
	none := newScript(3, prv.Nanoseconds)
	for th := range 3 {
		none.event(th, userFunction, 2)
	}
	c = compared(t, analyse(t, none.trace(t)), run(10, 20, 30), compare.Matching{})
	table := c.Table(compare.ByCategory, "B")
	if share := table.Foot[0][4]; table.Columns[4].Show(share) != "-" {
		t.Errorf("share of no time: %v", share)
	}
}

// Check 6: a run against itself, against itself shifted in time, and with threads in another order.
func TestSame(t *testing.T) {
	after := func(at int64, order ...int) *compare.Run {
		s := newScript(3, prv.Nanoseconds)
		for th := range s.now {
			s.now[th] = at
		}
		for range 4 {
			for th, rank := range order {
				s.work(th, 2, 10*int64(rank+1))
			}
			s.meet(10)
		}
		return analyse(t, s.trace(t))
	}
	skewed := func(order ...int) *compare.Run { return after(0, order...) }
	a := skewed(0, 1, 2)
	for name, c := range map[string]*compare.Result{
		"itself":  compared(t, a, skewed(0, 1, 2), compare.Matching{}),
		"shifted": compared(t, a, after(1234, 0, 1, 2), compare.Matching{}),
		"renamed": compared(t, a, skewed(2, 0, 1), compare.Matching{Threads: []int{1, 2, 0}}),
	} {
		for k := range compare.NumKinds {
			if got := differences(c, k); got != "" {
				t.Errorf("%s, by %s: %s", name, k, got)
			}
		}
		if got := c.Headline(); got != "no difference" {
			t.Errorf("%s: headline %q", name, got)
		}
		for _, p := range c.Pairs {
			if p.A != p.B {
				t.Errorf("%s: pairs %v", name, c.Pairs)
			}
		}
	}
	// Times are without the time before the first record, factors with it, and the run says so.
	if late := after(1234, 0, 1, 2); late.Duration != a.Duration || late.Factors() == a.Factors() ||
		!slices.Contains(late.Notes, "nothing is recorded in the first 1.234 us: times are without it, parallel "+
			"efficiency is with it") || slices.Contains(a.Notes, late.Notes[0]) {
		t.Errorf("shifted: %d ns, %+v, %v", late.Duration, late.Factors(), late.Notes)
	}
	for _, wrong := range [][]int{{0, 0, 1}, {0, 1}, {0, 1, 3}} {
		if _, err := compare.Compare(context.Background(), a, skewed(0, 1, 2),
			compare.Matching{Threads: wrong}); err == nil {
			t.Errorf("the map %v was accepted", wrong)
		}
	}
}

// Check 7: a measured run against its prediction: the account adds up to the error of the prediction.
func TestPrediction(t *testing.T) {
	tr := iterations(10_000, 30_000, 10_000).trace(t)
	p, err := dimemas.FromTrace(context.Background(), tr, dimemas.TranslateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.Run(context.Background(), p.Program, sim.Ideal(2), sim.Options{Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	c := compared(t, analyse(t, tr), analyse(t, r.Trace), compare.Matching{})
	if want := wide.Of(r.Total - tr.Duration); c.Difference() != want {
		t.Errorf("difference %s, prediction differs by %s", c.Difference(), want)
	}
}

// Check 8: a thread that is absent for part of the run is outside; the sums stay exact.
func TestAbsent(t *testing.T) {
	run := func(late int64) *compare.Run {
		s := newScript(2, prv.Nanoseconds)
		s.state(0, running, 100)
		s.state(1, created, late)
		s.state(1, running, 90-late) // and no record of the last 10
		return analyse(t, s.trace(t))
	}
	c := compared(t, run(10), run(40), compare.Matching{})
	if got := differences(c, compare.ByCategory); got != "computing -15, outside +15" {
		t.Error(got)
	}
}

// Check 9: long runs are matched near the diagonal: a loop more in a thousand, somewhere.
func TestThousandIterations(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	lengths := make([]int64, 1000)
	for i := range lengths {
		lengths[i] = 100 + rng.Int64N(10)
	}
	more := slices.Insert(slices.Clone(lengths), 700, 5000)
	c := compared(t, analyse(t, iterations(lengths...).trace(t)), analyse(t, iterations(more...).trace(t)),
		compare.Matching{})
	for _, p := range c.Pairs {
		if p.A < 0 && p.B != 701 || p.B < 0 { // after init
			t.Errorf("no partner: %v", p)
		}
	}
}

// Check 10: programs that have little in common.
func TestDifferentPrograms(t *testing.T) {
	s := newScript(2, prv.Nanoseconds)
	for range 5 {
		s.work(0, 4, 10)
		s.work(1, 4, 10)
		s.meet(8)
	}
	c := compared(t, analyse(t, iterations(10, 10, 10).trace(t)), analyse(t, s.trace(t)), compare.Matching{})
	if c.Alike || len(c.Of(compare.ByPhase)) != 1 || !strings.Contains(c.Headline(), "The programs differ") {
		t.Errorf("alike %v, headline %q", c.Alike, c.Headline())
	}
}

// Check 2: I 1.0e9 -> 1.2e9, IPC 1.0 -> 0.8, f 1 GHz: t 1 s -> 1.5 s. L = 0.5 / ln 1.5 = 1.2331517 s; instructions L ln
// 1.2 = 0.224831, IPC -L ln 0.8 = 0.275169, together 0.5 s.
func TestComputingSplit(t *testing.T) {
	run := func(time int64, instructions, cycles float64) *compare.Run {
		s := newScript(1, prv.Nanoseconds)
		s.state(0, running, time)
		r := analyse(t, s.trace(t))
		r.Instructions, r.Cycles = instructions, cycles
		return r
	}
	c := compared(t, run(1e9, 1e9, 1e9), run(1.5e9, 1.2e9, 1.5e9), compare.Matching{})
	s := c.Computing
	untold := compared(t, run(1e9, 0, 0), run(1.5e9, 0, 0), compare.Matching{})
	for _, x := range []struct {
		result *compare.Result
		by     compare.Kind
		split  bool
	}{{c, compare.NumKinds, true}, {c, compare.ByPhase, false}, {untold, compare.NumKinds, false}} {
		var page strings.Builder
		d := compare.Document([]*compare.Result{x.result}, compare.Selection{By: x.by})
		if err := document.WritePage(context.Background(), &page, d, 1<<20); err != nil {
			t.Fatal(err)
		}
		if split := strings.Contains(page.String(), "<td>frequency (GHz)</td>"); split != x.split {
			t.Errorf("by %v: the page says what makes computing longer: %v\n%s", x.by, split, page.String())
		}
		if !strings.Contains(page.String(), "<h3>Phase") { // of one part
			t.Errorf("by %v: the page has no phases\n%s", x.by, page.String())
		}
	}
	for name, v := range map[string][2]float64{"instructions": {s.Instructions, 0.224831e9}, "IPC": {s.IPC, 0.275169e9},
		"frequency": {s.Frequency, 0}} {
		if math.Abs(v[0]-v[1]) > 1e3 {
			t.Errorf("%s: %v, want %v", name, v[0], v[1])
		}
	}
	if sum := s.Instructions + s.IPC + s.Frequency; math.Abs(sum-0.5e9) > 1e-3 {
		t.Errorf("sum %v", sum)
	}
	if math.Signbit(s.Frequency) || math.Signbit(compared(t, run(1e9, 1e9, 1e9), run(1.5e9, 1.5e9, 1.5e9),
		compare.Matching{}).Computing.IPC) {
		t.Error("no difference is -0")
	}
}

// The differences of runs of one configuration are the noise. Computing 100, 104, 96: standard deviation 4.
func TestNoise(t *testing.T) {
	run := func(time int64) *compare.Run {
		s := newScript(1, prv.Nanoseconds)
		s.state(0, running, time)
		return analyse(t, s.trace(t))
	}
	for _, v := range []struct {
		b     int64
		noisy bool
	}{{107, true}, {109, false}} {
		c := compared(t, run(100), run(v.b), compare.Matching{})
		if err := c.SetNoise(context.Background(), []*compare.Run{run(104), run(96)}); err != nil {
			t.Fatal(err)
		}
		if p := c.Of(compare.ByCategory)[0]; p.Noise != wide.Of(8) || p.Noisy() != v.noisy {
			t.Errorf("%d: noise %s, noisy %v", v.b, p.Noise, p.Noisy())
		}
	}
}

// planted is a program of ten steps, with its adjustable parts. Times are in us.
type planted struct {
	threads     int
	solve       func(thread int) int64 // time of a step
	other       int64
	transfer    int64 // of the message to the next thread
	collectives []operation
}

// operation is a collective operation, and its time after the last arrival.
type operation struct{ what, cost int64 }

// usual returns the unchanged program: 8 threads, steps of about 1000 us, messages of 20 us, an Allreduce at the end of
// each step.
func usual() planted {
	return planted{8, func(th int) int64 { return 1000 + int64(th) }, 500, 20, []operation{{10, 20}}}
}

func (p planted) run(t *testing.T) *compare.Run {
	s := newScript(p.threads, prv.Microseconds)
	for range 10 {
		for th := range s.now {
			s.work(th, 2, p.solve(th))
			s.work(th, 4, p.other)
		}
		s.pass(p.transfer)
		for _, o := range p.collectives {
			s.meetFor(o.what, o.cost)
		}
	}
	return analyse(t, s.trace(t))
}

// pass makes each thread send a message to the next, with a given transfer time; the sends take 1.
func (s *script) pass(transfer int64) {
	const mpi, send, receive = 50000001, 1, 2
	n := len(s.now)
	sent := slices.Clone(s.now)
	for th := range s.now {
		s.event(th, mpi, send)
		s.state(th, waiting, 1)
		s.event(th, mpi, 0)
	}
	for th := range s.now {
		from := (th + n - 1) % n
		begin, done := s.now[th], max(s.now[th], sent[from])+transfer
		s.event(th, mpi, receive)
		s.state(th, waiting, done-begin)
		s.event(th, mpi, 0)
		s.b.Comm(prv.Comm{Send: int32(from), Recv: int32(th), Size: 8, Tag: 1,
			Times: [4]int64{prv.LogicalSend: sent[from], prv.PhysicalSend: sent[from], prv.LogicalRecv: begin,
				prv.PhysicalRecv: done}})
	}
}

// A change planted in a run is named first, in the sentence and in the table of its kind, and the parts add up. The run
// takes 10 steps of 1007 (thread 8 is the slowest) + 500 + 1 + 20 + 20 us = 15.48 ms. Thread 1.3 computing 2000 instead
// of 1002 us is 8 % of that, and its neighbour and then all others wait for it.
func TestPlantedChanges(t *testing.T) {
	base := usual().run(t)
	for _, c := range []struct {
		change string
		plant  func(p *planted)
		says   string // the headline
		kind   compare.Kind
		first  string // part of that kind
	}{
		{"a slower function", func(p *planted) { p.other += 300 }, "computing in other", compare.ByFunction, "other"},
		{"one slow rank", func(p *planted) {
			p.solve = func(th int) int64 {
				if th == 2 {
					return 2000
				}
				return 1000 + int64(th)
			}
		}, "+8.1 % computing in solve on thread 1.3, +56.1 % waiting for it", compare.ByCause, "1.3"},
		{"larger messages", func(p *planted) { p.transfer = 400 }, "transfer in MPI_Recv", compare.ByCall, "MPI_Recv"},
		{"another collective", func(p *planted) { p.collectives = []operation{{9, 90}, {7, 150}} },
			"transfer in MPI_Bcast", compare.ByCall, "MPI_Bcast"},
		{"more ranks", func(p *planted) {
			p.threads = 16
			p.solve = func(th int) int64 { return 500 + int64(th) } // scales; the other function does not
		}, "computing in other", compare.ByFunction, "other"},
	} {
		b := usual()
		c.plant(&b)
		r := compared(t, base, b.run(t), compare.Matching{})
		parts := r.Of(c.kind)
		if _, first, _ := strings.Cut(r.Headline(), ": "); !strings.Contains(first, c.says) {
			t.Errorf("%s: headline %q does not say %q", c.change, r.Headline(), c.says)
		}
		if len(parts) == 0 || parts[0].Name != c.first {
			t.Errorf("%s: parts %+v, want %q first", c.change, parts, c.first)
		}
	}
}

// A phase that has most of the difference is named, unless it is most of the run. Init takes 50 + 1 of 51 + 3
// * 11 + 21 = 105 ns, then 60 more; the loops together 3 more.
func TestPlace(t *testing.T) {
	a := analyse(t, iterations(10, 10, 10).trace(t))
	c := compared(t, a, analyse(t, iterationsAfter(110, 11, 11, 11).trace(t)), compare.Matching{})
	if want := "95.2 % of it in the phase init {1}"; !strings.Contains(c.Headline(), want) {
		t.Errorf("headline %q does not say %q", c.Headline(), want)
	}
	// The loops take 3 less: init has 60 of 57.
	c = compared(t, a, analyse(t, iterationsAfter(110, 9, 9, 9).trace(t)), compare.Matching{})
	if want := "; +57.1 % in the phase init {1}"; !strings.Contains(c.Headline(), want) {
		t.Errorf("headline %q does not say %q", c.Headline(), want)
	}
	c = compared(t, a, analyse(t, iterations(30, 30, 30).trace(t)), compare.Matching{}) // the loops, a third of the run
	if want := "100 % of it in the phase solve"; !strings.Contains(c.Headline(), want) {
		t.Errorf("headline %q does not say %q", c.Headline(), want)
	}
}

// Every pair of runs of the shared traces adds up.
func TestSharedTracesAddUp(t *testing.T) {
	var runs []*compare.Run
	for _, path := range prvtest.Traces(prvtest.Shared(t, "traces"), "*") {
		tr, err := prv.Open(context.Background(), path, prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, analyse(t, tr))
	}
	for i := range runs {
		compared(t, runs[i], runs[(i+1)%len(runs)], compare.Matching{})
		if c := compared(t, runs[i], runs[i], compare.Matching{}); c.Headline() != "no difference" {
			t.Errorf("%s against itself: %s", runs[i].Path, c.Headline())
		}
	}
}
