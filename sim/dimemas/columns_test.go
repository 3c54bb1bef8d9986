package dimemas_test

import (
	"math"
	"path/filepath"
	"testing"

	"pview/prv"
	"pview/prv/prvtest"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/engine"
)

// TestColumnsAndTape: of recorded programs, too, a predicted trace is the same whether its columns are written or its
// records are put on a tape, as for a window of time. Threads of OpenMP programs wait within lines of events, with or
// without parts of other speed.
func TestColumnsAndTape(t *testing.T) {
	files, _ := filepath.Glob("../../testdata/traces/*/*.prv")
	more, _ := filepath.Glob(filepath.Join(prvtest.SharedDir(), "traces", "h*", "*.prv"))
	files = append(files, more...)
	for _, path := range files {
		if filepath.Base(path) == "heat2d_8_nullnb.prv" { // a deadlock: messages are paired wrongly
			continue
		}
		measured, err := prv.Open(t.Context(), path, prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tr, err := dimemas.FromTrace(t.Context(), measured, dimemas.TranslateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		m := sim.Ideal(max(len(tr.Program.Tasks), 1))
		for i := range m.Nodes {
			m.Nodes[i].CPUs, m.Nodes[i].Latency = 2, 3000
		}
		for _, modules := range [][]sim.Module{nil, {{Type: 50000001, Value: 1, Ratio: 2}}} {
			m.Modules = modules
			direct, err := engine.Run(t.Context(), tr.Program, m, sim.Options{Trace: true})
			if err != nil {
				t.Fatal(err)
			}
			taped, err := engine.Run(t.Context(), tr.Program, m, sim.Options{Trace: true, To: math.MaxInt64 - 1})
			if err != nil {
				t.Fatal(err)
			}
			if err := prv.Equal(direct.Trace, taped.Trace); err != nil {
				t.Errorf("%s, %d modules: %v", path, len(modules), err)
			}
		}
	}
}
