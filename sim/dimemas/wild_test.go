package dimemas_test

// Dimemas's predictions for real traces, from the .prv: the second kit. It is next to the repository.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/prvtest"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/engine"
	"pview/sim/parameter"
)

// wildProgram returns the program of a real trace, as prv2dim makes it.
func wildProgram(t *testing.T, name string) *sim.Program {
	t.Helper()
	dir := name
	if len(name) > 5 && name[:5] == "epoch" {
		dir = "epoch"
	}
	tr, err := prv.Open(context.Background(), tracePath(t, prvtest.Shared(t, "traces", dir), name), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := dimemas.FromTrace(context.Background(), tr, dimemas.TranslateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return p.Program
}

// TestMessageNumbers: messages are numbered as prv2dim numbers them, by the lines of the file.
func TestMessageNumbers(t *testing.T) {
	dir := prvtest.Shared(t, "oracle", "dimemas2", "message-ids")
	for _, row := range readTSV(t, filepath.Join(dir, "ids.tsv")) {
		t.Run(row["trace"], func(t *testing.T) {
			ids, sum := sentNumbers(wildProgram(t, row["trace"])), int64(0)
			for _, id := range ids {
				sum += id
			}
			want := fmt.Sprintf("%s [%s] %s", row["messages"], row["first_ids"], row["sum_of_ids"])
			if got := fmt.Sprint(len(ids), ids[:min(6, len(ids))], sum); got != want {
				t.Errorf("%s, not %s", got, want)
			}
		})
	}
	want, err := os.ReadFile(filepath.Join(dir, "out.dim"))
	if err != nil {
		t.Fatal(err)
	}
	compareText(t, translated(t, filepath.Join(dir, "in.prv"), "out.dim", dimemas.TranslateOptions{}), string(want))
}

// sentNumbers returns the numbers of the messages that a program sends, ascending.
func sentNumbers(p *sim.Program) (ids []int64) {
	for i := range p.Threads {
		th := &p.Threads[i]
		for row, k := range th.Kinds() {
			if k.IsSend() {
				ids = append(ids, th.Message(row).Match)
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// TestWild: the predictions for real traces on fixed and random machines are Dimemas's, in total and per state of each
// thread. If its answer depends on uninitialised memory, pview gives the answer for zeros.
func TestWild(t *testing.T) {
	dir := prvtest.Shared(t, "oracle", "dimemas2")
	programs := map[string]*sim.Program{}
	for _, row := range readTSV(t, filepath.Join(dir, "index.tsv")) {
		if row["total_ns"] == "-" { // the reference stops
			continue
		}
		t.Run(row["case"], func(t *testing.T) {
			p := programs[row["trace"]]
			if p == nil {
				p = wildProgram(t, row["trace"])
				programs[row["trace"]] = p
			}
			m, err := dimemas.OpenMachine(filepath.Join(dir, row["case"], "sim.cfg"))
			if err != nil {
				t.Fatal(err)
			}
			setOptions(t, m, strings.Fields(row["options"]))
			r, err := engine.Run(context.Background(), p, m, sim.Options{Trace: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(r.Total); got != row["total_ns"] {
				t.Errorf("total %s ns, not %s", got, row["total_ns"])
			}
			differ := statesDiffer(r.Trace, readTSV(t, filepath.Join(dir, row["case"], "states.tsv")), false)
			if len(differ) > 0 {
				t.Errorf("time differs in states (ns): %v", differ)
			}
		})
	}
}

// setOptions sets the options of Dimemas's command line: -F, -S BYTES.
func setOptions(t *testing.T, m *sim.Machine, words []string) {
	t.Helper()
	for i, w := range words {
		switch w {
		case "-F":
			m.EagerSends = true
		case "-S":
			v, err := parameter.ByName("eager-limit").Parse(words[i+1])
			if err != nil {
				t.Fatal(err)
			}
			m.EagerLimit = int64(v)
		}
	}
}

// statesDiffer compares the time of each thread in each state, and returns by how much the states differ. Of Running
// the reference leaves out what runs before the first event, by the rule RunningAfterEvent, and counts I/O and Others
// twice: as themselves and as Running. Where they contain a wait for a CPU as well, Running cannot be compared.
func statesDiffer(tr *prv.Trace, rows []map[string]string, running bool) (differ map[int64]int64) {
	type key struct{ task, thread, state int64 }
	got, want := map[key]int64{}, map[key]int64{}
	for i := range tr.Threads {
		_, task, thread := tr.ThreadID(int32(i))
		s := &tr.Threads[i].States
		for k, v := range s.Value {
			got[key{int64(task), int64(thread), int64(v)}] += s.End[k] - s.Begin[k]
		}
	}
	for _, row := range rows {
		want[key{integer(row["task"]), integer(row["thread"]), integer(row["state"])}] += integer(row["ns"])
	}
	differ = map[int64]int64{}
	for _, m := range []map[key]int64{got, want} {
		for k := range m {
			d := got[k] - want[k]
			if k.state == int64(sim.StateRunning) {
				d += got[key{k.task, k.thread, int64(sim.StateIO)}] + got[key{k.task, k.thread, int64(sim.StateOthers)}]
			}
			if d != 0 && (running || k.state != int64(sim.StateRunning)) {
				differ[k.state] += max(d, -d)
			}
		}
	}
	return differ
}
