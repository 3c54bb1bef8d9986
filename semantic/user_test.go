package semantic

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"pview/filter"
	"pview/prv"
	"pview/semantic/expr"
	"pview/semantic/series"
)

// oracleTraces opens the traces for which Paraver's numbers are known.
func oracleTraces(t *testing.T) map[string]*prv.Trace {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(oracle, "traces", "*.prv"))
	if len(paths) < 5 {
		t.Fatalf("only %d traces", len(paths))
	}
	all := map[string]*prv.Trace{}
	for _, p := range paths {
		name := strings.TrimSuffix(filepath.Base(p), ".prv")
		all[name] = openTrace(t, name)
	}
	return all
}

// TestExpressionIsFunction: an expression equals the table's function burst for burst, on all traces for which
// Paraver's numbers are known, at several levels, with several filters.
func TestExpressionIsFunction(t *testing.T) {
	traces := oracleTraces(t)
	bursts := 0
	for _, c := range []struct {
		name       string
		params     [][]float64
		expression string
	}{
		{"State As Is", nil, "state"},
		{"Useful", nil, "state == 1"},
		{"In State", [][]float64{{1, 3}}, "state in [1, 3] ? 1 : 0"},
		{"Not In State", [][]float64{{1, 3}}, "record > 0 && state not in [1, 3]"},
		{"Given State", [][]float64{{2, 5}}, "state == 2 || state == 5 ? state : 0"},
		{"State Record Dur.", [][]float64{{1}}, "state == 1 ? state_duration : 0"},
		{"Last Evt Val", nil, "value"},
		{"Last Evt Type", nil, "type"},
		{"Last Evt Val w/o Bursts", nil, "value != 0 ? value : result"},
		{"Next Evt Val", nil, "next_value"},
		{"Next Evt Type", nil, "next_type"},
		{"Next Event Value", nil, "record > 0 ? next_value : 0"},
		{"Avg Next Evt Val", [][]float64{{1000}}, "next_value * 1000 / interval"},
		{"Avg Last Evt Val", [][]float64{{3}}, "value * 3 / interval"},
		{"Int. Between Evt", nil, "record > 0 ? interval : 0"},
		{"In Evt Range", [][]float64{{2}, {7}}, "record > 0 && value >= 2 && value <= 7"},
		{"Comm Size", nil, "size"},
		{"Thread ID", nil, "thread"},
		{"TaskID", nil, "task"},
		{"Application ID", nil, "ptask"},
		{"Cpu ID", nil, "cpu"},
		{"Node ID", nil, "node"},
	} {
		for name, tr := range traces {
			for i, l := range prv.Levels {
				if l.IsResource() && len(tr.Nodes) == 0 {
					continue
				}
				w := at(l, c.name)
				w.Functions[prv.LevelThread].Params = c.params
				w.Filter.Comms.Physical = i%2 == 0
				if i%3 == 0 {
					w.Filter.Events.Type = filter.Criterion{Func: filter.Greater, Values: []float64{40}}
				}
				bursts += sameWindow(t, tr, &w, with(w, func(w *Window) {
					w.Functions[prv.LevelThread] = mustUser(t, ThreadFunctions, c.expression)
				}), name)
			}
		}
	}
	if bursts < 10_000 {
		t.Errorf("only %d bursts were compared", bursts)
	}
}

// TestExpressionIsCompose: the same for compose functions, after a thread function and
// on top.
func TestExpressionIsCompose(t *testing.T) {
	traces := oracleTraces(t)
	for _, c := range []struct {
		name       string
		params     [][]float64
		expression string
	}{
		{"As Is", nil, "value"},
		{"Sign", nil, "value != 0"},
		{"Mod", [][]float64{{3}}, "value - 3 * floor(value / 3)"}, // for values >= 0
		{"Div", [][]float64{{7}}, "value / 7"},
		{"Prod", [][]float64{{2.5}}, "value * 2.5"},
		{"Inverse Div", [][]float64{{5}}, "5 / value"},
		{"Is Equal (Sign)", [][]float64{{1, 2}}, "value in [1, 2]"},
		{"Burst Time", nil, "duration"},
		{"Begin Time", nil, "begin"},
		{"End Time", nil, "end"},
		{"Divide by Burst Time", nil, "value / duration"},
		{"Accumulate", nil, "result + value"},
		{"Enumerate", nil, "value != 0 ? result + 1 : result"},
		{"Nesting level", nil, "value != 0 ? result + 1 : max(0, result - 1)"},
		{"Delta", nil, "value - prev"},
	} {
		for name, tr := range traces {
			w := at(prv.LevelThread, "State As Is")
			w.Compose[prv.LevelThread] = Call{Name: c.name, Params: c.params}
			user := mustUser(t, ComposeFunctions, c.expression)
			sameWindow(t, tr, &w, with(w, func(w *Window) { w.Compose[prv.LevelThread] = user }), name)
			w = at(prv.LevelTask, "State As Is")
			w.Top1 = Call{Name: c.name, Params: c.params}
			sameWindow(t, tr, &w, with(w, func(w *Window) { w.Top1 = user }), name)
		}
	}
}

// TestExpressionIsFold: the same for the functions of levels.
func TestExpressionIsFold(t *testing.T) {
	traces := oracleTraces(t)
	for _, c := range []struct{ name, expression string }{
		{"Adding", "sum(values)"},
		{"AddingSign", "sum(values) > 0"},
		{"Average", "sum(values) / n"},
		{"Maximum (signed)", "max(values)"},
		{"Minimum (with 0)", "min(values)"},
		{"Changed value", "changed"},
		{"Thread i", "values[0]"},
	} {
		for name, tr := range traces {
			for _, l := range []prv.Level{prv.LevelTask, prv.LevelPtask, prv.LevelWorkload, prv.LevelSystem} {
				if l.IsResource() && len(tr.Nodes) == 0 {
					continue
				}
				w := at(l, "State As Is")
				w.Functions[l].Name = c.name
				sameWindow(t, tr, &w, with(w,
					func(w *Window) { w.Functions[l] = mustUser(t, FoldFunctions, c.expression) }), name)
			}
		}
	}
	tr := traces["tr04_hybrid"]
	for name, expression := range map[string]string{"Adding": "sum(values)", "Average": "sum(values) / n"} {
		w := at(prv.LevelCPU, "State As Is")
		w.Functions[prv.LevelCPU].Name = name
		sameWindow(t, tr, &w, with(w, func(w *Window) {
			w.Functions[prv.LevelCPU] = mustUser(t, CPUFunctions,
				expression)
		}), name)
	}
}

func mustUser(t *testing.T, f Family, expression string) Call {
	t.Helper()
	c, err := UserCall(f, expression)
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return c
}

// sameWindow compares two windows burst by burst, and returns the number of bursts.
func sameWindow(t *testing.T, tr *prv.Trace, a *Window, b Window, trace string) (bursts int) {
	t.Helper()
	ea, err := Compile(tr, a)
	if err != nil {
		t.Fatal(err)
	}
	eb, err := Compile(tr, &b)
	if err != nil {
		t.Fatal(err)
	}
	for row := range ea.Rows() {
		sa, err := ea.Series(context.Background(), row)
		if err != nil {
			t.Fatal(err)
		}
		sb, err := eb.Series(context.Background(), row)
		if err != nil {
			t.Fatal(err)
		}
		bursts += sa.Len()
		if !sameBursts(sa, sb) {
			for i := range min(sa.Len(), sb.Len()) {
				b1, e1, v1 := sa.Burst(i)
				if b2, e2, v2 := sb.Burst(i); b1 != b2 || e1 != e2 || v1 != v2 {
					t.Fatalf("%s, row %d: %s: burst %d is [%d,%d) %v; %s: [%d,%d) %v", trace, row, a.Describe(), i, b1,
						e1, v1, b.Describe(), b2, e2, v2)
				}
			}
			t.Fatalf("%s, row %d: %d and %d bursts of %s and %s", trace, row, sa.Len(), sb.Len(), a.Describe(),
				b.Describe())
		}
	}
	return bursts
}

// TestExpressionOfSeveralKinds: with states and events, a burst begins at either, and each variable keeps its value
// from the last record of its kind.
func TestExpressionOfSeveralKinds(t *testing.T) {
	h := prv.Header{End: 100}
	h.AddNode(1)
	h.AddPtask()
	h.AddTask(1, 0)
	h.AddTask(1, 0)
	b := prv.NewBuilder(h)
	b.State(0, 1, 0, 20, 1)
	b.State(0, 1, 20, 60, 3)
	b.State(0, 1, 60, 80, 1)
	b.Event(0, 1, 10, prv.Pair{Type: 7, Value: 5})
	b.Event(0, 1, 60, prv.Pair{Type: 7, Value: 9})
	b.Comm(prv.Comm{Send: 0, Recv: 1, SendCPU: 1, RecvCPU: 1, Times: [4]int64{30, 30, 70, 70}, Size: 400, Tag: 2})
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		expression string
		want       []float64 // begin, value, begin, value, ...
	}{
		{"1", []float64{0, 1, 10, 1, 20, 1, 20, 1, 60, 1, 60, 1, 60, 1, 80, 1}},
		{"state == 1 && value == 5", []float64{0, 0, 10, 1, 20, 0, 60, 0, 60, 0, 80, 0}},
		{"state * 10 + value", []float64{0, 10, 10, 15, 20, 35, 60, 39, 60, 19, 80, 9}},
		{"send ? size / (precv - lsend) : 0", []float64{0, 0, 30, 10}},
		{"send ? partner * 100 + tag : state", []float64{0, 1, 20, 3, 30, 202, 60, 202, 80, 202}},
		{"value + begin / 1000 + duration", []float64{0, 10, 10, 55.01, 60, 49.06}},
		{"next_time - time + prev_value + prev_time", []float64{0, 10, 10, 50, 60, 55}},
	} {
		w := at(prv.LevelThread, "")
		w.Functions[prv.LevelThread] = mustUser(t, ThreadFunctions, c.expression)
		e, err := Compile(tr, &w)
		if err != nil {
			t.Fatal(err)
		}
		s, err := e.Series(context.Background(), 0)
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		for i := range s.Len() {
			begin, _, v := s.Burst(i)
			got = append(got, float64(begin), v)
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", c.expression, got, c.want)
			continue
		}
		for i := range got {
			if d := got[i] - c.want[i]; d > 1e-12 || d < -1e-12 {
				t.Errorf("%s: %v, want %v", c.expression, got, c.want)
				break
			}
		}
	}
}

// TestComposeKnowsTheRow: a compose function gets the row's number at its own level.
func TestComposeKnowsTheRow(t *testing.T) {
	tr := oracleTraces(t)["tr04_hybrid"]
	for _, l := range prv.Levels {
		w := at(l, "State As Is")
		w.Compose[l] = mustUser(t, ComposeFunctions, "row")
		w.Top2 = Call{Name: "Timer", Params: [][]float64{{1e15}}} // rebuilds the row
		w.Top1 = mustUser(t, ComposeFunctions, "row * 1000 + value")
		e, err := Compile(tr, &w)
		if err != nil {
			t.Fatal(err)
		}
		rows := make([]int, e.Rows())
		for i := range rows {
			rows[i] = i
		}
		err = e.All(context.Background(), rows, 2, func(row int, s *series.Series) {
			if _, _, v := s.Burst(0); v != float64(1001*(row+1)) {
				t.Errorf("%s %d: %v", l, row, v)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestExpressionErrors: errors give the place in the expression, when it is compiled and when it is computed.
func TestExpressionErrors(t *testing.T) {
	for _, c := range []struct {
		f          Family
		text, want string
	}{
		{ThreadFunctions, "stat == 1", `column 1: unknown name "stat"; known: state, `},
		{ThreadFunctions, "state ==", "column 8: the expression is not complete"},
		{ThreadFunctions, `state + "a"`, "column 7: + does not go with a number and a string"},
		{ComposeFunctions, "state", `column 1: unknown name "state"; known: value, `},
		{FoldFunctions, "values", "column 1: the expression gives a []float64, not a number"},
		{CPUFunctions, "changed", `column 1: unknown name "changed"; known: `},
	} {
		_, err := UserCall(c.f, c.text)
		var e *expr.Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
	if _, err := UserCall(DerivedFunctions, "1"); err == nil {
		t.Error("derived windows have a user function")
	}
	tr := oracleTraces(t)["tr04_hybrid"]
	w := at(prv.LevelThread, "State As Is")
	w.Functions[prv.LevelThread].Expression = "1"
	if _, err := Compile(tr, &w); err == nil || !strings.Contains(err.Error(), "State As Is takes no expression") {
		t.Errorf("%v", err)
	}
	w.Functions[prv.LevelThread] = Call{Name: UserFunction, Expression: "1 +"}
	if _, err := Compile(tr, &w); err == nil ||
		!strings.Contains(err.Error(), "level thread: user function: column 3: the expression is not complete") {
		t.Errorf("%v", err)
	}
	// Errors at computation: on one row, on all, in a cache.
	w = at(prv.LevelTask, "State As Is")
	w.Functions[prv.LevelTask] = Call{Name: UserFunction, Expression: "values[99]"}
	e, err := Compile(tr, &w)
	if err != nil {
		t.Fatal(err)
	}
	const want = "user function: column 7: index out of range"
	if _, err := e.Series(context.Background(), 0); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v", err)
	}
	if err := e.All(context.Background(), []int{0, 1}, 2, func(int, *series.Series) {}); err == nil ||
		!strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v", err)
	}
	if _, _, _, err := e.Columns(context.Background(), 0); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v", err)
	}
	if _, err := series.NewCache(1<<20).Get(context.Background(), e, w.Key(), 0); err == nil ||
		!strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v", err)
	}
	w = at(prv.LevelSystem, "State As Is")
	w.Functions[prv.LevelCPU] = Call{Name: UserFunction, Expression: "values[99]"}
	if e, err = Compile(tr, &w); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Series(context.Background(), 0); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v", err)
	}
}

// TestExpressionIsPartOfTheWindow: equality, copies, the key of caches and the
// description have it.
func TestExpressionIsPartOfTheWindow(t *testing.T) {
	w := at(prv.LevelTask, "State As Is")
	w.Functions[prv.LevelThread] = mustUser(t, ThreadFunctions, " state == 1 ")
	v := w.Clone()
	if !v.Equal(&w) || v.Key() != w.Key() {
		t.Error("a copy is not equal")
	}
	v.Functions[prv.LevelThread].Expression = "state == 2"
	if v.Equal(&w) || v.Key() == w.Key() {
		t.Error("another expression makes no difference")
	}
	if got, want := w.Describe(), "thread: = state == 1; task: Adding."; !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if m := w.Meaning(); m != PlainNumbers {
		t.Errorf("meaning %d", m)
	}
}

// BenchmarkUserFunction compares expressions with functions of the table, per record.
func BenchmarkUserFunction(b *testing.B) {
	h := prv.Header{End: 1 << 40}
	h.AddNode(1)
	h.AddPtask()
	h.AddTask(1, 0)
	build := prv.NewBuilder(h)
	const n = 1 << 17
	for i := range int64(n) {
		build.State(0, 1, i*1000, i*1000+1000, uint32(i%5))
		build.Event(0, 1, i*1000, prv.Pair{Type: 42, Value: i * 7919 % 1000})
	}
	tr, err := build.Build()
	if err != nil {
		b.Fatal(err)
	}
	user := func(text string) Call { return Call{Name: UserFunction, Expression: text} }
	for _, c := range []struct {
		name string
		call Call
	}{
		{"InState/table", Call{Name: "In State", Params: [][]float64{{1, 3}}}},
		{"InState/expression", user("state in [1, 3]")},
		{"InEvtVal/table", Call{Name: "In Evt Val", Params: [][]float64{{1, 3}}}},
		{"InEvtVal/expression", user("value in [1, 3]")},
		{"AvgNext/table", Call{Name: "Avg Next Evt Val", Params: [][]float64{{1000}}}},
		{"AvgNext/expression", user("next_value * 1000 / interval")},
		{"Interpreted/expression", user("let v = value; v == 1 || v == 3")},
		{"StateAndEvent/expression", user("state == 1 && value > 0")},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := DefaultWindow()
			w.Functions[prv.LevelThread] = c.call
			e, err := Compile(tr, &w)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				e.threadRow(0, false)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/record")
		})
	}
}
