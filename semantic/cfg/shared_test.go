package cfg

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/prvtest"
	"pview/semantic"
	"pview/semantic/stat"
)

// sharedFiles returns the configurations of several projects.
func sharedFiles(t testing.TB) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(prvtest.Shared(t), "cfgs", "*", "*.cfg"))
	if err != nil || len(all) == 0 {
		t.Fatal(len(all), err)
	}
	var files []string
	for _, path := range all {
		if filepath.Base(path) != "dimemas_ideal.cfg" {
			files = append(files, path)
		}
	}
	return files
}

// TestRealFiles opens, saves and reopens configurations that people use.
func TestRealFiles(t *testing.T) {
	for _, path := range sharedFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) { saveAndReopen(t, open(t, path)) })
	}
}

// TestRealFilesDraw opens the configurations on a trace that has all that they look for, and evaluates their windows
// and histograms.
func TestRealFilesDraw(t *testing.T) {
	for _, path := range sharedFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			f := open(t, path)
			trace := matching(t, f)
			bound, notes, err := f.Bind(trace, false)
			if err != nil || len(notes) > 0 {
				t.Fatal(err, notes)
			}
			for _, w := range bound.Windows {
				e, err := semantic.Compile(trace, &w.Window.Window)
				if err != nil {
					t.Fatal(err)
				}
				bursts := 0
				for _, row := range w.Rows {
					s, err := e.Series(context.Background(), row)
					if err != nil {
						t.Fatal(err)
					}
					bursts += s.Len()
				}
				if bursts <= len(w.Rows) {
					t.Errorf("window %q: nothing is seen", w.Name)
				}
			}
			for _, h := range bound.Histograms {
				table, err := stat.Compute(context.Background(), trace, h, stat.Options{})
				if err != nil {
					t.Fatal(err)
				}
				cells := 0
				for p := range table.Planes {
					cells += table.Planes[p].Cells
				}
				if cells == 0 {
					t.Errorf("histogram %q: there is no cell", h.Name)
				}
			}
		})
	}
}

// matching makes a trace of two threads with events of all types that a file looks
// for, calls that begin and end, nested, and messages of all tags.
func matching(t *testing.T, f *File) *prv.Trace {
	t.Helper()
	const step, calls = 1000, 40
	var r prv.Resources
	r.AddNode(2)
	r.AddPtask()
	r.AddTask(1, 0)
	r.AddTask(1, 0)
	b := prv.NewBuilder(prv.Header{Unit: prv.Nanoseconds, End: 8 * step * calls, Resources: r})
	types, tags := map[uint32]bool{}, map[int64]bool{}
	for _, w := range f.Windows {
		for _, v := range w.Filter.Events.Type.Values {
			types[uint32(v)] = true
		}
		for _, v := range w.Filter.Comms.Tag.Values {
			tags[int64(v)] = true
		}
	}
	for th := range int32(2) {
		for i := range int64(calls) {
			at := 8 * step * i
			b.State(th, th+1, at, at+5*step, 1)
			b.State(th, th+1, at+5*step, at+8*step, 7)
			for tag := range tags {
				b.Comm(prv.Comm{Send: th, Recv: 1 - th, SendCPU: th + 1, RecvCPU: 2 - th,
					Times: [4]int64{at, at, at + step, at + step}, Size: 64, Tag: tag})
			}
			for typ := range types {
				for k, v := range []int64{3 + i%3, 4, 0, 0} {
					b.Event(th, th+1, at+int64(k+1)*step, prv.Pair{Type: typ, Value: v})
				}
			}
		}
	}
	trace, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// TestPublishedFigures: the EPOCH runs have the useful durations, instructions and
// cycles that were published with them, to all digits.
func TestPublishedFigures(t *testing.T) {
	dir := filepath.Join(prvtest.Shared(t), "traces", "epoch")
	figures := published(t, filepath.Join(dir, "modelfactors.tsv"))
	for column, processes := range []string{"1", "2", "4", "8"} {
		trace, err := prv.Open(context.Background(), filepath.Join(dir, "epoch_"+processes+"proc.prv.gz"),
			prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		ask := func(name string) *stat.Plane {
			t.Helper()
			f := open(t, filepath.Join(prvtest.Shared(t), "cfgs", "pop", name))
			bound, _, err := f.Bind(trace, false)
			if err != nil {
				t.Fatal(err)
			}
			table, err := stat.Compute(context.Background(), trace, bound.Histograms[0], stat.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return &table.Planes[0]
		}
		useful := ask("total_useful_computation.cfg") // nanoseconds; the column of value 1 is the last
		last := len(useful.Totals[stat.Sum]) - 1
		for _, c := range []struct {
			figure string
			got    string
		}{
			{"Useful duration, total (us)", fmt.Sprintf("%.2f", useful.Totals[stat.Sum][last]/1000)},
			{"Useful duration, average (us)", fmt.Sprintf("%.2f", useful.Totals[stat.Average][last]/1000)},
			{"Useful duration, maximum (us)", fmt.Sprintf("%.2f", useful.Totals[stat.Maximum][last]/1000)},
			{"Useful instructions, total", fmt.Sprintf("%.0f", ask("useful_instructions.cfg").Totals[stat.Sum][0])},
			{"Useful cycles, total", fmt.Sprintf("%.0f", ask("useful_cycles.cfg").Totals[stat.Sum][0])},
			{"Runtime (us)", fmt.Sprintf("%.2f", ask("total_runtime.cfg").Totals[stat.Maximum][0]/1000)},
		} {
			if want := figures[c.figure][column]; c.got != want {
				t.Errorf("%s processes: %s is %s, published was %s", processes, c.figure, c.got, want)
			}
		}
	}
}

// published reads a table of figures by name.
func published(t *testing.T, path string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	figures := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		words := strings.Split(strings.TrimSpace(line), "\t")
		figures[words[0]] = words[1:]
	}
	return figures
}
