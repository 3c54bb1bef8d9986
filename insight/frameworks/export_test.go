package frameworks

import (
	"context"
	"testing"

	"pview/prv"
	"pview/sim"
	"pview/sim/engine"
)

// Runs for tests outside of the package, by name: a master with four workers, a pipeline with a replicated stage, and a
// master of pipelines.
func Runs(t *testing.T) map[string]*prv.Trace {
	t.Helper()
	p := &Pipeline{Link: network, Acknowledgement: 4, Stages: []Stage{{Compute: 1e6, Bytes: 10_000},
		{Bytes: 10_000, Replicas: []float64{2e6, 2e6}}, {Compute: 0.5e6}}}
	prog, err := p.program(40)
	if err != nil {
		t.Fatal(err)
	}
	m, rules := p.machine(prog)
	run, err := engine.Run(context.Background(), prog, m, sim.Options{Trace: true, Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]*prv.Trace{"farm": play(t, masterAndFour(0), network), "pipeline": run.Trace,
		"farm of pipelines":        play(t, twoChains(3, 4), network),
		"messages between workers": play(t, masterAndFour(4), network)}
}
