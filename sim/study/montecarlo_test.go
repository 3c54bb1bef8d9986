package study_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"pview/sim"
	"pview/sim/study"
)

// The checks P1 to P6. Model R: two tasks, 1000 messages of no bytes in sequence, no computing. In the model of the
// thesis only the sender pays the latency: total = 1000 L.
func modelR(t testing.TB) study.Case { return sequence(t, 1000) }

// sequence is model R with n messages.
func sequence(t testing.TB, n int) study.Case {
	t.Helper()
	p := &sim.Program{Name: "R"}
	p.AddPtask()
	p.AddTask(1)
	p.AddTask(1)
	for i := range n {
		p.Threads[i%2].AddMessage(sim.Send, sim.Message{Peer: int32(1 - i%2), Tag: int64(i)})
		p.Threads[1-i%2].AddMessage(sim.Recv, sim.Message{Peer: int32(i % 2), Tag: int64(i)})
	}
	return thesis(t, link(t, p))
}

// thesis returns a program on an ideal machine, by the model of the thesis.
func thesis(t testing.TB, p *sim.Program) study.Case {
	t.Helper()
	rules, err := sim.ModelRules("thesis")
	if err != nil {
		t.Fatal(err)
	}
	return study.Case{Name: p.Name, Program: p, Machine: sim.IdealFor(p), Rules: rules}
}

// definition returns a Monte Carlo study of a case with random variables; its output is the total.
func definition(t testing.TB, base study.Case, runs int, random ...string) *study.MonteCarlo {
	t.Helper()
	m := &study.MonteCarlo{Base: base, Outputs: study.Outputs[:1], Runs: runs, Seed: 1}
	for _, text := range random {
		v, err := study.ParseVariable(text, &m.Base)
		if err != nil {
			t.Fatal(err)
		}
		m.Variables = append(m.Variables, v)
	}
	return m
}

func carry(t testing.TB, m *study.MonteCarlo, opt study.RunOptions) *study.Table {
	t.Helper()
	p, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	table, err := study.NewRunner(p, opt).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// column lists the values of a column in us, if they are times.
func column(t testing.TB, table *study.Table, name string) (list []float64) {
	t.Helper()
	c, of, ok := table.Column(name)
	if !ok {
		t.Fatal("no column " + name)
	}
	for i := range table.Rows {
		v := of(&table.Rows[i])
		if c.Unit == "ns" {
			v /= 1e3
		}
		list = append(list, v)
	}
	return list
}

// between checks that a figure is within limits.
func between(t testing.TB, what string, got, least, most float64) {
	t.Helper()
	if !(got >= least && got <= most) {
		t.Errorf("%s: %g, not from %g to %g", what, got, least, most)
	}
}

// TestP1: L uniform from 10 to 30 us: totals from 10 to 30 ms, mean 20 ms, sd 20/sqrt(12) = 5.7735 ms; 4 standard
// errors of 400 runs are 1155 us.
func TestP1(t *testing.T) {
	table := carry(t, definition(t, modelR(t), 400, "latency=uniform(10us,30us)"), study.RunOptions{})
	total, latency := column(t, table, "total"), column(t, table, "latency")
	mean, sd := stat.MeanStdDev(total, nil)
	between(t, "mean", mean, 20000-1155, 20000+1155)
	between(t, "sd", sd, 5100, 6400)
	between(t, "correlation", stat.Correlation(latency, total, nil), 0.999999, 1)
	for i := range total {
		between(t, fmt.Sprint("run ", i), total[i], 10000, 30000)
	}
}

// TestP3: L normal with 20 +- 2 us; every total is 1000 times the recorded L, to the rounding of the 1000 messages to a
// ns.
func TestP3(t *testing.T) {
	table := carry(t, definition(t, modelR(t), 400, "latency=normal(20us,2us)"), study.RunOptions{})
	total, latency := column(t, table, "total"), column(t, table, "latency")
	mean, sd := stat.MeanStdDev(total, nil)
	between(t, "mean", mean, 19600, 20400)
	between(t, "sd", sd, 1700, 2300)
	for i := range total {
		between(t, fmt.Sprint("run ", i), total[i]-1000*latency[i], -1, 1)
	}
}

// TestP4: constant inputs: all runs are equal, and the stop rule ends at run 22: 20, and two more checks.
func TestP4(t *testing.T) {
	m := definition(t, modelR(t), 400, "latency=20us", "buses=constant(4)")
	m.Stop = study.DefaultStop(0.01)
	table := carry(t, m, study.RunOptions{})
	if len(table.Rows) != 22 {
		t.Errorf("%d runs", len(table.Rows))
	}
	for i := range table.Rows {
		if table.Rows[i].Outputs[0] != 20e6 {
			t.Errorf("%+v", table.Rows[i])
		}
	}
}

// TestP5: sd/mean of P1 is 0.2887, so that a half width of 1 % needs (1.96 x 0.2887/0.01)^2 = 3200 runs, 5 % 128.
func TestP5(t *testing.T) {
	for tolerance, want := range map[float64]float64{0.01: 3200, 0.05: 128} {
		m := definition(t, sequence(t, 10), 10_000, "latency=uniform(10us,30us)")
		m.Stop = study.DefaultStop(tolerance)
		got := len(carry(t, m, study.RunOptions{}).Rows)
		between(t, fmt.Sprint("runs for ", tolerance), float64(got), 0.7*want, 1.3*want)
	}
}

// keeper keeps rows in memory, and interrupts the study after some of them.
type keeper struct {
	rows      []study.Row
	most      int
	interrupt func()
}

func (k *keeper) Rows() []study.Row { return k.rows }

func (k *keeper) Append(r study.Row) error {
	if k.rows = append(k.rows, r); len(k.rows) == k.most {
		k.interrupt()
	}
	return nil
}

// interrupted returns the table of a study that ends at half of its runs, and then makes the rest.
func interrupted(t *testing.T, m *study.MonteCarlo) *study.Table {
	t.Helper()
	p, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	k := &keeper{most: m.Runs / 2, interrupt: cancel}
	if _, err := study.NewRunner(p, study.RunOptions{Workers: 2, Keep: k}).Run(ctx); err == nil {
		t.Fatal("not interrupted")
	}
	between(t, "runs before the interruption", float64(len(k.rows)), float64(m.Runs/2), float64(m.Runs/2+1))
	made := 0
	table, err := study.NewRunner(p, study.RunOptions{Workers: 1, Keep: k,
		OnRow: func(study.Row) { made++ }}).Run(context.Background())
	if err != nil || made != m.Runs || len(k.rows) != m.Runs {
		t.Fatal(made, len(k.rows), err)
	}
	return table
}

// TestP6: the table depends on the seed, not on the workers or on interruptions (package store has those of files). The
// mean of another seed is that of P1.
func TestP6(t *testing.T) {
	for _, how := range []study.Sampling{study.RandomSampling, study.LatinSampling, study.SobolSampling} {
		m := definition(t, sequence(t, 100), 200, "latency=uniform(10us,30us)", "bandwidth=lognormal(50,20)")
		m.Sampling = how
		one, two := carry(t, m, study.RunOptions{Workers: 1}), carry(t, m, study.RunOptions{Workers: 2})
		strip := func(table *study.Table) *study.Table {
			for i := range table.Rows {
				table.Rows[i].Wall = 0
			}
			return table
		}
		if !reflect.DeepEqual(strip(one), strip(two)) {
			t.Errorf("%v: the table depends on the number of workers", how)
		}
		if !reflect.DeepEqual(strip(one), strip(interrupted(t, m))) {
			t.Errorf("%v: the table depends on interruptions", how)
		}
		m.Seed = 2
		other := carry(t, m, study.RunOptions{})
		if reflect.DeepEqual(column(t, one, "latency"), column(t, other, "latency")) {
			t.Error("another seed gives the same values")
		}
		// 4 standard errors of 200
		between(t, "mean of the other seed", stat.Mean(column(t, other, "total"), nil), 2000-163, 2000+163)
	}
}

// TestP19: the eager limit is 0 or 2048 bytes: two tasks that send 1 KiB to each other before they receive wait for
// ever, or end. The failed runs have inputs and a reason; statistics use the others.
func TestP19(t *testing.T) {
	p := &sim.Program{Name: "head to head"}
	p.AddPtask()
	p.AddTask(1)
	p.AddTask(1)
	for i := range 2 {
		p.Threads[i].AddMessage(sim.Send, sim.Message{Peer: int32(1 - i), Size: 1024})
		p.Threads[i].AddMessage(sim.Recv, sim.Message{Peer: int32(1 - i), Size: 1024})
	}
	base := study.Case{Name: p.Name, Program: link(t, p), Machine: sim.IdealFor(p)}
	table := carry(t, definition(t, base, 100, "eager-limit=0,2048", "latency=uniform(10us,30us)"), study.RunOptions{})
	failed := 0
	for i := range table.Rows {
		switch r := &table.Rows[i]; {
		case r.Inputs[0] == 2048 && r.Status == study.Done && r.Reason == "":
		case r.Inputs[0] == 0 && r.Status == study.Failed && strings.Contains(r.Reason, "deadlock") &&
			r.Inputs[1] > 10e3 && r.Outputs == nil:
			failed++
		default:
			t.Errorf("%+v", r)
		}
	}
	s := table.Summarise("total")
	if failed < 30 || failed > 70 || s.N != 100-failed || s.Of != 100 || s.Min < 10e3 {
		t.Errorf("%d failed: %+v", failed, s)
	}
	if reasons := table.Reasons(); len(reasons) != 1 ||
		!strings.HasPrefix(reasons[0], fmt.Sprintf("%d of 100 runs, the first is run ", failed)) {
		t.Error(reasons)
	}
}

// TestEvenSamples: Latin hypercube samples have one value in each slice, and Sobol' samples of 2^k runs as well, in all
// variables, and 2^k in each of the squares of 2^-k/2 of two variables.
func TestEvenSamples(t *testing.T) {
	var random []string
	for i := range 16 {
		random = append(random, fmt.Sprintf("%d:1=uniform(1,2)", 40+i))
	}
	m := definition(t, modelR(t), 1, random...)
	for _, how := range []study.Sampling{study.LatinSampling, study.SobolSampling} {
		const n = 256
		s, err := study.NewSample(m.Variables, n, 5, how, nil)
		if err != nil {
			t.Fatal(err)
		}
		squares := map[[4]int]int{}
		slices := make([]map[int]bool, len(random))
		for i := range n {
			d, err := s.At(i)
			if err != nil {
				t.Fatal(err)
			}
			for k, x := range d.Inputs {
				if slices[k] == nil {
					slices[k] = map[int]bool{}
				}
				slices[k][int((x-1)*n)] = true
			}
			squares[[4]int{0, 1, int((d.Inputs[0] - 1) * 16), int((d.Inputs[1] - 1) * 16)}]++
		}
		for k := range slices {
			if len(slices[k]) != n {
				t.Errorf("sampling %d, variable %d: %d of %d slices", how, k, len(slices[k]), n)
			}
		}
		if how == study.SobolSampling && len(squares) != n {
			t.Errorf("%d of %d squares have a point", len(squares), n)
		}
	}
}

// TestCorrelated: ranks have the correlations that are asked for, and the densities stay what they are.
func TestCorrelated(t *testing.T) {
	m := definition(t, modelR(t), 2000, "latency=uniform(10us,30us)", "bandwidth=loguniform(10,1000)",
		"cpu-ratio=normal(1,0.1)")
	c, err := study.Correlations(m.Variables, []string{"latency:bandwidth=-0.8", "bandwidth:cpu-ratio=0.3"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := study.NewSample(m.Variables, 2000, 1, study.RandomSampling, c)
	if err != nil {
		t.Fatal(err)
	}
	x := make([][]float64, 3)
	for i := range 2000 {
		d, err := s.At(i)
		if err != nil {
			t.Fatal(err)
		}
		for k := range x {
			x[k] = append(x[k], d.Inputs[k])
		}
	}
	between(t, "L and W", study.RankCorrelation(x[0], x[1]), -0.83, -0.75)
	between(t, "W and speed", study.RankCorrelation(x[1], x[2]), 0.25, 0.35)
	between(t, "L and speed", study.RankCorrelation(x[0], x[2]), -0.05, 0.05)
	between(t, "mean of L", stat.Mean(x[0], nil), 19.5e3, 20.5e3)
	for _, bad := range []string{"latency:bandwidth=1", "latency:speed=0.1", "latency=0.1", "latency:bandwidth=x"} {
		if _, err := study.Correlations(m.Variables, []string{bad}); err == nil {
			t.Error(bad)
		}
	}
	if _, err := study.Correlations(m.Variables, []string{"latency:bandwidth=0.9", "bandwidth:cpu-ratio=0.9",
		"latency:cpu-ratio=-0.9"}); err != study.ErrCorrelation {
		t.Error(err)
	}
}

// TestDensities: means and limits of all densities, from 4096 evenly spread numbers.
func TestDensities(t *testing.T) {
	base := modelR(t)
	for _, c := range []struct {
		density           string
		mean, least, most float64
	}{
		{"uniform(10,30)", 20, 10, 30},
		{"normal(20,2)", 20, 10, 30},
		{"normal(20,10,15,25)", 20, 15, 25},
		{"triangular(10,10,40)", 20, 10, 40}, // (10+10+40)/3
		{"lognormal(20,5)", 20, 5, 60},
		{"loguniform(10,1000)", 990 / math.Log(100), 10, 1000}, // (b-a)/ln(b/a)
		{"discrete(10*3, 50)", 20, 10, 50},
		{"10,30", 20, 10, 30},
		{"constant(20)", 20, 20, 20},
	} {
		v, err := study.ParseVariable("bandwidth="+c.density, &base)
		if err != nil {
			t.Errorf("%s: %v", c.density, err)
			continue
		}
		sum, least, most := 0.0, math.Inf(1), math.Inf(-1)
		for i := range 4096 {
			x, physical := v.At((float64(i) + 0.5) / 4096)
			if !physical {
				t.Errorf("%s draws %g", c.density, x)
			}
			sum, least, most = sum+x/4096, min(least, x), max(most, x)
		}
		between(t, c.density+" mean", sum, c.mean*0.995, c.mean*1.005)
		between(t, c.density+" least", least, c.least, c.mean)
		between(t, c.density+" most", most, c.mean, c.most)
	}
	for _, bad := range []string{"speed=uniform(1,2)", "latency", "latency=", "latency=uniform(5us,5us)",
		"latency=uniform(6us,5us)", "latency=uniform(5us)", "latency=normal(5us,0)",
		"latency=bell(1,2)", "latency=+-10%", "mapping=uniform(1,2)", "latency=normal(5us,1us,9us)",
		"latency=triangular(3us,2us,1us)", "bandwidth=loguniform(0,10)",
		"latency=discrete(1us*0)", "9:latency=uniform(1us,2us)", "machine=nowhere", "latency=constant(1us,2us)",
		"latency=normal(1us,1us,1s,2s)"} {
		if v, err := study.ParseVariable(bad, &base); err == nil {
			t.Errorf("%s is a variable: %+v", bad, v)
		}
	}
}

// TestRedraws: half of normal(0, 1) is below 0, so that a latency takes one redraw on average; whole quantities are
// rounded.
func TestRedraws(t *testing.T) {
	table := carry(t, definition(t, sequence(t, 1), 1000, "latency=normal(0,1us)", "buses=uniform(0.6,4.4)"),
		study.RunOptions{})
	redraws := 0
	seen := map[float64]int{}
	for i := range table.Rows {
		r := &table.Rows[i]
		redraws += r.Redraws
		seen[r.Inputs[1]]++
		if r.Inputs[0] < 0 {
			t.Errorf("latency %g", r.Inputs[0])
		}
	}
	between(t, "redraws", float64(redraws), 850, 1150)
	if len(seen) != 4 || seen[0] > 0 || seen[1] == 0 || seen[4] == 0 {
		t.Errorf("buses: %v", seen)
	}
}
