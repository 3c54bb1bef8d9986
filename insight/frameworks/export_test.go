package frameworks

import (
	"testing"

	"pview/prv"
)

// Runs for tests outside of the package, by name: a master with four workers, a pipeline with a replicated stage, and a
// master of pipelines.
func Runs(t *testing.T) map[string]*prv.Trace {
	t.Helper()
	p := &Pipeline{Link: network, Acknowledgement: 4, Stages: []Stage{{Compute: 1e6, Bytes: 10_000},
		{Bytes: 10_000, Replicas: []float64{2e6, 2e6}}, {Compute: 0.5e6}}}
	return map[string]*prv.Trace{"farm": play(t, masterAndFour(0), network), "pipeline": p.played(t),
		"farm of pipelines":        play(t, twoChains(3, 4), network),
		"messages between workers": play(t, masterAndFour(4), network)}
}

// Slow is a pipeline whose second stage takes three times as long as the first.
func Slow(t *testing.T) *prv.Trace {
	t.Helper()
	return line(network, 10_000, 1e6, 3e6, 0.5e6).played(t)
}

// played returns the run of a pipeline with 40 items.
func (p *Pipeline) played(t *testing.T) *prv.Trace {
	t.Helper()
	prog, err := p.program(40)
	if err != nil {
		t.Fatal(err)
	}
	return play(t, prog, p.Link)
}
