package study_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pview/sim"
	"pview/sim/parameter"
	"pview/sim/study"
)

// near checks a figure to a relative tolerance.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance*math.Abs(want) {
		t.Errorf("%s: %g, not %g", what, got, want)
	}
}

func link(t testing.TB, p *sim.Program) *sim.Program {
	t.Helper()
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	return p
}

// pipeline: blocks pass through the tasks; each task computes 1 ms for each.
func pipeline(t testing.TB, tasks, blocks int) *sim.Program {
	p := &sim.Program{}
	p.AddPtask()
	for range tasks {
		p.AddTask(1)
	}
	for i := range tasks {
		th := &p.Threads[i]
		for range blocks {
			if i > 0 {
				th.AddMessage(sim.Recv, sim.Message{Peer: int32(i - 1), Size: 1 << 10})
			}
			th.AddCompute(1e6)
			if i < tasks-1 {
				th.AddMessage(sim.Send, sim.Message{Peer: int32(i + 1), Size: 1 << 10})
			}
		}
	}
	return link(t, p)
}

// table11 are the rows of the thesis' table 11: LU class B, with 8 and with 32 tasks.
var table11 = []struct {
	tasks                int
	time, utilisation    float64
	slowdown, speedup    float64 // 0: none printed
	baseline, fewerTasks int     // row
}{
	{8, 41.513, 94.72, 0, 0, 0, 0},
	{8, 53.689, 73.36, 0.77, 0, 0, 1},
	{8, 44.268, 88.88, 0.94, 0, 0, 2},
	{8, 68.384, 58.00, 0.61, 0, 0, 3},
	{32, 10.848, 88.54, 0, 3.83, 4, 0},
	{32, 27.613, 35.03, 0.39, 1.94, 4, 1},
	{32, 12.644, 76.14, 0.86, 3.50, 4, 2},
	{32, 72.584, 13.68, 0.15, 0.94, 4, 3},
}

// TestTable11 is check D18: slowdowns and speedups follow from the times, to the printed digits; and the first half of
// D19: time x utilisation, the CPU seconds of a task, is the same in all scenarios: within 1 % of the mean with 8
// tasks, 3.5 % with 32.
func TestTable11(t *testing.T) {
	ns := func(row int) int64 { return int64(math.Round(table11[row].time * 1e9)) }
	cpu := map[int][]float64{}
	for i, r := range table11 {
		if got := study.Slowdown(ns(r.baseline), ns(i)); r.slowdown > 0 && math.Abs(got-r.slowdown) > 0.005 {
			t.Errorf("row %d: slowdown %.4f, not %.2f", i, got, r.slowdown)
		}
		if got := study.Speedup(ns(r.fewerTasks), ns(i)); r.speedup > 0 && math.Abs(got-r.speedup) > 0.005 {
			t.Errorf("row %d: speedup %.4f, not %.2f", i, got, r.speedup)
		}
		cpu[r.tasks] = append(cpu[r.tasks], r.time*r.utilisation/100)
	}
	for tasks, tolerance := range map[int]float64{8: 0.01, 32: 0.035} {
		mean := 0.0
		for _, v := range cpu[tasks] {
			mean += v / float64(len(cpu[tasks]))
		}
		for _, v := range cpu[tasks] {
			near(t, fmt.Sprintf("%d tasks: CPU seconds", tasks), v, mean, tolerance)
		}
	}
	// Ours: the same law, exactly, whatever the network: 4 tasks compute 10 ms each.
	axis, err := study.ParseAxis("latency=0,1ms,10ms")
	if err != nil {
		t.Fatal(err)
	}
	p := pipeline(t, 4, 10)
	points, _, err := study.Sweep(context.Background(), []study.Case{{Program: p, Machine: sim.IdealFor(p)}},
		[]study.Axis{axis}, ideal, study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, pt := range points {
		near(t, "CPU time of a task", pt.Computing*float64(pt.Total), 10e6, 1e-12)
	}
}

func ideal(s study.Case) *sim.Machine { return sim.IdealFor(s.Program) }

// TestTable14 is the other half of check D19: time x use x processors is 63.2 to 64.9 s in all rows: within 2 % of
// 64.05.
func TestTable14(t *testing.T) {
	for _, r := range [][3]float64{{14.74, 54, 8}, {23.16, 70, 4}, {19.76, 80, 4}, {23.50, 68, 4}, {20.90, 76, 4},
		{19.08, 84, 4}, {20.90, 76, 4}} {
		near(t, "CPU seconds", r[0]*r[1]/100*r[2], 64.05, 0.02)
	}
}

// table8Sums are the ping-pong of table 8, sums of 128 repetitions in seconds, for the sizes 0 and 2^0 to 2^20 bytes.
var table8Sums = []float64{0.002896077, 0.003044482, 0.003024237, 0.002309194, 0.002327217, 0.002348785, 0.002467115,
	0.002684582, 0.003554742, 0.003944063, 0.004625256,
	0.004112000, 0.005346608, 0.008004908, 0.016106396, 0.028667020, 0.055859816, 0.104688040, 0.189579208, 0.388594132,
	0.807166692, 1.468302348}

var table8Sizes = func() []float64 {
	sizes := []float64{0}
	for b := 1.0; b <= 1<<20; b *= 2 {
		sizes = append(sizes, b)
	}
	return sizes
}()

// TestTable8 is check D20: the fit of table 8.
func TestTable8(t *testing.T) {
	sizes, sums := table8Sizes, table8Sums
	times := make([]float64, len(sums))
	for i, s := range sums {
		times[i] = s / 128 * 1e9
	}
	all, err := study.FitNetwork(sizes, times)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "latency, us", all.Latency/1e3, 44.07, 1e-3)
	near(t, "bandwidth, MB/s", all.Bandwidth, 85.747, 1e-4)
	if all.Fit < 0.99 {
		t.Errorf("the line explains %g", all.Fit)
	}
	short, err := study.FitNetwork(sizes[:12], times[:12]) // up to 1024 bytes
	if err != nil {
		t.Fatal(err)
	}
	near(t, "latency of short messages, us", short.Latency/1e3, 21.77, 1e-3)
	near(t, "bandwidth of short messages, MB/s", short.Bandwidth, 64.03, 1e-3)
	model := study.Line{Latency: 25_000, Bandwidth: 87.5}
	near(t, "1 MiB by the model, us", model.Time(1<<20)/1e3, 11453.6, 1e-5)
	if e := 100 * (model.Time(1<<20)/times[len(times)-1] - 1); math.Abs(e+0.15) > 0.01 {
		t.Errorf("error of the model %.3f %%, not -0.15", e)
	}
	if _, err := study.FitNetwork([]float64{8, 8}, []float64{1, 2}); err == nil {
		t.Error("a line through one size")
	}
}

// TestTable19 is check D21: messages a second are messages over time; and no run is shorter than its messages on the
// one bus, with MB of 2^20 bytes (of 10^6 FFT4 would be: 44.04 s of 42.39).
func TestTable19(t *testing.T) {
	for _, r := range []struct {
		name            string
		tasks, messages int
		bytes           float64
		times, rates    [2]float64 // NOW, HPC
		bus             bool
	}{
		{"FFT4", 4, 48, 229378.6, [2]float64{42.387596, 5.794899}, [2]float64{1.13, 8.28}, true},
		{"FFT8", 8, 105, 61168.4, [2]float64{9.161998, 3.269270}, [2]float64{11.46, 32.12}, false},
		{"IS4", 4, 121, 272730.9, [2]float64{139.025563, 25.586458}, [2]float64{0.87, 4.74}, true},
		{"IS8", 8, 243, 79399.5, [2]float64{20.815442, 17.806472}, [2]float64{11.68, 13.65}, false},
		{"LU5", 5, 5290, 152.4, [2]float64{15.730039, 8.791915}, [2]float64{336.30, 601.69}, true},
		{"LU9", 9, 5330, 151.4, [2]float64{13.873308, 6.393461}, [2]float64{384.17, 833.63}, false},
		{"MG4", 4, 316, 9240.8, [2]float64{6.522070, 1.915991}, [2]float64{48.49, 165.06}, false},
		{"MG8", 8, 164, 10175.2, [2]float64{2.102434, 1.233535}, [2]float64{77.89, 132.75}, false},
	} {
		for i := range r.times {
			if got := float64(r.messages) / r.times[i]; math.Abs(got-r.rates[i]) > 0.003*r.rates[i]+0.005 {
				t.Errorf("%s: %.3f messages/s, not %.2f", r.name, got, r.rates[i])
			}
		}
		busy := busTime(r.tasks, r.messages, r.bytes, 1)
		if r.bus && busy > r.times[0] {
			t.Errorf("%s: its messages take %.2f s of one bus, the run %.2f s", r.name, busy, r.times[0])
		}
		if r.name == "FFT8" && busy < 48.9 { // so the rows of 8 tasks had more than one bus
			t.Errorf("%s: its messages take %.2f s of one bus", r.name, busy)
		}
	}
	if decimal := busTime(4, 48, 229378.6, 1e6/(1<<20)); decimal < 44.03 || decimal > 44.05 {
		t.Errorf("with MB of 10^6 bytes %g s", decimal)
	}
}

// Times alone with 8 tasks on the network of workstations (table 19), and the speeds of table 21, FIFO and RR.
var (
	fft8, is8, lu9, mg8 = 9.161998, 20.815442, 13.873308, 2.102434
	// The same with one bus, as the column "batch" of table 22 has them.
	fftBus, isBus, luBus, mgBus = 49.182687, 153.819433, 17.359274, 12.825219

	table21 = []struct {
		name               string
		alone, bus         []float64
		fifo4, rr4         []float64
		fifo8, rr8         []float64
		batch, own         float64 // table 22, and by table 19's times
		printed, recovered [2]float64
	}{
		{"B1", []float64{fft8, is8, lu9}, []float64{fftBus, isBus, luBus}, []float64{.325, .738, .014},
			[]float64{.527, .862, .150},
			[]float64{.265, .892, .131}, []float64{.704, .508, .459}, 0.013614, 0.068414,
			[2]float64{0.081306, 0.134448}, [2]float64{0.081219, 0.134329}},
		{"B2", []float64{fft8, is8, mg8}, []float64{fftBus, isBus, mgBus}, []float64{.317, .724, .029},
			[]float64{.523, .860, .170},
			[]float64{.268, .913, .120}, []float64{.703, .501, .508}, 0.013900, 0.093517,
			[2]float64{0.130561, 0.342844}, [2]float64{0.130190, 0.342423}},
		{"B3", []float64{fft8, lu9, mg8}, []float64{fftBus, luBus, mgBus}, []float64{.901, .040, .098},
			[]float64{.886, .382, .273},
			[]float64{.730, .459, .360}, []float64{.732, .420, .520}, 0.037799, 0.119342,
			[2]float64{0.284145, 0.357830}, [2]float64{0.283992, 0.357502}},
		{"B4", []float64{is8, lu9, mg8}, []float64{isBus, luBus, mgBus}, []float64{.895, .049, .157},
			[]float64{.911, .239, .160},
			[]float64{.912, .146, .113}, []float64{.457, .435, .486}, 0.016304, 0.081541,
			[2]float64{0.108203, 0.284697}, [2]float64{0.108085, 0.284471}},
	}
)

// TestTable22 is check D22: the throughput of table 22 from the speeds of table 21, and of one program after the other.
func TestTable22(t *testing.T) {
	for _, r := range table21 {
		for i, speeds := range [][]float64{r.fifo8, r.rr8} {
			got := sharedThroughput(r.alone, speeds)
			near(t, r.name+": shared", got, r.recovered[i], 1e-5)
			near(t, r.name+": shared, as printed", got, r.printed[i], 0.003)
		}
		for _, c := range []struct {
			alone []float64
			want  float64
		}{{r.bus, r.batch}, {r.alone, r.own}} {
			s, err := study.Share(c.alone, c.alone)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(s.Batch-c.want) > 1e-6 {
				t.Errorf("%s: one after the other %.7f, not %.6f", r.name, s.Batch, c.want)
			}
		}
	}
}

// TestFairness is check D23: with 8 tasks RR is fair to all loads and FIFO to B3 alone; with 4 tasks none is.
func TestFairness(t *testing.T) {
	for _, r := range table21 {
		if study.IsFair(r.fifo4) || study.IsFair(r.rr4) || study.IsFair(r.fifo8) != (r.name == "B3") ||
			!study.IsFair(r.rr8) {
			t.Errorf("%s: fair? %v %v %v %v", r.name, study.IsFair(r.fifo4), study.IsFair(r.rr4), study.IsFair(r.fifo8),
				study.IsFair(r.rr8))
		}
	}
}

// TestSharing is check D24: alone 10, 20, 30, shared 20, 50, 60.
//
//	speeds .5 .4 .5; their sum 1.4; the slowest 60, so the others run 3 and 1.2 times meanwhile;
//	one after the other 10 x 3 + 20 x 1.2 + 30 = 84 = 1.4 x 60
//	mean .46667: sqrt((.03333^2 + .06667^2 + .03333^2) / 2) = .057735
func TestSharing(t *testing.T) {
	s, err := study.Share([]float64{10, 20, 30}, []float64{20, 50, 60})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{.5, .4, .5} {
		near(t, "speed", s.Speeds[i], want, 1e-12)
		near(t, "repeats", s.Repeats[i], []float64{3, 1.2, 1}[i], 1e-12)
	}
	near(t, "gain", s.Gain, 1.4, 1e-12)
	near(t, "one after the other", s.Sequential, 84, 1e-12)
	near(t, "unfairness", s.Unfairness, 0.057735, 1e-5)
	near(t, "slowdown ratio", s.SlowdownRatio, 1.25, 1e-12) // 2.5 over 2
	if !s.Fair {
		t.Error("all keep more than a third")
	}
	for _, bad := range [][2][]float64{{{}, {}}, {{1}, {1, 2}}, {{0}, {1}}, {{1}, {math.NaN()}}, {{1}, {math.Inf(1)}}} {
		if _, err := study.Share(bad[0], bad[1]); !errors.Is(err, study.ErrSharing) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

// message: task 1 sends a message to task 2, which waits for it.
func message(t testing.TB, size int64) *sim.Program {
	p := &sim.Program{}
	p.AddPtask()
	a, b := p.AddTask(1), p.AddTask(1)
	p.Threads[a].AddCompute(0)
	p.Threads[a].AddMessage(sim.Send, sim.Message{Peer: b, Size: size})
	p.Threads[b].AddCompute(0)
	p.Threads[b].AddMessage(sim.Recv, sim.Message{Peer: a, Size: size})
	return link(t, p)
}

// TestSensitivity is check D40: y = L + 300/W at L = 90, 110 and W = 0.9, 1.1: first by its times, then by simulations
// of a message of 3 MB with L in units of 10 ms: 3 MB at 0.9 MB/s take 3333.33 ms.
//
//	y = 423.333, 443.333, 362.727, 382.727
//	q0 = 1612.121/4 = 403.030; qL = (-423.333+443.333-362.727+382.727)/4 = 10; qW = (-423.333-443.333+362.727+382.727)/4
//	= -30.303
//	qLW = 0; shares 10^2/(10^2+30.303^2) = 9.82 % and 90.18 %
func TestSensitivity(t *testing.T) {
	effects, err := study.Effects([]float64{90 + 300/0.9, 110 + 300/0.9, 90 + 300/1.1, 110 + 300/1.1})
	if err != nil {
		t.Fatal(err)
	}
	check := func(effects []study.Effect, unit, tolerance float64) {
		t.Helper()
		for i, want := range []float64{403.030, 10, -30.303, 0} {
			if got := effects[i].Q / unit; math.Abs(got-want) > tolerance {
				t.Errorf("effect %d: %g, not %g", i, got, want)
			}
		}
		near(t, "share of L", effects[1].Share, 0.0982, 1e-3)
		near(t, "share of W", effects[2].Share, 0.9018, 1e-3)
	}
	check(effects, 1, 5e-4)

	p := message(t, 3<<20)
	m := sim.IdealFor(p)
	for _, set := range []string{"latency=1", "bandwidth=1MB/s"} { // 1 s: 100 units
		a, err := study.ParseAxis(set)
		if err != nil {
			t.Fatal(err)
		}
		a.Values[0].Apply(&study.Case{Program: p, Machine: m})
	}
	var factors []study.Factor
	for _, name := range []string{"latency", "bandwidth"} {
		f, err := study.ParseFactor(name, m, 0.1)
		if err != nil {
			t.Fatal(err)
		}
		factors = append(factors, f)
	}
	a, err := study.Vary(context.Background(), study.Case{Program: p, Machine: m}, factors, study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	check(a.Effects, 1e7, 5e-4)
	if name := a.EffectName(&a.Effects[3]); name != "latency and bandwidth" {
		t.Error(name)
	}
	if v, _ := parameter.ByName("latency").Get(m); v != 1e9 {
		t.Error("the study has changed its machine")
	}
}

// TestThreeFactors: of y = 5 + x1 + 2 x2 - 3 x1 x3 the effects are the coefficients.
func TestThreeFactors(t *testing.T) {
	var y []float64
	for i := range 8 {
		x := func(k int) float64 { return float64(i>>k&1)*2 - 1 }
		y = append(y, 5+x(0)+2*x(1)-3*x(0)*x(2))
	}
	effects, err := study.Effects(y)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range effects {
		want := map[int]float64{0: 5, 1: 1, 2: 2, 5: -3}[i]
		share := map[int]float64{1: 1.0 / 14, 2: 4.0 / 14, 5: 9.0 / 14}[i]
		if math.Abs(e.Q-want) > 1e-12 || math.Abs(e.Share-share) > 1e-12 {
			t.Errorf("effect %03b: %+v", i, e)
		}
	}
	for _, n := range []int{0, 1, 3, 6} {
		if _, err := study.Effects(make([]float64, n)); err == nil {
			t.Errorf("%d times are a design", n)
		}
	}
}

// blocks returns a thread of 10 s, 4 of them in block 1 of type 40, which has a block 2 of 1 s within.
func blocks(t *testing.T) *sim.Program {
	p := &sim.Program{}
	p.AddPtask()
	th := &p.Threads[p.AddTask(1)]
	th.AddCompute(3e9)
	th.AddEvent(40, 1)
	th.AddCompute(1.5e9)
	th.AddEvent(40, 2)
	th.AddCompute(1e9)
	th.AddEvent(40, 0)
	th.AddCompute(2.5e9)
	th.AddEvent(40, 0)
	th.AddCompute(2e9)
	return link(t, p)
}

// TestBlocks is check D41: 4 of 10 s in a block that computes twice as fast: 8 s; half as fast: 14 s. The block within
// keeps its time. On a single thread the run gains what the block does: a yield of 1.
func TestBlocks(t *testing.T) {
	p := blocks(t)
	list, outside := study.BlocksOf(p, study.DefaultBlocks)
	want := []study.Block{{Type: 40, Value: 1, Computation: 4e9}, {Type: 40, Value: 2, Computation: 1e9}}
	if !reflect.DeepEqual(list, want) || outside != 5e9 {
		t.Fatalf("%+v, outside %g", list, outside)
	}
	s := study.Case{Program: p, Machine: sim.IdealFor(p)}
	for factor, total := range map[float64][2]int64{2: {8e9, 95e8}, 0.5: {14e9, 11e9}} {
		gains, base, err := study.Faster(context.Background(), s, list, factor, study.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if base.Total != 10e9 {
			t.Errorf("the run takes %d", base.Total)
		}
		for _, g := range gains {
			if g.Total != total[g.Value-1] {
				t.Errorf("%g times as fast, block %d: %d, not %d", factor, g.Value, g.Total, total[g.Value-1])
			}
			near(t, "yield", g.Yield, 1, 1e-9)
		}
		if !slices.IsSortedFunc(gains, func(a, b study.Gain) int { return int(a.Total - b.Total) }) {
			t.Error("gains are not in order")
		}
	}
}

// TestYield: of two tasks that meet, the first computes 3 s in block 1, the second 1 s in block 2: making the first
// three times as fast gains 2 s of 3, making the second faster nothing. The mean thread gains 1 s of the first, so its
// yield is 2.
func TestYield(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	p.AddTask(1)
	p.AddTask(1)
	world := p.AddCommunicator(0, 1, []int32{0, 1})
	for i, ns := range []float64{3e9, 1e9} {
		th := &p.Threads[i]
		th.AddEvent(40, int64(i+1))
		th.AddCompute(ns)
		th.AddEvent(40, 0)
		th.AddCollective(sim.Collective, sim.CollectiveCall{Communicator: world})
	}
	link(t, p)
	list, _ := study.BlocksOf(p, study.DefaultBlocks)
	gains, _, err := study.Faster(context.Background(), study.Case{Program: p, Machine: sim.IdealFor(p)}, list, 3,
		study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if gains[0].Value != 1 || gains[0].Total != 1e9 || math.Abs(gains[0].Yield-2) > 1e-9 ||
		math.Abs(gains[0].Saved-2.0/3) > 1e-9 {
		t.Errorf("%+v", gains[0])
	}
	if gains[1].Total != 3e9 || gains[1].Yield != 0 {
		t.Errorf("%+v", gains[1])
	}
}

// TestSweep: two axes, two programs. A pipeline of P tasks and n blocks of 1 ms with latency L takes n c + (n-1) L +
// (P-1)(c + L + x) by the thesis, where only senders pay the latency.
func TestSweep(t *testing.T) {
	rules, err := sim.ModelRules("thesis")
	if err != nil {
		t.Fatal(err)
	}
	var axes []study.Axis
	for _, text := range []string{"latency=0,100us..400us*2", "cpu-ratio=1,2"} {
		a, err := study.ParseAxis(text)
		if err != nil {
			t.Fatal(err)
		}
		axes = append(axes, a)
	}
	var subjects []study.Case
	for _, tasks := range []int{4, 8} {
		p := pipeline(t, tasks, 50)
		subjects = append(subjects, study.Case{Program: p, Machine: sim.IdealFor(p), Rules: rules})
	}
	opt := study.Options{RunOptions: study.RunOptions{Workers: 1}}
	points, bases, err := study.Sweep(context.Background(), subjects, axes, ideal, opt)
	if err != nil || len(points) != 2*4*2 || len(bases) != 2 {
		t.Fatal(len(points), len(bases), err)
	}
	for _, p := range points {
		tasks := float64(len(subjects[p.Subject].Program.Tasks))
		l, c := axes[0].Values[p.At[0]].Number, 1e6/axes[1].Values[p.At[1]].Number
		if want := int64(50*c + 49*l + (tasks-1)*(c+l)); p.Total != want {
			t.Errorf("%g tasks, latency %g, burst %g: %d, not %d", tasks, l, c, p.Total, want)
		}
		if want := float64(bases[p.Subject].Total) / float64(p.Total); p.Slowdown != want {
			t.Errorf("slowdown %g, not %g", p.Slowdown, want)
		}
	}
	// 50 + 3 bursts of 4 tasks, 50 + 7 of 8: a pipeline does not gain by more stages of the same work.
	if got := points[8].Speedup; math.Abs(got-53.0/57) > 1e-12 {
		t.Errorf("speedup %g", got)
	}
	opt.Workers = 8
	again, _, err := study.Sweep(context.Background(), subjects, axes, ideal, opt)
	if err != nil || !reflect.DeepEqual(again, points) {
		t.Error("the answer depends on the number of cores")
	}
}

// TestOccupied: the sender has a latency of 25 us on its CPU, the receiver as much of its own; the run takes 25 + 10000
// us.
func TestOccupied(t *testing.T) {
	p := message(t, 1<<20)
	m := sim.IdealFor(p)
	m.Clusters[0].Bandwidth = 100
	for i := range m.Nodes {
		m.Nodes[i].Latency = 25_000
	}
	out, err := study.Run(context.Background(), []study.Case{{Program: p, Machine: m}}, study.Options{})
	if err != nil || out[0].Total != 10_025_000 || out[0].Computing != 0 {
		t.Fatalf("%+v, %v", out, err)
	}
	near(t, "occupied", out[0].Occupied, 50.0/2/10025, 1e-9)
}

func TestParseAxis(t *testing.T) {
	for text, want := range map[string]string{
		"latency=5us":                 "5000",
		"latency=0..30us+10us":        "0 10000 20000 30000",
		"latency=1us..1ms*10":         "1000 10000 100000 1e+06",
		"bandwidth=1..1GB/s*32":       "1 32 1024",
		"buses=0,1..4+1":              "0 1 2 3 4",
		"policy=FIFO,RR":              "0 1",
		"latency=0.1us..0.3us+0.1us":  "100 200 300",
		"bandwidth=infinite,100":      "0 100",
		" latency = 1us , 2us..4us*2": "1000 2000 4000",
	} {
		a, err := study.ParseAxis(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var got []string
		for _, v := range a.Values {
			got = append(got, fmt.Sprintf("%.6g", v.Number))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, not %s", text, got, want)
		}
	}
	for _, bad := range []string{"latency", "latency=", "speed=1", "latency=1us..2us", "latency=0..1ms*10",
		"latency=1..2*1", "latency=2us..1us+1us", "latency=0..1+1ns", "latency=0..1+0",
		"policy=NONE", "latency=1us..x*2", "latency=1xs"} {
		if _, err := study.ParseAxis(bad); err == nil {
			t.Errorf("%s is an axis", bad)
		}
	}
}

func TestParseFactor(t *testing.T) {
	p := message(t, 1)
	m := sim.IdealFor(p)
	m.Clusters[0].Buses = 4
	// 0 and infinite have no tenth
	for _, bad := range []string{"latency", "bandwidth", "policy", "speed", "latency=1us", "latency=1us,2us,3us"} {
		if _, err := study.ParseFactor(bad, m, 0.1); err == nil {
			t.Errorf("%s can be varied", bad)
		}
	}
	f, err := study.ParseFactor("buses", m, 0.25)
	if err != nil || f.Low.Number != 3 || f.High.Number != 5 {
		t.Errorf("%+v, %v", f, err)
	}
	if f, err = study.ParseFactor("60000019:3", m, 0.1); err != nil || f.Low.Number != 0.9 {
		t.Errorf("%+v, %v", f, err)
	}
	f.High.Apply(&study.Case{Program: p, Machine: m})
	if len(m.Modules) != 1 || m.Modules[0] != (sim.Module{Type: 60000019, Value: 3, Ratio: 1.1}) {
		t.Errorf("%+v", m.Modules)
	}
}

func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := message(t, 1)
	if _, err := study.Run(ctx, []study.Case{{Program: p, Machine: sim.IdealFor(p)}}, study.Options{}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

// TestFailures: a simulation that fails is told, and the others are made.
func TestFailures(t *testing.T) {
	p := message(t, 1)
	small := sim.IdealFor(p)
	small.Nodes = small.Nodes[:1] // for two tasks
	out, err := study.Run(context.Background(),
		[]study.Case{{Program: p, Machine: small}, {Program: p, Machine: sim.IdealFor(p)}}, study.Options{})
	if err != nil || out[0].Err == nil || out[1].Err != nil {
		t.Errorf("%+v, %v", out, err)
	}
}

// sharedThroughput returns the number of programs completed per unit of time, from the time alone and the speed of each
// (section 8.3: the sum of S_i/Td_i).
func sharedThroughput(alone, speeds []float64) float64 {
	sum := 0.0
	for i := range alone {
		sum += speeds[i] / alone[i]
	}
	return sum
}

// busTime returns the busy time of a single-bus network for the messages of a program, s: a lower bound of its run.
// messages is per task, bytes per message, bandwidth in MB/s of 2^20 bytes.
func busTime(tasks, messages int, bytes, bandwidth float64) float64 {
	return float64(tasks) * float64(messages) * bytes / (bandwidth * (1 << 20))
}
