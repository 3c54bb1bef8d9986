package stat

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/filter"
	"pview/prv"
	"pview/semantic"
)

// The numbers of Paraver's own command-line tool: see the README beside them.
const oracle = "../../testdata/oracle/paraver"

// Windows of the reference's histograms.

func thread(name string, types ...uint32) *semantic.Window {
	w := semantic.ThreadWindow(name)
	if types != nil {
		w.Filter = filter.Only(types...)
	}
	return &w
}

func at(l prv.Level, w *semantic.Window) *semantic.Window { w.Level = l; return w }

func in(u semantic.Unit, w *semantic.Window) *semantic.Window { w.Unit = u; return w }

func compose(name string, w *semantic.Window) *semantic.Window {
	w.Compose[prv.LevelThread].Name = name
	return w
}

// states returns the histogram that most others of the reference vary: states of threads, columns 0 to 16.
func states(statistic string) Histogram {
	return Histogram{Name: "H", Control: thread("State As Is"), Statistic: statistic, Columns: Scale{Max: 16, Delta: 1}}
}

func counters(statistic string) Histogram {
	h := states(statistic)
	h.Data = thread("Next Evt Val", 42000050)
	return h
}

// vary returns a histogram changed.
func vary(h Histogram, how func(h *Histogram)) Histogram { how(&h); return h }

type oracleCase struct {
	cfg    string
	traces string
	h      Histogram
}

// spelled spells the name of a statistic as the reference's files do.
func spelled(s string) string {
	return strings.ToLower(strings.NewReplacer("# ", "num_", "#", "num", "% ", "pct_", "!=", "ne", " ", "_").Replace(s))
}

func oracleCases() []oracleCase {
	var list []oracleCase
	add := func(cfg, traces string, h Histogram) { list = append(list, oracleCase{"histo_" + cfg, traces, h}) }
	for i := range statistics {
		name := statistics[i].Name
		switch {
		case statistics[i].Own: // Paraver does not have it
			continue
		case statistics[i].Comms:
			add("comm_log_"+spelled(name), "tr03_comms tr05_ring", states(name))
		default:
			add("state_x_ins_"+spelled(name), "tr04_hybrid tr05_ring", counters(name))
		}
	}
	for _, name := range []string{"#Sends", "Bytes received", "Minimum bytes sent"} {
		h := states(name)
		h.Control.Filter.Comms.Logical, h.Control.Filter.Comms.Physical = false, true
		add("comm_phy_"+spelled(name), "tr03_comms", h)
		h = states(name)
		h.Control.Filter.Comms.Physical = true
		add("comm_both_"+spelled(name), "tr03_comms", h)
	}
	h := states("Time")
	const hybrid = "tr04_hybrid"
	add("task_comm_bytes", hybrid, vary(states("Bytes sent"), func(h *Histogram) { h.Control.Level = prv.LevelTask }))
	add("node_comm_bytes", "tr03_comms",
		vary(states("Bytes sent"), func(h *Histogram) { h.Control.Level = prv.LevelNode }))
	add("cpu_time", hybrid, vary(states("Time"), func(h *Histogram) { h.Control.Level = prv.LevelCPU }))
	add("mpi_profile_pct", "tr05_ring tr02_events",
		Histogram{Control: thread("Last Evt Val", 50000001), Statistic: "% Time", Columns: Scale{Max: 10, Delta: 1}})
	durations := semantic.ThreadWindow("State Record Dur.", []float64{1})
	durations.Unit = semantic.Nanoseconds
	add("useful_duration", "tr04_hybrid tr05_ring",
		Histogram{Control: &durations, Statistic: "# Bursts", Columns: Scale{Max: 5000, Delta: 250}})
	add("delta_float", hybrid, vary(h, func(h *Histogram) { h.Columns = Scale{Min: 0.5, Max: 7.25, Delta: 1.5} }))
	add("delta1_closed", hybrid, vary(states("# Bursts"),
		func(h *Histogram) { h.Columns = Scale{Min: 1, Max: 7, Delta: 1} }))
	add("value_out_of_range", hybrid, vary(states("# Bursts"),
		func(h *Histogram) { h.Columns = Scale{Min: 1, Max: 5, Delta: 2} }))
	add("autoscale", "tr04_hybrid tr05_ring",
		vary(h, func(h *Histogram) { h.Columns = Scale{Auto: true, Codes: true} }))
	add("autoscale_gradient", "tr05_ring", Histogram{Control: thread("Next Evt Val", 42000050), Statistic: "# Bursts",
		Columns: Scale{Auto: true}, HideEmpty: true})
	add("num_columns", hybrid, vary(h, func(h *Histogram) { h.Columns.Count = 4 }))
	add("hide_cols", hybrid, vary(h, func(h *Histogram) { h.HideEmpty = true }))
	add("vertical", hybrid, vary(h, func(h *Histogram) { h.Vertical = true }))
	add("sorted", hybrid, vary(h, func(h *Histogram) { h.Sort = Sort{On: true, By: "Total"} }))
	add("sorted_rev", hybrid, vary(h, func(h *Histogram) { h.Sort = Sort{On: true, By: "Maximum", Reverse: true} }))
	add("control_thread_data_task", hybrid,
		vary(states("Average value"), func(h *Histogram) { h.Data = at(prv.LevelTask, thread("Useful")) }))
	add("window_range", hybrid, vary(h, func(h *Histogram) { h.Range = Range{Begin: 5000, End: 20000} }))
	add("window_range_alltrace", hybrid, vary(h, func(h *Histogram) { h.Range = Range{Whole: true} }))
	add("window_range_bursts", hybrid, vary(states("# Bursts"),
		func(h *Histogram) { h.Range = Range{Begin: 5000, End: 20000} }))
	inFunctions := func(h *Histogram) {
		h.Third, h.Planes = thread("Last Evt Val", 60000019), Scale{Max: 4, Delta: 1}
	}
	add("3d", hybrid, vary(h, inFunctions))
	add("3d_data", hybrid, vary(counters("Average value"), inFunctions))
	add("3d_comm", hybrid, vary(counters("Bytes sent"), inFunctions))
	add("stacked_control", "tr02_events tr05_ring", Histogram{Control: compose("Stacked Val",
		thread("Last Evt Val", 60000019)), Statistic: "% Time", Columns: Scale{Max: 5, Delta: 1}})
	for _, n := range []struct {
		cfg, statistic string
		typ            uint32
	}{{"negative_min", "Minimum", 70000002}, {"negative_max", "Maximum", 70000001},
		{"negative_integral", "Integral", 70000002}} {
		add(n.cfg, "tr07_precision", Histogram{Control: in(semantic.Milliseconds,
			compose("Sign", thread("Last Evt Val", n.typ))),
			Data: in(semantic.Milliseconds, thread("Last Evt Val", n.typ)), Statistic: n.statistic,
			Columns: Scale{Max: 2, Delta: 1}})
	}
	add("thread_selection", hybrid, vary(h, func(h *Histogram) { h.Rows = []int{0, 1, 2, 4, 5, 6} }))
	return list
}

// TestOracle compares every histogram of the reference with what Paraver printed,
// to the last digit.
func TestOracle(t *testing.T) {
	left := map[string]bool{}
	for _, f := range must(filepath.Glob(oracle + "/results/histo_*.tsv")) {
		left[strings.TrimSuffix(filepath.Base(f), ".tsv")] = true
	}
	if len(left) != 91 {
		t.Errorf("the reference has %d histograms", len(left))
	}
	for _, c := range oracleCases() {
		for _, trace := range strings.Fields(c.traces) {
			pair := c.cfg + "__" + trace
			delete(left, pair)
			t.Run(pair, func(t *testing.T) {
				compare(t, pair, tsv(compute(t, openTrace(t, trace), c.h)))
			})
		}
	}
	for pair := range left {
		t.Errorf("%s: not compared", pair)
	}
}

// As in Paraver, Minimum skips cells of 0 that Average and StDev count. In its table of #Sends of tr03_comms the cells
// of the column THREAD 1.1.1 are 2, 2, 2 and 0: on average 6/4 = 1.5, with a deviation of sqrt((3*0.5^2 + 1.5^2)/4) =
// 0.866, at least 2.
func TestMinimumSkipsZeros(t *testing.T) {
	h := states("#Sends")
	h.Control.Filter.Comms.Physical = true
	lines := tsv(compute(t, openTrace(t, "tr03_comms"), h))
	for _, want := range []string{"THREAD 1.4.1\tTHREAD 1.1.1\t0", "Total\tTHREAD 1.1.1\t6",
		"Average\tTHREAD 1.1.1\t1.5", "StDev\tTHREAD 1.1.1\t0.8660254", "Minimum\tTHREAD 1.1.1\t2"} {
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, want) }) {
			t.Errorf("no %q in\n%s", want, strings.Join(lines, "\n"))
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var opened = map[string]*prv.Trace{}

func openTrace(t testing.TB, name string) *prv.Trace {
	t.Helper()
	if opened[name] == nil {
		tr, err := prv.Open(context.Background(), filepath.Join(oracle, "traces", name+".prv"), prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		opened[name] = tr
	}
	return opened[name]
}

func compute(t testing.TB, tr *prv.Trace, h Histogram) *Table {
	t.Helper()
	table, err := Compute(context.Background(), tr, h, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// tsv writes a table in the format of the reference's results.
func tsv(table *Table) []string {
	lines := []string{"plane\trow\tcolumn\tvalue"}
	for e := range table.Entries(9) {
		v := fmt.Sprintf("%.10f", e.Value)
		if math.IsNaN(e.Value) {
			v = "nan"
		}
		lines = append(lines, e.Plane+"\t"+e.Row+"\t"+e.Column+"\t"+v)
	}
	return lines
}

// compare compares lines with a result of the reference, of its parallel build if the builds differ.
func compare(t *testing.T, pair string, got []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(oracle, "results_parallel_build", pair+".tsv"))
	if err != nil {
		text = must(os.ReadFile(filepath.Join(oracle, "results", pair+".tsv")))
	}
	want := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	bad := 0
	for i := range max(len(want), len(got)) {
		var w, g string
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		if w != g {
			if bad++; bad <= 5 {
				t.Errorf("line %d of %d (%d wanted):\n got %q\nwant %q", i+1, len(got), len(want), g, w)
			}
		}
	}
	if bad > 5 {
		t.Errorf("... and %d lines more", bad-5)
	}
}
