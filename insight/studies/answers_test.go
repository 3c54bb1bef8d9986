package studies_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pview/insight/report"
	"pview/insight/studies"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/render/document"
	"pview/sim"
	"pview/sim/mapping"
	"pview/sim/study"
)

// program returns a program of some tasks, and one alone on a machine of as many nodes.
func program(tasks int) *sim.Program {
	p := &sim.Program{}
	p.AddPtask()
	for range tasks {
		p.AddTask(1)
	}
	return p
}

// checkAnswer compares an answer with a file: as people read it, its rows and its fields.
func checkAnswer(t *testing.T, b *strings.Builder, name string, a *studies.Answer) {
	t.Helper()
	if a.Runs == nil {
		a.Runs = runs()
	}
	d := a.Document()
	fmt.Fprintf(b, "=== %s\n%s", name, document.Text(d, nil))
	if a.Rows != nil {
		var rows strings.Builder
		if err := document.WriteTable(&rows, a.Rows, "csv"); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(b, "--- rows\n%s", prvtest.Rounded(rows.String()))
	}
	fields, err := json.Marshal(a.Fields)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(b, "--- fields\n%s\n", strings.ReplaceAll(prvtest.Rounded(string(fields)), `},`, "},\n"))
}

// random has four runs of two inputs.
func random() *study.Table {
	table := &study.Table{Inputs: []study.Column{{Name: "latency", Unit: "ns"}, {Name: "buses"}},
		Outputs: []study.Column{{Name: "total", Unit: "ns"}, {Name: "utilisation", Unit: "share"}}}
	for i, x := range [][4]float64{{1000, 4, 2e6, 0.5}, {2000, 1, 3e6, 0.4}, {3000, 3, 4e6, 0.25},
		{4000, 2, 6e6, 0.2}} {
		table.Rows = append(table.Rows, study.Row{Index: i, Inputs: x[:2], Outputs: x[2:], Status: study.Done})
	}
	return table
}

// The answers of studies with few figures, all of which can be worked out.
func TestAnswers(t *testing.T) {
	var b strings.Builder
	total := study.OutputByName("total")

	answer := studies.Random("4 runs", random(), []studies.Limit{{Column: total.Column, Value: 3.5e6}})
	answer.Runs = random()
	checkAnswer(t, &b, "random", answer)

	// 1 us and 1 ns per byte, of which the last one took 10 % more.
	line := study.Line{Latency: 1000, Bandwidth: 1e9 / (1 << 20), Fit: 0.9987}
	messages := studies.Messages{Sizes: []float64{0, 1000, 10_000}, Times: []float64{1000, 2000, 12_100},
		Outlier: []bool{false, false, true}}
	checkAnswer(t, &b, "network", studies.Network(line, messages))
	checkAnswer(t, &b, "negative network", studies.Network(study.Line{Latency: -5, Bandwidth: 100}, studies.Messages{
		Sizes: []float64{8}, Times: []float64{0}, Outlier: []bool{false}}))
	checkAnswer(t, &b, "network without latency", studies.Network(study.Line{Bandwidth: 100}, studies.Messages{}))
	checkAnswer(t, &b, "network of faster large messages", studies.Network(study.Line{Latency: 1, Bandwidth: -100},
		studies.Messages{}))

	checkAnswer(t, &b, "accuracy", studies.Accuracy([]study.Compared{{Name: "a", Actual: 100e3, Predicted: 102e3},
		{Name: "b", Actual: 200e3, Predicted: 180e3}}))
	checkAnswer(t, &b, "stability", studies.Stability([]string{"a", "b"}, []float64{100e3, 150e3},
		[]float64{120e3, 126e3}, 0.5, 0.05))

	// a takes 10 s alone and 16 with b, b takes 4 and 8: speeds of 0.625 and 0.5, together 1.125.
	alone, shared := []float64{10, 4}, []float64{16, 8}
	sharing, err := study.Share(alone, shared)
	if err != nil {
		t.Fatal(err)
	}
	checkAnswer(t, &b, "sharing", studies.Sharing(sharing, []string{"a", "b"}, alone, shared))
	sharing.Fair = false
	checkAnswer(t, &b, "unfair sharing", studies.Sharing(sharing, []string{"a", "b"}, alone, shared))

	// 10 us, 12 with a high latency, 6 with a high bandwidth, 7 with both.
	effects, err := study.Effects([]float64{10e3, 12e3, 6e3, 7e3})
	if err != nil {
		t.Fatal(err)
	}
	checkAnswer(t, &b, "effects", studies.Effects("run", &study.Sensitivity{Times: []float64{10e3, 12e3, 6e3, 7e3},
		Effects: effects, Factors: []study.Factor{
			{Name: "latency", Low: study.Value{Text: "1 us"}, High: study.Value{Text: "2 us"}},
			{Name: "bandwidth", Low: study.Value{Text: "1 GB/s"}, High: study.Value{Text: "2 GB/s"}}}}))

	checkAnswer(t, &b, "modules", (&studies.Modules{Name: "run", Labels: &prv.Labels{}, Factor: 2, All: 3,
		Base: study.Figures{Total: 100e3}, Computed: 200e3, Outside: 20e3, Gains: []study.Gain{
			{Block: study.Block{Type: 60000019, Value: 1, Computation: 120e3}, Total: 80e3, Saved: 0.2, Yield: 0.667},
			{Block: study.Block{Type: 60000019, Value: 2, Computation: 60e3}, Total: 95e3, Saved: 0.05, Yield: 0.333},
		}}).Answer())

	checkAnswer(t, &b, "all modules", (&studies.Modules{Name: "run", Labels: &prv.Labels{}, Factor: 2, All: 1,
		Base: study.Figures{Total: 100e3}, Computed: 100e3, Gains: []study.Gain{{Block: study.Block{Type: 60000019,
			Value: 1, Computation: 50e3}, Total: 75e3, Saved: 0.25, Yield: 1}}}).Answer())

	checkAnswer(t, &b, "sweep", sweep().Answer())
	one := sweep()
	one.Cases, one.Bases, one.Points = one.Cases[:1], one.Bases[:1], one.Points[:2]
	checkAnswer(t, &b, "sweep of one program", one.Answer())
	failed := sweep()
	failed.Points = failed.Points[3:]
	checkAnswer(t, &b, "sweep that failed", failed.Answer())
	checkAnswer(t, &b, "robust", robust(false))
	checkAnswer(t, &b, "robust, most", robust(true))
	checkAnswer(t, &b, "improve", improve(&study.Path{Boxes: 1, Reached: true, Why: "the targets are reached"}))
	checkAnswer(t, &b, "improve, missed", improve(&study.Path{Boxes: 3, Why: "4 boxes without gain",
		Missed: []study.Target{{Name: "total", Relation: study.AtMost, Value: 1e6}}}))
	checkAnswer(t, &b, "improve, only distances", improved(study.Distance{Missed: 0.5}, study.Distance{Missed: 0.25}))
	checkAnswer(t, &b, "improve, only directions", improved(study.Distance{Direction: 2},
		study.Distance{Direction: -1}))
	checkAnswer(t, &b, "improve, reached", improved(study.Distance{}))

	// Two are within 10 % at 10 us; the first also up to 18 us, and the third at 40 us if it took 1.5 us.
	draws := [][]float64{{10, 20, 41, 2}, {12, 21, 50, 2}, {14, 21, 50, 2}, {16, 21, 50, 2}, {18, 21.9, 60, 2},
		{40, 60, 90, 1.5}}
	checkAnswer(t, &b, "fit", fit(t, []float64{20e3, 40e3, 1e3}, draws))
	checkAnswer(t, &b, "fit of benchmarks that contradict each other", fit(t, []float64{20e3, 40e3, 1.5e3}, draws))
	checkAnswer(t, &b, "fit of one benchmark", fit(t, []float64{20e3}, [][]float64{{10, 19}, {20, 20}, {30, 40}}))
	// Each draw is within 10 % of two of three times of 10 us.
	checkAnswer(t, &b, "fit of pairs", fit(t, []float64{10e3, 10e3, 10e3}, [][]float64{{10, 10, 10, 20},
		{20, 10, 20, 10}, {30, 20, 10, 10}}))
	checkAnswer(t, &b, "fit of a latency of 0", fit(t, []float64{10e3, 10e3}, [][]float64{{0, 10, 10},
		{10, 10.5, 10.5}}))
	// At 10 us the two variants err by 20 % and 0.
	checkAnswer(t, &b, "fit of two variants", fit(t, []float64{10e3}, [][]float64{{10, 12, 10}}, "slow", "fast"))
	checkAnswer(t, &b, "indices", indices(t))
	checkAnswer(t, &b, "mappings", mappings(t, 2, 90e3, 120e3, 120e3))
	checkAnswer(t, &b, "mappings that are alike", mappings(t, 0, 90e3, 90e3, 90e3))
	checkAnswer(t, &b, "mappings, that of the machine is the best", mappings(t, 3, 90e3, 90e3, 120e3))
	checkAnswer(t, &b, "mappings without that of the machine", mappings(t, 2, 90e3, 0, 120e3))
	prvtest.SameFile(t, "testdata/answers.txt", b.String())
}

// A page has factors with their values, and the runs.
func TestPageText(t *testing.T) {
	prvtest.SameFile(t, "testdata/page.txt", document.Text(ofRuns().Page(), nil))
}

// ofRuns returns the answer of runs, one of which failed.
func ofRuns() *studies.Answer {
	a := studies.Random("3 runs", runs(), nil)
	a.Plan, a.Runs = &study.Plan{Kind: "montecarlo", Title: "dir/run.prv", Seed: 1}, runs()
	return a
}

// The object of runs, one of which failed.
func TestObject(t *testing.T) {
	object, err := json.MarshalIndent(ofRuns().Document().Object(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	prvtest.SameFile(t, "testdata/object.json", prvtest.Rounded(string(object)))
}

// The plots of random runs: of each output over each input, with the least and the greatest marked, and how it is
// distributed; and those of a sweep over two inputs.
func TestFiguresOfRandomRuns(t *testing.T) {
	var b strings.Builder
	draw := func(kind string, table *study.Table) {
		fmt.Fprintln(&b, kind)
		for _, f := range studies.Figures(kind, table) {
			fmt.Fprintf(&b, "  %s: x %s%v, y %s%v, note %q\n", f.Title, f.X.Name, f.X.Names, f.Y.Name, f.Y.Names,
				f.Note)
			for _, l := range f.Layers {
				fmt.Fprintf(&b, "    layer %q: x %.4g to %.4g, y %.4g to %.4g\n", l.Name, l.X, l.X2, l.Y, l.Y2)
			}
			for _, m := range f.Marks {
				fmt.Fprintf(&b, "    mark %q at %.4g, %.4g\n", m.Name, m.X, m.Y)
			}
		}
	}
	for _, kind := range []string{"montecarlo", "sensitivity", "sweep", "modules"} {
		draw(kind, random())
	}
	// Of three runs with names as inputs one failed, and its inputs are not known.
	named := runs()
	named.Rows[2].Inputs = nil
	for _, kind := range []string{"montecarlo", "modules"} {
		draw(kind, named)
	}
	// All failed, or all have one total.
	draw("montecarlo", &study.Table{Inputs: named.Inputs[:1], Outputs: named.Outputs[:1], Rows: named.Rows[2:]})
	draw("modules", &study.Table{Outputs: named.Outputs[:1], Rows: []study.Row{
		{Outputs: []float64{2e6}, Status: study.Done}, {Outputs: []float64{2e6}, Status: study.Done}}})
	prvtest.SameFile(t, "testdata/figures.txt", b.String())
}

// sweep has two programs of 2 and 4 tasks and two latencies; one simulation failed.
func sweep() *studies.Sweep {
	s := &studies.Sweep{Baseline: "machine.cfg", Cases: []study.Case{{Name: "dir/a.prv", Program: program(2)},
		{Name: "dir/b.prv", Program: program(4)}}, Bases: make([]study.Outcome, 2),
		Axes: []study.Axis{{Name: "latency", Unit: "ns", Values: []study.Value{{Text: "1 us", Number: 1000},
			{Text: "2.5 us", Number: 2500}}}, {Name: "topology", Names: true, Values: []study.Value{{Text: "torus"}}}}}
	s.Bases[0].Total, s.Bases[0].Messages = 90e3, 1
	s.Bases[1].Err = errors.New("a deadlock")
	for i, total := range []int64{100e3, 120e3, 50e3, 0} {
		p := study.Point{Subject: i / 2, At: []int{i % 2, 0}}
		p.Total, p.Computing, p.Occupied, p.Messages, p.Bytes = total, 0.5, 0.6, 12, 3400
		p.Slowdown, p.Speedup = 0.9, 2
		if i == 3 {
			p.Err, p.Slowdown, p.Speedup = errors.New("a deadlock"), 0, 0
		}
		s.Points = append(s.Points, p)
	}
	return s
}

// robust has two candidates with a nominal run and two others each: 10, 12 and 14, or 9, 20 and a failed one.
func robust(most bool) *studies.Answer {
	m := &study.Robust{Candidates: []study.Candidate{{Name: "eager"}, {Name: "rendezvous"}},
		Outputs: []study.Output{*study.OutputByName("total")}, Runs: 2, K: 2, Most: most}
	table := &study.Table{Outputs: []study.Column{m.Outputs[0].Column}}
	for i, us := range []float64{10, 12, 14, 9, 20, math.NaN()} {
		table.Rows = append(table.Rows, study.Row{Index: i, Outputs: []float64{1000 * us}, Status: study.Done})
	}
	return studies.Robust("run", m, table)
}

// The best candidate by nominal values is named where it is another one, and if there is one.
func TestBestCandidate(t *testing.T) {
	none := math.NaN()
	for _, c := range []struct {
		us   []float64
		want string
	}{{[]float64{10, 12, 14, 9, 20, 21}, "run: Total; the best is a, by nominal values it would be b"},
		{[]float64{9, 12, 14, 10, 20, 21}, "run: Total; the best is a"},
		{[]float64{none, 12, 14, none, 20, 21}, "run: Total; the best is a"},
		{[]float64{none, none, none, 9, none, none}, "run: Total, by nominal values it would be b"},
		{[]float64{9, none, none, none, none, none}, "run: Total, by nominal values it would be a"}} {
		m := &study.Robust{Candidates: []study.Candidate{{Name: "a"}, {Name: "b"}},
			Outputs: []study.Output{*study.OutputByName("total")}, Runs: 2, K: 2}
		table := &study.Table{Outputs: []study.Column{m.Outputs[0].Column}}
		for i, us := range c.us {
			table.Rows = append(table.Rows, study.Row{Index: i, Outputs: []float64{1000 * us}, Status: study.Done})
		}
		a := studies.Robust("run", m, table)
		if got := a.Sections[0].Blocks[0].(*report.Passage).Text; got != c.want {
			t.Errorf("%v: %q, want %q", c.us, got, c.want)
		}
	}
}

// improve returns a search of two steps.
func improve(way *study.Path) *studies.Answer {
	table := random()
	way.Steps = []study.Step{{Row: table.Rows[2], Distance: study.Distance{Missed: 1.5}},
		{Row: table.Rows[0], Box: 1, Distance: study.Distance{Missed: 0.25, Direction: -1}}}
	return studies.Improve("run", way, table)
}

// latency returns a random one.
func latency(t *testing.T) study.Variable {
	t.Helper()
	v, err := study.ParseVariable("latency=uniform(5us,40us)", &study.Case{Program: program(2),
		Machine: sim.IdealFor(program(2))})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// improved returns a search with steps of some distances, of runs without inputs and outputs.
func improved(steps ...study.Distance) *studies.Answer {
	way := &study.Path{Boxes: 1, Why: "1 box without gain"}
	for _, d := range steps {
		way.Steps = append(way.Steps, study.Step{Distance: d})
	}
	return studies.Improve("run", way, &study.Table{})
}

// fit has draws of a latency for benchmarks a, b, ... of some measured times: us of the latency, then those predicted,
// by variant and benchmark.
func fit(t *testing.T, measured []float64, draws [][]float64, variants ...string) *studies.Answer {
	t.Helper()
	v := latency(t)
	f := &study.Fit{Tolerance: 0.1, Variables: []study.Variable{v}}
	for b, time := range measured {
		f.Benchmarks = append(f.Benchmarks, study.Benchmark{Case: study.Case{Name: string(rune('a' + b))},
			Measured: time})
	}
	for _, name := range variants {
		f.Variants = append(f.Variants, study.Variant{Name: name})
	}
	table := &study.Table{}
	for _, x := range draws {
		for k, us := range x[1:] {
			table.Rows = append(table.Rows, study.Row{Index: len(table.Rows), Status: study.Done,
				Inputs:  []float64{float64(k % len(measured)), float64(k / len(measured)), 1000 * x[0]},
				Outputs: []float64{1000 * us}})
		}
	}
	return studies.Fit(f, table)
}

// indices returns those of an output that is its only input.
func indices(t *testing.T) *studies.Answer {
	t.Helper()
	v := latency(t)
	m := &study.Indices{Variables: []study.Variable{v}, Seed: 1, Rows: 4}
	table := &study.Table{Inputs: []study.Column{v.Column}, Outputs: []study.Column{{Name: "total", Unit: "ns"}}}
	for row, x := range [][2]float64{{10, 20}, {15, 5}, {30, 12}, {22, 38}} {
		for k, us := range []float64{x[0], x[1], x[1]} { // the last run has the input of the second
			table.Rows = append(table.Rows, study.Row{Index: 3*row + k, Status: study.Done,
				Inputs: []float64{1000 * us}, Outputs: []float64{2000 * us}})
		}
	}
	return studies.Indices("12 runs", m, table)
}

// mappings are three of two tasks, without those of a total of 0; the second is that of the machine.
func mappings(t *testing.T, top int, total ...int64) *studies.Answer {
	t.Helper()
	b, err := mapping.NewProblem(program(2), sim.IdealFor(program(2)), sim.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	var list []studies.Candidate
	for i, from := range []string{"search", "machine", "blocks"} {
		c := studies.Candidate{Candidate: mapping.Candidate{From: from, Mapping: mapping.Mapping{i & 1, 0}},
			Weight: mapping.Weight{Hops: int64(1 + 2*i), ByteHops: int64(100 * i), MaxLink: int64(10 * i)}}
		if total[i] == 0 {
			continue
		}
		c.Outcome.Total, c.Outcome.Speedup = total[i], 2-float64(i)/2
		c.Outcome.Nodes.Mean, c.Outcome.Nodes.Highest, c.Outcome.Nodes.Lowest = 0.5, 0.75, 0.25
		list = append(list, c)
	}
	return studies.Mappings(b, list, top)
}
