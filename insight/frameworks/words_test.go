package frameworks_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pview/insight/frameworks"
	"pview/insight/frameworks/answer"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/render/document"
)

func analysed(t *testing.T, tr *prv.Trace, opt frameworks.Options) *frameworks.Report {
	t.Helper()
	r, err := frameworks.Analyse(context.Background(), tr, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The reports on programs of known structure, also with other options.
func TestWords(t *testing.T) {
	runs := frameworks.Runs(t)
	var b strings.Builder
	say := func(what string, tr *prv.Trace, opt frameworks.Options) {
		fmt.Fprintf(&b, "=== %s\n%s", what, document.Text(answer.Document(tr, analysed(t, tr, opt), ""), nil))
	}
	for _, name := range slices.Sorted(maps.Keys(runs)) {
		say(name, runs[name], frameworks.Options{Free: -1, Simulate: true})
	}
	say("farm, volume grows with the workers", runs["farm"], frameworks.Options{Proportional: true, MaxWorkers: 8})
	say("farm, volume grows by a tenth per worker", runs["farm"], frameworks.Options{Growth: 0.1, MaxWorkers: 8})
	say("farm, with a second run", runs["farm"], frameworks.Options{Further: []*prv.Trace{runs["farm"]}, MaxWorkers: 8})
	say("pipeline, 4 free processors", runs["pipeline"], frameworks.Options{Free: 4})
	prvtest.SameFile(t, "testdata/words.txt", b.String())
}

// What the same programs, with and without a simulation, are found to lose, and where.
func TestFindingsInWords(t *testing.T) {
	runs := frameworks.Runs(t)
	runs["slow stage"] = frameworks.Slow(t)
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(runs)) {
		for _, simulate := range []bool{false, true} {
			r := analysed(t, runs[name], frameworks.Options{Free: -1, Simulate: simulate})
			fmt.Fprintf(&b, "=== %s, simulated: %v\n", name, simulate)
			for _, f := range r.Findings() {
				fmt.Fprintf(&b, "%s, %s, %s: %.6g, share %.4g, confidence %v\n", f.Rule, f.Name, f.Key, f.Severity,
					f.Share, f.Confidence)
				fmt.Fprintf(&b, "  %s\n  %s\n  %s\n  if %s\n", f.Title, f.Advice, f.Formula, f.Assumed)
				fmt.Fprintf(&b, "  checked %v: %.6g %s\n", f.Checked, f.Verified, f.Unchecked)
				for _, e := range f.Evidence {
					fmt.Fprintf(&b, "  %d to %d on %v: %s, costs %.6g\n", e.From, e.To, e.Threads, e.Why, e.Cost)
				}
			}
		}
	}
	prvtest.SameFile(t, "testdata/findings.txt", b.String())
}

// Parameters that a user types change the model immediately; a copy keeps its own.
func TestSet(t *testing.T) {
	runs := frameworks.Runs(t)
	var b strings.Builder
	for _, name := range []string{"farm", "pipeline"} {
		for _, set := range [][2]string{{"m0", "1ms"}, {"lambda", "2 ns/byte"}, {"V", "1MB"}, {"alpha", "0.5"},
			{"Tc", "8ms"}, {"mu_m", "1ms"}, {"mu", "2ms"}, {"sigma", "1ms"}, {"most", "6"}, {"free", "3"},
			{"tc_1", "5ms"}, {"tc_2", "5ms"}, {"v_1", "1 MB"}, {"tc_4", "1ms"}, {"tc_0", "1ms"}, {"x_1", "1ms"},
			{"P", "sync"}, {"P", "fast"}, {"alpha", "1.1"}, {"alpha", "x"}, {"Tc", "0"}, {"m0", "-1ms"},
			{"other", "1"}, {"alpha", "1"}, {"alpha", "0"}, {"free", "0"}, {"free", "4096"}, {"free", "4097"}} {
			r := analysed(t, runs[name], frameworks.Options{Free: -1, MaxWorkers: 8})
			kept := r.Copy()
			before := document.Text(answer.Document(runs[name], kept, ""), nil)
			err := r.Set(set[0], set[1])
			text := document.Text(answer.Document(runs[name], r, ""), nil)
			fmt.Fprintf(&b, "=== %s, %s = %s: editable %v, %v\n", name, set[0], set[1], r.Editable(set[0]), err)
			old := strings.Split(before, "\n")
			for _, line := range strings.Split(text, "\n") {
				if !slices.Contains(old, line) {
					fmt.Fprintln(&b, line)
				}
			}
			if again := document.Text(answer.Document(runs[name], kept, ""), nil); again != before {
				t.Errorf("%s: %v changes a copy", name, set)
			}
		}
	}
	prvtest.SameFile(t, "testdata/set.txt", b.String())
}

// The iterations of the master, dispatched in other ways, and the pace of the pipeline with other numbers of replicas.
func TestSteered(t *testing.T) {
	runs := frameworks.Runs(t)
	farm := analysed(t, runs["farm"], frameworks.Options{})
	var b strings.Builder
	for _, per := range []int{0, 2} {
		for _, r := range farm.Rounds(per) {
			fmt.Fprintf(&b, "tasks %.6g, chunks %v, time %.6g, work %.6g\n", r.Tasks, r.Chunks, r.Time, r.Work())
			fmt.Fprintf(&b, "as it was %.6g, on 2 workers %.6g, in one chunk %.6g, in too many %.6g\n",
				r.Dispatch(r.Chunks, 4), r.Dispatch(r.Chunks, 2), r.Dispatch([]int{len(r.Tasks)}, 1),
				r.Dispatch([]int{100}, 4))
		}
	}
	line := analysed(t, runs["pipeline"], frameworks.Options{Free: -1})
	fmt.Fprintf(&b, "work of an item %.6g, of a farm %.6g, rounds of a pipeline %d\n", line.ItemWork(), farm.ItemWork(),
		len(line.Rounds(1)))
	for _, c := range []struct {
		task     int32
		replicas int
		slower   float64
	}{{1, 1, 1}, {1, 2, 1}, {1, 4, 1}, {1, 4, 1.5}, {0, 2, 1}, {2, 2, 1}, {1, 0, 1}} {
		pace, ok := line.PaceWith(c.task, c.replicas, c.slower)
		fmt.Fprintf(&b, "task %d with %d replicas, %g times slower: %.6g %v\n", c.task+1, c.replicas, c.slower, pace,
			ok)
	}
	prvtest.SameFile(t, "testdata/steered.txt", b.String())
}
