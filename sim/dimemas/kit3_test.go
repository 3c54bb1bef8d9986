package dimemas_test

// Dimemas's predictions for unseen machines: the third kit, which is next to the repository.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/prv/prvtest"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/engine"
)

// kit3MayDiffer are the machines of the third kit whose prediction differs from the reference, with the reason. None
// may be added. Places are those of Dimemas 5.5.0.
var kit3MayDiffer = map[string]string{
	"k008_hybridloops_4x4_comms": "a fault of the reference: 12 threads share 8 CPUs, and a thread that begins to wait " +
		"for its team leaves its CPU to nobody until a thread becomes ready anywhere (Simulator/sched/schedule.c returns " +
		"from the event). " +
		"Four hybrid programs of the kit never end there: the reference does nothing until 10 s",
}

// TestThirdKit: the predictions of the third kit, in total and per state of each thread. Cases where the reference
// deadlocks (10 s of nothing) or stops with an error cannot be compared.
func TestThirdKit(t *testing.T) {
	dir := prvtest.Shared(t, "oracle", "kit3", "dimemas")
	programs := map[string]*sim.Program{}
	equal, all := 0, 0
	for _, row := range readTSV(t, filepath.Join(dir, "index.tsv")) {
		if row["outcome"] == "ref-stops" || row["ref_total_ns"] == "10000000000" ||
			strings.HasPrefix(row["trace"], "epoch_16") { // not in the folder of traces
			continue
		}
		all++
		p := programs[row["trace"]]
		if p == nil {
			p = wildProgram(t, row["trace"])
			programs[row["trace"]] = p
		}
		wrong := kit3Case(t, p, filepath.Join(dir, row["case"]), "sim.cfg", row)
		switch why, known := kit3MayDiffer[row["case"]]; {
		case wrong == "" && known:
			t.Errorf("%s is equal: strike it off the list (%s)", row["case"], why)
		case wrong == "":
			equal++
		case !known:
			t.Errorf("%s: %s", row["case"], wrong)
		}
	}
	t.Logf("%d of %d are equal", equal, all)
}

// kit3Case says what differs in a case; "" if nothing. A folder without states.tsv has the total only. Running is
// compared for the machines of the index, where no tracer that writes its buffer waits for a CPU.
func kit3Case(t *testing.T, p *sim.Program, dir, machine string, row map[string]string) string {
	m, err := dimemas.OpenMachine(filepath.Join(dir, machine))
	if err != nil {
		return err.Error()
	}
	words := strings.Fields(row["options"])
	setOptions(t, m, words)
	if slices.Contains(words, "-s") {
		if m.Scheduler, err = dimemas.OpenScheduler(filepath.Join(dir, "sched.cfg")); err != nil {
			return err.Error()
		}
	}
	r, err := engine.Run(context.Background(), p, m, sim.Options{Trace: true,
		Rules:             sim.Rules{sim.RunningState: sim.RunningAfterEvent},
		LogicalRecvAtWait: slices.Contains(words, "-w"), DisableOpenMP: slices.Contains(words, "--disable-openmp")})
	if err != nil {
		return err.Error()
	}
	if got := fmt.Sprint(r.Total); got != row["ref_total_ns"] {
		return fmt.Sprintf("total %s ns, not %s", got, row["ref_total_ns"])
	}
	states := filepath.Join(dir, "states.tsv")
	if _, err := os.Stat(states); err != nil {
		return ""
	}
	if differ := statesDiffer(r.Trace, readTSV(t, states), row["case"] != ""); len(differ) > 0 {
		return fmt.Sprintf("time differs in states (ns): %v", differ)
	}
	return ""
}

// TestThirdKitClasses: the totals of the smallest machines of each way in which predictions differed, as their READMEs
// give them. The trace of NAS BT is not in the folder of traces.
func TestThirdKitClasses(t *testing.T) {
	for _, c := range []struct{ class, machine, trace, options, total string }{
		{"dim-context-switch", "sim.cfg", "tealeaf_6", "-s sched.cfg", "89460045"},
		{"dim-module-twice", "sim.cfg", "callmix_4", "-S 0", "62700164"},
		{"dim-more-out-than-in-links", "sim_npb_mg.cfg", "npb_mg_S_8", "-S 65536", "47602960"},
		{"dim-nonblocking-shared-node", "sim.cfg", "callmix_4", "", "90010195"},
		{"dim-openmp-disabled-hybrid", "sim.cfg", "lulesh_8x2", "--disable-openmp", "245960214"},
		{"dim-openmp-states", "sim.cfg", "hybridloops_4x4", "-S 1000000 -w", "92069426"},
		{"dim-wan-node-latency", "sim.cfg", "tealeaf_6", "", "256426905"},
		{"dim-wan-node-latency", "sim_npb_mg.cfg", "npb_mg_S_8", "", "555910476"},
		{"dim-wan-nonblocking-collectives", "sim.cfg", "callmix_4", "-S 4096", "70307568"},
	} {
		dir := prvtest.Shared(t, "oracle", "kit3", "classes", c.class)
		row := map[string]string{"options": c.options, "ref_total_ns": c.total}
		if wrong := kit3Case(t, wildProgram(t, c.trace), dir, c.machine, row); wrong != "" {
			t.Errorf("%s, %s: %s", c.class, c.machine, wrong)
		}
	}
}

// TestModuleTwice: of two records of one block the last counts (class dim-module-twice).
func TestModuleTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sim.cfg")
	text, err := os.ReadFile(filepath.Join(kit, "c01-one-bus", "sim.cfg"))
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, "\n\"modules information\" {7, 1, 0.5};;\n\"modules information\" {7, 2, 4.0};;\n"+
		"\"modules information\" {7, 1, 3.0};;\n"...)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := dimemas.OpenMachine(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := [2]float64{m.ModuleRatio(7, 1), m.ModuleRatio(7, 2)}; got != [2]float64{3, 4} {
		t.Errorf("ratios %v, want 3 and 4", got)
	}
}
