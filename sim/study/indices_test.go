package study_test

import (
	"context"
	"math"
	"testing"

	"pview/sim"
	"pview/sim/study"
)

// ishigami returns an output that depends on three inputs from -pi to pi, here the latencies of three nodes from 0 to 2
// pi ns: sin x1 + 7 sin^2 x2 + 0.1 x3^4 sin x1.
func ishigami() study.Output {
	return study.Output{Column: study.Column{Name: "f"},
		Of: func(_ context.Context, c *study.Case, _ *sim.Result) (float64, error) {
			x := func(i int) float64 { return c.Machine.Nodes[i].Latency - math.Pi }
			return math.Sin(x(0)) + 7*math.Pow(math.Sin(x(1)), 2) + 0.1*math.Pow(x(2), 4)*math.Sin(x(0)), nil
		}}
}

// TestIndices: the indices of Ishigami's function with a = 7, b = 0.1 (Saltelli et al., Global Sensitivity Analysis,
// 2008):
//
//	V  = a^2/8 + b pi^4/5 + b^2 pi^8/18 + 1/2 = 13.8446
//	V1 = (1 + b pi^4/5)^2/2 = 4.3459, V2 = a^2/8 = 6.125, V3 = 0, V13 = b^2 pi^8 (1/18 - 1/50) = 3.3737
//	first order 0.3139, 0.4424, 0; total 0.5576, 0.4424, 0.2437
//
// The correlations see none of the second input, which acts symmetrically.
func TestIndices(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	for range 3 {
		p.AddTask(1)
	}
	m := &study.Indices{Base: thesis(t, link(t, p)), Outputs: []study.Output{ishigami()}, Rows: 1024, Seed: 3}
	for _, text := range []string{"1:latency=uniform(0ns,6.283185307ns)", "2:latency=uniform(0ns,6.283185307ns)",
		"3:latency=uniform(0ns,6.283185307ns)"} {
		v, err := study.ParseVariable(text, &m.Base)
		if err != nil {
			t.Fatal(err)
		}
		m.Variables = append(m.Variables, v)
	}
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	table, err := study.NewRunner(plan, study.RunOptions{}).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	list, n := m.Of(table, "f")
	if n != 1024 || len(table.Rows) != 5*1024 {
		t.Fatal(n, len(table.Rows))
	}
	for i, want := range [][2]float64{{0.3139, 0.5576}, {0.4424, 0.4424}, {0, 0.2437}} {
		x := list[i]
		between(t, x.Input+" first", x.First, want[0]-0.05, want[0]+0.05)
		between(t, x.Input+" total", x.Total, want[1]-0.05, want[1]+0.05)
		between(t, x.Input+" first, by the interval", want[0], x.FirstRange.Least-0.02, x.FirstRange.Most+0.02)
		between(t, x.Input+" total, by the interval", want[1], x.TotalRange.Least-0.02, x.TotalRange.Most+0.02)
	}
	ranking, _ := table.Ranking("f")
	for _, in := range ranking {
		if in.Input == "2:latency" {
			between(t, "correlation with the second", in.Rank, -0.1, 0.1)
		}
	}
}

// TestP2: W uniform from 10 to 100 MB/s makes no difference to messages of no bytes: its correlation is below 0.2, and
// L is the first. Of a linear function the standardised coefficients are the correlations, and the regression explains
// all.
func TestP2(t *testing.T) {
	table := carry(t, definition(t, sequence(t, 100), 400, "bandwidth=uniform(10,100)", "latency=uniform(10us,30us)"),
		study.RunOptions{})
	list, r2 := table.Ranking("total")
	if len(list) != 2 || list[0].Input != "latency" || list[1].Input != "bandwidth" {
		t.Fatalf("%+v", list)
	}
	between(t, "W", math.Abs(list[1].Linear), 0, 0.2)
	between(t, "L", list[0].Linear, 0.999999, 1)
	between(t, "L, standardised", list[0].Standard, 0.9999, 1.0001)
	between(t, "W, standardised", list[1].Standard, -1e-6, 1e-6)
	between(t, "explained", r2, 0.999999, 1)
}
