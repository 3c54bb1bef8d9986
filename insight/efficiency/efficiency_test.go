package efficiency_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"pview/insight/efficiency"
	"pview/prv"
	"pview/sim"
)

// flat is a run of two processes. The first computes for 60 ns, sends 1000 bytes, and computes for 10 more; the second
// computes for 20, waits for them from 20 to 80, and computes for 20 more. The counters of instructions
// (42000050) and cycles (42000059) are read where computation ends and begins.
//
//	1  |############60|send 70|##80|            useful 60 + 10 = 70
//	2  |####20|recv                80|####100   useful 20 + 20 = 40
const flat = `#Paraver (01/01/26 at 00:00):100_ns:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:60:1
1:2:1:2:1:0:20:1
2:2:1:2:1:20:50000001:2:42000050:200:42000059:100
1:2:1:2:1:20:80:3
2:1:1:1:1:60:50000001:1:42000050:600:42000059:300
1:1:1:1:1:60:70:4
3:1:1:1:1:60:60:2:1:2:1:20:80:1000:1
1:1:1:1:1:70:80:1
2:1:1:1:1:70:50000001:0:42000050:5:42000059:50
2:1:1:1:1:80:42000050:100:42000059:100
2:2:1:2:1:80:50000001:0:42000050:7:42000059:60
1:2:1:2:1:80:100:1
2:2:1:2:1:100:42000050:200:42000059:200
`

// alone is the same work on one process: 90 ns, 1000 instructions in 600 cycles.
const alone = `#Paraver (01/01/26 at 00:00):90_ns:1(1):1:1(1:1)
1:1:1:1:1:0:90:1
2:1:1:1:1:90:42000050:1000:42000059:600
`

// hybrid is a run of two processes of two threads, of 100 ns. MPI is called by the first threads.
//
//	1.1  |####40|MPI  60|####80|MPI  100|  useful 40 + 20 = 60   outside MPI 60
//	1.2  |##20|                            useful 20
//	2.1  |###30|wait 40|MPI  60|####100|   useful 30 + 40 = 70   outside MPI 80
//	2.2  |###30|                           useful 30
const hybrid = `#Paraver (01/01/26 at 00:00):100_ns:1(4):1:2(2:1,2:1)
1:1:1:1:1:0:40:1
1:2:1:1:2:0:20:1
1:3:1:2:1:0:30:1
1:4:1:2:2:0:30:1
1:3:1:2:1:30:40:7
2:1:1:1:1:40:50000001:1
2:3:1:2:1:40:50000001:2
1:1:1:1:1:40:60:4
1:3:1:2:1:40:60:3
3:1:1:1:1:40:40:3:1:2:1:40:60:1000:1
2:1:1:1:1:60:50000001:0
2:3:1:2:1:60:50000001:0
1:1:1:1:1:60:80:1
1:3:1:2:1:60:100:1
2:1:1:1:1:80:50000003:32
1:1:1:1:1:80:100:15
2:1:1:1:1:100:50000003:0
2:3:1:2:1:100:60000001:0
`

func run(t *testing.T, text string, opt efficiency.Options) *efficiency.Run {
	t.Helper()
	trace, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := efficiency.Measure(context.Background(), trace, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// expect compares factors of a run, by name, to nine digits; NaN is no value.
func expect(t *testing.T, r *efficiency.Report, column int, want map[string]float64) {
	t.Helper()
	for name, v := range want {
		f, ok := efficiency.Lookup(name)
		if !ok {
			t.Fatalf("there is no factor %q", name)
		}
		if got := r.Value(f, column); math.Abs(got-v) > math.Abs(v)*1e-9 || math.IsNaN(got) != math.IsNaN(v) {
			t.Errorf("%s of run %d: %v, not %v", name, column, got, v)
		}
	}
}

func TestFactors(t *testing.T) {
	r := efficiency.Compare([]*efficiency.Run{run(t, flat, efficiency.Options{}), run(t, alone, efficiency.Options{})},
		efficiency.Strong)
	expect(t, r, 1, map[string]float64{
		"Load balance %":             100 * 55.0 / 70, // average of 70 and 40 over their maximum
		"Communication efficiency %": 70,              // 70 of 100 ns
		"Parallel efficiency %":      55,              // 55 of 100 ns
		// On the ideal network the second waits until 60 only and ends at 80, the first at 70.
		"Runtime (ideal, us)":                      0.080,
		"Useful duration, ideal run, maximum (us)": 0.070,
		"Serialization efficiency %":               100 * 70.0 / 80,
		"Transfer efficiency %":                    80, // 70 % / 87.5 %
		// Against one process: 90 ns of computation became 110.
		"Computation scalability %": 100 * 90.0 / 110,
		"Global efficiency %":       45, // 90 ns of work on 2 processors in 100 ns
		"Speedup":                   0.9,
		// Readings that end computation: 600 + 100 and 200 + 200 instructions, 300 + 100 and 100 + 200 cycles.
		"Useful instructions, total": 1100,
		"Useful cycles, total":       700,
		"Average IPC":                1100.0 / 700,
		"Average frequency (GHz)":    700.0 / 110,
		"Instruction scalability %":  100 * 1000.0 / 1100,
		"IPC scalability %":          100 * (1100.0 / 700) / (1000.0 / 600),
		"Frequency scalability %":    100 * (700.0 / 110) / (600.0 / 90),
		"MPI parallel efficiency %":  math.NaN(), // not hybrid
	})
	expect(t, r, 0, map[string]float64{"Parallel efficiency %": 100, "Global efficiency %": 100, "Speedup": 1,
		"Serialization efficiency %": 100})
}

// TestWeakScaling: as much work per process: the factors that compare amounts of work are doubled on twice the size.
func TestWeakScaling(t *testing.T) {
	r := efficiency.Compare([]*efficiency.Run{run(t, alone, efficiency.Options{}), run(t, flat, efficiency.Options{})},
		efficiency.Weak)
	expect(t, r, 1, map[string]float64{
		"Computation scalability %": 2 * 100 * 90.0 / 110,
		"Instruction scalability %": 2 * 100 * 1000.0 / 1100,
		"Speedup":                   1.8,
		"IPC scalability %":         100 * (1100.0 / 700) / (1000.0 / 600),
		"Parallel efficiency %":     55,
	})
}

// TestDetectScaling: 1100 instructions of 2 processes against 1000 of one are 0.55 of weak scaling; against 600 they
// are 0.917, which is above 0.9.
func TestDetectScaling(t *testing.T) {
	few := strings.Replace(alone, "42000050:1000", "42000050:600", 1)
	none := strings.Replace(alone, "42000050:1000", "42000051:1000", 1)
	for text, want := range map[string]efficiency.Scaling{alone: efficiency.Strong, few: efficiency.Weak,
		none: efficiency.Strong} {
		r := efficiency.Compare([]*efficiency.Run{run(t, text, efficiency.Options{}),
			run(t, flat, efficiency.Options{})}, efficiency.Auto)
		if r.Scaling != want {
			t.Errorf("%v, not %v", r.Scaling, want)
		}
		if said := len(r.Notes) > 0; said != (text == none) {
			t.Errorf("notes: %q", r.Notes)
		}
	}
	// Twice the instructions on 4 threads, after 2: as much on each.
	r := efficiency.Compare([]*efficiency.Run{{Threads: 2, Instructions: 1000}, {Threads: 4, Instructions: 2000}},
		efficiency.Auto)
	if r.Scaling != efficiency.Weak {
		t.Errorf("from 2 to 4 threads: %v", r.Scaling)
	}
}

// TestHybrid: the factors of MPI and OpenMP.
func TestHybrid(t *testing.T) {
	r := efficiency.Compare([]*efficiency.Run{run(t, hybrid, efficiency.Options{})}, efficiency.Auto)
	if got := r.Labels()[0]; got != "2x2" || !r.Hybrid() {
		t.Errorf("label %q, hybrid %v", got, r.Hybrid())
	}
	expect(t, r, 0, map[string]float64{
		"Load balance %":             100 * 45.0 / 70, // 60, 20, 70, 30: average 45
		"Communication efficiency %": 70,
		"Parallel efficiency %":      45,

		"Outside MPI, average (us)":      0.070, // 60 and 80
		"Outside MPI, maximum (us)":      0.080,
		"MPI load balance %":             87.5, // 70 / 80
		"MPI communication efficiency %": 80,   // 80 / 100
		"MPI parallel efficiency %":      70,

		"OpenMP load balance %":             100 * (45.0 / 70) / 0.875,
		"OpenMP communication efficiency %": 87.5, // 70 / 80
		"OpenMP parallel efficiency %":      100 * 45.0 / 70,
	})
}

// TestWithoutCounters: what cannot be computed has no value, and a note says so; the rest is there.
func TestWithoutCounters(t *testing.T) {
	one := run(t, strings.NewReplacer("42000050", "1", "42000059", "2").Replace(flat), efficiency.Options{})
	r := efficiency.Compare([]*efficiency.Run{one}, efficiency.Auto)
	expect(t, r, 0, map[string]float64{"Average IPC": math.NaN(), "IPC scalability %": math.NaN(),
		"Instruction scalability %": math.NaN(),
		"Useful cycles, total":      math.NaN(), "Parallel efficiency %": 55, "Serialization efficiency %": 87.5})
	if len(one.Notes) != 1 || !strings.Contains(one.Notes[0], "42000050") {
		t.Errorf("notes %q", one.Notes)
	}
}

// TestEagerNote: the first process sends at 10 ns and computes for 70 more, the second computes for 80 and receives. On
// an ideal network the run takes 80 ns. In sim MPI_Send waits for its receiver, whatever the size, so that it takes
// 80 + 70: a note says so of 1000 bytes, unless the limit is the user's. Of 40,000 both say 150.
func TestEagerNote(t *testing.T) {
	const late = `#Paraver (01/01/26 at 00:00):160_ns:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:10:1
1:2:1:2:1:0:80:1
2:1:1:1:1:10:50000001:1
3:1:1:1:1:10:10:2:1:2:1:80:81:1000:1
2:1:1:1:1:81:50000001:0
2:2:1:2:1:80:50000001:2
2:2:1:2:1:81:50000001:0
1:1:1:1:1:81:151:1
2:1:1:1:1:151:50000003:31
`
	asRecorded := int64(-1)
	large := strings.Replace(late, ":1000:1\n", ":40000:1\n", 1)
	for _, c := range []struct {
		text string
		opt  efficiency.Options
		want bool
	}{{late, efficiency.Options{}, true}, {late, efficiency.Options{EagerLimit: &asRecorded}, false},
		{large, efficiency.Options{}, false}} {
		notes := strings.Join(run(t, c.text, c.opt).Notes, "\n")
		if got := strings.Contains(notes, "the ideal run takes 80 ns,") &&
			strings.Contains(notes, "by the calls, as in sim, it is 150 ns"); got != c.want {
			t.Errorf("%v: %s", c.opt, notes)
		}
	}
}

// TestNoUsefulTime: events alone give no useful time, so that no factor has a value, not even one of 0 %.
func TestNoUsefulTime(t *testing.T) {
	one := run(t, "#Paraver (01/01/26 at 00:00):1000_ns:1(2):1:2(1:1,1:1)\n2:1:1:1:1:100:7:1\n", efficiency.Options{})
	r := efficiency.Compare([]*efficiency.Run{one}, efficiency.Auto)
	none := math.NaN()
	expect(t, r, 0, map[string]float64{"Load balance %": none, "Communication efficiency %": none,
		"Parallel efficiency %": none, "Useful duration, total (us)": 0})
	if len(one.Notes) == 0 || !strings.Contains(one.Notes[0], "no useful time, and no factors") {
		t.Errorf("notes %q", one.Notes)
	}
}

// TestNotSimulated: a message that is never sent keeps the ideal run from ending; all other factors have values.
func TestNotSimulated(t *testing.T) {
	lost := run(t, strings.Replace(flat, "3:1:1:1:1:60:60:2:1:2:1:20:80:1000:1\n", "", 1), efficiency.Options{})
	r := efficiency.Compare([]*efficiency.Run{lost}, efficiency.Auto)
	expect(t, r, 0, map[string]float64{"Serialization efficiency %": math.NaN(), "Transfer efficiency %": math.NaN(),
		"Communication efficiency %": 70})
	if len(lost.Notes) != 1 || !strings.Contains(lost.Notes[0], "not simulated: ") {
		t.Errorf("notes %q", lost.Notes)
	}
}

// TestCollectivesLeftOut: collective operations without their sizes cannot be simulated, but the trace has them.
func TestCollectivesLeftOut(t *testing.T) {
	r := run(t, "#Paraver (01/01/26 at 00:00):100_ns:1(2):1:2(1:1,1:1)\n1:1:1:1:1:0:90:1\n1:2:1:2:1:0:90:1\n"+
		"2:1:1:1:1:90:50000002:8\n2:2:1:2:1:90:50000002:8\n2:1:1:1:1:100:50000002:0\n2:2:1:2:1:100:50000002:0\n",
		efficiency.Options{})
	want := "not simulated: 2 collective operations without sizes and communicator are skipped, and nothing "
	if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, want) {
		t.Errorf("notes %q", notes)
	}
}

// TestIdealDeviates: process 1 exists from 20 ns on and computes 40 + 10 ns. The ideal run computes in place of these
// 20 ns, too, 70 in all.
func TestIdealDeviates(t *testing.T) {
	late := strings.Replace(flat, "1:1:1:1:1:0:60:1\n", "1:1:1:1:1:0:20:2\n1:1:1:1:1:20:60:1\n", 1)
	if notes := strings.Join(run(t, late, efficiency.Options{}).Notes, "\n"); !strings.Contains(notes,
		"useful time of a thread is 70 ns in the ideal run, 50 ns in the run, where it should be the same: "+
			"serialization efficiency is 1.40 times") {
		t.Errorf("notes %q", notes)
	}
	limit := int64(32 << 10)
	if notes := run(t, flat, efficiency.Options{EagerLimit: &limit}).Notes; len(notes) > 0 {
		t.Errorf("notes %q where nothing deviates", notes)
	}
	longer := measureFile(t, efficiency.Options{}, "../../testdata/traces/hybrid_4x4/hybrid_4x4.prv.gz")
	if notes := strings.Join(longer.Notes, "\n"); !strings.Contains(notes, "the ideal run is longer than the run") {
		t.Errorf("notes %q", notes)
	}
}

// TestMachine: on a network with a latency of 10 ns the second process gets its message at 60 + 10 and ends at 90.
func TestMachine(t *testing.T) {
	slow := func(p *sim.Program) *sim.Machine {
		m := efficiency.IdealMachine(p)
		for i := range m.Nodes {
			m.Nodes[i].Latency = 10
		}
		return m
	}
	r := run(t, flat, efficiency.Options{Machine: slow})
	if r.Ideal.Runtime != 90 {
		t.Errorf("ends at %d", r.Ideal.Runtime)
	}
}

// TestPtask: the figures of one application of two: the first one computes for 20 of 40 ns, the second, which ends at
// 30, for 20.
func TestPtask(t *testing.T) {
	const two = `#Paraver (01/01/26 at 00:00):40_ns:1(2):2:1(1:1):1(1:1)
1:1:1:1:1:0:10:1
1:2:2:1:1:10:30:1
1:1:1:1:1:30:40:1
`
	parallel, _ := efficiency.Lookup("Parallel efficiency %")
	for ptask, want := range []float64{50, 50, 100 * 20.0 / 30} {
		one := run(t, two, efficiency.Options{Ptask: ptask})
		if got := efficiency.Compare([]*efficiency.Run{one}, efficiency.Auto).Value(parallel,
			0); math.Abs(got-want) > 1e-9 {
			t.Errorf("application %d: %v %%, not %v", ptask, got, want)
		}
	}
}

// TestTree: each factor is below the one that it is part of.
func TestTree(t *testing.T) {
	trees := map[bool]string{false: `
Global efficiency
  Parallel efficiency
    Load balance
    Communication efficiency
      Serialization efficiency
      Transfer efficiency
      Device communication efficiency
      Orchestration efficiency
  Computation scalability
    IPC scalability
    Instruction scalability
    Frequency scalability
`, true: `
Global efficiency
  Parallel efficiency
    Load balance
    Communication efficiency
      Device communication efficiency
      Orchestration efficiency
    MPI parallel efficiency
      MPI load balance
      MPI communication efficiency
        Serialization efficiency
        Transfer efficiency
    OpenMP parallel efficiency
      OpenMP load balance
      OpenMP communication efficiency
  Computation scalability
    IPC scalability
    Instruction scalability
    Frequency scalability
`}
	for hybrid, want := range trees {
		got := "\n"
		for _, n := range efficiency.Tree(hybrid) {
			got += strings.Repeat("  ", n.Depth) + n.Title + "\n"
		}
		if got != want {
			t.Errorf("hybrid %v:%snot%s", hybrid, got, want)
		}
	}
}

// Percentages and times have their own formats, whole numbers no decimals, others three and their unit. In few columns
// counts are shortened.
func TestFormats(t *testing.T) {
	for _, c := range []struct {
		unit        string
		decimals    int
		value       float64
		want, short string
	}{
		{"%", 2, 62.5, "62.5 %", "62.5 %"}, {"us", 2, 1500, "1.5 ms", "1.5 ms"}, {"us", 0, 1.5, "1.5 us", "1.5 us"},
		{"", 0, 1234567, "1,234,567", "1.23M"}, {"", 0, math.NaN(), "-", "-"}, {"", 2, 2, "2.000", "2.000"},
		{"", 1, 2.25, "2.250", "2.250"}, {"GHz", 2, 2.25, "2.250 GHz", "2.250 GHz"}, {"GHz", 2, math.NaN(), "-", "-"},
		{"GHz", 0, 2, "2", "2"},
	} {
		f := efficiency.Factor{Unit: c.unit, Decimals: c.decimals}
		if got, short := f.Format(c.value), f.FormatShort(c.value); got != c.want || short != c.short {
			t.Errorf("%+v: %q, in short %q", c, got, short)
		}
	}
}
