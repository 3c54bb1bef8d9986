package stat

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pview/filter"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/semantic"
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

func analyze(t testing.TB, tr *prv.Trace, q Query) *Analysis {
	t.Helper()
	a, err := Analyze(context.Background(), tr, q, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// answer writes a function's figures for all rows, "-" if none.
func answer(t testing.TB, a *Analysis, name string) string {
	t.Helper()
	f, ok := LookupFunction(name)
	if !ok {
		t.Fatalf("no function %q", name)
	}
	var list []string
	for row := range a.Rows {
		if v, ok := a.Value(row, f); ok {
			list = append(list, fmt.Sprintf("%.8g", v))
		} else {
			list = append(list, "-")
		}
	}
	return strings.Join(list, " ")
}

func inState(values ...float64) *semantic.Window {
	w := semantic.ThreadWindow("In State", values)
	return &w
}

// logicalAndPhysical lets both kinds of communications pass.
func logicalAndPhysical(w *semantic.Window) *semantic.Window {
	w.Filter.Comms.Physical = true
	return w
}

func onlyPhysical(w *semantic.Window) *semantic.Window {
	w.Filter.Comms.Logical, w.Filter.Comms.Physical = false, true
	return w
}

func events(w *semantic.Window, types ...uint32) *semantic.Window {
	w.Filter = filter.Only(types...)
	return w
}

func TestAnalyzerChecks(t *testing.T) {
	asIs := func() *semantic.Window { return thread("State As Is") }
	part := Range{Begin: 20, End: 60}
	positive := events(asIs(), 40)
	positive.Filter.Events.Value = filter.Criterion{Func: filter.Greater, Values: []float64{0}}
	for _, c := range []struct {
		check, trace string
		q            Query
		function     string
		want         string
	}{
		{"A20", traceA, Query{Window: events(asIs(), 500)}, "Number of Events", "0 2"},
		{"A22", traceA, Query{Window: positive}, "Number of Events", "3 0"},
		{"A23", traceA, Query{Window: asIs()}, "Average Semantic Value", "1.3 1.5"},
		{"A23", traceA, Query{Window: inState(1)}, "Average Semantic Value", "0.7 0.85"},
		{"A23", traceA, Query{Window: at(prv.LevelPtask, inState(1))}, "Average Semantic Value", "1.55"},
		{"A24", traceA, Query{Window: asIs(), Range: part}, "Average Semantic Value", "2 1.75"},
		{"A24", traceA, Query{Window: inState(1), Range: part}, "Average Semantic Value", "0.5 0.875"},
		{"A25", traceA, Query{Window: inState(1)}, "Number of Bursts", "2 3"},
		{"A25", traceA, Query{Window: inState(1)}, "Average Burst", "35 28.333333"},
		{"A25", traceA, Query{Window: inState(1)}, "Std. Deviation Burst", "5 11.785113"},
		{"A26", traceA, Query{Window: asIs()}, "Number of Bursts", "3 5"},
		{"A26", traceA, Query{Window: asIs()}, "Average Burst", "30 20"},
		{"A26", traceA, Query{Window: asIs()}, "Std. Deviation Burst", "8.1649658 13.784049"},
		{"A26", traceA, Query{Window: asIs(), Duration: Limits{true, 10, 1e9}}, "Number of Bursts", "3 4"},
		{"A26", traceA, Query{Window: asIs(), Duration: Limits{true, 10, 1e9}}, "Average Burst", "30 23.75"},
		{"A26, limits are inclusive", traceA, Query{Window: asIs(), Duration: Limits{true, 5, 20}}, "Number of Bursts",
			"1 4"},
		{"A27", traceA, Query{Window: inState(1), Range: part}, "Number of Bursts", "0 0"},
		{"A27", traceA, Query{Window: inState(1), Range: part}, "Average Burst", "- -"},
		{"A27", traceA, Query{Window: inState(1), Range: part}, "Std. Deviation Burst", "- -"},
		{"A27", traceA, Query{Window: asIs(), Range: part}, "Number of Bursts", "1 1"},
		{"A27", traceA, Query{Window: asIs(), Range: part}, "Average Burst", "20 5"},
		{"A28", traceA, Query{Window: asIs(), Value: Limits{true, 3, 7}}, "Time with Semantic Value", "20 15"},
		{"A28", traceA, Query{Window: asIs(), Value: Limits{true, 3, 7}, Range: part}, "Time with Semantic Value",
			"20 5"},
		{"A28, no shorter than 10", traceA, Query{Window: asIs(), Value: Limits{true, 3, 7},
			Duration: Limits{true, 10, 50}}, "Time with Semantic Value", "20 10"},
		{"A29", traceA, Query{Window: asIs()}, "Maximum Semantic Value", "3 7"},
		{"A29", traceA, Query{Window: asIs()}, "Minimum Semantic Value", "0 1"},
		{"A29", traceA, Query{Window: asIs(), Range: part}, "Maximum Semantic Value", "3 7"},
		{"A29", traceA, Query{Window: asIs(), Range: part}, "Minimum Semantic Value", "1 1"},
		{"A30", traceA, Query{Window: asIs()}, "Number of Events", "6 2"},
		{"A30", traceA, Query{Window: asIs(), Range: part}, "Number of Events", "2 1"},
		{"A31", traceA, Query{Window: logicalAndPhysical(asIs())}, "Number of Sends", "2 2"},
		{"A31", traceA, Query{Window: asIs()}, "Number of Sends", "1 1"},
		{"A31", traceA, Query{Window: logicalAndPhysical(asIs())}, "Number of Receives", "2 2"},
		{"A31", traceA, Query{Window: asIs()}, "Number of Receives", "1 1"},
		{"A31", traceA, Query{Window: asIs()}, "Number of Bytes Sent", "3000 1000"},
		{"A31, bytes count once", traceA, Query{Window: logicalAndPhysical(asIs())}, "Number of Bytes Sent",
			"3000 1000"},
		{"A31, of physical ones only", traceA, Query{Window: onlyPhysical(asIs()), Range: Range{Begin: 61, End: 100}},
			"Number of Bytes Sent", "3000 0"},
		{"A31", traceA, Query{Window: asIs()}, "Number of Bytes Received", "1000 3000"},
		{"A31", traceA, Query{Window: asIs()}, "Average Message Size", "3000 1000"},
		{"A31", traceA, Query{Window: asIs(), Range: part}, "Number of Sends", "0 1"},
		{"A31, nothing sent", traceA, Query{Window: asIs(), Range: part}, "Average Message Size", "- 1000"},
		{"A34", traceB, Query{Window: at(prv.LevelCPU, inState(5))}, "Average Semantic Value", "0.5"},
		{"A34", traceB, Query{Window: at(prv.LevelCPU, inState(5)), Range: Range{Begin: 10, End: 20}},
			"Average Semantic Value", "0"},
		{"an empty interval", traceA, Query{Window: asIs(), Range: Range{Begin: 20, End: 20}}, "Maximum Semantic Value",
			"- -"},
		{"an empty interval", traceA, Query{Window: asIs(), Range: Range{Begin: 20, End: 20}}, "Average Semantic Value",
			"- -"},
		{"some rows", traceA, Query{Window: asIs(), Rows: []int{1}}, "Average Semantic Value", "1.5"},
		{"CPU rows", traceA, Query{Window: at(prv.LevelCPU, asIs())}, "Number of Events", "6 2"},
		{"node rows", traceA, Query{Window: at(prv.LevelNode, asIs())}, "Number of Bytes Sent", "3000 1000"},
	} {
		t.Run(c.check+" "+c.function, func(t *testing.T) {
			if got := answer(t, analyze(t, read(t, c.trace), c.q), c.function); got != c.want {
				t.Errorf("%s of %s: got %s, want %s", c.function, c.q.Window.Describe(), got, c.want)
			}
		})
	}
}

// TestAnalyzerAddsUp is check A33, on traces of the reference and intervals at random: additive figures add up, and so
// do averages times their intervals.
func TestAnalyzerAddsUp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	mean, _ := LookupFunction("Average Semantic Value")
	for _, name := range []string{"tr01_states", "tr03_comms", "tr04_hybrid", "tr05_ring"} {
		tr := openTrace(t, name)
		for range 50 {
			x := []int64{r.Int64N(tr.Duration + 1), r.Int64N(tr.Duration + 1), tr.Duration}
			if r.IntN(2) == 0 {
				x[2] = r.Int64N(tr.Duration + 1)
			}
			a, b, c := min(x[0], x[1], x[2]), x[0]+x[1]+x[2]-min(x[0], x[1], x[2])-max(x[0], x[1], x[2]),
				max(x[0], x[1], x[2])
			if a == b || b == c {
				continue
			}
			over := func(from, to int64) *Analysis {
				return analyze(t, tr, Query{Window: logicalAndPhysical(thread("State As Is")),
					Range: Range{Begin: float64(from), End: float64(to)}, Value: Limits{true, 1, 3}})
			}
			both, first, second := over(a, c), over(a, b), over(b, c)
			for row := range both.Rows {
				for i := range functions {
					f := &functions[i]
					u, _ := first.Value(row, f)
					v, _ := second.Value(row, f)
					w, _ := both.Value(row, f)
					if f == mean {
						u, v, w = u*float64(b-a), v*float64(c-b), w*float64(c-a)
					} else if !f.Additive {
						continue
					}
					if math.Abs(u+v-w) > 1e-9*max(1, math.Abs(w)) {
						t.Fatalf("%s, %s of row %d: %g in [%d,%d) and %g in [%d,%d), but %g in both", name, f.Name, row,
							u, a, b, v, b, c, w)
					}
				}
			}
		}
	}
}
