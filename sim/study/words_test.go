package study_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"pview/prv/prvtest"
	"pview/sim"
	"pview/sim/study"
)

// rows writes the runs of a plan, a line each.
func rows(t *testing.T, p *study.Plan, err error) string {
	t.Helper()
	if err != nil {
		return err.Error() + "\n"
	}
	table, err := study.NewRunner(p, study.RunOptions{}).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s:", p.Kind, p.Title)
	for _, c := range append(append([]study.Column{}, p.Inputs...), p.Outputs...) {
		fmt.Fprintf(&b, " %s", c.Name)
		if c.Unit != "" {
			fmt.Fprintf(&b, " (%s)", c.Unit)
		}
	}
	b.WriteString("\n")
	for i := range table.Rows {
		r := &table.Rows[i]
		fmt.Fprintf(&b, "  %d", r.Index)
		for k, v := range r.Inputs {
			if c := &p.Inputs[k]; c.Levels != nil {
				fmt.Fprintf(&b, " %s", c.Text(v))
				continue
			}
			fmt.Fprintf(&b, " %.6g", v)
		}
		fmt.Fprintf(&b, " -> %.6g %s\n", r.Outputs, r.Reason)
	}
	return b.String()
}

// The plans of measurements, whose runs are made, and of mappings of four tasks, of which each sends to the next but
// one.
func TestPlans(t *testing.T) {
	var b strings.Builder
	line := study.Line{Latency: 1000, Bandwidth: 1e9 / (1 << 20), Fit: 1}
	p, err := line.Plan("pings", []float64{0, 1000, 8}, []float64{1000, 2500, 0})
	b.WriteString(rows(t, p, err))
	alone, shared := []float64{10, 4}, []float64{16, 8}
	s, err := study.Share(alone, shared)
	if err != nil {
		t.Fatal(err)
	}
	p, err = s.Plan([]string{"a", "b"}, alone, shared)
	b.WriteString(rows(t, p, err))

	prog := &sim.Program{}
	prog.AddPtask()
	for range 4 {
		prog.AddTask(1)
	}
	for i := range int32(4) {
		prog.Threads[i].AddCompute(1e6)
		prog.Threads[i].AddMessage(sim.Isend, sim.Message{Peer: (i + 2) % 4, Size: 1 << 20, Tag: 1})
		prog.Threads[i].AddMessage(sim.Recv, sim.Message{Peer: (i + 2) % 4, Size: 1 << 20, Tag: 1})
	}
	if err := prog.Link(); err != nil {
		t.Fatal(err)
	}
	base := thesis(t, prog)
	base.Machine.Nodes = base.Machine.Nodes[:2]
	for i := range base.Machine.Nodes {
		base.Machine.Nodes[i].CPUs = 2
	}
	base.Machine.Clusters[0].Bandwidth = 100
	base.Machine.Mapping = []sim.Mapping{{Kind: sim.TasksPerNode, Tasks: 2}}
	m := &study.Mappings{Base: base, Outputs: study.Outputs[:1], Attempts: 1, Seed: 1}
	p, err = m.Plan(context.Background())
	b.WriteString(rows(t, p, err))
	prvtest.SameFile(t, "testdata/plans.txt", b.String())
}

// All figures of a simulation: a message of 1 MB takes 10 ms between nodes of 100 MB/s.
func TestOutputs(t *testing.T) {
	c := modelP(t, 1<<20)
	c.Machine.Clusters[0].Bandwidth = 100
	r, err := c.Run(context.Background(), sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, o := range append(append([]study.Output{}, study.Outputs...), study.SpeedupOver(&c)) {
		v, err := o.Of(context.Background(), &c, r)
		fmt.Fprintf(&b, "%s %.6g %s, %v\n", o.Name, v, o.Unit, err)
	}
	prvtest.SameText(t, b.String(), `
		total 1e+07 ns, <nil>
		utilisation 0 share, <nil>
		occupied 0 share, <nil>
		blocked 1e+07 ns, <nil>
		link-wait 0 ns, <nil>
		bus-wait 0 ns, <nil>
		bus-queue 0 , <nil>
		bus-queue-most 0 , <nil>
		messages 1 , <nil>
		bytes 1.04858e+06 B, <nil>
		speedup 1 , <nil>
	`)
}

// Quantities that a study may vary, and the errors of those that make no sense.
func TestQuantitiesInWords(t *testing.T) {
	c := modelP(t, 1<<20)
	var b strings.Builder
	for _, text := range []string{
		"latency=uniform(1us,30us)", "latency=[10us]+-10%", "latency=+-10%", "latency=1us,2us*3",
		"bandwidth=normal(100,10)", "bandwidth=normal(100)", "latency=uniform(30us,1us)",
		"latency=uniform(-5us,1us)", "latency", "latency=", "nothing=1", "latency=uniform(1us)",
		"latency=gauss(1us)", "buses=1,2,4", "network=bus,mesh", "machine=ideal,hpc", "model=thesis,dimemas",
		"placement=[1,2],[1,1]", "latency=discrete(1us*2,3us)", "latency=constant(4us)", "latency=1us*0",
		"cpu-ratio=triangular(1,2,3)", "cpu-ratio=exponential(2)", "cpu-ratio=lognormal(1,2)",
	} {
		v, err := study.ParseVariable(text, &c)
		fmt.Fprintf(&b, "%s: %s (%s), levels %v, weights %.4g, %v\n", text, v.Name, v.Unit, v.Levels, v.Weights, err)
	}
	for _, text := range []string{"x=uniform(1,2)", "x=1,2", "x=a", "latency=uniform(1us,2us)", "x"} {
		v, err := study.ParseFreeVariable(text)
		fmt.Fprintf(&b, "free %s: %s (%s), levels %v, %v\n", text, v.Name, v.Unit, v.Levels, err)
	}
	for _, row := range study.DensityUsages() {
		fmt.Fprintf(&b, "%s: %s\n", row[0], row[1])
	}
	for _, name := range []string{"random", "latin", "sobol", "other"} {
		s, err := study.SamplingByName(name)
		fmt.Fprintf(&b, "sampling %s: %d, %v\n", name, s, err)
	}
	prvtest.SameFile(t, "testdata/quantities.txt", b.String())
}

// What definitions must not say.
func TestWrongDefinitions(t *testing.T) {
	c := modelP(t, 8)
	v, err := study.ParseVariable("latency=uniform(1us,30us)", &c)
	if err != nil {
		t.Fatal(err)
	}
	list, err := study.ParseVariable("latency=1us,2us", &c)
	if err != nil {
		t.Fatal(err)
	}
	good := func() *study.Fit {
		return &study.Fit{Benchmarks: []study.Benchmark{{Case: c, Measured: 1}}, Variables: []study.Variable{v},
			Runs: 10, Tolerance: 0.1}
	}
	var b strings.Builder
	for _, change := range []func(f *study.Fit){func(*study.Fit) {}, func(f *study.Fit) { f.Benchmarks = nil },
		func(f *study.Fit) { f.Variables = nil }, func(f *study.Fit) { f.Benchmarks[0].Measured = 0 },
		func(f *study.Fit) { f.Benchmarks[0].Measured = math.Inf(1) }, func(f *study.Fit) { f.Variables[0] = list },
		func(f *study.Fit) { f.Tolerance = 0 }, func(f *study.Fit) { f.Tolerance = 1 },
		func(f *study.Fit) { f.Rounds = -1 },
		func(f *study.Fit) { f.Runs = 0 }, func(f *study.Fit) { f.Runs = 1 << 30 },
		func(f *study.Fit) { f.Rounds = study.MaxRuns + 1 }} {
		f := good()
		change(f)
		fmt.Fprintln(&b, "fit:", f.Check())
	}
	prvtest.SameText(t, b.String(), `
		fit: <nil>
		fit: a fit needs benchmarks and parameters
		fit: a fit needs benchmarks and parameters
		fit: : the measured time must be > 0
		fit: : the measured time must be > 0
		fit: latency: a fitted parameter needs a density with a width
		fit: a tolerance of 0: must be > 0 and < 1
		fit: a tolerance of 1: must be > 0 and < 1
		fit: -1 rounds: must be from 0 to 1048576
		fit: 0 runs: must be from 1 to 1048576
		fit: 1073741824 runs: must be from 1 to 1048576
		fit: 1048577 rounds: must be from 0 to 1048576
	`)
}

// Of the values 1, 2, 3 and 4 of a table half exceed 2, with a standard error of sqrt(1/4 / 4).
func TestExceeding(t *testing.T) {
	table := &study.Table{Outputs: []study.Column{{Name: "total"}}}
	for i := range 5 {
		table.Rows = append(table.Rows, study.Row{Index: i, Outputs: []float64{float64(i + 1)}, Status: study.Done})
	}
	table.Rows[4].Status = study.Failed
	for _, c := range []struct{ limit, p, err float64 }{{2, 0.5, 0.25}, {1, 0.75, math.Sqrt(0.75 * 0.25 / 4)},
		{4, 0, 0}, {0, 1, 0}} {
		if p, e, ok := table.Exceeding("total", c.limit); p != c.p || math.Abs(e-c.err) > 1e-12 || !ok {
			t.Errorf("%g is exceeded by %g +- %g, %v", c.limit, p, e, ok)
		}
	}
	if _, _, ok := table.Exceeding("other", 1); ok {
		t.Error("an output that there is not is exceeded")
	}
}
