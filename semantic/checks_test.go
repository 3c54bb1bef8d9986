package semantic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/filter"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/semantic/series"
)

// The acceptance checks of the specification, on its two small traces.

const traceA = prvtest.TraceA

const traceB = prvtest.TraceB

func read(t testing.TB, text string) *prv.Trace {
	t.Helper()
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// show evaluates a row and writes it like the specification, each stretch of one value as begin-end:value.
func show(t testing.TB, tr *prv.Trace, w Window, row int) string {
	t.Helper()
	s := seriesOf(t, tr, w, row)
	var out []string
	for i := 0; i < s.Len(); {
		begin, _, v := s.Burst(i)
		j, end := i+1, s.End()
		for ; j < s.Len(); j++ {
			if next, _, w := s.Burst(j); w != v {
				end = next
				break
			}
		}
		i = j
		if end > begin {
			out = append(out, fmt.Sprintf("%d-%d:%.6g", begin, end, v))
		}
	}
	return strings.Join(out, " ")
}

func seriesOf(t testing.TB, tr *prv.Trace, w Window, row int) *series.Series {
	t.Helper()
	e, err := Compile(tr, &w)
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.Series(context.Background(), row)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// at returns a window at a level with a thread function.
func at(l prv.Level, thread string, params ...[]float64) Window {
	w := ThreadWindow(thread, params...)
	w.Level = l
	return w
}

func with(w Window, change func(w *Window)) Window {
	change(&w)
	return w
}

func folding(name string) func(w *Window) {
	return func(w *Window) {
		for _, l := range way(w.Level)[1:] {
			w.Functions[l].Name = name
		}
	}
}

// check is one row of one window of one trace.
type check struct {
	id    string // of the specification
	trace string
	w     Window
	row   int
	want  string
}

func TestChecks(t *testing.T) {
	thread, task, ptask, cpu := prv.LevelThread, prv.LevelTask, prv.LevelPtask, prv.LevelCPU
	only := func(w Window, types ...uint32) Window {
		w.Filter = filter.Only(types...)
		return w
	}
	top := func(w Window, top2, top1 Call) Window {
		w.Top2, w.Top1 = top2, top1
		return w
	}
	one := func(name string, v ...float64) Call {
		c := Call{Name: name}
		for _, x := range v {
			c.Params = append(c.Params, []float64{x})
		}
		return c
	}
	asIs := at(thread, "State As Is")
	for _, c := range []check{
		{"A6", traceA, asIs, 0, "0-30:1 30-50:3 50-90:1 90-100:0"},
		{"A6", traceA, asIs, 1, "0-45:1 45-50:7 50-70:1 70-80:3 80-100:1"},
		{"A7", traceA, at(thread, "Given State", []float64{3, 7}), 0, "0-30:0 30-50:3 50-100:0"},
		{"A7", traceA, at(thread, "Given State", []float64{3, 7}), 1, "0-45:0 45-50:7 50-70:0 70-80:3 80-100:0"},
		{"A7", traceA, at(thread, "In State", []float64{1}), 0, "0-30:1 30-50:0 50-90:1 90-100:0"},
		{"A7", traceA, at(thread, "Not In State", []float64{1}), 0, "0-30:0 30-50:1 50-90:0 90-100:1"},
		{"A7", traceA, at(thread, "State Sign"), 0, "0-90:1 90-100:0"},
		{"A8", traceA, at(thread, "Last Event Value"), 0, "0-10:0 10-20:1 20-25:2 25-60:0 60-80:3 80-100:0"},
		{"A8", traceA, at(thread, "Last Event Value"), 1, "0-5:0 5-55:7 55-100:9"},
		{"A8", traceA, at(thread, "Last Event Type"), 0, "0-10:0 10-100:40"},
		{"A9", traceA, at(thread, "Next Event Value"), 0, "0-10:0 10-20:2 20-25:0 25-60:3 60-100:0"},
		{"A9", traceA, at(thread, "Next Event Value"), 1, "0-5:0 5-55:9 55-100:0"},
		{"A9", traceA, at(thread, "Next Event Type"), 1, "0-5:0 5-55:500 55-100:0"},
		{"today", traceA, at(thread, "Next Evt Val"), 1, "0-5:7 5-55:9 55-100:0"},
		{"A10", traceA, at(thread, "Average Next Event Value"), 0, "0-10:0 10-20:200 20-25:0 25-60:85.7143 60-100:0"},
		{"A10", traceA, at(thread, "Average Next Event Value"), 1, "0-5:0 5-55:180 55-100:0"},
		{"A10", traceA, at(thread, "Average Last Event Value"), 0,
			"0-10:0 10-20:100 20-25:400 25-60:0 60-80:150 80-100:0"},
		{"A10", traceA, at(thread, "Average Last Event Value"), 1, "0-5:0 5-55:140 55-100:0"},
		{"A10", traceA, at(thread, "Int. Between Evt"), 0,
			"0-10:0 10-20:10 20-25:5 25-60:35 60-80:20 80-90:10 90-100:0"},
		{"A11", traceA, at(thread, "Given Event Value", []float64{2, 3}), 0, "0-20:0 20-25:2 25-60:0 60-80:3 80-100:0"},
		{"A11", traceA, at(thread, "In Event Value", []float64{2, 3}), 0, "0-20:0 20-25:1 25-60:0 60-80:1 80-100:0"},
		{"A12", traceA, at(thread, "Last Size"), 0, "0-50:0 50-100:1000"},
		{"A12", traceA, at(thread, "Last Size"), 1, "0-80:0 80-100:3000"},
		{"A12", traceA, at(thread, "Last Tag"), 0, "0-50:0 50-100:5"},
		{"A12", traceA, at(thread, "Last Tag"), 1, "0-80:0 80-100:6"},
		{"A13", traceA, top(asIs, one("Divide", 2), one("Module", 2)), 0, "0-30:0.5 30-50:1.5 50-90:0.5 90-100:0"},
		{"A13", traceA, top(asIs, one("Module", 2), one("Divide", 2)), 0, "0-90:0.5 90-100:0"},
		{"A14", traceA, top(asIs, one("Module", 3), Call{}), 0, "0-30:1 30-50:0 50-90:1 90-100:0"},
		{"A14", traceA, top(asIs, one("Module+1", 3), Call{}), 0, "0-30:2 30-50:1 50-90:2 90-100:1"},
		{"A14", traceA, top(asIs, one("1-Sign"), Call{}), 0, "0-90:0 90-100:1"},
		{"A14", traceA, top(asIs, one("Select Range", 5, 2), Call{}), 0, "0-30:0 30-50:3 50-100:0"},
		{"A14", traceA, top(asIs, one("Is In Range", 5, 2), Call{}), 0, "0-30:0 30-50:1 50-100:0"},
		{"A15", traceA, top(only(at(thread, "Last Event Value"), 40), one("Stacked Value"), Call{}), 0,
			"0-10:0 10-20:1 20-25:2 25-60:1 60-80:3 80-90:1 90-100:0"},
		{"A16", traceA, at(ptask, "In State", []float64{1}), 0,
			"0-30:2 30-45:1 45-50:0 50-70:2 70-80:1 80-90:2 90-100:1"},
		{"A16", traceA, with(at(ptask, "In State", []float64{1}),
			func(w *Window) { w.Functions[ptask].Name = "Adding Sign" }), 0, "0-45:1 45-50:0 50-100:1"},
		{"A17", traceA, with(at(ptask, "State As Is"), folding("Maximum")), 0,
			"0-30:1 30-45:3 45-50:7 50-70:1 70-80:3 80-100:1"},
		{"A17", traceA, with(at(ptask, "State As Is"), folding("Minimum (with 0)")), 0,
			"0-45:1 45-50:3 50-90:1 90-100:0"},
		{"today", traceA, with(at(ptask, "State As Is"), folding("Minimum")), 0, "0-45:1 45-50:3 50-100:1"},
		{"A17", traceA, with(at(ptask, "State As Is"), folding("Average")), 0,
			"0-30:1 30-45:2 45-50:5 50-70:1 70-80:2 80-90:1 90-100:0.5"},
		{"A18", traceA, with(at(task, "State As Is"), func(w *Window) { w.Functions[task] = one("Thread i", 2) }), 0,
			"0-100:0"},
		{"A18", traceA, with(at(task, "State As Is"), func(w *Window) { w.Functions[task] = one("Thread i", 1) }), 0,
			"0-30:1 30-50:3 50-90:1 90-100:0"},
		{"A19", traceB, with(at(cpu, "In State", []float64{1}), folding("Adding")), 0, "0-40:1"},
		{"A19", traceB, with(at(cpu, "In State", []float64{5}), folding("Adding")), 0,
			"0-10:1 10-20:0 20-30:1 30-40:0"},
		{"A19", traceB, with(at(cpu, "In State", []float64{1}), folding("Average")), 0, "0-30:0.5 30-40:1"},
		{"A20", traceA, only(at(thread, "Last Evt Val"), 500), 0, "0-100:0"},
		{"A20", traceA, only(at(thread, "Last Evt Val"), 500), 1, "0-5:0 5-55:7 55-100:9"},
		{"A20", traceA, only(asIs, 500), 0, "0-30:1 30-50:3 50-90:1 90-100:0"},
		{"A21", traceA, with(at(thread, "Last Size"), func(w *Window) {
			w.Filter.Comms.Size = filter.Criterion{Func: filter.Greater, Values: []float64{2000}}
		}), 0, "0-100:0"},
		{"A22", traceA, with(only(at(thread, "Last Evt Val"), 40), func(w *Window) {
			w.Filter.Events.Value = filter.Criterion{Func: filter.Greater, Values: []float64{0}}
		}), 0, "0-10:0 10-20:1 20-60:2 60-100:3"},
	} {
		if got := show(t, read(t, c.trace), c.w, c.row); got != c.want {
			t.Errorf("%s: %s, row %d:\n got %s\nwant %s", c.id, c.w.Describe(), c.row, got, c.want)
		}
	}
}

// A15, the rest: equal values push again, and an empty stack is not popped.
func TestStack(t *testing.T) {
	for _, c := range []struct{ in, want []float64 }{
		{[]float64{1, 2, 0, 3, 0, 0, 0}, []float64{1, 2, 1, 3, 1, 0, 0}},
		{[]float64{4, 4, 0, 0}, []float64{4, 4, 4, 0}},
		{[]float64{0, 0, 5, 0}, []float64{0, 0, 5, 0}},
	} {
		b := bursts{begin: make([]int64, len(c.in)), value: slices.Clone(c.in)}
		stacked(&b, func(top float64) float64 { return top })
		if !slices.Equal(b.value, c.want) {
			t.Errorf("%v gives %v, want %v", c.in, b.value, c.want)
		}
	}
}

// A23, A24, A34: means over time.
func TestMeans(t *testing.T) {
	asIs, inState := at(prv.LevelThread, "State As Is"), at(prv.LevelThread, "In State", []float64{1})
	for _, c := range []struct {
		id, trace string
		w         Window
		row       int
		a, b      int64
		want      float64
	}{
		{"A23", traceA, asIs, 0, 0, 100, 1.3}, {"A23", traceA, asIs, 1, 0, 100, 1.5},
		{"A23", traceA, inState, 0, 0, 100, 0.70}, {"A23", traceA, inState, 1, 0, 100, 0.85},
		{"A23", traceA, at(prv.LevelPtask, "In State", []float64{1}), 0, 0, 100, 1.55},
		{"A24", traceA, asIs, 0, 20, 60, 2}, {"A24", traceA, asIs, 1, 20, 60, 1.75},
		{"A24", traceA, inState, 0, 20, 60, 0.5}, {"A24", traceA, inState, 1, 20, 60, 0.875},
		{"A34", traceB, with(at(prv.LevelCPU, "In State", []float64{5}), folding("Adding")), 0, 0, 40, 0.5},
		{"A34", traceB, with(at(prv.LevelCPU, "In State", []float64{5}), folding("Adding")), 0, 10, 20, 0},
	} {
		g := seriesOf(t, read(t, c.trace), c.w, c.row).Aggregate(c.a, c.b)
		if got := g.Average(); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %s, row %d, [%d,%d]: %v, want %v", c.id, c.w.Describe(), c.row, c.a, c.b, got, c.want)
		}
	}
}

// A5: with IgnoreFileOrder, the order of the body's lines changes nothing. (The kit has Paraver's own way:
// tr06_awkward.)
func TestOrderOfLinesIsNothing(t *testing.T) {
	lines := strings.SplitAfter(strings.TrimSuffix(traceA, "\n"), "\n")
	shuffled := lines[0]
	for i := len(lines) - 1; i > 0; i-- {
		shuffled += strings.TrimSuffix(lines[i], "\n") + "\n"
	}
	a, b := read(t, traceA), read(t, shuffled)
	for _, w := range []Window{at(prv.LevelThread, "State As Is"), at(prv.LevelThread, "Last Evt Val"),
		at(prv.LevelCPU, "State As Is")} {
		w.IgnoreFileOrder = true
		for row := range 2 {
			if x, y := show(t, a, w, row), show(t, b, w, row); x != y {
				t.Errorf("%s, row %d: %s, shuffled %s", w.Describe(), row, x, y)
			}
		}
	}
}

func TestErrorsNameTheTrouble(t *testing.T) {
	noCPUs := read(t, "#Paraver (01/01/03 at 00:00):100:0:1:1(1:0)\n1:0:1:1:1:0:30:1\n")
	for _, c := range []struct {
		w    Window
		want string
	}{
		{with(at(prv.LevelThread, "No Such"), func(w *Window) { w.Name = "mine" }),
			`window "mine": level thread: unknown thread function "No Such"`},
		{with(at(prv.LevelTask, "Useful"), folding("Adding up")),
			`window "Useful": level task: unknown task, ptask, workload, node or system function "Adding up"`},
		{with(at(prv.LevelThread, "Useful"), func(w *Window) { w.Top1.Name = "Squared" }),
			`window "Useful": compose on top: unknown compose function "Squared"`},
		{at(prv.LevelThread, "Useful", []float64{1}),
			`window "Useful": level thread: Useful takes no parameters, not 1`},
		{at(prv.LevelThread, "Avg Next Evt Val", []float64{}),
			`window "Avg Next Evt Val": level thread: Avg Next Evt Val: parameter "Factor" has no value`},
		{at(prv.LevelCPU, "Useful"),
			`window "Useful": the trace has no resource information: the levels node, cpu and system do not exist`},
	} {
		_, err := Compile(noCPUs, &c.w)
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
	w := at(prv.LevelNode, "Useful")
	if _, err := Compile(noCPUs, &w); !errors.Is(err, ErrNoResources) {
		t.Errorf("%v is not ErrNoResources", err)
	}
}

func TestKeyIsWhatAWindowShows(t *testing.T) {
	a := DefaultWindow()
	b := a.Clone()
	b.Name = "another"
	b.Functions[prv.LevelTask].Name = "Maximum" // not among the levels of a thread window
	if a.Key() != b.Key() {
		t.Error("the name, or a function of no use, is in the key")
	}
	keys := map[string]int{a.Key(): -1}
	for i, change := range []func(w *Window){
		func(w *Window) { w.Level = prv.LevelTask },
		func(w *Window) { w.Unit = Seconds },
		func(w *Window) { w.Functions[prv.LevelThread].Name = "Useful" },
		func(w *Window) { w.Functions[prv.LevelThread].Params = [][]float64{{1}} },
		func(w *Window) { w.Functions[prv.LevelThread].Params = [][]float64{{1, 2}} },
		func(w *Window) { w.Functions[prv.LevelThread].Params = [][]float64{{1}, {2}} },
		func(w *Window) { w.Top1.Name = "Sign" },
		func(w *Window) { w.Top2.Name = "Sign" },
		func(w *Window) { w.Extra = []Call{{Name: "Sign"}} },
		func(w *Window) { w.HoldState = true },
		func(w *Window) { w.IgnoreFileOrder = true },
		func(w *Window) { w.Filter.Comms.Physical = true },
		func(w *Window) { w.Filter = filter.Only(1) },
		func(w *Window) { w.Filter = filter.Only(1, 2) },
		func(w *Window) { w.Filter = filter.Only(12) },
		func(w *Window) { w.Filter.Events.Value = filter.Criterion{Func: filter.Equal, Labels: []string{"x"}} },
		func(w *Window) {
			p := DefaultWindow()
			w.Derived = &Derived{Op: Call{Name: "add"}, A: Parent{Window: &p, Factor: 1},
				B: Parent{Window: &p, Factor: 1}}
		},
		func(w *Window) {
			p := DefaultWindow()
			w.Derived = &Derived{Op: Call{Name: "add"}, A: Parent{Window: &p, Factor: 1},
				B: Parent{Window: &p, Factor: 2}}
		},
	} {
		w := a.Clone()
		change(&w)
		if w.Equal(&a) {
			t.Errorf("change %d: equal", i)
		}
		if c := w.Clone(); !c.Equal(&w) || c.Key() != w.Key() {
			t.Errorf("change %d: a clone differs", i)
		}
		if j, ok := keys[w.Key()]; ok {
			t.Errorf("changes %d and %d have the same key %s", i, j, w.Key())
		}
		keys[w.Key()] = i
	}
}

// A derived window that uses itself as both parents must still be cloned apart.
func TestCloneSharesNothing(t *testing.T) {
	w := at(prv.LevelThread, "In State", []float64{1, 2})
	w.Filter = filter.Only(5)
	w.Extra = []Call{{Name: "Prod", Params: [][]float64{{2}}}}
	c := w.Clone()
	c.Functions[prv.LevelThread].Params[0][0] = 9
	c.Filter.Events.Type.Values[0] = 9
	c.Extra[0].Params[0][0] = 9
	if w.Functions[prv.LevelThread].Params[0][0] != 1 || w.Filter.Events.Type.Values[0] != 5 ||
		w.Extra[0].Params[0][0] != 2 {
		t.Error("a change of the clone changes the window")
	}
}
