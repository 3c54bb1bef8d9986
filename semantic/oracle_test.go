package semantic

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/filter"
	"pview/prv"
)

// The numbers of Paraver's own command-line tool: see the README beside them.
const oracle = "../testdata/oracle/paraver"

// TestOracleTimelines compares windows with what Paraver printed for them, burst by burst, to the last digit.
func TestOracleTimelines(t *testing.T) {
	user := filter.Only(60000019)
	for _, c := range []struct {
		pair   string
		window func(w *Window)
	}{
		{"state_state_as_is__tr01_states", func(w *Window) {}},
		{"state_state_as_is__tr04_hybrid", func(w *Window) {}},
		{"state_state_as_is__tr06_awkward", func(w *Window) {}},
		{"state_useful__tr01_states", func(w *Window) { w.Functions[prv.LevelThread].Name = "Useful" }},
		{"state_useful__tr04_hybrid", func(w *Window) { w.Functions[prv.LevelThread].Name = "Useful" }},
		{"state_useful__tr06_awkward", func(w *Window) { w.Functions[prv.LevelThread].Name = "Useful" }},
		{"state_in_state__tr06_awkward", func(w *Window) {
			w.Functions[prv.LevelThread] = Call{Name: "In State", Params: [][]float64{{1, 0}}}
		}},
		{"event_last_evt_val__tr02_events", func(w *Window) {
			w.Functions[prv.LevelThread].Name, w.Filter, w.Unit = "Last Evt Val", user, Microseconds
		}},
		{"event_last_evt_type__tr04_hybrid", func(w *Window) {
			w.Functions[prv.LevelThread].Name, w.Filter, w.Unit = "Last Evt Type", user, Microseconds
		}},
		{"event_awkward_last_val__tr06_awkward", func(w *Window) {
			w.Functions[prv.LevelThread].Name, w.Unit = "Last Evt Val", Microseconds
		}},
		{"task_adding__tr04_hybrid", func(w *Window) { w.Level = prv.LevelTask }},
		{"workload_parallelism__tr05_ring", func(w *Window) {
			w.Level, w.Functions[prv.LevelThread].Name, w.Unit = prv.LevelWorkload, "Useful", Microseconds
		}},
		{"cpu_active_thd__tr04_hybrid", func(w *Window) { w.Level = prv.LevelCPU }},
		{"node_adding__tr04_hybrid", func(w *Window) { w.Level = prv.LevelNode }},
		{"node_maximum__tr04_hybrid", func(w *Window) {
			w.Level, w.Functions[prv.LevelNode].Name = prv.LevelNode, "Maximum"
		}},
		{"system_adding__tr04_hybrid", func(w *Window) { w.Level = prv.LevelSystem }},
	} {
		t.Run(c.pair, func(t *testing.T) {
			_, trace, _ := strings.Cut(c.pair, "__")
			w := DefaultWindow()
			w.Unit = Nanoseconds
			c.window(&w)
			got := dump(t, openTrace(t, trace), &w)
			want, err := os.ReadFile(filepath.Join(oracle, "results", c.pair+".tsv"))
			if err != nil {
				t.Fatal(err)
			}
			compareBursts(t, string(want), got)
		})
	}
}

func openTrace(t *testing.T, name string) *prv.Trace {
	t.Helper()
	tr, err := prv.Open(context.Background(), filepath.Join(oracle, "traces", name+".prv"), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// dump prints a window as Paraver's command-line tool does, without the names of objects.
func dump(t *testing.T, tr *prv.Trace, w *Window) string {
	t.Helper()
	e, err := Compile(tr, w)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for row := range e.Rows() {
		s, err := e.Series(context.Background(), row)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Len() {
			begin, end, v := s.Burst(i)
			fmt.Fprintf(&out, "%.9f\t%.9f\t%.9f\n", w.Unit.Time(begin, tr.Unit), w.Unit.Time(end-begin, tr.Unit), v)
		}
	}
	return out.String()
}

// compareBursts compares a result of the kit, whose lines begin with the name of
// the object, with a dump.
func compareBursts(t *testing.T, want, got string) {
	t.Helper()
	w := strings.Split(strings.TrimSpace(want), "\n")[1:] // the header
	g := strings.Split(strings.TrimSpace(got), "\n")
	for i := range max(len(w), len(g)) {
		var line, gline string
		if i < len(w) {
			_, line, _ = strings.Cut(w[i], "\t")
		}
		if i < len(g) {
			gline = g[i]
		}
		if line != gline {
			t.Fatalf("burst %d of %d (%d wanted):\n got %q\nwant %q", i+1, len(g), len(w), gline, w[min(i, len(w)-1)])
		}
	}
}
