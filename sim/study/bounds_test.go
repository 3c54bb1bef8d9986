package study

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/sim"
)

// How far values are from targets, relative to their scale of 10.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		relation Relation
		v, want  float64
	}{{Equal, 25, 0.5}, {Equal, 15, 0.5}, {Equal, 20, 0}, {AtMost, 25, 0.5}, {AtMost, 20, 0}, {AtMost, 15, 0},
		{AtLeast, 15, 0.5}, {AtLeast, 20, 0}, {AtLeast, 25, 0}, {Least, 25, 2.5}, {Most, 40, 0.25}} {
		target := Target{Relation: c.relation, Value: 20, scale: 10}
		if got := target.distance(c.v); got != c.want {
			t.Errorf("%v 20: %g is %g away, want %g", c.relation, c.v, got, c.want)
		}
	}
	if d := (&Target{Relation: Most, scale: 1}).distance(0); !(d > 1e300) {
		t.Errorf("0 is %g away from the most", d)
	}
}

// rowsOf returns runs of one input and one output with the same values; NaN is a run that failed.
func rowsOf(values ...float64) (rows []Row) {
	for i, v := range values {
		r := Row{Index: i, Inputs: []float64{v}, Outputs: []float64{v}, Status: Done}
		if math.IsNaN(v) {
			r.Status, r.Outputs = Failed, nil
		}
		rows = append(rows, r)
	}
	return rows
}

// The way to a target of 10 +- 10 %, or 0, from the start over boxes of two points: a step to the best of each box that
// is better than all before, unless that is as good. Steps are written as the value and its box.
func TestPath(t *testing.T) {
	bad := math.NaN()
	for _, c := range []struct {
		name            string
		target          float64
		patience, boxes int
		values          []float64
		steps           string
		drawn           int
		half            float64
		why             string // "": none yet
	}{
		{"no run", 10, 2, 4, nil, "", 0, 1, ""},
		{"a start that failed", 10, 2, 4, []float64{bad, 10, 10}, "", 0, 1, ""},
		{"a start that is near enough", 10, 2, 4, []float64{11, 10, 10}, "11/0", 0, 1, "the targets are reached"},
		{"the start alone", 10, 2, 4, []float64{11.5}, "11.5/0", 0, 1, "the search was interrupted"},
		{"half a box", 10, 2, 4, []float64{20, 18}, "20/0", 0, 1, "the search was interrupted"},
		{"better and better", 10, 2, 4, []float64{20, 18, 16, 15, 17, 12, 10.5}, "20/0 16/1 15/2 10.5/3", 3, 1,
			"the targets are reached"},
		{"the first of a box", 10, 2, 4, []float64{20, 16, 18}, "20/0 16/1", 1, 1, "the search was interrupted"},
		{"a gain resets patience", 10, 2, 4, []float64{20, 20, 21, 19, 19, 19, 18.5}, "20/0 19/2 18.5/3", 3, 0.5,
			"the search was interrupted"},
		{"patience", 10, 2, 4, []float64{20, 18, bad, 18, 19, bad, bad, 10, 10}, "20/0 18/1", 3, 0.25,
			"2 boxes in a row without gain"},
		{"the last box", 10, 2, 1, []float64{20, 18, 17, 10, 10}, "20/0 17/1", 1, 1, "the budget is used up"},
		{"a target of 0", 0, 2, 4, []float64{20, 10, 15, 1, -1}, "20/0 10/1 1/2", 2, 1, "the targets are reached"},
	} {
		m := &Improve{Targets: []Target{{Name: "y", Value: c.target}}, Points: 2, Boxes: c.boxes, Patience: c.patience,
			Tolerance: 0.1, Halve: true}
		p := m.Path(rowsOf(c.values...), []Column{{Name: "x"}}, []Column{{Name: "y"}})
		var steps []string
		for _, s := range p.Steps {
			steps = append(steps, fmt.Sprintf("%g/%d", s.Outputs[0], s.Box))
		}
		if got := strings.Join(steps, " "); got != c.steps || p.Boxes != c.drawn || p.half != c.half || p.Why != c.why {
			t.Errorf("%s: steps %s, %d boxes, half %g: %s", c.name, got, p.Boxes, p.half, p.Why)
		}
	}
}

// Candidates of a nominal run and two others each: the mean of 2 and 4 with a deviation of sqrt 2 is judged 3 + sqrt 2,
// or 3 - sqrt 2 where more is better. Of two that are equal the first is the best.
func TestVerdicts(t *testing.T) {
	bad, root := math.NaN(), math.Sqrt2
	for _, c := range []struct {
		most          bool
		values        []float64
		judged        []float64
		best, nominal int
	}{
		{false, nil, []float64{bad, bad, bad}, -1, -1},
		{false, []float64{9, 2, 4, 8, 2, 4, 8, 2, 6}, []float64{3 + root, 3 + root, 4 + 2*root}, 0, 1},
		{true, []float64{8, 2, 4, 9, 2, 4, 9, 2, 6}, []float64{3 - root, 3 - root, 4 - 2*root}, 0, 1},
		{true, []float64{bad, bad, bad, -9, 5, 3, -8, 7, bad}, []float64{bad, 4 - root, 7}, 2, 2},
	} {
		m := &Robust{Candidates: make([]Candidate, 3), Runs: 2, K: 1, Most: c.most}
		list, best, nominal := m.Verdicts(&Table{Rows: rowsOf(c.values...)})
		if best != c.best || nominal != c.nominal {
			t.Errorf("most %v, %v: the best is %d, nominally %d", c.most, c.values, best, nominal)
		}
		for i, want := range c.judged {
			if got := list[i].Judged; math.Abs(got-want) > 1e-9 || math.IsNaN(got) != math.IsNaN(want) {
				t.Errorf("most %v, %v: candidate %d is judged %g, not %g", c.most, c.values, i, got, want)
			}
		}
	}
}

func TestWrongImprovements(t *testing.T) {
	for name, c := range map[string]struct {
		change func(m *Improve)
		want   string // "": none
	}{
		"right":       {func(*Improve) {}, ""},
		"no knobs":    {func(m *Improve) { m.Knobs = nil }, "needs parameters and targets"},
		"no targets":  {func(m *Improve) { m.Targets = nil }, "needs parameters and targets"},
		"no points":   {func(m *Improve) { m.Points = 0 }, "must be >= 1"},
		"no boxes":    {func(m *Improve) { m.Boxes = 0 }, "must be >= 1"},
		"no patience": {func(m *Improve) { m.Patience = 0 }, "must be >= 1"},
		"points":      {func(m *Improve) { m.Points = MaxRuns + 1 }, "must be <= 1048576"},
		"boxes":       {func(m *Improve) { m.Boxes = MaxRuns + 1 }, "must be <= 1048576"},
		"exact":       {func(m *Improve) { m.Tolerance = 0 }, "tolerance of 0"},
		"loose":       {func(m *Improve) { m.Tolerance = 1 }, "tolerance of 1"},
		"no number":   {func(m *Improve) { m.Tolerance = math.NaN() }, "tolerance of NaN"},
		"most runs":   {func(m *Improve) { m.Points = MaxRuns - 1 }, ""},
		"too many":    {func(m *Improve) { m.Points = MaxRuns }, "1048577 runs"},
		"together":    {func(m *Improve) { m.Points, m.Boxes = 1<<10, 1<<10 }, "1048577 runs"},
	} {
		m := &Improve{Knobs: make([]Knob, 1), Targets: make([]Target, 1), Points: 1, Boxes: 1, Patience: 1,
			Tolerance: 0.1}
		c.change(m)
		checkError(t, name, m.Check(), c.want)
	}
	for tolerance, want := range map[float64]string{0: "tolerance of 0", 0.5: "", 1: "tolerance of 1",
		-1: "tolerance of -1"} {
		checkError(t, "stop rule", (&StopRule{Tolerance: tolerance}).Check(), want)
	}
}

func checkError(t *testing.T, name string, err error, want string) {
	t.Helper()
	if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v, want %q", name, err, want)
	}
}

// All runs of a fit, 24 in a round, of each benchmark and variant, are at most 2^20.
func TestRunsOfFit(t *testing.T) {
	for _, c := range []struct {
		runs, rounds, benchmarks, variants int
		want                               string
	}{
		{MaxRuns, 0, 1, 0, ""}, {MaxRuns + 1, 0, 1, 0, "1048577 runs"}, {MaxRuns - 24, 1, 1, 0, ""},
		{MaxRuns - 23, 1, 1, 0, "1048577 runs"}, {MaxRuns / 2, 0, 2, 0, ""}, {MaxRuns/2 + 1, 0, 2, 0, "1048578 runs"},
		{MaxRuns / 4, 0, 2, 2, ""}, {MaxRuns/4 + 1, 0, 2, 2, "1048580 runs"}, {MaxRuns / 2, 0, 1, 3, "1572864 runs"},
	} {
		f := &Fit{Benchmarks: slices.Repeat([]Benchmark{{Measured: 1}}, c.benchmarks), Variables: make([]Variable, 1),
			Variants: make([]Variant, c.variants), Runs: c.runs, Rounds: c.rounds, Tolerance: 0.1}
		checkError(t, fmt.Sprintf("%+v", c), f.Check(), c.want)
	}
}

func TestWrongRobust(t *testing.T) {
	one := []Candidate{{Name: "a"}}
	for _, m := range []*Robust{{Runs: 1}, {Runs: 1, Candidates: one, K: -1}, {Runs: 1, Candidates: one, K: math.NaN()},
		{Runs: 1, Candidates: one, K: math.Inf(1)}} {
		_, err := m.Plan()
		checkError(t, fmt.Sprintf("K %g", m.K), err, "needs candidates, and K must be >= 0")
	}
	base := *idealCase(1)
	for _, c := range []struct {
		runs       int
		candidates []Candidate
		want       string
	}{{1, one, ""}, {0, one, "0 runs"}, {MaxRuns, one, "1048577 runs"}, {1, []Candidate{{Name: "a"}, {Name: "a"}},
		"two candidates are named a"}} {
		_, err := (&Robust{Base: base, Runs: c.runs, Candidates: c.candidates, Outputs: Outputs[:1]}).Plan()
		checkError(t, fmt.Sprint(c.runs), err, c.want)
	}
}

// Indices of one variable take 4 rows at least, of 3 runs each.
func TestWrongIndices(t *testing.T) {
	base := idealCase(1)
	v, err := ParseVariable("latency=uniform(1us,2us)", base)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		variables, rows int
		want            string
	}{{1, 4, ""}, {1, 3, "from 4 to 1048576 rows"}, {0, 4, "need variables"}, {1, MaxRuns + 1, "from 4 to"},
		{1, MaxRuns / 3, ""}, {1, MaxRuns/3 + 1, "1048578 runs"}} {
		p, err := (&Indices{Base: *base, Variables: slices.Repeat([]Variable{v}, c.variables), Rows: c.rows,
			Outputs: Outputs[:1]}).Plan()
		checkError(t, fmt.Sprintf("%+v", c), err, c.want)
		if err == nil && (p.Size() != 3*c.rows || !p.Splits()) {
			t.Errorf("%+v: %d runs", c, p.Size())
		}
	}
}

// A value outside of the range is drawn again, 10,000 times at most; the ends belong to the range where it is closed.
func TestPhysicalValues(t *testing.T) {
	for _, c := range []struct {
		x        float64
		closed   bool
		whole    bool
		want     float64
		physical bool
	}{{1, false, false, 1, false}, {1, true, false, 1, true}, {1.1, false, false, 1.1, true},
		{3, false, false, 3, true},
		{3.1, true, false, 3.1, false}, {0.9, true, false, 0.9, false}, {1.4, false, true, 1, false},
		{1.5, false, true, 2, true}, {3.4, false, true, 3, true}} {
		v := Variable{Quantity: &Quantity{Above: 1, Most: 3, Closed: c.closed, Whole: c.whole}}
		v.inverse = func(float64) float64 { return c.x }
		if x, physical := v.At(0.5); x != c.want || physical != c.physical {
			t.Errorf("%+v: %g, %v", c, x, physical)
		}
		s, err := NewSample([]Variable{v}, 7, 1, RandomSampling, nil)
		if err != nil || s.Len() != 7 {
			t.Fatalf("%d runs, %v", s.Len(), err)
		}
		d, err := s.At(0)
		redraws := map[bool]int{true: 0, false: 10_000}[c.physical]
		if (err == nil) != c.physical || d.Redraws != redraws {
			t.Errorf("%+v: %d redraws, %v", c, d.Redraws, err)
		}
		v.Weights = []float64{1} // a list is meant as it is
		if x, physical := v.At(0.5); x != c.x || !physical {
			t.Errorf("%+v in a list: %g, %v", c, x, physical)
		}
	}
}

// Half of the draws are 7, a quarter 8, and a quarter 9.
func TestListInverse(t *testing.T) {
	v := Variable{}
	v.Args, v.Weights = []float64{7, 8, 9}, []float64{0.5, 0.25, 0.25}
	for u, want := range map[float64]float64{0: 7, 0.49: 7, 0.5: 8, 0.74: 8, 0.75: 9, 0.99: 9, 1: 9} {
		if got := v.listInverse(u); got != want {
			t.Errorf("%g: %g, want %g", u, got, want)
		}
	}
}

func TestWrongDensities(t *testing.T) {
	for _, c := range []struct {
		check func([]float64) error
		args  []float64
		want  string
	}{
		{ascending, []float64{1, 2}, ""}, {ascending, []float64{1, 1}, errNoWidth.Error()},
		{ascending, []float64{2, 1}, "least < most"},
		{positive, []float64{1, 2}, ""}, {positive, []float64{1, 0}, errNoWidth.Error()},
		{positive, []float64{-1}, "values > 0"}, {positive, nil, ""},
		{checkTriangle, []float64{1, 2, 3}, ""}, {checkTriangle, []float64{1, 1, 3}, ""},
		{checkTriangle, []float64{1, 3, 3}, ""}, {checkTriangle, []float64{1, 1, 1}, errNoWidth.Error()},
		{checkTriangle, []float64{2, 1, 3}, "least <= mode"}, {checkTriangle, []float64{1, 4, 3}, "least <= mode"},
		{checkNormal, []float64{1, 2}, ""}, {checkNormal, []float64{1, 0}, errNoWidth.Error()},
		{checkNormal, []float64{1, -1}, "deviation > 0"}, {checkNormal, []float64{1, 2, 0}, "least and most together"},
		{checkNormal, []float64{1, 2, 0, 3}, ""}, {checkNormal, []float64{1, 2, 3, 0}, "least < most"},
		{checkNormal, []float64{0, 1, 50, 60}, "hardly any value"},
	} {
		checkError(t, fmt.Sprint(c.args), c.check(c.args), c.want)
	}
}

// The mean and the deviation of 2, 4 and 9: 5, and sqrt((9 + 1 + 16) / 2); Student's t of 2 degrees is 4.3027.
func TestMoments(t *testing.T) {
	var m Moments
	if m.SD() != 0 || !math.IsInf(m.HalfWidth(), 1) {
		t.Errorf("of nothing: %g, %g", m.SD(), m.HalfWidth())
	}
	m.Add(2)
	m.Add(math.NaN())
	if m.N != 1 || m.Mean != 2 || m.SD() != 0 || !math.IsInf(m.HalfWidth(), 1) {
		t.Errorf("of one: %+v, %g, %g", m, m.SD(), m.HalfWidth())
	}
	m.Add(4)
	m.Add(9)
	sd := math.Sqrt(13)
	if half := 4.302653 * sd / math.Sqrt(3); m.N != 3 || m.Mean != 5 || math.Abs(m.SD()-sd) > 1e-12 ||
		math.Abs(m.HalfWidth()-half) > 1e-5 {
		t.Errorf("%+v, %g, %g", m, m.SD(), m.HalfWidth())
	}
	s := StatisticsOf([]float64{9, math.NaN(), 2, 4})
	if s.N != 3 || s.Mean != 5 || s.Percentile(50) != 4 {
		t.Errorf("%+v", s)
	}
	if got := ranks([]float64{5, 1, 5, 9}); !slices.Equal(got, []float64{2.5, 1, 2.5, 4}) {
		t.Errorf("ranks %v", got)
	}
	for _, c := range []struct {
		x, y []float64
		want float64
	}{{[]float64{1, 2, 30}, []float64{1, 5, 6}, 1}, {[]float64{1, 2, 3}, []float64{6, 5, -1}, -1},
		{[]float64{1, 2}, []float64{3, 3}, 0}, {[]float64{3, 3}, []float64{1, 2}, 0}, {[]float64{1}, []float64{1}, 0}} {
		if got := RankCorrelation(c.x, c.y); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v: %g", c, got)
		}
	}
}

// What is known of a measured run: its time, and what its machine tells of the inputs.
func TestMeasuredRow(t *testing.T) {
	base := idealCase(2)
	latency, err := ParseVariable("latency=uniform(1us,2us)", base)
	if err != nil {
		t.Fatal(err)
	}
	inputs := []Input{latency.Input(), {Column: Column{Name: "other"}}}
	var none *Measured
	if r := none.row(base, inputs, Outputs[:2]); r != nil {
		t.Errorf("%+v", r)
	}
	r := (&Measured{Total: 70}).row(base, inputs, Outputs[:2])
	if r.Index != -1 || r.Status != Done || !math.IsNaN(r.Inputs[0]) || !math.IsNaN(r.Inputs[1]) ||
		r.Outputs[0] != 70 || !math.IsNaN(r.Outputs[1]) {
		t.Errorf("%+v", r)
	}
	m := sim.Ideal(2)
	for i := range m.Nodes {
		m.Nodes[i].Latency = 1500
	}
	if r := (&Measured{Machine: m}).row(base, inputs, nil); r.Inputs[0] != 1500 || !math.IsNaN(r.Inputs[1]) {
		t.Errorf("%+v", r)
	}
}

// The best variant is the first with the least error of those that have a draw; unmet are the benchmarks without any.
func TestBestVariant(t *testing.T) {
	result := func(found bool, e float64) FitResult {
		r := FitResult{Error: e}
		if found {
			r.Best = make([]float64, 1)
		}
		return r
	}
	for _, c := range []struct {
		list []FitResult
		want int
	}{{nil, -1}, {[]FitResult{result(false, 0)}, -1}, {[]FitResult{result(false, 0), result(true, 3)}, 1},
		{[]FitResult{result(true, 3), result(true, 2), result(true, 2)}, 1}} {
		if got := BestVariant(c.list); got != c.want {
			t.Errorf("%+v: %d", c.list, got)
		}
	}
}

func TestColumnTexts(t *testing.T) {
	words := Column{Levels: []string{"a", "b"}}
	for v, want := range map[float64]string{0: "a", 1: "b", 2: "", -1: ""} {
		if got := words.Text(v); got != want {
			t.Errorf("%g: %q", v, got)
		}
	}
	time := Column{Unit: "ns"}
	if got := time.Text(0.1); got != "0.1" {
		t.Error(got)
	}
	if least, greatest := time.Ends(); least != "best" || greatest != "worst" || time.Notation() == nil {
		t.Errorf("%s, %s", least, greatest)
	}
	if least, greatest := words.Ends(); least != "least" || greatest != "greatest" || words.Notation() != nil {
		t.Errorf("%s, %s", least, greatest)
	}
	if quotient(3, 2) != 1.5 || quotient(3, 0) != 0 {
		t.Error(quotient(3, 2), quotient(3, 0))
	}
	if got := splitList("a, f(b,c) ,[d,e],"); !slices.Equal(got, []string{"a", "f(b,c)", "[d,e]", ""}) {
		t.Errorf("%q", got)
	}
	for text, ok := range map[string]bool{"7:3": true, "7:-3": true, "7": false, "7:3:1": false, "7:3x": false,
		"07:3": false} {
		if _, _, got := parseBlock(text); got != ok {
			t.Errorf("%s: %v", text, got)
		}
	}
}
