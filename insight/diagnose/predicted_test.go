package diagnose_test

import (
	"strings"
	"testing"

	"pview/insight/diagnose"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/prv/store"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/engine"
)

// A predicted run is diagnosed as a measured one is. The blocks of its critical path are the user functions of the
// program, and no rows of its code regions.
func TestPredicted(t *testing.T) {
	measured, err := prv.Read(t.Context(), strings.NewReader(prvtest.TraceA), store.Options{Name: "a.prv"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := dimemas.FromTrace(t.Context(), measured, dimemas.TranslateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := engine.Run(t.Context(), p.Program, sim.IdealFor(p.Program), sim.Options{Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := diagnose.Analyze(t.Context(), run.Trace, diagnose.Options{})
	if err != nil || r.Length != run.Trace.Duration {
		t.Errorf("%d ns, %v", r.Length, err)
	}
}
